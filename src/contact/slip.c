/* Slip of two surfaces in contact over a step (see slip.h). */
#include "base/target.h"

#include "contact/slip.h"

#include "base/vector.h"

/* Without a history the previous normal is taken equal to the present one. */
static void mean_lever(const eli_slip *at, const double lever[3], double out[3]) {
  const double along = at->before[0] != 0.0 || at->before[1] != 0.0 || at->before[2] != 0.0 ? eli_dot(lever, at->normal) : 0.0;
  for (int a = 0; a < 3; a++) out[a] = lever[a] + 0.5 * along * (at->before[a] - at->normal[a]);
}

void eli_slip_of_round(const eli_slip *at, const double axis[3], const double velocity[3], const double spin[3], const double lever[3],
                       const double *centre, double out[3], double point[3]) {
  double v[3] = {velocity[0], velocity[1], velocity[2]}, mean[3], turning[3];
  if (centre != NULL) { /* velocity includes spin x arm with the present arm; the mean arm differs by dt/2 times the velocity spin x arm */
    double arm[3], once[3], twice[3];
    for (int a = 0; a < 3; a++) arm[a] = axis[a] - centre[a];
    eli_cross(spin, arm, once);
    eli_cross(spin, once, twice);
    for (int a = 0; a < 3; a++) v[a] -= 0.5 * at->dt * twice[a];
  }
  mean_lever(at, lever, mean);
  eli_cross(spin, mean, turning);
  for (int a = 0; a < 3; a++) {
    out[a] = v[a] + turning[a];
    point[a] = axis[a] - 0.5 * at->dt * v[a] + mean[a];
  }
}

/* A point carried by a rotation moves along the chord, 2 tan(theta/2) times the mean of the arms to its ends. The error of the series is
 * below 1e-9 up to theta = 0.1. */
static double chord(double theta2) {
  const double t = theta2 < 1.0 ? theta2 : 1.0;
  return 1.0 + t * (1.0 / 12.0 + t * (1.0 / 120.0));
}

void eli_slip_of_solid(const eli_slip *at, const double position[3], const double velocity[3], const double spin[3], const double point[3],
                       double out[3]) {
  const double longer = chord(at->dt * at->dt * eli_dot(spin, spin));
  double arm[3], turning[3];
  for (int a = 0; a < 3; a++) arm[a] = point[a] - position[a];
  eli_cross(spin, arm, turning);
  for (int a = 0; a < 3; a++) out[a] = velocity[a] + longer * turning[a];
}
