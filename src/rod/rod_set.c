/* Setters of the state and of the rest strains of a rod.
 *
 * test       tests/test_rod_set.c
 */
#include "base/target.h"

#include "rod/rod_data.h"

#include "base/checks.h"

#include <math.h>

static elastica_status check_lengths(const elastica_rod *rod, const double *position) {
  const elastica_rod_view *view = &rod->body->view;
  for (int j = 0; position != NULL && j < view->element_count && !view->rigid; j++) {
    const double *here = position + 3 * j, *next = position + (j + 1 < view->node_count ? 3 * (j + 1) : 0);
    const double x = next[0] - here[0], y = next[1] - here[1], z = next[2] - here[2];
    const double length = sqrt(x * x + y * y + z * z);
    if (!eli_is_finite(length)) {
      return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "set_state: position: element %d is too long", j);
    }
    if (length < ELI_SHORTEST_ELEMENT * view->rest_length[j]) {
      return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT,
                                   "set_state: position: element %d is shorter than %g of its rest length", j, ELI_SHORTEST_ELEMENT);
    }
  }
  return ELASTICA_OK;
}

static elastica_status check_directors(const elastica_rod *rod, const double *director) {
  const elastica_rod_view *view = &rod->body->view;
  if (director == NULL) return ELASTICA_OK;
  elastica_status status = eli_rod_check_frames(rod->world, "set_state: director", director, (size_t)view->element_count);
  for (int k = 0; k < view->joint_count && status == ELASTICA_OK; k++) {
    double turn[3];
    const double angle = eli_rod_joint_turn(director + 9 * eli_element_before(view, k), director + 9 * eli_element_after(view, k), turn);
    status = eli_rod_check_turn(rod->world, "set_state: director", k, angle, view->element_count);
  }
  return status;
}

/* Writes `count` slots of `width` lanes of a rod, beginning with lane `first` and slot `slot` of the rod. values has width numbers for each
 * slot; NULL changes nothing. */
static void write_lanes(elastica_rod *rod, int first, int width, size_t slot, const double *values, int count) {
  if (values == NULL) return;
  for (int a = 0; a < width; a++) {
    double *lane = rod->world->slab.lane[first + a] + rod->offset + slot;
    for (int i = 0; i < count; i++) lane[i] = values[width * i + a];
  }
  if (rod->closed) eli_rod_close_lanes(rod, first, width);
}

static void forget_step(elastica_effect *first, const elastica_rod *rod) {
  for (elastica_effect *effect = first; effect != NULL; effect = effect->body->next_alike) {
    const eli_built_in *kind = effect->body->kind;
    if (kind != NULL && kind->forget_step != NULL) kind->forget_step(effect->self, &rod->body->view);
  }
}

elastica_status elastica_rod_set_state(elastica_rod *rod, const double *position, const double *velocity, const double *director,
                                       const double *omega) {
  elastica_status status = eli_rod_check(rod, "set_state");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = rod->world;
  const int nodes = rod->body->view.node_count, elements = rod->body->view.element_count;
  const char *prefix = "set_state: ";
  status = eli_world_check_change(world, "set_state");
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, prefix, "position", position, 3 * (size_t)nodes, ELI_FINITE);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, prefix, "velocity", velocity, 3 * (size_t)nodes, ELI_MODERATE);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, prefix, "director", director, 9 * (size_t)elements, ELI_FINITE);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, prefix, "omega", omega, 3 * (size_t)elements, ELI_MODERATE);
  if (status == ELASTICA_OK) status = check_lengths(rod, position);
  if (status == ELASTICA_OK) status = check_directors(rod, director);
  if (status != ELASTICA_OK) return status;
  write_lanes(rod, ELI_POSITION, 3, 0, position, nodes);
  write_lanes(rod, ELI_VELOCITY, 3, 0, velocity, nodes);
  write_lanes(rod, ELI_DIRECTOR, 9, 0, director, elements);
  write_lanes(rod, ELI_OMEGA, 3, 0, omega, elements);
  forget_step(rod->body->effects.first, rod);
  forget_step(world->common.first, rod);
  eli_rod_outdate(rod, ELI_STALE_MASSES | ELI_STALE_STATE | ELI_STALE_LIMIT);
  eli_tile_update_geometry(world, rod->tile);
  eli_rod_heal(rod, (position != NULL ? 1u : 0u) | (velocity != NULL ? 2u : 0u) | (director != NULL ? 4u : 0u) | (omega != NULL ? 8u : 0u));
  return ELASTICA_OK;
}

elastica_status elastica_rod_set_rest(elastica_rod *rod, const double *rest_curvature, const double *rest_strain) {
  elastica_status status = eli_rod_check(rod, "set_rest");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = rod->world;
  const elastica_rod_view *view = &rod->body->view;
  const size_t joints = (size_t)view->joint_count, elements = (size_t)view->element_count;
  status = eli_world_check_open(world, "set_rest", 1);
  if (status == ELASTICA_OK && view->rigid)
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "set_rest: rod %d is a rigid body", rod->index);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, "set_rest: ", "rest_curvature", rest_curvature, 3 * joints, ELI_FINITE);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, "set_rest: ", "rest_strain", rest_strain, 3 * elements, ELI_MODERATE);
  for (int k = 0; rest_curvature != NULL && k < view->joint_count && status == ELASTICA_OK; k++) {
    const double *kappa = rest_curvature + 3 * k;
    const double angle = sqrt(kappa[0] * kappa[0] + kappa[1] * kappa[1] + kappa[2] * kappa[2]) * view->rest_joint_length[k];
    status = eli_rod_check_turn(world, "set_rest: rest_curvature", k, angle, view->element_count);
  }
  if (status != ELASTICA_OK) return status;
  write_lanes(rod, ELI_REST_CURVATURE, 3, rod->closed ? 0 : 1, rest_curvature, view->joint_count);
  write_lanes(rod, ELI_REST_STRAIN, 3, 0, rest_strain, view->element_count);
  eli_rod_outdate(rod, ELI_STALE_REST | ELI_STALE_MASSES | ELI_STALE_STATE | ELI_STALE_LIMIT);
  return ELASTICA_OK;
}
