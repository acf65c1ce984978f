/* Prepares a world for steps and queries after a change: lists of hooks of rods, requirements of tiles and their calls of add_loads,
 * scratch, masses, constraints. Only outdated data (state/world.h) are updated.
 *
 * The requirements of a tile are the stages of a step that the effects on its rods need, and the data that these stages must provide for
 * hooks.
 * test       tests/test_prepare.c, tests/test_changes.c, tests/test_removal.c
 */
#include "base/target.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "hooks/effects.h"
#include "rod/rod_data.h"
#include "state/definition.h"
#include "state/prescribed.h"

/* ---- Lists of hooks ---- */

/* Iterator over the effects on a rod in order of addition: those on this rod alone and those on every rod. */
typedef struct walk {
  elastica_effect *alone, *common;
} walk;

static walk walk_of(const elastica_world *world, const elastica_rod *rod) {
  return (walk){rod != NULL ? rod->body->effects.first : NULL, world->effects.common.first};
}

static elastica_effect *next_of(walk *at) {
  elastica_effect **from = at->common == NULL || (at->alone != NULL && at->alone->index < at->common->index) ? &at->alone : &at->common;
  elastica_effect *effect = *from;
  if (effect != NULL) *from = effect->body->next_alike;
  return effect;
}

/* Counts the entries for a rod, or with NULL for rods without their own effects. */
static size_t count_entries(const elastica_world *world, const elastica_rod *rod) {
  walk at = walk_of(world, rod);
  size_t entries = 0;
  for (const elastica_effect *effect = next_of(&at); effect != NULL; effect = next_of(&at))
    for (unsigned hooks = effect->enabled ? effect->body->hooks : 0; hooks != 0; hooks &= hooks - 1) entries++;
  return entries;
}

static void fill_list(const elastica_world *world, const elastica_rod *rod, eli_hook_list *list) {
  size_t entries = 0;
  list->hooks = 0;
  for (int hook = 0; hook < ELI_HOOK_COUNT; hook++) {
    walk at = walk_of(world, rod);
    list->first[hook] = entries;
    for (elastica_effect *effect = next_of(&at); effect != NULL; effect = next_of(&at))
      if (effect->enabled && effect->body->hooks & ELI_HOOK_BIT(hook)) list->effects[entries++] = effect;
    if (entries > list->first[hook]) list->hooks |= ELI_HOOK_BIT(hook);
  }
  list->first[ELI_HOOK_COUNT] = entries;
}

/* Ensures that the present list or the spare one is large enough. Returns 0 if memory runs out. */
static int reserve_list(const elastica_world *world, const elastica_rod *rod, const eli_hook_list *list, eli_hook_list **spare) {
  const size_t entries = count_entries(world, rod);
  if ((list != NULL && list->capacity >= entries) || (*spare != NULL && (*spare)->capacity >= entries)) return 1;
  eli_hook_list *larger = eli_allocate(&world->allocator, 1, sizeof *larger + entries * sizeof *larger->effects);
  if (larger == NULL) return 0;
  larger->capacity = entries;
  eli_release(&world->allocator, *spare);
  *spare = larger;
  return 1;
}

static void renew_list(const elastica_world *world, const elastica_rod *rod, eli_hook_list **list, eli_hook_list **spare) {
  if (*spare != NULL) {
    eli_release(&world->allocator, *list);
    *list = *spare;
    *spare = NULL;
  }
  fill_list(world, rod, *list);
}

static int lists_are_stale(const elastica_rod *rod) {
  return (rod->body->stale & ELI_STALE_LISTS) != 0;
}

/* Allocates all memory first, so that either all lists change or none does. Returns 0 if memory runs out; the lists are then intact. */
static int reserve_lists(elastica_world *world) {
  if (world->stale & ELI_STALE_COMMON && !reserve_list(world, NULL, world->effects.common_hooks, &world->effects.spare_hooks)) return 0;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    if (!(world->bodies.slab.tiles[t].stale & ELI_STALE_LISTS)) continue;
    ELI_EACH_ROD(rod, world, &world->bodies.slab.tiles[t])
      if (lists_are_stale(rod) && rod->body->effects.first != NULL &&
          !reserve_list(world, rod, rod->body->own_hooks, &rod->body->spare_hooks))
        return 0;
  }
  return 1;
}

