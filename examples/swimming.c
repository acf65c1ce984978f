/* Swimming: an active filament in a very viscous fluid, driven by a travelling wave of muscle couples.
 *
 * source    Gazzola et al. 2018, section 5.2.1 and figure 11: the optimum of their search, run forward
 * claim     the fastest planar gait moves at about 0.055 L/T with a wavelength of about 0.38 L
 * settings  the caption prints lambda = 2.6 L; this is the wavenumber: lambda = L/2.6; with 2.6 L the filament hardly moves. Re = 1e-4
 *           follows from rho_f = 1 kg/m^3. Knots and abscissae of the muscles' spline are not printed; the values used here give the
 *           published speed.
 * compared  displacement per period with a prototype of the same model in another language (n = 50, dt = 2.5e-5 s), three
 *           interpretations of the drag's lengths, two of the spline, two of the wavelength; the library's unconditionally stable drag
 *           against the papers' explicit one
 *
 * The wave travels towards s = 0 (-x), the filament swims towards s = L (+x).
 */
#include "common/animal.h"
#include <math.h>

static const double LENGTH = 1, PERIOD = 1;           /* [m] [s]; the rest of the filament is in common/animal.c */
static const double BETA[6] = {0, 50, 50, 50, 50, 0}; /* [N m] */

enum { ELEMENTS = 50, PERIODS = 4, LONG = 8 };

/* An interpretation of the published settings, and the prototype's displacements per period [L] with it (0: not known). */
typedef struct reading {
  const char *name;
  elastica_spline spline;
  double waves; /* L/lambda */
  elastica_drag_kind kind;
  int rest_slenderness, rest_length;
  double expected[PERIODS], tolerance;
} reading;

static const reading READINGS[] = {
    {"curve", ELASTICA_SPLINE_CURVE, 2.6, ELASTICA_DRAG_EXPLICIT, 1, 0, {0.01299, 0.047369, 0.054266, 0.055373}, 2e-6},
    {"stable_drag", ELASTICA_SPLINE_CURVE, 2.6, ELASTICA_DRAG_RATE, 1, 0, {0.01299, 0.047369, 0.054266, 0.055373}, 1e-5},
    {"all_rest_lengths", ELASTICA_SPLINE_CURVE, 2.6, ELASTICA_DRAG_EXPLICIT, 1, 1, {0, 0, 0, 0.05540}, 6e-6},
    {"all_present_lengths", ELASTICA_SPLINE_CURVE, 2.6, ELASTICA_DRAG_EXPLICIT, 0, 0, {0, 0, 0, 0.05536}, 6e-6},
    {"function", ELASTICA_SPLINE_FUNCTION, 2.6, ELASTICA_DRAG_EXPLICIT, 1, 0, {0.011852, 0.044597, 0.051116, 0}, 2e-6},
    {"caption", ELASTICA_SPLINE_CURVE, 1 / 2.6, ELASTICA_DRAG_EXPLICIT, 1, 0, {0.000819, 0.001576, 0.001603, 0}, 2e-6}};
enum { READING_COUNT = sizeof READINGS / sizeof READINGS[0] };

static elastica_rod *make_swimmer(const example *e, elastica_world *world, const reading *how, int n) {
  elastica_rod *rod = NULL;
  example_require(e, world, animal_make_swimmer(world, n, how->kind, how->rest_slenderness, how->rest_length, &rod));

  elastica_muscle_def muscle = gait_muscle(BETA, PERIOD, 2 * acos(-1) * how->waves / LENGTH);
  muscle.spline = how->spline;
  example_require(e, world, elastica_add_muscle(world, rod, &muscle, NULL));
  return rod;
}

/* First harmonic of the curvature of each joint over a period; its phase turns once per wavelength. */
typedef struct harmonic {
  double cosine[512], sine[512];
} harmonic;

static void listen(void *user, const example *e, elastica_rod *handle, double time) {
  harmonic *wave = user;
  const elastica_rod_view *rod = elastica_rod_get_view(handle);
  const double angle = 2 * acos(-1) * time / PERIOD;
  example_require(e, elastica_rod_get_view(handle)->world, elastica_rod_refresh(handle));
  for (int k = 0; k < rod->joint_count; k++) {
    wave->cosine[k] += cos(angle) * rod->curvature[0][k];
    wave->sine[k] += sin(angle) * rod->curvature[0][k];
  }
}

