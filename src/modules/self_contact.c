/* Self-contact: elements of one rod push each other apart where they overlap.
 *
 * models     a rod that cannot pass through itself: a spring and a damper between the closest points of each pair of elements
 * equation   (4.6) d_min = least distance of the two segments, d the unit vector from i to j;  eps = r_i + r_j - d_min
 *            (4.7) F_i = -f d, F_j = f d for eps > 0, with f = k eps + gamma (v_i - v_j) . d, or 0 where that is negative
 *            classical law: as r = sqrt(V/(pi l)), also the edge tension -k eps r/(2 l) in each of the two
 * source     Gazzola et al. 2018, section 4.1.2 (the max in (4.6) is a min); the edge tension is ours
 * parameters stiffness k [N/m], damping gamma [kg/s], skip_length [m], skin [m]
 * conserves  linear and angular momentum; energy with the potential sum k eps^2/2, less what the damper takes: with the classical law
 * test       tests/test_self_contact.c, tests/test_self_contact_set.c, tests/test_self_contact_energy.c, tests/test_potentials.c
 *
 * The closest points hand their force to the nodes by the rule of the lever, with the velocity of the same points in the damper. The damper
 * may weaken the spring but never makes the force attractive: bodies that separate do not stick.
 *
 * The edge tension is the derivative of the spring's energy over the lengths: an element that gets shorter gets thicker, and the overlap
 * grows. Without it undamped rods gain energy. An incompressible rod that is squeezed from the side feels the same force: it gets longer.
 * The papers' law has no such term, as it has none for e in B/e^3 and J/e: it has no potential in any case, and with the tension a strand
 * of the papers' solenoid, wound to kappa r of 0.6, slips through another. All forces lie on the line between the closest points or along
 * an edge, so angular momentum is conserved without a couple on the frames.
 *
 * Before loads are added the list of near pairs is brought up to date; while it is empty there are none. A pair's force depends on the present
 * state alone, pairs are summed in the order of their elements, and those without overlap add nothing: no bit depends on when the list was
 * built.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/module.h"
#include "contact/near_pairs.h"
#include "contact/horizon.h"
#include "contact/overlap.h"

#include <math.h>
#include <string.h>

typedef elastica_self_contact_def self_contact_def;
static const eli_field fields[] = {
    ELI_FIELD(self_contact_def, struct_size),
    ELI_NUMBERS(self_contact_def, stiffness, ELI_RULE_NOT_NEGATIVE | ELI_RULE_REQUIRED),
    ELI_NUMBERS(self_contact_def, damping, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(self_contact_def, skip_length, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(self_contact_def, skin, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
};
static const self_contact_def defaults = {.stiffness = NAN, .skip_length = NAN, .skin = NAN};
static const eli_layout layout = ELI_LAYOUT("self_contact_def", self_contact_def, fields, defaults);

/* Gap below which the step limit counts a pair in any case, in rest radii. */
#define MARGIN 0.05

/* Look-ahead cap, in lengths of the longest element: closing distance at twice the speed of sound until the next look. */
#define FURTHEST 200.0

typedef struct self_contact {
  double stiffness, damping;
  elastica_world *world;
  elastica_rod *rod;
  eli_near_pairs near;
} self_contact;

/* 0 when the gap between the elements of pair k is larger than margin [m]. */
static int find_overlap(const self_contact *contact, const elastica_rod_view *rod, size_t k, double margin, eli_overlap *out) {
  const uint64_t key = contact->near.pairs.keys[k];
  return eli_overlap_find(rod, contact->near.radius, eli_pair_first(key), eli_pair_second(key), margin, out);
}

/* (4.7) f >= 0 [N] */
static double force_of(const self_contact *contact, const elastica_rod_view *rod, const eli_overlap *o) {
  double force = contact->stiffness * o->depth;
  if (contact->damping > 0.0) force += contact->damping * eli_overlap_approach(rod, o);
  return force > 0.0 ? force : 0.0;
}

/* ---- Hooks ---- */

static int idle(void *self, const elastica_rod_view *rod) {
  self_contact *contact = self;
  return eli_near_pairs_cover(&contact->near, rod, 0.0) && contact->near.pairs.count == 0;
}

/* Follows idle, which brings the list up to date. */
static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  self_contact *contact = self;
  if (!contact->near.reference.set) return ELASTICA_OUT_OF_MEMORY;
  if (eli_world_leaves_contacts(contact->world)) return ELASTICA_OK;
  const size_t count = eli_near_pairs_update(&contact->near, rod);
  (void)now;
  for (size_t k = 0; k < count; k++) {
    eli_overlap o;
    if (!find_overlap(contact, rod, k, 0.0, &o)) continue;
    eli_overlap_add_forces(rod, &o, force_of(contact, rod, &o), contact->stiffness * o.depth, loads->force);
  }
  return ELASTICA_OK;
}

