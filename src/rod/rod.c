/* A rod in its world: the lanes of its constants and of its geometry, its slots in the slab, adding, removing, and setting its state.
 *
 * equation   l, t, e (3.3) from the positions of nodes; the formulas are in kernels/kinematics.inl
 * source     Gazzola et al. 2018
 * test       tests/test_rod.c, tests/test_rod_set.c
 */
#include "base/target.h"

#include <math.h>

#include "base/record.h"
#include "rod/rod_data.h"
#include "state/definition.h"

/* ---- Lanes prepared for the kernels ---- */

/* Factors of the material laws that depend only on constants (kernels/stretch.inl, bend.inl, kick.inl). They are computed again when a
 * constant of a rod of the tile has changed. */
static void prepare_elements(const eli_tile *tile, double *const *lane) {
  const double *per_length = lane[ELI_INVERSE_REST_LENGTH];
  for (int a = 0; a < 3; a++) {
    const double *S = lane[ELI_SHEAR_STIFFNESS + a], *sigma0 = lane[ELI_REST_STRAIN + a];
    double *per_l0 = lane[ELI_STIFFNESS_PER_LENGTH + a], *rest = lane[ELI_REST_STRESS + a];
    for (size_t j = 0; j < tile->count; j++) {
      const int element = per_length[j] > 0.0;
      per_l0[j] = element ? eli_stiffness_per_length(S[j], per_length[j]) : 0.0;
      rest[j] = element ? eli_rest_stress(S[j], sigma0[j], a) : 0.0;
    }
  }
  for (size_t j = 0; j < tile->count; j++) /* a rigid body has inertia and no element */
    lane[ELI_FLATNESS][j] = lane[ELI_INVERSE_INERTIA][j] > 0.0 ? lane[ELI_INERTIA + 2][j] * lane[ELI_INVERSE_INERTIA][j] - 1.0 : 0.0;
}

static void prepare_joints(const eli_tile *tile, double *const *lane) {
  const double *per_length = lane[ELI_INVERSE_REST_JOINT_LENGTH];
  for (int a = 0; a < 3; a++) {
    const double *B = lane[ELI_BEND + a], *kappa0 = lane[ELI_REST_CURVATURE + a];
    double *per_half = lane[ELI_BEND_PER_HALF_ANGLE + a], *rest = lane[ELI_REST_COUPLE + a];
    for (size_t k = 0; k < tile->count; k++) {
      const int joint = per_length[k] > 0.0;
      per_half[k] = joint ? eli_bend_per_half_angle(B[k], per_length[k]) : 0.0;
      rest[k] = joint ? eli_rest_couple(B[k], kappa0[k]) : 0.0;
    }
  }
}

void eli_tile_prepare_lanes(const eli_tile *tile) {
  prepare_elements(tile, tile->lane);
  prepare_joints(tile, tile->lane);
}

/* ---- Geometry ---- */

void eli_tile_close_geometry(elastica_world *world, const eli_tile *tile) {
  double *const *lane = world->bodies.slab.lane;
  ELI_EACH_ROD(rod, world, tile) {
    if (rod->closed) lane[ELI_LENGTH][rod->offset + (size_t)rod->element_count] = lane[ELI_LENGTH][rod->offset];
  }
}

void eli_tile_aim_tangents(const eli_tile *tile) {
  for (int a = 0; a < 3; a++)
    for (size_t j = 0; j < tile->count; j++)
      tile->lane[ELI_TANGENT + a][j] = tile->lane[ELI_INVERSE_INERTIA][j] > 0.0 ? tile->lane[ELI_DIRECTOR + 6 + a][j] : 0.0;
}

void eli_tile_update_geometry(elastica_world *world, size_t t) {
  eli_tile *tile = &world->bodies.slab.tiles[t];
  for (int k = 0; k < ELI_LANE_COUNT; k++) tile->lane[k] = world->bodies.slab.lane[k] + tile->begin;
  if (tile->rigid) {
    eli_tile_aim_tangents(tile);
    return;
  }
  const eli_sweep sweep = eli_tile_sweep(tile, NULL);
  world->kernels->geometry(&sweep);
  if (tile->closed) eli_tile_close_geometry(world, tile);
}

/* ---- Lanes of a definition ---- */

/* Copies count vectors of width numbers into width lanes. */
static void scatter(double *const *lane, int first, size_t offset, const double *values, size_t count, int width) {
  for (int a = 0; a < width; a++)
    for (size_t i = 0; i < count; i++) lane[first + a][offset + i] = values[i * (size_t)width + (size_t)a];
}

