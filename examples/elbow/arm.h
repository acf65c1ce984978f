/* The arm of elbow: humerus, radius and ulna, the tendons of the biceps and its 36 fibres, and optionally a coiled artificial muscle.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", and their program
 * settings  those of their program, SI. z is up; the forearm hangs along -z and is drawn to -y. Humerus held at both ends, upper tendons
 *           pinned, last frame of the coil clamped. Springs of 5e5 N/m tie nodes (links.h), those between bones with only their y and z
 *           components; the ends of a fibre keep a constant offset from nodes of tendons. The coil pulls at a point 8 cm in front of the
 *           radius, but only its moment about the joint acts on the radius. Only bones and tendons have weight. Viscosity 33 N s in all
 *           but the coil With plan.joints, joints and laws of the library tie and drive the same rods: see arm_joints.c
 * left out  contact of fibres, at most 0.04 N there; the bending stiffness of a joint is the mean of its two elements', in their program
 * that of one
 */
#ifndef EXAMPLES_ARM_H
#define EXAMPLES_ARM_H

#include "bundle.h"
#include "common/links.h"

enum { ARM_HUMERUS, ARM_RADIUS, ARM_ULNA, ARM_LONG_TENDON, ARM_SHORT_TENDON, ARM_LOWER_TENDON, ARM_FIBRE, ARM_FIBRES = 36, ARM_COIL = 42 };
enum { ARM_LINKS = 3 + 2 * ARM_FIBRES, ARM_JOINTS = ARM_LINKS + 2 };

#define ARM_LOAD 200.0 /* [N] at the end of the radius, along -z */
#define ARM_RAMP 0.1   /* [s] the load rises from 0 to ARM_LOAD in this time */

typedef struct arm_plan {
  double maximum_force;  /* [N] of a fibre */
  double spread;         /* c of bundle.h */
  double viscosity;      /* [N s] */
  int coil;              /* 1: with the artificial muscle */
  int quasistatic;       /* 1: bones, tendons and coil with S/10 and 25 J, with little effect on the motion, for a step ten times as long */
  int joints;            /* 1: the library's joints and laws in place of the authors' */
  elastica_motion drive; /* NULL: the forearm is free under its load of 200 N; else the motion of the radius about the joint */
} arm_plan;

typedef struct arm {
  elastica_world *world;
  arm_plan plan;
  bundle biceps;
  link links[ARM_LINKS];
  int link_count;
  elastica_effect *joint[ARM_JOINTS]; /* in place of each link, at the elbow, of the coil */
  int joint_count;
  const elastica_rod_view *rod[ARM_COIL + 1]; /* the last may be NULL */
  double coil_twist;                          /* [1/m] rest twist of the coil as built */
} arm;

/* Builds the arm; `of` must remain valid as long as the world. */
void arm_build(example *e, arm *of, const arm_plan *plan);

double arm_angle(const arm *of);                 /* [rad] of the forearm from -z */
double arm_moment(const arm *of);                /* [N m] of the lower tendon about the joint, towards flexion */
double arm_gap(const example *e, const arm *of); /* [m] largest gap of all joints; 0 without joints */
double arm_swelling(const arm *of);              /* mean of A/A_0 - 1 over elements 4 to 9 of all fibres */

#endif
