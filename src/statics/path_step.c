/* The world along a path: the parameter, the rates of loads and prescribed unknowns with it, the tangent, and the correction.
 *
 * models     F(u, p) = 0 and row . (u - u0, p - p0) = 0: an equilibrium on the hyperplane across a direction
 * equation   K du - f dp = F, with f = dF/dp at fixed free unknowns: prescribed positions and frames move with p
 * source     Riks, Int. J. Solids Structures 15 (1979) 529; Crisfield, Computers and Structures 13 (1981) 55
 * test       tests/test_path.c
 *
 * Turns are material, so the components of a direction stay valid while the frames turn. As in relaxation the geometric stiffness uses the
 * stress that the last step predicted: see tangent.c.
 */
#include "base/target.h"

#include "statics/path.h"

#include <string.h>

#include "base/rotation.h"
#include "state/definition.h"

/* Change of the parameter for its rates, in first steps. */
#define DIFFERENCE 1e-3

/* Solutions are accurate beside this number of first steps of the parameter. */
#define FIRST_STEPS 20.0

/* Largest error of a tangent, and of a correction, which another one removes; in it a motion without stiffness adds rounding. */
#define ACCURATE 1e-2
#define COARSE 0.5

/* A correction converges if residuals are allowed and the last step is below FINE of walk->unit, or below ROUGH and does not become shorter
 * because of rounding. It fails with a step that turns a frame, or changes an edge, by more than LARGEST_TURN, or that is LONGER than the
 * one before. */
#define FINE 1e-6
#define ROUGH 1e-3
#define LARGEST_TURN 1.0
#define LONGER 2.0
enum { MOST_ITERATIONS = 14 };

/* A second correction by an arc below EXACT, over the length of the longest rod and times the largest coordinate, is rounding of positions:
 * a stiff joint makes a force of it that may be above the tolerance of small loads, but no state is nearer to the equilibrium. */
#define EXACT 1e-14

/* The share of the change of the loads that the tangent of held rods may leave. */
#define UNBALANCED 0.01

/* ---- The beginning and the end of a call ---- */

static elastica_status refuse_effect(const elastica_effect *effect, const char *why) {
  return elastica_world_refuse(effect->world, ELASTICA_INVALID_ARGUMENT, "path_next: effect %d \"%s\" %s", effect->index,
                               effect->body->label, why);
}

static elastica_status check_effects(elastica_world *world) {
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const elastica_module *module = &effect->body->module;
    if (!effect->enabled) continue;
    if (eli_reports_contacts(effect) && effect->body->kind->friction != NULL && effect->body->kind->friction(effect->self) > 0.0)
      return refuse_effect(effect, "has friction, whose forces depend on the history of slips");
    if (module->add_reactions != NULL) return refuse_effect(effect, "reacts to the other loads, as a wall does, and has no stiffness");
  }
  return ELASTICA_OK;
}

static int allocate(eli_path_walk *walk) {
  const size_t size = walk->relaxation.size;
  double *memory = eli_allocate(&walk->world->allocator, 6, (size + 1) * sizeof *memory);
  walk->rate = memory;
  if (memory == NULL) return 0;
  walk->moved = memory + (size + 1);
  walk->tangent = memory + 2 * (size + 1);
  walk->row = memory + 3 * (size + 1);
  walk->solution = memory + 4 * (size + 1);
  walk->way = memory + 5 * (size + 1);
  return 1;
}

/* Weights: displacements of nodes in lengths of the longest rod, turns of frames, means over all. In them, the rounding of positions. */
static void set_weights(eli_path_walk *walk) {
  eli_relaxation *relaxation = &walk->relaxation;
  double longest = 0.0, farthest = 0.0, nodes = 0.0, elements = 0.0;
  for (int r = 0; r < relaxation->rod_count; r++) {
    eli_keep_larger(&longest, relaxation->origin[r].length);
    eli_keep_larger(&farthest, relaxation->origin[r].extent);
    nodes += (double)eli_relax_blocks(relaxation, r);
    elements += relaxation->rods[r]->element_count;
  }
  walk->rounding = EXACT * (farthest / longest);
  for (size_t k = 0; k < relaxation->size; k++)
    walk->matrix.weight[k] = relaxation->held[k] ? 0.0 : k % 6 < 3 ? 1.0 / (nodes * (longest * longest)) : 1.0 / elements;
}

