/* Contact of rods and round bodies with elastic obstacles (see elastic_layer.h): loads, friction, stiffness, and elements that approach too
 * fast.
 *
 * test       tests/test_obstacle_contact.c, tests/test_check_solids.c
 */
#include "base/target.h"

#include "base/vector.h"
#include "effects/body_contact.h"
#include "effects/contact.h"
#include "effects/elastic_layer.h"
#include "effects/layer.h"
#include "effects/resolve.h"
#include "rod/law.h"
#include "state/module.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Contact ---- */

int eli_elastic_acts_on(const eli_elastic_layer *o, const eli_elastic_record *r) {
  return r != NULL && r->count > 0 && (o->group == ELASTICA_EVERY_GROUP || o->group == eli_world_contact_group(o->world, r->rod));
}

elastica_status eli_elastic_solid_at(const eli_elastic_layer *o, double time, int is_frozen, eli_placed_solid *solid) {
  eli_placement place;
  const elastica_status status = eli_prescribed_now(&o->place, time, is_frozen, &place);
  if (status == ELASTICA_OK) *solid = eli_solid_at(&o->shape, &place);
  return status;
}

elastica_status eli_elastic_check_surface(const eli_elastic_layer *o) {
  char reason[400];
  if (o->shape.fault == NULL || o->shape.fault->error == ELI_SURFACE_FINE) return ELASTICA_OK;
  eli_surface_explain(&o->shape, reason, sizeof reason);
  o->shape.fault->error = ELI_SURFACE_FINE;
  return eli_world_explain(o->world, o, "%s", reason);
}

/* ---- Hooks ---- */

/* Returns 1 if an element touches, or will soon, and steps of now->dt are too long for that. */
static int awaits(const eli_elastic_layer *o, const eli_elastic_record *r, const elastica_instant *now, const elastica_rod_view *rod,
                  const eli_placed_solid *solid) {
  for (int j = 0; j < r->count && now->dt > 0.0; j++)
    if (eli_layer_awaits(&o->law, &r->shape, rod, j, solid, now->dt, now->is_adaptive)) return 1;
  return 0;
}

int eli_elastic_idle(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  const eli_elastic_layer *o = self;
  const eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  eli_placed_solid solid;
  if (!eli_elastic_acts_on(o, r)) return 1;
  if (rod->rigid || o->place.motion != NULL || eli_elastic_solid_at(o, 0.0, 0, &solid) != ELASTICA_OK) return 0;
  const int near = eli_layer_any_near(&solid, rod) || awaits(o, r, now, rod, &solid);
  return !near && o->fault.error == ELI_SURFACE_FINE; /* the next hook reports an error */
}

