/* What a check of a world knows of one rod: facts, supports, and the loads of its effects. */
#ifndef ELI_SURVEY_H
#define ELI_SURVEY_H

#include "effects/effects.h"

typedef struct eli_survey {
  elastica_rod *rod;
  double dt;                /* [s] for hooks */
  elastica_rod_facts facts; /* without the step limit */
  unsigned held[2];         /* axes of the first and the last node that are held */
  int held_inside;          /* 1: a node or a frame that is not at an end is held, too */
  int damped;               /* 1: an effect dissipates, or may */
  int borne;                /* 1: reactions act on it, which may bear its loads */
  double *memory;
  double *force[3], *couple[3];                                    /* all loads */
  double *own_force[3], *own_couple[3], *own_drag, *own_spin_drag; /* of one effect */
  /* Of the effects, that whose loads turn most about the clamped end, and all of them [N m]. */
  elastica_effect *turning;
  double moment, couple_moment, resultant[3];
} eli_survey;

/* Surveys a rod of a prepared world whose derived lanes are filled. OUT_OF_MEMORY and failures of hooks are refusals; function: for their
 * sentences. */
elastica_status eli_survey_rod(eli_survey *survey, elastica_rod *rod, double dt, const char *function);
void eli_survey_release(eli_survey *survey);

/* survey.c and facts.c: facts of a rod whose supports are known. */
void eli_survey_facts(eli_survey *survey);

#endif
