/* An element in contact with a convex solid: the depth of the overlap and the resulting force.
 *
 * models     the element as a capsule, an elastic layer with a core on its surface; plane, ball, cylinder or box, at rest or in motion
 * equation   eps(s) = r - signed distance of the centre line from the solid;  U = int (k <eps>^2/2 + A k r0^2 <x>^7) dmu, with x = (eps/r0
 *            - 1/10)/(9/10), A = 500, the radius r0 at rest, and mu and the damper of line.h
 * source     Winkler foundation. The signed distance from a convex set is a convex function along a line. Therefore the part in contact is
 *            one interval, and Newton's method converges to its ends from outside without overshoot
 * conserves  momentum and angular momentum together with the solid; energy with U
 * test       tests/test_obstacle_contact.c, tests/test_obstacle_core.c
 *
 * The interval is cut at the onset of the core, and at the points with a change of the nearest feature of the solid from a face to an edge,
 * so that Gauss points sample a smooth function. For a plane, four points are exact for U and for the forces on both ends, which are
 * polynomials of degree 7 in s. A centre line that reaches the surface has done 1001 times the work that the layer alone would take.
 */
#ifndef ELI_LAYER_H
#define ELI_LAYER_H

#include "base/target.h"

#include "base/prescribed.h"
#include "contact/capsule.h"
#include "contact/line.h"
#include "contact/obstacle.h"

typedef struct eli_solid {
  eli_obstacle obstacle;
  eli_placement place;
  double spin[3]; /* [rad/s] laboratory */
} eli_solid;

/* The loads on the element; all are sums over the part in contact. */
typedef struct eli_layer {
  double force[2][3]; /* [N] on its ends */
  double total[3];    /* [N] their sum */
  double moment[3];   /* [N m] moment of the total about the solid's position */
  double pressure;    /* [N] sum of the normal forces */
  double elastic;     /* [N] the same without the damper */
  double along;       /* [N] sum of normal force times position, 0..1 */
  double extent;      /* [m] mu in contact */
  double energy;      /* U [J] */
  double depth;       /* [m] the largest eps of its points */
  double low, high;   /* the part of the centre line in contact, 0..1 */
} eli_layer;

/* The centre of pressure of a contact. */
typedef struct eli_middle {
  double share;     /* position along the element, 0..1 */
  double normal[3]; /* unit vector from the solid to the element */
  double point[3];  /* [m] on the surface of the solid */
  double lever[3];  /* [m] vector to that point from the centre line */
} eli_middle;

/* The onset of the core, as an overlap in radii at rest; and A. */
#define ELI_LAYER_ONSET 0.1
#define ELI_LAYER_STRENGTH 500.0

/* Returns upper bounds for all overlaps up to eps and this radius at rest [m]: the slope of the force per length in units of k, and the
 * force in units of k eps. */
eli_stiffening eli_layer_stiffening(double rest_radius, double eps);

/* eli_layer_energy returns U per length [J/m] of a layer at an overlap. eli_layer_turning_depth returns the overlap with a given energy, at
 * most the radius. */
double eli_layer_energy(double modulus, double rest_radius, double eps);
double eli_layer_turning_depth(double modulus, double rest_radius, double energy);

/* Makes a solid from an obstacle and its placement. */
eli_solid eli_solid_at(const eli_obstacle *obstacle, const eli_placement *place);

double eli_solid_distance(const eli_solid *solid, const double point[3], double normal[3]);

/* Finds the part of a capsule's centre line, 0..1, that is closer to the solid than reach [m]. Returns 0 if there is none. */
int eli_layer_interval(const eli_capsule *capsule, const eli_solid *solid, double reach, double *low, double *high);

/* Computes the loads on the element. Returns 1 if there is contact; otherwise it returns 0 and writes nothing. */
int eli_layer_find(const eli_capsule *capsule, const eli_solid *solid, const eli_line_law *law, eli_layer *out);

/* Returns the least distance between two positions on the centre line, or a value lower by at most tolerance [m]. */
double eli_layer_least_distance(const eli_capsule *capsule, const eli_solid *solid, double low, double high, double tolerance);

/* Computes the velocity [m/s] of an end of the centre line relative to the solid. */
void eli_layer_velocity(const eli_capsule *capsule, const eli_solid *solid, int end, double v[3]);

/* Returns the largest speed [m/s] of an end of the centre line relative to the solid. For a plane only the speed along its normal counts,
 * because no other motion changes a distance. */
double eli_layer_speed(const eli_capsule *capsule, const eli_solid *solid);

/* Returns 1 if a point of the centre line reaches the surface of the solid while both keep their present velocities, from the middle of the
 * previous step to the end of this one. The capsule is given at the middle of this step. */
int eli_layer_crosses(const eli_capsule *capsule, const eli_solid *solid, double dt);

/* Returns 0 if eli_layer_crosses() is certainly 0. depth [m] is the largest overlap of the Gauss points, 0 without contact. */
int eli_layer_may_cross(const eli_capsule *capsule, double depth, const eli_solid *solid, double dt);

void eli_layer_middle(const eli_capsule *capsule, const eli_solid *solid, const eli_layer *layer, eli_middle *out);

/* Divides a force at the centre of pressure between both ends and adds it. */
void eli_middle_share(const eli_middle *middle, const double force[3], double on[2][3]);

#endif
