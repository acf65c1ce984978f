/* An element in contact with a solid: elastic layer and stick-slip friction.
 *
 * test       tests/test_obstacle_contact.c
 */
#ifndef ELI_LAYER_TOUCH_H
#define ELI_LAYER_TOUCH_H

#include "base/target.h"

#include "contact/layer.h"
#include "contact/stick_slip.h"

typedef struct eli_layer_law {
  eli_line_law line;
  double friction;                                /* mu */
  double tangential_ratio;                        /* k_t/k */
  double tangential_damping;                      /* [Pa s] */
  double damping_ratio, tangential_damping_ratio; /* ratios for the element's own mass on the layer and on the tangential spring; both
                                                   * dampers are added */
} eli_layer_law;

/* An element in contact, and its centre of pressure. */
typedef struct eli_layer_touch {
  eli_capsule capsule;
  eli_layer layer;
  eli_middle middle;
  double stiffness; /* k_t [N/m] */
  double damping;   /* c_t [kg/s] */
} eli_layer_touch;

/* Returns 0 if the element of a rod is certainly not in contact with the solid. Uses positions only. */
int eli_layer_is_near(const eli_solid *solid, const elastica_rod_view *rod, int j);

/* Returns 0 if all elements of a rod are certainly not in contact. */
int eli_layer_any_near(const eli_solid *solid, const elastica_rod_view *rod);

/* Makes a capsule of an element, or of a rigid body of this shape. */
void eli_layer_place(const eli_round *shape, const elastica_rod_view *rod, int j, eli_capsule *capsule);

/* Returns the law with both ratios converted to [Pa s]: c + 2 zeta sqrt(k m/M) for an element with mass m and measure M, including its
 * ends. */
eli_layer_law eli_layer_law_for(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_capsule *capsule);

/* Returns 0 if the element is not in contact. */
int eli_layer_touch_find(const eli_layer_law *law, const eli_round *shape, const eli_solid *solid, const elastica_rod_view *rod, int j,
                         eli_layer_touch *out);

/* Compute the friction force on the element: eli_layer_friction from the present history, eli_layer_step_friction after one more step, with
 * an update of the history. before is the solid at the start of the step; the contact is evaluated at the middle of the step. */
void eli_layer_friction(const eli_layer_law *law, const eli_stick_slip *from, const eli_layer_touch *of, double force[3]);
void eli_layer_step_friction(const eli_layer_law *law, eli_stick_slip *history, const elastica_rod_view *rod, int j,
                             const eli_solid *before, const eli_layer_touch *of, double dt, double force[3]);

/* Adds friction to the loads of the element. */
void eli_layer_push_friction(const eli_round *shape, const elastica_rod_view *rod, int j, const eli_layer_touch *of,
                             const double friction[3], const elastica_loads *loads);

#endif
