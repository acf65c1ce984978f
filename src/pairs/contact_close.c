/* Which pairs of the list are close (see contact.h).
 *
 * The list reaches as far as the step limit must see, some hundred pairs for each that touches. Most of them stay out of reach for many steps.
 * So the close ones are noted, and found again when something has moved by half the margin that they were given. The others neither touch nor
 * have a history: no bit depends on when this was done.
 */
#include "base/target.h"

#include "base/fetch.h"
#include "pairs/contact.h"

#include <string.h>

/* The margin in the largest radius: a wider one lasts longer and has more pairs. */
#define MARGIN 0.05

/* The share of its length to which an element may shrink until then, and how much thicker it is then. */
#define SHRINKAGE 0.98
#define THICKER 1.0102

/* Notes the elements in close pairs, in order, and what the pairs are. */
static void complete_pairs(eli_contact *contact) {
  contact->placed_count = 0;
  for (int e = 0; e < contact->element_count; e++) contact->number[e] = -1;
  for (size_t k = 0; k < contact->close_count; k++)
    for (int side = 0; side < 2; side++) contact->number[contact->list[contact->close[k].pair].number[side]] = 0;
  for (int e = 0; e < contact->element_count; e++) {
    if (contact->number[e] < 0) continue;
    contact->placed_element[contact->placed_count] = e;
    contact->number[e] = contact->placed_count++;
  }
  for (size_t k = 0; k < contact->close_count; k++) {
    eli_contact_close *close = &contact->close[k];
    const eli_contact_pair *pair = &contact->list[close->pair];
    for (int side = 0; side < 2; side++) close->placed[side] = contact->number[pair->number[side]];
    close->solid = eli_contact_solid_of(contact, pair);
  }
}

/* Of the pairs of the list, those that are not far. */
static void choose_close(eli_contact *contact) {
  contact->close_count = 0;
  for (size_t k = 0; k < contact->count; k++) {
    if (k + ELI_AHEAD < contact->count) __builtin_prefetch(&contact->outline[contact->list[k + ELI_AHEAD].number[1]]);
    if (!eli_contact_is_far(contact, &contact->list[k], THICKER, contact->margin)) contact->close[contact->close_count++].pair = k;
  }
}

void eli_contact_find_close(eli_contact *contact) {
  if (!(contact->margin > 0.0) || eli_contact_has_moved(contact, 1, 0.5 * contact->margin)) {
    contact->margin = MARGIN * contact->largest_radius;
    eli_contact_draw_outlines(contact);
    choose_close(contact);
    complete_pairs(contact);
    eli_contact_note_closer(contact, SHRINKAGE);
    contact->left_behind = 2;
  }
  /* a pair that was close may have a history, which the ones beside it still see in this step */
  if (contact->left_behind > 0 && contact->count > 0) memset(contact->next_rub, 0, contact->count * sizeof *contact->next_rub);
}
