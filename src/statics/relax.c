/* Relaxation: the static equilibrium of a world under its present loads.
 *
 * models     0 = internal + external forces on nodes (3.8) and couples on elements (3.9), velocities and spins 0
 * method     Newton's method with the stiffness of the whole world in one sparse matrix (stiffness.c, factor.c), damped by a share of the
 *            inertia (pseudo-transient continuation, relax_step.c). The stiffness of reactions, and of loads whose effects do not give it,
 *            is measured (relax_reactions.c, relax_loads.c); a secant corrects the rest (secant.c). A step is accepted if the step that
 *            would follow it is not much longer and does not point backwards (natural monotonicity test). At the end the signs of the
 *            stiffness decide about stability (relax_stability.c)
 * source     Deuflhard, Newton Methods for Nonlinear Problems (2004), 3.3, for the test of a step; the other files have their own sources
 * test       tests/test_relax.c
 *
 * The residual cannot judge a step: a turn by 0.1 rad stretches the elements of a thin rod by 0.5 % and multiplies every residual, although
 * the next step removes that stretch at once. The length of the following step, in metres, can judge it.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "hooks/effects.h"
#include "state/definition.h"

/* The definition of an older caller may end after any of these. */
#define FIELD(field) ELI_FIELD(elastica_relax_def, field)
static const eli_field fields[] = {FIELD(struct_size), ELI_NUMBERS(elastica_relax_def, tolerance, ELI_RULE_NOT_NEGATIVE),
                                   FIELD(evaluation_limit), ELI_FLAG(elastica_relax_def, keep_state), FIELD(step_limit)};
#undef FIELD
static const elastica_relax_def defaults = {.tolerance = 1e-9, .evaluation_limit = 10000, .step_limit = 100000};
static const eli_layout layout = ELI_LAYOUT("relax_def", elastica_relax_def, fields, defaults);

/* The number of rejected steps after which a call without any accepted step may end. Each is at most a quarter of the one before. */
enum { MOST_REJECTIONS = 40 };

/* The number of trial steps between two tests for guides that have met, and for rods that drift. */
enum { CABLES = 64, DRIFTS = 64 };

/* The largest number of steps that are rejected, or turn back, before the residual has halved. */
enum { MOST_FUTILE = 200 };

/* The largest number of steps to states with a load that is not finite, before the residual has halved. */
enum { MOST_UNSOUND = 32 };

/* The largest number of steps of a call that are accepted although they go beyond a wall. */
enum { MOST_NEW_CONTACTS = 40 };

/* Bound of the travel of a rod in the first step, and smallest bound; shares of its length. */
#define FIRST_TRAVEL 1.0
#define SHORTEST_TRAVEL 1e-3

/* Loads are measured again after SLOW_STEPS consecutive steps with a growth above SLOW_GROWTH, at most MOST_REMEASUREMENTS times in a
 * call. */
enum { SLOW_STEPS = 8, MOST_REMEASUREMENTS = 4 };
#define SLOW_GROWTH 0.7

/* The largest number of steps after convergence. They end at an estimated distance from equilibrium of FINE times the tolerance, or
 * FINEST, of the length of the shortest rod. */
enum { MOST_POLISHING = 4 };
#define FINE 10.0
#define FINEST 1e-12

/* The largest number of steps after the first converged state with a lost rod. */
enum { MOST_SEARCHES = 100 };

/* A step of a smaller extent counts as no motion. */
#define STANDSTILL 1e-9

/* After MOST_JUMPS steps of an extent below SHORT that change a force by more than its residual may be, and by more than the stiffness
 * says, no shorter step will do better. */
enum { MOST_JUMPS = 10 };
#define SHORT 1e-10

/* Error of a displacement by rounding, as a share of the largest coordinate. */
#define DISPLACEMENT_ERROR 1e-14

/* A load that was not finite within the last RECENT evaluations is the likely cause of a relaxation without success. */
enum { RECENT = 32 };

