/* Vectors in lanes, and the averaging operator A^h (appendix D) from elements to nodes, for the loops of friction.c.
 *
 * Only friction.c includes this file. Everything is inlined into each instruction set and has no external name, hence no prefix.
 */
#ifndef ELI_LANES_H
#define ELI_LANES_H

#include "base/target.h"

#include <elastica.h>

#include "contact/wall_contact.h"

#define ELI_INLINE static inline __attribute__((always_inline))

/* The iterations are independent. Without this hint gcc gives up on the loop, which would need more run-time checks for overlap than its
 * limit. */
#if defined(__GNUC__) && !defined(__clang__)
#define ELI_INDEPENDENT _Pragma("GCC ivdep")
#else
#define ELI_INDEPENDENT
#endif

#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

typedef struct vector {
  double x, y, z;
} vector;

ELI_INLINE vector at(double *const lane[3], int i) {
  return (vector){lane[0][i], lane[1][i], lane[2][i]};
}

ELI_INLINE void put(double *const lane[3], int i, double x, double y, double z) {
  lane[0][i] = x;
  lane[1][i] = y;
  lane[2][i] = z;
}

ELI_INLINE double dot(vector a, vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

ELI_INLINE vector cross(vector a, vector b) {
  return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Material components on the frame of element j. */
ELI_INLINE vector to_material(const elastica_rod_view *rod, int j, vector a) {
  const double *const(*Q)[3] = rod->director;
  return (vector){Q[0][0][j] * a.x + Q[0][1][j] * a.y + Q[0][2][j] * a.z, Q[1][0][j] * a.x + Q[1][1][j] * a.y + Q[1][2][j] * a.z,
                  Q[2][0][j] * a.x + Q[2][1][j] * a.y + Q[2][2][j] * a.z};
}

ELI_INLINE vector sum_of(vector a, vector b) {
  return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

ELI_INLINE vector half_sum(vector a, vector b) {
  return (vector){0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
}

ELI_INLINE void add_lane(int count, const double *restrict from, double *restrict to) {
  for (int i = 0; i < count; i++) to[i] += from[i];
}

/* ---- From elements to nodes ---- */

/* force = A^h push, one component; adds 1: added to what force holds. */
ELI_INLINE void average(int n, int closed, int adds, const double *restrict push, double *restrict force) {
  for (int i = 1; i < n; i++) force[i] = (adds ? force[i] : 0.0) + 0.5 * (push[i - 1] + push[i]);
  if (closed) {
    force[0] = force[n] = (adds ? force[0] : 0.0) + 0.5 * (push[n - 1] + push[0]);
  } else {
    force[0] = (adds ? force[0] : 0.0) + 0.5 * push[0];
    force[n] = (adds ? force[n] : 0.0) + 0.5 * push[n - 1];
  }
}

/* Half of each push on either node of its element: (4.8). */
ELI_INLINE void average_all(const eli_wall_contact *c, int adds) {
  for (int a = 0; a < 3; a++) average(c->count, c->closed, adds, c->push[a], c->force[a]);
}

/* Adds part_before and part_after of each push to the nodes of its element. */
ELI_INLINE void add_parts(const eli_wall_contact *c) {
  const double *restrict before = c->part_before, *restrict after = c->part_after;
  const int n = c->count;
  for (int a = 0; a < 3; a++) {
    const double *restrict push = c->push[a];
    double *restrict force = c->force[a];
    for (int i = 1; i < n; i++) force[i] += after[i - 1] * push[i - 1] + before[i] * push[i];
    force[0] += before[0] * push[0];
    if (c->closed) force[0] += after[n - 1] * push[n - 1];
    force[n] = c->closed ? force[0] : force[n] + after[n - 1] * push[n - 1];
  }
}

/* Adds the reactions R of a wall by nodes to the nodes on which they act. Overwrites push. */
ELI_INLINE void add_reactions(const eli_wall_contact *c) {
  for (int a = 0; a < 3; a++)
    for (int j = 0; j < c->count; j++) c->push[a][j] = c->pressure[j] * c->normal[a][j];
  add_parts(c);
}

#endif
