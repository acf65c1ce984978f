/* The swimmer of flagella: a filament with a thick head, bent by a cluster of heart cells beside it.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", and their program, with its
 *           values in SI; the swimmer of Williams et al. 2014
 * settings  18 elements of silicone along x; the head at node 0. The cells are a rod of two elements with a tension of 12 uN |sin(w t)|
 *           along their edges. Drag of a slender body on the filament, viscosity 1.2 mPa s. Mass and drag of the tail are those of its
 *           radius, its stiffness that of a round rod of 5.3/7 of it
 * joint     the authors pull the ends of the cells to points beside two elements by springs, omit the opposite force on the filament,
 *           and apply a quarter of the difference of the two moments to it. AUTHORS does the same; BALLS are two of the library's joints
 * designs   head and cells may begin anywhere: for an element that is partly head, areas and compliances are means; a couple between the
 *           middles of two elements is shared by them. The points lie on the surface of the round rod of the stiffness
 */
#ifndef EXAMPLES_FLAGELLUM_H
#define EXAMPLES_FLAGELLUM_H

#include "example.h"

enum { FLAGELLUM_ELEMENTS = 18, FLAGELLUM_CELLS = 2, FLAGELLUM_SEEN = 9 }; /* the last: the node tracked by the authors */

#define FLAGELLUM_LENGTH 1.927e-3 /* [m] */
#define FLAGELLUM_BEATS 3.6       /* [1/s] */

typedef enum flagellum_joint { FLAGELLUM_AUTHORS, FLAGELLUM_BALLS } flagellum_joint;

typedef struct flagellum_plan {
  double head, beside;             /* [elements] length of the head; start of the cells, from the end of the head */
  double head_radius, tail_radius; /* [m] */
  flagellum_joint joint;
  double rotary; /* rotary_inertia_scale of the filament */
  int wet_cells; /* 1: drag on the cells, too */
} flagellum_plan;

/* The original design, for an initialiser. */
#define FLAGELLUM_ORIGINAL .head = 4, .beside = 4.5, .head_radius = 20e-6, .tail_radius = 7e-6

typedef struct flagellum {
  elastica_world *world;
  elastica_rod *body, *cells;
} flagellum;

void flagellum_build(example *e, flagellum *of, const flagellum_plan *plan);

#endif
