/* Relaxation of unsupported rods is reported. A rod held by the forces of a hook is not reported. */
#include "relaxed.h"

static const double gravity[3] = {0.0, -9.81, 0.0};
static const double weight = 1000.0 * 3.14159265358979324 * 1e-4 * 9.81; /* [N] of rods as below */

static elastica_rod *add_free_rod(elastica_world *world) {
  return add_straight_rod(world, 20, 1.0, 0.01, 1000.0, 1e6, 4e5);
}

static void assert_runs_away(elastica_world *world, int rod, const char *axis, double force) {
  elastica_relax_result result;
  char name[16], load[100];
  snprintf(name, sizeof name, "rod %d", rod);
  snprintf(load, sizeof load, "%.3g N along %s", force, axis);
  assert_status(world, elastica_world_relax(world, NULL, &result), ELASTICA_NOT_CONVERGED);
  assert_says(elastica_world_message(world), "relax", name, "runs away", "force", load);
  assert_true(result.evaluations <= 200);
  assert_true(result.distance > 1e3);
  must(world, elastica_world_step(world, 1e-6, 1)); /* nothing sticks */
}

TEST(free_rod_falls) {
  elastica_world *world = make_world(NULL);
  add_free_rod(world);
  must(world, elastica_add_gravity(world, gravity, NULL));
  assert_runs_away(world, 0, "-y", weight);
  elastica_world_destroy(world);
}

TEST(free_rod_follows_the_slightest_pull) {
  elastica_world *world = make_world(NULL);
  pull_tip(world, add_free_rod(world), 0.0, 0.0, 1e-3);
  assert_runs_away(world, 0, "z", 1e-3);
  elastica_world_destroy(world);
}

/* The slider holds x and z, and the load is along y. */
static void assert_slides(const double down[3], const char *axis, double force) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_free_rod(world);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  pin.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Z;
  must(world, elastica_add_boundary(world, rod, &pin, NULL));
  must(world, elastica_add_gravity(world, down, NULL));
  assert_runs_away(world, 0, axis, force);
  elastica_world_destroy(world);
}

TEST(slider_along_its_load_holds_nothing) {
  assert_slides(gravity, "-y", weight);
}

/* The force along the slider is not balanced, however large the supported components are. */
TEST(slider_names_only_its_free_direction) {
  const double slanted[3] = {-9.81, 0.5 * 9.81, -9.81};
  assert_slides(slanted, "y", 0.5 * weight);
}

TEST(forgotten_rod_is_named) {
  elastica_world *world = make_world(NULL);
  clamp_first(world, add_free_rod(world), ELASTICA_BOUNDARY_CLAMP);
  elastica_rod *forgotten = add_free_rod(world);
  must(world, elastica_add_gravity(world, gravity, NULL));
  assert_runs_away(world, 1, "-y", weight);
  pin_node(world, forgotten, 0); /* now an equilibrium exists */
  must(world, elastica_world_relax(world, NULL, NULL));
  elastica_world_destroy(world);
}

/* A rod stretched by 1 N has a sideways force of less than a thousandth of that: a residual within tolerance without an equilibrium. */
TEST(a_rod_that_runs_away_is_reported_at_any_tolerance) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_free_rod(world);
  DEFAULTS(point_load, load);
  load.node = 0;
  load.force[2] = -1.0;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  pull_tip(world, rod, 0.0, 0.0, 1.0);
  elastica_point_load_def_init(&load, sizeof load);
  load.node = 10;
  load.force[0] = 1e-4;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  DEFAULTS(relax, loose);
  loose.tolerance = 1e-3;
  assert_status(world, elastica_world_relax(world, &loose, NULL), ELASTICA_NOT_CONVERGED);
  assert_says(elastica_world_message(world), "rod 0", "runs away");
  elastica_world_destroy(world);
}

/* ---- Too weak for their load --------------------------------------------------------------------------------------------------------- */

/* E A = 5 N; the shear stiffness is so large that frames stay in line with a rod stretched threefold. */
static elastica_rod *add_weak_rod(elastica_world *world, double x, double z) {
  const double modulus = 5.0 / (3.14159265358979324 * 4e-4);
  elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0, modulus, modulus);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  pull_tip(world, rod, x, 0.0, z);
  return rod;
}

static elastica_world *make_world_of(elastica_law law) {
  elastica_world_def def = default_world();
  def.law = law;
  def.exact_couple = law == ELASTICA_LAW_CLASSICAL;
  return make_world(&def);
}

/* 10 N: the classical law stretches by (10 N)/(5 N); the stress S (e - 1)/e of the rescaled law stays below S, so it has no equilibrium. */
TEST(a_pull_of_twice_the_stiffness_has_an_equilibrium_in_one_law_only) {
  for (int law = 0; law < 2; law++) {
    elastica_world *world = make_world_of((elastica_law)law);
    elastica_rod *rod = add_weak_rod(world, 0.0, 10.0);
    const elastica_status status = elastica_world_relax(world, NULL, NULL);
    if (law == ELASTICA_LAW_CLASSICAL) {
      must(world, status);
      assert_close(tip(rod, 2), 3.0, 1e-8);
    } else {
      assert_int_equal(status, ELASTICA_NOT_CONVERGED);
      assert_says(elastica_world_message(world), "relax", "rod 0, element 19", "gives way", "stretched");
      assert_close(tip(rod, 2), 1.0, 0.0);
    }
    elastica_world_destroy(world);
  }
}

