/* Self-contact: elements of one rod push each other apart where they overlap.
 *
 * models     a rod that cannot pass through itself: a spring and a damper between the closest points of each pair of elements
 * equation   (4.6) d_min = least distance of the two segments, d the unit vector from i to j;  eps = r_i + r_j - d_min
 *            (4.7) F_i = -f d, F_j = f d for eps > 0, with f = k eps + gamma (v_i - v_j) . d, or 0 where that is negative
 * source     Gazzola et al. 2018, section 4.1.2 (the max in (4.6) is a min)
 * parameters stiffness k [N/m], damping gamma [kg/s], skip_length [m], skin [m]
 * conserves  linear and angular momentum; energy with the potential sum k eps^2/2, less what the damper takes, as long as radii stay as they are:
 *            (4.7) has no axial force that would do the work of overlapping elements that grow thicker as they get shorter
 * test       tests/test_self_contact.c
 *
 * Each element hands its force to its nodes by the rule of the lever, with the velocity of the same point in the damper: the two nodes then feel
 * exactly the moment of a force at the closest point, and since both forces lie on the line between the closest points, angular momentum is
 * conserved without a couple on the frames. The damper may weaken the spring but not turn it around: bodies that part do not stick.
 *
 * Only pairs that are far apart along the rod count: a rod bent to the tightest ring that its radius allows has points half a turn apart at a
 * distance of 2 r; nearer ones cannot help overlapping. The rule is one of rest lengths and rest radii, so that it does not change as the rod moves.
 *
 * The list of near pairs is a cache. begin_step makes it anew, where nodes will be in the middle of the step, when some have moved by half the
 * skin, or an element has become so much shorter, hence thicker, that a pair could be missing. A pair's force depends on the present state
 * alone, pairs are walked in the order of their elements, and those without overlap add nothing: no bit depends on the list.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/checks.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "contact/broad_phase.h"
#include "contact/outlook.h"
#include "contact/segment.h"

#include <math.h>

static const char name[] = "self_contact";

/* What a definition of an older caller may end with. */
#define FIELD(field) ELI_FIELD(elastica_self_contact_def, field)
static const eli_field fields[] = {FIELD(struct_size), FIELD(stiffness), FIELD(damping), FIELD(skip_length), FIELD(skin)};
#undef FIELD
static const eli_layout layout = ELI_LAYOUT("self_contact_def", elastica_self_contact_def, fields);

/* Pairs that the step limit counts in any case lie closer than this, in rest radii; prescribed motion may leave its tangent by as much in half a
 * step before the list misses it. */
#define MARGIN 0.05

/* The furthest that the step limit looks ahead for pairs that approach, in lengths of the longest element: what two that meet at twice the speed of
 * sound in the rod come closer until the next look. */
#define FURTHEST 200.0

/* 1/sqrt(ELI_WATCH_SHRINKAGE): how much thicker an element may have become before the watch calls. */
#define THICKER 1.0540925533894598

typedef struct self_contact {
  double stiffness, damping;
  double skip_length; /* NaN: by the radii */
  double skin;

  elastica_world *world;
  eli_allocator allocator;
  int element_count, closed;
  double largest_radius, longest; /* rest radius, rest length */
  double *rest_radius;            /* element_count */
  double *arc;                    /* rest length before each element, element_count + 1 */
  double *centre[3], *sphere;     /* of the elements as the list was made */
  double *thickness;              /* radius of the elements as the list was made, and as much as it may grow */
  double *radius;                 /* of the elements at present */
  eli_watch watch;
  eli_pairs pairs;
  double reach; /* the list has all pairs that were closer than this to touching */
  long list_build_count;
  double *memory;
} self_contact;

/* ---- The list ---- */

static int may_touch(const self_contact *contact, int i, int j) {
  const int n = contact->element_count;
  if (j == i + 1 || (contact->closed && i == 0 && j == n - 1)) return 0;
  double between = contact->arc[j] - contact->arc[i + 1];
  if (contact->closed) {
    const double around = contact->arc[n] - (contact->arc[j + 1] - contact->arc[i]);
    if (around < between) between = around;
  }
  const double skip = contact->skip_length;
  return between >= (eli_is_nan(skip) ? 0.5 * ELI_PI * (contact->rest_radius[i] + contact->rest_radius[j]) : skip);
}

