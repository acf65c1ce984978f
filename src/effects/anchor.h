/* Effects between two bodies: anchor points on them, forces and couples at these points, and mobilities for bounds and dampers.
 *
 * test       tests/test_joint.c, tests/test_joint_stops.c, tests/test_tendon.c, tests/test_tendon_laws.c, tests/test_tendon_slack.c
 */
#ifndef ELI_ANCHOR_H
#define ELI_ANCHOR_H

#include "base/target.h"

#include <elastica.h>

#include "base/rotation.h"
#include "base/vector.h"
#include "state/prescribed.h"

/* A point of a rod: a point of the centre line between the nodes of an element, and an offset from it that the frame carries. */
typedef struct eli_anchor {
  const elastica_rod_view *rod;
  int element;
  double share;     /* 0: the first node of the element, 1: its second */
  double offset[3]; /* [m] material */
} eli_anchor;

/* Position and motion of an anchor, laboratory components. */
typedef struct eli_anchored {
  double axis[3];     /* [m] the point on the centre line */
  double point[3];    /* [m] the anchor, offset included */
  double velocity[3]; /* [m/s] of the point on the centre line */
  double director[9];
  double spin[3]; /* [rad/s] laboratory */
} eli_anchored;

/* Reads an anchor from the field of this name ("joint_def.first") of a definition, and refuses an invalid one with a sentence. */
elastica_status eli_anchor_read(const eli_request *request, const char *name, const elastica_anchor *given, eli_anchor *anchor);

void eli_anchor_find(const eli_anchor *anchor, eli_anchored *out);

/* Interpolates a lane of nodes at the anchor. Most anchors are at a node, which needs no arithmetic. */
static inline void eli_anchor_find_between(const eli_anchor *anchor, const double *const lane[3], double out[3]) {
  const double share = anchor->share;
  const int j = anchor->element + (share == 1.0);
  for (int a = 0; a < 3; a++) out[a] = lane[a][j];
  if (share == 0.0 || share == 1.0) return;
  for (int a = 0; a < 3; a++) out[a] = (1.0 - share) * out[a] + share * lane[a][j + 1];
}

/* Finds position and frame of an anchor, without velocity and spin. */
static inline void eli_anchor_find_place(const eli_anchor *anchor, eli_anchored *out) {
  const double *const(*director)[3] = anchor->rod->director;
  const double *offset = anchor->offset;
  const int j = anchor->element;
  double lever[3] = {0.0, 0.0, 0.0};
  eli_anchor_find_between(anchor, anchor->rod->position, out->axis);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) out->director[3 * a + b] = director[a][b][j];
  if (offset[0] != 0.0 || offset[1] != 0.0 || offset[2] != 0.0) eli_turn_back(out->director, offset, lever);
  for (int a = 0; a < 3; a++) out->point[a] = out->axis[a] + lever[a];
}

/* Computes the velocity [m/s] of a point that the frame of the body carries. */
void eli_anchored_velocity(const eli_anchored *at, const double point[3], double velocity[3]);

/* Computes the couple about the centre line, material, of a force at a point and a couple; both are laboratory. */
static inline void eli_anchored_couple(const eli_anchored *at, const double point[3], const double force[3], const double couple[3],
                                       double own[3]) {
  double lever[3], moment[3];
  for (int a = 0; a < 3; a++) lever[a] = point[a] - at->axis[a];
  eli_cross(lever, force, moment);
  for (int a = 0; a < 3; a++) moment[a] += couple[a];
  eli_turn(at->director, moment, own);
}

/* Returns the least moment of inertia [kg m^2] of the element of an anchor. */
double eli_anchor_inertia(const eli_anchor *anchor);

/* Mobility, an upper limit of the acceleration of the anchor per force there [1/kg]. */
double eli_anchor_mobility(const eli_anchor *anchor, const eli_anchored *at);
double eli_anchor_mobility_at(const eli_anchor *anchor, const eli_anchored *at, const double where[3]); /* for a force at another point */

/* Adds bounds for the quadratic form k |u1 - u2|^2 of the displacements of two anchored points; mobility is the sum of both. Each degree of
 * freedom that moves the anchor gets its mass times k times mobility: this is the largest value of the form (Cauchy's inequality with the
 * weights that make all of these equal). rate: the same for a dashpot [kg/s]. */
void eli_anchor_bound(const eli_anchor *anchor, const elastica_stiffness *to, double stiffness, double rate, double mobility);

/* Tangents, see elastica_module.add_tangent. eli_anchor_add_spring: the force on the point of an anchor changes by -spring times the
 * displacement of the point of another anchor, or its own; by rows, laboratory. eli_anchor_add_arm: the moment of a constant force changes
 * with the turn of the frame that carries the point. */
void eli_anchor_add_spring(const eli_anchor *of, const eli_anchored *at, const eli_anchor *by, const eli_anchored *by_at,
                           const double spring[9], elastica_tangent *tangent);
void eli_anchor_add_arm(const eli_anchor *of, const eli_anchored *at, const double force[3], elastica_tangent *tangent);

/* ---- Joints ---- */

