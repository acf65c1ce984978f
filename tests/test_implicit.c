/* Implicit steps: they reproduce an independent implementation, converge with second order to the explicit ones, keep their promises, and
 * refuse all else.
 */
#include "implicit_steps.h"

#include <float.h>

#include "rationed_memory.h"
#include "threads.h"

/* ---- The reference -------------------------------------------------------------------------------------------------------------------
 *
 * A free rod with J1 != J2, tapered, bent, twisted, sheared and strained at rest, by an independent numpy implementation. Newton's method
 * there goes on to 3e-12.
 */

enum { ELEMENTS = 9, NODES = 10, SNAPSHOTS = 5 };

typedef struct snapshot {
  int step;
  double position[3 * NODES], director[9 * ELEMENTS], velocity[3 * NODES], omega[3 * ELEMENTS];
  double energy, linear[3], angular[3];
} snapshot;

typedef struct reference {
  double dt;
  double rest_length[ELEMENTS], mass[NODES], inertia[3 * ELEMENTS], shear_stiffness[3 * ELEMENTS], bend_stiffness[3 * ELEMENTS];
  double rest_curvature[3 * (ELEMENTS - 1)], rest_strain[3 * ELEMENTS];
  snapshot snapshot[SNAPSHOTS];
} reference;

static const reference free_rod =
#include "reference/implicit.inc"
    ;

static elastica_world *make_world_with(int workers, size_t tile) {
  elastica_world_def def = default_world();
  def.worker_count = workers;
  def.tile_size = tile;
  return make_world(&def);
}

static elastica_rod *add_reference_rod(elastica_world *world) {
  const reference *of = &free_rod;
  double density[ELEMENTS], mass = 0.0;
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  for (int j = 0; j < ELEMENTS; j++) {
    mass = 2.0 * of->mass[j] - mass;
    density[j] = mass / (3.14159265358979324 * 0.02 * 0.02 * of->rest_length[j]);
  }
  def.element_count = ELEMENTS;
  def.position = of->snapshot[0].position;
  def.velocity = of->snapshot[0].velocity;
  def.director = of->snapshot[0].director;
  def.omega = of->snapshot[0].omega;
  def.rest_length = of->rest_length;
  def.rest_curvature = of->rest_curvature;
  def.rest_strain = of->rest_strain;
  def.inertia = of->inertia;
  def.shear_stiffness = of->shear_stiffness;
  def.bend_stiffness = of->bend_stiffness;
  def.radius = 0.02;
  def.element_density = density;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static elastica_implicit_result run_by(elastica_world *world, double until, double dt) {
  return take_implicit_steps(world, until, dt, 1e-11);
}

static double largest_difference(const double *a, const double *b, int count) {
  double most = 0.0;
  for (int i = 0; i < count; i++)
    if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]);
  return most;
}

TEST(reproduces_the_reference) {
  elastica_world *world = make_world_with(1, 256);
  elastica_rod *rod = add_reference_rod(world);
  for (int k = 0; k < SNAPSHOTS; k++) {
    const snapshot *expected = &free_rod.snapshot[k];
    rod_state now;
    elastica_totals momentum;
    if (k > 0) run_by(world, free_rod.dt * expected->step, free_rod.dt);
    assert_int_equal(elastica_world_get(world).step_count, expected->step);
    read_state(rod, &now);
    assert_close(largest_difference(now.position, expected->position, 3 * NODES), 0.0, 1e-10);
    assert_close(largest_difference(now.director, expected->director, 9 * ELEMENTS), 0.0, 1e-10);
    assert_close(largest_difference(now.velocity, expected->velocity, 3 * NODES), 0.0, 1e-9);
    assert_close(largest_difference(now.omega, expected->omega, 3 * ELEMENTS), 0.0, 1e-8);
    assert_close(mechanical_energy(world), expected->energy, 1e-9);
    must(world, elastica_rod_get_totals(rod, &momentum));
    assert_all_close(momentum.linear, free_rod.snapshot[0].linear, 3, 1e-13);
    assert_all_close(momentum.angular, expected->angular, 3, 1e-9);
  }
  elastica_world_destroy(world);
}

/* ---- Convergence --------------------------------------------------------------------------------------------------------------------- */

static elastica_status growing_force(void *user, double time, double force[3], double couple[3]) {
  (void)user;
  force[0] = 6.0 * time;
  force[1] = 0.2 * sin(40.0 * time);
  couple[2] = 0.01 * time;
  return ELASTICA_OK;
}

static void add_weight(elastica_world *world) {
  const double gravity[3] = {1.0, 2.5, -9.0};
  must(world, elastica_add_gravity(world, gravity, NULL));
}

static void hold(elastica_world *world, elastica_rod *rod, elastica_boundary_kind kind, elastica_motion motion) {
  DEFAULTS(boundary, clamp);
  clamp.kind = kind;
  clamp.motion = motion;
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
}

static void damp(elastica_world *world) {
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = 2.0;
  dissipation.rotation = 1e-3;
  must(world, elastica_add_dissipation(world, NULL, &dissipation, NULL));
}

static void fill_free(elastica_world *world) {
  add_usual_rod(world);
}

static void fill_ring(elastica_world *world) {
  add_usual_ring(world);
  add_weight(world);
}

