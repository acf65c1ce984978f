/* The wing of a pigeon as the authors of wing.c's paper have it, in millimetres, grams and seconds; what differs from their program is said
 * there. */
#ifndef EXAMPLES_PIGEON_H
#define EXAMPLES_PIGEON_H

#include "feather.h"

enum { PIGEON_BONES = 6, PIGEON_MUSCLES = 4, PIGEON_PRIMARIES = 10, PIGEON_SECONDARIES = 9, PIGEON_TIES = 7 };

/* It must stay where it is while its world lives. Numbers of rods: bones first, then feathers, each shaft before its barbs, then muscles.
 */
typedef struct pigeon_wing {
  elastica_world *world;
  mass_table masses;
  barb_table barbs;
  bone bone[PIGEON_BONES];                                  /* humerus, ulna, radius, the two of the hand, digit */
  elastica_rod *muscle[PIGEON_MUSCLES];                     /* supracoracoideus, which lifts, pectoralis, biceps, triceps */
  elastica_effect *tie[PIGEON_TIES], *grip[PIGEON_MUSCLES]; /* of bones, of muscles on bones */
  elastica_effect *shoulder;                                /* of rigid bones; NULL: a pin */
  int ties, every, rigid;
} pigeon_wing;

/* every: one pair of barbs stands for so many; rigid: bones are rigid bodies. */
void pigeon_wing_build(example *e, pigeon_wing *w, int every, int rigid);

/* Closes its world. */
void pigeon_wing_free(example *e, pigeon_wing *w);

/* The tension of a muscle [N] at a time [s]. */
double pigeon_tension(int muscle, double time);

/* The mass [g] by the authors' rule, summed over the tables of the wing, with the lengths of its muscles, instead of its rods; all barbs.
 */
double pigeon_wing_mass(const pigeon_wing *w);

#endif
