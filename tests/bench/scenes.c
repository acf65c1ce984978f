/* The scenes: bare rods, alone and in numbers, and rods with the effects of the papers' cases. */
#include "scenes.h"

/* ---- Bare rods (bare.c) ---- */

static elastica_status passive(elastica_world *world, int elements, double *dt) {
  (void)dt;
  return bench_add_bare(world, 1, elements, 1.0);
}

/* Elliptic sections, J1 = J2/4. */
static elastica_status elliptic(elastica_world *world, int elements, double *dt) {
  (void)dt;
  return bench_add_bare(world, 1, elements, 0.5);
}

static elastica_status many_rods(elastica_world *world, int elements, double *dt) {
  (void)dt;
  return bench_add_bare(world, elements / 100, 100, 1.0);
}

static elastica_status many_short(elastica_world *world, int elements, double *dt) {
  (void)dt;
  return bench_add_bare(world, elements / 10, 10, 1.0);
}

/* The rods of many_short as a chain: a ball joint connects the end of each rod with the start of the next, so soft that the rods move as
 * they do alone. The cost of a joint is the difference to many_met. */
static elastica_status joints(elastica_world *world, int elements, double *dt) {
  elastica_status status = many_short(world, elements, dt);
  for (int r = 1; r < elements / 10 && status == ELASTICA_OK; r++) {
    elastica_joint_def joint;
    elastica_joint_def_init(&joint, sizeof joint);
    joint.first.rod = elastica_world_rod(world, r - 1), joint.second.rod = elastica_world_rod(world, r);
    joint.first.element = -1, joint.first.share = 1.0;
    joint.stiffness = 1e-3;
    status = elastica_add_joint(world, &joint, NULL);
  }
  return status;
}

static elastica_status add_nothing(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  (void)self, (void)now, (void)loads;
  return ELASTICA_OK;
}

/* The rods of many_short with an empty pair phase: the cost of synchronising the rods in the middle of a step. */
static elastica_status many_met(elastica_world *world, int elements, double *dt) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "nothing";
  module.add_world_loads = add_nothing;
  module.needs_derived = module.needs_geometry = 0;
  module.parallel_safe = 1;
  const elastica_status status = many_short(world, elements, dt);
  return status == ELASTICA_OK ? elastica_world_add_module(world, NULL, &module, NULL) : status;
}

/* One bare rod with self-contact and no near pairs: the cost of the search for pairs. */
static elastica_status self_contact(elastica_world *world, int elements, double *dt) {
  elastica_contact_def layer;
  elastica_contact_def_init(&layer, sizeof layer);
  layer.modulus = 1e5;
  const elastica_status status = passive(world, elements, dt);
  return status == ELASTICA_OK ? elastica_add_contact(world, elastica_world_rod(world, 0), &layer, NULL) : status;
}

/* One bare rod with a clamp: the cost of the hooks of a small effect. */
static elastica_status clamped(elastica_world *world, int elements, double *dt) {
  elastica_boundary_def clamp;
  elastica_boundary_def_init(&clamp, sizeof clamp);
  const elastica_status status = passive(world, elements, dt);
  return status == ELASTICA_OK ? elastica_add_boundary(world, elastica_world_rod(world, 0), &clamp, NULL) : status;
}

/* The many rods of 100 elements with gravity and drag, above a floor out of reach. */
static elastica_status many_loaded(elastica_world *world, int elements, double *dt) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_drag_def drag;
  elastica_obstacle_def wall;
  elastica_drag_def_init(&drag, sizeof drag);
  elastica_obstacle_def_init(&wall, sizeof wall);
  drag.viscosity = 10.0;
  wall.stiffness = 1.0;
  wall.position[2] = -1e6;
  elastica_status status = many_rods(world, elements, dt);
  if (status == ELASTICA_OK) status = elastica_add_gravity(world, gravity, NULL);
  for (int r = 0; r < elastica_world_get(world).rod_count && status == ELASTICA_OK; r++)
    status = elastica_add_drag(world, elastica_world_rod(world, r), &drag, NULL);
  return status == ELASTICA_OK ? elastica_add_obstacle(world, NULL, &wall, NULL) : status;
}

/* ---- Rods of published cases ---- */

