/* Triangles of obstacles for pictures: those of a mesh as they are; of a user's surface, near its rods, facing outwards. */
#include "support.h"

#include "meshes.h"
#include "output/facets.h"
#include "output/objects.h"

static mesh_data data;

static elastica_status ball(void *user, const double point[3], double *distance, double gradient[3]) {
  const double size = norm(point);
  (void)user;
  *distance = size - 0.3;
  for (int a = 0; a < 3; a++) gradient[a] = size > 0.0 ? point[a] / size : 0.0;
  if (point[0] > 0.45) return ELASTICA_CALLBACK_FAILED; /* far from rods nothing is defined */
  return ELASTICA_OK;
}

static eli_body solid_of(elastica_effect *effect) {
  eli_body solid;
  must(elastica_effect_get(effect).world, eli_find_solid(effect, "test", &solid));
  assert_true(eli_facets_are_drawn(&solid.obstacle));
  return solid;
}

static eli_facets facets_of(elastica_effect *effect) {
  eli_facets facets;
  eli_facets_key key;
  const eli_body solid = solid_of(effect);
  eli_facets_find_key(elastica_effect_get(effect).world, &solid, 1, &key);
  must(elastica_effect_get(effect).world, eli_facets_make(elastica_effect_get(effect).world, &solid, &key, &facets));
  return facets;
}

TEST(a_mesh_is_drawn_as_it_is) {
  elastica_world *world = make_world(NULL);
  mesh_box(&data, 0.4, 0.3, 0.2);
  const elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_INSIDE, 1e5, 0.03);
  elastica_effect *effect = add_obstacle_to(world, &def);
  eli_facets facets = facets_of(effect);
  assert_int_equal(facets.point_count, 8);
  assert_int_equal(facets.triangle_count, 12);
  assert_int_equal(facets.side, ELASTICA_SIDE_INSIDE);
  assert_memory_equal(facets.points, data.points, 24 * sizeof *data.points);
  assert_memory_equal(facets.corners, data.triangles, 36 * sizeof *data.triangles);
  eli_facets_free(&facets);
  elastica_world_destroy(world);
}

/* The triangles of a ball by a function lie on it within the square of a cell, face outwards, and cover it where it is defined. */
TEST(a_surface_is_sampled_near_the_rods) {
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
  double area = 0.0;
  def.shape = ELASTICA_SHAPE_SURFACE, def.surface = ball, def.surface_curvature = 4.0;
  (void)add_stick(world, 4, (const double[3]){-0.15, 0.05, 0.32}, (const double[3]){1.0, 0.0, 0.0}, 0.3, 0.01, 1e6);
  elastica_effect *effect = add_obstacle_to(world, &def);
  eli_facets facets = facets_of(effect);
  for (int i = 0; i < facets.point_count; i++) assert_close(norm(facets.points + 3 * i), 0.3, 0.01);
  for (int t = 0; t < facets.triangle_count; t++) {
    double side[2][3], normal[3];
    const double *first = facets.points + 3 * facets.corners[3 * t];
    for (int k = 0; k < 2; k++)
      for (int a = 0; a < 3; a++) side[k][a] = facets.points[3 * facets.corners[3 * t + 1 + k] + a] - first[a];
    cross(side[0], side[1], normal);
    assert_true(dot(normal, first) >= 0.0);
    area += 0.5 * norm(normal);
  }
  assert_between(area, 0.5 * 4.0 * acos(-1.0) * 0.09, 1.01 * 4.0 * acos(-1.0) * 0.09);
  must(world, elastica_world_step(world, 1e-6, 10)); /* the drawing has left no error */
  const eli_facets kept = facets;
  facets = facets_of(effect);
  assert_int_equal(facets.point_count, kept.point_count);
  assert_memory_equal(facets.points, kept.points, 3 * (size_t)kept.point_count * sizeof *kept.points);
  eli_facets_free(&facets);
  facets = kept;
  eli_facets_free(&facets);
  elastica_world_destroy(world);
}

/* Rods of another group inside the ball, in its middle, where the gradient vanishes, and where the function fails; the obstacle lies far
 * from the origin of the laboratory. */
TEST(a_surface_is_whole_beside_rods_that_find_no_surface) {
  const double place[3] = {3.0, -2.0, 1.0}, along[3] = {1.0, 0.0, 0.0};
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
  def.shape = ELASTICA_SHAPE_SURFACE, def.surface = ball, def.surface_curvature = 4.0, def.group = 3;
  memcpy(def.position, place, sizeof place);
  for (int k = 0; k < 2; k++) {
    const double start[3] = {place[0] + (k ? 0.5 : -0.1), place[1], place[2]};
    (void)add_stick(world, 4, start, along, 0.2, 0.01, 1e6);
  }
  elastica_effect *effect = add_obstacle_to(world, &def);
  eli_facets facets = facets_of(effect);
  assert_true(facets.triangle_count > 20);
  for (int i = 0; i < facets.point_count; i++) assert_close(norm(facets.points + 3 * i), 0.3, 0.02);
  must(world, elastica_world_step(world, 1e-6, 10));
  eli_facets_free(&facets);
  elastica_world_destroy(world);
}

