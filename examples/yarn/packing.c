/* Scattered discs move a little towards their centroid in every round, and overlapping discs are moved apart by half of the overlap
 * each. The motion decreases from round to round, so that the result is a stable heap, as if by gravity towards a point. A common factor
 * on all distances removes the remaining overlap. */
#include "packing.h"
#include <math.h>

enum { ROUNDS = 4000 };

/* A number in 0..1, the same on all machines. */
static double next(unsigned long long *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) * 0x1p-53;
}

/* Scatters discs in a square of ten times their area. */
static void scatter(const packing *discs, double *centre) {
  const double edge = sqrt(10 * acos(-1) * discs->count) * discs->radius;
  unsigned long long state = discs->seed;
  for (int k = 0; k < 8; k++) next(&state); /* otherwise close seeds would begin alike */
  for (int k = 0; k < 2 * discs->count; k++) centre[k] = edge * (next(&state) - 0.5);
}

static void draw_together(const packing *discs, double share, double *centre) {
  for (int k = 0; k < 2 * discs->count; k++) centre[k] *= 1 - share;
}

static void push_apart(const packing *discs, double *centre) {
  const double wanted = 2 * discs->radius;
  for (int i = 0; i < discs->count; i++) {
    for (int j = 0; j < i; j++) {
      double *a = centre + 2 * i, *b = centre + 2 * j;
      const double x = a[0] - b[0], y = a[1] - b[1], apart = sqrt(x * x + y * y);
      if (apart >= wanted || apart == 0) continue;
      const double half = 0.5 * (wanted / apart - 1);
      a[0] += half * x, a[1] += half * y;
      b[0] -= half * x, b[1] -= half * y;
    }
  }
}

static double nearest(const packing *discs, const double *centre) {
  double least = INFINITY;
  for (int i = 0; i < discs->count; i++)
    for (int j = 0; j < i; j++) {
      const double x = centre[2 * i] - centre[2 * j], y = centre[2 * i + 1] - centre[2 * j + 1];
      least = fmin(least, sqrt(x * x + y * y));
    }
  return least;
}

static void centre_at_origin(const packing *discs, double *centre) {
  double mean[2] = {0, 0};
  for (int k = 0; k < 2 * discs->count; k++) mean[k % 2] += centre[k] / discs->count;
  for (int k = 0; k < 2 * discs->count; k++) centre[k] -= mean[k % 2];
}

void packing_lay(const packing *discs, double *centre) {
  scatter(discs, centre);
  for (int round = 0; round < ROUNDS; round++) {
    draw_together(discs, 0.02 * (ROUNDS - round) / ROUNDS, centre);
    push_apart(discs, centre);
    centre_at_origin(discs, centre);
  }
  if (discs->count < 2) return;
  const double wider = (2 * discs->radius + discs->gap) / nearest(discs, centre);
  for (int k = 0; k < 2 * discs->count; k++) centre[k] *= wider;
}

double packing_density(const packing *discs, const double *centre) {
  double square = discs->radius * discs->radius / 2; /* of each disc about its own centre */
  for (int k = 0; k < 2 * discs->count; k++) square += centre[k] * centre[k] / discs->count;
  return discs->count * discs->radius * discs->radius / (2 * square);
}
