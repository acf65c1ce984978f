/* Scenes to measure. */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include <elastica.h>

typedef struct bench_scene {
  const char *name;
  int sizes[8]; /* elements, ended by 0 */

  /* Fills the world with this many elements. Leaves *dt 0 for 0.8 of the certified step. */
  elastica_status (*fill)(elastica_world *world, int elements, double *dt);
} bench_scene;

extern const bench_scene bench_scenes[];
extern const int bench_scene_count;

#endif
