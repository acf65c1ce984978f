/* String waves: standing transverse waves of a stretched rod between two pins; compared with the dispersion of strings, beams and the
 * discrete rod.
 *
 * source    Crassous, frictional fibres: transverse waves; the linearised model below
 * claim     waves travel at (T/rho)^(1/2); a chain of links has omega = 2 (T/(m l))^(1/2) sin(kl/2), with the stretched l; bending adds
 *           B k^4
 * units     l0, m0, k0 of a link: S = rho = 1, tension f, stretched by e = 1 + f (classical law) or e = 1/(1 - f) (the papers' law)
 * compared  omega of single modes, from their phase after 2.25 periods: to round-off with the exact dispersion of the discrete rod; with
 *           that of the chain, reduced by J q^2/2 for the rotary inertia J of the elements, q = 2 sin(kl/2); speeds of long waves with
 *           (f (1 + f))^(1/2) in the laboratory and (f/(1 + f))^(1/2) per rest length, f^(1/2) for small f; of fibres with bending
 *           stiffness, in long waves, with omega^2 = (T k^2 + B k^4)/rho
 *
 * Linearised about the straight rod: node Y sin(ki), frame P cos(k(j + 1/2)), shear s = q Y - e P, lateral force V = K s + f P, so that
 *   omega^2 Y = q V,   J omega^2 P = B q^2 P - (e K - f) s,
 * with K, B, J the classical law's constants or the papers' K/e, B/e^3, J/e. Pins let the end frames turn, so standing sines are exact
 * modes. Position Verlet changes omega to exactly (2/dt) asin(omega dt/2).
 */
#include "common/example.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double RADIUS = 0.1, SLOPE = 1e-7; /* [l0]; the slope of the wave raises the tension by the share SLOPE^2/(4 f) */
static const double PERIODS = 2.25;             /* the run ends when the wave passes through 0 */
static const double LIMP = 1e-12;               /* [k0 l0^3] bending stiffness of a string; of a solid fibre it is r^2/4 */
enum { MOST = 100, FRAMES = 16 };

/* Fibres with bending stiffness. */
static const struct {
  elastica_law law;
  double f; /* [k0 l0] */
} FIBRE[4] = {{ELASTICA_LAW_CLASSICAL, 1e-2}, {ELASTICA_LAW_CLASSICAL, 1e-3}, {ELASTICA_LAW_RESCALED, 1e-2}, {ELASTICA_LAW_RESCALED, 0.2}};

typedef struct string {
  int n;
  elastica_law law;
  double f, e;              /* tension; stretch */
  double shear, bend, spin; /* K, B, J as in the equations above */
} string;

static string tighten(int n, elastica_law law, double f, double bend) {
  const double inertia = RADIUS * RADIUS / 4;
  if (law == ELASTICA_LAW_CLASSICAL) return (string){n, law, f, 1 + f, 1, bend, inertia};
  const double e = 1 / (1 - f);
  return (string){n, law, f, e, 1 / e, bend / (e * e * e), inertia / e};
}

/* The slower mode with wave number q, and its P/Y. */
static double exact_omega(const string *s, double q, double *ratio) {
  const double upright = s->e * s->shear - s->f; /* restoring stiffness of a frame, over e */
  const double b = s->bend * q * q + s->e * upright + s->spin * s->shear * q * q, c = q * q * (s->shear * s->bend * q * q + s->f * upright);
  const double square = 2 * c / (b + sqrt(b * b - 4 * s->spin * c));
  *ratio = (s->shear * q * q - square) / (q * upright);
  return sqrt(square);
}

/* Makes the rod in the shape of mode p, at rest. */
static elastica_rod *pluck(const example *e, elastica_world *world, const string *s, double bend, int p, double amplitude, double turn) {
  const double k = acos(-1) * p / s->n;
  double position[3 * (MOST + 1)] = {0}, director[9 * MOST] = {0}, rest_length[MOST], stretch[3 * MOST], bends[3 * MOST];
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  for (int i = 0; i <= s->n; i++) {
    position[component(i, X)] = i == s->n ? 0 : amplitude * sin(k * i);
    position[component(i, Z)] = s->e * i;
  }
  for (int j = 0; j < s->n; j++) {
    const double angle = turn * cos(k * (j + 0.5));
    director[frame_entry(j, 0, X)] = director[frame_entry(j, 2, Z)] = cos(angle), director[frame_entry(j, 1, Y)] = 1;
    director[frame_entry(j, 2, X)] = sin(angle), director[frame_entry(j, 0, Z)] = -sin(angle);
    rest_length[j] = 1;
    for (int a = 0; a < 3; a++) stretch[component(j, a)] = 1, bends[component(j, a)] = bend;
  }
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = s->n;
  def.position = position;
  def.director = director;
  def.rest_length = rest_length;
  def.radius = RADIUS;
  def.density = 1 / (acos(-1) * RADIUS * RADIUS);
  def.shear_stiffness = stretch;
  def.bend_stiffness = bends;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  for (int end = 0; end < 2; end++) {
    elastica_boundary_def pin;
    elastica_boundary_def_init(&pin, sizeof pin);
    pin.kind = ELASTICA_BOUNDARY_PIN;
    pin.node = end == 0 ? 0 : -1;
    example_require(e, world, elastica_add_boundary(world, rod, &pin, NULL));
  }
  return rod;
}

