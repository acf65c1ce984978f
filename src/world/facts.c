/* Facts about a rod, and its survey for a check.
 *
 * models     facts: means of its properties, wave speeds, the lowest natural frequency. Supports of the ends: lanes of velocity and spin
 * are
 *            filled with NaN and the constraints are called; the written components are prescribed. Half-cell clamps fix a frame by a
 *            couple and are recognised by name. Loads: those of each effect
 * equation   bending: f = (beta^2/(2 pi L^2)) sqrt(EI/(rho A)), beta by the supports of the ends; for a ring
 *            sqrt(36/5) sqrt(EI/(rho A))/R^2 in its two-lobed mode; torsion and stretch: c/(4 L) if exactly one end is fixed, else c/(2 L)
 *            bending speed for the wave of two elements: omega/k of the lower branch of
 *            [[S1 s^2/m', S1 s/sqrt(m' j')], [., (S1 + B1 s^2)/j']], s = 2/l, k = pi/l, m' and j' mass and rotary inertia per length
 * source     Timoshenko's beam on the grid of nodes and frames; ring: Love 1892
 * test       tests/test_facts.c, tests/test_check.c, tests/test_check_scene.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "rod/law.h"
#include "state/definition.h"
#include "state/prescribed.h"
#include "step/stepper.h"
#include "world/check.h"

/* ---- Facts ---- */

static double smaller(double a, double b) {
  return a < b ? a : b;
}

/* Means over the length at rest. */
typedef struct means {
  double length, mass, inertia, spin_inertia; /* sums over all elements: [kg], [kg m^2] */
  double stretch, shear, bend, twist;
} means;

static means means_of(const elastica_rod *rod, elastica_rod_facts *facts) {
  const elastica_rod_view *view = &rod->body->view;
  const double *mass = rod->world->bodies.slab.lane[ELI_ELEMENT_MASS] + rod->offset;
  means all = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  double volume = 0.0;
  facts->shortest = INFINITY;
  for (int j = 0; j < view->element_count; j++) {
    const double l = view->rest_length[j], radius = eli_radius(view->volume[j], l), ratio = l / radius;
    all.length += l;
    all.mass += mass[j];
    volume += view->volume[j];
    all.inertia += smaller(view->inertia[0][j], view->inertia[1][j]);
    all.spin_inertia += view->inertia[2][j];
    all.stretch += l * view->shear_stiffness[2][j];
    all.shear += l * smaller(view->shear_stiffness[0][j], view->shear_stiffness[1][j]);
    all.bend += l * smaller(view->element_bend_stiffness[0][j], view->element_bend_stiffness[1][j]);
    all.twist += l * view->element_bend_stiffness[2][j];
    facts->radius += l * radius;
    if (ratio < facts->shortest) facts->shortest = ratio;
    if (ratio > facts->longest) facts->longest = ratio;
  }
  facts->radius /= all.length;
  facts->density = all.mass / volume;
  all.stretch /= all.length, all.shear /= all.length, all.bend /= all.length, all.twist /= all.length;
  return all;
}

/* beta of the lowest bending mode, for the supports of both ends. */
static double beta_of(elastica_support first, elastica_support last) {
  static const double beta[4][4] = {{4.730040744862704, 3.926602312047919, 2.365020372431352, 1.875104068711961},
                                    {3.926602312047919, 3.141592653589793, 1.570796326794897, 3.926602312047919},
                                    {2.365020372431352, 1.570796326794897, 3.141592653589793, 2.365020372431352},
                                    {1.875104068711961, 3.926602312047919, 2.365020372431352, 4.730040744862704}};
  return beta[first][last];
}

static double bending_frequency(const means *of, double beta) {
  const double kappa = beta / of->length;
  return kappa * kappa * sqrt(of->bend * of->length / of->mass) / (2.0 * ELI_PI);
}

static double lowest_frequency(const means *of, const elastica_rod_facts *facts, const eli_survey *survey) {
  if (survey->rod->closed) {
    const double radius = of->length / (2.0 * ELI_PI);
    return sqrt(36.0 / 5.0) * sqrt(of->bend * of->length / of->mass) / (radius * radius) / (2.0 * ELI_PI);
  }
  const int frames = (facts->first >= ELASTICA_SUPPORT_GUIDED) + (facts->last >= ELASTICA_SUPPORT_GUIDED);
  const int along = (survey->held[0] == ELASTICA_AXIS_ALL) + (survey->held[1] == ELASTICA_AXIS_ALL);
  double lowest = bending_frequency(of, beta_of(facts->first, facts->last));
  lowest = smaller(lowest, facts->torsion_speed / ((frames == 1 ? 4.0 : 2.0) * of->length));
  return smaller(lowest, facts->stretch_speed / ((along == 1 ? 4.0 : 2.0) * of->length));
}

