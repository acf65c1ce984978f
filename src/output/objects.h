/* Objects of a world that pages and ParaView frames read alike: walls and elastic obstacles as solids, and contact points. */
#ifndef ELI_OBJECTS_H
#define ELI_OBJECTS_H

#include "base/target.h"

#include <elastica.h>

#include "effects/solid.h"

/* Returns 1 if the effect is one of the library with this name of its module. */
int eli_is_built_in(const elastica_effect *effect, const char *name);

/* Returns 1 if the effect is an enabled wall or elastic obstacle. */
int eli_is_solid(const elastica_effect *effect);

/* Finds the shape and present placement of a solid. If its motion fails, the call is refused with a sentence that names `function`. */
elastica_status eli_find_solid(const elastica_effect *effect, const char *function, eli_body *out);

/* Returns 1 if the effect has contact points: a contact or an elastic obstacle. */
int eli_has_contacts(const elastica_effect *effect);

#endif