/* Allocates memory for the add_loads calls of a tile with up-to-date lists of hooks; returns 0 if memory runs out. */
static int reserve_calls(const elastica_world *world, eli_tile *tile) {
  size_t count = 0;
  ELI_EACH_ROD(rod, world, tile) {
    const eli_hook_list *hooks = rod->body->hooks;
    count += hooks->first[ELI_ADD_LOADS + 1] - hooks->first[ELI_ADD_LOADS];
  }
  if (tile->call_capacity >= count) return 1;
  eli_load_call *calls = eli_allocate(&world->allocator, count, sizeof *calls);
  if (calls == NULL) return 0;
  eli_release(&world->allocator, tile->calls);
  tile->calls = calls;
  tile->call_capacity = count;
  tile->call_count = 0;
  return 1;
}

/* Returns an index of nodes and elements of the rod, or the default if it has no such index. */
static int within(const elastica_rod *rod, int index, int or_else) {
  return index >= 0 && index <= rod->element_count ? index : or_else;
}

/* Lists the add_loads calls for the rods of a tile, after lists of hooks have changed. */
static void list_calls(eli_tile *tile) {
  tile->call_count = 0;
  ELI_EACH_ROD(rod, NULL, tile)
    ELI_EACH_EFFECT(effect, rod, ELI_ADD_LOADS) {
      const elastica_module *module = &effect->body->module;
      tile->calls[tile->call_count++] = (eli_load_call){.effect = effect,
                                                        .rod = rod,
                                                        .is_idle = module->is_idle,
                                                        .add_loads = module->add_loads,
                                                        .self = effect->self,
                                                        .view = &rod->body->view,
                                                        .first = rod->offset - tile->begin,
                                                        .first_written = within(rod, module->first_written, 0),
                                                        .last_written = within(rod, module->last_written, rod->element_count),
                                                        .rod_index = rod->index,
                                                        .parallel_safe = module->parallel_safe};
    }
}

static int build_lists(elastica_world *world) {
  if (!reserve_lists(world)) return 0;
  if (world->stale & ELI_STALE_COMMON) renew_list(world, NULL, &world->effects.common_hooks, &world->effects.spare_hooks);
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    if (!(world->bodies.slab.tiles[t].stale & ELI_STALE_LISTS)) continue;
    ELI_EACH_ROD(rod, world, &world->bodies.slab.tiles[t]) {
      if (!lists_are_stale(rod)) continue;
      const int alone = rod->body->effects.first != NULL;
      if (alone) renew_list(world, rod, &rod->body->own_hooks, &rod->body->spare_hooks);
      rod->body->hooks = alone ? rod->body->own_hooks : world->effects.common_hooks;
    }
    if (!reserve_calls(world, &world->bodies.slab.tiles[t])) return 0;
  }
  return 1;
}
/* ---- Requirements of a tile ---- */

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
      if (++count > 1 || effect->body->module.reads_resultants) return 0;
  }
  return eli_tile_has(tile, ELI_ADD_RESULTANTS);
}

/* Returns one bit for each hook of an effect on the tile's rods that is not parallel_safe. */
static unsigned find_ordered(const elastica_world *world, const eli_tile *tile) {
  unsigned ordered = 0;
  for (int hook = 0; hook < ELI_HOOK_COUNT; hook++) {
    if (!eli_tile_has(tile, (eli_hook)hook)) continue;
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
        const int reads = effect->body->module.reads_lengths;
        if (!reads) continue;
        if (reads == 2 && !world->law.classical) return ELI_GEOMETRY;
        read = ELI_LENGTHS;
      }
  return read;
}

/* Returns the external lanes that effects with this hook, other than the damper, may write. */
static int find_loads_written(const elastica_world *world, const eli_tile *tile, eli_hook hook) {
  int written = ELI_NO_LOADS;
  ELI_EACH_ROD(rod, world, tile)
    ELI_EACH_EFFECT(effect, rod, hook) {
      if (effect == tile->damper) continue;
      if (effect->body->module.adds_rates) return ELI_LOADS_AND_RATES;
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
      if (!effect->body->module.adds_rates) continue;
      if (own != NULL || effect->body->kind == NULL || effect->body->kind->damping == NULL) return NULL;
      own = effect;
    }
    if (own == NULL || (damper != NULL && own != damper)) return NULL;
    damper = own;
  }
  return damper;
}

