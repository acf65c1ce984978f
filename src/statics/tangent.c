/* The stiffness of a rod linearised about its present state, as a banded matrix, and its factors.
 *
 * models     -d(force on nodes, couple on elements)/d(displacement of nodes, turn of elements), internal loads only
 * equation   element: edge a = Q d, stress n(a), K = dn/da;  with delta a = Q delta d + a x phi,  delta f = Q^T (K delta a + phi x n),
 *            delta C = a x K delta a - n x delta a
 *            joint: theta = LOG(Q_k Q_b^T), P = 1 + [theta]x/2 + c [theta]x^2:  delta theta = P phi_k - P^T phi_b,
 *            delta tau = B/(Dhat E^3) delta theta - 3 tau delta E/E, inserted into its couples +- tau + theta x tau/2 (and terms with c)
 * source     the internal loads of Gazzola et al. 2018 (3.8), (3.9) with (2.8), (2.11), differentiated; c as in base/rotation.h
 * test       tests/test_relax.c
 *
 * A block has six unknowns: node i, then element i. The couple on element i depends on nodes i - 1 to i + 2: eleven entries on either side
 * of the diagonal. The blocks of a ring are ordered 0, n-1, 1, n-2, ..., so that its two ends become neighbours, at about twice the band
 * width.
 *
 * The geometric stiffness uses the stress that the last step predicted, not the present one. A finite turn moves nodes along straight lines
 * and so stretches elements by the square of its angle; with that spurious stress a thin rod would be as stiff as a taut string for one
 * iteration. At convergence the two stresses agree.
 */
#include "base/target.h"

#include "statics/tangent.h"

#include <math.h>
#include <string.h>

#include "base/matrix.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "rod/law.h"

enum { OPEN_BAND = 11, RING_BAND = 29 };

/* The regularisation, as a share of the largest diagonal entry over its inertia. */
#define REGULARISATION 1e-13

/* ---- The band ---- */

size_t eli_tangent_size(const elastica_rod *rod) {
  const size_t blocks = eli_block_count(rod), band = rod->closed ? RING_BAND : OPEN_BAND;
  return 6 * blocks * (3 * (2 * band + 1) + 1) + 9 * blocks;
}

void eli_tangent_init(eli_tangent *tangent, const elastica_rod *rod, double *memory) {
  tangent->rod = rod;
  tangent->into = NULL;
  tangent->blocks = eli_block_count(rod);
  tangent->band = rod->closed ? RING_BAND : OPEN_BAND;
  tangent->matrix = memory;
  tangent->loads = tangent->matrix + 6 * tangent->blocks * (2 * tangent->band + 1);
  tangent->factor = tangent->loads + 6 * tangent->blocks * (2 * tangent->band + 1);
  tangent->rearranged = tangent->factor + 6 * tangent->blocks * (2 * tangent->band + 1);
  tangent->reactions = tangent->rearranged + 6 * tangent->blocks;
  tangent->loaded[0] = 0;
  tangent->loaded[1] = 6 * tangent->blocks; /* as the memory comes */
  memset(tangent->reactions, 0, 9 * tangent->blocks * sizeof(double));
}

/* Returns the position of a block among those of the matrix. */
static size_t order_of(const eli_tangent *tangent, size_t block) {
  const size_t n = tangent->blocks;
  if (!tangent->rod->closed) return block;
  return block < (n + 1) / 2 ? 2 * block : 2 * (n - 1 - block) + 1;
}

/* Returns the row, and column, of an unknown of the rod. */
static size_t row_of(const eli_tangent *tangent, size_t unknown) {
  return 6 * order_of(tangent, unknown / 6) + unknown % 6;
}

static double *entry(const eli_tangent *tangent, size_t row, size_t column) {
  assert(column + tangent->band >= row && column <= row + tangent->band);
  return tangent->matrix + row * (2 * tangent->band + 1) + (tangent->band + column - row);
}

/* The two vectors of a block: that of the node and that of the element. */
enum { NODE = 0, ELEMENT = 3 };

