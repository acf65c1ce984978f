/* Data of a rod from its definition, checks shared by definitions and setters, and geometry, energy and momentum of a rod. */
#ifndef ELI_ROD_DATA_H
#define ELI_ROD_DATA_H

#include "rod/law.h"
#include "state/world.h"

/* MODERATE: finite, and its square is finite. POSITIVE: subnormal numbers are refused, too, because their inverse is not finite. ANY: not
 * checked. */
typedef enum eli_range { ELI_FINITE, ELI_MODERATE, ELI_NOT_NEGATIVE, ELI_POSITIVE, ELI_ANY } eli_range;

/* The arrays of a definition: ARRAY(name, lane, width, place, name in messages, range, origin). They are computed from other data; origin
 * names these in the refusal of a number outside the range, because products of valid numbers can overflow or underflow. The last rows are
 * those of rod/law.h. */
#define ELI_LAW_ARRAY(ARRAY, lane, name, width, place, plain, kept, text, range, origin)                                                   \
  ARRAY(name, lane, width, place, text, range, origin)
#define ELI_ROD_ARRAYS(ARRAY)                                                                                                              \
  ARRAY(position, POSITION, 3, NODE, "", ANY, "")                                                                                          \
  ARRAY(velocity, VELOCITY, 3, NODE, "", ANY, "")                                                                                          \
  ARRAY(director, DIRECTOR, 9, ELEMENT, "", ANY, "")                                                                                       \
  ARRAY(omega, OMEGA, 3, ELEMENT, "", ANY, "")                                                                                             \
  ARRAY(rest_length, REST_LENGTH, 1, ELEMENT, "rest length", POSITIVE, "lengths, radius and density")                                      \
  ARRAY(volume, VOLUME, 1, ELEMENT, "volume", POSITIVE, "lengths, radius and density")                                                     \
  ARRAY(element_mass, ELEMENT_MASS, 1, ELEMENT, "mass", POSITIVE, "lengths, radius and density") /* rho A lhat */                          \
  ARRAY(inertia, INERTIA, 3, ELEMENT, "inertia", POSITIVE, "lengths, radius and density")                                                  \
  ELI_LAW_CONSTANTS(ELI_LAW_ARRAY, ARRAY, ARRAY)

/* The data of a definition as plain arrays. Node arrays have n + 1 entries; entry n of a ring repeats entry 0. Joint arrays are in slot
 * order: entry k is the joint between elements k-1 and k, k = 0..n. In an open rod entries 0 and n are unused; in a ring they are equal. */
typedef struct eli_rod_data {
  int element_count, closed;
  double rotary_inertia_scale;
  int contact_group;
#define ELI_MEMBER(name, ...) double *name;
  ELI_ROD_ARRAYS(ELI_MEMBER)
#undef ELI_MEMBER
  void *memory; /* the block of memory for all arrays; release it with the world's allocator */
} eli_rod_data;

/* One array of the data, by the table above. */
typedef struct eli_rod_array {
  size_t offset; /* of its pointer in eli_rod_data */
  int lane, width;
  int place; /* ELI_AT_... */
  const char *name;
  eli_range range;
  const char *origin;
} eli_rod_array;

#define ELI_COUNT_ARRAY(...) +1
enum { ELI_ROD_ARRAY_COUNT = 0 ELI_ROD_ARRAYS(ELI_COUNT_ARRAY) };
#undef ELI_COUNT_ARRAY
extern const eli_rod_array eli_rod_arrays[ELI_ROD_ARRAY_COUNT];

static inline double **eli_rod_array_of(eli_rod_data *data, const eli_rod_array *of) {
  return (double **)(void *)((char *)data + of->offset);
}

/* The number of its vectors. */
static inline size_t eli_rod_array_count(const eli_rod_data *data, const eli_rod_array *of) {
  return (size_t)data->element_count + (of->place == ELI_AT_ELEMENT ? 0 : 1);
}

/* ---- rod_def.c ---- */

/* Checks def and fills data. On a refusal the message of the world is set and nothing is allocated. */
elastica_status eli_rod_data_create(elastica_world *world, const elastica_rod_def *def, eli_rod_data *data);

/* Returns the angle [rad] of the joint between the frames before and after, and its rotation vector LOG(after before^T). */
double eli_rod_joint_turn(const double before[9], const double after[9], double turn[3]);

/* Checks shared by definitions and setters. A NULL array passes. The message names prefix, field, index and value. */
elastica_status eli_rod_check_array(elastica_world *world, const char *prefix, const char *field, const double *values, size_t count,
                                    eli_range range);
elastica_status eli_rod_check_frames(elastica_world *world, const char *field, const double *director, size_t element_count);

/* Refuses a joint angle beyond ELI_JOINT_LIMIT. The message names a sufficient number of elements. */
elastica_status eli_rod_check_turn(elastica_world *world, const char *field, int joint, double angle, int element_count);

/* The shortest allowed length of an element, divided by its rest length. */
#define ELI_SHORTEST_ELEMENT 1e-9

/* ---- rod.c ---- */

/* Makes a handle for one more rod or rigid body with this number of slots, not yet placed, and allocates everything for its placement.
 * Returns NULL without memory; nothing is changed then. */
elastica_rod *eli_rod_create(elastica_world *world, size_t slots, int rigid);

/* Gives a new rod its index, its tile and its slots; memory for them must be available. */
void eli_rod_place(elastica_rod *rod);

/* Makes a placed and filled rod a part of its world. */
void eli_rod_join(elastica_rod *rod);

/* Removes a rod from its world; its slots become a hole. */
void eli_rod_take_out(elastica_rod *rod);

/* Releases everything of a rod except its handle. */
void eli_rod_dismantle(elastica_rod *rod);

/* Computes the lanes that kernels read instead of stiffness, rest lengths and rest strains. The tile's lane pointers must be set. */
void eli_tile_prepare_lanes(const eli_tile *tile);

/* Sets the tangents of the rigid bodies of a tile to their d3. */
void eli_tile_aim_tangents(const eli_tile *tile);

/* Computes l, e and t of a tile from its positions; it may be called before the world is prepared. */
void eli_tile_update_geometry(elastica_world *world, size_t tile);

/* Copies the length of element 0 of each ring of a tile to its ghost slot, which is otherwise neutral. */
void eli_tile_close_geometry(elastica_world *world, const eli_tile *tile);

/* ---- rod_sums.c ---- */

/* Computes mass, energy and momentum of a rod with filled derived lanes, without the energy of effects (0). */
elastica_totals eli_rod_totals(const elastica_rod_view *view);

#endif
