/* Joint: connects two bodies, or a body and the world, at a point, along an axis, or by their frames.
 *
 * models     ball joints, hinges with limits and a motor, rigid connections, rods glued side by side, each by stiff springs
 * equation   F = k (x2 - x1) on the first, U = k |x2 - x1|^2/2;  hinge: C = kappa alpha n on the second, alpha the angle from its axis a2
 *            to
 *            a1 about n;  fixed, side by side: C = -kappa theta, theta = LOG of the turn of the second frame relative to the first;  hinge,
 *            about the axis: C = -U'(beta) d beta/d phi, beta = 2 atan2(q . a, q0) of the unit quaternion q of that turn
 *            damping: F = c (v2 - v1), c = 2 zeta sqrt(k m), at most m/(2 dt), m = 1/(mobility1 + mobility2); couples likewise
 * source     the springs of Zhang et al. 2019 (their program has no damping, and turns edges instead of frames); the rest is ours
 * parameters anchors, k [N/m], kappa [N m/rad], zeta, axis, limits, motor
 * conserves  momentum and angular momentum of the two bodies; energy with U, without damping and motor
 * test       tests/test_joint.c, tests/test_joint_stops.c
 *
 * All forces act on both bodies at one point, halfway between the anchors: so a force across the gap has no moment of its own.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/elementary.h"
#include "base/module.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "pairs/pairs.h"

#include <math.h>
#include <string.h>

typedef elastica_joint_def joint_def;
static const eli_field fields[] = {
    ELI_FIELD(joint_def, struct_size),
    ELI_CHOICE(joint_def, kind, ELASTICA_JOINT_SIDE_BY_SIDE, "not one of BALL, HINGE, FIXED, SIDE_BY_SIDE"),
    ELI_FIELD(joint_def, first),
    ELI_FIELD(joint_def, second),
    ELI_NUMBERS(joint_def, position, ELI_RULE_NUMBER | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(joint_def, director, ELI_RULE_FRAME | ELI_RULE_OPTIONAL),
    ELI_FIELD(joint_def, motion),
    ELI_FIELD(joint_def, user),
    ELI_NUMBERS(joint_def, axis, ELI_RULE_DIRECTION | ELI_RULE_OPTIONAL),
    ELI_FLAG(joint_def, axis_in_world),
    ELI_NUMBERS(joint_def, stiffness, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(joint_def, force, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(joint_def, gap, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(joint_def, angular_stiffness, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(joint_def, couple, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(joint_def, angle, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(joint_def, damping, ELI_RULE_NOT_NEGATIVE),
    ELI_FIELD(joint_def, least_angle),
    ELI_FIELD(joint_def, most_angle),
    ELI_NUMBERS(joint_def, motor, ELI_RULE_NUMBER),
    ELI_FIELD(joint_def, drive),
};
static const joint_def defaults = {.position = ELI_UNSET_VECTOR,
                                   .director = ELI_UNSET_FRAME,
                                   .axis = ELI_UNSET_VECTOR,
                                   .stiffness = NAN,
                                   .force = NAN,
                                   .gap = NAN,
                                   .angular_stiffness = NAN,
                                   .couple = NAN,
                                   .angle = NAN,
                                   .least_angle = -INFINITY,
                                   .most_angle = INFINITY};
static const eli_layout layout = ELI_LAYOUT("joint_def", joint_def, fields, defaults);

typedef eli_joint joint;

/* ---- Hooks ---- */

static elastica_status add_world_loads(void *self, const elastica_instant *now, elastica_world_loads *all) {
  eli_found found;
  eli_joint_find_loads(self, now, all->loads, &found);
  if (found.status == ELASTICA_OK) eli_add_found(&found);
  if (found.look_again) all->look_again = 1;
  return found.status;
}

static void find(const elastica_world *world, const void *const *self, int count, const elastica_instant *now, const elastica_loads *loads,
                 eli_found *found) {
  (void)world;
  for (int k = 0; k < count; k++) {
    found[k].is_found = !eli_joint_calls(self[k]);
    if (found[k].is_found) eli_joint_find_loads(self[k], now, loads, &found[k]);
  }
}

static int ties(const void *self, eli_tie *out) {
  return eli_joint_ties(self, out);
}

