/* Vertical oscillation: a rod hangs from one end and is released at its rest length, with and without a mass on the other end.
 *
 * source    Gazzola et al. 2018, section 3.4.2 and figure 4
 * claim     the stiffer the rod, the closer its length to that of the oscillator L(t) = L^ + [1 + sin(2 pi t/T - pi/2)] dL with
 *           dL = g (m_p + m_r/2)/k, T = 2 pi sqrt((m_p + m_r/xi)/k), k = E A^/L^, xi = 3 (m_p >> m_r) or pi^2/4 (m_p = 0)   (3.12, 3.13)
 * compared  with a one-dimensional integration of (3.8), same n and dt, that shares no code with this library; for the heavy mass also the
 *           massless nonlinear spring of energy E A^ L^ (e - 1 - ln e); for no mass and large E d'Alembert's solution
 *
 * A bar without end mass does not follow the sine exactly: its end moves on parabolas with a difference of 0.056 dL, the limit of the
 * errors of case b. At E = 1e4 Pa the weight is 0.98 E A^; the rod becomes thinner as it stretches and does not return in the time
 * shown.
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double GRAVITY = 9.81, DENSITY = 1e3, LENGTH = 1, ROD_MASS = 1; /* [m/s^2] [kg/m^3] [m] [kg] */
static const double TIP_MASS[2] = {100, 0};                                  /* [kg] cases a and b */
enum { ELEMENTS = 100, MOST = 7 };

/* The one-dimensional integration with dt = 0.2 (L/n) sqrt(density/E): E [Pa], first maximum [dL] and its time [T], error over the first
 * period (largest, root mean square, mean [dL]); maximum and time with the paper's dt = 1e-6 T; maximum and half period of the spring. */
typedef struct expectation {
  double modulus, maximum, time, largest, l2, l1, paper_maximum, paper_time, spring_maximum, spring_time;
} expectation;

static const expectation EXPECTED[2][MOST] = {
    {{1e7, 2.2968364282, 0.5549389711, 0.7066510776, 0.3926285627, 0.2877237958, 2.296836427, 0.55493897, 2.2968315617, 0.5549274811},
     {2e7, 2.1394520136, 0.5259917332, 0.3339601596, 0.1830284091, 0.1337951426, 2.139452013, 0.52599174, 2.1394487957, 0.5259807046},
     {3e7, 2.0911252661, 0.5170247798, 0.2183900550, 0.1191239528, 0.0868712939, 2.091125266, 0.51702478, 2.0911224840, 0.5170138916},
     {5e7, 2.0538205986, 0.5100765148, 0.1290101642, 0.0701077325, 0.0509965776, 2.053820598, 0.51007652, 2.0538181310, 0.5100657350},
     {1e8, 2.0265987815, 0.5049913681, 0.0637524558, 0.0345500000, 0.0250747002, 2.026598781, 0.50499137, 2.0265965317, 0.5049806678},
     {1e10, 2.0002649866, 0.5000599236, 0.0006368230, 0.0003433723, 0.0002483904, 2.000264987, 0.50005991, 2.0002629382, 0.5000493000}},
    {{1e4, 0, 0, 6.8922166107, 3.0891319124, 2.0744099627, 0, 0, 0, 0}, /* no maximum */
     {2e4, 3.4547103965, 0.8190123190, 3.2518887322, 1.7089144771, 1.1890668835, 3.454709024, 0.81901324, 0, 0},
     {3e4, 2.7670006617, 0.6698647239, 1.9840853387, 1.0860078891, 0.7785984229, 2.767000187, 0.66985396, 0, 0},
     {5e4, 2.3952694575, 0.5881267971, 1.0966292228, 0.5869188620, 0.4335176925, 2.395270933, 0.58812786, 0, 0},
     {1e5, 2.1788957524, 0.5400782684, 0.5259894058, 0.2678172255, 0.2040719713, 2.178893163, 0.54012904, 0, 0},
     {2e5, 2.0854192481, 0.5192257260, 0.2765314991, 0.1317466486, 0.1041745751, 2.085415170, 0.51920339, 0, 0},
     {1e9, 2.0000154946, 0.5000699972, 0.0560517270, 0.0358375620, 0.0300448168, 2.000013446, 0.49996850, 0, 0}}};

