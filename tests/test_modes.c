/* Natural frequencies and shapes of equilibria, and load factors of linear buckling: beside an independent program, closed forms, the
 * motion that the time steps give, and the verdict.
 */
#include "rationed_memory.h"
#include "relaxed.h"

static elastica_modes *find_kind(elastica_world *world, elastica_modes_kind kind, int count) {
  elastica_modes *modes = NULL;
  DEFAULTS(modes, def);
  def.kind = kind, def.count = count;
  must(world, elastica_modes_find(world, &def, &modes));
  assert_non_null(modes);
  return modes;
}

static elastica_modes *find_modes(elastica_world *world, int count) {
  elastica_modes *modes = find_kind(world, ELASTICA_MODES_FREQUENCIES, count);
  assert_int_equal(elastica_modes_count(modes), count);
  return modes;
}

static elastica_eigenmode mode_of(elastica_modes *modes, int k) {
  elastica_eigenmode mode;
  assert_int_equal(elastica_modes_get(modes, k, &mode), ELASTICA_OK);
  return mode;
}

/* ---- Beside an independent program ------------------------------------------------------------------------------------------------------ */

/* Angular frequencies [rad/s], and numbers of squares below two bounds; rigid motions of the ring are left out. */
typedef struct reference {
  const char *name;
  int n, count;
  double omega[12], below[2];
  int counts[2];
} reference;

static const reference references[] = {
#include "reference/modes.inc"
};

static const reference *reference_of(const char *name) {
  for (size_t k = 0; k < sizeof references / sizeof *references; k++)
    if (strcmp(references[k].name, name) == 0) return &references[k];
  fail_msg("no reference %s", name);
  return NULL;
}

static elastica_rod_def steel(int n, double length, double radius) {
  DEFAULTS(rod, def);
  def.element_count = n, def.length = length, def.radius = radius, def.density = 7850.0;
  def.youngs_modulus = 200e9, def.shear_modulus = 200e9 / 3.0;
  return def;
}

static elastica_rod *add(elastica_world *world, const elastica_rod_def *def) {
  elastica_rod *rod = NULL;
  must(world, elastica_world_add_rod(world, def, &rod));
  return rod;
}

static void check_frequencies(elastica_world *world, const char *name, int rigid) {
  const reference *of = reference_of(name);
  elastica_modes *modes = find_modes(world, of->count + rigid);
  for (int k = 0; k < rigid; k++) assert_int_equal(mode_of(modes, k).rigid, 1);
  for (int k = 0; k < of->count; k++) {
    const elastica_eigenmode mode = mode_of(modes, k + rigid);
    assert_close(sqrt(mode.square) / of->omega[k], 1.0, 1e-7);
    assert_close(mode.frequency, sqrt(mode.square) / 6.283185307179586, 1e-15 * mode.frequency);
    assert_int_equal(mode.rigid, 0);
    assert_true(mode.residual < 1e-9);
  }
  for (int b = 0; b < 2; b++) {
    int count = 0;
    for (int k = 0; k < of->count + rigid; k++) count += mode_of(modes, k).square < of->below[b];
    if (of->below[b] > 0.0) assert_int_equal(count, of->counts[b]);
  }
  elastica_modes_destroy(modes);
}

static void check_cantilever(const char *name, double length, double radius, double x, double y, double z) {
  elastica_world *world = make_world(NULL);
  elastica_rod_def def = steel(reference_of(name)->n, length, radius);
  def.direction[0] = x, def.direction[1] = y, def.direction[2] = z;
  clamp_first(world, add(world, &def), ELASTICA_BOUNDARY_CLAMP);
  check_frequencies(world, name, 0);
  elastica_world_destroy(world);
}

TEST(cantilevers_vibrate_as_in_the_reference) {
  check_cantilever("cantilever_steel_25", 0.3, 5e-4, 1.0, 0.0, 0.0);
  check_cantilever("cantilever_steel_50", 0.3, 5e-4, 1.0, 0.0, 0.0);
  check_cantilever("cantilever_steel_100", 0.3, 5e-4, 1.0, 0.0, 0.0);
  check_cantilever("cantilever_steel_50_oblique", 0.3, 5e-4, 0.48, -0.6, 0.64);
  check_cantilever("cantilever_thick_50", 1.0, 0.1, 1.0, 0.0, 0.0);
}

