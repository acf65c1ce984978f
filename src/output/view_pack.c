/* Packs blocks of frames (see view_pack.h). */
#include "base/target.h"

#include "output/view_pack.h"

#include <math.h>
#include <string.h>

#include "output/deflate.h"

void eli_view_put_record(eli_bytes *out, const char *name, const eli_bytes *members, const eli_bytes *payload) {
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

/* ---- Arrays ---- */

/* An array of a block; the numbers of frame f begin at frames[f]. */
typedef struct series {
  const int32_t *const *frames;
  int count, lanes;
  size_t size;
} series;

/* Difference in time of a number. It wraps around. */
static uint32_t in_time(const series *of, int f, size_t k, int temporal) {
  const int order = f < temporal ? f : temporal;
  const uint32_t now = (uint32_t)of->frames[f][k];
  if (order == 0) return now;
  const uint32_t before = (uint32_t)of->frames[f - 1][k];
  return order == 1 ? now - before : now - 2 * before + (uint32_t)of->frames[f - 2][k];
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

/* ---- Blocks ---- */

static void pack_record(eli_bytes *out, const eli_view_record *record, int same, const eli_view_frame *frames, const int32_t **starts,
                        int first, int count) {
  size_t numbers = 0;
  eli_bytes members = eli_bytes_make(out->allocator), payload = eli_bytes_make(out->allocator);
  for (int k = 0; k < record->array_count; k++) numbers += record->arrays[k].size;
  if (numbers == 0) return;
  eli_bytes_print(&members, "\"first\":%d,\"count\":%d,", first, count);
  if (same)
    eli_bytes_text(&members, "\"same\":1");
  else
    eli_bytes_put(&members, record->text.data, record->text.count);
  if (!same) eli_bytes_put(&payload, record->fixed.data, record->fixed.count);
  eli_bytes_text(&members, ",\"arrays\":[");
  for (int k = 0; k < record->array_count; k++) {
    const eli_view_array *array = &record->arrays[k];
    const series of = {starts, count, array->lanes, array->size};
    for (int f = 0; f < count; f++) starts[f] = frames[f].values + array->first;
    put_array(&members, &payload, array, &of, k == 0);
  }
  eli_bytes_text(&members, "]");
  eli_view_put_record(out, record->name, &members, &payload);
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

static void pack_arrows(eli_bytes *out, const eli_view_frame *frames, int first, int count) {
  static const struct {
    eli_view_array array;
    int lane;
  } parts[] = {{{"point", NULL, NULL, ELI_VIEW_LENGTH, 3, 0, 0}, 0},
               {{"force", "N", NULL, ELI_VIEW_FLOAT, 3, 0, 0}, 3},
               {{"sticks", NULL, NULL, ELI_VIEW_FORMS, 1, 0, 0}, 6}};
  eli_bytes members = eli_bytes_make(out->allocator), payload = eli_bytes_make(out->allocator);
  size_t total = 0;
  for (int f = 0; f < count; f++) total += (size_t)frames[f].arrow_count;
  if (total == 0) return;
  int32_t *all = eli_allocate(out->allocator, ELI_VIEW_ARROW * total, sizeof *all);
  if (all == NULL) {
    out->failed = 1;
    return;
  }
  gather_arrows(frames, count, total, all);
  eli_bytes_print(&members, "\"first\":%d,\"count\":%d,\"counts\":", first, count);
  for (int f = 0; f < count; f++) eli_bytes_print(&members, "%s%d", f == 0 ? "[" : ",", frames[f].arrow_count);
  eli_bytes_text(&members, "],\"arrays\":[");
  for (int k = 0; k < 3; k++) {
    const int32_t *start = all + (size_t)parts[k].lane * total;
    const series of = {&start, 1, parts[k].array.lanes, total};
    put_array(&members, &payload, &parts[k].array, &of, k == 0);
  }
  eli_bytes_text(&members, "]");
  eli_view_put_record(out, "arrows", &members, &payload);
  eli_release(out->allocator, all);
  eli_bytes_free(&members);
  eli_bytes_free(&payload);
}

void eli_view_pack(eli_bytes *out, const eli_view_layout *layout, int same, const eli_view_frame *frames, int first, int count) {
  eli_bytes members = eli_bytes_make(out->allocator);
  const int32_t **starts = eli_allocate(out->allocator, (size_t)count, sizeof *starts);
  if (starts == NULL) {
    out->failed = 1;
    return;
  }
  for (int k = 0; k < ELI_VIEW_RECORDS; k++) pack_record(out, &layout->records[k], same, frames, starts, first, count);
  pack_arrows(out, frames, first, count);
  eli_bytes_print(&members, "\"first\":%d,\"times\":", first);
  for (int f = 0; f < count; f++) {
    eli_bytes_text(&members, f == 0 ? "[" : ",");
    eli_bytes_number(&members, frames[f].time);
  }
  eli_bytes_text(&members, "]");
  eli_view_put_record(out, "frames", &members, NULL);
  eli_bytes_free(&members);
  eli_release(out->allocator, (void *)starts);
}
