/* The definition of a wall: its obstacle, its placement, and its contact law.
 *
 * test       tests/test_wall_set.c
 */
#ifndef ELI_WALL_DEF_H
#define ELI_WALL_DEF_H

#include "base/target.h"

#include <elastica.h>

#include "base/definition.h"
#include "base/prescribed.h"
#include "base/record.h"
#include "contact/friction.h"
#include "contact/obstacle.h"

/* Layout of the fields of elastica_wall_def, and their defaults. */
extern const eli_layout eli_wall_layout;

/* Reads a definition with fields that are valid one by one, or refuses it in a sentence that names the field. Members that the definition
 * does not determine are unchanged. */
elastica_status eli_wall_def_read(elastica_world *world, const elastica_wall_def *def, eli_obstacle *obstacle, eli_prescribed *place,
                                  eli_wall_law *law);

/* Saves or loads the obstacle and the law in a snapshot. */
void eli_wall_law_keep(eli_obstacle *obstacle, eli_wall_law *law, eli_record *record);

#endif