/* The product of the squared frequencies of both branches is S1 s^2 B1 s^2/(m' j'). */
static double bending_speed(const means *of, int element_count) {
  const double l = of->length / element_count, s2 = 4.0 / (l * l), m = of->mass / of->length, j = of->inertia / of->length;
  const double a = of->shear * s2 / m, d = (of->shear + of->bend * s2) / j, b2 = of->shear * s2 / m * (of->shear / j);
  const double upper = 0.5 * (a + d + sqrt((a - d) * (a - d) + 4.0 * b2)), product = a * (of->bend * s2 / j);
  return sqrt(product / upper) * l / ELI_PI;
}

static void find_facts(eli_survey *survey) {
  const elastica_rod *rod = survey->rod;
  elastica_rod_facts *facts = &survey->facts;
  const means of = means_of(rod, facts);
  facts->length = of.length;
  facts->slenderness = of.length / facts->radius;
  for (int i = 0; i < rod->body->view.node_count; i++) facts->mass += rod->body->view.mass[i];
  facts->stretch_stiffness = of.stretch, facts->shear_stiffness = of.shear;
  facts->bend_stiffness = of.bend, facts->twist_stiffness = of.twist;
  facts->stretch_speed = sqrt(of.stretch * of.length / of.mass);
  facts->shear_speed = sqrt(of.shear * of.length / of.mass);
  facts->torsion_speed = sqrt(of.twist * of.length / of.spin_inertia);
  facts->bending_speed = bending_speed(&of, rod->element_count);
  facts->frequency = lowest_frequency(&of, facts, survey);
  facts->period = 1.0 / facts->frequency;
  facts->free_frequency = bending_frequency(&of, beta_of(ELASTICA_SUPPORT_FREE, ELASTICA_SUPPORT_FREE));
  facts->cantilever_frequency = bending_frequency(&of, beta_of(ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_FREE));
}

/* ---- Memory of a survey ---- */

enum { LANES = 14 };

static elastica_status reserve(eli_survey *survey, const char *function) {
  elastica_world *world = survey->rod->world;
  const size_t slots = (size_t)survey->rod->element_count + 1;
  double *next = survey->memory = eli_allocate(&world->allocator, LANES * slots, sizeof *survey->memory);
  if (next == NULL)
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "%s: no memory for the facts of rod %d", function, survey->rod->index);
  for (int a = 0; a < 3; a++, next += slots) survey->force[a] = next;
  for (int a = 0; a < 3; a++, next += slots) survey->couple[a] = next;
  for (int a = 0; a < 3; a++, next += slots) survey->own_force[a] = next;
  for (int a = 0; a < 3; a++, next += slots) survey->own_couple[a] = next;
  survey->own_drag = next;
  survey->own_spin_drag = next + slots;
  return ELASTICA_OK;
}

void eli_survey_release(eli_survey *survey) {
  eli_release(&survey->rod->world->allocator, survey->memory);
}

/* ---- Supports ---- */

/* Fills velocities or spins with NaN, calls the constraints, and restores the lanes. seen[a][i] becomes 1 if component a of slot i was
 * written. */
static void find_written(eli_survey *survey, int lane, eli_hook hook, elastica_state *state, double *const seen[3]) {
  elastica_rod *rod = survey->rod;
  elastica_world *world = rod->world;
  elastica_instant now = eli_instant(world, eli_world_now(world), survey->dt);
  now.rod_index = rod->index;
  const size_t bytes = ((size_t)rod->element_count + 1) * sizeof(double);
  double *at[3];
  for (int a = 0; a < 3; a++) {
    at[a] = world->bodies.slab.lane[lane + a] + rod->offset;
    memcpy(seen[a], at[a], bytes);
    for (int i = 0; i <= rod->element_count; i++) at[a][i] = NAN;
  }
  ELI_EACH_EFFECT(effect, rod, hook) eli_call(effect, hook, &now, &rod->body->view, state);
  for (int a = 0; a < 3; a++)
    for (int i = 0; i <= rod->element_count; i++) {
      const double kept = seen[a][i];
      seen[a][i] = !eli_is_nan(at[a][i]);
      at[a][i] = kept;
    }
}

static elastica_support support_of(int sideways, int frame) {
  if (sideways) return frame ? ELASTICA_SUPPORT_CLAMPED : ELASTICA_SUPPORT_PINNED;
  return frame ? ELASTICA_SUPPORT_GUIDED : ELASTICA_SUPPORT_FREE;
}

/* Returns 1 if all axes are prescribed, or all but the one along which the rod lies. */
static int is_held_sideways(const eli_survey *survey, unsigned held, int element) {
  if (held == ELASTICA_AXIS_ALL) return 1;
  for (int a = 0; a < 3; a++)
    if ((held | (1u << a)) == ELASTICA_AXIS_ALL) return fabs(survey->rod->body->view.tangent[a][element]) > 0.9;
  return 0;
}

