/* Stability of an equilibrium: the sign of the stiffness of rods and loads together.
 *
 * models     K + E, the stiffness of the rods and that of loads, about the present state
 * equation   P = K + E' + s D with E' measured block by block and the smallest s that makes P positive;  A = P^-1 (K + E) = 1 + P^-1 (E -
 *            E' - s D). For symmetric P and E, A has as many negative eigenvalues as K + E (Sylvester). The Krylov space of A is searched
 *            for them, orthonormal in P; E times a vector takes one difference of loads
 * source     Saad, Numerical Methods for Large Eigenvalue Problems (2011), 6.2; Higham, Functions of Matrices (2008), 5.3 (Newton's sign)
 * test       tests/test_relax_stability.c
 *
 * A differs from 1 only by the unmeasured and the unstable parts, so that the space closes after a few vectors. If it does not close, the
 * result is "undecided".
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

enum { MOST_VECTORS = ELI_RELAX_PAIRS - 1, TRIES = 40, SIGN_STEPS = 60, PERSISTENT = 3 };

/* The space is closed if the next vector is shorter than CLOSED, the accuracy of differences. An eigenvalue above -ZERO counts as not
 * negative. */
#define CLOSED 1e-5
#define ZERO 1e-5

typedef double small[MOST_VECTORS][MOST_VECTORS];

/* ---- Signs of the eigenvalues of a small matrix ---- */

/* Gauss and Jordan with row pivoting; overwrites a. Returns 0 if a is singular. */
static int invert(small a, small inverse, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) inverse[i][j] = i == j ? 1.0 : 0.0;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
    if (!(fabs(a[best][k]) > 0.0)) return 0;
    for (int j = 0; j < n; j++) {
      const double kept = a[k][j], other = inverse[k][j];
      a[k][j] = a[best][j], a[best][j] = kept;
      inverse[k][j] = inverse[best][j], inverse[best][j] = other;
    }
    const double pivot = 1.0 / a[k][k];
    for (int j = 0; j < n; j++) a[k][j] *= pivot, inverse[k][j] *= pivot;
    for (int i = 0; i < n; i++) {
      const double ratio = a[i][k];
      if (i == k || ratio == 0.0) continue;
      for (int j = 0; j < n; j++) {
        a[i][j] -= ratio * a[k][j];
        inverse[i][j] -= ratio * inverse[k][j];
      }
    }
  }
  return 1;
}

static double norm_of(small a, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += a[i][j] * a[i][j];
  return sqrt(sum);
}

/* Returns the number of eigenvalues of h with a real part below -ZERO: the trace of the matrix sign of h + ZERO is the number of the others
 * less the number of these. Returns -1 if the iteration fails. */
static int count_negative(small h, int n) {
  small s, copy, inverse;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s[i][j] = h[i][j] + (i == j ? ZERO : 0.0);
  for (int k = 0; k < SIGN_STEPS; k++) {
    double change = 0.0, trace = 0.0;
    memcpy(copy, s, sizeof s);
    const double size = norm_of(s, n);
    if (!invert(copy, inverse, n)) return -1;
    const double scale = k < SIGN_STEPS / 2 ? sqrt(norm_of(inverse, n) / size) : 1.0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const double next = 0.5 * (scale * s[i][j] + inverse[i][j] / scale);
        change += fabs(next - s[i][j]);
        s[i][j] = next;
      }
    for (int i = 0; i < n; i++) trace += s[i][i];
    if (!(trace - trace == 0.0)) return -1;
    if (change < 1e-6) return (int)floor(0.5 * ((double)n - trace) + 0.5);
  }
  return -1;
}

/* ---- The Krylov space ---- */

static double product(const eli_relaxation *relaxation, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < relaxation->size; i++) sum += a[i] * b[i];
  return sum;
}

