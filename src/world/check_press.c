/* Rods and bodies that contact will press deeply into each other, because of their speed, their weight, or loads that tighten loops.
 *
 * models     approach: rods and bodies continue with their mean velocity. The kinetic energy of the elements in contact is compared with
 *            the energy of their layer at half the smaller radius
 *            weight: the load of each body is passed on to its first supports, in proportion to the force of their layers at half the
 *            smaller radius. The load is compared with the sum of these forces
 *            loops: a loop of radius 2 r, the tightest one at self-contact, pulls its strands inwards by T/(2 r) per length under the
 *            tension T. This is compared with the force per length of two strands at half a radius
 * source     energies and forces are computed by the functions of contact itself, for two elements in this position
 * test       tests/test_check_press.c
 *
 * Measured for two rods that cross or lie side by side, and for a ball on a rod: at the critical speed the deepest overlap is 0.498 to
 * 0.521 radii, with elements of 2.5 and 10 radii. Waves that spread from the contact are neglected.
 */
#include "base/target.h"

#include <string.h>

#include "base/vector.h"
#include "effects/effects.h"
#include "pairs/contact_meet.h"
#include "world/check.h"

/* Below these bounds no contact is half a radius deep: a lower bound of the energy of any two elements, in k r^3, and of their force, in k
 * r^2. */
#define LEAST_ENERGY 0.5
#define LEAST_FORCE 10.0

/* The contact with the largest ratio of speed to critical speed. */
typedef struct approach {
  int other, element[2];
  double speed, bound; /* [m/s] */
} approach;

/* A rod or body in the check. */
typedef struct party {
  const elastica_rod_view *rod;
  double low[3], high[3];           /* [m] bounding box, with its radius */
  double mass, velocity[3];         /* [kg] [m/s] total mass and mean velocity */
  double load[3], carried, bearing; /* [N] loads of effects; load from bodies above; force of the layer below the body under examination */
  double radius, thinnest;          /* [m] */
  double tension;                   /* [N] largest tension from its loads; tense is the element */
  int tense;
  double height; /* [m] height against the load direction, times its magnitude [N] */
  approach fast;
  int held; /* 1: its position or velocity is prescribed */
} party;

typedef struct scene {
  const eli_check *check;
  double dt;
  elastica_effect *effect; /* the contact effect under examination */
  eli_contact *contact;
  party *parties;
  int *order, *near; /* order: from the top down; near: the possible supports of one body */
  int count, near_count;
} scene;

/* ---- Geometry ---- */

/* Returns 1 if the boxes overlap at some time t >= 0, while the first one moves by w t. */
static int boxes_meet(const double low[3], const double high[3], const party *other, const double w[3]) {
  double from = 0.0, to = INFINITY;
  for (int a = 0; a < 3; a++) {
    const double before = other->low[a] - high[a], behind = other->high[a] - low[a];
    if (w[a] == 0.0) {
      if (before > 0.0 || behind < 0.0) return 0;
      continue;
    }
    const double one = before / w[a], two = behind / w[a], first = one < two ? one : two, last = one < two ? two : one;
    if (first > from) from = first;
    if (last < to) to = last;
  }
  return from <= to;
}