static int is_near(void *self, int i, int j) {
  const self_contact *contact = self;
  double *const *x = contact->watch.position;
  eli_closest closest;
  if (!may_touch(contact, i, j)) return 0;
  const double p[2][3] = {{x[0][i], x[1][i], x[2][i]}, {x[0][i + 1], x[1][i + 1], x[2][i + 1]}};
  const double q[2][3] = {{x[0][j], x[1][j], x[2][j]}, {x[0][j + 1], x[1][j + 1], x[2][j + 1]}};
  eli_segment_closest(p[0], p[1], q[0], q[1], &closest);
  return closest.distance <= contact->thickness[i] + contact->thickness[j] + contact->reach;
}

/* Sees to it that the list has every pair that is closer than need to touching when the nodes are at position + ahead velocity. 0 when memory
 * runs out. */
static int cover(self_contact *contact, const elastica_rod_view *rod, double ahead, double need) {
  if (!eli_watch_calls(&contact->watch, rod->position, rod->velocity, ahead, 0.5 * (contact->reach - need))) return 1;
  const double *const *x = (const double *const *)contact->watch.position;
  contact->reach = need + contact->skin;
  contact->list_build_count++;
  eli_watch_set(&contact->watch, rod->position, rod->velocity, ahead);
  for (int j = 0; j < contact->element_count; j++) {
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
      const double edge = x[a][j + 1] - x[a][j];
      square += edge * edge;
      contact->centre[a][j] = x[a][j] + 0.5 * edge;
    }
    const double length = sqrt(square);
    contact->thickness[j] = THICKER * sqrt(rod->volume[j] / (ELI_PI * length));
    contact->sphere[j] = 0.5 * (length + contact->reach) + contact->thickness[j];
  }
  const eli_spheres spheres = {contact->element_count, {contact->centre[0], contact->centre[1], contact->centre[2]}, contact->sphere};
  if (eli_pairs_find(&contact->pairs, &spheres, is_near, contact)) return 1;
  contact->watch.set = 0;
  return 0;
}

/* ---- One pair at the present state ---- */

typedef struct pair {
  int i, j;
  double overlap;  /* eps [m]; negative: a gap */
  double s, t;     /* closest points of i and j */
  double d[3];     /* from i to j */
  double distance; /* [m] */
} pair;

/* Makes the present radii known to measure; returns the number of pairs to walk. */
static size_t look_at_pairs(self_contact *contact, const elastica_rod_view *rod) {
  if (contact->pairs.count == 0) return 0;
  for (int j = 0; j < contact->element_count; j++) contact->radius[j] = sqrt(rod->volume[j] / (ELI_PI * rod->length[j]));
  return contact->pairs.count;
}

/* 1 when the slab across the line between the middles that holds neither element is wider than reach: far enough, and no closest points needed.
 * It is off by l^2/(8 r) for elements side by side, so that few pairs that do not touch get past it. */
static inline int stand_apart(const double p0[3], const double p1[3], const double q0[3], const double q1[3], double reach) {
  double square = 0.0, first = 0.0, second = 0.0; /* of twice the vectors from middle to middle and along the elements' halves */
  for (int a = 0; a < 3; a++) {
    const double apart = (q0[a] + q1[a]) - (p0[a] + p1[a]);
    square += apart * apart;
    first += apart * (p1[a] - p0[a]);
    second += apart * (q1[a] - q0[a]);
  }
  const double width = square - (fabs(first) + fabs(second)), least = 2.0 * reach * (1.0 + 1e-12);
  return width > 0.0 && width * width > least * least * square;
}

static inline void node(const double *const lane[3], int i, double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = lane[a][i];
}

/* 0 when the elements are further than margin from touching. */
static int measure(const self_contact *contact, const elastica_rod_view *rod, size_t k, double margin, pair *out) {
  const int i = eli_pair_first(contact->pairs.keys[k]), j = eli_pair_second(contact->pairs.keys[k]);
  const double touching = contact->radius[i] + contact->radius[j];
  double p0[3], p1[3], q0[3], q1[3];
  node(rod->position, i, p0);
  node(rod->position, i + 1, p1);
  node(rod->position, j, q0);
  node(rod->position, j + 1, q1);
  if (stand_apart(p0, p1, q0, q1, touching + margin)) return 0;
  eli_closest closest;
  eli_segment_closest(p0, p1, q0, q1, &closest);
  out->i = i;
  out->j = j;
  out->overlap = touching - closest.distance;
  out->s = closest.s;
  out->t = closest.t;
  out->distance = closest.distance;
  for (int a = 0; a < 3; a++) out->d[a] = closest.direction[a];
  return out->overlap > -margin;
}