void elastica_relax_def_init(elastica_relax_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

/* ---- The iteration ---- */

/* D: mass of nodes; of elements J, but at least a quarter of the mass of the element at a distance of its length. So shear and rotation are
 * not much faster than stretch, also in a thin rod. The last block of an open rod has no element: 0. */
static void set_inertia(eli_relaxation *relaxation) {
  double *const *lane = relaxation->world->bodies.slab.lane;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const elastica_rod *rod = relaxation->rods[r];
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
      double *inertia = relaxation->inertia + 6 * (relaxation->first[r] + i);
      const size_t slot = rod->offset + i;
      const double l = lane[ELI_REST_LENGTH][slot],
                   least = i < (size_t)rod->element_count ? 0.25 * lane[ELI_ELEMENT_MASS][slot] * (l * l) : 0.0;
      for (size_t a = 0; a < 3; a++) {
        inertia[a] = lane[ELI_MASS][slot];
        inertia[3 + a] = eli_larger(lane[ELI_INERTIA + a][slot], least);
      }
    }
  }
}

/* If a difference cannot be evaluated, the reactions stay unknown and the relaxation continues. */
static elastica_status measure_reactions(eli_relaxation *relaxation) {
  const elastica_status status = eli_relax_measure_reactions(relaxation);
  return eli_relax_is_over(relaxation) ? status : ELASTICA_OK;
}

void eli_relax_take_stress(const eli_relaxation *relaxation) {
  for (size_t i = 0; i < relaxation->blocks; i++)
    for (size_t a = 0; a < 3; a++) relaxation->predicted[3 * i + a] = relaxation->now.strain[12 * i + 3 + a];
}

elastica_status eli_relax_begin(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  set_inertia(relaxation);
  eli_relax_set_origins(relaxation);
  elastica_status status = eli_relax_find_held(relaxation);
  if (status != ELASTICA_OK) return status;
  eli_tile_report report;
  status = eli_relax_evaluate(relaxation, &report);
  if (status == ELASTICA_JOINT_TOO_FAR && report.effect == NULL)
    return eli_world_fail(world, status, "relax: a joint turns by more than %.1f rad at the start", ELI_JOINT_LIMIT);
  if (status == ELASTICA_NOT_FINITE && report.effect == NULL)
    return eli_world_fail(world, status, "relax: at the start %s", relaxation->not_finite);
  if (status != ELASTICA_OK) return eli_relax_fail_hook(relaxation, &report);
  eli_relax_swap_trial(relaxation);
  memcpy(relaxation->residual_start, relaxation->residual, (size_t)relaxation->rod_count * sizeof *relaxation->residual_start);
  eli_relax_take_stress(relaxation);
  return ELASTICA_OK;
}

/* Prepares the iteration from the present state, which has been evaluated. */
static elastica_status measure(eli_relaxation *relaxation) {
  eli_secant_forget(&relaxation->secant);
  memset(relaxation->reactions, 0, relaxation->blocks * sizeof *relaxation->reactions);
  relaxation->shift = relaxation->contraction = 0.0;
  relaxation->travel = FIRST_TRAVEL;
  relaxation->rejections = relaxation->joint_rejections = relaxation->slow = relaxation->remeasured = 0;
  relaxation->new_contacts = relaxation->moved = relaxation->assembled = relaxation->jumps = 0;
  relaxation->least_excess = INFINITY;
  relaxation->futile = relaxation->unsound = 0;
  eli_relax_take_stress(relaxation);
  const elastica_status status = eli_relax_measure_loads(relaxation, &relaxation->stiffness);
  return status == ELASTICA_OK ? measure_reactions(relaxation) : status;
}

/* The next step may be longer in the direction of the last one. It may not point back by more than 0.6 of the last one, or deviate much. */
static int is_acceptable(const eli_relaxation *relaxation) {
  const double along = relaxation->alignment, deviation2 = relaxation->growth * relaxation->growth - along * along;
  return along > -0.6 && deviation2 < eli_larger(4.0, along > 0.0 ? 0.25 * (along * along) : 0.0);
}

/* A step that brings a node into contact goes beyond the wall and is accepted, although the next one points back: the reaction is known
 * only in contact. */
static int accepts_new_contact(eli_relaxation *relaxation) {
  if (!(relaxation->growth <= 1.5) || relaxation->new_contacts >= MOST_NEW_CONTACTS || !eli_relax_has_new_contact(relaxation)) return 0;
  relaxation->new_contacts++;
  return 1;
}

/* Contacts that stick in one direction and slide in the other, or open and close, may oscillate for ever. */
static int turns_back(const eli_relaxation *relaxation) {
  return relaxation->touching.limit > 0.0 && relaxation->alignment < 0.0 && relaxation->growth > 0.5;
}

