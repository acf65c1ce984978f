/* Swimmers and crawlers: displacement of the centre of mass per period, its speed, and the envelope of the last period.
 *
 * The body initially lies along x and moves in the x-y plane. Files (nothing without --out): <name>_speed.csv has one row per sample
 * with t/T, forward and lateral speed [L/T] and the positions of both ends; <name>_envelope.csv x, y of every node at GAIT_FRAMES + 1
 * instants.
 */
#ifndef EXAMPLES_GAIT_H
#define EXAMPLES_GAIT_H

#include "lying.h"

enum { GAIT_MOST = 16, GAIT_SAMPLES = 100, GAIT_FRAMES = 20 }; /* periods; samples and frames per period */

typedef struct gait_plan {
  const char *name;      /* of the files; NULL: no files */
  double length, period; /* [m] [s] */
  double forward;        /* +1 or -1: along x or against it */
  int periods;
  double dt; /* [s] rounded so that it divides a sample */

  /* Optional: called at the end of each sample of the last period. */
  void (*sample)(void *user, const example *e, elastica_rod *rod, double time);
  void *user;
} gait_plan;

typedef struct gait_result {
  double forward[GAIT_MOST], lateral[GAIT_MOST]; /* displacement of the centre of mass in each period [L] */
  double x[GAIT_MOST], y[GAIT_MOST];             /* [m] position of the centre of mass at the end of each period */
  double off_plane;                              /* [L] largest change of a node's z */
} gait_result;

/* A round body along x with d1 along z: the muscles bend it in the x-y plane. */
elastica_rod_def gait_body(int n, double length, double radius, double density, double youngs_modulus);

/* A wave of couples, ramped over the first period. beta: six amplitudes [N m] of its spline; NULL: set later. wavenumber [rad/m] */
elastica_muscle_def gait_muscle(const double *beta, double period, double wavenumber);

/* Couples about z instead of about d1. */
void gait_upright(elastica_muscle_def *muscle);

/* The ground of the paper's crawlers: soft, with v_eps = 1e-8 m/s. at_rest, moving: coefficients of friction, multiplied by the ratios
 * forward, backward and sideways. */
elastica_obstacle_def gait_ground(double at_rest, double moving, const double ratio[3], elastica_end head);

gait_result gait_follow(example *e, elastica_world *world, elastica_rod *rod, const gait_plan *plan);

/* The files of a plan, for example_about. */
#define GAIT_FILES(name, what)                                                                                                             \
  {name "_speed.csv",                                                                                                                      \
   "t/T [-],forward [L/T],lateral [L/T],x of the last node [m],y of the last node [m],x of the first node [m],y of the first node [m]",    \
   what ": velocity of the centre of mass, and the ends.", FILE_ALWAYS},                                                                   \
      {name "_envelope.csv", "instant [T/20],node [-],x [m],y [m]", what ": 21 instants of the last period.", FILE_ALWAYS}, {              \
    name ".pvd", NULL, what, FILE_ALWAYS                                                                                                   \
  }

/* A plot of the two files: speed over time, and the envelope with the paths of head and tail. */
typedef struct gait_picture {
  const char *name; /* of the files */
  int n;
  double dt;         /* [s] */
  int height;        /* [pixels] */
  double published;  /* mean speed [L/T] */
  const char *other; /* further speeds: of the files with this name and the settings of the authors; or "" */
  double tics;       /* [m] distance of the tics of y in the envelope */
} gait_picture;

void gait_draw(example *e, const gait_picture *picture);

#endif
