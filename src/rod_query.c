/* Questions to a rod between steps, and setting its state: energies, momenta, components on frames, state and rest strains.
 *
 * equation   translation sum m v^2/2, rotation sum omega . J omega/(2 e),
 *            bending sum Dhat (kappa - kappa0) . B (kappa - kappa0)/(2 E^3), shear sum lhat (sigma - sigma0) . S (sigma - sigma0)/2;
 *            classical law: e = E = 1
 *            angular momentum sum r x m v + sum Q^T J omega/e
 * source     Gazzola et al. 2018, section 2 of the appendix
 * test       tests/test_rod_query.c, tests/test_rod_set.c
 */
#include "base/target.h"

#include "rod.h"

#include "base/checks.h"
#include "base/elementary.h"
#include "world.h"

#include <math.h>
#include <string.h>

/* A sum in parts of 256 terms, added in order: rounding grows with the root of the parts, and the bits depend on nothing but the terms. */
enum { TERMS_PER_PART = 256 };

typedef struct sum {
  double whole, part;
  int terms;
} sum;

static void add(sum *to, double term) {
  to->part += term;
  if (++to->terms < TERMS_PER_PART) return;
  to->whole += to->part;
  to->part = 0.0;
  to->terms = 0;
}

static double value_of(const sum *of) {
  return of->whole + of->part;
}

static double square(const double *const lane[3], int i) {
  return lane[0][i] * lane[0][i] + lane[1][i] * lane[1][i] + lane[2][i] * lane[2][i];
}

/* (x - x0) . K (x - x0) for diagonal K. */
static double quadratic(const double *const x[3], const double *const x0[3], const double *const stiffness[3], int k) {
  double form = 0.0;
  for (int a = 0; a < 3; a++) form += stiffness[a][k] * ((x[a][k] - x0[a][k]) * (x[a][k] - x0[a][k]));
  return form;
}

/* The element before a joint; the one after it is the next. */
static int element_before(const elastica_rod_view *view, int joint) {
  return !view->closed ? joint : joint > 0 ? joint - 1 : view->element_count - 1;
}

static int element_after(const elastica_rod_view *view, int joint) {
  return view->closed ? joint : joint + 1;
}

const elastica_rod_view *elastica_rod_get_view(const elastica_rod *rod) {
  return rod != NULL ? &rod->view : NULL;
}

void elastica_rotate_to_material(const elastica_rod_view *rod, int j, const double laboratory[3], double material[3]) {
  const double x = laboratory[0], y = laboratory[1], z = laboratory[2];
  for (int a = 0; a < 3; a++) material[a] = rod->director[a][0][j] * x + rod->director[a][1][j] * y + rod->director[a][2][j] * z;
}

void elastica_rotate_to_laboratory(const elastica_rod_view *rod, int j, const double material[3], double laboratory[3]) {
  const double x = material[0], y = material[1], z = material[2];
  for (int a = 0; a < 3; a++) laboratory[a] = rod->director[0][a][j] * x + rod->director[1][a][j] * y + rod->director[2][a][j] * z;
}

double elastica_rod_radius(const elastica_rod_view *rod, int j) {
  return sqrt(rod->volume[j] / (ELI_PI * rod->length[j]));
}

/* ---- Energy ---- */

static double translation_energy(const elastica_rod_view *view) {
  sum twice = {0.0, 0.0, 0};
  for (int i = 0; i < view->node_count; i++) add(&twice, view->mass[i] * square(view->velocity, i));
  return 0.5 * value_of(&twice);
}

static double rotation_energy(const elastica_rod_view *view) {
  sum twice = {0.0, 0.0, 0};
  for (int j = 0; j < view->element_count; j++) {
    double form = 0.0;
    for (int a = 0; a < 3; a++) form += view->inertia[a][j] * (view->omega[a][j] * view->omega[a][j]);
    add(&twice, view->classical_law ? form : form / view->dilatation[j]);
  }
  return 0.5 * value_of(&twice);
}

static double bending_energy(const elastica_rod_view *view) {
  sum twice = {0.0, 0.0, 0};
  for (int k = 0; k < view->joint_count; k++) {
    const double rest = view->rest_joint_length[k];
    const double length = 0.5 * (view->length[element_before(view, k)] + view->length[element_after(view, k)]);
    const double dilatation = view->classical_law ? 1.0 : length / rest;
    const double form = quadratic(view->curvature, view->rest_curvature, view->bend_stiffness, k);
    add(&twice, form * rest / (dilatation * dilatation * dilatation));
  }
  return 0.5 * value_of(&twice);
}

