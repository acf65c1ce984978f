/* Friction and locomotion: a body with a standing wave of muscle couples moves over the ground only if friction is anisotropic.
 *
 * source    Gazzola et al. 2018, appendix G.3 and figure 19
 * claim     with isotropic friction a standing wave that is symmetric about the middle does not displace the centre of mass over a cycle;
 *           with friction 1:20:2 (forward, backward, sideways) it crawls forward
 * settings  couples about the vertical (see slithering). Shear/stretch stiffness: the caption prints S = 1e5 N for all axes, five times E
 *           A, with n = 100. On the papers' wall that body flutters (below). So S = 1e5 N is run with n = 50, and with n = 100 on a wall
 *           that balances nodes; S of the section, as in the other cases of the paper, with n = 100
 * compared  with the claim: the mirror image (x to -x, s to L - s) is a solution too, so the forward displacement is 0 up to rounding
 *           errors. Friction amplifies these, as it jumps at slips of 1e-8 m/s; 1e-3 L per cycle is allowed, and a tenth of the crawl
 *
 * The lateral displacement is not zero by symmetry: it is shown for both. The paper prints no number for the speed of the crawl.
 *
 * Flutter: with S = 1e5 N and n >= 80, elements that slide sideways begin to oscillate in roll and pitch, then the ends lift off, then the
 * body jumps, for any step. R (4.8) balances the mean force on an element's two nodes. Of a wave of forces with wave number q [rad/m] it
 * leaves the share sin^2(q l/2) unbalanced, so the ground does not support short waves. Vertical bending waves have the frequency of
 * twist waves if
 *   sin^2(q l/2) = (b + sqrt(b^2 + 4 (l/r)^2 G/(E - G)))/2,  b = G A/S,
 * and then they couple: the couple r mu R of sliding friction follows R, and the curvature of the body turns twist into pitch. On a
 * ground
 * that supports every node the frequencies are never equal, since E > G. For n = 100 at t = 0.9 s linear theory gives 17 waves per length,
 * 1.653e4 rad/s and a growth rate of 54/s; the run 17, 1.659e4 rad/s, 40 to 45/s. The largest growth rates in theory are 18, 50, 82, 121/s
 * for n = 50, 70, 80, 100. Lateral friction slides for about 0.2 s at a time and the waves decay in between, so that only the faster ones
 * grow. --full shows it.
 */
#include "common/gait.h"
#include <math.h>

static const double LENGTH = 0.5, RADIUS = 0.025, MASS = 1, YOUNGS_MODULUS = 1e7, SHEAR = 1e5; /* [m] [m] [kg] [Pa] [N] */
static const double GRAVITY = 9.81, PERIOD = 1, DAMPING = 0.1;                                 /* [m/s^2] [s] [kg/(m s)] */
static const double BETA[6] = {0, 10, 15, 15, 10, 0};                                          /* [N m] */
static const double STATIC = 0.2, KINETIC = 0.1;                                               /* forward */
static const double RATIO[2][3] = {{1, 1, 1}, {1, 20, 2}};                                     /* forward, backward, sideways */
static const char *const NAME[2] = {"isotropic", "anisotropic"};

enum { MOST_ELEMENTS = 100 };

typedef struct body {
  const char *name;
  int elements;
  double shear; /* S [N] of all axes; 0: S of the section */
  elastica_balance balance;
  int draws, crawls; /* 1: writes files; 1: is checked against the claim about anisotropic friction */
} body;

/* [s] the paper's step, for 100 elements */
static double step_of(const example *e, int n) {
  return e->options.dt > 0 ? e->options.dt : 1e-5 * 100 / n;
}

static gait_result crawl(example *e, int which, const body *b, int periods) {
  const double gravity[3] = {0, 0, -GRAVITY};
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = NULL;
  double stiffness[3 * MOST_ELEMENTS];
  const int n = b->elements;
  for (int k = 0; k < 3 * n; k++) stiffness[k] = b->shear;
  elastica_rod_def def = gait_body(n, LENGTH, RADIUS, MASS / (acos(-1) * RADIUS * RADIUS * LENGTH), YOUNGS_MODULUS);
  def.start[0] = -LENGTH / 2;
  def.start[2] = RADIUS;
  if (b->shear > 0) def.shear_stiffness = stiffness;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  example_require(e, world, elastica_add_gravity(world, gravity, NULL));

  elastica_muscle_def muscle = gait_muscle(BETA, PERIOD, 0);
  gait_upright(&muscle);
  example_require(e, world, elastica_add_muscle(world, rod, &muscle, NULL));

  lying_damped(e, world, rod, DAMPING, DAMPING); /* the paper has one number for both */

  elastica_obstacle_def ground = gait_ground(STATIC, KINETIC, RATIO[which], ELASTICA_END_LAST); /* forward is +x */
  ground.balance = b->balance;
  example_require(e, world, elastica_add_obstacle(world, rod, &ground, NULL));

  const gait_plan plan = {
      .name = b->draws ? NAME[which] : NULL, .length = LENGTH, .period = PERIOD, .forward = 1, .periods = periods, .dt = step_of(e, n)};
  const gait_result out = gait_follow(e, world, rod, &plan);
  example_done(e, world);
  return out;
}

