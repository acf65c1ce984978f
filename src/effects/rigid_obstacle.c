/* Rigid obstacle, a wall: rods do not penetrate it, at rest or moving, with or without friction.
 *
 * models     contact of a rod with a plane, ball, cylinder or box, looked for at the centres of elements: distance < (1 + tolerance) radius
 * equation   (4.8) F_j = (R + k eps - gamma v . N) N, half to each node of the element; R = max(-F . N, 0) with F all other loads of the
 *            element (half of each node's, all of an end node's), eps = max(radius - distance, 0), v relative to the wall
 * source     Gazzola et al. 2018, section 4.1.3; the loads in F and the order of the parts follow the authors' program
 * parameters obstacle and its place or motion, stiffness k [N/m], damping gamma [kg/s], friction (see contact/friction.h)
 * conserves  momentum together with the wall, whose force and couple are kept; at constant lengths energy of the spring, sum k eps^2/2; a
 *            wall that balances nodes gives back at most that
 *            Rigid bodies: effects/body_contact.h
 * test       tests/test_wall.c, tests/test_wall_set.c, tests/test_wall_room.c, tests/test_wall_squeeze.c, tests/test_wall_nodes.c,
 *            tests/test_wall_impact.c, tests/test_wall_symmetry.c
 *
 * ELEMENTS: R balances the mean of an element's two nodes, as published. Of forces that vary along the rod with the wavenumber q [rad/m]
 * the share sin^2(q l/2) is not balanced: all of those that alternate from node to node. With elements much shorter than the radius such
 * waves can flutter while they slide sideways: R contains them, and sliding friction contains R (examples/friction_locomotion.c). R also
 * does work on a rod that rises. NODES: R is found for each node, as in time-stepping schemes for rigid contact (Moreau, 1988). It has
 * neither weakness: after each step the normal velocity of a node in contact is zero or outwards.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/memory.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "contact/friction.h"
#include "effects/body_contact.h"
#include "effects/obstacle.h"
#include "effects/solid.h"
#include "hooks/built_in.h"
#include "rod/law.h"
#include "state/definition.h"
#include "state/prescribed.h"
#include "state/rod_table.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- One rod in contact with a wall: the lanes for normal force and friction ---- */

enum { SINGLES = 17, TRIPLES = 11 };

/* Assigns the lanes of a block of memory and writes the constants. */
static void lay_out(eli_wall_contact *c, double *next, size_t stride, const elastica_rod_view *rod) {
  double **const single[SINGLES] = {&c->share_before,   &c->share_after,  &c->distance,     &c->radius,        &c->normal_force,
                                    &c->slip_along,     &c->slip_across,  &c->static_along, &c->static_across, &c->kinetic_along,
                                    &c->kinetic_across, &c->need_along,   &c->need_across,  &c->yield,         &c->part_before,
                                    &c->part_after,     &c->node_distance};
  double **const triple[TRIPLES] = {c->inverse_inertia, c->normal, c->wall_velocity,     c->along,   c->across, c->axis, c->push,
                                    c->force,           c->couple, c->laboratory_couple, c->position};
  for (int k = 0; k < SINGLES; k++, next += stride) *single[k] = next;
  for (int k = 0; k < TRIPLES; k++)
    for (int a = 0; a < 3; a++, next += stride) triple[k][a] = next;
  c->count = rod->element_count;
  c->closed = rod->closed;
  for (int j = 0; j < c->count; j++) {
    c->share_before[j] = !rod->closed && j == 0 ? 1.0 : 0.5;
    c->share_after[j] = !rod->closed && j + 1 == c->count ? 1.0 : 0.5;
    for (int a = 0; a < 3; a++) c->inverse_inertia[a][j] = 1.0 / rod->inertia[a][j];
  }
}

/* Allocates the lanes, sets them to zero, and writes the constants of a rod. Returns 0 without memory. */
static int create_contact(const eli_allocator *allocator, const elastica_rod_view *rod, eli_wall_contact *contact) {
  const size_t blocks = ((size_t)rod->element_count + ELI_WALL_MARGIN) / ELI_WALL_MARGIN, stride = (blocks + 1) * ELI_WALL_MARGIN;
  double *memory = eli_allocate(allocator, stride * (SINGLES + 3 * TRIPLES) + 2 * ELI_WALL_MARGIN, sizeof(double));
  contact->memory = memory;
  if (memory == NULL) return 0;
  const size_t past = (size_t)((uintptr_t)memory / sizeof(double) % ELI_WALL_MARGIN);
  lay_out(contact, memory + 2 * ELI_WALL_MARGIN - past, stride, rod);
  return 1;
}

/* Makes the wall a plane at rest through a point with this normal; NULL for both stands for any other wall. */
static void set_flat(eli_wall_contact *c, const double point[3], const double normal[3]) {
  c->flat = normal != NULL;
  for (int a = 0; a < 3 && c->flat; a++) {
    c->point[a] = point[a];
    for (int j = 0; j < c->count; j++) c->normal[a][j] = normal[a];
  }
}

/* The results for elastica_obstacle_get_force: visit_loads visits their bytes, and keep_loads saves or loads them in a snapshot, for a rod
 * with element_count elements that may not have lanes yet. */
static void visit_loads(const eli_wall_contact *c, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  const size_t n = (size_t)c->count * sizeof(double);
  for (int a = 0; a < 3; a++) {
    visit(context, c->force[a], n + sizeof(double));
    visit(context, c->position[a], n + sizeof(double));
    visit(context, c->laboratory_couple[a], n);
  }
}

static void keep_loads(const eli_wall_contact *c, int element_count, eli_record *record) {
  const size_t n = (size_t)element_count;
  for (int a = 0; a < 3; a++) {
    eli_record_doubles(record, c->force[a], n + 1);
    eli_record_doubles(record, c->position[a], n + 1);
    eli_record_doubles(record, c->laboratory_couple[a], n);
  }
}