/* Returns 1 if all hooks of this kind on the tile's rods belong to boundaries; with at_rest, to constant ones. */
static int are_all_prescribed(const elastica_world *world, const eli_tile *tile, eli_hook hook, int at_rest) {
  ELI_EACH_ROD(rod, world, tile)
    ELI_EACH_EFFECT(effect, rod, hook)
      if (!eli_prescribed_has_hooks(&effect->body->module) || (at_rest && eli_prescribed_moves(effect->self))) return 0;
  return 1;
}

/* Determines the stages of a step that the effects on a tile's rods require. */
static void describe_requirements(const elastica_world *world, eli_tile *tile) {
  tile->hooks = 0;
  ELI_EACH_ROD(rod, world, tile) tile->hooks |= rod->body->hooks->hooks;
  tile->reacting = eli_tile_has(tile, ELI_ADD_REACTIONS);
  tile->damper = find_damper(world, tile);
  const int loads = find_loads_written(world, tile, ELI_ADD_LOADS), reactions = find_loads_written(world, tile, ELI_ADD_REACTIONS);
  tile->loaded = loads > reactions ? loads : reactions;
  const int read = any_needs_derived(world, ELI_ADD_LOADS, tile) || any_needs_derived(world, ELI_ADD_REACTIONS, tile);
  tile->resultants_apart = !read && are_resultants_apart(world, tile);
  tile->derived = read || (eli_tile_has(tile, ELI_ADD_RESULTANTS) && !tile->resultants_apart);
  tile->gathered = read || (tile->reacting && tile->closed);
  tile->measured = find_geometry_read(world, tile);
  tile->kicked_at_once = !tile->closed && are_all_prescribed(world, tile, ELI_CONSTRAIN_VELOCITY, 0);
  /* All three kinds must be constant: another effect may give a fixed node a velocity, or a fixed frame a spin. */
  tile->positions_stay = are_all_prescribed(world, tile, ELI_CONSTRAIN_POSITION, 1) &&
                         are_all_prescribed(world, tile, ELI_CONSTRAIN_VELOCITY, 1) &&
                         are_all_prescribed(world, tile, ELI_CONSTRAIN_SPIN, 1);
  tile->masses_due = 1;
  tile->ordered = find_ordered(world, tile);
}

/* ---- Tiles ---- */

int eli_scratch_reserve(elastica_world *world, eli_scratch *scratch, int lane_count) {
  const size_t slots = world->bodies.slab.most_swept > 0 ? world->bodies.slab.most_swept : ELI_BLOCK;
  if (scratch->capacity >= slots) return 1;
  double *lane[ELI_SCRATCH_COUNT] = {NULL};
  void *memory = eli_lanes_allocate(&world->allocator, slots, lane_count, 256, lane);
  if (memory == NULL) return 0;
  eli_release(&world->allocator, scratch->memory);
  scratch->memory = memory;
  scratch->capacity = slots;
  memcpy(scratch->lane, lane, sizeof lane);
  return 1;
}

static int make_scratch(elastica_world *world) {
  for (int w = 0; w < world->scratch.worker_count; w++)
    if (!eli_scratch_reserve(world, &world->scratch.of_worker[w], ELI_SCRATCH_COUNT)) return 0;
  if (world->scratch.tile_capacity >= world->bodies.slab.tile_count) return 1;
  eli_tile_report *reports = eli_allocate(&world->allocator, world->bodies.slab.tile_count, sizeof *reports);
  eli_limit_check *limit_checks = eli_allocate(&world->allocator, world->bodies.slab.tile_count, sizeof *limit_checks);
  const int found = reports != NULL && limit_checks != NULL;
  eli_release(&world->allocator, found ? world->scratch.reports : reports);
  eli_release(&world->allocator, found ? world->scratch.limit_checks : limit_checks);
  if (!found) return 0;
  world->scratch.reports = reports;
  world->scratch.limit_checks = limit_checks;
  world->scratch.tile_capacity = world->bodies.slab.tile_count;
  return 1;
}

