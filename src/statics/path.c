/* Loading paths: equilibria along a parameter, by arc-length continuation.
 *
 * models     the curve F(u, p) = 0 through a given equilibrium, with its limit points, its branch points, and branches that cross it
 * method     a step along the tangent, and Newton's method on the hyperplane across it (path_step.c). A critical point between two points
 * is
 *            bracketed by the number of unstable modes and the sign of the slope dp/ds, and located by the secant of the slope (limit
 *            point) or of the stiffness of the lowest mode (branch point). A branch starts along the critical mode
 * source     Riks, Int. J. Solids Structures 15 (1979) 529; Keller, in Rabinowitz (ed.), Applications of Bifurcation Theory (1977) 359;
 *            Wriggers, Wagner and Miehe, Comput. Methods Appl. Mech. Engrg. 70 (1988) 329, for critical points
 * test       tests/test_path.c
 */
#include "base/target.h"

#include "statics/path.h"

#include <string.h>

#include "base/record.h"
#include "hooks/effects.h"
#include "state/definition.h"

/* ---- Definition ---- */

typedef elastica_path_def path_def;
static const eli_field fields[] = {ELI_FIELD(path_def, struct_size),
                                   ELI_FUNCTION(path_def, apply),
                                   ELI_USER(path_def, user),
                                   ELI_NUMBERS(path_def, start, ELI_RULE_NUMBER),
                                   ELI_NUMBERS(path_def, first_step, ELI_RULE_NUMBER | ELI_RULE_REQUIRED),
                                   ELI_FIELD(path_def, lower),
                                   ELI_FIELD(path_def, upper),
                                   ELI_NUMBERS(path_def, largest_change, ELI_RULE_NOT_NEGATIVE),
                                   ELI_NUMBERS(path_def, largest_step, ELI_RULE_POSITIVE),
                                   ELI_NUMBERS(path_def, smallest_step, ELI_RULE_NOT_NEGATIVE),
                                   ELI_NUMBERS(path_def, tolerance, ELI_RULE_NOT_NEGATIVE),
                                   ELI_FLAG(path_def, locate)};
static const path_def defaults = {
    .first_step = NAN, .lower = -INFINITY, .upper = INFINITY, .largest_step = 0.2, .smallest_step = 1e-7, .tolerance = 1e-9, .locate = 1};
static const eli_layout layout = ELI_LAYOUT("path_def", elastica_path_def, fields, defaults);

/* Two tangents of a step may differ by the angle WIDE; steps aim at the angle AIM. */
#define WIDE 0.6
#define AIM 0.15
enum { FEW_ITERATIONS = 3, MANY_ITERATIONS = 6 };

/* The chord of a step makes half the angle of its tangents with the first one, up to this angle, or the step has come to another curve, or
 * past a bend. */
#define ASKEW 0.05

/* Bisection ends at the accuracy LOCATED of the arc, relative to the step, or MERGED if only modes change; secants with a last one that is
 * shorter than CLOSE. */
#define LOCATED 1e-8
#define CLOSE 1e-5
enum { BISECTIONS = 60, SECANTS = 8 };

/* Secants find a point; an arc around it then encloses it. Along this arc, at most ENCLOSED of the step, the stiffness of its mode changes
 * by SEEN relative to the material stiffness: a mode is unstable below -1e-6 (relax_stability.c). */
#define SEEN 4e-6
#define ENCLOSED 1e-3
#define WIDER 4.0

/* Modes that bisection finds within this share of the step make one branch point; and modes within the arc along which their stiffness
 * changes by SURE times its rounding, which may change counts there and back. */
#define MERGED 1e-6
#define SURE 8.0

/* Two states of one curve are at most STRETCHED times as far apart as their arcs along the step, and JUMP of the step for the inaccuracy
 * beside a critical point: the step has come to another curve if they are farther apart. */
#define STRETCHED 1.5
#define JUMP 1e-3

/* A critical mode with more than this share of its material stiffness is another one: a rigid motion is critical. */
#define ELASTIC 0.01

/* A kink ahead is looked for within this number of smallest steps. */
#define KINK 16.0

/* A change of the parameter by this share of a first step is rounding. */
#define LEVEL 1e-6

/* The sine of the angle between two curves through a branch point is larger. */
#define APART 0.03

/* Largest change of the parameter in one step, by default, in first steps. */
#define FIRST_STEPS 5.0

/* With a larger tolerance the points would be no equilibria. */
#define MOST_TOLERANCE 1e-3

/* Smallest arc by default, in those that the parameter alone takes in the first step; and the smallest first one on another branch. */
#define SMALLEST 1e-5
#define ASIDE 0.01

/* The scale in first steps while the state does not change with the parameter by more than IDLE of its lengths and turns. */
#define IDLE 1e-12
#define IDLE_SCALE 20.0

/* The world has left the last point if a residual there is above this share of the forces at work. */
#define STRAYED 0.1

/* The path is closed if it passes its first point at this share of the step. */
#define CLOSED 0.05

enum { HALVINGS = 60 };

/* The number of vectors of a path that a refused call restores. */
enum { KEPT = 7 };

/* Features of a point that change at critical points. A mode counts as unstable below -1e-6 of its material stiffness, so that the number
 * of unstable modes may change a little beside its critical point. */
typedef struct features {
  double slope;
  int unstable_modes;
} features;

struct elastica_path {
  elastica_world *world;
  elastica_path_def def;
  int rod_count;
  size_t slots, size;
  eli_path_point last, beyond; /* beyond: the end of the step with the last point, if that is critical */
  eli_relax_point base, end;   /* the states at the beginning and at the end of that step */
  double base_parameter;
  double *along;           /* [size + 1] the direction of the step: the tangent at its base, or a critical mode */
  double *tangent, *ahead; /* [size + 1] of the path at the last ordinary point, and at the end of the step */
  double *mode, *crossing; /* [size + 1] the critical mode of a branch point, and the tangent there */
  double *from, *to;       /* [size + 1] the ways from the base to `passed`, and to the end of the step */
  double *kept;            /* these seven vectors before the call */
  double *low, *high;      /* [size + 1] the ways to the ends of a bracket */
  double *first;           /* [3 slots] positions of the first point */
  unsigned char *seen;     /* a record of the world of the last point */
  size_t seen_size;
  double first_parameter;
  elastica_path_kind kind; /* of the last point */
  int started, side;       /* side: of the branch to switch to; 0: none */
  int level;               /* 1: the parameter does not change along the present step */
  double arc;              /* up to the last point */
  double next;             /* the next arc, positive */
  double scale;            /* of the parameter; 0: not chosen yet */
  double step;             /* the arc from base to beyond */
  double passed;           /* no critical point is left within this arc from base */
  features behind;         /* at that arc */
  int due;      /* 1: the mode of the last limit point has not changed the number of unstable modes yet; -1: a mode has changed it
                              although its critical point lies ahead */
  int base_due; /* the same at the base of the step */
};

void elastica_path_def_init(elastica_path_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

static elastica_status refuse(elastica_world *world, const char *what, double value, const char *why) {
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "path_def.%s is %g: %s", what, value, why);
}

static elastica_status check_def(elastica_world *world, const elastica_path_def *def) {
  if (def->apply == NULL) return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "path_def.apply is not set");
  if (def->first_step == 0.0) return refuse(world, "first_step", 0.0, "the path needs a direction");
  if (!(def->lower <= def->start)) return refuse(world, "lower", def->lower, "it must not be above path_def.start");
  if (!(def->upper >= def->start)) return refuse(world, "upper", def->upper, "it must not be below path_def.start");
  if (!(def->lower < def->upper)) return refuse(world, "lower", def->lower, "it must be below path_def.upper");
  if (def->tolerance > MOST_TOLERANCE) return refuse(world, "tolerance", def->tolerance, "above 1e-3 the points are no equilibria");
  if (def->smallest_step > def->largest_step)
    return refuse(world, "smallest_step", def->smallest_step, "it is above path_def.largest_step");
  return ELASTICA_OK;
}