static void fill_clamped(elastica_world *world) {
  hold(world, add_usual_rod(world), ELASTICA_BOUNDARY_CLAMP, shake_wall);
  add_weight(world);
  damp(world);
}

static void fill_framed(elastica_world *world) {
  elastica_rod *rod = add_usual_rod(world);
  DEFAULTS(point_load, load);
  load.function = growing_force;
  hold(world, rod, ELASTICA_BOUNDARY_FRAME, shake_wall);
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  add_weight(world);
}

static void fill_pinned(elastica_world *world) {
  elastica_rod *rod = add_usual_rod(world);
  DEFAULTS(node_mass, mass);
  mass.mass = 0.3;
  hold(world, rod, ELASTICA_BOUNDARY_PIN, NULL);
  must(world, elastica_add_node_mass(world, rod, &mass, NULL));
  add_weight(world);
}

static void fill_swimming(elastica_world *world) {
  elastica_rod *rod = add_usual_rod(world);
  static const double amplitude[8] = {0.2, 0.4, 0.5, 0.6, 0.6, 0.5, 0.4, 0.2};
  DEFAULTS(muscle, muscle);
  DEFAULTS(drag, drag);
  muscle.amplitude = amplitude;
  muscle.period = 0.2;
  drag.viscosity = 1.0;
  must(world, elastica_add_muscle(world, rod, &muscle, NULL));
  must(world, elastica_add_drag(world, rod, &drag, NULL));
}

/* A body that tumbles about its intermediate axis hangs from a clamped rod. */
static void fill_body(elastica_world *world) {
  elastica_rod *rod = add_usual_rod(world), *body = NULL;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const int last = view->node_count - 1;
  DEFAULTS(body, def);
  DEFAULTS(joint, joint);
  def.shape = ELASTICA_SHAPE_BOX;
  def.density = 500.0;
  def.edges[0] = 0.1, def.edges[1] = 0.2, def.edges[2] = 0.3;
  for (int a = 0; a < 3; a++) def.position[a] = view->position[a][last] + (a == 0 ? 0.2 : 0.0);
  def.omega[0] = 0.05, def.omega[1] = 4.0;
  must(world, elastica_world_add_body(world, &def, &body));
  joint.first.rod = rod;
  joint.first.element = -1;
  joint.first.share = 1.0;
  joint.second.rod = body;
  joint.second.offset[0] = -0.2;
  must(world, elastica_add_joint(world, &joint, NULL));
  hold(world, rod, ELASTICA_BOUNDARY_CLAMP, NULL);
  add_weight(world);
}

static const struct {
  const char *name;
  void (*fill)(elastica_world *world);
} scenes[] = {{"free", fill_free},     {"ring", fill_ring},         {"clamped", fill_clamped}, {"framed", fill_framed},
              {"pinned", fill_pinned}, {"swimming", fill_swimming}, {"body", fill_body}};

enum { SCENES = sizeof scenes / sizeof *scenes };

/* At half the step the distance to explicit steps, which are far smaller, is a quarter. */
TEST_LONG(converges_with_second_order_to_explicit_steps) {
  for (int s = 0; s < SCENES; s++) {
    double error[3];
    elastica_world *exact = make_world(NULL);
    elastica_step_limit limit;
    scenes[s].fill(exact);
    must(exact, elastica_world_step_limit(exact, &limit));
    const double until = 64.0 * limit.dt;
    must(exact, elastica_world_step(exact, until / 16384, 16384));
    for (int k = 0; k < 3; k++) {
      elastica_world *world = make_world(NULL);
      scenes[s].fill(world);
      run_by(world, until, until / (512 << k));
      error[k] = distance_of(world, exact);
      elastica_world_destroy(world);
    }
    if (!(error[0] > 3.6 * error[1] && error[1] > 3.6 * error[2]))
      fail_msg("%s: errors %.3g, %.3g, %.3g m", scenes[s].name, error[0], error[1], error[2]);
    elastica_world_destroy(exact);
  }
}

/* ---- Quantities that an implicit step keeps, and those that it removes --------------------------------------------------------------- */

static elastica_rod *add_wire(elastica_world *world, int n) {
  return add_straight_rod(world, n, 0.5, 0.5e-3, 7800.0, 200e9, 77e9);
}

/* A wire of steel that begins 0.1 % too long, with steps of 100 periods of its slowest wave of stretch. */
TEST(unresolved_vibrations_die_out) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_wire(world, 20);
  rod_state state_of_rod;
  read_state(rod, &state_of_rod);
  for (int i = 0; i <= 20; i++) state_of_rod.position[component(i, 2)] *= 1.001;
  must(world, elastica_rod_set_state(rod, state_of_rod.position, NULL, NULL, NULL));
  const double before = mechanical_energy(world), period = 1.0 / 5064.0;
  run_by(world, 3.0 * 100.0 * period, 100.0 * period);
  assert_between(mechanical_energy(world), 0.0, 1e-8 * before);
  elastica_world_destroy(world);
}

