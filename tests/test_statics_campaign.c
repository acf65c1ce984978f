/* Random assemblies: the number of unstable modes is that of the negative eigenvalues of a dense matrix, which differences of loads make.
 */
#include "jointed.h"
#include "meshes.h"

#include "base/symmetric_eigen.h"
#include "statics/relax.h"

enum { MOST_RODS = 3, ELEMENTS = 3, BLOCKS = MOST_RODS * (ELEMENTS + 1) + 1, MOST = 6 * BLOCKS }; /* and one rigid body */

static double total[MOST], external[MOST], loads[MOST], strain[2 * MOST];
static size_t first[MOST_RODS + 1];
static const eli_statics statics = {first, total, external, loads, strain};

/* Displaces one unknown. */
static void move(elastica_world *world, size_t unknown, double size) {
  double *const *lane = world->bodies.slab.lane;
  const size_t block = unknown / 6;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const size_t from = first[rod->body->rank];
    if (block < from || block >= from + eli_block_count(rod)) continue;
    const size_t slot = rod->offset + block - from;
    if (unknown % 6 < 3) {
      lane[ELI_POSITION + unknown % 6][slot] += size;
      if (rod->closed && slot == rod->offset) lane[ELI_POSITION + unknown % 6][slot + (size_t)rod->element_count] += size; /* its alias */
    } else {
      double phi[3] = {0.0, 0.0, 0.0}, turned[9];
      phi[unknown % 3] = size;
      for (size_t a = 0; a < 9; a++) turned[a] = lane[ELI_DIRECTOR + a][slot];
      turn_frame_exactly(phi, turned);
      for (size_t a = 0; a < 9; a++) lane[ELI_DIRECTOR + a][slot] = turned[a];
    }
  }
}

/* Finds the stiffness of the free unknowns, nodes in units of the length l, over scale. Differences of fourth order. */
static int find_stiffness(elastica_world *world, const unsigned char *held, int size, double l, double scale, double *matrix) {
  static const double factor[4] = {1.0, -1.0, 2.0, -2.0}, weight[4] = {8.0, -8.0, -1.0, 1.0};
  int free[MOST], n = 0;
  eli_tile_report report;
  for (int i = 0; i < size; i++)
    if (!held[i]) free[n++] = i;
  memset(matrix, 0, (size_t)(n * n) * sizeof *matrix);
  for (int c = 0; c < n; c++) {
    const double unit = free[c] % 6 < 3 ? l : 1.0, step = 1e-3;
    for (int k = 0; k < 4; k++) {
      move(world, (size_t)free[c], factor[k] * step * unit);
      assert_int_equal(eli_world_statics(world, 1, &statics, &report), ELASTICA_OK);
      move(world, (size_t)free[c], -factor[k] * step * unit);
      for (int r = 0; r < n; r++) {
        const double part = -weight[k] * total[free[r]] * (free[r] % 6 < 3 ? l : 1.0) / (24.0 * step * scale);
        matrix[r * n + c] += part; /* the symmetric part */
        matrix[c * n + r] += part;
      }
    }
  }
  return n;
}

static int find_eigenvalues(elastica_world *world, const unsigned char *held, int size, double l, double scale, double *values) {
  static double matrix[MOST * MOST], vectors[MOST * MOST];
  const int n = find_stiffness(world, held, size, l, scale, matrix);
  assert_true(eli_symmetric_eigen(n, matrix, values, vectors));
  return n;
}

/* Returns the number of eigenvalues below a bound: the negative pivots, each the largest that is left. */
static int count_below(int n, const double *matrix, double bound) {
  static double m[MOST][MOST];
  int negative = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) m[i][j] = matrix[i * n + j] - (i == j ? bound : 0.0);
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++)
      if (fabs(m[i][i]) > fabs(m[best][best])) best = i;
    for (int j = 0; j < n; j++) {
      const double kept = m[k][j];
      m[k][j] = m[best][j], m[best][j] = kept;
    }
    for (int i = 0; i < n; i++) {
      const double kept = m[i][k];
      m[i][k] = m[i][best], m[i][best] = kept;
    }
    negative += m[k][k] < 0.0;
    for (int i = k + 1; i < n; i++)
      for (int j = n; j-- > k;) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  }
  return negative;
}

