/* Requirements of a tile: the stages of a step that the effects on its rods need, and the data that these stages must provide for hooks. */
#include "base/target.h"

#include "base/prescribed.h"
#include "effects/effects.h"

static int any_needs_derived(const elastica_world *world, eli_hook hook, const eli_tile *tile) {
  ELI_EACH_ROD(rod, world, tile)
    ELI_EACH_EFFECT(effect, rod, hook)
      if (effect->body->module.needs_derived) return 1;
  return 0;
}

/* Returns 1 if resultants can be added to empty lanes: each rod has at most one effect that adds them, and it reads nothing there. */
static int are_resultants_apart(const elastica_world *world, const eli_tile *tile) {
  ELI_EACH_ROD(rod, world, tile) {
    int count = 0;
    ELI_EACH_EFFECT(effect, rod, ELI_ADD_RESULTANTS)
      if (++count > 1 || effect->body->kind == NULL || !effect->body->kind->only_adds_resultants) return 0;
  }
  return eli_tile_has(world, tile, ELI_ADD_RESULTANTS);
}

/* Returns one bit for each hook of an effect on the tile's rods that is not parallel_safe. */
static unsigned find_ordered(const elastica_world *world, const eli_tile *tile) {
  unsigned ordered = 0;
  for (int hook = 0; hook < ELI_HOOK_COUNT; hook++) {
    if (!eli_tile_has(world, tile, (eli_hook)hook)) continue;
    ELI_EACH_ROD(rod, world, tile)
      ELI_EACH_EFFECT(effect, rod, (eli_hook)hook)
        if (!effect->body->module.parallel_safe) ordered |= ELI_HOOK_BIT(hook);
  }
  return ordered;
}

/* Returns 1 if a hook of a step reads lengths, dilatations or tangents of the tile's rods. */
static int any_needs_geometry(const elastica_world *world, const eli_tile *tile) {
  static const eli_hook hooks[] = {ELI_ADD_RESULTANTS,     ELI_ADD_LOADS,          ELI_ADD_REACTIONS,
                                   ELI_CONSTRAIN_POSITION, ELI_CONSTRAIN_VELOCITY, ELI_CONSTRAIN_SPIN};
  for (size_t k = 0; k < sizeof hooks / sizeof hooks[0]; k++)
    ELI_EACH_ROD(rod, world, tile)
      ELI_EACH_EFFECT(effect, rod, hooks[k])
        if (effect->body->module.needs_geometry) return 1;
  return 0;
}

/* Returns the part of the geometry that the effects on the tile's rods read. */
static int find_geometry_read(const elastica_world *world, const eli_tile *tile) {
  static const eli_hook hooks[] = {ELI_ADD_LOADS, ELI_ADD_REACTIONS};
  int read = ELI_NO_GEOMETRY;
  if (tile->derived || any_needs_geometry(world, tile)) return ELI_GEOMETRY;
  for (size_t k = 0; k < sizeof hooks / sizeof hooks[0]; k++)
    ELI_EACH_ROD(rod, world, tile)
      ELI_EACH_EFFECT(effect, rod, hooks[k]) {
        const eli_built_in *kind = effect->body->kind;
        if (kind == NULL || !kind->reads_lengths) continue;
        if (kind->reads_lengths == 2 && !world->law.classical) return ELI_GEOMETRY;
        read = ELI_LENGTHS;
      }
  return read;
}

/* Returns 1 if an effect that adds loads to the tile's rods, other than the damper, reads lengths that the sweep over internal loads
 * computes. */
static int any_awaits_lengths(const elastica_world *world, const eli_tile *tile) {
  if (!world->law.classical || tile->measured != ELI_LENGTHS) return 0;
  ELI_EACH_ROD(rod, world, tile)
    ELI_EACH_EFFECT(effect, rod, ELI_ADD_LOADS)
      if (effect != tile->damper && effect->body->kind != NULL && effect->body->kind->reads_lengths) return 1;
  return 0;
}

/* Returns the external lanes that effects with this hook, other than the damper, may write. */
static int find_loads_written(const elastica_world *world, const eli_tile *tile, eli_hook hook) {
  int written = ELI_NO_LOADS;
  ELI_EACH_ROD(rod, world, tile)
    ELI_EACH_EFFECT(effect, rod, hook) {
      if (effect == tile->damper) continue;
      if (effect->body->kind == NULL || effect->body->kind->adds_rates) return ELI_LOADS_AND_RATES;
      written = ELI_LOADS;
    }
  return written;
}

