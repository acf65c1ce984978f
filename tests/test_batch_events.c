/* A step within a batch fails or requires a limit check: afterwards state, history, sentence, status and time are those of single steps,
 * for all tiles, workers and calls. Also run under the thread sanitizer.
 */
#include "base/target.h"

#include "measured.h"
#include "scenes.h"
#include "threads.h"

enum { RODS = 10, TARGET = 6, STEPS = 150, MOST_LOOKS = 100 };

/* ---- Events: failures and blows of one rod in one step ---- */

typedef enum event {
  BUMP, /* a blow that stretches an element: the watch requires a limit check */
  STIFFER,
  BURST,
  POISON,
  FAIL_RESULTANTS,
  FAIL_LOADS,
  FAIL_REACTIONS,
  FAIL_BEGIN,
  FAIL_POSITION,
  FAIL_POSITION_BY_TIME,
  FAIL_VELOCITY,
  FAIL_SPIN,
  EVENTS
} event;

static const char *const event_names[EVENTS] = {"bump",          "stiffer",        "burst",      "poison",        "fail_resultants",
                                                "fail_loads",    "fail_reactions", "fail_begin", "fail_position", "fail_position_by_time",
                                                "fail_velocity", "fail_spin"};

/* An event in a step or, for positions that depend on time, from a time on. */
typedef struct happening {
  event what;
  long step;
  double time;
} happening;

static int is_now(const happening *h, event what, const elastica_instant *now) {
  return h->what == what && now->dt > 0.0 && now->step == h->step;
}

static elastica_status answer(const void *self, event what, const elastica_instant *now) {
  return is_now(self, what, now) ? ELASTICA_IO_ERROR : ELASTICA_OK;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const happening *h = self;
  const double blow = is_now(h, BUMP, now) ? 0.2 : is_now(h, BURST, now) ? 100.0 : is_now(h, POISON, now) ? (double)NAN : 0.0;
  if (blow != 0.0) loads->force[1][2] += blow * rod->mass[2] * rod->rest_length[2] / (now->dt * now->dt);
  if (is_now(h, STIFFER, now)) loads->check_again = 1;
  return answer(self, FAIL_LOADS, now);
}

static elastica_status add_resultants(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *to) {
  (void)rod, (void)to;
  return answer(self, FAIL_RESULTANTS, now);
}

static elastica_status add_reactions(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)rod, (void)loads;
  return answer(self, FAIL_REACTIONS, now);
}

static elastica_status begin_step(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)rod;
  return answer(self, FAIL_BEGIN, now);
}

static elastica_status constrain(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_state *state) {
  const happening *h = self;
  (void)rod;
  if (h->what == FAIL_POSITION_BY_TIME && now->dt > 0.0 && now->time >= h->time) return ELASTICA_IO_ERROR;
  return answer(self, state->position[0] ? FAIL_POSITION : state->velocity[0] ? FAIL_VELOCITY : FAIL_SPIN, now);
}

static void add_event(elastica_world *world, const happening *h) {
  elastica_module module = module_named("event");
  module.self = h;
  module.self_size = sizeof *h;
  module.parallel_safe = 1;
  module.needs_derived = 0;
  module.constrains_by_time = h->what == FAIL_POSITION_BY_TIME;
  if (h->what <= POISON || h->what == FAIL_LOADS) module.add_loads = add_loads;
  if (h->what == FAIL_RESULTANTS) module.add_resultants = add_resultants;
  if (h->what == FAIL_REACTIONS) module.add_reactions = add_reactions;
  if (h->what == FAIL_BEGIN) module.begin_step = begin_step;
  if (h->what == FAIL_POSITION || h->what == FAIL_POSITION_BY_TIME) module.constrain_position = constrain;
  if (h->what == FAIL_VELOCITY) module.constrain_velocity = constrain;
  if (h->what == FAIL_SPIN) module.constrain_spin = constrain;
  must(world, elastica_world_add_module(world, elastica_world_rod(world, TARGET), &module, NULL));
}

/* ---- History that affects the state, in the library's copy ---- */

typedef struct memoir {
  double wind[RODS + 1];
  long begun[RODS + 1], reacted[RODS + 1];
} memoir;

static elastica_status remember_begin(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  memoir *of = self;
  const int r = rod->rod_index;
  of->begun[r]++;
  of->wind[r] = 0.75 * of->wind[r] + rod->position[0][1] * (1.0 + now->time) + 1e-3 * (double)now->step;
  return ELASTICA_OK;
}

