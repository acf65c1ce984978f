/* Access to a world: its rods and time, tools and queries of effects, views of rods and their lanes, invalidation after a change, and
 * records of effects by rods.
 *
 * test       tests/test_world_query.c, tests/test_rod_refresh.c, tests/test_prepare.c, tests/test_removal.c
 */
#include "base/target.h"

#include "state/module.h"
#include "state/rod_table.h"
#include "state/world.h"

#include <string.h>

/* ---- For the effects of the library (module.h) ---- */

const eli_allocator *eli_world_allocator(const elastica_world *world) {
  return &world->allocator;
}

const eli_kernels *eli_world_kernels(const elastica_world *world) {
  return world->kernels;
}

int eli_world_slips(const elastica_world *world, int rod_index, elastica_rod_view *out) {
  const elastica_rod *rod = world->bodies.rods[rod_index];
  const int tries = world->calls.purpose == ELASTICA_PURPOSE_STATICS || world->calls.slips.in_stage;
  if (!tries || world->calls.slips.moved[0] == NULL) return 0;
  *out = rod->body->view;
  for (int a = 0; a < 3; a++) {
    out->velocity[a] = world->calls.slips.moved[a] + rod->offset;
    out->omega[a] = world->calls.slips.moved[3 + a] + rod->offset;
  }
  return 1;
}

int eli_world_trial(const elastica_world *world, eli_trial *trial, int *keeps) {
  if (!world->calls.slips.in_stage) return 0;
  *trial = world->calls.slips.trial;
  *keeps = world->calls.slips.keeps;
  return 1;
}

int eli_world_checks_depth(const elastica_world *world) {
  return world->calls.checks_depth;
}

int eli_world_was_checked(const elastica_world *world, long step, long steps) {
  return world->schedule.last_check <= step && step <= world->schedule.last_check + steps;
}

double eli_world_acceleration(const elastica_world *world, int rod_index) {
  return world->bodies.rods[rod_index]->body->acceleration;
}

int eli_world_is_loading(const elastica_world *world) {
  return world->calls.is_loading;
}

/* ---- Rods and time ---- */

elastica_world_info elastica_world_get(const elastica_world *world) {
  elastica_world_info info = {0.0, 0, 0.0, 0, 0};
  if (world == NULL) return info;
  info.time = eli_world_now(world);
  info.step_count = world->clock.step_count;
  info.working_step = world->schedule.working_step;
  info.rod_count = world->bodies.rod_count;
  info.effect_count = world->effects.count;
  return info;
}

elastica_rod *elastica_world_rod(elastica_world *world, int index) {
  return world != NULL && index >= 0 && index < world->bodies.rod_count ? world->bodies.rods[index] : NULL;
}

elastica_rod *eli_next_rod(const elastica_world *world, const elastica_rod *rod) {
  return rod != NULL ? rod->body->next : world->bodies.first_rod;
}

int eli_world_contact_group(const elastica_world *world, int rod_index) {
  return world->bodies.rods[rod_index]->body->contact_group;
}

int eli_world_table_index(const elastica_world *world, int rod_index) {
  return world->bodies.rods[rod_index]->body->table_index;
}

/* ---- Views ---- */

void eli_rod_close_lanes(elastica_rod *rod, int first, int count) {
  assert(rod->closed && first >= 0 && first + count <= ELI_LANE_COUNT);
  double *const *lane = rod->world->bodies.slab.lane;
  for (int k = first; k < first + count; k++) lane[k][rod->offset + (size_t)rod->element_count] = lane[k][rod->offset];
}

void eli_rod_forget_derived(elastica_rod *rod) {
  elastica_rod_view *view = &rod->body->view;
  for (int a = 0; a < 3; a++) {
    view->strain[a] = view->curvature[a] = view->force[a] = view->couple[a] = NULL;
    view->internal_force[a] = view->internal_couple[a] = NULL;
  }
}

/* Sets the pointers to the lanes that hooks may write. */
static void aim_hooks(elastica_rod *rod) {
  double *const *lane = rod->world->bodies.slab.lane;
  const size_t first = rod->offset;
  rod->body->loads.struct_size = sizeof rod->body->loads;
  rod->body->positions.struct_size = rod->body->velocities.struct_size = rod->body->spins.struct_size = sizeof rod->body->positions;
  for (int a = 0; a < 3; a++) {
    rod->body->loads.force[a] = lane[ELI_FORCE + a] + first;
    rod->body->loads.couple[a] = lane[ELI_COUPLE + a] + first;
    rod->body->positions.position[a] = lane[ELI_POSITION + a] + first;
    for (int b = 0; b < 3; b++) rod->body->positions.director[a][b] = lane[ELI_DIRECTOR + 3 * a + b] + first;
    rod->body->velocities.velocity[a] = lane[ELI_VELOCITY + a] + first;
    rod->body->spins.omega[a] = lane[ELI_OMEGA + a] + first;
  }
  rod->body->loads.drag = lane[ELI_DRAG] + first;
  rod->body->loads.spin_drag = lane[ELI_SPIN_DRAG] + first;
}

