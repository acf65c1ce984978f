/* A run as one HTML page for browsers: viewer.html, then the run.
 *
 * Frames stay in memory as integers until the page is closed. Blocks of frames are packed once and kept; so are large fixed numbers. The
 * page is written as a draft and renamed: after each of the first frames, then whenever the number of calls has grown by a quarter, and at
 * the end. Readers therefore always find a complete page; until the first frame it is the page of an earlier run.
 *
 * Records of a page: each is a line with a name and base64 data. The data are a zlib stream of one line of JSON followed by bytes.
 *
 *   run     title, units and upward direction
 *   tubes, solids, cables, joints   one each for a block of frames of one layout (see view_scene.h). It describes the objects, or has
 *           "same":1 if the previous record of this name describes them. Bytes: fixed floats with a description, then the arrays. A
 *           description with many fixed floats is a record of its own without arrays; all blocks then have "same":1. "fewer" of solids:
 *           index, number of drawn triangles and of all of obstacles that are drawn with fewer
 *   arrows  contacts and reactions of walls in a block of frames: "counts" per frame, then arrays with the contacts of all frames;
 *           "contacts": the largest number of contacts of a frame, if some of them have no arrow
 *   meshes, modes   reserved for surfaces of triangles and for mode shapes
 *   frames  times of a block; resolution and origin of its lengths; "float": the largest relative error of its FLOAT. It is the last
 *           record of its block
 *   end     number of frames
 *
 * The numbers of an array are coded as differences: from the previous frame (temporal 1), from the line through the two previous frames
 * (temporal 2), or not at all (temporal 0). With spatial 1, and always in the first frame of a block, differences along the lane are taken
 * of the result. A difference d is written as 2 d, or -2 d - 1 if negative: first the lowest bytes of all numbers, then the next ones. The
 * upper bytes are mostly zero and compress to almost nothing.
 *
 * test       tests/test_view.c; tests/browser shows pages in a browser
 */
#include "base/target.h"
#include "base/system.h"
#include "hooks/built_in.h"

#include <elastica.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/deflate.h"
#include "output/objects.h"
#include "output/text.h"
#include "output/view_scene.h"
#include "output/viewer.h"
#include "state/definition.h"
#include "state/world.h"

