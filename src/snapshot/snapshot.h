/* Snapshots: the state of a world as bytes. Each number is a word (base/record.h). The parts, in order:
 *
 *   head     magic, version of the format, size, checksum of all later words
 *   build    options of the world, numbers of rods and effects ever added, the present rods with checksums of their constants, the present
 *            effects with their names; all are compared with the loading world
 *   course   time, step count, and the results of the limit check
 *   rods     state, rest strains, masses, watched lengths
 *   effects  for each: whether it is enabled, the size of its record, and that record
 *
 * Removed rods and effects take no space. A snapshot contains all data that later bits depend on, but no lists, scratch, derived lanes,
 * functions or pointers.
 */
#ifndef ELI_SNAPSHOT_H
#define ELI_SNAPSHOT_H

#include "state/world.h"

#include "base/record.h"

enum { ELI_SNAPSHOT_HEAD = 4 * ELI_WORD };

/* The way a snapshot keeps the self of an effect. */
typedef enum eli_keeping {
  ELI_KEPT_BUILT_IN, /* by the keep function of its kind */
  ELI_KEPT_COPY,     /* as bytes, because the library has a copy of it */
  ELI_KEPT_BY_HOOKS, /* by the save and load hooks of its module */
  ELI_KEPT_NOT       /* not at all: it has no self, or is stateless */
} eli_keeping;

/* ---- snapshot.c ---- */

eli_keeping eli_effect_keeping(const elastica_effect *effect);

/* Returns a code for byte order and sizes of types on this host. Copies of self are loaded only on hosts with the same code. */
uint64_t eli_host(void);

/* Record of one of the library's own effects. module: see keep in eli_built_in. */
void eli_record_built_in(elastica_effect *effect, eli_record *record, elastica_module *module);

/* Write the build of a world, and compare a record with it: INVALID_ARGUMENT names the first difference. of: the name of the record in
 * sentences, such as "snapshot". */
void eli_world_write_build(const elastica_world *world, eli_record *record);
elastica_status eli_world_check_build(elastica_world *world, const char *function, const char *of, eli_record *record);

/* Returns WRONG_STATE inside a hook, and after a failure with the failure's sentence. Samplers may save. */
elastica_status eli_check_savable(elastica_world *world, const char *function);

/* Compute the size of a snapshot of the present state, and write that snapshot into room bytes. function: name for messages. */
elastica_status eli_world_measure(elastica_world *world, const char *function, size_t *size);
elastica_status eli_world_write(elastica_world *world, const char *function, void *bytes, size_t room);

/* Refuses bytes that do not begin as a snapshot of this version. */
elastica_status eli_check_head(elastica_world *world, const char *function, const void *bytes, size_t size);

/* ---- States kept for elastica_world_rewind ---- */

/* Loads a user's snapshot. It starts another course: states kept for elastica_world_rewind are discarded. */
elastica_status eli_world_load(elastica_world *world, const char *function, const void *bytes, size_t size);

/* Returns 1 if the state before the next step is to be kept. */
int eli_kept_state_is_due(const elastica_world *world);

/* Number of steps until the next state to keep, at most `most`. */
long eli_steps_to_kept_state(const elastica_world *world, long most);

/* Keeps the present state for elastica_world_rewind. Allocates memory if the snapshot is larger than its buffer. */
elastica_status eli_world_keep_state(elastica_world *world, const char *function);

#endif
