/* Data of a rod from its definition, checks shared by definitions and setters, and geometry, energy and momentum of a rod. */
#ifndef ELI_ROD_DATA_H
#define ELI_ROD_DATA_H

#include "state/world.h"

/* The data of a definition as plain arrays. Node arrays have n + 1 entries; entry n of a ring repeats entry 0. Joint arrays are in slot
 * order: entry k is the joint between elements k-1 and k, k = 0..n; entries 0 and n are unused in an open rod and equal in a ring. */
typedef struct eli_rod_data {
  int element_count, closed;
  double rotary_inertia_scale;
  int contact_group;
  double *position, *velocity;                        /* [3 (n+1)] */
  double *director, *omega;                           /* [9 n], [3 n] */
  double *rest_length, *volume;                       /* [n] */
  double *element_mass;                               /* [n] rho A lhat; each of its two nodes gets half */
  double *shear_stiffness, *bend_stiffness, *inertia; /* [3 n] */
  double *joint_bend_stiffness;                       /* [3 (n+1)] */
  double *rest_joint_length;                          /* [n+1] */
  double *rest_curvature;                             /* [3 (n+1)] */
  double *rest_strain;                                /* [3 n] */
  void *memory;                                       /* the one block that holds all of them; release with the world's allocator */
} eli_rod_data;

/* rod_def.c: checks def and fills data. On a refusal the message of world is set and nothing is allocated. */
elastica_status eli_rod_data_create(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data);

/* rod.c: a handle for one more rod, or rigid body, of so many slots, without a place, and everything that placing it needs. NULL: no memory,
 * nothing changed. And what makes a rod that is placed and filled a part of its world. */
elastica_rod *eli_rod_create(elastica_world *world, size_t slots, int rigid);
void eli_rod_join(elastica_rod *rod);

/* body_def.c: reads a definition of a rigid body, or refuses it. */
elastica_status eli_solid_read(elastica_world *world, const elastica_body_def *def, eli_solid *solid);

/* rod_shape.c, called by eli_rod_data_create with a checked definition. place: nodes, frames, their velocities, and rest lengths. rest:
 * rest curvature and rest strain; needs the rest lengths of joints. */
elastica_status eli_rod_shape_place(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data);
elastica_status eli_rod_shape_rest(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data);

/* Angle [rad] of the joint between the frames before and after, and its rotation vector, LOG(after before^T). */
double eli_rod_joint_turn(const double before[9], const double after[9], double turn[3]);

/* MODERATE: finite, and its square is finite. */
typedef enum eli_range { ELI_FINITE, ELI_MODERATE, ELI_NOT_NEGATIVE, ELI_POSITIVE } eli_range;

/* The end of a sentence about a bad value, or NULL. A subnormal number counts as zero: its inverse is not finite. */
const char *eli_trouble_with(double value, eli_range range);

/* Checks shared by definitions and setters (rod_checks.c). A NULL array passes. The message names prefix, field, index and value. */
elastica_status eli_rod_check_array(elastica_world *world, const char *prefix, const char *field, const double *values, size_t count,
                                    eli_range range);
elastica_status eli_rod_check_frames(elastica_world *world, const char *field, const double *director, size_t element_count);

/* Refuses a joint beyond ELI_JOINT_LIMIT. The message names the number of elements that would be enough. */
elastica_status eli_rod_check_turn(elastica_world *world, const char *field, int joint, double angle, int element_count);

/* The shortest length of an element, over its rest length. */
#define ELI_SHORTEST_ELEMENT 1e-9

/* rod_place.c: gives a new rod its index, its tile and its slots, for which there is room. */
void eli_rod_place(elastica_rod *rod);

/* Takes a rod out of the world and leaves a hole. */
void eli_rod_take_out(elastica_rod *rod);

/* Releases all of a rod but its handle. */
void eli_rod_dismantle(elastica_rod *rod);

/* prepared.c: what the kernels read instead of stiffness, rest lengths and rest strains. The tile's lanes are aimed. */
void eli_tile_prepare_lanes(const eli_tile *tile);

/* geometry.c: the tangents of the rigid bodies of a tile, which are their d3. Updates l, e and t of a tile from its positions. Allowed before the world is prepared. */
void eli_tile_aim_tangents(const eli_tile *tile);
void eli_tile_update_geometry(elastica_world *world, size_t tile);

/* Copies the length of element 0 of each ring of a tile to its ghost, which is otherwise neutral. */
void eli_tile_close_geometry(elastica_world *world, const eli_tile *tile);

/* rod_sums.c: energy of a rod whose derived lanes are filled, with that of effects left at 0; and momentum. */
elastica_energy eli_rod_energy(const elastica_rod_view *view);
elastica_momentum eli_rod_momentum(const elastica_rod_view *view);

/* The elements before and after a joint. */
static inline int eli_element_before(const elastica_rod_view *view, int joint) {
  return !view->closed ? joint : joint > 0 ? joint - 1 : view->element_count - 1;
}

static inline int eli_element_after(const elastica_rod_view *view, int joint) {
  return view->closed ? joint : joint + 1;
}

#endif
