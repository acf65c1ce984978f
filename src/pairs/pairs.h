/* What acts between two bodies: points of them, forces and couples there, and what they weigh against these.
 *
 * test       tests/test_joint.c, tests/test_tendon.c, tests/test_tendon_laws.c
 */
#ifndef ELI_PAIRS_H
#define ELI_PAIRS_H

#include "base/target.h"

#include <elastica.h>

#include "base/hold.h"
#include "base/rotation.h"
#include "base/vector.h"

/* A point of a rod: between the nodes of an element, and an offset from there that its frame carries. */
typedef struct eli_anchor {
  const elastica_rod_view *rod;
  int element;
  double share;     /* 0: the element's first node, 1: its second */
  double offset[3]; /* [m] material */
} eli_anchor;

/* Where it is, laboratory, and how it moves. */
typedef struct eli_anchored {
  double axis[3];     /* [m] on the centre line */
  double point[3];    /* [m] */
  double velocity[3]; /* [m/s] of the centre line there */
  double director[9];
  double spin[3]; /* [rad/s] laboratory */
} eli_anchored;

/* From a definition, of which it has this name ("joint_def.first"); refused with a sentence where it cannot be. */
elastica_status eli_anchor_read(const eli_request *request, const char *name, const elastica_anchor *given, eli_anchor *anchor);

void eli_anchor_find(const eli_anchor *anchor, eli_anchored *out);

/* Of a lane of nodes. Most anchors are at one. */
static inline void eli_anchor_find_between(const eli_anchor *anchor, const double *const lane[3], double out[3]) {
  const double share = anchor->share;
  const int j = anchor->element + (share == 1.0);
  for (int a = 0; a < 3; a++) out[a] = lane[a][j];
  if (share == 0.0 || share == 1.0) return;
  for (int a = 0; a < 3; a++) out[a] = (1.0 - share) * out[a] + share * lane[a][j + 1];
}

/* Without velocity and spin. */
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

/* The velocity [m/s] that the body has at a point, as its frame carries it along. */
void eli_anchored_velocity(const eli_anchored *at, const double point[3], double velocity[3]);

/* Adds sign times a force [N] through the point on the centre line: the nodes share it by the rule of the lever. */
static inline void eli_anchor_pull(const eli_anchor *anchor, const elastica_loads *loads, double sign, const double force[3]) {
  const double share = anchor->share;
  const int j = anchor->element + (share == 1.0);
  if (share == 0.0 || share == 1.0) {
    for (int a = 0; a < 3; a++) loads->force[a][j] += sign * force[a];
    return;
  }
  for (int a = 0; a < 3; a++) {
    const double second = share * force[a];
    loads->force[a][j] += sign * (force[a] - second);
    loads->force[a][j + 1] += sign * second;
  }
}

/* The couple about the centre line, material, of a force at a point and a couple, both laboratory. */
static inline void eli_anchored_couple(const eli_anchored *at, const double point[3], const double force[3], const double couple[3],
                                       double own[3]) {
  double lever[3], moment[3];
  for (int a = 0; a < 3; a++) lever[a] = point[a] - at->axis[a];
  eli_cross(lever, force, moment);
  for (int a = 0; a < 3; a++) moment[a] += couple[a];
  eli_turn(at->director, moment, own);
}

/* Adds sign times a force that acts at a point, and a couple: so force and moment about any place are those of the point, to rounding. */
void eli_anchor_push(const eli_anchor *anchor, const eli_anchored *at, const elastica_loads *loads, double sign, const double point[3],
                     const double force[3], const double couple[3]);

/* The least moment of inertia [kg m^2] of its element. */
double eli_anchor_inertia(const eli_anchor *anchor);

/* How easily a force at the anchor accelerates it, at least [1/kg], and a couple its frame [1/(kg m^2)]. */
double eli_anchor_mobility(const eli_anchor *anchor, const eli_anchored *at);
double eli_anchor_mobility_at(const eli_anchor *anchor, const eli_anchored *at, const double where[3]); /* of a force elsewhere */
double eli_anchor_turnability(const eli_anchor *anchor);

