/* Contact: rods and rigid bodies touch each other, and rods themselves (self-contact), with friction.
 *
 * models     an elastic layer along the line of contact of two elements; Coulomb friction with a tangential spring
 * equation   U = (k/4) (int eps^2 dmu_1 + int eps^2 dmu_2) of each pair of elements (contact/line.h);
 *            friction: contact/stick_slip.h with k_t = ratio k times the length in contact, N the normal force of the pair
 * source     Winkler foundation; Cundall and Strack 1979
 * parameters modulus k [Pa], damping [Pa s], friction mu, tangential ratio and damping, groups, skip_length, skin
 * conserves  momentum and angular momentum; energy with U, without damper and friction
 * test       tests/test_contact.c
 */
#include "base/target.h"

#include <elastica.h>

#include "base/sentence.h"
#include "base/vector.h"
#include "effects/contact.h"
#include "hooks/built_in.h"
#include "state/definition.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef elastica_contact_def contact_def;
static const eli_field fields[] = {
    ELI_FIELD(contact_def, struct_size),
    ELI_NUMBERS(contact_def, modulus, ELI_RULE_POSITIVE | ELI_RULE_REQUIRED),
    ELI_NUMBERS(contact_def, damping, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(contact_def, friction, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(contact_def, tangential_ratio, ELI_RULE_POSITIVE),
    ELI_NUMBERS(contact_def, tangential_damping, ELI_RULE_NOT_NEGATIVE),
    ELI_FIELD(contact_def, first_group),
    ELI_FIELD(contact_def, second_group),
    ELI_FLAG(contact_def, self),
    ELI_NUMBERS(contact_def, skip_length, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(contact_def, skin, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
};
static const contact_def defaults = {.modulus = NAN,
                                     .tangential_ratio = 2.0 / 3.0,
                                     .first_group = ELASTICA_EVERY_GROUP,
                                     .second_group = ELASTICA_EVERY_GROUP,
                                     .self = 1,
                                     .skip_length = NAN,
                                     .skin = NAN};
static const eli_layout layout = ELI_LAYOUT("contact_def", contact_def, fields, defaults);

/* ---- Hooks ---- */

static elastica_status add_world_loads(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  eli_contact *contact = self;
  contact->status = ELASTICA_OK;
  contact->now = *now;
  const int awaits = eli_contact_awaits(contact, now->dt);
  if (awaits > 0) loads->check_again = 1;
  contact->status = awaits < 0 ? ELASTICA_OUT_OF_MEMORY : eli_contact_act(contact, loads);
  return contact->status;
}

static elastica_status add_world_stiffness(void *self, const elastica_instant *now, elastica_world_stiffness *stiffness) {
  eli_contact *contact = self;
  contact->now = *now;
  return eli_contact_bound(contact, stiffness->stiffness);
}

/* Returns the energy of the pairs with this rod as their first, including their tangential springs. */
static double energy(void *self, double time, const elastica_rod_view *rod) {
  eli_contact *contact = self;
  double sum = 0.0;
  size_t first, end;
  (void)time;
  if (eli_contact_cover(contact, 0.0) < 0) {
    elastica_world_refuse(contact->world, ELASTICA_OUT_OF_MEMORY, "no memory for the list of pairs");
    return eli_nan();
  }
  eli_contact_pairs_of(contact, rod->rod_index, &first, &end);
  for (size_t k = first; k < end; k++) {
    eli_touch touch;
    double friction[3];
    if (!eli_contact_find(contact, k, &touch)) continue;
    sum += touch.line.energy;
    if (!(contact->law.friction > 0.0)) continue;
    eli_contact_friction(contact, k, &touch, friction);
    sum += 0.5 * eli_dot(friction, friction) / touch.stiffness;
  }
  return sum;
}

static elastica_status contact_stiffness(void *self, double time, void (*visit)(void *context, const eli_contact_stiffness *contact),
                                         void *context) {
  (void)time;
  return eli_contact_find_stiffness(self, visit, context);
}

static double friction_of(const void *self) {
  return ((const eli_contact *)self)->law.friction;
}

static int may_sleep(void *self, const elastica_instant *now) {
  eli_contact *contact = self;
  contact->now = *now;
  return eli_contact_may_sleep(contact, now->dt);
}

static int must_wake(void *self, const elastica_rod_view *rod) {
  return eli_contact_must_wake(self, rod);
}

/* Returns 1 for rods that would pass through each other; without memory for all rods, because the members may be missing then. */
static int fails_for(void *self, const elastica_rod_view *rod) {
  const eli_contact *contact = self;
  if (contact->status != ELASTICA_UNSTABLE_STEP) return contact->status != ELASTICA_OK;
  if (rod->rod_index < contact->first_rod || rod->rod_index >= contact->end_rod) return 0;
  return eli_contact_member_of(contact, rod->rod_index)->sunk;
}

static void forget_rod(void *self, const elastica_rod_view *rod) {
  eli_contact_forget(self, rod->rod_index);
}

static int keep_history(void *own) {
  return eli_contact_keep_history(own);
}

static void put_back_history(void *own) {
  eli_contact_put_back_history(own);
}

static void destroy(void *self) {
  eli_contact_destroy(self);
}

/* ---- Definitions and queries ---- */

static elastica_status check_group(const eli_request *request, const char *field, int group) {
  if (group >= 0 || group == ELASTICA_EVERY_GROUP) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: contact_def.%s is %d: neither a group nor EVERY_GROUP",
                               request->function, field, group);
}

/* Refuses the self-contact of one rod that can never find a contact: such an effect is a mistake. */
static elastica_status check_alone(const eli_request *request, const contact_def *def) {
  const int rod = elastica_rod_get_view(request->rod)->rod_index, group = eli_world_contact_group(request->world, rod);
  const int groups[2] = {def->first_group, def->second_group};
  if (elastica_rod_get_view(request->rod)->rigid)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d is a rigid body, which cannot touch itself",
                                 request->function, rod);
  if (!def->self)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: contact_def.self is 0, and one rod alone can only touch itself", request->function);
  for (int k = 0; k < 2; k++)
    if (groups[k] != ELASTICA_EVERY_GROUP && groups[k] != group)
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                   "%s: contact_def.%s is %d, and rod %d, which alone can touch itself, is of group %d", request->function,
                                   k == 0 ? "first_group" : "second_group", groups[k], rod, group);
  return ELASTICA_OK;
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const contact_def *def = given;
  elastica_status status = check_group(request, "first_group", def->first_group);
  if (status == ELASTICA_OK) status = check_group(request, "second_group", def->second_group);
  if (status == ELASTICA_OK && request->rod != NULL) status = check_alone(request, def);
  memcpy(self, def, sizeof *def);
  module->add_world_loads = add_world_loads;
  module->add_world_stiffness = add_world_stiffness;
  module->may_sleep = may_sleep;
  module->must_wake = must_wake;
  module->energy = energy;
  module->destroy = destroy;
  module->forget_rod = forget_rod;
  module->fails_for = fails_for;
  module->keep_history = keep_history;
  module->put_back_history = put_back_history;
  return status;
}

static void *create(const eli_request *request, const void *self) {
  (void)self;
  return eli_contact_create(request->world, request->rod != NULL ? elastica_rod_get_view(request->rod)->rod_index : -1);
}

static void apply(void *own, const void *self) {
  const contact_def *def = self;
  const eli_contact_law law = {.line = {def->modulus, def->damping},
                               .friction = def->friction,
                               .tangential_ratio = def->tangential_ratio,
                               .tangential_damping = def->tangential_damping,
                               .first_group = def->first_group,
                               .second_group = def->second_group,
                               .self = def->self,
                               .skip_length = def->skip_length,
                               .skin = def->skin};
  eli_contact_set_law(own, &law);
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  (void)rod, (void)module;
  eli_contact_keep(own, record);
}

static void describe_point(const eli_contact *contact, size_t k, const eli_touch *touch, elastica_contact_point *out) {
  const eli_contact_pair *pair = &contact->list[k];
  for (int side = 0; side < 2; side++) {
    out->rod[side] = pair->rod[side];
    out->element[side] = pair->element[side];
  }
  memcpy(out->point, touch->middle.point, sizeof out->point);
  memcpy(out->normal, touch->middle.normal, sizeof out->normal);
  out->depth = eli_contact_depth(contact, k, touch);
  out->extent = touch->line.extent;
  out->force = touch->line.elastic;
  eli_contact_friction(contact, k, touch, out->tangential);
  out->sticks = contact->law.friction > 0.0 && eli_contact_history(contact, k).sticks;
}

static elastica_status find_contacts(elastica_effect *effect, const char *function, elastica_contact_point *points, int capacity,
                                     int *count) {
  eli_contact *contact = elastica_effect_get(effect).self;
  if (eli_contact_cover(contact, 0.0) < 0)
    return elastica_world_refuse(elastica_effect_get(effect).world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for the list of pairs",
                                 function);
  *count = 0;
  for (size_t k = 0; k < contact->count && *count < INT_MAX; k++) {
    eli_touch touch;
    if (!eli_contact_find(contact, k, &touch)) continue;
    if (*count < capacity) describe_point(contact, k, &touch, &points[*count]);
    (*count)++;
  }
  return ELASTICA_OK;
}

static const eli_built_in kind = {.name = "contact",
                                  .layout = &layout,
                                  .every_rod = 1,
                                  .rigid_bodies = 1,
                                  .contact_stiffness = contact_stiffness,
                                  .contacts = find_contacts,
                                  .friction = friction_of,
                                  .self_size = ELI_SELF_SIZE(contact_def),
                                  .describe = describe,
                                  .create = create,
                                  .apply = apply,
                                  .keep = keep};

void elastica_contact_def_init(elastica_contact_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_contact(elastica_world *world, elastica_rod *rod, const elastica_contact_def *def, elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_contact_set(elastica_effect *effect, const elastica_contact_def *def) {
  return eli_set_built_in(&kind, effect, def);
}

static elastica_status refuse_other(elastica_effect *effect) {
  char label[ELI_LABEL_SIZE];
  return elastica_world_refuse(elastica_effect_get(effect).world, ELASTICA_INVALID_ARGUMENT,
                               "contact_get: the effect is %s, neither a contact nor an obstacle of kind ELASTIC",
                               eli_shorten(elastica_effect_get(effect).name, label, sizeof label));
}

elastica_status elastica_contact_get(elastica_effect *effect, elastica_contact_point *points, int capacity, int *count) {
  static const char function[] = "contact_get";
  elastica_status status = eli_effect_check(effect, function);
  if (status != ELASTICA_OK) return status;
  const eli_built_in *of = eli_effect_kind(effect);
  if (of == NULL || of->contacts == NULL) return refuse_other(effect);
  status = eli_check_outside_hook(elastica_effect_get(effect).world, function);
  if (status != ELASTICA_OK) return status;
  elastica_world *world = elastica_effect_get(effect).world;
  if (capacity < 0) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "contact_get: capacity is negative: %d", capacity);
  if (count == NULL || (points == NULL && capacity > 0))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "contact_get: %s is NULL", count == NULL ? "count" : "points");
  eli_world_enter_call(world); /* of the motion and the surface of an obstacle */
  status = of->contacts(effect, function, points, capacity, count);
  eli_world_leave_call(world);
  return status;
}
