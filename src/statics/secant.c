/* Multisecant correction of a factorised matrix M by a few pairs E s = e; Anderson acceleration of the iteration that uses M.
 *
 * models     the part of the stiffness that has no formula and was not measured
 * equation   E = e s^T W with s^T W s = 1;  (M + E)^-1 b = u - Z (1 + s^T W Z)^-1 s^T W u,  u = M^-1 b, Z = M^-1 e   (Woodbury)
 * source     Fang and Saad, Two classes of multisecant methods for nonlinear acceleration, Numer. Linear Algebra Appl. 16 (2009) 197
 * test       tests/test_relax.c
 */
#include "base/target.h"

#include "statics/secant.h"

#include <math.h>
#include <string.h>

/* A pair is dropped if less than this share of |s|^2 is left after projection on the newer pairs. */
#define NEW_SHARE 1e-8

static double product(const eli_secant *secant, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < secant->size; i++) sum += a[i] * (secant->weight[i] * b[i]);
  return sum;
}

size_t eli_secant_size(size_t size) {
  return (5 * ELI_SECANT_DEPTH + 2) * size;
}

void eli_secant_init(eli_secant *secant, size_t size, const double *weight, double *memory) {
  memset(secant, 0, sizeof *secant);
  secant->size = size;
  secant->weight = weight;
  double **const lists[] = {secant->step, secant->rise, secant->s, secant->e, secant->solved};
  for (size_t k = 0; k < 5; k++)
    for (size_t p = 0; p < ELI_SECANT_DEPTH + (k < 2 ? 1 : 0); p++, memory += size) lists[k][p] = memory;
}

void eli_secant_forget(eli_secant *secant) {
  secant->count = secant->rank = 0;
}

void eli_secant_next(eli_secant *secant, double **step, double **rise) {
  const int next = (secant->newest + 1) % (ELI_SECANT_DEPTH + 1);
  *step = secant->step[next];
  *rise = secant->rise[next];
}

/* Gram and Schmidt, twice, newest first: a step that is nearly a combination of newer ones is dropped. */
static void orthonormalise(eli_secant *secant) {
  secant->rank = 0;
  for (int k = 0; k < secant->count; k++) {
    const int from = (secant->newest + ELI_SECANT_DEPTH + 1 - k) % (ELI_SECANT_DEPTH + 1), r = secant->rank;
    double *s = secant->s[r], *e = secant->e[r];
    memcpy(s, secant->step[from], secant->size * sizeof *s);
    memcpy(e, secant->rise[from], secant->size * sizeof *e);
    const double whole = product(secant, s, s);
    for (int pass = 0; pass < 2; pass++)
      for (int q = 0; q < r; q++) {
        const double share = product(secant, secant->s[q], s);
        for (size_t i = 0; i < secant->size; i++) {
          s[i] -= share * secant->s[q][i];
          e[i] -= share * secant->e[q][i];
        }
      }
    const double left = product(secant, s, s);
    if (!(left > NEW_SHARE * whole)) continue;
    const double scale = 1.0 / sqrt(left);
    for (size_t i = 0; i < secant->size; i++) {
      s[i] *= scale;
      e[i] *= scale;
    }
    secant->rank++;
  }
}

void eli_secant_keep(eli_secant *secant) {
  secant->newest = (secant->newest + 1) % (ELI_SECANT_DEPTH + 1);
  if (secant->count < ELI_SECANT_DEPTH) secant->count++;
  orthonormalise(secant);
}

void eli_secant_apply(const eli_secant *secant, const double *x, double *y) {
  memset(y, 0, secant->size * sizeof *y);
  for (int k = 0; k < secant->rank; k++) {
    const double share = product(secant, secant->s[k], x);
    for (size_t i = 0; i < secant->size; i++) y[i] += share * secant->e[k][i];
  }
}

/* Gauss elimination with row pivoting; b becomes the solution. Returns 0 if a is singular. */
static int solve_small(double a[ELI_SECANT_DEPTH][ELI_SECANT_DEPTH], double b[ELI_SECANT_DEPTH], int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
    if (!(fabs(a[best][k]) > 1e-12)) return 0;
    for (int j = 0; j < n; j++) {
      const double kept = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = kept;
    }
    const double kept = b[k];
    b[k] = b[best];
    b[best] = kept;
    for (int i = k + 1; i < n; i++) {
      const double ratio = a[i][k] / a[k][k];
      for (int j = k; j < n; j++) a[i][j] -= ratio * a[k][j];
      b[i] -= ratio * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return 1;
}

int eli_secant_correct(const eli_secant *secant, double *x) {
  double a[ELI_SECANT_DEPTH][ELI_SECANT_DEPTH], b[ELI_SECANT_DEPTH];
  const int n = secant->rank;
  assert(n > 0 && n <= ELI_SECANT_DEPTH);
  for (int i = 0; i < n; i++) {
    b[i] = product(secant, secant->s[i], x);
    for (int j = 0; j < n; j++) a[i][j] = product(secant, secant->s[i], secant->solved[j]) + (i == j ? 1.0 : 0.0);
  }
  if (!solve_small(a, b, n)) return 0;
  for (int k = 0; k < n; k++)
    for (size_t i = 0; i < secant->size; i++) x[i] -= b[k] * secant->solved[k][i];
  return 1;
}
