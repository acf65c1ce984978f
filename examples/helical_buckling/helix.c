#include "helix.h"

#include <math.h>

/* Twist of the helix with tension t minus that of the rod. */
static double excess_twist(const helix_rod *rod, double slack, double t, double *m) {
  *m = sqrt(4 * t - pow(acos(-1) * t * slack / rod->length, 2));
  return 2 * acos(-1) * *m * rod->bend / rod->twist_stiffness + 4 * acos(*m / (2 * sqrt(t))) - rod->twist;
}

helix helix_solve(const helix_rod *rod, double slack) {
  const double wave = 2 * acos(-1) / rod->length;
  double m = 0, low = 1, high = 2 * pow(rod->length / (acos(-1) * slack), 2); /* m increases up to here */
  for (int k = 0; k < 200; k++) {
    const double middle = (low + high) / 2;
    if (excess_twist(rod, slack, middle, &m) < 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const double t = high;
  excess_twist(rod, slack, t, &m);
  helix h = {.slack = slack, .t = t, .m = m, .q = sqrt(4 * t - m * m)};
  h.tension = wave * wave * rod->bend * t;
  h.couple = wave * rod->bend * m;
  h.energy = h.couple * h.couple * rod->length / (2 * rod->twist_stiffness) + h.tension * slack;
  h.angle = acos(m * m / (2 * t) - 1);
  return h;
}

double helix_envelope(const helix *h, double s) {
  return pow(tanh(acos(-1) * h->q * s), 2);
}

double helix_of_rod(const elastica_rod_view *view, double *phi, double *near) {
  const int n = view->element_count;
  double lowest = 2;
  for (int j = 0; j < n; j++)
    if (view->tangent[2][j] < lowest) lowest = view->tangent[2][j], *near = (j + 0.5) / n - 0.5;
  for (int j = 0; j < n; j++) phi[j] = (view->tangent[2][j] - lowest) / (1 - lowest); /* (3.11) */
  return acos(lowest);
}

static double misfit(const helix *h, const double *phi, int n, double centre) {
  double squares = 0;
  for (int j = 0; j < n; j++) squares += pow(phi[j] - helix_envelope(h, (j + 0.5) / n - 0.5 - centre), 2);
  return squares;
}

/* Golden section. */
static double find_centre(const helix *h, const double *phi, int n, double near) {
  const double golden = (sqrt(5) - 1) / 2;
  double low = near - 1.5 / n, high = near + 1.5 / n;
  for (int k = 0; k < 60; k++) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (misfit(h, phi, n, a) < misfit(h, phi, n, b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return (low + high) / 2;
}

helix_distance helix_compare(const helix *h, const double *phi, int n, double near) {
  helix_distance out = {.centre = find_centre(h, phi, n, near)};
  for (int j = 0; j < n; j++) {
    const double error = fabs(phi[j] - helix_envelope(h, (j + 0.5) / n - 0.5 - out.centre));
    out.largest = fmax(out.largest, error);
    out.l1 += error / n;
    out.l2 += error * error / n;
  }
  out.l2 = sqrt(out.l2);
  return out;
}
