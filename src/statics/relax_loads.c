/* Stiffness of loads, measured: some hooks give forces, but not their derivatives.
 *
 * models     E = -d(external forces and couples)/d(displacements and turns): of add_loads each block with itself and its neighbours, of
 *            add_world_loads between any two parts that they load
 * equation   a column of E is the difference of the loads of two states over a small displacement; blocks of rods that are far apart share
 *            one evaluation
 * source     Curtis, Powell and Reid, On the estimation of sparse Jacobian matrices, J. Inst. Maths Applics 13 (1974) 117
 * test       tests/test_relax_stability.c, tests/test_relax_bodies.c
 *
 * Most loads do not depend on the state. One displacement of all unknowns shows the loads that do, and only their columns are measured.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

/* Extent of the displacement in a difference: turn [rad], or change of an edge over its length. */
#define DIFFERENCE 1e-6

/* Blocks of one colour are at least COLOURS apart. A column is stored for the nearest neighbours only; its load may reach farther. */
enum { COLOURS = 5, NO_COLOUR = 255 };

/* The largest number of unknowns that are measured one by one, each with an evaluation of all loads. */
enum { MOST_FAR = 600 };

double eli_relax_length_at(const eli_relaxation *relaxation, int r, size_t i) {
  const elastica_rod *rod = relaxation->rods[r];
  const size_t j = i < (size_t)rod->element_count ? i : i - 1;
  return rod->world->bodies.slab.lane[ELI_REST_LENGTH][rod->offset + j];
}

/* Returns the size of a unit displacement of a part: the length of an element [m], or 1 rad. */
static double unit_of(const eli_relaxation *relaxation, size_t part) {
  const int r = eli_relax_rod_of(relaxation, part / 2);
  return part % 2 == 0 ? eli_relax_length_at(relaxation, r, part / 2 - relaxation->first[r]) : 1.0;
}

/* base: the loads of now; pairs 0: without the loads between bodies; contacts 0: without contacts that provide their stiffness. */
static elastica_status measure_product(eli_relaxation *relaxation, int pairs, const double *base, const double *x, double *y) {
  const double extent = eli_relax_extent(relaxation, x), size = DIFFERENCE / extent;
  double sum = 0.0;
  eli_tile_report report;
  memset(y, 0, relaxation->size * sizeof *y);
  if (extent == 0.0) return ELASTICA_OK;
  if (size - size != 0.0) return ELASTICA_NOT_FINITE;
  for (size_t i = 0; i < relaxation->size; i++) relaxation->step[i] = size * x[i];
  eli_relax_save(relaxation);
  eli_relax_move(relaxation);
  relaxation->evaluations++;
  relaxation->world->calls.leaves_contacts = relaxation->touching.known;
  const elastica_status status = eli_world_statics(relaxation->world, pairs, &relaxation->trial, &report);
  relaxation->world->calls.leaves_contacts = 0;
  eli_relax_restore(relaxation);
  if (status == ELASTICA_JOINT_TOO_FAR && report.effect == NULL) return status;
  if (status != ELASTICA_OK) return eli_relax_fail_hook(relaxation, &report);
  for (size_t i = 0; i < relaxation->size; i++) {
    if (!relaxation->held[i]) y[i] = (base[i] - relaxation->trial.loads[i]) / size;
    sum += y[i];
  }
  return sum - sum == 0.0 ? ELASTICA_OK : ELASTICA_NOT_FINITE;
}

/* ---- Columns ---- */

void eli_relax_displace_all(const eli_relaxation *relaxation, double *x) {
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++)
      for (size_t a = 0; a < 6; a++) {
        const size_t k = 6 * (relaxation->first[r] + i) + a;
        x[k] = relaxation->held[k] ? 0.0 : eli_relax_noise(k) * (a < 3 ? eli_relax_length_at(relaxation, r, i) : 1.0);
      }
}

static int is_changed(const double load[3]) {
  return load[0] != 0.0 || load[1] != 0.0 || load[2] != 0.0;
}

