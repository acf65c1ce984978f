/* Interface of steps, the step limit, and derived lanes outside steps. */
#ifndef ELI_STEPPER_H
#define ELI_STEPPER_H

#include "state/world.h"

/* ---- run.c ---- */

/* Keeps a state if one is due; checks the limit and chooses the working step if a check is due. Sentences name the calling function and its
 * end time. */
elastica_status eli_choose_step(elastica_world *world, const char *function, double end);

/* Keeps a state for elastica_world_rewind before the next step, if one is due. */
elastica_status eli_keep_where_due(elastica_world *world, const char *function);

/* Samples, for calls that take steps in a prepared world. eli_begin_sampling allocates memory for derived lanes, and corrects the number of
 * the next sample if time was set back. eli_sample calls the sampler if a sample is due at the end of a step of segment_dt; a status other
 * than OK ends the call. eli_sample_or_end returns the time at which a run to `end` must stop first. */
elastica_status eli_begin_sampling(elastica_world *world);
elastica_status eli_sample(elastica_world *world);
double eli_sample_or_end(const elastica_world *world, double end);

/* ---- stepper.c ---- */

/* A batch is a number of steps that each tile takes one after the other while its data are in the cache, possible if nothing couples tiles.
 * Batches end at multiples of this number of steps, which divides the interval between limit checks. */
enum { ELI_BATCH_STEPS = 32 };

/* Takes `count` steps of dt in a prepared world without a limit check, or fewer if the watch requests one. */
elastica_status eli_world_take_steps(elastica_world *world, const char *function, double dt, long count);

/* Returns 1 if steps can be undone and repeated. For a prepared world. */
int eli_world_may_return(const elastica_world *world);

/* Allocates memory for the history of all effects, and returns 0 if memory runs out; keeps it; puts it back. */
int eli_world_reserve_history(elastica_world *world);
void eli_world_keep_history(elastica_world *world);
void eli_world_put_back_history(elastica_world *world);

/* ---- step_limit.c ---- */

/* Computes the limit at the present state of a prepared world, with bounds that hold until a time. A status other than OK belongs to a
 * refused call. */
elastica_status eli_world_check_limit(elastica_world *world, double until, eli_limit_check *check);

/* Describes a limit, for example "(shear mode of rod 3, element 17; rotary inertia scale 1)". */
const char *eli_limit_text(const elastica_world *world, const elastica_step_limit *limit, char *text, size_t size);

/* Computes the limit of one rod, for queries; *dt is infinite if nothing bounds it. */
elastica_status eli_rod_check_limit(elastica_rod *rod, double until, double *dt);

/* Updates a result with the limits of the rods that require a check of their own. A status other than OK belongs to a refused call. */
elastica_status eli_world_check_changed_rods(elastica_world *world, double until, eli_limit_check *check);

/* ---- diagnosis.c ---- */

enum { ELI_DEMANDS_SIZE = 320 };

/* Describes impossible prescriptions of boundaries of a rod in the preceding steps of dt, for example "; effect 2 "boundary" moves node 0
 * of rod 0 by 0.3 m in one step, at t = 0.01 s". With `others`, other rods are searched after this one. Writes nothing if there is none. */
const char *eli_tell_demands(elastica_world *world, int rod_index, int others, double dt, char *text, size_t size);

/* Returns the first effect of a rod that adds, in the present state, a force on this node or, with turns, a couple on this element that is
 * not finite or has a square that is not; NULL if none is found, such as for loads between rods. */
const elastica_effect *eli_find_unsound_load(elastica_rod *rod, double dt, int turns, int place);

/* Marks exactly the rods that tripped in the last step. */
void eli_world_blame(elastica_world *world, unsigned trips, double dt);

/* Makes the world fail because of these trips in the last step, with a sentence that names rod, place and cause. */
elastica_status eli_world_trip(elastica_world *world, unsigned trips, double dt);

/* ---- evaluate.c ---- */

/* Computes derived lanes of one rod, or with NULL of all rods of a tile, at the present state of a prepared world; the report names the
 * lowest rod with a failed hook. OUT_OF_MEMORY is a refused call. eli_tile_keep then makes the derived lanes of all rods but this one
 * unavailable. Must not be called inside a hook. */
elastica_status eli_tile_refresh(elastica_world *world, size_t tile, elastica_rod *rod, const char *function, eli_tile_report *report);
void eli_tile_keep(elastica_rod *rod);

/* Implements elastica_rod_refresh; sentences name the calling function. */
elastica_status eli_rod_refresh(elastica_rod *rod, const char *function);

/* eli_world_refresh_all computes the derived lanes of all rods of a prepared world; they are valid until the next step, change or refusal.
 * eli_world_reserve_whole allocates memory for them and returns 0 if memory runs out. */
elastica_status eli_world_refresh_all(elastica_world *world, const char *function);
int eli_world_reserve_whole(elastica_world *world);

#endif
