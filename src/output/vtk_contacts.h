/* A frame of contacts for ParaView: one piece of vertices, a point for each pair of elements that touch. */
#ifndef ELI_VTK_CONTACTS_H
#define ELI_VTK_CONTACTS_H

#include "base/target.h"

#include <elastica.h>

#include "output/text_file.h"

/* 1: an effect that tells where it touches. */
int eli_vtk_has_contacts(const elastica_effect *effect);

/* The points of such an effect, as many as there is room for; and how many there are. As contact_get. */
elastica_status eli_vtk_read_contacts(elastica_effect *effect, elastica_contact_point *points, int room, int *count);

/* Writes the points of all these effects that have not been removed. OUT_OF_MEMORY, and what contact_get returns. */
elastica_status eli_vtk_write_contacts(eli_text_file *text, elastica_world *world, elastica_effect *const *effects, int count);

#endif
