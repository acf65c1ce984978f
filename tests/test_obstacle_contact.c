/* Elastic obstacles: their layer has a potential, friction sticks and slides as Coulomb has it, round things roll, and history is kept. */
#include "base/target.h"

#include "acting.h"
#include "bodies.h"

static const double g = 9.81;

static elastica_obstacle_def obstacle_of(elastica_obstacle shape, double modulus) {
  elastica_obstacle_def def;
  elastica_obstacle_def_init(&def, sizeof def);
  def.obstacle = shape;
  def.modulus = modulus;
  if (shape != ELASTICA_OBSTACLE_BOX && shape != ELASTICA_OBSTACLE_PLANE) def.radius = 0.1;
  if (shape == ELASTICA_OBSTACLE_CYLINDER) def.length = 0.3;
  if (shape == ELASTICA_OBSTACLE_BOX) def.edge[0] = 0.2, def.edge[1] = 0.3, def.edge[2] = 0.25;
  return def;
}

static elastica_effect *add_obstacle_to(elastica_world *world, const elastica_obstacle_def *def) {
  elastica_effect *effect = NULL;
  must(world, elastica_add_obstacle(world, NULL, def, &effect));
  return effect;
}

static elastica_obstacle_info felt(elastica_effect *effect) {
  elastica_obstacle_info info;
  must(elastica_effect_world(effect), elastica_obstacle_get(effect, &info, NULL, 0));
  return info;
}

static elastica_rod *add_stick(elastica_world *world, int n, const double start[3], const double direction[3], double length, double radius,
                               double modulus) {
  elastica_rod_def def;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  memcpy(def.start, start, sizeof def.start);
  memcpy(def.direction, direction, sizeof def.direction);
  def.length = length, def.radius = radius, def.density = 1000.0, def.youngs_modulus = modulus;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* ---- The layer ------------------------------------------------------------------------------------------------------------------------ */

/* Rods that pass each shape at a skew angle, over faces, edges and corners, at a depth of 0.3 radii. */
enum { POSES = 6 };

static elastica_rod *add_skew(elastica_world *world, const elastica_obstacle_def *def, uint64_t seed) {
  random_source source = {seed};
  double middle[3], direction[3], start[3], up[3] = {0.0, 0.0, 1.0}, size;
  const double radius = 0.03, length = 0.5;
  random_vector(&source, 1.0, direction);
  random_vector(&source, 1.0, up);
  size = norm(direction);
  for (int a = 0; a < 3; a++) direction[a] /= size;
  const double along = dot(up, direction);
  for (int a = 0; a < 3; a++) up[a] -= along * direction[a];
  size = norm(up);
  for (int a = 0; a < 3; a++) up[a] /= size;
  /* lowered until it overlaps */
  for (double height = 0.4;; height -= 1e-3) {
    elastica_world *trial = make_world(NULL);
    for (int a = 0; a < 3; a++) middle[a] = height * up[a], start[a] = middle[a] - 0.47 * length * direction[a];
    (void)add_stick(trial, 3, start, direction, length, radius, 1e5);
    elastica_effect *effect = NULL;
    if (elastica_add_obstacle(trial, NULL, def, &effect) != ELASTICA_OK) fail_msg("%s", elastica_world_message(trial));
    const double depth = felt(effect).deepest;
    elastica_world_destroy(trial);
    if (depth > 0.3 * radius) break;
  }
  return add_stick(world, 3, start, direction, length, radius, 1e5);
}

static double slope_of(elastica_rod *rod, elastica_effect *effect, const rod_state *base, int unknown) {
  const double h = 2e-5, factor[4] = {1.0, -1.0, 2.0, -2.0};
  const int nodes = elastica_rod_get_view(rod)->node_count;
  double value[4];
  for (int k = 0; k < 4; k++) {
    rod_state displaced;
    displace(base, nodes, unknown, factor[k] * h, &displaced);
    value[k] = potential_at(rod, effect, &displaced);
  }
  return -(8.0 * (value[0] - value[1]) - (value[2] - value[3])) / (12.0 * h);
}

static void the_layer_is_a_potential_on_every_shape(void **state) {
  (void)state;
  for (int shape = ELASTICA_OBSTACLE_PLANE; shape <= ELASTICA_OBSTACLE_BOX; shape++)
    for (uint64_t seed = 1; seed <= POSES; seed++) {
      const elastica_obstacle_def def = obstacle_of((elastica_obstacle)shape, 1e4);
      elastica_world *world = make_kicked_world(ELASTICA_LAW_CLASSICAL, 1);
      elastica_rod *rod = shape == ELASTICA_OBSTACLE_PLANE ? add_stick(world, 3, (double[3]){0.0, 0.0, 0.024},
                                                                       (double[3]){1.0, 0.1 * (double)seed, 0.01}, 0.5, 0.03, 1e5)
                                                           : add_skew(world, &def, seed);
      elastica_effect *effect = add_obstacle_to(world, &def);
      double load[LINEARISED_CAPACITY];
      rod_state base;
      read_state(rod, &base);
      const int count = loads_of(rod, effect, &base, load);
      const double size = largest_entry(load, count);
      assert_true(size > 0.0);
      for (int i = 0; i < count; i++) {
        const double slope = slope_of(rod, effect, &base, i);
        if (!(fabs(load[i] - slope) <= 1e-5 * size))
          fail_msg("shape %d, pose %d: load %d is %.12g, the slope %.12g", shape, (int)seed, i, load[i], slope);
      }
      elastica_world_destroy(world);
    }
}

/* One element that crosses a thin cylinder at a right angle, its middle far from its centre: k int eps ds by Simpson's rule. */
static void a_cylinder_thinner_than_an_element_is_felt(void **state) {
  const double R = 0.01, r = 0.02, gap = 0.027, k = 1e4;
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_OBSTACLE_CYLINDER, k);
  (void)state;
  def.radius = R, def.length = INFINITY, def.normal[1] = 1.0, def.normal[2] = 0.0;
  (void)add_stick(world, 1, (double[3]){-0.2, 0.0, gap}, (double[3]){1.0, 0.0, 0.0}, 1.0, r, 1e6);
  elastica_effect *effect = add_obstacle_to(world, &def);
  const double half = sqrt((R + r) * (R + r) - gap * gap);
  double force = 0.0;
  enum { PARTS = 2000 };
  for (int i = 0; i <= PARTS; i++) {
    const double s = half * (2.0 * i / PARTS - 1.0), d = sqrt(gap * gap + s * s), weight = i == 0 || i == PARTS ? 1.0 : i % 2 ? 4.0 : 2.0;
    force += weight * k * (r + R - d) * gap / d * 2.0 * half / PARTS / 3.0;
  }
  const elastica_obstacle_info info = felt(effect);
  assert_int_equal(info.contact_count, 1);
  assert_close(info.force[2], -force, 1e-6 * force);
  assert_close(info.force[0], 0.0, 1e-9 * force);
  elastica_world_destroy(world);
}

