/* The constitutive law: the section of an element, the resultants that strains give, their slopes, their energy, and the bounds of the
 * step. It stands only here.
 *
 * equations  (2.11) element  n = S (sigma - sigma0)/e
 *            (2.8)  joint    tau = B (kappa - kappa0)/E^3, with S/e and B/E^3 by (2.10); classical law: e = E = 1
 *            energies        lhat (sigma - sigma0) . S (sigma - sigma0)/2 and Dhat (kappa - kappa0) . B (kappa - kappa0)/(2 E^3)
 * forms      Functions on single numbers, for everything outside the kernels. Then the same on vectors of slots, for the kernels, which
 *            measure edges and half angles instead of strains: n = (S/lhat) Q d - S (sigma0 + d3) and tau = (2 B/Dhat) half - B kappa0,
 *            with factors that are prepared in lanes. A change of the law changes all of them. Callers take the constants as a whole.
 * test       tests/test_law.c
 */
#ifndef ELI_LAW_H
#define ELI_LAW_H

#include "base/target.h"

#include <elastica.h>
#include <math.h>

#include "base/elementary.h"

#define ELI_LAW_INLINE static inline __attribute__((always_inline))

/* ---- The section ---- */

/* The radius of the circular section of an element: r = sqrt(V/(pi l)), as its volume is constant. */
static inline double eli_radius(double volume, double length) {
  return sqrt(volume / (ELI_PI * length));
}

/* ---- Constants ---- */

/* The constants that a rod has from its definition (rod/rod_def.c). From each row follow a lane (slab/slab.h), an array of the data of a
 * definition (rod/rod_data.h), the member of the view with the same name (state/access.c), and the part in snapshots:
 *
 *   ROW(kind, LANE, name, width, place, plain, name in snapshots, name in messages, range, origin)
 *
 * kind CONSTANT: a snapshot refuses a rod with other values; LANE: it keeps the values, or with the name NULL they follow from others. A
 * number of the whole rod takes the place NODE: each slot has it, as those of elements, of joints and of the ghost of a ring. */
#define ELI_LAW_CONSTANTS(ROW, LANE, CONSTANT)                                                                                             \
  ROW(CONSTANT, SHEAR_STIFFNESS, shear_stiffness, 3, ELEMENT, 0, "shear_stiffness", "shear stiffness", FINITE,                             \
      "lengths, radius and moduli") /* S */                                                                                                \
  ROW(CONSTANT, ELEMENT_BEND, element_bend_stiffness, 3, ELEMENT, 0, "bend_stiffness", "bend stiffness", FINITE,                           \
      "lengths, radius and moduli") /* B of the element */                                                                                 \
  ROW(LANE, BEND, bend_stiffness, 3, JOINT, 0, NULL, "bend stiffness of joints", FINITE, "lengths, radius and moduli") /* B */             \
  ROW(LANE, REST_JOINT_LENGTH, rest_joint_length, 1, JOINT, 0, NULL, "", ANY, "")                                      /* Dhat */          \
  ROW(LANE, REST_CURVATURE, rest_curvature, 3, JOINT, 0, "rest_curvature", "rest curvature", FINITE, "positions, frames and rest shape")   \
  ROW(LANE, REST_STRAIN, rest_strain, 3, ELEMENT, 0, "rest_strain", "rest strain", FINITE, "positions, frames and rest shape")

/* Those of an element, a joint, or the half-cell between the end of a rod and its support. */
typedef struct eli_elastic_constants {
  double stiffness[3]; /* S [N] or B [N m^2] */
  double rest[3];      /* sigma0 or kappa0 [1/m] */
  double length;       /* lhat or Dhat [m] */
  double rescaling;    /* e or E^3; 1 in the classical law */
} eli_elastic_constants;

/* E^3 of a joint, or of a half-cell with the dilatation of its element. */
ELI_LAW_INLINE double eli_joint_rescaling(double dilatation) {
  return dilatation * dilatation * dilatation;
}