/* A cantilever: half-cell clamp, tip force, dissipation. */
static elastica_status loaded(elastica_world *world, int elements, double *dt) {
  elastica_rod_def def;
  elastica_boundary_def clamp;
  elastica_point_load_def load;
  elastica_dissipation_def dissipation;
  elastica_rod *rod = NULL;
  (void)dt;
  elastica_rod_def_init(&def, sizeof def);
  elastica_boundary_def_init(&clamp, sizeof clamp);
  elastica_point_load_def_init(&load, sizeof load);
  elastica_dissipation_def_init(&dissipation, sizeof dissipation);
  def.element_count = elements;
  def.length = 3.0;
  def.radius = 0.25;
  def.density = 5000.0;
  def.youngs_modulus = 1e6;
  def.shear_modulus = 1e4;
  load.force[0] = -15.0;
  dissipation.translation = 1200.0;
  dissipation.rotation = 10.0;
  elastica_status status = elastica_world_add_rod(world, &def, &rod);
  if (status == ELASTICA_OK) status = elastica_add_boundary(world, rod, &clamp, NULL);
  if (status == ELASTICA_OK) status = elastica_add_point_load(world, rod, &load, NULL);
  if (status == ELASTICA_OK) status = elastica_add_dissipation(world, rod, &dissipation, NULL);
  return status;
}

/* The cantilever with gravity. */
static elastica_status long_loaded(elastica_world *world, int elements, double *dt) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  const elastica_status status = loaded(world, elements, dt);
  return status == ELASTICA_OK ? elastica_add_gravity(world, gravity, NULL) : status;
}

/* The papers' snake: muscles, gravity, a wall with anisotropic friction, dissipation. */
static elastica_status slithering(elastica_world *world, int elements, double *dt) {
  const double gravity[3] = {0.0, 0.0, -9.81}, control[6] = {0.0, 17.4, 48.5, 5.4, 14.7, 0.0};
  const double kinetic[3] = {1.019368, 1.529052, 2.038736};
  elastica_rod_def def;
  elastica_muscle_def muscle;
  elastica_obstacle_def wall;
  elastica_dissipation_def dissipation;
  elastica_rod *rod = NULL;
  elastica_rod_def_init(&def, sizeof def);
  elastica_muscle_def_init(&muscle, sizeof muscle);
  elastica_obstacle_def_init(&wall, sizeof wall);
  wall.balance = ELASTICA_BALANCE_ELEMENTS;
  elastica_dissipation_def_init(&dissipation, sizeof dissipation);
  *dt = 1e-3 / elements; /* as the authors' program: 1e-5 s at 100 elements */
  def.element_count = elements;
  def.length = 1.0;
  def.radius = 0.025;
  def.start[2] = 0.025;
  def.direction[0] = 1.0, def.direction[2] = 0.0;
  def.normal[0] = 0.0, def.normal[1] = 0.0, def.normal[2] = 1.0;
  def.density = 1000.0;
  def.youngs_modulus = 1e7;
  def.shear_modulus = 2e7 / 3.0;
  muscle.control = control;
  muscle.control_count = 6;
  muscle.period = 1.0;
  muscle.wavenumber = 2.0 * 3.14159265358979324 / 0.97;
  muscle.ramp_time = 1.0;
  wall.stiffness = 1.0;
  wall.damping = 1e-6;
  wall.slip_velocity = 1e-8;
  for (int a = 0; a < 3; a++) wall.kinetic_friction[a] = kinetic[a], wall.static_friction[a] = 2.0 * kinetic[a];
  dissipation.translation = dissipation.rotation = 5.0;
  elastica_status status = elastica_world_add_rod(world, &def, &rod);
  if (status == ELASTICA_OK) status = elastica_add_gravity(world, gravity, NULL);
  if (status == ELASTICA_OK) status = elastica_add_muscle(world, rod, &muscle, NULL);
  if (status == ELASTICA_OK) status = elastica_add_dissipation(world, rod, &dissipation, NULL);
  if (status == ELASTICA_OK) status = elastica_add_obstacle(world, rod, &wall, NULL);
  return status;
}

/* ---- Crowds: rods of 10 elements ---- */

enum { IN_CROWD = 10 };

