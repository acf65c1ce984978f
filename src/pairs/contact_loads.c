/* Loads of contact (see contact.h). */
#include "base/target.h"

#include "base/fetch.h"
#include "base/module.h"
#include "rod/law.h"
#include "base/vector.h"
#include "pairs/contact.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The number of pairs or elements per task of a worker, and the time of one of them [ns]. */
enum { SOME = 128 };
#define PAIR_WORK 100.0
#define ELEMENT_WORK 30.0

/* ---- Placing elements ---- */

/* Arguments of the task that places elements and opens their sums. */
typedef struct placing {
  const eli_contact *contact;
  const elastica_loads *loads;
} placing;

static void place(const eli_contact *contact, int rod, int j, eli_contact_placed *out) {
  const elastica_rod_view *view = eli_contact_member_of(contact, rod)->rod;
  eli_contact_place_moving(contact, rod, j, &out->at);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) out->director[3 * a + b] = view->director[a][b][j];
  eli_spin_of(view, view->rigid ? 0 : j, out->spin);
  eli_contact_find_sums(contact, rod, j, out->sum);
  out->swells = view->classical_law && !view->rigid;
  out->rigid = view->rigid;
}

static void place_some(void *context, int worker, size_t index) {
  const placing *of = context;
  const eli_contact *contact = of->contact;
  (void)worker;
  for (size_t p = index * SOME; p < (index + 1) * SOME && p < (size_t)contact->placed_count; p++) {
    const int element = contact->placed_element[p], rod = contact->owner[element], j = element - eli_contact_member_of(contact, rod)->first;
    place(contact, rod, j, &contact->placed[p]);
    eli_contact_open_sums(contact, rod, j, of->loads);
  }
}

/* ---- Pairs ---- */

/* One block of pairs. The pairs are computed independently; then their loads are added in order. */
typedef struct block {
  const eli_contact *contact;
  const elastica_instant *now;
  size_t first, count;
  int stands, moves; /* stands 1: friction of the present state; moves 1: the history advances */
} block;

/* Computes forces on the ends, with friction at the middle of the contact, and the couple of friction about the axis. */
static void put_together(const eli_contact *contact, const eli_contact_pair *pair, const eli_touch *touch, const double friction[3],
                         eli_contact_result *out) {
  const eli_line_middle *middle = &touch->middle;
  memcpy(out->force, touch->line.force, sizeof out->force);
  for (int side = 0; side < 2; side++)
    for (int end = 0; end < 2; end++) out->swelling[side][end] = pair->reduction * touch->line.swelling[side][end];
  out->solid_swelling = touch->solid ? touch->line.elastic : 0.0;
  for (int side = 0; side < 2; side++) {
    double lever[3], own[3];
    for (int a = 0; a < 3; a++) {
      own[a] = side ? -friction[a] : friction[a];
      lever[a] = middle->point[a] - middle->axis[side][a];
      const double second = middle->share[side] * own[a];
      out->force[side][0][a] += own[a] - second;
      out->force[side][1][a] += second;
    }
    eli_cross(lever, own, out->couple[side]);
    if (touch->solid && eli_contact_member_of(contact, pair->rod[side])->solid)
      for (int a = 0; a < 3; a++) out->couple[side][a] += touch->couple[a];
  }
}

/* Moves all forces on a body to its centre: its two ends are one node. */
static void move_to_centre(const eli_contact_member *member, double force[2][3], double moment[3]) {
  double arm[3], difference[3], turning[3];
  eli_round_arm(&member->round, member->rod, arm);
  for (int a = 0; a < 3; a++) difference[a] = force[1][a] - force[0][a];
  eli_cross(arm, difference, turning);
  for (int a = 0; a < 3; a++) {
    force[0][a] += force[1][a];
    force[1][a] = -0.0;
    moment[a] += turning[a];
  }
}

/* Sets the sums that receive the loads, and converts the loads to the components used there. */
static void address(const eli_contact *contact, const eli_contact_close *close, eli_contact_result *out) {
  for (int side = 0; side < 2; side++) {
    const eli_contact_placed *placed = &contact->placed[close->placed[side]];
    const double *q = placed->director;
    double *moment = out->couple[side];
    memcpy(out->sum[side], placed->sum, sizeof placed->sum);
    if (placed->rigid) move_to_centre(eli_contact_member_of(contact, contact->list[close->pair].rod[side]), out->force[side], moment);
    const int turns = moment[0] != 0.0 || moment[1] != 0.0 || moment[2] != 0.0;
    const double m[3] = {moment[0], moment[1], moment[2]};
    for (int a = 0; a < 3; a++) moment[a] = turns ? q[3 * a] * m[0] + q[3 * a + 1] * m[1] + q[3 * a + 2] * m[2] : -0.0;
    for (int end = 0; end < 2 && !placed->swells; end++) out->swelling[side][end] = -0.0;
  }
}

