/* The travel of nodes and of moving obstacles in one step, and the turn of moving boundaries.
 *
 * models     A node may move in one step by a quarter of the smallest radius, or by half of the gap between it and an obstacle; so may each
 *            point of a rigid body, and an obstacle with a prescribed motion where the node is. Then from the first touch to the crossing
 *            of a centre line it takes several steps. Contact between rods, and a surface of the user, allow the quarter alone.
 *            A boundary may turn its frame in one step by half a turn: the unknowns cannot tell a whole turn more from none
 * equation   of an obstacle |p(t) - p0| + |R(t) - R0| |x - p0| at 64 times within the step, and the present speeds for the time between two
 *            of them
 * test       tests/test_implicit_sweep.c
 *
 * A motion that comes and goes between two of these times with no speed at either is not seen: the field longest_step is for it.
 */
#include "base/target.h"

#include <math.h>

#include "base/rotation.h"
#include "base/vector.h"
#include "effects/solid.h"
#include "implicit/implicit.h"
#include "rod/law.h"
#include "state/prescribed.h"

enum { SAMPLES = 64 };

/* Share of the largest travel that nodes may take at their present speed. */
#define SHARE_OF_TRAVEL 0.8

/* The motion of an obstacle within a step: bounds of the shift of its position [m] and of its turn [1], until each of the times. */
typedef struct sweep {
  eli_body body; /* at the beginning */
  double shift[SAMPLES], turn[SAMPLES];
  int moves;
} sweep;

/* |R - R0| of two frames */
static double turn_between(const double a[9], const double b[9]) {
  double sum = 0.0;
  for (int k = 0; k < 9; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(0.5 * sum);
}

elastica_status eli_implicit_ask(const elastica_effect *effect, double time, eli_body *body) {
  elastica_world *world = effect->world;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  const elastica_status status = effect->body->kind->stands(effect->self, time, body);
  eli_world_leave_hooks(world);
  if (status == ELASTICA_OK) return status;
  const eli_tile_report report = {.status = status, .rod_index = -1, .effect = effect, .hook = ELI_ADD_LOADS};
  return eli_world_fail_hook(world, &report, time, "");
}

static elastica_status follow(const elastica_effect *effect, double start, double h, sweep *of) {
  const double part = h / SAMPLES;
  eli_body next;
  elastica_status status = eli_implicit_ask(effect, start, &of->body);
  double speed = eli_length(of->body.place.velocity), spin = eli_length(of->body.place.omega);
  of->moves = 0;
  for (int k = 0; k < SAMPLES && status == ELASTICA_OK; k++) {
    const double last_speed = speed, last_spin = spin;
    double moved[3];
    status = eli_implicit_ask(effect, start + part * (k + 1), &next);
    if (status != ELASTICA_OK) return status;
    speed = eli_length(next.place.velocity), spin = eli_length(next.place.omega);
    for (int a = 0; a < 3; a++) moved[a] = next.place.position[a] - of->body.place.position[a];
    of->shift[k] = eli_length(moved) + part * (speed > last_speed ? speed : last_speed);
    of->turn[k] = turn_between(next.place.director, of->body.place.director) + part * (spin > last_spin ? spin : last_spin);
    of->moves = of->moves || of->shift[k] > 0.0 || of->turn[k] > 0.0;
  }
  return status;
}

/* Returns the largest radius plus half a length of an element of a rod [m]; of a body the radius of the ball around it. */
static double reach_of(const eli_implicit *implicit, int r) {
  const eli_solid *body = implicit->relaxation.rods[r]->body->solid;
  if (body != NULL)
    return body->def.shape == ELASTICA_SHAPE_BOX || body->def.shape == ELASTICA_SHAPE_CYLINDER ? body->arm : body->arm + body->def.radius;
  const eli_relaxation *relaxation = &implicit->relaxation;
  double *const *lane = relaxation->world->bodies.slab.lane, most = 0.0;
  for (size_t b = relaxation->first[r]; b < relaxation->first[r + 1]; b++) {
    const size_t slot = implicit->slot[b];
    if (!implicit->is_end[b])
      eli_keep_larger(&most, eli_radius(lane[ELI_VOLUME][slot], lane[ELI_LENGTH][slot]) + 0.5 * lane[ELI_LENGTH][slot]);
  }
  return most;
}

/* Returns how far an obstacle and a node may each move [m]. A surface of the user is not asked for its distance. */
static double allowed_at(const eli_body *body, const double point[3], double reach, double limit) {
  const eli_obstacle *obstacle = &body->obstacle;
  double normal[3];
  if (obstacle->shape == ELASTICA_SHAPE_SURFACE) return limit;
  const double distance = eli_obstacle_distance(obstacle, body->place.position, body->place.director, point, normal);
  const double half = 0.5 * (distance / (obstacle->slope > 1.0 ? obstacle->slope : 1.0) - reach);
  return half > limit ? half : limit;
}

/* ---- Nodes ---- */

static int presses(const elastica_effect *effect) {
  return effect->enabled && eli_reports_contacts(effect);
}

/* Finds the largest ratio of a travel [m] to the allowed one with one effect, among nodes that travel farther than the limit of contacts
 * between rods. */
static elastica_status compare_travel(const eli_implicit *implicit, const elastica_effect *effect, const double *travel, double *most,
                                      int *rod_index) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  const elastica_rod *alone = elastica_effect_get(effect).rod;
  const double limit = relaxation->touching.limit;
  const int is_obstacle = effect->body->kind->stands != NULL;
  eli_body body;
  const elastica_status status = is_obstacle ? eli_implicit_ask(effect, implicit->start, &body) : ELASTICA_OK;
  for (int r = 0; r < relaxation->rod_count && status == ELASTICA_OK; r++) {
    if (alone != NULL && alone != relaxation->rods[r]) continue;
    const double reach = reach_of(implicit, r);
    for (size_t b = relaxation->first[r]; b < relaxation->first[r + 1]; b++) {
      if (travel[b] <= *most * limit) continue;
      const double ratio = travel[b] / (is_obstacle ? allowed_at(&body, implicit->position + 3 * b, reach, limit) : limit);
      if (ratio <= *most) continue;
      *most = ratio;
      *rod_index = relaxation->rods[r]->index;
    }
  }
  return status;
}

