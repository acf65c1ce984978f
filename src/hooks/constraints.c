/* Constraints: calls the hooks that write positions, frames, velocities and spins, and checks the written values; writes prescribed values
 * into an outdated state; finds prescribed motions of boundaries that no rod can follow, for sentences.
 *
 * models     a number that is not finite spreads within a step, and a frame that is not a rotation remains wrong: both are checked at once.
 *            Boundaries check their prescribed values themselves, so that only rods with a user's constraints are checked here
 *            jump: the prescribed position moves by more than a tenth of the adjacent element's length in one step, or the prescribed frame
 *            turns by more than half a radian. Conflict: two effects prescribe different positions or velocities on the same axis of a
 *            node, or different frames or spins of an element. The effect that was added last prevails
 * test       tests/test_prepare.c, tests/test_diagnosis.c, tests/test_check_scene.c
 */
#include "base/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hooks/built_in.h"
#include "hooks/effects.h"
#include "hooks/work.h"
#include "rod/rod_data.h"
#include "state/definition.h"
#include "state/prescribed.h"

/* ---- Checked calls of constraints ---- */

static void gather_frame(double *const *lane, size_t slot, double q[9]) {
  for (int a = 0; a < 9; a++) q[a] = lane[a][slot];
}

/* Returns the first element with a frame that is not a rotation, or count. In a rotation d1 and d2 are orthonormal and d3 = d1 x d2. The
 * first loop is vectorised and finds only candidates; the second loop decides. */
static int wrong_frame(double *const *lane, size_t first, int count) {
  const double near = 0.25e-9;
  int suspect = 0;
  for (size_t j = first; j < first + (size_t)count; j++) {
    const double x1 = lane[0][j], y1 = lane[1][j], z1 = lane[2][j], x2 = lane[3][j], y2 = lane[4][j], z2 = lane[5][j];
    const double size1 = x1 * x1 + y1 * y1 + z1 * z1 - 1.0, size2 = x2 * x2 + y2 * y2 + z2 * z2 - 1.0, skew = x1 * x2 + y1 * y2 + z1 * z2;
    const double x = y1 * z2 - z1 * y2 - lane[6][j], y = z1 * x2 - x1 * z2 - lane[7][j], z = x1 * y2 - y1 * x2 - lane[8][j];
    suspect |= !(size1 * size1 + size2 * size2 + skew * skew + (x * x + y * y + z * z) <= near * near);
  }
  for (int j = 0; j < count && suspect; j++) {
    double q[9];
    gather_frame(lane, first + (size_t)j, q);
    if (!eli_is_frame(q)) return j;
  }
  return count;
}

/* Returns the first node or element with a vector that is not finite, or count. */
static int wrong_vector(double *const *lane, size_t first, int count) {
  for (int i = 0; i < count; i++)
    for (int a = 0; a < 3; a++)
      if (!eli_is_finite(lane[a][first + (size_t)i])) return i;
  return count;
}

static int wrong_place(const elastica_rod *rod, int lane) {
  double *const *lanes = rod->world->bodies.slab.lane + lane;
  const int count = lane == ELI_POSITION || lane == ELI_VELOCITY ? rod->body->view.node_count : rod->body->view.element_count;
  const int place = lane == ELI_DIRECTOR ? wrong_frame(lanes, rod->offset, count) : wrong_vector(lanes, rod->offset, count);
  return place < count ? place : -1;
}

typedef struct writing {
  const eli_tile_work *work;
  elastica_rod *rod;
  eli_hook hook;
  elastica_instant now;
  elastica_state *state;
} writing;

/* Returns 1 if this effect wrote the wrong value: the slot is set to a neutral value and the hook is called again. If the result is 0, the
 * wrong value is restored. */