/* Sets node_distance to minus infinity: the tangent planes of the elements give the distances of nodes. */
static void forget_nodes(const eli_wall_contact *c) {
  for (int i = 0; i <= c->count; i++) c->node_distance[i] = -INFINITY;
}

/* Sets the velocity of the wall to zero. */
static void stop_wall(const eli_wall_contact *c) {
  for (int a = 0; a < 3; a++) memset(c->wall_velocity[a], 0, (size_t)c->count * sizeof(double));
}

static void destroy_contact(const eli_allocator *allocator, eli_wall_contact *contact) {
  eli_release(allocator, contact->memory);
}

/* Sets the velocity of a moving wall at the points of its surface nearest to the elements. */
static void move_wall(const eli_wall_contact *c, const eli_placement *place, const elastica_rod_view *rod) {
  double omega[3];
  eli_turn_back(place->director, place->omega, omega);
  for (int j = 0; j < c->count; j++) {
    double arm[3];
    for (int a = 0; a < 3; a++)
      arm[a] = 0.5 * (rod->position[a][j] + rod->position[a][j + 1]) - c->distance[j] * c->normal[a][j] - place->position[a];
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, d = (a + 2) % 3;
      c->wall_velocity[a][j] = place->velocity[a] + omega[b] * arm[d] - omega[d] * arm[b];
    }
  }
}

/* Computes the true distances of the nodes: the tangent plane of an element ends at an edge, and does not follow a curved surface. */
static void find_nodes(const eli_wall_contact *c, const eli_obstacle *obstacle, const eli_placement *place, const elastica_rod_view *rod) {
  eli_obstacle_node_distances(obstacle, place->position, place->director, c->count + 1, rod->position, c->node_distance);
}

/* Subtracts force on the rod and couple about a point. With turns 1 it also subtracts the couples on its elements. */
static void subtract_loads(const eli_wall_contact *c, const double place[3], int turns, double force[3], double couple[3]) {
  const int nodes = c->closed ? c->count : c->count + 1;
  for (int i = 0; i < nodes; i++) {
    double arm[3], pull[3];
    for (int a = 0; a < 3; a++) {
      arm[a] = c->position[a][i] - place[a];
      pull[a] = c->force[a][i];
      force[a] -= pull[a];
    }
    couple[0] -= arm[1] * pull[2] - arm[2] * pull[1];
    couple[1] -= arm[2] * pull[0] - arm[0] * pull[2];
    couple[2] -= arm[0] * pull[1] - arm[1] * pull[0];
  }
  if (!turns) return;
  for (int j = 0; j < c->count; j++)
    for (int a = 0; a < 3; a++) couple[a] -= c->laboratory_couple[a][j];
}

/* ---- Records ---- */

/* The record of one rod of the wall. */
typedef struct record {
  int rod;    /* its index; -1: the record is free */
  int effect; /* index of the wall, where another asks */
  eli_wall_contact contact;
  double *shared;        /* lanes for walls that are solved together; NULL while no other wall acts on the rod */
  struct record *before; /* the previous wall that acted on the same rod in the current step */
  const struct wall *wall;
  struct record *asked;          /* record of the same rod for queries of loads, so that the record of the last step stays */
  eli_body_shape shape;          /* shape of a rigid body */
  eli_body_reactions *reactions; /* reactions on a rigid body: [0] of the current step, [1] of a query */
  long step;                     /* the last step in which it acted; -1: none */
  unsigned flags;                /* in that step: ELI_CONTACT_... */
  double place[3];               /* position of the wall in that step */
  eli_placement at;              /* of the wall, likewise; in no snapshot */
  eli_squeeze squeezed;
} record;

typedef struct wall {
  elastica_world *world;
  const eli_allocator *allocator;
  eli_wall_press *press;
  elastica_obstacle_def def; /* with its frame */
  eli_prescribed place;      /* from here on read from def */
  eli_obstacle obstacle;
  eli_wall_law law;
  eli_rod_table table; /* of records */
} wall;

/* Returns the record of a rod, or NULL. */
static record *record_of(const wall *w, int rod_index) {
  return eli_rod_table_find(&w->table, rod_index);
}

/* Sets the lanes that a wall at rest, or a plane, does not write. */
static void set_lanes(const wall *w, eli_wall_contact *contact) {
  const int flat = w->obstacle.shape == ELASTICA_SHAPE_PLANE && w->place.motion == NULL;
  set_flat(contact, flat ? w->place.position : NULL, flat ? w->place.director + 6 : NULL);
  stop_wall(contact);
  forget_nodes(contact);
}

/* GIVEN: the largest ratio of steps of a given size to those that the library chooses. LONGER: the ratio of a step to its proper size above
 * which a limit check is requested. */
#define GIVEN 4.0
#define LONGER 1.25

/* Returns the longest step [s] for a body: by the loads of a step, or for NULL by those of the last limit check. */
static double step_of_body(const wall *w, const elastica_instant *now, const eli_placement *place, const eli_body_shape *shape,
                           const elastica_rod_view *body, const elastica_loads *loads) {
  double square = 0.0;
  for (int a = 0; a < 3 && loads != NULL; a++) square += loads->total_force[a][0] * loads->total_force[a][0];
  const double acceleration = loads != NULL ? sqrt(square) / body->mass[0] : eli_world_acceleration(w->world, body->rod_index);
  return eli_body_step(&w->obstacle, place, shape, body, acceleration) * (now->is_adaptive ? 1.0 : GIVEN);
}

/* Reactions of the earlier walls on a body in this step, the last first. */
typedef struct before {
  const elastica_rod_view *body;
  int asked;
  eli_body_reactions *last;
} before;

static void add_before(void *context, const elastica_effect *effect, void *self) {
  before *of = context;
  const record *r = eli_effect_is(effect, &eli_rigid_obstacle) ? record_of(self, of->body->rod_index) : NULL;
  if (r == NULL || r->reactions[of->asked].count == 0) return;
  r->reactions[of->asked].effect = elastica_effect_get(effect).index;
  r->reactions[of->asked].before = of->last;
  of->last = &r->reactions[of->asked];
}

