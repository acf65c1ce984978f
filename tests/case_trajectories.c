/* The five reference trajectories: the library reproduces an independent implementation of the model, quantity by quantity at the initial
 * state and state by state along the run.
 */
#include "support.h"

#include "reference/trajectory.h"
#include "kicked.h"

static const trajectory free_explicit =
#include "reference/traj_A.inc"
    ;
static const trajectory free_midpoint =
#include "reference/traj_B.inc"
    ;
static const trajectory damped_explicit =
#include "reference/traj_C.inc"
    ;
static const trajectory clamped_loaded =
#include "reference/traj_D.inc"
    ;
static const trajectory classical_exact =
#include "reference/traj_E.inc"
    ;

/* ---- The damping of trajectory C: the papers' (4.1), at the old velocities ----------------------------------------------------------- */

typedef struct old_velocity_damping {
  double translation; /* gamma [kg/(m s)] */
  double rotation;    /* gamma_r [kg m/s] */
} old_velocity_damping;

static elastica_status add_damping_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const old_velocity_damping *damping = self;
  (void)now;
  for (int a = 0; a < 3; a++) {
    for (int j = 0; j < rod->element_count; j++) {
      const double share = 0.5 * damping->translation * rod->length[j];
      loads->force[a][j] -= share * rod->velocity[a][j];
      loads->force[a][j + 1] -= share * rod->velocity[a][j + 1];
      loads->couple[a][j] -= damping->rotation * rod->length[j] * rod->omega[a][j];
    }
  }
  return ELASTICA_OK;
}

static void add_old_velocity_damping(elastica_world *world, const trajectory *reference) {
  const old_velocity_damping damping = {reference->translation_damping, reference->rotation_damping};
  elastica_module module = module_named("old_velocity_damping");
  module.self = &damping;
  module.self_size = sizeof damping;
  module.add_loads = add_damping_loads;
  must(world, elastica_world_add_module(world, NULL, &module, NULL));
}

/* ---- A world like the reference's ---------------------------------------------------------------------------------------------------- */

typedef struct fixture {
  const trajectory *reference;
  elastica_world *world;
  elastica_rod *rod;
} fixture;

static void add_reference_rod(fixture *f) {
  const trajectory *reference = f->reference;
  double radius[TRAJECTORY_ELEMENTS];
  DEFAULTS(rod, def);
  for (int j = 0; j < reference->element_count; j++) radius[j] = sqrt(reference->area[j] / 3.14159265358979324);
  def.element_count = reference->element_count;
  def.position = reference->position;
  def.velocity = reference->velocity;
  def.director = reference->director;
  def.omega = reference->omega;
  def.rest_length = reference->rest_length;
  def.rest_curvature = reference->rest_curvature;
  def.rest_strain = reference->rest_strain;
  def.element_radius = radius;
  def.density = reference->density;
  def.youngs_modulus = reference->youngs_modulus;
  def.shear_modulus = reference->shear_modulus;
  def.shear_factor = reference->shear_factor;
  must(f->world, elastica_world_add_rod(f->world, &def, &f->rod));
}

static void add_clamp_and_end_load(fixture *f) {
  DEFAULTS(boundary, clamp);
  clamp.kind = ELASTICA_BOUNDARY_FRAME;
  must(f->world, elastica_add_boundary(f->world, f->rod, &clamp, NULL));
  DEFAULTS(point_load, load);
  memcpy(load.force, f->reference->end_force, sizeof load.force);
  memcpy(load.couple, f->reference->end_couple, sizeof load.couple);
  must(f->world, elastica_add_point_load(f->world, f->rod, &load, NULL));
}

static void make_fixture(fixture *f, const trajectory *reference) {
  elastica_world_def def = default_world();
  f->reference = reference;
  def.law = reference->law;
  def.exact_couple = reference->exact_couple;
  def.explicit_couples = reference->explicit_couples;
  f->world = make_world(&def);
  add_reference_rod(f);
  if (norm(reference->gravity) > 0.0) must(f->world, elastica_add_gravity(f->world, reference->gravity, NULL));
  if (reference->translation_damping > 0.0) add_old_velocity_damping(f->world, reference);
  if (reference->clamped) add_clamp_and_end_load(f);
}

