/* Scenes of all kinds of computation with stored bits, by the rules of scenes.h, and runs of all scenes with an instruction set, a number
 * of threads and a size of tiles. A hash covers the states of all rods, the sums of energy and momentum, the step limit, and the results of
 * statics and implicit steps.
 */
#ifndef TESTS_VARIED_SCENES_H
#define TESTS_VARIED_SCENES_H

#include "scenes.h"
#include "threads.h"

typedef struct varied_scene {
  const char *name;
  uint64_t (*run)(elastica_world *world); /* fills an empty world, runs it and returns the hash of its results */
  uint64_t hash;
} varied_scene;

/* ---- Hashes -------------------------------------------------------------------------------------------------------------------------- */

/* The state and the answers to questions about it. */
static inline uint64_t hash_answers(elastica_world *world) {
  elastica_totals of;
  elastica_step_limit limit;
  must(world, elastica_world_get_totals(world, &of));
  must(world, elastica_world_step_limit(world, &limit));
  const double numbers[] = {of.translation, of.rotation,   of.bending,    of.shear,     of.effects,   of.mass,
                            of.centre[0],   of.centre[1],  of.centre[2],  of.linear[0], of.linear[1], of.linear[2],
                            of.angular[0],  of.angular[1], of.angular[2], limit.dt};
  return hash_numbers(hash_world(world), numbers, (int)(sizeof numbers / sizeof *numbers));
}

/* ---- Shapes -------------------------------------------------------------------------------------------------------------------------- */

/* Turns a plane vector by 15 degrees. */
static inline void turn_on(double v[2]) {
  const double c = 0.96592582628906829, s = 0.25881904510252076, x = v[0];
  v[0] = c * x - s * v[1], v[1] = s * x + c * v[1];
}

static inline void pull_down(elastica_world *world) {
  const double gravity[3] = {0.3, -0.2, -9.81};
  must(world, elastica_add_gravity(world, gravity, NULL));
}

static inline void clamp_start(elastica_world *world, elastica_rod *rod, elastica_boundary_kind kind) {
  DEFAULTS(boundary, clamp);
  clamp.kind = kind;
  must(world, elastica_add_boundary(world, rod, &clamp, NULL));
}

static inline elastica_effect *load_end(elastica_world *world, elastica_rod *rod, double x, double y, double z) {
  elastica_effect *effect = NULL;
  DEFAULTS(point_load, load);
  load.force[0] = x, load.force[1] = y, load.force[2] = z;
  must(world, elastica_add_point_load(world, rod, &load, &effect));
  return effect;
}

static inline elastica_obstacle_def layer_of(elastica_shape shape, double modulus) {
  DEFAULTS(obstacle, def);
  def.kind = ELASTICA_OBSTACLE_ELASTIC;
  def.shape = shape;
  def.modulus = modulus;
  def.friction = 0.4;
  return def;
}

/* ---- Motion -------------------------------------------------------------------------------------------------------------------------- */

/* Three crossed plies of four fibres with friction, on an elastic floor. */
static inline uint64_t run_fibres(elastica_world *world) {
  DEFAULTS(contact, contact);
  elastica_obstacle_def floor_def = layer_of(ELASTICA_SHAPE_PLANE, 2e5);
  for (int ply = 0; ply < 3; ply++)
    for (int k = 0; k < 4; k++) {
      const double along = -0.2, across = -0.15 + 0.1 * k, height = 0.0196 + 0.039 * ply;
      const double start[3] = {ply % 2 ? across : along, ply % 2 ? along : across, height};
      const double direction[3] = {ply % 2 ? 0.02 : 1.0, ply % 2 ? 1.0 : -0.03, 0.0};
      add_stick(world, 9 + ply, start, direction, 0.4, 0.02, 1e6);
    }
  contact.modulus = 2e5, contact.damping = 5.0, contact.friction = 0.3, contact.tangential_damping = 1.0;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  must(world, elastica_add_obstacle(world, NULL, &floor_def, NULL));
  pull_down(world);
  must(world, elastica_world_advance(world, 0.01));
  return hash_answers(world);
}

/* A chain of short rods by fixed joints, with a ball joint to the moved world, a hinge with limits and a motor, and two rods glued along
 * their sides. */
