/* Claims about lists of near pairs, and about the reference positions that decide how long a list is valid. */
#include "rationed_memory.h"

#include "contact/broad_phase.h"
#include "kernels/kernels.h"

#include <time.h>

enum { MOST = 700 };

typedef struct cloud {
  double x[3][MOST], radius[MOST];
  eli_spheres spheres;
} cloud;

/* Scatters count spheres in a box. */
static void scatter(cloud *of, random_source *source, int count, const double box[3], double radius) {
  for (int k = 0; k < count; k++) {
    for (int a = 0; a < 3; a++) of->x[a][k] = random_between(source, -box[a], box[a]);
    of->radius[k] = radius * random_between(source, 0.2, 1.0);
  }
  const eli_spheres spheres = {count, {of->x[0], of->x[1], of->x[2]}, of->radius};
  of->spheres = spheres;
}

/* Makes some of the spheres up to a thousand times as large. */
static void enlarge(cloud *of, random_source *source, int count) {
  for (int k = 0; k < count; k++)
    of->radius[random_integer(source, 0, of->spheres.count - 1)] *= pow(10.0, random_between(source, 0.0, 3.0));
}

static int overlap(const cloud *of, int i, int j) {
  double square = 0.0;
  for (int a = 0; a < 3; a++) square += (of->x[a][i] - of->x[a][j]) * (of->x[a][i] - of->x[a][j]);
  return sqrt(square) <= of->radius[i] + of->radius[j];
}

static int keep_all(void *context, int first, int second) {
  (void)context;
  return first < second;
}

static int keep_some(void *context, int first, int second) {
  (void)context;
  return (first + second) % 3 == 0;
}

static eli_near_pairs empty_list(void) {
  const eli_allocator allocator = eli_allocator_default();
  eli_near_pairs pairs;
  eli_near_pairs_init(&pairs, &allocator);
  return pairs;
}

/* The list must equal the result of trying all pairs, in the same order. */
static void assert_is_what_trying_all_gives(const eli_near_pairs *pairs, const cloud *of, int (*keep)(void *, int, int)) {
  size_t k = 0;
  for (int i = 0; i < of->spheres.count; i++) {
    for (int j = i + 1; j < of->spheres.count; j++) {
      if (!overlap(of, i, j) || !keep(NULL, i, j)) continue;
      assert_true(k < pairs->count);
      assert_int_equal(eli_pair_first(pairs->keys[k]), i);
      assert_int_equal(eli_pair_second(pairs->keys[k]), j);
      k++;
    }
  }
  assert_int_equal(pairs->count, k);
}

TEST(the_list_is_complete_and_in_order) {
  static const double boxes[5][3] = {{1.0, 1.0, 1.0}, {20.0, 0.01, 0.01}, {0.0, 0.0, 5.0}, {3.0, 3.0, 0.0}, {1e6, 1e6, 1e6}};
  random_source source = {1};
  eli_near_pairs pairs = empty_list();
  for (int k = 0; k < 90; k++) {
    cloud of;
    scatter(&of, &source, random_integer(&source, 2, MOST), boxes[k % 5], k % 5 == 4 ? 1e5 : random_between(&source, 0.02, 0.3));
    if (k % 3 == 1) enlarge(&of, &source, k % 2 ? 3 : 60); /* a level of a few, or of many */
    int (*keep)(void *, int, int) = k % 2 ? keep_all : keep_some;
    assert_true(eli_near_pairs_find(&pairs, &of.spheres, keep, NULL));
    assert_is_what_trying_all_gives(&pairs, &of, keep);
  }
  eli_near_pairs_destroy(&pairs);
}

/* The previous content of the list does not matter. */
TEST(the_list_does_not_depend_on_earlier_ones) {
  static const double box[3] = {1.0, 1.0, 1.0};
  random_source source = {2};
  cloud large, small;
  eli_near_pairs used = empty_list(), fresh = empty_list();
  scatter(&large, &source, MOST, box, 0.2);
  scatter(&small, &source, 50, box, 0.3);
  assert_true(eli_near_pairs_find(&used, &large.spheres, keep_all, NULL));
  assert_true(eli_near_pairs_find(&used, &small.spheres, keep_all, NULL));
  assert_true(eli_near_pairs_find(&fresh, &small.spheres, keep_all, NULL));
  assert_int_equal(used.count, fresh.count);
  assert_memory_equal(used.keys, fresh.keys, fresh.count * sizeof *fresh.keys);
  eli_near_pairs_destroy(&used);
  eli_near_pairs_destroy(&fresh);
}

static int tried;

static int count_tries(void *context, int first, int second) {
  (void)context;
  tried++;
  return first < second;
}