/* The elements on either side of a joint. */
static inline int eli_element_before(const elastica_rod_view *view, int joint) {
  return !view->closed ? joint : joint > 0 ? joint - 1 : view->element_count - 1;
}

static inline int eli_element_after(const elastica_rod_view *view, int joint) {
  return view->closed ? joint : joint + 1;
}

static inline eli_elastic_constants eli_element_constants(const elastica_rod_view *view, int j) {
  assert(j >= 0 && j < view->element_count);
  eli_elastic_constants law = {.length = view->rest_length[j], .rescaling = view->classical_law ? 1.0 : view->dilatation[j]};
  for (int a = 0; a < 3; a++) {
    law.stiffness[a] = view->shear_stiffness[a][j];
    law.rest[a] = view->rest_strain[a][j];
  }
  return law;
}

static inline eli_elastic_constants eli_joint_constants(const elastica_rod_view *view, int k) {
  assert(k >= 0 && k < view->joint_count);
  const double rest = view->rest_joint_length[k];
  const double length = 0.5 * (view->length[eli_element_before(view, k)] + view->length[eli_element_after(view, k)]);
  eli_elastic_constants law = {.length = rest, .rescaling = view->classical_law ? 1.0 : eli_joint_rescaling(length / rest)};
  for (int a = 0; a < 3; a++) {
    law.stiffness[a] = view->bend_stiffness[a][k];
    law.rest[a] = view->rest_curvature[a][k];
  }
  return law;
}

/* The half-cell at an end of a rod, with the frame of element j. It has the rest curvature of the nearest joint. */
ELI_LAW_INLINE eli_elastic_constants eli_half_cell_constants(const elastica_rod_view *view, int j, int at_last, double dilatation) {
  const int joint = at_last ? view->joint_count - 1 : 0;
  eli_elastic_constants law = {.length = 0.5 * view->rest_length[j],
                               .rescaling = eli_joint_rescaling(view->classical_law ? 1.0 : dilatation)};
  for (int a = 0; a < 3; a++) {
    law.stiffness[a] = view->element_bend_stiffness[a][j];
    law.rest[a] = view->joint_count > 0 ? view->rest_curvature[a][joint] : 0.0;
  }
  return law;
}

/* ---- Resultants and energy ---- */

/* n of the strain, or tau of the curvature. */
static inline void eli_law_resultant(const eli_elastic_constants *law, const double strain[3], double resultant[3]) {
  for (int a = 0; a < 3; a++) resultant[a] = law->stiffness[a] * (strain[a] - law->rest[a]) / law->rescaling;
}

/* (x - x0) . K (x - x0) */
static inline double eli_law_form(const eli_elastic_constants *law, const double x[3]) {
  double form = 0.0;
  for (int a = 0; a < 3; a++) form += law->stiffness[a] * ((x[a] - law->rest[a]) * (x[a] - law->rest[a]));
  return form;
}

/* Twice the energies [J]. Only the one of a joint depends on its dilatation. */
static inline double eli_twice_element_energy(const eli_elastic_constants *law, const double sigma[3]) {
  return eli_law_form(law, sigma) * law->length;
}

static inline double eli_twice_joint_energy(const eli_elastic_constants *law, const double kappa[3]) {
  return eli_law_form(law, kappa) * law->length / law->rescaling;
}

/* ---- Slopes ---- */

/* dn/da of an element on its diagonal, with the edge a = Q d [N/m]: S over lhat, or in the rescaled law over the length l. There the
 * decrease of 1/e adds -n a^T/l^2. */
static inline double eli_edge_slope(const eli_elastic_constants *law, int axis, double l, int classical) {
  return law->stiffness[axis] / (classical ? law->length : l);
}

/* -dtau/dl of either element of a joint with the mean length D is ELI_COUPLE_BY_LENGTH tau/D in the rescaled law, where E^3 goes with D^3;
 * 0 in the classical law. */
