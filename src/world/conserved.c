/* Energy and momentum of rods and of the world, for queries between steps. The sums are in rod/rod_sums.c.
 *
 * test       tests/test_rod_query.c
 */
#include "base/target.h"

#include <string.h>

#include "hooks/effects.h"
#include "rod/rod_data.h"
#include "state/definition.h"
#include "step/stages.h"
#include "step/stepper.h"

/* ---- Energy ---- */

static elastica_status refuse_out(elastica_world *world, const char *function) {
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: out is NULL", function);
}

static int is_finite_energy(const elastica_energy *energy) {
  return eli_is_finite(energy->translation + energy->rotation + energy->bending + energy->shear + energy->effects);
}

/* Adds the energy of a rod and of its effects. After a failure, values that are not finite are returned unchanged. */
static elastica_status add_energy(const elastica_rod *rod, elastica_energy one, elastica_energy *all) {
  elastica_world *world = rod->world;
  const int sound = is_finite_energy(&one), failed = world->report.failure != ELASTICA_OK;
  if (!sound && !failed) return elastica_world_refuse(world, ELASTICA_NOT_FINITE, "rod %d: its energy is not finite", rod->index);
  const elastica_status status = sound ? eli_rod_effect_energy(rod, &one.effects) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  all->translation += one.translation;
  all->rotation += one.rotation;
  all->bending += one.bending;
  all->shear += one.shear;
  all->effects += sound ? one.effects : eli_nan();
  return failed || is_finite_energy(all) ? ELASTICA_OK : elastica_world_refuse(world, ELASTICA_NOT_FINITE, "the energy is not finite");
}

elastica_status elastica_rod_get_energy(elastica_rod *rod, elastica_energy *out) {
  elastica_energy energy = {0.0, 0.0, 0.0, 0.0, 0.0};
  elastica_status status = eli_rod_check(rod, "rod_get_energy");
  if (status != ELASTICA_OK) return status;
  if (out == NULL) return refuse_out(rod->world, "rod_get_energy");
  status = eli_rod_refresh(rod, "rod_get_energy");
  if (status == ELASTICA_OK) status = add_energy(rod, eli_rod_energy(&rod->body->view), &energy);
  if (status == ELASTICA_OK) *out = energy;
  return status;
}

/* Returns 1 if the derived lanes of a tile are filled while its energies are added: if hooks of user modules may read them, and for the
 * tile of the last rod, because its derived lanes remain available. */
static int adds_with_lanes(const elastica_world *world, size_t t) {
  const int foreign = (world->effects.foreign & ELI_HOOK_BIT(ELI_ENERGY)) != 0;
  return t == world->bodies.last_rod->tile || (foreign && eli_tile_has(world, &world->bodies.slab.tiles[t], ELI_ENERGY));
}

/* Computes the energies of the rods of all other tiles, with strains in the worker's scratch. */
static void work_out_energies(void *context, int worker, size_t t) {
  elastica_world *world = context;
  if (adds_with_lanes(world, t)) return;
  const eli_tile_work work = eli_work_on(world, t, worker, 0.0);
  memset(work.report, 0, sizeof *work.report);
  eli_take_stages(&work, ELI_STAGE_STRAINS, ELI_STAGE_RESULTANTS); /* resultants for the failures of their hooks */
  ELI_EACH_ROD(rod, world, work.tile) {
    rod->body->share.energy = eli_rod_energy(&rod->body->view);
    eli_rod_forget_derived(rod);
  }
}

/* The tile with filled derived lanes, while energies are added. */
typedef struct filled {
  const eli_tile *tile; /* NULL: none yet */
  eli_tile_report report;
} filled;

static elastica_status fill_lanes(elastica_world *world, const elastica_rod *rod, filled *lanes) {
  const eli_tile *tile = &world->bodies.slab.tiles[rod->tile];
  if (lanes->tile == tile) return ELASTICA_OK;
  if (lanes->tile != NULL) eli_tile_keep(lanes->tile->last_rod);
  const elastica_status status = eli_tile_refresh(world, rod->tile, NULL, "world_get_energy", &lanes->report);
  lanes->tile = status == ELASTICA_OK ? tile : NULL;
  return status;
}

/* Adds the energy of one rod. The rods are added in order, so that the lowest rod with a failure is named. */
static elastica_status add_energy_of(elastica_world *world, const elastica_rod *rod, filled *lanes, elastica_energy *all) {
  const int with_lanes = adds_with_lanes(world, rod->tile);
  const elastica_status status = with_lanes ? fill_lanes(world, rod, lanes) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  const eli_tile_report *report = with_lanes ? &lanes->report : &world->scratch.reports[rod->tile];
  if (report->status != ELASTICA_OK && report->rod_index == rod->index) return eli_world_refuse_hook(world, report);
  return add_energy(rod, with_lanes ? eli_rod_energy(&rod->body->view) : rod->body->share.energy, all);
}

