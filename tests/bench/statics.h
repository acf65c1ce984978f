/* The cost of statics. */
#ifndef BENCH_STATICS_H
#define BENCH_STATICS_H

/* Prints a line for rods of 10, 100 and 1,000 elements. */
void bench_statics(int quick);

#endif
