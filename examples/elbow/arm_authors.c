/* The authors' laws of the arm (see arm.h): springs with some components on one side only, a couple without its force, offsets that do
 * not turn, weight of bones and tendons.
 *
 * source     Zhang et al. 2019, their program
 * conserves  nothing: ties between rods have a resultant force and moment
 */
#include "arm_laws.h"

#include <math.h>

static const double REACH = 0.08; /* [m] from the radius to the attachment of the coil */

/* The joint is 17 mm below the humerus: a force in the plane pulls node 1 of the radius to it. */
static void pull_joint(const elastica_world_loads *loads) {
  const elastica_rod_view *humerus = loads->rods[ARM_HUMERUS], *radius = loads->rods[ARM_RADIUS];
  for (int a = Y; a <= Z; a++) {
    const double at = humerus->position[a][20] + ARM_STEP * humerus->tangent[a][19], force = ARM_SPRING * (at - radius->position[a][1]);
    loads->loads[ARM_RADIUS].force[a][1] += force;
    loads->loads[ARM_HUMERUS].force[a][20] -= force;
  }
}

static void pull_coil(const elastica_world_loads *loads) {
  const elastica_rod_view *radius = loads->rods[ARM_RADIUS], *coil = loads->rods[ARM_COIL];
  double lever[3], force[3], moment[3], couple[3];
  for (int a = 0; a < 3; a++) {
    const double at = radius->position[a][ARM_COIL_NODE] + REACH * radius->director[1][a][ARM_COIL_NODE - 1];
    force[a] = ARM_SPRING * (at - coil->position[a][0]);
    lever[a] = at - radius->position[a][1];
    loads->loads[ARM_COIL].force[a][0] += force[a];
  }
  moment[X] = -(lever[Y] * force[Z] - lever[Z] * force[Y]);
  moment[Y] = lever[X] * force[Z];
  moment[Z] = -lever[X] * force[Y];
  elastica_rotate_to_material(radius, 1, moment, couple);
  for (int a = 0; a < 3; a++) loads->loads[ARM_RADIUS].couple[a][1] += couple[a];
}

static void press_tendon(const elastica_world_loads *loads) {
  const elastica_rod_view *tendon = loads->rods[ARM_LOWER_TENDON], *bone = loads->rods[ARM_HUMERUS];
  double square = 0;
  for (int a = 0; a < 3; a++) square += pow(tendon->position[a][7] - bone->position[a][17], 2);
  const double overlap = ARM_TOUCH - sqrt(square);
  if (overlap <= 0) return;
  loads->loads[ARM_LOWER_TENDON].force[Y][7] -= ARM_BONE_STIFFNESS * overlap;
  loads->loads[ARM_HUMERUS].force[Y][17] += ARM_BONE_STIFFNESS * overlap;
}

static elastica_status act(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  const arm *of = self;
  for (int k = 0; k < ARM_FIBRE; k++)
    for (int i = 0; i < loads->rods[k]->node_count; i++) loads->loads[k].force[Z][i] -= 9.81 * loads->rods[k]->mass[i];
  links_pull(of->links, of->link_count, loads);
  bundle_pull(&of->biceps, now->time, loads);
  press_tendon(loads);
  if (!of->plan.drive) pull_joint(loads);
  if (of->plan.coil) pull_coil(loads);
  return ELASTICA_OK;
}

static elastica_status bound(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const arm *of = self;
  links_bound(of->links, of->link_count, now->rod_index, stiffness);
  if (now->rod_index == ARM_HUMERUS) stiffness->node[20] += 4 * ARM_SPRING, stiffness->node[19] += 2 * ARM_SPRING;
  if (now->rod_index == ARM_RADIUS) stiffness->node[1] += 4 * ARM_SPRING, stiffness->node[ARM_COIL_NODE] += 2 * ARM_SPRING;
  if (now->rod_index == ARM_RADIUS) stiffness->element[1] += 0.03 * ARM_SPRING;
  if (now->rod_index == ARM_COIL) stiffness->node[0] += 2 * ARM_SPRING;
  if (now->rod_index == ARM_LOWER_TENDON) stiffness->node[7] += 2 * ARM_BONE_STIFFNESS;
  for (int j = 0; j < rod->element_count && now->rod_index >= ARM_FIBRE && now->rod_index < ARM_COIL; j++)
    for (int end = 0; end < 2; end++) stiffness->node[j + end] += 2.6 * of->plan.maximum_force / rod->length[j];
  return ELASTICA_OK;
}

void arm_add_authors_laws(const example *e, arm *of) {
  links_weigh(of->world, of->links, of->link_count);
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "arm";
  module.self = of;
  module.stateless = 1;
  module.parallel_safe = 1;
  module.needs_derived = 0;
  module.add_world_loads = act;
  module.add_stiffness = bound;
  example_require(e, of->world, elastica_world_add_module(of->world, NULL, &module, NULL));
}
