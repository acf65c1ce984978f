/* The contents of a ParaView frame (see vtk_frame.h).
 *
 * Arrays are inline in base64: ParaView's text reader stops at the first nan, and frames of a run that has blown up must be readable.
 * Points are in double precision, because users compute differences of them; all other arrays are in single precision.
 *
 * test       tests/test_vtk.c, tests/test_vtk_surface.c, tests/test_vtk_contacts.c
 */
#include "base/target.h"
#include "hooks/built_in.h"

#include "output/vtk_frame.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/elementary.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "output/facets.h"
#include "output/objects.h"
#include "state/definition.h"
#include "state/world.h"

/* ---- Arrays ---- */

enum { BUFFER_SIZE = 768 }; /* [bytes] a multiple of 3, so that only the end of an array is padded */

typedef struct array_stream {
  eli_text_file *text;
  size_t count;
  unsigned char bytes[BUFFER_SIZE];
} array_stream;

static void flush_array(array_stream *stream) {
  char encoded[ELI_BASE64_SIZE(BUFFER_SIZE)];
  const size_t length = eli_base64(stream->bytes, stream->count, encoded);
  eli_text_put(stream->text, encoded, length);
  stream->count = 0;
}

static void put_value(array_stream *stream, const void *value, size_t size) {
  const unsigned char *bytes = value;
  for (size_t b = 0; b < size; b++) {
    stream->bytes[stream->count++] = bytes[b];
    if (stream->count == BUFFER_SIZE) flush_array(stream);
  }
}

/* Begins an array of count numbers of `size` bytes. attributes: further attributes of its tag, besides the type. The data begin with their
 * length in bytes. */
static void begin_array(array_stream *stream, eli_text_file *text, const char *type, const char *attributes, uint64_t count, size_t size) {
  const uint64_t bytes = count * size;
  eli_text_print(text, "<DataArray type=\"%s\" %s format=\"binary\">", type, attributes);
  stream->text = text;
  stream->count = 0;
  put_value(stream, &bytes, sizeof bytes);
}

static void end_array(array_stream *stream) {
  flush_array(stream);
  eli_text_print(stream->text, "</DataArray>\n");
}

static void put_single(array_stream *stream, double value) {
  const float single = (float)value;
  put_value(stream, &single, sizeof single);
}

/* Writes count numbers: first, first + step, ... */
static void write_integers(eli_text_file *text, const char *attributes, int first, int step, int count) {
  array_stream stream;
  begin_array(&stream, text, "Int32", attributes, (uint64_t)count, sizeof(int32_t));
  for (int k = 0; k < count; k++) {
    const int32_t number = (int32_t)(first + k * step);
    put_value(&stream, &number, sizeof number);
  }
  end_array(&stream);
}

/* ---- Quantities of nodes and elements ---- */

/* Finds the elements before and after a node; at an end of an open rod both are the end element. */
static void elements_at(const elastica_rod_view *rod, int i, int *before, int *after) {
  const int last = rod->element_count - 1;
  assert(i >= 0 && i < rod->node_count && last >= 0);
  *before = i > 0 ? i - 1 : rod->closed ? last : 0;
  *after = i < last ? i : last;
}

static void get_lane(const double *const lane[3], int i, double value[3]) {
  for (int a = 0; a < 3; a++) value[a] = lane[a][i];
}

static void get_mean(const double *const lane[3], int i, int k, double value[3]) {
  for (int a = 0; a < 3; a++) value[a] = 0.5 * (lane[a][i] + lane[a][k]);
}

/* The value of the joint at a node; 0 if the node has no joint. */
static void get_joint(const elastica_rod_view *rod, int i, const double *const lane[3], double value[3]) {
  const int k = rod->closed ? i : i - 1;
  for (int a = 0; a < 3; a++) value[a] = k >= 0 && k < rod->joint_count ? lane[a][k] : 0.0;
}

/* Each macro defines the functions that read a quantity at node i or at element j. */
#define OF_NODES(name)                                                                                                                     \
  static void name##_at_node(const elastica_rod_view *rod, int i, double value[3]) {                                                       \
    get_lane(rod->name, i, value);                                                                                                         \
  }
/* The second node of an element; a rigid body has one node. */
static int second_node(const elastica_rod_view *rod, int j) {
  return rod->rigid ? j : j + 1;
}

/* Mean of the two nodes of an element. */
#define OF_EDGES(name)                                                                                                                     \
  static void name##_at_element(const elastica_rod_view *rod, int j, double value[3]) {                                                    \
    get_mean(rod->name, j, second_node(rod, j), value);                                                                                    \
  }
#define OF_JOINTS(name)                                                                                                                    \
  static void name##_at_node(const elastica_rod_view *rod, int i, double value[3]) {                                                       \
    get_joint(rod, i, rod->name, value);                                                                                                   \
  }
#define OF_ELEMENTS(name)                                                                                                                  \
  static void name##_at_element(const elastica_rod_view *rod, int j, double value[3]) {                                                    \
    get_lane(rod->name, j, value);                                                                                                         \
  }                                                                                                                                        \
  static void name##_at_node(const elastica_rod_view *rod, int i, double value[3]) {                                                       \
    int before, after;                                                                                                                     \
    elements_at(rod, i, &before, &after);                                                                                                  \
    get_mean(rod->name, before, after, value);                                                                                             \
  }
