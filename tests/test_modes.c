/* Natural frequencies and shapes of equilibria, and load factors of linear buckling: beside an independent program, closed forms, the
 * motion that the time steps give, and the verdict.
 */
#include "rationed_memory.h"
#include "relaxed.h"

#include "base/symmetric_eigen.h"
#include "statics/relax.h"

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

/* ---- Beside an independent program --------------------------------------------------------------------------------------------------- */

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
  must(elastica_rod_get_view(rod)->world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
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

/* ---- Linear buckling ----------------------------------------------------------------------------------------------------------------- */

/* A steel rod of 1 m along z, under a share of a load along it. */
static elastica_world *make_column(int n, double load, int pinned) {
  elastica_world *world = make_world(NULL);
  const elastica_rod_def def = steel(n, 1.0, 5e-3);
  elastica_rod *rod = add(world, &def);
  if (pinned) {
    DEFAULTS(boundary, guide);
    pin_node(world, rod, 0);
    guide.kind = ELASTICA_BOUNDARY_PIN, guide.node = -1, guide.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
    must(world, elastica_add_boundary(world, rod, &guide, NULL));
  } else {
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  }
  pull_tip(world, rod, 0.0, 0.0, -load);
  (void)relax(world);
  return world;
}

/* At the load at which a pivot of the stiffness vanishes, in the reference, the factor is 1. */
static void check_column(int n, double critical, int pinned, double expected) {
  elastica_world *world = make_column(n, expected * critical, pinned);
  elastica_modes *modes = find_kind(world, ELASTICA_MODES_BUCKLING, 2);
  assert_int_equal(elastica_modes_count(modes), 2);
  for (int k = 0; k < 2; k++) {
    const elastica_eigenmode mode = mode_of(modes, k);
    assert_close(mode.factor, 1.0, 1e-6);
    assert_true(mode.residual < 1e-9);
    assert_close(mode.square, 0.0, 0.0);
  }
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
}

static const double column_bend = 200e9 * 0.25 * 3.14159265358979324 * 6.25e-10;

TEST(columns_buckle_at_the_loads_of_the_reference) {
  const double euler = 9.869604401089358 * column_bend;
  check_column(25, 0.25 * euler, 0, 0.9996517933765973);
  check_column(50, 0.25 * euler, 0, 0.9998984838400246);
  check_column(100, 0.25 * euler, 0, 0.9999601637758134);
  check_column(25, euler, 1, 0.9986078534980151);
  check_column(50, euler, 1, 0.9995940128022086);
  check_column(100, euler, 1, 0.99984067416417);
}

/* From a small load on, and from one beyond the first critical load, as linear analysis does. */
TEST(load_factors_scale_with_the_load) {
  const double euler = 2.4674011002723395 * column_bend;
  for (int k = 0; k < 3; k++) {
    const double share[3] = {1e-4, 0.3, 3.0};
    elastica_world *world = make_column(100, share[k] * euler, 0);
    elastica_modes *modes = find_kind(world, ELASTICA_MODES_BUCKLING, 5);
    const double expected[5] = {1.0, 1.0, 9.0, 9.0, 25.0};
    for (int m = 0; m < 5; m++) assert_close(share[k] * mode_of(modes, m).factor / expected[m], 1.0, 2e-3);
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}

static double first_factor(elastica_world *world) {
  (void)relax(world);
  elastica_modes *modes = find_kind(world, ELASTICA_MODES_BUCKLING, 1);
  assert_int_equal(elastica_modes_count(modes), 1);
  const double factor = mode_of(modes, 0).factor;
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
  return factor;
}

/* A column of bending stiffness 1 and `other` in its two planes, so stiff in stretch and shear that they do not matter. */
static elastica_rod *add_column(elastica_world *world, int n, double other) {
  elastica_rod *rod = NULL;
  double *shear = malloc(6 * (size_t)n * sizeof *shear), *bend = shear + 3 * n;
  assert_non_null(shear);
  for (int k = 0; k < 3 * n; k++) shear[k] = 1e8, bend[k] = k % 3 == 1 ? other : 1.0;
  DEFAULTS(rod, def);
  def.element_count = n, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.shear_stiffness = shear, def.bend_stiffness = bend;
  must(world, elastica_world_add_rod(world, &def, &rod));
  free(shear);
  return rod;
}

static void guide_tip(elastica_world *world, elastica_rod *rod, elastica_boundary_kind kind) {
  DEFAULTS(boundary, guide);
  guide.kind = kind, guide.node = -1, guide.axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Y;
  must(world, elastica_add_boundary(world, rod, &guide, NULL));
}

/* Clamped and free, between pins, between a clamp and a pin, between clamps: errors fall as 1/n^2, down to 2,000 elements. */
TEST(columns_buckle_at_euler_loads_with_all_ends) {
  const double pi = 3.14159265358979324, loads[4] = {0.25 * pi * pi, pi * pi, 20.190728556426629, 4.0 * pi * pi};
  static const int grids[3] = {40, 80, 2000};
  for (int k = 0; k < 4; k++)
    for (int grid = 0; grid < 3; grid++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_column(world, grids[grid], 3.0);
      if (k == 1)
        pin_node(world, rod, 0);
      else
        clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
      if (k > 0) guide_tip(world, rod, k == 3 ? ELASTICA_BOUNDARY_CLAMP : ELASTICA_BOUNDARY_PIN);
      pull_tip(world, rod, 0.0, 0.0, -0.1);
      const double n = grids[grid];
      assert_close(0.1 * first_factor(world) / loads[k], 1.0, 3.5 / (n * n) + 3e-6);
    }
}

/* Between pins on springs k per length the load is the least of m^2 pi^2 + k/(m pi)^2 over all m. */
TEST(a_column_on_springs_buckles_in_several_waves) {
  static const double stiffness[] = {10.0, 500.0, 5000.0, 1e5};
  enum { N = 40 };
  for (int k = 0; k < 4; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_column(world, N, 1e4);
    double least = INFINITY;
    for (int m = 1; m < 20; m++) least = fmin(least, m * m * 9.869604401089358 + stiffness[k] / (m * m * 9.869604401089358));
    pin_node(world, rod, 0);
    guide_tip(world, rod, ELASTICA_BOUNDARY_PIN);
    DEFAULTS(joint, spring);
    spring.kind = ELASTICA_JOINT_BALL, spring.stiffness = stiffness[k] / N, spring.first.rod = rod;
    for (spring.first.element = 1; spring.first.element < N; spring.first.element++) must(world, elastica_add_joint(world, &spring, NULL));
    pull_tip(world, rod, 0.0, 0.0, -1.0);
    assert_close(first_factor(world) / least, 1.0, 2e-3);
  }
}

/* A ring of radius 1 in its plane, under radial forces of fixed direction, p per length: 4 B/R^3. Pins keep it from turning. */
TEST(a_ring_buckles_under_dead_radial_loads) {
  enum { MOST = 160 };
  const double pi = 3.14159265358979324;
  for (int n = 40; n <= MOST; n *= 2) {
    double position[3 * MOST], shear[3 * MOST], bend[3 * MOST];
    elastica_world *world = make_world(NULL);
    elastica_rod *rod;
    for (int i = 0; i < n; i++) set_vector(position, i, cos(2.0 * pi * i / n), sin(2.0 * pi * i / n), 0.0);
    for (int k = 0; k < 3 * n; k++) shear[k] = 1e8, bend[k] = k % 3 == 0 ? 1.0 : 1e3;
    DEFAULTS(rod, def);
    def.element_count = n, def.closed = 1, def.position = position, def.rest = ELASTICA_REST_INITIAL, def.radius = 0.01,
    def.density = 1000.0;
    set_vector(def.normal, 0, 0.0, 0.0, 1.0);
    def.shear_stiffness = shear, def.bend_stiffness = bend;
    must(world, elastica_world_add_rod(world, &def, &rod));
    for (int i = 0; i < n; i++) {
      DEFAULTS(point_load, load);
      DEFAULTS(boundary, pin);
      load.node = pin.node = i, pin.kind = ELASTICA_BOUNDARY_PIN;
      pin.axes = ELASTICA_AXIS_Z | (i % (n / 2) == 0 ? ELASTICA_AXIS_Y : 0) | (i % (n / 2) == n / 4 ? ELASTICA_AXIS_X : 0);
      for (int a = 0; a < 2; a++) load.force[a] = -2.0 * pi / n * position[3 * i + a];
      must(world, elastica_add_point_load(world, rod, &load, NULL));
      must(world, elastica_add_boundary(world, rod, &pin, NULL));
    }
    assert_close(first_factor(world), 4.0, 50.0 / n / n);
  }
}

/* A cable from the clamp to the tip pulls towards the clamp, whatever the shape: the load is pi^2 B/L^2, four times that of a dead
 * force. */
TEST(a_cable_to_its_clamp_buckles_a_column_at_four_times_its_load) {
  const double euler = 9.869604401089358 * column_bend;
  elastica_world *world = make_column(100, 0.0, 0);
  elastica_anchor guide[2];
  memset(guide, 0, sizeof guide);
  guide[1].rod = elastica_world_rod(world, 0), guide[1].element = -1, guide[1].share = 1.0;
  DEFAULTS(tendon, tendon);
  tendon.guides = guide, tendon.guide_count = 2, tendon.tension = 0.01 * euler;
  must(world, elastica_add_tendon(world, &tendon, NULL));
  (void)relax(world);
  elastica_modes *modes = find_kind(world, ELASTICA_MODES_BUCKLING, 2);
  for (int k = 0; k < 2; k++) assert_close(0.01 * mode_of(modes, k).factor, 1.0, 1e-3);
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
}

static int count_factors(elastica_world *world, double *first) {
  elastica_modes *modes = find_kind(world, ELASTICA_MODES_BUCKLING, 4);
  const int count = elastica_modes_count(modes);
  *first = count > 0 ? mode_of(modes, 0).factor : 0.0;
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
  return count;
}

/* Tension, no load, and loads below 1e-6 of the critical one, where the rounding of stresses is not a mode either; the weight may join. */
TEST(tension_and_faint_loads_have_no_load_factor) {
  const double euler = 2.4674011002723395 * column_bend,
               share[] = {-1e3, -30.0, -1.0, -1e-3, -1e-6, -1e-10, 0.0, 1e-10, 1e-8, 0.99e-6, 1.01e-6, 1e-5, 1e-3, 1.0, 1e3};
  double first;
  for (size_t k = 0; k < sizeof share / sizeof *share; k++) {
    const int count = count_factors(make_column(20, share[k] * euler, 0), &first);
    assert_int_equal(count, share[k] < 1e-6 ? 0 : share[k] < 2e-6 ? 2 : 4);
    if (count > 0) assert_close(share[k] * first, 1.0, share[k] < 100.0 ? 2e-3 : 0.03);
    if (share[k] > 0.0) continue;
    const double down[3] = {0.0, 0.0, 9.81};
    elastica_world *world = make_column(20, share[k] * euler, 0);
    must(world, elastica_add_gravity(world, down, NULL));
    (void)relax(world);
    assert_int_equal(count_factors(world, &first), 0);
  }
}

/* Free rods, rings and bodies beside the column, which nothing resists. */
TEST(free_motions_have_no_load_factor) {
  const double euler = 2.4674011002723395 * column_bend, share[] = {-1.0, 0.0, 1e-8, 1e-3, 1.0};
  double first;
  for (size_t k = 0; k < sizeof share / sizeof *share; k++) {
    elastica_world *world = make_column(20, share[k] * euler, 0);
    (void)add_straight_rod(world, 10, 0.4, 0.01, 1100.0, 1e6, 4e5);
    DEFAULTS(body, ball);
    ball.radius = 0.1, ball.density = 1e3, ball.position[0] = 3.0;
    must(world, elastica_world_add_body(world, &ball, NULL));
    (void)relax(world);
    const int count = count_factors(world, &first);
    assert_int_equal(count, share[k] < 1e-6 ? 0 : 4);
    if (count > 0) assert_close(share[k] * first, 1.0, 2e-3);
  }
  elastica_world *world = make_world(NULL);
  (void)add_straight_rod(world, 10, 0.4, 0.01, 1100.0, 1e6, 4e5);
  assert_int_equal(count_factors(world, &first), 0);
}

/* ---- Beside a dense matrix ----------------------------------------------------------------------------------------------------------- */

enum { MOST_RODS = 4, ELEMENTS = 3, BLOCKS = 3 * (ELEMENTS + 1) + 1, MOST = 6 * BLOCKS };

static double total[MOST], external[MOST], added[MOST], strain[2 * MOST];
static size_t first[MOST_RODS];
static const eli_statics statics = {first, total, external, added, strain};

/* Displaces one unknown; *mass: its inertia. */
static void move(elastica_world *world, size_t unknown, double size, double *mass) {
  double *const *lane = world->bodies.slab.lane;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const size_t block = unknown / 6, a = unknown % 3, from = first[rod->body->rank];
    if (block < from || block >= from + eli_block_count(rod)) continue;
    const size_t slot = rod->offset + block - from;
    if (unknown % 6 < 3) {
      lane[ELI_POSITION + a][slot] += size;
      *mass = lane[ELI_MASS][slot];
    } else {
      double phi[3] = {0.0, 0.0, 0.0}, turned[9];
      phi[a] = size;
      for (size_t k = 0; k < 9; k++) turned[k] = lane[ELI_DIRECTOR + k][slot];
      turn_frame_exactly(phi, turned);
      for (size_t k = 0; k < 9; k++) lane[ELI_DIRECTOR + k][slot] = turned[k];
      *mass = lane[ELI_INERTIA + a][slot] / (world->law.classical ? 1.0 : lane[ELI_DILATATION][slot]);
    }
  }
}

/* Squares of the free unknowns, ascending, from differences of loads of fourth order. */
static int find_squares(elastica_world *world, const unsigned char *held, int size, double *squares) {
  static double matrix[MOST * MOST], vectors[MOST * MOST];
  static const double factor[4] = {1.0, -1.0, 2.0, -2.0}, weight[4] = {8.0, -8.0, -1.0, 1.0};
  double mass[MOST];
  int free[MOST], n = 0;
  eli_tile_report report;
  for (int i = 0; i < size; i++)
    if (!held[i]) free[n++] = i;
  for (int i = 0; i < n; i++) move(world, (size_t)free[i], 0.0, &mass[i]);
  memset(matrix, 0, sizeof matrix);
  for (int c = 0; c < n; c++) {
    const double step = free[c] % 6 < 3 ? 3e-4 : 1e-3;
    for (int k = 0; k < 4; k++) {
      double unused;
      move(world, (size_t)free[c], factor[k] * step, &unused);
      assert_int_equal(eli_world_statics(world, 1, &statics, &report), ELASTICA_OK);
      move(world, (size_t)free[c], -factor[k] * step, &unused);
      for (int r = 0; r < n; r++) {
        const double part = -weight[k] * total[free[r]] / (24.0 * step * sqrt(mass[r] * mass[c]));
        matrix[r * n + c] += part; /* the symmetric part */
        matrix[c * n + r] += part;
      }
    }
  }
  assert_true(eli_symmetric_eigen(n, matrix, squares, vectors));
  return n;
}

/* One to three rods, one below the other, in the wind of gravity, with joints of any kind, a ball below the last and an added mass. */
static elastica_world *make_train(random_source *source, unsigned char *held, int *size) {
  elastica_world_def def = default_world();
  elastica_world *world = make_world(&def);
  elastica_rod *rod[MOST_RODS] = {NULL};
  const int count = random_integer(source, 1, 3), with_ball = random_integer(source, 0, 1), kind = random_integer(source, 0, 2);
  const double gravity[3] = {0.0, random_between(source, -3.0, 3.0), -9.81};
  memset(held, 0, MOST);
  for (int k = 0; k < count; k++) {
    DEFAULTS(rod, shape);
    shape.element_count = ELEMENTS, shape.length = 1.0, shape.start[2] = -k, shape.direction[2] = -1.0, shape.radius = 0.03;
    shape.density = 1000.0, shape.youngs_modulus = 1e6, shape.shear_modulus = 4e5;
    must(world, elastica_world_add_rod(world, &shape, &rod[k]));
    memset(held + 6 * (k + 1) * (ELEMENTS + 1) - 3, 1, 3); /* the last node has no element */
    first[k] = (size_t)(k * (ELEMENTS + 1));
  }
  *size = 6 * count * (ELEMENTS + 1);
  if (with_ball) {
    DEFAULTS(body, ball);
    ball.position[2] = -count - 0.1, ball.radius = 0.1, ball.density = 500.0;
    must(world, elastica_world_add_body(world, &ball, &rod[count]));
    first[count] = (size_t)(count * (ELEMENTS + 1));
    *size += 6;
  }
  if (kind < 2) {
    clamp_first(world, rod[0], (elastica_boundary_kind)kind);
    memset(held, 1, kind == ELASTICA_BOUNDARY_FRAME ? 6 : 3);
  } else {
    pin_node(world, rod[0], 0);
    memset(held, 1, 3);
  }
  for (int k = 1; k < count + with_ball; k++) {
    DEFAULTS(joint, joint);
    joint.kind = (elastica_joint_kind)random_integer(source, ELASTICA_JOINT_BALL, ELASTICA_JOINT_FIXED);
    joint.first.rod = rod[k - 1], joint.first.element = -1, joint.first.share = 1.0, joint.second.rod = rod[k];
    if (k == count) joint.second.offset[2] = 0.1;
    joint.stiffness = exp(random_between(source, 5.0, 9.0));
    const double angular = exp(random_between(source, -1.0, 4.0));
    if (joint.kind != ELASTICA_JOINT_BALL) joint.angular_stiffness = angular;
    if (joint.kind == ELASTICA_JOINT_HINGE) joint.axis[0] = 0.6, joint.axis[1] = 0.8, joint.axis[2] = 0.0;
    must(world, elastica_add_joint(world, &joint, NULL));
  }
  DEFAULTS(node_mass, mass);
  mass.node = random_integer(source, 1, ELEMENTS), mass.mass = random_between(source, 0.0, 3.0);
  must(world, elastica_add_node_mass(world, rod[count - 1], &mass, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  (void)relax(world);
  return world;
}

TEST(frequencies_of_random_trains_are_those_of_a_dense_matrix) {
  int modes_in_all = 0;
  for (uint64_t seed = 0; seed < (uint64_t)rounds(60); seed++) {
    random_source source = {seed};
    unsigned char held[MOST];
    double squares[MOST];
    int size;
    elastica_world *world = make_train(&source, held, &size);
    const int count = random_integer(&source, 1, 15);
    elastica_modes *modes = find_modes(world, count);
    const int n = find_squares(world, held, size, squares);
    for (int k = 0; k < elastica_modes_count(modes); k++, modes_in_all++) {
      const double error = mode_of(modes, k).square - squares[k];
      if (fabs(error) > 1e-5 * fabs(squares[k]) + 1e-9 * squares[n - 1])
        fail_msg("scene %d, mode %d of %d: square %.10g, dense %.10g", (int)seed, k, n, mode_of(modes, k).square, squares[k]);
    }
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
  assert_true(modes_in_all > 5 * rounds(60));
}

/* ---- Equal modes, rigid motions, unstable modes -------------------------------------------------------------------------------------- */

TEST(equal_modes_are_all_found) {
  enum { RODS = 12 };
  elastica_world *world = make_world(NULL);
  for (int k = 0; k < RODS; k++) clamp_first(world, add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5), ELASTICA_BOUNDARY_CLAMP);
  elastica_modes *modes = find_modes(world, 4 * RODS + 3);
  for (int k = 0; k < 4 * RODS; k++) {
    const double ratio = mode_of(modes, k).square / mode_of(modes, k < 2 * RODS ? 0 : 2 * RODS).square;
    assert_close(ratio, 1.0, 1e-9);
  }
  assert_true(mode_of(modes, 2 * RODS).square > 30.0 * mode_of(modes, 0).square);
  assert_true(mode_of(modes, 4 * RODS).square > 1.1 * mode_of(modes, 2 * RODS).square);
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
}

TEST(rigid_motions_come_first) {
  for (int n = 1; n <= 1000; n *= 10) {
    elastica_world *world = make_world(NULL);
    for (int k = 0; k < 2; k++) (void)add_straight_rod(world, n, 1.0, 0.002, 1000.0, 1e9, 4e8);
    elastica_modes *modes = find_modes(world, 16 < 12 * n ? 14 : 12 * n);
    for (int k = 0; k < elastica_modes_count(modes); k++) assert_int_equal(mode_of(modes, k).rigid, k < 12);
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}

TEST(all_modes_of_a_small_rod_are_found) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 4, 1.0, 0.1, 1000.0, 1e6, 4e5);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  elastica_modes *modes = find_modes(world, 24);
  for (int k = 1; k < 24; k++) assert_true(mode_of(modes, k).square >= mode_of(modes, k - 1).square);
  assert_true(mode_of(modes, 0).square > 0.0);
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
}

/* A column above its load: the number of negative squares is that of the verdict. */
TEST(unstable_modes_have_negative_squares) {
  elastica_world *world = make_column(50, 12.0 * 2.4674011002723395 * column_bend, 0);
  const elastica_relax_result result = relax(world);
  assert_int_equal(result.unstable_modes, 4);
  elastica_modes *modes = find_modes(world, 6);
  for (int k = 0; k < 6; k++) {
    assert_true((mode_of(modes, k).square < 0.0) == (k < 4));
    if (k < 4) assert_close(mode_of(modes, k).frequency, 0.0, 0.0);
  }
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
}

/* A rod that lies on an elastic plane of modulus k heaves with about k/(rho A); almost nothing resists that it slides along two axes, turns
 * about the vertical and rolls. With friction, which sticks, it can only roll along. */
TEST(a_rod_on_an_elastic_plane_heaves) {
  for (int rough = 0; rough < 2; rough++) {
    elastica_world *world = make_world(NULL);
    DEFAULTS(rod, def);
    def.element_count = 10, def.length = 0.5, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e8, def.shear_modulus = 4e7;
    def.direction[0] = 1.0, def.direction[2] = 0.0, def.start[2] = 0.02;
    elastica_rod *rod = add(world, &def);
    const double gravity[3] = {0.0, 0.0, -9.81}, modulus = 1e5;
    DEFAULTS(obstacle, plane);
    plane.kind = ELASTICA_OBSTACLE_ELASTIC, plane.modulus = modulus, plane.friction = rough ? 0.5 : 0.0;
    must(world, elastica_add_obstacle(world, rod, &plane, NULL));
    must(world, elastica_add_gravity(world, gravity, NULL));
    (void)relax(world);
    elastica_modes *modes = find_modes(world, 8);
    const double heave = modulus / (1000.0 * 3.14159265358979324 * 4e-4); /* of an endless rod */
    for (int k = 0; k < 8; k++) {
      const double share = mode_of(modes, k).square / heave;
      if (k < (rough ? 1 : 4)) assert_close(share, 0.0, 1e-4);
      if (k >= (rough ? 1 : 4)) assert_true(share > 0.5);
      if (k == 4 && !rough) assert_close(share, 1.0, 0.15);
    }
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}

/* Under the classical law twist has the stiffness B/l and the inertia J of the rod at rest, however far it is stretched. Between held
 * frames, with n - 1 elements that turn: omega^2 = 4 B/(l J) sin^2(pi/(2 (n - 1))). */
TEST(stretch_changes_no_frequency_of_twist) {
  enum { N = 12 };
  double square[2];
  for (int stretched = 0; stretched < 2; stretched++) {
    double shear[3 * N], bend[3 * N], position[3 * (N + 1)] = {0.0};
    elastica_world *world = make_world(NULL);
    DEFAULTS(rod, def);
    for (int k = 0; k < 3 * N; k++) shear[k] = 1e4, bend[k] = k % 3 == 2 ? 1e-4 : 1.0;
    def.element_count = N, def.length = 1.0, def.radius = 0.02, def.density = 1000.0;
    def.shear_stiffness = shear, def.bend_stiffness = bend;
    elastica_rod *rod = add(world, &def);
    for (int i = 0; i <= N; i++) position[3 * i + 2] = (stretched ? 1.5 : 1.0) * i / N;
    must(world, elastica_rod_set_state(rod, position, NULL, NULL, NULL));
    DEFAULTS(boundary, end);
    end.kind = ELASTICA_BOUNDARY_FRAME;
    must(world, elastica_add_boundary(world, rod, &end, NULL));
    end.node = -1;
    must(world, elastica_add_boundary(world, rod, &end, NULL));
    (void)relax(world);
    elastica_modes *modes = find_modes(world, 1);
    square[stretched] = mode_of(modes, 0).square;
    const double l = 1.0 / N, s = sin(0.5 * 3.14159265358979324 / (N - 1));
    assert_close(square[stretched] / (4.0 * bend[2] / (l * elastica_rod_get_view(rod)->inertia[2][1]) * s * s), 1.0, 1e-6);
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}

/* Rounding of positions makes a stress, and nothing else resists a turn of a free rod. */
TEST(a_free_rod_without_load_has_no_load_factor) {
  for (int n = 2; n < 1000; n *= 7)
    for (int k = 0; k < 8; k++) {
      elastica_world *world = make_world(NULL);
      DEFAULTS(rod, def);
      const double length = k % 2 ? 0.01 : 1.0, far = k / 2 % 2 ? 100.0 * length : 0.0;
      def.element_count = n, def.length = length, def.radius = k / 4 ? 1e-3 * length : 0.02 * length, def.density = 1000.0;
      def.youngs_modulus = 1e6, def.shear_modulus = 4e5;
      set_vector(def.start, 0, far, 0.03 * far, 0.0);
      set_vector(def.direction, 0, 0.2, -0.3, 0.7);
      (void)add(world, &def);
      for (int count = 1; count <= 9; count += 4) {
        elastica_modes *modes = find_kind(world, ELASTICA_MODES_BUCKLING, count);
        assert_int_equal(elastica_modes_count(modes), 0);
        elastica_modes_destroy(modes);
      }
      elastica_world_destroy(world);
    }
}

/* A round rod between pins spins about its axis: neither stress nor stiffness resists; in an oblique direction rounding remains of both.
 * Above its load, the lowest factors are those of the two planes of bending. */
TEST(spin_of_an_oblique_column_has_no_load_factor) {
  const double pi = 3.14159265358979324;
  random_source source = {3};
  for (int k = 0; k < 60; k++) {
    const double radius = k % 3 == 0 ? 1e-2 : k % 3 == 1 ? 1e-3 : 1e-4, shortening = 1.5 * pi * pi / 4.0 * radius * radius;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    DEFAULTS(rod, def);
    DEFAULTS(boundary, pin);
    random_vector(&source, 1.0, def.direction);
    const double size = sqrt(dot(def.direction, def.direction));
    def.element_count = 16, def.length = 1.0, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e9;
    must(world, elastica_world_add_rod(world, &def, &rod));
    pin.kind = ELASTICA_BOUNDARY_PIN;
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
    pin.node = -1;
    for (int a = 0; a < 3; a++) pin.position[a] = def.direction[a] / size * (1.0 - shortening);
    must(world, elastica_add_boundary(world, rod, &pin, NULL));
    must(world, elastica_world_relax(world, NULL, NULL));
    elastica_modes *modes = find_kind(world, ELASTICA_MODES_BUCKLING, 3);
    assert_int_equal(elastica_modes_count(modes), 3);
    for (int m = 0; m < 3; m++) {
      elastica_eigenmode mode;
      must(world, elastica_modes_get(modes, m, &mode));
      const double expected = (m < 2 ? 1.0 : 4.0) / 1.5;
      assert_close(mode.factor, expected, 2e-2 * expected); /* of 16 elements */
    }
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}

/* Frequencies and load factors of a rod with a clamped end do not depend on its direction, up to a length of 1e5 radii. */
TEST(modes_of_a_slender_rod_do_not_depend_on_its_direction) {
  const double pi = 3.14159265358979324;
  random_source source = {4};
  for (int k = 0; k < 24; k++) {
    const double radius = k % 2 ? 1e-5 : 3e-5, bend = 1e9 * pi * radius * radius * radius * radius / 4.0,
                 mass = 1000.0 * pi * radius * radius;
    const int n = k / 2 % 2 ? 50 : 10;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    DEFAULTS(rod, def);
    random_vector(&source, 1.0, def.direction);
    const double press = -0.1 * pi * pi / 4.0 * bend / sqrt(dot(def.direction, def.direction));
    def.element_count = n, def.length = 1.0, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e9;
    must(world, elastica_world_add_rod(world, &def, &rod));
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    elastica_modes *modes = find_modes(world, 2);
    for (int m = 0; m < 2; m++) assert_close(mode_of(modes, m).square * mass / bend, n == 10 ? 12.15636 : 12.3540, 3e-4);
    elastica_modes_destroy(modes);
    pull_tip(world, rod, press * def.direction[0], press * def.direction[1], press * def.direction[2]);
    must(world, elastica_world_relax(world, NULL, NULL));
    modes = find_kind(world, ELASTICA_MODES_BUCKLING, 2);
    assert_int_equal(elastica_modes_count(modes), 2);
    for (int m = 0; m < 2; m++) assert_close(0.1 * mode_of(modes, m).factor, 1.0, 3e-3); /* of 10 elements */
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}

/* A rope that hangs from a pin or a clamp, and a slender rod under tension: what rounding leaves of their stresses has no load factor. */
TEST(tension_in_slender_rods_has_no_load_factor) {
  const double along[3][3] = {{0.0, 0.0, -1.0}, {0.6, 0.0, -0.8}, {0.48, 0.64, 0.6}};
  for (int k = 0; k < 36; k++) {
    const int pinned = k % 2, elements[3] = {16, 26, 60};
    const double *d = along[k / 2 % 3], radius = k / 6 % 2 ? 1e-4 : 1e-3;
    elastica_world *world = make_world(NULL);
    DEFAULTS(rod, def);
    DEFAULTS(boundary, hold);
    DEFAULTS(point_load, weight);
    def.element_count = elements[k / 12], def.length = 1.0, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e9;
    for (int a = 0; a < 3; a++) def.direction[a] = d[a], weight.force[a] = 1e6 * radius * radius * radius * radius * d[a];
    elastica_rod *rod = add(world, &def);
    hold.kind = pinned ? ELASTICA_BOUNDARY_PIN : ELASTICA_BOUNDARY_CLAMP, weight.node = -1;
    must(world, elastica_add_boundary(world, rod, &hold, NULL));
    must(world, elastica_add_point_load(world, rod, &weight, NULL));
    must(world, elastica_add_gravity(world, (double[]){9.81 * d[0], 9.81 * d[1], 9.81 * d[2]}, NULL));
    must(world, elastica_world_relax(world, NULL, NULL));
    elastica_modes *modes = find_kind(world, ELASTICA_MODES_BUCKLING, 3);
    assert_int_equal(elastica_modes_count(modes), 0);
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}

/* The rounding of the stretch of a slender rod exceeds faint loads: the stress of its balance has factors, and has none in tension. */
TEST(faint_loads_of_slender_rods_have_their_factors) {
  const double pi = 3.14159265358979324, radius = 1e-5, euler = pi * pi / 4.0 * 1e9 * pi * radius * radius * radius * radius / 4.0;
  for (int n = 60; n <= 150; n += 90)
    for (int k = 0; k < 4; k++) {
      const double share = k / 2 ? 1e-2 : 1e-3;
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = NULL;
      DEFAULTS(rod, def);
      def.element_count = n, def.length = 1.0, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e9;
      must(world, elastica_world_add_rod(world, &def, &rod));
      clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
      pull_tip(world, rod, 0.0, 0.0, k % 2 ? share * euler : -share * euler);
      must(world, elastica_world_relax(world, NULL, NULL));
      elastica_modes *modes = find_kind(world, ELASTICA_MODES_BUCKLING, 2);
      assert_int_equal(elastica_modes_count(modes), k % 2 ? 0 : 2);
      for (int m = 0; m < elastica_modes_count(modes); m++) assert_close(share * mode_of(modes, m).factor, 1.0, 1e-2);
      elastica_modes_destroy(modes);
      elastica_world_destroy(world);
    }
}

/* A ball hangs from the tip of a column by a joint, or from the world beside it: loads alone resist its swing, and nothing its spin. The
 * column has the factors of the same load without the ball. */
TEST(loads_alone_resist_the_swing_of_a_ball) {
  const double pi = 3.14159265358979324, radius = 0.05, euler = pi * pi / 4.0 * 1e9 * pi * radius * radius * radius * radius / 4.0;
  for (int n = 10; n <= 40; n += 10) {
    double factor[3][3];
    for (int hung = 0; hung < 3; hung++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *ball = NULL;
      DEFAULTS(rod, def);
      def.element_count = n, def.length = 1.0, def.radius = radius, def.density = 1e-6, def.youngs_modulus = 1e9;
      elastica_rod *rod = add(world, &def);
      clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
      if (hung != 2) pull_tip(world, rod, 0.0, 0.0, -euler / 3.0);
      if (hung != 0) {
        DEFAULTS(body, body);
        DEFAULTS(joint, joint);
        body.radius = 0.02, body.mass = 1.0;
        set_vector(body.position, 0, hung == 1 ? 3.0 : 0.0, 0.0, 0.7);
        must(world, elastica_world_add_body(world, &body, &ball));
        joint.first.rod = ball, joint.first.offset[2] = 0.3, joint.stiffness = 1e6;
        if (hung == 2) joint.second.rod = rod, joint.second.element = -1, joint.second.share = 1.0;
        must(world, elastica_add_joint(world, &joint, NULL));
        pull_tip(world, ball, 0.0, 0.0, -euler / 3.0);
      }
      if (n == 30) { /* a soft rod elsewhere changes nothing */
        def.youngs_modulus = 1e3, def.start[0] = 6.0;
        clamp_first(world, add(world, &def), ELASTICA_BOUNDARY_CLAMP);
      }
      must(world, elastica_world_relax(world, NULL, NULL));
      elastica_modes *modes = find_kind(world, ELASTICA_MODES_BUCKLING, 3);
      assert_int_equal(elastica_modes_count(modes), 3);
      for (int m = 0; m < 3; m++) factor[hung][m] = mode_of(modes, m).factor;
      elastica_modes_destroy(modes);
      elastica_world_destroy(world);
    }
    assert_close(factor[0][0], 3.0, 0.02);
    for (int hung = 1; hung < 3; hung++)
      for (int m = 0; m < 3; m++) assert_close(factor[hung][m] / factor[0][m], 1.0, 1e-4);
  }
}

/* A body that stands on a joint: without a stiffness against its fall there is no lowest load factor, and with any, however soft beside the
 * column, the factor of a rigid link on a spring. */
TEST(a_body_that_stands_on_a_joint_falls_at_its_own_load) {
  const double spring[] = {0.0, 0.0, 1e-3, 1e-2, 1.0};
  for (int k = 0; k < 5; k++) {
    const double weight = k == 0 ? 10.0 : k == 1 ? 1e-2 : spring[k] / (2.0 * 0.3);
    elastica_world *world = make_column(20, 2.4674011002723395 * column_bend / 3.0, 0);
    elastica_rod *link = NULL;
    DEFAULTS(body, body);
    DEFAULTS(joint, joint);
    body.shape = ELASTICA_SHAPE_CAPSULE, body.radius = 0.02, body.length = 0.3, body.mass = 1.0;
    set_vector(body.position, 0, 3.0, 0.0, 0.3);
    must(world, elastica_world_add_body(world, &body, &link));
    joint.kind = k < 2 ? ELASTICA_JOINT_BALL : ELASTICA_JOINT_FIXED, joint.stiffness = 1e4;
    if (k >= 2) joint.angular_stiffness = spring[k];
    joint.first.rod = link, joint.first.offset[2] = -0.3;
    must(world, elastica_add_joint(world, &joint, NULL));
    pull_tip(world, link, 0.0, 0.0, -weight);
    must(world, elastica_world_relax(world, NULL, NULL));
    elastica_modes *modes = NULL;
    DEFAULTS(modes, wanted);
    wanted.kind = ELASTICA_MODES_BUCKLING, wanted.count = 2;
    const elastica_status status = elastica_modes_find(world, &wanted, &modes);
    if (k < 2)
      assert_refused(world, status, ELASTICA_INVALID_ARGUMENT, "that no stiffness resists", "no lowest load factor");
    else
      for (int m = 0; m < 2; m++) assert_close(mode_of(modes, m).factor, 2.0, 2e-3);
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}

/* A portal: two columns with clamped feet under a beam, joined rigidly. The rounding of the stretch of a thick beam hides the bending of
 * slender columns: no pivot vanishes for another cause, and yet the equilibrium is undecided, and modes are refused. */
TEST(a_thick_beam_hides_the_bending_of_slender_columns) {
  const double pi = 3.14159265358979324;
  for (int k = 0; k < 5; k++) {
    const double radius = k == 0 ? 1e-3 : k < 3 ? 1e-4 : 1e-5, thick = k == 1 ? 1e-3 : 1.0 / 30.0, load = k % 2 ? 1.0 : 2.6;
    const double bend = 1e9 * pi / 4.0 * radius * radius * radius * radius;
    elastica_world *world = make_world(NULL);
    elastica_rod *column[2], *beam = NULL;
    DEFAULTS(rod, def);
    def.element_count = 20, def.length = 1.0, def.density = 1000.0, def.youngs_modulus = 1e9;
    for (int side = 0; side < 2; side++) {
      set_vector(def.direction, 0, 0.0, 0.0, 1.0);
      def.radius = radius, def.start[0] = side;
      column[side] = add(world, &def);
      clamp_first(world, column[side], ELASTICA_BOUNDARY_CLAMP);
      pull_tip(world, column[side], 0.0, 0.0, -load * bend);
    }
    set_vector(def.direction, 0, 1.0, 0.0, 0.0);
    set_vector(def.start, 0, 0.0, 0.0, 1.0);
    def.radius = thick;
    beam = add(world, &def);
    for (int side = 0; side < 2; side++) {
      DEFAULTS(joint, joint);
      joint.kind = ELASTICA_JOINT_FIXED, joint.first.rod = column[side], joint.first.element = -1, joint.first.share = 1.0;
      joint.second.rod = beam, joint.second.element = side ? -1 : 0, joint.second.share = side;
      must(world, elastica_add_joint(world, &joint, NULL));
    }
    elastica_relax_result result;
    must(world, elastica_world_relax(world, NULL, &result));
    if (k == 0) assert_true(result.unstable_modes == 1 && !result.undecided);
    if (k > 2) assert_true(result.undecided && !result.stable);
    elastica_modes *modes = NULL;
    DEFAULTS(modes, wanted);
    wanted.kind = ELASTICA_MODES_BUCKLING, wanted.count = 2;
    const elastica_status status = elastica_modes_find(world, &wanted, &modes);
    if (k < 2) assert_close(load * mode_of(modes, 0).factor, 2.466, 2e-3);
    if (k > 1) assert_refused(world, status, ELASTICA_NOT_CONVERGED, "the rounding of the stretch of rod 2", "bending stiffness of rod 0");
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}

/* An arch between two pins turns about the line through them. Loads alone resist that: pulled up it has load factors, pressed down it falls
 * over under any load. */
TEST(an_arch_that_falls_over_has_no_lowest_factor) {
  enum { N = 12 };
  const double pi = 3.14159265358979324;
  double position[3 * (N + 1)];
  for (int i = 0; i <= N; i++) set_vector(position, i, (double)i / N, 0.0, 0.2 * sin(pi * i / N));
  for (int k = 0; k < 12; k++) {
    const double radius = pow(2.0, k / 2) / 1280.0, bend = 1e7 * pi / 4.0 * pow(radius, 4);
    elastica_world *world = make_world(NULL);
    DEFAULTS(rod, def);
    DEFAULTS(point_load, load);
    def.element_count = N, def.position = position, def.radius = radius, def.density = 1000.0, def.youngs_modulus = 1e7;
    def.rest = ELASTICA_REST_INITIAL;
    elastica_rod *rod = add(world, &def);
    pin_node(world, rod, 0);
    pin_node(world, rod, -1);
    load.node = 5, load.force[2] = k % 2 ? 8.0 * bend : -4.0 * bend;
    must(world, elastica_add_point_load(world, rod, &load, NULL));
    must(world, elastica_world_relax(world, NULL, NULL));
    elastica_modes *modes = NULL;
    DEFAULTS(modes, buckling);
    buckling.kind = ELASTICA_MODES_BUCKLING, buckling.count = 4;
    if (k % 2) {
      elastica_eigenmode mode;
      must(world, elastica_modes_find(world, &buckling, &modes));
      must(world, elastica_modes_get(modes, 0, &mode));
      assert_true(mode.factor > 1.0);
      elastica_modes_destroy(modes);
    } else {
      assert_refused(world, elastica_modes_find(world, &buckling, &modes), ELASTICA_INVALID_ARGUMENT, "modes_find", "no stiffness resists");
    }
    elastica_world_destroy(world);
  }
}

/* ---- Shapes -------------------------------------------------------------------------------------------------------------------------- */

TEST(shapes_are_orthonormal_in_mass) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 30, 1.0, 0.02, 1000.0, 1e6, 4e5);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  elastica_modes *modes = find_modes(world, 8);
  for (int p = 0; p < 8; p++)
    for (int q = 0; q < 8; q++) {
      elastica_mode_shape a, b;
      double sum = 0.0;
      must(world, elastica_modes_get_shape(modes, p, rod, &a));
      must(world, elastica_modes_get_shape(modes, q, rod, &b));
      for (int c = 0; c < 3; c++) {
        for (int i = 0; i <= 30; i++) sum += view->mass[i] * a.displacement[c][i] * b.displacement[c][i];
        for (int j = 0; j < 30; j++) sum += view->inertia[c][j] * a.turn[c][j] * b.turn[c][j];
      }
      assert_close(sum, p == q ? 1.0 : 0.0, 1e-9);
    }
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
}

/* Released from a mode, the rod passes through its equilibrium after a quarter of the period. */
TEST(time_steps_vibrate_in_a_mode) {
  for (int k = 0; k < 5; k += 4) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 4e5);
    const double gravity[3] = {0.0, 3.0, -1.0};
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    must(world, elastica_add_gravity(world, gravity, NULL));
    DEFAULTS(relax, fine);
    fine.tolerance = 0.0;
    must(world, elastica_world_relax(world, &fine, NULL));
    const double rest[3] = {tip(rod, 0), tip(rod, 1), tip(rod, 2)};
    elastica_modes *modes = find_modes(world, 6);
    const elastica_eigenmode mode = mode_of(modes, k);
    elastica_mode_shape shape;
    must(world, elastica_modes_get_shape(modes, k, rod, &shape));
    must(world, elastica_modes_apply(modes, k, 1e-6));
    for (int half = 1; half <= 4; half++) { /* (-1)^half of the displacement after each half period */
      must(world, elastica_world_advance(world, 0.5 / mode.frequency));
      for (int a = 0; a < 3; a++)
        assert_close(tip(rod, a) - rest[a], (half % 2 ? -1e-6 : 1e-6) * shape.displacement[a][20],
                     1e-8 * fabs(shape.displacement[a][20]) + 1e-9);
    }
    must(world, elastica_modes_apply(modes, k, 0.0));
    for (int a = 0; a < 3; a++) assert_close(tip(rod, a), rest[a], 0.0);
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}

/* A ring, and a body on a rod. */
TEST(an_amplitude_of_zero_is_the_equilibrium) {
  enum { N = 12 };
  elastica_world *world = make_world(NULL);
  double position[3 * N];
  for (int i = 0; i < N; i++) {
    position[3 * i] = cos(6.283185307179586 * i / N), position[3 * i + 1] = sin(6.283185307179586 * i / N), position[3 * i + 2] = 0.0;
  }
  elastica_rod_def def = steel(N, NAN, 0.01);
  def.closed = 1, def.position = position, def.rest = ELASTICA_REST_INITIAL;
  elastica_rod *ring = add(world, &def), *ball = NULL;
  DEFAULTS(body, body);
  body.radius = 0.1, body.density = 500.0, body.position[0] = 1.0;
  must(world, elastica_world_add_body(world, &body, &ball));
  DEFAULTS(joint, joint);
  joint.kind = ELASTICA_JOINT_FIXED, joint.first.rod = ring, joint.second.rod = ball;
  joint.stiffness = 1e6, joint.angular_stiffness = 1e4;
  joint.first.offset[0] = 0.0;
  must(world, elastica_add_joint(world, &joint, NULL));
  (void)relax(world);
  elastica_modes *modes = find_modes(world, 10);
  const uint64_t before = hash_world(world);
  elastica_mode_shape shape;
  must(world, elastica_modes_get_shape(modes, 7, ring, &shape));
  for (int a = 0; a < 3; a++) assert_close(shape.displacement[a][N], shape.displacement[a][0], 0.0);
  must(world, elastica_modes_apply(modes, 7, 1e-3));
  assert_true(hash_world(world) != before);
  must(world, elastica_modes_apply(modes, 7, 0.0));
  assert_true(hash_world(world) == before);
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
}

TEST(finding_modes_changes_nothing) {
  elastica_world *world = make_column(20, 1.0, 0);
  const uint64_t before = hash_world(world);
  for (int kind = 0; kind < 2; kind++) elastica_modes_destroy(find_kind(world, (elastica_modes_kind)kind, 4));
  assert_true(hash_world(world) == before);
  elastica_world_destroy(world);
}

/* A hook that fails at its call of this number, from 0. */
static int calls_left;

typedef struct fragile {
  elastica_status status; /* of the failure; OK: a load that is not a number */
} fragile;

static int fails(void) {
  return calls_left-- == 0;
}

static elastica_status add_fragile_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const fragile *of = self;
  (void)now;
  if (!fails()) return ELASTICA_OK;
  loads->force[0][rod->node_count - 1] += of->status == ELASTICA_OK ? NAN : 0.0;
  return of->status;
}

static elastica_status add_fragile_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                           elastica_tangent *tangent) {
  const elastica_part part = {rod, fails() ? 1000 : 1, 0};
  const double stiffness[9] = {0.0};
  (void)self, (void)now;
  tangent->add(tangent->owner, part, part, stiffness);
  return ELASTICA_OK;
}

static elastica_status constrain_fragile(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  const fragile *of = self;
  (void)now, (void)rod, (void)state;
  return fails() ? of->status : ELASTICA_OK;
}

static void check_failures(const elastica_module *given, int status) {
  fragile self = {(elastica_status)status};
  elastica_module module = *given;
  module.name = "fragile";
  module.self = &self, module.self_size = sizeof self;
  for (int kind = 0; kind < 2; kind++) {
    elastica_world *world = make_column(6, 1.0, 0);
    elastica_rod *rod = elastica_world_rod(world, 0);
    elastica_modes *modes = NULL;
    DEFAULTS(modes, def);
    def.kind = (elastica_modes_kind)kind, def.count = 2;
    calls_left = -1;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    must(world, elastica_world_step(world, 1e-9, 2));
    (void)relax(world);
    const uint64_t before = hash_world(world);
    const double step = elastica_world_get(world).working_step;
    int failures = 0;
    for (int calls = 0; calls < 1000; calls++, failures++) {
      calls_left = calls;
      if (elastica_modes_find(world, &def, &modes) == ELASTICA_OK) break;
      assert_null(modes);
      assert_non_null(strstr(elastica_world_message(world), status == ELASTICA_OK && calls == 0 ? "not finite" : "\"fragile\""));
      assert_true(hash_world(world) == before);
      assert_int_equal(elastica_rod_get_view(rod)->has_failed, 0);
      assert_true(elastica_world_get(world).working_step == step);
    }
    assert_true(failures > 0 && modes != NULL);
    elastica_modes_destroy(modes);
    calls_left = -1;
    must(world, elastica_world_step(world, 1e-9, 2));
    elastica_world_destroy(world);
  }
}

TEST(a_failing_hook_leaves_the_world_as_it_was) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.add_loads = add_fragile_loads;
  check_failures(&module, ELASTICA_OK);
  check_failures(&module, ELASTICA_INVALID_ARGUMENT);
  module.add_tangent = add_fragile_tangent;
  check_failures(&module, ELASTICA_INVALID_ARGUMENT);
  elastica_module_init(&module, sizeof module);
  module.constrain_position = constrain_fragile;
  check_failures(&module, ELASTICA_INVALID_ARGUMENT);
}

/* The function of a wall beside the column fails at one of its calls. */
static elastica_status fragile_wall(void *user, const double point[3], double *distance, double gradient[3]) {
  (void)user;
  if (fails()) return ELASTICA_INVALID_ARGUMENT;
  *distance = point[0];
  gradient[0] = 1.0, gradient[1] = gradient[2] = 0.0;
  return ELASTICA_OK;
}

static elastica_world *make_column_at_a_wall(void) {
  elastica_world *world = make_column(6, 1.0, 0);
  DEFAULTS(obstacle, wall);
  calls_left = -1;
  wall.kind = ELASTICA_OBSTACLE_ELASTIC, wall.shape = ELASTICA_SHAPE_SURFACE;
  wall.surface = fragile_wall, wall.surface_curvature = 1.0, wall.modulus = 1e4;
  wall.position[0] = elastica_rod_get_view(elastica_world_rod(world, 0))->position[0][6] -
                     0.9 * elastica_rod_radius(elastica_rod_get_view(elastica_world_rod(world, 0)), 5);
  must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
  return world;
}

TEST_LONG(a_failing_surface_is_never_passed_over) {
  elastica_world *world = make_column_at_a_wall();
  int points = 0;
  (void)relax(world);
  must(world, elastica_contact_get(elastica_world_effect(world, elastica_world_get(world).effect_count - 1), NULL, 0, &points));
  assert_true(points > 0);
  const uint64_t before = hash_world(world);
  int failures = 0;
  for (int calls = 0; calls < 20000; calls += 7) {
    elastica_modes *modes = NULL;
    calls_left = calls;
    const elastica_status status = elastica_modes_find(world, NULL, &modes);
    elastica_modes_destroy(modes);
    assert_int_equal(status, calls_left >= 0 ? ELASTICA_OK : ELASTICA_CALLBACK_FAILED);
    assert_true(hash_world(world) == before);
    if (status == ELASTICA_OK) break;
    failures++;
  }
  assert_true(failures > 10);
  elastica_world_destroy(world);
  for (int calls = 0, over = 0; !over; calls += 31) {
    world = make_column_at_a_wall();
    calls_left = calls;
    const elastica_status status = elastica_world_relax(world, NULL, NULL);
    over = calls_left >= 0;
    assert_int_equal(status, over ? ELASTICA_OK : ELASTICA_CALLBACK_FAILED);
    elastica_world_destroy(world);
  }
}

/* ---- Refusals ------------------------------------------------------------------------------------------------------------------------ */

static elastica_status find_with(elastica_world *world, elastica_modes_kind kind, int count, double tolerance) {
  elastica_modes *modes = NULL;
  DEFAULTS(modes, def);
  def.kind = kind, def.count = count, def.tolerance = tolerance;
  const elastica_status status = elastica_modes_find(world, &def, &modes);
  assert_true((status == ELASTICA_OK) == (modes != NULL));
  elastica_modes_destroy(modes);
  return status;
}

static elastica_status find_default(elastica_world *world) {
  return find_with(world, ELASTICA_MODES_FREQUENCIES, 3, 1e-6);
}

TEST(wrong_arguments_are_refused) {
  elastica_world *world = make_column(4, 1.0, 0);
  elastica_modes *modes = NULL;
  const elastica_status wrong = ELASTICA_INVALID_ARGUMENT;
  assert_int_equal(elastica_modes_find(NULL, NULL, &modes), wrong);
  assert_refused(world, elastica_modes_find(world, NULL, NULL), wrong, "modes_find", "out is NULL");
  assert_refused(world, find_with(world, ELASTICA_MODES_FREQUENCIES, 0, 1e-6), wrong, "modes_def.count is 0", "24 unknowns");
  assert_refused(world, find_with(world, ELASTICA_MODES_FREQUENCIES, 25, 1e-6), wrong, "modes_def.count is 25", "24 unknowns");
  assert_refused(world, find_with(world, ELASTICA_MODES_FREQUENCIES, 3, -1.0), wrong, "modes_def.tolerance");
  assert_refused(world, find_with(world, ELASTICA_MODES_FREQUENCIES, 3, NAN), wrong, "modes_def.tolerance");
  assert_refused(world, find_with(world, (elastica_modes_kind)2, 3, 1e-6), wrong, "modes_def.kind", "FREQUENCIES");
  DEFAULTS(modes, def);
  def.struct_size = 7;
  assert_refused(world, elastica_modes_find(world, &def, &modes), ELASTICA_WRONG_VERSION, "modes_def");

  elastica_rod *rod = elastica_world_rod(world, 0);
  elastica_eigenmode mode;
  elastica_mode_shape shape;
  must(world, elastica_modes_find(world, NULL, &modes));
  assert_int_equal(elastica_modes_count(modes), 6);
  assert_int_equal(elastica_modes_count(NULL), 0);
  assert_int_equal(elastica_modes_get(NULL, 0, &mode), wrong);
  assert_int_equal(elastica_modes_get_shape(NULL, 0, rod, &shape), wrong);
  assert_int_equal(elastica_modes_apply(NULL, 0, 1.0), wrong);
  assert_refused(world, elastica_modes_get(modes, -1, &mode), wrong, "mode -1", "0..5");
  assert_refused(world, elastica_modes_get(modes, 6, &mode), wrong, "mode 6", "0..5");
  assert_refused(world, elastica_modes_get(modes, 0, NULL), wrong, "out is NULL");
  assert_refused(world, elastica_modes_get_shape(modes, 6, rod, &shape), wrong, "mode 6");
  assert_refused(world, elastica_modes_get_shape(modes, 0, NULL, &shape), wrong, "rod is NULL");
  assert_refused(world, elastica_modes_get_shape(modes, 0, rod, NULL), wrong, "out is NULL");
  assert_refused(world, elastica_modes_apply(modes, 6, 1.0), wrong, "mode 6");
  assert_refused(world, elastica_modes_apply(modes, 0, NAN), wrong, "amplitude");
  elastica_rod *other = add_straight_rod(world, 4, 1.0, 0.1, 1000.0, 1e6, 4e5);
  assert_refused(world, elastica_modes_get_shape(modes, 0, other, &shape), wrong, "was not in the world");
  must(world, elastica_rod_remove(rod));
  assert_refused(world, elastica_modes_apply(modes, 0, 1.0), ELASTICA_WRONG_STATE, "rod 0 was removed");
  elastica_modes_destroy(modes);
  elastica_modes_destroy(NULL);
  elastica_world_destroy(world);
}

/* A displacement that turns a joint too far is refused for all rods. */
TEST(a_refused_displacement_changes_nothing) {
  elastica_world *world = make_column(8, 1.0, 0);
  elastica_rod *second = add_straight_rod(world, 8, 1.0, 0.1, 1000.0, 1e6, 4e5);
  clamp_first(world, second, ELASTICA_BOUNDARY_CLAMP);
  elastica_modes *modes = find_modes(world, 12);
  const uint64_t before = hash_world(world);
  int refused = 0;
  for (int k = 0; k < 12; k++)
    for (double amplitude = 0.1; amplitude < 1e4; amplitude *= 1.3) {
      if (elastica_modes_apply(modes, k, amplitude) == ELASTICA_OK) {
        must(world, elastica_modes_apply(modes, k, 0.0));
      } else {
        refused++;
      }
      assert_true(hash_world(world) == before);
    }
  assert_true(refused > 0);
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
}

/* A new added mass and a new place of a clamp are due at the next step. A refused call leaves them due, and the state and masses as they
 * were. */
TEST(a_refused_call_leaves_changes_due) {
  static unsigned char bytes[2][1 << 14];
  elastica_world *world = make_world(NULL);
  mounted of = {.rod = add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5)};
  set_mounted(world, &of, NAN, 0.1);
  (void)relax(world);
  set_mounted(world, &of, 0.01, 0.2);
  const size_t size = size_of_snapshot(world);
  assert_true(size > 0 && size <= sizeof bytes[0]);
  must(world, elastica_world_snapshot_save(world, bytes[0], size, NULL));
  assert_refused(world, find_default(world), ELASTICA_INVALID_ARGUMENT, "not in equilibrium");
  must(world, elastica_world_snapshot_save(world, bytes[1], size, NULL));
  assert_memory_equal(bytes[0], bytes[1], size);
  (void)relax(world);
  must(world, find_default(world));
  elastica_world_destroy(world);
}

/* Springs between nodes: of one rod, far apart, or of two rods, at all nodes in proportion to their masses. */
typedef struct tie {
  int first, second;
  double stiffness, rate; /* [N/m], [1/s^2] */
  double rest[3];
} tie;

static elastica_status pull_ends(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const tie *of = self;
  (void)now;
  for (int a = 0; a < 3; a++) {
    const double force = of->stiffness * (rod->position[a][of->second] - rod->position[a][of->first] - of->rest[a]);
    loads->force[a][of->first] += force;
    loads->force[a][of->second] -= force;
  }
  return ELASTICA_OK;
}

static elastica_status give_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  const tie *of = self;
  const elastica_part part[2] = {{rod, of->first, 0}, {rod, of->second, 0}};
  (void)now;
  for (int k = 0; k < 4; k++) {
    const double size = k % 3 == 0 ? of->stiffness : -of->stiffness, block[9] = {size, 0.0, 0.0, 0.0, size, 0.0, 0.0, 0.0, size};
    tangent->add(tangent->owner, part[k / 2], part[k % 2], block);
  }
  return ELASTICA_OK;
}

/* Without a given stiffness, loads are measured, at last unknown by unknown. */
TEST(measured_loads_have_the_modes_of_given_ones) {
  double square[2][6];
  for (int given = 0; given < 2; given++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 12, 1.0, 0.02, 1000.0, 1e6, 4e5);
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    tie of = {.first = 3, .second = 11, .stiffness = 5.0};
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    for (int a = 0; a < 3; a++) of.rest[a] = view->position[a][of.second] - view->position[a][of.first];
    elastica_module module = module_named("tie");
    module.self = &of, module.self_size = sizeof of;
    module.add_loads = pull_ends;
    if (given) module.add_tangent = give_stiffness;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    elastica_modes *modes = find_modes(world, 6);
    for (int m = 0; m < 6; m++) square[given][m] = mode_of(modes, m).square;
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
  for (int m = 0; m < 6; m++) assert_close(square[0][m], square[1][m], 1e-6 * square[1][m]);
}

/* A force without a slope at rest: it grows with the square root of the displacement. */
static elastica_status push_abruptly(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const int last = rod->element_count;
  const double y = rod->position[1][last];
  (void)self, (void)now;
  loads->force[1][last] -= (y < 0.0 ? -1.0 : 1.0) * sqrt(fabs(y));
  return ELASTICA_OK;
}

TEST(an_effect_without_a_slope_is_refused_by_its_name) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 8, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_module module = module_named("abrupt");
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  module.stateless = 1, module.add_loads = push_abruptly;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  assert_refused(world, find_default(world), ELASTICA_INVALID_ARGUMENT, "effect 1 \"abrupt\"", "no add_tangent", "could not be measured");
  elastica_world_destroy(world);
}

