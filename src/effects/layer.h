/* An element in contact with a convex solid: the depth of the overlap and the resulting force.
 *
 * models     the element as a capsule, an elastic layer with a core on its surface; plane, ball, capsule, cylinder or box, at rest or in
 *            motion
 * equation   eps(s) = r - signed distance of the centre line from the solid;  U = int (k <eps>^2/2 + A k r0^2 <x>^7) dmu, with
 *            x = (eps/r0 - 1/10)/(9/10), A = 500, the radius r0 at rest, and mu and the damper of line.h
 * source     Winkler foundation. The signed distance from a convex set is a convex function along a line. Therefore the part in contact is
 *            one interval, and Newton's method converges to its ends from outside without overshoot
 * conserves  momentum and angular momentum together with the solid; energy with U
 * test       tests/test_obstacle_contact.c, tests/test_obstacle_core.c
 *
 * The interval is cut at the onset of the core, and at the points with a change of the nearest feature of the solid from a face to an edge,
 * so that Gauss points sample a smooth function. For a plane, four points are exact for U and for the forces on both ends, which are
 * polynomials of degree 7 in s. A centre line that reaches the surface has done 1001 times the work that the layer alone would take.
 */
#ifndef ELI_LAYER_H
#define ELI_LAYER_H

#include "base/target.h"

#include "contact/capsule.h"
#include "contact/line.h"
#include "contact/stick_slip.h"
#include "effects/solid.h"
#include "state/prescribed.h"

/* An obstacle with its position and motion. */
typedef struct eli_placed_solid {
  eli_obstacle obstacle;
  eli_placement place;
  double spin[3]; /* [rad/s] laboratory */
} eli_placed_solid;

/* The loads on the element; all are sums over the part in contact. */
typedef struct eli_layer {
  double force[2][3]; /* [N] on its ends */
  double total[3];    /* [N] their sum */
  double moment[3];   /* [N m] moment of the total about the solid's position */
  double pressure;    /* [N] sum of the normal forces */
  double elastic;     /* [N] the same without the damper */
  double along;       /* [N] sum of normal force times position, 0..1 */
  double extent;      /* [m] mu in contact */
  double energy;      /* U [J] */
  double depth;       /* [m] the largest eps of its points */
  double low, high;   /* the part of the centre line in contact, 0..1 */
} eli_layer;

/* The centre of pressure of a contact. */
typedef struct eli_middle {
  double share;     /* position along the element, 0..1 */
  double normal[3]; /* unit vector from the solid to the element */
  double point[3];  /* [m] on the surface of the solid */
  double lever[3];  /* [m] vector to that point from the centre line */
} eli_middle;

/* The onset of the core, as an overlap in radii at rest; and A. */
#define ELI_LAYER_ONSET 0.1
#define ELI_LAYER_STRENGTH 500.0

/* Makes a solid from an obstacle and its placement. */
eli_placed_solid eli_solid_at(const eli_obstacle *obstacle, const eli_placement *place);

/* Computes the loads on the element. Returns 1 if there is contact; otherwise it returns 0 and writes nothing. */
int eli_layer_find(const eli_capsule *capsule, const eli_placed_solid *solid, const eli_line_law *law, eli_layer *out);

/* Compares distances and gradients of a function of the user along the centre line and beside it, in all directions, and along its way in
 * the last dt [s]; an error is recorded in its fault. Other shapes are not checked. */
void eli_layer_check_surface(const eli_capsule *capsule, const eli_placed_solid *solid, double dt);

/* Returns the least distance between two positions on the centre line, or a value lower by at most tolerance [m]. */
double eli_layer_least_distance(const eli_capsule *capsule, const eli_placed_solid *solid, double low, double high, double tolerance);

/* A point of a centre line closer to the surface than this, in radii, counts as on it. */
#define ELI_LAYER_NEAR 0.02

/* Returns 1 if a point of the centre line reaches the surface of the solid while both keep their present velocities, from the middle of the
 * previous step to the end of this one. The capsule is given at the middle of this step. */
int eli_layer_crosses(const eli_capsule *capsule, const eli_placed_solid *solid, double dt);

/* Returns 0 if eli_layer_crosses() is certainly 0. depth [m] is the largest overlap of the Gauss points, 0 without contact. */
int eli_layer_may_cross(const eli_capsule *capsule, double depth, const eli_placed_solid *solid, double dt);

void eli_layer_middle(const eli_capsule *capsule, const eli_placed_solid *solid, const eli_layer *layer, eli_middle *out);

/* ---- Elements of rods and round bodies ---- */

/* Adds the tension of a volume-conserving element: a shorter element is thicker and overlaps more (classical law). elastic [N] is the force
 * of the layer; length and tangent are those of the element. */
void eli_capsule_add_tension(const eli_capsule *capsule, double length, const double tangent[3], double elastic, double force[2][3]);

/* The motion of an element or a round body in a step of any length: the displacements [m] of its ends and its turn [rad] since the start,
 * laboratory, and its present spin [rad/s]. Present velocities are those of its capsule. */
typedef struct eli_capsule_motion {
  double moved[2][3], turned[3], spin[3];
} eli_capsule_motion;

/* rod has the present state, moved its displacements as velocities. */
void eli_capsule_read_motion(const eli_round *shape, const elastica_rod_view *rod, const elastica_rod_view *moved, int j,
                             eli_capsule_motion *out);

