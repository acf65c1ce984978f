/* Stiffness of the loads of add_loads, measured: hooks give forces, not their derivatives.
 *
 * models     E = -d(external forces and couples)/d(displacements and turns), each block with itself and its neighbours
 * equation   a column of E is the difference of the loads of two states over a small displacement; blocks that are far apart share one
 *            evaluation
 * source     Curtis, Powell and Reid, On the estimation of sparse Jacobian matrices, J. Inst. Maths Applics 13 (1974) 117
 * test       tests/test_relax_stability.c
 *
 * Most loads do not depend on the state. One displacement of all unknowns shows the loads that do, and only their columns are measured.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <stdint.h>
#include <string.h>

/* Extent of the displacement in a difference: turn [rad], or change of an edge over its length. */
#define DIFFERENCE 1e-6

/* Blocks of one colour are at least COLOURS apart. A column is stored for the nearest neighbours only; its load may reach farther. */
enum { COLOURS = 5, NO_COLOUR = 255 };

int eli_relax_has_load_hooks(const eli_relaxation *relaxation) {
  if (relaxation->leaves_loads) return 0;
  return eli_world_has(relaxation->world, ELI_ADD_LOADS) || eli_world_has(relaxation->world, ELI_ADD_TANGENT) ||
         (eli_world_has_pair_phase(relaxation->world) && !relaxation->leaves_pairs);
}

void eli_relax_apply_loads(const eli_relaxation *relaxation, const double *x, double *y) {
  for (int r = 0; r < relaxation->rod_count; r++)
    eli_tangent_apply_loads(&relaxation->tangents[r], x + 6 * relaxation->first[r], y + 6 * relaxation->first[r]);
  eli_relax_add_pairs(relaxation, x, y);
}

double eli_relax_length_at(const eli_relaxation *relaxation, int r, size_t i) {
  const elastica_rod *rod = relaxation->rods[r];
  const size_t j = i < (size_t)rod->element_count ? i : i - 1;
  return rod->world->bodies.slab.lane[ELI_REST_LENGTH][rod->offset + j];
}

/* base: the loads of now; pairs 0: without the loads between bodies; contacts 0: without contacts that provide their stiffness. */
static elastica_status measure_product(eli_relaxation *relaxation, int pairs, int contacts, const double *base, const double *x,
                                       double *y) {
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
  relaxation->world->calls.leaves_contacts = !contacts;
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

/* Makes a displacement of all free unknowns, of about the same size everywhere. */
static void displace_all(const eli_relaxation *relaxation, double *x) {
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++)
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
  const size_t blocks = relaxation->tangents[r].blocks;
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
  const size_t blocks = relaxation->tangents[r].blocks, first = relaxation->first[r];
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
    for (size_t i = 0; i < relaxation->tangents[r].blocks; i++) {
      const size_t block = relaxation->first[r] + i, k = 6 * block + 3 * part + a;
      if (relaxation->colour[2 * block + part] != colour || relaxation->held[k]) continue;
      x[k] = part == 0 ? eli_relax_length_at(relaxation, r, i) : 1.0;
      any = 1;
    }
  return any;
}

static void store_column(eli_tangent *tangent, size_t i, size_t column, const double *y, double size) {
  const int closed = tangent->rod->closed;
  for (size_t side = 0; side < 3; side++) {
    if (!closed && (i + side < 1 || i + side > tangent->blocks)) continue;
    const size_t row = 6 * ((i + side + tangent->blocks - 1) % tangent->blocks);
    for (size_t a = 0; a < 6; a++) eli_tangent_set_load(tangent, row + a, column, y[row + a] / size);
  }
}

static void store_columns(eli_relaxation *relaxation, const double *x, const double *y) {
  for (int r = 0; r < relaxation->rod_count; r++) {
    const size_t first = 6 * relaxation->first[r];
    for (size_t k = 0; k < 6 * relaxation->tangents[r].blocks; k++)
      if (x[first + k] != 0.0) store_column(&relaxation->tangents[r], k / 6, k, y + first, x[first + k]);
  }
}

/* Computes the loads of now without those of pairs, or of contacts. */
static elastica_status find_base(eli_relaxation *relaxation, int pairs, int contacts, double *base) {
  eli_tile_report report;
  relaxation->evaluations++;
  relaxation->world->calls.leaves_contacts = !contacts;
  const elastica_status status = eli_world_statics(relaxation->world, pairs, &relaxation->trial, &report);
  relaxation->world->calls.leaves_contacts = 0;
  memcpy(base, relaxation->trial.loads, relaxation->size * sizeof *base);
  return status;
}

