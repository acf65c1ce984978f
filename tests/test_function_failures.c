/* Each call of a function of the user fails in turn, this one alone or with all later ones for the same effect, in queries, steps, statics
 * and implicit steps: CALLBACK_FAILED and a sentence with the status. A query changes nothing; after a failure a snapshot brings the world
 * back. Then the same call gives the bits of a run without failures.
 */
#include "base/target.h"

#include "bodies.h"
#include "restarts.h"

#include <limits.h>

/* ---- A world whose functions count their calls --------------------------------------------------------------------------------------- */

enum { MOST_EFFECTS = 24 };

/* The user of the functions of one effect. */
typedef struct effect_user {
  struct failing *of;
} effect_user;

typedef struct failing {
  long calls, refused;   /* the call with the number `refused` fails; LONG_MAX: none */
  int lasts;             /* 1: all later ones for the same effect, too */
  const effect_user *by; /* the effect with the failed call */
  effect_user user[MOST_EFFECTS];
  int users;
  elastica_world *world;
  elastica_rod *arm, *log, *ball;
  elastica_effect *load;
  effect_user *load_user;
  elastica_path *path;
  elastica_modes *modes;
  elastica_budget *budget;
} failing;

static const double dt = 0x1p-14;

static effect_user *new_user(failing *f) {
  assert_true(f->users < MOST_EFFECTS);
  effect_user *user = &f->user[f->users++];
  user->of = f;
  return user;
}

static elastica_status answer(void *user) {
  failing *f = ((effect_user *)user)->of;
  const long call = f->calls++;
  if (call == f->refused) f->by = user;
  return call == f->refused || (f->lasts && call > f->refused && f->by == user) ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

static elastica_status rest(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)time, (void)position, (void)velocity, (void)director, (void)omega;
  return answer(user);
}

static elastica_status push(void *user, double time, double force[3], double couple[3]) {
  (void)time, (void)force, (void)couple;
  return answer(user);
}

static elastica_status thicken(void *user, double time, double *factor) {
  (void)time, (void)factor;
  return answer(user);
}

static elastica_status turn(void *user, double time, double angle, double rate, double *couple) {
  (void)time, (void)rate;
  *couple = 1e-3 - 1e-3 * angle;
  return answer(user);
}

static elastica_status pull(void *user, double time, double length, double rate, double *activation) {
  (void)time, (void)rate;
  *activation = 1.0 + 0.1 * length;
  return answer(user);
}

static elastica_status wave(void *user, double time, int place, double s, double *activation) {
  (void)time, (void)place;
  *activation = 0.5 + s;
  return answer(user);
}

static elastica_status shorten(void *user, double time, double x, double *activation) {
  (void)time, (void)x, (void)activation;
  return answer(user);
}

static elastica_status stream(void *user, double time, const double position[3], double velocity[3]) {
  (void)time;
  velocity[1] = 0.01 * position[0];
  return answer(user);
}

/* A ball of radius 1 below the origin. */
static elastica_status hill(void *user, const double point[3], double *distance, double gradient[3]) {
  const double from[3] = {point[0], point[1], point[2] + 1.0}, length = norm(from);
  for (int a = 0; a < 3; a++) gradient[a] = length > 0.0 ? from[a] / length : a == 2;
  *distance = length - 1.0;
  return answer(user);
}

static elastica_status ready(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  (void)rod, (void)preparation;
  return answer(self);
}

static elastica_status see(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)now, (void)rod;
  return answer(self);
}

static elastica_status add_resultants(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *to) {
  (void)now, (void)rod, (void)to;
  return answer(self);
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now;
  loads->force[2][rod->node_count - 1] -= 1e-3;
  return answer(self);
}

static elastica_status add_nothing(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now, (void)rod, (void)loads;
  return answer(self);
}

static elastica_status hold(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)now, (void)rod, (void)state;
  return answer(self);
}

static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  (void)now, (void)rod, (void)stiffness;
  return answer(self);
}

static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  (void)now, (void)rod, (void)tangent;
  return answer(self);
}

static double give(void *self, double time, const elastica_rod_view *rod) {
  (void)time, (void)rod;
  return answer(self) == ELASTICA_OK ? 0.0 : (double)NAN;
}

static elastica_status add_world_loads(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)now, (void)loads;
  return answer(self);
}

static elastica_status add_world_stiffness(void *self, const elastica_instant *now, elastica_world_stiffness *stiffness) {
  (void)now, (void)stiffness;
  return answer(self);
}

