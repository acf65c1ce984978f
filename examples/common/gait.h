/* What swimmers and crawlers are measured by: the way of the centre of mass per period, its speed, and the envelope of the last period.
 *
 * The body lies along x at first and moves in the plane x, y. Files (nothing without --out): <name>_speed.csv has one row per sample with
 * t/T, forward and lateral speed [L/T] and the places of both ends; <name>_envelope.csv one row per node with x, y at GAIT_FRAMES + 1 instants.
 */
#ifndef EXAMPLES_GAIT_H
#define EXAMPLES_GAIT_H

#include "example.h"

enum { GAIT_MOST = 16, GAIT_SAMPLES = 100, GAIT_FRAMES = 20 }; /* periods; samples and frames per period */

typedef struct gait_plan {
  const char *name;      /* of the files; NULL: nothing is written */
  double length, period; /* [m] [s] */
  double forward;        /* +1 or -1: along x or against it */
  int periods;
  double dt; /* [s] rounded so that it divides a sample */

  /* Optional: called at the end of each sample of the last period. */
  void (*look)(void *user, const example *e, elastica_rod *rod, double time);
  void *user;
} gait_plan;

typedef struct gait_way {
  double forward[GAIT_MOST], lateral[GAIT_MOST]; /* displacement of the centre of mass in each period [L] */
  double x[GAIT_MOST], y[GAIT_MOST];             /* [m] the centre of mass at the end of each */
  double off_plane;                              /* [L] largest change of a node's z */
} gait_way;

gait_way gait_follow(example *e, elastica_world *world, elastica_rod *rod, const gait_plan *plan);

#endif