/* Stores the position of the wall in this step, for elastica_obstacle_get_force. */
static void note_step(record *r, const elastica_instant *now, const eli_placement *place) {
  r->step = eli_is_statics(now) ? now->step - 1 : now->step; /* an equilibrium is recorded as if a step had led to it */
  memcpy(r->place, place->position, sizeof r->place);
  r->at = *place;
}

static void note_reactions(record *r, const elastica_rod_view *body) {
  const eli_body_reactions *own = r->reactions;
  r->flags = ELI_CONTACT_TOUCHES | ELI_CONTACT_TURNS;
  for (int a = 0; a < 3; a++) {
    r->contact.force[a][0] = own->force[a];
    r->contact.laboratory_couple[a][0] = own->couple[a];
    r->contact.position[a][0] = body->position[a][0];
  }
}

static void note_before(void *context, const elastica_effect *effect, void *self) {
  const elastica_rod_view *body = context;
  record *r = eli_effect_is(effect, &eli_rigid_obstacle) ? record_of(self, body->rod_index) : NULL;
  if (r != NULL && r->reactions->count > 0) note_reactions(r, body);
}

/* The walls leave no room for the body, or its centre is behind this one. */
static int is_body_squeezed(record *r, const elastica_rod_view *body, int touches) {
  const double centre[3] = {body->position[0][0], body->position[1][0], body->position[2][0]};
  double normal[3];
  eli_squeeze *of = &r->squeezed;
  const eli_body_reactions *other = touches ? eli_body_find_squeeze(&r->shape, r->reactions, &of->space, &of->width) : NULL;
  of->effect = other != NULL ? other->effect : -1;
  return other != NULL || eli_obstacle_distance(&r->wall->obstacle, r->at.position, r->at.director, centre, normal) < 0.0;
}

/* asked 1: a query of loads; the record of the last step stays. */
static elastica_status press_body(const wall *w, record *r, const elastica_instant *now, const elastica_rod_view *body,
                                  elastica_loads *loads, int asked) {
  eli_body_reactions *own = &r->reactions[asked];
  before walls = {body, asked, NULL};
  own->count = 0;
  const elastica_status status = eli_prescribed_now(&w->place, now->time, now->is_frozen, &own->place);
  if (status != ELASTICA_OK) return status;
  if (now->dt > LONGER * step_of_body(w, now, &own->place, &r->shape, body, loads)) loads->check_again = 1;
  own->obstacle = w->obstacle;
  eli_world_each_reaction_before(w->world, body->rod_index, w, add_before, &walls);
  own->before = walls.last;
  const int touches = eli_body_find_reactions(&w->law, &r->shape, body, loads, now->dt, !now->is_frozen, own);
  if (asked) return ELASTICA_OK;
  note_step(r, now, &own->place);
  r->flags = 0;
  if (touches) {
    eli_world_each_reaction_before(w->world, body->rod_index, w, note_before, (void *)body);
    note_reactions(r, body);
  }
  return !eli_is_statics(now) && is_body_squeezed(r, body, touches) ? ELASTICA_UNSTABLE_STEP : ELASTICA_OK;
}

/* ---- Several walls on one rod ----
 *
 * The reaction of a wall stops the motion that the walls before it have left. It may push the rod into these again, as in a narrow groove.
 * So each wall that balances nodes repeats the walls before it and itself, each on the loads of all others, until their forces converge. */

enum { SHARED_TOTAL = 0, SHARED_CHANGE = 6, SHARED_OLD = 12, SHARED_LANES = 15, MOST_ROUNDS = 200 };
#define SAME_FORCE 1e-9

static double *shared_lane(const record *r, const elastica_rod_view *rod, int k) {
  return r->shared + (size_t)k * ((size_t)rod->element_count + 1);
}

static elastica_status reserve_shared(const wall *w, record *r, const elastica_rod_view *rod) {
  if (r->shared == NULL) r->shared = eli_allocate(w->allocator, SHARED_LANES * ((size_t)rod->element_count + 1), sizeof *r->shared);
  return r->shared != NULL ? ELASTICA_OK : ELASTICA_OUT_OF_MEMORY;
}

/* Adds the load of a wall, times a sign, to three lanes of forces and three of couples. */
static void add_load(const record *r, const elastica_rod_view *rod, double sign, const record *to, int first_lane) {
  if (!(r->flags & ELI_CONTACT_TOUCHES)) return;
  for (int a = 0; a < 3; a++) {
    double *force = shared_lane(to, rod, first_lane + a), *couple = shared_lane(to, rod, first_lane + 3 + a);
    for (int i = 0; i < rod->node_count; i++) force[i] += sign * r->contact.force[a][i];
    if (rod->closed) force[rod->element_count] = force[0];
    for (int j = 0; j < rod->element_count && r->flags & ELI_CONTACT_TURNS; j++) couple[j] += sign * r->contact.couple[a][j];
  }
}

/* Repeats a wall on the loads of all others. Returns the largest change of a force, and raises *largest to the largest force [N]. */
static double press_anew(const record *own, record *r, const elastica_rod_view *rod, const elastica_loads *loads, double dt,
                         eli_wall_press *act, double *largest) {
  elastica_loads apart = *loads;
  double changed = 0.0;
  for (int a = 0; a < 3; a++) {
    double *old = shared_lane(own, rod, SHARED_OLD + a);
    for (int i = 0; i < rod->node_count; i++) old[i] = r->flags & ELI_CONTACT_TOUCHES ? r->contact.force[a][i] : 0.0;
    apart.total_force[a] = shared_lane(own, rod, SHARED_TOTAL + a);
    apart.total_couple[a] = shared_lane(own, rod, SHARED_TOTAL + 3 + a);
    apart.force[a] = shared_lane(own, rod, SHARED_CHANGE + a);
    apart.couple[a] = shared_lane(own, rod, SHARED_CHANGE + 3 + a);
  }
  add_load(r, rod, -1.0, own, SHARED_TOTAL);
  add_load(r, rod, -1.0, own, SHARED_CHANGE);
  r->flags = act(&r->wall->law, &r->contact, rod, &apart, dt) & ~(unsigned)ELI_CONTACT_SUNK;
  add_load(r, rod, 1.0, own, SHARED_TOTAL);
  for (int a = 0; a < 3; a++) {
    const double *old = shared_lane(own, rod, SHARED_OLD + a);
    for (int i = 0; i < rod->node_count; i++) {
      const double force = r->flags & ELI_CONTACT_TOUCHES ? r->contact.force[a][i] : 0.0, change = fabs(force - old[i]);
      if (change > changed) changed = change;
      if (fabs(force) > *largest) *largest = fabs(force);
    }
  }
  return changed;
}

