/* Reads the layout and the frames of a page from a world (see view_scene.h). */
#include "base/target.h"

#include "output/view_scene.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/vector.h"
#include "effects/anchor.h"
#include "effects/muscle.h"
#include "effects/obstacle.h"
#include "effects/solid.h"
#include "hooks/built_in.h"
#include "output/facets.h"
#include "output/objects.h"
#include "rod/law.h"
#include "state/definition.h"
#include "state/world.h"

/* ---- Effects ---- */

static int is_enabled(const elastica_effect *effect, const char *name) {
  return elastica_effect_get(effect).is_enabled && eli_is_built_in(effect, name);
}

static int has_enabled(elastica_world *world, const char *name) {
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL; effect = eli_next_effect(world, effect))
    if (is_enabled(effect, name)) return 1;
  return 0;
}

/* Returns 1 if rods may slide on something: another rod, a wall or an elastic obstacle. */
static int has_surfaces(elastica_world *world) {
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL; effect = eli_next_effect(world, effect))
    if (eli_is_solid(effect) || (elastica_effect_get(effect).is_enabled && eli_has_contacts(effect))) return 1;
  return 0;
}

static elastica_status find_joint(elastica_effect *effect, eli_anchored at[2]) {
  elastica_world *world = effect->world;
  eli_world_enter_call(world);
  const elastica_status status = eli_joint_find_bodies(elastica_effect_get(effect).self, elastica_world_get(world).time, at);
  eli_world_leave_call(world);
  if (status == ELASTICA_OK) return status;
  return elastica_world_refuse(world, status, "view_frame: the motion of effect %d, a joint, fails at t = %.9g s", effect->index,
                               elastica_world_get(world).time);
}

/* ---- Sizes ---- */

/* Lowers *shortest to a size; 0 and infinity are none. */
static void consider(double *shortest, double size) {
  if (size > 0.0 && size < *shortest) *shortest = size;
}

/* Returns the size of the smallest rod or body: length of an element, radius of a body, diagonal of a box; infinity if there are none.
 * point receives a point of the first one. */
static double smallest_mover(elastica_world *world, double point[3]) {
  double shortest = INFINITY;
  for (elastica_rod *rod = eli_next_rod(world, NULL); rod != NULL; rod = eli_next_rod(world, rod)) {
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    elastica_body_info body;
    for (int a = 0; a < 3 && shortest == INFINITY; a++) point[a] = view->position[a][0];
    if (view->rigid && elastica_body_get(rod, &body) == ELASTICA_OK)
      consider(&shortest, body.shape == ELASTICA_SHAPE_BOX ? sqrt(eli_dot(body.edges, body.edges)) : body.radius);
    for (int j = 0; j < view->element_count && !view->rigid; j++) consider(&shortest, view->rest_length[j]);
  }
  return shortest;
}

/* The same for obstacles: a radius or an edge. */
static double smallest_obstacle(elastica_world *world, double point[3]) {
  double shortest = INFINITY;
  int found = 0;
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL; effect = eli_next_effect(world, effect)) {
    eli_body solid;
    if (!eli_is_solid(effect) || eli_find_solid(effect, "view_frame", &solid) != ELASTICA_OK) continue;
    if (!found++) memcpy(point, solid.place.position, sizeof solid.place.position);
    consider(&shortest, solid.obstacle.radius);
    for (int a = 0; a < 3; a++) consider(&shortest, 2.0 * solid.obstacle.half_edge[a]);
  }
  return shortest;
}

/* Chooses the resolution of positions: 1/16384 of the smallest rod or body, without any of the smallest obstacle, or of 1 m; 1/2048 in a
 * scene of more than 4000 elements. The origin is a multiple of it. */
static eli_view_scale choose_scale(elastica_world *world, double resolution, long elements) {
  eli_view_scale scale = {.resolution = resolution, .is_large = elements > 4000};
  double shortest = smallest_mover(world, scale.origin);
  if (shortest == INFINITY) shortest = smallest_obstacle(world, scale.origin);
  if (shortest == INFINITY) shortest = 1.0;
  if (eli_is_nan(resolution)) { /* a power of two, so that binary fractions stay exact */
    const double largest = shortest / (scale.is_large ? 2048.0 : 16384.0);
    scale.resolution = 1.0;
    while (scale.resolution > largest) scale.resolution *= 0.5;
    while (scale.resolution * 2.0 < largest) scale.resolution *= 2.0;
  }
  for (int a = 0; a < 3; a++) {
    const double steps = scale.origin[a] / scale.resolution;
    scale.origin[a] = steps > -1e15 && steps < 1e15 ? scale.resolution * floor(steps + 0.5) : 0.0;
  }
  return scale;
}

/* ---- Layouts ---- */

/* Appends numbers as floats, lowest byte first. */
static void put_floats(eli_bytes *bytes, const double *values, size_t count) {
  unsigned char *to = eli_bytes_reserve(bytes, 4 * count);
  if (to == NULL) return;
  for (size_t k = 0; k < count; k++, to += 4) {
    const float single = (float)values[k];
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    to[0] = (unsigned char)bits, to[1] = (unsigned char)(bits >> 8);
    to[2] = (unsigned char)(bits >> 16), to[3] = (unsigned char)(bits >> 24);
  }
  bytes->count += 4 * count;
}

static void put_float(eli_bytes *bytes, double value) {
  put_floats(bytes, &value, 1);
}

static void add_array(eli_view_layout *layout, eli_view_record *record, eli_view_array array) {
  assert(record->array_count < ELI_VIEW_ARRAYS);
  array.first = layout->value_count;
  layout->value_count += (size_t)array.lanes * array.size;
  record->arrays[record->array_count++] = array;
}

/* Names of the arrays that only some layouts have. */
static const char SLIP[] = "slip", MUSCLE_FORCE[] = "muscle force", MUSCLE_COUPLE[] = "muscle couple";

static void describe_tubes(elastica_world *world, eli_view_layout *layout, eli_view_record *record) {
  size_t nodes = 0, elements = 0, joints = 0;
  eli_bytes *text = &record->text;
  record->name = "tubes";
  eli_bytes_text(text, "\"rods\":[");
  for (int rest_lengths = 0; rest_lengths < 2; rest_lengths++)
    for (elastica_rod *rod = eli_next_rod(world, NULL); rod != NULL; rod = eli_next_rod(world, rod)) {
      const elastica_rod_view *view = elastica_rod_get_view(rod);
      if (view->rigid) continue;
      for (int j = 0; j < view->element_count; j++)
        put_float(&record->fixed, rest_lengths ? view->rest_length[j] : sqrt(view->volume[j] / (ELI_PI * view->rest_length[j])));
      if (rest_lengths) continue;
      eli_bytes_print(text, "%s[%d,%d,%d]", nodes > 0 ? "," : "", view->rod_index, view->element_count, view->closed);
      nodes += (size_t)view->node_count;
      elements += (size_t)view->element_count;
      joints += (size_t)view->joint_count;
    }
  eli_bytes_text(text, "]");
  eli_bytes_print(&record->sizes, ",\"fixed\":[[\"radius\",%zu],[\"rest_length\",%zu]]", elements, elements);
  add_array(layout, record, (eli_view_array){"position", NULL, NULL, ELI_VIEW_LENGTH, 3, nodes, 0});
  add_array(layout, record, (eli_view_array){"turn", NULL, NULL, ELI_VIEW_TURN, 1, elements, 0});
  add_array(layout, record, (eli_view_array){"speed", "m/s", "node", ELI_VIEW_FLOAT, 1, nodes, 0});
  add_array(layout, record, (eli_view_array){"tension", "N", "element", ELI_VIEW_FLOAT, 1, elements, 0});
  add_array(layout, record, (eli_view_array){"strain", "", "element", ELI_VIEW_FLOAT, 1, elements, 0});
  add_array(layout, record, (eli_view_array){"curvature", "1/m", "joint", ELI_VIEW_FLOAT, 1, joints, 0});
  add_array(layout, record, (eli_view_array){"twist", "rad/m", "joint", ELI_VIEW_FLOAT, 1, joints, 0});
  if (has_surfaces(world)) add_array(layout, record, (eli_view_array){SLIP, "m/s", "element", ELI_VIEW_FLOAT, 1, elements, 0});
  if (has_enabled(world, "contraction") || has_enabled(world, "muscle")) {
    add_array(layout, record, (eli_view_array){MUSCLE_FORCE, "N", "element", ELI_VIEW_FLOAT, 1, elements, 0});
    add_array(layout, record, (eli_view_array){MUSCLE_COUPLE, "N m", "joint", ELI_VIEW_FLOAT, 1, joints, 0});
  }
}

