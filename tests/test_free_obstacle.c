/* Obstacles that are not convex, surfaces of the user and tubes: their layers are potentials, rods stay on their side, errors are named. */
#include "base/target.h"

#include "acting.h"
#include "obstacles.h"

static const double path[] = {-0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.0, 0.08, 0.4, 0.06, 0.2, 0.6, 0.1, 0.2};
static const double wide[] = {0.08, 0.08, 0.07, 0.08, 0.09};

/* Hills of height A and wavelength W, and their bounds. */
#define HEIGHT 0.02
#define WAVE 0.4

static elastica_status hills(void *user, const double point[3], double *distance, double gradient[3]) {
  const double k = 2.0 * acos(-1.0) / WAVE;
  (void)user;
  *distance = point[2] - HEIGHT * sin(k * point[0]) * cos(k * point[1]);
  gradient[0] = -HEIGHT * k * cos(k * point[0]) * cos(k * point[1]);
  gradient[1] = HEIGHT * k * sin(k * point[0]) * sin(k * point[1]);
  gradient[2] = 1.0;
  return ELASTICA_OK;
}

static elastica_obstacle_def terrain(double modulus) {
  const double k = 2.0 * acos(-1.0) / WAVE;
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, modulus);
  def.shape = ELASTICA_SHAPE_SURFACE;
  def.surface = hills;
  def.surface_slope = sqrt(1.0 + HEIGHT * k * HEIGHT * k), def.surface_curvature = 2.0 * HEIGHT * k * k;
  return def;
}

static elastica_obstacle_def tube(double modulus, elastica_side side) {
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, modulus);
  def.shape = ELASTICA_SHAPE_TUBE;
  def.points = path, def.radii = wide, def.point_count = 5, def.side = side;
  return def;
}

/* ---- Potential ----------------------------------------------------------------------------------------------------------------------- */

static void check_potential(const elastica_obstacle_def *def, const double start[3], const double direction[3], double radius) {
  elastica_world *world = make_kicked_world(ELASTICA_LAW_CLASSICAL, 1);
  elastica_rod *rod = add_stick(world, 4, start, direction, 0.5, radius, 1e5);
  assert_potential(rod, add_obstacle_to(world, def), 2e-5, "obstacle");
  elastica_world_destroy(world);
}

TEST(layers_are_potentials) {
  const elastica_obstacle_def ground = terrain(1e4), duct = tube(1e4, ELASTICA_SIDE_INSIDE), pipe = tube(1e4, ELASTICA_SIDE_OUTSIDE);
  check_potential(&ground, (const double[3]){-0.05, 0.02, 0.03}, (const double[3]){1.0, 0.3, 0.01}, 0.03);
  check_potential(&ground, (const double[3]){-0.1, 0.1, 0.035}, (const double[3]){0.3, -1.0, 0.0}, 0.03);
  check_potential(&duct, (const double[3]){-0.28, 0.02, -0.056}, (const double[3]){1.0, 0.02, 0.16}, 0.03);
  check_potential(&duct, (const double[3]){-0.28, -0.035, 0.0}, (const double[3]){1.0, 0.05, 0.12}, 0.05);
  check_potential(&pipe, (const double[3]){0.0, -0.25, 0.128}, (const double[3]){0.3, 1.0, 0.0}, 0.03);
  check_potential(&pipe, (const double[3]){-0.05, 0.01, 0.098}, (const double[3]){1.0, 0.02, 0.52}, 0.03);
}

/* ---- Motion -------------------------------------------------------------------------------------------------------------------------- */

/* A rod falls for a second: energy is conserved within the share of an undamped bounce, and it stays on its side. */
static void check_fall(const elastica_obstacle_def *def, const double start[3], double seconds) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_stick(world, 20, start, (const double[3]){1.0, 0.0, 0.0}, 0.4, 0.01, 1e6);
  elastica_totals before, now;
  const double down[3] = {0.0, 0.0, -9.81};
  must(world, elastica_add_gravity(world, down, NULL));
  elastica_effect *effect = add_obstacle_to(world, def);
  must(world, elastica_world_get_totals(world, &before));
  double moved = 0.0;
  int touched = 0;
  for (int frame = 0; frame < 25; frame++) {
    must(world, elastica_world_advance(world, seconds / 25.0));
    must(world, elastica_world_get_totals(world, &now));
    touched += felt(effect).contact_count;
    if (now.translation > moved) moved = now.translation;
    const double total = now.translation + now.rotation + now.bending + now.shear + now.effects;
    const double first = before.translation + before.rotation + before.bending + before.shear + before.effects;
    assert_close(total, first, 5e-3 * moved);
  }
  assert_true(touched > 0);
  assert_true(elastica_rod_get_view(rod)->position[2][10] > -0.2);
  elastica_world_destroy(world);
}

