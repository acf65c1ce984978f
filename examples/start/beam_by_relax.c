/* A beam bends under a load at its tip: elastica_world_relax finds the equilibrium directly, without a damped oscillation.
 *
 * formula  Timoshenko's deflection of the tip, F L^3/(3 E I) from bending and F L/(alpha_c G A) from shear. */
#include <elastica.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

int main(void) {
  const double force = 2.0; /* [N] */
  elastica_world *world = NULL;
  elastica_rod *beam = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 100;
  def.direction[0] = 1, def.direction[2] = 0;                              /* from the origin along x */
  def.length = 1.0, def.radius = 0.01;                                     /* [m] */
  def.density = 2700, def.youngs_modulus = 70e9, def.shear_modulus = 26e9; /* [kg/m^3] [Pa] [Pa] aluminium */
  must(world, elastica_world_add_rod(world, &def, &beam));

  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp); /* the first end, in its present pose */
  must(world, elastica_add_boundary(world, beam, &clamp, NULL));
  elastica_point_load_def load;
  elastica_point_load_def_init(&load, sizeof load); /* on the last node */
  load.force[1] = -force;
  must(world, elastica_add_point_load(world, beam, &load, NULL));

  elastica_relax_result result;
  must(world, elastica_world_relax(world, NULL, &result)); /* refused, too, if it finds no equilibrium */

  const double length = def.length, area = 3.14159265358979 * def.radius * def.radius, second_moment = area * def.radius * def.radius / 4;
  const double bending = force * length * length * length / (3 * def.youngs_modulus * second_moment);
  const double shear = force * length / (def.shear_factor * def.shear_modulus * area);
  const elastica_rod_view *view = elastica_rod_get_view(beam);
  printf("deflection: %.6f mm; Timoshenko: %.6f mm\n", -1e3 * view->position[1][100], 1e3 * (bending + shear));
  printf("%ld evaluations of all forces; the equilibrium is %s\n", result.evaluations, result.stable ? "stable" : "not stable");
  elastica_world_destroy(world);
  return 0;
}
