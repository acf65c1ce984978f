/* A rod swims in syrup: muscles send waves of bending along it, and drag, twice as large across as along, pushes it in the opposite
 * direction.
 * formula  N low waves of height b and wavenumber k drive it at U = (b^2 k omega/2)(1 - 3/(pi N)^2); the bracket is the effect of the
 *          oscillation of the whole body. */
#include <elastica.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 40, WAVES = 2 };

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

int main(void) {
  const double pi = 3.14159265358979, length = 0.1, radius = 0.002, period = 1.0; /* [m] [m] [s] */
  const double k = 2 * pi * WAVES / length, b = 0.1 / k;                          /* [1/m] [m] */
  double couple[ELEMENTS - 1];                                                    /* [N m] of each joint */
  elastica_world *world = NULL;
  elastica_rod *body = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def); /* along z */
  def.element_count = ELEMENTS, def.length = length, def.radius = radius;
  def.density = 1000, def.youngs_modulus = 3e6; /* [kg/m^3] [Pa] */
  must(world, elastica_world_add_rod(world, &def, &body));

  elastica_drag_def syrup;
  elastica_drag_def_init(&syrup, sizeof syrup);
  syrup.viscosity = 1.0; /* [Pa s] */
  must(world, elastica_add_drag(world, body, &syrup, NULL));
  elastica_muscle_def muscle;
  elastica_muscle_def_init(&muscle, sizeof muscle); /* couples about d1, the first director */
  /* The body is so stiff, and the fluid so slow, that the curvature is couple/(E I) = b k^2. */
  for (int j = 0; j < ELEMENTS - 1; j++) couple[j] = def.youngs_modulus * pi / 4 * radius * radius * radius * radius * b * k * k;
  muscle.amplitude = couple, muscle.wavenumber = k; /* waves run towards the first node */
  muscle.period = period, muscle.ramp_time = period;
  must(world, elastica_add_muscle(world, body, &muscle, NULL));

  elastica_totals before, after;
  must(world, elastica_world_advance(world, period)); /* the ramp */
  must(world, elastica_rod_get_totals(body, &before));
  must(world, elastica_world_advance(world, period));
  must(world, elastica_rod_get_totals(body, &after));
  const double speed = (after.centre[2] - before.centre[2]) / period,
               theory = b * b * k * pi / period * (1 - 3 / (pi * pi * WAVES * WAVES));
  printf("speed: %.5f mm/s; theory: %.5f mm/s\n", 1e3 * speed, 1e3 * theory);
  elastica_world_destroy(world);
  return 0;
}
