/* Walls and elastic obstacles for ParaView (see vtk_obstacles.h).
 *
 * test       tests/test_vtk_surface.c
 */
#include "base/target.h"

#include "output/vtk_obstacles.h"

#include <math.h>
#include <string.h>

#include "base/checks.h"
#include "base/elementary.h"
#include "base/module.h"
#include "base/vector.h"
#include "output/solids.h"
#include "output/vtk_piece.h"

/* Centre of the bounding box of all nodes, and its longest edge. Infinite solids are drawn four times as large. */
typedef struct extent {
  double middle[3], reach;
} extent;

static extent extent_of(elastica_world *world) {
  extent out = {{0.0, 0.0, 0.0}, 0.0};
  double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
  int count = 0;
  for (elastica_rod *rod = eli_next_rod(world, NULL); rod != NULL; rod = eli_next_rod(world, rod)) {
    const elastica_rod_view *view = elastica_rod_get_view(rod);
    for (int i = 0; i < view->node_count; i++, count++)
      for (int a = 0; a < 3; a++) {
        const double x = view->position[a][i];
        if (!eli_is_moderate(x)) continue;
        if (count == 0 || x < low[a]) low[a] = x;
        if (count == 0 || x > high[a]) high[a] = x;
      }
  }
  for (int a = 0; a < 3; a++) {
    out.middle[a] = 0.5 * (low[a] + high[a]);
    if (high[a] - low[a] > out.reach) out.reach = high[a] - low[a];
  }
  if (!(out.reach > 0.0)) out.reach = 1.0;
  return out;
}

/* Represents a solid as a rigid body. */
static elastica_body_info body_of(const eli_body *solid, const extent *scene) {
  const eli_obstacle *obstacle = &solid->obstacle;
  const double *normal = solid->place.director + 6, size = 4.0 * scene->reach, thickness = 0.01 * size;
  elastica_body_info out;
  double from[3];
  memset(&out, 0, sizeof out);
  memcpy(out.position, solid->place.position, sizeof out.position);
  memcpy(out.director, solid->place.director, sizeof out.director);
  memcpy(out.velocity, solid->place.velocity, sizeof out.velocity);
  memcpy(out.omega, solid->place.omega, sizeof out.omega);
  if (obstacle->shape == ELASTICA_OBSTACLE_SPHERE || obstacle->shape == ELASTICA_OBSTACLE_CYLINDER) out.radius = obstacle->radius;
  for (int a = 0; a < 3; a++) from[a] = scene->middle[a] - out.position[a];
  const double along = eli_dot(from, normal);
  switch (obstacle->shape) {
  case ELASTICA_OBSTACLE_SPHERE: out.shape = ELASTICA_SHAPE_SPHERE; break;
  case ELASTICA_OBSTACLE_CYLINDER:
    out.shape = ELASTICA_SHAPE_CYLINDER;
    out.length = 2.0 * obstacle->half_length;
    if (out.length < INFINITY) break;
    out.length = size;
    for (int a = 0; a < 3; a++) out.position[a] += along * normal[a];
    break;
  case ELASTICA_OBSTACLE_BOX:
    out.shape = ELASTICA_SHAPE_BOX;
    for (int a = 0; a < 3; a++) out.edges[a] = 2.0 * obstacle->half_edge[a];
    break;
  case ELASTICA_OBSTACLE_PLANE:
    out.shape = ELASTICA_SHAPE_BOX;
    out.edges[0] = out.edges[1] = size, out.edges[2] = thickness;
    for (int a = 0; a < 3; a++) out.position[a] = scene->middle[a] - (along + 0.5 * thickness) * normal[a];
    break;
  }
  return out;
}

/* Writes a body as a surface, by a rod view of one element with the lanes that a surface needs. */
static void write_surface(eli_text_file *text, const elastica_body_info *body) {
  const double zero[1] = {0.0}, one[1] = {1.0}, length[1] = {body->length > 0.0 ? body->length : 1.0};
  const double volume[1] = {ELI_PI * body->radius * body->radius * length[0]};
  elastica_rod_view view = {.rod_index = -1, .node_count = 1, .element_count = 1, .rigid = 1};
  view.volume = volume, view.length = length, view.dilatation = one;
  for (int a = 0; a < 3; a++) {
    view.position[a] = &body->position[a];
    view.velocity[a] = &body->velocity[a];
    view.omega[a] = &body->omega[a];
    view.strain[a] = view.force[a] = view.internal_couple[a] = zero;
    for (int b = 0; b < 3; b++) view.director[a][b] = &body->director[3 * a + b];
  }
  eli_vtk_write_surface(text, &view, body);
}

elastica_status eli_vtk_write_obstacles(eli_text_file *text, elastica_world *world) {
  const extent scene = extent_of(world);
  for (elastica_effect *effect = eli_next_effect(world, NULL); effect != NULL; effect = eli_next_effect(world, effect)) {
    eli_body solid;
    if (!eli_is_solid(effect)) continue;
    const elastica_status status = eli_find_solid(effect, "vtk_frame", &solid);
    if (status != ELASTICA_OK) return status;
    const elastica_body_info body = body_of(&solid, &scene);
    write_surface(text, &body);
  }
  return ELASTICA_OK;
}
