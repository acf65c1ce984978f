/* Contacts: their stiffness at every state, the largest step with contacts, and the history of friction.
 *
 * models     C = -d(forces of contacts)/d(positions of the ends of elements): a sum over contacts (see eli_contact_stiffness)
 * test       tests/test_relax_touching.c
 *
 * The stiffness at one state includes no contact that begins later. Therefore a node moves by at most PART_OF_RADIUS times the smallest
 * radius at rest in one step: between the first touch of two surfaces and a crossing of their centre lines there are several steps.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

#include "contact/capsule.h"
#include "contact/stick_slip.h"
#include "hooks/work.h"
#include "rod/law.h"

/* The largest displacement of a node in one step, over the smallest radius of all rods. */
#define PART_OF_RADIUS 0.25

/* A step may lead through a contact if it moves a node by more than this share of the largest displacement. */
#define LONG 0.5

/* ---- Effects with contacts ---- */

static double least_radius(const elastica_world *world) {
  double *const *lane = world->bodies.slab.lane;
  double least = INFINITY;
  ELI_EACH_ROD_OF_WORLD(rod, world)
  for (size_t j = rod->offset; j < rod->offset + (size_t)rod->element_count; j++) {
    const double radius = eli_radius(lane[ELI_VOLUME][j], lane[ELI_REST_LENGTH][j]);
    if (radius < least) least = radius;
  }
  return least;
}

static int has_contacts(const elastica_effect *effect) {
  return effect->enabled && eli_reports_contacts(effect);
}

void eli_relax_find_touching(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  eli_touching *touching = &relaxation->touching;
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (has_contacts(effect)) touching->known = 1;
  touching->limit = touching->known ? PART_OF_RADIUS * least_radius(world) : 0.0;
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (has_contacts(effect) && effect->body->kind->friction != NULL && effect->body->kind->friction(effect->self) > 0.0)
    touching->has_friction = 1;
}

/* ---- Friction ---- */

static double *lane_of(const elastica_world *world, size_t k) {
  return world->bodies.slab.lane[k < 3 ? ELI_POSITION + k : ELI_DIRECTOR + k - 3];
}

static int allocate_slips(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  const size_t slots = world->bodies.slab.end;
  if (slots == 0) return 1; /* an empty slab has no lanes */
  double *memory = eli_allocate(&world->allocator, 18 * slots, sizeof *memory);
  relaxation->touching.slips = memory;
  if (memory == NULL) return 0;
  memset(memory, 0, 18 * slots * sizeof *memory);
  for (size_t k = 0; k < 12; k++, memory += slots) {
    world->calls.slips.from[k] = memory;
    memcpy(memory, lane_of(world, k), slots * sizeof *memory);
  }
  for (size_t k = 0; k < 6; k++, memory += slots) world->calls.slips.moved[k] = memory;
  return 1;
}

void eli_relax_follow_slips(const eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  for (size_t k = 0; k < 12 && relaxation->touching.slips != NULL; k++)
    memcpy(world->calls.slips.from[k], lane_of(world, k), world->bodies.slab.end * sizeof(double));
}

elastica_status eli_relax_keep_slips(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  eli_tile_report report;
  if (relaxation->touching.slips == NULL) return ELASTICA_OK;
  world->calls.slips.keeps = 1;
  relaxation->evaluations++;
  const elastica_status status = eli_world_statics(world, 1, &relaxation->trial, &report);
  world->calls.slips.keeps = 0;
  eli_relax_follow_slips(relaxation);
  return status == ELASTICA_OK ? status : eli_relax_fail_hook(relaxation, &report);
}

/* ---- The contact of a rod ---- */

typedef struct inquiry {
  const elastica_rod *rod;
  const elastica_effect *effect;
  eli_touched *out;
  int found;
} inquiry;

static void take_note(void *context, const eli_contact_stiffness *found) {
  inquiry *now = context;
  for (int side = 0; side < 2 && found->rod[side] != NULL; side++) {
    if (found->rod[side]->rod_index != now->rod->index || (now->found && found->friction != ELI_FRICTION_SLIDES)) continue;
    if (now->found && now->out->friction == ELI_FRICTION_SLIDES) continue;
    *now->out = (eli_touched){now->effect, found->element[side], found->friction};
    now->found = 1;
  }
}

int eli_relax_find_contact(const eli_relaxation *relaxation, int r, eli_touched *out) {
  elastica_world *world = relaxation->world;
  elastica_status status = ELASTICA_OK;
  inquiry now = {relaxation->rods[r], NULL, out, 0};
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (status == ELASTICA_OK && has_contacts(effect)) {
    now.effect = effect;
    status = effect->body->kind->contact_stiffness(effect->self, eli_world_now(world), take_note, &now);
  }
  eli_world_leave_hooks(world);
  return status == ELASTICA_OK && now.found;
}

/* ---- Depth ---- */