static elastica_status pull_rods(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  const tie *of = self;
  const elastica_rod_view *one = loads->rods[0], *other = loads->rods[1];
  (void)now;
  for (int i = 0; i < one->node_count; i++)
    for (int a = 0; a < 3; a++) {
      const double force = of->rate * one->mass[i] * (other->position[a][i] - one->position[a][i] - of->rest[a]);
      loads->loads[0].force[a][i] += force;
      loads->loads[1].force[a][i] -= force;
    }
  return ELASTICA_OK;
}

/* Two equal rods with springs of the rate c between their nodes: the modes in which they move together are those of one rod, and those
 * against each other have squares that are larger by 2 c, but for the inertia of turning. */
TEST(springs_between_rods_add_to_the_modes_against_each_other) {
  elastica_world *world = make_world(NULL);
  const tie of = {.rate = 300.0, .rest = {0.5, 0.0, 0.0}};
  for (int r = 0; r < 2; r++) {
    DEFAULTS(rod, def);
    def.element_count = 10, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6, def.shear_modulus = 4e5;
    def.start[0] = 0.5 * r;
    clamp_first(world, add(world, &def), ELASTICA_BOUNDARY_CLAMP);
  }
  elastica_module module = module_named("ties");
  module.self = &of, module.self_size = sizeof of;
  module.add_world_loads = pull_rods;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  elastica_modes *modes = find_modes(world, 8);
  const double lowest = mode_of(modes, 0).square;
  assert_close(mode_of(modes, 1).square, lowest, 1e-6 * lowest);
  int against = 0;
  for (int m = 2; m < 8; m++) against += fabs(mode_of(modes, m).square - lowest - 600.0) < 3.0;
  assert_int_equal(against, 2);
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
}

