/* The directions of a reaction: the displacements that change it, and its stiffness along them.
 *
 * models     the part of a measured stiffness of 3 by 3 numbers that resists displacements
 * equation   sum s v v^T over eigenvectors v of the symmetric part, or over right singular vectors, with s = v . e v > 0
 * test       tests/test_relax_walls.c, tests/test_relax_contact.c
 *
 * Sliding friction grows with the pressure. Then a reaction is not parallel to the displacement that changes it, and the eigenvectors of
 * the symmetric part lie between the two. The singular vectors are those displacements.
 */
#include "base/target.h"

#include "statics/relax.h"

#include <string.h>

/* A stiffness below these shares of the largest counts as 0. With singular vectors, e contains forces of the rod. */
#define SOFT 1e-6
#define SOFT_TOTAL 1e-3

/* Does one Jacobi rotation: makes entry (p, q) of m 0 and applies the same rotation to the columns of v. */
static void rotate(double m[9], double v[9], size_t p, size_t q) {
  if (m[3 * p + q] == 0.0) return;
  const double half = 0.5 * (m[3 * q + q] - m[3 * p + p]) / m[3 * p + q], root = sqrt(1.0 + half * half);
  const double t = half < 0.0 ? 1.0 / (half - root) : 1.0 / (half + root), c = 1.0 / sqrt(1.0 + t * t), s = t * c;
  for (size_t i = 0; i < 3; i++) {
    const double x = m[3 * i + p], y = m[3 * i + q], vx = v[3 * i + p], vy = v[3 * i + q];
    m[3 * i + p] = c * x - s * y, m[3 * i + q] = s * x + c * y;
    v[3 * i + p] = c * vx - s * vy, v[3 * i + q] = s * vx + c * vy;
  }
  for (size_t i = 0; i < 3; i++) {
    const double x = m[3 * p + i], y = m[3 * q + i];
    m[3 * p + i] = c * x - s * y, m[3 * q + i] = s * x + c * y;
  }
}

void eli_reaction_find_directions(eli_reaction *model, const double e[9], int singular) {
  double m[9], v[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, along[3] = {0.0, 0.0, 0.0}, most = 0.0;
  for (size_t k = 0; k < 9; k++)
    m[k] =
        singular ? e[k / 3] * e[k % 3] + e[3 + k / 3] * e[3 + k % 3] + e[6 + k / 3] * e[6 + k % 3] : 0.5 * (e[k] + e[3 * (k % 3) + k / 3]);
  for (int sweep = 0; sweep < 12; sweep++) rotate(m, v, 0, 1), rotate(m, v, 0, 2), rotate(m, v, 1, 2);
  for (size_t p = 0; p < 3; p++) {
    for (size_t k = 0; k < 9; k++) along[p] += v[3 * (k / 3) + p] * e[k] * v[3 * (k % 3) + p];
    most = eli_larger(most, singular ? sqrt(eli_larger(m[4 * p], 0.0)) : m[4 * p]);
  }
  memset(model->stiffness, 0, sizeof model->stiffness);
  memset(model->projector, 0, sizeof model->projector);
  memset(model->compliance, 0, sizeof model->compliance);
  for (size_t p = 0; p < 3; p++) {
    if (!(along[p] > (singular ? SOFT_TOTAL : SOFT) * most)) continue;
    for (size_t k = 0; k < 9; k++) {
      const double outer = v[3 * (k / 3) + p] * v[3 * (k % 3) + p];
      model->stiffness[k] += along[p] * outer;
      model->projector[k] += outer;
      model->compliance[k] += outer / along[p];
    }
  }
}
