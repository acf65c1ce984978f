/* Rotation vectors and matrices: compared with 60-digit vectors, with 80-bit arithmetic, and with the laws of rotations. */
#include "test.h"

#include "base/elementary.h"
#include "base/rotation.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct rotation_vector {
  double angle;
  double phi[3];
  double matrix[9];
} rotation_vector;

static const rotation_vector vectors[] = {
#include "reference/rotations.inc"
};
enum { vector_count = sizeof vectors / sizeof vectors[0] };

static uint64_t seed;

static double uniform(double low, double high) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static void random_vector(double length, double v[3]) {
  double norm;
  do {
    for (int a = 0; a < 3; a++) v[a] = uniform(-1.0, 1.0);
    norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  } while (norm > 1.0 || norm < 0.1);
  for (int a = 0; a < 3; a++) v[a] *= length / norm;
}

static double ulp(double x) {
  return nextafter(fabs(x), INFINITY) - fabs(x);
}

static double distance(const double a[3], const double b[3], double sign) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++) sum += (a[i] - sign * b[i]) * (a[i] - sign * b[i]);
  return sqrt(sum);
}

static double largest_difference(const double *a, const double *b, int count) {
  double largest = 0.0;
  for (int i = 0; i < count; i++) largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

/* expm(-[phi]x) summed as a power series of matrices: a formula independent of the library. */
static void series_exponential(const double phi[3], long double r[9]) {
  const long double x = phi[0], y = phi[1], z = phi[2];
  const long double generator[9] = {0, z, -y, -z, 0, x, y, -x, 0};
  long double term[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < 9; i++) r[i] = term[i];
  for (int n = 1; n < 60; n++) {
    long double next[9] = {0};
    for (int i = 0; i < 9; i++)
      for (int k = 0; k < 3; k++) next[i] += term[i / 3 * 3 + k] * generator[3 * k + i % 3] / n;
    for (int i = 0; i < 9; i++) {
      term[i] = next[i];
      r[i] += next[i];
    }
  }
}

static long double sine_ratio(long double t2) {
  const long double t = sqrtl(t2);
  return t2 == 0 ? 1 : sinl(t) / t;
}

static long double cosine_ratio(long double t2) {
  const long double half = 0.5L * sqrtl(t2);
  return t2 == 0 ? 0.5L : 0.5L * (sinl(half) / half) * (sinl(half) / half);
}

static long double log_ratio(long double h) {
  const long double s = sqrtl(fabsl(h));
  if (s < 1e-9L) return 0.5L + h / 3;
  return (h < 0 ? asinhl(s) : asinl(s)) / (2 * s * sqrtl(1 - h));
}

/* The pole expansion of the cotangent, sum of 2/(4 pi^2 k^2 - t^2), with its tail beyond K to the order K^-3. */
static long double exact_couple_factor(long double t2) {
  const long double pi2 = 9.86960440108935861883449099987615114L;
  const int last = 20000;
  const long double inverse = 1.0L / last;
  const long double squares = inverse - inverse * inverse / 2 + inverse * inverse * inverse / 6; /* of k^-2 */
  const long double fourths = inverse * inverse * inverse / 3;                                   /* of k^-4 */
  long double sum = squares / (2 * pi2) + t2 * fourths / (8 * pi2 * pi2);
  for (int k = last; k >= 1; k--) sum += 2 / (4 * pi2 * k * k - t2);
  return sum;
}

typedef double (*ratio)(double);
typedef long double (*exact_ratio)(long double);

static double largest_relative_error(ratio computed, exact_ratio exact, double low, double high, int count) {
  double largest = 0.0;
  seed = 1;
  for (int i = 0; i <= count; i++) {
    const double even = low + (high - low) * i / count;
    const double x[3] = {even, uniform(low, high), high * exp2(uniform(-60.0, 0.0))};
    for (int k = 0; k < 3; k++) {
      const long double expected = exact((long double)x[k]);
      largest = fmax(largest, (double)fabsl((computed(x[k]) - expected) / expected));
    }
  }
  return largest;
}

TEST(sin_ratio_is_accurate_to_half_a_radian) {
  assert_true(largest_relative_error(eli_sin_ratio, sine_ratio, 0.0, 0.25, 100000) < 0.9e-16);
}

TEST(cosine_ratio_is_accurate_to_half_a_radian) {
  assert_true(largest_relative_error(eli_cosine_ratio, cosine_ratio, 0.0, 0.25, 100000) < 0.8e-16);
}

TEST(log_ratio_is_accurate_to_half_a_radian) {
  assert_true(largest_relative_error(eli_log_ratio, log_ratio, 0.0, 0.0625, 100000) < 1.7e-16);
}

TEST(log_ratio_survives_a_slightly_negative_argument) {
  assert_true(largest_relative_error(eli_log_ratio, log_ratio, -1e-10, 0.0, 1000) < 1.7e-16);
}

TEST(couple_ratios_are_accurate_and_agree) {
  assert_true(largest_relative_error(eli_exact_couple_factor, exact_couple_factor, 0.0, 0.26, 300) < 1.6e-16);
  assert_true(largest_relative_error(eli_exact_couple_factor_any, exact_couple_factor, 0.0, 3.1 * 3.1, 300) < 2.5e-16);
}

TEST(ratios_at_zero_are_their_limits) {
  assert_true(eli_sin_ratio(0.0) == 1.0 && eli_cosine_ratio(0.0) == 0.5 && eli_log_ratio(0.0) == 0.5);
  assert_true(eli_exact_couple_factor(0.0) == 1.0 / 12.0);
  assert_true(fabs(eli_exact_couple_factor_any(0.0) - 1.0 / 12.0) <= ulp(1.0 / 12.0));
}

TEST(exponential_matches_the_reference_vectors) {
  for (int i = 0; i < vector_count; i++) {
    double r[9];
    eli_rotation_exp(vectors[i].phi, r);
    assert_true(largest_difference(r, vectors[i].matrix, 9) <= 1e-15);
  }
}

TEST(logarithm_matches_the_reference_vectors) {
  for (int i = 0; i < vector_count; i++) {
    double phi[3];
    eli_rotation_log(vectors[i].matrix, phi);
    assert_true(distance(phi, vectors[i].phi, 1.0) <= fmin(1e-15, 4.0 * ulp(vectors[i].angle)));
  }
}

TEST(exponential_matches_the_power_series) {
  seed = 2;
  for (int i = 0; i < 20000; i++) {
    double phi[3], r[9];
    long double exact[9];
    random_vector(i % 2 ? uniform(0.0, 7.0) : exp2(uniform(-60.0, 1.6)), phi);
    eli_rotation_exp(phi, r);
    series_exponential(phi, exact);
    for (int k = 0; k < 9; k++) assert_true(fabsl(r[k] - exact[k]) <= 7e-16L);
  }
}

TEST(exponential_of_a_positive_turn_takes_the_second_axis_to_the_first) {
  const double phi[3] = {0.0, 0.0, 0.1}; /* dQ/dt = -[w]x Q: the first row turns towards the second axis */
  double r[9];
  eli_rotation_exp(phi, r);
  assert_true(fabs(r[1] - 0.099833416646828155) < 1e-16 && r[3] == -r[1]);
}

TEST(logarithm_undoes_the_exponential_within_four_ulp) {
  seed = 3;
  for (int i = 0; i < 100000; i++) {
    const double near_half_turn = ELI_PI - exp2(uniform(-45.0, 0.0));
    const double angle = i % 3 == 0 ? uniform(0.0, 3.1415) : i % 3 == 1 ? exp2(uniform(-60.0, 1.6)) : near_half_turn;
    double phi[3], back[3], r[9];
    long double exact[9];
    random_vector(angle, phi);
    series_exponential(phi, exact);
    for (int k = 0; k < 9; k++) r[k] = (double)exact[k];
    eli_rotation_log(r, back);
    assert_true(distance(back, phi, 1.0) <= 4.0 * ulp(angle));
  }
}

TEST(logarithm_of_a_half_turn_keeps_the_axis) {
  seed = 4;
  for (int i = 0; i < 1000; i++) {
    double phi[3], back[3], r[9];
    random_vector(ELI_PI, phi);
    eli_rotation_exp(phi, r);
    eli_rotation_log(r, back);
    assert_true(fmin(distance(back, phi, 1.0), distance(back, phi, -1.0)) <= 4.0 * ulp(ELI_PI));
  }
  const double diagonal[9] = {-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0};
  double half_turn[3];
  eli_rotation_log(diagonal, half_turn);
  assert_true(half_turn[0] == 0.0 && fabs(half_turn[1]) == ELI_PI && half_turn[2] == 0.0);
}

TEST(matrices_are_orthogonal) {
  seed = 5;
  for (int i = 0; i < 20000; i++) {
    double phi[3], r[9];
    random_vector(exp2(uniform(-30.0, 20.0)), phi);
    eli_rotation_exp(phi, r);
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) {
        const double product = r[3 * j] * r[3 * k] + r[3 * j + 1] * r[3 * k + 1] + r[3 * j + 2] * r[3 * k + 2];
        assert_true(fabs(product - (j == k)) <= 2e-15);
      }
  }
}

