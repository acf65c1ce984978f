/* Monotonic clock (see clock.h). */
#include "base/target.h"

#include "base/clock.h"

#include <time.h>

double eli_clock_now(void) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