static int did_write(const writing *w, const elastica_effect *effect, int lane, int place) {
  double *const *lanes = w->rod->world->bodies.slab.lane + lane;
  const size_t slot = w->rod->offset + (size_t)place;
  const int width = lane == ELI_DIRECTOR ? 9 : 3;
  double kept[9];
  eli_tile_report ignored = {0};
  for (int a = 0; a < width; a++) {
    kept[a] = lanes[a][slot];
    lanes[a][slot] = eli_slab_neutral(lane + a);
  }
  eli_call_hook(effect, w->hook, w->rod, &w->now, w->state, &ignored);
  const int wrote = lane == ELI_DIRECTOR ? wrong_frame(lanes, slot, 1) == 0 : wrong_vector(lanes, slot, 1) == 0;
  for (int a = 0; a < width && !wrote; a++) lanes[a][slot] = kept[a];
  return wrote;
}

/* The value that is not finite, or the defect of a frame. */
static void note_value(double *const *lanes, size_t slot, eli_tile_report *report) {
  double frame[9];
  const int is_frame = report->lane == ELI_DIRECTOR;
  for (int a = 0; a < 9; a++) frame[a] = is_frame || a < 3 ? lanes[a][slot] : 0.0;
  for (report->axis = 0; !is_frame && report->axis < 2 && eli_is_finite(frame[report->axis]);) report->axis++;
  report->wrong = is_frame ? eli_frame_defect(frame) : frame[report->axis];
}

static void examine(const writing *w, const elastica_effect *effect, int lane) {
  const int place = wrong_place(w->rod, lane);
  if (place < 0 || !did_write(w, effect, lane, place)) return;
  eli_tile_report *report = w->work->report;
  const eli_tile_report before = *report;
  eli_report_hook(report, ELASTICA_CALLBACK_FAILED, w->rod, effect, w->hook);
  if (before.status != ELASTICA_OK && before.rod_index <= w->rod->index) return;
  report->fault = ELI_WROTE;
  report->lane = lane;
  report->place = place;
  note_value(w->rod->world->bodies.slab.lane + lane, w->rod->offset + (size_t)place, report);
}

/* Inline, because with a constant hook a boundary costs little more than its call. */
static inline void constrain_rod(const eli_tile_work *work, elastica_rod *rod, eli_hook hook, double time) {
  if (!eli_rod_has(rod, hook)) return;
  const int lane = hook == ELI_CONSTRAIN_POSITION ? ELI_POSITION : hook == ELI_CONSTRAIN_VELOCITY ? ELI_VELOCITY : ELI_OMEGA;
  elastica_state *state = lane == ELI_POSITION ? &rod->body->positions : lane == ELI_VELOCITY ? &rod->body->velocities : &rod->body->spins;
  const elastica_instant now = eli_instant_of(work, rod, time);
  ELI_EACH_EFFECT(effect, rod, hook) {
    if (!eli_call_hook(effect, hook, rod, &now, state, work->report) || effect->body->kind != NULL) continue;
    const writing w = {work, rod, hook, now, state};
    examine(&w, effect, lane);
    if (lane == ELI_POSITION) examine(&w, effect, ELI_DIRECTOR);
  }
  if (rod->closed) eli_rod_close_lanes(rod, lane, 3);
  if (rod->closed && lane == ELI_POSITION) eli_rod_close_lanes(rod, ELI_DIRECTOR, 9);
}

/* The constraints of a rod in windows are those of boundaries; they write to one node and one element. */
static void constrain_part(const eli_tile_work *work, eli_hook hook, double time) {
  eli_rod_part *part = work->part;
  const elastica_instant now = eli_instant_of(work, part->rod, time);
  elastica_state *state = hook == ELI_CONSTRAIN_POSITION   ? &part->positions
                          : hook == ELI_CONSTRAIN_VELOCITY ? &part->velocities
                                                           : &part->spins;
  ELI_EACH_EFFECT(effect, part->rod, hook) {
    const eli_prescribed *hold = effect->self;
    const int from = hold->node < hold->element ? hold->node : hold->element, to = hold->node + hold->element - from;
    if (!eli_part_holds(part, from, to)) continue;
    const elastica_status status = eli_call(effect, hook, &now, &part->view, state);
    if (status != ELASTICA_OK) eli_report_hook(work->report, status, part->rod, effect, hook);
  }
}

