/* Common parts of the scenes of the referee: round rods of one kind, and the rows of its table. */
#ifndef EXAMPLES_SCENE_H
#define EXAMPLES_SCENE_H

#include "common/example.h"

enum { SCENE_MOST = 201 }; /* elements */

/* Of all scenes. */
static const double SCENE_DENSITY = 1000, SCENE_GRAVITY = 9.81; /* [kg/m^3] [m/s^2] along -z */

/* A rod that is straight without stress, with nodes at place [3 (n + 1)]. normal: d1. */
elastica_rod *scene_rod(example *e, elastica_world *world, int n, double length, double radius, double modulus, const double *place,
                        const double normal[3]);

/* Holds the place of a node, from now on. */
void scene_pin(example *e, elastica_world *world, elastica_rod *rod, int node);

/* The damper of the referee's own adapters for scenes that are quasi-static: force -c m v with c = 2 max(3.516 (E I/(rho A))^(1/2)/L^2,
 * (g/L)^(1/2)), g only if the scene has gravity. Returns c [1/s]. */
double scene_damp(example *e, elastica_world *world, elastica_rod *rod, double length, double radius, double modulus, int gravity);

/* Nodes of an arc of the length given between (0, 0, 0) and (span, 0, 0), below them. */
void scene_arc(int n, double length, double span, double *place);

/* Distance of a point to a line of straight pieces between count points. */
double scene_distance(const double *x, const double *z, int count, double at_x, double at_z);

/* One column of the published table, with its wall time [s]. error NaN: it diverged after so many seconds of the scene. Both NaN: not
 * published. */
typedef struct scene_published {
  double error, seconds;
} scene_published;

typedef struct scene_table {
  elastica_csv *csv;
  int rows;
} scene_table;

/* A row: prints it beside the published columns, writes it, and checks it against the tolerance of the referee's own tests; NaN: informs.
 */
void scene_row(example *e, scene_table *table, const char *quantity, double error, double tolerance, double seconds,
               scene_published pyelastica, scene_published mujoco);

/* The scenes, with fewer of their variations in quick mode. */
void scene_cantilever(example *e, scene_table *table);
void scene_catenary(example *e, scene_table *table);
void scene_pendulum(example *e, scene_table *table);
void scene_twist(example *e, scene_table *table);
void scene_capstan(example *e, scene_table *table);
void scene_crossing(example *e, scene_table *table);
void scene_pile(example *e, scene_table *table);

#endif