static double shear_energy(const elastica_rod_view *view) {
  sum twice = {0.0, 0.0, 0};
  for (int j = 0; j < view->element_count; j++) {
    add(&twice, quadratic(view->strain, view->rest_strain, view->shear_stiffness, j) * view->rest_length[j]);
  }
  return 0.5 * value_of(&twice);
}

static elastica_status refuse_out(elastica_world *world, const char *function) {
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: out is NULL", function);
}

static int is_finite_energy(const elastica_energy *energy) {
  return eli_is_finite(energy->translation + energy->rotation + energy->bending + energy->shear + energy->effects);
}

/* Adds the energy of a rod whose derived lanes are filled. A failed world may be no number, and is told as it is. */
static elastica_status add_energy(const elastica_rod *rod, elastica_energy *all) {
  elastica_world *world = rod->world;
  elastica_energy one = {translation_energy(&rod->view), rotation_energy(&rod->view), bending_energy(&rod->view), shear_energy(&rod->view),
                         0.0};
  const int sound = is_finite_energy(&one), failed = world->failure != ELASTICA_OK;
  if (!sound && !failed) return elastica_world_refuse(world, ELASTICA_NOT_FINITE, "rod %d: its energy is not finite", rod->index);
  const elastica_status status = sound ? eli_rod_effect_energy(rod, &one.effects) : ELASTICA_OK;
  if (status != ELASTICA_OK) return status;
  all->translation += one.translation;
  all->rotation += one.rotation;
  all->bending += one.bending;
  all->shear += one.shear;
  all->effects += sound ? one.effects : eli_nan();
  return failed || is_finite_energy(all) ? ELASTICA_OK : elastica_world_refuse(world, ELASTICA_NOT_FINITE, "the energy is not finite");
}

