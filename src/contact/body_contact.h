/* A rigid body in contact with a wall that balances nodes: where it touches, and the reactions there.
 *
 * models     contact of a ball with any obstacle, of a capsule with planes and balls, of a cylinder or box with planes: at points
 * equation   in each point R >= 0 such that the point is at the middle of the next step where a motion with the outward speed u of
 *            contact/friction.h takes it, or higher with R = 0; friction |T| <= mu R that ends the slip within the step if it can, mu between
 *            static and kinetic by the slip as there, sideways coefficients in all directions. Velocity and spin at the end of the step: the
 *            kick of the body (MODEL 4) with the gyroscopic couple at its start, which is exact for balls. Until the middle of the next step
 *            the body moves with these, so that the place of a point there is known: a point that turns with the body follows an arc, and
 *            its speed alone would let it sink by omega^2 arm dt^2/2 in each step. Slip likewise is that of the contact half a step later
 *            Walls on one body are solved together: each, in its turn, with those that have acted on the body before it in this step.
 *            A budget counts what a wall changes in their forces as its own; elastica_wall_get_force tells the forces of each
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

/* A point where a body may touch a wall. */
typedef struct eli_body_point {
  double arm[3];    /* [m] from the centre of the body */
  double gap;       /* [m] */
  double normal[3]; /* outwards from the wall; and two directions across it */
  double across[2][3];
  double wall[3];     /* [m/s] velocity of the wall there */
  double wanted;      /* [m/s] the least outward speed at the end of the step, relative to the wall */
  double target;      /* [m] the least gap at the middle of the next step */
  double slip[2];     /* [m/s] slip now that rest needs, because the lever turns within the step */
  double mu;          /* of the limit of friction */
  double reaction;    /* R [N] */
  double friction[2]; /* [N] */
} eli_body_point;

enum { ELI_BODY_POINTS = 8 };

/* The reactions of a wall on a body in the step that is being taken. */
typedef struct eli_body_reactions {
  int effect; /* index of the wall */
  eli_obstacle obstacle;
  eli_placement place;
  double force[3], couple[3]; /* [N], [N m] about the centre of the body, laboratory */
  double missing;             /* [m] by which a point of it would end the step too deep: others do not let it go */
  int count;                  /* 0: the wall has not acted */
  eli_body_point point[ELI_BODY_POINTS];
  struct eli_body_reactions *before; /* the wall that acted before it on the same body, or NULL */
} eli_body_reactions;

/* Adds the force on a body and its couple about the centre to its loads: of the first of these walls, whose obstacle and place are given, and
 * the changes in those of the walls before it. moves 0: the body does not keep its velocity until the middle of the next step, as in damped
 * steps to an equilibrium. 0: the first does not touch, and nothing has changed. */
int eli_body_press(const eli_wall_law *law, const eli_body_shape *shape, const elastica_rod_view *body, const elastica_loads *loads,
                   double dt, int moves, eli_body_reactions *walls);

/* Of the walls before the first of these, which has just pressed on the body: one that leaves no room for it, or NULL; and the space [m]
 * between the two about the centre, and the width of the body there. */
const eli_body_reactions *eli_body_find_squeeze(const eli_body_shape *shape, const eli_body_reactions *walls, double *space, double *width);

#endif
