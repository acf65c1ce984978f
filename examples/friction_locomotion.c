/* Friction and locomotion: a muscle that bends and straightens a body to and fro moves it over the ground only if friction has a direction.
 *
 * source    Gazzola et al. 2018, appendix G.3 and figure 19
 * claim     with isotropic friction a standing wave that is symmetric about the middle moves the centre of mass nowhere over a cycle; with
 *           friction 1:20:2 (forward, backward, sideways) it creeps forward
 * compared  with that: a mirror image (x to -x, s to L - s) is a solution too, so the forward displacement is 0 but for what rounding errors
 *           become by way of friction that jumps at slips of 1e-8 m/s; a thousandth of L per cycle is allowed, and a tenth of the crawl
 *
 * The lateral way is not protected by symmetry: it is shown for both. The paper prints no number for the speed of the crawl.
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

static gait_way crawl(example *e, int which, int n, double dt, int periods) {
  const double gravity[3] = {0, 0, -GRAVITY};
  elastica_world *world = example_world(e);
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  double shear[3 * MOST_ELEMENTS];
  for (int k = 0; k < 3 * n; k++) shear[k] = SHEAR;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = n;
  def.start[0] = -LENGTH / 2;
  def.start[2] = RADIUS;
  def.direction[0] = 1;
  def.direction[2] = 0;
  def.normal[0] = def.normal[1] = 0;
  def.normal[2] = 1; /* d1 stands upright: the muscles bend along the ground */
  def.length = LENGTH;
  def.radius = RADIUS;
  def.density = MASS / (acos(-1) * RADIUS * RADIUS * LENGTH);
  def.youngs_modulus = YOUNGS_MODULUS;
  def.shear_modulus = 2 * YOUNGS_MODULUS / 3;
  def.shear_stiffness = shear;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  example_require(e, world, elastica_add_gravity(world, gravity, NULL));

  elastica_muscle_def muscle;
  elastica_muscle_def_init(&muscle, sizeof muscle);
  muscle.control = BETA;
  muscle.control_count = 6;
  muscle.period = PERIOD;
  muscle.ramp_time = PERIOD;
  example_require(e, world, elastica_add_muscle(world, rod, &muscle, NULL));

  elastica_dissipation_def friction;
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = DAMPING;
  friction.rotation = DAMPING; /* [kg m/s] one number in the paper */
  example_require(e, world, elastica_add_dissipation(world, rod, &friction, NULL));

  elastica_wall_def ground;
  elastica_wall_def_init(&ground, sizeof ground);
  ground.stiffness = 1;        /* [N/m] */
  ground.damping = 1e-6;       /* [kg/s] */
  ground.slip_velocity = 1e-8; /* [m/s] */
  for (int k = 0; k < 3; k++) {
    ground.kinetic_friction[k] = KINETIC * RATIO[which][k];
    ground.static_friction[k] = STATIC * RATIO[which][k];
  }
  ground.head = ELASTICA_END_LAST; /* forward is +x */
  example_require(e, world, elastica_add_wall(world, rod, &ground, NULL));

  const gait_plan plan = {.name = NAME[which], .length = LENGTH, .period = PERIOD, .forward = 1, .periods = periods, .dt = dt};
  const gait_way out = gait_follow(e, world, rod, &plan);
  example_done(e, world);
  return out;
}

static void compare(example *e, const gait_way way[2], int periods) {
  double crawl = 0, least = INFINITY, largest = 0;
  for (int k = 0; k < periods; k++) {
    example_inform(e, way[0].forward[k], "isotropic_forward_in_cycle_%d", k + 1);
    example_inform(e, way[1].forward[k], "anisotropic_forward_in_cycle_%d", k + 1);
    largest = fmax(largest, fabs(way[0].forward[k]));
    if (k == 0) continue; /* the muscles come on */
    least = fmin(least, way[1].forward[k]);
    crawl += way[1].forward[k] / (periods - 1);
  }
  example_check(e, largest, 0, 1e-3, "isotropic_largest_way_per_cycle_in_L");
  example_check(e, largest / crawl, 0, 0.1, "isotropic_over_anisotropic");
  example_check(e, least > 0, 1, 0, "anisotropic_forward_in_every_cycle");
  example_inform(e, crawl, "anisotropic_mean_way_per_cycle_in_L");
  for (int which = 0; which < 2; which++) example_inform(e, way[which].lateral[periods - 1], "%s_lateral_in_last_cycle", NAME[which]);
}

static void draw(example *e) {
  output_plot(&e->output, 1200, 900,
              "set multiplot layout 2,2\n"
              "do for [name in 'isotropic anisotropic'] {\n"
              "  file = name.'_speed.csv'\n  stats file using 1 nooutput\n  end = STATS_max\n"
              "  set title name.' friction'\n  set xlabel 'x [m]'\n  set ylabel 'y [m]'\n  set size ratio -1\n"
              "  plot for [k=0:20] name.'_envelope.csv' using (column(2*k+2)):(column(2*k+3)) with lines lc rgb 'gray' notitle, \\\n"
              "       file using ($1 > end - 1 ? $4 : 1/0):5 with lines lw 2 lc rgb 'red' notitle, \\\n"
              "       '' using ($1 > end - 1 ? $6 : 1/0):7 with lines lw 2 lc rgb 'red' notitle, \\\n"
              "       '+' using (0):(0) every ::::0 with points pt 9 ps 2 lc rgb 'blue' title 'centre of mass at t = 0'\n"
              "  set size noratio\n  set xlabel 't/T'\n  set ylabel 'velocity of the centre of mass [L/T]'\n"
              "  plot file using 1:2 with lines lc rgb 'red' title 'forward', '' using 1:3 with lines lc rgb 'blue' title 'lateral'\n"
              "}\nunset multiplot\n");
}

int main(int argc, char **argv) {
  const example_about about = {.name = "friction_locomotion",
                               .title = "crawling with isotropic and with anisotropic friction (Gazzola et al. 2018, figure 19)",
                               .quick = "n = 50, dt = 2e-5 s, three cycles; under 2 s",
                               .normal = "the paper's n and step, ten cycles; 8 s",
                               .full = "the same"};
  example e;
  example_begin(&e, &about, argc, argv);
  const int quick = e.options.mode == EXAMPLE_QUICK, n = quick ? 50 : 100, periods = quick ? 3 : 10;
  const double dt = e.options.dt > 0 ? e.options.dt : quick ? 2e-5 : 1e-5; /* [s] */
  example_expect(&e, 2 * n * periods * PERIOD / dt);
  gait_way way[2];
  for (int which = 0; which < 2; which++) way[which] = crawl(&e, which, n, dt, periods);
  compare(&e, way, periods);
  draw(&e);
  return example_end(&e);
}