void eli_path_set_scale(eli_path_walk *walk, double scale) {
  const double largest = FIRST_STEPS * walk->def->first_step;
  walk->matrix.weight[walk->relaxation.size] = 1.0 / (scale * scale);
  walk->matrix.parameter = 1.0 / (largest * largest);
}

elastica_status eli_path_begin(eli_path_walk *walk, elastica_world *world, const elastica_path_def *def) {
  eli_relaxation *relaxation = &walk->relaxation;
  memset(walk, 0, sizeof *walk);
  walk->world = relaxation->world = world;
  walk->def = def;
  relaxation->def.tolerance = def->tolerance;
  elastica_status status = eli_world_prepare(world, "path_next");
  if (status == ELASTICA_OK) status = check_effects(world);
  if (status != ELASTICA_OK) return status;
  const int allocated = eli_relax_allocate(relaxation);
  if (allocated) eli_relax_find_touching(relaxation);
  if (!allocated || !eli_relax_allocate_touching(relaxation) || !allocate(walk) || !eli_path_matrix_create(&walk->matrix, relaxation) ||
      !eli_relax_note(relaxation, &relaxation->start))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "path_next: no memory for %d rods", relaxation->rod_count);
  const elastica_effect *unknown = eli_relax_without_tangent(relaxation);
  if (unknown != NULL) return refuse_effect(unknown, "has loads without add_tangent, so that their stiffness is not known");
  relaxation->moved = 1;
  for (int between = 0; between < 2; between++) relaxation->stiffness.given[between] = walk->matrix.stiffer.given[between] = 1;
  eli_relax_set_origins(relaxation);
  status = eli_relax_find_held(relaxation);
  if (status != ELASTICA_OK && world->report.failure == ELASTICA_OK) eli_relax_return(relaxation, &relaxation->start);
  if (status == ELASTICA_OK) set_weights(walk);
  return status;
}

void eli_path_finish(eli_path_walk *walk) {
  const eli_allocator *allocator = &walk->world->allocator;
  eli_path_matrix_release(&walk->matrix);
  eli_release(allocator, walk->rate);
  eli_relax_close(&walk->relaxation);
}

/* ---- The parameter ---- */

/* The sentence of a setter that refused its argument is the reason. */
static elastica_status refuse_apply(const eli_path_walk *walk, elastica_status status, double parameter) {
  char words[ELI_STATUS_WORDS_SIZE], reason[ELI_MESSAGE_SIZE];
  memcpy(reason, walk->world->report.message, sizeof reason);
  return elastica_world_refuse(walk->world, ELASTICA_CALLBACK_FAILED, "path_next: path_def.apply returned %s at the parameter %.9g%s%s",
                               eli_status_words(status, words), parameter, reason[0] != '\0' ? ": " : "", reason);
}

elastica_status eli_path_apply(const elastica_path_def *def, elastica_world *world, double parameter) {
  char before[ELI_MESSAGE_SIZE];
  memcpy(before, world->report.message, sizeof before);
  world->report.message[0] = '\0';
  world->calls.is_applying = 1;
  const elastica_status status = def->apply(def->user, world, parameter);
  world->calls.is_applying = 0;
  if (status == ELASTICA_OK && world->report.failure == ELASTICA_OK) memcpy(world->report.message, before, sizeof before);
  return status;
}

elastica_status eli_path_set(eli_path_walk *walk, double parameter) {
  elastica_world *world = walk->world;
  const elastica_status status = eli_path_apply(walk->def, world, parameter);
  if (status != ELASTICA_OK)
    walk->fatal = refuse_apply(walk, status, parameter);
  else if (world->report.failure != ELASTICA_OK)
    walk->fatal = world->report.failure;
  else
    walk->fatal = eli_world_prepare(world, "path_next");
  if (walk->fatal != ELASTICA_OK) return walk->fatal;
  walk->parameter = parameter;
  return ELASTICA_OK;
}

