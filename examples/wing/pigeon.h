/* The wing of a pigeon by the authors of wing.c's paper, in millimetres, grams and seconds; wing.c states the differences from their
 * program. */
#ifndef EXAMPLES_PIGEON_H
#define EXAMPLES_PIGEON_H

#include "feather.h"

enum { PIGEON_BONES = 6, PIGEON_MUSCLES = 4, PIGEON_PRIMARIES = 10, PIGEON_SECONDARIES = 9, PIGEON_TIES = 7 };

/* It must remain at its address while its world exists. Numbers of rods: bones first, then feathers, each shaft before its barbs, then
 * muscles.
 */
typedef struct pigeon_wing {
  elastica_world *world;
  mass_table masses;
  barb_table barbs;
  bone bone[PIGEON_BONES];                                  /* humerus, ulna, radius, the two of the hand, digit */
  elastica_rod *muscle[PIGEON_MUSCLES];                     /* supracoracoideus (raises the wing), pectoralis, biceps, triceps */
  elastica_effect *tie[PIGEON_TIES], *grip[PIGEON_MUSCLES]; /* of bones, of muscles on bones */
  elastica_effect *shoulder;                                /* of rigid bones; NULL: a pin */
  int ties, every, rigid;
} pigeon_wing;

/* every: a pair of barbs represents this number of pairs; rigid: bones are rigid bodies. */
void pigeon_wing_build(example *e, pigeon_wing *w, int every, int rigid);

/* Closes its world. */
void pigeon_wing_free(example *e, pigeon_wing *w);

/* The tension of a muscle [N] at a time [s]. */
double pigeon_tension(int muscle, double time);

/* The mass [g] by the authors' rule, summed over the tables of the wing, with the lengths of its muscles, instead of its rods; all barbs.
 */
double pigeon_wing_mass(const pigeon_wing *w);

#endif