static void describe_tile(void *context, int worker, size_t t) {
  const elastica_world *world = context;
  eli_tile *tile = &world->bodies.slab.tiles[t];
  (void)worker;
  for (int k = 0; k < ELI_LANE_COUNT && world->stale & ELI_STALE_TILES; k++) tile->lane[k] = world->bodies.slab.lane[k] + tile->begin;
  if (tile->stale & ELI_STALE_REST) eli_tile_prepare_lanes(tile);
  if (tile->stale & ELI_STALE_LISTS) {
    describe_requirements(world, tile);
    list_calls(tile);
    ELI_EACH_ROD(rod, world, tile) rod->body->stale &= ~(unsigned)ELI_STALE_LISTS;
  }
  tile->stale &= ~(unsigned)(ELI_STALE_LISTS | ELI_STALE_REST);
}

/* Estimates the work on outdated tiles alone [ns], because a change of one rod does not repay threads, however many tiles exist. */
static double work_on_stale(const elastica_world *world, unsigned stale) {
  size_t slots = 0;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++)
    if (world->bodies.slab.tiles[t].stale & stale) slots += world->bodies.slab.tiles[t].count;
  return ELI_NS_PER_SLOT * (double)slots;
}

static void describe_tiles(elastica_world *world) {
  eli_pool_run(world->scratch.pool, world->bodies.slab.tile_count, work_on_stale(world, ELI_STALE_REST), describe_tile, world);
  if (world->stale & ELI_STALE_LISTS) {
    world->effects.positions_by_time = world->effects.by_state == 0;
    world->effects.foreign = world->effects.ordered = world->effects.hooks = 0;
    for (int hook = 0; hook < ELI_HOOK_COUNT; hook++)
      if (world->effects.foreign_count[hook] > 0) world->effects.foreign |= ELI_HOOK_BIT(hook);
    for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
      world->effects.ordered |= world->bodies.slab.tiles[t].ordered;
      world->effects.hooks |= world->bodies.slab.tiles[t].hooks;
    }
  }
  world->stale &= ~(unsigned)(ELI_STALE_LISTS | ELI_STALE_COMMON | ELI_STALE_TILES | ELI_STALE_REST);
}

/* If the hook set a message, its status and message are returned. Afterwards the message is that of the refusal, or empty. */
static elastica_status prepare_rod(elastica_effect *effect, const elastica_rod *rod, double *mass) {
  elastica_world *world = effect->world;
  elastica_preparation preparation = {sizeof preparation, mass};
  char words[ELI_MESSAGE_SIZE], what[ELI_STATUS_WORDS_SIZE];
  world->report.message[0] = '\0';
  const elastica_status status = eli_call(effect, ELI_PREPARE, NULL, &rod->body->view, &preparation);
  if (status != ELASTICA_OK && world->report.message[0] != '\0') {
    memcpy(words, world->report.message, sizeof words);
    return elastica_world_refuse(world, status, "effect %d \"%s\": %s", effect->index, effect->body->label, words);
  }
  world->report.message[0] = '\0';
  if (status == ELASTICA_OK) return status;
  const int named = status == ELASTICA_OUT_OF_MEMORY || status == ELASTICA_JOINT_TOO_FAR;
  return elastica_world_refuse(world, named ? status : ELASTICA_CALLBACK_FAILED, "effect %d \"%s\": prepare returned %s for rod %d",
                               effect->index, effect->body->label, eli_status_words(status, what), rod->index);
}

/* Returns the first node with a mass that is not positive or too large; -1 if there is none. */
static int wrong_mass(const elastica_rod *rod, const double *mass) {
  for (int i = 0; i <= eli_last_node(rod); i++)
    if (!(mass[i] > 0.0 && mass[i] <= ELI_LARGEST && 1.0 / mass[i] <= DBL_MAX)) return i;
  return -1;
}

static elastica_status refuse_mass(const elastica_rod *rod, int i, double mass, const elastica_effect *blamed) {
  char effect[ELI_LABEL_SIZE + 32] = "";
  if (blamed != NULL) snprintf(effect, sizeof effect, "effect %d \"%s\": ", blamed->index, blamed->body->label);
  return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "%srod %d, node %d: mass %g is %s", effect, rod->index, i, mass,
                               mass > ELI_LARGEST ? "too large" : "not positive");
}