TEST(falls_conserve_energy) {
  const elastica_obstacle_def ground = terrain(1e5), duct = tube(1e5, ELASTICA_SIDE_INSIDE), pipe = tube(1e5, ELASTICA_SIDE_OUTSIDE);
  check_fall(&ground, (const double[3]){-0.1, 0.0, 0.1}, 0.5);
  check_fall(&duct, (const double[3]){-0.25, 0.0, 0.0}, 0.3);
  check_fall(&pipe, (const double[3]){-0.2, 0.0, 0.2}, 0.14);
}

/* A rod along a duct lies on its floor: every node carries the force of its share of the length, the first as the last. */
TEST(an_even_overlap_has_an_even_force) {
  static const double level[] = {-1.0, 0.0, 0.0, 1.0, 0.0, 0.0}, even[] = {0.05, 0.05};
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = tube(1e5, ELASTICA_SIDE_INSIDE);
  const double length = 0.4, overlap = 0.0005;
  def.points = level, def.radii = even, def.point_count = 2;
  elastica_rod *rod =
      add_stick(world, 4, (const double[3]){-0.13, 0.0, -0.04 - overlap}, (const double[3]){1.0, 0.0, 0.0}, length, 0.01, 1e6);
  (void)add_obstacle_to(world, &def);
  must(world, elastica_world_evaluate(world, 0.0));
  const double *force = elastica_rod_get_view(rod)->external_force[2];
  for (int i = 1; i < 4; i++) assert_close(force[i], force[2], 1e-9 * force[2]);
  assert_close(force[0], force[4], 1e-9 * force[2]);
  assert_true(force[2] > 0.0 && force[0] >= 0.5 * force[2] * (1.0 - 1e-9));
  elastica_world_destroy(world);
}

/* In a duct with friction and dampers a rod comes to rest on its floor; the force on the duct is the weight. */
TEST(a_rod_rests_in_a_duct) {
  static const double level[] = {-0.4, 0.0, 0.0, 0.4, 0.0, 0.0}, even[] = {0.05, 0.05};
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = tube(1e5, ELASTICA_SIDE_INSIDE);
  elastica_relax_result result;
  const double down[3] = {0.0, 0.0, -9.81};
  double force[3], couple[3], mass = 0.0;
  def.points = level, def.radii = even, def.point_count = 2, def.friction = 0.3, def.damping_ratio = 0.5,
  def.tangential_damping_ratio = 0.1;
  elastica_rod *rod = add_stick(world, 10, (const double[3]){-0.2, 0.01, -0.035}, (const double[3]){1.0, 0.0, 0.0}, 0.4, 0.01, 1e6);
  must(world, elastica_add_gravity(world, down, NULL));
  elastica_effect *effect = add_obstacle_to(world, &def);
  must(world, elastica_world_relax(world, NULL, &result));
  must(world, elastica_obstacle_get_force(effect, force, couple));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int i = 0; i < view->node_count; i++) mass += view->mass[i];
  assert_close(force[2], -9.81 * mass, 1e-6 * mass);
  assert_between(-view->position[2][5], 0.03, 0.042);
  elastica_world_destroy(world);
}

/* A ball rolls through a bend and leaves the duct by its end. */
TEST(a_ball_leaves_the_duct) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = ball_def(0.02, 1000.0);
  const elastica_obstacle_def duct = tube(1e7, ELASTICA_SIDE_INSIDE);
  def.velocity[0] = 3.0;
  elastica_rod *ball = add_body(world, &def);
  (void)add_obstacle_to(world, &duct);
  must(world, elastica_world_advance(world, 0.4));
  const elastica_rod_view *view = elastica_rod_get_view(ball);
  assert_true(view->position[0][0] > 0.7);
  assert_close(sqrt(view->velocity[0][0] * view->velocity[0][0] + view->velocity[1][0] * view->velocity[1][0] +
                    view->velocity[2][0] * view->velocity[2][0]),
               3.0, 0.01);
  elastica_world_destroy(world);
}

