/* Twist vibration: a stretched rod, clamped at one end, is driven by an alternating couple on the other.
 *
 * source    Gazzola et al. 2018, appendix F and figure 16
 * claim     the standing wave of (F 5), with factors e from the rescaling of the twisted, stretched rod; second order in n
 * compared  with the standing wave of the discrete rod, exact in space and time: a chain of n frames under position Verlet is a leapfrog
 *           at the middles of the steps, with sin(pi f dt)/dt in place of pi f; and with (F 5) in the paper's norms
 *
 * An undamped rod driven from rest keeps its free oscillations for ever. Here, as in the paper, it starts at rest, and a decaying
 * damping, gamma = exp(-t/FADE) kg m/s, removes them. The decay of the damping excites free oscillations of exp(-pi |w - w_k| FADE/2) of
 * the wave, with the free frequency w_k nearest to the drive: 0.13 rad/s away for the printed parameters, near resonance; 1.6 rad/s for
 * those of the authors' code, with a rod of one wavelength. So FADE and the duration of a run differ. The paper's step, 1e-4 s/m times
 * the length of an element, is an eighth of the default. --full uses it up to n = 200, for comparison with the wave exact in time;
 * beyond that the wave of the discrete step is an equally good reference at an eighth of the cost. The motion of a straight rod does not
 * depend on J1 and J2, but its stable step does: they are raised until they no longer limit it. With node and frame held, as in the
 * paper, the rod is clamped at the middle of its first element: first order in n.
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double DENSITY = 10, RADIUS = 0.5, STRETCH = 1.05;                /* [kg/m^3] [m] */
static const double COUPLE = 1e3, FREQUENCY = 1, REST_LENGTH = 301.1693011487; /* [N m] [Hz] [m] sqrt(1e5)/(e f) */

/* The paper gives sqrt(E/rho)/(e f) as the length with E = 1e6, G = 2E/3; its code takes G = 1e6, E = 3G/2 and sqrt(G/rho)/(e f). */
typedef struct setting {
  const char *name;
  double youngs_modulus, shear_modulus, fade; /* [Pa] [Pa] [s] */
} setting;
static const setting SETTING[2] = {{"printed", 1e6, 2e6 / 3, 110}, {"code", 1.5e6, 1e6, 30}};

static const double STEP = 8e-4, PAPER_STEP = 1e-4; /* [s/m] over the length of an element */

/* n from first to last (by setting and clamp, 0: not run) for this number of periods (by setting), with the paper's step up to as_paper. */
typedef struct plan {
  int first, last[2][2], periods[2], as_paper;
} plan;
static const plan PLAN[3] = {{50, {{200, 0}, {200, 200}}, {2000, 500}, 0},
                             {25, {{0, 0}, {50, 50}}, {0, 500}, 0},
                             {50, {{1600, 400}, {1600, 400}}, {2000, 2000}, 200}}; /* in the order of example_mode */

static double step_over_length(const plan *p, int n) {
  return n <= p->as_paper ? PAPER_STEP : STEP;
}

enum { SAMPLES = 20 };                                      /* per period */
static const char *const CLAMP[2] = {"half_cell", "frame"}; /* in the order of elastica_boundary_kind */

static double twist_stiffness(const setting *s) {
  return s->shear_modulus * acos(-1) * pow(RADIUS, 4) / 2; /* G I3 of the rod at rest */
}

/* (F 5): amplitude [rad] at z along the stretched rod. */
static double continuum(const setting *s, double z) {
  const double c = sqrt(s->shear_modulus / DENSITY), k = 2 * acos(-1) * FREQUENCY / c;
  return COUPLE * STRETCH * STRETCH / (k * twist_stiffness(s)) * sin(k * z) / cos(k * STRETCH * REST_LENGTH);
}

