/* The sparse factors of statics: signs of eigenvalues and solutions, beside a dense matrix and its eigenvalues.
 */
#include "samples.h"

#include "base/symmetric_eigen.h"
#include "statics/factor.h"

enum { MOST_SLOTS = 14, MOST = 6 * MOST_SLOTS, MOST_BLOCKS = 600, MOST_SPRINGS = 3 };

/* A sum of 3 by 3 blocks, as it is given to the factor and as a dense matrix. */
typedef struct block {
  size_t row, column;
  int row_part, column_part, internal;
  double m[9];
} block;

typedef struct scene {
  int slots, blocks, springs;
  block block[MOST_BLOCKS];
  double stiffness[MOST_SPRINGS], gradient[MOST_SPRINGS][MOST];
  unsigned char held[MOST];
  double dense[MOST * MOST], whole[MOST * MOST]; /* the symmetric part, and the sum as it is */
} scene;

static void put(scene *s, size_t row, int row_part, size_t column, int column_part, const double m[9], int internal) {
  const size_t n = 6 * (size_t)s->slots;
  assert_true(s->blocks < MOST_BLOCKS);
  block *b = &s->block[s->blocks++];
  *b = (block){row, column, row_part, column_part, internal, {0.0}};
  memcpy(b->m, m, sizeof b->m);
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++) {
      const size_t p = 6 * row + 3 * (size_t)row_part + i, q = 6 * column + 3 * (size_t)column_part + j;
      s->whole[p * n + q] += m[3 * i + j];
      s->dense[p * n + q] += 0.5 * m[3 * i + j];
      s->dense[q * n + p] += 0.5 * m[3 * i + j];
    }
}

/* Loads that a common translation leaves alone: a random form of the vector from one node to the other and of both turns. */
static void connect(scene *s, random_source *source, size_t i, size_t j, double shift) {
  const size_t slot[4] = {i, j, i, j};
  const int part[4] = {0, 0, 1, 1};
  double form[9][9], root[9][9];
  for (int p = 0; p < 9; p++)
    for (int q = 0; q < 9; q++) root[p][q] = random_between(source, -1.0, 1.0);
  for (int p = 0; p < 9; p++)
    for (int q = 0; q < 9; q++) {
      form[p][q] = p == q ? shift : 0.0;
      for (int k = 0; k < 9; k++) form[p][q] += root[p][k] * root[q][k];
    }
  const int of[4] = {0, 0, 3, 6};
  const double sign[4] = {-1.0, 1.0, 1.0, 1.0};
  for (int p = 0; p < 4; p++)
    for (int q = 0; q < 4; q++) {
      double m[9];
      for (int k = 0; k < 9; k++) m[k] = sign[p] * sign[q] * form[of[p] + k / 3][of[q] + k % 3];
      put(s, slot[p], part[p], slot[q], part[q], m, 1);
    }
}

static void make_graph(scene *s, random_source *source, int kind, double shift) {
  const int n = s->slots;
  for (int i = 1; i < n; i++) connect(s, source, (size_t)(kind == 1 ? random_integer(source, 0, i - 1) : i - 1), (size_t)i, shift);
  if (kind == 2) connect(s, source, 0, (size_t)n - 1, shift);
  for (int k = 0; k < n && kind == 3; k++) {
    const int i = random_integer(source, 0, n - 1), j = random_integer(source, 0, n - 1);
    if (i != j) connect(s, source, (size_t)i, (size_t)j, shift);
  }
}

/* Springs to the ground and between any two parts, symmetric or not. */
static void add_loads(scene *s, random_source *source, int count) {
  for (int k = 0; k < count; k++) {
    double m[9];
    for (int a = 0; a < 9; a++) m[a] = random_between(source, -2.0, 2.0);
    put(s, (size_t)random_integer(source, 0, s->slots - 1), random_integer(source, 0, 1), (size_t)random_integer(source, 0, s->slots - 1),
        random_integer(source, 0, 1), m, 0);
  }
}

