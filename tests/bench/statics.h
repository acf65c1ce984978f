/* The cost of statics. */
#ifndef BENCH_STATICS_H
#define BENCH_STATICS_H

#include <elastica.h>

/* Alike steel wires under their weight. */
typedef struct bench_wires {
  elastica_instruction_set set;
  int workers, count, elements; /* of each */
} bench_wires;

/* Prints a line for rods of 10, 100 and 1,000 elements, and one for the implicit steps of wires. */
void bench_statics(elastica_instruction_set set, int quick);

/* Finds so many times the equilibrium of a rod and, with modes 1, its ten lowest modes, and prints nothing. */
void bench_take_statics(elastica_instruction_set set, int elements, long count, int modes);

/* Takes so many implicit steps, each of four iterations, and prints nothing. */
void bench_take_implicit(const bench_wires *wires, long steps);

#endif