#define ELI_COUPLE_BY_LENGTH 1.5

/* A joint or half-cell in terms of its angle. */
typedef struct eli_bent_joint {
  double spring[3]; /* dtau/dtheta [N m], diagonal */
  double couple[3]; /* tau [N m] */
  double energy[3]; /* twice the energy of each axis [J] */
} eli_bent_joint;

/* The joint at the angle theta = Dhat kappa: dtau/dtheta = B/(Dhat E^3). */
ELI_LAW_INLINE void eli_bend_by(eli_bent_joint *turned, const eli_elastic_constants *law, const double theta[3]) {
  const double slope = 1.0 / (law->length * law->rescaling);
  for (int a = 0; a < 3; a++) {
    const double excess = theta[a] - law->length * law->rest[a];
    turned->spring[a] = law->stiffness[a] * slope;
    turned->couple[a] = turned->spring[a] * excess;
    turned->energy[a] = excess * turned->couple[a];
  }
}

ELI_LAW_INLINE double eli_bend_energy(const eli_bent_joint *turned) {
  return 0.5 * (turned->energy[0] + turned->energy[1] + turned->energy[2]);
}

/* m += c K with K = dtau/dtheta; by rows. */
ELI_LAW_INLINE void eli_add_bend_slope(const eli_bent_joint *turned, const double c[9], double m[9]) {
  for (int a = 0; a < 9; a++) m[a] += c[a] * turned->spring[a % 3];
}

/* An element as a spring: the least of its stiffnesses against bending and twist [N m], or that against stretch [N/m]. */
static inline double eli_element_spring(const elastica_rod_view *view, int j, int turning) {
  double own = turning ? INFINITY : view->shear_stiffness[2][j];
  for (int a = 0; a < 3 && turning; a++)
    if (view->element_bend_stiffness[a][j] < own) own = view->element_bend_stiffness[a][j];
  return own / view->rest_length[j];
}

/* The length [m] of an end element between its frame, in its middle, and a point at `share` between its nodes that is nearer to the end of
 * the rod. 0 if no end is nearer to the point than the frame is: there the rod goes on, and its joints bend. */
static inline double eli_half_cell_length(const elastica_rod_view *view, int j, double share) {
  const int towards_first = share < 0.5 && j == 0, towards_last = share > 0.5 && j == view->element_count - 1;
  if (view->rigid || view->closed || !(towards_first || towards_last)) return 0.0;
  return (towards_first ? 0.5 - share : share - 0.5) * view->rest_length[j];
}

/* ---- Bounds ---- */

/* c in the bound c dtau/dtheta + |tau|/2 of the stiffness of a joint: 1 + theta^2/4 for the papers' couple, ((theta/2)/sin(theta/2))^2 for
 * the exact one. quarter: theta^2/4; h = sin^2(theta/2): for small angles the quotient is 0/0, and 1 + theta^2/4 lies above it anyway. */
static inline double eli_bend_bound_factor(double quarter, double h, int exact) {
  return exact && h > 1e-6 ? quarter / h : 1.0 + quarter;
}

static inline double eli_bend_bound(const eli_bent_joint *turned, double factor) {
  double spring = turned->spring[0];
  for (int a = 1; a < 3; a++)
    if (turned->spring[a] > spring) spring = turned->spring[a];
  const double *tau = turned->couple;
  return factor * spring + 0.5 * sqrt(tau[0] * tau[0] + tau[1] * tau[1] + tau[2] * tau[2]);
}

/* The motion that is allowed between two limit checks. The bounds of a check must hold for it, up to the growth by ELI_WATCHED_GROWTH of
 * the stiffness (tests/test_law.c). They do because no slope depends on strain or angle: the bound of a joint only grows with theta^2/4
 * and |tau|/2. A law with slopes that grow with the angle must allow less here, or take the slope in its bounds at the largest angle
 * that is allowed. */
