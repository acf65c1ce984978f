/* Obstacles and contacts for the table of conformance_table.h. */
#ifndef TESTS_CONFORMANCE_CONTACTS_H
#define TESTS_CONFORMANCE_CONTACTS_H

#include "conformance.h"

/* ---- Rigid obstacle ---- */

CONFORMANCE_CALLS(obstacle)

static inline void fill_wall(void *def, const elastica_rod *rod, double strength) {
  elastica_obstacle_def *floor = def;
  (void)rod;
  floor->balance = ELASTICA_BALANCE_ELEMENTS;
  floor->stiffness = 100.0 * strength, floor->damping = 0.1 * strength;
}

static inline void fill_node_wall(void *def, const elastica_rod *rod, double strength) {
  elastica_obstacle_def *floor = def;
  (void)rod;
  floor->stiffness = 100.0 * strength, floor->damping = 0.1 * strength;
}

/* A box whose top is z = 0. */
static inline void fill_rough_wall(void *def, const elastica_rod *rod, double strength) {
  elastica_obstacle_def *box = def;
  fill_node_wall(box, rod, strength);
  box->shape = ELASTICA_SHAPE_BOX;
  box->edges[0] = box->edges[1] = 10.0, box->edges[2] = 1.0, box->position[2] = -0.5;
  for (int k = 0; k < 3; k++) box->static_friction[k] = 0.4 + 0.1 * k, box->kinetic_friction[k] = 0.2 + 0.1 * k;
  box->slip_velocity = 1e-3;
  box->friction_limit = ELASTICA_FRICTION_ELLIPTIC;
}

static inline void make_cylinder(void *def) {
  elastica_obstacle_def *wall = def;
  wall->shape = ELASTICA_SHAPE_CYLINDER;
  wall->radius = 1.0, wall->length = 2.0, wall->position[2] = -5.0;
}

static inline void make_sphere(void *def) {
  make_cylinder(def);
  ((elastica_obstacle_def *)def)->shape = ELASTICA_SHAPE_SPHERE;
}

static inline void make_rough_box(void *def) {
  fill_rough_wall(def, NULL, 1.0);
}

static inline void take_normal_away(void *def) {
  ((elastica_obstacle_def *)def)->normal[2] = 0.0;
}

static inline void make_sliding_harder_than_sticking(void *def) {
  elastica_obstacle_def *wall = def;
  wall->static_friction[0] = 0.4, wall->kinetic_friction[0] = 0.5, wall->slip_velocity = 1e-3;
}

static inline elastica_status fail_to_move(void *user, double time, double position[3], double velocity[3], double director[9],
                                           double omega[3]) {
  (void)user, (void)time, (void)position, (void)velocity, (void)director, (void)omega;
  return ELASTICA_INVALID_ARGUMENT;
}

static inline void let_wall_fail_to_move(void *def) {
  ((elastica_obstacle_def *)def)->motion = fail_to_move;
}

static inline void lift_wall(void *def) {
  ((elastica_obstacle_def *)def)->position[2] = 10.0;
}

static inline void give_modulus(void *def) {
  ((elastica_obstacle_def *)def)->modulus = 1.0;
}

static inline void make_tube(void *def) {
  ((elastica_obstacle_def *)def)->shape = ELASTICA_SHAPE_TUBE;
}

