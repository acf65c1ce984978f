/* Stiffness of reactions, measured at the nodes on which they act: walls give neither their normals nor their stiffness.
 *
 * models     a reaction R on a node that depends on the position of that node. Two kinds:
 *            SPRING      R adds to the other forces on the node
 *            CONSTRAINT  R cancels the other forces on the node along its directions, up to its own spring
 * equation   E = -dR/dx: columns are differences of R while rods move as a whole; the positive part of the symmetric part is used. P
 *            projects on the directions of E. It is a constraint when the total F changes by the spring alone: P dF = -E dx for any dx.
 *            Then the step satisfies E dx = P F at that node instead of the equation of the rod
 * source     active sets as Newton's method: Hintermueller, Ito and Kunisch, SIAM J. Optim. 13 (2002) 865
 * test       tests/test_relax_walls.c
 *
 * The total on a node with a constraint holds nothing but the force of the constraint's spring. The stiffness of the rod does not enter
 * there, and the step must lead the node to where that spring is relaxed. Which nodes are in contact is read from the reactions of each
 * state.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

#include "base/vector.h"

/* Displacement in a difference, over the length of the shortest element; turn [rad]. */
#define DISPLACEMENT 1e-6

/* A reaction whose unit direction has changed by more than DIRECTION_CHANGE is measured again. Below these shares a number counts as 0:
 * ROUNDING, of a difference of forces; SOFT, an eigenvalue of E, of the largest; REMAINDER, a force, of the reaction. */
#define DIRECTION_CHANGE 0.1
#define ROUNDING 1e-3
#define SOFT 1e-6
#define REMAINDER 1e-9

/* Stiffness that stands for a constraint in the matrix, over the axial stiffness of its element. */
#define RIGID 1e4

/* Of eli_reaction. UNKNOWN is 0. */
enum { UNKNOWN, SPRING, CONSTRAINT };

/* The reaction on the node of a block. Returns 0 when there is none. */
static int reaction_on(const eli_statics *statics, size_t block, double reaction[3]) {
  for (size_t a = 0; a < 3; a++) reaction[a] = statics->external[6 * block + a] - statics->loads[6 * block + a];
  return reaction[0] != 0.0 || reaction[1] != 0.0 || reaction[2] != 0.0;
}

/* 1 when a reaction acts on a node that is not held; its unit direction. */
static int reacts(const eli_relaxation *relaxation, size_t block, double direction[3]) {
  const unsigned char *held = relaxation->held + 6 * block;
  if ((held[0] && held[1] && held[2]) || !reaction_on(&relaxation->now, block, direction)) return 0;
  const double size = eli_length(direction);
  for (size_t a = 0; a < 3; a++) direction[a] /= size;
  return 1;
}

static void multiply(const double m[9], const double x[3], double y[3]) {
  for (size_t a = 0; a < 3; a++) y[a] = eli_dot(m + 3 * a, x);
}

/* 1 while the measured reaction still describes the present one. A constraint without a spring in some direction must leave no force there;
 * when it does, a spring acts there and must be measured. */
static int is_known(const eli_relaxation *relaxation, size_t block, const double direction[3]) {
  const eli_reaction *model = &relaxation->reactions[block];
  const double *force = relaxation->now.total + 6 * block;
  double change[3], reaction[3], displacement[3], spring[3], remainder[3];
  for (size_t a = 0; a < 3; a++) change[a] = direction[a] - model->direction[a];
  if (model->kind == UNKNOWN || eli_length(change) > DIRECTION_CHANGE) return 0;
  if (model->kind == SPRING) return 1;
  (void)reaction_on(&relaxation->now, block, reaction);
  multiply(model->compliance, force, displacement);
  multiply(model->stiffness, displacement, spring);
  multiply(model->projector, force, remainder);
  for (size_t a = 0; a < 3; a++) remainder[a] -= spring[a];
  return eli_length(remainder) <= REMAINDER * eli_length(reaction);
}

/* ---- Differences ---- */

static double shortest_element(const eli_relaxation *relaxation) {
  double least = 0.0;
  for (int r = 0; r < relaxation->world->rod_count; r++)
    for (size_t j = 0; j < (size_t)relaxation->world->rods[r]->element_count; j++) {
      const double l = relaxation->world->slab.lane[ELI_REST_LENGTH][relaxation->world->rods[r]->offset + j];
      if (least == 0.0 || l < least) least = l;
    }
  return least;
}

