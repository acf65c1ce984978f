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

#include <string.h>

#define TAU 1e-6

/* A block of loads is symmetric if its skew part is at most this share of it; the papers' truncated couple is admitted. */
#define SKEW 1e-3

/* Accuracy of blocks of loads, beside the largest loads of their rod. */
#define NOISE 1e-7

/* Factor on residuals that are left, because they are the largest ones, not those of the mode. */
#define REMAINDER 4.0

/* ---- Assembly ---- */

typedef struct assembly {
  eli_relaxation *relaxation;
  eli_factor factor;
  eli_far far;
  unsigned char *free; /* zeroed: nothing is prescribed while bands are assembled */
  double *base;        /* present loads, without contacts that have a stiffness of their own */
  int symmetric;
  void (*take)(struct assembly *assembly, size_t row, size_t column, const double m[9], const double *internal);
  double share;
} assembly;

/* Calls take for each part of the matrix of one pair of blocks: m of loads, and of internal loads. Parts are numbered 2 block + part. */
static void visit_pair(assembly *now, int r, size_t i, size_t j) {
  const eli_tangent *tangent = &now->relaxation->tangents[r];
  const size_t first = now->relaxation->first[r];
  double m[9], loads[9];
  for (int p = 0; p < 2; p++)
    for (int q = 0; q < 2; q++) {
      if (!eli_tangent_part(tangent, i, p, j, q, m, loads)) continue;
      for (int k = 0; k < 9; k++) m[k] = (m[k] - loads[k]) / now->share;
      now->take(now, 2 * (first + i) + (size_t)p, 2 * (first + j) + (size_t)q, loads, m);
    }
}

/* A part of a block reaches two blocks far; around a short ring a pair of blocks must not be visited twice. */
static void visit_rod(assembly *now, int r) {
  const eli_tangent *tangent = &now->relaxation->tangents[r];
  const size_t n = tangent->blocks;
  const int closed = tangent->rod->closed;
  for (size_t i = 0; i < n; i++)
    for (size_t distance = 0; distance < 3; distance++) {
      const size_t j = i + distance;
      if ((!closed && j >= n) || (closed && distance > 0 && (2 * distance > n || (2 * distance == n && i >= distance)))) continue;
      visit_pair(now, r, i, j % n);
      if (distance > 0) visit_pair(now, r, j % n, i);
    }
}

/* The numbers of a square matrix by parts; unknown[] ascends. */
static void visit_square(assembly *now, const size_t *unknown, size_t count, const double *matrix, size_t width) {
  for (size_t i = 0, next_i; i < count; i = next_i) {
    for (next_i = i; next_i < count && unknown[next_i] / 3 == unknown[i] / 3; next_i++) {
    }
    for (size_t j = 0, next_j; j < count; j = next_j) {
      double m[9] = {0.0}, any = 0.0;
      for (next_j = j; next_j < count && unknown[next_j] / 3 == unknown[j] / 3; next_j++) {
      }
      for (size_t p = i; p < next_i; p++)
        for (size_t q = j; q < next_j; q++) {
          m[3 * (unknown[p] % 3) + unknown[q] % 3] = matrix[p * width + q];
          any += fabs(matrix[p * width + q]);
        }
      if (any != 0.0) now->take(now, unknown[i] / 3, unknown[j] / 3, m, NULL);
    }
  }
}

/* Contacts between parts that have no place in a band. */
static void visit_contacts(assembly *now) {
  const eli_touching *touching = &now->relaxation->touching;
  for (size_t b = 0; b < touching->count; b++) {
    const eli_touch_block *block = &touching->block[b];
    for (int p = 0; p < block->parts; p++)
      for (int q = 0; q < block->parts; q++) {
        double m[9];
        if (eli_relax_band_of(now->relaxation, block->unknown[p], block->unknown[q]) >= 0) continue;
        for (int k = 0; k < 9; k++) m[k] = block->stiffness[3 * p + k / 3][3 * q + k % 3];
        now->take(now, block->unknown[p] / 3, block->unknown[q] / 3, m, NULL);
      }
  }
}

static void take_tangent(void *context, size_t row, size_t column, const double block[9], int balanced) {
  static const double nothing[9] = {0.0};
  assembly *now = context;
  now->take(now, row, column, balanced ? nothing : block, balanced ? block : NULL);
}

