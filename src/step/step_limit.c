/* The certified time step: the largest dt for which position Verlet is stable for the model linearised about the present state.
 *
 * models     omega_max^2 <= max over elements of [bound of the rod + added stiffness/mass of its nodes + added element stiffness e/J]
 * equation   dt = 4/(c + sqrt(c^2 + 4 omega^2)), c the explicit rates; without them 2/omega
 * source     Irons and Treharne's element theorem for lumped masses; Gershgorin's circles for joints; kernels/limit.inl has the formulas
 * test       tests/test_step_limit.c, tests/test_rod_limit.c
 */
#include "base/target.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "step/stages.h"
#include "step/step_limit.h"
#include "step/stepper.h"

/* ---- Bounds of elements ---- */

/* Returns the lanes to which hooks add the stiffness of a rod. */
static elastica_stiffness aim(const eli_tile_work *work, const elastica_rod *rod) {
  const size_t first = eli_first_slot(work, rod);
  return (elastica_stiffness){sizeof(elastica_stiffness), work->scratch[ELI_ADDED_NODE] + first, work->scratch[ELI_ADDED_ELEMENT] + first,
                              work->scratch[ELI_ADDED_NODE_RATE] + first, work->scratch[ELI_ADDED_ELEMENT_RATE] + first};
}

static elastica_instant instant_of(const eli_tile_work *work, const elastica_rod *rod) {
  return eli_instant_of(work, rod, work->time);
}

/* The instant for effects between rods. */
static elastica_instant instant_until(const elastica_world *world, double until) {
  elastica_instant now = eli_instant(world, eli_world_now(world), 0.0);
  now.until = until;
  return now;
}

/* Calls add_stiffness of one effect alone, on zeroed lanes. */
static int ask(const eli_tile_work *work, const elastica_effect *effect, const elastica_rod *rod) {
  elastica_stiffness stiffness = aim(work, rod);
  double *const lane[4] = {stiffness.node, stiffness.element, stiffness.node_rate, stiffness.element_rate};
  const elastica_instant now = instant_of(work, rod);
  for (int k = 0; k < 4; k++) memset(lane[k], 0, ((size_t)rod->element_count + 1) * sizeof(double));
  return eli_call_hook(effect, ELI_ADD_STIFFNESS, rod, &now, &stiffness, work->report);
}

/* Returns 0 if no number is negative or not finite. Both cases set a sign bit: that of the number itself, or that of the number plus one
 * unit of the exponent, if the exponent is the largest. */
static int is_suspect(double *const lane[4], int count) {
  uint64_t signs = 0;
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < count; i++) {
      uint64_t bits;
      memcpy(&bits, &lane[k][i], sizeof bits);
      signs |= bits | (bits + ((uint64_t)1 << 52));
    }
  }
  return signs >> 63 != 0;
}

/* Returns the first node or element of a rod with an added bound that is negative or not finite, and this bound; -1 if there is none. */
static int wrong_place(const eli_tile_work *work, const elastica_rod *rod, double *value) {
  const elastica_stiffness stiffness = aim(work, rod);
  double *const lane[4] = {stiffness.node, stiffness.node_rate, stiffness.element, stiffness.element_rate};
  if (!is_suspect(lane, rod->element_count + 1)) return -1;
  for (int i = 0; i <= rod->element_count; i++) {
    for (int k = 0; k < 4; k++) {
      *value = lane[k][i];
      if (!(*value >= 0.0 && *value <= DBL_MAX)) return i;
    }
  }
  return -1;
}

/* Reports bounds that are negative, infinite or not a number: the first effect that adds one, or the last effect if only the sum is
 * wrong. */
static int check_added(const eli_tile_work *work, const elastica_rod *rod) {
  const elastica_effect *last = NULL;
  double value;
  int place = wrong_place(work, rod, &value);
  if (place < 0) return 1;
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_STIFFNESS) {
    double own;
    if (!ask(work, effect, rod)) return 0;
    const int own_place = wrong_place(work, rod, &own);
    last = effect;
    if (own_place < 0) continue;
    place = own_place;
    value = own;
    break;
  }
  eli_report_hook(work->report, ELASTICA_CALLBACK_FAILED, rod, last, ELI_ADD_STIFFNESS);
  work->report->fault = ELI_ADDED;
  work->report->wrong = value;
  work->report->place = place;
  return 0;
}

