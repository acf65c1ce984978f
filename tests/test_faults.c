/* Each path of the interface with each request for memory refused in turn, this one alone or with all later ones: OUT_OF_MEMORY and a
 * sentence, nothing changed, nothing lost; and the same call, repeated with memory, gives the bits of a run without refusals.
 */
#include "base/target.h"

#include "rationed_memory.h"
#include "restarts.h"
#include "scratch_folder.h"

#include <dirent.h>

/* ---- A world with an effect of each kind --------------------------------------------------------------------------------------------- */

typedef struct faulted {
  memory_ration memory;
  scratch_folder folder;
  elastica_world *world;
  elastica_rod *arm, *log, *beam, *ring, *ball;
  elastica_effect *load, *tendon, *joint, *contact, *layer, *wanderer, *added;
  const effect_row *row; /* of the table of effects; with its definition, or NULL */
  void *def;
  elastica_path *path;
  elastica_modes *modes;
  elastica_budget *budget;
  elastica_cmaes *search;
  elastica_csv *csv;
  elastica_vtk *vtk;
  elastica_view *view;
  unsigned char *bytes; /* a snapshot, or the state of a path or search */
  size_t size;
  char message[256]; /* of the creation of a world or search */
  double pull;       /* [m/s^2] of a module */
} faulted;

typedef struct path_row {
  const char *name;
  void (*begin)(faulted *f);           /* builds the scene; makes handles that `call` needs */
  elastica_status (*call)(faulted *f); /* called again after each refusal until it succeeds */
  int steps;                           /* 1: a refused call may have taken steps of dt; its state is that after these steps */
  int implicit_steps;                  /* likewise, implicit ones */
  int closes;                          /* 1: a refused call closes the file with an error */
  int least;                           /* requests for memory at least */
  int each;                            /* 1: each request alone is refused, also in a brief test */
} path_row;

static const double dt = 0x1p-14;

