/* Contact between all elements of a world: who is near whom, the line of contact of each pair with its friction, and the loads that this
 * gives.
 *
 * The list of near pairs is a cache, in the order of rods and elements: no bit depends on when it was built. History belongs to a pair of
 * elements, which rods and elements name, and moves from one list to the next.
 *
 * test       tests/test_contact.c, tests/test_contact_pile.c, tests/test_contact_bounds.c, tests/test_contact_short.c
 */
#ifndef ELI_CONTACT_H
#define ELI_CONTACT_H

#include "base/target.h"

#include <elastica.h>

#include "base/module.h"
#include "base/record.h"
#include "contact/broad_phase.h"
#include "contact/pace.h"
#include "contact/reference.h"
#include "contact/layer.h"
#include "contact/capsule.h"
#include "contact/line.h"
#include "contact/rub.h"
#include "contact/segment.h"

typedef struct eli_contact_law {
  eli_line_law line;
  double friction;           /* mu */
  double tangential_ratio;   /* k_t/k_n */
  double tangential_damping; /* [Pa s] */
  int first_group, second_group;
  int self;           /* 1: a rod touches itself, too */
  double skip_length; /* [m] NaN: by the radii */
  double skin;        /* [m] NaN: by the radii */
} eli_contact_law;

/* A rod or a rigid body. */
typedef struct eli_contact_member {
  const elastica_rod_view *rod;    /* NULL: it takes no part */
  int first;                       /* number of its first element among all */
  unsigned groups;                 /* 1: it is of the first group, 2: of the second */
  eli_round round;                 /* of a body; */
  int solid;                       /* 1: a box or cylinder; it is a ball about it, */
  eli_obstacle shape;              /* this is its shape, */
  double axes[9];                  /* in this frame, its rows material */
  eli_reference reference;         /* where it was when the list was built, */
  eli_reference closer;            /* and when the close pairs were found */
  double *arc;                     /* [m] rest length before each element, element_count + 1 */
  double *widening;                /* [N] what widens each node, element_count + 1; 0 between steps, */
  int first_widened, last_widened; /* and but for these nodes; none while the first is behind the last */
  int first_placed, end_placed;    /* its elements in close pairs among all of these */
  int sunk;                        /* 1: in a pair whose overlap has reached the radius of one of the two */
} eli_contact_member;

/* A joint between two rods: elements next to it do not touch. */
typedef struct eli_contact_joint {
  int rod[2];
  double arc[2]; /* [m] where along them */
} eli_contact_joint;

/* Two elements that are near each other; the first comes before the second. */
typedef struct eli_contact_pair {
  int rod[2], element[2];
  int number[2];    /* of their elements among all */
  double reduction; /* of their radii (eli_contact_reduction) */
} eli_contact_pair;

/* An element as a segment, to tell pairs that are apart: a line of a cache. */
typedef struct eli_contact_outline {
  eli_edge edge;    /* [m] */
  double thickness; /* [m] the largest radius */
  double unused;
} eli_contact_outline;

/* Consecutive short elements of one rod, about a radius long together, or one element: as one segment with all that bounds of them need. */
typedef struct eli_contact_span {
  int rod, first, end; /* its elements of the rod, to before end */
  eli_contact_outline outline;
  double radius, rest_radius; /* [m] the largest now, and the least at rest */
  double shortest, longest;   /* [m] of the elements: the least present length, and the largest at rest; */
  double measure, stretched;  /* [m] their sum at rest; and the largest of length at rest over present length */
  double cap;                 /* [m] of free ends */
  double mass;                /* [kg] of the lightest node */
  double taper, swelling;     /* the largest gain of the radius along an element, in its length; and r/(2 l) */
  double slope;               /* the largest tangent of the angle of an element with the line from the first to the last node */
  double turning;             /* [rad/s] at which elements turn, at most */
  double velocity[3], spread; /* [m/s] a mean velocity, and how far one of a node is from it */
} eli_contact_span;

/* A pair in contact. */
typedef struct eli_touch {
  eli_line_loads line;
  eli_line_middle middle;
  double stiffness; /* k_t [N/m] */
  int solid;        /* 1: one of the two is a box or cylinder, which of the layer feels this couple, */
  double couple[3]; /* [N m] about its centre */
} eli_touch;

