/* n = Q^T S (Q r' - e3), m = Q^T B kappa, kappa = 2 q^-1 q'; mass dv/dt = n', J domega/dt + omega x J omega = Q (m' + r' x n). */
#include "flying/spectral_beam.h"
#include <math.h>
#include <string.h>

typedef struct rates {
  double r[SPECTRAL_MOST][3], v[SPECTRAL_MOST][3], q[SPECTRAL_MOST][4], omega[SPECTRAL_MOST][3];
} rates;

/* Polynomial of Legendre and its derivative. */
static double legendre(int p, double x, double *slope) {
  double before = 1, now = x;
  for (int k = 2; k <= p; k++) {
    const double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
    before = now, now = next;
  }
  *slope = p * (before - x * now) / (1 - x * x);
  return now;
}

/* Nodes, weights and the matrix of derivatives on [0, length]. */
static void place_nodes(spectral_beam *beam, int p) {
  double x[SPECTRAL_MOST], value[SPECTRAL_MOST], slope;
  beam->nodes = p + 1;
  for (int i = 0; i <= p; i++) {
    x[i] = i == 0 ? -1 : i == p ? 1 : -cos(acos(-1) * i / p);
    for (int k = 0; k < 50 && i > 0 && i < p; k++) { /* (1 - x^2) P' = 0, of which the derivative is -p (p + 1) P */
      const double height = legendre(p, x[i], &slope);
      x[i] += (1 - x[i] * x[i]) * slope / (p * (p + 1) * height);
    }
    value[i] = i == 0 ? (p % 2 ? -1 : 1) : i == p ? 1 : legendre(p, x[i], &slope);
    beam->s[i] = beam->length / 2 * (1 + x[i]);
    beam->weight[i] = beam->length / (p * (p + 1) * value[i] * value[i]);
  }
  for (int i = 0; i <= p; i++) {
    for (int j = 0; j <= p; j++) {
      const double corner = i == 0 ? -p * (p + 1) / 4.0 : i == p ? p * (p + 1) / 4.0 : 0;
      beam->derivative[i][j] = 2 / beam->length * (i == j ? corner : value[i] / (value[j] * (x[i] - x[j])));
    }
  }
}

