/* Claims about the splines of profiles. */
#include "support.h"

#include "base/spline.h"

/* s/L, CURVE and FUNCTION for {0, 17.4, 48.5, 5.4, 14.7, 0}, computed by a library's B-splines and Brent's root finder. */
static const double SNAKE[21][3] = {
    {0.00, 0, 0},
    {0.05, 16.565823, 7.6608844},
    {0.10, 23.001584, 14.806575},
    {0.15, 27.418144, 21.171628},
    {0.20, 30.538202, 26.4906},
    {0.25, 32.569133, 30.498047},
    {0.30, 33.510155, 32.928525},
    {0.35, 33.23463, 33.521287},
    {0.40, 31.781925, 32.2974},
    {0.45, 29.35801, 29.714738},
    {0.50, 26.26875, 26.26875},
    {0.55, 22.89034, 22.454887},
    {0.60, 19.616541, 18.7686},
    {0.65, 16.801539, 15.705337},
    {0.70, 14.719477, 13.707225},
    {0.75, 13.424065, 12.596484},
    {0.80, 12.607104, 11.7954},
    {0.85, 11.961166, 10.719591},
    {0.90, 11.129631, 8.784675},
    {0.95, 9.4091938, 5.4062719},
    {1.00, 0, 0},
};

/* The same for {0, 50, 50, 50, 50, 0}. */
static const double SWIMMER[11][3] = {{0.00, 0, 0},
                                      {0.05, 35.587373, 19.29375},
                                      {0.10, 43.676096, 32.85},
                                      {0.15, 47.476112, 41.68125},
                                      {0.20, 49.235978, 46.8},
                                      {0.25, 49.88772, 49.21875},
                                      {0.30, 49.999882, 49.95},
                                      {0.35, 50, 50},
                                      {0.40, 50, 50},
                                      {0.45, 50, 50},
                                      {0.50, 50, 50}};

static const elastica_spline KINDS[2] = {ELASTICA_SPLINE_CURVE, ELASTICA_SPLINE_FUNCTION};

TEST(tabulated_profiles_are_met) {
  const double snake[6] = {0, 17.4, 48.5, 5.4, 14.7, 0}, swimmer[6] = {0, 50, 50, 50, 50, 0}, crawler[6] = {0, 10, 15, 15, 10, 0};
  for (int kind = 0; kind < 2; kind++) {
    for (int k = 0; k < 21; k++) assert_close(eli_spline_at(KINDS[kind], snake, 6, SNAKE[k][0]), SNAKE[k][1 + kind], 5.1e-7);
    for (int k = 0; k < 11; k++) assert_close(eli_spline_at(KINDS[kind], swimmer, 6, SWIMMER[k][0]), SWIMMER[k][1 + kind], 5.1e-7);
    assert_close(eli_spline_at(KINDS[kind], crawler, 6, 0.5), 14.6875, 1e-12);
  }
  assert_close(eli_spline_at(ELASTICA_SPLINE_CURVE, crawler, 6, 0.1), 10.132275, 5.1e-7);
  assert_close(eli_spline_at(ELASTICA_SPLINE_CURVE, crawler, 6, 0.25), 13.18059, 5.1e-6);
  assert_close(eli_spline_at(ELASTICA_SPLINE_FUNCTION, crawler, 6, 0.1), 7.14375, 1e-9);
  assert_close(eli_spline_at(ELASTICA_SPLINE_FUNCTION, crawler, 6, 0.25), 12.480469, 5.1e-7);
}

TEST(ends_are_met_exactly_and_held_beyond) {
  const double control[7] = {3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0};
  for (int kind = 0; kind < 2; kind++) {
    for (int count = 4; count <= 7; count++) {
      assert_close(eli_spline_at(KINDS[kind], control, count, 0.0), control[0], 0.0);
      assert_close(eli_spline_at(KINDS[kind], control, count, -0.5), control[0], 0.0);
      assert_close(eli_spline_at(KINDS[kind], control, count, 1.0), control[count - 1], 0.0);
      assert_close(eli_spline_at(KINDS[kind], control, count, 1.5), control[count - 1], 0.0);
    }
  }
}

