/* Going back to a kept state across changes of effects: restores the parameters, and the motions and functions (not part of snapshots),
 * of the time of the kept state. */
#include "base/target.h"

#include "restarts.h"

static const double dt = 0x1p-14;

static elastica_world_def keeping_world(void) {
  elastica_world_def def = default_world();
  def.snapshot_interval = 1000;
  return def;
}

/* For every row of the table of effects, also after a motion or function was set or cleared. */
TEST(rewind_restores_set_parameters) {
  const elastica_world_def def = keeping_world();
  restart r;
  int rows = 0;
  for (int k = 0; next_restart(k, &r); k++) {
    if (r.from == NULL) continue;
    elastica_world *world = build_restart(&r, &def);
    must(world, elastica_world_step(world, dt, ROW_STEPS));
    const uint64_t expected = hash_course(world);
    change_restart(&r, world);
    must(world, elastica_world_step(world, dt, 5));
    for (int again = 0; again < 2; again++) {
      if (elastica_world_rewind(world) != ELASTICA_OK) fail_msg("%s: %s", restart_name(&r), elastica_world_message(world));
      assert_int_equal(elastica_world_get(world).step_count, 0);
      must(world, elastica_world_step(world, dt, ROW_STEPS));
      if (hash_course(world) != expected) fail_msg("%s: other bits after a rewind", restart_name(&r));
    }
    elastica_world_destroy(world);
    rows++;
  }
  assert_true(rows > 20);
}

/* ---- Each function ---- */

typedef struct drive {
  double speed;
  double fails_from; /* [s] */
} drive;

static elastica_status move_up(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const drive *d = user;
  (void)director, (void)omega;
  position[2] += d->speed * time;
  velocity[2] = d->speed;
  return time < d->fails_from ? ELASTICA_OK : ELASTICA_INVALID_ARGUMENT;
}

static elastica_status push_more(void *user, double time, double force[3], double couple[3]) {
  (void)couple;
  force[0] += ((const drive *)user)->speed * (1.0 + time);
  return ELASTICA_OK;
}

static elastica_status stream(void *user, double time, const double position[3], double velocity[3]) {
  (void)position;
  velocity[0] = ((const drive *)user)->speed * (1.0 + time);
  return ELASTICA_OK;
}

static elastica_status activate(void *user, double time, double x, double *activation) {
  (void)x;
  *activation = ((const drive *)user)->speed * (1.0 + time);
  return ELASTICA_OK;
}

static elastica_status motor(void *user, double time, double angle, double rate, double *couple) {
  (void)angle, (void)rate;
  *couple = 1e-3 * ((const drive *)user)->speed * (1.0 + time);
  return ELASTICA_OK;
}

static elastica_status pull_more(void *user, double time, double length, double rate, double *activation) {
  (void)length, (void)rate;
  *activation = ((const drive *)user)->speed * (1.0 + time);
  return ELASTICA_OK;
}

static elastica_status activate_place(void *user, double time, int place, double s, double *activation) {
  (void)place;
  *activation = ((const drive *)user)->speed * (1.0 + time) * s;
  return ELASTICA_OK;
}

enum { DRIVEN = 10 };
static drive drives[2] = {{0.5, 1e9}, {0.8, 1e9}};

