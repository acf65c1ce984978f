/* The oracle of the heavy top: a rigid body with an axis of symmetry, one point of which is held. */
#ifndef EXAMPLES_RIGID_TOP_H
#define EXAMPLES_RIGID_TOP_H

typedef struct rigid_top {
  double across, along;    /* [kg m^2] moments of inertia about the point, about the axis */
  double weight_moment;    /* [N m] m g l, l from the point to the centre of mass */
  double axis[3], spun[3]; /* unit vector; angular momentum about the point [kg m^2/s], laboratory; gravity acts along -z */
} rigid_top;

/* Takes count steps of dt [s], by the fourth order of Runge and Kutta. */
void rigid_top_advance(rigid_top *top, double dt, long count);

#endif