elastica_status elastica_path_create(elastica_world *world, const elastica_path_def *given, elastica_path **out) {
  elastica_path_def def;
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, "path_create", 1);
  if (status == ELASTICA_OK && given == NULL) status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "path_create: def is NULL");
  if (status == ELASTICA_OK && out == NULL) status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "path_create: out is NULL");
  if (status == ELASTICA_OK) status = eli_def_read(world, &layout, &def, given);
  if (status == ELASTICA_OK) status = check_def(world, &def);
  if (status != ELASTICA_OK) return status;
  elastica_path *path = eli_allocate(&world->allocator, 1, sizeof *path);
  if (path == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "path_create: no memory");
  path->world = world;
  path->def = def;
  if (path->def.largest_change == 0.0) path->def.largest_change = FIRST_STEPS * fabs(def.first_step);
  *out = path;
  return ELASTICA_OK;
}

static void release_state(const elastica_path *path, const eli_relax_point *state) {
  eli_release(&path->world->allocator, state->lanes);
  eli_release(&path->world->allocator, state->history);
}

void elastica_path_destroy(elastica_path *path) {
  if (path == NULL || path->world->calls.is_applying) return;
  const eli_allocator *allocator = &path->world->allocator;
  release_state(path, &path->base);
  release_state(path, &path->end);
  eli_release(allocator, path->along);
  eli_release(allocator, path->seen);
  eli_release(allocator, path);
}

/* ---- Points ---- */

/* Store the present state, and return to a stored one. */
static int note(eli_path_walk *walk, eli_relax_point *state) {
  if (!eli_relax_note(&walk->relaxation, state)) walk->fatal = eli_relax_starve(&walk->relaxation);
  return walk->fatal == ELASTICA_OK;
}

static int go_back(eli_path_walk *walk, const eli_relax_point *state, double parameter) {
  eli_relax_return(&walk->relaxation, state);
  return eli_path_set(walk, parameter) == ELASTICA_OK;
}

/* Finds slope and modes of the present state; the tangent has a positive product with row. */
static int know(eli_path_walk *walk, const double *row, eli_path_point *point) {
  if (!eli_path_find_tangent(walk, row) || !eli_path_count_modes(walk, point)) return 0;
  point->slope = walk->tangent[walk->relaxation.size];
  return 1;
}

static features features_of(const elastica_path *path, const eli_path_point *point) {
  const features out = {path->level ? 0.0 : point->slope, point->unsymmetric ? 0 : point->unstable_modes};
  return out;
}

static int is_turned(const features *a, const features *b) {
  return (a->slope > 0.0) != (b->slope > 0.0);
}

static int differs(const features *a, const features *b) {
  return is_turned(a, b) || a->unstable_modes != b->unstable_modes;
}

/* Returns 1 if the only change between two places is a limit point. Its own mode changes the number of unstable modes by one. */
static int is_limit_alone(const features *a, const features *b) {
  const int modes = b->unstable_modes - a->unstable_modes;
  return is_turned(a, b) && (modes == 1 || modes == -1);
}

/* Moves from the base of the step by an arc along its tangent, and corrects. */
static int reach(elastica_path *path, eli_path_walk *walk, double arc) {
  walk->unit = path->step;
  if (!go_back(walk, &path->base, path->base_parameter) || !eli_path_evaluate(walk)) return 0;
  memset(walk->way, 0, (path->size + 1) * sizeof *walk->way);
  return eli_path_move(walk, path->along, arc) && eli_path_correct(walk, path->along);
}

static elastica_status refuse_lost(const eli_path_walk *walk, const elastica_path *path, double arc) {
  const eli_residual worst = eli_relax_worst_residual(&walk->relaxation);
  char words[ELI_CAUSE_WORDS];
  return elastica_world_refuse(
      path->world, ELASTICA_NOT_CONVERGED,
      "path_next: no point beyond the parameter %.9g: the last attempt, an arc of %.3g, left a force of %.3g N and a "
      "couple of %.3g N m, beside %.3g N and %.3g N m at work%s",
      path->last.parameter, arc, worst.force, worst.couple, worst.reference_force, worst.reference_couple,
      eli_relax_likely_cause(&walk->relaxation, words));
}

/* Refuses a state with residuals that the last point cannot have. A critical point may have residuals, because it has no correction. */
static elastica_status check_place(const eli_path_walk *walk, const elastica_path *path) {
  const eli_relaxation *relaxation = &walk->relaxation;
  double force = 0.0, couple = 0.0; /* residuals of any rod above these are too large: loads of a body in contact cancel */
  for (int r = 0; r < relaxation->rod_count; r++) {
    const eli_residual *of = &relaxation->residual[r];
    eli_keep_larger(&force, STRAYED * of->reference_force + of->rounding_force);
    eli_keep_larger(&couple, STRAYED * of->reference_couple + of->rounding_couple);
  }
  for (int r = 0; r < relaxation->rod_count && path->kind == ELASTICA_PATH_POINT; r++) {
    const eli_residual *left = &relaxation->residual[r];
    if (left->force > force || left->couple > couple)
      return elastica_world_refuse(
          path->world, ELASTICA_WRONG_STATE,
          "path_next: the world has left the last point, at the parameter %.9g: a force of %.3g N and a couple of %.3g N m are left on rod "
          "%d in its present state; load a snapshot of the point, or create another path",
          path->last.parameter, left->force, left->couple, relaxation->rods[r]->index);
  }
  return ELASTICA_OK;
}

/* Refuses a point where a step would fail because a rod is inside an obstacle or in the core of a contact. */
static int check_depth(eli_path_walk *walk) {
  char found[ELI_MESSAGE_SIZE];
  eli_write(found, sizeof found, "path_next: in the equilibrium at the parameter %.9g", walk->parameter);
  walk->fatal = eli_relax_check_depth(&walk->relaxation, found);
  return walk->fatal == ELASTICA_OK;
}

/* ---- The first point ---- */

static elastica_status refuse_start(const eli_path_walk *walk) {
  const eli_residual worst = eli_relax_worst_residual(&walk->relaxation);
  if (walk->relaxation.not_finite_at == walk->relaxation.evaluations && walk->relaxation.not_finite_at > 0)
    return elastica_world_refuse(walk->world, ELASTICA_NOT_FINITE, "path_next: at the parameter %.9g %s", walk->parameter,
                                 walk->relaxation.not_finite);
  return elastica_world_refuse(walk->world, ELASTICA_NOT_CONVERGED,
                               "path_next: Newton's method found no equilibrium near the state at the parameter %.9g: a force of %.3g N "
                               "and a couple of %.3g N m are left; relax the world first",
                               walk->parameter, worst.force, worst.couple);
}

static elastica_status refuse_unheld(const eli_path_walk *walk) {
  return elastica_world_refuse(walk->world, ELASTICA_NOT_CONVERGED,
                               "path_next: the state at the parameter %.9g is an equilibrium, but nothing balances the change of the loads "
                               "with the parameter: the world must hold its rods against them",
                               walk->parameter);
}

