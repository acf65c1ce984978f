/* What contact adds to loads (see contact.h). */
#include "base/target.h"

#include "base/fetch.h"
#include "base/module.h"
#include "base/section.h"
#include "base/vector.h"
#include "pairs/contact.h"

#include <string.h>

/* Pairs and elements that a worker takes at once, and what one takes it [ns]. */
enum { SOME = 128 };
#define PAIR_WORK 100.0
#define ELEMENT_WORK 30.0

/* ---- Where elements are ---- */

static void place_some(void *context, int worker, size_t index) {
  const eli_contact *contact = context;
  (void)worker;
  for (size_t p = index * SOME; p < (index + 1) * SOME && p < (size_t)contact->placed_count; p++) {
    const int element = contact->placed_element[p], rod = contact->owner[element];
    eli_contact_place_moving(contact, rod, element - eli_contact_member_of(contact, rod)->first, &contact->placed[p]);
  }
}

/* ---- Pairs ---- */

/* One block of pairs, each of which is worked out by itself; then their loads are added in order. */
typedef struct block {
  const eli_contact *contact;
  const elastica_instant *now;
  size_t first, count;
  int stands, moves; /* friction is as it stands; history moves on */
} block;

/* Forces on the ends, with friction at the middle of the contact, and what its lever turns. */
static void put_together(const eli_contact *contact, const eli_contact_pair *pair, const eli_touch *touch, const double friction[3],
                         eli_contact_result *out) {
  const eli_line_middle *middle = &touch->middle;
  memcpy(out->force, touch->line.force, sizeof out->force);
  memcpy(out->swelling, touch->line.swelling, sizeof out->swelling);
  out->solid_swelling = touch->solid ? touch->line.elastic : 0.0;
  for (int side = 0; side < 2; side++) {
    double lever[3], rubbing[3];
    for (int a = 0; a < 3; a++) {
      rubbing[a] = side ? -friction[a] : friction[a];
      lever[a] = middle->point[a] - middle->axis[side][a];
      const double second = middle->share[side] * rubbing[a];
      out->force[side][0][a] += rubbing[a] - second;
      out->force[side][1][a] += second;
    }
    eli_cross(lever, rubbing, out->couple[side]);
    if (touch->solid && eli_contact_member_of(contact, pair->rod[side])->solid)
      for (int a = 0; a < 3; a++) out->couple[side][a] += touch->couple[a];
  }
}

static void finish(const block *of, size_t place, const eli_touch *touch) {
  const eli_contact *contact = of->contact;
  const size_t k = contact->close[of->first + place].pair;
  double friction[3] = {0.0, 0.0, 0.0};
  if (contact->law.friction > 0.0 && of->stands)
    eli_contact_friction(contact, k, touch, friction);
  else if (contact->law.friction > 0.0)
    eli_contact_rub_on(contact, k, touch, of->now->dt, friction);
  contact->results[place].touches = 1;
  put_together(contact, &contact->list[k], touch, friction, &contact->results[place]);
}

/* Several pairs side by side, and their places in the block. */
typedef struct several {
  eli_lines lines;
  size_t place[ELI_LINES];
} several;

static void find_lines(const block *of, several *near) {
  if (near->lines.count == 0) return;
  of->contact->work->find_lines(&near->lines);
  for (int q = 0; q < near->lines.count; q++) {
    eli_touch touch;
    if (eli_contact_read(of->contact, &near->lines, q, &touch)) finish(of, near->place[q], &touch);
  }
  near->lines.count = 0;
}

/* Those of which any part is near go on. */
static void find_parts(const block *of, several *close, several *near) {
  of->contact->work->find_parts(&close->lines);
  for (int q = 0; q < close->lines.count; q++) {
    if (!(close->lines.near[q] > 0.0)) continue;
    const eli_contact_close *pair = &of->contact->close[of->first + close->place[q]];
    for (int side = 0; side < 2; side++) eli_lines_move(&near->lines, near->lines.count, side, &of->contact->placed[pair->placed[side]]);
    eli_lines_copy_parts(&close->lines, q, &near->lines, near->lines.count);
    near->place[near->lines.count++] = close->place[q];
    if (near->lines.count == ELI_LINES) find_lines(of, near);
  }
  close->lines.count = 0;
}

static void work_out(const block *of, size_t place, several *close) {
  const eli_contact *contact = of->contact;
  const eli_contact_close *at = &contact->close[of->first + place];
  const eli_contact_pair *pair = &contact->list[at->pair];
  contact->results[place].touches = 0;
  memset(&contact->next_rub[at->pair], 0, sizeof contact->next_rub[at->pair]);
  if (at->solid) {
    eli_touch touch;
    if (eli_contact_find_on_solid(contact, pair, at->solid, &contact->placed[at->placed[2 - at->solid]], &touch)) finish(of, place, &touch);
    return;
  }
  for (int side = 0; side < 2; side++)
    eli_lines_place(&close->lines, close->lines.count, side, &contact->placed[at->placed[side]], pair->goes_on[side]);
  close->place[close->lines.count++] = place;
}

