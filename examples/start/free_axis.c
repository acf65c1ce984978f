/* A free axis: a rod on a hinge swings as a pendulum; a clamp would hold its whole frame, and a pin no part of the frame.
 * formula  Period of a uniform stiff rod on a hinge, for small angles: 2 pi sqrt(2 L/(3 g)); at 0.1 rad it is longer by 0.1^2/16. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

int main(void) {
  const double pi = 3.14159265358979, length = 0.3, g = 9.81, angle = 0.1; /* [m] [m/s^2] [rad] */
  const double gravity[3] = {0, 0, -9.81}, step = 1e-3;
  elastica_world *world = NULL;
  elastica_rod *rod = NULL;
  elastica_effect *hinge = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 20;
  def.direction[0] = sin(angle), def.direction[2] = -cos(angle); /* hangs, 0.1 rad from the vertical */
  def.length = length, def.radius = 0.01;
  def.density = 1200, def.youngs_modulus = 1e8; /* [kg/m^3] [Pa] */
  must(world, elastica_world_add_rod(world, &def, &rod));
  must(world, elastica_add_gravity(world, gravity, NULL));

  elastica_joint_def joint;
  elastica_joint_def_init(&joint, sizeof joint);
  joint.kind = ELASTICA_JOINT_HINGE;
  joint.first.rod = rod;                                   /* its node 0; the second anchor is the world, at the same point */
  joint.axis[0] = 0, joint.axis[1] = 1, joint.axis[2] = 0; /* turns about y only */
  joint.force = 1, joint.gap = 1e-5;                       /* opens by 10 um under 1 N */
  joint.couple = 1, joint.angle = 1e-2;
  joint.damping = 0.2;
  must(world, elastica_add_joint(world, &joint, &hinge));

  double before = angle, crossing[2] = {0, 0};
  int crossings = 0;
  elastica_joint_info now;
  while (crossings < 3) {
    must(world, elastica_world_advance(world, step));
    must(world, elastica_joint_get(hinge, &now));
    const double turned = elastica_rod_get_view(rod)->position[0][20]; /* sideways position of the tip */
    if (before * turned < 0) {
      const double time = elastica_world_get(world).time - step * turned / (turned - before);
      if (crossings != 1) crossing[crossings / 2] = time;
      crossings++;
    }
    before = turned;
  }
  printf("period: %.5f s; theory: %.5f s\n", crossing[1] - crossing[0], 2 * pi * sqrt(2 * length / (3 * g)) * (1 + angle * angle / 16));
  printf("the hinge bears %.4f N, and opens by %.1e m\n", sqrt(now.force[0] * now.force[0] + now.force[2] * now.force[2]), now.gap);
  elastica_world_destroy(world);
  return 0;
}