/* Returns the effect with rates that the kick can compute: the only effect with rates, on all rods of the tile; else NULL. */
static const elastica_effect *find_damper(const elastica_world *world, const eli_tile *tile) {
  const elastica_effect *damper = NULL;
  if (tile->closed || tile->rigid || tile->not_circular || tile->reacting || world->law.explicit_couples || world->budget != NULL)
    return NULL;
  ELI_EACH_ROD(rod, world, tile) {
    const elastica_effect *own = NULL;
    ELI_EACH_EFFECT(effect, rod, ELI_ADD_LOADS) {
      if (effect->body->kind != NULL && !effect->body->kind->adds_rates) continue;
      if (own != NULL || effect->body->kind == NULL || effect->body->kind->damping == NULL) return NULL;
      own = effect;
    }
    if (own == NULL || (damper != NULL && own != damper)) return NULL;
    damper = own;
  }
  return damper;
}

/* Returns the effect with rates that can be added to all rods of the tile in one sweep: on each rod it is the first one that adds rates;
 * else NULL. */
static const elastica_effect *find_rates(const elastica_world *world, const eli_tile *tile) {
  const elastica_effect *common = NULL;
  if (tile->damper != NULL || tile->closed || tile->rigid || world->budget != NULL) return NULL;
  ELI_EACH_ROD(rod, world, tile) {
    const elastica_effect *first = NULL;
    ELI_EACH_EFFECT(effect, rod, ELI_ADD_LOADS)
      if (first == NULL && (effect->body->kind == NULL || effect->body->kind->adds_rates)) first = effect;
    if (first == NULL || first->body->kind == NULL || first->body->kind->damping == NULL) return NULL;
    if (common != NULL && first != common) return NULL;
    common = first;
  }
  return common;
}

/* Returns 1 if all hooks of this kind on the tile's rods belong to pins and clamps; with at_rest, to constant ones. */
static int are_all_holds(const elastica_world *world, const eli_tile *tile, eli_hook hook, int at_rest) {
  ELI_EACH_ROD(rod, world, tile)
    ELI_EACH_EFFECT(effect, rod, hook)
      if (!eli_prescribed_has_hooks(&effect->body->module) || (at_rest && eli_prescribed_moves(effect->self))) return 0;
  return 1;
}

/* Determines the stages of a step that the effects on a tile's rods require. */
void eli_tile_describe_needs(const elastica_world *world, eli_tile *tile) {
  tile->hooks = 0;
  ELI_EACH_ROD(rod, world, tile) tile->hooks |= rod->body->hooks->hooks;
  tile->reacting = eli_tile_has(world, tile, ELI_ADD_REACTIONS);
  tile->damper = find_damper(world, tile);
  tile->rates = find_rates(world, tile);
  const int loads = find_loads_written(world, tile, ELI_ADD_LOADS), reactions = find_loads_written(world, tile, ELI_ADD_REACTIONS);
  tile->loaded = loads > reactions ? loads : reactions;
  const int read = any_needs_derived(world, ELI_ADD_LOADS, tile) || any_needs_derived(world, ELI_ADD_REACTIONS, tile);
  tile->resultants_apart = !read && are_resultants_apart(world, tile);
  tile->derived = read || (eli_tile_has(world, tile, ELI_ADD_RESULTANTS) && !tile->resultants_apart);
  tile->gathered = read || (tile->reacting && tile->closed);
  tile->measured = find_geometry_read(world, tile);
  tile->loads_early = !tile->rigid && !tile->derived && !any_awaits_lengths(world, tile);
  tile->kicked_at_once = !tile->closed && are_all_holds(world, tile, ELI_CONSTRAIN_VELOCITY, 0);
  /* All three kinds must be constant: another effect may give a fixed node a velocity, or a fixed frame a spin. */
  tile->positions_stay = are_all_holds(world, tile, ELI_CONSTRAIN_POSITION, 1) && are_all_holds(world, tile, ELI_CONSTRAIN_VELOCITY, 1) &&
                         are_all_holds(world, tile, ELI_CONSTRAIN_SPIN, 1);
  tile->masses_due = 1;
  tile->ordered = find_ordered(world, tile);
}
