/* The peak rate and the clocks of the processor. */
#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H

#include <elastica.h>

/* Billions of operations per second of one core, in a loop that uses only registers, with the vectors of an instruction set: independent
 * fused multiply-adds of two operations each. Sets without fused multiply-adds use a multiplication and an addition. */
double bench_peak(elastica_instruction_set set);

/* Processor time of this process, and wall-clock time [s]. */
double bench_processor_seconds(void);
double bench_clock_seconds(void);

#endif
