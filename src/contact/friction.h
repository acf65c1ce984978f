/* The law of a wall: normal force and anisotropic friction on the elements of a rod. effects/rigid_obstacle.c computes the position of the
 * wall.
 *
 * models     Amontons-Coulomb friction, isotropic or anisotropic: longitudinal along an element, lateral across it with rolling friction
 * equation   normal force, wall law (4.8): (R + k eps - gamma v . N) N, R = max(-F . N, 0), eps = max(r - distance, 0), half of it to each
 *            node or, balanced by nodes: each node gets its shares of the reaction that ends the step at the outward speed u,
 *            R = max(m (u - v . N)/dt - F . N, 0): u = -g/dt above the surface, with the node's gap g for the radius at rest;
 *            below the surface g = -eps and u = (k eps dt/m)/(1 + gamma dt/m + 10 k dt^2/m).
 *            F is the sum of all other loads of the step; the R of an element is the sum of its shares
 *            across u = unit(N x t), along a = u x N; slip s_a = v . a, s_r = (v + omega x (-r N)) . u, v relative to the wall
 *            f(s) = 1 for |s| <= v_eps, 0 from 1.5 v_eps, linear between: the share of the static law
 *            static along, per node:      -clamp(F . g + m v . g/dt, -mu_forward L, mu_backward L) g,  L g = sum of the halves of f R a of
 *                                         its elements
 *            static across, per element:  the force for rolling without slip, (M/r - (lambda/2)(F . u + m s_r/dt))/(1 + lambda/2) for round
 *                                         sections, lambda = 2 J/(m r^2); at most f mu R; with its couple -r N x force
 *            kinetic:                     (1 - f) mu R against the slip, at most the force that ends the slip within the step
 * source     Gazzola et al. 2018, section 4.1.4, with min instead of the printed max, and J of the element instead of m r^2/2. The order of
 *            parts and the blending are those of the authors' program: normal forces, static along, static across on the remainder, kinetic
 * conserves  momentum and angular momentum together with the wall; static friction at rest does no work, kinetic friction dissipates energy
 * test       tests/test_friction.c
 *
 * The slip over dt in each part is not in the papers. Without it, friction at rest would preserve the remaining slip instead of ending it,
 * and -mu R sign(s) would oscillate about s = 0 with amplitude mu g dt, orders of magnitude above the v_eps of the papers. With it,
 * friction brings a slip to rest in one step and never reverses it, so that neither v_eps nor mu bounds the time step.
 */
#ifndef ELI_FRICTION_H
#define ELI_FRICTION_H

#include "base/target.h"

#include <elastica.h>

/* A lane has one number per element; node_distance, force and position have one per node (index n of a ring is node 0 again). Each lane
 * starts at a multiple of 64 bytes. It is preceded by a block of ELI_WALL_MARGIN numbers and padded to whole blocks. The padding holds
 * zeros, or the neighbouring elements of a ring. */
enum { ELI_WALL_MARGIN = 8 };

typedef struct eli_wall_contact {
  int count, closed;
  int flat;        /* 1: a plane at rest through point; normal is then written once, and distance is never written */
  double point[3]; /* [m] */

  /* Constants: the shares of an element in the forces on the nodes before and after it (1 at an end of the rod, otherwise 1/2), and 1/J. */
  double *share_before, *share_after;
  double *inverse_inertia[3];

  /* Lanes written by the wall. */
  double *distance, *normal[3];
  double
      *node_distance; /* [m] of each node, for walls that balance nodes and are not flat; otherwise minus infinity: the tangent planes give
                       * the distance */
  double *wall_velocity[3]; /* [m/s] of the wall at the contact */
  double *radius;           /* [m] */
  double *normal_force;     /* R [N]; 0: no friction */

  double *part_before, *part_after; /* for walls that balance nodes: the reactions on the nodes before and after, divided by R */

  /* Intermediate results of friction. */
  double *along[3], *across[3];         /* a, u */
  double *axis[3];                      /* Q a: the rolling axis of the element, material */
  double *slip_along, *slip_across;     /* [m/s] */
  double *need_along, *need_across;     /* [N] forces to balance for the slips to end within the step, without those of this wall */
  double *yield;                        /* the factor of need_across for an element that rolls */
  double *static_along, *static_across; /* [N] the part of R for static friction; for kinetic friction times its coefficient */
  double *kinetic_along, *kinetic_across;
  double *push[3]; /* [N] force on the element */

  /* The results: forces on nodes [N], couples on elements [N m] in material and laboratory components, and the positions of the nodes [m].
   * They are kept until the next step, for elastica_obstacle_get_force. */
  double *force[3];
  double *couple[3], *laboratory_couple[3];
  double *position[3];

  void *memory;
} eli_wall_contact;

typedef struct eli_friction {
  int acts; /* 0: normal force only */
  double static_forward, static_backward, static_across;
  double kinetic_forward, kinetic_backward, kinetic_across;
  double fade; /* 2/v_eps [s/m] */
  int elliptic;
} eli_friction;

typedef struct eli_wall_law {
  double stiffness, damping; /* k [N/m], gamma [kg/s] of an element */
  double reach;              /* an element is in contact below reach times its radius */
  int balances_nodes;
  eli_friction friction;
} eli_wall_law;

/* Flags of a rod in contact. */
enum {
  ELI_CONTACT_TOUCHES = 1,
  ELI_CONTACT_TURNS = 2, /* laboratory_couple is not zero */
  ELI_CONTACT_SUNK = 4   /* the centre of an element is below the surface */
};

/* Adds the loads of a wall with its distance, normal and velocity in the contact's lanes. With dt 0 an equilibrium is sought, and R ignores
 * motion. Returns the flags above; without ELI_CONTACT_TOUCHES nothing was added. */
typedef unsigned eli_wall_press(const eli_wall_law *law, const eli_wall_contact *contact, const elastica_rod_view *rod,
                                const elastica_loads *loads, double dt);

#endif
