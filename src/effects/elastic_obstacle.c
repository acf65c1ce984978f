/* Elastic obstacle: rods and round bodies touch a solid that is fixed or moves as prescribed, with stick-slip friction.
 *
 * models     an elastic layer along the part of each element in contact; Coulomb friction with a tangential spring
 * equation   U = (k/2) int eps^2 dmu of each element (effects/layer.h); friction: contact/stick_slip.h with k_t = ratio k times the
 *            length in contact, N the normal force of the element
 * source     Winkler foundation; Cundall and Strack 1979
 * parameters obstacle and its place or motion, modulus k [Pa], damping [Pa s], friction mu, tangential ratio and damping, group
 * conserves  momentum and angular momentum together with the obstacle; energy with U, without damper, friction and motion
 * test       tests/test_obstacle_contact.c, tests/test_obstacle_history.c, tests/test_check_solids.c
 *
 * The force of the layer is a load. Friction has a history that advances with each step; it is added with the reactions, or with the loads
 * from the present history if the rods do not move, and in implicit steps.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/memory.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "effects/body_contact.h"
#include "effects/contact.h"
#include "effects/layer.h"
#include "effects/obstacle.h"
#include "effects/resolve.h"
#include "effects/solid.h"
#include "rod/law.h"
#include "state/definition.h"
#include "state/module.h"
#include "state/prescribed.h"
#include "state/rod_table.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The record of one rod of the effect. */
typedef struct rod_record {
  int rod;   /* its index; -1: the record is free */
  int count; /* number of elements; 0: it takes no part */
  int sunk;  /* the element that passes through the surface in this step */
  eli_round shape;
  eli_stick_slip *history; /* [count] */
} rod_record;

typedef struct elastic_obstacle {
  elastica_world *world;
  const eli_allocator *allocator;
  elastica_obstacle_def def; /* with its frame */
  eli_prescribed place;      /* from here on read from def */
  eli_obstacle shape;
  eli_tube *tube;          /* owned; NULL: none */
  eli_mesh *mesh;          /* likewise */
  eli_surface_fault fault; /* of the function of the user */
  eli_layer_law law;
  int group;
  eli_rod_table table; /* of rod_record */
} elastic_obstacle;

/* Returns the record of a rod, or NULL. */
static rod_record *record_of(const elastic_obstacle *o, int rod_index) {
  return eli_rod_table_find(&o->table, rod_index);
}

/* Called before a query asks the surface: an error that a failed step has left is not the query's. */
static void forget_error(const elastic_obstacle *o) {
  if (o->shape.fault != NULL) o->shape.fault->error = ELI_SURFACE_FINE;
}

/* ---- Contact ---- */

static int acts_on(const elastic_obstacle *o, const rod_record *r) {
  return r != NULL && r->count > 0 && (o->group == ELASTICA_EVERY_GROUP || o->group == eli_world_contact_group(o->world, r->rod));
}

/* Finds position and motion of the solid at a time; CALLBACK_FAILED if its motion fails. */
static elastica_status solid_at(const elastic_obstacle *o, double time, int is_frozen, eli_placed_solid *solid) {
  eli_placement place;
  const elastica_status status = eli_prescribed_now(&o->place, time, is_frozen, &place);
  if (status == ELASTICA_OK) *solid = eli_solid_at(&o->shape, &place);
  return status;
}

/* Returns CALLBACK_FAILED, with the reason explained to the world, if the function of the user failed since the last call. */
static elastica_status surface_status(const elastic_obstacle *o) {
  char reason[400];
  if (o->shape.fault == NULL || o->shape.fault->error == ELI_SURFACE_FINE) return ELASTICA_OK;
  eli_surface_explain(&o->shape, reason, sizeof reason);
  o->shape.fault->error = ELI_SURFACE_FINE;
  return eli_world_explain(o->world, o, "%s", reason);
}

/* ---- Friction of an element or a round body on the solid ---- */

/* Divides a force at the centre of pressure between both ends and adds it. */
static void share_force(const eli_middle *middle, const double force[3], double on[2][3]) {
  for (int a = 0; a < 3; a++) {
    const double second = middle->share * force[a];
    on[0][a] += force[a] - second;
    on[1][a] += second;
  }
}

/* Adds forces [N] on both ends of an element, and a couple [N m], laboratory, to its loads. shape is that of a rigid body, unused for a
 * rod. */
static void push_ends(const eli_round *shape, const elastica_rod_view *rod, int j, const double force[2][3], const double couple[3],
                      const elastica_loads *loads) {
  double moment[3] = {couple[0], couple[1], couple[2]};
  if (rod->rigid) {
    double arm[3], difference[3], turning[3];
    eli_round_arm(shape, rod, arm);
    for (int a = 0; a < 3; a++) difference[a] = force[1][a] - force[0][a];
    eli_cross(arm, difference, turning);
    for (int a = 0; a < 3; a++) {
      loads->force[a][j] += force[0][a] + force[1][a];
      moment[a] += turning[a];
    }
  } else {
    const int next = eli_second_node(rod, j);
    for (int a = 0; a < 3; a++) {
      loads->force[a][j] += force[0][a];
      loads->force[a][next] += force[1][a];
    }
  }
  if (moment[0] == 0.0 && moment[1] == 0.0 && moment[2] == 0.0) return;
  for (int a = 0; a < 3; a++)
    loads->couple[a][j] += rod->director[a][0][j] * moment[0] + rod->director[a][1][j] * moment[1] + rod->director[a][2][j] * moment[2];
}

/* Computes the friction force on the element, that of the spring from the present history. */
static void spring_friction(const eli_layer_law *law, const eli_stick_slip *from, const eli_layer_touch *of, double force[3]) {
  const double none[3] = {0.0, 0.0, 0.0};
  eli_stick_slip history = *from;
  eli_stick_slip_turn(&history, of->middle.normal);
  eli_stick_slip_add(&history, none, of->stiffness, law->friction * of->layer.pressure);
  memcpy(force, history.force, sizeof history.force);
}

/* After one more step, with an update of the history. before is the solid at the start of the step; the contact is evaluated at the
 * middle of the step. */
