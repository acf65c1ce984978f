/* Adds a rod to a world: copies the data of its definition into the slab. */
#include "base/target.h"

#include "base/record.h"
#include "rod/rod_data.h"

/* Copies count vectors of width numbers into width lanes. */
static void scatter(double *const *lane, int first, size_t offset, const double *values, size_t count, int width) {
  for (int a = 0; a < width; a++)
    for (size_t i = 0; i < count; i++) lane[first + a][offset + i] = values[i * (size_t)width + (size_t)a];
}

static void fill_elements(double *const *lane, size_t offset, const eli_rod_data *data) {
  const size_t n = (size_t)data->element_count;
  scatter(lane, ELI_DIRECTOR, offset, data->director, n, 9);
  scatter(lane, ELI_OMEGA, offset, data->omega, n, 3);
  scatter(lane, ELI_ELEMENT_MASS, offset, data->element_mass, n, 1);
  scatter(lane, ELI_REST_LENGTH, offset, data->rest_length, n, 1);
  scatter(lane, ELI_VOLUME, offset, data->volume, n, 1);
  scatter(lane, ELI_SHEAR_STIFFNESS, offset, data->shear_stiffness, n, 3);
  scatter(lane, ELI_INERTIA, offset, data->inertia, n, 3);
  scatter(lane, ELI_ELEMENT_BEND, offset, data->bend_stiffness, n, 3);
  scatter(lane, ELI_REST_STRAIN, offset, data->rest_strain, n, 3);
  for (size_t j = offset; j < offset + n; j++) {
    lane[ELI_INVERSE_REST_LENGTH][j] = 1.0 / lane[ELI_REST_LENGTH][j];
    lane[ELI_INVERSE_INERTIA][j] = 1.0 / lane[ELI_INERTIA][j];
    lane[ELI_INVERSE_INERTIA + 1][j] = 1.0 / lane[ELI_INERTIA + 2][j];
  }
}

static void fill_joints(double *const *lane, size_t offset, const eli_rod_data *data) {
  const size_t n = (size_t)data->element_count, first = data->closed ? 0 : 1, last = data->closed ? n : n - 1;
  for (size_t k = first; k <= last; k++) {
    for (size_t a = 0; a < 3; a++) {
      lane[ELI_BEND + a][offset + k] = data->joint_bend_stiffness[3 * k + a];
      lane[ELI_REST_CURVATURE + a][offset + k] = data->rest_curvature[3 * k + a];
    }
    lane[ELI_REST_JOINT_LENGTH][offset + k] = data->rest_joint_length[k];
    if (k > 0) lane[ELI_INVERSE_REST_JOINT_LENGTH][offset + k] = 1.0 / data->rest_joint_length[k];
  }
}

/* Lanes without data in the definition keep their neutral values. */
static void fill_rod(elastica_rod *rod, const eli_rod_data *data) {
  double *const *lane = rod->world->slab.lane;
  const size_t nodes = (size_t)data->element_count + 1;
  scatter(lane, ELI_POSITION, rod->offset, data->position, nodes, 3);
  scatter(lane, ELI_VELOCITY, rod->offset, data->velocity, nodes, 3);
  fill_elements(lane, rod->offset, data);
  fill_joints(lane, rod->offset, data);
  if (!rod->closed) return;
  eli_rod_close_lanes(rod, ELI_POSITION, 3);
  eli_rod_close_lanes(rod, ELI_VELOCITY, 3);
  eli_rod_close_lanes(rod, ELI_DIRECTOR, 9);
  eli_rod_close_lanes(rod, ELI_OMEGA, 3);
}

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
      *made = eli_sum_of_doubles(*made, rod->world->slab.lane[of->first + a] + rod->offset, (size_t)rod->element_count);
    if (eli_is_rigid(rod) && of->first == ELI_SHEAR_STIFFNESS) *made = sum_of_shape(rod->body->solid);
    made++;
  }
}

static int is_circular(const eli_rod_data *data) {
  for (int j = 0; j < data->element_count; j++)
    if (data->inertia[3 * j] != data->inertia[3 * j + 1]) return 0;
  return 1;
}

static const eli_hook_list no_hooks;

/* Allocates everything for one more rod, so that no later step of adding it can fail. */
elastica_rod *eli_rod_create(elastica_world *world, size_t slots, int rigid) {
  const eli_allocator *allocator = &world->allocator;
  elastica_rod **rods = eli_grow(allocator, world->rods, (size_t)world->rod_count, sizeof *rods);
  if (rods == NULL) return NULL;
  world->rods = rods;
  if (!eli_indices_reserve(allocator, &world->rod_indices)) return NULL;
  elastica_rod *rod = eli_allocate(allocator, 1, sizeof *rod);
  eli_rod_body *body = rod != NULL ? eli_allocate(allocator, 1, sizeof *body) : NULL;
  const double *before = world->slab.lane[0];
  if (body == NULL || !eli_slab_reserve(&world->slab, slots, rigid)) {
    eli_release(allocator, body);
    eli_release(allocator, rod);
    return NULL;
  }
  rod->body = body;
  rod->world = world;
  rod->index = world->rod_count;
  body->slots = slots;
  body->hooks = &no_hooks;
  if (world->slab.lane[0] == before) return rod;
  eli_world_outdate(world, ELI_STALE_TILES);
  ELI_EACH_ROD_OF_WORLD(other, world) eli_rod_aim_view(other);
  return rod;
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

void eli_rod_join(elastica_rod *rod) {
  sum_constants(rod);
  eli_rod_aim_view(rod);
  eli_rod_set_masses(rod);
  eli_world_outdate(rod->world, ELI_STALE_LIMIT);
  eli_rod_outdate(rod, ELI_STALE_LISTS | ELI_STALE_REST | ELI_STALE_MASSES | ELI_STALE_STATE);
  eli_tile_update_geometry(rod->world, rod->tile);
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