/* (v_i - v_j) . d of the closest points. */
static double approach(const elastica_rod_view *rod, const pair *p) {
  double sum = 0.0;
  for (int a = 0; a < 3; a++) {
    const double *v = rod->velocity[a];
    const double first = (1.0 - p->s) * v[p->i] + p->s * v[p->i + 1], second = (1.0 - p->t) * v[p->j] + p->t * v[p->j + 1];
    sum += (first - second) * p->d[a];
  }
  return sum;
}

/* (4.7) f >= 0 [N] */
static double force_of(const self_contact *contact, const elastica_rod_view *rod, const pair *p) {
  double force = contact->stiffness * p->overlap;
  if (contact->damping > 0.0) force += contact->damping * approach(rod, p);
  return force > 0.0 ? force : 0.0;
}

/* ---- Hooks ---- */

static elastica_status begin_step(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  self_contact *contact = self;
  return cover(contact, rod, 0.5 * now->dt, MARGIN * contact->largest_radius) ? ELASTICA_OK : ELASTICA_OUT_OF_MEMORY;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  self_contact *contact = self;
  const size_t count = look_at_pairs(contact, rod);
  (void)now;
  for (size_t k = 0; k < count; k++) {
    pair p;
    if (!measure(contact, rod, k, 0.0, &p)) continue;
    const double f = force_of(contact, rod, &p);
    for (int a = 0; a < 3; a++) {
      const double push = f * p.d[a];
      double *force = loads->force[a];
      force[p.i] -= (1.0 - p.s) * push;
      force[p.i + 1] -= p.s * push;
      force[p.j] += (1.0 - p.t) * push;
      force[p.j + 1] += p.t * push;
    }
  }
  return ELASTICA_OK;
}

/* ---- The step limit ----
 *
 * With w = ((1 - s) d, s d, -(1 - t) d, -t d) a pair adds k w w^T + k eps (turning of d). By Gershgorin the first is at most 2 k |w_a| at each
 * node, the damper's 2 gamma |w_a|. Turning of d softens, but for crossed elements that follow each other's closest point: 2 k eps distance/l^2.
 * Elements side by side exchange their closest ends at the slightest turn: that has no slope and cannot be bounded; it is a kink, not a
 * growing motion.
 * Until the next look a gap closes and a closest point moves by at most the relative speed times the time, and 64 steps take no longer than 64
 * of the longest that axial waves allow. */

/* The largest speed of a point of one element relative to one of the other. */
static double relative_speed(const elastica_rod_view *rod, const pair *p) {
  double largest = 0.0;
  for (int k = 0; k < 4; k++) {
    const int i = p->i + k / 2, j = p->j + k % 2;
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
      const double v = rod->velocity[a][i] - rod->velocity[a][j];
      square += v * v;
    }
    if (square > largest) largest = square;
  }
  return sqrt(largest);
}

static inline double at_most_one(double x) {
  return x < 1.0 ? x : 1.0;
}

/* The shares of the nodes of element j, whose closest point is at s and may move by slide. */
static void stiffen(const self_contact *contact, const elastica_rod_view *rod, int j, double s, double moved, const pair *p,
                    elastica_stiffness *stiffness) {
  const double k = contact->stiffness, length = rod->length[j], slide = moved / length;
  const double first = at_most_one(1.0 - s + slide), second = at_most_one(s + slide);
  const double turning = p->overlap > 0.0 ? 2.0 * k * p->overlap * p->distance / (length * length) : 0.0;
  stiffness->node[j] += 2.0 * k * first + turning;
  stiffness->node[j + 1] += 2.0 * k * second + turning;
  stiffness->node_rate[j] += 2.0 * contact->damping * first;
  stiffness->node_rate[j + 1] += 2.0 * contact->damping * second;
}

