/* Eigenpairs by a block Krylov space, beside known eigenvalues.
 */
#include "samples.h"

#include "statics/krylov.h"

enum { SIZE = 60 };

/* A diagonal operator in a form with the weights w. */
typedef struct diagonal {
  double a[SIZE], w[SIZE];
} diagonal;

static void scale_each(void *context, const double *x, double *y) {
  const diagonal *d = context;
  for (int i = 0; i < SIZE; i++) y[i] = d->a[i] * x[i];
}

static void weigh(void *context, const double *x, double *y) {
  const diagonal *d = context;
  for (int i = 0; i < SIZE; i++) y[i] = d->w[i] * x[i];
}

/* Eigenvalues fall in steps; each occurs `copies` times. */
static void check_largest(int copies, int wanted) {
  diagonal d;
  random_source source = {3};
  for (int i = 0; i < SIZE; i++) {
    d.a[i] = 1.0 / (1.0 + i / copies) - 0.21;
    d.w[i] = random_between(&source, 0.5, 2.0);
  }
  const eli_operator on = {SIZE, &d, scale_each, weigh};
  const eli_allocator allocator = eli_allocator_default();
  eli_krylov found;
  assert_true(eli_krylov_create(&found, &allocator, &on, wanted));
  while (found.count < wanted && !found.complete) assert_true(eli_krylov_find(&found, 3, 1e-12));
  assert_int_equal(found.count, wanted);
  for (int k = 0; k < wanted; k++) {
    const double *x = found.vector + k * SIZE;
    double square = 0.0;
    for (int i = 0; i < SIZE; i++) square += d.w[i] * x[i] * x[i];
    assert_close(square, 1.0, 1e-12);
    if (k > 0) assert_true(found.value[k] <= found.value[k - 1]);
    int is_one = 0;
    for (int i = 0; i < SIZE; i++) is_one = is_one || fabs(found.value[k] - d.a[i]) < 1e-11;
    assert_true(is_one);
  }
  if (copies <= ELI_KRYLOV_BLOCK)
    for (int k = 0; k < wanted; k++) assert_close(found.value[k], d.a[k], 1e-11);
  eli_krylov_release(&found);
}

TEST(the_largest_eigenvalues_are_found) {
  for (int wanted = 1; wanted <= 20; wanted++)
    for (int copies = 1; copies <= 3; copies++) check_largest(copies, wanted);
}

TEST(all_vectors_of_many_copies_are_found) {
  check_largest(SIZE, 30);
  check_largest(10, 20);
}

TEST(a_complete_space_ends_the_search) {
  check_largest(1, SIZE);
}
