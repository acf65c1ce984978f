/* Writes the pieces of one rod (see vtk_piece.h).
 *
 * Points are in double precision, because users compute differences of them; all other arrays are in single precision.
 */
#include "base/target.h"

#include "output/vtk_piece.h"

#include "output/vtk_array.h"
#include "output/vtk_surface.h"

#include "base/rotation.h"
#include "base/vector.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- Quantities of nodes and elements ---- */

/* Finds the elements before and after a node; at an end of an open rod both are the end element. */
static void elements_at(const elastica_rod_view *rod, int i, int *before, int *after) {
  const int last = rod->element_count - 1;
  *before = i > 0 ? i - 1 : rod->closed ? last : 0;
  *after = i < last ? i : last;
}

static void put(const double *const lane[3], int i, double value[3]) {
  for (int a = 0; a < 3; a++) value[a] = lane[a][i];
}

static void put_mean(const double *const lane[3], int i, int k, double value[3]) {
  for (int a = 0; a < 3; a++) value[a] = 0.5 * (lane[a][i] + lane[a][k]);
}

/* The value of the joint at a node; 0 if the node has no joint. */
static void put_joint(const elastica_rod_view *rod, int i, const double *const lane[3], double value[3]) {
  const int k = rod->closed ? i : i - 1;
  for (int a = 0; a < 3; a++) value[a] = k >= 0 && k < rod->joint_count ? lane[a][k] : 0.0;
}

/* Each macro defines the functions that read a quantity at node i or at element j. */
#define OF_NODES(name)                                                                                                                     \
  static void name##_at_node(const elastica_rod_view *rod, int i, double value[3]) {                                                       \
    put(rod->name, i, value);                                                                                                              \
  }
/* The second node of an element; a rigid body has one node. */
static int second_node(const elastica_rod_view *rod, int j) {
  return rod->rigid ? j : j + 1;
}

/* Mean of the two nodes of an element. */
#define OF_EDGES(name)                                                                                                                     \
  static void name##_at_element(const elastica_rod_view *rod, int j, double value[3]) {                                                    \
    put_mean(rod->name, j, second_node(rod, j), value);                                                                                    \
  }
#define OF_JOINTS(name)                                                                                                                    \
  static void name##_at_node(const elastica_rod_view *rod, int i, double value[3]) {                                                       \
    put_joint(rod, i, rod->name, value);                                                                                                   \
  }
#define OF_ELEMENTS(name)                                                                                                                  \
  static void name##_at_element(const elastica_rod_view *rod, int j, double value[3]) {                                                    \
    put(rod->name, j, value);                                                                                                              \
  }                                                                                                                                        \
  static void name##_at_node(const elastica_rod_view *rod, int i, double value[3]) {                                                       \
    int before, after;                                                                                                                     \
    elements_at(rod, i, &before, &after);                                                                                                  \
    put_mean(rod->name, before, after, value);                                                                                             \
  }
/* A node has the directors of the element after it, because the mean of two frames is not a frame. */
#define OF_DIRECTORS(name, row)                                                                                                            \
  static void name##_at_element(const elastica_rod_view *rod, int j, double value[3]) {                                                    \
    put(rod->director[row], j, value);                                                                                                     \
  }                                                                                                                                        \
  static void name##_at_node(const elastica_rod_view *rod, int i, double value[3]) {                                                       \
    int before, after;                                                                                                                     \
    elements_at(rod, i, &before, &after);                                                                                                  \
    put(rod->director[row], after, value);                                                                                                 \
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

/* ---- Pieces ---- */

/* Writes count values, nan if get is NULL. The index is taken modulo wrap, because the line of a ring ends at its first node. */
static void write_quantity(eli_text_file *text, const elastica_rod_view *rod, const struct quantity *quantity, getter get, int count,
                           int wrap) {
  eli_base64 stream;
  eli_vtk_array_begin(&stream, text, "Float32", quantity->attributes, (uint64_t)count * (uint64_t)quantity->components, sizeof(float));
  for (int p = 0; p < count; p++) {
    double value[3] = {NAN, NAN, NAN};
    if (get != NULL) get(rod, p % wrap, value);
    for (int a = 0; a < quantity->components; a++) {
      const float single = (float)value[a];
      eli_vtk_array_put(&stream, &single, sizeof single);
    }
  }
  eli_vtk_array_end(&stream);
}

