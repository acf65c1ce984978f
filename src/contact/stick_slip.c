/* Stick-slip friction of a contact, and the slip of its surfaces (see stick_slip.h). */
#include "base/target.h"

#include "base/elementary.h"
#include "base/vector.h"
#include "contact/stick_slip.h"

#include <math.h>
#include <string.h>

/* ---- Slip of two surfaces ---- */

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
double eli_slip_chord(double theta2) {
  const double t = theta2 < 1.0 ? theta2 : 1.0;
  return 1.0 + t * (1.0 / 12.0 + t * (1.0 / 120.0));
}

/* d = T x (arm - d/2), with the chord vector T of the turn. */
void eli_slip_of_arm(const double turned[3], const double arm[3], double out[3]) {
  const double longer = eli_slip_chord(eli_dot(turned, turned));
  double chord[3], once[3], twice[3];
  for (int a = 0; a < 3; a++) chord[a] = longer * turned[a];
  const double share = 1.0 / (1.0 + 0.25 * eli_dot(chord, chord));
  eli_cross(chord, arm, once);
  eli_cross(chord, once, twice);
  for (int a = 0; a < 3; a++) out[a] = share * (once[a] - 0.5 * twice[a]);
}

void eli_slip_of_solid(const eli_slip *at, const double position[3], const double velocity[3], const double spin[3], const double point[3],
                       double out[3]) {
  const double longer = eli_slip_chord(at->dt * at->dt * eli_dot(spin, spin));
  double arm[3], turning[3];
  for (int a = 0; a < 3; a++) arm[a] = point[a] - position[a];
  eli_cross(spin, arm, turning);
  for (int a = 0; a < 3; a++) out[a] = velocity[a] + longer * turning[a];
}

/* ---- Spring with a limit ---- */

/* Friction below this share of its limit carries no load; it slides if it lacks no more to the limit. */
#define NEARLY 1e-6

/* Limits a force to a magnitude with the square limit2. Returns 1 if it was larger. */
static inline int cut(double force[3], double limit2) {
  const double square = eli_dot(force, force);
  if (!(square > limit2)) return 0;
  const double share = sqrt(limit2 / square);
  for (int a = 0; a < 3; a++) force[a] *= share;
  return 1;
}

/* Applies the smallest rotation that takes one unit vector to the other. */
static inline void turn_with_normal(double f[3], const double from[3], const double to[3]) {
  double axis[3], once[3], twice[3];
  eli_cross(from, to, axis);
  eli_cross(axis, f, once);
  eli_cross(axis, once, twice);
  const double cosine = eli_dot(from, to), share = cosine > -0.5 ? 1.0 / (1.0 + cosine) : 2.0;
  for (int a = 0; a < 3; a++) f[a] += once[a] + share * twice[a];
}

/* A rotation by an angle about an axis. */
typedef struct turn {
  double sine, cosine;
} turn;

static inline void turn_about(const double axis[3], const turn *by, double f[3]) {
  double across[3];
  eli_cross(axis, f, across);
  for (int a = 0; a < 3; a++) f[a] = by->cosine * f[a] + by->sine * across[a];
}

static inline void turn_force(eli_stick_slip *history, const double normal[3], const turn *by) {
  double *f = history->force;
  const double before = eli_dot(f, f);
  if (before > 0.0) {
    turn_with_normal(f, history->normal, normal);
    turn_about(normal, by, f);
    const double along = eli_dot(f, normal);
    for (int a = 0; a < 3; a++) f[a] -= along * normal[a];
    cut(f, before);
  }
  memcpy(history->normal, normal, sizeof history->normal);
}

void eli_stick_slip_turn(eli_stick_slip *history, const double normal[3]) {
  const turn none = {0.0, 1.0};
  turn_force(history, normal, &none);
}

/* Removes the part of v along the mean of both normals, since the contact was there half a step before, and rotates the result with the
 * contact. */
static inline void carry(const double before[3], const double normal[3], const turn *half, double v[3]) {
  double mean[3];
  for (int a = 0; a < 3; a++) mean[a] = before[a] + normal[a];
  const double square = eli_dot(mean, mean), along = square > 0.0 ? eli_dot(v, mean) / square : 0.0;
  for (int a = 0; a < 3; a++) v[a] -= along * mean[a];
  const double out = eli_dot(v, normal);
  for (int a = 0; a < 3; a++) v[a] -= out * normal[a];
  turn_about(normal, half, v);
}

static inline void slip_by(eli_stick_slip *history, const double slip[3], double stiffness, double limit) {
  if (stiffness < history->stiffness)
    for (int a = 0; a < 3; a++) history->force[a] *= stiffness / history->stiffness;
  for (int a = 0; a < 3; a++) history->force[a] -= stiffness * slip[a];
  history->stiffness = stiffness;
  history->sticks = !cut(history->force, limit * limit);
}

void eli_stick_slip_add(eli_stick_slip *history, const double slip[3], double stiffness, double limit) {
  slip_by(history, slip, stiffness, limit);
}

eli_friction_state eli_stick_slip_state(const eli_stick_slip *history, double limit) {
  const double force = sqrt(eli_dot(history->force, history->force));
  if (!(history->stiffness > 0.0) || !(force > NEARLY * limit)) return ELI_FRICTION_IDLE;
  return history->sticks && force < (1.0 - NEARLY) * limit ? ELI_FRICTION_HOLDS : ELI_FRICTION_SLIDES;
}

void eli_stick_slip_unlimit(eli_stick_slip *history, double *stiffness, double *pressure) {
  *pressure = INFINITY;
  if (history->stiffness > 0.0 && !history->sticks)
    history->stiffness = *stiffness = 0.0;
  else if (!(history->stiffness > 0.0))
    history->stiffness = *stiffness;
}

void eli_stick_slip_return(eli_stick_slip *history, const eli_stick_slip_input *by) {
  const double before = history->stiffness, after = by->stiffness;
  eli_stick_slip_input mean = *by;
  double force[3];
  if (after > before) mean.stiffness = 0.5 * (before + after);
  eli_stick_slip_step(history, &mean, force);
  history->stiffness = after;
}

void eli_stick_slip_step(eli_stick_slip *history, const eli_stick_slip_input *by, double force[3]) {
  double v[3] = {by->velocity[0], by->velocity[1], by->velocity[2]}, slip[3];
  turn half, whole;
  eli_sincos(0.5 * by->dt * by->spin, &half.sine, &half.cosine);
  whole = (turn){2.0 * half.sine * half.cosine, 1.0 - 2.0 * half.sine * half.sine};
  carry(history->normal, by->normal, &half, v);
  for (int a = 0; a < 3; a++) slip[a] = by->dt * v[a];
  turn_force(history, by->normal, &whole);
  slip_by(history, slip, by->stiffness, by->limit);
  for (int a = 0; a < 3; a++) force[a] = history->force[a] - by->damping * v[a];
  cut(force, by->limit * by->limit);
}
