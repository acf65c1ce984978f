/* The reference of the crossing: two elasticas with weight that stretch, between pins, the upper one on the middle of the lower one. */
#ifndef EXAMPLES_CROSSING_ELASTICA_H
#define EXAMPLES_CROSSING_ELASTICA_H

enum { ELASTICA_POINTS = 1000 }; /* of half a rope */

typedef struct crossing_elastica {
  double length, span, drop, gap;   /* [m] drop: of the upper pins below the lower ones; gap between the middles */
  double weight, stretch, bending;  /* [N/m] [N] [N m^2] */
  double force;                     /* [N] between them */
  double free_depth;                /* [m] of the middle of a rope below its pins without the other one */
  double middle[2];                 /* [m] z of the lower and the upper */
  double x[2][ELASTICA_POINTS + 1]; /* [m] of each, from the middle to the pin */
  double z[2][ELASTICA_POINTS + 1];
} crossing_elastica;

/* Returns 0 when Newton's method fails. */
int crossing_elastica_solve(crossing_elastica *of);

#endif