/* Computes the masses of nodes from those of elements, and adds the masses of effects. */
static elastica_status add_up_masses(elastica_rod *rod) {
  elastica_world *world = rod->world;
  double *mass = world->bodies.slab.lane[ELI_MASS] + rod->offset, *inverse = world->bodies.slab.lane[ELI_INVERSE_MASS] + rod->offset;
  const elastica_effect *blamed = NULL; /* after which a mass was wrong first */
  eli_rod_set_masses(rod);
  if (!eli_rod_has(rod, ELI_PREPARE)) return ELASTICA_OK;
  ELI_EACH_EFFECT(effect, rod, ELI_PREPARE) {
    const elastica_status status = prepare_rod(effect, rod, mass);
    if (status != ELASTICA_OK) return status;
    if (blamed == NULL && wrong_mass(rod, mass) >= 0) blamed = effect;
  }
  if (rod->closed) eli_rod_close_lanes(rod, ELI_MASS, 1);
  const int wrong = wrong_mass(rod, mass);
  if (wrong >= 0) return refuse_mass(rod, wrong, mass[wrong], blamed);
  for (int i = 0; i <= eli_last_node(rod); i++) inverse[i] = 1.0 / mass[i];
  return ELASTICA_OK;
}

/* Updates masses and geometry of outdated tiles that need no hooks for them; this cannot fail. */
static void change_tile(void *context, int worker, size_t t) {
  elastica_world *world = context;
  const eli_tile *tile = &world->bodies.slab.tiles[t];
  (void)worker;
  if (tile->stale & ELI_STALE_MASSES && !eli_tile_has(tile, ELI_PREPARE))
    ELI_EACH_ROD(rod, world, tile)
      if (rod->body->stale & ELI_STALE_MASSES) eli_rod_set_masses(rod);
  if (tile->stale & ELI_STALE_STATE && !eli_tile_constrained(tile)) eli_tile_update_geometry(world, t);
}

/* Returns 1 if the masses of a rod are outdated and depend on hooks. */
static int awaits_masses(const elastica_world *world, const elastica_rod *rod) {
  return rod->body->stale & ELI_STALE_MASSES && eli_tile_has(&world->bodies.slab.tiles[rod->tile], ELI_PREPARE);
}

static elastica_status add_up_by_tiles(elastica_world *world) {
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    if (!(tile->stale & ELI_STALE_MASSES) || !eli_tile_has(tile, ELI_PREPARE)) continue;
    ELI_EACH_ROD(rod, world, tile) {
      const elastica_status status = awaits_masses(world, rod) ? add_up_masses(rod) : ELASTICA_OK;
      if (status != ELASTICA_OK) return status;
    }
  }
  return ELASTICA_OK;
}

/* Computes the masses that depend on hooks. Messages that hooks set without refusing are discarded. Tiles may have their rods in another
 * order than the world; of all refused rods the lowest is named. */
static elastica_status add_up_all_masses(elastica_world *world) {
  char message[ELI_MESSAGE_SIZE];
  memcpy(message, world->report.message, sizeof message);
  elastica_status status = add_up_by_tiles(world);
  if (status != ELASTICA_OK) {
    memcpy(message, world->report.message, sizeof message);
    ELI_EACH_ROD_OF_WORLD(rod, world) {
      const elastica_status again = awaits_masses(world, rod) ? add_up_masses(rod) : ELASTICA_OK;
      if (again != ELASTICA_OK) return again;
    }
  }
  memcpy(world->report.message, message, sizeof message);
  return status;
}

/* Returns 1 if tiles with outdated masses or states have hooks for them. Otherwise no refusal is possible, and nothing is saved. */
static int calls_hooks(const elastica_world *world) {
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    if (tile->stale && (eli_tile_has(tile, ELI_PREPARE) || eli_tile_constrained(tile))) return 1;
  }
  return 0;
}