/* Springs that couple many slots, also of negative stiffness; every other one does not change under a common translation. */
static void add_springs(scene *s, random_source *source, int count) {
  const int n = 6 * s->slots;
  for (s->springs = 0; s->springs < count; s->springs++) {
    double *g = s->gradient[s->springs], sum[3] = {0.0};
    const double k = s->stiffness[s->springs] = random_between(source, -0.5, 2.0);
    for (int i = 0; i < n; i++) g[i] = random_integer(source, 0, 3) > 0 ? random_between(source, -1.0, 1.0) : 0.0;
    for (int i = 0; i < n; i++) sum[i % 3] += i % 6 < 3 ? g[i] : 0.0;
    for (int a = 0; a < 3; a++) g[a] -= s->springs % 2 ? sum[a] : 0.0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) s->whole[i * n + j] += k * g[i] * g[j], s->dense[i * n + j] += k * g[i] * g[j];
  }
}

static void fill_springs(const scene *s, eli_factor *factor) {
  for (int k = 0; k < s->springs; k++) {
    eli_factor_set_spring(factor, (size_t)k, s->stiffness[k]);
    for (int i = 0; i < 2 * s->slots; i++) eli_factor_pull(factor, (size_t)k, (size_t)i / 2, i % 2, s->gradient[k] + 3 * i, k % 2);
  }
}

static void fill(const scene *s, eli_factor *factor) {
  static eli_allocator allocator;
  allocator = eli_allocator_default();
  assert_true(eli_factor_create(factor, &allocator, (size_t)s->slots, MOST_SPRINGS));
  for (int k = 0; k < s->blocks; k++) eli_factor_couple(factor, s->block[k].row, s->block[k].column);
  for (int k = 0; k < s->springs; k++)
    for (int i = 0; i < s->slots; i++) eli_factor_couple(factor, (size_t)(s->slots + k), (size_t)i);
  assert_true(eli_factor_analyse(factor) && eli_factor_reserve(factor));
  eli_factor_clear(factor);
  for (int i = 0; i < 6 * s->slots; i++)
    if (s->held[i]) eli_factor_hold(factor, (size_t)i / 6, i % 6);
  for (int k = 0; k < s->blocks; k++) {
    const block *b = &s->block[k];
    eli_factor_add(factor, b->row, b->row_part, b->column, b->column_part, b->m, b->internal);
  }
  fill_springs(s, factor);
  assert_int_equal(factor->misses, 0);
}

/* Returns the number of negative eigenvalues of the free part of the dense matrix + shift weight; least: the smallest magnitude. */
static int count_negative(const scene *s, double shift, const double *weight, double *least) {
  static double matrix[MOST * MOST], values[MOST], vectors[MOST * MOST];
  int free[MOST], n = 0, negative = 0;
  for (int i = 0; i < 6 * s->slots; i++)
    if (!s->held[i]) free[n++] = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) matrix[i * n + j] = s->dense[free[i] * 6 * s->slots + free[j]] + (i == j ? shift * weight[free[i]] : 0.0);
  assert_true(eli_symmetric_eigen(n, matrix, values, vectors));
  *least = INFINITY;
  for (int i = 0; i < n; i++) {
    negative += values[i] < 0.0;
    if (fabs(values[i]) < *least) *least = fabs(values[i]);
  }
  return negative;
}

static void find_residual(const scene *s, const double *matrix, double shift, const double *weight, const double *b, const double *x,
                          double *residual) {
  const int n = 6 * s->slots;
  for (int i = 0; i < n; i++) {
    residual[i] = b[i] - shift * weight[i] * x[i];
    for (int j = 0; j < n; j++) residual[i] -= matrix[i * n + j] * x[j];
    if (s->held[i]) residual[i] = 0.0;
  }
}

