/* How far the present loads would turn a frame in the first step, beyond what it turns by itself.
 *
 * models     one kick from the present state, with loads and constraints, without reactions: their history must not move
 * equation   |omega_new - omega| dt
 * why        the step limit bounds what oscillates about the present state. A couple C on a frame that is not in equilibrium turns it by
 *            C dt^2/J in a step, which at 0.8 of a limit that is set by the stiffness of this same couple is up to 2.6 rad.
 * test       tests/test_first_turn.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "step/batch.h"
#include "step/stages.h"
#include "step/stepper.h"

typedef struct trial {
  elastica_world *world;
  double dt;
} trial;

/* Velocities and spins of the tile: from its lanes to the scratch, in lanes that only the step limit uses, or back. */
static void copy_rates(const eli_work *work, int back) {
  for (int a = 0; a < 6; a++) {
    double *lane = work->tile->lane[a < 3 ? ELI_VELOCITY + a : ELI_OMEGA - 3 + a], *kept = work->scratch[ELI_ADDED_NODE + a];
    memcpy(back ? lane : kept, back ? kept : lane, work->tile->count * sizeof *lane);
  }
}

static void spin_of_tile(void *context, int worker, size_t index) {
  const trial *now = context;
  eli_work work = eli_work_on(now->world, index, worker, now->dt);
  eli_tile_report ignored = {0};
  double *fastest = &now->world->looks[index].spin2;
  double *const *w = work.tile->lane + ELI_OMEGA, *const *before = work.scratch + ELI_ADDED_NODE + 3;
  work.report = &ignored;
  work.middle = eli_world_time_in(now->world, 0.5 * now->dt);
  work.end = eli_world_time_in(now->world, now->dt);
  copy_rates(&work, 0);
  eli_loads_before_reactions(&work); /* a hook that fails here fails again in the step, which says so */
  eli_kick(&work);
  *fastest = 0.0;
  ELI_EACH_ROD(rod, work.world, work.tile) {
    for (size_t j = eli_first_slot(&work, rod); j < eli_last_slot(&work, rod); j++) {
      const double x = w[0][j] - before[0][j], y = w[1][j] - before[1][j], z = w[2][j] - before[2][j];
      if (x * x + y * y + z * z > *fastest) *fastest = x * x + y * y + z * z;
    }
    eli_rod_forget_derived(rod);
  }
  copy_rates(&work, 1);
}

/* Their loads stay in the lanes, their history does not: contact leaves its own where it is asked, that of other effects is put back. */
static void meet(elastica_world *world, double dt) {
  const elastica_instant instant = {sizeof instant, eli_world_time_in(world, 0.5 * dt), dt, world->step_count, -1, 0.0};
  eli_world_keep_history(world);
  world->asks = 1;
  eli_world_meet(world, &instant, 0);
  world->asks = 0;
  eli_world_put_back_history(world);
}

double eli_world_first_turn(elastica_world *world, double dt) {
  trial now = {world, dt};
  double spin2 = 0.0;
  if (eli_world_meets(world)) meet(world, dt);
  eli_world_run_tiles(world, ELI_HOOKS_OF_STEPS, 1, spin_of_tile, &now);
  for (size_t t = 0; t < world->slab.tile_count; t++)
    if (world->looks[t].spin2 > spin2) spin2 = world->looks[t].spin2;
  eli_world_aim_refreshed(world);
  return sqrt(spin2) * dt;
}