/* ---- Scenes -------------------------------------------------------------------------------------------------------------------------- */

static elastica_rod *add_cord(failing *f, double x, double y, double z) {
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = 6, def.length = 0.3, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  def.start[0] = x, def.start[1] = y, def.start[2] = z;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  must(f->world, elastica_world_add_rod(f->world, &def, &rod));
  return rod;
}

static void add_support(failing *f) {
  DEFAULTS(boundary, clamp);
  clamp.motion = rest, clamp.user = new_user(f);
  must(f->world, elastica_add_boundary(f->world, f->arm, &clamp, NULL));
}

static void add_load(failing *f) {
  DEFAULTS(point_load, load);
  load.force[1] = 0.02, load.function = push, load.user = new_user(f);
  must(f->world, elastica_add_point_load(f->world, f->arm, &load, NULL));
}

static void add_ground(failing *f, double friction) {
  DEFAULTS(obstacle, ground);
  ground.kind = ELASTICA_OBSTACLE_ELASTIC, ground.modulus = 1e4, ground.friction = friction;
  ground.motion = rest, ground.user = new_user(f);
  must(f->world, elastica_add_obstacle(f->world, NULL, &ground, NULL));
}

static void add_hill(failing *f) {
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.modulus = 1e4;
  def.shape = ELASTICA_SHAPE_SURFACE, def.surface = hill, def.surface_user = new_user(f), def.surface_curvature = 1.5;
  def.position[2] = 0.001;
  must(f->world, elastica_add_obstacle(f->world, f->arm, &def, NULL));
}

static void add_muscles(failing *f) {
  static const double control[4] = {0.0, 2e-3, 2e-3, 0.0};
  DEFAULTS(muscle, muscle);
  muscle.control = control, muscle.control_count = 4, muscle.function = wave, muscle.user = new_user(f);
  must(f->world, elastica_add_muscle(f->world, f->arm, &muscle, NULL));
  DEFAULTS(contraction, contraction);
  contraction.maximum_force = 0.05, contraction.function = shorten, contraction.user = new_user(f);
  must(f->world, elastica_add_contraction(f->world, f->arm, &contraction, NULL));
}

static void add_drives(failing *f) {
  DEFAULTS(joint, hinge);
  hinge.kind = ELASTICA_JOINT_HINGE;
  hinge.axis[0] = hinge.axis[1] = 0.0, hinge.axis[2] = 1.0;
  hinge.first.rod = f->arm, hinge.first.element = 4;
  hinge.stiffness = 10.0, hinge.angular_stiffness = 0.1, hinge.damping = 0.1;
  hinge.drive = turn, hinge.motion = rest, hinge.user = new_user(f);
  must(f->world, elastica_add_joint(f->world, &hinge, NULL));
  DEFAULTS(tendon, tendon);
  tendon.rod = f->arm, tendon.offset[0] = 0.01, tendon.tension = 0.05;
  tendon.drive = pull, tendon.user = new_user(f);
  must(f->world, elastica_add_tendon(f->world, &tendon, NULL));
}

static void add_own_hooks(failing *f, int is_static) {
  elastica_module module = module_named("own");
  module.self = new_user(f), module.stateless = 1;
  module.add_loads = add_loads, module.add_tangent = add_tangent, module.add_stiffness = add_stiffness;
  module.prepare = ready, module.energy = give, module.power = give;
  if (!is_static) {
    module.begin_step = see, module.observe = see;
    module.add_resultants = add_resultants, module.add_reactions = add_nothing;
    module.constrain_position = hold, module.constrain_velocity = hold, module.constrain_spin = hold;
  }
  must(f->world, elastica_world_add_module(f->world, f->arm, &module, NULL));
  elastica_module between = module_named("between");
  between.self = new_user(f), between.stateless = 1;
  between.add_world_loads = add_world_loads, between.add_world_stiffness = add_world_stiffness, between.energy = give;
  between.add_tangent = add_tangent;
  must(f->world, elastica_world_add_module(f->world, NULL, &between, NULL));
}