/* ---- Momentum ------------------------------------------------------------------------------------------------------------------------- */

static elastica_status tumble(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double angle = 2.0 * time, c = cos(angle), s = sin(angle);
  (void)user;
  position[0] = 0.3 * time, position[2] = -0.1 + 0.2 * time;
  velocity[0] = 0.3, velocity[2] = 0.2;
  const double turned[9] = {1.0, 0.0, 0.0, 0.0, c, s, 0.0, -s, c};
  memcpy(director, turned, sizeof turned);
  omega[0] = 2.0;
  return ELASTICA_OK;
}

/* The rod and the moving obstacle feel opposite forces and moments. */
static void force_and_couple_are_opposite_to_those_of_the_rods(void **state) {
  (void)state;
  for (int shape = ELASTICA_OBSTACLE_PLANE; shape <= ELASTICA_OBSTACLE_BOX; shape++) {
    elastica_world *world = make_world(NULL);
    elastica_obstacle_def def = obstacle_of((elastica_obstacle)shape, 1e4);
    def.motion = tumble, def.friction = 0.5, def.damping = 3.0;
    if (shape == ELASTICA_OBSTACLE_BOX) def.edge[2] = 0.2;
    const double height = shape == ELASTICA_OBSTACLE_PLANE ? -0.076 : shape == ELASTICA_OBSTACLE_CYLINDER ? 0.073 : 0.024;
    elastica_rod *rod = add_stick(world, 4, (double[3]){-0.02, -0.05, height}, (double[3]){0.3, 1.0, 0.0}, 0.2, 0.03, 1e6);
    elastica_effect *effect = add_obstacle_to(world, &def);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    elastica_budget *budget = NULL;
    elastica_budget_share share;
    must(world, elastica_budget_open(world, &budget));
    elastica_momentum before, after;
    must(world, elastica_world_get_momentum(world, &before));
    must(world, elastica_world_step(world, 1e-5, 40));
    must(world, elastica_world_get_momentum(world, &after));
    must(world, elastica_budget_get_effect(budget, elastica_effect_index(effect), &share));
    const elastica_obstacle_info info = felt(effect);
    assert_true(info.contact_count > 0 && norm(info.force) > 0.0);
    /* with friction and damper as they stand the layer alone presses along normals; the sum of what the rod feels is the opposite */
    must(world, elastica_world_evaluate(world, 1e-9));
    double force[3] = {0.0}, moment[3] = {0.0};
    double place[3] = {0.0}, v[3], frame[9], w[3];
    memcpy(place, def.position, sizeof place);
    memcpy(frame, unit_frame, sizeof frame);
    must(world, tumble(NULL, elastica_world_time(world) + 0.0, place, v, frame, w));
    for (int i = 0; i < view->node_count; i++) {
      double f[3], arm[3], turned[3];
      for (int a = 0; a < 3; a++) {
        f[a] = view->external_force[a][i] + view->reaction_force[a][i];
        arm[a] = view->position[a][i] - place[a];
        force[a] += f[a];
      }
      cross(arm, f, turned);
      for (int a = 0; a < 3; a++) moment[a] += turned[a];
    }
    for (int j = 0; j < view->element_count; j++)
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) moment[a] += view->director[b][a][j] * (view->external_couple[b][j] + view->reaction_couple[b][j]);
    for (int a = 0; a < 3; a++) {
      assert_close(force[a], -info.force[a], 1e-6 * norm(info.force));
      assert_close(moment[a], -info.couple[a], 1e-6 * norm(info.force) * 0.2);
    }
    elastica_world_destroy(world);
  }
}

