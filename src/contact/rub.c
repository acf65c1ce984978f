/* Friction in a contact that sticks or slides (see rub.h). */
#include "base/target.h"

#include "contact/rub.h"

#include "base/elementary.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

/* Cuts a force at its limit, whose square this is; returns 1 where it was larger. */
static int cut(double force[3], double limit2) {
  const double square = eli_dot(force, force);
  if (!(square > limit2)) return 0;
  const double share = sqrt(limit2 / square);
  for (int a = 0; a < 3; a++) force[a] *= share;
  return 1;
}

/* The smallest rotation that takes one unit vector to another. */
static void turn_with_normal(double f[3], const double from[3], const double to[3]) {
  double axis[3], once[3], twice[3];
  eli_cross(from, to, axis);
  eli_cross(axis, f, once);
  eli_cross(axis, once, twice);
  const double cosine = eli_dot(from, to), share = cosine > -0.5 ? 1.0 / (1.0 + cosine) : 2.0;
  for (int a = 0; a < 3; a++) f[a] += once[a] + share * twice[a];
}

void eli_rub_turn(eli_rub *rub, const double normal[3], double angle) {
  double *f = rub->force;
  const double before = eli_dot(f, f);
  if (before > 0.0) {
    turn_with_normal(f, rub->normal, normal);
    double sine, cosine, across[3];
    eli_sincos(angle, &sine, &cosine);
    eli_cross(normal, f, across);
    for (int a = 0; a < 3; a++) f[a] = cosine * f[a] + sine * across[a];
    const double along = eli_dot(f, normal);
    for (int a = 0; a < 3; a++) f[a] -= along * normal[a];
    cut(f, before);
  }
  memcpy(rub->normal, normal, sizeof rub->normal);
}

void eli_rub_slip(eli_rub *rub, const double slip[3], double stiffness, double limit) {
  if (stiffness < rub->stiffness)
    for (int a = 0; a < 3; a++) rub->force[a] *= stiffness / rub->stiffness;
  for (int a = 0; a < 3; a++) rub->force[a] -= stiffness * slip[a];
  rub->stiffness = stiffness;
  rub->sticks = !cut(rub->force, limit * limit);
}

void eli_rub_force(const eli_rub *rub, const double velocity[3], double damping, double limit, double force[3]) {
  for (int a = 0; a < 3; a++) force[a] = rub->force[a] - damping * velocity[a];
  cut(force, limit * limit);
}
