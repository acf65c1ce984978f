/* The two kinds of obstacles: rigid_obstacle.c and elastic_obstacle.c share the definition, the placement and its motion. */
#ifndef ELI_OBSTACLE_H
#define ELI_OBSTACLE_H

#include "base/target.h"

#include <elastica.h>

#include "contact/friction.h"
#include "state/definition.h"
#include "state/module.h"
#include "state/prescribed.h"

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

/* The element of a rod that approaches the obstacle at the largest multiple of the speed that its layer bears. */
typedef struct eli_impact {
  int element;
  double speed, bound; /* [m/s] along the normal of the surface; that of an overlap of half a radius */
} eli_impact;

/* For the self of an elastic obstacle: visits each rod with an element that approaches too fast: it would overlap the obstacle deeply or
 * pass through. Rods and bodies move with their mean velocity, the obstacle with its present velocity and without its spin. The energy of
 * the element that touches first is compared with that of its layer, without the damper, at an overlap of half its radius. To be called
 * between steps. CALLBACK_FAILED by the motion of the obstacle, which is explained to the world. */
elastica_status eli_elastic_find_impacts(const void *self, double time, void (*visit)(void *context, int rod, const eli_impact *impact),
                                         void *context);

/* Returns the modulus of its layer [Pa]. */
double eli_elastic_modulus(const void *self);

/* ---- Reactions of a rigid obstacle ---- */

/* A load of a rigid obstacle on a node of a rod, or on a contact point of a body. */
typedef struct eli_reaction {
  int node;                   /* 0 for a body */
  double point[3];            /* [m] nearest to the node on the surface of the obstacle, or the contact point of the body */
  double normal[3], force[3]; /* outward normal; [N] laboratory */
} eli_reaction;

/* Visits the loads of an enabled rigid obstacle on a rod or body in the last elastica_world_evaluate with reactions. */
void eli_rigid_obstacle_reactions(const elastica_effect *effect, const elastica_rod_view *rod,
                                  void (*visit)(void *context, const eli_reaction *reaction), void *context);

/* Returns 1 if an element of a rod is in contact with a rigid obstacle at a place: its centre, or with balance NODES one of its nodes, is
 * nearer than (1 + tolerance) radii. */
int eli_rigid_obstacle_touches(const elastica_effect *effect, const eli_placement *place, const elastica_rod_view *rod, int element);

const eli_wall_law *eli_rigid_obstacle_law(const elastica_effect *effect);

#endif