/* A node has the directors of the element after it, because the mean of two frames is not a frame. */
#define OF_DIRECTORS(name, row)                                                                                                            \
  static void name##_at_element(const elastica_rod_view *rod, int j, double value[3]) {                                                    \
    get_lane(rod->director[row], j, value);                                                                                                \
  }                                                                                                                                        \
  static void name##_at_node(const elastica_rod_view *rod, int i, double value[3]) {                                                       \
    int before, after;                                                                                                                     \
    elements_at(rod, i, &before, &after);                                                                                                  \
    get_lane(rod->director[row], after, value);                                                                                            \
  }
#define OF_NUMBERS(name, number)                                                                                                           \
  static void name##_at_element(const elastica_rod_view *rod, int j, double value[3]) {                                                    \
    value[0] = number(rod, j);                                                                                                             \
  }                                                                                                                                        \
  static void name##_at_node(const elastica_rod_view *rod, int i, double value[3]) {                                                       \
    int before, after;                                                                                                                     \
    elements_at(rod, i, &before, &after);                                                                                                  \
    value[0] = 0.5 * (number(rod, before) + number(rod, after));                                                                           \
  }

static double length_of(const elastica_rod_view *rod, int j) {
  return rod->length[j];
}

static double dilatation_of(const elastica_rod_view *rod, int j) {
  return rod->dilatation[j];
}

OF_NODES(velocity)
OF_EDGES(velocity)
OF_NODES(internal_force)
OF_JOINTS(curvature)
OF_JOINTS(couple)
OF_ELEMENTS(strain)
OF_ELEMENTS(force)
OF_ELEMENTS(internal_couple)
OF_ELEMENTS(omega)
OF_DIRECTORS(d1, 0)
OF_DIRECTORS(d2, 1)
OF_DIRECTORS(d3, 2)
OF_NUMBERS(radius, elastica_rod_radius)
OF_NUMBERS(length, length_of)
OF_NUMBERS(dilatation, dilatation_of)

#define NUMBER "NumberOfComponents=\"1\""
#define LABORATORY "NumberOfComponents=\"3\" ComponentName0=\"x\" ComponentName1=\"y\" ComponentName2=\"z\""
#define MATERIAL "NumberOfComponents=\"3\" ComponentName0=\"d1\" ComponentName1=\"d2\" ComponentName2=\"d3\""

typedef void (*getter)(const elastica_rod_view *rod, int place, double value[3]);

