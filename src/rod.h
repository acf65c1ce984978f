/* A rod inside the library: where it lives in the slab and how it is looked at. */
#ifndef ELI_ROD_H
#define ELI_ROD_H

#include <elastica.h>

struct elastica_rod {
  elastica_world *world;
  int index;
  int element_count;
  int closed;
  size_t offset; /* first slot */
  size_t tile;   /* number of its tile */
  double rotary_inertia_scale;
  unsigned healed; /* what of its state was set since the world failed (failure.c) */
  elastica_rod_view view;

  /* What the hooks are handed, aimed once. */
  elastica_loads loads;
  elastica_state positions, velocities, spins;
};

/* A definition, checked and worked out into plain arrays. element arrays [n], [3 n], node arrays [n + 1] (a ring: entry n repeats entry 0),
 * joint arrays in slot order: joint between elements k-1 and k at k = 0..n (0 and n unused for open rods; equal for rings). */
typedef struct eli_rod_data {
  int element_count, closed;
  double rotary_inertia_scale;
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

/* rod_shape.c, for the function above: first nodes, frames, their velocities and rest lengths of a definition whose fields are sound; then,
 * with the rest lengths of joints known, rest curvature and rest strain. */
elastica_status eli_rod_shape_place(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data);
elastica_status eli_rod_shape_rest(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data);

/* Angle [rad] of the joint between the frames before and after, and its rotation vector, LOG(after before^T). */
double eli_rod_joint_turn(const double before[9], const double after[9], double turn[3]);

/* Checks that definitions and setters share (rod_def.c); NULL arrays are sound. The sentence names prefix and field, the index and the value. */
/* MODERATE: finite, and so is its square. */
typedef enum eli_range { ELI_FINITE, ELI_MODERATE, ELI_NOT_NEGATIVE, ELI_POSITIVE } eli_range;

elastica_status eli_rod_check_array(elastica_world *world, const char *prefix, const char *field, const double *values, size_t count,
                                    eli_range range);
elastica_status eli_rod_check_frames(elastica_world *world, const char *field, const double *director, size_t element_count);

/* Refuses a joint beyond ELI_JOINT_LIMIT with the number of elements that would bring it back. */
elastica_status eli_rod_check_turn(elastica_world *world, const char *field, int joint, double angle, int element_count);

/* The shortest element, in rest lengths. */
#define ELI_SHORTEST_ELEMENT 1e-9

/* Points the view's lanes into the slab: after a rod was added or lanes moved. Derived lanes become NULL. */
void eli_rod_aim_view(elastica_rod *rod);

/* Marks the derived lanes of the view as not available. */
void eli_rod_forget_derived(elastica_rod *rod);

/* Nodal masses and their inverses from the masses of the elements: half to each node. */
void eli_rod_set_masses(elastica_rod *rod);

/* Copies node 0, element 0 and joint 0 of a ring into its ghost slot, for count lanes from first. */
void eli_rod_close_lanes(elastica_rod *rod, int first, int count);

#endif