typedef elastica_view_def view_def;
static const eli_field fields[] = {
    ELI_FIELD(view_def, struct_size),
    ELI_FIELD(view_def, title),
    ELI_FIELD(view_def, length_unit),
    ELI_FIELD(view_def, force_unit),
    ELI_NUMBERS(view_def, resolution, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    ELI_FIELD(view_def, size_limit),
    ELI_NUMBERS(view_def, up, ELI_RULE_DIRECTION | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(view_def, focus, ELI_RULE_NUMBER | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(view_def, span, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
};
static const view_def defaults = {.resolution = NAN, .size_limit = 1000000, .up = ELI_UNSET_VECTOR, .focus = ELI_UNSET_VECTOR, .span = NAN};
static const eli_layout def_layout = ELI_LAYOUT("view_def", view_def, fields, defaults);

/* Successive frames of one layout. */
typedef struct block {
  int first, count;
  eli_bytes text; /* its records */
} block;

struct elastica_view {
  elastica_world *world;
  eli_writer writer;
  double up[3];
  size_t size_limit;
  double resolution; /* from the definition */

  eli_view_layout *layouts;
  int layout_count;
  eli_view_frame *frames; /* kept frames: every stride-th call and the last one */
  long *calls;            /* number of the call of each kept frame */
  int frame_count;
  int rounds;                         /* 1: numbers of large scenes are rounded, because the page would exceed its limit */
  int coarse;                         /* 1: surfaces that change have few triangles, because those so far take a quarter of the page */
  long stride, call_count, published; /* published: number of calls at the last writing of the page */
  block *blocks;                      /* blocks of the first packed_frames frames */
  int block_count, packed_frames;

  eli_bytes about; /* title and units as members of a JSON object */
  char *draft;     /* after path, in the same block of memory */
  char path[];
};

void elastica_view_def_init(elastica_view_def *def, size_t size) {
  eli_def_init(&def_layout, def, size);
}

/* ---- Opening ---- */

/* Chooses the upward direction: as given, else opposite to the sum of gravities that are switched on, else z. */
static void choose_up(elastica_world *world, const double given[3], double up[3]) {
  double sum[3] = {0.0, 0.0, 0.0};
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL; effect = eli_next_effect(world, effect)) {
    if (!elastica_effect_get(effect).is_enabled || !eli_is_built_in(effect, "gravity")) continue;
    const double *acceleration = elastica_effect_get(effect).self; /* the self of gravity is its acceleration */
    for (int a = 0; a < 3; a++) sum[a] += acceleration[a];
  }
  const int has_gravity = sum[0] != 0.0 || sum[1] != 0.0 || sum[2] != 0.0;
  for (int a = 0; a < 3; a++) up[a] = !eli_is_nan(given[a]) ? given[a] : has_gravity ? 0.0 - sum[a] : a == 2 ? 1.0 : 0.0;
}

/* Writes title and units as members of a JSON object. */
static void describe_run(elastica_view *view, const view_def *def) {
  if (def->title == NULL) { /* "folder/walker.html" gives "walker" */
    const char *name = eli_file_name(view->path);
    const size_t length = strlen(name);
    memcpy(view->draft, name, length + 1);
    if (length > 5 && strcmp(view->draft + length - 5, ".html") == 0) view->draft[length - 5] = '\0';
  }
  eli_bytes_text(&view->about, "\"version\":1,\"title\":");
  eli_bytes_quote(&view->about, def->title != NULL ? def->title : view->draft);
  eli_bytes_text(&view->about, ",\"length_unit\":");
  eli_bytes_quote(&view->about, def->length_unit != NULL ? def->length_unit : "m");
  eli_bytes_text(&view->about, ",\"force_unit\":");
  eli_bytes_quote(&view->about, def->force_unit != NULL ? def->force_unit : "N");
  if (eli_is_nan(def->span)) return;
  eli_bytes_vector_member(&view->about, "focus", def->focus);
  eli_bytes_member(&view->about, "span", def->span);
}

static void forget_blocks(elastica_view *view) {
  for (int k = 0; k < view->block_count; k++) eli_bytes_free(&view->blocks[k].text);
  view->block_count = view->packed_frames = 0;
}

static void free_view(elastica_view *view) {
  const eli_allocator *allocator = eli_world_allocator(view->world);
  eli_writer_remove(view->world, &view->writer);
  forget_blocks(view);
  for (int f = 0; f < view->frame_count; f++) eli_view_frame_free(view->world, &view->frames[f]);
  for (int k = 0; k < view->layout_count; k++) eli_view_layout_free(&view->layouts[k]);
  eli_bytes_free(&view->about);
  eli_release(allocator, view->blocks);
  eli_release(allocator, view->frames);
  eli_release(allocator, view->calls);
  eli_release(allocator, view->layouts);
  eli_release(allocator, view);
}

/* Refuses texts that are not UTF-8, and an upward direction of length zero. */
static elastica_status check_texts(elastica_world *world, const view_def *def) {
  static const char *const name[] = {"title", "length_unit", "force_unit"};
  const char *const text[] = {def->title, def->length_unit, def->force_unit};
  for (int k = 0; k < 3; k++) {
    const size_t at = text[k] != NULL ? eli_find_not_utf8(text[k]) : SIZE_MAX;
    if (at == SIZE_MAX) continue;
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "view_open: view_def.%s is not UTF-8: its byte %zu is 0x%02x", name[k],
                                 at, (unsigned)(unsigned char)text[k][at]);
  }
  return ELASTICA_OK;
}

static elastica_status check_first_view(elastica_world *world, const view_def *def) {
  if (def->up[0] == 0.0 && def->up[1] == 0.0 && def->up[2] == 0.0) /* NaN: not set */
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "view_open: view_def.up is zero: a direction may have any other length");
  const int has_focus = !eli_is_nan(def->focus[0]), has_span = !eli_is_nan(def->span);
  if (has_focus == has_span) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "view_open: view_def.%s is set and view_def.%s is not",
                               has_focus ? "focus" : "span", has_focus ? "span" : "focus");
}

/* Creates and removes a draft, so that an unusable folder is reported before the run. */
static elastica_status try_draft(elastica_view *view) {
  eli_text_file text;
  const int error = eli_text_draft(&text, view->draft, view->path);
  if (error != 0) return eli_refuse_file(view->world, "view_open", view->path, error);
  eli_text_close(&text);
  remove(view->draft);
  return ELASTICA_OK;
}