elastica_status eli_relax_note_depth(eli_relaxation *relaxation) {
  elastica_world *world = relaxation->world;
  eli_tile_report report;
  double farthest = 0.0;
  char before[ELI_MESSAGE_SIZE];
  for (size_t i = 0; i < relaxation->blocks; i++) eli_keep_larger(&farthest, eli_length(relaxation->step + 6 * i));
  if (relaxation->sunk[0] != '\0' || relaxation->stiffness.contacts == 0 || farthest < LONG * relaxation->touching.limit)
    return ELASTICA_OK;
  const elastica_status status = eli_world_ask_loads(world, 0.0, &report);
  if (status == ELASTICA_OK || report.effect == NULL) return ELASTICA_OK;
  if (status != ELASTICA_UNSTABLE_STEP) return eli_relax_fail_hook(relaxation, &report);
  memcpy(before, world->report.message, sizeof before);
  (void)eli_world_refuse_hook(world, &report);
  memcpy(relaxation->sunk, world->report.message, sizeof relaxation->sunk);
  memcpy(world->report.message, before, sizeof before);
  return ELASTICA_OK;
}

elastica_status eli_relax_check_depth(eli_relaxation *relaxation, const char *found) {
  elastica_world *world = relaxation->world;
  eli_tile_report report;
  char why[ELI_MESSAGE_SIZE];
  if (!(relaxation->touching.limit > 0.0)) return ELASTICA_OK;
  const elastica_status status = eli_world_ask_loads(world, 0.0, &report);
  if (status == ELASTICA_OK || report.effect == NULL) return ELASTICA_OK;
  if (status != ELASTICA_UNSTABLE_STEP) return eli_relax_fail_hook(relaxation, &report);
  (void)eli_world_refuse_hook(world, &report);
  memcpy(why, world->report.message, sizeof why);
  return elastica_world_refuse(world, ELASTICA_NOT_CONVERGED, "%s, %s; a stiffer layer would resist the loads", found, why);
}

/* ---- Memory ---- */

int eli_relax_allocate_touching(eli_relaxation *relaxation) {
  return !relaxation->touching.has_friction || allocate_slips(relaxation);
}

void eli_relax_release_touching(eli_relaxation *relaxation) {
  memset(&relaxation->world->calls.slips, 0, sizeof relaxation->world->calls.slips);
  eli_release(&relaxation->world->allocator, relaxation->touching.slips);
}

/* ---- Stiffness ---- */

int eli_relax_contact_parts(const eli_relaxation *relaxation, const eli_contact_stiffness *found, size_t *part, int *place) {
  int count = 0;
  for (int side = 0; side < 2 && found->rod[side] != NULL; side++) {
    const elastica_rod_view *view = found->rod[side];
    const size_t first = relaxation->first[relaxation->world->bodies.rods[view->rod_index]->body->rank];
    const int j = found->element[side];
    const int nodes[4] = {j, view->rigid ? -1 : eli_second_node(view, j), found->beyond[side][0], found->beyond[side][1]};
    for (int k = 0; k < 4; k++)
      if (nodes[k] >= 0) place[count] = ELI_CONTACT_STIFFNESS_SIDE * side + 3 * k, part[count++] = 2 * (first + (size_t)nodes[k]);
    if (found->turns || view->rigid) place[count] = 2 * ELI_CONTACT_STIFFNESS_SIDE + 3 * side, part[count++] = 2 * (first + (size_t)j) + 1;
  }
  return count;
}

/* A visit of the contacts of one effect. */
typedef struct visit {
  eli_stiffness_owner owner;
  elastica_effect *effect;
} visit;

static void take(void *context, const eli_contact_stiffness *found) {
  visit *now = context;
  const eli_stiffness_owner *of = &now->owner;
  size_t part[ELI_CONTACT_STIFFNESS_PARTS];
  int place[ELI_CONTACT_STIFFNESS_PARTS];
  const int parts = eli_relax_contact_parts(of->relaxation, found, part, place);
  of->stiffness->contacts++;
  if (found->friction != ELI_FRICTION_IDLE && of->relaxation->unsymmetric == NULL) of->relaxation->unsymmetric = now->effect;
  if (found->friction == ELI_FRICTION_SLIDES && of->stiffness->sliding == NULL) of->stiffness->sliding = now->effect;
  for (int p = 0; p < parts; p++)
    for (int q = 0; q < parts; q++) {
      double m[9];
      eli_contact_stiffness_block(found, place[p], place[q], m);
      eli_stiffness_take(&now->owner, part[p], part[q], m, 0);
    }
}

elastica_status eli_relax_take_contacts(eli_relaxation *relaxation, eli_stiffness *stiffness) {
  elastica_world *world = relaxation->world;
  elastica_status status = ELASTICA_OK;
  visit now = {{relaxation, stiffness}, NULL};
  stiffness->contacts = 0;
  stiffness->sliding = NULL;
  if (!relaxation->touching.known) return status;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  eli_tile_report report = {.rod_index = -1, .hook = ELI_ADD_LOADS};
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (status == ELASTICA_OK && has_contacts(effect)) {
    now.effect = effect;
    status = effect->body->kind->contact_stiffness(effect->self, eli_world_now(world), take, &now);
    report.status = status, report.effect = effect;
  }
  eli_world_leave_hooks(world);
  relaxation->starved = relaxation->starved || status == ELASTICA_OUT_OF_MEMORY;
  return status == ELASTICA_OK || relaxation->starved ? status : eli_relax_fail_hook(relaxation, &report);
}
