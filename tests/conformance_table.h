/* The effects of the library, a row for each kind of each (see conformance.h). */
#ifndef TESTS_CONFORMANCE_TABLE_H
#define TESTS_CONFORMANCE_TABLE_H

#include "bodies.h"
#include "conformance_contacts.h"
#include "conformance_tendons.h"

/* ---- Gravity: no definition, three numbers ---- */

static inline elastica_status add_gravity(elastica_world *world, elastica_rod *rod, const void *def, elastica_effect **out) {
  (void)rod;
  return elastica_add_gravity(world, def, out);
}

static inline elastica_status set_gravity(elastica_effect *effect, const void *def) {
  return elastica_gravity_set(effect, def);
}

static inline void fill_gravity(void *def, const elastica_rod *rod, double strength) {
  double *acceleration = def;
  (void)rod;
  acceleration[0] = 1.0 * strength, acceleration[1] = -2.0 * strength, acceleration[2] = -9.81 * strength;
}

static inline double energy_of_weight(const void *def, const elastica_rod_view *rod) {
  const double *acceleration = def;
  double sum = 0.0;
  for (int i = 0; i < rod->node_count; i++)
    for (int a = 0; a < 3; a++) sum -= rod->mass[i] * acceleration[a] * rod->position[a][i];
  return sum;
}

static const field_rule gravity_fields[] = {{.field = "acceleration", .wrong = NUMBER, .count = 3}};

/* ---- Point load ---- */

CONFORMANCE_CALLS(point_load)

static inline void fill_point_load(void *def, const elastica_rod *rod, double strength) {
  elastica_point_load_def *load = def;
  (void)rod;
  load->node = 3, load->element = 4;
  load->force[0] = 3.0 * strength, load->force[1] = -2.0 * strength, load->force[2] = 5.0 * strength;
  load->couple[0] = 0.03, load->couple[1] = 0.02, load->couple[2] = -0.04;
}

static inline void fill_laboratory_load(void *def, const elastica_rod *rod, double strength) {
  elastica_point_load_def *load = def;
  fill_point_load(load, rod, strength);
  load->couple_in_laboratory = 1;
}

static inline double power_of_load(const void *def, const elastica_rod_view *rod) {
  const elastica_point_load_def *load = def;
  double sum = 0.0;
  for (int a = 0; a < 3; a++) sum += load->force[a] * rod->velocity[a][load->node] + load->couple[a] * rod->omega[a][load->element];
  return sum;
}

static const field_rule point_load_fields[] = {
    RULE(point_load, node, NODE),
    RULE(point_load, element, ELEMENT),
    RULE(point_load, force, NUMBER, .count = 3),
    RULE(point_load, couple, NUMBER, .count = 3),
    RULE(point_load, couple_in_laboratory, SWITCH),
    RULE(point_load, ramp_time, AMOUNT),
    RULE(point_load, start_time, NUMBER),
    RULE(point_load, function, ANY_VALUE),
    RULE(point_load, user, ANY_VALUE),
};

/* ---- Dissipation ---- */

CONFORMANCE_CALLS(dissipation)

static inline void fill_dissipation(void *def, const elastica_rod *rod, double strength) {
  elastica_dissipation_def *damping = def;
  (void)rod;
  damping->translation = 3.0 * strength, damping->rotation = 1e-3 * strength;
}

/* -gamma_t v^2 and -gamma_r omega^2 per length; nodes have half the length of each of their elements. */
static inline double power_of_dissipation(const void *def, const elastica_rod_view *rod) {
  const elastica_dissipation_def *damper = def;
  double sum = 0.0;
  for (int j = 0; j < rod->element_count; j++)
    for (int a = 0; a < 3; a++) {
      const double v0 = rod->velocity[a][j], v1 = rod->velocity[a][j + 1], omega = rod->omega[a][j];
      sum -= rod->length[j] * (0.5 * damper->translation * (v0 * v0 + v1 * v1) + damper->rotation * omega * omega);
    }
  return sum;
}

