/* A rigid body: a box in free flight, spun about its middle axis, turns over periodically (like a tennis racket, or Dzhanibekov's nut).
 *
 * formula  Euler's equations: the spin about that axis changes its sign every 2 K(k)/rate, with the complete elliptic integral K (Landau
 *          and Lifshitz, Mechanics, section 37); here from energy and angular momentum, by the arithmetic-geometric mean. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

static double time_to_turn_over(const double J[3], const double spin[3]) { /* J1 < J2 < J3 */
  double energy = 0, square = 0;                                           /* twice the energy; of angular momentum */
  for (int a = 0; a < 3; a++) energy += J[a] * spin[a] * spin[a], square += J[a] * J[a] * spin[a] * spin[a];
  const double low = square - energy * J[0], high = energy * J[2] - square;
  double a = 1, b = sqrt(1 - (J[1] - J[0]) * high / ((J[2] - J[1]) * low));
  for (int k = 0; k < 9; k++) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b), a = mean;
  }
  return 3.14159265358979 / a / sqrt((J[2] - J[1]) * low / (J[0] * J[1] * J[2]));
}

int main(void) {
  const double dt = 1e-3; /* [s] */
  elastica_world *world = NULL;
  elastica_rod *box = NULL;
  elastica_body_info now;
  must(world, elastica_world_create(NULL, &world));
  elastica_body_def def;
  elastica_body_def_init(&def, sizeof def);
  def.shape = ELASTICA_SHAPE_BOX, def.density = 600;             /* [kg/m^3] */
  def.edges[0] = 0.30, def.edges[1] = 0.20, def.edges[2] = 0.05; /* [m] along d1, d2, d3 */
  def.omega[0] = 0.01, def.omega[1] = 6.0, def.omega[2] = 0.02;  /* [rad/s]; the moment about d2 is the middle one */
  must(world, elastica_world_add_body(world, &def, &box));
  double passed[5], before = def.omega[1]; /* times at which the spin about d2 passes through 0 */
  for (int found = 0; found < 5; before = now.omega[1]) {
    must(world, elastica_world_step(world, dt, 1));
    must(world, elastica_body_get(box, &now));
    if (now.omega[1] * before <= 0) passed[found++] = elastica_world_get(world).time - dt * now.omega[1] / (now.omega[1] - before);
  }
  printf("it turns over every %.4f s; elliptic functions: %.4f s\n", (passed[4] - passed[0]) / 4,
         time_to_turn_over(now.moments, def.omega));
  elastica_world_destroy(world);
  return 0;
}
