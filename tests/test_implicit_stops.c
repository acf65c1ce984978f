/* Implicit steps with springs that act on one side alone: limits of joints, tendons that go slack, and contractions that do not push. In
 * steps of any size they make no energy. */
#include "bodies.h"
#include "samples.h"

#define G 9.81
enum { SAMPLES = 40 };

/* An undamped scene, or with dampers; the energy of reference, and the time in which it makes several bounces. */
typedef struct scene {
  elastica_world *world;
  double energy, until;
} scene;

static void add_weight(elastica_world *world) {
  const double gravity[3] = {0.0, 0.0, -G};
  must(world, elastica_add_gravity(world, gravity, NULL));
}

static double logarithmic(random_source *random, double least, double most) {
  return least * pow(most / least, random_between(random, 0.0, 1.0));
}

/* A chain of one or two pendulums from the horizontal; each hinge has limits on both sides. */
static scene make_pendulums(random_source *random, int count) {
  const double along_x[9] = {0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0}, radius = 0.01;
  const double length = random_between(random, 0.1, 0.4), half = 0.5 * length + radius;
  scene of = {make_world(NULL), 0.0, 2.0};
  elastica_rod *last = NULL;
  for (int k = 0; k < count; k++) {
    elastica_body_def def = default_body(ELASTICA_SHAPE_CAPSULE);
    DEFAULTS(joint, hinge);
    def.radius = radius, def.length = length, def.density = 1000.0;
    def.position[0] = (2 * k + 1) * half;
    memcpy(def.director, along_x, sizeof along_x);
    elastica_rod *rod = add_body(of.world, &def);
    hinge.kind = ELASTICA_JOINT_HINGE;
    hinge.first.rod = rod, hinge.first.offset[2] = -half;
    hinge.second.rod = last, hinge.second.offset[2] = k > 0 ? half : 0.0;
    hinge.axis[0] = 0.0, hinge.axis[1] = 1.0, hinge.axis[2] = 0.0;
    hinge.stiffness = logarithmic(random, 1e4, 1e6), hinge.angular_stiffness = logarithmic(random, 10.0, 1e4);
    hinge.damping = random_between(random, -0.1, 0.1);
    if (hinge.damping < 0.0) hinge.damping = 0.0;
    hinge.least_angle = random_between(random, -2.3, -0.3), hinge.most_angle = random_between(random, 0.3, 2.3);
    must(of.world, elastica_add_joint(of.world, &hinge, NULL));
    of.energy += elastica_rod_get_view(rod)->mass[0] * G * half;
    last = rod;
  }
  add_weight(of.world);
  return of;
}

/* Balls with a tendon through them, slack at first: one that hangs on the world and falls, or several in free flight. */
static scene make_balls(random_source *random, int count) {
  scene of = {make_world(NULL), 0.0, 2.0};
  elastica_anchor guide[3];
  DEFAULTS(tendon, tendon);
  memset(guide, 0, sizeof guide);
  for (int k = 0; k < count; k++) {
    elastica_body_def ball = default_body(ELASTICA_SHAPE_SPHERE);
    ball.radius = 0.02, ball.density = logarithmic(random, 300.0, 3000.0);
    ball.position[0] = 0.03 + 0.06 * k;
    ball.velocity[0] = count == 1 ? 0.0 : k > 0 ? random_between(random, 0.2, 1.0) : -random_between(random, 0.2, 1.0);
    ball.velocity[1] = random_between(random, -0.5, 0.5);
    guide[k].rod = add_body(of.world, &ball);
    guide[k].offset[1] = random_between(random, 0.0, 0.02);
  }
  guide[1].offset[2] = count == 1 ? 0.01 : guide[1].offset[2];
  tendon.guides = guide, tendon.guide_count = count == 1 ? 2 : count;
  tendon.rest_length = 0.15 * (tendon.guide_count - 1);
  tendon.stiffness = logarithmic(random, 100.0, 1e6);
  tendon.damping = random_between(random, -0.3, 0.3);
  if (tendon.damping < 0.0) tendon.damping = 0.0;
  must(of.world, elastica_add_tendon(of.world, &tendon, NULL));
  if (count == 1)
    add_weight(of.world), of.energy = elastica_rod_get_view(guide[0].rod)->mass[0] * G * 0.15;
  else
    of.energy = total_energy(of.world);
  return of;
}

/* A clamped rod falls from the horizontal; kind 0: with a tendon in it, 1: its tip on a tendon of the world, 2: with a contraction that
 * begins at a length. */
