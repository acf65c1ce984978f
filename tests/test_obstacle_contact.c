/* Elastic obstacles: their layer has a potential, friction sticks and slides by Coulomb's law, and round things roll. */
#include "base/target.h"

#include "acting.h"
#include "obstacles.h"

/* ---- The layer ----------------------------------------------------------------------------------------------------------------------- */

/* Rods that cross each shape at a skew angle, over faces, edges and corners, at a depth of 0.3 and 0.6 radii. */
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
    if (depth > (seed % 2 ? 0.3 : 0.6) * radius) break;
  }
  return add_stick(world, 3, start, direction, length, radius, 1e5);
}

TEST(the_layer_is_a_potential_on_every_shape) {
  for (int shape = ELASTICA_SHAPE_SPHERE; shape <= ELASTICA_SHAPE_PLANE; shape++)
    for (uint64_t seed = 1; seed <= POSES; seed++) {
      const elastica_obstacle_def def = obstacle_of((elastica_shape)shape, 1e4);
      elastica_world *world = make_kicked_world(ELASTICA_LAW_CLASSICAL, 1);
      elastica_rod *rod = shape == ELASTICA_SHAPE_PLANE ? add_stick(world, 3, (double[3]){0.0, 0.0, 0.024},
                                                                    (double[3]){1.0, 0.1 * (double)seed, 0.01}, 0.5, 0.03, 1e5)
                                                        : add_skew(world, &def, seed);
      char scene[64];
      snprintf(scene, sizeof scene, "shape %d, pose %d", shape, (int)seed);
      assert_potential(rod, add_obstacle_to(world, &def), 1e-5, scene);
      elastica_world_destroy(world);
    }
}

/* One element across a thin cylinder at a right angle, far from the middle of the element: k int eps ds by Simpson's rule. */
TEST(a_cylinder_thinner_than_an_element_is_felt) {
  const double R = 0.01, r = 0.02, gap = 0.0285, k = 1e4; /* less than a tenth of r deep: no core */
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_CYLINDER, k);
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
  const felt_load info = felt(effect);
  assert_int_equal(info.contact_count, 1);
  assert_close(info.force[2], -force, 1e-6 * force);
  assert_close(info.force[0], 0.0, 1e-9 * force);
  elastica_world_destroy(world);
}

/* ---- Momentum ------------------------------------------------------------------------------------------------------------------------ */

