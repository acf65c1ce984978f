/* Tendon: a cable under tension through guides on rods and rigid bodies.
 *
 * models     a tendon in its sheaths, driven by a motor or a muscle at its first end; also a rope, slack below its length
 * equation   F_i = T_i t_i - T_{i-1} t_{i-1} on guide i, t the unit vectors between guides;  T_0 = a T or a k max(0, length - rest_length)
 *            + c
 *            dlength/dt, c = 2 zeta sqrt(a k m), at most m/(2 dt), m = 1/mobility of the length;  T_i = T_{i-1} exp(-mu phi_i
 *            v_i/sqrt(v_i^2
 *            + v_s^2)), phi_i the turn at guide i, v_i = -d/dt of the length behind it
 * source     Euler and Eytelwein (capstan); the rest is the gradient of the length
 * parameters guides, T [N] or k [N/m] and rest length [m], activation, zeta, mu, v_s [m/s]
 * conserves  momentum and angular momentum, if no guide is in the world; energy without drive, damping and friction
 * test       tests/test_tendon.c, tests/test_tendon_laws.c, tests/test_tendon_slack.c
 *
 * A tendon on one rod is an effect on that rod, otherwise an effect between rods.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/module.h"
#include "base/vector.h"
#include "pairs/pairs.h"

#include <math.h>
#include <string.h>

typedef elastica_tendon_def tendon_def;
static const eli_field fields[] = {
    ELI_FIELD(tendon_def, struct_size),
    ELI_FIELD(tendon_def, rod),
    ELI_FIELD(tendon_def, first),
    ELI_FIELD(tendon_def, last),
    ELI_NUMBERS(tendon_def, offset, ELI_RULE_NUMBER),
    ELI_FIELD(tendon_def, guides),
    ELI_FIELD(tendon_def, guide_count),
    ELI_NUMBERS(tendon_def, tension, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(tendon_def, stiffness, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(tendon_def, rest_length, ELI_RULE_NOT_NEGATIVE | ELI_RULE_OPTIONAL),
    ELI_NUMBERS(tendon_def, activation, ELI_RULE_NOT_NEGATIVE),
    ELI_FIELD(tendon_def, drive),
    ELI_FIELD(tendon_def, user),
    ELI_NUMBERS(tendon_def, damping, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(tendon_def, friction, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(tendon_def, sliding_speed, ELI_RULE_POSITIVE | ELI_RULE_OPTIONAL),
};
static const tendon_def defaults = {
    .last = -1, .tension = NAN, .stiffness = NAN, .rest_length = NAN, .activation = 1.0, .sliding_speed = NAN};
static const eli_layout layout = ELI_LAYOUT("tendon_def", tendon_def, fields, defaults);

typedef struct tendon {
  eli_tendon cable; /* first member: queries and hooks identify the tendon by it */
  eli_allocator allocator;
  int several;                                             /* 1: it connects more than one rod */
  int is_set;                                              /* 1: its rest length is known */
  double bounded_tension, bounded_stiffness, bounded_bend; /* values in the last bound for the step limit */
} tendon;

/* ---- Hooks ---- */

static elastica_status find(eli_tendon *of, double time, double dt) {
  eli_tendon_find(of, of->friction > 0.0);
  return eli_tendon_pull(of, time, dt);
}

static double largest_tension(const eli_tendon *of) {
  double most = 0.0;
  for (int k = 0; k + 1 < of->count; k++)
    if (of->span[k].tension > most) most = of->span[k].tension;
  return most;
}

/* Returns a tension too small for a limit check: a hundredth of its own stiffness times the shortest span, or of the tension. */
static double small_tension(const eli_tendon *of) {
  double shortest = INFINITY;
  if (!of->is_spring) return 0.01 * of->tension;
  for (int k = 0; k + 1 < of->count; k++)
    if (of->span[k].length < shortest) shortest = of->span[k].length;
  return 0.01 * of->stiffness * shortest;
}

/* Returns 1 if the tendon exceeds one of its bounds by a quarter. */
static int outgrown(const tendon *own) {
  const eli_tendon *of = &own->cable;
  return largest_tension(of) > 1.25 * own->bounded_tension + small_tension(of) ||
         of->active * of->stiffness > 1.25 * own->bounded_stiffness + 0.01 * of->stiffness || of->bend > 1.25 * own->bounded_bend + 0.05;
}

