/* What the processor can do. */
#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H

#include <elastica.h>

/* Billions of operations per second of one core, in a loop over registers alone with the vectors of an instruction set: fused multiply-adds, two
 * operations each, none waiting for another. Without such instructions: a multiplication and an addition. */
double bench_peak(elastica_instruction_set set);

/* Processor time of this process, and time of the clock [s]. */
double bench_processor_seconds(void);
double bench_clock_seconds(void);

#endif