static void describe_body(eli_bytes *text, int number, const elastica_body_info *body) {
  eli_bytes_print(text, "{\"role\":\"body\",\"number\":%d,\"shape\":\"%s\"", number, eli_shape_name(body->shape));
  eli_bytes_member(text, "radius", body->radius);
  eli_bytes_member(text, "length", body->length);
  eli_bytes_vector_member(text, "edges", body->edges);
  eli_bytes_text(text, "}");
}

/* Writes the axis of a tube as points with a radius at each. */
static void put_tube(eli_bytes *text, const eli_tube *tube) {
  double end[2][3], radius[2];
  const int count = eli_tube_segment_count(tube);
  eli_bytes_print(text, ",\"inside\":%s,\"axis\":[", tube->inside ? "true" : "false");
  for (int k = 0; k <= count; k++) {
    const int last = k == count;
    eli_tube_segment(tube, last ? k - 1 : k, end, radius);
    for (int a = 0; a < 3; a++) {
      if (k > 0 || a > 0) eli_bytes_text(text, ",");
      eli_bytes_number(text, end[last][a]);
    }
    eli_bytes_text(text, ",");
    eli_bytes_number(text, radius[last]);
  }
  eli_bytes_text(text, "]");
}

/* Writes triangles as floats. */
static void put_facets(eli_bytes *numbers, const eli_facets *facets) {
  put_floats(numbers, facets->points, 3 * (size_t)facets->point_count);
  for (int k = 0; k < 3 * facets->triangle_count; k++) put_float(numbers, facets->corners[k]);
}

/* Describes the triangles of a mesh or surface by their key. */
static void describe_facets(eli_view_record *record, const elastica_effect *effect, const eli_body *solid, int fine) {
  static const char *const sides[] = {"outside", "inside", "both"};
  const eli_mesh *mesh = solid->obstacle.mesh;
  eli_facets_key key;
  eli_facets_find_key(elastica_effect_get(effect).world, solid, fine, &key);
  eli_bytes_put(&record->keys, &key, sizeof key);
  eli_bytes_print(&record->text, ",\"seen\":\"%s\"", sides[mesh != NULL ? mesh->side : ELASTICA_SIDE_BOTH]);
}

static void describe_obstacle(eli_view_record *record, const elastica_effect *effect, const eli_body *solid, int fine) {
  const eli_obstacle *obstacle = &solid->obstacle;
  eli_bytes *text = &record->text;
  const double edges[3] = {2.0 * obstacle->half_edge[0], 2.0 * obstacle->half_edge[1], 2.0 * obstacle->half_edge[2]};
  eli_bytes_print(text, "{\"role\":\"obstacle\",\"number\":%d,\"shape\":\"%s\"", effect->index, eli_shape_name(obstacle->shape));
  eli_bytes_member(text, "radius", obstacle->radius);
  eli_bytes_member(text, "length", 2.0 * obstacle->half_length);
  eli_bytes_vector_member(text, "edges", edges);
  if (obstacle->shape == ELASTICA_SHAPE_TUBE) put_tube(text, obstacle->tube);
  if (eli_facets_are_drawn(obstacle)) describe_facets(record, effect, solid, fine);
  eli_bytes_text(text, "}");
}

static elastica_status describe_obstacles(elastica_world *world, eli_view_record *record, int fine, size_t *count) {
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL; effect = eli_next_effect(world, effect)) {
    eli_body solid;
    if (!eli_is_solid(effect)) continue;
    const elastica_status status = eli_find_solid(effect, "view_frame", &solid);
    if (status != ELASTICA_OK) return status;
    if ((*count)++ > 0) eli_bytes_text(&record->text, ",");
    describe_obstacle(record, effect, &solid, fine);
  }
  return ELASTICA_OK;
}

static elastica_status describe_solids(elastica_world *world, eli_view_layout *layout, eli_view_record *record, int fine) {
  size_t count = 0;
  record->name = "solids";
  eli_bytes_text(&record->text, "\"solids\":[");
  for (elastica_rod *rod = eli_next_rod(world, NULL); rod != NULL; rod = eli_next_rod(world, rod)) {
    elastica_body_info body;
    if (!elastica_rod_get_view(rod)->rigid) continue;
    const elastica_status status = elastica_body_get(rod, &body);
    if (status != ELASTICA_OK) return status;
    if (count++ > 0) eli_bytes_text(&record->text, ",");
    describe_body(&record->text, elastica_rod_get_view(rod)->rod_index, &body);
  }
  const elastica_status status = describe_obstacles(world, record, fine, &count);
  eli_bytes_text(&record->text, "]");
  if (status != ELASTICA_OK) return status;
  add_array(layout, record, (eli_view_array){"position", NULL, NULL, ELI_VIEW_LENGTH, 3, count, 0});
  add_array(layout, record, (eli_view_array){"quaternion", NULL, NULL, ELI_VIEW_SHARE, 4, count, 0});
  return ELASTICA_OK;
}

static elastica_status describe_cables(elastica_world *world, eli_view_layout *layout, eli_view_record *record) {
  size_t cables = 0, guides = 0;
  record->name = "cables";
  eli_bytes_text(&record->text, "\"cables\":[");
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL; effect = eli_next_effect(world, effect)) {
    elastica_tendon_info info;
    if (!is_enabled(effect, "tendon")) continue;
    const elastica_status status = eli_tendon_describe(effect, &info, NULL, 0);
    if (status != ELASTICA_OK) return status;
    eli_bytes_print(&record->text, "%s[%d,%d]", cables > 0 ? "," : "", effect->index, info.guide_count);
    cables++;
    guides += (size_t)info.guide_count;
  }
  eli_bytes_text(&record->text, "]");
  add_array(layout, record, (eli_view_array){"position", NULL, NULL, ELI_VIEW_LENGTH, 3, guides, 0});
  add_array(layout, record, (eli_view_array){"tension", "N", NULL, ELI_VIEW_FLOAT, 1, cables, 0});
  return ELASTICA_OK;
}

