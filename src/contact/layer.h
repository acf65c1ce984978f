/* An element in contact with a convex solid: how deep it overlaps, and the force that this gives.
 *
 * models     the element as a capsule, an elastic layer on its surface; plane, ball, cylinder or box, at rest or in motion
 * equation   eps(s) = r - signed distance of the centre line from the solid;  U = (k/2) int <eps>^2 dmu, with mu and the damper of line.h
 * source     Winkler foundation. The signed distance from a convex set is a convex function along a line: what touches is one interval, to
 *            whose ends Newton's method goes from outside without a step too far
 * conserves  momentum and angular momentum together with the solid; energy with U
 * test       tests/test_obstacle_contact.c
 *
 * The interval is cut where the nearest place of the solid passes from a face to an edge, so that Gauss points see a smooth function.
 */
#ifndef ELI_LAYER_H
#define ELI_LAYER_H

#include "base/target.h"

#include "base/hold.h"
#include "contact/capsule.h"
#include "contact/line.h"
#include "contact/obstacle.h"

typedef struct eli_solid {
  eli_obstacle obstacle;
  eli_placement place;
  double spin[3]; /* [rad/s] laboratory */
} eli_solid;

/* What acts on the element; sums over what touches. */
typedef struct eli_layer {
  double force[2][3]; /* [N] on its ends */
  double total[3];    /* [N] on it */
  double moment[3];   /* [N m] of that about the solid's position */
  double pressure;    /* [N] the sum of magnitudes, */
  double elastic;     /* [N] and of those without the damper */
  double along;       /* [N] the sum of pressure times where it acts, 0..1 */
  double extent;      /* [m] mu in contact */
  double energy;      /* U [J] */
  double depth;       /* [m] the largest eps of its points */
  double low, high;   /* what touches of the centre line, 0..1 */
} eli_layer;

/* The middle of a contact, by pressure. */
typedef struct eli_middle {
  double share;     /* where it lies along the element, 0..1 */
  double normal[3]; /* unit vector from the solid to the element */
  double point[3];  /* [m] on the surface of the solid */
  double lever[3];  /* [m] to there from the centre line */
} eli_middle;

/* A solid from where it stands. */
eli_solid eli_solid_at(const eli_obstacle *obstacle, const eli_placement *place);

double eli_solid_distance(const eli_solid *solid, const double point[3], double normal[3]);

/* The part of a capsule's centre line, 0..1, that is nearer to the solid than reach [m]. 0: none. */
int eli_layer_interval(const eli_capsule *capsule, const eli_solid *solid, double reach, double *low, double *high);

/* Returns 1 if there is contact, else 0 and nothing is written. */
int eli_layer_find(const eli_capsule *capsule, const eli_solid *solid, const eli_line_law *law, eli_layer *out);

void eli_layer_middle(const eli_capsule *capsule, const eli_solid *solid, const eli_layer *layer, eli_middle *out);

/* The share of a force at the middle for both ends, added. */
void eli_middle_share(const eli_middle *middle, const double force[3], double on[2][3]);

#endif
