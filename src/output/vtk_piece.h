/* The part of a ParaView frame for one rod: two pieces of a PolyData file.
 *
 * The line: one polyline through the nodes, so that the Tube filter makes one smooth tube. A node has the mean of its two elements for
 * radius, length, dilatation, spin, strain, force and internal couple, and the frame of the element after it (the last node: before it).
 * The values of a joint are at its node, 0 at the ends of an open rod. The cell of the line has nan for the values of elements.
 * The elements: a point and a vertex at the middle of each, with the element's values as cell data and as point data, nan for quantities
 * that elements do not have. The Tube filter ignores vertices; it would turn lines of two points into tubes inside the tube of the rod.
 * A rigid body: the surface, polygons whose points have their own velocity and otherwise the values of the body, as have the polygons; and a
 * vertex at its centre, as of an element.
 * Components of omega, curvature, strain, couple, force and internal couple are material.
 */
#ifndef ELI_VTK_PIECE_H
#define ELI_VTK_PIECE_H

#include "base/target.h"

#include <elastica.h>

#include "output/text_file.h"

/* Writes a rod whose derived lanes are filled. A view of zeros gives one piece without points. */
void eli_vtk_write_rod(eli_text_file *text, const elastica_rod_view *rod);

/* Writes the surface of a rigid body as polygons, before its vertex. */
void eli_vtk_write_surface(eli_text_file *text, const elastica_rod_view *rod, const elastica_body_info *body);

/* Writes the array from which ParaView reads the time of a file. */
void eli_vtk_write_time(eli_text_file *text, double time);

#endif
