/* Residuals, and their allowed values.
 *
 * models     the residual of a rod relative to its forces and couples, and to the residual that rounding can cause
 * test       tests/test_relax_world.c, tests/test_relax_runaway.c
 *
 * Each rod is compared with its own references: a force of rounding size in a taut cable can be the whole load of a soft filament beside
 * it. A rod without support has no equilibrium under a load and moves away for ever. So the allowance for rounding does not grow with its
 * coordinates.
 */
#include "base/target.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/elementary.h"
#include "effects/anchor.h"
#include "hooks/built_in.h"
#include "statics/relax.h"
#include "step/stepper.h"

/* A rod with an estimated distance from equilibrium of more than this many lengths has not converged, for any residual. */
#define FAR_FROM_EQUILIBRIUM 10.0

/* A slender rod is lost if rounding alone allows its residual at a larger estimated distance from equilibrium than this share of its
 * length. */
#define LOST 1e-3

/* The iteration of reactions on a body ends at a relative change of 1e-14. */
#define ROUNDING_OF_REACTIONS 1e-13

/* The size of a load may overflow beyond this. */
#define LARGEST 1e153

/* ---- Residuals ---- */

/* Rounding of element j: positions are known to eps |r|, hence strains to eps |r|/l, and angles of frames to a few eps. The values are
 * those of the rod at its origin and at its rest length: a rod that runs away or stretches without end must not raise its own allowance. */
static void add_rounding(const elastica_rod *rod, size_t j, const eli_origin *origin, eli_residual *residual) {
  double *const *lane = rod->world->bodies.slab.lane;
  const size_t slot = rod->offset + j;
  const double l = lane[ELI_REST_LENGTH][slot], eps = 8.0 * DBL_EPSILON, far = 2.0 * origin->extent;
  double stiff = 0.0, bend = 0.0;
  for (size_t a = 0; a < 3; a++) {
    eli_keep_larger(&stiff, fabs(lane[ELI_SHEAR_STIFFNESS + a][slot]));
    eli_keep_larger(&bend, fabs(lane[ELI_ELEMENT_BEND + a][slot]));
  }
  eli_keep_larger(&residual->rounding_force, eps * stiff * (far / l));
  eli_keep_larger(&residual->rounding_couple, eps * (stiff * far + bend / l));
}

/* Adds the rounding of the loads of effects, by their stiffness: they know positions to so many eps of the extent. */
static void add_rounding_of_loads(const eli_relaxation *relaxation, size_t r, double eps, eli_residual *residual) {
  const double *support = relaxation->support + 6 * r, extent = relaxation->origin[r].extent;
  double stiff = 0.0, turning = 0.0;
  for (size_t a = 0; a < 3; a++) {
    eli_keep_larger(&stiff, fabs(support[a]));
    eli_keep_larger(&turning, fabs(support[3 + a]));
  }
  eli_keep_larger(&residual->rounding_force, eps * stiff * extent);
  eli_keep_larger(&residual->rounding_couple, eps * (sqrt(stiff * turning) * extent + 0.5 * turning));
}

/* Adds the references of a force and a couple on a body of length l. */
static void add_load_of_body(const double load[6], double l, eli_residual *residual) {
  eli_keep_larger(&residual->reference_force, eli_length(load));
  eli_keep_larger(&residual->reference_couple, eli_length(load + 3));
  eli_keep_larger(&residual->reference_couple, eli_length(load) * l);
}

/* Adds the references of a body. Its loads cancel in equilibrium, so their size is that of the loads of pairs and of the loads supported by
 * reactions. */
static void add_of_body(const eli_relaxation *relaxation, const elastica_rod *rod, const eli_statics *statics, eli_residual *residual) {
  const size_t r = rod->body->rank;
  const double l = relaxation->world->bodies.slab.lane[ELI_LENGTH][rod->offset];
  add_load_of_body(statics->loads + 6 * relaxation->first[r], l, residual);
  add_load_of_body(relaxation->pair_loads + 6 * relaxation->first[r], l, residual);
}