/* Adds the bounds of effects between rods, which were collected earlier. */
static void add_pair_bounds(const eli_tile_work *work) {
  const elastica_world *world = work->world;
  for (int k = 0; k < ELI_BOUND_LANES && world->pair_phase.bounded > 0; k++)
    memcpy(work->scratch[ELI_ADDED_NODE + k], world->pair_phase.bounds + (size_t)k * world->bodies.slab.end + work->tile->begin,
           work->tile->count * sizeof(double));
}

/* Calls add_resultants and add_stiffness of a rod. */
static int add_of_rod(const eli_tile_work *work, elastica_rod *rod) {
  const size_t first = eli_first_slot(work, rod), ghost = eli_last_slot(work, rod);
  elastica_stiffness stiffness = aim(work, rod);
  const elastica_instant now = instant_of(work, rod);
  if (!eli_add_rod_resultants(work, rod)) return 0;
  if (eli_rod_has(rod, ELI_ADD_STIFFNESS)) {
    eli_call_hooks(ELI_ADD_STIFFNESS, rod, &now, &stiffness, work->report);
    if (work->report->status != ELASTICA_OK || !check_added(work, rod)) return 0;
  }
  if (!rod->closed) return 1;
  eli_fold_ghost(work->scratch[ELI_ADDED_NODE], first, ghost);
  eli_fold_ghost(work->scratch[ELI_ADDED_NODE_RATE], first, ghost);
  return 1;
}

/* Adds the bounds of one rod, or with NULL of all rods up to the first failure. */
static int add_by_rod(const eli_tile_work *work, elastica_rod *alone) {
  for (int k = ELI_ADDED_NODE; k <= ELI_ADDED_ELEMENT_RATE; k++)
    memset(work->scratch[k] - ELI_BLOCK, 0, (work->tile->count + 2 * ELI_BLOCK) * sizeof(double));
  add_pair_bounds(work);
  if (alone != NULL) return add_of_rod(work, alone);
  ELI_EACH_ROD(rod, work->world, work->tile)
    if (!add_of_rod(work, rod)) return 0;
  return 1;
}

/* The bound of a ring's closing joint needs constants of element 0 in its ghost slot. They are reset when the bound has been copied to the
 * slot of element 0. */
enum { LENT = 4 };
static const int lent[LENT] = {ELI_ELEMENT_MASS, ELI_INERTIA, ELI_INERTIA + 1, ELI_DILATATION};

static void lend_to_ghosts(const eli_tile_work *work) {
  ELI_EACH_ROD(rod, work->world, work->tile) {
    const size_t first = eli_first_slot(work, rod), ghost = eli_last_slot(work, rod);
    for (int k = 0; k < LENT && rod->closed; k++) work->tile->lane[lent[k]][ghost] = work->tile->lane[lent[k]][first];
  }
}

static void close_bounds(const eli_tile_work *work) {
  ELI_EACH_ROD(rod, work->world, work->tile) {
    const size_t first = eli_first_slot(work, rod), ghost = eli_last_slot(work, rod);
    if (!rod->closed) continue;
    for (int k = ELI_JOINT_BOUND; k < ELI_JOINT_BOUND + 4; k++) work->scratch[k][first] = work->scratch[k][ghost];
    for (int k = 0; k < LENT; k++) work->tile->lane[lent[k]][ghost] = eli_slab_neutral(lent[k]);
  }
}

static void bound_joints(const eli_tile_work *work) {
  if (work->tile->closed) lend_to_ghosts(work);
  work->world->kernels->joint_bounds(&work->sweep, &work->law);
  if (work->tile->closed) close_bounds(work);
}

/* omega^2 = k/m + k_r/J, and the rate in the same form. For a spring that acts beside the centre, k_r is k times the square of its lever
 * arm, and this value is the frequency itself or above it. */