/* A couple of 1e-9 B/L bends no rod visibly, and one of 1e-6 B/L does, whatever its length. The last of ten elements is twisted: with 0.8 B
 * as stiffness of twist its couple is 8 B/L times the angle. */
TEST(a_couple_that_does_not_bend_a_rod_visibly_may_be_left) {
  static const double lengths[] = {0.05, 1.0, 20.0}, share[] = {0.5e-9, 1e-6};
  for (int k = 0; k < 6; k++) {
    rod_state twisted;
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 10, lengths[k / 2], 0.02, 1000.0, 1e6, 4e5);
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    read_state(rod, &twisted);
    turn_frame((const double[]){0.0, 0.0, share[k % 2] / 8.0}, twisted.director + 81);
    must(world, elastica_rod_set_state(rod, NULL, NULL, twisted.director, NULL));
    if (k % 2 == 0)
      must(world, find_default(world));
    else
      assert_refused(world, find_default(world), ELASTICA_INVALID_ARGUMENT, "not in equilibrium");
    elastica_world_destroy(world);
  }
}

static elastica_status follow(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const double push[3] = {1.0, 0.0, 0.0};
  double force[3];
  (void)self, (void)now;
  elastica_rotate_to_laboratory(rod, rod->element_count - 1, push, force);
  for (int a = 0; a < 3; a++) loads->force[a][rod->node_count - 1] += force[a];
  return ELASTICA_OK;
}