static const field_rule dissipation_fields[] = {
    RULE(dissipation, translation, AMOUNT),
    RULE(dissipation, rotation, AMOUNT),
};

/* ---- Boundary ---- */

CONFORMANCE_CALLS(boundary)

static inline void fill_clamp(void *def, const elastica_rod *rod, double strength) {
  (void)def, (void)rod, (void)strength;
}

static inline void fill_frame_clamp(void *def, const elastica_rod *rod, double strength) {
  elastica_boundary_def *clamp = def;
  (void)rod, (void)strength;
  clamp->kind = ELASTICA_BOUNDARY_FRAME;
}

/* A wall frame that is turned, in front of a free node. */
static inline void fill_joint(void *def, const elastica_rod *rod, double strength) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const double turn[3] = {0.5, -0.7, 0.4};
  elastica_boundary_def *clamp = def;
  (void)strength;
  const int j = clamp->node == 0 ? 0 : view->element_count - 1;
  clamp->axes = 0;
  for (int k = 0; k < 9; k++) clamp->director[k] = view->director[k / 3][k % 3][j];
  turn_frame(turn, clamp->director);
}

static inline void fill_last_joint(void *def, const elastica_rod *rod, double strength) {
  elastica_boundary_def *clamp = def;
  clamp->node = -1;
  fill_joint(clamp, rod, strength);
}

static inline void ask_for_nine_axes(void *def) {
  ((elastica_boundary_def *)def)->axes = 9;
}

static inline void fill_pin(void *def, const elastica_rod *rod, double strength) {
  elastica_boundary_def *pin = def;
  (void)rod, (void)strength;
  pin->node = 2, pin->element = -2, pin->kind = ELASTICA_BOUNDARY_FRAME;
  pin->axes = ELASTICA_AXIS_X | ELASTICA_AXIS_Z;
}

static const field_rule boundary_fields[] = {
    RULE(boundary, kind, CHOICE, .count = 3, .says = {"CLAMP", "FRAME", "PIN"}),
    RULE(boundary, node, NODE),
    RULE(boundary, element, ELEMENT),
    RULE(boundary, axes, SPOILT, .first = ask_for_nine_axes, .says = {"9"}),
    RULE(boundary, position, INFINITE | LARGE, .count = 3),
    RULE(boundary, director, FRAME, .count = 9),
    RULE(boundary, motion, ANY_VALUE),
    RULE(boundary, user, ANY_VALUE),
};

/* ---- Added mass ---- */

CONFORMANCE_CALLS(node_mass)

static inline void fill_node_mass(void *def, const elastica_rod *rod, double strength) {
  elastica_node_mass_def *bob = def;
  (void)rod;
  bob->node = 3, bob->mass = 0.3 * strength;
}

static const field_rule node_mass_fields[] = {
    RULE(node_mass, node, NODE),
    RULE(node_mass, mass, UNSET | INFINITE | LARGE | NEGATIVE),
};

/* ---- Muscle ---- */

CONFORMANCE_CALLS(muscle)

static inline void fill_muscle(void *def, const elastica_rod *rod, double strength) {
  static const double amplitude[2][14] = {
      {0.2, 0.23, 0.26, 0.29, 0.32, 0.35, 0.38, 0.41, 0.44, 0.47, 0.5, 0.53, 0.56, 0.59},
      {200.0, 230.0, 260.0, 290.0, 320.0, 350.0, 380.0, 410.0, 440.0, 470.0, 500.0, 530.0, 560.0, 590.0}};
  elastica_muscle_def *muscle = def;
  (void)rod;
  muscle->axis = 1;
  muscle->amplitude = amplitude[strength > 1.0];
  muscle->period = 1.0, muscle->wavenumber = 4.0, muscle->phase = 0.6;
}

