/* Beams: the cases by which books and papers judge codes of geometrically exact beams, at rest.
 *
 * source    Simo and Vu-Quoc 1986 (roll-up, frame), Bathe and Bolourchi 1979 (45 degree bend), Dowell and Traybar 1975 (Princeton beam),
 *           Argyris and Symeonidis 1981 (follower force), Meier et al. 2015 (helix), Ibrahimbegovic 1997 (ten turns), Rucker and Webster
 *           2011 (tendon robot), Argyris et al. 1979 (frame)
 * claim     the equilibria of the rod converge with second order in n to those of Simo and Reissner, also at the sharp corner of two rods
 * compared  tips, extrapolated in n, with shooting (beams/oracle.c), and shooting with digits of an independent adaptive integration;
 *           roll-up and helix, exact for any n; the elastica with elliptic integrals; published digits, good to two to four places
 *
 * There are no time steps: relaxation finds each equilibrium in a few steps of the load. Where it stops on the way, the load that it
 * reached and its sentence are printed, and nothing is compared.
 */
#include "beams/oracle.h"
#include "common/example.h"
#include "common/right_angle.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 5 };
static const int SIZES[MOST] = {16, 32, 64, 128, 256};

/* Families of cases, as numbers of errors.csv and of beams.gp. */
enum { BEND_45 = 1, PRINCETON, FRAME, FOLLOWER, LARGE_LOAD, TENDON };

typedef struct study {
  int first, end;       /* of SIZES */
  elastica_csv *errors; /* family, n, distance of the tip from that of shooting */
} study;

/* Largest difference of coordinates. */
static double apart(const double a[3], const double b[3]) {
  return fmax(fmax(fabs(a[X] - b[X]), fabs(a[Y] - b[Y])), fabs(a[Z] - b[Z]));
}

/* A line for people before the table: why there is no number. */
static void say(const char *name, int n, const beam_rest *rest) {
  printf("%s: %d elements: relaxation stopped after %.4g of the load: %s\n", name, n, rest->factor, rest->sentence);
}

/* Convergence of the tip to that of shooting, with this order; its extrapolation within tolerance of it, relative to the length. */
static void converge(example *e, const study *s, int family, const beam *b, int order, double tolerance, double tip[3]) {
  double at[MOST][3], exact[3];
  const double reached = oracle_tip(b, 400, exact);
  example_check(e, reached, 1, 0, "%s_shooting_reaches_load", b->name);
  for (int k = s->first; k < s->end; k++) {
    const beam_rest rest = beam_relax(e, b, SIZES[k], NULL);
    if (rest.factor < 1) {
      say(b->name, SIZES[k], &rest);
      example_inform(e, rest.factor, "%s_n%d_reaches_load", b->name, SIZES[k]);
      return;
    }
    memcpy(at[k], rest.tip, sizeof at[k]);
    example_row(e, s->errors, family, SIZES[k], apart(at[k], exact) / b->length);
    if (k == s->end - 1) example_inform(e, (double)rest.evaluations, "%s_n%d_evaluations", b->name, SIZES[k]);
  }
  const double *coarse = at[s->end - 2], *fine = at[s->end - 1];
  for (int a = 0; a < 3; a++) {
    tip[a] = fine[a] + (fine[a] - coarse[a]) / (pow(2, order) - 1);
    if (fabs(exact[a] - b->start[a]) > 1e-9 * b->length)
      example_check(e, tip[a], exact[a], tolerance * b->length, "%s_tip_%c", b->name, "xyz"[a]);
  }
  example_check(e, log2(apart(coarse, exact) / apart(fine, exact)), order, 0.1, "%s_order", b->name);
}

/* A beam of a round section along x that bends in the plane of x and z. */
static beam plain(const char *name, double length, double bend, double shear, double stretch, int steps) {
  return (beam){.name = name,
                .length = length,
                .shear = {shear, shear, stretch},
                .bend = {bend, bend, bend},
                .tangent = {1, 0, 0},
                .d1 = {0, 1, 0},
                .steps = steps};
}