/* Prescribes the spin of the first element about its axis as zero. */
static elastica_status stop_twist(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  (void)self, (void)now, (void)rod;
  state->omega[2][0] = 0.0;
  return ELASTICA_OK;
}

static void add_twist_stop(elastica_world *world, elastica_rod *rod) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "twist_stop";
  module.constrain_spin = stop_twist;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
}

TEST(a_string_vibrates_as_in_the_reference) {
  enum { N = 50 };
  elastica_world *world = make_world(NULL);
  elastica_rod_def def = steel(N, 1.0, 5e-4);
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  elastica_rod *rod = add(world, &def);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double position[3 * (N + 1)] = {0.0};
  for (int i = 0; i <= N; i++) position[3 * i] = (double)i / N * (1.0 + 50.0 / view->shear_stiffness[2][0]);
  must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
  pin_node(world, rod, 0);
  pin_node(world, rod, N);
  add_twist_stop(world, rod);
  check_frequencies(world, "string_50N_50", 0);
  elastica_world_destroy(world);
}

/* Stretches a rod that hangs from its first node by its weight. Relaxation would leave a residual of rounding that is a millionth of the
 * tension of the last element. */
static void hang(elastica_rod *rod) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  double position[3 * 51] = {0.0}, below = 0.0;
  const int n = view->element_count;
  for (int j = 0; j < n; j++) below += view->mass[j + 1];
  for (int j = 0; j < n; j++) {
    const double strain = below * 9.81 / view->shear_stiffness[2][j];
    position[3 * (j + 1) + 2] = position[3 * j + 2] - view->rest_length[j] * (1.0 + strain);
    below -= view->mass[j + 1];
  }
  must(elastica_rod_world(rod), elastica_rod_set_state(rod, position, NULL, NULL, NULL));
}

TEST(a_hanging_chain_vibrates_as_in_the_reference) {
  enum { N = 50 };
  elastica_world *world = make_world(NULL);
  elastica_rod_def def = steel(N, 1.0, 5e-4);
  double bend[3 * N];
  const double pi = 3.14159265358979324, inertia = 0.25 * pi * 6.25e-14, gravity[3] = {0.0, 0.0, -9.81};
  for (int j = 0; j < N; j++) {
    bend[3 * j] = bend[3 * j + 1] = 1e-6 * 200e9 * inertia;
    bend[3 * j + 2] = 1e-6 * 200e9 / 3.0 * 2.0 * inertia;
  }
  def.direction[2] = -1.0, def.bend_stiffness = bend;
  elastica_rod *rod = add(world, &def);
  pin_node(world, rod, 0);
  add_twist_stop(world, rod);
  must(world, elastica_add_gravity(world, gravity, NULL));
  hang(rod);
  check_frequencies(world, "chain_50", 0);
  elastica_world_destroy(world);
}

TEST(a_sagging_cantilever_vibrates_as_in_the_reference) {
  elastica_world *world = make_world(NULL);
  elastica_rod_def def = steel(50, 1.5, 5e-4);
  const double gravity[3] = {0.0, 0.0, -9.81};
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  elastica_rod *rod = add(world, &def);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  must(world, elastica_add_gravity(world, gravity, NULL));
  (void)relax(world);
  assert_close(tip(rod, 0), 0.6515659293208317, 1e-9);
  assert_close(tip(rod, 2), -1.252694574694722, 1e-9);
  check_frequencies(world, "sagging_50", 0);
  elastica_world_destroy(world);
}

TEST(a_ring_vibrates_as_in_the_reference) {
  enum { N = 64 };
  elastica_world *world = make_world(NULL);
  elastica_rod_def def = steel(N, NAN, 1e-3);
  double position[3 * N];
  for (int i = 0; i < N; i++) {
    const double angle = 6.283185307179586 * i / N;
    position[3 * i] = 0.1 * cos(angle), position[3 * i + 1] = 0.1 * sin(angle), position[3 * i + 2] = 0.0;
  }
  def.closed = 1, def.position = position, def.rest = ELASTICA_REST_INITIAL;
  (void)add(world, &def);
  check_frequencies(world, "ring_natural_64", 6);
  elastica_world_destroy(world);
}
