/* Forces on nodes (3.8) and couples on elements (3.9): internal loads by the difference operator Delta^h and the average operator A^h of
 * appendix D, then the loads of effects. */
#include "base/target.h"

#include "base/fetch.h"
#include "step/stages.h"

/* The element in the last slot reads the joint after it, which belongs to no rod. That joint is reset, because another tile may have left a
 * value there; the same holds for the element before the first node. Node 0 of a ring is pulled by element n-1 and pushed by element 0. Its
 * ghost adds the two forces, so the force of element 0 is copied there. The closing joint of the ring was computed in the slot of the
 * ghost. */
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

/* An effect that has become stiffer than add_stiffness reported requests a limit check. */
static void request_limit_check(const eli_work *work, int *asked) {
  if (*asked) work->report->trips |= ELI_TRIP_WATCH;
  *asked = 0;
}

/* Rigid bodies have no resultants. */
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
  request_limit_check(work, &resultants.look_again);
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

/* If the pair phase reads the geometry, it is already up to date. */
static void find_geometry(const eli_work *work) {
  if (eli_world_pairs_read_geometry(work->world)) return;
  if (work->tile->measured == ELI_GEOMETRY) {
    eli_geometry(work);
  } else if (work->tile->measured || !work->law.classical) {
    work->world->kernels->lengths(&work->sweep);
    if (work->tile->closed) eli_tile_close_geometry(work->world, work->tile);
  }
}

/* Computes the lengths that loads() needs: in the rescaled law, with quantities that depend on the dilatations. A ring's closing joint
 * reads the length of its ghost. */
static void prepare_loads(const eli_work *work) {
  const eli_kernels *kernels = work->world->kernels;
  if (!work->law.classical && work->tile->measured != ELI_GEOMETRY && !work->tile->closed) {
    kernels->lengths_and_soften(&work->sweep);
    return;
  }
  find_geometry(work);
  if (!work->law.classical) kernels->soften(&work->sweep);
}

static void add_loads(const eli_work *work) {
  if (work->tile->loaded || eli_world_has_pair_phase(work->world)) eli_external_loads(work);
}

/* Computes loads without derived lanes. If only lengths are read, and not by effects that add loads, one sweep computes both. Hooks add
 * their loads before the sweep if possible, because written lanes have then reached the cache when the kick reads them. */
static void find_loads(const eli_work *work) {
  const eli_kernels *kernels = work->world->kernels;
  const int measures = work->law.classical && work->tile->measured == ELI_LENGTHS;
  const int with = (measures ? ELI_WITH_LENGTHS : 0) | (work->tile->resultants_apart ? ELI_WITH_RESULTANTS : 0);
  if (!measures) prepare_loads(work);
  if (work->tile->resultants_apart) {
    kernels->clear_resultants(&work->sweep);
    eli_add_resultants(work);
  }
  if (work->tile->loads_early) add_loads(work);
  work->report->trips |= with ? kernels->loads_with(&work->sweep, &work->law, with) : kernels->loads(&work->sweep, &work->law);
  if (measures && work->tile->closed) eli_tile_close_geometry(work->world, work->tile);
  close_loads(work);
}

static void find_nothing(const eli_work *work) {
  if (work->tile->measured) eli_geometry(work);
  if (work->tile->derived) eli_strains(work);
  eli_rigid_loads(work);
}

