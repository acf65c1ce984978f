/* Checks of contacts: deep overlaps at the start; rods and bodies that contact will press deeply into each other, by their speed, their
 * weight, or by loads that draw loops together; rods and bodies that come at elastic obstacles so fast that they will overlap them deeply,
 * or pass through.
 *
 * models     overlap: the layer of a surface is as deep as its radius. Bodies that start within it are thrown apart with the energy of the
 *            layer; bodies that start beyond it may come out on the other side
 *            approach: rods and bodies go on as they move on the whole. The energy of two that meet, with the masses of the touching
 *            elements, against that of the layer at half the smaller radius
 *            weight: each hands its load on to those that it would come to rest on first, in proportion to the force that their layer has
 *            at half the smaller radius; the load against the sum of these forces. All elements near a crossing are one support. A body
 *            rests on everything that it overlaps once the first overlap is half a radius, in the ratio of levers. A heap without support
 *            falls together: then loads count without the acceleration that all have
 *            walls: an overlap with a rigid wall releases no energy, and is a hint
 *            loops: T = 1/(1/(0.45 F) + 1/(0.7 S3)) + 0.01 B/r^2, F the force of two strands that cross at half a radius: under the tension
 *            T, crossing strands of a knot press each other; a soft rod gets thin, a stiff one bears some of T by its bend
 * source     energies and forces are those that contact itself works out for two that lie so
 * test       tests/test_check_overlap.c, tests/test_check_press.c, tests/test_check_solids.c
 *
 * Measured for two rods that cross or lie side by side, and a ball on a rod: at the speed that is found the deepest overlap is 0.498 to
 * 0.521 radii, with elements of 2.5 and 10 radii. No wave that spreads from the place counts. Overhand knots pulled until their strands
 * overlap by half a radius (friction 0, 0.1 and 0.4, elements of 0.8 and 1.7 radii, radii of 2 and 6 mm, E/k from 0.1 to 1000): the bound
 * is 0.53 to 0.94 times the tension.
 */
#include "base/target.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/vector.h"
#include "contact/line.h"
#include "effects/contact.h"
#include "effects/obstacle.h"
#include "hooks/effects.h"
#include "world/check.h"

/* Returns 1 for an enabled contact. */
static int finds_contacts(const elastica_effect *effect) {
  return effect->enabled && effect->body->kind != NULL && strcmp(effect->body->kind->name, "contact") == 0;
}

/* Returns 1 for an obstacle of kind RIGID. */
static int is_wall(const elastica_effect *effect) {
  return effect->body->kind != NULL && effect->body->kind->stands != NULL && effect->body->kind->contacts == NULL;
}

/* Returns 1 for an obstacle of kind ELASTIC. */
static int is_obstacle(const elastica_effect *effect) {
  return effect->body->kind != NULL && effect->body->kind->stands != NULL && effect->body->kind->contacts != NULL;
}

/* ---- Overlaps at the start ---- */

static int finds_overlaps(const elastica_effect *effect) {
  return effect->enabled && (finds_contacts(effect) || is_obstacle(effect) || is_wall(effect));
}

/* The largest overlap that is not reported, in smaller radii. */
#define DEEPEST 0.5

/* The deepest overlap of a rod. */
typedef struct overlap {
  elastica_effect *effect; /* NULL: none */
  elastica_contact_point at;
  double share; /* overlap over the smaller radius */
} overlap;

static double radius_of(const elastica_world *world, int rod, int element) {
  elastica_body_info info;
  elastica_rod *body = world->bodies.rods[rod];
  if (!eli_is_rigid(body)) return elastica_rod_radius(&body->body->view, element);
  return elastica_body_get(body, &info) == ELASTICA_OK && info.radius > 0.0 ? info.radius : INFINITY; /* a box has no radius */
}

/* The second side of a contact with an obstacle is -1. */
static void consider(const elastica_world *world, elastica_effect *effect, const elastica_contact_point *point, overlap *of) {
  const int sides = point->rod[1] < 0 ? 1 : 2;
  double radius = INFINITY;
  for (int side = 0; side < sides; side++) {
    const double own = radius_of(world, point->rod[side], point->element[side]);
    if (own < radius) radius = own;
  }
  const double share = point->depth / radius;
  for (int side = 0; side < sides; side++) {
    overlap *own = &of[point->rod[side]];
    if (share > DEEPEST && share > own->share) *own = (overlap){effect, *point, share};
  }
}