TEST(opposite_vectors_give_transposed_matrices) {
  seed = 6;
  for (int i = 0; i < 1000; i++) {
    double phi[3], r[9], transposed[9];
    random_vector(uniform(0.0, 4.0), phi);
    eli_rotation_exp(phi, r);
    for (int a = 0; a < 3; a++) phi[a] = -phi[a];
    eli_rotation_exp(phi, transposed);
    for (int k = 0; k < 9; k++) assert_true(r[k] == transposed[k % 3 * 3 + k / 3]);
  }
}

/* Both sides of every change of formula: |phi| = 1/2, sin^2(t/2) = 1/16, cos t = -3/4. */
TEST(results_are_continuous_at_changes_of_formula) {
  const double switches[] = {0.5, 0.5053605102841573, 2.4188584057763776};
  seed = 7;
  for (int i = 0; i < 3000; i++) {
    const double angle = switches[i % 3];
    double phi[3], r[9], beyond[9], log_r[3], log_beyond[3];
    random_vector(angle * (1.0 - 1e-15), phi);
    eli_rotation_exp(phi, r);
    eli_rotation_log(r, log_r);
    for (int a = 0; a < 3; a++) phi[a] *= 1.0 + 2e-15;
    eli_rotation_exp(phi, beyond);
    eli_rotation_log(beyond, log_beyond);
    assert_true(largest_difference(r, beyond, 9) <= angle * 2.5e-15 + 6e-16);
    assert_true(distance(log_r, log_beyond, 1.0) <= angle * 2.5e-15 + 10.0 * ulp(angle));
  }
}