/* Adds the turns of an accepted step to those of each rod. */
static void add_turns(eli_relaxation *relaxation) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    const elastica_rod *rod = relaxation->rods[r];
    double *const *q = rod->world->bodies.slab.lane + ELI_DIRECTOR;
    const double *phi = relaxation->step + 6 * relaxation->first[r] + 3, share = 1.0 / (double)rod->element_count;
    for (size_t j = 0; j < (size_t)rod->element_count; j++, phi += 6)
      for (size_t b = 0; b < 3; b++)
        for (size_t a = 0; a < 3; a++) relaxation->origin[r].turned[b] += share * (q[3 * a + b][rod->offset + j] * phi[a]);
  }
}

/* Updates shift, travel and counts after an accepted step. */
static void note_kept(eli_relaxation *relaxation) {
  relaxation->contraction = relaxation->growth;
  relaxation->futile += turns_back(relaxation);
  if (turns_back(relaxation))
    relaxation->shift = 2.0 * relaxation->shift + 0.1 * relaxation->resistance;
  else
    relaxation->shift *= relaxation->alignment > 0.0 || relaxation->growth < 0.3 ? 0.1 : 1.0;
  relaxation->rejections = 0;
  relaxation->travel *= 4.0;
  relaxation->moved = 1;
  if (eli_relax_extent(relaxation, relaxation->step) > STANDSTILL) relaxation->joint_rejections = 0;
  add_turns(relaxation);
}

/* Updates them after a rejected step. The first time only the travel is reduced, if the secant has new information: that may be enough. */
static void note_rejected(eli_relaxation *relaxation, elastica_status status, int learned) {
  if (!learned || relaxation->rejections > 0) relaxation->shift = 4.0 * relaxation->shift + relaxation->resistance;
  relaxation->rejections++;
  relaxation->futile++;
  relaxation->unsound += status == ELASTICA_NOT_FINITE;
  relaxation->travel = eli_larger(0.25 * relaxation->travel, SHORTEST_TRAVEL);
  relaxation->joint_rejections += status == ELASTICA_JOINT_TOO_FAR;
}

/* Notes the largest force of effects that jumps along a short step: its change beside that of the stiffness. Such a law has no equilibrium
 * there, as where a contact passes from one element to the next. */
static void note_jump(eli_relaxation *relaxation) {
  const eli_stiffness *stiffness = &relaxation->stiffness;
  double *change = relaxation->work, most = 0.0;
  if (stiffness->contacts == 0 || eli_relax_extent(relaxation, relaxation->step) > SHORT || eli_relax_has_reactions(relaxation)) return;
  const double stiff = eli_stiffness_largest(stiffness);
  for (size_t k = 0; k < relaxation->size; k++) change[k] = relaxation->trial.external[k] - relaxation->now.external[k];
  eli_stiffness_apply(stiffness, 0, relaxation->step, change);
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = relaxation->first[r]; i < relaxation->first[r + 1]; i++) {
      const double size = eli_length(change + 6 * i), rounding = DISPLACEMENT_ERROR * stiff * relaxation->origin[r].extent;
      const size_t node = i - relaxation->first[r];
      if (eli_length(relaxation->step + 6 * i) > SHORT * eli_relax_length_at(relaxation, r, node)) continue; /* it moves as a whole */
      if (relaxation->held[6 * i] || !(size > eli_relax_allowed_force(relaxation, r) + rounding) || size <= most) continue;
      most = relaxation->jump = size;
      relaxation->jump_rod = r;
      relaxation->jump_node = (int)node;
    }
  relaxation->jumps += most > 0.0;
}

/* Tries the proposed step, and accepts or rejects it. A step to a state with a residual of rounding size is accepted: the next step there
 * is rounding too, and may point anywhere. Only the error of a hook ends the relaxation. */
