/* Contact between all elements of a world, self-contact included: near pairs, the line of contact of each pair with its friction, and
 * loads.
 *
 * The list of near pairs is a cache, in the order of rods and elements: no bit depends on the time when it was built. History belongs to a
 * pair of elements, identified by rods and elements, and moves from one list to the next.
 *
 * test       tests/test_contact.c, tests/test_contact_pile.c, tests/test_contact_bounds.c, tests/test_contact_short.c
 */
#ifndef ELI_CONTACT_H
#define ELI_CONTACT_H

#include "base/target.h"

#include <elastica.h>

#include "base/record.h"
#include "contact/broad_phase.h"
#include "contact/capsule.h"
#include "contact/line.h"
#include "contact/segment.h"
#include "contact/stick_slip.h"
#include "effects/layer.h"
#include "state/module.h"

typedef struct eli_contact_law {
  eli_line_law line;
  double friction;           /* mu */
  double tangential_ratio;   /* k_t/k_n */
  double tangential_damping; /* [Pa s] */
  int first_group, second_group;
  int self;           /* 1: self-contact of rods is included */
  double skip_length; /* [m] NaN: derived from the radii */
  double skin;        /* [m] NaN: derived from the radii */
} eli_contact_law;

/* A rod or a rigid body. */
typedef struct eli_contact_member {
  const elastica_rod_view *rod;    /* NULL: it takes no part */
  int first;                       /* number of its first element among all elements */
  unsigned groups;                 /* bit 1: it is in the first group, bit 2: in the second */
  eli_round round;                 /* shape of a body; for a box or cylinder the enclosing ball */
  int solid;                       /* 1: a box or cylinder */
  eli_obstacle shape;              /* shape of a box or cylinder */
  double axes[9];                  /* frame of that shape; its rows are material */
  eli_reference reference;         /* positions when the list was built */
  eli_reference closer;            /* positions when the close pairs were found */
  double *arc;                     /* [m] rest length before each element, element_count + 1 */
  double *bend;                    /* [rad] at most that of each joint by which bends keep elements apart, that of a ring's ends last; */
  double *turn, *way;              /* [rad], [m] of all joints up to each element, and of lengths before it; */
  double *least_cosine;            /* for the reference */
  int bends, keeps_apart;          /* 1: its elements are so short that this matters; and in the list it does */
  double *widening;                /* [N] load that widens each node, element_count + 1; 0 between steps */
  int first_widened, last_widened; /* range of the nodes with such a load; it is empty if first > last */
  int first_run, end_run;          /* range of its runs of elements in close pairs */
  int sunk;                        /* 1: in a pair with an overlap of at least the radius of one of the two */

  /* Margins and reaches are measured by the size of each member, so that no member changes those of others. */
  double size, thinnest;      /* [m] the largest and the least radius at rest; of a box or cylinder those of the enclosing ball */
  double speed;               /* [m/s] the largest of a node relative to the middle of all velocities, at the last search for it */
  int fastest;                /* node with that speed */
  double reach;               /* [m] the list has all pairs with a gap smaller than the mean reach of both */
  double spacing;             /* [m] the list leaves out pairs that its bends keep apart by this gap and the margin of near pairs */
  double thickest;            /* [m] the largest radius of an element for which the list holds; 0: a body */
  double partner;             /* [m] the largest size among itself and the rods and round bodies beside it in the list; 0: none */
  double longest, least_mass; /* [m], [kg] of a rod the longest element at rest, and its lightest node, at the last test of the step */
} eli_contact_member;

/* A gap [m] of a pair as the mean of both members: margin times their size, the way of each towards the other in this time [s] at its
 * speed, a given way of both, and the gain of their radius by this share. */
typedef struct eli_contact_gap {
  double margin, time, way, swelling;
} eli_contact_gap;

static inline double eli_contact_gap_of(const eli_contact_gap *gap, const eli_contact_member *member) {
  return gap->margin * member->size + 2.0 * gap->time * member->speed + gap->way + 2.0 * gap->swelling * member->thickest;
}