static void visit_all(assembly *now) {
  const eli_pairs *pairs = &now->relaxation->pairs;
  if (now->relaxation->leaves_pairs) (void)eli_relax_visit_tangents(now->relaxation, 1, take_tangent, now);
  if (now->relaxation->leaves_loads) (void)eli_relax_visit_tangents(now->relaxation, 0, take_tangent, now);
  for (int r = 0; r < now->relaxation->rod_count; r++) visit_rod(now, r);
  visit_square(now, pairs->unknown, pairs->count, pairs->across, pairs->most);
  visit_square(now, now->far.unknown, now->far.count, now->far.stiffness, now->far.count);
  visit_contacts(now);
}

static void take_couple(assembly *now, size_t row, size_t column, const double m[9], const double *internal) {
  (void)m, (void)internal;
  eli_factor_couple(&now->factor, row / 2, column / 2);
}

static void take_block(assembly *now, size_t row, size_t column, const double m[9], const double *internal) {
  eli_factor_add(&now->factor, row / 2, (int)(row % 2), column / 2, (int)(column % 2), m, 0);
  if (internal != NULL) eli_factor_add(&now->factor, row / 2, (int)(row % 2), column / 2, (int)(column % 2), internal, 1);
}

/* Assembles the bands of K + tau P, over 1 + tau. */
static void assemble_bands(assembly *now, double tau) {
  eli_relaxation *relaxation = now->relaxation;
  now->share = 1.0 / (1.0 + tau);
  for (int r = 0; r < relaxation->rod_count; r++)
    eli_tangent_assemble(&relaxation->tangents[r], now->share, &relaxation->now, relaxation->predicted, now->free, relaxation->inertia);
}

/* Returns 1 if an end of a rod is clamped: a boundary holds the frame of the element, or ties it to its support by a half-cell. */
static int is_clamped(const eli_relaxation *relaxation, int r) {
  const unsigned char *held = relaxation->held + 6 * relaxation->first[r];
  for (size_t i = 0; i < relaxation->tangents[r].blocks; i++)
    if (held[6 * i + 3] && held[6 * i + 4] && held[6 * i + 5] && i < (size_t)relaxation->rods[r]->element_count) return 1;
  const elastica_effect *effect = relaxation->rods[r]->body->effects.first;
  for (; effect != NULL; effect = effect->body->next_alike)
    if (effect->enabled && eli_is_half_cell(effect)) return 1;
  return 0;
}

/* A rigid turn meets no resistance but that of loads that balance to the tolerance alone: a rod as a whole has that much doubt. If its
 * frames can turn, the residual that is left counts as well, and the stress that rounding of positions leaves in each element. */
static void set_doubt(assembly *now) {
  const eli_relaxation *relaxation = now->relaxation;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const double blocks = (double)relaxation->tangents[r].blocks, length = relaxation->origin[r].length;
    const eli_residual *sizes = &relaxation->residual[r];
    const double balanced = relaxation->def.tolerance * eli_larger(sizes->reference_couple, sizes->reference_force * length),
                 left = REMAINDER * (sizes->couple + sizes->force * length);
    const double couple = is_clamped(relaxation, r)
                              ? balanced / blocks
                              : eli_larger(balanced, left) / blocks + sizes->rounding_couple + sizes->rounding_force * (length / blocks);
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++)
      for (int a = 0; a < 6; a++) eli_factor_doubt(&now->factor, relaxation->first[r] + i, a, a < 3 ? couple / (length * length) : couple);
  }
}

static void hold_all(assembly *now) {
  const eli_relaxation *relaxation = now->relaxation;
  for (size_t k = 0; k < relaxation->size; k++)
    if (relaxation->held[k]) eli_factor_hold(&now->factor, k / 6, (int)(k % 6));
  for (int r = 0; r < relaxation->rod_count; r++) /* the last block of an open rod has no element */
    for (int a = 3; a < 6 && relaxation->tangents[r].blocks > (size_t)relaxation->rods[r]->element_count; a++)
      eli_factor_hold(&now->factor, relaxation->first[r] + relaxation->tangents[r].blocks - 1, a);
}