#define ELI_WATCHED_GROWTH 0.12

/* The largest angle of a joint [rad], of the shear sqrt(sigma1^2 + sigma2^2), and the largest relative change of a dilatation, from the
 * largest values in the world at the check. */
static inline double eli_watched_turn(double turn) {
  return turn + 0.2;
}

static inline double eli_watched_shear(double shear) {
  return shear + 0.1;
}

#define ELI_WATCHED_STRETCH 0.1

/* An element requests a limit check when l^2 leaves (1 +- ELI_WATCHED_RANGE) WATCHED_LENGTH2. */
#define ELI_WATCHED_CENTRE (1.0 + ELI_WATCHED_STRETCH * ELI_WATCHED_STRETCH)
#define ELI_WATCHED_RANGE (2.0 * ELI_WATCHED_STRETCH / ELI_WATCHED_CENTRE)

/* The dilatation that a tension along d3 gives, without end where the rescaled law cannot bear it: there n3 = S3 (e - 1 - sigma0)/e is
 * never above S3. */
static inline double eli_dilatation_under(const elastica_rod_view *view, int j, double tension) {
  const double share = tension / view->shear_stiffness[2][j], rest = 1.0 + view->rest_strain[2][j];
  if (view->classical_law) return rest + share;
  return share < 1.0 ? rest / (1.0 - share) : INFINITY;
}

/* The dilatation beyond which the frames of a stretched element fall over: its tension S3 (e - 1 - sigma0) exceeds S1 e. Infinite where it
 * never does. */
static inline double eli_falling_dilatation(const elastica_rod_view *view, int j) {
  const double s1 = view->shear_stiffness[0][j], s2 = view->shear_stiffness[1][j], s3 = view->shear_stiffness[2][j];
  const double shear = s1 < s2 ? s1 : s2;
  return s3 > shear ? s3 * (1.0 + view->rest_strain[2][j]) / (s3 - shear) : INFINITY;
}

/* ---- Factors of the kernels, from the constants of a slot ---- */

/* S/lhat and S (sigma0 + d3). */
static inline double eli_stiffness_per_length(double stiffness, double per_length) {
  return stiffness * per_length;
}

static inline double eli_rest_stress(double stiffness, double rest_strain, int axis) {
  return stiffness * (rest_strain + (axis == 2 ? 1.0 : 0.0));
}

/* 2 B/Dhat and B kappa0. */
static inline double eli_bend_per_half_angle(double stiffness, double per_length) {
  return 2.0 * stiffness * per_length;
}

static inline double eli_rest_couple(double stiffness, double rest_curvature) {
  return stiffness * rest_curvature;
}

#endif

/* ---- Vectors of slots: where kernels/vectors.h was included before ---- */

#if defined(ELI_VECTORS_ARE_DEFINED) && !defined(ELI_LAW_OF_SLOTS)
#define ELI_LAW_OF_SLOTS

/* The classical stress S (sigma - sigma0) of an element from its edge Q d, and the classical couple B (kappa - kappa0) of a joint from half
 * of its angle, by the factors in the lanes of their slots (rod/rod.c). */
ELI_INLINE V3 law_stress(lanes rod, ptrdiff_t j, V3 edge) {
  return times_minus(get3(rod, ELI_STIFFNESS_PER_LENGTH, j), edge, get3(rod, ELI_REST_STRESS, j));
}

ELI_INLINE V3 law_couple(lanes rod, ptrdiff_t k, V3 half) {
  return times_minus(get3(rod, ELI_BEND_PER_HALF_ANGLE, k), half, get3(rod, ELI_REST_COUPLE, k));
}

/* The factors of the rescaled law, 1/e and 1/E^3, by one division. before: the length of the element before. */
typedef struct Rescaling {
  V element, joint;
} Rescaling;