/* Makes a page at a place that a file can take. */
static elastica_status open_at(elastica_world *world, const char *path, const view_def *def, elastica_view **out) {
  char label[ELI_PATH_LABEL_SIZE];
  const size_t length = strlen(path);
  elastica_view *view = eli_allocate(eli_world_allocator(world), 1, sizeof *view + 2 * (length + 1) + ELI_DRAFT_ROOM);
  if (view == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "view_open: no memory for '%s'", eli_shorten(path, label, sizeof label));
  view->world = world;
  view->size_limit = def->size_limit;
  view->resolution = def->resolution;
  view->stride = 1;
  memcpy(view->up, def->up, sizeof view->up);
  view->draft = view->path + length + 1;
  memcpy(view->path, path, length + 1);
  view->about = eli_bytes_make(eli_world_allocator(world));
  describe_run(view, def);
  elastica_status status = view->about.failed ? elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "view_open: no memory for '%s'",
                                                                      eli_shorten(path, label, sizeof label))
                                              : eli_writer_add(world, "view_open", &view->writer, view->path);
  if (status == ELASTICA_OK) status = try_draft(view);
  if (status == ELASTICA_OK)
    *out = view;
  else
    free_view(view);
  return status;
}

elastica_status elastica_view_open(elastica_world *world, const char *path, const elastica_view_def *def, elastica_view **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "view_open: out is NULL");
  if (path == NULL || path[0] == '\0')
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "view_open: path is %s", path == NULL ? "NULL" : "empty");
  view_def whole;
  char *resolved = NULL;
  elastica_status status = eli_def_read(world, &def_layout, &whole, def);
  if (status == ELASTICA_OK) status = check_texts(world, &whole);
  if (status == ELASTICA_OK) status = check_first_view(world, &whole);
  if (status == ELASTICA_OK) status = eli_find_place(world, "view_open", path, &resolved);
  if (status == ELASTICA_OK) status = open_at(world, resolved != NULL ? resolved : path, &whole, out);
  free(resolved);
  return status;
}

/* ---- Records ---- */

/* Appends a record. members: text of the members of its JSON object, such as "\"frames\":3". */
static void put_record(eli_bytes *out, const char *name, const eli_bytes *members, const eli_bytes *payload) {
  eli_bytes whole = eli_bytes_make(out->allocator), packed = eli_bytes_make(out->allocator);
  eli_bytes_text(&whole, "{");
  eli_bytes_put(&whole, members->data, members->count);
  eli_bytes_text(&whole, "}\n");
  if (payload != NULL) eli_bytes_put(&whole, payload->data, payload->count);
  if (!whole.failed) eli_deflate(&packed, whole.data, whole.count);
  eli_bytes_text(out, name);
  eli_bytes_text(out, " ");
  if (!packed.failed) eli_bytes_base64(out, packed.data, packed.count);
  eli_bytes_text(out, "\n");
  if (whole.failed || packed.failed || members->failed || (payload != NULL && payload->failed)) out->failed = 1;
  eli_bytes_free(&whole);
  eli_bytes_free(&packed);
}

/* ---- Arrays of a block ---- */

/* An array of a block; the numbers of frame f begin at frames[f]. */
typedef struct series {
  const int32_t *const *frames;
  int count, lanes;
  size_t size;
  int dropped; /* lowest bits that are rounded off */
} series;

static uint32_t number_of(const series *of, int f, size_t k) {
  const uint32_t number = (uint32_t)of->frames[f][k];
  return of->dropped == 0 ? number : (number + (1u << (of->dropped - 1))) & ~((1u << of->dropped) - 1u);
}

/* Difference in time of a number. It wraps around. */
static uint32_t in_time(const series *of, int f, size_t k, int temporal) {
  const int order = f < temporal ? f : temporal;
  const uint32_t now = number_of(of, f, k);
  if (order == 0) return now;
  const uint32_t before = number_of(of, f - 1, k);
  return order == 1 ? now - before : now - 2 * before + number_of(of, f - 2, k);
}

/* Computes the differences of an array in the order of writing: frame after frame, lane after lane. */
static void find_differences(const series *of, int temporal, int spatial, uint32_t *out) {
  for (int f = 0; f < of->count; f++)
    for (size_t k = 0; k < (size_t)of->lanes * of->size; k++) {
      const int alone = (!spatial && f > 0) || k % of->size == 0;
      const uint32_t d = in_time(of, f, k, temporal) - (alone ? 0 : in_time(of, f, k - 1, temporal));
      *out++ = d << 1 ^ (0u - (d >> 31));
    }
}

/* Estimates the size of differences in bits. */
static double cost_of(const uint32_t *differences, size_t count) {
  static const unsigned char bits_of[16] = {0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4};
  double bits = 0.0;
  for (size_t k = 0; k < count; k++) {
    uint32_t rest = differences[k];
    int shift = 0;
    if (rest >> 16) rest >>= 16, shift = 16;
    if (rest >> 8) rest >>= 8, shift += 8;
    if (rest >> 4) rest >>= 4, shift += 4;
    bits += shift + bits_of[rest];
  }
  return bits;
}

