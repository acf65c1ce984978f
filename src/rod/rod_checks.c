/* Checks of arrays, frames and joints, shared by definitions and setters. */
#include "base/target.h"

#include "rod/rod_data.h"

#include <float.h>
#include <math.h>

#include "base/checks.h"

const char *eli_trouble_with(double value, eli_range range) {
  if (!eli_is_finite(value)) return "is not finite";
  if (range == ELI_MODERATE && !eli_is_moderate(value)) return "is too large";
  if (range == ELI_POSITIVE && value < DBL_MIN) return "is not positive";
  if (range == ELI_NOT_NEGATIVE && value < 0.0) return "is negative";
  return NULL;
}

elastica_status eli_rod_check_array(elastica_world *world, const char *prefix, const char *field, const double *values, size_t count,
                                    eli_range range) {
  for (size_t i = 0; values != NULL && i < count; i++) {
    const char *trouble = eli_trouble_with(values[i], range);
    if (trouble != NULL) {
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s%s[%zu] %s: %g", prefix, field, i, trouble, values[i]);
    }
  }
  return ELASTICA_OK;
}

elastica_status eli_rod_check_frames(elastica_world *world, const char *field, const double *director, size_t element_count) {
  for (size_t j = 0; director != NULL && j < element_count; j++) {
    if (!eli_is_frame(director + 9 * j)) {
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: frame %zu is not orthonormal to 1e-9 and right-handed", field, j);
    }
  }
  return ELASTICA_OK;
}

elastica_status eli_rod_check_turn(elastica_world *world, const char *field, int joint, double angle, int element_count) {
  if (angle <= ELI_JOINT_LIMIT) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: joint %d turns by %.4g rad, more than %.1f; it takes %.10g elements",
                               field, joint, angle, ELI_JOINT_LIMIT, floor(element_count * (angle / ELI_JOINT_LIMIT)) + 1.0);
}
