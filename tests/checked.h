/* Included before the source of a program: elastica_world_check runs before each run of the world, and the program ends if it finds
 * anything. */
#ifndef TESTS_CHECKED_H
#define TESTS_CHECKED_H

#include <elastica.h>

#include <stdio.h>
#include <stdlib.h>

static inline elastica_world *checked(elastica_world *world, double dt) {
  elastica_check_report report;
  const elastica_status status = elastica_world_check(world, dt, &report);
  if (status != ELASTICA_OK) fprintf(stderr, "check: %s\n", elastica_world_message(world));
  for (int k = 0; k < report.finding_count; k++)
    fprintf(stderr, "check: %s %d: %s\n", report.findings[k].name, (int)report.findings[k].severity, report.findings[k].sentence);
  if (status != ELASTICA_OK || report.finding_count > 0) exit(7);
  return world;
}

#define elastica_world_step(world, dt, count) elastica_world_step(checked(world, dt), dt, count)
#define elastica_world_advance(world, duration) elastica_world_advance(checked(world, 0.0), duration)
#define elastica_world_run(world, def, result) elastica_world_run(checked(world, 0.0), def, result)
#define elastica_world_relax(world, def, result) elastica_world_relax(checked(world, 0.0), def, result)

#endif