/* A pile of rods on a clamp, one above the other, joined in any way, under a load along them and with a tendon through their tops. */
static elastica_world *make_pile(random_source *source, unsigned char *held, int *size, double *l, double *bend, elastica_effect **push) {
  elastica_world_def def = default_world();
  elastica_world *world = make_world(&def);
  elastica_rod *rod[MOST_RODS];
  const int count = random_integer(source, 1, MOST_RODS), kind = random_integer(source, 0, 1);
  const double radius = random_between(source, 0.01, 0.04);
  *bend = 1e6 * 3.14159265 / 4.0 * radius * radius * radius * radius;
  *l = 1.0 / ELEMENTS;
  *size = 6 * count * (ELEMENTS + 1);
  memset(held, 0, MOST);
  for (int k = 0; k < count; k++) {
    rod[k] = NULL;
    DEFAULTS(rod, shape);
    shape.element_count = ELEMENTS, shape.length = 1.0, shape.start[2] = k, shape.radius = radius, shape.density = 1000.0;
    shape.youngs_modulus = 1e6, shape.shear_modulus = 4e5;
    must(world, elastica_world_add_rod(world, &shape, &rod[k]));
    memset(held + 6 * (k + 1) * (ELEMENTS + 1) - 3, 1, 3); /* the last node has no element */
    first[k] = (size_t)(k * (ELEMENTS + 1));
  }
  DEFAULTS(boundary, clamp);
  clamp.kind = (elastica_boundary_kind)kind;
  must(world, elastica_add_boundary(world, rod[0], &clamp, NULL));
  memset(held, 1, kind == ELASTICA_BOUNDARY_FRAME ? 6 : 3);
  for (int k = 1; k < count; k++) {
    DEFAULTS(joint, joint);
    joint.kind = (elastica_joint_kind)random_integer(source, ELASTICA_JOINT_BALL, ELASTICA_JOINT_FIXED);
    joint.first.rod = rod[k - 1], joint.first.element = -1, joint.first.share = 1.0, joint.second.rod = rod[k];
    joint.stiffness = *bend * exp(random_between(source, 2.0, 9.0));
    const double angular_stiffness = *bend * exp(random_between(source, -1.0, 6.0));
    if (joint.kind != ELASTICA_JOINT_BALL) joint.angular_stiffness = angular_stiffness;
    if (joint.kind == ELASTICA_JOINT_HINGE) joint.axis[0] = 0.6, joint.axis[1] = 0.8, joint.axis[2] = 0.0;
    must(world, elastica_add_joint(world, &joint, NULL));
  }
  DEFAULTS(point_load, load);
  load.force[2] = *bend * random_between(source, -3.0, 1.0) / (count * count);
  must(world, elastica_add_point_load(world, rod[count - 1], &load, push));
  if (random_integer(source, 0, 1)) {
    elastica_anchor guide[MOST_RODS + 1];
    memset(guide, 0, sizeof guide);
    for (int k = 0; k < count; k++) guide[k + 1].rod = rod[k], guide[k + 1].element = -1, guide[k + 1].share = 1.0;
    guide[0].offset[2] = random_between(source, -1.0, 0.5);
    DEFAULTS(tendon, tendon);
    tendon.guides = guide, tendon.guide_count = count + 1;
    tendon.tension = *bend * random_between(source, 0.0, 2.0) / (count * count);
    must(world, elastica_add_tendon(world, &tendon, NULL));
  }
  return world;
}