static void step_friction(const eli_layer_law *law, eli_stick_slip *history, const elastica_rod_view *rod, int j,
                          const eli_placed_solid *before, const eli_layer_touch *of, double dt, double force[3]) {
  const eli_capsule *at = &of->capsule;
  const eli_middle *middle = &of->middle;
  eli_slip slip = {.dt = dt};
  eli_stick_slip_input step = {.dt = dt, .stiffness = of->stiffness, .limit = law->friction * of->layer.pressure, .damping = of->damping};
  double axis[3], v[3], spin[3], point[3], own[3], other[3];
  double centre[3] = {rod->position[0][j], rod->position[1][j], rod->position[2][j]};
  eli_spin_of(rod, j, spin);
  memcpy(slip.normal, middle->normal, sizeof slip.normal);
  memcpy(slip.before, history->normal, sizeof slip.before);
  memcpy(step.normal, middle->normal, sizeof step.normal);
  for (int a = 0; a < 3; a++) {
    axis[a] = middle->point[a] - middle->lever[a];
    v[a] = at->velocity[0][a] + middle->share * (at->velocity[1][a] - at->velocity[0][a]);
  }
  eli_slip_of_round(&slip, axis, v, spin, middle->lever, rod->rigid ? centre : NULL, own, point);
  eli_slip_of_solid(&slip, before->place.position, before->place.velocity, before->spin, point, other);
  for (int a = 0; a < 3; a++) {
    step.velocity[a] = own[a] - other[a];
    step.spin += 0.5 * (spin[a] + before->spin[a]) * middle->normal[a];
  }
  eli_stick_slip_step(history, &step, force);
}

/* With the damper on the present slip velocity: a step of no duration moves nothing, and adds the damper alone. */
static void present_friction(const eli_layer_law *law, const eli_stick_slip *from, const elastica_rod_view *rod, int j,
                             const eli_placed_solid *solid, const eli_layer_touch *of, double force[3]) {
  eli_stick_slip history = *from;
  eli_stick_slip_turn(&history, of->middle.normal);
  step_friction(law, &history, rod, j, solid, of, 0.0, force);
}

/* The motion of the solid in a step of any length: the mean of its first and last position [m], its displacement [m] and its turn [rad]. */
typedef struct solid_motion {
  double place[3], moved[3], turned[3];
} solid_motion;

/* before and solid are the solid at the start and now. */
static void read_solid_motion(const eli_placed_solid *before, const eli_placed_solid *solid, solid_motion *out) {
  double turn[9], phi[3];
  eli_relative_rotation(solid->place.director, before->place.director, turn);
  eli_rotation_log(turn, phi);
  eli_turn_back(solid->place.director, phi, out->turned);
  for (int a = 0; a < 3; a++) {
    out->moved[a] = solid->place.position[a] - before->place.position[a];
    out->place[a] = before->place.position[a] + 0.5 * out->moved[a];
  }
}

/* Adds the damper to the force of the spring. */
static void add_damper(const eli_layer_law *law, const eli_stick_slip *history, const eli_capsule_motion *motion,
                       const eli_placed_solid *solid, const eli_layer_touch *of, double force[3]) {
  const double(*v)[3] = of->capsule.velocity;
  const eli_middle *middle = &of->middle;
  const eli_slip now = {.dt = 0.0};
  eli_stick_slip still = *history;
  eli_stick_slip_input step = {.stiffness = of->stiffness, .limit = law->friction * of->layer.pressure, .damping = of->damping};
  double turning[3], other[3];
  memcpy(step.normal, middle->normal, sizeof step.normal);
  eli_cross(motion->spin, middle->lever, turning);
  eli_slip_of_solid(&now, solid->place.position, solid->place.velocity, solid->spin, middle->point, other);
  for (int a = 0; a < 3; a++) step.velocity[a] = v[0][a] + middle->share * (v[1][a] - v[0][a]) + turning[a] - other[a];
  eli_stick_slip_step(&still, &step, force);
}

/* At the end of a step of any length by return mapping: the history at its start gives a trial force, cut at the limit. The damper acts on
 * the present slip velocity. Updates the history. */
static void return_friction(const eli_layer_law *law, eli_stick_slip *history, const eli_capsule_motion *motion,
                            const solid_motion *of_solid, const eli_placed_solid *solid, const eli_layer_touch *of, double force[3]) {
  const eli_middle *middle = &of->middle;
  const double longer = eli_slip_chord(eli_dot(motion->turned, motion->turned));
  eli_slip slip = {.dt = 1.0};
  eli_stick_slip_input step = {.dt = 1.0, .stiffness = of->stiffness, .limit = law->friction * of->layer.pressure};
  double axis[3], moved[3], turned[3], point[3], own[3], other[3];
  memcpy(slip.normal, middle->normal, sizeof slip.normal);
  memcpy(slip.before, history->normal, sizeof slip.before);
  memcpy(step.normal, middle->normal, sizeof step.normal);
  for (int a = 0; a < 3; a++) {
    axis[a] = middle->point[a] - middle->lever[a];
    moved[a] = motion->moved[0][a] + middle->share * (motion->moved[1][a] - motion->moved[0][a]);
    turned[a] = longer * motion->turned[a];
  }
  eli_slip_of_round(&slip, axis, moved, turned, middle->lever, NULL, own, point);
  eli_slip_of_solid(&slip, of_solid->place, of_solid->moved, of_solid->turned, point, other);
  for (int a = 0; a < 3; a++) {
    step.velocity[a] = own[a] - other[a];
    step.spin += 0.5 * (motion->turned[a] + of_solid->turned[a]) * middle->normal[a];
  }
  eli_stick_slip_return(history, &step);
  if (of->damping > 0.0)
    add_damper(law, history, motion, solid, of, force);
  else
    memcpy(force, history->force, sizeof history->force);
}