static void limit_bodies(const eli_tile_work *work, int added) {
  double *const *lane = work->tile->lane, *const *out = work->scratch;
  eli_rigid_clear(work, ELI_ELEMENT_LIMIT, ELI_ADDED_BOUND + 1);
  if (!added) eli_rigid_clear(work, ELI_ADDED_NODE, ELI_ADDED_ELEMENT_RATE + 1);
  ELI_EACH_ROD(rod, work->world, work->tile) {
    const size_t at = eli_first_slot(work, rod);
    const double *J[3] = {lane[ELI_INERTIA], lane[ELI_INERTIA + 1], lane[ELI_INERTIA + 2]};
    const double low = J[0][at] < J[1][at] ? J[0][at] : J[1][at], least = low < J[2][at] ? low : J[2][at];
    const double bound = out[ELI_ADDED_NODE][at] / lane[ELI_MASS][at] + out[ELI_ADDED_ELEMENT][at] / least;
    const double rate = out[ELI_ADDED_NODE_RATE][at] / lane[ELI_MASS][at] + out[ELI_ADDED_ELEMENT_RATE][at] / least;
    out[ELI_ADDED_BOUND][at] = bound;
    out[ELI_ELEMENT_LIMIT][at] = 4.0 / (rate + sqrt(rate * rate + 4.0 * bound)); /* infinite if both are 0 */
  }
}

/* Bounds the elements in the sweep, with the stiffness from hooks of one rod, or with NULL of all rods of the tile; returns 0 if a hook
 * failed. Views have pointers to strains only while hooks read them. */
static int bound_elements(const eli_tile_work *work, elastica_rod *alone) {
  const eli_kernels *kernels = work->world->kernels;
  const eli_tile *tile = work->tile;
  const int added = eli_tile_has(tile, ELI_ADD_STIFFNESS) || work->world->pair_phase.bounded > 0;
  const int hooked = added || eli_tile_has(tile, ELI_ADD_RESULTANTS);
  if (tile->rigid)
    eli_rigid_strains(work);
  else
    work->report->trips |= kernels->strains(&work->sweep, &work->law);
  if (hooked) {
    eli_show_strains(work);
    const int called = add_by_rod(work, alone);
    ELI_EACH_ROD(rod, work->world, tile) eli_rod_forget_derived(rod);
    if (!called) return 0;
  }
  if (tile->rigid) {
    limit_bodies(work, added);
    return 1;
  }
  bound_joints(work);
  kernels->element_limits(&work->sweep, &work->law, added);
  return 1;
}

/* ---- Limit of a tile ---- */

/* Returns the mode that bounds the element in a slot. */
static elastica_mode mode_at(double *const *out, size_t j) {
  const double shear = out[ELI_SHEAR_BOUND][j], axial = out[ELI_AXIAL_BOUND][j], torsion = out[ELI_TORSION_BOUND][j];
  const double largest = shear >= axial && shear >= torsion ? shear : axial >= torsion ? axial : torsion;
  const double own = 2.0 / sqrt(largest);
  /* An effect is the limiting mode if it reduces the step to less than half of the limit of the rod alone. */
  if (out[ELI_ADDED_BOUND][j] > largest || out[ELI_ELEMENT_LIMIT][j] < 0.5 * own) return ELASTICA_MODE_EFFECT;
  return largest == shear ? ELASTICA_MODE_SHEAR : largest == axial ? ELASTICA_MODE_AXIAL : ELASTICA_MODE_TORSION;
}

/* Updates the strongest effect if this one adds more at element j than all before it. */
static void consider(const eli_tile_work *work, const elastica_rod *rod, size_t j, const elastica_stiffness *added, elastica_effect *effect,
                     double *most, elastica_effect **strongest) {
  const double *mass = work->world->bodies.slab.lane[ELI_MASS] + rod->offset, *J = work->world->bodies.slab.lane[ELI_INERTIA] + rod->offset;
  const size_t next = eli_is_rigid(rod) ? j : j + 1; /* for a rigid body, node j twice */
  const double omega2 = added->node[j] / mass[j] + added->node[next] / mass[next] + added->element[j] / J[j];
  const double rate = added->node_rate[j] / mass[j] + added->node_rate[next] / mass[next] + added->element_rate[j] / J[j];
  const double dt = 4.0 / (rate + sqrt(rate * rate + 4.0 * omega2));
  if (!(1.0 / dt > *most)) return;
  *most = 1.0 / dt;
  *strongest = effect;
}

/* Returns the effect with the largest contribution at element j of a rod; the hooks are called one by one. */
static elastica_effect *strongest_effect(const eli_tile_work *work, const elastica_rod *rod, size_t j) {
  const elastica_stiffness added = aim(work, rod);
  elastica_effect *strongest = NULL;
  double most = 0.0;
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_STIFFNESS) {
    if (!ask(work, effect, rod)) return NULL;
    consider(work, rod, j, &added, effect, &most, &strongest);
  }
  ELI_EACH_PAIR_EFFECT(effect, work->world) {
    const elastica_instant now = instant_of(work, rod);
    if (eli_effect_has_bounds(effect) && eli_effect_bound_pairs(effect, rod, &now) == ELASTICA_OK)
      consider(work, rod, j, &work->world->pair_phase.stiffness[rod->index], effect, &most, &strongest);
  }
  return strongest;
}