/* x += K^-1 (b - K x): one refinement, because in an indefinite matrix a small pivot costs digits. */
static void refine(const eli_factor *factor, int n, const double *b, double *x) {
  double left[MOST];
  eli_factor_multiply(factor, x, left);
  for (int i = 0; i < n; i++) left[i] = b[i] - left[i];
  eli_factor_solve(factor, left, left);
  for (int i = 0; i < n; i++) x[i] += left[i];
}

/* The product of the matrix and the solution is the right-hand side. */
static void check_solution(const scene *s, const double *matrix, const eli_factor *factor, random_source *source, double shift,
                           const double *weight) {
  double b[MOST] = {0.0}, x[MOST], residual[MOST], scratch[MOST];
  const int n = 6 * s->slots;
  for (int i = 0; i < n; i++) b[i] = s->held[i] ? 0.0 : random_between(source, -1.0, 1.0);
  eli_factor_solve(factor, b, x);
  refine(factor, n, b, x);
  find_residual(s, matrix, shift, weight, b, x, residual);
  eli_factor_multiply(factor, x, scratch);
  double size = 0.0, diagonal[MOST];
  for (int i = 0; i < n; i++) size += fabs(x[i]);
  eli_factor_diagonal(factor, diagonal);
  for (int i = 0; i < n; i++) {
    assert_true(fabs(residual[i]) <= 1e-10 * (1.0 + 10.0 * size));
    assert_true(fabs(b[i] - residual[i] - scratch[i]) <= 1e-11 * (1.0 + 10.0 * size));
    if (s->held[i])
      assert_true(x[i] == 0.0);
    else
      assert_true(fabs(diagonal[i] - matrix[(n + 1) * i]) <= 1e-12);
  }
}

/* Returns the sign of the determinant of the free part of the whole matrix + shift weight, by elimination with complete pivots; least: the
 * smallest pivot. */
static int sign_of_determinant(const scene *s, double shift, const double *weight, double *least) {
  static double m[MOST][MOST];
  int free[MOST], n = 0, sign = 1;
  for (int i = 0; i < 6 * s->slots; i++)
    if (!s->held[i]) free[n++] = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) m[i][j] = s->whole[free[i] * 6 * s->slots + free[j]] + (i == j ? shift * weight[free[i]] : 0.0);
  *least = INFINITY;
  for (int k = 0; k < n; k++) {
    int row = k, column = k;
    for (int i = k; i < n; i++)
      for (int j = k; j < n; j++)
        if (fabs(m[i][j]) > fabs(m[row][column])) row = i, column = j;
    for (int j = k; j < n && row != k; j++) {
      const double kept = m[k][j];
      m[k][j] = m[row][j], m[row][j] = kept;
    }
    for (int i = 0; i < n && column != k; i++) {
      const double kept = m[i][k];
      m[i][k] = m[i][column], m[i][column] = kept;
    }
    sign *= ((row != k) == (column != k) ? 1 : -1) * (m[k][k] < 0.0 ? -1 : 1);
    if (fabs(m[k][k]) < *least) *least = fabs(m[k][k]);
    for (int i = k + 1; i < n; i++)
      for (int j = n; j-- > k;) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  }
  return sign;
}

/* A graph of the kind seed % 4 with up to most_loads springs, prescribed unknowns, and masses. */
static void make_random_scene(scene *s, random_source *source, uint64_t seed, int most_loads, double weight[MOST]) {
  memset(s, 0, sizeof *s);
  s->slots = random_integer(source, 1, MOST_SLOTS);
  make_graph(s, source, (int)(seed % 4), random_between(source, -1.0, 0.5));
  add_loads(s, source, random_integer(source, 1, most_loads));
  for (int k = random_integer(source, 0, 8); k > 0; k--) s->held[random_integer(source, 0, 6 * s->slots - 1)] = 1;
  for (int i = 0; i < 6 * s->slots; i++) weight[i] = random_between(source, 0.1, 1.0);
  add_springs(s, source, s->slots > 1 ? (int)(seed / 4 % (MOST_SPRINGS + 1)) : 0);
}

