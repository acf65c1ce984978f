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
  return eli_world_has(relaxation->world, ELI_ADD_LOADS) || eli_world_has_pair_phase(relaxation->world);
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

elastica_status eli_relax_measure_product(eli_relaxation *relaxation, const double *x, double *y) {
  return measure_product(relaxation, 1, 1, relaxation->now.loads, x, y);
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

/* Colours the nodes (part 0) or elements (part 1) with changed loads y. The last blocks of a ring get colours of their own, because its
 * first blocks are their neighbours. */
static void colour_rod(const eli_relaxation *relaxation, int r, size_t part, const double *y) {
  const size_t blocks = relaxation->tangents[r].blocks, first = relaxation->first[r];
  const int closed = relaxation->rods[r]->closed;
  size_t last = 0;
  unsigned char colour = NO_COLOUR;
  for (size_t i = 0; i < blocks; i++) {
    const double *load = y + 6 * (first + i) + 3 * part;
    unsigned char *mark = &relaxation->colour[2 * (first + i) + part];
    *mark = NO_COLOUR;
    if (load[0] == 0.0 && load[1] == 0.0 && load[2] == 0.0) continue;
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
  const int pairs = relaxation->pairs.count == 0, contacts = !relaxation->touching.known;
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

/* The loads between bodies are found first, because the other loads are measured without them then, and measured last, on top of the
 * others. */
elastica_status eli_relax_measure_loads(eli_relaxation *relaxation) {
  clear_loads(relaxation);
  if (!eli_relax_has_load_hooks(relaxation)) return ELASTICA_OK;
  elastica_status status = eli_relax_find_pairs(relaxation);
  if (status == ELASTICA_OK) status = measure_columns(relaxation);
  if (status == ELASTICA_OK) status = eli_relax_measure_pairs(relaxation);
  if (status != ELASTICA_JOINT_TOO_FAR && status != ELASTICA_NOT_FINITE) return status;
  if (eli_relax_is_over(relaxation)) return status;
  clear_loads(relaxation);
  return ELASTICA_OK;
}
