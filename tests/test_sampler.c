/* Claims about samplers: times of their calls, their view of the world, stopping a run, and the independence of all bits of the run.
 * Also run under the thread sanitizer.
 */
#include "base/target.h"

#include "diary.h"
#include "one_rod.h"
#include "scenes.h"
#include "scratch_folder.h"
#include "threads.h"

/* ---- When ---- */

/* Multiples of a tenth are not multiples of a binary step, and a sum of tenths drifts. */
TEST(samples_come_at_the_first_step_at_or_after_their_time) {
  static diary of;
  const double dt = 0x1p-12, interval = 0.1;
  elastica_world *world = make_world(NULL);
  add_straight_rod(world, 4, 1.0, 0.02, 1000.0, 1e4, 4e3);
  keep_diary(world, &of, interval);
  for (int piece = 0; piece < 40; piece++) must(world, elastica_world_step(world, dt, 1024 + piece % 3));
  const int expected = (int)floor(elastica_world_get(world).time / interval + 1e-6) + 1;
  assert_int_equal(of.count, expected);
  for (int k = 0; k < of.count; k++) {
    assert_int_equal(of.step[k], (long)ceil((double)k * interval / dt - 1e-3));
    assert_true(of.time[k] == (double)of.step[k] * dt);
  }
  elastica_world_destroy(world);
}

/* 1e-3 k and 100 x 1e-5 k round differently: no sample may be a step late. */
TEST_WITH_ROD(rounding_makes_no_sample_late) {
  fixture *f = *state;
  static diary of;
  keep_diary(f->world, &of, 1e-3);
  must(f->world, elastica_world_step(f->world, 1e-5, 100000));
  assert_int_equal(of.count, 1001);
  for (int k = 0; k < of.count; k++) assert_int_equal(of.step[k], 100 * k);
}

TEST_WITH_ROD(of_samples_that_are_due_together_one_is_taken) {
  fixture *f = *state;
  static diary of;
  keep_diary(f->world, &of, 3e-6);
  must(f->world, elastica_world_step(f->world, 1e-5, 50));
  assert_int_equal(of.count, 51);
  for (int k = 0; k < of.count; k++) assert_int_equal(of.step[k], k);
  keep_diary(f->world, &of, 1e-30); /* smaller than the rounding of time */
  must(f->world, elastica_world_step(f->world, 1e-5, 50));
  assert_int_equal(of.count, 51);
}

TEST_WITH_ROD(the_first_sample_is_at_the_start) {
  fixture *f = *state;
  static diary of;
  must(f->world, elastica_world_step(f->world, 1e-5, 7));
  elastica_sampler sampler = sampler_of(&of, 1e-4);
  must(f->world, elastica_world_set_sampler(f->world, &sampler)); /* default definition */
  must(f->world, elastica_world_step(f->world, 1e-5, 0));
  assert_int_equal(of.count, 1);
  must(f->world, elastica_world_step(f->world, 1e-5, 10));
  assert_int_equal(of.count, 2);
  assert_int_equal(of.step[1], 17);
  sampler.start = 0.0; /* past samples are not taken, only future ones */
  must(f->world, elastica_world_set_sampler(f->world, &sampler));
  must(f->world, elastica_world_step(f->world, 1e-5, 10));
  assert_int_equal(of.count, 3);
  assert_int_equal(of.step[2], 20);
  sampler.start = 1e-3;
  must(f->world, elastica_world_set_sampler(f->world, &sampler));
  must(f->world, elastica_world_step(f->world, 1e-5, 100));
  assert_int_equal(of.count, 6);
  assert_int_equal(of.step[3], 100);
  must(f->world, elastica_world_set_sampler(f->world, NULL));
  must(f->world, elastica_world_step(f->world, 1e-5, 100));
  assert_int_equal(of.count, 6);
}

TEST(exact_samples_are_at_their_times) {
  static diary of;
  for (int how = 0; how < 2; how++) {
    elastica_world *world = make_world(NULL), *pieces = make_world(NULL);
    fill_cantilever(world), fill_cantilever(pieces);
    elastica_sampler sampler = sampler_of(&of, 0.01);
    DEFAULTS(run, run);
    run.until = 0.105;
    sampler.exact = 1;
    must(world, elastica_world_set_sampler(world, &sampler));
    must(world, how ? elastica_world_run(world, &run, NULL) : elastica_world_advance(world, 0.105));
    assert_int_equal(of.count, 11);
    for (int k = 0; k < of.count; k++) assert_true(of.time[k] == k * 0.01);
    assert_true(elastica_world_get(world).time == 0.105);
    for (int k = 1; k <= 11; k++) { /* has the bits of calls of these durations */
      run.until = k < 11 ? k * 0.01 : 0.105;
      must(pieces, elastica_world_run(pieces, &run, NULL));
    }
    assert_true(hash_world(world) == hash_world(pieces));
    elastica_world_destroy(world);
    elastica_world_destroy(pieces);
  }
}