/* Chains, trees, rings and nets, positive or not, with springs between two parts or many, prescribed unknowns, and shifted by a mass. */
TEST(signs_and_solutions_are_those_of_a_dense_matrix) {
  static scene s;
  int seen[4] = {0};
  for (uint64_t seed = 0; seed < (uint64_t)rounds(600); seed++) {
    random_source source = {seed};
    double weight[MOST], least;
    make_random_scene(&s, &source, seed, 6, weight);
    eli_factor factor;
    fill(&s, &factor);
    for (int k = 0; k < 3; k++) {
      const double shift = k == 0 ? 0.0 : random_between(&source, -4.0, 1.0);
      const int negative = count_negative(&s, shift, weight, &least);
      if (!(least > 1e-6)) continue;
      eli_factor_compute(&factor, shift, weight);
      assert_false(factor.uncertain);
      assert_int_equal(factor.zero, 0);
      assert_int_equal(factor.negative, negative);
      check_solution(&s, s.dense, &factor, &source, shift, weight);
      seen[seed % 4] += negative > 0 ? 1 : 0;
    }
    eli_factor_release(&factor);
  }
  for (int k = 0; k < 4; k++) assert_true(seen[k] > rounds(600) / 30);
}

/* The whole matrix, with follower springs: its solutions, the sign of its determinant, and no negative pivot while a large shift makes it
 * positive. */
TEST(general_matrices_are_solved_and_have_the_sign_of_their_determinant) {
  static scene s;
  int seen[2] = {0};
  for (uint64_t seed = 0; seed < (uint64_t)rounds(600); seed++) {
    random_source source = {seed};
    double weight[MOST], least;
    make_random_scene(&s, &source, seed, 12, weight);
    eli_factor factor;
    fill(&s, &factor);
    for (int k = 0; k < 3; k++) {
      const double shift = k == 0 ? 0.0 : random_between(&source, -4.0, 1.0);
      const int sign = sign_of_determinant(&s, shift, weight, &least);
      if (!(least > 1e-3)) continue;
      eli_factor_compute_general(&factor, shift, weight);
      assert_int_equal(factor.zero, 0);
      assert_int_equal(factor.negative % 2, sign < 0);
      check_solution(&s, s.whole, &factor, &source, shift, weight);
      seen[sign < 0]++;
    }
    eli_factor_compute_general(&factor, 1e4, weight);
    assert_int_equal(factor.negative, 0);
    eli_factor_release(&factor);
  }
  assert_true(seen[0] > rounds(600) / 30 && seen[1] > rounds(600) / 30);
}

/* A node without a stiffness of its own is coupled to a chain: a pivot is zero, although the matrix is regular. */
TEST(zero_pivots_of_regular_matrices_are_solved) {
  static scene s;
  int pinned = 0;
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_source source = {seed};
    double weight[MOST] = {0.0}, least, m[9];
    memset(&s, 0, sizeof s);
    s.slots = random_integer(&source, 2, 6);
    const size_t bare = seed % 2 ? 0 : (size_t)s.slots - 1;
    for (size_t i = 0; i < (size_t)s.slots; i++)
      for (int part = 0; part < 2; part++) {
        for (int k = 0; k < 9; k++) m[k] = k % 4 == 0 ? random_between(&source, 1.0, 2.0) : 0.0;
        if (i != bare || part == 1) put(&s, i, part, i, part, m, 0);
        for (int k = 0; k < 9; k++) m[k] = random_between(&source, -1.0, 1.0);
        if (i > 0) put(&s, i - 1, part, i, part, m, 0);
        double back[9];
        for (int k = 0; k < 9; k++) back[k] = m[3 * (k % 3) + k / 3];
        if (i > 0) put(&s, i, part, i - 1, part, back, 0);
      }
    eli_factor factor;
    fill(&s, &factor);
    const int negative = count_negative(&s, 0.0, weight, &least);
    eli_factor_compute(&factor, 0.0, NULL);
    if (least > 1e-2 && !factor.uncertain) {
      assert_int_equal(factor.zero, 0);
      assert_int_equal(factor.negative, negative);
      check_solution(&s, s.dense, &factor, &source, 0.0, weight);
      pinned += factor.pins > 0;
    }
    eli_factor_release(&factor);
  }
  assert_in_range(pinned, 20, 60);
}

