/* Allocates the slab and places rods in its tiles (see slab.h). */
#include "base/target.h"

#include "slab/slab.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static size_t whole_blocks(size_t slots) {
  return (slots + ELI_BLOCK - 1) / ELI_BLOCK * ELI_BLOCK;
}

#define LANE(name, width, neutral, place, plain, kept) {ELI_##name, width, ELI_AT_##place, plain, NULL, kept},
#define CONSTANT(name, width, neutral, place, plain, constant) {ELI_##name, width, ELI_AT_##place, plain, constant, NULL},
const eli_lane_group eli_lane_groups[ELI_LANE_GROUPS] = {ELI_LANES(LANE, CONSTANT)};
#undef LANE
#undef CONSTANT

double eli_slab_neutral(int lane) {
  if (lane == ELI_DIRECTOR || lane == ELI_DIRECTOR + 4 || lane == ELI_DIRECTOR + 8) return 1.0;
#define NEUTRAL(name, width, neutral, ...)                                                                                                 \
  if (lane <= ELI_LAST_##name) return neutral;
  ELI_LANES(NEUTRAL, NEUTRAL)
#undef NEUTRAL
  return 0.0;
}

void eli_slab_clear_loads(eli_slab *slab, const eli_tile *tile) {
  for (int k = ELI_FORCE; k < ELI_LANE_COUNT; k++)
    for (size_t i = 0; i < tile->count; i++) slab->lane[k][tile->begin + i] = -0.0;
}

/* Spaces the lanes against 4K aliasing: a load waits for an earlier store if the last 12 bits of their addresses agree, and a sweep loads
 * and stores many lanes at the same slot. Neighbouring lanes are therefore an odd multiple of 4 cache lines apart. 12 bits distinguish 64
 * lines: the same slot of two lanes has the same 12 bits or is at least 4 lines away, so that no load comes just behind the store of
 * another lane. page_offset separates two arrays of lanes. */
void *eli_lanes_allocate(const eli_allocator *allocator, size_t slots, int lane_count, size_t page_offset, double **lane) {
  enum { PAGE = 4096 / sizeof(double), SPACING = 4 * ELI_BLOCK };
  if (slots > SIZE_MAX / 16 / sizeof(double) / (size_t)lane_count) return NULL;
  size_t stride = (whole_blocks(slots) + 2 * ELI_BLOCK + SPACING - 1) / SPACING * SPACING;
  if (stride / SPACING % 2 == 0) stride += SPACING;
  if (stride < ELI_SMALL_STRIDE) stride = ELI_SMALL_STRIDE;
  void *memory = eli_allocate(allocator, stride * (size_t)lane_count + 2 * PAGE, sizeof(double));
  if (memory == NULL) return NULL;
  double *first = (double *)memory + (-(uintptr_t)memory & 4095) / sizeof(double) + page_offset;
  for (int k = 0; k < lane_count; k++) lane[k] = first + (size_t)k * stride + ELI_BLOCK;
  return memory;
}

/* ---- Holes ---- */

static size_t size_class(size_t slots) {
  size_t class = 0;
  while (slots > 1 && class + 1 < ELI_HOLE_SIZES) {
    slots /= 2;
    class ++;
  }
  return class;
}

/* Searches the size class of the request for the first hole that fits; any hole of a larger class fits. */
eli_hole *eli_slab_find_hole(const eli_slab *slab, size_t slots, int rigid) {
  for (size_t class = size_class(slots); class < ELI_HOLE_SIZES; class ++)
    for (eli_hole *hole = slab->holes[rigid][class]; hole != NULL; hole = hole->next)
      if (hole->slots >= slots) return hole;
  return NULL;
}

static eli_hole **first_alike(eli_slab *slab, const eli_hole *hole) {
  return &slab->holes[slab->tiles[hole->tile].rigid][size_class(hole->slots)];
}

void eli_slab_put_hole(eli_slab *slab, eli_hole *hole) {
  if (hole->slots == 0) return;
  eli_hole **first = first_alike(slab, hole);
  hole->previous = NULL;
  hole->next = *first;
  if (*first != NULL) (*first)->previous = hole;
  *first = hole;
}

void eli_slab_take_hole(eli_slab *slab, eli_hole *hole) {
  if (hole->slots == 0) return;
  *(hole->previous != NULL ? &hole->previous->next : first_alike(slab, hole)) = hole->next;
  if (hole->next != NULL) hole->next->previous = hole->previous;
  hole->slots = 0;
}

/* ---- Memory ---- */

void eli_slab_init(eli_slab *slab, const eli_allocator *allocator, size_t tile_size) {
  memset(slab, 0, sizeof *slab);
  slab->allocator = *allocator;
  slab->tile_size = tile_size;
}

void eli_slab_destroy(eli_slab *slab) {
  for (size_t t = 0; t < slab->tile_count; t++) eli_release(&slab->allocator, slab->tiles[t].calls);
  eli_release(&slab->allocator, slab->memory);
  eli_release(&slab->allocator, slab->tiles);
}

/* Reserves the upper bound for any division into rods. Two successive tiles together hold more than tile_size slots, and each holds a rod
 * of at least two slots: this bounds the number of tiles. A tile is rounded up to whole blocks and has a gap. eli_slab_reserve itself
 * rounds up and adds two blocks. */
int eli_slab_reserve_all(eli_slab *slab, size_t slots) {
  if (slots > SIZE_MAX / 16 / sizeof(double)) return 0; /* not allocatable, and the sums below would overflow */
  const size_t by_size = 2 * (slots / slab->tile_size) + 1, by_rods = slots / 2, tiles = by_size < by_rods ? by_size : by_rods;
  return eli_slab_reserve(slab, slots + tiles * (2 * ELI_BLOCK - 1) + ELI_BLOCK, 0);
}

/* Adds the holes at the front of tiles to the lists (shown 1), or removes them before the array of tiles moves, since lists point into
 * it. */
static void show_fronts(eli_slab *slab, int shown) {
  for (size_t t = 0; t < slab->tile_count; t++) {
    eli_hole *front = &slab->tiles[t].front;
    const size_t slots = front->slots;
    if (shown) eli_slab_put_hole(slab, front);
    if (!shown) eli_slab_take_hole(slab, front);
    front->slots = slots;
  }
}

/* Reserves memory for one more tile. The array moves if the number of tiles is a power of two. */
static int reserve_tile(eli_slab *slab) {
  const int grows = (slab->tile_count & (slab->tile_count - 1)) == 0;
  if (grows) show_fronts(slab, 0);
  eli_tile *tiles = eli_grow(&slab->allocator, slab->tiles, slab->tile_count, sizeof *tiles);
  if (tiles != NULL) slab->tiles = tiles;
  if (grows) show_fronts(slab, 1);
  return tiles != NULL;
}

/* Room of a new tile for a rod of so many slots. */
static size_t room_of(const eli_slab *slab, size_t slots, int rigid) {
  const size_t most = slab->tile_size < ELI_BODY_ROOM ? slab->tile_size : ELI_BODY_ROOM;
  return rigid && most > slots ? most : slots;
}

int eli_slab_reserve(eli_slab *slab, size_t slots, int rigid) {
  if (!reserve_tile(slab)) return 0;
  const size_t needed = slab->end + whole_blocks(room_of(slab, slots, rigid)) + 2 * ELI_BLOCK;
  if (needed <= slab->capacity || eli_slab_find_hole(slab, slots, rigid) != NULL) return 1;
  const size_t capacity = slab->capacity + slab->capacity / 2 > needed ? slab->capacity + slab->capacity / 2 : needed;
  double *lane[ELI_LANE_COUNT];
  void *memory = eli_lanes_allocate(&slab->allocator, capacity, ELI_LANE_COUNT, 0, lane);
  if (memory == NULL) return 0;
  for (int k = 0; k < ELI_LANE_COUNT; k++) {
    if (slab->end > 0) memcpy(lane[k], slab->lane[k], slab->end * sizeof(double));
    const double neutral = eli_slab_neutral(k);
    for (size_t i = slab->end; i < capacity; i++) lane[k][i] = neutral;
    for (size_t i = 1; i <= ELI_BLOCK; i++) lane[k][-(ptrdiff_t)i] = lane[k][capacity + i - 1] = neutral;
    slab->lane[k] = lane[k];
  }
  eli_release(&slab->allocator, slab->memory);
  slab->memory = memory;
  slab->capacity = capacity;
  return 1;
}

/* ---- Placing ---- */

void eli_slab_set_used(eli_slab *slab, eli_tile *tile, size_t used) {
  assert(tile->begin % ELI_BLOCK == 0);
  tile->used = used;
  tile->count = whole_blocks(used > 0 ? used : 1);
  if (tile->count > slab->most_swept) slab->most_swept = tile->count;
}

static eli_tile *add_tile(eli_slab *slab, size_t begin, int rigid) {
  eli_tile *tile = &slab->tiles[slab->tile_count++];
  memset(tile, 0, sizeof *tile);
  tile->begin = begin;
  tile->rigid = rigid;
  eli_slab_set_used(slab, tile, 0);
  return tile;
}

int eli_slab_fits_last(const eli_slab *slab, size_t slots, int rigid) {
  const eli_tile *last = slab->tile_count > 0 ? &slab->tiles[slab->last_tile] : NULL;
  return last != NULL && !rigid && !last->rigid && last->used + slots <= slab->tile_size;
}

size_t eli_slab_place(eli_slab *slab, size_t slots, int rigid) {
  assert(slots >= ELI_BODY_SLOTS);
  if (!eli_slab_fits_last(slab, slots, rigid)) {
    slab->last_tile = slab->tile_count;
    add_tile(slab, slab->end, rigid)->room = rigid ? room_of(slab, slots, rigid) : 0;
  }
  eli_tile *tile = &slab->tiles[slab->last_tile];
  const size_t offset = tile->begin + tile->used;
  eli_slab_set_used(slab, tile, tile->used + slots);
  if (tile->used > tile->room) tile->room = tile->used;
  slab->end = tile->begin + whole_blocks(tile->room) + ELI_BLOCK;
  assert(slab->end <= slab->capacity);
  return offset;
}

void eli_slab_split(eli_slab *slab, size_t t, size_t slots) {
  eli_tile *tile = &slab->tiles[t];
  const size_t least = slots > slab->tile_size ? slots : slab->tile_size, kept = whole_blocks(least), rest = kept + ELI_BLOCK;
  if (tile->rod_count > 0 || tile->room < rest + ELI_BLOCK) return;
  if (slab->last_tile == t) slab->last_tile = slab->tile_count;
  eli_tile *other = add_tile(slab, tile->begin + rest, tile->rigid);
  eli_slab_take_hole(slab, &tile->front);
  other->room = tile->room - rest;
  tile->room = kept;
  tile->front.slots = tile->room;
  eli_slab_put_hole(slab, &tile->front);
  other->front = (eli_hole){.begin = other->begin, .slots = other->room, .tile = slab->tile_count - 1};
  eli_slab_put_hole(slab, &other->front);
}

void eli_slab_clear(eli_slab *slab, size_t begin, size_t slots) {
  for (int k = 0; k < ELI_LANE_COUNT; k++) {
    const double neutral = eli_slab_neutral(k);
    for (size_t i = begin; i < begin + slots; i++) slab->lane[k][i] = neutral;
  }
}
