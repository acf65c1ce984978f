/* Timings: the cost of a step, its growth with the number of elements, and the paper's steps compared with the certified ones.
 *
 * source    Gazzola et al. 2018, section 3.3, appendix H and figure 20
 * claim     a step costs in proportion to n: with half the elements and the same step a simulation takes half the time (Euler buckling),
 *           and a quarter of it if the step is proportional to the length of an element (helical buckling)
 * compared  the cost of a step for n = 200 to 1600 with a power of n, and of 400 and 800 elements with that of half as many; the
 *           certified step of the rods of the paper's cases, straight and at rest, with 2/omega_max of the infinite rod from its axial,
 *           torsional and shear-bending modes, computed without this library: the certified step may not be longer, and for such rods
 *           not shorter than 0.7 of it
 *
 * The paper shows its seconds in a figure, for its authors' laptop: they are not compared with those here. Times to solution are the
 * paper's number of steps times the cost of one step of the rod, without loads and contacts.
 *
 * A step also has a fixed cost, as large as that of 10 to 90 elements, depending on the processor. The cost of rods of 50 and 100 elements
 * is therefore not proportional to n, and their times are shown without a verdict, as are the paper's Euler columns. 1600 elements do not
 * fit the inner caches of every processor and cost up to a quarter more there. All times are processor times, the smallest of many short
 * runs in which the rods take turns, so that other load of the machine and its clock frequency have little influence.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const int SIZE[] = {50, 100, 200, 400, 800, 1600};
enum { SIZES = sizeof SIZE / sizeof *SIZE, N200 = 2, N400, N800, MOST_ELEMENTS = 1600 };
static const double BLOCK = 2e4; /* element steps in one timing: part of a millisecond, less than a time slice of a busy processor */

/* A rod of the paper. shear_stretch, and bend with twist, are 0 if the stiffness follows from the moduli. */
typedef struct paper_case {
  const char *name;
  int n;
  double length, radius, mass;          /* [m] [m] [kg/m] */
  double youngs_modulus, shear_modulus; /* [Pa] */
  double shear_stretch, bend, twist;    /* [N] [N m^2] [N m^2] */
  double dt, critical;                  /* [s] the paper's step; 2/omega_max */
  double duration;                      /* [s] 0: not given in the paper */
} paper_case;

