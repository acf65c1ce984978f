/* A whip is saved in the middle of its swing, and a newly built world repeats the second half: the same bits. Then it is struck too
 * hard, the simulation fails, and the world returns to a state that it kept automatically. Call it with a FOLDER for the file of the
 * snapshot. */
#include <elastica.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 60 };

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

static elastica_world *build(void) { /* a snapshot contains the state of a world, not its construction: that is the task of the program */
  const double gravity[3] = {0, 0, -9.81};
  elastica_world *world = NULL;
  elastica_world_def options;
  elastica_world_def_init(&options, sizeof options), options.snapshot_interval = 256; /* steps from one kept state to the next */
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def), def.element_count = ELEMENTS, def.direction[0] = 1, def.direction[2] = 0;
  def.length = 1, def.radius = 0.005, def.density = 1100, def.youngs_modulus = 1e6; /* [m] [kg/m^3] [Pa] */
  must(world, elastica_world_create(&options, &world)), must(world, elastica_world_add_rod(world, &def, NULL));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp), must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_add_boundary(world, elastica_world_rod(world, 0), &clamp, NULL));
  return world;
}

static double tip(elastica_world *world) {
  return elastica_rod_get_view(elastica_world_rod(world, 0))->position[2][ELEMENTS]; /* [m] */
}

int main(int argc, char **argv) {
  char path[400];
  snprintf(path, sizeof path, "%s/whip.snapshot", argc > 1 ? argv[1] : ".");
  elastica_world *world = build(), *other = build();
  must(world, elastica_world_advance(world, 0.25)), must(world, elastica_world_snapshot_save_file(world, path));
  must(world, elastica_world_advance(world, 0.25));
  must(other, elastica_world_snapshot_load_file(other, path)), must(other, elastica_world_advance(other, 0.25));
  printf("tip: %.6f m; restarted: %.6f m; difference: %g m\n", tip(world), tip(other), tip(world) - tip(other));
  double velocity[3 * (ELEMENTS + 1)] = {[3 * ELEMENTS] = 1e4}; /* [m/s] */
  must(world, elastica_rod_set_state(elastica_world_rod(world, 0), NULL, velocity, NULL, NULL));
  if (elastica_world_step(world, elastica_world_get(world).working_step, 100) != ELASTICA_OK)
    printf("failed: %s\n", elastica_world_message(world));
  must(world, elastica_world_rewind(world)), printf("back to step %ld; ", elastica_world_get(world).step_count);
  must(world, elastica_world_advance(world, 0.5 - elastica_world_get(world).time)), printf("tip again: %.4f m\n", tip(world));
  elastica_world_destroy(world), elastica_world_destroy(other);
  return 0;
}