/* ---- Friction ------------------------------------------------------------------------------------------------------------------------- */

/* Gravity on a slope that falls towards +x; the plane stays z = 0. */
static void tilt(elastica_world *world, double angle) {
  const double gravity[3] = {g * sin(angle), 0.0, -g * cos(angle)};
  must(world, elastica_add_gravity(world, gravity, NULL));
}

static double centre_x(elastica_rod *rod) {
  elastica_momentum momentum;
  must(elastica_rod_world(rod), elastica_rod_get_momentum(rod, &momentum));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double sum = 0.0;
  for (int i = 0; i < view->node_count; i++) sum += view->mass[i] * view->position[0][i];
  return sum / momentum.mass;
}

/* A rod along the slope: how far it goes between 1 s and 10 s, and its speed at the end. */
static double drift_on_a_slope(double angle, double *speed) {
  const double mu = 0.3, r = 0.01, L = 0.1;
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_OBSTACLE_PLANE, 1e5);
  def.friction = mu, def.damping = 300.0, def.tangential_damping = 300.0;
  const double depth = 1000.0 * acos(-1.0) * r * r * L * g * cos(angle) / (1e5 * (L + 4.0 / 3.0 * r));
  elastica_rod *rod = add_stick(world, 4, (double[3]){0.0, 0.0, r - depth}, (double[3]){1.0, 0.0, 0.0}, L, r, 1e6);
  const elastica_dissipation_def damping = {sizeof damping, 0.0, 1e-4};
  must(world, elastica_add_dissipation(world, rod, &damping, NULL));
  add_obstacle_to(world, &def);
  tilt(world, angle);
  must(world, elastica_world_advance(world, 1.0));
  const double start = centre_x(rod);
  must(world, elastica_world_advance(world, 9.0));
  const double end = centre_x(rod);
  *speed = elastica_rod_get_view(rod)->velocity[0][2];
  elastica_world_destroy(world);
  return end - start;
}

static void a_rod_sticks_below_the_friction_angle_and_slides_above(void **state) {
  const double angle = atan(0.3);
  double speed;
  (void)state;
  const double stuck = drift_on_a_slope(0.95 * angle, &speed);
  if (!(fabs(stuck) < 1e-9)) fail_msg("drifts %g m", stuck);
  drift_on_a_slope(1.05 * angle, &speed);
  const double a = g * (sin(1.05 * angle) - 0.3 * cos(1.05 * angle));
  assert_close(speed, 10.0 * a, 0.01 * 10.0 * a);
}

