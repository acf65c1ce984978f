/* Relaxation where nothing holds a rod: it says so, and does not take what a hook holds for that.
 */
#include "relaxed.h"

static const double gravity[3] = {0.0, -9.81, 0.0};
static const double weight = 1000.0 * 3.14159265358979324 * 1e-4 * 9.81; /* [N] of rods as below */

static elastica_rod *add_free_rod(elastica_world *world) {
  return add_straight_rod(world, 20, 1.0, 0.01, 1000.0, 1e6, 4e5);
}

static void assert_runs_away(elastica_world *world, int rod, const char *axis, double force) {
  elastica_relax_result result;
  char text[100];
  assert_status(world, elastica_world_relax(world, NULL, &result), ELASTICA_NOT_CONVERGED);
  snprintf(text, sizeof text, "relax: rod %d runs away: ", rod);
  assert_says(elastica_world_message(world), text);
  snprintf(text, sizeof text, "nothing holds it against a force of %.3g N along %s", force, axis);
  assert_says(elastica_world_message(world), text);
  assert_true(result.evaluations <= 200);
  assert_true(result.distance > 1e3);
  must(world, elastica_world_step(world, 1e-6, 1)); /* nothing sticks */
}

static void free_rod_falls(void **state) {
  elastica_world *world = make_world(NULL);
  (void)state;
  add_free_rod(world);
  must(world, elastica_add_gravity(world, gravity, NULL));
  assert_runs_away(world, 0, "-y", weight);
  elastica_world_destroy(world);
}

static void free_rod_follows_the_slightest_pull(void **state) {
  elastica_world *world = make_world(NULL);
  (void)state;
  pull_tip(world, add_free_rod(world), 0.0, 0.0, 1e-3);
  assert_runs_away(world, 0, "z", 1e-3);
  elastica_world_destroy(world);
}

/* The slider holds x and z, and the load is along y. */
static void slider_along_its_load_holds_nothing(void **state) {
  elastica_world *world = make_papers_world();
  elastica_rod *rod = add_free_rod(world);
  elastica_pin_def pin;
  (void)state;
  elastica_pin_def_init(&pin, sizeof pin);
  pin.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Z;
  must(world, elastica_add_pin(world, rod, &pin, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  assert_runs_away(world, 0, "-y", weight);
  elastica_world_destroy(world);
}

static void forgotten_rod_is_named(void **state) {
  elastica_world *world = make_world(NULL);
  (void)state;
  clamp_first(world, add_free_rod(world), ELASTICA_CLAMP_HALF_CELL);
  elastica_rod *forgotten = add_free_rod(world);
  must(world, elastica_add_gravity(world, gravity, NULL));
  assert_runs_away(world, 1, "-y", weight);
  pin_node(world, forgotten, 0); /* and then there is an equilibrium */
  must(world, elastica_world_relax(world, NULL, NULL));
  elastica_world_destroy(world);
}

/* Stretched by 1 N, it is pushed aside by less than a thousandth of that: a residual within tolerance, and no equilibrium anywhere. */
static void tolerance_does_not_excuse_what_runs_away(void **state) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_free_rod(world);
  elastica_point_load_def load;
  elastica_relax_def loose;
  (void)state;
  elastica_point_load_def_init(&load, sizeof load);
  load.node = 0;
  load.force[2] = -1.0;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  pull_tip(world, rod, 0.0, 0.0, 1.0);
  elastica_point_load_def_init(&load, sizeof load);
  load.node = 10;
  load.force[0] = 1e-4;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  elastica_relax_def_init(&loose, sizeof loose);
  loose.tolerance = 1e-3;
  assert_status(world, elastica_world_relax(world, &loose, NULL), ELASTICA_NOT_CONVERGED);
  assert_says(elastica_world_message(world), "rod 0 runs away");
  elastica_world_destroy(world);
}

/* Beyond the load that it can bear, a rod of the rescaled law stretches for ever: its stress, S (e - 1)/e, stays below S. */
static void overloaded_rod_stretches_away(void **state) {
  elastica_world_def def = default_world();
  (void)state;
  def.law = ELASTICA_LAW_RESCALED;
  elastica_world *world = make_world(&def);
  elastica_rod *rod = add_free_rod(world);
  clamp_first(world, rod, ELASTICA_CLAMP_FRAME);
  pull_tip(world, rod, 0.0, 0.0, 1.1e6 * 3.14159265358979324 * 1e-4);
  assert_status(world, elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_CONVERGED);
  elastica_world_destroy(world);
}

/* Each node drawn to its place on a line 50 lengths away. */
static elastica_status draw(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const double *stiffness = self;
  (void)now;
  for (int i = 0; i < rod->node_count; i++) {
    loads->force[0][i] += *stiffness * (50.0 - rod->position[0][i]);
    loads->force[1][i] -= *stiffness * rod->position[1][i];
    loads->force[2][i] += *stiffness * (0.05 * i - rod->position[2][i]);
  }
  return ELASTICA_OK;
}

/* It goes there, hangs below by its weight, and when asked again is still there, though nobody tells it what holds it. */
static void what_a_hook_holds_is_found(void **state) {
  double stiffness = 0.1;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_free_rod(world);
  elastica_module module;
  elastica_relax_def loose;
  (void)state;
  elastica_module_init(&module, sizeof module);
  module.name = "draw";
  module.self = &stiffness;
  module.self_size = sizeof stiffness;
  module.add_loads = draw;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  elastica_relax_def_init(&loose, sizeof loose);
  for (int k = 0; k < 3; k++) {
    loose.tolerance = k < 2 ? 1e-3 : 1e-9;
    must(world, elastica_world_relax(world, &loose, NULL));
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    double x = 0.0, y = 0.0;
    for (int i = 0; i <= 20; i++) x += view->position[0][i] / 21.0, y += view->position[1][i] / 21.0;
    assert_close(x, 50.0, k < 2 ? 0.1 : 1e-6);
    assert_close(y, -weight / (21.0 * stiffness), k < 2 ? 0.1 : 1e-6);
  }
  elastica_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_rod_falls),
      cmocka_unit_test(free_rod_follows_the_slightest_pull),
      cmocka_unit_test(slider_along_its_load_holds_nothing),
      cmocka_unit_test(forgotten_rod_is_named),
      cmocka_unit_test(tolerance_does_not_excuse_what_runs_away),
      cmocka_unit_test(overloaded_rod_stretches_away),
      cmocka_unit_test(what_a_hook_holds_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