static inline uint64_t run_jointed(elastica_world *world) {
  enum { LINKS = 14 };
  elastica_rod *link[LINKS];
  const double up[3] = {0.0, 0.0, 1.0};
  for (int k = 0; k < LINKS; k++) {
    const double start[3] = {0.001 * k, 0.0, 0.1 * k};
    link[k] = add_stick(world, 4, start, up, 0.1, 0.01, 1e6);
  }
  const double beside[3] = {0.022, 0.0, 0.0};
  elastica_rod *glued = add_stick(world, 4, beside, up, 0.1, 0.01, 1e6);
  for (int k = 0; k + 1 < LINKS; k++) {
    DEFAULTS(joint, joint);
    joint.kind = k == 6 ? ELASTICA_JOINT_HINGE : ELASTICA_JOINT_FIXED;
    joint.first.rod = link[k], joint.first.element = 3, joint.first.share = 1.0;
    joint.second.rod = link[k + 1];
    joint.stiffness = 2e3;
    joint.damping = 0.1;
    if (k == 6) {
      joint.axis[1] = 1.0, joint.axis[0] = 0.2, joint.axis[2] = 0.0;
      joint.angular_stiffness = 0.5;
      joint.least_angle = -0.05, joint.most_angle = 0.02;
      joint.motor = 0.02;
    }
    must(world, elastica_add_joint(world, &joint, NULL));
  }
  for (int j = 0; j < 4; j++) {
    DEFAULTS(joint, glue);
    glue.kind = ELASTICA_JOINT_SIDE_BY_SIDE;
    glue.first.rod = link[0], glue.first.element = j, glue.first.share = 0.5;
    glue.second.rod = glued, glue.second.element = j, glue.second.share = 0.5;
    glue.stiffness = 2e3, glue.angular_stiffness = 0.2;
    must(world, elastica_add_joint(world, &glue, NULL));
  }
  DEFAULTS(joint, ball);
  ball.first.rod = link[0];
  ball.stiffness = 4e3;
  must(world, elastica_add_joint(world, &ball, NULL));
  pull_down(world);
  must(world, elastica_world_advance(world, 0.02));
  return hash_answers(world);
}

/* A finger with a run of tendon along it, and a cable with friction and a damped spring through two rods and a body. */
static inline uint64_t run_tendons(elastica_world *world) {
  elastica_rod *rod[2];
  const double up[3] = {0.0, 0.0, 1.0};
  for (int k = 0; k < 2; k++) {
    const double start[3] = {0.2 * k, 0.1 * k, 0.0};
    rod[k] = add_stick(world, 12, start, up, 0.3, 0.01, 5e5);
    clamp_start(world, rod[k], k ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_CLAMP);
  }
  elastica_rod *body = NULL;
  DEFAULTS(body, box);
  box.shape = ELASTICA_SHAPE_BOX;
  for (int a = 0; a < 3; a++) box.edges[a] = 0.05 + 0.01 * a, box.position[a] = 0.1 * a, box.omega[a] = 1.0 - a;
  box.density = 500.0;
  must(world, elastica_world_add_body(world, &box, &body));
  DEFAULTS(tendon, finger);
  finger.rod = rod[0];
  finger.first = 1, finger.last = 9;
  finger.offset[0] = 0.008, finger.offset[1] = 0.003;
  finger.tension = 2.0, finger.activation = 0.75;
  must(world, elastica_add_tendon(world, &finger, NULL));
  const elastica_anchor guides[5] = {{rod[1], 3, 0.0, {0.01, 0.0, 0.0}},
                                     {rod[1], 8, 0.5, {0.01, 0.002, 0.0}},
                                     {body, 0, 0.0, {0.02, 0.01, 0.02}},
                                     {rod[0], 10, 0.25, {0.0, 0.01, 0.0}},
                                     {NULL, 0, 0.0, {0.5, 0.4, 0.3}}};
  DEFAULTS(tendon, cable);
  cable.guides = guides, cable.guide_count = 5;
  cable.stiffness = 20.0, cable.rest_length = 0.5, cable.damping = 0.1;
  cable.friction = 0.3, cable.sliding_speed = 2.0;
  must(world, elastica_add_tendon(world, &cable, NULL));
  must(world, elastica_world_advance(world, 0.03));
  return hash_answers(world);
}