/* Lowers *least to the smallest radius or half edge at rest of the rod or body at an anchor, if there is one. */
static void consider_anchor(elastica_world *world, const eli_anchor *anchor, double *least) {
  elastica_body_info body;
  if (anchor->rod == NULL) return;
  if (!anchor->rod->rigid || elastica_body_get(elastica_world_rod(world, anchor->rod->rod_index), &body) != ELASTICA_OK) {
    consider(least, eli_radius(anchor->rod->volume[anchor->element], anchor->rod->rest_length[anchor->element]));
    return;
  }
  consider(least, body.radius);
  consider(least, 0.5 * body.length);
  for (int a = 0; a < 3; a++) consider(least, 0.5 * body.edges[a]);
}

/* Describes the joints. The smallest size of the two bodies there gives the size of the symbol. */
static void describe_joints(elastica_world *world, eli_view_layout *layout, eli_view_record *record) {
  static const char *const kinds[] = {"ball", "hinge", "fixed", "side by side"};
  size_t count = 0;
  record->name = "joints";
  eli_bytes_text(&record->text, "\"joints\":[");
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL; effect = eli_next_effect(world, effect)) {
    if (!is_enabled(effect, "joint")) continue;
    const eli_joint *joint = elastica_effect_get(effect).self;
    double least = INFINITY;
    eli_bytes_print(&record->text, "%s[%d,\"%s\"]", count > 0 ? "," : "", effect->index, kinds[joint->kind]);
    for (int k = 0; k < 2; k++) consider_anchor(world, &joint->anchor[k], &least);
    put_float(&record->fixed, least);
    count++;
  }
  eli_bytes_text(&record->text, "]");
  eli_bytes_print(&record->sizes, ",\"fixed\":[[\"radius\",%zu]]", count);
  add_array(layout, record, (eli_view_array){"first", NULL, NULL, ELI_VIEW_LENGTH, 3, count, 0});
  add_array(layout, record, (eli_view_array){"second", NULL, NULL, ELI_VIEW_LENGTH, 3, count, 0});
}

static elastica_status refuse_description(elastica_world *world) {
  return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "view_frame: no memory to describe %d rods",
                               elastica_world_get(world).rod_count);
}

static int has_failed(const eli_view_record *record) {
  return record->text.failed | record->keys.failed | record->sizes.failed | record->fixed.failed | record->facets.failed;
}

elastica_status eli_view_describe(elastica_world *world, double resolution, int fine, eli_view_layout *out) {
  int failed = 0;
  memset(out, 0, sizeof *out);
  for (int k = 0; k < ELI_VIEW_RECORDS; k++) {
    eli_view_record *record = &out->records[k];
    record->text = record->keys = record->sizes = record->fixed = record->facets = record->packed =
        eli_bytes_make(eli_world_allocator(world));
  }
  describe_tubes(world, out, &out->records[0]);
  out->scale = choose_scale(world, resolution, (long)out->records[0].arrays[1].size);
  elastica_status status = describe_solids(world, out, &out->records[1], fine);
  if (status == ELASTICA_OK) status = describe_cables(world, out, &out->records[2]);
  if (status == ELASTICA_OK) describe_joints(world, out, &out->records[3]);
  for (int k = 0; k < ELI_VIEW_RECORDS; k++) failed |= has_failed(&out->records[k]);
  if (status == ELASTICA_OK && failed) status = refuse_description(world);
  if (status != ELASTICA_OK) eli_view_layout_free(out);
  return status;
}

/* The triangles of a solid; *drawn 0: it has none. */
static elastica_status make_facets(const elastica_effect *effect, int fine, eli_facets *out, int *drawn) {
  elastica_world *world = effect->world;
  eli_body solid;
  eli_facets_key key;
  *drawn = 0;
  if (!eli_is_solid(effect)) return ELASTICA_OK;
  elastica_status status = eli_find_solid(effect, "view_frame", &solid);
  if (status != ELASTICA_OK || !eli_facets_are_drawn(&solid.obstacle)) return status;
  eli_facets_find_key(world, &solid, fine, &key);
  status = eli_facets_make(world, &solid, &key, out);
  *drawn = status == ELASTICA_OK;
  return status;
}

elastica_status eli_view_complete(elastica_world *world, eli_view_record *record, int fine, double most) {
  enum { FEW = 2 * ELI_SURFACE_CELLS * ELI_SURFACE_CELLS }; /* two in each column of cells */
  eli_bytes fewer = eli_bytes_make(eli_world_allocator(world)), *sizes = &record->sizes;
  elastica_status status = ELASTICA_OK;
  const int few = !fine;
  double whole = 0.0;
  /* Counts all triangles, counts them without finer cells if there are too many, writes them. */
  for (int passes = 0; passes < 3; passes++) {
    if (passes == 1 && !(fine && whole > most)) continue;
    if (passes == 1) fine = 0, whole = 0.0;
    for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL && status == ELASTICA_OK;
         effect = eli_next_effect(world, effect)) {
      eli_facets facets;
      int drawn;
      status = make_facets(effect, fine, &facets, &drawn);
      if (!drawn) continue;
      const int all = facets.triangle_count;
      if (few && facets.is_surface) status = eli_facets_reduce(world, &facets, FEW);
      if (passes < 2) {
        whole += facets.triangle_count;
      } else {
        if (whole > most && status == ELASTICA_OK)
          status = eli_facets_reduce(world, &facets, (int)(most / whole * facets.triangle_count) + 100);
        eli_bytes_print(sizes, "%s[\"points%d\",%d],[\"corners%d\",%d]", sizes->count == 0 ? ",\"fixed\":[" : ",", effect->index,
                        3 * facets.point_count, effect->index, 3 * facets.triangle_count);
        if (facets.triangle_count < all)
          eli_bytes_print(&fewer, "%s[%d,%d,%d]", fewer.count == 0 ? ",\"fewer\":[" : ",", effect->index, facets.triangle_count, all);
        put_facets(&record->facets, &facets);
      }
      eli_facets_free(&facets);
    }
  }
  if (sizes->count > 0) eli_bytes_text(sizes, "]");
  if (fewer.count > 0) eli_bytes_text(&fewer, "]");
  eli_bytes_put(sizes, fewer.data, fewer.count);
  sizes->failed |= fewer.failed;
  eli_bytes_free(&fewer);
  return status == ELASTICA_OK && has_failed(record) ? refuse_description(world) : status;
}

void eli_view_record_free(eli_view_record *record) {
  eli_bytes_free(&record->text);
  eli_bytes_free(&record->keys);
  eli_bytes_free(&record->sizes);
  eli_bytes_free(&record->fixed);
  eli_bytes_free(&record->facets);
  eli_bytes_free(&record->packed);
}

void eli_view_record_move(eli_view_record *from, eli_view_record *to) {
  to->text = from->text, to->keys = from->keys, to->sizes = from->sizes;
  to->fixed = from->fixed, to->facets = from->facets, to->packed = from->packed;
}

void eli_view_layout_free(eli_view_layout *layout) {
  for (int k = 0; k < ELI_VIEW_RECORDS; k++) eli_view_record_free(&layout->records[k]);
}

static int bytes_equal(const eli_bytes *one, const eli_bytes *other) {
  return one->count == other->count && (one->count == 0 || memcmp(one->data, other->data, one->count) == 0);
}

