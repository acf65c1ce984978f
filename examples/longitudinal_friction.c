/* Longitudinal friction: a stiff rod on a plane is pulled along its axis, forwards or backwards, with different friction.
 *
 * source    Gazzola et al. 2018, appendix G.2 and figure 18
 * claim     the rod rests up to F = mu_s m g; beyond that its energy is (T^2/2m)(|F| - mu_k m g)^2; mu is that of the direction of
 *           motion
 * compared  with that formula. It does not describe rows close to the threshold, at which mu_s acts until the slip reaches v_eps and
 *           fades up to 1.5 v_eps. These rows are compared with the motion of a point mass under the same law: v' = (|F| - f(v) mu_s m
 *           g - (1 - f(v)) mu_k m g)/m, f = 1 up to v_eps, 0 from 1.5 v_eps, linear between
 *
 * The step is the paper's, 1e-5 s. The certified step is 12 times as long and would skip the fade, where rows close to the threshold
 * spend much of their time.
 *
 * The force is distributed over the nodes in proportion to their masses, so that the rod stays rigid. Forward is towards node 0, against
 * the tangent.
 */
#include "common/lying.h"
#include <math.h>
#include <stdio.h>

static const double LENGTH = 1, RADIUS = 0.025, MASS = 1, YOUNGS_MODULUS = 1e5, SHEAR = 1e4; /* [m] [m] [kg] [Pa] [N] */
static const double GRAVITY = 9.81, DAMPING = 1e-6, SLIP_VELOCITY = 1e-4, DURATION = 0.25;   /* [m/s^2] [kg/(m s)] [m/s] [s] */
static const double STATIC[2] = {0.8, 0.4}, KINETIC[2] = {0.4, 0.2};                         /* forward, backward */
static const double WALL_STIFFNESS = 10, WALL_DAMPING = 1e-4;                                /* [N/m] [kg/s] */
static const double FORCES[] = {0, 1, 2, 3, 3.9, 3.924, 3.93, 4, 5, 6, 7, 7.8, 7.848, 7.86, 8, 9, 10, 12, 15, 20}; /* [N] */
enum { MOST_ELEMENTS = 50, FORCE_COUNT = 20 };

static elastica_rod *lay_rod(const example *e, elastica_world *world, int n) {
  double shear[3 * MOST_ELEMENTS];
  for (int k = 0; k < 3 * n; k++) shear[k] = SHEAR;
  elastica_rod *rod = NULL;
  elastica_rod_def def = lying_rod(n, LENGTH, RADIUS, MASS / (LENGTH * acos(-1) * RADIUS * RADIUS), YOUNGS_MODULUS);
  def.start[2] = RADIUS;
  def.shear_stiffness = shear;
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));
  lying_damped(e, world, rod, DAMPING, DAMPING); /* the rod does not rotate: a single constant as in the paper */

  elastica_obstacle_def wall;
  elastica_obstacle_def_init(&wall, sizeof wall);
  wall.balance = ELASTICA_BALANCE_ELEMENTS; /* the papers' law */
  wall.stiffness = WALL_STIFFNESS;
  wall.damping = WALL_DAMPING;
  for (int k = 0; k < 2; k++) {
    wall.static_friction[k] = STATIC[k];
    wall.kinetic_friction[k] = KINETIC[k];
  }
  wall.slip_velocity = SLIP_VELOCITY;
  example_require(e, world, elastica_add_obstacle(world, rod, &wall, NULL));
  return rod;
}

static double pull(example *e, int n, int backward, double force, const char *frames) {
  if (e->dt == 0) e->dt = 1e-5;
  elastica_world *world = example_papers_world(e);
  elastica_rod *rod = lay_rod(e, world, n);
  const double gravity[3] = {(backward ? 1 : -1) * force / MASS, 0, -GRAVITY};
  example_require(e, world, elastica_add_gravity(world, gravity, NULL));
  const elastica_totals energy = lying_run(e, world, rod, DURATION, frames);
  example_worked(e, 1);
  example_done(e, world);
  return energy.translation;
}