/* Amplitude of mode p. */
static double project(const elastica_rod *rod, int p) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const int n = view->element_count;
  double sum = 0;
  for (int i = 1; i < n; i++) sum += view->position[0][i] * sin(acos(-1) * p * i / n);
  return 2 * sum / n;
}

typedef struct wave {
  double omega, expected; /* measured; of the discrete rod in time and space */
  double k, q;
} wave;

static wave swing(example *e, const string *s, double bend, int p, elastica_csv *csv, int draw) {
  wave out = {.k = acos(-1) * p / s->n};
  out.q = 2 * sin(out.k / 2);
  double ratio;
  const double omega = exact_omega(s, out.q, &ratio), amplitude = SLOPE / out.q, end = 2 * acos(-1) * PERIODS / omega;
  elastica_world_def options = example_papers_law();
  options.law = s->law;
  elastica_world *world = example_world_of(e, options);
  elastica_rod *rod = pluck(e, world, s, bend, p, amplitude, ratio * amplitude);
  elastica_step_limit limit;
  example_require(e, world, elastica_world_step_limit(world, &limit));
  example_fit(e, end / FRAMES);
  const long count = e->dt > 0 ? lround(end / FRAMES / e->dt) : (long)ceil(end / FRAMES / (0.8 * limit.dt));
  const double dt = e->dt > 0 ? e->dt : end / FRAMES / (double)count;
  elastica_vtk *vtk = draw ? example_vtk(e, world, "string_waves") : NULL;
  for (int frame = 0; frame < FRAMES; frame++) {
    output_frame(&e->output, world, vtk);
    example_step(e, world, dt, count);
  }
  output_frame(&e->output, world, vtk);
  example_worked(e, 1);
  const double late = asin(project(rod, p) / amplitude); /* cos(omega t) passes through 0, downwards */
  out.omega = (2 * acos(-1) * PERIODS - late) / elastica_world_get(world).time;
  out.expected = 2 / dt * asin(omega * dt / 2);
  example_row(e, csv, s->law == ELASTICA_LAW_CLASSICAL ? 0 : 1, s->f, out.k, out.omega, omega, sqrt(s->f / s->e) * out.q,
              out.expected / omega - 1);
  example_done(e, world);
  return out;
}

/* Modes of a string, from the longest to the shortest. */
static void play(example *e, double f, int n, elastica_csv *csv) {
  const string s = tighten(n, ELASTICA_LAW_CLASSICAL, f, LIMP);
  const int modes[] = {1, n / 5, n / 2, n - 1};
  for (int m = 0; m < 4; m++) {
    const wave w = swing(e, &s, LIMP, modes[m], csv, f == 1e-2 && m == 0);
    const double chain = sqrt(f / s.e) * w.q, slowed = RADIUS * RADIUS / 4 * w.q * w.q / 2;
    example_check(e, w.omega, w.expected, 1e-8 * w.expected, "f%g_mode%d_omega", f, modes[m]);
    example_check(e, w.omega, chain, (1e-6 + 1.05 * slowed) * chain, "f%g_mode%d_omega_of_chain", f, modes[m]);
    if (m > 0) continue;
    const double per_rest = w.omega / w.k, chord = w.k * w.k / 24 + slowed; /* reduction of the speed of a long wave by sin(kl/2) and J */
    example_check(e, per_rest * s.e, sqrt(f * (1 + f)), 1.05 * chord * per_rest, "f%g_speed_in_laboratory", f);
    example_check(e, per_rest, sqrt(f / (1 + f)), 1.05 * chord * per_rest, "f%g_speed_per_rest_length", f);
  }
}

