/* A cable through guides: the guides from its definition, its path, its tension, and its loads on rods; modules/tendon.c has the equations.
 *
 * test       tests/test_tendon.c, tests/test_tendon_laws.c, tests/test_tendon_slack.c
 */
#include "base/target.h"

#include "base/definition.h"
#include "base/elementary.h"
#include "base/matrix.h"
#include "base/module.h"
#include "base/sentence.h"
#include "base/vector.h"
#include "contact/resolve.h"
#include "pairs/pairs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Path of the cable ---- */

static void find_guide(const eli_anchor *guide, eli_anchored *at) {
  if (guide->rod == NULL) {
    memset(at, 0, sizeof *at);
    memcpy(at->axis, guide->offset, sizeof at->axis);
    memcpy(at->point, guide->offset, sizeof at->point);
    return;
  }
  double velocity[3];
  eli_anchor_find(guide, at);
  eli_anchored_velocity(at, at->point, velocity);
  memcpy(at->velocity, velocity, sizeof velocity);
}

static void find_span(eli_span *span, const eli_anchored *from, const eli_anchored *to) {
  double across[3];
  for (int a = 0; a < 3; a++) across[a] = to->point[a] - from->point[a];
  span->length = sqrt(eli_dot(across, across));
  span->rate = 0.0;
  for (int a = 0; a < 3; a++) {
    span->along[a] = span->length != 0.0 ? across[a] / span->length : 0.0;
    span->rate += span->along[a] * (to->velocity[a] - from->velocity[a]);
  }
}

static double turn_between(const double before[3], const double after[3]) {
  double across[3];
  eli_cross(before, after, across);
  return eli_atan2(sqrt(eli_dot(across, across)), eli_dot(before, after));
}

void eli_tendon_find(eli_tendon *of, int turns) {
  of->length = of->rate = of->turned = 0.0;
  of->bend = 2.0;
  for (int k = 0; k < of->count; k++) find_guide(&of->guide[k], &of->at[k]);
  for (int k = 0; k + 1 < of->count; k++) {
    eli_span *span = &of->span[k];
    find_span(span, &of->at[k], &of->at[k + 1]);
    span->turn = k > 0 && turns ? turn_between(span[-1].along, span->along) : 0.0;
    of->length += span->length;
    of->rate += span->rate;
    of->turned += span->turn;
    if (k > 0) of->bend += 2.0 - 2.0 * eli_dot(span[-1].along, span->along);
  }
}

/* ---- Places moved by the guides ---- */

/* Returns the number of a place, and adds it to the list if it is new; consecutive guides share places, so the search starts at the end. */
static int place_of(eli_tendon *of, const elastica_rod_view *rod, int index, int turns) {
  for (int k = of->place_count - 1; k >= 0; k--)
    if (of->place[k].rod == rod && of->place[k].index == index && of->place[k].turns == turns) return k;
  of->place[of->place_count] = (eli_place){.rod = rod, .index = index, .turns = turns};
  return of->place_count++;
}

void eli_tendon_list(eli_tendon *of) {
  of->place_count = 0;
  for (int k = 0; k < of->count; k++) {
    const eli_anchor *guide = &of->guide[k];
    int *places = of->places[k];
    places[0] = places[1] = places[2] = -1;
    if (guide->rod == NULL) continue;
    const int j = guide->element, next = guide->rod->closed && j + 1 == guide->rod->element_count ? 0 : j + 1;
    if (guide->share < 1.0) places[0] = place_of(of, guide->rod, j, 0);
    if (guide->share > 0.0) places[1] = place_of(of, guide->rod, next, 0);
    if (eli_dot(guide->offset, guide->offset) > 0.0) places[2] = place_of(of, guide->rod, j, 1);
  }
}

static void weigh(eli_tendon *of) {
  for (int k = 0; k < of->place_count; k++) {
    eli_place *place = &of->place[k];
    const eli_anchor element = {.rod = place->rod, .element = place->index};
    place->inertia = place->turns ? eli_anchor_inertia(&element) : place->rod->mass[place->index];
    memset(place->pull, 0, sizeof place->pull);
  }
}

