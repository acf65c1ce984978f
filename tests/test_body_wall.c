/* Rigid bodies on walls: rest, rolling, sliding, impact, moving walls, and the forces on walls. */
#include "base/target.h"

#include "bodies.h"

static const double g_size = 9.81, dt = 1e-3;

/* A rough plane z = 0, or a smooth one with mu 0. */
static elastica_obstacle_def plane_def(double mu) {
  DEFAULTS(obstacle, def);
  def.stiffness = 1e4;
  for (int k = 0; k < 3; k++) def.static_friction[k] = def.kinetic_friction[k] = mu;
  if (mu > 0.0) def.slip_velocity = 1e-6;
  return def;
}

static elastica_effect *add_plane(elastica_world *world, double mu) {
  const elastica_obstacle_def def = plane_def(mu);
  elastica_effect *wall = NULL;
  must(world, elastica_add_obstacle(world, NULL, &def, &wall));
  return wall;
}

/* Gravity of an incline that rises along -x. */
static void incline(elastica_world *world, double angle) {
  const double g[3] = {g_size * sin(angle), 0.0, -g_size * cos(angle)};
  must(world, elastica_add_gravity(world, g, NULL));
}

static elastica_body_def resting(elastica_shape shape) {
  elastica_body_def def = default_body(shape);
  memcpy(def.director, unit_frame, sizeof def.director);
  def.radius = 0.1, def.length = 0.5;
  def.edges[0] = 0.2, def.edges[1] = 0.3, def.edges[2] = 0.4;
  def.density = 700.0;
  def.position[2] = shape == ELASTICA_SHAPE_BOX ? 0.2 : shape == ELASTICA_SHAPE_CYLINDER ? 0.25 : 0.1;
  return def;
}

/* Lays a capsule or cylinder along y. */
static void lay_down(elastica_body_def *def) {
  const double lying[9] = {1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0};
  memcpy(def->director, lying, sizeof lying);
  def->position[2] = def->radius;
}

/* ---- Rest ---- */

TEST(bodies_rest_on_a_plane_and_it_carries_their_weight) {
  for (int k = 0; k < 5; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = resting((elastica_shape)(k % 4));
    double force[3], couple[3];
    if (k == 1 || k == 4) lay_down(&def);
    if (k == 4) def.shape = ELASTICA_SHAPE_CYLINDER;
    def.position[0] = 2.0;
    elastica_rod *body = add_body(world, &def);
    elastica_effect *wall = add_plane(world, 0.5);
    incline(world, 0.0);
    must(world, elastica_world_step(world, dt, 2000));
    const elastica_body_info now = body_now(body);
    assert_all_close(now.position, def.position, 3, 1e-10);
    assert_all_close(now.director, def.director, 9, 1e-9);
    assert_close(norm(now.velocity) + norm(now.omega), 0.0, 1e-9);
    must(world, elastica_obstacle_get_force(wall, force, couple));
    assert_close(force[2] / (now.mass * g_size), -1.0, 1e-9);
    assert_close(couple[1] / (now.mass * g_size), 2.0, 1e-8); /* about the origin */
    elastica_world_destroy(world);
  }
}

/* A box does not slide below the angle of friction, and slides with g (sin - mu cos) above it. */
TEST(a_box_slides_beyond_the_angle_of_friction) {
  for (int k = 0; k < 2; k++) {
    const double mu = 0.4, angle = atan(mu) * (k == 0 ? 0.95 : 1.3);
    elastica_world *world = make_world(NULL);
    elastica_body_def def = resting(ELASTICA_SHAPE_BOX);
    def.position[2] = 0.05, def.edges[2] = 0.1;
    elastica_rod *body = add_body(world, &def);
    add_plane(world, mu);
    incline(world, angle);
    must(world, elastica_world_step(world, dt, 1000));
    const double expected = k == 0 ? 0.0 : g_size * (sin(angle) - mu * cos(angle));
    assert_close(body_now(body).velocity[0], expected, 1e-6);
    assert_close(body_now(body).velocity[2], 0.0, 1e-9);
    assert_close(norm(body_now(body).omega), 0.0, 1e-6);
    elastica_world_destroy(world);
  }
}

/* ---- Sliding ---- */

