/* A line of straight pieces and arcs in a plane, hinged at its end and hinged or clamped at its start, under a dead force downwards at the
 * joint of two pieces: one description for the rod of the library and for the oracle. Any consistent units.
 */
#ifndef EXAMPLES_PATHS_PLANAR_H
#define EXAMPLES_PATHS_PLANAR_H

enum { PLANAR_PIECES = 3 };

typedef struct planar {
  const char *name;
  int clamped;        /* 1: at the start */
  double heading;     /* [rad] of the tangent at the start, from x to z */
  int pieces, loaded; /* the force acts at the end of piece `loaded` */
  double length[PLANAR_PIECES];
  double curvature[PLANAR_PIECES]; /* rate of the heading at rest */
  double kink[PLANAR_PIECES];      /* [rad] change of the heading before the piece */
  double stretch, shear, bend;     /* E A, k G A, E I */
} planar;

/* The first maximum of the force along the path from rest, and the displacement of its point there. */
typedef struct planar_limit {
  double force, x, z;
} planar_limit;

/* By shooting, without the library; intervals: of Runge and Kutta's fourth order in each piece. Returns 0 if it finds none. */
int planar_find_limit(const planar *of, int intervals, planar_limit *out);

#endif