static void find_residual(const eli_relaxation *relaxation, const elastica_rod *rod, const eli_statics *statics, eli_residual *residual) {
  const eli_residual nothing = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  double whole = 0.0;
  *residual = nothing;
  for (size_t i = 0; i < eli_relax_blocks(relaxation, (int)rod->body->rank); i++) {
    const size_t block = statics->first[rod->body->rank] + i;
    const double *strain = statics->strain + 12 * block, l = relaxation->world->bodies.slab.lane[ELI_LENGTH][rod->offset + i];
    eli_keep_larger(&residual->force, eli_length(statics->total + 6 * block));
    eli_keep_larger(&residual->couple, eli_length(statics->total + 6 * block + 3));
    eli_keep_larger(&residual->reference_force, eli_length(statics->external + 6 * block));
    eli_keep_larger(&residual->reference_couple, eli_length(statics->external + 6 * block + 3));
    if (i == (size_t)rod->element_count) continue; /* the last node has no element */
    eli_keep_larger(&residual->reference_force, eli_length(strain + 3));
    eli_keep_larger(&residual->reference_couple, eli_length(strain + 3) * l);
    if (i > 0 || rod->closed) eli_keep_larger(&residual->reference_couple, eli_length(strain + 9));
    if (!eli_is_rigid(rod)) add_rounding(rod, i, &relaxation->origin[rod->body->rank], residual);
    whole += l;
  }
  if (eli_is_rigid(rod)) add_of_body(relaxation, rod, statics, residual);
  add_rounding_of_loads(relaxation, rod->body->rank, (eli_is_rigid(rod) ? 16.0 : 2.0) * DBL_EPSILON, residual);
  eli_keep_larger(&residual->reference_force, residual->reference_couple / whole);
}

static int find_residuals(const eli_relaxation *relaxation, const eli_statics *statics, eli_residual *residual) {
  int finite = 1;
  for (int r = 0; r < relaxation->rod_count; r++) {
    find_residual(relaxation, relaxation->rods[r], statics, &residual[r]);
    if (!(residual[r].force <= DBL_MAX && residual[r].couple <= DBL_MAX)) finite = 0;
  }
  return finite;
}

void eli_relax_find_residuals(eli_relaxation *relaxation) {
  (void)find_residuals(relaxation, &relaxation->now, relaxation->residual);
}

/* Returns the only effect on a rod that adds resultants, or loads between rods; NULL if there are others. */
static const elastica_effect *only_other(const elastica_rod *rod) {
  const elastica_effect *only = NULL;
  ELI_EACH_EFFECT_OF_WORLD(effect, rod->world) {
    const elastica_module *module = &effect->body->module;
    if (!effect->enabled || (effect->rod != NULL && effect->rod != rod)) continue;
    if (module->add_resultants == NULL && module->add_world_loads == NULL) continue;
    if (only != NULL) return NULL;
    only = effect;
  }
  return only;
}

/* Describes the first of these loads that is not at most `most`, and its effect if that acts on its rod alone, or if no other one is left.
 * Returns 0 if there is none. */
static int describe_load(const eli_relaxation *relaxation, const double *lanes, double most, char words[ELI_LOAD_WORDS]) {
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
      const double *load = lanes + 6 * (relaxation->first[r] + i);
      size_t a = 0;
      while (a < 6 && fabs(load[a]) <= most) a++;
      if (a == 6) continue;
      const elastica_effect *effect = eli_find_unsound_load(relaxation->rods[r], 1.0, a >= 3, (int)i);
      if (effect == NULL) effect = only_other(relaxation->rods[r]);
      int used = snprintf(words, ELI_LOAD_WORDS, "the %s %zu of rod %d is %s: %g", a < 3 ? "force on node" : "couple on element", i,
                          relaxation->rods[r]->index, eli_is_finite(load[a]) ? "too large" : "not finite", load[a]);
      if (effect != NULL)
        snprintf(words + used, ELI_LOAD_WORDS - (size_t)used, ", by effect %d \"%.60s\"", effect->index, effect->body->label);
      return 1;
    }
  return 0;
}

