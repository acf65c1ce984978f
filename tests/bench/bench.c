/* What a step costs: bench [scene ...] prints, for each size of each scene, the least of several runs.
 *
 *   bench <scene> n <elements> ns <nanoseconds per element and step> peak <fraction of the multiply/add peak>
 *
 * The peak is that of a loop over registers alone, measured in this process: half multiplications, half additions, none depending on
 * another. The fraction counts the arithmetic of the passive step only (450 operations per element: every multiplication, addition,
 * division and square root in the loops of src/kernels), so that extras of a scene lower it.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- The multiply/add peak ---- */

#if defined(__x86_64__) && defined(__GNUC__)
typedef double four __attribute__((vector_size(32)));
#define WITH_AVX2 __attribute__((target("avx2")))
#else
typedef double four __attribute__((vector_size(16)));
#define WITH_AVX2
#endif
enum { LANES = sizeof(four) / sizeof(double), CHAINS = 6 };

WITH_AVX2 static double peak(void) {
  four factor, term, a[CHAINS], b[CHAINS];
  const long count = 20000000;
  for (int k = 0; k < LANES; k++) factor[k] = 0.999999999, term[k] = 1e-9;
  for (int c = 0; c < CHAINS; c++) a[c] = factor, b[c] = term;
  four a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3], b4 = b[4], b5 = b[5];
  const double start = seconds();
  for (long i = 0; i < count; i++) {
    a0 *= factor, a1 *= factor, a2 *= factor, a3 *= factor, a4 *= factor, a5 *= factor;
    b0 += term, b1 += term, b2 += term, b3 += term, b4 += term, b5 += term;
    __asm__ volatile("" ::: "memory");
  }
  const double time = seconds() - start;
  const four sum = a0 + a1 + a2 + a3 + a4 + a5 + b0 + b1 + b2 + b3 + b4 + b5;
  if (sum[0] == 0.123) puts("");
  return 2.0 * CHAINS * LANES * (double)count / time * 1e-9;
}

/* ---- Timing ---- */

static void require(const elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "bench: %s: %s\n", elastica_status_text(status), elastica_world_message(world));
  exit(3);
}

static void take(const bench_scene *scene, elastica_world *world, double dt, long steps) {
  if (scene->change == NULL) require(world, elastica_world_step(world, dt, steps));
  for (long k = 0; k < steps && scene->change != NULL; k++) {
    require(world, scene->change(world, k));
    require(world, elastica_world_step(world, dt, 1));
  }
}

/* Nanoseconds per element and step: the least of seven runs of about a tenth of a second, after a run to warm up. */
static double measure(const bench_scene *scene, int elements) {
  elastica_world *world = NULL;
  require(NULL, elastica_world_create(NULL, &world));
  double dt = 0.0;
  require(world, scene->fill(world, elements, &dt));
  if (dt == 0.0) {
    elastica_step_limit limit;
    require(world, elastica_world_step_limit(world, &limit));
    dt = 0.8 * limit.dt;
  }
  long steps = 8000000 / elements;
  if (steps < 20) steps = 20;
  double least = 1e300;
  take(scene, world, dt, steps / 4 + 1);
  for (int run = 0; run < 7; run++) {
    const double start = seconds();
    take(scene, world, dt, steps);
    const double time = (seconds() - start) * 1e9 / (double)elements / (double)steps;
    if (time < least) least = time;
  }
  elastica_world_destroy(world);
  return least;
}

static int run(const bench_scene *scene) {
  const double operations = 450.0, before = peak();
  printf("peak %.1f GFLOP/s\n", before);
  for (int k = 0; scene->sizes[k] > 0; k++) {
    const double ns = measure(scene, scene->sizes[k]);
    printf("bench %s n %d ns %.2f peak %.2f\n", scene->name, scene->sizes[k], ns, operations / ns / before);
    fflush(stdout);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 1)
    for (int s = 0; s < bench_scene_count; s++) run(&bench_scenes[s]);
  for (int a = 1; a < argc; a++) {
    int s = 0;
    while (s < bench_scene_count && strcmp(argv[a], bench_scenes[s].name) != 0) s++;
    if (s == bench_scene_count) {
      fprintf(stderr, "bench: there is no scene '%s'\n", argv[a]);
      return 2;
    }
    run(&bench_scenes[s]);
  }
  return 0;
}