static elastica_status try_step(eli_relaxation *relaxation) {
  eli_tile_report report;
  for (int r = 0; r < relaxation->rod_count; r++)
    eli_tangent_predict(relaxation->rods[r], &relaxation->now, relaxation->step + 6 * relaxation->first[r], relaxation->predicted_trial);
  eli_relax_save(relaxation);
  eli_relax_move(relaxation);
  const elastica_status status = eli_relax_evaluate(relaxation, &report);
  const int failed = status == ELASTICA_JOINT_TOO_FAR || status == ELASTICA_NOT_FINITE;
  int learned = 0;
  if (status == ELASTICA_OK) {
    note_jump(relaxation);
    learned = eli_relax_update_secant(relaxation);
    eli_relax_swap_trial(relaxation);
    const elastica_status measured = measure_reactions(relaxation);
    if (measured != ELASTICA_OK) return measured;
    eli_relax_find_next(relaxation);
    if (eli_relax_is_over(relaxation)) return eli_relax_end_status(relaxation);
    if (is_acceptable(relaxation) || accepts_new_contact(relaxation) || eli_relax_is_balanced(relaxation)) {
      note_kept(relaxation);
      const elastica_status kept = eli_relax_keep_slips(relaxation);
      return kept == ELASTICA_OK ? eli_relax_note_depth(relaxation) : kept;
    }
    eli_relax_swap_trial(relaxation);
  }
  eli_relax_restore(relaxation);
  if (status != ELASTICA_OK && !failed) return eli_relax_fail_hook(relaxation, &report);
  note_rejected(relaxation, status, learned);
  return ELASTICA_OK;
}

/* Returns 1 if some effect has loads, reactions excluded. */
static int has_load_hooks(const eli_relaxation *relaxation) {
  return eli_world_has(relaxation->world, ELI_ADD_LOADS) || eli_world_has(relaxation->world, ELI_ADD_TANGENT) ||
         eli_world_has_pair_phase(relaxation->world);
}

/* Measures loads again if steps hardly become shorter: their stiffness may have changed since the start, as for contacts that have
 * opened. */
static elastica_status remeasure_loads(eli_relaxation *relaxation) {
  relaxation->slow = relaxation->growth > SLOW_GROWTH ? relaxation->slow + 1 : 0;
  if (relaxation->slow < SLOW_STEPS || relaxation->remeasured >= MOST_REMEASUREMENTS || !has_load_hooks(relaxation)) return ELASTICA_OK;
  relaxation->slow = 0;
  relaxation->remeasured++;
  relaxation->assembled = 0;
  eli_secant_forget(&relaxation->secant);
  return eli_relax_measure_loads(relaxation, &relaxation->stiffness);
}

const char *eli_relax_likely_cause(const eli_relaxation *relaxation, char words[ELI_CAUSE_WORDS]) {
  if (relaxation->not_finite_at > 0 && relaxation->evaluations - relaxation->not_finite_at < RECENT) {
    eli_write(words, ELI_CAUSE_WORDS, "; it goes no farther, because in the next state %s", relaxation->not_finite);
    return words;
  }
  if (relaxation->jammed_at > 0 && relaxation->evaluations - relaxation->jammed_at < RECENT) {
    eli_write(words, ELI_CAUSE_WORDS, "; it goes no farther, because in the next state %s", relaxation->jammed);
    return words;
  }
  if (relaxation->is_raised)
    return "; its steps are short because loads make a motion unstable that no force has begun yet, as that of a ball on a ridge: a push "
           "aside may help, or something that holds it";
  return relaxation->touching.has_friction
             ? "; contacts that begin to slide or to stick may keep it from less, and then a larger tolerance accepts this state"
             : "";
}

static elastica_status refuse_not_converged(eli_relaxation *relaxation) {
  const eli_residual worst = eli_relax_worst_residual(relaxation);
  char words[ELI_CAUSE_WORDS];
  if (eli_relax_check_cables(relaxation, ELASTICA_NOT_CONVERGED) != ELASTICA_OK) return ELASTICA_NOT_CONVERGED;
  return elastica_world_refuse(
      relaxation->world, ELASTICA_NOT_CONVERGED,
      "relax: %ld evaluations left a force of %.3g N and a couple of %.3g N m, beside %.3g N and %.3g N m at work%s",
      relaxation->evaluations, worst.force, worst.couple, worst.reference_force, worst.reference_couple,
      eli_relax_likely_cause(relaxation, words));
}

