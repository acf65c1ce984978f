/* L = I1 d x dd/dt + L3 d, so that dd/dt = L x d/I1; dL/dt = m g l z x d. */
#include "flying/rigid_top.h"

static void find_rates(const rigid_top *top, double axis[3], double spun[3]) {
  const double *d = top->axis, *l = top->spun;
  for (int a = 0; a < 3; a++) axis[a] = (l[(a + 1) % 3] * d[(a + 2) % 3] - l[(a + 2) % 3] * d[(a + 1) % 3]) / top->across;
  spun[0] = -top->weight_moment * d[1];
  spun[1] = top->weight_moment * d[0];
  spun[2] = 0;
}

void rigid_top_advance(rigid_top *top, double dt, long count) {
  static const double PLACE[4] = {0, 0.5, 0.5, 1}, SHARE[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (long k = 0; k < count; k++) {
    rigid_top stage = *top, end = *top;
    double axis[3] = {0}, spun[3] = {0};
    for (int p = 0; p < 4; p++) {
      for (int a = 0; a < 3; a++) {
        stage.axis[a] = top->axis[a] + PLACE[p] * dt * axis[a];
        stage.spun[a] = top->spun[a] + PLACE[p] * dt * spun[a];
      }
      find_rates(&stage, axis, spun);
      for (int a = 0; a < 3; a++) end.axis[a] += SHARE[p] * dt * axis[a], end.spun[a] += SHARE[p] * dt * spun[a];
    }
    *top = end;
  }
}
