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
static void find_column(const eli_line_law *law, const eli_line *now, eli_capsule at[2], int column, double (*out)[12]) {
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

/* At rest, without damper. */
static int find_press(const eli_contact *contact, const eli_contact_pair *pair, eli_press *out) {
  const eli_line_law law = {contact->law.line.modulus, 0.0};
  eli_capsule at[2];
  eli_line line;
  for (int side = 0; side < 2; side++) {
    out->rod[side] = eli_contact_member_of(contact, pair->rod[side])->rod;
    out->element[side] = pair->element[side];
    if (out->rod[side]->rigid) return 0;
    eli_contact_place_moving(contact, pair, side, &at[side]);
  }
  if (eli_contact_distance(&at[0], &at[1]) >= at[0].radius + at[1].radius || !eli_line_find(&at[0], &at[1], &law, &line)) return 0;
  for (int column = 0; column < 12; column++) find_column(&law, &line, at, column, out->stiffness);
  return 1;
}

elastica_status eli_contact_press(eli_contact *contact, void (*visit)(void *context, const eli_press *press), void *context) {
  if (eli_contact_cover(contact, 0.0) < 0) return ELASTICA_OUT_OF_MEMORY;
  for (size_t k = 0; k < contact->count; k++) {
    eli_press press;
    if (find_press(contact, &contact->list[k], &press)) visit(context, &press);
  }
  return ELASTICA_OK;
}