int eli_relax_finds_no_number(const eli_relaxation *relaxation, char words[ELI_LOAD_WORDS]) {
  return describe_load(relaxation, relaxation->now.external, DBL_MAX, words);
}

/* Returns the rod of the joint with the largest angle [rad] in trial, and that joint; NULL without joints. */
static const elastica_rod *find_widest_joint(const eli_relaxation *relaxation, int *joint, double *angle) {
  const elastica_rod *widest = NULL;
  *angle = 0.0;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const elastica_rod *rod = relaxation->rods[r];
    const double *length = relaxation->world->bodies.slab.lane[ELI_REST_JOINT_LENGTH] + rod->offset;
    for (int i = rod->closed ? 0 : 1; i < rod->element_count; i++) {
      const double turned = length[i] * eli_length(relaxation->trial.strain + 12 * (relaxation->first[r] + (size_t)i) + 6);
      if (!(turned > *angle)) continue;
      widest = rod;
      *joint = rod->closed ? i : i - 1;
      *angle = turned;
    }
  }
  return widest;
}

/* Describes the joint beyond its limit in trial: that of an effect, or one of a rod. */
static void describe_jam(eli_relaxation *relaxation, const eli_tile_report *report) {
  char *words = relaxation->jammed;
  const elastica_effect *effect = report->effect;
  int joint = 0;
  double angle;
  relaxation->jammed_at = relaxation->evaluations;
  if (effect != NULL && report->rod_index >= 0 && eli_is_half_cell(effect)) {
    snprintf(words, ELI_LOAD_WORDS, "the %s end of rod %d turns by more than %.1f rad against the clamp of effect %d \"%.60s\"",
             effect->body->module.first_written == 0 ? "first" : "last", report->rod_index, ELI_JOINT_LIMIT, effect->index,
             effect->body->label);
  } else if (effect != NULL) {
    snprintf(words, ELI_LOAD_WORDS, "effect %d \"%.60s\" turns by more than %.1f rad", effect->index, effect->body->label, ELI_JOINT_LIMIT);
  } else {
    const elastica_rod *rod = find_widest_joint(relaxation, &joint, &angle);
    snprintf(words, ELI_LOAD_WORDS, "joint %d of rod %d turns by %.3g rad, more than %.1f", joint, rod != NULL ? rod->index : 0, angle,
             ELI_JOINT_LIMIT);
  }
}

elastica_status eli_relax_evaluate(eli_relaxation *relaxation, eli_tile_report *report) {
  eli_statics *trial = &relaxation->trial;
  relaxation->evaluations++;
  const elastica_status status = eli_world_statics(relaxation->world, 1, trial, report);
  if (status == ELASTICA_JOINT_TOO_FAR) describe_jam(relaxation, report);
  if (status != ELASTICA_OK) return status;
  for (size_t i = 0; i < relaxation->size; i++)
    if (relaxation->held[i]) trial->total[i] = 0.0;
  if (find_residuals(relaxation, trial, relaxation->residual_trial)) return ELASTICA_OK;
  relaxation->not_finite_at = relaxation->evaluations;
  if (!describe_load(relaxation, trial->total, LARGEST, relaxation->not_finite))
    snprintf(relaxation->not_finite, ELI_LOAD_WORDS, "a force or couple is not finite");
  return ELASTICA_NOT_FINITE;
}

void eli_relax_swap_trial(eli_relaxation *relaxation) {
  const eli_statics statics = relaxation->now;
  double *predicted = relaxation->predicted;
  eli_residual *residual = relaxation->residual;
  relaxation->now = relaxation->trial;
  relaxation->trial = statics;
  relaxation->predicted = relaxation->predicted_trial;
  relaxation->predicted_trial = predicted;
  relaxation->residual = relaxation->residual_trial;
  relaxation->residual_trial = residual;
  relaxation->assembled = 0;
}

