/* The circular section of an element with constant volume. */
#ifndef ELI_SECTION_H
#define ELI_SECTION_H

#include "base/target.h"

#include <math.h>

#include "base/elementary.h"

/* r = sqrt(V/(pi l)) */
static inline double eli_radius(double volume, double length) {
  return sqrt(volume / (ELI_PI * length));
}

#endif
