/* The cost of contact in a scene with contact. */
#ifndef BENCH_TOUCHING_H
#define BENCH_TOUCHING_H

#include <elastica.h>

/* Nanoseconds per element and step of the world in its present state. */
typedef double (*bench_timer)(void *context, elastica_world *world);

/* Prints the lines of a world of the scene with that name; the world may have an effect of elastica_add_contact. ns: nanoseconds per
 * element of its steps with contact; time(context, world) measures them again without contact. */
void bench_touching(elastica_world *world, const char *scene, int elements, double ns, bench_timer time, void *context);

/* Returns 1 if rods touch each other in this world. */
int bench_has_contact(elastica_world *world);

/* Takes the first steps of a new world of the scene and prints the line of the same steps for every size. yardstick: nanoseconds of a
 * touching pair by itself (yardstick.h); 0: none. */
void bench_same_steps(elastica_world *world, const char *scene, int elements, double dt, double yardstick);

#endif