/* Loads of the state displaced by x, into probe. Leaves the present state as it is. */
static elastica_status evaluate_at(eli_relaxation *relaxation, const double *x) {
  eli_tile_report report;
  double *const step = relaxation->step;
  relaxation->step = relaxation->displacement;
  memcpy(relaxation->step, x, relaxation->size * sizeof *x);
  eli_relax_swap_saved(relaxation);
  eli_relax_save(relaxation);
  eli_relax_move(relaxation);
  relaxation->evaluations++;
  const elastica_status status = eli_world_statics(relaxation->world, &relaxation->probe, &report);
  eli_relax_restore(relaxation);
  eli_relax_swap_saved(relaxation);
  relaxation->step = step;
  if (status == ELASTICA_JOINT_TOO_FAR && report.effect == NULL) return status;
  return status == ELASTICA_OK ? status : eli_world_fail_hook(relaxation->world, &report, eli_world_now(relaxation->world));
}

/* Displacements x that move each rod as a whole along an axis, further into contact. */
static void translate_into_contact(const eli_relaxation *relaxation, size_t a, double size, double *x) {
  memset(x, 0, relaxation->size * sizeof *x);
  for (int r = 0; r < relaxation->world->rod_count; r++) {
    const size_t first = relaxation->first[r], end = first + relaxation->tangents[r].blocks;
    double sum = 0.0, reaction[3];
    for (size_t i = first; i < end; i++)
      if (reaction_on(&relaxation->now, i, reaction)) sum += reaction[a];
    for (size_t i = first; i < end; i++) x[6 * i + a] = sum > 0.0 ? -size : size;
  }
}

static elastica_status measure_column(eli_relaxation *relaxation, size_t a, double size) {
  double *x = relaxation->work, now[3], then[3];
  translate_into_contact(relaxation, a, size, x);
  const elastica_status status = evaluate_at(relaxation, x);
  if (status != ELASTICA_OK) return status;
  for (size_t i = 0; i < relaxation->blocks; i++) {
    eli_reaction *model = &relaxation->reactions[i];
    const int stays = reaction_on(&relaxation->now, i, now) && reaction_on(&relaxation->probe, i, then);
    for (size_t b = 0; b < 3 && model->kind == UNKNOWN; b++) model->stiffness[3 * b + a] = stays ? (now[b] - then[b]) / x[6 * i + a] : 0.0;
  }
  return ELASTICA_OK;
}

/* ---- Springs and constraints ---- */

/* One Jacobi rotation: makes entry (p, q) of m 0 and applies the same rotation to the columns of v. */
static void rotate(double m[9], double v[9], size_t p, size_t q) {
  if (m[3 * p + q] == 0.0) return;
  const double half = 0.5 * (m[3 * q + q] - m[3 * p + p]) / m[3 * p + q], root = sqrt(1.0 + half * half);
  const double t = half < 0.0 ? 1.0 / (half - root) : 1.0 / (half + root), c = 1.0 / sqrt(1.0 + t * t), s = t * c;
  for (size_t i = 0; i < 3; i++) {
    const double x = m[3 * i + p], y = m[3 * i + q], vx = v[3 * i + p], vy = v[3 * i + q];
    m[3 * i + p] = c * x - s * y, m[3 * i + q] = s * x + c * y;
    v[3 * i + p] = c * vx - s * vy, v[3 * i + q] = s * vx + c * vy;
  }
  for (size_t i = 0; i < 3; i++) {
    const double x = m[3 * p + i], y = m[3 * q + i];
    m[3 * p + i] = c * x - s * y, m[3 * q + i] = s * x + c * y;
  }
}