/* Acceleration of the centre and of the spin times radius, between 0.1 s and 0.3 s. */
static void roll_down(elastica_rod *rod, int element, const double axis[3], double radius, double *a, double *spin) {
  elastica_world *world = elastica_rod_world(rod);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double v[2], w[2];
  for (int k = 0; k < 2; k++) {
    must(world, elastica_world_advance(world, k ? 0.2 : 0.1));
    elastica_momentum momentum;
    must(world, elastica_rod_get_momentum(rod, &momentum));
    v[k] = momentum.linear[0] / momentum.mass;
    w[k] = 0.0;
    for (int x = 0; x < 3; x++)
      for (int b = 0; b < 3; b++) w[k] += axis[x] * view->director[b][x][element] * view->omega[b][element];
  }
  *a = (v[1] - v[0]) / 0.2;
  *spin = radius * (w[1] - w[0]) / 0.2;
}

/* A short stiff rod across the slope rolls with 2/3 g sin(angle), or slips where tan(angle) > 3 mu. */
static void a_cylinder_rolls_and_slips_on_a_slope(void **state) {
  const double mus[3] = {0.1, 0.2, 0.5}, axis[3] = {0.0, 1.0, 0.0}, r = 0.02, L = 0.1, k = 1e6;
  const double degrees[5] = {10.0, 20.0, 30.0, 40.0, 60.0};
  (void)state;
  for (int i = 0; i < 5; i++)
    for (int m = 0; m < 3; m++) {
      const double angle = degrees[i] * acos(-1.0) / 180.0, mu = mus[m];
      const int rolls = tan(angle) <= 3.0 * mu;
      elastica_world *world = make_world(NULL);
      elastica_obstacle_def def = obstacle_of(ELASTICA_OBSTACLE_PLANE, k);
      def.friction = mu, def.damping = 500.0, def.tangential_damping = 500.0;
      const double depth = 1000.0 * acos(-1.0) * r * r * L * g * cos(angle) / (k * (L + 4.0 / 3.0 * r));
      elastica_rod *rod = add_stick(world, 3, (double[3]){0.0, 0.0, r - depth}, axis, L, r, 1e8);
      add_obstacle_to(world, &def);
      tilt(world, angle);
      double a, spin;
      roll_down(rod, 1, axis, r, &a, &spin);
      const double expected = rolls ? 2.0 / 3.0 * g * sin(angle) : g * (sin(angle) - mu * cos(angle));
      const double turning = rolls ? expected : 2.0 * mu * g * cos(angle);
      if (!(fabs(a - expected) <= 0.01 * expected) || !(fabs(spin - turning) <= 0.01 * turning))
        fail_msg("%g degrees, mu = %g: a = %g, not %g; r dw/dt = %g, not %g", degrees[i], mu, a, expected, spin, turning);
      elastica_world_destroy(world);
    }
}

static void a_ball_rolls_with_five_sevenths(void **state) {
  const double axis[3] = {0.0, 1.0, 0.0}, r = 0.05, angle = 0.3, k = 1e6;
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_OBSTACLE_PLANE, k);
  elastica_body_def ball = ball_def(r, 0.5);
  double a, spin;
  (void)state;
  def.friction = 0.5, def.damping = 500.0, def.tangential_damping = 500.0;
  ball.position[2] = r - 0.5 * g * cos(angle) / (k * 4.0 / 3.0 * r);
  elastica_rod *rod = elastica_body_rod(add_body(world, &ball));
  add_obstacle_to(world, &def);
  tilt(world, angle);
  roll_down(rod, 0, axis, r, &a, &spin);
  assert_close(a, 5.0 / 7.0 * g * sin(angle), 0.01 * a);
  assert_close(spin, a, 0.01 * a);
  elastica_world_destroy(world);
}

/* ---- Energy --------------------------------------------------------------------------------------------------------------------------- */

