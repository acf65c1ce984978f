/* Two elements in contact along a line (contact of rods, self-contact): the depth of the overlap, and the forces on their ends.
 *
 * models     elements as segments with a radius, half a ball on each free end of a rod; an elastic layer on their surfaces, with a core
 * equation   U = sum over both sides of (1/2) int dmu_a int phi(x, y) dt_b, with Q = R^2 - |x - y|^2, R = r_a + r_b, Q > 0,
 *              phi = (k/(3 pi R^2)) (Q^(3/2) + (3/5) Q^(5/2)/R^2) + (B/K^7) (2048/(429 pi)) Q'^(13/2);
 *            mu: rest length; a free end represents the length 2 r/3 of a rod with the volume of half a ball. Q' is Q with radii reduced by
 *            a tenth of the smaller one of both, K is the Q' of an overlap, at rest, equal to that radius, B = 100 k K.
 *            Two ends: U = (mu/2) f with the mean mu of both and the f below.
 *            damper: the pressure k eps becomes k eps + c (approach speed), or 0 if that is negative
 * source     the energy of two lines as a double integral. For an infinitely long straight line (Abel's integral equation) its kernel gives
 *            f = (k/(8 R^2)) (c^4 + c^6/(2 R^2)) + B (c'^2/K)^7 per length, c^2 = R^2 - distance^2; Winkler foundation
 * conserves  momentum, angular momentum and, with U, energy: forces are the exact gradient of the sum that approximates U
 * test       tests/test_contact.c, tests/campaign.c
 *
 * For parallel rods the force per length is k eps, with eps = R - distance, within 0.6 % up to eps = R/20 and 2.3 % at R/10, up to the
 * onset of the core at an overlap of a tenth of the smaller radius. Two rods that cross at a right angle repel each other with (4/3) k
 * sqrt(2 R) eps^1.5 to leading order, as in Hertz's law for crossed cylinders of equal radius with E/(1 - nu^2) = 4 k; at another angle the
 * force is 1/sin(angle) times as large. Every part of either line within reach of the other counts in proportion to its length. No nearest
 * point is selected, so the force has no jumps, neither at a node nor in the hollow of a bend. To pass through the other rod, a rod must do
 * about a thousand times the work that the layer alone would take.
 *
 * Several pairs are computed at a time, in lanes (kernels/lines.inl).
 */
#ifndef ELI_LINE_H
#define ELI_LINE_H

#include "base/target.h"

#include <elastica.h>
#include <stdint.h>

/* The fields are in the order in which a pair is computed: eight for the parts within reach, eight more for motion and ends. */
typedef struct eli_capsule {
  double end[2][3];      /* [m] */
  double end_radius[2];  /* [m] at the ends; linear between them */
  double velocity[2][3]; /* [m/s] */
  double cap[2];         /* [m] mu of the ends; 0 at an end with a neighbouring element */
  double measure;        /* [m] mu of the centre line: rest length */
  double rest_radius;    /* [m] radius at rest length */
  double radius;         /* [m] largest present radius */
} eli_capsule;

/* A capsule with its rotation, in whole lines of the cache: kernels transpose those of several pairs into rows. */
typedef struct eli_moving_capsule {
  _Alignas(64) eli_capsule at;
  double spin[3];     /* [rad/s] laboratory */
  double director[9]; /* of its frame, row by row */
  uint32_t mark[2];   /* for the owner; not read by kernels */
} eli_moving_capsule;

typedef struct eli_line_law {
  double modulus, damping; /* k [Pa], c [Pa s] */
} eli_line_law;

/* Places and weights on 0..1 of the Gauss-Legendre rule with four points. */
#define ELI_FOUR_PLACES                                                                                                                    \
  { 0.069431844202973714, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629 }
#define ELI_FOUR_WEIGHTS                                                                                                                   \
  { 0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693 }

/* The stiffening core: its onset, as an overlap in units of the smaller radius; B/(k K); the factor of its kernel. */
#define ELI_CORE_ONSET 0.1
#define ELI_CORE_STRENGTH 100.0
#define ELI_CORE_INTEGRAL 1.5195772655114297 /* 2048/(429 pi) */

/* Upper bounds of d^2 f/d eps^2 in units of k, and of d f/d eps in units of k eps, for all overlaps up to eps and these two radii at rest
 * [m]. */
typedef struct eli_stiffening {
  double stiffness, pressure;
} eli_stiffening;

eli_stiffening eli_line_stiffening(double radius, double other, double eps);

/* The loads of capsules a and b; all are sums over the line of contact. */
typedef struct eli_line_loads {
  double force[2][2][3]; /* [N] on both ends of a and of b */
  double normal[3];      /* [N] the force on a across b, without the parts along b that the neighbours of b cancel */
  double pressure;       /* [N] sum of the normal forces */
  double elastic;        /* [N] the same without the damper */
  double swelling[2][2]; /* [N] derivatives of U by the radii at both ends of a and of b */
  double share[2];       /* [N] sum of normal force times position along a and b, 0..1 */
  double extent;         /* [m] mu in contact, the mean of both sides: d pressure/d eps is modulus times this */
  double energy;         /* U [J] */
  double depth;          /* [m] the largest eps; 0: there is no contact */
} eli_line_loads;

