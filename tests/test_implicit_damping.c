/* Damping in implicit steps: axial viscosity, tendons and joints. */
#include "implicit_steps.h"

enum { N = 12, FINE = 65536 };

/* Factor of all masses and forces of the scenes. */
static double unit = 1.0;

/* A bar of soft tissue along x, bent by its velocities, with its first end clamped. */
static elastica_rod *add_tissue(elastica_world *world) {
  double velocity[3 * (N + 1)] = {0.0};
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  for (int i = 0; i <= N; i++) {
    const double s = (double)i / N;
    velocity[component(i, 0)] = 0.2 * s, velocity[component(i, 1)] = 0.5 * s * s, velocity[component(i, 2)] = -0.3 * s * s;
  }
  def.element_count = N, def.length = 0.2, def.radius = 0.01, def.density = 1000.0 * unit, def.youngs_modulus = 1e5 * unit;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  def.velocity = velocity;
  must(world, elastica_world_add_rod(world, &def, &rod));
  clamp_first_end(world, rod);
  return rod;
}

static elastica_status rise(void *user, double time, double *factor) {
  (void)user;
  *factor = 1.0 + 30.0 * time;
  return ELASTICA_OK;
}

static elastica_status slow_down(void *user, double time, double length, double rate, double *activation) {
  (void)user, (void)time, (void)length;
  *activation = 1.0 - 0.5 * tanh(rate);
  return ELASTICA_OK;
}

static void fill_viscous(elastica_world *world) {
  DEFAULTS(axial_viscosity, viscosity);
  viscosity.viscosity = 0.5 * unit;
  must(world, elastica_add_axial_viscosity(world, add_tissue(world), &viscosity, NULL));
}

static void fill_rising(elastica_world *world) {
  DEFAULTS(axial_viscosity, viscosity);
  viscosity.viscosity = 0.2 * unit;
  viscosity.function = rise;
  must(world, elastica_add_axial_viscosity(world, add_tissue(world), &viscosity, NULL));
}

static void fill_tendon(elastica_world *world) {
  DEFAULTS(tendon, tendon);
  tendon.rod = add_tissue(world);
  tendon.offset[0] = 0.008;
  tendon.stiffness = 200.0 * unit, tendon.rest_length = 0.19;
  tendon.damping = 0.3;
  must(world, elastica_add_tendon(world, &tendon, NULL));
}

static void fill_driven(elastica_world *world) {
  DEFAULTS(tendon, tendon);
  tendon.rod = add_tissue(world);
  tendon.offset[0] = 0.008;
  tendon.tension = 1.0 * unit;
  tendon.drive = slow_down;
  must(world, elastica_add_tendon(world, &tendon, NULL));
}

/* A second bar behind the tissue: the damper of the joint slows down its spin. */
static void fill_joint(elastica_world *world, elastica_joint_kind kind) {
  double omega[3 * N];
  DEFAULTS(joint, joint);
  DEFAULTS(rod, def);
  for (int j = 0; j < N; j++) omega[component(j, 0)] = 3.0, omega[component(j, 1)] = -2.0, omega[component(j, 2)] = 4.0;
  def.element_count = N, def.length = 0.2, def.radius = 0.01, def.density = 1000.0 * unit, def.youngs_modulus = 1e5 * unit;
  def.start[0] = 0.2, def.direction[0] = 1.0, def.direction[2] = 0.0;
  def.omega = omega;
  joint.kind = kind;
  joint.first.rod = add_tissue(world), joint.first.element = -1, joint.first.share = 1.0;
  must(world, elastica_world_add_rod(world, &def, &joint.second.rod));
  if (kind == ELASTICA_JOINT_HINGE) set_vector(joint.axis, 0, 0.3, 1.0, -0.5);
  joint.stiffness = 100.0 * unit, joint.angular_stiffness = 1e-3 * unit, joint.damping = 4.0;
  must(world, elastica_add_joint(world, &joint, NULL));
}

static void fill_hinge(elastica_world *world) {
  fill_joint(world, ELASTICA_JOINT_HINGE);
}

static void fill_fixed_joint(elastica_world *world) {
  fill_joint(world, ELASTICA_JOINT_FIXED);
}

static const struct {
  const char *name;
  void (*fill)(elastica_world *world);
} scene[] = {{"axial viscosity", fill_viscous},
             {"axial viscosity that rises", fill_rising},
             {"tendon", fill_tendon},
             {"tendon with a drive by its rate", fill_driven},
             {"hinge", fill_hinge},
             {"fixed joint", fill_fixed_joint}};