/* Compares both frictions with the same body. */
static void compare_frictions(example *e, const body *b, int periods) {
  gait_result way[2];
  double crawled = 0, least = INFINITY, largest = 0;
  for (int which = 0; which < 2; which++) way[which] = crawl(e, which, b, periods);
  for (int k = 0; k < periods; k++) {
    example_inform(e, way[1].forward[k], "%s_anisotropic_forward_in_cycle_%d", b->name, k + 1);
    largest = fmax(largest, fabs(way[0].forward[k]));
    if (k == 0) continue; /* the muscles are ramped */
    least = fmin(least, way[1].forward[k]);
    crawled += way[1].forward[k] / (periods - 1);
  }
  example_check(e, largest, 0, 1e-3, "%s_isotropic_largest_way_in_a_cycle_in_L", b->name);
  if (b->crawls) {
    example_check(e, largest / crawled, 0, 0.1, "%s_isotropic_over_anisotropic", b->name);
    example_check(e, least > 0, 1, 0, "%s_anisotropic_forward_in_every_cycle", b->name);
  }
  example_inform(e, crawled, "%s_anisotropic_mean_way_in_a_cycle_in_L", b->name);
  for (int which = 0; which < 2; which++) {
    example_inform(e, way[which].lateral[periods - 1], "%s_%s_lateral_in_last_cycle_in_L", b->name, NAME[which]);
    example_inform(e, way[which].off_plane, "%s_%s_leaves_the_ground_by_in_L", b->name, NAME[which]);
  }
}

static void draw(example *e, const body *b) {
  example_plot(e, 1200, 900, NULL, "n = %d, dt = %.3g s", b->elements, step_of(e, b->elements));
}

/* S of the section: the body stays on the ground for every n. In the second cycle the amplified rounding errors hide the order. */
static void certified_case(example *e, int n) {
  const gait_result way = crawl(e, 1, &(body){.elements = n}, 2);
  for (int k = 0; k < 2; k++) example_inform(e, way.forward[k], "anisotropic_forward_in_cycle_%d", k + 1);
}

int main(int argc, char **argv) {
  static const example_file files[] = {GAIT_FILES("isotropic", "the body with isotropic friction"),
                                       GAIT_FILES("anisotropic", "the body with friction 1:20:2")};
  const example_about about = {.name = "friction_locomotion",
                               .title = "crawling with isotropic and with anisotropic friction (Gazzola et al. 2018, figure 19)",
                               .quick = "S as printed, n = 50, three cycles; under 2 s",
                               .normal = "S as printed, n = 50 and 100, and S of the section, n = 100; ten cycles, or five; 17 s",
                               .full = "the same, and S as printed with n = 100 on the papers' wall (it flutters); 20 s",
                               .certified = {certified_case, 25, "two cycles with S of the section and n = 25; 2 s", NULL},
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL, periods = quick ? 3 : 10;
  const body coarse = {"n_50", 50, SHEAR, ELASTICA_BALANCE_ELEMENTS, quick, 1}, fine = {"n_100", 100, 0, ELASTICA_BALANCE_ELEMENTS, 1, 1};
  const body printed = {"printed", 100, SHEAR, ELASTICA_BALANCE_NODES, 0, 1};
  const body flutters = {"papers_wall", 100, SHEAR, ELASTICA_BALANCE_ELEMENTS, 0, 0};
  example_expect(&e, periods * (5e6 + (quick ? 0 : full ? 6e7 : 3e7)));
  compare_frictions(&e, &coarse, periods);
  if (!quick) compare_frictions(&e, &fine, periods);
  if (!quick) compare_frictions(&e, &printed, full ? periods : periods / 2);
  if (full) compare_frictions(&e, &flutters, periods);
  draw(&e, quick ? &coarse : &fine);
  return example_end(&e);
}
