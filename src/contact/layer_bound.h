/* Bounds for the limit check of an element near a convex solid.
 *
 * models     Each point of the centre line that may come into contact before the next limit check represents a length mu. It has the
 *            quadratic form k mu (n . u)^2 of its displacement u, and that of the tangential spring, in which the surface turns as well. By
 *            (sum g x)^2 <= sum |g| sum |g| x^2 each degree of freedom that moves the point gets its share. The force times the curvature
 *            of the distance and of the radius is added
 * test       tests/test_conformance_limit.c, tests/test_obstacle_contact.c
 */
#ifndef ELI_LAYER_BOUND_H
#define ELI_LAYER_BOUND_H

#include "base/target.h"

#include "contact/layer_touch.h"

/* Adds the bounds of an element. shape is that of a rigid body. For a rod, contacts that may begin before the next limit check are
 * included: within ELI_LOOK_INTERVAL steps, none longer than its axial waves allow. A rigid body is included at any distance, since nothing
 * else may bound its step. resolves 1: contacts that may begin until then are to be resolved. */
void eli_layer_bound(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_capsule *capsule,
                     const eli_placed_solid *solid, double horizon, int resolves, const elastica_stiffness *to);

/* Returns 1 if the element is in contact, or may be within the next steps, and a step of dt is too long for it (contact/resolve.h). chooses
 * is 1 if the library chooses the step. */
int eli_layer_awaits(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_placed_solid *solid,
                     double dt, int chooses);

/* Returns 1 if an element in contact is, or will be, so deep in the core that a step of dt is too long. */
int eli_layer_awaits_core(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_layer_touch *of,
                          const eli_placed_solid *solid, double dt);

/* As eli_layer_bound, for a solid that is a rigid body; adds the bounds of both. The part of the body that may be in contact lies within
 * reach [m] of its centre. */
void eli_layer_bound_both(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_capsule *capsule,
                          const eli_placed_solid *solid, double horizon, int resolves, const elastica_stiffness *to,
                          const elastica_rod_view *body, double reach, const elastica_stiffness *to_body);

#endif
