/* The world of a path: a record of all that its equilibria depend on, to refuse a world that has changed.
 *
 * test       tests/test_path.c
 */
#include "base/target.h"

#include "statics/path.h"

#include "hooks/effects.h"
#include "snapshot/snapshot.h"

/* A record of the world of a path is compared with the present one: by path_load, and at each further point. */
typedef struct comparison {
  const char *function, *of, *advice;
} comparison;

static const comparison by_load = {"path_load", "record", "; load the snapshot of the point first"};
static const comparison by_next = {"path_next", "world of the last point", ": a path follows one world"};

/* Rest strains and masses of a rod: the data in a snapshot that are neither state nor bounds. */
static elastica_status keep_rod(const comparison *c, const elastica_rod *rod, eli_record *record) {
  for (int g = 0; g < ELI_LANE_GROUPS; g++) {
    const eli_lane_group *of = &eli_lane_groups[g];
    const size_t first = rod->offset + (of->place == ELI_AT_JOINT && !rod->closed ? 1 : 0);
    const size_t end = rod->offset + (size_t)(of->place == ELI_AT_NODE ? eli_last_node(rod) + 1 : rod->element_count);
    uint64_t sum = 0;
    if (of->kept == NULL || of->first < ELI_STATE_LANES || of->first == ELI_WATCHED) continue;
    for (int k = of->first; k < of->first + of->width; k++)
      sum = eli_sum_of_doubles(sum, rod->world->bodies.slab.lane[k] + first, end - first);
    if (eli_record_word(record, sum) != sum)
      return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d has another %s in the %s than in this world",
                                   c->function, rod->index, of->kept, c->of);
  }
  return ELASTICA_OK;
}

/* Sets the sum of the parameters and the history of an effect; 0 for a module of the user. Returns 0 without memory. */
static int sum_up(elastica_effect *effect, uint64_t *sum) {
  const eli_allocator *allocator = &effect->world->allocator;
  eli_record record = eli_record_to(NULL, 0);
  *sum = 0;
  if (eli_effect_keeping(effect) != ELI_KEPT_BUILT_IN) return 1;
  eli_record_built_in(effect, &record, NULL);
  unsigned char *bytes = eli_allocate(allocator, record.at + 1, 1);
  if (bytes == NULL) return 0;
  record = eli_record_to(bytes, record.at);
  eli_record_built_in(effect, &record, NULL);
  *sum = eli_sum_of_words(1, bytes, record.at / ELI_WORD);
  eli_release(allocator, bytes);
  return 1;
}

static elastica_status keep_effect(const comparison *c, elastica_effect *effect, eli_record *record) {
  static const char *const words[2] = {"disabled", "enabled"};
  const uint64_t enabled = (uint64_t)(effect->enabled != 0), there = eli_record_word(record, enabled);
  uint64_t sum;
  if (there != enabled)
    return elastica_world_refuse(effect->world, ELASTICA_INVALID_ARGUMENT, "%s: effect %d \"%s\" is %s in the %s, %s in this world",
                                 c->function, effect->index, effect->body->label, words[there != 0], c->of, words[enabled]);
  if (!sum_up(effect, &sum))
    return elastica_world_refuse(effect->world, ELASTICA_OUT_OF_MEMORY, "%s: no memory to compare effect %d \"%s\"", c->function,
                                 effect->index, effect->body->label);
  if (eli_record_word(record, sum) == sum) return ELASTICA_OK;
  return elastica_world_refuse(effect->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: effect %d \"%s\" has other parameters or another history in the %s than in this world%s", c->function,
                               effect->index, effect->body->label, c->of, c->advice);
}

/* The effects of a world by their places and names, for the world itself: others may have come and gone. */
static elastica_status keep_effects(const comparison *c, elastica_world *world, eli_record *record) {
  const uint64_t count = (uint64_t)world->effects.indices.taken, there = eli_record_word(record, count);
  if (there != count)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: the %s has %llu effects, this world %llu", c->function, c->of,
                                 (unsigned long long)there, (unsigned long long)count);
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    uint64_t sum = eli_mix(1, (uint64_t)effect->index);
    for (const char *letter = effect->body->module.name; *letter != '\0'; letter++) sum = eli_mix(sum, (uint64_t)*letter);
    if (eli_record_word(record, sum) != sum)
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: effect %d \"%s\" is another one in the %s", c->function,
                                   effect->index, effect->body->label, c->of);
  }
  return ELASTICA_OK;
}

/* The world of a path: all that a snapshot compares, and all parameters of rods and effects that the library knows. */
static elastica_status keep_world(const comparison *c, elastica_world *world, eli_record *record) {
  elastica_status status = ELASTICA_OK;
  if (c == &by_next)
    status = keep_effects(c, world, record);
  else if (record->use == ELI_RECORD_WRITE)
    eli_world_write_build(world, record);
  else
    status = eli_world_check_build(world, c->function, c->of, record);
  ELI_EACH_ROD_OF_WORLD(rod, world)
  if (status == ELASTICA_OK) status = keep_rod(c, rod, record);
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (status == ELASTICA_OK) status = keep_effect(c, effect, record);
  return status;
}

elastica_status eli_path_world_keep(elastica_world *world, eli_record *record) {
  return keep_world(&by_load, world, record);
}

elastica_status eli_path_world_remember(elastica_world *world, unsigned char **seen, size_t *size) {
  const eli_allocator *allocator = &world->allocator;
  eli_record record = eli_record_to(NULL, 0);
  elastica_status status = keep_world(&by_next, world, &record);
  if (status != ELASTICA_OK) return status;
  unsigned char *bytes = eli_allocate(allocator, record.at, 1);
  if (bytes == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "path_next: no memory to remember the world");
  record = eli_record_to(bytes, record.at);
  status = keep_world(&by_next, world, &record);
  eli_release(allocator, status == ELASTICA_OK ? *seen : bytes);
  if (status != ELASTICA_OK) return status;
  *seen = bytes;
  *size = record.size;
  return ELASTICA_OK;
}

elastica_status eli_path_world_check(elastica_world *world, const unsigned char *seen, size_t size) {
  if (seen == NULL) return ELASTICA_OK;
  eli_record record = eli_record_from(ELI_RECORD_CHECK, seen, size);
  const elastica_status status = keep_world(&by_next, world, &record);
  return status == ELASTICA_INVALID_ARGUMENT ? ELASTICA_WRONG_STATE : status;
}