/* A joint between two rods: elements next to it do not touch. */
typedef struct eli_contact_joint {
  int rod[2];
  double arc[2]; /* [m] position along each rod */
} eli_contact_joint;

/* Two elements that are near each other; the first comes before the second. */
typedef struct eli_contact_pair {
  int rod[2], element[2];
  int number[2];    /* numbers of the elements among all */
  double reduction; /* factor of their radii (eli_contact_reduction) */
} eli_contact_pair;

/* An element as a segment, for the test that a pair is far apart; one cache line. */
typedef struct eli_contact_outline {
  eli_edge edge;    /* [m] */
  double thickness; /* [m] the largest radius */
  double size;      /* [m] of its member */
} eli_contact_outline;

/* Consecutive short elements of one rod, about a radius long together, or one element: one segment with all data for bounds. */
typedef struct eli_contact_span {
  int rod, first, end; /* its elements of the rod, from first to before end */
  eli_contact_outline outline;
  double radius, rest_radius; /* [m] the largest present radius, and the least rest radius */
  double shortest, longest;   /* [m] the least present length of an element, and the largest rest length */
  double measure, stretched;  /* [m] sum of rest lengths; and [1] the largest rest length over present length */
  double cap;                 /* [m] of free ends */
  double mass;                /* [kg] of the lightest node */
  double taper, swelling;     /* the largest gain of radius along an element, per length; and r/(2 l) */
  double slope;               /* the largest tangent of the angle between an element and the line from the first to the last node */
  double turning;             /* [rad/s] the largest rate at which elements turn */
  double velocity[3], spread; /* [m/s] a mean velocity, and the largest difference of a node from it */
} eli_contact_span;

/* A pair in contact. */
typedef struct eli_touch {
  eli_line_loads line;
  eli_line_middle middle;
  double stiffness; /* k_t [N/m] */
  int solid;        /* 1, 2: the first, the second is a box or cylinder; 0: neither */
  double couple[3]; /* [N m] of the layer on that body, about its centre */
} eli_touch;

/* A close pair: its number in the list, and the numbers of its elements among all elements in close pairs. */
typedef struct eli_contact_close {
  size_t pair;
  int placed[2];
  unsigned char solid;   /* 1, 2: the first, the second is a box or cylinder; 0: neither */
  unsigned char reduced; /* 1: the radii are reduced */
} eli_contact_close;

/* Consecutive elements of a rod in close pairs, and the consecutive nodes with sums that belong to them: those at which they begin, and the
 * last one unless another run begins there. A run without elements is the first node of a ring after its last element. */
typedef struct eli_contact_run {
  int rod, first; /* the first element and node */
  int count, nodes;
  int placed; /* number of the first element among all elements in close pairs */
} eli_contact_run;

/* The number of pairs that are computed before the loads of any of them are added. */
enum { ELI_CONTACT_BLOCK = 2048 };

/* The loads of a pair on both elements with friction (contact/line.h). */
typedef struct eli_contact_result {
  eli_pair_loads loads;
  int touches;
  int sunk;              /* 1: the overlap is at least the radius of one of the two */
  double solid_swelling; /* [N] of the whole element, on a box or cylinder */
} eli_contact_result;

