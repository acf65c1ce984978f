/* Small motions of a slender beam. Its natural frequencies are those of the discrete rod to rounding; they converge to the Timoshenko
 * beam's to second order in the number of elements. A clamp that holds the first frame shortens the beam by half an element and is of
 * first order; the half-cell clamp is of second.
 *
 * Length 1 m, radius 0.02 m, 1000 kg/m^3, E = 1e6 Pa, G = 4e5 Pa. Motion in the x-z plane.
 */
#include "linearised.h"

enum { PLANE_CAPACITY = 90 };

static const double timoshenko_free = 7.0495663081, timoshenko_clamped = 1.1111197332; /* rad/s */

typedef enum support { FREE, FRAME_CLAMP, HALF_CELL_CLAMP } support;

static elastica_rod *make_beam(int n, support at_base) {
  elastica_world_def def = default_world();
  def.explicit_couples = 1;
  elastica_world *world = make_world(&def);
  elastica_rod *rod = add_straight_rod(world, n, 1.0, 0.02, 1000.0, 1e6, 4e5);
  if (at_base != FREE) {
    DEFAULTS(boundary, clamp);
    clamp.kind = at_base == FRAME_CLAMP ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_CLAMP;
    must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  }
  return rod;
}

/* Numbers the unknowns that move in the plane: x of nodes, and the turn of elements about the y axis of their frames. */
static int planar_unknowns(const linear_model *model, support at_base, int *unknown) {
  int count = 0;
  for (int i = at_base == FREE ? 0 : 1; i < model->node_count; i++) unknown[count++] = 3 * i;
  for (int j = at_base == FRAME_CLAMP ? 1 : 0; j < model->node_count - 1; j++) unknown[count++] = 3 * (model->node_count + j) + 1;
  return count;
}

