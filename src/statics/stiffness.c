/* The stiffness of a world about its present state, in one sparse matrix.
 *
 * models     K + E + tau P: rods, loads of effects with contacts, and a share of the material stiffness of the rods
 * equation   K + tau P = (1 + tau) K', K' with the geometric stiffness reduced to 1/(1 + tau): see eli_tangent_add_internal
 * test       tests/test_statics_verdict.c, tests/test_statics_campaign.c
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

/* ---- The loads ---- */

static void take_block(eli_relaxation *relaxation, eli_stiffness *stiffness, size_t row, size_t column, const double m[9], int balanced) {
  if (stiffness->count == stiffness->capacity) {
    const size_t capacity = 2 * stiffness->capacity + 64;
    eli_load_block *larger = eli_allocate(&relaxation->world->allocator, capacity, sizeof *larger);
    if (larger == NULL) {
      relaxation->starved = 1;
      return;
    }
    if (stiffness->count > 0) memcpy(larger, stiffness->load, stiffness->count * sizeof *larger);
    eli_release(&relaxation->world->allocator, stiffness->load);
    stiffness->load = larger;
    stiffness->capacity = capacity;
  }
  eli_load_block *block = &stiffness->load[stiffness->count++];
  block->row = row;
  block->column = column;
  block->balanced = balanced;
  memcpy(block->m, m, sizeof block->m);
}

typedef struct collector {
  eli_relaxation *relaxation;
  eli_stiffness *stiffness;
} collector;

static void take_tangent(void *context, size_t row, size_t column, const double block[9], int balanced) {
  const collector *now = context;
  take_block(now->relaxation, now->stiffness, row, column, block, balanced);
}

/* The part of a band between two blocks. */
static void collect_pair(const collector *now, int r, size_t i, size_t j) {
  const eli_tangent *tangent = &now->relaxation->tangents[r];
  const size_t first = now->relaxation->first[r];
  double unused[9], loads[9];
  for (int p = 0; p < 2; p++)
    for (int q = 0; q < 2; q++)
      if (eli_tangent_part(tangent, i, p, j, q, unused, loads))
        take_block(now->relaxation, now->stiffness, 2 * (first + i) + (size_t)p, 2 * (first + j) + (size_t)q, loads, 0);
}

/* Around a short ring a pair of blocks must not be visited twice. */
static void collect_band(const collector *now, int r) {
  const eli_tangent *tangent = &now->relaxation->tangents[r];
  const size_t n = tangent->blocks;
  const int closed = tangent->rod->closed;
  for (size_t i = 0; i < n; i++)
    for (size_t distance = 0; distance < 2; distance++) {
      const size_t j = i + distance;
      if ((!closed && j >= n) || (closed && distance > 0 && (2 * distance > n || (2 * distance == n && i >= distance)))) continue;
      collect_pair(now, r, i, j % n);
      if (distance > 0) collect_pair(now, r, j % n, i);
    }
}

/* The numbers of a square matrix by parts; unknown[] ascends. */
static void collect_square(const collector *now, const size_t *unknown, size_t count, const double *matrix, size_t width) {
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
      if (any != 0.0) take_block(now->relaxation, now->stiffness, unknown[i] / 3, unknown[j] / 3, m, 0);
    }
  }
}

/* Contacts between parts that have no place in a band. */
static void collect_contacts(const collector *now) {
  const eli_touching *touching = &now->relaxation->touching;
  for (size_t b = 0; b < touching->count; b++) {
    const eli_touch_block *block = &touching->block[b];
    for (int p = 0; p < block->parts; p++)
      for (int q = 0; q < block->parts; q++) {
        double m[9];
        if (eli_relax_band_of(now->relaxation, block->unknown[p], block->unknown[q]) >= 0) continue;
        for (int k = 0; k < 9; k++) m[k] = block->stiffness[3 * p + k / 3][3 * q + k % 3];
        take_block(now->relaxation, now->stiffness, block->unknown[p] / 3, block->unknown[q] / 3, m, 0);
      }
  }
}

/* Knows E: as the effects give it; else as measured on the way, if one difference of loads agrees; else measured again here; else with
 * neighbours; else unknown by unknown. base: the present loads, for comparison. */
static elastica_status know_loads(eli_relaxation *relaxation, eli_far *far, double *base, int *known) {
  elastica_status status = eli_relax_measure_touching(relaxation);
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
    if (status == ELASTICA_OK) status = eli_relax_check_loads(relaxation, NULL, base, known);
    if (*known || status != ELASTICA_OK) return status;
  }
  for (int wide = 0; wide < 2; wide++) {
    relaxation->wide = wide;
    status = eli_relax_measure_loads(relaxation);
    relaxation->wide = 0;
    if (status == ELASTICA_OK) status = eli_relax_measure_touching(relaxation);
    if (status == ELASTICA_OK) status = eli_relax_check_loads(relaxation, NULL, base, known);
    if (*known || status != ELASTICA_OK) return status;
  }
  status = eli_relax_measure_far(relaxation, far, base);
  return status == ELASTICA_OK ? eli_relax_check_loads(relaxation, far, base, known) : status;
}

