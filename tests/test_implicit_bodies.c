/* Contact of rigid bodies in implicit steps: with rods, with each other, and with obstacles. */
#include "bodies.h"
#include "implicit_steps.h"
#include "threads.h"

#define G 9.81
#define MODULUS 1e6
enum { N = 10, FINE = 131072 };

static elastica_implicit_result run_by(elastica_world *world, double until, double dt) {
  return take_implicit_steps(world, until, dt, 1e-10);
}

static elastica_rod *add_moving_body(elastica_world *world, elastica_shape shape, const double position[3], const double velocity[3],
                                     const double omega[3]) {
  elastica_body_def def = default_body(shape);
  def.density = 1000.0;
  def.radius = 0.03, def.length = 0.1;
  set_vector(def.edges, 0, 0.08, 0.06, 0.05);
  for (int a = 0; a < 3; a++) def.position[a] = position[a], def.velocity[a] = velocity[a], def.omega[a] = omega[a];
  return add_body(world, &def);
}

/* A bar of rubber along y at a height, with its middle at x = 0, that moves along x and z. */
static void add_bar(elastica_world *world, double height, double along, double down) {
  double velocity[3 * (N + 1)] = {0.0};
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  for (int i = 0; i <= N; i++) velocity[component(i, 0)] = along, velocity[component(i, 2)] = -down;
  def.element_count = N, def.length = 0.2, def.radius = 0.01, def.density = 1200.0, def.youngs_modulus = 1e7;
  def.direction[1] = 1.0, def.direction[2] = 0.0;
  def.start[1] = -0.09, def.start[2] = height;
  def.velocity = velocity;
  must(world, elastica_world_add_rod(world, &def, &rod));
}

static void add_touch(elastica_world *world, double friction) {
  DEFAULTS(contact, contact);
  contact.modulus = MODULUS;
  contact.friction = friction;
  if (friction > 0.0) contact.tangential_damping = 20.0, contact.damping = 30.0;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
}

/* ---- Convergence --------------------------------------------------------------------------------------------------------------------- */

typedef struct scene {
  const char *name;
  elastica_shape shape; /* of the lower body */
  int upper;            /* 0: a bar, 1: a ball, 2: none, on a plane */
  double friction;
  double until, most; /* [s] [m] */
} scene;