/* Adds bounds for the quadratic form k |u1 - u2|^2 of the displacements of two anchored points, mobility being the sum of both: each number
 * that moves the anchor gets its mass times k times mobility, which is what the form is at most (Cauchy's inequality with the weights that
 * make all of these equal). rate: the same of a dashpot [kg/s]. turning: k |phi1 - phi2|^2 of the frames, likewise. */
void eli_anchor_bound(const eli_anchor *anchor, const elastica_stiffness *to, double stiffness, double rate, double mobility);
void eli_anchor_bound_turning(const eli_anchor *anchor, const elastica_stiffness *to, double stiffness, double rate, double turnability);

/* ---- Active loads inside a rod ---- */

/* Power [W] of an active couple [N m] in joint k, about a director, and of an active force [N] in element j, along one. */
double eli_active_couple_power(const elastica_rod_view *rod, int k, int axis, double size);
double eli_active_force_power(const elastica_rod_view *rod, int j, int axis, double size);

/* ---- Joints ---- */

typedef struct eli_joint {
  eli_hold world; /* the second anchor, where that has no rod */
  elastica_joint_kind kind;
  eli_anchor anchor[2]; /* rod NULL: the world */
  double axis[2][3];    /* unit vectors: material of each body; of the first, where it stays in the world, laboratory */
  int axis_in_world;
  double given_axis[3]; /* of a hinge, when it was described: laboratory */
  double pose[9];       /* of the second frame against the first when the joint was made: Q2 Q1^T */
  double stiffness, angular_stiffness, damping;
  double least_angle, most_angle, motor;
  elastica_status (*drive)(void *user, double time, double angle, double rate, double *couple);
} eli_joint;

/* Whole frames, not only points or axes. */
static inline int eli_joint_ties_frames(const eli_joint *of) {
  return of->kind == ELASTICA_JOINT_FIXED || of->kind == ELASTICA_JOINT_SIDE_BY_SIDE;
}

/* The two bodies at an instant. */
typedef struct eli_joined {
  eli_anchored at[2];
  double middle[3];         /* [m] halfway between the anchors */
  double gap[3];            /* [m] from the first to the second */
  double couple[3];         /* [N m] of springs, on the second, laboratory */
  double angle, turn, back; /* [rad] of axes or frames; about the axis; and beyond its limits */
  double slope[3];          /* d turn/d(rotation of the second against the first), laboratory */
} eli_joined;

/* The two anchors at a time; their motion where damping or motor need it. CALLBACK_FAILED when a motion fails. */
elastica_status eli_joint_find_bodies(const eli_joint *of, double time, eli_anchored at[2]);

/* Sets the offsets of both anchors to the point halfway between the surfaces of their rods, on the line between the centre lines. Returns 0,
 * and changes nothing, where these meet. */
int eli_joint_put_between_surfaces(eli_joint *of);

/* The axes of a hinge that both bodies carry, laboratory. */
void eli_joint_axes(const eli_joint *of, const eli_anchored at[2], double axis[2][3]);

/* Whether the turn about the axis matters: for limits or a motor. */
int eli_joint_has_turn(const eli_joint *of);

/* All of it. always 1: also the turn of a hinge that nothing depends on. CALLBACK_FAILED, JOINT_TOO_FAR. */
elastica_status eli_joint_find(const eli_joint *of, double time, int always, eli_joined *now);

/* Stiffness of the softer of the two elements: S3/l [N/m], or with turning the least B/l [N m]. Rigid bodies are not soft: infinite. */
double eli_joint_softer(const eli_joint *of, int turning);

/* How easily the two bodies give way at the joint: their anchors against each other [1/kg], and their frames [1/(kg m^2)]; damped, which is
 * in the middle of the gap: a gap is a lever. */
double eli_joint_mobility(const eli_joint *of, const eli_anchored at[2]);
double eli_joint_damped_mobility(const eli_joint *of, const eli_anchored at[2]);
double eli_joint_turnability(const eli_joint *of);

/* c = 2 zeta sqrt(k/mobility), at most 1/(2 mobility dt); dt 0: without that. */
double eli_joint_rate(const eli_joint *of, double stiffness, double mobility, double dt);

/* Adds bounds for the damping. */
void eli_joint_bound_damping(const eli_joint *of, const eli_anchored at[2], const elastica_stiffness *rods);