static int looks_again(tendon *own, const elastica_instant *now) {
  const int awaits = now->purpose == ELASTICA_PURPOSE_STEP && eli_tendon_step(&own->cable, now);
  return awaits || outgrown(own);
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  tendon *own = self;
  const elastica_status status = find(&own->cable, now->time, now->dt);
  if (status != ELASTICA_OK) return status;
  eli_tendon_push(&own->cable, loads, rod->rod_index);
  if (looks_again(own, now)) loads->look_again = 1;
  return ELASTICA_OK;
}

static elastica_status add_world_loads(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  tendon *own = self;
  const elastica_status status = find(&own->cable, now->time, now->dt);
  if (status != ELASTICA_OK) return status;
  eli_tendon_push(&own->cable, loads->loads, 0);
  if (looks_again(own, now)) loads->look_again = 1;
  return ELASTICA_OK;
}

static elastica_status bound(tendon *own, const elastica_instant *now, const elastica_stiffness *rods, int first) {
  eli_tendon *of = &own->cable;
  const elastica_status status = find(of, now->time, 0.0);
  if (status != ELASTICA_OK) return status;
  eli_tendon_bound(of, now, rods, first);
  if (eli_is_query(now)) return ELASTICA_OK;
  own->bounded_tension = largest_tension(of);
  own->bounded_stiffness = of->active * of->stiffness;
  own->bounded_bend = of->bend;
  return ELASTICA_OK;
}

static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  return bound(self, now, stiffness, rod->rod_index);
}

static elastica_status add_world_stiffness(void *self, const elastica_instant *now, elastica_world_stiffness *stiffness) {
  return bound(self, now, stiffness->stiffness, 0);
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  eli_tendon *of = &((tendon *)self)->cable;
  (void)time, (void)rod;
  if (of->drive != NULL) return 0.0;
  eli_tendon_find(of, 0);
  if (!of->is_spring) return of->activation * of->tension * of->length;
  const double over = of->length - of->rest_length;
  return over <= 0.0 ? 0.0 : 0.5 * of->activation * of->stiffness * over * over;
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  eli_tendon *of = &((tendon *)self)->cable;
  double sum = 0.0;
  (void)rod;
  if (find(of, time, 0.0) != ELASTICA_OK) return eli_nan();
  for (int k = 0; k + 1 < of->count; k++) sum -= of->span[k].tension * of->span[k].rate;
  return sum;
}

static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  eli_tendon *of = &((tendon *)self)->cable;
  (void)rod;
  const elastica_status status = find(of, now->time, now->dt);
  if (status == ELASTICA_OK) eli_tendon_add_tangent(of, tangent);
  return status;
}

static int acts_on(void *self, const elastica_rod_view *rod) {
  const eli_tendon *of = &((const tendon *)self)->cable;
  for (int k = 0; k < of->count; k++)
    if (of->guide[k].rod == rod) return 1;
  return 0;
}

static int dissipates(const void *self) {
  const eli_tendon *of = &((const tendon *)self)->cable;
  return of->damping > 0.0 || of->friction > 0.0;
}

static void destroy(void *self) {
  tendon *own = self;
  const eli_allocator allocator = own->allocator;
  eli_release(&allocator, own);
}

/* With friction, or a drive that depends on the length, it has no tangent. */
static void set_hooks(int several, int has_drive, int rubs, elastica_module *module) {
  module->parallel_safe = several || !has_drive; /* the thread that steps calls the effects between rods */
  module->needs_geometry = 0;
  module->add_world_loads = several ? add_world_loads : NULL;
  module->add_world_stiffness = several ? add_world_stiffness : NULL;
  module->acts_on = several ? acts_on : NULL;
  module->add_loads = several ? NULL : add_loads;
  module->add_stiffness = several ? NULL : add_stiffness;
  module->add_tangent = has_drive || rubs ? NULL : add_tangent;
}

static void each_history(void *own, void (*visit)(void *context, void *bytes, size_t size), void *context) {
  eli_tendon *of = &((tendon *)own)->cable;
  visit(context, &of->slack_at, sizeof of->slack_at);
}

/* ---- From a definition ---- */