/* Zero eigenvalues stand apart from the others; scenes in between are left out. */
TEST(verdicts_on_random_piles_are_those_of_a_dense_matrix) {
  int judged = 0, unstable = 0;
  for (uint64_t seed = 0; seed < (uint64_t)rounds(250); seed++) {
    random_source source = {seed};
    unsigned char held[MOST];
    double values[MOST], l, bend;
    int size, negative = 0, zero = 0, unclear = 0;
    elastica_world *world = make_pile(&source, held, &size, &l, &bend, NULL);
    elastica_relax_result result;
    must(world, elastica_world_relax(world, NULL, &result));
    const int n = find_eigenvalues(world, held, size, l, bend / l, values);
    for (int i = 0; i < n; i++) {
      negative += values[i] < -1e-6;
      zero += fabs(values[i]) < 1e-8;
      unclear += fabs(values[i]) >= 1e-8 && fabs(values[i]) <= 1e-6;
    }
    elastica_world_destroy(world);
    if (unclear) continue;
    judged++;
    unstable += negative > 0;
    assert_int_equal(result.undecided, 0);
    assert_int_equal(result.unstable_modes, negative);
    assert_int_equal(result.zero_modes, zero);
  }
  assert_true(judged > rounds(200) && unstable > rounds(40));
}

/* ---- Beside obstacles --------------------------------------------------------------------------------------------------------------- */

/* A wall in waves along y. */
static elastica_status waves(void *user, const double point[3], double *distance, double gradient[3]) {
  (void)user;
  *distance = -(point[0] - 0.05 * sin(5.0 * point[1])) / 1.04;
  gradient[0] = -1.0 / 1.04, gradient[1] = 0.25 * cos(5.0 * point[1]) / 1.04, gradient[2] = 0.0;
  return ELASTICA_OK;
}

/* An elastic obstacle of any shape that a pile leans on: its surface is about a radius and a gap in x from the axis of the pile. */
static elastica_effect *add_obstacle_beside(random_source *source, elastica_world *world, int count, double radius, double bend) {
  static mesh_data box;
  static const double wide = 0.3;
  const double gap = radius * random_between(source, 1.05, 1.5), height = random_between(source, 0.3, 0.9) * count;
  const double axis[2][3] = {{0.0, 0.0, -1.0}, {0.0, 0.1, 1.0 + count}}, widths[2] = {gap + 0.1, gap + 0.15};
  elastica_obstacle_def obstacle = obstacle_of((elastica_shape)random_integer(source, ELASTICA_SHAPE_SPHERE, ELASTICA_SHAPE_MESH),
                                               bend * exp(random_between(source, 3.0, 8.0)));
  obstacle.group = 0;
  set_vector(obstacle.position, 0, gap + wide, random_between(source, -0.05, 0.05), height);
  if (obstacle.shape == ELASTICA_SHAPE_PLANE) {
    set_vector(obstacle.normal, 0, -1.0, 0.1, 0.0);
    set_vector(obstacle.position, 0, 1.1 * gap, 0.0, 0.0);
  } else if (obstacle.shape == ELASTICA_SHAPE_BOX) {
    set_vector(obstacle.edges, 0, 2.0 * wide, 2.0 * wide, 1.5 * wide);
  } else if (obstacle.shape == ELASTICA_SHAPE_SURFACE) {
    obstacle.surface = waves, obstacle.surface_curvature = 1.3;
    set_vector(obstacle.position, 0, 1.1 * gap, 0.0, 0.0);
  } else if (obstacle.shape == ELASTICA_SHAPE_TUBE) {
    obstacle.side = ELASTICA_SIDE_INSIDE, obstacle.points = &axis[0][0], obstacle.radii = widths, obstacle.point_count = 2;
    set_vector(obstacle.position, 0, 0.0, 0.0, 0.0);
  } else if (obstacle.shape == ELASTICA_SHAPE_MESH) {
    mesh_box(&box, 2.0 * wide, 2.0 * wide, 1.5 * wide);
    obstacle.points = box.points, obstacle.point_count = box.point_count, obstacle.fillet = 3.0 * radius;
    obstacle.triangles = box.triangles, obstacle.triangle_count = box.triangle_count;
  } else {
    obstacle.radius = wide;
    if (obstacle.shape != ELASTICA_SHAPE_SPHERE) obstacle.length = 0.8, set_vector(obstacle.normal, 0, 0.0, 1.0, 0.3);
  }
  return add_obstacle_to(world, &obstacle);
}

