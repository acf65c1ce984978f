/* The certified time step with springs and explicit rates of effects; and its attributes: rod, element, and mode or effect. */
#include "linearised.h"

enum { BOND_CAPACITY = 12 };

/* Springs between nodes and to the ground along all axes, a spring that holds frames at their present orientation, and explicit
 * dissipation. */
typedef struct bonds {
  int count;
  int from[BOND_CAPACITY], to[BOND_CAPACITY]; /* to: -1, the ground */
  double stiffness[BOND_CAPACITY];            /* [N/m] */
  double place[3 * SAMPLE_NODES];             /* rest positions of the springs */
  double node_rate[SAMPLE_NODES];             /* [kg/s] */
  double element_rate[SAMPLE_ELEMENTS];       /* [N m s] */
} bonds;

static elastica_status add_bond_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const bonds *b = self;
  (void)now;
  for (int a = 0; a < 3; a++) {
    for (int k = 0; k < b->count; k++) {
      const int i = b->from[k], other = b->to[k];
      double stretch = rod->position[a][i] - b->place[3 * i + a];
      if (other >= 0) stretch -= rod->position[a][other] - b->place[3 * other + a];
      loads->force[a][i] -= b->stiffness[k] * stretch;
      if (other >= 0) loads->force[a][other] += b->stiffness[k] * stretch;
    }
    for (int i = 0; i < rod->node_count; i++) loads->force[a][i] -= b->node_rate[i] * rod->velocity[a][i];
    for (int j = 0; j < rod->element_count; j++) loads->couple[a][j] -= b->element_rate[j] * rod->omega[a][j];
  }
  return ELASTICA_OK;
}

static elastica_status add_bond_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                          elastica_stiffness *stiffness) {
  const bonds *b = self;
  (void)now;
  for (int k = 0; k < b->count; k++) {
    const double share = b->to[k] >= 0 ? 2.0 * b->stiffness[k] : b->stiffness[k];
    stiffness->node[b->from[k]] += share;
    if (b->to[k] >= 0) stiffness->node[b->to[k]] += share;
  }
  for (int i = 0; i < rod->node_count; i++) stiffness->node_rate[i] += b->node_rate[i];
  for (int j = 0; j < rod->element_count; j++) stiffness->element_rate[j] += b->element_rate[j];
  return ELASTICA_OK;
}

static elastica_effect *add_bonds(elastica_world *world, elastica_rod *rod, const bonds *b) {
  elastica_effect *effect = NULL;
  elastica_module module = module_named("bonds");
  module.self = b;
  module.self_size = sizeof *b;
  module.add_loads = add_bond_loads;
  module.add_stiffness = add_bond_stiffness;
  must(world, elastica_world_add_module(world, rod, &module, &effect));
  return effect;
}

/* Bonds of about the stiffness and rates of the rod itself. */
static void make_random_bonds(bonds *b, const elastica_rod *rod, uint64_t seed, double springs, double rates) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const double scale = view->shear_stiffness[2][0] / view->rest_length[0];
  random_source source = {seed};
  memset(b, 0, sizeof *b);
  b->count = random_integer(&source, 1, BOND_CAPACITY);
  for (int k = 0; k < b->count; k++) {
    b->from[k] = random_integer(&source, 0, view->node_count - 1);
    b->to[k] = random_integer(&source, -1, view->node_count - 1);
    if (b->to[k] == b->from[k]) b->to[k] = -1;
    b->stiffness[k] = springs * scale * random_between(&source, 0.0, 1.0);
  }
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < view->node_count; i++) b->place[3 * i + a] = view->position[a][i];
  for (int i = 0; i < view->node_count; i++) b->node_rate[i] = rates * sqrt(scale * view->mass[i]) * random_between(&source, 0.0, 1.0);
  for (int j = 0; j < view->element_count; j++)
    b->element_rate[j] =
        rates * sqrt(view->shear_stiffness[0][j] * view->rest_length[j] * view->inertia[0][j]) * random_between(&source, 0.0, 1.0);
}

TEST(limit_is_safe_with_added_springs) {
  for (uint64_t seed = 0; seed < 60; seed++) {
    const sample_recipe recipe = usual_recipe();
    sample_rod sample;
    static bonds b;
    const double size[3] = {0.1, 2.0, 50.0};
    elastica_world *world = make_rest_world((int)(seed & 1), (int)(seed >> 1 & 1));
    make_sample(&sample, 1 + (int)(seed % 9), seed, &recipe);
    elastica_rod *rod = add_sample(world, &sample);
    make_random_bonds(&b, rod, seed, size[seed % 3], 0.0);
    add_bonds(world, rod, &b);
    assert_between(share_of_true_limit(rod), 0.02, 1.0 + ROUNDING);
    elastica_world_destroy(world);
  }
}

/* Largest entry of the 2^doublings-th power of the linear step: half a drift, a kick by -(K x + C v), half a drift, with velocities
 * measured in displacement per step. Bounded powers mean stability; C is diagonal. */