/* Rigid balls, capsules, cylinders and boxes fall among rods, on a wall and on an elastic box. */
static inline uint64_t run_bodies(elastica_world *world) {
  random_source source = {31};
  const double direction[3] = {1.0, 0.0, 0.0};
  for (int k = 0; k < 20; k++) {
    DEFAULTS(body, def);
    def.shape = k < 10 ? ELASTICA_SHAPE_SPHERE : k < 16 ? ELASTICA_SHAPE_CAPSULE : (elastica_shape)(ELASTICA_SHAPE_CYLINDER + k % 2);
    if (def.shape != ELASTICA_SHAPE_BOX) def.radius = 0.03 + 0.001 * k;
    if (def.shape == ELASTICA_SHAPE_CAPSULE || def.shape == ELASTICA_SHAPE_CYLINDER) def.length = 0.06;
    if (def.shape == ELASTICA_SHAPE_BOX) def.edges[0] = 0.05, def.edges[1] = 0.06, def.edges[2] = 0.07;
    def.contact_group = k >= 16; /* an elastic obstacle touches no cylinder and no box */
    def.density = 800.0;
    def.position[0] = 0.072 * (k % 5), def.position[1] = 0.13 * (k / 5),
    def.position[2] = k < 10   ? def.radius
                      : k < 16 ? 0.03 + def.radius
                               : 0.12;
    random_vector(&source, 0.5, def.velocity);
    random_vector(&source, 8.0, def.omega);
    must(world, elastica_world_add_body(world, &def, NULL));
  }
  for (int k = 0; k < 2; k++) {
    const double start[3] = {-0.05, 0.26 + 0.13 * k, 0.1695 + 0.005 * k};
    add_stick(world, 8, start, direction, 0.5, 0.02, 1e6);
  }
  DEFAULTS(contact, contact);
  contact.modulus = 2e5, contact.damping = 10.0, contact.friction = 0.5;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  elastica_obstacle_def step = layer_of(ELASTICA_SHAPE_BOX, 3e5);
  step.edges[0] = 2.0, step.edges[1] = 2.0, step.edges[2] = 0.1;
  step.position[2] = -0.05, step.group = 0;
  must(world, elastica_add_obstacle(world, NULL, &step, NULL));
  pull_down(world);
  must(world, elastica_world_advance(world, 0.02));
  return hash_answers(world);
}

/* Rigid bodies on a rigid plane with friction that depends on the slip: a ball, a lying capsule and a lying cylinder slide and then
 * roll, a box and an upright cylinder slide and spin, and a spinning ball runs into the groove between this plane and an oblique one. */
static inline uint64_t run_bodies_on_planes(elastica_world *world) {
  static const elastica_shape shape[6] = {ELASTICA_SHAPE_SPHERE, ELASTICA_SHAPE_CAPSULE,  ELASTICA_SHAPE_CYLINDER,
                                          ELASTICA_SHAPE_BOX,    ELASTICA_SHAPE_CYLINDER, ELASTICA_SHAPE_SPHERE};
  static const double lying[9] = {1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0};
  static const double height[6] = {0.05, 0.05, 0.05, 0.04, 0.06, 0.05};
  for (int k = 0; k < 6; k++) {
    elastica_rod *body = NULL;
    DEFAULTS(body, def);
    def.shape = shape[k];
    if (def.shape == ELASTICA_SHAPE_BOX)
      def.edges[0] = 0.2, def.edges[1] = 0.14, def.edges[2] = 0.08;
    else
      def.radius = 0.05;
    if (def.shape == ELASTICA_SHAPE_CAPSULE || def.shape == ELASTICA_SHAPE_CYLINDER) def.length = 0.12;
    def.density = 700.0;
    def.position[1] = 0.4 * k, def.position[2] = height[k];
    def.velocity[0] = 1.5 - 0.2 * k, def.velocity[1] = 0.05 * k;
    if (k == 1 || k == 2) memcpy(def.director, lying, sizeof lying);
    if (k == 3 || k == 4) def.omega[2] = 6.0;
    if (k == 5) def.omega[1] = 20.0, def.omega[2] = -8.0;
    must(world, elastica_world_add_body(world, &def, &body));
    for (int side = 0; side < (k == 5 ? 2 : 1); side++) {
      DEFAULTS(obstacle, plane);
      plane.stiffness = 1e3, plane.slip_velocity = 1e-4;
      for (int a = 0; a < 3; a++) plane.static_friction[a] = 0.4, plane.kinetic_friction[a] = 0.25;
      if (side == 1) plane.position[1] = def.position[1] + 0.05, plane.normal[1] = -1.0, plane.normal[2] = 0.25;
      must(world, elastica_add_obstacle(world, body, &plane, NULL));
    }
  }
  pull_down(world);
  must(world, elastica_world_advance(world, 0.25));
  return hash_answers(world);
}