/* A close pair: its number in the list, and those of its elements among all that are in close pairs. */
typedef struct eli_contact_close {
  size_t pair;
  int placed[2];
  unsigned char solid;   /* 1, 2: the first, the second is a box or cylinder; 0: neither */
  unsigned char reduced; /* 1: the radii are reduced */
} eli_contact_close;

/* Pairs that are worked out before the loads of any of them are added. */
enum { ELI_CONTACT_BLOCK = 2048 };

/* An element in a close pair, where it is now; lines of a cache. */
typedef struct eli_contact_placed {
  eli_capsule at;
  double director[9], spin[3]; /* [rad/s] laboratory */
  size_t sum[2];               /* numbers of the sums of its ends; of a body twice the same */
  int swells;                  /* 1: it is the thicker the shorter it is, and pressed (classical law) */
  int rigid;
  double unused[6];
} eli_contact_placed;

/* What a pair adds to both elements: forces on their ends, friction included, a couple, and what widens them there (eli_line_loads). -0: nothing
 * is added. */
typedef struct eli_contact_result {
  int touches;
  int sunk;              /* 1: the overlap has reached the radius of one of the two */
  size_t sum[2][2];      /* to these */
  double force[2][2][3]; /* [N] */
  double couple[2][3];   /* [N m] material */
  double swelling[2][2]; /* [N] at the ends; */
  double solid_swelling; /* [N] of the whole element, on a box or cylinder */
} eli_contact_result;

/* What contact adds to a node, and to the element that begins there, with all that was added before: a line of a cache. */
typedef struct eli_contact_sum {
  double force[3], couple[3]; /* [N], [N m] material */
  double widening;            /* [N] */
  double unused;
} eli_contact_sum;

typedef struct eli_contact eli_contact;
struct eli_contact {
  elastica_world *world;
  eli_allocator allocator;
  eli_contact_law law;
  elastica_rod_view *slipping; /* of members, while states of rest are tried; room for slipping_count */
  int slipping_count;
  int only;               /* the one rod that takes part; -1: all */
  size_t sunk;            /* in a step, the first pair of the list whose overlap has reached the radius of one of the two; SIZE_MAX: none */
  elastica_status status; /* of the last add_world_loads */
  int has_bodies;

  /* Who takes part; made anew when rods have come or gone. */
  int rod_count;          /* of the world, when this was made; -1: it is to be made */
  int first_rod, end_rod; /* those that may take part; of which these are, */
  eli_contact_member *members;
  int *owner; /* number of the rod of each element */
  int element_count;
  double *memory; /* of references and arcs, and for finding pairs: centres, radii and thickness of all elements */
  double *centre[3], *sphere, *thickness;
  eli_contact_sum *sums;        /* of all nodes, rod after rod */
  eli_contact_outline *outline; /* of all elements, for who looks at all pairs, where they are then */
  double *radius;               /* [m] of elements now, while measured is 1 */
  int measured;
  const eli_lines_work *work;
  eli_reference_look *look;
  eli_pace_look *pace;
  elastica_stiffness *bounds; /* and these: the lanes of one block one after the other */
  double largest_radius, least_radius;
  eli_contact_span *spans; /* all elements, where many are short; else none */
  int span_count;
  eli_pairs span_pairs;      /* those near each other, when they were last looked for; */
  double span_reach;         /* [m] their gap is at most this */
  eli_contact_joint *joints; /* in the order of their rods */
  int joint_count, joint_capacity;

  eli_pairs pairs;
  eli_contact_pair *list, *spare;
  eli_rub *rub, *next_rub;     /* history of each of the list, before a step and after it; */
  unsigned turn, next_turn;    /* if it has this turn, else there is none */
  eli_contact_pair *kept_list; /* the pairs with a history at the last checkpoint, */
  eli_rub *kept_rub;           /* and that */
  size_t kept_count, kept_capacity;
  eli_contact_result *results; /* as many, but at most ELI_CONTACT_BLOCK */
  size_t count, capacity;
  int listed;       /* 1: list is that of pairs; 0: it only carries history */
  double reach;     /* [m] it has all pairs whose gap was smaller */
  double narrowest; /* [m] gap of the pairs that were looked at for it */
  double drift[3];  /* [m] while it rests, of all rods since the list was built, */
  double awaited;   /* [m] what no gap may fall below, */
  double fastest;   /* [m/s] and the speed for which that was found */
  double middle[3]; /* [m/s] against which it is measured */
  unsigned joins;   /* eli_world_joins, when the list was built */