/* Repeats the walls. own has acted, and its force is in the loads; before links to the walls that acted earlier in this step. */
static void press_together(record *own, const elastica_rod_view *rod, const elastica_loads *loads, double dt, eli_wall_press *act) {
  const size_t n = (size_t)rod->element_count + 1;
  memset(own->shared, 0, SHARED_LANES * n * sizeof *own->shared);
  for (int a = 0; a < 3; a++) {
    memcpy(shared_lane(own, rod, SHARED_TOTAL + a), loads->total_force[a], n * sizeof(double));
    memcpy(shared_lane(own, rod, SHARED_TOTAL + 3 + a), loads->total_couple[a], (n - 1) * sizeof(double));
  }
  add_load(own, rod, 1.0, own, SHARED_TOTAL);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double changed = 0.0, largest = 0.0;
    for (record *r = own->before; r != NULL; r = r->before) {
      const double change = press_anew(own, r, rod, loads, dt, act, &largest);
      if (change > changed) changed = change;
    }
    if (!(changed > SAME_FORCE * largest)) {
      if (round == 0) return; /* they have changed by rounding only */
      break;
    }
    (void)press_anew(own, own, rod, loads, dt, act, &largest);
  }
  for (int a = 0; a < 3; a++) {
    const double *force = shared_lane(own, rod, SHARED_CHANGE + a), *couple = shared_lane(own, rod, SHARED_CHANGE + 3 + a);
    for (int i = 0; i < rod->node_count; i++) loads->force[a][i] += force[i];
    for (int j = 0; j < rod->element_count; j++) loads->couple[a][j] += couple[j];
  }
}

typedef struct earlier {
  const elastica_rod_view *rod;
  long step;
  int asked;
  record *last;
} earlier;

static void add_earlier(void *context, const elastica_effect *effect, void *self) {
  earlier *of = context;
  record *r = eli_effect_is(effect, &eli_rigid_obstacle) ? record_of(self, of->rod->rod_index) : NULL;
  if (r != NULL && of->asked) r = r->asked;
  if (r == NULL || r->step != of->step || !r->wall->law.balances_nodes) return;
  r->effect = elastica_effect_get(effect).index;
  r->before = of->last;
  of->last = r;
}

/* ---- No room ---- */

static double distance_at(const wall *w, const eli_placement *place, const elastica_rod_view *rod, int j, double normal[3]) {
  double centre[3];
  for (int a = 0; a < 3; a++) centre[a] = 0.5 * (rod->position[a][j] + rod->position[a][j + 1]);
  return eli_obstacle_distance(&w->obstacle, place->position, place->director, centre, normal);
}

/* Returns 1, and notes the room, if an element has too little of it between this wall and another. */
static int lacks_room(record *r, const elastica_rod_view *rod, int j, const wall *other, const eli_placement *place, int effect) {
  double n1[3], n2[3];
  const double space = distance_at(r->wall, &r->at, rod, j, n1) + distance_at(other, place, rod, j, n2);
  const double radius = eli_radius(rod->volume[j], rod->rest_length[j]);
  if (!eli_clearance_is_short(n1, n2, space, radius)) return 0;
  r->squeezed = (eli_squeeze){j, effect, space, 2.0 * radius};
  return 1;
}

/* Returns 1 if an element lacks room between this wall and one of those that acted before it. */
static int is_squeezed(record *r, const elastica_rod_view *rod) {
  for (int j = 0; j < rod->element_count; j++) {
    for (const record *other = r->before; other != NULL; other = other->before)
      if (lacks_room(r, rod, j, other->wall, &other->at, other->effect)) return 1;
  }
  return 0;
}

/* Notes the first element with its centre behind the surface and, if another wall leaves it no room, that wall. */
static elastica_status note_sunk(record *r, const elastica_instant *now, const elastica_rod_view *rod) {
  elastica_world *world = r->wall->world;
  eli_placement place;
  double normal[3];
  int j = 0;
  while (j + 1 < rod->element_count && !(distance_at(r->wall, &r->at, rod, j, normal) < 0.0)) j++;
  r->squeezed = (eli_squeeze){j, -1, 0.0, 0.0};
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL; effect = eli_next_effect(world, effect)) {
    const wall *other = elastica_effect_get(effect).self;
    if (!eli_effect_is(effect, &eli_rigid_obstacle) || other == r->wall || !elastica_effect_get(effect).is_enabled) continue;
    if (record_of(other, rod->rod_index) == NULL || eli_prescribed_now(&other->place, now->time, now->is_frozen, &place) != ELASTICA_OK)
      continue;
    if (lacks_room(r, rod, j, other, &place, elastica_effect_get(effect).index)) break;
  }
  return ELASTICA_UNSTABLE_STEP;
}