static const scene scenes[] = {
    {"bar on ball", ELASTICA_SHAPE_SPHERE, 0, 0.0, 0.02, 1e-6},
    {"bar on ball, friction", ELASTICA_SHAPE_SPHERE, 0, 0.4, 0.02, 1e-6},
    {"bar on capsule, friction", ELASTICA_SHAPE_CAPSULE, 0, 0.4, 0.02, 1e-6},
    {"bar on cylinder", ELASTICA_SHAPE_CYLINDER, 0, 0.0, 0.02, 1e-6},
    {"bar on box", ELASTICA_SHAPE_BOX, 0, 0.0, 0.02, 1e-6},
    {"bar on box, friction", ELASTICA_SHAPE_BOX, 0, 0.4, 0.02, 3e-6},
    {"ball on box, friction", ELASTICA_SHAPE_BOX, 1, 0.4, 0.02, 1e-6},
    {"ball on plane", ELASTICA_SHAPE_SPHERE, 2, 0.0, 0.05, 1e-6},
    {"ball on plane, friction", ELASTICA_SHAPE_SPHERE, 2, 0.4, 0.05, 1e-6},
    {"capsule on plane, friction", ELASTICA_SHAPE_CAPSULE, 2, 0.4, 0.05, 1e-6},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static void fill(elastica_world *world, const scene *of) {
  static const double origin[3] = {0.0, 0.0, 0.0}, still[3] = {0.0, 0.0, 0.0}, above[3] = {0.002, 0.003, 0.055};
  static const double top[] = {
      [ELASTICA_SHAPE_SPHERE] = 0.03, [ELASTICA_SHAPE_CAPSULE] = 0.08, [ELASTICA_SHAPE_CYLINDER] = 0.05, [ELASTICA_SHAPE_BOX] = 0.025};
  if (of->upper == 2) {
    const double falls[3] = {0.3, 0.1, -0.1}, turns[3] = {1.0, 0.0, 3.0};
    const double place[3] = {0.0, 0.0, of->shape == ELASTICA_SHAPE_CAPSULE ? 0.0799 : 0.0299};
    add_moving_body(world, of->shape, place, falls, turns);
    DEFAULTS(obstacle, floor_def);
    floor_def.kind = ELASTICA_OBSTACLE_ELASTIC;
    floor_def.modulus = MODULUS;
    floor_def.friction = of->friction;
    if (of->friction > 0.0) floor_def.tangential_damping = 20.0, floor_def.damping = 30.0;
    must(world, elastica_add_obstacle(world, NULL, &floor_def, NULL));
    must(world, elastica_add_gravity(world, (const double[]){0.0, 0.0, -G}, NULL));
    return;
  }
  add_moving_body(world, of->shape, origin, still, (const double[]){0.5, -1.0, 2.0});
  if (of->upper)
    add_moving_body(world, ELASTICA_SHAPE_SPHERE, above, (const double[]){0.2, 0.0, -0.2}, still);
  else
    add_bar(world, top[of->shape] + 0.0099, 0.2, 0.2);
  add_touch(world, of->friction);
}

/* Where friction begins to slide or to stick a step is of first order, and that of a first touch or of the end of a contact likewise. */
TEST_LONG(contact_of_bodies_converges_to_explicit_steps) {
  for (int s = 0; s < SCENES; s++) {
    double error[2];
    elastica_world *exact = make_world(NULL);
    fill(exact, &scenes[s]);
    must(exact, elastica_world_step(exact, scenes[s].until / FINE, FINE));
    for (int k = 0; k < 2; k++) {
      elastica_world *world = make_world(NULL);
      fill(world, &scenes[s]);
      run_by(world, scenes[s].until, scenes[s].until / (k ? 1024 : 256));
      error[k] = distance_of(world, exact);
      elastica_world_destroy(world);
    }
    if (!(error[1] <= scenes[s].most && error[0] >= 4.0 * error[1]))
      fail_msg("%s: errors %.3g and %.3g m\n", scenes[s].name, error[0], error[1]);
    elastica_world_destroy(exact);
  }
}

/* ---- Balances ------------------------------------------------------------------------------------------------------------------------ */

/* Sums linear and angular momentum about the origin of everything. */
static void find_momentum(elastica_world *world, double linear[3], double angular[3]) {
  elastica_totals totals;
  must(world, elastica_world_get_totals(world, &totals));
  for (int a = 0; a < 3; a++) linear[a] = totals.linear[a], angular[a] = totals.angular[a];
}

/* Forces of contact and friction are equal and opposite along one line: linear momentum is kept to rounding, angular momentum with the
 * second order of the step. Damped contact gains no energy; an impact without damping, over some 20 or 80 steps, gains its error,
 * likewise of second order. */
TEST(bars_and_bodies_that_meet_keep_their_momentum) {
  for (int s = 0; s < SCENES; s++) {
    double lost[2] = {0.0, 0.0}, gained[2], energy;
    if (scenes[s].upper == 2) continue;
    for (int k = 0; k < 2; k++) {
      double linear[2][3], angular[2][3];
      elastica_world *world = make_world(NULL);
      fill(world, &scenes[s]);
      energy = total_energy(world);
      find_momentum(world, linear[0], angular[0]);
      run_by(world, scenes[s].until, scenes[s].until / (k ? 512 : 128));
      find_momentum(world, linear[1], angular[1]);
      gained[k] = total_energy(world) / energy - 1.0;
      if (!(gained[k] <= (scenes[s].friction > 0.0 ? 1e-9 : k ? 5e-5 : 5e-4)))
        fail_msg("%s: gains %.3g of its energy", scenes[s].name, gained[k]);
      for (int a = 0; a < 3; a++) {
        assert_close(linear[1][a], linear[0][a], 1e-13);
        lost[k] = fmax(lost[k], fabs(angular[1][a] - angular[0][a]));
      }
      elastica_world_destroy(world);
    }
    if (!(gained[0] <= 1e-6 || gained[0] >= 8.0 * gained[1])) /* second order: 16 */
      fail_msg("%s: gains %.3g and %.3g of its energy", scenes[s].name, gained[0], gained[1]);
    if (!(lost[1] <= 1e-7 && lost[0] >= 8.0 * lost[1]))
      fail_msg("%s: angular momentum changes by %.3g and %.3g kg m^2/s", scenes[s].name, lost[0], lost[1]);
  }
}

/* On an incline a rolling ball gains 5/7 g sin(a) per time, and its spin that over its radius. A capsule across the incline rolls with its
 * own moment of inertia. */
TEST(round_bodies_roll_down_an_incline) {
  const double angle = 0.3, radius = 0.03, from = 0.1, to = 0.3;
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body(k ? ELASTICA_SHAPE_CAPSULE : ELASTICA_SHAPE_SPHERE);
    const double axes[9] = {1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0};
    def.density = 1000.0, def.radius = radius, def.length = 0.1;
    memcpy(def.director, axes, sizeof axes);
    def.position[2] = radius - 1e-5;
    elastica_rod *body = add_body(world, &def);
    const elastica_rod_view *view = elastica_rod_get_view(body);
    DEFAULTS(obstacle, floor_def);
    floor_def.kind = ELASTICA_OBSTACLE_ELASTIC;
    floor_def.modulus = 1e7;
    floor_def.friction = 0.8;
    floor_def.damping_ratio = floor_def.tangential_damping_ratio = 0.5;
    must(world, elastica_add_obstacle(world, NULL, &floor_def, NULL));
    must(world, elastica_add_gravity(world, (const double[]){G * sin(angle), 0.0, -G * cos(angle)}, NULL));
    run_by(world, from, 1e-3);
    const double first = view->velocity[0][0];
    run_by(world, to, 1e-3);
    const double ratio = view->inertia[2][0] / (view->mass[0] * radius * radius);
    const double gained = (view->velocity[0][0] - first) / (to - from);
    assert_close(gained * (1.0 + ratio) / (G * sin(angle)), 1.0, 1e-3);
    elastica_world_destroy(world);
  }
}