enum { HELICAL_N400, HELICAL_N800, EULER_N50, EULER_N100 }; /* the cases that the paper compares */
static const paper_case CASES[] = {
    [HELICAL_N400] = {"helical_n400", 400, 100, 0.35, 1, 1, 1, 1e5, 1.345, 0.789, 2.5e-4, 0, 10500},
    [HELICAL_N800] = {"helical_n800", 800, 100, 0.35, 1, 1, 1, 1e5, 1.345, 0.789, 1.25e-4, 0.000372248, 10500},
    [EULER_N50] = {"euler_n50", 50, 0.5, 0.025, 1, 1, 1, 1e5, 1, 2.0 / 3, 1e-5, 0, 10},
    [EULER_N100] = {"euler_n100", 100, 1, 0.025, 1, 1, 1, 1e5, 1, 2.0 / 3, 1e-5, 2.92445e-05, 10},
    {"helical_n100", 100, 100, 0.35, 1, 1, 1, 1e5, 1.345, 0.789, 1e-3, 0.00104464, 10500},
    {"cantilever_n25", 25, 3, 0.25, 981.7477042, 1e6, 1e4, 0, 0, 0, 1.2e-3, 0.0084721, 5000},
    {"cantilever_n400", 400, 3, 0.25, 981.7477042, 1e6, 1e4, 0, 0, 0, 7.5e-5, 0.000530327, 5000},
    {"plectoneme_n100", 100, 1, 0.025, 1, 1e6, 2e6 / 3, 0, 0, 0, 1e-4, 0.00019121, 125},
    {"snake_n50", 50, 1, 0.025, 1.963495408, 1e7, 2e7 / 3, 0, 0, 0, 2.5e-5, 0.000140821, 0},
    {"michell_n50", 50, 1, 0.01, 1, 1, 1, 1e5, 1, 2, 1e-5, 2.74079e-05, 2},
    {"twist_n1600", 1600, 301.169301, 0.5, 7.853981634, 1.5e6, 1e6, 0, 0, 0, 1.88231e-5, 0.000416377, 2000},
    {"rolling_n50", 50, 1, 0.025, 1, 1e9, 2e9 / 3, 1e4, 0, 0, 1e-6, 1.42497e-05, 0},
    {"longitudinal_n50", 50, 1, 0.025, 1, 1e5, 2e5 / 3, 1e4, 0, 0, 1e-5, 0.000155808, 0.25},
    {"locomotion_n100", 100, 0.5, 0.025, 2, 1e7, 2e7 / 3, 1e5, 0, 0, 1e-5, 2.183e-05, 0},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static elastica_world *lay_rod(example *e, const paper_case *c) {
  double shear_stretch[3 * MOST_ELEMENTS], bend_twist[3 * MOST_ELEMENTS];
  elastica_world *world = example_papers_world(e);
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = c->n;
  def.length = c->length;
  def.radius = c->radius;
  def.density = c->mass / (acos(-1) * c->radius * c->radius);
  def.youngs_modulus = c->youngs_modulus;
  def.shear_modulus = c->shear_modulus;
  for (int j = 0; j < c->n; j++) {
    for (int a = 0; a < 3; a++) {
      shear_stretch[component(j, a)] = c->shear_stretch;
      bend_twist[component(j, a)] = a == 2 ? c->twist : c->bend;
    }
  }
  if (c->shear_stretch > 0) def.shear_stiffness = shear_stretch;
  if (c->bend > 0) def.bend_stiffness = bend_twist;
  example_require(e, world, elastica_world_add_rod(world, &def, NULL));
  return world;
}

/* The passive cantilever of figure 5: a rod without optional effects. */
static elastica_world *bend_beam(example *e, int n) {
  const paper_case beam = {"", n, 3, 0.25, 981.7477042, 1e6, 1e4, 0, 0, 0, 0, 0, 0};
  elastica_world *world = lay_rod(e, &beam);
  elastica_rod *rod = elastica_world_rod(world, 0);
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));

  elastica_point_load_def tip;
  elastica_point_load_def_init(&tip, sizeof tip);
  tip.force[0] = -15;
  example_require(e, world, elastica_add_point_load(world, rod, &tip, NULL));

  elastica_dissipation_def friction;
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = 1000;
  friction.rotation = 1000.0 / 12; /* undamped frames gain energy over millions of steps */
  example_require(e, world, elastica_add_dissipation(world, rod, &friction, NULL));
  return world;
}

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double certified(const example *e, elastica_world *world) {
  elastica_step_limit limit;
  example_require(e, world, elastica_world_step_limit(world, &limit));
  return limit.dt;
}

/* A rod to be timed, and the shortest time of a step [s]. */
typedef struct timed_rod {
  elastica_world *world;
  result_run run;
  int n;
  double dt, seconds;
} timed_rod;

static timed_rod timed(example *e, elastica_world *world, int n) {
  const timed_rod rod = {world, e->run, n, 0.8 * certified(e, world), HUGE_VAL};
  return rod;
}

/* The rods take turns, so that a slow moment of the machine does not affect one rod alone. A first step without timing loads the rod
 * into the caches. */
static void time_steps(example *e, timed_rod *rods, int count, int rounds) {
  for (int round = 0; round < rounds; round++) {
    for (timed_rod *rod = rods; rod < rods + count; rod++) {
      const long steps = (long)(BLOCK / rod->n);
      e->run = rod->run;
      example_step(e, rod->world, rod->dt, 1);
      const double before = processor_time();
      example_step(e, rod->world, rod->dt, steps);
      rod->seconds = fmin(rod->seconds, (processor_time() - before) / (double)steps);
      rod->run = e->run;
      example_worked(e, 1);
    }
  }
}

static void done(example *e, const timed_rod *rod) {
  e->run = rod->run;
  example_done(e, rod->world);
}