/* The spring across the gap turns with the bodies: its force times the lever adds to their stiffness. */
static elastica_status add_world_stiffness(void *self, const elastica_instant *now, elastica_world_stiffness *stiffness) {
  joint *of = self;
  eli_anchored at[2];
  const elastica_status status = eli_joint_find_bodies(of, now->time, at);
  const elastica_stiffness *rods = stiffness->stiffness;
  of->resolves = 0;
  if (status != ELASTICA_OK) return status;
  const double mobility = eli_joint_mobility(of, at), turnability = eli_joint_turnability(of);
  const double turning = of->kind == ELASTICA_JOINT_BALL ? 0.0 : (eli_joint_has_turn(of) ? 2.0 : 1.0) * of->angular_stiffness;
  const double turning_rate = of->damping > 0.0 && turning > 0.0 ? eli_joint_rate(of, of->angular_stiffness, turnability, 0.0) : 0.0;
  double pull = 0.0;
  for (int a = 0; a < 3; a++) pull += (at[1].point[a] - at[0].point[a]) * (at[1].point[a] - at[0].point[a]);
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    const elastica_stiffness *to = &rods[anchor->rod->rod_index];
    eli_anchor_bound(anchor, to, of->stiffness, 0.0, mobility);
    if (turning > 0.0 && !(k == 0 && of->axis_in_world)) eli_anchor_bound_turning(anchor, to, turning, turning_rate, turnability);
    to->element[anchor->element] += of->stiffness * sqrt(pull * eli_dot(anchor->offset, anchor->offset));
  }
  if (now->is_adaptive) of->resolves = eli_joint_bound_stops(of, now, at, rods);
  if (of->damping > 0.0) eli_joint_bound_damping(of, at, rods);
  return ELASTICA_OK;
}

static int resolves(const void *self) {
  return ((const joint *)self)->resolves;
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  const joint *of = self;
  eli_joined now;
  (void)rod;
  if (eli_joint_find(of, time, 0, &now) == ELASTICA_CALLBACK_FAILED) return eli_nan();
  return 0.5 * of->stiffness * eli_dot(now.gap, now.gap) +
         0.5 * of->angular_stiffness * (now.angle * now.angle + now.back * now.back) * (of->kind != ELASTICA_JOINT_BALL);
}

static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  (void)rod;
  return eli_joint_add_tangent(self, now->time, tangent);
}

/* The angular springs at limits and the motor have no tangent. */
static void set_tangent(const joint *of, elastica_module *module) {
  module->add_tangent = eli_joint_has_turn(of) ? NULL : add_tangent;
}

static int acts_on(void *self, const elastica_rod_view *rod) {
  const joint *of = self;
  return of->anchor[0].rod == rod || of->anchor[1].rod == rod;
}

/* ---- Definitions and queries ---- */

/* Sets the point and the frame of the world: those of the definition, else those of the old joint, else those of the first anchor now. */
static void place_in_world(const joint_def *def, const joint *old, joint *of) {
  eli_anchored now;
  const int keeps = old != NULL && old->anchor[1].rod == NULL;
  eli_anchor_find(&of->anchor[0], &now);
  of->world.motion = def->motion;
  memcpy(of->world.position, !eli_all_nan(def->position, 3) ? def->position : keeps ? old->world.position : now.point, sizeof now.point);
  memcpy(of->world.director,
         !eli_all_nan(def->director, 9) ? def->director
         : keeps                        ? old->world.director
                                        : now.director,
         sizeof now.director);
}

/* Stores the axis in the components of each body. */
static void take_axes(joint *of, const double axis[3], double length, const eli_anchored at[2]) {
  for (int k = 0; k < 2; k++)
    for (int a = 0; a < 3; a++)
      of->axis[k][a] = k == 0 && of->axis_in_world ? axis[a] / length : eli_dot(at[k].director + 3 * a, axis) / length;
}

