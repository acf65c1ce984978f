/* Frames for ParaView: one PolyData file (.vtp) per frame, one piece and one line per rod, and an index (.pvd) of times and frames.
 *
 * Arrays are inline base64: ParaView's text reader stops at the first nan, and a run that has blown up is just the one to look at. Points are
 * doubles, since one takes differences of them; the rest is for the eye and is single.
 *
 * Everything is given at the nodes, so that the Tube filter works. A node between two elements gets the mean of what they have (radius,
 * strain, stretch force, internal couple) and the frame of the element behind it (the last node: before it). What a joint has stands at its
 * node, 0 at the ends of an open rod. Components of curvature, strain, bend couple, stretch force and internal couple are material.
 */
#include "base/target.h"

#include <elastica.h>

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "output/text_file.h"
#include "world.h"

struct elastica_vtk {
  elastica_world *world;
  double *times; /* of the frames in the index */
  int frame_count;
  char *name;       /* the last part of stem */
  char *index_path; /* stem.pvd */
  char *draft_path; /* stem.pvd.tmp: becomes the index when it is whole */
  char *frame_path;
  size_t room; /* of each path */
  char stem[]; /* directory/name; the paths above stand behind it in the same block */
};

enum { BASE64_BYTES = 768 }; /* a multiple of 3: only the end of an array is padded */

typedef struct base64 {
  eli_text_file *text;
  size_t count;
  unsigned char bytes[BASE64_BYTES];
} base64;

static void base64_flush(base64 *stream) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char out[BASE64_BYTES / 3 * 4];
  size_t length = 0;
  const size_t count = stream->count;
  for (size_t b = 0; b < count; b += 3) {
    const unsigned first = stream->bytes[b];
    const unsigned second = b + 1 < count ? stream->bytes[b + 1] : 0;
    const unsigned third = b + 2 < count ? stream->bytes[b + 2] : 0;
    out[length++] = digits[first >> 2];
    out[length++] = digits[(first & 3) << 4 | second >> 4];
    out[length++] = b + 1 < count ? digits[(second & 15) << 2 | third >> 6] : '=';
    out[length++] = b + 2 < count ? digits[third & 63] : '=';
  }
  eli_text_put(stream->text, out, length);
  stream->count = 0;
}

static void base64_put(base64 *stream, const void *value, size_t size) {
  const unsigned char *bytes = value;
  for (size_t b = 0; b < size; b++) {
    stream->bytes[stream->count++] = bytes[b];
    if (stream->count == BASE64_BYTES) base64_flush(stream);
  }
}

/* attributes: what the tag says beside the type. An array begins with its length in bytes. */
static void array_begin(base64 *stream, eli_text_file *text, const char *type, const char *attributes, uint64_t count, size_t size) {
  const uint64_t bytes = count * size;
  eli_text_print(text, "<DataArray type=\"%s\" %s format=\"binary\">", type, attributes);
  stream->text = text;
  stream->count = 0;
  base64_put(stream, &bytes, sizeof bytes);
}

static void array_end(base64 *stream) {
  base64_flush(stream);
  eli_text_print(stream->text, "</DataArray>\n");
}

/* The elements before and behind a node; at an end of an open rod both are the only one. */
static void elements_at(const elastica_rod_view *rod, int i, int *before, int *after) {
  const int last = rod->element_count - 1;
  *before = i > 0 ? i - 1 : rod->closed ? last : 0;
  *after = i < last ? i : last;
}

static void element_mean(const elastica_rod_view *rod, int i, const double *const lane[3], double value[3]) {
  int before, after;
  elements_at(rod, i, &before, &after);
  for (int a = 0; a < 3; a++) value[a] = 0.5 * (lane[a][before] + lane[a][after]);
}

static void at_joint(const elastica_rod_view *rod, int i, const double *const lane[3], double value[3]) {
  const int k = rod->closed ? i : i - 1;
  for (int a = 0; a < 3; a++) value[a] = k >= 0 && k < rod->joint_count ? lane[a][k] : 0.0;
}

static void at_node(int i, const double *const lane[3], double value[3]) {
  for (int a = 0; a < 3; a++) value[a] = lane[a][i];
}

