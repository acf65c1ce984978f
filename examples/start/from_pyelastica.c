/* The Timoshenko beam of PyElastica's first example: its names and numbers stand in comments beside those of this library.
 * formula  tip: F L/(alpha G A) + F L^3/(3 E I), with alpha = 27/28; the model is geometrically exact, so the load is a hundredth of
 * theirs. */
#include <elastica.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

int main(void) {
  const double pi = 3.14159265358979, length = 3.0, radius = 0.25, e = 1e6, g = 1e4, force = -0.15;
  elastica_world *world = NULL; /* class TimoshenkoBeamSimulator(BaseSystemCollection, Constraints, Forcing, Damping) */
  elastica_rod *rod = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def; /* CosseratRod.straight_rod(n_elem, start, direction, normal, base_length, base_radius, density, ...) */
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 100; /* n_elem */
  def.length = length;     /* base_length, along z: direction = [0, 0, 1] */
  def.normal[0] = 0, def.normal[1] = 1, def.normal[2] = 0;
  def.radius = radius;                                    /* base_radius */
  def.density = 5000;                                     /* density */
  def.youngs_modulus = e;                                 /* youngs_modulus */
  def.shear_modulus = g;                                  /* shear_modulus */
  def.shear_factor = 27.0 / 28;                           /* alpha_c, fixed there */
  must(world, elastica_world_add_rod(world, &def, &rod)); /* simulator.append(rod) */
  elastica_boundary_def
      clamp; /* simulator.constrain(rod).using(OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,)) */
  elastica_boundary_def_init(&clamp, sizeof clamp);
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  elastica_point_load_def load; /* simulator.add_forcing_to(rod).using(EndpointForces, 0 * end_force, end_force, ramp_up_time) */
  elastica_point_load_def_init(&load, sizeof load);
  load.force[0] = force; /* end_force */
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  /* simulator.dampen(rod).using(AnalyticalLinearDamper, ...) and integrate(...) over 5000 s: here the equilibrium directly */
  must(world, elastica_world_relax(world, NULL, NULL));
  const double area = pi * radius * radius, i = area * area / (4 * pi);
  printf("tip: %.7f m; theory: %.7f m\n", elastica_rod_get_view(rod)->position[0][100], /* rod.position_collection[0, -1] */
         force * length / (27.0 / 28 * g * area) + force * length * length * length / (3 * e * i));
  elastica_world_destroy(world);
  return 0;
}
