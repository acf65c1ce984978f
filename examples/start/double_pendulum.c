/* Two stiff rods on hinges, one on the other, fall from the horizontal: joints between rods, and between a rod and the world.
 *
 * formula  The equations of the compound double pendulum; the mass of each rod is at its nodes, which adds 1/(6 n^2) to its inertia. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>

enum { ELEMENTS = 6 };
static const double LENGTH = 0.5, RADIUS = 0.01, GRAVITY = 9.81; /* [m] [m] [m/s^2] */

/* Rates of angles and spins, q = (angle, angle, spin, spin), angles from the vertical. */
static void rates(const double q[4], double rate[4]) {
  const double j = 1.0 / 3 + 1.0 / (6 * ELEMENTS * ELEMENTS) + RADIUS * RADIUS / (4 * LENGTH * LENGTH); /* about an end, divided by m L^2 */
  const double w = GRAVITY / LENGTH, c = cos(q[0] - q[1]) / 2, s = sin(q[0] - q[1]) / 2, d = j * (j + 1) - c * c;
  const double load[2] = {-s * q[3] * q[3] - 1.5 * w * sin(q[0]), s * q[2] * q[2] - 0.5 * w * sin(q[1])};
  rate[0] = q[2], rate[1] = q[3], rate[2] = (j * load[0] - c * load[1]) / d, rate[3] = ((j + 1) * load[1] - c * load[0]) / d;
}

int main(void) {
  const double down[3] = {0, 0, -GRAVITY}, time = 1, dt = 5e-5; /* [m/s^2] [s] [s] of the equations */
  double q[4] = {acos(0), acos(0), 0, 0}, now[4], half[4], middle[4];
  elastica_world *world = NULL;
  elastica_rod *rod[2] = {NULL, NULL};
  int bad = elastica_world_create(NULL, &world) || elastica_add_gravity(world, down, NULL);
  for (int k = 0; k < 2 && !bad; k++) {
    elastica_rod_def def;
    elastica_rod_def_init(&def, sizeof def);
    def.start[0] = k * LENGTH;
    def.direction[0] = 1, def.direction[2] = 0;
    def.length = LENGTH, def.radius = RADIUS;
    def.density = 700, def.youngs_modulus = 1e10; /* [kg/m^3] [Pa] wood */
    def.element_count = ELEMENTS;
    bad = elastica_world_add_rod(world, &def, &rod[k]) != ELASTICA_OK;

    elastica_joint_def joint; /* to the world, or to the last node of the first rod */
    elastica_joint_def_init(&joint, sizeof joint);
    joint.kind = ELASTICA_JOINT_HINGE;
    joint.axis[0] = 0, joint.axis[1] = 1, joint.axis[2] = 0;
    joint.first.rod = rod[k];
    if (k > 0) joint.second.rod = rod[0], joint.second.element = -1, joint.second.share = 1;
    bad = bad || elastica_add_joint(world, &joint, NULL) != ELASTICA_OK;
  }
  bad = bad || elastica_world_advance(world, time);
  for (int i = 0; i < time / dt; i++) { /* midpoint rule */
    rates(q, now);
    for (int k = 0; k < 4; k++) half[k] = q[k] + dt / 2 * now[k];
    rates(half, middle);
    for (int k = 0; k < 4; k++) q[k] += dt * middle[k];
  }
  for (int k = 0; k < 2 && !bad; k++) {
    const elastica_rod_view *v = elastica_rod_get_view(rod[k]);
    const double angle = atan2(v->position[0][ELEMENTS] - v->position[0][0], v->position[2][0] - v->position[2][ELEMENTS]);
    printf("angle of rod %d: %.5f rad; equations: %.5f rad\n", k + 1, angle, q[k]);
  }
  if (bad) fprintf(stderr, "%s\n", elastica_world_message(world));
  elastica_world_destroy(world);
  return bad;
}
