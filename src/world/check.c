/* Checks a world before it runs.
 *
 * test       tests/test_check.c, tests/test_check_scene.c
 */
#include "base/target.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/sentence.h"
#include "step/stepper.h"
#include "world/check.h"

#define SHARE_OF_STEP 0.9
#define LARGEST_REST_STRAIN 0.5
#define SHORTEST_ELEMENT 0.05 /* [radii] */
#define LONGEST_ELEMENT 1e4
#define LARGEST_MASS_RATIO 1e5

/* Limits of common materials and sizes, in SI units. */
#define LEAST_DENSITY 1.0
#define LARGEST_DENSITY 3e4
#define LEAST_WAVE_SPEED 1.0
#define LARGEST_WAVE_SPEED 2e4
#define LARGEST_RADIUS 0.5
#define LARGEST_LENGTH 1000.0

const char *elastica_finding_text(elastica_finding_kind kind) {
  static const char *const names[] = {"STEP",    "LOAD",       "STRETCH", "BUCKLING", "REST_STRAIN", "UNDAMPED", "PROPORTION", "MASS_RATIO",
                                      "DENSITY", "WAVE_SPEED", "SIZE",    "OVERLAP",  "HOLD",        "APPROACH", "WEIGHT",     "LOOP"};
  return (int)kind >= 0 && (size_t)kind < sizeof names / sizeof *names ? names[kind] : "no finding";
}

void eli_check_note(const eli_check *check, elastica_finding_kind kind, elastica_severity severity, eli_spot spot, const char *format,
                    ...) {
  elastica_check_report *report = check->report;
  int k = 0;
  while (k < report->finding_count && report->findings[k].kind != kind) k++;
  elastica_finding *to = &report->findings[k];
  if (k == report->finding_count) {
    memset(to, 0, sizeof *to);
    report->finding_count++;
  }
  to->rod_count++;
  if (to->rod_count > 1 && (severity < to->severity || (severity == to->severity && !(spot.badness > check->badness[k])))) return;
  check->badness[k] = spot.badness;
  to->kind = kind;
  to->severity = severity;
  to->rod_index = spot.rod, to->element = spot.element;
  to->effect = spot.effect;
  to->value = spot.value, to->bound = spot.bound;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(to->sentence, sizeof to->sentence, format, arguments);
  va_end(arguments);
}

double eli_rounded_up(double modulus) {
  double scale = 1.0;
  while (modulus / scale >= 100.0) scale *= 10.0;
  while (modulus / scale < 10.0) scale *= 0.1;
  return -floor(-modulus / scale) * scale;
}

/* ---- The step ---- */

static void check_step(const eli_check *check, double dt) {
  char where[200], steps[ELI_COMPARISON_SIZE];
  elastica_world *world = check->world;
  const elastica_step_limit *limit = &check->report->limit;
  if (!(dt > SHARE_OF_STEP * limit->dt)) return;
  const eli_spot spot = {limit->rod_index, limit->element, limit->effect, dt, limit->dt, dt / limit->dt};
  eli_limit_text(world, limit, where, sizeof where);
  eli_comparison(dt, limit->dt, steps);
  if (dt <= limit->dt)
    eli_check_note(check, ELASTICA_FINDING_STEP, ELASTICA_SEVERITY_WARNING, spot,
                   "dt = %s %s: as soon as the rod bends, stretches or touches something, the limit falls and the step is refused", steps,
                   where);
  else
    eli_check_note(check, ELASTICA_FINDING_STEP, ELASTICA_SEVERITY_ERROR, spot, "dt = %s %s: %s", steps, where,
                   world->allow_unstable_step ? "waves of the shortest length grow in each step until the simulation fails"
                                              : "elastica_world_step refuses it");
}

/* A spin is reported if it makes the steps chosen by the library this many times shorter than the limit. Steps of a given size are refused
 * if a frame would turn too far. */
#define SPIN_SHORTENS 100.0

