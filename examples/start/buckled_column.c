/* A column under a growing load: a loading path finds where it buckles, and follows the buckled column to larger loads.
 *
 * formula  Euler's load pi^2 E I/(4 L^2) of a column that is clamped below; shear lowers it by 7e-5 of itself. */
#include <elastica.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

/* Gives the world a value of the parameter, here the load [N] on the top. */
static elastica_status press(void *user, elastica_world *world, double parameter) {
  elastica_effect *effect = user;
  elastica_point_load_def load;
  (void)world;
  elastica_point_load_def_init(&load, sizeof load);
  load.force[2] = -parameter;
  return elastica_point_load_set(effect, &load);
}

int main(void) {
  elastica_world *world = NULL;
  elastica_rod *column = NULL;
  elastica_effect *top = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def); /* from the origin along z */
  def.element_count = 100;
  def.length = 1.0, def.radius = 0.005;          /* [m] */
  def.density = 2700, def.youngs_modulus = 70e9; /* [kg/m^3] [Pa] */
  must(world, elastica_world_add_rod(world, &def, &column));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  must(world, elastica_add_boundary(world, column, &clamp, NULL));
  elastica_point_load_def none;
  elastica_point_load_def_init(&none, sizeof none);
  must(world, elastica_add_point_load(world, column, &none, &top));

  elastica_path_def path_def;
  elastica_path_def_init(&path_def, sizeof path_def);
  path_def.apply = press, path_def.user = top;
  path_def.first_step = 5.0, path_def.upper = 120.0; /* [N] */
  elastica_path *path = NULL;
  elastica_path_result point;
  must(world, elastica_path_create(world, &path_def, &path));
  do must(world, elastica_path_next(path, &point));
  while (point.kind == ELASTICA_PATH_POINT);
  const double second_moment = 3.14159265358979 / 4 * def.radius * def.radius * def.radius * def.radius;
  printf("buckles at: %.3f N; Euler: %.3f N\n", point.parameter, 2.4674011 * def.youngs_modulus * second_moment);

  must(world, elastica_path_switch(path, 1)); /* to the buckled column */
  do must(world, elastica_path_next(path, &point));
  while (point.kind == ELASTICA_PATH_POINT);
  const elastica_rod_view *view = elastica_rod_get_view(column);
  printf("at %.1f N the top stands at %.3f m; unstable modes: %d\n", point.parameter, view->position[2][100], point.unstable_modes);
  elastica_path_destroy(path);
  elastica_world_destroy(world);
  return 0;
}