static inline int constrain(const eli_tile_work *work, eli_hook hook, double time) {
  if (!eli_tile_has(work->tile, hook)) return work->report->status == ELASTICA_OK;
  if (work->part != NULL)
    constrain_part(work, hook, time);
  else
    ELI_EACH_ROD(rod, work->world, work->tile) constrain_rod(work, rod, hook, time);
  return work->report->status == ELASTICA_OK;
}

int eli_constrain_positions(const eli_tile_work *work, double time) {
  return constrain(work, ELI_CONSTRAIN_POSITION, time);
}

int eli_constrain_velocities(const eli_tile_work *work) {
  return constrain(work, ELI_CONSTRAIN_VELOCITY, work->end);
}

int eli_constrain_spins(const eli_tile_work *work) {
  return constrain(work, ELI_CONSTRAIN_SPIN, work->end);
}

/* Constraints assign the prescribed components. A component that is still NaN after all constraints is free. */
int eli_world_constrain_velocities(elastica_world *world, const elastica_instant *now, const elastica_rod_view *view,
                                   double *const velocity[3]) {
  const elastica_rod *rod = elastica_world_rod(world, view->rod_index);
  elastica_instant end = *now;
  elastica_state state = {.struct_size = sizeof state};
  eli_tile_report ignored = {0};
  if (!eli_rod_has(rod, ELI_CONSTRAIN_VELOCITY)) return 0;
  end.time += 0.5 * now->dt;
  for (int a = 0; a < 3; a++) {
    state.velocity[a] = velocity[a];
    for (int i = 0; i <= view->element_count; i++) velocity[a][i] = eli_nan();
  }
  eli_call_hooks(ELI_CONSTRAIN_VELOCITY, rod, &end, &state, &ignored);
  for (int a = 0; a < 3 && view->closed; a++) velocity[a][view->element_count] = velocity[a][0];
  return 1;
}
/* ---- Prescribed motions that no rod can follow ---- */

#define LARGEST_MOVE 0.1 /* in rest lengths of an element */
#define LARGEST_TURN 0.5 /* [rad] */
#define SAME_PLACE 1e-6  /* in rest lengths of an element, and in [rad] */

static const eli_prescribed *prescribed_by(const elastica_effect *effect) {
  return effect->body->kind != NULL && eli_prescribed_has_hooks(&effect->body->module) ? effect->self : NULL;
}

/* Returns the length of the shorter element at a node. */
static double length_at(const elastica_rod_view *view, int node) {
  const int n = view->element_count, before = node > 0 ? node - 1 : view->closed ? n - 1 : 0, after = node < n ? node : n - 1;
  const double one = view->rest_length[before], other = view->rest_length[after];
  return one < other ? one : other;
}

static double distance(const double a[3], const double b[3], unsigned axes) {
  double square = 0.0;
  for (int k = 0; k < 3; k++)
    if (axes & (1u << k)) square += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(square);
}