/* Adds all energies if the derived lanes of all rods are already filled. */
static elastica_status add_filled_energies(elastica_world *world, elastica_energy *all) {
  elastica_status status = ELASTICA_OK;
  ELI_EACH_ROD_OF_WORLD(rod, world)
  if (status == ELASTICA_OK) status = add_energy(rod, eli_rod_energy(&rod->body->view), all);
  return status;
}

elastica_status elastica_world_get_energy(elastica_world *world, elastica_energy *out) {
  elastica_energy all = {0.0, 0.0, 0.0, 0.0, 0.0};
  filled lanes = {.tile = NULL};
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse_out(world, "world_get_energy");
  elastica_status status = eli_world_check_open(world, "world_get_energy", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(world, "world_get_energy");
  if (status != ELASTICA_OK) return status;
  if (world->scratch.whole_refreshed) {
    status = add_filled_energies(world, &all);
    if (status == ELASTICA_OK) *out = all;
    return status;
  }
  eli_world_forget_refreshed(world);
  if (world->bodies.last_rod != NULL) eli_world_run_tiles(world, ELI_HOOK_BIT(ELI_ADD_RESULTANTS), 1, work_out_energies, world);
  for (const elastica_rod *rod = world->bodies.first_rod; rod != NULL && status == ELASTICA_OK; rod = rod->body->next)
    status = add_energy_of(world, rod, &lanes, &all);
  if (lanes.tile != NULL) eli_tile_keep(lanes.tile->last_rod);
  if (lanes.report.status != ELASTICA_OK) eli_world_forget_refreshed(world);
  if (status == ELASTICA_OK) *out = all;
  return status;
}

/* ---- Momentum ---- */

static int is_finite_momentum(const elastica_momentum *momentum) {
  return eli_is_finite(momentum->mass) && eli_all_finite(momentum->centre, 3) && eli_all_finite(momentum->linear, 3) &&
         eli_all_finite(momentum->angular, 3);
}

/* After a failure, values that are not finite are returned unchanged. */
static elastica_status answer(elastica_world *world, const elastica_momentum *momentum, elastica_momentum *out) {
  if (!is_finite_momentum(momentum) && world->report.failure == ELASTICA_OK)
    return elastica_world_refuse(world, ELASTICA_NOT_FINITE, "the momentum is not finite");
  *out = *momentum;
  return ELASTICA_OK;
}

/* The world is prepared first, because effects add masses; inside hooks it is prepared already. */
elastica_status elastica_rod_get_momentum(elastica_rod *rod, elastica_momentum *out) {
  elastica_status status = eli_rod_check(rod, "rod_get_momentum");
  if (status != ELASTICA_OK) return status;
  if (out == NULL) return refuse_out(rod->world, "rod_get_momentum");
  status = rod->world->calls.in_hook ? ELASTICA_OK : eli_world_prepare(rod->world, "rod_get_momentum");
  if (status != ELASTICA_OK) return status;
  const elastica_momentum momentum = eli_rod_momentum(&rod->body->view);
  return answer(rod->world, &momentum, out);
}

static void work_out_momenta(void *context, int worker, size_t t) {
  elastica_world *world = context;
  (void)worker;
  ELI_EACH_ROD(rod, world, &world->bodies.slab.tiles[t]) rod->body->share.momentum = eli_rod_momentum(&rod->body->view);
}

elastica_status elastica_world_get_momentum(elastica_world *world, elastica_momentum *out) {
  elastica_momentum all;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse_out(world, "world_get_momentum");
  elastica_status status = eli_world_check_open(world, "world_get_momentum", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(world, "world_get_momentum");
  if (status != ELASTICA_OK) return status;
  memset(&all, 0, sizeof all);
  eli_pool_run(world->scratch.pool, world->bodies.slab.tile_count, eli_world_work(world, 1), work_out_momenta, world);
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const elastica_momentum one = rod->body->share.momentum;
    all.mass += one.mass;
    for (int a = 0; a < 3; a++) {
      all.centre[a] += one.mass * one.centre[a];
      all.linear[a] += one.linear[a];
      all.angular[a] += one.angular[a];
    }
  }
  for (int a = 0; a < 3 && world->bodies.last_rod != NULL; a++) all.centre[a] /= all.mass;
  return answer(world, &all, out);
}