  /* Of the list, those close enough to touch before something has moved by half of margin: the only ones that a step works out. */
  eli_contact_close *close;
  size_t close_count;
  eli_contact_placed *placed; /* their elements, where they are now, in the order of all elements; */
  int *placed_element;        /* the number of each among all; */
  int *number;                /* of all elements, the number among these; -1: in no close pair */
  int placed_count;
  size_t placed_capacity;
  double margin; /* [m]; 0: they are to be found */
};

static inline eli_contact_member *eli_contact_member_of(const eli_contact *contact, int rod) {
  return &contact->members[rod - contact->first_rod];
}

static inline const elastica_stiffness *eli_contact_bounds_of(const eli_contact *contact, int rod) {
  return &contact->bounds[rod - contact->first_rod];
}

/* only: the number of the one rod that it is of, or -1. NULL: no memory. */
eli_contact *eli_contact_create(elastica_world *world, int only);
void eli_contact_destroy(eli_contact *contact);

/* The law, and what follows from it; the list is built anew. */
void eli_contact_set_law(eli_contact *contact, const eli_contact_law *law);

/* Who takes part, or where rods are, has changed other than by steps. forget: no history is left. */
void eli_contact_outdate(eli_contact *contact, int forget);

/* ---- contact_members.c ---- */

/* Who takes part, anew where rods have come or gone; and the joints between them. 0 when memory runs out. */
int eli_contact_find_members(eli_contact *contact);
int eli_contact_find_joints(eli_contact *contact);
void eli_contact_release_members(eli_contact *contact);

/* The factor of both radii in the contact of two elements; 0: they do not touch, by their groups, as neighbours, or by a joint. It is 1 but
 * for elements of one rod that are closer along it than skip_length: it is their distance along the rod, as a share of that, for these. A straight
 * rod keeps them apart then, since R is shorter than skip_length, and so does each bend that keeps apart those at skip_length: the chord of
 * an arc s of a ring falls behind s the more the longer it is. A sharper kink is held, and no loop is too small to be seen. The factor depends
 * on the rod at rest alone, which leaves contact its potential. */
double eli_contact_reduction(const eli_contact *contact, const int rod[2], const int element[2]);

/* The capsules of a pair with their radii reduced so. */
void eli_contact_reduce(const eli_contact_pair *pair, eli_capsule at[2]);

/* ---- contact_list.c ---- */

/* Room for so many pairs; what is there stays. 0 when memory runs out. */
int eli_contact_reserve(eli_contact *contact, size_t count);

/* What is written to next_rub from here on, and no more what was written there before, becomes the history when it moves on. */
void eli_contact_begin_turn(eli_contact *contact);
void eli_contact_move_on(eli_contact *contact);

/* The history of a pair; all 0: it has none. */
eli_rub eli_contact_history(const eli_contact *contact, size_t k);

/* Brings the list up to date with the present positions, so that no pair is missing whose gap is smaller than need [m]. Returns -1 when
 * memory runs out, 1 when it was built anew, else 0. */
int eli_contact_cover(eli_contact *contact, double need);

/* Whether something is further than limit [m] from where it was when the list was built (closer: when the close pairs were found), relative to
 * what all have moved. */
int eli_contact_has_moved(const eli_contact *contact, int closer, double limit);

/* Where they are now, for that. */
void eli_contact_note_closer(eli_contact *contact, double shrinkage);

/* Whether there is no pair, nor can there be one until a rod has left; and whether one has. */
int eli_contact_rests(eli_contact *contact, double dt);
int eli_contact_has_left(const eli_contact *contact, const elastica_rod_view *rod);

/* ---- contact_close.c ---- */

/* Brings the close pairs up to date; follows eli_contact_cover. */
void eli_contact_find_close(eli_contact *contact);

/* ---- contact_place.c ---- */

/* The ends of an element, and its present radius; all else of it, too; distance [m] between two such. */
void eli_contact_place(const eli_contact *contact, int rod, int element, eli_capsule *out);
void eli_contact_place_moving(const eli_contact *contact, int rod, int element, eli_capsule *out);

