/* Gripper: two soft fingers, each bent by a tendon, close on a meshed part that lies on a table, and try to lift it.
 *
 * claim     a tendon of tension T at a distance h along a finger is a couple T h about each of its sections; the tip that it presses on a
 *           part carries the force that keeps it at the wall. Fingers lift a part of weight W if mu > W/(2 N) for a normal force N of each
 * compared  normal force with an elastica under its weight, by shooting, extrapolated in n; forces on a finger with their sum; the force on
 *           the part by the effect and by the contact points; in motion the vertical force of sliding fingers with mu times the normal
 *           force, and whether it reaches the weight of the part, above and below the closed-form need; the balance of energy
 *
 * The part is a prism of eight sides made of triangles, an elastic obstacle. An obstacle does not move by itself: the part rests on its
 * table, and the lift is the vertical force that the fingers exert on it. Where that force reaches the weight, the table carries nothing,
 * and the part leaves it. --part reads the triangles of another part from a file, in millimetres.
 */
#include "common/example.h"
#include "common/mesh_file.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LENGTH = 0.1, RADIUS = 4e-3, DENSITY = 1100, YOUNGS_MODULUS = 2e6; /* [m] [m] [kg/m^3] [Pa] of a finger */
static const double OFFSET = 3e-3, TENSION = 2, GRAVITY = 9.81;                        /* [m] [N] [m/s^2] */
static const double HALF_WIDTH = 0.015, HEIGHT = 0.06, PALM = 0.13;                    /* [m] of the part; height of the palm */
static const double GAP = 0.02;                                                        /* [m] a finger is bent by this at its tip */
static const double FILLET = 6e-3, HARD = 1e7, SOFT = 3e5;                             /* [m] [Pa] layer at rest and in motion */
static const double WEIGHT = 0.05;                                                     /* [N] of the part */
static const double CLOSING = 0.3, SETTLED = 0.5, LIFTING = 0.25, LIFT_SPEED = 0.03, FRAME = 0.01; /* [s] [s] [s] [m/s] [s] */
static const double DAMPING = 1.5, SPIN_DAMPING = 2e-5;                                            /* [kg/(m s)] [kg m/s] */
enum { SIDES = 8, FINGERS = 2, MOST_CONTACTS = 400 };

static double bend_stiffness(void) {
  return YOUNGS_MODULUS * acos(-1) * pow(RADIUS, 4) / 4;
}

/* ---- Expected values ---- */

static double weight_per_length(void) {
  return DENSITY * acos(-1) * RADIUS * RADIUS * GRAVITY;
}

/* A finger hangs from a clamp, with the couple T h at its end and a horizontal force F there: B theta'' = F cos(theta) + w (L - s)
 * sin(theta). Writes the rate of the angle at the end and how far the end is aside. */
static void shoot(double rate, double force, double end[2]) {
  const int steps = 1000;
  const double bend = bend_stiffness(), ds = LENGTH / steps;
  double y[3] = {0, rate, 0};
  for (int k = 0; k < steps; k++) {
    double slope[4][3], at[3];
    for (int stage = 0; stage < 4; stage++) {
      const double part = stage == 0 ? 0 : stage == 3 ? 1 : 0.5, hanging = weight_per_length() * (LENGTH - (k + part) * ds);
      for (int i = 0; i < 3; i++) at[i] = y[i] + (stage ? part * ds * slope[stage - 1][i] : 0);
      slope[stage][0] = at[1];
      slope[stage][1] = (force * cos(at[0]) + hanging * sin(at[0])) / bend;
      slope[stage][2] = sin(at[0]);
    }
    for (int i = 0; i < 3; i++) y[i] += ds / 6 * (slope[0][i] + 2 * slope[1][i] + 2 * slope[2][i] + slope[3][i]);
  }
  end[0] = y[1], end[1] = y[2];
}