TEST(worlds_without_modes_are_refused) {
  const elastica_status wrong = ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = make_column(10, 1.0, 0);
  elastica_rod *rod = elastica_world_rod(world, 0);
  double velocity[33] = {0.0}, omega[30] = {0.0};
  velocity[32] = 0.5;
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, NULL));
  assert_refused(world, find_default(world), wrong, "rod 0", "0.5 m/s", "gyroscopic");
  velocity[32] = 0.0, omega[2] = 3.0;
  must(world, elastica_rod_set_state(rod, NULL, velocity, NULL, omega));
  assert_refused(world, find_default(world), wrong, "rod 0", "3 rad/s");
  (void)relax(world);
  pull_tip(world, rod, 100.0, 0.0, 0.0);
  assert_refused(world, find_default(world), wrong, "not in equilibrium", "force", "elastica_world_relax");
  elastica_world_destroy(world);

  world = make_column(10, 1.0, 0);
  rod = elastica_world_rod(world, 0);
  DEFAULTS(point_load, load);
  load.couple[0] = 1e-3;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  (void)relax(world);
  assert_refused(world, find_default(world), wrong, "point_load", "no potential");
  elastica_world_destroy(world);

  world = make_column(10, 1.0, 0);
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "follower";
  module.add_loads = follow;
  must(world, elastica_world_add_module(world, elastica_world_rod(world, 0), &module, NULL));
  (void)relax(world);
  assert_refused(world, find_default(world), wrong, "follower", "no potential");
  elastica_world_destroy(world);

  elastica_world_def rescaled = default_world();
  rescaled.law = ELASTICA_LAW_RESCALED;
  world = make_world(&rescaled);
  clamp_first(world, add_straight_rod(world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5), ELASTICA_BOUNDARY_CLAMP);
  assert_refused(world, find_with(world, ELASTICA_MODES_BUCKLING, 1, 1e-6), wrong, "CLASSICAL");
  must(world, find_default(world));
  elastica_world_destroy(world);
}