static void put_planes(eli_bytes *payload, const uint32_t *differences, size_t count) {
  unsigned char *planes = eli_bytes_reserve(payload, 4 * count);
  if (planes == NULL) return;
  for (size_t b = 0; b < 4; b++)
    for (size_t k = 0; k < count; k++) *planes++ = (unsigned char)(differences[k] >> (8 * b));
  payload->count += 4 * count;
}

/* Writes an array with the differences that take the fewest bits. */
static void put_array(eli_bytes *members, eli_bytes *payload, const eli_view_array *array, const series *of, int is_first) {
  static const char *const forms[] = {"length", "share", "turn", "float", "number"};
  const size_t count = (size_t)of->count * (size_t)of->lanes * of->size;
  uint32_t *differences = eli_allocate(members->allocator, count, sizeof *differences);
  int temporal = 0, spatial = 1;
  double least = INFINITY;
  for (int t = 0; t < 3 && t < of->count && differences != NULL; t++)
    for (int s = 0; s < 2; s++) {
      find_differences(of, t, s, differences);
      const double cost = cost_of(differences, count);
      if (cost >= least) continue;
      least = cost;
      temporal = t;
      spatial = s;
    }
  eli_bytes_print(members, "%s{\"name\":\"%s\",\"form\":\"%s\",\"lanes\":%d,\"size\":%zu,\"frames\":%d,\"temporal\":%d,\"spatial\":%d",
                  is_first ? "" : ",", array->name, forms[array->form], of->lanes, of->size, of->count, temporal, spatial);
  if (array->unit != NULL) eli_bytes_print(members, ",\"unit\":\"%s\"", array->unit);
  if (array->at != NULL) eli_bytes_print(members, ",\"at\":\"%s\"", array->at);
  eli_bytes_text(members, "}");
  if (differences != NULL) {
    find_differences(of, temporal, spatial, differences);
    put_planes(payload, differences, count);
  } else {
    payload->failed = 1;
  }
  eli_release(members->allocator, differences);
}

/* ---- Records of a block ---- */

/* [bytes] Fixed numbers above this are packed apart from the blocks, which are packed again whenever frames are left out. */
enum { MOST_FIXED = 1 << 14 };

static void put_numbers(eli_bytes *payload, const eli_view_record *record) {
  eli_bytes_put(payload, record->fixed.data, record->fixed.count);
  eli_bytes_put(payload, record->facets.data, record->facets.count);
}

static void put_text(eli_bytes *members, const eli_view_record *record) {
  eli_bytes_put(members, record->text.data, record->text.count);
  eli_bytes_put(members, record->sizes.data, record->sizes.count);
}

/* Appends the description of a record as a record of its own. It is packed once. */
static void put_description(eli_bytes *out, eli_view_record *record) {
  if (record->packed.count == 0) {
    eli_bytes members = eli_bytes_make(out->allocator), payload = eli_bytes_make(out->allocator);
    put_text(&members, record);
    put_numbers(&payload, record);
    put_record(&record->packed, record->name, &members, &payload);
    eli_bytes_free(&members);
    eli_bytes_free(&payload);
  }
  out->failed |= record->packed.failed;
  eli_bytes_put(out, record->packed.data, record->packed.count);
  if (record->packed.failed) eli_bytes_free(&record->packed);
}

/* source: the record with its description. coarse 1: bits are dropped. */
static void pack_record(eli_bytes *out, const eli_view_record *record, eli_view_record *source, int same, int coarse,
                        const eli_view_frame *frames, const int32_t **starts, int first, int count) {
  size_t numbers = 0;
  eli_bytes members = eli_bytes_make(out->allocator), payload = eli_bytes_make(out->allocator);
  for (int k = 0; k < record->array_count; k++) numbers += record->arrays[k].size;
  if (numbers == 0) return;
  if (!same && source->fixed.count + source->facets.count > MOST_FIXED) {
    put_description(out, source);
    same = 1;
  }
  eli_bytes_print(&members, "\"first\":%d,\"count\":%d,", first, count);
  if (same)
    eli_bytes_text(&members, "\"same\":1");
  else
    put_text(&members, source);
  if (!same) put_numbers(&payload, source);
  eli_bytes_text(&members, ",\"arrays\":[");
  for (int k = 0; k < record->array_count; k++) {
    const eli_view_array *array = &record->arrays[k];
    const series of = {starts, count, array->lanes, array->size, coarse ? eli_view_dropped_bits(array->form) : 0};
    for (int f = 0; f < count; f++) starts[f] = frames[f].values + array->first;
    put_array(&members, &payload, array, &of, k == 0);
  }
  eli_bytes_text(&members, "]");
  put_record(out, record->name, &members, &payload);
  eli_bytes_free(&members);
  eli_bytes_free(&payload);
}

