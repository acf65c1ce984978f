/* Prescribed motions of pins and clamps that no rod can follow; used only for sentences.
 *
 * models     jump: the prescribed position moves by more than a tenth of the adjacent element's length in one step, or the prescribed frame
 *            turns by more than half a radian. Conflict: two effects prescribe different positions or velocities on the same axis of a
 *            node, or different frames or spins of an element. The effect that was added last prevails
 * test       tests/test_diagnosis.c, tests/test_check_scene.c
 */
#include "base/target.h"

#include <math.h>
#include <stdio.h>

#include "base/prescribed.h"
#include "effects/effects.h"

#define LARGEST_MOVE 0.1 /* in rest lengths of an element */
#define LARGEST_TURN 0.5 /* [rad] */
#define SAME_PLACE 1e-6  /* in rest lengths of an element, and in [rad] */

static const eli_prescribed *hold_of(const elastica_effect *effect) {
  return effect->body->kind != NULL && eli_prescribed_has_hooks(&effect->body->module) ? effect->self : NULL;
}

/* Returns the length of the shorter element at a node. */
static double length_at(const elastica_rod_view *view, int node) {
  const int n = view->element_count, before = node > 0 ? node - 1 : view->closed ? n - 1 : 0, after = node < n ? node : n - 1;
  const double one = view->rest_length[before], other = view->rest_length[after];
  return one < other ? one : other;
}

static double apart(const double a[3], const double b[3], unsigned axes) {
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

/* ---- Jumps ---- */

void eli_find_jump(const elastica_rod *rod, double from, double to, eli_jump *most) {
  const elastica_rod_view *view = &rod->body->view;
  ELI_EACH_EFFECT(effect, rod, ELI_CONSTRAIN_POSITION) {
    const eli_prescribed *hold = hold_of(effect);
    eli_placement before, after;
    if (hold == NULL || hold->motion == NULL) continue;
    if (eli_prescribed_at(hold, from, &before) != ELASTICA_OK || eli_prescribed_at(hold, to, &after) != ELASTICA_OK) continue;
    const double move = apart(before.position, after.position, hold->axes),
                 turn = hold->hold_frame ? turn_between(before.director, after.director) : 0.0;
    const double by_move = move / (LARGEST_MOVE * length_at(view, hold->node)), by_turn = turn / LARGEST_TURN;
    const double size = by_move > by_turn ? by_move : by_turn;
    if (!(size > 1.0) || !(size > most->size)) continue;
    const int turns = by_turn > by_move;
    *most = (eli_jump){effect, turns, turns ? hold->element : hold->node, size, turns ? turn : move, to};
  }
}

/* Compares the present positions of nodes with the prescribed ones. */
void eli_note_moves(elastica_rod *rod, double time) {
  elastica_world *world = rod->world;
  double *const *lane = world->slab.lane + ELI_POSITION;
  ELI_EACH_EFFECT(effect, rod, ELI_CONSTRAIN_POSITION) {
    const eli_prescribed *hold = hold_of(effect);
    eli_placement wanted;
    if (hold == NULL || eli_prescribed_at(hold, time, &wanted) != ELASTICA_OK) continue;
    const size_t slot = rod->offset + (size_t)hold->node;
    const double here[3] = {lane[0][slot], lane[1][slot], lane[2][slot]}, move = apart(here, wanted.position, hold->axes);
    if (!(move > LARGEST_MOVE * length_at(&rod->body->view, hold->node))) continue;
    world->moved = (eli_moved){rod->index, effect->index, hold->node, world->step_count, move};
  }
}

/* ---- Conflicts ---- */

static void keep_conflict(eli_conflict *most, const eli_conflict *found) {
  if (found->size > 1.0 && found->size > most->size) *most = *found;
}

static void compare(elastica_effect *const effect[2], const eli_prescribed *const hold[2], const eli_placement at[2],
                    const elastica_rod_view *view, double dt, eli_conflict *most) {
  const unsigned axes = hold[0]->node == hold[1]->node ? hold[0]->axes & hold[1]->axes : 0;
  const int frames = hold[0]->hold_frame && hold[1]->hold_frame && hold[0]->element == hold[1]->element;
  const double length = SAME_PLACE * length_at(view, hold[0]->node);
  const double place = apart(at[0].position, at[1].position, axes), speed = apart(at[0].velocity, at[1].velocity, axes);
  const double turn = frames ? turn_between(at[0].director, at[1].director) : 0.0,
               spin = frames ? apart(at[0].omega, at[1].omega, ELASTICA_AXIS_ALL) : 0.0;
  const eli_conflict found[4] = {{{effect[0], effect[1]}, ELI_APART, hold[0]->node, place / length, place},
                                 {{effect[0], effect[1]}, ELI_APART_IN_SPEED, hold[0]->node, speed * dt / length, speed},
                                 {{effect[0], effect[1]}, ELI_TURNED, hold[0]->element, turn / SAME_PLACE, turn},
                                 {{effect[0], effect[1]}, ELI_TURNED_IN_SPIN, hold[0]->element, spin * dt / SAME_PLACE, spin}};
  for (int k = 0; k < 4; k++) keep_conflict(most, &found[k]);
}

void eli_find_conflict(const elastica_rod *rod, double time, double dt, eli_conflict *most) {
  ELI_EACH_EFFECT(later, rod, ELI_CONSTRAIN_POSITION) {
    const eli_prescribed *second = hold_of(later);
    eli_placement at[2];
    if (second == NULL || eli_prescribed_at(second, time, &at[1]) != ELASTICA_OK) continue;
    ELI_EACH_EFFECT(earlier, rod, ELI_CONSTRAIN_POSITION) {
      const eli_prescribed *first = hold_of(earlier);
      if (earlier == later) break;
      if (first == NULL || eli_prescribed_at(first, time, &at[0]) != ELASTICA_OK) continue;
      elastica_effect *const effects[2] = {earlier, later};
      const eli_prescribed *const holds[2] = {first, second};
      compare(effects, holds, at, &rod->body->view, dt, most);
    }
  }
}

/* ---- Sentences ---- */

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
  const eli_moved *moved = &world->moved;
  const elastica_effect *effect =
      moved->by > 0.0 && moved->rod == rod->index && moved->effect < world->effect_count ? world->effects[moved->effect] : NULL;
  if (effect == NULL || effect->body == NULL) return 0;
  return snprintf(text, size, "effect %d \"%s\" had moved node %d of rod %d by %.3g m before step %ld", effect->index, effect->body->label,
                  moved->node, rod->index, moved->by, moved->step);
}
