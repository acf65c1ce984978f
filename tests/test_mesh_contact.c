/* Contact with meshes: forces are slopes of the energy, a flat mesh is a plane, bounces in corners conserve energy, nothing passes through
 * sheets, rods come to rest in grooves. */
#include "base/target.h"

#include "acting.h"
#include "meshes.h"

static mesh_data data;

static void check_potential(const elastica_obstacle_def *def, const double start[3], const double direction[3], double radius) {
  elastica_world *world = make_kicked_world(ELASTICA_LAW_CLASSICAL, 1);
  elastica_rod *rod = add_stick(world, 4, start, direction, 0.5, radius, 1e5);
  assert_potential(rod, add_obstacle_to(world, def), 2e-5, "obstacle");
  elastica_world_destroy(world);
}

static double level(double x, double y) {
  (void)x, (void)y;
  return 0.0;
}

static double waves(double x, double y) {
  return 0.03 * sin(9.0 * x) * cos(8.0 * y);
}

TEST(layers_are_potentials) {
  elastica_obstacle_def def;
  mesh_angle(&data, 0.5);
  def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e4, 0.04);
  check_potential(&def, (const double[3]){0.53, 0.532, -0.25}, (const double[3]){0.0, 0.004, 1.0}, 0.031); /* in the groove */
  check_potential(&def, (const double[3]){0.7, 0.3, 0.528}, (const double[3]){-0.5, 0.5, 0.0}, 0.032);     /* on the top */
  check_potential(&def, (const double[3]){1.025, 0.3, 0.2}, (const double[3]){-0.01, 0.5, 0.1}, 0.032);    /* at a convex edge */
  mesh_box(&data, 1.0, 1.0, 0.2);
  def = mesh_def(&data, ELASTICA_SIDE_INSIDE, 1e4, 0.06);
  check_potential(&def, (const double[3]){-0.46, -0.458, -0.055}, (const double[3]){1.0, 0.02, 0.0}, 0.046);
  mesh_sheet(&data, 2.0, 40, waves);
  def = mesh_def(&data, ELASTICA_SIDE_BOTH, 1e4, 0.05);
  check_potential(&def, (const double[3]){-0.2, 0.01, 0.05}, (const double[3]){1.0, 0.3, 0.0}, 0.04);
  check_potential(&def, (const double[3]){-0.2, 0.01, -0.05}, (const double[3]){1.0, 0.3, 0.0}, 0.04);
}

/* ---- Motion -------------------------------------------------------------------------------------------------------------------------- */

/* A rod falls on a plane and on a flat mesh of triangles: the same motion within rounding. */
TEST_LONG(a_flat_mesh_is_a_plane) {
  double end[2][3];
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
    const double down[3] = {1.0, 0.0, -9.81};
    mesh_sheet(&data, 4.0, 57, level);
    if (k == 1) def = mesh_def(&data, ELASTICA_SIDE_BOTH, 1e5, 0.02);
    def.friction = 0.1, def.damping_ratio = 0.2;
    elastica_rod *rod = add_stick(world, 12, (const double[3]){-0.4, 0.1, 0.02}, (const double[3]){1.0, 0.2, 0.1}, 0.3, 0.01, 1e6);
    must(world, elastica_add_gravity(world, down, NULL));
    (void)add_obstacle_to(world, &def);
    must(world, elastica_world_step(world, 2e-5, 20000));
    for (int a = 0; a < 3; a++) end[k][a] = elastica_rod_get_view(rod)->position[a][6];
    elastica_world_destroy(world);
  }
  for (int a = 0; a < 3; a++) assert_close(end[0][a], end[1][a], 2e-4);
}