static elastica_status check_law(const eli_request *request, const tendon_def *def) {
  const char *wrong = NULL;
  const int is_spring = eli_is_nan(def->tension);
  if (is_spring == eli_is_nan(def->stiffness))
    wrong = is_spring ? "tendon_def.tension is not set, nor is tendon_def.stiffness"
                      : "tendon_def.tension and tendon_def.stiffness are both set";
  else if (!is_spring && !eli_is_nan(def->rest_length))
    wrong = "tendon_def.rest_length is set, but the tension is given";
  else if (!is_spring && def->damping > 0.0)
    wrong = "tendon_def.damping is that of the spring, but the tension is given";
  else if (def->friction > 0.0 && eli_is_nan(def->sliding_speed))
    wrong = "tendon_def.sliding_speed is not set, which friction needs";
  return wrong == NULL ? ELASTICA_OK : elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: %s", request->function, wrong);
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const tendon_def *def = given;
  elastica_status status = eli_tendon_check(request, def);
  if (status == ELASTICA_OK) status = check_law(request, def);
  if (status != ELASTICA_OK) return status;
  memcpy(self, def, sizeof *def);
  set_hooks(eli_tendon_has_several(def, request->rod), def->drive != NULL, def->friction > 0.0, module);
  module->energy = energy;
  module->power = power;
  module->destroy = destroy;
  module->each_history = each_history;
  return ELASTICA_OK;
}

static void *create(const eli_request *request, const void *self) {
  const tendon_def *def = self;
  const size_t count = (size_t)eli_tendon_count(def);
  const size_t each = sizeof(eli_anchor) + sizeof(eli_anchored) + sizeof(eli_span) + 3 * sizeof(eli_place) + sizeof(int[3]);
  const eli_allocator *allocator = eli_world_allocator(request->world);
  tendon *own = eli_allocate(allocator, 1, sizeof *own + count * each);
  if (own == NULL) return NULL;
  memset(own, 0, sizeof *own + count * each);
  eli_tendon *of = &own->cable;
  own->allocator = *allocator;
  of->world = request->world;
  of->slack_at = -INFINITY;
  own->several = eli_tendon_has_several(def, request->rod);
  of->count = (int)count;
  of->guide = (eli_anchor *)(own + 1);
  of->at = (eli_anchored *)(of->guide + count);
  of->span = (eli_span *)(of->at + count);
  of->place = (eli_place *)(of->span + count);
  of->places = (int(*)[3])(of->place + 3 * count);
  return own;
}

static void set_numbers(tendon *own, const tendon_def *def) {
  eli_tendon *of = &own->cable;
  of->is_spring = eli_is_nan(def->tension);
  of->stiffness = of->is_spring ? def->stiffness : 0.0;
  of->tension = of->is_spring ? 0.0 : def->tension;
  of->activation = def->activation;
  of->drive = def->drive;
  of->user = def->user;
  of->damping = def->damping;
  of->friction = def->friction;
  of->sliding_speed = def->friction > 0.0 ? def->sliding_speed : 1.0;
  if (!eli_is_nan(def->rest_length)) of->rest_length = def->rest_length;
}

static void take_length(eli_tendon *of) {
  eli_tendon_find(of, 0);
  of->rest_length = of->length;
}

static void apply(void *own_, const void *self) {
  tendon *own = own_;
  const tendon_def *def = self;
  eli_tendon *of = &own->cable;
  for (int k = 0; k < of->count; k++) of->guide[k] = eli_tendon_guide(def, k);
  eli_tendon_list(of);
  if (!own->is_set) take_length(of);
  set_numbers(own, def);
  own->is_set = 1;
}

static void function_of(void *own, eli_function *of, int set) {
  eli_tendon *cable = &((tendon *)own)->cable;
  if (set) {
    cable->drive = (elastica_status(*)(void *, double, double, double, double *))of->function;
    cable->user = of->user;
  } else {
    *of = (eli_function){.function = (void (*)(void))cable->drive, .user = cable->user};
  }
}

/* Keeps the bounded values too: they decide the time of limit checks. */
static void keep(void *own_, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  tendon *own = own_;
  eli_tendon *of = &own->cable;
  (void)rod;
  eli_record_same(record, "drive", of->drive != NULL);
  eli_record_same(record, "guide_count", of->count);
  eli_record_int(record, "is_spring", &of->is_spring, 0, 1);
  for (int k = 0; k < of->count; k++) {
    eli_anchor *guide = &of->guide[k];
    eli_record_int(record, "element", &guide->element, 0, guide->rod != NULL ? guide->rod->element_count - 1 : 0);
    eli_record_finite(record, "share", &guide->share, 1);
    eli_record_finite(record, "offset", guide->offset, 3);
  }
  eli_record_finite(record, "tension", &of->tension, 1);
  eli_record_finite(record, "stiffness", &of->stiffness, 1);
  eli_record_finite(record, "rest_length", &of->rest_length, 1);
  eli_record_finite(record, "activation", &of->activation, 1);
  eli_record_finite(record, "damping", &of->damping, 1);
  eli_record_finite(record, "friction", &of->friction, 1);
  eli_record_finite(record, "sliding_speed", &of->sliding_speed, 1);
  eli_record_finite(record, "bounded", &own->bounded_tension, 1);
  eli_record_finite(record, "bounded", &own->bounded_stiffness, 1);
  eli_record_finite(record, "bounded", &own->bounded_bend, 1);
  eli_record_doubles(record, &of->slack_at, 1);
  if (record->use != ELI_RECORD_READ) return;
  eli_tendon_list(of);
  set_hooks(own->several, of->drive != NULL, of->friction > 0.0, module);
}

