/* Rods of one material and any shape, and the claim that their frames are sound. */
#ifndef TESTS_SHAPED_H
#define TESTS_SHAPED_H

#include "support.h"

static const double pi = 3.14159265358979324;

enum { MOST = 1200 };

static inline elastica_rod_def material_def(int element_count) {
  DEFAULTS(rod, def);
  def.element_count = element_count;
  def.length = 2.0;
  def.radius = 0.02;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  return def;
}

static inline const elastica_rod_view *add(elastica_world *world, const elastica_rod_def *def) {
  elastica_rod *rod = NULL;
  must(world, elastica_world_add_rod(world, def, &rod));
  must(world, elastica_rod_refresh(rod));
  return elastica_rod_get_view(rod);
}

static inline void director_of(const elastica_rod_view *view, int row, int j, double d[3]) {
  for (int a = 0; a < 3; a++) d[a] = view->director[row][a][j];
}

/* Every frame must be orthonormal and right-handed, with d3 along the element. */
static inline void claim_frames(const elastica_rod_view *view) {
  for (int j = 0; j < view->element_count; j++) {
    double d1[3], d2[3], d3[3], normal[3], edge[3], length;
    const int next = (j + 1) % view->node_count;
    director_of(view, 0, j, d1);
    director_of(view, 1, j, d2);
    director_of(view, 2, j, d3);
    cross(d1, d2, normal);
    for (int a = 0; a < 3; a++) edge[a] = view->position[a][next] - view->position[a][j];
    length = norm(edge);
    for (int a = 0; a < 3; a++) edge[a] /= length;
    assert_close(norm(d1), 1.0, 4e-16);
    assert_close(norm(d2), 1.0, 4e-16);
    assert_close(dot(d1, d2), 0.0, 4e-16);
    assert_all_close(normal, d3, 3, 6e-16);
    assert_all_close(d3, edge, 3, 1e-12); /* the nodes of a straight rod have rounding errors */
  }
}

#endif
