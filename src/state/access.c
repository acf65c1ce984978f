/* Access to the rods, the time and the tools of a world.
 *
 * test       tests/test_world_query.c
 */
#include "base/target.h"

#include "state/module.h"
#include "state/world.h"

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
