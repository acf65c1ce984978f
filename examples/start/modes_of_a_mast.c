/* Natural frequencies and the buckling load of a mast: a carbon tube that is clamped at its foot and carries a lamp.
 *
 * formulas  Euler's load pi^2 E I/(4 L^2); without the lamp 1.8751^2/(2 pi L^2) sqrt(E I/(rho A)) [Hz]
 *
 * With the argument FOLDER it writes a page that plays the second mode. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

static elastica_modes *find(elastica_world *world, elastica_modes_kind kind) {
  elastica_modes_def def;
  elastica_modes *modes = NULL;
  elastica_modes_def_init(&def, sizeof def);
  def.kind = kind;
  def.count = 4;
  must(world, elastica_modes_find(world, &def, &modes));
  return modes;
}

/* The mode as it swings: the equilibrium, displaced by the shape times a sine. */
static void play(elastica_world *world, elastica_modes *modes, int mode, const char *folder) {
  elastica_view *view = NULL;
  char path[1024];
  snprintf(path, sizeof path, "%s/mast.html", folder);
  must(world, elastica_view_open(world, path, NULL, &view));
  for (int frame = 0; frame <= 40; frame++) {
    must(world, elastica_modes_apply(modes, mode, 0.2 * sin(6.2831853 * frame / 40)));
    must(world, elastica_view_frame(view));
  }
  must(world, elastica_view_close(view));
  must(world, elastica_modes_apply(modes, mode, 0.0));
}

int main(int argc, char **argv) {
  const double pi = 3.14159265358979, lamp = 0.5; /* [kg] */
  elastica_world *world = NULL;
  elastica_rod *mast = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 100;
  def.length = 4.0, def.radius = 0.01;                                     /* [m] upwards from the origin */
  def.density = 1600, def.youngs_modulus = 120e9, def.shear_modulus = 5e9; /* [kg/m^3] [Pa] [Pa] */
  must(world, elastica_world_add_rod(world, &def, &mast));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  must(world, elastica_add_boundary(world, mast, &clamp, NULL));

  elastica_eigenmode mode;
  elastica_modes *modes = find(world, ELASTICA_MODES_FREQUENCIES);
  must(world, elastica_modes_get(modes, 0, &mode)); /* and 1, in the other direction */
  const double area = pi * def.radius * def.radius, bend = def.youngs_modulus * area * def.radius * def.radius / 4;
  const double square = def.length * def.length, formula = 1.875104 * 1.875104 / (2 * pi * square) * sqrt(bend / (def.density * area));
  printf("without the lamp: %.5f Hz; formula: %.5f Hz\n", mode.frequency, formula);
  elastica_modes_destroy(modes);

  elastica_node_mass_def mass;
  elastica_node_mass_def_init(&mass, sizeof mass); /* on the last node */
  mass.mass = lamp;
  must(world, elastica_add_node_mass(world, mast, &mass, NULL));
  must(world, elastica_add_gravity(world, (const double[]){0, 0, -9.81}, NULL));
  must(world, elastica_world_relax(world, NULL, NULL)); /* modes are those of an equilibrium */
  modes = find(world, ELASTICA_MODES_FREQUENCIES);
  for (int k = 0; k < elastica_modes_count(modes); k += 2) {
    must(world, elastica_modes_get(modes, k, &mode));
    printf("with it, mode %d: %.5f Hz\n", k, mode.frequency);
  }
  if (argc > 1) play(world, modes, 2, argv[1]);
  elastica_modes_destroy(modes);

  modes = find(world, ELASTICA_MODES_BUCKLING);
  must(world, elastica_modes_get(modes, 0, &mode));
  const double weight = def.density * area * def.length * 9.81, euler = pi * pi * bend / (4 * square);
  printf("it buckles under %.3f times its own weight and that of the lamp; estimate: %.3f\n", mode.factor,
         1 / (lamp * 9.81 / euler + weight * square / (7.837347 * bend))); /* Dunkerley: shares of the two critical loads add up */
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
  return 0;
}
