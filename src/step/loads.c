/* Forces on nodes (3.8) and couples on elements (3.9): the internal ones through the operators of appendix D, then what effects add. */
#include "base/target.h"

#include "step/stages.h"

/* The element in the last slot reads the joint behind it, which belongs to no rod: it is reset, because another tile may have left a value
 * there; likewise the first node reads the element before it. A ring's node 0 is pulled by element n-1 and pushed by element 0: its ghost adds
 * the two, so element 0's force stands there too. Its closing joint was worked out in the ghost's slot. */
static void close_loads(const eli_work *work) {
  for (int a = 0; a < 3; a++) work->scratch[ELI_COUPLE_BEFORE + a][work->sweep.count] = -0.0;
  if (!work->tile->closed) return;
  ELI_EACH_ROD(rod, work->world, work->tile) {
    if (!rod->closed) continue;
    const size_t first = eli_first_slot(work, rod), ghost = eli_last_slot(work, rod);
    for (int a = 0; a < 3; a++) {
      work->scratch[ELI_STRETCH_FORCE + a][ghost] = work->scratch[ELI_STRETCH_FORCE + a][first];
      work->scratch[ELI_COUPLE_AFTER + a][first] += work->scratch[ELI_COUPLE_AFTER + a][ghost];
    }
  }
}

/* An effect that has become stiffer than it told add_stiffness requests a look at the step limit. */
static void ask_for_look(const eli_work *work, int *asked) {
  if (*asked) work->report->trips |= ELI_TRIP_WATCH;
  *asked = 0;
}

/* A rigid body has none. */
int eli_add_rod_resultants(const eli_work *work, elastica_rod *rod) {
  if (work->tile->rigid) return 1;
  const elastica_instant now = eli_instant_of(work, rod, work->middle);
  const size_t first = eli_first_slot(work, rod), joint = first + (rod->closed ? 0 : 1);
  elastica_resultants resultants = {sizeof resultants, {NULL}, {NULL}, 0};
  for (int a = 0; a < 3; a++) {
    resultants.force[a] = work->scratch[ELI_STRESS + a] + first;
    resultants.couple[a] = work->scratch[ELI_JOINT_COUPLE + a] + joint;
  }
  eli_call_hooks(ELI_ADD_RESULTANTS, rod, &now, &resultants, work->report);
  ask_for_look(work, &resultants.look_again);
  if (rod->closed)
    for (int a = 0; a < 3; a++) work->scratch[ELI_JOINT_COUPLE + a][eli_last_slot(work, rod)] = work->scratch[ELI_JOINT_COUPLE + a][first];
  return work->report->status == ELASTICA_OK;
}

int eli_add_resultants(const eli_work *work) {
  ELI_EACH_ROD(rod, work->world, work->tile) eli_add_rod_resultants(work, rod);
  return work->report->status == ELASTICA_OK;
}

void eli_internal_loads_from_resultants(const eli_work *work) {
  if (work->tile->rigid) {
    eli_rigid_loads(work);
    return;
  }
  work->world->kernels->loads_from(&work->sweep, &work->law);
  close_loads(work);
}

void eli_gather_internal_loads(const eli_work *work) {
  work->world->kernels->internal(&work->sweep);
  ELI_EACH_ROD(rod, work->world, work->tile) {
    if (!rod->closed) continue;
    for (int a = 0; a < 3; a++)
      work->scratch[ELI_INTERNAL_FORCE + a][eli_first_slot(work, rod)] = work->scratch[ELI_INTERNAL_FORCE + a][eli_last_slot(work, rod)];
  }
}

/* Where rods meet, the geometry was worked out for that. */
static void find_geometry(const eli_work *work) {
  if (eli_world_meets_measured(work->world)) return;
  if (work->tile->measured == ELI_GEOMETRY) {
    eli_geometry(work);
  } else if (work->tile->measured || !work->law.classical) {
    work->world->kernels->lengths(&work->sweep);
    if (work->tile->closed) eli_tile_close_geometry(work->world, work->tile);
  }
}

/* Before loads(): in the rescaled law with what they read of the dilatations. A ring's closing joint reads the length of its ghost. */
static void prepare_loads(const eli_work *work) {
  const eli_kernels *kernels = work->world->kernels;
  if (!work->law.classical && work->tile->measured != ELI_GEOMETRY && !work->tile->closed) {
    kernels->lengths_and_soften(&work->sweep);
    return;
  }
  find_geometry(work);
  if (!work->law.classical) kernels->soften(&work->sweep);
}

/* Without derived lanes. Where lengths alone are read, and not by the loads themselves, one sweep gives both. */
static void find_loads(const eli_work *work) {
  const eli_kernels *kernels = work->world->kernels;
  if (work->law.classical && work->tile->measured == ELI_LENGTHS) {
    work->report->trips |= kernels->loads_and_lengths(&work->sweep, &work->law);
    if (work->tile->closed) eli_tile_close_geometry(work->world, work->tile);
  } else {
    prepare_loads(work);
    work->report->trips |= kernels->loads(&work->sweep, &work->law);
  }
  close_loads(work);
}

static void find_nothing(const eli_work *work) {
  if (work->tile->measured) eli_geometry(work);
  if (work->tile->derived) eli_strains(work);
  eli_rigid_loads(work);
}