/* Lanes without data in the definition keep their neutral values. */
static void fill_rod(elastica_rod *rod, eli_rod_data *data) {
  double *const *lane = rod->world->bodies.slab.lane;
  const size_t n = (size_t)data->element_count, first = data->closed ? 0 : 1, end = data->closed ? n + 1 : n;
  for (const eli_rod_array *of = eli_rod_arrays; of < eli_rod_arrays + ELI_ROD_ARRAY_COUNT; of++) {
    const int joints = of->place == ELI_AT_JOINT;
    const size_t from = joints ? first : 0, to = joints ? end : eli_rod_array_count(data, of);
    scatter(lane, of->lane, rod->offset + from, *eli_rod_array_of(data, of) + from * (size_t)of->width, to - from, of->width);
  }
  for (size_t j = rod->offset; j < rod->offset + n; j++) {
    lane[ELI_INVERSE_REST_LENGTH][j] = 1.0 / lane[ELI_REST_LENGTH][j];
    lane[ELI_INVERSE_INERTIA][j] = 1.0 / lane[ELI_INERTIA][j];
    lane[ELI_INVERSE_INERTIA + 1][j] = 1.0 / lane[ELI_INERTIA + 2][j];
  }
  for (size_t k = 1; k < end; k++) lane[ELI_INVERSE_REST_JOINT_LENGTH][rod->offset + k] = 1.0 / data->rest_joint_length[k];
  if (!rod->closed) return;
  eli_rod_close_lanes(rod, ELI_POSITION, 3);
  eli_rod_close_lanes(rod, ELI_VELOCITY, 3);
  eli_rod_close_lanes(rod, ELI_DIRECTOR, 9);
  eli_rod_close_lanes(rod, ELI_OMEGA, 3);
}

/* ---- Checksums of the constants ---- */

/* The checksum of the shape of a rigid body takes the place of that of its stiffness, which a rigid body does not have. */
static uint64_t sum_of_shape(const eli_solid *solid) {
  const elastica_body_def *def = &solid->def;
  const double numbers[6] = {(double)def->shape, def->radius, def->length, def->edges[0], def->edges[1], def->edges[2]};
  return eli_sum_of_doubles(eli_sum_of_doubles(0, numbers, 6), solid->axes, 9);
}

/* Computes the checksums of the constants of a rod with filled slots. */
static void sum_constants(elastica_rod *rod) {
  uint64_t *made = rod->body->made;
  for (int g = 0; g < ELI_LANE_GROUPS; g++) {
    const eli_lane_group *of = &eli_lane_groups[g];
    if (of->constant == NULL) continue;
    *made = 0;
    for (int a = 0; a < of->width; a++)
      *made = eli_sum_of_doubles(*made, rod->world->bodies.slab.lane[of->first + a] + rod->offset, (size_t)rod->element_count);
    if (eli_is_rigid(rod) && of->first == ELI_SHEAR_STIFFNESS) *made = sum_of_shape(rod->body->solid);
    made++;
  }
}

/* ---- Placement ---- */

/* A rod has its place in the lists of the world and of its tile, and in the slab. Holes in the slab are filled first. */

static size_t end_of(const elastica_rod *rod) {
  return rod->offset + rod->body->slots;
}

/* Returns the hole after a rod; for rod NULL, the hole at the front of the tile. */
static eli_hole *hole_after(eli_tile *tile, elastica_rod *rod) {
  return rod != NULL ? &rod->body->hole : &tile->front;
}

static void link_in_memory(eli_tile *tile, elastica_rod *rod, elastica_rod *below) {
  rod->body->below = below;
  rod->body->above = below != NULL ? below->body->above : tile->lowest;
  *(below != NULL ? &below->body->above : &tile->lowest) = rod;
  *(rod->body->above != NULL ? &rod->body->above->body->below : &tile->highest) = rod;
}

/* The new rod has the highest index in the tile. */
static void append_to_tile(eli_tile *tile, elastica_rod *rod) {
  rod->body->previous_in_tile = tile->last_rod;
  *(tile->last_rod != NULL ? &tile->last_rod->body->next_in_tile : &tile->first_rod) = rod;
  tile->last_rod = rod;
  tile->rod_count++;
  tile->closed |= rod->closed;
  tile->not_circular |= rod->body->not_circular;
}

static void append_to_world(elastica_world *world, elastica_rod *rod) {
  rod->body->previous = world->bodies.last_rod;
  *(world->bodies.last_rod != NULL ? &world->bodies.last_rod->body->next : &world->bodies.first_rod) = rod;
  world->bodies.last_rod = rod;
  rod->body->table_index = eli_indices_take(&world->bodies.indices);
  world->bodies.rods[world->bodies.rod_count++] = rod;
}

