/* Claims about the step limit of contact of elements much shorter than the radius: it is not longer than the true limit, and its memory
 * is proportional to the number of elements, not of pairs.
 */
#include "base/target.h"

#include "support.h"

#include "kicked.h"

static const double radius = 0.01, modulus = 1e6;

enum { RODS = 2, MOST = 450 };
enum { SIDE_BY_SIDE, CROSSING, HOLLOW, KINDS };

/* Two rods so soft that contact bounds the step. */
typedef struct chains {
  elastica_world *world;
  elastica_rod *rod[RODS];
  int nodes; /* of each */
  double position[RODS][3 * MOST];
} chains;

/* The first chain is straight. The second has a distance from it: parallel, crossing at an angle, or bent about it. Nodes are shifted by
 * a small part of the length of an element. */
static void shape(chains *of, int kind, double ratio, double deep, double noise, random_source *source) {
  const double l = ratio * radius, distance = 2.0 * radius * (1.0 - deep), angle = random_between(source, 0.2, 1.5),
               bend = random_between(source, 0.6, 1.6) * distance, shift = random_between(source, 0.0, l);
  for (int i = 0; i < of->nodes; i++) {
    const double s = l * (i - 0.5 * (of->nodes - 1));
    double *one = &of->position[0][3 * i], *other = &of->position[1][3 * i];
    one[0] = s, one[1] = 0.0, one[2] = 0.0;
    other[0] = kind == SIDE_BY_SIDE ? s + shift : kind == CROSSING ? s * cos(angle) : bend * sin(s / bend);
    other[1] = kind == CROSSING ? s * sin(angle) : 0.0;
    other[2] = kind == HOLLOW ? distance - bend * (1.0 - cos(s / bend)) : distance;
    for (int a = 0; a < 3; a++) {
      one[a] += random_between(source, -noise * l, noise * l);
      other[a] += random_between(source, -noise * l, noise * l);
    }
  }
}

static void make_chains(chains *of, int kind, double ratio, double deep, double noise, int number) {
  random_source source = {(uint64_t)number + 1};
  double thickness[MOST];
  of->world = make_world(NULL);
  of->nodes = 1 + (int)(3.0 / ratio);
  if (of->nodes > MOST) of->nodes = MOST;
  shape(of, kind, ratio, deep, noise, &source);
  const double taper = number % 3 == 0 ? random_between(&source, 0.0, 0.3) : 0.0;
  for (int r = 0; r < RODS; r++) {
    DEFAULTS(rod, def);
    for (int j = 0; j + 1 < of->nodes; j++) thickness[j] = radius * (1.0 - taper * j / of->nodes);
    def.element_count = of->nodes - 1, def.position = of->position[r], def.radius = radius, def.element_radius = thickness;
    def.density = 1000.0, def.youngs_modulus = 1e3;
    must(of->world, elastica_world_add_rod(of->world, &def, &of->rod[r]));
  }
  DEFAULTS(contact, contact);
  contact.modulus = modulus;
  contact.self = 0;
  must(of->world, elastica_add_contact(of->world, NULL, &contact, NULL));
}

/* Accelerations of all nodes at rest, displaced by size times these vectors. */
static void accelerate(const chains *of, double size, double displacement[RODS][3 * MOST], double out[RODS][3 * MOST]) {
  static const double still[3 * MOST] = {0.0};
  const double dt = 0x1p-30;
  for (int r = 0; r < RODS; r++) {
    double position[3 * MOST];
    for (int i = 0; i < 3 * of->nodes; i++) position[i] = of->position[r][i] + size * displacement[r][i];
    must(of->world, elastica_rod_set_state(of->rod[r], position, still, NULL, still));
  }
  must(of->world, kick_world(of->world, dt));
  for (int r = 0; r < RODS; r++) {
    const elastica_rod_view *view = elastica_rod_get_view(of->rod[r]);
    for (int i = 0; i < of->nodes; i++)
      for (int a = 0; a < 3; a++) out[r][3 * i + a] = view->velocity[a][i] / dt;
  }
}

/* sum m u . v */
static double product(const chains *of, double u[RODS][3 * MOST], double v[RODS][3 * MOST]) {
  double sum = 0.0;
  for (int r = 0; r < RODS; r++)
    for (int i = 0; i < 3 * of->nodes; i++) sum += elastica_rod_get_view(of->rod[r])->mass[i / 3] * u[r][i] * v[r][i];
  return sum;
}

/* [1/s^2] Lower bound of the largest eigenvalue of the inverse mass times the stiffness; the iteration comes close to it. */
static double largest_square(const chains *of, int iterations) {
  static double u[RODS][3 * MOST], forward[RODS][3 * MOST], back[RODS][3 * MOST];
  random_source source = {77};
  double largest = 0.0;
  for (int r = 0; r < RODS; r++)
    for (int i = 0; i < 3 * of->nodes; i++) u[r][i] = random_between(&source, -1.0, 1.0);
  for (int k = 0; k < iterations; k++) {
    double most = 0.0;
    for (int r = 0; r < RODS; r++)
      for (int i = 0; i < 3 * of->nodes; i++) most = fmax(most, fabs(u[r][i]));
    for (int r = 0; r < RODS; r++)
      for (int i = 0; i < 3 * of->nodes; i++) u[r][i] /= most;
    const double size = 1e-6 * radius;
    accelerate(of, size, u, forward);
    accelerate(of, -size, u, back);
    for (int r = 0; r < RODS; r++)
      for (int i = 0; i < 3 * of->nodes; i++) forward[r][i] = (back[r][i] - forward[r][i]) / (2.0 * size);
    largest = fmax(largest, product(of, u, forward) / product(of, u, u));
    for (int r = 0; r < RODS; r++)
      for (int i = 0; i < 3 * of->nodes; i++) u[r][i] = forward[r][i];
  }
  return largest;
}