/* Adds to the pull on a place; returns the resulting change of the mobility. */
static double add_pull(eli_tendon *of, int number, double share, const double pull[3]) {
  if (number < 0) return 0.0;
  eli_place *place = &of->place[number];
  const double before = eli_dot(place->pull, place->pull);
  for (int a = 0; a < 3; a++) place->pull[a] += share * pull[a];
  return (eli_dot(place->pull, place->pull) - before) / place->inertia;
}

static double add_end(eli_tendon *of, int k, double sign, const double along[3]) {
  const eli_anchor *guide = &of->guide[k];
  double lever[3], turn[3];
  for (int a = 0; a < 3; a++) lever[a] = of->at[k].point[a] - of->at[k].axis[a];
  eli_cross(lever, along, turn);
  return add_pull(of, of->places[k][0], sign * (1.0 - guide->share), along) + add_pull(of, of->places[k][1], sign * guide->share, along) +
         add_pull(of, of->places[k][2], sign, turn);
}

double eli_tendon_mobility(eli_tendon *of, double *slip) {
  double mobility = 0.0, sum = 0.0;
  weigh(of);
  for (int k = of->count - 2; k >= 0; k--) {
    mobility += add_end(of, k + 1, 1.0, of->span[k].along);
    mobility += add_end(of, k, -1.0, of->span[k].along);
    sum += of->span[k].turn * (mobility > 0.0 ? mobility : 0.0);
  }
  if (slip != NULL) *slip = sum;
  return mobility > 0.0 ? mobility : 0.0;
}

/* ---- Tension ---- */

/* Returns c = 2 zeta sqrt(k m), limited so that it removes at most half of the rate within dt. */
static double damping_rate(eli_tendon *of, double dt) {
  const double mobility = eli_tendon_mobility(of, NULL);
  if (!(mobility > 0.0)) return 0.0;
  const double rate = 2.0 * of->damping * sqrt(of->active * of->stiffness / mobility), most = dt > 0.0 ? 0.5 / (mobility * dt) : INFINITY;
  return rate < most ? rate : most;
}

/* Returns the tension at the first guide: that of the spring, and of its damping, which is never more than that. */
static double first_tension(eli_tendon *of, double dt) {
  if (!of->is_spring) return of->active * of->tension;
  const double over = of->length - of->rest_length, pull = over <= 0.0 ? 0.0 : of->active * of->stiffness * over;
  if (!(of->damping > 0.0) || pull == 0.0) return pull;
  const double more = damping_rate(of, dt) * of->rate;
  return pull + (more > pull ? pull : more < -pull ? -pull : more);
}

/* A cable that runs through a guide towards the first guide has more tension before than behind the guide, and less if it runs the other
 * way. */
static void lose_by_friction(eli_tendon *of) {
  double behind = of->rate;
  for (int k = 1; k + 1 < of->count; k++) {
    eli_span *span = &of->span[k];
    behind -= span[-1].rate;
    const double slide = -behind / of->sliding_speed, part = slide / sqrt(1.0 + slide * slide);
    span->tension = span[-1].tension * eli_exp(-of->friction * span->turn * part);
  }
}

elastica_status eli_tendon_pull(eli_tendon *of, double time, double dt) {
  of->active = of->activation;
  if (of->drive != NULL) {
    const elastica_status status = of->drive(of->user, time, of->length, of->rate, &of->active);
    char what[ELI_STATUS_WORDS_SIZE];
    if (status != ELASTICA_OK) return eli_world_explain(of->world, of, "its drive returned %s", eli_status_words(status, what));
    if (!eli_is_moderate(of->active) || of->active < 0.0)
      return eli_world_explain(of->world, of, "its drive wrote the activation %g, which is outside 0..%g", of->active, ELI_LARGEST);
  }
  const double tension = first_tension(of, dt);
  for (int k = 0; k + 1 < of->count; k++) of->span[k].tension = tension;
  if (of->friction > 0.0 && tension != 0.0) lose_by_friction(of);
  return ELASTICA_OK;
}

/* ---- Loads ---- */