/* Returns the largest error of the energy, in units of the largest kinetic energy, of a rod or ball that bounces for so long. */
static double error_of_bounces(const elastica_obstacle_def *def, int is_ball, const double start[3], const double velocity[3],
                               double seconds) {
  elastica_world *world = make_world(NULL);
  elastica_totals before, now;
  double worst = 0.0, fastest = 0.0, speeds[3 * 9], still[3 * 8] = {0.0};
  int touched = 0;
  if (is_ball) {
    elastica_body_def ball = ball_def(0.03, 0.1);
    memcpy(ball.position, start, sizeof ball.position);
    memcpy(ball.velocity, velocity, sizeof ball.velocity);
    (void)add_body(world, &ball);
  } else {
    rod_state state;
    elastica_rod *rod = add_stick(world, 8, start, (const double[3]){1.0, 0.3, 0.2}, 0.3, 0.03, 1e6);
    read_state(rod, &state);
    for (int i = 0; i < 9; i++) memcpy(speeds + 3 * i, velocity, 3 * sizeof *speeds);
    must(world, elastica_rod_set_state(rod, state.position, speeds, state.director, still));
  }
  elastica_effect *effect = add_obstacle_to(world, def);
  must(world, elastica_world_get_totals(world, &before));
  const double first = before.translation + before.rotation + before.bending + before.shear + before.effects;
  for (int frame = 0; frame < 200; frame++) {
    must(world, elastica_world_advance(world, seconds / 200.0));
    must(world, elastica_world_get_totals(world, &now));
    touched += felt(effect).contact_count;
    fastest = fmax(fastest, now.translation + now.rotation);
    worst = fmax(worst, fabs(now.translation + now.rotation + now.bending + now.shear + now.effects - first));
  }
  assert_true(touched > 0);
  elastica_world_destroy(world);
  return worst / fastest;
}

TEST_LONG(bounces_in_corners_conserve_energy) {
  elastica_obstacle_def def;
  mesh_box(&data, 0.5, 0.4, 0.45);
  def = mesh_def(&data, ELASTICA_SIDE_INSIDE, 1e5, 0.04);
  assert_between(error_of_bounces(&def, 1, (const double[3]){0.0, 0.05, 0.0}, (const double[3]){1.3, 1.0, 0.7}, 4.0), 0.0, 2e-3);
  assert_between(error_of_bounces(&def, 0, (const double[3]){-0.15, 0.05, 0.0}, (const double[3]){1.3, 1.0, 0.7}, 2.0), 0.0, 2e-3);
  mesh_ball(&data, 0.3, 12);
  def = mesh_def(&data, ELASTICA_SIDE_INSIDE, 1e5, 0.04);
  assert_between(error_of_bounces(&def, 1, (const double[3]){0.0, 0.05, 0.0}, (const double[3]){1.3, 1.0, 0.7}, 4.0), 0.0, 2e-3);
  assert_between(error_of_bounces(&def, 0, (const double[3]){-0.15, 0.05, 0.0}, (const double[3]){1.3, 1.0, 0.7}, 2.0), 0.0, 2e-3);
}

/* ---- Nothing passes ------------------------------------------------------------------------------------------------------------------ */