/* Returns 1 if the centre line of the thinner element has reached the surface of the other: one step later they may have passed through
 * each other. On a box or cylinder, returns 1 if the element passes through the surface in this step. */
static int has_sunk(const block *of, const eli_contact_close *close, const eli_touch *touch) {
  const eli_contact *contact = of->contact;
  const eli_capsule *one = &contact->placed[close->placed[0]].at, *other = &contact->placed[close->placed[1]].at;
  const double least = one->rest_radius < other->rest_radius ? one->rest_radius : other->rest_radius;
  return touch->solid ? of->moves && eli_contact_crosses(contact, close, touch->line.depth, of->now->dt)
                      : touch->line.depth >= contact->list[close->pair].reduction * least;
}

static void finish(const block *of, size_t place, const eli_touch *touch) {
  const eli_contact *contact = of->contact;
  const eli_contact_close *close = &contact->close[of->first + place];
  const size_t k = close->pair;
  double friction[3] = {0.0, 0.0, 0.0};
  if (contact->law.friction > 0.0 && of->stands)
    eli_contact_friction(contact, k, touch, friction);
  else if (contact->law.friction > 0.0)
    eli_contact_step_friction(contact, close, touch, of->now->dt, friction);
  contact->results[place].touches = 1;
  contact->results[place].sunk = has_sunk(of, close, touch);
  put_together(contact, &contact->list[k], touch, friction, &contact->results[place]);
  address(contact, close, &contact->results[place]);
}

/* Several pairs side by side, and their positions in the block. */
typedef struct several {
  eli_lines lines;
  eli_stick_slips springs;
  size_t place[ELI_LINES];
} several;

/* Stores the result of one of them, with its friction. */
static void finish_line(const block *of, const several *near, int q) {
  const eli_contact *contact = of->contact;
  const eli_lines *lines = &near->lines;
  const eli_contact_close *close = &contact->close[of->first + near->place[q]];
  eli_contact_result *out = &contact->results[near->place[q]];
  const double first = lines->rest_radius[0][q], second = lines->rest_radius[1][q];
  out->touches = 1;
  out->sunk = lines->depth[q] >= (first < second ? first : second);
  out->solid_swelling = 0.0;
  for (int side = 0; side < 2; side++) {
    for (int end = 0; end < 2; end++) {
      for (int a = 0; a < 3; a++) out->force[side][end][a] = lines->force[side][end][a][q];
      out->swelling[side][end] = lines->swelling[side][end][q];
    }
    for (int a = 0; a < 3; a++) out->couple[side][a] = near->springs.couple[side][a][q];
  }
  address(contact, close, out);
}

/* Pairs with some part within reach, sorted by kind: the pairs side by side then have about the same number of cells, and the ends of
 * elements are within reach in all or in none of them. */
enum { KINDS = 8 };
typedef struct near_pair {
  size_t place;
  double low, high; /* part within reach of the first element */
  int kind;
} near_pair;

typedef struct near_pairs {
  near_pair pair[SOME];
  int count, kinds[KINDS];
} near_pairs;

static void add_near(const eli_contact *contact, const eli_contact_close *at, size_t place, double low, double high, near_pairs *near) {
  const eli_capsule *one = &contact->placed[at->placed[0]].at, *other = &contact->placed[at->placed[1]].at;
  const double cell = ELI_LONGEST_CELL * (one->rest_radius + other->rest_radius), length = (high - low) * one->measure;
  const int cells = (length > cell) + (length > 2.0 * cell) + (length > 3.0 * cell);
  const int kind = 2 * cells + (low == 0.0 || high == 1.0);
  near->pair[near->count++] = (near_pair){place, low, high, kind};
  near->kinds[kind]++;
}

static void reduce(const eli_contact *contact, const eli_contact_close *close, eli_lines *lines, int q, int moved) {
  if (close->reduced) eli_lines_reduce(lines, q, moved, contact->list[close->pair].reduction);
}

