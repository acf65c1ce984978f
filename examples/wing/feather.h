/* Feathers of a shaft and barbs, and the drag of the air on them. Any consistent units; those of wing.c are millimetres, grams and
 * seconds. */
#ifndef EXAMPLES_FEATHER_H
#define EXAMPLES_FEATHER_H

#include "bone.h"

enum { SHAFT_ELEMENTS = 8, BARB_ELEMENTS = 4 };

/* Common properties of all feathers of a wing. */
typedef struct feather_kind {
  double density, youngs_modulus, shear_modulus;
  double shaft_radius, barb_radius;
  double barb_length;                  /* of the first pair beyond the fluff at the root */
  double longest, stiffer;             /* stiffness factor at this length; varies with its square */
  double root_stiffness, root_turning; /* of the joint of shaft and bone: force per length, couple per angle */
  double barb_stiffness;               /* of shaft and barb; a rigid joint ties their frames */
  double first_barb, next_barb, fluff; /* pairs at first_barb + j next_barb; the first `fluff` of them are shorter */
  int fan;                             /* pairs of the fan at the tip */
  double drag;                         /* dissipation of all rods of the world; barbs that represent several have an additional part */
} feather_kind;

typedef struct feather_plan {
  elastica_anchor root; /* on its bone; its offset is 0 if the bone is a rod */
  double start[3], direction[3];
  double length, mass; /* of the shaft; the mass without the additions by the rule of bone.h */
  int pairs;
  double fan_at;
  int fan_grows; /* 1: masses of the fan's barbs are proportional to their lengths; 0: all that of the shortest */
  int every;     /* 1: all barbs; k: a pair represents k pairs, with their mass, stiffness and air */
} feather_plan;

/* Barbs of a world, by the numbers of their rods. */
typedef struct barb_table {
  double *stands_for; /* number of represented barbs; 0: the rod is not a barb */
  elastica_effect **joint;
  int rods, barbs;
} barb_table;

/* Adds the shaft, its barbs and their joints, all FIXED; returns the shaft. */
elastica_rod *feather_add(example *e, elastica_world *world, mass_table *masses, barb_table *barbs, const feather_kind *kind,
                          const feather_plan *plan);

void barb_table_free(barb_table *barbs);

/* Air at rest: F = -coefficient l |v| v on the inner nodes of barbs, l the present length of the element behind the node; coefficient l
 * |v| is added as a rate of dissipation. The table must live as long as the world. */
elastica_effect *still_air_add(example *e, elastica_world *world, const barb_table *barbs, double coefficient);

#endif