/* A paraboloid z = (x^2 + y^2)/2. */
static inline elastica_status bowl(void *user, const double point[3], double *distance, double gradient[3]) {
  (void)user;
  *distance = point[2] - 0.5 * (point[0] * point[0] + point[1] * point[1]);
  gradient[0] = -point[0], gradient[1] = -point[1], gradient[2] = 1.0;
  return ELASTICA_OK;
}

/* Rods on a mesh with a concave edge, in a tube with a bend, in a bowl, and on a rigid wall with friction that depends on direction. */
static inline uint64_t run_obstacles(elastica_world *world) {
  static const double corner[6][2] = {{0.0, 0.0}, {0.4, 0.0}, {0.4, 0.2}, {0.2, 0.2}, {0.2, 0.4}, {0.0, 0.4}};
  static const int cut[4][3] = {{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  double points[36];
  int triangles[60], count = 0;
  for (int k = 0; k < 12; k++) set_vector(points, k, corner[k % 6][0], corner[k % 6][1], k < 6 ? -0.2 : 0.2);
  for (int k = 0; k < 6; k++) {
    const int next = (k + 1) % 6, side[6] = {k, next, 6 + next, k, 6 + next, 6 + k};
    for (int i = 0; i < 6; i++) triangles[count++] = side[i];
  }
  for (int t = 0; t < 4; t++)
    for (int i = 0; i < 3; i++) triangles[count + i] = cut[t][2 - i], triangles[count + 12 + i] = 6 + cut[t][i], count += i == 2 ? 3 : 0;
  const double over[3] = {0.29, 0.22, -0.05}, along[3] = {0.0, 0.6, 0.8}, lie[3] = {0.05, 0.05, 0.2195}, flat[3] = {0.8, 0.6, 0.0};
  add_stick(world, 10, over, along, 0.3, 0.02, 1e6);
  add_stick(world, 10, lie, flat, 0.3, 0.02, 1e6);
  elastica_obstacle_def mesh = layer_of(ELASTICA_SHAPE_MESH, 2e5);
  mesh.points = points, mesh.point_count = 12;
  mesh.triangles = triangles, mesh.triangle_count = 20;
  mesh.fillet = 0.03;
  mesh.group = 0;
  must(world, elastica_add_obstacle(world, NULL, &mesh, NULL));

  static const double axis[9] = {2.0, 0.0, 0.0, 2.0, 0.0, 0.5, 2.3, 0.0, 0.9}, radii[3] = {0.05, 0.04, 0.05};
  DEFAULTS(rod, thread);
  thread.element_count = 14;
  thread.start[0] = 2.03, thread.start[2] = 0.05;
  thread.length = 0.3, thread.radius = 0.02, thread.density = 1000.0, thread.youngs_modulus = 1e6;
  thread.contact_group = 1;
  must(world, elastica_world_add_rod(world, &thread, NULL));
  elastica_obstacle_def tube = layer_of(ELASTICA_SHAPE_TUBE, 2e5);
  tube.points = axis, tube.radii = radii, tube.point_count = 3;
  tube.side = ELASTICA_SIDE_INSIDE;
  tube.group = 1;
  must(world, elastica_add_obstacle(world, NULL, &tube, NULL));

  DEFAULTS(rod, spoon);
  spoon.element_count = 12;
  spoon.start[0] = -0.2, spoon.start[2] = 0.039;
  spoon.direction[0] = 1.0, spoon.direction[1] = 0.1, spoon.direction[2] = 0.0;
  spoon.length = 0.4, spoon.radius = 0.02, spoon.density = 1000.0, spoon.youngs_modulus = 1e5;
  spoon.contact_group = 2;
  must(world, elastica_world_add_rod(world, &spoon, NULL));
  elastica_obstacle_def surface = layer_of(ELASTICA_SHAPE_SURFACE, 1e5);
  surface.surface = bowl;
  surface.surface_slope = 2.0, surface.surface_curvature = 1.5;
  surface.group = 2;
  must(world, elastica_add_obstacle(world, NULL, &surface, NULL));

  elastica_rod *snake = NULL;
  elastica_rod_def lying = lying_rod_def(15);
  DEFAULTS(obstacle, wall);
  lying.start[1] = -3.0;
  lying.contact_group = 3;
  lying.density = 1000.0, lying.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &lying, &snake));
  load_end(world, snake, 3.0, 2.0, 0.0);
  wall.stiffness = 10.0, wall.slip_velocity = 1e-3;
  wall.friction_limit = ELASTICA_FRICTION_ELLIPTIC;
  for (int a = 0; a < 3; a++) wall.static_friction[a] = 0.6 + 0.1 * a, wall.kinetic_friction[a] = 0.3 + 0.1 * a;
  must(world, elastica_add_obstacle(world, snake, &wall, NULL));
  pull_down(world);
  must(world, elastica_world_advance(world, 0.02));
  return hash_answers(world);
}

