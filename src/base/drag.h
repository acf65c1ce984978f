/* Loops over the elements of one rod for fluid drag (effects/drag.c), compiled for the instruction set of the world (kernels/drag.inl).
 *
 * equation   (4.13) f_j = -zeta_j l_j (1 - t t^T/2)(v_j - u_j)
 * test       tests/test_drag.c
 */
#ifndef ELI_DRAG_H
#define ELI_DRAG_H

#include "base/target.h"

#include <elastica.h>

/* count: number of elements. half: per element, first ln(L/r), then zeta l/2 [N s/m]. f: one component per element. */
typedef struct eli_drag_work {
  /* half = ln(L/r) = rest + ln(L/Lhat) + ln(e)/2 with longer = ln(L/Lhat); the radius follows from the constant volume of an element.
   * Returns 0 if a dilatation e is outside the range of the logarithm series; half must not be used then. */
  int (*find_slenderness)(double *half, const double *rest, const double *dilatation, double longer, int count);

  /* half = top length/half. Returns 0 if a result is negative or NaN. */
  int (*find_half)(double *half, const double *length, double top, int count);

  /* Velocity of each element relative to the fluid, from the velocities of the nodes. f holds the fluid velocity on entry, unless still is
   * 1. */
  void (*find_slip)(double *f, const double *v, int still, int count);

  /* Replaces the relative velocity in fx, fy, fz by half the drag force f_j. t: tangents. */
  void (*resist)(double *fx, double *fy, double *fz, const double *half, const double *tx, const double *ty, const double *tz, int count);

  /* Adds the values of its two elements to each node. gather_with_rate also adds the rates of the two elements (half) times the velocity v
   * of the node. */
  void (*gather)(double *node, const double *element, int count);
  void (*gather_with_rate)(double *node, const double *element, const double *half, const double *v, int count);
} eli_drag_work;

#endif
