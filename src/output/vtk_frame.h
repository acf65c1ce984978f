/* The contents of the files of a ParaView frame (PolyData): rods, rigid bodies, walls and elastic obstacles in one file, obstacles of many
 * triangles in another, which frames share, and contacts in a third.
 *
 * The line of a rod is one polyline through its nodes, so that the Tube filter makes one smooth tube. A node has the mean of its two
 * elements for radius, length, dilatation, spin, strain, force and internal couple, and the frame of the element after it (the last node:
 * before it). The values of a joint are at its node, 0 at the ends of an open rod. The line cell has nan for the values of elements.
 * Each element is a point and a vertex at its middle, with its values as cell data and as point data, nan for quantities that elements do
 * not have. Vertices are used because the Tube filter ignores them; it would turn lines of two points into tubes inside the tube of the
 * rod. A rigid body has a surface of polygons and, like an element, a vertex at its centre. The points of the surface have their own
 * velocity and otherwise the values of the body; the polygons have the values of the body.
 * A wall or elastic obstacle has a surface like that of a rigid body, with rod = -1. A plane is drawn as a thin plate below its surface, an
 * infinite cylinder as a long one near the rods, a surface of the user by samples near the rods (output/facets.h).
 * Components of omega, curvature, strain, couple, force and internal couple are material.
 * Contacts are one piece of vertices, with a point for each pair of elements in contact.
 */
#ifndef ELI_VTK_FRAME_H
#define ELI_VTK_FRAME_H

#include "base/target.h"

#include <elastica.h>

#include "output/facets.h"
#include "output/text.h"

/* Writes the file of rods, bodies, walls and obstacles. store: triangles of earlier frames. Returns CALLBACK_FAILED if a motion fails. */
elastica_status eli_vtk_write_frame(eli_text_file *text, elastica_world *world, eli_facets_store *store);

/* Counts the obstacles of many triangles at rest (tubes, surfaces, meshes), and writes their file, without a time. As
 * eli_vtk_write_frame. */
elastica_status eli_vtk_count_obstacles(elastica_world *world, int *count);
elastica_status eli_vtk_write_obstacle_frame(eli_text_file *text, elastica_world *world, eli_facets_store *store);

/* Writes the file of the contact points of those effects that have not been removed. Returns OUT_OF_MEMORY or the status of contact_get. */
elastica_status eli_vtk_write_contact_frame(eli_text_file *text, elastica_world *world, elastica_effect *const *effects, int count);

#endif