/* A wire in equilibrium stays there in steps of 10 s, 1e8 explicit ones. */
TEST(an_equilibrium_is_exact) {
  const double gravity[3] = {-9.81, 0.0, 0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_wire(world, 20);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  hold(world, rod, ELASTICA_BOUNDARY_CLAMP, NULL);
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_world_relax(world, NULL, NULL));
  const double before = view->position[0][20];
  assert_true(before < -0.01);
  run_by(world, 50.0, 10.0);
  assert_close(view->position[0][20], before, 1e-12);
  for (int i = 0; i <= 20; i++) assert_close(view->velocity[0][i], 0.0, 1e-13);
  elastica_world_destroy(world);
}

/* A sphere falls in a still, viscous fluid: v = m g/c. */
TEST(terminal_velocity_is_exact) {
  elastica_world *world = make_world(NULL);
  elastica_rod *body = NULL;
  const double gravity[3] = {0.0, 0.0, -9.81};
  DEFAULTS(body, def);
  DEFAULTS(dissipation, dissipation);
  def.radius = 0.05;
  def.mass = 0.4;
  dissipation.translation = 30.0;
  must(world, elastica_world_add_body(world, &def, &body));
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_add_dissipation(world, NULL, &dissipation, NULL));
  run_by(world, 20.0, 1.0);
  const elastica_rod_view *view = elastica_rod_get_view(body);
  assert_close(view->velocity[2][0], -9.81 * 0.4 / (30.0 * view->length[0]), 1e-13);
  elastica_world_destroy(world);
}

/* Velocities do not lose digits where positions have few: 1e5 m away a position is known to 1e-11 m. */
TEST(far_from_the_origin_a_rod_moves_likewise) {
  rod_state near_origin, far_away;
  for (int far = 0; far < 2; far++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_reference_rod(world);
    rod_state *to = far ? &far_away : &near_origin;
    read_state(rod, to);
    for (int i = 0; i < NODES && far; i++) to->position[component(i, 1)] += 0x1p17;
    must(world, elastica_rod_set_state(rod, to->position, to->velocity, to->director, to->omega));
    run_by(world, 20 * free_rod.dt, free_rod.dt);
    read_state(rod, to);
    for (int i = 0; i < NODES && far; i++) to->position[component(i, 1)] -= 0x1p17;
    elastica_world_destroy(world);
  }
  assert_close(largest_difference(near_origin.position, far_away.position, 3 * NODES), 0.0, 1e-9);
  assert_close(largest_difference(near_origin.velocity, far_away.velocity, 3 * NODES), 0.0, 1e-7);
}

/* ---- Contact ------------------------------------------------------------------------------------------------------------------------- */

static elastica_rod_def bar_def(void) {
  DEFAULTS(rod, def);
  def.element_count = 20;
  def.length = 0.5;
  def.radius = 0.01;
  def.density = 1200.0;
  def.youngs_modulus = 1e7;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  return def;
}

