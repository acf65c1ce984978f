/* Functions of definitions that return an error, or write impossible values: the sentence states the effect, the rod, the function, and
 * the returned status or written value. Unset, infinite or too many numbers in definitions are named as such.
 */
#include "base/target.h"

#include "one_rod.h"

/* ---- Functions ---- */

enum { RETURNED, UNKNOWN, WROTE };

static int way; /* the way in which a function fails */

static elastica_status answer(double *x, double wrong) {
  if (way == WROTE) *x = wrong;
  return way == RETURNED ? ELASTICA_IO_ERROR : way == UNKNOWN ? (elastica_status)777 : ELASTICA_OK;
}

static elastica_status move(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)position, (void)director, (void)omega;
  return time < 1e-4 ? ELASTICA_OK : answer(&velocity[1], INFINITY);
}

static elastica_status turn(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)position, (void)velocity, (void)omega;
  return time < 1e-4 ? ELASTICA_OK : answer(&director[4], 1.1);
}

static elastica_status load(void *user, double time, double force[3], double couple[3]) {
  (void)user, (void)time, (void)force;
  return answer(&couple[2], NAN);
}

static elastica_status drive(void *user, double time, double angle, double rate, double *out) {
  (void)user, (void)time, (void)angle, (void)rate;
  return answer(out, NAN);
}

static elastica_status act(void *user, double time, int place, double s, double *activation) {
  (void)user, (void)time, (void)s;
  return place == 2 ? answer(activation, 1e200) : ELASTICA_OK;
}

static elastica_status contract(void *user, double time, double x, double *activation) {
  (void)user, (void)time, (void)x;
  return answer(activation, -2.0);
}

static elastica_status flow(void *user, double time, const double position[3], double velocity[3]) {
  (void)user, (void)time;
  return position[2] > 0.6 ? answer(&velocity[1], NAN) : ELASTICA_OK;
}

typedef void (*adding)(fixture *f);

