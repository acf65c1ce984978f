/* An obstacle and its placement, as read from the definitions of walls and elastic obstacles.
 *
 * test       tests/test_wall_set.c, tests/test_obstacle_contact.c
 */
#ifndef ELI_OBSTACLE_DEF_H
#define ELI_OBSTACLE_DEF_H

#include "base/target.h"

#include <elastica.h>

#include "base/prescribed.h"
#include "base/record.h"
#include "contact/obstacle.h"

/* These fields of a definition. name, such as "wall_def", is used in messages. */
typedef struct eli_obstacle_fields {
  const char *name;
  elastica_obstacle shape;
  const double *position, *normal, *director, *edge;
  double radius, length;
  elastica_motion motion;
  void *user;
} eli_obstacle_fields;

/* Reads fields that are valid one by one, or refuses them in a sentence that names the field. */
elastica_status eli_obstacle_read(elastica_world *world, const eli_obstacle_fields *fields, eli_obstacle *obstacle, eli_prescribed *place);

/* Saves or loads the obstacle in a snapshot. */
void eli_obstacle_keep(eli_obstacle *obstacle, eli_record *record);

#endif
