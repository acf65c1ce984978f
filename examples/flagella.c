/* Flagella: a thin filament with a cluster of beating heart cells beside it swims in a viscous fluid, head first.
 *
 * source    Zhang et al. 2019, "Modeling and simulation of complex dynamic musculoskeletal architectures", figure 2a and b, original
 *           design, after the swimmer of Williams et al. 2014
 * claim     it swims as far as the experiment
 * settings  those of the authors' program in SI. The filament is 18 elements of silicone, four of them a thick head; the cells are a rod of
 *           two elements beside elements 4 and 5, with a tension of 12 uN |sin(w t)| along their edges. Drag of a slender body on the
 *           filament, viscosity 1.2 mPa s. Mass and drag of the tail are those of 7 um, its stiffness that of a round rod of 5.3 um
 * joint     the authors pull the ends of the cells to points beside the middles of the two elements by springs, drop the force that the
 *           filament should feel, and give it a quarter of the difference of the two moments. `authors` below does the same, and is compared
 *           with their program: place of node 9 and its mean speed. Joints that keep momentum, two of the library's balls on the same points
 *           with the same springs, are INFO, as is drag on the cells
 * inertia   `scaled` has the rotary inertia of the filament times ROTARY: a step of 15 times the authors', which must not change the speed. The
 *           cells keep theirs: with more, their dissipation, which acts on the spin, no longer stops them from folding up
 * step      as it is, 0.8 of the certified limit is 1.33 times the authors' 5e-8 s: the first element of the tail shears and turns fastest. With
 *           5e-8 s the places of their program come out to every digit for 2 s; from then on two steps differ by up to 0.6 um, for nothing damps
 *           the fast waves of the filament but the fluid
 */
#include "common/example.h"
#include "common/line.h"
#include <math.h>
#include <stdio.h>

enum { ELEMENTS = 18, HEAD = 4, CELLS = 2, BESIDE = 4, SEEN = 9, FRAMES = 325, SETTLED = 50, BEAT = 14 };

static const double FRAME = 0.02;                                                       /* [s] */
static const double LENGTH = 1.927e-3, HEAD_RADIUS = 20e-6, TAIL_RADIUS = 7e-6;         /* [m] */
static const double STIFF_RADIUS = 5.3e-6;                                              /* [m] of the tail's stiffness and inertia */
static const double DENSITY = 965, YOUNGS_MODULUS = 3.86e6;                             /* [kg/m^3] [Pa] */
static const double CELL_RADIUS = 10e-6, CELL_LENGTH = 0.107056e-3, CELL_DENSITY = 260; /* [m] [m] [kg/m^3] */
static const double CELL_MODULUS = 3e4, CELL_DAMPING = 1e-6, CELL_SPIN_DAMPING = 1e-12; /* [Pa] [kg/(m s)] [kg m/s] */
static const double ARM = 5.3e-6, STIFFNESS = 0.38;                                     /* [m] [N/m] */
static const double TENSION = 12e-6, BEATS = 1.8, VISCOSITY = 1.2e-3;                   /* [N] [1/s] [Pa s] */
static const double ROTARY = 150;                                                       /* factor of `scaled` */

/* The authors' program: t [s], x and y [m] of node 9; and the speed of a line through x after 1 s [m/s]. */
static const double PUBLISHED[][3] = {{0.02, 0.962585e-3, -0.000432e-3}, {0.1, 0.949479e-3, 0.035747e-3}, {0.2, 0.949173e-3, 0.050493e-3},
                                      {0.28, 0.959531e-3, 0.025143e-3},  {1, 0.938055e-3, 0.049317e-3},   {2, 0.937522e-3, 0.016333e-3},
                                      {3, 0.924859e-3, 0.043421e-3},     {4, 0.909660e-3, 0.034141e-3},   {5, 0.913176e-3, 0.020196e-3},
                                      {6, 0.888591e-3, 0.040849e-3},     {6.5, 0.885108e-3, 0.029727e-3}};
enum { SAMPLES = sizeof PUBLISHED / sizeof *PUBLISHED };
static const double PUBLISHED_SPEED = 9.83e-6;

typedef enum joint_law { AUTHORS, BALLS } joint_law;

typedef struct variant {
  const char *name;
  joint_law joint;
  double rotary; /* rotary_inertia_scale */
  int wet_cells; /* 1: drag on the cells, too */
} variant;