/* Marks the ends with frames fixed by half-cell clamps. */
static void find_clamped_frames(const eli_survey *survey, int frame[2]) {
  const elastica_rod *rod = survey->rod;
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_LOADS) {
    if (!eli_is_half_cell(effect)) continue;
    const eli_prescribed *prescribed = effect->self; /* eli_prescribed is the first member of a boundary */
    frame[prescribed->node > 0] = 1;
  }
}

static void find_supports(eli_survey *survey) {
  elastica_rod *rod = survey->rod;
  const int n = rod->element_count, nodes = rod->body->view.node_count;
  int frame[2] = {0, 0};
  find_written(survey, ELI_VELOCITY, ELI_CONSTRAIN_VELOCITY, &rod->body->velocities, survey->own_force);
  find_written(survey, ELI_OMEGA, ELI_CONSTRAIN_SPIN, &rod->body->spins, survey->own_couple);
  for (int a = 0; a < 3; a++) {
    if (survey->own_force[a][0] != 0.0) survey->held[0] |= 1u << a;
    if (survey->own_force[a][n] != 0.0) survey->held[1] |= 1u << a;
    for (int i = 0; i < nodes; i++)
      if (survey->own_force[a][i] != 0.0 && (rod->closed || (i > 0 && i < n))) survey->held_inside = 1;
    for (int j = 1; j < n - 1; j++)
      if (survey->own_couple[a][j] != 0.0) survey->held_inside = 1;
  }
  if (rod->closed) return;
  frame[0] = survey->own_couple[0][0] != 0.0 && survey->own_couple[1][0] != 0.0;
  frame[1] = survey->own_couple[0][n - 1] != 0.0 && survey->own_couple[1][n - 1] != 0.0;
  find_clamped_frames(survey, frame);
  survey->facts.first = support_of(is_held_sideways(survey, survey->held[0], 0), frame[0]);
  survey->facts.last = support_of(is_held_sideways(survey, survey->held[1], n - 1), frame[1]);
}

/* ---- Loads, without the couples of clamps ---- */

/* Adds the moments of the loads of one effect about an end of the rod, and returns their magnitude. */
static double add_moments(eli_survey *survey, int end, double moment[3], double couple[3]) {
  const elastica_rod_view *view = &survey->rod->body->view;
  const int pole = end ? view->node_count - 1 : 0;
  double own[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < view->node_count; i++)
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      const double arm_b = view->position[b][i] - view->position[b][pole], arm_c = view->position[c][i] - view->position[c][pole];
      const double turn = arm_b * survey->own_force[c][i] - arm_c * survey->own_force[b][i];
      moment[a] += turn;
      own[a] += turn;
      survey->resultant[a] += survey->own_force[a][i];
    }
  for (int j = 0; j < view->element_count; j++) {
    const double given[3] = {survey->own_couple[0][j], survey->own_couple[1][j], survey->own_couple[2][j]};
    double turned[3];
    elastica_rotate_to_laboratory(view, j, given, turned);
    for (int a = 0; a < 3; a++) couple[a] += turned[a], own[a] += turned[a];
  }
  return sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2]);
}

/* Returns 1 if the effect dissipates by itself, and for a user's module, because its dissipation is unknown. */
static int may_dissipate(const elastica_effect *effect) {
  const eli_built_in *kind = effect->body->kind;
  return kind == NULL || (kind->dissipates != NULL && kind->dissipates(effect->self));
}

/* Returns 1 if the effect has added rates of dissipation. */
static int has_rates(const eli_survey *survey) {
  for (int i = 0; i <= survey->rod->element_count; i++)
    if (survey->own_drag[i] > 0.0 || survey->own_spin_drag[i] > 0.0) return 1;
  return 0;
}

static int call(eli_survey *survey, elastica_effect *effect, eli_tile_report *report) {
  elastica_rod *rod = survey->rod;
  elastica_loads loads = {sizeof loads, {NULL}, {NULL}, survey->own_drag, survey->own_spin_drag, {NULL}, {NULL}, 0};
  elastica_instant now = eli_instant(rod->world, eli_world_now(rod->world), survey->dt);
  now.rod_index = rod->index;
  memset(survey->own_force[0], 0, 8 * ((size_t)rod->element_count + 1) * sizeof(double));
  for (int a = 0; a < 3; a++) loads.force[a] = survey->own_force[a], loads.couple[a] = survey->own_couple[a];
  if (effect->body->module.full_time > now.time) now.time = effect->body->module.full_time;
  if (effect->body->module.is_idle != NULL && effect->body->module.is_idle(effect->self, &now, &rod->body->view)) return 1;
  return eli_call_hook(effect, ELI_ADD_LOADS, rod, &now, &loads, report);
}

