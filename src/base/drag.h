/* Loops over the elements of one rod that drag needs (modules/drag.c): by the instruction set of a world (kernels/drag.inl).
 *
 * test       tests/test_drag.c
 */
#ifndef ELI_DRAG_H
#define ELI_DRAG_H

#include "base/target.h"

#include <elastica.h>

/* count: of elements. half: of each ln(L/r), then zeta l/2; f: per element, one axis. */
typedef struct eli_drag_work {
  /* half = ln(L/r) = rest + ln(L/Lhat) + ln(e)/2, longer being ln(L/Lhat): an element keeps its volume. 0 where a dilatation is too far from
   * 1 for the series; its half is then of no use. */
  int (*find_slenderness)(double *half, const double *rest, const double *dilatation, double longer, int count);

  /* half = top length/half. 0 where one is negative, or not a number. */
  int (*find_half)(double *half, const double *length, double top, int count);

  /* Velocity of each element in the fluid, from those of nodes; f holds that of the fluid unless it is still. */
  void (*find_slip)(double *f, const double *v, int still, int count);

  /* The slip becomes half of f_j. t: tangents. */
  void (*resist)(double *fx, double *fy, double *fz, const double *half, const double *tx, const double *ty, const double *tz, int count);

  /* Adds to each node the values of its two elements; and with their rates half times its velocity v. */
  void (*gather)(double *node, const double *element, int count);
  void (*gather_with_rate)(double *node, const double *element, const double *half, const double *v, int count);
} eli_drag_work;

const eli_drag_work *eli_world_drag_work(const elastica_world *world);

#endif