typedef struct swimmer {
  elastica_world *world;
  elastica_rod *body, *cells;
  double x[FRAMES + 1], y[FRAMES + 1]; /* [m] of node 9 at each frame */
  double off_plane;                    /* [m] */
  double dt;                           /* [s] */
} swimmer;

/* ---- The authors' joint ---- */

typedef struct glue {
  int body, cells; /* numbers of the rods */
  double stiffness, arm;
} glue;

/* Pulls a node of the cells to its point beside element j of the body; returns the moment about z that the force would have on the body. */
static double pull_cell(const glue *by, elastica_world_loads *all, int j, int node) {
  const elastica_rod_view *body = all->rods[by->body], *cells = all->rods[by->cells];
  const double *const *t = body->tangent;
  const double across = sqrt(t[X][j] * t[X][j] + t[Y][j] * t[Y][j]);
  const double arm[3] = {by->arm * t[Y][j] / across, -by->arm * t[X][j] / across, 0}; /* -h unit(z x edge) */
  double force[3];
  for (int a = 0; a < 3; a++) {
    const double point = (body->position[a][j] + body->position[a][j + 1]) / 2 + arm[a];
    force[a] = by->stiffness * (cells->position[a][node] - point);
    all->loads[by->cells].force[a][node] -= force[a];
  }
  return arm[X] * force[Y] - arm[Y] * force[X];
}

static elastica_status pull_cells(void *self, const elastica_instant *now, elastica_world_loads *all) {
  const glue *by = self;
  const elastica_rod_view *body = all->rods[by->body];
  (void)now;
  const double first = pull_cell(by, all, BESIDE, 0), second = pull_cell(by, all, BESIDE + 1, CELLS);
  const double couple = (first - second) / 4; /* a half is the mean; the authors halve it once more */
  for (int q = 0; q < 2; q++)
    for (int d = 0; d < 3; d++)
      all->loads[by->body].couple[d][BESIDE + q] += (q == 0 ? couple : -couple) * body->director[d][Z][BESIDE + q];
  return ELASTICA_OK;
}

static elastica_status bound_glue(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *bounds) {
  const glue *by = self;
  (void)now;
  for (int q = 0; q < 2; q++) {
    if (rod->rod_index == by->cells) bounds->node[q * CELLS] += 2 * by->stiffness;
    if (rod->rod_index == by->body) bounds->element[BESIDE + q] += by->stiffness * by->arm * by->arm;
  }
  return ELASTICA_OK;
}

static void add_authors_joint(example *e, const swimmer *s) {
  const glue by = {elastica_rod_index(s->body), elastica_rod_index(s->cells), STIFFNESS, ARM};
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "authors' joint";
  module.self = &by;
  module.self_size = sizeof by;
  module.add_world_loads = pull_cells;
  module.add_stiffness = bound_glue;
  module.parallel_safe = 1;
  example_require(e, s->world, elastica_world_add_module(s->world, NULL, &module, NULL));
}

static void add_balls(example *e, const swimmer *s) {
  for (int q = 0; q < 2; q++) {
    elastica_joint_def ball;
    elastica_joint_def_init(&ball, sizeof ball);
    ball.first = (elastica_anchor){.rod = s->body, .element = BESIDE + q, .share = 0.5, .offset = {0, ARM, 0}}; /* d2 is -y */
    ball.second = (elastica_anchor){.rod = s->cells, .element = q * (CELLS - 1), .share = q};
    ball.stiffness = STIFFNESS;
    example_require(e, s->world, elastica_add_joint(s->world, &ball, NULL));
  }
}

/* ---- The swimmer ---- */

static elastica_rod_def along_x(int n, double length, double density, double youngs_modulus, double rotary) {
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.length = length, def.density = density;
  def.youngs_modulus = youngs_modulus, def.shear_modulus = 2 * youngs_modulus / 3; /* as in all of the authors' programs */
  def.direction[X] = 1, def.direction[Z] = 0;
  def.normal[X] = def.normal[Y] = 0, def.normal[Z] = 1;
  def.rotary_inertia_scale = rotary;
  return def;
}

/* A joint's stiffness is the mean of its two elements. The authors' joint 3, between head and tail, is as stiff as the head: head values that
 * alternate by the right amount give joints 0 to 3 that of the head and the others that of the tail. */
