/* A rigid body in contact with a wall that balances nodes: contact points and their reactions.
 *
 * models     contact at points: of a ball with any obstacle, of a capsule with planes and balls, of a cylinder or box with planes
 * equation   Each point has a reaction R >= 0 such that at the middle of the next step the point is at the position given by the outward
 *            speed u of contact/friction.h, or higher with R = 0. Friction |T| <= mu R ends the slip within the step; if it cannot, it is
 *            mu R against the slip at the end of the step (maximal dissipation). mu lies between the static and the kinetic value,
 *            depending on the slip as in contact/friction.h; the sideways coefficients apply in all directions. Velocity and spin at the
 *            end of the step follow from the kick of the body (MODEL 4) with the gyroscopic couple at its start, which is exact for balls.
 *            Until the middle of the next step the body moves with these values, so the position of a point there is known. A point that
 *            turns with the body follows an arc; its speed alone would let it sink by omega^2 arm dt^2/2 in each step. Slip likewise is
 *            that of the contact half a step later.
 *            Several points are statically indeterminate: of all solutions the one with equal stiff springs at all points is taken, for
 *            sticking points across the normal, too. It does not depend on the order of points or on laboratory axes. The sum of the
 *            forces depends on that choice only if some points slide in different directions. Where Newton's method fails, in jammed
 *            bodies with mu near 1 or above, the solution is that of sweeps over the points, in their order.
 *            Walls on one body are solved together: each wall is solved, in its turn, with the walls that have acted on the body before it
 *            in this step. A work meter counts the changes that a wall causes in their forces as the work of that wall;
 *            elastica_obstacle_get_force returns the force of each wall.
 * source     Moreau, 1988; Newton's method: Alart and Curnier, 1991
 * conserves  momentum together with the wall; an impact does not rebound
 * test       tests/test_body_wall.c
 */
#ifndef ELI_BODY_CONTACT_H
#define ELI_BODY_CONTACT_H

#include "base/target.h"

#include <elastica.h>

#include "contact/friction.h"
#include "effects/solid.h"
#include "state/prescribed.h"

typedef struct eli_body_shape {
  elastica_shape shape;
  double radius, half_length, half_edge[3];
  double axes[9]; /* as in elastica_body_info */
} eli_body_shape;

/* Reads the shape of a rigid body. */
void eli_body_shape_read(elastica_rod *rod, eli_body_shape *out);

/* Refuses combinations of body, obstacle and law that are not supported. */
elastica_status eli_body_check(elastica_world *world, const char *function, int rod_index, const eli_obstacle *obstacle,
                               const eli_wall_law *law);

/* Returns the step [s] in which a body on a wall, or moving towards it, moves only by small parts of its size: a tenth towards the surface,
 * half along it or by its spin, 2 % by its weight or other loads of this acceleration [m/s^2]. For a distant body the step is longer: a
 * fifth of the time until contact. It is infinite if the body moves away. The size of a shape is its least half width. */
double eli_body_step(const eli_obstacle *obstacle, const eli_placement *place, const eli_body_shape *shape, const elastica_rod_view *body,
                     double acceleration);

/* A possible contact point of a body and a wall. */
typedef struct eli_body_point {
  double arm[3];    /* [m] from the centre of the body */
  double gap;       /* [m] */
  double normal[3]; /* outward normal of the wall; across holds two tangential directions */
  double across[2][3];
  double wall[3];     /* [m/s] velocity of the wall at this point */
  double wanted;      /* [m/s] the least outward speed at the end of the step, relative to the wall */
  double target;      /* [m] the least gap at the middle of the next step */
  double slip[2];     /* [m/s] present slip that gives no slip half a step later, because the lever turns within the step */
  double yield;       /* [s/kg] change of the outward speed per R */
  double yields[3];   /* [s/kg] change of the slip per friction: 00, 01, 11 */
  double mu;          /* coefficient in the limit of friction */
  double reaction;    /* R [N] */
  double friction[2]; /* [N] */
  double spring[3];   /* [N] reaction and friction of its spring without give */
  double kept[3];     /* [N] reaction and friction before Newton's method */
} eli_body_point;

enum { ELI_BODY_POINTS = 8 };

/* The reactions of a wall on a body in the current step. */
typedef struct eli_body_reactions {
  int effect; /* index of the wall */
  eli_obstacle obstacle;
  eli_placement place;
  double force[3], couple[3]; /* [N], [N m] about the centre of the body, laboratory */
  double missing;             /* [m] depth by which a point of it would end the step too deep, because of the other walls */
  int count;                  /* 0: the wall has not acted in this step */
  eli_body_point point[ELI_BODY_POINTS];
  struct eli_body_reactions *before; /* the previous wall that acted on the same body, or NULL */
} eli_body_reactions;

/* Computes the reactions of the first of these walls, with its obstacle and placement given, and the changes of the reactions of the
 * earlier walls. Adds the force on the body and the couple about its centre to the loads. moves 0: the body does not keep its velocity
 * until the middle of the next step, as in damped steps to an equilibrium. Returns 0 if the first wall does not touch, and then nothing has
 * changed. */
int eli_body_find_reactions(const eli_wall_law *law, const eli_body_shape *shape, const elastica_rod_view *body,
                            const elastica_loads *loads, double dt, int moves, eli_body_reactions *walls);

/* Returns a wall that leaves no room for the body beside the first of `walls`, which has just added its reactions; NULL if there is none.
 * Also writes the space [m] between the two walls about the centre and the width [m] of the body there. */
const eli_body_reactions *eli_body_find_squeeze(const eli_body_shape *shape, const eli_body_reactions *walls, double *space, double *width);

#endif