static int allocate(elastica_path *path) {
  const elastica_world *world = path->world;
  const eli_allocator *allocator = &world->allocator;
  path->rod_count = world->bodies.indices.taken;
  path->slots = world->bodies.slab.end;
  path->size = 0;
  ELI_EACH_ROD_OF_WORLD(rod, world) path->size += 6 * eli_block_count(rod);
  const size_t length = path->size + 1;
  eli_release(allocator, path->along);
  path->along = eli_allocate(allocator, (2 * KEPT + 2) * length + 3 * path->slots, sizeof(double));
  if (path->along == NULL) return 0;
  path->mode = path->along + length;
  path->tangent = path->mode + length;
  path->ahead = path->tangent + length;
  path->from = path->ahead + length;
  path->to = path->from + length;
  path->crossing = path->to + length;
  path->kept = path->along + KEPT * length;
  path->low = path->kept + KEPT * length;
  path->high = path->low + length;
  path->first = path->high + length;
  return 1;
}

/* Chooses the scale of the parameter so that the first step changes state and parameter by equal arcs. */
static void choose_scale(elastica_path *path, eli_path_walk *walk) {
  double *tangent = walk->tangent;
  const double p = tangent[path->size], first = fabs(path->def.first_step);
  tangent[path->size] = 0.0;
  const double state = first * sqrt(eli_path_dot(&walk->matrix, tangent, tangent)) / fabs(p);
  path->scale = state > IDLE ? first / state : IDLE_SCALE * first;
  tangent[path->size] = p;
  eli_path_set_scale(walk, path->scale);
  const double length = sqrt(eli_path_dot(&walk->matrix, tangent, tangent));
  for (size_t k = 0; k <= path->size; k++)
    path->tangent[k] = (path->def.first_step > 0.0) == (p > 0.0) ? tangent[k] / length : -tangent[k] / length;
}

/* Returns 1 if the last rates are not all 0: the parameter changes a load or a prescribed position. */
static int has_change(const eli_path_walk *walk) {
  for (size_t k = 0; k < walk->relaxation.size; k++)
    if (walk->rate[k] != 0.0 || walk->moved[k] != 0.0) return 1;
  return 0;
}

static elastica_status start(elastica_path *path, eli_path_walk *walk) {
  if (eli_path_set(walk, path->def.start) != ELASTICA_OK) return walk->fatal;
  if (!allocate(path)) return eli_relax_starve(&walk->relaxation);
  if (!eli_path_evaluate(walk)) return walk->fatal != ELASTICA_OK ? walk->fatal : refuse_start(walk);
  memcpy(walk->relaxation.residual_start, walk->relaxation.residual, (size_t)path->rod_count * sizeof(eli_residual));
  double *fixed = path->along;
  eli_path_fix_parameter(walk, fixed);
  walk->unit = fabs(path->def.first_step) * sqrt(walk->matrix.weight[path->size]);
  walk->lenient = 1; /* a resumed path keeps its bits */
  const int balanced = eli_path_correct(walk, fixed), found = balanced && eli_path_find_tangent(walk, fixed);
  const int held = found && eli_path_is_held(walk); /* with the matrix of the tangent: counting the modes makes it symmetric */
  if (walk->fatal != ELASTICA_OK) return walk->fatal;
  if (found && !has_change(walk))
    return elastica_world_refuse(path->world, ELASTICA_INVALID_ARGUMENT,
                                 "path_next: path_def.apply changes no load and no prescribed position near the parameter %.9g",
                                 path->def.start);
  if (!held) return balanced ? refuse_unheld(walk) : refuse_start(walk);
  if (!check_depth(walk) || !eli_path_count_modes(walk, &path->last)) return walk->fatal;
  choose_scale(path, walk);
  path->last.slope = path->tangent[path->size];
  path->next = path->def.first_step / path->last.slope;
  if (path->next > path->def.largest_step) path->next = path->def.largest_step;
  for (size_t a = 0; a < 3; a++)
    memcpy(path->first + a * path->slots, path->world->bodies.slab.lane[ELI_POSITION + a], path->slots * sizeof(double));
  path->first_parameter = walk->parameter;
  path->started = 1;
  return ELASTICA_OK;
}

/* ---- Steps ---- */

static double smallest_step(const elastica_path *path) {
  return path->def.smallest_step > 0.0 ? path->def.smallest_step : SMALLEST * fabs(path->def.first_step) / path->scale;
}

/* Returns 1 if the present end of a step may lie on the curve of its base. angle: between the tangents at both. Contacts bend curves
 * sharply, and the tangent of a branch at its branch point is not known. */
static int is_along(const elastica_path *path, const eli_path_walk *walk, double angle) {
  if (angle >= WIDE) return 0;
  if (walk->relaxation.touching.limit > 0.0 || path->side != 0) return 1;
  const double along = eli_path_dot(&walk->matrix, walk->way, path->along), whole = eli_path_dot(&walk->matrix, walk->way, walk->way);
  const double aside = sqrt(eli_larger(whole - along * along, 0.0)); /* from the first tangent */
  return fabs(aside / along - 0.5 * angle) <= ASKEW;
}

/* Returns 1 unless the first step on another branch has come back to the curve that crosses it. */
static int is_aside(const elastica_path *path, const eli_path_walk *walk) {
  if (path->side == 0) return 1;
  const double along = eli_path_dot(&walk->matrix, walk->way, path->crossing), whole = eli_path_dot(&walk->matrix, walk->way, walk->way);
  return whole - along * along > APART * APART * whole;
}

/* Chooses the next arc by the number of iterations and the angle between two tangents. */
static void choose_next(elastica_path *path, const eli_path_walk *walk, double arc, double angle) {
  double factor = angle > 0.5 * AIM ? AIM / angle : 2.0;
  if (walk->iterations > FEW_ITERATIONS && factor > 1.0) factor = 1.0;
  if (walk->iterations > MANY_ITERATIONS && factor > 0.5) factor = 0.5;
  path->next = eli_larger(factor, 0.25) * arc;
  if (path->next > path->def.largest_step) path->next = path->def.largest_step;
  if (path->next < smallest_step(path)) path->next = smallest_step(path);
}

/* Makes the present state the end of the step. */
static int note_end(elastica_path *path, eli_path_walk *walk) {
  memcpy(path->ahead, walk->tangent, (path->size + 1) * sizeof(double));
  memcpy(path->to, walk->way, (path->size + 1) * sizeof(double));
  return note(walk, &path->end);
}

/* Takes a step from the base to a new point. A step of the smallest arc may bend by any angle, unless it begins at a kink. Returns 0 if
 * there is none, or if the call must end. */
static int step_on(elastica_path *path, eli_path_walk *walk, int kinked) {
  const double change = fabs(path->along[path->size]), smallest = smallest_step(path);
  double arc = path->next * change <= path->def.largest_change ? path->next : path->def.largest_change / change;
  if (path->side != 0 && arc < ASIDE) arc = ASIDE < path->def.largest_step ? ASIDE : path->def.largest_step;
  for (int k = 0; k < HALVINGS && walk->fatal == ELASTICA_OK; k++) {
    const int least = arc <= smallest;
    path->step = arc;
    if (reach(path, walk, arc) && know(walk, path->along, &path->beyond)) {
      const double cosine = eli_path_dot(&walk->matrix, walk->tangent, path->along), angle = sqrt(2.0 * eli_larger(1.0 - cosine, 0.0));
      if (is_aside(path, walk) && (is_along(path, walk, angle) || (least && !kinked))) {
        choose_next(path, walk, arc, angle);
        return note_end(path, walk) && check_depth(walk);
      }
    }
    if (least) return 0;
    arc *= 0.5;
  }
  return 0;
}

/* Finds the tangent beyond a kink: the stiffness changes within KINK smallest steps of the base, as where a hinge meets a stop, so that the
 * curve of the other side lies across the step, or goes against it. Returns 0 without a kink. */
