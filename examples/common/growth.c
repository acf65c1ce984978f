#include "growth.h"

#include "trials.h"
#include <math.h>

double growth_squared(example *e, elastica_world *world, const elastica_rod *rod, double (*amplitude)(const elastica_rod_view *view),
                      double interval, double longest) {
  const double from = 1e-5, to = 1e-4; /* [m] */
  double before = 0, start = 0, stop = 0;
  long steps;
  example_fit(e, interval);
  example_require(e, world, trial_steps(world, interval, e->dt, &steps));
  for (int k = 1; stop == 0 && k * interval < longest; k++) {
    example_step(e, world, interval / (double)steps, steps);
    const double now = amplitude(elastica_rod_get_view(rod));
    if (start == 0 && now > from) start = interval * (k - 1 + log(from / before) / log(now / before));
    if (now > to) stop = interval * (k - 1 + log(to / before) / log(now / before));
    before = now;
  }
  return stop > 0 ? pow(log(to / from) / (stop - start), 2) : 0;
}

double growth_threshold(const double x[3], const double y[3]) {
  return y[0] * x[1] * x[2] / ((x[0] - x[1]) * (x[0] - x[2])) + y[1] * x[0] * x[2] / ((x[1] - x[0]) * (x[1] - x[2])) +
         y[2] * x[0] * x[1] / ((x[2] - x[0]) * (x[2] - x[1])); /* Lagrange's parabola at x = 0 */
}