/* ---- Comparison ---------------------------------------------------------------------------------------------------------------------- */

/* Largest difference between count vectors of a view, one lane per component, and an array with components innermost, over the largest
 * entry of the array. */
static double relative_difference(const double *const *lane, int lanes, const double *expected, int count) {
  double worst = 0.0, largest = 0.0;
  for (int i = 0; i < count; i++) {
    for (int a = 0; a < lanes; a++) {
      const double x = expected[lanes * i + a], difference = fabs(lane[a][i] - x);
      largest = fabs(x) > largest ? fabs(x) : largest;
      if (!(difference <= worst)) worst = difference;
    }
  }
  return worst == 0.0 ? 0.0 : worst / largest;
}

#define assert_lane(lane, expected, count)                                                                                                 \
  do {                                                                                                                                     \
    const double *const lanes_[1] = {lane};                                                                                                \
    claim_close(relative_difference(lanes_, 1, expected, count), 0.0, 1e-12, "difference of " #lane, "none", __FILE__, __LINE__);          \
  } while (0)

#define assert_lanes(lanes, expected, count)                                                                                               \
  claim_close(relative_difference(lanes, 3, expected, count), 0.0, 1e-12, "difference of " #lanes, "none", __FILE__, __LINE__)

static void assert_energy_and_momentum(const fixture *f, const trajectory_energy *energy, const double linear[3], const double angular[3],
                                       double tolerance) {
  elastica_totals ours;
  must(f->world, elastica_world_get_totals(f->world, &ours));
  assert_close(ours.translation, energy->translation, tolerance * fabs(energy->translation));
  assert_close(ours.rotation, energy->rotation, tolerance * fabs(energy->rotation));
  assert_close(ours.bending, energy->bending, tolerance * fabs(energy->bending));
  assert_close(ours.shear, energy->shear, tolerance * fabs(energy->shear));
  if (!f->reference->clamped) assert_close(ours.effects, energy->effects, tolerance * fabs(energy->effects));
  assert_all_close(ours.linear, linear, 3, tolerance * norm(linear));
  assert_all_close(ours.angular, angular, 3, tolerance * norm(angular));
}

static void assert_constants(const elastica_rod_view *view, const trajectory_start *start) {
  const int n = view->element_count;
  assert_lane(view->mass, start->mass, n + 1);
  assert_lanes(view->inertia, start->inertia, n);
  assert_lanes(view->shear_stiffness, start->shear_stiffness, n);
  assert_lanes(view->element_bend_stiffness, start->element_bend_stiffness, n);
  assert_lanes(view->bend_stiffness, start->bend_stiffness, n - 1);
  assert_lane(view->rest_joint_length, start->rest_joint_length, n - 1);
}

static void assert_geometry(const elastica_rod_view *view, const trajectory_start *start) {
  const int n = view->element_count;
  double tangent[3][TRAJECTORY_ELEMENTS];
  const double *const material_tangent[3] = {tangent[0], tangent[1], tangent[2]};
  for (int j = 0; j < n; j++) {
    const double laboratory[3] = {view->tangent[0][j], view->tangent[1][j], view->tangent[2][j]};
    double material[3];
    elastica_rotate_to_material(view, j, laboratory, material);
    for (int a = 0; a < 3; a++) tangent[a][j] = material[a];
  }
  assert_lane(view->length, start->length, n);
  assert_lane(view->dilatation, start->dilatation, n);
  assert_lanes(material_tangent, start->material_tangent, n);
}

static void assert_derived(const elastica_rod_view *view, const trajectory_start *start) {
  const int n = view->element_count;
  assert_lanes(view->strain, start->strain, n);
  assert_lanes(view->curvature, start->curvature, n - 1);
  assert_lanes(view->force, start->force, n);
  assert_lanes(view->couple, start->couple, n - 1);
  assert_lanes(view->internal_force, start->internal_force, n + 1);
  assert_lanes(view->internal_couple, start->internal_couple, n);
}

/* Compares the accelerations of all forces: the kick alone, over the step. Entries of held nodes and frames are not compared. */
static void assert_accelerations(fixture *f) {
  const trajectory *reference = f->reference;
  const int n = reference->element_count, first = reference->clamped ? 1 : 0;
  rod_state before, after;
  double nodes[3 * TRAJECTORY_NODES], elements[3 * TRAJECTORY_ELEMENTS];
  double largest_node = 0.0, largest_element = 0.0;
  read_state(f->rod, &before);
  must(f->world, kick_world(f->world, reference->dt));
  read_state(f->rod, &after);
  for (int i = 0; i < 3 * (n + 1); i++) {
    nodes[i] = (after.velocity[i] - before.velocity[i]) / reference->dt;
    largest_node = fmax(largest_node, fabs(reference->at_start.acceleration[i]));
  }
  for (int i = 0; i < 3 * n; i++) {
    elements[i] = (after.omega[i] - before.omega[i]) / reference->dt;
    largest_element = fmax(largest_element, fabs(reference->at_start.spin_acceleration[i]));
  }
  assert_all_close(nodes + 3 * first, reference->at_start.acceleration + 3 * first, 3 * (n + 1 - first), 1e-12 * largest_node);
  assert_all_close(elements + 3 * first, reference->at_start.spin_acceleration + 3 * first, 3 * (n - first), 1e-12 * largest_element);
}

/* ---- Claims -------------------------------------------------------------------------------------------------------------------------- */

TEST(quantities_at_the_start_agree) {
  const trajectory *all[5] = {&free_explicit, &free_midpoint, &damped_explicit, &clamped_loaded, &classical_exact};
  for (int k = 0; k < 5; k++) {
    fixture f;
    make_fixture(&f, all[k]);
    const elastica_rod_view *view = elastica_rod_get_view(f.rod);
    const trajectory_start *start = &all[k]->at_start;
    must(f.world, elastica_rod_refresh(f.rod));
    assert_constants(view, start);
    assert_geometry(view, start);
    assert_derived(view, start);
    assert_energy_and_momentum(&f, &start->energy, start->linear, start->angular, 1e-12);
    assert_accelerations(&f);
    elastica_world_destroy(f.world);
  }
}

static void assert_trajectory(const trajectory *reference) {
  fixture f;
  rod_state now;
  const int n = reference->element_count;
  make_fixture(&f, reference);
  for (int k = 0; k < TRAJECTORY_SNAPSHOTS; k++) {
    const trajectory_snapshot *snapshot = &reference->snapshot[k];
    must(f.world, elastica_world_step(f.world, reference->dt, snapshot->step - elastica_world_get(f.world).step_count));
    read_state(f.rod, &now);
    assert_close(elastica_world_get(f.world).time, snapshot->time, 1e-14);
    assert_all_close(now.position, snapshot->position, 3 * (n + 1), 1e-12);
    assert_all_close(now.director, snapshot->director, 9 * n, 1e-12);
    assert_all_close(now.velocity, snapshot->velocity, 3 * (n + 1), 1e-10);
    assert_all_close(now.omega, snapshot->omega, 3 * n, 1e-10);
    assert_energy_and_momentum(&f, &snapshot->energy, snapshot->linear, snapshot->angular, 1e-10);
  }
  elastica_world_destroy(f.world);
}

TEST(free_rod_with_couples_at_old_velocities) {
  assert_trajectory(&free_explicit);
}

TEST(free_rod_with_couples_at_the_midpoint) {
  assert_trajectory(&free_midpoint);
}

TEST(heavy_rod_damped_at_old_velocities) {
  assert_trajectory(&damped_explicit);
}

TEST(clamped_rod_with_end_force_and_couple) {
  assert_trajectory(&clamped_loaded);
}

TEST(free_rod_of_classical_law_and_exact_couple) {
  assert_trajectory(&classical_exact);
}
