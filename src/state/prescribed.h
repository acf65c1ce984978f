/* Prescribed position of a node on chosen axes and prescribed frame of an element, constant or moving: the law of boundaries.
 *
 * models     r_i = R(t), v_i = dR/dt on the prescribed axes; Q_j = P(t), omega_j = spin of P if the frame is prescribed
 * parameters eli_prescribed; without a motion R and P are constants
 *
 * The constrain hooks require a module with an eli_prescribed as the first member of its self.
 */
#ifndef ELI_PRESCRIBED_H
#define ELI_PRESCRIBED_H

#include "base/target.h"

#include <elastica.h>

#include "base/record.h"
#include "state/module.h"

typedef struct eli_prescribed {
  elastica_motion motion; /* NULL: constant */
  void *user;
  elastica_world *world; /* receives the reason of a failed motion; NULL: none does */
  int node, element;
  unsigned axes; /* axes with a prescribed position */
  int hold_frame;
  double position[3];
  double director[9];
} eli_prescribed;

/* Position, frame and their rates at one time. */
typedef struct eli_placement {
  double position[3], velocity[3];
  double director[9], omega[3];
} eli_placement;

/* Computes the prescribed placement at a time. Returns CALLBACK_FAILED if the motion fails, or writes a number that is not finite or a
 * frame that is not orthonormal. The world then receives the reason (eli_world_explain); for this `prescribed` must lie in the self of its
 * effect. */
elastica_status eli_prescribed_at(const eli_prescribed *prescribed, double time, eli_placement *placement);

/* Computes the same, with velocity and spin zero if stands is 1. */
elastica_status eli_prescribed_now(const eli_prescribed *prescribed, double time, int stands, eli_placement *placement);

/* Sets only the constrain hooks that these constraints need, because a module without hooks costs nothing in a step. */
void eli_prescribed_set_hooks(const eli_prescribed *prescribed, elastica_module *module);

/* Returns 1 if all constrain hooks of the module are those of this file: they write finite numbers and frames, or fail. */
int eli_prescribed_has_hooks(const elastica_module *module);

/* Returns 1 if self, an eli_prescribed, has a motion. Without one the hooks write the same constants in every step. With velocities and
 * spins 0 the drift reproduces them to the bit, because they contain no negative zero. */
int eli_prescribed_moves(const void *self);

/* Returns 1 if the node is fixed on all axes. */
int eli_prescribed_fixes_node(const eli_prescribed *prescribed);

/* Gets or sets the motion (see eli_built_in.function), for modules with an eli_prescribed as the first member of self. */
void eli_prescribed_function(void *own, eli_function *of, int set);

/* Record of a prescribed placement in a snapshot; rod may be NULL. */
void eli_prescribed_keep(eli_prescribed *prescribed, const elastica_rod_view *rod, eli_record *record);

/* Copies the present frame of an element. */
static inline void eli_frame_now(const elastica_rod_view *rod, int element, double director[9]) {
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) director[3 * a + b] = rod->director[a][b][element];
  }
}

#endif