static void a_rod_dropped_flat_bounces_to_its_height(void **state) {
  const double r = 0.01, L = 0.2, height = 0.05;
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_OBSTACLE_PLANE, 1e5);
  elastica_rod *rod = add_stick(world, 4, (double[3]){0.0, 0.0, r + height}, (double[3]){1.0, 0.0, 0.0}, L, r, 1e9);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_energy energy;
  int bounces = 0;
  double last = 0.0, z, top = 0.0, lowest_top = INFINITY;
  (void)state;
  elastica_effect *effect = add_obstacle_to(world, &def);
  tilt(world, 0.0);
  const double scale = 1000.0 * acos(-1.0) * r * r * L * g * height;
  must(world, elastica_world_get_energy(world, &energy));
  (void)effect;
  double start = NAN, most = 0.0;
  for (int n = 0; bounces < 20 && n < 20000; n++) {
    must(world, elastica_world_advance(world, 5e-4));
    double now = 0.0;
    for (elastica_effect *of = elastica_world_next_effect(world, NULL); of; of = elastica_world_next_effect(world, of))
      now += elastica_effect_energy(of);
    must(world, elastica_rod_get_energy(rod, &energy));
    now += energy.translation + energy.rotation + energy.bending + energy.shear;
    if (start != start) start = now;
    if (fabs(now - start) > most) most = fabs(now - start);
    z = view->position[2][2];
    const double v = view->velocity[2][2];
    if (v > 0.0 && last <= 0.0 && z < r + 0.2 * height) {
      bounces++;
      if (bounces > 1 && top < lowest_top) lowest_top = top;
      top = 0.0;
    }
    if (z - r > top) top = z - r;
    last = v;
  }
  assert_int_equal(bounces, 20);
  if (!(most <= 1e-3 * scale)) fail_msg("energy changes by %g of the fall", most / scale);
  assert_between(lowest_top, 0.97 * height, 1.01 * height);
  elastica_world_destroy(world);
}

/* ---- History -------------------------------------------------------------------------------------------------------------------------- */

/* Rods that rub on a turning cylinder, a box and a plane. */
static elastica_world *make_scene(int workers, int turning) {
  elastica_world_def world_def = default_world();
  world_def.worker_count = workers;
  world_def.tile_size = 16;
  world_def.allow_unstable_step = 1;
  elastica_world *world = make_world(&world_def);
  elastica_obstacle_def floor = obstacle_of(ELASTICA_OBSTACLE_PLANE, 1e5), box = obstacle_of(ELASTICA_OBSTACLE_BOX, 1e5);
  floor.friction = 0.3, floor.damping = 5.0;
  box.friction = 0.5, box.position[2] = 0.05;
  if (turning) box.motion = tumble;
  for (int k = 0; k < 6; k++)
    (void)add_stick(world, 7, (double[3]){0.3 * k - 0.8, 0.02 * k, 0.0198 + (k == 3 ? 0.175 : 0.0)}, (double[3]){0.3, 1.0, 0.01}, 0.3, 0.02,
                    1e6);
  elastica_body_def ball = ball_def(0.04, 0.2);
  ball.position[0] = 1.5, ball.position[2] = 0.05, ball.velocity[0] = 0.5;
  add_body(world, &ball);
  add_obstacle_to(world, &floor);
  add_obstacle_to(world, &box);
  tilt(world, 0.2);
  return world;
}

static void bits_do_not_depend_on_batches_threads_or_snapshots(void **state) {
  (void)state;
  for (int turning = 0; turning < 2; turning++) {
    enum { STEPS = 1200 };
    const double dt = 2e-5;
    elastica_world *whole = make_scene(1, turning), *single = make_scene(3, turning), *cut = make_scene(1, turning),
                   *other = make_scene(2, turning);
    must(whole, elastica_world_step(whole, dt, STEPS));
    for (int k = 0; k < STEPS; k++) must(single, elastica_world_step(single, dt, 1));
    assert_true(hash_world(whole) == hash_world(single));
    must(cut, elastica_world_step(cut, dt, STEPS / 2 + 7));
    const size_t size = elastica_world_snapshot_size(cut);
    void *bytes = malloc(size);
    must(cut, elastica_world_snapshot_save(cut, bytes, size));
    must(other, elastica_world_snapshot_load(other, bytes, size));
    free(bytes);
    must(other, elastica_world_step(other, dt, STEPS - STEPS / 2 - 7));
    assert_true(hash_world(whole) == hash_world(other));
    elastica_world_destroy(whole), elastica_world_destroy(single), elastica_world_destroy(cut), elastica_world_destroy(other);
  }
}

/* A rod elsewhere blows up within a batch, which is put back and taken again up to that step: friction goes on from what it was. */
static void history_is_put_back_with_a_batch(void **state) {
  elastica_world *world[2];
  (void)state;
  for (int k = 0; k < 2; k++) {
    world[k] = make_scene(1, 0);
    elastica_rod *stiff = add_stick(world[k], 3, (double[3]){0.0, 0.0, 50.0}, (double[3]){1.0, 0.0, 0.0}, 0.3, 0.02, 1e11);
    const double velocity[12] = {1e-9, 0.0, 0.0, -2e-9};
    must(world[k], elastica_rod_set_state(stiff, NULL, velocity, NULL, NULL));
  }
  elastica_status status = ELASTICA_OK;
  const double dt = 2e-5;
  const elastica_status failure = elastica_world_step(world[0], dt, 2000);
  while (status == ELASTICA_OK) status = elastica_world_step(world[1], dt, 1);
  assert_int_equal(status, failure);
  assert_int_equal(elastica_world_step_count(world[0]), elastica_world_step_count(world[1]));
  assert_true(hash_world(world[0]) == hash_world(world[1]));
  for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
}