/* A duct turns about the vertical and takes the rod in it along. Snapshots go on with the same bits; another tube refuses them. */
TEST(a_turning_duct_carries_its_rod) {
  void *bytes = NULL;
  size_t size = 0;
  double end[2][3];
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL);
    elastica_obstacle_def def = tube(1e6, ELASTICA_SIDE_INSIDE);
    double other[5];
    memcpy(other, wide, sizeof other);
    other[4] += k == 2 ? 0.001 : 0.0;
    def.motion = turn_about_z, def.friction = 0.2, def.damping_ratio = 0.5, def.radii = other;
    elastica_rod *rod = add_stick(world, 10, (const double[3]){-0.2, 0.0, 0.0}, (const double[3]){1.0, 0.0, 0.0}, 0.15, 0.02, 1e6);
    (void)add_obstacle_to(world, &def);
    if (k == 0) {
      must(world, elastica_world_advance(world, 0.2));
      size = size_of_snapshot(world);
      bytes = malloc(size);
      must(world, elastica_world_snapshot_save(world, bytes, size, NULL));
    } else if (k == 1) {
      must(world, elastica_world_snapshot_load(world, bytes, size));
    } else {
      assert_int_equal(elastica_world_snapshot_load(world, bytes, size), ELASTICA_INVALID_ARGUMENT);
      assert_says(elastica_world_message(world), "another tube");
    }
    if (k < 2) {
      must(world, elastica_world_advance(world, 0.3));
      for (int a = 0; a < 3; a++) end[k][a] = elastica_rod_get_view(rod)->position[a][10];
      assert_true(end[k][1] < -0.02);
    }
    elastica_world_destroy(world);
  }
  assert_memory_equal(end[0], end[1], sizeof end[0]);
  free(bytes);
}

/* ---- Errors -------------------------------------------------------------------------------------------------------------------------- */

typedef struct wrong_surface {
  int how;
} wrong_surface;

static elastica_status wrong(void *user, const double point[3], double *distance, double gradient[3]) {
  const wrong_surface *of = user;
  (void)hills(NULL, point, distance, gradient);
  if (of->how == 1) return ELASTICA_CALLBACK_FAILED;
  if (of->how == 2) *distance = NAN;
  if (of->how == 3) gradient[2] = 2.0;
  if (of->how == 4) gradient[0] = 0.3 * sin(1e4 * point[0]), gradient[1] = 0.0;
  if (of->how == 5) gradient[0] += 0.2;
  return ELASTICA_OK;
}

TEST(wrong_surfaces_are_named) {
  static const char *const says[] = {"", "returned", "not finite", "surface_slope", "surface_curvature", "gradients"};
  for (int how = 1; how <= 5; how++) {
    elastica_world *world = make_world(NULL);
    wrong_surface of = {0};
    elastica_obstacle_def def = terrain(1e5);
    const double down[3] = {0.0, 0.0, -9.81};
    def.surface = wrong, def.surface_user = &of, def.surface_slope = 1.4;
    (void)add_stick(world, 20, (const double[3]){-0.1, 0.0, 0.04}, (const double[3]){1.0, 0.0, 0.0}, 0.4, 0.01, 1e6);
    must(world, elastica_add_gravity(world, down, NULL));
    (void)add_obstacle_to(world, &def);
    must(world, elastica_world_advance(world, 0.01));
    of.how = how;
    elastica_status status = ELASTICA_OK;
    for (int k = 0; k < 40 && status == ELASTICA_OK; k++) status = elastica_world_advance(world, 0.01);
    assert_int_equal(status, ELASTICA_CALLBACK_FAILED);
    assert_says(elastica_world_message(world), "obstacle", says[how]);
    elastica_world_destroy(world);
  }
}

