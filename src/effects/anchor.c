/* Anchor points on rods for effects between bodies (see anchor.h). */
#include "base/target.h"

#include "base/matrix.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "effects/anchor.h"
#include "state/module.h"

#include <stdio.h>
#include <string.h>

elastica_status eli_anchor_read(const eli_request *request, const char *name, const elastica_anchor *given, eli_anchor *anchor) {
  enum { NAME_SIZE = 80 };
  elastica_world *world = request->world;
  char offset[NAME_SIZE], element[NAME_SIZE];
  if (given->rod == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: %s.rod is NULL", request->function, name);
  elastica_status status = eli_rod_check_in(world, given->rod, request->function);
  if (status != ELASTICA_OK) return status;
  anchor->rod = elastica_rod_get_view(given->rod);
  snprintf(offset, sizeof offset, "%s.offset", name);
  snprintf(element, sizeof element, "%s.element", name);
  status = eli_check_index(world, request->function, element, given->element, anchor->rod->element_count, &anchor->element);
  if (status == ELASTICA_OK) status = eli_check_numbers(world, offset, ELI_RULE_NUMBER, given->offset, 3);
  if (status == ELASTICA_OK && !(given->share >= 0.0 && given->share <= 1.0))
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s.share is %g, not within 0..1", name, given->share);
  if (status == ELASTICA_OK && anchor->rod->rigid && given->share != 0.0)
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s.share is %g: a rigid body has one node, its centre", name,
                                   given->share);
  anchor->share = given->share;
  memcpy(anchor->offset, given->offset, sizeof anchor->offset);
  return status;
}

void eli_anchor_find(const eli_anchor *anchor, eli_anchored *out) {
  const double *const *omega = anchor->rod->omega;
  const int j = anchor->element;
  const double spin[3] = {omega[0][j], omega[1][j], omega[2][j]};
  eli_anchor_find_place(anchor, out);
  eli_anchor_find_between(anchor, anchor->rod->velocity, out->velocity);
  eli_turn_back(out->director, spin, out->spin);
}

void eli_anchored_velocity(const eli_anchored *at, const double point[3], double velocity[3]) {
  double lever[3], turning[3];
  for (int a = 0; a < 3; a++) lever[a] = point[a] - at->axis[a];
  eli_cross(at->spin, lever, turning);
  for (int a = 0; a < 3; a++) velocity[a] = at->velocity[a] + turning[a];
}

double eli_anchor_inertia(const eli_anchor *anchor) {
  const double *const *J = anchor->rod->inertia;
  const int j = anchor->element;
  const double least = J[0][j] < J[1][j] ? J[0][j] : J[1][j];
  return J[2][j] < least ? J[2][j] : least;
}

double eli_anchor_mobility_at(const eli_anchor *anchor, const eli_anchored *at, const double where[3]) {
  const double *mass = anchor->rod->mass, before = 1.0 - anchor->share, after = anchor->share;
  const int j = anchor->element;
  double lever[3];
  for (int a = 0; a < 3; a++) lever[a] = where[a] - at->axis[a];
  double sum = eli_dot(lever, lever) / eli_anchor_inertia(anchor);
  if (before > 0.0) sum += before * before / mass[j];
  if (after > 0.0) sum += after * after / mass[j + 1];
  return sum;
}

double eli_anchor_mobility(const eli_anchor *anchor, const eli_anchored *at) {
  return eli_anchor_mobility_at(anchor, at, at->point);
}

void eli_anchor_bound(const eli_anchor *anchor, const elastica_stiffness *to, double stiffness, double rate, double mobility) {
  const double *mass = anchor->rod->mass;
  const int j = anchor->element;
  if (anchor->share < 1.0) {
    to->node[j] += stiffness * mobility * mass[j];
    to->node_rate[j] += rate * mobility * mass[j];
  }
  if (anchor->share > 0.0) {
    to->node[j + 1] += stiffness * mobility * mass[j + 1];
    to->node_rate[j + 1] += rate * mobility * mass[j + 1];
  }
  if (eli_dot(anchor->offset, anchor->offset) > 0.0) {
    to->element[j] += stiffness * mobility * eli_anchor_inertia(anchor);
    to->element_rate[j] += rate * mobility * eli_anchor_inertia(anchor);
  }
}

/* ---- Tangents ---- */

/* The unknowns that move the point of an anchor: its two nodes, and its frame if it has an offset. */
enum { MOST_PARTS = 3 };

/* Finds these parts, and the displacement of the point by each, laboratory: share, or psi x p with psi = Q^T phi. Returns their number. */
static int find_parts(const eli_anchor *of, const eli_anchored *at, elastica_part part[MOST_PARTS], double by[MOST_PARTS][9]) {
  int count = 0;
  memset(by, 0, MOST_PARTS * sizeof by[0]);
  for (int end = 0; end < 2; end++) {
    const double share = end == 0 ? 1.0 - of->share : of->share;
    if (share == 0.0) continue;
    eli_add_diagonal(by[count], share);
    part[count++] = (elastica_part){of->rod, of->element + end, 0};
  }
  if (of->offset[0] == 0.0 && of->offset[1] == 0.0 && of->offset[2] == 0.0) return count;
  double arm[3], skew[9] = {0.0}, back[9];
  for (int a = 0; a < 3; a++) arm[a] = at->point[a] - at->axis[a];
  eli_add_skew(skew, -1.0, arm);
  eli_transpose(at->director, back);
  eli_matrix_product(skew, back, by[count]);
  part[count++] = (elastica_part){of->rod, of->element, 1};
  return count;
}

/* The load of a part is the transpose of its displacement times the force. */
void eli_anchor_add_spring(const eli_anchor *of, const eli_anchored *at, const eli_anchor *by, const eli_anchored *by_at,
                           const double spring[9], elastica_tangent *tangent) {
  elastica_part row[MOST_PARTS], column[MOST_PARTS];
  double of_row[MOST_PARTS][9], of_column[MOST_PARTS][9];
  const int rows = find_parts(of, at, row, of_row), columns = find_parts(by, by_at, column, of_column);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      double transposed[9], product[9], block[9];
      eli_transpose(of_row[i], transposed);
      eli_matrix_product(spring, of_column[j], product);
      eli_matrix_product(transposed, product, block);
      tangent->add(tangent->owner, row[i], column[j], block);
    }
}

/* d(Q (p x f)) = Q ((psi x p) x f + (p x f) x psi) = Q (f (p . psi) - psi (p . f)) */
void eli_anchor_add_arm(const eli_anchor *of, const eli_anchored *at, const double force[3], elastica_tangent *tangent) {
  const elastica_part part = {of->rod, of->element, 1};
  double own[3], block[9] = {0.0};
  if (of->offset[0] == 0.0 && of->offset[1] == 0.0 && of->offset[2] == 0.0) return;
  eli_turn(at->director, force, own);
  eli_add_outer(block, -1.0, own, of->offset);
  eli_add_diagonal(block, eli_dot(own, of->offset));
  tangent->add(tangent->owner, part, part, block);
}
