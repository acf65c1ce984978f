/* The largest eigenvalues of a self-adjoint operator and their vectors. */
#ifndef ELI_KRYLOV_H
#define ELI_KRYLOV_H

#include <stddef.h>

#include "base/memory.h"

/* An operator A and a form B, symmetric and not negative: x . B A y = y . B A x. */
typedef struct eli_operator {
  size_t size; /* of vectors */
  void *context;
  void (*apply)(void *context, const double *x, double *y); /* y = A x */
  void (*weigh)(void *context, const double *x, double *y); /* y = B x */
} eli_operator;

/* Eigenpairs that are found, by descending eigenvalue; A x = value x, x . B x = 1. */
typedef struct eli_krylov {
  const eli_allocator *allocator;
  const eli_operator *on;
  int count, capacity;
  double *value;     /* [capacity] */
  double *residual;  /* [capacity] |A x - value x| in the norm of B */
  double *vector;    /* [capacity size] */
  double next;       /* the largest Ritz value of the last search that did not converge; -infinity: there is none. To within the residuals
                      * of the pairs found, the next eigenvalue is at least as large */
  int complete;      /* 1: the space has no other vector */
  long applications; /* of A */
} eli_krylov;

/* create: room for so many pairs; 0 without memory, then also find. */
int eli_krylov_create(eli_krylov *krylov, const eli_allocator *allocator, const eli_operator *on, int capacity);
void eli_krylov_release(eli_krylov *krylov);

/* Adds the `more` largest pairs orthogonal to those found, but at most as many as there is room for. Fewer are found if they do not
 * converge to |residual| <= tolerance |value| or if the space is complete. A single search finds no more than ELI_KRYLOV_BLOCK vectors of
 * one eigenvalue; the next search finds others. */
enum { ELI_KRYLOV_BLOCK = 3 };
int eli_krylov_find(eli_krylov *krylov, int more, double tolerance);

#endif
