/* The gain of implicit over explicit steps. */
#include "common/gain.h"

#include <math.h>
#include <time.h>

static double processor_time(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

/* Notes the tip of a sample. */
static void note(const gain_scene *scene, const elastica_rod_view *rod, int sample, gain_course *out) {
  out->tip[sample] = rod->position[scene->axis][scene->node < 0 ? rod->node_count + scene->node : scene->node];
}

void gain_run_explicit(example *e, const gain_scene *scene, gain_course *out) {
  elastica_world *world;
  const elastica_rod_view *rod = elastica_rod_get_view(scene->make(e, scene, &world));
  note(scene, rod, 0, out);
  const double begun = processor_time();
  for (int k = 1; k <= scene->samples; k++) {
    example_advance(e, world, scene->interval * k);
    note(scene, rod, k, out);
    example_worked(e, 1);
  }
  out->seconds = processor_time() - begun;
  out->steps = elastica_world_get(world).step_count;
  example_done(e, world);
}

void gain_run_implicit(example *e, const gain_scene *scene, int parts, double accuracy, const char *film, gain_course *out) {
  elastica_world *world;
  const elastica_rod_view *rod = elastica_rod_get_view(scene->make(e, scene, &world));
  elastica_vtk *vtk = film != NULL ? example_vtk(e, world, film) : NULL;
  elastica_implicit_result result = {.next_step = NAN};
  note(scene, rod, 0, out);
  out->seconds = 0;
  for (int k = 1; k <= scene->samples; k++) {
    elastica_implicit_def def;
    elastica_implicit_def_init(&def, sizeof def);
    def.until = scene->interval * k;
    if (parts > 0) {
      def.dt = (def.until - elastica_world_get(world).time) / parts;
    } else {
      def.accuracy = accuracy;
      def.first_step = result.next_step;
    }
    const double begun = processor_time();
    example_require(e, world, elastica_world_run_implicit(world, &def, &result));
    out->seconds += processor_time() - begun;
    note(scene, rod, k, out);
    if (vtk != NULL) output_frame(&e->output, world, vtk);
  }
  out->steps = elastica_world_get(world).step_count;
  example_done(e, world);
}

double gain_distance(const gain_scene *scene, const gain_course *a, const gain_course *b) {
  double most = 0, lowest = a->tip[0], highest = a->tip[0];
  for (int k = 1; k <= scene->samples; k++) {
    most = fmax(most, fabs(a->tip[k] - b->tip[k]));
    lowest = fmin(lowest, a->tip[k]);
    highest = fmax(highest, a->tip[k]);
  }
  return most / (highest - lowest);
}

double gain_of(const gain_course *explicit_run, const gain_course *implicit_run) {
  return explicit_run->seconds / implicit_run->seconds;
}
