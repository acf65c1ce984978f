/* The scenes of the benchmark. */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include <elastica.h>

enum { BENCH_SIZES = 8 };

typedef struct bench_scene {
  const char *name;
  int sizes[BENCH_SIZES]; /* element counts, ended by 0 */

  /* Fills the world with this many elements. *dt remains 0 if the scene uses half of the certified step. */
  elastica_status (*fill)(elastica_world *world, int elements, double *dt);

  /* Called before each step; each step is then a call of its own. NULL: one call takes all steps. */
  elastica_status (*change)(elastica_world *world, long step);

  int unit;       /* element counts are multiples of this, the elements of one rod */
  int papers_law; /* 1: RESCALED with the papers' couple; 0: the default law of a world */
} bench_scene;

extern const bench_scene bench_scenes[];
extern const int bench_scene_count;

/* Adds count free rods of n elements each, which bend, twist and turn (see bare.c). share: ratio of the second half axis of their
 * sections to the first. */
elastica_status bench_add_bare(elastica_world *world, int count, int n, double share);

/* contacts.c: rods in contact. */
elastica_status bench_fill_crossing(elastica_world *world, int elements, double *dt);
elastica_status bench_fill_pack(elastica_world *world, int elements, double *dt);
elastica_status bench_fill_yarn(elastica_world *world, int elements, double *dt);

/* meshes.c: a rod on a sheet of 968 and of 99,458 triangles. */
elastica_status bench_fill_coarse_mesh(elastica_world *world, int elements, double *dt);
elastica_status bench_fill_fine_mesh(elastica_world *world, int elements, double *dt);

#endif