/* The next step, query and relaxation report a surface that fails, also where no element was near. */
TEST(failing_surfaces_are_reported_at_once) {
  for (int how = 1; how <= 3; how++) {
    elastica_world *world = make_world(NULL);
    wrong_surface of = {0};
    elastica_obstacle_def def = terrain(1e5);
    double force[3];
    int count;
    def.surface = wrong, def.surface_user = &of;
    (void)add_stick(world, 10, (const double[3]){-0.1, 0.0, 0.3}, (const double[3]){1.0, 0.0, 0.0}, 0.4, 0.01, 1e6);
    elastica_effect *effect = add_obstacle_to(world, &def);
    must(world, elastica_world_advance(world, 0.01));
    of.how = how;
    assert_int_equal(elastica_obstacle_get_force(effect, force, NULL), ELASTICA_CALLBACK_FAILED);
    assert_says(elastica_world_message(world), "obstacle_get_force", "surface");
    assert_int_equal(elastica_contact_get(effect, NULL, 0, &count), ELASTICA_CALLBACK_FAILED);
    assert_int_equal(elastica_world_step(world, 1e-6, 1), ELASTICA_CALLBACK_FAILED);
    elastica_world_destroy(world);
  }
}

/* z = 0 with errors that a rod along x does not see in its own points. how 1 to 3: a component of the gradient is wrong; 4 and 5: the
 * distance jumps at a node and within an element; 6 and 7: numbers that are not finite; 8 and 9: numbers larger than 1e150. */
static elastica_status flat(void *user, const double point[3], double *distance, double gradient[3]) {
  const wrong_surface *of = user;
  *distance = point[2];
  gradient[0] = gradient[1] = 0.0, gradient[2] = 1.0;
  if (of->how == 1) gradient[2] = 0.0;
  if (of->how == 2) gradient[2] = 0.8;
  if (of->how == 3) gradient[1] = 0.2;
  if (of->how == 4 && point[0] > 0.0) *distance -= 0.005;
  if (of->how == 5 && point[0] > 0.013) *distance += 0.005;
  if (of->how == 6) *distance = NAN;
  if (of->how == 7) gradient[1] = INFINITY;
  if (of->how == 8) *distance = 1e160;
  if (of->how == 9) gradient[1] = -1e160;
  return ELASTICA_OK;
}

/* In adding, in the preparation of a later rod, and in the steps of a rod that falls onto it. */
TEST(contradictions_of_a_surface_are_found_before_contact) {
  static const char *const says[][2] = {
      {"", ""},
      {"change by 0.001 m", "gradients give 0 m"},
      {"change by 0.001 m", "gradients give 0.0008 m"},
      {"change by 0 m", "gradients give 0.0002 m"},
      {"change by -0.005 m", "gradients give 0 m"},
      {"change by 0.005 m", "gradients give 0 m"},
      {"distance of nan m", "not finite"},
      {"gradient of (0, inf, 1)", "not finite"},
      {"distance of 1e+160 m", "larger than 1e150"},
      {"gradient of (0, -1e+160, 1)", "larger than 1e150"},
  };
  for (int when = 0; when < 3; when++)
    for (int how = 1; how <= 9; how++) {
      elastica_world *world = make_world(NULL);
      wrong_surface of = {when == 0 ? how : 0};
      elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
      const double down[3] = {0.0, 0.0, -9.81}, along[3] = {1.0, 0.0, 0.0};
      elastica_status status = ELASTICA_OK;
      def.shape = ELASTICA_SHAPE_SURFACE, def.surface = flat, def.surface_user = &of, def.surface_slope = 1.1, def.surface_curvature = 1.0;
      must(world, elastica_add_gravity(world, down, NULL));
      if (when != 1) (void)add_stick(world, 10, (const double[3]){-0.2, 0.0, 0.0125}, along, 0.4, 0.01, 1e6);
      if (when == 0) {
        status = elastica_add_obstacle(world, NULL, &def, NULL);
      } else {
        must(world, elastica_add_obstacle(world, NULL, &def, NULL));
        if (when == 2) must(world, elastica_world_step(world, 1e-5, 1));
        of.how = how;
        if (when == 1) (void)add_stick(world, 10, (const double[3]){-0.2, 0.0, 0.0125}, along, 0.4, 0.01, 1e6);
        status = elastica_world_advance(world, 0.1);
      }
      assert_int_equal(status, when == 0 ? ELASTICA_INVALID_ARGUMENT : ELASTICA_CALLBACK_FAILED);
      assert_says(elastica_world_message(world), "surface", says[how][0], says[how][1], how <= 5 ? " m" : "which is");
      elastica_world_destroy(world);
    }
}

static elastica_status run_implicit_to(elastica_world *world, double until, double dt) {
  DEFAULTS(implicit, def);
  def.until = until, def.dt = dt;
  return elastica_world_run_implicit(world, &def, NULL);
}

