/* Rigid bodies: rods of one node and one element, without joints and without elasticity (see slab/slab.h).
 *
 * The lanes hold the principal axes A Q, for the frame Q of the definition, and spins A omega in these axes; the rows of A are the axes of
 * eli_solid.
 * test       tests/test_body.c
 */
#include "base/target.h"

#include <string.h>

#include "base/rotation.h"
#include "rod/rod_data.h"

/* ---- Adding ---- */

static void fill_body(elastica_rod *rod) {
  const eli_solid *solid = rod->body->solid;
  const elastica_body_def *def = &solid->def;
  double *const *lane = rod->world->slab.lane;
  const size_t at = rod->offset;
  double director[9], omega[3];
  eli_matrix_product(solid->axes, def->director, director);
  eli_turn(solid->axes, def->omega, omega);
  for (int a = 0; a < 3; a++) {
    lane[ELI_POSITION + a][at] = def->position[a];
    lane[ELI_VELOCITY + a][at] = def->velocity[a];
    lane[ELI_OMEGA + a][at] = omega[a];
    lane[ELI_INERTIA + a][at] = solid->moments[a];
  }
  for (int a = 0; a < 9; a++) lane[ELI_DIRECTOR + a][at] = director[a];
  lane[ELI_ELEMENT_MASS][at] = solid->mass;
  lane[ELI_VOLUME][at] = solid->volume;
  lane[ELI_REST_LENGTH][at] = lane[ELI_LENGTH][at] = solid->extent;
  lane[ELI_INVERSE_INERTIA][at] = 1.0 / solid->moments[0];
  lane[ELI_INVERSE_INERTIA + 1][at] = 1.0 / solid->moments[2];
}

elastica_status elastica_world_add_body(elastica_world *world, const elastica_body_def *def, elastica_rod **out) {
  eli_solid solid;
  if (out != NULL) *out = NULL;
  if (world == NULL) return ELASTICA_INVALID_ARGUMENT;
  elastica_status status = eli_world_check_open(world, "add_body", 1);
  if (status == ELASTICA_OK) status = eli_solid_read(world, def, &solid);
  if (status != ELASTICA_OK) return status;
  eli_solid *kept = eli_allocate(&world->allocator, 1, sizeof *kept);
  elastica_rod *rod = kept != NULL ? eli_rod_create(world, ELI_BODY_SLOTS, 1) : NULL;
  if (rod == NULL) {
    eli_release(&world->allocator, kept);
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "add_body: no memory for a body");
  }
  *kept = solid;
  rod->body->solid = kept;
  rod->element_count = 1;
  rod->body->rotary_inertia_scale = 1.0;
  rod->body->contact_group = solid.def.contact_group;
  rod->body->not_circular = solid.moments[0] != solid.moments[1];
  eli_rod_place(rod);
  fill_body(rod);
  eli_rod_join(rod);
  if (out != NULL) *out = rod;
  return ELASTICA_OK;
}

/* ---- State in the frame of the definition ---- */

static void get_state(const elastica_rod_view *view, const double axes[9], elastica_body_info *out) {
  double omega[3];
  for (int a = 0; a < 3; a++) {
    const double column[3] = {view->director[0][a][0], view->director[1][a][0], view->director[2][a][0]};
    double own[3];
    eli_turn_back(axes, column, own);
    for (int b = 0; b < 3; b++) out->director[3 * b + a] = own[b];
    out->position[a] = view->position[a][0];
    out->velocity[a] = view->velocity[a][0];
    omega[a] = view->omega[a][0];
  }
  eli_turn_back(axes, omega, out->omega);
}

static elastica_status check_body(const elastica_rod *rod, const char *function) {
  const elastica_status status = eli_rod_check(rod, function);
  if (status != ELASTICA_OK || eli_is_rigid(rod)) return status;
  return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d is not a rigid body", function, rod->index);
}

elastica_status elastica_body_get(elastica_rod *rod, elastica_body_info *out) {
  const elastica_status status = check_body(rod, "body_get");
  if (status != ELASTICA_OK) return status;
  if (out == NULL) return elastica_world_refuse(rod->world, ELASTICA_INVALID_ARGUMENT, "body_get: out is NULL");
  const eli_solid *solid = rod->body->solid;
  out->shape = solid->def.shape;
  out->radius = solid->def.radius;
  out->length = solid->def.length;
  memcpy(out->edges, solid->def.edges, sizeof out->edges);
  out->mass = solid->mass;
  out->volume = solid->volume;
  memcpy(out->moments, solid->moments, sizeof out->moments);
  memcpy(out->axes, solid->axes, sizeof out->axes);
  get_state(&rod->body->view, solid->axes, out);
  return ELASTICA_OK;
}

elastica_status elastica_body_set_state(elastica_rod *rod, const double *position, const double *velocity, const double *director,
                                        const double *omega) {
  const elastica_status status = check_body(rod, "body_set_state");
  if (status != ELASTICA_OK) return status;
  const double *axes = rod->body->solid->axes;
  double frame[9], spin[3];
  if (director != NULL) eli_matrix_product(axes, director, frame);
  if (omega != NULL) eli_turn(axes, omega, spin);
  return elastica_rod_set_state(rod, position, velocity, director != NULL ? frame : NULL, omega != NULL ? spin : NULL);
}