/* at_element NULL: elements do not have this quantity, and it is nan for them. */
static const struct quantity {
  const char *attributes;
  int components;
  getter at_node, at_element;
} quantities[] = {
    {"Name=\"radius\" " NUMBER, 1, radius_at_node, radius_at_element},
    {"Name=\"length\" " NUMBER, 1, length_at_node, length_at_element},
    {"Name=\"dilatation\" " NUMBER, 1, dilatation_at_node, dilatation_at_element},
    {"Name=\"velocity\" " LABORATORY, 3, velocity_at_node, velocity_at_element},
    {"Name=\"internal_force\" " LABORATORY, 3, internal_force_at_node, NULL},
    {"Name=\"d1\" " LABORATORY, 3, d1_at_node, d1_at_element},
    {"Name=\"d2\" " LABORATORY, 3, d2_at_node, d2_at_element},
    {"Name=\"d3\" " LABORATORY, 3, d3_at_node, d3_at_element},
    {"Name=\"omega\" " MATERIAL, 3, omega_at_node, omega_at_element},
    {"Name=\"curvature\" " MATERIAL, 3, curvature_at_node, NULL},
    {"Name=\"couple\" " MATERIAL, 3, couple_at_node, NULL},
    {"Name=\"strain\" " MATERIAL, 3, strain_at_node, strain_at_element},
    {"Name=\"force\" " MATERIAL, 3, force_at_node, force_at_element},
    {"Name=\"internal_couple\" " MATERIAL, 3, internal_couple_at_node, internal_couple_at_element},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

/* ---- The pieces of a rod ---- */

/* Writes count values, nan if get is NULL. The index is taken modulo wrap, because the line of a ring ends at its first node. */
static void write_quantity(eli_text_file *text, const elastica_rod_view *rod, const struct quantity *quantity, getter get, int count,
                           int wrap) {
  array_stream stream;
  const int components = quantity->components;
  assert(components <= 3);
  begin_array(&stream, text, "Float32", quantity->attributes, (uint64_t)count * (uint64_t)components, sizeof(float));
  for (int p = 0; p < count; p++) {
    double value[3] = {NAN, NAN, NAN};
    if (get != NULL) get(rod, p % wrap, value);
    for (int a = 0; a < components; a++) put_single(&stream, value[a]);
  }
  end_array(&stream);
}

/* Writes cells of points_of_each points, which use the points in order. */
static void write_cells(eli_text_file *text, int64_t cells, int64_t points_of_each) {
  array_stream stream;
  const int64_t points = cells * points_of_each;
  begin_array(&stream, text, "Int64", "Name=\"connectivity\"", (uint64_t)points, sizeof points);
  for (int64_t p = 0; p < points; p++) put_value(&stream, &p, sizeof p);
  end_array(&stream);
  begin_array(&stream, text, "Int64", "Name=\"offsets\"", (uint64_t)cells, sizeof points);
  for (int64_t end = points_of_each; cells > 0 && end <= points; end += points_of_each) put_value(&stream, &end, sizeof end);
  end_array(&stream);
}

static void begin_piece(eli_text_file *text, int points, int verts, int lines, int polygons) {
  eli_text_print(text,
                 "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n",
                 points, verts, lines, polygons);
}

/* Writes the line. A closed rod repeats its first node at the end, so that the line closes. */
static void write_line(eli_text_file *text, const elastica_rod_view *rod) {
  array_stream stream;
  const int points = rod->node_count + (rod->closed ? 1 : 0), lines = points > 0;
  begin_piece(text, points, 0, lines, 0);
  eli_text_print(text, "<PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
  for (int q = 0; q < QUANTITIES; q++) write_quantity(text, rod, &quantities[q], quantities[q].at_node, points, rod->node_count);
  write_integers(text, "Name=\"rod\" NumberOfComponents=\"1\"", rod->rod_index, 0, points);
  eli_text_print(text, "</PointData>\n<CellData>\n");
  for (int q = 0; q < QUANTITIES; q++)
    if (quantities[q].at_element != NULL) write_quantity(text, rod, &quantities[q], NULL, lines, 1);
  write_integers(text, "Name=\"rod\" NumberOfComponents=\"1\"", rod->rod_index, 0, lines);
  write_integers(text, "Name=\"element\" NumberOfComponents=\"1\"", -1, 0, lines);
  eli_text_print(text, "</CellData>\n<Points>\n");
  begin_array(&stream, text, "Float64", "Name=\"position\" NumberOfComponents=\"3\"", 3 * (uint64_t)points, sizeof(double));
  for (int p = 0; p < points; p++)
    for (int a = 0; a < 3; a++) put_value(&stream, &rod->position[a][p % rod->node_count], sizeof(double));
  end_array(&stream);
  eli_text_print(text, "</Points>\n<Lines>\n");
  write_cells(text, lines, points);
  eli_text_print(text, "</Lines>\n</Piece>\n");
}

/* Writes the elements: a point and a vertex at the middle of each. */
static void write_elements(eli_text_file *text, const elastica_rod_view *rod) {
  array_stream stream;
  const int count = rod->element_count;
  begin_piece(text, count, count, 0, 0);
  for (int cells = 0; cells < 2; cells++) {
    eli_text_print(text, cells ? "<CellData>\n" : "<PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
    for (int q = 0; q < QUANTITIES; q++)
      if (!cells || quantities[q].at_element != NULL) write_quantity(text, rod, &quantities[q], quantities[q].at_element, count, count);
    write_integers(text, "Name=\"rod\" NumberOfComponents=\"1\"", rod->rod_index, 0, count);
    if (cells) write_integers(text, "Name=\"element\" NumberOfComponents=\"1\"", 0, 1, count);
    eli_text_print(text, cells ? "</CellData>\n" : "</PointData>\n");
  }
  eli_text_print(text, "<Points>\n");
  begin_array(&stream, text, "Float64", "Name=\"position\" NumberOfComponents=\"3\"", 3 * (uint64_t)count, sizeof(double));
  for (int j = 0; j < count; j++) {
    double middle[3];
    get_mean(rod->position, j, second_node(rod, j), middle);
    put_value(&stream, middle, sizeof middle);
  }
  end_array(&stream);
  eli_text_print(text, "</Points>\n<Verts>\n");
  write_cells(text, count, 1);
  eli_text_print(text, "</Verts>\n</Piece>\n");
}

/* Writes a rod with its derived lanes refreshed. A view of zeros gives one piece without points. */
static void write_rod(eli_text_file *text, const elastica_rod_view *rod) {
  if (!rod->rigid) write_line(text, rod);
  if (rod->element_count > 0) write_elements(text, rod);
}

/* ---- The surface of a rigid body, in the frame of its definition ----
 *
 * Bits 0, 1, 2 of the number of a box corner are set for positive d1, d2, d3. A round shape is a stack of rings about d3, counted from
 * below. A cylinder has two rings and two lids; a segment of a tube has no lids, and its two radii are the first two edges. A sphere and a
 * capsule have rings at equal steps of latitude between two poles; the poles are the first two points.
 */

enum {
  SECTORS = 20, /* corners of a round shape about its axis */
  QUARTER = 5   /* latitude bands from the equator to a pole */
};

static int has_poles(const elastica_body_info *body) {
  return body->shape == ELASTICA_SHAPE_SPHERE || body->shape == ELASTICA_SHAPE_CAPSULE;
}

static int ring_count(const elastica_body_info *body) {
  return body->shape == ELASTICA_SHAPE_SPHERE ? 2 * QUARTER - 1 : body->shape == ELASTICA_SHAPE_CAPSULE ? 2 * QUARTER : 2;
}

static void surface_size(const elastica_body_info *body, int *points, int *polygons) {
  const int rings = ring_count(body);
  if (body->shape == ELASTICA_SHAPE_BOX) {
    *points = 8, *polygons = 6;
    return;
  }
  *points = (has_poles(body) ? 2 : 0) + rings * SECTORS;
  *polygons = has_poles(body) ? (rings + 1) * SECTORS : SECTORS + (body->shape == ELASTICA_SHAPE_TUBE ? 0 : 2);
}

static void box_point(const elastica_body_info *body, int p, double point[3]) {
  for (int a = 0; a < 3; a++) point[a] = (p >> a & 1 ? 0.5 : -0.5) * body->edges[a];
}

/* Radius and height of a ring. The equator of a capsule consists of two rings. */
static void find_ring(const elastica_body_info *body, int ring, double *radius, double *height) {
  if (!has_poles(body)) {
    *radius = body->shape == ELASTICA_SHAPE_TUBE ? body->edges[ring] : body->radius;
    *height = (ring - 0.5) * body->length;
    return;
  }
  const int above = ring >= QUARTER, doubled = body->shape == ELASTICA_SHAPE_CAPSULE;
  const int step = ring + 1 - QUARTER - (above && doubled ? 1 : 0);
  double sine, cosine;
  eli_sincos(0.5 * ELI_PI * step / QUARTER, &sine, &cosine);
  *radius = body->radius * cosine;
  *height = body->radius * sine + (doubled ? (above ? 0.5 : -0.5) * body->length : 0.0);
}

/* Surface point number p [m]. */
static void surface_point(const elastica_body_info *body, int p, double point[3]) {
  double radius, sine, cosine;
  if (body->shape == ELASTICA_SHAPE_BOX) {
    box_point(body, p, point);
    return;
  }
  const int poles = has_poles(body) ? 2 : 0, on_ring = p - poles;
  if (on_ring < 0) {
    point[0] = point[1] = 0.0;
    point[2] = (p == 0 ? -1.0 : 1.0) * (body->radius + 0.5 * body->length);
    return;
  }
  find_ring(body, on_ring / SECTORS, &radius, &point[2]);
  eli_sincos(2.0 * ELI_PI * (on_ring % SECTORS) / SECTORS, &sine, &cosine);
  point[0] = radius * cosine;
  point[1] = radius * sine;
}

static int box_polygon(int k, int64_t corner[SECTORS]) {
  static const int64_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  memcpy(corner, faces[k], sizeof faces[k]);
  return 4;
}

/* Corners of a lid of a cylinder. */
static int lid_polygon(int above, int64_t corner[SECTORS]) {
  for (int s = 0; s < SECTORS; s++) corner[s] = above ? SECTORS + s : SECTORS - 1 - s;
  return SECTORS;
}

/* Writes the points of polygon number k, anticlockwise seen from outside. Returns their number, at most SECTORS. */
static int surface_polygon(const elastica_body_info *body, int k, int64_t corner[SECTORS]) {
  if (body->shape == ELASTICA_SHAPE_BOX) return box_polygon(k, corner);
  const int poles = has_poles(body) ? 2 : 0, rings = ring_count(body), here = k % SECTORS, next = (here + 1) % SECTORS;
  if (!poles && k >= SECTORS) return lid_polygon(k > SECTORS, corner);
  const int band = k / SECTORS, upper = poles ? band : 1; /* number of the ring above the band; the ring below is the previous one */
  const int64_t above = poles + (int64_t)upper * SECTORS, below = above - SECTORS;
  if (poles && band == 0) {
    corner[0] = 0, corner[1] = above + next, corner[2] = above + here;
    return 3;
  }
  if (poles && band == rings) {
    corner[0] = 1, corner[1] = below + here, corner[2] = below + next;
    return 3;
  }
  corner[0] = below + here, corner[1] = below + next, corner[2] = above + next, corner[3] = above + here;
  return 4;
}

/* ---- The piece of a surface ---- */

/* The surface of a body, or of an obstacle that is drawn by its triangles. */
typedef struct skin {
  const elastica_body_info *body;
  const eli_facets *facets; /* NULL: the shape of the body */
  int points, polygons;
} skin;

static skin skin_of(const elastica_body_info *body, const eli_facets *facets) {
  skin of = {.body = body, .facets = facets};
  if (facets == NULL)
    surface_size(body, &of.points, &of.polygons);
  else
    of.points = facets->point_count, of.polygons = facets->triangle_count;
  return of;
}

static int skin_polygon(const skin *of, int k, int64_t corner[SECTORS]) {
  if (of->facets == NULL) return surface_polygon(of->body, k, corner);
  for (int a = 0; a < 3; a++) corner[a] = of->facets->corners[3 * k + a];
  return 3;
}

/* Computes a surface point in the laboratory and its velocity. */
static void find_surface_point(const skin *of, int p, double place[3], double velocity[3]) {
  const elastica_body_info *body = of->body;
  double own[3], arm[3], spin[3], turning[3];
  if (of->facets == NULL)
    surface_point(body, p, own);
  else
    memcpy(own, of->facets->points + 3 * (size_t)p, sizeof own);
  eli_turn_back(body->director, own, arm);
  eli_turn_back(body->director, body->omega, spin);
  eli_cross(spin, arm, turning);
  for (int a = 0; a < 3; a++) {
    place[a] = body->position[a] + arm[a];
    velocity[a] = body->velocity[a] + turning[a];
  }
}

static void write_surface_velocity(eli_text_file *text, const skin *of, const char *attributes) {
  array_stream stream;
  begin_array(&stream, text, "Float32", attributes, 3 * (uint64_t)of->points, sizeof(float));
  for (int p = 0; p < of->points; p++) {
    double place[3], velocity[3];
    find_surface_point(of, p, place, velocity);
    for (int a = 0; a < 3; a++) put_single(&stream, velocity[a]);
  }
  end_array(&stream);
}

static void write_polygons(eli_text_file *text, const skin *of) {
  array_stream stream;
  int64_t corner[SECTORS], end = 0;
  uint64_t corners = 0;
  for (int k = 0; k < of->polygons; k++) corners += (uint64_t)skin_polygon(of, k, corner);
  begin_array(&stream, text, "Int64", "Name=\"connectivity\"", corners, sizeof *corner);
  for (int k = 0; k < of->polygons; k++) {
    const int count = skin_polygon(of, k, corner);
    put_value(&stream, corner, (size_t)count * sizeof *corner);
  }
  end_array(&stream);
  begin_array(&stream, text, "Int64", "Name=\"offsets\"", (uint64_t)of->polygons, sizeof end);
  for (int k = 0; k < of->polygons; k++) {
    end += skin_polygon(of, k, corner);
    put_value(&stream, &end, sizeof end);
  }
  end_array(&stream);
}

/* Writes the surface. Points have their own velocity and otherwise the values of the body; polygons have the values of the body. */
static void write_surface(eli_text_file *text, const elastica_rod_view *rod, const skin *of) {
  array_stream stream;
  const int points = of->points, polygons = of->polygons;
  begin_piece(text, points, 0, 0, polygons);
  for (int cells = 0; cells < 2; cells++) {
    const int count = cells ? polygons : points;
    eli_text_print(text, cells ? "<CellData>\n" : "<PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
    for (int q = 0; q < QUANTITIES; q++)
      if (!cells && quantities[q].at_element == velocity_at_element)
        write_surface_velocity(text, of, quantities[q].attributes);
      else if (!cells || quantities[q].at_element != NULL)
        write_quantity(text, rod, &quantities[q], quantities[q].at_element, count, 1);
    write_integers(text, "Name=\"rod\" NumberOfComponents=\"1\"", rod->rod_index, 0, count);
    if (cells) write_integers(text, "Name=\"element\" NumberOfComponents=\"1\"", -1, 0, count);
    eli_text_print(text, cells ? "</CellData>\n" : "</PointData>\n");
  }
  eli_text_print(text, "<Points>\n");
  begin_array(&stream, text, "Float64", "Name=\"position\" NumberOfComponents=\"3\"", 3 * (uint64_t)points, sizeof(double));
  for (int p = 0; p < points; p++) {
    double place[3], velocity[3];
    find_surface_point(of, p, place, velocity);
    put_value(&stream, place, sizeof place);
  }
  end_array(&stream);
  eli_text_print(text, "</Points>\n<Polys>\n");
  write_polygons(text, of);
  eli_text_print(text, "</Polys>\n</Piece>\n");
}

/* ---- Walls and elastic obstacles ---- */

/* Centre of the bounding box of all nodes, and its longest edge. Infinite solids are drawn four times as large. */
typedef struct scene_extent {
  double middle[3], reach;
} scene_extent;

static scene_extent find_extent(elastica_world *world) {
  scene_extent out = {{0.0, 0.0, 0.0}, 0.0};
  double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
  int count = 0;
  for (elastica_rod *rod = eli_next_rod(world, NULL); rod != NULL; rod = eli_next_rod(world, rod)) {
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int i = 0; i < view->node_count; i++, count++)
      for (int a = 0; a < 3; a++) {
        const double x = view->position[a][i];
        if (!eli_is_moderate(x)) continue;
        if (count == 0 || x < low[a]) low[a] = x;
        if (count == 0 || x > high[a]) high[a] = x;
      }
  }
  for (int a = 0; a < 3; a++) {
    out.middle[a] = 0.5 * (low[a] + high[a]);
    if (high[a] - low[a] > out.reach) out.reach = high[a] - low[a];
  }
  if (!(out.reach > 0.0)) out.reach = 1.0;
  return out;
}

/* Represents a solid as a rigid body. */
static elastica_body_info body_like(const eli_body *solid, const scene_extent *scene) {
  const eli_obstacle *obstacle = &solid->obstacle;
  const double *normal = solid->place.director + 6, size = 4.0 * scene->reach, thickness = 0.01 * size;
  elastica_body_info out;
  double from[3];
  memset(&out, 0, sizeof out);
  memcpy(out.position, solid->place.position, sizeof out.position);
  memcpy(out.director, solid->place.director, sizeof out.director);
  memcpy(out.velocity, solid->place.velocity, sizeof out.velocity);
  memcpy(out.omega, solid->place.omega, sizeof out.omega);
  if (obstacle->shape != ELASTICA_SHAPE_BOX && obstacle->shape != ELASTICA_SHAPE_PLANE) out.radius = obstacle->radius;
  for (int a = 0; a < 3; a++) from[a] = scene->middle[a] - out.position[a];
  const double along = eli_dot(from, normal);
  out.shape = obstacle->shape == ELASTICA_SHAPE_PLANE ? ELASTICA_SHAPE_BOX : obstacle->shape;
  switch (obstacle->shape) {
  case ELASTICA_SHAPE_SPHERE: break;
  case ELASTICA_SHAPE_CAPSULE:
  case ELASTICA_SHAPE_CYLINDER:
    out.length = 2.0 * obstacle->half_length;
    if (out.length < INFINITY) break;
    out.length = size;
    for (int a = 0; a < 3; a++) out.position[a] += along * normal[a];
    break;
  case ELASTICA_SHAPE_SURFACE:
  case ELASTICA_SHAPE_TUBE:
  case ELASTICA_SHAPE_MESH: break; /* drawn by segments or triangles */
  case ELASTICA_SHAPE_BOX:
    for (int a = 0; a < 3; a++) out.edges[a] = 2.0 * obstacle->half_edge[a];
    break;
  case ELASTICA_SHAPE_PLANE:
    out.edges[0] = out.edges[1] = size, out.edges[2] = thickness;
    for (int a = 0; a < 3; a++) out.position[a] = scene->middle[a] - (along + 0.5 * thickness) * normal[a];
    break;
  }
  return out;
}

/* Writes a body as a surface, by a rod view of one element with the lanes that a surface needs. */
static void write_solid(eli_text_file *text, const elastica_body_info *body, const eli_facets *facets) {
  const double zero[1] = {0.0}, one[1] = {1.0}, length[1] = {body->length > 0.0 ? body->length : 1.0};
  const double volume[1] = {ELI_PI * body->radius * body->radius * length[0]};
  elastica_rod_view view = {.rod_index = -1, .node_count = 1, .element_count = 1, .rigid = 1};
  view.volume = volume, view.length = length, view.dilatation = one;
  for (int a = 0; a < 3; a++) {
    view.position[a] = &body->position[a];
    view.velocity[a] = &body->velocity[a];
    view.omega[a] = &body->omega[a];
    view.strain[a] = view.force[a] = view.internal_couple[a] = zero;
    for (int b = 0; b < 3; b++) view.director[a][b] = &body->director[3 * a + b];
  }
  const skin of = skin_of(body, facets);
  write_surface(text, &view, &of);
}

/* Writes a tube as segments without lids. */
static void write_tube(eli_text_file *text, const eli_body *solid) {
  const eli_tube *tube = solid->obstacle.tube;
  for (int k = 0; k < eli_tube_segment_count(tube); k++) {
    elastica_body_info segment;
    double end[2][3], axis[3], place[2][3], arm[3], spin[3], turning[3], square = 0.0;
    memset(&segment, 0, sizeof segment);
    segment.shape = ELASTICA_SHAPE_TUBE;
    eli_tube_segment(tube, k, end, segment.edges);
    for (int side = 0; side < 2; side++) eli_turn_back(solid->place.director, end[side], place[side]);
    for (int a = 0; a < 3; a++) {
      axis[a] = place[1][a] - place[0][a];
      arm[a] = 0.5 * (place[0][a] + place[1][a]);
      square += axis[a] * axis[a];
    }
    eli_turn_back(solid->place.director, solid->place.omega, spin);
    eli_cross(spin, arm, turning);
    for (int a = 0; a < 3; a++) {
      segment.position[a] = solid->place.position[a] + arm[a];
      segment.velocity[a] = solid->place.velocity[a] + turning[a];
    }
    segment.length = sqrt(square), segment.radius = 0.5 * (segment.edges[0] + segment.edges[1]);
    eli_frame_from_normal(axis, segment.director);
    eli_turn(segment.director, spin, segment.omega);
    write_solid(text, &segment, NULL);
  }
}

/* Large obstacles at rest have a file of their own: they seldom change. */
static int is_large(const eli_body *solid) {
  const double *v = solid->place.velocity, *spin = solid->place.omega;
  const int rests = v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0 && spin[0] == 0.0 && spin[1] == 0.0 && spin[2] == 0.0;
  return rests && (solid->obstacle.shape == ELASTICA_SHAPE_TUBE || eli_facets_are_drawn(&solid->obstacle));
}

static elastica_status write_obstacle(eli_text_file *text, const elastica_effect *effect, const eli_body *solid, const scene_extent *scene,
                                      eli_facets_store *store) {
  const eli_facets *facets = NULL;
  if (solid->obstacle.shape == ELASTICA_SHAPE_TUBE) {
    write_tube(text, solid);
    return ELASTICA_OK;
  }
  const elastica_body_info body = body_like(solid, scene);
  const elastica_status status = eli_facets_are_drawn(&solid->obstacle) ? eli_facets_find(store, effect, solid, &facets) : ELASTICA_OK;
  if (status == ELASTICA_OK) write_solid(text, &body, facets);
  return status;
}

/* Writes the large obstacles, or all others, and their number. text NULL: counts only. */
static elastica_status write_obstacles(eli_text_file *text, elastica_world *world, int large, eli_facets_store *store, int *count) {
  const scene_extent scene = find_extent(world);
  *count = 0;
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL; effect = eli_next_effect(world, effect)) {
    eli_body solid;
    if (!eli_is_solid(effect)) continue;
    elastica_status status = eli_find_solid(effect, "vtk_frame", &solid);
    if (status == ELASTICA_OK && is_large(&solid) != large) continue;
    if (status == ELASTICA_OK && text != NULL) status = write_obstacle(text, effect, &solid, &scene, store);
    if (status != ELASTICA_OK) return status;
    ++*count;
  }
  return ELASTICA_OK;
}

/* ---- Contacts ---- */

typedef struct contact_list {
  elastica_contact_point *points;
  int *effect; /* index of the effect of each point */
  int count;
} contact_list;

static elastica_status count_points(elastica_effect *const *effects, int effect_count, int *count) {
  *count = 0;
  for (int k = 0; k < effect_count; k++) {
    int own = 0;
    if (effects[k]->body == NULL) continue;
    const elastica_status status = elastica_contact_get(effects[k], NULL, 0, &own);
    if (status != ELASTICA_OK) return status;
    *count += own;
  }
  return ELASTICA_OK;
}

static elastica_status read_all(elastica_effect *const *effects, int effect_count, int room, contact_list *out) {
  out->count = 0;
  for (int k = 0; k < effect_count; k++) {
    int own = 0;
    if (effects[k]->body == NULL) continue;
    const elastica_status status = elastica_contact_get(effects[k], out->points + out->count, room - out->count, &own);
    if (status != ELASTICA_OK) return status;
    for (int p = 0; p < own; p++) out->effect[out->count + p] = effects[k]->index;
    out->count += own;
  }
  return ELASTICA_OK;
}

static void get_normal(const elastica_contact_point *of, double value[3]) {
  memcpy(value, of->normal, sizeof of->normal);
}

static void get_force(const elastica_contact_point *of, double value[3]) {
  for (int a = 0; a < 3; a++) value[a] = of->force * of->normal[a];
}

static void get_friction(const elastica_contact_point *of, double value[3]) {
  memcpy(value, of->tangential, sizeof of->tangential);
}

static void get_layer(const elastica_contact_point *of, double value[3]) {
  memcpy(value, of->layer, sizeof of->layer);
}

static void get_depth(const elastica_contact_point *of, double value[3]) {
  value[0] = of->depth;
}

static void get_extent(const elastica_contact_point *of, double value[3]) {
  value[0] = of->extent;
}

static const struct {
  const char *attributes;
  int components;
  void (*get)(const elastica_contact_point *of, double value[3]);
} contact_quantities[] = {
    {"Name=\"normal\" NumberOfComponents=\"3\"", 3, get_normal},     {"Name=\"force\" NumberOfComponents=\"3\"", 3, get_force},
    {"Name=\"friction\" NumberOfComponents=\"3\"", 3, get_friction}, {"Name=\"layer\" NumberOfComponents=\"3\"", 3, get_layer},
    {"Name=\"depth\" NumberOfComponents=\"1\"", 1, get_depth},       {"Name=\"extent\" NumberOfComponents=\"1\"", 1, get_extent}};

static void write_contact_quantities(eli_text_file *text, const contact_list *of) {
  array_stream stream;
  for (size_t q = 0; q < sizeof contact_quantities / sizeof contact_quantities[0]; q++) {
    const int components = contact_quantities[q].components;
    begin_array(&stream, text, "Float32", contact_quantities[q].attributes, (uint64_t)components * (uint64_t)of->count, sizeof(float));
    for (int p = 0; p < of->count; p++) {
      double value[3];
      contact_quantities[q].get(&of->points[p], value);
      for (int a = 0; a < components; a++) put_single(&stream, value[a]);
    }
    end_array(&stream);
  }
}

static int number_of(const contact_list *of, int p, int k) {
  const elastica_contact_point *point = &of->points[p];
  const int numbers[] = {of->effect[p], point->sticks, point->rod[0], point->element[0], point->rod[1], point->element[1]};
  return numbers[k];
}

static void write_contact_numbers(eli_text_file *text, const contact_list *of) {
  static const char *const attributes[] = {
      "Name=\"effect\" NumberOfComponents=\"1\"",     "Name=\"sticks\" NumberOfComponents=\"1\"",
      "Name=\"rod\" NumberOfComponents=\"1\"",        "Name=\"element\" NumberOfComponents=\"1\"",
      "Name=\"second_rod\" NumberOfComponents=\"1\"", "Name=\"second_element\" NumberOfComponents=\"1\""};
  array_stream stream;
  for (int k = 0; k < 6; k++) {
    begin_array(&stream, text, "Int32", attributes[k], (uint64_t)of->count, sizeof(int32_t));
    for (int p = 0; p < of->count; p++) {
      const int32_t number = (int32_t)number_of(of, p, k);
      put_value(&stream, &number, sizeof number);
    }
    end_array(&stream);
  }
}

static void write_contact_points(eli_text_file *text, const contact_list *of) {
  array_stream stream;
  eli_text_print(text, "</PointData>\n<Points>\n");
  begin_array(&stream, text, "Float64", "Name=\"position\" NumberOfComponents=\"3\"", 3 * (uint64_t)of->count, sizeof(double));
  for (int p = 0; p < of->count; p++) put_value(&stream, of->points[p].point, sizeof of->points[p].point);
  end_array(&stream);
  eli_text_print(text, "</Points>\n<Verts>\n");
  write_cells(text, of->count, 1);
  eli_text_print(text, "</Verts>\n</Piece>\n");
}

static elastica_status write_contacts(eli_text_file *text, elastica_world *world, elastica_effect *const *effects, int count) {
  contact_list of = {NULL, NULL, 0};
  int room;
  elastica_status status = count_points(effects, count, &room);
  if (status != ELASTICA_OK) return status;
  of.points = eli_allocate(&world->allocator, (size_t)room + 1, sizeof *of.points);
  of.effect = eli_allocate(&world->allocator, (size_t)room + 1, sizeof *of.effect);
  if (of.points == NULL || of.effect == NULL)
    status = elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "vtk_frame: no memory for %d contacts", room);
  if (status == ELASTICA_OK) status = read_all(effects, count, room, &of);
  if (status == ELASTICA_OK) {
    begin_piece(text, of.count, of.count, 0, 0);
    eli_text_print(text, "<PointData Scalars=\"depth\" Vectors=\"force\">\n");
    write_contact_quantities(text, &of);
    write_contact_numbers(text, &of);
    write_contact_points(text, &of);
  }
  eli_release(&world->allocator, of.points);
  eli_release(&world->allocator, of.effect);
  return status;
}

/* ---- Whole files ---- */

/* Writes the array that gives ParaView the time of a file. */
static void write_time(eli_text_file *text, double time) {
  array_stream stream;
  begin_array(&stream, text, "Float64", "Name=\"TimeValue\" NumberOfTuples=\"1\"", 1, sizeof time);
  put_value(&stream, &time, sizeof time);
  end_array(&stream);
}

/* Numbers are written in the byte order of the host. */
static const char *byte_order(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1 ? "LittleEndian" : "BigEndian";
}

/* Writes the units of the arrays as a text in the field data: "radius [m], velocity [m/s], ...". */
static void write_units(eli_text_file *text, const char *units) {
  eli_text_print(text, "<DataArray type=\"String\" Name=\"units\" NumberOfTuples=\"1\" format=\"ascii\">\n");
  for (const char *c = units; *c != '\0'; c++) eli_text_print(text, "%d ", (unsigned char)*c);
  eli_text_print(text, "0\n</DataArray>\n");
}

/* time NULL: the file belongs to several frames. */
static void begin_file(eli_text_file *text, const double *time, const char *units) {
  eli_text_print(text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n",
                 byte_order());
  eli_text_print(text, "<PolyData>\n<FieldData>\n");
  if (time != NULL) write_time(text, *time);
  write_units(text, units);
  eli_text_print(text, "</FieldData>\n");
}

static void end_file(eli_text_file *text) {
  eli_text_print(text, "</PolyData>\n</VTKFile>\n");
}

#define UNITS                                                                                                                              \
  "position [m], radius [m], length [m], dilatation [1], velocity [m/s], internal_force [N], d1 d2 d3 [1], omega [rad/s], "                \
  "curvature [1/m], couple [N m], strain [1], force [N], internal_couple [N m]"

elastica_status eli_vtk_write_frame(eli_text_file *text, elastica_world *world, eli_facets_store *store) {
  const double time = elastica_world_get(world).time;
  int count;
  begin_file(text, &time, "TimeValue [s], " UNITS);
  if (eli_next_rod(world, NULL) == NULL) { /* ParaView rejects a file without pieces */
    const elastica_rod_view nothing = {0};
    write_rod(text, &nothing);
  }
  for (elastica_rod *rod = eli_next_rod(world, NULL); rod != NULL; rod = eli_next_rod(world, rod)) {
    const elastica_status status = elastica_rod_refresh(rod);
    if (status != ELASTICA_OK) return status;
    elastica_body_info body;
    if (elastica_rod_get_view(rod)->rigid && elastica_body_get(rod, &body) == ELASTICA_OK) {
      const skin of = skin_of(&body, NULL);
      write_surface(text, elastica_rod_get_view(rod), &of);
    }
    write_rod(text, elastica_rod_get_view(rod));
  }
  const elastica_status status = write_obstacles(text, world, 0, store, &count);
  end_file(text);
  return status;
}

elastica_status eli_vtk_count_obstacles(elastica_world *world, int *count) {
  return write_obstacles(NULL, world, 1, NULL, count);
}

elastica_status eli_vtk_write_obstacle_frame(eli_text_file *text, elastica_world *world, eli_facets_store *store) {
  int count;
  begin_file(text, NULL, UNITS);
  const elastica_status status = write_obstacles(text, world, 1, store, &count);
  end_file(text);
  return status;
}

elastica_status eli_vtk_write_contact_frame(eli_text_file *text, elastica_world *world, elastica_effect *const *effects, int count) {
  const double time = elastica_world_get(world).time;
  begin_file(text, &time, "TimeValue [s], position [m], normal [1], force [N], friction [N], layer [N], depth [m], extent [m]");
  const elastica_status status = write_contacts(text, world, effects, count);
  end_file(text);
  return status;
}
