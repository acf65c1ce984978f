/* Random scenes in which undamped soft rods and balls bounce: on planes, on a held rod, and a ball on a soft rod. The library chooses
 * the steps, and calls have any duration. Energy stays within 1 % of the largest kinetic energy.
 */
#include "bodies.h"
#include "obstacles.h"

#ifdef TESTS_WHOLE
enum { SCENES = 100 };
#else
enum { SCENES = 20 };
#endif

static double spread(random_source *source, double low, double high) {
  return low * pow(high / low, random_between(source, 0.0, 1.0));
}

static void pin_node(elastica_world *world, elastica_rod *rod, int node, int element) {
  DEFAULTS(boundary, pin);
  pin.node = node;
  pin.kind = element >= 0 ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_PIN;
  if (element >= 0) pin.element = element;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
}

static void add_contact_of(elastica_world *world, double modulus) {
  DEFAULTS(contact, contact);
  contact.modulus = modulus;
  contact.self = 0;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
}

static void add_ball_at(elastica_world *world, double radius, double density, double x, double z) {
  elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
  def.radius = radius, def.density = density;
  set_vector(def.position, 0, x, 0, z);
  must(world, elastica_world_add_body(world, &def, NULL));
}

enum { PINNED_AT_A_PLANE, FALLS_ON_A_PLANE, FALLS_ON_A_ROD, BALL_ON_A_PLANE, BALL_ON_A_ROD, KINDS };

static elastica_world *make_scene(int kind, random_source *source) {
  const double radius = spread(source, 0.003, 0.03), length = radius * spread(source, 12.0, 60.0), modulus = spread(source, 3e5, 3e7);
  const double ratio = spread(source, 1.0, 1e4), tilt = random_between(source, -0.15, 0.15), top = 1.05 * length;
  const double start[3] = {0.0, 0.0, top}, along[3] = {1.0, tilt, random_between(source, -0.15, 0.15)}, weight[3] = {0.0, 0.0, -g};
  const int n = random_integer(source, 8, 30);
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_stick(world, n, start, along, length, radius, modulus);
  elastica_obstacle_def plane = obstacle_of(ELASTICA_SHAPE_PLANE, ratio * modulus);
  must(world, elastica_add_gravity(world, weight, NULL));
  switch (kind) {
  case PINNED_AT_A_PLANE:
    pin_node(world, rod, 0, -1);
    set_vector(plane.normal, 0, 1, 0, 0);
    set_vector(plane.position, 0, -2.5 * radius - 0.05 * length, 0, 0);
    add_obstacle_to(world, &plane);
    break;
  case FALLS_ON_A_PLANE:
    set_vector(plane.normal, 0, tilt, 0, 1);
    set_vector(plane.position, 0, 0, 0, 0.7 * length - 2.0 * radius);
    add_obstacle_to(world, &plane);
    break;
  case FALLS_ON_A_ROD: {
    const double below[3] = {0.4 * length, -0.5 * length, 0.8 * length - 2.0 * radius}, across[3] = {0.0, 1.0, 0.0};
    elastica_rod *held = add_stick(world, 3, below, across, length, radius, 10.0 * modulus);
    for (int k = 0; k <= 3; k++) pin_node(world, held, k, k < 3 ? k : -1);
    add_contact_of(world, ratio * modulus);
    break;
  }
  case BALL_ON_A_PLANE: {
    plane.modulus = spread(source, 1e4, 1e8);
    add_obstacle_to(world, &plane);
    const double drop = spread(source, 0.002, 0.5), density = spread(source, 100.0, 8000.0);
    add_ball_at(world, 2.0 * radius, density, -3.0 * length, 2.0 * radius + drop);
    pin_node(world, rod, 0, -1);
    pin_node(world, rod, n, -1);
    break;
  }
  case BALL_ON_A_ROD:
  default:
    pin_node(world, rod, 0, -1);
    pin_node(world, rod, n, -1);
    add_ball_at(world, 2.0 * radius, spread(source, 100.0, 5000.0), 0.4 * length, top + 0.2 * length + 4.0 * radius);
    add_contact_of(world, 0.1 * ratio * modulus);
    break;
  }
  return world;
}

/* Notes the largest kinetic energy of a run; bits do not depend on a sampler. */
static elastica_status note_kinetic(void *user, elastica_world *world) {
  double *kinetic = user;
  elastica_totals e;
  must(world, elastica_world_get_totals(world, &e));
  *kinetic = fmax(*kinetic, e.translation + e.rotation);
  return ELASTICA_OK;
}

TEST(bounces_keep_the_energy) {
  static const double durations[] = {1.0, 0.25, 1.0 / 60.0, 0.005};
  for (int k = 0; k < SCENES; k++) {
    random_source source = {1000 + (uint64_t)k};
    elastica_world *world = make_scene(k % KINDS, &source);
    const double duration = durations[k / KINDS % 4];
    elastica_totals e;
    must(world, elastica_world_get_totals(world, &e));
    const double start = e.translation + e.rotation + e.bending + e.shear + e.effects;
    double kinetic = 0.0, worst = 0.0;
    elastica_sampler sampler;
    elastica_sampler_init(&sampler, sizeof sampler);
    sampler.sample = note_kinetic, sampler.user = &kinetic, sampler.interval = 0.01, sampler.needs_derived = 0;
    must(world, elastica_world_set_sampler(world, &sampler));
    for (double t = 0.0; t < 1.0 - 1e-9; t += duration) {
      must(world, elastica_world_advance(world, duration));
      must(world, elastica_world_get_totals(world, &e));
      worst = fmax(worst, fabs(e.translation + e.rotation + e.bending + e.shear + e.effects - start));
    }
    if (!(worst <= 0.01 * kinetic)) fail_msg("scene %d: %g of the kinetic energy", k, worst / kinetic);
    elastica_world_destroy(world);
  }
}
