/* Forces on nodes (3.8) and couples on elements (3.9): the internal ones through the operators of appendix D, then what effects add. */
#include "base/target.h"

#include "step/stages.h"

static size_t ghost_of(const elastica_rod *rod, const eli_tile *tile) {
  return rod->offset - tile->begin + (size_t)rod->element_count;
}

/* The last slot's element reads the joint behind it, which is nobody's: what another tile left there must not get in.
 * A ring's node 0 is pulled by element n-1 and pushed by element 0: its ghost adds the two, so element 0's force stands there too. Its
 * closing joint was worked out in the ghost's slot. */
static void close_loads(const eli_work *work) {
  for (int a = 0; a < 3; a++) work->out[ELI_COUPLE_BEFORE + a][work->tile->count] = -0.0;
  if (!work->tile->closed) return;
  for (int r = work->tile->first_rod; r < work->tile->first_rod + work->tile->rod_count; r++) {
    const elastica_rod *rod = work->world->rods[r];
    if (!rod->closed) continue;
    const size_t first = rod->offset - work->tile->begin, ghost = ghost_of(rod, work->tile);
    for (int a = 0; a < 3; a++) {
      work->out[ELI_STRETCH_FORCE + a][ghost] = work->out[ELI_STRETCH_FORCE + a][first];
      work->out[ELI_COUPLE_AFTER + a][first] = work->out[ELI_COUPLE_AFTER + a][ghost];
    }
  }
}

void eli_geometry_and_internal_loads(const eli_work *work) {
  const eli_kernels *kernels = work->world->kernels;
  const eli_tile *tile = work->tile;
  const size_t chunk = tile->closed ? tile->count : ELI_CHUNK; /* a ring's ends look at each other */
  unsigned trips = 0;
  for (size_t begin = 0; begin < tile->count; begin += chunk) {
    const size_t count = tile->count - begin < chunk ? tile->count - begin : chunk;
    kernels->geometry(begin, count, tile->lane);
    if (tile->closed) eli_tile_close_geometry(work->world, tile);
    trips |= kernels->stretch_loads(begin, count, &work->law, tile->lane, work->out);
    trips |= kernels->joint_loads(begin, count, &work->law, tile->lane, work->out);
  }
  work->report->trips |= trips;
  close_loads(work);
}

/* An effect that has become stiffer than it said asks for a look at the step limit. */
static void ask_for_look(const eli_work *work, int *asked) {
  if (*asked) work->report->trips |= ELI_TRIP_WATCH;
  *asked = 0;
}

int eli_add_rod_resultants(const eli_work *work, elastica_rod *rod) {
  const eli_tile *tile = work->tile;
  const elastica_instant now = {sizeof now, work->middle, work->dt, work->step, rod->index, 0.0};
  const size_t first = rod->offset - tile->begin, joint = first + (rod->closed ? 0 : 1);
  elastica_resultants resultants = {sizeof resultants, {NULL}, {NULL}, 0};
  for (int a = 0; a < 3; a++) {
    resultants.force[a] = work->out[ELI_STRESS + a] + first;
    resultants.couple[a] = work->out[ELI_JOINT_COUPLE + a] + joint;
  }
  eli_call_hooks(work->world, ELI_ADD_RESULTANTS, rod, &now, &resultants, work->report);
  ask_for_look(work, &resultants.look_again);
  if (rod->closed)
    for (int a = 0; a < 3; a++) work->out[ELI_JOINT_COUPLE + a][ghost_of(rod, tile)] = work->out[ELI_JOINT_COUPLE + a][first];
  return work->report->status == ELASTICA_OK;
}

int eli_add_resultants(const eli_work *work) {
  const eli_tile *tile = work->tile;
  for (int r = tile->first_rod; r < tile->first_rod + tile->rod_count; r++) eli_add_rod_resultants(work, work->world->rods[r]);
  return work->report->status == ELASTICA_OK;
}

void eli_internal_loads_from_resultants(const eli_work *work) {
  const eli_kernels *kernels = work->world->kernels;
  const eli_tile *tile = work->tile;
  kernels->stretch_loads_from(0, tile->count, tile->lane, work->out);
  kernels->joint_loads_from(0, tile->count, &work->law, tile->lane, work->out);
  close_loads(work);
}

void eli_gather_internal_loads(const eli_work *work) {
  const eli_tile *tile = work->tile;
  work->world->kernels->internal(0, tile->count, work->out);
  for (int r = tile->first_rod; r < tile->first_rod + tile->rod_count; r++) {
    const elastica_rod *rod = work->world->rods[r];
    if (!rod->closed) continue;
    for (int a = 0; a < 3; a++)
      work->out[ELI_INTERNAL_FORCE + a][rod->offset - tile->begin] = work->out[ELI_INTERNAL_FORCE + a][ghost_of(rod, tile)];
  }
}

/* What hooks added to the ghost of a ring's node 0 belongs to node 0; the ghost is kicked with the sum. */
static void fold_ghost(const elastica_rod *rod, double *const *lane, int first, int count) {
  const size_t ghost = rod->offset + (size_t)rod->element_count;
  for (int k = first; k < first + count; k++) lane[k][rod->offset] = lane[k][ghost] = lane[k][rod->offset] + lane[k][ghost];
}

int eli_external_loads(const eli_work *work) {
  elastica_world *world = work->world;
  const eli_tile *tile = work->tile;
  for (int r = tile->first_rod; r < tile->first_rod + tile->rod_count; r++) {
    elastica_rod *rod = world->rods[r];
    const elastica_instant now = {sizeof now, work->middle, work->dt, work->step, r, 0.0};
    eli_call_hooks(world, ELI_ADD_LOADS, rod, &now, &rod->loads, work->report);
    ask_for_look(work, &rod->loads.look_again);
    if (!rod->closed) continue;
    fold_ghost(rod, world->slab.lane, ELI_FORCE, 3);
    fold_ghost(rod, world->slab.lane, ELI_DRAG, 1);
  }
  return work->report->status == ELASTICA_OK;
}

/* One reaction at a time, each on the total it finds. */
int eli_reactions(const eli_work *work) {
  elastica_world *world = work->world;
  const eli_tile *tile = work->tile;
  const eli_hook_list *list = &world->hooks[ELI_ADD_REACTIONS];
  for (int r = tile->first_rod; r < tile->first_rod + tile->rod_count; r++) {
    elastica_rod *rod = world->rods[r];
    const elastica_instant now = {sizeof now, work->middle, work->dt, work->step, r, 0.0};
    elastica_loads loads = rod->loads;
    for (int a = 0; a < 3; a++) {
      loads.total_force[a] = work->out[ELI_TOTAL_FORCE + a] + (rod->offset - tile->begin);
      loads.total_couple[a] = work->out[ELI_TOTAL_COUPLE + a] + (rod->offset - tile->begin);
    }
    for (size_t k = list->first[r]; k < list->first[r + 1]; k++) {
      world->kernels->total(rod->offset - tile->begin, (size_t)rod->element_count + 1, &work->law, tile->lane, work->out);
      eli_call_hook(list->effects[k], ELI_ADD_REACTIONS, rod, &now, &loads, work->report);
      if (rod->closed) {
        eli_rod_close_lanes(rod, ELI_FORCE, 3);
        eli_rod_close_lanes(rod, ELI_DRAG, 1);
      }
    }
    ask_for_look(work, &loads.look_again);
  }
  return work->report->status == ELASTICA_OK;
}