/* Finds the largest such ratio above *most. */
static elastica_status find_travel(const eli_implicit *implicit, const double *travel, double *most, int *rod_index) {
  elastica_world *world = implicit->relaxation.world;
  elastica_status status = ELASTICA_OK;
  ELI_EACH_EFFECT_OF_WORLD(effect, world)
  if (status == ELASTICA_OK && presses(effect)) status = compare_travel(implicit, effect, travel, most, rod_index);
  return status;
}

/* Adds the turns of bodies [rad] or their spins [rad/s] to their travels or speeds. */
static void add_turns(const eli_implicit *implicit, const double *turns, double *travel) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const size_t b = relaxation->first[r];
    if (eli_is_rigid(relaxation->rods[r])) travel[b] += relaxation->rods[r]->body->solid->arm * eli_length(turns + 6 * b + 3);
  }
}

static elastica_status allow_nodes(eli_implicit *implicit, double *h) {
  double *travel = implicit->relaxation.next, most = SHARE_OF_TRAVEL;
  int rod_index;
  if (!(implicit->relaxation.touching.limit > 0.0)) return ELASTICA_OK;
  for (size_t b = 0; b < implicit->relaxation.blocks; b++) travel[b] = eli_length(implicit->rate + 6 * b);
  add_turns(implicit, implicit->rate, travel);
  for (size_t b = 0; b < implicit->relaxation.blocks; b++) travel[b] *= *h;
  const elastica_status status = find_travel(implicit, travel, &most, &rod_index);
  if (most > SHARE_OF_TRAVEL) *h *= SHARE_OF_TRAVEL / most;
  return status;
}

