/* Rigid bodies under the effects of the library and of users, in budgets, evaluations and frames of VTK. */
#include "base/target.h"

#include "bodies.h"
#include "scratch_folder.h"

static const double down[3] = {0.0, 0.0, -9.81};

/* ---- Holds ---- */

TEST(a_pin_holds_the_centre_and_leaves_the_frame) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = top_def(0.5, 0.7, 0.9);
  elastica_rod *body = add_body(world, &def);
  DEFAULTS(boundary, pin);
  pin.kind = ELASTICA_BOUNDARY_PIN;
  DEFAULTS(point_load, load);
  load.couple[2] = 0.3;
  must(world, elastica_add_boundary(world, body, &pin, NULL));
  must(world, elastica_add_point_load(world, body, &load, NULL));
  must(world, elastica_add_gravity(world, down, NULL));
  must(world, elastica_world_step(world, 1e-3, 1000));
  const elastica_body_info now = body_now(body);
  assert_close(norm(now.position) + norm(now.velocity), 0.0, 0.0);
  assert_close(now.omega[2], 0.3 / 0.9, 1e-13);
  elastica_world_destroy(world);
}

TEST(a_pin_of_one_axis_leaves_the_others_and_may_hold_the_frame) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = top_def(0.5, 0.7, 0.9);
  def.velocity[0] = 1.0, def.omega[1] = 2.0;
  elastica_rod *body = add_body(world, &def);
  DEFAULTS(boundary, pin);
  pin.axes = ELASTICA_AXIS_Z, pin.kind = ELASTICA_BOUNDARY_FRAME;
  must(world, elastica_add_boundary(world, body, &pin, NULL));
  must(world, elastica_add_gravity(world, down, NULL));
  must(world, elastica_world_step(world, 1e-3, 500));
  const elastica_body_info now = body_now(body);
  assert_close(now.position[0], 0.5, 1e-12);
  assert_close(now.position[2], 0.0, 0.0);
  assert_memory_equal(now.director, unit_frame, sizeof unit_frame);
  assert_close(norm(now.omega), 0.0, 0.0);
  elastica_world_destroy(world);
}

static elastica_status turn_and_rise(void *user, double time, double position[3], double velocity[3], double director[9], double omega[3]) {
  const double c = cos(3.0 * time), s = sin(3.0 * time), turned[9] = {c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0};
  (void)user;
  position[2] = 2.0 * time;
  velocity[2] = 2.0;
  memcpy(director, turned, sizeof turned);
  omega[2] = 3.0;
  return ELASTICA_OK;
}

TEST(a_clamp_moves_a_body_along_its_motion) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = top_def(0.5, 0.7, 0.9);
  elastica_rod *body = add_body(world, &def);
  DEFAULTS(boundary, clamp);
  clamp.kind = ELASTICA_BOUNDARY_FRAME, clamp.motion = turn_and_rise;
  must(world, elastica_add_boundary(world, body, &clamp, NULL));
  must(world, elastica_add_gravity(world, down, NULL));
  must(world, elastica_world_step(world, 1e-3, 400));
  const elastica_body_info now = body_now(body);
  assert_close(now.position[2], 0.8, 1e-12);
  assert_close(now.director[0], cos(1.2), 1e-12);
  assert_close(now.omega[2], 3.0, 0.0);
  elastica_world_destroy(world);
}

TEST(a_mass_at_its_node_makes_a_body_heavier) {
  elastica_world *world = make_world(NULL);
  const elastica_body_def def = ball_def(0.1, 2.0);
  elastica_totals momentum;
  elastica_rod *body = add_body(world, &def);
  DEFAULTS(node_mass, mass);
  mass.mass = 0.5;
  must(world, elastica_add_node_mass(world, body, &mass, NULL));
  must(world, elastica_rod_get_totals(body, &momentum));
  assert_close(momentum.mass, 2.5, 0.0);
  elastica_world_destroy(world);
}

TEST(effects_of_a_deformation_refuse_a_body) {
  static const double control[4] = {0.0, 1.0, 1.0, 0.0};
  elastica_world *world = make_world(NULL);
  const elastica_body_def def = ball_def(0.1, 2.0);
  elastica_rod *body = add_body(world, &def);
  DEFAULTS(muscle, muscle);
  DEFAULTS(contraction, contraction);
  DEFAULTS(drag, drag);
  DEFAULTS(axial_viscosity, viscosity);
  muscle.control = control, muscle.control_count = 4, muscle.period = 1.0;
  contraction.maximum_force = 1.0, drag.viscosity = 1.0, viscosity.viscosity = 1.0;
  assert_refused(world, elastica_add_muscle(world, body, &muscle, NULL), ELASTICA_INVALID_ARGUMENT, "rod 0 is a rigid body");
  assert_refused(world, elastica_add_contraction(world, body, &contraction, NULL), ELASTICA_INVALID_ARGUMENT, "rod 0 is a rigid body");
  assert_refused(world, elastica_add_drag(world, body, &drag, NULL), ELASTICA_INVALID_ARGUMENT, "rod 0 is a rigid body");
  assert_refused(world, elastica_add_axial_viscosity(world, body, &viscosity, NULL), ELASTICA_INVALID_ARGUMENT, "rod 0 is a rigid body");
  assert_int_equal(elastica_world_get(world).effect_count, 0);
  elastica_world_destroy(world);
}

/* ---- Own modules ---- */

