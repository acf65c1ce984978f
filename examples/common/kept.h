/* A state of a world to go back to, in memory. */
#ifndef EXAMPLES_KEPT_H
#define EXAMPLES_KEPT_H

#include "example.h"

typedef struct kept {
  void *bytes; /* to be freed */
  size_t size;
} kept;

/* Both end the program with status 3 where that fails. What functions of the case know beside the world is theirs to put back. */
kept kept_save(const example *e, elastica_world *world);
void kept_load(const example *e, elastica_world *world, const kept *state);

#endif
