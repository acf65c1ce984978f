/* The smallest program that uses the library: one rod falls freely for a tenth of a second. Exit status 0: its fall is right. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>

static int failed(const char *call, const elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return 0;
  fprintf(stderr, "%s: %s: %s\n", call, elastica_status_text(status), elastica_world_message(world));
  return 1;
}

int main(void) {
  const double gravity[3] = {0, 0, -9.81}; /* [m/s^2] */
  elastica_world *world = NULL;
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 10;
  def.length = 1;
  def.radius = 0.02;
  def.density = 1000;
  def.youngs_modulus = 1e6;

  if (failed("create", world, elastica_world_create(NULL, &world)) || failed("add_rod", world, elastica_world_add_rod(world, &def, &rod)) ||
      failed("add_gravity", world, elastica_add_gravity(world, gravity, NULL)) ||
      failed("advance", world, elastica_world_advance(world, 0.1)))
    return 1;
  const double fall = elastica_rod_get_view(rod)->position[2][0];
  printf("elastica %s: the rod fell by %.9f m\n", elastica_version(), -fall);
  elastica_world_destroy(world);
  return fabs(fall + 9.81 * 0.1 * 0.1 / 2) < 1e-9 ? 0 : 1;
}