/* ---- Exact for any n ---- */

static void roll_up(example *e, int n) {
  for (int turns = 1; turns <= 2; turns++) {
    beam b = plain("roll_up", 10, 100, 1e4, 1e4, 10 * turns);
    b.couple[Y] = 2 * acos(-1) * turns * b.bend[0] / b.length;
    const beam_rest rest = beam_relax(e, &b, n, NULL);
    if (rest.factor < 1) say(b.name, n, &rest);
    example_check(e, rest.factor, 1, 0, "roll_up_%d_reaches_load", 360 * turns);
    example_check(e, fmax(fabs(rest.tip[X]), fabs(rest.tip[Z])), 0, 1e-7, "roll_up_%d_tip_off_the_clamp", 360 * turns);
  }
}

/* The end couple along the axis of the helix turns all frames about it evenly. */
static void helix(example *e, int n) {
  const double radius = 10, height = 50, turns = 2, around = 2 * acos(-1) * radius * turns;
  beam b = plain("helix", sqrt(around * around + height * height), 100, 1e4, 1e4, 40);
  b.start[Y] = -radius;
  b.tangent[X] = around / b.length, b.tangent[Z] = height / b.length;
  b.couple[Z] = 2 * acos(-1) * turns * b.bend[0] / b.length;
  b.couple_turns = 1; /* in the helix it is that of the laboratory; a dead couple is lost after one turn */
  const beam_rest rest = beam_relax(e, &b, n, "beams");
  if (rest.factor < 1) say(b.name, n, &rest);
  example_check(e, rest.factor, 1, 0, "helix_reaches_load");
  example_check(e, apart(rest.tip, (const double[]){0, -radius, height}), 0, 1e-5, "helix_tip_off");
  example_inform(e, (double)rest.evaluations, "helix_n%d_evaluations", n);
}

/* ---- Against shooting ---- */

static void bend_45(example *e, const study *s) {
  const double modulus = 1e7, inertia = 1.0 / 12;
  beam b = {.name = "bend_45", .length = 25 * acos(-1), .tangent = {0, 1, 0}, .d1 = {0, 0, 1}, .steps = 6};
  b.shear[0] = b.shear[1] = 5.0 / 6 * modulus / 2, b.shear[2] = modulus;
  b.bend[0] = b.bend[1] = modulus * inertia, b.bend[2] = modulus / 2 * 2 * inertia;
  b.curvature = -0.01; /* towards x */
  b.force[Z] = 600;
  double tip[3] = {NAN, NAN, NAN};
  converge(e, s, BEND_45, &b, 2, 1e-5, tip);
  const double first[3] = {100 * (1 - sqrt(0.5)), 100 * sqrt(0.5), 0};
  example_check(e, tip[Y] - first[Y], -23.56058188, 1e-3, "bend_45_along");
  example_check(e, tip[X] - first[X], -13.60463240, 1e-3, "bend_45_across");
  example_check(e, tip[Z] - first[Z], 53.47547800, 1e-3, "bend_45_up");
  example_check(e, tip[Z] - first[Z], 53.458, 0.03, "bend_45_up_published");
}

/* The digits fit kGA = GA and a torsion constant of 0.263 b h^3 instead of 0.198: they are held against only where the beam does not twist.
 */
