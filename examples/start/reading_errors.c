/* Errors are sentences. Three mistakes and their sentences: a missing field, a scene with a problem, a step that is too long. */
#include <elastica.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

static void tell(const char *mistake, elastica_world *world, elastica_status status) {
  printf("%s\n  %s: %s\n", mistake, elastica_status_text(status), elastica_world_message(world));
}

int main(void) {
  const double gravity[3] = {0.1, 0, -9.81};
  elastica_world_def options;
  elastica_world *world = NULL;
  elastica_rod *rod = NULL;
  elastica_world_def_init(&options, sizeof options);
  options.snapshot_interval = 64;  /* keeps a state every 64 steps */
  options.allow_unstable_step = 1; /* only for the last mistake; leave it out */
  must(world, elastica_world_create(&options, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 30, def.length = 0.5, def.radius = 0.005, def.youngs_modulus = 1e6;
  tell("A rod without a density:", world, elastica_world_add_rod(world, &def, &rod));
  def.density = 1000;
  must(world, elastica_world_add_rod(world, &def, &rod));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));

  /* The rod stands on its clamp. A check before the run finds that it will buckle. */
  elastica_check_report report;
  must(world, elastica_world_check(world, 0.0, &report));
  printf("A column that is too slender:\n");
  for (int k = 0; k < report.finding_count; k++) printf("  %s\n", report.findings[k].sentence);

  /* Query the limit; a step of twice the limit blows up, because this world allows it. */
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  printf("The limit is %.3g s, by the %s mode of element %d.\n", limit.dt, limit.mode_name, limit.element);
  tell("Twice the stable step:", world, elastica_world_step(world, 2 * limit.dt, 100000));
  must(world, elastica_world_rewind(world)); /* the last kept state */
  must(world, elastica_world_step(world, 0.5 * limit.dt, 1000));
  printf("After the rewind it goes on, to t = %.3g s.\n", elastica_world_get(world).time);
  elastica_world_destroy(world);
  return 0;
}
