/* What reactions push back with, measured where they act: walls tell neither their normals nor their springs.
 *
 * models     a node that leans on a reaction R, which answers to the node's own place by E, and may balance what else acts on the node
 * equation   columns of E are differences of R as rods move as a whole; what is positive in its symmetric part holds. P is the projector on where
 *            it acts. Where the total F answers to nothing but E, P dF = -E dx for any dx, the node goes to E dx = P F
 * source     active sets as Newton's method: Hintermueller, Ito and Kunisch, SIAM J. Optim. 13 (2002) 865
 * test       tests/test_relax_walls.c
 *
 * A reaction that balances leaves nothing of a node's total but its own spring: the stiffness of the rod says nothing about such a node, and the
 * step must lead it to where the spring is at rest. Who leans is told anew in every state, by the reactions themselves.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

#include "base/vector.h"

/* Displacements in a difference, of the shortest element. */
#define DIFFERENCE 1e-6

/* Change of direction after which a reaction is measured again; shares that are rounding: of a difference, of the
 * largest spring, of a reaction. */
#define TURNED 0.1
#define ROUNDING 1e-3
#define SOFT 1e-6
#define LEFT_OVER 1e-9

/* How much stiffer than its rod a reaction that balances stands in the matrix. */
#define RIGID 1e4

/* UNKNOWN: not measured; SPRING: added to the rod; BALANCE: it alone rules where it acts. */
enum { UNKNOWN, SPRING, BALANCE };

/* The reaction on a node; 0 when there is none. */
static int reaction_on(const eli_statics *statics, size_t block, double reaction[3]) {
  for (size_t a = 0; a < 3; a++) reaction[a] = statics->external[6 * block + a] - statics->loads[6 * block + a];
  return reaction[0] != 0.0 || reaction[1] != 0.0 || reaction[2] != 0.0;
}

static int leans(const eli_relaxation *relaxation, size_t block, double direction[3]) {
  const unsigned char *held = relaxation->held + 6 * block;
  if ((held[0] && held[1] && held[2]) || !reaction_on(&relaxation->now, block, direction)) return 0;
  const double size = eli_length(direction);
  for (size_t a = 0; a < 3; a++) direction[a] /= size;
  return 1;
}

static void multiply(const double m[9], const double x[3], double y[3]) {
  for (size_t a = 0; a < 3; a++) y[a] = eli_dot(m + 3 * a, x);
}

/* Where a reaction balances without a spring, nothing may be left over: it has come to where there is one. */
static int is_known(const eli_relaxation *relaxation, size_t block, const double direction[3]) {
  const eli_grip *grip = &relaxation->grips[block];
  const double *force = relaxation->now.total + 6 * block;
  double change[3], reaction[3], way[3], borne[3], held[3];
  for (size_t a = 0; a < 3; a++) change[a] = direction[a] - grip->direction[a];
  if (grip->kind == UNKNOWN || eli_length(change) > TURNED) return 0;
  if (grip->kind == SPRING) return 1;
  (void)reaction_on(&relaxation->now, block, reaction);
  multiply(grip->compliance, force, way);
  multiply(grip->stiffness, way, borne);
  multiply(grip->projector, force, held);
  for (size_t a = 0; a < 3; a++) held[a] -= borne[a];
  return eli_length(held) <= LEFT_OVER * eli_length(reaction);
}

/* ---- Differences ---- */

static double shortest(const eli_relaxation *relaxation) {
  double least = 0.0;
  for (int r = 0; r < relaxation->world->rod_count; r++)
    for (size_t j = 0; j < (size_t)relaxation->world->rods[r]->element_count; j++) {
      const double l = relaxation->world->slab.lane[ELI_REST_LENGTH][relaxation->world->rods[r]->offset + j];
      if (least == 0.0 || l < least) least = l;
    }
  return least;
}

/* Loads of the state that lies x away; the present one is put back. */
static elastica_status look(eli_relaxation *relaxation, const double *x) {
  eli_tile_report report;
  double *const step = relaxation->step;
  relaxation->step = relaxation->aside;
  memcpy(relaxation->step, x, relaxation->size * sizeof *x);
  eli_relax_swap_saved(relaxation);
  eli_relax_save(relaxation);
  eli_relax_move(relaxation);
  relaxation->evaluations++;
  const elastica_status status = eli_world_statics(relaxation->world, &relaxation->probed, &report);
  eli_relax_restore(relaxation);
  eli_relax_swap_saved(relaxation);
  relaxation->step = step;
  if (status == ELASTICA_JOINT_TOO_FAR && report.effect == NULL) return status;
  return status == ELASTICA_OK ? status : eli_world_fail_hook(relaxation->world, &report, eli_world_now(relaxation->world));
}

