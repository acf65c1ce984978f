/* Walls and elastic obstacles as solids, for the writers. */
#ifndef ELI_SOLIDS_H
#define ELI_SOLIDS_H

#include "base/target.h"

#include <elastica.h>

#include "contact/clearance.h"

/* Returns 1 if the effect is an enabled wall or elastic obstacle. */
int eli_is_solid(const elastica_effect *effect);

/* Finds the shape and present placement of a solid. If its motion fails, the call is refused with a sentence that names `function`. */
elastica_status eli_find_solid(const elastica_effect *effect, const char *function, eli_body *out);

#endif