/* Computes friction from the displacement of the rod since the last accepted state, on a resting solid; keeps 1: the history advances. */
static void slip(const eli_elastic_layer *o, const eli_elastic_record *r, const elastica_rod_view *moved, const eli_placed_solid *solid,
                 int j, double friction[3], int keeps) {
  eli_placed_solid still = *solid;
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

/* Friction in a stage of an implicit step. */
typedef struct stage {
  eli_trial trial;
  int keeps; /* 1: the history advances */
  elastica_rod_view moved;
  eli_placed_solid before; /* at the start of the step */
} stage;

/* Returns 1 in a stage of an implicit step. */
static int find_stage(const eli_elastic_layer *o, const elastica_rod_view *rod, stage *out) {
  return eli_world_trial(o->world, &out->trial, &out->keeps) && eli_world_slips(o->world, rod->rod_index, &out->moved);
}

static void slip_in_stage(const eli_elastic_layer *o, const eli_elastic_record *r, const elastica_rod_view *rod, int j, const stage *in,
                          const eli_placed_solid *solid, const eli_layer_touch *of, double friction[3]) {
  eli_stick_slip history = r->history[j];
  eli_layer_motion motion;
  eli_layer_read_motion(&r->shape, rod, &in->moved, j, &in->before, solid, &motion);
  eli_layer_return_friction(&o->law, &history, &motion, solid, of, friction);
  if (in->keeps == 1 || (in->keeps == ELI_KEEPS_NEW && !(r->history[j].stiffness > 0.0))) r->history[j] = history;
}

/* Returns 1 if an element passes through the surface in this step: an element in contact, or one that has jumped across the layer. */
static int crosses(const eli_capsule *capsule, double depth, const eli_placed_solid *solid, double dt) {
  return eli_layer_may_cross(capsule, depth, solid, dt) && eli_layer_crosses(capsule, solid, dt);
}

static int leaps(const eli_elastic_record *r, const elastica_rod_view *rod, int j, const eli_placed_solid *solid, double dt) {
  eli_capsule at;
  eli_layer_place(&r->shape, rod, j, &at);
  return crosses(&at, 0.0, solid, dt);
}

void eli_elastic_explain(void *self, const elastica_rod_view *rod, char *text, size_t size) {
  const eli_elastic_layer *o = self;
  const eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  if (rod->rigid)
    snprintf(text, size, "rod %d, a rigid body, would pass through the %s", rod->rod_index, eli_shape_name(o->shape.shape));
  else
    snprintf(text, size, "rod %d, element %d would pass through the %s", rod->rod_index, r->sunk, eli_shape_name(o->shape.shape));
}

elastica_status eli_elastic_add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  static const double none[3] = {0.0, 0.0, 0.0};
  const eli_elastic_layer *o = self;
  eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  const int is_rough = o->law.friction > 0.0, steps = now->purpose == ELASTICA_PURPOSE_STEP;
  elastica_rod_view moved;
  stage in;
  eli_placed_solid solid;
  if (!eli_elastic_acts_on(o, r)) return ELASTICA_OK;
  const int in_stage = is_rough && find_stage(o, rod, &in), has_friction = in_stage || (is_rough && eli_is_statics(now));
  const int slips = has_friction && !in_stage && eli_world_slips(o->world, rod->rod_index, &moved);
  const int keeps = in_stage ? in.keeps == 1 : slips && now->is_accepted;
  elastica_status status = eli_elastic_solid_at(o, now->time, now->is_frozen, &solid);
  if (status == ELASTICA_OK && in_stage) status = eli_elastic_solid_at(o, in.trial.start, 0, &in.before);
  const int awaited = status == ELASTICA_OK && awaits(o, r, now, rod, &solid);
  if (awaited) loads->check_again = 1;
  for (int j = 0; j < r->count && status == ELASTICA_OK; j++) {
    eli_layer_touch of;
    double friction[3];
    const int touches = eli_layer_touch_find(&o->law, &r->shape, &solid, rod, j, &of);
    if (steps && (touches ? crosses(&of.capsule, of.layer.depth, &solid, now->dt) : awaited && leaps(r, rod, j, &solid, now->dt))) {
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
    eli_capsule_push(&r->shape, rod, j, (const double(*)[3])of.layer.force, none, loads);
    if (!has_friction) continue;
    if (in_stage)
      slip_in_stage(o, r, rod, j, &in, &solid, &of, friction);
    else if (slips)
      slip(o, r, &moved, &solid, j, friction, keeps);
    else
      eli_layer_friction(&o->law, &r->history[j], &of, friction);
    eli_layer_push_friction(&r->shape, rod, j, &of, friction, loads);
  }
  return status == ELASTICA_OK ? eli_elastic_check_surface(o) : status;
}

elastica_status eli_elastic_add_reactions(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const eli_elastic_layer *o = self;
  const eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  const int moves = !eli_is_query(now);
  eli_placed_solid solid, before;
  stage in;
  if (!eli_elastic_acts_on(o, r) || eli_is_statics(now)) return ELASTICA_OK;
  elastica_status status = eli_elastic_solid_at(o, now->time, now->is_frozen, &solid);
  if (find_stage(o, rod, &in)) { /* add_loads has friction but skips a rod without near elements: its history ends here */
    if (status == ELASTICA_OK && in.keeps == 1 && !rod->rigid && !eli_layer_any_near(&solid, rod))
      memset(r->history, 0, (size_t)r->count * sizeof *r->history);
    return status == ELASTICA_OK ? eli_elastic_check_surface(o) : status;
  }
  before = solid;
  if (status == ELASTICA_OK && moves && o->place.motion != NULL)
    status = eli_elastic_solid_at(o, now->time - 0.5 * now->dt, now->is_frozen, &before);
  if (status == ELASTICA_OK && !rod->rigid && !eli_layer_any_near(&solid, rod)) {
    if (moves) memset(r->history, 0, (size_t)r->count * sizeof *r->history);
    return eli_elastic_check_surface(o);
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
  return status == ELASTICA_OK ? eli_elastic_check_surface(o) : status;
}

/* The horizon of a body has no effect: its bound is always added. */
elastica_status eli_elastic_add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                          elastica_stiffness *stiffness) {
  const eli_elastic_layer *o = self;
  const eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  eli_placed_solid solid;
  if (!eli_elastic_acts_on(o, r)) return ELASTICA_OK;
  const elastica_status status = eli_elastic_solid_at(o, now->time, now->is_frozen, &solid);
  const int chooses = now->is_adaptive;
  const double horizon = chooses ? ELI_STEPS_COUNTED * now->checked_dt : rod->rigid ? 0.0 : eli_horizon_time(rod);
  for (int j = 0; j < r->count && status == ELASTICA_OK; j++) {
    eli_capsule capsule;
    eli_layer_place(&r->shape, rod, j, &capsule);
    eli_layer_check_surface(&capsule, &solid);
    eli_layer_bound(&o->law, &r->shape, rod, j, &capsule, &solid, horizon, chooses, stiffness);
  }
  return status == ELASTICA_OK ? eli_elastic_check_surface(o) : status;
}

/* Includes the energy of the tangential springs. */
double eli_elastic_energy(void *self, double time, const elastica_rod_view *rod) {
  const eli_elastic_layer *o = self;
  const eli_elastic_record *r = eli_elastic_record_of(o, rod->rod_index);
  eli_placed_solid solid;
  double sum = 0.0;
  if (!eli_elastic_acts_on(o, r)) return 0.0;
  if (eli_elastic_solid_at(o, time, 0, &solid) != ELASTICA_OK) return eli_nan();
  for (int j = 0; j < r->count; j++) {
    eli_layer_touch of;
    double friction[3];
    if (!eli_layer_touch_find(&o->law, &r->shape, &solid, rod, j, &of)) continue;
    eli_layer_friction(&o->law, &r->history[j], &of, friction);
    sum += of.layer.energy + 0.5 * eli_dot(friction, friction) / of.stiffness;
  }
  return eli_elastic_check_surface(o) == ELASTICA_OK ? sum : eli_nan();
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

elastica_status eli_elastic_add_record(eli_elastic_layer *o, const elastica_rod_view *rod) {
  if (eli_elastic_record_of(o, rod->rod_index) != NULL) return ELASTICA_OK;
  eli_elastic_record *added = eli_rod_table_reserve(&o->table, rod->rod_index);
  if (added == NULL) return ELASTICA_OUT_OF_MEMORY;
  added->count = rod->element_count;
  if (rod->rigid && !eli_elastic_is_round(elastica_world_rod(o->world, rod->rod_index), &added->shape)) added->count = 0;
  added->history = eli_allocate(o->allocator, (size_t)added->count, sizeof *added->history);
  if (added->history == NULL) return ELASTICA_OUT_OF_MEMORY;
  added->rod = rod->rod_index;
  return ELASTICA_OK;
}

static void free_record(const eli_elastic_layer *o, eli_elastic_record *r) {
  if (r == NULL || r->rod < 0) return;
  eli_release(o->allocator, r->history);
  r->rod = -1;
}

void eli_elastic_forget_rod(void *self, const elastica_rod_view *rod) {
  free_record(self, eli_elastic_record_of(self, rod->rod_index));
}

void eli_elastic_destroy(void *self) {
  eli_elastic_layer *o = self;
  const eli_allocator *allocator = o->allocator;
  for (int k = 0; k < o->table.count; k++) free_record(o, eli_rod_table_at(&o->table, k));
  eli_rod_table_release(&o->table);
  eli_tube_destroy(o->tube);
  eli_mesh_destroy(o->mesh);
  eli_release(allocator, o);
}

void eli_elastic_clear_history(const eli_elastic_layer *o) {
  for (int k = 0; k < o->table.count; k++) {
    const eli_elastic_record *r = eli_rod_table_at(&o->table, k);
    if (r->rod >= 0) memset(r->history, 0, (size_t)r->count * sizeof *r->history);
  }
}

void eli_elastic_each_history(void *own, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  const eli_elastic_layer *o = own;
  for (int k = 0; k < o->table.count && o->law.friction > 0.0; k++) {
    const eli_elastic_record *r = eli_rod_table_at(&o->table, k);
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

static int find_stiffness(const eli_elastic_layer *o, const eli_elastic_record *r, const eli_placed_solid *solid,
                          const elastica_rod_view *rod, int j, eli_contact_stiffness *out) {
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

/* ---- Stiffness in a stage of an implicit step, with friction, and of rigid bodies ----
 *
 * In a stage the loads also depend on velocities, a function of positions here. Friction depends on the displacements and turns since the
 * start of the step, or at rest since the last accepted state, which is the present one. Differences by the six coordinates of the ends,
 * then by turns about the three directors. A rigid body is displaced by its centre, which takes the place of the first end, and turned as a
 * whole.
 */

enum { OF_ENDS = 6, OF_ALL = 9, OF_TURNS = 2 * ELI_CONTACT_STIFFNESS_SIDE };

/* The loads of the obstacle on an element: forces on its ends, and the couple of friction, laboratory; or both at the centre of a body. */
typedef struct stage_loads {
  double force[OF_ENDS], couple[3];
} stage_loads;

/* An element or a body, possibly displaced. */
typedef struct staged {
  const eli_layer_law *law;
  const eli_placed_solid *solid;
  const elastica_rod_view *rod;
  const eli_stick_slip *history;
  int element, is_rough, in_stage;
  double rate;      /* [1/s] change of a velocity per change of its position; 0 at rest */
  double centre[3]; /* [m] of a body */
  eli_layer_touch of;
  eli_layer_motion motion;
} staged;

/* Returns 0 for an argument without effect. */
static int is_argument(const staged *at, int column) {
  return at->rod->rigid ? column < 3 || column >= OF_ENDS : column < OF_ENDS || at->is_rough;
}

static void find_tension(staged *at) {
  double tangent[3];
  if (at->rod->rigid || !at->rod->classical_law) return;
  for (int a = 0; a < 3; a++) tangent[a] = at->of.capsule.end[1][a] - at->of.capsule.end[0][a];
  const double length = sqrt(eli_dot(tangent, tangent));
  for (int a = 0; a < 3; a++) tangent[a] /= length;
  eli_capsule_add_tension(&at->of.capsule, length, tangent, at->of.layer.elastic, at->of.layer.force);
}

/* Returns the contact of the displaced element; 0: there is none. */
static int touch_displaced(staged *at) {
  double edge[3];
  for (int a = 0; a < 3; a++) edge[a] = at->of.capsule.end[1][a] - at->of.capsule.end[0][a];
  if (!at->rod->rigid) at->of.capsule.radius = eli_radius(at->rod->volume[at->element], sqrt(eli_dot(edge, edge)));
  if (!eli_layer_touch_placed(at->law, at->solid, at->rod, at->element, &at->of)) return 0;
  find_tension(at);
  return 1;
}

static stage_loads load_staged(const staged *at) {
  stage_loads out = {{0.0}, {0.0}};
  double friction[3];
  eli_stick_slip history = *at->history;
  memcpy(out.force, at->of.layer.force, sizeof out.force);
  if (at->is_rough) {
    eli_layer_touch of = at->of;
    if (!at->in_stage) eli_stick_slip_unlimit(&history, &of.stiffness, &of.layer.pressure);
    eli_layer_return_friction(at->law, &history, &at->motion, at->solid, &of, friction);
    for (int a = 0; a < 3; a++) {
      out.force[a] += (1.0 - at->of.middle.share) * friction[a];
      out.force[3 + a] += at->of.middle.share * friction[a];
    }
    eli_cross(at->of.middle.lever, friction, out.couple);
  }
  if (at->rod->rigid) eli_capsule_move_to_centre(&at->of.capsule, at->centre, (double(*)[3])out.force, out.couple);
  return out;
}

/* Displaces an end along an axis, or turns the frame about a director. Returns 0 if the element then does not touch. */
static int displace(staged *at, int column, double by) {
  const int end = column / 3, a = column % 3, rigid = at->rod->rigid;
  double shift[3] = {0.0, 0.0, 0.0}, turn[3] = {0.0, 0.0, 0.0};
  if (column < OF_ENDS) shift[a] = by;
  for (int b = 0; b < 3 && column >= OF_ENDS; b++) turn[b] = by * at->rod->director[column - OF_ENDS][b][at->element];
  if (rigid) {
    const double velocity[3] = {at->rod->velocity[0][0], at->rod->velocity[1][0], at->rod->velocity[2][0]};
    eli_turn_frame_by(turn, at->rate, at->motion.spin, at->motion.turned);
    eli_capsule_displace(&at->of.capsule, shift, turn, velocity, at->motion.spin, at->rate, at->centre, at->motion.moved);
    return touch_displaced(at);
  }
  if (column < OF_ENDS) {
    at->of.capsule.end[end][a] += by;
    at->of.capsule.velocity[end][a] += at->rate * by;
    at->motion.moved[end][a] += by;
    return touch_displaced(at);
  }
  eli_turn_frame_by(turn, at->rate, at->motion.spin, at->motion.turned);
  return 1;
}

/* Writes a column: minus the derivative of the forces, and of the couple in components of the present frame. */
static void write_column(const staged *at, int column, const stage_loads *change, double by, eli_contact_stiffness *out) {
  const int place = column < OF_ENDS ? column : OF_TURNS + column - OF_ENDS, turns = at->is_rough || at->rod->rigid;
  for (int row = 0; row < OF_ENDS; row++) out->stiffness[row][place] = -change->force[row] / by;
  for (int k = 0; k < 3 && turns; k++)
    for (int a = 0; a < 3; a++) out->stiffness[OF_TURNS + k][place] -= at->rod->director[k][a][at->element] * change->couple[a] / by;
}

/* A couple that is constant in the laboratory changes its components as the frame turns: director k by d_b x d_k. */
static void add_turning_frame(const staged *at, const double couple[3], eli_contact_stiffness *out) {
  double m[3];
  for (int k = 0; k < 3; k++)
    m[k] = at->rod->director[k][0][at->element] * couple[0] + at->rod->director[k][1][at->element] * couple[1] +
           at->rod->director[k][2][at->element] * couple[2];
  for (int k = 0; k < 3; k++) {
    out->stiffness[OF_TURNS + (k + 1) % 3][OF_TURNS + k] -= m[(k + 2) % 3];
    out->stiffness[OF_TURNS + (k + 2) % 3][OF_TURNS + k] += m[(k + 1) % 3];
  }
}

/* in NULL: at rest. */
static int find_stiffness_by_parts(const eli_elastic_layer *o, const eli_elastic_record *r, const stage *in, const eli_placed_solid *solid,
                                   const elastica_rod_view *rod, int j, eli_contact_stiffness *out) {
  eli_layer_law law = o->law;
  staged at = {.law = &law, .solid = solid, .rod = rod, .history = &r->history[j], .element = j, .in_stage = in != NULL};
  at.is_rough = o->law.friction > 0.0;
  if (in == NULL)
    law.line.damping = law.damping_ratio = law.tangential_damping = law.tangential_damping_ratio = 0.0;
  else
    at.rate = in->trial.rate_per_change;
  if (!eli_layer_touch_find(&law, &r->shape, solid, rod, j, &at.of)) return 0;
  find_tension(&at);
  if (at.is_rough && in != NULL) eli_layer_read_motion(&r->shape, rod, &in->moved, j, &in->before, solid, &at.motion);
  eli_spin_of(rod, j, at.motion.spin);
  for (int a = 0; a < 3 && rod->rigid; a++) at.centre[a] = rod->position[a][0];
  const double radius = at.of.capsule.rest_radius, size = eli_capsule_difference(at.of.layer.depth, radius, in != NULL);
  const double turn = size / (rod->rigid ? radius + r->shape.half_length : radius);
  memset(out, 0, sizeof *out);
  out->rod[0] = rod;
  out->element[0] = j;
  out->beyond[0][0] = out->beyond[0][1] = -1;
  out->turns = at.is_rough;
  if (at.is_rough) out->friction = (int)eli_stick_slip_state(at.history, o->law.friction * at.of.layer.pressure);
  for (int column = 0; column < OF_ALL; column++) {
    const double by = column < OF_ENDS ? size : turn;
    stage_loads change = {{0.0}, {0.0}};
    if (!is_argument(&at, column)) continue;
    for (int side = 0; side < 2; side++) {
      const double sign = side ? -1.0 : 1.0;
      staged moved = at;
      if (!displace(&moved, column, sign * by)) continue;
      const stage_loads loads = load_staged(&moved);
      for (int row = 0; row < OF_ENDS; row++) change.force[row] += sign * loads.force[row];
      for (int a = 0; a < 3; a++) change.couple[a] += sign * loads.couple[a];
    }
    write_column(&at, column, &change, 2.0 * by, out);
  }
  if (at.is_rough || rod->rigid) add_turning_frame(&at, load_staged(&at).couple, out);
  return 1;
}

/* Returns the view of the rod of a record, or NULL if the obstacle does not act on it. */
static const elastica_rod_view *rod_touched_by(const eli_elastic_layer *o, const eli_elastic_record *r) {
  if (r->rod < 0 || !eli_elastic_acts_on(o, r)) return NULL;
  return elastica_rod_get_view(elastica_world_rod(o->world, r->rod));
}

elastica_status eli_elastic_find_stiffness(void *self, double time, void (*visit)(void *context, const eli_contact_stiffness *contact),
                                           void *context) {
  const eli_elastic_layer *o = self;
  eli_placed_solid solid;
  stage in;
  const int in_stage = eli_world_trial(o->world, &in.trial, &in.keeps);
  elastica_status status = eli_elastic_solid_at(o, time, 0, &solid);
  for (int k = 0; k < o->table.count && status == ELASTICA_OK; k++) {
    const eli_elastic_record *r = eli_rod_table_at(&o->table, k);
    const elastica_rod_view *rod = rod_touched_by(o, r);
    if (rod == NULL) continue;
    eli_contact_stiffness found;
    if (in_stage && eli_world_slips(o->world, r->rod, &in.moved)) status = eli_elastic_solid_at(o, in.trial.start, 0, &in.before);
    for (int j = 0; j < r->count && status == ELASTICA_OK; j++)
      if (in_stage || rod->rigid || o->law.friction > 0.0 ? find_stiffness_by_parts(o, r, in_stage ? &in : NULL, &solid, rod, j, &found)
                                                          : find_stiffness(o, r, &solid, rod, j, &found))
        visit(context, &found);
  }
  return status == ELASTICA_OK ? eli_elastic_check_surface(o) : status;
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

elastica_status eli_elastic_find_impacts(const eli_elastic_layer *o, double time,
                                         void (*visit)(void *context, int rod, const eli_impact *impact), void *context) {
  eli_placed_solid solid;
  eli_elastic_forget_error(o);
  const elastica_status status = eli_elastic_solid_at(o, time, 0, &solid);
  for (int k = 0; k < o->table.count && status == ELASTICA_OK; k++) {
    const eli_elastic_record *r = eli_rod_table_at(&o->table, k);
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
  return status == ELASTICA_OK ? eli_elastic_check_surface(o) : status;
}

double eli_elastic_modulus(const eli_elastic_layer *o) {
  return o->law.line.modulus;
}