static int triangles_agree(const eli_bytes *now, const eli_bytes *kept) {
  const eli_facets_key *one = (const eli_facets_key *)(const void *)kept->data, *other = (const eli_facets_key *)(const void *)now->data;
  int agree = now->count == kept->count;
  for (size_t k = 0; agree && k < now->count / sizeof *one; k++) agree = eli_facets_agree(&one[k], &other[k]);
  return agree;
}

int eli_view_record_equal(const eli_view_record *now, const eli_view_record *kept) {
  int equal = bytes_equal(&now->text, &kept->text) && triangles_agree(&now->keys, &kept->keys) && bytes_equal(&now->fixed, &kept->fixed) &&
              now->array_count == kept->array_count;
  for (int k = 0; equal && k < now->array_count; k++) equal = now->arrays[k].size == kept->arrays[k].size;
  return equal;
}

/* ---- Numbers of a frame ---- */

/* Destination and context of the numbers of a frame; thing, of and number serve messages. */
typedef struct reader {
  elastica_world *world;
  const eli_view_scale *scale;
  const eli_view_frame *before;
  eli_view_frame *out;
  double fastest;    /* largest speed of a node [m/s] */
  const char *thing; /* such as "node" of "rod" 3 */
  const char *of;
  int number;
  elastica_status status;
} reader;

#define SHARE 262144.0
#define TURN 4096.0
enum { COARSE_SHARE = 6, COARSE_FLOAT = 2 };
#define LARGEST_INTEGER 2147483000.0
#define FLOAT_NAN 0x7fc00 /* the upper 20 bits of a NaN */

/* Rounds to an integer; refuses a value that is not finite or too large. */
static int32_t to_integer(reader *r, double value, int index) {
  if (value > -LARGEST_INTEGER && value < LARGEST_INTEGER) return (int32_t)(value < 0.0 ? value - 0.5 : value + 0.5);
  if (r->status == ELASTICA_OK)
    r->status = eli_is_finite(value)
                    ? elastica_world_refuse(r->world, ELASTICA_INVALID_ARGUMENT,
                                            "view_frame: %s %d of %s %d is %.3g m from the first point of the page, more than 2^31 times "
                                            "the resolution of %.3g m",
                                            r->thing, index, r->of, r->number, value * r->scale->resolution, r->scale->resolution)
                    : elastica_world_refuse(r->world, ELASTICA_NOT_FINITE, "view_frame: %s %d of %s %d is not at a finite place", r->thing,
                                            index, r->of, r->number);
  return 0;
}

static int32_t encode_length(reader *r, int axis, double value, int index) {
  return to_integer(r, (value - r->scale->origin[axis]) / r->scale->resolution, index);
}

static double decode_length(const eli_view_scale *scale, int axis, int32_t value) {
  return scale->origin[axis] + scale->resolution * value;
}

int eli_view_dropped_bits(eli_view_form form) {
  return form == ELI_VIEW_SHARE ? COARSE_SHARE : form == ELI_VIEW_FLOAT ? COARSE_FLOAT : 0;
}

double eli_view_float_error(int is_coarse) {
  return (is_coarse ? 1 << COARSE_FLOAT : 1) / 4096.0;
}

static int32_t encode_share(double value) {
  const double scaled = SHARE * (value > 1.0 ? 1.0 : value > -1.0 ? value : -1.0);
  return (int32_t)(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5);
}

/* Converts to FLOAT. Magnitudes up to floor become 0. */
static int32_t encode_float(double value, double floor) {
  const double size = value < 0.0 ? -value : value;
  if (eli_is_nan(value)) return FLOAT_NAN;
  if (size <= floor) return 0;
  const float single = (float)(size < 3e38 ? size : 3e38);
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  const int32_t rounded = (int32_t)((bits + 0x800) >> 12);
  return value < 0.0 ? -rounded : rounded;
}

/* ---- Tubes ---- */

/* Beyond this cosine two directions are opposite, and no smallest rotation carries one to the other. */
#define OPPOSITE -0.9999

/* Carries a vector by the smallest rotation from one unit vector to another; not between opposite ones. */
static void carry(const double from[3], const double to[3], double vector[3]) {
  const double cosine = eli_dot(from, to);
  double normal[3], once[3], twice[3];
  eli_cross(from, to, normal);
  eli_cross(normal, vector, once);
  eli_cross(normal, once, twice);
  for (int a = 0; a < 3 && cosine > OPPOSITE; a++) vector[a] += once[a] + twice[a] / (1.0 + cosine);
}

/* Computes the reference frame of an element: its tangent, and a unit vector across it, by parallel transport along the rod. tangent and
 * across hold the values of the previous element on entry; first 1: there is none. */
static void find_reference(int first, const double edge[3], double tangent[3], double across[3]) {
  const double length = sqrt(eli_dot(edge, edge));
  double before[3];
  if (first) tangent[0] = tangent[1] = 0.0, tangent[2] = 1.0;
  memcpy(before, tangent, sizeof before);
  if (length > 0.0)
    for (int a = 0; a < 3; a++) tangent[a] = edge[a] / length;
  if (first) { /* the axis most nearly perpendicular to the tangent */
    int least = 0;
    for (int a = 1; a < 3; a++)
      if (tangent[a] * tangent[a] < tangent[least] * tangent[least]) least = a;
    for (int a = 0; a < 3; a++) across[a] = a == least ? 1.0 : 0.0;
  } else {
    carry(before, tangent, across);
  }
  const double along = eli_dot(across, tangent);
  for (int a = 0; a < 3; a++) across[a] -= along * tangent[a];
  const double size = sqrt(eli_dot(across, across));
  for (int a = 0; a < 3 && size > 0.0; a++) across[a] /= size;
}

/* Computes the turn of d1 about the tangent, relative to `across`. */
static double read_turn(const elastica_rod_view *view, int j, const double tangent[3], const double across[3]) {
  double d1[3], d3[3], second[3];
  for (int a = 0; a < 3; a++) d1[a] = view->director[0][a][j], d3[a] = view->director[2][a][j];
  eli_cross(tangent, across, second);
  carry(d3, tangent, d1);
  return eli_atan2(eli_dot(d1, second), eli_dot(d1, across)) / (2.0 * ELI_PI);
}

/* Converts a turn to an integer, adding whole turns to come closest to `near`. The integer wraps around: 2^32 are whole turns, too. */
static int32_t encode_turn(double turn, int32_t near) {
  const double value = turn * TURN, turns = floor((near - value) / TURN + 0.5), unwound = value + turns * TURN;
  return (int32_t)(uint32_t)(int64_t)(unwound < 0.0 ? unwound - 0.5 : unwound + 0.5);
}

/* Arrays of tubes, in the order of describe_tubes. The pointers advance from rod to rod. */
typedef struct tube_arrays {
  int32_t *position, *turn, *speed, *tension, *strain, *curvature, *twist;
  int32_t *muscle_force, *muscle_couple; /* NULL without muscles */
  const int32_t *turn_before;            /* NULL: first frame */
  size_t nodes, elements;                /* sizes of lanes */
} tube_arrays;

/* Speeds below this share of the largest one in a frame are rounding errors. */
#define NO_SPEED 1e-12