/* Adds factor m to the rows of one part of a block and the columns of one part of another. */
static void add(const eli_tangent *tangent, size_t row_block, size_t row_part, size_t column_block, size_t column_part, double factor,
                const double m[9]) {
  if (tangent->into != NULL) {
    double scaled[9];
    for (int k = 0; k < 9; k++) scaled[k] = tangent->scale * factor * m[k];
    eli_factor_add(tangent->into, tangent->first + row_block, (int)row_part / 3, tangent->first + column_block, (int)column_part / 3,
                   scaled, 1);
    return;
  }
  const size_t row = 6 * order_of(tangent, row_block) + row_part, column = 6 * order_of(tangent, column_block) + column_part;
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++) *entry(tangent, row + i, column + j) += factor * m[3 * i + j];
}

static size_t after(const eli_tangent *tangent, size_t block) {
  return tangent->rod->closed && block + 1 == tangent->blocks ? 0 : block + 1;
}

/* ---- Loads ---- */

void eli_tangent_clear_loads(eli_tangent *tangent) {
  const size_t width = 2 * tangent->band + 1, from = tangent->loaded[0], end = tangent->loaded[1];
  if (from < end) memset(tangent->loads + from * width, 0, (end - from) * width * sizeof(double));
  tangent->loaded[0] = 6 * tangent->blocks;
  tangent->loaded[1] = 0;
}

static void note_load(eli_tangent *tangent, size_t unknown) {
  const size_t row = row_of(tangent, unknown);
  if (row < tangent->loaded[0]) tangent->loaded[0] = row;
  if (row >= tangent->loaded[1]) tangent->loaded[1] = row + 1;
}

static double *load_at(const eli_tangent *tangent, size_t row, size_t column) {
  const size_t at = row_of(tangent, row), with = row_of(tangent, column);
  return tangent->loads + at * (2 * tangent->band + 1) + (tangent->band + with - at);
}

void eli_tangent_set_load(eli_tangent *tangent, size_t row, size_t column, double value) {
  note_load(tangent, row);
  *load_at(tangent, row, column) = value;
}

void eli_tangent_add_load(eli_tangent *tangent, size_t row, size_t column, double value) {
  note_load(tangent, row);
  *load_at(tangent, row, column) += value;
}

double eli_tangent_load(const eli_tangent *tangent, size_t row, size_t column) {
  return *load_at(tangent, row, column);
}

void eli_tangent_apply_loads(const eli_tangent *tangent, const double *x, double *y) {
  const size_t band = tangent->band, count = 6 * tangent->blocks;
  double *arranged = tangent->rearranged;
  for (size_t i = 0; i < count; i++) arranged[row_of(tangent, i)] = x[i];
  for (size_t i = 0; i < count; i++) {
    const size_t at = row_of(tangent, i), end = at + band < count ? at + band + 1 : count;
    const double *row = tangent->loads + at * (2 * band + 1) + band - at; /* indexed by column */
    y[i] = 0.0;
    for (size_t j = at > band ? at - band : 0; j < end; j++) y[i] += row[j] * arranged[j];
  }
}

/* ---- Elements ---- */

typedef struct element {
  double q[9]; /* frame */
  double a[3]; /* edge, material */
  double k[9]; /* dn/da, material */
} element;

static void frame_of(const elastica_rod *rod, size_t j, double q[9]) {
  for (size_t a = 0; a < 9; a++) q[a] = rod->world->bodies.slab.lane[ELI_DIRECTOR + a][rod->offset + j];
}

/* K with the elastic part of n (rod/law.h). */
static void linearise(const elastica_rod *rod, size_t j, const double strain[3], double share, element *out) {
  double *const *lane = rod->world->bodies.slab.lane;
  const size_t slot = rod->offset + j;
  const eli_elastic_law law = eli_elastic_element(&rod->body->view, (int)j);
  const double rest = law.length, l = lane[ELI_LENGTH][slot];
  const int classical = rod->world->law.classical;
  frame_of(rod, j, out->q);
  memset(out->k, 0, sizeof out->k);
  double n[3];
  for (size_t a = 0; a < 3; a++) {
    const double s = eli_edge_slope(&law, (int)a, l, classical);
    out->a[a] = rest * (strain[a] + (a == 2 ? 1.0 : 0.0));
    out->k[4 * a] = s;
    n[a] = s * rest * (strain[a] - law.rest[a]);
  }
  if (!classical) eli_add_outer(out->k, -share / (l * l), n, out->a);
}

