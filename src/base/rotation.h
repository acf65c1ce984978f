/* Rotations between vector and matrix form.
 *
 * models     rotation vector phi (angle t = |phi|) and matrix R = expm(-[phi]x), row-major; directors are the rows of R
 * equation   R = 1 - a [phi]x + b [phi]x^2,  a = sin t/t,  b = (1 - cos t)/t^2
 *            phi = f vee(R^T - R),  f = t/(2 sin t)
 *            inverse Jacobian of the rotation: 1 -+ [phi]x/2 + c [phi]x^2,  c = (1 - (t/2) cot(t/2))/t^2
 *
 * The inline ratios serve loops over small angles: no branch, one polynomial each, in Estrin's form: its chains of dependent operations are
 * short. The kernels sum up the same coefficients on vectors. Every polynomial here, there and in rotation.c is a minimax fit by Remez
 * exchange in 60-digit arithmetic; coefficients were rounded to double from the lowest order up, refitting the rest after each. Where the
 * value at 0 is a double it is held exact. "fit" is the error of the polynomial with the rounded coefficients, "total" the largest error
 * found when it is evaluated in double.
 */
#ifndef ELI_ROTATION_H
#define ELI_ROTATION_H

#include "base/target.h"

#include <math.h>

/* sin(t)/t for t2 = t^2 in [0, 0.25].
 * Fit: 2.2e-17 absolute (degree 4: 5.4e-14). Total: 8.4e-17 relative. */
static const double eli_sin_coefficients[6] = {
    1.0, -0x1.55555555554cap-3, 0x1.11111110f2392p-7, -0x1.a01a011231b05p-13, 0x1.71dd1d5cec61bp-19, -0x1.ac5c9bbce426dp-26};

static inline double eli_sin_ratio(double t2) {
  const double *c = eli_sin_coefficients;
  const double t4 = t2 * t2;
  return c[0] + (t2 * c[1] + t4 * ((c[2] + t2 * c[3]) + t4 * (c[4] + t2 * c[5])));
}

/* (1 - cos t)/t^2 for t2 = t^2 in [0, 0.25].
 * Fit: |t^2 error| <= 1.4e-19, the error of the cosine itself (degree 4: 4.4e-16). Total: 6.6e-17 relative. */
static const double eli_cosine_coefficients[6] = {
    0.5, -0x1.55555555554efp-5, 0x1.6c16c16bf6462p-10, -0x1.a01a0128b9f9cp-16, 0x1.27e42fdf43ff8p-22, -0x1.1da5c735bdf42p-29};

static inline double eli_cosine_ratio(double t2) {
  const double *c = eli_cosine_coefficients;
  const double t4 = t2 * t2;
  return c[0] + (t2 * c[1] + t4 * ((c[2] + t2 * c[3]) + t4 * (c[4] + t2 * c[5])));
}

/* t/(2 sin t) for h = sin^2(t/2) in [-1e-10, 1/16], that is t <= 0.505: no arc function, no clamp, exact at 0. A trace with rounding errors
 * can make h slightly negative. Fit: 4.5e-17 relative (degree 7: 3.0e-15). Total: 1.6e-16 relative. */
static inline double eli_log_ratio(double h) {
  const double c0 = 0.5;
  const double c1 = 0x1.55555555552c0p-2;
  const double c2 = 0x1.111111116486bp-2;
  const double c3 = 0x1.d41d416115c87p-3;
  const double c4 = 0x1.a01a27e21d5e7p-3;
  const double c5 = 0x1.7a3f2b856fd9cp-3;
  const double c6 = 0x1.5dec1ca8b5c26p-3;
  const double c7 = 0x1.3a3d170e4690ap-3;
  const double c8 = 0x1.92264280613bdp-3;
  const double h2 = h * h, h4 = h2 * h2;
  return c0 + ((h * c1 + h2 * (c2 + h * c3)) + h4 * (((c4 + h * c5) + h2 * (c6 + h * c7)) + h4 * c8));
}

/* (1 - (t/2) cot(t/2))/t^2 for t2 = t^2 in [0, 0.26].
 * Fit: 5.6e-17 relative, the rounding of 1/12 (degree 4: 1.5e-14). Total: 1.4e-16 relative. */
