/* Implicit steps and later beginnings: moving obstacles are not passed over, whatever the step, and a pulse after a rest is seen. The
 * explicit run of the same scene is the measure.
 */
#include "support.h"

typedef struct lift {
  double speed, spin; /* [m/s] up, [rad/s] about z */
  double jumps_at;    /* [s] */
} lift;

static elastica_status move_up(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const lift *of = user;
  const double phi[3] = {0.0, 0.0, of->spin * time};
  position[2] += of->speed * time + (time >= of->jumps_at ? 0.2 : 0.0);
  velocity[2] = of->speed;
  turn_frame_exactly(phi, director);
  omega[2] = of->spin;
  return ELASTICA_OK;
}

/* A rod along x between two clamps, with the middle at the origin. */
static elastica_world *make_span(elastica_rod **rod) {
  elastica_world *world = make_world(NULL);
  DEFAULTS(rod, def);
  DEFAULTS(boundary, clamp);
  DEFAULTS(dissipation, air);
  def.element_count = 8;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  def.start[0] = -0.2;
  def.length = 0.4, def.radius = 0.005;
  def.density = 1000.0, def.youngs_modulus = 1e7;
  must(world, elastica_world_add_rod(world, &def, rod));
  must(world, elastica_add_boundary(world, *rod, &clamp, NULL));
  clamp.node = -1;
  must(world, elastica_add_boundary(world, *rod, &clamp, NULL));
  air.translation = 2.0, air.rotation = 1e-4;
  must(world, elastica_add_dissipation(world, *rod, &air, NULL));
  return world;
}

static void add_lift(elastica_world *world, elastica_shape shape, double below, lift *of) {
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC;
  def.modulus = 1e6;
  def.shape = shape;
  def.radius = 0.01;
  if (shape == ELASTICA_SHAPE_BOX) def.edges[0] = 0.02, def.edges[1] = 0.6, def.edges[2] = 0.02;
  if (shape == ELASTICA_SHAPE_CYLINDER) def.length = 0.6, def.normal[1] = 1.0, def.normal[2] = 0.0;
  def.position[2] = -below;
  def.motion = move_up, def.user = of;
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
}

static double middle(const elastica_rod *rod) {
  return elastica_rod_get_view(rod)->position[2][4];
}

/* ---- Obstacles ----------------------------------------------------------------------------------------------------------------------- */

/* Steps of a size, or with dt 0 of an accuracy; the obstacle ends 15 mm above the straight rod. */
static void check_lifted(elastica_shape shape, double speed, double below, double dt, double accuracy) {
  lift up = {speed, 0.0, INFINITY};
  elastica_implicit_result result;
  elastica_rod *rod[2];
  elastica_world *world[2];
  const double end = (below + 0.015) / speed;
  DEFAULTS(implicit, def);
  for (int k = 0; k < 2; k++) {
    world[k] = make_span(&rod[k]);
    add_lift(world[k], shape, below, &up);
  }
  must(world[0], elastica_world_advance(world[0], end));
  def.until = end;
  if (dt > 0.0)
    def.dt = dt;
  else
    def.accuracy = accuracy;
  must(world[1], elastica_world_run_implicit(world[1], &def, &result));
  assert_true(result.finished && middle(rod[0]) > 0.02);
  assert_close(middle(rod[1]), middle(rod[0]), 2e-4);
  for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
}

TEST(a_moving_obstacle_lifts_a_rod_at_rest) {
  const elastica_shape shape[3] = {ELASTICA_SHAPE_SPHERE, ELASTICA_SHAPE_CYLINDER, ELASTICA_SHAPE_BOX};
  for (int k = 0; k < 3; k++) {
    check_lifted(shape[k], 1.0, 0.05, 0.02, 0.0);
    check_lifted(shape[k], 1.0, 1.0, 0.0, 1.2e-6);
  }
  check_lifted(ELASTICA_SHAPE_SPHERE, 0.5, 1.0, 0.0, 1e-4);
}

/* Half a turn of a bar in a step: both ends of the step have it parallel to the rod, beside it. */
TEST(a_turning_obstacle_is_not_passed_over) {
  lift turn = {0.0, 20.0, INFINITY};
  elastica_implicit_result result;
  elastica_rod *rod;
  elastica_world *world = make_span(&rod);
  DEFAULTS(obstacle, bar);
  DEFAULTS(implicit, def);
  bar.kind = ELASTICA_OBSTACLE_ELASTIC;
  bar.modulus = 1e6;
  bar.shape = ELASTICA_SHAPE_BOX;
  bar.edges[0] = 0.2, bar.edges[1] = 0.01, bar.edges[2] = 0.02;
  bar.position[1] = 0.06;
  bar.motion = move_up, bar.user = &turn;
  must(world, elastica_add_obstacle(world, NULL, &bar, NULL));
  def.until = 0.06;
  def.dt = 0.02;
  must(world, elastica_world_run_implicit(world, &def, &result));
  assert_true(elastica_rod_get_view(rod)->position[1][4] < -0.005 && result.shortest < 0.005);
  elastica_world_destroy(world);
}

