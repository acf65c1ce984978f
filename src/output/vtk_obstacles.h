/* Walls and elastic obstacles in a ParaView frame: each has a surface like that of a rigid body, with rod = -1. A plane is drawn as a thin
 * plate below its surface, an infinite cylinder as a long one near the rods. */
#ifndef ELI_VTK_OBSTACLES_H
#define ELI_VTK_OBSTACLES_H

#include "base/target.h"

#include <elastica.h>

#include "output/text_file.h"

/* Returns CALLBACK_FAILED if a motion fails. */
elastica_status eli_vtk_write_obstacles(eli_text_file *text, elastica_world *world);

#endif
