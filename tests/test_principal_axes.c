/* Claims about principal axes of symmetric tensors. */
#include "base/target.h"

#include "base/rotation.h"
#include "base/symmetric_eigen.h"
#include "samples.h"

static void make_tensor(random_source *source, const double values[3], double tensor[9]) {
  double q[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, phi[3];
  random_vector(source, 3.0, phi);
  turn_frame(phi, q);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      tensor[3 * a + b] = 0.0;
      for (int k = 0; k < 3; k++) tensor[3 * a + b] += q[3 * k + a] * values[k] * q[3 * k + b];
    }
}

/* A T = values A, and A is a rotation. */
static void assert_principal(const double tensor[9], const double values[3], const double axes[9], double size) {
  for (int a = 0; a < 3; a++) {
    double image[3];
    apply(tensor, axes + 3 * a, image);
    for (int b = 0; b < 3; b++) {
      assert_close(image[b], values[a] * axes[3 * a + b], 1e-14 * size);
      assert_close(dot(axes + 3 * a, axes + 3 * b), a == b ? 1.0 : 0.0, 1e-14);
    }
  }
  double third[3];
  cross(axes, axes + 3, third);
  assert_all_close(third, axes + 6, 3, 1e-14);
}

TEST(axes_are_a_rotation_that_makes_the_tensor_diagonal) {
  random_source source = {1};
  for (int k = 0; k < 1000; k++) {
    double given[3], tensor[9], values[3], axes[9];
    for (int a = 0; a < 3; a++) given[a] = exp(random_between(&source, -8.0, 8.0));
    if (k % 3 == 0) given[1] = given[0];
    if (k % 7 == 0) given[2] = given[0];
    make_tensor(&source, given, tensor);
    eli_principal_axes(tensor, values, axes);
    assert_principal(tensor, values, axes, given[0] + given[1] + given[2]);
    assert_close(values[0] + values[1] + values[2], given[0] + given[1] + given[2], 1e-13 * (given[0] + given[1] + given[2]));
  }
}

TEST(a_diagonal_tensor_keeps_its_axes_to_the_bit) {
  const double tensor[9] = {3.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0}, unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  double values[3], axes[9];
  eli_principal_axes(tensor, values, axes);
  assert_memory_equal(axes, unit, sizeof unit);
  assert_true(values[0] == 3.0 && values[1] == 1.0 && values[2] == 2.0);
}

/* The axes of an almost diagonal tensor are near those of the frame, in their order. */
TEST(small_products_turn_the_axes_a_little) {
  const double tensor[9] = {3.0, 1e-3, 0.0, 1e-3, 1.0, -1e-3, 0.0, -1e-3, 2.0};
  double values[3], axes[9];
  eli_principal_axes(tensor, values, axes);
  for (int a = 0; a < 3; a++) assert_close(axes[4 * a], 1.0, 1e-5);
  assert_close(values[0], 3.0, 1e-5);
}