enum { SCENES = sizeof scene / sizeof *scene, SCENES_OF_LENGTHS = SCENES - 2 };

/* With second order; and the tangent of the dampers keeps Newton's method at some four corrections. */
TEST_LONG(damping_of_lengths_converges_to_explicit_steps) {
  const double until = 0.05;
  for (int s = 0; s < SCENES_OF_LENGTHS; s++) {
    double error[2], corrections = 0.0;
    elastica_world *exact = make_world(NULL);
    scene[s].fill(exact);
    must(exact, elastica_world_step(exact, until / FINE, FINE));
    for (int k = 0; k < 2; k++) {
      elastica_world *world = make_world(NULL);
      scene[s].fill(world);
      const elastica_implicit_result result = take_implicit_steps(world, until, until / (k ? 1024 : 512), 1e-9);
      corrections = fmax(corrections, 0.5 * (double)result.iterations / (double)result.steps);
      error[k] = distance_of(world, exact);
      elastica_world_destroy(world);
    }
    elastica_world_destroy(exact);
    if (!(error[1] < 2e-6 && error[0] > 3.5 * error[1] && error[0] < 4.6 * error[1] && corrections <= 3.0))
      fail_msg("%s: errors %.3g and %.3g m, %.2f corrections in a stage\n", scene[s].name, error[0], error[1], corrections);
  }
}

/* A tangent of the damper with a wrong sign or size needs more. */
TEST(steps_of_dampers_need_few_corrections) {
  for (int s = 0; s < SCENES; s++) {
    elastica_world *world = make_world(NULL);
    scene[s].fill(world);
    const elastica_implicit_result result = take_implicit_steps(world, 0.02, 0.002, 1e-9);
    const double corrections = 0.5 * (double)result.iterations / (double)result.steps;
    if (!(corrections <= 4.0)) fail_msg("%s: %.2f corrections in a stage\n", scene[s].name, corrections);
    elastica_world_destroy(world);
  }
}

/* Scaling by a power of two rounds no number differently. */
TEST(the_unit_of_mass_does_not_matter) {
  for (int s = 0; s < SCENES; s++) {
    elastica_world *world[2];
    elastica_implicit_result result[2];
    for (int k = 0; k < 2; k++) {
      unit = k ? 0x1p-12 : 1.0;
      world[k] = make_world(NULL);
      scene[s].fill(world[k]);
      result[k] = take_implicit_steps(world[k], 0.01, 0.001, 1e-9);
    }
    unit = 1.0;
    if (distance_of(world[0], world[1]) != 0.0 || result[0].iterations != result[1].iterations) fail_msg("%s\n", scene[s].name);
    for (int k = 0; k < 2; k++) elastica_world_destroy(world[k]);
  }
}

/* A rod that is held at one end and drawn at the other creeps with the time zeta/(E A) to its length, in steps many times that of its
 * waves; viscosity as large as this leaves no vibration. */
TEST(a_viscous_rod_creeps_to_its_length) {
  const double force = 0.5, area = 3.14159265358979324e-4, stiffness = 1e5 * area, viscosity = 20.0 * stiffness, dt = 0.5;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  def.element_count = N, def.length = 0.2, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e5;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  must(world, elastica_world_add_rod(world, &def, &rod));
  clamp_first_end(world, rod);
  DEFAULTS(axial_viscosity, tissue);
  tissue.viscosity = viscosity;
  must(world, elastica_add_axial_viscosity(world, rod, &tissue, NULL));
  DEFAULTS(point_load, load);
  load.node = -1;
  load.force[0] = force;
  must(world, elastica_add_point_load(world, rod, &load, NULL));
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int k = 1; k <= 3; k++) {
    take_implicit_steps(world, 20.0 * k, dt, 1e-9);
    const double wanted = force / stiffness * (1.0 - exp(-k));
    assert_close(view->position[0][N] / 0.2 - 1.0, wanted, 2e-4 * force / stiffness);
  }
  elastica_world_destroy(world);
}

