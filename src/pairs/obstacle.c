/* Contact of rods with elastic obstacles (see obstacle.h). */
#include "base/target.h"

#include "base/module.h"
#include "base/vector.h"
#include "contact/body_contact.h"
#include "contact/horizon.h"
#include "contact/layer_bound.h"
#include "contact/resolve.h"
#include "pairs/obstacle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int table_index_of(const eli_elastic *o, int rod_index) {
  return o->alone ? 0 : eli_world_table_index(o->world, rod_index);
}

eli_elastic_record *eli_elastic_record_of(const eli_elastic *o, int rod_index) {
  const int index = table_index_of(o, rod_index);
  return index < o->record_count && o->records[index].rod == rod_index ? &o->records[index] : NULL;
}

/* ---- Contact ---- */

int eli_elastic_acts_on(const eli_elastic *o, const eli_elastic_record *r) {
  return r != NULL && r->count > 0 && (o->group == ELASTICA_EVERY_GROUP || o->group == eli_world_contact_group(o->world, r->rod));
}

elastica_status eli_elastic_solid_at(const eli_elastic *o, double time, eli_solid *solid) {
  eli_placement place;
  const elastica_status status = eli_prescribed_now(&o->place, time, eli_world_time_stands(o->world), &place);
  if (status == ELASTICA_OK) *solid = eli_solid_at(&o->shape, &place);
  return status;
}

/* ---- Hooks ---- */

/* Returns 1 if an element touches, or will soon, and steps of dt are too long for that. */
static int awaits(const eli_elastic *o, const eli_elastic_record *r, const elastica_rod_view *rod, const eli_solid *solid, double dt) {
  const int chooses = eli_world_chooses(o->world);
  for (int j = 0; j < r->count && dt > 0.0; j++)
    if (eli_layer_awaits(&o->law, &r->shape, rod, j, solid, dt, chooses)) return 1;
  return 0;
}

int eli_elastic_idle(void *self, const elastica_rod_view *rod, double dt) {
  const eli_elastic *o = self;
  const eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  eli_solid solid;
  if (!eli_elastic_acts_on(o, r)) return 1;
  if (rod->rigid || o->place.motion != NULL || eli_elastic_solid_at(o, 0.0, &solid) != ELASTICA_OK) return 0;
  return !eli_layer_any_near(&solid, rod) && !awaits(o, r, rod, &solid, dt);
}

/* Computes friction from the displacement of the rod since the last accepted state, on a resting solid; keeps 1: the history advances. */
static void slip(const eli_elastic *o, const eli_elastic_record *r, const elastica_rod_view *moved, const eli_solid *solid, int j,
                 double friction[3], int keeps) {
  eli_solid still = *solid;
  eli_layer_law law = o->law;
  eli_stick_slip history = r->history[j];
  eli_layer_touch of;
  law.line.damping = law.tangential_damping = law.damping_ratio = law.tangential_damping_ratio = 0.0;
  memset(still.place.velocity, 0, sizeof still.place.velocity);
  memset(still.spin, 0, sizeof still.spin);
  memset(friction, 0, 3 * sizeof *friction);
  if (!eli_layer_touch_find(&law, &r->shape, &still, moved, j, &of)) return;
  eli_layer_step_friction(&law, &history, moved, j, &still, &of, 1.0, friction);
  if (keeps) r->history[j] = history;
}

/* Returns 1 if an element passes through the surface in this step: an element in contact, or one that has jumped across the layer. */
static int crosses(const eli_capsule *capsule, double depth, const eli_solid *solid, double dt) {
  return eli_layer_may_cross(capsule, depth, solid, dt) && eli_layer_crosses(capsule, solid, dt);
}

static int leaps(const eli_elastic_record *r, const elastica_rod_view *rod, int j, const eli_solid *solid, double dt) {
  eli_capsule at;
  eli_layer_place(&r->shape, rod, j, &at);
  return crosses(&at, 0.0, solid, dt);
}

void eli_elastic_explain(const void *self, const elastica_rod_view *rod, char *text, size_t size) {
  static const char *const names[] = {"plane", "ball", "cylinder", "box"};
  const eli_elastic *o = self;
  const eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  if (rod->rigid)
    snprintf(text, size, "rod %d, a rigid body, would pass through the %s", rod->rod_index, names[o->shape.shape]);
  else
    snprintf(text, size, "rod %d, element %d would pass through the %s", rod->rod_index, r->sunk, names[o->shape.shape]);
}