/* Effect `which` of the world is added (effect NULL) or set, with one of the functions, or with none (driver NULL). */
static elastica_status drive_effect(elastica_world *world, elastica_rod *rod, int which, drive *driver, elastica_effect *effect) {
  DEFAULTS(boundary, clamp);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  DEFAULTS(obstacle, wall);
  DEFAULTS(point_load, load);
  DEFAULTS(drag, drag);
  DEFAULTS(contraction, contraction);
  pin.node = -1, wall.stiffness = 10.0, wall.position[2] = -5.0, drag.viscosity = 0.1, contraction.maximum_force = 1.0;
  load.force[1] = 0.01;
  clamp.user = pin.user = wall.user = load.user = drag.user = contraction.user = driver;
  if (driver != NULL) {
    clamp.motion = pin.motion = wall.motion = move_up;
    load.function = push_more, drag.function = stream, contraction.function = activate;
  }
  DEFAULTS(joint, joint);
  joint.first.rod = rod, joint.user = driver;
  joint.kind = which == 6 ? ELASTICA_JOINT_BALL : ELASTICA_JOINT_HINGE;
  if (which != 6) joint.axis[0] = joint.axis[1] = 0.0, joint.axis[2] = 1.0;
  if (driver != NULL && which == 6) joint.motion = move_up;
  if (driver != NULL && which == 7) joint.drive = motor;
  if (which == 8) {
    DEFAULTS(tendon, tendon);
    tendon.rod = rod, tendon.offset[0] = 0.01, tendon.tension = 0.2, tendon.user = driver;
    if (driver != NULL) tendon.drive = pull_more;
    return effect ? elastica_tendon_set(effect, &tendon) : elastica_add_tendon(world, &tendon, NULL);
  }
  if (which == 9) {
    static const double control[4] = {0.0, 0.01, 0.01, 0.0};
    DEFAULTS(muscle, muscle);
    muscle.control = control, muscle.control_count = 4, muscle.period = 0.1, muscle.user = driver;
    if (driver != NULL) muscle.function = activate_place;
    return effect ? elastica_muscle_set(effect, &muscle) : elastica_add_muscle(world, rod, &muscle, NULL);
  }
  if (which > 5) return effect ? elastica_joint_set(effect, &joint) : elastica_add_joint(world, &joint, NULL);
  switch (which) {
  case 0: return effect ? elastica_boundary_set(effect, &clamp) : elastica_add_boundary(world, rod, &clamp, NULL);
  case 1: return effect ? elastica_boundary_set(effect, &pin) : elastica_add_boundary(world, rod, &pin, NULL);
  case 2: return effect ? elastica_obstacle_set(effect, &wall) : elastica_add_obstacle(world, rod, &wall, NULL);
  case 3: return effect ? elastica_point_load_set(effect, &load) : elastica_add_point_load(world, rod, &load, NULL);
  case 4: return effect ? elastica_drag_set(effect, &drag) : elastica_add_drag(world, rod, &drag, NULL);
  default: return effect ? elastica_contraction_set(effect, &contraction) : elastica_add_contraction(world, rod, &contraction, NULL);
  }
}

/* Every change between no function, the first and the second. */
TEST(every_function_comes_back) {
  drive *const drivers[3] = {NULL, &drives[0], &drives[1]};
  const elastica_world_def def = keeping_world();
  for (int which = 0; which < DRIVEN; which++)
    for (int from = 0; from < 3; from++)
      for (int to = 0; to < 3; to++) {
        elastica_world *world = make_world(&def);
        elastica_rod *rod = add_straight_rod(world, 12, 1.0, 0.02, 1000.0, 1e6, 4e5);
        must(world, drive_effect(world, rod, which, drivers[from], NULL));
        must(world, elastica_world_step(world, dt, 20));
        const uint64_t expected = hash_course(world);
        must(world, drive_effect(world, rod, which, drivers[to], elastica_world_effect(world, 0)));
        must(world, elastica_world_step(world, dt, 7));
        must(world, elastica_world_rewind(world));
        must(world, elastica_world_step(world, dt, 20));
        if (hash_course(world) != expected) fail_msg("effect %d: other bits from %d to %d and back", which, from, to);
        elastica_world_destroy(world);
      }
}

/* A newly set motion that fails is removed; without the rewind it would keep the world in its failure. */
TEST(a_motion_that_fails_is_undone) {
  drive failing = {100.0, 0.03};
  const elastica_world_def def = keeping_world();
  elastica_world *world = make_world(&def), *plain = make_world(NULL);
  for (int k = 0; k < 2; k++) {
    elastica_world *of = k ? plain : world;
    must(of, drive_effect(of, add_straight_rod(of, 12, 1.0, 0.02, 1000.0, 1e6, 4e5), 0, NULL, NULL));
  }
  must(world, elastica_world_step(world, dt, 20));
  must(world, drive_effect(world, elastica_world_rod(world, 0), 0, &failing, elastica_world_effect(world, 0)));
  assert_true(elastica_world_advance(world, 0.1) != ELASTICA_OK);
  must(world, elastica_world_rewind(world));
  must(world, drive_effect(world, elastica_world_rod(world, 0), 0, NULL, elastica_world_effect(world, 0)));
  must(world, elastica_world_step(world, dt, 20));
  must(plain, elastica_world_step(plain, dt, 20));
  assert_true(hash_world(world) == hash_world(plain));
  elastica_world_destroy(world), elastica_world_destroy(plain);
}