#define ADD(kind, ...)                                                                                                                     \
  elastica_##kind##_def def;                                                                                                               \
  elastica_##kind##_def_init(&def, sizeof def);                                                                                            \
  __VA_ARGS__;                                                                                                                             \
  must(f->world, elastica_add_##kind(f->world, f->rod, &def, NULL))

static void add_pin(fixture *f) {
  ADD(boundary, def.kind = ELASTICA_BOUNDARY_PIN; def.node = 3; def.motion = move);
}

static void add_turned_pin(fixture *f) {
  ADD(boundary, def.node = 3; def.element = 0; def.kind = ELASTICA_BOUNDARY_FRAME; def.motion = turn);
}

static void add_clamp(fixture *f) {
  ADD(boundary, def.motion = move);
}

static void add_wall(fixture *f) {
  ADD(obstacle, def.position[2] = -0.1; def.stiffness = 1e3; def.motion = move);
}

static void add_obstacle(fixture *f) {
  ADD(obstacle, def.position[2] = -0.1; def.kind = ELASTICA_OBSTACLE_ELASTIC; def.modulus = 1e4; def.motion = move);
}

static void add_point_load(fixture *f) {
  ADD(point_load, def.function = load);
}

static void add_muscle(fixture *f) {
  static const double amplitude[4] = {1e-3, 1e-3, 1e-3, 1e-3};
  ADD(muscle, def.amplitude = amplitude; def.function = act);
}

static void add_contraction(fixture *f) {
  ADD(contraction, def.maximum_force = 0.1; def.function = contract);
}

static void add_drag(fixture *f) {
  ADD(drag, def.viscosity = 1.0; def.function = flow);
}

static void add_tendon(fixture *f) {
  DEFAULTS(tendon, def);
  def.rod = f->rod, def.tension = 0.1, def.offset[0] = 0.01, def.drive = drive;
  must(f->world, elastica_add_tendon(f->world, &def, NULL));
}

static void add_hinge(fixture *f, elastica_status (*motor)(void *, double, double, double, double *), elastica_motion motion) {
  DEFAULTS(joint, def);
  def.kind = ELASTICA_JOINT_HINGE, def.first.rod = f->rod, def.axis[0] = 1.0, def.axis[1] = def.axis[2] = 0.0;
  def.stiffness = 10.0, def.angular_stiffness = 0.01, def.drive = motor, def.motion = motion;
  must(f->world, elastica_add_joint(f->world, &def, NULL));
}

static void add_motor(fixture *f) {
  add_hinge(f, drive, NULL);
}

static void add_moved_hinge(fixture *f) {
  add_hinge(f, NULL, move);
}

TEST(wrong_results_of_a_function_are_named) {
  static const struct {
    adding add;
    const char *effect, *who, *wrote;
  } of[] = {
      {add_pin, "effect 0 \"boundary\": on rod 0", "its motion of node 3", "wrote velocity[1] = inf m/s"},
      {add_turned_pin, "effect 0 \"boundary\": on rod 0", "its motion of node 3", "wrote a director that is no right-handed frame"},
      {add_clamp, "effect 0 \"boundary\": on rod 0", "its motion of node 0", "wrote velocity[1] = inf m/s"},
      {add_wall, "effect 0 \"obstacle\": on rod 0", "its motion", "wrote velocity[1] = inf m/s"},
      {add_obstacle, "effect 0 \"obstacle\": on rod 0", "its motion", "wrote velocity[1] = inf m/s"},
      {add_moved_hinge, "effect 0 \"joint\":", "its motion", "wrote velocity[1] = inf m/s"},
      {add_motor, "effect 0 \"joint\":", "its drive, on rod 0,", "wrote the couple nan N m"},
      {add_tendon, "effect 0 \"tendon\": on rod 0", "its drive", "wrote the activation nan"},
      {add_point_load, "effect 0 \"point_load\": on rod 0", "its function for node 5", "wrote couple[2] = nan N m"},
      {add_muscle, "effect 0 \"muscle\": on rod 0", "its function for joint 2", "wrote the activation 1e+200, which is too large"},
      {add_contraction, "effect 0 \"contraction\": on rod 0", "its function", "wrote the activation -2"},
      {add_drag, "effect 0 \"drag\": on rod 0", "its function at element 3", "wrote velocity[1] = nan m/s"},
  };
  for (size_t k = 0; k < sizeof of / sizeof *of; k++)
    for (way = RETURNED; way <= WROTE; way++) {
      fixture f = {make_world(NULL), NULL};
      f.rod = add_straight_rod(f.world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5);
      of[k].add(&f);
      assert_status(f.world, elastica_world_step(f.world, 2e-6, 100), ELASTICA_CALLBACK_FAILED);
      const char *said = elastica_world_message(f.world);
      assert_says(said, of[k].effect, of[k].who);
      assert_says(said, way == RETURNED ? "returned IO_ERROR" : way == UNKNOWN ? "returned status 777" : of[k].wrote);
      elastica_world_destroy(f.world);
    }
}

/* A motion that fails at its first call, in the call that adds it. */
static elastica_status miss(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)time, (void)velocity, (void)director, (void)omega;
  return answer(&position[2], NAN);
}

TEST_WITH_ROD(a_motion_that_fails_at_once_is_told) {
  fixture *f = *state;
  DEFAULTS(obstacle, wall);
  DEFAULTS(obstacle, obstacle);
  obstacle.kind = ELASTICA_OBSTACLE_ELASTIC;
  wall.stiffness = obstacle.modulus = 1e4;
  wall.motion = obstacle.motion = miss;
  for (way = RETURNED; way <= WROTE; way += WROTE) {
    const char *cause = way == WROTE ? "its motion wrote position[2] = nan m" : "its motion returned IO_ERROR";
    assert_refused(f->world, elastica_add_obstacle(f->world, f->rod, &wall, NULL), ELASTICA_INVALID_ARGUMENT, "obstacle_def.motion", cause);
    assert_refused(f->world, elastica_add_obstacle(f->world, f->rod, &obstacle, NULL), ELASTICA_INVALID_ARGUMENT, "obstacle_def.motion",
                   cause);
  }
}

/* Its power is queried outside of any step. */
TEST_WITH_ROD(a_query_tells_it_too) {
  fixture *f = *state;
  elastica_effect *effect = NULL;
  DEFAULTS(point_load, def);
  def.function = load;
  way = WROTE;
  must(f->world, elastica_add_point_load(f->world, f->rod, &def, &effect));
  assert_true(isnan(elastica_effect_power(effect)));
  assert_says(elastica_world_message(f->world), "effect 0 \"point_load\"", "power of rod 0 is nan", "wrote couple[2] = nan N m");
}