/* Dampers between two free rods and within them keep the momentum. */
TEST(damping_of_lengths_keeps_momentum) {
  elastica_totals before, after;
  elastica_world *world = make_world(NULL);
  elastica_rod *rod[2];
  elastica_anchor guide[2];
  memset(guide, 0, sizeof guide);
  for (int k = 0; k < 2; k++) {
    double velocity[3 * (N + 1)] = {0.0};
    DEFAULTS(rod, def);
    for (int i = 0; i <= N; i++) velocity[component(i, 0)] = (k ? 0.4 : -0.1) * i / N, velocity[component(i, 1)] = k ? 0.3 : 0.0;
    def.element_count = N, def.length = 0.2, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e5;
    def.direction[0] = 1.0, def.direction[2] = 0.0, def.start[0] = 0.25 * k;
    def.velocity = velocity;
    must(world, elastica_world_add_rod(world, &def, &rod[k]));
    DEFAULTS(axial_viscosity, tissue);
    tissue.viscosity = 0.5;
    must(world, elastica_add_axial_viscosity(world, rod[k], &tissue, NULL));
    guide[k].rod = rod[k], guide[k].element = k ? 0 : N - 1, guide[k].share = 0.5, guide[k].offset[1] = 0.005;
  }
  DEFAULTS(tendon, tendon);
  tendon.guides = guide, tendon.guide_count = 2;
  tendon.stiffness = 100.0, tendon.rest_length = 0.04;
  tendon.damping = 0.4;
  must(world, elastica_add_tendon(world, &tendon, NULL));
  must(world, elastica_world_get_totals(world, &before));
  const double energy = total_energy(world);
  take_implicit_steps(world, 0.1, 1e-4, 1e-10);
  must(world, elastica_world_get_totals(world, &after));
  for (int a = 0; a < 3; a++) {
    assert_close(after.linear[a], before.linear[a], 1e-13);
    assert_close(after.angular[a], before.angular[a], 1e-8);
  }
  assert_true(total_energy(world) < energy);
  elastica_world_destroy(world);
}

static elastica_status break_late(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)rod;
  if (now->time > 0.005) loads->force[1][3] = NAN;
  return ELASTICA_OK;
}

static elastica_status break_couple(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)rod;
  if (now->time > 0.005) loads->couple[0][2] = INFINITY;
  return ELASTICA_OK;
}

static elastica_status break_between(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)self, (void)now;
  loads->loads[0].force[2][1] = NAN;
  return ELASTICA_OK;
}

static elastica_status no_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  (void)self, (void)now, (void)rod, (void)tangent;
  return ELASTICA_OK;
}

/* The sentence names the effect, from the first step and later, alone and behind other effects. */
TEST(a_load_that_is_not_finite_is_named_with_its_effect_and_place) {
  for (int turns = 0; turns < 2; turns++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_tissue(world);
    const double gravity[3] = {0.0, 0.0, -1.0};
    elastica_module module = module_named("broken");
    module.add_loads = turns ? break_couple : break_late;
    module.add_tangent = no_tangent;
    must(world, elastica_add_gravity(world, gravity, NULL));
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    DEFAULTS(implicit, def);
    def.until = 0.01;
    def.dt = 1e-3;
    assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_NOT_CONVERGED, "rod 0",
                   turns ? "the couple on element 2 is not finite" : "the force on node 3 is not finite", "by effect 2 \"broken\"");
    assert_true(elastica_world_get(world).time <= 0.005 + 1e-12);
    elastica_world_destroy(world);
  }
}

/* Loads between rods have no effect in the sentence, but a place. */
TEST(a_load_between_rods_that_is_not_finite_is_named_with_its_place) {
  elastica_world *world = make_world(NULL);
  elastica_module module = module_named("broken");
  (void)add_tissue(world);
  module.add_world_loads = break_between;
  module.add_tangent = no_tangent;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
  DEFAULTS(implicit, def);
  def.until = 0.01;
  def.dt = 1e-3;
  assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_NOT_CONVERGED, "rod 0",
                 "the force on node 1 is not finite;");
  elastica_world_destroy(world);
}

TEST(friction_of_a_tendon_is_refused_by_name) {
  elastica_world *world = make_world(NULL);
  DEFAULTS(tendon, tendon);
  tendon.rod = add_tissue(world);
  tendon.tension = 1.0;
  tendon.offset[0] = 0.008;
  tendon.friction = 0.3, tendon.sliding_speed = 1e-3;
  must(world, elastica_add_tendon(world, &tendon, NULL));
  DEFAULTS(implicit, def);
  def.until = 0.1;
  def.dt = 1e-3;
  assert_refused(world, elastica_world_run_implicit(world, &def, NULL), ELASTICA_INVALID_ARGUMENT, "tendon", "friction",
                 "elastica_add_dissipation", "elastica_world_run");
  elastica_world_destroy(world);
}