/* Copies the contacts of all frames to common lanes, frame after frame. */
static void gather_arrows(const eli_view_frame *frames, int count, size_t total, int32_t *all) {
  for (int lane = 0; lane < ELI_VIEW_ARROW; lane++) {
    int32_t *to = all + (size_t)lane * total;
    for (int f = 0; f < count; f++) {
      const size_t own = (size_t)frames[f].arrow_count;
      if (own > 0) memcpy(to, frames[f].arrows + (size_t)lane * own, own * sizeof *to);
      to += own;
    }
  }
}

static void pack_arrows(eli_bytes *out, int coarse, const eli_view_frame *frames, int first, int count) {
  static const struct {
    eli_view_array array;
    int lane;
  } parts[] = {{{"point", NULL, NULL, ELI_VIEW_LENGTH, 3, 0, 0}, 0},
               {{"force", "N", NULL, ELI_VIEW_FLOAT, 3, 0, 0}, 3},
               {{"sticks", NULL, NULL, ELI_VIEW_FORMS, 1, 0, 0}, 6}};
  eli_bytes members = eli_bytes_make(out->allocator), payload = eli_bytes_make(out->allocator);
  size_t total = 0;
  int most = 0; /* contacts of a frame with more of them than arrows */
  for (int f = 0; f < count; f++) {
    total += (size_t)frames[f].arrow_count;
    if (frames[f].contact_count > frames[f].arrow_count && frames[f].contact_count > most) most = frames[f].contact_count;
  }
  if (total == 0) return;
  int32_t *all = eli_allocate(out->allocator, ELI_VIEW_ARROW * total, sizeof *all);
  if (all == NULL) {
    out->failed = 1;
    return;
  }
  gather_arrows(frames, count, total, all);
  eli_bytes_print(&members, "\"first\":%d,\"count\":%d,\"counts\":", first, count);
  for (int f = 0; f < count; f++) eli_bytes_print(&members, "%s%d", f == 0 ? "[" : ",", frames[f].arrow_count);
  if (most > 0)
    eli_bytes_print(&members, "],\"contacts\":%d,\"arrays\":[", most);
  else
    eli_bytes_text(&members, "],\"arrays\":[");
  for (int k = 0; k < 3; k++) {
    const int32_t *start = all + (size_t)parts[k].lane * total;
    const series of = {&start, 1, parts[k].array.lanes, total, coarse ? eli_view_dropped_bits(parts[k].array.form) : 0};
    put_array(&members, &payload, &parts[k].array, &of, k == 0);
  }
  eli_bytes_text(&members, "]");
  put_record(out, "arrows", &members, &payload);
  eli_release(out->allocator, all);
  eli_bytes_free(&members);
  eli_bytes_free(&payload);
}

/* Appends the records of a block of frames of one layout. first: index of its first frame on the page. before: layout of the previous
 * block, or NULL. rounds 1: numbers of large scenes are rounded. */
static void pack_frames(eli_bytes *out, eli_view_layout *layouts, const eli_view_layout *before, int rounds, const eli_view_frame *frames,
                        int first, int count) {
  const eli_view_layout *layout = &layouts[frames[0].layout];
  const int coarse = rounds && layout->scale.is_large;
  eli_bytes members = eli_bytes_make(out->allocator);
  const int32_t **starts = eli_allocate(out->allocator, (size_t)count, sizeof *starts);
  if (starts == NULL) {
    out->failed = 1;
    return;
  }
  for (int k = 0; k < ELI_VIEW_RECORDS; k++)
    pack_record(out, &layout->records[k], &layouts[layout->source[k]].records[k], before != NULL && before->source[k] == layout->source[k],
                coarse, frames, starts, first, count);
  pack_arrows(out, coarse, frames, first, count);
  eli_bytes_print(&members, "\"first\":%d,\"times\":", first);
  for (int f = 0; f < count; f++) {
    eli_bytes_text(&members, f == 0 ? "[" : ",");
    eli_bytes_number(&members, frames[f].time);
  }
  eli_bytes_text(&members, "]");
  eli_bytes_member(&members, "resolution", layout->scale.resolution);
  eli_bytes_vector_member(&members, "origin", layout->scale.origin);
  eli_bytes_member(&members, "float", eli_view_float_error(coarse));
  put_record(out, "frames", &members, NULL);
  eli_bytes_free(&members);
  eli_release(out->allocator, (void *)starts);
}

