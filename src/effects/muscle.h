/* Couples of muscles about laboratory axes, for pictures. */
#ifndef ELI_MUSCLE_H
#define ELI_MUSCLE_H

#include "base/target.h"

#include <elastica.h>

/* Adds the present couples [N m] of a muscle (the effect) of kind LABORATORY_COUPLE in the joints of its rod: three for each joint,
 * laboratory axes. Other kinds add none; so does one with a function that fails. */
void eli_muscle_add_couples(const elastica_effect *effect, double *couples);

#endif
