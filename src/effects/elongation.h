/* Tensions of elements that depend on the rate at which they lengthen, for add_tangent.
 *
 * models     T = c dl/dt along an edge d, with l = |d|, t = d/l and dl/dt = t . (v_2 - v_1)
 * equation   in a stage of an implicit step, with dv = rate dx:  dT = c (rate t + (1 - t t^T)(v_2 - v_1)/l) . dd
 * test       tests/test_implicit_damping.c
 */
#ifndef ELI_ELONGATION_H
#define ELI_ELONGATION_H

#include "base/target.h"

#include <elastica.h>
#include <math.h>

#include "base/matrix.h"
#include "base/vector.h"
#include "contact/capsule.h"

/* Finds the edge of an element, laboratory; returns its length [m]. */
static inline double eli_edge_now(const elastica_rod_view *rod, int j, double edge[3]) {
  for (int a = 0; a < 3; a++) edge[a] = rod->position[a][j + 1] - rod->position[a][j];
  return sqrt(eli_dot(edge, edge));
}

/* Returns dl/dt [m/s] by the present edge. */
static inline double eli_lengthening_now(const elastica_rod_view *rod, int j) {
  double edge[3], sum = 0.0;
  const double l = eli_edge_now(rod, j, edge);
  for (int a = 0; a < 3; a++) sum += edge[a] * (rod->velocity[a][j + 1] - rod->velocity[a][j]);
  return sum / l;
}

/* Adds a block m of the edge: to both of its nodes, with either sign. */
static inline void eli_add_of_edge(const elastica_rod_view *rod, int j, const double m[9], elastica_tangent *tangent) {
  const int node[2] = {j, eli_second_node(rod, j)};
  double minus[9];
  for (int k = 0; k < 9; k++) minus[k] = -m[k];
  for (int side = 0; side < 4; side++)
    tangent->add(tangent->owner, (elastica_part){rod, node[side / 2], 0}, (elastica_part){rod, node[side % 2], 0},
                 side == 0 || side == 3 ? m : minus);
}

/* Adds the change of T with c [kg/s], but not that of its direction. */
static inline void eli_add_elongation_rate(const elastica_rod_view *rod, int j, double c, double rate, elastica_tangent *tangent) {
  double edge[3], by[3], block[9] = {0.0};
  const double l = eli_edge_now(rod, j, edge), along = eli_lengthening_now(rod, j);
  for (int a = 0; a < 3; a++) {
    edge[a] /= l;
    by[a] = rate * edge[a] + (rod->velocity[a][j + 1] - rod->velocity[a][j] - along * edge[a]) / l;
  }
  eli_add_outer(block, c, edge, by);
  eli_add_of_edge(rod, j, block, tangent);
}

#endif
