/* Stability of an equilibrium: the number of negative eigenvalues of the stiffness of rods and loads together.
 *
 * models     K + E, the stiffness of the rods and that of loads and contacts, about the present state
 * equation   an equilibrium is unstable along v if v . (K + E) v < -TAU v . P v, with P the material stiffness of the rods, and neutral if
 *            v . (K + E) v lies within TAU v . P v of 0. The factors of K + E + TAU P and of K + E - TAU P count both (Sylvester; factor.c)
 * test       tests/test_relax_stability.c, tests/test_statics_verdict.c
 *
 * A column at the share p of its critical load has v . (K + E) v = (1 - p) v . P v along its mode: the scale is that of the load, for any
 * number of elements. TAU is above the accuracy of an equilibrium, so that motions without any resistance, such as that of a buckle around
 * the axis of a round rod, are neither stable nor unstable. Rigid motions have v . P v = 0; their pivots vanish to rounding.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <float.h>
#include <math.h>

#define TAU 1e-6

/* Rounding may hide a share BLURRED of the material stiffness along a mode in a stable equilibrium. With RIGID material stiffnesses more,
 * the stiffness of rigid motions alone is rounding. */
#define BLURRED 1e-3
#define RIGID 10.0

/* Factor on residuals that are left, because they are the largest ones, not those of the mode. */
#define REMAINDER 4.0

/* Share of the sum of the rounding of all elements of a free rod that counts. */
#define FREE 0.125

/* ---- The factors ---- */

/* Returns 1 if an end of a rod is clamped: a boundary holds the frame of the element, or ties it to its support by a half-cell. */
static int is_clamped(const eli_relaxation *relaxation, int r) {
  const unsigned char *held = relaxation->held + 6 * relaxation->first[r];
  for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++)
    if (held[6 * i + 3] && held[6 * i + 4] && held[6 * i + 5] && i < (size_t)relaxation->rods[r]->element_count) return 1;
  const elastica_effect *effect = relaxation->rods[r]->body->effects.first;
  for (; effect != NULL; effect = effect->body->next_alike)
    if (effect->enabled && eli_is_half_cell(effect)) return 1;
  return 0;
}

int eli_relax_is_free(const eli_relaxation *relaxation, int r) {
  for (size_t i = relaxation->first[r]; i < relaxation->first[r + 1]; i++)
    for (size_t a = 0; a < 3; a++)
      if (relaxation->held[6 * i + a]) return 0;
  for (size_t a = 0; a < 6; a++)
    if (relaxation->support[6 * (size_t)r + a] != 0.0) return 0;
  return 1;
}

/* Returns 1 if a rod has the same bending stiffness in all directions: a buckle of it may turn about the axis of a clamp. */
static int is_round(const elastica_rod *rod) {
  double *const *lane = rod->world->bodies.slab.lane;
  for (size_t j = rod->offset; j < rod->offset + (size_t)rod->element_count; j++)
    if (lane[ELI_ELEMENT_BEND][j] != lane[ELI_ELEMENT_BEND + 1][j]) return 0;
  return 1;
}

/* Returns a bound of the couple by which the residual that is left on a rod resists its turns, over their square: of its couples, and of
 * the forces that it leaves in the elements. These are its sums from one end of the rod, the one with less of them. Frames are known to
 * ROUNDED, so the stretch of each element adds as much of its stiffness. */
static double imbalance_of(const eli_relaxation *relaxation, int r) {
  const elastica_rod *rod = relaxation->rods[r];
  const double *total = relaxation->now.total + 6 * relaxation->first[r];
  const double *length = relaxation->world->bodies.slab.lane[ELI_LENGTH] + rod->offset;
  const size_t blocks = eli_relax_blocks(relaxation, r), elements = (size_t)rod->element_count;
  double ahead[3] = {0.0, 0.0, 0.0}, behind[3] = {0.0, 0.0, 0.0}, from_first = 0.0, from_last = 0.0, couple = 0.0;
  for (size_t i = 0; i < elements; i++) {
    const size_t k = blocks - 1 - i; /* of a ring the last element ends at its first node */
    for (size_t a = 0; a < 3; a++) behind[a] += total[6 * i + a], ahead[a] += total[6 * k + a];
    from_first += length[i] * eli_length(behind);
    from_last += length[elements - 1 - i] * eli_length(ahead);
    couple += eli_length(total + 6 * i + 3) + eli_relax_rounding_of(rod, i, length[i]);
  }
  return couple + (from_first < from_last ? from_first : from_last);
}

double eli_relax_rounding(const eli_relaxation *relaxation, int r) {
  const eli_residual *sizes = &relaxation->residual[r];
  return sizes->rounding_couple * (double)eli_relax_blocks(relaxation, r) + sizes->rounding_force * relaxation->origin[r].length;
}

/* In a body or a free rod rounding may be above the present residual. */
double eli_relax_imbalance(const eli_relaxation *relaxation, int r) {
  const int rounds = eli_is_rigid(relaxation->rods[r]) || eli_relax_is_free(relaxation, r);
  return rounds ? eli_relax_rounding(relaxation, r) : imbalance_of(relaxation, r);
}

