/* Applies the constraints when a world is prepared, checks the resulting elements and joints, and restores the state after a refusal. */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "effects/work.h"
#include "rod/rod_data.h"

/* ---- State and masses ---- */

enum { SAVED_LANES = ELI_STATE_LANES + 2 };

static double *lane_of(const elastica_world *world, int k) {
  return world->slab.lane[k < ELI_STATE_LANES ? k : k == ELI_STATE_LANES ? ELI_MASS : ELI_INVERSE_MASS];
}

static int may_change(const eli_tile *tile) {
  return (tile->stale & (ELI_STALE_MASSES | ELI_STALE_STATE)) != 0;
}

double *eli_world_save(elastica_world *world) {
  size_t slots = 0;
  for (size_t t = 0; t < world->slab.tile_count; t++)
    if (may_change(&world->slab.tiles[t])) slots += world->slab.tiles[t].count;
  double *saved = eli_allocate(&world->allocator, SAVED_LANES * slots, sizeof *saved), *next = saved;
  for (size_t t = 0; t < world->slab.tile_count && saved != NULL; t++) {
    const eli_tile *tile = &world->slab.tiles[t];
    if (!may_change(tile)) continue;
    for (int k = 0; k < SAVED_LANES; k++, next += tile->count) memcpy(next, lane_of(world, k) + tile->begin, tile->count * sizeof *next);
  }
  return saved;
}

void eli_world_restore(elastica_world *world, const double *saved) {
  const double *next = saved;
  for (size_t t = 0; t < world->slab.tile_count; t++) {
    const eli_tile *tile = &world->slab.tiles[t];
    if (!may_change(tile)) continue;
    for (int k = 0; k < SAVED_LANES; k++, next += tile->count) memcpy(lane_of(world, k) + tile->begin, next, tile->count * sizeof *next);
    eli_tile_update_geometry(world, t);
  }
}

/* ---- Refused elements and joints ---- */

typedef enum fault { NO_FAULT, TOO_SHORT, TOO_LONG, TOO_FAR } fault;

static double length_of(const elastica_rod *rod, int j) {
  double square = 0.0;
  for (int a = 0; a < 3; a++) {
    const double *x = rod->world->slab.lane[ELI_POSITION + a] + rod->offset, edge = x[j + 1] - x[j];
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
    q[0][a] = rod->world->slab.lane[ELI_DIRECTOR + a][before];
    q[1][a] = rod->world->slab.lane[ELI_DIRECTOR + a][after];
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
  double *const *lane = rod->world->slab.lane + first;
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

static elastica_status check_rod(elastica_rod *rod, const elastica_instant *now) {
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

static elastica_status impose_on(const eli_work *work, elastica_rod *rod) {
  eli_note_moves(rod, work->time);
  eli_constrain_rod(work, rod, ELI_CONSTRAIN_POSITION, work->time);
  eli_constrain_rod(work, rod, ELI_CONSTRAIN_VELOCITY, work->time);
  eli_constrain_rod(work, rod, ELI_CONSTRAIN_SPIN, work->time);
  if (work->report->status != ELASTICA_OK) return eli_world_refuse_hook(work->world, work->report);
  if (!eli_rod_has(rod, ELI_CONSTRAIN_POSITION)) return ELASTICA_OK;
  const elastica_instant now = eli_instant_of(work, rod, work->time);
  return check_rod(rod, &now);
}

/* Applies the constraints to the rods of a tile with an outdated state. */
static elastica_status impose_on_tile(elastica_world *world, size_t t) {
  eli_tile_report report = {0};
  eli_work work = eli_work_on(world, t, 0, 0.0);
  work.report = &report;
  ELI_EACH_ROD(rod, world, work.tile) {
    const elastica_status status = rod->body->stale & ELI_STALE_STATE ? impose_on(&work, rod) : ELASTICA_OK;
    if (status != ELASTICA_OK) return status;
  }
  eli_tile_update_geometry(world, t);
  return ELASTICA_OK;
}

/* Returns the refusal of the lowest rod for any order of rods in tiles. If no rod is refused again, returns the status and message from
 * before. */
static elastica_status refuse_lowest(elastica_world *world, elastica_status before) {
  char message[ELI_MESSAGE_SIZE];
  memcpy(message, world->message, sizeof message);
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    if (!(rod->body->stale & ELI_STALE_STATE) || !eli_tile_constrained(world, &world->slab.tiles[rod->tile])) continue;
    eli_tile_report report = {0};
    eli_work work = eli_work_on(world, rod->tile, 0, 0.0);
    work.report = &report;
    const elastica_status status = impose_on(&work, rod);
    if (status != ELASTICA_OK) return status;
  }
  memcpy(world->message, message, sizeof message);
  return before;
}

elastica_status eli_world_impose(elastica_world *world) {
  for (size_t t = 0; t < world->slab.tile_count; t++) {
    const eli_tile *tile = &world->slab.tiles[t];
    if (!(tile->stale & ELI_STALE_STATE) || !eli_tile_constrained(world, tile)) continue;
    const elastica_status status = impose_on_tile(world, t);
    if (status != ELASTICA_OK) return refuse_lowest(world, status);
  }
  return ELASTICA_OK;
}