static elastica_status push_without_a_number(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const int at_element = *(const int *)self;
  (void)now, (void)rod;
  (at_element ? loads->couple : loads->force)[0][0] += NAN;
  return ELASTICA_OK;
}

/* It enters no residual. A relaxation fails by it, too. */
TEST(a_load_on_a_prescribed_end_that_is_not_finite_is_named) {
  for (int at_element = 0; at_element < 2; at_element++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_straight_rod(world, 5, 1.0, 0.02, 1000.0, 1e6, 4e5);
    clamp_first(world, rod, ELASTICA_BOUNDARY_FRAME);
    elastica_module module = module_named("push");
    module.self = &at_element, module.self_size = sizeof at_element, module.add_loads = push_without_a_number;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    assert_refused(world, find_default(world), ELASTICA_NOT_FINITE,
                   at_element ? "couple on element 0 of rod 0" : "force on node 0 of rod 0");
    assert_int_equal(elastica_world_relax(world, NULL, NULL), ELASTICA_NOT_FINITE);
    assert_non_null(strstr(elastica_world_message(world), at_element ? "couple on element 0 of rod 0" : "force on node 0 of rod 0"));
    elastica_world_destroy(world);
  }
}

TEST(a_rod_on_a_rigid_plane_is_refused) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
  const double gravity[3] = {0.0, 0.0, -9.81};
  DEFAULTS(obstacle, plane);
  plane.kind = ELASTICA_OBSTACLE_RIGID;
  plane.position[2] = -0.02, plane.stiffness = 1e3;
  (void)rod;
  must(world, elastica_add_obstacle(world, rod, &plane, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  (void)relax(world);
  assert_refused(world, find_default(world), ELASTICA_INVALID_ARGUMENT, "effect 0 \"obstacle\"", "reacts", "on rod 0");
  elastica_world_destroy(world);
}

/* A soft cantilever lies on a plane, with a force at its tip along the plane: friction is absent, holds, or has slid to its limit. */
TEST(friction_that_slides_is_refused_by_the_name_of_its_effect) {
  for (int way = 0; way < 3; way++) {
    elastica_world *world = make_world(NULL);
    DEFAULTS(rod, def);
    def.element_count = 10, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e7, def.shear_modulus = 4e6;
    set_vector(def.direction, 0, 1.0, 0.0, 0.0);
    def.start[2] = 0.02;
    elastica_rod *rod = add(world, &def);
    const double gravity[3] = {0.0, 0.0, -9.81};
    clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
    DEFAULTS(obstacle, plane);
    plane.kind = ELASTICA_OBSTACLE_ELASTIC, plane.modulus = 1e5;
    plane.position[2] = -10.0, plane.friction = 0.5;
    must(world, elastica_add_obstacle(world, rod, &plane, NULL)); /* out of reach */
    plane.position[2] = 0.0, plane.friction = way > 0 ? 0.2 : 0.0;
    must(world, elastica_add_obstacle(world, rod, &plane, NULL));
    must(world, elastica_add_gravity(world, gravity, NULL));
    pull_tip(world, rod, 0.0, way == 2 ? 1.0 : 1e-3, 0.0);
    (void)relax(world);
    if (way == 2)
      assert_refused(world, find_default(world), ELASTICA_INVALID_ARGUMENT, "effect 2 \"obstacle\"", "friction slides");
    else
      must(world, find_default(world));
    elastica_world_destroy(world);
  }
}

TEST(shapes_of_a_removed_rod_are_refused) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 6, 1.0, 0.02, 1000.0, 1e6, 4e5);
  elastica_mode_shape shape;
  elastica_modes *modes = find_modes(world, 8);
  must(world, elastica_rod_remove(rod));
  assert_refused(world, elastica_modes_get_shape(modes, 0, rod, &shape), ELASTICA_INVALID_ARGUMENT, "rod 0 was removed");
  elastica_modes_destroy(modes);
  elastica_world_destroy(world);
}

