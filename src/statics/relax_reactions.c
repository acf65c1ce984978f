/* Stiffness of reactions, measured at the nodes on which they act: walls give neither their normals nor their stiffness.
 *
 * models     a reaction R on a node that depends on the position of that node, and may cancel other forces on it along its directions: all
 *            of them (CONSTRAINT), none (SPRING), or all but a share q, as of a wall that supports a node by one of its two elements
 * equation   E = -dR/dx: columns are differences of R for rods displaced as a whole; the positive part of the symmetric part is used. P
 *            projects on the directions of E. Along these the total F changes by P dF = q P dF_other - E dx for any dx. So the step
 *            satisfies E/q dx = P F/q there, together with the equation of the rod, or for q = 0 E dx = P F instead of it
 * source     active sets as Newton's method: Hintermueller, Ito and Kunisch, SIAM J. Optim. 13 (2002) 865
 * test       tests/test_relax_walls.c, tests/test_relax_contact.c
 *
 * The total on a node with a constraint contains nothing but the force of the spring of the constraint. The stiffness of the rod does not
 * enter there, and the step must lead the node to the position with zero spring force. The nodes in contact are read from the reactions of
 * each state.
 *
 * With friction the total along the normal is still that of the spring alone. There the directions are found from -dF/dx.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

#include "base/vector.h"

/* Displacement in a difference, over the length of the shortest element; turn [rad]. */
#define DISPLACEMENT 1e-6

/* A reaction is measured again after its unit direction has changed by more than DIRECTION_CHANGE. Below these shares a number counts as 0:
 * DIFFERENCE_ERROR, of a difference of forces; REMAINDER, a force, of the reaction. */
#define DIRECTION_CHANGE 0.1
#define DIFFERENCE_ERROR 1e-3
#define REMAINDER 1e-9

/* A larger share of the other forces left by a reaction is taken as 1: steps find it without help. A wall on elements has reactions that
 * depend on other nodes too, and has such a small share only by chance. */
#define LARGEST_SHARE 0.1

/* Stiffness of a constraint in the matrix, over the axial stiffness of its element. */
#define RIGID 1e4

/* Stiffness of a node in contact against displacements across the directions of its reaction, over the reaction per length of the rod. A
 * rod on a wall has no stiffness of its own along it, and the rounding error of friction would move it anywhere. Steps along the wall
 * become shorter by this stiffness; their limit does not change. */
#define SLIDING 1e-2

/* Kinds of eli_reaction. UNKNOWN is 0. PARTIAL: a spring with a share that must still be confirmed. */
enum { UNKNOWN, PARTIAL, SPRING, CONSTRAINT };

/* Computes the reaction on the node of a block. Returns 0 if there is none. */
static int reaction_on(const eli_statics *statics, size_t block, double reaction[3]) {
  for (size_t a = 0; a < 3; a++) reaction[a] = statics->external[6 * block + a] - statics->loads[6 * block + a];
  return reaction[0] != 0.0 || reaction[1] != 0.0 || reaction[2] != 0.0;
}

/* Returns 1 if a reaction acts on a node that is not prescribed; its unit direction. */
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

/* Returns 1 while the measured reaction still describes the present one. A constraint without a spring in some direction must leave no
 * force there; a remaining force means that a spring acts there and must be measured. */
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
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t j = 0; j < (size_t)relaxation->rods[r]->element_count; j++) {
      const double l = relaxation->world->bodies.slab.lane[ELI_REST_LENGTH][relaxation->rods[r]->offset + j];
      if (least == 0.0 || l < least) least = l;
    }
  return least;
}

/* Computes the loads of the state displaced by x, into probe. Leaves the present state unchanged. */
static elastica_status evaluate_at(eli_relaxation *relaxation, const double *x) {
  eli_tile_report report;
  double *const step = relaxation->step;
  relaxation->step = relaxation->displacement;
  memcpy(relaxation->step, x, relaxation->size * sizeof *x);
  eli_relax_swap_saved(relaxation);
  eli_relax_save(relaxation);
  eli_relax_move(relaxation);
  relaxation->evaluations++;
  const elastica_status status = eli_world_statics(relaxation->world, 1, &relaxation->probe, &report);
  eli_relax_restore(relaxation);
  eli_relax_swap_saved(relaxation);
  relaxation->step = step;
  if (status == ELASTICA_JOINT_TOO_FAR && report.effect == NULL) return status;
  return status == ELASTICA_OK ? status : eli_relax_fail_hook(relaxation, &report);
}

