/* About the mean of x, to avoid cancellation in the sums. */
#include "common/line.h"

line line_through(const double *x, const double *y, int count) {
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (int k = 0; k < count; k++) mean_x += x[k] / count, mean_y += y[k] / count;
  for (int k = 0; k < count; k++) xx += (x[k] - mean_x) * (x[k] - mean_x), xy += (x[k] - mean_x) * (y[k] - mean_y);
  return (line){mean_y - xy / xx * mean_x, xy / xx};
}
