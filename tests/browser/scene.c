/* Writes the files of the browser test: scene.html, a run of two rods on a ball above a floor; expected.js, the values that the page must
 * show; cycle.html, a period of an oscillation; changes.html, with rods and times that change; detail.html; picking.html; parts.html;
 * meshes.html; pipe.html; tank.html; moving.html; and many.html with as many rods as the wing of a pigeon, for the rate of drawing.
 *
 * usage: scene FOLDER
 */
#include <elastica.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/deflate.h"

enum { FRAMES = 40, ELEMENTS = 24 };

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "scene: %s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

static FILE *open_file(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  return file;
}

/* Writes streams of all kinds, each with the sum of its bytes; the browser unpacks them. */
static void write_streams(FILE *file) {
  const eli_allocator allocator = eli_allocator_default();
  unsigned char *data = malloc(300000);
  unsigned long long random = 1;
  if (data == NULL) exit(1);
  fprintf(file, "  streams: [\n");
  for (int k = 0; k < 12; k++) {
    const size_t size = k < 4 ? (size_t)k : (size_t)(20000 * k + 17);
    const unsigned kinds = 1u << (k % 9);
    unsigned long long sum = 0;
    for (size_t b = 0; b < size; b++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      data[b] = (unsigned char)(b > 40000 && k % 2 ? data[b - 32768] : random >> 33) & (unsigned char)(kinds - 1);
      sum = (sum * 31 + data[b]) % 1000003;
    }
    eli_bytes packed = eli_bytes_make(&allocator), text = eli_bytes_make(&allocator);
    eli_deflate(&packed, data, size);
    eli_bytes_base64(&text, packed.data, packed.count);
    fprintf(file, "    [%zu, %llu, \"%.*s\"],\n", size, sum, (int)text.count, (const char *)text.data);
    eli_bytes_free(&packed), eli_bytes_free(&text);
  }
  fprintf(file, "  ],\n");
  free(data);
}

/* Writes the expected answers about one rod. */
static void write_rod(FILE *file, elastica_world *world, elastica_rod *rod, int frame) {
  must(world, elastica_rod_refresh(rod));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  fprintf(file, "    {frame: %d, rod: %d, nodes: [", frame, view->rod_index);
  for (int i = 0; i < view->node_count; i++)
    fprintf(file, "[%.9g,%.9g,%.9g],", view->position[0][i], view->position[1][i], view->position[2][i]);
  fprintf(file, "],\n     strain: [");
  for (int j = 0; j < view->element_count; j++) fprintf(file, "%.9g,", view->dilatation[j] - 1.0);
  fprintf(file, "], tension: [");
  for (int j = 0; j < view->element_count; j++) fprintf(file, "%.9g,", view->force[2][j]);
  fprintf(file, "],\n     curvature: [");
  for (int k = 0; k < view->joint_count; k++) fprintf(file, "%.9g,", hypot(view->curvature[0][k], view->curvature[1][k]));
  fprintf(file, "], twist: [");
  for (int k = 0; k < view->joint_count; k++) fprintf(file, "%.9g,", view->curvature[2][k]);
  fprintf(file, "], radius: [");
  for (int j = 0; j < view->element_count; j++) fprintf(file, "%.9g,", elastica_rod_radius(view, j));
  fprintf(file, "]},\n");
}

