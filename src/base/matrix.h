/* Sums of 3 by 3 matrices, by rows, and the change of the couple of a joint. */
#ifndef ELI_MATRIX_H
#define ELI_MATRIX_H

#include "base/target.h"

#include "base/vector.h"

/* m += factor [v]x */
static inline void eli_add_skew(double m[9], double factor, const double v[3]) {
  m[1] -= factor * v[2];
  m[2] += factor * v[1];
  m[3] += factor * v[2];
  m[5] -= factor * v[0];
  m[6] -= factor * v[1];
  m[7] += factor * v[0];
}

/* m += factor a b^T */
static inline void eli_add_outer(double m[9], double factor, const double a[3], const double b[3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) m[3 * i + j] += factor * a[i] * b[j];
}

static inline void eli_add_diagonal(double m[9], double value) {
  m[0] += value;
  m[4] += value;
  m[8] += value;
}

static inline void eli_transpose(const double a[9], double t[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) t[3 * i + j] = a[3 * j + i];
}

/* P(theta) = 1 + [theta]x/2 + c [theta]x^2: with theta = LOG(Q_k Q_b^T), delta theta = P phi_k - P^T phi_b. */
static inline void eli_change_of_angle(const double theta[3], double c, double p[9]) {
  for (int a = 0; a < 9; a++) p[a] = 0.0;
  eli_add_diagonal(p, 1.0 - c * eli_dot(theta, theta));
  eli_add_skew(p, 0.5, theta);
  eli_add_outer(p, c, theta, theta);
}

/* dc/d(theta^2) by powers of theta^2, c = sum of |B_2k| theta^(2k-2)/(2k)!; the next term is below 1e-8 of it at 1 rad */
static const double eli_couple_slope_coefficients[5] = {1.0 / 720.0, 1.0 / 15120.0, 1.0 / 403200.0, 1.0 / 11975040.0, 2.64209506934e-9};

/* For the couple C = sign (tau + c theta x (theta x tau)) + theta x tau/2: adds share times G and H of delta C = G delta tau + H delta
 * theta. exact 0: without the terms in c. */
static inline void eli_change_of_couple(double share, double sign, int exact, double c, const double theta[3], const double tau[3],
                                        double g[9], double h[9]) {
  const double t2 = eli_dot(theta, theta), across = eli_dot(theta, tau);
  eli_add_diagonal(g, share * sign);
  eli_add_skew(g, 0.5 * share, theta);
  eli_add_skew(h, -0.5 * share, tau);
  if (!exact) return;
  const double with_c = share * sign * c;
  const double *d = eli_couple_slope_coefficients, slope = d[0] + t2 * (d[1] + t2 * (d[2] + t2 * (d[3] + t2 * d[4])));
  double twice[3];
  for (int a = 0; a < 3; a++) twice[a] = across * theta[a] - t2 * tau[a]; /* theta x (theta x tau) */
  eli_add_outer(g, with_c, theta, theta);
  eli_add_diagonal(g, -with_c * t2);
  eli_add_outer(h, with_c, theta, tau);
  eli_add_outer(h, -2.0 * with_c, tau, theta);
  eli_add_diagonal(h, with_c * across);
  eli_add_outer(h, 2.0 * share * sign * slope, twice, theta);
}

#endif
