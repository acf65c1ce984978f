/* Muscle: a travelling wave of active couples in the joints, or of active forces in the elements.
 *
 * models     muscular activity along a rod that bends, twists, shears or stretches it by internal loads
 * equation   (4.3) tau_k or n_j += beta(s) sin(2 pi t/T + q s + phi), on one director; ramped in from 0 to 1; or beta(s) a(t, s), a by a
 *            function
 *            LABORATORY_COUPLE: C_j += Q_j (A_j - A_{j-1}) x, with a laboratory axis x in place of the director
 * source     Gazzola et al. 2018, sections 4.1.1, 5.2, 5.2.1; the active couple enters both operators of (3.9), undivided by E^3
 * parameters beta by a spline or by values [N m] or [N]; period T [s], wavenumber q [rad/m], phase phi [rad]; ramp and start [s]
 * conserves  momentum; angular momentum with exact_couple, or if the joint bends about the axis of the couple
 * test       tests/test_muscle.c
 *
 * sin(a + b_k) = sin a cos b_k + cos a sin b_k: the amplitude times cos b_k and sin b_k is stored for each place, and a step computes one
 * sine and cosine.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/elementary.h"
#include "base/matrix.h"
#include "base/rotation.h"
#include "base/sentence.h"
#include "base/spline.h"
#include "base/vector.h"
#include "effects/muscle.h"
#include "hooks/built_in.h"
#include "state/definition.h"
#include "state/prescribed.h"

#include <math.h>
#include <string.h>

typedef elastica_muscle_def muscle_def;
static const eli_field fields[] = {
    ELI_FIELD(muscle_def, struct_size),
    ELI_CHOICE(muscle_def, kind, ELASTICA_MUSCLE_LABORATORY_COUPLE, "none of COUPLE, FORCE, LABORATORY_COUPLE"),
    ELI_CHOICE(muscle_def, axis, 2, "outside 0..2"),
    ELI_FIELD(muscle_def, control),
    ELI_FIELD(muscle_def, control_count),
    ELI_CHOICE(muscle_def, spline, ELASTICA_SPLINE_FUNCTION, "neither CURVE nor FUNCTION"),
    ELI_FIELD(muscle_def, amplitude),
    ELI_NUMBERS(muscle_def, period, ELI_RULE_POSITIVE | ELI_RULE_INFINITE | ELI_RULE_IF_USED),
    ELI_NUMBERS(muscle_def, wavenumber, ELI_RULE_NUMBER),
    ELI_NUMBERS(muscle_def, phase, ELI_RULE_NUMBER),
    ELI_NUMBERS(muscle_def, ramp_time, ELI_RULE_NOT_NEGATIVE),
    ELI_NUMBERS(muscle_def, start_time, ELI_RULE_NUMBER),
    ELI_FUNCTION(muscle_def, function),
    ELI_USER(muscle_def, user),
};
static const muscle_def defaults = {.period = NAN};
static const eli_layout layout = ELI_LAYOUT("muscle_def", muscle_def, fields, defaults);

typedef struct muscle {
  eli_allocator allocator;
  elastica_world *world;
  const elastica_rod_view *rod;
  muscle_def def; /* without control and amplitude, which belong to the caller */
  int count;
  double frequency;                /* 2 pi/T [rad/s] */
  double *cosine, *sine;           /* beta cos(q s + phi), beta sin(q s + phi); in the same block */
  double *place, *activity, *seen; /* with a function (beta in cosine, 0 in sine): s [m]; activation times beta: last, and at a check */
} muscle;

/* The present A_k = of_cosine cosine_k + of_sine sine_k. */
typedef struct wave {
  const double *cosine, *sine;
  double of_cosine, of_sine;
} wave;

/* Returns the ramp from 0 to 1. */
static double ramp_at(const muscle *active, double time) {
  const double since = time - active->def.start_time;
  return since < 0.0 ? 0.0 : since < active->def.ramp_time ? since / active->def.ramp_time : 1.0;
}

/* Explains the failure of the function: the status that it returned, or the number that is not finite. */
static elastica_status explain(const muscle *active, elastica_status status, int k, double activation) {
  const char *at = active->def.kind == ELASTICA_MUSCLE_FORCE ? "element" : "joint";
  char what[ELI_STATUS_WORDS_SIZE];
  if (status != ELASTICA_OK)
    return eli_world_explain(active->world, active, "its function for %s %d returned %s", at, k, eli_status_words(status, what));
  return eli_world_explain(active->world, active, "its function for %s %d wrote the activation %g, which is %s", at, k, activation,
                           eli_is_finite(activation) ? "too large" : "not finite");
}

