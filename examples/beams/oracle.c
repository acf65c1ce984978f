/* Along s: r' = Q^T (e3 + sigma), Q turns by kappa, n' = -weight, m' = -r' x n, with sigma = S^-1 Q n, kappa = kappa0 + B^-1 Q m. Force and
 * couple of the clamp are found by Newton's method so that those of the tip are the applied ones.
 *
 * n and m are those of the whole section, tendon included. Its part is tension times the tangent of the tendon, which depends on the
 * strains: they are found by iteration (Rucker and Webster 2011).
 */
#include "beams/oracle.h"
#include "common/linear.h"

#include <math.h>
#include <string.h>

enum { UNKNOWNS = 6 };

typedef struct point {
  double r[3], q[4], n[3], m[3]; /* q: material to laboratory */
} point;

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static void matrix(const double q[4], double m[3][3]) {
  const double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], f = 2 / size;
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rows[3][3] = {{1 - f * (y * y + z * z), f * (x * y - w * z), f * (x * z + w * y)},
                             {f * (x * y + w * z), 1 - f * (x * x + z * z), f * (y * z - w * x)},
                             {f * (x * z - w * y), f * (y * z + w * x), 1 - f * (x * x + y * y)}};
  memcpy(m, rows, sizeof rows);
}

static void to_material(double m[3][3], const double v[3], double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = m[0][a] * v[0] + m[1][a] * v[1] + m[2][a] * v[2];
}

static void to_laboratory(double m[3][3], const double v[3], double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = m[a][0] * v[0] + m[a][1] * v[1] + m[a][2] * v[2];
}

/* Strains e3 + sigma and kappa from the material components of n and m. */
static void find_strains(const beam *b, double tension, const double n[3], const double m[3], double stretch[3], double kappa[3]) {
  double pull[3] = {0}; /* of the tendon, material */
  for (int pass = 0; pass < (tension > 0 ? 30 : 1); pass++) {
    if (tension > 0) { /* tangent (e3 + sigma + kappa x h)/size with h = offset d1 */
      double t[3] = {0, 0, 1};
      if (pass > 0) t[0] = stretch[0], t[1] = stretch[1] + kappa[2] * b->offset, t[2] = stretch[2] - kappa[1] * b->offset;
      const double size = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
      for (int a = 0; a < 3; a++) pull[a] = tension * t[a] / size;
    }
    const double moment[3] = {0, -b->offset * pull[2], b->offset * pull[1]};
    for (int a = 0; a < 3; a++) {
      stretch[a] = (a == 2) + (n[a] - pull[a]) / b->shear[a];
      kappa[a] = (a == 0 ? b->curvature : 0) + (m[a] - moment[a]) / b->bend[a];
    }
  }
}

static void find_rates(const beam *b, double factor, const point *p, point *rate) {
  double frame[3][3], n[3], m[3], stretch[3], kappa[3];
  const double *q = p->q;
  matrix(q, frame);
  to_material(frame, p->n, n);
  to_material(frame, p->m, m);
  find_strains(b, factor * b->tension, n, m, stretch, kappa);
  to_laboratory(frame, stretch, rate->r);
  cross(p->n, rate->r, rate->m);
  for (int a = 0; a < 3; a++) rate->n[a] = -factor * b->weight[a];
  rate->q[0] = -0.5 * (q[1] * kappa[0] + q[2] * kappa[1] + q[3] * kappa[2]);
  cross(q + 1, kappa, rate->q + 1);
  for (int a = 0; a < 3; a++) rate->q[1 + a] = 0.5 * (rate->q[1 + a] + q[0] * kappa[a]);
}

static void add(point *to, const point *from, double share, const point *rate) {
  for (int a = 0; a < 3; a++) {
    to->r[a] = from->r[a] + share * rate->r[a];
    to->n[a] = from->n[a] + share * rate->n[a];
    to->m[a] = from->m[a] + share * rate->m[a];
  }
  for (int a = 0; a < 4; a++) to->q[a] = from->q[a] + share * rate->q[a];
}

/* The quaternion of a frame from d1 and d3. */
static void start_frame(const beam *b, double q[4]) {
  double d2[3];
  const double *d1 = b->d1, *d3 = b->tangent;
  cross(d3, d1, d2);
  const double square[4] = {1 + d1[0] + d2[1] + d3[2], 1 + d1[0] - d2[1] - d3[2], 1 - d1[0] + d2[1] - d3[2], 1 - d1[0] - d2[1] + d3[2]};
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (square[i] > square[k]) k = i;
  const double big = sqrt(square[k]), x = d2[2] - d3[1], y = d3[0] - d1[2], z = d1[1] - d2[0];
  const double xy = d1[1] + d2[0], xz = d1[2] + d3[0], yz = d2[2] + d3[1];
  const double all[4][4] = {{square[0], x, y, z}, {x, square[1], xy, xz}, {y, xy, square[2], yz}, {z, xz, yz, square[3]}};
  for (int i = 0; i < 4; i++) q[i] = all[k][i] / (2 * big);
}

