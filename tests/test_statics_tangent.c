/* The tangents that effects add are the derivatives of their loads: beside central differences of loads, in random states.
 */
#include "base/vector.h"
#include "jointed.h"
#include "tangents.h"

/* Allowed error of a tangent, as a share of its largest entry. */
#define TIGHT 2e-9

/* Moves nodes by up to 0.02 m and turns frames by up to 0.4 rad about each axis. */
static void shake(random_source *source, elastica_rod *rod, int n) {
  rod_state moved;
  read_state(rod, &moved);
  for (int i = 0; i < 3 * (n + 1); i++) moved.position[i] += random_between(source, -0.02, 0.02);
  for (int j = 0; j < n; j++) {
    double phi[3];
    random_vector(source, 0.4, phi);
    turn_frame_exactly(phi, moved.director + 9 * j);
  }
  must(elastica_rod_get_view(rod)->world, elastica_rod_set_state(rod, moved.position, NULL, moved.director, NULL));
}

static elastica_status turn_back(void *user, double time, double angle, double rate, double *couple) {
  (void)user, (void)time, (void)rate;
  *couple += 0.3 * sin(2.0 * angle);
  return ELASTICA_OK;
}

/* Two rods and a body, bent, apart and turned at random; the second anchor is on a rod, on the body, or in the world. */
TEST(joints_have_the_tangent_of_their_loads) {
  for (uint64_t seed = 0; seed < (uint64_t)rounds(120); seed++) {
    random_source source = {seed};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[3];
    for (int k = 0; k < 3; k++) {
      double shift[3];
      DEFAULTS(rod, def);
      random_vector(&source, 0.05, shift);
      def.element_count = 3, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
      for (int a = 0; a < 3; a++) def.start[a] = shift[a];
      random_vector(&source, 1.0, def.direction);
      must(world, elastica_world_add_rod(world, &def, &rod[k]));
    }
    DEFAULTS(joint, joint);
    joint.kind = (elastica_joint_kind)(seed % 4);
    joint.first.rod = rod[0], joint.first.element = random_integer(&source, 0, 2), joint.first.share = random_integer(&source, 0, 2) * 0.5;
    if (joint.kind == ELASTICA_JOINT_SIDE_BY_SIDE || seed % 3 > 0) {
      joint.second.rod = rod[1 + seed % 2], joint.second.element = random_integer(&source, 0, 2);
      joint.second.share = random_between(&source, 0.0, 1.0);
    }
    if (joint.kind != ELASTICA_JOINT_SIDE_BY_SIDE) {
      random_vector(&source, 0.1, joint.first.offset);
      if (joint.second.rod != NULL) random_vector(&source, 0.1, joint.second.offset);
    }
    if (joint.kind == ELASTICA_JOINT_HINGE) {
      random_vector(&source, 1.0, joint.axis);
      joint.axis_in_world = seed % 8 > 3;
      if (!joint.axis_in_world && seed % 3 == 0) joint.least_angle = -0.05, joint.most_angle = 0.05;
      if (!joint.axis_in_world && seed % 5 > 0) joint.motor = random_between(&source, -1.0, 1.0);
      if (!joint.axis_in_world && seed % 5 == 2) joint.drive = turn_back;
    }
    joint.stiffness = 30.0;
    if (joint.kind != ELASTICA_JOINT_BALL) joint.angular_stiffness = 2.0;
    must(world, elastica_add_joint(world, &joint, NULL));
    for (int k = 0; k < 3; k++) shake(&source, rod[k], 3);
    assert_true(check_tangent(world, "joint", 1, -1, 1e-3, TIGHT) > 0.0);
    elastica_world_destroy(world);
  }
}

