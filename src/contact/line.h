/* Two elements in contact along a line: how deep they overlap, and the force that this gives to their ends.
 *
 * models     elements as segments with a radius, half a ball on each free end of a rod; an elastic layer on their surfaces, with a core
 * equation   U = sum over both sides of (1/2) int dmu_a int phi(x, y) dt_b, with Q = R^2 - |x - y|^2, R = r_a + r_b, Q > 0,
 *              phi = (k/(3 pi R^2)) (Q^(3/2) + (3/5) Q^(5/2)/R^2) + (B/K^7) (2048/(429 pi)) Q'^(13/2);
 *            mu: rest length; a free end stands for the length 2 r/3 of a rod of the volume of half a ball. Q' is Q with radii that are
 *            smaller by a tenth of the smaller one of both, K = Q' where the overlap at rest is that smaller radius, B = 100 k K.
 *            Two ends: U = (mu/2) f with the mean mu of both and the f below.
 *            damper: the pressure k eps becomes k eps + c (approach speed), or 0 where that is negative
 * source     the energy of two lines as a double integral, whose kernel gives, with an endless straight line (Abel's integral equation),
 *            f = (k/(8 R^2)) (c^4 + c^6/(2 R^2)) + B (c'^2/K)^7 per length, c^2 = R^2 - distance^2; Winkler foundation
 * conserves  momentum, angular momentum and, with U, energy: forces are the exact gradient of the sum that stands for U
 * test       tests/test_contact.c, tests/campaign.c
 *
 * Side by side, the force per length is k eps, with eps = R - distance, within 0.6 % up to eps = R/20 and 2.3 % at R/10, until the core begins
 * at an overlap of a tenth of the smaller radius. Two rods that cross at a right angle push each other with (4/3) k sqrt(2 R) eps^1.5 to leading
 * order, as in Hertz's law for crossed cylinders of equal radius with E/(1 - nu^2) = 4 k; at another angle with 1/sin(angle) of that.
 * Every part of either line within reach of the other counts in proportion to its length: no nearest point is chosen, so nothing leaps,
 * neither at a node nor in the hollow of a bend. To pass through the other, a rod must do about a thousand times the work that the layer
 * alone would take.
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
  double end_radius[2];  /* [m] at the ends; linear between them */
  double cap[2];         /* [m] mu of the ends; 0 where a rod goes on */
  double measure;        /* [m] mu of the centre line: rest length */
  double rest_radius;    /* [m] at that length */
  double radius;         /* [m] present, at its thickest */
  double velocity[2][3]; /* [m/s] */
} eli_capsule;

typedef struct eli_line_law {
  double modulus, damping; /* k [Pa], c [Pa s] */
} eli_line_law;

/* The core: it begins at this overlap, in the smaller radius; B/(k K); and the factor of its kernel. */
#define ELI_CORE_ONSET 0.1
#define ELI_CORE_STRENGTH 100.0
#define ELI_CORE_INTEGRAL 1.5195772655114297 /* 2048/(429 pi) */

/* An upper bound of d^2 f/d eps^2 in k, and of d f/d eps in k eps, for all overlaps up to eps of these two radii at rest [m]. */
typedef struct eli_stiffening {
  double stiffness, pressure;
} eli_stiffening;

eli_stiffening eli_line_stiffening(double radius, double other, double eps);

/* What acts on capsules a and b; sums over the line of contact. */
typedef struct eli_line_loads {
  double force[2][2][3]; /* [N] on either end of a, and of b */
  double normal[3];      /* [N] the force on a, across b: without the parts along it that neighbours of b cancel */
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
  double normal[3];  /* unit vector from b to a */
  double share[2];   /* where it lies along a and b, 0..1 */
  double axis[2][3]; /* [m] there, on either centre line, */
  double point[3];   /* [m] and between them */
} eli_line_middle;

/* The longest cell of a, over which points are placed, in r_a + r_b at rest. */
#define ELI_LONGEST_CELL 2.5

/* Several pairs, side by side: each row has a number of each. */
enum { ELI_LINES = 8 };
typedef double eli_row[ELI_LINES];

typedef struct eli_lines {
  /* The capsules. A row is a line of a cache. */
  _Alignas(sizeof(eli_row)) eli_row end[2][2][3];
  eli_row velocity[2][2][3], end_radius[2][2], measure[2], rest_radius[2], cap[2][2];

  /* The part of either, 0..1, from which the other is in reach; empty: both 0. Of the first it is found before that of the second. */
  eli_row low[2], high[2];

  /* What is found: of eli_line_loads, and of eli_line_middle. */
  eli_row force[2][2][3], normal[3], pressure, elastic, swelling[2][2], share[2], extent, energy, depth;
  eli_row direction[3], middle[2], axis[2][3], point[3];

  eli_line_law law;
  int count; /* the pairs in use; rows are read and written beyond them, without meaning */
} eli_lines;

/* By the instruction set of the world. */
struct eli_rubs;
typedef struct eli_lines_work {
  void (*find_parts)(eli_lines *lines);                    /* where the first of each may touch the second; */
  void (*find_lines)(eli_lines *lines);                    /* and all else; */
  void (*rub)(eli_lines *lines, struct eli_rubs *history); /* friction of a step, which is added to forces (contact/rub.h) */
} eli_lines_work;

const eli_lines_work *eli_world_lines_work(const elastica_world *world);

/* Begins with no pair: rows that are read hold numbers beyond the last one, too. */
void eli_lines_begin(eli_lines *lines, const eli_line_law *law);

/* Makes a capsule thinner, in all that follows from its radius; and both of one of several pairs, of find_lines or (moved 0) of find_parts. */
void eli_capsule_reduce(eli_capsule *capsule, double reduction);
void eli_lines_reduce(eli_lines *lines, int q, int moved, double reduction);

/* Puts a capsule into one of several pairs, for find_parts. And with all else for find_lines. */
void eli_lines_place(eli_lines *lines, int q, int side, const eli_capsule *capsule);
void eli_lines_move(eli_lines *lines, int q, int side, const eli_capsule *capsule);

/* Gets what is found of one; returns 1 if there is contact, else 0. */
int eli_lines_read(const eli_lines *lines, int q, eli_line_loads *line);
void eli_lines_read_middle(const eli_lines *lines, int q, eli_line_middle *middle);

#endif
