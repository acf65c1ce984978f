/* The options of bench on its command line. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "scenes.h"

#include <stdio.h>

enum { MOST_SCENES = 32 };

typedef struct options {
  int chosen[MOST_SCENES]; /* 1: only the scene of this number is measured */
  elastica_instruction_set set;
  const char *set_name;
  int workers;
  int size;   /* 0: all sizes of each scene */
  long steps; /* 0: measure; otherwise take this number of steps and print nothing */
  int quick;
  int snapshots; /* 1: also measure the cost of saving and restoring a state */
  int statics;   /* 1: also measure the cost of an equilibrium, of its modes, and of implicit steps */
  int relax;     /* 1: take equilibria without modes */
  int implicit;  /* 1: take implicit steps */
  int rods;      /* of implicit steps, alike */
  int clock;     /* 1: wall-clock time with one worker, too */
  FILE *csv;     /* NULL: none */
} options;

/* Ends the program, with a sentence and status 2, when an option is invalid; after --help with status 0. AUTO is replaced by the set
 * that it selects. */
void read_options(options *o, int argc, char **argv);

#endif