void eli_tendon_force(const eli_tendon *of, int k, double force[3]) {
  for (int a = 0; a < 3; a++) {
    force[a] = k + 1 < of->count ? of->span[k].tension * of->span[k].along[a] : 0.0;
    if (k > 0) force[a] -= of->span[k - 1].tension * of->span[k - 1].along[a];
  }
}

void eli_tendon_push(const eli_tendon *of, const elastica_loads *loads, int first) {
  const double none[3] = {0.0, 0.0, 0.0};
  double force[3];
  if (of->span[0].tension == 0.0) return;
  for (int k = 0; k < of->count; k++) {
    const eli_anchor *guide = &of->guide[k];
    if (guide->rod == NULL) continue;
    eli_tendon_force(of, k, force);
    eli_anchor_push(guide, &of->at[k], &loads[guide->rod->rod_index - first], 1.0, of->at[k].point, force, none);
  }
}

/* ---- The derivative of the loads ---- */

static void add_between(const eli_tendon *of, int row, int column, const double spring[9], elastica_tangent *tangent) {
  if (of->guide[row].rod == NULL || of->guide[column].rod == NULL) return;
  eli_anchor_add_spring(&of->guide[row], &of->at[row], &of->guide[column], &of->at[column], spring, tangent);
}

/* Computes dL/dx of the length by the point of a guide. */
static void find_gradient(const eli_tendon *of, int k, double gradient[3]) {
  for (int a = 0; a < 3; a++) {
    gradient[a] = k > 0 ? of->span[k - 1].along[a] : 0.0;
    if (k + 1 < of->count) gradient[a] -= of->span[k].along[a];
  }
}

/* A span of tension T and length l resists T/l across its direction; a taut spring k dL/dx dL/dx^T between all guides. */
void eli_tendon_add_tangent(const eli_tendon *of, elastica_tangent *tangent) {
  double force[3], gradient[2][3];
  int in_world = 0;
  if (of->span[0].tension == 0.0) return;
  for (int k = 0; k < of->count; k++) in_world = in_world || of->guide[k].rod == NULL;
  tangent->balanced = !in_world;
  for (int k = 0; k + 1 < of->count; k++) {
    const eli_span *span = &of->span[k];
    const double stiffness = span->tension / span->length;
    for (int side = 0; side < 4; side++) {
      const double sign = side == 0 || side == 3 ? stiffness : -stiffness;
      double spring[9] = {0.0};
      eli_add_diagonal(spring, sign);
      eli_add_outer(spring, -sign, span->along, span->along);
      add_between(of, k + side / 2, k + side % 2, spring, tangent);
    }
  }
  for (int k = 0; k < of->count && of->is_spring; k++)
    for (int j = 0; j < of->count; j++) {
      double spring[9] = {0.0};
      find_gradient(of, k, gradient[0]);
      find_gradient(of, j, gradient[1]);
      eli_add_outer(spring, of->active * of->stiffness, gradient[0], gradient[1]);
      add_between(of, k, j, spring, tangent);
    }
  for (int k = 0; k < of->count; k++) {
    eli_tendon_force(of, k, force);
    if (of->guide[k].rod != NULL) eli_anchor_add_arm(&of->guide[k], &of->at[k], force, tangent);
  }
}

/* ---- The step limit ---- */

/* T/L |x_{k+1} - x_k|^2 across a span, and T |t' - t| |offset| of frames: their points move on arcs. */
static void bound_guides(const eli_tendon *of, double tension, const elastica_stiffness *rods, int first) {
  for (int k = 0; k + 1 < of->count; k++) {
    const double stiffness = tension / of->span[k].length;
    double mobility = 0.0;
    for (int end = k; end <= k + 1; end++)
      if (of->guide[end].rod != NULL) mobility += eli_anchor_mobility(&of->guide[end], &of->at[end]);
    for (int end = k; end <= k + 1; end++) {
      const eli_anchor *guide = &of->guide[end];
      if (guide->rod == NULL) continue;
      const elastica_stiffness *to = &rods[guide->rod->rod_index - first];
      eli_anchor_bound(guide, to, stiffness, 0.0, mobility);
      to->element[guide->element] += tension * sqrt(eli_dot(guide->offset, guide->offset));
    }
  }
}

