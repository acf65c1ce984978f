/* The number of unstable modes: where it changes, on grids of any fineness. Critical loads of closed form are met, and an elimination in
 * long double about the same states finds the same sign 1e-5 to either side of the load at which the verdict changes.
 */
#include "relaxed.h"

#include "statics/relax.h"

/* ---- Scenes: a world at the share p of its critical load ----------------------------------------------------------------------------- */

typedef struct scene {
  elastica_world *world;
  elastica_rod *rod;
} scene;

typedef scene make_scene(int n, double p);

enum { MOST_ELEMENTS = 2000 };
static double numbers[4][9 * (MOST_ELEMENTS + 1)];

/* B = 1 about the axis across z and x, wide in the plane of x and z by so much; GJ = twist. L = 1, and stiff against stretch and shear. */
static scene add_strip(int n, const double *position, const double *director, double wide, double twist, double thickness,
                       elastica_boundary_kind kind) {
  scene s = {make_world(NULL), NULL};
  DEFAULTS(rod, rod);
  for (int j = 0; j < n; j++) {
    double *shear = numbers[2] + 3 * j, *bend = numbers[3] + 3 * j;
    shear[0] = shear[1] = 12.0 / (thickness * thickness) / 3.0;
    shear[2] = 12.0 / (thickness * thickness);
    bend[0] = 1.0, bend[1] = wide, bend[2] = twist;
  }
  rod.element_count = n, rod.radius = thickness, rod.density = 1.0;
  rod.length = position != NULL ? NAN : 1.0;
  rod.position = position, rod.director = director;
  rod.normal[0] = 1.0, rod.normal[1] = 0.0, rod.normal[2] = 0.0;
  rod.shear_stiffness = numbers[2], rod.bend_stiffness = numbers[3];
  must(s.world, elastica_world_add_rod(s.world, &rod, &s.rod));
  clamp_first(s.world, s.rod, kind);
  return s;
}

static scene column(int n, double p, elastica_boundary_kind kind) {
  scene s = add_strip(n, NULL, NULL, 1.0, 0.7, 1e-3, kind);
  pull_tip(s.world, s.rod, 0.0, 0.0, -p * 2.4674011002723395); /* pi^2/4 */
  return s;
}

static scene euler(int n, double p) {
  return column(n, p, ELASTICA_BOUNDARY_CLAMP);
}

static scene euler_in_a_frame(int n, double p) {
  return column(n, p, ELASTICA_BOUNDARY_FRAME);
}

/* q L^3 = 7.837347 B */
static scene heavy_column(int n, double p, elastica_boundary_kind kind) {
  scene s = add_strip(n, NULL, NULL, 1.0, 0.7, 1e-3, kind);
  const elastica_rod_view *view = elastica_rod_get_view(s.rod);
  double mass = 0.0;
  for (int i = 0; i <= n; i++) mass += view->mass[i];
  const double gravity[3] = {0.0, 0.0, -p * 7.837347 / mass};
  must(s.world, elastica_add_gravity(s.world, gravity, NULL));
  return s;
}

static scene greenhill_weight(int n, double p) {
  return heavy_column(n, p, ELASTICA_BOUNDARY_CLAMP);
}

static scene greenhill_weight_in_a_frame(int n, double p) {
  return heavy_column(n, p, ELASTICA_BOUNDARY_FRAME);
}