/* Writes cells of points_of_each points, which use the points in order. */
static void write_cells(eli_text_file *text, int64_t cells, int64_t points_of_each) {
  eli_base64 stream;
  const int64_t points = cells * points_of_each;
  eli_vtk_array_begin(&stream, text, "Int64", "Name=\"connectivity\"", (uint64_t)points, sizeof points);
  for (int64_t p = 0; p < points; p++) eli_vtk_array_put(&stream, &p, sizeof p);
  eli_vtk_array_end(&stream);
  eli_vtk_array_begin(&stream, text, "Int64", "Name=\"offsets\"", (uint64_t)cells, sizeof points);
  for (int64_t end = points_of_each; cells > 0 && end <= points; end += points_of_each) eli_vtk_array_put(&stream, &end, sizeof end);
  eli_vtk_array_end(&stream);
}

static void begin_piece(eli_text_file *text, int points, int verts, int lines, int polygons) {
  eli_text_print(text,
                 "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n",
                 points, verts, lines, polygons);
}

/* Writes the line. A closed rod repeats its first node at the end, so that the line closes. */
static void write_line(eli_text_file *text, const elastica_rod_view *rod) {
  eli_base64 stream;
  const int points = rod->node_count + (rod->closed ? 1 : 0), lines = points > 0;
  begin_piece(text, points, 0, lines, 0);
  eli_text_print(text, "<PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
  for (int q = 0; q < QUANTITIES; q++) write_quantity(text, rod, &quantities[q], quantities[q].at_node, points, rod->node_count);
  eli_vtk_write_integers(text, "Name=\"rod\" NumberOfComponents=\"1\"", rod->rod_index, 0, points);
  eli_text_print(text, "</PointData>\n<CellData>\n");
  for (int q = 0; q < QUANTITIES; q++)
    if (quantities[q].at_element != NULL) write_quantity(text, rod, &quantities[q], NULL, lines, 1);
  eli_vtk_write_integers(text, "Name=\"rod\" NumberOfComponents=\"1\"", rod->rod_index, 0, lines);
  eli_vtk_write_integers(text, "Name=\"element\" NumberOfComponents=\"1\"", -1, 0, lines);
  eli_text_print(text, "</CellData>\n<Points>\n");
  eli_vtk_array_begin(&stream, text, "Float64", "Name=\"position\" NumberOfComponents=\"3\"", 3 * (uint64_t)points, sizeof(double));
  for (int p = 0; p < points; p++)
    for (int a = 0; a < 3; a++) eli_vtk_array_put(&stream, &rod->position[a][p % rod->node_count], sizeof(double));
  eli_vtk_array_end(&stream);
  eli_text_print(text, "</Points>\n<Lines>\n");
  write_cells(text, lines, points);
  eli_text_print(text, "</Lines>\n</Piece>\n");
}

/* Writes the elements: a point and a vertex at the middle of each. */
static void write_elements(eli_text_file *text, const elastica_rod_view *rod) {
  eli_base64 stream;
  const int count = rod->element_count;
  begin_piece(text, count, count, 0, 0);
  for (int cells = 0; cells < 2; cells++) {
    eli_text_print(text, cells ? "<CellData>\n" : "<PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
    for (int q = 0; q < QUANTITIES; q++)
      if (!cells || quantities[q].at_element != NULL) write_quantity(text, rod, &quantities[q], quantities[q].at_element, count, count);
    eli_vtk_write_integers(text, "Name=\"rod\" NumberOfComponents=\"1\"", rod->rod_index, 0, count);
    if (cells) eli_vtk_write_integers(text, "Name=\"element\" NumberOfComponents=\"1\"", 0, 1, count);
    eli_text_print(text, cells ? "</CellData>\n" : "</PointData>\n");
  }
  eli_text_print(text, "<Points>\n");
  eli_vtk_array_begin(&stream, text, "Float64", "Name=\"position\" NumberOfComponents=\"3\"", 3 * (uint64_t)count, sizeof(double));
  for (int j = 0; j < count; j++) {
    double middle[3];
    put_mean(rod->position, j, second_node(rod, j), middle);
    eli_vtk_array_put(&stream, middle, sizeof middle);
  }
  eli_vtk_array_end(&stream);
  eli_text_print(text, "</Points>\n<Verts>\n");
  write_cells(text, count, 1);
  eli_text_print(text, "</Verts>\n</Piece>\n");
}

/* ---- The surface of a rigid body ---- */

/* Computes a surface point in the laboratory and its velocity. */
static void find_surface_point(const elastica_body_info *body, int p, double place[3], double velocity[3]) {
  double own[3], arm[3], spin[3], turning[3];
  eli_surface_point(body, p, own);
  eli_turn_back(body->director, own, arm);
  eli_turn_back(body->director, body->omega, spin);
  eli_cross(spin, arm, turning);
  for (int a = 0; a < 3; a++) {
    place[a] = body->position[a] + arm[a];
    velocity[a] = body->velocity[a] + turning[a];
  }
}

static void write_surface_velocity(eli_text_file *text, const elastica_body_info *body, const char *attributes, int points) {
  eli_base64 stream;
  eli_vtk_array_begin(&stream, text, "Float32", attributes, 3 * (uint64_t)points, sizeof(float));
  for (int p = 0; p < points; p++) {
    double place[3], velocity[3];
    find_surface_point(body, p, place, velocity);
    for (int a = 0; a < 3; a++) {
      const float single = (float)velocity[a];
      eli_vtk_array_put(&stream, &single, sizeof single);
    }
  }
  eli_vtk_array_end(&stream);
}

static void write_polygons(eli_text_file *text, const elastica_body_info *body, int polygons) {
  eli_base64 stream;
  int64_t corner[ELI_SURFACE_CORNERS], end = 0;
  uint64_t corners = 0;
  for (int k = 0; k < polygons; k++) corners += (uint64_t)eli_surface_polygon(body, k, corner);
  eli_vtk_array_begin(&stream, text, "Int64", "Name=\"connectivity\"", corners, sizeof *corner);
  for (int k = 0; k < polygons; k++) {
    const int count = eli_surface_polygon(body, k, corner);
    eli_vtk_array_put(&stream, corner, (size_t)count * sizeof *corner);
  }
  eli_vtk_array_end(&stream);
  eli_vtk_array_begin(&stream, text, "Int64", "Name=\"offsets\"", (uint64_t)polygons, sizeof end);
  for (int k = 0; k < polygons; k++) {
    end += eli_surface_polygon(body, k, corner);
    eli_vtk_array_put(&stream, &end, sizeof end);
  }
  eli_vtk_array_end(&stream);
}

/* Writes the surface. Points have their own velocity and otherwise the values of the body; polygons have the values of the body. */
void eli_vtk_write_surface(eli_text_file *text, const elastica_rod_view *rod, const elastica_body_info *body) {
  eli_base64 stream;
  int points, polygons;
  eli_surface_size(body, &points, &polygons);
  begin_piece(text, points, 0, 0, polygons);
  for (int cells = 0; cells < 2; cells++) {
    const int count = cells ? polygons : points;
    eli_text_print(text, cells ? "<CellData>\n" : "<PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
    for (int q = 0; q < QUANTITIES; q++)
      if (!cells && quantities[q].at_element == velocity_at_element)
        write_surface_velocity(text, body, quantities[q].attributes, points);
      else if (!cells || quantities[q].at_element != NULL)
        write_quantity(text, rod, &quantities[q], quantities[q].at_element, count, 1);
    eli_vtk_write_integers(text, "Name=\"rod\" NumberOfComponents=\"1\"", rod->rod_index, 0, count);
    if (cells) eli_vtk_write_integers(text, "Name=\"element\" NumberOfComponents=\"1\"", -1, 0, count);
    eli_text_print(text, cells ? "</CellData>\n" : "</PointData>\n");
  }
  eli_text_print(text, "<Points>\n");
  eli_vtk_array_begin(&stream, text, "Float64", "Name=\"position\" NumberOfComponents=\"3\"", 3 * (uint64_t)points, sizeof(double));
  for (int p = 0; p < points; p++) {
    double place[3], velocity[3];
    find_surface_point(body, p, place, velocity);
    eli_vtk_array_put(&stream, place, sizeof place);
  }
  eli_vtk_array_end(&stream);
  eli_text_print(text, "</Points>\n<Polys>\n");
  write_polygons(text, body, polygons);
  eli_text_print(text, "</Polys>\n</Piece>\n");
}

void eli_vtk_write_rod(eli_text_file *text, const elastica_rod_view *rod) {
  if (!rod->rigid) write_line(text, rod);
  if (rod->element_count > 0) write_elements(text, rod);
}

void eli_vtk_write_time(eli_text_file *text, double time) {
  eli_base64 stream;
  eli_vtk_array_begin(&stream, text, "Float64", "Name=\"TimeValue\" NumberOfTuples=\"1\"", 1, sizeof time);
  eli_vtk_array_put(&stream, &time, sizeof time);
  eli_vtk_array_end(&stream);
}
