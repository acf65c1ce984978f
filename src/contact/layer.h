/* An element in contact with a convex solid: how deep it overlaps, and the force that this gives.
 *
 * models     the element as a capsule, an elastic layer with a core on its surface; plane, ball, cylinder or box, at rest or in motion
 * equation   eps(s) = r - signed distance of the centre line from the solid;  U = int (k <eps>^2/2 + A k r0^2 <x>^7) dmu, with
 *            x = (eps/r0 - 1/10)/(9/10), A = 500, the radius r0 at rest, and mu and the damper of line.h
 * source     Winkler foundation. The signed distance from a convex set is a convex function along a line: what touches is one interval, to
 *            whose ends Newton's method goes from outside without a step too far
 * conserves  momentum and angular momentum together with the solid; energy with U
 * test       tests/test_obstacle_contact.c, tests/test_obstacle_core.c
 *
 * The interval is cut where the core begins, and where the nearest place of the solid passes from a face to an edge, so that Gauss points see
 * a smooth function. On a plane four of them are exact for U and for the forces on both ends, which are polynomials of degree 7 in s. A centre
 * line that comes to the surface has done 1001 times the work that the layer alone would take.
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

/* The core: it begins at this overlap, in radii at rest; and A. */
#define ELI_LAYER_ONSET 0.1
#define ELI_LAYER_STRENGTH 500.0

/* A bound of the slope of the force per length in k, and of that force in k eps, for all overlaps up to eps of this radius at rest [m]. */
eli_stiffening eli_layer_stiffening(double rest_radius, double eps);

/* [J/m] U per length of such a layer at an overlap; and the overlap at which it has this energy, at most the radius. */
double eli_layer_energy(double modulus, double rest_radius, double eps);
double eli_layer_turning_depth(double modulus, double rest_radius, double energy);

/* A solid from where it stands. */
eli_solid eli_solid_at(const eli_obstacle *obstacle, const eli_placement *place);

double eli_solid_distance(const eli_solid *solid, const double point[3], double normal[3]);

/* The part of a capsule's centre line, 0..1, that is nearer to the solid than reach [m]. 0: none. */
int eli_layer_interval(const eli_capsule *capsule, const eli_solid *solid, double reach, double *low, double *high);

/* Returns 1 if there is contact, else 0 and nothing is written. */
int eli_layer_find(const eli_capsule *capsule, const eli_solid *solid, const eli_line_law *law, eli_layer *out);

/* The least distance between two places of the centre line, or less by at most tolerance [m]. */
double eli_layer_least_distance(const eli_capsule *capsule, const eli_solid *solid, double low, double high, double tolerance);

/* [m/s] The velocity of an end of the centre line against the solid. */
void eli_layer_velocity(const eli_capsule *capsule, const eli_solid *solid, int end, double v[3]);

/* [m/s] The largest speed of an end of the centre line against the solid; against a plane, along its normal: nothing else changes a
 * distance. */
double eli_layer_speed(const eli_capsule *capsule, const eli_solid *solid);

/* 1: some place of the centre line comes to the surface of the solid while both go on as they move now: from the middle of the step before to
 * the end of this one, of which now is the middle. */
int eli_layer_crosses(const eli_capsule *capsule, const eli_solid *solid, double dt);

/* 0: it certainly does not. depth [m]: the largest overlap of its points, 0 where it does not touch. */
int eli_layer_may_cross(const eli_capsule *capsule, double depth, const eli_solid *solid, double dt);

void eli_layer_middle(const eli_capsule *capsule, const eli_solid *solid, const eli_layer *layer, eli_middle *out);

/* The share of a force at the middle for both ends, added. */
void eli_middle_share(const eli_middle *middle, const double force[3], double on[2][3]);

#endif