static elastica_status push_gently(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now, (void)rod;
  loads->force[1][0] += 1e-6;
  return ELASTICA_OK;
}

/* A module without a tangent has its loads measured; the couple of a point load turns with its frame, not the plane. */
TEST(the_effect_without_a_potential_is_named_beside_measured_loads) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 6, 1.0, 0.02, 1000.0, 1e6, 4e5), *body = NULL;
  const double gravity[3] = {0.0, 0.0, -9.81};
  DEFAULTS(obstacle, plane);
  DEFAULTS(point_load, load);
  DEFAULTS(body, sphere);
  DEFAULTS(joint, joint);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  sphere.shape = ELASTICA_SHAPE_SPHERE, sphere.radius = 0.05, sphere.density = 500.0;
  sphere.position[2] = 1.05;
  must(world, elastica_world_add_body(world, &sphere, &body));
  joint.kind = ELASTICA_JOINT_FIXED, joint.stiffness = 100.0, joint.angular_stiffness = 1.0;
  joint.first.rod = rod, joint.first.element = -1, joint.first.share = 1.0, joint.second.rod = body, joint.second.offset[2] = -0.05;
  must(world, elastica_add_joint(world, &joint, NULL));
  plane.kind = ELASTICA_OBSTACLE_ELASTIC, plane.modulus = 1e4, plane.position[2] = -0.1;
  must(world, elastica_add_obstacle(world, NULL, &plane, NULL));
  elastica_module module = module_named("gentle");
  module.add_loads = push_gently;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  load.couple[0] = 0.02, load.couple[1] = 0.01, load.element = 3;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  (void)relax(world);
  assert_refused(world, find_default(world), ELASTICA_INVALID_ARGUMENT, "point_load", "no potential");
  elastica_world_destroy(world);
}

