/* Many worlds in many threads at once: each performs all operations of a program with a world, with the results of a single world. Run
 * under the thread sanitizer, which detects shared data of two worlds.
 */
#include "base/target.h"

#include "scenes.h"
#include "scratch_folder.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 3, STEPS = 96 };

typedef struct job {
  int number;
  const char *folder;
  uint64_t hash; /* of all results */
  int samples;
} job;

static elastica_status watch(void *user, elastica_world *world) {
  job *of = user;
  elastica_totals energy;
  of->samples++;
  must(world, elastica_world_get_totals(world, &energy));
  of->hash = hash_numbers(of->hash, &energy.bending, 1);
  return of->samples % 5 == 0 ? ELASTICA_STOPPED : ELASTICA_OK;
}

static void add_watch(elastica_world *world, job *of, double interval) {
  elastica_sampler sampler;
  elastica_sampler_init(&sampler, sizeof sampler);
  sampler.sample = watch;
  sampler.user = of;
  sampler.interval = interval;
  must(world, elastica_world_set_sampler(world, &sampler));
}

/* Steps and runs with a budget; the sampler stops some runs. */
static void run(elastica_world *world, double dt) {
  elastica_run_result result = {0, 0, 0.0, 0.0};
  DEFAULTS(run, def);
  def.until = elastica_world_get(world).time + STEPS * dt;
  def.most_steps = 10;
  def.most_seconds = 10.0;
  while (!result.finished) {
    const elastica_status status = elastica_world_run(world, &def, &result);
    if (status != ELASTICA_STOPPED) must(world, status);
  }
}

static void write_files(elastica_world *world, const job *of, int round) {
  char name[60], path[600];
  const double time = elastica_world_get(world).time;
  elastica_vtk *frames = NULL;
  elastica_csv *rows = NULL;
  snprintf(name, sizeof name, "world_%d_%d", of->number, round);
  snprintf(path, sizeof path, "%s/%s.csv", of->folder, name);
  must(world, elastica_vtk_open(world, of->folder, name, &frames));
  must(world, elastica_csv_open(world, path, "time", &rows));
  must(world, elastica_vtk_frame(frames));
  must(world, elastica_csv_row(rows, &time, 1));
  must(world, elastica_vtk_close(frames));
  must(world, elastica_csv_close(rows));
}

/* Takes twenty steps, and repeats them from a snapshot. */
static void take_again(elastica_world *world, double dt) {
  const size_t size = size_of_snapshot(world);
  void *bytes = malloc(size);
  assert_non_null(bytes);
  must(world, elastica_world_set_sampler(world, NULL));
  must(world, elastica_world_snapshot_save(world, bytes, size, NULL));
  must(world, elastica_world_step(world, dt, 20));
  const uint64_t first = hash_world(world);
  must(world, elastica_world_snapshot_load(world, bytes, size));
  must(world, elastica_world_step(world, dt, 20));
  assert_true(hash_world(world) == first);
  free(bytes);
}

/* Relaxes a cantilever. */
static void relax(job *of) {
  const double gravity[3] = {0.0, 1.0 + of->number, 0.0};
  elastica_relax_result result;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = add_straight_rod(world, 10, 1.0, 0.02, 1000.0, 1e6, 4e5);
  clamp_first_end(world, rod);
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_world_relax(world, NULL, &result));
  of->hash = hash_rod(of->hash, rod);
  elastica_world_destroy(world);
}

static void *work(void *argument) {
  job *of = argument;
  for (int round = 0; round < ROUNDS; round++) {
    const scene *s = &scenes[(of->number + round) % SCENE_COUNT];
    elastica_step_limit limit;
    elastica_world_def def = s->by_default ? default_world() : papers_world();
    def.worker_count = 1 + of->number % 2;
    def.tile_size = 64;
    elastica_world *world = make_world(&def);
    s->fill(world);
    must(world, elastica_world_step_limit(world, &limit));
    assert_status(world, elastica_world_step(world, 2.0 * limit.dt, 1), ELASTICA_UNSTABLE_STEP); /* a message of its own */
    add_watch(world, of, 7.0 * s->dt);
    while (elastica_world_get(world).step_count < STEPS) {
      const elastica_status status = elastica_world_step(world, s->dt, STEPS - elastica_world_get(world).step_count);
      if (status != ELASTICA_STOPPED) must(world, status);
    }
    run(world, s->dt);
    take_again(world, s->dt);
    if (of->folder != NULL) write_files(world, of, round);
    of->hash = hash_numbers(of->hash, &limit.dt, 1) ^ hash_world(world);
    elastica_world_destroy(world);
    relax(of);
  }
  return NULL;
}

TEST(worlds_in_threads_share_nothing) {
  job jobs[THREADS], alone[THREADS];
  pthread_t threads[THREADS];
  scratch_folder folder;
  scratch_make(&folder);
  for (int k = 0; k < THREADS; k++) {
    jobs[k] = (job){k, folder.path, hash_start(), 0};
    alone[k] = (job){k, NULL, hash_start(), 0};
    assert_int_equal(pthread_create(&threads[k], NULL, work, &jobs[k]), 0);
  }
  for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
  assert_int_equal(scratch_file_count(&folder), THREADS * ROUNDS * 3);
  scratch_remove(&folder);
  for (int k = 0; k < THREADS; k++) {
    work(&alone[k]);
    assert_true(jobs[k].hash == alone[k].hash);
    assert_int_equal(jobs[k].samples, alone[k].samples);
    assert_true(jobs[k].samples > 10);
  }
}