/* A spring along one rod of the pile, from its first node to its last. */
static void add_spring_along(random_source *source, elastica_world *world, int count, double radius, double bend) {
  DEFAULTS(tendon, spring);
  spring.rod = elastica_world_rod(world, random_integer(source, 0, count - 1));
  spring.offset[0] = radius * random_between(source, -2.0, 2.0), spring.offset[1] = radius * random_between(source, -2.0, 2.0);
  spring.stiffness = bend * exp(random_between(source, 0.0, 6.0));
  spring.rest_length = random_between(source, 0.8, 1.0);
  must(world, elastica_add_tendon(world, &spring, NULL));
}

/* A ball on top of the pile. Returns the number of unknowns with it. */
static int add_ball_on_top(random_source *source, elastica_world *world, int count, int size, double radius, double bend) {
  DEFAULTS(body, ball);
  DEFAULTS(joint, joint);
  elastica_rod *top = NULL;
  ball.contact_group = random_integer(source, 0, 1); /* the obstacle touches it, or rods only */
  ball.radius = 2.0 * radius, ball.density = 1000.0, ball.position[2] = count + 2.0 * radius;
  must(world, elastica_world_add_body(world, &ball, &top));
  joint.kind = (elastica_joint_kind)random_integer(source, ELASTICA_JOINT_BALL, ELASTICA_JOINT_FIXED);
  joint.first.rod = elastica_world_rod(world, count - 1), joint.first.element = -1, joint.first.share = 1.0;
  joint.second.rod = top, joint.second.offset[2] = -2.0 * radius;
  joint.stiffness = bend * exp(random_between(source, 4.0, 9.0));
  if (joint.kind == ELASTICA_JOINT_HINGE) set_vector(joint.axis, 0, 0.6, 0.8, 0.0);
  if (joint.kind != ELASTICA_JOINT_BALL) joint.angular_stiffness = bend * exp(random_between(source, 1.0, 5.0));
  must(world, elastica_add_joint(world, &joint, NULL));
  first[count] = (size_t)(size / 6);
  return size + 6;
}

/* Piles that stand beside obstacles of every shape or lean on them, with springs along rods and a ball on top. Eigenvalues that
 * differences of the contacts cannot tell from zero count as either. */
TEST(verdicts_beside_random_obstacles_are_those_of_a_dense_matrix) {
  const double clear = 1e-5;
  int touching = 0, unstable = 0;
  for (uint64_t seed = 0; seed < (uint64_t)rounds(250); seed++) {
    random_source source = {5000 + seed};
    unsigned char held[MOST];
    static double matrix[MOST * MOST];
    double l, bend;
    int size, points = 0;
    elastica_world *world = make_pile(&source, held, &size, &l, &bend, NULL);
    const int count = size / (6 * (ELEMENTS + 1));
    const double radius = pow(bend * 4.0 / (1e6 * 3.14159265), 0.25);
    if (random_integer(&source, 0, 1)) add_spring_along(&source, world, count, radius, bend);
    if (random_integer(&source, 0, 1)) size = add_ball_on_top(&source, world, count, size, radius, bend);
    elastica_effect *obstacle = add_obstacle_beside(&source, world, count, radius, bend);
    if (random_integer(&source, 0, 2)) {
      DEFAULTS(point_load, load);
      set_vector(load.force, 0, bend * random_between(&source, 0.5, 3.0) / (count * count), 0.02 * bend, 0.0);
      must(world, elastica_add_point_load(world, elastica_world_rod(world, count - 1), &load, NULL));
    }
    elastica_relax_result result;
    must(world, elastica_world_relax(world, NULL, &result));
    must(world, elastica_contact_get(obstacle, NULL, 0, &points));
    const int n = find_stiffness(world, held, size, l, bend / l, matrix);
    const int least = count_below(n, matrix, -clear), most = count_below(n, matrix, clear);
    assert_int_equal(result.undecided, 0);
    assert_true(result.unstable_modes <= most && result.unstable_modes + result.zero_modes >= least);
    touching += points > 0;
    unstable += least > 0;
    elastica_world_destroy(world);
  }
  assert_true(touching > rounds(100));
  if (rounds(100) == 100) assert_true(unstable > 10); /* a few seeds may have none */
}