ELI_INLINE Rescaling law_rescaling(V l, V per_rest_length, V before, V per_rest_joint_length) {
  const V e = l * per_rest_length;
  const V E = all(0.5) * (before + l) * per_rest_joint_length, E3 = E * E * E;
  const V per = all(1.0) / (e * E3);
  return (Rescaling){per * E3, per * e};
}

/* c as in eli_bend_bound_factor(); for the exact couple by its series, with a last term that bounds the remainder up to theta = 3. */
ELI_INLINE V law_bend_bound_factor(V quarter, const int exact) {
  const V one = all(1.0), tail = madd(quarter, madd(quarter, all(0.0153), all(1.0 / 15.0)), all(1.0 / 3.0));
  return madd(quarter, exact ? tail : one, one);
}

/* The stiffness bounds of a joint against bending, by the larger of axes 1 and 2, and against torsion. D: its mean length; half: half of
 * its angle; size_of_couple: |tau|. */
typedef struct JointBound {
  V bending, torsion, factor;
} JointBound;

ELI_INLINE JointBound law_joint_bound(lanes rod, ptrdiff_t k, V D, V3 half, V size_of_couple, const int classical, const int exact) {
  const V3 B = get3(rod, ELI_BEND, k);
  const V per_rest_length = get(rod, ELI_INVERSE_REST_JOINT_LENGTH, k);
  const V one = all(1.0), tension = all(0.5) * size_of_couple;
  const V E = D * per_rest_length, E3 = E * E * E, per_E3 = one / (classical ? one : E3);
  const V factor = law_bend_bound_factor(dot(half, half), exact), stiff = factor * (per_rest_length * per_E3);
  return (JointBound){madd(stiff, larger(B.x, B.y), tension), madd(stiff, B.z, tension), factor};
}

/* dn/da as eli_edge_slope(). Most sections are alike on both axes, and divisions are most of the cost. */
ELI_INLINE V3 law_edge_slope(V3 S, V rest_length, V l, const int classical) {
  const V base = classical ? rest_length : l, first = S.x / base;
  return (V3){first, quotient_like(S.y, base, S.x, first), S.z / base};
}

/* The constants of joints. TAKE(lane) reads a vector of slots. */
typedef struct JointLaw {
  V stiffness[3], rest[3], length;
} JointLaw;

#define LAW_OF_JOINTS(TAKE)                                                                                                                \
  {                                                                                                                                        \
    .stiffness = {TAKE(ELI_BEND), TAKE(ELI_BEND + 1), TAKE(ELI_BEND + 2)},                                                                 \
    .rest = {TAKE(ELI_REST_CURVATURE), TAKE(ELI_REST_CURVATURE + 1), TAKE(ELI_REST_CURVATURE + 2)}, .length = TAKE(ELI_REST_JOINT_LENGTH)  \
  }

/* Joints at their angle theta, as eli_bend_by(): their slopes, and the elastic couple. Nothing is fused. */
typedef struct BentJoint {
  V spring[3], couple[3];
} BentJoint;

/* Multiplied by a factor. D: the mean lengths of the rescaled law. */
ELI_INLINE void law_bend(const JointLaw *law, V D, V factor, const V theta[3], const int classical, BentJoint *bent) {
  const V one = all(1.0), E = D / law->length, E3 = E * E * E, slope = factor * (one / (law->length * (classical ? one : E3)));
  for (int a = 0; a < 3; a++) {
    bent->spring[a] = slope * law->stiffness[a];
    bent->couple[a] = bent->spring[a] * (theta[a] - law->length * law->rest[a]);
  }
}

/* m = g K + h with K = dtau/dtheta; by rows. */
ELI_INLINE void law_add_bend_slope(const BentJoint *bent, const V g[9], const V h[9], V m[9]) {
  for (int k = 0; k < 9; k++) m[k] = g[k] * bent->spring[k % 3] + h[k];
}

ELI_INLINE V law_couple_by_length(V D) {
  return all(ELI_COUPLE_BY_LENGTH) / D;
}

#endif