static const field_rule rigid_fields[] = {
    RULE(obstacle, kind, CHOICE, .count = 2, .says = {"RIGID", "ELASTIC"}),
    RULE(obstacle, modulus, SPOILT, .first = give_modulus, .says = {"obstacle_def.modulus", "RIGID"}),
    RULE(obstacle, shape, SPOILT, .first = make_tube, .says = {"obstacle_def.shape", "TUBE", "ELASTIC"}),
    RULE(obstacle, shape, CHOICE, .count = 8, .says = {"SPHERE", "PLANE", "SURFACE", "TUBE", "MESH"}),
    RULE(obstacle, position, NUMBER, .count = 3),
    RULE(obstacle, position, SPOILT, .first = lift_wall, .says = {"element", "rod 0", "inside"}),
    RULE(obstacle, normal, NOT_A_NUMBER | INFINITE, .count = 3),
    RULE(obstacle, normal, SPOILT, .first = take_normal_away, .says = {"obstacle_def.normal", "zero"}),
    RULE(obstacle, director, FRAME, .count = 9),
    RULE(obstacle, radius, UNSET | INFINITE | LARGE | NOT_POSITIVE | SMALL, .first = make_sphere),
    RULE(obstacle, radius, UNSET | INFINITE | LARGE | NOT_POSITIVE | SMALL, .first = make_cylinder),
    RULE(obstacle, length, UNSET | NOT_POSITIVE | SMALL, .first = make_cylinder),
    RULE(obstacle, edges, UNSET | INFINITE | LARGE | NOT_POSITIVE | SMALL, .count = 3, .first = make_rough_box),
    RULE(obstacle, motion, SPOILT, .first = let_wall_fail_to_move, .says = {"obstacle_def.motion", "fails"}),
    RULE(obstacle, user, ANY_VALUE),
    RULE(obstacle, stiffness, UNSET | INFINITE | LARGE | NEGATIVE),
    RULE(obstacle, damping, AMOUNT),
    RULE(obstacle, tolerance, AMOUNT),
    RULE(obstacle, static_friction, AMOUNT, .count = 3),
    RULE(obstacle, kinetic_friction, AMOUNT, .count = 3),
    RULE(obstacle, kinetic_friction, SPOILT, .first = make_sliding_harder_than_sticking,
         .says = {"obstacle_def.kinetic_friction[0]", "forward", "static friction", "0.5", "0.4"}),
    RULE(obstacle, slip_velocity, UNSET | INFINITE | LARGE | NOT_POSITIVE | SMALL, .first = make_rough_box),
    RULE(obstacle, friction_limit, CHOICE, .count = 2, .says = {"INDEPENDENT", "ELLIPTIC"}),
    RULE(obstacle, head, CHOICE, .count = 2, .says = {"FIRST", "LAST"}),
    RULE(obstacle, balance, CHOICE, .count = 2, .says = {"ELEMENTS", "NODES"}),
};

/* ---- Contact ---- */

CONFORMANCE_CALLS(contact)

static inline void fill_contact(void *def, const elastica_rod *rod, double strength) {
  elastica_contact_def *contact = def;
  (void)rod;
  contact->modulus = 300.0 * strength;
}

static inline void fill_rough_contact(void *def, const elastica_rod *rod, double strength) {
  elastica_contact_def *contact = def;
  fill_contact(def, rod, strength);
  contact->damping = 15.0 * strength, contact->friction = 0.4, contact->tangential_damping = 10.0 * strength;
}

static inline void name_no_group(void *def) {
  ((elastica_contact_def *)def)->first_group = ((elastica_contact_def *)def)->second_group = -2;
}

static const field_rule contact_fields[] = {
    RULE(contact, modulus, UNSET | INFINITE | LARGE | NOT_POSITIVE | SMALL),
    RULE(contact, damping, AMOUNT),
    RULE(contact, friction, AMOUNT),
    RULE(contact, tangential_ratio, NUMBER | NOT_POSITIVE | SMALL),
    RULE(contact, tangential_damping, AMOUNT),
    RULE(contact, first_group, SPOILT, .first = name_no_group, .says = {"first_group", "-2"}),
    RULE(contact, second_group, SPOILT, .first = name_no_group, .says = {"first_group", "-2"}),
    RULE(contact, self, SWITCH),
    RULE(contact, skip_length, INFINITE | LARGE | NEGATIVE),
    RULE(contact, skin, INFINITE | LARGE | NOT_POSITIVE | SMALL),
};

/* ---- Elastic obstacle ---- */

static inline void fill_obstacle(void *def, const elastica_rod *rod, double strength) {
  elastica_obstacle_def *floor = def;
  (void)rod;
  floor->kind = ELASTICA_OBSTACLE_ELASTIC;
  floor->modulus = 300.0 * strength;
  floor->damping_ratio = floor->tangential_damping_ratio = 0.0;
}

/* A box whose top is z = 0. */
static inline void fill_rough_obstacle(void *def, const elastica_rod *rod, double strength) {
  elastica_obstacle_def *box = def;
  fill_obstacle(def, rod, strength);
  box->shape = ELASTICA_SHAPE_BOX;
  box->edges[0] = box->edges[1] = 10.0, box->edges[2] = 1.0, box->position[2] = -0.5;
  box->damping = 15.0 * strength, box->friction = 0.4, box->tangential_damping = 10.0 * strength;
  box->damping_ratio = 0.1, box->tangential_damping_ratio = 0.2;
}