static elastica_rod *add_body(example *e, elastica_world *world, double rotary) {
  const double young = YOUNGS_MODULUS, pi = acos(-1), length = LENGTH / ELEMENTS;
  const double head = pi * pow(HEAD_RADIUS, 4) / 4, tail = pi * pow(STIFF_RADIUS, 4) / 4;
  double radius[ELEMENTS], shear[3 * ELEMENTS], bend[3 * ELEMENTS], inertia[3 * ELEMENTS];
  elastica_rod *rod = NULL;
  elastica_rod_def def = along_x(ELEMENTS, LENGTH, DENSITY, young, rotary);
  for (int j = 0; j < ELEMENTS; j++) {
    const int thick = j < HEAD, high = thick && j % 2 == 1;
    const double second = thick ? head : tail, r = thick ? HEAD_RADIUS : STIFF_RADIUS;
    radius[j] = thick ? HEAD_RADIUS : TAIL_RADIUS;
    for (int d = 0; d < 3; d++) {
      const double polar = d == 2 ? 2 : 1, modulus = d == 2 ? 2 * young / 3 : young;
      shear[component(j, d)] = pi * r * r * (d == 2 ? young : 4.0 / 3 * 2 * young / 3);
      bend[component(j, d)] = modulus * polar * (high ? 2 * head - tail : tail);
      inertia[component(j, d)] = DENSITY * length * polar * second;
    }
  }
  def.element_radius = radius;
  def.shear_stiffness = shear, def.bend_stiffness = bend, def.inertia = inertia;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static elastica_status beat(void *user, double time, double x, double *activation) {
  (void)user, (void)x;
  *activation = fabs(sin(2 * acos(-1) * BEATS * time));
  return ELASTICA_OK;
}

static elastica_rod *add_cells(example *e, elastica_world *world) {
  elastica_rod *rod = NULL;
  elastica_rod_def def = along_x(CELLS, CELL_LENGTH, CELL_DENSITY, CELL_MODULUS, 1);
  def.start[X] = (BESIDE + 0.5) * CELL_LENGTH, def.start[Y] = -ARM;
  def.radius = CELL_RADIUS;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));

  elastica_dissipation_def friction;
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = CELL_DAMPING, friction.rotation = CELL_SPIN_DAMPING;
  example_require(e, world, elastica_add_dissipation(world, rod, &friction, NULL));
  elastica_contraction_def tension;
  elastica_contraction_def_init(&tension, sizeof tension);
  tension.maximum_force = TENSION;
  tension.function = beat;
  example_require(e, world, elastica_add_contraction(world, rod, &tension, NULL));
  return rod;
}

static void add_fluid(example *e, elastica_world *world, elastica_rod *rod) {
  elastica_drag_def drag;
  elastica_drag_def_init(&drag, sizeof drag);
  drag.viscosity = VISCOSITY;
  example_require(e, world, elastica_add_drag(world, rod, &drag, NULL));
}

static void build(example *e, swimmer *s, const variant *as) {
  elastica_world *world = example_papers_world(e);
  *s = (swimmer){.world = world};
  s->body = add_body(e, world, as->rotary);
  s->cells = add_cells(e, world);
  add_fluid(e, world, s->body);
  if (as->wet_cells) add_fluid(e, world, s->cells);
  if (as->joint == AUTHORS) add_authors_joint(e, s);
  if (as->joint == BALLS) add_balls(e, s);
}

/* ---- Its motion ---- */

static void write_shape(example *e, elastica_csv *csv, const swimmer *s, int frame) {
  const elastica_rod_view *body = elastica_rod_get_view(s->body), *cells = elastica_rod_get_view(s->cells);
  for (int i = 0; i <= ELEMENTS; i++)
    example_row(e, csv, frame * FRAME, i, body->position[X][i], body->position[Y][i], i <= CELLS ? cells->position[X][i] : NAN,
                i <= CELLS ? cells->position[Y][i] : NAN);
}

static void swim(example *e, swimmer *s, const variant *as, int frames) {
  char file[64];
  build(e, s, as);
  const elastica_rod_view *body = elastica_rod_get_view(s->body);
  snprintf(file, sizeof file, "%s.csv", as->name);
  elastica_csv *csv = example_csv(e, file), *shapes = as->joint == AUTHORS && as->rotary > 1 ? example_csv(e, "shapes.csv") : NULL;
  elastica_vtk *vtk = shapes ? example_vtk(e, s->world, "flagella") : NULL;
  for (int frame = 0; frame <= frames; frame++) {
    if (frame > 0) {
      example_advance(e, s->world, frame * FRAME);
      example_worked(e, FRAME / sqrt(as->rotary));
    }
    s->x[frame] = body->position[X][SEEN], s->y[frame] = body->position[Y][SEEN];
    for (int i = 0; i <= ELEMENTS; i++) s->off_plane = fmax(s->off_plane, fabs(body->position[Z][i]));
    example_row(e, csv, frame * FRAME, s->x[frame], s->y[frame]);
    if (frame <= BEAT) write_shape(e, shapes, s, frame);
    output_frame(&e->output, s->world, vtk);
  }
  s->dt = e->run.dt;
  example_done(e, s->world);
}