static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  self_contact *contact = self;
  const double margin = MARGIN * contact->largest_radius, furthest = FURTHEST * contact->longest, time = eli_outlook_time(rod);
  double need = margin + 2.0 * time * eli_outlook_speed(rod);
  (void)now;
  if (!(need < furthest)) need = furthest;
  if (!cover(contact, rod, 0.0, need)) return ELASTICA_OUT_OF_MEMORY;
  const size_t count = look_at_pairs(contact, rod);
  for (size_t k = 0; k < count; k++) {
    pair p;
    if (!measure(contact, rod, k, need, &p)) continue;
    const double moved = time * relative_speed(rod, &p);
    if (p.overlap < -(margin + moved)) continue;
    stiffen(contact, rod, p.i, p.s, moved, &p, stiffness);
    stiffen(contact, rod, p.j, p.t, moved, &p, stiffness);
  }
  return ELASTICA_OK;
}

/* For a hook that answers with a number: there is none, and the message says why. */
static double without_memory(const self_contact *contact) {
  elastica_world_refuse(contact->world, ELASTICA_OUT_OF_MEMORY, "no memory for the list of pairs");
  return eli_nan();
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  self_contact *contact = self;
  double sum = 0.0;
  (void)time;
  if (!cover(contact, rod, 0.0, 0.0)) return without_memory(contact);
  const size_t count = look_at_pairs(contact, rod);
  for (size_t k = 0; k < count; k++) {
    pair p;
    if (measure(contact, rod, k, 0.0, &p)) sum += p.overlap * p.overlap;
  }
  return 0.5 * contact->stiffness * sum;
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  self_contact *contact = self;
  double sum = 0.0;
  (void)time;
  if (!cover(contact, rod, 0.0, 0.0)) return without_memory(contact);
  const size_t count = look_at_pairs(contact, rod);
  for (size_t k = 0; k < count; k++) {
    pair p;
    if (measure(contact, rod, k, 0.0, &p)) sum -= force_of(contact, rod, &p) * approach(rod, &p);
  }
  return sum;
}

static void destroy(void *self) {
  self_contact *contact = self;
  const eli_allocator allocator = contact->allocator;
  eli_pairs_destroy(&contact->pairs);
  eli_release(&allocator, contact->memory);
  eli_release(&allocator, contact);
}

/* ---- Adding and asking ---- */

static elastica_status read_def(elastica_world *world, const elastica_self_contact_def *given, elastica_self_contact_def *def) {
  elastica_self_contact_def_init(def, sizeof *def);
  elastica_status status = eli_def_read(world, &layout, def, given);
  if (status == ELASTICA_OK && eli_is_nan(def->stiffness))
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "self_contact_def.stiffness is not set");
  if (status == ELASTICA_OK) status = eli_check_not_negative(world, "self_contact_def.stiffness", def->stiffness);
  if (status == ELASTICA_OK) status = eli_check_not_negative(world, "self_contact_def.damping", def->damping);
  if (status == ELASTICA_OK && !eli_is_nan(def->skip_length))
    status = eli_check_not_negative(world, "self_contact_def.skip_length", def->skip_length);
  if (status == ELASTICA_OK && !eli_is_nan(def->skin)) status = eli_check_not_negative(world, "self_contact_def.skin", def->skin);
  return status;
}

/* The list is made anew: other pairs may count now. */
static void apply(self_contact *contact, const elastica_self_contact_def *def) {
  contact->stiffness = def->stiffness;
  contact->damping = def->damping;
  contact->skip_length = def->skip_length;
  contact->skin = eli_is_nan(def->skin) ? 0.25 * contact->largest_radius : def->skin;
  contact->watch.set = 0;
}

/* With room for what a rod with a loop or two needs, so that a step seldom asks for more; NULL when there is no memory. */
static self_contact *create(const eli_allocator *allocator, const elastica_rod_view *rod) {
  const size_t n = (size_t)rod->element_count;
  self_contact *contact = eli_allocate(allocator, 1, sizeof *contact);
  if (contact == NULL) return NULL;
  contact->allocator = *allocator;
  contact->element_count = rod->element_count;
  contact->closed = rod->closed;
  eli_pairs_init(&contact->pairs, allocator);
  contact->memory = eli_allocate(allocator, 8 * n + 1 + eli_watch_size(rod->element_count), sizeof(double));
  if (contact->memory == NULL || !eli_pairs_reserve(&contact->pairs, n, 8 * n)) {
    destroy(contact);
    return NULL;
  }
  double *free_memory = contact->memory;
  for (int a = 0; a < 3; a++, free_memory += n) contact->centre[a] = free_memory;
  contact->sphere = free_memory;
  contact->thickness = contact->sphere + n;
  contact->radius = contact->thickness + n;
  contact->rest_radius = contact->radius + n;
  contact->arc = contact->rest_radius + n;
  eli_watch_init(&contact->watch, rod->element_count, rod->closed, contact->arc + n + 1);
  for (size_t j = 0; j < n; j++) {
    const double radius = sqrt(rod->volume[j] / (ELI_PI * rod->rest_length[j]));
    contact->rest_radius[j] = radius;
    if (radius > contact->largest_radius) contact->largest_radius = radius;
    if (rod->rest_length[j] > contact->longest) contact->longest = rod->rest_length[j];
    contact->arc[j + 1] = contact->arc[j] + rod->rest_length[j];
  }
  return contact;
}