/* Finds the turns of bodies since the noted state, six numbers per block. */
static void find_turns(const eli_implicit *implicit, double *turns) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  double *const *lane = relaxation->world->bodies.slab.lane;
  for (int r = 0; r < relaxation->rod_count; r++) {
    const size_t b = relaxation->first[r];
    double now[9], turned[9];
    if (!eli_is_rigid(relaxation->rods[r])) continue;
    for (size_t k = 0; k < 9; k++) now[k] = lane[ELI_DIRECTOR + k][implicit->slot[b]];
    eli_relative_rotation(now, implicit->frame + 9 * b, turned);
    eli_rotation_log(turned, turns + 6 * b + 3);
  }
}

static elastica_status check_nodes(eli_implicit *implicit) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  double *travel = relaxation->next, most = 1.0;
  if (!(relaxation->touching.limit > 0.0)) return ELASTICA_OK;
  for (size_t b = 0; b < relaxation->blocks; b++) {
    double moved[3];
    for (size_t a = 0; a < 3; a++)
      moved[a] = relaxation->world->bodies.slab.lane[ELI_POSITION + a][implicit->slot[b]] - implicit->position[3 * b + a];
    travel[b] = eli_length(moved);
  }
  find_turns(implicit, relaxation->work);
  add_turns(implicit, relaxation->work, travel);
  const elastica_status status = find_travel(implicit, travel, &most, &implicit->rod_index);
  if (status != ELASTICA_OK || !(most > 1.0)) return status;
  implicit->end = ELI_NEWTON_FAR;
  return ELASTICA_NOT_CONVERGED;
}

/* ---- One-sided springs ---- */

/* Shortens *h to a time in which no spring passes its room at its present rate. */
static elastica_status allow_springs(eli_implicit *implicit, double *h) {
  const elastica_status status = eli_implicit_find_sided(implicit);
  for (int k = 0; k < implicit->sided_count && status == ELASTICA_OK; k++) {
    const eli_sided *sided = &implicit->sided[k];
    if (fabs(sided->rate) * *h > SHARE_OF_TRAVEL * sided->room) *h = SHARE_OF_TRAVEL * sided->room / fabs(sided->rate);
  }
  return status;
}

/* NOT_CONVERGED: a spring has passed its room in the step, at its rate at the beginning or at the end. */
static elastica_status check_springs(eli_implicit *implicit) {
  const double h = implicit->time - implicit->start;
  for (int k = 0; k < implicit->sided_count; k++) {
    const eli_sided *sided = &implicit->sided[k];
    if (!(h * eli_larger(fabs(sided->rate), fabs(sided->start_rate)) > sided->start_room)) continue;
    implicit->end = ELI_NEWTON_PASSED;
    implicit->rod_index = sided->rod_index;
    return ELASTICA_NOT_CONVERGED;
  }
  return ELASTICA_OK;
}

/* ---- Both ---- */

elastica_status eli_implicit_travel_time(eli_implicit *implicit, double *h) {
  const elastica_status status = allow_nodes(implicit, h);
  return status == ELASTICA_OK ? allow_springs(implicit, h) : status;
}

elastica_status eli_implicit_check_travel(eli_implicit *implicit) {
  const elastica_status status = check_nodes(implicit);
  return status == ELASTICA_OK ? check_springs(implicit) : status;
}

/* ---- Moving obstacles ---- */

/* Returns the number of leading samples in which the obstacle moves nowhere too far. */
static int count_allowed(const eli_implicit *implicit, const elastica_effect *effect, const sweep *of) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  const elastica_rod *alone = elastica_effect_get(effect).rod;
  const double limit = relaxation->touching.limit;
  int count = SAMPLES;
  for (int r = 0; r < relaxation->rod_count; r++) {
    if (alone != NULL && alone != relaxation->rods[r]) continue;
    const double reach = reach_of(implicit, r);
    for (size_t b = relaxation->first[r]; b < relaxation->first[r + 1]; b++) {
      const double *point = implicit->position + 3 * b;
      double arm[3];
      for (int a = 0; a < 3; a++) arm[a] = point[a] - of->body.place.position[a];
      const double allowed = allowed_at(&of->body, point, reach, limit), lever = eli_length(arm);
      for (int k = 0; k < count; k++)
        if (!(of->shift[k] + of->turn[k] * lever <= allowed)) count = k;
    }
  }
  return count;
}