/* The same for n lumped elements, j = 0..n-1, with step dt; dt -> 0: exact in time. */
static double discrete(const setting *s, elastica_boundary_kind kind, int n, int j, double dt) {
  const double c = sqrt(s->shear_modulus / DENSITY), l = REST_LENGTH / n, w = acos(-1) * FREQUENCY;
  const double phi = 2 * asin(sin(w * dt) / dt * l * STRETCH / c), held = kind == ELASTICA_BOUNDARY_FRAME ? 0 : 0.5;
  const double leapfrog =
      COUPLE * pow(STRETCH, 3) * l * sin((j + held) * phi) / (2 * twist_stiffness(s) * cos((n - 0.5 + held) * phi) * sin(phi / 2));
  return leapfrog * cos(w * dt); /* between two middles of steps */
}

static elastica_status drive(void *user, double time, double force[3], double couple[3]) {
  (void)user, (void)force;
  couple[2] = COUPLE * sin(2 * acos(-1) * FREQUENCY * time);
  return ELASTICA_OK;
}

static elastica_rod *stretched(const example *e, elastica_world *world, const setting *s, int n) {
  const double area = acos(-1) * RADIUS * RADIUS, l = REST_LENGTH / n, second_moment = area * RADIUS * RADIUS / 4;
  double *position = calloc((size_t)n * 7 + 3, sizeof *position), *rest_length = position + 3 * (n + 1), *inertia = rest_length + n;
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  if (!position) example_require(e, world, elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no room for %d elements", n));
  for (int i = 0; i <= n; i++) position[component(i, Z)] = STRETCH * l * i;
  for (int j = 0; j < n; j++) {
    rest_length[j] = l;
    inertia[component(j, 0)] = inertia[component(j, 1)] = DENSITY * l * fmax(second_moment, area * l * l / 4);
    inertia[component(j, 2)] = DENSITY * l * 2 * second_moment;
  }
  def.element_count = n;
  def.position = position;
  def.rest_length = rest_length;
  def.inertia = inertia;
  def.radius = RADIUS;
  def.density = DENSITY;
  def.youngs_modulus = s->youngs_modulus;
  def.shear_modulus = s->shear_modulus;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  free(position);
  return rod;
}

/* Angles [rad] of the frames about the axis, continuous from the clamp on: neighbours differ by less than half a turn. */
static void read_angles(const elastica_rod_view *rod, double *angle) {
  const double turn = 2 * acos(-1);
  for (int j = 0; j < rod->element_count; j++) {
    const double a = atan2(rod->director[0][1][j], rod->director[0][0][j]), before = j > 0 ? angle[j - 1] : 0;
    angle[j] = a + turn * round((before - a) / turn);
  }
}

/* Errors in the last period of a run: norms of the distance from (F 5) [rad], and the largest distance from the discrete wave. */
typedef struct wave {
  int n;
  double dt, largest, l1, l2, off_discrete;
  double expected, table; /* [rad] the largest distance between (F 5) and the discrete wave, at the step of the run and for dt -> 0 */
} wave;

static void compare_angles(wave *out, const setting *s, elastica_boundary_kind kind, const double *angle, double phase) {
  double sum = 0, squares = 0;
  for (int j = 0; j < out->n; j++) {
    const double exact = continuum(s, (j + 0.5) / out->n * STRETCH * REST_LENGTH), lumped = discrete(s, kind, out->n, j, out->dt);
    const double error = fabs(angle[j] - phase * exact);
    out->largest = fmax(out->largest, error);
    out->off_discrete = fmax(out->off_discrete, fabs(angle[j] - phase * lumped));
    out->expected = fmax(out->expected, fabs(lumped - exact));
    out->table = fmax(out->table, fabs(discrete(s, kind, out->n, j, 1e-7) - exact));
    sum += error / out->n;
    squares += error * error / out->n;
  }
  out->l1 = fmax(out->l1, sum);
  out->l2 = fmax(out->l2, sqrt(squares));
}

static wave shake(example *e, const setting *s, elastica_boundary_kind kind, int n, int draw) {
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = stretched(e, world, s, n);
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  clamp.kind = kind;
  example_require(e, world, elastica_add_boundary(world, rod, &clamp, NULL));

  elastica_boundary_def end;
  elastica_boundary_def_init(&end, sizeof end);
  end.kind = ELASTICA_BOUNDARY_PIN;
  end.node = -1;
  example_require(e, world, elastica_add_boundary(world, rod, &end, NULL));

  elastica_point_load_def couple;
  elastica_point_load_def_init(&couple, sizeof couple);
  couple.function = drive;
  example_require(e, world, elastica_add_point_load(world, rod, &couple, NULL));

  elastica_effect *damping = NULL;
  elastica_dissipation_def fading;
  elastica_dissipation_def_init(&fading, sizeof fading);
  fading.rotation = 1;
  example_require(e, world, elastica_add_dissipation(world, rod, &fading, &damping));

  elastica_step_limit limit;
  example_require(e, world, elastica_world_step_limit(world, &limit));
  example_fit(e, 1 / (FREQUENCY * SAMPLES));
  const double wanted =
      e->options.dt > 0 ? e->options.dt : fmin(0.8 * limit.dt, step_over_length(&PLAN[e->options.mode], n) * REST_LENGTH / n);
  const long per_sample = (long)ceil(1 / (FREQUENCY * SAMPLES * wanted) - 1e-9);
  wave out = {.n = n, .dt = 1 / (FREQUENCY * SAMPLES * (double)per_sample)};
  double *angle = calloc((size_t)n, sizeof *angle);
  if (!angle) example_require(e, world, elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no room for %d angles", n));
  char file[32];
  snprintf(file, sizeof file, "%s.csv", s->name);
  elastica_csv *csv = draw ? example_csv(e, file) : NULL;
  elastica_vtk *vtk = draw ? example_vtk(e, world, s->name) : NULL;
  const long samples = (long)PLAN[e->options.mode].periods[s - SETTING] * SAMPLES;
  for (long sample = 0; sample < samples; sample++) {
    fading.rotation = exp(-elastica_world_get(world).time / s->fade); /* [kg m/s] */
    example_require(e, world, elastica_dissipation_set(damping, &fading));
    example_step(e, world, out.dt, per_sample);
    example_worked(e, (double)n * (double)per_sample);
    const int at = (int)((sample + 1) % SAMPLES);
    if (sample < samples - SAMPLES) continue;
    read_angles(elastica_rod_get_view(rod), angle);
    compare_angles(&out, s, kind, angle, sin(2 * acos(-1) * at / SAMPLES));
    output_frame(&e->output, world, vtk);
    for (int j = 0; j < n && csv && at % 2 == 0; j++) {
      const double z = (j + 0.5) / n;
      example_row(e, csv, z, at / 2, angle[j], sin(2 * acos(-1) * at / SAMPLES) * continuum(s, z * STRETCH * REST_LENGTH));
    }
  }
  free(angle);
  example_done(e, world);
  return out;
}

/* Observed order of convergence, from two errors with a ratio of 2 of their n. */
static double order(double coarse, double fine) {
  return log(coarse / fine) / log(2);
}

/* Runs one parameter set with one clamp over its n. step [s]: of the first n and of the last. */
static void study(example *e, const setting *s, elastica_boundary_kind kind, elastica_csv *errors, double step[2]) {
  const double c = sqrt(s->shear_modulus / DENSITY), k = 2 * acos(-1) * FREQUENCY / c;
  const double amplitude = COUPLE * STRETCH * STRETCH / (k * twist_stiffness(s)) / fabs(cos(k * STRETCH * REST_LENGTH)); /* [rad] */
  const plan *p = &PLAN[e->options.mode];
  const int last = p->last[s - SETTING][kind];
  wave before = {0}, now = {0};
  for (int n = p->first; n <= last; n *= 2) {
    before = now;
    now = shake(e, s, kind, n, kind == ELASTICA_BOUNDARY_CLAMP && n == last);
    step[n > p->first] = now.dt;
    example_check(e, now.off_discrete / amplitude, 0, 1e-6, "%s_%s_n%d_off_discrete_wave", s->name, CLAMP[kind], n);
    example_check(e, now.largest, now.expected, 1e-6 * amplitude, "%s_%s_n%d_Linf", s->name, CLAMP[kind], n);
    if (n <= p->as_paper) /* the step is short enough to compare with exact integration in time */
      example_check(e, now.largest, now.table, 2e-3 * now.table, "%s_%s_n%d_Linf_exact_in_time", s->name, CLAMP[kind], n);
    example_row(e, errors, kind, (double)(s - SETTING), n, now.largest, now.l1, now.l2, now.expected);
  }
  if (last == 0) return;
  const double expected = kind == ELASTICA_BOUNDARY_FRAME ? 1 : 2;
  if (kind == ELASTICA_BOUNDARY_FRAME && s == SETTING) { /* near resonance the last two n are not yet close to the limit */
    example_inform(e, order(before.largest, now.largest), "%s_%s_order", s->name, CLAMP[kind]);
  } else {
    example_check(e, order(before.largest, now.largest), expected, 0.05, "%s_%s_order_Linf", s->name, CLAMP[kind]);
    example_check(e, order(before.l1, now.l1), expected, 0.05, "%s_%s_order_L1", s->name, CLAMP[kind]);
    example_check(e, order(before.l2, now.l2), expected, 0.05, "%s_%s_order_L2", s->name, CLAMP[kind]);
  }
}

/* Figure 16b, c, for each parameter set of the run. */
static void draw(example *e, const double step[2]) {
  const plan *p = &PLAN[e->options.mode];
  const int both = p->last[0][0] > 0, last = p->last[1][0], thin = last / 50 > 1 ? last / 50 : 1;
  char definitions[128];
  snprintf(definitions, sizeof definitions, "names = '%scode'\nthinned = %d\nfirst = %d\nlast = %d\n", both ? "printed " : "", thin,
           p->first, last);
  example_plot(e, both ? 1400 : 720, 960, definitions, "n = %d to %d, dt = %.2g to %.2g s", p->first, last, step[0], step[1]);
}

/* Distances from (F 5); their limit is zero. */
static void certified_case(example *e, int n) {
  for (int kind = 0; kind < 2; kind++) {
    const wave got = shake(e, &SETTING[1], (elastica_boundary_kind)kind, n, 0);
    example_inform(e, got.largest, "code_%s_Linf", CLAMP[kind]);
    example_inform(e, got.l1, "code_%s_L1", CLAMP[kind]);
    example_inform(e, got.l2, "code_%s_L2", CLAMP[kind]);
  }
}

static const example_file FILES[] = {
    {"printed.csv", "s/L [1],time [T/10],angle of the rod [rad],angle of (F 5) [rad]",
     "the last period with the printed parameters and the half-cell clamp, for the largest n", FILE_NOT_QUICK},
    {"code.csv", "s/L [1],time [T/10],angle of the rod [rad],angle of (F 5) [rad]", "the same with the parameters of the authors' code",
     FILE_ALWAYS},
    {"errors.csv",
     "clamp [0 half-cell; 1 frame],parameters [0 printed; 1 code],n [1],Linf [rad],L1 [rad],L2 [rad],Linf of the discrete wave [rad]",
     "distances from (F 5)", FILE_ALWAYS},
    {"printed.pvd", NULL, "the last period with the printed parameters", FILE_NOT_QUICK},
    {"code.pvd", NULL, "the same with those of the authors' code", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "twist_vibration",
                               .title = "standing twist waves on a stretched rod (Gazzola et al. 2018, figure 16)",
                               .quick = "the parameters of the authors' code, n = 25 and 50; under 1 s",
                               .normal = "both parameter sets, n = 50 to 200; 12 s",
                               .full = "n = 50 to 1600 for 2000 s; 15 min",
                               .certified = {certified_case, 25, "the authors' parameters, n = 25, both clamps; 2 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const plan *p = &PLAN[e.options.mode];
  double work = 0; /* about the number of element steps */
  for (int run = 0; run < 4; run++) {
    for (int n = p->first; n <= p->last[run / 2][run % 2]; n *= 2)
      work += p->periods[run / 2] * pow(n, 2) / (step_over_length(p, n) * REST_LENGTH);
  }
  example_expect(&e, work);
  elastica_csv *errors = example_csv(&e, "errors.csv");
  double step[2] = {0, 0};
  for (int run = 0; run < 4; run++) study(&e, &SETTING[run / 2], (elastica_boundary_kind)(run % 2), errors, step);
  draw(&e, step);
  return example_end(&e);
}