/* Evaluates the present state into trial. */
static int evaluate_trial(eli_path_walk *walk) {
  eli_tile_report report;
  const elastica_status status = eli_relax_evaluate(&walk->relaxation, &report);
  if (status == ELASTICA_OK) return 1;
  if (status != ELASTICA_JOINT_TOO_FAR && status != ELASTICA_NOT_FINITE) walk->fatal = eli_relax_fail_hook(&walk->relaxation, &report);
  return 0;
}

/* Takes the stress of the present state for its geometric stiffness. */
static void predict_present(eli_relaxation *relaxation) {
  for (size_t i = 0; i < relaxation->blocks; i++)
    for (size_t a = 0; a < 3; a++) relaxation->predicted[3 * i + a] = relaxation->now.strain[12 * i + 3 + a];
}

int eli_path_evaluate(eli_path_walk *walk) {
  if (!evaluate_trial(walk)) return 0;
  eli_relax_swap_trial(&walk->relaxation);
  predict_present(&walk->relaxation);
  return 1;
}

int eli_path_refer_bodies(eli_path_walk *walk) {
  eli_relaxation *relaxation = &walk->relaxation;
  if (!relaxation->has_bodies) return 1;
  walk->fatal = eli_stiffness_renew_loads(relaxation, &relaxation->stiffness);
  if (walk->fatal != ELASTICA_OK) return 0;
  eli_relax_find_residuals(relaxation);
  return 1;
}

/* ---- Rates with the parameter ---- */

/* Records loads, and positions and frames of prescribed unknowns, at a parameter; sign -1 subtracts and +1 adds. */
static int probe(eli_path_walk *walk, double parameter, double *total) {
  if (eli_path_set(walk, parameter) != ELASTICA_OK || !evaluate_trial(walk)) return 0;
  memcpy(total, walk->relaxation.trial.total, walk->relaxation.size * sizeof *total);
  return 1;
}

/* Writes the displacement and turn from the saved state to the present one of all prescribed unknowns; the others are 0. */
static void find_moved(const eli_path_walk *walk, double *out) {
  const eli_relaxation *relaxation = &walk->relaxation;
  double *const *lane = walk->world->bodies.slab.lane;
  memset(out, 0, (relaxation->size + 1) * sizeof *out);
  for (int r = 0; r < relaxation->rod_count; r++) {
    const elastica_rod *rod = relaxation->rods[r];
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
      const size_t block = 6 * (relaxation->first[r] + i), slot = rod->offset + i;
      const unsigned char *held = relaxation->held + block;
      for (size_t a = 0; a < 3; a++)
        if (held[a]) out[block + a] = lane[ELI_POSITION + a][slot] - relaxation->saved[a][slot];
      if (i == (size_t)rod->element_count || !(held[3] || held[4] || held[5])) continue;
      double now[9], before[9], turned[9];
      for (size_t k = 0; k < 9; k++) now[k] = lane[ELI_DIRECTOR + k][slot], before[k] = relaxation->saved[3 + k][slot];
      eli_relative_rotation(now, before, turned);
      eli_rotation_log(turned, out + block + 3);
    }
  }
}

/* Adds to the sentence of a refused parameter that only the rates asked for it. */
static void tell_probe(const eli_path_walk *walk, double at) {
  char sentence[ELI_MESSAGE_SIZE];
  memcpy(sentence, walk->world->report.message, sizeof sentence);
  (void)elastica_world_refuse(walk->world, walk->fatal, "%s; the rates at %.9g need it: path_def.lower and upper bound the parameter",
                              sentence, at);
}

/* Two parameters beside the present one: on both sides of it, or both on the wider side if a bound is near. */
static void choose_probes(const eli_path_walk *walk, double *first, double *second) {
  const double at = walk->parameter, h = DIFFERENCE * fabs(walk->def->first_step);
  const double below = at - walk->def->lower, above = walk->def->upper - at, half = 0.5 * eli_larger(below, above);
  const double inside = h < half ? h : half;
  *first = at - h;
  *second = at + h;
  if (h <= below && h <= above) return;
  *first = above > below ? at + inside : at - inside;
  *second = above > below ? at + 2.0 * inside : at - 2.0 * inside;
}