/* Returns the residual of a rod, with references not below those of the start: loads that acted there may vanish on the way. */
static eli_residual residual_of(const eli_relaxation *relaxation, int r) {
  eli_residual residual = relaxation->residual[r];
  eli_keep_larger(&residual.reference_force, relaxation->residual_start[r].reference_force);
  eli_keep_larger(&residual.reference_couple, relaxation->residual_start[r].reference_couple);
  return residual;
}

static double share(double residual, double allowed) {
  return residual > 0.0 ? residual / allowed : 0.0;
}

/* Return the allowed force and couple. */
static double allowed_force(const eli_relaxation *relaxation, const eli_residual *residual) {
  return eli_larger(relaxation->def.tolerance * residual->reference_force, residual->rounding_force);
}

static double allowed_couple(const eli_relaxation *relaxation, const eli_residual *residual) {
  return eli_larger(relaxation->def.tolerance * residual->reference_couple, residual->rounding_couple);
}

double eli_relax_allowed_force(const eli_relaxation *relaxation, int r) {
  const eli_residual residual = residual_of(relaxation, r);
  return allowed_force(relaxation, &residual);
}

/* Returns the ratio of the residual to its allowed value. */
static double excess(const eli_relaxation *relaxation, const eli_residual *residual) {
  return eli_larger(share(residual->force, allowed_force(relaxation, residual)),
                    share(residual->couple, allowed_couple(relaxation, residual)));
}

eli_residual eli_relax_worst_residual(const eli_relaxation *relaxation) {
  eli_residual worst = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  for (int r = 0; r < relaxation->rod_count; r++) {
    const eli_residual residual = residual_of(relaxation, r);
    if (r == 0 || excess(relaxation, &residual) > excess(relaxation, &worst)) worst = residual;
  }
  return worst;
}

/* ---- Distance ---- */

/* Estimates the distance of one rod: the longest displacement of the next step, times the sum of the geometric series of the steps after
 * it. */
static double distance_of(const eli_relaxation *relaxation, size_t r) {
  double most = 0.0;
  for (size_t i = 0; i < eli_relax_blocks(relaxation, (int)r); i++)
    eli_keep_larger(&most, eli_length(relaxation->step + 6 * (relaxation->first[r] + i)));
  return most / (relaxation->contraction < 0.9 ? 1.0 - relaxation->contraction : 0.1);
}

void eli_relax_estimate_distance(eli_relaxation *relaxation) {
  relaxation->distance = 0.0;
  if (!eli_relax_newton_step(relaxation)) relaxation->distance = INFINITY;
  for (size_t r = 0; r < (size_t)relaxation->rod_count && relaxation->distance < INFINITY; r++)
    eli_keep_larger(&relaxation->distance, distance_of(relaxation, r));
}

static int is_near(const eli_relaxation *relaxation) {
  if (!(relaxation->distance < INFINITY)) return 0;
  for (size_t r = 0; r < (size_t)relaxation->rod_count; r++)
    if (!(distance_of(relaxation, r) <= FAR_FROM_EQUILIBRIUM * relaxation->origin[r].length)) return 0;
  return 1;
}

int eli_relax_find_lost(const eli_relaxation *relaxation) {
  const double tolerance = relaxation->def.tolerance;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const eli_residual *left = &relaxation->residual[r];
    if (relaxation->origin[r].rounding <= ELI_SLENDER || distance_of(relaxation, (size_t)r) <= LOST * relaxation->origin[r].length)
      continue;
    if (left->force > tolerance * left->reference_force || left->couple > tolerance * left->reference_couple) return r;
  }
  return -1;
}

double eli_relax_excess(const eli_relaxation *relaxation) {
  const eli_residual worst = eli_relax_worst_residual(relaxation);
  return excess(relaxation, &worst);
}

int eli_relax_is_balanced(const eli_relaxation *relaxation) {
  return eli_relax_excess(relaxation) <= 1.0;
}