/* Computes the activity from the function. */
static elastica_status ask(muscle *active, double time, wave *now) {
  for (int k = 0; k < active->count; k++) {
    double activation = 0.0;
    const elastica_status status = active->def.function(active->def.user, time, k, active->place[k], &activation);
    if (status != ELASTICA_OK || !eli_is_moderate(activation)) return explain(active, status, k, activation);
    active->activity[k] = active->cosine[k] * activation;
  }
  *now = (wave){active->activity, active->sine, 1.0, 0.0};
  return ELASTICA_OK;
}

static elastica_status wave_at(muscle *active, double time, wave *now) {
  double sine, cosine;
  if (active->def.function != NULL) return ask(active, time, now);
  const double factor = ramp_at(active, time);
  eli_sincos(active->frequency * time, &sine, &cosine);
  *now = (wave){active->cosine, active->sine, factor * sine, factor * cosine};
  return ELASTICA_OK;
}

static double activity_of(const wave *now, int k) {
  return now->of_cosine * now->cosine[k] + now->of_sine * now->sine[k];
}

/* restrict on the parameters lets the compiler vectorise the loop without a check for overlap. */
static void add_wave(double *restrict lane, const double *restrict cosine, const double *restrict sine, int count, double of_cosine,
                     double of_sine) {
  for (int k = 0; k < count; k++) lane[k] += of_cosine * cosine[k] + of_sine * sine[k];
}

/* The change of activity from one limit check to the next, as a share of the amplitude, that is allowed to a function. */
#define CHANGE 0.25

static int outgrown(const muscle *active) {
  for (int k = 0; active->def.function != NULL && k < active->count; k++)
    if (fabs(active->activity[k] - active->seen[k]) > CHANGE * fabs(active->cosine[k])) return 1;
  return 0;
}

/* Joint k of an open rod is at node k + 1. */
static elastica_status add_resultants_to(void *self, const elastica_instant *now, const elastica_rod_view *rod, int first, int end,
                                         elastica_resultants *resultants) {
  muscle *active = self;
  const int couples = active->def.kind == ELASTICA_MUSCLE_COUPLE, shift = couples && !rod->closed ? 1 : 0, axis = active->def.axis;
  const int from = first > shift ? first - shift : 0, to = end - shift < active->count ? end - shift : active->count;
  double *lane = couples ? resultants->couple[axis] : resultants->force[axis];
  wave of;
  const elastica_status status = wave_at(active, now->time, &of);
  if (status != ELASTICA_OK) return status;
  add_wave(lane + from, of.cosine + from, of.sine + from, to - from, of.of_cosine, of.of_sine);
  if (outgrown(active)) resultants->check_again = 1;
  return ELASTICA_OK;
}

static elastica_status add_resultants(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                      elastica_resultants *resultants) {
  return add_resultants_to(self, now, rod, 0, rod->element_count + 1, resultants);
}

/* Returns the net couple on element j: the joint behind it adds +A, the one before it -A; 0 for a missing joint. */
static double net_couple(const muscle *active, const elastica_rod_view *rod, const wave *of, int j) {
  const int count = active->count, before = rod->closed ? j : j - 1, behind = rod->closed ? (j + 1) % count : j;
  double net = 0.0;
  if (behind < count) net += activity_of(of, behind);
  if (before >= 0) net -= activity_of(of, before);
  return net;
}

static elastica_status add_loads_to(void *self, const elastica_instant *now, const elastica_rod_view *rod, int first, int end,
                                    elastica_loads *loads) {
  muscle *active = self;
  wave of;
  const elastica_status status = wave_at(active, now->time, &of);
  if (status != ELASTICA_OK) return status;
  for (int j = first; j < end && j < rod->element_count; j++) {
    const double net = net_couple(active, rod, &of, j);
    for (int a = 0; a < 3; a++) loads->couple[a][j] += net * rod->director[a][active->def.axis][j];
  }
  if (outgrown(active)) loads->check_again = 1;
  return ELASTICA_OK;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  return add_loads_to(self, now, rod, 0, rod->element_count, loads);
}