/* The force that keeps the tip GAP aside, by Newton's method from the solution for small angles. */
static double normal_expected(void) {
  const double bend = bend_stiffness(), couple = TENSION * OFFSET;
  double force = 3 * bend / pow(LENGTH, 3) * (couple * LENGTH * LENGTH / (2 * bend) - GAP), rate = (couple - force * LENGTH) / bend;
  for (int k = 0; k < 50; k++) {
    double end[2], other[2], jacobian[2][2];
    const double step[2] = {1e-6 * couple / bend, 1e-6 * couple / LENGTH};
    shoot(rate, force, end);
    for (int p = 0; p < 2; p++) {
      shoot(rate + (p == 0 ? step[0] : 0), force + (p == 1 ? step[1] : 0), other);
      for (int i = 0; i < 2; i++) jacobian[i][p] = (other[i] - end[i]) / step[p];
    }
    const double a = couple / bend - end[0], b = GAP - end[1], det = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
    rate += (a * jacobian[1][1] - b * jacobian[0][1]) / det;
    force += (jacobian[0][0] * b - jacobian[1][0] * a) / det;
  }
  return force;
}

/* ---- The part ---- */

static mesh_file prism(void) {
  static double points[3 * (2 * SIDES + 2)];
  static int triangles[3 * 4 * SIDES];
  const double pi = acos(-1), corner = HALF_WIDTH / cos(pi / SIDES);
  int count = 0;
  for (int k = 0; k < 2 * SIDES; k++) {
    const double angle = (k % SIDES + 0.5) * 2 * pi / SIDES;
    points[component(k, X)] = corner * cos(angle), points[component(k, Y)] = corner * sin(angle);
    points[component(k, Z)] = k < SIDES ? 0 : HEIGHT;
  }
  points[component(2 * SIDES + 1, Z)] = HEIGHT;
  for (int k = 0; k < SIDES; k++) {
    const int next = (k + 1) % SIDES, top = k + SIDES, top_next = next + SIDES;
    const int faces[12] = {k, next, top_next, k, top_next, top, 2 * SIDES, next, k, 2 * SIDES + 1, top, top_next};
    for (int i = 0; i < 12; i++) triangles[count++] = faces[i];
  }
  return (mesh_file){.points = points, .triangles = triangles, .point_count = 2 * SIDES + 2, .triangle_count = 4 * SIDES};
}

/* ---- Fingers on the part ---- */

typedef struct hand {
  elastica_world *world;
  elastica_rod *finger[FINGERS];
  elastica_effect *tendon[FINGERS], *part;
  int n, fingers;
  double softer; /* divisor of the stiffness against stretch */
  double friction, modulus;
} hand;

/* The tension rises smoothly while the hand closes. */
static elastica_status pull(void *user, double time, double length, double rate, double *activation) {
  const double part = fmin(time / CLOSING, 1);
  (void)user, (void)length, (void)rate;
  *activation *= part * part * (3 - 2 * part);
  return ELASTICA_OK;
}

static double lifted(double time) {
  const double late = fmax(time - SETTLED, 0), start = 0.05;
  return LIFT_SPEED * (late < start ? late * late / (2 * start) : late - start / 2);
}

static elastica_status lift(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  (void)user, (void)director, (void)omega;
  position[Z] += lifted(time);
  velocity[Z] = LIFT_SPEED * fmin(fmax(time - SETTLED, 0) / 0.05, 1);
  return ELASTICA_OK;
}