/* An arm with all kinds of effects on an elastic ground and a hill; a log and a ball on rigid walls. */
static void build_moving(failing *f) {
  f->world = make_world(NULL);
  f->arm = add_cord(f, 0.0, 0.0, 0.0195);
  f->log = add_cord(f, 0.0, 1.0, 0.02);
  elastica_body_def ball = ball_def(0.05, 0.3);
  ball.position[1] = 2.0, ball.position[2] = 0.05, ball.velocity[0] = 0.2;
  f->ball = add_body(f->world, &ball);
  add_support(f), add_load(f), add_ground(f, 0.3), add_hill(f), add_muscles(f), add_drives(f);
  DEFAULTS(drag, drag);
  drag.viscosity = 0.1, drag.function = stream, drag.user = new_user(f);
  must(f->world, elastica_add_drag(f->world, f->arm, &drag, NULL));
  for (int k = 0; k < 2; k++) {
    DEFAULTS(obstacle, wall);
    wall.stiffness = 10.0, wall.slip_velocity = 1e-3, wall.motion = rest, wall.user = new_user(f);
    for (int a = 0; a < 3; a++) wall.static_friction[a] = 0.4, wall.kinetic_friction[a] = 0.3;
    must(f->world, elastica_add_obstacle(f->world, k ? f->ball : f->log, &wall, NULL));
  }
  DEFAULTS(axial_viscosity, tissue);
  tissue.viscosity = 0.1, tissue.function = thicken, tissue.user = new_user(f);
  must(f->world, elastica_add_axial_viscosity(f->world, f->log, &tissue, NULL));
  add_own_hooks(f, 0);
  must(f->world, elastica_add_gravity(f->world, (double[]){0.1, 0.0, -9.81}, NULL));
}

static void build_in_motion(failing *f) {
  build_moving(f);
  must(f->world, elastica_world_step(f->world, dt, 2));
}

static void build_measured(failing *f) {
  build_moving(f);
  must(f->world, elastica_budget_open(f->world, &f->budget));
}

/* An arm that lies on the ground, with drives and muscles, for relaxation and implicit steps. */
static void build_still(failing *f) {
  f->world = make_world(NULL);
  f->arm = add_cord(f, 0.0, 0.0, 0.0195);
  add_support(f), add_load(f), add_ground(f, 0.0), add_hill(f), add_muscles(f), add_drives(f), add_own_hooks(f, 1);
}

/* As build_still, with friction and drag. */
static void build_rough(failing *f) {
  f->world = make_world(NULL);
  f->arm = add_cord(f, 0.0, 0.0, 0.0195);
  f->log = add_cord(f, 0.05, 0.0, 0.0585);
  add_support(f), add_load(f), add_ground(f, 0.3), add_drives(f), add_own_hooks(f, 1);
  DEFAULTS(boundary, clamp);
  clamp.motion = rest, clamp.user = new_user(f);
  must(f->world, elastica_add_boundary(f->world, f->log, &clamp, NULL));
  DEFAULTS(contact, contact);
  contact.modulus = 1e4, contact.friction = 0.3;
  must(f->world, elastica_add_contact(f->world, NULL, &contact, NULL));
  DEFAULTS(drag, drag);
  drag.viscosity = 0.1, drag.function = stream, drag.user = new_user(f);
  must(f->world, elastica_add_drag(f->world, f->arm, &drag, NULL));
  must(f->world, elastica_add_gravity(f->world, (double[]){0.0, 0.0, -9.81}, NULL));
}

static void build_on_wall(failing *f) {
  f->world = make_world(NULL);
  f->arm = add_cord(f, 0.0, 0.0, 0.02);
  add_support(f), add_load(f), add_own_hooks(f, 1);
  DEFAULTS(obstacle, wall);
  wall.stiffness = 100.0, wall.motion = rest, wall.user = new_user(f);
  must(f->world, elastica_add_obstacle(f->world, f->arm, &wall, NULL));
  must(f->world, elastica_add_gravity(f->world, (double[]){0.0, 0.0, -9.81}, NULL));
}

/* With a potential. */
static void build_column(failing *f) {
  f->world = make_world(NULL);
  f->arm = add_cord(f, 0.0, 0.0, 0.0195);
  add_support(f), add_ground(f, 0.0);
  DEFAULTS(point_load, load);
  f->load_user = new_user(f);
  load.force[0] = -0.01, load.function = push, load.user = f->load_user;
  must(f->world, elastica_add_point_load(f->world, f->arm, &load, &f->load));
  add_own_hooks(f, 1);
}

static elastica_status relax(failing *f) {
  return elastica_world_relax(f->world, NULL, NULL);
}

static void build_column_at_rest(failing *f) {
  build_column(f);
  must(f->world, relax(f));
}

