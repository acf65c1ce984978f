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

#define TAU 1e-6

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

/* Returns 1 if no coordinate of a rod is prescribed, and no load on it has a stiffness. */
static int is_free(const eli_relaxation *relaxation, int r) {
  for (size_t i = relaxation->first[r]; i < relaxation->first[r + 1]; i++)
    for (size_t a = 0; a < 3; a++)
      if (relaxation->held[6 * i + a]) return 0;
  for (size_t a = 0; a < 6; a++)
    if (relaxation->support[6 * (size_t)r + a] != 0.0) return 0;
  return 1;
}

/* A rigid turn meets no resistance but that of loads that balance to the tolerance alone: a rod as a whole has that much doubt. If its
 * frames can turn, the residual that is left counts as well, and the stress that rounding of positions leaves in each element: the forces
 * of n elements add up to sqrt(n) of one, and a free rod has FREE of that. */
static void set_doubt(const eli_relaxation *relaxation, eli_factor *factor) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    const double blocks = (double)eli_relax_blocks(relaxation, r), length = relaxation->origin[r].length;
    const eli_residual *sizes = &relaxation->residual[r];
    const double balanced = relaxation->def.tolerance * eli_larger(sizes->reference_couple, sizes->reference_force * length),
                 left = REMAINDER * (sizes->couple + sizes->force * length),
                 rounding = sizes->rounding_couple + sizes->rounding_force * (length / blocks),
                 sum = is_free(relaxation, r) ? 1.0 + FREE * sqrt(blocks) : 1.0;
    const double couple = is_clamped(relaxation, r) ? balanced / blocks : eli_larger(balanced, left) / blocks + sum * rounding;
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++)
      for (int a = 0; a < 6; a++) eli_factor_doubt(factor, relaxation->first[r] + i, a, a < 3 ? couple / (length * length) : couple);
  }
}

/* Factorises K + E + tau P. Returns 0 without memory. */
static int factorise(eli_relaxation *relaxation, eli_stiffness *stiffness, double tau) {
  if (!eli_stiffness_assemble(relaxation, stiffness, tau)) return 0;
  set_doubt(relaxation, &stiffness->factor);
  stiffness->factor.careful = 1;
  eli_factor_compute(&stiffness->factor, 0.0, NULL);
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
      if (!factorise(relaxation, stiffness, (k == 0 ? TAU : -TAU) * (1.0 + 0.25 * try))) return (void)eli_relax_starve(relaxation), 0;
    certain = certain && !factor->uncertain;
    negative[k] = factor->negative;
    zero = factor->zero;
  }
  const int crossed = negative[0] > negative[1] + zero;
  relaxation->unstable_modes = crossed ? negative[1] + zero : negative[0];
  relaxation->zero_modes = negative[1] + zero - relaxation->unstable_modes;
  return certain && !crossed;
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
  relaxation->undecided = !certain || (unstable && (!stiffness->is_symmetric || reacting));
  relaxation->undecided_by = !certain ? eli_relax_without_tangent(relaxation) : unstable && !reacting ? stiffness->unsymmetric : NULL;
  relaxation->stable = !relaxation->undecided && !unstable;
  return ELASTICA_OK;
}