/* ---- Hooks of modules ---- */

static elastica_status write_nan(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self, (void)now, (void)rod;
  state->position[1][4] = NAN;
  return ELASTICA_OK;
}

static elastica_status write_no_frame(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self, (void)now, (void)rod;
  state->director[1][1][3] = 1.1;
  return ELASTICA_OK;
}

static elastica_status take_mass(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  (void)self, (void)rod;
  preparation->mass[2] = -1.0;
  return ELASTICA_OK;
}

TEST(wrong_values_of_a_hook_are_named) {
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_module module = module_named("mine");
    if (k < 2) module.constrain_position = k == 0 ? write_nan : write_no_frame;
    if (k == 2) module.prepare = take_mass;
    add_straight_rod(world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5);
    must(world, elastica_world_add_module(world, NULL, &module, NULL));
    assert_status(world, elastica_world_step(world, 2e-6, 1), k == 2 ? ELASTICA_INVALID_ARGUMENT : ELASTICA_CALLBACK_FAILED);
    const char *said = elastica_world_message(world);
    if (k == 0) assert_says(said, "effect 0 \"mine\"", "node 4 of rod 0", "position[1] is nan");
    if (k == 1) assert_says(said, "effect 0 \"mine\"", "element 3 of rod 0", "right-handed frame", "off by 0.21");
    if (k == 2) assert_says(said, "effect 0 \"mine\"", "rod 0, node 2", "mass -1", "not positive");
    elastica_world_destroy(world);
  }
}

/* ---- Numbers of definitions ---- */

TEST_WITH_ROD(a_wrong_number_is_described) {
  fixture *f = *state;
  elastica_run_result result;
  DEFAULTS(run, run);
  run.until = 1e-3, run.most_seconds = NAN;
  assert_refused(f->world, elastica_world_run(f->world, &run, &result), ELASTICA_INVALID_ARGUMENT, "run_def.most_seconds is not a number");
  run.most_seconds = -INFINITY;
  assert_refused(f->world, elastica_world_run(f->world, &run, &result), ELASTICA_INVALID_ARGUMENT,
                 "run_def.most_seconds is negative: -inf");
  DEFAULTS(joint, joint);
  joint.kind = ELASTICA_JOINT_HINGE, joint.first.rod = f->rod, joint.axis[0] = 1.0;
  assert_refused(f->world, elastica_add_joint(f->world, &joint, NULL), ELASTICA_INVALID_ARGUMENT,
                 "joint_def.axis[1] is not set, but others of it are");
  DEFAULTS(body, body);
  body.radius = INFINITY, body.mass = 1.0;
  assert_refused(f->world, elastica_world_add_body(f->world, &body, NULL), ELASTICA_INVALID_ARGUMENT, "body_def.radius is not finite: inf");
}

/* ---- Fields of another shape ---- */

TEST_WITH_ROD(fields_of_other_shapes_of_obstacles_are_refused) {
  static const char *const fields[] = {"points", "point_count", "triangles", "triangle_count", "radii", "thickness", "fillet"};
  static const double points[6] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  static const int corners[3] = {0, 1, 2};
  fixture *f = *state;
  for (int k = 0; k < 7; k++) {
    char field[40];
    DEFAULTS(obstacle, def);
    def.kind = ELASTICA_OBSTACLE_ELASTIC, def.modulus = 1e5, def.position[2] = -9.0;
    if (k == 0) def.points = points;
    if (k == 1) def.point_count = 2;
    if (k == 2) def.triangles = corners;
    if (k == 3) def.triangle_count = 1;
    if (k == 4) def.radii = points;
    if (k == 5) def.thickness = 0.1;
    if (k == 6) def.fillet = 0.1;
    snprintf(field, sizeof field, "obstacle_def.%s", fields[k]);
    assert_refused(f->world, elastica_add_obstacle(f->world, NULL, &def, NULL), ELASTICA_INVALID_ARGUMENT, field);
  }
}