/* ---- Blocks ---- */

static elastica_status refuse_memory(elastica_view *view) {
  char label[ELI_PATH_LABEL_SIZE];
  return elastica_world_refuse(view->world, ELASTICA_OUT_OF_MEMORY, "view_frame: no memory for frame %ld of '%s'", view->call_count,
                               eli_shorten(view->path, label, sizeof label));
}

/* Largest number of frames in a block: enough for differences in time to repay, and enough numbers for good compression. */
static int most_in_block(const elastica_view *view, int first) {
  const size_t values = view->layouts[view->frames[first].layout].value_count, wanted = 400000 / (values + 1);
  return wanted < 8 ? 8 : wanted > 64 ? 64 : (int)wanted;
}

/* Counts the frames from `first` that form one block. */
static int find_block(const elastica_view *view, int first) {
  int count = 1;
  const int most = most_in_block(view, first);
  while (first + count < view->frame_count && count < most && view->frames[first + count].layout == view->frames[first].layout) count++;
  return count;
}

static void pack(const elastica_view *view, int first, int count, eli_bytes *out) {
  const eli_view_layout *before = first > 0 ? &view->layouts[view->frames[first - 1].layout] : NULL;
  pack_frames(out, view->layouts, before, view->rounds, view->frames + first, first, count);
}

/* Packs complete blocks. The last frame is left out, because the next one may replace it. */
static elastica_status pack_blocks(elastica_view *view) {
  while (view->packed_frames < view->frame_count) {
    const int first = view->packed_frames, count = find_block(view, first);
    if (first + count >= view->frame_count) return ELASTICA_OK;
    block *blocks = eli_grow(eli_world_allocator(view->world), view->blocks, (size_t)view->block_count, sizeof *blocks);
    if (blocks == NULL) return refuse_memory(view);
    view->blocks = blocks;
    block *added = &blocks[view->block_count];
    *added = (block){first, count, eli_bytes_make(eli_world_allocator(view->world))};
    pack(view, first, count, &added->text);
    if (added->text.failed) {
      eli_bytes_free(&added->text);
      return refuse_memory(view);
    }
    view->block_count++;
    view->packed_frames += count;
  }
  return ELASTICA_OK;
}

/* Makes the page smaller: rounds numbers if it has large scenes, else doubles the stride: it keeps every other frame, and the last one. */
static void thin(elastica_view *view) {
  int kept = 0, has_large = 0;
  for (int k = 0; k < view->layout_count; k++) has_large |= view->layouts[k].scale.is_large;
  if (has_large && !view->rounds) {
    view->rounds = 1;
    forget_blocks(view);
    return;
  }
  view->stride *= 2;
  for (int f = 0; f < view->frame_count; f++) {
    if (view->calls[f] % view->stride == 0 || f + 1 == view->frame_count) {
      view->frames[kept] = view->frames[f];
      view->calls[kept++] = view->calls[f];
    } else {
      eli_view_frame_free(view->world, &view->frames[f]);
    }
  }
  view->frame_count = kept;
  forget_blocks(view);
}

/* ---- The page ---- */

/* Composes the record of the run, the blocks, and the end. */
static void compose(const elastica_view *view, eli_bytes *out) {
  eli_bytes members = eli_bytes_make(eli_world_allocator(view->world));
  double up[3];
  choose_up(view->world, view->up, up);
  eli_bytes_put(&members, view->about.data, view->about.count);
  eli_bytes_vector_member(&members, "up", up);
  put_record(out, "run", &members, NULL);
  for (int k = 0; k < view->block_count; k++) eli_bytes_put(out, view->blocks[k].text.data, view->blocks[k].text.count);
  for (int first = view->packed_frames, count; first < view->frame_count; first += count) {
    count = find_block(view, first);
    pack(view, first, count, out);
  }
  eli_bytes_free(&members);
  members = eli_bytes_make(eli_world_allocator(view->world));
  eli_bytes_print(&members, "\"frames\":%d,\"stride\":%ld", view->frame_count, view->stride);
  put_record(out, "end", &members, NULL);
  eli_bytes_free(&members);
}

static size_t viewer_size(void) {
  size_t size = 0;
  for (int k = 0; k < eli_viewer_line_count; k++) size += strlen(eli_viewer_lines[k]);
  return size;
}

