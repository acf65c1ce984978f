/* Walls and elastic obstacles in a frame for ParaView: a surface each, like that of a rigid body, with -1 for its rod. A plane is a thin
 * plate below it, and an endless cylinder a long one, about the rods. */
#ifndef ELI_VTK_OBSTACLES_H
#define ELI_VTK_OBSTACLES_H

#include "base/target.h"

#include <elastica.h>

#include "output/text_file.h"

/* CALLBACK_FAILED by a motion. */
elastica_status eli_vtk_write_obstacles(eli_text_file *text, elastica_world *world);

#endif