/* Stores the relative position of the bodies: the present one, or that of the old joint. */
static elastica_status take_pose(const eli_request *request, const joint_def *def, const joint *old, joint *of) {
  eli_anchored at[2];
  const double length = sqrt(eli_dot(def->axis, def->axis));
  if (old != NULL) memcpy(of->pose, old->pose, sizeof of->pose);
  if (old != NULL && old->kind == ELASTICA_JOINT_HINGE && old->axis_in_world == of->axis_in_world)
    memcpy(of->axis, old->axis, sizeof of->axis);
  if (old != NULL && (of->kind != ELASTICA_JOINT_HINGE || eli_dot(of->axis[1], of->axis[1]) > 0.0)) return ELASTICA_OK;
  if (of->kind == ELASTICA_JOINT_HINGE && !(length > 0.0))
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.axis of a hinge is %s", request->function,
                                 eli_all_nan(def->axis, 3) ? "not set" : "zero");
  const elastica_status status = eli_joint_find_bodies(of, elastica_world_time(request->world), at);
  if (status != ELASTICA_OK)
    return elastica_world_refuse(request->world, status, "%s: joint_def.motion fails: %s", request->function,
                                 eli_world_reason(request->world));
  if (old == NULL) eli_relative_rotation(at[1].director, at[0].director, of->pose);
  if (of->kind != ELASTICA_JOINT_HINGE) return ELASTICA_OK;
  take_axes(of, def->axis, length, at);
  return ELASTICA_OK;
}

/* Returns 1 for rods that are already glued at these places. */
static int stays_glued(const joint *old, const joint *of) {
  int stays = old != NULL && old->kind == ELASTICA_JOINT_SIDE_BY_SIDE;
  for (int k = 0; k < 2 && stays; k++)
    stays = of->anchor[k].element == old->anchor[k].element && of->anchor[k].share == old->anchor[k].share;
  return stays;
}

static elastica_status glue(const eli_request *request, const joint *old, joint *of) {
  for (int k = 0; k < 2; k++) {
    const eli_anchor *anchor = &of->anchor[k];
    const char *name = k == 0 ? "first" : "second";
    if (anchor->rod == NULL || anchor->rod->rigid)
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.%s.rod is %s: SIDE_BY_SIDE is for two rods",
                                   request->function, name, anchor->rod == NULL ? "NULL" : "a rigid body");
    if (eli_dot(anchor->offset, anchor->offset) > 0.0)
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                   "%s: joint_def.%s.offset is not 0: a joint SIDE_BY_SIDE chooses it itself", request->function, name);
  }
  for (int k = 0; k < 2 && old != NULL; k++) memcpy(of->anchor[k].offset, old->anchor[k].offset, sizeof of->anchor[k].offset);
  if (old != NULL || eli_joint_put_between_surfaces(of)) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: joint_def.first and second are at one point: SIDE_BY_SIDE needs a direction between them",
                               request->function);
}

/* Chooses a stiffness: the given one, or load over allowance, or that of the elements. */
static elastica_status choose(const eli_request *request, const joint *of, double given, double load, double allowance, int turning,
                              double *out) {
  if (eli_is_nan(load) != eli_is_nan(allowance) || (!eli_is_nan(given) && !eli_is_nan(load)))
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.%s: give either the stiffness, or both of %s",
                                 request->function, turning ? "angular_stiffness" : "stiffness",
                                 turning ? "couple and angle" : "force and gap");
  *out = !eli_is_nan(given) ? given : !eli_is_nan(load) ? load / allowance : eli_joint_softer(of, turning);
  if (*out < INFINITY) return ELASTICA_OK;
  *out = 0.0;
  if (turning && of->kind == ELASTICA_JOINT_BALL) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: joint_def.%s is not set, and a rigid body has none to take it from", request->function,
                               turning ? "angular_stiffness" : "stiffness");
}

static int limits_are_sound(double least, double most) {
  return least <= most && (least == -INFINITY || (least > -ELI_PI && least < ELI_PI)) &&
         (most == INFINITY || (most > -ELI_PI && most < ELI_PI));
}

/* Refuses a limit or motor of a joint of another kind, or of a hinge with an axis fixed in the world. */
static elastica_status refuse_angle(const eli_request *request, const joint_def *def, const char *why) {
  const char *const name[] = {"least_angle", "most_angle", "motor"};
  const double value[] = {def->least_angle, def->most_angle, def->motor}, unset[] = {-INFINITY, INFINITY, 0.0};
  for (int k = 0; k < 3; k++)
    if (value[k] != unset[k])
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.%s is %g %s: %s", request->function, name[k],
                                   value[k], k < 2 ? "rad" : "N m", why);
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.drive is set: %s", request->function, why);
}