/* Assembles and factorises P of one rod; its shift is s. */
static void assemble_positive(void *context, int worker, size_t r) {
  eli_relaxation *relaxation = context;
  eli_tangent *tangent = &relaxation->tangents[r];
  const double *inertia = relaxation->inertia + 6 * relaxation->first[r];
  double shift = 0.0;
  (void)worker;
  eli_tangent_assemble(tangent, 1.0, &relaxation->now, relaxation->predicted, relaxation->held, relaxation->inertia);
  for (int k = 0; k < TRIES && !eli_tangent_factorise(tangent, shift, inertia); k++) shift = 10.0 * (shift + tangent->regularisation);
  relaxation->definite[r] = shift == 0.0;
}

/* Assembles and factorises P of all rods. */
static void make_positive(eli_relaxation *relaxation) {
  (void)eli_relax_measure_pairs(relaxation);
  eli_pool_run(relaxation->world->scratch.pool, (size_t)relaxation->rod_count, ELI_MUCH_WORK, assemble_positive, relaxation);
  for (int k = 0; k < TRIES && !eli_relax_factorise_pairs(relaxation); k++)
    for (int r = 0; r < relaxation->rod_count; r++) {
      eli_tangent *tangent = &relaxation->tangents[r];
      (void)eli_tangent_factorise(tangent, 10.0 * (tangent->shift + tangent->regularisation),
                                  relaxation->inertia + 6 * relaxation->first[r]);
    }
}

/* Inner product of v and w; image = P w. It is that of P if P is symmetric and positive, otherwise that of D. */
static double inner(const eli_relaxation *relaxation, const double *v, const double *w, const double *image) {
  double sum = 0.0;
  if (relaxation->symmetric) return product(relaxation, v, image);
  for (size_t i = 0; i < relaxation->size; i++) sum += v[i] * (relaxation->inertia[i] * w[i]);
  return sum;
}

/* Scales v and its image to length 1. Returns the former length, or its square if that is negative or NaN. */
static double normalise(const eli_relaxation *relaxation, double *v, double *image) {
  const double square = inner(relaxation, v, v, image), length = square > 0.0 ? sqrt(square) : square;
  const double scale = length > 0.0 ? 1.0 / length : 0.0;
  for (size_t i = 0; i < relaxation->size; i++) v[i] *= scale, image[i] *= scale;
  return length;
}

/* Makes the first vector, with about the same energy in each mode of P. */
static void first_vector(eli_relaxation *relaxation) {
  double *v = relaxation->basis[0], *p = relaxation->image[0];
  for (size_t i = 0; i < relaxation->size; i++) v[i] = relaxation->held[i] ? 0.0 : eli_relax_noise(i);
  for (int r = 0; r < relaxation->rod_count; r++)
    eli_tangent_excite(&relaxation->tangents[r], v + 6 * relaxation->first[r], p + 6 * relaxation->first[r]);
  eli_relax_add_pairs(relaxation, v, p);
  if (!(product(relaxation, v, p) > 0.0)) relaxation->symmetric = 0;
  (void)normalise(relaxation, v, p);
}

/* Computes vector k + 1: A times vector k, made orthogonal to all before it, and its length. Column k of h: A in the basis. */
static elastica_status next_vector(eli_relaxation *relaxation, int k, small h, double *length) {
  double *v = relaxation->basis[k + 1], *p = relaxation->image[k + 1], *load = relaxation->next, *known = relaxation->work;
  const elastica_status status = eli_relax_measure_product(relaxation, relaxation->basis[k], load);
  if (status != ELASTICA_OK) return status;
  eli_relax_apply_loads(relaxation, relaxation->basis[k], known);
  for (int r = 0; r < relaxation->rod_count; r++)
    for (size_t i = 6 * relaxation->first[r]; i < 6 * (relaxation->first[r] + relaxation->tangents[r].blocks); i++)
      p[i] = relaxation->held[i] ? 0.0
                                 : relaxation->image[k][i] + (load[i] - known[i]) -
                                       relaxation->tangents[r].shift * (relaxation->inertia[i] * relaxation->basis[k][i]);
  eli_relax_solve(relaxation, p, v);
  for (int i = 0; i <= k; i++) h[i][k] = 0.0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i <= k; i++) {
      const double share = inner(relaxation, relaxation->basis[i], v, p);
      h[i][k] += share;
      for (size_t q = 0; q < relaxation->size; q++) {
        v[q] -= share * relaxation->basis[i][q];
        p[q] -= share * relaxation->image[i][q];
      }
    }
  *length = normalise(relaxation, v, p);
  return *length - *length == 0.0 ? ELASTICA_OK : ELASTICA_NOT_FINITE;
}