static double square_of(double *const *lane, size_t at) {
  return lane[0][at] * lane[0][at] + lane[1][at] * lane[1][at] + lane[2][at] * lane[2][at];
}

static eli_extremes extremes_of_bodies(const eli_tile_work *work) {
  double *const *lane = work->tile->lane;
  eli_extremes of = {INFINITY, 0.0, 0.0, 0.0, 0.0};
  ELI_EACH_ROD(rod, work->world, work->tile) {
    const size_t at = eli_first_slot(work, rod);
    const double step = work->scratch[ELI_ELEMENT_LIMIT][at], spin2 = square_of(lane + ELI_OMEGA, at);
    const double own = step >= 0.0 ? step : 0.0, speed2 = square_of(lane + ELI_VELOCITY, at);
    if (own < of.step) of.step = own;
    if (spin2 > of.spin2) of.spin2 = spin2;
    if (speed2 > of.speed2) of.speed2 = speed2;
  }
  return of;
}

/* Finds the first element with the smallest step. */
static void find_slowest(const eli_tile_work *work, double step, elastica_step_limit *limit) {
  ELI_EACH_ROD(rod, work->world, work->tile) {
    const double *own = work->scratch[ELI_ELEMENT_LIMIT] + eli_first_slot(work, rod);
    for (int j = 0; j < rod->element_count; j++) {
      if (own[j] > step) continue; /* false for a NaN step as well */
      limit->dt = step;
      limit->rod_index = rod->index;
      limit->element = j;
      limit->mode = mode_at(work->scratch, eli_first_slot(work, rod) + (size_t)j);
      return;
    }
  }
}

static void find_fastest(const eli_tile_work *work, double spin2, eli_limit_check *check) {
  ELI_EACH_ROD(rod, work->world, work->tile) {
    const size_t first = eli_first_slot(work, rod);
    const double *x = work->tile->lane[ELI_OMEGA] + first, *y = work->tile->lane[ELI_OMEGA + 1] + first,
                 *z = work->tile->lane[ELI_OMEGA + 2] + first;
    for (int j = 0; j < rod->element_count; j++) {
      if (!(x[j] * x[j] + y[j] * y[j] + z[j] * z[j] >= spin2)) continue;
      check->spin2 = spin2;
      check->fastest_rod = rod->index;
      check->fastest_element = j;
      return;
    }
  }
}

/* Finds the element that bounds the step, the element with the largest spin, and the largest strains of a tile; of equal ones the first. */
static void scan(const eli_tile_work *work, eli_limit_check *check) {
  const eli_extremes of = work->tile->rigid ? extremes_of_bodies(work) : work->world->kernels->extremes(&work->sweep);
  check->shear2 = of.shear2;
  check->turn2 = of.turn2;
  check->speed2 = of.speed2;
  if (of.step < INFINITY) find_slowest(work, of.step, &check->limit);
  if (of.spin2 > 0.0) find_fastest(work, of.spin2, check);
}

/* ---- Limit of the world ---- */

typedef struct limit_task {
  elastica_world *world;
  double until;
} limit_task;

static eli_limit_check empty_limit_check(void) {
  return (eli_limit_check){.limit = {.dt = INFINITY, .rod_index = -1, .element = -1}};
}

static void check_tile(void *context, int worker, size_t tile) {
  const limit_task *now = context;
  eli_tile_work work = eli_work_on(now->world, tile, worker, 0.0);
  const eli_tile_report nothing = {0};
  work.now.until = now->until;
  *work.report = nothing;
  now->world->scratch.limit_checks[tile] = empty_limit_check();
  if (bound_elements(&work, NULL)) scan(&work, &now->world->scratch.limit_checks[tile]);
}