/* The centre of pressure of a line of contact. */
typedef struct eli_line_middle {
  double normal[3];  /* unit vector from b to a */
  double share[2];   /* position along a and b, 0..1 */
  double axis[2][3]; /* [m] the point there on either centre line */
  double point[3];   /* [m] the point between both surfaces */
} eli_line_middle;

/* The largest length of a cell of a, over which Gauss points are placed, in units of r_a + r_b at rest; the largest number of cells, which
 * is kept if cells become longer. */
#define ELI_LONGEST_CELL 2.5
enum { ELI_MOST_CELLS = 8 };

/* Several pairs in lanes: each row has one number per pair. */
enum { ELI_LINES = 8 };
typedef double eli_row[ELI_LINES];

/* The rows of one of both capsules, in the order of eli_moving_capsule. A row fills one line of the cache. */
typedef struct eli_capsule_rows {
  _Alignas(sizeof(eli_row)) eli_row end[2][3];
  eli_row end_radius[2], velocity[2][3], cap[2], measure, rest_radius, radius, spin[3], director[9], mark;
} eli_capsule_rows;

typedef struct eli_lines {
  eli_capsule_rows side[2];

  /* The part of each capsule, 0..1, within reach of the other; both numbers are 0 if it is empty. The part of the first capsule is found
   * first. */
  eli_row low[2], high[2];

  /* The results: the fields of eli_line_loads and of eli_line_middle. */
  eli_row force[2][2][3], normal[3], pressure, elastic, swelling[2][2], share[2], extent, energy, depth;
  eli_row direction[3], middle[2], axis[2][3], point[3];

  eli_line_law law;
  int count; /* number of pairs in use; rows are read and written beyond it, without meaning */
} eli_lines;

/* The loads of a pair on the two ends of both capsules, each a line of the cache: force [N], couple of the capsule [N m, material, at the
 * first end], widening load [N]. Other numbers are -0, which adds nothing. */
enum { ELI_END_LOADS = 8 };
typedef struct eli_pair_loads {
  _Alignas(64) double end[2][2][ELI_END_LOADS];
} eli_pair_loads;

/* Functions for the instruction set of the world. */
struct eli_stick_slips;
typedef struct eli_lines_work {
  void (*find_parts)(eli_lines *lines); /* finds the part of the first capsule within reach of the second */
  void (*find_lines)(eli_lines *lines); /* computes all other results */
  void (*stick_slip)(eli_lines *lines,
                     struct eli_stick_slips *history); /* adds the stick-slip friction of a step to the forces (contact/stick_slip.h) */

  /* Places 8 consecutive elements of a rod with these radii of its elements. Ends of the rod are placed as if the rod went on. */
  void (*place)(const elastica_rod_view *rod, const double *radius, int first, eli_moving_capsule *const to[ELI_LINES]);

  /* Copy blocks of 8 numbers of each of 8 records into 8 rows per block, and back. Records start at a line of the cache. */
  void (*gather)(double *rows, const void *const record[ELI_LINES], int first, int blocks);
  void (*scatter)(const double *rows, void *const record[ELI_LINES], int blocks);

  /* Adds the loads of a pair to the sums of its four ends, which begin at lines of the cache. */
  void (*add_loads)(const eli_pair_loads *loads, void *const sum[4]);

  /* Adds the tensions of the classical law to elements from first to before end, from the widening load [N] of each node. No element may be
   * at an end of the rod. Returns the first element that is left. */
  int (*add_tensions)(const elastica_rod_view *rod, const double *widening, int first, int end, const elastica_loads *loads);

  /* Computes the radii of consecutive elements. */
  void (*measure)(const double *volume, const double *length, int count, double *radius);

  /* Writes the loads of all pairs with the couples of friction. With swells 0 widening loads are left out. */
  void (*write_loads)(const eli_lines *lines, const struct eli_stick_slips *friction, int swells, eli_pair_loads *const to[ELI_LINES]);
} eli_lines_work;

/* Starts with no pair and clears the input rows, because kernels read them beyond the last pair. */
void eli_lines_begin(eli_lines *lines, const eli_line_law *law);

/* Reduce the radius of a capsule and everything that follows from it: of one capsule, or of both capsules of pair q in the rows. */
void eli_capsule_reduce(eli_capsule *capsule, double reduction);
void eli_lines_reduce(eli_lines *lines, int q, double reduction);

/* Returns the sine of the angle between two capsules; 1 if one of them is a ball. */
double eli_capsule_sine(const eli_capsule at[2]);

/* Writes a capsule into the rows of pair q. */
void eli_lines_place(eli_lines *lines, int q, int side, const eli_capsule *capsule);

/* Read the results of pair q. eli_lines_read returns 1 if there is contact, otherwise 0. */
int eli_lines_read(const eli_lines *lines, int q, eli_line_loads *line);
void eli_lines_read_middle(const eli_lines *lines, int q, eli_line_middle *middle);

#endif