/* Results of a run: as above, then the largest elongation, and the distance from the parabolas in the first period [dL]. */
typedef struct oscillation {
  double maximum, time, largest, l2, l1, highest, off_parabolas;
} oscillation;

/* Elongation [dL] of the end of a stiff bar after its release, from waves that travel up and down. */
static double parabolas(double periods) {
  const double x = 4 * fabs(periods - floor(periods + 0.5)); /* 0 at rest length, 2 at the bottom */
  return x <= 1 ? x * x : 2 - (2 - x) * (2 - x);
}

static elastica_rod *hang(const example *e, elastica_world *world, int n, double modulus, double tip_mass) {
  const double gravity[3] = {0, 0, -GRAVITY};
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.direction[2] = -1;
  def.length = LENGTH;
  def.radius = sqrt(ROD_MASS / (DENSITY * LENGTH * acos(-1)));
  def.density = DENSITY;
  def.youngs_modulus = modulus;
  def.shear_modulus = 2 * modulus / 3;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));

  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  clamp.kind = ELASTICA_BOUNDARY_FRAME;
  example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));

  elastica_node_mass_def mass;
  elastica_node_mass_def_init(&mass, sizeof mass);
  mass.mass = tip_mass;
  example_require(e, world, elastica_add_node_mass(world, rod, &mass, NULL));
  example_require(e, world, elastica_add_gravity(world, gravity, NULL));
  return rod;
}

typedef struct swing_def {
  int which;      /* 0: case a, 1: case b */
  double modulus; /* [Pa] */
  int periods, n;
  double dt; /* [s] */
  int draw;
} swing_def;

/* Length [dL] and period [s] of the linear oscillator. */
static void linear(int which, double modulus, double *dL, double *T) {
  const double pi = acos(-1), xi = which == 0 ? 3 : pi * pi / 4, stiffness = modulus * ROD_MASS / (DENSITY * LENGTH * LENGTH);
  *dL = GRAVITY * (TIP_MASS[which] + ROD_MASS / 2) / stiffness;
  *T = 2 * pi * sqrt((TIP_MASS[which] + ROD_MASS / xi) / stiffness);
}

static oscillation swing(example *e, const swing_def *s) {
  const double pi = acos(-1), modulus = s->modulus, dt = s->dt;
  const int which = s->which, periods = s->periods, n = s->n, runs_away = modulus == 1e4;
  double dL, T;
  linear(which, modulus, &dL, &T);
  example_fit(e, T);
  const long count = (long)(periods * T / dt) + 1, stride = count / (300 * periods) + 1;
  char name[64];
  snprintf(name, sizeof name, "%c_E%g.csv", 'a' + which, modulus);

  elastica_world *world = example_papers_world(e);
  const elastica_rod_view *rod = elastica_rod_get_view(hang(e, world, n, modulus, TIP_MASS[which]));
  elastica_csv *csv = s->draw ? example_csv(e, name) : NULL;
  elastica_vtk *vtk = s->draw && which == 0 && modulus == 1e7 ? example_vtk(e, world, "vertical_oscillation") : NULL;
  if (e->options.mode == EXAMPLE_QUICK) example_film(e, world, periods * T / 60);
  oscillation out = {0};
  double sum = 0, squares = 0, before = 0, last = 0, now = 0; /* elongations [dL] */
  long samples = 0;
  for (long k = 1; k <= count; k++) {
    if (runs_away) {
      example_advance(e, world, (double)k * dt); /* stretched 600 times at its upper end, it needs a shorter step than dt */
    } else {
      example_step(e, world, dt, 1);
    }
    before = last;
    last = now;
    now = (-rod->position[2][n] - LENGTH) / dL;
    const double t = (double)k * dt / T, error = fabs(now - 1 - sin(2 * pi * t - pi / 2));
    out.highest = fmax(out.highest, now);
    if (out.maximum == 0 && k > 2 && before < last && last >= now) { /* the parabola through the three */
      const double slope = (now - before) / 2, bend = now - 2 * last + before;
      out.maximum = last - slope * slope / (2 * bend);
      out.time = t - (1 + slope / bend) * dt / T;
    }
    if (t <= 1) {
      out.largest = fmax(out.largest, error);
      out.off_parabolas = fmax(out.off_parabolas, fabs(now - parabolas(t)));
      sum += error;
      squares += error * error;
      samples++;
    }
    if (k % stride == 0) {
      example_row(e, csv, t, now, 1 + sin(2 * pi * t - pi / 2));
      if (k / stride % 10 == 0) output_frame(&e->output, world, vtk);
      example_worked(e, (double)stride);
    }
  }
  out.l2 = sqrt(squares / (double)samples);
  out.l1 = sum / (double)samples;
  example_done(e, world);
  return out;
}