/* ---- Bits ---- */

typedef enum way { BY_STEPS, BY_ADVANCE, BY_FOLLOWING } way;

static uint64_t run_scene(const scene *s, way how, diary *of, double interval, int workers) {
  elastica_world_def def = s->by_default ? default_world() : papers_world();
  def.worker_count = workers;
  def.tile_size = 64;
  elastica_world *world = make_world(&def);
  if (workers > 1) share_all_work(world);
  s->fill(world);
  if (of != NULL) {
    keep_diary(world, of, interval);
    of->asks = 1;
  }
  const double duration = 300.0 * s->dt;
  if (how == BY_STEPS) must(world, elastica_world_step(world, s->dt, 300));
  if (how == BY_ADVANCE) must(world, elastica_world_advance(world, duration));
  if (how == BY_FOLLOWING) must(world, follow_clock(world, duration, NULL));
  if (of != NULL) assert_true(of->count >= 2);
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

TEST(no_bit_depends_on_a_sampler) {
  static const double intervals[] = {0.4, 16.0, 37.7}; /* in units of the step of a scene */
  static diary of;
  for (int k = 0; k < SCENE_COUNT; k++)
    for (int how = 0; how < 3; how++) {
      const uint64_t alone = run_scene(&scenes[k], (way)how, NULL, 0.0, 1);
      for (int i = 0; i < 3; i++)
        if (run_scene(&scenes[k], (way)how, &of, intervals[i] * scenes[k].dt, 1 + i) != alone)
          fail_msg("%s depends on a sampler every %g steps (way %d)", scenes[k].name, intervals[i], how);
    }
}

/* ---- The view of a sampler ---- */

typedef struct witness {
  elastica_world *twin; /* the same world, without a sampler */
  int count;
} witness;

static void claim_same_lanes(const double *const *lanes, const double *const *others, int count) {
  for (int a = 0; a < 3; a++) {
    assert_non_null(lanes[a]);
    assert_memory_equal(lanes[a], others[a], (size_t)count * sizeof(double));
  }
}

/* All derived lanes at once equal those of elastica_rod_refresh for one rod at the same time. */
static elastica_status compare(void *user, elastica_world *world) {
  witness *of = user;
  of->count++;
  must(of->twin, elastica_world_step(of->twin, 0x1p-13, elastica_world_get(world).step_count - elastica_world_get(of->twin).step_count));
  assert_true(hash_world(world) == hash_world(of->twin));
  for (int again = 0; again < 2; again++) { /* also after all queries */
    for (int r = 0; r < elastica_world_get(world).rod_count; r++) {
      elastica_rod *rod = elastica_world_rod(of->twin, r);
      const elastica_rod_view *all = elastica_rod_get_view(elastica_world_rod(world, r)), *one = elastica_rod_get_view(rod);
      must(of->twin, elastica_rod_refresh(rod));
      claim_same_lanes(all->strain, one->strain, one->element_count);
      claim_same_lanes(all->curvature, one->curvature, one->joint_count);
      claim_same_lanes(all->force, one->force, one->element_count);
      claim_same_lanes(all->couple, one->couple, one->joint_count);
      claim_same_lanes(all->internal_force, one->internal_force, one->node_count);
      claim_same_lanes(all->internal_couple, one->internal_couple, one->element_count);
    }
    ask_everything(world);
  }
  return ELASTICA_OK;
}

TEST(derived_lanes_of_all_rods_are_filled) {
  for (int workers = 1; workers <= 3; workers += 2) {
    elastica_world_def def = papers_world();
    elastica_sampler sampler;
    witness of = {make_papers_world(), 0};
    def.worker_count = workers;
    def.tile_size = 40;
    elastica_world *world = make_world(&def);
    share_all_work(world);
    fill_small_rods(world), fill_small_rods(of.twin);
    elastica_sampler_init(&sampler, sizeof sampler);
    sampler.sample = compare;
    sampler.user = &of;
    sampler.interval = 10.0 * 0x1p-13;
    must(world, elastica_world_set_sampler(world, &sampler));
    must(world, elastica_world_step(world, 0x1p-13, 50));
    assert_int_equal(of.count, 6);
    assert_null(elastica_rod_get_view(elastica_world_rod(world, 3))->strain[0]); /* invalid after the call */
    elastica_world_destroy(world);
    elastica_world_destroy(of.twin);
  }
}

static elastica_status claim_no_lanes(void *user, elastica_world *world) {
  elastica_rod *rod = elastica_world_rod(world, 0);
  ++*(int *)user;
  assert_null(elastica_rod_get_view(rod)->strain[0]);
  must(world, elastica_rod_refresh(rod));
  assert_non_null(elastica_rod_get_view(rod)->strain[0]);
  return ELASTICA_OK;
}

TEST_WITH_ROD(a_sampler_without_need_gets_no_derived_lanes) {
  fixture *f = *state;
  elastica_sampler sampler;
  int calls = 0;
  elastica_sampler_init(&sampler, sizeof sampler);
  sampler.sample = claim_no_lanes;
  sampler.user = &calls;
  sampler.interval = 1e-4;
  sampler.needs_derived = 0;
  must(f->world, elastica_world_set_sampler(f->world, &sampler));
  must(f->world, elastica_world_step(f->world, 1e-5, 20));
  assert_int_equal(calls, 3);
}

TEST_WITH_ROD(writers_may_be_used) {
  fixture *f = *state;
  static diary of;
  scratch_folder folder;
  scratch_make(&folder);
  char path[600];
  keep_diary(f->world, &of, 1e-4);
  snprintf(path, sizeof path, "%s/times.csv", folder.path);
  must(f->world, elastica_vtk_open(f->world, folder.path, "sampled", &of.frames));
  must(f->world, elastica_csv_open(f->world, path, "time", &of.rows));
  must(f->world, elastica_world_step(f->world, 1e-5, 100));
  must(f->world, elastica_vtk_close(of.frames));
  must(f->world, elastica_csv_close(of.rows));
  assert_int_equal(of.count, 11);
  assert_int_equal(scratch_file_count(&folder), 11 + 2); /* frames, index, table */
  scratch_remove(&folder);
}

/* ---- Stopping ---- */

TEST(a_stop_is_clean) {
  static diary of;
  static const elastica_status answers[] = {ELASTICA_STOPPED, ELASTICA_IO_ERROR, ELASTICA_NOT_FINITE};
  for (int k = 0; k < 3; k++) {
    elastica_world *world = make_world(NULL), *whole = make_world(NULL);
    fill_cantilever(world), fill_cantilever(whole);
    keep_diary(world, &of, 0x1p-13 * 10.0);
    of.stop_at = 4;
    of.answer = answers[k];
    elastica_world_refuse(world, ELASTICA_OK, "as it was");
    assert_status(world, elastica_world_step(world, 0x1p-13, 100), answers[k]);
    assert_message(world, "as it was");
    assert_int_equal(elastica_world_get(world).step_count, 30);
    must(world, elastica_world_step(world, 0x1p-13, 70)); /* the same sample is not taken twice */
    assert_int_equal(of.count, 11);
    must(whole, elastica_world_step(whole, 0x1p-13, 100));
    assert_true(hash_world(world) == hash_world(whole));
    elastica_world_destroy(world);
    elastica_world_destroy(whole);
  }
}

TEST_WITH_ROD(a_stop_at_the_end_is_a_stop) {
  fixture *f = *state;
  static diary of;
  keep_diary(f->world, &of, 1e-4);
  of.stop_at = 2;
  of.answer = ELASTICA_STOPPED;
  assert_status(f->world, elastica_world_step(f->world, 1e-5, 10), ELASTICA_STOPPED);
  assert_int_equal(elastica_world_get(f->world).step_count, 10);
  assert_string_equal(elastica_status_text(ELASTICA_STOPPED), "STOPPED");
}

TEST(an_advance_that_was_stopped_is_finished_by_a_run) {
  static diary of;
  elastica_run_result result;
  elastica_world *world = make_world(NULL), *whole = make_world(NULL);
  fill_cantilever(world), fill_cantilever(whole);
  must(whole, elastica_world_advance(whole, 0.1));
  keep_diary(world, &of, 0.013);
  of.stop_at = 3;
  of.answer = ELASTICA_STOPPED;
  assert_status(world, elastica_world_advance(world, 0.1), ELASTICA_STOPPED);
  assert_between(elastica_world_get(world).time, 0.026, 0.027);
  DEFAULTS(run, run);
  run.until = 0.1;
  must(world, elastica_world_run(world, &run, &result));
  assert_int_equal(result.finished, 1);
  assert_true(hash_world(world) == hash_world(whole));
  elastica_world_destroy(world);
  elastica_world_destroy(whole);
}