/* A flat body on a rough plane, with its first axis at an angle to x. */
static elastica_body_def flat_body(elastica_shape shape, double angle) {
  const double c = cos(angle), s = sin(angle), frame[9] = {c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0};
  elastica_body_def def = resting(shape);
  memcpy(def.director, frame, sizeof frame);
  def.radius = 0.05, def.length = 0.05;
  def.edges[0] = 0.4, def.edges[1] = 0.1, def.edges[2] = 0.05;
  def.position[2] = 0.025;
  return def;
}

/* The force is mu m g against the slip in each direction of a body, so it does not turn, and stops on a straight line. */
TEST(friction_opposes_the_slip_in_every_direction) {
  for (int k = 0; k < 14; k++) {
    const double mu = 0.3, angle = k / 2 * 0.26, speed = 1.0, T = 0.2;
    elastica_world *world = make_world(NULL);
    elastica_body_def def = flat_body(k % 2 ? ELASTICA_SHAPE_BOX : ELASTICA_SHAPE_CYLINDER, 0.0);
    set_vector(def.velocity, 0, speed * cos(angle), speed * sin(angle), 0.0);
    elastica_rod *body = add_body(world, &def);
    add_plane(world, mu);
    incline(world, 0.0);
    must(world, elastica_world_step(world, dt, (long)(T / dt)));
    const elastica_body_info now = body_now(body);
    const double left = speed - mu * g_size * T, way = (speed - 0.5 * mu * g_size * T) * T;
    assert_close(now.velocity[0], left * cos(angle), 1e-10);
    assert_close(now.velocity[1], left * sin(angle), 1e-10);
    assert_close(now.position[0] * sin(angle) - now.position[1] * cos(angle), 0.0, 1e-10);
    assert_close(now.position[0] * cos(angle) + now.position[1] * sin(angle), way, 1e-3);
    assert_all_close(now.director, def.director, 9, 1e-10);
    elastica_world_destroy(world);
  }
}

/* Half of the weight on each end: J omega' = -mu m g L/2. */
TEST(friction_slows_a_spinning_capsule) {
  const double mu = 0.4, spin = 20.0, T = 0.1;
  elastica_world *world = make_world(NULL);
  elastica_body_def def = resting(ELASTICA_SHAPE_CAPSULE);
  lay_down(&def);
  def.omega[1] = spin; /* about the vertical */
  elastica_rod *body = add_body(world, &def);
  add_plane(world, mu);
  incline(world, 0.0);
  must(world, elastica_world_step(world, 1e-4, 1000));
  const elastica_body_info now = body_now(body);
  const double J = fmax(now.moments[0], now.moments[1]);
  assert_close(now.omega[1], spin - mu * now.mass * g_size * 0.5 * def.length / J * T, 1e-3);
  elastica_world_destroy(world);
}

/* At 0.99 of the friction angle a body stands, whatever the direction of the slope. */
TEST(bodies_stand_just_below_the_angle_of_friction) {
  for (int k = 0; k < 8; k++) {
    const double mu = 0.3;
    elastica_world *world = make_world(NULL);
    const elastica_body_def def = flat_body(k % 2 ? ELASTICA_SHAPE_BOX : ELASTICA_SHAPE_CYLINDER, k / 2 * 0.35);
    elastica_rod *body = add_body(world, &def);
    add_plane(world, mu);
    incline(world, atan(0.99 * mu));
    must(world, elastica_world_step(world, dt, 1000));
    const elastica_body_info now = body_now(body);
    assert_all_close(now.position, def.position, 3, 1e-10);
    assert_close(norm(now.velocity), 0.0, 1e-12);
    elastica_world_destroy(world);
  }
}

/* Slides and spins on a slope; seen from axes at `turn` to those of the laboratory, mirrored if mirror is -1, with the axes of the body
 * turned by half a turn if relabelled. Writes its place, its speed and its spin. */