static void turn_corner(double q[4]) {
  const double c = sqrt(0.5);
  const double turned[4] = {(q[0] + q[1]) * c, (q[1] - q[0]) * c, (q[2] - q[3]) * c, (q[3] + q[2]) * c};
  memcpy(q, turned, sizeof turned);
}

/* Integrates the equilibrium from the clamp, with this force and couple there, to the tip, by the Runge-Kutta method of order 4. intervals
 * is even, so that a corner lies between two of them. */
static point integrate(const beam *b, int intervals, double factor, const double clamp[UNKNOWNS]) {
  static const double NODE[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const double step = b->length / intervals;
  point at;
  memcpy(at.r, b->start, sizeof at.r);
  start_frame(b, at.q);
  memcpy(at.n, clamp, sizeof at.n);
  memcpy(at.m, clamp + 3, sizeof at.m);
  for (int i = 0; i < intervals; i++) {
    if (2 * i == intervals && b->has_corner) turn_corner(at.q);
    point rate, end = at;
    for (int k = 0; k < 4; k++) {
      point stage = at;
      if (k > 0) add(&stage, &at, NODE[k] * step, &rate);
      find_rates(b, factor, &stage, &rate);
      add(&end, &end, WEIGHT[k] * step, &rate);
    }
    at = end;
  }
  return at;
}

/* Turns v as the frame turns from the clamp to the tip. */
static void turn(const beam *b, const point *tip, double v[3]) {
  double frame[3][3], first[3][3], q[4], own[3];
  start_frame(b, q);
  matrix(q, first);
  matrix(tip->q, frame);
  to_material(first, v, own);
  to_laboratory(frame, own, v);
}

/* Of the tip, in units of EI/L^2 and EI/L. */
static void find_residual(const beam *b, double factor, const point *tip, double out[UNKNOWNS]) {
  double force[3], couple[3];
  for (int a = 0; a < 3; a++) force[a] = factor * b->force[a], couple[a] = factor * b->couple[a];
  if (b->force_turns) turn(b, tip, force);
  if (b->couple_turns) turn(b, tip, couple);
  for (int a = 0; a < 3; a++) {
    out[a] = (tip->n[a] - force[a]) * b->length * b->length / b->bend[0];
    out[3 + a] = (tip->m[a] - couple[a]) * b->length / b->bend[0];
  }
}

static double size_of(const double *x) {
  double sum = 0;
  for (int i = 0; i < UNKNOWNS; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

/* Newton's method for the clamp's force and couple; 1 when it has converged. */
static int shoot(const beam *b, int intervals, double factor, double clamp[UNKNOWNS], double tip[3]) {
  const double unit[2] = {b->bend[0] / (b->length * b->length), b->bend[0] / b->length};
  double last = INFINITY;
  for (int pass = 0; pass < 30; pass++) {
    double residual[UNKNOWNS], slope[UNKNOWNS][UNKNOWNS];
    const point here = integrate(b, intervals, factor, clamp);
    find_residual(b, factor, &here, residual);
    const double size = size_of(residual);
    memcpy(tip, here.r, sizeof here.r);
    if (!isfinite(size) || size > 1e6) return 0;
    if (size < 1e-7 && size > 0.1 * last) return 1; /* at the level of rounding */
    last = size;
    for (int j = 0; j < UNKNOWNS; j++) {
      double moved[UNKNOWNS], there[UNKNOWNS];
      memcpy(moved, clamp, sizeof moved);
      moved[j] += 1e-6 * unit[j / 3];
      const point end = integrate(b, intervals, factor, moved);
      find_residual(b, factor, &end, there);
      for (int i = 0; i < UNKNOWNS; i++) slope[i][j] = (there[i] - residual[i]) / 1e-6;
    }
    example_solve(UNKNOWNS, slope[0], residual);
    for (int j = 0; j < UNKNOWNS; j++) clamp[j] -= residual[j] * unit[j / 3];
  }
  return last < 1e-7;
}

double oracle_tip(const beam *b, int intervals, double tip[3]) {
  double now[UNKNOWNS] = {0}, before[UNKNOWNS] = {0};
  for (int k = 1; k <= b->steps; k++) {
    double guess[UNKNOWNS];
    for (int j = 0; j < UNKNOWNS; j++) guess[j] = 2 * now[j] - before[j];
    if (!shoot(b, intervals, (double)k / b->steps, guess, tip)) return (k - 1.0) / b->steps;
    memcpy(before, now, sizeof before);
    memcpy(now, guess, sizeof now);
  }
  return 1;
}