/* Writes the reason of a failed step as a sentence without its end. */
static void explain_squeeze(const eli_squeeze *of, const elastica_rod_view *rod, elastica_shape shape, char *text, size_t size) {
  char body[80];
  if (rod->rigid)
    snprintf(body, sizeof body, "rod %d, a rigid body,", rod->rod_index);
  else
    snprintf(body, sizeof body, "rod %d, element %d", rod->rod_index, of->element);
  if (of->effect >= 0)
    snprintf(text, size, "%s has %.6g m between this wall and that of effect %d, and needs %.6g m", body, of->space, of->effect, of->width);
  else
    snprintf(text, size, "%s would pass through the %s", body, eli_shape_name(shape));
}

static void explain(void *self, const elastica_rod_view *rod, char *text, size_t size) {
  const wall *w = self;
  explain_squeeze(&record_of(w, rod->rod_index)->squeezed, rod, w->obstacle.shape, text, size);
}

static elastica_status press(const wall *w, record *r, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const eli_wall_contact *c = &r->contact;
  eli_placement place;
  const elastica_status status = eli_prescribed_now(&w->place, now->time, now->is_frozen, &place);
  if (status != ELASTICA_OK) return status;
  note_step(r, now, &place);
  if (!c->flat) eli_obstacle_distances(&w->obstacle, place.position, place.director, c->count, rod->position, c->distance, c->normal);
  if (w->place.motion != NULL) move_wall(c, &place, rod);
  if (w->law.balances_nodes && w->obstacle.shape != ELASTICA_SHAPE_PLANE) find_nodes(c, &w->obstacle, &place, rod);
  const int stands = eli_is_statics(now), still = w->law.balances_nodes && stands;
  const unsigned flags = w->press(&w->law, c, rod, loads, still ? 0.0 : now->dt);
  const int steps = now->purpose == ELASTICA_PURPOSE_STEP;
  r->flags = flags & ~(unsigned)ELI_CONTACT_SUNK;
  if (flags & ELI_CONTACT_SUNK && steps) return note_sunk(r, now, rod);
  if (r->flags == 0 || r->shared == NULL || still || !w->law.balances_nodes) return ELASTICA_OK;
  earlier of = {rod, r->step, eli_is_query(now), NULL};
  eli_world_each_reaction_before(w->world, rod->rod_index, w, add_earlier, &of);
  r->before = of.last;
  if (r->before == NULL) return ELASTICA_OK;
  if (steps && is_squeezed(r, rod)) return ELASTICA_UNSTABLE_STEP;
  press_together(r, rod, loads, now->dt, w->press);
  return ELASTICA_OK;
}

/* Returns the record for a query; NULL without memory. */
static record *asked_record(const wall *w, record *r, const elastica_rod_view *rod) {
  if (r->asked != NULL) return r->asked;
  record *asked = eli_allocate(w->allocator, 1, sizeof *asked);
  if (asked == NULL) return NULL;
  *asked = (record){.rod = rod->rod_index, .step = -1, .wall = w};
  if (!create_contact(w->allocator, rod, &asked->contact)) {
    eli_release(w->allocator, asked);
    return NULL;
  }
  return r->asked = asked;
}

static elastica_status press_apart(const wall *w, record *r, const elastica_instant *now, const elastica_rod_view *rod,
                                   elastica_loads *loads) {
  record *asked = asked_record(w, r, rod);
  if (asked == NULL) return ELASTICA_OUT_OF_MEMORY;
  asked->shared = r->shared;
  set_lanes(w, &asked->contact);
  return press(w, asked, now, rod, loads);
}

static elastica_status add_reactions(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  wall *w = self;
  const int asked = eli_is_query(now);
  record *r = record_of(w, now->rod_index);
  assert(r != NULL); /* the hook is called only for rods with a record */
  if (rod->rigid) return press_body(w, r, now, rod, loads, asked);
  return asked ? press_apart(w, r, now, rod, loads) : press(w, r, now, rod, loads);
}

/* The step becomes 0.8 of the limit. */
static elastica_status bound_body(const wall *w, const elastica_instant *now, const elastica_rod_view *body,
                                  const elastica_stiffness *stiffness) {
  const record *r = record_of(w, body->rod_index);
  eli_placement place;
  const elastica_status status = eli_prescribed_now(&w->place, now->time, now->is_frozen, &place);
  if (status != ELASTICA_OK || r == NULL) return status;
  const double rate = 1.6 / step_of_body(w, now, &place, &r->shape, body, NULL);
  stiffness->node[0] += rate * rate * body->mass[0];
  return ELASTICA_OK;
}

/* The spring of an element acts on the mean of its nodes: k/4 (1 1; 1 1), k/2 for each by Gershgorin. Elements without contact have the
 * bound too: they may come into contact before the next limit check. */
static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const wall *w = self;
  if (rod->rigid) return bound_body(w, now, rod, stiffness);
  if (w->law.balances_nodes) return ELASTICA_OK;
  for (int j = 0; j < rod->element_count; j++) {
    const int next = rod->closed && j + 1 == rod->element_count ? 0 : j + 1;
    stiffness->node[j] += 0.5 * w->law.stiffness;
    stiffness->node[next] += 0.5 * w->law.stiffness;
    stiffness->node_rate[j] += 0.5 * w->law.damping;
    stiffness->node_rate[next] += 0.5 * w->law.damping;
  }
  return ELASTICA_OK;
}

/* Returns the energy of the spring with the present radius; no force balances a change of the radius. A wall that balances nodes is a
 * reaction, its spring included, and has no potential. */
static double energy(void *self, double time, const elastica_rod_view *rod) {
  const wall *w = self;
  eli_placement place;
  double twice = 0.0, normal[3];
  if (eli_prescribed_at(&w->place, time, &place) != ELASTICA_OK) return eli_nan();
  for (int j = 0; j < rod->element_count && !w->law.balances_nodes; j++) {
    const double eps = elastica_rod_radius(rod, j) - distance_at(w, &place, rod, j, normal);
    if (eps > 0.0) twice += w->law.stiffness * (eps * eps);
  }
  return 0.5 * twice;
}

/* ---- Memory ---- */