/* Factorises K + E + tau P. */
static void factorise(assembly *now, double tau) {
  assemble_bands(now, tau);
  eli_factor_clear(&now->factor);
  now->take = take_block;
  visit_all(now);
  hold_all(now);
  set_doubt(now);
  eli_factor_compute(&now->factor, 0.0, NULL);
}

/* ---- Symmetry ---- */

static int rod_of(const eli_relaxation *relaxation, size_t block) {
  int r = 0;
  while (r + 1 < relaxation->rod_count && relaxation->first[r + 1] <= block) r++;
  return r;
}

/* Loads with a potential have symmetric blocks, but for turns of one frame: E - E^T = -[C]x with the couple C of these loads on it. m,
 * back: the blocks of two parts of rod r, in both orders. Differences of the size of rounding do not count. */
static void compare(assembly *now, int r, size_t row, size_t column, const double m[9], const double back[9]) {
  const eli_relaxation *relaxation = now->relaxation;
  const eli_residual *sizes = &relaxation->residual[r];
  const double *couple = now->base + 6 * (row / 2) + 3, l = eli_relax_length_at(relaxation, r, row / 2 - relaxation->first[r]);
  const double load = eli_larger(sizes->reference_force * l, sizes->reference_couple);
  double skew = 0.0, most = NOISE * load / ((row % 2 ? 1.0 : l) * (column % 2 ? 1.0 : l)) / SKEW;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double turned = row == column && row % 2 == 1 && i != j ? ((j - i + 3) % 3 == 1 ? 1.0 : -1.0) * couple[3 - i - j] : 0.0;
      eli_keep_larger(&skew, fabs(m[3 * i + j] - back[3 * j + i] - turned));
      eli_keep_larger(&most, fabs(m[3 * i + j]));
      eli_keep_larger(&most, fabs(turned));
    }
  if (skew > SKEW * most) now->symmetric = 0;
}

static void compare_rod(assembly *now, int r) {
  const eli_tangent *tangent = &now->relaxation->tangents[r];
  const size_t n = tangent->blocks, first = now->relaxation->first[r];
  double m[9], back[9], unused[9];
  for (size_t i = 0; i < n; i++)
    for (size_t j = i; j < i + 2 && j < (tangent->rod->closed ? n + 1 : n); j++)
      for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++)
          if (eli_tangent_part(tangent, i, p, j % n, q, unused, m) && eli_tangent_part(tangent, j % n, q, i, p, unused, back))
            compare(now, r, 2 * (first + i) + (size_t)p, 2 * (first + j % n) + (size_t)q, m, back);
}

/* part: 3 by 3 numbers of a square matrix at these places. */
static void compare_square(assembly *now, const size_t *unknown, size_t count, const double *matrix, size_t width) {
  for (size_t i = 0; i < count; i += 3)
    for (size_t j = 0; j <= i; j += 3) {
      double m[9], back[9];
      if (i + 3 > count || unknown[i] % 3 != 0 || unknown[i + 2] != unknown[i] + 2) return; /* some are prescribed */
      for (size_t k = 0; k < 9; k++) {
        m[k] = matrix[(i + k / 3) * width + j + k % 3];
        back[k] = matrix[(j + k / 3) * width + i + k % 3];
      }
      compare(now, rod_of(now->relaxation, unknown[i] / 6), unknown[i] / 3, unknown[j] / 3, m, back);
    }
}

/* Contacts are symmetric while they stick. */
static void check_symmetry(assembly *now) {
  now->symmetric = now->relaxation->unsymmetric == NULL;
  eli_relax_put_contacts_in_bands(now->relaxation, -1.0);
  for (int r = 0; r < now->relaxation->rod_count && now->symmetric; r++) compare_rod(now, r);
  eli_relax_put_contacts_in_bands(now->relaxation, 1.0);
  compare_square(now, now->far.unknown, now->far.count, now->far.stiffness, now->far.count);
}

/* ---- The loads ---- */

/* Knows E: as measured on the way, if one difference of loads agrees; else measured again here; else with neighbours; else unknown by
 * unknown. */
