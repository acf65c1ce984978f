/* ln x near 1, the range of dilatations, for plain code and for kernels.
 *
 * test       tests/test_drag.c
 */
#ifndef ELI_LOG_SERIES_H
#define ELI_LOG_SERIES_H

#include "base/target.h"

/* ln x = 2 artanh s, s = (x - 1)/(x + 1), by its series, correct to rounding for s^2 < ELI_LOG_SERIES_END. */
#define ELI_LOG_SERIES_END 0.01

static inline double eli_log_argument(double x) {
  return (x - 1.0) / (x + 1.0);
}

static inline double eli_log_series(double s) {
  const double q = s * s;
  return 2.0 * s *
         (1.0 + q * (1.0 / 3.0 + q * (1.0 / 5.0 + q * (1.0 / 7.0 + q * (1.0 / 9.0 + q * (1.0 / 11.0 + q * (1.0 / 13.0 + q / 15.0)))))));
}

#endif
