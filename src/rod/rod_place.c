/* The placement of rods: in the lists of the world and of the tile, and in the slab. Holes in the slab are filled first. */
#include "base/target.h"

#include "rod/rod_data.h"

static size_t end_of(const elastica_rod *rod) {
  return rod->offset + rod->body->slots;
}

/* Returns the hole after a rod; for rod NULL, the hole at the front of the tile. */
static eli_hole *hole_after(eli_tile *tile, elastica_rod *rod) {
  return rod != NULL ? &rod->body->hole : &tile->front;
}

/* ---- Adding ---- */

static void link_in_memory(eli_tile *tile, elastica_rod *rod, elastica_rod *below) {
  rod->body->below = below;
  rod->body->above = below != NULL ? below->body->above : tile->lowest;
  *(below != NULL ? &below->body->above : &tile->lowest) = rod;
  *(rod->body->above != NULL ? &rod->body->above->body->below : &tile->highest) = rod;
}

/* The new rod has the highest index in the tile. */
static void append_to_tile(eli_tile *tile, elastica_rod *rod) {
  rod->body->previous_in_tile = tile->last_rod;
  *(tile->last_rod != NULL ? &tile->last_rod->body->next_in_tile : &tile->first_rod) = rod;
  tile->last_rod = rod;
  tile->rod_count++;
  tile->closed |= rod->closed;
  tile->not_circular |= rod->body->not_circular;
}

static void append_to_world(elastica_world *world, elastica_rod *rod) {
  rod->body->previous = world->last_rod;
  *(world->last_rod != NULL ? &world->last_rod->body->next : &world->first_rod) = rod;
  world->last_rod = rod;
  rod->body->seat = eli_seats_take(&world->rod_seats);
  world->rods[world->rod_count++] = rod;
}

/* Places a rod at the start of a hole that is large enough. The remainder becomes the hole after the rod. */
static void place_in_hole(eli_slab *slab, elastica_rod *rod, eli_hole *hole) {
  if (hole->before == NULL) eli_slab_split(slab, hole->tile, rod->body->slots);
  eli_tile *tile = &slab->tiles[hole->tile];
  elastica_rod *below = hole->before;
  const size_t left = hole->slots - rod->body->slots;
  rod->offset = hole->begin;
  rod->tile = (unsigned)hole->tile;
  eli_slab_take_hole(slab, hole);
  rod->body->hole = (eli_hole){.begin = end_of(rod), .slots = left, .tile = rod->tile, .before = rod};
  eli_slab_put_hole(slab, &rod->body->hole);
  link_in_memory(tile, rod, below);
  if (end_of(rod) - tile->begin > tile->used) eli_slab_set_used(slab, tile, end_of(rod) - tile->begin);
}

static void place_at_end(eli_slab *slab, elastica_rod *rod) {
  const int rigid = eli_is_rigid(rod);
  if (eli_slab_fits_last(slab, rod->body->slots, rigid)) {
    eli_tile *last = &slab->tiles[slab->last_tile];
    eli_slab_take_hole(slab, hole_after(last, last->highest));
  }
  rod->offset = eli_slab_place(slab, rod->body->slots, rigid);
  rod->tile = (unsigned)slab->last_tile;
  eli_tile *tile = &slab->tiles[rod->tile];
  const size_t left = rigid ? tile->begin + tile->room - end_of(rod) : 0;
  rod->body->hole = (eli_hole){.begin = end_of(rod), .slots = left, .tile = rod->tile, .before = rod};
  eli_slab_put_hole(slab, &rod->body->hole);
  link_in_memory(tile, rod, tile->highest);
}

void eli_rod_place(elastica_rod *rod) {
  elastica_world *world = rod->world;
  eli_slab *slab = &world->slab;
  const size_t tiles = slab->tile_count, swept = slab->most_swept;
  eli_hole *hole = eli_slab_find_hole(slab, rod->body->slots, eli_is_rigid(rod));
  if (hole != NULL)
    place_in_hole(slab, rod, hole);
  else
    place_at_end(slab, rod);
  if (slab->tile_count != tiles || slab->most_swept != swept) eli_world_outdate(world, ELI_STALE_TILES);
  append_to_tile(&slab->tiles[rod->tile], rod);
  append_to_world(world, rod);
}

/* ---- Removing ---- */

static void unlink_from_memory(eli_tile *tile, elastica_rod *rod) {
  elastica_rod *below = rod->body->below, *above = rod->body->above;
  *(below != NULL ? &below->body->above : &tile->lowest) = above;
  *(above != NULL ? &above->body->below : &tile->highest) = below;
}

static void unlink_from_tile(eli_tile *tile, elastica_rod *rod) {
  elastica_rod *previous = rod->body->previous_in_tile, *next = rod->body->next_in_tile;
  *(previous != NULL ? &previous->body->next_in_tile : &tile->first_rod) = next;
  *(next != NULL ? &next->body->previous_in_tile : &tile->last_rod) = previous;
  tile->rod_count--;
  tile->closed = tile->not_circular = 0;
  ELI_EACH_ROD(other, rod->world, tile) {
    tile->closed |= other->closed;
    tile->not_circular |= other->body->not_circular;
  }
}

static void unlink_from_world(elastica_world *world, elastica_rod *rod) {
  elastica_rod *previous = rod->body->previous, *next = rod->body->next;
  *(previous != NULL ? &previous->body->next : &world->first_rod) = next;
  *(next != NULL ? &next->body->previous : &world->last_rod) = previous;
  world->rods[rod->index] = NULL;
  eli_seats_give_back(&world->rod_seats, rod->body->seat);
}

/* Makes one hole from the end of the rod below to the rod above; it includes the adjacent holes. */
static void leave_hole(eli_slab *slab, eli_tile *tile, elastica_rod *rod) {
  elastica_rod *below = rod->body->below, *above = rod->body->above;
  eli_hole *hole = hole_after(tile, below);
  eli_slab_clear(slab, rod->offset, rod->body->slots);
  eli_slab_take_hole(slab, hole);
  eli_slab_take_hole(slab, &rod->body->hole);
  hole->begin = below != NULL ? end_of(below) : tile->begin;
  hole->slots = (above != NULL ? above->offset : tile->begin + tile->room) - hole->begin;
  hole->tile = rod->tile;
  hole->before = below;
  eli_slab_put_hole(slab, hole);
  if (above == NULL) eli_slab_set_used(slab, tile, hole->begin - tile->begin);
}

void eli_rod_take_out(elastica_rod *rod) {
  elastica_world *world = rod->world;
  eli_tile *tile = &world->slab.tiles[rod->tile];
  if (world->limit_check.limit.rod_index == rod->index) world->limit_check.limit.rod_index = -1;
  leave_hole(&world->slab, tile, rod);
  unlink_from_memory(tile, rod);
  unlink_from_tile(tile, rod);
  unlink_from_world(world, rod);
}

void eli_rod_dismantle(elastica_rod *rod) {
  const eli_allocator *allocator = &rod->world->allocator;
  eli_release(allocator, rod->body->solid);
  eli_release(allocator, rod->body->own_hooks);
  eli_release(allocator, rod->body->spare_hooks);
  eli_release(allocator, rod->body);
  rod->body = NULL;
}