/* Returns 1 if h is symmetric, as it is for loads with a potential. The tolerance admits the papers' truncated couple. */
static int is_symmetric(small h, int n) {
  double most = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) eli_keep_larger(&most, fabs(h[i][j] - h[j][i]));
  return most <= 1e-3 * norm_of(h, n);
}

/* Searches up to `most` vectors. In the symmetric case a negative eigenvalue of the space proves one of K + E; it must persist for some
 * vectors, to exclude rounding. In the other case the eigenvalues mean nothing until the space is closed. */
static elastica_status search(eli_relaxation *relaxation, int most) {
  small h;
  int seen = 0;
  memset(h, 0, sizeof h);
  first_vector(relaxation);
  for (int k = 0; k < most; k++) {
    double length;
    const elastica_status status = next_vector(relaxation, k, h, &length);
    if (status != ELASTICA_OK) return status;
    if (relaxation->symmetric && (length < 0.0 || !is_symmetric(h, k + 1))) {
      relaxation->symmetric = 0;
      return ELASTICA_OK;
    }
    const int negative = count_negative(h, k + 1), closed = length < CLOSED * (relaxation->symmetric ? norm_of(h, k + 1) : 1.0);
    seen = negative > 0 ? seen + 1 : 0;
    if ((closed && negative >= 0) || (seen >= PERSISTENT && relaxation->symmetric)) {
      relaxation->undecided = 0;
      relaxation->stable = negative == 0;
    }
    if (closed || !relaxation->undecided) return ELASTICA_OK;
    if (k + 1 < MOST_VECTORS) h[k + 1][k] = length;
  }
  return ELASTICA_OK;
}

/* Searches with P, then with D if the symmetric search ended without a result. Uses the last measured loads. */
static elastica_status search_twice(eli_relaxation *relaxation, int most) {
  relaxation->stable = 0;
  relaxation->undecided = 1;
  relaxation->symmetric = 1;
  relaxation->assembled = 0;
  make_positive(relaxation);
  elastica_status status = search(relaxation, most);
  if (status == ELASTICA_OK && relaxation->undecided && !relaxation->symmetric) status = search(relaxation, most);
  return status;
}

/* Decides without load hooks: the state is stable if the tangent of every rod is positive. */
static void find_unloaded_stability(eli_relaxation *relaxation) {
  relaxation->stable = 1;
  relaxation->undecided = 0;
  eli_pool_run(relaxation->world->scratch.pool, (size_t)relaxation->rod_count, ELI_MUCH_WORK, assemble_positive, relaxation);
  for (int r = 0; r < relaxation->rod_count; r++)
    if (!relaxation->definite[r]) relaxation->stable = 0;
}

/* Searches first with the loads measured on the way, which often suffices; then with loads measured in the equilibrium. Reactions are left
 * out: with reactions "stable" is a proof, "unstable" is not. */
elastica_status eli_relax_find_stability(eli_relaxation *relaxation) {
  elastica_status status = ELASTICA_OK;
  const int reacting = eli_relax_has_reactions(relaxation);
  for (int r = 0; r < relaxation->rod_count; r++)
    memset(relaxation->tangents[r].reactions, 0, 9 * relaxation->tangents[r].blocks * sizeof(double));
  if (!eli_relax_has_load_hooks(relaxation)) {
    find_unloaded_stability(relaxation);
  } else {
    if (relaxation->moved) status = search_twice(relaxation, 1);
    if (status == ELASTICA_OK && relaxation->moved && relaxation->undecided) status = eli_relax_measure_loads(relaxation);
    if (status == ELASTICA_OK && (!relaxation->moved || relaxation->undecided)) status = search_twice(relaxation, MOST_VECTORS);
  }
  if (eli_relax_is_over(relaxation)) return status;
  if (reacting && !relaxation->stable) relaxation->undecided = 1;
  return ELASTICA_OK;
}