/* Keeps the smaller limit. Of equal limits it keeps that of the rod with the lower number, so the order of tiles does not matter. */
static void merge(eli_limit_check *all, const eli_limit_check *tile) {
  const int lower = tile->limit.rod_index < all->limit.rod_index, slower = tile->fastest_rod < all->fastest_rod;
  if (tile->limit.dt < all->limit.dt || (tile->limit.dt == all->limit.dt && tile->limit.rod_index >= 0 && lower)) all->limit = tile->limit;
  if (tile->spin2 > all->spin2 || (tile->spin2 == all->spin2 && tile->spin2 > 0.0 && slower)) {
    all->spin2 = tile->spin2;
    all->fastest_rod = tile->fastest_rod;
    all->fastest_element = tile->fastest_element;
  }
  if (tile->shear2 > all->shear2) all->shear2 = tile->shear2;
  if (tile->turn2 > all->turn2) all->turn2 = tile->turn2;
  if (tile->speed2 > all->speed2) all->speed2 = tile->speed2;
}

static elastica_effect *limiting_effect(elastica_world *world, const elastica_step_limit *limit, double until) {
  const elastica_rod *rod = world->bodies.rods[limit->rod_index];
  eli_tile_report ignored = {0};
  eli_tile_work work = eli_work_on(world, rod->tile, 0, 0.0);
  work.now.until = until;
  work.report = &ignored;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  elastica_effect *strongest = strongest_effect(&work, rod, (size_t)limit->element);
  eli_world_leave_hooks(world);
  return strongest;
}

/* ---- Bodies with reactions ---- */

static int are_bodies_on_walls(const eli_tile *tile) {
  return tile->rigid && tile->reacting;
}

static void find_accelerations_of(elastica_world *world, size_t t) {
  eli_tile_work work = eli_work_on(world, t, 0, 0.0);
  eli_tile_report ignored = {0};
  double *const *lane = work.tile->lane;
  work.report = &ignored;
  (void)eli_ask_stages(&work, ELI_STAGE_STRAINS, ELI_STAGE_LOADS); /* a hook that fails here fails again in the step, which reports it */
  ELI_EACH_ROD(rod, world, work.tile) {
    const size_t at = eli_first_slot(&work, rod);
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
      const double force = lane[ELI_FORCE + a][at] - lane[ELI_DRAG][at] * lane[ELI_VELOCITY + a][at];
      square += force * force;
    }
    rod->body->acceleration = sqrt(square) / lane[ELI_MASS][at];
    eli_rod_forget_derived(rod);
  }
}

/* Includes effects between rods if their history can be restored. */
static elastica_status find_accelerations(elastica_world *world) {
  int found = 0;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) found |= are_bodies_on_walls(&world->bodies.slab.tiles[t]);
  if (!found) return ELASTICA_OK;
  const int has_pairs = eli_world_has_pair_phase(world) && eli_world_may_return(world);
  if (has_pairs && !eli_world_reserve_history(world))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "step_limit: no memory for the history of effects between rods");
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  const elastica_purpose purpose = eli_world_set_purpose(world, ELASTICA_PURPOSE_QUERY);
  int starved = 0;
  if (has_pairs) {
    const elastica_instant now = eli_instant(world, eli_world_now(world), 0.0);
    eli_world_keep_history(world);
    starved = eli_world_run_pair_phase(world, &now, 0) == ELASTICA_OUT_OF_MEMORY;
    eli_world_put_back_history(world);
  }
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    if (are_bodies_on_walls(&world->bodies.slab.tiles[t])) find_accelerations_of(world, t);
    eli_slab_clear_loads(&world->bodies.slab, &world->bodies.slab.tiles[t]);
  }
  world->calls.purpose = purpose;
  eli_world_leave_hooks(world);
  return starved ? eli_world_refuse_hook(world, &world->pair_phase.report) : ELASTICA_OK;
}

elastica_status eli_world_check_limit(elastica_world *world, double until, eli_limit_check *out) {
  limit_task now = {world, until};
  elastica_status status = find_accelerations(world);
  if (status != ELASTICA_OK) return status;
  const elastica_instant instant = instant_until(world, until);
  eli_limit_check check = empty_limit_check();
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  status = eli_world_bound_pairs(world, &instant);
  eli_world_leave_hooks(world);
  if (status != ELASTICA_OK) return eli_world_refuse_hook(world, &world->pair_phase.report);
  eli_world_run_tiles(world, ELI_HOOKS_OF_LIMIT_CHECKS, 1, check_tile, &now);
  const eli_tile_report *failed = eli_world_failed_hook(world);
  if (failed != NULL) status = eli_world_refuse_hook(world, failed);
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) merge(&check, &world->scratch.limit_checks[t]);
  if (status == ELASTICA_OK && check.limit.mode == ELASTICA_MODE_EFFECT) check.limit.effect = limiting_effect(world, &check.limit, until);
  eli_world_aim_refreshed(world);
  if (status == ELASTICA_OK) *out = check;
  return status;
}