static inline void fill_stretching_muscle(void *def, const elastica_rod *rod, double strength) {
  elastica_muscle_def *muscle = def;
  fill_muscle(muscle, rod, strength);
  muscle->kind = ELASTICA_MUSCLE_FORCE, muscle->axis = 2;
}

static inline void fill_laboratory_muscle(void *def, const elastica_rod *rod, double strength) {
  elastica_muscle_def *muscle = def;
  fill_muscle(muscle, rod, strength);
  muscle->kind = ELASTICA_MUSCLE_LABORATORY_COUPLE, muscle->axis = 2;
}

static const double muscle_controls[6] = {0.0, 17.4, 48.5, 5.4, 14.7, 0.0};

static inline void control_muscle(void *def) {
  elastica_muscle_def *muscle = def;
  muscle->amplitude = NULL, muscle->control = muscle_controls, muscle->control_count = 6;
}

static inline void leave_muscle_without_control(void *def) {
  ((elastica_muscle_def *)def)->amplitude = NULL;
}

static inline void give_muscle_both(void *def) {
  ((elastica_muscle_def *)def)->control = muscle_controls;
}

static inline void give_muscle_three_controls(void *def) {
  control_muscle(def);
  ((elastica_muscle_def *)def)->control_count = 3;
}

static const field_rule muscle_fields[] = {
    RULE(muscle, kind, CHOICE, .count = 3, .says = {"COUPLE", "FORCE", "LABORATORY_COUPLE"}),
    RULE(muscle, axis, CHOICE, .count = 3, .says = {"outside"}),
    RULE(muscle, control, BEHIND | NUMBER, .count = 6, .first = control_muscle),
    RULE(muscle, control, SPOILT, .first = leave_muscle_without_control, .says = {"not set"}),
    RULE(muscle, control, SPOILT, .first = give_muscle_both, .says = {"muscle_def.amplitude", "both"}),
    RULE(muscle, control_count, SPOILT, .first = give_muscle_three_controls, .says = {"3", "4"}),
    RULE(muscle, spline, CHOICE, .count = 2, .first = control_muscle, .says = {"CURVE", "FUNCTION"}),
    RULE(muscle, amplitude, BEHIND | NUMBER, .count = 5),
    RULE(muscle, period, UNSET | NOT_POSITIVE | SMALL),
    RULE(muscle, wavenumber, NUMBER),
    RULE(muscle, phase, NUMBER),
    RULE(muscle, ramp_time, AMOUNT),
    RULE(muscle, start_time, NUMBER),
    RULE(muscle, function, ANY_VALUE),
    RULE(muscle, user, ANY_VALUE),
};

/* ---- Contraction ---- */

CONFORMANCE_CALLS(contraction)

static inline void fill_contraction(void *def, const elastica_rod *rod, double strength) {
  elastica_contraction_def *pull = def;
  (void)rod;
  pull->first = 1, pull->last = 4;
  pull->maximum_force = 20.0 * strength;
  pull->force_length[0] = 0.5, pull->force_length[1] = 0.5;
}

static const double uneven_shares[] = {0.5, 1.0, 1.5, 0.0};

static inline void fill_uneven_contraction(void *def, const elastica_rod *rod, double strength) {
  fill_contraction(def, rod, strength);
  ((elastica_contraction_def *)def)->share = uneven_shares;
}

static inline void share_contraction(void *def) {
  ((elastica_contraction_def *)def)->share = uneven_shares;
}

static inline void run_contraction_backwards(void *def) {
  ((elastica_contraction_def *)def)->first = 5;
}

static inline void shorten_contraction_to_nothing(void *def) {
  elastica_contraction_def *pull = def;
  pull->force_length[3] = 1.0, pull->optimal_length = 1e-120;
}