static void slide(elastica_shape shape, double turn, double mirror, int relabelled, double out[5]) {
  const double c = cos(turn), s = sin(turn);
  elastica_world *world = make_world(NULL);
  elastica_body_def def = flat_body(shape, turn + mirror * 0.3 + (relabelled ? acos(-1.0) : 0.0));
  const double v[2] = {1.0, 0.5 * mirror}, pull[2] = {2.0, mirror};
  const double g[3] = {c * pull[0] - s * pull[1], s * pull[0] + c * pull[1], -g_size};
  set_vector(def.velocity, 0, c * v[0] - s * v[1], s * v[0] + c * v[1], 0.0);
  def.omega[2] = 8.0 * mirror;
  elastica_rod *body = add_body(world, &def);
  add_plane(world, 0.3);
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_world_step(world, 5e-4, 200));
  const elastica_body_info now = body_now(body);
  out[0] = c * now.position[0] + s * now.position[1];
  out[1] = mirror * (c * now.position[1] - s * now.position[0]);
  out[2] = c * now.velocity[0] + s * now.velocity[1];
  out[3] = mirror * (c * now.velocity[1] - s * now.velocity[0]);
  out[4] = mirror * now.omega[2];
  elastica_world_destroy(world);
}

/* The share of each point in the weight is statically indeterminate, but depends neither on axes nor on the order of points. */
TEST(a_turned_a_mirrored_and_a_relabelled_body_slide_alike) {
  for (int k = 0; k < 2; k++) {
    const elastica_shape shape = k ? ELASTICA_SHAPE_BOX : ELASTICA_SHAPE_CYLINDER;
    double first[5], other[5];
    slide(shape, 0.0, 1.0, 0, first);
    slide(shape, 0.7, 1.0, 0, other);
    assert_all_close(other, first, 5, 1e-10);
    slide(shape, 0.0, -1.0, 0, other);
    assert_all_close(other, first, 5, 1e-10);
    slide(shape, 0.0, 1.0, 1, other);
    assert_all_close(other, first, 5, 1e-10);
  }
}

/* A box slides along a groove of two planes with friction in both: v' = -mu (R1 + R2)/m. */
TEST(friction_of_two_walls_adds_up_in_a_groove) {
  const double mu = 0.3, g[3] = {0.0, -5.0, -9.0};
  elastica_world *world = make_world(NULL);
  elastica_body_def def = flat_body(ELASTICA_SHAPE_BOX, 0.0);
  elastica_obstacle_def wall = plane_def(mu);
  def.velocity[0] = 1.0, def.position[1] = 0.05;
  elastica_rod *body = add_body(world, &def);
  must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
  set_vector(wall.normal, 0, 0.0, 1.0, 0.0);
  must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
  must(world, elastica_add_gravity(world, g, NULL));
  must(world, elastica_world_step(world, dt, 100));
  assert_close(body_now(body).velocity[0], 1.0 - mu * 14.0 * 0.1, 1e-10);
  assert_close(norm(body_now(body).omega), 0.0, 1e-10);
  elastica_world_destroy(world);
}

/* ---- Rolling ---- */

/* x'' = g sin/(1 + J/(m r^2)): 5/7 for a ball, 2/3 for a solid cylinder. Beyond tan = mu (1 + m r^2/J) it slips: g (sin - mu cos). */
TEST(balls_and_cylinders_roll_down_an_incline) {
  for (int k = 0; k < 6; k++) {
    const int ball = k < 3;
    const double mu = 0.4, angle = k % 3 == 0 ? 0.1 : k % 3 == 1 ? 0.5 : 1.2, T = 0.5;
    elastica_world *world = make_world(NULL);
    elastica_body_def def = resting(ball ? ELASTICA_SHAPE_SPHERE : ELASTICA_SHAPE_CYLINDER);
    if (!ball) lay_down(&def);
    elastica_rod *body = add_body(world, &def);
    add_plane(world, mu);
    incline(world, angle);
    must(world, elastica_world_step(world, dt, (long)(T / dt)));
    const elastica_body_info now = body_now(body);
    const double ratio = ball ? 0.4 : 0.5;
    const int rolls = tan(angle) <= mu * (1.0 + 1.0 / ratio);
    const double a = rolls ? g_size * sin(angle) / (1.0 + ratio) : g_size * (sin(angle) - mu * cos(angle));
    assert_close(now.velocity[0] / (a * T), 1.0, ball ? 1e-9 : 1e-5);
    assert_close(now.position[0] / (0.5 * a * T * T), 1.0, ball ? 1e-9 : 1e-5);
    double spin[3];
    apply_transposed(now.director, now.omega, spin);
    if (rolls) assert_close(spin[1] * 0.1, now.velocity[0], ball ? 1e-12 : 1e-4);
    assert_close(now.position[2], 0.1, ball ? 1e-12 : 1e-6);
    elastica_world_destroy(world);
  }
}