/* Adds friction to the loads of the element. */
static void push_friction(const eli_round *shape, const elastica_rod_view *rod, int j, const eli_layer_touch *of, const double friction[3],
                          const elastica_loads *loads) {
  double force[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, couple[3];
  share_force(&of->middle, friction, force);
  eli_cross(of->middle.lever, friction, couple);
  push_ends(shape, rod, j, (const double(*)[3])force, couple, loads);
}

/* ---- Hooks ---- */

/* Returns 1 if an element touches, or will soon, and steps of now->dt are too long for that. */
static int awaits(const elastic_obstacle *o, const rod_record *r, const elastica_instant *now, const elastica_rod_view *rod,
                  const eli_placed_solid *solid) {
  const int watches = !eli_world_was_checked(o->world, now->step, ELI_STEPS_SEEN);
  for (int j = 0; j < r->count && now->dt > 0.0; j++)
    if (eli_layer_awaits(&o->law, &r->shape, rod, j, solid, now->dt, now->is_adaptive, watches)) return 1;
  return 0;
}

static int is_idle(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  const elastic_obstacle *o = self;
  const rod_record *r = record_of(o, rod->rod_index);
  eli_placed_solid solid;
  if (!acts_on(o, r)) return 1;
  if (rod->rigid || o->place.motion != NULL || solid_at(o, 0.0, 0, &solid) != ELASTICA_OK) return 0;
  const int near = eli_layer_any_near(&solid, rod) || awaits(o, r, now, rod, &solid);
  return !near && o->fault.error == ELI_SURFACE_FINE; /* the next hook reports an error */
}

/* Computes friction from the displacement of the rod since the last accepted state, on a resting solid; keeps 1: the history advances. */
static void slip(const elastic_obstacle *o, const rod_record *r, const elastica_rod_view *moved, const eli_placed_solid *solid, int j,
                 double friction[3], int keeps) {
  eli_placed_solid still = *solid;
  eli_layer_law law = o->law;
  eli_stick_slip history = r->history[j];
  eli_layer_touch of;
  law.line.damping = law.tangential_damping = law.damping_ratio = law.tangential_damping_ratio = 0.0;
  memset(still.place.velocity, 0, sizeof still.place.velocity);
  memset(still.spin, 0, sizeof still.spin);
  memset(friction, 0, 3 * sizeof *friction);
  if (!eli_layer_touch_find(&law, &r->shape, &still, moved, j, &of)) return;
  step_friction(&law, &history, moved, j, &still, &of, 1.0, friction);
  if (keeps) r->history[j] = history;
}

/* Friction in a stage of an implicit step. */
typedef struct stage {
  eli_trial trial;
  int keeps; /* 1: the history advances */
  elastica_rod_view moved;
  eli_placed_solid before; /* at the start of the step */
} stage;

/* Returns 1 in a stage of an implicit step. */
static int find_stage(const elastic_obstacle *o, const elastica_rod_view *rod, stage *out) {
  return eli_world_trial(o->world, &out->trial, &out->keeps) && eli_world_slips(o->world, rod->rod_index, &out->moved);
}

static void slip_in_stage(const elastic_obstacle *o, const rod_record *r, const elastica_rod_view *rod, int j, const stage *in,
                          const eli_placed_solid *solid, const eli_layer_touch *of, double friction[3]) {
  eli_stick_slip history = r->history[j];
  eli_capsule_motion motion;
  solid_motion of_solid;
  eli_capsule_read_motion(&r->shape, rod, &in->moved, j, &motion);
  read_solid_motion(&in->before, solid, &of_solid);
  return_friction(&o->law, &history, &motion, &of_solid, solid, of, friction);
  if (in->keeps == 1 || (in->keeps == ELI_KEEPS_NEW && !(r->history[j].stiffness > 0.0))) r->history[j] = history;
}

/* Returns 1 if an element passes through the surface in this step: an element in contact, or one that has jumped across the layer. */
static int crosses(const eli_capsule *capsule, double depth, const eli_placed_solid *solid, double dt) {
  return eli_layer_may_cross(capsule, depth, solid, dt) && eli_layer_crosses(capsule, solid, dt);
}

static int leaps(const rod_record *r, const elastica_rod_view *rod, int j, const eli_placed_solid *solid, double dt) {
  eli_capsule at;
  eli_layer_place(&r->shape, rod, j, &at);
  return crosses(&at, 0.0, solid, dt);
}

static void explain(void *self, const elastica_rod_view *rod, char *text, size_t size) {
  const elastic_obstacle *o = self;
  const rod_record *r = record_of(o, rod->rod_index);
  if (rod->rigid)
    snprintf(text, size, "rod %d, a rigid body, would pass through the %s", rod->rod_index, eli_shape_name(o->shape.shape));
  else
    snprintf(text, size, "rod %d, element %d would pass through the %s", rod->rod_index, r->sunk, eli_shape_name(o->shape.shape));
}

/* Checks the function of the user after an implicit step of dt, or in an equilibrium: explicit steps do so in limit checks. */
static void check_way(const rod_record *r, const elastica_rod_view *rod, int j, const eli_placed_solid *solid, double dt) {
  eli_capsule capsule;
  eli_layer_place(&r->shape, rod, j, &capsule);
  eli_layer_check_surface(&capsule, solid, dt);
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  static const double none[3] = {0.0, 0.0, 0.0};
  const elastic_obstacle *o = self;
  rod_record *r = record_of(o, rod->rod_index);
  const int is_rough = o->law.friction > 0.0, steps = now->purpose == ELASTICA_PURPOSE_STEP, checks = eli_world_checks_depth(o->world);
  elastica_rod_view moved;
  stage in;
  eli_placed_solid solid;
  if (!acts_on(o, r)) return ELASTICA_OK;
  const int in_stage = is_rough && find_stage(o, rod, &in), has_friction = in_stage || (is_rough && eli_is_statics(now));
  const int slips = has_friction && !in_stage && eli_world_slips(o->world, rod->rod_index, &moved);
  const int keeps = in_stage ? in.keeps == 1 : slips && now->is_accepted;
  elastica_status status = solid_at(o, now->time, now->is_frozen, &solid);
  if (status == ELASTICA_OK && in_stage) status = solid_at(o, in.trial.start, 0, &in.before);
  const int awaited = status == ELASTICA_OK && awaits(o, r, now, rod, &solid);
  if (awaited) loads->check_again = 1;
  for (int j = 0; j < r->count && status == ELASTICA_OK; j++) {
    eli_layer_touch of;
    double friction[3];
    if (checks && o->shape.shape == ELASTICA_SHAPE_SURFACE) check_way(r, rod, j, &solid, now->dt);
    const int touches = eli_layer_touch_find(&o->law, &r->shape, &solid, rod, j, &of);
    if ((steps || checks) &&
        (touches ? crosses(&of.capsule, of.layer.depth, &solid, now->dt) : awaited && leaps(r, rod, j, &solid, now->dt))) {
      r->sunk = j;
      return ELASTICA_UNSTABLE_STEP;
    }
    if (!touches) {
      if (keeps) memset(&r->history[j], 0, sizeof r->history[j]);
      continue;
    }
    if (steps && eli_layer_awaits_core(&o->law, rod, j, &of, &solid, now->dt)) loads->check_again = 1;
    if (rod->classical_law && !rod->rigid) {
      const double tangent[3] = {rod->tangent[0][j], rod->tangent[1][j], rod->tangent[2][j]};
      eli_capsule_add_tension(&of.capsule, rod->length[j], tangent, of.layer.elastic, of.layer.force);
    }
    push_ends(&r->shape, rod, j, (const double(*)[3])of.layer.force, none, loads);
    if (!has_friction) continue;
    if (in_stage)
      slip_in_stage(o, r, rod, j, &in, &solid, &of, friction);
    else if (slips)
      slip(o, r, &moved, &solid, j, friction, keeps);
    else
      spring_friction(&o->law, &r->history[j], &of, friction);
    push_friction(&r->shape, rod, j, &of, friction, loads);
  }
  return status == ELASTICA_OK ? surface_status(o) : status;
}

static elastica_status add_reactions(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const elastic_obstacle *o = self;
  const rod_record *r = record_of(o, rod->rod_index);
  const int moves = !eli_is_query(now);
  eli_placed_solid solid, before;
  stage in;
  if (!acts_on(o, r) || eli_is_statics(now)) return ELASTICA_OK;
  elastica_status status = solid_at(o, now->time, now->is_frozen, &solid);
  if (find_stage(o, rod, &in)) { /* add_loads has friction but skips a rod without near elements: its history ends here */
    if (status == ELASTICA_OK && in.keeps == 1 && !rod->rigid && !eli_layer_any_near(&solid, rod))
      memset(r->history, 0, (size_t)r->count * sizeof *r->history);
    return status == ELASTICA_OK ? surface_status(o) : status;
  }
  before = solid;
  if (status == ELASTICA_OK && moves && o->place.motion != NULL) status = solid_at(o, now->time - 0.5 * now->dt, now->is_frozen, &before);
  if (status == ELASTICA_OK && !rod->rigid && !eli_layer_any_near(&solid, rod)) {
    if (moves) memset(r->history, 0, (size_t)r->count * sizeof *r->history);
    return surface_status(o);
  }
  for (int j = 0; j < r->count && status == ELASTICA_OK; j++) {
    eli_stick_slip history = r->history[j];
    eli_layer_touch of;
    double friction[3];
    if (eli_layer_touch_find(&o->law, &r->shape, &solid, rod, j, &of)) {
      step_friction(&o->law, &history, rod, j, &before, &of, now->dt, friction);
      push_friction(&r->shape, rod, j, &of, friction, loads);
    } else {
      memset(&history, 0, sizeof history);
    }
    if (moves) r->history[j] = history;
  }
  return status == ELASTICA_OK ? surface_status(o) : status;
}

/* The horizon of a body has no effect: its bound is always added. */
static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const elastic_obstacle *o = self;
  const rod_record *r = record_of(o, rod->rod_index);
  eli_placed_solid solid;
  if (!acts_on(o, r)) return ELASTICA_OK;
  const elastica_status status = solid_at(o, now->time, now->is_frozen, &solid);
  const int chooses = now->is_adaptive;
  const double horizon = chooses ? ELI_STEPS_COUNTED * now->checked_dt : rod->rigid ? 0.0 : eli_horizon_time(rod);
  for (int j = 0; j < r->count && status == ELASTICA_OK; j++) {
    eli_capsule capsule;
    eli_layer_place(&r->shape, rod, j, &capsule);
    eli_layer_check_surface(&capsule, &solid, 0.0);
    eli_layer_bound(&o->law, &r->shape, rod, j, &capsule, &solid, horizon, chooses, stiffness);
  }
  return status == ELASTICA_OK ? surface_status(o) : status;
}