/* A rod or ball is shot at a thin sheet: it bounces, or the step fails; it is never behind the sheet with status OK. */
TEST_LONG(nothing_passes_a_sheet) {
  static const double speeds[] = {3.0, 30.0, 300.0, 1000.0};
  random_source source = {3};
  rod_state flying;
  mesh_sheet(&data, 4.0, 23, waves);
  for (int trial = 0; trial < rounds(48); trial++) {
    elastica_world *world = make_world(NULL);
    elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_BOTH, trial % 3 ? 1e6 : 1e8, 0.04);
    const double speed = speeds[trial % 4], from = trial & 4 ? 1.0 : -1.0;
    double direction[3], velocity[3 * 9], still[3 * 8] = {0.0};
    elastica_rod *rod;
    random_vector(&source, 1.0, direction);
    direction[2] *= 0.3;
    if (trial % 2) {
      elastica_body_def ball = ball_def(0.03, 0.1);
      ball.position[2] = from * 0.2, ball.velocity[2] = -from * speed;
      rod = add_body(world, &ball);
    } else {
      rod = add_stick(world, 8, (const double[3]){0.0, 0.0, from * 0.25}, direction, 0.3, 0.02, 1e7);
      read_state(rod, &flying);
      for (int i = 0; i < 9; i++) velocity[3 * i] = velocity[3 * i + 1] = 0.0, velocity[3 * i + 2] = -from * speed;
      must(world, elastica_rod_set_state(rod, flying.position, velocity, flying.director, still));
    }
    (void)add_obstacle_to(world, &def);
    elastica_status status = ELASTICA_OK;
    for (int k = 0; k < 40 && status == ELASTICA_OK; k++) {
      status = elastica_world_advance(world, 0.02 / speed);
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      for (int i = 0; i < view->node_count && status == ELASTICA_OK; i++)
        if (fabs(view->position[0][i]) < 1.9 && fabs(view->position[1][i]) < 1.9 && from * view->position[2][i] < -0.031)
          fail_msg("trial %d: behind the sheet with status OK at %g m/s", trial, speed);
    }
    if (status != ELASTICA_OK) assert_says(elastica_world_message(world), "rod 0");
    elastica_world_destroy(world);
  }
}

/* ---- Rest and motion of the mesh ----------------------------------------------------------------------------------------------------- */

/* A rod comes to rest in a groove, on two faces at once. */
TEST(a_rod_rests_in_a_groove) {
  static const double trough[7][2] = {{-0.5, -0.3}, {0.5, -0.3}, {0.5, 0.2}, {0.3, 0.2}, {0.0, -0.1}, {-0.3, 0.2}, {-0.5, 0.2}};
  static const int cut[5][3] = {{0, 4, 6}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {4, 5, 6}};
  elastica_world *world = make_world(NULL);
  elastica_relax_result result;
  double force[3], mass = 0.0;
  mesh_prism(&data, trough, 7, cut, 5, -1.0, 1.0);
  elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e5, 0.025);
  const double down[3] = {0.0, -9.81, 0.0};
  def.friction = 0.2, def.damping_ratio = 0.5, def.tangential_damping_ratio = 0.1;
  elastica_rod *rod = add_stick(world, 10, (const double[3]){0.01, -0.06, -0.2}, (const double[3]){0.0, 0.0, 1.0}, 0.4, 0.02, 1e6);
  must(world, elastica_add_gravity(world, down, NULL));
  elastica_effect *effect = add_obstacle_to(world, &def);
  must(world, elastica_world_relax(world, NULL, &result));
  must(world, elastica_obstacle_get_force(effect, force, NULL));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i < view->node_count; i++) mass += view->mass[i];
  assert_close(force[1], -9.81 * mass, 1e-6 * mass);
  assert_between(view->position[1][5] + 0.1, 0.0285, 0.0304); /* sqrt 2 fillets less (fillet - radius) */
  elastica_world_destroy(world);
}

/* A room turns and takes the rod in it along, with the same bits for any number of workers. Snapshots go on with the same bits; another
 * mesh, and another fillet, refuse them. */
