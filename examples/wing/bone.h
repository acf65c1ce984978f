/* Bones that are thicker at their ends, as rods or as rigid bodies; and nodal masses of one's own. Any consistent units; those of wing.c
 * are millimetres, grams and seconds.
 */
#ifndef EXAMPLES_BONE_H
#define EXAMPLES_BONE_H

#include "common/example.h"

/* ---- Masses ---- */

/* The rule of the authors' program for their wing: a node has the whole mass of the element behind it, the last node that of the last
 * element, which is the mass of one element more than the rod has. The library gives a node half of the elements at either side; the
 * elements are made so light that no node gets more than the rule says, and the rest is added. */
typedef struct mass_table {
  double *added; /* of the nodes of all rods in a row */
  int *start;    /* [rods] where those of a rod begin */
  int nodes, rods;
} mass_table;

/* Adds a rod whose elements have these masses by that rule; the inertia of def stays, and must be given. */
elastica_rod *mass_table_rod(example *e, elastica_world *world, mass_table *table, const elastica_rod_def *def, const double *mass);

/* The same for a rod of one mass in each element. */
elastica_rod *mass_table_even_rod(example *e, elastica_world *world, mass_table *table, const elastica_rod_def *def, double mass);

/* Gives their masses to all rods that were added, once. The table lives as long as the world. */
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
  double inertia_density;           /* of the rotary inertia, which stands for the marrow and what else surrounds a hollow bone */
  double inertia_length[BONE_MOST]; /* J = inertia_density inertia_length (I, I, 2 I) */
  double bend_radius[BONE_MOST];    /* E I is that of this radius; 0: of the element's */
} bone_plan;

typedef struct bone {
  bone_plan plan;
  elastica_rod *rod; /* of the body, where it is rigid */
  int rigid;
  double frame[9], centre[3]; /* at the start */
} bone;

/* d1 is z as far as it can be. rigid: a body with the mass, the centre and the inertia of the nodes and elements. */
bone bone_add(example *e, elastica_world *world, mass_table *table, const bone_plan *plan, int rigid);

/* The place of a node at the start. */
void bone_node(const bone *of, int node, double place[3]);

/* A point that a bone carries, given by where it is at the start. A rod carries it by this element, at its first node (share 0) or its
 * second. */
elastica_anchor bone_anchor(const bone *of, int element, double share, const double point[3]);

/* ---- Ties ---- */

/* A joint between two anchors: BALL with an angular stiffness of 0, else FIXED. */
elastica_effect *tie(example *e, elastica_world *world, elastica_anchor first, elastica_anchor second, double stiffness,
                     double angular_stiffness);

#endif