/* Keeps the state: damped steps would come to the same place. */
static elastica_status refuse_jump(eli_relaxation *relaxation) {
  const eli_residual worst = eli_relax_worst_residual(relaxation);
  relaxation->ended = 1;
  return elastica_world_refuse(relaxation->world, ELASTICA_NOT_CONVERGED,
                               "relax: after %ld evaluations the force of effects on node %d of rod %d jumps by %.3g N between two states "
                               "that are less than %.0e of an element apart, as where a contact passes from one element to the next: a "
                               "force of %.3g N is left beside %.3g N at work",
                               relaxation->evaluations, relaxation->jump_node, relaxation->rods[relaxation->jump_rod]->index,
                               relaxation->jump, SHORT, worst.force, worst.reference_force);
}

/* Returns 1 after many useless steps before the residual has halved, if damped steps can follow, or if many led to no numbers. */
static int halts(eli_relaxation *relaxation) {
  const double excess = eli_relax_excess(relaxation);
  if (excess < 0.5 * relaxation->least_excess) {
    relaxation->least_excess = excess;
    relaxation->futile = relaxation->unsound = 0;
  }
  return (relaxation->damps && relaxation->futile >= MOST_FUTILE) || relaxation->unsound >= MOST_UNSOUND;
}

/* Does not return 1 before the first accepted step: another call would only reject the same steps again. */
static int is_out_of_evaluations(eli_relaxation *relaxation) {
  return (halts(relaxation) || relaxation->evaluations - relaxation->begun >= relaxation->def.evaluation_limit) &&
         (relaxation->moved || relaxation->rejections >= MOST_REJECTIONS);
}

/* Returns 1 if there are loads, and all effects give their stiffness. */
static int gives_all(const eli_relaxation *relaxation) {
  return relaxation->stiffness.given[0] && relaxation->stiffness.given[1] && has_load_hooks(relaxation);
}

/* Returns 1 if a converged state deserves another step: its residuals are allowed beside the loads at the start alone; or all loads know
 * their stiffness, and residuals of a thin rod are of the size of rounding while a node is still far from its place. A step that is
 * rejected was the last. */
static int is_rough(const eli_relaxation *relaxation, int polished) {
  double shortest = INFINITY;
  for (int r = 0; r < relaxation->rod_count; r++)
    if (relaxation->origin[r].length < shortest) shortest = relaxation->origin[r].length;
  const int is_far = gives_all(relaxation) && relaxation->distance > eli_larger(FINE * relaxation->def.tolerance, FINEST) * shortest;
  return (is_far || !eli_relax_is_balanced_now(relaxation)) && polished < MOST_POLISHING && relaxation->rejections == 0 &&
         relaxation->evaluations - relaxation->begun < relaxation->def.evaluation_limit;
}

/* Keeps the state of a rod that drifts, unless it has passed through another one: another call goes on, because a slack tendon or a distant
 * floor may hold it. */
static elastica_status check_drift(eli_relaxation *relaxation) {
  if (!(relaxation->touching.limit > 0.0)) return ELASTICA_OK;
  eli_relax_follow_drift(relaxation);
  const elastica_status status = eli_relax_check_drift(relaxation, 0);
  relaxation->ended = status != ELASTICA_OK && relaxation->sunk[0] == '\0';
  return status;
}

/* Returns a slender rod of a converged state that is lost, because its loads are smaller than the rounding of its stretch; -1 if there is
 * none. Contacts and reactions may hold such a rod. */
static int find_lost(const eli_relaxation *relaxation) {
  return relaxation->touching.limit > 0.0 || eli_relax_has_reaction_hooks(relaxation) ? -1 : eli_relax_find_lost(relaxation);
}

/* The first converged state with a lost rod. */
typedef struct lost_state {
  const elastica_rod *rod;
  eli_residual left;
  double distance;
  int steps; /* since then */
} lost_state;

/* Returns 1 if a converged state has no lost rod. */
static int is_found(const eli_relaxation *relaxation, lost_state *first) {
  const int r = find_lost(relaxation);
  if (r >= 0 && first->rod == NULL) *first = (lost_state){relaxation->rods[r], relaxation->residual[r], relaxation->distance, 0};
  return r < 0;
}

static elastica_status refuse_lost(const eli_relaxation *relaxation, const lost_state *first) {
  const eli_residual *left = &first->left;
  return elastica_world_refuse(
      relaxation->world, ELASTICA_NOT_CONVERGED,
      "relax: rod %d is so slender that the rounding of its stretch hides its loads: a force of %.3g N and a couple of %.3g N m were left "
      "beside %.3g N and %.3g N m at work, would move it by about %.3g m, and %d further steps have found no better state",
      first->rod->index, left->force, left->couple, left->reference_force, left->reference_couple, first->distance, first->steps);
}