static int resolves(const void *self) {
  return ((const tendon *)self)->cable.resolves;
}

static const eli_built_in kind = {.name = "tendon",
                                  .layout = &layout,
                                  .rigid_bodies = 1,
                                  .self_size = ELI_SELF_SIZE(tendon_def),
                                  .describe = describe,
                                  .create = create,
                                  .apply = apply,
                                  .keep = keep,
                                  .function = function_of,
                                  .resolves = resolves,
                                  .dissipates = dissipates};

/* ---- The public functions ---- */

void elastica_tendon_def_init(elastica_tendon_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_tendon(elastica_world *world, const elastica_tendon_def *def, elastica_effect **out) {
  const eli_request request = {.world = world, .function = "add_tendon"};
  tendon_def whole;
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (def == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "add_tendon: def is NULL");
  elastica_status status = eli_world_check_open(world, "add_tendon", 1);
  if (status == ELASTICA_OK) status = eli_def_read(world, &layout, &whole, def);
  if (status == ELASTICA_OK && eli_tendon_first_rod(&whole) == NULL) status = eli_tendon_check(&request, &whole); /* refuses this */
  return status == ELASTICA_OK ? eli_add_built_in(&kind, world, eli_tendon_first_rod(&whole), &whole, out) : status;
}

elastica_status elastica_tendon_set(elastica_effect *effect, const elastica_tendon_def *def) {
  return eli_set_built_in(&kind, effect, def);
}

/* Checks the arguments of a query and finds the present cable. */
static elastica_status look(elastica_effect *effect, const char *function, const void *out, tendon **own) {
  elastica_status status = eli_check_effect(effect, function, &kind);
  if (status == ELASTICA_OK) status = eli_check_outside_hook(elastica_effect_world(effect), function);
  if (status != ELASTICA_OK) return status;
  elastica_world *world = elastica_effect_world(effect);
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: out is NULL", function);
  *own = elastica_effect_self(effect);
  eli_tendon_find(&(*own)->cable, 1);
  if (eli_tendon_pull(&(*own)->cable, elastica_world_time(world), 0.0) == ELASTICA_OK) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_CALLBACK_FAILED, "%s: %s", function, eli_world_reason(world));
}

elastica_status elastica_tendon_get(elastica_effect *effect, elastica_tendon_info *out) {
  tendon *own = NULL;
  const elastica_status status = look(effect, "tendon_get", out, &own);
  if (status != ELASTICA_OK) return status;
  eli_tendon *of = &own->cable;
  memset(out, 0, sizeof *out);
  out->guide_count = of->count;
  out->length = of->length;
  out->rest_length = of->is_spring ? of->rest_length : 0.0;
  out->rate = of->rate;
  out->activation = of->active;
  out->first_tension = of->span[0].tension;
  out->last_tension = of->span[of->count - 2].tension;
  out->slack = out->first_tension == 0.0;
  out->turned = of->turned;
  out->dt = of->is_spring ? 2.0 / sqrt(ELI_KINK * of->active * of->stiffness * eli_tendon_mobility(of, NULL)) : INFINITY;
  return ELASTICA_OK;
}

elastica_status elastica_tendon_get_guide(elastica_effect *effect, int guide, elastica_guide_info *out) {
  tendon *own = NULL;
  elastica_status status = look(effect, "tendon_get_guide", out, &own);
  if (status != ELASTICA_OK) return status;
  const eli_tendon *of = &own->cable;
  status = eli_check_index(elastica_effect_world(effect), "tendon_get_guide", "guide", guide, of->count, &guide);
  if (status != ELASTICA_OK) return status;
  memset(out, 0, sizeof *out);
  memcpy(out->position, of->at[guide].point, sizeof out->position);
  eli_tendon_force(of, guide, out->force);
  if (guide + 1 < of->count) out->turn = of->span[guide].turn;
  for (int k = guide; k + 1 < of->count; k++) out->sliding -= of->span[k].rate;
  return ELASTICA_OK;
}