/* A step [s] proportional to the length of the elements. */
static double suitable_step(const example *e, double modulus) {
  return e->options.dt > 0 ? e->options.dt : 0.2 * LENGTH / ELEMENTS * sqrt(DENSITY / modulus);
}

static double paper_step(int which, double modulus) {
  double dL, T;
  linear(which, modulus, &dL, &T);
  return 1e-6 * T;
}

/* A run of each case. */
static void certified_case(example *e, int n) {
  const double modulus[2] = {1e7, 1e5};
  for (int which = 0; which < 2; which++) {
    const swing_def s = {which, modulus[which], 1, n, suitable_step(e, modulus[which]), 0};
    const oscillation got = swing(e, &s);
    example_inform(e, got.maximum, "%c_E%g_first_maximum", 'a' + which, modulus[which]);
    example_inform(e, got.time, "%c_E%g_its_time", 'a' + which, modulus[which]);
    example_inform(e, got.l2, "%c_E%g_L2_error", 'a' + which, modulus[which]);
  }
}

static void compare(example *e, int which, const expectation *x, const oscillation *got) {
  const int full = e->options.mode == EXAMPLE_FULL, label = 'a' + which;
  if (x->maximum > 0) {
    example_check(e, got->maximum, full ? x->paper_maximum : x->maximum, 2e-6, "%c_E%g_first_maximum", label, x->modulus);
    example_check(e, got->time, full ? x->paper_time : x->time, 1e-4, "%c_E%g_its_time", label, x->modulus);
  } else { /* any value above 20 dL */
    example_check(e, got->highest, 21.01, 1.01, "%c_E%g_runs_away_to", label, x->modulus);
  }
  example_check(e, got->largest, x->largest, 2e-3 * x->largest, "%c_E%g_largest_error", label, x->modulus);
  example_check(e, got->l2, x->l2, 2e-3 * x->l2, "%c_E%g_L2_error", label, x->modulus);
  example_check(e, got->l1, x->l1, 2e-3 * x->l1, "%c_E%g_L1_error", label, x->modulus);
  if (x->spring_maximum > 0) { /* agree up to the square of the mass ratio */
    example_check(e, got->maximum, x->spring_maximum, 1e-4, "%c_E%g_spring_maximum", label, x->modulus);
    example_check(e, got->time, x->spring_time, 1e-4, "%c_E%g_spring_time", label, x->modulus);
  }
  if (which == 1 && x->modulus == 1e9) example_check(e, got->off_parabolas, 0, 3e-3, "b_E1e+09_off_parabolas");
}

/* The moduli of a case as words for the names of files. */
typedef struct stiffnesses {
  char files[128], names[256];
  int count;
} stiffnesses;

