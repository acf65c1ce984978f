/* A rigid body in contact with a wall that balances nodes: where it touches, and the reactions there.
 *
 * models     contact of a ball with any obstacle, of a capsule with planes and balls, of a cylinder or box with planes: at points
 * equation   in each point R >= 0 such that the step ends with the outward speed u of contact/friction.h, or a greater one with R = 0; friction
 *            |T| <= mu R that ends the slip within the step if it can, mu between static and kinetic by the slip as there, sideways
 *            coefficients in all directions. The velocity and spin at the end of the step: the kick of the body (MODEL 4) with the
 *            gyroscopic couple at its start, which is exact for balls
 * source     Moreau, 1988; point by point in turn (Gauss and Seidel)
 * conserves  momentum together with the wall; an impact does not rebound
 * test       tests/test_body_wall.c
 */
#ifndef ELI_BODY_CONTACT_H
#define ELI_BODY_CONTACT_H

#include "base/target.h"

#include <elastica.h>

#include "base/hold.h"
#include "contact/friction.h"
#include "contact/obstacle.h"

typedef struct eli_body_shape {
  elastica_shape shape;
  double radius, half_length, half_edge[3];
  double axes[9]; /* as in elastica_body_info */
} eli_body_shape;

/* Of a rigid body. */
void eli_body_shape_read(elastica_rod *rod, eli_body_shape *out);

/* Refuses what a rigid body cannot touch. */
elastica_status eli_body_check(elastica_world *world, const char *function, int rod_index, const eli_obstacle *obstacle,
                               const eli_wall_law *law);

/* [s] The step in which a body moves on a wall, or towards it, by no more than small parts of its size: a tenth towards the surface, half along
 * it or by its spin, 2 % by its weight or other loads, of acceleration [m/s^2]; and longer while it is far, a fifth of the time until it
 * meets the surface. Infinite: it parts. Of the shape, size is the least half width. */
double eli_body_step(const eli_obstacle *obstacle, const eli_placement *place, const eli_body_shape *shape, const elastica_rod_view *body,
                     double acceleration);

/* Adds the force on a body and its couple about the centre to its loads, and writes them to the lanes of a contact for one element. Returns
 * flags as eli_wall_press does; 0: nothing touches. */
unsigned eli_body_press(const eli_wall_law *law, const eli_obstacle *obstacle, const eli_placement *place, const eli_body_shape *shape,
                        const elastica_rod_view *body, const elastica_loads *loads, double dt, const eli_wall_contact *contact);

#endif
