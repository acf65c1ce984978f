/* What comes at an elastic obstacle so fast that it will overlap it deeply, or pass through.
 *
 * models     rods and bodies go on as they move on the whole, the obstacle as it moves now, without its spin. The energy of the element that
 *            meets the surface, against that of its layer, without the damper, when it has gone on to half its radius
 * test       tests/test_check_solids.c
 *
 * Without the rest of obstacle.h, for who looks at a world from outside.
 */
#ifndef ELI_PAIRS_OBSTACLE_MEET_H
#define ELI_PAIRS_OBSTACLE_MEET_H

#include "base/target.h"

#include <elastica.h>

typedef struct eli_elastic eli_elastic;

/* The element of a rod that comes at it most too fast. */
typedef struct eli_impact {
  int element;
  double speed, bound; /* [m/s] along the normal of the surface; that of half a radius */
} eli_impact;

/* Visits each rod with one. Between steps, as in a hook. CALLBACK_FAILED by its motion, which is explained to the world. */
elastica_status eli_elastic_find_impacts(const eli_elastic *o, double time, void (*visit)(void *context, int rod, const eli_impact *impact),
                                         void *context);
double eli_elastic_modulus(const eli_elastic *o);

#endif
