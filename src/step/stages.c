/* The stages of a step: their functions, and the table of their order for a tile.
 *
 * models     position Verlet (Gazzola et al. 2018, appendix C) with the new velocities in the second half step. Drift: dr/dt = v,
 *            dQ/dt = -[omega]x Q (C1 and C2; frames by Rodrigues' formula), and the geometry that follows. Shear/stretch strain sigma (3.3)
 *            and curvature kappa (3.5), with the stresses n (2.11) and couples tau (2.8) of the material. Forces on nodes (3.8) and couples
 *            on elements (3.9): internal loads by the difference operator Delta^h and the average operator A^h of appendix D, then the
 *            loads of effects. Kick of velocities and spins (C3, C4), with linear dissipation by rates and velocity-dependent couples at
 *            the midpoint. Rigid bodies have no strains and internal loads; their kick takes (J omega) x omega of three arbitrary moments
 *            at the midpoint
 * why        The table is the one place that knows the order: the stepper, the work meter of budgets, evaluations, statics and queries go
 *            through it. Stages that stand next to each other may have a function that carries them out together in fewer passes over
 *            memory, with the same bits
 * test       tests/test_stages.c, tests/test_body.c, tests/test_body_free.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/fetch.h"
#include "base/rotation.h"
#include "rod/law.h"
#include "step/stages.h"

/* ---- Drift and geometry ---- */

void eli_drift(const eli_tile_work *work, int twice) {
  work->report->trips |= work->world->kernels->drift(&work->sweep, 0.5 * work->now.dt, twice, work->law.watch.spin2);
}

/* Returns ELI_TRIP_JOINT if a joint angle exceeds the limit between now and a time. Not inlined, because few steps have such a joint. */
static __attribute__((noinline)) unsigned find_passing(const eli_sweep *sweep, double time) {
  const double *lane = sweep->lane;
  const ptrdiff_t stride = sweep->stride;
  for (ptrdiff_t i = 0; i < sweep->count; i++) {
    double after[9], before[9], spin_after[3], spin_before[3], r[9];
    if (lane[ELI_INVERSE_REST_JOINT_LENGTH * stride + i] < 0.0) continue;
    for (int a = 0; a < 9; a++) {
      after[a] = lane[(ELI_DIRECTOR + a) * stride + i];
      before[a] = lane[(ELI_DIRECTOR + a) * stride + i - 1];
    }
    for (int a = 0; a < 3; a++) {
      spin_after[a] = lane[(ELI_OMEGA + a) * stride + i];
      spin_before[a] = lane[(ELI_OMEGA + a) * stride + i - 1];
    }
    eli_relative_rotation(after, before, r);
    if (eli_joint_widest(r, spin_before, spin_after, time) > ELI_JOINT_LIMIT_H) return ELI_TRIP_JOINT;
  }
  return 0;
}

/* Returns ELI_TRIP_STRETCH where velocities change the length of an element too fast, in the law CLASSICAL. The kick of the law RESCALED
 * has its own test. Such an element is outside the range of the watch, in this step or at the latest in the next. Only elements outside are
 * tested, so that the result does not depend on other rods of the tile. Not inlined, because the watch trips in few steps. */
static __attribute__((noinline)) unsigned find_stretch(const eli_sweep *sweep, double h) {
  const double *lane = sweep->lane;
  const ptrdiff_t stride = sweep->stride;
  for (ptrdiff_t j = 0; j < sweep->count; j++) {
    const double watched = lane[ELI_WATCHED_LENGTH2 * stride + j], per_rest = lane[ELI_INVERSE_REST_LENGTH * stride + j];
    double along = 0.0, length2 = 0.0;
    if (!(per_rest > 0.0)) continue;
    for (int a = 0; a < 3; a++) {
      const double *r = lane + (ELI_POSITION + a) * stride + j, *v = lane + (ELI_VELOCITY + a) * stride + j, edge = r[1] - r[0];
      along += edge * (v[1] - v[0]);
      length2 += edge * edge;
    }
    if (fabs(length2 - watched) <= 1.001 * ELI_WATCHED_RANGE * watched) continue;
    const double length = sqrt(length2);
    if (!(fabs(h * along) < 0.5 * length * eli_length_for_trip(length, 1.0 / per_rest, 1))) return ELI_TRIP_STRETCH;
  }
  return 0;
}