static elastica_status waves(void *user, const double point[3], double *distance, double gradient[3]) {
  (void)user;
  *distance = point[2] + 0.3 - 0.02 * sin(10.0 * point[0]);
  gradient[0] = -0.2 * cos(10.0 * point[0]), gradient[1] = 0.0, gradient[2] = 1.0;
  return ELASTICA_OK;
}

/* Waves of a ground are drawn without holes, crests and troughs, at any height of the rod above them. */
TEST(a_surface_far_below_the_rods_is_whole) {
  for (int k = 0; k < 6; k++) {
    elastica_world *world = make_world(NULL);
    elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
    const double height = -0.2 + 0.3 * k, start[3] = {-0.2, 0.0, height};
    double area = 0.0, low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    def.shape = ELASTICA_SHAPE_SURFACE, def.surface = waves, def.surface_curvature = 2.1, def.surface_slope = 1.1;
    (void)add_stick(world, 4, start, (const double[3]){1.0, 0.0, 0.0}, 0.4, 0.01, 1e6);
    eli_facets facets = facets_of(add_obstacle_to(world, &def));
    for (int i = 0; i < facets.point_count; i++)
      for (int a = 0; a < 2; a++) low[a] = fmin(low[a], facets.points[3 * i + a]), high[a] = fmax(high[a], facets.points[3 * i + a]);
    for (int t = 0; t < facets.triangle_count; t++) {
      const double *p = facets.points + 3 * facets.corners[3 * t], *q = facets.points + 3 * facets.corners[3 * t + 1],
                   *r = facets.points + 3 * facets.corners[3 * t + 2];
      area += 0.5 * ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])); /* seen from above */
    }
    assert_true(low[0] <= -0.4 && high[0] >= 0.4 && low[1] <= -0.2 && high[1] >= 0.2);
    assert_close(area, (high[0] - low[0]) * (high[1] - low[1]), 1e-9);
    eli_facets_free(&facets);
    elastica_world_destroy(world);
  }
}

static elastica_status land(void *user, const double point[3], double *distance, double gradient[3]) {
  const double height = 0.3, k = 1.2, sx = sin(k * point[0]), cx = cos(k * point[0]), sy = sin(k * point[1]), cy = cos(k * point[1]);
  (void)user;
  *distance = point[2] - height * sx * cy;
  gradient[0] = -height * k * cx * cy, gradient[1] = height * k * sx * sy, gradient[2] = 1.0;
  return ELASTICA_OK;
}

/* Returns the height of the triangles at a place seen from above, and the number of triangles there. */
static double height_at(const eli_facets *facets, double x, double y, int *count) {
  double sum = 0.0;
  *count = 0;
  for (int t = 0; t < facets->triangle_count; t++) {
    const double *p[3];
    double area[3], whole = 0.0, height = 0.0;
    for (int k = 0; k < 3; k++) p[k] = facets->points + 3 * facets->corners[3 * t + k];
    for (int k = 0; k < 3; k++) {
      const double *q = p[(k + 1) % 3], *r = p[(k + 2) % 3];
      area[k] = (q[0] - x) * (r[1] - y) - (q[1] - y) * (r[0] - x);
      whole += area[k], height += area[k] * p[k][2];
    }
    if (!(area[0] > 0.0 && area[1] > 0.0 && area[2] > 0.0)) continue;
    sum += height / whole;
    (*count)++;
  }
  return sum / *count;
}

/* A thin cable on a terrain: about the rod the terrain is drawn within 0.4 radii; coarse cells were four radii off. Over all it
 * is covered once, between cells of different sizes, too, and a page of the default size takes it whole. */