/* k g g^T of the whole length, g its gradient: at most k times mobility times the inertia of each place; rates likewise. */
static void bound_places(const eli_tendon *of, double frequency, double rate, const elastica_stiffness *rods, int first) {
  for (int k = 0; k < of->place_count; k++) {
    const eli_place *place = &of->place[k];
    const elastica_stiffness *to = &rods[place->rod->rod_index - first];
    (place->turns ? to->element : to->node)[place->index] += frequency * place->inertia;
    (place->turns ? to->element_rate : to->node_rate)[place->index] += rate * place->inertia;
  }
}

/* Returns 1 if the cable will pull or go slack within this time at its present rate. */
static int changes_within(const eli_tendon *of, double time) {
  const double over = of->length - of->rest_length;
  return (over > 0.0) != (over + time * of->rate > 0.0);
}

/* Returns the square of the frequency [1/s^2] of the masses at the guides on the spring. */
static double frequency_of(const eli_tendon *of, double mobility) {
  return of->is_spring ? of->active * of->stiffness * mobility : 0.0;
}

/* Returns 1 if a taut cable was slack within two periods: an oscillation that makes it slack does so in each period. */
static int was_slack(const eli_tendon *of, double frequency, double time) {
  const double passed = time - of->slack_at;
  return of->length > of->rest_length && passed * passed * frequency < 16.0 * ELI_PI * ELI_PI;
}

int eli_tendon_step(eli_tendon *of, const elastica_instant *now) {
  const double dt = now->dt;
  if (!of->is_spring || !(dt > 0.0)) return 0;
  if (of->length <= of->rest_length) of->slack_at = now->time;
  if (!now->is_adaptive || !changes_within(of, ELI_STEPS_AWAITED * dt)) return 0;
  const double frequency = frequency_of(of, eli_tendon_mobility(of, NULL));
  return frequency > 0.0 && eli_is_too_long(dt, frequency, 2.0 * of->damping * sqrt(frequency), 1.0, 1);
}

void eli_tendon_bound(eli_tendon *of, const elastica_instant *now, const elastica_stiffness *rods, int first) {
  double slip;
  const double mobility = eli_tendon_mobility(of, &slip), grip = of->friction > 0.0 ? eli_exp(of->friction * of->turned) : 1.0;
  const double frequency = frequency_of(of, mobility), tension = grip * of->span[0].tension;
  const double damper = 2.0 * of->damping * sqrt(frequency);
  const double slider = of->friction > 0.0 ? of->friction / of->sliding_speed * tension * slip : 0.0;
  of->resolves = frequency > 0.0 && now->is_adaptive &&
                 (changes_within(of, ELI_STEPS_COUNTED * now->checked_dt) || was_slack(of, frequency, now->time)) &&
                 of->damping < ELI_DAMPED;
  const double resolved = of->resolves ? eli_resolved_stiffness(frequency, damper, 1.0) : 0.0;
  bound_guides(of, tension, rods, first);
  bound_places(of, ELI_KINK * grip * frequency + resolved, damper + slider, rods, first);
}

/* ---- Guides of a definition ---- */

static int from_end(int index, int count) {
  return index < 0 ? index + count : index;
}

int eli_tendon_count(const elastica_tendon_def *def) {
  if (def->rod == NULL) return def->guide_count;
  const int count = elastica_rod_get_view(def->rod)->element_count;
  return from_end(def->last, count) - from_end(def->first, count) + 2;
}

/* Returns a guide of a run: the first node of each element, then the second node of the last. */
static eli_anchor guide_of_run(const elastica_tendon_def *def, int k) {
  const elastica_rod_view *view = elastica_rod_get_view(def->rod);
  const int element = from_end(def->first, view->element_count) + k, behind = element > from_end(def->last, view->element_count);
  eli_anchor guide = {.rod = view, .element = element - behind, .share = behind ? 1.0 : 0.0};
  memcpy(guide.offset, def->offset, sizeof guide.offset);
  return guide;
}