static elastica_status find_overlaps(const elastica_world *world, elastica_effect *effect, overlap *of) {
  int count = 0;
  elastica_status status = elastica_contact_get(effect, NULL, 0, &count);
  if (status != ELASTICA_OK || count == 0) return status;
  elastica_contact_point *points = eli_allocate(&world->allocator, (size_t)count, sizeof *points);
  if (points == NULL) return elastica_world_refuse(effect->world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d contacts", count);
  const int room = count;
  status = elastica_contact_get(effect, points, room, &count);
  for (int k = 0; k < room && status == ELASTICA_OK; k++) consider(world, effect, &points[k], of);
  eli_release(&world->allocator, points);
  return status;
}

static void note_overlap(const eli_check *check, int rod, const overlap *of) {
  const elastica_contact_point *at = &of->at;
  if (at->rod[1] < 0) {
    const int rigid = is_wall(of->effect);
    const eli_spot place = {rod, at->element[0], of->effect, of->share, DEEPEST, of->share};
    char then[80] = "a rigid wall pushes it out slowly";
    if (!rigid) snprintf(then, sizeof then, "the effect throws it out with %.3g N", at->force);
    eli_check_note(check, ELASTICA_FINDING_OVERLAP, rigid ? ELASTICA_SEVERITY_HINT : ELASTICA_SEVERITY_WARNING, place,
                   "rod %d, element %d overlaps effect %d \"%s\" by %.3g m, which is %.3g of its radius: %s. Start it outside%s", rod,
                   at->element[0], of->effect->index, of->effect->body->label, at->depth, of->share, then, rigid ? "" : ", or relax first");
    return;
  }
  const int own = at->rod[0] == rod ? 0 : 1;
  const eli_spot spot = {rod, at->element[own], of->effect, of->share, DEEPEST, of->share};
  eli_check_note(
      check, ELASTICA_FINDING_OVERLAP, ELASTICA_SEVERITY_WARNING, spot,
      "rod %d, element %d overlaps rod %d, element %d by %.3g m, which is %.3g of the smaller radius: effect %d \"%s\" throws them "
      "apart with %.3g N, or to the wrong side where centre lines have passed each other. Start them apart, or relax first",
      rod, at->element[own], at->rod[1 - own], at->element[1 - own], at->depth, of->share, of->effect->index, of->effect->body->label,
      at->force);
}

/* A rigid wall has no layer, and pushes elements out slowly by its stiffness alone: an overlap with it counts where no other is found. */
static void find_overlaps_with_wall(const elastica_world *world, elastica_effect *effect, overlap *of) {
  eli_body wall;
  eli_world_enter_hooks(effect->world, ELI_IN_HOOK);
  const elastica_status status = effect->body->kind->stands(effect->self, eli_world_now(world), &wall);
  eli_world_leave_hooks(effect->world);
  if (status != ELASTICA_OK) return; /* its motion fails; so will the first step */
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const elastica_rod_view *view = &rod->body->view;
    overlap *own = &of[view->rod_index];
    if (view->rigid || (effect->rod != NULL && effect->rod != rod) || (own->effect != NULL && !is_wall(own->effect))) continue;
    for (int j = 0; j < view->element_count; j++) {
      double centre[3], normal[3];
      for (int a = 0; a < 3; a++) centre[a] = 0.5 * (view->position[a][j] + view->position[a][j + 1]);
      const double radius = elastica_rod_radius(view, j);
      const double depth = radius - eli_obstacle_distance(&wall.obstacle, wall.place.position, wall.place.director, centre, normal);
      if (depth > DEEPEST * radius && depth > own->share * radius)
        *own = (overlap){effect, {.rod = {view->rod_index, -1}, .element = {j, -1}, .depth = depth}, depth / radius};
    }
  }
}

static elastica_status check_overlaps(const eli_check *check) {
  elastica_world *world = check->world;
  elastica_status status = ELASTICA_OK;
  int any = 0;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) any = any || finds_overlaps(effect);
  if (!any || world->bodies.rod_count == 0) return status;
  overlap *of = eli_allocate(&world->allocator, (size_t)world->bodies.rod_count, sizeof *of);
  if (of == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d rods", world->bodies.rod_count);
  memset(of, 0, (size_t)world->bodies.rod_count * sizeof *of);
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (finds_overlaps(effect) && !is_wall(effect) && status == ELASTICA_OK) status = find_overlaps(world, effect, of);
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (effect->enabled && is_wall(effect) && status == ELASTICA_OK) find_overlaps_with_wall(world, effect, of);
  for (int r = 0; r < world->bodies.rod_count && status == ELASTICA_OK; r++)
    if (of[r].effect != NULL) note_overlap(check, r, &of[r]);
  eli_release(&world->allocator, of);
  return status;
}

/* ---- Approach, weight and loops ---- */

/* Below these bounds no contact is half a radius deep: a lower bound of the energy of any two elements, in k r^3, and of their force, in k
 * r^2. */
#define LEAST_ENERGY 0.5
#define LEAST_FORCE 10.0

/* Constants of the bound for loops, measured on pulled knots. */
#define LOOP_PRESS 0.45
#define LOOP_STRETCH 0.7
#define LOOP_BEND 0.01

/* The contact with the largest ratio of speed to critical speed. */
typedef struct approach {
  int other, element[2];
  double speed, bound; /* [m/s] */
} approach;

typedef struct box {
  double low[3], high[3]; /* [m] with the radius */
} box;

/* A rod or body that another comes to rest on, moving along its load. */
typedef struct support {
  int on;
  double force;        /* [N] of their layer at half the smaller radius */
  double share;        /* of the load */
  double time, cosine; /* of the first contact: time in [m/N]; cosine of the angle between its normal and the load */
  double along, reach; /* [m] position along the one that rests, from the middle of a body; the elements within reach belong to it */
} support;

