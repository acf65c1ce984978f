/* Pendulum: a rope hangs from a pin, is displaced into its lowest mode, and swings undamped for 5 s; held against the period of
 * (E I u'')'' - (T/(1 + T/(E A)) u')' = rho A w^2 u, u = u'' = 0 at the pin, free below.
 */
#include "referee/scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LENGTH = 1, RADIUS = 0.002, TIP = 0.02, DURATION = 5; /* [m] [m] [m] [s] */
enum { FRAMES = 100, GRID = 400 };

/* Lowest mode by inverse iteration on m intervals of second-order differences; returns its period [s]. mode [m + 1] has 1 at the tip. The
 * energy is the sum of E I (second difference)^2 h/2 and T' (difference)^2 h/2. */
static double solve_mode(double modulus, int m, double *mode) {
  const double area = acos(-1) * RADIUS * RADIUS, bending = modulus * area * RADIUS * RADIUS / 4, h = LENGTH / m;
  double(*band)[3] = calloc((size_t)m + 1, sizeof *band), *y = calloc((size_t)m + 1, sizeof *y), period = 0;
  if (!band || !y) exit(3);
  for (int k = 0; k < m; k++) { /* tension at the middle */
    const double tension = SCENE_DENSITY * SCENE_GRAVITY * area * (LENGTH - (k + 0.5) * h),
                 f = tension / (1 + tension / (modulus * area)) / h;
    band[k][0] += f, band[k + 1][0] += f, band[k][1] -= f;
    if (k == 0) continue;
    const double b = bending / (h * h * h);
    band[k - 1][0] += b, band[k][0] += 4 * b, band[k + 1][0] += b;
    band[k - 1][1] -= 2 * b, band[k][1] -= 2 * b;
    band[k - 1][2] += b;
  }
  band[0][0] = 1, band[0][1] = band[0][2] = 0; /* the pin */
  for (int k = 0; k <= m; k++) {               /* L D L^T in place: D, and two subdiagonals of L */
    if (k > 0) {
      const double d = band[k - 1][0];
      band[k][0] -= band[k - 1][1] * band[k - 1][1] * d;
    }
    if (k > 1) band[k][0] -= band[k - 2][2] * band[k - 2][2] * band[k - 2][0];
    if (k < m) band[k][1] = (band[k][1] - (k > 0 ? band[k - 1][1] * band[k - 1][0] * band[k - 1][2] : 0)) / band[k][0];
    if (k < m - 1) band[k][2] /= band[k][0];
  }
  for (int i = 0; i <= m; i++) mode[i] = (double)i / m;
  for (int pass = 0; pass < 30; pass++) {
    for (int i = 0; i <= m; i++) y[i] = i == 0 ? 0 : mode[i] * SCENE_DENSITY * area * h * (i == m ? 0.5 : 1);
    for (int i = 1; i <= m; i++) y[i] -= band[i - 1][1] * y[i - 1] + (i > 1 ? band[i - 2][2] * y[i - 2] : 0);
    for (int i = 0; i <= m; i++) y[i] /= band[i][0];
    for (int i = m - 1; i >= 0; i--) y[i] -= band[i][1] * y[i + 1] + (i < m - 1 ? band[i][2] * y[i + 2] : 0);
    period = 2 * acos(-1) * sqrt(y[m] / mode[m]);
    for (int i = 0; i <= m; i++) mode[i] = y[i] / y[m];
  }
  free(band);
  free(y);
  return period;
}

/* Coefficients of cos, sin, 1 in x by least squares, at times first..last; returns the sum of squares left. */
static double fit(const double *x, int first, int last, double w, double c[3]) {
  double a[3][4] = {{0}}, left = 0;
  for (int k = first; k <= last; k++) {
    const double t = k * DURATION / FRAMES, f[3] = {cos(w * t), sin(w * t), 1};
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) a[i][j] += f[i] * f[j];
      a[i][3] += f[i] * x[k];
    }
  }
  for (int i = 0; i < 3; i++) {
    for (int k = i + 1; k < 3; k++) {
      const double share = a[k][i] / a[i][i];
      for (int j = i; j < 4; j++) a[k][j] -= share * a[i][j];
    }
  }
  for (int i = 2; i >= 0; i--) {
    c[i] = a[i][3];
    for (int j = i + 1; j < 3; j++) c[i] -= a[i][j] * c[j];
    c[i] /= a[i][i];
  }
  for (int k = first; k <= last; k++) {
    const double t = k * DURATION / FRAMES;
    left += pow(c[0] * cos(w * t) + c[1] * sin(w * t) + c[2] - x[k], 2);
  }
  return left;
}