void spectral_begin(spectral_beam *beam, int degree, const double start[3], const double direction[3], const double q[4]) {
  place_nodes(beam, degree);
  memset(beam->v, 0, sizeof beam->v);
  memset(beam->omega, 0, sizeof beam->omega);
  for (int i = 0; i < beam->nodes; i++) {
    for (int a = 0; a < 3; a++) beam->r[i][a] = start[a] + beam->s[i] * direction[a];
    memcpy(beam->q[i], q, sizeof beam->q[i]);
  }
  memcpy(beam->first, q, sizeof beam->first);
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Rotation matrix, material to laboratory. */
static void matrix(const double q[4], double m[3][3]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(m, rows, sizeof rows);
}

/* Internal force and couple and the slope of the line at a node. */
static void stress(const spectral_beam *beam, int i, double force[3], double couple[3], double slope[3]) {
  double turn[4] = {0}, m[3][3], n[3], tau[3];
  memset(slope, 0, 3 * sizeof *slope);
  for (int j = 0; j < beam->nodes; j++) {
    const double d = beam->derivative[i][j];
    for (int a = 0; a < 3; a++) slope[a] += d * beam->r[j][a];
    for (int a = 0; a < 4; a++) turn[a] += d * beam->q[j][a];
  }
  const double *q = beam->q[i];
  double kappa[3];
  cross(turn + 1, q + 1, kappa); /* vector part of q^-1 q' */
  for (int a = 0; a < 3; a++) kappa[a] = 2 * (kappa[a] + q[0] * turn[1 + a] - turn[0] * q[1 + a]);
  matrix(q, m);
  for (int a = 0; a < 3; a++) {
    n[a] = beam->shear[a] * (m[0][a] * slope[0] + m[1][a] * slope[1] + m[2][a] * slope[2] - (a == 2));
    tau[a] = beam->bend[a] * kappa[a];
  }
  for (int a = 0; a < 3; a++) {
    force[a] = m[a][0] * n[0] + m[a][1] * n[1] + m[a][2] * n[2];
    couple[a] = m[a][0] * tau[0] + m[a][1] * tau[1] + m[a][2] * tau[2];
  }
}

static void turn_rate(const double q[4], const double omega[3], double rate[4]) {
  rate[0] = -0.5 * (q[1] * omega[0] + q[2] * omega[1] + q[3] * omega[2]);
  cross(q + 1, omega, rate + 1);
  for (int a = 0; a < 3; a++) rate[1 + a] = 0.5 * (rate[1 + a] + q[0] * omega[a]);
}

/* The end s = 0 turns with the hub. */
static void hold(spectral_beam *beam, double t) {
  double rate, m[3][3];
  const double half = beam->angle(t, &rate) / 2, c = cos(half), s = sin(half), *q = beam->first;
  const double turned[4] = {c * q[0] - s * q[3], c * q[1] - s * q[2], c * q[2] + s * q[1], c * q[3] + s * q[0]};
  memcpy(beam->q[0], turned, sizeof turned);
  matrix(turned, m);
  for (int a = 0; a < 3; a++) beam->omega[0][a] = rate * m[2][a];
}

static void find_rates(const spectral_beam *beam, double t, rates *out) {
  double force[SPECTRAL_MOST][3], couple[SPECTRAL_MOST][3], slope[SPECTRAL_MOST][3], end_force[3] = {0}, end_couple[3] = {0};
  for (int i = 0; i < beam->nodes; i++) stress(beam, i, force[i], couple[i], slope[i]);
  if (beam->load != NULL) beam->load(t, end_force, end_couple);
  for (int i = 0; i < beam->nodes; i++) {
    const double w = beam->weight[i], *omega = beam->omega[i];
    double f[3] = {0}, c[3] = {0}, m[3][3], spin[3], gyration[3];
    for (int j = 0; j < beam->nodes; j++) {
      const double d = beam->weight[j] * beam->derivative[j][i];
      for (int a = 0; a < 3; a++) f[a] -= d * force[j][a], c[a] -= d * couple[j][a];
    }
    cross(slope[i], force[i], gyration);
    for (int a = 0; a < 3; a++) {
      out->r[i][a] = beam->v[i][a];
      out->v[i][a] = (f[a] + (i == 0 ? end_force[a] : 0)) / (w * beam->mass);
      c[a] += w * gyration[a] + (i == 0 ? end_couple[a] : 0);
      spin[a] = beam->inertia[a] * omega[a];
    }
    matrix(beam->q[i], m);
    cross(spin, omega, gyration);
    for (int a = 0; a < 3; a++)
      out->omega[i][a] = ((m[0][a] * c[0] + m[1][a] * c[1] + m[2][a] * c[2]) / w + gyration[a]) / beam->inertia[a];
    turn_rate(beam->q[i], omega, out->q[i]);
  }
  if (beam->angle == NULL) return;
  memset(out->r[0], 0, sizeof out->r[0]);
  memset(out->v[0], 0, sizeof out->v[0]);
}

/* to = from + dt rate */
static void move(spectral_beam *to, const spectral_beam *from, double t, double dt, const rates *rate) {
  for (int i = 0; i < from->nodes; i++) {
    for (int a = 0; a < 3; a++) {
      to->r[i][a] = from->r[i][a] + dt * rate->r[i][a];
      to->v[i][a] = from->v[i][a] + dt * rate->v[i][a];
      to->omega[i][a] = from->omega[i][a] + dt * rate->omega[i][a];
    }
    for (int a = 0; a < 4; a++) to->q[i][a] = from->q[i][a] + dt * rate->q[i][a];
  }
  if (to->angle != NULL) hold(to, t);
}

static void add_rates(rates *sum, const rates *rate, double share, int nodes) {
  for (int i = 0; i < nodes; i++) {
    for (int a = 0; a < 3; a++) {
      sum->r[i][a] += share * rate->r[i][a];
      sum->v[i][a] += share * rate->v[i][a];
      sum->omega[i][a] += share * rate->omega[i][a];
    }
    for (int a = 0; a < 4; a++) sum->q[i][a] += share * rate->q[i][a];
  }
}

void spectral_advance(spectral_beam *beam, double t, double dt, long count) {
  static const double PLACE[4] = {0, 0.5, 0.5, 1}, SHARE[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}; /* of Runge and Kutta */
  for (long k = 0; k < count; k++) {
    const double now = t + (double)k * dt;
    spectral_beam stage = *beam;
    rates rate, sum;
    memset(&sum, 0, sizeof sum);
    for (int p = 0; p < 4; p++) {
      if (p > 0) move(&stage, beam, now + PLACE[p] * dt, PLACE[p] * dt, &rate);
      find_rates(&stage, now + PLACE[p] * dt, &rate);
      add_rates(&sum, &rate, SHARE[p], beam->nodes);
    }
    move(&stage, beam, now + dt, dt, &sum);
    *beam = stage;
    for (int i = 0; i < beam->nodes; i++) {
      double *q = beam->q[i];
      const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      for (int a = 0; a < 4; a++) q[a] /= size;
    }
  }
}
