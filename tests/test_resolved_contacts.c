/* Steps that the library chooses resolve contact: undamped bodies and soft rods keep their energy when they bounce on much stiffer
 * things, bodies on walls move by small parts of their size, and the results do not depend on the division of a run into calls.
 */
#include "bodies.h"
#include "obstacles.h"

/* The sum of kinetic, elastic, gravitational and contact energy. */
static double all_energy(elastica_world *world, double *kinetic) {
  elastica_totals e;
  must(world, elastica_world_get_totals(world, &e));
  if (kinetic != NULL && e.translation + e.rotation > *kinetic) *kinetic = e.translation + e.rotation;
  return e.translation + e.rotation + e.bending + e.shear + e.effects;
}

static void add_weight(elastica_world *world, double x, double z) {
  const double gravity[3] = {x, 0.0, z};
  must(world, elastica_add_gravity(world, gravity, NULL));
}

/* ---- Undamped balls ---- */

typedef struct bounce {
  double drop, modulus, seconds, frame, share; /* [m], [Pa], [s], [s], allowed change of its energy as a share */
} bounce;

/* Some 940 bounces in a minute; in other cases bounces of 2 to 400 ms each. */
TEST(undamped_balls_keep_bouncing_to_their_height) {
  static const bounce bounces[] = {{0.005, 1e5, 60.0, 1.0 / 60.0, 0.1}, {0.01, 1e4, 20.0, 1.0 / 60.0, 0.05}, {0.05, 1e6, 20.0, 0.3, 0.05},
                                   {0.3, 1e7, 20.0, 20.0, 0.05},        {0.3, 1e9, 2.0, 0.01, 0.03},         {2.0, 1e5, 20.0, 1.0, 0.03}};
  for (size_t k = 0; k < sizeof bounces / sizeof *bounces; k++) {
    const bounce *b = &bounces[k];
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
    elastica_rod *ball;
    elastica_body_info info;
    def.radius = 0.05, def.density = 700.0;
    set_vector(def.position, 0, 0, 0, 0.05 + b->drop);
    must(world, elastica_world_add_body(world, &def, &ball));
    must(world, elastica_body_get(ball, &info));
    add_weight(world, 0.0, -g);
    const elastica_obstacle_def floor = obstacle_of(ELASTICA_SHAPE_PLANE, b->modulus);
    add_obstacle_to(world, &floor);
    const double level = info.mass * g * 0.05, energy = all_energy(world, NULL) - level;
    const long frames = lround(b->seconds / b->frame);
    for (long f = 0; f < frames; f++) must(world, elastica_world_advance(world, b->frame));
    assert_between(all_energy(world, NULL) - level, (1.0 - b->share) * energy, (1.0 + b->share) * energy);
    elastica_world_destroy(world);
  }
}

/* ---- Soft rods ---- */

enum { PINNED, FREE, ON_A_ROD, ON_A_ROUGH_ROD };

