/* Facts about a rod: means of its properties, wave speeds, the lowest natural frequency.
 *
 * equation   bending: f = (beta^2/(2 pi L^2)) sqrt(EI/(rho A)), beta by the supports of the ends; for a ring
 *            sqrt(36/5) sqrt(EI/(rho A))/R^2 in its two-lobed mode; torsion and stretch: c/(4 L) if exactly one end is fixed, else c/(2 L)
 *            bending speed for the wave of two elements: omega/k of the lower branch of
 *            [[S1 s^2/m', S1 s/sqrt(m' j')], [., (S1 + B1 s^2)/j']], s = 2/l, k = pi/l, m' and j' mass and rotary inertia per length
 * source     Timoshenko's beam on the grid of nodes and frames; ring: Love 1892
 * test       tests/test_facts.c
 */
#include "base/target.h"

#include <math.h>

#include "base/elementary.h"
#include "rod/law.h"
#include "step/stepper.h"
#include "world/survey.h"

static double smaller(double a, double b) {
  return a < b ? a : b;
}

/* Means over the length at rest. */
typedef struct means {
  double length, mass, inertia, spin_inertia; /* sums over all elements: [kg], [kg m^2] */
  double stretch, shear, bend, twist;
} means;

static means means_of(const elastica_rod *rod, elastica_rod_facts *facts) {
  const elastica_rod_view *view = &rod->body->view;
  const double *mass = rod->world->slab.lane[ELI_ELEMENT_MASS] + rod->offset;
  means all = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  double volume = 0.0;
  facts->shortest = INFINITY;
  for (int j = 0; j < view->element_count; j++) {
    const double l = view->rest_length[j], radius = eli_radius(view->volume[j], l), ratio = l / radius;
    all.length += l;
    all.mass += mass[j];
    volume += view->volume[j];
    all.inertia += smaller(view->inertia[0][j], view->inertia[1][j]);
    all.spin_inertia += view->inertia[2][j];
    all.stretch += l * view->shear_stiffness[2][j];
    all.shear += l * smaller(view->shear_stiffness[0][j], view->shear_stiffness[1][j]);
    all.bend += l * smaller(view->element_bend_stiffness[0][j], view->element_bend_stiffness[1][j]);
    all.twist += l * view->element_bend_stiffness[2][j];
    facts->radius += l * radius;
    if (ratio < facts->shortest) facts->shortest = ratio;
    if (ratio > facts->longest) facts->longest = ratio;
  }
  facts->radius /= all.length;
  facts->density = all.mass / volume;
  all.stretch /= all.length, all.shear /= all.length, all.bend /= all.length, all.twist /= all.length;
  return all;
}

/* beta of the lowest bending mode, for the supports of both ends. */
static double beta_of(elastica_support first, elastica_support last) {
  static const double beta[4][4] = {{4.730040744862704, 3.926602312047919, 2.365020372431352, 1.875104068711961},
                                    {3.926602312047919, 3.141592653589793, 1.570796326794897, 3.926602312047919},
                                    {2.365020372431352, 1.570796326794897, 3.141592653589793, 2.365020372431352},
                                    {1.875104068711961, 3.926602312047919, 2.365020372431352, 4.730040744862704}};
  return beta[first][last];
}

static double bending_frequency(const means *of, double beta) {
  const double kappa = beta / of->length;
  return kappa * kappa * sqrt(of->bend * of->length / of->mass) / (2.0 * ELI_PI);
}

static double lowest_frequency(const means *of, const elastica_rod_facts *facts, const eli_survey *survey) {
  if (survey->rod->closed) {
    const double radius = of->length / (2.0 * ELI_PI);
    return sqrt(36.0 / 5.0) * sqrt(of->bend * of->length / of->mass) / (radius * radius) / (2.0 * ELI_PI);
  }
  const int frames = (facts->first >= ELASTICA_SUPPORT_GUIDED) + (facts->last >= ELASTICA_SUPPORT_GUIDED);
  const int along = (survey->held[0] == ELASTICA_AXIS_ALL) + (survey->held[1] == ELASTICA_AXIS_ALL);
  double lowest = bending_frequency(of, beta_of(facts->first, facts->last));
  lowest = smaller(lowest, facts->torsion_speed / ((frames == 1 ? 4.0 : 2.0) * of->length));
  return smaller(lowest, facts->stretch_speed / ((along == 1 ? 4.0 : 2.0) * of->length));
}

/* The product of the squared frequencies of both branches is S1 s^2 B1 s^2/(m' j'). */
static double bending_speed(const means *of, int element_count) {
  const double l = of->length / element_count, s2 = 4.0 / (l * l), m = of->mass / of->length, j = of->inertia / of->length;
  const double a = of->shear * s2 / m, d = (of->shear + of->bend * s2) / j, b2 = of->shear * s2 / m * (of->shear / j);
  const double upper = 0.5 * (a + d + sqrt((a - d) * (a - d) + 4.0 * b2)), product = a * (of->bend * s2 / j);
  return sqrt(product / upper) * l / ELI_PI;
}

void eli_survey_facts(eli_survey *survey) {
  const elastica_rod *rod = survey->rod;
  elastica_rod_facts *facts = &survey->facts;
  const means of = means_of(rod, facts);
  facts->length = of.length;
  facts->slenderness = of.length / facts->radius;
  for (int i = 0; i < rod->body->view.node_count; i++) facts->mass += rod->body->view.mass[i];
  facts->stretch_stiffness = of.stretch, facts->shear_stiffness = of.shear;
  facts->bend_stiffness = of.bend, facts->twist_stiffness = of.twist;
  facts->stretch_speed = sqrt(of.stretch * of.length / of.mass);
  facts->shear_speed = sqrt(of.shear * of.length / of.mass);
  facts->torsion_speed = sqrt(of.twist * of.length / of.spin_inertia);
  facts->bending_speed = bending_speed(&of, rod->element_count);
  facts->frequency = lowest_frequency(&of, facts, survey);
  facts->period = 1.0 / facts->frequency;
  facts->free_frequency = bending_frequency(&of, beta_of(ELASTICA_SUPPORT_FREE, ELASTICA_SUPPORT_FREE));
  facts->cantilever_frequency = bending_frequency(&of, beta_of(ELASTICA_SUPPORT_CLAMPED, ELASTICA_SUPPORT_FREE));
}

elastica_status elastica_rod_get_facts(elastica_rod *rod, elastica_rod_facts *out) {
  elastica_status status = eli_rod_check(rod, "rod_get_facts");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = rod->world;
  if (out == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_get_facts: out is NULL");
  if (eli_is_rigid(rod))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "rod_get_facts: rod %d is a rigid body", rod->index);
  eli_survey survey;
  double limit = 0.0;
  status = eli_rod_refresh(rod, "rod_get_facts");
  if (status == ELASTICA_OK) status = eli_rod_check_limit(rod, eli_world_now(world), &limit);
  if (status == ELASTICA_OK && limit < INFINITY)
    status = eli_rod_check_limit(rod, eli_world_now(world) + ELI_LIMIT_CHECK_INTERVAL * limit, &limit);
  if (status != ELASTICA_OK) return status;
  status = eli_survey_rod(&survey, rod, limit < INFINITY ? limit : 1.0, "rod_get_facts");
  eli_survey_release(&survey);
  survey.facts.step_limit = limit;
  if (status == ELASTICA_OK) *out = survey.facts;
  return status;
}
