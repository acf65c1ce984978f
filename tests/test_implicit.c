/* Implicit steps: they reproduce an independent implementation, converge with second order to the explicit ones, keep what they promise to
 * keep, and refuse what they cannot do.
 */
#include "support.h"

#include <float.h>

#include "rationed_memory.h"
#include "threads.h"

/* ---- The reference -------------------------------------------------------------------------------------------------------------------
 *
 * A free rod with J1 != J2, tapered, bent, twisted, sheared and strained at rest, by an independent numpy implementation. Newton's method
 * there goes on to 3e-12.
 */

enum { ELEMENTS = 9, NODES = 10, SNAPSHOTS = 5 };

typedef struct snapshot {
  int step;
  double position[3 * NODES], director[9 * ELEMENTS], velocity[3 * NODES], omega[3 * ELEMENTS];
  double energy, linear[3], angular[3];
} snapshot;

typedef struct reference {
  double dt;
  double rest_length[ELEMENTS], mass[NODES], inertia[3 * ELEMENTS], shear_stiffness[3 * ELEMENTS], bend_stiffness[3 * ELEMENTS];
  double rest_curvature[3 * (ELEMENTS - 1)], rest_strain[3 * ELEMENTS];
  snapshot snapshot[SNAPSHOTS];
} reference;

static const reference free_rod =
#include "reference/implicit.inc"
    ;

static elastica_world *make_world_with(int workers, size_t tile) {
  elastica_world_def def = default_world();
  def.worker_count = workers;
  def.tile_size = tile;
  return make_world(&def);
}

static elastica_rod *add_reference_rod(elastica_world *world) {
  const reference *of = &free_rod;
  double density[ELEMENTS], mass = 0.0;
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  for (int j = 0; j < ELEMENTS; j++) {
    mass = 2.0 * of->mass[j] - mass;
    density[j] = mass / (3.14159265358979324 * 0.02 * 0.02 * of->rest_length[j]);
  }
  def.element_count = ELEMENTS;
  def.position = of->snapshot[0].position;
  def.velocity = of->snapshot[0].velocity;
  def.director = of->snapshot[0].director;
  def.omega = of->snapshot[0].omega;
  def.rest_length = of->rest_length;
  def.rest_curvature = of->rest_curvature;
  def.rest_strain = of->rest_strain;
  def.inertia = of->inertia;
  def.shear_stiffness = of->shear_stiffness;
  def.bend_stiffness = of->bend_stiffness;
  def.radius = 0.02;
  def.element_density = density;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* Takes steps of dt to a time. */
static elastica_implicit_result run_by(elastica_world *world, double until, double dt) {
  elastica_implicit_result result;
  DEFAULTS(implicit, def);
  def.until = until;
  def.dt = dt;
  def.newton_tolerance = 1e-11;
  must(world, elastica_world_run_implicit(world, &def, &result));
  assert_true(result.finished);
  return result;
}

static double largest_difference(const double *a, const double *b, int count) {
  double most = 0.0;
  for (int i = 0; i < count; i++)
    if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]);
  return most;
}

TEST(reproduces_the_reference) {
  elastica_world *world = make_world_with(1, 256);
  elastica_rod *rod = add_reference_rod(world);
  for (int k = 0; k < SNAPSHOTS; k++) {
    const snapshot *expected = &free_rod.snapshot[k];
    rod_state now;
    elastica_momentum momentum;
    if (k > 0) run_by(world, free_rod.dt * expected->step, free_rod.dt);
    assert_int_equal(elastica_world_step_count(world), expected->step);
    read_state(rod, &now);
    assert_close(largest_difference(now.position, expected->position, 3 * NODES), 0.0, 1e-10);
    assert_close(largest_difference(now.director, expected->director, 9 * ELEMENTS), 0.0, 1e-10);
    assert_close(largest_difference(now.velocity, expected->velocity, 3 * NODES), 0.0, 1e-9);
    assert_close(largest_difference(now.omega, expected->omega, 3 * ELEMENTS), 0.0, 1e-8);
    assert_close(mechanical_energy(world), expected->energy, 1e-9);
    must(world, elastica_rod_get_momentum(rod, &momentum));
    assert_all_close(momentum.linear, free_rod.snapshot[0].linear, 3, 1e-13);
    assert_all_close(momentum.angular, expected->angular, 3, 1e-9);
  }
  elastica_world_destroy(world);
}