static elastica_status check_limits(const eli_request *request, const joint_def *def) {
  const int given = def->least_angle > -INFINITY || def->most_angle < INFINITY || def->motor != 0.0 || def->drive != NULL;
  if (given && def->kind != ELASTICA_JOINT_HINGE) return refuse_angle(request, def, "only a HINGE has limits of its angle, and a motor");
  if (given && def->axis_in_world)
    return refuse_angle(request, def, "a hinge whose axis stays in the world has no limits of its angle and no motor");
  if (!limits_are_sound(def->least_angle, def->most_angle))
    return elastica_world_refuse(
        request->world, ELASTICA_INVALID_ARGUMENT,
        "%s: joint_def.least_angle is %g and most_angle %g: they must be in this order, within -pi and pi, or infinite", request->function,
        def->least_angle, def->most_angle);
  return ELASTICA_OK;
}

static elastica_status check_bodies(const eli_request *request, const joint_def *def, const joint *of) {
  const joint *old = request->old;
  if (old != NULL && (of->anchor[0].rod != old->anchor[0].rod || of->anchor[1].rod != old->anchor[1].rod))
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: the joint is between other rods", request->function);
  if (of->anchor[0].rod == of->anchor[1].rod && of->anchor[0].element == of->anchor[1].element)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: both anchors are on element %d of rod %d",
                                 request->function, of->anchor[0].element, of->anchor[0].rod->rod_index);
  if (def->motion != NULL && of->anchor[1].rod != NULL)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: joint_def.motion is for a second anchor in the world",
                                 request->function);
  return ELASTICA_OK;
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const joint_def *def = given;
  joint *of = self;
  elastica_status status = eli_anchor_read(request, "joint_def.first", &def->first, &of->anchor[0]);
  if (status == ELASTICA_OK && def->second.rod != NULL) status = eli_anchor_read(request, "joint_def.second", &def->second, &of->anchor[1]);
  if (status == ELASTICA_OK) status = check_limits(request, def);
  if (status == ELASTICA_OK) status = check_bodies(request, def, of);
  if (status != ELASTICA_OK) return status;
  of->owner = request->world;
  of->kind = def->kind;
  of->axis_in_world = def->kind == ELASTICA_JOINT_HINGE && def->axis_in_world;
  of->damping = def->damping;
  of->least_angle = def->least_angle, of->most_angle = def->most_angle, of->motor = def->motor, of->drive = def->drive;
  of->world.world = request->world;
  of->world.user = def->user;
  const joint *old = request->old;
  if (of->kind == ELASTICA_JOINT_SIDE_BY_SIDE) {
    if (!stays_glued(old, of)) old = NULL;
    status = glue(request, old, of);
  }
  if (status != ELASTICA_OK) return status;
  if (of->anchor[1].rod == NULL) place_in_world(def, request->old, of);
  status = take_pose(request, def, old, of);
  if (status == ELASTICA_OK) status = choose(request, of, def->stiffness, def->force, def->gap, 0, &of->stiffness);
  if (status == ELASTICA_OK) status = choose(request, of, def->angular_stiffness, def->couple, def->angle, 1, &of->angular_stiffness);
  if (status == ELASTICA_OK && of->kind == ELASTICA_JOINT_SIDE_BY_SIDE && !(of->angular_stiffness > 0.0))
    status = elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                   "%s: joint_def.angular_stiffness is 0: a joint SIDE_BY_SIDE resists twist", request->function);
  module->add_world_loads = add_world_loads;
  module->add_world_stiffness = add_world_stiffness;
  module->acts_on = acts_on;
  module->needs_geometry = 0;
  module->energy = energy;
  set_tangent(of, module);
  return status;
}

static void functions_of(void *own, eli_function *of, int set) {
  joint *held = own;
  eli_prescribed_function(&held->world, of, set);
  if (set)
    held->drive = (elastica_status(*)(void *, double, double, double, double *))of->drive;
  else
    of->drive = (void (*)(void))held->drive;
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  joint *of = own;
  int kind_of = (int)of->kind;
  (void)rod;
  eli_record_int(record, "kind", &kind_of, 0, ELASTICA_JOINT_SIDE_BY_SIDE);
  of->kind = (elastica_joint_kind)kind_of;
  eli_prescribed_keep(&of->world, NULL, record);
  for (int k = 0; k < 2; k++) {
    const int count = of->anchor[k].rod != NULL ? of->anchor[k].rod->element_count : 1;
    eli_record_int(record, "element", &of->anchor[k].element, 0, count - 1);
    eli_record_finite(record, "share", &of->anchor[k].share, 1);
    eli_record_finite(record, "offset", of->anchor[k].offset, 3);
    eli_record_finite(record, "axis", of->axis[k], 3);
  }
  eli_record_int(record, "axis_in_world", &of->axis_in_world, 0, 1);
  eli_record_finite(record, "pose", of->pose, 9);
  eli_record_finite(record, "stiffness", &of->stiffness, 1);
  eli_record_finite(record, "angular_stiffness", &of->angular_stiffness, 1);
  eli_record_finite(record, "damping", &of->damping, 1);
  eli_record_doubles(record, &of->least_angle, 1);
  eli_record_doubles(record, &of->most_angle, 1);
  eli_record_finite(record, "motor", &of->motor, 1);
  eli_record_same(record, "drive", of->drive != NULL);
  if (record->use == ELI_RECORD_READ) set_tangent(of, module);
}