/* The largest radius of an element placed so: its own, which boxes and cylinders meet, or that of a node. */
double eli_contact_thickest(const eli_contact *contact, int rod, int element, const eli_capsule *at);
double eli_contact_distance(const eli_capsule *one, const eli_capsule *other);

/* Notes where all elements are, as outlines; whether those of a pair are further apart than margin [m] when both are so many times as thick,
 * for certain. */
void eli_contact_draw_outlines(eli_contact *contact);
int eli_contact_is_far(const eli_contact *contact, const eli_contact_pair *pair, double thicker, double margin);

/* Notes the radii of all elements, for as long as contact->measured stays 1. */
void eli_contact_measure(eli_contact *contact);

/* The neighbour of an element beyond its first or last end; -1: there is none. */
int eli_contact_neighbour(const elastica_rod_view *rod, int element, int end);

/* ---- contact_touch.c ---- */

/* 1, 2: the first, the second of a pair is a box or cylinder; 0: neither. And where it stands. */
int eli_contact_solid_of(const eli_contact *contact, const eli_contact_pair *pair);
eli_solid eli_contact_solid(const eli_contact_member *member);

/* The contact of one of several pairs, which find_lines has found; that of a pair with a box or cylinder, as
 * eli_contact_solid_of says, and the other one at this place; 0: there is none. */
int eli_contact_read(const eli_contact *contact, const eli_lines *lines, int q, eli_touch *out);
int eli_contact_find_on_solid(const eli_contact *contact, const eli_contact_pair *pair, int solid_one, const eli_capsule *at,
                              eli_touch *out);

/* 1: one of a pair with a box or cylinder, which it overlaps by depth, passes through the surface in a step of dt [s]. */
int eli_contact_crosses(const eli_contact *contact, const eli_contact_close *close, double depth, double dt);

/* The contact of a pair of the list; 0: there is none. Its depth is that of the points that were added up; and the exact one. */
int eli_contact_find(const eli_contact *contact, size_t k, eli_touch *out);
double eli_contact_depth(const eli_contact *contact, size_t k, const eli_touch *touch);

/* The number of a pair in the list; count where it is not. */
size_t eli_contact_search(const eli_contact *contact, const eli_contact_pair *pair);

/* The pairs of a rod, which is the first of them: from *first to before *end. */
void eli_contact_pairs_of(const eli_contact *contact, int rod_index, size_t *first, size_t *end);

/* ---- contact_kept.c ---- */

/* What it has in a snapshot: the law, and the history of contacts. */
void eli_contact_keep(eli_contact *contact, eli_record *record);

/* Keeps the history as it is now, 0 when memory runs out; and puts back what was kept last. */
int eli_contact_keep_history(eli_contact *contact);
void eli_contact_put_back_history(eli_contact *contact);

/* A rod is about to be removed. */
void eli_contact_forget(eli_contact *contact, int rod_index);

/* ---- contact_friction.c ---- */

/* The force of friction on the first element, as it stands; and after another step, which moves its history on. */
void eli_contact_friction(const eli_contact *contact, size_t k, const eli_touch *touch, double force[3]);
void eli_contact_rub_on(const eli_contact *contact, const eli_contact_close *close, const eli_touch *touch, double dt, double force[3]);

/* That of pairs side by side, which find_lines has found: adds it to their forces, and gives what it turns. */
void eli_contact_begin_rubs(const eli_contact *contact, double dt, eli_rubs *rubs);
void eli_contact_rub_lines(const eli_contact *contact, const eli_contact_close *const close[ELI_LINES], eli_lines *lines, eli_rubs *rubs);

/* ---- contact_sums.c ---- */

/* How many there are; and the numbers of those of an element's ends. */
size_t eli_contact_sum_count(const eli_contact *contact);
void eli_contact_find_sums(const eli_contact *contact, int rod, int element, size_t sum[2]);

/* The sums of an element in a close pair begin with what the lanes hold; add a tension for what widens it; replace the lanes. */
void eli_contact_open_sums(const eli_contact *contact, int rod, int element, const elastica_loads *loads);
void eli_contact_add_tension(const eli_contact *contact, int rod, int element, double part);
void eli_contact_close_sums(const eli_contact *contact, const elastica_loads *loads);

/* ---- contact_loads.c ---- */