/* A stack of rings in a flow, in contact, with muscles that shorten, added masses, and axial viscosity. */
static inline uint64_t run_rings(elastica_world *world) {
  enum { N = 24 };
  for (int k = 0; k < 4; k++) {
    double position[3 * N], at[2] = {0.3, 0.0};
    elastica_rod *ring = NULL;
    for (int i = 0; i < N; i++) {
      set_vector(position, i, at[0], 0.8 * at[1], 0.05 * at[0] * at[1] + 0.0395 * k);
      turn_on(at);
    }
    DEFAULTS(rod, def);
    def.element_count = N, def.closed = 1;
    def.position = position;
    def.radius = 0.02, def.density = 1000.0, def.youngs_modulus = 3e5;
    must(world, elastica_world_add_rod(world, &def, &ring));
    DEFAULTS(drag, drag);
    drag.viscosity = 2.0;
    drag.flow[0] = 0.3, drag.gradient[1] = 1.0, drag.gradient[3] = -0.5;
    must(world, elastica_add_drag(world, ring, &drag, NULL));
    DEFAULTS(contraction, contraction);
    contraction.first = 2, contraction.last = 9;
    contraction.maximum_force = 1.5 + 0.5 * k;
    contraction.force_length[0] = -1.0, contraction.force_length[1] = 3.0, contraction.force_length[2] = -1.0;
    must(world, elastica_add_contraction(world, ring, &contraction, NULL));
    DEFAULTS(node_mass, mass);
    mass.node = 5 + k, mass.mass = 0.01;
    must(world, elastica_add_node_mass(world, ring, &mass, NULL));
    DEFAULTS(axial_viscosity, viscosity);
    viscosity.viscosity = 0.3;
    must(world, elastica_add_axial_viscosity(world, ring, &viscosity, NULL));
  }
  DEFAULTS(contact, contact);
  contact.modulus = 1e5, contact.friction = 0.2;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  must(world, elastica_world_advance(world, 0.02));
  return hash_answers(world);
}

/* A rod that passes through the caches in windows. */
static inline uint64_t run_long_rod(elastica_world *world) {
  enum { N = 16500 };
  static double position[3 * (N + 1)];
  double slow[2] = {0.02, 0.0};
  elastica_rod *rod = NULL;
  for (int i = 0; i <= N; i++) {
    set_vector(position, i, slow[0], slow[1], 0.01 * i);
    if (i % 4 == 0) turn_on(slow);
  }
  DEFAULTS(rod, def);
  DEFAULTS(dissipation, dissipation);
  def.element_count = N;
  def.position = position;
  def.radius = 0.01, def.density = 1000.0, def.youngs_modulus = 1e6;
  must(world, elastica_world_add_rod(world, &def, &rod));
  clamp_start(world, rod, ELASTICA_BOUNDARY_CLAMP);
  dissipation.translation = 0.1;
  must(world, elastica_add_dissipation(world, rod, &dissipation, NULL));
  pull_down(world);
  must(world, elastica_world_step(world, 0x1p-15, 40));
  return hash_world(world);
}