static void find_several(const block *of, several *near) {
  const eli_contact *contact = of->contact;
  const int steps_friction = contact->law.friction > 0.0 && !of->stands;
  const eli_contact_close *close[ELI_LINES];
  contact->work->find_lines(&near->lines);
  for (int q = 0; q < near->lines.count; q++) close[q] = &contact->close[of->first + near->place[q]];
  if (steps_friction) eli_contact_step_friction_lines(contact, close, &near->lines, &near->springs);
  for (int q = 0; q < near->lines.count; q++) {
    eli_touch touch;
    if (!(near->lines.depth[q] > 0.0)) continue;
    if (!steps_friction && contact->law.friction > 0.0 && eli_contact_read(contact, &near->lines, q, &touch))
      finish(of, near->place[q], &touch);
    else
      finish_line(of, near, q);
  }
  near->lines.count = 0;
}

static void find_lines(const block *of, const near_pairs *near, several *lines) {
  const eli_contact *contact = of->contact;
  int order[SOME], next[KINDS], first = 0;
  for (int kind = 0; kind < KINDS; kind++) {
    next[kind] = first;
    first += near->kinds[kind];
  }
  for (int k = 0; k < near->count; k++) order[next[near->pair[k].kind]++] = k;
  for (int k = 0; k < near->count; k++) {
    const near_pair *pair = &near->pair[order[k]];
    const eli_contact_close *close = &contact->close[of->first + pair->place];
    const int q = lines->lines.count++;
    for (int side = 0; side < 2; side++) eli_lines_move(&lines->lines, q, side, &contact->placed[close->placed[side]].at);
    reduce(contact, close, &lines->lines, q, 1);
    lines->lines.low[0][q] = pair->low;
    lines->lines.high[0][q] = pair->high;
    lines->place[q] = pair->place;
    if (lines->lines.count == ELI_LINES || k + 1 == near->count) find_several(of, lines);
  }
}

/* Fetches the data that are not read until all of the near pairs are known. */
ELI_FETCHES fetch_rest(const eli_contact *contact, const eli_contact_close *close) {
  enum { REST = offsetof(eli_contact_placed, at.velocity) };
  for (int side = 0; side < 2; side++)
    eli_fetch((const char *)&contact->placed[close->placed[side]] + REST, sizeof contact->placed[0] - REST);
  __builtin_prefetch(&contact->history[close->pair]);
  __builtin_prefetch(&contact->next_history[close->pair], 1);
}

/* Passes on the pairs with some part within reach. */
static void find_parts(const block *of, several *close, near_pairs *near) {
  of->contact->work->find_parts(&close->lines);
  for (int q = 0; q < close->lines.count; q++) {
    const double low = close->lines.low[0][q], high = close->lines.high[0][q];
    const eli_contact_close *at = &of->contact->close[of->first + close->place[q]];
    if (!(low < high)) continue;
    fetch_rest(of->contact, at);
    add_near(of->contact, at, close->place[q], low, high, near);
  }
  close->lines.count = 0;
}

static void work_out(const block *of, size_t place, several *close) {
  const eli_contact *contact = of->contact;
  const eli_contact_close *at = &contact->close[of->first + place];
  contact->results[place].touches = 0;
  if (at->solid) {
    eli_touch touch;
    if (eli_contact_find_on_solid(contact, &contact->list[at->pair], at->solid, &contact->placed[at->placed[2 - at->solid]].at, &touch))
      finish(of, place, &touch);
    return;
  }
  for (int side = 0; side < 2; side++) eli_lines_place(&close->lines, close->lines.count, side, &contact->placed[at->placed[side]].at);
  reduce(contact, at, &close->lines, close->lines.count, 0);
  close->place[close->lines.count++] = place;
}

ELI_FETCHES fetch_pair(const eli_contact *contact, const eli_contact_close *at) {
  for (int side = 0; side < 2; side++) eli_fetch(&contact->placed[at->placed[side]], offsetof(eli_capsule, radius));
}

static void work_out_some(void *context, int worker, size_t index) {
  const block *of = context;
  several close;
  near_pairs near = {.count = 0, .kinds = {0}};
  (void)worker;
  eli_lines_begin(&close.lines, &of->contact->law.line);
  eli_contact_begin_friction_lines(of->contact, of->now->dt, &close.springs);
  const size_t end = (index + 1) * SOME < of->count ? (index + 1) * SOME : of->count;
  for (size_t k = index * SOME; k < end; k++) {
    if (k + ELI_AHEAD < end) fetch_pair(of->contact, &of->contact->close[of->first + k + ELI_AHEAD]);
    work_out(of, k, &close);
    if (close.lines.count == ELI_LINES) find_parts(of, &close, &near);
  }
  find_parts(of, &close, &near);
  find_lines(of, &near, &close);
}

/* ---- Loads ---- */