/* Solves a x = b by elimination; both are overwritten, b with x. */
static void solve(double a[PLANE_CAPACITY][PLANE_CAPACITY], double *b, int count) {
  for (int k = 0; k < count; k++) {
    int pivot = k;
    for (int i = k + 1; i < count; i++)
      if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
    for (int j = 0; j < count; j++) {
      const double other = a[k][j];
      a[k][j] = a[pivot][j], a[pivot][j] = other;
    }
    const double other = b[k];
    b[k] = b[pivot], b[pivot] = other;
    for (int i = k + 1; i < count; i++) {
      const double factor = a[i][k] / a[k][k];
      for (int j = k; j < count; j++) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = count - 1; k >= 0; k--) {
    for (int j = k + 1; j < count; j++) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
}

/* The frequency closest to a guess: inverse iteration, then the Rayleigh quotient. */
static double frequency_near(const linear_model *model, const int *unknown, int count, double guess) {
  static double a[PLANE_CAPACITY][PLANE_CAPACITY];
  double x[PLANE_CAPACITY] = {0.0}, y[PLANE_CAPACITY] = {0.0};
  for (int i = 0; i < count; i++) x[i] = 1.0 + 0.3 * i;
  for (int k = 0; k < 12; k++) {
    const double size = largest_entry(x, count);
    for (int i = 0; i < count; i++) {
      x[i] /= size;
      for (int j = 0; j < count; j++) a[i][j] = model->matrix[unknown[i] * model->count + unknown[j]];
      a[i][i] -= guess * guess;
    }
    memcpy(y, x, sizeof x);
    solve(a, x, count);
  }
  double xx = 0.0, xy = 0.0;
  for (int i = 0; i < count; i++) xx += x[i] * x[i], xy += x[i] * y[i];
  return sqrt(guess * guess + xy / xx);
}

static double first_frequency(int n, support at_base) {
  static linear_model model;
  int unknown[PLANE_CAPACITY];
  elastica_rod *rod = make_beam(n, at_base);
  linearise(rod, &model);
  const int count = planar_unknowns(&model, at_base, unknown);
  const double frequency = frequency_near(&model, unknown, count, at_base == FREE ? 6.9 : 1.15);
  elastica_world_destroy(elastica_rod_get_view(rod)->world);
  return frequency;
}

TEST(free_beam_is_the_discrete_beam_and_of_second_order) {
  const double expected[3] = {6.774262, 6.97822, 7.031563};
  double error[3];
  for (int k = 0; k < 3; k++) {
    const double frequency = first_frequency(10 << k, FREE);
    assert_close(frequency, expected[k], 1e-6);
    error[k] = timoshenko_free - frequency;
  }
  assert_between(log(error[0] / error[1]) / log(2.0), 1.9, 2.1);
  assert_between(log(error[1] / error[2]) / log(2.0), 1.9, 2.1);
}

TEST(frame_clamp_is_the_discrete_beam_and_of_first_order) {
  const double expected[3] = {1.228845, 1.168282, 1.139282};
  double error[3];
  for (int k = 0; k < 3; k++) {
    const double frequency = first_frequency(10 << k, FRAME_CLAMP);
    assert_close(frequency, expected[k], 1e-6);
    error[k] = frequency - timoshenko_clamped;
  }
  assert_between(log(error[0] / error[1]) / log(2.0), 0.9, 1.1);
  assert_between(log(error[1] / error[2]) / log(2.0), 0.9, 1.1);
}

TEST(half_cell_clamp_is_of_second_order) {
  double error[3];
  for (int k = 0; k < 3; k++) error[k] = fabs(first_frequency(10 << k, HALF_CELL_CLAMP) - timoshenko_clamped);
  assert_between(error[2], 0.0, 1e-3);
  assert_between(log(error[0] / error[1]) / log(2.0), 1.9, 2.1);
  assert_between(log(error[1] / error[2]) / log(2.0), 1.9, 2.1);
}

/* Sideways displacement of the tip per force there: the last unknown of K x = F. */
static double tip_compliance(int n, support at_base) {
  static linear_model model;
  static double a[PLANE_CAPACITY][PLANE_CAPACITY];
  double x[PLANE_CAPACITY] = {0.0};
  int unknown[PLANE_CAPACITY], tip = 0;
  elastica_rod *rod = make_beam(n, at_base);
  linearise(rod, &model);
  const int count = planar_unknowns(&model, at_base, unknown);
  for (int i = 0; i < count; i++) {
    if (unknown[i] == 3 * n) tip = i;
    for (int j = 0; j < count; j++) a[i][j] = model.matrix[unknown[i] * model.count + unknown[j]];
  }
  x[tip] = 1.0 / model.root[3 * n];
  solve(a, x, count);
  elastica_world_destroy(elastica_rod_get_view(rod)->world);
  return x[tip] / model.root[3 * n];
}

/* The linear cantilever of n elements in closed form. */
TEST(cantilevers_bend_as_the_discrete_beam_must) {
  const double pi = 3.14159265358979324, area = pi * 0.02 * 0.02, bend = 1e6 * area * area / (4.0 * pi);
  const double shear_part = 1.0 / (4.0 / 3.0 * 4e5 * area), bend_part = 1.0 / (3.0 * bend);
  for (int n = 5; n <= 40; n *= 2) {
    const double frame = shear_part + bend_part * (1.0 - 1.0 / n) * (1.0 - 0.5 / n);
    const double half_cell = shear_part + bend_part * (1.0 + 0.5 / ((double)n * n));
    assert_close(tip_compliance(n, FRAME_CLAMP) / frame, 1.0, 1e-7);
    assert_close(tip_compliance(n, HALF_CELL_CLAMP) / half_cell, 1.0, 1e-7);
  }
}

/* A free straight rod in stretch and twist is a chain of masses and springs: (2 c/l) sin(k pi/(2 n)). */
TEST(waves_along_the_rod_are_those_of_a_chain) {
  static linear_model model;
  int axial[PLANE_CAPACITY], torsion[PLANE_CAPACITY];
  const double pi = 3.14159265358979324;
  const int n = 10;
  elastica_rod *rod = make_beam(n, FREE);
  linearise(rod, &model);
  for (int i = 0; i <= n; i++) axial[i] = 3 * i + 2;
  for (int j = 0; j < n; j++) torsion[j] = 3 * (n + 1 + j) + 2;
  for (int k = 1; k <= n; k++) {
    const double expected = 2.0 * n * sqrt(1e6 / 1000.0) * sin(k * pi / (2.0 * n));
    assert_close(frequency_near(&model, axial, n + 1, 0.999 * expected), expected, 1e-7 * expected);
  }
  for (int k = 1; k < n; k++) {
    const double expected = 2.0 * n * sqrt(4e5 / 1000.0) * sin(k * pi / (2.0 * n));
    assert_close(frequency_near(&model, torsion, n, 0.999 * expected), expected, 1e-7 * expected);
  }
  elastica_world_destroy(elastica_rod_get_view(rod)->world);
}
