/* Shared code of the tests of elastica_world_check: queries of its report, and a rubber rod. */
#ifndef TESTS_CHECKING_H
#define TESTS_CHECKING_H

#include "support.h"

static const double pi = 3.14159265358979324;

static inline elastica_check_report check(elastica_world *world, double dt) {
  elastica_check_report report;
  must(world, elastica_world_check(world, dt, &report));
  assert_true(report.finding_count <= ELASTICA_FINDING_CAPACITY);
  return report;
}

static const elastica_finding *find(const elastica_check_report *report, elastica_finding_kind kind) {
  for (int k = 0; k < report->finding_count; k++)
    if (report->findings[k].kind == kind) return &report->findings[k];
  return NULL;
}

/* The only finding of this kind and severity at this rod. */
static inline elastica_finding the_only(const elastica_check_report *report, elastica_finding_kind kind, elastica_severity severity) {
  for (int k = 0; k < report->finding_count; k++)
    if (report->findings[k].kind != kind) fail_msg("%s", report->findings[k].sentence);
  const elastica_finding *found = find(report, kind);
  if (found == NULL) fail_msg("finding %d is not found", (int)kind);
  assert_int_equal(found->severity, severity);
  assert_int_equal(report->worst, severity);
  assert_true(strlen(found->sentence) > 40 && strlen(found->sentence) < sizeof found->sentence - 1);
  return *found;
}

static inline void assert_silent(elastica_world *world, double dt, const char *what) {
  const elastica_check_report report = check(world, dt);
  if (report.finding_count > 0) fail_msg("%s: %s", what, report.findings[0].sentence);
  assert_int_equal(report.worst, ELASTICA_SEVERITY_NONE);
}

/* A rubber rod of 1 m and 50 elements along z. */
static inline elastica_rod_def rubber_def(void) {
  DEFAULTS(rod, def);
  def.element_count = 50;
  def.length = 1.0;
  def.radius = 0.02;
  def.density = 1100.0;
  def.youngs_modulus = 1e6;
  return def;
}

static inline elastica_rod *add_rubber(elastica_world *world, const elastica_rod_def *def) {
  const elastica_rod_def usual = rubber_def();
  elastica_rod *rod = NULL;
  must(world, elastica_world_add_rod(world, def ? def : &usual, &rod));
  return rod;
}

static inline elastica_effect *add_clamp_at(elastica_world *world, elastica_rod *rod, elastica_end end, elastica_boundary_kind kind) {
  elastica_effect *effect = NULL;
  DEFAULTS(boundary, def);
  def.node = end == ELASTICA_END_LAST ? -1 : 0;
  def.kind = kind;
  must(world, elastica_add_boundary(world, rod, &def, &effect));
  return effect;
}

static inline elastica_effect *add_force(elastica_world *world, elastica_rod *rod, double x, double z) {
  elastica_effect *effect = NULL;
  DEFAULTS(point_load, def);
  def.force[0] = x, def.force[2] = z;
  def.ramp_time = 1.0; /* the full load counts */
  must(world, elastica_add_point_load(world, rod, &def, &effect));
  return effect;
}

#endif