/* A rod or body in the check. */
typedef struct party {
  const elastica_rod_view *rod;
  box within;
  int first;                         /* of its boxes */
  int support, support_count;        /* first of its supports */
  double mass, velocity[3];          /* [kg] [m/s] total mass and mean velocity */
  double load[3], pressing, carried; /* [N] load of effects; its part that acts on supports; loads carried for bodies above */
  double radius, thinnest;           /* [m] */
  double tension;                    /* [N] largest tension from its loads; tense is the element */
  int tense;
  double height; /* [m] height against the load direction, times its magnitude [N] */
  approach fast;
  int held, stands; /* 1: its position is prescribed; a support other than contact is known */
  int heap;         /* another of the heap that it belongs to, or itself; of that one, the sums: */
  double heap_load[3], heap_mass;
  int heap_stands;
} party;

/* A body that may support another, and the earliest time of their contact. */
typedef struct candidate {
  int party;
  double time;
} candidate;

typedef struct scene {
  const eli_check *check;
  double dt;
  elastica_effect *effect; /* the contact effect under examination */
  eli_contact *contact;
  party *parties;
  box *boxes;                /* of elements */
  support *supports;         /* those of one party follow each other */
  int support_count, failed; /* failed 1: no memory for supports */
  int *order;                /* from the top down */
  candidate *near;           /* those on the way of one, by time */
  int count, near_count;
} scene;

/* ---- Geometry ---- */

/* When boxes meet first while one moves on by w t, t >= 0; infinite: never. */
static double meeting_time(const box *one, const box *other, const double w[3]) {
  double from = 0.0, to = INFINITY;
  for (int a = 0; a < 3; a++) {
    const double before = other->low[a] - one->high[a], behind = other->high[a] - one->low[a];
    if (w[a] == 0.0) {
      if (before > 0.0 || behind < 0.0) return INFINITY;
      continue;
    }
    const double enters = before / w[a], leaves = behind / w[a], first = enters < leaves ? enters : leaves;
    const double last = enters < leaves ? leaves : enters;
    if (first > from) from = first;
    if (last < to) to = last;
  }
  return from <= to ? from : INFINITY;
}

static box box_of(const eli_capsule *at) {
  box of;
  for (int a = 0; a < 3; a++) {
    const double x = at->end[0][a], y = at->end[1][a];
    of.low[a] = (x < y ? x : y) - at->radius;
    of.high[a] = (x < y ? y : x) + at->radius;
  }
  return of;
}

/* Returns the mass [kg] that takes part in a contact: the whole body, or a length of a rod. */
static double mass_of(const elastica_rod_view *rod, int j, double length) {
  return rod->rigid ? rod->mass[0] : 0.5 * (rod->mass[j] + rod->mass[j + 1]) * length / rod->length[j];
}

/* ---- Rods and bodies ---- */

/* Computes the total load of effects, and the tension that the loads cause in a rod. */
static elastica_status read_loads(const scene *of, elastica_rod *rod, party *out) {
  eli_survey survey;
  const elastica_status status = eli_survey_rod(&survey, rod, of->dt, "check");
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < out->rod->node_count && status == ELASTICA_OK; i++) out->load[a] += survey.force[a][i];
  if (status == ELASTICA_OK && !out->rod->rigid) out->tension = eli_check_tension(&survey, &out->tense);
  eli_survey_release(&survey);
  return status;
}

/* Returns 1 if an effect other than contact may support the rod: prescribed positions, reactions, obstacles, joints. */
static int may_stand(const scene *of, elastica_rod *rod) {
  ELI_EACH_EFFECT_OF_WORLD(effect, of->check->world) {
    if (effect->enabled && is_obstacle(effect) && (effect->rod == NULL || effect->rod == rod)) return 1;
  }
  ELI_EACH_PAIR_EFFECT(effect, of->check->world) {
    if (!finds_contacts(effect) && eli_effect_acts_on(effect, rod)) return 1;
  }
  return eli_rod_is_supported(rod);
}

static void read_boxes(const scene *of, int r, party *out) {
  for (int a = 0; a < 3; a++) out->within.low[a] = INFINITY, out->within.high[a] = -INFINITY;
  for (int j = 0; j < out->rod->element_count; j++) {
    eli_capsule at;
    eli_contact_place_moving(of->contact, r, j, &at);
    const box own = of->boxes[out->first + j] = box_of(&at);
    for (int a = 0; a < 3; a++) {
      if (own.low[a] < out->within.low[a]) out->within.low[a] = own.low[a];
      if (own.high[a] > out->within.high[a]) out->within.high[a] = own.high[a];
    }
    if (at.radius > out->radius) out->radius = at.radius;
    if (at.radius < out->thinnest) out->thinnest = at.radius;
  }
}

