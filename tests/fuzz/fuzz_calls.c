/* Fuzz target: bytes -> a sequence of calls of the whole interface, with sound and unsound values, functions of the user that fail, write
 * NaN or call back, and requests for memory that are refused. Claims of every call: a documented status; a sentence with each refusal; a
 * refused call leaves the state; no call of a small world takes long. Without refusals of memory, the same calls are repeated with other
 * workers, tiles and instruction set: the statuses and the last state are the same.
 */
#include "base/target.h"

#include "fuzz.h"

#include "state/world.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RODS = 6, MOST_EFFECTS = 24, MOST_ELEMENTS = 12, MOST_NODES = 16, MOST_CALLS = 60, LONGEST_CALL = 20 /* [s] */ };

typedef enum misdeed { GOOD, FAILS, WRITES_NAN, CALLS_BACK, MISDEEDS } misdeed;

/* The user of a function: it does its deed from a time on. */
typedef struct user {
  elastica_world *world;
  misdeed deed;
  double from;
} user;

typedef struct run {
  byte_source source;
  elastica_world *world;
  user users[2 * MOST_CALLS];
  int user_count;
  long left; /* number of blocks that may still be taken */
  long blocks;
  unsigned char *snapshot;
  size_t snapshot_size;
  elastica_budget *budget;
  elastica_csv *csv;
  elastica_vtk *vtk;
  elastica_view *view;
  uint64_t trace;
  char folder[80];
} run;

/* ---- Numbers ------------------------------------------------------------------------------------------------------------------------- */

static double unsound_number(byte_source *source) {
  static const double numbers[16] = {NAN,    INFINITY, -INFINITY, 0.0,     -1.0,     1e200, -1e200, 1e-200,
                                     1e-320, 1e149,    -0.0,      DBL_MAX, -DBL_MAX, 1e20,  1e10,   1e-10};
  return numbers[next_below(source, 16)];
}

/* Mostly within a range. */
static double number(byte_source *source, double low, double high) {
  const unsigned b = next_byte(source);
  return b >= 253 ? unsound_number(source) : low + (high - low) * b / 252.0;
}

static int count_below(byte_source *source, int count) {
  static const int unsound[6] = {-1, -2, INT_MIN, INT_MAX, 0, 1};
  const unsigned b = next_byte(source);
  return b >= 253 ? unsound[next_below(source, 6)] : (int)(b % (unsigned)count);
}

static void vector(byte_source *source, double size, double v[3]) {
  for (int a = 0; a < 3; a++) v[a] = number(source, -size, size);
}

/* A place in a definition that may be spoilt: a number, or a choice of a small set. */
typedef struct place {
  size_t offset;
  int count, is_int;
} place;