/* Measures the columns; loads of pairs are left out if they are measured separately. */
static elastica_status measure_columns(eli_relaxation *relaxation) {
  const int pairs = relaxation->pairs.count == 0 && !relaxation->leaves_pairs, contacts = !relaxation->touching.known;
  const double *base = relaxation->now.loads;
  double *x = relaxation->work, *y = relaxation->next;
  elastica_status status = ELASTICA_OK;
  if (!pairs && !eli_world_has(relaxation->world, ELI_ADD_LOADS)) return status;
  if (!pairs || !contacts) {
    base = relaxation->adjusted;
    status = find_base(relaxation, pairs, contacts, relaxation->adjusted);
    if (status != ELASTICA_OK) return status;
  }
  displace_all(relaxation, x);
  status = measure_product(relaxation, pairs, contacts, base, x, y);
  if (status != ELASTICA_OK) return status;
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t part = 0; part < 2; part++) colour_rod(relaxation, r, part, y);
  for (size_t part = 0; part < 2; part++)
    for (int colour = 0; colour < 2 * COLOURS; colour++)
      for (size_t a = 0; a < 3; a++) {
        if (!displace_colour(relaxation, part, colour, a, x)) continue;
        status = measure_product(relaxation, pairs, contacts, base, x, y);
        if (status != ELASTICA_OK) return status;
        store_columns(relaxation, x, y);
      }
  return ELASTICA_OK;
}

static void clear_loads(eli_relaxation *relaxation) {
  for (int r = 0; r < relaxation->rod_count; r++) eli_tangent_clear_loads(&relaxation->tangents[r]);
  relaxation->pairs.count = relaxation->touching.count = 0;
}

/* Takes the stiffness of all effects, if they know it and the bands have places for it. */
static elastica_status take_tangents(eli_relaxation *relaxation) {
  const int exact = eli_relax_has_tangents(relaxation, 0) && (relaxation->exact || !eli_world_has_pair_phase(relaxation->world));
  relaxation->exact_loads = exact && eli_relax_take_tangents(relaxation) == ELASTICA_OK && !relaxation->reaches_far;
  return eli_relax_end_status(relaxation);
}

void eli_relax_renew_loads(eli_relaxation *relaxation) {
  eli_pairs *pairs = &relaxation->pairs;
  const size_t count = pairs->count;
  clear_loads(relaxation);
  pairs->count = count;
  if (count > 0) memset(pairs->stiffness, 0, pairs->most * pairs->most * sizeof(double));
  (void)eli_relax_take_tangents(relaxation); /* in a state beyond the limit of a joint the others remain */
}

/* The loads between bodies are found first, because the other loads are measured without them then, and measured last, on top of the
 * others. */
elastica_status eli_relax_measure_loads(eli_relaxation *relaxation) {
  clear_loads(relaxation);
  if (!eli_relax_has_load_hooks(relaxation)) return ELASTICA_OK;
  elastica_status status = eli_relax_find_pairs(relaxation);
  if (status == ELASTICA_OK) status = take_tangents(relaxation);
  if (status == ELASTICA_OK && !relaxation->exact_loads) {
    for (int r = 0; r < relaxation->rod_count; r++) eli_tangent_clear_loads(&relaxation->tangents[r]);
    status = measure_columns(relaxation);
  }
  if (status == ELASTICA_OK) status = eli_relax_measure_pairs(relaxation);
  if (status != ELASTICA_JOINT_TOO_FAR && status != ELASTICA_NOT_FINITE) return status;
  if (eli_relax_is_over(relaxation)) return status;
  clear_loads(relaxation);
  return ELASTICA_OK;
}

/* ---- What is known of them ---- */

/* A difference is known if it is as small as this share of the largest force, or of the change itself. */
#define OF_FORCE 1e-6
#define OF_CHANGE 1e-4

static void add_far(const eli_far *far, const double *x, double *y) {
  for (size_t k = 0; k < far->count; k++)
    for (size_t c = 0; c < far->count; c++) y[far->unknown[k]] += far->stiffness[k * far->count + c] * x[far->unknown[c]];
}

