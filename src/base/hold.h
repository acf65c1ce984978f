/* Prescribed position of a node on chosen axes and prescribed frame of an element, constant or moving: the law of pins and clamps.
 *
 * models     r_i = R(t), v_i = dR/dt on the prescribed axes; Q_j = P(t), omega_j = spin of P if the frame is prescribed
 * parameters eli_hold; without a motion R and P are constants
 *
 * The constrain hooks require a module with an eli_hold as the first member of its self.
 */
#ifndef ELI_HOLD_H
#define ELI_HOLD_H

#include "base/target.h"

#include <elastica.h>

#include "base/module.h"
#include "base/record.h"

typedef struct eli_hold {
  elastica_motion motion; /* NULL: constant */
  void *user;
  elastica_world *world; /* to which a failure of the motion is explained; NULL: to none */
  int node, element;
  unsigned axes; /* axes with a prescribed position */
  int hold_frame;
  double position[3];
  double director[9];
} eli_hold;

/* Position, frame and their rates at one time. */
typedef struct eli_placement {
  double position[3], velocity[3];
  double director[9], omega[3];
} eli_placement;

/* Where the hold is at a time, from its motion. CALLBACK_FAILED when that fails or writes what is not finite or no frame, which is then
 * explained to the world (eli_world_explain): a hold lies in the self of its effect. */
elastica_status eli_hold_at(const eli_hold *hold, double time, eli_placement *placement);

/* Computes the prescribed placement at a time, with velocity and spin zero if stands is 1. */
elastica_status eli_hold_now(const eli_hold *hold, double time, int stands, eli_placement *placement);

/* Sets only the constrain hooks that this hold needs, because a module without hooks costs nothing in a step. */
void eli_hold_set_hooks(const eli_hold *hold, elastica_module *module);

/* Returns 1 if all constrain hooks of the module are those of this file: they write finite numbers and frames, or fail. */
int eli_hold_has_hooks(const elastica_module *module);

/* Returns 1 if the hold (self of a module) has a motion. A hold without one writes the same constants in every step. With velocities and
 * spins 0 the drift reproduces them to the bit, because they contain no negative zero. */
int eli_hold_moves(const void *self);

/* Returns 1 if the hold fixes its node on all axes. */
int eli_hold_stops(const eli_hold *hold);

elastica_status eli_hold_check_axes(elastica_world *world, const char *field, unsigned axes);

/* Sets the position of a hold after its node was chosen. A NaN component means the present position of the node; on an axis that the old
 * hold (may be NULL) prescribed for the same node, it means the position that the old hold prescribed. */
void eli_hold_choose_position(const elastica_rod_view *rod, const double position[3], const eli_hold *old, eli_hold *hold);

/* Replaces -0.0 by 0.0 (see eli_hold_moves). */
void eli_hold_drop_negative_zeros(eli_hold *hold);

/* Gets or sets the motion (see eli_built_in.function), for modules with an eli_hold as the first member of self. */
void eli_hold_function(void *own, eli_function *of, int set);

/* Record of a hold in a snapshot; rod may be NULL. */
void eli_hold_keep(eli_hold *hold, const elastica_rod_view *rod, eli_record *record);

/* Copies the present frame of an element. */
static inline void eli_frame_now(const elastica_rod_view *rod, int element, double director[9]) {
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) director[3 * a + b] = rod->director[a][b][element];
  }
}

#endif