/* ---- Bits ---------------------------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of_run(const scene *of, int workers, int pieces) {
  const double dt = 0x1p-13;
  elastica_world_def world_def = default_world();
  world_def.worker_count = workers;
  elastica_world *world = make_world(&world_def);
  if (workers > 1) share_all_work(world);
  fill(world, of);
  for (int piece = 1; piece <= pieces; piece++) run_by(world, 64.0 * dt * piece / pieces, dt);
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(contact_of_bodies_keeps_its_bits_with_threads_and_pieces) {
  for (int s = 0; s < SCENES; s++) {
    const uint64_t expected = hash_of_run(&scenes[s], 1, 1);
    for (int k = 0; k < 2; k++)
      if (hash_of_run(&scenes[s], 1 + k, 2) != expected) fail_msg("%s: other bits", scenes[s].name);
  }
}

/* ---- Equilibria ---------------------------------------------------------------------------------------------------------------------- */

/* A bar across two balls, all on springs: Newton's method finds it in a few steps, and implicit steps leave it there. */
TEST(a_bar_rests_on_two_balls) {
  elastica_world *world = make_world(NULL);
  elastica_rod *ball[2];
  elastica_relax_result result;
  add_bar(world, 0.0395, 0.0, 0.0);
  for (int k = 0; k < 2; k++) {
    const double place[3] = {0.0, k ? 0.06 : -0.05, 0.0}, none[3] = {0.0, 0.0, 0.0};
    ball[k] = add_moving_body(world, ELASTICA_SHAPE_SPHERE, place, none, none);
    DEFAULTS(joint, spring);
    spring.kind = ELASTICA_JOINT_FIXED;
    spring.first.rod = ball[k];
    spring.stiffness = 2000.0, spring.angular_stiffness = 1.0;
    must(world, elastica_add_joint(world, &spring, NULL));
  }
  must(world, elastica_add_gravity(world, (const double[]){0.0, 0.0, -G}, NULL));
  DEFAULTS(joint, guide);
  guide.kind = ELASTICA_JOINT_FIXED;
  guide.first.rod = elastica_world_rod(world, 0);
  guide.first.element = N / 2;
  guide.stiffness = 100.0, guide.angular_stiffness = 0.1;
  must(world, elastica_add_joint(world, &guide, NULL));
  add_touch(world, 0.0);
  must(world, elastica_world_relax(world, NULL, &result));
  assert_int_equal(result.stable, 1);
  assert_true(result.evaluations <= 8);
  double before[3], after[3];
  for (int k = 0; k < 3; k++) before[k] = elastica_rod_get_view(elastica_world_rod(world, k))->position[2][0];
  take_implicit_steps(world, 1.0, 0.1, 1e-6);
  for (int k = 0; k < 3; k++) after[k] = elastica_rod_get_view(elastica_world_rod(world, k))->position[2][0];
  for (int k = 0; k < 3; k++) assert_close(after[k], before[k], 1e-9);
  elastica_world_destroy(world);
}