/* Returns 1 if loads y of a block or of its neighbours have changed. */
static int has_loads_near(const eli_relaxation *relaxation, int r, size_t i, const double *y) {
  const size_t blocks = eli_relax_blocks(relaxation, r);
  for (size_t side = 0; side < 3; side++) {
    const double *load = y + 6 * (relaxation->first[r] + (i + side + blocks - 1) % blocks);
    if (!relaxation->rods[r]->closed && (i + side < 1 || i + side > blocks)) continue;
    if (is_changed(load) || is_changed(load + 3)) return 1;
  }
  return 0;
}

/* Colours the nodes (part 0) or elements (part 1) with changed loads y, or in a wide measurement those near changed loads. The last blocks
 * of a ring get colours of their own, because its first blocks are their neighbours. */
static void colour_rod(const eli_relaxation *relaxation, int r, size_t part, const double *y) {
  const size_t blocks = eli_relax_blocks(relaxation, r), first = relaxation->first[r];
  const int closed = relaxation->rods[r]->closed;
  size_t last = 0;
  unsigned char colour = NO_COLOUR;
  for (size_t i = 0; i < blocks; i++) {
    unsigned char *mark = &relaxation->colour[2 * (first + i) + part];
    *mark = NO_COLOUR;
    if (!(relaxation->wide ? has_loads_near(relaxation, r, i, y) : is_changed(y + 6 * (first + i) + 3 * part))) continue;
    const int next = colour == NO_COLOUR || i - last >= COLOURS ? 0 : (colour + 1) % COLOURS;
    const int shown = closed && i + COLOURS > blocks ? next + COLOURS : next;
    colour = (unsigned char)next;
    last = i;
    *mark = (unsigned char)shown;
  }
}

/* Makes unit displacements along axis a of all nodes or elements of one colour. Returns 0 if there are none. */
static int displace_colour(const eli_relaxation *relaxation, size_t part, int colour, size_t a, double *x) {
  int any = 0;
  memset(x, 0, relaxation->size * sizeof *x);
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) {
      const size_t block = relaxation->first[r] + i, k = 6 * block + 3 * part + a;
      if (relaxation->colour[2 * block + part] != colour || relaxation->held[k]) continue;
      x[k] = part == 0 ? eli_relax_length_at(relaxation, r, i) : 1.0;
      any = 1;
    }
  return any;
}

/* Computes the loads of now without those of pairs, or of contacts that provide their stiffness. */
static elastica_status find_base(eli_relaxation *relaxation, int pairs, double *base) {
  eli_tile_report report;
  memcpy(base, relaxation->now.loads, relaxation->size * sizeof *base);
  if (!relaxation->touching.known && (pairs || !eli_world_has_pair_phase(relaxation->world))) return ELASTICA_OK;
  relaxation->evaluations++;
  relaxation->world->calls.leaves_contacts = relaxation->touching.known;
  const elastica_status status = eli_world_statics(relaxation->world, pairs, &relaxation->trial, &report);
  relaxation->world->calls.leaves_contacts = 0;
  memcpy(base, relaxation->trial.loads, relaxation->size * sizeof *base);
  return status;
}

/* Measured columns of a block: rows of the block before it, of itself and of the block after it. */
typedef struct column_block {
  double m[3][6][6];
} column_block;

static void store_columns(const eli_relaxation *relaxation, const double *x, const double *y, column_block *columns) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    const size_t first = relaxation->first[r], blocks = eli_relax_blocks(relaxation, r);
    for (size_t k = 6 * first; k < 6 * (first + blocks); k++)
      for (size_t side = 0; side < 3 && x[k] != 0.0; side++) {
        const size_t i = k / 6 - first, row = first + (i + side + blocks - 1) % blocks;
        if (!relaxation->rods[r]->closed && (i + side < 1 || i + side > blocks)) continue;
        for (size_t a = 0; a < 6; a++) columns[k / 6].m[side][a][k % 6] = y[6 * row + a] / x[k];
      }
  }
}

