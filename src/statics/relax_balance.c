/* What is left of forces and couples on the way to equilibrium, and what may be left at its end.
 *
 * models     residual of each rod beside the forces and couples at work in that rod, and beside what rounding leaves of them
 * test       tests/test_relax_world.c, tests/test_relax_runaway.c
 *
 * Each rod is judged by its own: what would be rounding in a taut cable is all that a soft filament beside it ever feels.
 * A rod that nothing holds has no equilibrium under a load, and its residual never falls: what is allowed for rounding must not grow with its way.
 */
#include "base/target.h"

#include <float.h>
#include <math.h>

#include "statics/relax.h"

/* Lengths of a rod: farther from equilibrium than that it is not there, whatever its residual. */
#define FAR_FROM_REST 10.0

/* ---- Residuals ---- */

/* Positions are known to eps |r|, hence strains to eps |r|/l, frames and their angles to a few eps. Of the rod at its place and at rest: what
 * runs away, or stretches without end, must not excuse itself. */
static void weigh_rounding(const elastica_rod *rod, size_t j, const eli_place *place, eli_balance *balance) {
  double *const *lane = rod->world->slab.lane;
  const size_t slot = rod->offset + j;
  const double l = lane[ELI_REST_LENGTH][slot], eps = 8.0 * DBL_EPSILON, far = 2.0 * place->reach;
  double stiff = 0.0, bend = 0.0;
  for (size_t a = 0; a < 3; a++) {
    eli_keep_larger(&stiff, fabs(lane[ELI_SHEAR_STIFFNESS + a][slot]));
    eli_keep_larger(&bend, fabs(lane[ELI_ELEMENT_BEND + a][slot]));
  }
  eli_keep_larger(&balance->rounding_force, eps * stiff * (far / l));
  eli_keep_larger(&balance->rounding_couple, eps * (stiff * far + bend / l));
}

static void weigh_rod(const eli_relaxation *relaxation, const elastica_rod *rod, const eli_statics *statics, eli_balance *balance) {
  const eli_balance nothing = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  double whole = 0.0;
  *balance = nothing;
  for (size_t i = 0; i < relaxation->tangents[rod->index].blocks; i++) {
    const size_t block = statics->first[rod->index] + i;
    const double *strain = statics->strain + 12 * block, l = relaxation->world->slab.lane[ELI_LENGTH][rod->offset + i];
    eli_keep_larger(&balance->force, eli_length(statics->total + 6 * block));
    eli_keep_larger(&balance->couple, eli_length(statics->total + 6 * block + 3));
    eli_keep_larger(&balance->reference_force, eli_length(statics->external + 6 * block));
    eli_keep_larger(&balance->reference_couple, eli_length(statics->external + 6 * block + 3));
    if (i == (size_t)rod->element_count) continue; /* the last node has no element */
    eli_keep_larger(&balance->reference_force, eli_length(strain + 3));
    eli_keep_larger(&balance->reference_couple, eli_length(strain + 3) * l);
    if (i > 0 || rod->closed) eli_keep_larger(&balance->reference_couple, eli_length(strain + 9));
    weigh_rounding(rod, i, &relaxation->place[rod->index], balance);
    whole += l;
  }
  eli_keep_larger(&balance->reference_force, balance->reference_couple / whole);
}

int eli_relax_weigh(const eli_relaxation *relaxation, const eli_statics *statics, eli_balance *balance) {
  int finite = 1;
  for (int r = 0; r < relaxation->world->rod_count; r++) {
    weigh_rod(relaxation, relaxation->world->rods[r], statics, &balance[r]);
    if (!(balance[r].force <= DBL_MAX && balance[r].couple <= DBL_MAX)) finite = 0;
  }
  return finite;
}

/* Of a rod, with references that remember the start: what was at work there may be gone at the end. */
static eli_balance balance_of(const eli_relaxation *relaxation, int r) {
  eli_balance balance = relaxation->balance[r];
  eli_keep_larger(&balance.reference_force, relaxation->start[r].reference_force);
  eli_keep_larger(&balance.reference_couple, relaxation->start[r].reference_couple);
  return balance;
}

static double share(double residual, double allowed) {
  return residual > 0.0 ? residual / allowed : 0.0;
}

/* The residual over what is allowed of it. */
static double excess(const eli_relaxation *relaxation, const eli_balance *balance) {
  const double tolerance = relaxation->def.tolerance;
  return eli_larger(share(balance->force, eli_larger(tolerance * balance->reference_force, balance->rounding_force)),
                    share(balance->couple, eli_larger(tolerance * balance->reference_couple, balance->rounding_couple)));
}

eli_balance eli_relax_worst(const eli_relaxation *relaxation) {
  eli_balance worst = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  for (int r = 0; r < relaxation->world->rod_count; r++) {
    const eli_balance balance = balance_of(relaxation, r);
    if (r == 0 || excess(relaxation, &balance) > excess(relaxation, &worst)) worst = balance;
  }
  return worst;
}

/* ---- Distance ---- */

/* Of a rod, by the step that would come next. */
static double distance_of(const eli_relaxation *relaxation, size_t r) {
  double most = 0.0;
  for (size_t i = 0; i < relaxation->tangents[r].blocks; i++)
    eli_keep_larger(&most, eli_length(relaxation->step + 6 * (relaxation->first[r] + i)));
  return most / (relaxation->contraction < 0.9 ? 1.0 - relaxation->contraction : 0.1);
}

void eli_relax_estimate(eli_relaxation *relaxation) {
  relaxation->distance = 0.0;
  if (!eli_relax_finish(relaxation)) relaxation->distance = INFINITY;
  for (size_t r = 0; r < (size_t)relaxation->world->rod_count && relaxation->distance < INFINITY; r++)
    eli_keep_larger(&relaxation->distance, distance_of(relaxation, r));
}

static int is_near(const eli_relaxation *relaxation) {
  if (!(relaxation->distance < INFINITY)) return 0;
  for (size_t r = 0; r < (size_t)relaxation->world->rod_count; r++)
    if (!(distance_of(relaxation, r) <= FAR_FROM_REST * relaxation->place[r].length)) return 0;
  return 1;
}

int eli_relax_is_settled(eli_relaxation *relaxation) {
  const eli_balance worst = eli_relax_worst(relaxation);
  if (!(excess(relaxation, &worst) <= 1.0)) return 0;
  eli_relax_estimate(relaxation);
  return is_near(relaxation);
}
