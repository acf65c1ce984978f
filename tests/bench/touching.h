/* The cost of contact in a scene with contact. */
#ifndef BENCH_TOUCHING_H
#define BENCH_TOUCHING_H

#include <elastica.h>

/* Nanoseconds per element and step of the world in its present state. */
typedef double (*bench_timer)(void *context, elastica_world *world);

/* Prints the lines of a world of the scene with that name; the world may have an effect of elastica_add_contact. ns: nanoseconds per
 * element of its steps with contact; time(context, world) measures them again without contact. */
void bench_touching(elastica_world *world, const char *scene, int elements, double ns, bench_timer time, void *context);

#endif
