/* Checks a world before it runs.
 *
 * equation   bending of an element at the clamp: l (min(M, sqrt(2 F EI)) + C)/EI, since a rod that yields to its load bends at most as an
 *            elastica with its end hanging in the direction of F
 *            frames of a stretched element fall over beyond e = S3 (1 + sigma0)/(S3 - S1)
 *            buckling: -sum N phi'^2 > sum EI phi''^2 with the buckling mode phi of a uniform rod under an end load (Rayleigh's quotient,
 *            with an error on the safe side: 6 % for a column under its own weight)
 * source     Euler; Rayleigh
 * test       tests/test_check*.c
 */
#include "base/target.h"

#include "base/elementary.h"
#include "base/sentence.h"
#include "base/vector.h"
#include "contact/line.h"
#include "effects/contact.h"
#include "effects/obstacle.h"
#include "hooks/effects.h"
#include "rod/law.h"
#include "step/stepper.h"
#include "world/check.h"
#include "world/rates.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

typedef struct world_check {
  elastica_world *world;
  elastica_check_report *report;
  double *badness; /* badness of each finding */
} world_check;

/* Place and magnitude of a finding. */
typedef struct finding_spot {
  int rod, element;
  elastica_effect *effect;
  double value, bound;
  double badness; /* of two findings of one kind the one with the larger badness is reported */
} finding_spot;

static const char *name_of(elastica_finding_kind kind) {
  static const char *const names[] = {"STEP",       "LOAD",       "STRETCH", "BUCKLING",   "REST_STRAIN", "UNDAMPED",
                                      "PROPORTION", "MASS_RATIO", "DENSITY", "WAVE_SPEED", "SIZE",        "OVERLAP",
                                      "HOLD",       "APPROACH",   "WEIGHT",  "LOOP",       "WRITES",      "MOTION"};
  assert((size_t)kind < sizeof names / sizeof *names);
  return names[kind];
}

/* Adds a finding with its sentence. Findings of one kind are merged into the worst one, with the number of its rods; at most one call for
 * each kind and rod. */
static void note(const world_check *check, elastica_finding_kind kind, elastica_severity severity, finding_spot spot, const char *format,
                 ...) ELI_PRINTF(5, 6);

static void note(const world_check *check, elastica_finding_kind kind, elastica_severity severity, finding_spot spot, const char *format,
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

static void check_step(const world_check *check, double dt) {
  char where[200], steps[ELI_COMPARISON_SIZE];
  elastica_world *world = check->world;
  const elastica_step_limit *limit = &check->report->limit;
  if (!(dt > SHARE_OF_STEP * limit->dt)) return;
  const finding_spot spot = {limit->rod_index, limit->element, limit->effect, dt, limit->dt, dt / limit->dt};
  eli_limit_text(world, limit, where, sizeof where);
  eli_comparison(dt, limit->dt, steps);
  if (dt <= limit->dt)
    note(check, ELASTICA_FINDING_STEP, ELASTICA_SEVERITY_WARNING, spot,
         "dt = %s %s: as soon as the rod bends, stretches or touches something, the limit falls and the step is refused", steps, where);
  else
    note(check, ELASTICA_FINDING_STEP, ELASTICA_SEVERITY_ERROR, spot, "dt = %s %s: %s", steps, where,
         world->allow_unstable_step ? "waves of the shortest length grow in each step until the simulation fails"
                                    : "elastica_world_step refuses it");
}

/* A spin is reported if it makes the steps chosen by the library this many times shorter than the limit. Steps of a given size are refused
 * if a frame would turn too far. */
#define SPIN_SHORTENS 100.0

static void check_spin(const world_check *check, double dt) {
  const elastica_world *world = check->world;
  finding_spot spot = {-1, -1, NULL, 0.0, 0.0, 0.0};
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
    note(check, ELASTICA_FINDING_STEP, ELASTICA_SEVERITY_ERROR, spot,
         "rod %d, element %d spins at %.6g rad/s and would turn by %.3g rad in dt = %.6g s: %s", spot.rod, spot.element, spin, spin * dt,
         dt, world->allow_unstable_step ? "the simulation fails" : "elastica_world_step refuses it");
  else if (dt == 0.0 && limit < INFINITY && SPIN_SHORTENS * step < limit)
    note(check, ELASTICA_FINDING_STEP, ELASTICA_SEVERITY_WARNING, spot,
         "rod %d, element %d spins at %.6g rad/s: half a radian takes %.3g s, the step that the library will choose, where the "
         "stable one is %.3g s",
         spot.rod, spot.element, spin, step, limit);
}

/* ---- Prescriptions of boundaries ---- */

/* dt: size of the step. */
static void check_prescriptions(const world_check *check, const elastica_rod *rod, double dt) {
  elastica_world *world = check->world;
  const double now = eli_world_now(world);
  eli_jump jump = {NULL, 0, 0, 0.0, 0.0, 0.0};
  eli_conflict conflict = {{NULL, NULL}, ELI_APART, 0, 0.0, 0.0};
  char told[300];
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  eli_find_conflict(rod, now, dt, &conflict);
  eli_find_jump(rod, now, now + dt, &jump);
  eli_world_leave_hooks(world);
  const finding_spot against = {rod->index, conflict.place, conflict.effect[1], conflict.by, 0.0, conflict.size};
  const finding_spot far = {
      rod->index, jump.place,          world->effects.all != NULL && jump.effect != NULL ? world->effects.all[jump.effect->index] : NULL,
      jump.by,    jump.by / jump.size, jump.size};
  if (eli_tell_conflict(rod, &conflict, told, sizeof told) > 0)
    note(check, ELASTICA_FINDING_HOLD, ELASTICA_SEVERITY_ERROR, against, "%s; the later one has its way", told);
  else if (eli_tell_jump(rod, &jump, told, sizeof told) > 0)
    note(check, ELASTICA_FINDING_HOLD, ELASTICA_SEVERITY_WARNING, far, "%s: no element beside it can follow", told);
}

/* dt: size of the step. */
static void check_motions(const world_check *check, double dt) {
  static const char *const words[2][4] = {{"velocity", "m/s", "position changes at", ""},
                                          {"omega", "rad/s", "frame turns at", " in the axes of the frame"}};
  elastica_world *world = check->world;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    const eli_built_in *kind = effect->body->kind;
    eli_wrong_rate wrong;
    if (!effect->enabled || kind == NULL || kind->prescribed == NULL) continue;
    eli_world_enter_hooks(world, ELI_IN_HOOK);
    const eli_prescribed *of = kind->prescribed(effect->self);
    const int frame = !kind->is_boundary || of->hold_frame || effect->body->module.add_loads != NULL; /* of a clamp's half-cell */
    const int found = eli_find_wrong_rate(of, frame, eli_world_now(world), dt, &wrong);
    eli_world_leave_hooks(world);
    if (!found) continue;
    const char *const *word = words[wrong.turns];
    const finding_spot spot = {effect->rod != NULL ? effect->rod->index : -1, -1, effect, wrong.off, ELI_WRONG_RATE, wrong.off};
    note(check, ELASTICA_FINDING_MOTION, ELASTICA_SEVERITY_WARNING, spot,
         "effect %d \"%s\": at t = %.6g s its motion writes %s = (%.3g, %.3g, %.3g) %s, but its %s (%.3g, %.3g, %.3g) %s%s; contacts, "
         "friction and dampers take what is written",
         effect->index, effect->body->label, wrong.time, word[0], wrong.rate[0], wrong.rate[1], wrong.rate[2], word[1], word[2],
         wrong.change[0], wrong.change[1], wrong.change[2], word[1], word[3]);
  }
}

