/* A rope hangs between two hooks and comes to rest: make a world, add a rod and its effects, advance in time, read the result.
 *
 * formula  A rope without stretch and bending stiffness rests in the catenary y = a cosh(x/a). This rope, 4 mm thick, is close to it. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 40 };

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

int main(void) {
  const double gravity[3] = {0, -9.81, 0};                           /* [m/s^2] */
  const double a = 0.5, depth = a * sqrt(sinh(1.0) * sinh(1.0) - 1); /* [m] the hooks are at x = -a and a; the rope starts as a V */
  double position[3 * (ELEMENTS + 1)] = {0};                         /* [m] x, y, z of each node */
  for (int i = 0; i <= ELEMENTS; i++) {
    position[3 * i] = a * (2.0 * i / ELEMENTS - 1);
    position[3 * i + 1] = depth * (fabs(2.0 * i / ELEMENTS - 1) - 1);
  }
  elastica_world *world = NULL;
  elastica_rod *rope = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def); /* straight where nothing bends it */
  def.element_count = ELEMENTS, def.position = position;
  def.radius = 0.002, def.density = 1100, def.youngs_modulus = 1e7; /* [m] [kg/m^3] [Pa] rubber */
  must(world, elastica_world_add_rod(world, &def, &rope));

  elastica_boundary_def pin;
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.kind = ELASTICA_BOUNDARY_PIN; /* holds the first node at its place */
  must(world, elastica_add_boundary(world, rope, &pin, NULL));
  pin.node = -1; /* and the last node */
  must(world, elastica_add_boundary(world, rope, &pin, NULL));
  elastica_dissipation_def air;
  elastica_dissipation_def_init(&air, sizeof air);
  air.translation = 0.1; /* [kg/(m s)] force per length and speed */
  must(world, elastica_add_dissipation(world, rope, &air, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));

  must(world, elastica_world_advance(world, 3.0)); /* [s] in as many steps as necessary */
  printf("sag: %.5f m; catenary: %.5f m\n", -elastica_rod_get_view(rope)->position[1][ELEMENTS / 2], a * (cosh(1.0) - 1));
  printf("%ld steps of %.2g s\n", elastica_world_get(world).step_count, elastica_world_get(world).working_step);
  elastica_world_destroy(world);
  return 0;
}