/* Makes displacements x that move each rod as a whole along an axis, further into contact. */
static void translate_into_contact(const eli_relaxation *relaxation, size_t a, double size, double *x) {
  memset(x, 0, relaxation->size * sizeof *x);
  for (int r = 0; r < relaxation->rod_count; r++) {
    const size_t first = relaxation->first[r], end = first + eli_relax_blocks(relaxation, r);
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
    for (size_t b = 0; b < 3 && model->kind == UNKNOWN; b++) {
      const double rise = relaxation->now.total[6 * i + b] - relaxation->probe.total[6 * i + b];
      model->of_reaction[3 * b + a] = stays ? (now[b] - then[b]) / x[6 * i + a] : 0.0;
      model->of_total[3 * b + a] = stays ? rise / x[6 * i + a] : 0.0;
    }
  }
  return ELASTICA_OK;
}

/* ---- Directions ---- */

/* A stiffness below these shares of the largest counts as 0. With singular vectors, e contains forces of the rod. */
#define SOFT 1e-6
#define SOFT_TOTAL 1e-3

/* Does one Jacobi rotation: makes entry (p, q) of m 0 and applies the same rotation to the columns of v. */
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

/* Sets stiffness, projector and compliance from a measured matrix e [N/m]: sum s v v^T over the eigenvectors v of its symmetric part or,
 * singular 1, its right singular vectors, with s = v . e v > 0. Sliding friction grows with the pressure: then a reaction is not parallel
 * to the displacement that changes it, the eigenvectors lie between the two, and the singular vectors are those displacements. */