/* Returns 1 if all prescribed velocities on the tile's rods fix their nodes on all axes. */
static int do_velocities_stay(const elastica_world *world, const eli_tile *tile) {
  if (world->budget != NULL) return 0; /* a budget must see the effect of constraints */
  ELI_EACH_ROD(rod, world, tile)
    ELI_EACH_EFFECT(effect, rod, ELI_CONSTRAIN_VELOCITY)
      if (!eli_prescribed_has_hooks(&effect->body->module) || !eli_prescribed_fixes_node(effect->self)) return 0;
  return !tile->closed;
}

void eli_rod_invert_masses(const elastica_rod *rod) {
  const elastica_world *world = rod->world;
  const double *mass = world->bodies.slab.lane[ELI_MASS] + rod->offset;
  double *inverse = world->bodies.slab.lane[ELI_INVERSE_MASS] + rod->offset;
  for (int i = 0; i <= eli_last_node(rod); i++) inverse[i] = 1.0 / mass[i];
  if (!world->bodies.slab.tiles[rod->tile].velocities_stay) return;
  ELI_EACH_EFFECT(effect, rod, ELI_CONSTRAIN_VELOCITY) inverse[((const eli_prescribed *)effect->self)->node] = 0.0;
}

/* Updates inverse masses after a change of constraints or masses. */
static void invert_masses(const elastica_world *world, eli_tile *tile) {
  if (!tile->masses_due) return;
  tile->masses_due = 0;
  tile->velocities_stay = do_velocities_stay(world, tile);
  const int stops = tile->velocities_stay && eli_tile_has(tile, ELI_CONSTRAIN_VELOCITY);
  if (stops || tile->has_stopped)
    ELI_EACH_ROD(rod, world, tile) eli_rod_invert_masses(rod);
  tile->has_stopped = stops;
}

static void settle(elastica_world *world) {
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    eli_tile *tile = &world->bodies.slab.tiles[t];
    if (!tile->stale) continue;
    ELI_EACH_ROD(rod, world, tile) rod->body->stale = 0;
    tile->stale = 0;
    tile->masses_due = 1;
  }
  world->stale &= ELI_STALE_LIMIT;
}

static elastica_status change_rods(elastica_world *world, const char *function) {
  const int may_refuse = calls_hooks(world);
  double *saved = may_refuse ? eli_world_save(world) : NULL;
  if (may_refuse && saved == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory to prepare a step of %d rods", function,
                                 world->bodies.indices.taken);
  eli_pool_run(world->scratch.pool, world->bodies.slab.tile_count, work_on_stale(world, ELI_STALE_MASSES | ELI_STALE_STATE), change_tile,
               world);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  elastica_status status = add_up_all_masses(world);
  if (status == ELASTICA_OK) status = eli_world_write_constraints(world);
  eli_world_leave_hooks(world);
  if (status == ELASTICA_OK) settle(world);
  if (status != ELASTICA_OK && saved != NULL) eli_world_restore(world, saved);
  eli_release(&world->allocator, saved);
  return status;
}

/* After a failure only lists and tiles are updated: effects and rods can be removed, and queries call the remaining ones. State and masses
 * remain until the state is set. */
elastica_status eli_world_prepare(elastica_world *world, const char *function) {
  if (!(world->stale & ~(unsigned)ELI_STALE_LIMIT)) return ELASTICA_OK;
  if ((world->stale & ELI_STALE_LISTS && !build_lists(world)) || (world->stale & ELI_STALE_TILES && !make_scratch(world)) ||
      (world->stale & (ELI_STALE_LISTS | ELI_STALE_TILES) && !eli_pair_phase_reserve(world)))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory to prepare a step of %d rods", function,
                                 world->bodies.indices.taken);
  if (world->stale & (ELI_STALE_LISTS | ELI_STALE_TILES | ELI_STALE_REST)) describe_tiles(world);
  const int changes = world->report.failure == ELASTICA_OK && world->stale & (ELI_STALE_MASSES | ELI_STALE_STATE);
  const elastica_status status = changes ? change_rods(world, function) : ELASTICA_OK;
  if (status == ELASTICA_OK)
    for (size_t t = 0; t < world->bodies.slab.tile_count; t++) invert_masses(world, &world->bodies.slab.tiles[t]);
  return status;
}
