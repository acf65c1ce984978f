/* The parts of a bundled program other than the experiment: command line, step, progress bar, result table, files.
 *
 *   int main(int argc, char **argv) {
 *     example e;
 *     example_begin(&e, &about, argc, argv);
 *     elastica_world *world = example_papers_world(&e);
 *     ... add rods and effects, each call inside example_require(&e, world, ...) ...
 *     example_expect(&e, 100);
 *     for (int frame = 1; frame <= 100; frame++) {
 *       example_advance(&e, world, frame * duration / 100);
 *       example_worked(&e, 1);
 *     }
 *     example_check(&e, tip, -0.0612, 1e-6, "tip");
 *     example_done(&e, world);
 *     return example_end(&e);
 *   }
 *
 * A simulation or a file that fails ends the program with status 3 and the library's sentence. Divide time into the same pieces for all
 * options: the last step of a piece is shortened, so that other pieces give other bits.
 */
#ifndef EXAMPLES_EXAMPLE_H
#define EXAMPLES_EXAMPLE_H

#include "options.h"
#include "output.h"
#include "progress.h"
#include "result.h"
#include <elastica.h>

/* Components of vectors in the laboratory frame, and of arrays with a vector, or a frame of three directors, for each node or element. */
enum { X, Y, Z };

static inline int component(int i, int axis) {
  return 3 * i + axis;
}

static inline int frame_entry(int j, int director, int axis) {
  return 9 * j + 3 * director + axis;
}

typedef struct example {
  const example_about *about;
  example_options options;
  double dt; /* [s] step of example_advance; 0: the certified one. Initially --dt; a case with a step of its own sets it if it is 0. */
  example_output output;
  example_results results;
  example_progress progress;
  result_run run;          /* of the present world */
  elastica_budget *budget; /* likewise; NULL without --budget */
  double element_steps;    /* of all worlds */

  /* For certify: the unit of example_worked, and the shortest step and piece of time so far [s]. */
  int work_is_steps;
  long pieces; /* for --restart: number of pieces of time so far */
  double shortest_step, shortest_piece;
} example;

/* Keeps the pointer about, which must remain valid until example_end. */
void example_begin(example *e, const example_about *about, int argc, char **argv);

/* Creates an empty world with the threads of the command line. Starts the clock of the timing line. */
elastica_world *example_world(example *e);

/* Creates a world with other options: law, couple. */
elastica_world *example_world_of(example *e, elastica_world_def def);

/* The options of the papers' figures: RESCALED law, truncated couple of the joints; and a world with these options. */
elastica_world_def example_papers_law(void);
elastica_world *example_papers_world(example *e);

/* Ends the program with status 3 and the library's sentence if status is not OK. */
void example_require(const example *e, const elastica_world *world, elastica_status status);

/* Advances to a time [s]. If the case has its own step, to the nearest multiple of that step. */
void example_advance(example *e, elastica_world *world, double until);

/* Ends the program with status 2 if --dt is longer than a piece of the run [s] at the end of which something is measured. Programs that
 * count the steps of a piece call it first; example_advance does so, too. */
void example_fit(const example *e, double piece);

/* Takes count steps of dt. */
void example_step(example *e, elastica_world *world, double dt, long count);

/* Relaxes to the equilibrium under the loads of the present time. On the timing line an evaluation of all forces counts as a step, as a
 * step is one evaluation. */
elastica_relax_result example_relax(example *e, elastica_world *world);

/* The same, and returns 1; 0 where relaxation finds no equilibrium, with the library's sentence in elastica_world_message. */
int example_try_relax(example *e, elastica_world *world, elastica_relax_result *out);

/* Closes a world's frames, notes its timing and step, destroys it. */
void example_done(example *e, elastica_world *world);

/* Largest speed of the nodes of a rod [m/s], a measure of its distance from rest. */
double example_speed(const elastica_rod *rod);

/* The progress bar: the total work, in any unit, and the work just done. */
void example_expect(example *e, double work);
void example_worked(example *e, double work);

/* Lines of the result table. The quantity is formatted by printf's rules and has no spaces. */
void example_check(example *e, double computed, double expected, double tolerance, const char *quantity, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;
void example_inform(example *e, double computed, const char *quantity, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Opens a curve of about->files with the columns described there; NULL without --out. */
elastica_csv *example_csv(example *e, const char *name);

/* The frames of a world: name.pvd of about->files; NULL without --out. The frames of the first such world also appear on the page,
 * NAME.html. */
elastica_vtk *example_vtk(example *e, elastica_world *world, const char *name);

/* The page of a world without frames for ParaView; NULL without --out, or if the program already has its page. See output_page_frame. */
elastica_view *example_page(example *e, elastica_world *world);

/* Opens the page with a frame per interval [s], added by a sampler. */
void example_film(example *e, elastica_world *world, double interval);

/* Writes plot.gp: definitions of variables (may be NULL), and the script of the program, about->script.gp or NAME.gp (see output_draw). The
 * script has a string `heading` of two lines for the head of the figure: the title of the program, and the parameters of the run, "n = 50,
 * dt = 1e-5 s", by printf's rules, with the mode. */
void example_plot(example *e, int width, int height, const char *definitions, const char *run, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

/* A row of a curve (nothing without --out): example_row(&e, csv, t, x, y). */
#define example_row(e, csv, ...)                                                                                                           \
  output_row(&(e)->output, csv, (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)), (const double[]){__VA_ARGS__})

/* Closes the files, runs --certify, prints the table, and returns the exit status. */
int example_end(example *e);

#endif