/* ---- Statics ------------------------------------------------------------------------------------------------------------------------- */

static inline uint64_t hash_relaxed(elastica_world *world, const elastica_relax_def *def) {
  elastica_relax_result of;
  must(world, elastica_world_relax(world, def, &of));
  const double numbers[] = {(double)of.evaluations,
                            (double)of.steps,
                            of.force,
                            of.couple,
                            of.reference_force,
                            of.reference_couple,
                            of.distance,
                            (double)of.stable,
                            (double)of.undecided,
                            (double)of.unstable_modes,
                            (double)of.zero_modes};
  return hash_numbers(hash_answers(world), numbers, (int)(sizeof numbers / sizeof *numbers));
}

/* A cantilever bent far by its tip load, with a tendon. */
static inline uint64_t run_relaxed(elastica_world *world) {
  elastica_rod *rod = add_straight_rod(world, 30, 1.0, 0.02, 1000.0, 1e6, 4e5);
  DEFAULTS(tendon, tendon);
  clamp_start(world, rod, ELASTICA_BOUNDARY_CLAMP);
  load_end(world, rod, 0.5, 0.3, -0.2);
  tendon.rod = rod;
  tendon.last = 19;
  tendon.offset[1] = 0.01;
  tendon.tension = 1.0;
  must(world, elastica_add_tendon(world, &tendon, NULL));
  pull_down(world);
  return hash_relaxed(world, NULL);
}

/* A cantilever that gravity lays on a box and on a beam that crosses it. */
static inline uint64_t run_resting(elastica_world *world) {
  const double start[3] = {0.0, 0.0, 0.0}, direction[3] = {1.0, 0.0, 0.0};
  elastica_rod *rod = add_stick(world, 20, start, direction, 1.0, 0.02, 2e6);
  elastica_obstacle_def box = layer_of(ELASTICA_SHAPE_BOX, 1e5);
  DEFAULTS(contact, contact);
  clamp_start(world, rod, ELASTICA_BOUNDARY_CLAMP);
  box.edges[0] = 0.3, box.edges[1] = 0.6, box.edges[2] = 0.2;
  box.position[0] = 0.65, box.position[2] = -0.125;
  box.friction = 0.0;
  must(world, elastica_add_obstacle(world, NULL, &box, NULL));
  const double across[3] = {0.3, -0.05, -0.039}, sideways[3] = {0.0, 1.0, 0.0};
  elastica_rod *beam = add_stick(world, 10, across, sideways, 0.4, 0.02, 2e6);
  clamp_start(world, beam, ELASTICA_BOUNDARY_CLAMP);
  contact.modulus = 1e5;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  pull_down(world);
  return hash_relaxed(world, NULL);
}

/* user: the load at the end of a column. */
static inline elastica_status press_column(void *user, elastica_world *world, double parameter) {
  DEFAULTS(point_load, load);
  (void)world;
  load.force[2] = -parameter;
  return elastica_point_load_set(user, &load);
}

/* A column with unequal bending stiffnesses under its end load, followed over its buckling load and along the buckled branch. */
static inline uint64_t run_path(elastica_world *world) {
  enum { N = 16 };
  double shear[3 * N], bend[3 * N];
  elastica_rod *rod = NULL;
  elastica_path *path = NULL;
  uint64_t hash = hash_start();
  DEFAULTS(rod, def);
  DEFAULTS(path, path_def);
  for (int j = 0; j < 3 * N; j++) shear[j] = 1e4, bend[j] = j % 3 == 0 ? 1.0 : 1.5;
  def.element_count = N, def.length = 1.0, def.radius = 0.01, def.density = 1000.0;
  def.shear_stiffness = shear, def.bend_stiffness = bend;
  must(world, elastica_world_add_rod(world, &def, &rod));
  clamp_start(world, rod, ELASTICA_BOUNDARY_CLAMP);
  path_def.apply = press_column, path_def.user = load_end(world, rod, 0.0, 0.0, 0.0);
  path_def.first_step = 0.5, path_def.upper = 4.0;
  must(world, elastica_path_create(world, &path_def, &path));
  for (int k = 0, switched = 0; k < 14; k++) {
    elastica_path_result point;
    must(world, elastica_path_next(path, &point));
    const double numbers[] = {(double)point.kind,           point.parameter, point.slope, point.arc, point.next,
                              (double)point.unstable_modes, point.correction};
    hash = hash_numbers(hash ^ hash_world(world), numbers, 7);
    if (point.kind >= ELASTICA_PATH_END) break;
    if (point.kind == ELASTICA_PATH_BRANCH && !switched) {
      must(world, elastica_path_switch(path, 1));
      switched = 1;
    }
  }
  elastica_path_destroy(path);
  return hash;
}