/* Returns 2 sin(theta/2) of the rotation between two frames, which is the angle for small rotations. */
static double turn_between(const double a[9], const double b[9]) {
  double square = 0.0;
  for (int k = 0; k < 9; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(0.5 * square);
}

/* ---- Jumps of prescribed positions and frames ---- */

void eli_find_jump(const elastica_rod *rod, double from, double to, eli_jump *most) {
  const elastica_rod_view *view = &rod->body->view;
  ELI_EACH_EFFECT(effect, rod, ELI_CONSTRAIN_POSITION) {
    const eli_prescribed *hold = prescribed_by(effect);
    eli_placement before, after;
    if (hold == NULL || hold->motion == NULL) continue;
    if (eli_prescribed_at(hold, from, &before) != ELASTICA_OK || eli_prescribed_at(hold, to, &after) != ELASTICA_OK) continue;
    const double move = distance(before.position, after.position, hold->axes),
                 turn = hold->hold_frame ? turn_between(before.director, after.director) : 0.0;
    const double by_move = move / (LARGEST_MOVE * length_at(view, hold->node)), by_turn = turn / LARGEST_TURN;
    const double size = by_move > by_turn ? by_move : by_turn;
    if (!(size > 1.0) || !(size > most->size)) continue;
    const int turns = by_turn > by_move;
    *most = (eli_jump){effect, turns, turns ? hold->element : hold->node, size, turns ? turn : move, to};
  }
}

/* Compares the present positions of nodes with the prescribed ones. */
static void note_moves(elastica_rod *rod, double time) {
  elastica_world *world = rod->world;
  double *const *lane = world->bodies.slab.lane + ELI_POSITION;
  ELI_EACH_EFFECT(effect, rod, ELI_CONSTRAIN_POSITION) {
    const eli_prescribed *hold = prescribed_by(effect);
    eli_placement wanted;
    if (hold == NULL || eli_prescribed_at(hold, time, &wanted) != ELASTICA_OK) continue;
    const size_t slot = rod->offset + (size_t)hold->node;
    const double here[3] = {lane[0][slot], lane[1][slot], lane[2][slot]}, move = distance(here, wanted.position, hold->axes);
    if (!(move > LARGEST_MOVE * length_at(&rod->body->view, hold->node))) continue;
    world->report.moved = (eli_moved){rod->index, effect->index, hold->node, world->clock.step_count, move};
  }
}

/* ---- Conflicts of prescriptions ---- */

static void keep_conflict(eli_conflict *most, const eli_conflict *found) {
  if (found->size > 1.0 && found->size > most->size) *most = *found;
}

static void compare(elastica_effect *const effect[2], const eli_prescribed *const hold[2], const eli_placement at[2],
                    const elastica_rod_view *view, double dt, eli_conflict *most) {
  const unsigned axes = hold[0]->node == hold[1]->node ? hold[0]->axes & hold[1]->axes : 0;
  const int frames = hold[0]->hold_frame && hold[1]->hold_frame && hold[0]->element == hold[1]->element;
  const double length = SAME_PLACE * length_at(view, hold[0]->node);
  const double place = distance(at[0].position, at[1].position, axes), speed = distance(at[0].velocity, at[1].velocity, axes);
  const double turn = frames ? turn_between(at[0].director, at[1].director) : 0.0,
               spin = frames ? distance(at[0].omega, at[1].omega, ELASTICA_AXIS_ALL) : 0.0;
  const eli_conflict found[4] = {{{effect[0], effect[1]}, ELI_APART, hold[0]->node, place / length, place},
                                 {{effect[0], effect[1]}, ELI_APART_IN_SPEED, hold[0]->node, speed * dt / length, speed},
                                 {{effect[0], effect[1]}, ELI_TURNED, hold[0]->element, turn / SAME_PLACE, turn},
                                 {{effect[0], effect[1]}, ELI_TURNED_IN_SPIN, hold[0]->element, spin * dt / SAME_PLACE, spin}};
  for (int k = 0; k < 4; k++) keep_conflict(most, &found[k]);
}

void eli_find_conflict(const elastica_rod *rod, double time, double dt, eli_conflict *most) {
  ELI_EACH_EFFECT(later, rod, ELI_CONSTRAIN_POSITION) {
    const eli_prescribed *second = prescribed_by(later);
    eli_placement at[2];
    if (second == NULL || eli_prescribed_at(second, time, &at[1]) != ELASTICA_OK) continue;
    ELI_EACH_EFFECT(earlier, rod, ELI_CONSTRAIN_POSITION) {
      const eli_prescribed *first = prescribed_by(earlier);
      if (earlier == later) break;
      if (first == NULL || eli_prescribed_at(first, time, &at[0]) != ELASTICA_OK) continue;
      elastica_effect *const effects[2] = {earlier, later};
      const eli_prescribed *const holds[2] = {first, second};
      compare(effects, holds, at, &rod->body->view, dt, most);
    }
  }
}

/* ---- Sentences about them ---- */

int eli_tell_jump(const elastica_rod *rod, const eli_jump *jump, char *text, size_t size) {
  if (jump->effect == NULL) return 0;
  return snprintf(text, size, "effect %d \"%s\" %s %s %d of rod %d by %.3g %s in one step, at t = %.9g s", jump->effect->index,
                  jump->effect->body->label, jump->turns ? "turns" : "moves", jump->turns ? "element" : "node", jump->place, rod->index,
                  jump->by, jump->turns ? "rad" : "m", jump->time);
}

int eli_tell_conflict(const elastica_rod *rod, const eli_conflict *conflict, char *text, size_t size) {
  static const char *const part[] = {"node", "node", "element", "element"};
  static const char *const wants[] = {"hold", "move", "hold", "turn"};
  static const char *const unit[] = {"m apart", "m/s differently", "rad apart", "rad/s differently"};
  const elastica_effect *const *effect = (const elastica_effect *const *)conflict->effect;
  if (effect[0] == NULL) return 0;
  return snprintf(text, size, "effect %d \"%s\" and effect %d \"%s\" contradict each other: they %s %s %d of rod %d %.3g %s",
                  effect[0]->index, effect[0]->body->label, effect[1]->index, effect[1]->body->label, wants[conflict->kind],
                  part[conflict->kind], conflict->place, rod->index, conflict->by, unit[conflict->kind]);
}

int eli_tell_moved(const elastica_rod *rod, char *text, size_t size) {
  const elastica_world *world = rod->world;
  const eli_moved *moved = &world->report.moved;
  const elastica_effect *effect =
      moved->by > 0.0 && moved->rod == rod->index && moved->effect < world->effects.count ? world->effects.all[moved->effect] : NULL;
  if (effect == NULL || effect->body == NULL) return 0;
  return snprintf(text, size, "effect %d \"%s\" had moved node %d of rod %d by %.3g m before step %ld", effect->index, effect->body->label,
                  moved->node, rod->index, moved->by, moved->step);
}

/* ---- State and masses ---- */

enum { SAVED_LANES = ELI_STATE_LANES + 2 };

static double *saved_lane(const elastica_world *world, int k) {
  return world->bodies.slab.lane[k < ELI_STATE_LANES ? k : k == ELI_STATE_LANES ? ELI_MASS : ELI_INVERSE_MASS];
}

static int may_change(const eli_tile *tile) {
  return (tile->stale & (ELI_STALE_MASSES | ELI_STALE_STATE)) != 0;
}

/* Returns a copy of the lanes of all tiles, or of those that a preparation may change; NULL without memory. */
static double *save_tiles(elastica_world *world, int all) {
  size_t slots = 0;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++)
    if (all || may_change(&world->bodies.slab.tiles[t])) slots += world->bodies.slab.tiles[t].count;
  double *saved = eli_allocate(&world->allocator, SAVED_LANES * slots, sizeof *saved), *next = saved;
  for (size_t t = 0; t < world->bodies.slab.tile_count && saved != NULL; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    if (!all && !may_change(tile)) continue;
    for (int k = 0; k < SAVED_LANES; k++, next += tile->count) memcpy(next, saved_lane(world, k) + tile->begin, tile->count * sizeof *next);
  }
  return saved;
}