/* An inclined bar falls on an elastic floor. */
static void fill_falling(elastica_world *world) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_rod_def def = bar_def();
  def.direction[2] = 0.05;
  def.start[2] = 0.0105;
  must(world, elastica_world_add_rod(world, &def, &(elastica_rod *){NULL}));
  DEFAULTS(obstacle, floor_def);
  floor_def.kind = ELASTICA_OBSTACLE_ELASTIC;
  floor_def.modulus = 1e6;
  floor_def.damping = 20.0;
  must(world, elastica_add_obstacle(world, NULL, &floor_def, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
}

/* A bar flies onto another at a right angle, at this speed [m/s]. */
static void fill_crossing_at(elastica_world *world, double speed) {
  double velocity[3 * 21] = {0.0};
  elastica_rod *rod = NULL;
  elastica_rod_def def = bar_def();
  def.start[0] = -0.27;
  must(world, elastica_world_add_rod(world, &def, &rod));
  for (int i = 0; i <= 20; i++) velocity[component(i, 2)] = -speed;
  def.velocity = velocity;
  def.direction[0] = 0.0, def.direction[1] = 1.0;
  def.start[0] = 0.0, def.start[1] = -0.2, def.start[2] = 0.021;
  must(world, elastica_world_add_rod(world, &def, &rod));
  DEFAULTS(contact, contact);
  contact.modulus = 1e6;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
}

static void fill_crossing(elastica_world *world) {
  fill_crossing_at(world, 0.5);
}

TEST_LONG(contacts_converge_to_explicit_steps) {
  static const struct {
    void (*fill)(elastica_world *world);
    double until, most;
  } touching[] = {{fill_falling, 0.2, 2e-3}, {fill_crossing, 0.1, 1e-4}};
  for (int s = 0; s < 2; s++) {
    double error[2];
    elastica_world *exact = make_world(NULL);
    touching[s].fill(exact);
    must(exact, elastica_world_step(exact, touching[s].until / 20000, 20000));
    for (int k = 0; k < 2; k++) {
      elastica_world *world = make_world(NULL);
      touching[s].fill(world);
      run_by(world, touching[s].until, touching[s].until / (k ? 5120 : 320));
      error[k] = distance_of(world, exact);
      elastica_world_destroy(world);
    }
    if (!(error[0] <= touching[s].most && error[1] <= error[0] / 4.0)) fail_msg("%d: errors %.3g, %.3g m", s, error[0], error[1]);
    elastica_world_destroy(exact);
  }
}

/* At 5 m/s a bar would be on the other side of the first after one of these steps: they are divided. */
TEST(nothing_passes_through_in_a_step) {
  for (int k = 0; k < 2; k++) {
    elastica_implicit_result result;
    elastica_world *world = make_world(NULL);
    fill_crossing_at(world, 5.0);
    DEFAULTS(implicit, def);
    def.until = 0.008;
    if (k == 0) def.dt = 0.008;
    if (k == 1) def.accuracy = 1e-3;
    must(world, elastica_world_run_implicit(world, &def, &result));
    const double *lower = elastica_rod_get_view(elastica_world_rod(world, 0))->position[2],
                 *upper = elastica_rod_get_view(elastica_world_rod(world, 1))->position[2];
    assert_true(result.longest <= 0.25 * 0.01 / 4.0 && result.finished);
    assert_true(upper[8] > lower[11]); /* they cross */
    elastica_world_destroy(world);
  }
}

/* ---- Bits ---------------------------------------------------------------------------------------------------------------------------- */

static void fill_all(elastica_world *world) {
  fill_body(world);
  fill_clamped(world);
  fill_ring(world);
}

static uint64_t hash_of_run(void (*fill)(elastica_world *world), elastica_instruction_set set, int workers, size_t tile, int pieces) {
  elastica_world_def world_def = default_world();
  world_def.instruction_set = set;
  world_def.worker_count = workers;
  world_def.tile_size = tile;
  elastica_world *world = NULL;
  if (elastica_world_create(&world_def, &world) != ELASTICA_OK) return 0;
  if (workers > 1) share_all_work(world);
  fill(world);
  for (int k = 1; k <= pieces; k++) {
    DEFAULTS(implicit, def);
    def.until = 0x1p-7;
    def.dt = 0x1p-11;
    def.most_steps = 16 / pieces;
    must(world, elastica_world_run_implicit(world, &def, NULL));
  }
  assert_int_equal(elastica_world_get(world).step_count, 16);
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(bits_depend_on_neither_threads_nor_tiles_nor_instructions_nor_pieces) {
  void (*const fills[3])(elastica_world * world) = {fill_all, fill_falling, fill_crossing};
  for (int f = 0; f < 3; f++) {
    const uint64_t expected = hash_of_run(fills[f], ELASTICA_INSTRUCTION_SET_BASE, 1, 256, 1);
    for (int set = 0; set <= ELASTICA_INSTRUCTION_SET_FMA; set++)
      for (int workers = 1; workers <= 3; workers++)
        for (int tiles = 0; tiles < 2; tiles++) {
          const uint64_t hash = hash_of_run(fills[f], (elastica_instruction_set)set, workers, tiles ? 8 : 256, 1 << workers);
          if (hash != 0) assert_true(hash == expected);
        }
  }
}

/* A snapshot in the middle, loaded into another world, leads to the same bits; explicit steps may come before and after. */
TEST(snapshots_and_explicit_steps_come_between) {
  elastica_world *world = make_world(NULL), *other = make_world(NULL);
  fill_all(world);
  fill_all(other);
  must(world, elastica_world_step(world, 1e-5, 7));
  run_by(world, 7e-5 + 0x1p-5, 0x1p-9);
  size_t size;
  must(world, elastica_world_snapshot_save(world, NULL, 0, &size));
  void *buffer = malloc(size);
  must(world, elastica_world_snapshot_save(world, buffer, size, NULL));
  must(other, elastica_world_snapshot_load(other, buffer, size));
  free(buffer);
  for (int k = 0; k < 2; k++) {
    run_by(k ? other : world, 0.0625, 0x1p-9);
    must(k ? other : world, elastica_world_advance(k ? other : world, 1e-3));
  }
  assert_true(hash_world(world) == hash_world(other));
  elastica_world_destroy(world);
  elastica_world_destroy(other);
}

TEST(a_rewound_run_repeats_itself) {
  elastica_world_def world_def = default_world();
  world_def.snapshot_interval = 8;
  elastica_world *world = make_world(&world_def);
  fill_all(world);
  run_by(world, 11 * 0x1p-9, 0x1p-9);
  const uint64_t hash = hash_world(world);
  must(world, elastica_world_rewind(world));
  assert_int_equal(elastica_world_get(world).step_count, 8);
  run_by(world, 11 * 0x1p-9, 0x1p-9);
  assert_true(hash_world(world) == hash);
  elastica_world_destroy(world);
}

/* ---- Memory -------------------------------------------------------------------------------------------------------------------------- */

/* The calls of the allocator do not depend on the number of steps, and a refused block refuses the call and changes nothing. */
TEST(steps_request_no_memory) {
  long calls[2];
  for (int k = 0; k < 2; k++) {
    memory_ration ration = plenty();
    elastica_world *world = make_rationed_world(&ration);
    fill_all(world);
    run_by(world, 0x1p-9, 0x1p-9);
    const long before = ration.calls;
    run_by(world, (k ? 30 : 3) * 0x1p-9, 0x1p-9);
    calls[k] = ration.calls - before;
    elastica_world_destroy(world);
    assert_int_equal(ration.blocks, 0);
  }
  assert_int_equal(calls[0], calls[1]);
}

TEST(a_refused_block_changes_nothing) {
  memory_ration ration = plenty();
  elastica_world *world = make_rationed_world(&ration);
  elastica_status status = ELASTICA_OUT_OF_MEMORY;
  elastica_step_limit limit;
  fill_all(world);
  must(world, elastica_world_step_limit(world, &limit)); /* prepares the world */
  const uint64_t before = hash_world(world);
  DEFAULTS(implicit, def);
  def.until = 0x1p-9;
  def.dt = 0x1p-9;
  for (int k = 0; status == ELASTICA_OUT_OF_MEMORY && k < 100; k++) {
    ration.refused_call = ration.calls + k;
    status = elastica_world_run_implicit(world, &def, NULL);
    if (status == ELASTICA_OUT_OF_MEMORY) assert_true(hash_world(world) == before);
  }
  must(world, status);
  elastica_world_destroy(world);
}

/* ---- The size of steps --------------------------------------------------------------------------------------------------------------- */

enum { DRILL_ELEMENTS = 20 };

static elastica_implicit_result run_to_accuracy(elastica_world *world, double until, double accuracy) {
  elastica_implicit_result result;
  DEFAULTS(implicit, def);
  def.until = until;
  def.accuracy = accuracy;
  must(world, elastica_world_run_implicit(world, &def, &result));
  assert_true(result.finished && elastica_world_get(world).time == until);
  return result;
}

/* A wire of steel swings: the error falls with the accuracy, and each step is far longer than an explicit one. */
TEST(steps_follow_the_accuracy) {
  const double gravity[3] = {-9.81, 0.0, 0.0}, accuracy[4] = {1e-9, 1e-5, 1e-6, 1e-7};
  double tip[4];
  elastica_implicit_result result[4];
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_wire(world, 10);
    elastica_step_limit limit;
    hold(world, rod, ELASTICA_BOUNDARY_CLAMP, NULL);
    must(world, elastica_add_gravity(world, gravity, NULL));
    must(world, elastica_world_step_limit(world, &limit));
    result[k] = run_to_accuracy(world, 0.2, accuracy[k]);
    assert_true(result[k].error <= accuracy[k] && result[k].longest > 100.0 * limit.dt && result[k].shortest > 0.0);
    assert_int_equal(result[k].steps, elastica_world_get(world).step_count);
    assert_true(result[k].iterations >= 2 * result[k].steps && result[k].iterations < 16 * (result[k].steps + result[k].rejected));
    tip[k] = elastica_rod_get_view(rod)->position[0][10];
    elastica_world_destroy(world);
  }
  for (int k = 1; k < 4; k++) {
    assert_between(fabs(tip[k] - tip[0]), 0.0, 500.0 * accuracy[k]);
    assert_true(k == 1 || result[k].steps > result[k - 1].steps);
  }
}

/* A straight drill string, 100 m long with a radius of 60 mm. spin [rad/s]: of its elements about its axis. */
static elastica_rod *add_drill_string(elastica_world *world, const double spin[DRILL_ELEMENTS]) {
  double omega[3 * DRILL_ELEMENTS] = {0.0};
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  for (int j = 0; j < DRILL_ELEMENTS; j++) omega[3 * j + 2] = spin[j];
  def.element_count = DRILL_ELEMENTS, def.length = 100.0, def.radius = 0.06;
  def.density = 7800.0, def.youngs_modulus = 200e9, def.shear_modulus = 77e9;
  def.omega = omega;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* A drill string in its first mode of torsion, of amplitude 6 mm at its surface, keeps its energy. No node moves. The energy that eight
 * periods lose is of third order in the step, as the error of a step is: it falls with the accuracy. */
TEST(the_accuracy_is_that_of_the_surface) {
  const double period = 4.0 * 100.0 / sqrt(77e9 / 7800.0), accuracy[3] = {1e-6, 1e-7, 1e-8};
  double spin[DRILL_ELEMENTS], lost[3];
  for (int j = 0; j < DRILL_ELEMENTS; j++) spin[j] = 5.0 * sin(1.57079632679489662 * (j + 0.5) / DRILL_ELEMENTS);
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    hold(world, add_drill_string(world, spin), ELASTICA_BOUNDARY_CLAMP, NULL);
    const double energy = mechanical_energy(world);
    const elastica_implicit_result result = run_to_accuracy(world, 8.0 * period, accuracy[k]);
    assert_between(result.error, 0.5 * accuracy[k], accuracy[k]);
    lost[k] = 1.0 - mechanical_energy(world) / energy;
    elastica_world_destroy(world);
  }
  assert_between(lost[0], 0.0, 5e-3);
  for (int k = 1; k < 3; k++) assert_between(lost[k - 1] / lost[k], 5.0, 20.0);
}

/* A free rod that spins steadily about its axis is not at rest, although no node moves: its steps have no bound. */
TEST(a_spin_about_the_axis_is_a_motion) {
  double spin[DRILL_ELEMENTS];
  elastica_world *world = make_world(NULL);
  for (int j = 0; j < DRILL_ELEMENTS; j++) spin[j] = 0.01;
  (void)add_drill_string(world, spin);
  assert_true(run_to_accuracy(world, 10.0, 1e-6).longest > 1.0);
  elastica_world_destroy(world);
}

/* A second call with first_step continues the steps of the first. */
TEST(the_next_step_is_handed_on) {
  elastica_implicit_result result;
  elastica_world *world = make_world(NULL);
  DEFAULTS(implicit, def);
  fill_clamped(world);
  def.until = 0.2;
  def.accuracy = 1e-5;
  def.most_steps = 30;
  must(world, elastica_world_run_implicit(world, &def, &result));
  assert_true(!result.finished && result.steps == 30 && result.lag > 0.0);
  def.first_step = result.next_step;
  def.most_steps = 1;
  must(world, elastica_world_run_implicit(world, &def, &result));
  assert_close(result.longest, def.first_step, 0.1 * def.first_step);
  elastica_world_destroy(world);
}

/* The times of 20,000 steps are rounded sums: the last step takes the remainder, which is no step of its own. */
TEST(a_remainder_joins_the_last_step) {
  const double dt[2] = {5e-5, 1e-3};
  for (int k = 0; k < 2; k++)
    for (int calls = 1; calls <= 10; calls *= 10) {
      long steps = 0;
      elastica_world *world = make_world(NULL);
      hold(world, add_wire(world, 2), ELASTICA_BOUNDARY_CLAMP, NULL);
      for (int call = 1; call <= calls; call++) {
        const elastica_implicit_result result = run_by(world, dt[k] * (20000 / calls * call), dt[k]);
        steps += result.steps;
        assert_close(result.shortest, dt[k], 1e-7 * dt[k]);
      }
      assert_int_equal(steps, 20000);
      elastica_world_destroy(world);
    }
}

/* A tolerance that rounding never meets: the state is that of the last whole step, and the world has not failed. */
TEST(a_step_without_convergence_leaves_the_last_state) {
  elastica_implicit_result result;
  elastica_world *world = make_world(NULL);
  DEFAULTS(implicit, def);
  fill_clamped(world);
  run_by(world, 0x1p-9, 0x1p-9);
  const uint64_t before = hash_world(world);
  def.until = 1.0;
  def.dt = 0x1p-9;
  def.newton_tolerance = 1e-100;
  assert_refused(world, elastica_world_run_implicit(world, &def, &result), ELASTICA_NOT_CONVERGED, "run_implicit", "t = 0.001953125 s",
                 "rod 0", "last whole step");
  assert_true(hash_world(world) == before && result.steps == 0 && result.halved == 10 && !result.finished);
  run_by(world, 0x1p-8, 0x1p-9);
  elastica_world_destroy(world);
}

/* ---- Hooks and samples --------------------------------------------------------------------------------------------------------------- */

typedef struct diary {
  int begun, seen, samples, stops_at;
  double last;
} diary;

static elastica_status note_begin(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  diary *of = self;
  (void)rod;
  assert_int_equal(now->purpose, ELASTICA_PURPOSE_STEP);
  of->begun++;
  of->last = now->time;
  return ELASTICA_OK;
}

static elastica_status note_end(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  diary *of = self;
  of->seen++;
  assert_close(now->time - of->last, now->dt, 1e-12);
  assert_int_equal(now->step, of->seen - 1);
  assert_true(rod->length != NULL);
  return ELASTICA_OK;
}

static elastica_status take_sample(void *user, elastica_world *world) {
  diary *of = user;
  (void)world;
  return ++of->samples == of->stops_at ? ELASTICA_STOPPED : ELASTICA_OK;
}

TEST(observers_see_steps_and_samplers_stop) {
  diary notes = {0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_usual_rod(world);
  elastica_implicit_result result;
  elastica_module module = module_named("diary");
  module.self = &notes;
  module.begin_step = note_begin;
  module.observe = note_end;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  elastica_sampler sampler;
  elastica_sampler_init(&sampler, sizeof sampler);
  sampler.sample = take_sample;
  sampler.user = &notes;
  sampler.interval = 0.01;
  sampler.exact = 1;
  must(world, elastica_world_set_sampler(world, &sampler));
  run_to_accuracy(world, 0.1, 1e-6);
  assert_int_equal(notes.samples, 11);
  assert_int_equal(notes.seen, elastica_world_get(world).step_count);
  assert_int_equal(notes.begun, notes.seen);
  notes.stops_at = 13;
  DEFAULTS(implicit, def);
  def.until = 1.0;
  def.accuracy = 1e-6;
  assert_int_equal(elastica_world_run_implicit(world, &def, &result), ELASTICA_STOPPED);
  assert_close(elastica_world_get(world).time, 0.12, 1e-12);
  assert_true(!result.finished);
  elastica_world_destroy(world);
}

static elastica_status fail_late(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)rod, (void)loads;
  return now->time > 0.02 ? ELASTICA_CALLBACK_FAILED : ELASTICA_OK;
}

static elastica_status add_no_blocks(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  (void)self, (void)now, (void)rod, (void)tangent;
  return ELASTICA_OK;
}

TEST(a_failed_hook_is_a_failure_at_the_last_whole_step) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_usual_rod(world);
  elastica_module module = module_named("late");
  module.add_loads = fail_late;
  module.add_tangent = add_no_blocks;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  DEFAULTS(implicit, def);
  def.until = 1.0;
  def.dt = 0x1p-7;
  assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_CALLBACK_FAILED, "late", "add_loads");
  assert_int_equal(elastica_world_get(world).step_count, 2);
  assert_true(elastica_world_get(world).time == 0x1p-6);
  assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_WRONG_STATE, "late");
  elastica_world_destroy(world);
}

