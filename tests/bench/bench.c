/* The cost of a step: for each size of each scene the minimum of several runs, compared with the peak of the processor.
 *
 *   bench SCENE n N ns T resident B touched B gflops G peak F
 *
 * T      nanoseconds for each element and step: processor time; of the clock with --clock or several workers
 * resident  bytes per element that the allocator gave to the world
 * touched   bytes per element that one passive step reads and writes (TOUCHED_LANES) if no cache keeps any of them between steps
 * G      billions of operations per second, of the arithmetic of the passive step alone: additional work of a scene lowers G
 * F      G as a fraction of the peak of the instruction set (peak.h), times the number of workers
 *
 * A line "ratio SCENE n N R of passive P ns" follows a scene of a loaded rod: its cost as a multiple of P, that of a passive rod of the
 * same size, timed directly after it. Lines "contacts", "all_pairs" and "steps" follow in scenes with contact (touching.c). With
 * --snapshots, more lines state the cost of saving and restoring a state (snapshot.c), with --statics that of an equilibrium and its modes
 * (statics.c). A line "exponent SCENE P" follows a scene with several sizes of 100 elements and more: a step costs n^P.
 */
#include "options.h"
#include "peak.h"
#include "snapshot.h"
#include "statics.h"
#include "touching.h"
#include "yardstick.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Arithmetic instructions of a passive step for each vector of elements (loads, kick and drift; classical law, exact couple). Each
 * occupies a multiplier like a fused multiply-add, and counts as two operations, as in the peak. Counted by callgrind with AVX2: 150 of
 * them are fused. */
static const double INSTRUCTIONS = 249.0;

/* Lanes that a passive step reads (position, velocity, directors, spin, and the constants of the law) and lanes that it writes. */
enum { STATE_LANES = 18, CONSTANT_LANES = 19, TOUCHED_LANES = 2 * STATE_LANES + CONSTANT_LANES };

/* ---- A world that counts its memory ---- */

enum { HEAD = 16 }; /* bytes before each block; they hold its size */

static void *allocate(void *user, size_t size) {
  atomic_size_t *resident = user;
  char *block = malloc(size + HEAD);
  if (block == NULL) return NULL;
  memcpy(block, &size, sizeof size);
  atomic_fetch_add(resident, size);
  return block + HEAD;
}

static void release(void *user, void *block) {
  atomic_size_t *resident = user;
  size_t size;
  memcpy(&size, (char *)block - HEAD, sizeof size);
  atomic_fetch_sub(resident, size);
  free((char *)block - HEAD);
}

static void require(const elastica_world *world, elastica_status status) {
  if (status == ELASTICA_OK) return;
  fprintf(stderr, "bench: %s: %s\n", elastica_status_text(status), world != NULL ? elastica_world_message(world) : "");
  exit(3);
}

static elastica_world *make_world(const options *o, const bench_scene *scene, atomic_size_t *resident) {
  elastica_world *world = NULL;
  elastica_world_def def;
  char message[200] = "";
  elastica_world_def_init(&def, sizeof def);
  def.instruction_set = o->set;
  def.worker_count = o->workers;
  if (scene->papers_law) def.law = ELASTICA_LAW_RESCALED, def.exact_couple = 0;
  def.allocate = allocate, def.release = release, def.allocator_user = resident;
  def.message = message, def.message_size = sizeof message;
  if (elastica_world_create(&def, &world) != ELASTICA_OK) {
    fprintf(stderr, "bench: %s\n", message);
    exit(2);
  }
  return world;
}

/* ---- Timing ---- */

static void take(const bench_scene *scene, elastica_world *world, double dt, long steps) {
  if (scene->change == NULL) require(world, elastica_world_step(world, dt, steps));
  for (long k = 0; k < steps && scene->change != NULL; k++) {
    require(world, scene->change(world, k));
    require(world, elastica_world_step(world, dt, 1));
  }
}

/* A scene to be timed: its world takes steps of dt and has this number of elements. */
typedef struct timed {
  const options *o;
  const bench_scene *scene;
  int elements;
  double dt;
} timed;

/* Nanoseconds per element and step, the minimum of many runs. A run is a whole number of intervals of 64 steps, each with one limit
 * check, and lasts about a millisecond or one interval. On a busy machine the minimum of short runs belongs to an undisturbed run. */
static double time_steps(void *context, elastica_world *world) {
  const timed *of = context;
  const options *o = of->o;
  double (*const seconds)(void) = o->clock || o->workers > 1 ? bench_clock_seconds : bench_processor_seconds;
  const double begin = seconds();
  take(of->scene, world, of->dt, 64);
  const long steps = 64 * (1 + (long)(1e-3 / (seconds() - begin + 1e-6)));
  double least = 0.0, spent = 0.0;
  for (int run = 0; run < 3 || spent < (o->quick ? 0.02 : 1.0); run++) {
    const double start = seconds();
    take(of->scene, world, of->dt, steps);
    const double time = seconds() - start, each = time * 1e9 / (double)of->elements / (double)steps;
    if (run == 0 || each < least) least = each;
    spent += time;
  }
  return least;
}

/* Makes the world of a scene; with --steps also takes the steps. */
static elastica_world *make_scene(const options *o, const bench_scene *scene, int elements, timed *out, atomic_size_t *resident) {
  elastica_world *world = make_world(o, scene, resident);
  *out = (timed){o, scene, elements, 0.0};
  require(world, scene->fill(world, elements, &out->dt));
  if (out->dt == 0.0) {
    elastica_step_limit limit;
    require(world, elastica_world_step_limit(world, &limit));
    out->dt = 0.5 * limit.dt;
  }
  if (o->steps > 0) take(scene, world, out->dt, o->steps);
  return world;
}

