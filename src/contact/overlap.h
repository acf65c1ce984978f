/* The overlap of two elements of a rod, and its slopes over the positions of their nodes.
 *
 * test       tests/test_potentials.c, tests/test_self_contact_set.c
 */
#ifndef ELI_OVERLAP_H
#define ELI_OVERLAP_H

#include "base/target.h"

#include <elastica.h>

/* Elements i and j at the present state. */
typedef struct eli_overlap {
  int element[2];     /* i, j */
  double depth;       /* eps = r_i + r_j - distance [m]; negative: a gap */
  double share[2];    /* where the closest points lie along i and j, 0..1 */
  double swelling[2]; /* -dr/dl = r/(2 l) of i and j; 0 with the papers' law, which has no such term */
  double d[3];        /* unit vector from the closest point of i to that of j */
  double distance;    /* [m] */
} eli_overlap;

/* radius: present radius of every element. 0 when the gap is larger than margin [m]; out is then not to be read. */
int eli_overlap_find(const elastica_rod_view *rod, const double *radius, int i, int j, double margin, eli_overlap *out);

/* Adds the forces [N] on the nodes: of a push between the closest points, shared by the rule of the lever, and of a pressure on both radii,
 * which is a tension -pressure r/(2 l) in their edges. */
void eli_overlap_add_forces(const elastica_rod_view *rod, const eli_overlap *o, double push, double pressure, double *const force[3]);

/* Rate at which the closest points approach, (v_i - v_j) . d, and at which r_i + r_j grows [m/s]: their sum is d eps/dt. */
double eli_overlap_approach(const elastica_rod_view *rod, const eli_overlap *o);
double eli_overlap_growth(const elastica_rod_view *rod, const eli_overlap *o);

/* The largest speed [m/s] of a point of one element relative to one of the other. */
double eli_overlap_speed(const elastica_rod_view *rod, const eli_overlap *o);

/* Upper bounds, at each of the four nodes in order, of the quadratic forms (d eps)^2, (d approach)^2, and of the second derivative of eps
 * [1/m]. */
typedef struct eli_overlap_bounds {
  double square[4], approach[4]; /* for all displacements of the closest points up to moved [m] */
  double curving[4];             /* at the present state */
} eli_overlap_bounds;

void eli_overlap_bound(const elastica_rod_view *rod, const eli_overlap *o, double moved, eli_overlap_bounds *out);

#endif
