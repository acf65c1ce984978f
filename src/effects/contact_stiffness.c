/* The stiffness of contacts between rods (see contact.h): each pair by finite differences of its own forces.
 *
 * Radii are constant in these differences: the radius of an element changes by r/(2 l) of its change of length.
 *
 * test       tests/test_relax_touching.c
 */
#include "base/target.h"

#include "effects/contact.h"

#include <string.h>

/* The displacement of a difference, in radii. */
#define DIFFERENCE 1e-6

/* The columns: the two ends of either element, along three axes. */
enum { COLUMNS = 12 };

static double *coordinate_of(eli_capsule at[2], int column) {
  return &at[column / 6].end[column % 6 / 3][column % 3];
}

/* Computes several columns side by side; the column after the last has no displacement. */
static void find_forces(const eli_contact *contact, eli_capsule at[2], int first, eli_lines *lines) {
  const eli_line_law at_rest = {contact->law.line.modulus, 0.0};
  eli_lines_begin(lines, &at_rest);
  for (int column = first; column <= COLUMNS && lines->count < ELI_LINES; column++) {
    double unmoved = 0.0, *const place = column < COLUMNS ? coordinate_of(at, column) : &unmoved, kept = *place;
    if (column < COLUMNS) *place += DIFFERENCE * at[column / 6].radius;
    for (int side = 0; side < 2; side++) {
      eli_lines_place(lines, lines->count, side, &at[side]);
      eli_lines_move(lines, lines->count, side, &at[side]);
    }
    *place = kept;
    lines->count++;
  }
  contact->work->find_parts(lines);
  contact->work->find_lines(lines);
}

/* Returns 0 without contact. */
static int find_columns(const eli_contact *contact, eli_capsule at[2], double (*out)[ELI_CONTACT_STIFFNESS_SIZE]) {
  eli_lines lines[2];
  for (int k = 0; k < 2; k++) find_forces(contact, at, k * ELI_LINES, &lines[k]);
  const eli_lines *now = &lines[COLUMNS / ELI_LINES];
  const int q = COLUMNS % ELI_LINES;
  if (!(now->depth[q] > 0.0)) return 0;
  for (int column = 0; column < COLUMNS; column++) {
    const eli_lines *then = &lines[column / ELI_LINES];
    const int p = column % ELI_LINES;
    const double kept = *coordinate_of(at, column), moved = kept + DIFFERENCE * at[column / 6].radius;
    for (int row = 0; row < COLUMNS; row++) {
      const int side = row / 6, end = row % 6 / 3, a = row % 3;
      out[row][column] = (now->force[side][end][a][q] - then->force[side][end][a][p]) / (moved - kept);
    }
  }
  return 1;
}

/* Adds the tangential spring, unless it slides. */
static void add_friction(const eli_contact *contact, size_t k, eli_contact_stiffness *out) {
  const eli_stick_slip history = eli_contact_history(contact, k);
  eli_touch touch;
  double lever[2][3];
  if (!(contact->law.friction > 0.0) || (history.stiffness > 0.0 && !history.sticks) || !eli_contact_find(contact, k, &touch)) return;
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) lever[side][a] = touch.middle.point[a] - touch.middle.axis[side][a];
  eli_contact_stiffness_add_spring(out, touch.stiffness, touch.middle.normal, touch.middle.share, (const double(*)[3])lever);
}

static int find_stiffness(const eli_contact *contact, size_t k, eli_contact_stiffness *out) {
  const eli_contact_pair *pair = &contact->list[k];
  eli_capsule at[2];
  memset(out, 0, sizeof *out);
  for (int side = 0; side < 2; side++) {
    out->rod[side] = eli_contact_member_of(contact, pair->rod[side])->rod;
    out->element[side] = pair->element[side];
    if (out->rod[side]->rigid) return 0;
    eli_contact_place_moving(contact, pair->rod[side], pair->element[side], &at[side]);
  }
  eli_contact_reduce(pair, at);
  if (eli_contact_distance(&at[0], &at[1]) >= at[0].radius + at[1].radius || !find_columns(contact, at, out->stiffness)) return 0;
  add_friction(contact, k, out);
  return 1;
}

/* Slip [m]: of the first relative to the second, from ends and frames. The energy of the spring is its square over both tangential
 * directions. */
void eli_contact_stiffness_add_spring(eli_contact_stiffness *of, double stiffness, const double normal[3], const double share[2],
                                      const double lever[2][3]) {
  double slip[3][ELI_CONTACT_STIFFNESS_SIZE] = {{0.0}};
  const int sides = of->rod[1] != NULL ? 2 : 1;
  for (int side = 0; side < sides; side++) {
    const double sign = side ? -1.0 : 1.0, *arm = lever[side];
    for (int a = 0; a < 3; a++) {
      slip[a][6 * side + a] = sign * (1.0 - share[side]);
      slip[a][6 * side + 3 + a] = sign * share[side];
      for (int b = 0; b < 3; b++) { /* a turn about director b: d_b x lever */
        const double *const *d = of->rod[side]->director[b];
        const int j = of->element[side], next = (a + 1) % 3, last = (a + 2) % 3;
        slip[a][12 + 3 * side + b] = sign * (d[next][j] * arm[last] - d[last][j] * arm[next]);
      }
    }
  }
  for (int k = 0; k < ELI_CONTACT_STIFFNESS_SIZE; k++) {
    const double along = normal[0] * slip[0][k] + normal[1] * slip[1][k] + normal[2] * slip[2][k];
    for (int i = 0; i < ELI_CONTACT_STIFFNESS_SIZE; i++)
      for (int a = 0; a < 3; a++) of->stiffness[i][k] += stiffness * slip[a][i] * (slip[a][k] - along * normal[a]);
  }
  of->turns = 1;
}

elastica_status eli_contact_find_stiffness(eli_contact *contact, void (*visit)(void *context, const eli_contact_stiffness *contact),
                                           void *context) {
  if (eli_contact_cover(contact, 0.0) < 0) return ELASTICA_OUT_OF_MEMORY;
  for (size_t k = 0; k < contact->count; k++) {
    eli_contact_stiffness of;
    if (find_stiffness(contact, k, &of)) visit(context, &of);
  }
  return ELASTICA_OK;
}
