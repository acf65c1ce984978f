/* Whether an equilibrium is stable: the sign of the stiffness of rods and loads together.
 *
 * models     K + E, the rods' stiffness and that of loads, about the present state
 * equation   P = K + E as measured block by block + s D, s as small as makes it positive;  A = P^-1 (K + E) = 1 + P^-1 (E - E measured - s D).
 *            Where P and E are symmetric, A has as many negative eigenvalues as K + E (Sylvester). They are looked for in the Krylov space of A,
 *            orthonormal in P, E times each vector by one difference of loads
 * source     Saad, Numerical Methods for Large Eigenvalue Problems (2011), 6.2; Higham, Functions of Matrices (2008), 5.3 (Newton's sign)
 * test       tests/test_relax_stability.c
 *
 * A is 1 but for what was not measured and what is unstable, so the space closes within a few vectors. When it does not, that is said.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

enum { MOST = ELI_RELAX_PAIRS - 1, TRIES = 40, SIGN_STEPS = 60, PERSISTENT = 3 };

/* What differences leave of the next vector when the space is closed; and of an eigenvalue that is 0. */
#define CLOSED 1e-5
#define ZERO 1e-5

typedef double small[MOST][MOST];

/* ---- Eigenvalues of a small matrix by sign ---- */

/* Gauss and Jordan with exchange of rows; 0 when singular. */
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

/* How many eigenvalues of h have a real part below -ZERO: the trace of its sign counts those above less those below. -1 when that fails. */
static int count_negative(small h, int n) {
  small s, spent, inverse;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s[i][j] = h[i][j] + (i == j ? ZERO : 0.0);
  for (int k = 0; k < SIGN_STEPS; k++) {
    double change = 0.0, trace = 0.0;
    memcpy(spent, s, sizeof s);
    const double size = norm_of(s, n);
    if (!invert(spent, inverse, n)) return -1;
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

static void assemble_and_lift(void *context, int worker, size_t r) {
  eli_relaxation *relaxation = context;
  eli_tangent *tangent = &relaxation->tangents[r];
  const double *inertia = relaxation->inertia + 6 * relaxation->first[r];
  double shift = 0.0;
  (void)worker;
  eli_tangent_assemble(tangent, 1.0, &relaxation->now, relaxation->predicted, relaxation->held, relaxation->inertia);
  for (int k = 0; k < TRIES && !eli_tangent_factorise(tangent, shift, inertia); k++) shift = 10.0 * (shift + tangent->regularisation);
  relaxation->sound[r] = shift == 0.0;
}

/* Product of vectors v and w in the space; effort is P w. In P, where that is symmetric and positive; else in D. */
static double inner(const eli_relaxation *relaxation, const double *v, const double *w, const double *effort) {
  double sum = 0.0;
  if (relaxation->symmetric) return product(relaxation, v, effort);
  for (size_t i = 0; i < relaxation->size; i++) sum += v[i] * (relaxation->inertia[i] * w[i]);
  return sum;
}

/* Of length 1; returns the length that it had, or what is left of not a number. */
static double normalise(const eli_relaxation *relaxation, double *v, double *effort) {
  const double square = inner(relaxation, v, v, effort), length = square > 0.0 ? sqrt(square) : square;
  const double scale = length > 0.0 ? 1.0 / length : 0.0;
  for (size_t i = 0; i < relaxation->size; i++) v[i] *= scale, effort[i] *= scale;
  return length;
}

/* The first vector has every mode of P in it with about the same energy. */
static void begin(eli_relaxation *relaxation) {
  double *v = relaxation->motion[0], *p = relaxation->effort[0];
  for (size_t i = 0; i < relaxation->size; i++) v[i] = relaxation->held[i] ? 0.0 : eli_relax_noise(i);
  for (int r = 0; r < relaxation->world->rod_count; r++)
    eli_tangent_excite(&relaxation->tangents[r], v + 6 * relaxation->first[r], p + 6 * relaxation->first[r]);
  if (!(product(relaxation, v, p) > 0.0)) relaxation->symmetric = 0;
  (void)normalise(relaxation, v, p);
}

/* Vector k + 1 = A times vector k, made orthogonal to all before; its length, or -1. */
static elastica_status go_on(eli_relaxation *relaxation, int k, small h, double *length) {
  double *v = relaxation->motion[k + 1], *p = relaxation->effort[k + 1], *load = relaxation->next, *known = relaxation->other;
  const elastica_status status = eli_relax_probe(relaxation, relaxation->motion[k], load);
  if (status != ELASTICA_OK) return status;
  eli_relax_apply_loads(relaxation, relaxation->motion[k], known);
  for (int r = 0; r < relaxation->world->rod_count; r++)
    for (size_t i = 6 * relaxation->first[r]; i < 6 * (relaxation->first[r] + relaxation->tangents[r].blocks); i++)
      p[i] = relaxation->held[i] ? 0.0
                                 : relaxation->effort[k][i] + (load[i] - known[i]) -
                                       relaxation->tangents[r].shift * (relaxation->inertia[i] * relaxation->motion[k][i]);
  eli_relax_solve(relaxation, p, v);
  for (int i = 0; i <= k; i++) h[i][k] = 0.0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i <= k; i++) {
      const double share = inner(relaxation, relaxation->motion[i], v, p);
      h[i][k] += share;
      for (size_t q = 0; q < relaxation->size; q++) {
        v[q] -= share * relaxation->motion[i][q];
        p[q] -= share * relaxation->effort[i][q];
      }
    }
  *length = normalise(relaxation, v, p);
  return *length - *length == 0.0 ? ELASTICA_OK : ELASTICA_NOT_FINITE;
}

/* Whether h is as symmetric as loads with a potential make it, but for what is left of the papers' couple. */
static int is_symmetric(small h, int n) {
  double most = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) eli_keep_larger(&most, fabs(h[i][j] - h[j][i]));
  return most <= 1e-3 * norm_of(h, n);
}