static void add_element(const eli_tangent *tangent, size_t j, double share, const double strain[3], const double predicted[3]) {
  element e;
  double turned[9], u[9], v[9], w[9], wq[9], wa[9], q_t[9], kq[9], ka[9], skew_a[9] = {0.0}, minus_n[9] = {0.0}, n[3];
  const size_t i = j, next = after(tangent, j);
  linearise(tangent->rod, j, strain, share, &e);
  const double along = eli_dot(predicted, e.a) / eli_dot(e.a, e.a), tension = along > 0.0 ? (1.0 - share) * along : 0.0;
  for (int a = 0; a < 3; a++) n[a] = share * predicted[a] + tension * e.a[a];
  eli_add_skew(skew_a, 1.0, e.a);
  eli_add_skew(minus_n, -1.0, n);
  eli_transpose(e.q, q_t);
  eli_matrix_product(e.k, e.q, kq);
  eli_matrix_product(q_t, kq, u);
  eli_matrix_product(e.k, skew_a, ka);
  for (int a = 0; a < 9; a++) turned[a] = ka[a] + minus_n[a];
  eli_matrix_product(q_t, turned, v);
  eli_matrix_product(skew_a, e.k, w);
  for (int a = 0; a < 9; a++) w[a] = -minus_n[a] - w[a];
  eli_matrix_product(w, e.q, wq);
  eli_matrix_product(w, skew_a, wa);
  add(tangent, i, NODE, i, NODE, 1.0, u);
  add(tangent, i, NODE, next, NODE, -1.0, u);
  add(tangent, next, NODE, i, NODE, -1.0, u);
  add(tangent, next, NODE, next, NODE, 1.0, u);
  add(tangent, i, NODE, j, ELEMENT, -1.0, v);
  add(tangent, next, NODE, j, ELEMENT, 1.0, v);
  add(tangent, j, ELEMENT, i, NODE, -1.0, wq);
  add(tangent, j, ELEMENT, next, NODE, 1.0, wq);
  add(tangent, j, ELEMENT, j, ELEMENT, 1.0, wa);
}

void eli_tangent_predict(const elastica_rod *rod, const eli_statics *now, const double *step, double *predicted) {
  const size_t first = now->first[rod->body->rank];
  for (size_t j = 0; j < (size_t)rod->element_count && !eli_is_rigid(rod); j++) {
    const size_t block = first + j, next = rod->closed && j + 1 == (size_t)rod->element_count ? first : block + 1;
    const double *phi = step + 6 * block + 3, *strain = now->strain + 12 * block;
    element e;
    double edge[3], delta[3], change[3];
    linearise(rod, j, strain, 1.0, &e);
    for (int a = 0; a < 3; a++) edge[a] = step[6 * next + (size_t)a] - step[6 * block + (size_t)a];
    eli_turn(e.q, edge, delta);
    for (int a = 0; a < 3; a++) delta[a] += e.a[(a + 1) % 3] * phi[(a + 2) % 3] - e.a[(a + 2) % 3] * phi[(a + 1) % 3];
    eli_turn(e.k, delta, change);
    for (int a = 0; a < 3; a++) predicted[3 * block + (size_t)a] = strain[3 + a] + change[a];
  }
}

/* ---- Joints ---- */

/* Adds -delta C of the couple on one element. rise: 3 tau/(2 D), the decrease of tau per increase of the length of either element. */
static void add_couple(const eli_tangent *tangent, size_t at, size_t before, size_t k, const double g[9], const double h[9],
                       const double spring[9], const double p[9], const double rise[3]) {
  double m[9], by_turn[9], p_t[9], lost[3];
  eli_matrix_product(g, spring, m);
  for (int a = 0; a < 9; a++) m[a] += h[a];
  eli_matrix_product(m, p, by_turn);
  add(tangent, at, ELEMENT, k, ELEMENT, -1.0, by_turn);
  eli_transpose(p, p_t);
  eli_matrix_product(m, p_t, by_turn);
  add(tangent, at, ELEMENT, before, ELEMENT, 1.0, by_turn);
  if (tangent->rod->world->law.classical) return; /* the couple does not depend on the lengths */
  eli_turn(g, rise, lost);
  for (int side = 0; side < 2; side++) {
    const size_t j = side == 0 ? before : k, slot = tangent->rod->offset + j;
    double m_length[9] = {0.0}, t[3];
    for (size_t a = 0; a < 3; a++) t[a] = tangent->rod->world->bodies.slab.lane[ELI_TANGENT + a][slot];
    eli_add_outer(m_length, 1.0, lost, t);
    add(tangent, at, ELEMENT, after(tangent, j), NODE, 1.0, m_length);
    add(tangent, at, ELEMENT, j, NODE, -1.0, m_length);
  }
}

