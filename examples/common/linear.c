/* Linear equations of an oracle, by Gaussian elimination. */
#include "common/linear.h"

#include <math.h>

void example_solve(int count, double *a, double *y) {
  for (int k = 0; k < count; k++) {
    int best = k;
    for (int i = k + 1; i < count; i++)
      if (fabs(a[i * count + k]) > fabs(a[best * count + k])) best = i;
    for (int j = 0; j < count; j++) {
      const double swap = a[k * count + j];
      a[k * count + j] = a[best * count + j], a[best * count + j] = swap;
    }
    const double swap = y[k];
    y[k] = y[best], y[best] = swap;
    for (int i = k + 1; i < count; i++) {
      const double share = a[i * count + k] / a[k * count + k];
      for (int j = k; j < count; j++) a[i * count + j] -= share * a[k * count + j];
      y[i] -= share * y[k];
    }
  }
  for (int k = count - 1; k >= 0; k--) {
    for (int j = k + 1; j < count; j++) y[k] -= a[k * count + j] * y[j];
    y[k] /= a[k * count + k];
  }
}