/* At an overlap of most of a radius the forces at the start are many times those at rest. */
TEST(an_equilibrium_from_a_deep_overlap_has_modes) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 6, 1.0, 0.02, 1000.0, 1e6, 4e5);
  const double gravity[3] = {0.0, 0.0, -9.81};
  DEFAULTS(obstacle, plane);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  plane.kind = ELASTICA_OBSTACLE_ELASTIC, plane.modulus = 3e5;
  plane.normal[0] = 1.0, plane.normal[2] = 0.0, plane.position[0] = -0.03 * 0.02; /* an axis on the surface is refused */
  must(world, elastica_add_obstacle(world, NULL, &plane, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  (void)relax(world);
  elastica_modes_destroy(find_modes(world, 4));
  elastica_world_destroy(world);
}

/* The rounding of a stiff spring may exceed the load: 1e9 N/m times the rounding of positions beside 0.01 N. Relaxation and modes allow the
 * same. A rod that is bent by another load is no equilibrium, whatever the spring allows. */
TEST(what_relaxation_accepts_beside_a_stiff_joint_has_modes) {
  const double stiffness[] = {1e6, 1e8, 1e9, 1e10}, place[] = {0.0, 3.0};
  for (int k = 0; k < 8; k++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[2];
    DEFAULTS(joint, joint);
    for (int r = 0; r < 2; r++) {
      DEFAULTS(rod, def);
      def.element_count = 16, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e8, def.shear_modulus = 4e7;
      def.start[0] = place[k / 4] + (r == 1), def.start[1] = -2.0 * place[k / 4];
      def.direction[0] = r == 0, def.direction[1] = r == 1, def.direction[2] = 0.0;
      def.normal[0] = def.normal[1] = 0.0, def.normal[2] = 1.0;
      rod[r] = add(world, &def);
    }
    clamp_first(world, rod[0], ELASTICA_BOUNDARY_CLAMP);
    joint.kind = ELASTICA_JOINT_FIXED, joint.first.rod = rod[0], joint.second.rod = rod[1];
    joint.first.element = -1, joint.first.share = 1.0;
    joint.stiffness = stiffness[k % 4], joint.angular_stiffness = NAN;
    must(world, elastica_add_joint(world, &joint, NULL));
    pull_tip(world, rod[1], -0.01, 0.0, 0.0);
    (void)relax(world);
    must(world, find_default(world));
    must(world, find_with(world, ELASTICA_MODES_BUCKLING, 3, 1e-6));
    pull_tip(world, rod[1], 0.0, 0.0, 1.0);
    assert_refused(world, find_default(world), ELASTICA_INVALID_ARGUMENT, "not in equilibrium");
    elastica_world_destroy(world);
  }
}

/* Memory in use, and the most of it. */
typedef struct meter {
  size_t now, most;
} meter;

static void *take_metered(void *user, size_t size) {
  meter *of = user;
  size_t *block = malloc(size + 64);
  if (block == NULL) return NULL;
  *block = size;
  of->now += size;
  if (of->now > of->most) of->most = of->now;
  return (char *)block + 64;
}

static void give_back_metered(void *user, void *memory) {
  meter *of = user;
  if (memory == NULL) return;
  size_t *block = (size_t *)(void *)((char *)memory - 64);
  of->now -= *block;
  free(block);
}

/* The most memory that relaxation and modes take. */
static size_t memory_with_tendon(int n) {
  meter of = {0, 0};
  elastica_world_def def = default_world();
  def.allocate = take_metered, def.release = give_back_metered, def.allocator_user = &of;
  elastica_world *world = make_world(&def);
  elastica_rod *rod = add_straight_rod(world, n, 1.0, 0.01, 1000.0, 1e7, 4e6);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  DEFAULTS(tendon, tendon);
  tendon.rod = rod, tendon.offset[0] = 0.005;
  tendon.stiffness = 100.0, tendon.rest_length = 0.95;
  must(world, elastica_add_tendon(world, &tendon, NULL));
  of.most = of.now;
  const size_t before = of.now;
  assert_int_equal(relax(world).stable, 1);
  elastica_modes_destroy(find_modes(world, 3));
  const size_t most = of.most - before;
  elastica_world_destroy(world);
  return most;
}

/* A spring along a rod couples all nodes and frames; as blocks it would take sixteen times the memory at four times the length. */
TEST(a_spring_tendon_takes_memory_in_proportion_to_its_rod) {
  const size_t small = memory_with_tendon(100), large = memory_with_tendon(400);
  if (!(large <= 5 * small)) fail_msg("%zu bytes at 400 elements, %zu at 100", large, small);
}

TEST(without_memory_nothing_changes) {
  memory_ration ration = plenty();
  elastica_world *world = make_rationed_world(&ration);
  elastica_rod *rod = add_straight_rod(world, 6, 1.0, 0.02, 1000.0, 1e6, 4e5);
  clamp_first(world, rod, ELASTICA_BOUNDARY_CLAMP);
  pull_tip(world, rod, 0.0, 0.0, -0.01);
  (void)relax(world);
  for (int kind = 0; kind < 2; kind++) {
    const uint64_t before = hash_world(world);
    const long blocks = ration.blocks;
    elastica_status status = ELASTICA_OUT_OF_MEMORY;
    for (int refusals = 0; status == ELASTICA_OUT_OF_MEMORY; refusals++) {
      ration.refused_call = ration.calls + refusals;
      status = find_with(world, (elastica_modes_kind)kind, 3, 1e-6);
      assert_true(refusals < 200);
      assert_true(hash_world(world) == before);
      assert_int_equal(ration.blocks, blocks);
    }
    must(world, status);
    ration.refused_call = -1;
  }
  elastica_world_destroy(world);
}

/* A stub of two elements under a load along it, or across it: in compression the four displacements of two nodes across it have load
 * factors, in pairs, as the section is round; in tension there are none. */
TEST(no_more_factors_are_found_than_there_are) {
  for (int way = 0; way < 3; way++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    elastica_modes *modes = NULL;
    DEFAULTS(rod, def);
    def.element_count = 2, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e8;
    must(world, elastica_world_add_rod(world, &def, &rod));
    DEFAULTS(boundary, clamp);
    must(world, elastica_add_boundary(world, rod, &clamp, NULL));
    DEFAULTS(point_load, load);
    load.node = -1, load.force[way == 2 ? 0 : 2] = way == 0 ? -0.1 : way == 1 ? 0.1 : 1e-6;
    must(world, elastica_add_point_load(world, rod, &load, NULL));
    must(world, elastica_world_relax(world, NULL, NULL));
    DEFAULTS(modes, wanted);
    wanted.kind = ELASTICA_MODES_BUCKLING, wanted.count = 12;
    must(world, elastica_modes_find(world, &wanted, &modes));
    assert_int_equal(elastica_modes_count(modes), way == 0 ? 4 : 0);
    for (int k = 0; k < elastica_modes_count(modes); k++) {
      elastica_eigenmode mode, other;
      must(world, elastica_modes_get(modes, k, &mode));
      must(world, elastica_modes_get(modes, k ^ 1, &other));
      assert_close(mode.factor / other.factor, 1.0, 1e-9);
    }
    elastica_modes_destroy(modes);
    elastica_world_destroy(world);
  }
}
