/* Elastic obstacle: rods and round bodies touch a solid that is fixed or moves as prescribed, with stick-slip friction.
 *
 * models     an elastic layer along the part of each element in contact; Coulomb friction with a tangential spring
 * equation   U = (k/2) int eps^2 dmu of each element (contact/layer.h); friction: contact/stick_slip.h with k_t = ratio k times the
 *            length in contact, N the normal force of the element
 * source     Winkler foundation; Cundall and Strack 1979
 * parameters obstacle and its place or motion, modulus k [Pa], damping [Pa s], friction mu, tangential ratio and damping, group
 * conserves  momentum and angular momentum together with the obstacle; energy with U, without damper, friction and motion
 * test       tests/test_obstacle_contact.c, tests/test_obstacle_history.c
 */
#include "base/target.h"

#include <elastica.h>

#include "base/definition.h"
#include "base/module.h"
#include "base/vector.h"
#include "contact/obstacle.h"
#include "pairs/obstacle.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef elastica_obstacle_def obstacle_def;
static const eli_field fields[] = {
    ELI_FIELD(obstacle_def, struct_size),
    ELI_CHOICE(obstacle_def, obstacle, ELASTICA_OBSTACLE_BOX, "none of PLANE, SPHERE, CYLINDER, BOX"),
    ELI_NUMBERS(obstacle_def, position, ELI_RULE_NUMBER),
    ELI_FIELD(obstacle_def, normal),
    ELI_NUMBERS(obstacle_def, director, ELI_RULE_FRAME | ELI_RULE_OPTIONAL),
    ELI_FIELD(obstacle_def, radius),
    ELI_FIELD(obstacle_def, length),
    ELI_FIELD(obstacle_def, edge),
    ELI_FIELD(obstacle_def, motion),
    ELI_FIELD(obstacle_def, user),
    ELI_NUMBERS(obstacle_def, modulus, ELI_RULE_POSITIVE | ELI_RULE_REQUIRED),
    ELI_NUMBERS(obstacle_def, damping, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(obstacle_def, friction, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(obstacle_def, tangential_ratio, ELI_RULE_POSITIVE),
    ELI_NUMBERS(obstacle_def, tangential_damping, ELI_RULE_NOT_NEGATIVE),
    ELI_FIELD(obstacle_def, group),
    ELI_NUMBERS(obstacle_def, damping_ratio, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(obstacle_def, tangential_damping_ratio, ELI_RULE_NOT_NEGATIVE),
};
static const obstacle_def defaults = {.normal = {0.0, 0.0, 1.0},
                                      .director = ELI_UNSET_FRAME,
                                      .radius = NAN,
                                      .length = NAN,
                                      .edge = ELI_UNSET_VECTOR,
                                      .modulus = NAN,
                                      .tangential_ratio = 2.0 / 3.0,
                                      .group = ELASTICA_EVERY_GROUP,
                                      .damping_ratio = 0.5,
                                      .tangential_damping_ratio = 0.1};
static const eli_layout layout = ELI_LAYOUT("obstacle_def", obstacle_def, fields, defaults);

/* ---- From a definition ---- */

/* Refuses a centre line inside the solid: it would be pushed out on the nearest side, or through. */
static elastica_status check_rod(const eli_elastic *o, const elastica_rod_view *view, const char *function) {
  const double time = elastica_world_time(o->world);
  eli_round shape;
  eli_placement place;
  if (view->rigid && !eli_elastic_is_round(elastica_world_rod(o->world, view->rod_index), &shape)) return ELASTICA_OK;
  if (o->group != ELASTICA_EVERY_GROUP && o->group != eli_world_contact_group(o->world, view->rod_index)) return ELASTICA_OK;
  if (eli_prescribed_at(&o->place, time, &place) != ELASTICA_OK)
    return elastica_world_refuse(o->world, ELASTICA_INVALID_ARGUMENT, "%s: obstacle_def.motion fails at t = %.9g s: %s", function, time,
                                 eli_world_reason(o->world));
  const eli_placed_solid solid = eli_solid_at(&o->shape, &place);
  for (int j = 0; j < view->element_count; j++) {
    eli_capsule at;
    eli_layer_place(&shape, view, j, &at);
    const double rounding = 1e-6 * at.rest_radius, distance = eli_layer_least_distance(&at, &solid, 0.0, 1.0, rounding);
    if (distance >= -rounding) continue;
    return elastica_world_refuse(o->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: the centre line of element %d of rod %d is inside the obstacle, up to %g m below its surface",
                                 function, j, view->rod_index, -distance);
  }
  return ELASTICA_OK;
}

/* Checks rods that were added later. */
static elastica_status prepare(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  eli_elastic *o = self;
  (void)preparation;
  const elastica_status status = eli_world_is_loading(o->world) ? ELASTICA_OK : check_rod(o, rod, "prepare");
  return status == ELASTICA_OK ? eli_elastic_add_record(o, rod) : status;
}

static elastica_status check_request(const eli_request *request, const obstacle_def *def) {
  eli_round shape;
  if (def->group < 0 && def->group != ELASTICA_EVERY_GROUP)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: obstacle_def.group is %d: neither a group nor EVERY_GROUP",
                                 request->function, def->group);
  if (request->rod == NULL || !elastica_rod_get_view(request->rod)->rigid || eli_elastic_is_round(request->rod, &shape)) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: rod %d is a rigid body: a cylinder or a box does not touch elastic obstacles", request->function,
                               elastica_rod_index(request->rod));
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const obstacle_def *def = given;
  eli_elastic *o = self;
  const eli_obstacle_fields place = {"obstacle_def", def->obstacle, def->position, def->normal, def->director,
                                     def->edge,      def->radius,   def->length,   def->motion, def->user};
  elastica_status status = check_request(request, def);
  if (status == ELASTICA_OK) status = eli_obstacle_read(request->world, &place, &o->shape, &o->place);
  o->world = request->world;
  o->allocator = eli_world_allocator(request->world);
  o->law = (eli_layer_law){{def->modulus, def->damping}, def->friction,      def->tangential_ratio,
                           def->tangential_damping,      def->damping_ratio, def->tangential_damping_ratio};
  o->group = def->group;
  o->alone = request->rod != NULL;
  elastica_rod *rod = request->rod != NULL ? request->rod : eli_next_rod(request->world, NULL);
  for (; rod != NULL && status == ELASTICA_OK; rod = request->rod != NULL ? NULL : eli_next_rod(request->world, rod))
    status = check_rod(o, elastica_rod_get_view(rod), request->function);
  module->parallel_safe = o->place.motion == NULL;
  module->needs_geometry = o->place.motion != NULL; /* a fixed obstacle without contact is idle and needs no geometry */
  module->prepare = prepare;
  module->add_loads = eli_elastic_add_loads;
  module->add_reactions = o->law.friction > 0.0 ? eli_elastic_add_reactions : NULL;
  module->add_stiffness = eli_elastic_add_stiffness;
  module->energy = eli_elastic_energy;
  module->destroy = eli_elastic_destroy;
  module->is_idle = eli_elastic_idle;
  module->forget_rod = eli_elastic_forget_rod;
  module->explain = eli_elastic_explain;
  module->each_history = eli_elastic_each_history;
  return status;
}

/* Creates the effect with a record for each present rod. */
static void *create(const eli_request *request, const void *self) {
  const eli_elastic *described = self;
  eli_elastic *o = eli_allocate(described->allocator, 1, sizeof *o);
  elastica_status status = ELASTICA_OK;
  if (o == NULL) return NULL;
  *o = *described;
  elastica_rod *rod = o->alone ? request->rod : eli_next_rod(o->world, NULL);
  for (; rod != NULL && status == ELASTICA_OK; rod = o->alone ? NULL : eli_next_rod(o->world, rod))
    status = eli_elastic_add_record(o, elastica_rod_get_view(rod));
  if (status == ELASTICA_OK) return o;
  eli_elastic_destroy(o);
  return NULL;
}

static void apply(void *own, const void *self) {
  const eli_elastic *described = self;
  eli_elastic *o = own;
  o->place = described->place;
  o->shape = described->shape;
  o->law = described->law;
  o->group = described->group;
  if (!(o->law.friction > 0.0)) eli_elastic_clear_history(o);
}

/* ---- In a snapshot ---- */

static void function_of(void *own, eli_function *of, int set) {
  eli_prescribed_function(&((eli_elastic *)own)->place, of, set);
}

static void keep_law(eli_elastic *o, eli_record *in) {
  eli_obstacle_keep(&o->shape, in);
  eli_record_finite(in, "modulus", &o->law.line.modulus, 1);
  eli_record_finite(in, "damping", &o->law.line.damping, 1);
  eli_record_finite(in, "friction", &o->law.friction, 1);
  eli_record_finite(in, "tangential_ratio", &o->law.tangential_ratio, 1);
  eli_record_finite(in, "tangential_damping", &o->law.tangential_damping, 1);
  eli_record_finite(in, "damping_ratio", &o->law.damping_ratio, 1);
  eli_record_finite(in, "tangential_damping_ratio", &o->law.tangential_damping_ratio, 1);
  eli_record_int(in, "group", &o->group, ELASTICA_EVERY_GROUP, INT_MAX);
}

/* r NULL: there is no record yet. */
static void keep_record(const eli_elastic_record *r, const elastica_rod_view *rod, eli_record *in) {
  for (int j = 0; j < rod->element_count; j++) {
    eli_stick_slip none, *history = r != NULL && j < r->count ? &r->history[j] : &none;
    if (history == &none) memset(&none, 0, sizeof none);
    eli_record_finite(in, "friction of a contact", history->force, 3);
    eli_record_finite(in, "normal of a contact", history->normal, 3);
    eli_record_finite(in, "stiffness of a contact", &history->stiffness, 1);
    eli_record_int(in, "sticks", &history->sticks, 0, 1);
  }
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *in, elastica_module *module) {
  eli_elastic *o = own;
  eli_prescribed_keep(&o->place, NULL, in);
  keep_law(o, in);
  if (in->use == ELI_RECORD_READ) {
    module->parallel_safe = o->place.motion == NULL;
    module->needs_geometry = o->place.motion != NULL;
    module->add_reactions = o->law.friction > 0.0 ? eli_elastic_add_reactions : NULL;
  }
  if (rod != NULL) keep_record(eli_elastic_record_of(o, rod->rod_index), rod, in);
  for (elastica_rod *on = rod == NULL ? eli_next_rod(o->world, NULL) : NULL; on != NULL; on = eli_next_rod(o->world, on))
    keep_record(eli_elastic_record_of(o, elastica_rod_index(on)), elastica_rod_get_view(on), in);
}

static double friction_of(const void *self) {
  return ((const eli_elastic *)self)->law.friction;
}

static int dissipates(const void *self) {
  const eli_elastic *o = self;
  return o->law.line.damping > 0.0 || o->law.damping_ratio > 0.0 || o->law.friction > 0.0;
}

static elastica_status stands(const void *self, double time, eli_body *out) {
  const eli_elastic *o = self;
  out->obstacle = o->shape;
  return eli_prescribed_at(&o->place, time, &out->place);
}

static const eli_built_in kind = {.name = "obstacle",
                                  .stands = stands,
                                  .layout = &layout,
                                  .every_rod = 1,
                                  .rigid_bodies = 1,
                                  .contact_stiffness = eli_elastic_find_stiffness,
                                  .friction = friction_of,
                                  .damps_motion_alone = 1,
                                  .self_size = ELI_SELF_SIZE(eli_elastic),
                                  .describe = describe,
                                  .create = create,
                                  .apply = apply,
                                  .keep = keep,
                                  .function = function_of,
                                  .dissipates = dissipates};

void elastica_obstacle_def_init(elastica_obstacle_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_obstacle(elastica_world *world, elastica_rod *rod, const elastica_obstacle_def *def, elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_obstacle_set(elastica_effect *effect, const elastica_obstacle_def *def) {
  return eli_set_built_in(&kind, effect, def);
}

/* ---- Contact points ---- */

static void describe_point(const eli_elastic *o, const eli_elastic_record *r, int j, const eli_layer_touch *of, const double friction[3],
                           elastica_contact_point *out) {
  *out = (elastica_contact_point){.rod = {r->rod, -1}, .element = {j, -1}};
  memcpy(out->point, of->middle.point, sizeof out->point);
  memcpy(out->normal, of->middle.normal, sizeof out->normal);
  out->depth = of->layer.depth;
  out->extent = of->layer.extent;
  out->force = of->layer.elastic;
  memcpy(out->tangential, friction, sizeof out->tangential);
  out->sticks = o->law.friction > 0.0 && r->history[j].sticks;
}

static void add_to_sum(const eli_placed_solid *solid, const eli_layer_touch *of, const double friction[3], elastica_obstacle_info *sum) {
  double arm[3], turned[3];
  for (int a = 0; a < 3; a++) arm[a] = of->middle.point[a] - solid->place.position[a];
  eli_cross(arm, friction, turned);
  for (int a = 0; a < 3; a++) {
    sum->force[a] -= of->layer.total[a] + friction[a];
    sum->couple[a] -= of->layer.moment[a] + turned[a];
  }
  sum->contact_count++;
  if (of->layer.depth > sum->deepest) sum->deepest = of->layer.depth;
}

static elastica_status check_get(elastica_effect *effect, const elastica_contact_point *points, int capacity) {
  elastica_status status = eli_check_effect(effect, "obstacle_get", &kind);
  if (status == ELASTICA_OK) status = eli_check_outside_hook(elastica_effect_world(effect), "obstacle_get");
  if (status != ELASTICA_OK || (capacity >= 0 && (points != NULL || capacity == 0))) return status;
  return elastica_world_refuse(elastica_effect_world(effect), ELASTICA_INVALID_ARGUMENT, "obstacle_get: %s",
                               capacity < 0 ? "capacity is negative" : "points is NULL");
}

elastica_status elastica_obstacle_get(elastica_effect *effect, elastica_obstacle_info *out, elastica_contact_point *points, int capacity) {
  const elastica_status status = check_get(effect, points, capacity);
  if (status != ELASTICA_OK) return status;
  const eli_elastic *o = elastica_effect_self(effect);
  elastica_rod *const alone = elastica_effect_rod(effect);
  elastica_obstacle_info sum;
  eli_placed_solid solid;
  memset(&sum, 0, sizeof sum);
  if (eli_elastic_solid_at(o, elastica_world_time(o->world), 0, &solid) != ELASTICA_OK)
    return elastica_world_refuse(o->world, ELASTICA_CALLBACK_FAILED, "obstacle_get: obstacle_def.motion fails: %s",
                                 eli_world_reason(o->world));
  elastica_rod *rod = alone != NULL ? alone : eli_next_rod(o->world, NULL);
  for (; elastica_effect_is_enabled(effect) && rod != NULL; rod = alone != NULL ? NULL : eli_next_rod(o->world, rod)) {
    const eli_elastic_record *r = eli_elastic_record_of(o, elastica_rod_index(rod));
    for (int j = 0; eli_elastic_acts_on(o, r) && j < r->count; j++) {
      eli_layer_touch of;
      double friction[3];
      if (!eli_layer_touch_find(&o->law, &r->shape, &solid, elastica_rod_get_view(rod), j, &of)) continue;
      eli_layer_friction(&o->law, &r->history[j], &of, friction);
      if (sum.contact_count < capacity) describe_point(o, r, j, &of, friction, &points[sum.contact_count]);
      add_to_sum(&solid, &of, friction, &sum);
    }
  }
  if (out != NULL) *out = sum;
  return ELASTICA_OK;
}
