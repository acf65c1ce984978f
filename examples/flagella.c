/* Flagella: a thin filament with a cluster of beating heart cells beside it swims in a viscous fluid, head first.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", figure 2a and b, original
 *           design, after the swimmer of Williams et al. 2014
 * claim     it swims as far as the experiment
 * settings  those of the authors' program in SI: common/flagellum.h
 * joint     `authors` omits the opposite force on the filament, like their program, and is compared with it: position of node 9 and its
 *           mean speed. Joints that conserve momentum, two of the library's balls on the same points with the same springs, are INFO, as
 *           is drag on the cells
 * inertia   `scaled` has the rotary inertia of the filament times ROTARY: a step of 14 times the authors'; the speed must not change.
 *           The cells keep their inertia: with more, their dissipation of spin no longer stops them from folding up
 * step      without scaling, 0.8 of the certified limit is 1.33 times the authors' 5e-8 s: the first element of the tail shears and
 *           turns fastest. With 5e-8 s all digits of their positions are reproduced for 2 s; from then on results of two steps differ by
 *           up to 0.6 um, since only the fluid damps the fast waves of the filament
 */
#include "common/design.h"
#include "common/flagellum.h"
#include "common/line.h"
#include <math.h>
#include <stdio.h>

enum { FRAMES = 325, SETTLED = 50, BEAT = 14 };

static const double FRAME = 0.02; /* [s] */
static const double ROTARY = 150; /* factor of `scaled` */

/* The authors' program: t [s], x and y [m] of node 9; and the speed of a line through x after 1 s [m/s]. */
static const double PUBLISHED[][3] = {{0.02, 0.962585e-3, -0.000432e-3}, {0.1, 0.949479e-3, 0.035747e-3}, {0.2, 0.949173e-3, 0.050493e-3},
                                      {0.28, 0.959531e-3, 0.025143e-3},  {1, 0.938055e-3, 0.049317e-3},   {2, 0.937522e-3, 0.016333e-3},
                                      {3, 0.924859e-3, 0.043421e-3},     {4, 0.909660e-3, 0.034141e-3},   {5, 0.913176e-3, 0.020196e-3},
                                      {6, 0.888591e-3, 0.040849e-3},     {6.5, 0.885108e-3, 0.029727e-3}};
enum { SAMPLES = sizeof PUBLISHED / sizeof *PUBLISHED };
static const double PUBLISHED_SPEED = 9.83e-6;

typedef struct variant {
  const char *name;
  flagellum_plan plan;
} variant;

typedef struct swimmer {
  flagellum is;
  double x[FRAMES + 1], y[FRAMES + 1]; /* [m] of node 9 at each frame */
  double off_plane;                    /* [m] */
  double dt;                           /* [s] */
} swimmer;

/* ---- Its motion ---- */

static void write_shape(example *e, elastica_csv *csv, const swimmer *s, int frame) {
  const elastica_rod_view *body = elastica_rod_get_view(s->is.body), *cells = elastica_rod_get_view(s->is.cells);
  for (int i = 0; i <= FLAGELLUM_ELEMENTS; i++)
    example_row(e, csv, frame * FRAME, i, body->position[X][i], body->position[Y][i], i <= FLAGELLUM_CELLS ? cells->position[X][i] : NAN,
                i <= FLAGELLUM_CELLS ? cells->position[Y][i] : NAN);
}

static void swim(example *e, swimmer *s, const variant *as, int frames) {
  char file[64];
  *s = (swimmer){.off_plane = 0};
  flagellum_build(e, &s->is, &as->plan);
  const elastica_rod_view *body = elastica_rod_get_view(s->is.body);
  snprintf(file, sizeof file, "%s.csv", as->name);
  elastica_csv *csv = example_csv(e, file),
               *shapes = as->plan.joint == FLAGELLUM_AUTHORS && as->plan.rotary > 1 ? example_csv(e, "shapes.csv") : NULL;
  elastica_vtk *vtk = shapes ? example_vtk(e, s->is.world, "flagella") : NULL;
  for (int frame = 0; frame <= frames; frame++) {
    if (frame > 0) {
      example_advance(e, s->is.world, frame * FRAME);
      example_worked(e, FRAME / sqrt(as->plan.rotary));
    }
    s->x[frame] = body->position[X][FLAGELLUM_SEEN], s->y[frame] = body->position[Y][FLAGELLUM_SEEN];
    for (int i = 0; i <= FLAGELLUM_ELEMENTS; i++) s->off_plane = fmax(s->off_plane, fabs(body->position[Z][i]));
    example_row(e, csv, frame * FRAME, s->x[frame], s->y[frame]);
    if (frame <= BEAT) write_shape(e, shapes, s, frame);
    output_frame(&e->output, s->is.world, vtk);
  }
  s->dt = e->run.dt;
  example_done(e, s->is.world);
}

/* Slope of the line of least squares through x after 1 s, towards -x [m/s]. */
static double speed(const swimmer *s, int frames) {
  double time[FRAMES + 1];
  for (int k = SETTLED + 1; k <= frames; k++) time[k] = k * FRAME;
  return -line_through(time + SETTLED + 1, s->x + SETTLED + 1, frames - SETTLED).slope;
}

