/* What is learned about the stiffness of loads that only their hooks know: differences seen on the way. */
#ifndef ELI_SECANT_H
#define ELI_SECANT_H

#include <stddef.h>

enum { ELI_SECANT_DEPTH = 8 };

/* Steps s and what the loads resisted beyond expectation on them, E s = e. As E = sum e s^T W over pairs made orthonormal in W = diag(weight). */
typedef struct eli_secant {
  size_t size;
  const double *weight;
  int count;
  int newest; /* the pairs are a ring of vectors, with room for one that is not counted in yet */
  double *step[ELI_SECANT_DEPTH + 1], *rise[ELI_SECANT_DEPTH + 1]; /* as learned */
  double *s[ELI_SECANT_DEPTH], *e[ELI_SECANT_DEPTH];               /* orthonormal, newest first */
  double *solved[ELI_SECANT_DEPTH];                                /* M^-1 e */
  int rank;
} eli_secant;

/* Doubles for vectors of a size; and aims a secant without pairs at that many. */
size_t eli_secant_size(size_t size);
void eli_secant_aim(eli_secant *secant, size_t size, const double *weight, double *memory);

void eli_secant_forget(eli_secant *secant);

/* Vectors for the next pair, to be filled and then, if wanted, counted in by eli_secant_keep, the oldest giving way. */
void eli_secant_next(eli_secant *secant, double **step, double **rise);
void eli_secant_keep(eli_secant *secant);

/* y = E x */
void eli_secant_apply(const eli_secant *secant, const double *x, double *y);

/* x = (M + E)^-1 b from x = M^-1 b, once solved holds M^-1 of e for each of rank pairs. 0 when that has no solution; x is then M^-1 b. */
int eli_secant_correct(const eli_secant *secant, double *x);

#endif
