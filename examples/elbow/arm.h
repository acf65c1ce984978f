/* The arm of elbow: humerus, radius and ulna, the tendons of the biceps and its 36 fibres, and, if wanted, a coiled artificial muscle.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", and their program
 * settings  those of their program, SI. z is up; the forearm hangs along -z and is drawn to -y. Humerus held at both ends, upper tendons pinned,
 *           last frame of the coil clamped. Springs of 5e5 N/m tie nodes (links.h), those between bones by their y and z components alone; a
 *           fibre's ends keep a constant offset from nodes of tendons. The coil pulls at a point 8 cm in front of the radius, which feels its
 *           moment about the joint alone. Weight of bones and tendons alone. Viscosity 33 N s in all but the coil
 *           With plan.joints, joints and laws of the library tie and drive the same rods: see arm_joints.c
 * left out  contact of fibres, which is at most 0.04 N there; bending stiffness of a joint is the mean of its elements', theirs that of one
 */
#ifndef EXAMPLES_ARM_H
#define EXAMPLES_ARM_H

#include "bundle.h"
#include "common/links.h"

enum { ARM_HUMERUS, ARM_RADIUS, ARM_ULNA, ARM_LONG_TENDON, ARM_SHORT_TENDON, ARM_LOWER_TENDON, ARM_FIBRE, ARM_FIBRES = 36, ARM_COIL = 42 };
enum { ARM_LINKS = 3 + 2 * ARM_FIBRES, ARM_JOINTS = ARM_LINKS + 2 };

#define ARM_LOAD 200.0 /* [N] at the end of the radius, along -z */
#define ARM_RAMP 0.1   /* [s] it rises from 0 to that in it */

typedef struct arm_plan {
  double maximum_force;  /* [N] of a fibre */
  double spread;         /* c of bundle.h */
  double viscosity;      /* [N s] */
  int coil;              /* 1: with the artificial muscle */
  int quasistatic;       /* 1: bones, tendons and coil with S/10 and 25 J, which they hardly feel, for a step that is ten times as long */
  int joints;            /* 1: the library's joints and laws in place of the authors' */
  elastica_motion drive; /* NULL: the forearm is free, under its load of 200 N; else the motion of the radius, as a frame about the joint */
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

/* arm must last as long as its world. */
void arm_build(example *e, arm *of, const arm_plan *plan);

double arm_angle(const arm *of);                 /* [rad] of the forearm from -z */
double arm_moment(const arm *of);                /* [N m] of the lower tendon about the joint, towards flexion */
double arm_gap(const example *e, const arm *of); /* [m] the largest of all joints; 0: there are none */
double arm_swelling(const arm *of);              /* mean of A/A_0 - 1 over elements 4 to 9 of all fibres */

#endif