/* Includes the energy of the tangential springs. */
static double energy(void *self, double time, const elastica_rod_view *rod) {
  const elastic_obstacle *o = self;
  const rod_record *r = record_of(o, rod->rod_index);
  eli_placed_solid solid;
  double sum = 0.0;
  if (!acts_on(o, r)) return 0.0;
  if (solid_at(o, time, 0, &solid) != ELASTICA_OK) return eli_nan();
  for (int j = 0; j < r->count; j++) {
    eli_layer_touch of;
    double friction[3];
    if (!eli_layer_touch_find(&o->law, &r->shape, &solid, rod, j, &of)) continue;
    spring_friction(&o->law, &r->history[j], &of, friction);
    sum += of.layer.energy + 0.5 * eli_dot(friction, friction) / of.stiffness;
  }
  return surface_status(o) == ELASTICA_OK ? sum : eli_nan();
}

/* ---- Memory ---- */

/* Reads the shape of a ball or capsule; returns 0 for another body, which takes no part. */
static int is_round(elastica_rod *rod, eli_round *shape) {
  eli_body_shape body;
  eli_body_shape_read(rod, &body);
  if (body.shape != ELASTICA_SHAPE_SPHERE && body.shape != ELASTICA_SHAPE_CAPSULE) return 0;
  shape->radius = body.radius;
  shape->half_length = body.shape == ELASTICA_SHAPE_CAPSULE ? body.half_length : 0.0;
  for (int b = 0; b < 3; b++) shape->axis[b] = body.axes[3 * b + 2];
  return 1;
}

/* Adds a record for a rod, so that no step allocates. OUT_OF_MEMORY. */
static elastica_status add_record(elastic_obstacle *o, const elastica_rod_view *rod) {
  if (record_of(o, rod->rod_index) != NULL) return ELASTICA_OK;
  rod_record *added = eli_rod_table_reserve(&o->table, rod->rod_index);
  if (added == NULL) return ELASTICA_OUT_OF_MEMORY;
  added->count = rod->element_count;
  if (rod->rigid && !is_round(elastica_world_rod(o->world, rod->rod_index), &added->shape)) added->count = 0;
  added->history = eli_allocate(o->allocator, (size_t)added->count, sizeof *added->history);
  if (added->history == NULL) return ELASTICA_OUT_OF_MEMORY;
  added->rod = rod->rod_index;
  return ELASTICA_OK;
}

static void free_record(const elastic_obstacle *o, rod_record *r) {
  if (r == NULL || r->rod < 0) return;
  eli_release(o->allocator, r->history);
  r->rod = -1;
}

static void forget_rod(void *self, const elastica_rod_view *rod) {
  free_record(self, record_of(self, rod->rod_index));
}

static void destroy(void *self) {
  elastic_obstacle *o = self;
  const eli_allocator *allocator = o->allocator;
  for (int k = 0; k < o->table.count; k++) free_record(o, eli_rod_table_at(&o->table, k));
  eli_rod_table_release(&o->table);
  eli_tube_destroy(o->tube);
  eli_mesh_destroy(o->mesh);
  eli_release(allocator, o);
}

static void clear_history(const elastic_obstacle *o) {
  for (int k = 0; k < o->table.count; k++) {
    const rod_record *r = eli_rod_table_at(&o->table, k);
    if (r->rod >= 0) memset(r->history, 0, (size_t)r->count * sizeof *r->history);
  }
}

/* Hooks (see elastica_module and eli_built_in); self is an elastic_obstacle. */
static void each_history(void *own, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  const elastic_obstacle *o = own;
  for (int k = 0; k < o->table.count && o->law.friction > 0.0; k++) {
    const rod_record *r = eli_rod_table_at(&o->table, k);
    if (r->rod >= 0) visit(context, r->history, (size_t)r->count * sizeof *r->history);
  }
}

/* ---- Stiffness of contacts ---- */

/* Computes the forces on the ends of a displaced element of a rod: its radius and the direction of its tension change with its ends. */
static int find_displaced(const eli_line_law *law, const eli_placed_solid *solid, const elastica_rod_view *rod, int j, eli_capsule *at,
                          eli_layer *out) {
  double tangent[3];
  for (int a = 0; a < 3; a++) tangent[a] = at->end[1][a] - at->end[0][a];
  const double length = sqrt(eli_dot(tangent, tangent));
  for (int a = 0; a < 3; a++) tangent[a] /= length;
  at->radius = eli_radius(rod->volume[j], length);
  if (!eli_layer_find(at, solid, law, out)) return 0;
  if (rod->classical_law) eli_capsule_add_tension(at, length, tangent, out->elastic, out->force);
  return 1;
}

static double force_of(const eli_layer *layer, int touches, int row) {
  return touches ? layer->force[row / 3][row % 3] : 0.0;
}