/* Places a rod at the start of a hole that is large enough. The remainder becomes the hole after the rod. */
static void place_in_hole(eli_slab *slab, elastica_rod *rod, eli_hole *hole) {
  if (hole->before == NULL) eli_slab_split(slab, hole->tile, rod->body->slots);
  eli_tile *tile = &slab->tiles[hole->tile];
  elastica_rod *below = hole->before;
  const size_t left = hole->slots - rod->body->slots;
  rod->offset = hole->begin;
  rod->tile = (unsigned)hole->tile;
  eli_slab_take_hole(slab, hole);
  rod->body->hole = (eli_hole){.begin = end_of(rod), .slots = left, .tile = rod->tile, .before = rod};
  eli_slab_put_hole(slab, &rod->body->hole);
  link_in_memory(tile, rod, below);
  if (end_of(rod) - tile->begin > tile->used) eli_slab_set_used(slab, tile, end_of(rod) - tile->begin);
}

static void place_at_end(eli_slab *slab, elastica_rod *rod) {
  const int rigid = eli_is_rigid(rod);
  if (eli_slab_fits_last(slab, rod->body->slots, rigid)) {
    eli_tile *last = &slab->tiles[slab->last_tile];
    eli_slab_take_hole(slab, hole_after(last, last->highest));
  }
  rod->offset = eli_slab_place(slab, rod->body->slots, rigid);
  rod->tile = (unsigned)slab->last_tile;
  eli_tile *tile = &slab->tiles[rod->tile];
  const size_t left = rigid ? tile->begin + tile->room - end_of(rod) : 0;
  rod->body->hole = (eli_hole){.begin = end_of(rod), .slots = left, .tile = rod->tile, .before = rod};
  eli_slab_put_hole(slab, &rod->body->hole);
  link_in_memory(tile, rod, tile->highest);
}

void eli_rod_place(elastica_rod *rod) {
  elastica_world *world = rod->world;
  eli_slab *slab = &world->bodies.slab;
  const size_t tiles = slab->tile_count, swept = slab->most_swept;
  eli_hole *hole = eli_slab_find_hole(slab, rod->body->slots, eli_is_rigid(rod));
  assert(rod->index == world->bodies.rod_count && rod->body->slots > (size_t)rod->element_count);
  if (hole != NULL)
    place_in_hole(slab, rod, hole);
  else
    place_at_end(slab, rod);
  if (slab->tile_count != tiles || slab->most_swept != swept) eli_world_outdate(world, ELI_STALE_TILES);
  append_to_tile(&slab->tiles[rod->tile], rod);
  append_to_world(world, rod);
}

/* ---- Adding ---- */

static const eli_hook_list no_hooks;

/* Allocates everything for one more rod, so that no later step of adding it can fail. */
elastica_rod *eli_rod_create(elastica_world *world, size_t slots, int rigid) {
  const eli_allocator *allocator = &world->allocator;
  elastica_rod **rods = eli_grow(allocator, world->bodies.rods, (size_t)world->bodies.rod_count, sizeof *rods);
  if (rods == NULL) return NULL;
  world->bodies.rods = rods;
  if (!eli_indices_reserve(allocator, &world->bodies.indices)) return NULL;
  elastica_rod *rod = eli_allocate(allocator, 1, sizeof *rod);
  eli_rod_body *body = rod != NULL ? eli_allocate(allocator, 1, sizeof *body) : NULL;
  const double *before = world->bodies.slab.lane[0];
  if (body == NULL || !eli_slab_reserve(&world->bodies.slab, slots, rigid)) {
    eli_release(allocator, body);
    eli_release(allocator, rod);
    return NULL;
  }
  rod->body = body;
  rod->world = world;
  rod->index = world->bodies.rod_count;
  body->slots = slots;
  body->hooks = &no_hooks;
  if (world->bodies.slab.lane[0] == before) return rod;
  eli_world_outdate(world, ELI_STALE_TILES);
  ELI_EACH_ROD_OF_WORLD(other, world) eli_rod_aim_view(other);
  return rod;
}

void eli_rod_join(elastica_rod *rod) {
  sum_constants(rod);
  eli_rod_aim_view(rod);
  eli_rod_set_masses(rod);
  eli_world_outdate(rod->world, ELI_STALE_LIMIT);
  eli_rod_outdate(rod, ELI_STALE_LISTS | ELI_STALE_REST | ELI_STALE_MASSES | ELI_STALE_STATE);
  eli_tile_update_geometry(rod->world, rod->tile);
}