static void add_finger(example *e, hand *of, int k, int moves) {
  const double side = k == 0 ? 1 : -1, area = acos(-1) * RADIUS * RADIUS, stretch = YOUNGS_MODULUS * area / of->softer;
  double *shear = calloc(3 * (size_t)of->n, sizeof *shear);
  elastica_rod_def def;
  elastica_boundary_def palm;
  elastica_tendon_def tendon;
  if (!shear) example_require(e, of->world, elastica_world_refuse(of->world, ELASTICA_OUT_OF_MEMORY, "no room for %d elements", of->n));
  for (int j = 0; j < 3 * of->n; j++) shear[j] = j % 3 == Z ? stretch : stretch / 3;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = of->n;
  def.start[X] = side * (HALF_WIDTH + RADIUS + GAP), def.start[Z] = PALM;
  def.direction[Z] = -1;
  def.normal[X] = -side, def.normal[Y] = def.normal[Z] = 0; /* towards the part */
  def.length = LENGTH, def.radius = RADIUS, def.density = DENSITY, def.youngs_modulus = YOUNGS_MODULUS;
  def.shear_stiffness = shear;
  example_require(e, of->world, elastica_world_add_rod(of->world, &def, &of->finger[k]));
  free(shear);
  elastica_boundary_def_init(&palm, sizeof palm);
  palm.motion = moves ? lift : NULL;
  example_require(e, of->world, elastica_add_boundary(of->world, of->finger[k], &palm, NULL));
  elastica_tendon_def_init(&tendon, sizeof tendon);
  tendon.rod = of->finger[k];
  tendon.offset[X] = OFFSET;
  tendon.tension = TENSION;
  tendon.drive = moves ? pull : NULL;
  example_require(e, of->world, elastica_add_tendon(of->world, &tendon, &of->tendon[k]));
}

static void build(example *e, hand *of, const mesh_file *mesh, int moves) {
  elastica_obstacle_def part, table;
  of->world = example_world(e);
  for (int k = 0; k < of->fingers; k++) add_finger(e, of, k, moves);
  example_require(e, of->world, elastica_add_gravity(of->world, (const double[]){0, 0, -GRAVITY}, NULL));
  elastica_obstacle_def_init(&part, sizeof part);
  part.kind = ELASTICA_OBSTACLE_ELASTIC;
  part.modulus = of->modulus;
  table = part;
  part.friction = of->friction;
  part.shape = ELASTICA_SHAPE_MESH;
  part.points = mesh->points, part.point_count = mesh->point_count;
  part.triangles = mesh->triangles, part.triangle_count = mesh->triangle_count;
  part.fillet = FILLET;
  example_require(e, of->world, elastica_add_obstacle(of->world, NULL, &part, &of->part));
  example_require(e, of->world, elastica_add_obstacle(of->world, NULL, &table, NULL));
}

/* ---- Measurements ---- */

/* Force of one finger on the part, from the contact points: normal along x, and upwards. */
static void read_touch(const example *e, const hand *of, int finger, double touch[2]) {
  static elastica_contact_point point[MOST_CONTACTS];
  int count;
  example_require(e, of->world, elastica_contact_get(of->part, point, MOST_CONTACTS, &count));
  touch[0] = touch[1] = 0;
  for (int c = 0; c < count && c < MOST_CONTACTS; c++) {
    if (point[c].rod[0] != finger) continue;
    touch[0] += fabs(point[c].force * point[c].normal[X] + point[c].tangential[X]);
    touch[1] -= point[c].force * point[c].normal[Z] + point[c].tangential[Z];
  }
}

/* The sum of all forces on the nodes of a finger but the one in the palm, per component. */
static void read_sum(const example *e, const hand *of, double sum[3]) {
  const elastica_rod_view *view = elastica_rod_get_view(of->finger[0]);
  elastica_tendon_info info;
  double palm[3], part[3];
  example_require(e, of->world, elastica_rod_refresh(of->finger[0]));
  example_require(e, of->world, elastica_obstacle_get_force(of->part, part, NULL));
  example_require(e, of->world, elastica_tendon_get(of->tendon[0], &info, NULL, 0));
  const double stress[3] = {view->force[0][0], view->force[1][0], view->force[2][0]};
  elastica_rotate_to_laboratory(view, 0, stress, palm);
  for (int a = 0; a < 3; a++) sum[a] = -palm[a] - part[a];
  for (int i = 1; i <= of->n; i++) sum[Z] -= view->mass[i] * GRAVITY;
  elastica_guide_info *guides = calloc((size_t)info.guide_count, sizeof *guides);
  example_require(e, of->world, guides != NULL ? ELASTICA_OK : ELASTICA_OUT_OF_MEMORY);
  example_require(e, of->world, elastica_tendon_get(of->tendon[0], &info, guides, info.guide_count));
  for (int g = 1; g < info.guide_count; g++)
    for (int a = 0; a < 3; a++) sum[a] += guides[g].force[a];
  free(guides);
}