TEST(a_turning_room_carries_its_rod) {
  void *bytes = NULL;
  size_t size = 0;
  double end[4][3];
  for (int k = 0; k < 6; k++) {
    elastica_world_def options = default_world();
    options.worker_count = k < 4 ? k % 3 + 1 : 1;
    elastica_world *world = make_world(&options);
    mesh_box(&data, 0.4, 0.3, 0.2);
    if (k == 4) data.points[2] -= 1e-3;
    elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_INSIDE, 1e6, k == 5 ? 0.031 : 0.03);
    def.motion = turn_about_z, def.friction = 0.2, def.damping_ratio = 0.5;
    elastica_rod *rod = add_stick(world, 10, (const double[3]){-0.16, 0.0, 0.0}, (const double[3]){1.0, 0.0, 0.0}, 0.32, 0.02, 1e6);
    (void)add_obstacle_to(world, &def);
    if (k < 3) {
      must(world, elastica_world_advance(world, 0.2));
      if (k == 0) {
        size = size_of_snapshot(world);
        bytes = malloc(size);
        must(world, elastica_world_snapshot_save(world, bytes, size, NULL));
      }
    } else if (k == 3) {
      must(world, elastica_world_snapshot_load(world, bytes, size));
    } else {
      assert_int_equal(elastica_world_snapshot_load(world, bytes, size), ELASTICA_INVALID_ARGUMENT);
      assert_says(elastica_world_message(world), "mesh");
    }
    if (k < 4) {
      must(world, elastica_world_advance(world, 0.5));
      for (int a = 0; a < 3; a++) end[k][a] = elastica_rod_get_view(rod)->position[a][10];
    }
    elastica_world_destroy(world);
  }
  for (int k = 1; k < 4; k++) assert_memory_equal(end[0], end[k], sizeof end[0]);
  assert_true(fabs(end[0][1]) > 1e-3);
  free(bytes);
}

/* A snapshot loads where the mesh is the same in all its parts. */
TEST(snapshots_know_the_mesh) {
  enum { CHANGES = 7 };
  static const int refused[CHANGES] = {0, 1, 1, 1, 1, 1, 1};
  unsigned char *bytes = NULL;
  size_t size = 0;
  for (int change = 0; change < CHANGES; change++) {
    elastica_world *world = make_world(NULL);
    mesh_box(&data, 0.4, 0.3, 0.2);
    elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_BOTH, 1e5, 0.03);
    if (change == 1) def.side = ELASTICA_SIDE_OUTSIDE;
    if (change == 2) def.thickness = 0.01;
    if (change == 3) def.fillet = 0.04;
    if (change == 4) data.points[4] += 1e-3;
    if (change == 5) def.triangle_count--;
    if (change == 6) def = obstacle_of(ELASTICA_SHAPE_SPHERE, 1e5);
    (void)add_obstacle_to(world, &def);
    if (change == 0) {
      must(world, elastica_world_snapshot_save(world, NULL, 0, &size));
      bytes = malloc(size);
      assert_non_null(bytes);
      must(world, elastica_world_snapshot_save(world, bytes, size, NULL));
    }
    const elastica_status status = elastica_world_snapshot_load(world, bytes, size);
    assert_int_equal(status, refused[change] ? ELASTICA_INVALID_ARGUMENT : ELASTICA_OK);
    if (refused[change]) assert_says(elastica_world_message(world), "mesh (points, triangles, side, thickness or fillet)", "snapshot");
    elastica_world_destroy(world);
  }
  free(bytes);
}

/* ---- Errors -------------------------------------------------------------------------------------------------------------------------- */

TEST(set_keeps_the_mesh) {
  elastica_world *world = make_world(NULL);
  mesh_box(&data, 0.4, 0.3, 0.2);
  elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e5, 0.03);
  elastica_effect *effect = add_obstacle_to(world, &def);
  def.modulus = 2e5, def.position[2] = 0.1, def.points = NULL, def.triangles = NULL;
  must(world, elastica_obstacle_set(effect, &def));
  def.fillet = 0.04;
  assert_int_equal(elastica_obstacle_set(effect, &def), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "fillet", "cannot change");
  for (int change = 0; change < 8; change++) { /* the last one changes nothing */
    mesh_box(&data, 0.4, 0.3, 0.2);
    def = mesh_def(&data, change == 0 ? ELASTICA_SIDE_BOTH : ELASTICA_SIDE_OUTSIDE, 2e5, 0.03);
    if (change == 1) def.thickness = 0.01;
    if (change == 2) def.points = NULL;
    if (change == 3) def.triangles = NULL;
    if (change == 4) def.point_count--;
    if (change == 5) def.triangle_count--;
    if (change == 6) data.points[4] += 1e-3;
    if (change == 7) def.friction = 0.2;
    const elastica_status status = elastica_obstacle_set(effect, &def);
    assert_int_equal(status, change < 7 ? ELASTICA_INVALID_ARGUMENT : ELASTICA_OK);
    if (change != 1 && change < 7) assert_says(elastica_world_message(world), "fillet", "cannot change");
  }
  def = obstacle_of(ELASTICA_SHAPE_SPHERE, 1e5);
  assert_int_equal(elastica_obstacle_set(effect, &def), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "MESH", "cannot change");
  elastica_world_destroy(world);
}

