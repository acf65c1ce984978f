/* Two elements in contact along a line: how deep they overlap, and the force that this gives to their ends.
 *
 * models     elements as segments with a radius, half a ball on each free end of a rod; an elastic layer on their surfaces
 * equation   eps(x) = r_a + r_b - distance of x from the other centre line;  U = sum over both sides of (k/4) int <eps>^2 dmu, mu: rest length,
 *            and on a free end the length 2 r/3 of a rod of the volume of half a ball. Where the other side has no mu, U takes k/2.
 *            damper: the pressure k eps becomes k eps + c (approach speed), or 0 where that is negative
 * source     Winkler foundation; line contact of beams by Gauss points: Meier, Popp, Wall 2016
 * conserves  momentum, angular momentum and, with U, energy
 * test       tests/test_contact.c
 *
 * Side by side, the force per length is k eps. Two rods that cross at a right angle push each other with (4/3) k sqrt(2 (r_a + r_b)) eps^1.5
 * to leading order, as in Hertz's law for crossed cylinders of equal radius with E/(1 - nu^2) = 4 k. Nothing leaps
 * where a line of contact passes from one element to the next: each point of a centre line counts against the nearest point of the other one.
 * Planes through the nodes, which halve the angle between elements, part what is nearer to one element from what is nearer to the next. In
 * the hollow of a joint the nearest point leaps there, not its distance: the direction of the force turns by the angle of the joint.
 */
#ifndef ELI_LINE_H
#define ELI_LINE_H

#include "base/target.h"

typedef struct eli_capsule {
  double end[2][3];      /* [m] */
  double velocity[2][3]; /* [m/s] */
  double border[2][3];   /* outward normals, of any length, of the planes through the ends beyond which a neighbour is nearer */
  int joined[2];         /* 1: there is such a neighbour; 0: the rod ends there */
  double radius;         /* [m] present, at its thickest */
  double end_radius[2];  /* [m] at the ends; linear between them */
  double measure;        /* [m] mu of the centre line: rest length */
  double cap[2];         /* [m] mu of the ends; 0 where joined */
} eli_capsule;

typedef struct eli_line_law {
  double modulus, damping; /* k [Pa], c [Pa s] */
} eli_line_law;

/* What acts on capsules a and b; sums over the line of contact. */
typedef struct eli_line {
  double force[2][2][3]; /* [N] on either end of a, and of b */
  double normal[3];      /* [N] the force on a */
  double pressure;       /* [N] the sum of its magnitudes, */
  double elastic;        /* [N] and of those without the damper; */
  double swelling[2][2]; /* [N] its parts by which the radius at either end of a, and of b, widens */
  double share[2];       /* [N] the sum of pressure times where it acts along a and b, 0..1 */
  double extent;         /* [m] mu in contact, the mean of both sides: d pressure/d eps is modulus times it */
  double energy;         /* U [J] */
  double depth;          /* [m] the largest eps; 0: there is no contact */
} eli_line;

/* Returns 1 if there is contact, else 0, and out is of no use. */
int eli_line_find(const eli_capsule *a, const eli_capsule *b, const eli_line_law *law, eli_line *out);

/* The part of a, 0..1, that is nearer to b than to its neighbours, however far from it. */
double eli_line_span(const eli_capsule *a, const eli_capsule *b);

#endif
