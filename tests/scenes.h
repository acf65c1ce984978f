/* Scenes whose bits are stored: they are equal on every instruction set, compiler and optimisation level. One scene has the default law
 * of a world, the others have that of the papers; varied_scenes.h has more.
 *
 * The scenes are built with arithmetic and square roots only, so that the bits depend on the library alone. After an intended change of
 * the bits, sh tests/consumers/bits.sh --store cc -O2 updates the numbers here and in varied_scenes.h.
 */
#ifndef TESTS_SCENES_H
#define TESTS_SCENES_H

#include "support.h"

typedef struct scene {
  const char *name;
  void (*fill)(elastica_world *world);
  int by_default; /* 1: the default law and couple of a world; 0: those of the papers */
  double dt;
  long steps;
  uint64_t hash; /* of the world after its steps */
} scene;

/* A free rod of 50 elements, bent, tapered and tumbling. */
static inline void fill_tumbling(elastica_world *world) {
  sample_rod sample;
  sample_recipe recipe = usual_recipe();
  recipe.bend = 0.5;
  recipe.spin = 20.0;
  make_sample(&sample, 50, 1, &recipe);
  add_sample(world, &sample);
}

/* A cantilever with dissipation, gravity and a force and couple that grow at its tip. */
static inline void fill_cantilever(elastica_world *world) {
  const double gravity[3] = {0.0, 1.5, -9.81};
  elastica_rod *rod = add_straight_rod(world, 40, 1.0, 0.02, 1000.0, 1e6, 1e6 / 3.0);
  DEFAULTS(boundary, clamp);
  DEFAULTS(point_load, load);
  DEFAULTS(dissipation, dissipation);
  load.force[0] = 0.5, load.force[1] = 0.25;
  load.couple[2] = 0.01;
  load.ramp_time = 0.05;
  dissipation.translation = 0.5;
  dissipation.rotation = 1e-4;
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
}

/* A hexagon of 6 elements in motion, with frames transported by the library. */
static inline void add_hexagon(elastica_world *world, random_source *source) {
  const double height = 0.1 * 0.86602540378443865;
  const double corner[6][2] = {{0.1, 0.0}, {0.05, height}, {-0.05, height}, {-0.1, 0.0}, {-0.05, -height}, {0.05, -height}};
  double position[18], velocity[18];
  for (int i = 0; i < 6; i++) {
    set_vector(position, i, corner[i][0], corner[i][1], 0.0);
    random_vector(source, 0.1, velocity + 3 * i);
  }
  DEFAULTS(rod, def);
  def.element_count = 6;
  def.closed = 1;
  def.position = position;
  def.velocity = velocity;
  def.normal[0] = 0.0, def.normal[1] = 0.0, def.normal[2] = 1.0;
  def.radius = 0.01;
  def.density = 1000.0;
  def.youngs_modulus = 1e5;
  must(world, elastica_world_add_rod(world, &def, NULL));
}

/* 40 rods of 1 to 20 elements, two rings among them, with dissipation for all and a pin on every fifth. */
static inline void fill_small_rods(elastica_world *world) {
  random_source source = {99};
  const sample_recipe recipe = usual_recipe();
  for (int k = 0; k < 40; k++) {
    if (k == 13 || k == 27) {
      add_hexagon(world, &source);
      continue;
    }
    sample_rod sample;
    const int n = random_integer(&source, 1, 20);
    make_sample(&sample, n, random_bits(&source), &recipe);
    elastica_rod *rod = add_sample(world, &sample);
    if (k % 5 == 0) {
      DEFAULTS(boundary, pin);
      pin.kind = ELASTICA_BOUNDARY_PIN;
      pin.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Z;
      must(world, elastica_add_boundary(world, rod, &pin, NULL));
    }
  }
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = 0.3;
  dissipation.rotation = 1e-3;
  for (int k = 0; k < 40; k++) must(world, elastica_add_dissipation(world, elastica_world_rod(world, k), &dissipation, NULL));
}

/* A snake: muscles, a wall with anisotropic friction, gravity, dissipation. */
static inline void lay_snake(elastica_world *world, elastica_balance balance) {
  const double gravity[3] = {0.0, 0.0, -9.81}, control[6] = {0.0, 17.4, 48.5, 5.4, 14.7, 0.0};
  elastica_rod_def def = lying_rod_def(30);
  elastica_rod *rod = NULL;
  DEFAULTS(muscle, muscle);
  DEFAULTS(obstacle, wall);
  DEFAULTS(dissipation, dissipation);
  def.normal[0] = 0.0, def.normal[1] = 0.0, def.normal[2] = 1.0;
  def.density = 1000.0;
  def.youngs_modulus = 1e7;
  muscle.control = control;
  muscle.control_count = 6;
  muscle.period = 1.0;
  muscle.wavenumber = 6.5;
  wall.stiffness = 1.0;
  wall.slip_velocity = 1e-4;
  wall.balance = balance;
  for (int a = 0; a < 3; a++) wall.kinetic_friction[a] = 1.0 + 0.5 * a, wall.static_friction[a] = 2.0 + a;
  dissipation.translation = dissipation.rotation = 5.0;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_add_muscle(world, rod, &muscle, NULL));
  must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
  must(world, elastica_add_obstacle(world, rod, &wall, NULL));
}