/* Adds the loads of all contacts; the history of friction moves on by a step. */
elastica_status eli_contact_act(eli_contact *contact, const elastica_instant *now, elastica_world_loads *loads);

/* ---- contact_press.c ---- */

/* Shows the stiffness of each contact between two rods. */
elastica_status eli_contact_press(eli_contact *contact, void (*visit)(void *context, const eli_press *press), void *context);

/* ---- contact_spans.c ---- */

/* Divides all rods into spans, none where elements are not short. 0 when memory runs out. */
int eli_contact_make_spans(eli_contact *contact);

/* Where spans are now, and those pairs of them of which elements may touch that are no further apart than reach [m]; draws outlines. 0 when memory
 * runs out. */
int eli_contact_find_spans(eli_contact *contact, double reach);

/* Whether the outlines of two spans, or of an element and a span, are further apart than margin [m], for certain. */
int eli_contact_spans_are_far(const eli_contact *contact, uint64_t key, double margin);
int eli_contact_is_far_from_span(const eli_contact *contact, int number, const eli_contact_span *span, double margin);

/* [m] The arc at rest below which elements of one rod, with this radius at rest, touch with reduced radii. */
double eli_contact_skip_length(const eli_contact *contact, double radius);

/* Visits the pairs with reduced radii where a rod of spans may fold so sharply within the horizon [s] that they touch; ends with 1 when a visit
 * returns that. */
int eli_contact_each_of_folds(const eli_contact *contact, double horizon,
                              int (*visit)(const eli_contact *contact, const eli_contact_pair *pair, double value), double value);

/* Whether an element may touch one of a span: along an open rod, either end of the span is furthest from it. */
int eli_contact_may_touch_span(const eli_contact *contact, int rod, int element, const eli_contact_span *span);

/* Whether bounds are added up by elements: of a pair of spans of one element, or with a body. */
int eli_contact_is_by_elements(const eli_contact *contact, const eli_contact_span *one, const eli_contact_span *other);

/* Calls visit for each pair of elements of two spans that may touch and are no further apart than margin [m], but for elements of the first for
 * which is_skipped returns 1 (NULL: none); stops where visit returns 1, and returns that. */
int eli_contact_each_of_spans(const eli_contact *contact, uint64_t key, double margin,
                              int (*is_skipped)(const eli_contact *contact, int rod, int element, const eli_contact_span *other,
                                                double value),
                              int (*visit)(const eli_contact *contact, const eli_contact_pair *pair, double value), double value);

/* ---- contact_bound_spans.c ---- */

/* Adds the bounds of contact of elements of one span with those of another that are no further than margin [m] from it to those of the first in
 * contact->bounds, for so long [s]. */
void eli_contact_bound_span(const eli_contact *contact, const eli_contact_span *own, const eli_contact_span *other, double margin,
                            double horizon);

/* 1: eli_contact_pair_awaits is 0 for an element with each of a span. */
int eli_contact_awaits_none(const eli_contact *contact, int rod, int element, const eli_contact_span *other, double dt);

/* ---- contact_bounds.c ---- */

/* Gap below which a pair counts as closed in any case, in radii; [1/s] no number becomes infinite where a rod blows up, which others tell
 * better. */
#define ELI_CONTACT_MARGIN 0.02
#define ELI_CONTACT_FASTEST 1e30

/* Adds the bounds of all pairs, for so long [s], in which no element moves further than way [m], to contact->bounds. */
void eli_contact_bound_pairs(const eli_contact *contact, double way, double horizon);

/* [m] How far apart what is to be awaited in steps of dt may be; 0: they are short enough for all that may touch. Else fastest [m/s]: of all
 * nodes, against the middle of all velocities. */
double eli_contact_awaited(const eli_contact *contact, double dt, double *fastest, double middle[3]);

/* 1: a pair touches, or will soon, and steps of dt are too long for it (contact/resolve.h); -1: memory runs out. */
int eli_contact_awaits(eli_contact *contact, double dt);

/* And whether it is so of one of the list. */
int eli_contact_pair_awaits(const eli_contact *contact, const eli_contact_pair *pair, double dt);

/* Adds bounds to those of all rods for the step limit. */
elastica_status eli_contact_bound(eli_contact *contact, const elastica_stiffness *rods);

#endif
