/* The survey of a rod, from which a check of a world judges it. */
#ifndef ELI_CHECK_H
#define ELI_CHECK_H

#include "hooks/effects.h"

/* The data about one rod that a check needs: facts, supports, and the loads of its effects (facts.c). */
typedef struct eli_survey {
  elastica_rod *rod;
  double dt;                /* [s] step size for hooks */
  elastica_rod_facts facts; /* without the step limit */
  unsigned held[2];         /* prescribed axes of the first and the last node */
  int held_inside;          /* 1: an inner node or frame is prescribed as well */
  int damped;               /* 1: an effect dissipates, or may do so */
  int supported;            /* 1: reactions act on the rod and may support its loads */
  double *memory;
  double *force[3], *couple[3];                                    /* sums over all effects */
  double *own_force[3], *own_couple[3], *own_drag, *own_spin_drag; /* loads of one effect */
  /* turning: the effect with the largest moment about the clamped end. Moments of all forces and of all couples [N m], and the total force
   * [N]. */
  elastica_effect *turning;
  double moment, couple_moment, resultant[3];
  /* A user's effect that writes beyond first_written..last_written, or rates although adds_rates is 0; NULL: none. Its first such index. */
  elastica_effect *stray;
  int stray_index, stray_rate, allowed[2]; /* stray_rate 1: a rate; allowed: first and last index */
} eli_survey;

/* Surveys a rod with filled derived lanes, in a prepared world. OUT_OF_MEMORY and failures of hooks are refusals; their sentences name the
 * function. */
elastica_status eli_survey_rod(eli_survey *survey, elastica_rod *rod, double dt, const char *function);
void eli_survey_release(eli_survey *survey);

#endif
