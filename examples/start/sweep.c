/* The tallest pole that does not buckle under its own weight: a sweep over radii on several threads. Worlds share nothing, so each thread
 * has its own.
 * formula  Greenhill 1881: height^3 = 7.8373 E I/(rho A g), I/A = radius^2/4. */
#include <elastica.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { DESIGNS = 12, THREADS = 8 };                                                   /* as many threads as cores, or a few more */
static const double density = 1100, youngs_modulus = 1e8, gravity[3] = {0, 0, -9.81}; /* [kg/m^3] [Pa] [m/s^2] */
static double radius[DESIGNS], tallest[DESIGNS];                                      /* [m] */
static atomic_int next;                                                               /* the next design */

static int stands(double height, double thickness) {
  elastica_world *world = NULL;
  elastica_rod *pole = NULL;
  elastica_relax_result result;
  elastica_rod_def def; /* along z */
  elastica_boundary_def foot;
  elastica_rod_def_init(&def, sizeof def), elastica_boundary_def_init(&foot, sizeof foot);
  def.element_count = 50, def.length = height, def.radius = thickness, def.density = density, def.youngs_modulus = youngs_modulus;
  if (elastica_world_create(NULL, &world) || elastica_world_add_rod(world, &def, &pole) ||
      elastica_add_boundary(world, pole, &foot, NULL) || elastica_add_gravity(world, gravity, NULL) ||
      elastica_world_relax(world, NULL, &result)) {
    fprintf(stderr, "%s\n", elastica_world_message(world)), exit(1);
  }
  elastica_world_destroy(world);
  return result.stable; /* of the equilibrium: the pole is upright */
}

static void *work(void *unused) {
  for (int d = atomic_fetch_add(&next, 1); d < DESIGNS; d = atomic_fetch_add(&next, 1)) {
    radius[d] = 0.002 * (d + 1);
    for (double step = 4.0; step > 1e-4; step /= 2) tallest[d] += stands(tallest[d] + step, radius[d]) ? step : 0; /* halves the bracket */
  }
  return unused;
}

int main(void) {
  pthread_t thread[THREADS];
  for (int t = 0; t < THREADS; t++)
    if (pthread_create(&thread[t], NULL, work, NULL)) return 1;
  for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
  for (int d = 0; d < DESIGNS; d++)
    printf("radius %.3f m: tallest %.4f m; Greenhill %.4f m\n", radius[d], tallest[d],
           cbrt(7.8373 * youngs_modulus * radius[d] * radius[d] / 4 / (density * 9.81)));
  return 0;
}
