/* Statics of Reissner's beam in a plane by shooting: r' = (1 + N/EA) t + Q/(kGA) n, heading' = curvature + M/(EI), M' = -r' x F, with the
 * force F of the section constant in a piece. Unknown at the start are F, the moment (clamped) or the heading (hinged), and the load P; the
 * end is at its place without a moment. These 3 equations in 4 unknowns are a curve, which is followed by its arc length.
 */
#include "paths/planar.h"
#include "common/linear.h"

#include <math.h>
#include <string.h>

enum { UNKNOWNS = 4, EQUATIONS = 3, MOST_STEPS = 4000 };

typedef struct section {
  double x, z, heading, moment;
} section;

static section rate_of(const planar *of, int piece, const double force[2], const section *at) {
  const double c = cos(at->heading), s = sin(at->heading);
  const double along = 1 + (force[0] * c + force[1] * s) / of->stretch, across = (force[1] * c - force[0] * s) / of->shear;
  section rate = {.x = along * c - across * s, .z = along * s + across * c};
  rate.heading = of->curvature[piece] + at->moment / of->bend;
  rate.moment = rate.z * force[0] - rate.x * force[1];
  return rate;
}

static section moved(const section *from, double step, const section *rate) {
  return (section){from->x + step * rate->x, from->z + step * rate->z, from->heading + step * rate->heading,
                   from->moment + step * rate->moment};
}

static void integrate_piece(const planar *of, int piece, int intervals, const double force[2], section *at) {
  const double step = of->length[piece] / intervals;
  for (int i = 0; i < intervals; i++) {
    const section k1 = rate_of(of, piece, force, at);
    const section a = moved(at, step / 2, &k1), k2 = rate_of(of, piece, force, &a);
    const section b = moved(at, step / 2, &k2), k3 = rate_of(of, piece, force, &b);
    const section c = moved(at, step, &k3), k4 = rate_of(of, piece, force, &c);
    *at = moved(at, step / 6, &k1);
    *at = moved(at, step / 3, &k2);
    *at = moved(at, step / 3, &k3);
    *at = moved(at, step / 6, &k4);
  }
}

static double whole_length(const planar *of) {
  double sum = 0;
  for (int k = 0; k < of->pieces; k++) sum += of->length[k];
  return sum;
}

/* The end, and the point of the force, for unknowns in units of EI/L^2, and EI/L or radians. */
static section integrate(const planar *of, int intervals, const double y[UNKNOWNS], section *loaded) {
  const double length = whole_length(of), unit = of->bend / (length * length);
  double force[2] = {y[0] * unit, y[1] * unit};
  section at = {.heading = of->heading + (of->clamped ? 0 : y[2]), .moment = of->clamped ? y[2] * unit * length : 0};
  for (int k = 0; k < of->pieces; k++) {
    at.heading += of->kink[k];
    integrate_piece(of, k, intervals, force, &at);
    if (k != of->loaded) continue;
    force[1] += y[3] * unit;
    *loaded = at;
  }
  return at;
}

typedef struct problem {
  const planar *of;
  int intervals;
  section end, loaded; /* at rest */
} problem;

static void residual_of(const problem *p, const double y[UNKNOWNS], double out[EQUATIONS], section *loaded) {
  const double length = whole_length(p->of);
  const section end = integrate(p->of, p->intervals, y, loaded);
  out[0] = (end.x - p->end.x) / length;
  out[1] = (end.z - p->end.z) / length;
  out[2] = end.moment * length / p->of->bend;
}

/* The slopes of the residual by central differences; the last row is the direction. */
static void find_slopes(const problem *p, const double y[UNKNOWNS], const double direction[UNKNOWNS], double out[UNKNOWNS][UNKNOWNS]) {
  const double h = 1e-5;
  for (int j = 0; j < UNKNOWNS; j++) {
    double there[UNKNOWNS], after[EQUATIONS], before[EQUATIONS];
    section unused;
    memcpy(there, y, sizeof there);
    there[j] = y[j] + h;
    residual_of(p, there, after, &unused);
    there[j] = y[j] - h;
    residual_of(p, there, before, &unused);
    for (int i = 0; i < EQUATIONS; i++) out[i][j] = (after[i] - before[i]) / (2 * h);
    out[EQUATIONS][j] = direction[j];
  }
}