elastica_status elastica_rod_get_energy(elastica_rod *rod, elastica_energy *out) {
  elastica_energy energy = {0.0, 0.0, 0.0, 0.0, 0.0};
  if (rod == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse_out(rod->world, "rod_get_energy");
  elastica_status status = elastica_rod_refresh(rod);
  if (status == ELASTICA_OK) status = add_energy(rod, &energy);
  if (status == ELASTICA_OK) *out = energy;
  return status;
}

/* Rod after rod, in their order: tiles are runs of rods. The lowest rod that fails is named. */
static elastica_status add_energies(elastica_world *world, size_t tile, elastica_energy *all) {
  const int first = world->slab.tiles[tile].first_rod, last = first + world->slab.tiles[tile].rod_count - 1;
  eli_tile_report report;
  elastica_status status = eli_tile_refresh(world, tile, NULL, &report);
  if (status != ELASTICA_OK) return status;
  for (int r = first; r <= last && status == ELASTICA_OK; r++)
    status =
        report.status != ELASTICA_OK && report.rod_index == r ? eli_world_refuse_hook(world, &report) : add_energy(world->rods[r], all);
  eli_tile_keep(world->rods[last]);
  if (report.status != ELASTICA_OK) eli_world_forget_refreshed(world);
  return status;
}

elastica_status elastica_world_get_energy(elastica_world *world, elastica_energy *out) {
  elastica_energy all = {0.0, 0.0, 0.0, 0.0, 0.0};
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse_out(world, "world_get_energy");
  elastica_status status = eli_world_check_open(world, "world_get_energy", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(world);
  for (size_t t = 0; t < world->slab.tile_count && status == ELASTICA_OK; t++) status = add_energies(world, t, &all);
  if (status == ELASTICA_OK) *out = all;
  return status;
}

/* ---- Momentum ---- */

typedef struct momentum_sums {
  sum mass, moment[3], linear[3], angular[3]; /* moment: sum m r */
} momentum_sums;

static void add_momentum(const elastica_rod_view *view, momentum_sums *sums) {
  for (int i = 0; i < view->node_count; i++) {
    const double m = view->mass[i], r[3] = {view->position[0][i], view->position[1][i], view->position[2][i]};
    const double p[3] = {m * view->velocity[0][i], m * view->velocity[1][i], m * view->velocity[2][i]};
    add(&sums->mass, m);
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      add(&sums->moment[a], m * r[a]);
      add(&sums->linear[a], p[a]);
      add(&sums->angular[a], r[b] * p[c] - r[c] * p[b]);
    }
  }
}

static void add_spin(const elastica_rod_view *view, momentum_sums *sums) {
  for (int j = 0; j < view->element_count; j++) {
    const double e = view->classical_law ? 1.0 : view->dilatation[j];
    double spin[3], turned[3];
    for (int a = 0; a < 3; a++) spin[a] = view->inertia[a][j] * view->omega[a][j] / e;
    elastica_rotate_to_laboratory(view, j, spin, turned);
    for (int a = 0; a < 3; a++) add(&sums->angular[a], turned[a]);
  }
}

static int is_finite_momentum(const elastica_momentum *momentum) {
  return eli_is_finite(momentum->mass) && eli_all_finite(momentum->centre, 3) && eli_all_finite(momentum->linear, 3) &&
         eli_all_finite(momentum->angular, 3);
}

/* A failed world may be no number, and is told as it is. */
static elastica_status answer(elastica_world *world, const elastica_momentum *momentum, elastica_momentum *out) {
  if (!is_finite_momentum(momentum) && world->failure == ELASTICA_OK)
    return elastica_world_refuse(world, ELASTICA_NOT_FINITE, "the momentum is not finite");
  *out = *momentum;
  return ELASTICA_OK;
}

static void rod_momentum(const elastica_rod *rod, elastica_momentum *out) {
  momentum_sums sums;
  memset(&sums, 0, sizeof sums);
  add_momentum(&rod->view, &sums);
  add_spin(&rod->view, &sums);
  out->mass = value_of(&sums.mass);
  for (int a = 0; a < 3; a++) {
    out->centre[a] = value_of(&sums.moment[a]) / out->mass;
    out->linear[a] = value_of(&sums.linear[a]);
    out->angular[a] = value_of(&sums.angular[a]);
  }
}

/* Masses that effects add are known once the world is prepared; inside hooks it is. */
elastica_status elastica_rod_get_momentum(elastica_rod *rod, elastica_momentum *out) {
  elastica_momentum momentum;
  if (rod == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse_out(rod->world, "rod_get_momentum");
  const elastica_status status = rod->world->in_hook ? ELASTICA_OK : eli_world_prepare(rod->world);
  if (status != ELASTICA_OK) return status;
  rod_momentum(rod, &momentum);
  return answer(rod->world, &momentum, out);
}

elastica_status elastica_world_get_momentum(elastica_world *world, elastica_momentum *out) {
  elastica_momentum all;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  if (out == NULL) return refuse_out(world, "world_get_momentum");
  elastica_status status = eli_world_check_open(world, "world_get_momentum", 0);
  if (status == ELASTICA_OK) status = eli_world_prepare(world);
  if (status != ELASTICA_OK) return status;
  memset(&all, 0, sizeof all);
  for (int k = 0; k < world->rod_count; k++) {
    elastica_momentum one;
    rod_momentum(world->rods[k], &one);
    all.mass += one.mass;
    for (int a = 0; a < 3; a++) {
      all.centre[a] += one.mass * one.centre[a];
      all.linear[a] += one.linear[a];
      all.angular[a] += one.angular[a];
    }
  }
  for (int a = 0; a < 3 && world->rod_count > 0; a++) all.centre[a] /= all.mass;
  return answer(world, &all, out);
}

/* ---- Setting ---- */

static elastica_status check_lengths(const elastica_rod *rod, const double *position) {
  const elastica_rod_view *view = &rod->view;
  for (int j = 0; position != NULL && j < view->element_count; j++) {
    const double *here = position + 3 * j, *next = position + (j + 1 < view->node_count ? 3 * (j + 1) : 0);
    const double x = next[0] - here[0], y = next[1] - here[1], z = next[2] - here[2];
    const double length = sqrt(x * x + y * y + z * z);
    if (!eli_is_finite(length)) {
      return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "set_state: position: element %d is too long", j);
    }
    if (length < ELI_SHORTEST_ELEMENT * view->rest_length[j]) {
      return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT,
                                   "set_state: position: element %d is shorter than %g of its rest length", j, ELI_SHORTEST_ELEMENT);
    }
  }
  return ELASTICA_OK;
}

