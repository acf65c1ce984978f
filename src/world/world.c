/* Worlds: creation and destruction, queries of rods and time, removal of rods.
 *
 * test       tests/test_destroy.c, tests/test_removal.c, tests/test_removal_when.c, tests/test_replacement.c
 */
#include "base/target.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hooks/effects.h"
#include "rod/rod_data.h"
#include "state/module.h"
#include "step/work_meter.h"

/* ---- Creation and destruction ---- */

/* The fields at which a definition of an older caller may end. */
#define FIELD(field) ELI_FIELD(elastica_world_def, field)
static const eli_field fields[] = {FIELD(struct_size),
                                   FIELD(law),
                                   FIELD(exact_couple),
                                   FIELD(explicit_couples),
                                   FIELD(allow_unstable_step),
                                   FIELD(instruction_set),
                                   FIELD(worker_count),
                                   FIELD(tile_size),
                                   FIELD(slot_capacity),
                                   FIELD(allocate),
                                   FIELD(release),
                                   FIELD(allocator_user),
                                   FIELD(message),
                                   FIELD(message_size),
                                   FIELD(snapshot_interval),
                                   FIELD(run_tasks),
                                   FIELD(tasks_user)};
#undef FIELD
static const elastica_world_def defaults = {.law = ELASTICA_LAW_CLASSICAL, .exact_couple = 1, .worker_count = 1, .tile_size = 256};
static const eli_layout layout = ELI_LAYOUT("world_def", elastica_world_def, fields, defaults);

void elastica_world_def_init(elastica_world_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

#define LARGEST_TILE 2147483647 /* slots */

/* Checks counts and the law. Writes the sentence of a refusal and returns its length, or 0. */
static int check_values(const elastica_world_def *def, char *sentence, size_t size) {
  if (def->worker_count < 1 || def->worker_count > 4096)
    return snprintf(sentence, size, "world_def.worker_count is %d, outside 1..4096", def->worker_count);
  if (def->tile_size < 1 || def->tile_size > LARGEST_TILE)
    return snprintf(sentence, size, "world_def.tile_size is %zu, outside 1..%d", def->tile_size, LARGEST_TILE);
  if (def->law != ELASTICA_LAW_RESCALED && def->law != ELASTICA_LAW_CLASSICAL)
    return snprintf(sentence, size, "world_def.law is %d, not one of elastica_law", (int)def->law);
  if (def->snapshot_interval < 0) return snprintf(sentence, size, "world_def.snapshot_interval is %ld, negative", def->snapshot_interval);
  return 0;
}

/* Checks the other fields; returns NULL or the sentence of a refusal. */
static const char *check_choices(const elastica_world_def *def) {
  if (eli_kernels_select(def->instruction_set) == NULL)
    return "world_def.instruction_set is not available on this processor, on this system or in this build";
  if (!eli_is_flag(def->exact_couple)) return "world_def.exact_couple is neither 0 nor 1";
  if (!eli_is_flag(def->explicit_couples)) return "world_def.explicit_couples is neither 0 nor 1";
  if (!eli_is_flag(def->allow_unstable_step)) return "world_def.allow_unstable_step is neither 0 nor 1";
  if ((def->allocate == NULL) != (def->release == NULL)) return "world_def needs both allocate and release, or neither";
  return NULL;
}

static elastica_status refuse_create(const elastica_world_def *def, elastica_status status, const char *sentence) {
  if (def->message != NULL && def->message_size > 0) snprintf(def->message, def->message_size, "%s", sentence);
  return status;
}

elastica_status elastica_world_create(const elastica_world_def *def, elastica_world **out) {
  elastica_world_def copy;
  if (out == NULL) return ELASTICA_INVALID_ARGUMENT;
  *out = NULL;
  if (eli_def_read(NULL, &layout, &copy, def) != ELASTICA_OK)
    return refuse_create(def->struct_size >= sizeof copy ? def : &copy, ELASTICA_WRONG_VERSION,
                         "world_def.struct_size is none that this library knows");
  char sentence[ELI_REASON_SIZE];
  const char *wrong = check_choices(&copy);
  if (wrong != NULL) return refuse_create(&copy, ELASTICA_INVALID_ARGUMENT, wrong);
  if (check_values(&copy, sentence, sizeof sentence) > 0) return refuse_create(&copy, ELASTICA_INVALID_ARGUMENT, sentence);
  eli_allocator allocator = eli_allocator_default();
  if (copy.allocate != NULL) {
    allocator.allocate = copy.allocate;
    allocator.release = copy.release;
    allocator.user = copy.allocator_user;
  }
  elastica_world *world = eli_allocate(&allocator, 1, sizeof *world);
  if (world == NULL) return refuse_create(&copy, ELASTICA_OUT_OF_MEMORY, "world_create: no memory for a world");
  world->allocator = allocator;
  world->law.classical = copy.law == ELASTICA_LAW_CLASSICAL;
  world->law.exact_couple = copy.exact_couple;
  world->law.explicit_couples = copy.explicit_couples;
  world->rewind.interval = copy.snapshot_interval;
  world->allow_unstable_step = copy.allow_unstable_step;
  world->kernels = eli_kernels_select(copy.instruction_set);
  world->scratch.worker_count = copy.worker_count;
  world->schedule.check_interval = ELI_LIMIT_CHECK_INTERVAL;
  world->schedule.wide_turn.step = world->checkpoint.step = -1;
  world->implicit_course.step = -1;
  world->stale = ELI_STALE_LISTS | ELI_STALE_COMMON | ELI_STALE_TILES | ELI_STALE_LIMIT;
  eli_slab_init(&world->bodies.slab, &allocator, copy.tile_size);
  const eli_lent_threads host = {copy.run_tasks, copy.tasks_user};
  world->scratch.pool = eli_pool_create(&world->allocator, copy.worker_count, &host);
  world->scratch.of_worker = eli_allocate(&allocator, (size_t)copy.worker_count, sizeof *world->scratch.of_worker);
  sentence[0] = '\0';
  if (world->scratch.pool == NULL || world->scratch.of_worker == NULL)
    snprintf(sentence, sizeof sentence, "world_create: no memory or threads for world_def.worker_count = %d", copy.worker_count);
  else if (copy.slot_capacity > 0 && !eli_slab_reserve_all(&world->bodies.slab, copy.slot_capacity))
    snprintf(sentence, sizeof sentence, "world_create: no memory for world_def.slot_capacity = %zu slots, %.3g bytes or more",
             copy.slot_capacity, (double)copy.slot_capacity * ELI_LANE_COUNT * sizeof(double));
  if (sentence[0] != '\0') {
    elastica_world_destroy(world);
    return refuse_create(&copy, ELASTICA_OUT_OF_MEMORY, sentence);
  }
  *out = world;
  return ELASTICA_OK;
}

static void release_rods(elastica_world *world) {
  for (int r = 0; r < world->bodies.rod_count; r++) {
    if (world->bodies.rods[r] == NULL) continue;
    eli_rod_dismantle(world->bodies.rods[r]);
    eli_release(&world->allocator, world->bodies.rods[r]);
  }
  for (elastica_rod *rod = world->bodies.removed_rods, *next; rod != NULL; rod = next) {
    next = rod->next_removed;
    eli_release(&world->allocator, rod);
  }
  eli_release(&world->allocator, world->bodies.rods);
  eli_release(&world->allocator, world->bodies.indices.free);
}

/* The destroy hooks are called first, while the world is complete; calls that hooks may not make are refused. */
void elastica_world_destroy(elastica_world *world) {
  if (world == NULL || world->calls.in_hook || world->calls.is_applying || world->schedule.sampling.inside) return;
  const eli_allocator allocator = world->allocator;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) eli_effect_end(effect);
  eli_budget_release(world);
  eli_pool_destroy(world->scratch.pool);
  eli_world_release_effects(world);
  release_rods(world);
  for (int w = 0; world->scratch.of_worker != NULL && w < world->scratch.worker_count; w++) {
    eli_release(&allocator, world->scratch.of_worker[w].memory);
    eli_release(&allocator, world->scratch.of_worker[w].window_memory);
  }
  eli_release(&allocator, world->scratch.of_worker);
  eli_release(&allocator, world->scratch.query.memory);
  eli_release(&allocator, world->scratch.whole.memory);
  eli_release(&allocator, world->scratch.answer.memory);
  eli_pair_phase_release(world);
  eli_release(&allocator, world->effects.common_hooks);
  eli_release(&allocator, world->effects.spare_hooks);
  eli_release(&allocator, world->scratch.reports);
  eli_release(&allocator, world->scratch.limit_checks);
  eli_release(&allocator, world->checkpoint.state);
  eli_release(&allocator, world->checkpoint.history);
  for (int k = 0; k < 2; k++) eli_release(&allocator, world->rewind.states[k].bytes);
  eli_slab_destroy(&world->bodies.slab);
  eli_release(&allocator, world);
}

