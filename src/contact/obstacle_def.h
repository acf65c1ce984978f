/* An obstacle and where it stands, as definitions have them: of walls and of elastic obstacles.
 *
 * test       tests/test_wall_set.c, tests/test_obstacle_contact.c
 */
#ifndef ELI_OBSTACLE_DEF_H
#define ELI_OBSTACLE_DEF_H

#include "base/target.h"

#include <elastica.h>

#include "base/hold.h"
#include "base/record.h"
#include "contact/obstacle.h"

/* These fields of a definition; its name, "wall_def", is for sentences. */
typedef struct eli_obstacle_fields {
  const char *name;
  elastica_obstacle shape;
  const double *position, *normal, *director, *edge;
  double radius, length;
  elastica_motion motion;
  void *user;
} eli_obstacle_fields;

/* Reads fields that are sound one by one, or refuses them in a sentence that names the field. */
elastica_status eli_obstacle_read(elastica_world *world, const eli_obstacle_fields *fields, eli_obstacle *obstacle, eli_hold *place);

/* What a snapshot has of an obstacle. */
void eli_obstacle_keep(eli_obstacle *obstacle, eli_record *record);

#endif