/* Returns 1 if the difference of y and expected of a rod is that of rounding; base: its present loads. */
static int is_expected(const eli_relaxation *relaxation, int r, double extent, const double *base, const double *y,
                       const double *expected) {
  const size_t first = 6 * relaxation->first[r], end = first + 6 * relaxation->tangents[r].blocks;
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

elastica_status eli_relax_check_loads(eli_relaxation *relaxation, const eli_far *far, double *base, int *known) {
  const int contacts = !relaxation->touching.known, pairs = !relaxation->leaves_pairs;
  double *x = relaxation->work, *y = relaxation->next, *expected = relaxation->displacement;
  elastica_status status = ELASTICA_OK;
  *known = 0;
  memcpy(base, relaxation->now.loads, relaxation->size * sizeof *base);
  if (!contacts || !pairs) status = find_base(relaxation, pairs, contacts, base);
  if (status != ELASTICA_OK) return status;
  displace_all(relaxation, x);
  const double extent = eli_relax_extent(relaxation, x);
  status = measure_product(relaxation, pairs, contacts, base, x, y);
  if (status != ELASTICA_OK) return status;
  eli_relax_put_contacts_in_bands(relaxation, -1.0);
  eli_relax_apply_loads(relaxation, x, expected);
  eli_relax_put_contacts_in_bands(relaxation, 1.0);
  if (far != NULL) add_far(far, x, expected);
  *known = 1;
  for (int r = 0; r < relaxation->rod_count && *known; r++) *known = is_expected(relaxation, r, extent, base, y, expected);
  return status;
}

static double displaced_unit(const eli_relaxation *relaxation, size_t unknown) {
  int r = 0;
  while (r + 1 < relaxation->rod_count && 6 * relaxation->first[r + 1] <= unknown) r++;
  return unknown % 6 < 3 ? eli_relax_length_at(relaxation, r, unknown / 6 - relaxation->first[r]) : 1.0;
}

/* Returns 1 if the loads y that a displacement of all unknowns changes show that this part may influence or carry loads. */
static int is_far(const eli_relaxation *relaxation, size_t unknown, const double *y) {
  int r = 0;
  while (r + 1 < relaxation->rod_count && 6 * relaxation->first[r + 1] <= unknown) r++;
  return has_loads_near(relaxation, r, unknown / 6 - relaxation->first[r], y);
}

/* Lists these unknowns; nothing without room or memory. */
static void list_far(eli_relaxation *relaxation, const double *y, eli_far *far) {
  size_t count = 0;
  for (size_t k = 0; k < relaxation->size; k += 3) count += is_far(relaxation, k, y) ? 3 : 0;
  if (count == 0 || count > ELI_MOST_PAIR_UNKNOWNS) return;
  far->unknown = eli_allocate(&relaxation->world->allocator, 1, count * sizeof *far->unknown + count * count * sizeof(double));
  if (far->unknown == NULL) return;
  far->stiffness = (double *)(far->unknown + count);
  for (size_t k = 0; k < relaxation->size; k++)
    if (is_far(relaxation, k, y)) far->unknown[far->count++] = k;
}

elastica_status eli_relax_measure_far(eli_relaxation *relaxation, eli_far *far, const double *base) {
  const int contacts = !relaxation->touching.known, pairs = !relaxation->leaves_pairs;
  double *x = relaxation->work, *y = relaxation->next;
  displace_all(relaxation, x);
  elastica_status status = measure_product(relaxation, pairs, contacts, base, x, y);
  if (status == ELASTICA_OK) list_far(relaxation, y, far);
  if (status != ELASTICA_OK || far->count == 0) return status;
  for (size_t c = 0; c < far->count && status == ELASTICA_OK; c++) {
    const size_t column = far->unknown[c];
    memset(x, 0, relaxation->size * sizeof *x);
    if (!relaxation->held[column]) x[column] = displaced_unit(relaxation, column);
    status = measure_product(relaxation, pairs, contacts, base, x, y);
    for (size_t k = 0; k < far->count && x[column] != 0.0; k++) far->stiffness[k * far->count + c] = y[far->unknown[k]] / x[column];
  }
  for (int r = 0; r < relaxation->rod_count; r++) eli_tangent_clear_loads(&relaxation->tangents[r]);
  relaxation->pairs.count = 0;
  eli_relax_put_contacts_in_bands(relaxation, 1.0);
  return status;
}