eli_anchor eli_tendon_guide(const elastica_tendon_def *def, int k) {
  if (def->rod != NULL) return guide_of_run(def, k);
  const elastica_anchor *given = &def->guides[k];
  eli_anchor guide = {.rod = NULL};
  if (given->rod != NULL) {
    guide.rod = elastica_rod_get_view(given->rod);
    guide.element = from_end(given->element, guide.rod->element_count);
    guide.share = given->share;
  }
  memcpy(guide.offset, given->offset, sizeof guide.offset);
  return guide;
}

static elastica_status check_run(const eli_request *request, const elastica_tendon_def *def) {
  int first, last;
  if (def->guides != NULL)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: tendon_def.rod and tendon_def.guides are both set",
                                 request->function);
  elastica_status status = eli_rod_check_in(request->world, def->rod, request->function);
  if (status != ELASTICA_OK) return status;
  if (elastica_rod_get_view(def->rod)->rigid)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: tendon_def.rod is a rigid body, which has no run of elements", request->function);
  const int count = elastica_rod_get_view(def->rod)->element_count;
  status = eli_check_index(request->world, request->function, "first", def->first, count, &first);
  if (status == ELASTICA_OK) status = eli_check_index(request->world, request->function, "last", def->last, count, &last);
  if (status != ELASTICA_OK || first <= last) return status;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: first element %d lies behind last element %d",
                               request->function, first, last);
}

static elastica_status check_guides(const eli_request *request, const elastica_tendon_def *def) {
  enum { NAME_SIZE = 40 };
  char name[NAME_SIZE];
  int on_rods = 0;
  if (def->guides == NULL)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: tendon_def.rod and tendon_def.guides are both NULL",
                                 request->function);
  if (def->guide_count < 2)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: tendon_def.guide_count is %d: a cable has two ends",
                                 request->function, def->guide_count);
  for (int k = 0; k < def->guide_count; k++) {
    eli_anchor guide;
    const elastica_anchor *given = &def->guides[k];
    snprintf(name, sizeof name, "tendon_def.guides[%d]", k);
    const elastica_status status = given->rod != NULL ? eli_anchor_read(request, name, given, &guide)
                                                      : eli_check_numbers(request->world, name, ELI_RULE_NUMBER, given->offset, 3);
    if (status != ELASTICA_OK) return status;
    on_rods += given->rod != NULL;
  }
  if (on_rods > 0) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: no rod in tendon_def.guides, all are NULL",
                               request->function);
}

/* Checks that consecutive guides are apart, and that a changed tendon keeps the rods of its guides. */
static elastica_status check_way(const eli_request *request, const elastica_tendon_def *def) {
  const eli_tendon *old = request->old;
  const int count = eli_tendon_count(def);
  eli_anchor guide[2];
  eli_anchored at[2];
  eli_span span;
  eli_tendon pair = {.count = 2, .guide = guide, .at = at, .span = &span};
  if (old != NULL && old->count != count)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: the tendon has %d guides, not %d", request->function,
                                 old->count, count);
  for (int k = 0; k < count; k++) {
    guide[0] = eli_tendon_guide(def, k);
    if (old != NULL && old->guide[k].rod != guide[0].rod)
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: guide %d of the tendon is on another rod",
                                   request->function, k);
    if (k + 1 == count) break;
    guide[1] = eli_tendon_guide(def, k + 1);
    eli_tendon_find(&pair, 0);
    if (!(span.length > 0.0))
      return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: guides %d and %d are at the same point",
                                   request->function, k, k + 1);
  }
  return ELASTICA_OK;
}

int eli_tendon_has_several(const elastica_tendon_def *def, const elastica_rod *rod) {
  for (int k = 0; def->rod == NULL && k < def->guide_count; k++)
    if (def->guides[k].rod != NULL && def->guides[k].rod != rod) return 1;
  return 0;
}

elastica_rod *eli_tendon_first_rod(const elastica_tendon_def *def) {
  for (int k = 0; def->rod == NULL && def->guides != NULL && k < def->guide_count; k++)
    if (def->guides[k].rod != NULL) return def->guides[k].rod;
  return def->rod;
}

elastica_status eli_tendon_check(const eli_request *request, const elastica_tendon_def *def) {
  const elastica_status status = def->rod != NULL ? check_run(request, def) : check_guides(request, def);
  return status == ELASTICA_OK ? check_way(request, def) : status;
}
