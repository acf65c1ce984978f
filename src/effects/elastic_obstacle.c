/* Elastic obstacle: rods and round bodies touch a solid that is fixed or moves as prescribed, with stick-slip friction.
 *
 * models     an elastic layer along the part of each element in contact; Coulomb friction with a tangential spring
 * equation   U = (k/2) int eps^2 dmu of each element (effects/layer.h); friction: contact/stick_slip.h with k_t = ratio k times the
 *            length in contact, N the normal force of the element
 * source     Winkler foundation; Cundall and Strack 1979
 * parameters obstacle and its place or motion, modulus k [Pa], damping [Pa s], friction mu, tangential ratio and damping, group
 * conserves  momentum and angular momentum together with the obstacle; energy with U, without damper, friction and motion
 * test       tests/test_obstacle_contact.c, tests/test_obstacle_history.c
 */
#include "base/target.h"

#include <elastica.h>

#include "base/vector.h"
#include "effects/elastic_layer.h"
#include "effects/obstacle.h"
#include "effects/solid.h"
#include "state/definition.h"
#include "state/module.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- From a definition ---- */

/* A rod in a duct must be thinner than it, one around a tube thinner than its tightest bend admits, one at a mesh thinner than its
 * fillets. */
#define THINNER 0.95
#define IN_FILLET 0.8

static elastica_status check_fillet(const eli_elastic_layer *o, const elastica_rod_view *view, double radius, const char *function) {
  if (radius <= IN_FILLET * o->mesh->fillet) return ELASTICA_OK;
  return elastica_world_refuse(o->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: rod %d has a radius of %g m, more than %g times obstacle_def.fillet of the mesh, %g m", function,
                               view->rod_index, radius, IN_FILLET, o->mesh->fillet);
}

static elastica_status check_size(const eli_elastic_layer *o, const elastica_rod_view *view, double radius, const char *function) {
  const eli_tube *tube = o->shape.shape == ELASTICA_SHAPE_TUBE ? o->tube : NULL;
  if (o->shape.shape == ELASTICA_SHAPE_MESH) return check_fillet(o, view, radius, function);
  if (tube == NULL) return ELASTICA_OK;
  if (tube->inside && radius > THINNER * tube->narrowest)
    return elastica_world_refuse(o->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: rod %d has a radius of %g m, more than %g times the least radius of the tube around it, %g m",
                                 function, view->rod_index, radius, THINNER, tube->narrowest);
  if (!tube->inside && tube->widest + radius > 0.9 * tube->tightest)
    return elastica_world_refuse(o->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: rod %d has a radius of %g m, and the tube one of up to %g m: together more than 0.9 times %g m, the "
                                 "least radius of a bend of the axis",
                                 function, view->rod_index, radius, tube->widest, tube->tightest);
  return ELASTICA_OK;
}

/* Refuses a function of the user that fails. failed: the status of that. */
static elastica_status check_surface(const eli_elastic_layer *o, const char *function, elastica_status failed) {
  if (eli_elastic_check_surface(o) == ELASTICA_OK) return ELASTICA_OK;
  return elastica_world_refuse(o->world, failed, "%s: obstacle_def.surface fails: %s", function, eli_world_reason(o->world));
}

/* Differences of distances, in radii, that do not count. */
#define ROUNDING 1e-6

/* The element with the least distance of its centre line from the surface, in radii; negative: the deepest one in the solid. */
typedef struct nearest {
  int element;             /* -1: none within ELI_LAYER_NEAR */
  double distance, radius; /* [m] of its centre line, negative inside; [m] */
} nearest;

