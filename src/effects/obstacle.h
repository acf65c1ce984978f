/* The two kinds of obstacles: rigid_obstacle.c and elastic_obstacle.c share the definition, the placement and its motion. */
#ifndef ELI_OBSTACLE_H
#define ELI_OBSTACLE_H

#include "base/target.h"

#include <elastica.h>

#include "state/definition.h"
#include "state/module.h"

extern const eli_layout eli_obstacle_layout;
extern const eli_built_in eli_rigid_obstacle, eli_elastic_obstacle;

/* Names of the kinds, for sentences. */
enum { ELI_OBSTACLE_KINDS = 2 };
extern const char *const eli_obstacle_kinds[ELI_OBSTACLE_KINDS];

/* Refuses a set function that would change the kind of the obstacle, and fields that the kind does not use. */
elastica_status eli_obstacle_check_kind(const eli_request *request, const elastica_obstacle_def *def, elastica_obstacle_kind kind);

/* Add the loads on an enabled obstacle to force [N] and to couple [N m] about its position, both laboratory. CALLBACK_FAILED: its motion
 * failed. */
void eli_rigid_obstacle_force(elastica_effect *effect, double force[3], double couple[3]);
elastica_status eli_elastic_obstacle_force(elastica_effect *effect, const char *function, double force[3], double couple[3]);

#endif
