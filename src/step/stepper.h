/* Taking steps, the step limit, and derived lanes outside a step. */
#ifndef ELI_STEPPER_H
#define ELI_STEPPER_H

#include "state/world.h"

/* Takes steps of dt without a look at the limit: count of them, or fewer where the watch asks for a look. A prepared world. */
elastica_status eli_world_take_steps(elastica_world *world, double dt, long count);

/* Applies only the kick, with loads and constraints, to the state as it is: (new - old)/dt are the accelerations. Time stands still. */
elastica_status eli_world_kick(elastica_world *world, double dt);

/* ---- step_limit.c ---- */

/* The limit at the present state of a prepared world, with bounds that hold until a time. A status other than OK is that of a refused
 * call. */
elastica_status eli_world_look(elastica_world *world, double until, eli_look *look);

/* Writes "(shear mode of rod 3, element 17; rotary inertia scale 1)" or the like about a limit. */
const char *eli_limit_text(const elastica_world *world, const elastica_step_limit *limit, char *text, size_t size);

/* ---- rod_limit.c ---- */

/* The limit of one rod, for someone who asks; *dt is infinite where nothing bounds it. */
elastica_status eli_rod_look(elastica_rod *rod, double until, double *dt);

/* Adds to a look what is found of the rods whose limit is stale, and of no others. A status other than OK is that of a refused call. */
elastica_status eli_world_look_at_changed(elastica_world *world, double until, eli_look *look);

/* ---- diagnosis.c ---- */

/* What a failure is about: the velocity of a node, the spin of an element, or the rate at which its length changes. */
typedef enum eli_symptom { ELI_SYMPTOM_VELOCITY, ELI_SYMPTOM_SPIN, ELI_SYMPTOM_LENGTH } eli_symptom;

/* Writes "; its spin of 1.5e+04 rad/s is 3e+03 times the largest 41 steps before; 92 % of the couples on it are those of shear" or the like
 * about the state that a failing step of dt has left; as much of it as can be told. */
const char *eli_diagnose(elastica_world *world, const elastica_rod *rod, eli_symptom symptom, int place, double dt, char *text,
                         size_t size);

enum { ELI_DEMANDS_SIZE = 320 };

/* Writes "; effect 2 \"pin\" moves node 0 of rod 0 by 0.3 m in one step, at t = 0.01 s" or the like: what pins and clamps of a rod demanded in
 * the steps of dt before, or, with others, those of the first other rod that has any to tell of; else nothing. */
const char *eli_tell_demands(elastica_world *world, int rod_index, int others, double dt, char *text, size_t size);

/* ---- trip_wire.c ---- */

/* Marks the rods that tripped in the step that has just ended, and no others. */
void eli_world_blame(elastica_world *world, unsigned trips, double dt);

/* Makes the failure of the step that has just ended with these trips stick, with a sentence that names rod, place and cause. */
elastica_status eli_world_trip(elastica_world *world, unsigned trips, double dt);

/* ---- refresh.c ---- */

/* Derived lanes of one rod, or with NULL of all rods of a tile, at the present state of a prepared world; the report names the lowest rod
 * with a hook that failed. OUT_OF_MEMORY is a refused call. eli_tile_keep then invalidates the derived lanes of all rods but this one. Not
 * from inside a hook. */
elastica_status eli_tile_refresh(elastica_world *world, size_t tile, elastica_rod *rod, const char *function, eli_tile_report *report);
void eli_tile_keep(elastica_rod *rod);

/* elastica_rod_refresh for the function that was called. */
elastica_status eli_rod_refresh(elastica_rod *rod, const char *function);

/* The same of all rods of a prepared world at once, until the next step, change or refusal; and room for that, 0 when memory runs out. */
elastica_status eli_world_refresh_all(elastica_world *world, const char *function);
int eli_world_reserve_whole(elastica_world *world);

/* ---- sampler.c ---- */

/* How many steps of dt from now end at the next sample, but at most `most`. */
long eli_steps_to_sample(const elastica_world *world, double dt, long most);

/* Calls the sampler of a prepared world if a sample is due. A status other than OK is the sampler's, or a refusal. */
elastica_status eli_world_sample(elastica_world *world);

/* At the start of a call that takes steps: room for the derived lanes of samples, and their numbers where time was set back. */
elastica_status eli_world_begin_sampling(elastica_world *world);

/* When a run to `end` must end first, because a sample wants its exact time. */
double eli_sample_or_end(const elastica_world *world, double end);

#endif
