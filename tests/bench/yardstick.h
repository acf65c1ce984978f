/* The least cost of a touching pair of elements: the measure of contact. */
#ifndef BENCH_YARDSTICK_H
#define BENCH_YARDSTICK_H

#include <elastica.h>

/* Nanoseconds per touching pair with everything in the cache, on this processor and for this instruction set; 0: there is no yardstick. */
double bench_yardstick(elastica_instruction_set set);

#endif