static elastica_rod *add_short_rod(elastica_world *world, random_source *source, int n) {
  elastica_rod *rod;
  DEFAULTS(rod, def);
  def.element_count = n, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  random_vector(source, 0.2, def.start);
  random_vector(source, 1.0, def.direction);
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

static elastica_status relax_when_short(void *user, double time, double length, double rate, double *activation) {
  (void)user, (void)time, (void)rate;
  *activation *= 1.0 + 0.5 * sin(length);
  return ELASTICA_OK;
}

/* Of a given tension or a spring, with a drive and with friction, which does nothing at rest, along one rod or through guides on two rods
 * and in the world. */
TEST(tendons_have_the_tangent_of_their_loads) {
  for (uint64_t seed = 0; seed < (uint64_t)rounds(60); seed++) {
    enum { GUIDES = 4 };
    random_source source = {seed};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod[2];
    elastica_anchor guide[GUIDES];
    memset(guide, 0, sizeof guide);
    for (int k = 0; k < 2; k++) rod[k] = add_short_rod(world, &source, 4);
    DEFAULTS(tendon, tendon);
    if (seed % 2)
      tendon.tension = 3.0;
    else
      tendon.stiffness = 50.0, tendon.rest_length = 0.3;
    if (seed % 4 < 2) {
      tendon.rod = rod[0], tendon.first = 0, tendon.last = 3, tendon.offset[0] = 0.05;
    } else {
      for (int k = 0; k < GUIDES; k++) {
        if (k < 3 || seed % 8 < 4) guide[k].rod = rod[k % 2], guide[k].element = k, guide[k].share = random_between(&source, 0.0, 1.0);
        random_vector(&source, 0.1, guide[k].offset);
      }
      tendon.guides = guide, tendon.guide_count = GUIDES;
    }
    if (seed % 3 == 0) tendon.drive = relax_when_short;
    if (seed % 5 == 0) tendon.friction = 0.3, tendon.sliding_speed = 1e-3;
    must(world, elastica_add_tendon(world, &tendon, NULL));
    for (int k = 0; k < 2; k++) shake(&source, rod[k], 4);
    assert_true(check_tangent(world, "tendon", seed % 4 >= 2, -1, 3e-4, TIGHT) > 0.0);
    elastica_world_destroy(world);
  }
}

/* At either end, in both laws and with either couple; and couples in laboratory components. */
TEST(clamps_and_point_loads_have_the_tangent_of_their_loads) {
  for (uint64_t seed = 0; seed < (uint64_t)rounds(60); seed++) {
    random_source source = {seed};
    elastica_world_def def = seed % 4 < 2 ? default_world() : papers_world();
    elastica_world *world = make_world(&def);
    elastica_rod *rod = add_short_rod(world, &source, 4);
    const int held = seed % 3 > 0 ? 4 * (int)(seed % 2) : -1;
    if (held >= 0) {
      DEFAULTS(boundary, clamp);
      clamp.node = seed % 2 ? -1 : 0;
      must(world, elastica_add_boundary(world, rod, &clamp, NULL));
    }
    DEFAULTS(point_load, load);
    random_vector(&source, 1.0, load.force);
    random_vector(&source, 1e-3, load.couple);
    load.couple_in_laboratory = 1;
    must(world, elastica_add_point_load(world, rod, &load, NULL));
    shake(&source, rod, 4);
    assert_true(check_tangent(world, "clamp", 0, held, 3e-4, TIGHT) > 0.0);
    elastica_world_destroy(world);
  }
}

static elastica_status whirl(void *user, double time, const double position[3], double velocity[3]) {
  (void)user, (void)time;
  velocity[0] += 0.3 * sin(position[1]), velocity[1] += position[2] * position[0], velocity[2] -= 0.1 * position[2];
  return ELASTICA_OK;
}

/* Drag in a flow, with and without a function, at the slenderness at rest: the present one depends on all nodes. A fluid at rest, and
 * dissipation, have no load. */
TEST(drag_has_the_tangent_of_its_loads) {
  for (uint64_t seed = 0; seed < (uint64_t)rounds(40); seed++) {
    random_source source = {seed};
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_short_rod(world, &source, 4);
    DEFAULTS(drag, drag);
    DEFAULTS(dissipation, damping);
    drag.viscosity = 2.0, drag.rest_slenderness = 1, drag.rest_length = seed % 2;
    drag.kind = seed % 3 ? ELASTICA_DRAG_RATE : ELASTICA_DRAG_EXPLICIT;
    random_vector(&source, 1.0, drag.flow);
    for (int k = 0; k < 9; k++) drag.gradient[k] = random_between(&source, -1.0, 1.0);
    if (seed % 4 == 3) drag.function = whirl;
    must(world, elastica_add_drag(world, rod, &drag, NULL));
    damping.translation = 3.0;
    must(world, elastica_add_dissipation(world, rod, &damping, NULL));
    shake(&source, rod, 4);
    assert_true(check_tangent(world, "drag", 0, -1, 3e-4, TIGHT) > 0.0);
    elastica_world_destroy(world);
  }
}

TEST(laboratory_muscles_have_the_tangent_of_their_loads) {
  for (uint64_t seed = 0; seed < (uint64_t)rounds(40); seed++) {
    enum { JOINTS = 3 };
    random_source source = {seed};
    double amplitude[JOINTS];
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = add_short_rod(world, &source, JOINTS + 1);
    DEFAULTS(muscle, muscle);
    for (int k = 0; k < JOINTS; k++) amplitude[k] = random_between(&source, -1.0, 1.0);
    muscle.kind = ELASTICA_MUSCLE_LABORATORY_COUPLE, muscle.amplitude = amplitude, muscle.axis = (int)(seed % 3);
    muscle.period = 1.0, muscle.phase = 1.0;
    must(world, elastica_add_muscle(world, rod, &muscle, NULL));
    shake(&source, rod, JOINTS + 1);
    assert_true(check_tangent(world, "muscle", 0, -1, 3e-4, TIGHT) > 0.0);
    elastica_world_destroy(world);
  }
}

/* ---- Resultants that depend on the state --------------------------------------------------------------------------------------------- */

enum { RUN = 4 };

/* Resultants that stay: those that a rod with contraction had before it moved. */
typedef struct constant_resultants {
  double force[3][RUN];
} constant_resultants;

static elastica_status add_constant(void *self, const elastica_instant *now, const elastica_rod_view *rod,
                                    elastica_resultants *resultants) {
  const constant_resultants *held = self;
  (void)now;
  for (int j = 0; j < rod->element_count; j++)
    for (int a = 0; a < 3; a++) resultants->force[a][j] += held->force[a][j];
  return ELASTICA_OK;
}

static elastica_status tire(void *user, double time, double x, double *activation) {
  (void)user, (void)time;
  *activation *= 1.0 + 0.3 * sin(3.0 * x);
  return ELASTICA_OK;
}

/* Computes all internal and external loads of a world. */
static void totals_of(elastica_world *world, double *out) {
  eli_tile_report report;
  assert_int_equal(eli_world_statics(world, 1, &on.statics, &report), ELASTICA_OK);
  memcpy(out, on.total, on.relaxation.size * sizeof *out);
}

/* add_tangent of a contraction is the difference to resultants that stay. */
TEST(contractions_have_the_tangent_of_their_change) {
  for (uint64_t seed = 0; seed < (uint64_t)rounds(60); seed++) {
    static double at[2][4][MOST], tangent[MOST][MOST];
    static const double factor[4] = {1.0, -1.0, 2.0, -2.0}, size = 3e-4;
    double share[RUN], most = 0.0, wrong = 0.0;
    constant_resultants constant;
    elastica_world_def def = seed % 2 ? default_world() : papers_world();
    elastica_world *world[2];
    memset(&constant, 0, sizeof constant);
    for (int side = 0; side < 2; side++) {
      random_source source = {seed};
      world[side] = make_world(&def);
      elastica_rod *rod = add_short_rod(world[side], &source, RUN);
      const int first = random_integer(&source, 0, 1), last = random_integer(&source, 2, 3);
      for (int k = 0; k < RUN; k++) share[k] = seed % 4 == 3 ? random_between(&source, 0.2, 1.0) : 1.0;
      shake(&source, rod, RUN);
      DEFAULTS(contraction, muscle);
      muscle.first = first, muscle.last = last, muscle.maximum_force = 500.0, muscle.share = share, muscle.optimal_length = 0.4;
      if (seed % 3 > 0) muscle.force_length[0] = -0.3, muscle.force_length[1] = 1.7, muscle.force_length[2] = -0.2;
      if (seed % 5 > 2) muscle.function = tire;
      if (side == 0) {
        must(world[side], elastica_rod_refresh(rod));
        const elastica_rod_view *view = elastica_rod_get_view(rod);
        for (int j = 0; j < RUN; j++)
          for (int a = 0; a < 3; a++) constant.force[a][j] = -view->force[a][j];
        must(world[side], elastica_add_contraction(world[side], rod, &muscle, NULL));
        must(world[side], elastica_rod_refresh(rod));
        for (int j = 0; j < RUN; j++)
          for (int a = 0; a < 3; a++) constant.force[a][j] += view->force[a][j];
      } else {
        elastica_module module;
        elastica_module_init(&module, sizeof module);
        module.name = "constant", module.self = &constant, module.self_size = sizeof constant, module.add_resultants = add_constant;
        must(world[side], elastica_world_add_module(world[side], rod, &module, NULL));
      }
      assert_int_equal(eli_world_prepare(world[side], "test"), ELASTICA_OK);
    }
    begin(world[0]);
    assert_int_equal(eli_relax_visit_tangents(&on.relaxation, 0, add_block, NULL, NULL), ELASTICA_OK);
    memcpy(tangent, on.tangent, sizeof tangent);
    for (size_t c = 0; c < on.relaxation.size; c++) {
      for (int side = 0; side < 2; side++)
        for (int k = 0; k < 4; k++) {
          move(world[side], c, factor[k] * size);
          totals_of(world[side], at[side][k]);
          move(world[side], c, -factor[k] * size);
        }
      for (size_t r = 0; r < on.relaxation.size; r++) {
        double d[4];
        for (int k = 0; k < 4; k++) d[k] = at[0][k][r] - at[1][k][r];
        const double column = -(8.0 * (d[0] - d[1]) - (d[2] - d[3])) / (12.0 * size);
        most = fmax(most, fabs(tangent[r][c]));
        wrong = fmax(wrong, fabs(column - tangent[r][c]));
      }
    }
    assert_true(most > 0.0);
    assert_true(wrong <= 2e-8 * most);
    for (int side = 0; side < 2; side++) elastica_world_destroy(world[side]);
  }
}

/* ---- Contact ------------------------------------------------------------------------------------------------------------------------- */

/* In a stage of an implicit step velocities and spins change by this rate [1/s] times displacements and turns. */
#define RATE 400.0

static void enter_stage(elastica_world *world, int in_stage) {
  world->calls.slips.in_stage = in_stage;
  world->calls.slips.trial = (eli_trial){0.0, RATE};
}

/* Displaces one unknown, and its velocity or spin, in a stage: the spin is RATE times the turn since the start of it. */
static void move_in_stage(elastica_world *world, size_t unknown, double size) {
  double *const *lane = world->bodies.slab.lane;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const size_t first = on.first[rod->body->rank], block = unknown / 6, a = unknown % 6;
    const size_t slot = rod->offset + block - first;
    if (block < first || block >= first + eli_block_count(rod)) continue;
    if (a < 3) {
      lane[ELI_VELOCITY + a][slot] += RATE * size;
      if (rod->closed && slot == rod->offset) lane[ELI_VELOCITY + a][slot + (size_t)rod->element_count] += RATE * size; /* its alias */
    } else if (block - first < (size_t)rod->element_count) {
      double w[3], eta[3] = {0.0, 0.0, 0.0}, twice[3], once[3];
      for (size_t k = 0; k < 3; k++) w[k] = lane[ELI_OMEGA + k][slot];
      eta[a - 3] = size;
      eli_cross(w, eta, once);
      eli_cross(w, once, twice);
      for (size_t k = 0; k < 3; k++) lane[ELI_OMEGA + k][slot] = w[k] + RATE * eta[k] + 0.5 * once[k] + twice[k] / (12.0 * RATE);
    }
  }
  move(world, unknown, size);
}

