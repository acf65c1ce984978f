#include "referee/scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

elastica_rod *scene_rod(example *e, elastica_world *world, int n, double length, double radius, double modulus, const double *place,
                        const double normal[3]) {
  double rest[SCENE_MOST];
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  for (int j = 0; j < n; j++) rest[j] = length / n;
  def.element_count = n;
  def.position = place;
  def.rest_length = rest;
  def.radius = radius;
  def.density = SCENE_DENSITY;
  def.youngs_modulus = modulus; /* and G = E/3, the default */
  memcpy(def.normal, normal, sizeof def.normal);
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

void scene_pin(example *e, elastica_world *world, elastica_rod *rod, int node) {
  elastica_boundary_def pin;
  elastica_boundary_def_init(&pin, sizeof pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  pin.node = node;
  example_require(e, world, elastica_add_boundary(world, rod, &pin, NULL));
}

double scene_damp(example *e, elastica_world *world, elastica_rod *rod, double length, double radius, double modulus, int gravity) {
  const double area = acos(-1) * radius * radius, bending = modulus * area * radius * radius / 4;
  const double bent = 3.516 * sqrt(bending / (SCENE_DENSITY * area)) / (length * length), hung = gravity ? sqrt(SCENE_GRAVITY / length) : 0;
  const double rate = 2 * fmax(bent, hung);
  elastica_dissipation_def damper;
  elastica_dissipation_def_init(&damper, sizeof damper);
  damper.translation = rate * SCENE_DENSITY * area;
  example_require(e, world, elastica_add_dissipation(world, rod, &damper, NULL));
  return rate;
}

void scene_arc(int n, double length, double span, double *place) {
  double low = 1e-6, high = acos(-1); /* half of the angle */
  for (int pass = 0; pass < 100; pass++) {
    const double half = (low + high) / 2;
    if (sin(half) / half > span / length)
      low = half;
    else
      high = half;
  }
  const double radius = length / (2 * low);
  for (int i = 0; i <= n; i++) {
    const double angle = low * (2.0 * i / n - 1);
    place[component(i, X)] = span / 2 + radius * sin(angle);
    place[component(i, Y)] = 0;
    place[component(i, Z)] = radius * (cos(low) - cos(angle));
  }
  place[component(0, X)] = place[component(0, Z)] = place[component(n, Z)] = 0;
  place[component(n, X)] = span;
}

double scene_distance(const double *x, const double *z, int count, double at_x, double at_z) {
  double least = INFINITY;
  for (int k = 1; k < count; k++) {
    const double dx = x[k] - x[k - 1], dz = z[k] - z[k - 1];
    const double along = fmax(0, fmin(1, ((at_x - x[k - 1]) * dx + (at_z - z[k - 1]) * dz) / (dx * dx + dz * dz)));
    least = fmin(least, hypot(at_x - x[k - 1] - along * dx, at_z - z[k - 1] - along * dz));
  }
  return least;
}

static void print_column(const char *name, scene_published of) {
  if (isnan(of.error) && isnan(of.seconds)) return;
  printf("; %s ", name);
  if (isnan(of.error))
    printf("diverges at t = %.3g s", of.seconds);
  else if (isnan(of.seconds))
    printf("%.2g", of.error);
  else
    printf("%.2g in %.3g s", of.error, of.seconds);
}

static double wall_time(scene_published of) {
  return isnan(of.error) ? NAN : of.seconds;
}

void scene_row(example *e, scene_table *table, const char *quantity, double error, double tolerance, double seconds,
               scene_published pyelastica, scene_published mujoco) {
  printf("%s: %.3g in %.3g s", quantity, error, seconds);
  print_column("PyElastica", pyelastica);
  print_column("MuJoCo", mujoco);
  printf("\n");
  example_row(e, table->csv, ++table->rows, fabs(error), fabs(pyelastica.error), fabs(mujoco.error), seconds, wall_time(pyelastica),
              wall_time(mujoco));
  if (isnan(tolerance))
    example_inform(e, error, "%s", quantity);
  else
    example_check(e, error, 0, tolerance, "%s", quantity);
}

void scene_end(scene_table *table, const char *name) {
  const char *last = strrchr(table->ends, ' '), *space = table->rows > 0 && table->ends[0] != '\0' ? " " : "";
  const int before = last ? atoi(last) : atoi(table->ends);
  if (table->rows == before) return;
  const size_t named = strlen(table->scenes), ended = strlen(table->ends);
  snprintf(table->scenes + named, sizeof table->scenes - named, "%s%s", space, name);
  snprintf(table->ends + ended, sizeof table->ends - ended, "%s%d", space, table->rows);
}
