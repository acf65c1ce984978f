#include "lying.h"

elastica_rod_def lying_rod(int n, double length, double radius, double density, double youngs_modulus) {
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.direction[0] = 1;
  def.direction[2] = 0;
  def.length = length;
  def.radius = radius;
  def.density = density;
  def.youngs_modulus = youngs_modulus;
  def.shear_modulus = 2 * youngs_modulus / 3;
  return def;
}

void lying_damped(const example *e, elastica_world *world, elastica_rod *rod, double translation, double rotation) {
  elastica_dissipation_def damping;
  elastica_dissipation_def_init(&damping, sizeof damping);
  damping.translation = translation;
  damping.rotation = rotation;
  example_require(e, world, elastica_add_dissipation(world, rod, &damping, NULL));
}

elastica_totals lying_run(example *e, elastica_world *world, elastica_rod *rod, double duration, const char *frames) {
  elastica_totals energy;
  elastica_vtk *vtk = frames ? example_vtk(e, world, frames) : NULL;
  for (int frame = 1; frame <= 20; frame++) {
    example_advance(e, world, duration * frame / 20);
    output_frame(&e->output, world, vtk);
  }
  example_require(e, world, elastica_rod_get_totals(rod, &energy));
  return energy;
}
