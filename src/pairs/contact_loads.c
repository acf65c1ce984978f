/* What contact adds: loads with the history of friction (see contact.h). */
#include "base/target.h"

#include "base/module.h"
#include "base/section.h"
#include "base/vector.h"
#include "pairs/contact.h"

#include <string.h>

/* Pairs that a worker takes at once, and what one takes it [ns]. */
enum { SOME = 32 };
#define PAIR_WORK 150.0

/* ---- Loads ---- */

/* The tension that keeps the volume: a shorter element is thicker, and overlaps more (classical law). part [N] of it widens this one. */
static void add_tension(const elastica_rod_view *rod, int j, double part, const elastica_loads *loads) {
  const double tension = -part * 0.5 * eli_radius(rod->volume[j], rod->length[j]) / rod->length[j];
  for (int a = 0; a < 3; a++) {
    loads->force[a][j] += tension * rod->tangent[a][j];
    loads->force[a][j + 1] -= tension * rod->tangent[a][j];
  }
}

/* A node has the mean radius of its elements: half of what widens it widens either. */
static void add_tensions(const elastica_rod_view *rod, int j, const double widening[2], const elastica_loads *loads) {
  double own = 0.0;
  if (!rod->classical_law || rod->rigid) return;
  for (int end = 0; end < 2; end++) {
    const int beside = eli_contact_neighbour(rod, j, end);
    const double part = beside < 0 ? widening[end] : 0.5 * widening[end];
    own += part;
    if (beside >= 0) add_tension(rod, beside, part, loads);
  }
  add_tension(rod, j, own, loads);
}

static void apply(const eli_contact *contact, const eli_contact_pair *pair, const eli_touch *touch, const double friction[3],
                  const elastica_loads *loads) {
  for (int side = 0; side < 2; side++) {
    const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]);
    const int j = pair->element[side];
    double force[2][3], lever[3], rubbing[3], couple[3];
    memcpy(force, touch->line.force[side], sizeof force);
    for (int a = 0; a < 3; a++) {
      rubbing[a] = side ? -friction[a] : friction[a];
      lever[a] = touch->point[a] - touch->axis[side][a];
      const double second = touch->share[side] * rubbing[a];
      force[0][a] += rubbing[a] - second;
      force[1][a] += second;
    }
    eli_cross(lever, rubbing, couple);
    for (int a = 0; a < 3 && touch->solid && member->solid; a++) couple[a] += touch->couple[a];
    eli_capsule_push(&member->round, member->rod, j, (const double(*)[3])force, couple, &loads[pair->rod[side]]);
    if (!touch->solid)
      add_tensions(member->rod, j, touch->line.swelling[side], &loads[pair->rod[side]]);
    else if (member->rod->classical_law && !member->rod->rigid)
      add_tension(member->rod, j, touch->line.elastic, &loads[pair->rod[side]]);
  }
}

/* ---- History ---- */

/* A pair that is stiffer by more than this part of its stiffness at once has it from its neighbours. */
#define JUMP 0.1

/* k_t of a pair now. */
static double stiffness_of(const eli_contact *contact, size_t k) {
  eli_touch touch;
  return eli_contact_find(contact, k, &touch) ? touch.stiffness : 0.0;
}

/* The pairs with the next element before (0) or after (1) it on the first rod, or on the second one (2, 3); count: not in the list. */
static size_t beside(const eli_contact *contact, size_t k, int which) {
  eli_contact_pair pair = contact->list[k];
  const int side = which / 2,
            next = eli_contact_neighbour(eli_contact_member_of(contact, pair.rod[side])->rod, pair.element[side], which % 2);
  if (next < 0) return contact->count;
  pair.element[side] = next;
  return eli_contact_search(contact, &pair);
}

/* The part of the force of pair k, which goes down, that goes over to pair `to`: as much as that has grown of all that have beside it. */
static double part_for(const eli_contact *contact, size_t k, size_t to) {
  double growth = 0.0, own = 0.0;
  for (int which = 0; which < 4; which++) {
    const size_t other = beside(contact, k, which);
    if (other == contact->count) continue;
    const double more = stiffness_of(contact, other) - contact->rub[other].stiffness;
    if (!(more > 0.0)) continue;
    growth += more;
    if (other == to) own += more;
  }
  const double before = contact->rub[k].stiffness, lost = before - stiffness_of(contact, k);
  return lost > 0.0 && growth > 0.0 ? lost / before * (own / (growth > lost ? growth : lost)) : 0.0;
}

