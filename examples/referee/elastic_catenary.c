/* Irvine, Cable Structures (1981), section 1.3, for pins at one height. */
#include "referee/elastic_catenary.h"
#include <math.h>

void elastic_catenary_point(const elastic_catenary *of, double s, double *x, double *z) {
  const double h = of->pull, w = of->weight, v = w * of->length / 2, here = v - w * s;
  *x = h * s / of->stretch + h / w * (asinh(v / h) - asinh(here / h));
  *z = w * s / of->stretch * (s / 2 - of->length / 2) + (sqrt(h * h + here * here) - sqrt(h * h + v * v)) / w;
}

elastic_catenary elastic_catenary_solve(double length, double span, double weight, double stretch) {
  elastic_catenary of = {length, span, weight, stretch, 0};
  double low = 1e-9 * weight * length, high = 1e3 * weight * length;
  for (int pass = 0; pass < 200; pass++) {
    double x, z;
    of.pull = (low + high) / 2;
    elastic_catenary_point(&of, length, &x, &z);
    if (x < span)
      low = of.pull;
    else
      high = of.pull;
  }
  return of;
}
