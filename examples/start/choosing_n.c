/* The number of elements: the tip of a cantilever under a large load, on successively finer grids.
 * formula  The model is of second order: with twice as many elements the error falls by four. Two grids therefore give an estimate of the
 *          limit, w + (w_fine - w)/(1 - 1/4), and of the error of each. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

/* Deflection [m] of the tip in equilibrium. */
static double deflection_with(int elements) {
  elastica_world *world = NULL;
  elastica_rod *beam = NULL;
  must(world, elastica_world_create(NULL, &world));
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = elements;
  def.direction[0] = 1, def.direction[2] = 0;   /* along x */
  def.length = 1.0, def.radius = 0.01;          /* [m] */
  def.density = 1000, def.youngs_modulus = 1e7; /* [kg/m^3] [Pa] */
  must(world, elastica_world_add_rod(world, &def, &beam));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  must(world, elastica_add_boundary(world, beam, &clamp, NULL));
  elastica_point_load_def load;
  elastica_point_load_def_init(&load, sizeof load);
  load.force[2] = -0.25; /* [N] on the last node: F L^2/(E I) = 3.2 */
  must(world, elastica_add_point_load(world, beam, &load, NULL));
  must(world, elastica_world_relax(world, NULL, NULL));
  const double tip = elastica_rod_get_view(beam)->position[2][elements];
  elastica_world_destroy(world);
  return -tip;
}

int main(void) {
  double coarse = 0.0, before = 0.0;
  for (int n = 10; n <= 80; n *= 2) {
    const double fine = deflection_with(n);
    printf("%3d elements: deflection %.6f m", n, fine);
    if (n > 10) printf(", estimated error %.1e m", fabs(fine - coarse) / 3);
    if (n > 20) printf(", error fell by %.2f", (coarse - before) / (fine - coarse));
    printf("\n");
    before = coarse, coarse = fine;
  }
  printf("limit: %.6f m\n", coarse + (coarse - before) / 3);
  return 0;
}