static elastica_status set_load(void *user, elastica_world *world, double parameter) {
  failing *f = ((effect_user *)user)->of;
  DEFAULTS(point_load, load);
  (void)world;
  load.force[0] = -parameter, load.function = push, load.user = f->load_user;
  const elastica_status status = elastica_point_load_set(f->load, &load);
  return status == ELASTICA_OK ? answer(user) : status;
}

static void build_path(failing *f) {
  build_column(f);
  DEFAULTS(path, def);
  def.apply = set_load, def.user = new_user(f), def.start = 0.01, def.first_step = 0.4, def.upper = 8.0;
  must(f->world, elastica_path_create(f->world, &def, &f->path));
}

static void build_path_in_progress(failing *f) {
  build_path(f);
  for (int k = 0; k < 2; k++) must(f->world, elastica_path_next(f->path, NULL));
}

/* ---- Calls --------------------------------------------------------------------------------------------------------------------------- */

static elastica_status step(failing *f) {
  return elastica_world_step(f->world, dt, 2);
}

static elastica_status advance(failing *f) {
  return elastica_world_advance(f->world, 0x1p-11);
}

static elastica_status ask_for_limit(failing *f) {
  elastica_step_limit limit;
  return elastica_world_step_limit(f->world, &limit);
}

static elastica_status evaluate(failing *f) {
  return elastica_world_evaluate(f->world, dt);
}

static elastica_status refresh(failing *f) {
  return elastica_rod_refresh(f->arm);
}

static elastica_status totals(failing *f) {
  elastica_totals out;
  return elastica_world_get_totals(f->world, &out);
}

static elastica_status facts(failing *f) {
  elastica_rod_facts out;
  return elastica_rod_get_facts(f->arm, &out);
}

static elastica_status check(failing *f) {
  elastica_check_report report;
  return elastica_world_check(f->world, dt, &report);
}

/* Queries of each effect; one that returns a number alone says with nan that it has failed. */
static elastica_status ask_effects(failing *f) {
  elastica_status status = ELASTICA_OK;
  for (elastica_effect *effect = next_effect(f->world, NULL); effect && status == ELASTICA_OK; effect = next_effect(f->world, effect)) {
    const char *name = elastica_effect_get(effect).name;
    elastica_tendon_info tendon;
    elastica_joint_info joint;
    double force[3], couple[3];
    if (isnan(elastica_effect_energy(effect)) || isnan(elastica_effect_power(effect))) return ELASTICA_CALLBACK_FAILED;
    if (strcmp(name, "obstacle") == 0) status = elastica_obstacle_get_force(effect, force, couple);
    if (strcmp(name, "joint") == 0) status = elastica_joint_get(effect, &joint);
    if (strcmp(name, "tendon") == 0) status = elastica_tendon_get(effect, &tendon, NULL, 0);
  }
  return status;
}

/* Converged or not, all parts of relaxation run. */
static elastica_status relax_on(failing *f) {
  DEFAULTS(relax, def);
  def.tolerance = 1e-4, def.evaluation_limit = 300, def.step_limit = 64;
  const elastica_status status = elastica_world_relax(f->world, &def, NULL);
  return status == ELASTICA_NOT_CONVERGED ? ELASTICA_OK : status;
}

static elastica_status run_implicitly(failing *f) {
  DEFAULTS(implicit, def);
  def.until = elastica_world_get(f->world).time + 0.004, def.dt = 0.002;
  return elastica_world_run_implicit(f->world, &def, NULL);
}

static elastica_status run_accurately(failing *f) {
  DEFAULTS(implicit, def);
  def.until = elastica_world_get(f->world).time + 2e-4, def.accuracy = 1e-3;
  return elastica_world_run_implicit(f->world, &def, NULL);
}

static elastica_status find(failing *f, elastica_modes_kind kind) {
  DEFAULTS(modes, def);
  def.kind = kind, def.count = 2;
  elastica_modes_destroy(f->modes);
  return elastica_modes_find(f->world, &def, &f->modes);
}

static elastica_status find_frequencies(failing *f) {
  return find(f, ELASTICA_MODES_FREQUENCIES);
}

static elastica_status find_buckling(failing *f) {
  return find(f, ELASTICA_MODES_BUCKLING);
}

static elastica_status next_point(failing *f) {
  return elastica_path_next(f->path, NULL);
}

/* ---- Claims -------------------------------------------------------------------------------------------------------------------------- */

