/* Checks a world before it runs.
 *
 * equation   bending of an element at the clamp: l (min(M, sqrt(2 F EI)) + C)/EI, since a rod that yields to its load bends at most as an
 *            elastica with its end hanging in the direction of F
 *            frames of a stretched element fall over beyond e = S3 (1 + sigma0)/(S3 - S1)
 *            buckling: -sum N phi'^2 > sum EI phi''^2 with the buckling mode phi of a uniform rod under an end load (Rayleigh's quotient,
 *            with an error on the safe side: 6 % for a column under its own weight)
 * source     Euler; Rayleigh
 * test       tests/test_check.c, tests/test_check_scene.c
 */
#include "base/target.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/sentence.h"
#include "rod/law.h"
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

static const char *name_of(elastica_finding_kind kind) {
  static const char *const names[] = {"STEP",       "LOAD",       "STRETCH", "BUCKLING",   "REST_STRAIN", "UNDAMPED",
                                      "PROPORTION", "MASS_RATIO", "DENSITY", "WAVE_SPEED", "SIZE",        "OVERLAP",
                                      "HOLD",       "APPROACH",   "WEIGHT",  "LOOP",       "WRITES"};
  assert((size_t)kind < sizeof names / sizeof *names);
  return names[kind];
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
  to->name = name_of(kind);
  to->severity = severity;
  to->rod_index = spot.rod, to->element = spot.element;
  to->effect = spot.effect;
  to->value = spot.value, to->bound = spot.bound;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(to->sentence, sizeof to->sentence, format, arguments);
  va_end(arguments);
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

/* ---- Prescriptions of boundaries ---- */

/* dt: size of the step. */
static void check_prescriptions(const eli_check *check, const elastica_rod *rod, double dt) {
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
      rod->index, jump.place,          world->effects.all != NULL && jump.effect != NULL ? world->effects.all[jump.effect->index] : NULL,
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

#define LARGEST_TURN 1.0     /* [rad] bending of one element */
#define SHARE_OF_STRETCH 0.8 /* share of the dilatation at which frames fall over */
#define SHARE_OF_STRAIN 0.5  /* share of the strain between rest and that dilatation, which is small if S1 is */
#define STRAIGHT 0.99        /* distance of the ends over the length */

static double smaller_bend(const elastica_rod_view *view, int j) {
  const double b1 = view->element_bend_stiffness[0][j], b2 = view->element_bend_stiffness[1][j];
  return b1 < b2 ? b1 : b2;
}

static int holds_frame(elastica_support support) {
  return support >= ELASTICA_SUPPORT_GUIDED;
}

/* ---- Bending at a clamp ---- */

static void check_turn(const eli_check *check, const eli_survey *survey) {
  const elastica_rod_view *view = &survey->rod->body->view;
  const elastica_support first = survey->facts.first, last = survey->facts.last;
  const int at_last = last != ELASTICA_SUPPORT_FREE, j = at_last ? view->element_count - 1 : 0;
  const elastica_support near = at_last ? last : first, far = at_last ? first : last;
  if (!holds_frame(near) || far != ELASTICA_SUPPORT_FREE || survey->held_inside || survey->supported) return; /* only cantilevers */
  const double *f = survey->resultant, force = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  const double stiffness = smaller_bend(view, j), most = sqrt(2.0 * force * stiffness);
  const double moment = (survey->moment < most ? survey->moment : most) + survey->couple_moment;
  const double turn = view->rest_length[j] * moment / stiffness;
  const eli_spot spot = {view->rod_index, j, survey->turning, turn, LARGEST_TURN, turn};
  if (!(turn > LARGEST_TURN)) return;
  eli_check_note(
      check, ELASTICA_FINDING_LOAD, ELASTICA_SEVERITY_WARNING, spot,
      "rod %d, element %d: its loads (%.3g N, %.3g N m at the clamp, most by effect %d \"%s\") bend it by %.3g rad for each element, EI = "
      "%.3g N m^2. Beyond 1 rad the bend is not resolved, and joints may reach the limit of 3 rad: take %.0f elements or more, or less "
      "load",
      spot.rod, j, force, survey->moment + survey->couple_moment, survey->turning != NULL ? survey->turning->index : -1,
      survey->turning != NULL ? survey->turning->body->label : "", turn, stiffness, -floor(-2.0 * turn * view->element_count));
}

/* ---- Forces along the rod ---- */

/* The tension of element j from the loads beyond it, if at most one end fixes the rod along its axis; 0 if both do. The sum starts at the
 * last node. */
typedef struct pull {
  int held[2];
  double sum[3], rest[3]; /* sum over nodes beyond; over all nodes, divided by mass if no end is fixed */
  double mass;
} pull;

static int is_held_along(const eli_survey *survey, int end) {
  const elastica_rod_view *view = &survey->rod->body->view;
  const int j = end ? view->element_count - 1 : 0;
  double along = 0.0;
  for (int a = 0; a < 3; a++)
    if (survey->held[end] & (1u << a)) along += view->tangent[a][j] * view->tangent[a][j];
  return along > 0.5;
}

static pull start_pull(const eli_survey *survey) {
  const elastica_rod_view *view = &survey->rod->body->view;
  pull of = {{is_held_along(survey, 0), is_held_along(survey, 1)}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.0};
  for (int i = 0; i < view->node_count; i++) {
    for (int a = 0; a < 3; a++) of.rest[a] += survey->force[a][i];
    of.mass += view->mass[i];
  }
  return of;
}

/* Continues from element j + 1 to element j and returns its tension. */
static double next_tension(const eli_survey *survey, pull *of, int j) {
  const elastica_rod_view *view = &survey->rod->body->view;
  double tension = 0.0;
  for (int a = 0; a < 3; a++) {
    const double free = of->held[0] || of->held[1] ? 0.0 : of->rest[a] * view->mass[j + 1] / of->mass;
    of->sum[a] += survey->force[a][j + 1] - free;
    const double beyond = of->held[1] && !of->held[0] ? of->sum[a] - of->rest[a] : of->sum[a];
    tension += beyond * view->tangent[a][j];
  }
  return of->held[0] && of->held[1] ? 0.0 : tension;
}

/* ---- Stretch of elements ---- */

static void check_stretch(const eli_check *check, const eli_survey *survey) {
  const elastica_rod_view *view = &survey->rod->body->view;
  pull of = start_pull(survey);
  eli_spot spot = {view->rod_index, 0, NULL, 0.0, 1.0, 0.0};
  int under_load = 0;
  for (int j = view->element_count - 1; j >= 0; j--) {
    const double bound = eli_falling_dilatation(view, j), now = 1.0 + view->strain[2][j]; /* component along d3 */
    const double tension = view->closed || survey->held_inside || survey->supported ? 0.0 : next_tension(survey, &of, j);
    const int along = view->rest_strain[2][j] > -0.5; /* the rest shape points along d3 */
    const double later = along && tension > 0.0 ? eli_dilatation_under(view, j, tension) : 0.0, value = later > now ? later : now;
    const double share = value < INFINITY ? value / bound : INFINITY, rest = 1.0 + view->rest_strain[2][j];
    if (!(bound > 0.0 && share > spot.badness && value - rest > SHARE_OF_STRAIN * (bound - rest))) continue;
    spot.element = j, spot.value = value, spot.bound = bound, spot.badness = share;
    under_load = later > now;
  }
  if (!(spot.badness > SHARE_OF_STRETCH)) return;
  if (spot.value == INFINITY)
    eli_check_note(
        check, ELASTICA_FINDING_STRETCH, ELASTICA_SEVERITY_ERROR, spot,
        "rod %d, element %d: it is pulled by more than its S3 = %.3g N, the most that an element of the law RESCALED can bear: it "
        "stretches without end",
        spot.rod, spot.element, view->shear_stiffness[2][spot.element]);
  else
    eli_check_note(
        check, ELASTICA_FINDING_STRETCH, spot.badness > 1.0 ? ELASTICA_SEVERITY_ERROR : ELASTICA_SEVERITY_WARNING, spot,
        "rod %d, element %d: it is stretched to e = %.4g%s. Beyond e = S3/(S3 - S1) = %.4g frames fall over sideways, whatever the step: a "
        "larger shear_modulus or shear_factor raises that",
        spot.rod, spot.element, spot.value, under_load ? " under its loads" : "", spot.bound);
}

/* ---- Buckling ---- */

/* Computes phi' and phi'' of the mode at x, measured from the first end in lengths L. */
static void mode_at(elastica_support first, elastica_support last, double x, double slope[2]) {
  const int tied = holds_frame(first) + holds_frame(last);
  const int sideways = (first & 1) + (last & 1); /* PINNED and CLAMPED are odd numbers */
  const double k = 4.493409457909064;            /* solution of tan k = k */
  const int reversed = holds_frame(last) && !holds_frame(first);
  const double at = reversed ? 1.0 - x : x;
  double sine, cosine;
  if (tied == 1 && sideways == 2) {
    eli_sincos(k * at, &sine, &cosine);
    slope[0] = cosine + k * sine - 1.0, slope[1] = k * (k * cosine - sine);
    return;
  }
  const double wave = tied == 0 ? ELI_PI : tied == 1 ? 0.5 * ELI_PI : sideways == 2 ? 2.0 * ELI_PI : ELI_PI;
  eli_sincos(wave * at, &sine, &cosine);
  slope[0] = tied == 0 ? cosine : sine, slope[1] = wave * (tied == 0 ? -sine : cosine);
}

/* Returns 1 if the supports prevent motion of the rod as a whole, which would begin before it buckles. */
static int is_steady(const elastica_rod_facts *facts) {
  return holds_frame(facts->first) || holds_frame(facts->last) || (facts->first && facts->last);
}

static int is_straight(const elastica_rod_view *view) {
  double length = 0.0, chord2 = 0.0;
  for (int j = 0; j < view->element_count; j++) length += view->length[j];
  for (int a = 0; a < 3; a++) {
    const double edge = view->position[a][view->element_count] - view->position[a][0];
    chord2 += edge * edge;
  }
  return chord2 > STRAIGHT * STRAIGHT * length * length;
}

/* Returns the load over the buckling load, with the present stress or with the loads, and the mean axial force of compression. */
static double buckling_factor(const eli_survey *survey, int by_stress, double *pressure) {
  const elastica_rod_view *view = &survey->rod->body->view;
  const double length = survey->facts.length;
  pull of = start_pull(survey);
  double work = 0.0, energy = 0.0, at = length, sum = 0.0, weight = 0.0;
  for (int j = view->element_count - 1; j >= 0; j--) {
    const double l = view->rest_length[j], tension = next_tension(survey, &of, j), n = by_stress ? view->force[2][j] : tension;
    double slope[2];
    mode_at(survey->facts.first, survey->facts.last, (at - 0.5 * l) / length, slope);
    at -= l;
    work -= l * n * slope[0] * slope[0];
    energy += l * smaller_bend(view, j) * slope[1] * slope[1] / (length * length);
    sum -= l * n * slope[0] * slope[0];
    weight += l * slope[0] * slope[0];
  }
  *pressure = sum / weight;
  return work / energy;
}

static void check_buckling(const eli_check *check, const eli_survey *survey) {
  static const char *const names[] = {"free", "pinned", "guided", "clamped"};
  const elastica_rod_view *view = &survey->rod->body->view;
  if (view->closed || survey->held_inside || view->element_count < 4 || !is_steady(&survey->facts) || !is_straight(view)) return;
  double pressure[2];
  const double under_loads = buckling_factor(survey, 0, &pressure[0]), by_stress = buckling_factor(survey, 1, &pressure[1]);
  const double factor[2] = {survey->supported ? 0.0 : under_loads, by_stress};
  const int by = factor[1] > factor[0];
  const eli_spot spot = {view->rod_index, -1, by ? NULL : survey->turning, factor[by], 1.0, factor[by]};
  if (!(factor[by] > 1.0)) return;
  eli_check_note(check, ELASTICA_FINDING_BUCKLING, ELASTICA_SEVERITY_WARNING, spot,
                 "rod %d: it is pressed along by about %.4g N, %.3g times its buckling load with its ends %s and %s as far as can be seen "
                 "(EI = %.3g N "
                 "m^2, L = %.3g m). A straight rod stays so only until something disturbs it; then it bends out",
                 spot.rod, pressure[by], factor[by], names[survey->facts.first], names[survey->facts.last], survey->facts.bend_stiffness,
                 survey->facts.length);
}

double eli_check_tension(const eli_survey *survey, int *element) {
  const elastica_rod_view *view = &survey->rod->body->view;
  double most = 0.0;
  *element = -1;
  if (view->closed || survey->held_inside) return most;
  pull of = start_pull(survey);
  for (int j = view->element_count - 1; j >= 0; j--) {
    const double tension = next_tension(survey, &of, j);
    if (tension > most) most = tension, *element = j;
  }
  return most;
}

static void check_loads(const eli_check *check, const eli_survey *survey) {
  if (!survey->rod->closed) check_turn(check, survey);
  check_stretch(check, survey);
  check_buckling(check, survey);
}

/* ---- Modules of the user ---- */

static void check_writes(const eli_check *check, const eli_survey *survey) {
  const elastica_effect *stray = survey->stray;
  const int at = survey->stray_index, from = survey->allowed[0], to = survey->allowed[1], rod = survey->rod->index;
  if (stray == NULL) return;
  const eli_spot spot = {rod, at, survey->stray, at, at < from ? from : to, 1.0};
  if (survey->stray_rate)
    eli_check_note(check, ELASTICA_FINDING_WRITES, ELASTICA_SEVERITY_ERROR, spot,
                   "effect %d \"%s\" adds a rate of drag at index %d of rod %d, but adds_rates of its module is 0: steps leave it out",
                   stray->index, stray->body->label, at, rod);
  else
    eli_check_note(
        check, ELASTICA_FINDING_WRITES, ELASTICA_SEVERITY_ERROR, spot,
        "effect %d \"%s\" adds loads to node or element %d of rod %d, but first_written and last_written of its module are %d and "
        "%d: steps leave other loads out, or add them again",
        stray->index, stray->body->label, at, rod, from, to);
}

/* ---- The world ---- */

static elastica_status check_rod(const eli_check *check, elastica_rod *rod, double dt) {
  eli_survey survey;
  elastica_status status = eli_rod_refresh(rod, "check");
  if (status != ELASTICA_OK) return status;
  status = eli_survey_rod(&survey, rod, dt, "check");
  if (status == ELASTICA_OK) {
    check_loads(check, &survey);
    check_writes(check, &survey);
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
  for (elastica_rod *rod = world->bodies.first_rod; rod != NULL && status == ELASTICA_OK; rod = rod->body->next)
    check_prescriptions(&check, rod, step);
  for (elastica_rod *rod = world->bodies.first_rod; rod != NULL && status == ELASTICA_OK; rod = rod->body->next)
    status = eli_is_rigid(rod) ? ELASTICA_OK : check_rod(&check, rod, step);
  if (status == ELASTICA_OK) status = eli_check_contacts(&check, step);
  if (status != ELASTICA_OK) memset(out, 0, sizeof *out);
  sort_findings(out);
  return status;
}