static int find_stiffness(const elastic_obstacle *o, const rod_record *r, const eli_placed_solid *solid, const elastica_rod_view *rod,
                          int j, eli_contact_stiffness *out) {
  const eli_line_law law = {o->law.line.modulus, 0.0};
  eli_capsule at;
  eli_layer now, after, before;
  if (!eli_layer_is_near(solid, rod, j)) return 0;
  eli_layer_place(&r->shape, rod, j, &at);
  if (!eli_layer_find(&at, solid, &law, &now)) return 0;
  const double size = eli_capsule_difference(now.depth, at.rest_radius, 0);
  memset(out, 0, sizeof *out);
  out->rod[0] = rod;
  out->element[0] = j;
  out->beyond[0][0] = out->beyond[0][1] = -1;
  for (int column = 0; column < 6; column++) {
    double *place = &at.end[column / 3][column % 3];
    const double kept = *place, more = kept + size, less = kept - size;
    *place = more;
    const int touches = find_displaced(&law, solid, rod, j, &at, &after);
    *place = less;
    const int touched = find_displaced(&law, solid, rod, j, &at, &before);
    *place = kept;
    for (int row = 0; row < 6; row++)
      out->stiffness[row][column] = (force_of(&before, touched, row) - force_of(&after, touches, row)) / (more - less);
  }
  return 1;
}

/* ---- Stiffness by differences (effects/layer.h) ---- */

enum { OF_TURNS = 2 * ELI_CONTACT_STIFFNESS_SIDE };

/* The loads of the obstacle on an element or a body. */
typedef struct displaced_loads {
  double force[2][3], couple[3];
} displaced_loads;

/* An element or a body beside the solid, possibly displaced. */
typedef struct beside_solid {
  const eli_layer_law *law;
  const eli_placed_solid *solid;
  const eli_stick_slip *history;
  int is_rough, in_stage;
  eli_displaced own;
  eli_layer_touch of;
  solid_motion of_solid;
} beside_solid;

/* Returns 0 if the displaced element does not touch. */
static int displace(beside_solid *at, int argument, double by) {
  const elastica_rod_view *rod = at->own.rod;
  double shift[3], turn[3], edge[3];
  eli_displace(&at->own, &at->of.capsule, argument, by, shift, turn);
  if (argument >= ELI_DISPLACED_ENDS && !rod->rigid) return 1;
  for (int a = 0; a < 3; a++) edge[a] = at->of.capsule.end[1][a] - at->of.capsule.end[0][a];
  if (!rod->rigid) at->of.capsule.radius = eli_radius(rod->volume[at->own.element], sqrt(eli_dot(edge, edge)));
  if (!eli_layer_touch_placed(at->law, at->solid, rod, at->own.element, &at->of)) return 0;
  eli_displaced_add_tension(&at->own, &at->of.capsule, at->of.layer.elastic, at->of.layer.force);
  return 1;
}

static displaced_loads loads_on(const beside_solid *at) {
  displaced_loads out = {{{0.0}}, {0.0}};
  double friction[3];
  eli_stick_slip history = *at->history;
  memcpy(out.force, at->of.layer.force, sizeof out.force);
  if (at->is_rough) {
    eli_layer_touch of = at->of;
    if (!at->in_stage) eli_stick_slip_unlimit(&history, &of.stiffness, &of.layer.pressure);
    return_friction(at->law, &history, &at->own.motion, &at->of_solid, at->solid, &of, friction);
    eli_displaced_add_force(at->of.middle.share, at->of.middle.lever, friction, out.force, out.couple);
  }
  eli_displaced_centre(&at->own, &at->of.capsule, out.force, out.couple);
  return out;
}

/* Writes a column: minus the derivative of the forces, and of the couple in components of the present frame. */
static void write_column(const beside_solid *at, int argument, const displaced_loads *change, double by, eli_contact_stiffness *out) {
  const elastica_rod_view *rod = at->own.rod;
  const int place = argument < ELI_DISPLACED_ENDS ? argument : OF_TURNS + argument - ELI_DISPLACED_ENDS, turns = at->is_rough || rod->rigid;
  for (int row = 0; row < ELI_DISPLACED_ENDS; row++) out->stiffness[row][place] = -change->force[row / 3][row % 3] / by;
  for (int k = 0; k < 3 && turns; k++)
    for (int a = 0; a < 3; a++) out->stiffness[OF_TURNS + k][place] -= rod->director[k][a][at->own.element] * change->couple[a] / by;
}

/* in NULL: at rest. */
static int find_stiffness_by_parts(const elastic_obstacle *o, const rod_record *r, const stage *in, const eli_placed_solid *solid,
                                   const elastica_rod_view *rod, int j, eli_contact_stiffness *out) {
  eli_layer_law law = o->law;
  beside_solid at = {.law = &law, .solid = solid, .history = &r->history[j], .in_stage = in != NULL, .own = eli_displaced_at(rod, j)};
  at.is_rough = o->law.friction > 0.0;
  if (in == NULL)
    law.line.damping = law.damping_ratio = law.tangential_damping = law.tangential_damping_ratio = 0.0;
  else
    at.own.rate = in->trial.rate_per_change;
  if (!eli_layer_touch_find(&law, &r->shape, solid, rod, j, &at.of)) return 0;
  eli_displaced_add_tension(&at.own, &at.of.capsule, at.of.layer.elastic, at.of.layer.force);
  if (at.is_rough && in != NULL) {
    eli_capsule_read_motion(&r->shape, rod, &in->moved, j, &at.own.motion);
    read_solid_motion(&in->before, solid, &at.of_solid);
  }
  const double radius = at.of.capsule.rest_radius, size = eli_capsule_difference(at.of.layer.depth, radius, in != NULL);
  const double turn = size / (rod->rigid ? radius + r->shape.half_length : radius);
  memset(out, 0, sizeof *out);
  out->rod[0] = rod;
  out->element[0] = j;
  out->beyond[0][0] = out->beyond[0][1] = -1;
  out->turns = at.is_rough;
  if (at.is_rough) out->friction = (int)eli_stick_slip_state(at.history, o->law.friction * at.of.layer.pressure);
  for (int argument = 0; argument < ELI_DISPLACEMENTS; argument++) {
    const double by = argument < ELI_DISPLACED_ENDS ? size : turn;
    displaced_loads change = {{{0.0}}, {0.0}};
    if (!eli_displaced_has(&at.own, argument, at.is_rough)) continue;
    for (int side = 0; side < 2; side++) {
      const double sign = side ? -1.0 : 1.0;
      beside_solid moved = at;
      if (!displace(&moved, argument, sign * by)) continue;
      const displaced_loads loads = loads_on(&moved);
      for (int row = 0; row < ELI_DISPLACED_ENDS; row++) change.force[row / 3][row % 3] += sign * loads.force[row / 3][row % 3];
      for (int a = 0; a < 3; a++) change.couple[a] += sign * loads.couple[a];
    }
    write_column(&at, argument, &change, 2.0 * by, out);
  }
  if (at.is_rough || rod->rigid) {
    const displaced_loads loads = loads_on(&at);
    double m[3];
    elastica_rotate_to_material(rod, j, loads.couple, m);
    eli_add_turning_frame(m, OF_TURNS, out);
  }
  return 1;
}