static inline void fill_snake(elastica_world *world) {
  lay_snake(world, ELASTICA_BALANCE_ELEMENTS);
}

static inline void fill_balanced_snake(elastica_world *world) {
  lay_snake(world, ELASTICA_BALANCE_NODES);
}

/* A swimming filament: muscles and slender-body drag in both its forms, and a cylinder in its way. */
static inline void fill_swimmers(elastica_world *world) {
  const double control[6] = {0.0, 5.0, 5.0, 5.0, 5.0, 0.0};
  for (int k = 0; k < 2; k++) {
    elastica_rod *rod = add_straight_rod(world, 25 + k, 1.0, 0.025, 1000.0, 1e6, 1e6 / 3.0);
    DEFAULTS(muscle, muscle);
    DEFAULTS(drag, drag);
    DEFAULTS(contraction, contraction);
    muscle.control = control;
    muscle.control_count = 6;
    muscle.period = 1.0;
    muscle.wavenumber = 16.0;
    drag.kind = (elastica_drag_kind)k;
    drag.viscosity = 10.0;
    contraction.maximum_force = 0.5;
    must(world, elastica_add_muscle(world, rod, &muscle, NULL));
    must(world, elastica_add_drag(world, rod, &drag, NULL));
    must(world, elastica_add_contraction(world, rod, &contraction, NULL));
  }
}

/* A hairpin with legs that overlap at the start and repel each other. */
static inline void fill_hairpin(elastica_world *world) {
  enum { LEG = 15, NODES = 2 * LEG + 2 };
  double position[3 * NODES];
  elastica_rod *rod = NULL;
  for (int i = 0; i < NODES; i++) {
    const int back = i > LEG;
    set_vector(position, i, back ? 0.039 : 0.0, 0.001 * i, 0.04 * (back ? NODES - 1 - i : i));
  }
  DEFAULTS(rod, def);
  DEFAULTS(contact, contact);
  def.element_count = NODES - 1;
  def.position = position;
  def.radius = 0.02;
  def.density = 1000.0;
  def.youngs_modulus = 1e5;
  def.rest = ELASTICA_REST_INITIAL;
  contact.modulus = 4e4;
  contact.damping = 4.0;
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_contact(world, rod, &contact, NULL));
}

/* A log, rolled by a couple along an inclined plane, and a log pushed along a plane with unequal friction. */
static inline void fill_logs(elastica_world *world) {
  const double gravity[3] = {0.0, 3.0, -9.0};
  must(world, elastica_add_gravity(world, gravity, NULL));
  for (int k = 0; k < 2; k++) {
    elastica_rod_def def = lying_rod_def(12);
    elastica_rod *rod = NULL;
    DEFAULTS(obstacle, wall);
    wall.balance = ELASTICA_BALANCE_ELEMENTS;
    DEFAULTS(point_load, load);
    def.start[1] = k;
    def.density = 500.0;
    def.youngs_modulus = 1e7;
    wall.stiffness = 10.0;
    wall.damping = 1e-4;
    wall.slip_velocity = 1e-4;
    for (int a = 0; a < 3; a++)
      wall.static_friction[a] = k == 0 ? 0.4 : 0.8 / (1 + a), wall.kinetic_friction[a] = 0.5 * wall.static_friction[a];
    if (k == 0)
      load.couple[2] = 0.05;
    else
      load.force[0] = -9.0;
    must(world, elastica_world_add_rod(world, &def, &rod));
    must(world, elastica_add_point_load(world, rod, &load, NULL));
    must(world, elastica_add_obstacle(world, rod, &wall, NULL));
  }
}

/* The far clamp of the twisted rod turns about z by 2 atan(u), u = 4 t: a rational function, so that the bits do not depend on a libm. */
static inline elastica_status twist_about_z(void *user, double time, double position[3], double velocity[3], double director[9],
                                            double omega[3]) {
  const double u = 4.0 * time, norm = 1.0 + u * u, c = (1.0 - u * u) / norm, s = 2.0 * u / norm;
  const double frame[9] = {c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0};
  (void)user, (void)position, (void)velocity;
  memcpy(director, frame, sizeof frame);
  omega[2] = 2.0 * 4.0 / norm;
  return ELASTICA_OK;
}

