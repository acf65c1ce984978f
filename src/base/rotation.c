/* Conversion between rotation vectors and matrices (see rotation.h).
 *
 * test       tests/test_rotation.c
 */
#include "base/target.h"

#include <math.h>

#include "base/elementary.h"
#include "base/rotation.h"

/* ---- Vector to matrix ---- */

/* Computes |phi| = angle + correction. The correction keeps the rounding error of the angle (4e-16 near a half turn, more beyond) out of
 * R. */
static double angle_of(const double phi[3], double t2, double *correction) {
  const double angle = sqrt(t2);
  const eli_pair square = eli_two_product(angle, angle);
  double excess = -square.low, sum = -square.high;
  for (int a = 0; a < 3; a++) {
    const eli_pair component = eli_two_product(phi[a], phi[a]);
    const eli_pair partial = eli_two_sum(sum, component.high);
    sum = partial.high;
    excess += partial.low + component.low;
  }
  *correction = (sum + excess) / (2.0 * angle);
  return angle;
}

/* R = 1 - a [phi]x + b [phi]x^2 */
static void matrix_of_small_angle(const double phi[3], double t2, double r[9]) {
  const double x = phi[0], y = phi[1], z = phi[2];
  const double a = eli_sin_ratio(t2), b = eli_cosine_ratio(t2);
  r[0] = 1.0 - b * (y * y + z * z);
  r[1] = b * x * y + a * z;
  r[2] = b * x * z - a * y;
  r[3] = b * x * y - a * z;
  r[4] = 1.0 - b * (x * x + z * z);
  r[5] = b * y * z + a * x;
  r[6] = b * x * z + a * y;
  r[7] = b * y * z - a * x;
  r[8] = 1.0 - b * (x * x + y * y);
}

/* The same R from the quaternion (cos(t/2), sin(t/2) phi/t). After division by the norm, a relative error eps common to its vector part
 * turns the angle by eps sin t only; in 1 - b (...) the error would count four times at a half turn. */
static void matrix_of_large_angle(const double phi[3], double t2, double r[9]) {
  double correction, sine, cosine;
  const double angle = angle_of(phi, t2, &correction);
  eli_sincos(0.5 * angle, &sine, &cosine);
  const double scale = (sine + cosine * (0.5 * correction)) / angle;
  const double w = cosine - sine * (0.5 * correction), x = scale * phi[0], y = scale * phi[1], z = scale * phi[2];
  const double ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  const double inverse = 1.0 / (ww + xx + yy + zz);
  r[0] = (ww + xx - (yy + zz)) * inverse;
  r[1] = 2.0 * (x * y + w * z) * inverse;
  r[2] = 2.0 * (x * z - w * y) * inverse;
  r[3] = 2.0 * (x * y - w * z) * inverse;
  r[4] = (ww + yy - (xx + zz)) * inverse;
  r[5] = 2.0 * (y * z + w * x) * inverse;
  r[6] = 2.0 * (x * z + w * y) * inverse;
  r[7] = 2.0 * (y * z - w * x) * inverse;
  r[8] = (ww + zz - (xx + yy)) * inverse;
}

void eli_rotation_exp(const double phi[3], double r[9]) {
  const double t2 = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
  if (t2 <= 0.25) {
    matrix_of_small_angle(phi, t2, r);
  } else if (t2 < 1e200) {
    matrix_of_large_angle(phi, t2, r);
  } else {
    for (int i = 0; i < 9; i++) r[i] = NAN;
  }
}

/* ---- Matrix to vector ---- */

/* Logarithm near a half turn. R^T - R vanishes there and does not give the axis; the quaternion does. The largest component of the axis
 * comes from the diagonal, the others by division. The scalar part comes from R^T - R, because the trace loses it to rounding. */
static void log_near_half_turn(const double r[9], double phi[3]) {
  const int i = r[0] >= r[4] ? (r[0] >= r[8] ? 0 : 2) : (r[4] >= r[8] ? 1 : 2);
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  double q[3];
  q[i] = 0.5 * sqrt(1.0 + (r[4 * i] - r[4 * j] - r[4 * k]));
  q[j] = (r[3 * i + j] + r[3 * j + i]) / (4.0 * q[i]);
  q[k] = (r[3 * i + k] + r[3 * k + i]) / (4.0 * q[i]);
  const double scalar = (r[3 * j + k] - r[3 * k + j]) / (4.0 * q[i]);
  const double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  const double scale = (scalar < 0.0 ? -2.0 : 2.0) * eli_atan2(sine, fabs(scalar)) / sine;
  for (int a = 0; a < 3; a++) phi[a] = scale * q[a];
}

void eli_rotation_log(const double r[9], double phi[3]) {
  const double v[3] = {r[5] - r[7], r[6] - r[2], r[1] - r[3]}; /* vee(R^T - R) = 2 sin t u */
  const double sine2 = 0.25 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double cosine = 0.5 * (r[0] + r[4] + r[8] - 1.0);
  if (cosine < -0.75) {
    log_near_half_turn(r, phi);
    return;
  }
  double f;
  if (cosine > 0.0 && sine2 <= ELI_LOG_SINE2) {
    f = eli_log_ratio(0.5 * sine2 / (1.0 + sqrt(1.0 - sine2)));
  } else {
    const double sine = sqrt(sine2);
    f = 0.5 * eli_atan2(sine, cosine) / sine;
  }
  for (int a = 0; a < 3; a++) phi[a] = f * v[a];
}

/* ---- Joints in motion ---- */

/* An angle changes by no more than its frames turn, and from the limit to half a turn and on to the limit by 2 (pi - 3) rad = 0.283 rad. */
#define FINE_TURN 0.28

double eli_joint_widest(const double r[9], const double spin_before[3], const double spin_after[3], double time) {
  double before2 = 0.0, after2 = 0.0, widest = 0.25 * (3.0 - (r[0] + r[4] + r[8]));
  for (int a = 0; a < 3; a++) before2 += spin_before[a] * spin_before[a], after2 += spin_after[a] * spin_after[a];
  const double turn = fabs(time) * (sqrt(before2) + sqrt(after2));
  if (turn <= 1.0 && widest <= ELI_JOINT_WIDE_H) return widest;
  if (!(turn <= 100.0)) return turn > 100.0 ? 1.0 : widest; /* not a number: another failure */
  const int count = (int)(turn / FINE_TURN) + 1;
  for (int k = 1; k <= count; k++) {
    const double part = time * k / count;
    const double back[3] = {part * spin_before[0], part * spin_before[1], part * spin_before[2]};
    const double on[3] = {part * spin_after[0], part * spin_after[1], part * spin_after[2]};
    double before[9], after[9], turned[9], trace = 0.0;
    eli_rotation_exp(back, before);
    eli_rotation_exp(on, after);
    eli_matrix_product(after, r, turned);
    for (int a = 0; a < 9; a++) trace += turned[a] * before[a];
    const double h = 0.25 * (3.0 - trace);
    if (h > widest) widest = h;
  }
  return widest;
}
