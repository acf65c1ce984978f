/* A node held or moved on chosen axes, and a frame held or moved: what a pin does, and a clamp to the end of a rod.
 *
 * models     r_i = R(t), v_i = dR/dt on the held axes; Q_j = P(t), omega_j = its spin if the frame is held
 * parameters eli_hold; without a motion R and P are constants
 *
 * The constrain hooks of a hold are for modules whose self has an eli_hold as its first member.
 */
#ifndef ELI_HOLD_H
#define ELI_HOLD_H

#include "base/target.h"

#include <elastica.h>

#include "base/module.h"
#include "base/record.h"

enum { ELI_SETTLED_FRAME = 8 };

typedef struct eli_hold {
  elastica_motion motion; /* NULL: at rest */
  void *user;
  elastica_world *world; /* to which a failure of the motion is explained; NULL: to none */
  int node, element;
  unsigned axes;    /* held axes of the node */
  unsigned settled; /* what of its place is where the rod was when it was described: axes, and ELI_SETTLED_FRAME */
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

/* The same; stands 1: without velocity and spin. */
elastica_status eli_hold_now(const eli_hold *hold, double time, int stands, eli_placement *placement);

/* Gives the module the constrain hooks that this hold needs: one without any runs steps faster. */
void eli_hold_set_hooks(const eli_hold *hold, elastica_module *module);

/* Whether all constrain hooks of a module are those of a hold: these write what is finite, and frames, or fail. */
int eli_hold_has_hooks(const elastica_module *module);

/* Whether the hold that is a module's self has a motion. One at rest writes the same constants again and again: with its velocities and
 * spins 0, no drift changes them, to the bit, because they have no negative zero. */
int eli_hold_moves(const void *self);

/* Whether it holds its node on all axes, at rest. */
int eli_hold_stops(const eli_hold *hold);

elastica_status eli_hold_check_axes(elastica_world *world, const char *field, unsigned axes);

/* The position of a hold whose node is chosen. A component that is not a number stands for where the node is now, or, on an axis that the
 * old hold (or NULL) held on the same node, for where that holds it. */
void eli_hold_choose_position(const elastica_rod_view *rod, const double position[3], const eli_hold *old, eli_hold *hold);

/* The components of position that were left to where the node was: where it is now. */
void eli_hold_settle_position(const elastica_rod_view *rod, eli_hold *hold);

/* Where a hold has -0.0 it is made 0.0 (see eli_hold_moves). */
void eli_hold_drop_negative_zeros(eli_hold *hold);

/* Tells or sets its motion (see eli_built_in); for modules as above. */
void eli_hold_function(void *own, eli_function *of, int set);

/* A hold of this rod, or of none, in a snapshot. */
void eli_hold_keep(eli_hold *hold, const elastica_rod_view *rod, eli_record *record);

/* The frame of an element now. */
static inline void eli_frame_now(const elastica_rod_view *rod, int element, double director[9]) {
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) director[3 * a + b] = rod->director[a][b][element];
  }
}

#endif