/* Writes the page with the frames so far. Frames are thinned until the page is within the size limit. */
static elastica_status publish(elastica_view *view) {
  static const char ending[] = "</script>\n</body>\n</html>\n";
  eli_bytes run = eli_bytes_make(eli_world_allocator(view->world));
  elastica_status status = pack_blocks(view);
  if (status == ELASTICA_OK) compose(view, &run);
  while (status == ELASTICA_OK && !run.failed && view->frame_count > 2 && viewer_size() + run.count + strlen(ending) > view->size_limit) {
    thin(view);
    eli_bytes_free(&run);
    status = pack_blocks(view);
    if (status == ELASTICA_OK) compose(view, &run);
  }
  if (status == ELASTICA_OK && run.failed) status = refuse_memory(view);
  if (status == ELASTICA_OK) {
    eli_text_file text;
    int error = eli_text_draft(&text, view->draft, view->path);
    const int drafted = error == 0;
    for (int k = 0; k < eli_viewer_line_count && drafted; k++) eli_text_put(&text, eli_viewer_lines[k], strlen(eli_viewer_lines[k]));
    if (drafted) {
      eli_text_put(&text, (const char *)run.data, run.count);
      eli_text_put(&text, ending, strlen(ending));
      error = eli_text_close(&text);
    }
    if (error == 0)
      status = eli_publish(view->world, "view_frame", view->draft, view->path, &view->writer);
    else
      status = eli_refuse_file(view->world, "view_frame", view->path, error);
    if (error != 0 && drafted) remove(view->draft);
  }
  if (status == ELASTICA_OK) view->published = view->call_count;
  eli_bytes_free(&run);
  return status;
}

/* ---- Frames ---- */

enum { SOLIDS = 1 }; /* number of their record */

/* Finds the records of a new layout that the last one has already, and drops their descriptions. Returns 1 if it has all of them. */
static int find_sources(const elastica_view *view, eli_view_layout *now) {
  int equal = view->layout_count > 0;
  for (int k = 0; k < ELI_VIEW_RECORDS; k++) {
    now->source[k] = view->layout_count;
    if (view->layout_count == 0) continue;
    const int source = view->layouts[view->layout_count - 1].source[k];
    if (eli_view_record_equal(&now->records[k], &view->layouts[source].records[k])) {
      now->source[k] = source;
      eli_view_record_free(&now->records[k]);
    } else {
      equal = 0;
    }
  }
  return equal;
}

/* Returns 1 while the triangles of surfaces and meshes so far take less than a quarter of the page. Surfaces that change, or over which
 * rods travel, may need new ones in each frame. */
static int may_be_fine(elastica_view *view) {
  size_t bytes = 0;
  for (int k = 0; k < view->layout_count; k++) bytes += view->layouts[k].records[SOLIDS].facets.count;
  if (bytes >= view->size_limit / 4) view->coarse = 1;
  return !view->coarse;
}

/* Gives the description of a record, which layout `from` has, to the next kept layout that needs it. */
static void pass_on(elastica_view *view, const int *is_kept, int from, int k) {
  int heir = from + 1;
  while (heir < view->layout_count && !(is_kept[heir] && view->layouts[heir].source[k] == from)) heir++;
  if (heir == view->layout_count) {
    eli_view_record_free(&view->layouts[from].records[k]);
    return;
  }
  eli_view_record_move(&view->layouts[from].records[k], &view->layouts[heir].records[k]);
  for (int other = from + 1; other < view->layout_count; other++)
    if (view->layouts[other].source[k] == from) view->layouts[other].source[k] = heir;
}

/* Removes the layouts that no kept frame has, but the last one, with which the next frame is compared. Without memory they stay. */
static void forget_layouts(elastica_view *view) {
  const eli_allocator *allocator = eli_world_allocator(view->world);
  int kept = 0;
  if (view->layout_count < 2) return;
  int *is_kept = eli_allocate(allocator, (size_t)view->layout_count, sizeof *is_kept);
  if (is_kept == NULL) return;
  memset(is_kept, 0, (size_t)view->layout_count * sizeof *is_kept);
  is_kept[view->layout_count - 1] = 1;
  for (int f = 0; f < view->frame_count; f++) is_kept[view->frames[f].layout] = 1;
  for (int l = 0; l < view->layout_count; l++)
    for (int k = 0; k < ELI_VIEW_RECORDS && !is_kept[l]; k++)
      if (view->layouts[l].source[k] == l) pass_on(view, is_kept, l, k);
  int *place = is_kept; /* from now on, the new index of each kept layout */
  for (int l = 0; l < view->layout_count; l++) {
    if (!is_kept[l]) continue;
    view->layouts[kept] = view->layouts[l];
    for (int k = 0; k < ELI_VIEW_RECORDS; k++) {
      int *source = &view->layouts[kept].source[k];
      *source = *source == l ? kept : place[*source];
    }
    place[l] = kept++;
  }
  for (int f = 0; f < view->frame_count; f++) view->frames[f].layout = place[view->frames[f].layout];
  view->layout_count = kept;
  eli_release(allocator, is_kept);
}

