/* Bones with thicker ends, as rods or as rigid bodies; and prescribed nodal masses. Any consistent units; those of wing.c are
 * millimetres, grams and seconds.
 */
#ifndef EXAMPLES_BONE_H
#define EXAMPLES_BONE_H

#include "common/example.h"

/* ---- Masses ---- */

/* The rule of the authors' program for their wing: a node has the whole mass of the element behind it, the last node that of the last
 * element, in total the mass of an additional element. The library gives a node half of the elements at either side; the elements are
 * made so light that no node exceeds the rule, and the remainder is added. */
typedef struct mass_table {
  double *added; /* of the nodes of all rods, in sequence */
  int *start;    /* [rods] index of the first node of a rod */
  int nodes, rods;
} mass_table;

/* Adds a rod with these masses of elements by that rule; the inertia of def must be given, and is kept. */
elastica_rod *mass_table_rod(example *e, elastica_world *world, mass_table *table, const elastica_rod_def *def, const double *mass);

/* The same for a rod with equal masses of all elements. */
elastica_rod *mass_table_even_rod(example *e, elastica_world *world, mass_table *table, const elastica_rod_def *def, double mass);

/* Gives their masses to all rods of the table; called once. The table must live as long as the world. */
void mass_table_add(example *e, elastica_world *world, mass_table *table);
void mass_table_free(mass_table *table);

/* ---- Bones ---- */

enum { BONE_MOST = 12 }; /* elements of a bone */

typedef struct bone_plan {
  int n;
  double length, start[3], direction[3];
  double radius[BONE_MOST];
  double youngs_modulus, shear_modulus;
  double density;                   /* of the masses */
  double inertia_density;           /* of the rotary inertia, which includes the marrow and tissue around a hollow bone */
  double inertia_length[BONE_MOST]; /* J = inertia_density inertia_length (I, I, 2 I) */
  double bend_radius[BONE_MOST];    /* E I is that of this radius; 0: of the radius of the element */
} bone_plan;

typedef struct bone {
  bone_plan plan;
  elastica_rod *rod; /* of a rigid body */
  int rigid;
  double frame[9], centre[3]; /* initial values */
} bone;

/* d1 is as close to z as possible. rigid: a body with the mass, the centre and the inertia of the nodes and elements. */
bone bone_add(example *e, elastica_world *world, mass_table *table, const bone_plan *plan, int rigid);

/* The initial place of a node. */
void bone_node(const bone *of, int node, double place[3]);

/* Anchor of a point of a bone, given by its initial place. On a rod it belongs to this element, at its first node (share 0) or its
 * second. */
elastica_anchor bone_anchor(const bone *of, int element, double share, const double point[3]);

/* ---- Ties ---- */

/* A joint between two anchors: BALL with an angular stiffness of 0, else FIXED. */
elastica_effect *tie(example *e, elastica_world *world, elastica_anchor first, elastica_anchor second, double stiffness,
                     double angular_stiffness);

#endif
