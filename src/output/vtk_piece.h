/* What a frame for ParaView says about one rod: two pieces of a PolyData file.
 *
 * The line: one polyline through the nodes, so that the Tube filter makes one smooth tube of it. A node between two elements gets the mean of what
 * they have (radius, length, dilatation, spin, strain, force, internal couple) and the frame of the element behind it (the last node: before it).
 * What a joint has stands at its node, 0 at the ends of an open rod. Its cell has no element's values: they are nan.
 * The elements: a point and a vertex in the middle of each, with its own values as cell data and as point data, nan where elements have none. The
 * Tube filter passes vertices over; two-point lines would be tubes of their own within that of the rod.
 * Components of omega, curvature, strain, couple, force and internal couple are material.
 */
#ifndef ELI_VTK_PIECE_H
#define ELI_VTK_PIECE_H

#include "base/target.h"

#include <elastica.h>

#include "output/text_file.h"

/* Of a rod whose derived lanes are filled; a view that is all zeros gives one piece without points. */
void eli_vtk_write_rod(eli_text_file *text, const elastica_rod_view *rod);

/* The array that tells ParaView the time of a file. */
void eli_vtk_write_time(eli_text_file *text, double time);

#endif