elastica_status eli_elastic_add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  static const double none[3] = {0.0, 0.0, 0.0};
  const eli_elastic *o = self;
  eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  const int still = eli_world_stands_still(o->world), has_friction = o->law.friction > 0.0 && still, keeps = eli_world_keeps(o->world);
  const int steps = !still && !eli_world_asks(o->world);
  elastica_rod_view moved;
  eli_solid solid;
  if (!eli_elastic_acts_on(o, r) || (eli_world_leaves_contacts(o->world) && !rod->rigid)) return ELASTICA_OK;
  const int slips = has_friction && eli_world_slips(o->world, rod->rod_index, &moved);
  const elastica_status status = eli_elastic_solid_at(o, now->time, &solid);
  const int awaited = status == ELASTICA_OK && awaits(o, r, rod, &solid, now->dt);
  if (awaited) loads->look_again = 1;
  for (int j = 0; j < r->count && status == ELASTICA_OK; j++) {
    eli_layer_touch of;
    double friction[3];
    const int touches = eli_layer_touch_find(&o->law, &r->shape, &solid, rod, j, &of);
    if (steps && (touches ? crosses(&of.capsule, of.layer.depth, &solid, now->dt) : awaited && leaps(r, rod, j, &solid, now->dt))) {
      r->sunk = j;
      return ELASTICA_UNSTABLE_STEP;
    }
    if (!touches) {
      if (slips && keeps) memset(&r->history[j], 0, sizeof r->history[j]);
      continue;
    }
    if (steps && eli_layer_awaits_core(&o->law, rod, j, &of, &solid, now->dt)) loads->look_again = 1;
    eli_capsule_add_tension(rod, j, of.capsule.radius, of.layer.elastic, of.layer.force);
    eli_capsule_push(&r->shape, rod, j, (const double(*)[3])of.layer.force, none, loads);
    if (!has_friction) continue;
    if (slips)
      slip(o, r, &moved, &solid, j, friction, keeps);
    else
      eli_layer_friction(&o->law, &r->history[j], &of, friction);
    eli_layer_push_friction(&r->shape, rod, j, &of, friction, loads);
  }
  return status;
}

elastica_status eli_elastic_add_reactions(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const eli_elastic *o = self;
  const eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  const int moves = !eli_world_asks(o->world);
  eli_solid solid, before;
  if (!eli_elastic_acts_on(o, r) || eli_world_stands_still(o->world)) return ELASTICA_OK;
  elastica_status status = eli_elastic_solid_at(o, now->time, &solid);
  before = solid;
  if (status == ELASTICA_OK && moves && o->place.motion != NULL) status = eli_elastic_solid_at(o, now->time - 0.5 * now->dt, &before);
  if (status == ELASTICA_OK && !rod->rigid && !eli_layer_any_near(&solid, rod)) {
    if (moves) memset(r->history, 0, (size_t)r->count * sizeof *r->history);
    return ELASTICA_OK;
  }
  for (int j = 0; j < r->count && status == ELASTICA_OK; j++) {
    eli_stick_slip history = r->history[j];
    eli_layer_touch of;
    double friction[3];
    if (eli_layer_touch_find(&o->law, &r->shape, &solid, rod, j, &of)) {
      eli_layer_step_friction(&o->law, &history, rod, j, &before, &of, now->dt, friction);
      eli_layer_push_friction(&r->shape, rod, j, &of, friction, loads);
    } else {
      memset(&history, 0, sizeof history);
    }
    if (moves) r->history[j] = history;
  }
  return status;
}

/* The horizon of a body has no effect: its bound is always added. */
elastica_status eli_elastic_add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                          elastica_stiffness *stiffness) {
  const eli_elastic *o = self;
  const eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  eli_solid solid;
  if (!eli_elastic_acts_on(o, r)) return ELASTICA_OK;
  const elastica_status status = eli_elastic_solid_at(o, now->time, &solid);
  const int chooses = eli_world_chooses(o->world);
  const double horizon = chooses ? ELI_STEPS_COUNTED * eli_world_checked_step(o->world) : rod->rigid ? 0.0 : eli_horizon_time(rod);
  for (int j = 0; j < r->count && status == ELASTICA_OK; j++) {
    eli_capsule capsule;
    eli_layer_place(&r->shape, rod, j, &capsule);
    eli_layer_bound(&o->law, &r->shape, rod, j, &capsule, &solid, horizon, chooses, stiffness);
  }
  return status;
}

