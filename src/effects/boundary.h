/* The support of an end of a rod, for effects that act on its end section. */
#ifndef ELI_BOUNDARY_H
#define ELI_BOUNDARY_H

#include "base/target.h"

#include <elastica.h>

#include "state/prescribed.h"

typedef enum eli_support {
  ELI_NO_SUPPORT,
  ELI_FRAME_SUPPORT, /* the frame of the end element is prescribed */
  ELI_CLAMP_SUPPORT  /* a half-cell ties the end element to the frame of the support */
} eli_support;

/* Finds the support of the first end of a rod, or of its last: the first boundary there, if it is not a pin. Writes the position and frame
 * of the support of a clamp at this time to place; with stands 1 its velocity and spin are 0. A motion that fails counts as none; the
 * boundary itself reports it. The boundary calls the motion on the thread that steps, and so do all effects on its rod. */
eli_support eli_support_find(const elastica_world *world, const elastica_rod_view *rod, int last, double time, int stands,
                             eli_placement *place);

#endif
