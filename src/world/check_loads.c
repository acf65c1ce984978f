/* The consequences of the loads of a rod: bending at its clamp, stretch beyond the stability of its frames, or buckling.
 *
 * equation   bending of an element at the clamp: l (min(M, sqrt(2 F EI)) + C)/EI, since a rod that yields to its load bends at most as an
 *            elastica with its end hanging in the direction of F
 *            frames of a stretched element fall over beyond e = S3 (1 + sigma0)/(S3 - S1)
 *            buckling: -sum N phi'^2 > sum EI phi''^2 with the buckling mode phi of a uniform rod under an end load (Rayleigh's quotient,
 *            with an error on the safe side: 6 % for a column under its own weight)
 * source     Euler; Rayleigh
 * test       tests/test_check.c
 */
#include "base/target.h"

#include <math.h>

#include "base/elementary.h"
#include "rod/law.h"
#include "world/check.h"

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

/* ---- Stretch ---- */

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

void eli_check_loads(const eli_check *check, const eli_survey *survey) {
  if (!survey->rod->closed) check_turn(check, survey);
  check_stretch(check, survey);
  check_buckling(check, survey);
}