void eli_internal_loads(const eli_work *work) {
  const eli_tile *tile = work->tile;
  if (tile->rigid) {
    find_nothing(work);
  } else if (eli_tile_has(work->world, tile, ELI_ADD_RESULTANTS)) {
    find_geometry(work);
    eli_strains(work);
    eli_add_resultants(work);
    eli_internal_loads_from_resultants(work);
  } else if (tile->derived) {
    find_geometry(work);
    work->report->trips |= work->world->kernels->loads_and_strains(&work->sweep, &work->law);
    eli_show_strains(work);
    close_loads(work);
  } else {
    find_loads(work);
  }
  if (tile->gathered) eli_gather_internal_loads(work);
}

/* Whether the effect would add nothing. If it would, and the step has no geometry for it, that is worked out now. */
static int is_idle(const eli_work *work, const elastica_effect *effect, const elastica_rod *rod, int *measured) {
  if (effect->body->kind == NULL || effect->body->kind->idle == NULL) return 0;
  if (effect->body->kind->idle(effect->self, &rod->body->view)) return 1;
  if (*measured != ELI_GEOMETRY) eli_geometry(work);
  *measured = ELI_GEOMETRY;
  return 0;
}

/* Marks the spans of slots to which an effect may have written. */
static void touch(const eli_work *work, const elastica_effect *effect, const elastica_rod *rod) {
  const int bits = eli_span_bits(work);
  int first = 0, last = rod->element_count;
  if (effect->body->kind != NULL && effect->body->kind->reach != NULL) effect->body->kind->reach(effect->self, &first, &last);
  const size_t from = (eli_first_slot(work, rod) + (size_t)first) >> bits, to = (eli_first_slot(work, rod) + (size_t)last) >> bits;
  for (size_t k = from; k <= to; k++) work->report->touched |= (uint64_t)1 << k;
}

int eli_external_loads(const eli_work *work) {
  eli_tile_report *report = work->report;
  const int meets = eli_world_meets(work->world), everywhere = work->tile->reacting || work->tile->closed || meets;
  const int loaded = meets && work->tile->loaded == ELI_NO_LOADS ? ELI_LOADS : work->tile->loaded;
  int measured = eli_world_meets_measured(work->world) ? ELI_GEOMETRY : work->tile->measured;
  report->loaded = work->tile->reacting || meets ? loaded : ELI_NO_LOADS;
  report->touched = everywhere ? ~(uint64_t)0 : 0;
  if (!eli_tile_has(work->world, work->tile, ELI_ADD_LOADS) && !work->tile->closed) return report->status == ELASTICA_OK;
  ELI_EACH_ROD(rod, work->world, work->tile) {
    const elastica_instant now = eli_instant_of(work, rod, work->middle);
    ELI_EACH_EFFECT(effect, rod, ELI_ADD_LOADS) {
      if ((effect == work->tile->damper && !work->world->asks) || is_idle(work, effect, rod, &measured)) continue;
      report->loaded = loaded;
      if (!everywhere) touch(work, effect, rod);
      eli_call_hook(effect, ELI_ADD_LOADS, rod, &now, &rod->body->loads, report);
    }
    ask_for_look(work, &rod->body->loads.look_again);
    if (!rod->closed) continue;
    const size_t first = eli_first_slot(work, rod), ghost = eli_last_slot(work, rod);
    for (int a = 0; a < 3; a++) eli_fold_ghost(work->tile->lane[ELI_FORCE + a], first, ghost);
    eli_fold_ghost(work->tile->lane[ELI_DRAG], first, ghost);
  }
  return work->report->status == ELASTICA_OK;
}

/* Each reaction sees the total with the reactions before it. */
int eli_reactions(const eli_work *work) {
  elastica_world *world = work->world;
  const eli_tile *tile = work->tile;
  ELI_EACH_ROD(rod, world, tile) {
    const size_t first = eli_first_slot(work, rod);
    const eli_sweep sweep = eli_rod_sweep(work, rod);
    const elastica_instant now = eli_instant_of(work, rod, work->middle);
    elastica_loads loads = rod->body->loads;
    for (int a = 0; a < 3; a++) {
      loads.total_force[a] = work->scratch[ELI_TOTAL_FORCE + a] + first;
      loads.total_couple[a] = work->scratch[ELI_TOTAL_COUPLE + a] + first;
    }
    ELI_EACH_EFFECT(effect, rod, ELI_ADD_REACTIONS) {
      world->kernels->total(&sweep, &work->law);
      eli_call_hook(effect, ELI_ADD_REACTIONS, rod, &now, &loads, work->report);
      if (rod->closed) {
        eli_rod_close_lanes(rod, ELI_FORCE, 3);
        eli_rod_close_lanes(rod, ELI_DRAG, 1);
      }
    }
    ask_for_look(work, &loads.look_again);
  }
  return work->report->status == ELASTICA_OK;
}

int eli_loads_before_reactions(const eli_work *work) {
  eli_strains(work);
  if (!eli_add_resultants(work)) return 0;
  eli_internal_loads_from_resultants(work);
  eli_gather_internal_loads(work);
  const int loaded = work->tile->loaded || eli_world_meets(work->world) || (work->tile->damper != NULL && work->world->asks);
  return !loaded || eli_external_loads(work);
}
