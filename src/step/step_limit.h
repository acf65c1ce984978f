/* The step limit near one element, for effects that report it. */
#ifndef ELI_STEP_LIMIT_H
#define ELI_STEP_LIMIT_H

#include "base/target.h"

#include <elastica.h>

/* Step limit [s] of an element of a rod and of the elements that share a node with it, if it is smaller than dt; NaN after a failure. */
elastica_status eli_world_limit_near(elastica_world *world, int rod_index, int element, const char *function, double *dt);

#endif
