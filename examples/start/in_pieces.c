/* A struck cantilever swings in calls that return within 5 ms, as a window requires; a sampler watches the run and finally stops it.
 * formula  The first natural frequency of a slender cantilever is f = 1.8751^2/(2 pi L^2) sqrt(E I/(rho A)), I/A = radius^2/4. */
#include <elastica.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 40, PERIODS = 5 };
static double tip, largest, crossing[PERIODS + 1]; /* [m]; couple at the root [N m]; times at which the tip rises through 0 [s] */
static int crossings;

static void must(elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "%s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(1);
}

static elastica_status watch(void *user, elastica_world *world) { /* strains and couples of the view are filled */
  const elastica_rod_view *view = elastica_rod_get_view(user);
  const double before = tip;
  tip = view->position[0][ELEMENTS], largest = fmax(largest, fabs(view->couple[1][0]));
  if (before < 0 && tip >= 0) crossing[crossings++] = elastica_world_get(world).time - 0.002 * tip / (tip - before);
  return crossings > PERIODS ? ELASTICA_STOPPED : ELASTICA_OK;
}

int main(void) {
  double velocity[3 * (ELEMENTS + 1)] = {0}; /* [m/s] */
  elastica_world *world = NULL;
  elastica_rod *beam = NULL;
  elastica_rod_def def; /* along z */
  elastica_rod_def_init(&def, sizeof def), def.velocity = velocity;
  def.element_count = ELEMENTS, def.length = 0.5, def.radius = 0.005, def.density = 1100, def.youngs_modulus = 1e7; /* [m] [kg/m^3] [Pa] */
  for (int i = 0; i <= ELEMENTS; i++) velocity[3 * i] = 0.1 * i * i / (ELEMENTS * ELEMENTS);
  must(world, elastica_world_create(NULL, &world)), must(world, elastica_world_add_rod(world, &def, &beam));
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp), must(world, elastica_add_boundary(world, beam, &clamp, NULL));
  elastica_sampler sampler;
  elastica_sampler_init(&sampler, sizeof sampler), sampler.sample = watch, sampler.user = beam, sampler.interval = 0.002; /* [s] */
  must(world, elastica_world_set_sampler(world, &sampler));
  elastica_run_def run;
  elastica_run_result result = {0, 0, 0, 0};
  elastica_run_def_init(&run, sizeof run), run.until = 60, run.most_seconds = 0.005; /* of simulation; wall-clock time */
  elastica_status status = ELASTICA_OK;
  while (status == ELASTICA_OK && !result.finished) status = elastica_world_run(world, &run, &result); /* a window draws in between */
  if (status != ELASTICA_STOPPED) must(world, status);
  const double f = pow(1.8751 / def.length, 2) / 6.2831853 * sqrt(def.youngs_modulus / def.density) * def.radius / 2;
  printf("frequency: %.4f 1/s; formula: %.4f 1/s\nlargest couple: %.3g N m\n", PERIODS / (crossing[PERIODS] - crossing[0]), f, largest);
  elastica_world_destroy(world);
  return 0;
}