/* The rod and the moving obstacle receive opposite forces and moments. */
TEST(force_and_couple_are_opposite_to_those_of_the_rods) {
  for (int shape = ELASTICA_SHAPE_SPHERE; shape <= ELASTICA_SHAPE_PLANE; shape++) {
    elastica_world *world = make_world(NULL);
    elastica_obstacle_def def = obstacle_of((elastica_shape)shape, 1e4);
    def.motion = tumble, def.friction = 0.5, def.damping = 3.0;
    if (shape == ELASTICA_SHAPE_BOX) def.edges[2] = 0.2;
    const double top[] = {0.024, 0.174, 0.073, 0.024, -0.076}, height = top[shape];
    elastica_rod *rod = add_stick(world, 4, (double[3]){-0.02, -0.05, height}, (double[3]){0.3, 1.0, 0.0}, 0.2, 0.03, 1e6);
    elastica_effect *effect = add_obstacle_to(world, &def);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    elastica_budget *budget = NULL;
    elastica_budget_share share;
    must(world, elastica_budget_open(world, &budget));
    elastica_totals before, after;
    must(world, elastica_world_get_totals(world, &before));
    must(world, elastica_world_step(world, 1e-5, 40));
    must(world, elastica_world_get_totals(world, &after));
    must(world, elastica_budget_get_effect(budget, elastica_effect_get(effect).index, &share));
    const felt_load info = felt(effect);
    assert_true(info.contact_count > 0 && norm(info.force) > 0.0);
    /* without new friction or damping the layer acts along normals only; the sum of the loads on the rod is the opposite */
    must(world, elastica_world_evaluate(world, 1e-9));
    double force[3] = {0.0}, moment[3] = {0.0};
    double place[3] = {0.0}, v[3], frame[9], w[3];
    memcpy(place, def.position, sizeof place);
    memcpy(frame, unit_frame, sizeof frame);
    must(world, tumble(NULL, elastica_world_get(world).time + 0.0, place, v, frame, w));
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

/* ---- Friction ------------------------------------------------------------------------------------------------------------------------ */

static double centre_x(elastica_rod *rod) {
  elastica_totals momentum;
  must(elastica_rod_get_view(rod)->world, elastica_rod_get_totals(rod, &momentum));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double sum = 0.0;
  for (int i = 0; i < view->node_count; i++) sum += view->mass[i] * view->position[0][i];
  return sum / momentum.mass;
}

/* A rod along the slope: its displacement between 1 s and 10 s, and its final speed. */
static double drift_on_a_slope(double angle, double *speed) {
  const double mu = 0.3, r = 0.01, L = 0.1;
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
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

TEST_LONG(a_rod_sticks_below_the_friction_angle_and_slides_above) {
  const double angle = atan(0.3);
  double speed;
  const double stuck = drift_on_a_slope(0.95 * angle, &speed);
  if (!(fabs(stuck) < 1e-9)) fail_msg("drifts %g m", stuck);
  drift_on_a_slope(1.05 * angle, &speed);
  const double a = g * (sin(1.05 * angle) - 0.3 * cos(1.05 * angle));
  assert_close(speed, 10.0 * a, 0.01 * 10.0 * a);
}

/* The mean speed, in the second half of a time, of a rod placed on a slope of a given share of its friction angle; all dampers are those
 * of the default definition. */
static double speed_on_a_slope(double share, double k, double modulus, int n, double density, double time) {
  const double mu = 0.4, r = 0.025, L = 1.0, angle = atan(share * mu);
  elastica_world *world = make_world(NULL);
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC;
  def.modulus = k, def.friction = mu;
  if (n % 2) def.shape = ELASTICA_SHAPE_BOX, def.edges[0] = def.edges[1] = 20.0, def.edges[2] = 1.0, def.position[2] = -0.5;
  elastica_rod *rod = NULL;
  DEFAULTS(rod, of);
  of.element_count = n, of.length = L, of.radius = r, of.density = density, of.youngs_modulus = modulus;
  of.direction[0] = 1.0, of.direction[2] = 0.0;
  of.start[2] = r - density * acos(-1.0) * r * r * g * cos(angle) / k;
  must(world, elastica_world_add_rod(world, &of, &rod));
  add_obstacle_to(world, &def);
  tilt(world, angle);
  must(world, elastica_world_advance(world, 0.5 * time));
  const double start = centre_x(rod);
  must(world, elastica_world_advance(world, 0.5 * time));
  const double way = centre_x(rod) - start;
  elastica_world_destroy(world);
  return fabs(way) / (0.5 * time);
}

TEST(a_rod_below_the_friction_angle_stands_with_the_default_definition) {
  static const double k[] = {1e4, 1e5, 1e6, 1e7}, modulus[] = {1e5, 1e6, 1e7};
  static const int n[] = {1, 4, 21};
  for (int i = 0; i < 4; i++)
    for (int e = 0; e < 3; e++) {
      const int elements = n[(i + e) % 3];
      const double v = speed_on_a_slope(0.96, k[i], modulus[e], elements, i == 0 ? 500.0 : 1000.0, 1.0);
      if (!(v < 1e-4)) fail_msg("k = %g, E = %g, %d elements: %g m/s", k[i], modulus[e], elements, v);
    }
  const double v = speed_on_a_slope(0.96, 1e6, 1e6, 20, 1000.0, 2.0); /* as long as the scene that slid without dampers */
  if (!(v < 1e-6)) fail_msg("%g m/s", v);
  assert_true(speed_on_a_slope(1.2, 1e6, 1e6, 20, 1000.0, 0.5) > 0.2); /* and slides above the friction angle */
}

/* Acceleration of the centre, and of the spin times the radius, between 0.1 s and 0.3 s. */
static void roll_down(elastica_rod *rod, int element, const double axis[3], double radius, double *a, double *spin) {
  elastica_world *world = elastica_rod_get_view(rod)->world;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double v[2], w[2];
  for (int k = 0; k < 2; k++) {
    must(world, elastica_world_advance(world, k ? 0.2 : 0.1));
    elastica_totals momentum;
    must(world, elastica_rod_get_totals(rod, &momentum));
    v[k] = momentum.linear[0] / momentum.mass;
    w[k] = 0.0;
    for (int x = 0; x < 3; x++)
      for (int b = 0; b < 3; b++) w[k] += axis[x] * view->director[b][x][element] * view->omega[b][element];
  }
  *a = (v[1] - v[0]) / 0.2;
  *spin = radius * (w[1] - w[0]) / 0.2;
}

/* A short stiff rod across the slope rolls with 2/3 g sin(angle), or slips if tan(angle) > 3 mu. */
TEST(a_cylinder_rolls_and_slips_on_a_slope) {
  const double mus[3] = {0.1, 0.2, 0.5}, axis[3] = {0.0, 1.0, 0.0}, r = 0.02, L = 0.1, k = 1e6;
  const double degrees[5] = {10.0, 20.0, 30.0, 40.0, 60.0};
  for (int i = 0; i < 5; i++)
    for (int m = 0; m < 3; m++) {
      const double angle = degrees[i] * acos(-1.0) / 180.0, mu = mus[m];
      const int rolls = tan(angle) <= 3.0 * mu;
      elastica_world *world = make_world(NULL);
      elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, k);
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

TEST(a_ball_rolls_with_five_sevenths) {
  const double axis[3] = {0.0, 1.0, 0.0}, r = 0.05, angle = 0.3, k = 1e6;
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, k);
  elastica_body_def ball = ball_def(r, 0.5);
  double a, spin;
  def.friction = 0.5, def.damping = 500.0, def.tangential_damping = 500.0;
  ball.position[2] = r - 0.5 * g * cos(angle) / (k * 4.0 / 3.0 * r);
  elastica_rod *rod = add_body(world, &ball);
  add_obstacle_to(world, &def);
  tilt(world, angle);
  roll_down(rod, 0, axis, r, &a, &spin);
  assert_close(a, 5.0 / 7.0 * g * sin(angle), 0.01 * a);
  assert_close(spin, a, 0.01 * a);
  elastica_world_destroy(world);
}

/* ---- Energy -------------------------------------------------------------------------------------------------------------------------- */

/* Default definition: no gain of energy with steps chosen by the library. At 0.8 of the limit the step in which a whole rod lands at
 * once adds energy for a moment; undamped it would be up to a half. */
TEST(dropped_bodies_never_gain_by_the_dampers) {
  for (int way = 0; way < 8; way++) {
    const double r = 0.02, height = 0.05, k = way & 1 ? 1e6 : 1e5;
    elastica_world *world = make_world(NULL);
    DEFAULTS(obstacle, def);
    def.kind = ELASTICA_OBSTACLE_ELASTIC;
    def.modulus = k, def.friction = 0.4;
    if (way & 2) {
      elastica_body_def ball = ball_def(r, 0.5);
      ball.position[2] = r + height;
      ball.velocity[0] = 0.3;
      add_body(world, &ball);
    } else {
      add_stick(world, 6, (double[3]){0.0, 0.0, r + height}, (double[3]){1.0, 0.0, 0.0}, 0.3, r, 1e6);
    }
    add_obstacle_to(world, &def);
    tilt(world, 0.0);
    elastica_totals energy;
    elastica_step_limit limit;
    must(world, elastica_world_get_totals(world, &energy));
    const double start = energy.translation + energy.rotation + energy.bending + energy.shear + energy.effects;
    for (int step = 0; step < 400; step++) {
      must(world, elastica_world_step_limit(world, &limit));
      const double dt = 0.8 * limit.dt < 1e-3 ? 0.8 * limit.dt : 1e-3;
      must(world, way & 4 ? elastica_world_step(world, dt, 1) : elastica_world_advance(world, 1e-3));
      must(world, elastica_world_get_totals(world, &energy));
      const double now = energy.translation + energy.rotation + energy.bending + energy.shear + energy.effects;
      if (!(now <= (way & 4 ? 1.02 : 1.001) * start)) fail_msg("way %d, step %d: %g J of %g J", way, step, now, start);
    }
    elastica_world_destroy(world);
  }
}

TEST(a_rod_dropped_flat_bounces_to_its_height) {
  const double r = 0.01, L = 0.2, height = 0.05;
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
  elastica_rod *rod = add_stick(world, 4, (double[3]){0.0, 0.0, r + height}, (double[3]){1.0, 0.0, 0.0}, L, r, 1e9);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_totals energy;
  int bounces = 0;
  double last = 0.0, z, top = 0.0, lowest_top = INFINITY;
  elastica_effect *effect = add_obstacle_to(world, &def);
  tilt(world, 0.0);
  const double scale = 1000.0 * acos(-1.0) * r * r * L * g * height;
  must(world, elastica_world_get_totals(world, &energy));
  (void)effect;
  double start = NAN, most = 0.0;
  for (int n = 0; bounces < 20 && n < 20000; n++) {
    must(world, elastica_world_advance(world, 5e-4));
    double now = 0.0;
    for (elastica_effect *of = next_effect(world, NULL); of; of = next_effect(world, of)) now += elastica_effect_energy(of);
    must(world, elastica_rod_get_totals(rod, &energy));
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

/* An element with one end above a plane is pressed in by the other. Displacements of rounding size must not let it lose its force, however
 * far the plane is from the origin. */
TEST(forces_do_not_depend_on_the_distance_from_the_origin) {
  enum { STATES = 2000 };
  const double height[] = {0.0, 10.0, 1000.0};
  for (int k = 0; k < 3; k++) {
    random_source source = {7};
    elastica_world *world = make_world(NULL);
    elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
    def.position[2] = height[k];
    elastica_rod *rod = add_stick(world, 1, (double[3]){0.0, 0.0, height[k] + 0.021}, (double[3]){1.0, 0.0, -0.03}, 0.1, 0.02, 1e6);
    elastica_effect *effect = add_obstacle_to(world, &def);
    for (int trial = 0; trial < STATES; trial++) {
      const double z[2] = {height[k] + 0.021 + random_between(&source, -1e-7, 1e-7), height[k] + 0.018};
      const double position[6] = {0.0, 0.0, z[0], 0.1, 0.0, z[1]};
      must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
      assert_between(felt(effect).force[2], -14.0, -8.0);
    }
    elastica_world_destroy(world);
  }
}

/* ---- Units ---- */

/* A stick slides onto an obstacle of a shape, in units of length, mass and time. */
static long run_in_units(elastica_shape shape, double metre, double kilogram, double second, rod_state *state) {
  enum { N = 8 };
  const double pressure = kilogram / (metre * second * second), down[3] = {0.0, 0.0, -g * metre / (second * second)};
  double velocity[3 * (N + 1)] = {0.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  elastica_obstacle_def def = obstacle_of(shape, 1e5 * pressure);
  const double height = shape == ELASTICA_SHAPE_PLANE      ? 0.0
                        : shape == ELASTICA_SHAPE_BOX      ? 0.125
                        : shape == ELASTICA_SHAPE_CAPSULE  ? 0.25
                        : shape == ELASTICA_SHAPE_CYLINDER ? 0.15
                                                           : 0.1;
  def.friction = 0.3, def.damping_ratio = 0.2, def.tangential_damping_ratio = 0.1;
  if (shape != ELASTICA_SHAPE_BOX && shape != ELASTICA_SHAPE_PLANE) def.radius *= metre;
  if (shape == ELASTICA_SHAPE_CAPSULE || shape == ELASTICA_SHAPE_CYLINDER) def.length *= metre;
  for (int a = 0; a < 3 && shape == ELASTICA_SHAPE_BOX; a++) def.edges[a] *= metre;
  for (int i = 0; i <= N; i++) velocity[3 * i] = 0.2 * metre / second, velocity[3 * i + 2] = -0.5 * metre / second;
  DEFAULTS(rod, stick);
  stick.element_count = N, stick.length = 0.4 * metre, stick.radius = 0.02 * metre;
  stick.density = 1000.0 * kilogram / (metre * metre * metre), stick.youngs_modulus = 1e6 * pressure;
  stick.direction[0] = 1.0, stick.direction[1] = 0.2, stick.direction[2] = 0.05;
  stick.start[0] = -0.21 * metre, stick.start[1] = -0.03 * metre, stick.start[2] = (height + 0.022) * metre;
  stick.velocity = velocity;
  must(world, elastica_world_add_rod(world, &stick, &rod));
  elastica_effect *effect = add_obstacle_to(world, &def);
  must(world, elastica_add_gravity(world, down, NULL));
  must(world, elastica_world_advance(world, 0x1p-5 * second));
  assert_true(felt(effect).contact_count > 0);
  const long steps = elastica_world_get(world).step_count;
  read_state(rod, state);
  for (int i = 0; i < 3 * (N + 1); i++) state->position[i] /= metre, state->velocity[i] *= second / metre;
  elastica_world_destroy(world);
  return steps;
}

/* Scaling by a power of two rounds no number differently. */
TEST(units_of_powers_of_two_change_no_bit) {
  const double units[3][3] = {{0x1p10, 1.0, 1.0}, {0x1p-9, 0x1p30, 0x1p-12}, {0x1p12, 0x1p-20, 0x1p7}};
  for (elastica_shape shape = ELASTICA_SHAPE_SPHERE; shape <= ELASTICA_SHAPE_PLANE; shape++) {
    static rod_state plain, scaled;
    const long steps = run_in_units(shape, 1.0, 1.0, 1.0, &plain);
    for (int k = 0; k < 3; k++) {
      assert_int_equal(run_in_units(shape, units[k][0], units[k][1], units[k][2], &scaled), steps);
      assert_all_close(scaled.position, plain.position, 27, 0.0);
      assert_all_close(scaled.velocity, plain.velocity, 27, 0.0);
      assert_all_close(scaled.director, plain.director, 72, 0.0);
    }
  }
}
