/* A secant approximation of the stiffness of loads, from the differences of loads along the past steps. */
#ifndef ELI_SECANT_H
#define ELI_SECANT_H

#include <stddef.h>

enum { ELI_SECANT_DEPTH = 8 };

/* Pairs of a step s and the rise e of resistance that the known stiffness does not explain: E s = e. E = sum of e s^T W over the pairs,
 * after the steps have been made orthonormal in W = diag(weight). */
typedef struct eli_secant {
  size_t size;
  const double *weight;
  int count;
  int newest; /* step and rise are circular buffers, with room for one unfinished pair */
  double *step[ELI_SECANT_DEPTH + 1], *rise[ELI_SECANT_DEPTH + 1]; /* the pairs as added */
  double *s[ELI_SECANT_DEPTH], *e[ELI_SECANT_DEPTH];               /* orthonormal, newest first */
  double *solved[ELI_SECANT_DEPTH];                                /* M^-1 e */
  int rank;
} eli_secant;

/* Returns the number of doubles of a secant for vectors of a size. init: makes an empty secant in this memory. */
size_t eli_secant_size(size_t size);
void eli_secant_init(eli_secant *secant, size_t size, const double *weight, double *memory);

void eli_secant_forget(eli_secant *secant);

/* Returns the vectors of the next pair, to be filled. eli_secant_keep then adds the pair, in place of the oldest if there is no room. */
void eli_secant_next(eli_secant *secant, double **step, double **rise);
void eli_secant_keep(eli_secant *secant);

/* y = E x */
void eli_secant_apply(const eli_secant *secant, const double *x, double *y);

/* Replaces x = M^-1 b by (M + E)^-1 b; solved must contain M^-1 e of each of the rank pairs. Returns 0, and leaves x, if there is no
 * solution. */
int eli_secant_correct(const eli_secant *secant, double *x);

#endif