static void restore_tiles(elastica_world *world, int all, const double *saved) {
  const double *next = saved;
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    if (!all && !may_change(tile)) continue;
    for (int k = 0; k < SAVED_LANES; k++, next += tile->count) memcpy(saved_lane(world, k) + tile->begin, next, tile->count * sizeof *next);
    eli_tile_update_geometry(world, t);
  }
}

double *eli_world_save(elastica_world *world) {
  return save_tiles(world, 0);
}

void eli_world_restore(elastica_world *world, const double *saved) {
  restore_tiles(world, 0, saved);
}

enum { PENDING = ELI_STALE_MASSES | ELI_STALE_STATE };

elastica_status eli_pending_note(elastica_world *world, const char *function, eli_pending *pending) {
  size_t rods = 0;
  memset(pending, 0, sizeof *pending);
  if (!(world->stale & PENDING) || world->report.failure != ELASTICA_OK) return ELASTICA_OK;
  ELI_EACH_ROD_OF_WORLD(rod, world) rods++;
  pending->stale = eli_allocate(&world->allocator, rods + 1, sizeof *pending->stale);
  pending->state = save_tiles(world, 1); /* setters during the call may outdate more tiles */
  if (pending->stale == NULL || pending->state == NULL) {
    eli_pending_drop(world, pending);
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for changes that are due", function);
  }
  rods = 0;
  ELI_EACH_ROD_OF_WORLD(rod, world) pending->stale[rods++] = rod->body->stale & PENDING;
  return ELASTICA_OK;
}