static elastica_status activate(elastica_effect *muscle, elastica_rod *rod, double couple) {
  const double control[4] = {0.0, couple, couple, 0.0};
  elastica_muscle_def def;
  elastica_muscle_def_init(&def, sizeof def);
  def.control = control;
  def.control_count = 4;
  def.period = 1.0;
  return muscle != NULL ? elastica_muscle_set(muscle, &def) : elastica_add_muscle(elastica_rod_get_view(rod)->world, rod, &def, NULL);
}

static elastica_status add_crowd(elastica_world *world, int elements) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  elastica_rod_def def;
  elastica_status status = elastica_add_gravity(world, gravity, NULL);
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = IN_CROWD;
  def.length = 1.0;
  def.radius = 0.02;
  def.density = 1000.0;
  def.youngs_modulus = 1e6;
  for (int r = 0; r < elements / IN_CROWD && status == ELASTICA_OK; r++) {
    def.start[0] = r;
    status = elastica_world_add_rod(world, &def, NULL);
  }
  return status;
}

/* Crowd of rods; one of them has a muscle. */
static elastica_status crowd(elastica_world *world, int elements, double *dt) {
  (void)dt;
  const elastica_status status = add_crowd(world, elements);
  return status == ELASTICA_OK ? activate(NULL, elastica_world_rod(world, 0), 1e-3) : status;
}

/* Crowd of rods; each has a muscle. */
static elastica_status muscles(elastica_world *world, int elements, double *dt) {
  (void)dt;
  elastica_status status = add_crowd(world, elements);
  for (int r = 0; r < elements / IN_CROWD && status == ELASTICA_OK; r++) status = activate(NULL, elastica_world_rod(world, r), 1e-3);
  return status;
}

/* Sets a new activation of one muscle; effect 0 is gravity. */
static elastica_status activate_one(elastica_world *world, long step) {
  elastica_effect *muscle = elastica_world_effect(world, 1 + (int)(step % (elastica_world_get(world).effect_count - 1)));
  return activate(muscle, NULL, 1e-3 * (double)(1 + step % 3));
}

static elastica_status change_nothing(elastica_world *world, long step) {
  (void)world, (void)step;
  return ELASTICA_OK;
}

const bench_scene bench_scenes[] = {
    {"passive", {20, 50, 100, 400, 1600, 10000, 100000}, passive, NULL, 1, 0},
    {"elliptic", {20, 100, 1600}, elliptic, NULL, 1, 0},
    {"clamped", {20, 100}, clamped, NULL, 1, 0},
    {"loaded", {20, 50, 100, 400, 1600, 10000, 100000}, loaded, NULL, 1, 0},
    {"loaded_rescaled", {20, 50, 100, 400, 1600, 10000, 100000}, loaded, NULL, 1, 1},
    {"slithering", {50, 100, 200, 1600}, slithering, NULL, 1, 0},
    {"self_contact", {100, 1600, 10000}, self_contact, NULL, 1, 0},
    {"many_rods", {1000, 10000, 100000, 1000000}, many_rods, NULL, 100, 0},
    {"many_loaded", {1000, 10000, 100000}, many_loaded, NULL, 100, 0},
    {"many_short", {10000}, many_short, NULL, 10, 0},
    {"many_met", {640, 10000}, many_met, NULL, 10, 0},
    {"joints", {640, 10000}, joints, NULL, 10, 0},
    {"crossing", {200}, bench_fill_crossing, NULL, 2, 0},
    {"pack", {3000, 30000, 300000}, bench_fill_pack, NULL, 30, 0},
    {"yarn", {600, 6000}, bench_fill_yarn, NULL, 30, 0},
    {"long_rod", {100000}, passive, NULL, 1, 0},
    {"long_loaded", {20000, 100000}, long_loaded, NULL, 1, 0},
    {"crowd", {100000}, crowd, change_nothing, 10, 0},
    {"crowd_activated", {100000}, crowd, activate_one, 10, 0},
    {"muscles", {100000}, muscles, change_nothing, 10, 0},
    {"muscles_activated", {100000}, muscles, activate_one, 10, 0},
};
const int bench_scene_count = sizeof bench_scenes / sizeof bench_scenes[0];
