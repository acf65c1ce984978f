/* Implicit steps with a prescribed motion that has kinks: piecewise linear, as a table of positions gives it. */
#include "implicit_steps.h"

#define SPEED 0.1   /* [m/s] */
#define PERIOD 0.02 /* [s] of the triangle: a kink each half */
#define LENGTH 0.3  /* [m] */
#define UNTIL 0.06  /* [s] */
enum { N = 6 };

/* There and back at the same speed. */
static elastica_status go_and_return(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double phase = time / PERIOD - floor(time / PERIOD);
  const int axis = *(const int *)user;
  (void)director, (void)omega;
  position[axis] += SPEED * PERIOD * (phase < 0.5 ? phase : 1.0 - phase);
  velocity[axis] = phase < 0.5 ? SPEED : -SPEED;
  return ELASTICA_OK;
}

/* A rod along z; its first node and frame move along an axis. */
static elastica_world *make_driven(const int *axis, double youngs_modulus, double radius) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  DEFAULTS(boundary, boundary);
  def.element_count = N;
  def.length = LENGTH;
  def.radius = radius;
  def.density = 1100.0;
  def.youngs_modulus = youngs_modulus;
  must(world, elastica_world_add_rod(world, &def, &rod));
  boundary.motion = go_and_return;
  boundary.user = (void *)(uintptr_t)axis;
  must(world, elastica_add_boundary(world, rod, &boundary, NULL));
  return world;
}

/* Steps that end at the kinks keep the second order; a step with a kink in its middle is of first. */
TEST(kinks_between_steps_leave_the_order_and_within_steps_first_order) {
  const int axis = 0;
  elastica_world *exact = make_driven(&axis, 1e5, 0.02);
  must(exact, elastica_world_step(exact, UNTIL / 24000, 24000));
  for (int within = 0; within < 2; within++) {
    double error[3];
    for (int k = 0; k < 3; k++) {
      elastica_world *world = make_driven(&axis, 1e5, 0.02);
      take_implicit_steps(world, UNTIL, UNTIL / ((within ? 100 : 96) << k), 1e-9); /* six halves of the period */
      error[k] = distance_of(world, exact);
      elastica_world_destroy(world);
    }
    const double least = within ? 1.7 : 3.5;
    if (!(error[0] > least * error[1] && error[1] > least * error[2] && error[0] < 1e-2 * LENGTH))
      fail_msg("%s steps: errors %.3g, %.3g and %.3g m", within ? "within" : "between", error[0], error[1], error[2]);
  }
  elastica_world_destroy(exact);
}

/* A stiff rod follows a motion along its axis as a whole: its waves pass in a twentieth of a step, and none is left to ring. A step with a
 * kink in it ends with a wrong speed, of up to half the jump; the next ones do not. */
TEST(a_stiff_rod_does_not_overshoot_at_a_kink) {
  const int axis = 2;
  for (int within = 0; within < 2; within++) {
    elastica_world *world = make_driven(&axis, 200e9, 5e-4);
    const elastica_rod_view *view = elastica_rod_get_view(elastica_world_rod(world, 0));
    const int steps = within ? 50 : 48;
    for (int k = 1; k <= steps; k++) {
      const double halves = 6.0 * k / steps, since = (halves - floor(halves)) * steps / 6.0; /* steps since the last kink */
      take_implicit_steps(world, UNTIL / steps * k, UNTIL / steps, 1e-9);
      assert_close(view->position[2][N] - view->position[2][0], LENGTH, 1e-6 * LENGTH);
      if (since < 1e-6) continue; /* the speed is that before the kink or behind it */
      assert_close(view->velocity[2][N], view->velocity[2][0], since < 1.0 ? SPEED : 0.02 * SPEED);
    }
    elastica_world_destroy(world);
  }
}