/* A pulled and twisted rod with self-contact between two clamps: the start of a plectoneme. */
static inline void fill_twisted(elastica_world *world) {
  elastica_rod *rod = add_straight_rod(world, 30, 1.0, 0.025, 500.0, 1e6, 2e6 / 3.0);
  DEFAULTS(boundary, clamp);
  DEFAULTS(point_load, pull);
  DEFAULTS(contact, contact);
  DEFAULTS(dissipation, dissipation);
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  clamp.node = -1;
  clamp.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
  clamp.motion = twist_about_z;
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  pull.force[2] = 300.0;
  contact.modulus = 9e5;
  contact.damping = 90.0;
  dissipation.translation = dissipation.rotation = 0.1;
  must(world, elastica_add_point_load(world, rod, &pull, NULL));
  must(world, elastica_add_contact(world, rod, &contact, NULL));
  must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
}

enum { SCENE_COUNT = 10 };

static const scene scenes[SCENE_COUNT] = {
    {"tumbling", fill_tumbling, 0, 0x1p-13, 1000, UINT64_C(0x36ff802f90ed4422)},
    {"tumbling_by_default", fill_tumbling, 1, 0x1p-13, 1000, UINT64_C(0xea5c78c7086a66a5)},
    {"cantilever", fill_cantilever, 0, 0x1p-13, 1000, UINT64_C(0x64d6cdef93d256be)},
    {"small_rods", fill_small_rods, 0, 0x1p-13, 500, UINT64_C(0xfce9eebdfd0e6988)},
    {"snake", fill_snake, 0, 0x1p-15, 1000, UINT64_C(0xa7f14ec382c6f6f1)},
    {"balanced_snake", fill_balanced_snake, 0, 0x1p-15, 1000, UINT64_C(0x97518ee4d8e9ad88)},
    {"swimmers", fill_swimmers, 0, 0x1p-14, 1000, UINT64_C(0x0d5c1284c832dd57)},
    {"logs", fill_logs, 0, 0x1p-17, 1000, UINT64_C(0x37c9bdccc8575bff)},
    {"twisted", fill_twisted, 0, 0x1p-14, 2000, UINT64_C(0xc0d72cb1adb48b55)},
    {"hairpin", fill_hairpin, 0, 0x1p-14, 1000, UINT64_C(0xa49eb74403c817fd)},
};

static inline elastica_world *make_world_of_scene(const scene *s) {
  const elastica_world_def def = s->by_default ? default_world() : papers_world();
  elastica_world *world = make_world(&def);
  s->fill(world);
  return world;
}

/* ---- A search ------------------------------------------------------------------------------------------------------------------------ */

typedef struct search_scene {
  const char *name;
  long generations;
  uint64_t hash; /* of its state after the generations */
} search_scene;

static const search_scene search_scenes[1] = {
    {"search", 400, UINT64_C(0xff7ae950c244cceb)},
};

/* Rosenbrock's function, computed by products and sums alone. */
static inline double fitness_in_valley(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i + 1 < n; i++) {
    const double a = x[i + 1] - x[i] * x[i], b = 1.0 - x[i];
    sum += 100.0 * a * a + b * b;
  }
  return sum;
}

/* A search between bounds, with failed evaluations and a restart. */
static inline uint64_t hash_search(const search_scene *s) {
  enum { N = 6, ROOM = 40 };
  static const double lower[N] = {-2, -2, -2, -2, -2, -2}, upper[N] = {2, 0.5, 2, 2, 2, 2};
  double x[N * ROOM], fitness[ROOM];
  elastica_cmaes *search = NULL;
  elastica_cmaes_info info;
  size_t size = 0;
  uint64_t hash = hash_start();
  DEFAULTS(cmaes, def);
  def.dimension = N;
  def.step = 0.5;
  def.lower = lower;
  def.upper = upper;
  def.restart_limit = 1;
  def.generation_limit = s->generations;
  assert_int_equal(elastica_cmaes_create(&def, &search), ELASTICA_OK);
  for (;;) {
    assert_int_equal(elastica_cmaes_get(search, &info), ELASTICA_OK);
    if (info.stop) break;
    assert_int_equal(elastica_cmaes_ask(search, x, N * ROOM), ELASTICA_OK);
    for (int k = 0; k < info.population; k++) fitness[k] = x[N * k] < -1.0 ? (double)INFINITY : fitness_in_valley(x + N * k, N);
    assert_int_equal(elastica_cmaes_tell(search, fitness), ELASTICA_OK);
  }
  assert_int_equal(elastica_cmaes_save(search, NULL, 0, &size), ELASTICA_OK);
  unsigned char *bytes = malloc(size);
  assert_non_null(bytes);
  assert_int_equal(elastica_cmaes_save(search, bytes, size, NULL), ELASTICA_OK);
  for (size_t k = 0; k < size; k++) hash = (hash ^ bytes[k]) * UINT64_C(0x100000001b3);
  elastica_cmaes_destroy(search);
  free(bytes);
  return hash;
}

#endif