static void add_joint(const eli_tangent *tangent, size_t k, double share, const double strain[12]) {
  const elastica_rod_view *view = &tangent->rod->body->view;
  const eli_law *selected = &tangent->rod->world->law;
  const size_t before = k > 0 ? k - 1 : tangent->blocks - 1;
  const eli_elastic_law law = eli_elastic_joint(view, (int)k - (view->closed ? 0 : 1));
  const double D = 0.5 * (view->length[k] + view->length[before]), slope = eli_turn_slope(law.length, law.softening);
  double theta[3], elastic[3], rise[3], spring[9] = {0.0}, p[9];
  eli_elastic_resultant(&law, strain + 6, elastic);
  for (size_t a = 0; a < 3; a++) {
    theta[a] = law.length * strain[6 + a];
    spring[4 * a] = law.stiffness[a] * slope;
    rise[a] = share * elastic[a] * eli_couple_by_length(D, selected->classical);
  }
  const double t2 = eli_dot(theta, theta), c = eli_couple_ratio_any(t2);
  eli_change_of_angle(theta, c, p);
  for (int side = 0; side < 2; side++) { /* P and -P^T make the positive part symmetric */
    const double sign = side == 0 ? 1.0 : -1.0;
    double g[9], h[9] = {0.0};
    for (int a = 0; a < 9; a++) g[a] = (1.0 - share) * (side == 0 ? p[a] : -p[3 * (a % 3) + a / 3]);
    eli_change_of_couple(share, sign, selected->exact_couple, c, theta, strain + 9, g, h);
    add_couple(tangent, side == 0 ? before : k, before, k, g, h, spring, p, rise);
  }
}

/* ---- The matrix ---- */

/* Gives a prescribed unknown the row and the column of the identity. */
static void hold(const eli_tangent *tangent, size_t row) {
  const size_t band = tangent->band, count = 6 * tangent->blocks;
  const size_t begin = row > band ? row - band : 0, end = row + band < count ? row + band + 1 : count;
  for (size_t k = begin; k < end; k++) *entry(tangent, row, k) = *entry(tangent, k, row) = 0.0;
  *entry(tangent, row, row) = 1.0;
}

/* Adds reactions on free unknowns. They are added last, so that they do not change the regularisation. */
static void add_reactions(const eli_tangent *tangent, const unsigned char *held) {
  for (size_t i = 0; i < tangent->blocks; i++)
    for (size_t k = 0; k < 9; k++) {
      const size_t row = row_of(tangent, 6 * i);
      if (!held[6 * i + k / 3] && !held[6 * i + k % 3]) *entry(tangent, row + k / 3, row + k % 3) += tangent->reactions[9 * i + k];
    }
}

static void add_internal(const eli_tangent *tangent, double share, const eli_statics *now, const double *predicted) {
  const elastica_rod *rod = tangent->rod;
  const size_t first = now->first[rod->body->rank], n = eli_is_rigid(rod) ? 0 : (size_t)rod->element_count;
  for (size_t j = 0; j < n; j++) add_element(tangent, j, share, now->strain + 12 * (first + j), predicted + 3 * (first + j));
  for (size_t k = rod->closed ? 0 : 1; k < n; k++) add_joint(tangent, k, share, now->strain + 12 * (first + k));
}

void eli_tangent_add_internal(eli_tangent *tangent, double share, double scale, const eli_statics *now, const double *predicted,
                              eli_factor *factor) {
  tangent->into = factor;
  tangent->first = now->first[tangent->rod->body->rank];
  tangent->scale = scale;
  add_internal(tangent, share, now, predicted);
  tangent->into = NULL;
}