TEST(infinite_rotation_vectors_give_nan) {
  const double bad[][3] = {{NAN, 0.0, 0.0}, {0.0, INFINITY, 0.0}, {0.0, 0.0, 1e120}, {DBL_MAX, DBL_MAX, DBL_MAX}};
  for (int i = 0; i < 4; i++) {
    double r[9];
    eli_rotation_exp(bad[i], r);
    for (int k = 0; k < 9; k++) assert_true(isnan(r[k]));
  }
}

/* The path of a joint in 10,000 parts; frames turn by up to 2 rad. */
TEST(the_widest_angle_of_a_joint_on_its_way_is_found) {
  enum { PARTS = 10000, JOINTS = 200 };
  for (int k = 0; k < JOINTS; k++) {
    double phi[3], spin[2][3], r[9], most = 0.0;
    random_vector(uniform(1.0, ELI_PI), phi);
    eli_rotation_exp(phi, r);
    for (int side = 0; side < 2; side++) random_vector(uniform(0.0, 1.0), spin[side]);
    for (int i = 0; i <= PARTS; i++) {
      double turn[2][9], part[3], on[9], relative[9];
      for (int side = 0; side < 2; side++) {
        for (int a = 0; a < 3; a++) part[a] = -0.5 * i / PARTS * spin[side][a];
        eli_rotation_exp(part, turn[side]);
      }
      eli_matrix_product(turn[1], r, on);
      eli_relative_rotation(on, turn[0], relative);
      const double h = 0.25 * (3.0 - (relative[0] + relative[4] + relative[8]));
      if (h > most) most = h;
    }
    const double found = eli_joint_widest(r, spin[0], spin[1], -0.5);
    assert_true(found <= most + 1e-6);
    if (most > 1.0 - 1e-8) assert_true(found > ELI_JOINT_LIMIT_H); /* the joint has passed half a turn */
  }
}

/* The present angle, also beside a spin that is not a number; beyond 100 rad no path is followed. */
TEST(a_joint_without_a_path_has_its_present_angle) {
  const double still[3] = {0.0, 0.0, 0.0}, wrong[3] = {NAN, 0.0, 0.0}, fast[3] = {0.0, 0.0, 1e3}, phi[3] = {0.0, 2.5, 0.0};
  double r[9];
  eli_rotation_exp(phi, r);
  const double h = sin(1.25) * sin(1.25);
  assert_true(fabs(eli_joint_widest(r, still, still, 1.0) - h) < 1e-15);
  assert_true(fabs(eli_joint_widest(r, wrong, still, 1.0) - h) < 1e-15);
  assert_true(eli_joint_widest(r, fast, still, 1.0) == 1.0);
}
