/* Analysis of a step that tripped: finds the rod and the node, element or joint that caused it, and writes the sentence. The step itself
 * keeps only flags, one word for each tile. */
#include "base/target.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/rotation.h"
#include "step/stages.h"
#include "step/stepper.h"

typedef struct extreme {
  const elastica_rod *rod;
  int place; /* node or element */
  double value;
} extreme;

/* Returns the rod and index with the largest |x|^2 of a vector lane. A value that is not finite counts as the largest, and the first one is
 * returned. */
static extreme largest(const elastica_world *world, int lane, int nodes) {
  extreme found = {NULL, 0, -1.0};
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    const int count = nodes ? rod->body->view.node_count : rod->body->view.element_count;
    for (int i = 0; i < count; i++) {
      const size_t slot = rod->offset + (size_t)i;
      const double x = world->slab.lane[lane][slot], y = world->slab.lane[lane + 1][slot], z = world->slab.lane[lane + 2][slot];
      const double size2 = x * x + y * y + z * z;
      if (size2 <= found.value) continue;
      found.rod = rod;
      found.place = i;
      found.value = size2;
      if (!(size2 <= DBL_MAX)) return found;
    }
  }
  return found;
}

/* The joint with the largest angle during the last step: h = sin^2(theta/2). */
static extreme widest_joint(const elastica_world *world, double dt) {
  extreme found = {NULL, 0, -1.0};
  double *const *q = world->slab.lane + ELI_DIRECTOR, *const *w = world->slab.lane + ELI_OMEGA;
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    for (int k = rod->closed ? 0 : 1; k < rod->element_count; k++) {
      const size_t after = rod->offset + (size_t)k, before = k > 0 ? after - 1 : rod->offset + (size_t)rod->element_count - 1;
      const double spin_after[3] = {w[0][after], w[1][after], w[2][after]}, spin_before[3] = {w[0][before], w[1][before], w[2][before]};
      double frame_after[9], frame_before[9], r[9];
      for (int a = 0; a < 9; a++) frame_after[a] = q[a][after], frame_before[a] = q[a][before];
      eli_relative_rotation(frame_after, frame_before, r);
      const double h = eli_joint_widest(r, spin_before, spin_after, -dt);
      if (h <= found.value) continue;
      found.rod = rod;
      found.place = rod->closed ? k : k - 1;
      found.value = h;
    }
  }
  return found;
}

/* Returns the element with the faster spin of the two at a joint. */
static int faster_at(const extreme *joint) {
  const elastica_rod *rod = joint->rod;
  double *const *w = rod->world->slab.lane + ELI_OMEGA, spin2[2] = {0.0, 0.0};
  const int after = rod->closed ? joint->place : joint->place + 1, before = after > 0 ? after - 1 : rod->element_count - 1;
  for (int a = 0; a < 3; a++) {
    const double x = w[a][rod->offset + (size_t)before], y = w[a][rod->offset + (size_t)after];
    spin2[0] += x * x, spin2[1] += y * y;
  }
  return spin2[1] > spin2[0] ? after : before;
}

/* An element in the middle of the last step: its relative rate of stretch, its length, and the speed of its nodes relative to each other. */
typedef struct stretching {
  double rate, length, speed;
} stretching;

static stretching stretching_of(const elastica_rod *rod, int j, double dt) {
  double *const *r = rod->world->slab.lane + ELI_POSITION, *const *v = rod->world->slab.lane + ELI_VELOCITY;
  const size_t slot = rod->offset + (size_t)j;
  double along = 0.0, length2 = 0.0, speed2 = 0.0;
  for (int a = 0; a < 3; a++) {
    const double speed = v[a][slot + 1] - v[a][slot], edge = r[a][slot + 1] - r[a][slot] - 0.5 * dt * speed;
    along += edge * speed;
    length2 += edge * edge;
    speed2 += speed * speed;
  }
  const double length = sqrt(length2);
  return (stretching){fabs(along) / (length * eli_length_for_trip(length, rod->body->view.rest_length[j], rod->world->law.classical)),
                      length, sqrt(speed2)};
}

static double stretch_rate(const elastica_rod *rod, int j, double dt) {
  return stretching_of(rod, j, dt).rate;
}

/* Returns the faster of the two nodes of an element. */
static int faster_node_of(const elastica_rod *rod, int j) {
  double *const *v = rod->world->slab.lane + ELI_VELOCITY, speed2[2] = {0.0, 0.0};
  for (int a = 0; a < 3; a++)
    for (int k = 0; k < 2; k++) {
      const double x = v[a][rod->offset + (size_t)(j + k)];
      speed2[k] += x * x;
    }
  return speed2[1] > speed2[0] && j + 1 < rod->body->view.node_count ? j + 1 : j;
}

/* The element whose length changes fastest. */
static extreme fastest_stretch(const elastica_world *world, double dt) {
  extreme found = {NULL, 0, -1.0};
  ELI_EACH_ROD_OF_WORLD(rod, world) {
    for (int j = 0; j < rod->element_count && !eli_is_rigid(rod); j++) {
      const double rate = stretch_rate(rod, j, dt);
      if (rate <= found.value) continue;
      found.rod = rod;
      found.place = j;
      found.value = rate;
    }
  }
  return found;
}

