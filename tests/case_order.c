/* Second order in time: each halving of the step reduces the error to a quarter, for free rods, with fixed and moving clamps, and with
 * dissipation.
 */
#include "support.h"

typedef struct scene {
  elastica_law law;
  int exact_couple, explicit_couples;
  int ring;
  double flatness;
  int clamped; /* 1: at the first end */
  elastica_boundary_kind kind;
  elastica_motion motion;
  double translation, rotation; /* dissipation */
  int loaded;                   /* 1: gravity, and a force on the last node that grows with time */
} scene;

enum { HALVINGS = 5 };

/* ---- Prescribed motions and loads ---------------------------------------------------------------------------------------------------- */

static double shaking = 60.0; /* [rad/s] of the wall */

static elastica_status growing_force(void *user, double time, double force[3], double couple[3]) {
  (void)user;
  (void)couple;
  force[0] = 60.0 * time;
  force[1] = 2.0 * sin(40.0 * time);
  return ELASTICA_OK;
}

/* ---- Runs ---------------------------------------------------------------------------------------------------------------------------- */

static void add_everything(elastica_world *world, elastica_rod *rod, const scene *s) {
  const double gravity[3] = {1.0, 2.5, -9.0};
  if (s->clamped) {
    DEFAULTS(boundary, clamp);
    clamp.kind = s->kind;
    clamp.motion = s->motion;
    clamp.user = &shaking;
    must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  }
  if (s->loaded) {
    DEFAULTS(point_load, load);
    load.function = growing_force;
    must(world, elastica_add_gravity(world, gravity, NULL));
    must(world, elastica_add_point_load(world, rod, &load, NULL));
  }
  if (s->translation > 0.0) {
    DEFAULTS(dissipation, dissipation);
    dissipation.translation = s->translation;
    dissipation.rotation = s->rotation;
    must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
  }
}

/* Computes the state after 0.04 s in this number of steps. */
static void run(const scene *s, long steps, rod_state *end) {
  elastica_world_def def = default_world();
  sample_rod sample;
  sample_recipe recipe = usual_recipe();
  recipe.unevenness = 0.1;
  def.law = s->law;
  def.exact_couple = s->exact_couple;
  def.explicit_couples = s->explicit_couples;
  elastica_world *world = make_world(&def);
  if (s->ring)
    make_sample_ring(&sample, 9, 11);
  else
    make_sample(&sample, 8, 11, &recipe);
  sample.flatness = s->flatness;
  if (s->clamped) { /* the rod starts at rest at the clamp, like the wall */
    for (int i = 0; i < 3 * SAMPLE_NODES; i++) sample.velocity[i] *= (i / 3) / 8.0;
    for (int i = 0; i < 3 * SAMPLE_ELEMENTS; i++) sample.omega[i] *= (i / 3) / 8.0;
  }
  elastica_rod *rod = add_sample(world, &sample);
  add_everything(world, rod, s);
  must(world, elastica_world_step(world, 0.04 / (double)steps, steps));
  read_state(rod, end);
  elastica_world_destroy(world);
}

static double distance(const double *a, const double *b, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* Orders in position, director, velocity and omega from the differences of six runs; the step is halved from run to run. */
static void assert_order(const scene *s, long coarsest, double order, double tolerance) {
  static rod_state end[HALVINGS + 1];
  double difference[HALVINGS][4];
  for (int k = 0; k <= HALVINGS; k++) run(s, coarsest << k, &end[k]);
  for (int k = 0; k < HALVINGS; k++) {
    difference[k][0] = distance(end[k].position, end[k + 1].position, 3 * SAMPLE_NODES);
    difference[k][1] = distance(end[k].director, end[k + 1].director, 9 * SAMPLE_ELEMENTS);
    difference[k][2] = distance(end[k].velocity, end[k + 1].velocity, 3 * SAMPLE_NODES);
    difference[k][3] = distance(end[k].omega, end[k + 1].omega, 3 * SAMPLE_ELEMENTS);
  }
  for (int k = 0; k + 1 < HALVINGS; k++) {
    for (int q = 0; q < 4; q++) {
      const double measured = log(difference[k][q] / difference[k + 1][q]) / log(2.0);
      assert_between(measured, order - tolerance, order + tolerance);
    }
  }
}

/* ---- Claims -------------------------------------------------------------------------------------------------------------------------- */

TEST(free_rod_is_of_second_order) {
  for (int law = 0; law <= 1; law++) {
    for (int exact = 0; exact <= 1; exact++) {
      const scene s = {.law = (elastica_law)law, .exact_couple = exact};
      assert_order(&s, 200, 2.0, 0.1);
    }
  }
}

TEST(ring_is_of_second_order) {
  const scene s = {.ring = 1};
  assert_order(&s, 200, 2.0, 0.1);
}

/* Their velocity-dependent couples have no closed form at the midpoint. */
TEST(flat_sections_are_of_second_order) {
  for (int law = 0; law <= 1; law++) {
    const scene s = {.law = (elastica_law)law, .flatness = 3.0, .translation = 0.5, .rotation = 0.02};
    assert_order(&s, 200, 2.0, 0.1);
  }
}

TEST(loads_keep_second_order) {
  const scene s = {.loaded = 1};
  assert_order(&s, 200, 2.0, 0.1);
}

TEST(half_cell_clamp_keeps_second_order) {
  const scene s = {.clamped = 1, .kind = ELASTICA_BOUNDARY_CLAMP, .loaded = 1};
  assert_order(&s, 200, 2.0, 0.1);
}

TEST(frame_clamp_keeps_second_order) {
  const scene s = {.clamped = 1, .kind = ELASTICA_BOUNDARY_FRAME, .loaded = 1};
  assert_order(&s, 200, 2.0, 0.1);
}

TEST(driven_half_cell_clamp_keeps_second_order) {
  const scene s = {.clamped = 1, .kind = ELASTICA_BOUNDARY_CLAMP, .motion = shake_wall};
  assert_order(&s, 200, 2.0, 0.1);
}

TEST(driven_frame_clamp_keeps_second_order) {
  const scene s = {.clamped = 1, .kind = ELASTICA_BOUNDARY_FRAME, .motion = shake_wall};
  assert_order(&s, 200, 2.0, 0.1);
}

/* Rates c with c dt/m from well below 1 to about 1: the times of motion of the rods are not long compared with m/c. */
TEST(dissipation_keeps_second_order) {
  for (int clamped = 0; clamped <= 1; clamped++) {
    const scene weak = {.clamped = clamped, .translation = 0.5, .rotation = 0.02, .loaded = 1};
    const scene strong = {.clamped = clamped, .translation = 200.0, .rotation = 0.3, .loaded = 1};
    assert_order(&weak, 200, 2.0, 0.1);
    assert_order(&strong, 200, 2.0, 0.1);
  }
}

TEST(couples_at_old_velocities_are_of_first_order) {
  const scene s = {.law = ELASTICA_LAW_CLASSICAL, .explicit_couples = 1};
  assert_order(&s, 6400, 1.0, 0.1);
}
