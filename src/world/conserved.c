/* Energy and momentum of rods and of the world, as one asks for them between steps. The sums stand in rod/rod_sums.c.
 *
 * test       tests/test_rod_query.c
 */
#include "base/target.h"

#include <string.h>

#include "base/checks.h"
#include "effects/effects.h"
#include "rod/rod_data.h"
#include "step/stepper.h"

/* ---- Energy ---- */

static elastica_status refuse_out(elastica_world *world, const char *function) {
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: out is NULL", function);
}

static int is_finite_energy(const elastica_energy *energy) {
  return eli_is_finite(energy->translation + energy->rotation + energy->bending + energy->shear + energy->effects);
}

/* Adds the energy of a rod whose derived lanes are filled. After a failure values that are not finite are returned as they are. */
static elastica_status add_energy(const elastica_rod *rod, elastica_energy *all) {
  elastica_world *world = rod->world;
  elastica_energy one = eli_rod_energy(&rod->view);
  const int sound = is_finite_energy(&one), failed = world->failure != ELASTICA_OK;
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
  if (rod == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse_out(rod->world, "rod_get_energy");
  elastica_status status = elastica_rod_refresh(rod);
  if (status == ELASTICA_OK) status = add_energy(rod, &energy);
  if (status == ELASTICA_OK) *out = energy;
  return status;
}

/* Rod after rod, in their order: tiles are runs of rods. The lowest rod that fails is named. */
static elastica_status add_energies(elastica_world *world, size_t tile, elastica_energy *all) {
  const int first = world->slab.tiles[tile].first_rod, last = first + world->slab.tiles[tile].rod_count - 1;
  eli_tile_report report;
  elastica_status status = eli_tile_refresh(world, tile, NULL, &report);
  if (status != ELASTICA_OK) return status;
  for (int r = first; r <= last && status == ELASTICA_OK; r++)
    status =
        report.status != ELASTICA_OK && report.rod_index == r ? eli_world_refuse_hook(world, &report) : add_energy(world->rods[r], all);
  eli_tile_keep(world->rods[last]);
  if (report.status != ELASTICA_OK) eli_world_forget_refreshed(world);
  return status;
}

elastica_status elastica_world_get_energy(elastica_world *world, elastica_energy *out) {
  elastica_energy all = {0.0, 0.0, 0.0, 0.0, 0.0};
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse_out(world, "world_get_energy");
  elastica_status status = eli_world_check_open(world, "world_get_energy", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(world);
  for (size_t t = 0; t < world->slab.tile_count && status == ELASTICA_OK; t++) status = add_energies(world, t, &all);
  if (status == ELASTICA_OK) *out = all;
  return status;
}

/* ---- Momentum ---- */

static int is_finite_momentum(const elastica_momentum *momentum) {
  return eli_is_finite(momentum->mass) && eli_all_finite(momentum->centre, 3) && eli_all_finite(momentum->linear, 3) &&
         eli_all_finite(momentum->angular, 3);
}

/* After a failure values that are not finite are returned as they are. */
static elastica_status answer(elastica_world *world, const elastica_momentum *momentum, elastica_momentum *out) {
  if (!is_finite_momentum(momentum) && world->failure == ELASTICA_OK)
    return elastica_world_refuse(world, ELASTICA_NOT_FINITE, "the momentum is not finite");
  *out = *momentum;
  return ELASTICA_OK;
}

/* Masses that effects add are known once the world is prepared; inside hooks it is. */
elastica_status elastica_rod_get_momentum(elastica_rod *rod, elastica_momentum *out) {
  if (rod == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse_out(rod->world, "rod_get_momentum");
  const elastica_status status = rod->world->in_hook ? ELASTICA_OK : eli_world_prepare(rod->world);
  if (status != ELASTICA_OK) return status;
  const elastica_momentum momentum = eli_rod_momentum(&rod->view);
  return answer(rod->world, &momentum, out);
}

elastica_status elastica_world_get_momentum(elastica_world *world, elastica_momentum *out) {
  elastica_momentum all;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse_out(world, "world_get_momentum");
  elastica_status status = eli_world_check_open(world, "world_get_momentum", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(world);
  if (status != ELASTICA_OK) return status;
  memset(&all, 0, sizeof all);
  for (int k = 0; k < world->rod_count; k++) {
    const elastica_momentum one = eli_rod_momentum(&world->rods[k]->view);
    all.mass += one.mass;
    for (int a = 0; a < 3; a++) {
      all.centre[a] += one.mass * one.centre[a];
      all.linear[a] += one.linear[a];
      all.angular[a] += one.angular[a];
    }
  }
  for (int a = 0; a < 3 && world->rod_count > 0; a++) all.centre[a] /= all.mass;
  return answer(world, &all, out);
}
