/* The kick of a step alone. */
#ifndef TESTS_KICKED_H
#define TESTS_KICKED_H

#include "base/target.h"

#include "hooks/effects.h"
#include "hooks/work.h"
#include "step/stages.h"

static inline elastica_status kick_tiles(elastica_world *world, double dt) {
  const elastica_instant now = eli_instant(world, eli_world_now(world), dt);
  const elastica_status status = eli_world_has_pair_phase(world) ? eli_world_run_pair_phase(world, &now, 0) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const eli_tile_work work = eli_work_on(world, t, 0, dt);
    work.report->status = ELASTICA_OK;
    eli_take_stages(&work, ELI_STAGE_GEOMETRY, ELI_STAGE_CONSTRAIN_SPIN);
    if (work.report->status != ELASTICA_OK) return work.report->status;
  }
  return ELASTICA_OK;
}

/* Applies the kick, with loads and constraints, to the present state: (new - old)/dt are the accelerations. Time does not advance. */
static inline elastica_status kick_world(elastica_world *world, double dt) {
  elastica_status status = eli_world_prepare(world, "kick");
  if (status != ELASTICA_OK) return status;
  world->calls.purpose = ELASTICA_PURPOSE_STEP;
  status = kick_tiles(world, dt);
  world->calls.purpose = ELASTICA_PURPOSE_QUERY;
  return status;
}

#endif
