/* The time in which moving obstacles sweep over little of the rods.
 *
 * models     An obstacle with a prescribed motion may move in one step by a quarter of the smallest radius where a node is, or by the gap
 *            between them without the travel of the node. Then from the first touch to the crossing of a centre line it takes several steps
 * equation   |p(t) - p0| + |R(t) - R0| |x - p0| at 64 times within the step, and the present speeds for the time between two of them
 * test       tests/test_implicit_sweep.c
 *
 * A motion that comes and goes between two of these times with no speed at either is not seen: the field longest_step is for it.
 */
#include "base/target.h"

#include <math.h>

#include "base/vector.h"
#include "effects/solid.h"
#include "implicit/implicit.h"
#include "rod/law.h"

enum { SAMPLES = 64 };

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

static elastica_status ask(const elastica_effect *effect, double time, eli_body *body) {
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
  elastica_status status = ask(effect, start, &of->body);
  double speed = eli_length(of->body.place.velocity), spin = eli_length(of->body.place.omega);
  of->moves = 0;
  for (int k = 0; k < SAMPLES && status == ELASTICA_OK; k++) {
    const double last_speed = speed, last_spin = spin;
    double moved[3];
    status = ask(effect, start + part * (k + 1), &next);
    if (status != ELASTICA_OK) return status;
    speed = eli_length(next.place.velocity), spin = eli_length(next.place.omega);
    for (int a = 0; a < 3; a++) moved[a] = next.place.position[a] - of->body.place.position[a];
    of->shift[k] = eli_length(moved) + part * (speed > last_speed ? speed : last_speed);
    of->turn[k] = turn_between(next.place.director, of->body.place.director) + part * (spin > last_spin ? spin : last_spin);
    of->moves = of->moves || of->shift[k] > 0.0 || of->turn[k] > 0.0;
  }
  return status;
}

/* Returns the largest radius plus half a length of an element of a rod [m]. */
static double reach_of(const eli_implicit *implicit, int r) {
  const eli_relaxation *relaxation = &implicit->relaxation;
  double *const *lane = relaxation->world->bodies.slab.lane, most = 0.0;
  for (size_t b = relaxation->first[r]; b < relaxation->first[r + 1]; b++) {
    const size_t slot = implicit->slot[b];
    if (!implicit->is_end[b])
      eli_keep_larger(&most, eli_radius(lane[ELI_VOLUME][slot], lane[ELI_LENGTH][slot]) + 0.5 * lane[ELI_LENGTH][slot]);
  }
  return most;
}

/* Returns how far the obstacle may move at a node [m]. A surface of the user is not asked for its distance. */
static double allowed_at(const sweep *of, const double point[3], double reach, double limit) {
  const eli_obstacle *obstacle = &of->body.obstacle;
  double normal[3];
  if (obstacle->shape == ELASTICA_SHAPE_SURFACE) return limit;
  const double distance = eli_obstacle_distance(obstacle, of->body.place.position, of->body.place.director, point, normal);
  const double gap = distance / (obstacle->slope > 1.0 ? obstacle->slope : 1.0) - reach - limit;
  return gap > limit ? gap : limit;
}

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
      const double allowed = allowed_at(of, point, reach, limit), lever = eli_length(arm);
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
    const eli_built_in *kind = effect->body->kind;
    int count = 0;
    if (!effect->enabled || kind == NULL || kind->contact_stiffness == NULL || kind->stands == NULL) continue;
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