static void frame_row(const elastica_rod_view *rod, int i, int row, double value[3]) {
  int before, after;
  elements_at(rod, i, &before, &after);
  at_node(after, rod->director[row], value);
}

static void radius(const elastica_rod_view *rod, int i, double value[3]) {
  int before, after;
  elements_at(rod, i, &before, &after);
  value[0] = 0.5 * (elastica_rod_radius(rod, before) + elastica_rod_radius(rod, after));
}

static void velocity(const elastica_rod_view *rod, int i, double value[3]) {
  at_node(i, rod->velocity, value);
}

static void internal_force(const elastica_rod_view *rod, int i, double value[3]) {
  at_node(i, rod->internal_force, value);
}

static void d1(const elastica_rod_view *rod, int i, double value[3]) {
  frame_row(rod, i, 0, value);
}

static void d2(const elastica_rod_view *rod, int i, double value[3]) {
  frame_row(rod, i, 1, value);
}

static void d3(const elastica_rod_view *rod, int i, double value[3]) {
  frame_row(rod, i, 2, value);
}

static void curvature(const elastica_rod_view *rod, int i, double value[3]) {
  at_joint(rod, i, rod->curvature, value);
}

static void bend_couple(const elastica_rod_view *rod, int i, double value[3]) {
  at_joint(rod, i, rod->couple, value);
}

static void strain(const elastica_rod_view *rod, int i, double value[3]) {
  element_mean(rod, i, rod->strain, value);
}

static void stretch_force(const elastica_rod_view *rod, int i, double value[3]) {
  element_mean(rod, i, rod->force, value);
}

static void internal_couple(const elastica_rod_view *rod, int i, double value[3]) {
  element_mean(rod, i, rod->internal_couple, value);
}

#define LABORATORY "NumberOfComponents=\"3\" ComponentName0=\"x\" ComponentName1=\"y\" ComponentName2=\"z\""
#define MATERIAL "NumberOfComponents=\"3\" ComponentName0=\"d1\" ComponentName1=\"d2\" ComponentName2=\"d3\""

static const struct point_array {
  const char *attributes;
  int components;
  void (*get)(const elastica_rod_view *rod, int i, double value[3]);
} point_arrays[] = {
    {"Name=\"radius\" NumberOfComponents=\"1\"", 1, radius},
    {"Name=\"velocity\" " LABORATORY, 3, velocity},
    {"Name=\"internal_force\" " LABORATORY, 3, internal_force},
    {"Name=\"d1\" " LABORATORY, 3, d1},
    {"Name=\"d2\" " LABORATORY, 3, d2},
    {"Name=\"d3\" " LABORATORY, 3, d3},
    {"Name=\"curvature\" " MATERIAL, 3, curvature},
    {"Name=\"bend_couple\" " MATERIAL, 3, bend_couple},
    {"Name=\"strain\" " MATERIAL, 3, strain},
    {"Name=\"stretch_force\" " MATERIAL, 3, stretch_force},
    {"Name=\"internal_couple\" " MATERIAL, 3, internal_couple},
};

/* A closed rod shows its first node once more at the end, or its line would stay open. */
static int point_count(const elastica_rod_view *rod) {
  return rod->node_count + (rod->closed ? 1 : 0);
}

static void write_points(eli_text_file *text, const elastica_rod_view *rod) {
  base64 stream;
  const int points = point_count(rod);
  array_begin(&stream, text, "Float64", "Name=\"position\" NumberOfComponents=\"3\"", 3 * (uint64_t)points, sizeof(double));
  for (int p = 0; p < points; p++) {
    double value[3];
    at_node(p % rod->node_count, rod->position, value);
    base64_put(&stream, value, sizeof value);
  }
  array_end(&stream);
}

static void write_point_array(eli_text_file *text, const elastica_rod_view *rod, const struct point_array *array) {
  base64 stream;
  const int points = point_count(rod);
  array_begin(&stream, text, "Float32", array->attributes, (uint64_t)(points * array->components), sizeof(float));
  for (int p = 0; p < points; p++) {
    double value[3];
    array->get(rod, p % rod->node_count, value);
    for (int a = 0; a < array->components; a++) {
      const float single = (float)value[a];
      base64_put(&stream, &single, sizeof single);
    }
  }
  array_end(&stream);
}