static int find_kink(elastica_path *path, eli_path_walk *walk) {
  if (path->side != 0 || !go_back(walk, &path->base, path->base_parameter) || !eli_path_evaluate(walk)) return 0;
  return eli_path_move(walk, path->along, KINK * smallest_step(path)) && eli_path_find_tangent(walk, path->along) &&
         eli_path_dot(&walk->matrix, walk->tangent, path->along) <= 1.0 - 0.5 * WIDE * WIDE;
}

/* Takes a step beyond a kink, along the tangent there or against it. One that leads back along the path is none. */
static int pass_kink(elastica_path *path, eli_path_walk *walk) {
  if (!find_kink(path, walk)) return 0;
  memcpy(path->along, walk->tangent, (path->size + 1) * sizeof(double));
  for (int back = 0; back < 2 && walk->fatal == ELASTICA_OK; back++) {
    for (size_t k = 0; k <= path->size && back; k++) path->along[k] = -path->along[k];
    path->next = ASIDE; /* a stiff stop gives way by little, and the base lies before it */
    if (step_on(path, walk, 1) && eli_path_dot(&walk->matrix, path->ahead, path->tangent) > 0.5 * WIDE * WIDE - 1.0) return 1;
  }
  return 0;
}

/* ---- Closed paths ---- */

/* Returns the share of the step up to the first point of the path, if the step passes that point; else 0. */
static double passes_first(const elastica_path *path, const eli_path_walk *walk) {
  const eli_path_matrix *matrix = &walk->matrix;
  const double *before = path->base.lanes, w = matrix->weight[path->size], p = path->beyond.parameter - path->base_parameter,
               q = path->first_parameter - path->base_parameter;
  double whole = w * p * p, part = w * p * q, square = w * q * q;
  if (path->arc < 3.0 * path->step) return 0.0;
  for (int r = 0; r < path->rod_count; r++)
    for (size_t i = 0; i < eli_relax_blocks(&walk->relaxation, r); i++)
      for (size_t a = 0; a < 3; a++) {
        const size_t slot = walk->relaxation.rods[r]->offset + i;
        const double from = before[a * path->slots + slot], weight = matrix->weight[6 * (walk->relaxation.first[r] + i) + a];
        const double step = path->end.lanes[a * path->slots + slot] - from, first = path->first[a * path->slots + slot] - from;
        whole += weight * step * step;
        part += weight * step * first;
        square += weight * first * first;
      }
  if (!(part > 0.0 && part <= whole) || square * whole - part * part > CLOSED * CLOSED * whole * whole) return 0.0;
  return part / whole;
}

/* ---- Critical points ---- */

/* A point inside the present step: its arc, the stiffness of its lowest mode, its features; reached: 1 if it is an equilibrium, 0 beside
 * one that secants found. */
typedef struct place {
  double arc, mode;
  features is;
  int reached;
} place;

/* Finds them at an arc. */
static int probe(elastica_path *path, eli_path_walk *walk, double arc, eli_path_point *point, place *out) {
  if (!reach(path, walk, arc) || !know(walk, path->along, point)) return 0;
  out->arc = arc;
  out->is = features_of(path, point);
  out->reached = 1;
  walk->fatal = eli_path_matrix_mode(&walk->matrix, walk->solution, &out->mode);
  return walk->fatal == ELASTICA_OK;
}

/* Returns 1 if the states at the ends of these ways, so far apart along the step, may lie on one curve. */
static int is_close(const elastica_path *path, const eli_path_walk *walk, const double *a, const double *b, double apart) {
  return eli_path_distance(&walk->matrix, a, b) <= STRETCHED * fabs(apart) + JUMP * path->step;
}

/* Keeps the way to the present state. */
static void keep_way(const elastica_path *path, const eli_path_walk *walk, double *out) {
  memcpy(out, walk->way, (path->size + 1) * sizeof *out);
}

/* The function that vanishes at the point between two places: the slope at a limit point, else the stiffness of the lowest mode. */
static double test_function(const place *of, int limit) {
  return limit ? of->is.slope : of->mode;
}

/* A correction very close to a critical point would fail, because the matrix is singular there: moves along the tangent at a point beside
 * it take its place. */

/* A point that secants found: its arc, half the arc that encloses it, and the unstable modes at both ends of that. */
typedef struct enclosed {
  double arc, half;
  int unstable_modes[2];
} enclosed;

/* Counts the modes close to the present point on both sides, along the tangent, and comes back. Rounding may hide the sign of the mode
 * there, above all in slender rods: it counts as a zero mode then on both sides, and the arc becomes wider, up to `most`. */
static int enclose(const elastica_path *path, eli_path_walk *walk, double most, enclosed *out) {
  const double along = eli_path_dot(&walk->matrix, walk->tangent, path->along);
  for (int hidden = 1; hidden;) {
    const double half = out->half / along;
    hidden = 0;
    for (int k = 0; k < 2; k++) {
      eli_path_point beside;
      if (!eli_path_move(walk, walk->tangent, k == 0 ? -half : 2.0 * half) || !eli_path_count_modes(walk, &beside)) return 0;
      out->unstable_modes[k] = features_of(path, &beside).unstable_modes;
      hidden = hidden || beside.zero_modes > 0;
    }
    if (!eli_path_move(walk, walk->tangent, -half)) return 0;
    hidden = hidden && out->unstable_modes[0] == out->unstable_modes[1] && WIDER * out->half <= most;
    if (hidden) out->half *= WIDER;
  }
  return 1;
}

/* Returns the rounding of the stiffness of a mode, beside the material stiffness: the stiffness that the present state may have against
 * turns, beside the bending stiffness of the softest rod. */
static double rounding_of_modes(const eli_path_walk *walk) {
  const eli_relaxation *relaxation = &walk->relaxation;
  const double soft = eli_relax_softest(relaxation);
  double most = 0.0;
  for (int r = 0; r < relaxation->rod_count; r++)
    if (!eli_is_rigid(relaxation->rods[r]) && !eli_relax_is_free(relaxation, r)) eli_keep_larger(&most, eli_relax_imbalance(relaxation, r));
  return soft > 0.0 ? most / soft : 0.0;
}

/* Finds a zero of the function by secants, from both ends of a bracket. Returns 0 if they leave it, or its curve. */
static int find_zero(elastica_path *path, eli_path_walk *walk, const place *low, const place *high, int limit, eli_path_point *point,
                     enclosed *out) {
  place at[2] = {*low, *high};
  const double room = high->arc - low->arc;
  for (int k = 0; k < SECANTS; k++) {
    const double g[2] = {test_function(&at[0], limit), test_function(&at[1], limit)};
    const double next = at[1].arc - g[1] * (at[1].arc - at[0].arc) / (g[1] - g[0]);
    if (!(next >= low->arc && next <= high->arc)) return 0;
    if (k > 0 && fabs(next - at[1].arc) <= CLOSE * path->step) {
      const double seen = eli_larger(SEEN, SURE * rounding_of_modes(walk)), most = ENCLOSED * path->step;
      const double wide = seen * fabs((at[1].arc - at[0].arc) / (at[1].mode - at[0].mode));
      out->arc = next;
      out->half = eli_larger(wide < most ? wide : most, LOCATED * path->step);
      return room > 4.0 * out->half &&
             eli_path_move(walk, walk->tangent, (next - at[1].arc) / eli_path_dot(&walk->matrix, walk->tangent, path->along)) &&
             enclose(path, walk, most < 0.25 * room ? most : 0.25 * room, out) && eli_path_count_modes(walk, point);
    }
    at[0] = at[1];
    if (!probe(path, walk, next, point, &at[1]) || !is_close(path, walk, walk->way, path->low, next - low->arc) ||
        !is_close(path, walk, walk->way, path->high, high->arc - next))
      return 0;
  }
  return 0;
}