/* Sets the pointers to the constants of the law. Joints of open rods start one slot later. */
static void aim_law(const elastica_rod *rod, elastica_rod_view *view) {
  const size_t first[] = {
      [ELI_AT_NODE] = rod->offset, [ELI_AT_ELEMENT] = rod->offset, [ELI_AT_JOINT] = rod->offset + (rod->closed ? 0 : 1)};
  double *const *lane = rod->world->bodies.slab.lane;
#define AIM_1(name, member, at) view->member = lane[name] + (at);
#define AIM_3(name, member, at)                                                                                                            \
  for (int a = 0; a < 3; a++) view->member[a] = lane[(name) + a] + (at);
#define AIM(KIND, name, member, width, place, ...) AIM_##width(ELI_##name, member, first[ELI_AT_##place])
  ELI_LAW_CONSTANTS(AIM, , )
#undef AIM
#undef AIM_3
#undef AIM_1
}

void eli_rod_aim_view(elastica_rod *rod) {
  double *const *lane = rod->world->bodies.slab.lane;
  const size_t first = rod->offset;
  elastica_rod_view *view = &rod->body->view;
  view->struct_size = sizeof *view;
  view->world = rod->world;
  view->rod_index = rod->index;
  view->element_count = rod->element_count;
  view->node_count = rod->element_count + (rod->closed || eli_is_rigid(rod) ? 0 : 1);
  view->joint_count = rod->element_count - (rod->closed ? 0 : 1);
  view->closed = rod->closed;
  view->rigid = eli_is_rigid(rod);
  view->classical_law = rod->world->law.classical || view->rigid;
  view->exact_couple = rod->world->law.exact_couple;
  for (int a = 0; a < 3; a++) {
    view->position[a] = lane[ELI_POSITION + a] + first;
    view->velocity[a] = lane[ELI_VELOCITY + a] + first;
    view->omega[a] = lane[ELI_OMEGA + a] + first;
    for (int b = 0; b < 3; b++) view->director[a][b] = lane[ELI_DIRECTOR + 3 * a + b] + first;
    view->inertia[a] = lane[ELI_INERTIA + a] + first;
    view->tangent[a] = lane[ELI_TANGENT + a] + first;
  }
  view->mass = lane[ELI_MASS] + first;
  view->volume = lane[ELI_VOLUME] + first;
  view->rest_length = lane[ELI_REST_LENGTH] + first;
  view->length = lane[ELI_LENGTH] + first;
  view->dilatation = lane[ELI_DILATATION] + first;
  aim_law(rod, view);
  aim_hooks(rod);
  eli_rod_forget_derived(rod);
}

/* Joints of open rods start one slot later. */
void eli_rod_aim_derived(elastica_rod *rod, double *const *scratch) {
  const eli_tile *tile = &rod->world->bodies.slab.tiles[rod->tile];
  const size_t first = rod->offset - tile->begin, joint = first + (rod->closed ? 0 : 1);
  elastica_rod_view *view = &rod->body->view;
  for (int a = 0; a < 3; a++) {
    view->strain[a] = scratch[ELI_STRAIN + a] + first;
    view->force[a] = scratch[ELI_STRESS + a] + first;
    view->curvature[a] = scratch[ELI_CURVATURE + a] + joint;
    view->couple[a] = scratch[ELI_JOINT_COUPLE + a] + joint;
    view->internal_force[a] = scratch[ELI_INTERNAL_FORCE + a] + first;
    view->internal_couple[a] = scratch[ELI_INTERNAL_COUPLE + a] + first;
  }
}

static const double *from(double *const *answer, int lane, size_t first) {
  return answer != NULL ? answer[lane] + first : NULL;
}

void eli_rod_aim_loads(elastica_rod *rod, double *const *answer) {
  elastica_rod_view *view = &rod->body->view;
  for (int a = 0; a < 3; a++) {
    view->external_force[a] = from(answer, ELI_ANSWER_FORCE + a, rod->offset);
    view->external_couple[a] = from(answer, ELI_ANSWER_COUPLE + a, rod->offset);
    view->reaction_force[a] = from(answer, ELI_ANSWER_REACTION + a, rod->offset);
    view->reaction_couple[a] = from(answer, ELI_ANSWER_REACTION + 3 + a, rod->offset);
    view->total_force[a] = from(answer, ELI_ANSWER_TOTAL + a, rod->offset);
    view->total_couple[a] = from(answer, ELI_ANSWER_TOTAL + 3 + a, rod->offset);
  }
  view->drag = from(answer, ELI_ANSWER_DRAG, rod->offset);
  view->spin_drag = from(answer, ELI_ANSWER_SPIN_DRAG, rod->offset);
}

