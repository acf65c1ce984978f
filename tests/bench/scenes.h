/* Scenes to measure. */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include <elastica.h>

typedef struct bench_scene {
  const char *name;
  int sizes[8]; /* elements, ended by 0 */

  /* Fills the world with this many elements. Leaves *dt 0 for 0.8 of the certified step. */
  elastica_status (*fill)(elastica_world *world, int elements, double *dt);

  /* Before each step, which is then a call of its own; NULL: one call takes all steps. */
  elastica_status (*change)(elastica_world *world, long step);
} bench_scene;

extern const bench_scene bench_scenes[];
extern const int bench_scene_count;

#endif