/* Wavelength over the middle half of the filament [L]. */
static double wavelength_of(const harmonic *wave, int joints) {
  const double turn = 2 * acos(-1);
  double phase = 0;
  const int first = joints / 4, last = joints - 1 - joints / 4;
  for (int k = first; k < last; k++) {
    const double step = atan2(wave->cosine[k + 1], wave->sine[k + 1]) - atan2(wave->cosine[k], wave->sine[k]);
    phase += step - turn * floor(step / turn + 0.5);
  }
  return turn * (last - first) / ((joints + 1) * fabs(phase));
}

static gait_result swim(example *e, const reading *how, int n, int periods, double *wavelength) {
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = make_swimmer(e, world, how, n);
  harmonic wave = {{0}, {0}};
  const gait_plan plan = {.name = wavelength ? "swimming" : NULL,
                          .length = LENGTH,
                          .period = PERIOD,
                          .forward = 1,
                          .periods = periods,
                          .dt = e->options.dt > 0 ? e->options.dt : 2.5e-5 * ELEMENTS / n, /* [s] the paper's step, for 50 elements */
                          .sample = listen,
                          .user = &wave};
  const gait_result out = gait_follow(e, world, rod, &plan);
  if (wavelength) *wavelength = wavelength_of(&wave, n - 1);
  example_done(e, world);
  return out;
}

static void compare(example *e, const reading *how, const gait_result *got, int periods) {
  for (int k = 0; k < periods && k < PERIODS; k++) {
    if (how->expected[k] > 0) {
      example_check(e, got->forward[k], how->expected[k], how->tolerance, "%s_period_%d_forward_in_L", how->name, k + 1);
    } else {
      example_inform(e, got->forward[k], "%s_period_%d_forward_in_L", how->name, k + 1);
    }
  }
  example_check(e, got->off_plane, 0, 1e-12, "%s_out_of_plane", how->name);
}

static void draw(example *e) {
  gait_draw(e, &(gait_picture){.name = "swimming",
                               .n = ELEMENTS,
                               .dt = e->options.dt > 0 ? e->options.dt : 2.5e-5,
                               .height = 800,
                               .published = 0.055,
                               .other = "",
                               .tics = 0.05});
}

/* First order in dt: the drag is explicit. */
static void certified_case(example *e, int n) {
  const gait_result got = swim(e, &READINGS[0], n, PERIODS, NULL);
  for (int k = 0; k < PERIODS; k++) example_inform(e, got.forward[k], "curve_period_%d_forward_in_L", k + 1);
}

int main(int argc, char **argv) {
  static const char *gait;
  static const case_option options[] = {ANIMAL_GAIT_OPTION(gait)};
  static const example_file files[] = {GAIT_FILES("swimming", "the paper's filament")};
  const example_about about = {.name = "swimming",
                               .script = "gait",
                               .title = "the fastest planar gait in a viscous fluid, run forward (Gazzola et al. 2018, figure 11)",
                               .quick = "the first period of one interpretation, with both forms of the drag; under 1 s",
                               .normal = "six interpretations of the published settings, four periods each, the paper's n and step; 2 s",
                               .full = "the same, eight periods, and n = 100 and 200; 14 s",
                               .certified = {certified_case, 50, "four periods of one interpretation with n = 50; 5 s", NULL},
                               .options = options,
                               .option_count = sizeof options / sizeof *options,
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  example_begin(&e, &about, argc, argv);
  if (gait) animal_evaluate(&e, &animal_swimmer, ELEMENTS, gait);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL;
  const int periods = quick ? 1 : full ? LONG : PERIODS, readings = quick ? 2 : READING_COUNT;
  example_expect(&e, 40000.0 * periods * ELEMENTS * (readings + (full ? 4 + 16 : 0)));
  double wavelength = 0;
  gait_result first = {.off_plane = 0};
  for (int k = 0; k < readings; k++) {
    const gait_result got = swim(&e, &READINGS[k], ELEMENTS, periods, k == 0 ? &wavelength : NULL);
    compare(&e, &READINGS[k], &got, periods);
    if (k == 0) first = got;
  }
  if (!quick) {
    example_check(&e, first.forward[3], 0.055, 0.0005, "published_speed_in_L_per_T");
    example_check(&e, wavelength, 0.38, 0.01, "published_wavelength_in_L");
    example_check(&e, first.lateral[3], 0, 0.02 * 0.055, "lateral_drift_in_L_per_T");
  }
  for (int n = 2 * ELEMENTS; full && n <= 4 * ELEMENTS; n *= 2) {
    const gait_result got = swim(&e, &READINGS[0], n, periods, NULL);
    example_inform(&e, got.forward[3], "n_%d_period_4_forward_in_L", n);
    example_inform(&e, got.forward[periods - 1], "n_%d_period_%d_forward_in_L", n, periods);
  }
  draw(&e);
  return example_end(&e);
}