/* ---- Rest strain, proportions, masses ---- */

static void check_rest_strain(const world_check *check, const eli_survey *survey) {
  static const char *const names[3] = {"shear along d1", "shear along d2", "stretch"};
  const elastica_rod_view *view = &survey->rod->body->view;
  finding_spot spot = {view->rod_index, 0, NULL, 0.0, LARGEST_REST_STRAIN, 0.0};
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
  note(check, ELASTICA_FINDING_REST_STRAIN, ELASTICA_SEVERITY_WARNING, spot,
       "rod %d, element %d: its rest strain is %.3g (%s). Beyond %g the rest shape is far from the rest length, which stiffness, "
       "inertia and the distance of joints are referred to; give it rest_length or rest positions instead",
       spot.rod, spot.element, view->rest_strain[axis][spot.element], names[axis], LARGEST_REST_STRAIN);
}

static void check_proportions(const world_check *check, const eli_survey *survey) {
  const elastica_rod_facts *facts = &survey->facts;
  const int rod = survey->rod->index;
  const finding_spot short_one = {rod, -1, NULL, facts->shortest, SHORTEST_ELEMENT, SHORTEST_ELEMENT / facts->shortest};
  const finding_spot long_one = {rod, -1, NULL, facts->longest, LONGEST_ELEMENT, facts->longest / LONGEST_ELEMENT};
  if (facts->shortest < SHORTEST_ELEMENT)
    note(check, ELASTICA_FINDING_PROPORTION, ELASTICA_SEVERITY_WARNING, short_one,
         "rod %d: an element is %.3g radii long. Elements far shorter than the rod is thick cost steps, %.3g s at most, and bend less "
         "exactly than longer ones: take fewer",
         rod, facts->shortest, check->report->limit.dt);
  else if (facts->longest > LONGEST_ELEMENT)
    note(check, ELASTICA_FINDING_PROPORTION, ELASTICA_SEVERITY_HINT, long_one,
         "rod %d: an element is %.3g radii long. Its frames swing in shear %.2g times for each time that it bends: a period of %.3g s "
         "takes %.2g steps. A larger rotary_inertia_scale or a smaller shear_factor lets it take longer ones",
         rod, facts->longest, facts->longest * facts->longest, facts->period, facts->period / check->report->limit.dt);
}

static void check_masses(const world_check *check, const eli_survey *survey) {
  const elastica_rod_view *view = &survey->rod->body->view;
  finding_spot spot = {view->rod_index, 0, NULL, 0.0, LARGEST_MASS_RATIO, 0.0};
  for (int i = 0; i < view->element_count; i++) {
    const double ratio = view->mass[i] / view->mass[i + 1];
    const double larger = ratio > 1.0 ? ratio : 1.0 / ratio;
    if (larger <= spot.value) continue;
    spot.value = larger;
    spot.element = ratio > 1.0 ? i + 1 : i;
  }
  spot.badness = spot.value / spot.bound;
  if (!(spot.value > LARGEST_MASS_RATIO)) return;
  note(check, ELASTICA_FINDING_MASS_RATIO, ELASTICA_SEVERITY_HINT, spot,
       "rod %d, node %d: its neighbour is %.3g times as heavy. The light node bounds the step, %.3g s, and the heavy one sets the pace",
       spot.rod, spot.element, spot.value, check->report->limit.dt);
}

/* ---- Law and units ---- */

static void check_damping(const world_check *check, const eli_survey *survey) {
  const finding_spot spot = {survey->rod->index, -1, NULL, 0.0, 0.0, 0.0};
  if (check->world->law.classical || survey->damped) return;
  note(check, ELASTICA_FINDING_UNDAMPED, ELASTICA_SEVERITY_WARNING, spot,
       "rod %d: the law RESCALED has no potential, and nothing is seen that dissipates: while it moves it gains energy without bound, a "
       "rubber cantilever within seconds. Add dissipation, or take the law CLASSICAL",
       survey->rod->index);
}