static void loads_in_stage(elastica_world *world, double *out) {
  static double rates[MOST];
  eli_tile_report report;
  enter_stage(world, 1);
  assert_int_equal(eli_world_moving_loads(world, 1.0 / RATE, &on.statics, rates, &report), ELASTICA_OK);
  enter_stage(world, 0);
  memcpy(out, on.loads, on.relaxation.size * sizeof *out);
}

/* Compares the stiffness of contacts with central differences, in a stage, in which the first body has moved by slipped [m] along x, or at
 * rest after that. Returns 0 without contact. */
static int compare_contacts(elastica_world *world, int in_stage, double slipped, double size, double allowed) {
  static double at[2][MOST], kept[18][MOST], *lane[18];
  double most = 0.0, wrong = 0.0;
  eli_stiffness stiffness = {0};
  assert_int_equal(eli_world_prepare(world, "test"), ELASTICA_OK);
  begin(world);
  eli_relax_find_touching(&on.relaxation);
  assert_true(eli_relax_allocate_touching(&on.relaxation));
  if (on.relaxation.touching.has_friction) world->calls.slips.from[0][0] -= slipped;
  if (in_stage)
    loads_in_stage(world, at[0]); /* which finds the displacements since the start */
  else
    stop(world);
  on.relaxation.trial = on.statics;
  if (!in_stage) assert_int_equal(eli_relax_keep_slips(&on.relaxation), ELASTICA_OK);
  enter_stage(world, in_stage);
  assert_int_equal(eli_relax_take_contacts(&on.relaxation, &stiffness), ELASTICA_OK);
  enter_stage(world, 0);
  for (size_t k = 0; k < stiffness.count; k++)
    add_block(NULL, stiffness.load[k].row, stiffness.load[k].column, stiffness.load[k].m, stiffness.load[k].balanced);
  for (size_t k = 0; k < 18; k++)
    lane[k] = world->bodies.slab.lane[k < 3    ? ELI_POSITION + k
                                      : k < 12 ? ELI_DIRECTOR + k - 3
                                      : k < 15 ? ELI_VELOCITY + k - 12
                                               : ELI_OMEGA + k - 15];
  for (size_t k = 0; k < 18; k++) memcpy(kept[k], lane[k], world->bodies.slab.end * sizeof(double));
  for (size_t c = 0; c < on.relaxation.size; c++) {
    for (int side = 0; side < 2; side++) {
      const double by = side ? -size : size;
      if (in_stage)
        move_in_stage(world, c, by);
      else
        move(world, c, by);
      if (in_stage)
        loads_in_stage(world, at[side]);
      else
        loads_at(world, 0, at[side]);
      for (size_t k = 0; k < 18; k++) memcpy(lane[k], kept[k], world->bodies.slab.end * sizeof(double));
    }
    for (size_t r = 0; r < on.relaxation.size; r++) {
      most = fmax(most, fabs(on.tangent[r][c]));
      wrong = fmax(wrong, fabs((at[1][r] - at[0][r]) / (2.0 * size) - on.tangent[r][c]));
    }
  }
  if (wrong > allowed * most) print_error("an entry is wrong by %.3g of the largest\n", wrong / most);
  assert_true(wrong <= allowed * most);
  eli_relax_release_touching(&on.relaxation);
  eli_stiffness_release(&on.relaxation, &stiffness);
  return most > 0.0;
}