static const field_rule contraction_fields[] = {
    RULE(contraction, first, ELEMENT),
    RULE(contraction, first, SPOILT, .first = run_contraction_backwards, .says = {"first element 5", "last element 4"}),
    RULE(contraction, last, ELEMENT),
    RULE(contraction, maximum_force, UNSET | INFINITE | LARGE | NEGATIVE),
    RULE(contraction, activation, NUMBER),
    RULE(contraction, force_length, NUMBER, .count = 8),
    RULE(contraction, optimal_length, INFINITE | LARGE | NOT_POSITIVE | SMALL),
    RULE(contraction, optimal_length, SPOILT, .first = shorten_contraction_to_nothing, .says = {"tension", "rest length", "not finite"}),
    RULE(contraction, function, ANY_VALUE),
    RULE(contraction, user, ANY_VALUE),
    RULE(contraction, share, BEHIND | AMOUNT, .count = 4, .first = share_contraction),
};

/* ---- Axial viscosity ---- */

CONFORMANCE_CALLS(axial_viscosity)

static const double uneven_viscosity[] = {0.5, 0.0, 2.0, 1.0, 0.3, 0.7, 0.0, 1.5, 0.9};

static inline void fill_axial_viscosity(void *def, const elastica_rod *rod, double strength) {
  elastica_axial_viscosity_def *tissue = def;
  (void)rod;
  tissue->viscosity = 5.0 * strength;
}

static inline void fill_uneven_viscosity(void *def, const elastica_rod *rod, double strength) {
  (void)rod, (void)strength;
  ((elastica_axial_viscosity_def *)def)->element_viscosity = uneven_viscosity;
}

static inline void list_viscosities(void *def) {
  ((elastica_axial_viscosity_def *)def)->viscosity = NAN;
  fill_uneven_viscosity(def, NULL, 1.0);
}

static inline void give_viscosity_twice(void *def) {
  ((elastica_axial_viscosity_def *)def)->element_viscosity = uneven_viscosity;
}

static inline void thicken_to_stone(void *def) {
  ((elastica_axial_viscosity_def *)def)->viscosity = 1e21;
}

static const field_rule axial_viscosity_fields[] = {
    RULE(axial_viscosity, viscosity, UNSET | INFINITE | LARGE | NEGATIVE),
    RULE(axial_viscosity, viscosity, SPOILT, .first = give_viscosity_twice, .says = {"element_viscosity", "both"}),
    RULE(axial_viscosity, viscosity, SPOILT, .first = thicken_to_stone, .says = {"1e+21", "too large"}),
    RULE(axial_viscosity, element_viscosity, BEHIND | AMOUNT, .count = 6, .first = list_viscosities),
    RULE(axial_viscosity, ramp_time, AMOUNT),
    RULE(axial_viscosity, start_time, NUMBER),
    RULE(axial_viscosity, function, ANY_VALUE),
    RULE(axial_viscosity, user, ANY_VALUE),
};

/* ---- Drag ---- */

CONFORMANCE_CALLS(drag)

static inline void fill_drag(void *def, const elastica_rod *rod, double strength) {
  elastica_drag_def *fluid = def;
  (void)rod;
  fluid->viscosity = 0.7 * strength;
  fluid->flow[0] = 0.2, fluid->gradient[1] = 3.0;
}

static inline void fill_explicit_drag(void *def, const elastica_rod *rod, double strength) {
  elastica_drag_def *fluid = def;
  fill_drag(fluid, rod, strength);
  fluid->kind = ELASTICA_DRAG_EXPLICIT;
}

static const field_rule drag_fields[] = {
    RULE(drag, kind, CHOICE, .count = 2, .says = {"RATE", "EXPLICIT"}),
    RULE(drag, viscosity, UNSET | INFINITE | LARGE | NEGATIVE),
    RULE(drag, rest_slenderness, SWITCH),
    RULE(drag, rest_length, SWITCH),
    RULE(drag, flow, NUMBER, .count = 3),
    RULE(drag, gradient, NUMBER, .count = 9),
    RULE(drag, function, ANY_VALUE),
    RULE(drag, user, ANY_VALUE),
};

/* ---- The table ---- */

