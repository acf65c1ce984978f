/* Slip of two surfaces in contact over a step of position Verlet.
 *
 * Contact is evaluated at positions in the middle of a step. From the middle of the previous step to the middle of this one, nodes and
 * centres of bodies move by dt v and frames rotate by dt omega, with v and omega at the start of this step, half way between both. So the
 * slip of a step is dt times the slip velocity at its start, with levers and arms that are the means of those at both middles. With the
 * later levers instead, a body that is carried on a turntable would creep inwards by half of omega^2 R dt.
 *
 * test       tests/test_carried.c
 */
#ifndef ELI_SLIP_H
#define ELI_SLIP_H

#include "base/target.h"

#include "contact/layer.h"

/* A contact in the middle of a step of duration dt [s]. In a relaxation dt is 1, and velocities are displacements. */
typedef struct eli_slip {
  double dt;
  double normal[3], before[3]; /* in the middle of this step and of the previous one; before is 0 for a new contact */
} eli_slip;

/* Computes the velocity of the surface of an element or a round body. axis [m] is the point on its centre line, with this velocity [m/s];
 * lever is the vector from there to the contact. centre is that of a round body, NULL for an element of a rod. point [m] is the mean
 * position of the contact. */
void eli_slip_of_round(const eli_slip *at, const double axis[3], const double velocity[3], const double spin[3], const double lever[3],
                       const double *centre, double out[3], double point[3]);

/* Computes the velocity of the surface of a solid at this point. position is that of the solid at the start of the step. */
void eli_slip_of_solid(const eli_slip *at, const double position[3], const double velocity[3], const double spin[3], const double point[3],
                       double out[3]);

#endif
