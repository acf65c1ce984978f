/* Monotonic clock. This file and parallel.h are the only POSIX-specific parts of the library. */
#ifndef ELI_CLOCK_H
#define ELI_CLOCK_H

/* Seconds since a fixed but unspecified time; never decreases. */
double eli_clock_now(void);

#endif