/* Adds a body of this shape, tilted at random, with a point of its surface near the origin, below the plane z = 0. */
static elastica_rod *add_tilted_body(elastica_world *world, random_source *source, elastica_shape shape) {
  elastica_rod *body = NULL;
  double phi[3];
  DEFAULTS(body, def);
  def.shape = shape;
  def.mass = 0.1;
  def.radius = 0.05, def.length = 0.2;
  for (int a = 0; a < 3; a++) def.edges[a] = 0.1 + 0.02 * a;
  for (int a = 0; a < 9; a++) def.director[a] = a % 4 == 0;
  random_vector(source, 0.1, phi);
  if (shape == ELASTICA_SHAPE_CAPSULE || shape == ELASTICA_SHAPE_CYLINDER) phi[0] += 1.57;
  turn_frame_exactly(phi, def.director);
  random_vector(source, 0.01, def.position);
  def.position[2] -= shape == ELASTICA_SHAPE_BOX ? 0.07 : 0.05;
  random_vector(source, 0.1, def.velocity);
  random_vector(source, 2.0, def.omega);
  must(world, elastica_world_add_body(world, &def, &body));
  return body;
}

/* Adds a ring in the plane z = 0.0193 around a point (0, -0.1), with its last element, which closes it, at the origin. */
static void lay_ring(elastica_world *world, random_source *source) {
  enum { N = 6 };
  double position[3 * N], velocity[3 * N];
  elastica_rod *ring = NULL;
  DEFAULTS(rod, def);
  for (int k = 0; k < N; k++) {
    const double angle = 2.0 * ELI_PI * (k + 0.5) / N;
    position[3 * k] = 0.115 * sin(angle), position[3 * k + 1] = 0.115 * cos(angle) - 0.1, position[3 * k + 2] = 0.0193;
    for (int a = 0; a < 3; a++) velocity[3 * k + a] = random_between(source, -0.1, 0.1);
  }
  def.element_count = N, def.closed = 1, def.position = position, def.velocity = velocity, def.rest = ELASTICA_REST_INITIAL;
  def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &ring));
}