static elastica_status find_nearest(const eli_elastic_layer *o, const elastica_rod_view *view, const eli_placed_solid *solid,
                                    const eli_round *shape, const char *function, nearest *out) {
  *out = (nearest){-1, 0.0, 1.0};
  for (int j = 0; j < view->element_count; j++) {
    eli_capsule at;
    eli_layer_place(shape, view, j, &at);
    const elastica_status status = check_size(o, view, at.rest_radius, function);
    if (status != ELASTICA_OK) return status;
    eli_layer_check_surface(&at, solid);
    const double near = ELI_LAYER_NEAR * at.radius;
    if (eli_layer_least_distance(&at, solid, 0.0, 1.0, near) > near) continue;
    const double distance = eli_layer_least_distance(&at, solid, 0.0, 1.0, ROUNDING * at.rest_radius);
    if (distance > near || (out->element >= 0 && distance / at.radius > out->distance / out->radius - ROUNDING)) continue;
    *out = (nearest){j, distance, at.radius};
  }
  return ELASTICA_OK;
}

/* Refuses a centre line inside the solid, which would be pushed out on the nearest side, or through, and one so close to the surface that
 * the first step would fail. failed: the status if a function of the user fails. */
static elastica_status check_rod(const eli_elastic_layer *o, const elastica_rod_view *view, const char *function, elastica_status failed) {
  const double time = elastica_world_get(o->world).time;
  nearest of;
  eli_round shape;
  eli_placement place;
  if (view->rigid && !eli_elastic_is_round(elastica_world_rod(o->world, view->rod_index), &shape)) return ELASTICA_OK;
  if (o->group != ELASTICA_EVERY_GROUP && o->group != eli_world_contact_group(o->world, view->rod_index)) return ELASTICA_OK;
  if (eli_prescribed_at(&o->place, time, &place) != ELASTICA_OK)
    return elastica_world_refuse(o->world, failed, "%s: obstacle_def.motion fails at t = %.9g s: %s", function, time,
                                 eli_world_reason(o->world));
  const eli_placed_solid solid = eli_solid_at(&o->shape, &place);
  eli_elastic_forget_error(o);
  elastica_status status = find_nearest(o, view, &solid, &shape, function, &of);
  if (status == ELASTICA_OK) status = check_surface(o, function, failed);
  if (status != ELASTICA_OK || of.element < 0) return status;
  const char *cure = "Begin with it a radius outside, or more: there the rod touches without overlap";
  if (of.distance < -ROUNDING * of.radius)
    return elastica_world_refuse(o->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: the centre line of element %d of rod %d is inside the obstacle, up to %g m below its surface; its "
                                 "radius is %g m. %s",
                                 function, of.element, view->rod_index, -of.distance, of.radius, cure);
  return elastica_world_refuse(o->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: the centre line of element %d of rod %d is inside the obstacle or on its surface (%.3g m outside, less "
                               "than %g of its radius of %g m): the first step would fail. %s",
                               function, of.element, view->rod_index, of.distance > 0.0 ? of.distance : 0.0, ELI_LAYER_NEAR, of.radius,
                               cure);
}

/* Checks rods that were added later. */
static elastica_status prepare(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  eli_elastic_layer *o = self;
  (void)preparation;
  const elastica_status status = eli_world_is_loading(o->world) ? ELASTICA_OK : check_rod(o, rod, "prepare", ELASTICA_CALLBACK_FAILED);
  return status == ELASTICA_OK ? eli_elastic_add_record(o, rod) : status;
}

static elastica_status check_body(const eli_request *request) {
  eli_round shape;
  if (request->rod == NULL || !elastica_rod_get_view(request->rod)->rigid || eli_elastic_is_round(request->rod, &shape)) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: rod %d is a rigid body: a cylinder or a box does not touch obstacles of kind ELASTIC",
                               request->function, elastica_rod_get_view(request->rod)->rod_index);
}

/* Computes the parameters of the effect from a definition with valid fields; refuses fields that contradict each other, by name. */
static elastica_status read_def(eli_elastic_layer *o) {
  elastica_obstacle_def *def = &o->def;
  const elastica_status status =
      eli_check_numbers(o->world, "obstacle_def.modulus", ELI_RULE_POSITIVE | ELI_RULE_REQUIRED, &def->modulus, 1);
  if (status != ELASTICA_OK) return status;
  o->law = (eli_layer_law){{def->modulus, def->damping}, def->friction,      def->tangential_ratio,
                           def->tangential_damping,      def->damping_ratio, def->tangential_damping_ratio};
  o->group = def->group;
  o->fault = (eli_surface_fault){.error = ELI_SURFACE_FINE};
  return eli_obstacle_read(o->world, def, &o->shape, &o->place);
}