/* The same functions without an error, far from the origin and on small rods. */
TEST(right_surfaces_are_accepted) {
  for (int k = 0; k < 4; k++) {
    const double size = k % 2 ? 1e-3 : 1.0, far = k / 2 ? 1e5 : 0.0;
    elastica_world *world = make_world(NULL);
    elastica_obstacle_def def = terrain(1e5);
    const double down[3] = {0.0, 0.0, -9.81};
    def.position[0] = 0.7 * far, def.position[2] = -0.3 * far;
    must(world, elastica_add_gravity(world, down, NULL));
    (void)add_stick(world, 10, (const double[3]){0.7 * far + 0.3, 0.01, 0.02 * size - 0.3 * far}, (const double[3]){1.0, 0.4, 0.0},
                    0.4 * size, 0.01 * size, 1e6);
    (void)add_obstacle_to(world, &def);
    must(world, elastica_world_advance(world, 0.02));
    must(world, run_implicit_to(world, 0.1, 1e-3));
    must(world, elastica_world_advance(world, 0.01));
    elastica_world_destroy(world);
  }
}

/* z, but farther away by 5 mm below a plane that falling rods pass. */
static elastica_status step_down(void *user, const double point[3], double *distance, double gradient[3]) {
  (void)user;
  *distance = point[2] + (point[2] < 0.011 ? 0.005 : 0.0);
  gradient[0] = gradient[1] = 0.0, gradient[2] = 1.0;
  return ELASTICA_OK;
}

/* An implicit step may pass a jump of the distance at once. */
TEST(a_jump_of_a_surface_is_found_in_implicit_steps) {
  static const double sizes[] = {1e-5, 1e-4, 5e-4, 2e-3};
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e4);
    const double down[3] = {0.0, 0.0, -9.81};
    must(world, elastica_add_gravity(world, down, NULL));
    elastica_rod *rod = add_stick(world, 10, (const double[3]){-0.2, 0.0, 0.0125}, (const double[3]){1.0, 0.0, 0.0}, 0.4, 0.01, 1e6);
    def.shape = ELASTICA_SHAPE_SURFACE, def.surface = step_down, def.surface_curvature = 1.0;
    (void)add_obstacle_to(world, &def);
    assert_int_equal(run_implicit_to(world, 0.1, sizes[k]), ELASTICA_CALLBACK_FAILED);
    assert_says(elastica_world_message(world), "surface", "its gradients give");
    assert_true(elastica_rod_get_view(rod)->position[2][5] > 0.0109); /* the step that passes is not taken */
    elastica_world_destroy(world);
  }
}

/* The deepest element is named. */
TEST(the_depth_inside_is_named) {
  static const struct {
    double start[3];
    const char *says;
  } of[] = {{{-0.2, 0.0, 0.0}, "element 4 of rod 0 is inside the obstacle, up to 0.05"},
            {{-0.2, 0.0, 0.0499}, "element 3 of rod 0 is inside the obstacle, up to 0.0001 m"}};
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    elastica_world *world = make_world(NULL);
    elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_BOX, 1e5);
    for (int a = 0; a < 3; a++) def.edges[a] = 0.1;
    (void)add_stick(world, 9, of[k].start, (const double[3]){1.0, 0.0, 0.0}, 0.4, 0.01, 1e6);
    assert_int_equal(elastica_add_obstacle(world, NULL, &def, NULL), ELASTICA_INVALID_ARGUMENT);
    assert_says(elastica_world_message(world), of[k].says);
    elastica_world_destroy(world);
  }
}

typedef struct meddler {
  elastica_world *world;
  elastica_effect *effect;
  elastica_status status;
} meddler;

/* Tries to remove its own effect while a query reads it. */
static elastica_status meddle(void *user, const double point[3], double *distance, double gradient[3]) {
  meddler *of = user;
  if (of->effect != NULL) of->status = elastica_effect_remove(of->effect);
  return hills(NULL, point, distance, gradient);
}