void eli_pending_put_back(elastica_world *world, const eli_pending *pending) {
  size_t rods = 0;
  if (pending->state == NULL) return;
  ELI_EACH_ROD_OF_WORLD(rod, world) eli_rod_outdate(rod, pending->stale[rods++]);
  restore_tiles(world, 1, pending->state);
}

void eli_pending_drop(elastica_world *world, eli_pending *pending) {
  eli_release(&world->allocator, pending->stale);
  eli_release(&world->allocator, pending->state);
}

/* ---- Refused elements and joints ---- */

typedef enum fault { NO_FAULT, TOO_SHORT, TOO_LONG, TOO_FAR } fault;

static double length_of(const elastica_rod *rod, int j) {
  double square = 0.0;
  for (int a = 0; a < 3; a++) {
    const double *x = rod->world->bodies.slab.lane[ELI_POSITION + a] + rod->offset, edge = x[j + 1] - x[j];
    square += edge * edge;
  }
  return sqrt(square);
}

static double joint_angle(const elastica_rod *rod, int k) {
  const size_t n = (size_t)rod->element_count, first = rod->offset;
  const size_t before = first + (!rod->closed ? (size_t)k
                                 : k > 0      ? (size_t)k - 1
                                              : n - 1),
               after = first + (size_t)k + (rod->closed ? 0 : 1);
  double q[2][9], turn[3];
  for (int a = 0; a < 9; a++) {
    q[0][a] = rod->world->bodies.slab.lane[ELI_DIRECTOR + a][before];
    q[1][a] = rod->world->bodies.slab.lane[ELI_DIRECTOR + a][after];
  }
  return eli_rod_joint_turn(q[0], q[1], turn);
}

/* Finds the first element or joint of a rod that elastica_rod_set_state would refuse, and its length or angle. */
static fault find_fault(const elastica_rod *rod, int *place, double *value) {
  for (int j = *place = 0; j < rod->element_count && !eli_is_rigid(rod); j++) {
    *value = length_of(rod, j);
    *place = j;
    if (!eli_is_finite(*value)) return TOO_LONG;
    if (*value < ELI_SHORTEST_ELEMENT * rod->body->view.rest_length[j]) return TOO_SHORT;
  }
  for (int k = 0; k < rod->body->view.joint_count; k++) {
    *value = joint_angle(rod, k);
    *place = k;
    if (!(*value <= ELI_JOINT_LIMIT)) return TOO_FAR;
  }
  return NO_FAULT;
}

/* ---- The responsible effect ---- */

/* Returns the slots of the two nodes of an element, or of the two elements of a joint. The ghost of a ring follows its first slot. */
static void slots_of(const elastica_rod *rod, fault what, int place, size_t slot[2]) {
  const int n = rod->element_count, before = place > 0 ? place - 1 : n - 1;
  const int first = what != TOO_FAR || !rod->closed ? place : before, second = what == TOO_FAR && rod->closed ? place : place + 1;
  slot[0] = rod->offset + (size_t)first;
  slot[1] = rod->offset + (size_t)(rod->closed && second == n ? 0 : second);
}

/* Returns the last effect that writes to these slots: they are filled with NaN, and the hooks are called one by one. NULL: no effect writes
 * to them, so the fault existed before. */
static const elastica_effect *last_writer(elastica_rod *rod, fault what, int place, const elastica_instant *now) {
  const int first = what == TOO_FAR ? ELI_DIRECTOR : ELI_POSITION, width = what == TOO_FAR ? 9 : 3;
  const elastica_effect *found = NULL;
  double *const *lane = rod->world->bodies.slab.lane + first;
  double kept[2][9];
  size_t slot[2];
  slots_of(rod, what, place, slot);
  for (int s = 0; s < 2; s++)
    for (int a = 0; a < width; a++) kept[s][a] = lane[a][slot[s]];
  ELI_EACH_EFFECT(effect, rod, ELI_CONSTRAIN_POSITION) {
    eli_tile_report ignored = {0};
    for (int s = 0; s < 2; s++)
      for (int a = 0; a < width; a++) lane[a][slot[s]] = NAN;
    eli_call_hook(effect, ELI_CONSTRAIN_POSITION, rod, now, &rod->body->positions, &ignored);
    for (int s = 0; s < 2; s++)
      for (int a = 0; a < width; a++)
        if (!eli_is_nan(lane[a][slot[s]])) found = effect;
  }
  for (int s = 0; s < 2; s++)
    for (int a = 0; a < width; a++) lane[a][slot[s]] = kept[s][a];
  return found;
}

