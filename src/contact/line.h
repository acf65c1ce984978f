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
 *
 * Pairs are worked out several at a time, side by side (kernels/lines.inl).
 */
#ifndef ELI_LINE_H
#define ELI_LINE_H

#include "base/target.h"

#include <elastica.h>

/* In the order in which a pair of them is worked out. */
typedef struct eli_capsule {
  double end[2][3];      /* [m] */
  double border[2][3];   /* outward normals, of any length, of the planes through the ends that part it from its neighbours */
  double end_radius[2];  /* [m] at the ends; linear between them */
  double cap[2];         /* [m] mu of the ends; 0 where a rod goes on */
  double measure;        /* [m] mu of the centre line: rest length */
  double radius;         /* [m] present, at its thickest */
  double velocity[2][3]; /* [m/s] */
  double spin[3];        /* [rad/s] laboratory */
} eli_capsule;

typedef struct eli_line_law {
  double modulus, damping; /* k [Pa], c [Pa s] */
} eli_line_law;

/* What acts on capsules a and b; sums over the line of contact. */
typedef struct eli_line_loads {
  double force[2][2][3]; /* [N] on either end of a, and of b */
  double normal[3];      /* [N] the force on a */
  double pressure;       /* [N] the sum of its magnitudes, */
  double elastic;        /* [N] and of those without the damper; */
  double swelling[2][2]; /* [N] its parts by which the radius at either end of a, and of b, widens */
  double share[2];       /* [N] the sum of pressure times where it acts along a and b, 0..1 */
  double extent;         /* [m] mu in contact, the mean of both sides: d pressure/d eps is modulus times it */
  double energy;         /* U [J] */
  double depth;          /* [m] the largest eps; 0: there is no contact */
} eli_line_loads;

/* The middle of a line of contact: the means of where pressure acts. */
typedef struct eli_line_middle {
  double normal[3];   /* unit vector from b to a */
  double share[2];    /* where it lies along a and b, 0..1 */
  double axis[2][3];  /* [m] there, on either centre line, */
  double point[3];    /* [m] and between them */
  double velocity[3]; /* [m/s] of slip there, across the normal, of a against b */
  double spin;        /* [rad/s] the mean of both, about the normal */
} eli_line_middle;

/* Several pairs, side by side: each row has a number of each. */
enum { ELI_LINES = 8 };
typedef double eli_row[ELI_LINES];

typedef struct eli_lines {
  /* The capsules. joined: 1 where a neighbour beyond that end may touch the other one, and takes what is nearer to it; else 0. A row is a
   * line of a cache. */
  _Alignas(sizeof(eli_row)) eli_row end[2][2][3];
  eli_row velocity[2][2][3], border[2][2][3], joined[2][2], spin[2][3], end_radius[2][2], measure[2], cap[2][2];

  /* Where they may touch: the parts of the centre line of either that are nearer to one region of the other, to its first end, its line or
   * its last end, and within reach of it; empty: both 0. mu of its ends that may touch. Half, or 1 where only one has a mu. */
  eli_row low[2][3], high[2][3], tip[2][2], weight;
  eli_row near; /* 1: there are any; else 0 */
  eli_row span; /* of one side: see eli_lines_work */

  /* What is found: of eli_line_loads, and of eli_line_middle. */
  eli_row force[2][2][3], normal[3], pressure, elastic, swelling[2][2], share[2], extent, energy, depth;
  eli_row direction[3], middle[2], axis[2][3], point[3], slip[3], turning;

  eli_line_law law;
  int count; /* the pairs in use; rows are read and written beyond them, without meaning */
} eli_lines;

/* By the instruction set of the world. */
typedef struct eli_lines_work {
  void (*find_parts)(eli_lines *lines); /* where they may touch */
  void (*find_lines)(eli_lines *lines); /* and what acts there */
  void (*find_span)(eli_lines *lines,
                    int side); /* the part of one, 0..1, that is nearer to the other than to its neighbours, however far */
} eli_lines_work;

const eli_lines_work *eli_world_lines_work(const elastica_world *world);

/* Begins with no pair: rows that are read hold numbers beyond the last one, too. */
void eli_lines_begin(eli_lines *lines, const eli_line_law *law);

/* Puts a capsule into one of several pairs, for find_parts and find_span; goes_on: 1, 2: joined at its first, its last end. And all else for
 * find_lines; copies what find_parts has found. */
void eli_lines_place(eli_lines *lines, int q, int side, const eli_capsule *capsule, unsigned goes_on);
void eli_lines_move(eli_lines *lines, int q, int side, const eli_capsule *capsule);
void eli_lines_copy_parts(const eli_lines *from, int p, eli_lines *lines, int q);

/* Gets what is found of one; returns 1 if there is contact, else 0. */
int eli_lines_read(const eli_lines *lines, int q, eli_line_loads *line);
void eli_lines_read_middle(const eli_lines *lines, int q, eli_line_middle *middle);

#endif