/* A far obstacle costs few steps. */
TEST(a_far_obstacle_moves_freely) {
  lift up = {1.0, 5.0, INFINITY};
  elastica_implicit_result result;
  elastica_rod *rod;
  elastica_world *world = make_span(&rod);
  DEFAULTS(implicit, def);
  add_lift(world, ELASTICA_SHAPE_SPHERE, 3.0, &up);
  def.until = 2.0;
  def.dt = 0.02;
  must(world, elastica_world_run_implicit(world, &def, &result));
  assert_true(result.steps == 100 && result.halved == 0);
  elastica_world_destroy(world);
}

TEST(an_obstacle_that_jumps_is_named) {
  for (int k = 0; k < 2; k++) {
    lift jump = {0.0, 0.0, 0.5};
    elastica_implicit_result result;
    elastica_rod *rod;
    elastica_world *world = make_span(&rod);
    DEFAULTS(implicit, def);
    add_lift(world, ELASTICA_SHAPE_SPHERE, 0.1, &jump);
    def.until = 1.0;
    if (k == 0)
      def.dt = 0.04;
    else
      def.accuracy = 1e-6;
    assert_refused(world, elastica_world_run_implicit(world, &def, &result), ELASTICA_NOT_CONVERGED, "an obstacle moves", "jumps");
    assert_between(elastica_world_get(world).time, 0.4, 0.5);
    assert_close(middle(rod), 0.0, 1e-15);
    elastica_world_destroy(world);
  }
}

/* A ball of 4 g and 10 mm at a plate of 0.1 mm, in steps of up to a quarter of its radius: each run ends before the plate, in front of it
 * after a bounce, or is refused. */
TEST(no_ball_passes_a_thin_plate) {
  for (int k = 0; k < 5 * 24; k += TESTS_ONE_ROUND_IN) {
    const double speed = 500.0 + 50.0 * (k / 5), step = 0.05 * (k % 5 + 1);
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    DEFAULTS(body, ball);
    DEFAULTS(obstacle, plate);
    DEFAULTS(implicit, def);
    ball.radius = 0.01, ball.mass = 0.004;
    ball.position[0] = -0.05, ball.velocity[0] = speed;
    must(world, elastica_world_add_body(world, &ball, &rod));
    plate.kind = ELASTICA_OBSTACLE_ELASTIC, plate.shape = ELASTICA_SHAPE_BOX;
    plate.edges[0] = 1e-4, plate.edges[1] = plate.edges[2] = 0.1;
    plate.modulus = 1e6, plate.damping_ratio = 0.0;
    must(world, elastica_add_obstacle(world, NULL, &plate, NULL));
    def.until = 0.1 / speed, def.dt = step * ball.radius / speed;
    const elastica_status status = elastica_world_run_implicit(world, &def, NULL);
    const double x = elastica_rod_get_view(rod)->position[0][0];
    if (!(x < 0.0) || (status != ELASTICA_OK && status != ELASTICA_NOT_CONVERGED))
      fail_msg("%g m/s, %g radii in a step: %s at %g m", speed, step, elastica_status_text(status), x);
    elastica_world_destroy(world);
  }
}

static elastica_status stop_moving(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)position, (void)velocity, (void)director, (void)omega;
  return time > 0.5 ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

/* The sentence names the obstacle, and none of the rods. */
TEST(a_motion_that_fails_is_named_without_a_rod) {
  elastica_rod *rod;
  elastica_world *world = make_span(&rod);
  elastica_implicit_result result;
  for (int k = 0; k < 2; k++) add_straight_rod(world, 3, 0.1, 0.01, 1000.0, 1e6, 0.4e6);
  DEFAULTS(obstacle, ball);
  DEFAULTS(implicit, def);
  ball.kind = ELASTICA_OBSTACLE_ELASTIC;
  ball.shape = ELASTICA_SHAPE_SPHERE;
  ball.modulus = 1e5, ball.radius = 0.1, ball.position[2] = -3.0;
  ball.motion = stop_moving;
  must(world, elastica_add_obstacle(world, NULL, &ball, NULL));
  def.until = 1.0;
  def.dt = 0.02;
  assert_status(world, elastica_world_run_implicit(world, &def, &result), ELASTICA_CALLBACK_FAILED);
  assert_says(elastica_world_message(world), "obstacle");
  if (strstr(elastica_world_message(world), "rod ") != NULL) fail_msg("%s", elastica_world_message(world));
  elastica_world_destroy(world);
}