static void time_sizes(example *e, int rounds) {
  timed_rod rods[SIZES];
  double x = 0, y = 0, xx = 0, xy = 0;
  for (int k = 0; k < SIZES; k++) rods[k] = timed(e, bend_beam(e, SIZE[k]), SIZE[k]);
  elastica_view *page = example_page(e, rods[N200].world);
  output_page_frame(&e->output, rods[N200].world, page);
  time_steps(e, rods, SIZES, rounds);
  output_page_frame(&e->output, rods[N200].world, page);
  elastica_csv *csv = example_csv(e, "sizes.csv");
  for (int k = 0; k < SIZES; k++) {
    const double ns = 1e9 * rods[k].seconds;
    done(e, &rods[k]);
    example_inform(e, ns / SIZE[k], "ns_per_element_step_n%d", SIZE[k]);
    example_row(e, csv, SIZE[k], ns, ns / SIZE[k]);
  }
  for (int k = N200; k < SIZES; k++) {
    const double lx = log(SIZE[k]), ly = log(rods[k].seconds);
    x += lx, y += ly, xx += lx * lx, xy += lx * ly;
  }
  const int fitted = SIZES - N200;
  example_check(e, (fitted * xy - x * y) / (fitted * xx - x * x), 1, 0.2, "exponent_of_n");
  for (int k = N400; k <= N800; k++) example_check(e, rods[k].seconds / rods[k - 1].seconds, 2, 0.5, "n%d_to_n%d", SIZE[k], SIZE[k - 1]);
}

static void time_cases(example *e, int rounds) {
  timed_rod rods[CASE_COUNT];
  double to_solution[CASE_COUNT];
  elastica_csv *csv = example_csv(e, "steps.csv");
  for (int k = 0; k < CASE_COUNT; k++) {
    const paper_case *c = &CASES[k];
    rods[k] = timed(e, lay_rod(e, c), c->n);
    if (c->critical <= 0) continue;
    const double limit = certified(e, rods[k].world);
    example_check(e, limit / c->critical, 0.85, 0.15, "certified_to_limit_%s", c->name);
    example_inform(e, limit / c->dt, "certified_to_paper_%s", c->name);
    example_row(e, csv, k, c->length / c->n, c->dt, limit, c->critical);
  }
  time_steps(e, rods, CASE_COUNT, rounds);
  for (int k = 0; k < CASE_COUNT; k++) {
    done(e, &rods[k]);
    to_solution[k] = rods[k].seconds * CASES[k].duration / CASES[k].dt;
    if (to_solution[k] > 0) example_inform(e, to_solution[k], "seconds_to_solution_%s", CASES[k].name);
  }
  example_check(e, to_solution[HELICAL_N800] / to_solution[HELICAL_N400], 4, 1, "helical_n800_to_n400");
  /* 2 in the paper. A fixed cost of f elements makes it (100 + f)/(50 + f), 1.5 for f = 50: no tolerance about 2 is valid on every
   * processor. */
  example_inform(e, to_solution[EULER_N100] / to_solution[EULER_N50], "euler_n100_to_n50");
}

static void draw(example *e) {
  char definitions[600], names[512] = "";
  for (int k = 0, place = 0; k < CASE_COUNT; k++) {
    if (CASES[k].critical <= 0) continue;
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s'%.*s, n = %d' %d", place > 0 ? ", " : "", (int)strcspn(CASES[k].name, "_"),
             CASES[k].name, CASES[k].n, place);
    place++;
  }
  snprintf(definitions, sizeof definitions, "cases = \"%s\"\n", names);
  example_plot(e, 1300, 600, definitions, "n = %d to %d, dt = 0.8 of the certified step", SIZE[0], SIZE[SIZES - 1]);
}

int main(int argc, char **argv) {
  static const example_file files[] = {
      {"sizes.csv", "n [-],cost of a step [ns],cost of an element and step [ns]", "the cantilever, one row for each n.", FILE_ALWAYS},
      {"steps.csv", "case [-],length of an element [m],step of the paper [s],certified step [s],linear limit [s]",
       "the rods of the paper, in the order of the results.", FILE_ALWAYS}};
  const example_about about = {.name = "timings",
                               .title = "the cost of steps and their largest stable size (Gazzola et al. 2018, figure 20)",
                               .quick = "each cost is the minimum of 150 runs; 1 s",
                               .normal = "each cost is the minimum of 500 runs; 6 s",
                               .full = "each cost is the minimum of 5000 runs; 1 min",
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  example_begin(&e, &about, argc, argv);
  if (e.options.dt > 0) options_refuse(&about, "--dt: each rod has a step of its own");
  const int rounds = e.options.mode == EXAMPLE_QUICK ? 150 : e.options.mode == EXAMPLE_FULL ? 5000 : 500;
  example_expect(&e, rounds * (SIZES + CASE_COUNT));
  time_sizes(&e, rounds);
  time_cases(&e, rounds);
  draw(&e);
  return example_end(&e);
}