/* Period of the best sinusoid, near a guess, by golden section. */
static double fit_period(const double *x, double guess) {
  const double golden = (sqrt(5) - 1) / 2;
  double low = 0.9 * guess, high = 1.1 * guess, c[3];
  while (high - low > 1e-10) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (fit(x, 0, FRAMES, 2 * acos(-1) / a, c) < fit(x, 0, FRAMES, 2 * acos(-1) / b, c))
      high = b;
    else
      low = a;
  }
  return (low + high) / 2;
}

typedef struct variation {
  const char *name;
  int n, quick;
  double modulus, period;              /* period: of the equation, to the digits shown [s] */
  scene_published error[2], change[2]; /* PyElastica, MuJoCo */
} variation;

static const variation VARIATIONS[] = {
    {"n25", 25, 1, 1e7, 1.6676723, {{4.8e-4, 3.6}, {5.2e-5, 0.48}}, {{-4e-5, 3.6}, {1e-5, 0.48}}},
    {"n50", 50, 1, 1e7, 1.6676723, {{1.4e-4, 4.5}, {2.1e-5, 5.0}}, {{-1e-5, 4.5}, {2e-6, 5.0}}},
    {"n100", 100, 0, 1e7, 1.6676723, {{5.1e-5, 6.2}, {1.3e-5, 68}}, {{2e-7, 6.2}, {-5e-7, 68}}},
    {"E_1e6", 50, 0, 1e6, 1.6728457, {{1.6e-4, 1.5}, {3.1e-4, 1.6}}, {{2e-5, 1.5}, {5e-5, 1.6}}},
    {"E_1e8", 50, 0, 1e8, 1.6606614, {{1.3e-4, 14.5}, {1.2e-5, 15.8}}, {{-5e-6, 14.5}, {9e-6, 15.8}}},
};

static void swing(example *e, scene_table *table, const variation *v) {
  const int n = v->n;
  double mode[2 * GRID + 1], place[3 * (SCENE_MOST + 1)] = {0}, x[FRAMES + 1], c[3], amplitude[2];
  char name[64];
  const double coarse = solve_mode(v->modulus, GRID, mode), fine = solve_mode(v->modulus, 2 * GRID, mode);
  example_check(e, fine + (fine - coarse) / 3, v->period, 2e-6, "pendulum_%s_period_by_differences", v->name);
  for (int i = 0; i <= n; i++) {
    const double s = (double)i / n, at = s * 2 * GRID, below = floor(fmin(at, 2 * GRID - 1));
    const int k = (int)below;
    place[component(i, X)] = TIP * (mode[k] + (at - below) * (mode[k + 1] - mode[k]));
    place[component(i, Z)] = -LENGTH * (s + SCENE_DENSITY * SCENE_GRAVITY * LENGTH * (s - s * s / 2) / v->modulus);
  }
  elastica_world *world = example_world(e);
  elastica_rod *rod = scene_rod(e, world, n, LENGTH, RADIUS, v->modulus, place, (const double[]){0, 1, 0});
  scene_pin(e, world, rod, 0);
  example_require(e, world, elastica_add_gravity(world, (const double[]){0, 0, -SCENE_GRAVITY}, NULL));
  for (int k = 0; k <= FRAMES; k++) {
    example_advance(e, world, k * DURATION / FRAMES);
    x[k] = elastica_rod_get_view(rod)->position[X][n];
  }
  example_worked(e, 1);
  const double period = fit_period(x, v->period);
  const int turn = (int)lround(period * FRAMES / DURATION);
  for (int k = 0; k < 2; k++) {
    fit(x, k == 0 ? 0 : FRAMES - turn, k == 0 ? turn : FRAMES, 2 * acos(-1) / period, c);
    amplitude[k] = hypot(c[0], c[1]);
  }
  snprintf(name, sizeof name, "pendulum_%s_period", v->name);
  scene_row(e, table, name, period / v->period - 1, n < 50 ? NAN : 3e-4, e->run.seconds, v->error[0], v->error[1]);
  snprintf(name, sizeof name, "pendulum_%s_amplitude", v->name);
  scene_row(e, table, name, amplitude[1] / amplitude[0] - 1, 1e-4, e->run.seconds, v->change[0], v->change[1]);
  example_done(e, world);
}

void scene_pendulum(example *e, scene_table *table) {
  for (size_t k = 0; k < sizeof VARIATIONS / sizeof *VARIATIONS; k++)
    if (VARIATIONS[k].quick || e->options.mode != EXAMPLE_QUICK) swing(e, table, &VARIATIONS[k]);
}