static void princeton(example *e, const study *s) {
  static const double DIGITS[7][2] = {{-0.0107128, 0},         {-0.0106436, 0.0421924}, {-0.0102076, 0.0795474}, {-0.0089792, 0.1091131},
                                      {-0.0067420, 0.1299579}, {-0.0036220, 0.1422182}, {0, 0.1462524}};
  const double wide = 12.3777e-3, thin = 3.2024e-3, modulus = 71.7e9, shear = modulus / 2 / 1.31, load = 8.896;
  for (int k = 0; k < 7; k++) {
    if (e->options.mode == EXAMPLE_QUICK && k != 3) continue;
    char name[32];
    snprintf(name, sizeof name, "princeton_%d", 15 * k);
    beam b = {.name = name, .length = 0.508, .tangent = {0, 0, 1}, .d1 = {1, 0, 0}, .steps = 4};
    b.shear[0] = b.shear[1] = 5.0 / 6 * shear * wide * thin, b.shear[2] = modulus * wide * thin;
    b.bend[0] = modulus * wide * pow(thin, 3) / 12, b.bend[1] = modulus * thin * pow(wide, 3) / 12;
    b.bend[2] = shear * 0.198 * wide * pow(thin, 3);
    b.force[X] = -load * cos(k * acos(-1) / 12), b.force[Y] = load * sin(k * acos(-1) / 12);
    double tip[3] = {NAN, NAN, NAN};
    converge(e, s, PRINCETON, &b, 2, 1e-6, tip);
    if (k % 6 == 0) { /* no twist */
      example_check(e, tip[X], DIGITS[k][0], 2e-6, "%s_along_the_stiff_axis", name);
      example_check(e, tip[Y], DIGITS[k][1], 2e-6, "%s_along_the_weak_axis", name);
    } else {
      example_inform(e, tip[X] - DIGITS[k][0], "%s_less_the_digits_stiff", name);
      example_inform(e, tip[Y] - DIGITS[k][1], "%s_less_the_digits_weak", name);
    }
  }
}

static beam frame_beam(double load, double aside) {
  const right_angle angle = right_angle_of(0.6, 1);
  beam b = {.name = "frame", .length = 2 * angle.leg, .tangent = {1, 0, 0}, .d1 = {0, 0, 1}, .has_corner = 1, .steps = 4};
  memcpy(b.shear, angle.shear, sizeof b.shear);
  memcpy(b.bend, angle.bend, sizeof b.bend);
  b.force[X] = -load, b.force[Z] = aside;
  return b;
}

/* The load where the stiffness against a small force aside would be zero: it falls almost linearly with the load. n 0: by shooting. */
static double frame_critical(example *e, int n) {
  const double load[2] = {0.66, 0.67}, aside = 1e-4;
  double stiffness[2];
  for (int k = 0; k < 2; k++) {
    const beam b = frame_beam(load[k], aside);
    beam_rest rest = {.factor = 1};
    if (n > 0)
      rest = beam_relax(e, &b, n, NULL);
    else
      rest.factor = oracle_tip(&b, 200, rest.tip);
    if (rest.factor < 1) return NAN;
    stiffness[k] = aside / rest.tip[Z];
  }
  return load[1] + stiffness[1] * (load[1] - load[0]) / (stiffness[0] - stiffness[1]);
}

/* Two rods and a rigid joint. The critical load of the discrete frame is within 1e-3 of the limit from 100 elements in a leg on. */
static void frame(example *e, study s) {
  const int quick = e->options.mode == EXAMPLE_QUICK;
  const beam b = frame_beam(0.5, 0.01);
  double tip[3], load[MOST];
  s.first = quick ? 2 : 3, s.end = quick ? 4 : 5;
  converge(e, &s, FRAME, &b, 2, 2e-5, tip);
  for (int k = s.end - 3; k < s.end; k++) load[k] = frame_critical(e, SIZES[k]);
  const double exact = frame_critical(e, 0), coarse = load[s.end - 2], fine = load[s.end - 1];
  example_inform(e, exact, "frame_critical_load_by_shooting");
  example_check(e, fine, exact, 1e-3 * exact, "frame_n%d_critical_load", SIZES[s.end - 1]);
  example_check(e, fine + (fine - coarse) / 3, exact, 1e-4 * exact, "frame_critical_load");
  example_check(e, log2((coarse - load[s.end - 3]) / (fine - coarse)), 2, 0.1, "frame_critical_load_order");
}

