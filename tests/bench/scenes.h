/* Scenes to measure. */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include <elastica.h>

enum { BENCH_SIZES = 8 };

typedef struct bench_scene {
  const char *name;
  int sizes[BENCH_SIZES]; /* elements, ended by 0 */

  /* Fills the world with this many elements. Leaves *dt 0 for half of the certified step. */
  elastica_status (*fill)(elastica_world *world, int elements, double *dt);

  /* Before each step, which is then a call of its own; NULL: one call takes all steps. */
  elastica_status (*change)(elastica_world *world, long step);

  int unit;       /* elements are a multiple of this, those of one rod */
  int papers_law; /* 1: RESCALED with the papers' couple; 0: the law of a world by default */
} bench_scene;

extern const bench_scene bench_scenes[];
extern const int bench_scene_count;

/* Adds count free rods of n elements each, which bend, twist and turn (see bare.c). share: the second half axis of their sections over the first. */
elastica_status bench_add_bare(elastica_world *world, int count, int n, double share);

/* contacts.c: rods that touch each other. */
elastica_status bench_fill_crossing(elastica_world *world, int elements, double *dt);
elastica_status bench_fill_pack(elastica_world *world, int elements, double *dt);
elastica_status bench_fill_yarn(elastica_world *world, int elements, double *dt);

#endif