/* Positions to 0.2 um, 1 % of the displacement by a beat; after 2 s to 1 um (see step). */
static void compare(example *e, const swimmer *s, const variant *as, int frames) {
  for (int k = 0; k < SAMPLES; k++) {
    const int frame = (int)lround(PUBLISHED[k][0] / FRAME);
    const double tolerance = PUBLISHED[k][0] > 2 ? 1e-6 : 0.2e-6;
    if (frame > frames) continue;
    example_check(e, s->x[frame], PUBLISHED[k][1], tolerance, "%s_x_at_%gs", as->name, PUBLISHED[k][0]);
    example_check(e, s->y[frame], PUBLISHED[k][2], tolerance, "%s_y_at_%gs", as->name, PUBLISHED[k][0]);
  }
  if (frames == FRAMES) example_check(e, speed(s, frames), PUBLISHED_SPEED, 0.03 * PUBLISHED_SPEED, "%s_speed", as->name);
  example_check(e, s->off_plane, 0, 1e-12, "%s_out_of_the_plane", as->name);
}

static void draw(example *e) {
  elastica_csv *csv = example_csv(e, "published.csv");
  for (int k = 0; k < SAMPLES; k++) example_row(e, csv, PUBLISHED[k][0], PUBLISHED[k][1], PUBLISHED[k][2]);
  example_plot(e, 1500, 620, NULL, "filament n = %d, cells n = %d", FLAGELLUM_ELEMENTS, FLAGELLUM_CELLS);
}

#define COLUMNS "time [s],x of node 9 [m],y of node 9 [m]"

int main(int argc, char **argv) {
  static const example_file files[] = {{"scaled.csv", COLUMNS, "the authors' joint, rotary inertia scaled.", FILE_ALWAYS},
                                       {"shapes.csv", "time [s],node [-],x [m],y [m],x of the cells [m],y of the cells [m]",
                                        "the same: shapes in the first beat.", FILE_ALWAYS},
                                       {"published.csv", COLUMNS, "values of the authors' program.", FILE_ALWAYS},
                                       {"flagella.pvd", NULL, "filament and cells", FILE_ALWAYS},
                                       {"authors.csv", COLUMNS, "the authors' joint, rotary inertia not scaled.", FILE_ONLY_FULL},
                                       {"joints.csv", COLUMNS, "joints that conserve momentum, rotary inertia scaled.", FILE_ONLY_FULL},
                                       {"wet.csv", COLUMNS, "the same with drag on the cells.", FILE_ONLY_FULL}};
  static const char *text;
  static const case_option options[] = {
      DESIGN_OPTION(text, DESIGN_FLAGELLA,
                    "only evaluate a design, by 18 beats: length [mm] and radius [um] of the head, radius of\n"
                    "the tail [um], start of the cells [mm]")};
  const example_about about = {.name = "flagella",
                               .title = "a swimmer driven by heart cells (Zhang et al. 2019)",
                               .quick = "0.28 s, one beat, with scaled rotary inertia; 1 s",
                               .normal = "6.5 s with scaled rotary inertia; 8 s",
                               .full = "6.5 s also without scaled rotary inertia, and with other joints; 100 s",
                               .options = options,
                               .option_count = sizeof options / sizeof *options,
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  const variant scaled = {"scaled", {FLAGELLUM_ORIGINAL, FLAGELLUM_AUTHORS, ROTARY, 0}};
  const variant authors = {"authors", {FLAGELLUM_ORIGINAL, FLAGELLUM_AUTHORS, 1, 0}};
  const variant others[] = {{"joints", {FLAGELLUM_ORIGINAL, FLAGELLUM_BALLS, ROTARY, 0}},
                            {"wet", {FLAGELLUM_ORIGINAL, FLAGELLUM_BALLS, ROTARY, 1}}};
  static swimmer s, as_it_is;
  example e;
  example_begin(&e, &about, argc, argv);
  if (text) design_evaluate(&e, "flagella", text, DESIGN_WHOLE);
  const int full = e.options.mode == EXAMPLE_FULL, frames = e.options.mode == EXAMPLE_QUICK ? BEAT : FRAMES;
  example_expect(&e, frames * FRAME * ((full ? 3 : 1) / sqrt(ROTARY) + (full ? 1 : 0)));
  swim(&e, &s, &scaled, frames);
  compare(&e, &s, &scaled, frames);
  example_inform(&e, s.dt / 5e-8, "scaled_step_over_that_of_the_authors");
  if (full) {
    swim(&e, &as_it_is, &authors, frames);
    compare(&e, &as_it_is, &authors, frames);
    example_check(&e, speed(&s, frames) / speed(&as_it_is, frames), 1, 0.01, "speed_scaled_over_as_it_is");
    example_inform(&e, as_it_is.dt / 5e-8, "authors_step_over_that_of_the_authors");
    for (int k = 0; k < 2; k++) {
      swim(&e, &s, &others[k], frames);
      example_inform(&e, speed(&s, frames), "%s_speed", others[k].name);
    }
  }
  draw(&e);
  return example_end(&e);
}
