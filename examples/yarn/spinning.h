/* Spinning: loads that twist a bundle of fibres into a yarn and pull its halves apart, and measurements of both. */
#ifndef EXAMPLES_SPINNING_H
#define EXAMPLES_SPINNING_H

#include <elastica.h>

enum { SPINNING_MOST = 64 };

/* The fibres are all rods of the world, approximately along z, the last node above the first. Outward forces along z act on the ends:
 * the tension, or f times the tension at the top of the fibres that are up and at the bottom of the others. Across z the ends at either
 * side have forces in proportion to the distance from their middle, with the torque as their moment and without a resultant. */
typedef struct spinning {
  int fibres, n;       /* at most SPINNING_MOST; elements of each */
  double tension;      /* [N] */
  double torque, ramp; /* [N m] [s] it rises from 0 at time 0 to its value at this time */
  double rate, start;  /* [1/s] [s] f = 1, from start on 1 + rate (time - start) */
  double least_square; /* [m^2] lower bound of a sum of the squared distances from the middle, for the step limit */
  int up[SPINNING_MOST];
} spinning;

elastica_status add_spinning(elastica_world *world, const spinning *loads, elastica_effect **out);
elastica_status spinning_set(elastica_effect *effect, const spinning *loads);

/* Selects half of the fibres by lot, to be up. The same on all machines. */
void spinning_draw_lots(spinning *loads, unsigned seed);

/* The twist of a yarn: the sum over its cross sections of the turn that best maps one section to the next. */
typedef struct twist {
  double theta;  /* [rad] */
  double length; /* [m] mean distance of both ends of a fibre */
  double radius; /* [m] of a round yarn with the same mean square distance of nodes from its axis */
} twist;

twist spinning_twist(elastica_world *world, const spinning *loads);

/* [m] mean height of the fibres that are up minus that of the others. */
double spinning_height(elastica_world *world, const spinning *loads);

#endif