/* Adds a record for a rod, so that no step allocates. */
static elastica_status add_record(wall *w, const elastica_rod_view *rod) {
  if (record_of(w, rod->rod_index) != NULL) return ELASTICA_OK;
  record *added = eli_rod_table_reserve(&w->table, rod->rod_index);
  if (added == NULL) return ELASTICA_OUT_OF_MEMORY;
  added->step = -1;
  added->wall = w;
  if (!create_contact(w->allocator, rod, &added->contact)) return ELASTICA_OUT_OF_MEMORY;
  if (rod->rigid) {
    eli_body_shape_read(elastica_world_rod(w->world, rod->rod_index), &added->shape);
    added->reactions = eli_allocate(w->allocator, 2, sizeof *added->reactions);
    if (added->reactions == NULL) {
      destroy_contact(w->allocator, &added->contact);
      return ELASTICA_OUT_OF_MEMORY;
    }
    memset(added->reactions, 0, 2 * sizeof *added->reactions);
  }
  added->rod = rod->rod_index;
  set_lanes(w, &added->contact);
  return ELASTICA_OK;
}

static void free_record(const wall *w, record *r) {
  if (r == NULL || r->rod < 0) return;
  destroy_contact(w->allocator, &r->contact);
  if (r->asked != NULL) destroy_contact(w->allocator, &r->asked->contact);
  eli_release(w->allocator, r->asked);
  eli_release(w->allocator, r->shared);
  eli_release(w->allocator, r->reactions);
  r->rod = -1;
}

static void forget_rod(void *self, const elastica_rod_view *rod) {
  free_record(self, record_of(self, rod->rod_index));
}

static void destroy(void *self) {
  wall *w = self;
  const eli_allocator *allocator = w->allocator;
  for (int k = 0; k < w->table.count; k++) free_record(w, eli_rod_table_at(&w->table, k));
  eli_rod_table_release(&w->table);
  eli_release(allocator, w);
}

/* ---- Clearance ---- */

/* Checks the gaps between walls: moving walls may close on a rod, but walls at rest must leave a gap for it. self: the wall w as an effect,
 * to be skipped. */
static elastica_status check_gaps(const wall *w, const void *self, const eli_body *body, const elastica_rod_view *view,
                                  const char *function) {
  if (w->place.motion != NULL) return ELASTICA_OK;
  for (elastica_effect *effect = eli_next_effect(w->world, NULL); effect != NULL; effect = eli_next_effect(w->world, effect)) {
    const elastica_rod *on = elastica_effect_get(effect).rod;
    const wall *other = elastica_effect_get(effect).self;
    if (!eli_effect_is(effect, &eli_rigid_obstacle) || other == self || other->place.motion != NULL ||
        !elastica_effect_get(effect).is_enabled)
      continue;
    if (on != NULL && elastica_rod_get_view(on)->rod_index != view->rod_index) continue;
    eli_body second = {.obstacle = other->obstacle};
    double gap;
    if (eli_prescribed_at(&other->place, 0.0, &second.place) != ELASTICA_OK) continue;
    const int j = eli_clearance_between(body, &second, view, &gap);
    if (j >= 0)
      return elastica_world_refuse(
          w->world, ELASTICA_INVALID_ARGUMENT,
          "%s: between the obstacle and that of effect %d there is a gap of %g at element %d of rod %d, whose radius is %g", function,
          elastica_effect_get(effect).index, gap, j, view->rod_index, elastica_rod_radius(view, j));
  }
  return ELASTICA_OK;
}

/* Refuses a rod that starts inside: it would be pushed out on the nearest side. failed: the status where the motion fails; alone: gaps to
 * other walls are not checked. */
static elastica_status check_clearance(const wall *w, const void *self, const elastica_rod_view *view, const char *function,
                                       elastica_status failed, int alone) {
  const double time = elastica_world_get(w->world).time;
  elastica_status status = view->rigid ? eli_body_check(w->world, function, view->rod_index, &w->obstacle, &w->law) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  eli_body body = {.obstacle = w->obstacle};
  double depth;
  if (eli_prescribed_at(&w->place, time, &body.place) != ELASTICA_OK)
    return elastica_world_refuse(w->world, failed, "%s: obstacle_def.motion fails at t = %.9g s: %s", function, time,
                                 eli_world_reason(w->world));
  const int j = eli_clearance_inside(&body, view, &depth);
  if (j >= 0)
    return elastica_world_refuse(w->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: the centre of element %d of rod %d is inside the obstacle, %g m below its surface", function, j,
                                 view->rod_index, depth);
  return alone || view->rigid ? ELASTICA_OK : check_gaps(w, self, &body, view, function);
}

static int has_other_wall(const wall *w, const elastica_rod_view *rod) {
  for (elastica_effect *effect = eli_next_effect(w->world, NULL); effect != NULL; effect = eli_next_effect(w->world, effect)) {
    const elastica_rod *on = elastica_effect_get(effect).rod;
    if (eli_effect_is(effect, &eli_rigid_obstacle) && elastica_effect_get(effect).self != w &&
        (on == NULL || elastica_rod_get_view(on)->rod_index == rod->rod_index))
      return 1;
  }
  return 0;
}

/* Checks rods that were added later; and any rod, because it may be inside after its state was set or the wall was switched on. */
static elastica_status prepare(void *self, const elastica_rod_view *rod, elastica_preparation *preparation) {
  wall *w = self;
  const int known = record_of(w, rod->rod_index) != NULL;
  (void)preparation;
  elastica_status status =
      eli_world_is_loading(w->world) ? ELASTICA_OK : check_clearance(w, w, rod, "prepare", ELASTICA_CALLBACK_FAILED, known);
  if (status == ELASTICA_OK) status = add_record(w, rod);
  if (status != ELASTICA_OK || rod->rigid || !has_other_wall(w, rod)) return status;
  return reserve_shared(w, record_of(w, rod->rod_index), rod);
}

/* ---- From a definition ---- */

