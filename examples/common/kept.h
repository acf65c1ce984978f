/* A state of a world in memory, to be restored later. */
#ifndef EXAMPLES_KEPT_H
#define EXAMPLES_KEPT_H

#include "example.h"

typedef struct kept {
  void *bytes; /* to be freed */
  size_t size;
} kept;

/* Both end the program with status 3 on failure. The caller restores data of the case outside the world. */
kept kept_save(const example *e, elastica_world *world);
void kept_load(const example *e, elastica_world *world, const kept *state);

#endif