/* Iterates until convergence, the limit of evaluations, an overflow, or a rod that escapes. */
static elastica_status iterate(eli_relaxation *relaxation) {
  lost_state lost = {0};
  for (int polished = 0, tried = 1;; tried++) {
    if (eli_relax_is_converged(relaxation) && !is_rough(relaxation, polished++) && is_found(relaxation, &lost)) break;
    if (lost.rod != NULL && ++lost.steps > MOST_SEARCHES) return refuse_lost(relaxation, &lost);
    if (relaxation->jumps >= MOST_JUMPS) return refuse_jump(relaxation);
    if (tried % CABLES == 0 && eli_relax_check_cables(relaxation, ELASTICA_NOT_CONVERGED) != ELASTICA_OK) return ELASTICA_NOT_CONVERGED;
    relaxation->ended = is_out_of_evaluations(relaxation);
    const int proposed = !relaxation->ended && eli_relax_propose(relaxation);
    if (eli_relax_is_over(relaxation)) return eli_relax_end_status(relaxation);
    relaxation->stalled = !proposed;
    elastica_status status = proposed ? try_step(relaxation) : eli_relax_confirm_tangents(relaxation);
    if (!proposed) return status == ELASTICA_OK ? refuse_not_converged(relaxation) : status;
    if (status == ELASTICA_OK) status = remeasure_loads(relaxation);
    if (status == ELASTICA_OK) status = eli_relax_check_escape(relaxation);
    if (status == ELASTICA_OK && tried % DRIFTS == 0) status = check_drift(relaxation);
    if (status != ELASTICA_OK) return status;
  }
  eli_relax_predict_slender(relaxation);
  return eli_relax_find_stability(relaxation);
}

/* ---- The call ---- */

static void fill_result(const eli_relaxation *relaxation, elastica_relax_result *out) {
  const eli_residual worst = eli_relax_worst_residual(relaxation);
  memset(out, 0, sizeof *out);
  out->evaluations = relaxation->evaluations;
  out->steps = relaxation->damped_steps;
  out->force = worst.force;
  out->couple = worst.couple;
  out->reference_force = worst.reference_force;
  out->reference_couple = worst.reference_couple;
  out->distance = relaxation->distance;
  out->stable = relaxation->stable;
  out->undecided = relaxation->undecided;
  out->undecided_by = relaxation->undecided_by;
  out->unstable_modes = relaxation->unstable_modes;
  out->zero_modes = relaxation->zero_modes;
}

/* A state with this share of its forces unbalanced is no equilibrium, and has no verdict. */
#define MOST_TOLERANCE 1e-2

static elastica_status check_def(elastica_world *world, const elastica_relax_def *given, elastica_relax_def *def) {
  elastica_status status = eli_def_read(world, &layout, def, given);
  if (status == ELASTICA_OK && def->tolerance > MOST_TOLERANCE)
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "relax_def.tolerance is %g; above %g the state is no equilibrium",
                                   def->tolerance, MOST_TOLERANCE);
  if (status == ELASTICA_OK && def->evaluation_limit < 1)
    status =
        elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "relax_def.evaluation_limit is %ld, not positive", def->evaluation_limit);
  if (status == ELASTICA_OK && def->step_limit < 0)
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "relax_def.step_limit is %ld, negative", def->step_limit);
  return status;
}

/* Updates the derived geometry, because the state has changed between two steps. A refused call restores the initial state instead. */
static void update_geometry(const eli_relaxation *relaxation, int refused) {
  elastica_world *world = relaxation->world;
  if (refused) {
    eli_relax_return(relaxation, &relaxation->start);
    return;
  }
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) eli_tile_update_geometry(world, t);
  eli_world_outdate(world, ELI_STALE_LIMIT);
}

/* Returns a rigid body with reactions, or NULL. The reaction on a body ends its motion within a step, so it gives no position. */
static const elastica_rod *body_on_wall(elastica_world *world) {
  ELI_EACH_ROD_OF_WORLD(rod, world)
  if (eli_is_rigid(rod) && eli_rod_is_supported(rod)) return rod;
  return NULL;
}

