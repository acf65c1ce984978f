/* The surface of a rigid body as polygons, in the frame of its definition. */
#ifndef ELI_VTK_SURFACE_H
#define ELI_VTK_SURFACE_H

#include "base/target.h"

#include <elastica.h>
#include <stdint.h>

/* Number of corners of a round shape about its axis. */
enum { ELI_SURFACE_CORNERS = 20 };

void eli_surface_size(const elastica_body_info *body, int *points, int *polygons);

/* Surface point number p [m]. */
void eli_surface_point(const elastica_body_info *body, int p, double point[3]);

/* Writes the points of polygon number k, anticlockwise seen from outside. Returns their number, at most ELI_SURFACE_CORNERS. */
int eli_surface_polygon(const elastica_body_info *body, int k, int64_t corner[ELI_SURFACE_CORNERS]);

#endif