TEST(a_surface_is_finer_near_the_rods) {
  enum { ELEMENTS = 60 };
  elastica_world *world = make_world(NULL);
  double position[3 * (ELEMENTS + 1)], area = 0.0, low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  DEFAULTS(rod, cable);
  for (int i = 0; i <= ELEMENTS; i++) {
    const double x = -3.0 + 0.1 * i, y = 0.3;
    position[3 * i] = x, position[3 * i + 1] = y, position[3 * i + 2] = 0.3 * sin(1.2 * x) * cos(1.2 * y) + 0.0215;
  }
  cable.element_count = ELEMENTS, cable.position = position, cable.radius = 0.02, cable.density = 2000.0, cable.youngs_modulus = 1e8;
  must(world, elastica_world_add_rod(world, &cable, NULL));
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
  def.shape = ELASTICA_SHAPE_SURFACE, def.surface = land, def.surface_slope = 1.1, def.surface_curvature = 0.9;
  eli_facets facets = facets_of(add_obstacle_to(world, &def));
  assert_between(facets.triangle_count, 8000, 20000);
  for (int i = 0; i < 200; i++) {
    const double x = -2.9917 + 0.03 * i, y = 0.3 + 0.0137 * (i % 3);
    int count;
    const double height = height_at(&facets, x, y, &count);
    assert_int_equal(count, 1);
    assert_close(height, 0.3 * sin(1.2 * x) * cos(1.2 * y), 0.008);
  }
  for (int i = 0; i < facets.point_count; i++)
    for (int a = 0; a < 2; a++) low[a] = fmin(low[a], facets.points[3 * i + a]), high[a] = fmax(high[a], facets.points[3 * i + a]);
  for (int t = 0; t < facets.triangle_count; t++) {
    const double *p = facets.points + 3 * facets.corners[3 * t], *q = facets.points + 3 * facets.corners[3 * t + 1],
                 *r = facets.points + 3 * facets.corners[3 * t + 2];
    const double own = 0.5 * ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
    assert_true(own >= -1e-12);
    area += own;
  }
  assert_close(area, (high[0] - low[0]) * (high[1] - low[1]), 1e-8);
  eli_facets_free(&facets);
  elastica_world_destroy(world);
}

/* A ball of 5,120 triangles drawn as at most 1,000 and as at most 50: they have nearly its area, and each edge belongs to two triangles. */
TEST(fewer_triangles_cover_the_same_surface) {
  static const struct {
    int most;
    double error;
  } rows[] = {{1000, 0.02}, {50, 0.3}};
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    double area = 0.0, volume = 0.0;
    mesh_ball(&data, 0.3, 40);
    const elastica_obstacle_def def = mesh_def(&data, ELASTICA_SIDE_OUTSIDE, 1e5, 0.03);
    eli_facets facets = facets_of(add_obstacle_to(world, &def));
    must(world, eli_facets_reduce(world, &facets, rows[k].most));
    assert_between(facets.triangle_count, rows[k].most / 5, rows[k].most);
    for (int t = 0; t < facets.triangle_count; t++) {
      double side[2][3], normal[3];
      const double *first = facets.points + 3 * facets.corners[3 * t];
      for (int c = 0; c < 2; c++)
        for (int a = 0; a < 3; a++) side[c][a] = facets.points[3 * facets.corners[3 * t + 1 + c] + a] - first[a];
      cross(side[0], side[1], normal);
      area += 0.5 * norm(normal);
      volume += dot(normal, first) / 6.0;
    }
    assert_close(area, 4.0 * acos(-1.0) * 0.09, rows[k].error * 4.0 * acos(-1.0) * 0.09);
    assert_close(volume, 4.0 / 3.0 * acos(-1.0) * 0.027, 2.0 * rows[k].error * 4.0 / 3.0 * acos(-1.0) * 0.027);
    eli_facets_free(&facets);
    elastica_world_destroy(world);
  }
}

static long questions;

static elastica_status counted_waves(void *user, const double point[3], double *distance, double gradient[3]) {
  questions++;
  *distance = point[2] + 0.3 - *(const double *)user * sin(10.0 * point[0]);
  gradient[0] = -10.0 * *(const double *)user * cos(10.0 * point[0]), gradient[1] = 0.0, gradient[2] = 1.0;
  return ELASTICA_OK;
}

/* A surface is sampled once while its rods move little, and again if it has changed. */
TEST(kept_triangles_are_those_of_the_present_surface) {
  elastica_world *world = make_world(NULL);
  elastica_obstacle_def def = obstacle_of(ELASTICA_SHAPE_PLANE, 1e5);
  double height = 0.02;
  def.shape = ELASTICA_SHAPE_SURFACE, def.surface = counted_waves, def.surface_user = &height;
  def.surface_curvature = 2.1, def.surface_slope = 1.1;
  (void)add_stick(world, 4, (const double[3]){-0.2, 0.0, 0.0}, (const double[3]){1.0, 0.0, 0.0}, 0.4, 0.01, 1e6);
  elastica_effect *effect = add_obstacle_to(world, &def);
  const eli_body solid = solid_of(effect);
  eli_facets_store store = {NULL, 0};
  const eli_facets *kept[3];
  double first = 0.0;
  for (int k = 0; k < 3; k++) {
    if (k == 2) height = 0.01;
    questions = 0;
    must(world, eli_facets_find(&store, effect, &solid, &kept[k]));
    assert_true(k == 1 ? questions < 200 : questions > 30000);
    const eli_facets now = facets_of(effect);
    assert_int_equal(kept[k]->point_count, now.point_count);
    assert_memory_equal(kept[k]->points, now.points, 3 * (size_t)now.point_count * sizeof *now.points);
    if (k == 0) first = now.points[2];
    assert_true((now.points[2] == first) == (k < 2));
    eli_facets copy = now;
    eli_facets_free(&copy);
  }
  eli_facets_store_free(&store, eli_world_allocator(world));
  elastica_world_destroy(world);
}