static double find_fastest(elastica_world *world) {
  double most = 0.0;
  for (elastica_rod *rod = eli_next_rod(world, NULL); rod != NULL; rod = eli_next_rod(world, rod)) {
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int i = 0; i < view->node_count; i++) {
      double square = 0.0;
      for (int a = 0; a < 3; a++) square += view->velocity[a][i] * view->velocity[a][i];
      if (square > most) most = square;
    }
  }
  return sqrt(most);
}

static void read_nodes(reader *r, const elastica_rod_view *view, const tube_arrays *to) {
  r->thing = "node";
  for (int i = 0; i < view->node_count; i++) {
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
      to->position[(size_t)a * to->nodes + (size_t)i] = encode_length(r, a, view->position[a][i], i);
      square += view->velocity[a][i] * view->velocity[a][i];
    }
    to->speed[i] = encode_float(sqrt(square), NO_SPEED * r->fastest);
  }
}

static void read_frames(reader *r, const elastica_rod_view *view, const tube_arrays *to) {
  double tangent[3], across[3];
  for (int j = 0; j < view->element_count; j++) {
    const int next = j + 1 < view->node_count ? j + 1 : 0;
    double edge[3];
    for (int a = 0; a < 3; a++) {
      const int32_t *x = to->position + (size_t)a * to->nodes;
      edge[a] = decode_length(r->scale, a, x[next]) - decode_length(r->scale, a, x[j]);
    }
    find_reference(j == 0, edge, tangent, across);
    const double turn = read_turn(view, j, tangent, across);
    const int32_t near = to->turn_before != NULL ? to->turn_before[j] : j > 0 ? to->turn[j - 1] : 0;
    to->turn[j] = encode_turn(eli_is_finite(turn) ? turn : 0.0, near);
  }
}

/* Rounding error of a strain, by that of the positions of its nodes. */
static double strain_rounding(const elastica_rod_view *view, int j) {
  double far = 0.0;
  for (int a = 0; a < 3; a++) far += fabs(view->position[a][j]);
  return 1e-13 + 2.0 * DBL_EPSILON * far / view->rest_length[j];
}

/* Active part of a resultant: its difference to that of the constitutive law. Below the rounding errors of both it is 0. */
static double active_part(double whole, double passive) {
  const double active = whole - passive;
  return fabs(active) > 1e-13 * (fabs(whole) + fabs(passive)) ? active : 0.0;
}

/* Reads strain, curvature, tension and muscle loads: stored positions would give strains with their rounding error. couples: those of
 * muscles about laboratory axes, three for each joint; NULL: there are none. */
static void read_resultants(const elastica_rod_view *view, const double *couples, const tube_arrays *to) {
  for (int j = 0; j < view->element_count; j++) {
    const eli_elastic_constants law = eli_element_constants(view, j);
    const double sigma[3] = {view->strain[0][j], view->strain[1][j], view->strain[2][j]}, rounding = strain_rounding(view, j);
    double passive[3];
    eli_law_resultant(&law, sigma, passive);
    to->strain[j] = encode_float(view->dilatation[j] - 1.0, rounding);
    to->tension[j] = encode_float(view->force[2][j], rounding * law.stiffness[2]);
    if (to->muscle_force != NULL) to->muscle_force[j] = encode_float(active_part(view->force[2][j], passive[2]), 0.0);
  }
  for (int k = 0; k < view->joint_count; k++) {
    const double bend[2] = {view->curvature[0][k], view->curvature[1][k]}, rounding = 1e-10 / view->rest_joint_length[k];
    to->curvature[k] = encode_float(sqrt(bend[0] * bend[0] + bend[1] * bend[1]), rounding);
    to->twist[k] = encode_float(view->curvature[2][k], rounding);
  }
  for (int k = 0; k < view->joint_count && to->muscle_couple != NULL; k++) {
    const eli_elastic_constants law = eli_joint_constants(view, k);
    const double kappa[3] = {view->curvature[0][k], view->curvature[1][k], view->curvature[2][k]};
    double passive[3], added[3] = {0.0, 0.0, 0.0}, square = 0.0;
    eli_law_resultant(&law, kappa, passive);
    if (couples != NULL) elastica_rotate_to_material(view, view->closed ? k : k + 1, couples + 3 * k, added);
    for (int a = 0; a < 3; a++) {
      const double active = active_part(view->couple[a][k], passive[a]) + added[a];
      square += active * active;
    }
    to->muscle_couple[k] = encode_float(sqrt(square), 0.0);
  }
}

/* Returns the first number of an array in a frame; NULL if the layout has no such array. */
static int32_t *find_values(const eli_view_record *record, const char *name, int32_t *values) {
  for (int k = 0; k < record->array_count; k++)
    if (strcmp(record->arrays[k].name, name) == 0) return values + record->arrays[k].first;
  return NULL;
}

/* Returns the couples of muscles about laboratory axes in the joints of a rod. NULL: there are none, or no memory (r->status). */
static double *find_couples(reader *r, const elastica_rod_view *view) {
  double *couples = eli_allocate(eli_world_allocator(r->world), 3 * (size_t)view->element_count, sizeof *couples);
  if (couples == NULL) {
    r->status = elastica_world_refuse(r->world, ELASTICA_OUT_OF_MEMORY, "view_frame: no memory for the muscles of rod %d", view->rod_index);
    return NULL;
  }
  memset(couples, 0, 3 * (size_t)view->element_count * sizeof *couples);
  eli_world_enter_call(r->world);
  for (elastica_effect *effect = eli_next_effect(r->world, NULL); effect != NULL; effect = eli_next_effect(r->world, effect))
    if (is_enabled(effect, "muscle") && elastica_rod_get_view(elastica_effect_get(effect).rod) == view)
      eli_muscle_add_couples(effect, couples);
  eli_world_leave_call(r->world);
  return couples;
}

static void read_tubes(reader *r, const eli_view_record *record) {
  const eli_view_array *arrays = record->arrays;
  int32_t *values = r->out->values;
  tube_arrays to = {.position = values + arrays[0].first,
                    .turn = values + arrays[1].first,
                    .speed = values + arrays[2].first,
                    .tension = values + arrays[3].first,
                    .strain = values + arrays[4].first,
                    .curvature = values + arrays[5].first,
                    .twist = values + arrays[6].first,
                    .muscle_force = find_values(record, MUSCLE_FORCE, values),
                    .muscle_couple = find_values(record, MUSCLE_COUPLE, values),
                    .turn_before = r->before != NULL ? r->before->values + arrays[1].first : NULL,
                    .nodes = arrays[0].size,
                    .elements = arrays[1].size};
  const int has_muscles = to.muscle_couple != NULL && has_enabled(r->world, "muscle");
  r->of = "rod";
  r->fastest = find_fastest(r->world);
  for (elastica_rod *rod = eli_next_rod(r->world, NULL); rod != NULL && r->status == ELASTICA_OK; rod = eli_next_rod(r->world, rod)) {
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    if (view->rigid) continue;
    r->number = view->rod_index;
    read_nodes(r, view, &to);
    if (r->status == ELASTICA_OK) r->status = elastica_rod_refresh(rod);
    double *couples = r->status == ELASTICA_OK && has_muscles ? find_couples(r, view) : NULL;
    if (r->status != ELASTICA_OK) return;
    read_frames(r, view, &to);
    read_resultants(view, couples, &to);
    eli_release(eli_world_allocator(r->world), couples);
    to.position += view->node_count, to.speed += view->node_count;
    to.turn += view->element_count, to.tension += view->element_count, to.strain += view->element_count;
    to.curvature += view->joint_count, to.twist += view->joint_count;
    if (to.turn_before != NULL) to.turn_before += view->element_count;
    if (to.muscle_force != NULL) to.muscle_force += view->element_count, to.muscle_couple += view->joint_count;
  }
}