/* Every rod as a whole along an axis, further into what it leans on. */
static void push_in(const eli_relaxation *relaxation, size_t a, double size, double *x) {
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
  double *x = relaxation->other, now[3], then[3];
  push_in(relaxation, a, size, x);
  const elastica_status status = look(relaxation, x);
  if (status != ELASTICA_OK) return status;
  for (size_t i = 0; i < relaxation->blocks; i++) {
    eli_grip *grip = &relaxation->grips[i];
    const int stays = reaction_on(&relaxation->now, i, now) && reaction_on(&relaxation->probed, i, then);
    for (size_t b = 0; b < 3 && grip->kind == UNKNOWN; b++) grip->stiffness[3 * b + a] = stays ? (now[b] - then[b]) / x[6 * i + a] : 0.0;
  }
  return ELASTICA_OK;
}

/* ---- What holds ---- */

/* One turn of Jacobi's that makes entry (p, q) of m 0; columns of v turn along. */
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

/* Of the measured answer the symmetric part, as far as it holds, with its projector and inverse there. */
static void keep_what_holds(eli_grip *grip) {
  double m[9], v[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, most = 0.0;
  for (size_t k = 0; k < 9; k++) m[k] = 0.5 * (grip->stiffness[k] + grip->stiffness[3 * (k % 3) + k / 3]);
  for (int sweep = 0; sweep < 12; sweep++) rotate(m, v, 0, 1), rotate(m, v, 0, 2), rotate(m, v, 1, 2);
  for (size_t p = 0; p < 3; p++) most = eli_larger(most, m[4 * p]);
  memset(grip->stiffness, 0, sizeof grip->stiffness);
  memset(grip->projector, 0, sizeof grip->projector);
  memset(grip->compliance, 0, sizeof grip->compliance);
  for (size_t p = 0; p < 3; p++) {
    if (!(m[4 * p] > SOFT * most)) continue;
    for (size_t k = 0; k < 9; k++) {
      const double outer = v[3 * (k / 3) + p] * v[3 * (k % 3) + p];
      grip->stiffness[k] += m[4 * p] * outer;
      grip->projector[k] += outer;
      grip->compliance[k] += outer / m[4 * p];
    }
  }
  grip->kind = SPRING;
}

/* Whether the total answers along a direction, or where m projects, by the spring alone, while all else that acts on the node changes. */
static int is_balanced(const double m[9], const double answer[3], const double other[3], const double spring[3]) {
  double left[3], changed[3];
  const double foreseen[3] = {answer[0] + spring[0], answer[1] + spring[1], answer[2] + spring[2]};
  multiply(m, foreseen, left);
  multiply(m, other, changed);
  return eli_length(left) <= ROUNDING * (eli_length(changed) + eli_length(spring));
}

/* How the total answers to a change x of everything, beside how it would without the reaction. A reaction may balance where it has no spring yet:
 * as its own direction tells, less what its spring is along. */
static void find_balance(const eli_relaxation *relaxation, size_t block, const double *x) {
  eli_grip *grip = &relaxation->grips[block];
  double now[3], then[3], answer[3], spring[3], other[3], rest[3], level[9];
  if (!reaction_on(&relaxation->probed, block, then)) return;
  (void)reaction_on(&relaxation->now, block, now);
  multiply(grip->stiffness, x + 6 * block, spring);
  multiply(grip->projector, grip->direction, rest);
  for (size_t a = 0; a < 3; a++) {
    answer[a] = relaxation->probed.total[6 * block + a] - relaxation->now.total[6 * block + a];
    other[a] = answer[a] - (then[a] - now[a]);
    rest[a] = grip->direction[a] - rest[a];
  }
  const double size = eli_length(rest);
  if (!is_balanced(grip->projector, answer, other, spring)) return;
  grip->kind = BALANCE;
  if (!(size > TURNED)) return;
  for (size_t k = 0; k < 9; k++) level[k] = (rest[k / 3] / size) * (rest[k % 3] / size);
  for (size_t k = 0; k < 9 && is_balanced(level, answer, other, spring); k++) grip->projector[k] += level[k];
}

static elastica_status measure(eli_relaxation *relaxation) {
  const double size = DIFFERENCE * shortest(relaxation);
  double *x = relaxation->other;
  for (size_t a = 0; a < 3; a++) {
    const elastica_status status = measure_column(relaxation, a, size);
    if (status != ELASTICA_OK) return status;
  }
  for (size_t i = 0; i < relaxation->size; i++) x[i] = relaxation->held[i] ? 0.0 : eli_relax_noise(i) * (i % 6 < 3 ? size : DIFFERENCE);
  const elastica_status status = look(relaxation, x);
  if (status != ELASTICA_OK) return status;
  for (size_t i = 0; i < relaxation->blocks; i++) {
    eli_grip *grip = &relaxation->grips[i];
    double direction[3];
    if (grip->kind != UNKNOWN || !leans(relaxation, i, direction)) continue;
    memcpy(grip->direction, direction, sizeof direction);
    keep_what_holds(grip);
    find_balance(relaxation, i, x);
  }
  return ELASTICA_OK;
}

/* ---- In the matrix ---- */

int eli_relax_is_reacting(const eli_relaxation *relaxation) {
  return relaxation->world->hooks[ELI_ADD_REACTIONS].first[relaxation->world->rod_count] > 0;
}

elastica_status eli_relax_measure_reactions(eli_relaxation *relaxation) {
  int unknown = 0;
  double direction[3];
  if (!eli_relax_is_reacting(relaxation)) return ELASTICA_OK;
  for (size_t i = 0; i < relaxation->blocks; i++) {
    if (!leans(relaxation, i, direction) || is_known(relaxation, i, direction)) continue;
    relaxation->grips[i].kind = UNKNOWN;
    unknown = 1;
  }
  return unknown ? measure(relaxation) : ELASTICA_OK;
}

/* What stands in the matrix for a reaction that balances: as the rod's own, many times. */
static double rigid(const elastica_rod *rod, size_t i) {
  double *const *lane = rod->world->slab.lane;
  const size_t slot = rod->offset + (i < (size_t)rod->element_count ? i : i - 1);
  double stiff = 0.0;
  for (size_t a = 0; a < 3; a++) eli_keep_larger(&stiff, fabs(lane[ELI_SHEAR_STIFFNESS + a][slot]));
  return RIGID * stiff / lane[ELI_REST_LENGTH][slot];
}

void eli_relax_set_reactions(const eli_relaxation *relaxation, int r) {
  const eli_tangent *tangent = &relaxation->tangents[r];
  for (size_t i = 0; i < tangent->blocks; i++) {
    const size_t block = relaxation->first[r] + i;
    const eli_grip *grip = &relaxation->grips[block];
    double direction[3];
    const int there = leans(relaxation, block, direction) && grip->kind != UNKNOWN, own = there && grip->kind == SPRING;
    for (size_t k = 0; k < 9; k++)
      tangent->reactions[9 * i + k] = own ? grip->stiffness[k] : there ? rigid(tangent->rod, i) * grip->projector[k] : 0.0;
  }
}

void eli_relax_forget_reactions(const eli_relaxation *relaxation) {
  for (size_t i = 0; i < relaxation->blocks; i++) relaxation->grips[i].kind = UNKNOWN;
}

/* Where springs are at rest: E dx = P F, at the scale of the matrix. */
const double *eli_relax_aim(const eli_relaxation *relaxation, const double *b, double *aimed) {
  double direction[3];
  if (!eli_relax_is_reacting(relaxation)) return b;
  memcpy(aimed, b, relaxation->size * sizeof *b);
  for (int r = 0; r < relaxation->world->rod_count; r++)
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++) {
      const size_t block = relaxation->first[r] + i;
      const eli_grip *grip = &relaxation->grips[block];
      if (grip->kind != BALANCE || !leans(relaxation, block, direction)) continue;
      double way[3], rest[3];
      multiply(grip->compliance, b + 6 * block, way);
      multiply(grip->projector, b + 6 * block, rest);
      for (size_t a = 0; a < 3; a++) aimed[6 * block + a] += rigid(relaxation->world->rods[r], i) * way[a] - rest[a];
    }
  return aimed;
}