static void enclose(const eli_capsule *at, party *of) {
  for (int a = 0; a < 3; a++) {
    const double x = at->end[0][a], y = at->end[1][a];
    of->low[a] = (x < y ? x : y) - at->radius;
    of->high[a] = (x < y ? y : x) + at->radius;
  }
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

static elastica_status read_party(const scene *of, int r, party *out) {
  elastica_world *world = of->check->world;
  elastica_rod *own = world->rods[r];
  memset(out, 0, sizeof *out);
  if (!eli_contact_is_round(of->contact, r)) return ELASTICA_OK;
  const elastica_rod_view *rod = &own->body->view;
  out->rod = rod;
  out->fast.bound = INFINITY;
  out->thinnest = INFINITY;
  for (int a = 0; a < 3; a++) out->low[a] = INFINITY, out->high[a] = -INFINITY;
  for (int j = 0; j < rod->element_count; j++) {
    eli_capsule at;
    party of_element;
    eli_contact_place_moving(of->contact, r, j, &at);
    enclose(&at, &of_element);
    for (int a = 0; a < 3; a++) {
      if (of_element.low[a] < out->low[a]) out->low[a] = of_element.low[a];
      if (of_element.high[a] > out->high[a]) out->high[a] = of_element.high[a];
    }
    if (at.radius > out->radius) out->radius = at.radius;
    if (at.radius < out->thinnest) out->thinnest = at.radius;
  }
  for (int i = 0; i < rod->node_count; i++) {
    out->mass += rod->mass[i];
    for (int a = 0; a < 3; a++) out->velocity[a] += rod->mass[i] * rod->velocity[a][i];
  }
  for (int a = 0; a < 3; a++) out->velocity[a] /= out->mass;
  out->held = eli_rod_has(own, ELI_CONSTRAIN_VELOCITY) || eli_rod_has(own, ELI_CONSTRAIN_POSITION);
  return read_loads(of, own, out);
}

/* ---- Approach ---- */

/* The first two elements of a pair to come into contact. */
typedef struct pairing {
  int element[2];
  eli_capsule at[2];
  eli_encounter where;
} pairing;

/* Returns 0 if the two pass each other or separate. */
static int find_first(const scene *of, int i, int j, const double w[3], pairing *first) {
  const party *one = &of->parties[i], *other = &of->parties[j];
  first->where.time = INFINITY;
  for (int a = 0; a < one->rod->element_count; a++) {
    party own, its;
    eli_capsule at[2];
    eli_contact_place_moving(of->contact, i, a, &at[0]);
    enclose(&at[0], &own);
    for (int b = 0; boxes_meet(own.low, own.high, other, w) && b < other->rod->element_count; b++) {
      const int rods[2] = {i, j}, elements[2] = {a, b};
      eli_encounter where;
      eli_contact_place_moving(of->contact, j, b, &at[1]);
      enclose(&at[1], &its);
      if (!boxes_meet(own.low, own.high, &its, w) || !eli_contact_let_touch(of->contact, rods, elements)) continue;
      if (!eli_capsules_meet(at, w, &where) || !(where.time < first->where.time) || !(eli_dot(where.normal, w) > 0.0)) continue;
      *first = (pairing){{a, b}, {at[0], at[1]}, where};
    }
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

static void note_approach(const scene *of, int i) {
  const approach *fast = &of->parties[i].fast;
  const double k = eli_contact_modulus(of->contact), ratio = fast->speed / fast->bound;
  const eli_spot spot = {i, fast->element[0], of->effect, fast->speed, fast->bound, ratio};
  if (!(ratio > 1.0)) return;
  eli_check_note(of->check, ELASTICA_FINDING_APPROACH, ELASTICA_SEVERITY_WARNING, spot,
                 "rod %d, element %d and rod %d, element %d will meet at %.3g m/s, and from %.3g m/s on they overlap by more than half the "
                 "smaller radius: effect %d \"%s\" has a modulus of %.3g Pa. Let them meet more slowly, or take one of %.2g Pa",
                 i, fast->element[0], fast->other, fast->element[1], fast->speed, fast->bound, of->effect->index, of->effect->body->label,
                 k, k * ratio * ratio);
}

static void compare_speeds(const scene *of, int i, int j) {
  const party *one = &of->parties[i], *other = &of->parties[j];
  const double k = eli_contact_modulus(of->contact), r = one->thinnest < other->thinnest ? one->thinnest : other->thinnest;
  const double lighter = one->mass < other->mass ? one->mass : other->mass;
  double w[3];
  pairing first;
  for (int a = 0; a < 3; a++) w[a] = one->velocity[a] - other->velocity[a];
  if (0.5 * lighter * eli_dot(w, w) < LEAST_ENERGY * k * r * r * r || !boxes_meet(one->low, one->high, other, w)) return;
  if (find_first(of, i, j, w, &first)) judge_approach(of, i, j, &first, w);
}

/* ---- Weight ---- */

/* The first support of an element of body i that moves along its load. */
typedef struct support {
  int rod, element; /* -1: none */
  eli_capsule at[2];
  eli_encounter where;
} support;

static void find_support(const scene *of, int i, int a, support *out) {
  const party *own = &of->parties[i];
  const double *w = own->load;
  party mine, its;
  out->rod = -1;
  out->where.time = INFINITY;
  eli_contact_place_moving(of->contact, i, a, &out->at[0]);
  enclose(&out->at[0], &mine);
  for (int k = 0; k < of->near_count; k++) {
    const int j = of->near[k];
    const party *other = &of->parties[j];
    if (!boxes_meet(mine.low, mine.high, other, w)) continue;
    for (int b = 0; b < other->rod->element_count; b++) {
      const int rods[2] = {i, j}, elements[2] = {a, b};
      eli_capsule at[2] = {out->at[0]};
      eli_encounter where;
      eli_contact_place_moving(of->contact, j, b, &at[1]);
      enclose(&at[1], &its);
      if (!boxes_meet(mine.low, mine.high, &its, w) || !eli_contact_let_touch(of->contact, rods, elements) ||
          !eli_capsules_meet(at, w, &where))
        continue;
      if (!(where.time < out->where.time) || !(eli_dot(where.normal, w) > 0.0)) continue;
      out->rod = j, out->element = b, out->where = where, out->at[1] = at[1];
    }
  }
}

/* Lists the possible supports of body i. */
static void find_near(scene *of, int i) {
  const party *own = &of->parties[i];
  of->near_count = 0;
  for (int j = 0; j < of->count; j++) {
    if (j == i || of->parties[j].rod == NULL || !boxes_meet(own->low, own->high, &of->parties[j], own->load)) continue;
    of->near[of->near_count++] = j;
    of->parties[j].bearing = 0.0;
  }
}

/* Returns the sum of the forces of the bodies that support i. A crossing counts once, although two elements may share it. */
static double rest_on(scene *of, int i) {
  const party *own = &of->parties[i];
  double sum = 0.0;
  int before = -1;
  find_near(of, i);
  for (int a = 0; a < own->rod->element_count && of->near_count > 0; a++) {
    support on;
    find_support(of, i, a, &on);
    const int again = on.rod == before;
    before = on.rod;
    if (on.rod < 0) continue;
    const int rigid[2] = {own->rod->rigid, of->parties[on.rod].rod->rigid};
    const eli_strength bears = eli_contact_strength(of->contact, on.at, rigid, &on.where);
    if (again && !bears.parallel) continue;
    sum += bears.force;
    of->parties[on.rod].bearing += bears.force;
  }
  return sum;
}

static double size_of(const double v[3]) {
  return sqrt(eli_dot(v, v));
}

static void judge_weight(scene *of, int i) {
  const party *own = &of->parties[i];
  const double load = size_of(own->load) + own->carried, bears = load > 0.0 && !own->held ? rest_on(of, i) : 0.0;
  if (!(bears > 0.0)) return;
  for (int k = 0; k < of->near_count; k++) of->parties[of->near[k]].carried += load / bears * of->parties[of->near[k]].bearing;
  if (!(load > bears)) return;
  const double k = eli_contact_modulus(of->contact);
  const eli_spot spot = {i, -1, of->effect, load, bears, load / bears};
  eli_check_note(
      of->check, ELASTICA_FINDING_WEIGHT, ELASTICA_SEVERITY_WARNING, spot,
      "rod %d: it presses with %.3g N, of which those above it are %.3g N, on what it will rest on, and from %.3g N on it overlaps "
      "that by more than half the smaller radius: effect %d \"%s\" has a modulus of %.3g Pa. Take one of %.2g Pa, or less load",
      i, load, own->carried, bears, of->effect->index, of->effect->body->label, k, k * load / bears);
}

/* Returns the height of a body against a direction. */
static double height_of(const party *of, const double down[3]) {
  double sum = 0.0;
  for (int a = 0; a < 3; a++) sum -= 0.5 * (of->low[a] + of->high[a]) * down[a];
  return sum;
}

/* Sorts the bodies from the top down. */
static void sort_by_height(const scene *of, const double down[3]) {
  int count = 0;
  for (int r = 0; r < of->count; r++) {
    if (of->parties[r].rod != NULL) of->order[count++] = r;
    if (of->parties[r].rod != NULL) of->parties[r].height = height_of(&of->parties[r], down);
  }
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int k = gap; k < count; k++) {
      const int moved = of->order[k];
      int to = k;
      for (; to >= gap && of->parties[of->order[to - gap]].height < of->parties[moved].height; to -= gap)
        of->order[to] = of->order[to - gap];
      of->order[to] = moved;
    }
  if (count < of->count) of->order[count] = -1;
}

/* Passes loads on from the top down, in the direction of the largest load of one body. */
static void judge_weights(scene *of) {
  const double k = eli_contact_modulus(of->contact), *down = NULL;
  double total = 0.0, most = 0.0, thinnest = INFINITY;
  for (int r = 0; r < of->count; r++) {
    const party *own = &of->parties[r];
    if (own->rod == NULL) continue;
    const double load = size_of(own->load);
    total += load;
    if (own->thinnest < thinnest) thinnest = own->thinnest;
    if (load > most) most = load, down = own->load;
  }
  if (down == NULL || !(total > LEAST_FORCE * k * thinnest * thinnest)) return;
  sort_by_height(of, down);
  for (int n = 0; n < of->count && of->order[n] >= 0; n++) judge_weight(of, of->order[n]);
}

/* ---- Loops ---- */

static void judge_loop(const scene *of, int r) {
  const party *own = &of->parties[r];
  if (own->rod == NULL || own->rod->rigid || !eli_contact_is_of_self(of->contact)) return;
  const double bound = 2.0 * own->thinnest * eli_contact_line_strength(of->contact, own->thinnest), k = eli_contact_modulus(of->contact);
  const eli_spot spot = {r, own->tense, of->effect, own->tension, bound, own->tension / bound};
  if (own->tension > bound)
    eli_check_note(
        of->check, ELASTICA_FINDING_LOOP, ELASTICA_SEVERITY_WARNING, spot,
        "rod %d, element %d: its loads pull it with %.3g N. From %.3g N on, a knot or loop in it is drawn so tight that its "
        "strands overlap by more than half the radius: effect %d \"%s\" has a modulus of %.3g Pa. Take one of %.2g Pa, or pull less",
        r, own->tense, own->tension, bound, of->effect->index, of->effect->body->label, k, k * own->tension / bound);
}

/* ---- The whole check ---- */

static elastica_status judge(scene *of) {
  elastica_status status = ELASTICA_OK;
  for (int r = 0; r < of->count && status == ELASTICA_OK; r++) status = read_party(of, r, &of->parties[r]);
  if (status != ELASTICA_OK) return status;
  for (int r = 0; r < of->count; r++) judge_loop(of, r);
  for (int i = 0; i < of->count; i++)
    for (int j = i + 1; j < of->count; j++)
      if (of->parties[i].rod != NULL && of->parties[j].rod != NULL) compare_speeds(of, i, j);
  for (int r = 0; r < of->count; r++)
    if (of->parties[r].rod != NULL) note_approach(of, r);
  judge_weights(of);
  return ELASTICA_OK;
}

elastica_status eli_check_pressing(const eli_check *check, double dt) {
  elastica_world *world = check->world;
  elastica_status status = ELASTICA_OK;
  scene of = {.check = check, .dt = dt, .count = world->rod_count};
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    if (status != ELASTICA_OK || !eli_check_finds_contacts(effect) || world->rod_count == 0) continue;
    of.effect = effect;
    of.contact = effect->self;
    of.parties = eli_allocate(&world->allocator, (size_t)of.count, sizeof *of.parties);
    of.order = eli_allocate(&world->allocator, 2 * (size_t)of.count, sizeof *of.order);
    of.near = of.order != NULL ? of.order + of.count : NULL;
    status = of.parties == NULL || of.order == NULL || !eli_contact_update(of.contact)
                 ? elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "check: no memory for %d rods", of.count)
                 : ELASTICA_OK;
    if (status == ELASTICA_OK) memset(of.parties, 0, (size_t)of.count * sizeof *of.parties);
    if (status == ELASTICA_OK) status = judge(&of);
    eli_release(&world->allocator, of.order);
    eli_release(&world->allocator, of.parties);
  }
  return status;
}