/* ---- Solids, cables, joints ---- */

/* Computes the quaternion (x, y, z, w) of the rotation with the directors as rows: v_laboratory = q v q*. Its sign is the one closer to the
 * previous quaternion. */
static void find_quaternion(const double d[9], const double before[4], double q[4]) {
  const double trace[4] = {d[0] - d[4] - d[8], d[4] - d[0] - d[8], d[8] - d[0] - d[4], d[0] + d[4] + d[8]};
  int largest = 0;
  for (int k = 1; k < 4; k++)
    if (trace[k] > trace[largest]) largest = k;
  const double root = sqrt(1.0 + trace[largest] > 0.0 ? 1.0 + trace[largest] : 0.0), half = 0.5 / root;
  const double skew[3] = {d[5] - d[7], d[6] - d[2], d[1] - d[3]}, even[3] = {d[5] + d[7], d[6] + d[2], d[1] + d[3]};
  for (int k = 0; k < 3; k++) {
    if (largest == 3)
      q[k] = skew[k] * half;
    else
      q[k] = k == largest ? 0.5 * root : even[3 - largest - k] * half;
  }
  q[3] = largest == 3 ? 0.5 * root : skew[largest] * half;
  double same = 0.0;
  for (int k = 0; k < 4; k++) same += q[k] * before[k];
  for (int k = 0; k < 4 && same < 0.0; k++) q[k] = -q[k];
}

static void read_pose(reader *r, const eli_view_record *record, size_t index, const double position[3], const double director[9]) {
  const eli_view_array *place = &record->arrays[0], *turn = &record->arrays[1];
  int32_t *values = r->out->values;
  double before[4] = {0.0, 0.0, 0.0, 1.0}, q[4];
  for (size_t k = 0; k < 4 && r->before != NULL; k++) before[k] = r->before->values[turn->first + k * turn->size + index] / SHARE;
  find_quaternion(director, before, q);
  for (int a = 0; a < 3; a++) values[place->first + (size_t)a * place->size + index] = encode_length(r, a, position[a], 0);
  for (size_t k = 0; k < 4; k++) values[turn->first + k * turn->size + index] = encode_share(q[k]);
}

static void read_solids(reader *r, const eli_view_record *record) {
  size_t count = 0;
  r->thing = "centre";
  r->of = "body";
  for (elastica_rod *rod = eli_next_rod(r->world, NULL); rod != NULL && r->status == ELASTICA_OK; rod = eli_next_rod(r->world, rod)) {
    elastica_body_info body;
    if (!elastica_rod_get_view(rod)->rigid) continue;
    r->number = elastica_rod_get_view(rod)->rod_index;
    r->status = elastica_body_get(rod, &body);
    if (r->status == ELASTICA_OK) read_pose(r, record, count++, body.position, body.director);
  }
  r->of = "effect";
  for (elastica_effect *effect = eli_next_effect(r->world, NULL); effect != NULL && r->status == ELASTICA_OK;
       effect = eli_next_effect(r->world, effect)) {
    eli_body body;
    if (!eli_is_solid(effect)) continue;
    r->number = effect->index;
    r->status = eli_find_solid(effect, "view_frame", &body);
    if (r->status == ELASTICA_OK) read_pose(r, record, count++, body.place.position, body.place.director);
  }
}

static void read_cables(reader *r, const eli_view_record *record) {
  const eli_view_array *place = &record->arrays[0], *tension = &record->arrays[1];
  size_t cables = 0, guides = 0;
  r->thing = "guide";
  r->of = "effect";
  for (elastica_effect *effect = eli_next_effect(r->world, NULL); effect != NULL && r->status == ELASTICA_OK;
       effect = eli_next_effect(r->world, effect)) {
    elastica_tendon_info info;
    if (!is_enabled(effect, "tendon")) continue;
    r->number = effect->index;
    r->status = eli_tendon_describe(effect, &info, NULL, 0);
    if (r->status != ELASTICA_OK) return;
    r->out->values[tension->first + cables++] = encode_float(info.first_tension, 0.0);
    elastica_guide_info *guide = eli_allocate(&r->world->allocator, (size_t)info.guide_count, sizeof *guide);
    r->status = guide != NULL
                    ? eli_tendon_describe(effect, &info, guide, info.guide_count)
                    : elastica_world_refuse(r->world, ELASTICA_OUT_OF_MEMORY, "view_frame: no memory for %d guides", info.guide_count);
    for (int g = 0; g < info.guide_count && r->status == ELASTICA_OK; g++, guides++)
      for (int a = 0; a < 3 && r->status == ELASTICA_OK; a++)
        r->out->values[place->first + (size_t)a * place->size + guides] = encode_length(r, a, guide[g].position[a], g);
    eli_release(&r->world->allocator, guide);
  }
}

static void read_joints(reader *r, const eli_view_record *record) {
  size_t count = 0;
  r->thing = "side";
  r->of = "effect";
  for (elastica_effect *effect = eli_next_effect(r->world, NULL); effect != NULL && r->status == ELASTICA_OK;
       effect = eli_next_effect(r->world, effect)) {
    eli_anchored at[2];
    if (!is_enabled(effect, "joint")) continue;
    r->number = effect->index;
    r->status = find_joint(effect, at);
    if (r->status != ELASTICA_OK) return;
    for (int k = 0; k < 2; k++)
      for (int a = 0; a < 3; a++)
        r->out->values[record->arrays[k].first + (size_t)a * record->arrays[k].size + count] = encode_length(r, a, at[k].point[a], k);
    count++;
  }
}

/* ---- Arrows ---- */

/* Largest number of arrows in a frame: those of the strongest contacts, and of contacts of equal strength evenly chosen ones. */
enum { MOST_ARROWS = 1000, STRENGTHS = 1024 };

/* Strength class of a contact: exponent and two bits of the mantissa of the square of its force; -1: it has no force. */
static int strength(const elastica_contact_point *point) {
  const double square = eli_dot(point->layer, point->layer) + eli_dot(point->tangential, point->tangential);
  if (!(square > 0.0) || !eli_is_finite(square)) return -1;
  const float single = (float)(square < 1e38 ? square : 1e38);
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  return (int)(bits >> 21);
}

/* The arrows of a frame: all contacts of a class above `weakest`, and `some` of the `of` contacts of this class. */
typedef struct arrow_choice {
  int weakest, some, of, all; /* all: contacts with a force */
} arrow_choice;

static arrow_choice choose_arrows(const elastica_contact_point *points, int count) {
  int in_class[STRENGTHS] = {0}, above = 0;
  arrow_choice out = {.weakest = -1};
  for (int p = 0; p < count; p++) {
    const int class = strength(&points[p]);
    if (class >= 0) in_class[class]++, out.all++;
  }
  for (int s = STRENGTHS - 1; s >= 0; s--) {
    if (above + in_class[s] > MOST_ARROWS) {
      out.weakest = s, out.some = MOST_ARROWS - above, out.of = in_class[s];
      break;
    }
    above += in_class[s];
  }
  return out;
}