void eli_rod_set_masses(elastica_rod *rod) {
  double *const *lane = rod->world->bodies.slab.lane;
  const double *element = lane[ELI_ELEMENT_MASS] + rod->offset;
  double *mass = lane[ELI_MASS] + rod->offset, *inverse = lane[ELI_INVERSE_MASS] + rod->offset;
  const int n = rod->element_count;
  if (eli_is_rigid(rod)) {
    mass[0] = element[0];
    inverse[0] = 1.0 / mass[0];
    return;
  }
  for (int i = 1; i < n; i++) mass[i] = 0.5 * element[i] + 0.5 * element[i - 1];
  mass[0] = rod->closed ? 0.5 * element[0] + 0.5 * element[n - 1] : 0.5 * element[0];
  mass[n] = rod->closed ? mass[0] : 0.5 * element[n - 1];
  for (int i = 0; i <= n; i++) inverse[i] = 1.0 / mass[i];
}
/* ---- Invalidation ---- */

void eli_world_forget_refreshed(elastica_world *world) {
  if (world->scratch.refreshed != NULL) eli_rod_forget_derived(world->scratch.refreshed);
  if (world->scratch.whole_refreshed) ELI_EACH_ROD_OF_WORLD(rod, world) eli_rod_forget_derived(rod);
  if (world->scratch.answered) ELI_EACH_ROD_OF_WORLD(rod, world) eli_rod_aim_loads(rod, NULL);
  world->scratch.refreshed = NULL;
  world->scratch.whole_refreshed = world->scratch.answered = 0;
}

void eli_world_aim_refreshed(elastica_world *world) {
  if (world->scratch.refreshed != NULL) eli_rod_aim_derived(world->scratch.refreshed, world->scratch.query.lane);
  for (size_t t = 0; world->scratch.whole_refreshed && t < world->bodies.slab.tile_count; t++) {
    const eli_tile *tile = &world->bodies.slab.tiles[t];
    double *lane[ELI_TOTAL_FORCE];
    for (int k = 0; k < ELI_TOTAL_FORCE; k++) lane[k] = world->scratch.whole.lane[k] + tile->begin;
    ELI_EACH_ROD(rod, world, tile) eli_rod_aim_derived(rod, lane);
  }
}

void eli_world_outdate(elastica_world *world, unsigned stale) {
  world->stale |= stale;
  world->checkpoint.step = world->implicit_course.step = -1;
  eli_world_forget_refreshed(world);
}

void eli_rod_outdate_limit(elastica_rod *rod) {
  rod->body->limit_is_stale = rod->world->bodies.slab.tiles[rod->tile].limit_is_stale = rod->world->schedule.limits_are_stale = 1;
  rod->world->checkpoint.step = rod->world->implicit_course.step = -1;
  eli_world_forget_refreshed(rod->world);
}

void eli_world_settle_limits(elastica_world *world) {
  for (size_t t = 0; world->schedule.limits_are_stale && t < world->bodies.slab.tile_count; t++) {
    eli_tile *tile = &world->bodies.slab.tiles[t];
    if (!tile->limit_is_stale) continue;
    ELI_EACH_ROD(rod, world, tile) rod->body->limit_is_stale = 0;
    tile->limit_is_stale = 0;
  }
  world->schedule.limits_are_stale = 0;
}

void eli_rod_outdate(elastica_rod *rod, unsigned stale) {
  rod->body->stale |= stale;
  rod->world->bodies.slab.tiles[rod->tile].stale |= stale;
  eli_world_outdate(rod->world, stale);
}

/* ---- Records of effects by rods (rod_table.h) ---- */

static void clear(void *record, size_t size) {
  static const int none = -1;
  memset(record, 0, size);
  memcpy(record, &none, sizeof none);
}

void *eli_rod_table_reserve(eli_rod_table *table, int rod_index) {
  const int index = table->alone ? 0 : eli_world_table_index(table->world, rod_index);
  while (table->count <= index) {
    unsigned char *records = eli_grow(table->allocator, table->records, (size_t)table->count, table->size);
    if (records == NULL) return NULL;
    table->records = records;
    clear(eli_rod_table_at(table, table->count++), table->size);
  }
  void *record = eli_rod_table_at(table, index);
  clear(record, table->size);
  return record;
}

void eli_rod_table_release(eli_rod_table *table) {
  eli_release(table->allocator, table->records);
  table->records = NULL;
  table->count = 0;
}
