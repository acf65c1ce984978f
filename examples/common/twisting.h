/* A straight rod, pulled and twisted from one end until it coils up: the common part of the plectoneme and the solenoid.
 *
 * The rod lies along z. Its first end is clamped. Its last end is held laterally and free to move along z; a force pulls it along z, and
 * its frame is turned about z. A small constant lateral force on the middle node breaks the symmetry.
 */
#ifndef EXAMPLES_TWISTING_H
#define EXAMPLES_TWISTING_H

#include "example.h"
#include "topology.h"

/* The rod of the paper's figure 9. */
static const double TWISTING_LENGTH = 1, TWISTING_RADIUS = 0.025, TWISTING_MASS = 1;           /* [m] [m] [kg] */
static const double TWISTING_YOUNGS_MODULUS = 1e6, TWISTING_SHEAR_MODULUS = 2e6 / 3;           /* [Pa] */
static const double TWISTING_DAMPING = 2, TWISTING_STIFFNESS = 1e4, TWISTING_DISSIPATION = 10; /* [kg/(m s)] [N/m] [kg/s] */

typedef struct twisting {
  /* Parameters. */
  int n;
  double force;                  /* [N] along z, ramped over pull_time [s] before the twist begins */
  double pull_time;              /* [s] */
  double turns;                  /* R */
  double twist_time, relax_time; /* [s] */
  double nudge;                  /* [N] lateral force on the middle node */
  double viscosity;              /* [N s] axial: adds the tension viscosity de/dt/e; 0: none */
  int touching;                  /* 1: with self-contact */
  double stretch; /* above 0: the rod starts at rest under the full force, uniformly stretched by this factor and twisted by all turns */

  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *contact;

  /* Recorded at each frame. */
  double link_error; /* largest |writhe + twist - turns of the end| */
  double deepest;    /* [m] largest overlap of two elements */
  double onset;      /* turns of the end when the rod is first a tenth of its radius off its axis; 0 before */
  topology topology;
} twisting;

/* Makes the world. */
void twisting_begin(example *e, twisting *t);

/* Largest distance of a node from the axis [m]. */
double twisting_sideways(const twisting *t);

/* Runs to the end in `frames` pieces. Each piece writes a row of time, turns, writhe, twist, end-to-end length, distance from the axis
 * and deepest overlap to csv (may be NULL) and a frame to vtk (may be NULL). The final nodes are written to shape (may be NULL). */
void twisting_run(example *e, twisting *t, int frames, elastica_csv *csv, elastica_vtk *vtk, elastica_csv *shape);

/* For the overlapping pairs of elements: variance of the middle (i + j)/2 along the rod, divided by its sum with the variance of
 * (j - i)/2. Near 0 for a hairpin with its two strands in contact; near 1 for a coil with neighbouring turns in contact. */
double twisting_coil_share(const twisting *t);

/* The files that twisting_run writes, and the frames, for example_about. */
#define TWISTING_FILES(frames, modes)                                                                                                      \
  {"history.csv", "time [s],turns of the end [turns],writhe [turns],twist [turns],end to end [m],off the axis [m],deepest overlap [m]",    \
   "one row for each frame.", modes},                                                                                                      \
      {"shape.csv", "x [m],y [m],z [m]", "the nodes at the end.", modes}, {                                                                \
    frames, NULL, "the rod", modes                                                                                                         \
  }

#endif