/* What the rods do is the same whether they are alone or other rods are removed and added beside them. */
static void a_rod_that_goes_leaves_the_others_alone(void **state) {
  elastica_world *one = make_scene(1, 0), *two = make_scene(1, 0);
  (void)state;
  must(one, elastica_world_step(one, 2e-5, 300));
  must(two, elastica_world_step(two, 2e-5, 300));
  must(two, elastica_rod_remove(elastica_world_rod(two, 1)));
  must(one, elastica_world_step(one, 2e-5, 300));
  must(two, elastica_world_step(two, 2e-5, 300));
  for (int k = 0; k < 7; k++)
    if (k != 1) assert_true(hash_rod(hash_start(), elastica_world_rod(one, k)) == hash_rod(hash_start(), elastica_world_rod(two, k)));
  elastica_world_destroy(one), elastica_world_destroy(two);
}

static void the_list_of_contacts_adds_up(void **state) {
  elastica_world *world = make_scene(1, 0);
  elastica_contact_point points[64];
  (void)state;
  must(world, elastica_world_step(world, 2e-5, 500));
  elastica_effect *floor = elastica_world_next_effect(world, NULL);
  elastica_obstacle_info info;
  must(world, elastica_obstacle_get(floor, &info, points, 64));
  if (!(info.contact_count > 3 && info.contact_count <= 64)) fail_msg("%d contacts", info.contact_count);
  double deepest = 0.0;
  for (int k = 0; k < info.contact_count; k++) {
    assert_int_equal(points[k].rod[1], -1);
    assert_close(points[k].normal[2], 1.0, 1e-15);
    assert_close(points[k].point[2], 0.0, 1e-15);
    assert_true(norm(points[k].tangential) <= 0.3 * 1.5 * points[k].force + 1e-9);
    if (points[k].depth > deepest) deepest = points[k].depth;
  }
  assert_true(deepest == info.deepest);
  must(world, elastica_effect_set_enabled(floor, 0));
  must(world, elastica_obstacle_get(floor, &info, NULL, 0));
  assert_int_equal(info.contact_count, 0);
  elastica_world_destroy(world);
}

static void boxes_and_other_groups_pass_through(void **state) {
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_OBSTACLE_PLANE, 1e5);
  elastica_body_def box = default_body(ELASTICA_SHAPE_BOX);
  (void)state;
  box.mass = 1.0;
  for (int a = 0; a < 3; a++) box.edges[a] = 0.1;
  elastica_rod *body = elastica_body_rod(add_body(world, &box));
  assert_refused(world, elastica_add_obstacle(world, body, &def, NULL), ELASTICA_INVALID_ARGUMENT, "rod 0", "rigid body", "box");
  (void)add_stick(world, 3, (double[3]){0.0, 0.0, 0.019}, (double[3]){1.0, 0.0, 0.0}, 0.2, 0.02, 1e6);
  elastica_effect *all = add_obstacle_to(world, &def);
  def.group = 5;
  elastica_effect *none = add_obstacle_to(world, &def);
  assert_int_equal(felt(all).contact_count, 3);
  assert_int_equal(felt(none).contact_count, 0);
  elastica_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_layer_is_a_potential_on_every_shape),
      cmocka_unit_test(a_cylinder_thinner_than_an_element_is_felt),
      cmocka_unit_test(force_and_couple_are_opposite_to_those_of_the_rods),
      cmocka_unit_test(a_rod_sticks_below_the_friction_angle_and_slides_above),
      cmocka_unit_test(a_cylinder_rolls_and_slips_on_a_slope),
      cmocka_unit_test(a_ball_rolls_with_five_sevenths),
      cmocka_unit_test(a_rod_dropped_flat_bounces_to_its_height),
      cmocka_unit_test(bits_do_not_depend_on_batches_threads_or_snapshots),
      cmocka_unit_test(history_is_put_back_with_a_batch),
      cmocka_unit_test(a_rod_that_goes_leaves_the_others_alone),
      cmocka_unit_test(the_list_of_contacts_adds_up),
      cmocka_unit_test(boxes_and_other_groups_pass_through),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