/* All loads on a node and on the element that begins there, the earlier ones and those of contact: one cache line, in the order of the
 * loads at an end (eli_pair_loads). */
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
  elastica_instant now;        /* of the hook that runs, or ran last */
  elastica_rod_view *slipping; /* views of members while statics or an implicit step tries displacements; room for slipping_count */
  int slipping_count;
  int only;               /* the one rod that takes part; -1: all */
  size_t sunk;            /* first pair of the list in this step with an overlap of at least the radius of one of the two; SIZE_MAX: none */
  elastica_status status; /* result of the last add_world_loads */
  int has_bodies;
  int swells; /* 1: elements become thicker as they shorten, so contact adds a tension (classical law) */

  /* Members, made again when rods were added or removed. */
  int rod_count;          /* rods of the world when the members were made; -1: they must be made */
  int first_rod, end_rod; /* range of the rods that may take part */
  eli_contact_member *members;
  int *owner; /* rod index of each element */
  int element_count;
  double *memory; /* references, arcs, and for the pair search centres, radii and thickness of all elements */
  double *centre[3], *sphere, *thickness;
  eli_contact_sum *sums;        /* sums of all nodes, rod after rod */
  eli_contact_outline *outline; /* outlines of all elements, drawn before a pass over all pairs */
  double *radius;               /* [m] present radius of each element, valid while measured is 1 */
  int measured;
  const eli_lines_work *work;
  eli_reference_check *check_reference;
  eli_pace_check *pace;
  elastica_stiffness *bounds;          /* bounds of each member; the lanes of one are contiguous */
  double largest_radius, least_radius; /* [m] at rest, of all rods and round bodies */
  int leader;                          /* the first of the smallest members: its displacement is taken as common to all */
  eli_contact_span *spans;             /* all elements as spans if many elements are short, otherwise none */
  int span_count;
  eli_near_pairs span_pairs;  /* near pairs of spans of the last search */
  eli_contact_gap span_reach; /* the largest gap in that search */
  eli_contact_joint *joints;  /* in the order of their rods */
  int joint_count, joint_capacity;

  eli_near_pairs pairs;
  eli_contact_pair *list, *spare;
  eli_stick_slip *history, *next_history; /* history of each pair of the list, before a step and after it */
  unsigned turn, next_turn;               /* a history is valid only with this turn */
  eli_contact_pair *kept_list;            /* pairs with a history at the last checkpoint */
  eli_stick_slip *kept_history;           /* their history */
  size_t kept_count, kept_capacity;
  eli_contact_result *results; /* as many as pairs, but at most ELI_CONTACT_BLOCK */
  size_t count, capacity;
  int listed;       /* 1: list matches pairs; 0: it only carries history */
  double narrowest; /* the least gap among the pairs that were examined for the list, as a share of their reach */
  int parts;        /* pairs left out because of bends: 0: none; 1: all of them stay apart by slack_of() (contact.c); 2: some by less */
  double drift[3];  /* [m] displacement of all rods since the list was built, while pairs sleep */
  eli_contact_gap awaited; /* the least gap allowed while pairs sleep */
  double fastest;          /* [m/s] the largest speed assumed for awaited */
  double middle[3];        /* [m/s] reference velocity of that speed */
  unsigned joins;          /* eli_world_joins, when the list was built */

  /* The pairs of the list that may touch before some element has moved by half of margin times the size of its member: a step computes only
   * these. */
  eli_contact_close *close;
  size_t close_count;
  eli_moving_capsule *placed; /* elements of close pairs at their present position, in the order of all elements; their marks are the
                               * numbers of the sums of their ends, equal for a body */
  eli_contact_run *runs;
  int *number; /* number in placed of each element of the world; -1: it is in no close pair */
  int placed_count, run_count;
  size_t placed_capacity;
  double margin;       /* in the size of each member; 0: the close pairs must be found */
  double close_margin; /* margin of the last search */
  int served;          /* the number of steps that it served, up to a limit */
  int is_enough;       /* 1: until then nothing else touches that is not in the list, either */
};

static inline eli_contact_member *eli_contact_member_of(const eli_contact *contact, int rod) {
  assert(rod >= contact->first_rod && rod < contact->end_rod);
  return &contact->members[rod - contact->first_rod];
}

static inline const elastica_stiffness *eli_contact_bounds_of(const eli_contact *contact, int rod) {
  return &contact->bounds[rod - contact->first_rod];
}

/* ---- Members and the list of near pairs: contact.c ---- */

/* Find the members, if rods were added or removed, and the joints between them. Return 0 without memory. */
int eli_contact_find_members(eli_contact *contact);
int eli_contact_find_joints(eli_contact *contact);