void eli_tangent_assemble(eli_tangent *tangent, double share, const eli_statics *now, const double *predicted, const unsigned char *held,
                          const double *inertia) {
  const elastica_rod *rod = tangent->rod;
  const size_t first = now->first[rod->body->rank];
  memcpy(tangent->matrix, tangent->loads, 6 * tangent->blocks * (2 * tangent->band + 1) * sizeof(double));
  add_internal(tangent, share, now, predicted);
  double most = eli_is_rigid(rod) ? 1.0 : 0.0; /* 1 for a body without support */
  for (size_t i = 0; i < 6 * tangent->blocks; i++) {
    const size_t row = row_of(tangent, i), unknown = 6 * first + i;
    if (held[unknown])
      hold(tangent, row);
    else if (*entry(tangent, row, row) > most * inertia[unknown])
      most = *entry(tangent, row, row) / inertia[unknown];
  }
  tangent->regularisation = REGULARISATION * most;
  add_reactions(tangent, held + 6 * first);
}

int eli_tangent_part(const eli_tangent *tangent, size_t row_block, int row_part, size_t column_block, int column_part, double m[9],
                     double loads[9]) {
  const size_t band = tangent->band, row = 6 * order_of(tangent, row_block) + 3 * (size_t)row_part,
               column = 6 * order_of(tangent, column_block) + 3 * (size_t)column_part;
  int any = 0;
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++) {
      const int stored = column + j + band >= row + i && column + j <= row + i + band;
      const size_t at = (row + i) * (2 * band + 1) + (band + column + j - row - i);
      m[3 * i + j] = stored ? tangent->matrix[at] : 0.0;
      loads[3 * i + j] = stored ? tangent->loads[at] : 0.0;
      any = any || m[3 * i + j] != 0.0 || loads[3 * i + j] != 0.0;
    }
  return any;
}

/* L U without pivoting: a positive definite matrix needs none. */
int eli_tangent_factorise(eli_tangent *tangent, double shift, const double *inertia) {
  const size_t band = tangent->band, width = 2 * band + 1, count = 6 * tangent->blocks;
  double *factor = tangent->factor;
  tangent->shift = shift;
  memcpy(factor, tangent->matrix, count * width * sizeof *factor);
  for (size_t i = 0; i < count; i++) factor[row_of(tangent, i) * width + band] += (shift + tangent->regularisation) * inertia[i];
  for (size_t k = 0; k < count; k++) {
    const double *row = factor + k * width + band; /* starts at the diagonal */
    if (!(row[0] > 0.0)) return 0;
    const double inverse = 1.0 / row[0];
    const size_t end = k + band < count ? k + band : count - 1;
    for (size_t i = k + 1; i <= end; i++) {
      double *below = factor + i * width + (band - (i - k)); /* starts at column k */
      if (below[0] == 0.0) continue;
      const double ratio = below[0] * inverse;
      for (size_t j = 1; j <= end - k; j++) below[j] -= ratio * row[j];
      below[0] = ratio;
    }
  }
  return 1;
}

/* y <- U^-1 y */
static void solve_upper(const eli_tangent *tangent, double *y) {
  const size_t band = tangent->band, count = 6 * tangent->blocks;
  for (size_t i = count; i-- > 0;) {
    const double *row = tangent->factor + i * (2 * band + 1) + band - i; /* indexed by column */
    const size_t end = i + band < count ? i + band : count - 1;
    for (size_t j = i + 1; j <= end; j++) y[i] -= row[j] * y[j];
    y[i] /= row[i];
  }
}

void eli_tangent_solve(const eli_tangent *tangent, const double *b, double *x) {
  const size_t band = tangent->band, width = 2 * band + 1, count = 6 * tangent->blocks;
  double *y = tangent->rearranged;
  for (size_t i = 0; i < count; i++) y[row_of(tangent, i)] = b[i];
  for (size_t i = 0; i < count; i++) {
    const double *row = tangent->factor + i * width + band - i; /* indexed by column */
    for (size_t j = i > band ? i - band : 0; j < i; j++) y[i] -= row[j] * y[j];
  }
  solve_upper(tangent, y);
  for (size_t i = 0; i < count; i++) x[i] = y[row_of(tangent, i)];
}
