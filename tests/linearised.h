/* The linear model of a rod about its present state, by finite differences of the kick, and its largest eigenvalue. It uses no strains
 * or stiffnesses, only the accelerations after a small displacement.
 *
 * Unknowns are numbered 3 i + a for the displacement of node i and 3 nodes + 3 j + a for the small material turn of element j. With masses
 * m and J (RESCALED: J/e) the matrix is M^(-1/2) K M^(-1/2): symmetric when the forces have a potential.
 */
#ifndef TESTS_LINEARISED_H
#define TESTS_LINEARISED_H

#include "measured.h"

#include "kicked.h"

enum { LINEARISED_NODES = 45, LINEARISED_CAPACITY = 6 * LINEARISED_NODES };

typedef struct linear_model {
  int count; /* unknowns: 3 nodes + 3 elements */
  int node_count;
  double root[LINEARISED_CAPACITY];                         /* square root of the mass of each unknown */
  double matrix[LINEARISED_CAPACITY * LINEARISED_CAPACITY]; /* row-major, count columns */
} linear_model;

/* Accelerations of every unknown at rest in a state. The time of the kick is a power of two, so no digit is lost, and so short that the
 * spins cause no trip. The world must take velocity-dependent couples at the old velocities; these are zero here. */
static inline void accelerations_at_rest(elastica_rod *rod, const rod_state *state, double *acceleration) {
  static const double still[3 * SAMPLE_NODES] = {0.0};
  const double dt = 0x1p-30;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_world *world = elastica_rod_get_view(rod)->world;
  must(world, elastica_rod_set_state(rod, state->position, still, state->director, still));
  must(world, kick_world(world, dt));
  for (int a = 0; a < 3; a++) {
    for (int i = 0; i < view->node_count; i++) acceleration[3 * i + a] = view->velocity[a][i] / dt;
    for (int j = 0; j < view->element_count; j++) acceleration[3 * (view->node_count + j) + a] = view->omega[a][j] / dt;
  }
}

static inline void displace(const rod_state *base, int node_count, int unknown, double size, rod_state *displaced) {
  *displaced = *base;
  if (unknown < 3 * node_count) {
    displaced->position[unknown] += size;
  } else {
    const int j = unknown / 3 - node_count;
    double phi[3] = {0.0, 0.0, 0.0};
    phi[unknown % 3] = size;
    turn_frame_exactly(phi, displaced->director + 9 * j);
  }
}

/* One column of -d acceleration/d unknown: differences of fourth order. */
static inline void linear_column(elastica_rod *rod, const rod_state *base, int unknown, double size, int node_count, int count,
                                 double *column) {
  double value[4][LINEARISED_CAPACITY];
  const double factor[4] = {1.0, -1.0, 2.0, -2.0};
  rod_state displaced;
  for (int k = 0; k < 4; k++) {
    displace(base, node_count, unknown, factor[k] * size, &displaced);
    accelerations_at_rest(rod, &displaced, value[k]);
  }
  for (int i = 0; i < count; i++) column[i] = -(8.0 * (value[0][i] - value[1][i]) - (value[2][i] - value[3][i])) / (12.0 * size);
}

/* Builds the model about the present state and restores that state, at rest. */
static inline void linearise(elastica_rod *rod, linear_model *model) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const int nodes = view->node_count, count = 3 * (nodes + view->element_count);
  double column[LINEARISED_CAPACITY];
  rod_state base;
  assert_true(count <= LINEARISED_CAPACITY);
  read_state(rod, &base);
  model->count = count;
  model->node_count = nodes;
  for (int i = 0; i < 3 * nodes; i++) model->root[i] = sqrt(view->mass[i / 3]);
  for (int i = 3 * nodes; i < count; i++) {
    const int j = i / 3 - nodes;
    model->root[i] = sqrt(view->inertia[i % 3][j] / (view->classical_law ? 1.0 : view->dilatation[j]));
  }
  for (int c = 0; c < count; c++) {
    const int node = c / 3 < view->element_count ? c / 3 : view->element_count - 1;
    linear_column(rod, &base, c, c < 3 * nodes ? 1e-3 * view->length[node] : 1e-3, nodes, count, column);
    for (int i = 0; i < count; i++) model->matrix[i * count + c] = model->root[i] * column[i] / model->root[c];
  }
  must(elastica_rod_get_view(rod)->world, elastica_rod_set_state(rod, base.position, NULL, base.director, NULL));
}

static inline double largest_entry(const double *x, int count) {
  double largest = 0.0;
  for (int i = 0; i < count; i++) largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
  return largest;
}

static inline double square_sum(const double *x, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; i++) sum += x[i] * x[i];
  return sum;
}

/* square = (matrix/scale)^2 */
static inline void square_matrix(const double *matrix, int count, double scale, double *square) {
  memset(square, 0, (size_t)(count * count) * sizeof *square);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < count; k++) {
      const double factor = matrix[i * count + k] / (scale * scale);
      for (int j = 0; j < count; j++) square[i * count + j] += factor * matrix[k * count + j];
    }
}

static inline void multiply_vector(const double *matrix, int count, const double *x, double *y) {
  for (int i = 0; i < count; i++) {
    y[i] = 0.0;
    for (int j = 0; j < count; j++) y[i] += matrix[i * count + j] * x[j];
  }
}

/* Largest eigenvalue in size: the mean growth over the last 2^14 of 2^15 steps of power iteration, computed by squaring the matrix. Its
 * error is below 1e-5, also for unsymmetric matrices and for close eigenvalues. */
static inline double largest_eigenvalue(const linear_model *model) {
  static double even[LINEARISED_CAPACITY * LINEARISED_CAPACITY], odd[LINEARISED_CAPACITY * LINEARISED_CAPACITY];
  const int count = model->count, doublings = 14;
  double x[LINEARISED_CAPACITY], y[LINEARISED_CAPACITY], *from = even, *to = odd;
  double log_scale = 0.0; /* log of the scale divided out of the power in `from` */
  random_source source = {7};
  memcpy(from, model->matrix, (size_t)(count * count) * sizeof *from);
  for (int k = 0; k < doublings; k++) {
    const double size = largest_entry(from, count * count);
    square_matrix(from, count, size, to);
    log_scale = 2.0 * (log_scale + log(size));
    double *other = from;
    from = to;
    to = other;
  }
  for (int i = 0; i < count; i++) x[i] = random_between(&source, -1.0, 1.0);
  multiply_vector(from, count, x, y);
  multiply_vector(from, count, y, x);
  return exp((log_scale + 0.5 * log(square_sum(x, count) / square_sum(y, count))) / (double)(1 << doublings));
}

/* ---- The certified step beside the true limit ---------------------------------------------------------------------------------------- */

/* Error of differences and power iteration: an element alone can be exactly at the limit. */
#define ROUNDING 1e-5

/* A world for the linear model: velocity-dependent couples at the old velocities. */
static inline elastica_world *make_rest_world(int law, int exact_couple) {
  elastica_world_def def = default_world();
  def.law = (elastica_law)law;
  def.exact_couple = exact_couple;
  def.explicit_couples = 1;
  return make_world(&def);
}

/* The certified step divided by the true stability limit 2/omega_max. */
static inline double share_of_true_limit(elastica_rod *rod) {
  static linear_model model;
  const elastica_step_limit limit = limit_of(elastica_rod_get_view(rod)->world);
  linearise(rod, &model);
  return limit.dt * sqrt(largest_eigenvalue(&model)) / 2.0;
}

#endif