static double size_of_power(const linear_model *model, const double *rate, double dt, int doublings) {
  static double step[4 * 81 * 81], square[4 * 81 * 81];
  const int n = model->count, m = 2 * n;
  double log_scale = 0.0;
  assert_true(n <= 81);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const double unit = i == j ? 1.0 : 0.0, k = dt * dt * model->matrix[i * n + j], c = i == j ? dt * rate[i] : 0.0;
      const double vx = -k, vv = unit - 0.5 * k - c; /* v' = vx x + vv v */
      step[i * m + j] = unit + 0.5 * vx;
      step[i * m + n + j] = 0.5 * unit + 0.5 * vv;
      step[(n + i) * m + j] = vx;
      step[(n + i) * m + n + j] = vv;
    }
  }
  for (int d = 0; d < doublings; d++) {
    const double size = largest_entry(step, m * m);
    square_matrix(step, m, size, square);
    memcpy(step, square, (size_t)(m * m) * sizeof *step);
    log_scale = 2.0 * (log_scale + log(size));
  }
  return log_scale + log(largest_entry(step, m * m));
}

static double size_of_steps(elastica_rod *rod, const bonds *b, double dt) {
  static linear_model model;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double rate[LINEARISED_CAPACITY];
  linearise(rod, &model);
  for (int i = 0; i < model.count; i++)
    rate[i] =
        (i < 3 * view->node_count ? b->node_rate[i / 3] : b->element_rate[i / 3 - view->node_count]) / (model.root[i] * model.root[i]);
  return size_of_power(&model, rate, dt, 14);
}

/* Rods at rest can become unstable only by the step: 2^14 steps at the limit enlarge no disturbance by more than a steady motion does. */
TEST(limit_is_safe_with_explicit_rates) {
  int tight = 0;
  for (uint64_t seed = 0; seed < 24; seed++) {
    const double rates[3] = {0.05, 0.5, 5.0};
    static bonds b;
    elastica_world *world = make_rest_world(0, 0);
    random_source source = {seed};
    const int n = random_integer(&source, 1, 6);
    const double radius = random_between(&source, 0.02, 0.2), softness = random_between(&source, 0.05, 0.6);
    elastica_rod *rod = add_straight_rod(world, n, 0.1 * n, radius, 1000.0, 1e6, 1e6 * softness);
    make_random_bonds(&b, rod, seed, seed % 2 ? 0.5 : 0.0, rates[seed % 3]);
    add_bonds(world, rod, &b);
    const double dt = limit_of(world).dt;
    assert_between(size_of_steps(rod, &b, dt), -100.0, log(1e5));
    tight += size_of_steps(rod, &b, 2.0 * dt) > log(1e9);
    elastica_world_destroy(world);
  }
  assert_true(tight >= 12); /* most of them are unstable at twice the limit */
}

/* ---- The mode that bounds the step --------------------------------------------------------------------------------------------------- */

TEST(limit_names_rod_element_and_mode) {
  elastica_world *world = make_rest_world(0, 0);
  elastica_step_limit limit = limit_of(world);
  assert_int_equal(limit.mode, ELASTICA_MODE_NONE);
  assert_true(isinf(limit.dt));
  assert_int_equal(limit.rod_index, -1);
  add_straight_rod(world, 10, 1.0, 0.05, 1000.0, 1e5, 0.3e5);
  const double soft = limit_of(world).dt;
  assert_int_equal(limit_of(world).mode, ELASTICA_MODE_SHEAR);
  elastica_rod *stiff = add_straight_rod(world, 10, 1.0, 0.05, 1000.0, 4e5, 1.2e5);
  limit = limit_of(world);
  assert_close(limit.dt, 0.5 * soft, 1e-12 * soft);
  assert_int_equal(limit.rod_index, elastica_rod_get_view(stiff)->rod_index);
  assert_null(limit.effect);
  sample_rod sample;
  const sample_recipe recipe = {.length = 0.1, .radius = 0.05, .stretch = 1.0};
  make_sample(&sample, 10, 1, &recipe);
  sample.youngs_modulus = 4e5, sample.shear_modulus = 1.2e5;
  sample.rest_length[6] *= 0.4;
  for (int i = 7; i <= 10; i++)
    for (int a = 0; a < 3; a++) sample.position[component(i, a)] -= 0.06 * sample.director[director_component(6, 2, a)];
  elastica_rod *uneven = add_sample(world, &sample);
  limit = limit_of(world);
  assert_int_equal(limit.rod_index, elastica_rod_get_view(uneven)->rod_index);
  assert_int_equal(limit.element, 6);
  elastica_world_destroy(world);
}