/* A ball thrown without spin slips and then rolls at 5/7 of its speed, for any friction. */
TEST(a_thrown_ball_ends_in_rolling) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = resting(ELASTICA_SHAPE_SPHERE);
  def.velocity[1] = 0.7;
  elastica_rod *body = add_body(world, &def);
  add_plane(world, 0.2);
  incline(world, 0.0);
  must(world, elastica_world_step(world, dt, 1000));
  assert_close(body_now(body).velocity[1], 0.5, 1e-9);
  elastica_world_destroy(world);
}

/* ---- Impact ---- */

TEST_LONG(bodies_that_fall_on_a_wall_come_to_rest_above_it_and_gain_no_energy) {
  for (int k = 0; k < 12; k++) {
    elastica_world *world = make_world(NULL);
    random_source source = {(uint64_t)k};
    elastica_body_def def = resting((elastica_shape)(k % 4));
    double phi[3];
    random_vector(&source, 2.0, phi);
    turn_frame(phi, def.director);
    random_vector(&source, 2.0, def.omega);
    def.position[2] = 0.8;
    elastica_rod *body = add_body(world, &def);
    add_plane(world, 0.3);
    incline(world, 0.0);
    elastica_totals energy;
    must(world, elastica_world_get_totals(world, &energy));
    const double first = energy.translation + energy.rotation + energy.effects;
    double lowest = first, rise = 0.0;
    for (int step = 0; step < 4000; step++) {
      must(world, elastica_world_step(world, dt, 1));
      must(world, elastica_world_get_totals(world, &energy));
      const double now = energy.translation + energy.rotation + energy.effects;
      if (now - lowest > rise) rise = now - lowest;
      if (now < lowest) lowest = now;
    }
    const elastica_body_info now = body_now(body);
    assert_between(rise / first, 0.0, 5e-3);
    assert_true(now.position[2] > 0.09 && now.position[2] < 0.5);
    assert_between(energy.translation + energy.rotation, 0.0, 0.1 * first);
    elastica_world_destroy(world);
  }
}

TEST(a_ball_stays_outside_each_shape) {
  for (int k = ELASTICA_SHAPE_SPHERE; k <= ELASTICA_SHAPE_BOX; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = resting(ELASTICA_SHAPE_SPHERE);
    elastica_obstacle_def wall = plane_def(0.0);
    wall.shape = (elastica_shape)k;
    wall.radius = 0.5, wall.length = 1.0;
    if (k == ELASTICA_SHAPE_CAPSULE) wall.normal[0] = 1.0, wall.normal[2] = 0.0;
    for (int a = 0; a < 3; a++) wall.edges[a] = 1.0;
    def.position[2] = 0.9;
    elastica_rod *body = add_body(world, &def);
    must(world, elastica_add_obstacle(world, body, &wall, NULL));
    incline(world, 0.0);
    must(world, elastica_world_step(world, dt, 1000));
    assert_close(body_now(body).position[2], 0.6, 1e-9);
    elastica_world_destroy(world);
  }
}

/* ---- Moving walls, and momentum ---- */

static elastica_status lift(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)director, (void)omega;
  position[2] = 0.5 * time * time;
  velocity[2] = time;
  return ELASTICA_OK;
}

TEST(a_rising_wall_lifts_the_body_on_it) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = resting(ELASTICA_SHAPE_BOX);
  elastica_obstacle_def wall = plane_def(0.0);
  double force[3];
  elastica_effect *effect;
  wall.motion = lift;
  elastica_rod *body = add_body(world, &def);
  must(world, elastica_add_obstacle(world, NULL, &wall, &effect));
  incline(world, 0.0);
  must(world, elastica_world_step(world, dt, 1000));
  assert_close(body_now(body).velocity[2], 1.0, 2.0 * dt);
  assert_close(body_now(body).position[2], 0.2 + 0.5, 2.0 * dt);
  must(world, elastica_obstacle_get_force(effect, force, NULL));
  assert_close(force[2] / body_now(body).mass, -(g_size + 1.0), 1e-3); /* it still rises from its initial overlap */
  elastica_world_destroy(world);
}