static int is_circular(const eli_rod_data *data) {
  for (int j = 0; j < data->element_count; j++)
    if (data->inertia[3 * j] != data->inertia[3 * j + 1]) return 0;
  return 1;
}

/* Creates a rod without slots. Returns NULL without memory; nothing is changed then. */
static elastica_rod *make_rod(elastica_world *world, const eli_rod_data *data) {
  const size_t slots = (size_t)data->element_count + (data->closed ? 2 : 1);
  elastica_rod *rod = eli_rod_create(world, slots, 0);
  if (rod == NULL) return NULL;
  rod->element_count = data->element_count;
  rod->closed = data->closed;
  rod->body->rotary_inertia_scale = data->rotary_inertia_scale;
  rod->body->contact_group = data->contact_group;
  rod->body->not_circular = !is_circular(data);
  return rod;
}

elastica_status elastica_world_add_rod(elastica_world *world, const elastica_rod_def *def, elastica_rod **out) {
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, "add_rod", 1);
  if (status != ELASTICA_OK) return status;
  eli_rod_data data;
  status = eli_rod_data_create(world, def, &data);
  if (status != ELASTICA_OK) return status;
  elastica_rod *rod = make_rod(world, &data);
  if (rod == NULL) {
    eli_release(&world->allocator, data.memory);
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "add_rod: no memory for a rod of %d elements", data.element_count);
  }
  eli_rod_place(rod);
  fill_rod(rod, &data);
  eli_release(&world->allocator, data.memory);
  eli_rod_join(rod);
  if (out != NULL) *out = rod;
  return ELASTICA_OK;
}

/* ---- Removing ---- */

static void unlink_from_memory(eli_tile *tile, elastica_rod *rod) {
  elastica_rod *below = rod->body->below, *above = rod->body->above;
  *(below != NULL ? &below->body->above : &tile->lowest) = above;
  *(above != NULL ? &above->body->below : &tile->highest) = below;
}

static void unlink_from_tile(eli_tile *tile, elastica_rod *rod) {
  elastica_rod *previous = rod->body->previous_in_tile, *next = rod->body->next_in_tile;
  *(previous != NULL ? &previous->body->next_in_tile : &tile->first_rod) = next;
  *(next != NULL ? &next->body->previous_in_tile : &tile->last_rod) = previous;
  tile->rod_count--;
  tile->closed = tile->not_circular = 0;
  ELI_EACH_ROD(other, rod->world, tile) {
    tile->closed |= other->closed;
    tile->not_circular |= other->body->not_circular;
  }
}

static void unlink_from_world(elastica_world *world, elastica_rod *rod) {
  elastica_rod *previous = rod->body->previous, *next = rod->body->next;
  *(previous != NULL ? &previous->body->next : &world->bodies.first_rod) = next;
  *(next != NULL ? &next->body->previous : &world->bodies.last_rod) = previous;
  world->bodies.rods[rod->index] = NULL;
  eli_indices_give_back(&world->bodies.indices, rod->body->table_index);
}

/* Makes one hole from the end of the rod below to the rod above; it includes the adjacent holes. */
static void leave_hole(eli_slab *slab, eli_tile *tile, elastica_rod *rod) {
  elastica_rod *below = rod->body->below, *above = rod->body->above;
  eli_hole *hole = hole_after(tile, below);
  eli_slab_clear(slab, rod->offset, rod->body->slots);
  eli_slab_take_hole(slab, hole);
  eli_slab_take_hole(slab, &rod->body->hole);
  hole->begin = below != NULL ? end_of(below) : tile->begin;
  hole->slots = (above != NULL ? above->offset : tile->begin + tile->room) - hole->begin;
  hole->tile = rod->tile;
  hole->before = below;
  eli_slab_put_hole(slab, hole);
  if (above == NULL) eli_slab_set_used(slab, tile, hole->begin - tile->begin);
}

void eli_rod_take_out(elastica_rod *rod) {
  elastica_world *world = rod->world;
  eli_tile *tile = &world->bodies.slab.tiles[rod->tile];
  assert(world->bodies.rods[rod->index] == rod);
  if (world->schedule.limit_check.limit.rod_index == rod->index) world->schedule.limit_check.limit.rod_index = -1;
  leave_hole(&world->bodies.slab, tile, rod);
  unlink_from_memory(tile, rod);
  unlink_from_tile(tile, rod);
  unlink_from_world(world, rod);
}

void eli_rod_dismantle(elastica_rod *rod) {
  const eli_allocator *allocator = &rod->world->allocator;
  eli_release(allocator, rod->body->solid);
  eli_release(allocator, rod->body->own_hooks);
  eli_release(allocator, rod->body->spare_hooks);
  eli_release(allocator, rod->body);
  rod->body = NULL;
}