static int joins(const void *self, eli_join *out) {
  const joint *of = self;
  for (int k = 0; k < 2; k++) {
    out->rod[k] = of->anchor[k].rod;
    out->element[k] = of->anchor[k].element;
    out->share[k] = of->anchor[k].share;
  }
  return of->anchor[1].rod != NULL;
}

static const eli_built_in kind = {.name = "joint",
                                  .layout = &layout,
                                  .rigid_bodies = 1,
                                  .self_size = ELI_SELF_SIZE(joint),
                                  .describe = describe,
                                  .keep = keep,
                                  .function = functions_of,
                                  .joins = joins,
                                  .resolves = resolves,
                                  .find = find,
                                  .ties = ties};

void elastica_joint_def_init(elastica_joint_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_joint(elastica_world *world, const elastica_joint_def *def, elastica_effect **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (def == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "add_joint: def is NULL");
  joint_def whole;
  elastica_status status = eli_world_check_open(world, "add_joint", 1);
  if (status == ELASTICA_OK) status = eli_def_read(world, &layout, &whole, def);
  if (status == ELASTICA_OK && whole.first.rod == NULL)
    status =
        elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "add_joint: joint_def.first.rod is NULL; a joint with the world has it");
  return status == ELASTICA_OK ? eli_add_built_in(&kind, world, whole.first.rod, &whole, out) : status;
}

elastica_status elastica_joint_set(elastica_effect *effect, const elastica_joint_def *def) {
  return eli_set_built_in(&kind, effect, def);
}

/* Computes the step [s] of the elements at both anchors and next to them. */
static elastica_status find_step(const joint *of, elastica_world *world, double *dt) {
  elastica_status status = ELASTICA_OK;
  *dt = INFINITY;
  for (int k = 0; k < 2 && of->anchor[k].rod != NULL && status == ELASTICA_OK; k++)
    status = eli_world_limit_near(world, of->anchor[k].rod->rod_index, of->anchor[k].element, "joint_get", dt);
  return status;
}

elastica_status elastica_joint_get(elastica_effect *effect, elastica_joint_info *out) {
  elastica_status status = eli_check_effect(effect, "joint_get", &kind);
  if (status == ELASTICA_OK) status = eli_check_outside_hook(elastica_effect_world(effect), "joint_get");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = elastica_effect_world(effect);
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "joint_get: out is NULL");
  const joint *of = elastica_effect_self(effect);
  eli_joined now;
  eli_world_enter_call(world);
  status = eli_joint_find(of, elastica_world_time(world), 1, &now);
  eli_world_leave_call(world);
  if (status == ELASTICA_CALLBACK_FAILED)
    return elastica_world_refuse(world, ELASTICA_CALLBACK_FAILED, "joint_get: %s", eli_world_reason(world));
  double dt;
  status = find_step(of, world, &dt);
  if (status != ELASTICA_OK && status != ELASTICA_JOINT_TOO_FAR) return status;
  memset(out, 0, sizeof *out);
  out->gap = sqrt(eli_dot(now.gap, now.gap));
  out->angle = now.angle;
  out->turn = now.turn;
  for (int a = 0; a < 3; a++) out->force[a] = -of->stiffness * now.gap[a], out->couple[a] = now.couple[a];
  out->stiffness = of->stiffness;
  out->angular_stiffness = of->kind != ELASTICA_JOINT_BALL ? of->angular_stiffness : 0.0;
  for (int k = 0; k < 2; k++) memcpy(out->position[k], now.at[k].point, sizeof now.at[k].point);
  out->dt = dt;
  return ELASTICA_OK;
}