/* Reads the friction of a definition; the forward direction of the law is towards node 0. */
static elastica_status read_friction(elastica_world *world, const elastica_obstacle_def *def, eli_friction *friction) {
  static const char *const directions[3] = {"forward", "backward", "sideways"};
  const double *at_rest = def->static_friction, *moving = def->kinetic_friction;
  for (int k = 0; k < 3; k++)
    if (moving[k] > at_rest[k])
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                   "obstacle_def.kinetic_friction[%d], %s, is above its static friction: %g > %g", k, directions[k],
                                   moving[k], at_rest[k]);
  const int forward = def->head == ELASTICA_END_FIRST ? 0 : 1, backward = 1 - forward;
  *friction = (eli_friction){.acts = eli_largest(at_rest) > 0.0,
                             .static_forward = at_rest[forward],
                             .static_backward = at_rest[backward],
                             .static_across = at_rest[2],
                             .kinetic_forward = moving[forward],
                             .kinetic_backward = moving[backward],
                             .kinetic_across = moving[2],
                             .elliptic = def->friction_limit == ELASTICA_FRICTION_ELLIPTIC};
  if (!friction->acts) return ELASTICA_OK;
  friction->fade = 2.0 / def->slip_velocity;
  return eli_check_numbers(world, "obstacle_def.slip_velocity", ELI_RULE_POSITIVE | ELI_RULE_REQUIRED, &def->slip_velocity, 1);
}

/* Computes the parameters of the effect from a definition with valid fields; refuses fields that contradict each other, by name. */
static elastica_status read_def(wall *w) {
  elastica_obstacle_def *def = &w->def;
  elastica_status status =
      eli_check_numbers(w->world, "obstacle_def.stiffness", ELI_RULE_NOT_NEGATIVE | ELI_RULE_REQUIRED, &def->stiffness, 1);
  if (status == ELASTICA_OK) status = eli_obstacle_read(w->world, def, &w->obstacle, &w->place);
  if (status == ELASTICA_OK) status = read_friction(w->world, def, &w->law.friction);
  w->law.stiffness = def->stiffness;
  w->law.damping = def->damping;
  w->law.reach = 1.0 + def->tolerance;
  w->law.balances_nodes = def->balance == ELASTICA_BALANCE_NODES;
  return status;
}

/* Visits the records of the last step. */
static void each_history(void *own, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  const wall *w = own;
  for (int k = 0; k < w->table.count; k++) {
    record *r = eli_rod_table_at(&w->table, k);
    if (r->rod < 0) continue;
    visit(context, &r->step, sizeof r->step);
    visit(context, &r->flags, sizeof r->flags);
    visit(context, r->place, sizeof r->place);
    visit_loads(&r->contact, visit, context);
  }
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  wall *w = self;
  w->world = request->world;
  w->allocator = eli_world_allocator(request->world);
  w->press = eli_world_kernels(request->world)->press_wall;
  w->table = eli_rod_table_of(request->world, sizeof(record), request->rod != NULL);
  w->def = *(const elastica_obstacle_def *)given;
  elastica_status status = eli_obstacle_check_kind(request, &w->def, ELASTICA_OBSTACLE_RIGID);
  if (status == ELASTICA_OK) status = read_def(w);
  for (elastica_rod *rod = NULL; status == ELASTICA_OK && (rod = eli_next_rod_of(request->world, request->rod, rod)) != NULL;)
    status = check_clearance(w, request->old, elastica_rod_get_view(rod), request->function, ELASTICA_INVALID_ARGUMENT, 0);
  module->parallel_safe = w->place.motion == NULL;
  module->needs_geometry = 0;
  module->prepare = prepare;
  module->add_reactions = add_reactions;
  module->add_stiffness = add_stiffness;
  module->energy = energy;
  module->destroy = destroy;
  module->reads_lengths = 2;
  module->forget_rod = forget_rod;
  module->explain = explain;
  module->each_history = each_history;
  return status;
}

/* Creates the wall with a record for each present rod. */
static void *create(const eli_request *request, const void *self) {
  const wall *described = self;
  elastica_status status = ELASTICA_OK;
  wall *w = eli_allocate(described->allocator, 1, sizeof *w);
  if (w == NULL) return NULL;
  *w = *described;
  for (elastica_rod *rod = NULL; status == ELASTICA_OK && (rod = eli_next_rod_of(w->world, request->rod, rod)) != NULL;)
    status = add_record(w, elastica_rod_get_view(rod));
  if (status == ELASTICA_OK) return w;
  destroy(w);
  return NULL;
}

/* Sets all lanes after a change of the place, the obstacle or the law. */
static void set_all_lanes(const wall *w) {
  for (int k = 0; k < w->table.count; k++) {
    record *r = eli_rod_table_at(&w->table, k);
    if (r->rod >= 0) set_lanes(w, &r->contact);
  }
}

static void apply(void *own, const void *self) {
  const wall *described = self;
  wall *w = own;
  w->def = described->def;
  w->place = described->place;
  w->obstacle = described->obstacle;
  w->law = described->law;
  set_all_lanes(w);
}

static void forget_step(void *self, const elastica_rod_view *rod) {
  record *r = record_of(self, rod->rod_index);
  if (r == NULL) return;
  r->step = -1;
  r->flags = 0;
}

/* ---- In a snapshot ---- */

static void function_of(void *own, eli_function *of, int set) {
  wall *w = own;
  eli_def_function(&eli_obstacle_layout, &w->def, of, set);
  if (!set) return;
  eli_prescribed_function(&w->place, of, set);
  set_all_lanes(w);
}