/* ---- Refusals ------------------------------------------------------------------------------------------------------------------------ */

TEST(bad_definitions_are_refused) {
  static const struct {
    double until, accuracy, dt, first_step, tolerance;
    long most_steps;
    const char *says;
  } bad[] = {
      {NAN, 1e-5, NAN, NAN, 1e-6, 1, "until is not set"},
      {INFINITY, 1e-5, NAN, NAN, 1e-6, 1, "until"},
      {1.0, NAN, NAN, NAN, 1e-6, 1, "neither is set"},
      {1.0, 1e-5, 1e-3, NAN, 1e-6, 1, "both are set"},
      {1.0, -1e-5, NAN, NAN, 1e-6, 1, "accuracy"},
      {1.0, 0.0, NAN, NAN, 1e-6, 1, "accuracy"},
      {1.0, INFINITY, NAN, NAN, 1e-6, 1, "accuracy"},
      {1.0, NAN, 0.0, NAN, 1e-6, 1, "dt"},
      {1.0, NAN, -1.0, NAN, 1e-6, 1, "dt"},
      {1.0, NAN, INFINITY, NAN, 1e-6, 1, "dt"},
      {1.0, NAN, 1e-3, 1e-3, 1e-6, 1, "first_step"},
      {1.0, 1e-5, NAN, 0.0, 1e-6, 1, "first_step"},
      {1.0, 1e-5, NAN, -1.0, 1e-6, 1, "first_step"},
      {1.0, 1e-5, NAN, NAN, 0.0, 1, "newton_tolerance"},
      {1.0, 1e-5, NAN, NAN, NAN, 1, "newton_tolerance"},
      {1.0, 1e-5, NAN, NAN, 1.0, 1, "newton_tolerance"},
      {1.0, 1e-5, NAN, NAN, 1e-6, -1, "most_steps"},
      {1.0, NAN, 1e-30, NAN, 1e-6, 1, "a step of 1e-30 s is lost in rounding"},
  };
  const double bad_longest[4] = {0.0, -1.0, INFINITY, 0.1};
  elastica_world *world = make_world(NULL);
  fill_clamped(world);
  run_by(world, 0x1p-9, 0x1p-9);
  const uint64_t before = hash_world(world);
  for (int k = 0; k < 4; k++) {
    DEFAULTS(implicit, def);
    def.until = 1.0;
    if (k < 3)
      def.accuracy = 1e-5;
    else
      def.dt = 0.1;
    def.longest_step = bad_longest[k];
    assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "longest_step");
    assert_true(hash_world(world) == before);
  }
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    DEFAULTS(implicit, def);
    def.until = bad[k].until;
    def.accuracy = bad[k].accuracy;
    def.dt = bad[k].dt;
    def.first_step = bad[k].first_step;
    def.newton_tolerance = bad[k].tolerance;
    def.most_steps = bad[k].most_steps;
    assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, bad[k].says);
    assert_true(hash_world(world) == before);
  }
  assert_refused(world, elastica_world_run_implicit(world, NULL, NULL), ELASTICA_INVALID_ARGUMENT, "def is NULL");
  assert_int_equal(elastica_world_run_implicit(NULL, NULL, NULL), ELASTICA_INVALID_ARGUMENT);
  elastica_world_destroy(world);
}