/* first: of its boxes. */
static elastica_status read_party(const scene *of, int r, int first, party *out) {
  elastica_world *world = of->check->world;
  elastica_rod *own = world->bodies.rods[r];
  memset(out, 0, sizeof *out);
  if (!eli_contact_is_round(of->contact, r)) return ELASTICA_OK;
  const elastica_rod_view *rod = &own->body->view;
  out->rod = rod;
  out->first = first;
  out->heap = r;
  out->fast.bound = INFINITY;
  out->thinnest = INFINITY;
  read_boxes(of, r, out);
  for (int i = 0; i < rod->node_count; i++) {
    out->mass += rod->mass[i];
    for (int a = 0; a < 3; a++) out->velocity[a] += rod->mass[i] * rod->velocity[a][i];
  }
  for (int a = 0; a < 3; a++) out->velocity[a] /= out->mass;
  out->held = eli_rod_has(own, ELI_CONSTRAIN_VELOCITY) || eli_rod_has(own, ELI_CONSTRAIN_POSITION);
  out->stands = out->held || may_stand(of, own);
  return read_loads(of, own, out);
}

/* ---- Approach ---- */

/* The first two elements of a pair to come into contact. */
typedef struct pairing {
  int element[2];
  eli_capsule at[2];
  eli_encounter where;
} pairing;

/* Returns 1 if boxes that meet at this time may hold the first contact. */
static int may_be_first(const pairing *first, double time) {
  return time < INFINITY && time <= first->where.time;
}

/* Sets first if these elements meet earlier. Of several that overlap from the start, the one on which the motion acts most directly. */
static int meet(const scene *of, const int rods[2], const int elements[2], const double w[3], pairing *first) {
  const box *boxes[2];
  pairing own = {{elements[0], elements[1]}, .where = {.time = INFINITY}};
  for (int side = 0; side < 2; side++) boxes[side] = &of->boxes[of->parties[rods[side]].first + elements[side]];
  if (!may_be_first(first, meeting_time(boxes[0], boxes[1], w)) || !eli_contact_let_touch(of->contact, rods, elements)) return 0;
  for (int side = 0; side < 2; side++) eli_contact_place_moving(of->contact, rods[side], elements[side], &own.at[side]);
  if (!eli_capsules_approach(own.at, w, &own.where)) return 0;
  const double closing = eli_dot(own.where.normal, w), least = own.where.time < first->where.time ? 0.0 : eli_dot(first->where.normal, w);
  if (!(own.where.time <= first->where.time && closing > least)) return 0;
  *first = own;
  return 1;
}

/* Returns 0 if the two pass each other or separate. */
static int find_first(const scene *of, int i, int j, const double w[3], pairing *first) {
  const party *one = &of->parties[i], *other = &of->parties[j];
  first->where.time = INFINITY;
  for (int a = 0; a < one->rod->element_count; a++) {
    if (!may_be_first(first, meeting_time(&of->boxes[one->first + a], &other->within, w))) continue;
    for (int b = 0; b < other->rod->element_count; b++) (void)meet(of, (const int[2]){i, j}, (const int[2]){a, b}, w, first);
  }
  return first->where.time < INFINITY;
}

static void judge_approach(const scene *of, int i, int j, const pairing *first, const double w[3]) {
  const elastica_rod_view *one = of->parties[i].rod, *other = of->parties[j].rod;
  const int rods[2] = {i, j}, rigid[2] = {one->rigid, other->rigid}, *element = first->element;
  const eli_strength bears = eli_contact_strength(of->contact, first->at, rigid, &first->where);
  const double mass = mass_of(one, element[0], bears.length[0]), its = mass_of(other, element[1], bears.length[1]);
  const double closing = eli_dot(first->where.normal, w), bound = sqrt(2.0 * bears.energy * (mass + its) / (mass * its));
  for (int side = 0; side < 2; side++) {
    party *own = &of->parties[rods[side]];
    if (!(closing / bound > 1.0 && closing / bound > own->fast.speed / own->fast.bound)) continue;
    own->fast = (approach){rods[1 - side], {element[side], element[1 - side]}, closing, bound};
  }
}

/* A modulus [Pa] to advise, to two digits: not less than it. */
static double rounded_up(double modulus) {
  double scale = 1.0;
  while (modulus / scale >= 100.0) scale *= 10.0;
  while (modulus / scale < 10.0) scale *= 0.1;
  return -floor(-modulus / scale) * scale;
}

static void note_approach(const scene *of, int i) {
  const approach *fast = &of->parties[i].fast;
  const double k = of->contact->law.line.modulus, ratio = fast->speed / fast->bound;
  const eli_spot spot = {i, fast->element[0], of->effect, fast->speed, fast->bound, ratio};
  if (!(ratio > 1.0)) return;
  eli_check_note(of->check, ELASTICA_FINDING_APPROACH, ELASTICA_SEVERITY_WARNING, spot,
                 "rod %d, element %d and rod %d, element %d will meet at %.3g m/s, and from %.3g m/s on they overlap by more than half the "
                 "smaller radius: effect %d \"%s\" has a modulus of %.3g Pa. Let them meet more slowly, or take one of %.2g Pa",
                 i, fast->element[0], fast->other, fast->element[1], fast->speed, fast->bound, of->effect->index, of->effect->body->label,
                 k, rounded_up(k * ratio * ratio));
}