static elastica_status check_directors(const elastica_rod *rod, const double *director) {
  const elastica_rod_view *view = &rod->view;
  if (director == NULL) return ELASTICA_OK;
  elastica_status status = eli_rod_check_frames(rod->world, "set_state: director", director, (size_t)view->element_count);
  for (int k = 0; k < view->joint_count && status == ELASTICA_OK; k++) {
    double turn[3];
    const double angle = eli_rod_joint_turn(director + 9 * element_before(view, k), director + 9 * element_after(view, k), turn);
    status = eli_rod_check_turn(rod->world, "set_state: director", k, angle, view->element_count);
  }
  return status;
}

/* Writes lanes first .. first + width - 1 of the rod from slot on, width numbers each for count slots; NULL keeps what is there. */
static void write_lanes(elastica_rod *rod, int first, int width, size_t slot, const double *values, int count) {
  if (values == NULL) return;
  for (int a = 0; a < width; a++) {
    double *lane = rod->world->slab.lane[first + a] + rod->offset + slot;
    for (int i = 0; i < count; i++) lane[i] = values[width * i + a];
  }
  if (rod->closed) eli_rod_close_lanes(rod, first, width);
}

elastica_status elastica_rod_set_state(elastica_rod *rod, const double *position, const double *velocity, const double *director,
                                       const double *omega) {
  if (rod == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = rod->world;
  const int nodes = rod->view.node_count, elements = rod->view.element_count;
  const char *prefix = "set_state: ";
  elastica_status status = eli_world_check_open(world, "set_state", 0);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, prefix, "position", position, 3 * (size_t)nodes, ELI_FINITE);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, prefix, "velocity", velocity, 3 * (size_t)nodes, ELI_MODERATE);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, prefix, "director", director, 9 * (size_t)elements, ELI_FINITE);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, prefix, "omega", omega, 3 * (size_t)elements, ELI_MODERATE);
  if (status == ELASTICA_OK) status = check_lengths(rod, position);
  if (status == ELASTICA_OK) status = check_directors(rod, director);
  if (status != ELASTICA_OK) return status;
  write_lanes(rod, ELI_POSITION, 3, 0, position, nodes);
  write_lanes(rod, ELI_VELOCITY, 3, 0, velocity, nodes);
  write_lanes(rod, ELI_DIRECTOR, 9, 0, director, elements);
  write_lanes(rod, ELI_OMEGA, 3, 0, omega, elements);
  eli_world_touch(world);
  eli_tile_measure(world, rod->tile);
  eli_world_heal(rod,
                 (position != NULL ? 1u : 0u) | (velocity != NULL ? 2u : 0u) | (director != NULL ? 4u : 0u) | (omega != NULL ? 8u : 0u));
  return ELASTICA_OK;
}

elastica_status elastica_rod_set_rest(elastica_rod *rod, const double *rest_curvature, const double *rest_strain) {
  if (rod == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_world *world = rod->world;
  const elastica_rod_view *view = &rod->view;
  const size_t joints = (size_t)view->joint_count, elements = (size_t)view->element_count;
  elastica_status status = eli_world_check_open(world, "set_rest", 1);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, "set_rest: ", "rest_curvature", rest_curvature, 3 * joints, ELI_FINITE);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, "set_rest: ", "rest_strain", rest_strain, 3 * elements, ELI_MODERATE);
  for (int k = 0; rest_curvature != NULL && k < view->joint_count && status == ELASTICA_OK; k++) {
    const double *kappa = rest_curvature + 3 * k;
    const double angle = sqrt(kappa[0] * kappa[0] + kappa[1] * kappa[1] + kappa[2] * kappa[2]) * view->rest_joint_length[k];
    status = eli_rod_check_turn(world, "set_rest: rest_curvature", k, angle, view->element_count);
  }
  if (status != ELASTICA_OK) return status;
  write_lanes(rod, ELI_REST_CURVATURE, 3, rod->closed ? 0 : 1, rest_curvature, view->joint_count);
  write_lanes(rod, ELI_REST_STRAIN, 3, 0, rest_strain, view->element_count);
  eli_world_touch(world);
  return ELASTICA_OK;
}