/* Returns the factor of both radii in the contact of two elements; 0: they do not touch because of their groups, as neighbours, or at a
 * joint. It is 1 except for elements of one rod that are closer along it than skip_length: for these it is their distance along the rod
 * divided by skip_length. A straight rod keeps such elements apart, since R is shorter than skip_length. So does each bend that keeps apart
 * elements at skip_length: the longer an arc s of a ring, the further its chord falls behind s. Contact resists a sharper kink, and no loop
 * is too small to be detected. The factor depends only on the rod at rest, so contact keeps its potential. */
double eli_contact_reduction(const eli_contact *contact, const int rod[2], const int element[2]);

/* Returns the arc [m] at rest below which elements of one rod, with this radius at rest, touch with reduced radii. */
double eli_contact_skip_length(const eli_contact *contact, double radius);

/* Applies this reduction of the radii to the capsules of a pair. */
void eli_contact_reduce(const eli_contact_pair *pair, eli_capsule at[2]);

/* Compute the ends of an element and its present radius; with moving also velocities and rest values. */
void eli_contact_place(const eli_contact *contact, int rod, int element, eli_capsule *out);
void eli_contact_place_moving(const eli_contact *contact, int rod, int element, eli_capsule *out);

/* Returns the largest radius of a placed element: its own, used against boxes and cylinders, or that at a node. The second function returns
 * the distance [m] of two centre lines. */
double eli_contact_thickest(const eli_contact *contact, int rod, int element, const eli_capsule *at);
double eli_contact_distance(eli_edge one, eli_edge other);

/* Stores the present outlines of all elements. is_far returns 1 if the two elements of a pair are certainly further apart than margin [m],
 * also with both radii multiplied by thicker. */
void eli_contact_draw_outlines(eli_contact *contact);
int eli_contact_is_far(const eli_contact *contact, const eli_contact_pair *pair, double thicker, double margin);

/* Stores the radii of all elements; they are valid while contact->measured is 1. */
void eli_contact_measure(eli_contact *contact);

/* Returns the neighbour of an element beyond its first or last end; -1: there is none. */
int eli_contact_neighbour(const elastica_rod_view *rod, int element, int end);

/* The entries written to next_history since next_turn was increased become the history. */
void eli_contact_move_on(eli_contact *contact);

/* Returns the history of a pair; all 0: it has none. */
eli_stick_slip eli_contact_history(const eli_contact *contact, size_t k);

/* Returns the number of a pair in the list; count if it is not there. */
size_t eli_contact_search(const eli_contact *contact, const eli_contact_pair *pair);

/* Updates the list to the present positions, so that it has each pair with a gap smaller than need (NULL: 0). Returns -1 without memory, 1
 * if the list was built again, otherwise 0. */
int eli_contact_cover(eli_contact *contact, const eli_contact_gap *need);

/* Updates the list likewise without pairs that bends keep apart until the horizon [s], at present speeds; these bends are noted. Call it
 * after eli_contact_find_members(). */
int eli_contact_cover_soon(eli_contact *contact, const eli_contact_gap *need, double horizon);

/* Finds the largest bend of each joint of a rod up to which bends keep elements apart. */
void eli_contact_limit_bends(eli_contact_member *member);

/* Notes for all rods the joints that are bent by at most this share of their limit, and that stay below the limit until the horizon [s] at
 * their present rates. */
void eli_contact_note_bends(const eli_contact *contact, double share, double horizon);

/* Returns 1 if the noted bends certainly keep two elements of a rod apart by reach [m], also if the elements between them shrink to this
 * share of their length. */
int eli_contact_bends_part(const eli_contact_member *member, int i, int j, double share, double reach);

/* Returns 1 if they do so for a pair of the list, with its radii and ELI_CONTACT_MARGIN. */
int eli_contact_is_parted(const eli_contact *contact, const eli_contact_pair *pair);

