/* Reference trajectories: traj_A.inc to traj_E.inc are initialisers of this struct.
 *
 * The numbers come from an independent numpy implementation of the discrete model, with 17 digits each. A change of the initial data by
 * 1e-15 moves the last snapshot by at most 4e-15 (position), 4e-14 (directors), 3e-13 (velocity) and 9e-12 (omega).
 *
 *   A  free rod, papers' law and couple, velocity-dependent couples at the old velocities
 *   B  the same with the couples at the midpoint of the step
 *   C  as A with gravity and dissipation taken at the old velocities
 *   D  as A, first node and first frame held, force and couple at the other end, initially at rest
 *   E  free rod, classical law, exact couple, midpoint
 *
 * All rods are tapered, uneven, bent, twisted, sheared, stretched and strained at rest. Arrays run along the rod, components innermost,
 * directors row by row; forces and velocities have laboratory components, everything on elements and joints material ones.
 */
#ifndef TESTS_REFERENCE_TRAJECTORY_H
#define TESTS_REFERENCE_TRAJECTORY_H

#include <elastica.h>

enum { TRAJECTORY_ELEMENTS = 12, TRAJECTORY_NODES = 13, TRAJECTORY_SNAPSHOTS = 4 };

/* Parts of elastica_totals [J]; effects: gravity. */
typedef struct trajectory_energy {
  double translation, rotation, bending, shear, effects;
} trajectory_energy;

typedef struct trajectory_snapshot {
  int step;
  double time;
  double position[3 * TRAJECTORY_NODES];
  double velocity[3 * TRAJECTORY_NODES];
  double director[9 * TRAJECTORY_ELEMENTS];
  double omega[3 * TRAJECTORY_ELEMENTS];
  trajectory_energy energy;
  double linear[3];
  double angular[3];
} trajectory_snapshot;

/* Quantities that the model computes from the initial state. */
typedef struct trajectory_start {
  double mass[TRAJECTORY_NODES];
  double inertia[3 * TRAJECTORY_ELEMENTS];
  double shear_stiffness[3 * TRAJECTORY_ELEMENTS];
  double element_bend_stiffness[3 * TRAJECTORY_ELEMENTS];
  double bend_stiffness[3 * TRAJECTORY_ELEMENTS];
  double rest_joint_length[TRAJECTORY_ELEMENTS];
  double length[TRAJECTORY_ELEMENTS];
  double dilatation[TRAJECTORY_ELEMENTS];
  double material_tangent[3 * TRAJECTORY_ELEMENTS]; /* Q t */
  double strain[3 * TRAJECTORY_ELEMENTS];
  double curvature[3 * TRAJECTORY_ELEMENTS];
  double force[3 * TRAJECTORY_ELEMENTS];
  double couple[3 * TRAJECTORY_ELEMENTS];
  double internal_force[3 * TRAJECTORY_NODES];
  double internal_couple[3 * TRAJECTORY_ELEMENTS];
  double acceleration[3 * TRAJECTORY_NODES]; /* of one kick by dt at this state; of held nodes and frames as if they were free */
  double spin_acceleration[3 * TRAJECTORY_ELEMENTS];
  trajectory_energy energy;
  double linear[3];
  double angular[3];
} trajectory_start;

typedef struct trajectory {
  const char *name;
  int element_count;
  double dt;
  elastica_law law;
  int exact_couple;
  int explicit_couples;
  int clamped;
  double density;
  double youngs_modulus;
  double shear_modulus;
  double shear_factor;
  double translation_damping; /* f = -gamma v per current length */
  double rotation_damping;    /* c = -gamma omega per current length */
  double gravity[3];
  double end_force[3];  /* laboratory, last node */
  double end_couple[3]; /* material, last element */
  double rest_length[TRAJECTORY_ELEMENTS];
  double area[TRAJECTORY_ELEMENTS];
  double rest_curvature[3 * TRAJECTORY_ELEMENTS];
  double rest_strain[3 * TRAJECTORY_ELEMENTS];
  double position[3 * TRAJECTORY_NODES];
  double velocity[3 * TRAJECTORY_NODES];
  double director[9 * TRAJECTORY_ELEMENTS];
  double omega[3 * TRAJECTORY_ELEMENTS];
  trajectory_start at_start;
  trajectory_snapshot snapshot[TRAJECTORY_SNAPSHOTS];
} trajectory;

#endif