/* Of the line of least squares through x after 1 s, towards -x [m/s]. */
static double speed(const swimmer *s, int frames) {
  double time[FRAMES + 1];
  for (int k = SETTLED + 1; k <= frames; k++) time[k] = k * FRAME;
  return -line_through(time + SETTLED + 1, s->x + SETTLED + 1, frames - SETTLED).slope;
}

/* Places to 0.2 um, that is 1 % of what a beat moves them by; after 2 s to 1 um (see step). */
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
  example_plot(e, 1500, 620,
               "set multiplot layout 1,2 title heading\nset grid lt 1 lw 0.5 lc rgb 'gray80'\n"
               "set title 'one beat, from dark to light (y drawn 5 times as large as x)'\nset xlabel 'x [mm]'\nset ylabel 'y [mm]'\n"
               "set palette defined (0 'dark-blue', 1 'light-blue')\nset cbrange [0:14]\nunset colorbox\nset size ratio -5\n"
               "plot for [k=0:14:2] 'shapes.csv' using (abs($1-0.02*k) < 1e-3 ? 1e3*$3 : NaN):(1e3*$4):(k) with lines lw 2 lc palette \\\n"
               "     title k ? '' : 'filament', \\\n"
               "     for [k=0:14:2] '' using (abs($1-0.02*k) < 1e-3 ? 1e3*$5 : NaN):(1e3*$6) with lines lw 4 lt 3 title k ? '' : 'cells'\n"
               "set size noratio\nset title 'node 9'\nset xlabel 't [s]'\nset ylabel 'x - x(0) [um]'\n"
               "plot 'scaled.csv' using 1:(1e6*($2-0.9635e-3)) with lines lw 1 lt 1 title 'filament', \\\n"
               "     'published.csv' using 1:(1e6*($2-0.9635e-3)) with points pt 6 ps 1.5 lw 2 lc rgb 'black' title 'published', \\\n"
               "     2.9-9.83*x with lines lw 2 dt 2 lt 2 title '-9.83 um/s'\n"
               "unset multiplot\n",
               "filament n = %d, cells n = %d", ELEMENTS, CELLS);
}

#define COLUMNS "time [s],x of node 9 [m],y of node 9 [m]"

int main(int argc, char **argv) {
  static const example_file files[] = {{"scaled.csv", COLUMNS, "the authors' joint, rotary inertia scaled.", FILE_ALWAYS},
                                       {"shapes.csv", "time [s],node [-],x [m],y [m],x of the cells [m],y of the cells [m]",
                                        "the same: shapes in the first beat.", FILE_ALWAYS},
                                       {"published.csv", COLUMNS, "what the authors' program had.", FILE_ALWAYS},
                                       {"flagella.pvd", NULL, "filament and cells", FILE_ALWAYS},
                                       {"authors.csv", COLUMNS, "the authors' joint, rotary inertia as it is.", FILE_ONLY_FULL},
                                       {"joints.csv", COLUMNS, "joints that keep momentum, rotary inertia scaled.", FILE_ONLY_FULL},
                                       {"wet.csv", COLUMNS, "the same with drag on the cells.", FILE_ONLY_FULL}};
  const example_about about = {.name = "flagella",
                               .title = "a swimmer driven by heart cells (Zhang et al. 2019)",
                               .quick = "0.28 s, one beat, with scaled rotary inertia; 1 s",
                               .normal = "6.5 s with scaled rotary inertia; 8 s",
                               .full = "6.5 s also with the rotary inertia as it is, and with other joints; 100 s",
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  const variant scaled = {"scaled", AUTHORS, ROTARY, 0}, authors = {"authors", AUTHORS, 1, 0};
  const variant others[] = {{"joints", BALLS, ROTARY, 0}, {"wet", BALLS, ROTARY, 1}};
  static swimmer s, as_it_is;
  example e;
  example_begin(&e, &about, argc, argv);
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