/* Connects the shape with the tube or mesh and the fault of this copy of the effect. */
static void connect_shape(eli_elastic_layer *o) {
  o->shape.fault = &o->fault;
  o->shape.mesh = o->mesh;
  if (o->shape.shape != ELASTICA_SHAPE_TUBE) return;
  o->shape.tube = o->tube;
  o->shape.slope = o->tube->slope;
}

static void release_shape(const eli_elastic_layer *o) {
  eli_tube_destroy(o->tube);
  eli_mesh_destroy(o->mesh);
}

/* Makes the tube or mesh of a new effect; the effect that is set keeps its own. */
static elastica_status make_shape(const eli_request *request, eli_elastic_layer *o) {
  const eli_elastic_layer *old = request->old;
  const int is_tube = o->def.shape == ELASTICA_SHAPE_TUBE, is_mesh = o->def.shape == ELASTICA_SHAPE_MESH;
  if (old == NULL && is_tube) return eli_tube_create(request->world, &o->def, &o->tube);
  if (old == NULL) return is_mesh ? eli_mesh_create(request->world, &o->def, &o->mesh) : ELASTICA_OK;
  o->tube = old->tube, o->mesh = old->mesh;
  const int same_tube = is_tube == (old->tube != NULL) && (!is_tube || eli_tube_is_made_of(old->tube, &o->def));
  const int same_mesh = is_mesh == (old->mesh != NULL) && (!is_mesh || eli_mesh_is_made_of(old->mesh, &o->def));
  if (same_tube && same_mesh) return ELASTICA_OK;
  if (is_mesh || old->mesh != NULL)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: points, triangles, their counts, side, thickness, fillet and the shape MESH of an obstacle cannot "
                                 "change: remove it and add another",
                                 request->function);
  return elastica_world_refuse(
      request->world, ELASTICA_INVALID_ARGUMENT,
      "%s: points, radii, point_count, side and the shape TUBE of an obstacle cannot change: remove it and add another", request->function);
}

/* Sets the hooks and properties that depend on the definition. A fixed obstacle without contact is idle and needs no geometry. */
static void set_hooks(const eli_elastic_layer *o, elastica_module *module) {
  module->parallel_safe = o->place.motion == NULL && o->shape.shape != ELASTICA_SHAPE_SURFACE;
  module->needs_geometry = o->place.motion != NULL;
  module->add_reactions = o->law.friction > 0.0 ? eli_elastic_add_reactions : NULL;
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  eli_elastic_layer *o = self;
  o->world = request->world;
  o->allocator = eli_world_allocator(request->world);
  o->table = eli_rod_table_of(request->world, sizeof(eli_elastic_record), request->rod != NULL);
  o->def = *(const elastica_obstacle_def *)given;
  elastica_status status = eli_obstacle_check_kind(request, &o->def, ELASTICA_OBSTACLE_ELASTIC);
  if (status == ELASTICA_OK) status = check_body(request);
  if (status == ELASTICA_OK) status = read_def(o);
  if (status == ELASTICA_OK) status = make_shape(request, o);
  if (status == ELASTICA_OK) connect_shape(o);
  for (elastica_rod *rod = NULL; status == ELASTICA_OK && (rod = eli_next_rod_of(request->world, request->rod, rod)) != NULL;)
    status = check_rod(o, elastica_rod_get_view(rod), request->function, ELASTICA_INVALID_ARGUMENT);
  if (status != ELASTICA_OK && request->old == NULL) release_shape(o);
  set_hooks(o, module);
  module->prepare = prepare;
  module->add_loads = eli_elastic_add_loads;
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
  const eli_elastic_layer *described = self;
  eli_elastic_layer *o = eli_allocate(described->allocator, 1, sizeof *o);
  elastica_status status = ELASTICA_OK;
  if (o == NULL) {
    release_shape(described);
    return NULL;
  }
  *o = *described;
  connect_shape(o);
  for (elastica_rod *rod = NULL; status == ELASTICA_OK && (rod = eli_next_rod_of(o->world, request->rod, rod)) != NULL;)
    status = eli_elastic_add_record(o, elastica_rod_get_view(rod));
  if (status == ELASTICA_OK) return o;
  eli_elastic_destroy(o);
  return NULL;
}

