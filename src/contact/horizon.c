/* The look-ahead horizon of a limit check (see horizon.h). */
#include "base/target.h"

#include "contact/horizon.h"

#include "base/module.h"

#include <math.h>

/* dt <= 2/omega, and omega^2 >= 4 S3/(m l e) for each element with the mass m of its two nodes. The element with the largest omega^2 bounds
 * dt. */
double eli_horizon_time(const elastica_rod_view *rod) {
  double least = 0.0;
  for (int j = 0; j < rod->element_count; j++) {
    const double mass = rod->mass[j] + rod->mass[j + 1], e = rod->dilatation[j] > 1.0 ? rod->dilatation[j] : 1.0;
    const double square = mass * rod->length[j] * e / rod->shear_stiffness[2][j];
    if (square > 0.0 && square - square == 0.0 && (least == 0.0 || square < least)) least = square;
  }
  return ELI_LIMIT_CHECK_INTERVAL * sqrt(least);
}