/* The tangent, with a positive product with the direction before. */
static void find_tangent(const problem *p, const double y[UNKNOWNS], double direction[UNKNOWNS]) {
  double slopes[UNKNOWNS][UNKNOWNS], tangent[UNKNOWNS] = {0, 0, 0, 1}, square = 0;
  find_slopes(p, y, direction, slopes);
  example_solve(UNKNOWNS, slopes[0], tangent);
  for (int j = 0; j < UNKNOWNS; j++) square += tangent[j] * tangent[j];
  for (int j = 0; j < UNKNOWNS; j++) direction[j] = tangent[j] / sqrt(square);
}

/* The point at an arc from another one along its tangent; returns the number of iterations, 0 without success. */
static int reach(const problem *p, const double from[UNKNOWNS], const double tangent[UNKNOWNS], double arc, double y[UNKNOWNS]) {
  for (int j = 0; j < UNKNOWNS; j++) y[j] = from[j] + arc * tangent[j];
  for (int pass = 1; pass < 20; pass++) {
    double slopes[UNKNOWNS][UNKNOWNS], change[UNKNOWNS], size = 0;
    section unused;
    residual_of(p, y, change, &unused);
    change[EQUATIONS] = 0;
    find_slopes(p, y, tangent, slopes);
    example_solve(UNKNOWNS, slopes[0], change);
    for (int j = 0; j < UNKNOWNS; j++) y[j] -= change[j], size += fabs(change[j]);
    if (!isfinite(size)) return 0;
    if (size < 1e-10) return pass;
  }
  return 0;
}

/* The zero of the slope of the load within an arc, by the rule of false position. */
static int find_maximum(const problem *p, const double from[UNKNOWNS], const double tangent[UNKNOWNS], double arc, double high,
                        double y[UNKNOWNS]) {
  double low = 0, g_low = tangent[3], g_high = high;
  for (int pass = 0; pass < 60 && arc - low > 1e-10; pass++) {
    const double middle = low + (arc - low) * (pass % 3 == 2 ? 0.5 : g_low / (g_low - g_high));
    double slope[UNKNOWNS];
    memcpy(slope, tangent, sizeof slope);
    if (!reach(p, from, tangent, middle, y)) return 0;
    find_tangent(p, y, slope);
    if (fabs(slope[3]) < 1e-9) return 1;
    if (slope[3] > 0)
      low = middle, g_low = slope[3];
    else
      arc = middle, g_high = slope[3];
  }
  return 1;
}

int planar_find_limit(const planar *of, int intervals, planar_limit *out) {
  const double length = whole_length(of);
  const section start = {0, 0, 0, 0};
  problem p = {of, intervals, start, start};
  double y[UNKNOWNS] = {0}, direction[UNKNOWNS] = {0, 0, 0, 1}, arc = 0.05;
  p.end = integrate(of, intervals, y, &p.loaded);
  find_tangent(&p, y, direction);
  for (int k = 0; k < MOST_STEPS; k++) {
    double next[UNKNOWNS], ahead[UNKNOWNS];
    const int iterations = reach(&p, y, direction, arc, next);
    memcpy(ahead, direction, sizeof ahead);
    if (iterations > 0) find_tangent(&p, next, ahead);
    double cosine = 0;
    for (int j = 0; j < UNKNOWNS; j++) cosine += ahead[j] * direction[j];
    if (iterations == 0 || cosine < 0.98) {
      arc /= 2;
      continue;
    }
    if (direction[3] > 0 && ahead[3] < 0) {
      section at = start;
      double unused[EQUATIONS];
      if (!find_maximum(&p, y, direction, arc, ahead[3], next)) return 0;
      residual_of(&p, next, unused, &at);
      *out = (planar_limit){next[3] * of->bend / (length * length), at.x - p.loaded.x, at.z - p.loaded.z};
      return 1;
    }
    memcpy(y, next, sizeof y);
    memcpy(direction, ahead, sizeof direction);
    if (iterations < 4 && arc < 0.5) arc *= 1.5;
  }
  return 0;
}