static void note_stiffness(stiffnesses *out, double modulus) {
  const double power = floor(log10(modulus) + 1e-9), factor = round(modulus / pow(10, power));
  char *file = out->files + strlen(out->files), *name = out->names + strlen(out->names);
  snprintf(file, sizeof out->files - (size_t)(file - out->files), "%g ", modulus);
  if (factor > 1)
    snprintf(name, sizeof out->names - (size_t)(name - out->names), "%g·10^{%g} ", factor, power);
  else
    snprintf(name, sizeof out->names - (size_t)(name - out->names), "10^{%g} ", power);
  out->count++;
}

/* Figure 4b, c, e, f. */
static void draw(example *e, int periods, const stiffnesses list[2]) {
  char definitions[1024];
  snprintf(definitions, sizeof definitions, "files_a = '%s'\nnames_a = '%s'\nfiles_b = '%s'\nnames_b = '%s'\nperiods = %d\n", list[0].files,
           list[0].names, list[1].files, list[1].names, periods);
  if (e->options.dt > 0)
    example_plot(e, 1000, 660, definitions, "n = %d, dt = %g s", ELEMENTS, e->options.dt);
  else
    example_plot(e, 1000, 660, definitions, "n = %d, dt = %s", ELEMENTS,
                 e->options.mode == EXAMPLE_FULL ? "10^{-6} T" : "0.2 (L/n) (ρ/E)^{1/2}");
}

static const example_file FILES[] = {
    {"a_E*.csv", "t/T [1],elongation of the rod [dL],elongation of (3.12) [dL]", "with the end mass, for each E [Pa]", FILE_ALWAYS},
    {"b_E*.csv", "t/T [1],elongation of the rod [dL],elongation of (3.12) [dL]", "without, for each E", FILE_ALWAYS},
    {"a_errors.csv", "E [Pa],Linf [dL],L2 [dL],L1 [dL],Linf in one dimension [dL],L2 in one dimension [dL],L1 in one dimension [dL]",
     "distances from (3.12) in the first period, with the end mass: of the rod and of the one-dimensional integration", FILE_ALWAYS},
    {"b_errors.csv", "E [Pa],Linf [dL],L2 [dL],L1 [dL],Linf in one dimension [dL],L2 in one dimension [dL],L1 in one dimension [dL]",
     "the same without", FILE_ALWAYS},
    {"vertical_oscillation.pvd", NULL, "the softest rod with the end mass", FILE_NOT_QUICK},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "vertical_oscillation",
                               .title = "a hanging rod under gravity, against the linear oscillator (Gazzola et al. 2018, figure 4)",
                               .quick = "two stiffnesses of each case, one period; under 1 s",
                               .normal = "all stiffnesses, three periods, dt = 0.2 (L/n) sqrt(density/E); 2 s",
                               .full = "the same with the paper's step, a millionth of the period; 2 min",
                               .certified = {certified_case, ELEMENTS, "one run of each case with n = 100; 3 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL, periods = quick ? 1 : 3, runs[2] = {6, MOST};
  example_expect(&e, periods * (full ? 13e6 : quick ? 2 * 31500 + 2 * 2000 : 6 * 31500 + 7 * 2000)); /* about the number of steps */
  stiffnesses list[2] = {{"", "", 0}, {"", "", 0}};
  for (int which = 0; which < 2; which++) {
    elastica_csv *errors = example_csv(&e, which == 0 ? "a_errors.csv" : "b_errors.csv");
    for (int k = 0; k < runs[which]; k++) {
      if (quick && k != 1 && k != runs[which] - 1) continue;
      const expectation *x = &EXPECTED[which][k];
      const double modulus = x->modulus;
      const double dt = full && e.options.dt <= 0 ? paper_step(which, modulus) : suitable_step(&e, modulus);
      const swing_def s = {which, modulus, periods, ELEMENTS, dt, 1};
      const oscillation got = swing(&e, &s);
      compare(&e, which, x, &got);
      example_row(&e, errors, x->modulus, got.largest, got.l2, got.l1, x->largest, x->l2, x->l1);
      note_stiffness(&list[which], modulus);
    }
  }
  draw(&e, periods, list);
  return example_end(&e);
}
