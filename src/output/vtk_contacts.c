/* A frame of contacts for ParaView (see vtk_contacts.h).
 *
 * test       tests/test_vtk_contacts.c
 */
#include "base/target.h"

#include "output/vtk_contacts.h"

#include <string.h>

#include "output/vtk_array.h"
#include "state/world.h"

/* ---- Contact points ---- */

typedef struct touching {
  elastica_contact_point *points;
  int *effect; /* index of the effect of each point */
  int count;
} touching;

static int is_obstacle(const elastica_effect *effect) {
  return strcmp(effect->body->module.name, "obstacle") == 0;
}

int eli_vtk_has_contacts(const elastica_effect *effect) {
  return effect->body->kind != NULL && (is_obstacle(effect) || strcmp(effect->body->module.name, "contact") == 0);
}

elastica_status eli_vtk_read_contacts(elastica_effect *effect, elastica_contact_point *points, int room, int *count) {
  elastica_obstacle_info info;
  if (!is_obstacle(effect)) return elastica_contact_get(effect, points, room, count);
  const elastica_status status = elastica_obstacle_get(effect, &info, points, room);
  *count = info.contact_count;
  return status;
}

static elastica_status count_points(elastica_effect *const *effects, int effect_count, int *count) {
  *count = 0;
  for (int k = 0; k < effect_count; k++) {
    int own = 0;
    if (effects[k]->body == NULL) continue;
    const elastica_status status = eli_vtk_read_contacts(effects[k], NULL, 0, &own);
    if (status != ELASTICA_OK) return status;
    *count += own;
  }
  return ELASTICA_OK;
}

static elastica_status read_all(elastica_effect *const *effects, int effect_count, int room, touching *out) {
  out->count = 0;
  for (int k = 0; k < effect_count; k++) {
    int own = 0;
    if (effects[k]->body == NULL) continue;
    const elastica_status status = eli_vtk_read_contacts(effects[k], out->points + out->count, room - out->count, &own);
    if (status != ELASTICA_OK) return status;
    for (int p = 0; p < own; p++) out->effect[out->count + p] = effects[k]->index;
    out->count += own;
  }
  return ELASTICA_OK;
}

/* ---- Arrays of points ---- */

static void put_normal(const elastica_contact_point *of, double value[3]) {
  memcpy(value, of->normal, sizeof of->normal);
}

static void put_force(const elastica_contact_point *of, double value[3]) {
  for (int a = 0; a < 3; a++) value[a] = of->force * of->normal[a];
}

static void put_friction(const elastica_contact_point *of, double value[3]) {
  memcpy(value, of->tangential, sizeof of->tangential);
}

static void put_depth(const elastica_contact_point *of, double value[3]) {
  value[0] = of->depth;
}

static void put_extent(const elastica_contact_point *of, double value[3]) {
  value[0] = of->extent;
}

static const struct {
  const char *attributes;
  int components;
  void (*put)(const elastica_contact_point *of, double value[3]);
} quantities[] = {{"Name=\"normal\" NumberOfComponents=\"3\"", 3, put_normal},
                  {"Name=\"force\" NumberOfComponents=\"3\"", 3, put_force},
                  {"Name=\"friction\" NumberOfComponents=\"3\"", 3, put_friction},
                  {"Name=\"depth\" NumberOfComponents=\"1\"", 1, put_depth},
                  {"Name=\"extent\" NumberOfComponents=\"1\"", 1, put_extent}};

static void write_quantities(eli_text_file *text, const touching *of) {
  eli_base64 stream;
  for (size_t q = 0; q < sizeof quantities / sizeof quantities[0]; q++) {
    const int components = quantities[q].components;
    eli_vtk_array_begin(&stream, text, "Float32", quantities[q].attributes, (uint64_t)components * (uint64_t)of->count, sizeof(float));
    for (int p = 0; p < of->count; p++) {
      double value[3];
      quantities[q].put(&of->points[p], value);
      for (int a = 0; a < components; a++) {
        const float single = (float)value[a];
        eli_vtk_array_put(&stream, &single, sizeof single);
      }
    }
    eli_vtk_array_end(&stream);
  }
}

static int number_of(const touching *of, int p, int which) {
  const elastica_contact_point *point = &of->points[p];
  const int numbers[] = {of->effect[p], point->sticks, point->rod[0], point->element[0], point->rod[1], point->element[1]};
  return numbers[which];
}

static void write_numbers(eli_text_file *text, const touching *of) {
  static const char *const attributes[] = {
      "Name=\"effect\" NumberOfComponents=\"1\"",     "Name=\"sticks\" NumberOfComponents=\"1\"",
      "Name=\"rod\" NumberOfComponents=\"1\"",        "Name=\"element\" NumberOfComponents=\"1\"",
      "Name=\"second_rod\" NumberOfComponents=\"1\"", "Name=\"second_element\" NumberOfComponents=\"1\""};
  eli_base64 stream;
  for (int k = 0; k < 6; k++) {
    eli_vtk_array_begin(&stream, text, "Int32", attributes[k], (uint64_t)of->count, sizeof(int32_t));
    for (int p = 0; p < of->count; p++) {
      const int32_t number = (int32_t)number_of(of, p, k);
      eli_vtk_array_put(&stream, &number, sizeof number);
    }
    eli_vtk_array_end(&stream);
  }
}

static void write_places(eli_text_file *text, const touching *of) {
  eli_base64 stream;
  eli_text_print(text, "</PointData>\n<Points>\n");
  eli_vtk_array_begin(&stream, text, "Float64", "Name=\"position\" NumberOfComponents=\"3\"", 3 * (uint64_t)of->count, sizeof(double));
  for (int p = 0; p < of->count; p++) eli_vtk_array_put(&stream, of->points[p].point, sizeof of->points[p].point);
  eli_vtk_array_end(&stream);
  eli_text_print(text, "</Points>\n<Verts>\n");
  for (int ends = 0; ends < 2; ends++) {
    eli_vtk_array_begin(&stream, text, "Int64", ends ? "Name=\"offsets\"" : "Name=\"connectivity\"", (uint64_t)of->count, sizeof(int64_t));
    for (int64_t p = ends; p < of->count + ends; p++) eli_vtk_array_put(&stream, &p, sizeof p);
    eli_vtk_array_end(&stream);
  }
  eli_text_print(text, "</Verts>\n</Piece>\n");
}

elastica_status eli_vtk_write_contacts(eli_text_file *text, elastica_world *world, elastica_effect *const *effects, int count) {
  touching of = {NULL, NULL, 0};
  int room;
  elastica_status status = count_points(effects, count, &room);
  if (status != ELASTICA_OK) return status;
  of.points = eli_allocate(&world->allocator, (size_t)room + 1, sizeof *of.points);
  of.effect = eli_allocate(&world->allocator, (size_t)room + 1, sizeof *of.effect);
  if (of.points == NULL || of.effect == NULL)
    status = elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "vtk_frame: no memory for %d contacts", room);
  if (status == ELASTICA_OK) status = read_all(effects, count, room, &of);
  if (status == ELASTICA_OK) {
    eli_text_print(text,
                   "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
                   of.count, of.count);
    eli_text_print(text, "<PointData Scalars=\"depth\" Vectors=\"force\">\n");
    write_quantities(text, &of);
    write_numbers(text, &of);
    write_places(text, &of);
  }
  eli_release(&world->allocator, of.points);
  eli_release(&world->allocator, of.effect);
  return status;
}
