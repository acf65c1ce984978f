/* Mass, energy and momentum of a rod and of the world, for queries between steps. The sums over a rod are in rod/rod_sums.c.
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

static elastica_status refuse_out(elastica_world *world, const char *function) {
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: out is NULL", function);
}

static int is_finite_energy(const elastica_totals *of) {
  return eli_is_finite(of->translation + of->rotation + of->bending + of->shear + of->effects);
}

static int is_finite_momentum(const elastica_totals *of) {
  return eli_is_finite(of->mass) && eli_all_finite(of->centre, 3) && eli_all_finite(of->linear, 3) && eli_all_finite(of->angular, 3);
}

/* Adds the totals of a rod, and the energy of its effects. After a failure, values that are not finite are returned unchanged.
 * all->centre is the sum of m r until the last rod is added. */
static elastica_status add_totals(const elastica_rod *rod, elastica_totals one, elastica_totals *all) {
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
  all->mass += one.mass;
  for (int a = 0; a < 3; a++) {
    all->centre[a] += one.mass * one.centre[a];
    all->linear[a] += one.linear[a];
    all->angular[a] += one.angular[a];
  }
  return failed || is_finite_energy(all) ? ELASTICA_OK : elastica_world_refuse(world, ELASTICA_NOT_FINITE, "the energy is not finite");
}

static elastica_status answer(elastica_world *world, const elastica_totals *totals, elastica_totals *out) {
  if (!is_finite_momentum(totals) && world->report.failure == ELASTICA_OK)
    return elastica_world_refuse(world, ELASTICA_NOT_FINITE, "the momentum is not finite");
  *out = *totals;
  return ELASTICA_OK;
}

elastica_status elastica_rod_get_totals(elastica_rod *rod, elastica_totals *out) {
  elastica_totals sum;
  elastica_status status = eli_rod_check(rod, "rod_get_totals");
  if (status != ELASTICA_OK) return status;
  if (out == NULL) return refuse_out(rod->world, "rod_get_totals");
  status = eli_rod_refresh(rod, "rod_get_totals");
  if (status != ELASTICA_OK) return status;
  const elastica_totals own = eli_rod_totals(&rod->body->view);
  memset(&sum, 0, sizeof sum);
  status = add_totals(rod, own, &sum);
  if (status != ELASTICA_OK) return status;
  memcpy(sum.centre, own.centre, sizeof sum.centre);
  return answer(rod->world, &sum, out);
}

/* Returns 1 if the derived lanes of a tile are filled while its energies are added: if hooks of user modules may read them, and for the
 * tile of the last rod, because its derived lanes remain available. */
static int adds_with_lanes(const elastica_world *world, size_t t) {
  const int foreign = (world->effects.foreign & ELI_HOOK_BIT(ELI_ENERGY)) != 0;
  assert(world->bodies.last_rod != NULL); /* there is a tile */
  return t == world->bodies.last_rod->tile || (foreign && eli_tile_has(&world->bodies.slab.tiles[t], ELI_ENERGY));
}

/* Computes the totals of the rods of all other tiles, with strains in the worker's scratch. */
static void work_out_totals(void *context, int worker, size_t t) {
  elastica_world *world = context;
  if (adds_with_lanes(world, t)) return;
  const eli_tile_work work = eli_work_on(world, t, worker, 0.0);
  memset(work.report, 0, sizeof *work.report);
  eli_take_stages(&work, ELI_STAGE_STRAINS, ELI_STAGE_RESULTANTS); /* resultants for the failures of their hooks */
  ELI_EACH_ROD(rod, world, work.tile) {
    rod->body->totals = eli_rod_totals(&rod->body->view);
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
  const elastica_status status = eli_tile_refresh(world, rod->tile, NULL, "world_get_totals", &lanes->report);
  lanes->tile = status == ELASTICA_OK ? tile : NULL;
  return status;
}

/* Adds the totals of one rod. The rods are added in order, so that the lowest rod with a failure is named. */
static elastica_status add_totals_of(elastica_world *world, const elastica_rod *rod, filled *lanes, elastica_totals *all) {
  const int with_lanes = adds_with_lanes(world, rod->tile);
  const elastica_status status = with_lanes ? fill_lanes(world, rod, lanes) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  const eli_tile_report *report = with_lanes ? &lanes->report : &world->scratch.reports[rod->tile];
  if (report->status != ELASTICA_OK && report->rod_index == rod->index) return eli_world_refuse_hook(world, report);
  return add_totals(rod, with_lanes ? eli_rod_totals(&rod->body->view) : rod->body->totals, all);
}

static elastica_status add_all_totals(elastica_world *world, elastica_totals *all) {
  elastica_status status = ELASTICA_OK;
  filled lanes = {.tile = NULL};
  if (world->scratch.whole_refreshed) {
    ELI_EACH_ROD_OF_WORLD(rod, world)
    if (status == ELASTICA_OK) status = add_totals(rod, eli_rod_totals(&rod->body->view), all);
    return status;
  }
  eli_world_forget_refreshed(world);
  if (world->bodies.last_rod != NULL) eli_world_run_tiles(world, ELI_HOOK_BIT(ELI_ADD_RESULTANTS), 1, work_out_totals, world);
  for (const elastica_rod *rod = world->bodies.first_rod; rod != NULL && status == ELASTICA_OK; rod = rod->body->next)
    status = add_totals_of(world, rod, &lanes, all);
  if (lanes.tile != NULL) eli_tile_keep(lanes.tile->last_rod);
  if (lanes.report.status != ELASTICA_OK) eli_world_forget_refreshed(world);
  return status;
}

elastica_status elastica_world_get_totals(elastica_world *world, elastica_totals *out) {
  elastica_totals all;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse_out(world, "world_get_totals");
  elastica_status status = eli_world_check_open(world, "world_get_totals", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(world, "world_get_totals");
  if (status != ELASTICA_OK) return status;
  memset(&all, 0, sizeof all);
  status = add_all_totals(world, &all);
  if (status != ELASTICA_OK) return status;
  for (int a = 0; a < 3 && world->bodies.last_rod != NULL; a++) all.centre[a] /= all.mass;
  return answer(world, &all, out);
}