/* A rod, a ring or a ball on a body, or a body on an obstacle. */
static void fill_contact(elastica_world *world, random_source *source, int kind, int with_friction) {
  const elastica_shape shape = (elastica_shape)(kind % 4);
  if (kind < 8) add_tilted_body(world, source, shape);
  if (kind < 4 && random_integer(source, 0, 1)) {
    lay_ring(world, source);
  } else if (kind < 4) {
    elastica_rod *rod = NULL;
    double velocity[3 * 5];
    DEFAULTS(rod, def);
    def.element_count = 4, def.length = 0.4, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
    def.start[0] = -0.2, def.start[2] = 0.0193, def.direction[0] = 1.0, def.direction[2] = 0.0;
    for (int k = 0; k < 15; k++) velocity[k] = random_between(source, -0.1, 0.1);
    def.velocity = velocity;
    must(world, elastica_world_add_rod(world, &def, &rod));
  } else if (kind < 8) {
    elastica_rod *ball = NULL;
    DEFAULTS(body, def);
    def.shape = ELASTICA_SHAPE_SPHERE, def.mass = 0.1, def.radius = 0.03, def.position[2] = 0.0288;
    random_vector(source, 0.1, def.velocity);
    must(world, elastica_world_add_body(world, &def, &ball));
  } else {
    add_tilted_body(world, source, kind % 2 ? ELASTICA_SHAPE_SPHERE : ELASTICA_SHAPE_CAPSULE);
    DEFAULTS(obstacle, def);
    def.kind = ELASTICA_OBSTACLE_ELASTIC, def.modulus = 1e5;
    def.shape = kind < 10 ? ELASTICA_SHAPE_PLANE : ELASTICA_SHAPE_SPHERE;
    def.radius = 0.3;
    def.position[2] = kind < 10 ? -0.1 + 0.005 : -0.4 + 0.005;
    if (with_friction) def.friction = 0.6, def.damping = 20.0, def.tangential_damping = 10.0;
    must(world, elastica_add_obstacle(world, NULL, &def, NULL));
    return;
  }
  DEFAULTS(contact, contact);
  contact.modulus = 1e5;
  if (with_friction) contact.friction = 0.6, contact.damping = 20.0, contact.tangential_damping = 10.0;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
}

/* Rods, rings and balls on bodies of each shape, and bodies on obstacles; at rest without friction or with friction that sticks under a
 * load, in a stage with dampers and friction. */
TEST(contacts_of_bodies_have_the_tangent_of_their_loads) {
  enum { KINDS = 12 };
  int touched[KINDS] = {0};
  for (uint64_t seed = 0; seed < 10 * KINDS; seed++) {
    const int kind = (int)(seed % KINDS);
    if (seed >= (uint64_t)rounds(10 * KINDS) && touched[kind] > 0) continue;
    for (int way = 0; way < 3; way++) {
      const int in_stage = way == 1, slides = seed / KINDS % 2 == 1;
      random_source source = {seed};
      elastica_world *world = make_world(NULL);
      fill_contact(world, &source, kind, way > 0);
      touched[kind] += compare_contacts(world, in_stage, in_stage ? (slides ? 1e-3 : 1e-6) : 1e-4, 1e-8, 1e-4);
      elastica_world_destroy(world);
    }
  }
  for (int kind = 0; kind < KINDS; kind++) assert_true(touched[kind] > 0);
}

/* ---- Springs of many parts ----------------------------------------------------------------------------------------------------------- */

/* A tension T = pull + k e of the elongation e = sum c_i . x_i over all nodes: the force on node i is -T c_i. */
typedef struct long_spring {
  double pull, stiffness; /* [N] [N/m] */
  int as_blocks, balanced;
} long_spring;

static void gradient_at(const long_spring *of, const elastica_rod_view *rod, int i, double c[3]) {
  const double per = 1.0 / rod->node_count, sign = of->balanced ? (2 * i < rod->node_count ? -1.0 : 1.0) : 1.0;
  c[0] = sign * per, c[1] = 0.3 * sign * per, c[2] = 0.1 * sign * per;
  if (of->balanced && 2 * i + 1 == rod->node_count) c[0] = c[1] = c[2] = 0.0; /* as many of either sign */
}

static elastica_status pull_along(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const long_spring *of = self;
  double c[3], tension = of->pull;
  (void)now;
  for (int i = 0; i < rod->node_count; i++) {
    gradient_at(of, rod, i, c);
    for (int a = 0; a < 3; a++) tension += of->stiffness * c[a] * rod->position[a][i];
  }
  for (int i = 0; i < rod->node_count; i++) {
    gradient_at(of, rod, i, c);
    for (int a = 0; a < 3; a++) loads->force[a][i] -= tension * c[a];
  }
  return ELASTICA_OK;
}

static elastica_status add_long_spring(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  enum { PARTS = 128 };
  const long_spring *of = self;
  const int n = rod->node_count;
  elastica_part part[PARTS];
  double gradient[3 * PARTS];
  (void)now;
  assert_true(n <= PARTS);
  for (int i = 0; i < n; i++) {
    part[i] = (elastica_part){rod, i, 0};
    gradient_at(of, rod, i, gradient + 3 * i);
  }
  tangent->balanced = of->balanced;
  if (!of->as_blocks) tangent->add_spring(tangent->owner, n, part, gradient, of->stiffness);
  for (int i = 0; i < n && of->as_blocks; i++)
    for (int j = 0; j < n; j++) {
      double block[9];
      for (int k = 0; k < 9; k++) block[k] = of->stiffness * gradient[3 * i + k / 3] * gradient[3 * j + k % 3];
      tangent->add(tangent->owner, part[i], part[j], block);
    }
  return ELASTICA_OK;
}

typedef struct judged {
  elastica_relax_result result;
  double tip[3];
  double square[2][12], factor[2][3]; /* of the modes, by spring and by blocks, in the same state */
} judged;

static void find_lowest(elastica_world *world, elastica_modes_kind kind, int count, double *out) {
  elastica_modes *modes = NULL;
  DEFAULTS(modes, def);
  def.kind = kind, def.count = count;
  must(world, elastica_modes_find(world, &def, &modes));
  assert_int_equal(elastica_modes_count(modes), count);
  for (int k = 0; k < count; k++) {
    elastica_eigenmode mode;
    must(world, elastica_modes_get(modes, k, &mode));
    out[k] = kind == ELASTICA_MODES_BUCKLING ? mode.factor : mode.square;
  }
  elastica_modes_destroy(modes);
}

