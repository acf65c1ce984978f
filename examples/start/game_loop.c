/* A game: frames of irregular length, a budget of time for each, a moving obstacle, poses to draw, and a rope that is repaired after a
 * failure. The steps do not depend on the frames: the same scene with other frame times has the same states at the same times. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 24 };

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

/* A ball that oscillates below the hand. Position and velocity must agree. */
static elastica_status move_ball(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)director, (void)omega;
  position[0] = 0.6 * cos(time), velocity[0] = -0.6 * sin(time);
  return ELASTICA_OK;
}

/* Puts the rope back to rest, straight below the hand; this ends the failure. */
static void repair(elastica_world *world, elastica_rod *rope, const double *position, const double *director) {
  const double still[3 * (ELEMENTS + 1)] = {0};
  fprintf(stderr, "repaired: %s\n", elastica_world_message(world));
  must(world, elastica_rod_set_state(rope, position, still, director, still));
}

int main(void) {
  const double gravity[3] = {0, 0, -9.81}, length = 1.0, radius = 0.01;
  double position[3 * (ELEMENTS + 1)] = {0}, director[9 * ELEMENTS] = {0};
  elastica_world *world = NULL;
  elastica_rod *rope = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = ELEMENTS;
  for (int i = 0; i <= ELEMENTS; i++) position[3 * i + 2] = -length * i / ELEMENTS;
  for (int j = 0; j < ELEMENTS; j++) director[9 * j] = 1, director[9 * j + 4] = -1, director[9 * j + 8] = -1; /* d3 points down */
  def.position = position, def.director = director;
  def.radius = radius, def.density = 1100, def.youngs_modulus = 3e6; /* [m] [kg/m^3] [Pa] */
  def.rotary_inertia_scale = length / ELEMENTS / radius;             /* scaled 4.2 times: see real_time.md */
  def.shear_factor = 4.0 / 3 / def.rotary_inertia_scale;
  must(world, elastica_world_add_rod(world, &def, &rope));
  elastica_boundary_def hand;
  elastica_boundary_def_init(&hand, sizeof hand);
  hand.kind = ELASTICA_BOUNDARY_PIN;
  must(world, elastica_add_boundary(world, rope, &hand, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  elastica_dissipation_def air;
  elastica_dissipation_def_init(&air, sizeof air);
  air.translation = 0.1;
  must(world, elastica_add_dissipation(world, rope, &air, NULL));
  elastica_obstacle_def ball;
  elastica_obstacle_def_init(&ball, sizeof ball);
  ball.kind = ELASTICA_OBSTACLE_ELASTIC;
  ball.shape = ELASTICA_SHAPE_SPHERE, ball.radius = 0.15, ball.position[0] = 0.6, ball.position[2] = -0.8;
  ball.motion = move_ball, ball.modulus = 1e5;
  must(world, elastica_add_obstacle(world, NULL, &ball, NULL));

  elastica_run_def run;
  elastica_run_result done;
  elastica_run_def_init(&run, sizeof run);
  run.whole_steps = 1, run.most_seconds = 0.004; /* of 1/60 s */
  double clock = 0, tip[3] = {0};
  int late = 0; /* frames ended by their budget */
  for (int frame = 0; frame < 600; frame++) {
    clock += (frame % 7 ? 1 : 3) * 7 / 9.0 / 60; /* 1/60 s on average; every seventh frame takes three times as long */
    run.until = clock;
    const elastica_status status = elastica_world_run(world, &run, &done);
    if (elastica_rod_get_view(rope)->has_failed)
      repair(world, rope, position, director);
    else
      must(world, status);
    const elastica_rod_view *view = elastica_rod_get_view(rope); /* the pose to draw, at the time of the frame */
    for (int a = 0; a < 3; a++) tip[a] = view->position[a][ELEMENTS] + done.lag * view->velocity[a][ELEMENTS];
    late += !done.finished;
  }
  printf("%ld steps of %.3g ms in %.4g s\n", elastica_world_get(world).step_count, 1e3 * elastica_world_get(world).working_step, clock);
  printf("frames that were late: %d\n", late);
  printf("tip at x = %.3f m, z = %.3f m\n", tip[0], tip[2]);
  elastica_world_destroy(world);
  return 0;
}