/* Modes of a solid fibre. */
static void bend(example *e, elastica_law law, double f, int n, elastica_csv *csv) {
  const double stiffness = RADIUS * RADIUS / 4;
  const char *const name = law == ELASTICA_LAW_CLASSICAL ? "classical" : "papers";
  const string s = tighten(n, law, f, stiffness);
  const int modes[] = {1, n / 10, n / 2};
  for (int m = 0; m < 3; m++) {
    const wave w = swing(e, &s, stiffness, modes[m], csv, 0);
    const double k = w.k / s.e,
                 beam = sqrt((f * k * k + s.bend * s.e * pow(k, 4)) * s.e); /* of a beam with the rod's laboratory B and rho */
    const double coarse = w.k * w.k / 12, thick = (RADIUS * RADIUS / 4 + stiffness) * w.k * w.k / 2; /* links; rotary inertia and shear */
    example_check(e, w.omega, w.expected, 1e-8 * w.expected, "%s_law_f%g_bending_mode%d_omega", name, f, modes[m]);
    if (m == 2) continue; /* not a long wave */
    example_check(e, w.omega, beam, 1.05 * (coarse + thick) * beam, "%s_law_f%g_bending_mode%d_omega_of_beam", name, f, modes[m]);
  }
}

/* Writes the exact dispersion of the rod between the modes, and that of links without inertia. */
static void write_dispersion(example *e, elastica_csv *csv, const string *s) {
  for (int i = 0; i <= 100; i++) {
    const double k = 0.02 * pow(acos(-1) / 0.02, i / 100.0), q = 2 * sin(k / 2);
    double ratio;
    example_row(e, csv, s->law == ELASTICA_LAW_CLASSICAL ? 0 : 1, s->f, k, exact_omega(s, q, &ratio), sqrt(s->f / s->e) * q);
  }
}

static void draw(example *e, int tension_count, const double *tensions, int n) {
  elastica_csv *strings = example_csv(e, "strings_exact.csv"), *fibres = example_csv(e, "fibres_exact.csv");
  char definitions[32];
  for (int k = 0; k < tension_count; k++) {
    const string s = tighten(n, ELASTICA_LAW_CLASSICAL, tensions[k], LIMP);
    write_dispersion(e, strings, &s);
  }
  for (int k = 0; k < 4; k++) {
    const string s = tighten(n, FIBRE[k].law, FIBRE[k].f, RADIUS * RADIUS / 4);
    write_dispersion(e, fibres, &s);
  }
  snprintf(definitions, sizeof definitions, "weakest = %d\n", tension_count + 1);
  example_plot(e, 1500, 600, definitions, "n = %d, dt = %.2g s", n, e->run.dt);
}

static const example_file FILES[] = {
    {"strings.csv",
     "law [0 classical; 1 rescaled],f [k0 l0],k [1/l0],omega of the rod [(k0/m0)^(1/2)],exact omega [(k0/m0)^(1/2)],omega of links "
     "[(k0/m0)^(1/2)],step turns omega by [1]",
     "modes of strings", FILE_ALWAYS},
    {"fibres.csv",
     "law [0 classical; 1 rescaled],f [k0 l0],k [1/l0],omega of the rod [(k0/m0)^(1/2)],exact omega [(k0/m0)^(1/2)],omega of links "
     "[(k0/m0)^(1/2)],step turns omega by [1]",
     "modes of fibres that bend", FILE_ALWAYS},
    {"strings_exact.csv", "law [0 classical; 1 rescaled],f [k0 l0],k [1/l0],exact omega [(k0/m0)^(1/2)],omega of links [(k0/m0)^(1/2)]",
     "the dispersion of strings", FILE_ALWAYS},
    {"fibres_exact.csv", "law [0 classical; 1 rescaled],f [k0 l0],k [1/l0],exact omega [(k0/m0)^(1/2)],omega of links [(k0/m0)^(1/2)]",
     "the dispersion of fibres", FILE_ALWAYS},
    {"string_waves.pvd", NULL, "a mode", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "string_waves",
                               .title = "standing waves across a stretched rod, against the dispersion of strings and beams",
                               .quick = "f = 1e-3 and 1e-2, n = 20; under 1 s",
                               .normal = "f = 1e-5 to 1e-2, n = 50; 2 s",
                               .full = "f = 1e-5 to 1e-2, n = 100; 10 s",
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  const double tensions[] = {1e-2, 1e-3, 1e-4, 1e-5}; /* [k0 l0] */
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, n = quick ? 20 : e.options.mode == EXAMPLE_FULL ? MOST : 50;
  elastica_csv *csv = example_csv(&e, "strings.csv");
  elastica_csv *fibres = example_csv(&e, "fibres.csv");
  example_expect(&e, quick ? 20 : 28);
  for (int k = 0; k < (quick ? 2 : 4); k++) play(&e, tensions[k], n, csv);
  for (int k = 0; k < 4; k++) bend(&e, FIBRE[k].law, FIBRE[k].f, n, fibres);
  draw(&e, quick ? 2 : 4, tensions, n);
  return example_end(&e);
}