/* From the time 0 even the smallest time is later. */
TEST(the_time_of_a_step_too_small_is_named) {
  static const double untils[] = {1e-300, 1e-151, 5e-324};
  for (int k = 0; k < 6; k++) {
    elastica_world *world = make_world(NULL);
    fill_clamped(world);
    DEFAULTS(implicit, def);
    def.until = untils[k / 2];
    *(k % 2 ? &def.accuracy : &def.dt) = 1e-5;
    assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "run_implicit: a step of ");
    assert_true(elastica_world_get(world).time == 0.0);
    elastica_world_destroy(world);
  }
}

/* A change of gravity ends the course of the run: the next one begins at rest, for one unit in the last place of the time. */
TEST(a_run_of_one_unit_in_the_last_place_is_one_step) {
  double gravity[3] = {0.0, 0.0, -9.81};
  elastica_world *world = make_world(NULL);
  elastica_effect *weight = NULL;
  elastica_implicit_result result;
  hold(world, add_wire(world, 2), ELASTICA_BOUNDARY_CLAMP, NULL);
  must(world, elastica_add_gravity(world, gravity, &weight));
  run_to_accuracy(world, 0.3, 1e-6);
  gravity[2] = -5.0;
  must(world, elastica_gravity_set(weight, gravity));
  DEFAULTS(implicit, def);
  def.until = nextafter(0.3, 1.0);
  def.accuracy = 1e-6;
  must(world, elastica_world_run_implicit(world, &def, &result));
  assert_true(result.finished && result.steps == 1 && elastica_world_get(world).time == def.until);
  elastica_world_destroy(world);
}