/* A rigid turn meets no resistance but that of loads that balance to the tolerance alone: a rod as a whole has that much doubt. If it can
 * turn, its imbalance counts as well; the forces of n elements of a free rod add up to sqrt(n) of one, and it has FREE of that. */
static double doubt_of(const eli_relaxation *relaxation, int r) {
  const elastica_rod *rod = relaxation->rods[r];
  const double length = relaxation->origin[r].length, imbalance = eli_relax_imbalance(relaxation, r);
  const eli_residual *sizes = &relaxation->residual[r];
  const double balanced = relaxation->def.tolerance * eli_larger(sizes->reference_couple, sizes->reference_force * length);
  if (!eli_is_rigid(rod) && !eli_relax_is_free(relaxation, r))
    return is_clamped(relaxation, r) && !is_round(rod) ? balanced : eli_larger(balanced, imbalance);
  const double sum = eli_relax_is_free(relaxation, r) ? 1.0 + FREE * sqrt((double)eli_relax_blocks(relaxation, r)) : 1.0;
  return eli_larger(balanced, REMAINDER * (sizes->couple + sizes->force * length)) + sum * imbalance;
}

static void set_doubt(const eli_relaxation *relaxation, eli_factor *factor) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    const size_t blocks = eli_relax_blocks(relaxation, r);
    const double length = relaxation->origin[r].length, couple = doubt_of(relaxation, r) / (double)blocks;
    for (size_t i = 0; i < blocks; i++)
      for (int a = 0; a < 6; a++) eli_factor_doubt(factor, relaxation->first[r] + i, a, a < 3 ? couple / (length * length) : couple);
  }
}

/* Factorises K + E + tau P + diag(weight), weight or NULL. Returns 0 without memory. */
static int factorise(eli_relaxation *relaxation, eli_stiffness *stiffness, double tau, const double *weight) {
  if (!eli_stiffness_assemble(relaxation, stiffness, tau)) return (void)eli_relax_starve(relaxation), 0;
  set_doubt(relaxation, &stiffness->factor);
  stiffness->factor.careful = eli_relax_share_of_rounding(relaxation) > ELI_SLENDER ? 2 : 1;
  eli_factor_compute(&stiffness->factor, 1.0, weight);
  stiffness->factor.careful = 0;
  return 1;
}

/* ---- The verdict ---- */

/* Counts the modes. If a pivot of one factor vanishes to rounding although it is coupled, a slightly different factor decides. The softer
 * matrix has at least the negative eigenvalues of the stiffer one: counts against that are rounding. */
static int count_modes(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  const eli_factor *factor = &stiffness->factor;
  int certain = 1, negative[2] = {0, 0}, zero = 0;
  for (int k = 0; k < 2; k++) {
    for (int try = 0; try == 0 || (try < 3 && factor->uncertain); try++)
      if (!factorise(relaxation, stiffness, (k == 0 ? TAU : -TAU) * (1.0 + 0.25 * try), NULL)) return 0;
    certain = certain && !factor->uncertain;
    negative[k] = factor->negative;
    zero = factor->zero;
  }
  const int crossed = negative[0] > negative[1] + zero;
  relaxation->unstable_modes = crossed ? negative[1] + zero : negative[0];
  relaxation->zero_modes = negative[1] + zero - relaxation->unstable_modes;
  return certain && !crossed;
}

double eli_relax_softest(const eli_relaxation *relaxation) {
  double least = INFINITY;
  for (int r = 0; r < relaxation->rod_count; r++) least = eli_smaller(relaxation->origin[r].softness, least);
  return least < INFINITY ? least : 0.0;
}

/* ---- Rods of different stiffness that are coupled ---- */

static int head_of(const eli_relaxation *relaxation, int r) {
  while (relaxation->origin[r].head != r) r = relaxation->origin[r].head;
  return r;
}

static void couple(const eli_relaxation *relaxation, size_t part, size_t other) {
  const int a = head_of(relaxation, eli_relax_rod_of(relaxation, part / 2)),
            b = head_of(relaxation, eli_relax_rod_of(relaxation, other / 2));
  relaxation->origin[a > b ? a : b].head = a > b ? b : a;
}

static int bends(const eli_relaxation *relaxation, int r) {
  return relaxation->origin[r].softness > 0.0 && relaxation->origin[r].softness < INFINITY;
}

/* The stiffness against turns that the rounding of the frames of a rod leaves [N m], if only other rods hold it; 0 of bodies and of rods
 * without bending stiffness. */
static double rounded(const eli_relaxation *relaxation, int r) {
  if (!bends(relaxation, r)) return 0.0;
  for (size_t i = 6 * relaxation->first[r]; i < 6 * relaxation->first[r + 1]; i++)
    if (i % 6 < 3 && relaxation->held[i]) return 0.0;
  return relaxation->origin[r].rounding * relaxation->origin[r].softness;
}

