/* A user's own force: springs pull the nodes of a soft rod to the plane x = 0, in proportion to their masses. They compress the rod, and
 * it bends.
 * formula  The centre of mass swings like a point, x = x0 cos(sqrt(rate) t), and the total energy of motion, rod and springs is
 *          conserved. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>

/* Adds the force [N] to the total. self is the rate of the springs, their stiffness per mass [N/(m kg)]. */
static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->force[0][i] -= *(double *)self * rod->mass[i] * rod->position[0][i];
  return ELASTICA_OK;
}

static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  (void)now;
  for (int i = 0; i < rod->node_count; i++) stiffness->node[i] += *(double *)self * rod->mass[i]; /* [N/m] for a stable step */
  return ELASTICA_OK;
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  double sum = 0; /* [J] the force is minus its gradient */
  (void)time;
  for (int i = 0; i < rod->node_count; i++) sum += rod->mass[i] * rod->position[0][i] * rod->position[0][i] / 2;
  return *(double *)self * sum;
}

int main(void) {
  const double rate = 400, period = 2 * 3.14159265358979 / sqrt(rate); /* [N/(m kg)] [s] */
  elastica_world *world = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 40, def.start[0] = 0.3, def.length = 0.5, def.radius = 0.01;            /* [m] */
  def.direction[0] = 1, def.direction[2] = 0.2, def.density = 1100, def.youngs_modulus = 1e6; /* [kg/m^3] [Pa] */
  elastica_module own;
  elastica_module_init(&own, sizeof own);
  own.name = "springs", own.self = &rate, own.self_size = sizeof rate; /* copied */
  own.add_loads = add_loads, own.add_stiffness = add_stiffness, own.energy = energy;
  int bad = elastica_world_create(NULL, &world) || elastica_world_add_rod(world, &def, NULL) ||
            elastica_world_add_module(world, NULL, &own, NULL);
  for (int k = 0; k <= 6 && !bad; k++) {
    elastica_totals e = {0};
    bad = elastica_world_get_totals(world, &e) || elastica_world_advance(world, 0.75 * period);
    const double motion = e.translation + e.rotation, inside = e.bending + e.shear, sum = motion + inside + e.effects; /* [J] */
    printf("x: %.5f m; %.4f J motion + %.4f J rod + %.4f J springs = %.4f J\n", e.centre[0], motion, inside, e.effects, sum);
  }
  if (bad) fprintf(stderr, "%s\n", elastica_world_message(world));
  elastica_world_destroy(world);
  return bad;
}