/* Returns 1 if the fastest and the heaviest of all together could have the energy of a deep overlap. */
static int is_any_fast(const scene *of) {
  double fastest = 0.0, heaviest = 0.0, thinnest = INFINITY;
  for (int r = 0; r < of->count; r++) {
    const party *own = &of->parties[r];
    if (own->rod == NULL) continue;
    const double square = eli_dot(own->velocity, own->velocity);
    if (!(square <= fastest)) fastest = square;
    if (own->mass > heaviest) heaviest = own->mass;
    if (own->thinnest < thinnest) thinnest = own->thinnest;
  }
  return !(0.5 * heaviest * 4.0 * fastest < LEAST_ENERGY * of->contact->law.line.modulus * thinnest * thinnest * thinnest);
}

static void compare_speeds(const scene *of, int i, int j) {
  const party *one = &of->parties[i], *other = &of->parties[j];
  const double k = of->contact->law.line.modulus, r = one->thinnest < other->thinnest ? one->thinnest : other->thinnest;
  const double lighter = one->mass < other->mass ? one->mass : other->mass;
  double w[3];
  pairing first;
  for (int a = 0; a < 3; a++) w[a] = one->velocity[a] - other->velocity[a];
  if (0.5 * lighter * eli_dot(w, w) < LEAST_ENERGY * k * r * r * r || !(meeting_time(&one->within, &other->within, w) < INFINITY)) return;
  if (find_first(of, i, j, w, &first)) judge_approach(of, i, j, &first, w);
}

/* ---- Weight ---- */

static double size_of(const double v[3]) {
  return sqrt(eli_dot(v, v));
}

/* Sorts indices by a height, the largest first. */
static void sort_by_height(const scene *of, int *order, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int k = gap; k < count; k++) {
      const int moved = order[k];
      int to = k;
      for (; to >= gap && of->parties[order[to - gap]].height < of->parties[moved].height; to -= gap) order[to] = order[to - gap];
      order[to] = moved;
    }
}

static int list_parties(const scene *of, int *order) {
  int count = 0;
  for (int r = 0; r < of->count; r++)
    if (of->parties[r].rod != NULL) order[count++] = r;
  return count;
}

static void sort_by_time(candidate *near, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int k = gap; k < count; k++) {
      const candidate moved = near[k];
      int to = k;
      for (; to >= gap && near[to - gap].time > moved.time; to -= gap) near[to] = near[to - gap];
      near[to] = moved;
    }
}

/* Lists the bodies that may support body i, the earliest first. */
static void find_near(scene *of, int i) {
  const party *own = &of->parties[i];
  of->near_count = 0;
  for (int j = 0; j < of->count; j++) {
    if (j == i || of->parties[j].rod == NULL) continue;
    const double time = meeting_time(&own->within, &of->parties[j].within, own->load);
    if (time < INFINITY) of->near[of->near_count++] = (candidate){j, time};
  }
  sort_by_time(of->near, of->near_count);
}

/* Sets first if element a of i meets j earlier. */
static int meet_element(const scene *of, int i, int a, int j, pairing *first) {
  const party *own = &of->parties[i], *other = &of->parties[j];
  int any = 0;
  if (!may_be_first(first, meeting_time(&of->boxes[own->first + a], &other->within, own->load))) return 0;
  for (int b = 0; b < other->rod->element_count; b++) any |= meet(of, (const int[2]){i, j}, (const int[2]){a, b}, own->load, first);
  return any;
}

/* along: of the beginning of the element. */
static support support_of(const scene *of, int i, int j, const pairing *first, double along) {
  const party *own = &of->parties[i], *other = &of->parties[j];
  const int rigid[2] = {own->rod->rigid, other->rod->rigid};
  const double sine = eli_capsule_sine(first->at), length = own->rod->length[first->element[0]];
  const eli_strength bears = eli_contact_strength(of->contact, first->at, rigid, &first->where);
  support out = {.on = j, .force = bears.force, .time = first->where.time};
  out.cosine = eli_dot(first->where.normal, own->load) / size_of(own->load);
  out.along = along + first->where.share[0] * length;
  out.reach = bears.parallel ? 0.0 : (first->at[0].radius + first->at[1].radius) / sine;
  return out;
}

static void add_support(scene *of, party *own, const support *added) {
  support *supports = eli_grow(&of->check->world->allocator, of->supports, (size_t)of->support_count, sizeof *supports);
  if (supports == NULL) {
    of->failed = 1;
    return;
  }
  of->supports = supports;
  supports[of->support_count++] = *added;
  own->support_count++;
}

/* Elements of one crossing are one support: that of the element that meets first. */
static void add_to_crossing(scene *of, party *own, const support *added) {
  for (int k = of->support_count - 1; k >= own->support && added->reach > 0.0; k--) {
    support *earlier = &of->supports[k];
    if (fabs(added->along - earlier->along) > added->reach) break;
    if (earlier->on != added->on || earlier->reach == 0.0) continue;
    if (added->time < earlier->time || (added->time == earlier->time && added->cosine > earlier->cosine)) *earlier = *added;
    return;
  }
  add_support(of, own, added);
}