ELI_FETCHES fetch_pair(const eli_contact *contact, const eli_contact_close *at) {
  for (int side = 0; side < 2; side++) eli_fetch(&contact->placed[at->placed[side]], sizeof contact->placed[0]);
  eli_fetch(&contact->rub[at->pair], sizeof contact->rub[0]);
  eli_fetch(&contact->next_rub[at->pair], sizeof contact->next_rub[0]);
}

static void work_out_some(void *context, int worker, size_t index) {
  const block *of = context;
  several close, near;
  (void)worker;
  eli_lines_begin(&close.lines, &of->contact->law.line);
  eli_lines_begin(&near.lines, &of->contact->law.line);
  const size_t end = (index + 1) * SOME < of->count ? (index + 1) * SOME : of->count;
  for (size_t k = index * SOME; k < end; k++) {
    if (k + ELI_AHEAD < end) fetch_pair(of->contact, &of->contact->close[of->first + k + ELI_AHEAD]);
    work_out(of, k, &close);
    if (close.lines.count == ELI_LINES) find_parts(of, &close, &near);
  }
  find_parts(of, &close, &near);
  find_lines(of, &near);
}

/* ---- Loads ---- */

static void widen(eli_contact_member *member, int node, double by) {
  member->widening[node] += by;
  if (node < member->first_widened) member->first_widened = node;
  if (node > member->last_widened) member->last_widened = node;
}

/* The tension that keeps the volume: a shorter element is thicker, and overlaps more (classical law). part [N] of it widens this one. */
static void add_tension(const elastica_rod_view *rod, int j, double part, const elastica_loads *loads) {
  const double tension = -part * 0.5 * eli_radius(rod->volume[j], rod->length[j]) / rod->length[j];
  for (int a = 0; a < 3; a++) {
    loads->force[a][j] += tension * rod->tangent[a][j];
    loads->force[a][j + 1] -= tension * rod->tangent[a][j];
  }
}

static void apply(const eli_contact *contact, const eli_contact_pair *pair, const eli_contact_result *of, const elastica_loads *loads) {
  for (int side = 0; side < 2; side++) {
    eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]);
    const elastica_rod_view *rod = member->rod;
    const int j = pair->element[side];
    eli_capsule_push(&member->round, rod, j, of->force[side], of->couple[side], &loads[pair->rod[side]]);
    if (!rod->classical_law || rod->rigid) continue;
    widen(member, j, of->swelling[side][0]);
    widen(member, eli_second_node(rod, j), of->swelling[side][1]);
    if (of->solid_swelling != 0.0) add_tension(rod, j, of->solid_swelling, &loads[pair->rod[side]]);
  }
}

/* Lanes that a pair writes to, and frames; two stages before it, where their addresses stand, and three before, where that stands. */
ELI_FETCHES fetch_loads(const eli_contact *contact, const eli_contact_pair *pair, const elastica_loads *loads, int stage) {
  for (int side = 0; side < 2; side++) {
    const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]);
    const elastica_loads *out = &loads[pair->rod[side]];
    const int j = pair->element[side];
    if (stage == 3) {
      eli_fetch(member, sizeof *member);
      eli_fetch(out, sizeof *out);
    } else if (stage == 2) {
      eli_fetch(&member->rod->director, sizeof member->rod->director);
    } else {
      __builtin_prefetch(member->widening + j);
      for (int a = 0; a < 3; a++) {
        __builtin_prefetch(out->force[a] + j);
        __builtin_prefetch(out->couple[a] + j);
        for (int b = 0; b < 3; b++) __builtin_prefetch(member->rod->director[a][b] + j);
      }
    }
  }
}

/* Of a block, in order. */
static void apply_all(const block *of, const elastica_loads *loads) {
  const eli_contact *contact = of->contact;
  const eli_contact_close *close = contact->close + of->first;
  for (size_t k = 0; k < of->count; k++) {
    for (int stage = 3; stage > 0; stage--) {
      const size_t ahead = k + (size_t)stage * ELI_AHEAD;
      if (ahead < of->count && contact->results[ahead].touches) fetch_loads(contact, &contact->list[close[ahead].pair], loads, stage);
    }
    if (contact->results[k].touches) apply(contact, &contact->list[close[k].pair], &contact->results[k], loads);
  }
}