elastica_status eli_implicit_sweep_time(eli_implicit *implicit, double *h) {
  elastica_world *world = implicit->relaxation.world;
  if (!(implicit->relaxation.touching.limit > 0.0)) return ELASTICA_OK;
  ELI_EACH_EFFECT_OF_WORLD(effect, world) {
    int count = 0;
    if (!presses(effect) || effect->body->kind->stands == NULL) continue;
    while (count == 0 && implicit->start + *h > implicit->start) {
      sweep of;
      const elastica_status status = follow(effect, implicit->start, *h, &of);
      if (status != ELASTICA_OK) return status;
      count = of.moves ? count_allowed(implicit, effect, &of) : SAMPLES;
      if (count < SAMPLES) *h *= (count > 0 ? (double)count : 1.0) / SAMPLES;
    }
  }
  return ELASTICA_OK;
}

/* ---- Moving boundaries ---- */

enum { FRAME_SAMPLES = 8 };

/* Returns 1 for a boundary with a motion that turns the frame of an element (FRAME) or of a support (CLAMP). */
static int turns_frame(const elastica_effect *effect) {
  if (!effect->enabled || effect->body->kind == NULL || !effect->body->kind->is_boundary) return 0;
  const eli_prescribed *held = effect->self;
  return held->motion != NULL && (held->hold_frame || eli_is_half_cell(effect));
}

static elastica_status ask_boundary(const elastica_effect *effect, double time, eli_placement *place) {
  elastica_world *world = effect->world;
  eli_world_enter_hooks(world, ELI_IN_HOOK);
  const elastica_status status = eli_prescribed_at(effect->self, time, place);
  eli_world_leave_hooks(world);
  if (status == ELASTICA_OK) return status;
  const int rod_index = elastica_effect_get(effect).rod->index;
  const eli_tile_report report = {.status = status, .rod_index = rod_index, .effect = effect, .hook = ELI_CONSTRAIN_POSITION};
  return eli_world_fail_hook(world, &report, time, "");
}

/* Counts the leading samples until which a boundary turns its frame by no more than half a turn, by its spin and by its frames. */
static elastica_status count_turned(const elastica_effect *effect, double start, double h, int *count) {
  const double part = h / FRAME_SAMPLES;
  eli_placement last, next;
  double turn = 0.0;
  elastica_status status = ask_boundary(effect, start, &last);
  for (*count = 0; *count < FRAME_SAMPLES && status == ELASTICA_OK; ++*count) {
    double turned[9], angle[3];
    status = ask_boundary(effect, start + part * (*count + 1), &next);
    if (status != ELASTICA_OK) return status;
    eli_relative_rotation(next.director, last.director, turned);
    eli_rotation_log(turned, angle);
    turn += eli_larger(eli_length(angle), 0.5 * part * (eli_length(last.omega) + eli_length(next.omega)));
    if (turn > ELI_PI) return status;
    last = next;
  }
  return status;
}

elastica_status eli_implicit_turn_time(eli_implicit *implicit, double *h) {
  ELI_EACH_EFFECT_OF_WORLD(effect, implicit->relaxation.world) {
    int count = 0;
    if (!turns_frame(effect)) continue;
    while (count == 0 && implicit->start + *h > implicit->start) {
      const elastica_status status = count_turned(effect, implicit->start, *h, &count);
      if (status != ELASTICA_OK) return status;
      if (count == FRAME_SAMPLES) continue;
      *h *= (count > 0 ? (double)count : 1.0) / FRAME_SAMPLES;
      implicit->turned = effect;
      implicit->rod_index = elastica_effect_get(effect).rod->index;
    }
  }
  return ELASTICA_OK;
}
