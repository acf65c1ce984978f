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
 * may weaken the spring but not turn it around: bodies that part do not stick.
 *
 * The edge tension is what the present radii ask for: elements that overlap grow thicker as they get shorter, and so press harder on the
 * spring. Without a force that answers to it they would do so for nothing, and undamped rods gain energy. It is what an incompressible rod
 * does that is squeezed from the side: it gets longer. The papers' law goes without, as it goes without the forces that answer to e in
 * B/e^3 and J/e: its energy is no potential in any case, and under the tension a strand of the papers' solenoid, wound to kappa r of 0.6,
 * slips through another. All forces lie on the line between the closest points or along an edge, so angular momentum is conserved without a
 * couple on the frames.
 *
 * begin_step looks after the list of near pairs, for where nodes will be in the middle of the step. A pair's force depends on the present
 * state alone, pairs are walked in the order of their elements, and those without overlap add nothing: no bit depends on the list.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/checks.h"
#include "base/memory.h"
#include "contact/near_pairs.h"
#include "contact/outlook.h"
#include "contact/overlap.h"

static const char name[] = "self_contact";

/* What a definition of an older caller may end with. */
#define FIELD(field) ELI_FIELD(elastica_self_contact_def, field)
static const eli_field fields[] = {FIELD(struct_size), FIELD(stiffness), FIELD(damping), FIELD(skip_length), FIELD(skin)};
#undef FIELD
static const eli_layout layout = ELI_LAYOUT("self_contact_def", elastica_self_contact_def, fields);

/* Pairs that the step limit counts in any case lie closer than this, in rest radii; prescribed motion may leave its tangent by as much in
 * half a step before the list misses it. */
#define MARGIN 0.05

/* The furthest that the step limit looks ahead for pairs that approach, in lengths of the longest element: what two that meet at twice the
 * speed of sound in the rod come closer until the next look. */
#define FURTHEST 200.0

typedef struct self_contact {
  double stiffness, damping;
  elastica_world *world;
  eli_near_pairs near;
} self_contact;

/* 0 when the elements of pair k are further than margin from touching. */
static int measure(const self_contact *contact, const elastica_rod_view *rod, size_t k, double margin, eli_overlap *out) {
  const uint64_t key = contact->near.pairs.keys[k];
  return eli_overlap_measure(rod, contact->near.radius, eli_pair_first(key), eli_pair_second(key), margin, out);
}

/* (4.7) f >= 0 [N] */
static double force_of(const self_contact *contact, const elastica_rod_view *rod, const eli_overlap *o) {
  double force = contact->stiffness * o->depth;
  if (contact->damping > 0.0) force += contact->damping * eli_overlap_approach(rod, o);
  return force > 0.0 ? force : 0.0;
}

/* ---- Hooks ---- */

static elastica_status begin_step(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  self_contact *contact = self;
  const double margin = MARGIN * contact->near.largest_radius;
  return eli_near_pairs_cover(&contact->near, rod, 0.5 * now->dt, margin) ? ELASTICA_OK : ELASTICA_OUT_OF_MEMORY;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  self_contact *contact = self;
  const size_t count = eli_near_pairs_look(&contact->near, rod);
  (void)now;
  for (size_t k = 0; k < count; k++) {
    eli_overlap o;
    if (!measure(contact, rod, k, 0.0, &o)) continue;
    eli_overlap_add_forces(rod, &o, force_of(contact, rod, &o), contact->stiffness * o.depth, loads->force);
  }
  return ELASTICA_OK;
}

/* ---- The step limit ----
 *
 * Until the next look a gap closes and a closest point moves by at most the relative speed times the time, and 64 steps take no longer than
 * 64 of the longest that axial waves allow. */

static void stiffen(const self_contact *contact, const elastica_rod_view *rod, const eli_overlap *o, double moved,
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
  const double margin = MARGIN * near->largest_radius, furthest = FURTHEST * near->longest, time = eli_outlook_time(rod);
  double need = margin + 2.0 * time * eli_outlook_speed(rod);
  (void)now;
  if (!(need < furthest)) need = furthest;
  if (!eli_near_pairs_cover(near, rod, 0.0, need)) return ELASTICA_OUT_OF_MEMORY;
  const size_t count = eli_near_pairs_look(near, rod);
  for (size_t k = 0; k < count; k++) {
    eli_overlap o;
    if (!measure(contact, rod, k, need, &o)) continue;
    const double moved = time * eli_overlap_speed(rod, &o);
    if (o.depth > -(margin + moved)) stiffen(contact, rod, &o, moved, stiffness);
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
  if (!eli_near_pairs_cover(&contact->near, rod, 0.0, 0.0)) return without_memory(contact);
  const size_t count = eli_near_pairs_look(&contact->near, rod);
  for (size_t k = 0; k < count; k++) {
    eli_overlap o;
    if (measure(contact, rod, k, 0.0, &o)) sum += o.depth * o.depth;
  }
  return 0.5 * contact->stiffness * sum;
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  self_contact *contact = self;
  double sum = 0.0;
  (void)time;
  if (!eli_near_pairs_cover(&contact->near, rod, 0.0, 0.0)) return without_memory(contact);
  const size_t count = eli_near_pairs_look(&contact->near, rod);
  for (size_t k = 0; k < count; k++) {
    eli_overlap o;
    if (!measure(contact, rod, k, 0.0, &o)) continue;
    sum -= force_of(contact, rod, &o) * eli_overlap_approach(rod, &o);
    sum -= contact->stiffness * o.depth * eli_overlap_growth(rod, &o);
  }
  return sum;
}

static void destroy(void *self) {
  self_contact *contact = self;
  const eli_allocator allocator = contact->near.allocator;
  eli_near_pairs_destroy(&contact->near);
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

static void apply(self_contact *contact, const elastica_self_contact_def *def) {
  contact->stiffness = def->stiffness;
  contact->damping = def->damping;
  eli_near_pairs_set(&contact->near, def->skip_length, def->skin);
}

/* NULL when there is no memory. */
static self_contact *create(const eli_allocator *allocator, const elastica_rod_view *rod) {
  self_contact *contact = eli_allocate(allocator, 1, sizeof *contact);
  if (contact == NULL || eli_near_pairs_create(&contact->near, allocator, rod)) return contact;
  eli_release(allocator, contact);
  return NULL;
}

static void describe(elastica_module *module, self_contact *contact) {
  const eli_allocator plain = eli_allocator_default();
  elastica_module_init(module, sizeof *module);
  module->name = name;
  module->self = contact; /* borrowed: lists are no state, and have no place in a copy */
  module->parallel_safe =
      contact->near.allocator.allocate == plain.allocate; /* malloc may be called from any thread; a caller's own may not */
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
  if (!eli_near_pairs_cover(&contact->near, rod, 0.0, 0.0))
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "self_contact_get: no memory for the list of pairs");
  elastica_self_contact_info info = {0, 0.0, -1, -1, 0.0, (long)contact->near.pairs.count, contact->near.build_count};
  const size_t count = eli_near_pairs_look(&contact->near, rod);
  for (size_t k = 0; k < count; k++) {
    eli_overlap o;
    if (!measure(contact, rod, k, 0.0, &o)) continue;
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
