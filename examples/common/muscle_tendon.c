#include "muscle_tendon.h"

#include "lying.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static elastica_rod *add_rod(const example *e, elastica_world *world, const muscle_tendon *of) {
  double radius[MUSCLE_TENDON_MOST], shear[3 * MUSCLE_TENDON_MOST];
  elastica_rod *rod = NULL;
  elastica_rod_def def = lying_rod(of->n, of->length, of->muscle_radius, of->density, of->youngs_modulus);
  for (int j = 0; j < of->n; j++) {
    const int flesh = j >= of->first && j <= of->last;
    radius[j] = flesh ? of->muscle_radius : of->tendon_radius;
    const double stretch = (flesh ? 1 : of->hardening) * of->youngs_modulus * acos(-1) * radius[j] * radius[j]; /* E A */
    shear[component(j, 0)] = shear[component(j, 1)] = 4.0 / 3 * 2 / 3 * stretch;
    shear[component(j, 2)] = stretch;
  }
  memcpy(def.start, of->start, sizeof def.start);
  memcpy(def.direction, of->direction, sizeof def.direction);
  memcpy(def.normal, of->normal, sizeof def.normal);
  def.element_radius = radius;
  if (of->rotary_inertia_scale > 0) def.rotary_inertia_scale = of->rotary_inertia_scale;
  def.shear_stiffness = shear;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

elastica_rod *muscle_tendon_add(const example *e, elastica_world *world, const muscle_tendon *of) {
  if (of->n > MUSCLE_TENDON_MOST) {
    fprintf(stderr, "%s: a muscle has at most %d elements\n", e->about->name, MUSCLE_TENDON_MOST);
    exit(3);
  }
  elastica_rod *rod = add_rod(e, world, of);
  lying_damped(e, world, rod, of->damping, of->spin_damping);
  elastica_contraction_def flesh;
  elastica_contraction_def_init(&flesh, sizeof flesh);
  flesh.first = of->first, flesh.last = of->last;
  flesh.maximum_force = of->force;
  flesh.function = of->activate, flesh.user = of->user;
  example_require(e, world, elastica_add_contraction(world, rod, &flesh, NULL));
  return rod;
}