typedef struct eli_joint {
  const elastica_world *owner;
  eli_prescribed world; /* the second anchor, if it has no rod */
  elastica_joint_kind kind;
  eli_anchor anchor[2]; /* rod NULL: the world */
  double axis[2][3];    /* unit vectors, material of each body; the first is in laboratory components if axis_in_world is 1 */
  int axis_in_world;
  double pose[9]; /* second frame relative to the first when the joint was made: Q2 Q1^T */
  double stiffness, angular_stiffness, damping;
  double deviator[6];    /* [N m/rad] frames: stiffness beyond angular_stiffness, of the second frame: 11, 22, 33, 23, 13, 12 */
  double most_deviation; /* [N m/rad] its largest eigenvalue; the others are not negative */
  double fastest;        /* [1/s^2] the square of the highest frequency of the frames on all of this stiffness */
  double watched;        /* [rad] the bounds of the step hold up to this angle between frames */
  double least_angle, most_angle, motor;
  int resolves; /* 1: the last bounds resolve a limit of the turn */
  elastica_status (*drive)(void *user, double time, double angle, double rate, double *couple);
} eli_joint;

/* State of the two bodies of a joint at one instant. */
typedef struct eli_joined {
  eli_anchored at[2];
  double middle[3];         /* [m] midpoint of the anchors */
  double gap[3];            /* [m] from the first anchor to the second */
  double couple[3];         /* [N m] of springs, on the second, laboratory */
  double theta[3];          /* [rad] turn of the second frame, material components of both */
  double angle, turn, back; /* [rad] between axes or frames; about the axis; and beyond the limits of the turn */
  double slope[3];          /* d turn/d(rotation of the second relative to the first), laboratory */
} eli_joined;

/* Finds the two anchors at a time; their motion only if damping or motor depend on it. CALLBACK_FAILED if a motion fails. */
elastica_status eli_joint_find_bodies(const eli_joint *of, double time, eli_anchored at[2]);

/* ---- Tendons ---- */

/* A straight piece of the cable between two guides, and the angle of the cable at the first of them. */
typedef struct eli_span {
  double along[3];           /* unit vector to the next guide; 0 if the two guides coincide */
  double length, rate, turn; /* [m] [m/s] [rad] angle from the previous span; computed only with friction */
  double tension;            /* [N] */
} eli_span;

/* A degree of freedom that guides of a tendon move: a node, or the frame of an element. Guides that share it share one entry. */
typedef struct eli_place {
  const elastica_rod_view *rod;
  int index, turns; /* turns 1: the frame of an element */
  double inertia;   /* [kg] or [kg m^2], present value */
  double pull[3];   /* gradient of a length with respect to it, laboratory */
} eli_place;

/* A guide at present, laboratory. */
typedef struct eli_where {
  double point[3], velocity[3]; /* [m] [m/s] */
} eli_where;

typedef struct eli_tendon {
  int count;             /* number of guides */
  elastica_world *world; /* to which a failure of its drive is explained */

  /* The carriers of guides, each with its present state: that of guide k is number k. Number count + k is its second carrier, for a guide
   * of a run with an offset: half of it belongs to either element at its node. */
  eli_anchor *guide; /* [2 count] rod NULL: a point of the world, given by the offset; of a second carrier: there is none */
  eli_anchored *at;  /* [2 count] the point of a guide that is held is that of its node */
  int *held;         /* [count] 1: an end section at a clamp; its support carries the offset, and takes the couple */
  int *section;      /* [count] 1: in the first section of a rod, 2: in the last, with an offset; else 0 */
  eli_where *where;  /* [count] */
  eli_span *span;    /* [count - 1] present state */
  int is_run;        /* 1: guides along one rod */
  double give;       /* [m/N] the cable of a run gets shorter by give T, because its ends bend the halves of elements there */
  int place_count;
  eli_place *place;
  elastica_part *part; /* [place_count] the same for a tangent, and the gradient of the length [3 place_count]; scratch */
  double *gradient;
  int (*places)[3]; /* [2 count] for each carrier its first node, its second node, its frame; -1: there is none */
  int is_spring;
  /* Its numbers. A tension or stiffness that is not set is 0, sliding_speed is 1 without friction, and rest_length is known. The guides of
   * the definition are not kept: they are those above. */
  elastica_tendon_def def;
  double length, rate, turned; /* [m] [m/s] [rad] of the whole cable, present */
  double bend;                 /* sum of |t' - t|^2 over the guides, the ends included: measure of the pull on rods */
  double active;               /* present activation */
  int resolves;                /* 1: the last bounds resolve the spring */
  double slack_at;             /* [s] the last time in a step at which the spring was slack; -infinity: never */
} eli_tendon;

/* As elastica_tendon_get, for pictures: after a failure of the drive the cable has its guides, and no tension. */
elastica_status eli_tendon_describe(elastica_effect *effect, elastica_tendon_info *out, elastica_guide_info *guides, int capacity);

/* Returns the first guide of a taut tendon that lies on the next one to rounding, so that its cable has no direction there. -1: there is
 * none, the tendon is slack, or the effect is none. */
int eli_tendon_closed_span(const elastica_effect *effect, double time);

#endif
