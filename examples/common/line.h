/* The line of least squares through points. */
#ifndef EXAMPLES_LINE_H
#define EXAMPLES_LINE_H

typedef struct line {
  double at_zero, slope; /* y = at_zero + slope x */
} line;

/* count >= 2, not all x equal. */
line line_through(const double *x, const double *y, int count);

#endif
