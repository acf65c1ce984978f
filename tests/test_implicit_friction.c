/* Friction in implicit steps: return mapping from the history at the start of each step. */
#include "implicit_steps.h"

#include "threads.h"

/* ---- Scenes on obstacles ------------------------------------------------------------------------------------------------------------- */

#define G 9.81
#define MODULUS 1e6
#define MU 0.4
enum { N = 10 };

/* A bar of rubber along x. */
static elastica_rod_def bar_def(void) {
  DEFAULTS(rod, def);
  def.element_count = N;
  def.length = 0.2;
  def.radius = 0.01;
  def.density = 1200.0;
  def.youngs_modulus = 1e7;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  return def;
}

/* A bar that lies on the plane z = 0 at the depth of its weight; gravity is tilted by an angle about y. */
static elastica_rod *add_lying_bar(elastica_world *world, double angle, elastica_obstacle_def *floor_def) {
  const double gravity[3] = {G * sin(angle), 0.0, -G * cos(angle)};
  elastica_rod *rod = NULL;
  elastica_rod_def def = bar_def();
  const double mass = 3.14159265358979324 * 1e-4 * 0.2 * 1200.0;
  def.start[2] = 0.01 - mass * G * cos(angle) / (MODULUS * (0.2 + 2.0 * 0.01 * 2.0 / 3.0));
  must(world, elastica_world_add_rod(world, &def, &rod));
  floor_def->kind = ELASTICA_OBSTACLE_ELASTIC;
  floor_def->modulus = MODULUS;
  floor_def->friction = MU;
  must(world, elastica_add_obstacle(world, NULL, floor_def, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  return rod;
}

static elastica_implicit_result run_by(elastica_world *world, double until, double dt) {
  return take_implicit_steps(world, until, dt, 1e-10);
}

static double mean_of(const double *values, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; i++) sum += values[i];
  return sum / count;
}

/* Friction first rises from 0, as its spring is drawn; then a bar above the angle of friction gains g (sin a - mu cos a) per time. Below it
 * the bar rests where the spring bears it. */
TEST(a_bar_slides_above_the_angle_of_friction_and_sticks_below) {
  for (int k = 0; k < 2; k++) {
    const double angle = k ? 0.6 : 0.15;
    elastica_world *world = make_world(NULL);
    DEFAULTS(obstacle, floor_def);
    const elastica_rod_view *view = elastica_rod_get_view(add_lying_bar(world, angle, &floor_def));
    run_by(world, 1e-4, 1e-5);
    run_by(world, 0.1, 1e-3);
    const double first = mean_of(view->velocity[0], N + 1), place = mean_of(view->position[0], N + 1) - 0.1;
    run_by(world, 0.2, 1e-3);
    const double last = mean_of(view->velocity[0], N + 1), stiffness = floor_def.tangential_ratio * MODULUS * (0.2 + 0.04 / 3.0);
    const double mass = 3.14159265358979324 * 1e-4 * 0.2 * 1200.0;
    if (k) {
      assert_close(last - first, G * (sin(angle) - MU * cos(angle)) * 0.1, 1e-6);
    } else {
      assert_close(last, 0.0, 1e-8);
      assert_close(place, mass * G * sin(angle) / stiffness, 1e-7);
    }
    elastica_world_destroy(world);
  }
}

/* ---- Capstan ------------------------------------------------------------------------------------------------------------------------- */

#define PI 3.14159265358979324
enum { ROPE = 120 };

static elastica_status draw(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double *start = user, last = 0.05 * time;
  for (int a = 0; a < 3; a++) position[a] = start[a], velocity[a] = omega[a] = 0.0;
  for (int a = 0; a < 9; a++) director[a] = a % 4 == 0;
  position[2] -= time < 0.1 ? 0.25 * time * time : last - 0.0025;
  velocity[2] = time < 0.1 ? -0.5 * time : -0.05;
  return ELASTICA_OK;
}

static double tension_at(const elastica_rod_view *view, int j, double stiffness) {
  return stiffness * (view->length[j] / view->rest_length[j] - 1.0);
}

/* A rope over half a cylinder, with a weight on one end, is drawn at the other. Returns the ratio of the tensions of its legs once it
 * slides steadily. */
static double draw_rope(int is_implicit) {
  const double radius = 0.05, thick = 0.001, leg = 0.1, bend = radius + thick, length = PI * bend + 2.0 * leg, modulus = 2e7;
  const double axes[9] = {1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0};
  double position[3 * (ROPE + 1)] = {0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  for (int i = 0; i <= ROPE; i++) {
    const double s = length * i / ROPE - leg, angle = s / bend, at = bend - 1e-6;
    const double x = s < 0.0 ? -at : angle < PI ? -at * cos(angle) : at, z = s < 0.0 ? s : angle < PI ? at * sin(angle) : PI * bend - s;
    position[component(i, 0)] = x, position[component(i, 2)] = z;
  }
  DEFAULTS(rod, rod_def);
  rod_def.element_count = ROPE;
  rod_def.radius = thick;
  rod_def.density = 1500.0;
  rod_def.youngs_modulus = modulus;
  rod_def.position = position;
  must(world, elastica_world_add_rod(world, &rod_def, &rod));
  DEFAULTS(obstacle, cylinder);
  cylinder.kind = ELASTICA_OBSTACLE_ELASTIC;
  cylinder.shape = ELASTICA_SHAPE_CYLINDER;
  cylinder.radius = radius;
  cylinder.length = 0.2;
  cylinder.modulus = 1e6;
  cylinder.friction = 0.3;
  memcpy(cylinder.director, axes, sizeof axes);
  must(world, elastica_add_obstacle(world, NULL, &cylinder, NULL));
  DEFAULTS(point_load, weight);
  weight.node = 0;
  weight.force[2] = -1.0;
  must(world, elastica_add_point_load(world, rod, &weight, NULL));
  DEFAULTS(dissipation, air);
  air.translation = 0.3;
  must(world, elastica_add_dissipation(world, rod, &air, NULL));
  DEFAULTS(boundary, hand);
  hand.kind = ELASTICA_BOUNDARY_PIN;
  hand.node = ROPE;
  hand.motion = draw;
  hand.user = position + component(ROPE, 0);
  must(world, elastica_add_boundary(world, rod, &hand, NULL));
  if (is_implicit) {
    DEFAULTS(implicit, def);
    def.until = 0.2;
    def.accuracy = 3e-5 * length;
    must(world, elastica_world_run_implicit(world, &def, NULL));
  } else {
    must(world, elastica_world_advance(world, 0.2));
  }
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const double stiffness = modulus * PI * thick * thick;
  const double ratio = tension_at(view, ROPE - 2, stiffness) / tension_at(view, 2, stiffness);
  elastica_world_destroy(world);
  return ratio;
}

/* The tensions differ by exp(mu pi), but for the bending stiffness E I/radius^2, 0.6 % of the weight, at both ends of the contact, and for
 * the arc that the elements cut off. */
TEST_LONG(a_rope_on_a_cylinder_holds_exp_of_mu_times_the_angle) {
  const double ratio = draw_rope(1);
  assert_close(ratio, exp(0.3 * PI), 0.02 * exp(0.3 * PI));
  assert_close(ratio, draw_rope(0), 0.01);
}

/* ---- Convergence --------------------------------------------------------------------------------------------------------------------- */

static void fill_sticking(elastica_world *world) {
  DEFAULTS(obstacle, floor_def);
  add_lying_bar(world, 0.3, &floor_def);
}

static void fill_sliding(elastica_world *world) {
  DEFAULTS(obstacle, floor_def);
  floor_def.tangential_damping = 50.0;
  add_lying_bar(world, 0.6, &floor_def);
}

static elastica_status turn_table(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double angle = 4.0 * time * time;
  (void)user;
  for (int a = 0; a < 3; a++) position[a] = velocity[a] = omega[a] = 0.0;
  for (int a = 0; a < 9; a++) director[a] = 0.0;
  director[0] = director[4] = cos(angle), director[1] = sin(angle), director[3] = -sin(angle), director[8] = 1.0;
  omega[2] = 8.0 * time;
  return ELASTICA_OK;
}

static void fill_turning(elastica_world *world) {
  DEFAULTS(obstacle, floor_def);
  floor_def.motion = turn_table;
  add_lying_bar(world, 0.0, &floor_def);
}

/* Two bars at a right angle: the upper one falls on the lower one and slides along it. */
static void fill_crossing(elastica_world *world) {
  double velocity[3 * (N + 1)] = {0.0};
  elastica_rod *rod = NULL;
  elastica_rod_def def = bar_def();
  def.start[0] = -0.11, def.start[1] = 0.013;
  must(world, elastica_world_add_rod(world, &def, &rod));
  for (int i = 0; i <= N; i++) velocity[component(i, 2)] = -0.3, velocity[component(i, 0)] = 0.2;
  def.velocity = velocity;
  def.direction[0] = 0.0, def.direction[1] = 1.0;
  def.start[0] = 0.0, def.start[1] = -0.1, def.start[2] = 0.0201;
  must(world, elastica_world_add_rod(world, &def, &rod));
  DEFAULTS(contact, contact);
  contact.modulus = 1e6;
  contact.friction = MU;
  contact.tangential_damping = 20.0;
  contact.damping = 30.0;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
}

/* While it sticks or slides friction converges with second order; the step of a change, and of a first touch, is of first order. */
TEST_LONG(friction_converges_to_explicit_steps) {
  static const struct {
    void (*fill)(elastica_world *world);
    double until, most; /* [s] [m] */
  } scene[] = {{fill_sticking, 0.02, 1e-7}, {fill_sliding, 0.05, 4e-6}, {fill_turning, 0.2, 1e-6}, {fill_crossing, 0.02, 1e-6}};
  for (size_t s = 0; s < sizeof scene / sizeof *scene; s++) {
    double error[2];
    elastica_world *exact = make_world(NULL);
    scene[s].fill(exact);
    must(exact, elastica_world_step(exact, scene[s].until / 20000, 20000));
    for (int k = 0; k < 2; k++) {
      elastica_world *world = make_world(NULL);
      scene[s].fill(world);
      run_by(world, scene[s].until, scene[s].until / (k ? 1024 : 256));
      error[k] = distance_of(world, exact);
      elastica_world_destroy(world);
    }
    if (!(error[0] <= scene[s].most && error[0] >= 4.0 * error[1])) fail_msg("scene %zu: errors %.3g and %.3g m", s, error[0], error[1]);
    elastica_world_destroy(exact);
  }
}

/* ---- Bits ---------------------------------------------------------------------------------------------------------------------------- */

/* Steps of 0x1p-9 s; a snapshot in the middle passes to another world if pieces is 2. */
static uint64_t hash_of_run(void (*fill)(elastica_world *world), int workers, size_t tile, int pieces) {
  elastica_world_def world_def = default_world();
  world_def.worker_count = workers;
  world_def.tile_size = tile;
  elastica_world *world = make_world(&world_def);
  if (workers > 1) share_all_work(world);
  fill(world);
  run_by(world, pieces == 2 ? 0x1p-5 : 0x1p-4, 0x1p-9);
  if (pieces == 2) {
    elastica_world *other = make_world(NULL);
    size_t size;
    fill(other);
    must(world, elastica_world_snapshot_save(world, NULL, 0, &size));
    void *buffer = malloc(size);
    must(world, elastica_world_snapshot_save(world, buffer, size, NULL));
    must(other, elastica_world_snapshot_load(other, buffer, size));
    free(buffer);
    elastica_world_destroy(world);
    world = other;
    run_by(world, 0x1p-4, 0x1p-9);
  }
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(friction_keeps_its_bits_with_threads_tiles_and_snapshots) {
  void (*const fills[])(elastica_world * world) = {fill_sticking, fill_sliding, fill_turning, fill_crossing};
  for (int f = 0; f < 4; f++) {
    const uint64_t expected = hash_of_run(fills[f], 1, 256, 1);
    for (int workers = 1; workers <= 3; workers++)
      for (int pieces = 1; pieces <= 2; pieces++)
        if (hash_of_run(fills[f], workers, workers == 2 ? 8 : 256, pieces) != expected)
          fail_msg("scene %d, %d workers, %d pieces: other bits", f, workers, pieces);
  }
}