static void find_directions(eli_reaction *model, const double e[9], int singular) {
  double m[9], v[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, along[3] = {0.0, 0.0, 0.0}, most = 0.0;
  for (size_t k = 0; k < 9; k++)
    m[k] =
        singular ? e[k / 3] * e[k % 3] + e[3 + k / 3] * e[3 + k % 3] + e[6 + k / 3] * e[6 + k % 3] : 0.5 * (e[k] + e[3 * (k % 3) + k / 3]);
  for (int sweep = 0; sweep < 12; sweep++) rotate(m, v, 0, 1), rotate(m, v, 0, 2), rotate(m, v, 1, 2);
  for (size_t p = 0; p < 3; p++) {
    for (size_t k = 0; k < 9; k++) along[p] += v[3 * (k / 3) + p] * e[k] * v[3 * (k % 3) + p];
    most = eli_larger(most, singular ? sqrt(eli_larger(m[4 * p], 0.0)) : m[4 * p]);
  }
  memset(model->stiffness, 0, sizeof model->stiffness);
  memset(model->projector, 0, sizeof model->projector);
  memset(model->compliance, 0, sizeof model->compliance);
  for (size_t p = 0; p < 3; p++) {
    if (!(along[p] > (singular ? SOFT_TOTAL : SOFT) * most)) continue;
    for (size_t k = 0; k < 9; k++) {
      const double outer = v[3 * (k / 3) + p] * v[3 * (k % 3) + p];
      model->stiffness[k] += along[p] * outer;
      model->projector[k] += outer;
      model->compliance[k] += outer / along[p];
    }
  }
}

/* ---- Springs and constraints ---- */

/* Changes of the forces on a node under a displacement of all unknowns. */
typedef struct change {
  double total[3], other[3]; /* changes of the total, and of the total without the reaction */
  double spring[3];          /* E dx */
} change;

/* Returns 0 if the reaction vanishes. */
static int find_change(const eli_relaxation *relaxation, size_t block, const double *x, change *out) {
  double now[3], then[3];
  if (!reaction_on(&relaxation->probe, block, then)) return 0;
  (void)reaction_on(&relaxation->now, block, now);
  multiply(relaxation->reactions[block].stiffness, x + 6 * block, out->spring);
  for (size_t a = 0; a < 3; a++) {
    out->total[a] = relaxation->probe.total[6 * block + a] - relaxation->now.total[6 * block + a];
    out->other[a] = out->total[a] - (then[a] - now[a]);
  }
  return 1;
}

/* Computes, along the directions of the projector m, the change of the total that the spring does not explain, and the change of the other
 * forces. */
static void find_remainder(const double m[9], const change *seen, double remainder[3], double other[3]) {
  const double sum[3] = {seen->total[0] + seen->spring[0], seen->total[1] + seen->spring[1], seen->total[2] + seen->spring[2]};
  multiply(m, sum, remainder);
  multiply(m, seen->other, other);
}

/* Returns 1 if, along m, the total changed by the spring alone, although the other forces changed. */
static int acts_as_constraint(const double m[9], const change *seen) {
  double remainder[3], other[3];
  find_remainder(m, seen, remainder, other);
  return eli_length(remainder) <= DIFFERENCE_ERROR * (eli_length(other) + eli_length(seen->spring));
}

/* Returns the share of the other forces that the reaction leaves in the total; 1 if that share is not small. */
static double share_left(const double m[9], const change *seen) {
  double remainder[3], other[3];
  find_remainder(m, seen, remainder, other);
  const double share = eli_dot(remainder, other) / eli_dot(other, other);
  for (size_t a = 0; a < 3; a++) remainder[a] -= share * other[a];
  return share > 0.0 && share < LARGEST_SHARE && eli_length(remainder) <= DIFFERENCE_ERROR * eli_length(other) ? share : 1.0;
}

/* Extends a constraint to the part of its own direction without a spring, if it acts as a constraint there. */
static void extend_constraint(eli_reaction *model, const change *seen) {
  double rest[3], outer[9];
  multiply(model->projector, model->direction, rest);
  for (size_t a = 0; a < 3; a++) rest[a] = model->direction[a] - rest[a];
  const double size = eli_length(rest);
  if (!(size > DIRECTION_CHANGE)) return;
  for (size_t k = 0; k < 9; k++) outer[k] = (rest[k / 3] / size) * (rest[k % 3] / size);
  for (size_t k = 0; k < 9 && acts_as_constraint(outer, seen); k++) model->projector[k] += outer[k];
}

/* Finds the kind of a reaction from the changes along a displacement x of all unknowns. */
static void find_kind(const eli_relaxation *relaxation, size_t block, const double *x) {
  eli_reaction *model = &relaxation->reactions[block];
  change seen;
  for (int singular = 0; singular < 2; singular++) {
    find_directions(model, singular ? model->of_total : model->of_reaction, singular);
    if (!find_change(relaxation, block, x, &seen) || !acts_as_constraint(model->projector, &seen)) continue;
    model->kind = CONSTRAINT;
    model->through = 0.0;
    extend_constraint(model, &seen);
    return;
  }
  find_directions(model, model->of_reaction, 0);
  model->through = find_change(relaxation, block, x, &seen) ? share_left(model->projector, &seen) : 1.0;
  model->kind = model->through < 1.0 ? PARTIAL : SPRING;
}

/* Confirms a share by a second displacement: a share that depends on the displacement is replaced by 1. */
static void confirm_share(const eli_relaxation *relaxation, size_t block, const double *x) {
  eli_reaction *model = &relaxation->reactions[block];
  change seen;
  const double share = find_change(relaxation, block, x, &seen) ? share_left(model->projector, &seen) : 1.0;
  if (!(fabs(share - model->through) <= DIFFERENCE_ERROR)) model->through = 1.0;
  model->kind = SPRING;
}

/* Makes a displacement of all unknowns without pattern, and moves nodes in contact further into it: outside, there may be no spring. */
static void displace(const eli_relaxation *relaxation, size_t pass, double size, double *x) {
  for (size_t i = 0; i < relaxation->size; i++)
    x[i] = relaxation->held[i] ? 0.0 : eli_relax_noise(pass * relaxation->size + i) * (i % 6 < 3 ? size : DISPLACEMENT);
  for (size_t i = 0; i < relaxation->blocks; i++) {
    double direction[3], fall[3];
    if (!reacts(relaxation, i, direction)) continue;
    multiply(relaxation->reactions[i].of_reaction, x + 6 * i, fall);
    for (size_t a = 0; a < 3 && eli_dot(fall, direction) > 0.0; a++) x[6 * i + a] = -x[6 * i + a];
  }
}

/* Determines all reactions of the given kind. Returns the number of those that became PARTIAL in *partial. */
static elastica_status measure_kinds(eli_relaxation *relaxation, int kind, double size, int *partial) {
  double *x = relaxation->work, direction[3];
  displace(relaxation, kind == PARTIAL, size, x);
  const elastica_status status = evaluate_at(relaxation, x);
  *partial = 0;
  for (size_t i = 0; i < relaxation->blocks && status == ELASTICA_OK; i++) {
    eli_reaction *model = &relaxation->reactions[i];
    if (model->kind != kind || !reacts(relaxation, i, direction)) continue;
    memcpy(model->direction, direction, sizeof direction);
    if (kind == PARTIAL)
      confirm_share(relaxation, i, x);
    else
      find_kind(relaxation, i, x);
    *partial += model->kind == PARTIAL;
  }
  return status;
}

static elastica_status measure(eli_relaxation *relaxation) {
  const double size = DISPLACEMENT * shortest_element(relaxation);
  int partial = 0;
  elastica_status status = ELASTICA_OK;
  for (size_t a = 0; a < 3 && status == ELASTICA_OK; a++) status = measure_column(relaxation, a, size);
  if (status == ELASTICA_OK) status = measure_kinds(relaxation, UNKNOWN, size, &partial);
  if (status == ELASTICA_OK && partial > 0) status = measure_kinds(relaxation, PARTIAL, size, &partial);
  return status;
}

/* ---- In the matrix ---- */

int eli_relax_has_reactions(const eli_relaxation *relaxation) {
  for (size_t i = 0; i < relaxation->size; i++)
    if (relaxation->now.external[i] != relaxation->now.loads[i]) return 1;
  return 0;
}

int eli_relax_has_reaction_hooks(const eli_relaxation *relaxation) {
  return relaxation->supported;
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

/* Returns the stiffness of a constraint in the matrix [N/m]. */
static double rigid_stiffness(const elastica_rod *rod, size_t i) {
  double *const *lane = rod->world->bodies.slab.lane;
  const size_t slot = rod->offset + (i < (size_t)rod->element_count ? i : i - 1);
  double stiff = 0.0;
  for (size_t a = 0; a < 3; a++) eli_keep_larger(&stiff, fabs(lane[ELI_SHEAR_STIFFNESS + a][slot]));
  return RIGID * stiff / lane[ELI_REST_LENGTH][slot];
}

void eli_relax_add_reactions(const eli_relaxation *relaxation, eli_factor *factor) {
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
      const size_t block = relaxation->first[r] + i;
      const eli_reaction *model = &relaxation->reactions[block];
      double m[9], direction[3], reaction[3];
      if (!reacts(relaxation, block, direction) || model->kind == UNKNOWN) continue;
      (void)reaction_on(&relaxation->now, block, reaction);
      const double sliding = SLIDING * eli_length(reaction) / relaxation->origin[r].length, rigid = rigid_stiffness(relaxation->rods[r], i);
      for (size_t k = 0; k < 9; k++) {
        m[k] = model->kind == SPRING ? model->stiffness[k] / model->through : rigid * model->projector[k];
        m[k] += sliding * ((k % 4 == 0 ? 1.0 : 0.0) - model->projector[k]);
      }
      eli_factor_add(factor, block, ELI_FACTOR_NODE, block, ELI_FACTOR_NODE, m, 0);
    }
}

/* Fills right-hand sides. Constraints: E dx = P F, scaled by their stiffness in the matrix. Springs: P F/q. */
const double *eli_relax_adjust_force(const eli_relaxation *relaxation, const double *force, double *adjusted) {
  double direction[3];
  if (!eli_relax_has_reaction_hooks(relaxation)) return force;
  memcpy(adjusted, force, relaxation->size * sizeof *force);
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
      const size_t block = relaxation->first[r] + i;
      const eli_reaction *model = &relaxation->reactions[block];
      if (model->kind == UNKNOWN || !reacts(relaxation, block, direction)) continue;
      double displacement[3], along[3];
      multiply(model->compliance, force + 6 * block, displacement);
      multiply(model->projector, force + 6 * block, along);
      for (size_t a = 0; a < 3; a++)
        adjusted[6 * block + a] += model->kind == SPRING ? (1.0 / model->through - 1.0) * along[a]
                                                         : rigid_stiffness(relaxation->rods[r], i) * displacement[a] - along[a];
    }
  return adjusted;
}

/* A reaction that appeared or vanished is no stiffness. A known spring that leaves the other forces unchanged explains E dx; any other
 * reaction explains everything along its directions. */
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
      const int alone = model->kind == SPRING && model->through == 1.0;
      multiply(alone ? model->stiffness : model->projector, alone ? step + 6 * i : rise + 6 * i, known);
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
