/* The localised helix of a twisted rod with clamped ends, and the distance of a computed rod from it.
 *
 * source  Gazzola et al. 2018, (3.10) and (3.11): an inextensible rod, infinitely long compared with its buckle
 */
#ifndef EXAMPLES_HELIX_H
#define EXAMPLES_HELIX_H

#include <elastica.h>

typedef struct helix_rod {
  double length, twist;         /* [m] [rad] */
  double bend, twist_stiffness; /* [N m^2] */
} helix_rod;

typedef struct helix {
  double slack, t, m, q;          /* [m]; dimensionless tension and couple, q = sqrt(4 t - m^2) */
  double tension, couple, energy; /* [N] [N m] [J] */
  double angle;                   /* [rad] the largest between tangent and axis */
} helix;

/* The solution without a loop, for ends closer by slack. */
helix helix_solve(const helix_rod *rod, double slack);

/* (3.11) at s/L from the middle of the buckle. */
double helix_envelope(const helix *h, double s);

/* Distances of an envelope from that of the helix, in the middle of each element. */
typedef struct helix_distance {
  double largest, l1, l2;
  double centre; /* s/L from the middle of the rod */
} helix_distance;

/* phi[n], the envelope of a rod along z. Returns the largest angle [rad] of an element; near: its s/L from the middle of the rod. */
double helix_of_rod(const elastica_rod_view *view, double *phi, double *near);

/* The energy hardly depends on the position of the buckle along the rod. Therefore the helix is centred by least squares. */
helix_distance helix_compare(const helix *h, const double *phi, int n, double near);

#endif
