/* The cost of statics. */
#ifndef BENCH_STATICS_H
#define BENCH_STATICS_H

#include <elastica.h>

/* Prints two lines for rods of 10, 100 and 1,000 elements. */
void bench_statics(elastica_instruction_set set, int quick);

/* Finds so many times the equilibrium of a rod and, with modes 1, its ten lowest modes, and prints nothing. */
void bench_take_statics(elastica_instruction_set set, int elements, long count, int modes);

/* Takes so many implicit steps of a steel wire under its weight, each of four iterations, and prints nothing. */
void bench_take_implicit(elastica_instruction_set set, int elements, long steps);

#endif