TEST(limit_names_the_effect_that_bounds_it) {
  static bonds weak, strong;
  elastica_world *world = make_rest_world(0, 0);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.05, 1000.0, 1e5, 0.3e5);
  const double alone = limit_of(world).dt;
  weak.count = 1, weak.from[0] = 7, weak.to[0] = -1, weak.stiffness[0] = 1.0;
  strong = weak;
  strong.stiffness[0] = 1e7;
  elastica_effect *first = add_bonds(world, rod, &weak);
  assert_int_equal(limit_of(world).mode, ELASTICA_MODE_SHEAR);
  elastica_effect *second = add_bonds(world, rod, &strong);
  const elastica_step_limit limit = limit_of(world);
  assert_int_equal(limit.mode, ELASTICA_MODE_EFFECT);
  assert_ptr_equal(limit.effect, second);
  assert_true(limit.element == 6 || limit.element == 7);
  /* sqrt(m/k) is the period of the spring over 2 pi; the rod adds little */
  assert_between(limit.dt, 0.99 * 2.0 * sqrt(elastica_rod_get_view(rod)->mass[7] / 1e7),
                 2.0 * sqrt(elastica_rod_get_view(rod)->mass[7] / 1e7));
  must(world, elastica_effect_set_enabled(second, 0));
  assert_between(limit_of(world).dt, 0.99 * alone, alone);
  must(world, elastica_effect_set_enabled(first, 0));
  assert_close(limit_of(world).dt, alone, 0.0);
  elastica_world_destroy(world);
}

/* Dampers of nodes and of elements: that with the larger rate per mass or inertia is named, in either order. */
TEST(limit_names_the_damper_that_bounds_it) {
  for (int stronger = 0; stronger < 2; stronger++)
    for (int order = 0; order < 2; order++) {
      static bonds damper[2];
      elastica_effect *effect[2];
      elastica_world *world = make_rest_world(0, 0);
      elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.05, 1000.0, 1e5, 0.3e5);
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      memset(damper, 0, sizeof damper);
      for (int i = 0; i < view->node_count; i++) damper[0].node_rate[i] = (stronger == 0 ? 2e6 : 1e5) * view->mass[i];
      for (int j = 0; j < view->element_count; j++) damper[1].element_rate[j] = (stronger == 1 ? 4e6 : 2e5) * view->inertia[2][j];
      for (int k = 0; k < 2; k++) effect[order ? 1 - k : k] = add_bonds(world, rod, &damper[order ? 1 - k : k]);
      const elastica_step_limit limit = limit_of(world);
      assert_int_equal(limit.mode, ELASTICA_MODE_EFFECT);
      assert_ptr_equal(limit.effect, effect[stronger]);
      elastica_world_destroy(world);
    }
}

typedef struct wrong_bound {
  double value;
  int place;
} wrong_bound;

static elastica_status add_wrongly(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const wrong_bound *bound = self;
  (void)now, (void)rod;
  stiffness->node[bound->place] += bound->value;
  return ELASTICA_OK;
}

static elastica_status add_rightly(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  (void)self, (void)now, (void)rod;
  stiffness->node[1] += 1.0;
  return ELASTICA_OK;
}

/* The first effect with such a bound is named. After the refusal, the world continues without it. */
TEST(bounds_that_are_negative_or_not_finite_are_refused) {
  const double wrong[3] = {(double)NAN, (double)INFINITY, -1e12};
  for (int k = 0; k < 6; k++) {
    const wrong_bound bound = {wrong[k % 3], k < 3 ? 3 : 0};
    elastica_world *world = make_rest_world(0, 0);
    elastica_effect *effect = NULL;
    elastica_step_limit limit;
    elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.05, 1000.0, 1e5, 0.3e5);
    elastica_module module = module_named("wrong");
    module.self = &bound;
    module.self_size = sizeof bound;
    module.add_stiffness = add_wrongly;
    must(world, elastica_world_add_module(world, rod, &module, &effect));
    module.name = "right";
    module.add_stiffness = add_rightly;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    assert_status(world, elastica_world_step_limit(world, &limit), ELASTICA_CALLBACK_FAILED);
    assert_says(elastica_world_message(world), "effect 0 \"wrong\"", "add_stiffness", k < 3 ? "element 3" : "element 0", "rod 0");
    assert_status(world, elastica_world_advance(world, 1e-3), ELASTICA_CALLBACK_FAILED);
    assert_status(world, elastica_world_step(world, 1e-6, 1), ELASTICA_CALLBACK_FAILED);
    must(world, elastica_effect_set_enabled(effect, 0));
    must(world, elastica_world_advance(world, 1e-3));
    elastica_world_destroy(world);
  }
}

static elastica_status fail_to_add(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *resultants) {
  (void)self, (void)now, (void)rod, (void)resultants;
  return ELASTICA_IO_ERROR;
}

TEST(resultants_that_fail_leave_no_limit) {
  elastica_world *world = make_rest_world(0, 0);
  elastica_effect *effect = NULL;
  elastica_step_limit limit = {.dt = -1.0};
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.05, 1000.0, 1e5, 0.3e5);
  elastica_module module = module_named("tired");
  module.add_resultants = fail_to_add;
  must(world, elastica_world_add_module(world, rod, &module, &effect));
  assert_status(world, elastica_world_step_limit(world, &limit), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "effect 0 \"tired\"", "add_resultants", "IO_ERROR");
  assert_true(limit.dt == -1.0);
  must(world, elastica_effect_set_enabled(effect, 0));
  must(world, elastica_world_step_limit(world, &limit));
  assert_true(limit.dt > 0.0);
  elastica_world_destroy(world);
}