static elastica_status know_loads(assembly *now, int *known) {
  eli_relaxation *relaxation = now->relaxation;
  elastica_status status = eli_relax_measure_touching(relaxation);
  relaxation->unsymmetric = NULL;
  if (relaxation->exact) eli_relax_leave_pairs(relaxation);
  if (eli_relax_has_tangents(relaxation, 0) && (relaxation->exact || !eli_world_has_pair_phase(relaxation->world))) {
    for (int r = 0; r < relaxation->rod_count; r++) eli_tangent_clear_loads(&relaxation->tangents[r]);
    eli_relax_put_contacts_in_bands(relaxation, 1.0);
    relaxation->leaves_loads = 1;
  }
  *known = !eli_relax_has_load_hooks(relaxation);
  if (*known || status != ELASTICA_OK) return status;
  if (relaxation->moved) {
    status = eli_relax_measure_pairs(relaxation);
    if (status == ELASTICA_OK) status = eli_relax_check_loads(relaxation, NULL, now->base, known);
    if (*known || status != ELASTICA_OK) return status;
  }
  for (int wide = 0; wide < 2; wide++) {
    relaxation->wide = wide;
    status = eli_relax_measure_loads(relaxation);
    relaxation->wide = 0;
    if (status == ELASTICA_OK) status = eli_relax_measure_touching(relaxation);
    if (status == ELASTICA_OK) status = eli_relax_check_loads(relaxation, NULL, now->base, known);
    if (*known || status != ELASTICA_OK) return status;
  }
  status = eli_relax_measure_far(relaxation, &now->far, now->base);
  return status == ELASTICA_OK ? eli_relax_check_loads(relaxation, &now->far, now->base, known) : status;
}

/* ---- The verdict ---- */

static int make_factor(assembly *now) {
  if (!eli_factor_create(&now->factor, &now->relaxation->world->allocator, now->relaxation->blocks)) return 0;
  now->take = take_couple;
  visit_all(now);
  return eli_factor_analyse(&now->factor);
}

/* Counts the modes. If a pivot of one factor vanishes to rounding although it is coupled, a slightly different factor decides. */
static int count_modes(assembly *now) {
  eli_relaxation *relaxation = now->relaxation;
  int certain = 1;
  for (int k = 0; k < 2; k++) {
    for (int try = 0; try == 0 || (try < 3 && now->factor.uncertain); try++) factorise(now, (k == 0 ? TAU : -TAU) * (1.0 + 0.25 * try));
    certain = certain && !now->factor.uncertain;
    if (k == 0)
      relaxation->unstable_modes = now->factor.negative;
    else
      relaxation->zero_modes = now->factor.negative + now->factor.zero - relaxation->unstable_modes;
  }
  return certain;
}

static elastica_status judge(assembly *now, int reacting) {
  eli_relaxation *relaxation = now->relaxation;
  int known = 0;
  const elastica_status status = know_loads(now, &known);
  relaxation->assembled = 0;
  if (eli_relax_is_over(relaxation)) return status;
  assemble_bands(now, 0.0);
  if (!make_factor(now)) return eli_relax_starve(relaxation);
  check_symmetry(now);
  const int certain = known && count_modes(now);
  if (eli_relax_is_over(relaxation)) return eli_relax_end_status(relaxation);
  const int unstable = relaxation->unstable_modes > 0;
  relaxation->undecided = !certain || (unstable && (!now->symmetric || reacting));
  relaxation->undecided_by = certain && unstable && !now->symmetric && !reacting ? relaxation->unsymmetric : NULL;
  relaxation->stable = !relaxation->undecided && !unstable;
  return ELASTICA_OK;
}

/* Reactions are left out: with reactions "stable" is a proof, "unstable" is not. */
elastica_status eli_relax_find_stability(eli_relaxation *relaxation) {
  const eli_allocator *allocator = &relaxation->world->allocator;
  const int reacting = eli_relax_has_reactions(relaxation);
  assembly now = {.relaxation = relaxation};
  for (int r = 0; r < relaxation->rod_count; r++)
    memset(relaxation->tangents[r].reactions, 0, 9 * relaxation->tangents[r].blocks * sizeof(double));
  now.base = eli_allocate(allocator, 1, relaxation->size * (sizeof(double) + 1) + 1);
  if (now.base == NULL) return eli_relax_starve(relaxation);
  now.free = (unsigned char *)(now.base + relaxation->size);
  const elastica_status status = judge(&now, reacting);
  relaxation->leaves_pairs = relaxation->leaves_loads = 0;
  eli_factor_release(&now.factor);
  eli_release(allocator, now.far.unknown);
  eli_release(allocator, now.base);
  return status;
}