TEST(the_limit_of_short_elements_is_safe) {
  static chains of;
  for (int number = 0; number < 36; number++) {
    const int kind = number % KINDS;
    random_source source = {(uint64_t)number + 100};
    const double ratio = number < 30 ? random_between(&source, 0.03, 0.15) : 0.015, deep = random_between(&source, 0.001, 0.12),
                 noise = number % 4 == 0   ? 0.0
                         : number % 4 == 1 ? 0.001
                                           : 0.03;
    elastica_step_limit limit;
    make_chains(&of, kind, ratio, deep, noise, number);
    must(of.world, elastica_world_step_limit(of.world, &limit));
    const double share = 0.5 * limit.dt * sqrt(largest_square(&of, 25));
    if (!(share < 1.0)) fail_msg("scene %d: the limit, %g s, is %g of the true one", number, limit.dt, share);
    elastica_world_destroy(of.world);
  }
}

/* Two chains with a gap have the limit of the rods alone. */
TEST(short_elements_apart_add_nothing) {
  static chains of;
  elastica_step_limit limit[2];
  for (int near = 0; near < 2; near++) {
    make_chains(&of, SIDE_BY_SIDE, 0.05, near ? 0.0 : -0.05, 0.0, 1);
    must(of.world, elastica_world_step_limit(of.world, &limit[near]));
    elastica_world_destroy(of.world);
  }
  assert_true(limit[0].mode != ELASTICA_MODE_EFFECT && limit[1].mode == ELASTICA_MODE_EFFECT);
  assert_true(limit[1].dt < limit[0].dt);
}

/* ---- Memory ---- */

static void *take_counted(void *user, size_t size) {
  *(size_t *)user += size;
  return malloc(size);
}

static void give_back(void *user, void *block) {
  (void)user;
  free(block);
}

/* Parallel rods; some move towards others. Each element has some 250 elements of a neighbour in reach. */
TEST(the_limit_takes_memory_by_the_element) {
  enum { ROWS = 8, ELEMENTS = 8194 };
  size_t taken = 0;
  elastica_world_def def = default_world();
  elastica_step_limit limit;
  def.allocate = take_counted, def.release = give_back, def.allocator_user = &taken;
  elastica_world *world = make_world(&def);
  double *velocity = calloc(3 * (ELEMENTS + 1), sizeof *velocity);
  assert_non_null(velocity);
  for (int r = 0; r < ROWS; r++) {
    DEFAULTS(rod, rod);
    for (int i = 0; i <= ELEMENTS; i++) velocity[3 * i + 1] = r % 2 ? -0.1 : 0.1;
    rod.element_count = ELEMENTS, rod.length = 0.01 * radius * ELEMENTS, rod.radius = radius, rod.density = 1000.0;
    rod.youngs_modulus = 1e6, rod.start[1] = 2.0 * radius * r, rod.direction[0] = 1.0, rod.direction[2] = 0.0;
    rod.velocity = velocity;
    must(world, elastica_world_add_rod(world, &rod, NULL));
  }
  DEFAULTS(contact, contact);
  contact.modulus = 1e5;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  must(world, elastica_world_step_limit(world, &limit));
  if (!(taken < (size_t)4000 * ROWS * ELEMENTS)) fail_msg("%zu bytes", taken);
  assert_true(limit.dt > 9e-7); /* bounds that count each contact line as a whole would give 5e-7 */
  elastica_world_destroy(world);
  free(velocity);
}

/* A rod is bent more sharply than its own radius, so that only elements nearer than the skipped length touch, with reduced radii. These
 * count for the limit, too: without them, one step at the limit multiplied the energy by 7,000. */
TEST(a_fold_counts) {
  enum { FOLD = 53 }; /* elements; 20 of them are as long as a radius */
  double position[3 * (FOLD + 1)];
  elastica_step_limit alone, limit;
  elastica_totals energy;
  elastica_world *world = make_world(NULL);
  for (int i = 0; i <= FOLD; i++) {
    const double t = 2.0 * acos(-1.0) * 0.53 * i / FOLD;
    position[3 * i] = 0.75 * radius * cos(t), position[3 * i + 1] = 0.75 * radius * sin(t), position[3 * i + 2] = 0.3 * radius * t;
  }
  DEFAULTS(rod, def);
  def.element_count = FOLD, def.position = position, def.rest = ELASTICA_REST_INITIAL;
  def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e5;
  must(world, elastica_world_add_rod(world, &def, NULL));
  must(world, elastica_world_step_limit(world, &alone));
  DEFAULTS(contact, contact);
  contact.modulus = 1e8;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  must(world, elastica_world_step_limit(world, &limit));
  assert_true(limit.dt < 0.05 * alone.dt);
  must(world, elastica_world_get_totals(world, &energy));
  const double before = energy.effects;
  assert_true(before > 0.0);
  for (int k = 0; k < 100; k++) {
    must(world, elastica_world_step_limit(world, &limit));
    must(world, elastica_world_step(world, 0.97 * limit.dt, 1));
  }
  must(world, elastica_world_get_totals(world, &energy));
  assert_true(energy.translation + energy.rotation + energy.bending + energy.shear + energy.effects < 1.25 * before);
  elastica_world_destroy(world);
}