/* Replaces the measured stiffness by the positive part of its symmetric part; sets its projector and its inverse there. */
static void find_spring(eli_reaction *model) {
  double m[9], v[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, most = 0.0;
  for (size_t k = 0; k < 9; k++) m[k] = 0.5 * (model->stiffness[k] + model->stiffness[3 * (k % 3) + k / 3]);
  for (int sweep = 0; sweep < 12; sweep++) rotate(m, v, 0, 1), rotate(m, v, 0, 2), rotate(m, v, 1, 2);
  for (size_t p = 0; p < 3; p++) most = eli_larger(most, m[4 * p]);
  memset(model->stiffness, 0, sizeof model->stiffness);
  memset(model->projector, 0, sizeof model->projector);
  memset(model->compliance, 0, sizeof model->compliance);
  for (size_t p = 0; p < 3; p++) {
    if (!(m[4 * p] > SOFT * most)) continue;
    for (size_t k = 0; k < 9; k++) {
      const double outer = v[3 * (k / 3) + p] * v[3 * (k % 3) + p];
      model->stiffness[k] += m[4 * p] * outer;
      model->projector[k] += outer;
      model->compliance[k] += outer / m[4 * p];
    }
  }
  model->kind = SPRING;
}

/* 1 when, in the directions of the projector m, the total changed by the spring alone, although the other forces on the node changed.
 * change, other_change: of the total, and of the total without the reaction; spring = E dx. */
static int acts_as_constraint(const double m[9], const double change[3], const double other_change[3], const double spring[3]) {
  double unexplained[3], compensated[3];
  const double sum[3] = {change[0] + spring[0], change[1] + spring[1], change[2] + spring[2]};
  multiply(m, sum, unexplained);
  multiply(m, other_change, compensated);
  return eli_length(unexplained) <= ROUNDING * (eli_length(compensated) + eli_length(spring));
}

/* Finds out, from the changes along a displacement x of everything, whether the reaction is a constraint. It may also constrain the part of
 * its own direction along which it has no spring. */
static void find_constraint(const eli_relaxation *relaxation, size_t block, const double *x) {
  eli_reaction *model = &relaxation->reactions[block];
  double now[3], then[3], change[3], spring[3], other_change[3], rest[3], outer[9];
  if (!reaction_on(&relaxation->probe, block, then)) return;
  (void)reaction_on(&relaxation->now, block, now);
  multiply(model->stiffness, x + 6 * block, spring);
  multiply(model->projector, model->direction, rest);
  for (size_t a = 0; a < 3; a++) {
    change[a] = relaxation->probe.total[6 * block + a] - relaxation->now.total[6 * block + a];
    other_change[a] = change[a] - (then[a] - now[a]);
    rest[a] = model->direction[a] - rest[a];
  }
  const double size = eli_length(rest);
  if (!acts_as_constraint(model->projector, change, other_change, spring)) return;
  model->kind = CONSTRAINT;
  if (!(size > DIRECTION_CHANGE)) return;
  for (size_t k = 0; k < 9; k++) outer[k] = (rest[k / 3] / size) * (rest[k % 3] / size);
  for (size_t k = 0; k < 9 && acts_as_constraint(outer, change, other_change, spring); k++) model->projector[k] += outer[k];
}

static elastica_status measure(eli_relaxation *relaxation) {
  const double size = DISPLACEMENT * shortest_element(relaxation);
  double *x = relaxation->work;
  for (size_t a = 0; a < 3; a++) {
    const elastica_status status = measure_column(relaxation, a, size);
    if (status != ELASTICA_OK) return status;
  }
  for (size_t i = 0; i < relaxation->size; i++) x[i] = relaxation->held[i] ? 0.0 : eli_relax_noise(i) * (i % 6 < 3 ? size : DISPLACEMENT);
  const elastica_status status = evaluate_at(relaxation, x);
  if (status != ELASTICA_OK) return status;
  for (size_t i = 0; i < relaxation->blocks; i++) {
    eli_reaction *model = &relaxation->reactions[i];
    double direction[3];
    if (model->kind != UNKNOWN || !reacts(relaxation, i, direction)) continue;
    memcpy(model->direction, direction, sizeof direction);
    find_spring(model);
    find_constraint(relaxation, i, x);
  }
  return ELASTICA_OK;
}

/* ---- In the matrix ---- */

int eli_relax_has_reactions(const eli_relaxation *relaxation) {
  for (size_t i = 0; i < relaxation->size; i++)
    if (relaxation->now.external[i] != relaxation->now.loads[i]) return 1;
  return 0;
}

int eli_relax_has_reaction_hooks(const eli_relaxation *relaxation) {
  return relaxation->world->hooks[ELI_ADD_REACTIONS].first[relaxation->world->rod_count] > 0;
}

elastica_status eli_relax_measure_reactions(eli_relaxation *relaxation) {
  int unknown = 0;
  double direction[3];
  if (!eli_relax_has_reaction_hooks(relaxation)) return ELASTICA_OK;
  for (size_t i = 0; i < relaxation->blocks; i++) {
    if (!reacts(relaxation, i, direction) || is_known(relaxation, i, direction)) continue;
    relaxation->reactions[i].kind = UNKNOWN;
    unknown = 1;
  }
  return unknown ? measure(relaxation) : ELASTICA_OK;
}

/* Stiffness that stands for a constraint in the matrix [N/m]. */
static double rigid_stiffness(const elastica_rod *rod, size_t i) {
  double *const *lane = rod->world->slab.lane;
  const size_t slot = rod->offset + (i < (size_t)rod->element_count ? i : i - 1);
  double stiff = 0.0;
  for (size_t a = 0; a < 3; a++) eli_keep_larger(&stiff, fabs(lane[ELI_SHEAR_STIFFNESS + a][slot]));
  return RIGID * stiff / lane[ELI_REST_LENGTH][slot];
}

void eli_relax_assemble_reactions(const eli_relaxation *relaxation, int r) {
  const eli_tangent *tangent = &relaxation->tangents[r];
  for (size_t i = 0; i < tangent->blocks; i++) {
    const size_t block = relaxation->first[r] + i;
    const eli_reaction *model = &relaxation->reactions[block];
    double direction[3];
    const int there = reacts(relaxation, block, direction) && model->kind != UNKNOWN, own = there && model->kind == SPRING;
    for (size_t k = 0; k < 9; k++)
      tangent->reactions[9 * i + k] = own ? model->stiffness[k] : there ? rigid_stiffness(tangent->rod, i) * model->projector[k] : 0.0;
  }
}

/* Right-hand sides of constraints: E dx = P F, scaled by their stiffness in the matrix. */
const double *eli_relax_adjust_force(const eli_relaxation *relaxation, const double *force, double *adjusted) {
  double direction[3];
  if (!eli_relax_has_reaction_hooks(relaxation)) return force;
  memcpy(adjusted, force, relaxation->size * sizeof *force);
  for (int r = 0; r < relaxation->world->rod_count; r++)
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++) {
      const size_t block = relaxation->first[r] + i;
      const eli_reaction *model = &relaxation->reactions[block];
      if (model->kind != CONSTRAINT || !reacts(relaxation, block, direction)) continue;
      double displacement[3], constrained[3];
      multiply(model->compliance, force + 6 * block, displacement);
      multiply(model->projector, force + 6 * block, constrained);
      for (size_t a = 0; a < 3; a++)
        adjusted[6 * block + a] += rigid_stiffness(relaxation->world->rods[r], i) * displacement[a] - constrained[a];
    }
  return adjusted;
}