/* A rod of E = 0.76 MPa, 0.33 m long, that swings or falls against an obstacle, or across a held rod, `ratio` times as stiff. */
static elastica_world *make_soft(int kind, double ratio) {
  const double radius = 0.018, length = 0.33, modulus = 7.6e5;
  elastica_world *world = make_world(NULL);
  const double start[3] = {0.0, 0.0, 1.05 * length}, direction[3] = {1.0, 0.12, 0.05};
  elastica_rod *rod = add_stick(world, 26, start, direction, length, radius, modulus);
  add_weight(world, 0.0, -g);
  if (kind >= ON_A_ROD) {
    const double below[3] = {0.13, -0.1, 0.93 * length}, across[3] = {0.0, 1.0, 0.0};
    elastica_rod *held = add_stick(world, 3, below, across, 0.3, radius, 10.0 * modulus);
    for (int k = 0; k <= 3; k++) {
      DEFAULTS(boundary, pin);
      pin.node = k, pin.kind = k < 3 ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_PIN, pin.element = k % 3;
      must(world, elastica_add_boundary(world, held, &pin, NULL));
    }
    DEFAULTS(contact, contact);
    contact.modulus = ratio * modulus;
    contact.self = 0;
    contact.friction = kind == ON_A_ROUGH_ROD ? 0.5 : 0.0;
    must(world, elastica_add_contact(world, NULL, &contact, NULL));
    return world;
  }
  elastica_obstacle_def plane = obstacle_of(ELASTICA_SHAPE_PLANE, ratio * modulus);
  if (kind == PINNED) {
    DEFAULTS(boundary, pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
    set_vector(plane.position, 0, -0.03, 0, 0);
    set_vector(plane.normal, 0, 1, 0, 0.1);
  } else {
    set_vector(plane.position, 0, 0, 0, 0.7 * length);
    set_vector(plane.normal, 0, 0.1, 0, 1);
  }
  add_obstacle_to(world, &plane);
  return world;
}

TEST(soft_rods_keep_their_energy_on_stiff_things) {
  static const double ratio[] = {30.0, 1434.0, 1e4}, durations[] = {0.6, 1.0 / 60.0};
  for (int k = 0; k < 3 * 3 * 2; k += TESTS_ONE_ROUND_IN) {
    elastica_world *world = make_soft(k / 6, ratio[k / 2 % 3]);
    const double duration = durations[k % 2];
    double kinetic = 0.0, worst = 0.0;
    const double energy = all_energy(world, NULL);
    for (double t = 0.0; t < 0.6 - 1e-9; t += duration) {
      must(world, elastica_world_advance(world, duration));
      const double change = fabs(all_energy(world, &kinetic) - energy);
      if (change > worst) worst = change;
    }
    if (!(worst <= 0.01 * kinetic))
      fail_msg("scene %d, ratio %g, calls of %g s: %g of the kinetic energy", k / 6, ratio[k / 2 % 3], duration, worst / kinetic);
    elastica_world_destroy(world);
  }
}

/* Contacts that begin and end in the middle of a call, calls of one step each, an observer, snapshots. */
static elastica_status nothing(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  long *steps = self;
  (void)rod;
  assert_int_equal(now->step, *steps);
  (*steps)++;
  return ELASTICA_OK;
}

/* Continues in another world, built in the same way. */
static elastica_world *saved_and_loaded(elastica_world *world, int kind) {
  const size_t size = size_of_snapshot(world);
  void *bytes = malloc(size);
  must(world, elastica_world_snapshot_save(world, bytes, size, NULL));
  elastica_world_destroy(world);
  world = make_soft(kind, 300.0);
  must(world, elastica_world_snapshot_load(world, bytes, size));
  free(bytes);
  return world;
}

TEST_LONG(bits_do_not_tell_how_a_bouncing_rod_was_run) {
  for (int kind = PINNED; kind <= ON_A_ROUGH_ROD; kind++) {
    uint64_t hash[4];
    long steps[4];
    for (int how = 0; how < 4; how++) {
      elastica_world *world = make_soft(kind, 300.0);
      elastica_run_result result = {0};
      long seen = 0;
      elastica_module module = module_named("nothing");
      module.self = &seen;
      module.observe = nothing;
      if (how == 2) must(world, elastica_world_add_module(world, elastica_world_rod(world, 0), &module, NULL));
      DEFAULTS(run, run);
      run.until = 0.4;
      if (how == 1) run.most_steps = 1;
      if (how == 3) run.most_steps = 777;
      while (!result.finished) {
        must(world, elastica_world_run(world, &run, &result));
        if (how == 3) world = saved_and_loaded(world, kind);
      }
      hash[how] = hash_world(world);
      steps[how] = elastica_world_get(world).step_count;
      if (how == 2) assert_int_equal(seen, steps[how]);
      elastica_world_destroy(world);
    }
    for (int how = 1; how < 4; how++) {
      assert_int_equal(steps[how], steps[0]);
      assert_true(hash[how] == hash[0]);
    }
  }
}

/* ---- Ropes that swing far from each other ---- */

static long steps_of_two_ropes(int may_touch) {
  elastica_world *world = make_world(NULL);
  for (int k = 0; k < 2; k++) {
    const double start[3] = {0.0, 100.0 * k, 0.0}, along[3] = {1.0, 0.0, 0.0};
    elastica_rod *rod = add_stick(world, 30, start, along, 1.0, 0.01, 1e6);
    DEFAULTS(boundary, pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
  }
  add_weight(world, 0.0, -g);
  if (may_touch) {
    DEFAULTS(contact, contact);
    contact.modulus = 1e6;
    must(world, elastica_add_contact(world, NULL, &contact, NULL));
  }
  must(world, elastica_world_advance(world, 0.5));
  const long steps = elastica_world_get(world).step_count;
  elastica_world_destroy(world);
  return steps;
}

TEST(distant_rods_shorten_no_step) {
  assert_int_equal(steps_of_two_ropes(1), steps_of_two_ropes(0));
}

/* ---- Bodies on walls ---- */

static const double frames[] = {1.0 / 60.0, 0.1, 0.2, 1.0, 2.0};
enum { FRAMES = sizeof frames / sizeof *frames };

static elastica_obstacle_def rough_wall(double stiffness, double mu, double slip_velocity) {
  DEFAULTS(obstacle, def);
  def.stiffness = stiffness;
  def.slip_velocity = slip_velocity;
  for (int a = 0; a < 3; a++) def.static_friction[a] = def.kinetic_friction[a] = mu;
  return def;
}

TEST(a_ball_rolls_down_a_slope_in_calls_of_any_duration) {
  for (int k = 0; k < FRAMES; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
    elastica_rod *ball;
    elastica_body_info info;
    def.radius = 0.05, def.density = 1000.0;
    set_vector(def.position, 0, 0, 0, 0.05);
    must(world, elastica_world_add_body(world, &def, &ball));
    add_weight(world, 3.355, -9.218);
    const elastica_obstacle_def wall = rough_wall(0.0, 0.5, 1e-6);
    must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
    while (elastica_world_get(world).time < 2.0 - 1e-9) must(world, elastica_world_advance(world, frames[k]));
    must(world, elastica_body_get(ball, &info));
    assert_close(info.velocity[0], 5.0 / 7.0 * 3.355 * elastica_world_get(world).time, 1e-6);
    elastica_world_destroy(world);
  }
}

/* Small and fast or slow balls from a height: each ends rolling on the floor at 5/7 of its speed at most. */
TEST(a_ball_that_falls_on_a_rough_floor_ends_rolling) {
  static const double radius[] = {0.003, 0.05}, speed[] = {0.3, 3.0};
  for (int k = 0; k < FRAMES * 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
    elastica_rod *ball;
    elastica_body_info info;
    def.radius = radius[k % 2], def.density = 2500.0;
    set_vector(def.position, 0, 0, 0, def.radius + 0.09);
    set_vector(def.velocity, 0, speed[k / 2 % 2], 0, 0);
    must(world, elastica_world_add_body(world, &def, &ball));
    add_weight(world, 0.0, -g);
    const elastica_obstacle_def wall = rough_wall(100.0, 0.3, 1e-3);
    must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
    while (elastica_world_get(world).time < 2.0 - 1e-9) must(world, elastica_world_advance(world, frames[k / 4]));
    must(world, elastica_body_get(ball, &info));
    assert_close(info.velocity[0], 5.0 / 7.0 * def.velocity[0], 0.01 * def.velocity[0]);
    assert_close(info.omega[1] * def.radius, info.velocity[0], 0.01 * def.velocity[0]);
    assert_close(info.position[2], def.radius, 0.01 * def.radius);
    elastica_world_destroy(world);
  }
}

/* Two walls at 60 degrees to the floor: the centre of a cube of 0.1 m is never nearer than 0.05 m to either. Its final place is that of
 * steps of 5e-6 s with each wall solved singly: 0.12117 m (0.12106 m with steps of 1e-5 s). */
TEST_LONG(a_box_stays_in_its_groove) {
  const double angle = acos(-1.0) / 3.0, s = sqrt(0.5), turned[9] = {s, 0, -s, 0, 1, 0, s, 0, s};
  for (int k = 0; k < FRAMES; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body(ELASTICA_SHAPE_BOX);
    elastica_rod *box;
    elastica_body_info info;
    for (int a = 0; a < 3; a++) def.edges[a] = 0.1;
    def.density = 700.0;
    set_vector(def.position, 0, 0, 0, 0.2);
    set_vector(def.velocity, 0, 0.1, 0, -0.5);
    memcpy(def.director, turned, sizeof turned);
    must(world, elastica_world_add_body(world, &def, &box));
    add_weight(world, 0.0, -g);
    for (int side = -1; side <= 1; side += 2) {
      elastica_obstacle_def wall = rough_wall(1e3, 0.3, 1e-3);
      set_vector(wall.normal, 0, -side * sin(angle), 0, cos(angle));
      must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
    }
    while (elastica_world_get(world).time < 2.0 - 1e-9) must(world, elastica_world_advance(world, frames[k]));
    must(world, elastica_body_get(box, &info));
    for (int side = -1; side <= 1; side += 2)
      assert_true(side * sin(angle) * info.position[0] + cos(angle) * info.position[2] > 0.05 - 1e-4);
    assert_close(info.position[2], 0.1212, 0.0002);
    elastica_world_destroy(world);
  }
}

/* Acceleration g (sin 20 - 0.35 cos 20) along the slope, and no motion below its surface. */
TEST(a_box_slides_on_the_surface) {
  const double angle = acos(-1.0) / 9.0;
  for (int k = 0; k < FRAMES; k++) {
    elastica_world *world = make_world(NULL);
    elastica_body_def def = default_body(ELASTICA_SHAPE_BOX);
    elastica_rod *box;
    elastica_body_info info;
    def.edges[0] = def.edges[1] = 0.2, def.edges[2] = 0.04;
    def.density = 1000.0;
    set_vector(def.position, 0, 0, 0, 0.02);
    must(world, elastica_world_add_body(world, &def, &box));
    add_weight(world, g * sin(angle), -g * cos(angle));
    const elastica_obstacle_def wall = rough_wall(0.0, 0.35, 1e-6);
    must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
    while (elastica_world_get(world).time < 4.0 - 1e-9) must(world, elastica_world_advance(world, frames[k]));
    must(world, elastica_body_get(box, &info));
    assert_close(info.velocity[0], g * (sin(angle) - 0.35 * cos(angle)) * elastica_world_get(world).time, 1e-5);
    assert_close(info.position[2], 0.02, 1e-8);
    elastica_world_destroy(world);
  }
}

/* A given step in which a body would move too far on a wall is refused; the sentence states a shorter step, and that step succeeds. */
TEST(a_given_step_that_will_not_do_is_refused) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
  def.radius = 0.05, def.density = 1000.0;
  set_vector(def.position, 0, 0, 0, 0.05);
  must(world, elastica_world_add_body(world, &def, NULL));
  add_weight(world, 3.355, -9.218);
  const elastica_obstacle_def wall = rough_wall(0.0, 0.5, 1e-6);
  must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  assert_refused(world, elastica_world_step(world, 0.2, 5), ELASTICA_UNSTABLE_STEP, "step", "dt = 0.2 s", "obstacle");
  assert_int_equal(elastica_world_get(world).step_count, 0);
  must(world, elastica_world_step(world, 0.99 * limit.dt, 1));
  elastica_world_destroy(world);
}

/* ---- Spins ---- */

TEST(a_spin_beyond_all_steps_is_told) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = default_body(ELASTICA_SHAPE_SPHERE);
  elastica_check_report report;
  const double start[3] = {0.0, 0.0, 0.0}, along[3] = {0.0, 0.0, 1.0};
  add_stick(world, 10, start, along, 1.0, 0.02, 1e6);
  def.radius = 0.05, def.density = 1000.0;
  set_vector(def.position, 0, 3, 0, 0);
  set_vector(def.omega, 0, 0, 0, 1e10);
  must(world, elastica_world_add_body(world, &def, NULL));
  for (int given = 0; given < 2; given++) {
    must(world, elastica_world_check(world, given * 1e-4, &report));
    assert_int_equal(report.finding_count, 1);
    assert_int_equal(report.findings[0].kind, ELASTICA_FINDING_STEP);
    assert_int_equal(report.findings[0].rod_index, 1);
    assert_says(report.findings[0].sentence, "spins at 1e+10 rad/s");
  }
  assert_refused(world, elastica_world_advance(world, 1.0), ELASTICA_UNSTABLE_STEP, "advance", "rod 1, element 0 spins at 1e+10 rad/s");
  elastica_world_destroy(world);
}