/* One large sphere far away does not make the search try all pairs: the time stays that of the small ones. */
TEST(a_large_sphere_far_away_takes_no_time) {
  enum { SIDE = 27, COUNT = SIDE * SIDE * SIDE };
  static double x[3][COUNT + 1], radius[COUNT + 1];
  double time[2] = {INFINITY, INFINITY};
  for (int k = 0; k < COUNT; k++) {
    x[0][k] = k % SIDE, x[1][k] = k / SIDE % SIDE, x[2][k] = (double)(k / SIDE / SIDE);
    radius[k] = 0.51;
  }
  x[0][COUNT] = 1e4, radius[COUNT] = 1e3;
  eli_near_pairs pairs = empty_list();
  for (int large = 0; large < 2; large++) {
    const eli_spheres spheres = {COUNT + large, {x[0], x[1], x[2]}, radius};
    for (int k = 0; k < 3; k++) {
      tried = 0;
      const double start = (double)clock();
      assert_true(eli_near_pairs_find(&pairs, &spheres, count_tries, NULL));
      const double took = (double)clock() - start;
      if (took < time[large]) time[large] = took;
      assert_int_equal(tried, 3 * SIDE * SIDE * (SIDE - 1));
      assert_int_equal(pairs.count, tried);
    }
  }
  assert_true(time[1] <= 4.0 * time[0] + 0.01 * CLOCKS_PER_SEC);
  eli_near_pairs_destroy(&pairs);
}

TEST(degenerate_sets_of_spheres_are_listed) {
  static const double box[3] = {1.0, 1.0, 1.0};
  random_source source = {3};
  cloud of;
  eli_near_pairs pairs = empty_list();
  scatter(&of, &source, 30, box, 0.0); /* points */
  assert_true(eli_near_pairs_find(&pairs, &of.spheres, keep_all, NULL));
  assert_int_equal(pairs.count, 0);
  for (int k = 0; k < 30; k++) of.x[0][k] = of.x[1][k] = of.x[2][k] = 0.25; /* all at one place */
  assert_true(eli_near_pairs_find(&pairs, &of.spheres, keep_all, NULL));
  assert_int_equal(pairs.count, 30 * 29 / 2);
  of.x[1][7] = NAN, of.x[2][8] = INFINITY;
  assert_true(eli_near_pairs_find(&pairs, &of.spheres, keep_some, NULL));
  of.x[0][3] = 1e300, of.x[1][7] = 0.0, of.x[2][8] = 0.0;
  assert_true(eli_near_pairs_find(&pairs, &of.spheres, keep_all, NULL));
  of.spheres.count = 1;
  assert_true(eli_near_pairs_find(&pairs, &of.spheres, keep_all, NULL));
  assert_int_equal(pairs.count, 0);
  of.spheres.count = 0;
  assert_true(eli_near_pairs_find(&pairs, &of.spheres, keep_all, NULL));
  eli_near_pairs_destroy(&pairs);
}

/* ---- Memory ---- */

TEST(without_memory_the_list_is_empty) {
  static const double box[3] = {1.0, 1.0, 1.0};
  random_source source = {4};
  cloud of;
  scatter(&of, &source, 300, box, 0.2);
  for (int allowed = 0;; allowed++) {
    memory_ration memory = ration_of(allowed);
    const eli_allocator allocator = {take_rationed, give_back_rationed, &memory};
    eli_near_pairs pairs;
    eli_near_pairs_init(&pairs, &allocator);
    const int found = eli_near_pairs_find(&pairs, &of.spheres, keep_all, NULL);
    if (!found) assert_int_equal(pairs.count, 0);
    memory.left = 100;
    assert_true(eli_near_pairs_find(&pairs, &of.spheres, keep_all, NULL));
    assert_is_what_trying_all_gives(&pairs, &of, keep_all);
    eli_near_pairs_destroy(&pairs);
    assert_int_equal(memory.blocks, 0);
    if (found) break;
    assert_true(allowed < 60);
  }
}

TEST(reserved_capacity_needs_no_memory) {
  static const double box[3] = {1.0, 1.0, 1.0};
  random_source source = {5};
  cloud of;
  memory_ration memory = ration_of(100);
  const eli_allocator allocator = {take_rationed, give_back_rationed, &memory};
  eli_near_pairs pairs;
  scatter(&of, &source, 100, box, 0.2);
  eli_near_pairs_init(&pairs, &allocator);
  assert_true(eli_near_pairs_reserve(&pairs, 100, 4950));
  memory.left = 0;
  assert_true(eli_near_pairs_find(&pairs, &of.spheres, keep_all, NULL));
  assert_true(pairs.count > 0);
  eli_near_pairs_destroy(&pairs);
}

/* ---- Reference positions ---- */

typedef struct chain {
  double x[3][MOST + 1];
  const double *position[3];
  double *memory;
  eli_reference reference;
} chain;

static void make_chain(chain *of, int n, int closed) {
  memset(of, 0, sizeof *of);
  for (int i = 0; i <= n; i++) of->x[2][i] = 0.1 * i;
  for (int a = 0; a < 3; a++) of->position[a] = of->x[a];
  of->memory = malloc(eli_reference_size(n) * sizeof(double));
  assert_non_null(of->memory);
  eli_reference_init(&of->reference, n, closed, of->memory);
}