static judged judge_with(long_spring *of, int n, int clamped) {
  elastica_world *world = make_world(NULL);
  elastica_rod *rod = NULL;
  judged out;
  DEFAULTS(rod, def);
  def.element_count = n, def.length = 1.0, def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e8;
  must(world, elastica_world_add_rod(world, &def, &rod));
  DEFAULTS(boundary, clamp);
  if (clamped) must(world, elastica_add_boundary(world, rod, &clamp, NULL));
  DEFAULTS(point_load, load);
  load.force[1] = 0.02, load.force[2] = -0.1, load.node = -1;
  if (clamped) must(world, elastica_add_point_load(world, rod, &load, NULL));
  elastica_module module = module_named("long spring");
  module.self = of;
  module.add_loads = pull_along;
  module.add_tangent = add_long_spring;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  must(world, elastica_world_relax(world, NULL, &out.result));
  for (of->as_blocks = 0; of->as_blocks < 2; of->as_blocks++) {
    find_lowest(world, ELASTICA_MODES_FREQUENCIES, 12, out.square[of->as_blocks]);
    if (clamped && of->stiffness > 0.0) /* else there is no load, or S is not positive */
      find_lowest(world, ELASTICA_MODES_BUCKLING, 3, out.factor[of->as_blocks]);
  }
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int a = 0; a < 3; a++) out.tip[a] = view->position[a][n];
  elastica_world_destroy(world);
  return out;
}

/* Given as a spring or as its blocks: soft, as stiff as the rod is against stretch, and of negative stiffness. */
static void compare_spring(int k) {
  static const double stiffness[] = {0.5, 300.0, 3e4, -5.0};
  const int n = k < 16 ? 60 : 61, clamped = k % 16 < 8;
  long_spring of = {clamped ? 0.01 : 0.0, stiffness[k % 4], 0, k / 4 % 2};
  if (!clamped && of.stiffness < 0.0) return; /* it has no equilibrium */
  judged by[2];
  for (int blocks = 0; blocks < 2; blocks++) {
    of.as_blocks = blocks;
    by[blocks] = judge_with(&of, n, clamped);
  }
  assert_int_equal(by[0].result.stable, by[1].result.stable);
  assert_int_equal(by[0].result.undecided, by[1].result.undecided);
  assert_int_equal(by[0].result.unstable_modes, by[1].result.unstable_modes);
  assert_int_equal(by[0].result.zero_modes, by[1].result.zero_modes);
  for (int a = 0; a < 3 && clamped; a++) assert_close(by[0].tip[a], by[1].tip[a], 1e-9); /* a free rod may end anywhere */
  for (int m = 0; m < 12; m++) assert_close(by[0].square[0][m], by[0].square[1][m], 1e-10 * by[0].square[1][11]);
  for (int m = 0; m < 3 && clamped && of.stiffness > 0.0; m++) /* products with S round stretch */
    assert_close(by[0].factor[0][m] / by[0].factor[1][m], 1.0, 1e-9);
}

TEST(a_spring_is_the_sum_of_its_blocks) {
  for (int k = 1; k < 24; k += 11) compare_spring(k);
}

TEST_LONG(springs_of_any_stiffness_are_the_sum_of_their_blocks) {
  for (int k = 0; k < 24; k++) compare_spring(k);
}

/* ---- Errors of the hook -------------------------------------------------------------------------------------------------------------- */

typedef enum fault {
  NO_FAULT,
  RETURNS,
  NOT_A_NUMBER,
  BEYOND,
  BEFORE,
  NEITHER,
  NO_ROD,
  TOO_SOFT,
  TOO_STIFF,
  SPRING_NOT_A_NUMBER,
  GRADIENT_NOT_A_NUMBER,
  SPRING_BEYOND,
  SPRING_OF_NO_ROD,
  SPRING_OF_MINUS_ONE,
  SPRING_TOO_STIFF,
  FAULTS
} fault;

static elastica_status pull_back(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  (void)self, (void)now;
  for (int i = 0; i < rod->node_count; i++) loads->force[0][i] -= 3.0 * rod->position[0][i];
  return ELASTICA_OK;
}

static elastica_status add_wrong_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  const fault what = *(const fault *)self;
  double block[9] = {what == NOT_A_NUMBER ? NAN : what == TOO_SOFT ? 2.99 : what == TOO_STIFF ? 30.0 : 3.0};
  (void)now;
  for (int i = 0; i < rod->node_count; i++) {
    elastica_part part = {rod, i, 0};
    if (what == BEYOND) part.index = rod->node_count;
    if (what == BEFORE) part.index = -1;
    if (what == NEITHER) part.turns = 7;
    if (what == NO_ROD) part.rod = NULL;
    tangent->add(tangent->owner, part, part, block);
  }
  if (what >= SPRING_NOT_A_NUMBER) {
    const elastica_part part[2] = {{rod, 0, 0}, {what == SPRING_OF_NO_ROD ? NULL : rod, what == SPRING_BEYOND ? rod->node_count : 3, 0}};
    const double gradient[6] = {0.0, 1.0, 0.0, what == SPRING_OF_NO_ROD ? NAN : 0.0, what == GRADIENT_NOT_A_NUMBER ? NAN : -1.0, 0.0};
    tangent->add_spring(tangent->owner, what == SPRING_OF_MINUS_ONE ? -1 : 2, part, gradient, what == SPRING_NOT_A_NUMBER ? NAN : 50.0);
  }
  return what == RETURNS ? ELASTICA_NOT_FINITE : ELASTICA_OK;
}