/* ---- Nothing passes through ---------------------------------------------------------------------------------------------------------- */

/* A bar that falls fast on a body at rest, and one that falls on a body that turns fast. */
TEST(no_bar_passes_through_a_body) {
  for (int shape = 0; shape < 4; shape++)
    for (int turns = 0; turns < 2; turns++) {
      const double origin[3] = {0.0, 0.0, 0.0}, none[3] = {0.0, 0.0, 0.0};
      elastica_world *world = make_world(NULL);
      add_moving_body(world, (elastica_shape)shape, origin, none, turns ? (const double[]){0.0, 30.0, 0.0} : none);
      add_bar(world, 0.12, 0.0, turns ? 0.3 : 5.0);
      add_touch(world, 0.3);
      DEFAULTS(implicit, def);
      def.until = 0.1;
      def.accuracy = 1e-3;
      must(world, elastica_world_run_implicit(world, &def, NULL));
      const elastica_rod_view *body = elastica_rod_get_view(elastica_world_rod(world, 0)),
                              *bar = elastica_rod_get_view(elastica_world_rod(world, 1));
      assert_true(bar->position[2][N / 2] > body->position[2][0]);
      elastica_world_destroy(world);
    }
}

/* A cube turns fast about each axis, beside a bar along the same axis: the turn limits the steps equally. */
TEST(the_turn_of_a_body_limits_steps_about_each_axis) {
  elastica_implicit_result result[3];
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def cube = default_body(ELASTICA_SHAPE_BOX);
    DEFAULTS(implicit, def);
    DEFAULTS(rod, bar);
    cube.density = 1000.0;
    for (int a = 0; a < 3; a++) cube.edges[a] = 0.1, cube.omega[a] = a == k ? 20.0 : 0.0;
    add_body(world, &cube);
    bar.element_count = N, bar.length = 0.2, bar.radius = 0.01, bar.density = 1200.0, bar.youngs_modulus = 1e7;
    for (int a = 0; a < 3; a++) bar.direction[a] = a == k;
    bar.start[k] = -0.1, bar.start[(k + 1) % 3] = 0.1;
    must(world, elastica_world_add_rod(world, &bar, NULL));
    add_touch(world, 0.0);
    def.until = 0.2;
    def.dt = 0.05;
    must(world, elastica_world_run_implicit(world, &def, &result[k]));
    elastica_world_destroy(world);
  }
  assert_true(result[0].steps > 4);
  for (int k = 1; k < 3; k++) assert_true(result[k].steps == result[0].steps && result[k].halved == result[0].halved);
}

/* With an accuracy, steps end where a load begins at once, also after a pause. */
TEST(a_step_ends_where_a_load_begins) {
  const double start = 0.505, force = 2.0;
  for (int moves = 0; moves < 2; moves++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = ball_def(0.05, 0.5);
    def.velocity[1] = moves;
    elastica_rod *ball = add_body(world, &def);
    DEFAULTS(point_load, load);
    DEFAULTS(implicit, run);
    load.force[0] = force;
    load.start_time = start;
    must(world, elastica_add_point_load(world, ball, &load, NULL));
    run.until = 1.0;
    run.accuracy = 1e-6;
    must(world, elastica_world_run_implicit(world, &run, NULL));
    const double path = 0.5 * force / 0.5 * (1.0 - start) * (1.0 - start);
    assert_close(body_now(ball).position[0], path, 1e-12);
    elastica_world_destroy(world);
  }
}