/* Up to `most` vectors. In a symmetric space a negative eigenvalue is proof as soon as it is seen; it is let stay for a while, for rounding.
 * Elsewhere eigenvalues are nobody's until the space is closed, and well. */
static elastica_status search(eli_relaxation *relaxation, int most) {
  small h;
  int seen = 0;
  memset(h, 0, sizeof h);
  begin(relaxation);
  for (int k = 0; k < most; k++) {
    double length;
    const elastica_status status = go_on(relaxation, k, h, &length);
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
    if (k + 1 < MOST) h[k + 1][k] = length;
  }
  return ELASTICA_OK;
}

/* With the loads as they were measured last. */
static elastica_status try(eli_relaxation *relaxation, int most) {
  relaxation->stable = 0;
  relaxation->undecided = 1;
  relaxation->symmetric = 1;
  relaxation->assembled = 0;
  eli_pool_run(relaxation->world->pool, (size_t)relaxation->world->rod_count, assemble_and_lift, relaxation);
  elastica_status status = search(relaxation, most);
  if (status == ELASTICA_OK && relaxation->undecided && !relaxation->symmetric) status = search(relaxation, most);
  return status;
}

/* Without loads that depend on the state the factors of the stiffness tell. */
static void judge_unloaded(eli_relaxation *relaxation) {
  relaxation->stable = 1;
  relaxation->undecided = 0;
  eli_pool_run(relaxation->world->pool, (size_t)relaxation->world->rod_count, assemble_and_lift, relaxation);
  for (int r = 0; r < relaxation->world->rod_count; r++)
    if (!relaxation->sound[r]) relaxation->stable = 0;
}

/* Loads as measured at the start often do; else they are measured again where the rods came to rest. */
elastica_status eli_relax_judge(eli_relaxation *relaxation) {
  elastica_status status = ELASTICA_OK;
  const int leaning = eli_relax_is_leaning(relaxation);
  for (int r = 0; r < relaxation->world->rod_count; r++)
    memset(relaxation->tangents[r].reactions, 0, 9 * relaxation->tangents[r].blocks * sizeof(double));
  if (!eli_relax_is_loaded(relaxation)) {
    judge_unloaded(relaxation);
  } else {
    if (relaxation->moved) status = try(relaxation, 1);
    if (status == ELASTICA_OK && relaxation->moved && relaxation->undecided) status = eli_relax_measure_loads(relaxation);
    if (status == ELASTICA_OK && (!relaxation->moved || relaxation->undecided)) status = try(relaxation, MOST);
  }
  if (relaxation->world->failure != ELASTICA_OK) return status;
  if (leaning && !relaxation->stable) relaxation->undecided = 1;
  return ELASTICA_OK;
}
