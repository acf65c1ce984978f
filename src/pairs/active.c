/* Power of active loads inside a rod: couples between two neighbouring elements, and forces in one element. */
#include "base/target.h"

#include "base/prescribed.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "pairs/pairs.h"

/* Power of an active couple on its two frames: +tau and -tau, each with half of theta x tau (and the exact couple's c theta x (theta x
 * tau)). */
double eli_active_couple_power(const elastica_rod_view *rod, int k, int axis, double size) {
  const int after = rod->closed ? k : k + 1, before = after > 0 ? after - 1 : rod->element_count - 1;
  double frame_before[9], frame_after[9], r[9], theta[3];
  double tau[3] = {0.0, 0.0, 0.0}, turned[3], far[3] = {0.0, 0.0, 0.0}, power = 0.0;
  tau[axis] = size;
  eli_frame_now(rod, before, frame_before);
  eli_frame_now(rod, after, frame_after);
  eli_relative_rotation(frame_after, frame_before, r);
  eli_rotation_log(r, theta);
  eli_cross(theta, tau, turned);
  if (rod->exact_couple) {
    const double c = eli_couple_ratio_any(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]);
    eli_cross(theta, turned, far);
    for (int a = 0; a < 3; a++) far[a] *= c;
  }
  for (int a = 0; a < 3; a++) {
    const double difference = tau[a] + far[a], mean = 0.5 * turned[a];
    power += (mean + difference) * rod->omega[a][before] + (mean - difference) * rod->omega[a][after];
  }
  return power;
}

/* Power of an active force on the two nodes of its element, and of its couple on the frame. */
double eli_active_force_power(const elastica_rod_view *rod, int j, int axis, double size) {
  double n[3] = {0.0, 0.0, 0.0}, pull[3], edge[3], lever[3], turn[3], power = 0.0;
  n[axis] = size;
  elastica_rotate_to_laboratory(rod, j, n, pull);
  for (int a = 0; a < 3; a++) edge[a] = rod->length[j] * rod->tangent[a][j];
  elastica_rotate_to_material(rod, j, edge, lever);
  eli_cross(lever, n, turn);
  for (int a = 0; a < 3; a++) power += turn[a] * rod->omega[a][j] - pull[a] * (rod->velocity[a][j + 1] - rod->velocity[a][j]);
  return power;
}