static elastica_rod *add_log(elastica_world *world, double x, double y, double z, int along, double speed) {
  enum { N = 8 };
  elastica_rod *rod = NULL;
  double velocity[3 * (N + 1)] = {0.0};
  for (int i = 0; i <= N; i++) velocity[3 * i + 2] = -speed;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 0.4, def.radius = 0.02;
  def.density = 1000.0, def.youngs_modulus = 1e6;
  def.start[0] = x, def.start[1] = y, def.start[2] = z;
  for (int a = 0; a < 3; a++) def.direction[a] = a == along;
  def.velocity = velocity;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static elastica_world_def world_def(faulted *f) {
  elastica_world_def def = rationed_world_def(&f->memory);
  def.message = f->message, def.message_size = sizeof f->message;
  return def;
}

static elastica_status sample_energy(void *user, elastica_world *world) {
  elastica_totals totals;
  (void)user;
  return elastica_world_get_totals(world, &totals);
}

static void add_ground(faulted *f, double modulus, double friction) {
  DEFAULTS(obstacle, ground);
  ground.kind = ELASTICA_OBSTACLE_ELASTIC, ground.modulus = modulus, ground.friction = friction;
  must(f->world, elastica_add_obstacle(f->world, NULL, &ground, &f->layer));
}

static void add_touch(faulted *f, double modulus, double friction) {
  DEFAULTS(contact, contact);
  contact.modulus = modulus, contact.friction = friction;
  must(f->world, elastica_add_contact(f->world, NULL, &contact, &f->contact));
}

static void add_muscles(faulted *f) {
  static const double control[4] = {0.0, 0.02, 0.02, 0.0};
  DEFAULTS(muscle, muscle);
  muscle.control = control, muscle.control_count = 4, muscle.period = 0.1;
  must(f->world, elastica_add_muscle(f->world, f->arm, &muscle, NULL));
  DEFAULTS(contraction, contraction);
  contraction.maximum_force = 0.05;
  must(f->world, elastica_add_contraction(f->world, f->arm, &contraction, NULL));
  DEFAULTS(drag, drag);
  drag.viscosity = 0.1;
  must(f->world, elastica_add_drag(f->world, f->arm, &drag, NULL));
  DEFAULTS(axial_viscosity, tissue);
  tissue.viscosity = 0.1;
  must(f->world, elastica_add_axial_viscosity(f->world, f->beam, &tissue, NULL));
}

static void add_couplings(faulted *f) {
  DEFAULTS(joint, joint);
  joint.first.rod = f->arm, joint.first.element = -1, joint.first.share = 1.0;
  joint.second.rod = f->ring;
  must(f->world, elastica_add_joint(f->world, &joint, &f->joint));
  DEFAULTS(tendon, tendon);
  tendon.rod = f->arm, tendon.offset[0] = 0.01, tendon.tension = 0.05;
  must(f->world, elastica_add_tendon(f->world, &tendon, &f->tendon));
}

/* An arm with muscles, clamped, above two crossed logs in contact on an elastic ground; a ring on a joint at the end of the arm, a ball,
 * and a beam on a rigid wall of its own; nothing has been computed yet. */
static void build_with(faulted *f, const elastica_world_def *def) {
  random_source source = {3};
  f->world = make_world(def);
  f->arm = add_log(f->world, 0.0, 0.0, 0.3, X, 0.0);
  add_log(f->world, 0.0, 0.5, 0.0195, X, 0.0);
  f->log = add_log(f->world, 0.2, 0.3, 0.0585, Y, 0.1);
  f->beam = add_log(f->world, 0.0, 3.0, -0.9805, X, 0.0);
  add_hexagon(f->world, &source);
  f->ring = elastica_world_rod(f->world, 4);
  elastica_body_def ball = ball_def(0.06, 0.5);
  ball.position[0] = 1.0, ball.position[2] = 0.0595;
  f->ball = add_body(f->world, &ball);
  DEFAULTS(boundary, clamp);
  must(f->world, elastica_add_boundary(f->world, f->arm, &clamp, NULL));
  must(f->world, elastica_add_gravity(f->world, (double[]){0.5, 0.0, -9.81}, NULL));
  DEFAULTS(dissipation, air);
  air.translation = 1.0, air.rotation = 1e-3;
  must(f->world, elastica_add_dissipation(f->world, NULL, &air, NULL));
  DEFAULTS(point_load, load);
  load.force[0] = 0.1;
  must(f->world, elastica_add_point_load(f->world, f->log, &load, &f->load));
  add_muscles(f);
  add_couplings(f);
  add_touch(f, 1e5, 0.3);
  f->wanderer = add_wanderer(f->world, f->log, 1);
  DEFAULTS(obstacle, wall);
  wall.position[2] = -1.0, wall.stiffness = 10.0, wall.slip_velocity = 1e-3;
  for (int a = 0; a < 3; a++) wall.static_friction[a] = 0.4, wall.kinetic_friction[a] = 0.3;
  must(f->world, elastica_add_obstacle(f->world, f->beam, &wall, NULL));
  DEFAULTS(obstacle, box);
  box.kind = ELASTICA_OBSTACLE_ELASTIC, box.shape = ELASTICA_SHAPE_BOX, box.position[2] = -0.5;
  box.edges[0] = box.edges[1] = 4.0, box.edges[2] = 1.0;
  box.modulus = 1e5, box.friction = 0.3;
  for (int k = 0; k < 3; k++) { /* the box is below all but the beam */
    elastica_rod *const on[3] = {elastica_world_rod(f->world, 1), f->log, f->ball};
    must(f->world, elastica_add_obstacle(f->world, on[k], &box, &f->layer));
  }
}

static void build(faulted *f) {
  const elastica_world_def def = world_def(f);
  build_with(f, &def);
}

static void build_running(faulted *f) {
  build(f);
  must(f->world, elastica_world_step(f->world, dt, 5));
}

static void build_with_workers(faulted *f) {
  elastica_world_def def = world_def(f);
  def.worker_count = 3, def.tile_size = 8;
  build_with(f, &def);
}

static void build_keeping(faulted *f) {
  elastica_world_def def = world_def(f);
  def.snapshot_interval = 4;
  build_with(f, &def);
}

static void build_failed(faulted *f) {
  build_keeping(f);
  must(f->world, elastica_world_step(f->world, dt, 9));
  elastica_module pull = module_named("pull");
  pull.self = &f->pull, pull.stateless = 1, pull.add_loads = pull_too_far;
  f->pull = 1e200;
  must(f->world, elastica_world_add_module(f->world, f->log, &pull, NULL));
  assert_status(f->world, elastica_world_step(f->world, dt, 1), ELASTICA_NOT_FINITE);
  f->pull = 0.0;
}

static void build_empty(faulted *f) {
  const elastica_world_def def = world_def(f);
  f->world = make_world(&def);
}

static void build_nothing(faulted *f) {
  f->world = NULL;
}

/* Layers of crossed logs that fall onto each other: their list of pairs grows in the run. */
static void build_falling(faulted *f) {
  elastica_world_def def = world_def(f);
  def.snapshot_interval = 16;
  f->world = make_world(&def);
  for (int k = 0; k < 4; k++)
    for (int side = 0; side < 2; side++) {
      const double beside = 0.1 + 0.2 * side, height = 0.0195 + 0.055 * k;
      add_log(f->world, k % 2 ? beside : 0.0, k % 2 ? 0.0 : beside, height, k % 2 ? Y : X, 0.8 * k);
    }
  add_touch(f, 3e4, 0.3);
  add_ground(f, 1e4, 0.3);
}

/* A column under gravity, clamped below, for statics; its load is the parameter of a path. */
static void build_column(faulted *f) {
  build_empty(f);
  DEFAULTS(rod, def);
  def.element_count = 8, def.length = 0.4, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(f->world, elastica_world_add_rod(f->world, &def, &f->arm));
  DEFAULTS(boundary, clamp);
  must(f->world, elastica_add_boundary(f->world, f->arm, &clamp, NULL));
  DEFAULTS(boundary, guide);
  guide.kind = ELASTICA_BOUNDARY_PIN, guide.node = 4, guide.axes = ELASTICA_AXIS_Y; /* the plane of buckling */
  must(f->world, elastica_add_boundary(f->world, f->arm, &guide, NULL));
  DEFAULTS(point_load, load);
  load.force[2] = -0.01;
  must(f->world, elastica_add_point_load(f->world, f->arm, &load, &f->load));
}

static void build_column_at_rest(faulted *f) {
  build_column(f);
  must(f->world, elastica_world_relax(f->world, NULL, NULL));
}

static void build_column_with_touch(faulted *f) {
  build_column(f);
  add_log(f->world, 0.02, -0.2, 0.3, Y, 0.0); /* it overlaps the column by half of a radius */
  DEFAULTS(boundary, clamp);
  must(f->world, elastica_add_boundary(f->world, elastica_world_rod(f->world, 1), &clamp, NULL));
  clamp.node = -1;
  must(f->world, elastica_add_boundary(f->world, elastica_world_rod(f->world, 1), &clamp, NULL));
  DEFAULTS(contact, contact);
  contact.modulus = 1e3;
  must(f->world, elastica_add_contact(f->world, NULL, &contact, &f->contact));
}

/* A spring between the two ends of the arm, without a tangent: statics measures the stiffness of distant parts. */
static elastica_status pull_ends(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const int ends[2] = {0, rod->node_count - 1};
  (void)self, (void)now;
  for (int a = 0; a < 3; a++) {
    const double pull = 0.1 * (rod->position[a][ends[1]] - rod->position[a][ends[0]]);
    for (int k = 0; k < 2; k++) loads->force[a][ends[k]] += (k == 0 ? 1.0 : -1.0) * pull;
  }
  return ELASTICA_OK;
}

static void build_column_with_own_loads(faulted *f) {
  build_column(f);
  elastica_module module = module_named("spring");
  module.stateless = 1, module.add_loads = pull_ends;
  must(f->world, elastica_world_add_module(f->world, f->arm, &module, NULL));
}

/* A beam that gravity lays on another and on rough ground; a hinge with limits at its clamped end. */
static void build_rough_beam(faulted *f) {
  build_empty(f);
  f->arm = add_log(f->world, 0.0, 0.0, 0.0395, X, 0.0);
  f->log = add_log(f->world, 0.3, -0.2, 0.0, Y, 0.0);
  DEFAULTS(boundary, clamp);
  for (int k = 0; k < 2; k++) must(f->world, elastica_add_boundary(f->world, k ? f->log : f->arm, &clamp, NULL));
  clamp.node = -1;
  must(f->world, elastica_add_boundary(f->world, f->log, &clamp, NULL));
  DEFAULTS(joint, hinge);
  hinge.kind = ELASTICA_JOINT_HINGE;
  hinge.first.rod = f->arm, hinge.first.element = 5;
  hinge.axis[0] = hinge.axis[2] = 0.0, hinge.axis[1] = 1.0;
  hinge.stiffness = 0.5, hinge.angular_stiffness = 0.01;
  hinge.least_angle = -1e-3, hinge.most_angle = 1e-3;
  must(f->world, elastica_add_joint(f->world, &hinge, &f->joint));
  must(f->world, elastica_add_gravity(f->world, (double[]){0.5, 0.0, -9.81}, NULL));
  add_touch(f, 1e5, 0.3);
  DEFAULTS(obstacle, ground);
  ground.kind = ELASTICA_OBSTACLE_ELASTIC, ground.modulus = 1e4, ground.friction = 0.3;
  ground.position[2] = 0.0193;
  must(f->world, elastica_add_obstacle(f->world, f->arm, &ground, &f->layer));
}

/* ---- Calls --------------------------------------------------------------------------------------------------------------------------- */

static elastica_status create_world(faulted *f) {
  const elastica_world_def def = world_def(f);
  return elastica_world_create(&def, &f->world);
}

static elastica_status create_with_workers(faulted *f) {
  elastica_world_def def = world_def(f);
  def.worker_count = 3, def.slot_capacity = 100, def.snapshot_interval = 2;
  return elastica_world_create(&def, &f->world);
}

static elastica_status add_a_rod(faulted *f) {
  DEFAULTS(rod, def);
  elastica_rod *rod = f->arm;
  def.element_count = 300, def.length = 3.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6, def.start[0] = 9.0;
  const elastica_status status = elastica_world_add_rod(f->world, &def, &rod);
  if (status != ELASTICA_OK) assert_null(rod);
  return status;
}

static elastica_status add_a_ring(faulted *f) {
  static const double square[12] = {0.0, 0.0, 5.0, 0.1, 0.0, 5.0, 0.1, 0.1, 5.0, 0.0, 0.1, 5.0};
  DEFAULTS(rod, def);
  def.element_count = 4, def.closed = 1, def.position = square, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e5;
  return elastica_world_add_rod(f->world, &def, NULL);
}

static elastica_status add_a_body(faulted *f) {
  elastica_body_def def = ball_def(0.1, 1.0);
  elastica_rod *body = f->arm;
  def.position[0] = -9.0, def.position[2] = 9.0;
  const elastica_status status = elastica_world_add_body(f->world, &def, &body);
  if (status != ELASTICA_OK) assert_null(body);
  return status;
}

static elastica_status remove_a_rod(faulted *f) {
  return elastica_rod_remove(f->log);
}

static elastica_status add_a_module(faulted *f) {
  const wanderer own = {.source = {5}};
  elastica_module module = wandering_module(&own);
  module.self_size = sizeof own;
  return elastica_world_add_module(f->world, NULL, &module, NULL);
}

static elastica_status set_a_module(faulted *f) {
  const wanderer own = {.source = {6}};
  elastica_module module = wandering_module(&own);
  module.self_size = sizeof own;
  return elastica_effect_set_module(f->wanderer, &module);
}

static elastica_status switch_off(faulted *f) {
  return elastica_effect_set_enabled(f->contact, 0);
}

static elastica_status remove_an_effect(faulted *f) {
  return elastica_effect_remove(f->contact);
}

static elastica_status step_once(faulted *f) {
  return elastica_world_step(f->world, dt, 1);
}

static elastica_status step_to(elastica_world *world, long count) {
  return elastica_world_step(world, dt, count - elastica_world_get(world).step_count);
}

static elastica_status step_to_9(faulted *f) {
  return step_to(f->world, 9);
}

static elastica_status step_to_600(faulted *f) {
  return step_to(f->world, 600);
}

static elastica_status advance(faulted *f) {
  return elastica_world_get(f->world).time > 0.0 ? ELASTICA_OK : elastica_world_advance(f->world, 0x1p-9);
}

static elastica_status run(faulted *f) {
  DEFAULTS(run, def);
  def.until = 0x1p-8, def.whole_steps = 1;
  return elastica_world_run(f->world, &def, NULL);
}

static elastica_status run_with_samples(faulted *f) {
  elastica_sampler sampler;
  elastica_sampler_init(&sampler, sizeof sampler);
  sampler.sample = sample_energy, sampler.interval = 0x1p-10, sampler.start = 0.0;
  const elastica_status status = elastica_world_set_sampler(f->world, &sampler);
  return status == ELASTICA_OK ? step_to(f->world, 9) : status;
}

static elastica_status rewind_world(faulted *f) {
  return elastica_world_rewind(f->world);
}

static elastica_status ask_for_limit(faulted *f) {
  elastica_step_limit limit;
  return elastica_world_step_limit(f->world, &limit);
}

static elastica_status evaluate(faulted *f) {
  return elastica_world_evaluate(f->world, dt);
}

static elastica_status refresh(faulted *f) {
  return elastica_rod_refresh(f->log);
}

static elastica_status totals_of_rod(faulted *f) {
  elastica_totals totals;
  return elastica_rod_get_totals(f->log, &totals);
}

static elastica_status totals_of_world(faulted *f) {
  elastica_totals totals;
  return elastica_world_get_totals(f->world, &totals);
}

static elastica_status facts(faulted *f) {
  elastica_rod_facts out;
  return elastica_rod_get_facts(f->log, &out);
}

static elastica_status check(faulted *f) {
  elastica_check_report report;
  return elastica_world_check(f->world, 0.0, &report);
}

static elastica_status get_joint(faulted *f) {
  elastica_joint_info info;
  return elastica_joint_get(f->joint, &info);
}

static elastica_status get_tendon(faulted *f) {
  elastica_tendon_info info;
  elastica_guide_info guides[3];
  return elastica_tendon_get(f->tendon, &info, guides, 3);
}

static elastica_status get_contacts(faulted *f) {
  elastica_contact_point points[3];
  int count;
  return elastica_contact_get(f->contact, points, 3, &count);
}

static elastica_status get_force(faulted *f) {
  double force[3], couple[3];
  return elastica_obstacle_get_force(f->layer, force, couple);
}

/* A query without a status says with its message that memory ran out. */
static elastica_status status_of(faulted *f, double value) {
  if (!isnan(value)) return ELASTICA_OK;
  return strstr(elastica_world_message(f->world), "memory") != NULL ? ELASTICA_OUT_OF_MEMORY : ELASTICA_NOT_FINITE;
}

static elastica_status ask_for_energy(faulted *f) {
  return status_of(f, elastica_effect_energy(f->contact));
}

static elastica_status ask_for_power(faulted *f) {
  return status_of(f, elastica_effect_power(f->contact));
}

static elastica_status set_state(faulted *f) {
  double velocity[3 * SAMPLE_NODES] = {0.1, 0.2};
  return elastica_rod_set_state(f->log, NULL, velocity, NULL, NULL);
}

static elastica_status set_rest(faulted *f) {
  const double curvature[3 * SAMPLE_ELEMENTS] = {0.1, 0.2};
  return elastica_rod_set_rest(f->log, curvature, NULL);
}

static elastica_status set_body(faulted *f) {
  const double velocity[3] = {0.1, 0.2, 0.0};
  return elastica_body_set_state(f->ball, NULL, velocity, NULL, NULL);
}

/* ---- Snapshots ---- */

static elastica_status save(faulted *f) {
  if (f->bytes == NULL) f->size = 1 << 20, f->bytes = malloc(f->size);
  assert_non_null(f->bytes);
  return elastica_world_snapshot_save(f->world, f->bytes, f->size, NULL);
}

static void build_saved(faulted *f) {
  build_running(f);
  must(f->world, save(f));
  must(f->world, elastica_world_step(f->world, dt, 4));
}

static elastica_status load(faulted *f) {
  return elastica_world_snapshot_load(f->world, f->bytes, f->size);
}

static elastica_status save_file(faulted *f) {
  return elastica_world_snapshot_save_file(f->world, scratch_path(&f->folder, "state"));
}

static void build_filed(faulted *f) {
  build_running(f);
  must(f->world, save_file(f));
  must(f->world, elastica_world_step(f->world, dt, 4));
}

static elastica_status load_file(faulted *f) {
  return elastica_world_snapshot_load_file(f->world, scratch_path(&f->folder, "state"));
}

/* ---- Statics and implicit steps ---- */

static elastica_status relax(faulted *f) {
  return elastica_world_relax(f->world, NULL, NULL);
}

/* Converged or not, all parts of relaxation run. */
static elastica_status relax_damped(faulted *f) {
  DEFAULTS(relax, def);
  def.tolerance = 1e-3, def.evaluation_limit = 60, def.step_limit = 64;
  const elastica_status status = elastica_world_relax(f->world, &def, NULL);
  return status == ELASTICA_NOT_CONVERGED ? ELASTICA_OK : status;
}

static elastica_status run_implicitly(faulted *f) {
  DEFAULTS(implicit, def);
  def.until = 0.02, def.dt = 0.005;
  return elastica_world_run_implicit(f->world, &def, NULL);
}

/* Steps so short that none is halved: a run may be divided at each. */
static elastica_status run_implicit_steps(elastica_world *world, long count) {
  DEFAULTS(implicit, def);
  def.until = 0.002, def.dt = 0.0005, def.most_steps = count;
  return elastica_world_run_implicit(world, &def, NULL);
}

static elastica_status run_implicitly_in_contact(faulted *f) {
  return run_implicit_steps(f->world, LONG_MAX);
}

static elastica_status run_accurately(faulted *f) {
  DEFAULTS(implicit, def);
  def.until = 0.02, def.accuracy = 1e-6;
  return elastica_world_run_implicit(f->world, &def, NULL);
}

static elastica_status find(faulted *f, elastica_modes_kind kind) {
  DEFAULTS(modes, def);
  def.kind = kind, def.count = 3;
  return elastica_modes_find(f->world, &def, &f->modes);
}

static elastica_status find_frequencies(faulted *f) {
  return find(f, ELASTICA_MODES_FREQUENCIES);
}

static elastica_status find_buckling(faulted *f) {
  return find(f, ELASTICA_MODES_BUCKLING);
}

static void build_with_modes(faulted *f) {
  build_column_at_rest(f);
  must(f->world, find_frequencies(f));
}

static elastica_status apply_mode(faulted *f) {
  return elastica_modes_apply(f->modes, 0, 1e-4);
}

static elastica_status push_column(void *user, elastica_world *world, double parameter) {
  DEFAULTS(point_load, load);
  (void)world;
  load.force[2] = -parameter;
  return elastica_point_load_set(*(elastica_effect *const *)user, &load);
}

static elastica_status create_path(faulted *f) {
  DEFAULTS(path, def);
  def.apply = push_column, def.user = &f->load, def.start = 0.01, def.first_step = 0.4, def.upper = 3.5;
  return elastica_path_create(f->world, &def, &f->path);
}

static void build_path(faulted *f) {
  build_column(f);
  must(f->world, create_path(f));
}

static elastica_status next_point(faulted *f) {
  return elastica_path_next(f->path, NULL);
}

static void build_branch(faulted *f) {
  elastica_path_result point = {0};
  build_path(f);
  for (int k = 0; k < 40 && point.kind != ELASTICA_PATH_BRANCH; k++) must(f->world, elastica_path_next(f->path, &point));
  assert_int_equal(point.kind, ELASTICA_PATH_BRANCH);
}

static elastica_status switch_branch(faulted *f) {
  const elastica_status status = elastica_path_switch(f->path, 1);
  return status == ELASTICA_OK ? elastica_path_next(f->path, NULL) : status;
}

static elastica_status save_path(faulted *f) {
  if (f->bytes == NULL) f->size = 1 << 16, f->bytes = malloc(f->size);
  assert_non_null(f->bytes);
  return elastica_path_save(f->path, f->bytes, 1 << 16, &f->size);
}

static void build_path_in_progress(faulted *f) {
  build_path(f);
  for (int k = 0; k < 2; k++) must(f->world, next_point(f));
}

static void build_saved_path(faulted *f) {
  build_path_in_progress(f);
  must(f->world, save_path(f));
  elastica_path_destroy(f->path);
  must(f->world, create_path(f));
}

static elastica_status load_path(faulted *f) {
  return elastica_path_load(f->path, f->bytes, f->size);
}

/* ---- Budget, search ---- */

static elastica_status open_budget(faulted *f) {
  return elastica_budget_open(f->world, &f->budget);
}

static void build_with_budget(faulted *f) {
  build(f);
  must(f->world, open_budget(f));
}

static elastica_status create_search(faulted *f) {
  static const double lower[3] = {-2.0, -2.0, -2.0}, upper[3] = {2.0, 2.0, 2.0};
  DEFAULTS(cmaes, def);
  def.dimension = 3, def.step = 0.5, def.lower = lower, def.upper = upper, def.restart_limit = 3, def.stall_generations = 3;
  def.stall_gain = 1.0;
  def.allocate = take_rationed, def.release = give_back_rationed, def.allocator_user = &f->memory;
  def.message = f->message, def.message_size = sizeof f->message;
  return elastica_cmaes_create(&def, &f->search);
}

static void build_search(faulted *f) {
  f->world = NULL;
  if (create_search(f) != ELASTICA_OK) fail_msg("%s", f->message);
}

/* Restarts are included: their populations grow. */
static elastica_status search_on(faulted *f) {
  static double x[3 * 400], fitness[400];
  for (;;) {
    elastica_cmaes_info info;
    elastica_status status = elastica_cmaes_get(f->search, &info);
    if (status != ELASTICA_OK || info.restart >= 2) return status;
    status = elastica_cmaes_ask(f->search, x, 3 * 400);
    for (int k = 0; k < info.population; k++) fitness[k] = fitness_in_valley(x + 3 * k, 3);
    if (status == ELASTICA_OK) status = elastica_cmaes_tell(f->search, fitness);
    if (status != ELASTICA_OK) return status;
  }
}

static elastica_status save_search(faulted *f) {
  if (f->bytes == NULL) f->size = 1 << 16, f->bytes = malloc(f->size);
  assert_non_null(f->bytes);
  return elastica_cmaes_save(f->search, f->bytes, f->size, &f->size);
}

static void build_saved_search(faulted *f) {
  build_search(f);
  assert_int_equal(search_on(f), ELASTICA_OK);
  assert_int_equal(save_search(f), ELASTICA_OK);
  elastica_cmaes_destroy(f->search);
  assert_int_equal(create_search(f), ELASTICA_OK);
}

static elastica_status load_search(faulted *f) {
  return elastica_cmaes_load(f->search, f->bytes, f->size);
}

/* ---- Writers ---- */

static elastica_status open_csv(faulted *f) {
  return elastica_csv_open(f->world, scratch_path(&f->folder, "t.csv"), "a,b", &f->csv);
}

static elastica_status open_vtk(faulted *f) {
  return elastica_vtk_open(f->world, f->folder.path, "run", &f->vtk);
}

static elastica_status open_view(faulted *f) {
  DEFAULTS(view, def);
  def.size_limit = 1;
  return elastica_view_open(f->world, scratch_path(&f->folder, "v.html"), &def, &f->view);
}

static void build_with_vtk(faulted *f) {
  build_running(f);
  must(f->world, open_vtk(f));
}

static void build_with_view(faulted *f) {
  build_running(f);
  must(f->world, open_view(f));
}

static void build_with_frames(faulted *f) {
  build_with_view(f);
  for (int k = 0; k < 9; k++) must(f->world, elastica_view_frame(f->view));
}

static elastica_status vtk_contacts(faulted *f) {
  return elastica_vtk_add_contacts(f->vtk, f->contact);
}

static elastica_status vtk_frame(faulted *f) {
  return elastica_vtk_frame(f->vtk);
}

static void build_with_vtk_contacts(faulted *f) {
  build_with_vtk(f);
  must(f->world, vtk_contacts(f));
}

static elastica_status view_frame(faulted *f) {
  return elastica_view_frame(f->view);
}

static elastica_status close_view(faulted *f) {
  elastica_view *view = f->view;
  f->view = NULL;
  return elastica_view_close(view);
}

/* ---- Solids that are drawn as triangles ---- */

static elastica_status dome(void *user, const double point[3], double *distance, double gradient[3]) {
  const double from[3] = {point[0], point[1], point[2] + 0.5}, length = norm(from);
  (void)user;
  for (int a = 0; a < 3; a++) gradient[a] = length > 0.0 ? from[a] / length : a == 2;
  *distance = length - 0.4;
  return ELASTICA_OK;
}

/* A log above a dome and a tetrahedron. */
static void build_solids(faulted *f) {
  static const double corner[12] = {2.0, 0.0, 0.0, 3.0, 0.0, 0.0, 2.0, 1.0, 0.0, 2.0, 0.0, 1.0};
  static const int face[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
  const elastica_world_def def = world_def(f);
  f->world = make_world(&def);
  f->log = add_log(f->world, 0.0, 0.0, 0.05, X, 0.0);
  DEFAULTS(obstacle, surface);
  surface.kind = ELASTICA_OBSTACLE_ELASTIC, surface.modulus = 1e5;
  surface.shape = ELASTICA_SHAPE_SURFACE, surface.surface = dome, surface.surface_curvature = 4.0;
  must(f->world, elastica_add_obstacle(f->world, NULL, &surface, NULL));
  DEFAULTS(obstacle, mesh);
  mesh.kind = ELASTICA_OBSTACLE_ELASTIC, mesh.modulus = 1e5;
  mesh.shape = ELASTICA_SHAPE_MESH;
  mesh.points = corner, mesh.point_count = 4, mesh.triangles = face, mesh.triangle_count = 4, mesh.fillet = 0.05;
  must(f->world, elastica_add_obstacle(f->world, NULL, &mesh, NULL));
}

static void build_solids_with_view(faulted *f) {
  build_solids(f);
  must(f->world, open_view(f));
}

static void build_solids_with_vtk(faulted *f) {
  build_solids(f);
  must(f->world, open_vtk(f));
}

/* ---- Rows of the table of effects ---- */

static void build_row(faulted *f) {
  build_empty(f);
  for (int r = 0; r < 3; r++) add_row_rod(f->row, f->world, takes(f->row, 1) && r == 1, (uint64_t)r);
  f->arm = elastica_world_rod(f->world, 0);
  f->def = make_def(f->row, f->arm, 1.0);
}

static elastica_status add_row(faulted *f) {
  f->added = (elastica_effect *)(void *)f;
  const elastica_status status = f->row->add(f->world, f->row->is & EVERY_ROD ? NULL : f->arm, f->def, &f->added);
  if (status != ELASTICA_OK) assert_null(f->added);
  return status;
}

static void build_added_row(faulted *f) {
  build_row(f);
  must(f->world, add_row(f));
}

static elastica_status set_row(faulted *f) {
  return f->row->set(f->added, f->def);
}

static void build_moving_row(faulted *f) {
  build_added_row(f);
  must(f->world, step_once(f));
}

/* ---- Claims -------------------------------------------------------------------------------------------------------------------------- */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
  for (size_t k = 0; k < size; k++) hash = (hash ^ ((const unsigned char *)bytes)[k]) * UINT64_C(0x100000001b3);
  return hash;
}

static uint64_t hash_files(uint64_t hash, scratch_folder *folder) {
  struct dirent **entries;
  const int count = scandir(folder->path, &entries, NULL, alphasort);
  assert_true(count >= 0);
  for (int k = 0; k < count; k++) {
    if (entries[k]->d_name[0] != '.') {
      char *text = scratch_read(folder, entries[k]->d_name);
      hash = hash_bytes(hash_bytes(hash, entries[k]->d_name, strlen(entries[k]->d_name)), text, strlen(text));
      free(text);
    }
    free(entries[k]);
  }
  free(entries);
  return hash;
}

/* The state as a query without memory sees it. */
static uint64_t state_of(faulted *f) {
  uint64_t hash = hash_start();
  if (f->world != NULL) {
    const elastica_world_info info = elastica_world_get(f->world);
    const double numbers[4] = {info.time, (double)info.step_count, (double)info.rod_count, (double)info.effect_count};
    hash = hash_numbers(hash, numbers, 4);
    for (int k = 0; k < info.rod_count; k++)
      if (elastica_world_rod(f->world, k) != NULL) hash = hash_rod(hash, elastica_world_rod(f->world, k));
  }
  return hash_files(hash, &f->folder);
}

static void start(faulted *f, const path_row *path, const effect_row *row) {
  memset(f, 0, sizeof *f);
  f->memory = plenty();
  f->row = row;
  scratch_make(&f->folder);
  path->begin(f);
}

/* Closes all, and returns a hash of the state after some more steps, with all files. */
static uint64_t finish(faulted *f) {
  uint64_t hash = hash_start();
  if (f->world != NULL) {
    if (elastica_world_get(f->world).rod_count > 0) must(f->world, elastica_world_step(f->world, dt, 3));
    elastica_modes_destroy(f->modes);
    elastica_path_destroy(f->path);
    elastica_budget_close(f->budget);
    must(f->world, elastica_csv_close(f->csv));
    must(f->world, elastica_vtk_close(f->vtk));
    if (f->view != NULL) must(f->world, elastica_view_frame(f->view));
    must(f->world, elastica_view_close(f->view));
    snapshot s = take_snapshot(f->world);
    hash = hash_bytes(hash, s.bytes, s.size);
    free(s.bytes);
  }
  if (f->search != NULL) {
    static unsigned char bytes[1 << 16];
    size_t size;
    assert_int_equal(elastica_cmaes_save(f->search, bytes, sizeof bytes, &size), ELASTICA_OK);
    hash = hash_bytes(hash, bytes, size);
    elastica_cmaes_destroy(f->search);
  }
  hash = hash_files(hash, &f->folder);
  elastica_world_destroy(f->world);
  scratch_remove(&f->folder);
  free(f->bytes), free(f->def);
  if (f->memory.blocks != 0) fail_msg("%ld blocks are lost", f->memory.blocks);
  return hash;
}

static const char *sentence_of(const faulted *f) {
  if (f->search != NULL) return elastica_cmaes_message(f->search);
  return f->world != NULL ? elastica_world_message(f->world) : f->message;
}

/* The state after as many steps as a refused call has taken. */
static void claim_state_of_steps(const path_row *path, const faulted *f) {
  faulted twin;
  start(&twin, path, f->row);
  const long count = elastica_world_get(f->world).step_count;
  must(twin.world, path->implicit_steps ? run_implicit_steps(twin.world, count) : step_to(twin.world, count));
  const int same = hash_world(twin.world) == hash_world(f->world);
  finish(&twin);
  if (!same) fail_msg("%s: the state is not that of the last step", path->name);
}

/* The state that the preparation of a step or query leaves: prescribed values are in place. */
static uint64_t prepared_state(const path_row *path, const effect_row *row) {
  faulted twin;
  elastica_step_limit limit;
  start(&twin, path, row);
  if (twin.world != NULL) ignore(elastica_world_step_limit(twin.world, &limit));
  const uint64_t state = state_of(&twin);
  finish(&twin);
  return state;
}

enum { SOME_REQUESTS = 60 };

/* With one more block of memory each time, the call is refused in the same world until it succeeds. Returns a hash of its state then. */
static uint64_t hash_after_refusals(const path_row *path, const effect_row *row) {
  faulted f;
  elastica_status status = ELASTICA_OUT_OF_MEMORY;
  start(&f, path, row);
  for (long allowed = 0; status == ELASTICA_OUT_OF_MEMORY; allowed++) {
    f.memory.left = allowed;
    status = path->call(&f);
    f.memory.left = LONG_MAX;
  }
  if (status != ELASTICA_OK) fail_msg("%s: after refusals: %s: %s", path->name, elastica_status_text(status), sentence_of(&f));
  return finish(&f);
}

/* Returns the number of refused calls. */
static long claim_path(const path_row *path, const effect_row *row) {
  faulted f;
  char label[160];
  snprintf(label, sizeof label, "%s%s%s%s%s", path->name, row != NULL ? " " : "", row != NULL ? row->name : "", row != NULL ? " " : "",
           row != NULL ? row->kind : "");
  start(&f, path, row);
  const long before = f.memory.calls;
  const elastica_status expected = path->call(&f);
  const long requests = f.memory.calls - before;
  if (expected != ELASTICA_OK) fail_msg("%s: %s: %s", label, elastica_status_text(expected), sentence_of(&f));
  const uint64_t after = finish(&f);
  if (requests < path->least) fail_msg("%s: %ld requests", label, requests);

  long refused = 0;
  const long usual_stride = requests / rounds(SOME_REQUESTS) + 1;
  for (int sticky = 0; sticky < 2; sticky++) {
    const long stride = path->each && !sticky ? 1 : usual_stride;
    for (long k = 0; k < requests; k += stride) {
      start(&f, path, row);
      const uint64_t state = state_of(&f);
      if (sticky)
        f.memory.left = k;
      else
        f.memory.refused_call = f.memory.calls + k;
      const elastica_status status = path->call(&f);
      f.memory.left = LONG_MAX, f.memory.refused_call = -1;
      if (status != ELASTICA_OUT_OF_MEMORY)
        fail_msg("%s: request %ld%s: %s: %s", label, k, sticky ? " and later" : "", elastica_status_text(status), sentence_of(&f));
      if (status == ELASTICA_OUT_OF_MEMORY) {
        refused++;
        if (sentence_of(&f)[0] == '\0') fail_msg("%s: request %ld: no sentence", label, k);
        const uint64_t now = state_of(&f);
        const int steps = path->steps || (path->implicit_steps && elastica_world_get(f.world).step_count > 0);
        if (steps && now != state)
          claim_state_of_steps(path, &f);
        else if (!steps && !path->closes && now != state && now != prepared_state(path, row))
          fail_msg("%s: request %ld%s: it changed the state", label, k, sticky ? " and later" : "");
        if (!path->closes) {
          const elastica_status again = path->call(&f);
          if (again != ELASTICA_OK)
            fail_msg("%s: again, after request %ld: %s: %s", label, k, elastica_status_text(again), sentence_of(&f));
        }
      }
      const uint64_t hash = finish(&f);
      if (hash != after && !path->closes) fail_msg("%s: request %ld%s: other bits", label, k, sticky ? " and later" : "");
    }
  }
  if (row != NULL && hash_after_refusals(path, row) != after) fail_msg("%s: other bits after several refusals", label);
  if (getenv("PRINT_FAULTS") != NULL) fprintf(stderr, "%-40s %4ld requests %4ld refusals\n", label, requests, refused);
  return refused;
}

static const path_row paths[] = {
    {.name = "world_create", .begin = build_nothing, .call = create_world},
    {.name = "world_create with workers", .begin = build_nothing, .call = create_with_workers},
    {.name = "cmaes_create", .begin = build_nothing, .call = create_search},
    {.name = "cmaes_ask and tell", .begin = build_search, .call = search_on},
    {.name = "cmaes_load", .begin = build_saved_search, .call = load_search},
    {.name = "add_rod", .begin = build_empty, .call = add_a_rod},
    {.name = "add_rod in motion", .begin = build_running, .call = add_a_rod},
    {.name = "add_rod, ring", .begin = build_running, .call = add_a_ring},
    {.name = "add_body", .begin = build_running, .call = add_a_body},
    {.name = "rod_remove", .begin = build_running, .call = remove_a_rod},
    {.name = "add_module", .begin = build_running, .call = add_a_module},
    {.name = "effect_set_module", .begin = build_running, .call = set_a_module},
    {.name = "effect_set_enabled", .begin = build_running, .call = switch_off},
    {.name = "effect_remove", .begin = build_running, .call = remove_an_effect},
    {.name = "step, the first", .begin = build, .call = step_once, .least = 10},
    {.name = "step, workers", .begin = build_with_workers, .call = step_once, .least = 10},
    {.name = "step, kept states", .begin = build_keeping, .call = step_to_9, .steps = 1},
    {.name = "step, growing contact", .begin = build_falling, .call = step_to_600, .steps = 1, .least = 20},
    {.name = "step, budget", .begin = build_with_budget, .call = step_to_9, .steps = 1},
    {.name = "advance", .begin = build, .call = advance},
    {.name = "run", .begin = build, .call = run},
    {.name = "run with samples", .begin = build, .call = run_with_samples},
    {.name = "rewind", .begin = build_failed, .call = rewind_world},
    {.name = "step_limit", .begin = build, .call = ask_for_limit},
    {.name = "evaluate", .begin = build, .call = evaluate},
    {.name = "evaluate in motion", .begin = build_running, .call = evaluate},
    {.name = "refresh", .begin = build, .call = refresh},
    {.name = "rod_get_totals", .begin = build, .call = totals_of_rod},
    {.name = "world_get_totals", .begin = build, .call = totals_of_world},
    {.name = "rod_get_facts", .begin = build, .call = facts},
    {.name = "check", .begin = build, .call = check, .each = 1},
    {.name = "check in motion", .begin = build_running, .call = check},
    {.name = "joint_get", .begin = build, .call = get_joint},
    {.name = "tendon_get", .begin = build, .call = get_tendon},
    {.name = "contact_get", .begin = build, .call = get_contacts},
    {.name = "obstacle_get_force", .begin = build, .call = get_force},
    {.name = "effect_energy", .begin = build, .call = ask_for_energy},
    {.name = "effect_power", .begin = build, .call = ask_for_power},
    {.name = "rod_set_state", .begin = build_running, .call = set_state},
    {.name = "rod_set_rest", .begin = build_running, .call = set_rest},
    {.name = "body_set_state", .begin = build_running, .call = set_body},
    {.name = "snapshot_save", .begin = build, .call = save},
    {.name = "snapshot_load", .begin = build_saved, .call = load},
    {.name = "snapshot_save_file", .begin = build_running, .call = save_file},
    {.name = "snapshot_load_file", .begin = build_filed, .call = load_file},
    {.name = "relax", .begin = build_column, .call = relax},
    {.name = "relax, contact", .begin = build_column_with_touch, .call = relax, .each = 1},
    {.name = "relax, own loads", .begin = build_column_with_own_loads, .call = relax, .each = 1},
    {.name = "relax, friction", .begin = build_rough_beam, .call = relax_damped, .each = 1},
    {.name = "relax, damped steps", .begin = build_falling, .call = relax_damped},
    {.name = "run_implicit", .begin = build_column, .call = run_implicitly},
    {.name = "run_implicit, accuracy", .begin = build_column, .call = run_accurately},
    {.name = "run_implicit, contact", .begin = build_column_with_touch, .call = run_implicitly_in_contact, .implicit_steps = 1},
    {.name = "run_implicit, friction", .begin = build_rough_beam, .call = run_implicitly_in_contact, .implicit_steps = 1, .each = 1},
    {.name = "modes_find, frequencies", .begin = build_column_at_rest, .call = find_frequencies, .each = 1},
    {.name = "modes_find, buckling", .begin = build_column_at_rest, .call = find_buckling, .each = 1},
    {.name = "modes_apply", .begin = build_with_modes, .call = apply_mode},
    {.name = "path_create", .begin = build_column, .call = create_path},
    {.name = "path_next, the first", .begin = build_path, .call = next_point},
    {.name = "path_next", .begin = build_path_in_progress, .call = next_point, .each = 1},
    {.name = "path_switch", .begin = build_branch, .call = switch_branch, .each = 1},
    {.name = "path_save", .begin = build_path_in_progress, .call = save_path},
    {.name = "path_load", .begin = build_saved_path, .call = load_path},
    {.name = "budget_open", .begin = build, .call = open_budget},
    {.name = "csv_open", .begin = build, .call = open_csv},
    {.name = "vtk_open", .begin = build, .call = open_vtk},
    {.name = "vtk_add_contacts", .begin = build_with_vtk, .call = vtk_contacts},
    {.name = "vtk_frame", .begin = build_with_vtk, .call = vtk_frame},
    {.name = "vtk_frame with contacts", .begin = build_with_vtk_contacts, .call = vtk_frame},
    {.name = "view_open", .begin = build, .call = open_view},
    {.name = "vtk_frame, triangles", .begin = build_solids_with_vtk, .call = vtk_frame, .each = 1},
    {.name = "view_frame", .begin = build_with_view, .call = view_frame, .each = 1},
    {.name = "view_frame, triangles", .begin = build_solids_with_view, .call = view_frame, .each = 1},
    {.name = "view_frame, more", .begin = build_with_frames, .call = view_frame},
    {.name = "view_close", .begin = build_with_frames, .call = close_view, .closes = 1},
};

TEST(a_call_without_memory_changes_nothing) {
  for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) claim_path(&paths[k], NULL);
}

TEST(an_effect_without_memory_changes_nothing) {
  static const path_row of_effect[] = {
      {.name = "add", .begin = build_row, .call = add_row},
      {.name = "set", .begin = build_added_row, .call = set_row},
      {.name = "set in motion", .begin = build_moving_row, .call = set_row},
      {.name = "step_limit", .begin = build_added_row, .call = ask_for_limit},
      {.name = "step", .begin = build_added_row, .call = step_once},
      {.name = "world_get_totals", .begin = build_added_row, .call = totals_of_world},
  };
  for (int r = 0; r < EFFECT_ROWS; r++)
    for (size_t k = 0; k < sizeof of_effect / sizeof *of_effect; k++) claim_path(&of_effect[k], &effect_rows[r]);
}