/* Returns 1 if a rod caused these trips. Unsound states are found when the world fails. */
static int did(const elastica_rod *rod, unsigned trips, double dt) {
  double *const *w = rod->world->slab.lane + ELI_OMEGA;
  for (int j = 0; j < rod->element_count; j++) {
    const size_t slot = rod->offset + (size_t)j;
    const double spin2 = w[0][slot] * w[0][slot] + w[1][slot] * w[1][slot] + w[2][slot] * w[2][slot];
    if (trips & ELI_TRIP_SPIN && !(spin2 * dt * dt < 0.999)) return 1;
    if (trips & ELI_TRIP_STRETCH && !eli_is_rigid(rod) && !(0.5 * dt * stretch_rate(rod, j, dt) < 0.499)) return 1;
  }
  return 0;
}

void eli_world_blame(elastica_world *world, unsigned trips, double dt) {
  ELI_EACH_ROD_OF_WORLD(rod, world) rod->body->failed = did(rod, trips, dt);
}

/* Writes, for example, "the step 1e-3 s is 41 times the stable 2.4e-5 s (shear mode of rod 3, element 17; ...)". */
static const char *step_text(const elastica_world *world, double dt, char *text, size_t size) {
  char where[200], steps[ELI_COMPARISON_SIZE];
  if (world->limit_check.limit.dt > 0.0)
    snprintf(text, size, "the step %s %s", eli_comparison(dt, world->limit_check.limit.dt, steps),
             eli_limit_text(world, &world->limit_check.limit, where, sizeof where));
  else
    snprintf(text, size, "the step is %.6g s", dt);
  return text;
}

/* The square of a vector may overflow although its components are finite. */
static const char *excess_of(const elastica_world *world, int lane, const extreme *of, char text[64]) {
  double largest = 0.0;
  for (int a = 0; a < 3; a++) {
    const double x = fabs(world->slab.lane[lane + a][of->rod->offset + (size_t)of->place]);
    if (!(x <= DBL_MAX)) return "is not finite";
    if (x > largest) largest = x;
  }
  snprintf(text, 64, "is too large, %.3g %s,", largest, lane == ELI_VELOCITY ? "m/s" : "rad/s");
  return text;
}

elastica_status eli_world_trip(elastica_world *world, unsigned trips, double dt) {
  char step[400], excess[64], why[400];
  const double time = eli_world_now(world);
  step_text(world, dt, step, sizeof step);
  const extreme node = largest(world, ELI_VELOCITY, 1), element = largest(world, ELI_OMEGA, 0);
  if (node.rod != NULL && !(node.value <= DBL_MAX))
    return eli_world_fail(world, ELASTICA_NOT_FINITE, "rod %d, node %d: velocity %s at t = %.9g s%s; %s", node.rod->index, node.place,
                          excess_of(world, ELI_VELOCITY, &node, excess), time,
                          eli_diagnose(world, node.rod, ELI_SYMPTOM_VELOCITY, node.place, dt, why, sizeof why), step);
  if (element.rod != NULL && !(element.value <= DBL_MAX))
    return eli_world_fail(world, ELASTICA_NOT_FINITE, "rod %d, element %d: spin %s at t = %.9g s%s; %s", element.rod->index, element.place,
                          excess_of(world, ELI_OMEGA, &element, excess), time,
                          eli_diagnose(world, element.rod, ELI_SYMPTOM_SPIN, element.place, dt, why, sizeof why), step);
  if (trips & ELI_TRIP_SPIN && element.rod != NULL && !(element.value * dt * dt < 0.999))
    return eli_world_fail(world, ELASTICA_UNSTABLE_STEP, "rod %d, element %d: turned by %.3g rad in one step at t = %.9g s%s; %s",
                          element.rod->index, element.place, sqrt(element.value) * dt, time,
                          eli_diagnose(world, element.rod, ELI_SYMPTOM_SPIN, element.place, dt, why, sizeof why), step);
  const extreme stretch = fastest_stretch(world, dt), joint = widest_joint(world, dt);
  if (trips & ELI_TRIP_STRETCH && stretch.rod != NULL) {
    stretch.rod->body->failed = 1;
    const stretching of = stretching_of(stretch.rod, stretch.place, dt);
    return eli_world_fail(
        world, ELASTICA_UNSTABLE_STEP,
        "rod %d, element %d: its nodes moved by %.3g m relative to each other in one step, in whose middle its length was %.3g m, "
        "at t = %.9g s%s; %s",
        stretch.rod->index, stretch.place, of.speed * dt, of.length, time,
        eli_diagnose(world, stretch.rod, ELI_SYMPTOM_LENGTH, faster_node_of(stretch.rod, stretch.place), dt, why, sizeof why), step);
  }
  if (trips & ELI_TRIP_JOINT && joint.rod != NULL) {
    joint.rod->body->failed = 1;
    return eli_world_fail(world, ELASTICA_JOINT_TOO_FAR,
                          "rod %d, joint %d: turned by more than %.1f rad (sin^2 of half the angle was up to %.6f) at t = %.9g s%s; %s",
                          joint.rod->index, joint.place, ELI_JOINT_LIMIT, joint.value, time,
                          eli_diagnose(world, joint.rod, ELI_SYMPTOM_SPIN, faster_at(&joint), dt, why, sizeof why), step);
  }
  return eli_world_fail(world, ELASTICA_NOT_FINITE, "a quantity is not finite at t = %.9g s; %s", time, step);
}