static void apply(void *own, const void *self) {
  const eli_elastic_layer *described = self;
  eli_elastic_layer *o = own;
  o->def = described->def;
  o->place = described->place;
  o->shape = described->shape;
  o->law = described->law;
  o->group = described->group;
  o->tube = described->tube;
  o->mesh = described->mesh;
  o->def.points = o->def.radii = NULL; /* the tube or mesh has them */
  o->def.triangles = NULL;
  connect_shape(o);
  if (!(o->law.friction > 0.0)) eli_elastic_clear_history(o);
}

/* ---- In a snapshot ---- */

static void function_of(void *own, eli_function *of, int set) {
  eli_elastic_layer *o = own;
  eli_def_function(&eli_obstacle_layout, &o->def, of, set);
  if (set) eli_prescribed_function(&o->place, of, set);
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
  eli_elastic_layer *o = own;
  eli_elastic_layer kept = *o;
  elastica_rod *const alone = rod != NULL ? elastica_world_rod(o->world, rod->rod_index) : NULL;
  eli_record_same_choice(in, "kind", ELASTICA_OBSTACLE_ELASTIC, eli_obstacle_kinds, ELI_OBSTACLE_KINDS);
  eli_record_mark(in, "tube (points, radii or side)", o->tube != NULL ? o->tube->mark : 0);
  eli_record_mark(in, "mesh (points, triangles, side, thickness or fillet)", o->mesh != NULL ? o->mesh->mark : 0);
  eli_record_same(in, "surface", o->def.surface != NULL);
  if (in->use == ELI_RECORD_CHECK) {
    eli_def_peek(&eli_obstacle_layout, &kept.def, rod, in);
    if (read_def(&kept) != ELASTICA_OK) eli_record_blame(in, "definition", 0);
    if ((kept.def.shape == ELASTICA_SHAPE_TUBE) != (o->tube != NULL)) eli_record_blame(in, "shape", 0);
    if ((kept.def.shape == ELASTICA_SHAPE_MESH) != (o->mesh != NULL)) eli_record_blame(in, "shape", 0);
  }
  eli_def_keep(&eli_obstacle_layout, &o->def, rod, in);
  if (in->use == ELI_RECORD_READ) {
    (void)read_def(o); /* it was checked */
    connect_shape(o);
    set_hooks(o, module);
  }
  for (elastica_rod *on = NULL; (on = eli_next_rod_of(o->world, alone, on)) != NULL;)
    keep_record(eli_elastic_record_of(o, elastica_rod_get_view(on)->rod_index), elastica_rod_get_view(on), in);
}

static double friction_of(const void *self) {
  return ((const eli_elastic_layer *)self)->law.friction;
}

static int dissipates(const void *self) {
  const eli_elastic_layer *o = self;
  return o->law.line.damping > 0.0 || o->law.damping_ratio > 0.0 || o->law.friction > 0.0;
}

static elastica_status stands(const void *self, double time, eli_body *out) {
  const eli_elastic_layer *o = self;
  out->obstacle = o->shape;
  return eli_prescribed_at(&o->place, time, &out->place);
}

/* ---- Contact points ---- */

static void describe_point(const eli_elastic_layer *o, const eli_elastic_record *r, int j, const eli_layer_touch *of,
                           const double friction[3], elastica_contact_point *out) {
  *out = (elastica_contact_point){.rod = {r->rod, -1}, .element = {j, -1}};
  memcpy(out->point, of->middle.point, sizeof out->point);
  memcpy(out->normal, of->middle.normal, sizeof out->normal);
  out->depth = of->layer.depth;
  out->extent = of->layer.extent;
  out->force = of->layer.elastic;
  memcpy(out->tangential, friction, sizeof out->tangential);
  out->sticks = o->law.friction > 0.0 && r->history[j].sticks;
}