/* Each element of a rod rests on the first rod or body that it meets, and all supports of the rod are equally deep. */
static void find_supports_of_rod(scene *of, int i) {
  party *own = &of->parties[i];
  double along = 0.0, total = 0.0;
  for (int a = 0; a < own->rod->element_count; a++) {
    pairing first = {.where = {.time = INFINITY}};
    int on = -1;
    for (int k = 0; k < of->near_count && may_be_first(&first, of->near[k].time); k++)
      if (meet_element(of, i, a, of->near[k].party, &first)) on = of->near[k].party;
    if (on >= 0) {
      const support added = support_of(of, i, on, &first, along);
      add_to_crossing(of, own, &added);
    }
    along += own->rod->length[a];
  }
  if (own->support_count == 0) return;
  support *all = &of->supports[own->support];
  for (int k = 0; k < own->support_count; k++) total += all[k].force;
  for (int k = 0; k < own->support_count; k++) all[k].share = all[k].force / total;
}

/* Shares of the load of a body, by the equilibrium of forces and of moments about its middle; share holds stiffnesses before. Where the
 * middle is not between supports the body tips to the nearest. */
static void share_by_levers(support *all, int count) {
  double total = 0.0, mean = 0.0, square = 0.0, sum = 0.0;
  if (count == 0) return;
  for (int k = 0; k < count; k++) total += all[k].share, mean += all[k].share * all[k].along;
  mean /= total;
  for (int k = 0; k < count; k++) square += all[k].share * (all[k].along - mean) * (all[k].along - mean);
  for (int k = 0; k < count; k++) {
    const double lever = square > 0.0 ? total * mean * (all[k].along - mean) / square : 0.0;
    all[k].share *= lever < 1.0 ? 1.0 - lever : 0.0;
    sum += all[k].share;
  }
  for (int k = 0; k < count; k++) all[k].share /= sum;
}

/* A body rests on all that it overlaps when the overlap with the first is half a radius. */
static void find_supports_of_body(scene *of, int i) {
  party *own = &of->parties[i];
  const double size = size_of(own->load);
  double earliest = INFINITY;
  for (int k = 0; k < of->near_count && of->near[k].time * size <= earliest * size + ELI_DEEP * own->thinnest; k++) {
    pairing first = {.where = {.time = INFINITY}};
    if (!meet_element(of, i, 0, of->near[k].party, &first)) continue;
    support added = support_of(of, i, of->near[k].party, &first, -0.5 * own->rod->length[0]);
    if (eli_capsule_sine(first.at) < ELI_PARALLEL) added.along = 0.0;
    if (added.time < earliest) earliest = added.time;
    add_support(of, own, &added);
  }
  if (own->support_count == 0) return;
  support *all = &of->supports[own->support];
  int count = 0;
  for (int k = 0; k < own->support_count; k++) {
    const double radius = of->parties[all[k].on].thinnest, deep = ELI_DEEP * (radius < own->thinnest ? radius : own->thinnest);
    const double later = (all[k].time - earliest) * size;
    if (!(later < deep)) continue;
    all[count] = all[k];
    all[count++].share = all[k].force * all[k].cosine * all[k].cosine * (1.0 - later / deep);
  }
  of->support_count -= own->support_count - count;
  own->support_count = count;
  share_by_levers(all, count);
}

static void find_supports(scene *of, int i) {
  party *own = &of->parties[i];
  own->support = of->support_count, own->support_count = 0;
  if (!(size_of(own->load) > 0.0)) return;
  find_near(of, i);
  if (own->rod->rigid)
    find_supports_of_body(of, i);
  else
    find_supports_of_rod(of, i);
}

/* ---- Heaps that fall together ---- */

static int heap_of(scene *of, int r) {
  while (of->parties[r].heap != r) {
    party *own = &of->parties[r];
    own->heap = of->parties[own->heap].heap;
    r = own->heap;
  }
  return r;
}

/* Joins each body with those that support it. */
static void find_heaps(scene *of) {
  for (int r = 0; r < of->count; r++) {
    const party *own = &of->parties[r];
    for (int k = 0; k < own->support_count; k++) of->parties[heap_of(of, r)].heap = heap_of(of, of->supports[own->support + k].on);
  }
  for (int r = 0; r < of->count; r++) {
    const party *own = &of->parties[r];
    if (own->rod == NULL) continue;
    party *heap = &of->parties[heap_of(of, r)];
    for (int a = 0; a < 3; a++) heap->heap_load[a] += own->load[a];
    heap->heap_mass += own->mass;
    heap->heap_stands |= own->stands;
  }
}

/* A heap without support falls together: on its contacts acts the load without the common acceleration. */
static void leave_common_fall(scene *of, int i) {
  party *own = &of->parties[i];
  const party *heap = &of->parties[heap_of(of, i)];
  own->pressing = size_of(own->load);
  if (heap->heap_stands) return;
  for (int a = 0; a < 3; a++) own->load[a] -= heap->heap_load[a] * own->mass / heap->heap_mass;
  if (size_of(own->load) < 1e-9 * own->pressing)
    own->pressing = 0.0;
  else
    find_supports(of, i), own->pressing = size_of(own->load);
}