/* Adds the measured columns to the list, in the order of columns and rows. */
static void take_columns(eli_stiffness_owner *owner, int r, size_t i, const column_block *columns) {
  const eli_relaxation *relaxation = owner->relaxation;
  const size_t first = relaxation->first[r], blocks = eli_relax_blocks(relaxation, r);
  const size_t lowest = relaxation->rods[r]->closed && i == 0 ? 1 : relaxation->rods[r]->closed && i + 1 == blocks ? 2 : 0;
  for (size_t q = 0; q < 2; q++)
    for (size_t k = 0; k < 6; k++) {
      const size_t side = (lowest + k / 2) % 3, p = k % 2, row = first + (i + side + blocks - 1) % blocks;
      double m[9], any = 0.0;
      for (size_t a = 0; a < 9; a++) m[a] = columns->m[side][3 * p + a / 3][3 * q + a % 3], any += fabs(m[a]);
      if (any != 0.0) eli_stiffness_take(owner, 2 * row + p, 2 * (first + i) + q, m, 0);
    }
}

static elastica_status measure_colours(eli_relaxation *relaxation, const double *base, column_block *columns) {
  double *x = relaxation->work, *y = relaxation->next;
  elastica_status status = ELASTICA_OK;
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t part = 0; part < 2; part++) colour_rod(relaxation, r, part, y);
  for (size_t part = 0; part < 2; part++)
    for (int colour = 0; colour < 2 * COLOURS; colour++)
      for (size_t a = 0; a < 3 && status == ELASTICA_OK; a++) {
        if (!displace_colour(relaxation, part, colour, a, x)) continue;
        status = measure_product(relaxation, 0, base, x, y);
        if (status == ELASTICA_OK) store_columns(relaxation, x, y, columns);
      }
  return status;
}

/* Measures the columns of the loads of add_loads. */
static elastica_status measure_columns(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  eli_stiffness_owner owner = {relaxation, stiffness};
  double *base = relaxation->adjusted;
  elastica_status status = find_base(relaxation, 0, base);
  if (status != ELASTICA_OK) return status;
  eli_relax_displace_all(relaxation, relaxation->work);
  status = measure_product(relaxation, 0, base, relaxation->work, relaxation->next);
  if (status != ELASTICA_OK) return status;
  column_block *columns = eli_allocate(&relaxation->world->allocator, relaxation->blocks, sizeof *columns);
  if (columns == NULL) return eli_relax_starve(relaxation);
  memset(columns, 0, relaxation->blocks * sizeof *columns);
  status = measure_colours(relaxation, base, columns);
  for (int r = 0; r < relaxation->rod_count && status == ELASTICA_OK; r++)
    for (size_t i = 0; i < eli_relax_blocks(relaxation, r); i++) take_columns(&owner, r, i, &columns[relaxation->first[r] + i]);
  eli_release(&relaxation->world->allocator, columns);
  return relaxation->starved ? eli_relax_starve(relaxation) : status;
}

/* ---- Between bodies ---- */

/* Computes the loads of pairs alone in the state displaced by x, into probe. Leaves the present state unchanged. */
static elastica_status pair_loads_at(eli_relaxation *relaxation, const double *x) {
  eli_tile_report report;
  double *const step = relaxation->step;
  if (x != relaxation->displacement) memcpy(relaxation->displacement, x, relaxation->size * sizeof *x);
  relaxation->step = relaxation->displacement;
  eli_relax_swap_saved(relaxation);
  eli_relax_save(relaxation);
  eli_relax_move(relaxation);
  relaxation->world->calls.leaves_contacts = relaxation->touching.known;
  const elastica_status status = eli_world_pair_loads(relaxation->world, &relaxation->probe, &report);
  relaxation->world->calls.leaves_contacts = 0;
  eli_relax_restore(relaxation);
  eli_relax_swap_saved(relaxation);
  relaxation->step = step;
  return status;
}

static elastica_status find_pair_loads(eli_relaxation *relaxation) {
  memset(relaxation->displacement, 0, relaxation->size * sizeof(double));
  const elastica_status status = pair_loads_at(relaxation, relaxation->displacement);
  if (status == ELASTICA_OK) memcpy(relaxation->pair_loads, relaxation->probe.loads, relaxation->size * sizeof(double));
  return status;
}

