/* Contact in a snapshot, and after the removal of a rod (see contact.h). */
#include "base/target.h"

#include "base/definition.h"
#include "pairs/contact.h"

#include <limits.h>
#include <string.h>

static int has_history(const eli_contact *contact, size_t k) {
  return eli_contact_history(contact, k).stiffness > 0.0;
}

int eli_contact_keep_history(eli_contact *contact) {
  contact->kept_count = 0;
  if (!(contact->law.friction > 0.0)) return 1;
  if (contact->count > contact->kept_capacity) {
    eli_contact_pair *list = eli_allocate(&contact->allocator, contact->capacity, sizeof *list);
    eli_stick_slip *history = eli_allocate_lines(&contact->allocator, contact->capacity, sizeof *history);
    const int found = list != NULL && history != NULL;
    eli_release(&contact->allocator, found ? contact->kept_list : list);
    eli_release_lines(&contact->allocator, found ? contact->kept_history : history);
    if (!found) return 0;
    contact->kept_list = list;
    contact->kept_history = history;
    contact->kept_capacity = contact->capacity;
  }
  for (size_t k = 0; k < contact->count; k++) {
    if (!has_history(contact, k)) continue;
    contact->kept_list[contact->kept_count] = contact->list[k];
    contact->kept_history[contact->kept_count++] = contact->history[k];
  }
  return 1;
}

/* Fills the list with the pairs that carry history; the next search builds it again. */
void eli_contact_put_back_history(eli_contact *contact) {
  if (!(contact->law.friction > 0.0)) return;
  for (size_t k = 0; k < contact->kept_count; k++) {
    contact->list[k] = contact->kept_list[k];
    contact->history[k] = contact->kept_history[k];
    contact->history[k].turn = contact->turn;
  }
  contact->count = contact->kept_count;
  eli_contact_outdate(contact);
}

void eli_contact_forget(eli_contact *contact, int rod_index) {
  size_t left = 0;
  for (size_t k = 0; k < contact->count; k++) {
    const eli_contact_pair *pair = &contact->list[k];
    if (pair->rod[0] == rod_index || pair->rod[1] == rod_index) continue;
    contact->history[left] = contact->history[k];
    contact->list[left++] = *pair;
  }
  contact->count = left;
  eli_contact_outdate(contact);
}

static void record_law(eli_contact_law *law, eli_record *record) {
  eli_record_finite(record, "modulus", &law->line.modulus, 1);
  eli_record_finite(record, "damping", &law->line.damping, 1);
  eli_record_finite(record, "friction", &law->friction, 1);
  eli_record_finite(record, "tangential_ratio", &law->tangential_ratio, 1);
  eli_record_finite(record, "tangential_damping", &law->tangential_damping, 1);
  eli_record_int(record, "first_group", &law->first_group, -1, INT_MAX);
  eli_record_int(record, "second_group", &law->second_group, -1, INT_MAX);
  eli_record_int(record, "self", &law->self, 0, 1);
  eli_record_doubles(record, &law->skip_length, 1);
  eli_record_doubles(record, &law->skin, 1);
}

static void record_pair(eli_contact_pair *pair, eli_stick_slip *history, int rod_count, eli_record *record) {
  for (int side = 0; side < 2; side++) {
    eli_record_int(record, "rod of a contact", &pair->rod[side], 0, rod_count - 1);
    eli_record_int(record, "element of a contact", &pair->element[side], 0, INT_MAX);
  }
  eli_record_finite(record, "friction of a contact", history->force, 3);
  eli_record_finite(record, "normal of a contact", history->normal, 3);
  eli_record_finite(record, "stiffness of a contact", &history->stiffness, 1);
  eli_record_int(record, "sticks", &history->sticks, 0, 1);
}

/* Records only pairs with a history: the search finds the others again. Memory is reserved while the record is checked. */
void eli_contact_keep(eli_contact *contact, eli_record *record) {
  const int rods = elastica_world_rod_count(contact->world);
  uint64_t count = 0;
  for (size_t k = 0; k < contact->count; k++) count += (uint64_t)has_history(contact, k);
  record_law(&contact->law, record);
  count = eli_record_word(record, count);
  if (record->use == ELI_RECORD_WRITE) {
    for (size_t k = 0; k < contact->count; k++)
      if (has_history(contact, k)) record_pair(&contact->list[k], &contact->history[k], rods, record);
    return;
  }
  const size_t room = record->size - record->at;
  if (record->wrong == NULL && (count > room / ELI_WORD || !eli_contact_reserve(contact, (size_t)count)))
    eli_record_blame(record, "the number of contacts", 0);
  for (size_t k = 0; k < count && record->wrong == NULL; k++) {
    eli_contact_pair pair;
    eli_stick_slip history;
    memset(&pair, 0, sizeof pair);
    memset(&history, 0, sizeof history);
    record_pair(&pair, &history, rods, record);
    if (record->use != ELI_RECORD_READ) continue;
    contact->list[k] = pair;
    contact->history[k] = history;
    contact->history[k].turn = contact->turn;
  }
  if (record->use != ELI_RECORD_READ) return;
  contact->count = (size_t)count;
  eli_contact_outdate(contact);
}