static void note_weight(const scene *of, int i, double load, double bears) {
  const party *own = &of->parties[i];
  const double k = of->contact->law.line.modulus;
  const eli_spot spot = {i, -1, of->effect, load, bears, load / bears};
  char above[80] = "";
  if (own->carried > 0.0) snprintf(above, sizeof above, ", of which those above it are %.3g N,", own->carried);
  eli_check_note(
      of->check, ELASTICA_FINDING_WEIGHT, ELASTICA_SEVERITY_WARNING, spot,
      "rod %d: it presses with %.3g N%s on what it will rest on, and from %.3g N on it overlaps that by more than half the smaller "
      "radius: effect %d \"%s\" has a modulus of %.3g Pa. Take one of %.2g Pa, or less load",
      i, load, above, bears, of->effect->index, of->effect->body->label, k, rounded_up(k * load / bears));
}

static void judge_weight(scene *of, int i) {
  const party *own = &of->parties[i];
  const double load = own->pressing + own->carried;
  double bears = INFINITY;
  if (!(load > 0.0) || own->held) return;
  for (int k = 0; k < own->support_count; k++) {
    const support *on = &of->supports[own->support + k];
    if (on->share * bears > on->force) bears = on->force / on->share;
    of->parties[on->on].carried += load * on->share;
  }
  if (load > bears) note_weight(of, i, load, bears);
}

/* Passes loads on from the top down, in the direction of the largest load of one body. */
static void judge_weights(scene *of) {
  const double k = of->contact->law.line.modulus, *most = NULL;
  double total = 0.0, largest = 0.0, thinnest = INFINITY;
  const int count = list_parties(of, of->order);
  for (int n = 0; n < count; n++) {
    const party *own = &of->parties[of->order[n]];
    const double load = size_of(own->load);
    total += load;
    if (own->thinnest < thinnest) thinnest = own->thinnest;
    if (load > largest) largest = load, most = own->load;
  }
  if (most == NULL || !(total > LEAST_FORCE * k * thinnest * thinnest)) return;
  const double down[3] = {most[0], most[1], most[2]};
  for (int n = 0; n < count; n++) find_supports(of, of->order[n]);
  find_heaps(of);
  for (int n = 0; n < count; n++) leave_common_fall(of, of->order[n]);
  for (int n = 0; n < count; n++) {
    party *own = &of->parties[of->order[n]];
    own->height = 0.0;
    for (int a = 0; a < 3; a++) own->height -= 0.5 * (own->within.low[a] + own->within.high[a]) * down[a];
  }
  sort_by_height(of, of->order, count);
  for (int n = 0; n < count; n++) judge_weight(of, of->order[n]);
}

/* ---- Loops ---- */

/* [N] The tension of element j at which a loop overlaps by half a radius, when two strands that cross bear this force [N] at that depth. */
static double loop_bound(const elastica_rod_view *rod, int j, double radius, double crossing) {
  const double b1 = rod->element_bend_stiffness[0][j], b2 = rod->element_bend_stiffness[1][j], bend = b1 < b2 ? b1 : b2;
  const double press = LOOP_PRESS * crossing, stretch = LOOP_STRETCH * rod->shear_stiffness[2][j];
  return press * stretch / (press + stretch) + LOOP_BEND * bend / (radius * radius);
}

/* Returns the factor by which the modulus must be larger for this tension; 0: no modulus suffices, because the rod itself stretches. */
static double loop_factor(const elastica_rod_view *rod, int j, double radius, double crossing, double tension) {
  const double stretch = LOOP_STRETCH * rod->shear_stiffness[2][j], rest = tension - loop_bound(rod, j, radius, 0.0);
  return rest < stretch ? rest * stretch / (stretch - rest) / (LOOP_PRESS * crossing) : 0.0;
}

static void judge_loop(const scene *of, int r) {
  const party *own = &of->parties[r];
  if (own->rod == NULL || own->rod->rigid || !(own->tension > 0.0) || !of->contact->law.self) return;
  const int j = own->tense;
  const double crossing = eli_contact_crossing_strength(of->contact, own->thinnest), k = of->contact->law.line.modulus;
  const double bound = loop_bound(own->rod, j, own->thinnest, crossing);
  const eli_spot spot = {r, j, of->effect, own->tension, bound, own->tension / bound};
  if (!(own->tension > bound)) return;
  const double factor = loop_factor(own->rod, j, own->thinnest, crossing, own->tension);
  char advice[120] = "Pull less: under this load the rod itself stretches too far, whatever the modulus";
  if (factor > 0.0) snprintf(advice, sizeof advice, "Take one of %.2g Pa, or pull less", rounded_up(k * factor));
  eli_check_note(of->check, ELASTICA_FINDING_LOOP, ELASTICA_SEVERITY_WARNING, spot,
                 "rod %d, element %d: its loads pull it with %.3g N. From about %.3g N on, a knot or loop in it is drawn so tight that its "
                 "strands overlap by more than half the radius: effect %d \"%s\" has a modulus of %.3g Pa. %s",
                 r, j, own->tension, bound, of->effect->index, of->effect->body->label, k, advice);
}