static void check_spin(const eli_check *check, double dt) {
  const elastica_world *world = check->world;
  eli_spot spot = {-1, -1, NULL, 0.0, 0.0, 0.0};
  double most = 0.0;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const elastica_rod_view *view = &rod->body->view;
    for (int j = 0; j < view->element_count; j++) {
      double square = 0.0;
      for (int a = 0; a < 3; a++) square += view->omega[a][j] * view->omega[a][j];
      if (!(square > most)) continue;
      most = square;
      spot.rod = rod->index, spot.element = j;
    }
  }
  const double spin = sqrt(most), step = 0.5 / spin, limit = check->report->limit.dt;
  spot.value = dt > 0.0 ? dt : limit;
  spot.bound = dt > 0.0 ? 1.0 / spin : step;
  spot.badness = spot.value / spot.bound;
  if (dt > 0.0 && spin * dt > 1.0)
    eli_check_note(check, ELASTICA_FINDING_STEP, ELASTICA_SEVERITY_ERROR, spot,
                   "rod %d, element %d spins at %.6g rad/s and would turn by %.3g rad in dt = %.6g s: %s", spot.rod, spot.element, spin,
                   spin * dt, dt, world->allow_unstable_step ? "the simulation fails" : "elastica_world_step refuses it");
  else if (dt == 0.0 && limit < INFINITY && SPIN_SHORTENS * step < limit)
    eli_check_note(check, ELASTICA_FINDING_STEP, ELASTICA_SEVERITY_WARNING, spot,
                   "rod %d, element %d spins at %.6g rad/s: half a radian takes %.3g s, the step that the library will choose, where the "
                   "stable one is %.3g s",
                   spot.rod, spot.element, spin, step, limit);
}

/* ---- Prescriptions of pins and clamps ---- */

/* dt: size of the step. */
static void check_holds(const eli_check *check, const elastica_rod *rod, double dt) {
  elastica_world *world = check->world;
  const double now = eli_world_now(world);
  eli_jump jump = {NULL, 0, 0, 0.0, 0.0, 0.0};
  eli_conflict conflict = {{NULL, NULL}, ELI_APART, 0, 0.0, 0.0};
  char told[300];
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  eli_find_conflict(rod, now, dt, &conflict);
  eli_find_jump(rod, now, now + dt, &jump);
  eli_world_leave_hooks(world);
  const eli_spot against = {rod->index, conflict.place, conflict.effect[1], conflict.by, 0.0, conflict.size};
  const eli_spot far = {
      rod->index, jump.place,          world->effects != NULL && jump.effect != NULL ? world->effects[jump.effect->index] : NULL,
      jump.by,    jump.by / jump.size, jump.size};
  if (eli_tell_conflict(rod, &conflict, told, sizeof told) > 0)
    eli_check_note(check, ELASTICA_FINDING_HOLD, ELASTICA_SEVERITY_ERROR, against, "%s; the later one has its way", told);
  else if (eli_tell_jump(rod, &jump, told, sizeof told) > 0)
    eli_check_note(check, ELASTICA_FINDING_HOLD, ELASTICA_SEVERITY_WARNING, far, "%s: no element beside it can follow", told);
}

/* ---- Rest strain, proportions, masses ---- */

static void check_rest_strain(const eli_check *check, const eli_survey *survey) {
  static const char *const names[3] = {"shear along d1", "shear along d2", "stretch"};
  const elastica_rod_view *view = &survey->rod->body->view;
  eli_spot spot = {view->rod_index, 0, NULL, 0.0, LARGEST_REST_STRAIN, 0.0};
  int axis = 0;
  for (int j = 0; j < view->element_count; j++)
    for (int a = 0; a < 3; a++) {
      if (fabs(view->rest_strain[a][j]) <= spot.value) continue;
      spot.value = fabs(view->rest_strain[a][j]);
      spot.element = j;
      axis = a;
    }
  spot.badness = spot.value / spot.bound;
  if (!(spot.value > LARGEST_REST_STRAIN)) return;
  eli_check_note(check, ELASTICA_FINDING_REST_STRAIN, ELASTICA_SEVERITY_WARNING, spot,
                 "rod %d, element %d: its rest strain is %.3g (%s). Beyond %g the rest shape is far from the rest length, which stiffness, "
                 "inertia and the distance of joints are referred to; give it rest_length or rest positions instead",
                 spot.rod, spot.element, view->rest_strain[axis][spot.element], names[axis], LARGEST_REST_STRAIN);
}

