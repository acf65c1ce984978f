/* The cost of statics. */
#ifndef BENCH_STATICS_H
#define BENCH_STATICS_H

#include <elastica.h>

/* Prints a line for rods of 10, 100 and 1,000 elements. */
void bench_statics(elastica_instruction_set set, int quick);

/* Finds so many times the equilibrium of a rod and its ten lowest modes, and prints nothing. */
void bench_take_statics(elastica_instruction_set set, int elements, long count);

#endif