/* ---- The whole check ---- */

static elastica_status judge(scene *of) {
  elastica_status status = ELASTICA_OK;
  int first = 0;
  for (int r = 0; r < of->count && status == ELASTICA_OK; r++) {
    status = read_party(of, r, first, &of->parties[r]);
    if (of->parties[r].rod != NULL) first += of->parties[r].rod->element_count;
  }
  if (status != ELASTICA_OK) return status;
  for (int r = 0; r < of->count; r++) judge_loop(of, r);
  const int fast = is_any_fast(of);
  for (int i = 0; i < of->count && fast; i++)
    for (int j = i + 1; j < of->count; j++)
      if (of->parties[i].rod != NULL && of->parties[j].rod != NULL) compare_speeds(of, i, j);
  for (int r = 0; r < of->count; r++)
    if (of->parties[r].rod != NULL) note_approach(of, r);
  judge_weights(of);
  if (of->failed) return elastica_world_refuse(of->check->world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d rods", of->count);
  return ELASTICA_OK;
}

static elastica_status reserve(scene *of) {
  elastica_world *world = of->check->world;
  const eli_allocator *allocator = &world->allocator;
  const size_t count = (size_t)of->count;
  size_t elements = 1;
  ELI_EACH_ROD_OF_WORLD(rod, world) elements += (size_t)rod->element_count;
  of->parties = eli_allocate(allocator, count, sizeof *of->parties);
  of->order = eli_allocate(allocator, count, sizeof *of->order);
  of->near = eli_allocate(allocator, count, sizeof *of->near);
  of->boxes = eli_allocate(allocator, elements, sizeof *of->boxes);
  if (of->parties != NULL && of->order != NULL && of->near != NULL && of->boxes != NULL) {
    memset(of->parties, 0, count * sizeof *of->parties);
    return ELASTICA_OK;
  }
  return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d rods", of->count);
}

static void release(scene *of) {
  const eli_allocator *allocator = &of->check->world->allocator;
  eli_release(allocator, of->supports);
  eli_release(allocator, of->boxes);
  eli_release(allocator, of->near);
  eli_release(allocator, of->order);
  eli_release(allocator, of->parties);
}

static elastica_status check_pressing(const eli_check *check, double dt) {
  elastica_world *world = check->world;
  elastica_status status = ELASTICA_OK;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (status != ELASTICA_OK || !finds_contacts(effect) || world->bodies.rod_count == 0) continue;
    scene of = {.check = check, .dt = dt, .count = world->bodies.rod_count, .effect = effect, .contact = effect->self};
    status = reserve(&of);
    if (status == ELASTICA_OK && !eli_contact_update(of.contact))
      status = elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d rods", of.count);
    if (status == ELASTICA_OK) status = judge(&of);
    release(&of);
  }
  return status;
}

/* ---- Elastic obstacles ---- */

typedef struct noting {
  const eli_check *check;
  elastica_effect *effect;
} noting;

static void note_impact(void *context, int rod, const eli_impact *of) {
  const noting *to = context;
  elastica_effect *effect = to->effect;
  const double ratio = of->speed / of->bound, modulus = eli_elastic_modulus(effect->self);
  const eli_spot spot = {rod, of->element, effect, of->speed, of->bound, ratio};
  eli_check_note(to->check, ELASTICA_FINDING_APPROACH, ELASTICA_SEVERITY_WARNING, spot,
                 "rod %d, element %d will meet effect %d \"%s\" at %.3g m/s, and from %.3g m/s on it overlaps it by more than half its "
                 "radius: the effect has a modulus of %.3g Pa. Let them meet more slowly, or take one of %.2g Pa",
                 rod, of->element, effect->index, effect->body->label, of->speed, of->bound, modulus, rounded_up(modulus * ratio * ratio));
}

static elastica_status check_obstacles(const eli_check *check) {
  elastica_world *world = check->world;
  elastica_status status = ELASTICA_OK;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (status != ELASTICA_OK || !effect->enabled || !is_obstacle(effect)) continue;
    noting to = {check, effect};
    eli_world_enter_hooks(world, ELI_IN_HOOK);
    status = eli_elastic_find_impacts(effect->self, eli_world_now(world), note_impact, &to);
    eli_world_leave_hooks(world);
    if (status != ELASTICA_OK)
      status =
          elastica_world_refuse(world, status, "check: effect %d \"%s\": %s", effect->index, effect->body->label, eli_world_reason(world));
  }
  return status;
}

elastica_status eli_check_contacts(const eli_check *check, double dt) {
  elastica_status status = check_overlaps(check);
  if (status == ELASTICA_OK) status = check_pressing(check, dt);
  return status == ELASTICA_OK ? check_obstacles(check) : status;
}