/* Natural frequencies and buckling loads of a clamped column under a load at its end, with all shapes. */
static inline uint64_t run_modes(elastica_world *world) {
  uint64_t hash = hash_start();
  elastica_rod *rod = add_straight_rod(world, 24, 1.0, 0.01, 1000.0, 1e7, 4e6);
  clamp_start(world, rod, ELASTICA_BOUNDARY_CLAMP);
  load_end(world, rod, 0.0, 0.0, -0.05);
  elastica_relax_result relaxed;
  must(world, elastica_world_relax(world, NULL, &relaxed));
  for (int kind = 0; kind < 2; kind++) {
    elastica_modes *modes = NULL;
    DEFAULTS(modes, def);
    def.kind = (elastica_modes_kind)kind;
    def.count = 8;
    must(world, elastica_modes_find(world, &def, &modes));
    for (int k = 0; k < elastica_modes_count(modes); k++) {
      elastica_eigenmode mode;
      elastica_mode_shape shape;
      must(world, elastica_modes_get(modes, k, &mode));
      must(world, elastica_modes_get_shape(modes, k, rod, &shape));
      const double numbers[] = {mode.square, mode.frequency, (double)mode.rigid, mode.factor, mode.residual};
      hash = hash_numbers(hash, numbers, 5);
      for (int a = 0; a < 3; a++) {
        hash = hash_numbers(hash, shape.displacement[a], 25);
        hash = hash_numbers(hash, shape.turn[a], 24);
      }
    }
    elastica_modes_destroy(modes);
  }
  return hash;
}

/* ---- Implicit steps ------------------------------------------------------------------------------------------------------------------ */

static inline uint64_t hash_implicit(elastica_world *world, double until, double accuracy) {
  elastica_implicit_result of;
  DEFAULTS(implicit, def);
  def.until = until;
  def.accuracy = accuracy;
  must(world, elastica_world_run_implicit(world, &def, &of));
  const double numbers[] = {(double)of.steps, (double)of.rejected, (double)of.halved, (double)of.iterations,
                            of.next_step,     of.shortest,         of.longest,        of.error};
  return hash_numbers(hash_answers(world), numbers, 8);
}

/* A swinging wire with muscles and drag, in implicit steps with error control. */
static inline uint64_t run_implicit(elastica_world *world) {
  const double direction[3] = {1.0, 0.0, 0.0}, start[3] = {0.0, 0.0, 0.0}, control[5] = {0.0, 1e-3, 2e-3, 1e-3, 0.0};
  elastica_rod *rod = add_stick(world, 20, start, direction, 0.3, 1e-3, 1e10);
  DEFAULTS(muscle, muscle);
  DEFAULTS(drag, drag);
  clamp_start(world, rod, ELASTICA_BOUNDARY_CLAMP);
  muscle.control = control, muscle.control_count = 5;
  muscle.period = 0.5, muscle.wavenumber = 5.0;
  drag.viscosity = 1e-3;
  must(world, elastica_add_muscle(world, rod, &muscle, NULL));
  must(world, elastica_add_drag(world, rod, &drag, NULL));
  pull_down(world);
  return hash_implicit(world, 0.05, 1e-5);
}