/* Compares the loads of a user's effect with the fields of its module that tell steps where to expect them. */
static void find_stray(eli_survey *survey, elastica_effect *effect) {
  const elastica_module *module = &effect->body->module;
  const int count = survey->rod->element_count, first = module->first_written, last = module->last_written;
  const int from = first >= 0 && first <= count ? first : 0, to = last >= 0 && last <= count ? last : count;
  for (int i = 0; i <= count && survey->stray == NULL && effect->body->kind == NULL; i++) {
    int loaded = 0;
    for (int a = 0; a < 3; a++) loaded |= survey->own_force[a][i] != 0.0 || survey->own_couple[a][i] != 0.0;
    const int rate = survey->own_drag[i] != 0.0 || survey->own_spin_drag[i] != 0.0, outside = i < from || i > to;
    if (!(outside && (loaded || rate)) && !(rate && !module->adds_rates)) continue;
    survey->stray = effect;
    survey->stray_index = i;
    survey->stray_rate = !outside;
    survey->allowed[0] = from, survey->allowed[1] = to;
  }
}

/* Loads on the ghost of a ring belong to node 0. */
static void add_own(eli_survey *survey) {
  const elastica_rod *rod = survey->rod;
  for (int a = 0; a < 3; a++) {
    if (rod->closed) survey->own_force[a][0] += survey->own_force[a][rod->element_count];
    for (int i = 0; i <= rod->element_count; i++) {
      survey->force[a][i] += survey->own_force[a][i];
      survey->couple[a][i] += survey->own_couple[a][i];
    }
  }
}

static elastica_status add_up_loads(eli_survey *survey) {
  elastica_rod *rod = survey->rod;
  eli_tile_report report = {0};
  const int end = survey->facts.first < ELASTICA_SUPPORT_GUIDED && survey->facts.last >= ELASTICA_SUPPORT_GUIDED;
  double moment[3] = {0.0, 0.0, 0.0}, couple[3] = {0.0, 0.0, 0.0}, most = 0.0;
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_LOADS) {
    if (eli_is_half_cell(effect) || !call(survey, effect, &report)) continue;
    find_stray(survey, effect);
    add_own(survey);
    survey->damped |= has_rates(survey) || may_dissipate(effect);
    const double own = add_moments(survey, end, moment, couple);
    if (own <= most) continue;
    most = own;
    survey->turning = effect;
  }
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_RESULTANTS) survey->damped |= may_dissipate(effect);
  ELI_EACH_EFFECT(effect, rod, ELI_ADD_REACTIONS) survey->damped |= may_dissipate(effect);
  survey->damped |= rod->world->pair_phase.enabled > 0;
  survey->moment = sqrt(moment[0] * moment[0] + moment[1] * moment[1] + moment[2] * moment[2]);
  survey->couple_moment = sqrt(couple[0] * couple[0] + couple[1] * couple[1] + couple[2] * couple[2]);
  if (report.status == ELASTICA_OK) return ELASTICA_OK;
  return eli_world_refuse_hook(rod->world, &report);
}

elastica_status eli_survey_rod(eli_survey *survey, elastica_rod *rod, double dt, const char *function) {
  memset(survey, 0, sizeof *survey);
  survey->rod = rod;
  survey->dt = dt;
  survey->supported = eli_rod_is_supported(rod);
  elastica_status status = reserve(survey, function);
  if (status != ELASTICA_OK) return status;
  eli_world_enter_hooks(rod->world, ELI_IN_HOOK);
  find_supports(survey);
  status = add_up_loads(survey);
  eli_world_leave_hooks(rod->world);
  find_facts(survey);
  return status;
}
/* ---- Query ---- */

elastica_status elastica_rod_get_facts(elastica_rod *rod, elastica_rod_facts *out) {
  elastica_status status = eli_rod_check(rod, "rod_get_facts");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = rod->world;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_get_facts: out is NULL");
  if (eli_is_rigid(rod))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_get_facts: rod %d is a rigid body", rod->index);
  eli_survey survey;
  double limit = 0.0;
  status = eli_rod_refresh(rod, "rod_get_facts");
  if (status == ELASTICA_OK) status = eli_rod_check_limit(rod, eli_world_now(world), &limit);
  if (status == ELASTICA_OK) status = eli_rod_check_limit(rod, eli_world_now(world) + ELI_LIMIT_CHECK_INTERVAL * limit, &limit);
  if (status != ELASTICA_OK) return status;
  status = eli_survey_rod(&survey, rod, limit, "rod_get_facts");
  eli_survey_release(&survey);
  survey.facts.step_limit = limit;
  if (status == ELASTICA_OK) *out = survey.facts;
  return status;
}