/* Differences of second order, central or one-sided. An error of first order would move a motion without stiffness, such as the turn of an
 * arch about the line through its pins, by a long way. */
int eli_path_find_rates(eli_path_walk *walk) {
  eli_relaxation *relaxation = &walk->relaxation;
  const double at = walk->parameter, *const present = relaxation->now.total;
  double first, second;
  choose_probes(walk, &first, &second);
  eli_relax_save(relaxation);
  int known = probe(walk, first, walk->rate);
  if (known) find_moved(walk, relaxation->work);
  eli_relax_restore(relaxation);
  known = known && probe(walk, second, walk->solution);
  if (known) find_moved(walk, walk->moved);
  eli_relax_restore(relaxation);
  if (walk->fatal == ELASTICA_CALLBACK_FAILED && walk->world->report.failure == ELASTICA_OK) tell_probe(walk, at);
  if (walk->fatal != ELASTICA_OK || eli_path_set(walk, at) != ELASTICA_OK || !known) return 0;
  const int is_central = first < at && at < second;
  const double a = first - at, b = second - at;
  for (size_t k = 0; k < relaxation->size; k++) {
    double *rate = &walk->rate[k], *moved = &walk->moved[k];
    if (is_central) {
      *rate = (walk->solution[k] - *rate) / (second - first);
      *moved = (*moved - relaxation->work[k]) / (second - first);
    } else {
      *rate = ((*rate - present[k]) * (b / a) - (walk->solution[k] - present[k]) * (a / b)) / (b - a);
      *moved = (relaxation->work[k] * (b / a) - *moved * (a / b)) / (b - a);
    }
  }
  return 1;
}

/* ---- Steps ---- */

static double largest_displacement(const eli_relaxation *relaxation) {
  double most = 0.0;
  for (size_t i = 0; i < relaxation->blocks; i++) eli_keep_larger(&most, eli_length(relaxation->step + 6 * i));
  return most;
}

/* Moves state and parameter by factor times a direction, with its prescribed unknowns; predicts the stress. */
static int take_step(eli_path_walk *walk, const double *direction, double factor, double parameter) {
  eli_relaxation *relaxation = &walk->relaxation;
  const double change = parameter - walk->parameter;
  for (size_t k = 0; k < relaxation->size; k++) relaxation->step[k] = factor * direction[k] + change * walk->moved[k];
  const double size = eli_relax_extent(relaxation, relaxation->step);
  if (!(size <= LARGEST_TURN)) return 0;
  if (relaxation->touching.limit > 0.0 && largest_displacement(relaxation) > relaxation->touching.limit)
    return 0; /* it might pass through */
  for (int r = 0; r < relaxation->rod_count; r++)
    eli_tangent_predict(relaxation->rods[r], &relaxation->now, relaxation->step + 6 * relaxation->first[r], relaxation->predicted_trial);
  eli_relax_move(relaxation);
  if (eli_path_set(walk, parameter) != ELASTICA_OK || !evaluate_trial(walk)) return 0;
  eli_relax_swap_trial(relaxation);
  for (size_t k = 0; k < relaxation->size; k++) walk->way[k] += relaxation->step[k];
  walk->way[relaxation->size] += change;
  return 1;
}

static double within(const eli_path_walk *walk, double parameter) {
  const double above = eli_larger(parameter, walk->def->lower);
  return above < walk->def->upper ? above : walk->def->upper;
}

int eli_path_move(eli_path_walk *walk, const double *direction, double arc) {
  const double change = arc * direction[walk->relaxation.size], wanted = walk->parameter + change, reached = within(walk, wanted);
  walk->at_bound = reached != wanted;
  return take_step(walk, direction, walk->at_bound ? arc * ((reached - walk->parameter) / change) : arc, reached);
}

void eli_path_fix_parameter(const eli_path_walk *walk, double *row) {
  memset(row, 0, walk->relaxation.size * sizeof *row);
  row[walk->relaxation.size] = 1.0 / sqrt(walk->matrix.weight[walk->relaxation.size]);
}