/* Implicit steps of two crossed wires with friction on each other and on a ball. */
static inline uint64_t run_implicit_contact(elastica_world *world) {
  const double start[3] = {0.0, 0.0, 0.0}, direction[3] = {1.0, 0.0, 0.0}, other[3] = {0.1, -0.1, 0.0099}, across[3] = {0.0, 1.0, 0.0};
  DEFAULTS(contact, contact);
  elastica_obstacle_def ball = layer_of(ELASTICA_SHAPE_SPHERE, 1e5);
  clamp_start(world, add_stick(world, 12, start, direction, 0.3, 5e-3, 1e9), ELASTICA_BOUNDARY_CLAMP);
  clamp_start(world, add_stick(world, 12, other, across, 0.2, 5e-3, 1e9), ELASTICA_BOUNDARY_CLAMP);
  contact.modulus = 1e6, contact.friction = 0.3;
  must(world, elastica_add_contact(world, NULL, &contact, NULL));
  ball.radius = 0.05;
  ball.position[0] = 0.25, ball.position[1] = 0.01, ball.position[2] = -0.0548;
  must(world, elastica_add_obstacle(world, NULL, &ball, NULL));
  pull_down(world);
  return hash_implicit(world, 0.02, 1e-5);
}

/* ---- The table ----------------------------------------------------------------------------------------------------------------------- */

enum { VARIED_SCENE_COUNT = 14 };

static const varied_scene varied_scenes[VARIED_SCENE_COUNT] = {
    {"fibres", run_fibres, UINT64_C(0x60dcbc512004c27a)},
    {"jointed", run_jointed, UINT64_C(0x98c49093388f5220)},
    {"tendons", run_tendons, UINT64_C(0xe8560f9beaab9d04)},
    {"bodies", run_bodies, UINT64_C(0xe2a61b4487813f52)},
    {"bodies_on_planes", run_bodies_on_planes, UINT64_C(0x6fc19e89cc429127)},
    {"obstacles", run_obstacles, UINT64_C(0x3772d700808b89d3)},
    {"rings", run_rings, UINT64_C(0x712c1784f7693493)},
    {"long_rod", run_long_rod, UINT64_C(0x6e0126c7b9dffa79)},
    {"relaxed", run_relaxed, UINT64_C(0x4099c53a6ef42ef0)},
    {"resting", run_resting, UINT64_C(0x2b9234bb20ec5df3)},
    {"path", run_path, UINT64_C(0x0e14aecd5156b5f7)},
    {"modes", run_modes, UINT64_C(0x5a605f74240e7f0d)},
    {"implicit", run_implicit, UINT64_C(0x82fd2f211ef0ac9b)},
    {"implicit_contact", run_implicit_contact, UINT64_C(0x784f2abb0ae909c9)},
};

/* ---- Runs ---------------------------------------------------------------------------------------------------------------------------- */

typedef struct scene_way {
  elastica_instruction_set instruction_set;
  int workers;
  size_t tile_size; /* 0: the default */
} scene_way;

/* Returns 1 if the processor and the build have the instruction set. */
static inline int has_set(elastica_instruction_set instruction_set) {
  elastica_world *world = NULL;
  elastica_world_def def = default_world();
  def.instruction_set = instruction_set;
  const elastica_status status = elastica_world_create(&def, &world);
  elastica_world_destroy(world);
  if (status == ELASTICA_INVALID_ARGUMENT && instruction_set > ELASTICA_INSTRUCTION_SET_BASE) return 0;
  must(NULL, status);
  return 1;
}

/* Makes an empty world. Its workers take part in all work, however little it is. */
static inline elastica_world *make_world_by(int by_default, const scene_way *way) {
  elastica_world_def def = by_default ? default_world() : papers_world();
  def.instruction_set = way->instruction_set;
  def.worker_count = way->workers;
  if (way->tile_size) def.tile_size = way->tile_size;
  elastica_world *world = make_world(&def);
  share_all_work(world);
  return world;
}

static inline uint64_t hash_scene(const scene *s, const scene_way *way) {
  elastica_world *world = make_world_by(s->by_default, way);
  s->fill(world);
  must(world, elastica_world_step(world, s->dt, s->steps));
  const uint64_t hash = hash_world(world);
  elastica_world_destroy(world);
  return hash;
}

static inline uint64_t hash_varied_scene(const varied_scene *s, const scene_way *way) {
  elastica_world *world = make_world_by(1, way);
  const uint64_t hash = s->run(world);
  elastica_world_destroy(world);
  return hash;
}

#endif