static elastica_status check_constrained(elastica_rod *rod, const elastica_instant *now) {
  int place;
  double value;
  const fault what = find_fault(rod, &place, &value);
  const elastica_effect *effect = what != NO_FAULT ? last_writer(rod, what, place, now) : NULL;
  if (effect == NULL) return ELASTICA_OK;
  const char *name = effect->body->label;
  if (what == TOO_LONG)
    return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "effect %d \"%s\": element %d of rod %d would be too long: %g",
                                 effect->index, name, place, rod->index, value);
  if (what == TOO_SHORT)
    return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT,
                                 "effect %d \"%s\": element %d of rod %d would be shorter than %g of its rest length: %g", effect->index,
                                 name, place, rod->index, ELI_SHORTEST_ELEMENT, value);
  return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT,
                               "effect %d \"%s\": joint %d of rod %d would turn by %.4g rad, more than %.1f", effect->index, name, place,
                               rod->index, value, ELI_JOINT_LIMIT);
}

/* ---- Applying the constraints ---- */

static elastica_status write_to_rod(const eli_tile_work *work, elastica_rod *rod) {
  note_moves(rod, work->time);
  constrain_rod(work, rod, ELI_CONSTRAIN_POSITION, work->time);
  constrain_rod(work, rod, ELI_CONSTRAIN_VELOCITY, work->time);
  constrain_rod(work, rod, ELI_CONSTRAIN_SPIN, work->time);
  if (work->report->status != ELASTICA_OK) return eli_world_refuse_hook(work->world, work->report);
  if (!eli_rod_has(rod, ELI_CONSTRAIN_POSITION)) return ELASTICA_OK;
  const elastica_instant now = eli_instant_of(work, rod, work->time);
  return check_constrained(rod, &now);
}

/* Applies the constraints to the rods of a tile with an outdated state. */
static elastica_status write_to_tile(elastica_world *world, size_t t) {
  eli_tile_report report = {0};
  eli_tile_work work = eli_work_on(world, t, 0, 0.0);
  work.report = &report;
  ELI_EACH_ROD(rod, world, work.tile) {
    const elastica_status status = rod->body->stale & ELI_STALE_STATE ? write_to_rod(&work, rod) : ELASTICA_OK;
    if (status != ELASTICA_OK) return status;
  }
  eli_tile_update_geometry(world, t);
  return ELASTICA_OK;
}

/* Returns the refusal of the lowest rod for any order of rods in tiles. If no rod is refused again, returns the status and message from
 * before. */
static elastica_status refuse_lowest(elastica_world *world, elastica_status before) {
  char message[ELI_MESSAGE_SIZE];
  memcpy(message, world->report.message, sizeof message);
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    if (!(rod->body->stale & ELI_STALE_STATE) || !eli_tile_constrained(&world->bodies.slab.tiles[rod->tile])) continue;
    eli_tile_report report = {0};
    eli_tile_work work = eli_work_on(world, rod->tile, 0, 0.0);
    work.report = &report;
    const elastica_status status = write_to_rod(&work, rod);
    if (status != ELASTICA_OK) return status;
  }
  memcpy(world->report.message, message, sizeof message);
  return before;
}

elastica_status eli_world_write_constraints(elastica_world *world) {
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    if (!(tile->stale & ELI_STALE_STATE) || !eli_tile_constrained(tile)) continue;
    const elastica_status status = write_to_tile(world, t);
    if (status != ELASTICA_OK) return refuse_lowest(world, status);
  }
  return ELASTICA_OK;
}
