/* Energies and momenta of one rod, and transformations between laboratory and material components.
 *
 * equation   translation sum m v^2/2, rotation sum omega . J omega/(2 e), bending and shear by rod/law.h; classical law: e = 1
 *            angular momentum sum r x m v + sum Q^T J omega/e
 * source     Gazzola et al. 2018, section 3.3, for the energies
 * test       tests/test_rod_query.c
 */
#include "base/target.h"

#include "rod/rod_data.h"

#include "rod/law.h"

#include <math.h>
#include <string.h>

const elastica_rod_view *elastica_rod_get_view(const elastica_rod *rod) {
  return eli_rod_check(rod, "rod_get_view") == ELASTICA_OK ? &rod->body->view : NULL;
}

void elastica_rotate_to_material(const elastica_rod_view *rod, int j, const double laboratory[3], double material[3]) {
  const double x = laboratory[0], y = laboratory[1], z = laboratory[2];
  for (int a = 0; a < 3; a++) material[a] = rod->director[a][0][j] * x + rod->director[a][1][j] * y + rod->director[a][2][j] * z;
}

void elastica_rotate_to_laboratory(const elastica_rod_view *rod, int j, const double material[3], double laboratory[3]) {
  const double x = material[0], y = material[1], z = material[2];
  for (int a = 0; a < 3; a++) laboratory[a] = rod->director[0][a][j] * x + rod->director[1][a][j] * y + rod->director[2][a][j] * z;
}

double elastica_rod_radius(const elastica_rod_view *rod, int j) {
  return eli_radius(rod->volume[j], rod->length[j]);
}

/* A sum of partial sums of 256 terms each, added in order. It has smaller rounding errors than one long sum, and its bits depend only on
 * the terms. */
enum { TERMS_PER_PART = 256 };

typedef struct sum {
  double whole, part;
  int terms;
} sum;

static void add(sum *to, double term) {
  to->part += term;
  if (++to->terms < TERMS_PER_PART) return;
  to->whole += to->part;
  to->part = 0.0;
  to->terms = 0;
}

static double value_of(const sum *of) {
  return of->whole + of->part;
}

static double square(const double *const lane[3], int i) {
  return lane[0][i] * lane[0][i] + lane[1][i] * lane[1][i] + lane[2][i] * lane[2][i];
}

/* ---- Energy ---- */

static double translation_energy(const elastica_rod_view *view) {
  sum twice = {0.0, 0.0, 0};
  for (int i = 0; i < view->node_count; i++) add(&twice, view->mass[i] * square(view->velocity, i));
  return 0.5 * value_of(&twice);
}

static double rotation_energy(const elastica_rod_view *view) {
  sum twice = {0.0, 0.0, 0};
  for (int j = 0; j < view->element_count; j++) {
    double form = 0.0;
    for (int a = 0; a < 3; a++) form += view->inertia[a][j] * (view->omega[a][j] * view->omega[a][j]);
    add(&twice, view->classical_law ? form : form / view->dilatation[j]);
  }
  return 0.5 * value_of(&twice);
}

static double bending_energy(const elastica_rod_view *view) {
  sum twice = {0.0, 0.0, 0};
  for (int k = 0; k < view->joint_count; k++) {
    const eli_elastic_constants law = eli_joint_constants(view, k);
    const double kappa[3] = {view->curvature[0][k], view->curvature[1][k], view->curvature[2][k]};
    add(&twice, eli_twice_joint_energy(&law, kappa));
  }
  return 0.5 * value_of(&twice);
}

static double shear_energy(const elastica_rod_view *view) {
  sum twice = {0.0, 0.0, 0};
  for (int j = 0; j < view->element_count; j++) {
    const eli_elastic_constants law = eli_element_constants(view, j);
    const double sigma[3] = {view->strain[0][j], view->strain[1][j], view->strain[2][j]};
    add(&twice, eli_twice_element_energy(&law, sigma));
  }
  return 0.5 * value_of(&twice);
}

/* ---- Momentum ---- */

typedef struct momentum_sums {
  sum mass, moment[3], linear[3], angular[3]; /* moment: sum m r */
} momentum_sums;

static void add_momentum(const elastica_rod_view *view, momentum_sums *sums) {
  for (int i = 0; i < view->node_count; i++) {
    const double m = view->mass[i], r[3] = {view->position[0][i], view->position[1][i], view->position[2][i]};
    const double p[3] = {m * view->velocity[0][i], m * view->velocity[1][i], m * view->velocity[2][i]};
    add(&sums->mass, m);
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      add(&sums->moment[a], m * r[a]);
      add(&sums->linear[a], p[a]);
      add(&sums->angular[a], r[b] * p[c] - r[c] * p[b]);
    }
  }
}

static void add_spin(const elastica_rod_view *view, momentum_sums *sums) {
  for (int j = 0; j < view->element_count; j++) {
    const double e = view->classical_law ? 1.0 : view->dilatation[j];
    double spin[3], turned[3];
    for (int a = 0; a < 3; a++) spin[a] = view->inertia[a][j] * view->omega[a][j] / e;
    elastica_rotate_to_laboratory(view, j, spin, turned);
    for (int a = 0; a < 3; a++) add(&sums->angular[a], turned[a]);
  }
}

elastica_totals eli_rod_totals(const elastica_rod_view *view) {
  elastica_totals totals = {translation_energy(view), rotation_energy(view), bending_energy(view), shear_energy(view), .effects = 0.0};
  momentum_sums sums;
  memset(&sums, 0, sizeof sums);
  add_momentum(view, &sums);
  add_spin(view, &sums);
  totals.mass = value_of(&sums.mass);
  for (int a = 0; a < 3; a++) {
    totals.centre[a] = value_of(&sums.moment[a]) / totals.mass;
    totals.linear[a] = value_of(&sums.linear[a]);
    totals.angular[a] = value_of(&sums.angular[a]);
  }
  return totals;
}
