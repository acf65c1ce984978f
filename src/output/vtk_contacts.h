/* A frame of contacts for ParaView: one piece of vertices, with a point for each pair of elements in contact. */
#ifndef ELI_VTK_CONTACTS_H
#define ELI_VTK_CONTACTS_H

#include "base/target.h"

#include <elastica.h>

#include "output/text_file.h"

/* Returns 1 if the effect reports contact points. */
int eli_vtk_has_contacts(const elastica_effect *effect);

/* Reads the contact points of such an effect, at most `room`, and their total number. Returns the status of contact_get or obstacle_get. */
elastica_status eli_vtk_read_contacts(elastica_effect *effect, elastica_contact_point *points, int room, int *count);

/* Writes the points of those effects that have not been removed. Returns OUT_OF_MEMORY or the status of contact_get or obstacle_get. */
elastica_status eli_vtk_write_contacts(eli_text_file *text, elastica_world *world, elastica_effect *const *effects, int count);

#endif
