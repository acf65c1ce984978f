/* A rubber cord is released and oscillates under its own weight: its strains are printed during the run, and a hook reads them after
 * every step.
 * formula  Waves with the speed c = sqrt(E/rho) give the largest strain of the top at t = 2 L/c: 2 rho g L/E, twice as much as at rest. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

static elastica_status observe(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  double *largest = self, strain = rod->dilatation[0] - 1; /* of the first element: length/rest length - 1 */
  if (strain > largest[0]) largest[0] = strain, largest[1] = now->time;
  return ELASTICA_OK;
}

int main(void) {
  double gravity[3] = {0, 0, -9.81}, largest[2] = {0, 0}; /* [m/s^2]; strain, and its time [s] */
  elastica_world *world = NULL;
  elastica_rod *cord = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 100, def.direction[2] = -1, def.length = 1.0, def.radius = 0.005; /* [m] */
  def.density = 1100, def.youngs_modulus = 1e6;                                         /* [kg/m^3] [Pa] */
  must(world, elastica_world_add_rod(world, &def, &cord));
  elastica_boundary_def pin;
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.kind = ELASTICA_BOUNDARY_PIN; /* holds the first node */
  must(world, elastica_add_boundary(world, cord, &pin, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));

  elastica_module watch;
  elastica_module_init(&watch, sizeof watch);
  watch.name = "watch", watch.self = largest, watch.observe = observe; /* self_size is 0: self is not copied */
  must(world, elastica_world_add_module(world, cord, &watch, NULL));

  const elastica_rod_view *view = elastica_rod_get_view(cord); /* valid as long as the rod */
  for (int k = 1; k <= 6; k++) {
    must(world, elastica_world_advance(world, 0.02)); /* [s] */
    must(world, elastica_rod_refresh(cord));          /* fills strain, curvature, force and couple of the view */
    printf("t = %.2f s: strain %.4f and tension %.3f N at the top\n", elastica_world_get(world).time, view->strain[2][0],
           view->force[2][0]);
  }
  const double theory = -2 * def.density * gravity[2] * def.length / def.youngs_modulus, c = sqrt(def.youngs_modulus / def.density);
  printf("largest strain: %.5f; theory: %.5f\nreached at: %.4f s; theory: %.4f s\n", largest[0], theory, largest[1], 2 * def.length / c);
  elastica_world_destroy(world);
  return 0;
}
