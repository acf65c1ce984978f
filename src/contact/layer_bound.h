/* Bounds for the step limit of an element near a convex solid.
 *
 * models     each point of the centre line that may touch until the next look, which stands for the length mu, has the quadratic form
 *            k mu (n . u)^2 of its displacement u, and that of the tangential spring, in which the surface turns as well. By (sum g x)^2 <=
 *            sum |g| sum |g| x^2 each number that moves the point gets its share. The force times the curvature of the distance and of
 *            the radius is added
 * test       tests/test_conformance_limit.c, tests/test_obstacle_contact.c
 */
#ifndef ELI_LAYER_BOUND_H
#define ELI_LAYER_BOUND_H

#include "base/target.h"

#include "contact/layer_touch.h"

/* Adds them. shape: of a rigid body. Of a rod counts what may touch until the next look: ELI_LOOK_INTERVAL steps, none longer than its axial
 * waves allow. A body counts wherever it is, since nothing else may bound its step. resolves 1: what may touch until then is to be resolved. */
void eli_layer_bound(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_capsule *capsule,
                     const eli_solid *solid, double horizon, int resolves, const elastica_stiffness *to);

/* 1: the element touches, or may touch within the next steps, and a step of dt is too long for that (contact/resolve.h). chooses: the library
 * chooses the step. */
int eli_layer_awaits(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_solid *solid,
                     double dt, int chooses);

/* 1: an element that touches is so deep in the core, or will be, that a step of dt is too long. */
int eli_layer_awaits_core(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_layer_touch *of, const eli_solid *solid,
                          double dt);

/* The same as eli_layer_bound where the solid is a body: for both. What of it may touch is within reach [m] of its centre. */
void eli_layer_bound_both(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_capsule *capsule,
                          const eli_solid *solid, double horizon, int resolves, const elastica_stiffness *to, const elastica_rod_view *body,
                          double reach, const elastica_stiffness *to_body);

#endif