/* Returns the view of the rod of a record, or NULL if the obstacle does not act on it. */
static const elastica_rod_view *rod_touched_by(const elastic_obstacle *o, const rod_record *r) {
  if (r->rod < 0 || !acts_on(o, r)) return NULL;
  return elastica_rod_get_view(elastica_world_rod(o->world, r->rod));
}

static elastica_status contact_stiffness(void *self, double time, void (*visit)(void *context, const eli_contact_stiffness *contact),
                                         void *context) {
  const elastic_obstacle *o = self;
  eli_placed_solid solid;
  stage in;
  const int in_stage = eli_world_trial(o->world, &in.trial, &in.keeps);
  elastica_status status = solid_at(o, time, 0, &solid);
  for (int k = 0; k < o->table.count && status == ELASTICA_OK; k++) {
    const rod_record *r = eli_rod_table_at(&o->table, k);
    const elastica_rod_view *rod = rod_touched_by(o, r);
    if (rod == NULL) continue;
    eli_contact_stiffness found;
    if (in_stage && eli_world_slips(o->world, r->rod, &in.moved)) status = solid_at(o, in.trial.start, 0, &in.before);
    for (int j = 0; j < r->count && status == ELASTICA_OK; j++)
      if (in_stage || rod->rigid || o->law.friction > 0.0 ? find_stiffness_by_parts(o, r, in_stage ? &in : NULL, &solid, rod, j, &found)
                                                          : find_stiffness(o, r, &solid, rod, j, &found))
        visit(context, &found);
  }
  return status == ELASTICA_OK ? surface_status(o) : status;
}

/* ---- Elements that approach too fast ---- */

#define DEEP 0.5       /* radii */
#define TOLERANCE 1e-6 /* radii; error of the distance of first touch */
#define MOVED 1e-4     /* radii, of a finite difference */
enum { MOVES = 60 };

/* An element that moves by w [m/s] against the solid. */
typedef struct flight {
  const eli_placed_solid *solid;
  const eli_capsule *at;
  double w[3], speed;
} flight;

static eli_capsule moved(const flight *of, double time) {
  eli_capsule to = *of->at;
  for (int end = 0; end < 2; end++)
    for (int a = 0; a < 3; a++) to.end[end][a] += time * of->w[a];
  return to;
}

/* Returns the distance [m] of the centre line from the surface: a convex function of time. */
static double distance_after(const flight *of, double time) {
  const eli_capsule at = moved(of, time);
  return eli_layer_least_distance(&at, of->solid, 0.0, 1.0, 0.1 * TOLERANCE * of->at->rest_radius);
}

/* Returns the rate [m/s] of decrease of the distance after a time. */
static double closing_after(const flight *of, double time) {
  const double step = MOVED * of->at->rest_radius / of->speed;
  return (distance_after(of, time) - distance_after(of, time + step)) / step;
}

/* Returns the time [s] when the distance has fallen to `wanted` [m]; infinite: never, or not found. From outside, Newton's method
 * approaches it without overshoot, except for the error of the finite difference; the distance of a shape that is not convex falls at most
 * at the speed times its slope. */
static double time_to(const flight *of, double wanted) {
  double time = 0.0;
  for (int k = 0; k < MOVES; k++) {
    const double left = distance_after(of, time) - wanted;
    if (left <= TOLERANCE * of->at->rest_radius) return time;
    const double closing = eli_obstacle_is_free(&of->solid->obstacle) ? of->solid->obstacle.slope * of->speed : closing_after(of, time);
    if (!(closing > 0.0)) return INFINITY;
    time += left / closing;
  }
  return INFINITY;
}

/* Returns the energy [J] of the layer of an element at an overlap of half its radius. */
static double deep_energy(const flight *of, double modulus) {
  const eli_line_law law = {modulus, 0.0};
  const double time = time_to(of, of->at->radius - DEEP * of->at->rest_radius);
  eli_layer layer;
  if (!(time < INFINITY)) return INFINITY;
  const eli_capsule at = moved(of, time);
  return eli_layer_find(&at, of->solid, &law, &layer) ? layer.energy : INFINITY;
}

static void judge_element(const flight *of, const elastica_rod_view *rod, int j, double modulus, eli_impact *worst) {
  const double start = time_to(of, of->at->radius), mass = rod->rigid ? rod->mass[0] : 0.5 * (rod->mass[j] + rod->mass[j + 1]);
  if (!(start < INFINITY)) return;
  const double closing = closing_after(of, start), bound = sqrt(2.0 * deep_energy(of, modulus) / mass);
  if (closing > bound && closing / bound > worst->speed / worst->bound) *worst = (eli_impact){j, closing, bound};
}

/* Finds the mean velocity of a rod relative to the solid. Returns 0 if it is zero or not finite. */
static int find_motion(const elastica_rod_view *rod, const eli_placed_solid *solid, flight *out) {
  double mass = 0.0;
  memset(out->w, 0, sizeof out->w);
  for (int i = 0; i < rod->node_count; i++) {
    mass += rod->mass[i];
    for (int a = 0; a < 3; a++) out->w[a] += rod->mass[i] * rod->velocity[a][i];
  }
  for (int a = 0; a < 3; a++) out->w[a] = out->w[a] / mass - solid->place.velocity[a];
  out->speed = sqrt(eli_dot(out->w, out->w));
  return out->speed > 0.0 && out->speed - out->speed == 0.0;
}

elastica_status eli_elastic_find_impacts(const void *self, double time, void (*visit)(void *context, int rod, const eli_impact *impact),
                                         void *context) {
  const elastic_obstacle *o = self;
  eli_placed_solid solid;
  forget_error(o);
  const elastica_status status = solid_at(o, time, 0, &solid);
  for (int k = 0; k < o->table.count && status == ELASTICA_OK; k++) {
    const rod_record *r = eli_rod_table_at(&o->table, k);
    const elastica_rod_view *rod = rod_touched_by(o, r);
    if (rod == NULL) continue;
    eli_impact worst = {-1, 0.0, 1.0};
    flight of = {.solid = &solid};
    for (int j = 0; find_motion(rod, &solid, &of) && j < r->count; j++) {
      eli_capsule at;
      eli_layer_place(&r->shape, rod, j, &at);
      of.at = &at;
      judge_element(&of, rod, j, o->law.line.modulus, &worst);
    }
    if (worst.element >= 0) visit(context, r->rod, &worst);
  }
  return status == ELASTICA_OK ? surface_status(o) : status;
}