/* A spring from a point of the body to the origin; reads those parts of the view that a hook of a rod may read. */
static elastica_status spring(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const double *arm = self, stiffness = 50.0;
  double at[3], force[3], couple[3], pull[3];
  (void)now;
  if (rod->node_count != 1 || rod->element_count != 1 || rod->strain[0] == NULL || rod->strain[0][0] != 0.0)
    return ELASTICA_CALLBACK_FAILED;
  for (int a = 0; a < 3; a++)
    if (fabs(rod->tangent[a][0] - rod->director[2][a][0]) > 0.0) return ELASTICA_CALLBACK_FAILED;
  elastica_rotate_to_laboratory(rod, 0, arm, at);
  for (int a = 0; a < 3; a++) force[a] = -stiffness * (rod->position[a][0] + at[a]);
  elastica_rotate_to_material(rod, 0, force, pull);
  cross(arm, pull, couple);
  for (int a = 0; a < 3; a++) {
    loads->force[a][0] += force[a];
    loads->couple[a][0] += couple[a];
  }
  return ELASTICA_OK;
}

static elastica_status spring_bound(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const double *arm = self;
  (void)now, (void)rod;
  stiffness->node[0] += 50.0;
  stiffness->element[0] += 50.0 * dot(arm, arm) + 50.0 * norm(arm) * 2.0;
  return ELASTICA_OK;
}

static double spring_energy(void *self, double time, const elastica_rod_view *rod) {
  double at[3], square = 0.0;
  (void)time;
  elastica_rotate_to_laboratory(rod, 0, self, at);
  for (int a = 0; a < 3; a++) square += (rod->position[a][0] + at[a]) * (rod->position[a][0] + at[a]);
  return 25.0 * square;
}

static elastica_rod *hang(elastica_world *world) {
  const double arm[3] = {0.1, 0.2, 0.3};
  elastica_body_def def = top_def(0.05, 0.07, 0.09);
  elastica_module module = module_named("spring");
  def.position[0] = 0.3, def.omega[1] = 1.0;
  elastica_rod *body = add_body(world, &def);
  module.self = arm, module.self_size = sizeof arm;
  module.add_loads = spring, module.add_stiffness = spring_bound, module.energy = spring_energy;
  must(world, elastica_world_add_module(world, body, &module, NULL));
  return body;
}

TEST(a_body_on_a_spring_keeps_its_energy) {
  elastica_world *world = make_world(NULL);
  double worst = 0.0;
  hang(world);
  const double first = total_energy(world);
  elastica_step_limit limit;
  must(world, elastica_world_step_limit(world, &limit));
  for (int k = 0; k < 2000; k++) {
    must(world, elastica_world_step(world, 0.02 * limit.dt, 50));
    worst = fmax(worst, fabs(total_energy(world) - first));
  }
  assert_between(worst / first, 0.0, 1e-3);
  elastica_world_destroy(world);
}

/* ---- Evaluation and budget ---- */

TEST(loads_are_told_at_the_present_state) {
  elastica_world *world = make_world(NULL);
  elastica_body_def def = top_def(0.5, 0.7, 0.9);
  def.omega[0] = 1.0, def.omega[1] = 2.0;
  elastica_rod *body = add_body(world, &def);
  const elastica_rod_view *view = elastica_rod_get_view(body);
  must(world, elastica_add_gravity(world, down, NULL));
  must(world, elastica_world_evaluate(world, 0.0));
  assert_close(view->total_force[2][0], -9.81, 0.0);
  assert_close(view->total_couple[2][0], (0.5 - 0.7) * 2.0, 1e-15);
  elastica_world_destroy(world);
}

TEST(a_budget_balances_to_rounding) {
  elastica_world *world = make_world(NULL);
  elastica_budget *budget;
  elastica_budget_sum sum;
  hang(world);
  for (int k = 0; k < 8; k++) add_numbered_body(world, k);
  DEFAULTS(dissipation, damping);
  damping.translation = 3.0, damping.rotation = 0.1;
  DEFAULTS(obstacle, wall);
  wall.stiffness = 100.0, wall.position[2] = -1.2, wall.slip_velocity = 1e-3;
  for (int a = 0; a < 3; a++) wall.static_friction[a] = wall.kinetic_friction[a] = 0.4;
  must(world, elastica_add_gravity(world, down, NULL));
  must(world, elastica_add_dissipation(world, NULL, &damping, NULL));
  must(world, elastica_add_obstacle(world, NULL, &wall, NULL));
  must(world, elastica_budget_open(world, &budget));
  must(world, elastica_world_step(world, 1e-3, 1000));
  must(world, elastica_budget_get(budget, &sum));
  assert_true(fabs(sum.work) > 1.0);
  assert_close(sum.residual, 0.0, 1e-9 * (sum.kinetic + fabs(sum.work)));
  for (int a = 0; a < 3; a++) assert_close(sum.momentum_change[a], sum.impulse[a], 1e-9);
  elastica_budget_close(budget);
  elastica_world_destroy(world);
}

/* ---- Output ---- */

TEST(a_frame_has_a_vertex_for_each_body) {
  scratch_folder folder;
  elastica_world *world = make_world(NULL);
  elastica_vtk *vtk;
  int verts = 0, lines = 0;
  scratch_make(&folder);
  for (int k = 0; k < 3; k++) add_numbered_body(world, k);
  add_usual_rod(world);
  must(world, elastica_vtk_open(world, folder.path, "bodies", &vtk));
  must(world, elastica_vtk_frame(vtk));
  must(world, elastica_vtk_close(vtk));
  char *text = scratch_read(&folder, "bodies_000000.vtp");
  for (const char *at = text; (at = strstr(at, "NumberOfVerts=\"1\" NumberOfLines=\"0\"")) != NULL; at++) verts++;
  for (const char *at = text; (at = strstr(at, "NumberOfLines=\"1\"")) != NULL; at++) lines++;
  assert_int_equal(verts, 3);
  assert_int_equal(lines, 1);
  free(text);
  scratch_remove(&folder);
  elastica_world_destroy(world);
}