/* ---- The stiffness of contacts by differences of their loads ----
 *
 * In a stage of an implicit step, with friction, and of rigid bodies. In a stage the velocities are functions of the positions, so dampers
 * add to the stiffness. Friction depends on the displacements and turns since the start of the step; at rest, since the present state,
 * which is the last accepted one. Arguments are six displacements of the ends of an element, then three turns about its directors. A rigid
 * body is displaced by its centre, which takes the place of the first end, and turned as a whole. Loads are the forces on both ends and
 * the couple of friction, laboratory; or both at the centre of a body.
 */

enum { ELI_DISPLACED_ENDS = 6, ELI_DISPLACEMENTS = 9 };

/* An element or a body, possibly displaced, beside its capsule. */
typedef struct eli_displaced {
  const elastica_rod_view *rod;
  int element;
  double rate;      /* [1/s] change of a velocity per change of its position; 0 at rest */
  double centre[3]; /* [m] of a body */
  eli_capsule_motion motion;
} eli_displaced;

/* At the present position, without motion; a body has its present spin. */
eli_displaced eli_displaced_at(const elastica_rod_view *rod, int j);

/* Returns 0 for an argument without effect. */
int eli_displaced_has(const eli_displaced *at, int argument, int is_rough);

/* Displaces an end or the centre along an axis, or turns the frame about a director, by a small amount. Writes the shift of the centre of
 * a body and the turn, laboratory. */
void eli_displace(eli_displaced *at, eli_capsule *capsule, int argument, double by, double shift[3], double turn[3]);

/* Add to the loads: the tension of an element (eli_capsule_add_tension), nothing for a body; a force at this share of the length with this
 * lever. eli_displaced_centre moves the loads on the ends of a body to its centre. */
void eli_displaced_add_tension(const eli_displaced *at, const eli_capsule *capsule, double elastic, double force[2][3]);
void eli_displaced_add_force(double share, const double lever[3], const double own[3], double force[2][3], double couple[3]);
void eli_displaced_centre(const eli_displaced *at, const eli_capsule *capsule, double force[2][3], double couple[3]);

/* Adds to the stiffness, from this row and column on: a couple that is constant in the laboratory changes its components m as the frame
 * turns, director k by d_b x d_k. */
void eli_add_turning_frame(const double m[3], int first, eli_contact_stiffness *out);

/* ---- Contact with friction ---- */

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
int eli_layer_is_near(const eli_placed_solid *solid, const elastica_rod_view *rod, int j);

/* Returns 0 if all elements of a rod are certainly not in contact. */
int eli_layer_any_near(const eli_placed_solid *solid, const elastica_rod_view *rod);

/* Makes a capsule of an element, or of a rigid body of this shape. */
void eli_layer_place(const eli_round *shape, const elastica_rod_view *rod, int j, eli_capsule *capsule);

/* Returns 0 if the element is not in contact. */
int eli_layer_touch_find(const eli_layer_law *law, const eli_round *shape, const eli_placed_solid *solid, const elastica_rod_view *rod,
                         int j, eli_layer_touch *out);

/* The same for the capsule in out, which may be displaced. */
int eli_layer_touch_placed(const eli_layer_law *law, const eli_placed_solid *solid, const elastica_rod_view *rod, int j,
                           eli_layer_touch *out);

/* ---- Bounds for the step limit ----
 *
 * models     Each point of the centre line that may come into contact before the next limit check represents a length mu. It has the
 *            quadratic form k mu (n . u)^2 of its displacement u, and that of the tangential spring, in which the surface turns as well. By
 *            (sum g x)^2 <= sum |g| sum |g| x^2 each degree of freedom that moves the point gets its share. The force times the curvature
 *            of the distance and of the radius is added
 * test       tests/test_conformance_limit.c, tests/test_obstacle_contact.c
 */

/* Adds the bounds of an element. shape is that of a rigid body. For a rod, contacts that may begin before the next limit check are
 * included: within ELI_LIMIT_CHECK_INTERVAL steps, none longer than its axial waves allow. A rigid body is included at any distance, since
 * nothing else may bound its step. resolves 1: contacts that may begin until then are to be resolved. */
void eli_layer_bound(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_capsule *capsule,
                     const eli_placed_solid *solid, double horizon, int resolves, const elastica_stiffness *to);

/* Returns 1 if the element is in contact, or may be within the next steps, and a step of dt is too long for it (effects/resolve.h). chooses
 * is 1 if the library chooses the step, and watches then 1 if contacts with dampers that begin may be missing in the last limit check. */
int eli_layer_awaits(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_placed_solid *solid,
                     double dt, int chooses, int watches);

/* Returns 1 if a contact of the element begins within the next steps, or has begun within the last one. */
int eli_layer_begins(const eli_round *shape, const elastica_rod_view *rod, int j, const eli_placed_solid *solid, double dt);

/* Returns 1 if an element in contact is, or will be, so deep in the core that a step of dt is too long. */
int eli_layer_awaits_core(const eli_layer_law *law, const elastica_rod_view *rod, int j, const eli_layer_touch *of,
                          const eli_placed_solid *solid, double dt);

/* Adds bounds like eli_layer_bound for a solid that is a rigid body, to the element and to the body. The part of the body that may be in
 * contact lies within reach [m] of its centre. */
void eli_layer_bound_both(const eli_layer_law *law, const eli_round *shape, const elastica_rod_view *rod, int j, const eli_capsule *capsule,
                          const eli_placed_solid *solid, double horizon, int resolves, const elastica_stiffness *to,
                          const elastica_rod_view *body, double reach, const elastica_stiffness *to_body);

#endif