/* Tests joints and lengths in the half step before or after the kick. */
static void watch_half_step(const eli_tile_work *work, double h) {
  if (!(work->report->trips & (ELI_TRIP_WIDE | ELI_TRIP_WATCH))) return;
  if (work->report->trips & ELI_TRIP_WIDE) work->report->trips |= find_passing(&work->sweep, h);
  if (work->law.classical && !work->tile->rigid) work->report->trips |= find_stretch(&work->sweep, h);
}

void eli_geometry(const eli_tile_work *work) {
  if (work->tile->rigid) {
    eli_tile_aim_tangents(work->tile);
    return;
  }
  work->world->kernels->geometry(&work->sweep);
  if (work->tile->closed) eli_tile_close_geometry(work->world, work->tile);
}

/* ---- Strains ---- */

void eli_rigid_clear(const eli_tile_work *work, int first, int end) {
  for (int k = first; k < end; k++) memset(work->scratch[k], 0, (work->tile->count + ELI_BLOCK) * sizeof(double));
}

static void clear_loads(const eli_tile_work *work) {
  eli_rigid_clear(work, ELI_STRETCH_FORCE, ELI_STRETCH_RATE);
}

void eli_rigid_strains(const eli_tile_work *work) {
  eli_rigid_clear(work, ELI_STRAIN, ELI_TOTAL_FORCE);
}

void eli_show_strains(const eli_tile_work *work) {
  ELI_EACH_ROD(rod, work->world, work->tile) {
    eli_rod_aim_derived(rod, work->scratch);
    if (!rod->closed) continue;
    const size_t first = eli_first_slot(work, rod), ghost = eli_last_slot(work, rod);
    for (int k = ELI_CURVATURE; k < ELI_CURVATURE + 6; k++) work->scratch[k][first] = work->scratch[k][ghost];
  }
}

void eli_strains(const eli_tile_work *work) {
  const eli_kernels *kernels = work->world->kernels;
  if (work->tile->rigid)
    eli_rigid_strains(work);
  else
    work->report->trips |= kernels->strains(&work->sweep, &work->law);
  eli_show_strains(work);
}

/* ---- Internal loads ---- */

/* The element in the last slot reads the joint after it, which belongs to no rod. That joint is reset, because another tile may have left a
 * value there; the same holds for the element before the first node. Node 0 of a ring is pulled by element n-1 and pushed by element 0. Its
 * ghost adds the two forces, so the force of element 0 is copied there. The closing joint of the ring was computed in the slot of the
 * ghost. */