/* ---- Setting the state and the rest strains ---- */

static elastica_status check_lengths(const elastica_rod *rod, const double *position) {
  const elastica_rod_view *view = &rod->body->view;
  for (int j = 0; position != NULL && j < view->element_count && !view->rigid; j++) {
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
  const elastica_rod_view *view = &rod->body->view;
  if (director == NULL) return ELASTICA_OK;
  elastica_status status = eli_rod_check_frames(rod->world, "set_state: director", director, (size_t)view->element_count);
  for (int k = 0; k < view->joint_count && status == ELASTICA_OK; k++) {
    double turn[3];
    const double angle = eli_rod_joint_turn(director + 9 * eli_element_before(view, k), director + 9 * eli_element_after(view, k), turn);
    status = eli_rod_check_turn(rod->world, "set_state: director", k, angle, view->element_count);
  }
  return status;
}

/* Writes `count` slots of `width` lanes of a rod, beginning with lane `first` and slot `slot` of the rod. values has width numbers for each
 * slot; NULL changes nothing. */
static void write_lanes(elastica_rod *rod, int first, int width, size_t slot, const double *values, int count) {
  if (values == NULL) return;
  for (int a = 0; a < width; a++) {
    double *lane = rod->world->bodies.slab.lane[first + a] + rod->offset + slot;
    for (int i = 0; i < count; i++) lane[i] = values[width * i + a];
  }
  if (rod->closed) eli_rod_close_lanes(rod, first, width);
}

static void forget_step(elastica_effect *first, const elastica_rod *rod) {
  for (elastica_effect *effect = first; effect != NULL; effect = effect->body->next_alike) {
    const eli_built_in *kind = effect->body->kind;
    if (kind != NULL && kind->forget_step != NULL) kind->forget_step(effect->self, &rod->body->view);
  }
}

elastica_status elastica_rod_set_state(elastica_rod *rod, const double *position, const double *velocity, const double *director,
                                       const double *omega) {
  elastica_status status = eli_rod_check(rod, "set_state");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = rod->world;
  const int nodes = rod->body->view.node_count, elements = rod->body->view.element_count;
  const char *prefix = "set_state: ";
  status = eli_world_check_change(world, "set_state");
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
  forget_step(rod->body->effects.first, rod);
  forget_step(world->effects.common.first, rod);
  eli_rod_outdate(rod, ELI_STALE_MASSES | ELI_STALE_STATE | ELI_STALE_LIMIT);
  eli_tile_update_geometry(world, rod->tile);
  eli_rod_heal(rod, (position != NULL ? 1u : 0u) | (velocity != NULL ? 2u : 0u) | (director != NULL ? 4u : 0u) | (omega != NULL ? 8u : 0u));
  return ELASTICA_OK;
}

elastica_status elastica_rod_set_rest(elastica_rod *rod, const double *rest_curvature, const double *rest_strain) {
  elastica_status status = eli_rod_check(rod, "set_rest");
  if (status != ELASTICA_OK) return status;
  elastica_world *world = rod->world;
  const elastica_rod_view *view = &rod->body->view;
  const size_t joints = (size_t)view->joint_count, elements = (size_t)view->element_count;
  status = eli_world_check_setter(world, "set_rest");
  if (status == ELASTICA_OK && view->rigid)
    status = elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "set_rest: rod %d is a rigid body", rod->index);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, "set_rest: ", "rest_curvature", rest_curvature, 3 * joints, ELI_MODERATE);
  if (status == ELASTICA_OK) status = eli_rod_check_array(world, "set_rest: ", "rest_strain", rest_strain, 3 * elements, ELI_MODERATE);
  for (int k = 0; rest_curvature != NULL && k < view->joint_count && status == ELASTICA_OK; k++) {
    const double *kappa = rest_curvature + 3 * k;
    const double angle = sqrt(kappa[0] * kappa[0] + kappa[1] * kappa[1] + kappa[2] * kappa[2]) * view->rest_joint_length[k];
    status = eli_rod_check_turn(world, "set_rest: rest_curvature", k, angle, view->element_count);
  }
  if (status != ELASTICA_OK) return status;
  write_lanes(rod, ELI_REST_CURVATURE, 3, rod->closed ? 0 : 1, rest_curvature, view->joint_count);
  write_lanes(rod, ELI_REST_STRAIN, 3, 0, rest_strain, view->element_count);
  eli_rod_outdate(rod, ELI_STALE_REST | ELI_STALE_MASSES | ELI_STALE_STATE | ELI_STALE_LIMIT);
  return ELASTICA_OK;
}
