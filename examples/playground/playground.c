/* The playground: a cantilever that bends under its weight and a load at its tip, for a page that a browser plays (README.md).
 *
 * The functions below are exports of a WebAssembly module; page.html calls them. Natively the program writes the page that build.sh
 * completes, the viewer with the first state of the rod, and prints the hash of a run by this machine.
 *
 * usage: playground PAGE
 */
#include <elastica.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name)))
#else
#define EXPORT(name)
#endif

#define RADIUS 0.01    /* [m] */
#define DENSITY 1100.0 /* [kg/m^3] */

static elastica_world *world;
static elastica_rod *rod;
static elastica_effect *dissipation, *load;
static elastica_step_limit limit;

static elastica_dissipation_def dissipation_of(double damping) {
  elastica_dissipation_def def;
  elastica_dissipation_def_init(&def, sizeof def);
  def.translation = damping;
  return def;
}

static elastica_point_load_def load_of(double force) {
  elastica_point_load_def def;
  elastica_point_load_def_init(&def, sizeof def);
  def.force[1] = force;
  return def;
}

/* Changes the damping [kg/(m s)] and the force on the tip, upwards [N]. */
EXPORT(set)
elastica_status set(double damping, double force) {
  const elastica_dissipation_def slower = dissipation_of(damping);
  const elastica_point_load_def tip = load_of(force);
  const elastica_status status = elastica_dissipation_set(dissipation, &slower);
  return status == ELASTICA_OK ? elastica_point_load_set(load, &tip) : status;
}

/* Begins again with a straight rod of this length [m], Young's modulus [Pa] and number of elements, clamped at node 0. */
EXPORT(begin)
elastica_status begin(double length, double modulus, int n, double damping, double force) {
  const double gravity[3] = {0.0, -9.81, 0.0};
  const elastica_dissipation_def slower = dissipation_of(damping);
  const elastica_point_load_def tip = load_of(force);
  elastica_rod_def def;
  elastica_boundary_def clamp;
  elastica_rod_def_init(&def, sizeof def);
  elastica_boundary_def_init(&clamp, sizeof clamp);
  def.element_count = n;
  def.length = length;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  def.radius = RADIUS;
  def.density = DENSITY;
  def.youngs_modulus = modulus;
  elastica_world_destroy(world);
  world = NULL;
  elastica_status status = elastica_world_create(NULL, &world);
  if (status == ELASTICA_OK) status = elastica_world_add_rod(world, &def, &rod);
  if (status == ELASTICA_OK) status = elastica_add_boundary(world, rod, &clamp, NULL);
  if (status == ELASTICA_OK) status = elastica_add_gravity(world, gravity, NULL);
  if (status == ELASTICA_OK) status = elastica_add_dissipation(world, rod, &slower, &dissipation);
  if (status == ELASTICA_OK) status = elastica_add_point_load(world, rod, &tip, &load);
  return status;
}

/* Runs to a time [s], but no longer than so many seconds of the clock, and computes the step limit. */
EXPORT(run)
elastica_status run(double until, double most_seconds) {
  elastica_run_def def;
  elastica_run_def_init(&def, sizeof def);
  def.until = until;
  def.whole_steps = 1;
  def.most_seconds = most_seconds;
  elastica_status status = elastica_world_run(world, &def, NULL);
  if (status == ELASTICA_OK) status = elastica_world_step_limit(world, &limit);
  return status;
}

/* Runs the scene of the comparison: 2,000 steps of 2^-14 s of a rod of 30 elements. Returns the hash (FNV-1a) of its snapshot, or 0 if a
 * call fails. */
EXPORT(hash)
uint64_t hash(void) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  size_t size = 0;
  if (begin(0.5, 1e7, 30, 0.1, 1.0) != ELASTICA_OK || elastica_world_step(world, 0x1p-14, 2000) != ELASTICA_OK ||
      elastica_world_snapshot_save(world, NULL, 0, &size) != ELASTICA_OK)
    return 0;
  unsigned char *bytes = malloc(size);
  if (bytes == NULL || elastica_world_snapshot_save(world, bytes, size, NULL) != ELASTICA_OK) sum = 0;
  for (size_t k = 0; sum != 0 && k < size; k++) sum = (sum ^ bytes[k]) * UINT64_C(0x100000001b3);
  free(bytes);
  return sum;
}

#ifdef __wasm__

/* ---- The state, for the page ---- */

EXPORT(lane)
const double *lane(int axis) {
  return elastica_rod_get_view(rod)->position[axis];
}

EXPORT(time)
double time_now(void) {
  return elastica_world_get(world).time;
}

EXPORT(steps)
double steps(void) {
  return (double)elastica_world_get(world).step_count;
}

EXPORT(limit)
double limit_now(void) {
  return limit.dt;
}

EXPORT(mode)
const char *mode(void) {
  return limit.mode_name;
}

EXPORT(message)
const char *message(void) {
  return elastica_world_message(world);
}

EXPORT(version)
const char *version(void) {
  return elastica_version();
}

#else

/* ---- The page without its module ---- */

int main(int argc, char **argv) {
  elastica_view *view = NULL;
  elastica_view_def def;
  elastica_view_def_init(&def, sizeof def);
  def.title = "elastica playground";
  if (argc != 2) {
    fprintf(stderr, "usage: playground PAGE\n");
    return 1;
  }
  const uint64_t native = hash();
  if (native == 0 || begin(0.5, 1e7, 30, 0.1, 0.0) != ELASTICA_OK || elastica_view_open(world, argv[1], &def, &view) != ELASTICA_OK ||
      elastica_view_frame(view) != ELASTICA_OK || elastica_view_close(view) != ELASTICA_OK) {
    fprintf(stderr, "playground: %s\n", elastica_world_message(world));
    return 1;
  }
  elastica_world_destroy(world);
  printf("%016llx\n", (unsigned long long)native);
  return 0;
}

#endif