static elastica_status convey(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)director, (void)omega;
  for (int a = 0; a < 3; a++) velocity[a] = ((const double *)user)[a], position[a] = velocity[a] * time;
  return ELASTICA_OK;
}

/* A rough floor across each axis moves along the other two: the body on it slides until it moves with the floor. */
TEST(a_moving_floor_carries_the_body_on_it) {
  for (int k = 0; k < 3; k++) {
    double speed[3] = {0.2, 0.3, -0.1}, down[3] = {0.0, 0.0, 0.0};
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body(ELASTICA_SHAPE_BOX);
    elastica_obstacle_def wall = plane_def(0.6);
    speed[k] = 0.0, down[k] = -g_size;
    for (int a = 0; a < 3; a++) def.edges[a] = 0.2, wall.normal[a] = a == k;
    def.density = 700.0, def.position[k] = 0.1;
    wall.motion = convey, wall.user = speed;
    elastica_rod *body = add_body(world, &def);
    must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
    must(world, elastica_add_gravity(world, down, NULL));
    must(world, elastica_world_step(world, dt, 500));
    const elastica_body_info info = body_now(body);
    for (int a = 0; a < 3; a++) assert_close(info.velocity[a], speed[a], 1e-3);
    elastica_world_destroy(world);
  }
}

static elastica_status turn_table(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double angle = *(const double *)user * time, turned[9] = {cos(angle), sin(angle), 0.0, -sin(angle), cos(angle), 0.0, 0.0, 0.0, 1.0};
  (void)position, (void)velocity;
  memcpy(director, turned, sizeof turned);
  omega[2] = *(const double *)user;
  return ELASTICA_OK;
}

/* omega^2 r is half of mu g: the box keeps its place on the table at any step. */
TEST_LONG(a_box_stays_on_a_turntable) {
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = resting(ELASTICA_SHAPE_BOX);
    double rate = 5.0;
    for (int a = 0; a < 3; a++) def.edges[a] = 0.1;
    set_vector(def.position, 0, 0.2, 0.0, 0.05);
    set_vector(def.velocity, 0, 0.0, rate * 0.2, 0.0);
    def.omega[2] = rate;
    elastica_rod *body = add_body(world, &def);
    elastica_obstacle_def wall = plane_def(0.9);
    wall.motion = turn_table, wall.user = &rate;
    must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
    incline(world, 0.0);
    if (k == 0)
      must(world, elastica_world_advance(world, 4.0));
    else
      must(world, elastica_world_step(world, k == 1 ? 4e-3 : 5e-4, k == 1 ? 1000 : 8000));
    const elastica_body_info now = body_now(body);
    assert_close(sqrt(now.position[0] * now.position[0] + now.position[1] * now.position[1]), 0.2, 1e-6);
    elastica_world_destroy(world);
  }
}

/* A cylinder, tilted and spinning about the vertical, on a rough plane: rolling of the rim does not restore energy dissipated by
 * friction. The initial energy is below the barrier, the cylinder upright on its edge. */
TEST(a_spinning_cylinder_does_not_climb_over_its_edge) {
  const double r = 0.03, half = 0.03, tilt = 0.3, c = cos(tilt), s = sin(tilt);
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body(ELASTICA_SHAPE_CYLINDER);
    const double frame[9] = {c, 0.0, -s, 0.0, 1.0, 0.0, s, 0.0, c};
    memcpy(def.director, frame, sizeof frame);
    def.radius = r, def.length = 2.0 * half, def.density = 1000.0;
    def.position[2] = half * c + r * s + 1e-6;
    def.omega[0] = -10.0 * s, def.omega[2] = 10.0 * c; /* about the vertical, material */
    elastica_rod *body = add_body(world, &def);
    elastica_obstacle_def wall = plane_def(k ? 1.0 : 0.6);
    wall.stiffness = 1.0;
    must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
    incline(world, 0.0);
    for (int frame_of = 0; frame_of < 300; frame_of++) must(world, elastica_world_advance(world, 1.0 / 60.0));
    assert_true(body_now(body).director[8] > 0.9); /* it is still upright */
    elastica_world_destroy(world);
  }
}