void eli_relax_judge_supported(const eli_relaxation *relaxation, double *const before[6], double dt) {
  double *const *lane = relaxation->world->bodies.slab.lane;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const size_t slot = relaxation->rods[r]->offset;
    eli_residual *residual = &relaxation->residual[r];
    double pushed[3], turned[3];
    if (!eli_is_rigid(relaxation->rods[r]) || !eli_rod_is_supported(relaxation->rods[r])) continue;
    for (size_t a = 0; a < 3; a++) {
      pushed[a] = lane[ELI_MASS][slot] / dt * (lane[ELI_VELOCITY + a][slot] - before[a][slot]);
      turned[a] = lane[ELI_INERTIA + a][slot] / dt * (lane[ELI_OMEGA + a][slot] - before[3 + a][slot]);
    }
    residual->force = eli_length(pushed);
    residual->couple = eli_length(turned);
    residual->rounding_force = ROUNDING_OF_REACTIONS * residual->reference_force;
    residual->rounding_couple = ROUNDING_OF_REACTIONS * residual->reference_couple;
  }
}

double eli_relax_time_to_move(const eli_relaxation *relaxation, double share) {
  double *const *lane = relaxation->world->bodies.slab.lane;
  double square = INFINITY;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const size_t slot = relaxation->rods[r]->offset;
    const eli_residual residual = residual_of(relaxation, r);
    if (!eli_is_rigid(relaxation->rods[r])) continue;
    if (residual.reference_force * square > share * lane[ELI_LENGTH][slot] * lane[ELI_MASS][slot])
      square = share * lane[ELI_LENGTH][slot] * lane[ELI_MASS][slot] / residual.reference_force;
    for (size_t a = 0; a < 3; a++)
      if (residual.reference_couple * square > share * lane[ELI_INERTIA + a][slot])
        square = share * lane[ELI_INERTIA + a][slot] / residual.reference_couple;
  }
  return sqrt(square);
}

int eli_relax_is_balanced_now(const eli_relaxation *relaxation) {
  for (int r = 0; r < relaxation->rod_count; r++)
    if (!(excess(relaxation, &relaxation->residual[r]) <= 1.0)) return 0;
  return 1;
}

int eli_relax_is_slow(const eli_relaxation *relaxation, double time) {
  double *const *lane = relaxation->world->bodies.slab.lane;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const eli_residual residual = residual_of(relaxation, r);
    const double impulse = time * allowed_force(relaxation, &residual), turning = time * allowed_couple(relaxation, &residual);
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
      const size_t slot = relaxation->rods[r]->offset + i;
      double momentum[3], spin[3];
      for (size_t a = 0; a < 3; a++) {
        momentum[a] = lane[ELI_MASS][slot] * lane[ELI_VELOCITY + a][slot];
        spin[a] = lane[ELI_INERTIA + a][slot] * lane[ELI_OMEGA + a][slot];
      }
      if (!(eli_length(momentum) <= impulse) || !(eli_length(spin) <= turning)) return 0;
    }
  }
  return 1;
}

elastica_status eli_relax_check_cables(eli_relaxation *relaxation, elastica_status refusal) {
  elastica_world *world = relaxation->world;
  const eli_residual worst = eli_relax_worst_residual(relaxation);
  for (elastica_effect *effect = NULL; (effect = eli_next_effect(world, effect)) != NULL;) {
    const int guide = effect->enabled ? eli_tendon_closed_span(effect, eli_world_now(world)) : -1;
    if (guide < 0) continue;
    relaxation->ended = 0; /* another call would not go on */
    return elastica_world_refuse(world, refusal,
                                 "relax: guides %d and %d of effect %d \"tendon\" have met: its cable has no direction between them, and a "
                                 "force of %.3g N is left beside %.3g N at work",
                                 guide, guide + 1, effect->index, worst.force, worst.reference_force);
  }
  return ELASTICA_OK;
}

int eli_relax_is_converged(eli_relaxation *relaxation) {
  if (!eli_relax_is_balanced(relaxation)) return 0;
  eli_relax_estimate_distance(relaxation);
  return is_near(relaxation);
}