static inline elastica_status level_ground(void *user, const double point[3], double *distance, double gradient[3]) {
  (void)user;
  *distance = point[2];
  gradient[0] = gradient[1] = 0.0, gradient[2] = 1.0;
  return ELASTICA_OK;
}

static inline void make_ground(void *def) {
  elastica_obstacle_def *ground = def;
  ground->shape = ELASTICA_SHAPE_SURFACE;
  ground->surface = level_ground, ground->surface_curvature = 0.0;
}

static inline void forget_surface(void *def) {
  make_ground(def);
  ((elastica_obstacle_def *)def)->surface = NULL;
}

/* A wide duct whose floor is z = 0. */
static inline void fill_duct(void *def, const elastica_rod *rod, double strength) {
  static const double axis[] = {-80.0, 0.0, 40.0, 0.0, 0.0, 40.0, 80.0, 0.0, 40.0}, radii[] = {40.0, 40.0, 40.0};
  elastica_obstacle_def *duct = def;
  fill_obstacle(def, rod, strength);
  duct->shape = ELASTICA_SHAPE_TUBE;
  duct->points = axis, duct->radii = radii, duct->point_count = 3, duct->side = ELASTICA_SIDE_INSIDE;
}

/* A sheet in the plane z = 0. */
static inline void fill_mesh(void *def, const elastica_rod *rod, double strength) {
  static const double corners[] = {-80.0, -80.0, 0.0, 80.0, -80.0, 0.0, 80.0, 80.0, 0.0, -80.0, 80.0, 0.0};
  static const int triangles[] = {0, 1, 2, 0, 2, 3};
  elastica_obstacle_def *mesh = def;
  fill_obstacle(def, rod, strength);
  mesh->shape = ELASTICA_SHAPE_MESH;
  mesh->points = corners, mesh->point_count = 4, mesh->triangles = triangles, mesh->triangle_count = 2;
  mesh->side = ELASTICA_SIDE_BOTH, mesh->fillet = 10.0;
}

static inline void fill_obstacle_of_body(void *def, const elastica_rod *rod, double strength) {
  elastica_obstacle_def *floor = def;
  fill_obstacle(def, rod, strength);
  floor->position[2] = -0.3, floor->friction = 0.4;
}

static inline void make_cylinder_obstacle(void *def) {
  elastica_obstacle_def *obstacle = def;
  obstacle->shape = ELASTICA_SHAPE_CYLINDER;
  obstacle->radius = 1.0, obstacle->length = 2.0, obstacle->position[2] = -5.0;
}

static inline void make_sphere_obstacle(void *def) {
  make_cylinder_obstacle(def);
  ((elastica_obstacle_def *)def)->shape = ELASTICA_SHAPE_SPHERE;
}

static inline void make_box_obstacle(void *def) {
  fill_rough_obstacle(def, NULL, 1.0);
}

static inline void take_obstacle_normal_away(void *def) {
  ((elastica_obstacle_def *)def)->normal[2] = 0.0;
}

static inline void let_obstacle_fail_to_move(void *def) {
  ((elastica_obstacle_def *)def)->motion = fail_to_move;
}

static inline void lift_obstacle(void *def) {
  ((elastica_obstacle_def *)def)->position[2] = 10.0;
}

static inline void name_no_obstacle_group(void *def) {
  ((elastica_obstacle_def *)def)->group = -2;
}

static inline void give_stiffness(void *def) {
  ((elastica_obstacle_def *)def)->stiffness = 0.0;
}

static inline void give_balance(void *def) {
  ((elastica_obstacle_def *)def)->balance = ELASTICA_BALANCE_ELEMENTS;
}