/* A straight rod in the plane y = place, twisted about its axis along its length. */
static elastica_rod *add_rod(elastica_world *world, double place, double turns) {
  double position[3 * (ELEMENTS + 1)], director[9 * ELEMENTS];
  const double length = 1.0, turn = 2 * 3.14159265358979324 * turns;
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  for (int i = 0; i <= ELEMENTS; i++) position[3 * i] = length * i / ELEMENTS, position[3 * i + 1] = place, position[3 * i + 2] = 0.4;
  for (int j = 0; j < ELEMENTS; j++) {
    const double c = cos(turn * j / ELEMENTS), s = sin(turn * j / ELEMENTS), frame[9] = {0, c, s, 0, -s, c, 1, 0, 0};
    memcpy(director + 9 * j, frame, sizeof frame);
  }
  def.element_count = ELEMENTS, def.position = position, def.director = director;
  def.radius = 0.03, def.density = 1000, def.youngs_modulus = 3e5;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* Rods that fly apart, each of four elements. */
static void write_many(const char *folder) {
  enum { MANY = 3173, SHORT = 4 };
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  char path[1024];
  must(world, elastica_world_create(NULL, &world));
  for (int k = 0; k < MANY; k++) {
    double velocity[3 * (SHORT + 1)] = {0};
    for (int i = 0; i <= SHORT; i++) velocity[3 * i + 2] = sin(0.01 * k) * i;
    elastica_rod_def def;
    elastica_rod_def_init(&def, sizeof def);
    def.element_count = SHORT, def.length = 0.2, def.radius = 0.001, def.density = 1000, def.youngs_modulus = 1e6;
    def.start[0] = 0.004 * (k % 250), def.start[1] = 0.08 * (k / 250), def.direction[1] = 1, def.direction[2] = 0;
    def.velocity = velocity;
    must(world, elastica_world_add_rod(world, &def, NULL));
  }
  snprintf(path, sizeof path, "%s/many.html", folder);
  must(world, elastica_view_open(world, path, NULL, &view));
  for (int frame = 0; frame < 8; frame++) {
    must(world, elastica_view_frame(view));
    must(world, elastica_world_advance(world, 0.002));
  }
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
}

static void get_places(const elastica_rod *rod, double place[3 * (ELEMENTS + 1)]) {
  const elastica_rod_view *at = elastica_rod_get_view(rod);
  for (int i = 0; i <= ELEMENTS; i++)
    for (int a = 0; a < 3; a++) place[3 * i + a] = at->position[a][i];
}

/* A period of a rod that bends to both sides, without time between its frames. */
static void write_cycle(const char *folder) {
  enum { PHASES = 24 };
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  double place[3 * (ELEMENTS + 1)];
  char path[1024];
  must(world, elastica_world_create(NULL, &world));
  elastica_rod *rod = add_rod(world, 0.0, 0.0);
  get_places(rod, place);
  snprintf(path, sizeof path, "%s/cycle.html", folder);
  must(world, elastica_view_open(world, path, NULL, &view));
  for (int k = 0; k <= PHASES; k++) {
    double moved[3 * (ELEMENTS + 1)];
    memcpy(moved, place, sizeof moved);
    for (int i = 0; i <= ELEMENTS; i++) moved[3 * i + 2] += 0.1 * pow((double)i / ELEMENTS, 2) * sin(2 * acos(-1) * k / PHASES);
    must(world, elastica_rod_set_state(rod, moved, NULL, NULL, NULL));
    must(world, elastica_view_frame(view));
  }
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
}

/* A rod that is stretched, in the last of many frames ten times as far, with two frames at one time; and a rod of one element that is
 * removed. The run is short and late. */
static void write_changes(const char *folder) {
  enum { MANY = 82, LAST = MANY - 1 };
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  elastica_rod *single = NULL;
  elastica_view_def page;
  elastica_rod_def def;
  double place[3 * (ELEMENTS + 1)];
  char path[1024];
  must(world, elastica_world_create(NULL, &world));
  elastica_rod *rod = add_rod(world, 0.0, 0.0);
  get_places(rod, place);
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 1, def.length = 0.2, def.radius = 0.02, def.density = 1000, def.youngs_modulus = 1e6, def.start[1] = 0.3;
  must(world, elastica_world_add_rod(world, &def, &single));
  must(world, elastica_world_advance(world, 20.0));
  elastica_view_def_init(&page, sizeof page);
  page.length_unit = "ell", page.force_unit = "<lbf>";
  snprintf(path, sizeof path, "%s/changes.html", folder);
  must(world, elastica_view_open(world, path, &page, &view));
  for (int frame = 0; frame < MANY; frame++) {
    const double strain = frame == LAST ? 0.1 : 1e-4 * frame;
    double moved[3 * (ELEMENTS + 1)];
    memcpy(moved, place, sizeof moved);
    for (int i = 0; i <= ELEMENTS; i++) moved[3 * i] *= 1.0 + strain;
    must(world, elastica_rod_set_state(rod, moved, NULL, NULL, NULL));
    if (frame == 50) must(world, elastica_rod_remove(single));
    must(world, elastica_view_frame(view));
    if (frame != 3) must(world, elastica_world_advance(world, 1e-7));
  }
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
}

/* For clicks: a rod of 100 elements, two thin rods beside each other, and a rod through a ball and an obstacle beside
 * them. */
static void write_picking(const char *folder) {
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  elastica_rod_def rod;
  elastica_body_def ball;
  elastica_obstacle_def wall;
  elastica_rod *first = NULL;
  char path[1024];
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def_init(&rod, sizeof rod);
  rod.element_count = 100, rod.length = 1, rod.radius = 0.02, rod.density = 1000, rod.youngs_modulus = 1e6;
  rod.direction[0] = 1, rod.direction[2] = 0;
  must(world, elastica_world_add_rod(world, &rod, &first));
  rod.radius = 0.001;
  for (int k = 0; k < 2; k++) {
    rod.start[1] = 0.03 - 0.06 * k, rod.start[2] = 0.2;
    must(world, elastica_world_add_rod(world, &rod, NULL));
  }
  rod.start[0] = 0.1, rod.start[1] = 0.0, rod.start[2] = -0.2, rod.length = 0.5;
  must(world, elastica_world_add_rod(world, &rod, NULL));
  elastica_obstacle_def_init(&wall, sizeof wall);
  wall.shape = ELASTICA_SHAPE_SPHERE, wall.radius = 0.06, wall.stiffness = 10, wall.position[0] = 0.2, wall.position[2] = -0.2;
  must(world, elastica_add_obstacle(world, first, &wall, NULL));
  elastica_body_def_init(&ball, sizeof ball);
  ball.shape = ELASTICA_SHAPE_SPHERE, ball.radius = 0.12, ball.density = 100;
  ball.position[0] = 0.5, ball.position[2] = -0.2;
  must(world, elastica_world_add_body(world, &ball, NULL));
  snprintf(path, sizeof path, "%s/picking.html", folder);
  must(world, elastica_view_open(world, path, NULL, &view));
  must(world, elastica_view_frame(view));
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
}

/* A tapered rod above an endless cylinder that is given by a far point of its axis; tendons: a taut one, a slack one, and one inside its
 * rod; and a plate with a joint to a rod that is twisted by one turn while its nodes stay. */
static void write_parts(const char *folder) {
  enum { TURNS = 4 };
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  elastica_rod *tapered = NULL, *plate = NULL, *twisted = NULL;
  elastica_rod_def def;
  double radius[ELEMENTS];
  char path[1024];
  must(world, elastica_world_create(NULL, &world));
  twisted = add_rod(world, 0.3, 0.0);
  elastica_rod_def_init(&def, sizeof def);
  for (int j = 0; j < ELEMENTS; j++) radius[j] = 0.001 + 0.2 * j / (ELEMENTS - 1);
  def.element_count = ELEMENTS, def.length = 1.0, def.radius = 1.0, def.element_radius = radius, def.density = 1000,
  def.youngs_modulus = 1e6;
  def.direction[0] = 1, def.direction[2] = 0;
  must(world, elastica_world_add_rod(world, &def, &tapered));
  elastica_obstacle_def long_;
  elastica_obstacle_def_init(&long_, sizeof long_);
  long_.kind = ELASTICA_OBSTACLE_ELASTIC, long_.shape = ELASTICA_SHAPE_CYLINDER, long_.length = INFINITY, long_.radius = 0.05;
  long_.normal[0] = 0, long_.normal[1] = 1, long_.normal[2] = 0, long_.position[1] = 1000, long_.position[2] = -0.4, long_.modulus = 1e4;
  must(world, elastica_add_obstacle(world, tapered, &long_, NULL));
  elastica_body_def plate_def;
  elastica_body_def_init(&plate_def, sizeof plate_def);
  plate_def.shape = ELASTICA_SHAPE_BOX, plate_def.edges[0] = plate_def.edges[1] = 0.5, plate_def.edges[2] = 0.04, plate_def.density = 100;
  plate_def.position[1] = 0.3, plate_def.position[2] = 0.4;
  must(world, elastica_world_add_body(world, &plate_def, &plate));
  elastica_joint_def joint;
  elastica_joint_def_init(&joint, sizeof joint);
  joint.kind = ELASTICA_JOINT_BALL, joint.first.rod = plate, joint.second.rod = twisted, joint.stiffness = 1e4;
  must(world, elastica_add_joint(world, &joint, NULL));
  const double offsets[] = {-0.06, 0.06, 0.015};
  for (int k = 0; k < 3; k++) {
    elastica_tendon_def tendon;
    elastica_tendon_def_init(&tendon, sizeof tendon);
    tendon.rod = twisted, tendon.tension = 2.0, tendon.offset[0] = offsets[k], tendon.activation = k == 1 ? 0.0 : 1.0;
    must(world, elastica_add_tendon(world, &tendon, NULL));
  }
  snprintf(path, sizeof path, "%s/parts.html", folder);
  must(world, elastica_view_open(world, path, NULL, &view));
  for (int k = 0; k <= TURNS; k++) {
    double director[9 * ELEMENTS];
    for (int j = 0; j < ELEMENTS; j++) {
      const double turn = 2 * acos(-1) * k / TURNS * j / (ELEMENTS - 1), c = cos(turn), s = sin(turn),
                   frame[9] = {0, c, s, 0, -s, c, 1, 0, 0};
      memcpy(director + 9 * j, frame, sizeof frame);
    }
    must(world, elastica_rod_set_state(twisted, NULL, NULL, director, NULL));
    must(world, elastica_view_frame(view));
  }
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
}

/* A focus on 10 mm of a rod of 10 m. */
static void write_detail(const char *folder) {
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  elastica_view_def page;
  elastica_rod_def def;
  char path[1024];
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 400, def.length = 10, def.radius = 0.001, def.density = 1000, def.youngs_modulus = 1e6;
  def.direction[0] = 1, def.direction[2] = 0;
  must(world, elastica_world_add_rod(world, &def, NULL));
  elastica_view_def_init(&page, sizeof page);
  page.focus[0] = 5, page.focus[1] = 0, page.focus[2] = 0, page.span = 0.01;
  snprintf(path, sizeof path, "%s/detail.html", folder);
  must(world, elastica_view_open(world, path, &page, &view));
  must(world, elastica_view_frame(view));
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
}

static elastica_status waves(void *user, const double point[3], double *distance, double gradient[3]) {
  (void)user;
  *distance = point[2] - 0.05 * sin(8.0 * point[0]);
  gradient[0] = -0.4 * cos(8.0 * point[0]), gradient[1] = 0.0, gradient[2] = 1.0;
  return ELASTICA_OK;
}

/* A rod above a block of triangles, in a room of triangles, on a surface of the user. */
static void write_meshes(const char *folder) {
  static const double corners[] = {-0.2, -0.2, -0.2, 0.2, -0.2, -0.2, 0.2, 0.2, -0.2, -0.2, 0.2, -0.2,
                                   -0.2, -0.2, 0.2,  0.2, -0.2, 0.2,  0.2, 0.2, 0.2,  -0.2, 0.2, 0.2};
  static const int faces[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
  double wide[24];
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  char path[1024];
  elastica_obstacle_def def;
  must(world, elastica_world_create(NULL, &world));
  (void)add_rod(world, 0.0, 0.0);
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.shape = ELASTICA_SHAPE_MESH, def.modulus = 1e4, def.fillet = 0.1;
  def.points = corners, def.point_count = 8, def.triangles = faces, def.triangle_count = 12, def.position[0] = 0.5;
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
  for (int k = 0; k < 24; k++) wide[k] = (k % 3 == 2 ? 3.0 : 4.0) * corners[k];
  def.points = wide, def.side = ELASTICA_SIDE_INSIDE, def.position[2] = 0.1;
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.shape = ELASTICA_SHAPE_SURFACE, def.modulus = 1e4;
  def.surface = waves, def.surface_slope = 1.1, def.surface_curvature = 3.3, def.position[2] = -0.3;
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
  snprintf(path, sizeof path, "%s/meshes.html", folder);
  must(world, elastica_view_open(world, path, NULL, &view));
  for (int frame = 0; frame < 3; frame++) {
    must(world, elastica_view_frame(view));
    must(world, elastica_world_advance(world, 0.002));
  }
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
}

/* A rod in a square pipe, which is an open sheet: its sides are seen from both sides. */
static void write_pipe(const char *folder) {
  static const double corners[] = {-0.5, -0.2, -0.2, 1.5, -0.2, -0.2, 1.5, 0.2, -0.2, -0.5, 0.2, -0.2,
                                   -0.5, -0.2, 0.2,  1.5, -0.2, 0.2,  1.5, 0.2, 0.2,  -0.5, 0.2, 0.2};
  static const int sides[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6};
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  char path[1024];
  elastica_obstacle_def def;
  must(world, elastica_world_create(NULL, &world));
  (void)add_rod(world, 0.0, 0.0);
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.shape = ELASTICA_SHAPE_MESH, def.modulus = 1e4, def.fillet = 0.1;
  def.points = corners, def.point_count = 8, def.triangles = sides, def.triangle_count = 8, def.side = ELASTICA_SIDE_BOTH,
  def.position[2] = 0.4;
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
  snprintf(path, sizeof path, "%s/pipe.html", folder);
  must(world, elastica_view_open(world, path, NULL, &view));
  must(world, elastica_view_frame(view));
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
}

/* A box and a ball as bodies in an open tank, which is a sheet; a ball and above it a capsule are obstacles there. */
static void write_tank(const char *folder) {
  static const double corners[] = {-0.5, -0.5, -0.4, 0.5, -0.5, -0.4, 0.5, 0.5, -0.4, -0.5, 0.5, -0.4,
                                   -0.5, -0.5, 1.2,  0.5, -0.5, 1.2,  0.5, 0.5, 1.2,  -0.5, 0.5, 1.2};
  static const int walls[] = {0, 2, 1, 0, 3, 2, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  elastica_rod *ball = NULL;
  elastica_body_def body;
  elastica_obstacle_def def;
  char path[1024];
  must(world, elastica_world_create(NULL, &world));
  elastica_body_def_init(&body, sizeof body);
  body.shape = ELASTICA_SHAPE_BOX, body.edges[0] = body.edges[1] = body.edges[2] = 0.1, body.density = 100, body.position[1] = -0.2;
  must(world, elastica_world_add_body(world, &body, NULL));
  body.shape = ELASTICA_SHAPE_SPHERE, body.radius = 0.08, body.position[0] = 0.3;
  must(world, elastica_world_add_body(world, &body, &ball));
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.shape = ELASTICA_SHAPE_MESH, def.modulus = 1e4, def.fillet = 0.1;
  def.points = corners, def.point_count = 8, def.triangles = walls, def.triangle_count = 10, def.side = ELASTICA_SIDE_BOTH;
  must(world, elastica_add_obstacle(world, ball, &def, NULL));
  for (int k = 0; k < 2; k++) {
    elastica_obstacle_def_init(&def, sizeof def);
    def.kind = ELASTICA_OBSTACLE_ELASTIC, def.modulus = 1e4, def.position[1] = 0.1, def.position[2] = 0.5 * k;
    def.shape = k ? ELASTICA_SHAPE_CAPSULE : ELASTICA_SHAPE_SPHERE, def.radius = k ? 0.1 : 0.2, def.length = k ? 0.3 : 0.0;
    def.normal[0] = k ? 1.0 : 0.0, def.normal[2] = k ? 0.0 : 1.0;
    must(world, elastica_add_obstacle(world, ball, &def, NULL));
  }
  snprintf(path, sizeof path, "%s/tank.html", folder);
  must(world, elastica_view_open(world, path, NULL, &view));
  must(world, elastica_view_frame(view));
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
}

static elastica_status move_away(void *user, double time, double position[3], double velocity[3], double director[9], double spin[3]) {
  (void)user, (void)director, (void)spin;
  position[0] = -2.0 * time, velocity[0] = -2.0;
  return ELASTICA_OK;
}

/* A rod, a ball that moves 2 m away, and a ball at z = 3 m that is switched on in two of many frames. */
static void write_moving(const char *folder) {
  enum { MANY = 100 };
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  elastica_effect *late = NULL;
  elastica_obstacle_def def;
  char path[1024];
  must(world, elastica_world_create(NULL, &world));
  (void)add_rod(world, 0.0, 0.0);
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.shape = ELASTICA_SHAPE_SPHERE, def.radius = 0.1, def.modulus = 1e4, def.motion = move_away;
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
  def.motion = NULL, def.position[2] = 3.0;
  must(world, elastica_add_obstacle(world, NULL, &def, &late));
  snprintf(path, sizeof path, "%s/moving.html", folder);
  must(world, elastica_view_open(world, path, NULL, &view));
  for (int frame = 0; frame <= MANY; frame++) {
    must(world, elastica_effect_set_enabled(late, frame >= 50 && frame < 52));
    must(world, elastica_view_frame(view));
    if (frame < MANY) must(world, elastica_world_advance(world, 0.01));
  }
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
}

/* A rod with more contacts than arrows, above a surface of more triangles than the size of the page allows. */
static void write_arrows(const char *folder) {
  enum { CONTACTS = 1200 };
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  elastica_view_def page;
  elastica_rod_def rod;
  elastica_obstacle_def def;
  char path[1024];
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def_init(&rod, sizeof rod);
  rod.element_count = CONTACTS, rod.length = 0.02 * CONTACTS, rod.radius = 0.01, rod.density = 1000, rod.youngs_modulus = 1e6;
  rod.direction[0] = 1.0, rod.direction[2] = 0.0, rod.start[2] = 0.00999;
  must(world, elastica_world_add_rod(world, &rod, NULL));
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.modulus = 1e5;
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.shape = ELASTICA_SHAPE_SURFACE, def.modulus = 1e4;
  def.surface = waves, def.surface_slope = 1.1, def.surface_curvature = 3.3, def.position[2] = -0.3;
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
  elastica_view_def_init(&page, sizeof page);
  page.size_limit = 1;
  snprintf(path, sizeof path, "%s/arrows.html", folder);
  must(world, elastica_view_open(world, path, &page, &view));
  must(world, elastica_view_frame(view));
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
}

int main(int argc, char **argv) {
  const double gravity[3] = {0, 0, -9.81};
  elastica_world *world = NULL;
  elastica_view *view = NULL;
  elastica_rod *rods[2];
  char path[1024];
  if (argc != 2) return 2;
  must(world, elastica_world_create(NULL, &world));
  rods[0] = add_rod(world, 0.0, 0.4);
  rods[1] = add_rod(world, 0.3, 0.0);
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  for (int k = 0; k < 2; k++) must(world, elastica_add_boundary(world, rods[k], &clamp, NULL));
  elastica_dissipation_def air;
  elastica_dissipation_def_init(&air, sizeof air);
  air.translation = 0.5;
  must(world, elastica_add_dissipation(world, NULL, &air, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  elastica_obstacle_def floor_of;
  elastica_obstacle_def_init(&floor_of, sizeof floor_of);
  floor_of.position[2] = -0.7, floor_of.stiffness = 10;
  must(world, elastica_add_obstacle(world, NULL, &floor_of, NULL));
  elastica_obstacle_def ball;
  elastica_obstacle_def_init(&ball, sizeof ball);
  ball.kind = ELASTICA_OBSTACLE_ELASTIC;
  ball.shape = ELASTICA_SHAPE_SPHERE, ball.radius = 0.12, ball.modulus = 2e4, ball.friction = 0.3;
  ball.position[0] = 0.5, ball.position[1] = 0.3, ball.position[2] = 0.15;
  must(world, elastica_add_obstacle(world, rods[1], &ball, NULL));

  write_meshes(argv[1]);
  write_pipe(argv[1]);
  write_tank(argv[1]);
  write_moving(argv[1]);
  write_arrows(argv[1]);
  write_cycle(argv[1]);
  write_changes(argv[1]);
  write_detail(argv[1]);
  write_picking(argv[1]);
  write_parts(argv[1]);
  snprintf(path, sizeof path, "%s/scene.html", argv[1]);
  must(world, elastica_view_open(world, path, NULL, &view));
  FILE *file = open_file(argv[1], "expected.js");
  fprintf(file, "const expected = {\n  frames: %d,\n", FRAMES);
  write_streams(file);
  fprintf(file, "  rods: [\n");
  for (int frame = 0; frame < FRAMES; frame++) {
    must(world, elastica_view_frame(view));
    for (int k = 0; k < 2 && frame % 13 == 0; k++) write_rod(file, world, rods[k], frame);
    if (frame + 1 < FRAMES) must(world, elastica_world_advance(world, 0.02));
  }
  fprintf(file, "  ],\n};\n");
  must(world, elastica_view_close(view));
  elastica_world_destroy(world);
  write_many(argv[1]);
  return fclose(file) == 0 ? 0 : 1;
}
