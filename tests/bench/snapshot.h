/* The cost of snapshots. */
#ifndef BENCH_SNAPSHOT_H
#define BENCH_SNAPSHOT_H

/* Prints a line for rods of 10, 100 and 1,000 elements. */
void bench_snapshots(int quick);

#endif
