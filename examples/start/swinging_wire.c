/* Implicit steps: a steel wire of 1 mm swings at its own period, in steps 7,000 times as long as explicit ones.
 *
 * formula  the first mode of a cantilever: T = 2 pi L^2/1.8751^2 sqrt(rho A/(E I)) */
#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

int main(void) {
  const double pi = 3.14159265358979;
  elastica_world *world = NULL;
  elastica_rod *wire = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 40;
  def.direction[0] = 1, def.direction[2] = 0;
  def.length = 0.3, def.radius = 0.5e-3;                                    /* [m] along x, from the origin */
  def.density = 7800, def.youngs_modulus = 200e9, def.shear_modulus = 77e9; /* [kg/m^3] [Pa] [Pa] */
  must(world, elastica_world_add_rod(world, &def, &wire));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  must(world, elastica_add_boundary(world, wire, &clamp, NULL));
  must(world, elastica_add_gravity(world, (const double[]){0, 0, -9.81}, NULL));

  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  const elastica_rod_view *view = elastica_rod_get_view(wire);
  elastica_implicit_result result = {.next_step = NAN};
  double before = 0, first = 0, last = 0; /* [m] slope of the last interval, [s] first and last turning point below */
  long steps = 0;
  int turns = 0;
  for (int k = 1; turns < 5; k++) {
    elastica_implicit_def run;
    elastica_implicit_def_init(&run, sizeof run);
    run.until = 0.002 * k;             /* [s] */
    run.accuracy = 1e-6 * def.length;  /* [m] in one step */
    run.first_step = result.next_step; /* goes on as the last call has ended */
    const double height = view->position[2][40];
    must(world, elastica_world_run_implicit(world, &run, &result));
    const double slope = view->position[2][40] - height;
    if (before < 0 && slope >= 0) { /* the lowest point, between the middles of the last two intervals */
      last = run.until - 0.001 - 0.002 * slope / (slope - before);
      if (turns++ == 0) first = last;
    }
    before = slope;
    steps += result.steps;
  }
  const double area = pi * def.radius * def.radius, bend = def.youngs_modulus * area * def.radius * def.radius / 4;
  printf("period: %.5f s; formula: %.5f s\n", (last - first) / (turns - 1),
         2 * pi * def.length * def.length / (1.875104 * 1.875104) * sqrt(def.density * area / bend));
  printf("%ld implicit steps; explicit steps of at most %.3g s would be %.0f\n", steps, limit.dt, elastica_world_get(world).time / limit.dt);
  elastica_world_destroy(world);
  return 0;
}
