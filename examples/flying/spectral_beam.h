/* The oracle of flying: the geometrically exact beam of Simo and Reissner by spectral elements and Runge-Kutta steps, without the library.
 *
 * One polynomial of the degree p carries positions and quaternions on the nodes of Gauss, Lobatto and Legendre; the weak form is summed
 * with their weights, so that the mass matrix is diagonal. The error falls faster than any power of 1/p while the motion is smooth.
 */
#ifndef EXAMPLES_SPECTRAL_BEAM_H
#define EXAMPLES_SPECTRAL_BEAM_H

enum { SPECTRAL_MOST = 33 }; /* nodes */

typedef struct spectral_beam {
  double length, mass, inertia[3];                           /* [m] [kg/m] [kg m] per length, about d1, d2, d3 */
  double shear[3], bend[3];                                  /* [N] [N m^2] */
  void (*load)(double t, double force[3], double couple[3]); /* on the end s = 0, laboratory; NULL: none */
  double (*angle)(double t, double *rate); /* [rad] the end s = 0 is clamped to a hub that turns about z; NULL: it is free */

  int nodes;
  double weight[SPECTRAL_MOST], derivative[SPECTRAL_MOST][SPECTRAL_MOST]; /* [m] [1/m] */
  double s[SPECTRAL_MOST];                                                /* [m] */
  double r[SPECTRAL_MOST][3], v[SPECTRAL_MOST][3];
  double q[SPECTRAL_MOST][4], omega[SPECTRAL_MOST][3]; /* material to laboratory; spins are material */
  double first[4];                                     /* q of the end s = 0 at the start */
} spectral_beam;

/* At rest, straight from start along the unit vector direction, with the quaternion q of its frames (d3 along direction). */
void spectral_begin(spectral_beam *beam, int degree, const double start[3], const double direction[3], const double q[4]);

/* Takes count steps of dt [s] from the time t. */
void spectral_advance(spectral_beam *beam, double t, double dt, long count);

#endif