/* Returns 1 if a contact has an arrow. *seen counts the contacts of the weakest class. */
static int has_arrow(const arrow_choice *choice, const elastica_contact_point *point, int *seen) {
  const int class = strength(point);
  if (class < 0 || class != choice->weakest) return class > choice->weakest;
  const int64_t before = (int64_t)*seen * choice->some / choice->of, after = (int64_t)(++*seen) * choice->some / choice->of;
  return after > before;
}

static void write_arrows(reader *r, const elastica_contact_point *points, int count) {
  const arrow_choice choice = choose_arrows(points, count);
  const int kept = choice.all < MOST_ARROWS ? choice.all : MOST_ARROWS;
  int at = 0, seen = 0;
  int32_t *to = eli_allocate(eli_world_allocator(r->world), (size_t)kept * ELI_VIEW_ARROW, sizeof *to);
  if (to == NULL) {
    r->status = elastica_world_refuse(r->world, ELASTICA_OUT_OF_MEMORY, "view_frame: no memory for %d contacts", kept);
    return;
  }
  r->thing = "contact";
  for (int p = 0; p < count; p++) {
    const elastica_contact_point *point = &points[p];
    if (!has_arrow(&choice, point, &seen)) continue;
    r->number = point->rod[0];
    for (int a = 0; a < 3; a++) {
      to[a * kept + at] = encode_length(r, a, point->point[a], p);
      to[(3 + a) * kept + at] = encode_float(point->layer[a] + point->tangential[a], 0.0);
    }
    to[6 * kept + at++] = point->sticks;
  }
  r->out->arrows = to;
  r->out->arrow_count = kept;
  r->out->contact_count = choice.all;
}

/* ---- Contacts ----
 *
 * models     points of contact of a frame: those that contacts and elastic obstacles report, and the reactions of walls on nodes
 * equation   slip of an element: the largest |(1 - n n^T) (v + w x (p - x) - u)| of its points p that do not stick, with v, w and x of the
 *            element and the velocity u of the other surface
 */
typedef struct touches {
  elastica_contact_point *points;
  int count, room;
  double *slip;  /* [m/s] of all elements of rods */
  size_t *first; /* index of the first element of each rod in slip */
  size_t total;
} touches;

static int32_t *find_slips(const reader *r, const eli_view_record *record) {
  return find_values(record, SLIP, r->out->values);
}

/* Velocity of the surface of an element, or rigid body, at a point. */
static void surface_velocity(const elastica_rod_view *view, int j, const double point[3], double velocity[3]) {
  const int next = view->rigid ? j : j + 1 < view->node_count ? j + 1 : 0;
  double spin[3] = {0.0, 0.0, 0.0}, arm[3], turning[3];
  for (int a = 0; a < 3; a++) {
    arm[a] = point[a] - 0.5 * (view->position[a][j] + view->position[a][next]);
    for (int row = 0; row < 3; row++) spin[a] += view->director[row][a][j] * view->omega[row][j];
  }
  eli_cross(spin, arm, turning);
  for (int a = 0; a < 3; a++) velocity[a] = 0.5 * (view->velocity[a][j] + view->velocity[a][next]) + turning[a];
}

static void solid_velocity(const eli_placement *place, const double point[3], double velocity[3]) {
  double spin[3] = {0.0, 0.0, 0.0}, arm[3], turning[3];
  for (int a = 0; a < 3; a++) {
    arm[a] = point[a] - place->position[a];
    for (int row = 0; row < 3; row++) spin[a] += place->director[3 * row + a] * place->omega[row];
  }
  eli_cross(spin, arm, turning);
  for (int a = 0; a < 3; a++) velocity[a] = place->velocity[a] + turning[a];
}

static double speed_along(const double one[3], const double other[3], const double normal[3]) {
  double v[3];
  for (int a = 0; a < 3; a++) v[a] = one[a] - other[a];
  const double square = eli_dot(v, v) - eli_dot(v, normal) * eli_dot(v, normal);
  return square > 0.0 ? sqrt(square) : 0.0;
}

static void add_slip(const reader *r, touches *of, int rod, int element, double speed) {
  if (elastica_rod_get_view(elastica_world_rod(r->world, rod))->rigid) return;
  double *slip = &of->slip[of->first[rod] + (size_t)element];
  if (speed > *slip) *slip = speed;
}

/* Reserves room for further points. Returns 0, with the status, if there is no memory. */
static int reserve_points(reader *r, touches *of, int more) {
  const eli_allocator *allocator = eli_world_allocator(r->world);
  if (of->count + more <= of->room) return 1;
  const int room = 2 * of->room + more;
  elastica_contact_point *points = eli_allocate(allocator, (size_t)room, sizeof *points);
  if (points == NULL) {
    r->status = elastica_world_refuse(r->world, ELASTICA_OUT_OF_MEMORY, "view_frame: no memory for %d contacts", room);
    return 0;
  }
  if (of->count > 0) memcpy(points, of->points, (size_t)of->count * sizeof *points);
  eli_release(allocator, of->points);
  of->points = points;
  of->room = room;
  return 1;
}

/* Adds the points that a contact or elastic obstacle reports. */
static void read_points(reader *r, touches *of, elastica_effect *effect) {
  int own = 0;
  eli_body solid = {0};
  r->status = elastica_contact_get(effect, NULL, 0, &own);
  if (r->status != ELASTICA_OK || own == 0 || !reserve_points(r, of, own)) return;
  assert(of->points != NULL);
  r->status = elastica_contact_get(effect, of->points + of->count, own, &own);
  if (r->status == ELASTICA_OK && eli_is_solid(effect)) r->status = eli_find_solid(effect, "view_frame", &solid);
  for (int p = of->count; p < of->count + own && r->status == ELASTICA_OK; p++) {
    const elastica_contact_point *point = &of->points[p];
    double velocity[2][3];
    if (point->sticks) continue;
    surface_velocity(elastica_rod_get_view(elastica_world_rod(r->world, point->rod[0])), point->element[0], point->point, velocity[0]);
    if (point->rod[1] < 0)
      solid_velocity(&solid.place, point->point, velocity[1]);
    else
      surface_velocity(elastica_rod_get_view(elastica_world_rod(r->world, point->rod[1])), point->element[1], point->point, velocity[1]);
    const double speed = speed_along(velocity[0], velocity[1], point->normal);
    for (int k = 0; k < 2 && point->rod[k] >= 0; k++) add_slip(r, of, point->rod[k], point->element[k], speed);
  }
  if (r->status == ELASTICA_OK) of->count += own;
}

/* A rigid obstacle, and a rod or body on which it acts. */
typedef struct wall_on_rod {
  reader *r;
  touches *of;
  const elastica_effect *effect;
  const eli_placement *place;
  const elastica_rod_view *rod;
} wall_on_rod;

/* Slip of an element or body on a wall at a point of its surface. */
static double slip_on_wall(const wall_on_rod *on, int element, const double point[3], const double normal[3]) {
  double velocity[2][3];
  surface_velocity(on->rod, element, point, velocity[0]);
  solid_velocity(on->place, point, velocity[1]);
  return speed_along(velocity[0], velocity[1], normal);
}