/* Four values are the Bernstein polynomials of one cubic; with abscissae 0, 0, 1, 1 that is x = u^2 (3 - 2u). */
TEST(four_values_are_one_cubic) {
  const double b[4] = {2.0, -7.0, 5.0, 1.0};
  for (double u = 0.05; u < 1.0; u += 0.05) {
    const double v = 1.0 - u, y = b[0] * v * v * v + 3.0 * b[1] * v * v * u + 3.0 * b[2] * v * u * u + b[3] * u * u * u;
    assert_close(eli_spline_at(ELASTICA_SPLINE_FUNCTION, b, 4, u), y, 1e-14);
    assert_close(eli_spline_at(ELASTICA_SPLINE_CURVE, b, 4, u * u * (3.0 - 2.0 * u)), y, 1e-13);
  }
}

/* Values on a line at their own abscissae give that line: for FUNCTION the abscissae are the means of three neighbouring knots. */
TEST(straight_lines_stay_straight) {
  for (int count = 4; count <= 40; count += 3) {
    const int m = count - 3;
    double curve[40], function[40];
    for (int i = 0; i < count; i++) {
      double knots = 0.0;
      for (int k = 1; k <= 3; k++) {
        const double at = (double)(i + k - 3) / m;
        knots += at < 0.0 ? 0.0 : at > 1.0 ? 1.0 : at;
      }
      function[i] = 2.0 - 5.0 * knots / 3.0;
      curve[i] = 2.0 - 5.0 * (i == 0 ? 0.0 : i == count - 1 ? 1.0 : (i - 1.0) / m);
    }
    for (double x = 0.0; x <= 1.0; x += 0.01) {
      assert_close(eli_spline_at(ELASTICA_SPLINE_CURVE, curve, count, x), 2.0 - 5.0 * x, 1e-13);
      assert_close(eli_spline_at(ELASTICA_SPLINE_FUNCTION, function, count, x), 2.0 - 5.0 * x, 1e-13);
    }
  }
}

/* Two derivatives are continuous at a knot: third differences across it are those of a cubic with a jump of the third derivative only. */
TEST(functions_are_smooth_across_knots) {
  const double control[8] = {0.3, 2.0, -1.0, 4.0, 0.5, -3.0, 1.0, 2.0}, h = 1e-3;
  for (int knot = 1; knot < 5; knot++) {
    const double x = knot / 5.0;
    double before[3], after[3];
    for (int side = 0; side < 2; side++) {
      const double sign = side == 0 ? -1.0 : 1.0;
      double *d = side == 0 ? before : after, y[4];
      for (int k = 0; k < 4; k++) y[k] = eli_spline_at(ELASTICA_SPLINE_FUNCTION, control, 8, x + sign * k * h);
      d[0] = y[0]; /* one-sided differences, exact for a cubic */
      d[1] = sign * (-11.0 * y[0] + 18.0 * y[1] - 9.0 * y[2] + 2.0 * y[3]) / (6.0 * h);
      d[2] = (2.0 * y[0] - 5.0 * y[1] + 4.0 * y[2] - y[3]) / (h * h);
    }
    assert_close(before[1], after[1], 1e-9);
    assert_close(before[2], after[2], 1e-6);
  }
}

TEST(a_mirrored_profile_is_the_mirror_image) {
  const double control[7] = {3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0};
  double mirrored[7];
  for (int i = 0; i < 7; i++) mirrored[i] = control[6 - i];
  for (int kind = 0; kind < 2; kind++) {
    for (double x = 0.0; x <= 1.0; x += 1.0 / 64.0)
      assert_close(eli_spline_at(KINDS[kind], control, 7, x), eli_spline_at(KINDS[kind], mirrored, 7, 1.0 - x), 1e-13);
  }
}