/* ---- The step limit ----
 *
 * Until the next look, a gap closes and a closest point moves by at most the relative speed times the time of the horizon
 * (contact/horizon.h). */

static void add_bounds(const self_contact *contact, const elastica_rod_view *rod, const eli_overlap *o, double moved,
                       elastica_stiffness *stiffness) {
  const double k = contact->stiffness, spring = o->depth > 0.0 ? k * o->depth : 0.0;
  eli_overlap_bounds bounds;
  eli_overlap_bound(rod, o, moved, &bounds);
  for (int a = 0; a < 4; a++) {
    const int i = o->element[a / 2] + a % 2;
    stiffness->node[i] += k * bounds.square[a] + spring * bounds.curving[a];
    stiffness->node_rate[i] += contact->damping * bounds.approach[a];
  }
}

static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  self_contact *contact = self;
  eli_near_pairs *near = &contact->near;
  const double margin = MARGIN * near->largest_radius, furthest = FURTHEST * near->longest, time = eli_horizon_time(rod);
  double need = margin + 2.0 * time * eli_horizon_speed(rod);
  (void)now;
  if (!(need < furthest)) need = furthest;
  if (!eli_near_pairs_cover(near, rod, need)) return ELASTICA_OUT_OF_MEMORY;
  const size_t count = eli_near_pairs_update(near, rod);
  for (size_t k = 0; k < count; k++) {
    eli_overlap o;
    if (!find_overlap(contact, rod, k, need, &o)) continue;
    const double moved = time * eli_overlap_speed(rod, &o);
    if (o.depth > -(margin + moved)) add_bounds(contact, rod, &o, moved, stiffness);
  }
  return ELASTICA_OK;
}

/* What a hook that returns a number returns when there is no memory. */
static double without_memory(const self_contact *contact) {
  elastica_world_refuse(contact->world, ELASTICA_OUT_OF_MEMORY, "no memory for the list of pairs");
  return eli_nan();
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  self_contact *contact = self;
  double sum = 0.0;
  (void)time;
  if (!eli_near_pairs_cover(&contact->near, rod, 0.0)) return without_memory(contact);
  const size_t count = eli_near_pairs_update(&contact->near, rod);
  for (size_t k = 0; k < count; k++) {
    eli_overlap o;
    if (find_overlap(contact, rod, k, 0.0, &o)) sum += o.depth * o.depth;
  }
  return 0.5 * contact->stiffness * sum;
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  self_contact *contact = self;
  double sum = 0.0;
  (void)time;
  if (!eli_near_pairs_cover(&contact->near, rod, 0.0)) return without_memory(contact);
  const size_t count = eli_near_pairs_update(&contact->near, rod);
  for (size_t k = 0; k < count; k++) {
    eli_overlap o;
    if (!find_overlap(contact, rod, k, 0.0, &o)) continue;
    sum -= force_of(contact, rod, &o) * eli_overlap_approach(rod, &o);
    sum -= contact->stiffness * o.depth * eli_overlap_growth(rod, &o);
  }
  return sum;
}

/* What the depth changes; not that the closest points move, nor that the edges between them turn. */
static void find_press(const self_contact *contact, const elastica_rod_view *rod, const eli_overlap *o, eli_press *out) {
  double share[12];
  memset(out, 0, sizeof *out);
  for (int side = 0; side < 2; side++) out->rod[side] = rod, out->element[side] = o->element[side];
  for (int k = 0; k < 12; k++) {
    const double at = o->share[k / 6], end = k % 6 < 3 ? 1.0 - at : at;
    share[k] = (k < 6 ? end : -end) * o->d[k % 3];
  }
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) out->stiffness[i][j] = contact->stiffness * share[i] * share[j];
}

static elastica_status press(void *self, double time, void (*visit)(void *context, const eli_press *press), void *context) {
  self_contact *contact = self;
  const elastica_rod_view *rod = elastica_rod_get_view(contact->rod);
  (void)time;
  if (!eli_near_pairs_cover(&contact->near, rod, 0.0)) return ELASTICA_OUT_OF_MEMORY;
  const size_t count = eli_near_pairs_update(&contact->near, rod);
  for (size_t k = 0; k < count; k++) {
    eli_overlap o;
    eli_press found;
    if (!find_overlap(contact, rod, k, 0.0, &o)) continue;
    find_press(contact, rod, &o, &found);
    visit(context, &found);
  }
  return ELASTICA_OK;
}

