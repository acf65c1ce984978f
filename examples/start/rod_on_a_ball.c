/* A soft rod falls on a fixed ball and hangs over it: contact, friction, and the force on an obstacle. The fall is written to
 * rod_on_a_ball.html in the given folder, or in the present one, for any browser.
 * formula  At rest the ball supports the weight of the rod, and the middle of the rod is at the sum of both radii above the centre of
 *          the ball. */
#include <elastica.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

int main(int argc, char **argv) {
  const double gravity[3] = {0, 0, -9.81}; /* [m/s^2] */
  elastica_world *world = NULL;
  elastica_rod *rod = NULL;
  elastica_effect *contact = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = 61;
  def.start[0] = -0.3, def.start[2] = 0.12; /* [m] */
  def.direction[0] = 1, def.direction[2] = 0;
  def.length = 0.6, def.radius = 0.005;         /* [m] */
  def.density = 1100, def.youngs_modulus = 1e6; /* [kg/m^3] [Pa] */
  must(world, elastica_world_add_rod(world, &def, &rod));

  elastica_obstacle_def ball;
  elastica_obstacle_def_init(&ball, sizeof ball);                                            /* about the origin */
  ball.shape = ELASTICA_SHAPE_SPHERE, ball.radius = 0.1, ball.stiffness = 100;               /* [m] [N/m] */
  for (int k = 0; k < 3; k++) ball.static_friction[k] = 0.5, ball.kinetic_friction[k] = 0.4; /* forward, backward, sideways */
  ball.slip_velocity = 1e-3;                                                                 /* [m/s] slower contacts stick */
  must(world, elastica_add_obstacle(world, rod, &ball, &contact));
  elastica_dissipation_def air;
  elastica_dissipation_def_init(&air, sizeof air);
  air.translation = 1.0, air.rotation = 1e-3; /* [kg/(m s)] [kg m/s] */
  must(world, elastica_add_dissipation(world, rod, &air, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  double force[3];     /* [N] */
  elastica_totals all; /* mass and centre of mass */
  elastica_view *page = NULL;
  char path[1024];
  snprintf(path, sizeof path, "%s/rod_on_a_ball.html", argc > 1 ? argv[1] : ".");
  must(world, elastica_view_open(world, path, NULL, &page));
  for (int frame = 0; frame <= 100; frame++) {
    if (frame > 0) must(world, elastica_world_advance(world, 0.02)); /* [s] */
    must(world, elastica_view_frame(page));
  }
  must(world, elastica_view_close(page));
  must(world, elastica_obstacle_get_force(contact, force, NULL));
  must(world, elastica_rod_get_totals(rod, &all));
  const double *z = elastica_rod_get_view(rod)->position[2];
  printf("force on the ball: %.5f N; weight: %.5f N\n", -force[2], -gravity[2] * all.mass);
  printf("middle of the rod: z = %.5f m; both radii: %.5f m\n", (z[30] + z[31]) / 2, ball.radius + def.radius);
  printf("its ends: z = %.5f m and %.5f m\n", z[0], z[61]);
  elastica_world_destroy(world);
  return 0;
}