static elastica_status jump(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)velocity, (void)director, (void)omega;
  if (time > 0.3) position[0] += 0.01;
  return ELASTICA_OK;
}

/* A jump along the rod folds it, later, to the limit of its joints: steps before that become no shorter than time resolves. */
TEST(steps_without_convergence_stay_above_the_rounding_of_time) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  DEFAULTS(boundary, clamp);
  DEFAULTS(implicit, run);
  def.element_count = 8, def.length = 0.2, def.radius = 0.003, def.density = 1000.0, def.youngs_modulus = 1e7;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  must(world, elastica_world_add_rod(world, &def, &rod));
  clamp.motion = jump;
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  must(world, elastica_add_gravity(world, (const double[3]){0.0, 0.0, -1.0}, NULL));
  run.until = 0.8;
  run.accuracy = 1e-6;
  assert_refused(world, elastica_world_run_implicit(world, &run, NULL), ELASTICA_NOT_CONVERGED, "jumps");
  const char *step = strstr(elastica_world_message(world), "even with ");
  assert_true(step != NULL && strtod(step + strlen("even with "), NULL) > 10.0 * DBL_EPSILON * elastica_world_get(world).time);
  elastica_world_destroy(world);
}

/* A run that ends now or before takes no step. */
TEST(a_time_that_has_passed_is_no_error) {
  elastica_implicit_result result;
  elastica_world *world = make_world(NULL);
  fill_free(world);
  run_by(world, 0x1p-9, 0x1p-9);
  DEFAULTS(implicit, def);
  def.until = 0.0;
  def.dt = 1e-3;
  must(world, elastica_world_run_implicit(world, &def, &result));
  assert_true(result.finished && result.steps == 0 && result.lag == -0x1p-9);
  elastica_world_destroy(world);
}