static void follower(example *e, const study *s) {
  static const double DIGITS[3][2] = {{-106.2093, 65.1273}, {-59.95442, 21.08386}, {-80.16358, -49.52510}};
  static const double LOAD[3] = {26.8e3, 80.4e3, 134e3};
  const double digits = e->options.mode == EXAMPLE_QUICK ? 1e-3 : 1e-4;
  for (int k = 0; k < 3; k++) {
    if (e->options.mode == EXAMPLE_QUICK && k > 0) continue;
    char name[32];
    snprintf(name, sizeof name, "follower_%g", LOAD[k]);
    beam b = plain(name, 100, 3.5e7, 1.61538e8, 1.61538e8 * 2, 10 * (2 * k + 1));
    b.force[Z] = LOAD[k];
    b.force_turns = 1;
    double tip[3] = {NAN, NAN, NAN};
    converge(e, s, FOLLOWER, &b, 2, 1e-5, tip);
    example_check(e, tip[X] - b.length, DIGITS[k][0], digits, "%s_along", name);
    example_check(e, tip[Z], DIGITS[k][1], digits, "%s_up", name);
  }
}

static void ten_turns(example *e) {
  const int n = 100;
  beam b = plain("ten_turns", 10, 100, 1e4, 1e4, 100);
  double coarse[3], fine[3];
  b.couple[Y] = 20 * acos(-1) * b.bend[0] / b.length;
  b.force[Y] = 50;
  example_inform(e, oracle_tip(&b, 400, coarse), "ten_turns_shooting_reaches_load");
  oracle_tip(&b, 800, fine);
  example_inform(e, fine[Y], "ten_turns_shooting_tip");
  example_inform(e, fine[Y] - coarse[Y], "ten_turns_shooting_differs_by");
  const beam_rest rest = beam_relax(e, &b, n, NULL);
  if (rest.factor < 1) say(b.name, n, &rest);
  example_inform(e, rest.factor, "ten_turns_n%d_reaches_load", n);
  if (rest.factor == 1) example_inform(e, rest.tip[Y] - fine[Y], "ten_turns_n%d_tip_less_shooting", n);
}

static void large_load(example *e, const study *s) {
  beam b = plain("large_load", 1, 1, 500, 1600, 4); /* a round section of a twentieth of the length, and P L^2/(EI) = 10 */
  double tip[3];
  b.force[Z] = 10;
  converge(e, s, LARGE_LOAD, &b, 2, 1e-5, tip);
}

static void tendon(example *e, const study *s) {
  static const double DIGITS[2][2] = {{0.07158722, 0.49332291}, {0.18221169, 0.45322927}};
  const double radius = 1e-3, area = acos(-1) * radius * radius, inertia = area * radius * radius / 4;
  for (int k = 0; k < 2; k++) {
    beam b = {.name = k ? "tendon_15N" : "tendon_5N", .length = 0.5, .tangent = {0, 0, 1}, .d1 = {1, 0, 0}, .steps = 4};
    b.shear[0] = b.shear[1] = 80e9 * area, b.shear[2] = 200e9 * area;
    b.bend[0] = b.bend[1] = 200e9 * inertia, b.bend[2] = 80e9 * 2 * inertia;
    b.weight[X] = 8000 * area * 9.81;
    b.tension = k ? 15 : 5, b.offset = 15.06e-3;
    double tip[3] = {NAN, NAN, NAN};
    converge(e, s, TENDON, &b, 2, 1e-5, tip);
    example_check(e, tip[X], DIGITS[k][0], 1e-5, "%s_aside", b.name);
    example_check(e, tip[Z], DIGITS[k][1], 1e-5, "%s_along", b.name);
  }
}

/* ---- Elastica ---- */

/* Integrals of 1/(1 - k^2 sin^2)^(1/2), and of that root, from angle to pi/2, by Simpson's rule. */
static void elliptic(double k, double angle, double *first, double *second) {
  enum { INTERVALS = 4000 };
  const double step = (acos(-1) / 2 - angle) / INTERVALS;
  *first = *second = 0;
  for (int i = 0; i <= INTERVALS; i++) {
    const double weight = step / 3 * (i == 0 || i == INTERVALS ? 1 : i % 2 ? 4 : 2), sine = k * sin(angle + i * step);
    *first += weight / sqrt(1 - sine * sine);
    *second += weight * sqrt(1 - sine * sine);
  }
}