/* Of a rise of external loads along a step what is not known yet: a reaction that came or went is no stiffness, and one that balances has told
 * all. */
void eli_relax_discount_reactions(const eli_relaxation *relaxation, const double *step, double *rise) {
  if (!eli_relax_is_reacting(relaxation)) return;
  for (size_t i = 0; i < relaxation->blocks; i++) {
    const eli_grip *grip = &relaxation->grips[i];
    double now[3], then[3], known[3];
    const int was = reaction_on(&relaxation->now, i, now), is = reaction_on(&relaxation->trial, i, then);
    if (!was && !is) continue;
    if (was != is) {
      for (size_t a = 0; a < 3; a++) rise[6 * i + a] -= now[a] - then[a];
    } else if (grip->kind != UNKNOWN) {
      multiply(grip->kind == SPRING ? grip->stiffness : grip->projector, grip->kind == SPRING ? step + 6 * i : rise + 6 * i, known);
      for (size_t a = 0; a < 3; a++) rise[6 * i + a] -= known[a];
    }
    for (size_t a = 0; a < 3; a++)
      if (relaxation->held[6 * i + a]) rise[6 * i + a] = 0.0;
  }
}

int eli_relax_has_landed(const eli_relaxation *relaxation) {
  double reaction[3];
  for (size_t i = 0; i < relaxation->blocks; i++)
    if (reaction_on(&relaxation->now, i, reaction) && !reaction_on(&relaxation->trial, i, reaction)) return 1;
  return 0;
}