static void check_units(const world_check *check, const eli_survey *survey) {
  const elastica_rod_facts *facts = &survey->facts;
  const int rod = survey->rod->index;
  const double speed = facts->stretch_speed, density = facts->density;
  char known[160];
  snprintf(known, sizeof known, "Stretch runs at %.3g m/s, bend stiffness is %.3g N m^2, the lowest frequency %.3g Hz, the mass %.3g kg",
           speed, facts->bend_stiffness, facts->frequency, facts->mass);
  const finding_spot dense = {rod, -1, NULL, density, density < LEAST_DENSITY ? LEAST_DENSITY : LARGEST_DENSITY, fabs(eli_log(density))};
  const finding_spot fast = {rod, -1, NULL, speed, speed < LEAST_WAVE_SPEED ? LEAST_WAVE_SPEED : LARGEST_WAVE_SPEED, fabs(eli_log(speed))};
  const int thick = facts->radius > LARGEST_RADIUS;
  const finding_spot big = {rod, -1, NULL, thick ? facts->radius : facts->length, thick ? LARGEST_RADIUS : LARGEST_LENGTH, facts->length};
  if (density < LEAST_DENSITY || density > LARGEST_DENSITY)
    note(check, ELASTICA_FINDING_DENSITY, ELASTICA_SEVERITY_HINT, dense,
         "rod %d: its density is %.4g kg/m^3, if units are SI; water has 1000, steel 7800. %s", rod, density, known);
  if (speed < LEAST_WAVE_SPEED || speed > LARGEST_WAVE_SPEED)
    note(check, ELASTICA_FINDING_WAVE_SPEED, ELASTICA_SEVERITY_HINT, fast,
         "rod %d: stretch runs along it at %.4g m/s, if units are SI; in gel 1 to 10, rubber 30, steel 5000. Is the modulus in Pa and "
         "the density, %.4g, in kg/m^3? %s",
         rod, speed, density, known);
  if (thick || facts->length > LARGEST_LENGTH)
    note(check, ELASTICA_FINDING_SIZE, ELASTICA_SEVERITY_HINT, big,
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

static void check_turn(const world_check *check, const eli_survey *survey) {
  const elastica_rod_view *view = &survey->rod->body->view;
  const elastica_support first = survey->facts.first, last = survey->facts.last;
  const int at_last = last != ELASTICA_SUPPORT_FREE, j = at_last ? view->element_count - 1 : 0;
  const elastica_support near = at_last ? last : first, far = at_last ? first : last;
  if (!holds_frame(near) || far != ELASTICA_SUPPORT_FREE || survey->held_inside || survey->supported) return; /* only cantilevers */
  const double *f = survey->resultant, force = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  const double stiffness = smaller_bend(view, j), most = sqrt(2.0 * force * stiffness);
  const double moment = (survey->moment < most ? survey->moment : most) + survey->couple_moment;
  const double turn = view->rest_length[j] * moment / stiffness;
  const finding_spot spot = {view->rod_index, j, survey->turning, turn, LARGEST_TURN, turn};
  if (!(turn > LARGEST_TURN)) return;
  note(check, ELASTICA_FINDING_LOAD, ELASTICA_SEVERITY_WARNING, spot,
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

static void check_stretch(const world_check *check, const eli_survey *survey) {
  const elastica_rod_view *view = &survey->rod->body->view;
  pull of = start_pull(survey);
  finding_spot spot = {view->rod_index, 0, NULL, 0.0, 1.0, 0.0};
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
    note(check, ELASTICA_FINDING_STRETCH, ELASTICA_SEVERITY_ERROR, spot,
         "rod %d, element %d: it is pulled by more than its S3 = %.3g N, the most that an element of the law RESCALED can bear: it "
         "stretches without end",
         spot.rod, spot.element, view->shear_stiffness[2][spot.element]);
  else
    note(
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

static void check_buckling(const world_check *check, const eli_survey *survey) {
  static const char *const names[] = {"free", "pinned", "guided", "clamped"};
  const elastica_rod_view *view = &survey->rod->body->view;
  if (view->closed || survey->held_inside || view->element_count < 4 || !is_steady(&survey->facts) || !is_straight(view)) return;
  double pressure[2];
  const double under_loads = buckling_factor(survey, 0, &pressure[0]), by_stress = buckling_factor(survey, 1, &pressure[1]);
  const double factor[2] = {survey->supported ? 0.0 : under_loads, by_stress};
  const int by = factor[1] > factor[0];
  const finding_spot spot = {view->rod_index, -1, by ? NULL : survey->turning, factor[by], 1.0, factor[by]};
  if (!(factor[by] > 1.0)) return;
  note(check, ELASTICA_FINDING_BUCKLING, ELASTICA_SEVERITY_WARNING, spot,
       "rod %d: it is pressed along by about %.4g N, %.3g times its buckling load with its ends %s and %s as far as can be seen "
       "(EI = %.3g N "
       "m^2, L = %.3g m). A straight rod stays so only until something disturbs it; then it bends out",
       spot.rod, pressure[by], factor[by], names[survey->facts.first], names[survey->facts.last], survey->facts.bend_stiffness,
       survey->facts.length);
}

/* Returns the largest tension [N] that the loads cause in an element of a rod fixed at one end or at none, and this element; 0 if there is
 * none. */
static double largest_tension(const eli_survey *survey, int *element) {
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

static void check_loads(const world_check *check, const eli_survey *survey) {
  if (!survey->rod->closed) check_turn(check, survey);
  check_stretch(check, survey);
  check_buckling(check, survey);
}

/* ---- Modules of the user ---- */

static void check_writes(const world_check *check, const eli_survey *survey) {
  const elastica_effect *stray = survey->stray;
  const int at = survey->stray_index, from = survey->allowed[0], to = survey->allowed[1], rod = survey->rod->index;
  if (stray == NULL) return;
  const finding_spot spot = {rod, at, survey->stray, at, at < from ? from : to, 1.0};
  if (survey->stray_rate)
    note(check, ELASTICA_FINDING_WRITES, ELASTICA_SEVERITY_ERROR, spot,
         "effect %d \"%s\" adds a rate of drag at index %d of rod %d, but adds_rates of its module is 0: steps leave it out", stray->index,
         stray->body->label, at, rod);
  else
    note(check, ELASTICA_FINDING_WRITES, ELASTICA_SEVERITY_ERROR, spot,
         "effect %d \"%s\" adds loads to node or element %d of rod %d, but first_written and last_written of its module are %d and "
         "%d: steps leave other loads out, or add them again",
         stray->index, stray->body->label, at, rod, from, to);
}

/* ---- Contacts ---- */

/* Finds deep overlaps at the start; rods and bodies that contact will press deeply into each other, by their speed, their
 * weight, or by loads that draw loops together; rods and bodies that come at elastic obstacles so fast that they will overlap them deeply,
 * or pass through.
 *
 * models     overlap: the layer of a surface is as deep as its radius. Bodies that start within it are thrown apart with the energy of the
 *            layer; bodies that start beyond it may come out on the other side
 *            approach: rods and bodies keep their mean velocities. The energy of two that meet, with the masses of the touching
 *            elements, against that of the layer at half the smaller radius
 *            weight: each element passes its load to its nearest supports, in proportion to the force of their layers at half the smaller
 *            radius; the load against the sum of these forces. All elements near a crossing are one support. A body
 *            rests on everything that it overlaps once the first overlap is half a radius, in the ratio of levers. A heap without support
 *            falls together: then loads count without the acceleration that all have
 *            walls: an overlap with a rigid wall releases no energy, and is a hint
 *            loops: T = 1/(1/(0.45 F) + 1/(0.7 S3)) + 0.01 B/r^2, F the force of two strands that cross at half a radius: under the tension
 *            T, crossing strands of a knot press each other; a soft rod gets thin, a stiff one bears some of T by its bend
 * source     energies and forces are those that contact itself works out for two that lie so
 *
 * Measured for two rods that cross or lie side by side, and a ball on a rod: at the speed that is found the deepest overlap is 0.498 to
 * 0.521 radii, with elements of 2.5 and 10 radii. No wave that spreads from the place counts. Overhand knots pulled until their strands
 * overlap by half a radius (friction 0, 0.1 and 0.4, elements of 0.8 and 1.7 radii, radii of 2 and 6 mm, E/k from 0.1 to 1000): the bound
 * is 0.53 to 0.94 times the tension.
 */

/* Returns 1 for an enabled contact. */
static int finds_contacts(const elastica_effect *effect) {
  const eli_built_in *kind = effect->body->kind;
  return effect->enabled && kind != NULL && kind->contacts != NULL && kind->stands == NULL;
}

/* Returns 1 for an obstacle of kind RIGID. */
static int is_wall(const elastica_effect *effect) {
  return effect->body->kind != NULL && effect->body->kind->stands != NULL && effect->body->kind->contacts == NULL;
}

/* Returns 1 for an obstacle of kind ELASTIC. */
static int is_obstacle(const elastica_effect *effect) {
  return effect->body->kind != NULL && effect->body->kind->stands != NULL && effect->body->kind->contacts != NULL;
}

/* ---- Overlaps at the start ---- */

static int finds_overlaps(const elastica_effect *effect) {
  return effect->enabled && (finds_contacts(effect) || is_obstacle(effect) || is_wall(effect));
}

/* The largest overlap that is not reported, in smaller radii. */
#define DEEPEST 0.5

/* The deepest overlap of a rod. */
typedef struct overlap {
  elastica_effect *effect; /* NULL: none */
  elastica_contact_point at;
  double share; /* overlap over the smaller radius */
} overlap;

static double radius_of(const elastica_world *world, int rod, int element) {
  elastica_body_info info;
  elastica_rod *body = world->bodies.rods[rod];
  if (!eli_is_rigid(body)) return elastica_rod_radius(&body->body->view, element);
  return elastica_body_get(body, &info) == ELASTICA_OK && info.radius > 0.0 ? info.radius : INFINITY; /* a box has no radius */
}

/* The second side of a contact with an obstacle is -1. */
static void consider(const elastica_world *world, elastica_effect *effect, const elastica_contact_point *point, overlap *of) {
  const int sides = point->rod[1] < 0 ? 1 : 2;
  double radius = INFINITY;
  for (int side = 0; side < sides; side++) {
    const double own = radius_of(world, point->rod[side], point->element[side]);
    if (own < radius) radius = own;
  }
  const double share = point->depth / radius;
  for (int side = 0; side < sides; side++) {
    overlap *own = &of[point->rod[side]];
    if (share > DEEPEST && share > own->share) *own = (overlap){effect, *point, share};
  }
}

static elastica_status find_overlaps(const elastica_world *world, elastica_effect *effect, overlap *of) {
  int count = 0;
  elastica_status status = elastica_contact_get(effect, NULL, 0, &count);
  if (status != ELASTICA_OK || count == 0) return status;
  elastica_contact_point *points = eli_allocate(&world->allocator, (size_t)count, sizeof *points);
  if (points == NULL) return elastica_world_refuse(effect->world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d contacts", count);
  const int room = count;
  status = elastica_contact_get(effect, points, room, &count);
  for (int k = 0; k < room && status == ELASTICA_OK; k++) consider(world, effect, &points[k], of);
  eli_release(&world->allocator, points);
  return status;
}

static void note_overlap(const world_check *check, int rod, const overlap *of) {
  const elastica_contact_point *at = &of->at;
  if (at->rod[1] < 0) {
    const int rigid = is_wall(of->effect);
    const finding_spot place = {rod, at->element[0], of->effect, of->share, DEEPEST, of->share};
    char then[80] = "a rigid wall pushes it out slowly";
    if (!rigid) snprintf(then, sizeof then, "the effect throws it out with %.3g N", at->force);
    note(check, ELASTICA_FINDING_OVERLAP, rigid ? ELASTICA_SEVERITY_HINT : ELASTICA_SEVERITY_WARNING, place,
         "rod %d, element %d overlaps effect %d \"%s\" by %.3g m, which is %.3g of its radius: %s. Start it outside%s", rod, at->element[0],
         of->effect->index, of->effect->body->label, at->depth, of->share, then, rigid ? "" : ", or relax first");
    return;
  }
  const int own = at->rod[0] == rod ? 0 : 1;
  const finding_spot spot = {rod, at->element[own], of->effect, of->share, DEEPEST, of->share};
  note(check, ELASTICA_FINDING_OVERLAP, ELASTICA_SEVERITY_WARNING, spot,
       "rod %d, element %d overlaps rod %d, element %d by %.3g m, which is %.3g of the smaller radius: effect %d \"%s\" throws them "
       "apart with %.3g N, or to the wrong side where centre lines have passed each other. Start them apart, or relax first",
       rod, at->element[own], at->rod[1 - own], at->element[1 - own], at->depth, of->share, of->effect->index, of->effect->body->label,
       at->force);
}

/* A rigid wall has no layer, and pushes elements out slowly by its stiffness alone: an overlap with it counts where no other is found. */
static void find_overlaps_with_wall(const elastica_world *world, elastica_effect *effect, overlap *of) {
  eli_body wall;
  eli_world_enter_hooks(effect->world, ELI_IN_HOOK);
  const elastica_status status = effect->body->kind->stands(effect->self, eli_world_now(world), &wall);
  eli_world_leave_hooks(effect->world);
  if (status != ELASTICA_OK) return; /* its motion fails; so will the first step */
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const elastica_rod_view *view = &rod->body->view;
    overlap *own = &of[view->rod_index];
    if (view->rigid || (effect->rod != NULL && effect->rod != rod) || (own->effect != NULL && !is_wall(own->effect))) continue;
    for (int j = 0; j < view->element_count; j++) {
      double centre[3], normal[3];
      for (int a = 0; a < 3; a++) centre[a] = 0.5 * (view->position[a][j] + view->position[a][j + 1]);
      const double radius = elastica_rod_radius(view, j);
      const double depth = radius - eli_obstacle_distance(&wall.obstacle, wall.place.position, wall.place.director, centre, normal);
      if (depth > DEEPEST * radius && depth > own->share * radius)
        *own = (overlap){effect, {.rod = {view->rod_index, -1}, .element = {j, -1}, .depth = depth}, depth / radius};
    }
  }
}

static elastica_status check_overlaps(const world_check *check) {
  elastica_world *world = check->world;
  elastica_status status = ELASTICA_OK;
  int any = 0;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) any = any || finds_overlaps(effect);
  if (!any || world->bodies.rod_count == 0) return status;
  overlap *of = eli_allocate(&world->allocator, (size_t)world->bodies.rod_count, sizeof *of);
  if (of == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d rods", world->bodies.rod_count);
  memset(of, 0, (size_t)world->bodies.rod_count * sizeof *of);
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (finds_overlaps(effect) && !is_wall(effect) && status == ELASTICA_OK) status = find_overlaps(world, effect, of);
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (effect->enabled && is_wall(effect) && status == ELASTICA_OK) find_overlaps_with_wall(world, effect, of);
  for (int r = 0; r < world->bodies.rod_count && status == ELASTICA_OK; r++)
    if (of[r].effect != NULL) note_overlap(check, r, &of[r]);
  eli_release(&world->allocator, of);
  return status;
}

/* ---- Approach, weight and loops ---- */

/* Below these bounds no contact is half a radius deep: a lower bound of the energy of any two elements, in k r^3, and of their force, in k
 * r^2. */
#define LEAST_ENERGY 0.5
#define LEAST_FORCE 10.0

/* Constants of the bound for loops, measured on pulled knots. */
#define LOOP_PRESS 0.45
#define LOOP_STRETCH 0.7
#define LOOP_BEND 0.01

/* The contact with the largest ratio of speed to critical speed. */
typedef struct approach {
  int other, element[2];
  double speed, bound; /* [m/s] */
} approach;

typedef struct box {
  double low[3], high[3]; /* [m] with the radius */
} box;

/* A rod or body that another comes to rest on, moving along its load. */
typedef struct support {
  int on;
  double force;        /* [N] of their layer at half the smaller radius */
  double share;        /* of the load */
  double time, cosine; /* of the first contact: time in [m/N]; cosine of the angle between its normal and the load */
  double along, reach; /* [m] position along the one that rests, from the middle of a body; the elements within reach belong to it */
} support;

/* A rod or body in the check. */
typedef struct party {
  const elastica_rod_view *rod;
  box within;
  int first;                         /* of its boxes */
  int support, support_count;        /* first of its supports */
  double mass, velocity[3];          /* [kg] [m/s] total mass and mean velocity */
  double load[3], pressing, carried; /* [N] load of effects; its part that acts on supports; loads carried for bodies above */
  double radius, thinnest;           /* [m] */
  double tension;                    /* [N] largest tension from its loads; tense is the element */
  int tense;
  double height; /* [m] height against the load direction, times its magnitude [N] */
  approach fast;
  int held, stands; /* 1: its position is prescribed; a support other than contact is known */
  int heap;         /* another of the heap that it belongs to, or itself; of that one, the sums: */
  double heap_load[3], heap_mass;
  int heap_stands;
} party;

/* A body that may support another, and the earliest time of their contact. */
typedef struct candidate {
  int party;
  double time;
} candidate;

typedef struct scene {
  const world_check *check;
  double dt;
  elastica_effect *effect; /* the contact effect under examination */
  eli_contact *contact;
  party *parties;
  box *boxes;                /* of elements */
  support *supports;         /* those of one party follow each other */
  int support_count, failed; /* failed 1: no memory for supports */
  int *order;                /* from the top down */
  candidate *near;           /* those on the way of one, by time */
  int count, near_count;
} scene;

/* ---- Geometry ---- */

/* When boxes meet first while one moves on by w t, t >= 0; infinite: never. */
static double meeting_time(const box *one, const box *other, const double w[3]) {
  double from = 0.0, to = INFINITY;
  for (int a = 0; a < 3; a++) {
    const double before = other->low[a] - one->high[a], behind = other->high[a] - one->low[a];
    if (w[a] == 0.0) {
      if (before > 0.0 || behind < 0.0) return INFINITY;
      continue;
    }
    const double enters = before / w[a], leaves = behind / w[a], first = enters < leaves ? enters : leaves;
    const double last = enters < leaves ? leaves : enters;
    if (first > from) from = first;
    if (last < to) to = last;
  }
  return from <= to ? from : INFINITY;
}

static box box_of(const eli_capsule *at) {
  box of;
  for (int a = 0; a < 3; a++) {
    const double x = at->end[0][a], y = at->end[1][a];
    of.low[a] = (x < y ? x : y) - at->radius;
    of.high[a] = (x < y ? y : x) + at->radius;
  }
  return of;
}

/* Returns the mass [kg] that takes part in a contact: the whole body, or a length of a rod. */
static double mass_of(const elastica_rod_view *rod, int j, double length) {
  return rod->rigid ? rod->mass[0] : 0.5 * (rod->mass[j] + rod->mass[j + 1]) * length / rod->length[j];
}

/* ---- Rods and bodies ---- */

/* Computes the total load of effects, and the tension that the loads cause in a rod. */
static elastica_status read_loads(const scene *of, elastica_rod *rod, party *out) {
  eli_survey survey;
  const elastica_status status = eli_survey_rod(&survey, rod, of->dt, "check");
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < out->rod->node_count && status == ELASTICA_OK; i++) out->load[a] += survey.force[a][i];
  if (status == ELASTICA_OK && !out->rod->rigid) out->tension = largest_tension(&survey, &out->tense);
  eli_survey_release(&survey);
  return status;
}

/* Returns 1 if an effect other than contact may support the rod: prescribed positions, reactions, obstacles, joints. */
static int may_stand(const scene *of, elastica_rod *rod) {
  ELI_EACH_EFFECT_OF_WORLD(effect, of->check->world) {
    if (effect->enabled && is_obstacle(effect) && (effect->rod == NULL || effect->rod == rod)) return 1;
  }
  ELI_EACH_PAIR_EFFECT(effect, of->check->world) {
    if (!finds_contacts(effect) && eli_effect_acts_on(effect, rod)) return 1;
  }
  return eli_rod_is_supported(rod);
}

static void read_boxes(const scene *of, int r, party *out) {
  for (int a = 0; a < 3; a++) out->within.low[a] = INFINITY, out->within.high[a] = -INFINITY;
  for (int j = 0; j < out->rod->element_count; j++) {
    eli_capsule at;
    eli_contact_place_moving(of->contact, r, j, &at);
    const box own = of->boxes[out->first + j] = box_of(&at);
    for (int a = 0; a < 3; a++) {
      if (own.low[a] < out->within.low[a]) out->within.low[a] = own.low[a];
      if (own.high[a] > out->within.high[a]) out->within.high[a] = own.high[a];
    }
    if (at.radius > out->radius) out->radius = at.radius;
    if (at.radius < out->thinnest) out->thinnest = at.radius;
  }
}

/* first: of its boxes. */
static elastica_status read_party(const scene *of, int r, int first, party *out) {
  elastica_world *world = of->check->world;
  elastica_rod *own = world->bodies.rods[r];
  memset(out, 0, sizeof *out);
  if (!eli_contact_is_round(of->contact, r)) return ELASTICA_OK;
  const elastica_rod_view *rod = &own->body->view;
  out->rod = rod;
  out->first = first;
  out->heap = r;
  out->fast.bound = INFINITY;
  out->thinnest = INFINITY;
  read_boxes(of, r, out);
  for (int i = 0; i < rod->node_count; i++) {
    out->mass += rod->mass[i];
    for (int a = 0; a < 3; a++) out->velocity[a] += rod->mass[i] * rod->velocity[a][i];
  }
  for (int a = 0; a < 3; a++) out->velocity[a] /= out->mass;
  out->held = eli_rod_has(own, ELI_CONSTRAIN_VELOCITY) || eli_rod_has(own, ELI_CONSTRAIN_POSITION);
  out->stands = out->held || may_stand(of, own);
  return read_loads(of, own, out);
}

/* ---- Approach ---- */

/* The first two elements of a pair to come into contact. */
typedef struct pairing {
  int element[2];
  eli_capsule at[2];
  eli_encounter where;
} pairing;

/* Returns 1 if boxes that meet at this time may hold the first contact. */
static int may_be_first(const pairing *first, double time) {
  return time < INFINITY && time <= first->where.time;
}

/* Sets first if these elements meet earlier. Of several that overlap from the start, the one on which the motion acts most directly. */
static int meet(const scene *of, const int rods[2], const int elements[2], const double w[3], pairing *first) {
  const box *boxes[2];
  pairing own = {{elements[0], elements[1]}, .where = {.time = INFINITY}};
  for (int side = 0; side < 2; side++) boxes[side] = &of->boxes[of->parties[rods[side]].first + elements[side]];
  if (!may_be_first(first, meeting_time(boxes[0], boxes[1], w)) || !eli_contact_let_touch(of->contact, rods, elements)) return 0;
  for (int side = 0; side < 2; side++) eli_contact_place_moving(of->contact, rods[side], elements[side], &own.at[side]);
  if (!eli_capsules_approach(own.at, w, &own.where)) return 0;
  const double closing = eli_dot(own.where.normal, w), least = own.where.time < first->where.time ? 0.0 : eli_dot(first->where.normal, w);
  if (!(own.where.time <= first->where.time && closing > least)) return 0;
  *first = own;
  return 1;
}

/* Returns 0 if the two pass each other or separate. */
static int find_first(const scene *of, int i, int j, const double w[3], pairing *first) {
  const party *one = &of->parties[i], *other = &of->parties[j];
  first->where.time = INFINITY;
  for (int a = 0; a < one->rod->element_count; a++) {
    if (!may_be_first(first, meeting_time(&of->boxes[one->first + a], &other->within, w))) continue;
    for (int b = 0; b < other->rod->element_count; b++) (void)meet(of, (const int[2]){i, j}, (const int[2]){a, b}, w, first);
  }
  return first->where.time < INFINITY;
}

static void judge_approach(const scene *of, int i, int j, const pairing *first, const double w[3]) {
  const elastica_rod_view *one = of->parties[i].rod, *other = of->parties[j].rod;
  const int rods[2] = {i, j}, rigid[2] = {one->rigid, other->rigid}, *element = first->element;
  const eli_strength bears = eli_contact_strength(of->contact, first->at, rigid, &first->where);
  const double mass = mass_of(one, element[0], bears.length[0]), its = mass_of(other, element[1], bears.length[1]);
  const double closing = eli_dot(first->where.normal, w), bound = sqrt(2.0 * bears.energy * (mass + its) / (mass * its));
  for (int side = 0; side < 2; side++) {
    party *own = &of->parties[rods[side]];
    if (!(closing / bound > 1.0 && closing / bound > own->fast.speed / own->fast.bound)) continue;
    own->fast = (approach){rods[1 - side], {element[side], element[1 - side]}, closing, bound};
  }
}

/* A modulus [Pa] to advise, to two digits: not less than it. */
static double rounded_up(double modulus) {
  double scale = 1.0;
  while (modulus / scale >= 100.0) scale *= 10.0;
  while (modulus / scale < 10.0) scale *= 0.1;
  return -floor(-modulus / scale) * scale;
}

static void note_approach(const scene *of, int i) {
  const approach *fast = &of->parties[i].fast;
  const double k = of->contact->law.line.modulus, ratio = fast->speed / fast->bound;
  const finding_spot spot = {i, fast->element[0], of->effect, fast->speed, fast->bound, ratio};
  if (!(ratio > 1.0)) return;
  note(of->check, ELASTICA_FINDING_APPROACH, ELASTICA_SEVERITY_WARNING, spot,
       "rod %d, element %d and rod %d, element %d will meet at %.3g m/s, and from %.3g m/s on they overlap by more than half the "
       "smaller radius: effect %d \"%s\" has a modulus of %.3g Pa. Let them meet more slowly, or take one of %.2g Pa",
       i, fast->element[0], fast->other, fast->element[1], fast->speed, fast->bound, of->effect->index, of->effect->body->label, k,
       rounded_up(k * ratio * ratio));
}

/* Returns 1 if the fastest and the heaviest of all together could have the energy of a deep overlap. */
static int is_any_fast(const scene *of) {
  double fastest = 0.0, heaviest = 0.0, thinnest = INFINITY;
  for (int r = 0; r < of->count; r++) {
    const party *own = &of->parties[r];
    if (own->rod == NULL) continue;
    const double square = eli_dot(own->velocity, own->velocity);
    if (!(square <= fastest)) fastest = square;
    if (own->mass > heaviest) heaviest = own->mass;
    if (own->thinnest < thinnest) thinnest = own->thinnest;
  }
  return !(0.5 * heaviest * 4.0 * fastest < LEAST_ENERGY * of->contact->law.line.modulus * thinnest * thinnest * thinnest);
}

static void compare_speeds(const scene *of, int i, int j) {
  const party *one = &of->parties[i], *other = &of->parties[j];
  const double k = of->contact->law.line.modulus, r = one->thinnest < other->thinnest ? one->thinnest : other->thinnest;
  const double lighter = one->mass < other->mass ? one->mass : other->mass;
  double w[3];
  pairing first;
  for (int a = 0; a < 3; a++) w[a] = one->velocity[a] - other->velocity[a];
  if (0.5 * lighter * eli_dot(w, w) < LEAST_ENERGY * k * r * r * r || !(meeting_time(&one->within, &other->within, w) < INFINITY)) return;
  if (find_first(of, i, j, w, &first)) judge_approach(of, i, j, &first, w);
}

/* ---- Weight ---- */

static double size_of(const double v[3]) {
  return sqrt(eli_dot(v, v));
}

/* Sorts indices by a height, the largest first. */
static void sort_by_height(const scene *of, int *order, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int k = gap; k < count; k++) {
      const int moved = order[k];
      int to = k;
      for (; to >= gap && of->parties[order[to - gap]].height < of->parties[moved].height; to -= gap) order[to] = order[to - gap];
      order[to] = moved;
    }
}

static int list_parties(const scene *of, int *order) {
  int count = 0;
  for (int r = 0; r < of->count; r++)
    if (of->parties[r].rod != NULL) order[count++] = r;
  return count;
}

static void sort_by_time(candidate *near, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int k = gap; k < count; k++) {
      const candidate moved = near[k];
      int to = k;
      for (; to >= gap && near[to - gap].time > moved.time; to -= gap) near[to] = near[to - gap];
      near[to] = moved;
    }
}

/* Lists the bodies that may support body i, the earliest first. */
static void find_near(scene *of, int i) {
  const party *own = &of->parties[i];
  of->near_count = 0;
  for (int j = 0; j < of->count; j++) {
    if (j == i || of->parties[j].rod == NULL) continue;
    const double time = meeting_time(&own->within, &of->parties[j].within, own->load);
    if (time < INFINITY) of->near[of->near_count++] = (candidate){j, time};
  }
  sort_by_time(of->near, of->near_count);
}

/* Sets first if element a of i meets j earlier. */
static int meet_element(const scene *of, int i, int a, int j, pairing *first) {
  const party *own = &of->parties[i], *other = &of->parties[j];
  int any = 0;
  if (!may_be_first(first, meeting_time(&of->boxes[own->first + a], &other->within, own->load))) return 0;
  for (int b = 0; b < other->rod->element_count; b++) any |= meet(of, (const int[2]){i, j}, (const int[2]){a, b}, own->load, first);
  return any;
}

/* along: of the beginning of the element. */
static support support_of(const scene *of, int i, int j, const pairing *first, double along) {
  const party *own = &of->parties[i], *other = &of->parties[j];
  const int rigid[2] = {own->rod->rigid, other->rod->rigid};
  const double sine = eli_capsule_sine(first->at), length = own->rod->length[first->element[0]];
  const eli_strength bears = eli_contact_strength(of->contact, first->at, rigid, &first->where);
  support out = {.on = j, .force = bears.force, .time = first->where.time};
  out.cosine = eli_dot(first->where.normal, own->load) / size_of(own->load);
  out.along = along + first->where.share[0] * length;
  out.reach = bears.parallel ? 0.0 : (first->at[0].radius + first->at[1].radius) / sine;
  return out;
}

static void add_support(scene *of, party *own, const support *added) {
  support *supports = eli_grow(&of->check->world->allocator, of->supports, (size_t)of->support_count, sizeof *supports);
  if (supports == NULL) {
    of->failed = 1;
    return;
  }
  of->supports = supports;
  supports[of->support_count++] = *added;
  own->support_count++;
}

/* Elements of one crossing are one support: that of the element that meets first. */
static void add_to_crossing(scene *of, party *own, const support *added) {
  for (int k = of->support_count - 1; k >= own->support && added->reach > 0.0; k--) {
    support *earlier = &of->supports[k];
    if (fabs(added->along - earlier->along) > added->reach) break;
    if (earlier->on != added->on || earlier->reach == 0.0) continue;
    if (added->time < earlier->time || (added->time == earlier->time && added->cosine > earlier->cosine)) *earlier = *added;
    return;
  }
  add_support(of, own, added);
}

/* Each element of a rod rests on the first rod or body that it meets, and all supports of the rod are equally deep. */
static void find_supports_of_rod(scene *of, int i) {
  party *own = &of->parties[i];
  double along = 0.0, total = 0.0;
  for (int a = 0; a < own->rod->element_count; a++) {
    pairing first = {.where = {.time = INFINITY}};
    int on = -1;
    for (int k = 0; k < of->near_count && may_be_first(&first, of->near[k].time); k++)
      if (meet_element(of, i, a, of->near[k].party, &first)) on = of->near[k].party;
    if (on >= 0) {
      const support added = support_of(of, i, on, &first, along);
      add_to_crossing(of, own, &added);
    }
    along += own->rod->length[a];
  }
  if (own->support_count == 0) return;
  support *all = &of->supports[own->support];
  for (int k = 0; k < own->support_count; k++) total += all[k].force;
  for (int k = 0; k < own->support_count; k++) all[k].share = all[k].force / total;
}

/* Shares of the load of a body, by the equilibrium of forces and of moments about its middle; share holds stiffnesses before. Where the
 * middle is not between supports the body tips to the nearest. */
static void share_by_levers(support *all, int count) {
  double total = 0.0, mean = 0.0, square = 0.0, sum = 0.0;
  if (count == 0) return;
  for (int k = 0; k < count; k++) total += all[k].share, mean += all[k].share * all[k].along;
  mean /= total;
  for (int k = 0; k < count; k++) square += all[k].share * (all[k].along - mean) * (all[k].along - mean);
  for (int k = 0; k < count; k++) {
    const double lever = square > 0.0 ? total * mean * (all[k].along - mean) / square : 0.0;
    all[k].share *= lever < 1.0 ? 1.0 - lever : 0.0;
    sum += all[k].share;
  }
  for (int k = 0; k < count; k++) all[k].share /= sum;
}

/* A body rests on all that it overlaps when the overlap with the first is half a radius. */
static void find_supports_of_body(scene *of, int i) {
  party *own = &of->parties[i];
  const double size = size_of(own->load);
  double earliest = INFINITY;
  for (int k = 0; k < of->near_count && of->near[k].time * size <= earliest * size + ELI_DEEP * own->thinnest; k++) {
    pairing first = {.where = {.time = INFINITY}};
    if (!meet_element(of, i, 0, of->near[k].party, &first)) continue;
    support added = support_of(of, i, of->near[k].party, &first, -0.5 * own->rod->length[0]);
    if (eli_capsule_sine(first.at) < ELI_PARALLEL) added.along = 0.0;
    if (added.time < earliest) earliest = added.time;
    add_support(of, own, &added);
  }
  if (own->support_count == 0) return;
  support *all = &of->supports[own->support];
  int count = 0;
  for (int k = 0; k < own->support_count; k++) {
    const double radius = of->parties[all[k].on].thinnest, deep = ELI_DEEP * (radius < own->thinnest ? radius : own->thinnest);
    const double later = (all[k].time - earliest) * size;
    if (!(later < deep)) continue;
    all[count] = all[k];
    all[count++].share = all[k].force * all[k].cosine * all[k].cosine * (1.0 - later / deep);
  }
  of->support_count -= own->support_count - count;
  own->support_count = count;
  share_by_levers(all, count);
}

static void find_supports(scene *of, int i) {
  party *own = &of->parties[i];
  own->support = of->support_count, own->support_count = 0;
  if (!(size_of(own->load) > 0.0)) return;
  find_near(of, i);
  if (own->rod->rigid)
    find_supports_of_body(of, i);
  else
    find_supports_of_rod(of, i);
}

/* ---- Heaps that fall together ---- */

static int heap_of(scene *of, int r) {
  while (of->parties[r].heap != r) {
    party *own = &of->parties[r];
    own->heap = of->parties[own->heap].heap;
    r = own->heap;
  }
  return r;
}

/* Joins each body with those that support it. */
static void find_heaps(scene *of) {
  for (int r = 0; r < of->count; r++) {
    const party *own = &of->parties[r];
    for (int k = 0; k < own->support_count; k++) of->parties[heap_of(of, r)].heap = heap_of(of, of->supports[own->support + k].on);
  }
  for (int r = 0; r < of->count; r++) {
    const party *own = &of->parties[r];
    if (own->rod == NULL) continue;
    party *heap = &of->parties[heap_of(of, r)];
    for (int a = 0; a < 3; a++) heap->heap_load[a] += own->load[a];
    heap->heap_mass += own->mass;
    heap->heap_stands |= own->stands;
  }
}

/* A heap without support falls together: on its contacts acts the load without the common acceleration. */
static void leave_common_fall(scene *of, int i) {
  party *own = &of->parties[i];
  const party *heap = &of->parties[heap_of(of, i)];
  own->pressing = size_of(own->load);
  if (heap->heap_stands) return;
  for (int a = 0; a < 3; a++) own->load[a] -= heap->heap_load[a] * own->mass / heap->heap_mass;
  if (size_of(own->load) < 1e-9 * own->pressing)
    own->pressing = 0.0;
  else
    find_supports(of, i), own->pressing = size_of(own->load);
}

static void note_weight(const scene *of, int i, double load, double bears) {
  const party *own = &of->parties[i];
  const double k = of->contact->law.line.modulus;
  const finding_spot spot = {i, -1, of->effect, load, bears, load / bears};
  char above[80] = "";
  if (own->carried > 0.0) snprintf(above, sizeof above, ", of which those above it are %.3g N,", own->carried);
  note(of->check, ELASTICA_FINDING_WEIGHT, ELASTICA_SEVERITY_WARNING, spot,
       "rod %d: it presses with %.3g N%s on what it will rest on, and from %.3g N on it overlaps that by more than half the smaller "
       "radius: effect %d \"%s\" has a modulus of %.3g Pa. Take one of %.2g Pa, or less load",
       i, load, above, bears, of->effect->index, of->effect->body->label, k, rounded_up(k * load / bears));
}

static void judge_weight(scene *of, int i) {
  const party *own = &of->parties[i];
  const double load = own->pressing + own->carried;
  double bears = INFINITY;
  if (!(load > 0.0) || own->held) return;
  for (int k = 0; k < own->support_count; k++) {
    const support *on = &of->supports[own->support + k];
    if (on->share * bears > on->force) bears = on->force / on->share;
    of->parties[on->on].carried += load * on->share;
  }
  if (load > bears) note_weight(of, i, load, bears);
}

/* Passes loads on from the top down, in the direction of the largest load of one body. */
static void judge_weights(scene *of) {
  const double k = of->contact->law.line.modulus, *most = NULL;
  double total = 0.0, largest = 0.0, thinnest = INFINITY;
  const int count = list_parties(of, of->order);
  for (int n = 0; n < count; n++) {
    const party *own = &of->parties[of->order[n]];
    const double load = size_of(own->load);
    total += load;
    if (own->thinnest < thinnest) thinnest = own->thinnest;
    if (load > largest) largest = load, most = own->load;
  }
  if (most == NULL || !(total > LEAST_FORCE * k * thinnest * thinnest)) return;
  const double down[3] = {most[0], most[1], most[2]};
  for (int n = 0; n < count; n++) find_supports(of, of->order[n]);
  find_heaps(of);
  for (int n = 0; n < count; n++) leave_common_fall(of, of->order[n]);
  for (int n = 0; n < count; n++) {
    party *own = &of->parties[of->order[n]];
    own->height = 0.0;
    for (int a = 0; a < 3; a++) own->height -= 0.5 * (own->within.low[a] + own->within.high[a]) * down[a];
  }
  sort_by_height(of, of->order, count);
  for (int n = 0; n < count; n++) judge_weight(of, of->order[n]);
}

/* ---- Loops ---- */

/* [N] The tension of element j at which a loop overlaps by half a radius, when two strands that cross bear this force [N] at that depth. */
static double loop_bound(const elastica_rod_view *rod, int j, double radius, double crossing) {
  const double b1 = rod->element_bend_stiffness[0][j], b2 = rod->element_bend_stiffness[1][j], bend = b1 < b2 ? b1 : b2;
  const double press = LOOP_PRESS * crossing, stretch = LOOP_STRETCH * rod->shear_stiffness[2][j];
  return press * stretch / (press + stretch) + LOOP_BEND * bend / (radius * radius);
}

/* Returns the factor by which the modulus must be larger for this tension; 0: no modulus suffices, because the rod itself stretches. */
static double loop_factor(const elastica_rod_view *rod, int j, double radius, double crossing, double tension) {
  const double stretch = LOOP_STRETCH * rod->shear_stiffness[2][j], rest = tension - loop_bound(rod, j, radius, 0.0);
  return rest < stretch ? rest * stretch / (stretch - rest) / (LOOP_PRESS * crossing) : 0.0;
}

static void judge_loop(const scene *of, int r) {
  const party *own = &of->parties[r];
  if (own->rod == NULL || own->rod->rigid || !(own->tension > 0.0) || !of->contact->law.self) return;
  const int j = own->tense;
  const double crossing = eli_contact_crossing_strength(of->contact, own->thinnest), k = of->contact->law.line.modulus;
  const double bound = loop_bound(own->rod, j, own->thinnest, crossing);
  const finding_spot spot = {r, j, of->effect, own->tension, bound, own->tension / bound};
  if (!(own->tension > bound)) return;
  const double factor = loop_factor(own->rod, j, own->thinnest, crossing, own->tension);
  char advice[120] = "Pull less: under this load the rod itself stretches too far, whatever the modulus";
  if (factor > 0.0) snprintf(advice, sizeof advice, "Take one of %.2g Pa, or pull less", rounded_up(k * factor));
  note(of->check, ELASTICA_FINDING_LOOP, ELASTICA_SEVERITY_WARNING, spot,
       "rod %d, element %d: its loads pull it with %.3g N. From about %.3g N on, a knot or loop in it is drawn so tight that its "
       "strands overlap by more than half the radius: effect %d \"%s\" has a modulus of %.3g Pa. %s",
       r, j, own->tension, bound, of->effect->index, of->effect->body->label, k, advice);
}

/* ---- The whole check ---- */

static elastica_status judge(scene *of) {
  elastica_status status = ELASTICA_OK;
  int first = 0;
  for (int r = 0; r < of->count && status == ELASTICA_OK; r++) {
    status = read_party(of, r, first, &of->parties[r]);
    if (of->parties[r].rod != NULL) first += of->parties[r].rod->element_count;
  }
  if (status != ELASTICA_OK) return status;
  for (int r = 0; r < of->count; r++) judge_loop(of, r);
  const int fast = is_any_fast(of);
  for (int i = 0; i < of->count && fast; i++)
    for (int j = i + 1; j < of->count; j++)
      if (of->parties[i].rod != NULL && of->parties[j].rod != NULL) compare_speeds(of, i, j);
  for (int r = 0; r < of->count; r++)
    if (of->parties[r].rod != NULL) note_approach(of, r);
  judge_weights(of);
  if (of->failed) return elastica_world_refuse(of->check->world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d rods", of->count);
  return ELASTICA_OK;
}

static elastica_status reserve(scene *of) {
  elastica_world *world = of->check->world;
  const eli_allocator *allocator = &world->allocator;
  const size_t count = (size_t)of->count;
  size_t elements = 1;
  ELI_EACH_ROD_OF_WORLD(rod, world) elements += (size_t)rod->element_count;
  of->parties = eli_allocate(allocator, count, sizeof *of->parties);
  of->order = eli_allocate(allocator, count, sizeof *of->order);
  of->near = eli_allocate(allocator, count, sizeof *of->near);
  of->boxes = eli_allocate(allocator, elements, sizeof *of->boxes);
  if (of->parties != NULL && of->order != NULL && of->near != NULL && of->boxes != NULL) {
    memset(of->parties, 0, count * sizeof *of->parties);
    return ELASTICA_OK;
  }
  return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d rods", of->count);
}

static void release(scene *of) {
  const eli_allocator *allocator = &of->check->world->allocator;
  eli_release(allocator, of->supports);
  eli_release(allocator, of->boxes);
  eli_release(allocator, of->near);
  eli_release(allocator, of->order);
  eli_release(allocator, of->parties);
}

static elastica_status check_pressing(const world_check *check, double dt) {
  elastica_world *world = check->world;
  elastica_status status = ELASTICA_OK;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (status != ELASTICA_OK || !finds_contacts(effect) || world->bodies.rod_count == 0) continue;
    scene of = {.check = check, .dt = dt, .count = world->bodies.rod_count, .effect = effect, .contact = effect->self};
    status = reserve(&of);
    if (status == ELASTICA_OK && !eli_contact_update(of.contact))
      status = elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d rods", of.count);
    if (status == ELASTICA_OK) status = judge(&of);
    release(&of);
  }
  return status;
}

/* ---- Elastic obstacles ---- */

typedef struct noting {
  const world_check *check;
  elastica_effect *effect;
} noting;

static void note_impact(void *context, int rod, const eli_impact *of) {
  const noting *to = context;
  elastica_effect *effect = to->effect;
  const double ratio = of->speed / of->bound, modulus = eli_elastic_modulus(effect->self);
  const finding_spot spot = {rod, of->element, effect, of->speed, of->bound, ratio};
  note(to->check, ELASTICA_FINDING_APPROACH, ELASTICA_SEVERITY_WARNING, spot,
       "rod %d, element %d will meet effect %d \"%s\" at %.3g m/s, and from %.3g m/s on it overlaps it by more than half its "
       "radius: the effect has a modulus of %.3g Pa. Let them meet more slowly, or take one of %.2g Pa",
       rod, of->element, effect->index, effect->body->label, of->speed, of->bound, modulus, rounded_up(modulus * ratio * ratio));
}

static elastica_status check_obstacles(const world_check *check) {
  elastica_world *world = check->world;
  elastica_status status = ELASTICA_OK;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (status != ELASTICA_OK || !effect->enabled || !is_obstacle(effect)) continue;
    noting to = {check, effect};
    eli_world_enter_hooks(world, ELI_IN_HOOK);
    status = eli_elastic_find_impacts(effect->self, eli_world_now(world), note_impact, &to);
    eli_world_leave_hooks(world);
    if (status != ELASTICA_OK)
      status =
          elastica_world_refuse(world, status, "check: effect %d \"%s\": %s", effect->index, effect->body->label, eli_world_reason(world));
  }
  return status;
}

/* dt: step size for hooks. A status other than OK belongs to a refusal. */
static elastica_status check_contacts(const world_check *check, double dt) {
  elastica_status status = check_overlaps(check);
  if (status == ELASTICA_OK) status = check_pressing(check, dt);
  return status == ELASTICA_OK ? check_obstacles(check) : status;
}

/* ---- The world ---- */

static elastica_status check_rod(const world_check *check, elastica_rod *rod, double dt) {
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
  const world_check check = {world, out, badness};
  elastica_status status = eli_world_check_open(world, "check", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(world, "check");
  if (status == ELASTICA_OK) status = elastica_world_step_limit(world, &out->limit);
  if (status == ELASTICA_OK) check_step(&check, dt);
  if (status == ELASTICA_OK) check_spin(&check, dt);
  const double step = dt > 0.0 ? dt : out->limit.dt < INFINITY && out->limit.dt > 0.0 ? out->limit.dt : 1.0;
  for (elastica_rod *rod = world->bodies.first_rod; rod != NULL && status == ELASTICA_OK; rod = rod->body->next)
    check_prescriptions(&check, rod, step);
  if (status == ELASTICA_OK) check_motions(&check, step);
  for (elastica_rod *rod = world->bodies.first_rod; rod != NULL && status == ELASTICA_OK; rod = rod->body->next)
    status = eli_is_rigid(rod) ? ELASTICA_OK : check_rod(&check, rod, step);
  if (status == ELASTICA_OK) status = check_contacts(&check, step);
  if (status != ELASTICA_OK) memset(out, 0, sizeof *out);
  sort_findings(out);
  return status;
}