TEST(errors_of_a_tangent_are_named) {
  static const char *const says[FAULTS] = {NULL,
                                           "add_tangent returned NOT_FINITE for rod 0",
                                           "block[0] = nan for node 0 of rod 0",
                                           "for node 9 of rod 0, outside 0..8",
                                           "for node -1 of rod 0, outside 0..8",
                                           "turns = 7",
                                           "not in the world",
                                           "is not minus the derivative of its loads: a small displacement changes the force on node",
                                           "is not minus the derivative of its loads: a small displacement changes the force on node",
                                           "added a spring of stiffness nan",
                                           "added a spring with gradient[4] = nan for node 3 of rod 0",
                                           "for node 9 of rod 0, outside 0..8",
                                           "not in the world",
                                           "added a spring of -1 parts",
                                           "is not minus the derivative of its loads: a small displacement changes the force on node"};
  for (fault what = NO_FAULT; what < FAULTS; what++) {
    elastica_world *world = make_world(NULL);
    elastica_rod *rod = NULL;
    DEFAULTS(rod, def);
    def.element_count = 8, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
    must(world, elastica_world_add_rod(world, &def, &rod));
    DEFAULTS(boundary, clamp);
    must(world, elastica_add_boundary(world, rod, &clamp, NULL));
    must(world, elastica_add_gravity(world, (const double[]){1.0, 0.0, 0.0}, NULL));
    elastica_module module = module_named("springs");
    module.self = &what, module.self_size = sizeof what;
    module.add_loads = pull_back;
    module.add_tangent = add_wrong_tangent;
    must(world, elastica_world_add_module(world, rod, &module, NULL));
    const elastica_status status = elastica_world_relax(world, NULL, NULL);
    if (what == NO_FAULT)
      must(world, status);
    else {
      assert_int_equal(status, ELASTICA_CALLBACK_FAILED);
      assert_says(elastica_world_message(world), "effect 2 \"springs\"", "add_tangent", says[what]);
    }
    elastica_world_destroy(world);
  }
}

/* ---- A potential that there is not --------------------------------------------------------------------------------------------------- */

/* Pushes the last node along the last frame. The tangent is right, but says nothing of the potential. */
typedef struct follower {
  double force; /* [N] */
  int is_told;
} follower;

static elastica_status push_along(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const follower *push = self;
  const int j = rod->element_count - 1;
  (void)now;
  for (int a = 0; a < 3; a++) loads->force[a][j + 1] -= push->force * rod->director[2][a][j];
  return ELASTICA_OK;
}

/* dF = F d3 x psi, psi = Q^T phi */
static elastica_status add_push_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  const follower *push = self;
  const int j = rod->element_count - 1;
  double block[9];
  (void)now;
  for (int b = 0; b < 3; b++) {
    double d3[3], psi[3], change[3];
    for (int a = 0; a < 3; a++) d3[a] = rod->director[2][a][j], psi[a] = rod->director[b][a][j];
    eli_cross(d3, psi, change);
    for (int a = 0; a < 3; a++) block[3 * a + b] = -push->force * change[a];
  }
  tangent->unsymmetric = push->is_told;
  tangent->add(tangent->owner, (elastica_part){rod, j + 1, 0}, (elastica_part){rod, j, 1}, block);
  return ELASTICA_OK;
}

/* The verdict is the same whether the effect tells so or not: above some load the symmetric part has a negative eigenvalue, which decides
 * nothing. */
TEST(loads_without_a_potential_are_noticed) {
  for (int told = 0; told < 2; told++)
    for (int push = 0; push < 2; push++) {
      elastica_world *world = make_world(NULL);
      elastica_rod *rod = add_straight_rod(world, 20, 1.0, 0.02, 1000.0, 1e6, 4e5);
      const double B = elastica_rod_get_view(rod)->element_bend_stiffness[0][0];
      const follower of = {push ? 12.0 * B : 0.5 * B, told};
      elastica_relax_result result;
      elastica_effect *effect;
      DEFAULTS(boundary, clamp);
      must(world, elastica_add_boundary(world, rod, &clamp, NULL));
      elastica_module module = module_named("follower");
      module.self = &of, module.self_size = sizeof of, module.add_loads = push_along, module.add_tangent = add_push_tangent;
      must(world, elastica_world_add_module(world, rod, &module, &effect));
      must(world, elastica_world_relax(world, NULL, &result));
      assert_int_equal(result.unstable_modes > 0, push);
      assert_int_equal(result.stable, !push);
      assert_int_equal(result.undecided, push);
      assert_ptr_equal(result.undecided_by, push ? effect : NULL);
      elastica_world_destroy(world);
    }
}

/* ---- Contacts ------------------------------------------------------------------------------------------------------------------------ */

static void take_contacts(elastica_world *world) {
  eli_stiffness found;
  memset(&found, 0, sizeof found);
  on.relaxation.touching.known = 1;
  assert_int_equal(eli_relax_take_contacts(&on.relaxation, &found), ELASTICA_OK);
  assert_true(found.contacts > 0 && !on.relaxation.starved);
  for (size_t k = 0; k < found.count; k++) add_block(NULL, found.load[k].row, found.load[k].column, found.load[k].m, 0);
  eli_stiffness_release(&on.relaxation, &found);
  assert_true(world->report.failure == ELASTICA_OK);
}

static void check_contacts(elastica_world *world, int between_rods, double size) {
  assert_int_equal(eli_world_prepare(world, "test"), ELASTICA_OK);
  begin(world);
  take_contacts(world);
  assert_true(compare_columns(world, "contact", between_rods, -1, size, 1e-6) > 0.0);
}

