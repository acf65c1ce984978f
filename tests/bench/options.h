/* What bench is asked for on its command line. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "scenes.h"

#include <stdio.h>

enum { MOST_SCENES = 32 };

typedef struct options {
  int chosen[MOST_SCENES]; /* 1: the scene of this number is measured */
  elastica_instruction_set set;
  const char *set_name;
  int workers;
  int size;   /* 0: the sizes of each scene */
  long steps; /* 0: measure; else take so many and say nothing */
  int quick;
  int snapshots; /* 1: what it costs to save and restore a state, too */
  int clock;     /* 1: time of the clock with one worker, too */
  FILE *csv;     /* NULL: none */
} options;

/* Ends the program, with a sentence and status 2, when something is wrong; after --help with 0. AUTO becomes the set that it stands for. */
void read_options(options *o, int argc, char **argv);

#endif