#define NUMBERS(type, field)                                                                                                               \
  { offsetof(elastica_##type##_def, field), (int)(sizeof(((elastica_##type##_def *)0)->field) / sizeof(double)), 0 }
#define CHOICE(type, field)                                                                                                                \
  { offsetof(elastica_##type##_def, field), 1, 1 }

/* Rarely, and up to twice, writes another number to one of the places. */
static void spoil(byte_source *source, void *def, const place *places, int count) {
  static const int choices[8] = {0, 1, 2, 3, 4, -1, INT_MIN, INT_MAX};
  for (int k = 0; k < 2 && next_byte(source) >= 224; k++) {
    const place *at = &places[next_below(source, count)];
    char *bytes = (char *)def + at->offset;
    const double x = unsound_number(source);
    const int c = choices[next_below(source, 8)];
    if (at->is_int)
      memcpy(bytes, &c, sizeof c);
    else
      memcpy(bytes + sizeof x * (size_t)next_below(source, at->count), &x, sizeof x);
  }
}

#define SPOIL(source, def, ...)                                                                                                            \
  do {                                                                                                                                     \
    static const place places_[] = {__VA_ARGS__};                                                                                          \
    spoil(source, &(def), places_, (int)(sizeof places_ / sizeof *places_));                                                               \
    if (next_byte(source) == 255) (def).struct_size = next_byte(source);                                                                   \
  } while (0)

/* ---- Functions of the user ----------------------------------------------------------------------------------------------------------- */

static void call_back(elastica_world *world) {
  elastica_rod *rod = elastica_world_rod(world, 0);
  elastica_totals totals;
  CLAIM(elastica_world_step(world, 1e-6, 1) == ELASTICA_WRONG_STATE, "step in a function");
  CLAIM(elastica_world_relax(world, NULL, NULL) == ELASTICA_WRONG_STATE, "relax in a function");
  CLAIM(elastica_world_rewind(world) == ELASTICA_WRONG_STATE, "rewind in a function");
  CLAIM(elastica_add_gravity(world, (double[3]){0.0}, NULL) == ELASTICA_WRONG_STATE, "add in a function");
  CLAIM(elastica_world_get_totals(world, &totals) == ELASTICA_WRONG_STATE, "query in a function");
  if (rod != NULL) CLAIM(elastica_rod_set_state(rod, NULL, NULL, NULL, NULL) == ELASTICA_WRONG_STATE, "set in a function");
  if (rod != NULL) CLAIM(elastica_rod_remove(rod) == ELASTICA_WRONG_STATE, "remove in a function");
  elastica_world_destroy(world);
}

static misdeed deed_of(const user *of, double time) {
  const misdeed deed = time >= of->from ? of->deed : GOOD;
  if (deed == CALLS_BACK) call_back(of->world);
  return deed;
}

static elastica_status answer(misdeed deed) {
  return deed == FAILS ? ELASTICA_INVALID_ARGUMENT : ELASTICA_OK;
}

static elastica_status move(void *self, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const misdeed deed = deed_of(self, time);
  (void)director, (void)omega;
  position[1] += 0.1 * time, velocity[1] = deed == WRITES_NAN ? NAN : 0.1;
  return answer(deed);
}

static elastica_status load_at(void *self, double time, double force[3], double couple[3]) {
  const misdeed deed = deed_of(self, time);
  (void)couple;
  if (deed == WRITES_NAN) force[0] = NAN;
  return answer(deed);
}

static elastica_status factor_at(void *self, double time, double *factor) {
  const misdeed deed = deed_of(self, time);
  *factor = deed == WRITES_NAN ? NAN : 0.5;
  return answer(deed);
}

static elastica_status activate(void *self, double time, int at, double s, double *activation) {
  const misdeed deed = deed_of(self, time);
  (void)at;
  *activation = deed == WRITES_NAN ? NAN : s;
  return answer(deed);
}

static elastica_status contract(void *self, double time, double x, double *activation) {
  const misdeed deed = deed_of(self, time);
  *activation = deed == WRITES_NAN ? NAN : x > 1.0;
  return answer(deed);
}

static elastica_status draw(void *self, double time, double length, double rate, double *activation) {
  const misdeed deed = deed_of(self, time);
  (void)length, (void)rate;
  *activation = deed == WRITES_NAN ? NAN : 0.7;
  return answer(deed);
}

static elastica_status drive(void *self, double time, double angle, double rate, double *couple) {
  const misdeed deed = deed_of(self, time);
  *couple = deed == WRITES_NAN ? NAN : -0.001 * angle - 1e-5 * rate;
  return answer(deed);
}

static elastica_status flow(void *self, double time, const double position[3], double velocity[3]) {
  const misdeed deed = deed_of(self, time);
  velocity[0] = deed == WRITES_NAN ? NAN : position[1];
  return answer(deed);
}

static elastica_status surface(void *self, const double point[3], double *distance, double gradient[3]) {
  const misdeed deed = deed_of(self, 0.0);
  *distance = deed == WRITES_NAN ? NAN : point[2];
  gradient[0] = gradient[1] = 0.0, gradient[2] = 1.0;
  return answer(deed);
}

static elastica_status sample(void *self, elastica_world *world) {
  const user *of = self;
  elastica_totals totals;
  if (of->deed == FAILS) return ELASTICA_STOPPED;
  CLAIM(elastica_world_step(world, 1e-6, 1) == ELASTICA_WRONG_STATE, "step in a sampler");
  (void)!elastica_world_get_totals(world, &totals);
  return ELASTICA_OK;
}

/* ---- Hooks of a module: self is a user ---- */

static elastica_status begin_step(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)rod;
  return answer(deed_of(self, now->time));
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const misdeed deed = deed_of(self, now->time);
  loads->force[0][rod->node_count - 1] += deed == WRITES_NAN ? NAN : 0.01;
  return answer(deed);
}

static elastica_status add_world_loads(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  const misdeed deed = deed_of(self, now->time);
  for (int r = 0; r < loads->rod_count; r++)
    if (loads->rods[r] != NULL) loads->loads[r].force[1][0] += deed == WRITES_NAN ? NAN : 0.01;
  return answer(deed);
}

static elastica_status add_reactions(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const misdeed deed = deed_of(self, now->time);
  (void)rod;
  loads->force[2][0] += deed == WRITES_NAN ? NAN : -0.1 * loads->total_force[2][0];
  return answer(deed);
}

static elastica_status constrain_velocity(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  const misdeed deed = deed_of(self, now->time);
  (void)rod;
  state->velocity[1][0] = deed == WRITES_NAN ? NAN : 0.0;
  return answer(deed);
}

static elastica_status observe(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)rod;
  return answer(deed_of(self, now->time));
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  (void)rod;
  return deed_of(self, time) == WRITES_NAN ? NAN : 0.0;
}

static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  (void)rod, (void)tangent;
  return answer(deed_of(self, now->time));
}

static user *next_user(run *r) {
  user *of = &r->users[r->user_count++ % (2 * MOST_CALLS)];
  of->world = r->world;
  of->deed = next_byte(&r->source) < 200 ? GOOD : (misdeed)next_below(&r->source, MISDEEDS);
  of->from = next_below(&r->source, 2) ? 0.0 : elastica_world_get(r->world).time + 1e-3 * next_byte(&r->source);
  return of;
}

/* ---- Claims of every call ------------------------------------------------------------------------------------------------------------ */

static uint64_t hash_lane(uint64_t hash, const double *lane, int count) {
  return lane == NULL ? hash : hash_more(hash, lane, (size_t)count * sizeof *lane);
}

static uint64_t state_of(elastica_world *world) {
  const elastica_world_info info = elastica_world_get(world);
  uint64_t hash = hash_more(UINT64_C(0xcbf29ce484222325), &info.time, sizeof info.time);
  const long counts[3] = {info.step_count, info.rod_count, info.effect_count};
  hash = hash_more(hash, counts, sizeof counts);
  for (int k = 0; k < info.rod_count; k++) {
    const elastica_rod_view *rod = elastica_rod_get_view(elastica_world_rod(world, k));
    if (rod == NULL) continue;
    for (int a = 0; a < 3; a++) {
      hash = hash_lane(hash_lane(hash, rod->position[a], rod->node_count), rod->velocity[a], rod->node_count);
      hash = hash_lane(hash, rod->omega[a], rod->element_count);
      hash = hash_lane(hash_lane(hash, rod->rest_curvature[a], rod->joint_count), rod->rest_strain[a], rod->element_count);
      for (int b = 0; b < 3; b++) hash = hash_lane(hash, rod->director[a][b], rod->element_count);
    }
  }
  for (int k = 0; k < info.effect_count; k++) {
    const elastica_effect_info effect = elastica_effect_get(elastica_world_effect(world, k));
    hash = hash_more(hash, &effect.is_enabled, sizeof effect.is_enabled);
  }
  return hash;
}

typedef struct call {
  const char *name;
  elastica_status (*make)(run *r);
  int runs; /* 1: it takes steps, a refused call too; 2: it makes several calls */
} call;

static int is_refusal(elastica_status status) {
  return status >= ELASTICA_INVALID_ARGUMENT && status <= ELASTICA_IO_ERROR;
}

/* Prescribed values are put in place by the preparation of a step or query, refused or not: it is done first. */
static void claim_call(run *r, const call *of) {
  elastica_step_limit limit;
  (void)!elastica_world_step_limit(r->world, &limit);
  const uint64_t before = state_of(r->world);
  const long step = elastica_world_get(r->world).step_count;
  const clock_t start = clock();
  const elastica_status status = of->make(r);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  r->left = LONG_MAX;
  CLAIM(status >= ELASTICA_OK && status <= ELASTICA_STOPPED, "%s: status %d", of->name, (int)status);
  CLAIM(seconds < LONGEST_CALL, "%s: %g s", of->name, seconds);
  if (getenv("FUZZ_TRACE") != NULL)
    fprintf(stderr, "  %-16s %-18s %s\n", of->name, elastica_status_text(status),
            status != ELASTICA_OK ? elastica_world_message(r->world) : "");
  if (status != ELASTICA_OK && status != ELASTICA_STOPPED)
    CLAIM(elastica_world_message(r->world)[0] != '\0', "%s: %s without a sentence", of->name, elastica_status_text(status));
  if (is_refusal(status) && (of->runs == 0 || (of->runs == 1 && elastica_world_get(r->world).step_count == step)))
    CLAIM(state_of(r->world) == before, "%s: %s: the state has changed: %s", of->name, elastica_status_text(status),
          elastica_world_message(r->world));
  r->trace = hash_more(r->trace, &status, sizeof status);
  const uint64_t after = state_of(r->world);
  r->trace = hash_more(r->trace, &after, sizeof after);
}

/* ---- Handles ---- */

static elastica_rod *any_rod(run *r) {
  const int count = elastica_world_get(r->world).rod_count;
  return elastica_world_rod(r->world, count > 0 ? count_below(&r->source, count) : 0);
}

static elastica_effect *any_effect(run *r) {
  const int count = elastica_world_get(r->world).effect_count;
  return elastica_world_effect(r->world, count > 0 ? count_below(&r->source, count) : 0);
}

static int live_rods(run *r) {
  int live = 0;
  for (int k = 0; k < elastica_world_get(r->world).rod_count; k++) live += elastica_world_rod(r->world, k) != NULL;
  return live;
}

/* The next effect of a kind, from any place on. */
static elastica_effect *effect_named(run *r, const char *name) {
  const int count = elastica_world_get(r->world).effect_count, from = (int)next_byte(&r->source);
  for (int k = 0; k < count; k++) {
    elastica_effect *effect = elastica_world_effect(r->world, (from + k) % count);
    if (effect != NULL && strcmp(elastica_effect_get(effect).name, name) == 0) return effect;
  }
  return any_effect(r);
}

/* ---- Rods and bodies ----------------------------------------------------------------------------------------------------------------- */

static elastica_status add_rod(run *r) {
  byte_source *s = &r->source;
  elastica_rod_def def;
  double position[3 * MOST_NODES] = {0.0}, radius[MOST_ELEMENTS + 1];
  elastica_rod_def_init(&def, sizeof def);
  if (live_rods(r) >= MOST_RODS) return elastica_world_add_rod(r->world, NULL, NULL);
  const int n = 1 + next_below(s, MOST_ELEMENTS), shape = next_below(s, 4);
  def.element_count = n;
  def.length = number(s, 0.05, 1.0), def.radius = number(s, 0.005, 0.05);
  def.density = number(s, 500.0, 3000.0), def.youngs_modulus = next_below(s, 8) ? 1e6 : 1e9;
  vector(s, 0.3, def.start);
  vector(s, 1.0, def.direction);
  if (shape == 1) { /* a ring */
    def.closed = 1, def.position = position;
    for (int i = 0; i < n; i++) {
      position[3 * i] = def.start[0] + 0.1 * cos(6.283185307179586 * i / n), position[3 * i + 1] = 0.1 * sin(6.283185307179586 * i / n);
      position[3 * i + 2] = def.start[2];
    }
    def.rest = (elastica_rest)next_below(s, 2);
  }
  if (shape == 2) { /* a polygon of any steps */
    def.position = position, def.rest = ELASTICA_REST_INITIAL;
    for (int i = 1; i <= n; i++)
      for (int a = 0; a < 3; a++) position[3 * i + a] = position[3 * i - 3 + a] + number(s, a == 0 ? 0.02 : -0.02, 0.05);
  }
  if (next_below(s, 4) == 0) {
    def.element_radius = radius;
    for (int j = 0; j < n; j++) radius[j] = number(s, 0.01, 0.03);
  }
  def.contact_group = next_below(s, 3);
  if (shape == 3) SPOIL(s, def, CHOICE(rod, element_count));
  SPOIL(s, def, CHOICE(rod, rest), CHOICE(rod, contact_group), NUMBERS(rod, start), NUMBERS(rod, direction), NUMBERS(rod, length),
        NUMBERS(rod, normal), NUMBERS(rod, radius), NUMBERS(rod, density), NUMBERS(rod, youngs_modulus), NUMBERS(rod, shear_modulus),
        NUMBERS(rod, shear_factor), NUMBERS(rod, rotary_inertia_scale));
  if (shape != 1 && shape != 2 && def.element_radius == NULL) SPOIL(s, def, CHOICE(rod, closed));
  return elastica_world_add_rod(r->world, &def, NULL);
}

static elastica_status add_body(run *r) {
  byte_source *s = &r->source;
  elastica_body_def def;
  elastica_body_def_init(&def, sizeof def);
  if (live_rods(r) >= MOST_RODS) return elastica_world_add_body(r->world, NULL, NULL);
  def.shape = (elastica_shape)next_below(s, 4);
  def.radius = number(s, 0.02, 0.2), def.length = number(s, 0.02, 0.4), def.density = 1000.0;
  for (int a = 0; a < 3; a++) def.edges[a] = number(s, 0.02, 0.3);
  vector(s, 0.5, def.position);
  vector(s, 1.0, def.velocity);
  vector(s, 5.0, def.omega);
  def.contact_group = next_below(s, 3);
  SPOIL(s, def, CHOICE(body, shape), CHOICE(body, contact_group), NUMBERS(body, radius), NUMBERS(body, length), NUMBERS(body, edges),
        NUMBERS(body, density), NUMBERS(body, mass), NUMBERS(body, inertia), NUMBERS(body, position), NUMBERS(body, director),
        NUMBERS(body, velocity), NUMBERS(body, omega));
  return elastica_world_add_body(r->world, &def, NULL);
}

/* A missing handle is refused without a world that could have the sentence. */
static elastica_status unless_null(run *r, const void *handle, elastica_status status) {
  if (handle != NULL) return status;
  CLAIM(status != ELASTICA_OK, "NULL is accepted");
  return elastica_world_refuse(r->world, ELASTICA_INVALID_ARGUMENT, "no handle");
}

static elastica_status remove_rod(run *r) {
  elastica_rod *rod = any_rod(r);
  return unless_null(r, rod, elastica_rod_remove(rod));
}

/* Room for any rod of this run. */
static void read_state(const elastica_rod_view *view, double *position, double *velocity, double *director, double *omega) {
  for (int a = 0; a < 3; a++) {
    for (int i = 0; i < view->node_count; i++) position[3 * i + a] = view->position[a][i], velocity[3 * i + a] = view->velocity[a][i];
    for (int j = 0; j < view->element_count; j++) {
      omega[3 * j + a] = view->omega[a][j];
      for (int b = 0; b < 3; b++) director[9 * j + 3 * a + b] = view->director[a][b][j];
    }
  }
}

static elastica_status set_state(run *r) {
  byte_source *s = &r->source;
  double position[3 * MOST_NODES], velocity[3 * MOST_NODES], director[9 * MOST_NODES], omega[3 * MOST_NODES];
  elastica_rod *rod = any_rod(r);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  if (view == NULL) return unless_null(r, NULL, elastica_rod_set_state(rod, NULL, NULL, NULL, NULL));
  const unsigned which = next_byte(s);
  read_state(view, position, velocity, director, omega);
  for (int k = 0; k < 3; k++) {
    const int i = next_below(s, view->node_count), j = next_below(s, view->element_count), a = next_below(s, 3);
    position[3 * i + a] += number(s, -0.01, 0.01);
    velocity[3 * i + a] = number(s, -1.0, 1.0);
    omega[3 * j + a] = number(s, -5.0, 5.0);
    if (next_byte(s) >= 250) director[9 * j + a] = number(s, -1.0, 1.0);
  }
  const double *const parts[4] = {which & 1 ? position : NULL, which & 2 ? velocity : NULL, which & 4 ? director : NULL,
                                  which & 8 ? omega : NULL};
  return which & 16 && view->rigid ? elastica_body_set_state(rod, parts[0], parts[1], parts[2], parts[3])
                                   : elastica_rod_set_state(rod, parts[0], parts[1], parts[2], parts[3]);
}

static elastica_status set_rest(run *r) {
  double curvature[3 * MOST_NODES] = {0.0}, strain[3 * MOST_NODES] = {0.0};
  elastica_rod *rod = any_rod(r);
  for (int k = 0; k < 3; k++) {
    curvature[next_below(&r->source, 3 * MOST_NODES)] = number(&r->source, -2.0, 2.0);
    strain[next_below(&r->source, 3 * MOST_NODES)] = number(&r->source, -0.05, 0.05);
  }
  const int which = next_below(&r->source, 4);
  return unless_null(r, rod, elastica_rod_set_rest(rod, which & 1 ? curvature : NULL, which & 2 ? strain : NULL));
}

/* ---- Effects: each is added, or set to another definition ---------------------------------------------------------------------------- */

/* Adds, unless there are many effects; or sets. `name`: of the effects. */
#define ADD_OR_SET(type, name, rod)                                                                                                        \
  do {                                                                                                                                     \
    elastica_effect *effect_ = NULL;                                                                                                       \
    if (elastica_world_get(r->world).effect_count < MOST_EFFECTS && next_below(s, 4) != 0) {                                               \
      const elastica_status status_ = elastica_add_##type(r->world, rod, &def, &effect_);                                                  \
      CLAIM((effect_ != NULL) == (status_ == ELASTICA_OK), #type ": a handle with %s", elastica_status_text(status_));                     \
      return status_;                                                                                                                      \
    }                                                                                                                                      \
    effect_ = effect_named(r, name);                                                                                                       \
    return unless_null(r, effect_, elastica_##type##_set(effect_, &def));                                                                  \
  } while (0)

static elastica_status gravity(run *r) {
  double g[3];
  vector(&r->source, 10.0, g);
  if (elastica_world_get(r->world).effect_count < MOST_EFFECTS) return elastica_add_gravity(r->world, g, NULL);
  elastica_effect *effect = effect_named(r, "gravity");
  return unless_null(r, effect, elastica_gravity_set(effect, g));
}

static elastica_status point_load(run *r) {
  byte_source *s = &r->source;
  elastica_point_load_def def;
  elastica_point_load_def_init(&def, sizeof def);
  def.node = count_below(s, MOST_ELEMENTS), def.element = count_below(s, MOST_ELEMENTS);
  vector(s, 0.5, def.force);
  vector(s, 0.01, def.couple);
  if (next_below(s, 3) == 0) def.function = load_at, def.user = next_user(r);
  SPOIL(s, def, CHOICE(point_load, couple_in_laboratory), NUMBERS(point_load, force), NUMBERS(point_load, couple),
        NUMBERS(point_load, ramp_time), NUMBERS(point_load, start_time));
  ADD_OR_SET(point_load, "point_load", any_rod(r));
}

static elastica_status dissipation(run *r) {
  byte_source *s = &r->source;
  elastica_dissipation_def def;
  elastica_dissipation_def_init(&def, sizeof def);
  def.translation = number(s, 0.0, 5.0), def.rotation = number(s, 0.0, 0.01);
  ADD_OR_SET(dissipation, "dissipation", next_below(s, 2) ? NULL : any_rod(r));
}

static elastica_status axial_viscosity(run *r) {
  byte_source *s = &r->source;
  elastica_axial_viscosity_def def;
  elastica_axial_viscosity_def_init(&def, sizeof def);
  def.viscosity = number(s, 0.0, 1.0);
  if (next_below(s, 3) == 0) def.function = factor_at, def.user = next_user(r);
  SPOIL(s, def, NUMBERS(axial_viscosity, ramp_time), NUMBERS(axial_viscosity, start_time));
  ADD_OR_SET(axial_viscosity, "axial_viscosity", any_rod(r));
}

static elastica_status boundary(run *r) {
  byte_source *s = &r->source;
  elastica_boundary_def def;
  elastica_boundary_def_init(&def, sizeof def);
  def.kind = (elastica_boundary_kind)next_below(s, 3);
  def.node = next_below(s, 2) ? -next_below(s, 2) : count_below(s, MOST_ELEMENTS);
  def.axes = next_byte(s) < 240 ? (unsigned)next_below(s, 8) : next_byte(s);
  if (next_below(s, 3) == 0) def.motion = move, def.user = next_user(r);
  SPOIL(s, def, CHOICE(boundary, kind), CHOICE(boundary, element), NUMBERS(boundary, position), NUMBERS(boundary, director));
  ADD_OR_SET(boundary, "boundary", any_rod(r));
}

static void anchor(run *r, elastica_anchor *of) {
  byte_source *s = &r->source;
  of->rod = any_rod(r), of->element = count_below(s, 4), of->share = number(s, 0.0, 1.0);
  if (next_below(s, 2)) vector(s, 0.02, of->offset);
}

static elastica_status joint(run *r) {
  byte_source *s = &r->source;
  elastica_joint_def def;
  elastica_joint_def_init(&def, sizeof def);
  elastica_anchor *ends[2] = {&def.first, &def.second};
  def.kind = (elastica_joint_kind)next_below(s, 4);
  for (int k = 0; k < 2; k++) anchor(r, ends[k]);
  if (next_below(s, 3) == 0) def.second.rod = NULL;
  if (next_below(s, 2)) def.stiffness = number(s, 1.0, 500.0);
  if (next_below(s, 2) && def.kind != ELASTICA_JOINT_BALL) def.angular_stiffness = number(s, 0.001, 1.0);
  vector(s, 1.0, def.axis);
  def.damping = number(s, 0.0, 1.0);
  if (next_below(s, 4) == 0) def.drive = drive, def.user = next_user(r);
  if (next_below(s, 4) == 0) def.least_angle = -0.1, def.most_angle = 0.1;
  SPOIL(s, def, CHOICE(joint, kind), CHOICE(joint, axis_in_world), NUMBERS(joint, position), NUMBERS(joint, director), NUMBERS(joint, axis),
        NUMBERS(joint, stiffness), NUMBERS(joint, force), NUMBERS(joint, gap), NUMBERS(joint, angular_stiffness), NUMBERS(joint, couple),
        NUMBERS(joint, angle), NUMBERS(joint, damping), NUMBERS(joint, least_angle), NUMBERS(joint, most_angle), NUMBERS(joint, motor));
  if (elastica_world_get(r->world).effect_count < MOST_EFFECTS && next_below(s, 4) != 0) return elastica_add_joint(r->world, &def, NULL);
  elastica_effect *effect = effect_named(r, "joint");
  return unless_null(r, effect, elastica_joint_set(effect, &def));
}

static elastica_status tendon(run *r) {
  byte_source *s = &r->source;
  elastica_tendon_def def;
  elastica_anchor guides[4] = {0};
  elastica_tendon_def_init(&def, sizeof def);
  if (next_below(s, 2)) {
    def.rod = any_rod(r), def.offset[0] = number(s, -0.02, 0.02), def.first = count_below(s, 3);
  } else {
    def.guides = guides, def.guide_count = next_below(s, 5);
    for (int k = 0; k < 4; k++) anchor(r, &guides[k]);
  }
  if (next_below(s, 2))
    def.tension = number(s, 0.0, 1.0);
  else
    def.stiffness = number(s, 0.0, 100.0);
  if (next_below(s, 4) == 0) def.friction = number(s, 0.0, 0.5), def.sliding_speed = number(s, 0.01, 1.0);
  if (next_below(s, 4) == 0) def.drive = draw, def.user = next_user(r);
  SPOIL(s, def, NUMBERS(tendon, offset), NUMBERS(tendon, tension), NUMBERS(tendon, stiffness), NUMBERS(tendon, rest_length),
        NUMBERS(tendon, activation), NUMBERS(tendon, damping), NUMBERS(tendon, friction), NUMBERS(tendon, sliding_speed),
        CHOICE(tendon, first), CHOICE(tendon, last));
  if (elastica_world_get(r->world).effect_count < MOST_EFFECTS && next_below(s, 4) != 0) return elastica_add_tendon(r->world, &def, NULL);
  elastica_effect *effect = effect_named(r, "tendon");
  return unless_null(r, effect, elastica_tendon_set(effect, &def));
}

static elastica_status node_mass(run *r) {
  byte_source *s = &r->source;
  elastica_node_mass_def def;
  elastica_node_mass_def_init(&def, sizeof def);
  def.node = count_below(s, MOST_ELEMENTS), def.mass = number(s, 0.0, 0.1);
  ADD_OR_SET(node_mass, "node_mass", any_rod(r));
}

static elastica_status muscle(run *r) {
  byte_source *s = &r->source;
  elastica_muscle_def def;
  double control[MOST_NODES];
  elastica_muscle_def_init(&def, sizeof def);
  for (int k = 0; k < MOST_NODES; k++) control[k] = number(s, 0.0, 0.02);
  def.kind = (elastica_muscle_kind)next_below(s, 3), def.axis = next_below(s, 3);
  if (next_below(s, 2))
    def.control = control, def.control_count = 4 + next_below(s, 3);
  else
    def.amplitude = control;
  if (next_below(s, 3) == 0)
    def.function = activate, def.user = next_user(r);
  else
    def.period = number(s, 0.01, 1.0);
  def.wavenumber = number(s, -10.0, 10.0);
  SPOIL(s, def, CHOICE(muscle, kind), CHOICE(muscle, axis), CHOICE(muscle, spline), NUMBERS(muscle, period), NUMBERS(muscle, wavenumber),
        NUMBERS(muscle, phase), NUMBERS(muscle, ramp_time), NUMBERS(muscle, start_time));
  ADD_OR_SET(muscle, "muscle", any_rod(r));
}

static elastica_status contraction(run *r) {
  byte_source *s = &r->source;
  elastica_contraction_def def;
  elastica_contraction_def_init(&def, sizeof def);
  def.maximum_force = number(s, 0.0, 1.0);
  if (next_below(s, 3) == 0) def.function = contract, def.user = next_user(r);
  SPOIL(s, def, CHOICE(contraction, first), CHOICE(contraction, last), NUMBERS(contraction, activation), NUMBERS(contraction, force_length),
        NUMBERS(contraction, optimal_length));
  ADD_OR_SET(contraction, "contraction", any_rod(r));
}

static elastica_status drag(run *r) {
  byte_source *s = &r->source;
  elastica_drag_def def;
  elastica_drag_def_init(&def, sizeof def);
  def.kind = (elastica_drag_kind)next_below(s, 2), def.viscosity = number(s, 0.0, 2.0);
  vector(s, 1.0, def.flow);
  if (next_below(s, 3) == 0) def.function = flow, def.user = next_user(r);
  SPOIL(s, def, CHOICE(drag, kind), CHOICE(drag, rest_slenderness), CHOICE(drag, rest_length), NUMBERS(drag, flow),
        NUMBERS(drag, gradient));
  ADD_OR_SET(drag, "drag", any_rod(r));
}

static elastica_status obstacle(run *r) {
  static const double tetrahedron[12] = {0.0, 0.0, -0.4, 1.0, 0.0, -0.4, 0.0, 1.0, -0.4, 0.0, 0.0, -1.4};
  static const int faces[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
  byte_source *s = &r->source;
  elastica_obstacle_def def;
  double points[12], radii[4];
  elastica_obstacle_def_init(&def, sizeof def);
  def.kind = (elastica_obstacle_kind)next_below(s, 2), def.shape = (elastica_shape)next_below(s, 8);
  def.position[2] = number(s, -1.0, 0.0);
  def.damping = number(s, 0.0, 0.1);
  if (def.shape < ELASTICA_SHAPE_BOX) def.radius = number(s, 0.05, 0.5);
  if (def.shape == ELASTICA_SHAPE_CAPSULE || def.shape == ELASTICA_SHAPE_CYLINDER) def.length = number(s, 0.1, 2.0);
  if (def.shape == ELASTICA_SHAPE_BOX)
    for (int a = 0; a < 3; a++) def.edges[a] = number(s, 0.1, 2.0);
  if (def.shape == ELASTICA_SHAPE_SURFACE)
    def.surface = surface, def.surface_user = next_user(r), def.surface_curvature = number(s, 0.0, 1.0);
  if (def.shape == ELASTICA_SHAPE_TUBE) {
    for (int k = 0; k < 12; k++) points[k] = k % 3 == 0 ? 0.2 * k : number(s, -0.1, 0.1);
    for (int k = 0; k < 4; k++) radii[k] = number(s, 0.02, 0.2);
    def.points = points, def.radii = radii, def.point_count = next_below(s, 5), def.side = (elastica_side)next_below(s, 2);
  }
  if (def.shape == ELASTICA_SHAPE_MESH) {
    def.points = tetrahedron, def.point_count = 4, def.triangles = faces, def.triangle_count = 1 + next_below(s, 4);
    def.side = (elastica_side)next_below(s, 3), def.fillet = number(s, 0.02, 0.1);
  }
  if (def.kind == ELASTICA_OBSTACLE_RIGID) {
    def.stiffness = number(s, 0.0, 100.0), def.balance = (elastica_balance)next_below(s, 2);
    for (int a = 0; a < 3; a++) def.static_friction[a] = 0.4, def.kinetic_friction[a] = number(s, 0.0, 0.4);
    def.slip_velocity = number(s, 1e-4, 1e-2), def.friction_limit = (elastica_friction_limit)next_below(s, 2);
  } else {
    def.modulus = number(s, 1e3, 1e6), def.friction = number(s, 0.0, 0.5), def.group = next_below(s, 4) - 1;
  }
  if (next_below(s, 4) == 0) def.motion = move, def.user = next_user(r);
  SPOIL(s, def, CHOICE(obstacle, kind), CHOICE(obstacle, shape), CHOICE(obstacle, side), NUMBERS(obstacle, position),
        NUMBERS(obstacle, normal), NUMBERS(obstacle, director), NUMBERS(obstacle, radius), NUMBERS(obstacle, length),
        NUMBERS(obstacle, edges), NUMBERS(obstacle, tolerance), NUMBERS(obstacle, tangential_ratio), NUMBERS(obstacle, tangential_damping),
        NUMBERS(obstacle, damping_ratio), NUMBERS(obstacle, surface_slope), NUMBERS(obstacle, thickness), NUMBERS(obstacle, fillet),
        CHOICE(obstacle, head), CHOICE(obstacle, group));
  ADD_OR_SET(obstacle, "obstacle", next_below(s, 2) ? NULL : any_rod(r));
}

static elastica_status contact(run *r) {
  byte_source *s = &r->source;
  elastica_contact_def def;
  elastica_contact_def_init(&def, sizeof def);
  def.modulus = number(s, 1e3, 1e6), def.damping = number(s, 0.0, 1.0), def.friction = number(s, 0.0, 0.5);
  def.first_group = next_below(s, 4) - 1, def.second_group = next_below(s, 4) - 1;
  SPOIL(s, def, CHOICE(contact, self), CHOICE(contact, first_group), NUMBERS(contact, tangential_ratio),
        NUMBERS(contact, tangential_damping), NUMBERS(contact, skip_length), NUMBERS(contact, skin));
  ADD_OR_SET(contact, "contact", next_below(s, 3) ? NULL : any_rod(r));
}

static elastica_status module(run *r) {
  byte_source *s = &r->source;
  elastica_module def;
  elastica_module_init(&def, sizeof def);
  const unsigned hooks = next_byte(s), more = next_byte(s);
  user *self = next_user(r);
  def.name = next_byte(s) < 250 ? "of the user" : NULL;
  def.self = self;
  if (more & 1) def.self_size = sizeof *self;
  def.stateless = !(more & 1);
  def.parallel_safe = more & 2 && self->deed != CALLS_BACK;
  def.needs_derived = more & 4 ? 0 : 1, def.needs_geometry = more & 8 ? 0 : 1;
  if (hooks & 1) def.begin_step = begin_step;
  if (hooks & 2) def.add_loads = add_loads;
  if (hooks & 4) def.add_world_loads = add_world_loads;
  if (hooks & 8) def.add_reactions = add_reactions;
  if (hooks & 16) def.constrain_velocity = constrain_velocity;
  if (hooks & 32) def.observe = observe;
  if (hooks & 64) def.energy = energy;
  if (hooks & 128) def.add_tangent = add_tangent;
  if (elastica_world_get(r->world).effect_count < MOST_EFFECTS && next_below(s, 4) != 0)
    return elastica_world_add_module(r->world, next_below(s, 2) ? NULL : any_rod(r), &def, NULL);
  elastica_effect *effect = effect_named(r, "of the user");
  return unless_null(r, effect, elastica_effect_set_module(effect, &def));
}

static elastica_status switch_effect(run *r) {
  elastica_effect *effect = any_effect(r);
  return unless_null(r, effect, elastica_effect_set_enabled(effect, count_below(&r->source, 2)));
}

static elastica_status remove_effect(run *r) {
  elastica_effect *effect = any_effect(r);
  return unless_null(r, effect, elastica_effect_remove(effect));
}

/* ---- Time ---------------------------------------------------------------------------------------------------------------------------- */

/* A fraction of the limit; short without one. */
static double some_step(run *r) {
  elastica_step_limit limit;
  const double share = number(&r->source, 0.05, 1.1);
  if (elastica_world_step_limit(r->world, &limit) != ELASTICA_OK) return 1e-5;
  return share * (limit.dt < 1e-3 ? limit.dt : 1e-3);
}

static elastica_status step(run *r) {
  const double dt = some_step(r);
  return elastica_world_step(r->world, dt, 1 + next_below(&r->source, 100));
}

/* Returns the duration of so many steps: the step limit, or half a radian of the fastest spin. */
static double time_of(elastica_world *world, double steps) {
  elastica_step_limit limit = {.dt = INFINITY};
  if (elastica_world_step_limit(world, &limit) != ELASTICA_OK) return INFINITY;
  for (int k = 0; k < elastica_world_get(world).rod_count; k++) {
    elastica_rod *rod = elastica_world_rod(world, k);
    const elastica_rod_view *view = rod == NULL ? NULL : elastica_rod_get_view(rod);
    for (int j = 0; view != NULL && j < view->element_count; j++)
      for (int a = 0; a < 3; a++) limit.dt = fmin(limit.dt, 0.5 / fabs(view->omega[a][j]));
  }
  return steps * limit.dt;
}

static elastica_status advance(run *r) {
  const double dt = some_step(r), most = time_of(r->world, 1e4);
  const double wanted = isfinite(dt) && dt < 1.0 ? (1 + next_below(&r->source, 30)) * dt : NAN;
  return elastica_world_advance(r->world, wanted > most ? most : wanted);
}

static elastica_status run_on(run *r) {
  elastica_run_def def;
  elastica_run_result out;
  elastica_run_def_init(&def, sizeof def);
  def.until = elastica_world_get(r->world).time + number(&r->source, 0.0, 0.05);
  def.most_steps = next_below(&r->source, 100), def.whole_steps = next_below(&r->source, 2);
  return elastica_world_run(r->world, &def, &out);
}

static elastica_status relax(run *r) {
  elastica_relax_def def;
  elastica_relax_result out;
  elastica_relax_def_init(&def, sizeof def);
  def.tolerance = number(&r->source, 1e-9, 1e-3);
  def.evaluation_limit = 1 + next_byte(&r->source), def.step_limit = 64 * next_below(&r->source, 3);
  def.keep_state = next_below(&r->source, 2);
  return elastica_world_relax(r->world, &def, &out);
}

static elastica_status run_implicitly(run *r) {
  byte_source *s = &r->source;
  elastica_implicit_def def;
  elastica_implicit_result out;
  elastica_implicit_def_init(&def, sizeof def);
  def.until = elastica_world_get(r->world).time + number(s, 0.001, 0.1);
  if (next_below(s, 2))
    def.dt = number(s, 0.0005, 0.02);
  else
    def.accuracy = number(s, 1e-7, 1e-4);
  def.most_steps = 1 + next_below(s, 4);
  SPOIL(s, def, NUMBERS(implicit, dt), NUMBERS(implicit, accuracy), NUMBERS(implicit, first_step), NUMBERS(implicit, longest_step),
        NUMBERS(implicit, newton_tolerance));
  return elastica_world_run_implicit(r->world, &def, &out);
}

static elastica_status find_modes(run *r) {
  elastica_modes_def def;
  elastica_modes *modes = NULL;
  elastica_eigenmode mode;
  elastica_mode_shape shape;
  elastica_modes_def_init(&def, sizeof def);
  const int count = count_below(&r->source, 4);
  def.kind = (elastica_modes_kind)next_below(&r->source, 2), def.count = count < INT_MAX ? 1 + count : count;
  def.tolerance = number(&r->source, 1e-6, 1e-2);
  elastica_status status = elastica_modes_find(r->world, &def, &modes);
  CLAIM((modes != NULL) == (status == ELASTICA_OK), "modes with %s", elastica_status_text(status));
  if (modes == NULL) return status;
  for (int k = 0; k < elastica_modes_count(modes); k++) {
    CLAIM(elastica_modes_get(modes, k, &mode) == ELASTICA_OK && isfinite(mode.square), "mode %d", k);
    (void)!elastica_modes_get_shape(modes, k, any_rod(r), &shape);
  }
  status = elastica_modes_apply(modes, count_below(&r->source, 4), number(&r->source, -0.01, 0.01));
  elastica_modes_destroy(modes);
  return status;
}

/* Changes gravity, or fails. */
static elastica_status apply(void *self, elastica_world *world, double parameter) {
  const user *of = self;
  const int count = elastica_world_get(world).effect_count;
  if (of->deed == CALLS_BACK) CLAIM(elastica_world_step(world, 1e-6, 1) == ELASTICA_WRONG_STATE, "step in apply");
  if (of->deed == FAILS && parameter > 1.0) return ELASTICA_INVALID_ARGUMENT;
  for (int k = 0; k < count; k++)
    if (strcmp(elastica_effect_get(elastica_world_effect(world, k)).name, "gravity") == 0)
      return elastica_gravity_set(elastica_world_effect(world, k), (double[3]){0.0, 0.0, -parameter});
  return ELASTICA_OK;
}

static elastica_status follow_path(run *r) {
  byte_source *s = &r->source;
  elastica_path_def def;
  elastica_path *path = NULL, *other = NULL;
  elastica_path_result out;
  unsigned char *bytes = NULL;
  size_t size = 0;
  elastica_path_def_init(&def, sizeof def);
  def.apply = apply, def.user = next_user(r);
  def.start = number(s, 0.0, 1.0), def.first_step = number(s, -0.5, 0.5);
  SPOIL(s, def, NUMBERS(path, lower), NUMBERS(path, upper), NUMBERS(path, largest_change), NUMBERS(path, largest_step),
        NUMBERS(path, smallest_step), NUMBERS(path, tolerance), CHOICE(path, locate));
  elastica_status status = elastica_path_create(r->world, &def, &path);
  for (int k = next_below(s, 3); k > 0 && status == ELASTICA_OK; k--) status = elastica_path_next(path, &out);
  if (status == ELASTICA_OK && next_below(s, 2)) (void)!elastica_path_switch(path, next_below(s, 3) - 1);
  if (status == ELASTICA_OK && elastica_path_save(path, NULL, 0, &size) == ELASTICA_OK) {
    bytes = malloc(size);
    CLAIM(bytes != NULL && elastica_path_save(path, bytes, size, NULL) == ELASTICA_OK, "%s", elastica_world_message(r->world));
    if (elastica_path_create(r->world, &def, &other) == ELASTICA_OK) {
      if (next_below(s, 2)) bytes[next_byte(s) % size] = (unsigned char)next_byte(s);
      (void)!elastica_path_load(other, bytes, size - (size_t)next_below(s, 2));
    }
    free(bytes);
  }
  elastica_path_destroy(other);
  elastica_path_destroy(path);
  return status;
}

static elastica_status set_sampler(run *r) {
  elastica_sampler sampler;
  elastica_sampler_init(&sampler, sizeof sampler);
  sampler.sample = sample, sampler.user = next_user(r), sampler.interval = number(&r->source, 1e-4, 1e-2);
  sampler.exact = next_below(&r->source, 2), sampler.needs_derived = next_below(&r->source, 2);
  return elastica_world_set_sampler(r->world, next_below(&r->source, 4) ? &sampler : NULL);
}

/* ---- Snapshots, queries, writers ----------------------------------------------------------------------------------------------------- */

static elastica_status save(run *r) {
  size_t size = 0;
  const elastica_status status = elastica_world_snapshot_save(r->world, NULL, 0, &size);
  if (status != ELASTICA_OK) return status;
  free(r->snapshot);
  r->snapshot = malloc(size);
  r->snapshot_size = size;
  CLAIM(r->snapshot != NULL, "no memory");
  memset(r->snapshot, 0, size);
  return elastica_world_snapshot_save(r->world, r->snapshot, size, NULL);
}

static elastica_status load(run *r) {
  if (r->snapshot != NULL && next_byte(&r->source) >= 240) r->snapshot[next_byte(&r->source) % r->snapshot_size] ^= 4;
  return elastica_world_snapshot_load(r->world, r->snapshot, r->snapshot_size);
}

static elastica_status rewind_world(run *r) {
  return elastica_world_rewind(r->world);
}

static elastica_status ask_world(run *r) {
  elastica_step_limit limit;
  elastica_totals totals;
  elastica_check_report *report = malloc(sizeof *report);
  elastica_status status = ELASTICA_OK;
  CLAIM(report != NULL, "no memory");
  switch (next_below(&r->source, 4)) {
  case 0: status = elastica_world_step_limit(r->world, &limit); break;
  case 1: status = elastica_world_get_totals(r->world, &totals); break;
  case 2: status = elastica_world_check(r->world, next_below(&r->source, 2) ? 0.0 : some_step(r), report); break;
  default: status = elastica_world_evaluate(r->world, next_below(&r->source, 2) ? 0.0 : some_step(r));
  }
  free(report);
  return status;
}

static elastica_status ask_rod(run *r) {
  elastica_totals totals;
  elastica_rod_facts facts;
  elastica_body_info body;
  elastica_rod *rod = any_rod(r);
  switch (next_below(&r->source, 4)) {
  case 0: return unless_null(r, rod, elastica_rod_refresh(rod));
  case 1: return unless_null(r, rod, elastica_rod_get_totals(rod, &totals));
  case 2: return unless_null(r, rod, elastica_rod_get_facts(rod, &facts));
  default: return unless_null(r, rod, elastica_body_get(rod, &body));
  }
}

static elastica_status ask_effect(run *r) {
  elastica_joint_info joint_info;
  elastica_tendon_info tendon_info;
  elastica_guide_info guides[2];
  elastica_contact_point points[4];
  double force[3], couple[3];
  int count;
  elastica_effect *effect = any_effect(r);
  switch (next_below(&r->source, 5)) {
  case 0: return unless_null(r, effect, elastica_joint_get(effect, &joint_info));
  case 1: return unless_null(r, effect, elastica_tendon_get(effect, &tendon_info, guides, count_below(&r->source, 3)));
  case 2: return unless_null(r, effect, elastica_contact_get(effect, points, next_below(&r->source, 5), &count));
  case 3: return unless_null(r, effect, elastica_obstacle_get_force(effect, force, couple));
  default: elastica_effect_energy(effect), elastica_effect_power(effect); return ELASTICA_OK;
  }
}

static elastica_status budget(run *r) {
  elastica_budget_sum sum;
  elastica_budget_share share;
  if (r->budget == NULL) return elastica_budget_open(r->world, &r->budget);
  elastica_status status = elastica_budget_get(r->budget, &sum);
  if (status == ELASTICA_OK) status = elastica_budget_get_effect(r->budget, count_below(&r->source, 4), &share);
  if (next_below(&r->source, 3) == 0) elastica_budget_close(r->budget), r->budget = NULL;
  return status;
}

static elastica_status write_file(run *r) {
  char path[120];
  const double values[2] = {number(&r->source, 0.0, 1.0), NAN};
  switch (next_below(&r->source, 4)) {
  case 0:
    snprintf(path, sizeof path, "%s/t.csv", r->folder);
    return r->csv == NULL ? elastica_csv_open(r->world, path, "a,b", &r->csv) : elastica_csv_row(r->csv, values, 2);
  case 1: return r->vtk == NULL ? elastica_vtk_open(r->world, r->folder, "v", &r->vtk) : elastica_vtk_frame(r->vtk);
  case 2:
    snprintf(path, sizeof path, "%s/v.html", r->folder);
    return r->view == NULL ? elastica_view_open(r->world, path, NULL, &r->view) : elastica_view_frame(r->view);
  default: {
    elastica_effect *effect = any_effect(r);
    if (r->vtk != NULL && effect != NULL) return elastica_vtk_add_contacts(r->vtk, effect);
    snprintf(path, sizeof path, "%s/state", r->folder);
    return next_below(&r->source, 2) ? elastica_world_snapshot_save_file(r->world, path)
                                     : elastica_world_snapshot_load_file(r->world, path);
  }
  }
}

/* ---- The search, which has no world ---- */

static elastica_status search(run *r) {
  byte_source *s = &r->source;
  elastica_cmaes_def def;
  elastica_cmaes *of = NULL, *other = NULL;
  elastica_cmaes_info info;
  double x[3 * 64], fitness[64];
  size_t size = 0;
  elastica_cmaes_def_init(&def, sizeof def);
  def.dimension = 1 + next_below(s, 3), def.step = number(s, 0.1, 1.0), def.seed = next_byte(s), def.restart_limit = next_below(s, 3);
  def.stall_generations = next_below(s, 4);
  SPOIL(s, def, NUMBERS(cmaes, step), NUMBERS(cmaes, growth), NUMBERS(cmaes, target), NUMBERS(cmaes, stall_gain),
        NUMBERS(cmaes, fitness_tolerance), NUMBERS(cmaes, step_tolerance), CHOICE(cmaes, population), CHOICE(cmaes, penalty),
        CHOICE(cmaes, active), CHOICE(cmaes, revision));
  if (def.population > 64) def.population = 64;
  if (elastica_cmaes_create(&def, &of) != ELASTICA_OK) return ELASTICA_OK;
  for (int k = next_below(s, 8); k > 0; k--) {
    CLAIM(elastica_cmaes_get(of, &info) == ELASTICA_OK, "no information");
    if (info.population > 64 || elastica_cmaes_ask(of, x, 3 * 64) != ELASTICA_OK) break;
    for (int i = 0; i < info.population; i++) fitness[i] = next_byte(s) == 255 ? unsound_number(s) : x[i * def.dimension] + next_byte(s);
    (void)!elastica_cmaes_tell(of, fitness);
  }
  CLAIM(elastica_cmaes_save(of, NULL, 0, &size) == ELASTICA_OK, "%s", elastica_cmaes_message(of));
  unsigned char *bytes = malloc(size);
  CLAIM(bytes != NULL && elastica_cmaes_save(of, bytes, size, NULL) == ELASTICA_OK, "%s", elastica_cmaes_message(of));
  if (elastica_cmaes_create(&def, &other) == ELASTICA_OK) {
    if (next_below(s, 2)) bytes[(next_byte(s) | next_byte(s) << 8) % size] ^= (unsigned char)next_byte(s);
    if (elastica_cmaes_load(other, bytes, size) == ELASTICA_OK) (void)!elastica_cmaes_ask(other, x, 3 * 64);
  }
  free(bytes);
  elastica_cmaes_destroy(other);
  elastica_cmaes_destroy(of);
  return ELASTICA_OK;
}

/* ---- Runs ---------------------------------------------------------------------------------------------------------------------------- */

static const call calls[] = {
    {"add_rod", add_rod, 0},
    {"add_rod", add_rod, 0},
    {"add_body", add_body, 0},
    {"rod_remove", remove_rod, 0},
    {"set_state", set_state, 0},
    {"set_rest", set_rest, 0},
    {"gravity", gravity, 0},
    {"point_load", point_load, 0},
    {"dissipation", dissipation, 0},
    {"axial_viscosity", axial_viscosity, 0},
    {"boundary", boundary, 0},
    {"joint", joint, 0},
    {"tendon", tendon, 0},
    {"node_mass", node_mass, 0},
    {"muscle", muscle, 0},
    {"contraction", contraction, 0},
    {"drag", drag, 0},
    {"obstacle", obstacle, 0},
    {"contact", contact, 0},
    {"module", module, 0},
    {"set_enabled", switch_effect, 0},
    {"effect_remove", remove_effect, 0},
    {"step", step, 1},
    {"step", step, 1},
    {"advance", advance, 1},
    {"run", run_on, 1},
    {"relax", relax, 0},
    {"run_implicit", run_implicitly, 1},
    {"modes", find_modes, 0},
    {"path", follow_path, 2},
    {"set_sampler", set_sampler, 0},
    {"save", save, 0},
    {"load", load, 0},
    {"rewind", rewind_world, 0},
    {"ask world", ask_world, 0},
    {"ask rod", ask_rod, 0},
    {"ask effect", ask_effect, 0},
    {"budget", budget, 0},
    {"write", write_file, 0},
    {"search", search, 0},
};

static void *take(void *of, size_t size) {
  run *r = of;
  if (r->left <= 0 || size > (size_t)1 << 27) return NULL;
  if (r->left != LONG_MAX) r->left--;
  return malloc(size);
}

static void give_back(void *of, void *block) {
  (void)of;
  free(block);
}

/* Returns a hash of all statuses and states. */
static uint64_t run_all(const uint8_t *data, size_t size, int other) {
  static run r;
  elastica_world_def def;
  memset(&r, 0, sizeof r);
  r.source.at = data, r.source.left = size, r.left = LONG_MAX;
  const char *parent = getenv("TMPDIR");
  snprintf(r.folder, sizeof r.folder, "%.50s/fuzz_XXXXXX", parent != NULL ? parent : "/tmp");
  elastica_world_def_init(&def, sizeof def);
  const unsigned options = next_byte(&r.source);
  def.law = options & 1 ? ELASTICA_LAW_RESCALED : ELASTICA_LAW_CLASSICAL;
  def.exact_couple = (options & 2) == 0, def.explicit_couples = (options & 4) != 0;
  def.snapshot_interval = options & 8 ? 5 : 0;
  const int starves = (options & 16) != 0, writes = (options & 96) == 96 && !other;
  if (other) def.worker_count = 2, def.tile_size = 7, def.instruction_set = ELASTICA_INSTRUCTION_SET_BASE;
  if (starves) def.allocate = take, def.release = give_back, def.allocator_user = &r;
  CLAIM(elastica_world_create(&def, &r.world) == ELASTICA_OK, "no world");
  if (other) eli_pool_share_all(r.world->scratch.pool);
  if (writes) CLAIM(mkdtemp(r.folder) != NULL, "no folder %s", r.folder);
  for (int k = 0; k < MOST_CALLS && r.source.left > 0; k++) {
    const call *next = &calls[next_below(&r.source, (int)(sizeof calls / sizeof *calls))];
    if (starves && next_below(&r.source, 4) == 0) r.left = next_below(&r.source, 40);
    if (next->make == write_file && !writes) continue;
    claim_call(&r, next);
  }
  r.left = LONG_MAX;
  elastica_budget_close(r.budget);
  (void)!elastica_csv_close(r.csv);
  (void)!elastica_vtk_close(r.vtk);
  (void)!elastica_view_close(r.view);
  elastica_world_destroy(r.world);
  free(r.snapshot);
  if (writes) {
    char command[120];
    snprintf(command, sizeof command, "rm -rf '%s'", r.folder);
    CLAIM(system(command) == 0, "%s", command);
  }
  return r.trace;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const int starves = size > 0 && (data[0] & 16) != 0, writes = size > 0 && (data[0] & 96) == 96;
  const uint64_t trace = run_all(data, size, 0);
  if (!starves && !writes) CLAIM(run_all(data, size, 1) == trace, "other bits with two workers");
  return 0;
}
