/* Walls and elastic obstacles as solids, for writers. */
#ifndef ELI_SOLIDS_H
#define ELI_SOLIDS_H

#include "base/target.h"

#include <elastica.h>

#include "contact/clearance.h"

/* 1: an effect that is one, and switched on. */
int eli_is_solid(const elastica_effect *effect);

/* What it is and where it stands now; refused in a sentence, with the name of the function that asks, where its motion fails. */
elastica_status eli_find_solid(const elastica_effect *effect, const char *function, eli_body *out);

#endif
