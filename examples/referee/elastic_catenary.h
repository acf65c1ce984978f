/* The elastic catenary: a rope that stretches and does not bend, between two pins at one height. */
#ifndef EXAMPLES_ELASTIC_CATENARY_H
#define EXAMPLES_ELASTIC_CATENARY_H

typedef struct elastic_catenary {
  double length, span, weight, stretch; /* [m] [m] [N/m] at rest, E A [N] */
  double pull;                          /* [N] horizontal */
} elastic_catenary;

elastic_catenary elastic_catenary_solve(double length, double span, double weight, double stretch);

/* Point at the arc length s at rest: x from the first pin, z below it (negative). */
void elastic_catenary_point(const elastic_catenary *of, double s, double *x, double *z);

#endif
