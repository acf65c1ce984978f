/* Half a rope from its level middle to the pin: r' = e t, e = 1 + N/(E A), with the slope theta, M = E I theta', M' = -(x' V - z' H), with
 * the horizontal force H and V = f + w s; 2 f is the force on the middle, downwards. So E I theta'' = e (H sin(theta) - V cos(theta)),
 * theta = 0 in the middle and theta' = 0 at the pin, which lies at span/2: second-order differences and Newton's method for slopes and H
 * together, which boundary layers do not disturb. f goes from 0 to its value in steps: at one f several ropes may be at rest.
 */
#include "referee/crossing_elastica.h"
#include <math.h>

enum { N = ELASTICA_POINTS };

typedef struct half_rope {
  double slope[N + 1], pull; /* H [N] */
} half_rope;

/* One step of Newton's method; returns the largest change of a slope, or of H over the weight. */
static double improve(const crossing_elastica *of, double f, half_rope *rope) {
  static double pivot[N + 1], wrong[N + 1], by_pull[N + 1]; /* by_pull: of the slopes, per H */
  const double h = of->length / 2 / N, scale = h * h / of->bending, *slope = rope->slope, pull = rope->pull;
  double off = h / 2 * (1 + pull / of->stretch) - of->span / 2, off_by_pull = h / 2 / of->stretch; /* of the pin's x */
  double along[2] = {0, 0};                                                                        /* its change by wrong and by_pull */
  pivot[0] = 1, wrong[0] = by_pull[0] = 0;
  for (int i = 1; i <= N; i++) {
    const double c = cos(slope[i]), s = sin(slope[i]), v = f + of->weight * h * i, e = 1 + (pull * c + v * s) / of->stretch;
    const double across = pull * s - v * c, tangent = e * (pull * c + v * s) - across * across / of->stretch, width = i == N ? h / 2 : h;
    /* At the pin slope[N + 1] = slope[N - 1]. */
    const double before = i == N ? 2 : 1, share = i == 1 ? 0 : before / pivot[i - 1];
    const double row = before * slope[i - 1] - 2 * slope[i] + (i == N ? 0 : slope[i + 1]) - scale * e * across;
    pivot[i] = -2 - scale * tangent - share;
    wrong[i] = -row - share * wrong[i - 1];
    by_pull[i] = scale * (c / of->stretch * across + e * s) - share * by_pull[i - 1];
    off += width * e * c;
    off_by_pull += width * c * c / of->stretch;
  }
  for (int i = N; i >= 1; i--) {
    if (i < N) wrong[i] -= wrong[i + 1], by_pull[i] -= by_pull[i + 1];
    wrong[i] /= pivot[i], by_pull[i] /= pivot[i];
    const double c = cos(slope[i]), s = sin(slope[i]), v = f + of->weight * h * i, e = 1 + (pull * c + v * s) / of->stretch;
    const double width = i == N ? h / 2 : h, gain = width * (-e * s - c * (pull * s - v * c) / of->stretch);
    along[0] += gain * wrong[i], along[1] += gain * by_pull[i];
  }
  const double change = -(off + along[0]) / (along[1] + off_by_pull);
  double largest = fabs(change) / (of->weight * of->length);
  for (int i = 1; i <= N; i++) {
    const double turn = wrong[i] + change * by_pull[i];
    rope->slope[i] += turn;
    largest = fmax(largest, fabs(turn));
  }
  rope->pull += change;
  return largest;
}

/* Depth of the middle of a rope below its pins, and its line; NaN on failure. */
static double depth(crossing_elastica *of, double f, int which) {
  enum { STEPS = 60 };
  static half_rope rope;
  const double h = of->length / 2 / N;
  rope.pull = 0.45 * of->weight * of->length; /* near that of a catenary of the span 0.8 */
  for (int i = 0; i <= N; i++) rope.slope[i] = i == 0 ? 0 : atan2(of->weight * h * i, rope.pull);
  for (int k = 0; k <= STEPS; k++) {
    double change = INFINITY;
    for (int pass = 0; pass < 40 && change > 1e-11; pass++) change = improve(of, f * k / STEPS, &rope);
    if (!(change <= 1e-11)) return NAN;
  }
  double *x = of->x[which], *z = of->z[which], before[2] = {0};
  for (int i = 0; i <= N; i++) { /* trapezoids */
    const double c = cos(rope.slope[i]), s = sin(rope.slope[i]);
    const double e = 1 + (rope.pull * c + (f + of->weight * h * i) * s) / of->stretch;
    x[i] = i == 0 ? 0 : x[i - 1] + h / 2 * (before[0] + e * c), z[i] = i == 0 ? 0 : z[i - 1] + h / 2 * (before[1] + e * s);
    before[0] = e * c, before[1] = e * s;
  }
  return z[N];
}

int crossing_elastica_solve(crossing_elastica *of) {
  double force[2] = {0.3 * of->weight * of->length, 0.32 * of->weight * of->length}, wrong[2] = {0, 0};
  of->free_depth = depth(of, 0, 0);
  for (int pass = 0; pass < 30; pass++) {
    const int k = pass > 0;
    const double lower = depth(of, force[k] / 2, 0), upper = depth(of, -force[k] / 2, 1);
    of->force = force[k];
    of->middle[0] = -lower, of->middle[1] = -of->drop - upper;
    wrong[k] = of->middle[1] - of->middle[0] - of->gap;
    if (!isfinite(wrong[k])) return 0;
    if (k == 0) continue;
    if (fabs(wrong[1]) < 1e-9 * of->length) return 1;
    const double step = -wrong[1] * (force[1] - force[0]) / (wrong[1] - wrong[0]), most = 0.05 * of->weight * of->length;
    force[0] = force[1], wrong[0] = wrong[1];
    force[1] += fmax(-most, fmin(most, step));
  }
  return 0;
}