/* Speed of a point mass after the pull. Its three stages have closed forms: constant, exponential, constant acceleration. */
static double law_speed(double force, double mu_static, double mu_kinetic) {
  const double slow = force / MASS - mu_static * GRAVITY, fast = force / MASS - mu_kinetic * GRAVITY, eps = SLIP_VELOCITY;
  if (slow <= 0) return 0;
  const double held = eps / slow;                               /* time until v_eps */
  const double rate = (fast - slow) / (eps / 2);                /* after that v' = slow + rate (v - v_eps) */
  const double faded = log(1 + rate * (eps / 2) / slow) / rate; /* time from there until 1.5 v_eps */
  if (DURATION < held) return slow * DURATION;
  if (DURATION < held + faded) return eps + slow / rate * (exp(rate * (DURATION - held)) - 1);
  return 1.5 * eps + fast * (DURATION - held - faded);
}

/* Energy of the point mass when friction does not fade in. d: forward, backward. */
static double sharp_energy(double force, int d) {
  const double excess = force - KINETIC[d] * MASS * GRAVITY;
  const int moves = force > STATIC[d] * MASS * GRAVITY * (1 + 1e-12);
  return moves ? DURATION * DURATION * excess * excess / (2 * MASS) : 0;
}

static void draw(example *e, int n) {
  enum { POINTS = 2000 };
  elastica_csv *theory = example_csv(e, "theory.csv");
  for (int k = 0; k <= POINTS; k++) {
    const double force = 20.0 * k / POINTS;
    example_row(e, theory, force, sharp_energy(force, 0), sharp_energy(force, 1));
  }
  example_plot(e, 800, 600, NULL, "n = %d, dt = %.3g s", n, e->results.largest.dt);
}

static void certified_case(example *e, int n) {
  example_inform(e, pull(e, n, 0, 10, NULL), "forward_10_N");
  example_inform(e, pull(e, n, 1, 5, NULL), "backward_5_N");
}

int main(int argc, char **argv) {
  const char *const directions[] = {"forward", "backward"};
  static const example_file files[] = {
      {"energy.csv", "force [N],forward [J],backward [J]", "energy of translation at the end, one row for each force.", FILE_ALWAYS},
      {"theory.csv", "force [N],forward [J],backward [J]", "the same in theory, without the fade of friction.", FILE_ALWAYS},
      {"longitudinal_friction.pvd", NULL, "the rod pulled forward by 10 N", FILE_ALWAYS}};
  const example_about about = {.name = "longitudinal_friction",
                               .title = "a rod pulled along a plane with anisotropic friction (Gazzola et al. 2018, figure 18)",
                               .quick = "every row on 10 elements; under 1 s",
                               .normal = "every row on 50 elements with the paper's step; 3 s",
                               .full = "the same",
                               .certified = {certified_case, 10, "two rows on 10 elements; 1 s", NULL},
                               .files = files,
                               .file_count = sizeof files / sizeof *files};
  example e;
  example_begin(&e, &about, argc, argv);
  const int n = e.options.mode == EXAMPLE_QUICK ? 10 : MOST_ELEMENTS;
  example_expect(&e, 2 * FORCE_COUNT);
  elastica_csv *csv = example_csv(&e, "energy.csv");
  for (int k = 0; k < FORCE_COUNT; k++) {
    double computed[2], expected[2];
    for (int d = 0; d < 2; d++) {
      const double speed = law_speed(FORCES[k], STATIC[d], KINETIC[d]);
      const double law = MASS * speed * speed / 2;
      expected[d] = sharp_energy(FORCES[k], d);
      computed[d] = pull(&e, n, d, FORCES[k], d == 0 && FORCES[k] == 10 ? "longitudinal_friction" : NULL);
      if (fabs(law - expected[d]) <= 1e-3 * expected[d]) {
        example_check(&e, computed[d], expected[d], expected[d] > 0 ? 1e-3 * expected[d] : 1e-12, "%s_%g_N", directions[d], FORCES[k]);
      } else {
        example_inform(&e, expected[d], "%s_%g_N_sharp_formula", directions[d], FORCES[k]);
        example_check(&e, computed[d], law, 1e-3 * law, "%s_%g_N_with_v_eps", directions[d], FORCES[k]);
      }
    }
    example_row(&e, csv, FORCES[k], computed[0], computed[1]);
  }
  draw(&e, n);
  return example_end(&e);
}