/* Marks the parts with loads that change under a displacement of all unknowns. */
static elastica_status find_paired(eli_relaxation *relaxation) {
  double *x = relaxation->displacement;
  memset(relaxation->paired, 0, 2 * relaxation->blocks);
  for (size_t k = 0; k < relaxation->size; k++)
    x[k] = relaxation->held[k] ? 0.0 : DIFFERENCE * eli_relax_noise(k) * unit_of(relaxation, k / 3);
  const elastica_status status = pair_loads_at(relaxation, x);
  for (size_t k = 0; k < relaxation->size && status == ELASTICA_OK; k++)
    if (relaxation->probe.loads[k] != relaxation->pair_loads[k]) relaxation->paired[k / 3] = 1;
  return status;
}

/* Measures the three columns of a part, and adds their blocks to the list. */
static elastica_status measure_pair_columns(eli_relaxation *relaxation, size_t part, eli_stiffness *stiffness) {
  double *const column[3] = {relaxation->work, relaxation->next, relaxation->adjusted}, *x = relaxation->displacement;
  const double size = DIFFERENCE * unit_of(relaxation, part);
  eli_stiffness_owner owner = {relaxation, stiffness};
  for (size_t a = 0; a < 3; a++) {
    memset(column[a], 0, relaxation->size * sizeof *x);
    if (relaxation->held[3 * part + a]) continue;
    memset(x, 0, relaxation->size * sizeof *x);
    x[3 * part + a] = size;
    const elastica_status status = pair_loads_at(relaxation, x);
    if (status != ELASTICA_OK) return status;
    for (size_t k = 0; k < relaxation->size; k++)
      if (!relaxation->held[k]) column[a][k] = (relaxation->pair_loads[k] - relaxation->probe.loads[k]) / size;
  }
  for (size_t row = 0; row < 2 * relaxation->blocks; row++) {
    double m[9], any = 0.0;
    for (size_t k = 0; k < 9; k++) m[k] = column[k % 3][3 * row + k / 3], any += fabs(m[k]);
    if (any != 0.0) eli_stiffness_take(&owner, row, part, m, 0);
  }
  return ELASTICA_OK;
}

elastica_status eli_relax_measure_pairs(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  if (!eli_world_has_pair_phase(relaxation->world) || (stiffness->given[1] && !relaxation->has_bodies)) return ELASTICA_OK;
  elastica_status status = find_pair_loads(relaxation);
  if (status != ELASTICA_OK || stiffness->given[1]) return status;
  if (!relaxation->knows_paired || (relaxation->touching.limit > 0.0 && !relaxation->touching.known)) {
    status = find_paired(relaxation);
    relaxation->knows_paired = status == ELASTICA_OK;
  }
  for (size_t part = 0; part < 2 * relaxation->blocks && status == ELASTICA_OK; part++)
    if (relaxation->paired[part]) status = measure_pair_columns(relaxation, part, stiffness);
  return status;
}

/* ---- All of them ---- */

elastica_status eli_relax_measure_loads(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  stiffness->count = stiffness->end_of_measured_rods = 0;
  relaxation->knows_paired = 0;
  for (int between = 0; between < 2; between++) stiffness->given[between] = eli_relax_has_tangents(relaxation, between);
  if (stiffness->given[0]) return ELASTICA_OK;
  elastica_status status = measure_columns(relaxation, stiffness);
  if ((status == ELASTICA_JOINT_TOO_FAR || status == ELASTICA_NOT_FINITE) && !eli_relax_is_over(relaxation)) {
    stiffness->count = 0;
    status = ELASTICA_OK;
  }
  stiffness->end_of_measured_rods = stiffness->count;
  return status;
}

/* ---- What is known of them ---- */

/* A difference is known if it is as small as this share of the largest force, or of the change itself. */
#define OF_FORCE 1e-6
#define OF_CHANGE 1e-4

