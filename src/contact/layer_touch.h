/* The layer of an element on a solid, with friction that sticks: what the law makes of a contact.
 *
 * test       tests/test_obstacle_contact.c
 */
#ifndef ELI_LAYER_TOUCH_H
#define ELI_LAYER_TOUCH_H

#include "base/target.h"

#include "contact/layer.h"
#include "contact/rub.h"

typedef struct eli_layer_law {
  eli_line_law line;
  double friction;                                /* mu */
  double tangential_ratio;                        /* k_t/k */
  double tangential_damping;                      /* [Pa s] */
  double damping_ratio, tangential_damping_ratio; /* of the element's own mass on the layer, and on the tangential spring; both are added */
} eli_layer_law;

/* An element that touches, and the middle of its contact. */
typedef struct eli_layer_touch {
  eli_capsule capsule;
  eli_layer layer;
  eli_middle middle;
  double stiffness; /* k_t [N/m] */
  double damping;   /* c_t [kg/s] */
} eli_layer_touch;

/* 0: the element of a rod is certainly away from the solid. By its positions alone. */
int eli_layer_is_near(const eli_solid *solid, const elastica_rod_view *rod, int j);

/* The same of all elements of a rod. */
int eli_layer_any_near(const eli_solid *solid, const elastica_rod_view *rod);

/* An element, or a rigid body of this shape, as a capsule. */
void eli_layer_place(const eli_round *shape, const elastica_rod_view *rod, int j, eli_capsule *capsule);

/* The law with both ratios as [Pa s]: c + 2 zeta sqrt(k m/M), the element having the mass m and the measure M with its ends. */
eli_layer_law eli_layer_law_for(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_capsule *capsule);

/* 0: it does not touch. */
int eli_layer_touch_find(const eli_layer_law *law, const eli_round *shape, const eli_solid *solid, const elastica_rod_view *rod, int j,
                         eli_layer_touch *out);

/* The force of friction on the element: as it stands, and after another step, by which its history moves. before: the solid at the start of
 * the step, in whose middle it touches. */
void eli_layer_friction(const eli_layer_law *law, const eli_rub *from, const eli_layer_touch *of, double force[3]);
void eli_layer_rub(const eli_layer_law *law, eli_rub *rub, const elastica_rod_view *rod, int j, const eli_solid *before,
                   const eli_layer_touch *of, double dt, double force[3]);

/* Adds friction to the loads of the element. */
void eli_layer_push_friction(const eli_round *shape, const elastica_rod_view *rod, int j, const eli_layer_touch *of,
                             const double friction[3], const elastica_loads *loads);

#endif
