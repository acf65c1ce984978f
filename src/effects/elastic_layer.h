/* Contact of rods and round bodies with a solid that is fixed or moves as prescribed: rods and history of the effect, and its hooks.
 *
 * The force of the layer is a load. Friction has a history that advances with each step; it is added with the reactions, or with the loads
 * from the present history if the rods do not move, and in implicit steps.
 *
 * test       tests/test_obstacle_contact.c
 */
#ifndef ELI_ELASTIC_LAYER_H
#define ELI_ELASTIC_LAYER_H

#include "base/target.h"

#include <elastica.h>

#include "base/memory.h"
#include "effects/layer.h"
#include "state/module.h"
#include "state/prescribed.h"
#include "state/rod_table.h"

/* The record of one rod of the effect. */
typedef struct eli_elastic_record {
  int rod;   /* its index; -1: the record is free */
  int count; /* number of elements; 0: it takes no part */
  int sunk;  /* the element that passes through the surface in this step */
  eli_round shape;
  eli_stick_slip *history; /* [count] */
} eli_elastic_record;

typedef struct eli_elastic_layer {
  elastica_world *world;
  const eli_allocator *allocator;
  elastica_obstacle_def def; /* with its frame */
  eli_prescribed place;      /* from here on read from def */
  eli_obstacle shape;
  eli_tube *tube;          /* owned; NULL: none */
  eli_mesh *mesh;          /* likewise */
  eli_surface_fault fault; /* of the function of the user */
  eli_layer_law law;
  int group;
  eli_rod_table table; /* of eli_elastic_record */
} eli_elastic_layer;

/* Returns the record of a rod, or NULL. acts_on returns 1 if the effect acts on this rod. */
static inline eli_elastic_record *eli_elastic_record_of(const eli_elastic_layer *o, int rod_index) {
  return eli_rod_table_find(&o->table, rod_index);
}

int eli_elastic_acts_on(const eli_elastic_layer *o, const eli_elastic_record *r);

/* Finds position and motion of the solid at a time; CALLBACK_FAILED if its motion fails. */
elastica_status eli_elastic_solid_at(const eli_elastic_layer *o, double time, int is_frozen, eli_placed_solid *solid);

/* Returns CALLBACK_FAILED, with the reason explained to the world, if the function of the user failed since the last call. */
elastica_status eli_elastic_check_surface(const eli_elastic_layer *o);

/* Called before a query asks the surface: an error that a failed step has left is not the query's. */
static inline void eli_elastic_forget_error(const eli_elastic_layer *o) {
  if (o->shape.fault != NULL) o->shape.fault->error = ELI_SURFACE_FINE;
}

/* Hooks (see elastica_module and eli_built_in); self is an eli_elastic_layer. */
int eli_elastic_idle(void *self, const elastica_instant *now, const elastica_rod_view *rod);
elastica_status eli_elastic_add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads);
elastica_status eli_elastic_add_reactions(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads);
elastica_status eli_elastic_add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                          elastica_stiffness *stiffness);
elastica_status eli_elastic_find_stiffness(void *self, double time, void (*visit)(void *context, const eli_contact_stiffness *contact),
                                           void *context);
double eli_elastic_energy(void *self, double time, const elastica_rod_view *rod);
void eli_elastic_explain(void *self, const elastica_rod_view *rod, char *text, size_t size);
void eli_elastic_destroy(void *self);
void eli_elastic_forget_rod(void *self, const elastica_rod_view *rod);
void eli_elastic_each_history(void *own, void (*visit)(void *context, void *bytes, size_t size), void *context);

/* The element of a rod that approaches the obstacle at the largest multiple of the speed that its layer bears. */
typedef struct eli_impact {
  int element;
  double speed, bound; /* [m/s] along the normal of the surface; that of an overlap of half a radius */
} eli_impact;

/* Visits each rod with an element that approaches too fast: it would overlap the obstacle deeply or pass through. Rods and bodies move with
 * their mean velocity, the obstacle with its present velocity and without its spin. The energy of the element that touches first is
 * compared with that of its layer, without the damper, at an overlap of half its radius. To be called between steps. CALLBACK_FAILED by the
 * motion of the obstacle, which is explained to the world. */
elastica_status eli_elastic_find_impacts(const eli_elastic_layer *o, double time,
                                         void (*visit)(void *context, int rod, const eli_impact *impact), void *context);

/* Returns the modulus of the layer [Pa]. */
double eli_elastic_modulus(const eli_elastic_layer *o);

/* Reads the shape of a ball or capsule; returns 0 for another body, which takes no part. */
int eli_elastic_is_round(elastica_rod *rod, eli_round *shape);

/* Adds a record for a rod, so that no step allocates. OUT_OF_MEMORY. */
elastica_status eli_elastic_add_record(eli_elastic_layer *o, const elastica_rod_view *rod);

void eli_elastic_clear_history(const eli_elastic_layer *o);

#endif
