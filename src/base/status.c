/* Names of the enumerators and the version of the library. */
#include "base/target.h"

#include <elastica.h>

#define ELI_TEXT(x) #x
#define ELI_VERSION(major, minor, patch) ELI_TEXT(major) "." ELI_TEXT(minor) "." ELI_TEXT(patch)

const char *elastica_version(void) {
  return ELI_VERSION(ELASTICA_VERSION_MAJOR, ELASTICA_VERSION_MINOR, ELASTICA_VERSION_PATCH);
}

const char *elastica_status_text(elastica_status status) {
  switch (status) {
  case ELASTICA_OK: return "OK";
  case ELASTICA_INVALID_ARGUMENT: return "INVALID_ARGUMENT";
  case ELASTICA_WRONG_STATE: return "WRONG_STATE";
  case ELASTICA_WRONG_VERSION: return "WRONG_VERSION";
  case ELASTICA_OUT_OF_MEMORY: return "OUT_OF_MEMORY";
  case ELASTICA_IO_ERROR: return "IO_ERROR";
  case ELASTICA_UNSTABLE_STEP: return "UNSTABLE_STEP";
  case ELASTICA_NOT_FINITE: return "NOT_FINITE";
  case ELASTICA_JOINT_TOO_FAR: return "JOINT_TOO_FAR";
  case ELASTICA_CALLBACK_FAILED: return "CALLBACK_FAILED";
  case ELASTICA_NOT_CONVERGED: return "NOT_CONVERGED";
  case ELASTICA_STOPPED: return "STOPPED";
  }
  return "unknown status";
}

const char *elastica_mode_text(elastica_mode mode) {
  switch (mode) {
  case ELASTICA_MODE_NONE: return "none";
  case ELASTICA_MODE_AXIAL: return "axial";
  case ELASTICA_MODE_SHEAR: return "shear";
  case ELASTICA_MODE_TORSION: return "torsion";
  case ELASTICA_MODE_EFFECT: return "effect";
  }
  return "unknown mode";
}