static void destroy(void *self) {
  self_contact *contact = self;
  const eli_allocator allocator = contact->near.allocator;
  eli_near_pairs_destroy(&contact->near);
  eli_release(&allocator, contact);
}

/* ---- Adding and asking ---- */

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  memcpy(self, given, sizeof(self_contact_def));
  /* malloc may be called from any thread; a caller's own may not */
  module->parallel_safe = eli_world_allocator(request->world)->allocate == eli_allocator_default().allocate;
  module->needs_geometry = 0;
  module->add_loads = add_loads;
  module->add_stiffness = add_stiffness;
  module->energy = energy;
  module->power = power;
  module->destroy = destroy;
  return ELASTICA_OK;
}

static void *create(const eli_request *request, const void *self) {
  const eli_allocator *allocator = eli_world_allocator(request->world);
  self_contact *contact = eli_allocate(allocator, 1, sizeof *contact);
  (void)self;
  if (contact == NULL) return NULL;
  contact->world = request->world;
  contact->rod = request->rod;
  if (eli_near_pairs_create(&contact->near, allocator, elastica_rod_get_view(request->rod))) return contact;
  eli_release(allocator, contact);
  return NULL;
}

static void apply(void *own, const void *self) {
  const self_contact_def *def = self;
  self_contact *contact = own;
  contact->stiffness = def->stiffness;
  contact->damping = def->damping;
  eli_near_pairs_set(&contact->near, def->skip_length, def->skin);
}

/* The list of pairs is not kept: no bit depends on when it was built. */
static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  self_contact *contact = own;
  double skip = contact->near.skip_length, skin = contact->near.skin;
  (void)rod, (void)module;
  eli_record_finite(record, "stiffness", &contact->stiffness, 1);
  eli_record_finite(record, "damping", &contact->damping, 1);
  eli_record_doubles(record, &skip, 1);
  eli_record_finite(record, "skin", &skin, 1);
  const int same = skip == contact->near.skip_length || (eli_is_nan(skip) && eli_is_nan(contact->near.skip_length));
  if (!same || skin != contact->near.skin) eli_near_pairs_set(&contact->near, skip, skin);
}

static void reset(void *own, const void *self) {
  self_contact *contact = own;
  apply(own, self);
  contact->near.build_count = 0;
}

static const eli_built_in kind = {.name = "self_contact",
                                  .layout = &layout,
                                  .press = press,
                                  .self_size = ELI_SELF_SIZE(self_contact_def),
                                  .describe = describe,
                                  .create = create,
                                  .apply = apply,
                                  .reset = reset,
                                  .keep = keep,
                                  .idle = idle};

void elastica_self_contact_def_init(elastica_self_contact_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_self_contact(elastica_world *world, elastica_rod *rod, const elastica_self_contact_def *def,
                                          elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_self_contact_set(elastica_effect *effect, const elastica_self_contact_def *def) {
  return eli_set_built_in(&kind, effect, def);
}

elastica_status elastica_self_contact_get(elastica_effect *effect, elastica_self_contact_info *out) {
  elastica_status status = eli_check_effect(effect, "self_contact_get", &kind);
  if (status == ELASTICA_OK) status = eli_check_outside_hook(elastica_effect_world(effect), "self_contact_get");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = elastica_effect_world(effect);
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "self_contact_get: out is NULL");
  self_contact *contact = elastica_effect_self(effect);
  const elastica_rod_view *rod = elastica_rod_get_view(elastica_effect_rod(effect));
  if (!eli_near_pairs_cover(&contact->near, rod, 0.0))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "self_contact_get: no memory for the list of pairs");
  elastica_self_contact_info info = {0, 0.0, -1, -1, 0.0, (long)contact->near.pairs.count, contact->near.build_count};
  const size_t count = eli_near_pairs_update(&contact->near, rod);
  for (size_t k = 0; k < count; k++) {
    eli_overlap o;
    if (!find_overlap(contact, rod, k, 0.0, &o)) continue;
    const double force = force_of(contact, rod, &o);
    info.contact_count++;
    if (force > info.largest_force) info.largest_force = force;
    if (!(o.depth > info.deepest)) continue;
    info.deepest = o.depth;
    info.first = o.element[0];
    info.second = o.element[1];
  }
  *out = info;
  return ELASTICA_OK;
}