/* A line of contact that passes from one element to the next takes its history along. */
static void take_over(const eli_contact *contact, size_t k, eli_rub *rub) {
  for (int which = 0; which < 4; which++) {
    const size_t other = beside(contact, k, which);
    if (other == contact->count || !(contact->rub[other].stiffness > 0.0)) continue;
    const double part = part_for(contact, other, k);
    if (!(part > 0.0)) continue;
    for (int a = 0; a < 3; a++) rub->force[a] += part * contact->rub[other].force[a];
    if (!(rub->stiffness > 0.0)) memcpy(rub->normal, contact->rub[other].normal, sizeof rub->normal);
  }
}

/* What a pair starts a step with. */
static eli_rub history_of(const eli_contact *contact, size_t k, const eli_touch *touch) {
  eli_rub rub = contact->rub[k];
  if (touch->stiffness - rub.stiffness > JUMP * touch->stiffness) take_over(contact, k, &rub);
  return rub;
}

void eli_contact_friction(const eli_contact *contact, size_t k, const eli_touch *touch, double force[3]) {
  const double none[3] = {0.0, 0.0, 0.0};
  eli_rub rub = history_of(contact, k, touch);
  eli_rub_turn(&rub, touch->normal, 0.0);
  eli_rub_slip(&rub, none, touch->stiffness, contact->law.friction * touch->line.pressure);
  memcpy(force, rub.force, sizeof rub.force);
}

/* Friction after another step. */
static void rub_on(const eli_contact *contact, eli_rub *rub, const eli_touch *touch, double dt, double force[3]) {
  const double limit = contact->law.friction * touch->line.pressure;
  double slip[3];
  for (int a = 0; a < 3; a++) slip[a] = dt * touch->velocity[a];
  eli_rub_turn(rub, touch->normal, dt * touch->spin);
  eli_rub_slip(rub, slip, touch->stiffness, limit);
  eli_rub_force(rub, touch->velocity, contact->law.tangential_damping * touch->line.extent, limit, force);
}

/* One block of pairs, each of which is worked out by itself; then their loads are added in order. */
typedef struct block {
  const eli_contact *contact;
  const elastica_instant *now;
  size_t first, count;
  int stands, moves; /* friction is as it stands; history moves on */
} block;

static void work_out(const block *of, size_t place) {
  const eli_contact *contact = of->contact;
  const size_t k = contact->close[of->first + place];
  eli_contact_result *result = &contact->results[place];
  eli_rub *rub = &contact->next_rub[k];
  memset(result->friction, 0, sizeof result->friction);
  memset(rub, 0, sizeof *rub);
  result->touches = eli_contact_find(contact, k, &result->touch);
  if (!result->touches || !(contact->law.friction > 0.0)) return;
  if (of->stands) {
    eli_contact_friction(contact, k, &result->touch, result->friction);
    return;
  }
  *rub = history_of(contact, k, &result->touch);
  rub_on(contact, rub, &result->touch, of->now->dt, result->friction);
}

static void work_out_some(void *context, int worker, size_t index) {
  const block *of = context;
  (void)worker;
  for (size_t k = index * SOME; k < (index + 1) * SOME && k < of->count; k++) work_out(of, k);
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
  for (of->first = 0; of->first < contact->close_count; of->first += ELI_CONTACT_BLOCK) {
    const size_t left = contact->close_count - of->first;
    of->count = left < ELI_CONTACT_BLOCK ? left : ELI_CONTACT_BLOCK;
    eli_world_share(contact->world, (of->count + SOME - 1) / SOME, PAIR_WORK * (double)of->count, work_out_some, of);
    for (size_t k = 0; k < of->count; k++)
      if (contact->results[k].touches)
        apply(contact, &contact->list[contact->close[of->first + k]], &contact->results[k].touch, contact->results[k].friction,
              loads->loads);
  }
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