static inline double eli_exact_couple_factor(double t2) {
  const double c0 = 0x1.5555555555555p-4;
  const double c1 = 0x1.6c16c16c18050p-10;
  const double c2 = 0x1.1566abb9dbe5bp-15;
  const double c3 = 0x1.bbd78f7a90306p-21;
  const double c4 = 0x1.6696ec91e59c5p-26;
  const double c5 = 0x1.29312fd7e5ab2p-31;
  const double t4 = t2 * t2;
  return c0 + (t2 * c1 + t4 * ((c2 + t2 * c3) + t4 * (c4 + t2 * c5)));
}

/* (1 - (t/2) cot(t/2))/t^2 for every joint angle: t2 in [0, pi^2]. Total: 2.4e-16 relative. */
#define ELI_COUPLE_POLE 0x1.3bd3cc9be45dep+5 /* 4 pi^2 */
static const double eli_couple_coefficients[9] = {0.03267274151216445,   0.0001056411070532921, 5.637370284261825e-07,
                                                  3.357141792238046e-09, 2.074293798258941e-11, 1.299872134804518e-13,
                                                  8.223827885375163e-16, 4.928128715643248e-18, 4.4724768135676754e-20};

static inline double eli_exact_couple_factor_any(double t2) {
  const double *c = eli_couple_coefficients;
  /* Sum over k of 2/(4 k^2 pi^2 - t^2): the nearest pole, k = 1, separately, the remainder as a polynomial (fit: 4.3e-17 of the sum on [0,
   * pi^2]). */
  const double rest = c[0] + t2 * (c[1] + t2 * (c[2] + t2 * (c[3] + t2 * (c[4] + t2 * (c[5] + t2 * (c[6] + t2 * (c[7] + t2 * c[8])))))));
  return 2.0 / (ELI_COUPLE_POLE - t2) + rest;
}

/* Largest angle between two neighbouring frames [rad], and h = sin^2 of half of it. Near a half turn the direction of a rotation is
 * ambiguous. */
#define ELI_JOINT_LIMIT 3.0
#define ELI_JOINT_LIMIT_H 0.99499624830022272

/* h of 2 rad: a turn of 1 rad or less cannot take a joint from below this to the limit. */
#define ELI_JOINT_WIDE_H 0.70807341827357118

/* c = a b, row-major; c is neither a nor b. */
static inline void eli_matrix_product(const double a[9], const double b[9], double c[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

/* out = m x and out = m^T x. With directors: laboratory to material components, and back. out is not x. */
static inline void eli_turn(const double m[9], const double x[3], double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = m[3 * a] * x[0] + m[3 * a + 1] * x[1] + m[3 * a + 2] * x[2];
}

static inline void eli_turn_back(const double m[9], const double x[3], double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = m[a] * x[0] + m[3 + a] * x[1] + m[6 + a] * x[2];
}

/* R = Q_after Q_before^T rotates the frame before a joint into the frame after it: kappa = LOG(R)/Dhat. r is neither of the two. */
static inline void eli_relative_rotation(const double after[9], const double before[9], double r[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      r[3 * i + j] = after[3 * i] * before[3 * j] + after[3 * i + 1] * before[3 * j + 1] + after[3 * i + 2] * before[3 * j + 2];
}

/* Largest sin^2 t for eli_log_ratio: it corresponds to h = 1/16. h is computed from sin^2 t because the trace loses small angles to
 * rounding. */
#define ELI_LOG_SINE2 0.234375

/* R = expm(-[phi]x): each entry within 6.1e-16 for |phi| up to 1e6; beyond, within 1e-32 phi^2 more.
 * |phi| above 1e100 or not finite: every entry is NAN. */
void eli_rotation_exp(const double phi[3], double r[9]);

/* Computes the rotation vector, |phi| in [0, pi], of a rotation matrix rounded to double. Error: at most 4 ulp of |phi| (3.7 found),
 * 1.1e-15 at a half turn; there the sign of the axis is arbitrary. */
void eli_rotation_log(const double r[9], double phi[3]);

/* Computes the largest h = sin^2(angle/2) of a joint within a time [s] from now, or before now if the time is negative. r is its present R,
 * and its frames keep these spins [rad/s], material. Fast frames may pass half a turn between two instants: the angle is below the limit at
 * both, and a whole turn is lost. If they turn by at most 1 rad together and h is below ELI_JOINT_WIDE_H, the result is the present h;
 * above 100 rad it is 1. */
double eli_joint_widest(const double r[9], const double spin_before[3], const double spin_after[3], double time);

#endif
