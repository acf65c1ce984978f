/* Clearance of a rod among obstacles (see clearance.h). */
#include "base/target.h"

#include "contact/clearance.h"

#include "base/vector.h"

#include <math.h>
#include <stdio.h>

#define ROUNDING 1e-9 /* of the width of a rod that fits exactly */

static double distance_of(const eli_body *body, const elastica_rod_view *rod, int j, double normal[3]) {
  double centre[3];
  const int next = rod->rigid ? j : j + 1; /* a rigid body has one node */
  for (int a = 0; a < 3; a++) centre[a] = 0.5 * (rod->position[a][j] + rod->position[a][next]);
  return eli_obstacle_distance(&body->obstacle, body->place.position, body->place.director, centre, normal);
}

int eli_clearance_inside(const eli_body *body, const elastica_rod_view *rod, double *depth) {
  double normal[3];
  for (int j = 0; j < rod->element_count; j++) {
    *depth = -distance_of(body, rod, j, normal);
    if (*depth > 0.0) return j;
  }
  return -1;
}

/* At an angle with the cosine -n1 . n2 between them the way out of a wedge gains 2 sqrt((1 + n1 . n2)/2) of its length. */
int eli_clearance_is_short(const double n1[3], const double n2[3], double distances, double size) {
  const double square = 0.5 * (1.0 + eli_dot(n1, n2)), gain = square > 0.0 ? 2.0 * sqrt(square) : 0.0;
  return distances + gain * size < 2.0 * size * (1.0 - ROUNDING);
}

int eli_clearance_between(const eli_body *one, const eli_body *other, const elastica_rod_view *rod, double *gap) {
  double n1[3], n2[3];
  for (int j = 0; j < rod->element_count; j++) {
    const double least = 2.0 * elastica_rod_radius(rod, j) * (1.0 - ROUNDING); /* a rod that fits exactly may differ by rounding */
    *gap = distance_of(one, rod, j, n1);
    if (*gap >= least) continue; /* far away */
    *gap += distance_of(other, rod, j, n2);
    if (*gap < least && eli_dot(n1, n2) < -0.99) return j;
  }
  return -1;
}

void eli_squeeze_explain(const eli_squeeze *of, const elastica_rod_view *rod, elastica_obstacle wall, char *text, size_t size) {
  static const char *const names[] = {"plane", "sphere", "cylinder", "box"};
  char body[80];
  if (rod->rigid)
    snprintf(body, sizeof body, "rod %d, a rigid body,", rod->rod_index);
  else
    snprintf(body, sizeof body, "rod %d, element %d", rod->rod_index, of->element);
  if (of->effect >= 0)
    snprintf(text, size, "%s has %.6g m between this wall and that of effect %d, and needs %.6g m", body, of->space, of->effect, of->width);
  else
    snprintf(text, size, "%s would pass through the %s", body, names[wall]);
}