static void write_rod_number(eli_text_file *text, const elastica_rod_view *rod) {
  base64 stream;
  const int points = point_count(rod);
  const int32_t number = rod->rod_index;
  array_begin(&stream, text, "Int32", "Name=\"rod\" NumberOfComponents=\"1\"", (uint64_t)points, sizeof number);
  for (int p = 0; p < points; p++) base64_put(&stream, &number, sizeof number);
  array_end(&stream);
}

static void write_line(eli_text_file *text, const elastica_rod_view *rod) {
  base64 stream;
  const int64_t points = point_count(rod);
  const size_t lines = points > 0 ? 1 : 0;
  array_begin(&stream, text, "Int64", "Name=\"connectivity\"", (uint64_t)points, sizeof points);
  for (int64_t p = 0; p < points; p++) base64_put(&stream, &p, sizeof p);
  array_end(&stream);
  array_begin(&stream, text, "Int64", "Name=\"offsets\"", lines, sizeof points);
  base64_put(&stream, &points, lines * sizeof points);
  array_end(&stream);
}

static void write_piece(eli_text_file *text, const elastica_rod_view *rod) {
  eli_text_print(text, "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
                 point_count(rod), point_count(rod) > 0);
  eli_text_print(text, "<PointData Scalars=\"radius\" Vectors=\"velocity\">\n");
  for (size_t a = 0; a < sizeof point_arrays / sizeof *point_arrays; a++) write_point_array(text, rod, &point_arrays[a]);
  write_rod_number(text, rod);
  eli_text_print(text, "</PointData>\n<Points>\n");
  write_points(text, rod);
  eli_text_print(text, "</Points>\n<Lines>\n");
  write_line(text, rod);
  eli_text_print(text, "</Lines>\n</Piece>\n");
}

/* The order of the bytes in a number is the machine's. */
static const char *byte_order(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1 ? "LittleEndian" : "BigEndian";
}

static elastica_status write_rods(eli_text_file *text, elastica_world *world) {
  base64 stream;
  const double time = elastica_world_time(world);
  eli_text_print(text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n",
                 byte_order());
  eli_text_print(text, "<PolyData>\n<FieldData>\n");
  array_begin(&stream, text, "Float64", "Name=\"TimeValue\" NumberOfTuples=\"1\"", 1, sizeof time);
  base64_put(&stream, &time, sizeof time);
  array_end(&stream);
  eli_text_print(text, "</FieldData>\n");
  if (elastica_world_rod_count(world) == 0) { /* ParaView takes no file without a piece */
    const elastica_rod_view nothing = {0};
    write_piece(text, &nothing);
  }
  for (int r = 0; r < elastica_world_rod_count(world); r++) {
    elastica_rod *rod = elastica_world_rod(world, r);
    const elastica_status status = elastica_rod_refresh(rod);
    if (status != ELASTICA_OK) return status;
    write_piece(text, elastica_rod_get_view(rod));
  }
  eli_text_print(text, "</PolyData>\n</VTKFile>\n");
  return ELASTICA_OK;
}

/* Leaves no file when it fails. */
static elastica_status write_frame(elastica_vtk *vtk) {
  eli_text_file text;
  int error = eli_text_open(&text, vtk->frame_path);
  if (error != 0) return eli_refuse_file(vtk->world, "vtk_frame", vtk->frame_path, error);
  elastica_status status = write_rods(&text, vtk->world);
  error = eli_text_close(&text);
  if (status == ELASTICA_OK && error != 0) status = eli_refuse_file(vtk->world, "vtk_frame", vtk->frame_path, error);
  if (status != ELASTICA_OK) remove(vtk->frame_path);
  return status;
}

static void put_escaped(eli_text_file *text, const char *name) {
  for (const char *c = name; *c != '\0'; c++) {
    if (strchr("&<>\"", *c) != NULL)
      eli_text_print(text, "&#%d;", *c);
    else
      eli_text_put(text, c, 1);
  }
}

static void write_entry(eli_text_file *text, const elastica_vtk *vtk, int frame) {
  char time[ELI_NUMBER_SIZE];
  eli_number_text(time, vtk->times[frame]);
  eli_text_print(text, "<DataSet timestep=\"%s\" group=\"\" part=\"0\" file=\"", time);
  put_escaped(text, vtk->name);
  eli_text_print(text, "_%06d.vtp\"/>\n", frame);
}

