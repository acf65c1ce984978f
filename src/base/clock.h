/* The clock on the wall. Besides parallel.h the only POSIX-specific part of the library. */
#ifndef ELI_CLOCK_H
#define ELI_CLOCK_H

/* Seconds since some moment in the past; never goes back. */
double eli_clock_now(void);

#endif