typedef struct call_row {
  const char *name;
  void (*begin)(failing *f);
  elastica_status (*call)(failing *f);
  int moves; /* 1: the call changes the state; where it has failed, a snapshot returns to the state before */
} call_row;

static void start(failing *f, const call_row *row) {
  memset(f, 0, sizeof *f);
  f->refused = LONG_MAX;
  row->begin(f);
}

static uint64_t finish(failing *f) {
  must(f->world, elastica_world_step(f->world, dt, 2));
  const uint64_t hash = hash_world(f->world);
  elastica_modes_destroy(f->modes);
  elastica_path_destroy(f->path);
  elastica_budget_close(f->budget);
  elastica_world_destroy(f->world);
  return hash;
}

enum { TRIES = 24 };

/* A failure that lasts is reported, or nothing depends on the failed call. One that does not last, against the rules for functions, may
 * also take part in a result. Returns the number of reported failures. */
static long claim_failures(const call_row *row, long calls, int lasts, uint64_t after) {
  long reported = 0;
  const long stride = calls / TRIES + 1;
  for (long k = 0; k < calls; k += stride) {
    failing f;
    start(&f, row);
    snapshot s = take_snapshot(f.world);
    const uint64_t state = hash_world(f.world);
    f.refused = f.calls + k, f.lasts = lasts;
    const elastica_status status = row->call(&f);
    if (f.calls <= f.refused) fail_msg("%s: call %ld was not made", row->name, k);
    f.refused = LONG_MAX;
    if (status != ELASTICA_OK) {
      const char *sentence = elastica_world_message(f.world);
      reported++;
      if (status != ELASTICA_CALLBACK_FAILED) fail_msg("%s: call %ld: %s: %s", row->name, k, elastica_status_text(status), sentence);
      if (sentence[0] == '\0' || (lasts && strstr(sentence, "IO_ERROR") == NULL && strstr(sentence, "nan") == NULL))
        fail_msg("%s: call %ld: %s", row->name, k, sentence);
      if (row->moves)
        must(f.world, elastica_world_snapshot_load(f.world, s.bytes, s.size));
      else if (hash_world(f.world) != state)
        fail_msg("%s: call %ld changed the state", row->name, k);
      must(f.world, row->call(&f));
    }
    free(s.bytes);
    const uint64_t hash = finish(&f);
    if (hash != after && (lasts || status != ELASTICA_OK))
      fail_msg("%s: other bits after call %ld%s", row->name, k, lasts ? " and later" : "");
  }
  return reported;
}

static void claim_call(const call_row *row) {
  failing f;
  start(&f, row);
  const long before = f.calls;
  must(f.world, row->call(&f));
  const long calls = f.calls - before;
  const uint64_t after = finish(&f);
  for (int lasts = 0; lasts < 2; lasts++)
    if (claim_failures(row, calls, lasts, after) == 0) fail_msg("%s: failures of %ld calls are not reported", row->name, calls);
}

TEST(a_call_whose_function_fails_says_so_and_succeeds_later) {
  static const call_row rows[] = {
      {"step_limit", build_moving, ask_for_limit, 0},
      {"evaluate", build_moving, evaluate, 0},
      {"evaluate in motion", build_in_motion, evaluate, 0},
      {"refresh", build_moving, refresh, 0},
      {"get_totals", build_moving, totals, 0},
      {"get_totals in motion", build_in_motion, totals, 0},
      {"get_facts", build_moving, facts, 0},
      {"check", build_moving, check, 0},
      {"check in motion", build_in_motion, check, 0},
      {"effects", build_moving, ask_effects, 0},
      {"effects in motion", build_in_motion, ask_effects, 0},
      {"step", build_moving, step, 1},
      {"step in motion", build_in_motion, step, 1},
      {"step with a budget", build_measured, step, 1},
      {"advance", build_moving, advance, 1},
      {"relax", build_still, relax, 1},
      {"relax with friction", build_rough, relax_on, 1},
      {"relax on a wall", build_on_wall, relax, 1},
      {"run_implicit", build_still, run_implicitly, 1},
      {"run_implicit with friction", build_rough, run_implicitly, 1},
      {"run_implicit with accuracy", build_column, run_accurately, 1},
      {"modes_find, frequencies", build_column_at_rest, find_frequencies, 0},
      {"modes_find, buckling", build_column_at_rest, find_buckling, 0},
      {"path_next, the first", build_path, next_point, 1},
      {"path_next", build_path_in_progress, next_point, 1},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) claim_call(&rows[k]);
}
