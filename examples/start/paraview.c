/* A coil spring is released and oscillates; its frames are written to spring.pvd in the given folder, or in the present one, for
 * ParaView (Tube, by radius).
 * formula  A spring of N turns of radius R has the stiffness k = G r^4/(4 N R^3). Its end falls by m g/k, until t = 2 sqrt(m/k). */
#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 6, ELEMENTS = 24 * TURNS, FRAME_COUNT = 30 };

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

int main(int argc, char **argv) {
  const double gravity[3] = {0, 0, -9.81}, turn = 2 * 3.14159265358979, coil = 0.03, pitch = 0.01; /* [m/s^2] [rad] [m] [m] */
  double position[3 * (ELEMENTS + 1)], lowest = 0;                                                 /* [m] */
  elastica_world *world = NULL;
  elastica_rod *spring = NULL;
  elastica_vtk *frames = NULL;
  must(world, elastica_world_create(NULL, &world));
  for (int i = 0; i <= ELEMENTS; i++) {
    const double turns = (double)i * TURNS / ELEMENTS;
    position[3 * i] = coil * cos(turn * turns), position[3 * i + 1] = coil * sin(turn * turns), position[3 * i + 2] = -pitch * turns;
  }
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = ELEMENTS, def.position = position, def.rest = ELASTICA_REST_INITIAL;      /* free of stress in this shape */
  def.radius = 0.002, def.density = 1100, def.youngs_modulus = 1e9, def.shear_modulus = 0.35e9; /* [m] [kg/m^3] [Pa] nylon */
  must(world, elastica_world_add_rod(world, &def, &spring));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp); /* the first end */
  must(world, elastica_add_boundary(world, spring, &clamp, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));

  elastica_totals all;
  must(world, elastica_rod_get_totals(spring, &all));
  const double k = def.shear_modulus * pow(def.radius, 4) / (4 * TURNS * pow(coil, 3)); /* [N/m] */
  must(world, elastica_vtk_open(world, argc > 1 ? argv[1] : ".", "spring", &frames));
  for (int f = 0; f < FRAME_COUNT; f++) {
    must(world, elastica_vtk_frame(frames));
    must(world, elastica_world_advance(world, 4 * sqrt(all.mass / k) / FRAME_COUNT)); /* down and up again */
    lowest = fmin(lowest, elastica_rod_get_view(spring)->position[2][ELEMENTS]);
  }
  must(world, elastica_vtk_close(frames));
  printf("fall: %.2f mm; formula: %.2f mm\n", 1e3 * (-pitch * TURNS - lowest), -1e3 * gravity[2] * all.mass / k);
  elastica_world_destroy(world);
  return 0;
}