/* ---- Rings -------------------------------------------------------------------------------------------------------------------------- */

/* A ring of a few elements, held at one node, with a joint to the world opposite, a force there, and sometimes a spring along its first
 * nodes. */
static elastica_world *make_held_ring(random_source *source, int n, unsigned char *held, double *bend) {
  const double radius = random_between(source, 0.01, 0.04);
  const double flat = random_integer(source, 0, 1) ? 0.0 : 1.0; /* a flat ring under a force in its plane may rest unstable */
  double position[3 * 9];
  elastica_world *world = make_world(NULL);
  elastica_rod *ring = NULL;
  *bend = 1e6 * 3.14159265 / 4.0 * radius * radius * radius * radius;
  for (int i = 0; i < n; i++) {
    const double angle = 2.0 * 3.14159265358979324 * i / n;
    set_vector(position, i, 0.5 * cos(angle), 0.5 * sin(angle), flat * random_between(source, -0.02, 0.02));
  }
  DEFAULTS(rod, def);
  def.element_count = n, def.closed = 1, def.position = position, def.radius = radius, def.density = 1000.0;
  def.youngs_modulus = 1e6, def.shear_modulus = 4e5, def.rest = ELASTICA_REST_INITIAL;
  must(world, elastica_world_add_rod(world, &def, &ring));
  DEFAULTS(boundary, clamp);
  clamp.kind = ELASTICA_BOUNDARY_FRAME;
  must(world, elastica_add_boundary(world, ring, &clamp, NULL));
  memset(held, 0, MOST);
  memset(held, 1, 6);
  first[0] = 0;
  DEFAULTS(joint, joint);
  joint.kind = (elastica_joint_kind)random_integer(source, ELASTICA_JOINT_BALL, ELASTICA_JOINT_FIXED);
  joint.first.rod = ring, joint.first.element = n / 2;
  joint.stiffness = *bend * exp(random_between(source, -3.0, 5.0));
  if (joint.kind != ELASTICA_JOINT_BALL) joint.angular_stiffness = *bend * exp(random_between(source, -3.0, 2.0));
  if (joint.kind == ELASTICA_JOINT_HINGE) set_vector(joint.axis, 0, 0.6, 0.8, 0.0);
  must(world, elastica_add_joint(world, &joint, NULL));
  DEFAULTS(point_load, load);
  load.node = n / 2, load.element = n / 2;
  set_vector(load.force, 0, *bend * random_between(source, -5.0, flat == 0.0 ? 20.0 : 8.0),
             flat * *bend * random_between(source, -1.0, 1.0), flat * 0.1 * *bend);
  must(world, elastica_add_point_load(world, ring, &load, NULL));
  if (random_integer(source, 0, 1)) {
    DEFAULTS(tendon, spring);
    elastica_anchor guide[2];
    memset(guide, 0, sizeof guide);
    guide[0].rod = guide[1].rod = ring, guide[1].element = n / 2;
    spring.guides = guide, spring.guide_count = 2;
    spring.stiffness = *bend * exp(random_between(source, 0.0, 5.0)), spring.rest_length = random_between(source, 0.2, 0.9);
    must(world, elastica_add_tendon(world, &spring, NULL));
  }
  return world;
}