/* A couple C that is fixed in the laboratory changes by C x phi with the turn of its frame; it has no potential. */
static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  muscle *active = self;
  wave of;
  const elastica_status status = wave_at(active, now->time, &of);
  if (status != ELASTICA_OK) return status;
  for (int j = 0; j < rod->element_count; j++) {
    const double net = net_couple(active, rod, &of, j);
    const elastica_part part = {rod, j, 1};
    double couple[3], block[9] = {0.0};
    if (net == 0.0) continue;
    for (int a = 0; a < 3; a++) couple[a] = net * rod->director[a][active->def.axis][j];
    eli_add_skew(block, -1.0, couple);
    tangent->unsymmetric = 1;
    tangent->add(tangent->owner, part, part, block);
  }
  return ELASTICA_OK;
}

/* ---- The step limit ----
 *
 * The limit uses the present tau and n, muscles included. The change of size d that a muscle may cause in them until the next limit check
 * is bounded here: a couple d adds d/2 to the stiffness of its joint, twice over by Gershgorin; a force d resists turns of its element with
 * d l and moves nodes against each other with d/l, times 1.5 for the coupling of the two (kernels/limit.inl). With the rescaled law both
 * also change with the stretch of their element. */

/* f1 sin b - f0 sin a| <= f1 - f0 + f0 min(2, |b - a|), of the amplitude. */
static double change_until(const muscle *active, const elastica_instant *now) {
  const double before = ramp_at(active, now->time), after = ramp_at(active, now->until);
  const double turn = active->frequency * (now->until - now->time);
  return (after > before ? after - before : 0.0) + before * (turn < 2.0 ? turn : 2.0);
}

static double amplitude_at(const muscle *active, int k) {
  return sqrt(active->cosine[k] * active->cosine[k] + active->sine[k] * active->sine[k]);
}

static void bound_joint(const elastica_rod_view *rod, int k, double size, elastica_stiffness *stiffness) {
  const int after = rod->closed ? k : k + 1, before = after > 0 ? after - 1 : rod->element_count - 1;
  const double turning = rod->classical_law ? size : 2.0 * size, D = rod->rest_joint_length[k];
  const double moving = rod->classical_law ? 0.0 : 4.0 * size / (D * D);
  stiffness->element[before] += turning;
  stiffness->element[after] += turning;
  stiffness->node[before] += moving;
  stiffness->node[after] += moving;
  stiffness->node[rod->closed && after + 1 == rod->element_count ? 0 : after + 1] += moving;
}

static void bound_element(const elastica_rod_view *rod, int j, double size, elastica_stiffness *stiffness) {
  const double moving = (rod->classical_law ? 2.0 : 3.0) * size / rod->length[j];
  stiffness->element[j] += (rod->classical_law ? 1.5 : 2.0) * size * rod->length[j];
  stiffness->node[j] += moving;
  stiffness->node[rod->closed && j + 1 == rod->element_count ? 0 : j + 1] += moving;
}

static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  muscle *active = self;
  wave of;
  const elastica_status status = wave_at(active, now->time, &of);
  if (status != ELASTICA_OK) return status;
  const int noted = active->def.function != NULL && !eli_is_query(now);
  if (noted) memcpy(active->seen, active->activity, (size_t)active->count * sizeof *active->seen);
  const double change = active->def.function != NULL ? CHANGE : change_until(active, now);
  for (int k = 0; k < active->count && change > 0.0; k++) {
    const double size = change * amplitude_at(active, k);
    if (active->def.kind == ELASTICA_MUSCLE_FORCE)
      bound_element(rod, k, size, stiffness);
    else
      bound_joint(rod, k, size, stiffness);
  }
  return ELASTICA_OK;
}

/* A couple that is fixed in the laboratory turns relative to a frame that turns. */
static elastica_status add_laboratory_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                                elastica_stiffness *stiffness) {
  muscle *active = self;
  wave of;
  const elastica_status status = wave_at(active, now->time, &of);
  if (status != ELASTICA_OK) return status;
  for (int j = 0; j < rod->element_count; j++) stiffness->element[j] += fabs(net_couple(active, rod, &of, j));
  return add_stiffness(self, now, rod, stiffness);
}

/* Power [W] of an active couple [N m] in joint k on its two frames: +tau and -tau, each with half of theta x tau (and the exact
 * couple's c theta x (theta x tau)). */