static elastica_status take_newton_steps(eli_relaxation *relaxation) {
  const elastica_status status = measure(relaxation);
  return status == ELASTICA_OK ? iterate(relaxation) : status;
}

/* Determines the stability of the rest reached by damped steps, if possible. */
static elastica_status judge_rest(eli_relaxation *relaxation) {
  const elastica_status status = measure(relaxation);
  return status == ELASTICA_OK && eli_relax_is_converged(relaxation) ? eli_relax_find_stability(relaxation) : status;
}

/* Continues with Newton's method from the best state of damped steps that did not reach rest, and returns to this state without success. */
static elastica_status go_on_from_there(eli_relaxation *relaxation) {
  relaxation->begun = relaxation->evaluations;
  const elastica_status status = take_newton_steps(relaxation);
  return status == ELASTICA_NOT_CONVERGED ? eli_relax_return_to_best(relaxation) : status;
}

/* Uses Newton's method, unless a body with reactions excludes it; then damped steps, if contact or reactions have corners that may have
 * stopped it. */
static elastica_status find_rest(eli_relaxation *relaxation) {
  const elastica_rod *body = relaxation->supported ? body_on_wall(relaxation->world) : NULL;
  relaxation->damps = relaxation->def.step_limit > 0 && (relaxation->supported || relaxation->touching.limit > 0.0);
  if (body != NULL && !relaxation->damps)
    return elastica_world_refuse(relaxation->world, ELASTICA_INVALID_ARGUMENT,
                                 "relax: rod %d is a rigid body with an effect that reacts to all others, such as a wall: it comes to rest "
                                 "by damped steps alone, and relax_def.step_limit is 0",
                                 body->index);
  elastica_status status = eli_relax_begin(relaxation);
  if (status == ELASTICA_OK && body == NULL) status = take_newton_steps(relaxation);
  int stalled = status == ELASTICA_NOT_CONVERGED && relaxation->stalled && relaxation->damps;
  if (!stalled && (status != ELASTICA_OK || body == NULL)) return status;
  if (stalled && eli_relax_check_drift(relaxation, 1) != ELASTICA_OK) { /* damped steps would be as short */
    relaxation->begun = relaxation->evaluations;
    status = take_newton_steps(relaxation);
    stalled = status == ELASTICA_NOT_CONVERGED && relaxation->stalled;
    if (!stalled) return status;
    if (eli_relax_check_drift(relaxation, 1) != ELASTICA_OK) {
      relaxation->ended = 1; /* another call goes on: a slack tendon or a distant floor may hold the rod */
      return status;
    }
  }
  if (stalled && !relaxation->ended) eli_relax_return(relaxation, &relaxation->start);
  status = eli_relax_damp(relaxation);
  if (status == ELASTICA_OK && body == NULL) return judge_rest(relaxation);
  return status == ELASTICA_NOT_CONVERGED && relaxation->ended && body == NULL ? go_on_from_there(relaxation) : status;
}

/* Evaluates the final state once more: the last evaluation may have been of another state, and walls report reactions of the last one. */
static elastica_status tell_reactions(eli_relaxation *relaxation) {
  eli_tile_report report;
  const elastica_status status = relaxation->supported ? eli_world_statics(relaxation->world, 1, &relaxation->trial, &report) : ELASTICA_OK;
  return status == ELASTICA_OK ? status : eli_relax_fail_hook(relaxation, &report);
}

/* Loads on prescribed nodes and elements enter no residual: a relaxation converges although one of them is not finite. */
static elastica_status find_finite_rest(eli_relaxation *relaxation) {
  char words[ELI_LOAD_WORDS];
  elastica_status status = find_rest(relaxation);
  if (status == ELASTICA_OK) status = eli_relax_check_depth(relaxation, "relax: in the equilibrium that was found");
  if (status != ELASTICA_OK || !eli_relax_finds_no_number(relaxation, words)) return status;
  return eli_world_fail(relaxation->world, ELASTICA_NOT_FINITE, "relax: %s", words);
}