/* ---- At rest ---- */

static double rest(example *e, const mesh_file *mesh, int n, double modulus, int balance, elastica_csv *csv) {
  hand of = {.n = n, .fingers = 1, .softer = 1e-3, .modulus = modulus};
  double force[3], sum[3], touch[2];
  build(e, &of, mesh, 0);
  example_relax(e, of.world);
  example_require(e, of.world, elastica_obstacle_get_force(of.part, force, NULL));
  if (balance) {
    read_sum(e, &of, sum);
    read_touch(e, &of, 0, touch);
    example_check(e, sqrt(sum[X] * sum[X] + sum[Y] * sum[Y] + sum[Z] * sum[Z]) / fabs(force[X]), 0, 1e-6,
                  "rest_sum_of_forces_over_the_normal_force");
    example_check(e, touch[0] / fabs(force[X]), 1, 1e-9, "rest_contact_points_over_the_force_of_the_part");
  }
  const double *const *r = elastica_rod_get_view(of.finger[0])->position;
  for (int i = 0; i <= n && csv; i++) example_row(e, csv, r[X][i], r[Z][i]);
  example_done(e, of.world);
  return fabs(force[X]);
}

static double compare_at_rest(example *e, const mesh_file *mesh, int n) {
  const double expected = normal_expected(), coarse = rest(e, mesh, n, HARD, 0, NULL),
               fine = rest(e, mesh, 2 * n, HARD, 1, example_csv(e, "finger.csv")), finest = rest(e, mesh, 4 * n, HARD, 0, NULL);
  example_check(e, (4 * finest - fine) / 3, expected, 2e-4 * expected, "rest_normal_force");
  example_check(e, log2((coarse - fine) / (fine - finest)), 2, 0.1, "rest_order");
  example_inform(e, rest(e, mesh, 2 * n, SOFT, 0, NULL) / fine, "rest_normal_force_on_the_layer_in_motion_over_this");
  return expected;
}

/* ---- Closing and lifting ---- */

/* The fingers close on the part and are raised. Returns the largest vertical force on the part while they
 * rise. */
static double grip(example *e, const mesh_file *mesh, int n, double friction, double duration, double *slipping, elastica_csv *csv,
                   const char *name) {
  hand of = {.n = n, .fingers = FINGERS, .softer = 1, .friction = friction, .modulus = SOFT};
  double most = 0;
  elastica_dissipation_def air;
  build(e, &of, mesh, 1);
  elastica_dissipation_def_init(&air, sizeof air);
  air.translation = DAMPING, air.rotation = SPIN_DAMPING;
  example_require(e, of.world, elastica_add_dissipation(of.world, NULL, &air, NULL));
  elastica_vtk *vtk = name ? example_vtk(e, of.world, name) : NULL;
  const int frames = (int)lround(duration / FRAME);
  elastica_budget *budget = NULL;
  if (!e->budget) example_require(e, of.world, elastica_budget_open(of.world, &budget));
  *slipping = 0;
  output_frame(&e->output, of.world, vtk);
  for (int k = 1; k <= frames; k++) {
    double touch[FINGERS][2], force[3];
    example_advance(e, of.world, k * FRAME);
    example_worked(e, FRAME);
    output_frame(&e->output, of.world, vtk);
    for (int f = 0; f < FINGERS; f++) read_touch(e, &of, f, touch[f]);
    example_require(e, of.world, elastica_obstacle_get_force(of.part, force, NULL));
    example_row(e, csv, friction, k * FRAME, lifted(k * FRAME), touch[0][0], touch[1][0], force[Z]);
    if (k * FRAME > SETTLED) most = fmax(most, force[Z]);
    if (k == frames) *slipping = (touch[0][1] + touch[1][1]) / (touch[0][0] + touch[1][0]);
  }
  if (budget) { /* with --budget the program prints all of it */
    elastica_budget_sum sum;
    example_require(e, of.world, elastica_budget_get(budget, &sum));
    example_check(e, sum.residual / sum.elastic, 0, 1e-5, "energy_residual_over_the_elastic_energy_for_mu_%.3g", friction);
    elastica_budget_close(budget);
  }
  example_done(e, of.world);
  return most;
}