/* Brings the close pairs and the list up to date. Returns 0 without memory. */
int eli_contact_find_close(eli_contact *contact);

/* ---- Loads and stiffness: contact_loads.c ---- */

/* Returns 1 or 2 if the first or the second of a pair is a box or cylinder, 0 for neither. eli_contact_solid returns its shape, position
 * and motion. */
int eli_contact_solid_of(const eli_contact *contact, const eli_contact_pair *pair);
eli_placed_solid eli_contact_solid(const eli_contact_member *member);

/* Finds the contact of a pair of the list; 0: there is none. Its depth is the largest at the quadrature points; eli_contact_depth adds the
 * overlap at the closest points. */
int eli_contact_find(const eli_contact *contact, size_t k, eli_touch *out);
double eli_contact_depth(const eli_contact *contact, size_t k, const eli_touch *touch);

/* Computes the friction force on the first element at the present state. */
void eli_contact_friction(const eli_contact *contact, size_t k, const eli_touch *touch, double force[3]);

/* Returns the number of sums. */
size_t eli_contact_sum_count(const eli_contact *contact);

/* Adds the loads of all contacts; the history of friction advances by a step. */
elastica_status eli_contact_act(eli_contact *contact, elastica_world_loads *loads);

/* Passes the stiffness of each contact between two rods to visit. */
elastica_status eli_contact_find_stiffness(eli_contact *contact, void (*visit)(void *context, const eli_contact_stiffness *contact),
                                           void *context);

/* ---- Bounds and approach: contact_bounds.c ---- */

/* Divides all rods into spans, or into none if elements are not short. Returns 0 without memory. */
int eli_contact_make_spans(eli_contact *contact);

/* Gap, in the size of a pair, below which the pair counts as closed. */
#define ELI_CONTACT_MARGIN 0.02

/* Returns 0 if steps of dt are short enough for all contacts. Otherwise finds the speeds of all members; fastest is the largest speed [m/s]
 * of a node relative to middle, the middle of all velocities. */
int eli_contact_is_long(const eli_contact *contact, double dt, double *fastest, double middle[3]);

/* Returns 1 if a pair touches, or will soon, and steps of dt [s] are too long for it (effects/resolve.h); -1 without memory. */
int eli_contact_awaits(eli_contact *contact, double dt);

/* Adds bounds to those of all rods for the step limit. */
elastica_status eli_contact_bound(eli_contact *contact, const elastica_stiffness *rods);

/* Time and place of the contact of two elements with relative velocity w [m/s]. */
typedef struct eli_encounter {
  double time, share[2], normal[3]; /* [s]; position on each element; unit vector from the first to the second */
} eli_encounter;

/* Contact of two elements with an overlap of ELI_DEEP times the smaller radius: energy [J], force [N], and the length [m] of either in
 * contact. */
#define ELI_DEEP 0.5
#define ELI_PARALLEL 0.2 /* sine of the angle below which two elements count as side by side */
typedef struct eli_strength {
  double energy, force, length[2];
  int parallel; /* 1: they lie side by side */
} eli_strength;

/* Updates contact to the present rods; 0 without memory. */
int eli_contact_update(eli_contact *contact);

/* is_round returns 1 for a rod, ball or capsule that takes part; let_touch returns 1 if two elements may touch with unreduced radii. */
int eli_contact_is_round(const eli_contact *contact, int rod);
int eli_contact_let_touch(const eli_contact *contact, const int rod[2], const int element[2]);

/* Returns 0 if the surfaces never touch while the first moves by w t, t >= 0. */
int eli_capsules_approach(const eli_capsule at[2], const double w[3], eli_encounter *out);

/* Computes the strength of a contact by the law of contact itself, without its damper. rigid 1: a body. The second function returns the
 * force [N] of two straight strands that cross at a right angle. */
eli_strength eli_contact_strength(const eli_contact *contact, const eli_capsule at[2], const int rigid[2], const eli_encounter *of);
double eli_contact_crossing_strength(const eli_contact *contact, double radius);

#endif
