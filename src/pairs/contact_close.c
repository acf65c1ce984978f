/* The close pairs of the list (see contact.h).
 *
 * The reach of the list is that of the step limit, some hundred pairs for each pair that touches. Most of them stay out of reach for many
 * steps. So the close pairs are stored, and found again after some element has moved by half their margin. The other pairs neither touch
 * nor have a history: no bit depends on the time of this search.
 */
#include "base/target.h"

#include "base/fetch.h"
#include "pairs/contact.h"

/* The margin, in the largest radius: a wider one lasts longer and has more pairs. */
#define MARGIN 0.05

/* The largest shrinkage of an element until the next search, as a share of its length, and its gain of thickness then. */
#define SHRINKAGE 0.98
#define THICKER 1.0102

/* Chooses the pairs of the list that are not far apart, and marks their elements. */
static void choose_close(eli_contact *contact) {
  contact->close_count = 0;
  for (int e = 0; e < contact->element_count; e++) contact->number[e] = -1;
  for (size_t k = 0; k < contact->count; k++) {
    const eli_contact_pair *pair = &contact->list[k];
    if (k + ELI_AHEAD < contact->count) __builtin_prefetch(&contact->outline[contact->list[k + ELI_AHEAD].number[1]]);
    if (eli_contact_is_far(contact, pair, THICKER, contact->margin)) continue;
    contact->close[contact->close_count++] = (eli_contact_close){.pair = k,
                                                                 .placed = {pair->number[0], pair->number[1]},
                                                                 .solid = (unsigned char)eli_contact_solid_of(contact, pair),
                                                                 .reduced = pair->reduction != 1.0};
    for (int side = 0; side < 2; side++) contact->number[pair->number[side]] = 0;
  }
}

/* Numbers the elements in close pairs, in order. */
static void number_placed(eli_contact *contact) {
  contact->placed_count = 0;
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    const int end = member->first + (member->rod != NULL ? member->rod->element_count : 0);
    member->first_placed = contact->placed_count;
    for (int e = member->first; e < end; e++) {
      if (contact->number[e] < 0) continue;
      contact->placed_element[contact->placed_count] = e;
      contact->number[e] = contact->placed_count++;
    }
    member->end_placed = contact->placed_count;
  }
  for (size_t k = 0; k < contact->close_count; k++)
    for (int side = 0; side < 2; side++) contact->close[k].placed[side] = contact->number[contact->close[k].placed[side]];
}

double eli_contact_slack(const eli_contact *contact) {
  return MARGIN * contact->largest_radius + 2.0 * (THICKER - 1.0) * contact->thickest;
}

/* Neither the close pairs nor the list have changed: while all are where they were when both were told to be enough, the list is not looked at. */
static int holds(eli_contact *contact) {
  return contact->margin > 0.0 && eli_contact_is_listed(contact) && !eli_contact_has_moved(contact, 1, 0.5 * contact->margin);
}

int eli_contact_find_close(eli_contact *contact) {
  if (!eli_contact_find_members(contact)) return 0;
  const int hold = holds(contact);
  if (hold && contact->is_enough) return 1;
  if (eli_contact_cover(contact, 0.0) < 0) return 0;
  if (hold && contact->margin > 0.0) return 1;
  contact->margin = MARGIN * contact->largest_radius;
  eli_contact_draw_outlines(contact);
  choose_close(contact);
  number_placed(contact);
  eli_contact_note_closer(contact, SHRINKAGE);
  contact->is_enough = contact->parts < 2 && !eli_contact_has_moved(contact, 0, 0.5 * (contact->reach - eli_contact_slack(contact)));
  return 1;
}