TEST(surfaces_cannot_change_the_world) {
  elastica_world *world = make_world(NULL);
  meddler of = {world, NULL, ELASTICA_OK};
  elastica_obstacle_def def = terrain(1e5);
  double force[3];
  int count;
  def.surface = meddle, def.surface_user = &of;
  (void)add_stick(world, 4, (const double[3]){-0.1, 0.0, 0.03}, (const double[3]){1.0, 0.0, 0.0}, 0.4, 0.03, 1e6);
  elastica_effect *effect = add_obstacle_to(world, &def);
  of.effect = effect;
  must(world, elastica_obstacle_get_force(effect, force, NULL));
  assert_int_equal(of.status, ELASTICA_WRONG_STATE);
  of.status = ELASTICA_OK;
  must(world, elastica_contact_get(effect, NULL, 0, &count));
  assert_int_equal(of.status, ELASTICA_WRONG_STATE);
  elastica_world_destroy(world);
}

#define REFUSED(change, ...)                                                                                                               \
  do {                                                                                                                                     \
    elastica_world *world = make_world(NULL);                                                                                              \
    elastica_obstacle_def ground = terrain(1e5), duct = tube(1e5, ELASTICA_SIDE_INSIDE), *const def = &duct;                               \
    (void)ground, (void)def;                                                                                                               \
    (void)add_stick(world, 4, (const double[3]){-0.2, 0.0, 0.0}, (const double[3]){1.0, 0.0, 0.0}, 0.1, 0.02, 1e6);                        \
    change;                                                                                                                                \
    assert_int_equal(elastica_add_obstacle(world, NULL, def, NULL), ELASTICA_INVALID_ARGUMENT);                                            \
    assert_says(elastica_world_message(world), __VA_ARGS__);                                                                               \
    elastica_world_destroy(world);                                                                                                         \
  } while (0)

TEST(bad_definitions_are_refused) {
  static const double back[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.0, 0.0}, same[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  static const double tight[] = {-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05, 0.1, 0.0}, bad[] = {0.0, 0.0, NAN, 1.0, 0.0, 0.0};
  static const double none[] = {0.1, 0.0, 0.1}, thin[] = {0.021, 0.021, 0.021, 0.021, 0.021};
  REFUSED(duct.points = NULL, "obstacle_def.points", "not set");
  REFUSED(duct.radii = NULL, "obstacle_def.radii", "not set");
  REFUSED(duct.point_count = 1, "point_count is 1");
  REFUSED((duct.points = bad, duct.point_count = 2), "points[2]", "finite");
  REFUSED(duct.radii = none, "radii[1]", "positive");
  REFUSED((duct.points = back, duct.point_count = 3), "turns back at point 1");
  REFUSED((duct.points = same, duct.point_count = 3), "points 1 and 2", "coincide");
  REFUSED((duct.points = tight, duct.point_count = 3), "at point 1", "bends");
  REFUSED(duct.radii = thin, "rod 0", "0.02", "0.95", "0.021");
  REFUSED(duct.kind = ELASTICA_OBSTACLE_RIGID, "TUBE", "ELASTIC");
  REFUSED(duct.side = (elastica_side)2, "side");
  REFUSED((*def = obstacle_of(ELASTICA_SHAPE_SPHERE, 1e5), def->side = ELASTICA_SIDE_INSIDE), "obstacle_def.side", "sphere");
  REFUSED((*def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5), def->surface = hills), "obstacle_def.surface", "plane");
  REFUSED((*def = ground, duct.surface = NULL), "obstacle_def.surface", "not set");
  REFUSED((*def = ground, duct.surface_curvature = NAN), "surface_curvature", "not set");
  REFUSED((*def = ground, duct.surface_slope = 0.0), "surface_slope");
  REFUSED((*def = ground, duct.surface_slope = 1000.0), "surface_slope is 1000, more than 100", "millimetres");
  REFUSED((*def = ground, duct.position[2] = 0.1), "inside the obstacle");
}

TEST(set_keeps_the_tube) {
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = tube(1e5, ELASTICA_SIDE_INSIDE);
  elastica_effect *effect = add_obstacle_to(world, &def);
  def.modulus = 2e5, def.points = def.radii = NULL;
  must(world, elastica_obstacle_set(effect, &def));
  def.side = ELASTICA_SIDE_OUTSIDE;
  assert_int_equal(elastica_obstacle_set(effect, &def), ELASTICA_INVALID_ARGUMENT);
  assert_says(elastica_world_message(world), "side", "cannot change");
  def = obstacle_of(ELASTICA_SHAPE_SPHERE, 1e5);
  assert_int_equal(elastica_obstacle_set(effect, &def), ELASTICA_INVALID_ARGUMENT);
  elastica_world_destroy(world);
}
