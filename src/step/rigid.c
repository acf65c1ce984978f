/* Rigid bodies in a step: the replacements for strains, loads and mode bounds of rods. Drift and kick are those of rods (kernels/): the
 * kick takes (J omega) x omega of three arbitrary moments at the midpoint.
 *
 * test       tests/test_body.c, tests/test_body_free.c
 */
#include "base/target.h"

#include <math.h>
#include <string.h>

#include "step/stages.h"

static void clear(const eli_work *work, int first, int end) {
  for (int k = first; k < end; k++) memset(work->scratch[k], 0, (work->tile->count + ELI_BLOCK) * sizeof(double));
}

void eli_rigid_loads(const eli_work *work) {
  clear(work, ELI_STRETCH_FORCE, ELI_STRETCH_RATE);
}

void eli_rigid_strains(const eli_work *work) {
  clear(work, ELI_STRAIN, ELI_TOTAL_FORCE);
}

/* omega^2 = k/m + k_r/J, and the rate in the same form. For a spring that acts beside the centre, k_r is k times the square of its lever
 * arm, and this value is the frequency itself or above it. */
void eli_rigid_limits(const eli_work *work, int added) {
  double *const *lane = work->tile->lane, *const *out = work->scratch;
  clear(work, ELI_ELEMENT_LIMIT, ELI_ADDED_BOUND + 1);
  if (!added) clear(work, ELI_ADDED_NODE, ELI_ADDED_ELEMENT_RATE + 1);
  ELI_EACH_ROD(rod, work->world, work->tile) {
    const size_t at = eli_first_slot(work, rod);
    const double *J[3] = {lane[ELI_INERTIA], lane[ELI_INERTIA + 1], lane[ELI_INERTIA + 2]};
    const double low = J[0][at] < J[1][at] ? J[0][at] : J[1][at], least = low < J[2][at] ? low : J[2][at];
    const double bound = out[ELI_ADDED_NODE][at] / lane[ELI_MASS][at] + out[ELI_ADDED_ELEMENT][at] / least;
    const double rate = out[ELI_ADDED_NODE_RATE][at] / lane[ELI_MASS][at] + out[ELI_ADDED_ELEMENT_RATE][at] / least;
    out[ELI_ADDED_BOUND][at] = bound;
    out[ELI_ELEMENT_LIMIT][at] = 4.0 / (rate + sqrt(rate * rate + 4.0 * bound)); /* infinite if both are 0 */
  }
}

static double square_of(double *const *lane, size_t at) {
  return lane[0][at] * lane[0][at] + lane[1][at] * lane[1][at] + lane[2][at] * lane[2][at];
}

eli_extremes eli_rigid_extremes(const eli_work *work) {
  double *const *lane = work->tile->lane;
  eli_extremes of = {INFINITY, 0.0, 0.0, 0.0, 0.0};
  ELI_EACH_ROD(rod, work->world, work->tile) {
    const size_t at = eli_first_slot(work, rod);
    const double step = work->scratch[ELI_ELEMENT_LIMIT][at], spin2 = square_of(lane + ELI_OMEGA, at);
    const double own = step >= 0.0 ? step : 0.0, speed2 = square_of(lane + ELI_VELOCITY, at);
    if (own < of.step) of.step = own;
    if (spin2 > of.spin2) of.spin2 = spin2;
    if (speed2 > of.speed2) of.speed2 = speed2;
  }
  return of;
}