/* Fills the result and leaves or restores the state. Only refused calls and failures leave a sentence. */
static elastica_status finish(eli_relaxation *relaxation, elastica_status status, elastica_relax_result *out, const char *before) {
  const int told = status == ELASTICA_OK || status == ELASTICA_NOT_CONVERGED;
  if (relaxation->starved) status = ELASTICA_OUT_OF_MEMORY;
  if (status == ELASTICA_OK) memcpy(relaxation->world->report.message, before, sizeof relaxation->world->report.message);
  if (status == ELASTICA_NOT_CONVERGED && relaxation->damped_steps == 0 && out != NULL)
    eli_relax_estimate_distance(relaxation); /* after convergence it is known */
  if (out != NULL && told && !relaxation->starved) fill_result(relaxation, out);
  const int returns = status == ELASTICA_NOT_CONVERGED && !relaxation->ended && (relaxation->gave_up || !relaxation->def.keep_state);
  if (returns) eli_relax_return(relaxation, &relaxation->start);
  relaxation->keeps = status == ELASTICA_OK || (status == ELASTICA_NOT_CONVERGED && !returns);
  update_geometry(relaxation, relaxation->starved || (relaxation->gave_up && status != ELASTICA_NOT_CONVERGED));
  if (told && !relaxation->starved && !returns) {
    const elastica_status failed = tell_reactions(relaxation);
    if (failed != ELASTICA_OK) return failed;
  }
  return status;
}

/* Returns 1 if reactions may support the loads on some rod at rest. */
static int is_supported(const elastica_world *world) {
  if (!eli_world_has(world, ELI_ADD_REACTIONS)) return 0;
  ELI_EACH_ROD_OF_WORLD(rod, world)
  if (eli_rod_is_supported(rod)) return 1;
  return 0;
}

elastica_status eli_relax_open(eli_relaxation *relaxation, elastica_world *world, const elastica_relax_def *given) {
  memset(relaxation, 0, sizeof *relaxation);
  relaxation->world = world;
  elastica_status status = check_def(world, given, &relaxation->def);
  if (status != ELASTICA_OK) return status;
  if (!eli_relax_allocate(relaxation))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "relax: no memory for %d rods", relaxation->rod_count);
  status = eli_world_prepare(world, "relax");
  relaxation->supported = status == ELASTICA_OK && is_supported(world);
  if (status == ELASTICA_OK) eli_relax_find_touching(relaxation);
  if (status == ELASTICA_OK && (!eli_relax_allocate_touching(relaxation) || !eli_relax_allocate_secant(relaxation) ||
                                !eli_relax_note(relaxation, &relaxation->start)))
    status = elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "relax: no memory for what acts between rods");
  return status;
}

void eli_relax_close(eli_relaxation *relaxation) {
  const eli_allocator *allocator = &relaxation->world->allocator;
  eli_relax_release_touching(relaxation);
  eli_stiffness_release(relaxation, &relaxation->stiffness);
  eli_release(allocator, relaxation->secant_memory);
  eli_relax_drop(relaxation, &relaxation->start);
  eli_relax_drop(relaxation, &relaxation->reached);
  eli_release(allocator, relaxation->memory);
}

void eli_relax_rename_sentence(elastica_world *world, const char *function) {
  static const char theirs[] = "relax";
  char *message = world->report.message, sentence[ELI_MESSAGE_SIZE];
  if (memcmp(message, theirs, sizeof theirs - 1) != 0 || message[sizeof theirs - 1] != ':') return; /* it has ELI_MESSAGE_SIZE bytes */
  memcpy(sentence, message, sizeof sentence);
  eli_write(message, ELI_MESSAGE_SIZE, "%s%s", function, sentence + sizeof theirs - 1);
}

elastica_status elastica_world_relax(elastica_world *world, const elastica_relax_def *given, elastica_relax_result *out) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, "relax", 1);
  if (status != ELASTICA_OK) return status;
  char before[ELI_MESSAGE_SIZE];
  memcpy(before, world->report.message, sizeof before);
  eli_relaxation relaxation;
  eli_pending pending;
  status = eli_pending_note(world, "relax", &pending);
  if (status != ELASTICA_OK) return status;
  status = eli_relax_open(&relaxation, world, given);
  if (status == ELASTICA_OK) status = finish(&relaxation, find_finite_rest(&relaxation), out, before);
  if (status != ELASTICA_OK && !relaxation.keeps && world->report.failure == ELASTICA_OK) eli_pending_put_back(world, &pending);
  eli_relax_close(&relaxation);
  eli_pending_drop(world, &pending);
  return status;
}