/* ---- Joint, to the world: its rod is in its definition ---- */

static inline void init_joint(void *def, size_t size) {
  elastica_joint_def_init(def, size);
}

static inline elastica_status add_joint(elastica_world *world, elastica_rod *rod, const void *def, elastica_effect **out) {
  elastica_joint_def own;
  size_t size;
  if (def == NULL) return elastica_add_joint(world, def, out);
  memcpy(&size, def, sizeof size);
  if (size < offsetof(elastica_joint_def, second) || size > sizeof own) return elastica_add_joint(world, def, out);
  memcpy(&own, def, size);
  if (own.second.rod != NULL && own.second.rod == own.first.rod) own.second.rod = rod;
  if (own.first.rod != NULL) own.first.rod = rod;
  return elastica_add_joint(world, &own, out);
}

static inline elastica_status set_joint(elastica_effect *effect, const void *def) {
  return elastica_joint_set(effect, def);
}

/* A joint that is open and turned: at the third element, its point in the world a little off. */
static inline void fill_ball(void *def, const elastica_rod *rod, double strength) {
  elastica_joint_def *joint = def;
  joint->first.rod = (elastica_rod *)rod;
  joint->first.element = 2, joint->first.share = 0.25;
  joint->first.offset[0] = 0.01, joint->first.offset[1] = -0.02;
  joint->stiffness = 40.0 * strength;
  if (rod == NULL) return;
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  for (int a = 0; a < 3; a++) joint->position[a] = view->position[a][2] + 0.01 * (a + 1);
}

static inline void fill_hinge(void *def, const elastica_rod *rod, double strength) {
  elastica_joint_def *joint = def;
  fill_ball(def, rod, strength);
  joint->kind = ELASTICA_JOINT_HINGE, joint->angular_stiffness = 0.05 * strength;
  joint->axis[0] = 0.2, joint->axis[1] = 0.5, joint->axis[2] = -0.7;
  joint->least_angle = joint->most_angle = 0.02;
}

static inline void fill_guided_hinge(void *def, const elastica_rod *rod, double strength) {
  elastica_joint_def *joint = def;
  fill_hinge(def, rod, strength);
  joint->least_angle = -INFINITY, joint->most_angle = INFINITY;
}

static inline void fill_fixed(void *def, const elastica_rod *rod, double strength) {
  elastica_joint_def *joint = def;
  fill_ball(def, rod, strength);
  joint->kind = ELASTICA_JOINT_FIXED, joint->angular_stiffness = 0.05 * strength;
  joint->first.element = 0, joint->first.share = 0.0; /* in series with a half-cell */
}

/* A usual rod by a separate function: rows with the same function are set to each other, and these joints keep their kind. */
static inline elastica_rod *add_glued(elastica_world *world, int closed, uint64_t seed) {
  return add_usual(world, closed, seed);
}

/* Glues the third element to the last but one, at the present pose. */
static inline void fill_side_by_side(void *def, const elastica_rod *rod, double strength) {
  elastica_joint_def *joint = def;
  joint->kind = ELASTICA_JOINT_SIDE_BY_SIDE;
  joint->first.rod = joint->second.rod = (elastica_rod *)rod;
  joint->first.element = 2, joint->first.share = 0.25;
  joint->second.element = -2, joint->second.share = 0.5;
  joint->stiffness = 40.0 * strength, joint->angular_stiffness = 0.05 * strength;
}

static inline void turn_limits_round(void *def) {
  elastica_joint_def *joint = def;
  joint->kind = ELASTICA_JOINT_HINGE;
  joint->axis[0] = joint->axis[1] = joint->axis[2] = 1.0;
  joint->least_angle = 1.0, joint->most_angle = -1.0;
}