/* Adds force and couple on the second body: of the damping, and of the motor. CALLBACK_FAILED when its function fails. */
void eli_joint_damp(const eli_joint *of, const eli_joined *now, double dt, double force[3], double couple[3]);
elastica_status eli_joint_drive(const eli_joint *of, const eli_joined *now, double time, double couple[3]);

/* Whether it calls functions of the caller's. */
static inline int eli_joint_calls(const eli_joint *of) {
  return of->drive != NULL || (of->anchor[1].rod == NULL && of->world.motion != NULL);
}

/* What it adds to its bodies, of whose loads there is one for each rod (pairs/joint_loads.c). CALLBACK_FAILED, JOINT_TOO_FAR: nothing. */
void eli_joint_find_loads(const eli_joint *of, const elastica_instant *now, const elastica_loads *loads, eli_found *found);

/* 1: springs of frames between two bodies, and nothing more (see eli_built_in.ties). */
int eli_joint_ties(const eli_joint *of, eli_tie *out);

/* ---- Tendons ---- */

/* A straight piece of the cable between two guides, and the turn at the first of them. */
typedef struct eli_span {
  double along[3];           /* unit vector to the next guide; 0 where they coincide */
  double length, rate, turn; /* [m] [m/s] [rad] from the span before; found with friction */
  double tension;            /* [N] */
} eli_span;

/* What the guides of a tendon move: a node, or the frame of an element; once for each, however many guides share it. */
typedef struct eli_place {
  const elastica_rod_view *rod;
  int index, turns; /* turns 1: of an element */
  double inertia;   /* [kg] or [kg m^2], now */
  double pull[3];   /* how a length grows with it, laboratory */
} eli_place;

typedef struct eli_tendon {
  int count;             /* of guides */
  elastica_world *world; /* to which a failure of its drive is explained */
  eli_anchor *guide;     /* [count]; rod NULL: a point of the world, its offset */
  eli_anchored *at;      /* [count] now; velocity is that of the guide itself */
  eli_span *span;        /* [count - 1] now */
  int place_count;
  eli_place *place;
  int (*places)[3]; /* [count] of each guide: its first node, its second, its frame; -1: it does not move that */
  int is_spring;
  double stiffness, rest_length, tension, activation; /* [N/m] [m] [N] */
  double damping, friction, sliding_speed;
  elastica_status (*drive)(void *user, double time, double length, double rate, double *activation);
  void *user;
  double length, rate, turned; /* [m] [m/s] [rad] of the whole, now */
  double bend;                 /* sum of (t' - t)^2 over its guides, the ends included: what pulls on rods */
  double active;               /* its activation now */
} eli_tendon;

/* Guides of a definition (pairs/guides.c): whether they can be, with a sentence where not; then how many, each of them, whether they are on
 * several rods, this one among them, and the first rod on the way, NULL where there is none. */
elastica_status eli_tendon_check(const eli_request *request, const elastica_tendon_def *def);
int eli_tendon_count(const elastica_tendon_def *def);
eli_anchor eli_tendon_guide(const elastica_tendon_def *def, int k);
int eli_tendon_has_several(const elastica_tendon_def *def, const elastica_rod *rod);
elastica_rod *eli_tendon_first_rod(const elastica_tendon_def *def);

/* Lists places, after guides have changed. */
void eli_tendon_list(eli_tendon *of);

/* Where the cable is and how it moves; with turns 1, what it turns by at its guides, too. */
void eli_tendon_find(eli_tendon *of, int turns);

/* How easily tension shortens the whole cable [1/kg], at least; slip, NULL or: sum over inner guides of their turn times the same of the cable
 * behind them. */
double eli_tendon_mobility(eli_tendon *of, double *slip);

/* Tensions, for a cable that was found; dt 0: the damping is not bounded by it. CALLBACK_FAILED when its function fails. */
elastica_status eli_tendon_pull(eli_tendon *of, double time, double dt);

/* The force [N] of the cable on a guide. */
void eli_tendon_force(const eli_tendon *of, int k, double force[3]);

/* Adds its loads; those of the rod of number first come first. */
void eli_tendon_push(const eli_tendon *of, const elastica_loads *loads, int first);

/* Adds bounds for the time until the next look, of a cable whose tensions were found. */
void eli_tendon_bound(eli_tendon *of, const elastica_stiffness *rods, int first);

#endif
