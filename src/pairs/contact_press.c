/* The stiffness of contacts between rods (see contact.h): each pair by differences of its own forces.
 *
 * Borders and radii stay: a border that moves hands a line of contact from one pair to the next, which the two feel with opposite signs, and
 * the radius of an element changes by r/(2 l) of what its length does.
 *
 * test       tests/test_relax_touching.c
 */
#include "base/target.h"

#include "pairs/contact.h"

#include <string.h>

/* The displacement of a difference, in radii. */
#define DIFFERENCE 1e-6

/* One column: of an end of one of the two along an axis. */
static void find_column(const eli_line_law *law, const eli_line *now, eli_capsule at[2], int column, double (*out)[ELI_PRESS_SIZE]) {
  double *place = &at[column / 6].end[column % 6 / 3][column % 3];
  const double kept = *place, size = DIFFERENCE * at[column / 6].radius;
  eli_line then;
  *place = kept + size;
  const int touches = eli_line_find(&at[0], &at[1], law, &then);
  for (int row = 0; row < 12; row++) {
    const double force = touches ? then.force[row / 6][row % 6 / 3][row % 3] : 0.0;
    out[row][column] = (now->force[row / 6][row % 6 / 3][row % 3] - force) / (*place - kept);
  }
  *place = kept;
}

/* The tangential spring, where it does not slide. */
static void add_friction(const eli_contact *contact, size_t k, eli_press *out) {
  const eli_rub *rub = &contact->rub[k];
  eli_touch touch;
  double lever[2][3];
  if (!(contact->law.friction > 0.0) || (rub->stiffness > 0.0 && !rub->sticks) || !eli_contact_find(contact, k, &touch)) return;
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) lever[side][a] = touch.point[a] - touch.axis[side][a];
  eli_press_stick(out, touch.stiffness, touch.normal, touch.share, (const double(*)[3])lever);
}

/* At rest, without damper. */
static int find_press(const eli_contact *contact, size_t k, eli_press *out) {
  const eli_contact_pair *pair = &contact->list[k];
  const eli_line_law law = {contact->law.line.modulus, 0.0};
  eli_capsule at[2];
  eli_line line;
  memset(out, 0, sizeof *out);
  for (int side = 0; side < 2; side++) {
    out->rod[side] = eli_contact_member_of(contact, pair->rod[side])->rod;
    out->element[side] = pair->element[side];
    if (out->rod[side]->rigid) return 0;
    eli_contact_place_moving(contact, pair, side, &at[side]);
  }
  if (eli_contact_distance(&at[0], &at[1]) >= at[0].radius + at[1].radius || !eli_line_find(&at[0], &at[1], &law, &line)) return 0;
  for (int column = 0; column < 12; column++) find_column(&law, &line, at, column, out->stiffness);
  add_friction(contact, k, out);
  return 1;
}

/* Slip [m]: of the first against the second, by ends and frames. Its square over both directions across the normal is what the spring
 * holds. */
void eli_press_stick(eli_press *press, double stiffness, const double normal[3], const double share[2], const double lever[2][3]) {
  double slip[3][ELI_PRESS_SIZE] = {{0.0}};
  const int sides = press->rod[1] != NULL ? 2 : 1;
  for (int side = 0; side < sides; side++) {
    const double sign = side ? -1.0 : 1.0, *arm = lever[side];
    for (int a = 0; a < 3; a++) {
      slip[a][6 * side + a] = sign * (1.0 - share[side]);
      slip[a][6 * side + 3 + a] = sign * share[side];
      for (int b = 0; b < 3; b++) { /* a turn about director b: d_b x lever */
        const double *const *d = press->rod[side]->director[b];
        const int j = press->element[side], next = (a + 1) % 3, last = (a + 2) % 3;
        slip[a][12 + 3 * side + b] = sign * (d[next][j] * arm[last] - d[last][j] * arm[next]);
      }
    }
  }
  for (int k = 0; k < ELI_PRESS_SIZE; k++) {
    const double along = normal[0] * slip[0][k] + normal[1] * slip[1][k] + normal[2] * slip[2][k];
    for (int i = 0; i < ELI_PRESS_SIZE; i++)
      for (int a = 0; a < 3; a++) press->stiffness[i][k] += stiffness * slip[a][i] * (slip[a][k] - along * normal[a]);
  }
  press->rubs = 1;
}

elastica_status eli_contact_press(eli_contact *contact, void (*visit)(void *context, const eli_press *press), void *context) {
  if (eli_contact_cover(contact, 0.0) < 0) return ELASTICA_OUT_OF_MEMORY;
  for (size_t k = 0; k < contact->count; k++) {
    eli_press press;
    if (find_press(contact, k, &press)) visit(context, &press);
  }
  return ELASTICA_OK;
}
