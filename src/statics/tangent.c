/* The stiffness of a rod linearised about its present state.
 *
 * models     -d(force on nodes, couple on elements)/d(displacement of nodes, turn of elements), internal loads only
 * equation   element: edge a = Q d, stress n(a), K = dn/da;  with delta a = Q delta d + a x phi,  delta f = Q^T (K delta a + phi x n),
 *            delta C = a x K delta a - n x delta a
 *            joint: theta = LOG(Q_k Q_b^T), P = 1 + [theta]x/2 + c [theta]x^2:  delta theta = P phi_k - P^T phi_b,
 *            delta tau = B/(Dhat E^3) delta theta - 3 tau delta E/E, inserted into its couples +- tau + theta x tau/2 (and terms with c)
 * source     the internal loads of Gazzola et al. 2018 (3.8), (3.9) with (2.8), (2.11), differentiated; c as in base/rotation.h
 * test       tests/test_tangent.c
 *
 * A block has six unknowns: node i, then element i. Under the rescaled law the couple on element i depends on nodes i - 1 to i + 2, else on
 * nodes i and i + 1.
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

/* The receiver of blocks. */
typedef struct target {
  const elastica_rod *rod;
  size_t first, blocks; /* of the rod in the world */
  double scale;         /* factor of all blocks */
  eli_take_block *take;
  void *context;
} target;

/* The two parts of a block. */
enum { NODE, ELEMENT };

/* Adds factor m to the rows of one part of a block and the columns of one part of another. */
static void add(const target *to, size_t row_block, size_t row_part, size_t column_block, size_t column_part, double factor,
                const double m[9]) {
  double scaled[9];
  for (int k = 0; k < 9; k++) scaled[k] = to->scale * factor * m[k];
  to->take(to->context, 2 * (to->first + row_block) + row_part, 2 * (to->first + column_block) + column_part, scaled, 1);
}

static size_t after(const target *to, size_t block) {
  return to->rod->closed && block + 1 == to->blocks ? 0 : block + 1;
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
  const eli_elastic_constants law = eli_element_constants(&rod->body->view, (int)j);
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

static void add_element(const target *to, size_t j, double share, const double strain[3], const double predicted[3]) {
  element e;
  double turned[9], u[9], v[9], w[9], wq[9], wa[9], q_t[9], kq[9], ka[9], skew_a[9] = {0.0}, minus_n[9] = {0.0}, n[3];
  const size_t i = j, next = after(to, j);
  linearise(to->rod, j, strain, share, &e);
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
  add(to, i, NODE, i, NODE, 1.0, u);
  add(to, i, NODE, next, NODE, -1.0, u);
  add(to, next, NODE, i, NODE, -1.0, u);
  add(to, next, NODE, next, NODE, 1.0, u);
  add(to, i, NODE, j, ELEMENT, -1.0, v);
  add(to, next, NODE, j, ELEMENT, 1.0, v);
  add(to, j, ELEMENT, i, NODE, -1.0, wq);
  add(to, j, ELEMENT, next, NODE, 1.0, wq);
  add(to, j, ELEMENT, j, ELEMENT, 1.0, wa);
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
static void add_couple(const target *to, size_t at, size_t before, size_t k, const double g[9], const double h[9], const double spring[9],
                       const double p[9], const double rise[3]) {
  double m[9], by_turn[9], p_t[9], lost[3];
  eli_matrix_product(g, spring, m);
  for (int a = 0; a < 9; a++) m[a] += h[a];
  eli_matrix_product(m, p, by_turn);
  add(to, at, ELEMENT, k, ELEMENT, -1.0, by_turn);
  eli_transpose(p, p_t);
  eli_matrix_product(m, p_t, by_turn);
  add(to, at, ELEMENT, before, ELEMENT, 1.0, by_turn);
  if (to->rod->world->law.classical) return; /* the couple does not depend on the lengths */
  eli_turn(g, rise, lost);
  for (int side = 0; side < 2; side++) {
    const size_t j = side == 0 ? before : k, slot = to->rod->offset + j;
    double m_length[9] = {0.0}, t[3];
    for (size_t a = 0; a < 3; a++) t[a] = to->rod->world->bodies.slab.lane[ELI_TANGENT + a][slot];
    eli_add_outer(m_length, 1.0, lost, t);
    add(to, at, ELEMENT, after(to, j), NODE, 1.0, m_length);
    add(to, at, ELEMENT, j, NODE, -1.0, m_length);
  }
}

static void add_joint(const target *to, size_t k, double share, const double strain[12]) {
  const elastica_rod_view *view = &to->rod->body->view;
  const eli_law_options *selected = &to->rod->world->law;
  const size_t before = k > 0 ? k - 1 : to->blocks - 1;
  const eli_elastic_constants law = eli_joint_constants(view, (int)k - (view->closed ? 0 : 1));
  const double D = 0.5 * (view->length[k] + view->length[before]);
  double theta[3], rise[3], spring[9] = {0.0}, p[9];
  eli_bent_joint turned;
  eli_bend_joint(&turned, &law, strain + 6);
  for (size_t a = 0; a < 3; a++) {
    theta[a] = law.length * strain[6 + a];
    spring[4 * a] = turned.spring[a];
    rise[a] = share * turned.couple[a] * eli_couple_by_length(D, selected->classical);
  }
  const double t2 = eli_dot(theta, theta), c = eli_exact_couple_factor_any(t2);
  eli_change_of_angle(theta, c, p);
  for (int side = 0; side < 2; side++) { /* P and -P^T make the positive part symmetric */
    const double sign = side == 0 ? 1.0 : -1.0;
    double g[9], h[9] = {0.0};
    for (int a = 0; a < 9; a++) g[a] = (1.0 - share) * (side == 0 ? p[a] : -p[3 * (a % 3) + a / 3]);
    eli_change_of_couple(share, sign, selected->exact_couple, c, theta, strain + 9, g, h);
    add_couple(to, side == 0 ? before : k, before, k, g, h, spring, p, rise);
  }
}

/* ---- All blocks ---- */

void eli_tangent_visit(const elastica_rod *rod, double share, double scale, const eli_statics *now, const double *predicted,
                       eli_take_block *take, void *context) {
  const size_t first = now->first[rod->body->rank], n = eli_is_rigid(rod) ? 0 : (size_t)rod->element_count;
  const target to = {rod, first, eli_block_count(rod), scale, take, context};
  for (size_t j = 0; j < n; j++) add_element(&to, j, share, now->strain + 12 * (first + j), predicted + 3 * (first + j));
  for (size_t k = rod->closed ? 0 : 1; k < n; k++) add_joint(&to, k, share, now->strain + 12 * (first + k));
}