/* Tip of the elastica of length 1 under P L^2/(EI) = load: along and aside. The slope at the tip is found by bisection. */
static void elastica(double load, double tip[2]) {
  double low = 0, high = acos(-1) / 2;
  for (int pass = 0; pass < 60; pass++) {
    const double slope = (low + high) / 2, k = sqrt((1 + sin(slope)) / 2), angle = asin(sqrt(0.5) / k);
    double first, second;
    elliptic(k, angle, &first, &second);
    if (first < sqrt(load))
      low = slope;
    else
      high = slope;
    tip[0] = sqrt(2 * sin(slope) / load);
    tip[1] = 1 - 2 * second / sqrt(load);
  }
}

static void elastica_table(example *e, const study *s, elastica_csv *csv) {
  for (int load = 1; load <= 10; load++) {
    beam b = plain("elastica", 1, 1, 1e9, 1e9, 3);
    double exact[2], at[2][3];
    b.force[Z] = load;
    elastica(load, exact);
    for (int k = 0; k < 2; k++) {
      const beam_rest rest = beam_relax(e, &b, SIZES[s->end - 2 + k], NULL);
      if (rest.factor < 1) {
        say(b.name, SIZES[s->end - 2 + k], &rest);
        return;
      }
      memcpy(at[k], rest.tip, sizeof at[k]);
    }
    const double along = at[1][X] + (at[1][X] - at[0][X]) / 3, aside = at[1][Z] + (at[1][Z] - at[0][Z]) / 3;
    example_check(e, along, exact[0], 1e-5, "elastica_%d_along", load);
    example_check(e, aside, exact[1], 1e-5, "elastica_%d_aside", load);
    example_row(e, csv, load, along, aside, exact[0], exact[1]);
  }
}

/* ---- Table and figure ---- */

static void draw(example *e, int count) {
  example_plot(e, 1200, 560, NULL, "n = %d to %d, equilibrium without time steps", SIZES[0], SIZES[count - 1]);
}

static void certified_case(example *e, int n) {
  beam b = plain("large_load", 1, 1, 500, 1600, 4);
  b.force[Z] = 10;
  const beam_rest rest = beam_relax(e, &b, n, NULL);
  example_inform(e, rest.tip[X], "large_load_along");
  example_inform(e, rest.tip[Z], "large_load_aside");
}

static const example_file FILES[] = {
    {"errors.csv", "family [1],n [1],distance over length [1]",
     "tips less those of shooting: 1 bend of 45 degrees, 2 Princeton beam, 3 frame, 4 follower force, 5 large load, 6 tendon", FILE_ALWAYS},
    {"elastica.csv", "P L^2/(EI) [1],along [1],aside [1],along by elliptic integrals [1],aside by elliptic integrals [1]",
     "tips of the elastica over its length, extrapolated in n", FILE_ALWAYS},
    {"beams.pvd", NULL, "a straight beam that its end couple winds to a helix, a frame each step of the load", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const example_about about = {.name = "beams",
                               .title = "benchmarks of geometrically exact beams at rest, against shooting",
                               .quick = "n = 16 and 32; 1 s",
                               .normal = "n = 16 to 128; 12 s",
                               .full = "n = 16 to 256; 20 s",
                               .certified = {certified_case, 16, "a cantilever at large load, n = 16; under 1 s", NULL},
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK;
  study s = {.end = quick ? 2 : e.options.mode == EXAMPLE_FULL ? MOST : MOST - 1, .errors = example_csv(&e, "errors.csv")};
  elastica_csv *table = example_csv(&e, "elastica.csv");
  roll_up(&e, 20);
  helix(&e, 100);
  bend_45(&e, &s);
  princeton(&e, &s);
  frame(&e, s);
  follower(&e, &s);
  large_load(&e, &s);
  elastica_table(&e, &s, table);
  tendon(&e, &s);
  if (!quick) ten_turns(&e);
  draw(&e, s.end);
  return example_end(&e);
}