static double couple_power(const elastica_rod_view *rod, int k, int axis, double size) {
  const int after = rod->closed ? k : k + 1, before = after > 0 ? after - 1 : rod->element_count - 1;
  double frame_before[9], frame_after[9], r[9], theta[3];
  double tau[3] = {0.0, 0.0, 0.0}, turned[3], far[3] = {0.0, 0.0, 0.0}, power = 0.0;
  tau[axis] = size;
  eli_frame_now(rod, before, frame_before);
  eli_frame_now(rod, after, frame_after);
  eli_relative_rotation(frame_after, frame_before, r);
  eli_rotation_log(r, theta);
  eli_cross(theta, tau, turned);
  if (rod->exact_couple) {
    const double c = eli_exact_couple_factor_any(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]);
    eli_cross(theta, turned, far);
    for (int a = 0; a < 3; a++) far[a] *= c;
  }
  for (int a = 0; a < 3; a++) {
    const double difference = tau[a] + far[a], mean = 0.5 * turned[a];
    power += (mean + difference) * rod->omega[a][before] + (mean - difference) * rod->omega[a][after];
  }
  return power;
}

/* Power [W] of an active force [N] in element j on the two nodes of its element, and of its couple on the frame. */
static double force_power(const elastica_rod_view *rod, int j, int axis, double size) {
  double n[3] = {0.0, 0.0, 0.0}, pull[3], edge[3], lever[3], turn[3], power = 0.0;
  n[axis] = size;
  elastica_rotate_to_laboratory(rod, j, n, pull);
  for (int a = 0; a < 3; a++) edge[a] = rod->length[j] * rod->tangent[a][j];
  elastica_rotate_to_material(rod, j, edge, lever);
  eli_cross(lever, n, turn);
  for (int a = 0; a < 3; a++) power += turn[a] * rod->omega[a][j] - pull[a] * (rod->velocity[a][j + 1] - rod->velocity[a][j]);
  return power;
}

static double power(void *self, double time, const elastica_rod_view *rod) {
  muscle *active = self;
  double sum = 0.0;
  wave of;
  if (wave_at(active, time, &of) != ELASTICA_OK) return eli_nan();
  for (int j = 0; active->def.kind == ELASTICA_MUSCLE_LABORATORY_COUPLE && j < rod->element_count; j++) {
    const double net = net_couple(active, rod, &of, j);
    for (int a = 0; a < 3; a++) sum += net * rod->director[a][active->def.axis][j] * rod->omega[a][j];
  }
  for (int k = 0; active->def.kind != ELASTICA_MUSCLE_LABORATORY_COUPLE && k < active->count; k++)
    sum += (active->def.kind == ELASTICA_MUSCLE_COUPLE ? couple_power : force_power)(rod, k, active->def.axis, activity_of(&of, k));
  return sum;
}

static void destroy(void *self) {
  muscle *active = self;
  const eli_allocator allocator = active->allocator;
  eli_release(&allocator, active);
}

static void set_hooks(elastica_muscle_kind kind, int has_function, elastica_module *module) {
  const int laboratory = kind == ELASTICA_MUSCLE_LABORATORY_COUPLE;
  module->parallel_safe = !has_function;
  module->add_loads = laboratory ? add_loads : NULL;
  module->add_tangent = laboratory ? add_tangent : NULL;
  module->needs_geometry = 0;
  module->reads_resultants = 0;
  module->add_resultants = laboratory ? NULL : add_resultants;
  module->add_stiffness = laboratory ? add_laboratory_stiffness : add_stiffness;
}

static int count_of(const elastica_rod_view *rod, elastica_muscle_kind kind) {
  return kind == ELASTICA_MUSCLE_FORCE ? rod->element_count : rod->joint_count;
}

/* Computes the parameters of the effect from its definition. */
static void set_numbers(muscle *active) {
  active->count = count_of(active->rod, active->def.kind);
  active->frequency = active->def.function == NULL ? ELI_TWO_PI / active->def.period : 0.0;
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  muscle *active = own;
  muscle_def kept = active->def;
  if (record->use == ELI_RECORD_CHECK) eli_def_peek(&layout, &kept, rod, record);
  eli_def_keep(&layout, &active->def, rod, record);
  if (kept.function == NULL && eli_is_nan(kept.period)) eli_record_blame(record, "period", 0);
  eli_record_finite(record, "amplitude", active->cosine, (size_t)rod->element_count);
  eli_record_finite(record, "amplitude", active->sine, (size_t)rod->element_count);
  eli_record_finite(record, "seen", active->seen, (size_t)rod->element_count);
  if (record->use != ELI_RECORD_READ) return;
  set_numbers(active);
  set_hooks(active->def.kind, active->def.function != NULL, module);
}

/* ---- From a definition ---- */

