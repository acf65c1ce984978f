/* Claims about muscles with an activation given by a function. */
#include "measured.h"

static const double pi = 3.14159265358979324;

enum { N = 12 };

typedef struct pattern {
  double period, wavenumber, phase;
  double s[N];
  int calls, fails; /* fails 1: the function returns an error; 2: it writes NaN */
} pattern;

static elastica_status play(void *user, double time, int place, double s, double *activation) {
  pattern *of = user;
  assert_true(*activation == 0.0 && place >= 0 && place < N);
  of->s[place] = s;
  of->calls++;
  *activation = of->fails == 2 ? (double)NAN : sin(2.0 * pi * time / of->period + of->wavenumber * s + of->phase);
  return of->fails == 1 ? ELASTICA_INVALID_ARGUMENT : ELASTICA_OK;
}

/* amplitude: [N]; needed only until the muscle is added */
static elastica_muscle_def played(elastica_muscle_kind kind, double *amplitude, double size, pattern *of) {
  for (int k = 0; k < N; k++) amplitude[k] = size * (1.0 + 0.1 * k);
  elastica_muscle_def def = muscle_of(kind, kind == ELASTICA_MUSCLE_FORCE ? 2 : 0, amplitude);
  def.period = NAN;
  def.function = play, def.user = of;
  return def;
}

static elastica_muscle_def waving(elastica_muscle_def def, const pattern *of) {
  def.function = NULL, def.user = NULL;
  def.period = of->period, def.wavenumber = of->wavenumber, def.phase = of->phase;
  return def;
}

static elastica_rod *add_body_of(elastica_world *world) {
  return add_straight_rod(world, N, 1.0, 0.03, 1000.0, 1e6, 4e5);
}

TEST(a_function_that_is_the_wave_moves_a_rod_as_the_wave_does) {
  for (int kind = ELASTICA_MUSCLE_COUPLE; kind <= ELASTICA_MUSCLE_LABORATORY_COUPLE; kind++) {
    pattern of = {.period = 0.1, .wavenumber = 7.0, .phase = 0.4};
    double amplitude[N];
    elastica_muscle_def def = played((elastica_muscle_kind)kind, amplitude, 0.3, &of);
    elastica_world *world[2] = {make_world(NULL), make_world(NULL)};
    elastica_effect *muscle[2];
    for (int k = 0; k < 2; k++) {
      elastica_rod *rod = add_body_of(world[k]);
      if (k) def = waving(def, &of);
      must(world[k], elastica_add_muscle(world[k], rod, &def, &muscle[k]));
      must(world[k], elastica_world_step(world[k], 1e-4, 1000));
    }
    const elastica_rod_view *one = elastica_rod_get_view(elastica_world_rod(world[0], 0));
    const elastica_rod_view *other = elastica_rod_get_view(elastica_world_rod(world[1], 0));
    for (int i = 0; i <= N; i++)
      for (int a = 0; a < 3; a++) assert_close(one->position[a][i], other->position[a][i], 1e-11);
    const double power = elastica_effect_power(muscle[1]);
    assert_true(power != 0.0);
    assert_close(elastica_effect_power(muscle[0]), power, 1e-8 * fabs(power));
    for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
  }
}

TEST(it_receives_the_place_of_each_joint) {
  for (int kind = ELASTICA_MUSCLE_COUPLE; kind <= ELASTICA_MUSCLE_FORCE; kind++) {
    const int force = kind == ELASTICA_MUSCLE_FORCE;
    pattern of = {.period = 1.0};
    double amplitude[N];
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_body_of(world);
    const elastica_muscle_def def = played((elastica_muscle_kind)kind, amplitude, 0.1, &of);
    must(world, elastica_add_muscle(world, rod, &def, NULL));
    must(world, elastica_rod_refresh(rod));
    for (int k = 0; k < N - !force; k++) assert_close(of.s[k], (force ? k + 0.5 : k + 1.0) / N, 1e-14);
    assert_int_equal(of.calls % (N - !force), 0);
    elastica_world_destroy(world);
  }
}

TEST(a_function_that_fails_ends_the_simulation) {
  for (int kind = ELASTICA_MUSCLE_COUPLE; kind <= ELASTICA_MUSCLE_LABORATORY_COUPLE; kind++)
    for (int fails = 1; fails <= 2; fails++) {
      pattern of = {.period = 0.1};
      double amplitude[N];
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_body_of(world);
      const elastica_muscle_def def = played((elastica_muscle_kind)kind, amplitude, 0.1, &of);
      must(world, elastica_add_muscle(world, rod, &def, NULL));
      must(world, elastica_world_step(world, 1e-4, 10));
      of.fails = fails;
      assert_status(world, elastica_world_step(world, 1e-4, 10), ELASTICA_CALLBACK_FAILED);
      assert_says(elastica_world_message(world), "\"muscle\"", kind == ELASTICA_MUSCLE_LABORATORY_COUPLE ? "add_loads" : "add_resultants");
      elastica_world_destroy(world);
    }
}

/* Zero for 10 steps, then a force that stretches the rod beyond the margin of the limit of the rod at rest. */
static elastica_status strike(void *user, double time, int place, double s, double *activation) {
  (void)user, (void)place, (void)s;
  *activation = time > 0.00101 ? 30.0 : 0.0;
  return ELASTICA_OK;
}

TEST(a_jump_of_the_activity_has_the_step_limit_looked_at_again) {
  double amplitude[N];
  pattern of = {.period = 1.0};
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_body_of(world);
  elastica_muscle_def def = played(ELASTICA_MUSCLE_FORCE, amplitude, 40.0, &of);
  elastica_step_limit before;
  def.function = strike;
  must(world, elastica_add_muscle(world, rod, &def, NULL));
  must(world, elastica_world_step_limit(world, &before));
  assert_status(world, elastica_world_step(world, 0.98 * before.dt, (long)(0.01 / before.dt)), ELASTICA_UNSTABLE_STEP);
  assert_true(elastica_world_get(world).time < 0.00101 + 10.0 * before.dt); /* limit checks are 64 steps apart otherwise */
  elastica_world_destroy(world);
}

TEST(a_snapshot_knows_that_there_is_a_function) {
  static unsigned char bytes[1 << 15];
  pattern of = {.period = 0.1, .wavenumber = 7.0};
  double amplitude[N];
  elastica_world *world[3];
  elastica_effect *muscle;
  for (int k = 0; k < 3; k++) {
    elastica_muscle_def def = played(ELASTICA_MUSCLE_COUPLE, amplitude, k == 1 ? 0.9 : 0.3, &of);
    world[k] = make_world(NULL);
    if (k == 2) def = waving(def, &of);
    must(world[k], elastica_add_muscle(world[k], add_body_of(world[k]), &def, &muscle));
  }
  must(world[0], elastica_world_step(world[0], 1e-4, 100));
  const size_t size = size_of_snapshot(world[0]);
  assert_true(size <= sizeof bytes);
  must(world[0], elastica_world_snapshot_save(world[0], bytes, size, NULL));
  must(world[1], elastica_world_snapshot_load(world[1], bytes, size));
  for (int k = 0; k < 2; k++) must(world[k], elastica_world_step(world[k], 1e-4, 100));
  assert_int_equal(hash_world(world[0]), hash_world(world[1]));
  assert_refused(world[2], elastica_world_snapshot_load(world[2], bytes, size), ELASTICA_INVALID_ARGUMENT, "muscle", "function",
                 "not in both");
  for (int k = 0; k < 3; k++) elastica_world_destroy(world[k]);
}