static void apply(const eli_contact *contact, const eli_contact_close *close, const eli_contact_result *of) {
  for (int side = 0; side < 2; side++) {
    eli_contact_sum *first = &contact->sums[of->sum[side][0]], *second = &contact->sums[of->sum[side][1]];
    for (int a = 0; a < 3; a++) {
      first->force[a] += of->force[side][0][a];
      first->couple[a] += of->couple[side][a];
      second->force[a] += of->force[side][1][a];
    }
    first->widening += of->swelling[side][0];
    second->widening += of->swelling[side][1];
    if (of->solid_swelling == 0.0 || !contact->placed[close->placed[side]].swells) continue;
    const eli_contact_pair *pair = &contact->list[close->pair];
    eli_contact_add_tension(contact, pair->rod[side], pair->element[side], of->solid_swelling);
  }
}

static void note_sunk(eli_contact *contact, size_t k) {
  for (int side = 0; side < 2; side++) eli_contact_member_of(contact, contact->list[k].rod[side])->sunk = 1;
  if (contact->sunk == SIZE_MAX) contact->sunk = k;
}

static void forget_sunk(eli_contact *contact) {
  for (int r = contact->first_rod; r < contact->end_rod && contact->sunk != SIZE_MAX; r++) eli_contact_member_of(contact, r)->sunk = 0;
  contact->sunk = SIZE_MAX;
}

/* Applies the results of a block, in order. */
static void apply_all(const block *of, eli_contact *contact) {
  for (size_t k = 0; k < of->count; k++) {
    const eli_contact_result *ahead = &contact->results[k + ELI_AHEAD < of->count ? k + ELI_AHEAD : k];
    for (int side = 0; side < 2 && ahead->touches; side++)
      for (int end = 0; end < 2; end++) __builtin_prefetch(&contact->sums[ahead->sum[side][end]], 1);
    if (!contact->results[k].touches) continue;
    apply(contact, &contact->close[of->first + k], &contact->results[k]);
    if (contact->results[k].sunk) note_sunk(contact, contact->close[of->first + k].pair);
  }
}

/* ---- Contact in a step and in statics ---- */

/* Returns 1 if statics tries displacements one after the other, with friction by slip. */
static int has_slips(const eli_contact *contact) {
  elastica_rod_view view;
  for (int k = 0; k < contact->end_rod - contact->first_rod; k++)
    if (contact->members[k].rod != NULL) return eli_world_slips(contact->world, contact->first_rod + k, &view);
  return 0;
}

/* Gives the members views with the displacements since the last accepted state as velocities, and switches damping off. Returns 0 without
 * such displacements; -1 without memory. */
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
  eli_contact_begin_turn(contact);
  forget_sunk(contact);
  placing at = {contact, loads->loads};
  eli_world_share(contact->world, (placed + SOME - 1) / SOME, ELEMENT_WORK * (double)placed, place_some, &at);
  for (of->first = 0; of->first < contact->close_count; of->first += ELI_CONTACT_BLOCK) {
    const size_t left = contact->close_count - of->first;
    of->count = left < ELI_CONTACT_BLOCK ? left : ELI_CONTACT_BLOCK;
    eli_world_share(contact->world, (of->count + SOME - 1) / SOME, PAIR_WORK * (double)of->count, work_out_some, of);
    apply_all(of, contact);
  }
  eli_contact_close_sums(contact, loads->loads);
  contact->measured = 0;
  if (of->moves) eli_contact_move_on(contact);
}

static elastica_status fail(const eli_contact *contact) {
  const eli_contact_pair *pair = &contact->list[contact->sunk];
  (void)eli_world_explain(contact->world, contact, "rod %d, element %d and rod %d, element %d would pass through each other", pair->rod[0],
                          pair->element[0], pair->rod[1], pair->element[1]);
  return ELASTICA_UNSTABLE_STEP;
}

elastica_status eli_contact_act(eli_contact *contact, const elastica_instant *now, elastica_world_loads *loads) {
  if (!eli_contact_find_close(contact)) return ELASTICA_OUT_OF_MEMORY;
  const int still = eli_world_stands_still(contact->world);
  const eli_contact_law law = contact->law;
  const int slips = still ? begin_slips(contact) : 0;
  if (slips < 0) return ELASTICA_OUT_OF_MEMORY;
  if (contact->close_count > (size_t)contact->element_count / 4) eli_contact_measure(contact);
  block of = {.contact = contact, .now = now, .stands = still && !slips};
  of.moves = still ? slips && eli_world_keeps(contact->world) : !eli_world_asks(contact->world);
  act(contact, &of, loads);
  if (slips) end_slips(contact, &law);
  return !still && contact->sunk != SIZE_MAX ? fail(contact) : ELASTICA_OK;
}