/* Renaming replaces the index in one go: whoever opens it finds the old or the new one, whole. */
static elastica_status write_index(elastica_vtk *vtk, const char *function) {
  eli_text_file text;
  int error = eli_text_open(&text, vtk->draft_path);
  if (error != 0) return eli_refuse_file(vtk->world, function, vtk->draft_path, error);
  eli_text_print(&text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
  for (int frame = 0; frame < vtk->frame_count; frame++) write_entry(&text, vtk, frame);
  eli_text_print(&text, "</Collection>\n</VTKFile>\n");
  error = eli_text_close(&text);
  errno = 0;
  if (error == 0 && rename(vtk->draft_path, vtk->index_path) != 0) error = errno != 0 ? errno : EIO;
  if (error == 0) return ELASTICA_OK;
  remove(vtk->draft_path);
  return eli_refuse_file(vtk->world, function, vtk->index_path, error);
}

static elastica_vtk *allocate_vtk(elastica_world *world, const char *directory, const char *name) {
  const size_t room = strlen(directory) + strlen(name) + 32; /* for a number and the longest ending */
  elastica_vtk *vtk = eli_allocate(eli_world_allocator(world), 1, sizeof *vtk + 4 * room);
  if (vtk == NULL) return NULL;
  vtk->world = world;
  vtk->room = room;
  vtk->name = vtk->stem + strlen(directory) + 1;
  vtk->index_path = vtk->stem + room;
  vtk->draft_path = vtk->stem + 2 * room;
  vtk->frame_path = vtk->stem + 3 * room;
  snprintf(vtk->stem, room, "%s/%s", directory, name);
  snprintf(vtk->index_path, room, "%s.pvd", vtk->stem);
  snprintf(vtk->draft_path, room, "%s.pvd.tmp", vtk->stem);
  return vtk;
}

elastica_status elastica_vtk_open(elastica_world *world, const char *directory, const char *name, elastica_vtk **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "vtk_open: out is NULL");
  if (directory == NULL || directory[0] == '\0')
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "vtk_open: directory is empty; \".\" is the current one");
  if (name == NULL || name[0] == '\0' || strchr(name, '/') != NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "vtk_open: name must be a file name without folder and ending");

  char label[ELI_PATH_LABEL_SIZE];
  elastica_vtk *vtk = allocate_vtk(world, directory, name);
  if (vtk == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "vtk_open: no memory for '%s'", eli_shorten(name, label, sizeof label));
  /* An empty index now: a folder that cannot be written is known before the run, and frames of an earlier run are no longer listed. */
  const elastica_status status = write_index(vtk, "vtk_open");
  if (status == ELASTICA_OK)
    *out = vtk;
  else
    eli_release(eli_world_allocator(world), vtk);
  return status;
}

elastica_status elastica_vtk_frame(elastica_vtk *vtk) {
  char label[ELI_PATH_LABEL_SIZE];
  if (vtk == NULL) return ELASTICA_INVALID_ARGUMENT;
  double *times = eli_grow(eli_world_allocator(vtk->world), vtk->times, (size_t)vtk->frame_count, sizeof *times);
  if (times == NULL)
    return elastica_world_refuse(vtk->world, ELASTICA_OUT_OF_MEMORY, "vtk_frame: no memory for a frame of '%s'",
                                 eli_shorten(vtk->stem, label, sizeof label));
  vtk->times = times;
  times[vtk->frame_count] = elastica_world_time(vtk->world);
  snprintf(vtk->frame_path, vtk->room, "%s_%06d.vtp", vtk->stem, vtk->frame_count);

  elastica_status status = write_frame(vtk);
  if (status != ELASTICA_OK) return status;
  vtk->frame_count++;
  status = write_index(vtk, "vtk_frame");
  if (status != ELASTICA_OK) {
    vtk->frame_count--;
    remove(vtk->frame_path);
  }
  return status;
}

elastica_status elastica_vtk_close(elastica_vtk *vtk) {
  if (vtk == NULL) return ELASTICA_OK;
  const eli_allocator *allocator = eli_world_allocator(vtk->world);
  eli_release(allocator, vtk->times);
  eli_release(allocator, vtk);
  return ELASTICA_OK;
}