/* A node has the mean radius of its elements: half of what widens it widens either. */
static void add_tensions(eli_contact_member *member, const elastica_loads *loads) {
  const elastica_rod_view *rod = member->rod;
  const int first = member->first_widened, last = member->last_widened, n = rod->element_count;
  for (int j = first - 1; j <= last && j < n; j++) {
    const int own = j < 0 ? n - 1 : j; /* of a ring, the last element is before node 0 */
    double part = 0.0;
    if (j < 0 && (!rod->closed || last >= n - 1)) continue;
    for (int end = 0; end < 2; end++)
      part += (eli_contact_neighbour(rod, own, end) < 0 ? 1.0 : 0.5) * member->widening[end ? eli_second_node(rod, own) : own];
    if (part != 0.0) add_tension(rod, own, part, loads);
  }
  for (int i = first; i <= last; i++) member->widening[i] = 0.0;
  member->first_widened = n + 1;
  member->last_widened = -1;
}

static void add_all_tensions(const eli_contact *contact, const elastica_loads *loads) {
  for (int r = contact->first_rod; r < contact->end_rod; r++) {
    eli_contact_member *member = eli_contact_member_of(contact, r);
    if (member->rod != NULL && member->last_widened >= member->first_widened) add_tensions(member, &loads[r]);
  }
}

/* ---- All ---- */

/* Whether states of rest are tried one after the other. */
static int has_slips(const eli_contact *contact) {
  elastica_rod_view view;
  for (int k = 0; k < contact->end_rod - contact->first_rod; k++)
    if (contact->members[k].rod != NULL) return eli_world_slips(contact->world, contact->first_rod + k, &view);
  return 0;
}

/* Gives members the views of what has moved since the last state of rest, and ends what depends on speed. Returns 0 where there is none;
 * -1 when memory runs out. */
static int begin_slips(eli_contact *contact) {
  const int count = contact->end_rod - contact->first_rod;
  if (!(contact->law.friction > 0.0) || !has_slips(contact)) return 0;
  if (count > contact->slipping_count) {
    elastica_rod_view *larger = eli_allocate(&contact->allocator, (size_t)count, sizeof *larger);
    if (larger == NULL) return -1;
    eli_release(&contact->allocator, contact->slipping);
    contact->slipping = larger;
    contact->slipping_count = count;
  }
  for (int k = 0; k < count; k++) {
    if (contact->members[k].rod == NULL) continue;
    (void)eli_world_slips(contact->world, contact->first_rod + k, &contact->slipping[k]);
    contact->members[k].rod = &contact->slipping[k];
  }
  contact->law.line.damping = contact->law.tangential_damping = 0.0;
  return 1;
}

static void end_slips(eli_contact *contact, const eli_contact_law *law) {
  contact->law = *law;
  for (int k = 0; k < contact->end_rod - contact->first_rod; k++)
    if (contact->members[k].rod != NULL)
      contact->members[k].rod = elastica_rod_get_view(elastica_world_rod(contact->world, contact->first_rod + k));
}

static void act(eli_contact *contact, block *of, const elastica_world_loads *loads) {
  const size_t placed = (size_t)contact->placed_count;
  eli_world_share(contact->world, (placed + SOME - 1) / SOME, ELEMENT_WORK * (double)placed, place_some, contact);
  for (of->first = 0; of->first < contact->close_count; of->first += ELI_CONTACT_BLOCK) {
    const size_t left = contact->close_count - of->first;
    of->count = left < ELI_CONTACT_BLOCK ? left : ELI_CONTACT_BLOCK;
    eli_world_share(contact->world, (of->count + SOME - 1) / SOME, PAIR_WORK * (double)of->count, work_out_some, of);
    apply_all(of, loads->loads);
  }
  add_all_tensions(contact, loads->loads);
  contact->measured = 0;
  if (of->moves) eli_contact_move_on(contact);
  if (of->moves && contact->left_behind > 0) contact->left_behind--;
}

elastica_status eli_contact_act(eli_contact *contact, const elastica_instant *now, elastica_world_loads *loads) {
  if (eli_contact_cover(contact, 0.0) < 0) return ELASTICA_OUT_OF_MEMORY;
  eli_contact_find_close(contact);
  const int still = eli_world_stands_still(contact->world);
  const eli_contact_law law = contact->law;
  const int slips = still ? begin_slips(contact) : 0;
  if (slips < 0) return ELASTICA_OUT_OF_MEMORY;
  if (contact->close_count > (size_t)contact->element_count / 4) eli_contact_measure(contact);
  block of = {.contact = contact, .now = now, .stands = still && !slips};
  of.moves = still ? slips && eli_world_keeps(contact->world) : !eli_world_asks(contact->world);
  act(contact, &of, loads);
  if (slips) end_slips(contact, &law);
  return ELASTICA_OK;
}
