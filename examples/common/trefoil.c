/* The centre line is a curve of one parameter u, the length along the tails and the circle, 0 at the top of the loop; nodes are laid
 * along it in chords of equal length. A half turn about the vertical through the middle of the loop maps its two halves onto each other.
 *
 * Near the lowest point of the circle, both the circle and the adjoining tail lie along x. Each strand keeps half a gap from this common
 * line, at an angle that turns by three half-turns along the braid: the strand from a tail begins below the other strand, and is above
 * it at the beginning of the loop. */
#include "common/trefoil.h"
#include "common/example.h"
#include <math.h>

/* The half that leaves the top of the loop on the side of x > 0, descends along the circle, and passes through the braid to the tail at
 * x < 0. */
static void curve(const trefoil *knot, double u, double point[3]) {
  const double pi = acos(-1), round = pi * knot->loop - u; /* along the circle, > 0 before its lowest point */
  const double x = round > 0 ? knot->loop * sin(round / knot->loop) : round;
  const double y = round > 0 ? knot->loop * (1 - cos(round / knot->loop)) : 0;
  const double along = fmin(fmax(round / knot->braid + 0.5, 0), 1); /* of the braid: 1 at the beginning of the loop */
  const double beyond = fmax(fabs(round) - knot->braid / 2, 0) / knot->braid, off = knot->gap / 2 * exp(-beyond * beyond);
  const double angle = pi * (3 * along - 0.5), lean = round > 0 ? round / knot->loop : 0; /* of the circle's normal */
  point[X] = x - off * sin(angle) * sin(lean);
  point[Y] = y + off * sin(angle) * cos(lean);
  point[Z] = off * cos(angle);
}

/* The next u with a chord of the length of an element from a point. */
static double step_along(const trefoil *knot, double u, const double from[3], double to[3]) {
  double low = u, high = u + 4 * knot->element;
  for (int k = 0; k < 60; k++) {
    const double middle = (low + high) / 2;
    curve(knot, middle, to);
    const double chord = hypot(hypot(to[X] - from[X], to[Y] - from[Y]), to[Z] - from[Z]);
    if (chord < knot->element)
      low = middle;
    else
      high = middle;
  }
  return low;
}

void trefoil_lay(const trefoil *knot, double *position) {
  const int middle = knot->n / 2;
  double *top = position + 3 * middle;
  curve(knot, 0, top);
  double at[3] = {0, top[Y], top[Z]}, next[3], u = 0;
  top[X] = 0;
  for (int i = 1; i <= middle; i++) {
    u = step_along(knot, u, at, next);
    for (int a = 0; a < 3; a++) at[a] = next[a];
    double *first = position + 3 * (middle - i), *second = position + 3 * (middle + i);
    first[X] = at[X], first[Y] = at[Y], first[Z] = at[Z];
    second[X] = -at[X], second[Y] = at[Y], second[Z] = -at[Z];
  }
}