double eli_elastic_modulus(const void *self) {
  return ((const elastic_obstacle *)self)->law.line.modulus;
}

/* ---- From a definition ---- */

/* A rod in a duct must be thinner than it, one around a tube thinner than its tightest bend admits, one at a mesh thinner than its
 * fillets. */
#define THINNER 0.95
#define IN_FILLET 0.8

static elastica_status check_fillet(const elastic_obstacle *o, const elastica_rod_view *view, double radius, const char *function) {
  if (radius <= IN_FILLET * o->mesh->fillet) return ELASTICA_OK;
  return elastica_world_refuse(o->world, ELASTICA_INVALID_ARGUMENT,
                               "%s: rod %d has a radius of %g m, more than %g times obstacle_def.fillet of the mesh, %g m", function,
                               view->rod_index, radius, IN_FILLET, o->mesh->fillet);
}

static elastica_status check_size(const elastic_obstacle *o, const elastica_rod_view *view, double radius, const char *function) {
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
static elastica_status check_surface(const elastic_obstacle *o, const char *function, elastica_status failed) {
  if (surface_status(o) == ELASTICA_OK) return ELASTICA_OK;
  return elastica_world_refuse(o->world, failed, "%s: obstacle_def.surface fails: %s", function, eli_world_reason(o->world));
}

/* Differences of distances, in radii, that do not count. */
#define DISTANCE_ERROR 1e-6

/* The element with the least distance of its centre line from the surface, in radii; negative: the deepest one in the solid. */
typedef struct nearest {
  int element;             /* -1: none within ELI_LAYER_NEAR */
  double distance, radius; /* [m] of its centre line, negative inside; [m] */
} nearest;

static elastica_status find_nearest(const elastic_obstacle *o, const elastica_rod_view *view, const eli_placed_solid *solid,
                                    const eli_round *shape, const char *function, nearest *out) {
  *out = (nearest){-1, 0.0, 1.0};
  for (int j = 0; j < view->element_count; j++) {
    eli_capsule at;
    eli_layer_place(shape, view, j, &at);
    const elastica_status status = check_size(o, view, at.rest_radius, function);
    if (status != ELASTICA_OK) return status;
    eli_layer_check_surface(&at, solid, 0.0);
    const double near = ELI_LAYER_NEAR * at.radius;
    if (eli_layer_least_distance(&at, solid, 0.0, 1.0, near) > near) continue;
    const double distance = eli_layer_least_distance(&at, solid, 0.0, 1.0, DISTANCE_ERROR * at.rest_radius);
    if (distance > near || (out->element >= 0 && distance / at.radius > out->distance / out->radius - DISTANCE_ERROR)) continue;
    *out = (nearest){j, distance, at.radius};
  }
  return ELASTICA_OK;
}

/* Returns 1 if an element inside a mesh is outside its triangles by a radius or more: the fillet fills the place. Then *left [m] is the
 * least distance of three of its points from the triangles. */
static int is_filled(const elastic_obstacle *o, const elastica_rod_view *view, int j, const eli_placed_solid *solid, double *left) {
  const eli_placement *place = &solid->place;
  const double radius = eli_radius(view->volume[j], view->length[j]);
  if (o->shape.shape != ELASTICA_SHAPE_MESH || view->rigid) return 0;
  *left = INFINITY;
  for (int k = 0; k < 3; k++) {
    double offset[3], point[3];
    for (int a = 0; a < 3; a++)
      offset[a] = view->position[a][j] + 0.5 * k * (view->position[a][j + 1] - view->position[a][j]) - place->position[a];
    for (int a = 0; a < 3; a++) point[a] = eli_dot(place->director + 3 * a, offset);
    const double distance = eli_mesh_sharp_distance(o->mesh, point);
    if (distance < *left) *left = distance;
  }
  return *left >= radius;
}

/* Refuses a centre line inside the solid, which would be pushed out on the nearest side, or through, and one so close to the surface that
 * the first step would fail. failed: the status if a function of the user fails. */
static elastica_status check_rod(const elastic_obstacle *o, const elastica_rod_view *view, const char *function, elastica_status failed) {
  const double time = elastica_world_get(o->world).time;
  nearest of;
  eli_round shape;
  eli_placement place;
  if (o->group != ELASTICA_EVERY_GROUP && o->group != eli_world_contact_group(o->world, view->rod_index)) return ELASTICA_OK;
  if (view->rigid && !is_round(elastica_world_rod(o->world, view->rod_index), &shape))
    return elastica_world_refuse(o->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: rod %d is a rigid body: a cylinder or a box does not touch obstacles of kind ELASTIC and would pass "
                                 "through; take kind RIGID, or a group of the obstacle without the body",
                                 function, view->rod_index);
  if (eli_prescribed_at(&o->place, time, &place) != ELASTICA_OK)
    return elastica_world_refuse(o->world, failed, "%s: obstacle_def.motion fails at t = %.9g s: %s", function, time,
                                 eli_world_reason(o->world));
  const eli_placed_solid solid = eli_solid_at(&o->shape, &place);
  forget_error(o);
  elastica_status status = find_nearest(o, view, &solid, &shape, function, &of);
  if (status == ELASTICA_OK) status = check_surface(o, function, failed);
  if (status != ELASTICA_OK || of.element < 0) return status;
  double left;
  if (is_filled(o, view, of.element, &solid, &left))
    return elastica_world_refuse(
        o->world, ELASTICA_INVALID_ARGUMENT,
        "%s: obstacle_def.fillet is %g m: no ball of this radius fits where element %d of rod %d lies, so that the "
        "fillet fills the place; the triangles themselves leave %g m around its centre line. Take a smaller fillet: "
        "1.25 times the radius of the rod, %g m, suffices",
        function, o->mesh->fillet, of.element, view->rod_index, left, of.radius);
  const char *cure = "Begin with it a radius outside, or more: there the rod touches without overlap";
  if (of.distance < -DISTANCE_ERROR * of.radius)
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
  elastic_obstacle *o = self;
  (void)preparation;
  const elastica_status status = eli_world_is_loading(o->world) ? ELASTICA_OK : check_rod(o, rod, "prepare", ELASTICA_CALLBACK_FAILED);
  return status == ELASTICA_OK ? add_record(o, rod) : status;
}

/* Computes the parameters of the effect from a definition with valid fields; refuses fields that contradict each other, by name. */
static elastica_status read_def(elastic_obstacle *o) {
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
static void connect_shape(elastic_obstacle *o) {
  o->shape.fault = &o->fault;
  o->shape.mesh = o->mesh;
  if (o->shape.shape != ELASTICA_SHAPE_TUBE) return;
  o->shape.tube = o->tube;
  o->shape.slope = o->tube->slope;
}

static void release_shape(const elastic_obstacle *o) {
  eli_tube_destroy(o->tube);
  eli_mesh_destroy(o->mesh);
}

/* Makes the tube or mesh of a new effect; the effect that is set keeps its own. */
static elastica_status make_shape(const eli_request *request, elastic_obstacle *o) {
  const elastic_obstacle *old = request->old;
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
static void set_hooks(const elastic_obstacle *o, elastica_module *module) {
  module->parallel_safe = o->place.motion == NULL && o->shape.shape != ELASTICA_SHAPE_SURFACE;
  module->needs_geometry = o->place.motion != NULL;
  module->add_reactions = o->law.friction > 0.0 ? add_reactions : NULL;
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  elastic_obstacle *o = self;
  o->world = request->world;
  o->allocator = eli_world_allocator(request->world);
  o->table = eli_rod_table_of(request->world, sizeof(rod_record), request->rod != NULL);
  o->def = *(const elastica_obstacle_def *)given;
  elastica_status status = eli_obstacle_check_kind(request, &o->def, ELASTICA_OBSTACLE_ELASTIC);
  if (status == ELASTICA_OK) status = read_def(o);
  if (status == ELASTICA_OK) status = make_shape(request, o);
  if (status == ELASTICA_OK) connect_shape(o);
  for (elastica_rod *rod = NULL; status == ELASTICA_OK && (rod = eli_next_rod_of(request->world, request->rod, rod)) != NULL;)
    status = check_rod(o, elastica_rod_get_view(rod), request->function, ELASTICA_INVALID_ARGUMENT);
  if (status != ELASTICA_OK && request->old == NULL) release_shape(o);
  set_hooks(o, module);
  module->prepare = prepare;
  module->add_loads = add_loads;
  module->add_stiffness = add_stiffness;
  module->energy = energy;
  module->destroy = destroy;
  module->is_idle = is_idle;
  module->forget_rod = forget_rod;
  module->explain = explain;
  module->each_history = each_history;
  return status;
}

/* Creates the effect with a record for each present rod. */
static void *create(const eli_request *request, const void *self) {
  const elastic_obstacle *described = self;
  elastic_obstacle *o = eli_allocate(described->allocator, 1, sizeof *o);
  elastica_status status = ELASTICA_OK;
  if (o == NULL) {
    release_shape(described);
    return NULL;
  }
  *o = *described;
  connect_shape(o);
  for (elastica_rod *rod = NULL; status == ELASTICA_OK && (rod = eli_next_rod_of(o->world, request->rod, rod)) != NULL;)
    status = add_record(o, elastica_rod_get_view(rod));
  if (status == ELASTICA_OK) return o;
  destroy(o);
  return NULL;
}

static void apply(void *own, const void *self) {
  const elastic_obstacle *described = self;
  elastic_obstacle *o = own;
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
  if (!(o->law.friction > 0.0)) clear_history(o);
}

/* ---- In a snapshot ---- */

static void function_of(void *own, eli_function *of, int set) {
  elastic_obstacle *o = own;
  eli_def_function(&eli_obstacle_layout, &o->def, of, set);
  if (set) eli_prescribed_function(&o->place, of, set);
}

/* r NULL: there is no record yet. */
static void keep_record(const rod_record *r, const elastica_rod_view *rod, eli_record *in) {
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
  elastic_obstacle *o = own;
  elastic_obstacle kept = *o;
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
    keep_record(record_of(o, elastica_rod_get_view(on)->rod_index), elastica_rod_get_view(on), in);
}

static double friction_of(const void *self) {
  return ((const elastic_obstacle *)self)->law.friction;
}

static double damping_ratio_of(const void *self) {
  return ((const elastic_obstacle *)self)->law.damping_ratio;
}

static int dissipates(const void *self) {
  const elastic_obstacle *o = self;
  return o->law.line.damping > 0.0 || o->law.damping_ratio > 0.0 || o->law.friction > 0.0;
}

static elastica_status stands(const void *self, double time, eli_body *out) {
  const elastic_obstacle *o = self;
  out->obstacle = o->shape;
  return eli_prescribed_at(&o->place, time, &out->place);
}

/* ---- Contact points ---- */

static void describe_point(const elastic_obstacle *o, const rod_record *r, int j, const eli_layer_touch *of, const double friction[3],
                           elastica_contact_point *out) {
  *out = (elastica_contact_point){.rod = {r->rod, -1}, .element = {j, -1}};
  memcpy(out->point, of->middle.point, sizeof out->point);
  memcpy(out->normal, of->middle.normal, sizeof out->normal);
  out->depth = of->layer.depth;
  out->extent = of->layer.extent;
  out->force = of->layer.elastic;
  memcpy(out->layer, of->layer.total, sizeof out->layer);
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
  const elastic_obstacle *o = elastica_effect_get(effect).self;
  elastica_rod *const alone = elastica_effect_get(effect).rod;
  int count = 0;
  eli_placed_solid solid;
  forget_error(o);
  if (solid_at(o, elastica_world_get(o->world).time, 0, &solid) != ELASTICA_OK) {
    (void)elastica_world_refuse(o->world, ELASTICA_CALLBACK_FAILED, "%s: obstacle_def.motion fails: %s", function,
                                eli_world_reason(o->world));
    return -1;
  }
  if (!elastica_effect_get(effect).is_enabled) return 0;
  for (elastica_rod *rod = NULL; (rod = eli_next_rod_of(o->world, alone, rod)) != NULL;) {
    const rod_record *r = record_of(o, elastica_rod_get_view(rod)->rod_index);
    for (int j = 0; acts_on(o, r) && j < r->count; j++) {
      eli_layer_touch of;
      double friction[3];
      if (!eli_layer_touch_find(&o->law, &r->shape, &solid, elastica_rod_get_view(rod), j, &of)) continue;
      present_friction(&o->law, &r->history[j], elastica_rod_get_view(rod), j, &solid, &of, friction);
      if (count < capacity) describe_point(o, r, j, &of, friction, &points[count]);
      if (force != NULL) subtract_load(&solid, &of, friction, force, couple);
      count++;
    }
  }
  if (surface_status(o) == ELASTICA_OK) return count;
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

static const eli_prescribed *prescribed_of(const void *self) {
  return &((const elastic_obstacle *)self)->place;
}

const eli_built_in eli_elastic_obstacle = {.prescribed = prescribed_of,
                                           .name = "obstacle",
                                           .stands = stands,
                                           .contacts = find_contacts,
                                           .layout = &eli_obstacle_layout,
                                           .every_rod = 1,
                                           .rigid_bodies = 1,
                                           .contact_stiffness = contact_stiffness,
                                           .friction = friction_of,
                                           .damping_ratio = damping_ratio_of,
                                           .acts_in_stages = 1,
                                           .damps_motion_alone = 1,
                                           .self_size = ELI_SELF_SIZE(elastic_obstacle),
                                           .describe = describe,
                                           .create = create,
                                           .apply = apply,
                                           .keep = keep,
                                           .function = function_of,
                                           .dissipates = dissipates};