TEST(rods_inside_and_too_thick_rods_are_refused) {
  elastica_world *world = make_world(NULL);
  elastica_effect *effect = NULL;
  mesh_box(&data, 0.4, 0.3, 0.2);
  elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e5, 0.03);
  (void)add_stick(world, 4, (const double[3]){-0.3, 0.0, 0.12}, (const double[3]){1.0, 0.0, 0.0}, 0.6, 0.02, 1e6);
  def.position[2] = 0.1;
  assert_int_equal(elastica_add_obstacle(world, NULL, &def, &effect), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "rod 0", "inside the obstacle");
  def.position[2] = 0.0, def.fillet = 0.02;
  assert_int_equal(elastica_add_obstacle(world, NULL, &def, &effect), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "rod 0", "0.02 m, more than 0.8 times obstacle_def.fillet");
  def = mesh_def(&data, ELASTICA_SIDE_INSIDE, 1e5, 0.11), def.position[2] = 0.12, def.position[0] = -0.3;
  mesh_box(&data, 2.0, 0.3, 0.2); /* no ball of this fillet fits into the duct, of which the rod is the axis */
  assert_int_equal(elastica_add_obstacle(world, NULL, &def, &effect), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "obstacle_def.fillet is 0.11 m", "rod 0", "leave 0.1 m", "radius of the rod, 0.02 m");
  mesh_sheet(&data, 2.0, 5, level);
  def = mesh_def(&data, ELASTICA_SIDE_BOTH, 1e5, 0.03), def.position[2] = 0.12, def.normal[0] = 1.0, def.normal[2] = 0.1;
  assert_int_equal(elastica_add_obstacle(world, NULL, &def, &effect), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "rod 0", "inside the obstacle");
  elastica_world_destroy(world);
}

typedef struct bad_load {
  double force; /* [N] */
} bad_load;

static elastica_status add_bad_load(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const bad_load *of = self;
  (void)rod;
  if (now->purpose == ELASTICA_PURPOSE_STEP && now->time > 1e-3) loads->force[0][3] += of->force;
  return ELASTICA_OK;
}

/* Elements of up to 300 radii cross a convex edge at a distance of a few hundredths of the radius: they begin outside. */
TEST(long_elements_begin_beside_an_edge) {
  static const double lengths[] = {10.0, 25.0, 57.0, 100.0, 300.0}, gaps[] = {0.03, 0.06, 0.13, 0.5};
  const double radius = 0.01;
  mesh_box(&data, 4.0, 4.0, 4.0);
  elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e4, 0.04);
  for (int l = 0; l < 5; l++)
    for (int k = -1; k < 4; k++) {
      const double length = 2.0 * lengths[l] * radius, gap = (k < 0 ? 0.01 : gaps[k]) * radius, side = sqrt(0.5) * (0.37 * length);
      elastica_world *world = make_world(NULL);
      elastica_effect *effect = NULL;
      const double corner = 2.0 + sqrt(0.5) * gap;
      (void)add_stick(world, 2, (const double[3]){corner - side, corner + side, 0.1}, (const double[3]){1.0, -1.0, 0.0}, length, radius,
                      1e5);
      const elastica_status status = elastica_add_obstacle(world, NULL, &def, &effect);
      const elastica_status wanted = k < 0 ? ELASTICA_INVALID_ARGUMENT : ELASTICA_OK;
      if (status != wanted) fail_msg("%g radii long, %g radii outside: %s", lengths[l], gap / radius, elastica_world_message(world));
      elastica_world_destroy(world);
    }
}