static elastica_status blow(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const memoir *of = self;
  (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->force[2][i] += 1e-2 * rod->mass[i] * of->wind[rod->rod_index];
  return ELASTICA_OK;
}

static elastica_status remember_reaction(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  memoir *of = self;
  (void)now;
  of->reacted[rod->rod_index]++;
  loads->force[0][0] -= 0.125 * loads->total_force[0][0];
  return ELASTICA_OK;
}

static elastica_effect *add_memoir(elastica_world *world) {
  static const memoir empty;
  elastica_effect *effect = NULL;
  elastica_module module = module_named("memoir");
  module.self = &empty;
  module.self_size = sizeof empty;
  module.parallel_safe = 1;
  module.begin_step = remember_begin;
  module.add_loads = blow;
  module.add_reactions = remember_reaction;
  must(world, elastica_world_add_module(world, NULL, &module, &effect));
  return effect;
}

/* ---- Limit checks, noted by their steps ---- */

typedef struct looks {
  int count;
  long step[MOST_LOOKS];
} looks;

static elastica_status note_look(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  looks *of = self;
  (void)rod, (void)stiffness;
  if (of->count < MOST_LOOKS) of->step[of->count++] = now->step;
  return ELASTICA_OK;
}

static void add_looks(elastica_world *world, looks *of) {
  elastica_module module = module_named("looks");
  of->count = 0;
  module.self = of;
  module.parallel_safe = 1;
  module.add_stiffness = note_look;
  must(world, elastica_world_add_module(world, elastica_world_rod(world, 0), &module, NULL));
}

/* ---- Runs ---- */

typedef struct partition {
  size_t tile_size;
  int workers;
  int observed; /* 1: an observer is present, which excludes batches */
} partition;

typedef struct outcome {
  elastica_status status;
  char message[512];
  long steps;
  uint64_t hash;
  memoir history;
  looks looks;
  double wall_force[3];
} outcome;

enum { LYING = 9 };

static void add_rods(elastica_world *world) {
  const sample_recipe recipe = usual_recipe();
  elastica_rod_def lying = lying_rod_def(12);
  lying.density = 1000.0, lying.youngs_modulus = 1e6;
  for (int r = 0; r < RODS; r++) {
    sample_rod sample;
    if (r == LYING) {
      must(world, elastica_world_add_rod(world, &lying, NULL));
      continue;
    }
    if (r == 3)
      make_sample_ring(&sample, 4 + r, 20);
    else
      make_sample(&sample, 4 + r, 20 + (uint64_t)r, &recipe);
    add_sample(world, &sample);
  }
}

/* Adds falling rods of 4 to 12 elements: one is a ring, one is held, one lies on a floor, and optionally another has self-contact.
 * Returns the floor. */
static elastica_effect *fill(elastica_world *world, int touches) {
  const double down[3] = {0.3, 0.0, -2.0};
  elastica_effect *wall = NULL;
  add_rods(world);
  DEFAULTS(dissipation, dissipation);
  DEFAULTS(obstacle, floor);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  dissipation.translation = 0.1, dissipation.rotation = 1e-4;
  floor.stiffness = 10.0, floor.slip_velocity = 1e-3;
  for (int a = 0; a < 3; a++) floor.static_friction[a] = 0.4, floor.kinetic_friction[a] = 0.2;
  must(world, elastica_add_gravity(world, down, NULL));
  must(world, elastica_add_boundary(world, elastica_world_rod(world, 1), &pin, NULL));
  must(world, elastica_add_dissipation(world, elastica_world_rod(world, 2), &dissipation, NULL));
  must(world, elastica_add_obstacle(world, elastica_world_rod(world, LYING), &floor, &wall));
  if (touches) fill_hairpin(world);
  return wall;
}

static elastica_status observe(void *self, const elastica_instant *now, const elastica_rod_view *rod) {
  (void)self, (void)now, (void)rod;
  return ELASTICA_OK;
}

static void add_observer(elastica_world *world) {
  elastica_module module = module_named("observer");
  module.parallel_safe = 1;
  module.observe = observe;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
}

/* The library chooses the size of the steps, in one call. */
enum { ADVANCE = 0 };

/* Runs STEPS steps in calls of `piece` steps, up to the first call without success. */
static void run(const happening *h, int remembers, const partition *how, long piece, outcome *out) {
  elastica_world_def def = default_world();
  elastica_effect *history = NULL;
  memset(out, 0, sizeof *out);
  def.tile_size = how->tile_size;
  def.worker_count = how->workers;
  elastica_world *world = make_world(&def);
  share_all_work(world);
  elastica_effect *wall = fill(world, remembers);
  add_event(world, h);
  add_looks(world, &out->looks);
  if (remembers) history = add_memoir(world);
  if (how->observed) add_observer(world);
  if (piece == ADVANCE) out->status = elastica_world_advance(world, 0.3);
  for (long k = 0; piece != ADVANCE && k < STEPS && out->status == ELASTICA_OK; k += piece)
    out->status = elastica_world_step(world, 0x1p-12, piece < STEPS - k ? piece : STEPS - k);
  snprintf(out->message, sizeof out->message, "%s", elastica_world_message(world));
  out->steps = elastica_world_get(world).step_count;
  out->hash = hash_world(world);
  if (remembers) out->history = *(const memoir *)elastica_effect_get(history).self;
  must(world, elastica_obstacle_get_force(wall, out->wall_force, NULL));
  elastica_world_destroy(world);
}

static void assert_same(const outcome *a, const outcome *b, const char *what) {
  if (a->status != b->status || strcmp(a->message, b->message) != 0)
    fail_msg("%s: \"%s\" (%s) is not \"%s\" (%s)", what, a->message, elastica_status_text(a->status), b->message,
             elastica_status_text(b->status));
  if (a->steps != b->steps) fail_msg("%s: %ld steps, not %ld", what, a->steps, b->steps);
  if (a->hash != b->hash) fail_msg("%s: another state after %ld steps", what, a->steps);
  if (memcmp(&a->history, &b->history, sizeof a->history) != 0) fail_msg("%s: another history", what);
  if (memcmp(&a->looks, &b->looks, sizeof a->looks) != 0) fail_msg("%s: other limit checks", what);
  if (memcmp(a->wall_force, b->wall_force, sizeof a->wall_force) != 0) fail_msg("%s: another force on the wall", what);
}

static happening happening_of(event what, long step) {
  /* between the middle and the end of the step */
  const happening h = {what, step, ((double)step + 0.75) * 0x1p-12};
  return h;
}

/* in the middle, at the end, and at the beginning of a batch */
static const long when[] = {37, 47, 80};
enum { TIMES = sizeof when / sizeof *when };

TEST(an_event_has_the_results_of_single_steps) {
  static const partition alone = {256, 1, 0};
  for (int k = 0; k < EVENTS * TIMES * 2; k++) {
    const happening h = happening_of((event)(k / (2 * TIMES)), when[k / 2 % TIMES]);
    static outcome expected, found;
    char what[100];
    run(&h, k % 2, &alone, 1, &expected);
    assert_true(expected.wall_force[2] < 0.0);
    if (h.what > STIFFER) {
      assert_int_not_equal(expected.status, ELASTICA_OK);
      assert_int_equal(expected.steps, h.step + 1); /* a stretch by a blow is detected in the next step, which is undone and refused */
    } else {
      if (expected.status != ELASTICA_OK) print_error("%s: %s\n", event_names[h.what], expected.message);
      must(NULL, expected.status);
    }
    for (int p = k % TESTS_ONE_ROUND_IN; p < 12; p += TESTS_ONE_ROUND_IN) {
      const size_t tile_size[3] = {7, 64, 512};
      const partition how = {tile_size[p % 3], 1 + p / 3, 0};
      snprintf(what, sizeof what, "%s in step %ld, history %d, tiles of %zu, %d workers", event_names[h.what], h.step, k % 2, how.tile_size,
               how.workers);
      run(&h, k % 2, &how, p % 2 == 0 ? STEPS : 23, &found);
      assert_same(&found, &expected, what);
    }
  }
}

/* Also for steps that the library chooses and changes at limit checks. */
TEST(advance_does_not_depend_on_batches) {
  static const partition observed = {256, 1, 1}, hows[] = {{256, 1, 0}, {7, 2, 0}, {64, 3, 0}};
  for (int k = 0; k < EVENTS * TIMES * 2; k += TESTS_ONE_ROUND_IN) {
    const happening h = happening_of((event)(k / (2 * TIMES)), when[k / 2 % TIMES]);
    static outcome expected, found;
    char what[100];
    run(&h, k % 2, &observed, ADVANCE, &expected);
    assert_true(expected.steps > h.step || h.what == FAIL_POSITION_BY_TIME); /* steps are longer here */
    for (int p = 0; p < 3; p++) {
      snprintf(what, sizeof what, "%s in step %ld, history %d, partition %d", event_names[h.what], h.step, k % 2, p);
      run(&h, k % 2, &hows[p], ADVANCE, &found);
      assert_same(&found, &expected, what);
    }
  }
}

/* Up to the event there are only the regular limit checks, so that the event occurs within a batch. Then a check precedes the step in
 * which the watch detects the event (for a blow, the step after it); that step is undone and repeated. */
TEST(events_ask_for_looks_in_time) {
  static const partition alone = {256, 1, 0};
  for (int k = 0; k < 4 * TIMES; k++) {
    const happening h = happening_of((event)(k % 2), when[k / 4]);
    static outcome found;
    run(&h, k / 2 % 2, &alone, STEPS, &found);
    const int regular = 1 + (int)(h.step / 64);
    for (int i = 0; i < regular; i++) assert_int_equal(found.looks.step[i], 64 * i);
    assert_int_equal(found.looks.step[regular], h.step + (h.what == BUMP ? 1 : 0));
  }
}

/* A ball joint at two nodes is a spring: its own loads ask for no limit check, and those of rods at rest are the regular ones. */
TEST(a_spring_between_rods_asks_for_no_looks) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[2];
  looks found;
  for (int r = 0; r < 2; r++) rod[r] = add_straight_rod(world, 4, 1.0, 0.05, 1000.0, 1e6, 4e5);
  DEFAULTS(joint, joint);
  joint.first.rod = rod[0], joint.second.rod = rod[1];
  joint.first.element = joint.second.element = -1, joint.first.share = joint.second.share = 1.0;
  joint.stiffness = 1e3;
  must(world, elastica_add_joint(world, &joint, NULL));
  add_looks(world, &found);
  must(world, elastica_world_step(world, 0.1 * limit_of(world).dt, 1));
  found.count = 0;
  must(world, elastica_world_step(world, 0.1 * limit_of(world).dt, STEPS));
  assert_true(found.count <= 3 + STEPS / 64);
  elastica_world_destroy(world);
}