/* Returns 1 if secants can find the point: a limit point with one mode, or a branch point with a change of sign of the lowest mode. */
static int is_simple(const place *low, const place *high, int limit) {
  const int modes = high->is.unstable_modes - low->is.unstable_modes;
  return test_function(low, limit) * test_function(high, limit) < 0.0 && (!limit || (modes >= -1 && modes <= 1));
}

/* The bracket of the first critical point behind path->passed, with no change of features before low. */
typedef struct bracket {
  place low, high;
  int looked[2]; /* 1: the end has its stiffness */
  double steep;  /* change of the stiffness of the mode by the arc, where the bracket first had that of both ends; 0 before */
} bracket;

/* Halves the bracket; if Newton's method fails there, other shares of it are tried. Returns 0 if all fail, or if the bracket has two
 * curves. */
static int halve(elastica_path *path, eli_path_walk *walk, bracket *of, eli_path_point *point) {
  static const double share[3] = {0.5, 0.39, 0.63};
  place middle;
  int found = 0;
  for (int k = 0; k < 3 && !found && walk->fatal == ELASTICA_OK; k++)
    found = probe(path, walk, of->low.arc + share[k] * (of->high.arc - of->low.arc), point, &middle);
  if (!found) return 0;
  const int alone = is_limit_alone(&of->low.is, &of->high.is) &&
                    (middle.is.unstable_modes == of->low.is.unstable_modes || middle.is.unstable_modes == of->high.is.unstable_modes);
  const int changed = alone ? is_turned(&of->low.is, &middle.is) : differs(&of->low.is, &middle.is);
  if (!changed && !is_close(path, walk, walk->way, path->low, middle.arc - of->low.arc)) return 0;
  *(changed ? &of->high : &of->low) = middle;
  of->looked[changed] = 1;
  if (of->looked[0] && of->looked[1] && of->steep == 0.0) of->steep = fabs((of->high.mode - of->low.mode) / (of->high.arc - of->low.arc));
  keep_way(path, walk, changed ? path->high : path->low);
  return is_close(path, walk, path->low, path->high, of->high.arc - of->low.arc);
}

/* Judges a point that secants found: it is the first one if nothing changes before it, and something at it. Otherwise the bracket becomes
 * smaller. One mode that changes in a bracket with a limit point is that of the limit point, although its count may change beside it.
 * Returns 1 and the features behind the point if it is the first one. */
static int is_first(const elastica_path *path, const eli_path_walk *walk, bracket *of, const enclosed *zero, int limit, features *behind) {
  const int own = is_limit_alone(&of->low.is, &of->high.is);
  const features before = {of->low.is.slope, own ? of->low.is.unstable_modes : zero->unstable_modes[0]},
                 after = {limit ? of->high.is.slope : of->low.is.slope, own ? of->high.is.unstable_modes : zero->unstable_modes[1]};
  if (differs(&before, &of->low.is)) {
    of->high = (place){zero->arc - zero->half, 0.0, before, 0};
    of->looked[1] = 0;
    keep_way(path, walk, path->high);
  } else if (differs(&after, &of->low.is)) {
    *behind = after;
    return 1;
  } else {
    of->low = (place){zero->arc + zero->half, 0.0, after, 0};
    of->looked[0] = 0;
    keep_way(path, walk, path->low);
  }
  return 0;
}

/* Returns 1 if the ends of a bracket that bisection made as short as it can lie on two curves: they are far apart, or the modes beside a
 * point that secants found are others on the path itself. */
static int is_jump(elastica_path *path, eli_path_walk *walk, const bracket *of, eli_path_point *point) {
  for (int k = 0; k < 2; k++) {
    const place *end = k == 0 ? &of->low : &of->high;
    place found;
    if (end->reached) continue;
    if (!probe(path, walk, end->arc, point, &found) || differs(&found.is, &end->is)) return 1;
    keep_way(path, walk, k == 0 ? path->low : path->high);
  }
  return !is_close(path, walk, path->low, path->high, of->high.arc - of->low.arc);
}

/* Returns 1 if the mode of a limit point may change its count later. */
static int is_due(const elastica_path *path, const features *before, const features *behind, const eli_path_point *point) {
  return path->kind == ELASTICA_PATH_LIMIT && behind->unstable_modes == before->unstable_modes && point->zero_modes > 0;
}

/* The arc within which modes vanish together. */
static double merged(const elastica_path *path, const eli_path_walk *walk, const bracket *of) {
  const double wide = of->steep > 0.0 ? SURE * rounding_of_modes(walk) / of->steep : 0.0;
  return eli_larger(MERGED * path->step, eli_smaller(ENCLOSED * path->step, wide));
}

/* Takes the end of a bracket that bisection made as short as it can. */
static int take_end(elastica_path *path, eli_path_walk *walk, const bracket *of, eli_path_point *point, double *arc) {
  place end, beyond = of->high;
  const double apart = of->high.arc + merged(path, walk, of);
  if (apart < path->step && !probe(path, walk, apart, point, &beyond)) beyond = of->high;
  if (walk->fatal != ELASTICA_OK || !probe(path, walk, *arc = of->high.arc, point, &end)) return 0;
  path->passed = beyond.arc;
  path->behind = beyond.is;
  keep_way(path, walk, path->from);
  path->kind = is_turned(&of->low.is, &beyond.is) ? ELASTICA_PATH_LIMIT : ELASTICA_PATH_BRANCH;
  path->due = is_due(path, &of->low.is, &beyond.is, point);
  return 1;
}

/* Chooses a shorter step, of at most half the arc from the base, instead of one without a critical point in its bracket. */
static int give_up(const elastica_path *path, const bracket *of, double *arc) {
  const double passed = path->passed, half = passed + 0.5 * (of->high.arc - passed);
  *arc = of->low.arc > passed && (passed > 0.0 || of->low.arc < 0.5 * path->step) ? of->low.arc : half;
  return 0;
}

/* Returns 1 if a limit point does not change the number of unstable modes, although it has a mode of its own: the curve before it and that
 * behind it are not the same. The mode may be counted later while some mode has no stiffness at the end of the step. */
static int is_false_limit(const elastica_path *path, const features *before, const features *behind) {
  return behind->unstable_modes == before->unstable_modes && !path->beyond.unsymmetric && path->beyond.zero_modes == 0;
}

/* Returns 1 if one mode ceases to be counted as unstable although its stiffness stays negative up to the end of the step. */
static int is_ahead(const elastica_path *path, const bracket *of) {
  const features end = features_of(path, &path->beyond);
  return path->due == 0 && of->looked[0] && of->looked[1] && of->low.mode < 0.0 && of->high.mode < 0.0 && path->beyond.zero_modes > 0 &&
         of->high.is.unstable_modes == of->low.is.unstable_modes - 1 && !differs(&of->high.is, &end);
}

/* Locates the first critical point behind path->passed: bisection, and secants as soon as the bracket allows them. Modes that vanish
 * together, or modes that cross, mislead secants: bisection goes on to the end. Returns 0 if there is none, with a shorter arc before it or
 * path->due. */
