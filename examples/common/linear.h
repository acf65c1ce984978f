/* Linear equations of an oracle. */
#ifndef EXAMPLES_LINEAR_H
#define EXAMPLES_LINEAR_H

/* Solves a x = y in place of y [count], with pivots; a [count count], by rows, is destroyed. */
void example_solve(int count, double *a, double *y);

#endif