/* Includes the energy of the tangential springs. */
double eli_elastic_energy(void *self, double time, const elastica_rod_view *rod) {
  const eli_elastic *o = self;
  const eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  eli_solid solid;
  double sum = 0.0;
  if (!eli_elastic_acts_on(o, r)) return 0.0;
  if (eli_elastic_solid_at(o, time, &solid) != ELASTICA_OK) return eli_nan();
  for (int j = 0; j < r->count; j++) {
    eli_layer_touch of;
    double friction[3];
    if (!eli_layer_touch_find(&o->law, &r->shape, &solid, rod, j, &of)) continue;
    eli_layer_friction(&o->law, &r->history[j], &of, friction);
    sum += of.layer.energy + 0.5 * eli_dot(friction, friction) / of.stiffness;
  }
  return sum;
}

/* ---- Memory ---- */

int eli_elastic_is_round(elastica_rod *rod, eli_round *shape) {
  eli_body_shape body;
  eli_body_shape_read(rod, &body);
  if (body.shape != ELASTICA_SHAPE_SPHERE && body.shape != ELASTICA_SHAPE_CAPSULE) return 0;
  shape->radius = body.radius;
  shape->half_length = body.shape == ELASTICA_SHAPE_CAPSULE ? body.half_length : 0.0;
  for (int b = 0; b < 3; b++) shape->axis[b] = body.axes[3 * b + 2];
  return 1;
}

/* Adds free records up to an index. Returns 0 without memory. */
static int reserve_records(eli_elastic *o, int index) {
  while (o->record_count <= index) {
    eli_elastic_record *records = eli_grow(o->allocator, o->records, (size_t)o->record_count, sizeof *records);
    if (records == NULL) return 0;
    o->records = records;
    memset(&records[o->record_count], 0, sizeof *records);
    records[o->record_count++].rod = -1;
  }
  return 1;
}

elastica_status eli_elastic_add_record(eli_elastic *o, const elastica_rod_view *rod) {
  const int index = table_index_of(o, rod->rod_index);
  if (eli_elastic_record_of(o, rod->rod_index) != NULL) return ELASTICA_OK;
  if (!reserve_records(o, index)) return ELASTICA_OUT_OF_MEMORY;
  eli_elastic_record added = {.rod = rod->rod_index, .count = rod->element_count};
  if (rod->rigid && !eli_elastic_is_round(elastica_world_rod(o->world, rod->rod_index), &added.shape)) added.count = 0;
  added.history = eli_allocate(o->allocator, (size_t)added.count, sizeof *added.history);
  if (added.history == NULL) return ELASTICA_OUT_OF_MEMORY;
  o->records[index] = added;
  return ELASTICA_OK;
}

static void free_record(const eli_elastic *o, eli_elastic_record *r) {
  if (r == NULL || r->rod < 0) return;
  eli_release(o->allocator, r->history);
  r->rod = -1;
}

void eli_elastic_forget_rod(void *self, const elastica_rod_view *rod) {
  free_record(self, eli_elastic_record_of(self, rod->rod_index));
}

void eli_elastic_destroy(void *self) {
  eli_elastic *o = self;
  const eli_allocator *allocator = o->allocator;
  for (int k = 0; k < o->record_count; k++) free_record(o, &o->records[k]);
  eli_release(allocator, o->records);
  eli_release(allocator, o);
}

void eli_elastic_clear_history(const eli_elastic *o) {
  for (int k = 0; k < o->record_count; k++)
    if (o->records[k].rod >= 0) memset(o->records[k].history, 0, (size_t)o->records[k].count * sizeof(eli_stick_slip));
}

void eli_elastic_each_history(void *own, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  const eli_elastic *o = own;
  for (int k = 0; k < o->record_count && o->law.friction > 0.0; k++)
    if (o->records[k].rod >= 0) visit(context, o->records[k].history, (size_t)o->records[k].count * sizeof(eli_stick_slip));
}