static int locate(elastica_path *path, eli_path_walk *walk, eli_path_point *point, double *arc) {
  bracket of = {{path->passed, 0.0, path->behind, 1}, {path->step, 0.0, features_of(path, &path->beyond), 1}, {0, 0}, 0.0};
  memcpy(path->low, path->from, (path->size + 1) * sizeof(double));
  memcpy(path->high, path->to, (path->size + 1) * sizeof(double));
  if (!is_close(path, walk, path->low, path->high, of.high.arc - of.low.arc)) return give_up(path, &of, arc);
  for (int k = 0; k < BISECTIONS; k++) {
    enclosed zero;
    features behind;
    if (of.high.arc - of.low.arc <= (is_turned(&of.low.is, &of.high.is) ? LOCATED : MERGED) * path->step) break;
    if (!halve(path, walk, &of, point)) return give_up(path, &of, arc);
    const int limit = is_turned(&of.low.is, &of.high.is);
    const int found = of.looked[0] && of.looked[1] && is_simple(&of.low, &of.high, limit) &&
                      find_zero(path, walk, &of.low, &of.high, limit, point, &zero);
    if (walk->fatal != ELASTICA_OK) return 0;
    if (!found || !is_first(path, walk, &of, &zero, limit, &behind)) continue;
    if (limit && is_false_limit(path, &of.low.is, &behind)) return give_up(path, &of, arc);
    *arc = zero.arc;
    path->passed = zero.arc + zero.half;
    path->behind = behind;
    keep_way(path, walk, path->from);
    path->kind = limit ? ELASTICA_PATH_LIMIT : ELASTICA_PATH_BRANCH;
    path->due = is_due(path, &of.low.is, &behind, point);
    return 1;
  }
  if (is_jump(path, walk, &of, point)) return give_up(path, &of, arc);
  if (is_ahead(path, &of)) {
    path->due = -1;
    return 0;
  }
  return take_end(path, walk, &of, point, arc) || give_up(path, &of, arc);
}

/* Finds the critical mode, and keeps the tangent. Its largest component is positive; among equal ones the first. */
static int find_mode(elastica_path *path, eli_path_walk *walk) {
  double stiffness;
  memcpy(path->crossing, walk->tangent, (path->size + 1) * sizeof(double));
  const double *weight = walk->matrix.weight, *mode = path->mode;
  walk->fatal = eli_path_matrix_mode(&walk->matrix, path->mode, &stiffness);
  if (walk->fatal == ELASTICA_OK && fabs(stiffness) > ELASTIC) eli_path_matrix_rigid_mode(&walk->matrix, path->mode);
  size_t largest = 0;
  for (size_t k = 0; k < path->size; k++)
    if (weight[k] * mode[k] * mode[k] > 1.00001 * weight[largest] * mode[largest] * mode[largest]) largest = k;
  for (size_t k = 0, turns = path->mode[largest] < 0.0; k < path->size && turns; k++) path->mode[k] = -path->mode[k];
  return walk->fatal == ELASTICA_OK;
}

/* ---- The call ---- */

/* On a branch of constant parameter, such as the turn of an unloaded rod, rounding changes the sign of the slope: a limit point needs a
 * change of the parameter by LEVEL first steps. */
static void find_level(elastica_path *path) {
  const double steepest = eli_larger(fabs(path->behind.slope), fabs(path->beyond.slope));
  path->level = steepest * (path->step - path->passed) <= LEVEL * fabs(path->def.first_step);
  if (path->level) path->behind.slope = 0.0;
}

/* The mode of a limit point may change its count behind that point, because counts have a limited accuracy. Such a change is no critical
 * point. */
static void pay(elastica_path *path, const features *end) {
  const int modes = end->unstable_modes - path->behind.unstable_modes;
  if (path->due != 1 || is_turned(&path->behind, end) || (modes != 1 && modes != -1)) return;
  path->due = 0;
  path->behind.unstable_modes = end->unstable_modes;
}

static elastica_status refuse_jump(const elastica_path *path, const features *end) {
  const features *behind = &path->behind;
  char modes[80] = "";
  if (end->unstable_modes != behind->unstable_modes)
    eli_write(modes, sizeof modes, "the number of unstable modes changes from %d to %d%s", behind->unstable_modes, end->unstable_modes,
              is_turned(behind, end) ? " and " : "");
  return elastica_world_refuse(
      path->world, ELASTICA_NOT_CONVERGED,
      "path_next: no point beyond the parameter %.9g: within an arc of %.3g %s%s, but the states beside this change lie on two curves; a "
      "smaller smallest_step may follow the first one",
      path->last.parameter, path->step - path->passed, modes, is_turned(behind, end) ? "the slope changes its sign" : "");
}

/* Makes the critical point ahead the last point, if there is one and points are located; otherwise the end of the step. A step with a
 * change of modes and without a critical point ends on another curve: `shorter` then receives the arc of a step to try instead, otherwise
 * 0. */
static elastica_status finish_step(elastica_path *path, eli_path_walk *walk, double *shorter) {
  find_level(path);
  const features end = features_of(path, &path->beyond);
  const double before = path->passed;
  double arc = path->step;
  path->kind = ELASTICA_PATH_POINT;
  *shorter = 0.0;
  for (pay(path, &end); differs(&path->behind, &end); pay(path, &end)) {
    eli_path_point critical = path->last;
    if (locate(path, walk, &critical, &arc)) {
      path->passed = arc > path->passed ? arc : path->passed;
      if (!path->def.locate) continue;
      path->last = critical;
      if (path->kind == ELASTICA_PATH_BRANCH && !find_mode(path, walk)) return walk->fatal;
      path->arc += arc > before ? arc - before : 0.0;
      return walk->fatal;
    }
    if (walk->fatal != ELASTICA_OK) return walk->fatal;
    if (path->due == -1) break;
    if (arc - path->passed <= smallest_step(path)) return refuse_jump(path, &end);
    *shorter = arc;
    return ELASTICA_OK;
  }
  path->kind = ELASTICA_PATH_POINT;
  path->arc += path->step - before;
  memcpy(path->tangent, path->ahead, (path->size + 1) * sizeof(double));
  if (!go_back(walk, &path->end, path->beyond.parameter)) return walk->fatal;
  if (path->beyond.parameter == path->def.lower || path->beyond.parameter == path->def.upper) path->kind = ELASTICA_PATH_END;
  path->last = path->beyond;
  return ELASTICA_OK;
}

/* Sets the direction of the step: the tangent, or the critical mode of a branch point. */
static int aim(elastica_path *path, eli_path_walk *walk) {
  for (size_t k = 0; k <= path->size; k++) path->along[k] = path->side != 0 ? path->side * path->mode[k] : path->tangent[k];
  memset(path->from, 0, (path->size + 1) * sizeof(double));
  return eli_path_find_rates(walk);
}

/* Makes this arc the end of the step. Returns 0 if Newton's method fails there, or if the call must end. */
static int end_at(elastica_path *path, eli_path_walk *walk, double arc) {
  return reach(path, walk, arc) && know(walk, path->along, &path->beyond) && note_end(path, walk);
}

/* Makes the base, beside a kink, a limit point if the slope changes its sign there. Modes that change at the kink make no branch point. */
static elastica_status stop_at_kink(elastica_path *path, eli_path_walk *walk, double *shorter) {
  path->behind = features_of(path, &path->beyond);
  if (!path->def.locate || !is_turned(&path->behind, &(features){path->last.slope, 0})) return finish_step(path, walk, shorter);
  path->kind = ELASTICA_PATH_LIMIT;
  return go_back(walk, &path->base, path->base_parameter) ? ELASTICA_OK : walk->fatal;
}

static elastica_status refuse_switch(const elastica_path *path) {
  return elastica_world_refuse(
      path->world, ELASTICA_NOT_CONVERGED,
      "path_next: no other branch at the branch point at the parameter %.9g: along its critical mode, arcs down to "
      "%.3g have no equilibrium or come back to the path; switch to side 0 to go on along it",
      path->last.parameter, path->step);
}

