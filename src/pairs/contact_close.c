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

static void find_thickness(const eli_contact *contact) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    const eli_contact_member *member = eli_contact_member_of(contact, r);
    for (int j = 0; member->rod != NULL && j < member->rod->element_count; j++) {
      eli_capsule at;
      eli_contact_place(contact, r, j, &at);
      contact->present[member->first + j] = THICKER * at.radius;
    }
  }
}

static int element_of(const eli_contact *contact, const eli_contact_pair *pair, int side) {
  return eli_contact_member_of(contact, pair->rod[side])->first + pair->element[side];
}

/* Notes the elements in close pairs, in order, and what the pairs are. */
static void complete_pairs(eli_contact *contact) {
  contact->placed_count = 0;
  for (int e = 0; e < contact->element_count; e++) contact->number[e] = -1;
  for (size_t k = 0; k < contact->close_count; k++)
    for (int side = 0; side < 2; side++) contact->number[element_of(contact, &contact->list[contact->close[k].pair], side)] = 0;
  for (int e = 0; e < contact->element_count; e++) {
    if (contact->number[e] < 0) continue;
    contact->placed_element[contact->placed_count] = e;
    contact->number[e] = contact->placed_count++;
  }
  for (size_t k = 0; k < contact->close_count; k++) {
    eli_contact_close *close = &contact->close[k];
    const eli_contact_pair *pair = &contact->list[close->pair];
    for (int side = 0; side < 2; side++) close->placed[side] = contact->number[element_of(contact, pair, side)];
    close->solid = eli_contact_solid_of(contact, pair);
  }
}

/* Of a pair of the list: where its nodes are; two stages before it, where their addresses stand, and three before, where that stands. */
ELI_FETCHES fetch_nodes(const eli_contact *contact, const eli_contact_pair *pair, int stage) {
  for (int side = 0; side < 2; side++) {
    const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]);
    const int j = pair->element[side];
    if (stage == 3) {
      eli_fetch(member, sizeof *member);
    } else if (stage == 2) {
      eli_fetch(member->rod, offsetof(elastica_rod_view, velocity));
      __builtin_prefetch(&contact->present[member->first + j]);
    } else {
      for (int a = 0; a < 3; a++) __builtin_prefetch(member->rod->position[a] + j);
    }
  }
}

/* Of the pairs of the list, those that are not far. */
static void choose_close(eli_contact *contact) {
  contact->close_count = 0;
  for (size_t k = 0; k < contact->count; k++) {
    for (int stage = 3; stage > 0; stage--)
      if (k + (size_t)stage * ELI_AHEAD < contact->count) fetch_nodes(contact, &contact->list[k + (size_t)stage * ELI_AHEAD], stage);
    if (!eli_contact_is_far(contact, &contact->list[k], contact->present, contact->margin)) contact->close[contact->close_count++].pair = k;
  }
}

void eli_contact_find_close(eli_contact *contact) {
  if (!(contact->margin > 0.0) || eli_contact_has_moved(contact, 1, 0.5 * contact->margin)) {
    contact->margin = MARGIN * contact->largest_radius;
    find_thickness(contact);
    choose_close(contact);
    complete_pairs(contact);
    eli_contact_note_closer(contact, SHRINKAGE);
    contact->left_behind = 2;
  }
  /* a pair that was close may have a history, which the ones beside it still see in this step */
  if (contact->left_behind > 0 && contact->count > 0) memset(contact->next_rub, 0, contact->count * sizeof *contact->next_rub);
}