static void describe(elastica_module *module, self_contact *contact) {
  const eli_allocator plain = eli_allocator_default();
  elastica_module_init(module, sizeof *module);
  module->name = name;
  module->self = contact;                                                /* borrowed: lists are no state, and have no place in a copy */
  module->parallel_safe = contact->allocator.allocate == plain.allocate; /* malloc may be called from any thread; a caller's own may not */
  module->needs_derived = 0;
  module->begin_step = begin_step;
  module->add_loads = add_loads;
  module->add_stiffness = add_stiffness;
  module->energy = energy;
  module->power = power;
  module->destroy = destroy;
}

void elastica_self_contact_def_init(elastica_self_contact_def *def, size_t size) {
  const elastica_self_contact_def defaults = {.struct_size = size, .stiffness = eli_nan(), .skip_length = eli_nan(), .skin = eli_nan()};
  eli_def_write(def, size, &defaults, sizeof defaults);
}

elastica_status elastica_add_self_contact(elastica_world *world, elastica_rod *rod, const elastica_self_contact_def *def,
                                          elastica_effect **out) {
  elastica_self_contact_def read;
  elastica_module module;
  if (out != NULL) *out = NULL;
  elastica_status status = eli_check_add(world, rod, def, "add_self_contact");
  if (status == ELASTICA_OK) status = read_def(world, def, &read);
  if (status != ELASTICA_OK) return status;
  self_contact *contact = create(eli_world_allocator(world), elastica_rod_get_view(rod));
  if (contact == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "add_self_contact: no memory for the list of pairs");
  contact->world = world;
  apply(contact, &read);
  describe(&module, contact);
  return eli_add_owned(world, rod, &module, "add_self_contact", out);
}

elastica_status elastica_self_contact_set(elastica_effect *effect, const elastica_self_contact_def *def) {
  elastica_self_contact_def read;
  elastica_module module;
  elastica_status status = eli_check_set(effect, def, "self_contact_set", name);
  if (status == ELASTICA_OK) status = read_def(elastica_effect_world(effect), def, &read);
  if (status != ELASTICA_OK) return status;
  self_contact *contact = elastica_effect_self(effect);
  describe(&module, contact);
  status = eli_set_effect(effect, &module, "self_contact_set"); /* refuses from inside a hook, before anything is changed */
  if (status == ELASTICA_OK) apply(contact, &read);
  return status;
}

elastica_status elastica_self_contact_get(elastica_effect *effect, elastica_self_contact_info *out) {
  elastica_status status = eli_check_effect(effect, "self_contact_get", name);
  if (status == ELASTICA_OK) status = eli_check_outside_hook(elastica_effect_world(effect), "self_contact_get");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = elastica_effect_world(effect);
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "self_contact_get: out is NULL");
  self_contact *contact = elastica_effect_self(effect);
  const elastica_rod_view *rod = elastica_rod_get_view(elastica_effect_rod(effect));
  if (!cover(contact, rod, 0.0, 0.0))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "self_contact_get: no memory for the list of pairs");
  elastica_self_contact_info info = {0, 0.0, -1, -1, 0.0, (long)contact->pairs.count, contact->list_build_count};
  const size_t count = look_at_pairs(contact, rod);
  for (size_t k = 0; k < count; k++) {
    pair p;
    if (!measure(contact, rod, k, 0.0, &p)) continue;
    const double force = force_of(contact, rod, &p);
    info.contact_count++;
    if (force > info.largest_force) info.largest_force = force;
    if (!(p.overlap > info.deepest)) continue;
    info.deepest = p.overlap;
    info.first = p.i;
    info.second = p.j;
  }
  *out = info;
  return ELASTICA_OK;
}