static elastica_status ball(void *user, const double point[3], double *distance, double gradient[3]) {
  const double r = sqrt(eli_dot(point, point));
  (void)user;
  *distance = r - 0.1;
  for (int a = 0; a < 3; a++) gradient[a] = point[a] / r;
  return ELASTICA_OK;
}

/* A straight rod along x, whose elements are stretched by different factors. */
static elastica_rod *add_stretched_rod(elastica_world *world, random_source *source, int n, double height) {
  elastica_rod *rod;
  rod_state moved;
  DEFAULTS(rod, def);
  def.element_count = n, def.length = 1.0, def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 1e6;
  def.direction[0] = 1.0, def.direction[2] = 0.0, def.start[0] = -0.5, def.start[2] = height;
  must(world, elastica_world_add_rod(world, &def, &rod));
  read_state(rod, &moved);
  for (int i = 0; i < 3 * (n + 1); i++)
    moved.position[i] += i % 3 == 0 ? random_between(source, -0.03, 0.03) : random_between(source, -5e-4, 5e-4);
  must(world, elastica_rod_set_state(rod, moved.position, NULL, moved.director, NULL));
  return rod;
}

static const elastica_shape shapes[] = {ELASTICA_SHAPE_PLANE,    ELASTICA_SHAPE_SPHERE, ELASTICA_SHAPE_CAPSULE, ELASTICA_SHAPE_BOX,
                                        ELASTICA_SHAPE_CYLINDER, ELASTICA_SHAPE_TUBE,   ELASTICA_SHAPE_SURFACE, ELASTICA_SHAPE_MESH};

static void add_elastic(elastica_world *world, elastica_shape shape) {
  const double points[6] = {0.0, -1.0, 0.0, 0.1, 1.0, 0.0}, radii[2] = {0.1, 0.1};
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC, def.shape = shape, def.modulus = 1e4;
  if (shape == ELASTICA_SHAPE_PLANE) def.position[2] = 0.1;
  if (shape == ELASTICA_SHAPE_SPHERE || shape == ELASTICA_SHAPE_CAPSULE || shape == ELASTICA_SHAPE_CYLINDER) def.radius = 0.1;
  if (shape == ELASTICA_SHAPE_CAPSULE || shape == ELASTICA_SHAPE_CYLINDER) {
    def.length = 0.5;
    def.normal[0] = 0.1, def.normal[1] = 1.0, def.normal[2] = 0.0;
  }
  if (shape == ELASTICA_SHAPE_BOX)
    for (int a = 0; a < 3; a++) def.edges[a] = 0.2;
  if (shape == ELASTICA_SHAPE_TUBE) def.side = ELASTICA_SIDE_OUTSIDE, def.points = points, def.radii = radii, def.point_count = 2;
  if (shape == ELASTICA_SHAPE_MESH) { /* a roof with its ridge along y */
    static const double corners[18] = {-0.8, -1, 0.02, 0, -1, 0.1, 0.8, -1, 0.02, -0.8, 1, 0.02, 0, 1, 0.1, 0.8, 1, 0.02};
    static const int triangles[12] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
    def.points = corners, def.point_count = 6, def.triangles = triangles, def.triangle_count = 4;
    def.side = ELASTICA_SIDE_BOTH, def.fillet = 0.03;
  }
  if (shape == ELASTICA_SHAPE_SURFACE) def.surface = ball, def.surface_slope = 1.001, def.surface_curvature = 30.0;
  must(world, elastica_add_obstacle(world, NULL, &def, NULL));
}

/* The radius of an element changes with its length, and under the classical law so does its tension. */
TEST(elastic_obstacles_have_the_tangent_of_their_loads) {
  for (uint64_t seed = 0; seed < 4; seed++)
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
      random_source source = {seed};
      elastica_world_def def = default_world();
      if (seed % 2) def.law = ELASTICA_LAW_RESCALED;
      elastica_world *world = make_world(&def);
      (void)add_stretched_rod(world, &source, 7, seed < 2 ? 0.1185 : 0.1155);
      add_elastic(world, shapes[k]);
      check_contacts(world, 0, 5e-7);
      elastica_world_destroy(world);
    }
}

/* A node has the mean radius of its elements, so the contact of two elements depends on the nodes beside them, too. */
TEST(contacts_between_rods_have_the_tangent_of_their_loads) {
  for (uint64_t seed = 0; seed < 12; seed++) {
    random_source source = {seed};
    elastica_world_def def = default_world();
    if (seed % 2) def.law = ELASTICA_LAW_RESCALED;
    elastica_world *world = make_world(&def);
    elastica_rod *rod;
    (void)add_stretched_rod(world, &source, 7, 0.038);
    DEFAULTS(contact, contact);
    if (seed % 4 < 2) {
      (void)add_stretched_rod(world, &source, 6, 0.0);
    } else {
      DEFAULTS(rod, ring);
      double position[3 * 9];
      const int n = 7 + (int)(seed / 2) % 3; /* one less than a vector of lanes, as many, one more */
      for (int i = 0; i < n; i++) {
        const double angle = 2.0 * ELI_PI * i / n;
        position[3 * i] = 0.3 * cos(angle), position[3 * i + 1] = 0.3 * sin(angle);
        position[3 * i + 2] = random_between(&source, -1e-3, 1e-3);
      }
      ring.element_count = n, ring.closed = 1, ring.position = position, ring.radius = 0.02, ring.density = 1000.0;
      ring.youngs_modulus = 1e6;
      must(world, elastica_world_add_rod(world, &ring, &rod));
    }
    contact.modulus = 1e4;
    must(world, elastica_add_contact(world, NULL, &contact, NULL));
    check_contacts(world, 1, 5e-7);
    elastica_world_destroy(world);
  }
}