/* Keeps the load on one rod in the last step for elastica_obstacle_get_force; r NULL: there is no record yet. */
static void keep_record(record *r, const elastica_rod_view *rod, eli_record *in) {
  record none = {.step = -1}, *of = r != NULL ? r : &none;
  int flags = (int)of->flags;
  eli_record_long(in, "step", &of->step, -1, LONG_MAX - 1);
  eli_record_int(in, "contact", &flags, 0, ELI_CONTACT_TOUCHES | ELI_CONTACT_TURNS);
  eli_record_doubles(in, of->place, 3);
  of->flags = (unsigned)flags;
  keep_loads(&of->contact, rod->element_count, in);
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *in, elastica_module *module) {
  wall *w = own;
  wall kept = *w;
  elastica_rod *const alone = rod != NULL ? elastica_world_rod(w->world, rod->rod_index) : NULL;
  eli_record_same_choice(in, "kind", ELASTICA_OBSTACLE_RIGID, eli_obstacle_kinds, ELI_OBSTACLE_KINDS);
  if (in->use == ELI_RECORD_CHECK) {
    eli_def_peek(&eli_obstacle_layout, &kept.def, rod, in);
    if (read_def(&kept) != ELASTICA_OK) eli_record_blame(in, "definition", 0);
  }
  eli_def_keep(&eli_obstacle_layout, &w->def, rod, in);
  if (in->use == ELI_RECORD_READ) {
    (void)read_def(w); /* it was checked */
    module->parallel_safe = w->place.motion == NULL;
    set_all_lanes(w);
  }
  for (elastica_rod *on = NULL; (on = eli_next_rod_of(w->world, alone, on)) != NULL;)
    keep_record(record_of(w, elastica_rod_get_view(on)->rod_index), elastica_rod_get_view(on), in);
}

static elastica_status stands(const void *self, double time, eli_body *out) {
  const wall *w = self;
  out->obstacle = w->obstacle;
  return eli_prescribed_at(&w->place, time, &out->place);
}

static const eli_prescribed *prescribed_of(const void *self) {
  return &((const wall *)self)->place;
}

const eli_built_in eli_rigid_obstacle = {.prescribed = prescribed_of,
                                         .name = "obstacle",
                                         .stands = stands,
                                         .layout = &eli_obstacle_layout,
                                         .every_rod = 1,
                                         .rigid_bodies = 1,
                                         .self_size = ELI_SELF_SIZE(wall),
                                         .describe = describe,
                                         .create = create,
                                         .apply = apply,
                                         .keep = keep,
                                         .function = function_of,
                                         .forget_step = forget_step};

/* ---- The force on the wall ---- */

void eli_rigid_obstacle_force(elastica_effect *effect, double force[3], double couple[3]) {
  const wall *w = elastica_effect_get(effect).self;
  elastica_rod *const alone = elastica_effect_get(effect).rod;
  for (elastica_rod *rod = NULL; (rod = eli_next_rod_of(w->world, alone, rod)) != NULL;) {
    const record *r = record_of(w, elastica_rod_get_view(rod)->rod_index);
    if (r != NULL && r->step + 1 == elastica_world_get(w->world).step_count && r->flags & ELI_CONTACT_TOUCHES)
      subtract_loads(&r->contact, r->place, (r->flags & ELI_CONTACT_TURNS) != 0, force, couple);
  }
}

/* ---- Reactions in the last query of loads ---- */

static void visit_body(const record *r, const elastica_rod_view *body, void (*visit)(void *context, const eli_reaction *reaction),
                       void *context) {
  const eli_body_reactions *asked = r->reactions + 1;
  for (int p = 0; p < asked->count; p++) {
    const eli_body_point *at = &asked->point[p];
    eli_reaction reaction = {.node = 0};
    for (int a = 0; a < 3; a++) {
      reaction.point[a] = body->position[a][0] + at->arm[a];
      reaction.normal[a] = at->normal[a];
      reaction.force[a] = at->reaction * at->normal[a] + at->friction[0] * at->across[0][a] + at->friction[1] * at->across[1][a];
    }
    visit(context, &reaction);
  }
}

void eli_rigid_obstacle_reactions(const elastica_effect *effect, const elastica_rod_view *rod,
                                  void (*visit)(void *context, const eli_reaction *reaction), void *context) {
  const wall *w = elastica_effect_get(effect).self;
  const record *r = record_of(w, rod->rod_index);
  if (r == NULL) return;
  if (rod->rigid) {
    visit_body(r, rod, visit, context);
    return;
  }
  const record *asked = r->asked;
  for (int i = 0; i < rod->node_count && asked != NULL && asked->flags & ELI_CONTACT_TOUCHES; i++) {
    eli_reaction reaction = {.node = i};
    double node[3];
    for (int a = 0; a < 3; a++) node[a] = rod->position[a][i], reaction.force[a] = asked->contact.force[a][i];
    if (eli_dot(reaction.force, reaction.force) == 0.0) continue;
    const double distance = eli_obstacle_distance(&w->obstacle, asked->at.position, asked->at.director, node, reaction.normal);
    for (int a = 0; a < 3; a++) reaction.point[a] = node[a] - distance * reaction.normal[a];
    visit(context, &reaction);
  }
}

/* Returns 1 if a point at half or an end of an element is nearer to the wall than the law reaches. */
static int is_near(const wall *w, const eli_placement *place, const elastica_rod_view *rod, int first, int second, double radius) {
  double point[3], normal[3];
  for (int a = 0; a < 3; a++) point[a] = 0.5 * (rod->position[a][first] + rod->position[a][second]);
  return eli_obstacle_distance(&w->obstacle, place->position, place->director, point, normal) < w->law.reach * radius;
}

int eli_rigid_obstacle_touches(const elastica_effect *effect, const eli_placement *place, const elastica_rod_view *rod, int element) {
  const wall *w = elastica_effect_get(effect).self;
  const int next = element + 1 < rod->node_count ? element + 1 : 0;
  if (!w->law.balances_nodes) return is_near(w, place, rod, element, next, elastica_rod_radius(rod, element));
  const double radius = eli_radius(rod->volume[element], rod->rest_length[element]);
  return is_near(w, place, rod, element, element, radius) || is_near(w, place, rod, next, next, radius);
}

const eli_wall_law *eli_rigid_obstacle_law(const elastica_effect *effect) {
  return &((const wall *)elastica_effect_get(effect).self)->law;
}