/* A state in motion: the whole state is restored, and the world continues as without the call. */
static void set_moving(elastica_rod *rod) {
  double velocity[3 * 21], omega[3 * 20];
  random_source source = {5};
  for (int i = 0; i < 21; i++) random_vector(&source, 1e-3, velocity + 3 * i);
  for (int j = 0; j < 20; j++) random_vector(&source, 1e-3, omega + 3 * j);
  must(elastica_rod_get_view(rod)->world, elastica_rod_set_state(rod, NULL, velocity, NULL, omega));
  must(elastica_rod_get_view(rod)->world, elastica_world_step(elastica_rod_get_view(rod)->world, 1e-6, 10));
}

/* Under a compression larger than any stress of the classical law an element collapses; with an additional sideways force a joint folds.
 * In the rescaled law such a rod turns over, and the compression becomes tension. The sideways force of 1 N turns it; with a much
 * smaller force a joint may fold first, by chance. */
TEST(the_start_returns_and_the_collapsed_element_or_joint_is_named) {
  const struct {
    elastica_law law;
    double x, z;
    const char *named, *how;
  } cases[4] = {{ELASTICA_LAW_RESCALED, 1e-3, 10.0, "rod 0, element 19", "stretched"},
                {ELASTICA_LAW_CLASSICAL, 0.0, -10.0, "rod 0, element 19", "pressed"},
                {ELASTICA_LAW_CLASSICAL, 1e-3, -10.0, "rod 0, joint", "rad apart"},
                {ELASTICA_LAW_RESCALED, 1.0, -10.0, "rod 0, element 19", "stretched"}};
  for (int k = 0; k < 4; k++)
    for (int keep = 0; keep < 2; keep++) {
      elastica_world *world = make_world_of(cases[k].law);
      elastica_rod *rod = add_weak_rod(world, cases[k].x, cases[k].z);
      elastica_relax_result result;
      if (!keep && k > 0) set_moving(rod);
      const uint64_t before = hash_world(world);
      DEFAULTS(relax, def);
      def.keep_state = keep;
      assert_status(world, elastica_world_relax(world, &def, &result), ELASTICA_NOT_CONVERGED);
      assert_says(elastica_world_message(world), "relax", cases[k].named, "gives way", cases[k].how);
      if (k == 2) assert_between(number_behind(elastica_world_message(world), "joint "), 10.0, 18.0); /* in the outer half */
      assert_int_equal(result.stable, 0);
      assert_true(result.evaluations <= 400);
      assert_true((hash_world(world) == before) == !keep);
      if (!keep) must(world, elastica_world_step(world, 1e-6, 10));
      elastica_world_destroy(world);
    }
}

/* A free rod does not resist a couple, however much it bends before it turns as a whole. */
TEST(a_free_rod_under_a_couple_has_no_equilibrium) {
  for (int in_laboratory = 0; in_laboratory < 2; in_laboratory++)
    for (int axis = 0; axis < 3; axis += 2) {
      elastica_world *world = make_world_of(ELASTICA_LAW_CLASSICAL);
      elastica_relax_result result;
      const char about[] = {'a', 'b', 'o', 'u', 't', ' ', "xyz"[axis], '\0'};
      elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 4e5);
      DEFAULTS(point_load, load);
      load.couple[axis] = 1e-3;
      load.couple_in_laboratory = in_laboratory;
      must(world, elastica_add_point_load(world, rod, &load, NULL));
      const uint64_t before = hash_world(world);
      assert_status(world, elastica_world_relax(world, NULL, &result), ELASTICA_NOT_CONVERGED);
      assert_says(elastica_world_message(world), "relax", "rod 0", "turns without end", "couple", "0.001 N m", about);
      assert_true(result.evaluations <= 4000);
      assert_true(hash_world(world) == before);
      elastica_world_destroy(world);
    }
}

/* Twenty turns of twist, held at one end: it unwinds to an equilibrium. */
TEST(a_rod_wound_by_twenty_turns_unwinds) {
  elastica_world *world = make_world_of(ELASTICA_LAW_CLASSICAL);
  elastica_rod *rod = NULL;
  enum { N = 60 };
  double node[3 * (N + 1)], frame[9 * N];
  for (int i = 0; i < 3 * (N + 1); i++) node[i] = i % 3 == 2 ? (double)(i / 3) / N : 0.0;
  for (int j = 0; j < N; j++) {
    const double angle = 20.0 * 2.0 * 3.14159265358979324 * j / N;
    const double turned[9] = {cos(angle), sin(angle), 0.0, -sin(angle), cos(angle), 0.0, 0.0, 0.0, 1.0};
    memcpy(frame + 9 * j, turned, sizeof turned);
  }
  DEFAULTS(rod, def);
  def.element_count = N;
  def.position = node;
  def.director = frame;
  def.radius = 0.02;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  clamp_first(world, rod, ELASTICA_BOUNDARY_FRAME);
  DEFAULTS(relax, limits);
  must(world, elastica_world_relax(world, &limits, NULL));
  assert_close(tip(rod, 2), 1.0, 1e-8);
  for (int j = 0; j < N; j++) assert_close(elastica_rod_get_view(rod)->director[0][0][j], 1.0, 1e-6);
  elastica_world_destroy(world);
}

