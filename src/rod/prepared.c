/* Lanes precomputed for the kernels: factors of the material laws that depend only on constants (kernels/stretch.inl, bend.inl, kick.inl).
 * They are computed again when a constant of a rod of the tile has changed. */
#include "base/target.h"

#include "rod/rod_data.h"

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
    double *per_half = lane[ELI_BEND_PER_HALF_TURN + a], *rest = lane[ELI_REST_COUPLE + a];
    for (size_t k = 0; k < tile->count; k++) {
      const int joint = per_length[k] > 0.0;
      per_half[k] = joint ? eli_bend_per_half_turn(B[k], per_length[k]) : 0.0;
      rest[k] = joint ? eli_rest_couple(B[k], kappa0[k]) : 0.0;
    }
  }
}

void eli_tile_prepare_lanes(const eli_tile *tile) {
  prepare_elements(tile, tile->lane);
  prepare_joints(tile, tile->lane);
}