/* Adds a reaction as a point of contact. It sticks if friction is static at the present slip. */
static void add_reaction(void *context, const eli_reaction *reaction) {
  const wall_on_rod *on = context;
  const eli_friction *friction = &eli_rigid_obstacle_law(on->effect)->friction;
  const int element = reaction->node < on->rod->element_count ? reaction->node : on->rod->element_count - 1;
  if (!reserve_points(on->r, on->of, 1)) return;
  elastica_contact_point *point = &on->of->points[on->of->count++];
  memset(point, 0, sizeof *point);
  point->rod[0] = on->rod->rod_index, point->element[0] = element, point->rod[1] = point->element[1] = -1;
  point->force = eli_dot(reaction->force, reaction->normal);
  for (int a = 0; a < 3; a++) {
    point->point[a] = reaction->point[a];
    point->normal[a] = reaction->normal[a];
    point->layer[a] = point->force * reaction->normal[a];
    point->tangential[a] = reaction->force[a] - point->layer[a];
  }
  point->sticks = friction->acts && slip_on_wall(on, element, reaction->point, reaction->normal) * friction->fade <= 2.0;
}

/* Slips of the elements of a rod on a wall. */
static void read_wall_slips(const wall_on_rod *on, const eli_obstacle *wall) {
  const elastica_rod_view *view = on->rod;
  for (int j = 0; j < view->element_count && !view->rigid; j++) {
    const int next = j + 1 < view->node_count ? j + 1 : 0;
    double middle[3], normal[3], point[3];
    if (!eli_rigid_obstacle_touches(on->effect, on->place, view, j)) continue;
    for (int a = 0; a < 3; a++) middle[a] = 0.5 * (view->position[a][j] + view->position[a][next]);
    const double distance = eli_obstacle_distance(wall, on->place->position, on->place->director, middle, normal);
    for (int a = 0; a < 3; a++) point[a] = middle[a] - distance * normal[a];
    add_slip(on->r, on->of, view->rod_index, j, slip_on_wall(on, j, point, normal));
  }
}

/* Returns 1 for an enabled rigid obstacle. */
static int is_wall(const elastica_effect *effect) {
  return eli_is_solid(effect) && !eli_has_contacts(effect);
}

static int has_wall(elastica_world *world) {
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL; effect = eli_next_effect(world, effect))
    if (is_wall(effect)) return 1;
  return 0;
}

/* Returns the step [s] assumed for reactions: the last one, or before the first step the largest stable one, at most 1 s; 0 if it is
 * unknown. */
static double step_of_reactions(elastica_world *world) {
  elastica_step_limit limit;
  if (world->clock.segment_dt > 0.0) return world->clock.segment_dt;
  if (elastica_world_step_limit(world, &limit) != ELASTICA_OK) return 0.0;
  return limit.dt <= 1.0 ? limit.dt : 1.0;
}

/* Adds slips on walls, and their reactions in a step from the present state by an evaluation of all loads. Where a module prevents the
 * evaluation, there are no reactions. */
static void read_walls(reader *r, touches *of) {
  elastica_world *world = r->world;
  if (!has_wall(world)) return;
  const double dt = step_of_reactions(world);
  const elastica_status status = dt > 0.0 ? elastica_world_evaluate(world, dt) : ELASTICA_OK;
  if (status == ELASTICA_OUT_OF_MEMORY) r->status = status; /* other refusals: the reactions are unknown, and left out */
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL && r->status == ELASTICA_OK;
       effect = eli_next_effect(world, effect)) {
    eli_body wall;
    if (!is_wall(effect)) continue;
    r->status = eli_find_solid(effect, "view_frame", &wall);
    for (elastica_rod *rod = NULL;
         r->status == ELASTICA_OK && (rod = eli_next_rod_of(world, elastica_effect_get(effect).rod, rod)) != NULL;) {
      wall_on_rod on = {r, of, effect, &wall.place, elastica_rod_get_view(rod)};
      read_wall_slips(&on, &wall.obstacle);
      if (dt > 0.0 && status == ELASTICA_OK) eli_rigid_obstacle_reactions(effect, on.rod, add_reaction, &on);
    }
  }
}

/* Prepares the table of the first elements of rods. */
static void begin_touches(reader *r, const eli_view_record *tubes, touches *of) {
  const int rods = elastica_world_get(r->world).rod_count;
  *of = (touches){.total = tubes->arrays[1].size};
  of->slip = eli_allocate(eli_world_allocator(r->world), of->total + 1, sizeof *of->slip);
  of->first = eli_allocate(eli_world_allocator(r->world), (size_t)rods + 1, sizeof *of->first);
  if (of->slip == NULL || of->first == NULL) {
    r->status = elastica_world_refuse(r->world, ELASTICA_OUT_OF_MEMORY, "view_frame: no memory for the slips of %d rods", rods);
    return;
  }
  size_t first = 0;
  for (elastica_rod *rod = eli_next_rod(r->world, NULL); rod != NULL; rod = eli_next_rod(r->world, rod)) {
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    of->first[view->rod_index] = first;
    if (!view->rigid) first += (size_t)view->element_count;
  }
}

static void read_touches(reader *r, const eli_view_record *tubes) {
  const eli_allocator *allocator = eli_world_allocator(r->world);
  int32_t *slips = find_slips(r, tubes);
  touches of;
  if (!has_surfaces(r->world)) return;
  begin_touches(r, tubes, &of);
  r->of = "rod";
  for (elastica_effect *effect = eli_next_effect(r->world, NULL); effect != NULL && r->status == ELASTICA_OK;
       effect = eli_next_effect(r->world, effect))
    if (elastica_effect_get(effect).is_enabled && eli_has_contacts(effect)) read_points(r, &of, effect);
  if (r->status == ELASTICA_OK) read_walls(r, &of);
  for (size_t k = 0; k < of.total && slips != NULL && r->status == ELASTICA_OK; k++)
    slips[k] = encode_float(of.slip[k], NO_SPEED * r->fastest);
  if (r->status == ELASTICA_OK && of.count > 0) write_arrows(r, of.points, of.count);
  eli_release(allocator, of.points);
  eli_release(allocator, of.slip);
  eli_release(allocator, of.first);
}

/* ---- A whole frame ---- */

elastica_status eli_view_read(elastica_world *world, const eli_view_layout *layout, const eli_view_frame *before, eli_view_frame *out) {
  reader r = {.world = world, .scale = &layout->scale, .before = before, .out = out, .status = ELASTICA_OK};
  *out = (eli_view_frame){.time = elastica_world_get(world).time};
  out->values = eli_allocate(eli_world_allocator(world), layout->value_count, sizeof *out->values);
  if (out->values == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "view_frame: no memory for a frame of %zu numbers", layout->value_count);
  read_tubes(&r, &layout->records[0]);
  if (r.status == ELASTICA_OK) read_solids(&r, &layout->records[1]);
  if (r.status == ELASTICA_OK) read_cables(&r, &layout->records[2]);
  if (r.status == ELASTICA_OK) read_joints(&r, &layout->records[3]);
  if (r.status == ELASTICA_OK) read_touches(&r, &layout->records[0]);
  if (r.status != ELASTICA_OK) eli_view_frame_free(world, out);
  return r.status;
}

void eli_view_frame_free(elastica_world *world, eli_view_frame *frame) {
  eli_release(eli_world_allocator(world), frame->values);
  eli_release(eli_world_allocator(world), frame->arrows);
  frame->values = frame->arrows = NULL;
}
