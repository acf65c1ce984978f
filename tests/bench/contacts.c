/* Scenes of rods that touch each other. */
#include "scenes.h"

#include <stdint.h>

enum { PER_FIBRE = 30 };

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

/* Two rods press each other where they cross. */
elastica_status bench_fill_crossing(elastica_world *world, int elements, double *dt) {
  elastica_status status = ELASTICA_OK;
  (void)dt;
  for (int r = 0; r < 2 && status == ELASTICA_OK; r++) {
    elastica_rod_def rod = fibre(elements / 2);
    rod.direction[2] = 0.0, rod.direction[r] = 1.0;
    rod.start[r] = -0.503, rod.start[2] = 0.0398 * r;
    status = elastica_world_add_rod(world, &rod, NULL);
  }
  return status == ELASTICA_OK ? add_contact(world) : status;
}

/* 0..1, the same everywhere. */
static double next(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) * 0x1p-53;
}

/* Fibres in any direction, a tenth of the room full: the same number touch each, however many there are. */
elastica_status bench_fill_pack(elastica_world *world, int elements, double *dt) {
  const int fibres = elements / PER_FIBRE;
  elastica_status status = ELASTICA_OK;
  uint64_t state = 7;
  double edge = 0.0;
  *dt = 2e-5;                                                /* they start on top of each other, and part: the limit changes */
  while (edge * edge * edge < 0.0126 * fibres) edge += 1e-3; /* ten times the volume of a fibre for each */
  for (int r = 0; r < fibres && status == ELASTICA_OK; r++) {
    elastica_rod_def rod = fibre(PER_FIBRE);
    for (int a = 0; a < 3; a++) rod.direction[a] = next(&state) - 0.5;
    for (int a = 0; a < 3; a++) rod.start[a] = edge * next(&state) - rod.direction[a];
    status = elastica_world_add_rod(world, &rod, NULL);
  }
  return status == ELASTICA_OK ? add_contact(world) : status;
}