/* Finds the correction of the present state. */
static int find_correction(eli_path_walk *walk, const double *row) {
  if (!eli_path_find_rates(walk)) return 0;
  walk->fatal = eli_path_matrix_assemble(&walk->matrix);
  if (walk->fatal != ELASTICA_OK) return 0;
  eli_path_matrix_border(&walk->matrix, walk->rate, row);
  return eli_path_matrix_solve(&walk->matrix, walk->relaxation.now.total, 0.0, walk->solution) <= COARSE;
}

int eli_path_correct(eli_path_walk *walk, const double *across) {
  eli_relaxation *relaxation = &walk->relaxation;
  double last = INFINITY, *row = walk->row;
  memcpy(row, across, (relaxation->size + 1) * sizeof *row);
  if (walk->at_bound) eli_path_fix_parameter(walk, row);
  for (walk->iterations = 0; walk->iterations < MOST_ITERATIONS; walk->iterations++) {
    const int balanced = eli_relax_is_balanced(relaxation);
    if (balanced && last <= FINE * walk->unit) return 1;
    if (!find_correction(walk, row)) return balanced && walk->fatal == ELASTICA_OK; /* the rest is rounding */
    const double size = sqrt(eli_path_dot(&walk->matrix, walk->solution, walk->solution)), p = walk->solution[relaxation->size];
    if (balanced && size <= ROUGH * walk->unit && (walk->lenient || size > 0.3 * last)) return 1; /* rounding */
    if (walk->iterations > 0 && size <= walk->rounding && (balanced || last <= FINE * walk->unit)) return 1;
    if (!(size <= LONGER * last)) return 0;
    last = size;
    const double reached = within(walk, walk->parameter + p);
    if (reached != walk->parameter + p) {
      walk->at_bound = 1;
      eli_path_fix_parameter(walk, row);
    }
    if (!take_step(walk, walk->solution, 1.0, reached)) return 0;
    walk->correction = largest_displacement(relaxation);
  }
  return 0;
}

int eli_path_find_tangent(eli_path_walk *walk, const double *row) {
  const size_t size = walk->relaxation.size;
  double *tangent = walk->tangent;
  predict_present(&walk->relaxation);
  if (!eli_path_find_rates(walk)) return 0;
  walk->fatal = eli_path_matrix_assemble(&walk->matrix);
  if (walk->fatal != ELASTICA_OK) return 0;
  memset(walk->solution, 0, (size + 1) * sizeof *walk->solution);
  eli_path_matrix_border(&walk->matrix, walk->rate, row);
  if (!(eli_path_matrix_solve(&walk->matrix, walk->solution, 1.0, tangent) <= ACCURATE)) return 0;
  const double length = sqrt(eli_path_dot(&walk->matrix, tangent, tangent));
  for (size_t k = 0; k <= size; k++) tangent[k] /= length;
  return 1;
}

int eli_path_is_held(const eli_path_walk *walk) {
  const size_t size = walk->relaxation.size;
  double left = 0.0, load = 0.0;
  eli_path_matrix_apply(&walk->matrix, walk->tangent, walk->solution);
  for (size_t k = 0; k < size; k++) {
    const double unit = walk->matrix.weight[k] > 0.0 ? 1.0 / walk->matrix.weight[k] : 0.0, f = walk->tangent[size] * walk->rate[k];
    left += unit * walk->solution[k] * walk->solution[k];
    load += unit * f * f;
  }
  return left <= UNBALANCED * UNBALANCED * load;
}

int eli_path_count_modes(eli_path_walk *walk, eli_path_point *point) {
  eli_relaxation *relaxation = &walk->relaxation;
  predict_present(relaxation);
  walk->fatal = eli_relax_find_stability(relaxation);
  if (walk->fatal != ELASTICA_OK) return 0;
  point->parameter = walk->parameter;
  point->correction = walk->correction;
  point->stable = relaxation->stable;
  point->undecided = relaxation->undecided;
  point->undecided_by = relaxation->stiffness.unsymmetric;
  point->unsymmetric = point->undecided_by != NULL;
  point->unstable_modes = relaxation->unstable_modes;
  point->zero_modes = relaxation->zero_modes;
  return 1;
}