static const field_rule joint_fields[] = {
    RULE(joint, kind, CHOICE, .count = 4, .says = {"BALL", "SIDE_BY_SIDE"}),
    RULE(joint, first, ANY_VALUE),
    RULE(joint, second, ANY_VALUE),
    RULE(joint, position, INFINITE | LARGE, .count = 3),
    RULE(joint, director, FRAME, .count = 9),
    RULE(joint, motion, ANY_VALUE),
    RULE(joint, user, ANY_VALUE),
    RULE(joint, axis, INFINITE, .count = 3),
    RULE(joint, axis_in_world, SWITCH),
    RULE(joint, stiffness, INFINITE | LARGE | NEGATIVE),
    RULE(joint, force, INFINITE | LARGE | NOT_POSITIVE | SMALL),
    RULE(joint, gap, INFINITE | LARGE | NOT_POSITIVE | SMALL),
    RULE(joint, angular_stiffness, INFINITE | LARGE | NEGATIVE),
    RULE(joint, couple, INFINITE | LARGE | NOT_POSITIVE | SMALL),
    RULE(joint, angle, INFINITE | LARGE | NOT_POSITIVE | SMALL),
    RULE(joint, damping, AMOUNT),
    RULE(joint, least_angle, SPOILT, .first = turn_limits_round, .says = {"least_angle", "1"}),
    RULE(joint, most_angle, SPOILT, .first = turn_limits_round, .says = {"most_angle", "-1"}),
    RULE(joint, motor, NUMBER),
    RULE(joint, drive, ANY_VALUE),
};

/* ---- On rigid bodies ---- */

static inline elastica_rod *add_rigid(elastica_world *world, int closed, uint64_t seed) {
  (void)closed;
  return add_numbered_body(world, (int)seed);
}

/* A ball that rolls and sinks in the plane z = -0.3. */
static inline elastica_rod *add_rigid_on_the_ground(elastica_world *world, int closed, uint64_t seed) {
  elastica_body_def def = ball_def(0.1, 3.0 + (double)(seed % 5));
  (void)closed;
  def.position[2] = -0.205;
  def.velocity[0] = 0.2, def.velocity[2] = -0.1, def.omega[1] = 1.0;
  return add_body(world, &def);
}

static inline void fill_load_on_body(void *def, const elastica_rod *rod, double strength) {
  elastica_point_load_def *load = def;
  fill_point_load(load, rod, strength);
  load->node = load->element = 0;
}

static inline void fill_pin_of_body(void *def, const elastica_rod *rod, double strength) {
  elastica_boundary_def *pin = def;
  fill_pin(pin, rod, strength);
  pin->node = pin->element = 0;
}

static inline void fill_wall_of_body(void *def, const elastica_rod *rod, double strength) {
  elastica_obstacle_def *wall = def;
  (void)rod;
  wall->position[2] = -0.3, wall->stiffness = 100.0 * strength, wall->slip_velocity = 1e-3;
  for (int a = 0; a < 3; a++) wall->static_friction[a] = 0.4, wall->kinetic_friction[a] = 0.3;
}