static void check_proportions(const eli_check *check, const eli_survey *survey) {
  const elastica_rod_facts *facts = &survey->facts;
  const int rod = survey->rod->index;
  const eli_spot short_one = {rod, -1, NULL, facts->shortest, SHORTEST_ELEMENT, SHORTEST_ELEMENT / facts->shortest};
  const eli_spot long_one = {rod, -1, NULL, facts->longest, LONGEST_ELEMENT, facts->longest / LONGEST_ELEMENT};
  if (facts->shortest < SHORTEST_ELEMENT)
    eli_check_note(
        check, ELASTICA_FINDING_PROPORTION, ELASTICA_SEVERITY_WARNING, short_one,
        "rod %d: an element is %.3g radii long. Elements far shorter than the rod is thick cost steps, %.3g s at most, and bend less "
        "exactly than longer ones: take fewer",
        rod, facts->shortest, check->report->limit.dt);
  else if (facts->longest > LONGEST_ELEMENT)
    eli_check_note(
        check, ELASTICA_FINDING_PROPORTION, ELASTICA_SEVERITY_HINT, long_one,
        "rod %d: an element is %.3g radii long. Its frames swing in shear %.2g times for each time that it bends: a period of %.3g s "
        "takes %.2g steps. A larger rotary_inertia_scale or a smaller shear_factor lets it take longer ones",
        rod, facts->longest, facts->longest * facts->longest, facts->period, facts->period / check->report->limit.dt);
}

static void check_masses(const eli_check *check, const eli_survey *survey) {
  const elastica_rod_view *view = &survey->rod->body->view;
  eli_spot spot = {view->rod_index, 0, NULL, 0.0, LARGEST_MASS_RATIO, 0.0};
  for (int i = 0; i < view->element_count; i++) {
    const double ratio = view->mass[i] / view->mass[i + 1];
    const double larger = ratio > 1.0 ? ratio : 1.0 / ratio;
    if (larger <= spot.value) continue;
    spot.value = larger;
    spot.element = ratio > 1.0 ? i + 1 : i;
  }
  spot.badness = spot.value / spot.bound;
  if (!(spot.value > LARGEST_MASS_RATIO)) return;
  eli_check_note(
      check, ELASTICA_FINDING_MASS_RATIO, ELASTICA_SEVERITY_HINT, spot,
      "rod %d, node %d: its neighbour is %.3g times as heavy. The light node bounds the step, %.3g s, and the heavy one sets the pace",
      spot.rod, spot.element, spot.value, check->report->limit.dt);
}

/* ---- Law and units ---- */

static void check_damping(const eli_check *check, const eli_survey *survey) {
  const eli_spot spot = {survey->rod->index, -1, NULL, 0.0, 0.0, 0.0};
  if (check->world->law.classical || survey->damped) return;
  eli_check_note(
      check, ELASTICA_FINDING_UNDAMPED, ELASTICA_SEVERITY_WARNING, spot,
      "rod %d: the law RESCALED has no potential, and nothing is seen that dissipates: while it moves it gains energy without bound, a "
      "rubber cantilever within seconds. Add dissipation, or take the law CLASSICAL",
      survey->rod->index);
}

