/* Claims about random numbers that depend on their place, and about ranks. */
#include "base/target.h"

#include "search/normals.h"
#include "samples.h"

/* Mean, variance, skewness and kurtosis within five standard errors, and the share beyond one and two deviations. */
TEST(normal_numbers_are_normal) {
  enum { COUNT = 200000 };
  static double x[COUNT];
  double moment[4] = {0.0, 0.0, 0.0, 0.0}, beyond[2] = {0.0, 0.0};
  for (int k = 0; k < COUNT / 100; k++) { /* also from place to place */
    eli_random random = eli_random_at(7, 1, (uint64_t)k, 3);
    eli_random_normals(&random, 100, x + 100 * k);
  }
  for (int k = 0; k < COUNT; k++) {
    for (int p = 0; p < 4; p++) moment[p] += pow(x[k], p + 1) / COUNT;
    beyond[0] += fabs(x[k]) > 1.0 ? 1.0 / COUNT : 0.0;
    beyond[1] += fabs(x[k]) > 2.0 ? 1.0 / COUNT : 0.0;
  }
  const double error = 1.0 / sqrt(COUNT);
  assert_close(moment[0], 0.0, 5.0 * error);
  assert_close(moment[1], 1.0, 5.0 * sqrt(2.0) * error);
  assert_close(moment[2], 0.0, 5.0 * sqrt(15.0) * error);
  assert_close(moment[3], 3.0, 5.0 * sqrt(96.0) * error);
  assert_close(beyond[0], erfc(1.0 / sqrt(2.0)), 5.0 * 0.47 * error);
  assert_close(beyond[1], erfc(2.0 / sqrt(2.0)), 5.0 * 0.21 * error);
}

/* The states that the mixing maps to the smallest and the largest words: uniform numbers lie between 0 and 1, normal ones are finite. */
TEST(uniform_numbers_are_neither_0_nor_1) {
  const uint64_t increment = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t largest = UINT64_MAX; /* the inverse of the mixing */
  largest ^= largest >> 31 ^ largest >> 62;
  largest *= UINT64_C(0x319642b2d24d8ec3);
  largest ^= largest >> 27 ^ largest >> 54;
  largest *= UINT64_C(0x96de1b173f119089);
  largest ^= largest >> 30 ^ largest >> 60;
  for (int k = 0; k < 2; k++) {
    eli_random random = {(k ? largest : 0) - increment}, again = random;
    double x[2];
    const double uniform = eli_random_uniform(&random);
    assert_true(uniform > 0.0 && uniform < 1.0 && (k ? uniform > 1.0 - 0x1p-50 : uniform < 0x1p-50));
    eli_random_normals(&again, 2, x);
    assert_true(fabs(x[0]) < 10.0 && fabs(x[1]) < 10.0);
  }
}

/* Numbers at neighbouring places, and of successive draws at one place, are uncorrelated. */
TEST(places_are_independent) {
  enum { COUNT = 50000 };
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (uint64_t k = 0; k < COUNT; k++) {
    double x[2], other[4][2];
    const uint64_t place[5][4] = {{1, 2, 3, k}, {1, 2, 3, k + 1}, {1, 2, 4, k}, {1, 3, 3, k}, {2, 2, 3, k}};
    eli_random random = eli_random_at(place[0][0], place[0][1], place[0][2], place[0][3]);
    eli_random_normals(&random, 2, x);
    for (int p = 0; p < 4; p++) {
      eli_random there = eli_random_at(place[p + 1][0], place[p + 1][1], place[p + 1][2], place[p + 1][3]);
      eli_random_normals(&there, 2, other[p]);
      sum[p] += (x[0] * other[p][0] + x[1] * other[p][1] + x[0] * other[p][1]) / COUNT;
    }
  }
  for (int p = 0; p < 4; p++) assert_close(sum[p], 0.0, 5.0 * sqrt(3.0 / COUNT));
}

TEST(uniform_numbers_keep_between_their_ends) {
  eli_random random = eli_random_at(0, 0, 0, 0);
  double sum = 0.0;
  for (int k = 0; k < 100000; k++) {
    const double u = eli_random_uniform(&random);
    assert_true(u > 0.0 && u < 1.0);
    sum += u / 100000;
  }
  assert_close(sum, 0.5, 5.0 * sqrt(1.0 / 12.0 / 100000));
}

TEST(an_odd_count_takes_the_first_of_the_even_one) {
  double odd[5], even[6];
  eli_random first = eli_random_at(1, 2, 3, 4), second = first;
  eli_random_normals(&first, 5, odd);
  eli_random_normals(&second, 6, even);
  assert_memory_equal(odd, even, sizeof odd);
}

/* ---- Ranking ---- */

TEST(order_is_ascending_and_stable) {
  random_source source = {9};
  double values[300];
  int order[300], scratch[300];
  for (int count = 1; count <= 300; count++) {
    for (int k = 0; k < count; k++) values[k] = random_integer(&source, 0, 20) == 0 ? INFINITY : (double)random_integer(&source, -9, 9);
    eli_rank(values, count, order, scratch);
    for (int k = 1; k < count; k++) {
      assert_true(values[order[k - 1]] <= values[order[k]]);
      if (values[order[k - 1]] == values[order[k]]) assert_true(order[k - 1] < order[k]);
    }
  }
}

TEST(the_median_is_in_the_middle) {
  const double values[] = {5.0, 1.0, INFINITY, 3.0, INFINITY};
  int order[5], scratch[5];
  eli_rank(values, 5, order, scratch);
  assert_true(eli_ranked_median(values, order, 5) == 5.0);
  eli_rank(values, 4, order, scratch);
  assert_true(eli_ranked_median(values, order, 4) == 4.0);
  const double failed[] = {INFINITY, INFINITY};
  eli_rank(failed, 2, order, scratch);
  assert_true(eli_ranked_median(failed, order, 2) == INFINITY);
}
