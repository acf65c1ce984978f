#include "right_angle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

right_angle right_angle_of(double width, double density) {
  const double modulus = 71240, shear = modulus / 2 / 1.31, depth = 30, area = depth * width;
  right_angle of = {.leg = 240};
  of.shear[0] = of.shear[1] = 5.0 / 6 * shear * area, of.shear[2] = modulus * area;
  of.bend[0] = modulus * width * pow(depth, 3) / 12, of.bend[1] = modulus * depth * pow(width, 3) / 12;
  of.bend[2] = shear * depth * pow(width, 3) / 3 * (1 - 0.63 * width / depth);
  of.radius = sqrt((depth * depth + width * width) / 6);
  of.density = density * area / (acos(-1) * of.radius * of.radius);
  return of;
}

void right_angle_add(example *e, elastica_world *world, const right_angle *of, int n, elastica_rod *leg[2]) {
  double *shear = malloc(6 * (size_t)n * sizeof *shear), *bend = shear + 3 * n;
  if (!shear) example_require(e, NULL, ELASTICA_OUT_OF_MEMORY);
  for (int j = 0; j < n; j++) {
    memcpy(shear + component(j, X), of->shear, sizeof of->shear);
    memcpy(bend + component(j, X), of->bend, sizeof of->bend);
  }
  for (int k = 0; k < 2; k++) {
    elastica_rod_def def;
    elastica_rod_def_init(&def, sizeof def);
    def.element_count = n;
    def.start[X] = k * of->leg;
    def.direction[X] = 1 - k, def.direction[Y] = -k, def.direction[Z] = 0;
    def.normal[X] = def.normal[Y] = 0, def.normal[Z] = 1;
    def.length = of->leg;
    def.radius = of->radius;
    def.density = of->density;
    def.shear_stiffness = shear;
    def.bend_stiffness = bend;
    example_require(e, world, elastica_world_add_rod(world, &def, &leg[k]));
  }
  free(shear);

  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  example_require(e, world, elastica_add_boundary(world, leg[0], &clamp, NULL));
  elastica_joint_def corner;
  elastica_joint_def_init(&corner, sizeof corner);
  corner.kind = ELASTICA_JOINT_FIXED;
  corner.first = (elastica_anchor){.rod = leg[0], .element = -1, .share = 1};
  corner.second = (elastica_anchor){.rod = leg[1]};
  example_require(e, world, elastica_add_joint(world, &corner, NULL));
}