/* On a smooth plane, spinning about its axis while it turns: the ends follow circles at constant height. */
TEST(a_spinning_capsule_keeps_its_height) {
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = resting(k % 2 ? ELASTICA_SHAPE_CYLINDER : ELASTICA_SHAPE_CAPSULE);
    lay_down(&def);
    def.omega[2] = 15.0, def.omega[1] = 3.0;
    elastica_rod *body = add_body(world, &def);
    elastica_obstacle_def wall = plane_def(0.0);
    wall.stiffness = k < 2 ? 0.0 : 1e3;
    must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
    incline(world, 0.0);
    for (int frame = 0; frame < 60; frame++) {
      must(world, elastica_world_advance(world, 1.0 / 60.0));
      assert_between(body_now(body).position[2], def.radius * (1.0 - 2e-3), def.radius * 1.3);
    }
    elastica_world_destroy(world);
  }
}

/* ---- Refusals ---- */

TEST(shapes_that_a_wall_cannot_touch_are_refused) {
  elastica_world *world = make_world(NULL);
  const elastica_body_def box = resting(ELASTICA_SHAPE_BOX), capsule = resting(ELASTICA_SHAPE_CAPSULE);
  elastica_obstacle_def wall = plane_def(0.0);
  elastica_rod *first = add_body(world, &box), *second = add_body(world, &capsule);
  wall.shape = ELASTICA_SHAPE_SPHERE, wall.radius = 0.1, wall.position[2] = -5.0;
  assert_refused(world, elastica_add_obstacle(world, first, &wall, NULL), ELASTICA_INVALID_ARGUMENT, "add_obstacle", "rod 0", "planes");
  must(world, elastica_add_obstacle(world, second, &wall, NULL));
  wall.shape = ELASTICA_SHAPE_CYLINDER, wall.length = 1.0;
  assert_refused(world, elastica_add_obstacle(world, second, &wall, NULL), ELASTICA_INVALID_ARGUMENT, "rod 1", "spheres");
  wall = plane_def(0.0);
  wall.balance = ELASTICA_BALANCE_ELEMENTS;
  assert_refused(world, elastica_add_obstacle(world, NULL, &wall, NULL), ELASTICA_INVALID_ARGUMENT, "NODES");
  wall.balance = ELASTICA_BALANCE_NODES, wall.position[2] = 0.3;
  assert_refused(world, elastica_add_obstacle(world, first, &wall, NULL), ELASTICA_INVALID_ARGUMENT, "inside");
  elastica_world_destroy(world);
}

/* ---- On a ball ---- */

/* A capsule lies across a smooth ball that supports it beside its centre, at the arm d along y: N = m g/(1 + m d^2/I), and the capsule
 * begins to turn by N d/I. */
TEST(a_capsule_on_a_ball_is_supported_at_one_point) {
  for (int k = 0; k < 3; k++) {
    const double radius = 0.3, aside[3] = {0.0, 0.1, -0.2}, tiny = 1e-6;
    elastica_world *world = make_world(NULL);
    elastica_body_def def = resting(ELASTICA_SHAPE_CAPSULE);
    lay_down(&def);
    def.position[1] = -aside[k], def.position[2] = radius + def.radius;
    elastica_rod *body = add_body(world, &def);
    DEFAULTS(obstacle, ball);
    ball.shape = ELASTICA_SHAPE_SPHERE, ball.radius = radius, ball.stiffness = 1e4;
    must(world, elastica_add_obstacle(world, NULL, &ball, NULL));
    incline(world, 0.0);
    must(world, elastica_world_step(world, tiny, 1));
    const elastica_rod_view *view = elastica_rod_get_view(body);
    const elastica_body_info info = body_now(body);
    const double mass = view->mass[0], inertia = info.moments[0], d = aside[k], support = mass * g_size / (1.0 + mass * d * d / inertia);
    assert_close(view->velocity[2][0] / tiny, support / mass - g_size, 1e-6);
    assert_close(view->omega[0][0] / tiny, support * d / inertia, 1e-6 * g_size / def.radius);
    elastica_world_destroy(world);
  }
}