/* Takes one step from the base. *shorter: as in finish_step. */
static elastica_status try_step(elastica_path *path, eli_path_walk *walk, double *shorter) {
  path->passed = 0.0;
  path->level = 0;
  path->behind = features_of(path, &path->last);
  path->due = path->base_due == -1 ? 0 : path->base_due;
  if (path->base_due == -1) path->behind.unstable_modes++;
  const int found = step_on(path, walk, 0), kinked = !found && walk->fatal == ELASTICA_OK && pass_kink(path, walk);
  if (walk->fatal != ELASTICA_OK) return walk->fatal;
  if (kinked) return stop_at_kink(path, walk, shorter);
  if (!found) return path->side != 0 ? refuse_switch(path) : refuse_lost(walk, path, path->step);
  if (path->side != 0) path->behind = features_of(path, &path->beyond); /* at the branch point itself they are those of neither branch */
  path->side = 0;
  const double share = passes_first(path, walk);
  if (share == 0.0) return finish_step(path, walk, shorter);
  path->step *= share;
  if (!end_at(path, walk, path->step)) return walk->fatal != ELASTICA_OK ? walk->fatal : refuse_lost(walk, path, path->step);
  const elastica_status status = finish_step(path, walk, shorter);
  if (status == ELASTICA_OK && *shorter == 0.0 && path->kind == ELASTICA_PATH_POINT) path->kind = ELASTICA_PATH_CLOSED;
  return status;
}

static elastica_status advance(elastica_path *path, eli_path_walk *walk) {
  if (!eli_path_evaluate(walk) || !note(walk, &path->base)) return walk->fatal != ELASTICA_OK ? walk->fatal : refuse_start(walk);
  path->base_parameter = walk->parameter;
  path->base_due = path->due;
  if (!eli_path_refer_bodies(walk)) return walk->fatal;
  memcpy(walk->relaxation.residual_start, walk->relaxation.residual, (size_t)path->rod_count * sizeof(eli_residual));
  const elastica_status placed = check_place(walk, path);
  if (placed != ELASTICA_OK) return placed;
  if (!aim(path, walk)) return walk->fatal != ELASTICA_OK ? walk->fatal : refuse_lost(walk, path, 0.0);
  for (;;) {
    double shorter = 0.0;
    const elastica_status status = try_step(path, walk, &shorter);
    if (status != ELASTICA_OK || shorter == 0.0) return status;
    path->next = shorter;
  }
}

/* Takes nearer ends of the step of a critical point while its end lies on another curve. */
static elastica_status take_nearer(elastica_path *path, eli_path_walk *walk, double shorter) {
  elastica_status status = ELASTICA_OK;
  while (status == ELASTICA_OK && shorter != 0.0) {
    path->step = shorter;
    if (end_at(path, walk, shorter))
      status = finish_step(path, walk, &shorter);
    else if (shorter - path->passed > smallest_step(path) && walk->fatal == ELASTICA_OK)
      shorter = path->passed + 0.5 * (shorter - path->passed);
    else
      status = walk->fatal != ELASTICA_OK ? walk->fatal : refuse_lost(walk, path, shorter);
  }
  return status;
}

/* Goes on within the step of a critical point. A refused call leaves its end. */
static elastica_status go_on_within(elastica_path *path, eli_path_walk *walk) {
  double shorter;
  const elastica_status status = finish_step(path, walk, &shorter);
  if (status != ELASTICA_OK || shorter == 0.0) return status;
  const eli_relax_point end = path->end;
  path->end = (eli_relax_point){NULL, NULL, 0};
  const elastica_status taken = take_nearer(path, walk, shorter);
  release_state(path, taken == ELASTICA_OK ? &end : &path->end);
  if (taken != ELASTICA_OK) path->end = end;
  return taken;
}

/* Takes the first step on another branch. A refused call leaves the step of the branch point. */
static elastica_status go_aside(elastica_path *path, eli_path_walk *walk) {
  const eli_relax_point base = path->base, end = path->end;
  path->base = path->end = (eli_relax_point){NULL, NULL, 0};
  const elastica_status status = advance(path, walk);
  release_state(path, status == ELASTICA_OK ? &base : &path->base);
  release_state(path, status == ELASTICA_OK ? &end : &path->end);
  if (status != ELASTICA_OK) path->base = base, path->end = end;
  return status;
}

/* Goes on from the last point. */
static elastica_status go_on(elastica_path *path, eli_path_walk *walk) {
  if (!path->started) return start(path, walk);
  if (eli_path_set(walk, path->last.parameter) != ELASTICA_OK) return walk->fatal;
  const elastica_status status = eli_path_world_check(path->world, path->seen, path->seen_size);
  if (status != ELASTICA_OK) return status;
  const int inside = path->kind == ELASTICA_PATH_LIMIT || path->kind == ELASTICA_PATH_BRANCH;
  return path->side != 0 ? go_aside(path, walk) : inside ? go_on_within(path, walk) : advance(path, walk);
}

static void fill_result(const elastica_path *path, const eli_path_walk *walk, elastica_path_result *out) {
  const eli_path_point *last = &path->last;
  memset(out, 0, sizeof *out);
  out->kind = path->kind;
  out->parameter = last->parameter;
  out->slope = last->slope;
  out->arc = path->arc;
  out->next = path->next;
  out->stable = last->stable;
  out->undecided = last->undecided;
  out->unstable_modes = last->unstable_modes;
  out->zero_modes = last->zero_modes;
  out->undecided_by = last->undecided_by;
  out->evaluations = walk->relaxation.evaluations;
  out->correction = last->correction;
}

static elastica_status check_open(const elastica_path *path) {
  elastica_world *world = path->world;
  elastica_status status = eli_world_check_open(world, "path_next", 1);
  if (status != ELASTICA_OK) return status;
  if (path->kind == ELASTICA_PATH_END)
    return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "path_next: the path has reached the bound %.9g of its parameter",
                                 path->last.parameter);
  if (path->kind == ELASTICA_PATH_CLOSED)
    return elastica_world_refuse(world, ELASTICA_WRONG_STATE,
                                 "path_next: the path is closed: at the parameter %.9g it has come back to its first point",
                                 path->last.parameter);
  if (path->started && (world->bodies.indices.taken != path->rod_count || world->bodies.slab.end != path->slots))
    return elastica_world_refuse(world, ELASTICA_WRONG_STATE, "path_next: rods were added or removed since the last point");
  return ELASTICA_OK;
}

/* Returns the path to its record before a refused call. An unfinished step keeps its end. */
static void restore(elastica_path *path, const elastica_path *kept) {
  const elastica_path now = *path;
  *path = *kept;
  path->along = now.along;
  path->base = now.base;
  path->end = now.end;
  if (kept->started) memcpy(path->along, path->kept, KEPT * (path->size + 1) * sizeof(double));
}

/* Returns to the state before the call, with the parameter of the last point or of the start, after a refusal. */
static void come_back(const elastica_path *path, eli_path_walk *walk) {
  if (path->world->report.failure != ELASTICA_OK) return;
  const double parameter = path->started ? path->last.parameter : path->def.start;
  char sentence[ELI_MESSAGE_SIZE]; /* of the refusal */
  memcpy(sentence, path->world->report.message, sizeof sentence);
  if (eli_path_apply(&path->def, path->world, parameter) == ELASTICA_OK) (void)eli_world_prepare(path->world, "path_next"); /* masses */
  eli_relax_return(&walk->relaxation, &walk->relaxation.start);
  memcpy(path->world->report.message, sentence, sizeof sentence);
}

/* Goes to the next point, or comes back. */
static elastica_status take_point(elastica_path *path, eli_path_walk *walk, elastica_path_result *out) {
  elastica_world *world = path->world;
  const elastica_path kept = *path;
  if (kept.started) memcpy(path->kept, path->along, KEPT * (path->size + 1) * sizeof(double));
  eli_path_set_scale(walk, path->scale != 0.0 ? path->scale : IDLE_SCALE * path->def.first_step);
  elastica_status status = go_on(path, walk);
  if (status == ELASTICA_OK) status = eli_path_world_remember(path->world, &path->seen, &path->seen_size);
  if (status == ELASTICA_OK && out != NULL) fill_result(path, walk, out);
  if (walk->relaxation.starved)
    status = elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "path_next: no memory for %d rods", walk->relaxation.rod_count);
  if (status != ELASTICA_OK) {
    restore(path, &kept);
    come_back(path, walk);
  }
  for (size_t t = 0; t < world->bodies.slab.tile_count; t++) eli_tile_update_geometry(world, t);
  eli_world_outdate(world, ELI_STALE_LIMIT);
  return status;
}