/* ---- Rods held by hooks -------------------------------------------------------------------------------------------------------------- */

/* Springs from each node to its place on a line 50 lengths away. */
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

/* The rod moves to the springs and hangs below them by its weight; a second call keeps it there. No add_stiffness declares the springs. */
TEST(springs_of_a_hook_hold_a_rod) {
  double stiffness = 0.1;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_free_rod(world);
  elastica_module module = module_named("draw");
  module.self = &stiffness;
  module.self_size = sizeof stiffness;
  module.add_loads = draw;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  DEFAULTS(relax, loose);
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

/* Steps are short beside an obstacle that a rod may touch, and the evaluations end before it is far away. */
TEST(a_free_rod_that_leaves_an_obstacle_is_refused) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e7, 4e6);
  const double upwards[3] = {0.0, 3.0, 9.81};
  elastica_relax_result result;
  DEFAULTS(obstacle, plane);
  plane.kind = ELASTICA_OBSTACLE_ELASTIC, plane.modulus = 1e5, plane.position[2] = -1.0;
  must(world, elastica_add_obstacle(world, NULL, &plane, NULL));
  must(world, elastica_add_gravity(world, upwards, NULL));
  const double before = elastica_rod_get_view(rod)->position[2][3];
  assert_refused(world, elastica_world_relax(world, NULL, &result), ELASTICA_NOT_CONVERGED, "rod 0 runs away", "12.9 N along z");
  assert_int_equal(result.steps, 0);
  assert_true(elastica_rod_get_view(rod)->position[2][3] > before + 10.0); /* the next call goes on */
  elastica_world_destroy(world);
}

/* A smooth plane resists its weight, but no force along the plane. */
TEST(a_free_rod_that_slides_on_a_smooth_plane_is_refused) {
  elastica_world *world = make_world(NULL);
  DEFAULTS(rod, def);
  def.element_count = 8, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  set_vector(def.direction, 0, 1.0, 0.0, 0.0);
  def.start[2] = 0.02;
  must(world, elastica_world_add_rod(world, &def, NULL));
  DEFAULTS(obstacle, plane);
  plane.kind = ELASTICA_OBSTACLE_ELASTIC, plane.modulus = 1e5;
  must(world, elastica_add_obstacle(world, NULL, &plane, NULL));
  must(world, elastica_add_gravity(world, (double[]){0.0, 0.0, -9.81}, NULL));
  relax(world);
  must(world, elastica_add_gravity(world, (double[]){1.0, 0.0, 0.0}, NULL));
  assert_refused(world, elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_CONVERGED, "rod 0 runs away", "nothing has held it",
                 "1.26 N along x");
  elastica_world_destroy(world);
}

/* A short rod high above a floor, or on slack cords far from an obstacle, moves by more than ten lengths before anything holds it. */
TEST(a_free_rod_that_something_far_away_holds_comes_to_rest) {
  for (int cords = 0; cords < 2; cords++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 4, 0.05, 0.001, 1000.0, 1e7, 4e6);
    const double downwards[3] = {0.0, 0.0, -9.81};
    elastica_status status = ELASTICA_NOT_CONVERGED;
    DEFAULTS(obstacle, plane);
    plane.kind = ELASTICA_OBSTACLE_ELASTIC, plane.modulus = 1e5, plane.position[2] = cords ? -1000.0 : -6.0;
    must(world, elastica_add_obstacle(world, NULL, &plane, NULL));
    must(world, elastica_add_gravity(world, downwards, NULL));
    for (int end = 0; cords && end < 2; end++) {
      elastica_anchor guides[2];
      memset(guides, 0, sizeof guides);
      guides[0].offset[1] = end ? 0.5 : -0.5, guides[0].offset[2] = 2.0;
      guides[1].rod = rod, guides[1].element = end ? -1 : 0, guides[1].share = end;
      DEFAULTS(tendon, cord);
      cord.guides = guides, cord.guide_count = 2, cord.stiffness = 1.0, cord.rest_length = 5.0;
      must(world, elastica_add_tendon(world, &cord, NULL));
    }
    for (int call = 0; call < 4 && status == ELASTICA_NOT_CONVERGED; call++) status = elastica_world_relax(world, NULL, NULL);
    must(world, status);
    assert_true(elastica_rod_get_view(rod)->position[2][3] < -2.0);
    elastica_world_destroy(world);
  }
}