/* ---- Limit of one rod ---- */

static eli_tile_work work_on_rod(elastica_rod *rod, double until, eli_tile_report *report) {
  eli_tile_work work = eli_work_on(rod->world, rod->tile, 0, 0.0);
  work.sweep = eli_rod_sweep(&work, rod);
  work.now.until = until;
  work.report = report;
  return work;
}

/* Computes the limit of `count` elements from element `from`; in a ring the elements continue after the last one. */
static elastica_status limit_along(elastica_rod *rod, int from, int count, double until, double *dt) {
  elastica_world *world = rod->world;
  eli_tile_report report = {0};
  const elastica_purpose purpose = eli_world_set_purpose(world, ELASTICA_PURPOSE_LIMIT_QUERY);
  const elastica_instant instant = instant_until(world, until);
  const eli_tile_work work = work_on_rod(rod, until, &report);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  const int bounded = eli_world_bound_pairs(world, &instant) == ELASTICA_OK, found = bounded && bound_elements(&work, rod);
  world->calls.purpose = purpose;
  eli_world_leave_hooks(world);
  eli_world_aim_refreshed(world);
  if (!found) return eli_world_refuse_hook(world, bounded ? &report : &world->pair_phase.report);
  *dt = INFINITY;
  for (int k = 0; k < count; k++) {
    const double own = work.scratch[ELI_ELEMENT_LIMIT][eli_first_slot(&work, rod) + (size_t)((from + k) % rod->element_count)];
    if (!(own >= *dt)) *dt = own >= 0.0 ? own : 0.0;
  }
  return ELASTICA_OK;
}

elastica_status eli_rod_check_limit(elastica_rod *rod, double until, double *dt) {
  return limit_along(rod, 0, rod->element_count, until, dt);
}

static elastica_status limit_near(elastica_rod *rod, int element, double until, double *dt) {
  const int n = rod->element_count;
  if (n < 3) return eli_rod_check_limit(rod, until, dt);
  if (rod->closed) return limit_along(rod, element + n - 1, 3, until, dt);
  const int from = element > 0 ? element - 1 : 0, end = element + 2 < n ? element + 2 : n;
  return limit_along(rod, from, end - from, until, dt);
}

elastica_status eli_world_limit_near(elastica_world *world, int rod_index, int element, const char *function, double *dt) {
  double own = NAN;
  if (world->report.failure != ELASTICA_OK) {
    *dt = NAN;
    return ELASTICA_OK;
  }
  elastica_status status = eli_world_prepare(world, function);
  if (status == ELASTICA_OK) status = limit_near(world->bodies.rods[rod_index], element, eli_world_now(world), &own);
  if (own < *dt) *dt = own;
  return status;
}

/* ---- Limit check after a change of single rods ---- */

/* Bounds of other rods hold until the next regular limit check (state/module.h: ELI_LIMIT_CHECK_INTERVAL). The minimum of these bounds and
 * that of the changed rods is a limit of the world, and the cost is that of the changed rods alone. */

static void raise(double *most, double a) {
  if (a > *most) *most = a;
}

static void scan_element(const eli_tile_work *work, const elastica_rod *rod, int j, eli_limit_check *check) {
  const size_t at = eli_first_slot(work, rod) + (size_t)j;
  double *const *lane = work->tile->lane, *const *out = work->scratch;
  const double own = out[ELI_ELEMENT_LIMIT][at], step = own >= 0.0 ? own : 0.0, spin2 = square_of(lane + ELI_OMEGA, at);
  if (step < check->limit.dt)
    check->limit = (elastica_step_limit){.dt = step, .rod_index = rod->index, .element = j, .mode = mode_at(out, at)};
  if (spin2 > check->spin2) check->spin2 = spin2, check->fastest_rod = rod->index, check->fastest_element = j;
  raise(&check->speed2, square_of(lane + ELI_VELOCITY, at));
  if (work->tile->rigid) return;
  const double joint = lane[ELI_REST_JOINT_LENGTH][at];
  raise(&check->shear2, out[ELI_STRAIN][at] * out[ELI_STRAIN][at] + out[ELI_STRAIN + 1][at] * out[ELI_STRAIN + 1][at]);
  if (lane[ELI_INVERSE_REST_JOINT_LENGTH][at] > 0.0) raise(&check->turn2, square_of(out + ELI_CURVATURE, at) * joint * joint);
}