/* ---- Symmetry ---- */

/* A block of loads is symmetric if its skew part is at most this share of it; the papers' truncated couple is admitted. */
#define SKEW 1e-3

/* Accuracy of measured blocks, beside the largest loads of their rod. */
#define NOISE 1e-7

static int rod_of(const eli_relaxation *relaxation, size_t block) {
  int r = 0;
  while (r + 1 < relaxation->rod_count && relaxation->first[r + 1] <= block) r++;
  return r;
}

/* Returns 1 if the blocks of two parts of rod r, in both orders, are those of loads with a potential: then they are symmetric, but for turns
 * of one frame: E - E^T = -[C]x with the couple C of these loads on it. Differences of the size of rounding do not count. */
static int is_symmetric(const eli_relaxation *relaxation, const double *base, int r, size_t row, size_t column, const double m[9],
                        const double back[9]) {
  const eli_residual *sizes = &relaxation->residual[r];
  const double *couple = base + 6 * (row / 2) + 3, l = eli_relax_length_at(relaxation, r, row / 2 - relaxation->first[r]);
  const double load = eli_larger(sizes->reference_force * l, sizes->reference_couple);
  double skew = 0.0, most = NOISE * load / ((row % 2 ? 1.0 : l) * (column % 2 ? 1.0 : l)) / SKEW;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double turned = row == column && row % 2 == 1 && i != j ? ((j - i + 3) % 3 == 1 ? 1.0 : -1.0) * couple[3 - i - j] : 0.0;
      eli_keep_larger(&skew, fabs(m[3 * i + j] - back[3 * j + i] - turned));
      eli_keep_larger(&most, fabs(m[3 * i + j]));
      eli_keep_larger(&most, fabs(turned));
    }
  return skew <= SKEW * most;
}

static int is_symmetric_band(const eli_relaxation *relaxation, const double *base, int r) {
  const eli_tangent *tangent = &relaxation->tangents[r];
  const size_t n = tangent->blocks, first = relaxation->first[r];
  double m[9], back[9], unused[9];
  for (size_t i = 0; i < n; i++)
    for (size_t j = i; j < i + 2 && j < (tangent->rod->closed ? n + 1 : n); j++)
      for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++)
          if (eli_tangent_part(tangent, i, p, j % n, q, unused, m) && eli_tangent_part(tangent, j % n, q, i, p, unused, back) &&
              !is_symmetric(relaxation, base, r, 2 * (first + i) + (size_t)p, 2 * (first + j % n) + (size_t)q, m, back))
            return 0;
  return 1;
}

/* part: 3 by 3 numbers of a square matrix at these places. */
static int is_symmetric_square(const eli_relaxation *relaxation, const double *base, const eli_far *far) {
  const size_t *unknown = far->unknown, count = far->count;
  for (size_t i = 0; i < count; i += 3)
    for (size_t j = 0; j <= i; j += 3) {
      double m[9], back[9];
      if (i + 3 > count || unknown[i] % 3 != 0 || unknown[i + 2] != unknown[i] + 2) return 1; /* some are prescribed */
      for (size_t k = 0; k < 9; k++) {
        m[k] = far->stiffness[(i + k / 3) * count + j + k % 3];
        back[k] = far->stiffness[(j + k / 3) * count + i + k % 3];
      }
      if (!is_symmetric(relaxation, base, rod_of(relaxation, unknown[i] / 6), unknown[i] / 3, unknown[j] / 3, m, back)) return 0;
    }
  return 1;
}

/* Contacts are symmetric while they stick. Only measured loads are compared: effects that give their stiffness say whether it is. */
static int are_measured_symmetric(eli_relaxation *relaxation, const double *base, const eli_far *far) {
  int symmetric = 1;
  eli_relax_put_contacts_in_bands(relaxation, -1.0);
  for (int r = 0; r < relaxation->rod_count && symmetric; r++) symmetric = is_symmetric_band(relaxation, base, r);
  eli_relax_put_contacts_in_bands(relaxation, 1.0);
  return symmetric && is_symmetric_square(relaxation, base, far);
}

/* ---- All loads ---- */

static void collect(eli_relaxation *relaxation, eli_stiffness *stiffness, const eli_far *far) {
  collector now = {relaxation, stiffness};
  const eli_pairs *pairs = &relaxation->pairs;
  stiffness->count = 0;
  if (relaxation->leaves_pairs) (void)eli_relax_visit_tangents(relaxation, 1, take_tangent, &now);
  if (relaxation->leaves_loads) (void)eli_relax_visit_tangents(relaxation, 0, take_tangent, &now);
  for (int r = 0; r < relaxation->rod_count; r++) collect_band(&now, r);
  collect_square(&now, pairs->unknown, pairs->count, pairs->across, pairs->most);
  collect_square(&now, far->unknown, far->count, far->stiffness, far->count);
  collect_contacts(&now);
}

