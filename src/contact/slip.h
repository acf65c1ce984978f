/* Slip of two surfaces in contact over a step of position Verlet.
 *
 * Contact sees positions in the middle of a step. From the middle of the step before to this one, nodes and centres of bodies move by dt v and
 * frames turn by dt omega, both of the start of this step, which lies half way between. So the slip of a step is dt times the slip velocity
 * at its start: levers and arms are the means of those at both middles, not those of the later one. Taken there, a body that is carried on
 * a turntable would creep inwards by half of omega^2 R dt.
 *
 * test       tests/test_carried.c
 */
#ifndef ELI_SLIP_H
#define ELI_SLIP_H

#include "base/target.h"

#include "contact/layer.h"

/* A contact in the middle of a step of duration dt [s]; in a search for rest, of 1, with displacements for velocities. */
typedef struct eli_slip {
  double dt;
  double normal[3], before[3]; /* now, and in the middle of the step before; 0: the contact is new */
} eli_slip;

/* The velocity of the surface of an element or a round body: axis [m] is the place on its centre line, which moves so [m/s], lever from there
 * to the contact. centre: of a round body, NULL of an element of a rod. point [m]: the mean place of the contact. */
void eli_slip_of_round(const eli_slip *at, const double axis[3], const double velocity[3], const double spin[3], const double lever[3],
                       const double *centre, double out[3], double point[3]);

/* That of a solid at this point; place: of the solid at the start of the step. */
void eli_slip_of_solid(const eli_slip *at, const double position[3], const double velocity[3], const double spin[3], const double point[3],
                       double out[3]);

#endif