double eli_relax_find_joined(const eli_relaxation *relaxation, const eli_stiffness *stiffness, int *stiffest, int *softest) {
  eli_origin *origin = relaxation->origin;
  double most = 0.0;
  for (int r = 0; r < relaxation->rod_count; r++) origin[r].head = r, origin[r].stiffest = origin[r].softest = -1;
  for (size_t k = 0; k < stiffness->count; k++) couple(relaxation, stiffness->load[k].row, stiffness->load[k].column);
  for (size_t k = 0; k < stiffness->springs; k++) {
    const eli_spring_pull *pull = stiffness->pull + stiffness->spring[k].first;
    for (size_t i = 1; i < stiffness->spring[k].count; i++) couple(relaxation, pull[0].part, pull[i].part);
  }
  for (int r = 0; r < relaxation->rod_count; r++) {
    eli_origin *head = &origin[head_of(relaxation, r)];
    if (!bends(relaxation, r)) continue;
    if (head->stiffest < 0 || rounded(relaxation, r) > rounded(relaxation, head->stiffest)) head->stiffest = r;
    if (head->softest < 0 || origin[r].softness < origin[head->softest].softness) head->softest = r;
  }
  for (int r = 0; r < relaxation->rod_count; r++) {
    const int a = origin[r].stiffest, b = origin[r].softest;
    const double share = a == b ? 0.0 : rounded(relaxation, a) / origin[b].softness;
    if (share > most) most = share, *stiffest = a, *softest = b;
  }
  return most;
}

double eli_relax_softest_joined(const eli_relaxation *relaxation, int r) {
  const int softest = relaxation->origin[head_of(relaxation, r)].softest;
  return softest < 0 ? INFINITY : relaxation->origin[softest].softness;
}

/* ---- Rounding and the verdict ---- */

/* Writes the share BLURRED of the bending stiffness of the softest rod as a whole, per unknown. */
static void weigh(const eli_relaxation *relaxation, double *weight) {
  const double soft = BLURRED * eli_relax_softest(relaxation);
  for (int r = 0; r < relaxation->rod_count; r++) {
    const double length = relaxation->origin[r].length, turn = soft / (double)eli_relax_blocks(relaxation, r);
    for (size_t i = 6 * relaxation->first[r]; i < 6 * relaxation->first[r + 1]; i++)
      weight[i] = i % 6 < 3 ? turn / (length * length) : turn;
  }
}

/* Returns 1 if rounding hides more than the share BLURRED of the stiffness of a motion, and it is not a rigid one: its pivot vanishes
 * beside that share of the bending stiffness of the softest rod and of the material stiffness along it, but not beside RIGID times the
 * latter. In a slender rod the rounding of its stretch stiffness may be above its bending stiffness; beside a much stiffer rod that is
 * coupled with it, nothing tells this from a rigid motion. Chains and threads have none, and only loads resist their motions. */
static int is_blurred(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  if (stiffness->factor.zero == 0) return 0;
  if (eli_relax_softest(relaxation) == 0.0) return 0;
  weigh(relaxation, relaxation->next);
  if (!factorise(relaxation, stiffness, 0.0, relaxation->next) || stiffness->factor.zero == 0) return 0;
  if (!factorise(relaxation, stiffness, BLURRED, NULL)) return 0;
  const int zero = stiffness->factor.zero;
  int stiffest, softest;
  if (zero > 0 && eli_relax_find_joined(relaxation, stiffness, &stiffest, &softest) > BLURRED) return 1;
  return zero > 0 && factorise(relaxation, stiffness, RIGID, NULL) && zero > stiffness->factor.zero;
}

/* Reactions are left out: with reactions "stable" is a proof, "unstable" is not. */
elastica_status eli_relax_find_stability(eli_relaxation *relaxation) {
  eli_stiffness *stiffness = &relaxation->stiffness;
  const int reacting = eli_relax_has_reactions(relaxation);
  elastica_status status = eli_relax_check_cables(relaxation, ELASTICA_NOT_CONVERGED);
  if (status != ELASTICA_OK) return status;
  status = eli_stiffness_find_loads(relaxation, stiffness);
  if (!eli_relax_is_over(relaxation)) status = eli_relax_confirm_tangents(relaxation);
  if (eli_relax_is_over(relaxation)) return status;
  stiffness->is_symmetric = stiffness->is_symmetric && stiffness->unsymmetric == NULL;
  const int certain = stiffness->known && count_modes(relaxation, stiffness);
  if (eli_relax_is_over(relaxation)) return eli_relax_end_status(relaxation);
  const int unstable = relaxation->unstable_modes > 0;
  const int blurred = certain && (unstable ? eli_relax_share_of_rounding(relaxation) > BLURRED : is_blurred(relaxation, stiffness));
  if (eli_relax_is_over(relaxation)) return eli_relax_end_status(relaxation);
  relaxation->undecided = !certain || blurred || (unstable && (!stiffness->is_symmetric || reacting));
  relaxation->undecided_by = !certain ? eli_relax_without_tangent(relaxation) : unstable && !reacting ? stiffness->unsymmetric : NULL;
  relaxation->stable = !relaxation->undecided && !unstable;
  return ELASTICA_OK;
}
