/* The body of muscular_snake: a soft snake on the ground with antagonistic pairs of muscles between tendons.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", and their program
 * settings  those of the authors' program. The body is 100 elements on a plane with anisotropic friction; muscles lie beside its axis,
 *           at half its radius; one element of a muscle spans three of the body. Tendons are 50,000 times as stiff as flesh against
 *           stretch and shear. Tension F = R(t) (A/12.5 mm) (1 +- sin 2 pi t)/2, later by a delay of the pair. Weight and ground act
 *           only on the body
 * joint     the authors pull the ends of a muscle to two anchors and apply the mean of the two moments about z, but no force, to the
 *           body; springs without reaction pull tendons sideways to the body. MUSCLES do the same. Anchors have 1e7 N/m; the largest
 *           tension stretches them by 0.18 mm
 * cables    CABLES are the same tensions in cables of the library that slide along the body: all forces act on it
 * couples   COUPLES are the loads of a pair of massless muscles with uniform tension: moments of R(t) A sin 2 pi t and its opposite on
 *           the body at the ends of the pair, anywhere between the middles of elements
 */
#ifndef EXAMPLES_MUSCLED_BODY_H
#define EXAMPLES_MUSCLED_BODY_H

#include "example.h"

enum { MUSCLED_MOST = 6, MUSCLED_SPAN = 3, MUSCLED_FRAGMENTS = 5 }; /* pairs; elements of the body to one of a muscle; flesh */

#define MUSCLED_PERIOD 1.0 /* [s] */
#define MUSCLED_LENGTH 1.0 /* [m] */

typedef struct muscled_pair {
  double place, span; /* [L/100] of its first end, and distance of the other end. MUSCLES, CABLES: whole, span a multiple of MUSCLED_SPAN */
  int first;          /* first element of the flesh, which has MUSCLED_FRAGMENTS elements */
  double moment;      /* A [N m] */
  double delay;       /* [s] */
} muscled_pair;

typedef enum muscled_kind { MUSCLED_MUSCLES, MUSCLED_CABLES, MUSCLED_COUPLES } muscled_kind;

typedef struct muscled_plan {
  muscled_kind kind;
  int n; /* elements of the body; 100, but for COUPLES */
  int count;
  muscled_pair pair[MUSCLED_MOST];
  double rotary; /* rotary_inertia_scale of the muscles: their dissipation stops a spin within 50 ns, so the scale has no visible effect */
} muscled_plan;

/* One muscle of a pair. */
typedef struct muscled_attachment {
  muscled_pair of;
  int muscle;   /* number of the rod of the muscle */
  int place, n; /* element of the body at its first node; its elements */
  double side;  /* +1: along d2 of the body, -1: against it */
} muscled_attachment;

typedef struct muscled_body {
  elastica_world *world;
  elastica_rod *body;
  muscled_attachment at[2 * MUSCLED_MOST];
} muscled_body;

/* Builds the body in a world; `of` must remain valid as long as the world. */
void muscled_build(example *e, muscled_body *of, const muscled_plan *plan);

#endif