static const effect_row effect_rows[] = {
    {.name = "gravity",
     .kind = "",
     .add = add_gravity,
     .set = set_gravity,
     .fill = fill_gravity,
     .is = EVERY_ROD | POTENTIAL | POWER,
     .formula = energy_of_weight,
     FIELDS_OF(gravity)},
    {CALLS_OF(point_load), FIELDS_OF(point_load), .kind = "material couple", .fill = fill_point_load, .is = POWER,
     .formula = power_of_load},
    {CALLS_OF(point_load), .kind = "laboratory couple", .fill = fill_laboratory_load, .is = POWER},
    {CALLS_OF(dissipation), FIELDS_OF(dissipation), .kind = "", .fill = fill_dissipation, .is = EVERY_ROD | POWER,
     .formula = power_of_dissipation},
    {CALLS_OF(boundary), .kind = "half cell", .fill = fill_clamp, .is = HOLDS | ENERGY | BOUNDS | NO_RING},
    {CALLS_OF(boundary), .kind = "frame", .fill = fill_frame_clamp, .is = HOLDS},
    {CALLS_OF(boundary), .kind = "joint at the first end", .rod = add_stubby, .fill = fill_joint, .is = POTENTIAL | BOUNDS | NO_RING},
    {CALLS_OF(boundary), .kind = "joint at the last end", .rod = add_stubby, .fill = fill_last_joint, .is = POTENTIAL | BOUNDS | NO_RING},
    {CALLS_OF(boundary), FIELDS_OF(boundary), .kind = "frame inside", .fill = fill_pin, .is = HOLDS},
    {CALLS_OF(joint), FIELDS_OF(joint), .kind = "ball", .fill = fill_ball, .is = POTENTIAL | BOUNDS, .strong = 1e3},
    {CALLS_OF(joint), .kind = "hinge", .fill = fill_guided_hinge, .is = POTENTIAL | BOUNDS, .strong = 1e3},
    {CALLS_OF(joint), .kind = "hinge at its limit", .fill = fill_hinge, .is = POTENTIAL | BOUNDS, .strong = 1e3},
    {CALLS_OF(joint), .kind = "fixed", .fill = fill_fixed, .is = POTENTIAL | BOUNDS, .strong = 1e3},
    {CALLS_OF(joint), .kind = "side by side", .rod = add_glued, .fill = fill_side_by_side, .is = ENERGY | BOUNDS | RELAXED, .strong = 1e3},
    {CALLS_OF(tendon), FIELDS_OF(tendon), .kind = "along a rod", .fill = fill_tendon, .is = POTENTIAL | POWER | INTERNAL | BOUNDS,
     .strong = 1e3},
    {CALLS_OF(tendon), .kind = "taut spring", .fill = fill_taut_tendon, .is = POTENTIAL | POWER | INTERNAL | BOUNDS, .strong = 1e3},
    {CALLS_OF(tendon), .kind = "rough and damped", .fill = fill_rough_tendon, .is = ENERGY | POWER | INTERNAL | BOUNDS, .strong = 100.0},
    {CALLS_OF(tendon), .kind = "from the world", .rod = add_tethered, .fill = fill_tendon_from_the_world, .is = POTENTIAL | POWER | BOUNDS,
     .strong = 1e3},
    {CALLS_OF(node_mass), FIELDS_OF(node_mass), .kind = "", .fill = fill_node_mass, .is = MASS},
    {CALLS_OF(muscle), FIELDS_OF(muscle), .kind = "couple", .fill = fill_muscle, .is = POWER | INTERNAL | BOUNDS, .strong = 100.0},
    {CALLS_OF(muscle), .kind = "force", .fill = fill_stretching_muscle, .is = POWER | INTERNAL | BOUNDS, .strong = 100.0},
    {CALLS_OF(muscle), .kind = "laboratory couple", .fill = fill_laboratory_muscle, .is = POWER | INTERNAL | BOUNDS, .strong = 100.0},
    {CALLS_OF(contraction), .kind = "uneven", .fill = fill_uneven_contraction, .is = POWER | INTERNAL | BOUNDS, .strong = 100.0},
    {CALLS_OF(contraction), FIELDS_OF(contraction), .kind = "", .fill = fill_contraction, .is = POWER | INTERNAL | BOUNDS, .strong = 100.0},
    {CALLS_OF(axial_viscosity), FIELDS_OF(axial_viscosity), .kind = "even", .fill = fill_axial_viscosity,
     .is = POWER | REACTS | INTERNAL | STIFFENS, .strong = 100.0},
    {CALLS_OF(axial_viscosity), .kind = "uneven", .fill = fill_uneven_viscosity, .is = POWER | REACTS | INTERNAL | STIFFENS},
    {CALLS_OF(drag), FIELDS_OF(drag), .kind = "by rates", .fill = fill_drag, .is = POWER | NEAR_TANGENT, .strong = 1e4},
    {CALLS_OF(drag), .kind = "explicit", .fill = fill_explicit_drag, .is = POWER | BOUNDS | NEAR_TANGENT, .strong = 1e4},
    {CALLS_OF(obstacle), FIELDS_OF(rigid), .kind = "rigid, elements", .rod = add_on_the_ground, .fill = fill_wall,
     .is = EVERY_ROD | ENERGY | REACTS | BOUNDS, .strong = 1e4},
    {CALLS_OF(obstacle), .kind = "rigid, nodes", .rod = add_on_the_ground, .fill = fill_node_wall,
     .is = EVERY_ROD | ENERGY | REACTS | STIFFENS},
    {CALLS_OF(obstacle), .kind = "rigid rough box", .rod = add_on_a_layer, .fill = fill_rough_wall,
     .is = EVERY_ROD | ENERGY | REACTS | STIFFENS},
    {CALLS_OF(contact), FIELDS_OF(contact), .kind = "elastic", .rod = add_double_turn, .fill = fill_contact,
     .is = EVERY_ROD | ENERGY | INTERNAL | BOUNDS, .strong = 1e3},
    {CALLS_OF(contact), .kind = "rough", .rod = add_double_turn, .fill = fill_rough_contact, .is = EVERY_ROD | ENERGY | INTERNAL | BOUNDS,
     .strong = 1e3},
    {CALLS_OF(obstacle), FIELDS_OF(elastic), .kind = "elastic", .rod = add_on_a_layer, .fill = fill_obstacle,
     .is = EVERY_ROD | POTENTIAL | BOUNDS, .strong = 1e4},
    {CALLS_OF(obstacle), FIELDS_OF(duct), .kind = "duct", .rod = add_on_a_layer, .fill = fill_duct, .is = EVERY_ROD | POTENTIAL | BOUNDS,
     .strong = 1e4},
    {CALLS_OF(obstacle), FIELDS_OF(mesh), .kind = "mesh", .rod = add_on_a_layer, .fill = fill_mesh, .is = EVERY_ROD | POTENTIAL | BOUNDS,
     .strong = 1e4},
    {CALLS_OF(obstacle), .kind = "rough box", .rod = add_on_a_layer, .fill = fill_rough_obstacle,
     .is = EVERY_ROD | ENERGY | REACTS | BOUNDS, .strong = 1e4},
    {.name = "gravity",
     .kind = "on a body",
     .add = add_gravity,
     .set = set_gravity,
     .fill = fill_gravity,
     .rod = add_rigid,
     .is = EVERY_ROD | POTENTIAL | POWER | RIGID},
    {CALLS_OF(point_load), .kind = "on a body", .rod = add_rigid, .fill = fill_load_on_body, .is = POWER | RIGID},
    {CALLS_OF(dissipation), .kind = "on a body", .rod = add_rigid, .fill = fill_dissipation, .is = EVERY_ROD | POWER | RIGID},
    {CALLS_OF(boundary), .kind = "pin on a body", .rod = add_rigid, .fill = fill_pin_of_body, .is = HOLDS | RIGID},
    {CALLS_OF(boundary), .kind = "frame of a body", .rod = add_rigid, .fill = fill_frame_clamp, .is = HOLDS | RIGID},
    {CALLS_OF(tendon), .kind = "on a body", .rod = add_rigid, .fill = fill_tendon_of_body, .is = POTENTIAL | POWER | BOUNDS | RIGID},
    {CALLS_OF(obstacle), .kind = "rigid, on a body", .rod = add_rigid_on_the_ground, .fill = fill_wall_of_body,
     .is = EVERY_ROD | ENERGY | REACTS | STIFFENS | RIGID},
    {CALLS_OF(obstacle), .kind = "on a body", .rod = add_rigid_on_the_ground, .fill = fill_obstacle_of_body,
     .is = EVERY_ROD | ENERGY | REACTS | STIFFENS | RIGID},
};

enum { EFFECT_ROWS = sizeof effect_rows / sizeof *effect_rows };

#endif