static void check_units(const eli_check *check, const eli_survey *survey) {
  const elastica_rod_facts *facts = &survey->facts;
  const int rod = survey->rod->index;
  const double speed = facts->stretch_speed, density = facts->density;
  char known[160];
  snprintf(known, sizeof known, "Stretch runs at %.3g m/s, bend stiffness is %.3g N m^2, the lowest frequency %.3g Hz, the mass %.3g kg",
           speed, facts->bend_stiffness, facts->frequency, facts->mass);
  const eli_spot dense = {rod, -1, NULL, density, density < LEAST_DENSITY ? LEAST_DENSITY : LARGEST_DENSITY, fabs(eli_log(density))};
  const eli_spot fast = {rod, -1, NULL, speed, speed < LEAST_WAVE_SPEED ? LEAST_WAVE_SPEED : LARGEST_WAVE_SPEED, fabs(eli_log(speed))};
  const int thick = facts->radius > LARGEST_RADIUS;
  const eli_spot big = {rod, -1, NULL, thick ? facts->radius : facts->length, thick ? LARGEST_RADIUS : LARGEST_LENGTH, facts->length};
  if (density < LEAST_DENSITY || density > LARGEST_DENSITY)
    eli_check_note(check, ELASTICA_FINDING_DENSITY, ELASTICA_SEVERITY_HINT, dense,
                   "rod %d: its density is %.4g kg/m^3, if units are SI; water has 1000, steel 7800. %s", rod, density, known);
  if (speed < LEAST_WAVE_SPEED || speed > LARGEST_WAVE_SPEED)
    eli_check_note(
        check, ELASTICA_FINDING_WAVE_SPEED, ELASTICA_SEVERITY_HINT, fast,
        "rod %d: stretch runs along it at %.4g m/s, if units are SI; in gel 1 to 10, rubber 30, steel 5000. Is the modulus in Pa and "
        "the density, %.4g, in kg/m^3? %s",
        rod, speed, density, known);
  if (thick || facts->length > LARGEST_LENGTH)
    eli_check_note(check, ELASTICA_FINDING_SIZE, ELASTICA_SEVERITY_HINT, big,
                   "rod %d: it is %.4g m long with a radius of %.4g m, if units are SI; are lengths in millimetres? %s", rod, facts->length,
                   facts->radius, known);
}

/* ---- The world ---- */

static elastica_status check_rod(const eli_check *check, elastica_rod *rod, double dt) {
  eli_survey survey;
  elastica_status status = eli_rod_refresh(rod, "check");
  if (status != ELASTICA_OK) return status;
  status = eli_survey_rod(&survey, rod, dt, "check");
  if (status == ELASTICA_OK) {
    eli_check_loads(check, &survey);
    check_rest_strain(check, &survey);
    check_damping(check, &survey);
    check_proportions(check, &survey);
    check_masses(check, &survey);
    check_units(check, &survey);
  }
  eli_survey_release(&survey);
  return status;
}

/* Sorts findings by severity, the highest first, and findings of equal severity in the order of their discovery. */
static void sort_findings(elastica_check_report *report) {
  for (int k = 1; k < report->finding_count; k++) {
    const elastica_finding moved = report->findings[k];
    int to = k;
    for (; to > 0 && report->findings[to - 1].severity < moved.severity; to--) report->findings[to] = report->findings[to - 1];
    report->findings[to] = moved;
  }
  report->worst = report->finding_count > 0 ? report->findings[0].severity : ELASTICA_SEVERITY_NONE;
}

elastica_status elastica_world_check(elastica_world *world, double dt, elastica_check_report *out) {
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "check: out is NULL");
  memset(out, 0, sizeof *out);
  if (!(dt >= 0.0) || dt - dt != 0.0)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "check: dt = %g is negative or not finite", dt);
  double badness[ELASTICA_FINDING_CAPACITY] = {0.0};
  const eli_check check = {world, out, badness};
  elastica_status status = eli_world_check_open(world, "check", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(world, "check");
  if (status == ELASTICA_OK) status = elastica_world_step_limit(world, &out->limit);
  if (status == ELASTICA_OK) check_step(&check, dt);
  if (status == ELASTICA_OK) check_spin(&check, dt);
  const double step = dt > 0.0 ? dt : out->limit.dt < INFINITY && out->limit.dt > 0.0 ? out->limit.dt : 1.0;
  for (elastica_rod *rod = world->first_rod; rod != NULL && status == ELASTICA_OK; rod = rod->body->next) check_holds(&check, rod, step);
  for (elastica_rod *rod = world->first_rod; rod != NULL && status == ELASTICA_OK; rod = rod->body->next)
    status = eli_is_rigid(rod) ? ELASTICA_OK : check_rod(&check, rod, step);
  if (status == ELASTICA_OK) status = eli_check_overlaps(&check);
  if (status == ELASTICA_OK) status = eli_check_pressing(&check, step);
  if (status == ELASTICA_OK) status = eli_check_solids(&check);
  if (status != ELASTICA_OK) memset(out, 0, sizeof *out);
  sort_findings(out);
  return status;
}
