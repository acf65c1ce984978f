/* The pieces of one rod or rigid body in a ParaView frame (PolyData).
 *
 * The line of a rod is one polyline through its nodes, so that the Tube filter makes one smooth tube. A node has the mean of its two
 * elements for radius, length, dilatation, spin, strain, force and internal couple, and the frame of the element after it (the last node:
 * before it). The values of a joint are at its node, 0 at the ends of an open rod. The line cell has nan for the values of elements.
 * Each element is a point and a vertex at its middle, with its values as cell data and as point data, nan for quantities that elements do
 * not have. Vertices are used because the Tube filter ignores them; it would turn lines of two points into tubes inside the tube of the
 * rod. A rigid body has a surface of polygons and, like an element, a vertex at its centre. The points of the surface have their own
 * velocity and otherwise the values of the body; the polygons have the values of the body.
 * Components of omega, curvature, strain, couple, force and internal couple are material.
 */
#ifndef ELI_VTK_PIECE_H
#define ELI_VTK_PIECE_H

#include "base/target.h"

#include <elastica.h>

#include "output/text_file.h"

/* Writes a rod with its derived lanes refreshed. A view of zeros gives one piece without points. */
void eli_vtk_write_rod(eli_text_file *text, const elastica_rod_view *rod);

/* Writes the surface of a rigid body as polygons; it precedes the vertex. */
void eli_vtk_write_surface(eli_text_file *text, const elastica_rod_view *rod, const elastica_body_info *body);

/* Writes the array that gives ParaView the time of a file. */
void eli_vtk_write_time(eli_text_file *text, double time);

#endif