static const field_rule elastic_fields[] = {
    RULE(obstacle, stiffness, SPOILT, .first = give_stiffness, .says = {"obstacle_def.stiffness", "ELASTIC"}),
    RULE(obstacle, balance, SPOILT, .first = give_balance, .says = {"obstacle_def.balance", "ELASTIC"}),
    RULE(obstacle, shape, CHOICE, .count = 8, .says = {"SPHERE", "PLANE", "SURFACE", "TUBE", "MESH"}),
    RULE(obstacle, surface, SPOILT, .first = forget_surface, .says = {"obstacle_def.surface", "not set", "SURFACE"}),
    RULE(obstacle, surface_user, ANY_VALUE),
    RULE(obstacle, surface_slope, NUMBER | NOT_POSITIVE | SMALL, .first = make_ground),
    RULE(obstacle, surface_curvature, UNSET | INFINITE | LARGE | NEGATIVE, .first = make_ground),
    RULE(obstacle, side, CHOICE, .count = 3, .says = {"OUTSIDE", "INSIDE", "BOTH"}),
    RULE(obstacle, position, NUMBER, .count = 3),
    RULE(obstacle, position, SPOILT, .first = lift_obstacle, .says = {"element", "rod 0", "inside"}),
    RULE(obstacle, normal, NOT_A_NUMBER | INFINITE, .count = 3),
    RULE(obstacle, normal, SPOILT, .first = take_obstacle_normal_away, .says = {"obstacle_def.normal", "zero"}),
    RULE(obstacle, director, FRAME, .count = 9),
    RULE(obstacle, radius, UNSET | INFINITE | LARGE | NOT_POSITIVE | SMALL, .first = make_sphere_obstacle),
    RULE(obstacle, radius, UNSET | INFINITE | LARGE | NOT_POSITIVE | SMALL, .first = make_cylinder_obstacle),
    RULE(obstacle, length, UNSET | NOT_POSITIVE | SMALL, .first = make_cylinder_obstacle),
    RULE(obstacle, edges, UNSET | INFINITE | LARGE | NOT_POSITIVE | SMALL, .count = 3, .first = make_box_obstacle),
    RULE(obstacle, motion, SPOILT, .first = let_obstacle_fail_to_move, .says = {"obstacle_def.motion", "fails"}),
    RULE(obstacle, user, ANY_VALUE),
    RULE(obstacle, modulus, UNSET | INFINITE | LARGE | NOT_POSITIVE | SMALL),
    RULE(obstacle, damping, AMOUNT),
    RULE(obstacle, friction, AMOUNT),
    RULE(obstacle, tangential_ratio, NUMBER | NOT_POSITIVE | SMALL),
    RULE(obstacle, tangential_damping, AMOUNT),
    RULE(obstacle, damping_ratio, AMOUNT),
    RULE(obstacle, tangential_damping_ratio, AMOUNT),
    RULE(obstacle, group, SPOILT, .first = name_no_obstacle_group, .says = {"obstacle_def.group", "-2"}),
};

static inline void forget_points(void *def) {
  elastica_obstacle_def *duct = def;
  duct->points = NULL;
}

static inline void forget_radii(void *def) {
  elastica_obstacle_def *duct = def;
  duct->radii = NULL;
}

static inline void forget_count(void *def) {
  elastica_obstacle_def *duct = def;
  duct->point_count = 1;
}

/* Setting the tube again must not change it, so these are refused by either call. */
static const field_rule duct_fields[] = {
    RULE(obstacle, points, SPOILT, .first = forget_points, .says = {"points"}),
    RULE(obstacle, radii, SPOILT, .first = forget_radii, .says = {"radii"}),
    RULE(obstacle, point_count, SPOILT, .first = forget_count, .says = {"point_count"}),
};

static inline void forget_triangles(void *def) {
  elastica_obstacle_def *mesh = def;
  mesh->triangles = NULL;
}

static inline void forget_triangle_count(void *def) {
  elastica_obstacle_def *mesh = def;
  mesh->triangle_count = 0;
}

static inline void change_thickness(void *def) {
  elastica_obstacle_def *mesh = def;
  mesh->thickness = -1.0;
}

static const field_rule mesh_fields[] = {
    RULE(obstacle, points, SPOILT, .first = forget_points, .says = {"points"}),
    RULE(obstacle, triangles, SPOILT, .first = forget_triangles, .says = {"triangles"}),
    RULE(obstacle, triangle_count, SPOILT, .first = forget_triangle_count, .says = {"triangles"}),
    RULE(obstacle, thickness, SPOILT, .first = change_thickness, .says = {"thickness"}),
    RULE(obstacle, fillet, UNSET | INFINITE | LARGE | NOT_POSITIVE),
};

#endif