/* Assembles the present loads in the bands. */
static void assemble_loads(eli_relaxation *relaxation, const unsigned char *free) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    memset(relaxation->tangents[r].reactions, 0, 9 * relaxation->tangents[r].blocks * sizeof(double));
    eli_tangent_assemble(&relaxation->tangents[r], 1.0, &relaxation->now, relaxation->predicted, free, relaxation->inertia);
  }
}

static elastica_status find_loads(eli_relaxation *relaxation, eli_stiffness *stiffness, double *base, eli_far *far) {
  relaxation->unsymmetric = NULL;
  stiffness->known = 0;
  const elastica_status status = know_loads(relaxation, far, base, &stiffness->known);
  relaxation->assembled = 0;
  if (eli_relax_is_over(relaxation)) return status;
  assemble_loads(relaxation, (const unsigned char *)(base + relaxation->size));
  stiffness->is_symmetric = are_measured_symmetric(relaxation, base, far);
  collect(relaxation, stiffness, far);
  if (relaxation->starved) return eli_relax_starve(relaxation);
  stiffness->unsymmetric = relaxation->unsymmetric;
  stiffness->is_symmetric = stiffness->is_symmetric && relaxation->unsymmetric == NULL;
  stiffness->measured = eli_relax_without_tangent(relaxation);
  return eli_relax_end_status(relaxation);
}

elastica_status eli_stiffness_find_loads(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  eli_far far = {0};
  double *base = eli_allocate(&relaxation->world->allocator, 1, relaxation->size * (sizeof(double) + 1) + 1); /* and zeroed flags */
  if (base == NULL) return eli_relax_starve(relaxation);
  memset(base, 0, relaxation->size * (sizeof(double) + 1) + 1);
  const elastica_status status = find_loads(relaxation, stiffness, base, &far);
  relaxation->leaves_pairs = relaxation->leaves_loads = 0;
  eli_release(&relaxation->world->allocator, far.unknown);
  eli_release(&relaxation->world->allocator, base);
  return status;
}

/* ---- The matrix ---- */

/* Neighbours in a rod, and the couplings of loads. Under the rescaled law a couple depends on the length of the element before. */
static int make_pattern(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  eli_factor *factor = &stiffness->factor;
  eli_factor_release(factor);
  stiffness->has_pattern = 0;
  if (!eli_factor_create(factor, &relaxation->world->allocator, relaxation->blocks)) return 0;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const size_t first = relaxation->first[r], n = relaxation->tangents[r].blocks;
    const size_t reach = relaxation->world->law.classical ? 1 : 2;
    for (size_t i = 0; i < n; i++)
      for (size_t distance = 1; distance <= reach; distance++)
        if (i + distance < n || relaxation->rods[r]->closed) eli_factor_couple(factor, first + i, first + (i + distance) % n);
  }
  for (size_t k = 0; k < stiffness->count; k++) eli_factor_couple(factor, stiffness->load[k].row / 2, stiffness->load[k].column / 2);
  stiffness->has_pattern = eli_factor_analyse(factor);
  return stiffness->has_pattern;
}

static void hold_all(eli_relaxation *relaxation, eli_factor *factor) {
  for (size_t k = 0; k < relaxation->size; k++)
    if (relaxation->held[k]) eli_factor_hold(factor, k / 6, (int)(k % 6));
  for (int r = 0; r < relaxation->rod_count; r++) /* the last block of an open rod has no element */
    for (int a = 3; a < 6 && relaxation->tangents[r].blocks > (size_t)relaxation->rods[r]->element_count; a++)
      eli_factor_hold(factor, relaxation->first[r] + relaxation->tangents[r].blocks - 1, a);
}

static void fill(eli_relaxation *relaxation, eli_stiffness *stiffness, double tau) {
  eli_factor *factor = &stiffness->factor;
  eli_factor_clear(factor);
  hold_all(relaxation, factor);
  for (int r = 0; r < relaxation->rod_count; r++)
    eli_tangent_add_internal(&relaxation->tangents[r], 1.0 / (1.0 + tau), 1.0 + tau, &relaxation->now, relaxation->predicted, factor);
  for (size_t k = 0; k < stiffness->count; k++) {
    const eli_load_block *block = &stiffness->load[k];
    eli_factor_add(factor, block->row / 2, (int)(block->row % 2), block->column / 2, (int)(block->column % 2), block->m, block->balanced);
  }
}

int eli_stiffness_assemble(eli_relaxation *relaxation, eli_stiffness *stiffness, double tau) {
  if (stiffness->has_pattern) fill(relaxation, stiffness, tau);
  if (stiffness->has_pattern && !stiffness->factor.misses) return 1;
  if (!make_pattern(relaxation, stiffness)) return 0;
  fill(relaxation, stiffness, tau);
  return 1;
}

void eli_stiffness_release(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  eli_factor_release(&stiffness->factor);
  eli_release(&relaxation->world->allocator, stiffness->load);
  memset(stiffness, 0, sizeof *stiffness);
}