/* Asks for a new list with each instruction set; the answers must be equal. */
static int calls(const chain *of, double limit) {
  const int middle = of->reference.element_count / 2;
  double drift[3];
  for (int a = 0; a < 3; a++) drift[a] = of->reference.set ? of->position[a][middle] - of->reference.position[a][middle] : 0.0;
  const int is_left = eli_reference_is_left_by(&of->reference, of->position, drift, limit, eli_kernels_base.check_reference);
  for (int set = ELASTICA_INSTRUCTION_SET_BASE; set <= ELASTICA_INSTRUCTION_SET_AVX512; set++) {
    const eli_kernels *kernels = eli_kernels_select((elastica_instruction_set)set);
    if (kernels == NULL) continue;
    assert_int_equal(eli_reference_is_left_by(&of->reference, of->position, drift, limit, kernels->check_reference), is_left);
  }
  return is_left;
}

TEST(a_displacement_of_each_node_is_noticed) {
  for (int closed = 0; closed < 2; closed++) {
    chain of;
    const int n = 300, nodes = closed ? n : n + 1;
    make_chain(&of, n, closed);
    assert_true(calls(&of, 1e9)); /* no reference positions exist */
    eli_reference_set(&of.reference, of.position, 0.9);
    assert_false(calls(&of, 0.0));
    assert_true(calls(&of, -1e-9));
    for (int i = 0; i < nodes; i++) {
      if (i == n / 2) continue; /* the other nodes are measured from this one */
      of.x[i % 3][i] += 0.01;
      assert_true(calls(&of, 0.0099));
      if (i % 3 < 2) assert_false(calls(&of, 0.0101));
      of.x[i % 3][i] = i % 3 == 2 ? 0.1 * i : 0.0;
    }
    of.x[0][n / 2] += 0.01;
    assert_true(calls(&of, 0.0099));
    free(of.memory);
  }
}

TEST(the_shrinkage_of_each_element_is_noticed) {
  for (int closed = 0; closed < 2; closed++) {
    chain of;
    const int n = 260, nodes = closed ? n : n + 1;
    make_chain(&of, n, closed);
    eli_reference_set(&of.reference, of.position, 0.9);
    for (int j = 0; j + 1 < nodes; j++) {
      for (int a = j + 1; a < nodes; a++) of.x[2][a] -= 0.0099;
      assert_false(calls(&of, 1e9));
      for (int a = j + 1; a < nodes; a++) of.x[2][a] -= 0.0002;
      assert_true(calls(&of, 1e9));
      for (int a = j + 1; a < nodes; a++) of.x[2][a] = 0.1 * a;
    }
    free(of.memory);
  }
}

/* The chain is bent at one node after another, in a ring also at its closing node, by a little less and a little more than the limit. */
static void claim_turns(int n, int closed) {
  const double allowed = 0.3;
  chain of;
  const int nodes = closed ? n : n + 1;
  double least[MOST];
  make_chain(&of, n, closed);
  for (int k = 0; k < nodes - 2 * !closed; k++) {
    const int bent = (k + 1) % nodes; /* after edge k */
    for (int wide = 0; wide < 2; wide++) {
      const double angle = allowed * (wide ? 1.001 : 0.999);
      for (int i = 0; i < nodes; i++) { /* two straight lines meet at the bent node; nodes far behind it do not matter */
        const int way = i - bent;
        const int after = closed ? (way + nodes) % nodes : way;
        const double along = 0.1 * (closed && after > nodes / 2 ? after - nodes : after);
        of.x[0][i] = along > 0.0 ? along * sin(angle) : 0.0;
        of.x[2][i] = along > 0.0 ? along * cos(angle) : along;
      }
      if (closed) of.x[0][n] = of.x[0][0], of.x[2][n] = of.x[2][0];
      for (int j = 0; j < n; j++) least[j] = -2.0;
      least[k] = cos(allowed) * cos(allowed);
      eli_reference_set(&of.reference, of.position, 0.9);
      of.reference.least_cosine = least;
      assert_int_equal(calls(&of, 1e9), wide);
      least[k] = -2.0;
      assert_false(calls(&of, 1e9));
    }
  }
  free(of.memory);
}

/* Also if the last part of a long chain has one node or two. */
TEST(the_turn_at_each_node_is_noticed) {
  for (int n = 256; n <= 261; n++)
    for (int closed = 0; closed < 2; closed++) claim_turns(n, closed);
}

TEST(motion_as_a_whole_does_not_count) {
  chain of;
  make_chain(&of, 129, 0);
  eli_reference_set(&of.reference, of.position, 0.9);
  for (int i = 0; i <= 129; i++) of.x[0][i] += 8.0, of.x[1][i] += 512.0;
  assert_false(calls(&of, 0.0));
  free(of.memory);
}