/* Without anything that holds it, a net has three eigenvalues that are zero, whatever its size; each piece has its own three. */
TEST(free_translations_are_zero_and_not_negative) {
  static scene s;
  for (uint64_t seed = 0; seed < 40; seed++) {
    random_source source = {seed};
    memset(&s, 0, sizeof s);
    s.slots = random_integer(&source, 2, MOST_SLOTS);
    make_graph(&s, &source, (int)(seed % 4), 0.5);
    eli_factor factor;
    fill(&s, &factor);
    eli_factor_compute(&factor, 0.0, NULL);
    assert_int_equal(factor.zero, 3);
    assert_int_equal(factor.negative, 0);
    assert_false(factor.uncertain);
    eli_factor_release(&factor);
  }
}

/* A chain of n springs from the ground, each of stiffness n, with a spring of stiffness -k at its end: unstable when k > 1. A sum of two
 * rounded stiffnesses would show this only to n eps, or to n^2 eps in unlucky cases. */
TEST(a_long_chain_changes_its_sign_to_rounding) {
  const eli_allocator allocator = eli_allocator_default();
  for (size_t n = 10; n <= 100000; n *= 10)
    for (int k = 0; k < 2; k++) {
      const double stiff = 0.3 * (double)n, soft = -0.3 * (1.0 + (k ? 1e-9 : -1e-9));
      eli_factor factor;
      assert_true(eli_factor_create(&factor, &allocator, n, 0));
      for (size_t i = 1; i < n; i++) eli_factor_couple(&factor, i - 1, i);
      assert_true(eli_factor_analyse(&factor) && eli_factor_reserve(&factor));
      eli_factor_clear(&factor);
      const double spring[9] = {-stiff, 0.0, 0.0, 0.0, -stiff, 0.0, 0.0, 0.0, -stiff};
      const double wall[9] = {stiff, 0.0, 0.0, 0.0, stiff, 0.0, 0.0, 0.0, stiff}, push[9] = {soft, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
      for (size_t i = 0; i < n; i++)
        for (int a = 3; a < 6; a++) eli_factor_hold(&factor, i, a);
      for (size_t i = 1; i < n; i++) {
        eli_factor_add(&factor, i - 1, 0, i, 0, spring, 1);
        eli_factor_add(&factor, i, 0, i - 1, 0, spring, 1);
      }
      eli_factor_add(&factor, 0, 0, 0, 0, wall, 0);
      eli_factor_add(&factor, n - 1, 0, n - 1, 0, push, 0);
      eli_factor_compute(&factor, 0.0, NULL);
      assert_int_equal(factor.negative, k);
      assert_int_equal(factor.zero, 0);
      eli_factor_release(&factor);
    }
}

/* A chain in which a spring couples all slots: the number of blocks grows as that of slots, and the spring alone holds the chain along the
 * gradient. */
TEST(a_spring_along_a_chain_costs_as_much_as_the_chain) {
  const eli_allocator allocator = eli_allocator_default();
  for (size_t n = 10; n <= 10000; n *= 10) {
    const double spring[9] = {-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0}, ground[9] = {0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    for (int sign = -1; sign <= 1; sign++) {
      const double along[3] = {1.0, 0.0, 0.0};
      eli_factor factor;
      assert_true(eli_factor_create(&factor, &allocator, n, 1));
      for (size_t i = 0; i < n; i++) eli_factor_couple(&factor, i, n);
      for (size_t i = 1; i < n; i++) eli_factor_couple(&factor, i - 1, i);
      assert_true(eli_factor_analyse(&factor) && eli_factor_reserve(&factor));
      assert_true(factor.used < 2 * n);
      eli_factor_clear(&factor);
      for (size_t i = 0; i < n; i++)
        for (int a = 3; a < 6; a++) eli_factor_hold(&factor, i, a);
      for (size_t i = 1; i < n; i++) {
        eli_factor_add(&factor, i - 1, 0, i, 0, spring, 1);
        eli_factor_add(&factor, i, 0, i - 1, 0, spring, 1);
      }
      eli_factor_add(&factor, 0, 0, 0, 0, ground, 0);
      eli_factor_set_spring(&factor, 0, 1e-3 * sign);
      for (size_t i = 0; i < n; i++) eli_factor_pull(&factor, 0, i, 0, along, 0);
      eli_factor_compute(&factor, 0.0, NULL);
      assert_int_equal(factor.negative, sign < 0);
      assert_int_equal(factor.zero, sign == 0);
      eli_factor_release(&factor);
    }
  }
}

/* ---- Parts ---- */

enum { MOST_PARTS = 5 };

/* A scene of parts that no block couples, of 1 to 3 slots each. */
static size_t make_parts(scene *s, random_source *source, size_t first[MOST_PARTS + 1]) {
  size_t count = 0;
  memset(s, 0, sizeof *s);
  s->slots = MOST_SLOTS;
  for (first[0] = 0; count + 1 < MOST_PARTS && first[count] + 3 < MOST_SLOTS; count++)
    first[count + 1] = first[count] + (size_t)random_integer(source, 1, 3);
  first[++count] = MOST_SLOTS;
  for (size_t p = 0; p < count; p++)
    for (size_t i = first[p]; i < first[p + 1]; i++) {
      double m[9];
      for (int a = 0; a < 9; a++) m[a] = random_between(source, -0.2, 0.2) + (a % 4 == 0 ? 1.0 : 0.0);
      put(s, i, 0, i, 0, m, 0);
      put(s, i, 1, i, 1, m, 0);
      if (i > first[p]) connect(s, source, first[p] + (size_t)random_integer(source, 0, (int)(i - first[p]) - 1), i, 1.0);
      s->held[6 * i + (size_t)random_integer(source, 0, 5)] = random_integer(source, 0, 2) == 0;
    }
  return count;
}

/* Analyses the couplings of a scene without springs, and holds its unknowns. */
static int prepare(const scene *s, const eli_allocator *allocator, eli_factor *factor) {
  int made = eli_factor_create(factor, allocator, (size_t)s->slots, 0);
  for (int k = 0; k < s->blocks && made; k++) eli_factor_couple(factor, s->block[k].row, s->block[k].column);
  made = made && eli_factor_analyse(factor);
  for (int i = 0; i < 6 * s->slots && made; i++)
    if (s->held[i]) eli_factor_hold(factor, (size_t)i / 6, i % 6);
  return made;
}

/* Adds the blocks of the slots from one to another, to the matrix of these alone. */
static void add_some(const scene *s, size_t begin, size_t end, eli_factor *factor) {
  for (int k = 0; k < s->blocks; k++) {
    const block *b = &s->block[k];
    if (b->row >= begin && b->row < end)
      eli_factor_add(factor, b->row - begin, b->row_part, b->column - begin, b->column_part, b->m, b->internal);
  }
  assert_int_equal(factor->misses, 0);
}

/* The parts of a matrix have the factors of the whole to the last bit, whichever worker has them; factors that are kept stay. */
TEST(parts_have_the_factors_of_the_whole) {
  static scene s;
  const eli_allocator allocator = eli_allocator_default();
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_source source = {seed};
    size_t first[MOST_PARTS + 1];
    const size_t count = make_parts(&s, &source, first);
    const int keeps = seed % 2;
    double weight[MOST], load[MOST], x[MOST], of_parts[MOST];
    eli_factor whole, divided;
    for (int i = 0; i < MOST; i++) weight[i] = random_between(&source, 0.0, 1.0), load[i] = random_between(&source, -1.0, 1.0);
    fill(&s, &whole);
    eli_factor_compute_general(&whole, 0.5, weight);
    eli_factor_solve(&whole, load, x);
    assert_true(prepare(&s, &allocator, &divided));
    assert_int_equal(eli_factor_divide(&divided, count, first, 2, keeps), 1);
    for (size_t p = 0; p < count; p++) {
      eli_factor *part = eli_factor_part(&divided, p, (int)(p % 2));
      eli_factor_clear(part);
      add_some(&s, first[p], first[p + 1], part);
      eli_factor_compute_general(part, 0.5, weight + 6 * first[p]);
      assert_int_equal(part->negative, 0);
      eli_factor_solve(part, load + 6 * first[p], of_parts + 6 * first[p]);
    }
    assert_memory_equal(of_parts, x, sizeof x);
    memset(of_parts, 0, sizeof of_parts);
    for (size_t p = 0; p < count && keeps; p++)
      eli_factor_solve(eli_factor_part(&divided, p, 0), load + 6 * first[p], of_parts + 6 * first[p]);
    if (keeps) assert_memory_equal(of_parts, x, sizeof x);
    eli_factor_release(&whole);
    eli_factor_release(&divided);
  }
}

TEST(a_matrix_that_couples_parts_is_not_divided) {
  static scene s;
  const eli_allocator allocator = eli_allocator_default();
  const size_t first[3] = {0, 3, 6};
  random_source source = {1};
  eli_factor factor;
  memset(&s, 0, sizeof s);
  s.slots = 6;
  make_graph(&s, &source, 0, 1.0);
  assert_true(prepare(&s, &allocator, &factor));
  assert_int_equal(eli_factor_divide(&factor, 2, first, 1, 0), 0);
  eli_factor_release(&factor);
}

/* Each failing allocation is reported, and leaves nothing behind. */
typedef struct ration {
  int left, open;
} ration;

static void *allocate_some(void *user, size_t size) {
  ration *of = user;
  if (of->left-- <= 0) return NULL;
  of->open++;
  return malloc(size);
}

static void release_some(void *user, void *memory) {
  ration *of = user;
  of->open -= memory != NULL;
  free(memory);
}

TEST(a_lack_of_memory_is_reported) {
  int failures = 0;
  for (int left = 0;; left++) {
    ration of = {left, 0};
    const eli_allocator allocator = {allocate_some, release_some, &of};
    eli_factor factor;
    int made = eli_factor_create(&factor, &allocator, 12, 1);
    for (size_t i = 0; i < 12 && made; i++)
      for (size_t j = 0; j <= i; j++) eli_factor_couple(&factor, i, i == j ? 12 : j);
    made = made && eli_factor_analyse(&factor) && eli_factor_reserve(&factor);
    eli_factor_release(&factor);
    assert_int_equal(of.open, 0);
    if (made) break;
    failures++;
  }
  assert_true(failures > 3);
}

TEST(a_lack_of_memory_for_parts_is_reported) {
  static scene s;
  random_source source = {3};
  size_t first[MOST_PARTS + 1];
  const size_t count = make_parts(&s, &source, first);
  for (int keeps = 0; keeps < 2; keeps++)
    for (int left = 0, made = 0; !made; left++) {
      ration of = {left, 0};
      const eli_allocator allocator = {allocate_some, release_some, &of};
      eli_factor factor;
      made = prepare(&s, &allocator, &factor) && eli_factor_divide(&factor, count, first, 2, keeps) > 0;
      eli_factor_release(&factor);
      assert_int_equal(of.open, 0);
      assert_in_range(left, 0, 40);
    }
}