static void add_floor(elastica_world *world, elastica_rod *rod) {
  DEFAULTS(obstacle, def);
  def.position[2] = -10.0;
  def.stiffness = 1e3;
  must(world, elastica_add_obstacle(world, rod, &def, NULL));
}

static void add_explicit_drag(elastica_world *world, elastica_rod *rod) {
  DEFAULTS(drag, def);
  def.kind = ELASTICA_DRAG_EXPLICIT;
  def.viscosity = 1.0;
  must(world, elastica_add_drag(world, rod, &def, NULL));
}

static void add_loads_without_tangent(elastica_world *world, elastica_rod *rod) {
  elastica_module module = module_named("blind");
  module.add_loads = fail_late;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
}

static elastica_status constrain_nothing(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self, (void)now, (void)rod, (void)state;
  return ELASTICA_OK;
}

static void add_own_constraint(elastica_world *world, elastica_rod *rod) {
  elastica_module module = module_named("rail");
  module.constrain_velocity = constrain_nothing;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
}

TEST(effects_without_an_implicit_form_are_refused_by_name) {
  static const struct {
    void (*add)(elastica_world *world, elastica_rod *rod);
    const char *name, *reason;
  } refused[] = {
      {add_floor, "obstacle", "sum of all other loads"},
      {add_explicit_drag, "drag", "RATE"},
      {add_loads_without_tangent, "blind", "add_tangent"},
      {add_own_constraint, "rail", "constraints"},
  };
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_usual_rod(world);
    elastica_step_limit limit;
    refused[k].add(world, rod);
    must(world, elastica_world_step_limit(world, &limit));
    const uint64_t before = hash_world(world);
    DEFAULTS(implicit, def);
    def.until = 1.0;
    def.dt = 1e-3;
    assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "run_implicit", "effect 0",
                   refused[k].name, refused[k].reason, "explicit steps");
    assert_true(sentence_has_number(elastica_world_message(world), limit.dt, 1e-2));
    assert_true(hash_world(world) == before);
    must(world, elastica_effect_set_enabled(elastica_world_effect(world, 0), 0));
    run_by(world, 1e-3, 1e-3);
    elastica_world_destroy(world);
  }
}

TEST(an_accuracy_below_rounding_is_refused_with_both_numbers) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  elastica_rod_def rod_def = bar_def();
  rod_def.start[1] = 1000.0;
  must(world, elastica_world_add_rod(world, &rod_def, &rod));
  DEFAULTS(implicit, def);
  def.until = 1e-3;
  def.accuracy = 1e-13;
  assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "accuracy is 1e-13 m", "rounding",
                 "rod 0", "1000 m");
  assert_true(sentence_has_number(elastica_world_message(world), 1000.0 * DBL_EPSILON, 1e-2));
  def.accuracy = 1e-12;
  must(world, elastica_world_run_implicit(world, &def, NULL));
  elastica_world_destroy(world);
}

TEST(other_laws_and_budgets_are_refused) {
  DEFAULTS(implicit, def);
  def.until = 1.0;
  def.dt = 1e-3;
  for (int k = 0; k < 2; k++) {
    elastica_world_def world_def = default_world();
    if (k == 0) world_def.law = ELASTICA_LAW_RESCALED;
    if (k == 1) world_def.exact_couple = 0;
    elastica_world *world = make_world(&world_def);
    add_usual_rod(world);
    assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "ELASTICA_LAW_CLASSICAL",
                   "exact_couple");
    elastica_world_destroy(world);
  }
  elastica_world *world = make_world(NULL);
  elastica_budget *budget = NULL;
  add_usual_rod(world);
  must(world, elastica_budget_open(world, &budget));
  assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_WRONG_STATE, "budget");
  elastica_budget_close(budget);
  run_by(world, 1e-3, 1e-3);
  elastica_world_destroy(world);
}
