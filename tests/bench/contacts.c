/* Scenes of rods that touch each other. */
#include "scenes.h"

#include <math.h>
#include <stdint.h>

enum { PER_FIBRE = 30 };
static const double THIN = 1.0 / 300.0, TWIST = 4.0; /* [m] radius of the fibres of a yarn, [rad] */

static elastica_status add_contact(elastica_world *world) {
  elastica_contact_def contact;
  elastica_contact_def_init(&contact, sizeof contact);
  contact.modulus = 1e5, contact.damping = 20.0, contact.friction = 0.3;
  return elastica_add_contact(world, NULL, &contact, NULL);
}

static elastica_rod_def fibre(int n) {
  elastica_rod_def rod;
  elastica_rod_def_init(&rod, sizeof rod);
  rod.element_count = n;
  rod.length = 1.0, rod.radius = 0.02, rod.density = 1000.0, rod.youngs_modulus = 1e6;
  return rod;
}

/* Both ends are held, in a viscous fluid; without these, contact forces would soon separate the rods. */
static elastica_status hold(elastica_world *world, elastica_rod *rod) {
  elastica_boundary_def pin;
  elastica_dissipation_def drag;
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  elastica_dissipation_def_init(&drag, sizeof drag);
  pin.node = 0;
  drag.translation = 1e4, drag.rotation = 1.0;
  elastica_status status = elastica_add_dissipation(world, rod, &drag, NULL);
  if (status == ELASTICA_OK) status = elastica_add_boundary(world, rod, &pin, NULL);
  pin.node = -1;
  return status == ELASTICA_OK ? elastica_add_boundary(world, rod, &pin, NULL) : status;
}

/* Two rods press each other where they cross. */
elastica_status bench_fill_crossing(elastica_world *world, int elements, double *dt) {
  elastica_status status = ELASTICA_OK;
  (void)dt;
  for (int r = 0; r < 2 && status == ELASTICA_OK; r++) {
    elastica_rod_def rod = fibre(elements / 2);
    rod.direction[2] = 0.0, rod.direction[r] = 1.0;
    rod.start[r] = -0.503, rod.start[2] = 0.039 * r;
    elastica_rod *out = NULL;
    status = elastica_world_add_rod(world, &rod, &out);
    if (status == ELASTICA_OK) status = hold(world, out);
  }
  return status == ELASTICA_OK ? add_contact(world) : status;
}

/* A random number in 0..1, the same on every machine. */
static double next(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) * 0x1p-53;
}

/* A pile of plies, each of parallel fibres with gaps between them and turned by any angle, filling a quarter of the volume. Each ply
 * overlaps the next by a hundredth of the radius; then they bounce. */
elastica_status bench_fill_pack(elastica_world *world, int elements, double *dt) {
  const int fibres = elements / PER_FIBRE;
  const double thick = 0.02, pitch = 2.0 * 3.14159265358979 * thick, height = 1.99 * thick;
  elastica_status status = ELASTICA_OK;
  uint64_t state = 7;
  int per_ply = 2;
  double angle = 0.0;
  *dt = 2e-5;
  while (per_ply * per_ply * per_ply < fibres) per_ply++;
  for (int r = 0; r < fibres && status == ELASTICA_OK; r++) {
    elastica_rod_def rod = fibre(PER_FIBRE);
    if (r % per_ply == 0) angle += 0.5 + 2.0 * next(&state);
    const double along = 0.4 * next(&state) - 0.7,
                 across = pitch * (r % per_ply - 0.5 * (per_ply - 1)) + (pitch - 3.0 * thick) * next(&state);
    const double x[2] = {cos(angle), sin(angle)};
    for (int a = 0; a < 2; a++) {
      rod.direction[a] = x[a];
      rod.start[a] = along * x[a] + across * (a ? x[0] : -x[1]);
    }
    rod.direction[2] = 0.0;
    rod.start[2] = height * (r / per_ply);
    status = elastica_world_add_rod(world, &rod, NULL);
  }
  return status == ELASTICA_OK ? add_contact(world) : status;
}

/* Adds a helix about z, stretched by 2 %: its tension presses it towards the axis. */
static elastica_status add_helix(elastica_world *world, double x, double y) {
  double position[3 * (PER_FIBRE + 1)], rest[PER_FIBRE];
  elastica_rod_def rod = fibre(PER_FIBRE);
  for (int i = 0; i <= PER_FIBRE; i++) {
    const double share = (double)i / PER_FIBRE, c = cos(TWIST * share), s = sin(TWIST * share);
    position[3 * i] = c * x - s * y, position[3 * i + 1] = s * x + c * y, position[3 * i + 2] = share * rod.length;
  }
  for (int j = 0; j < PER_FIBRE; j++) {
    double square = 0.0;
    for (int a = 0; a < 3; a++) square += pow(position[3 * j + 3 + a] - position[3 * j + a], 2.0);
    rest[j] = sqrt(square) / 1.02;
  }
  rod.radius = THIN, rod.position = position, rod.rest_length = rest;
  elastica_rod *out = NULL;
  const elastica_status status = elastica_world_add_rod(world, &rod, &out);
  return status == ELASTICA_OK ? hold(world, out) : status;
}

/* A yarn: fibres in contact with their neighbours along their whole length. Their axes are the points of a hexagonal lattice closest to
 * the axis of the yarn. */
elastica_status bench_fill_yarn(elastica_world *world, int elements, double *dt) {
  enum { REACH = 20 };
  const int fibres = elements / PER_FIBRE;
  const double between = 1.97 * THIN; /* the tension of the helices makes them 1 % thinner */
  elastica_status status = ELASTICA_OK;
  (void)dt;
  for (int square = 0, laid = 0; laid < fibres && square <= REACH * REACH && status == ELASTICA_OK; square++)
    for (int u = -REACH; u <= REACH; u++)
      for (int v = -REACH; v <= REACH; v++) {
        if (u * u + u * v + v * v != square || laid == fibres || status != ELASTICA_OK) continue;
        status = add_helix(world, between * (u + 0.5 * v), between * sqrt(0.75) * v);
        laid++;
      }
  return status == ELASTICA_OK ? add_contact(world) : status;
}
