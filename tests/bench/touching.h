/* What contact costs in a scene that has one. */
#ifndef BENCH_TOUCHING_H
#define BENCH_TOUCHING_H

#include <elastica.h>

/* Nanoseconds for each element and step of the world as it is. */
typedef double (*bench_timer)(void *context, elastica_world *world);

/* Prints lines for a world, of a scene with that name, that has an effect of elastica_add_contact, or none. ns: what its steps took with contact
 * for each element; time(context, world) measures that again, without. */
void bench_touching(elastica_world *world, const char *scene, int elements, double ns, bench_timer time, void *context);

#endif