/* ---- Boundaries ---------------------------------------------------------------------------------------------------------------------- */

/* A rod between two ends, the first of which turns about its axis; returns the status of a run in steps of dt to 0.9 s, and the twist. */
static elastica_status twist(elastica_world *world, elastica_rod *rod, elastica_boundary_kind kind, double dt, lift *of, double *angle) {
  DEFAULTS(boundary, def);
  DEFAULTS(implicit, steps);
  def.kind = kind;
  def.motion = move_up, def.user = of;
  must(world, elastica_boundary_set(elastica_world_effect(world, 0), &def));
  steps.until = 0.9, steps.dt = dt;
  const elastica_status status = elastica_world_run_implicit(world, &steps, NULL);
  must(world, elastica_rod_refresh(rod));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  *angle = 0.0;
  for (int k = 0; k < view->element_count - 1; k++) *angle += view->curvature[2][k] * view->rest_joint_length[k];
  return status;
}

/* 0.9 turns in one step are not a tenth of a turn back: the step is divided. */
TEST(an_end_turns_by_more_than_half_a_turn) {
  const elastica_boundary_kind kind[2] = {ELASTICA_BOUNDARY_CLAMP, ELASTICA_BOUNDARY_FRAME};
  lift drive = {0.0, 2.0 * 3.14159265358979324, INFINITY};
  for (int k = 0; k < 2; k++) {
    double angle[2];
    for (int coarse = 0; coarse < 2; coarse++) {
      elastica_rod *rod;
      elastica_world *world = make_span(&rod);
      must(world, twist(world, rod, kind[k], coarse ? 0.9 : 0.02, &drive, &angle[coarse]));
      elastica_world_destroy(world);
    }
    assert_between(fabs(angle[0]), 4.8, 5.7); /* 0.9 turns less the half-cells of clamps */
    assert_close(angle[1], angle[0], 0.02);
  }
}

TEST(an_end_that_turns_too_fast_is_named) {
  lift drive = {0.0, 1e5, INFINITY};
  double angle;
  elastica_rod *rod;
  elastica_world *world = make_span(&rod);
  const elastica_status status = twist(world, rod, ELASTICA_BOUNDARY_CLAMP, 0.9, &drive, &angle);
  assert_refused(world, status, ELASTICA_NOT_CONVERGED, "near rod 0", "effect 0 \"boundary\" turns its frame by more than half a turn");
  assert_true(elastica_world_get(world).time == 0.0);
  elastica_world_destroy(world);
}

/* ---- Loads that begin later ---------------------------------------------------------------------------------------------------------- */

static elastica_status push_later(void *user, double time, double force[3], double couple[3]) {
  const double phase = (time - 1.0) / 0.02;
  (void)user, (void)couple;
  force[2] = phase > 0.0 && phase < 1.0 ? sin(acos(-1.0) * phase) : 0.0;
  return ELASTICA_OK;
}

static double pulsed(double accuracy, double longest, elastica_implicit_result *result) {
  elastica_rod *rod;
  elastica_world *world = make_span(&rod);
  DEFAULTS(point_load, load);
  DEFAULTS(implicit, def);
  load.node = 4;
  load.function = push_later;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  def.until = 1.02;
  def.accuracy = accuracy;
  def.longest_step = longest;
  if (result == NULL)
    must(world, elastica_world_advance(world, def.until));
  else
    must(world, elastica_world_run_implicit(world, &def, result));
  const double at = middle(rod);
  elastica_world_destroy(world);
  return at;
}

TEST(a_pulse_after_a_rest_is_seen) {
  elastica_implicit_result result;
  const double right = pulsed(1e-5, NAN, NULL);
  assert_true(right > 1e-3);
  assert_close(pulsed(1e-5, NAN, &result), right, 0.02 * right);
  assert_true(result.longest <= 0.0102001);
  assert_close(pulsed(1e-5, 0.004, &result), right, 0.02 * right);
  assert_true(result.longest <= 0.0040001);
}

/* A rod that swings in calls of a two-hundredth of its period: the bound at rest does not hold it, and a call takes few steps. */
TEST(short_calls_in_motion_take_few_steps) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_implicit_result result = {.next_step = NAN};
  elastica_rod *rod;
  elastica_world *world = make_span(&rod);
  long steps = 0;
  must(world, elastica_add_gravity(world, gravity, NULL));
  for (int k = 1; k <= 100; k++) {
    DEFAULTS(implicit, def);
    def.until = 1e-3 * k;
    def.accuracy = 1e-5;
    def.first_step = result.next_step;
    must(world, elastica_world_run_implicit(world, &def, &result));
    if (k > 20) steps += result.steps;
  }
  assert_true(steps < 200);
  elastica_world_destroy(world);
}