elastica_status elastica_path_next(elastica_path *path, elastica_path_result *out) {
  if (path == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = path->world;
  elastica_status status = check_open(path);
  if (status != ELASTICA_OK) return status;
  char sentence[ELI_MESSAGE_SIZE];
  memcpy(sentence, world->report.message, sizeof sentence);
  eli_path_walk walk;
  eli_pending pending;
  status = eli_pending_note(world, "path_next", &pending);
  if (status != ELASTICA_OK) return status;
  status = eli_path_begin(&walk, world, &path->def);
  if (status == ELASTICA_OK) status = take_point(path, &walk, out);
  if (status == ELASTICA_OK) memcpy(world->report.message, sentence, sizeof sentence);
  if (status != ELASTICA_OK && world->report.failure == ELASTICA_OK) eli_pending_put_back(world, &pending);
  eli_path_finish(&walk);
  eli_pending_drop(world, &pending);
  return status;
}

elastica_status elastica_path_switch(elastica_path *path, int side) {
  if (path == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(path->world, "path_switch", 1);
  if (status != ELASTICA_OK) return status;
  if (side < -1 || side > 1)
    return elastica_world_refuse(path->world, ELASTICA_INVALID_ARGUMENT, "path_switch: side is %d, neither 1 nor -1 nor 0", side);
  if (path->kind != ELASTICA_PATH_BRANCH)
    return elastica_world_refuse(path->world, ELASTICA_WRONG_STATE, "path_switch: the last point is not a branch point");
  path->side = side;
  return ELASTICA_OK;
}

/* ---- Records ---- */

#define MAGIC UINT64_C(0x68746170616c65) /* "elapath" */
enum { VERSION = 3, MOST_MODES = 1 << 30, VERSION_AT = 3 * ELI_WORD };

static elastica_status refuse_other(const elastica_path *path, const eli_record *record) {
  return elastica_world_refuse(path->world, ELASTICA_INVALID_ARGUMENT, "path_load: %s differs: the record is of another path or world",
                               record->wrong);
}

/* The numbers of an ordinary point, listed once for writing, checking and reading. */
static void keep_point(elastica_path *path, eli_record *record) {
  eli_path_point *last = &path->last;
  double *const numbers[] = {&last->parameter, &last->slope, &last->correction,     &path->arc,
                             &path->next,      &path->scale, &path->first_parameter};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) eli_record_finite(record, "a number of the point", numbers[k], 1);
  eli_record_int(record, "stable", &last->stable, 0, 1);
  eli_record_int(record, "undecided", &last->undecided, 0, 1);
  eli_record_int(record, "unsymmetric", &last->unsymmetric, 0, 1);
  eli_record_int(record, "unstable_modes", &last->unstable_modes, 0, MOST_MODES);
  eli_record_int(record, "zero_modes", &last->zero_modes, 0, MOST_MODES);
  eli_record_int(record, "modes that are due", &path->due, -1, 1);
  eli_record_finite(record, "the tangent", path->tangent, path->size + 1);
  eli_record_finite(record, "the first point", path->first, 3 * path->slots);
}

/* A number of the definition; the definition of a loaded path must have the same. */
static void keep_number(eli_record *record, const char *name, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (eli_record_word(record, bits) != bits) eli_record_blame(record, name, 1);
}

static elastica_status keep(elastica_path *path, eli_record *record) {
  eli_record_word(record, MAGIC);
  keep_number(record, "path_def.start", path->def.start);
  keep_number(record, "path_def.first_step", path->def.first_step);
  eli_record_same(record, "version", VERSION);
  const elastica_status status = record->wrong == NULL ? eli_path_world_keep(path->world, record) : refuse_other(path, record);
  if (status != ELASTICA_OK) return status;
  eli_record_same(record, "number of lanes", (int)path->slots);
  eli_record_same(record, "number of unknowns", (int)path->size);
  if (record->wrong == NULL) keep_point(path, record);
  return record->wrong == NULL ? ELASTICA_OK : refuse_other(path, record);
}

elastica_status elastica_path_save(elastica_path *path, void *buffer, size_t size, size_t *needed) {
  if (path == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = path->world;
  elastica_status status = eli_world_check_open(world, "path_save", 0);
  if (status == ELASTICA_OK && (!path->started || path->kind != ELASTICA_PATH_POINT))
    status = elastica_world_refuse(world, ELASTICA_WRONG_STATE, "path_save: the last point is not an ordinary one");
  eli_record record = eli_record_to(NULL, 0);
  if (status == ELASTICA_OK) status = keep(path, &record);
  if (status != ELASTICA_OK) return status;
  const size_t words = record.at / ELI_WORD, whole = record.at + ELI_WORD;
  if (needed != NULL) *needed = whole;
  if (buffer == NULL && needed != NULL) return ELASTICA_OK;
  if (buffer == NULL || size < whole)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "path_save: the buffer has %zu bytes, but the path takes %zu",
                                 buffer == NULL ? (size_t)0 : size, whole);
  record = eli_record_to(buffer, whole);
  status = keep(path, &record);
  (void)eli_record_word(&record, eli_sum_of_words(0, buffer, words));
  return status;
}

/* Returns 1 if the last word of a record is the checksum of the others. */
static int has_its_sum(const void *buffer, size_t size) {
  if (size < 2 * ELI_WORD || size % ELI_WORD != 0) return 0;
  const unsigned char *bytes = buffer;
  eli_record last = eli_record_from(ELI_RECORD_READ, bytes + size - ELI_WORD, ELI_WORD);
  return eli_record_word(&last, 0) == eli_sum_of_words(0, bytes, size / ELI_WORD - 1);
}

static elastica_status check_head(elastica_world *world, const void *buffer, size_t size) {
  if (!has_its_sum(buffer, size))
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "path_load: the record of %zu bytes is damaged", size);
  eli_record head = eli_record_from(ELI_RECORD_READ, buffer, size);
  if (eli_record_word(&head, 0) != MAGIC)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "path_load: the %zu bytes are no record of a path", size);
  head.at = VERSION_AT;
  const uint64_t version = eli_record_word(&head, 0);
  if (version == VERSION) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_WRONG_VERSION, "path_load: the record has version %llu of the format, this library reads %d",
                               (unsigned long long)version, (int)VERSION);
}

elastica_status elastica_path_load(elastica_path *path, const void *buffer, size_t size) {
  if (path == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = path->world;
  elastica_status status = eli_world_check_open(world, "path_load", 1);
  if (status == ELASTICA_OK && buffer == NULL)
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "path_load: buffer is NULL");
  if (status == ELASTICA_OK && path->started)
    status = elastica_world_refuse(world, ELASTICA_WRONG_STATE, "path_load: the path has begun; load into a new one");
  if (status == ELASTICA_OK) status = check_head(world, buffer, size);
  if (status != ELASTICA_OK) return status;
  if (!allocate(path)) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "path_load: no memory");
  size -= ELI_WORD;
  eli_record record = eli_record_from(ELI_RECORD_CHECK, buffer, size);
  status = keep(path, &record);
  if (status != ELASTICA_OK) return status;
  record = eli_record_from(ELI_RECORD_READ, buffer, size);
  status = keep(path, &record);
  path->started = status == ELASTICA_OK;
  return status;
}
