/* Calling the hooks of effects, and what is said of one that fails. */
#include "base/target.h"

#include <stdio.h>

#include "effects/work.h"

const char *eli_hook_name(eli_hook hook) {
  static const char *const names[ELI_HOOK_COUNT] = {
      "begin_step",    "add_resultants", "add_loads", "add_reactions", "constrain_position", "constrain_velocity", "constrain_spin",
      "add_stiffness", "observe",        "prepare",   "energy"};
  return names[hook];
}

static elastica_status call(const elastica_module *module, void *self, eli_hook hook, const elastica_instant *now,
                            const elastica_rod_view *view, void *argument) {
  switch (hook) {
  case ELI_BEGIN_STEP: return module->begin_step(self, now, view);
  case ELI_ADD_RESULTANTS: return module->add_resultants(self, now, view, argument);
  case ELI_ADD_LOADS: return module->add_loads(self, now, view, argument);
  case ELI_ADD_REACTIONS: return module->add_reactions(self, now, view, argument);
  case ELI_CONSTRAIN_POSITION: return module->constrain_position(self, now, view, argument);
  case ELI_CONSTRAIN_VELOCITY: return module->constrain_velocity(self, now, view, argument);
  case ELI_CONSTRAIN_SPIN: return module->constrain_spin(self, now, view, argument);
  case ELI_ADD_STIFFNESS: return module->add_stiffness(self, now, view, argument);
  case ELI_OBSERVE: return module->observe(self, now, view);
  default: return ELASTICA_OK;
  }
}

void eli_report_hook(eli_tile_report *report, elastica_status status, const elastica_rod *rod, const elastica_effect *effect,
                     eli_hook hook) {
  if (report->status != ELASTICA_OK && report->rod_index <= rod->index) return;
  report->status = status;
  report->rod_index = rod->index;
  report->effect = effect;
  report->hook = hook;
  report->wrote = 0;
}

int eli_call_hook(elastica_effect *effect, eli_hook hook, elastica_rod *rod, const elastica_instant *now, void *argument,
                  eli_tile_report *report) {
  const elastica_status status = call(&effect->module, effect->self, hook, now, &rod->view, argument);
  if (status == ELASTICA_OK) return 1;
  eli_report_hook(report, status, rod, effect, hook);
  return 0;
}

void eli_call_hooks(elastica_world *world, eli_hook hook, elastica_rod *rod, const elastica_instant *now, void *argument,
                    eli_tile_report *report) {
  const eli_hook_list *list = &world->hooks[hook];
  for (size_t k = list->first[rod->index]; k < list->first[rod->index + 1]; k++)
    eli_call_hook(list->effects[k], hook, rod, now, argument, report);
}

int eli_has_hook(const elastica_module *module, eli_hook hook) {
  switch (hook) {
  case ELI_BEGIN_STEP: return module->begin_step != NULL;
  case ELI_ADD_RESULTANTS: return module->add_resultants != NULL;
  case ELI_ADD_LOADS: return module->add_loads != NULL;
  case ELI_ADD_REACTIONS: return module->add_reactions != NULL;
  case ELI_CONSTRAIN_POSITION: return module->constrain_position != NULL;
  case ELI_CONSTRAIN_VELOCITY: return module->constrain_velocity != NULL;
  case ELI_CONSTRAIN_SPIN: return module->constrain_spin != NULL;
  case ELI_ADD_STIFFNESS: return module->add_stiffness != NULL;
  case ELI_OBSERVE: return module->observe != NULL;
  case ELI_PREPARE: return module->prepare != NULL;
  case ELI_ENERGY: return module->energy != NULL;
  default: return 0;
  }
}

/* ---- Hooks of a tile ---- */

eli_work eli_work_on(elastica_world *world, size_t tile, int worker, double dt) {
  const eli_tile *place = &world->slab.tiles[tile];
  const eli_law law = {
      world->law.classical, world->law.exact_couple, world->law.explicit_couples, place->not_circular, place->rest, place->round,
      world->watch};
  const double now = eli_world_now(world);
  const eli_work work = {world, place, world->scratch[worker].lane, law, now, now, now, now, dt, world->step_count, &world->reports[tile]};
  return work;
}

int eli_hooks(const eli_work *work, eli_hook hook, double time, void *argument) {
  const eli_hook_list *list = &work->world->hooks[hook];
  for (int r = work->tile->first_rod; r < work->tile->first_rod + work->tile->rod_count; r++) {
    if (list->first[r] == list->first[r + 1]) continue;
    const elastica_instant now = {sizeof now, time, work->dt, work->step, r, 0.0};
    eli_call_hooks(work->world, hook, work->world->rods[r], &now, argument, work->report);
  }
  return work->report->status == ELASTICA_OK;
}

/* ---- Failures ---- */

/* `effect 3 "drive": constrain_position wrote to node 2 of rod 0 what is not finite` or the like. */
static const char *describe(const eli_tile_report *report, char *text, size_t size) {
  const elastica_effect *effect = report->effect;
  const char *name = effect->label;
  char what[ELI_STATUS_WORDS_SIZE];
  if (report->wrote)
    snprintf(text, size, "effect %d \"%s\": %s wrote to %s %d of rod %d %s", effect->index, name, eli_hook_name(report->hook),
             report->lane == ELI_POSITION || report->lane == ELI_VELOCITY ? "node" : "element", report->place, report->rod_index,
             report->lane == ELI_DIRECTOR ? "what is not a right-handed frame, orthonormal to 1e-9" : "what is not finite");
  else if (report->status == ELASTICA_JOINT_TOO_FAR && effect->built_in)
    snprintf(text, size, "rod %d: the joint of effect %d \"%s\" turns by more than %.1f rad", report->rod_index, effect->index, name,
             ELI_JOINT_LIMIT);
  else
    snprintf(text, size, "effect %d \"%s\": %s returned %s for rod %d", effect->index, name, eli_hook_name(report->hook),
             eli_status_words(report->status, what), report->rod_index);
  return text;
}

elastica_status eli_world_fail_hook(elastica_world *world, const eli_tile_report *report, double time) {
  char text[ELI_MESSAGE_SIZE];
  const int joint = report->status == ELASTICA_JOINT_TOO_FAR && report->effect->built_in;
  return eli_world_fail(world, joint ? ELASTICA_JOINT_TOO_FAR : ELASTICA_CALLBACK_FAILED, "%s at t = %.9g s%s",
                        describe(report, text, sizeof text), time, joint ? "; near half a turn it could be a turn either way" : "");
}

elastica_status eli_world_refuse_hook(elastica_world *world, const eli_tile_report *report) {
  char text[ELI_MESSAGE_SIZE];
  const int named = report->status == ELASTICA_JOINT_TOO_FAR || report->status == ELASTICA_OUT_OF_MEMORY;
  return elastica_world_refuse(world, named ? report->status : ELASTICA_CALLBACK_FAILED, "%s at t = %.9g s",
                               describe(report, text, sizeof text), eli_world_now(world));
}
