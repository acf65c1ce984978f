/* Snapshots: the state of a world as bytes. Each number is a word (base/record.h); in this order:
 *
 *   head     magic, version of the format, size, sum of all words that follow
 *   build    options of the world, numbers of rods and effects so far, the rods that are there with the sums of their constants, the effects
 *            that are there with their names: compared with the world that loads
 *   course   time, steps, and what is known of the step limit
 *   rods     state, rest strains, masses, watched lengths
 *   effects  whether each is enabled, the size of its own record, and that record
 *
 * What was removed takes nothing. Everything that decides later bits is there; lists, scratch, lanes that follow from others, functions and pointers are not.
 */
#ifndef ELI_SNAPSHOT_H
#define ELI_SNAPSHOT_H

#include "state/world.h"

#include "base/record.h"

/* "ELASTICA" as a word, and the version of the format. */
#define ELI_SNAPSHOT_MAGIC UINT64_C(0x4143495453414c45)
enum { ELI_SNAPSHOT_VERSION = 8, ELI_SNAPSHOT_HEAD = 4 * ELI_WORD };

/* The largest that a snapshot may be [bytes], so that sums of sizes do not overflow. */
#define ELI_SNAPSHOT_MOST (SIZE_MAX / 4)

/* How the self of an effect is kept. */
typedef enum eli_keeping {
  ELI_KEPT_BUILT_IN, /* by its kind */
  ELI_KEPT_COPY,     /* the library's copy, as bytes */
  ELI_KEPT_BY_HOOKS, /* by its module's hooks */
  ELI_KEPT_NOT       /* it has none, or is stateless */
} eli_keeping;

/* ---- parts.c ---- */

eli_keeping eli_effect_keeping(const elastica_effect *effect);

/* What tells the order of bytes and the sizes of this host: copies of self are read where it is the same. */
uint64_t eli_host(void);

void eli_record_course(elastica_world *world, eli_record *record);

/* READ leaves lanes that follow from others, and what of tile and world is stale, to the caller. */
void eli_record_rod(elastica_rod *rod, eli_record *record);

/* What of a rod that is stale may come from a snapshot. */
enum { ELI_STALE_KEPT = ELI_STALE_MASSES | ELI_STALE_STATE };

/* The record of an effect of the library. module: see eli_built_in. */
void eli_record_built_in(elastica_effect *effect, eli_record *record, elastica_module *module);

/* The status of a hook that keeps or restores an effect, as a refusal with a sentence. */
elastica_status eli_refuse_kept(elastica_effect *effect, const char *function, const char *hook, elastica_status status);

/* ---- own.c ---- */

/* Asks a module with hooks how much it would save now; before: bytes of the snapshot so far. Then it saves so much, or refuses. */
elastica_status eli_measure_own(elastica_effect *effect, const char *function, size_t before, size_t *size);
elastica_status eli_save_own(elastica_effect *effect, const char *function, void *to);

/* ---- save.c ---- */

/* WRONG_STATE from inside a hook, and after a failure, whose sentence is repeated; a sampler may save. */
elastica_status eli_check_savable(elastica_world *world, const char *function);

/* The size of a snapshot of the present state; and that snapshot, in room bytes. function: for sentences. */
elastica_status eli_world_measure(elastica_world *world, const char *function, size_t *size);
elastica_status eli_world_write(elastica_world *world, const char *function, void *bytes, size_t room);

/* ---- build.c ---- */

void eli_write_build(const elastica_world *world, eli_record *record);

/* Refuses a snapshot of a world that was built otherwise, and names the first difference. */
elastica_status eli_check_build(elastica_world *world, const char *function, eli_record *record);

/* The record ended too early or late, or has a number that cannot be: the snapshot is damaged. */
elastica_status eli_refuse_damaged(elastica_world *world, const char *function, const char *what);

/* ---- load.c ---- */

/* Refuses what does not begin as a snapshot of this version. */
elastica_status eli_check_head(elastica_world *world, const char *function, const void *bytes, size_t size);

/* Puts the world into the state of a snapshot, or refuses and changes nothing. */
elastica_status eli_world_read(elastica_world *world, const char *function, const void *bytes, size_t size);

/* ---- past.c ---- */

/* The same for a caller's own snapshot: it is the beginning of another course, and states of the former one are forgotten. */
elastica_status eli_world_load(elastica_world *world, const char *function, const void *bytes, size_t size);

/* 1: the state before the next step is one that the world keeps. */
int eli_past_is_due(const elastica_world *world);

/* Steps until then, at most `most`. */
long eli_steps_to_past(const elastica_world *world, long most);

/* Keeps the present state. Memory is asked for where a snapshot has outgrown its room. */
elastica_status eli_world_keep_past(elastica_world *world, const char *function);

#endif
