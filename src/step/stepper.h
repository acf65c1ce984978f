/* Interface of steps, the step limit, and derived lanes outside steps. */
#ifndef ELI_STEPPER_H
#define ELI_STEPPER_H

#include "state/world.h"

/* Takes `count` steps of dt in a prepared world without a limit check, or fewer if the watch requests one. */
elastica_status eli_world_take_steps(elastica_world *world, double dt, long count);

/* Applies only the kick, with loads and constraints, to the present state: (new - old)/dt are the accelerations. Time does not advance. */
elastica_status eli_world_kick(elastica_world *world, double dt);

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

/* The failing quantity: the velocity of a node, the spin of an element, or the rate at which its length changes. */
typedef enum eli_symptom { ELI_SYMPTOM_VELOCITY, ELI_SYMPTOM_SPIN, ELI_SYMPTOM_LENGTH } eli_symptom;

/* Describes the cause of a failure from the state after a failing step of dt, as far as it can be found, for example "; its spin of 1.5e+04
 * rad/s is 3e+03 times the largest 41 steps before; 92 % of the couples on it are those of shear". */
const char *eli_diagnose(elastica_world *world, const elastica_rod *rod, eli_symptom symptom, int place, double dt, char *text,
                         size_t size);

enum { ELI_DEMANDS_SIZE = 320 };

/* Describes impossible prescriptions of pins and clamps of a rod in the preceding steps of dt, for example "; effect 2 "pin" moves node 0
 * of rod 0 by 0.3 m in one step, at t = 0.01 s". With `others`, other rods are searched after this one. Writes nothing if there is none. */
const char *eli_tell_demands(elastica_world *world, int rod_index, int others, double dt, char *text, size_t size);

/* ---- trip_wire.c ---- */

/* Marks exactly the rods that tripped in the last step. */
void eli_world_blame(elastica_world *world, unsigned trips, double dt);

/* Makes the world fail because of these trips in the last step, with a sentence that names rod, place and cause. */
elastica_status eli_world_trip(elastica_world *world, unsigned trips, double dt);

/* ---- refresh.c ---- */

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

/* ---- sampler.c ---- */

/* Returns the number of steps of dt until the next sample, at most `most`. */
long eli_steps_to_sample(const elastica_world *world, double dt, long most);

/* Calls the sampler of a prepared world if a sample is due. A status other than OK comes from the sampler, or is a refusal. */
elastica_status eli_world_sample(elastica_world *world);

/* Called at the start of a call that takes steps: allocates memory for the derived lanes of samples, and corrects their numbers if time was
 * set back. */
elastica_status eli_world_begin_sampling(elastica_world *world);

/* Returns the time at which a run to `end` must stop first, because a sample requires its exact time; otherwise end. */
double eli_sample_or_end(const elastica_world *world, double end);

#endif
