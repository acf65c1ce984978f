/* Spinning: what twists a bundle of fibres into a yarn and draws its halves apart, and how far that has come. */
#ifndef EXAMPLES_SPINNING_H
#define EXAMPLES_SPINNING_H

#include <elastica.h>

enum { SPINNING_MOST = 64 };

/* The fibres are all rods of the world, and lie about along z, the last node above the first. Ends are drawn outward along z with the tension;
 * those at the top of the fibres that are up, and at the bottom of the others, with f times that. Across z the ends at either side get forces
 * in proportion to the distance from their middle that sum up to the torque, and to no force. */
typedef struct spinning {
  int fibres, n;       /* at most SPINNING_MOST; elements of each */
  double tension;      /* [N] */
  double torque, ramp; /* [N m] [s] it grows from time 0 until then */
  double rate, start;  /* [1/s] [s] f = 1, from start on 1 + rate (time - start) */
  double least_square; /* [m^2] of the squared distances from the middle a sum that they never fall below, for the step limit */
  int up[SPINNING_MOST];
} spinning;

elastica_status add_spinning(elastica_world *world, const spinning *loads, elastica_effect **out);
elastica_status spinning_set(elastica_effect *effect, const spinning *loads);

/* Draws half of the fibres by lot, which are then up. The same everywhere. */
void spinning_draw_lots(spinning *loads, unsigned seed);

/* The twist of a yarn: the sum over its cross sections of the turn that carries one best to the next. */
typedef struct twist {
  double theta;  /* [rad] */
  double length; /* [m] mean distance of both ends of a fibre */
  double radius; /* [m] of a round yarn whose nodes have the same mean square distance from its axis */
} twist;

twist spinning_twist(elastica_world *world, const spinning *loads);

/* [m] mean height of the fibres that are up above that of the others. */
double spinning_height(elastica_world *world, const spinning *loads);

#endif
