/* Included before each file by the stage analysis, but for src/state/report.c: analysers see one file at a time, and do not know that these
 * functions of that file return the status that they are given. */
#include "state/world.h"

#define elastica_world_refuse(world, status, ...) (elastica_world_refuse(world, status, __VA_ARGS__), status)
#define eli_world_fail(world, status, ...) (eli_world_fail(world, status, __VA_ARGS__), status)
#define eli_world_explain(...) (eli_world_explain(__VA_ARGS__), ELASTICA_CALLBACK_FAILED)