static scene make_rod(random_source *random, int kind) {
  scene of = {make_world(NULL), 0.0, 0.5};
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  DEFAULTS(boundary, clamp);
  def.element_count = 8, def.length = 0.3, def.radius = logarithmic(random, 0.002, 0.01);
  def.direction[0] = 1.0, def.direction[1] = 0.0, def.direction[2] = 0.0;
  def.density = 1100.0, def.youngs_modulus = logarithmic(random, 1e6, 1e8);
  must(of.world, elastica_world_add_rod(of.world, &def, &rod));
  must(of.world, elastica_add_boundary(of.world, rod, &clamp, NULL));
  if (kind == 2) {
    DEFAULTS(contraction, flesh);
    flesh.maximum_force = logarithmic(random, 0.1, 100.0);
    flesh.force_length[0] = -1.0, flesh.force_length[1] = 1.0;
    flesh.optimal_length = random_between(random, 0.2985, 0.3015);
    must(of.world, elastica_add_contraction(of.world, rod, &flesh, NULL));
  } else {
    elastica_anchor guide[2];
    DEFAULTS(tendon, tendon);
    memset(guide, 0, sizeof guide);
    guide[0].rod = rod, guide[0].element = -1, guide[0].share = 1.0;
    guide[1].offset[0] = 0.3, guide[1].offset[2] = 0.2;
    if (kind == 0)
      tendon.rod = rod, tendon.offset[0] = def.radius, tendon.rest_length = random_between(random, 0.297, 0.303);
    else
      tendon.guides = guide, tendon.guide_count = 2, tendon.rest_length = random_between(random, 0.2, 0.23);
    tendon.stiffness = logarithmic(random, 10.0, 1e5);
    must(of.world, elastica_add_tendon(of.world, &tendon, NULL));
  }
  of.energy = 3.14159265358979324 * def.radius * def.radius * def.length * def.density * G * 0.5 * def.length;
  add_weight(of.world);
  return of;
}

enum { KINDS = 8 };
static scene make_scene(random_source *random, int kind) {
  if (kind < 2) return make_pendulums(random, kind + 1);
  return kind < 5 ? make_balls(random, kind - 1) : make_rod(random, kind - 5);
}

/* Returns the largest gain of energy over that of reference. */
static double gain_of(const scene *of, double accuracy, double dt) {
  const double first = total_energy(of->world);
  double most = -INFINITY;
  for (int k = 1; k <= SAMPLES; k++) {
    DEFAULTS(implicit, def);
    def.until = of->until * k / SAMPLES;
    def.accuracy = accuracy, def.dt = dt;
    must(of->world, elastica_world_run_implicit(of->world, &def, NULL));
    const double gain = (total_energy(of->world) - first) / of->energy;
    if (gain > most) most = gain;
  }
  return most;
}

/* In explicit steps these scenes gain up to 1e-5. With an accuracy the motion of a double pendulum alone gains more than 1 % in steps of
 * half a radian. */
TEST(impacts_on_stops_and_tendons_make_no_energy) {
  for (int k = 0; k < 8 * KINDS; k++) {
    random_source random = {(uint64_t)k + 1};
    const scene of = make_scene(&random, k % KINDS);
    const int controlled = k / KINDS % 2 == 0;
    const double size = controlled ? logarithmic(&random, 1e-5, 3e-4) : logarithmic(&random, 5e-4, 1e-2);
    const double gain = gain_of(&of, controlled ? size : NAN, controlled ? NAN : size);
    if (!(gain < 0.01)) fail_msg("scene %d, %s %.3g: gains %.3g", k, controlled ? "accuracy" : "dt", size, gain);
    elastica_world_destroy(of.world);
  }
}

/* The free spin of a revolving door has no error, so that its steps would be several radians long. It stays between its limits. */
TEST(a_hinge_does_not_pass_through_its_limits) {
  for (int k = 0; k < 2; k++) {
    elastica_world *world = make_world(NULL);
    elastica_effect *hinge = NULL;
    elastica_body_def leaf = default_body(ELASTICA_SHAPE_BOX);
    DEFAULTS(joint, joint);
    leaf.edges[0] = 0.8, leaf.edges[1] = 0.04, leaf.edges[2] = 2.0;
    leaf.density = 600.0;
    leaf.omega[2] = 30.0;
    joint.kind = ELASTICA_JOINT_HINGE;
    joint.first.rod = add_body(world, &leaf);
    joint.axis[0] = 0.0, joint.axis[1] = 0.0, joint.axis[2] = 1.0;
    joint.stiffness = 1e8, joint.angular_stiffness = 1e6;
    joint.least_angle = -1.0, joint.most_angle = 1.0;
    must(world, elastica_add_joint(world, &joint, &hinge));
    const double first = total_energy(world);
    for (int call = 1; call <= 20; call++) {
      elastica_joint_info info;
      DEFAULTS(implicit, def);
      def.until = 0.1 * call;
      if (k == 0)
        def.accuracy = 1e-2;
      else
        def.dt = 0.1;
      must(world, elastica_world_run_implicit(world, &def, NULL));
      must(world, elastica_joint_get(hinge, &info));
      assert_between(info.turn, -1.5, 1.5);
      assert_true(total_energy(world) < 1.01 * first);
    }
    elastica_world_destroy(world);
  }
}