/* ---- Removal of rods ---- */

/* A removed rod takes with it the effects that act on it alone, and leaves neutral slots in its tile for the next rod that fits. Its handle
 * remains, and every call refuses it. Indices are never reused, so that indices and the order of addition of other rods are unchanged. */

/* Makes effects on every rod release their data for this one. */
static void forget_rod(elastica_world *world, const elastica_rod *rod) {
  for (const elastica_effect *effect = world->effects.common.first; effect != NULL; effect = effect->body->next_alike) {
    const elastica_module *module = &effect->body->module;
    if (module->forget_rod == NULL) continue;
    eli_world_enter_hooks(world, ELI_IN_HOOK);
    module->forget_rod(effect->self, &rod->body->view);
    eli_world_leave_hooks(world);
  }
}

/* Removes the effects between this rod and other rods. */
static void remove_partnerships(elastica_world *world, const elastica_rod *rod) {
  for (elastica_effect *effect = world->pair_phase.effects.first, *next; effect != NULL; effect = next) {
    next = effect->body->next_pair;
    eli_world_enter_hooks(world, ELI_IN_HOOK);
    const int goes = effect->body->module.acts_on != NULL && eli_effect_acts_on(effect, rod);
    eli_world_leave_hooks(world);
    if (goes) eli_effect_remove(effect);
  }
}

/* Rods may be removed after a failure, too: without the failed rods the world may be sound again. */
elastica_status elastica_rod_remove(elastica_rod *rod) {
  elastica_status status = eli_rod_check(rod, "rod_remove");
  if (status == ELASTICA_OK) status = eli_world_check_change(rod->world, "rod_remove");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = rod->world;
  while (rod->body->effects.first != NULL) eli_effect_remove(rod->body->effects.first);
  remove_partnerships(world, rod);
  forget_rod(world, rod);
  eli_world_outdate(world, ELI_STALE_LIMIT);
  eli_rod_outdate(rod, ELI_STALE_LISTS);
  world->pair_phase.lists_are_old = 1; /* their memory is allocated before the next step */
  eli_rod_take_out(rod);
  eli_rod_dismantle(rod);
  rod->next_removed = world->bodies.removed_rods;
  world->bodies.removed_rods = rod;
  eli_world_heal(world);
  return ELASTICA_OK;
}
