/* A clamped beam and the loads on it, as one description for the rod of the library (beam.c) and for the oracle (oracle.c). Any consistent
 * units.
 */
#ifndef EXAMPLES_BEAM_H
#define EXAMPLES_BEAM_H

#include "common/example.h"

typedef struct beam {
  const char *name;
  double length, shear[3], bend[3];   /* kGA, kGA, EA; EI about d1, EI about d2, GJ */
  double start[3], tangent[3], d1[3]; /* of the clamp; d3 is the tangent */
  double curvature;                   /* at rest, about d1: of the whole line */
  int has_corner;                     /* 1: two legs; the frame of the second, along -d2, is turned by a right angle about d1 */
  double weight[3];                   /* force per length */
  double force[3], couple[3];         /* on the tip, laboratory */
  int force_turns, couple_turns;      /* 1: it turns with the tip's frame, from the clamp's */
  double tension, offset;             /* of a straight tendon along the rod at offset along d1, from the clamp to the tip */
  int steps;                          /* of the load, equal ones, for rod and oracle */
} beam;

typedef struct beam_rest {
  double tip[3];
  double factor; /* of the load; below 1: relaxation found no further equilibrium */
  long evaluations;
  char sentence[400]; /* why */
} beam_rest;

/* Relaxes the rod of n elements, from the straight one (or that of rest) through all steps of the load. name: of frames, one a step; NULL:
 * none. */
beam_rest beam_relax(example *e, const beam *b, int n, const char *name);

#endif