static elastica_status check_rod(elastica_rod *rod, double until, eli_limit_check *check) {
  eli_tile_report report = {0};
  const eli_tile_work work = work_on_rod(rod, until, &report);
  eli_limit_check own = empty_limit_check();
  if (!bound_elements(&work, rod)) return eli_world_refuse_hook(rod->world, &report);
  for (int j = 0; j < rod->element_count; j++) scan_element(&work, rod, j, &own);
  merge(check, &own);
  return ELASTICA_OK;
}

/* Effects between rods are bounded again, because queries since the last limit check may have left only the bounds of one effect. */
elastica_status eli_world_check_changed_rods(elastica_world *world, double until, eli_limit_check *check) {
  const elastica_instant instant = instant_until(world, until);
  eli_limit_check all = *check;
  find_accelerations(world);
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  elastica_status status = eli_world_bound_pairs(world, &instant);
  if (status != ELASTICA_OK) {
    eli_world_leave_hooks(world);
    return eli_world_refuse_hook(world, &world->pair_phase.report);
  }
  for (size_t t = 0; t < world->bodies.slab.tile_count && status == ELASTICA_OK; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    if (!tile->limit_is_stale) continue;
    ELI_EACH_ROD(rod, world, tile)
      if (rod->body->limit_is_stale && status == ELASTICA_OK) status = check_rod(rod, until, &all);
  }
  eli_world_leave_hooks(world);
  if (status == ELASTICA_OK && all.limit.mode == ELASTICA_MODE_EFFECT && all.limit.effect == NULL)
    all.limit.effect = limiting_effect(world, &all.limit, until);
  eli_world_aim_refreshed(world);
  if (status == ELASTICA_OK) *check = all;
  return status;
}

/* ---- Queries ---- */

static const char *name_of(elastica_mode mode) {
  switch (mode) {
  case ELASTICA_MODE_NONE: return "none";
  case ELASTICA_MODE_AXIAL: return "axial";
  case ELASTICA_MODE_SHEAR: return "shear";
  case ELASTICA_MODE_TORSION: return "torsion";
  case ELASTICA_MODE_EFFECT: return "effect";
  }
  return "unknown mode";
}

elastica_status elastica_world_step_limit(elastica_world *world, elastica_step_limit *out) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "step_limit: out is NULL");
  elastica_status status = eli_world_check_open(world, "step_limit", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(world, "step_limit");
  if (status != ELASTICA_OK) return status;
  eli_limit_check check = empty_limit_check();
  const double now = eli_world_now(world);
  world->calls.purpose = ELASTICA_PURPOSE_LIMIT_QUERY;
  status = eli_world_check_limit(world, now, &check);
  if (status == ELASTICA_OK && check.limit.dt < INFINITY)
    status = eli_world_check_limit(world, now + ELI_LIMIT_CHECK_INTERVAL * check.limit.dt, &check);
  world->calls.purpose = ELASTICA_PURPOSE_QUERY;
  if (status != ELASTICA_OK) return status;
  *out = check.limit;
  out->mode_name = name_of(out->mode);
  return ELASTICA_OK;
}

const char *eli_limit_text(const elastica_world *world, const elastica_step_limit *limit, char *text, size_t size) {
  const int known = limit->rod_index >= 0 && limit->rod_index < world->bodies.rod_count;
  const elastica_rod *rod = known ? world->bodies.rods[limit->rod_index] : NULL;
  if (rod == NULL)
    snprintf(text, size, "(nothing limits it)");
  else if (limit->effect != NULL)
    snprintf(text, size, "(effect %d \"%s\" on rod %d, element %d; rotary inertia scale %g)", limit->effect->index,
             limit->effect->body->label, rod->index, limit->element, rod->body->rotary_inertia_scale);
  else
    snprintf(text, size, "(%s mode of rod %d, element %d; rotary inertia scale %g)", name_of(limit->mode), rod->index, limit->element,
             rod->body->rotary_inertia_scale);
  return text;
}