static void subtract_load(const eli_placed_solid *solid, const eli_layer_touch *of, const double friction[3], double force[3],
                          double couple[3]) {
  double arm[3], turned[3];
  for (int a = 0; a < 3; a++) arm[a] = of->middle.point[a] - solid->place.position[a];
  eli_cross(arm, friction, turned);
  for (int a = 0; a < 3; a++) {
    force[a] -= of->layer.total[a] + friction[a];
    couple[a] -= of->layer.moment[a] + turned[a];
  }
}

/* Visits the elements in contact: writes the first `capacity` of them to points, and subtracts their loads from force and couple (NULL:
 * none). Returns their number; -1 if its motion or its surface fails, which is explained to the world. */
static int visit_contacts(elastica_effect *effect, const char *function, elastica_contact_point *points, int capacity, double force[3],
                          double couple[3]) {
  const eli_elastic_layer *o = elastica_effect_get(effect).self;
  elastica_rod *const alone = elastica_effect_get(effect).rod;
  int count = 0;
  eli_placed_solid solid;
  eli_elastic_forget_error(o);
  if (eli_elastic_solid_at(o, elastica_world_get(o->world).time, 0, &solid) != ELASTICA_OK) {
    (void)elastica_world_refuse(o->world, ELASTICA_CALLBACK_FAILED, "%s: obstacle_def.motion fails: %s", function,
                                eli_world_reason(o->world));
    return -1;
  }
  if (!elastica_effect_get(effect).is_enabled) return 0;
  for (elastica_rod *rod = NULL; (rod = eli_next_rod_of(o->world, alone, rod)) != NULL;) {
    const eli_elastic_record *r = eli_elastic_record_of(o, elastica_rod_get_view(rod)->rod_index);
    for (int j = 0; eli_elastic_acts_on(o, r) && j < r->count; j++) {
      eli_layer_touch of;
      double friction[3];
      if (!eli_layer_touch_find(&o->law, &r->shape, &solid, elastica_rod_get_view(rod), j, &of)) continue;
      eli_layer_present_friction(&o->law, &r->history[j], elastica_rod_get_view(rod), j, &solid, &of, friction);
      if (count < capacity) describe_point(o, r, j, &of, friction, &points[count]);
      if (force != NULL) subtract_load(&solid, &of, friction, force, couple);
      count++;
    }
  }
  if (eli_elastic_check_surface(o) == ELASTICA_OK) return count;
  (void)elastica_world_refuse(o->world, ELASTICA_CALLBACK_FAILED, "%s: effect %d \"obstacle\": %s", function,
                              elastica_effect_get(effect).index, eli_world_reason(o->world));
  return -1;
}

static elastica_status find_contacts(elastica_effect *effect, const char *function, elastica_contact_point *points, int capacity,
                                     int *count) {
  const int found = visit_contacts(effect, function, points, capacity, NULL, NULL);
  if (found < 0) return ELASTICA_CALLBACK_FAILED;
  *count = found;
  return ELASTICA_OK;
}

elastica_status eli_elastic_obstacle_force(elastica_effect *effect, const char *function, double force[3], double couple[3]) {
  return visit_contacts(effect, function, NULL, 0, force, couple) < 0 ? ELASTICA_CALLBACK_FAILED : ELASTICA_OK;
}

const eli_built_in eli_elastic_obstacle = {.name = "obstacle",
                                           .stands = stands,
                                           .contacts = find_contacts,
                                           .layout = &eli_obstacle_layout,
                                           .every_rod = 1,
                                           .rigid_bodies = 1,
                                           .contact_stiffness = eli_elastic_find_stiffness,
                                           .friction = friction_of,
                                           .acts_in_stages = 1,
                                           .damps_motion_alone = 1,
                                           .self_size = ELI_SELF_SIZE(eli_elastic_layer),
                                           .describe = describe,
                                           .create = create,
                                           .apply = apply,
                                           .keep = keep,
                                           .function = function_of,
                                           .dissipates = dissipates};