void eli_loads(const eli_work *work) {
  const eli_tile *tile = work->tile;
  if (tile->rigid) {
    find_nothing(work);
  } else if (eli_tile_has(work->world, tile, ELI_ADD_RESULTANTS) && !tile->resultants_apart) {
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
  if (!tile->loads_early) add_loads(work);
}

/* Returns 1 if the effect would add nothing. Otherwise it computes the geometry if the step has not done so. */
static int is_idle(const eli_work *work, const eli_load_call *call, int *measured) {
  if (call->kind == NULL || call->kind->idle == NULL) return 0;
  if (call->kind->idle(call->self, call->view, work->dt)) return 1;
  if (*measured != ELI_GEOMETRY) eli_geometry(work);
  *measured = ELI_GEOMETRY;
  return 0;
}

/* Marks the spans of slots that an effect may write to. */
static void touch(eli_tile_report *report, const eli_load_call *call, int span_bits) {
  int first = 0, last = call->rod->element_count;
  if (call->kind != NULL && call->kind->reach != NULL) call->kind->reach(call->self, &first, &last);
  const size_t from = (call->first + (size_t)first) >> span_bits, to = (call->first + (size_t)last) >> span_bits;
  report->touched |= (((uint64_t)2 << (to - from)) - 1) << from;
}

/* Sets no totals. Without an initialiser, because gcc would turn it into a slow string instruction. */
static void begin_loads(elastica_loads *loads) {
  loads->struct_size = sizeof *loads;
  for (int a = 0; a < 3; a++) loads->total_force[a] = loads->total_couple[a] = NULL;
  loads->look_again = 0;
}

/* Sets the pointers to the lanes of a rod's first slot. Written in place, because a copy would wait for the preceding writes. */
static void aim_loads(elastica_loads *loads, const eli_tile *tile, size_t first) {
  for (int a = 0; a < 3; a++) {
    loads->force[a] = tile->lane[ELI_FORCE + a] + first;
    loads->couple[a] = tile->lane[ELI_COUPLE + a] + first;
  }
  loads->drag = tile->lane[ELI_DRAG] + first;
  loads->spin_drag = tile->lane[ELI_SPIN_DRAG] + first;
}

static void call_add_loads(const eli_work *work, const eli_load_call *call, elastica_instant *now, elastica_loads *loads) {
  elastica_world *world = work->world;
  now->rod_index = call->rod_index;
  aim_loads(loads, work->tile, call->first);
  if (world->in_hook == ELI_IN_ORDERED_HOOK) world->silent = call->parallel_safe;
  const elastica_status status = call->add_loads(call->self, now, call->view, loads);
  if (work->report->meter != NULL) work->report->meter->saw(work->report->meter, call->effect, call->rod, ELI_ADD_LOADS);
  if (status != ELASTICA_OK) eli_report_hook(work->report, status, call->rod, call->effect, ELI_ADD_LOADS);
  request_limit_check(work, &loads->look_again);
}

/* Views are far apart in memory, so the parts that most hooks read are prefetched some calls in advance. */
ELI_FETCHES fetch_ahead(const eli_load_call *call) {
  __builtin_prefetch(call->self);
  __builtin_prefetch(call->view);
  __builtin_prefetch(call->view->velocity);
  __builtin_prefetch(&call->view->length);
}

static void call_all(const eli_work *work, int loaded, int everywhere, int measured) {
  enum { AHEAD = 6 };
  const eli_tile *tile = work->tile;
  const void *damper = work->world->asks ? NULL : tile->damper;
  const int span_bits = eli_span_bits(work);
  elastica_instant now = {sizeof now, work->middle, work->dt, work->step, -1, 0.0};
  elastica_loads loads;
  begin_loads(&loads);
  for (size_t k = 0; k < tile->call_count; k++) {
    const eli_load_call *call = &tile->calls[k];
    if (k + AHEAD < tile->call_count) fetch_ahead(call + AHEAD);
    if (call->effect == damper || is_idle(work, call, &measured)) continue;
    work->report->loaded = loaded;
    if (!everywhere) touch(work->report, call, span_bits);
    call_add_loads(work, call, &now, &loads);
  }
}

/* Loads that hooks added to the ghosts of rings. */
static void fold_ghosts(const eli_work *work) {
  if (!work->tile->closed) return;
  ELI_EACH_ROD(rod, work->world, work->tile) {
    if (!rod->closed) continue;
    const size_t first = eli_first_slot(work, rod), ghost = eli_last_slot(work, rod);
    for (int a = 0; a < 3; a++) eli_fold_ghost(work->tile->lane[ELI_FORCE + a], first, ghost);
    eli_fold_ghost(work->tile->lane[ELI_DRAG], first, ghost);
  }
}

static void spread_rates(const eli_work *work, const elastica_effect *effect) {
  double half_translation, rotation;
  effect->body->kind->damping(effect->self, &half_translation, &rotation);
  work->world->kernels->spread_rates(&work->sweep, half_translation, rotation);
}

int eli_external_loads(const eli_work *work) {
  eli_tile_report *report = work->report;
  const eli_tile *tile = work->tile;
  const int has_pairs = eli_world_has_pair_phase(work->world),
            everywhere = tile->reacting || tile->closed || has_pairs || tile->rates != NULL;
  const int loaded = has_pairs && tile->loaded == ELI_NO_LOADS ? ELI_LOADS : tile->loaded;
  const int measured = eli_world_pairs_read_geometry(work->world) ? ELI_GEOMETRY : tile->measured;
  report->loaded = tile->reacting || has_pairs || tile->rates != NULL ? loaded : ELI_NO_LOADS;
  report->touched = everywhere ? ~(uint64_t)0 : 0;
  if (tile->rates != NULL) spread_rates(work, tile->rates);
  call_all(work, loaded, everywhere, measured);
  fold_ghosts(work);
  return report->status == ELASTICA_OK;
}

/* Each reaction receives the total with the reactions before it. */
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
      world->kernels->total(&sweep, &work->law, tile->closed);
      eli_call_hook(effect, ELI_ADD_REACTIONS, rod, &now, &loads, work->report);
      if (rod->closed) {
        eli_rod_close_lanes(rod, ELI_FORCE, 3);
        eli_rod_close_lanes(rod, ELI_DRAG, 1);
      }
    }
    request_limit_check(work, &loads.look_again);
  }
  return work->report->status == ELASTICA_OK;
}