static void close_loads(const eli_tile_work *work) {
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
static void request_limit_check(const eli_tile_work *work, int *asked) {
  if (*asked) work->report->trips |= ELI_TRIP_WATCH;
  *asked = 0;
}

/* Rigid bodies have no resultants. */
int eli_add_rod_resultants(const eli_tile_work *work, elastica_rod *rod) {
  if (work->tile->rigid) return 1;
  const elastica_instant now = eli_instant_of(work, rod, work->middle);
  const size_t first = eli_first_slot(work, rod), joint = first + (rod->closed ? 0 : 1);
  elastica_resultants resultants = {sizeof resultants, {NULL}, {NULL}, 0};
  for (int a = 0; a < 3; a++) {
    resultants.force[a] = work->scratch[ELI_STRESS + a] + first;
    resultants.couple[a] = work->scratch[ELI_JOINT_COUPLE + a] + joint;
  }
  eli_call_hooks(ELI_ADD_RESULTANTS, rod, &now, &resultants, work->report);
  request_limit_check(work, &resultants.check_again);
  if (rod->closed)
    for (int a = 0; a < 3; a++) work->scratch[ELI_JOINT_COUPLE + a][eli_last_slot(work, rod)] = work->scratch[ELI_JOINT_COUPLE + a][first];
  return work->report->status == ELASTICA_OK;
}

static void add_resultants_to_part(const eli_tile_work *work) {
  eli_rod_part *part = work->part;
  const elastica_instant now = eli_instant_of(work, part->rod, work->middle);
  elastica_resultants resultants = {sizeof resultants, {NULL}, {NULL}, 0};
  for (int a = 0; a < 3; a++) {
    resultants.force[a] = work->scratch[ELI_STRESS + a] + part->shift;
    resultants.couple[a] = work->scratch[ELI_JOINT_COUPLE + a] + part->shift + 1;
  }
  ELI_EACH_EFFECT(effect, part->rod, ELI_ADD_RESULTANTS) {
    const elastica_status status =
        effect->body->kind->add_resultants_to(effect->self, &now, &part->view, part->first, part->end, &resultants);
    if (status != ELASTICA_OK) eli_report_hook(work->report, status, part->rod, effect, ELI_ADD_RESULTANTS);
  }
  request_limit_check(work, &resultants.check_again);
}

static void add_resultants(const eli_tile_work *work) {
  if (work->part != NULL) {
    add_resultants_to_part(work);
    return;
  }
  if (work->alone != NULL) {
    eli_add_rod_resultants(work, work->alone);
    return;
  }
  ELI_EACH_ROD(rod, work->world, work->tile) eli_add_rod_resultants(work, rod);
}

void eli_internal_loads_from_resultants(const eli_tile_work *work) {
  if (work->tile->rigid) {
    clear_loads(work);
    return;
  }
  work->world->kernels->loads_from(&work->sweep, &work->law);
  close_loads(work);
}

void eli_gather_internal_loads(const eli_tile_work *work) {
  work->world->kernels->internal(&work->sweep);
  ELI_EACH_ROD(rod, work->world, work->tile) {
    if (!rod->closed) continue;
    for (int a = 0; a < 3; a++)
      work->scratch[ELI_INTERNAL_FORCE + a][eli_first_slot(work, rod)] = work->scratch[ELI_INTERNAL_FORCE + a][eli_last_slot(work, rod)];
  }
}

/* ---- Loads of effects ---- */

/* A span has 2^span_bits slots: whole blocks, so that a sweep has at most 64 spans. */
static int span_bits_of(const eli_tile_work *work) {
  int bits = 3;
  while (work->sweep.count > (ptrdiff_t)64 << bits) bits++;
  return bits;
}

/* Returns 1 if the effect would add nothing. Otherwise it computes the geometry if the step has not done so. */
static int is_idle(const eli_tile_work *work, const eli_load_call *call, const elastica_instant *now, int *measured) {
  if (call->is_idle == NULL) return 0;
  if (work->world->calls.leaves_contacts && eli_reports_contacts(call->effect) && !call->view->rigid) return 1;
  if (call->is_idle(call->self, now, call->view)) return 1;
  if (*measured != ELI_GEOMETRY) eli_geometry(work);
  *measured = ELI_GEOMETRY;
  return 0;
}

/* Marks the spans of slots first .. last, which an effect may write to. */
static void touch(eli_tile_report *report, size_t first, size_t last, int span_bits) {
  const size_t from = first >> span_bits, to = last >> span_bits;
  report->touched |= (((uint64_t)2 << (to - from)) - 1) << from;
}

/* Sets no totals. Without an initialiser, because gcc would turn it into a slow string instruction. */
static void begin_loads(elastica_loads *loads) {
  loads->struct_size = sizeof *loads;
  for (int a = 0; a < 3; a++) loads->total_force[a] = loads->total_couple[a] = NULL;
  loads->check_again = 0;
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

static void call_add_loads(const eli_tile_work *work, const eli_load_call *call, elastica_instant *now, elastica_loads *loads) {
  elastica_world *world = work->world;
  now->rod_index = call->rod_index;
  aim_loads(loads, work->tile, call->first);
  if (world->calls.in_hook == ELI_IN_ORDERED_HOOK) world->calls.silent = call->parallel_safe;
  const elastica_status status = call->add_loads(call->self, now, call->view, loads);
  if (work->report->meter != NULL) work->report->meter->saw(work->report->meter, call->effect, call->rod, ELI_ADD_LOADS);
  if (status != ELASTICA_OK) eli_report_hook(work->report, status, call->rod, call->effect, ELI_ADD_LOADS);
  request_limit_check(work, &loads->check_again);
}

/* Views are far apart in memory, so the parts that most hooks read are prefetched some calls in advance. */
ELI_FETCHES fetch_ahead(const eli_load_call *call) {
  __builtin_prefetch(call->self);
  __builtin_prefetch(call->view);
  __builtin_prefetch(call->view->velocity);
  __builtin_prefetch(&call->view->length);
}

static void call_all(const eli_tile_work *work, int loaded, int everywhere, int measured) {
  enum { AHEAD = 6 };
  const eli_tile *tile = work->tile;
  const void *damper = work->now.purpose == ELASTICA_PURPOSE_QUERY ? NULL : tile->damper;
  const int span_bits = span_bits_of(work);
  elastica_instant now = work->now;
  now.time = work->middle;
  elastica_loads loads;
  begin_loads(&loads);
  for (size_t k = 0; k < tile->call_count; k++) {
    const eli_load_call *call = &tile->calls[k];
    if (k + AHEAD < tile->call_count) fetch_ahead(call + AHEAD);
    if (call->effect == damper || is_idle(work, call, &now, &measured)) continue;
    work->report->loaded = loaded;
    if (!everywhere) touch(work->report, call->first + (size_t)call->first_written, call->first + (size_t)call->last_written, span_bits);
    call_add_loads(work, call, &now, &loads);
  }
}

/* Calls one effect in a window. */
static void call_on_part(const eli_tile_work *work, const eli_load_call *call, const elastica_instant *now, int span_bits) {
  eli_rod_part *part = work->part;
  const eli_built_in *kind = call->effect->body->kind;
  const int everywhere = kind->add_loads_to != NULL, from = everywhere ? part->first : call->first_written,
            to = everywhere ? part->end - 1 : call->last_written;
  if (!everywhere && !eli_part_holds(part, from, to)) return;
  work->report->loaded = work->tile->loaded;
  touch(work->report, (size_t)(from + part->shift), (size_t)(to + part->shift), span_bits);
  const elastica_status status = everywhere ? kind->add_loads_to(call->self, now, &part->view, part->first, part->end, &part->loads)
                                            : call->add_loads(call->self, now, &part->view, &part->loads);
  if (status != ELASTICA_OK) eli_report_hook(work->report, status, call->rod, call->effect, ELI_ADD_LOADS);
  request_limit_check(work, &part->loads.check_again);
}

static void call_all_on_part(const eli_tile_work *work) {
  const eli_tile *tile = work->tile;
  const int span_bits = span_bits_of(work);
  const elastica_instant now = eli_instant_of(work, work->part->rod, work->middle);
  work->report->loaded = ELI_NO_LOADS;
  work->report->touched = 0;
  for (size_t k = 0; k < tile->call_count; k++)
    if (tile->calls[k].effect != tile->damper) call_on_part(work, &tile->calls[k], &now, span_bits);
}

/* Loads that hooks added to the ghosts of rings. */
static void fold_ghosts(const eli_tile_work *work) {
  if (!work->tile->closed) return;
  ELI_EACH_ROD(rod, work->world, work->tile) {
    if (!rod->closed) continue;
    const size_t first = eli_first_slot(work, rod), ghost = eli_last_slot(work, rod);
    for (int a = 0; a < 3; a++) eli_fold_ghost(work->tile->lane[ELI_FORCE + a], first, ghost);
    eli_fold_ghost(work->tile->lane[ELI_DRAG], first, ghost);
  }
}

static void call_external_loads(const eli_tile_work *work) {
  eli_tile_report *report = work->report;
  const eli_tile *tile = work->tile;
  const int has_pairs = eli_world_has_pair_phase(work->world), everywhere = tile->reacting || tile->closed || has_pairs;
  const int loaded = has_pairs && tile->loaded == ELI_NO_LOADS ? ELI_LOADS : tile->loaded;
  const int measured = eli_world_pairs_read_geometry(work->world) ? ELI_GEOMETRY : tile->measured;
  report->loaded = tile->reacting || has_pairs ? loaded : ELI_NO_LOADS;
  report->touched = everywhere ? ~(uint64_t)0 : 0;
  call_all(work, loaded, everywhere, measured);
  fold_ghosts(work);
}

static void add_loads(const eli_tile_work *work) {
  const int damped = work->tile->damper != NULL && work->now.purpose == ELASTICA_PURPOSE_QUERY; /* in a step the kick integrates it */
  if (work->part != NULL)
    call_all_on_part(work);
  else if (work->tile->loaded || eli_world_has_pair_phase(work->world) || damped)
    call_external_loads(work);
}

/* Each reaction receives the total with the reactions before it. */
static void add_reactions(const eli_tile_work *work) {
  if (!work->tile->reacting) return;
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
    request_limit_check(work, &loads.check_again);
  }
}

/* ---- Loads in fewer passes ---- */

/* If the pair phase reads the geometry, it is already up to date. */
static void find_geometry(const eli_tile_work *work) {
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
static void prepare_loads(const eli_tile_work *work) {
  const eli_kernels *kernels = work->world->kernels;
  if (!work->law.classical && work->tile->measured != ELI_GEOMETRY && !work->tile->closed) {
    kernels->lengths_and_rescale(&work->sweep);
    return;
  }
  find_geometry(work);
  if (!work->law.classical) kernels->rescale(&work->sweep);
}

/* Computes loads without derived lanes. If only lengths are read, one sweep computes both. */
static void find_loads(const eli_tile_work *work) {
  const eli_kernels *kernels = work->world->kernels;
  const int measures = work->law.classical && work->tile->measured == ELI_LENGTHS;
  const int with = (measures ? ELI_WITH_LENGTHS : 0) | (work->tile->resultants_apart ? ELI_WITH_RESULTANTS : 0);
  if (!measures) prepare_loads(work);
  if (work->tile->resultants_apart) {
    kernels->clear_resultants(&work->sweep);
    add_resultants(work);
  }
  work->report->trips |= with ? kernels->loads_with(&work->sweep, &work->law, with) : kernels->loads(&work->sweep, &work->law);
  if (measures && work->tile->closed) eli_tile_close_geometry(work->world, work->tile);
  close_loads(work);
}

static void find_nothing(const eli_tile_work *work) {
  if (work->tile->measured) eli_geometry(work);
  if (work->tile->derived) eli_strains(work);
  clear_loads(work);
}

/* Carries out the stages from the geometry to the external loads together. */
static void take_loads_together(const eli_tile_work *work) {
  const eli_tile *tile = work->tile;
  if (tile->rigid) {
    find_nothing(work);
  } else if (eli_tile_has(tile, ELI_ADD_RESULTANTS) && !tile->resultants_apart) {
    find_geometry(work);
    eli_strains(work);
    add_resultants(work);
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
  add_loads(work);
}

/* ---- Kick ---- */

/* Describes the lanes and spans that the loads of this step have written, and the damper. Written in place, because a copy would wait for
 * the preceding writes. */
static void find_impulse(const eli_tile_work *work, eli_impulse *impulse) {
  const elastica_effect *damper = work->tile->damper;
  const int reads = work->tile->loaded || eli_world_has_pair_phase(work->world);
  impulse->dt = work->now.dt;
  impulse->loaded = reads ? work->report->loaded : ELI_NO_LOADS;
  impulse->touched = impulse->loaded ? work->report->touched : 0;
  impulse->span_bits = span_bits_of(work);
  impulse->half_translation = impulse->rotation = 0.0;
  if (damper == NULL) return;
  impulse->loaded = ELI_LOADS_AND_DAMPING;
  damper->body->kind->damping(damper->self, &impulse->half_translation, &impulse->rotation);
}

/* Node 0 of a ring is kicked in its ghost, which has the forces of both of its elements. */
static void kick_velocities(const eli_tile_work *work, const eli_impulse *impulse) {
  const eli_tile *tile = work->tile;
  work->world->kernels->kick_velocity(&work->sweep, impulse);
  if (!tile->closed) return;
  ELI_EACH_ROD(rod, work->world, tile) {
    if (!rod->closed) continue;
    const size_t first = rod->offset, ghost = first + (size_t)rod->element_count;
    for (int a = 0; a < 3; a++)
      work->world->bodies.slab.lane[ELI_VELOCITY + a][first] = work->world->bodies.slab.lane[ELI_VELOCITY + a][ghost];
  }
}

static void close_spins(const eli_tile_work *work) {
  if (!work->tile->closed) return;
  ELI_EACH_ROD(rod, work->world, work->tile) {
    if (rod->closed) eli_rod_close_lanes(rod, ELI_OMEGA, 3);
  }
}

static void kick_spins(const eli_tile_work *work, const eli_impulse *impulse) {
  work->report->trips |= work->world->kernels->kick_spin(&work->sweep, impulse, &work->law);
  close_spins(work);
}

static void kick_velocity(const eli_tile_work *work) {
  eli_impulse impulse;
  find_impulse(work, &impulse);
  kick_velocities(work, &impulse);
}

static void kick_spin(const eli_tile_work *work) {
  eli_impulse impulse;
  find_impulse(work, &impulse);
  kick_spins(work, &impulse);
}

/* Carries out the stages from the kick of velocities to the constraint of spins together. In the rescaled law spins are kicked after the
 * velocity constraints, because their couples depend on the mean of old and new velocities. If all prescribed velocities only fix nodes, no
 * constraint is called. */
static void kick_together(const eli_tile_work *work) {
  const eli_tile *tile = work->tile;
  eli_impulse impulse;
  find_impulse(work, &impulse);
  const int in_closed_form = !work->law.explicit_couples && !work->law.any_inertia;
  if (in_closed_form && tile->kicked_at_once && (work->law.classical || tile->velocities_stay)) {
    work->report->trips |= work->world->kernels->kick_both(&work->sweep, &impulse, &work->law);
    if (!tile->velocities_stay) eli_constrain_velocities(work);
  } else {
    kick_velocities(work, &impulse);
    if (!tile->velocities_stay) eli_constrain_velocities(work);
    kick_spins(work, &impulse);
  }
  eli_constrain_spins(work);
}

/* ---- Stages that call hooks alone ---- */

/* Hooks at the start of a step see the geometry of that instant, not of the middle of the step before. */
static void begin(const eli_tile_work *work) {
  if (!eli_tile_has(work->tile, ELI_BEGIN_STEP)) return;
  eli_geometry(work);
  eli_hooks(work, ELI_BEGIN_STEP, work->time, NULL);
}

static void drift_in(const eli_tile_work *work) {
  eli_drift(work, 0);
}

static void drift_out(const eli_tile_work *work) {
  eli_drift(work, work->fused);
}

/* Boundaries at rest need not be called: their values were written when the world was prepared, and stay. */
static void constrain_positions(const eli_tile_work *work, double time) {
  if (!work->tile->positions_stay) eli_constrain_positions(work, time);
}

static void constrain_middle(const eli_tile_work *work) {
  constrain_positions(work, work->middle);
}

static void constrain_end(const eli_tile_work *work) {
  constrain_positions(work, work->end);
}

/* Pairs see the geometry of the middle of the step. */
static void measure_pairs(const eli_tile_work *work) {
  if (eli_world_pairs_read_geometry(work->world)) eli_geometry(work);
}

/* The pairs of the whole world act between its two sweeps over tiles. While they sleep, a tile only watches its rods. */
static void watch_pairs(const eli_tile_work *work) {
  if (!work->world->pair_phase.asleep) return;
  ELI_EACH_ROD(rod, work->world, work->tile) work->report->trips |= eli_rod_wakes_pairs(rod);
}

static void find_internal_loads(const eli_tile_work *work) {
  eli_internal_loads_from_resultants(work);
  eli_gather_internal_loads(work);
}

static void watch_joints_before(const eli_tile_work *work) {
  watch_half_step(work, -0.5 * work->now.dt);
}

static void watch_joints_after(const eli_tile_work *work) {
  watch_half_step(work, 0.5 * work->now.dt);
}

static void constrain_velocities(const eli_tile_work *work) {
  eli_constrain_velocities(work);
}

static void constrain_spins(const eli_tile_work *work) {
  eli_constrain_spins(work);
}

static void observe(const eli_tile_work *work) {
  eli_geometry(work);
  eli_hooks(work, ELI_OBSERVE, work->end, NULL);
}

/* ---- The table ---- */

enum { NO_HOOK = ELI_HOOK_COUNT };

const eli_stage_row eli_stages[ELI_STAGE_COUNT] = {
    [ELI_STAGE_BEGIN] = {"begin", ELI_BEGIN_STEP, begin, NULL, 0},
    [ELI_STAGE_DRIFT_IN] = {"drift to the middle", NO_HOOK, drift_in, NULL, 0},
    [ELI_STAGE_CONSTRAIN_MIDDLE] = {"constrain positions", ELI_CONSTRAIN_POSITION, constrain_middle, NULL, 0},
    [ELI_STAGE_MEASURE_PAIRS] = {"geometry of pairs", NO_HOOK, measure_pairs, NULL, 0},
    [ELI_STAGE_PAIRS] = {"pairs", ELI_ADD_WORLD_LOADS, watch_pairs, NULL, 0},
    [ELI_STAGE_GEOMETRY] = {"geometry", NO_HOOK, eli_geometry, take_loads_together, ELI_STAGE_LOADS},
    [ELI_STAGE_STRAINS] = {"strains", NO_HOOK, eli_strains, NULL, 0},
    [ELI_STAGE_RESULTANTS] = {"resultants", ELI_ADD_RESULTANTS, add_resultants, NULL, 0},
    [ELI_STAGE_INTERNAL_LOADS] = {"internal loads", NO_HOOK, find_internal_loads, NULL, 0},
    [ELI_STAGE_LOADS] = {"external loads", ELI_ADD_LOADS, add_loads, NULL, 0},
    [ELI_STAGE_REACTIONS] = {"reactions", ELI_ADD_REACTIONS, add_reactions, NULL, 0},
    [ELI_STAGE_JOINTS_BEFORE] = {"joints before the kick", NO_HOOK, watch_joints_before, NULL, 0},
    [ELI_STAGE_KICK_VELOCITY] = {"kick of velocities", NO_HOOK, kick_velocity, kick_together, ELI_STAGE_CONSTRAIN_SPIN},
    [ELI_STAGE_CONSTRAIN_VELOCITY] = {"constrain velocities", ELI_CONSTRAIN_VELOCITY, constrain_velocities, NULL, 0},
    [ELI_STAGE_KICK_SPIN] = {"kick of spins", NO_HOOK, kick_spin, NULL, 0},
    [ELI_STAGE_CONSTRAIN_SPIN] = {"constrain spins", ELI_CONSTRAIN_SPIN, constrain_spins, NULL, 0},
    [ELI_STAGE_JOINTS_AFTER] = {"joints after the kick", NO_HOOK, watch_joints_after, NULL, 0},
    [ELI_STAGE_DRIFT_OUT] = {"drift to the end", NO_HOOK, drift_out, NULL, 0},
    [ELI_STAGE_CONSTRAIN_END] = {"constrain positions at the end", ELI_CONSTRAIN_POSITION, constrain_end, NULL, 0},
    [ELI_STAGE_OBSERVE] = {"observe", ELI_OBSERVE, observe, NULL, 0},
};

/* ---- Taking stages ---- */

/* One by one, each between two calls of the meter. */
static void take_metered(const eli_tile_work *work, eli_stage from, eli_stage to) {
  eli_meter *meter = work->report->meter;
  for (int stage = (int)from; stage <= (int)to; stage++) {
    meter->before(meter, work, stage);
    eli_stages[stage].run(work);
    meter->after(meter, work, stage);
  }
}

unsigned eli_idle_stages(const eli_tile_work *work) {
  const elastica_world *world = work->world;
  const eli_tile *tile = work->tile;
  const int constrains = eli_tile_has(tile, ELI_CONSTRAIN_POSITION) && !tile->positions_stay;
  unsigned idle = 0;
  if (!eli_tile_has(tile, ELI_BEGIN_STEP)) idle |= 1u << ELI_STAGE_BEGIN;
  if (!constrains) idle |= 1u << ELI_STAGE_CONSTRAIN_MIDDLE | 1u << ELI_STAGE_CONSTRAIN_END;
  if (!eli_world_pairs_read_geometry(world)) idle |= 1u << ELI_STAGE_MEASURE_PAIRS;
  if (!world->pair_phase.asleep) idle |= 1u << ELI_STAGE_PAIRS;
  if (!tile->reacting) idle |= 1u << ELI_STAGE_REACTIONS;
  return idle;
}

void eli_take_stages(const eli_tile_work *work, eli_stage from, eli_stage to) {
  assert(from <= to && to < ELI_STAGE_COUNT);
  if (work->report->meter != NULL) {
    take_metered(work, from, to);
    return;
  }
  unsigned due = ((2u << to) - (1u << from)) & ~work->idle;
  while (due != 0) {
    const int stage = __builtin_ctz(due);
    const eli_stage_row *row = &eli_stages[stage];
    const int together = row->together != NULL && row->until <= to;
    due &= ~((2u << (together ? (int)row->until : stage)) - 1u);
    (together ? row->together : row->run)(work);
  }
}

int eli_ask_stages(const eli_tile_work *work, eli_stage from, eli_stage to) {
  for (int stage = (int)from; stage <= (int)to && work->report->status == ELASTICA_OK; stage++) eli_stages[stage].run(work);
  return work->report->status == ELASTICA_OK;
}