/* ---- One scene ---- */

typedef struct row {
  int elements;
  double ns, resident, gflops;
} row;

/* Slope of log(cost of a step) over log(n), by least squares; NaN with less than two sizes from 100 elements on. */
static double exponent(const row *rows, int count) {
  double s = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (int k = 0; k < count; k++) {
    if (rows[k].elements < 100) continue;
    const double a = log(rows[k].elements), b = log(rows[k].ns * rows[k].elements);
    s += 1.0, x += a, y += b, xx += a * a, xy += a * b;
  }
  return s < 2.0 ? nan("") : (s * xy - x * y) / (s * xx - x * x);
}

static void write_rows(const options *o, const bench_scene *scene, const row *rows, int count, double peak) {
  for (int k = 0; k < count && o->csv != NULL; k++)
    fprintf(o->csv, "%s,%s,%d,%d,%.4f,%.1f,%d,%.4f,%.4f,%.5f,%.4f\n", scene->name, o->set_name, o->workers, rows[k].elements, rows[k].ns,
            rows[k].resident, (int)(8 * TOUCHED_LANES), rows[k].gflops, peak, rows[k].gflops / peak, exponent(rows, count));
  if (o->csv != NULL) fflush(o->csv);
}

/* Scenes of loaded rods, which are compared with passive ones: the first scene of the table. */
static int is_loaded(const bench_scene *scene) {
  static const char *const names[] = {"loaded", "loaded_rescaled", "long_loaded", "slithering"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    if (strcmp(scene->name, names[k]) == 0) return 1;
  return 0;
}

static void compare_with_bare(const options *o, const bench_scene *scene, const row *loaded) {
  atomic_size_t resident = 0;
  timed steps;
  elastica_world *world = make_scene(o, &bench_scenes[0], loaded->elements, &steps, &resident);
  const double ns = time_steps(&steps, world);
  elastica_world_destroy(world);
  printf("ratio %s n %d %.2f of passive %.2f ns\n", scene->name, loaded->elements, loaded->ns / ns, ns);
}

static void run(const options *o, const bench_scene *scene) {
  const double peak = o->steps > 0 ? 1.0 : bench_peak(o->set) * o->workers;
  row rows[BENCH_SIZES + 1];
  int count = 0;
  for (int k = 0; scene->sizes[k] > 0; k++) {
    row *r = &rows[count];
    r->elements = o->size > 0 ? o->size : scene->sizes[k];
    if (o->quick && r->elements > 10000) {
      if (count == 0) printf("bench %s: --quick leaves out sizes above 10,000 elements; --size names one\n", scene->name);
      break;
    }
    atomic_size_t resident = 0;
    timed steps;
    elastica_world *world = make_scene(o, scene, r->elements, &steps, &resident);
    if (o->steps > 0) {
      elastica_world_destroy(world);
      return;
    }
    const int touches = bench_has_contact(world);
    r->ns = time_steps(&steps, world);
    r->resident = (double)atomic_load(&resident) / r->elements;
    r->gflops = 2.0 * INSTRUCTIONS / r->ns;
    printf("bench %s n %d ns %.2f resident %.0f touched %d gflops %.1f peak %.2f\n", scene->name, r->elements, r->ns, r->resident,
           (int)(8 * TOUCHED_LANES), r->gflops, r->gflops / peak);
    fflush(stdout);
    bench_touching(world, scene->name, r->elements, r->ns, time_steps, &steps);
    elastica_world_destroy(world);
    if (is_loaded(scene)) compare_with_bare(o, scene, r);
    if (touches) {
      world = make_scene(o, scene, r->elements, &steps, &resident);
      bench_same_steps(world, scene->name, r->elements, steps.dt, bench_yardstick(o->set));
      elastica_world_destroy(world);
    }
    count++;
    if (o->size > 0) break;
  }
  if (!isnan(exponent(rows, count))) printf("exponent %s %.3f\n", scene->name, exponent(rows, count));
  write_rows(o, scene, rows, count, peak);
}

int main(int argc, char **argv) {
  options o;
  read_options(&o, argc, argv);
  if (o.csv != NULL)
    fputs("scene,set,workers [-],elements [-],time [ns],resident [B],touched [B],rate [GFLOP/s],peak [GFLOP/s],fraction [-],exponent [-]\n",
          o.csv);
  if (o.steps == 0) printf("peak %s %.1f GFLOP/s for each worker\n", o.set_name, bench_peak(o.set));
  for (int s = 0; s < bench_scene_count; s++)
    if (o.chosen[s]) run(&o, &bench_scenes[s]);
  if (o.snapshots) bench_snapshots(o.quick);
  const int elements = o.size > 0 ? o.size : 1000;
  if (o.statics && o.steps > 0) bench_take_statics(o.set, elements, o.steps, 1);
  if (o.relax) bench_take_statics(o.set, elements, o.steps, 0);
  if (o.implicit) bench_take_implicit(&(bench_wires){o.set, o.workers, o.rods, elements}, o.steps);
  if (o.statics && o.steps == 0) bench_statics(o.set, o.quick);
  const int failed = o.csv != NULL && ferror(o.csv) != 0; /* fclose reports only errors of the remaining output */
  if (o.csv != NULL && (fclose(o.csv) != 0 || failed)) {
    fprintf(stderr, "bench: the file of --csv could not be written\n");
    return 3;
  }
  return 0;
}