/* Returns 1 if the difference of y and expected of a rod is that of rounding; base: its present loads. */
static int is_expected(const eli_relaxation *relaxation, int r, double extent, const double *base, const double *y,
                       const double *expected) {
  const size_t first = 6 * relaxation->first[r], end = first + 6 * eli_relax_blocks(relaxation, r);
  double load[2] = {0.0, 0.0};
  for (size_t k = first; k < end; k++) eli_keep_larger(&load[k % 6 / 3], fabs(base[k]));
  for (size_t k = first; k < end; k += 3) {
    double wrong = 0.0, change = 0.0;
    for (size_t a = 0; a < 3; a++) {
      if (relaxation->held[k + a]) continue;
      eli_keep_larger(&wrong, fabs(y[k + a] - expected[k + a]));
      eli_keep_larger(&change, fabs(y[k + a]));
    }
    if (!(wrong <= OF_FORCE * extent * load[k % 6 / 3] + OF_CHANGE * change)) return 0;
  }
  return 1;
}

elastica_status eli_relax_check_loads(eli_relaxation *relaxation, const eli_stiffness *stiffness, double *base, int *known) {
  const int pairs = !stiffness->given[1];
  double *x = relaxation->work, *y = relaxation->next, *expected = relaxation->displacement;
  elastica_status status = find_base(relaxation, pairs, base);
  *known = 0;
  if (status != ELASTICA_OK) return status;
  eli_relax_displace_all(relaxation, x);
  const double extent = eli_relax_extent(relaxation, x);
  status = measure_product(relaxation, pairs, base, x, y);
  if (status != ELASTICA_OK) return status;
  memset(expected, 0, relaxation->size * sizeof *expected);
  eli_stiffness_apply(stiffness, 1, x, expected);
  *known = 1;
  for (int r = 0; r < relaxation->rod_count && *known; r++) *known = is_expected(relaxation, r, extent, base, y, expected);
  return status;
}

/* Returns 1 if the loads y that a displacement of all unknowns changes show that this part may influence or carry loads. */
static int is_far(const eli_relaxation *relaxation, size_t part, const double *y) {
  const int r = eli_relax_rod_of(relaxation, part / 2);
  return has_loads_near(relaxation, r, part / 2 - relaxation->first[r], y);
}

elastica_status eli_relax_measure_far(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  double *x = relaxation->work, *y = relaxation->next, *base = relaxation->adjusted;
  unsigned char *far = relaxation->colour;
  eli_stiffness_owner owner = {relaxation, stiffness};
  size_t count = 0;
  elastica_status status = find_base(relaxation, 0, base);
  eli_relax_displace_all(relaxation, x);
  if (status == ELASTICA_OK) status = measure_product(relaxation, 0, base, x, y);
  if (status != ELASTICA_OK) return status;
  for (size_t part = 0; part < 2 * relaxation->blocks; part++) count += 3 * (far[part] = (unsigned char)is_far(relaxation, part, y));
  if (count == 0 || count > MOST_FAR) return status;
  double *columns = eli_allocate(&relaxation->world->allocator, 3 * relaxation->size, sizeof *columns);
  if (columns == NULL) return eli_relax_starve(relaxation);
  stiffness->count = 0;
  for (size_t part = 0; part < 2 * relaxation->blocks && status == ELASTICA_OK; part++) {
    if (!far[part]) continue;
    for (size_t a = 0; a < 3 && status == ELASTICA_OK; a++) {
      double *column = columns + a * relaxation->size;
      memset(x, 0, relaxation->size * sizeof *x);
      x[3 * part + a] = relaxation->held[3 * part + a] ? 0.0 : unit_of(relaxation, part);
      status = measure_product(relaxation, 0, base, x, column);
      for (size_t k = 0; k < relaxation->size; k++) column[k] = x[3 * part + a] != 0.0 ? column[k] / x[3 * part + a] : 0.0;
    }
    for (size_t row = 0; row < 2 * relaxation->blocks && status == ELASTICA_OK; row++) {
      double m[9];
      for (size_t k = 0; k < 9; k++) m[k] = columns[k % 3 * relaxation->size + 3 * row + k / 3];
      if (far[row]) eli_stiffness_take(&owner, row, part, m, 0);
    }
  }
  eli_release(&relaxation->world->allocator, columns);
  stiffness->end_of_measured_rods = stiffness->count;
  return relaxation->starved ? eli_relax_starve(relaxation) : status;
}