/* Returns the index of the present layout, added if it is new; -1 and the status on failure. */
static int find_layout(elastica_view *view, elastica_status *status) {
  enum { BYTES_OF_TRIANGLE = 4 * 12 }; /* triangles take at most about a quarter of the page */
  eli_view_layout now;
  const int fine = may_be_fine(view);
  *status = eli_view_describe(view->world, view->resolution, fine, &now);
  if (*status != ELASTICA_OK) return -1;
  if (find_sources(view, &now)) {
    eli_view_layout_free(&now);
    return view->layout_count - 1;
  }
  if (now.source[SOLIDS] == view->layout_count) {
    *status = eli_view_complete(view->world, &now.records[SOLIDS], fine, (double)view->size_limit / BYTES_OF_TRIANGLE);
  }
  eli_view_layout *layouts = NULL;
  if (*status == ELASTICA_OK) {
    layouts = eli_grow(eli_world_allocator(view->world), view->layouts, (size_t)view->layout_count, sizeof *layouts);
    if (layouts == NULL) *status = refuse_memory(view);
  }
  if (*status != ELASTICA_OK) {
    eli_view_layout_free(&now);
    return -1;
  }
  view->layouts = layouts;
  layouts[view->layout_count] = now;
  return view->layout_count++;
}

/* Reserves memory for one more frame. */
static elastica_status reserve_frame(elastica_view *view) {
  const eli_allocator *allocator = eli_world_allocator(view->world);
  eli_view_frame *frames = eli_grow(allocator, view->frames, (size_t)view->frame_count, sizeof *frames);
  if (frames != NULL) view->frames = frames;
  long *calls = eli_grow(allocator, view->calls, (size_t)view->frame_count, sizeof *calls);
  if (calls != NULL) view->calls = calls;
  return frames != NULL && calls != NULL ? ELASTICA_OK : refuse_memory(view);
}

/* Removes the frame that was added last, since its page could not be written. */
static void take_back(elastica_view *view) {
  eli_view_frame_free(view->world, &view->frames[--view->frame_count]);
  view->call_count--;
  forget_blocks(view);
}

elastica_status elastica_view_frame(elastica_view *view) {
  if (view == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(view->world, "view_frame", 0);
  if (status != ELASTICA_OK) return status;
  const int number = find_layout(view, &status);
  if (status == ELASTICA_OK) status = reserve_frame(view);
  if (status != ELASTICA_OK) return status;
  eli_view_frame added, *last = view->frame_count > 0 ? &view->frames[view->frame_count - 1] : NULL;
  status = eli_view_read(view->world, &view->layouts[number], last != NULL && last->layout == number ? last : NULL, &added);
  if (status != ELASTICA_OK) return status;
  added.layout = number;
  const int replaces = last != NULL && view->calls[view->frame_count - 1] % view->stride != 0; /* it was kept only as the last one */
  eli_view_frame replaced = replaces ? *last : added;
  const long replaced_call = replaces ? view->calls[--view->frame_count] : 0;
  view->frames[view->frame_count] = added;
  view->calls[view->frame_count++] = view->call_count++;
  if (view->call_count < 8 || view->call_count >= view->published + view->published / 4) status = publish(view);
  if (status != ELASTICA_OK) take_back(view);
  if (replaces && status == ELASTICA_OK)
    eli_view_frame_free(view->world, &replaced);
  else if (replaces)
    view->frames[view->frame_count] = replaced, view->calls[view->frame_count++] = replaced_call;
  forget_layouts(view);
  return status;
}

elastica_status elastica_view_close(elastica_view *view) {
  char label[ELI_PATH_LABEL_SIZE];
  if (view == NULL) return ELASTICA_OK;
  elastica_world *world = view->world;
  elastica_status status = ELASTICA_OK;
  if (view->call_count == 0)
    status = elastica_world_refuse(world, ELASTICA_WRONG_STATE, "view_close: there was no frame, and '%s' is not written",
                                   eli_shorten(view->path, label, sizeof label));
  else
    status = publish(view);
  free_view(view);
  return status;
}