static void compare_lifting(example *e, const mesh_file *mesh, int n, double normal) {
  static const double shares[2] = {1.3, 0.7};
  const double need = WEIGHT / (2 * normal);
  elastica_csv *csv = example_csv(e, "lift.csv");
  example_inform(e, need, "friction_coefficient_needed");
  for (int k = 0; k < 2; k++) {
    double slipping;
    const double most = grip(e, mesh, n, shares[k] * need, SETTLED + LIFTING, &slipping, csv, k ? NULL : "gripper");
    example_check(e, slipping, shares[k] * need, 0.002 * need, "friction_of_sliding_fingers_at_%g_of_the_need", shares[k]);
    example_check(e, most > WEIGHT, shares[k] > 1, 0, "lifted_at_%g_of_the_need", shares[k]);
    example_inform(e, most / WEIGHT, "largest_lift_over_the_weight_at_%g_of_the_need", shares[k]);
  }
}

/* ---- The program ---- */

static const example_file FILES[] = {
    {"finger.csv", "x [m],z [m]", "nodes of a finger at rest on the part", FILE_ALWAYS},
    {"lift.csv", "friction [1],time [s],raised [m],normal force of a finger [N],of the other [N],lift [N]", "forces on the part",
     FILE_ALWAYS},
    {"gripper.pvd", NULL, "fingers and part, with enough friction", FILE_ALWAYS},
};

int main(int argc, char **argv) {
  const char *file = NULL;
  const case_option options[] = {
      {"--part", "FILE", "triangles of another part, STL or OBJ, in mm; the checks are those of the prism", OPTION_TEXT, &file, 0, 0}};
  const example_about about = {.name = "gripper",
                               .title = "two tendon-driven fingers close on a meshed part, against shooting and Coulomb's rule",
                               .quick = "n = 10 to 40 at rest, n = 12 in motion; 2 s",
                               .normal = "n = 20 to 80 at rest, n = 20 in motion; 5 s",
                               .full = "n = 40 to 160 at rest, n = 40 in motion; 1 min",
                               .options = options,
                               .option_count = sizeof options / sizeof *options,
                               .files = FILES,
                               .file_count = sizeof FILES / sizeof *FILES};
  example e;
  mesh_file mesh = prism(), read = {0};
  char message[300];
  example_begin(&e, &about, argc, argv);
  if (file) {
    if (!mesh_file_read(file, 1e-3, &read, message, sizeof message)) options_refuse(&about, "%s", message);
    mesh = read;
  }
  const int quick = e.options.mode == EXAMPLE_QUICK, full = e.options.mode == EXAMPLE_FULL, n = quick ? 12 : full ? 40 : 20;
  example_expect(&e, 2 * (SETTLED + LIFTING));
  const double normal = compare_at_rest(&e, &mesh, quick ? 10 : full ? 40 : 20);
  compare_lifting(&e, &mesh, n, normal);
  if (file) mesh_file_free(&read);
  char definitions[160];
  snprintf(definitions, sizeof definitions, "need = %.9g\nweight = %g\nhalf = %g\nheight = %g\n", WEIGHT / (2 * normal), WEIGHT, HALF_WIDTH,
           HEIGHT);
  example_plot(&e, 1300, 560, definitions, "tendons of %g N, n = %d in motion", TENSION, n);
  return example_end(&e);
}