/* A refused rewind keeps the present functions. */
TEST(a_refused_rewind_changes_nothing) {
  const elastica_world_def def = keeping_world();
  elastica_world *world = make_world(&def), *plain = make_world(NULL);
  for (int k = 0; k < 2; k++) {
    elastica_world *of = k ? plain : world;
    elastica_rod *rod = add_straight_rod(of, 12, 1.0, 0.02, 1000.0, 1e6, 4e5);
    must(of, drive_effect(of, rod, 0, NULL, NULL));
    must(of, elastica_world_step(of, dt, 20));
    must(of, drive_effect(of, rod, 0, &drives[0], elastica_world_effect(of, 0)));
    must(of, drive_effect(of, rod, 3, &drives[1], NULL));
  }
  assert_refused(world, elastica_world_rewind(world), ELASTICA_INVALID_ARGUMENT, "rewind", "1 effect", "2");
  must(world, elastica_world_step(world, dt, 20));
  must(plain, elastica_world_step(plain, dt, 20));
  assert_true(hash_world(world) == hash_world(plain));
  elastica_world_destroy(world), elastica_world_destroy(plain);
}

/* A snapshot from outside has no function to restore. */
TEST(a_snapshot_has_no_functions) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 12, 1.0, 0.02, 1000.0, 1e6, 4e5);
  must(world, drive_effect(world, rod, 0, NULL, NULL));
  snapshot s = take_snapshot(world);
  must(world, drive_effect(world, rod, 0, &drives[0], elastica_world_effect(world, 0)));
  assert_refused(world, load_snapshot(world, &s), ELASTICA_INVALID_ARGUMENT, "snapshot_load", "effect 0 \"boundary\"", "motion",
                 "not in both");
  elastica_world_destroy(world);
  free(s.bytes);
}

/* ---- Parameters ---- */

/* Steps skip a pin that holds its node on all axes, but not a pin that slides. */
TEST(a_pin_slides_and_holds_again) {
  static const unsigned axes[] = {ELASTICA_AXIS_ALL, ELASTICA_AXIS_X, 0};
  const double g[3] = {1.0, 2.0, -9.81};
  for (int from = 0; from < 3; from++)
    for (int to = 0; to < 3; to++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_straight_rod(world, 12, 1.0, 0.02, 1000.0, 1e6, 4e5);
      DEFAULTS(boundary, pin);
      pin.kind = ELASTICA_BOUNDARY_PIN;
      pin.axes = axes[from];
      must(world, elastica_add_gravity(world, g, NULL));
      must(world, elastica_add_boundary(world, rod, &pin, NULL));
      must(world, elastica_world_step(world, dt, 10));
      snapshot s = take_snapshot(world);
      must(world, elastica_world_step(world, dt, 20));
      const uint64_t expected = hash_course(world);
      pin.axes = axes[to];
      must(world, elastica_boundary_set(elastica_world_effect(world, 1), &pin));
      must(world, elastica_world_step(world, dt, 10));
      must(world, load_snapshot(world, &s));
      must(world, elastica_world_step(world, dt, 20));
      if (hash_course(world) != expected) fail_msg("other bits with axes %u after %u", axes[from], axes[to]);
      elastica_world_destroy(world);
      free(s.bytes);
    }
}

/* The present clamp would tear the rod in its earlier state: it is not called. */
TEST(parameters_of_now_do_not_stand_in_the_way) {
  const elastica_world_def def = keeping_world();
  elastica_world *world = make_world(&def);
  elastica_rod *rod = add_straight_rod(world, 12, 1.0, 0.02, 1000.0, 1e6, 4e5);
  DEFAULTS(boundary, clamp);
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  must(world, elastica_world_step(world, dt, 20));
  const uint64_t expected = hash_course(world);
  clamp.director[0] = -1.0,
  clamp.director[1] = clamp.director[2] = clamp.director[3] = clamp.director[5] = clamp.director[6] = clamp.director[7] = 0.0;
  clamp.director[4] = 1.0, clamp.director[8] = -1.0;
  clamp.kind = ELASTICA_BOUNDARY_FRAME;
  must(world, elastica_boundary_set(elastica_world_effect(world, 0), &clamp));
  assert_status(world, elastica_world_step(world, dt, 1), ELASTICA_INVALID_ARGUMENT);
  must(world, elastica_world_rewind(world));
  must(world, elastica_world_step(world, dt, 20));
  assert_true(hash_course(world) == expected);
  elastica_world_destroy(world);
}