/* A reaction that appeared or vanished is no stiffness. A known spring explains E dx, a constraint everything along its directions. */
void eli_relax_subtract_known_reactions(const eli_relaxation *relaxation, const double *step, double *rise) {
  if (!eli_relax_has_reaction_hooks(relaxation)) return;
  for (size_t i = 0; i < relaxation->blocks; i++) {
    const eli_reaction *model = &relaxation->reactions[i];
    double now[3], then[3], known[3];
    const int was = reaction_on(&relaxation->now, i, now), is = reaction_on(&relaxation->trial, i, then);
    if (!was && !is) continue;
    if (was != is) {
      for (size_t a = 0; a < 3; a++) rise[6 * i + a] -= now[a] - then[a];
    } else if (model->kind != UNKNOWN) {
      multiply(model->kind == SPRING ? model->stiffness : model->projector, model->kind == SPRING ? step + 6 * i : rise + 6 * i, known);
      for (size_t a = 0; a < 3; a++) rise[6 * i + a] -= known[a];
    }
    for (size_t a = 0; a < 3; a++)
      if (relaxation->held[6 * i + a]) rise[6 * i + a] = 0.0;
  }
}

int eli_relax_has_new_contact(const eli_relaxation *relaxation) {
  double reaction[3];
  for (size_t i = 0; i < relaxation->blocks; i++)
    if (reaction_on(&relaxation->now, i, reaction) && !reaction_on(&relaxation->trial, i, reaction)) return 1;
  return 0;
}