static elastica_status check_amplitude(elastica_world *world, const muscle_def *def, int count) {
  if (def->amplitude != NULL && def->control != NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "muscle_def.control and muscle_def.amplitude are both set");
  if (def->amplitude != NULL) return eli_check_numbers(world, "muscle_def.amplitude", ELI_RULE_NUMBER, def->amplitude, count);
  if (def->control == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "muscle_def.control is not set");
  if (def->control_count < 4)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "muscle_def.control_count is %d, a cubic spline needs 4",
                                 def->control_count);
  return eli_check_numbers(world, "muscle_def.control", ELI_RULE_NUMBER, def->control, def->control_count);
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const elastica_rod_view *view = elastica_rod_get_view(request->rod);
  const muscle_def *def = given;
  const int count = count_of(view, def->kind);
  if (count == 0)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d has one element and no joint", request->function,
                                 view->rod_index);
  if (def->function == NULL && eli_is_nan(def->period))
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "muscle_def.period is not set");
  const elastica_status status = check_amplitude(request->world, def, count);
  if (status != ELASTICA_OK) return status;
  memcpy(self, def, sizeof *def);
  set_hooks(def->kind, def->function != NULL, module);
  module->power = power;
  module->destroy = destroy;
  return ELASTICA_OK;
}

/* cosine, sine, place, activity, seen. */
enum { LANES = 5 };

/* Allocates room for every kind. */
static void *create(const eli_request *request, const void *self) {
  const elastica_rod_view *view = elastica_rod_get_view(request->rod);
  const size_t n = (size_t)view->element_count;
  const eli_allocator *allocator = eli_world_allocator(request->world);
  muscle *active = eli_allocate(allocator, 1, sizeof *active + LANES * n * sizeof(double));
  (void)self;
  if (active == NULL) return NULL;
  *active = (muscle){.allocator = *allocator, .world = request->world, .rod = view};
  active->cosine = (double *)(active + 1);
  active->sine = active->cosine + n;
  active->place = active->sine + n;
  active->activity = active->place + n;
  active->seen = active->activity + n;
  memset(active->seen, 0, n * sizeof *active->seen);
  return active;
}

/* Computes amplitude and phase at each place: joint k is at the end of element k (of element k - 1 in a ring), a force in the middle of its
 * own element. */
static void set_wave(muscle *active, const muscle_def *def) {
  const elastica_rod_view *view = active->rod;
  const int at_end = active->def.kind != ELASTICA_MUSCLE_FORCE && !view->closed;
  double length = 0.0, before = 0.0;
  for (int j = 0; j < view->element_count; j++) length += view->rest_length[j];
  for (int k = 0; k < active->count; k++) {
    const double own = view->rest_length[k];
    const double s = active->def.kind == ELASTICA_MUSCLE_FORCE ? before + 0.5 * own : at_end ? before + own : before;
    const double beta =
        def->amplitude != NULL ? def->amplitude[k] : eli_spline_at(def->spline, def->control, def->control_count, s / length);
    double sine = 0.0, cosine = 1.0;
    if (def->function == NULL) eli_sincos(def->wavenumber * s + def->phase, &sine, &cosine);
    active->place[k] = s;
    active->cosine[k] = beta * cosine;
    active->sine[k] = beta * sine;
    before += own;
  }
}

static void apply(void *own, const void *self) {
  muscle *active = own;
  active->def = *(const muscle_def *)self;
  set_numbers(active);
  set_wave(active, self);
  active->def.control = active->def.amplitude = NULL;
}

static void function_of(void *own, eli_function *of, int set) {
  eli_def_function(&layout, &((muscle *)own)->def, of, set);
}

static const eli_built_in kind = {.name = "muscle",
                                  .layout = &layout,
                                  .self_size = ELI_SELF_SIZE(muscle_def),
                                  .describe = describe,
                                  .create = create,
                                  .apply = apply,
                                  .keep = keep,
                                  .add_loads_to = add_loads_to,
                                  .add_resultants_to = add_resultants_to,
                                  .function = function_of};

void elastica_muscle_def_init(elastica_muscle_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_muscle(elastica_world *world, elastica_rod *rod, const elastica_muscle_def *def, elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_muscle_set(elastica_effect *effect, const elastica_muscle_def *def) {
  return eli_set_built_in(&kind, effect, def);
}

void eli_muscle_add_couples(const elastica_effect *effect, double *couples) {
  muscle *active = elastica_effect_get(effect).self;
  wave of;
  if (active->def.kind != ELASTICA_MUSCLE_LABORATORY_COUPLE) return;
  if (wave_at(active, elastica_world_get(active->world).time, &of) != ELASTICA_OK) return;
  for (int k = 0; k < active->count; k++) couples[3 * k + active->def.axis] += activity_of(&of, k);
}