/* All queries answer in a world that has failed. */
static void query(elastica_world *world, elastica_effect *effect, elastica_rod *rod) {
  elastica_contact_point points[8];
  elastica_check_report report;
  elastica_totals totals;
  elastica_step_limit limit;
  double force[3];
  int count;
  ignore(elastica_contact_get(effect, points, 8, &count));
  ignore(elastica_obstacle_get_force(effect, force, NULL));
  ignore(elastica_world_check(world, 0, &report));
  ignore(elastica_world_get_totals(world, &totals));
  ignore(elastica_rod_get_totals(rod, &totals));
  ignore(elastica_world_step_limit(world, &limit));
  ignore(elastica_world_evaluate(world, 0));
  (void)elastica_effect_energy(effect);
}

/* A load that is not finite, or far too large, ends in a sentence, and no query reads beyond the triangles. */
TEST(numbers_that_blow_up_are_reported) {
  static const double loads[] = {NAN, INFINITY, -1e300, 1e100, 1e30};
  for (int k = 0; k < 5; k++)
    for (int side = ELASTICA_SIDE_OUTSIDE; side <= ELASTICA_SIDE_BOTH; side++) {
      DEFAULTS(world, world_def);
      elastica_world *world = NULL;
      world_def.allow_unstable_step = 1;
      assert_int_equal(elastica_world_create(&world_def, &world), ELASTICA_OK);
      elastica_module module = module_named("bad_load");
      bad_load of = {loads[k]};
      const int room = side == ELASTICA_SIDE_INSIDE;
      mesh_box(&data, room ? 2.0 : 0.4, room ? 2.0 : 0.3, room ? 2.0 : 0.2);
      elastica_obstacle_def def = mesh_def(&data, (elastica_side)side, 1e5, 0.03);
      elastica_rod *rod = add_stick(world, 10, (const double[3]){-0.3, 0.0, 0.119}, (const double[3]){1.0, 0.0, 0.0}, 0.6, 0.02, 1e6);
      elastica_effect *effect = add_obstacle_to(world, &def);
      module.self = &of, module.self_size = sizeof of, module.add_loads = add_bad_load;
      must(world, elastica_world_add_module(world, rod, &module, NULL));
      assert_int_not_equal(elastica_world_advance(world, 0.1), ELASTICA_OK);
      assert_true(strlen(elastica_world_message(world)) > 20);
      query(world, effect, rod);
      elastica_world_destroy(world);
    }
}

/* A set state far away, and a damping so large that no step is stable. */
TEST(far_rods_and_hard_layers_are_reported) {
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    mesh_box(&data, 0.4, 0.3, 0.2);
    elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e5, 0.03);
    if (k == 1) def.damping = 1e150;
    if (k == 2) def.modulus = 1e150;
    elastica_rod *rod = add_stick(world, 10, (const double[3]){-0.3, 0.0, 0.119}, (const double[3]){1.0, 0.0, 0.0}, 0.6, 0.02, 1e6);
    elastica_effect *effect = add_obstacle_to(world, &def);
    double position[33];
    for (int i = 0; i < 11; i++) position[3 * i] = 1e70 * i, position[3 * i + 1] = 0.0, position[3 * i + 2] = 0.15;
    if (k == 0) ignore(elastica_rod_set_state(rod, position, NULL, NULL, NULL));
    query(world, effect, rod);
    ignore(elastica_world_advance(world, 1e-3));
    query(world, effect, rod);
    elastica_world_destroy(world);
  }
}