/* Rings of 3 to 9 elements: fewer than a vector has lanes, as many, and more. */
TEST(verdicts_on_random_rings_are_those_of_a_dense_matrix) {
  const double clear = 1e-5;
  int judged = 0, unstable = 0;
  for (uint64_t seed = 0; seed < (uint64_t)rounds(140); seed++) {
    random_source source = {9000 + seed};
    const int n = 3 + (int)(seed % 7);
    unsigned char held[MOST];
    static double matrix[MOST * MOST];
    double bend;
    elastica_world *world = make_held_ring(&source, n, held, &bend);
    elastica_relax_result result;
    if (elastica_world_relax(world, NULL, &result) == ELASTICA_NOT_CONVERGED) { /* a joint is folded */
      elastica_world_destroy(world);
      continue;
    }
    judged++;
    const int free = find_stiffness(world, held, 6 * n, 1.0 / n, bend * n, matrix);
    const int least = count_below(free, matrix, -clear), most = count_below(free, matrix, clear);
    assert_int_equal(result.undecided, 0);
    assert_true(result.unstable_modes <= most && result.unstable_modes + result.zero_modes >= least);
    unstable += least > 0;
    elastica_world_destroy(world);
  }
  assert_true(judged > rounds(120));
  if (rounds(140) == 140) assert_true(unstable > 10);
}

/* ---- Along paths -------------------------------------------------------------------------------------------------------------------- */

typedef struct load_along {
  elastica_effect *push;
  double unit;
} load_along;

static elastica_status push_along(void *user, elastica_world *world, double parameter) {
  const load_along *of = user;
  DEFAULTS(point_load, load);
  (void)world;
  load.force[2] = parameter * of->unit;
  return elastica_point_load_set(of->push, &load);
}

/* Loads grow from zero by first steps down to 1e-8 of the critical ones. The unstable modes are those of a dense matrix, except for
 * eigenvalues that its differences cannot tell from zero, and BRANCH points lie where their number changes. */
TEST_LONG(counts_along_random_paths_are_those_of_a_dense_matrix) {
  const double clear = 1e-5;
  int points = 0;
  for (uint64_t seed = 0; points < rounds(500); seed++) {
    random_source source = {1000 + seed};
    unsigned char held[MOST];
    static double matrix[MOST * MOST];
    double l, bend;
    int size;
    load_along of = {NULL, 0.0};
    elastica_world *world = make_pile(&source, held, &size, &l, &bend, &of.push);
    elastica_path *path = NULL;
    DEFAULTS(path, along);
    of.unit = bend * random_between(&source, -6.0, 3.0) * 64.0 / (size * size / 36.0);
    along.apply = push_along, along.user = &of, along.first_step = exp(random_between(&source, -18.0, -2.0)), along.upper = 1.0;
    must(world, push_along(&of, world, 0.0));
    must(world, elastica_world_relax(world, NULL, NULL));
    must(world, elastica_path_create(world, &along, &path));
    int before = -1, branches = 0, ambiguous = 0;
    for (elastica_path_result point = {0}; point.kind < ELASTICA_PATH_END;) {
      must(world, elastica_path_next(path, &point));
      points++;
      if (point.kind == ELASTICA_PATH_BRANCH) branches++;
      if (point.kind == ELASTICA_PATH_BRANCH || point.kind == ELASTICA_PATH_LIMIT) continue;
      const int n = find_stiffness(world, held, size, l, bend / l, matrix);
      const int least = count_below(n, matrix, -clear), most = count_below(n, matrix, clear);
      assert_int_equal(point.undecided, 0);
      assert_true(point.unstable_modes <= most && point.unstable_modes + point.zero_modes >= least);
      ambiguous += most > least;
      if (before == point.unstable_modes && branches > 0 && !ambiguous) assert_true(branches != 1);
      before = point.unstable_modes, branches = 0, ambiguous = most > least;
    }
    elastica_path_destroy(path);
    elastica_world_destroy(world);
  }
}