/* A shaft between two clamps gives way at a couple of 8.98682 B/L: tan(x) = x, M = 2 x B/L. */
static scene shaft(int n, double p, elastica_boundary_kind kind) {
  const double twist = 0.7, angle = p * 8.986818915818128 / twist;
  for (int i = 0; i <= n; i++) numbers[0][3 * i] = numbers[0][3 * i + 1] = 0.0, numbers[0][3 * i + 2] = (double)i / n;
  for (int j = 0; j <= n; j++) { /* the last is that of the second support */
    const double turned = angle * (j == n ? 1.0 : (j + 0.5) / n), c = cos(turned), d = sin(turned);
    const double frame[9] = {c, d, 0.0, -d, c, 0.0, 0.0, 0.0, 1.0};
    memcpy(numbers[1] + 9 * j, frame, sizeof frame);
  }
  scene s = {make_world(NULL), NULL};
  DEFAULTS(rod, rod);
  for (int j = 0; j < n; j++) {
    numbers[2][3 * j] = numbers[2][3 * j + 1] = numbers[2][3 * j + 2] = 1e6;
    numbers[3][3 * j] = numbers[3][3 * j + 1] = 1.0, numbers[3][3 * j + 2] = twist;
  }
  rod.element_count = n, rod.radius = 1e-3, rod.density = 1.0, rod.position = numbers[0], rod.director = numbers[1];
  rod.shear_stiffness = numbers[2], rod.bend_stiffness = numbers[3];
  must(s.world, elastica_world_add_rod(s.world, &rod, &s.rod));
  for (int end = 0; end < 2; end++) {
    DEFAULTS(boundary, clamp);
    const double first[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    clamp.node = -end, clamp.kind = kind;
    if (kind == ELASTICA_BOUNDARY_CLAMP) memcpy(clamp.director, end ? numbers[1] + 9 * n : first, sizeof first);
    must(s.world, elastica_add_boundary(s.world, s.rod, &clamp, NULL));
  }
  return s;
}

static scene greenhill_shaft(int n, double p) {
  return shaft(n, p, ELASTICA_BOUNDARY_CLAMP);
}

static scene greenhill_shaft_in_frames(int n, double p) {
  return shaft(n, p, ELASTICA_BOUNDARY_FRAME);
}

/* A ring of a straight rod, twisted by 2 pi sqrt(3) B/C. */
static scene michell(int n, double p) {
  const double pi = 3.14159265358979324, twist = 0.7, angle = p * 2.0 * pi * sqrt(3.0) / twist;
  scene s = {make_world(NULL), NULL};
  DEFAULTS(rod, rod);
  for (int i = 0; i < n; i++) {
    numbers[0][3 * i] = cos(2.0 * pi * i / n) / (2.0 * pi), numbers[0][3 * i + 1] = sin(2.0 * pi * i / n) / (2.0 * pi);
    numbers[0][3 * i + 2] = 0.0;
    numbers[1][3 * i] = numbers[1][3 * i + 1] = 0.0, numbers[1][3 * i + 2] = angle;
    numbers[2][3 * i] = numbers[2][3 * i + 1] = numbers[2][3 * i + 2] = 1e6;
    numbers[3][3 * i] = numbers[3][3 * i + 1] = 1.0, numbers[3][3 * i + 2] = twist;
  }
  rod.element_count = n, rod.closed = 1, rod.radius = 1e-3, rod.density = 1.0, rod.position = numbers[0], rod.rest_curvature = numbers[1];
  rod.shear_stiffness = numbers[2], rod.bend_stiffness = numbers[3];
  must(s.world, elastica_world_add_rod(s.world, &rod, &s.rod));
  return s;
}

/* Michell and Prandtl: a strip under a force at its tip, in its stiff plane: F L^2 = 4.012599 sqrt(B C). */
static scene lateral(int n, double p) {
  scene s = add_strip(n, NULL, NULL, 1e4, 0.7, 1e-2, ELASTICA_BOUNDARY_CLAMP);
  pull_tip(s.world, s.rod, p * 4.012599 * sqrt(0.7), 0.0, 0.0);
  return s;
}

static scene lateral_in_a_frame(int n, double p) {
  scene s = add_strip(n, NULL, NULL, 1e4, 0.7, 1e-2, ELASTICA_BOUNDARY_FRAME);
  pull_tip(s.world, s.rod, p * 4.012599 * sqrt(0.7), 0.0, 0.0);
  return s;
}

/* The right-angle frame of Argyris (1979), legs of 240, 30 by 0.6, E 71240, nu 0.31, a force in its plane: about 0.68. */
static scene frame(int n, double p) {
  const int m = n / 2;
  const double length = 240.0, modulus = 71240.0, shear = modulus / 2.62, h = 30.0, b = 0.6, area = h * b;
  scene s = {make_world(NULL), NULL};
  DEFAULTS(rod, rod);
  for (int i = 0; i <= n; i++) {
    numbers[0][3 * i] = i <= m ? length * i / m : length;
    numbers[0][3 * i + 1] = i <= m ? 0.0 : -length * (i - m) / m;
    numbers[0][3 * i + 2] = 0.0;
  }
  for (int j = 0; j < n; j++) {
    numbers[2][3 * j] = numbers[2][3 * j + 1] = shear * area * 5.0 / 6.0, numbers[2][3 * j + 2] = modulus * area;
    numbers[3][3 * j] = modulus * b * h * h * h / 12.0, numbers[3][3 * j + 1] = modulus * h * b * b * b / 12.0;
    numbers[3][3 * j + 2] = shear * h * b * b * b / 3.0 * (1.0 - 0.63 * b / h);
  }
  rod.element_count = n, rod.position = numbers[0], rod.rest = ELASTICA_REST_INITIAL, rod.radius = 1.0, rod.density = 1e-9;
  rod.normal[0] = rod.normal[1] = 0.0, rod.normal[2] = 1.0;
  rod.shear_stiffness = numbers[2], rod.bend_stiffness = numbers[3];
  must(s.world, elastica_world_add_rod(s.world, &rod, &s.rod));
  clamp_first(s.world, s.rod, ELASTICA_BOUNDARY_FRAME);
  pull_tip(s.world, s.rod, -0.68 * p, 0.0, 0.0);
  return s;
}

/* Its legs are two rods, and a stiff FIXED joint connects their ends. */
static scene frame_of_two_rods(int n, double p) {
  const int m = n / 2;
  const double length = 240.0, modulus = 71240.0, shear = modulus / 2.62, h = 30.0, b = 0.6, area = h * b;
  scene s = {make_world(NULL), NULL};
  elastica_rod *leg[2];
  for (int k = 0; k < 2; k++) {
    DEFAULTS(rod, rod);
    for (int j = 0; j < m; j++) {
      numbers[2][3 * j] = numbers[2][3 * j + 1] = shear * area * 5.0 / 6.0, numbers[2][3 * j + 2] = modulus * area;
      numbers[3][3 * j] = modulus * b * h * h * h / 12.0, numbers[3][3 * j + 1] = modulus * h * b * b * b / 12.0;
      numbers[3][3 * j + 2] = shear * h * b * b * b / 3.0 * (1.0 - 0.63 * b / h);
    }
    rod.element_count = m, rod.length = length, rod.radius = 1.0, rod.density = 1e-9;
    set_vector(rod.start, 0, k ? length : 0.0, 0.0, 0.0);
    set_vector(rod.direction, 0, k ? 0.0 : 1.0, k ? -1.0 : 0.0, 0.0);
    set_vector(rod.normal, 0, 0.0, 0.0, 1.0);
    rod.shear_stiffness = numbers[2], rod.bend_stiffness = numbers[3];
    must(s.world, elastica_world_add_rod(s.world, &rod, &leg[k]));
  }
  clamp_first(s.world, leg[0], ELASTICA_BOUNDARY_CLAMP);
  DEFAULTS(joint, joint);
  joint.kind = ELASTICA_JOINT_FIXED, joint.stiffness = 1e6, joint.angular_stiffness = 1e9;
  joint.first.rod = leg[0], joint.first.element = -1, joint.first.share = 1.0, joint.second.rod = leg[1];
  must(s.world, elastica_add_joint(s.world, &joint, NULL));
  pull_tip(s.world, leg[1], -0.68 * p, 0.0, 0.0);
  return s;
}

/* ---- The load at which the verdict changes ------------------------------------------------------------------------------------------- */

static elastica_relax_result judge(make_scene *make, int n, double p) {
  scene s = make(n, p);
  const elastica_relax_result result = relax(s.world);
  elastica_world_destroy(s.world);
  assert_int_equal(result.undecided, 0);
  assert_int_equal(result.stable, result.unstable_modes == 0);
  return result;
}

static double find_change(make_scene *make, int n) {
  double low = 0.8, high = 1.2;
  assert_int_equal(judge(make, n, low).unstable_modes, 0);
  assert_true(judge(make, n, high).unstable_modes > 0);
  while (high - low > 1e-7) {
    const double middle = 0.5 * (low + high);
    if (judge(make, n, middle).stable)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

/* The limits of n to infinity: the error falls as 1/n^2, and is below 1e-3 from 100 elements on. */
static void check_limit(make_scene *make, double far) {
  double error = INFINITY;
  for (int n = 25; n <= 400; n *= 2) {
    const double now = fabs(find_change(make, n) - 1.0);
    if (n >= 100) assert_true(now < 1e-3);
    assert_true(now < 0.4 * error || now < far);
    error = now;
  }
}

TEST(columns_of_euler_give_way_at_their_load) {
  check_limit(euler, 1e-5);
}

TEST(a_column_gives_way_under_its_weight) {
  check_limit(greenhill_weight, 1e-5);
}

TEST(a_twisted_shaft_gives_way) {
  check_limit(greenhill_shaft, 1e-5);
}

TEST(a_twisted_ring_gives_way) {
  check_limit(michell, 1e-5);
}

TEST(a_strip_gives_way_sideways) {
  check_limit(lateral, 3e-4); /* B/(B of the stiff plane) = 1e-4, and shear */
}

/* Two rods with a stiff joint at the corner converge like a straight one; the corner of a single rod is of first order. */
TEST(a_right_angle_frame_gives_way_at_one_load) {
  const double limit = find_change(frame_of_two_rods, 400);
  for (int n = 50; n <= 200; n *= 2) assert_close(find_change(frame_of_two_rods, n), limit, 1e-4);
  assert_close(2.0 * find_change(frame, 400) - find_change(frame, 200), limit, 1e-4);
}

/* ---- Beside long double -------------------------------------------------------------------------------------------------------------- */

enum { BAND = 12, MOST_UNKNOWNS = 6 * (MOST_ELEMENTS + 1) };
static long double rows[MOST_UNKNOWNS][BAND]; /* row i, columns i - 11 .. i */
static unsigned char held[MOST_UNKNOWNS];

static void add_number(size_t row, size_t column, long double value) {
  if (column <= row && row - column < BAND) rows[row][11 + column - row] += value;
}

/* Adds a block and its transpose by halves, below the diagonal; the own block of a node is minus the sum of its others. */
static void add_block(void *context, size_t row_part, size_t column_part, const double block[9], int balanced) {
  const int nodes = row_part % 2 == 0 && column_part % 2 == 0;
  (void)context, (void)balanced;
  for (size_t k = 0; k < 9 && !(nodes && row_part == column_part); k++) {
    const size_t a = k / 3, b = k % 3;
    const long double half = 0.5L * (long double)block[k];
    add_number(3 * row_part + a, 3 * column_part + b, half);
    add_number(3 * column_part + b, 3 * row_part + a, half);
    if (!nodes) continue;
    add_number(3 * row_part + a, 3 * row_part + b, -half);
    add_number(3 * column_part + b, 3 * column_part + a, -half);
  }
}

/* Assembles the internal stiffness of a rod about its present state; dead loads have none. The first node and element are held: of a
 * ring, that leaves out its rigid motions and the blocks beyond the band. Nothing resists that a ring rolls about its centre line: a node
 * opposite is held along the axis. Returns the number of unknowns. */
static size_t assemble(scene s, int holds_end) {
  const elastica_rod_view *view = elastica_rod_get_view(s.rod);
  const size_t n = (size_t)view->element_count, blocks = n + !view->closed, size = 6 * blocks, first[1] = {0};
  double *memory = calloc(10 * size, sizeof *memory);
  assert_non_null(memory);
  double *const total = memory, *external = total + size, *loads = external + size, *strain = loads + size, *predicted = strain + 2 * size;
  eli_tile_report report;
  const eli_statics now = {first, total, external, loads, strain};
  assert_int_equal(eli_world_prepare(s.world, "test"), ELASTICA_OK);
  s.rod->body->rank = 0;
  assert_int_equal(eli_world_statics(s.world, 1, &now, &report), ELASTICA_OK);
  for (size_t i = 0; i < blocks; i++)
    for (size_t a = 0; a < 3; a++) predicted[3 * i + a] = strain[12 * i + 3 + a];
  memset(rows, 0, sizeof rows);
  eli_tangent_visit(s.rod, 1.0, 1.0, &now, predicted, now.first[s.rod->body->rank], add_block, NULL);
  for (size_t i = 0; i < size; i++) {
    held[i] = i < 6 || i >= 6 * n + 3 || (holds_end && i >= 6 * n - 3) || (view->closed && i == 6 * (n / 2) + 2);
    for (size_t k = 0; k < BAND; k++)
      if (i + k >= 11 && (held[i] || held[i + k - 11])) rows[i][k] = k == 11 ? 1.0L : 0.0L;
  }
  free(memory);
  return size;
}

/* The number of negative pivots of L D L^T. */
static int count_negative(size_t size) {
  int negative = 0;
  for (size_t i = 0; i < size; i++) {
    for (size_t j = i > 11 ? i - 11 : 0; j <= i; j++)
      for (size_t k = i > 11 ? i - 11 : 0; k < j; k++)
        if (k + 11 >= j) rows[i][11 + j - i] -= rows[i][11 + k - i] * rows[j][11 + k - j] / rows[k][11];
    negative += rows[i][11] < 0.0L;
  }
  return negative;
}

static int oracle(make_scene *make, int n, double p) {
  scene s = make(n, p);
  (void)relax(s.world);
  const size_t size = assemble(s, make == greenhill_shaft_in_frames);
  elastica_world_destroy(s.world);
  return count_negative(size);
}

static void check_signs(make_scene *make, int modes) {
  const int grids[5] = {20, 60, 200, 600, 2000};
  for (int k = 0; k < 5; k++) {
    const double change = find_change(make, grids[k]);
    assert_int_equal(oracle(make, grids[k], change * (1.0 - 1e-5)), 0);
    assert_int_equal(oracle(make, grids[k], change * (1.0 + 1e-5)), modes);
    assert_int_equal(judge(make, grids[k], change * (1.0 + 1e-5)).unstable_modes, modes);
  }
}

TEST_LONG(the_sign_of_a_column_is_right_on_all_grids) {
  check_signs(euler_in_a_frame, 2);
}

TEST_LONG(the_sign_of_a_heavy_column_is_right_on_all_grids) {
  check_signs(greenhill_weight_in_a_frame, 2);
}

TEST_LONG(the_sign_of_a_twisted_shaft_is_right_on_all_grids) {
  check_signs(greenhill_shaft_in_frames, 2);
}

TEST_LONG(the_sign_of_a_twisted_ring_is_right_on_all_grids) {
  check_signs(michell, 2);
}

TEST_LONG(the_sign_of_a_strip_is_right_on_all_grids) {
  check_signs(lateral_in_a_frame, 1);
}

TEST_LONG(the_sign_of_a_right_angle_frame_is_right_on_all_grids) {
  check_signs(frame, 1);
}

/* ---- Modes without resistance -------------------------------------------------------------------------------------------------------- */

TEST(rigid_motions_are_counted_apart) {
  for (int n = 1; n <= 1000; n *= 10) {
    scene s = {make_world(NULL), NULL};
    s.rod = add_straight_rod(s.world, n, 1.0, 0.002, 1000.0, 1e9, 4e8);
    elastica_relax_result result = relax(s.world);
    assert_int_equal(result.stable, 1);
    assert_int_equal(result.zero_modes, 6);
    pin_node(s.world, s.rod, 0);
    result = relax(s.world);
    assert_int_equal(result.stable, 1);
    assert_int_equal(result.zero_modes, 3);
    elastica_world_destroy(s.world);
  }
}

/* Above its load, a round column bends to any side: one motion has no resistance, and none is unstable. */
TEST(a_buckled_column_turns_freely) {
  scene s = euler(50, 1.3);
  elastica_rod *rod = s.rod;
  assert_int_equal(relax(s.world).unstable_modes, 2);
  DEFAULTS(point_load, load);
  elastica_effect *push = NULL;
  load.force[0] = 1e-3;
  must(s.world, elastica_add_point_load(s.world, rod, &load, &push));
  assert_int_equal(relax(s.world).stable, 1);
  must(s.world, elastica_effect_remove(push) == ELASTICA_OK ? ELASTICA_OK : ELASTICA_WRONG_STATE);
  const elastica_relax_result result = relax(s.world);
  assert_true(tip(rod, 0) > 0.5);
  assert_int_equal(result.stable, 1);
  assert_int_equal(result.undecided, 0);
  assert_int_equal(result.unstable_modes, 0);
  assert_int_equal(result.zero_modes, 1);
  elastica_world_destroy(s.world);
}

/* ---- The direction of a slender rod -------------------------------------------------------------------------------------------------- */

/* A rod of length 1 in a direction, clamped at its first end. */
static scene slender(int n, double radius, const double *direction, elastica_boundary_kind kind) {
  scene s = {make_world(NULL), NULL};
  DEFAULTS(rod, rod);
  rod.element_count = n, rod.length = 1.0, rod.radius = radius, rod.density = 1000.0, rod.youngs_modulus = 1e9;
  memcpy(rod.direction, direction, sizeof rod.direction);
  must(s.world, elastica_world_add_rod(s.world, &rod, &s.rod));
  clamp_first(s.world, s.rod, kind);
  return s;
}

/* Its stiffness against stretch exceeds that against bending of an element by 1e7 to 1e11, and axes oblique to the rod mix both. */
TEST(a_slender_rod_without_load_is_stable_in_any_direction) {
  random_source source = {11};
  for (int k = 0; k < 72; k++) {
    const double radius = k % 3 == 0 ? 3e-5 : k % 3 == 1 ? 1e-5 : 1e-6;
    const int n = k / 3 % 3 == 0 ? 10 : k / 3 % 3 == 1 ? 20 : 50;
    double direction[3];
    random_vector(&source, 1.0, direction);
    scene s = slender(n, radius, direction, k % 2 ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_CLAMP);
    const elastica_relax_result result = relax(s.world);
    assert_int_equal(result.unstable_modes, 0);
    assert_int_equal(result.undecided, 0);
    assert_int_equal(result.stable, 1);
    elastica_world_destroy(s.world);
  }
}

/* A column pressed along itself gives way at its load, in any direction; above it, rounding of the load may lead to the buckled state. */
TEST(an_oblique_slender_column_gives_way_at_its_load) {
  random_source source = {12};
  for (int k = 0; k < 36; k++) {
    const double radius = k % 2 ? 1e-5 : 3e-5, pi = 3.14159265358979324, bend = 1e9 * pi * radius * radius * radius * radius / 4.0;
    const int n = k / 2 % 2 ? 20 : 10;
    double direction[3];
    random_vector(&source, 1.0, direction);
    const double size = sqrt(dot(direction, direction)), p = k % 3 == 0 ? 0.95 : k % 3 == 1 ? 1.05 : 1.5;
    const double press = -p * pi * pi / 4.0 * bend / size;
    scene s = slender(n, radius, direction, ELASTICA_BOUNDARY_CLAMP);
    pull_tip(s.world, s.rod, press * direction[0], press * direction[1], press * direction[2]);
    const elastica_relax_result result = relax(s.world);
    const double end[3] = {tip(s.rod, 0), tip(s.rod, 1), tip(s.rod, 2)};
    const int is_straight = dot(end, direction) > 0.999 * size;
    assert_int_equal(result.unstable_modes, p > 1.0 && is_straight ? 2 : 0);
    if (is_straight) assert_int_equal(result.undecided, 0);
    assert_true(is_straight || p > 1.0);
    elastica_world_destroy(s.world);
  }
}

/* ---- Loads beside the rounding of stretch -------------------------------------------------------------------------------------------- */

/* A force of c B/L^2 across a slender cantilever moves its tip by c L/3, also where the rounding of its stretch leaves larger forces on its
 * nodes. */
TEST(a_faint_load_bends_a_slender_rod) {
  static const struct faint {
    double radius, force;
    int n;
  } cases[4] = {{1e-5, 1e-3, 320}, {1.0 / 3e5, 1e-3, 100}, {1.0 / 3e5, 1e-2, 20}, {1.0 / 3e5, 1e-2, 320}};
  static const double along[2][3] = {{0.0, 0.0, 1.0}, {0.6, 0.48, 0.64}}, across[2][3] = {{1.0, 0.0, 0.0}, {0.8, -0.36, -0.48}};
  const double pi = 3.14159265358979324;
  for (int k = 0; k < 8; k++) {
    const struct faint *of = &cases[k / 2];
    const double *u = across[k % 2], bend = 1e9 * pi / 4.0 * pow(of->radius, 4.0), force = of->force * bend;
    scene s = slender(of->n, of->radius, along[k % 2], ELASTICA_BOUNDARY_CLAMP);
    pull_tip(s.world, s.rod, force * u[0], force * u[1], force * u[2]);
    const elastica_relax_result result = relax(s.world);
    const double end[3] = {tip(s.rod, 0), tip(s.rod, 1), tip(s.rod, 2)};
    assert_close(dot(end, u), of->force / 3.0, 2e-2 * of->force / 3.0);
    assert_int_equal(result.unstable_modes, 0);
    assert_true(result.evaluations < 100);
    elastica_world_destroy(s.world);
  }
}

/* At 1e6 radii the rounding of stretch exceeds the buckling load, and the stress of the load is that of its balance. A load across the rod
 * is refused if rounding hides its equilibrium. */
TEST(rounding_hides_no_load_from_the_verdict) {
  const double pi = 3.14159265358979324, bend = 1e9 * pi / 4.0 * 1e-24;
  for (int n = 160; n <= 320; n += 160)
    for (int k = 0; k < 2; k++) {
      const double direction[3] = {0.0, 0.0, 1.0}, p = k ? 1.5 : 0.5;
      scene s = slender(n, 1e-6, direction, ELASTICA_BOUNDARY_CLAMP);
      pull_tip(s.world, s.rod, 0.0, 0.0, -p * pi * pi / 4.0 * bend);
      const elastica_relax_result result = relax(s.world);
      if (k == 0) assert_int_equal(result.unstable_modes, 0);
      if (k == 1) assert_int_equal(result.stable, 0);
      elastica_world_destroy(s.world);
    }
  for (int k = 0; k < 3; k++) {
    const double direction[3] = {0.6, 0.48, 0.64}, c = k == 0 ? 1e-4 : k == 1 ? 1e-2 : 1e-1;
    scene s = slender(20, 1e-6, direction, ELASTICA_BOUNDARY_CLAMP);
    elastica_relax_result result;
    pull_tip(s.world, s.rod, 0.8 * c * bend, -0.36 * c * bend, -0.48 * c * bend);
    const elastica_status status = elastica_world_relax(s.world, NULL, &result);
    const double moved = 0.8 * tip(s.rod, 0) - 0.36 * tip(s.rod, 1) - 0.48 * tip(s.rod, 2);
    if (status == ELASTICA_OK) assert_close(moved, c / 3.0, 2e-3);
    if (status != ELASTICA_OK)
      assert_non_null(strstr(elastica_world_message(s.world), "so slender that the rounding of its stretch hides"));
    elastica_world_destroy(s.world);
  }
}
