#include "scaffold_muscle.h"

#include <math.h>

static const double PILLAR = 2.04, START = 0.1; /* [mm] from the axis of a leg to that of a ring round it; [s] */
enum { RING_ELEMENTS = 22 };                    /* without the overlap */

static double tension_at(const scaffold *of, double time) {
  const double since = time - START;
  return since < 0 ? 0 : 600 * fabs(sin(acos(-1) * of->plan.frequency * since)) + fmin(200, 1000 * since);
}

static void contract(const scaffold *of, double time, const elastica_world_loads *loads) {
  const double tension = tension_at(of, time);
  for (int k = SCAFFOLD_RINGS; k < SCAFFOLD_RODS; k++) {
    const elastica_rod_view *rod = loads->rods[k];
    const int n = k < SCAFFOLD_STRIPS ? RING_ELEMENTS : rod->element_count;
    for (int j = 0; j < n; j++)
      for (int a = 0; a < 3; a++) {
        loads->loads[k].force[a][j] += tension * rod->tangent[a][j];
        loads->loads[k].force[a][j + 1] -= tension * rod->tangent[a][j];
      }
    if (k >= SCAFFOLD_STRIPS) continue;
    double gap[3], square = 0;
    for (int a = 0; a < 3; a++) gap[a] = rod->position[a][22] - rod->position[a][0], square += gap[a] * gap[a];
    for (int a = 0; a < 3 && square > 0; a++) {
      loads->loads[k].force[a][0] += tension * gap[a] / sqrt(square);
      loads->loads[k].force[a][22] -= tension * gap[a] / sqrt(square);
    }
  }
}

/* The place of contact of a ring on legs: between their node `node` and the next, at a share of the way; the share is 0 in the original
 * design. */
typedef struct height {
  int node;
  double share;
} height;

static height height_of(const scaffold *of, int ring) {
  const double at = 3 + ring % 2 + of->plan.lower, node = fmin(floor(at), SCAFFOLD_LEG_ELEMENTS - 1);
  return (height){(int)node, at - node};
}

static double at_height(const double *lane, height at) {
  return (1 - at.share) * lane[at.node] + at.share * lane[at.node + 1];
}

/* Contact of a node of a ring outside the line through two legs. A given share of the force acts on the legs, along the direction from
 * leg 2 to leg 3. */
static void press(const scaffold *of, const elastica_world_loads *loads, int ring, int i, int leg, int other, int felt) {
  const elastica_rod_view *rod = loads->rods[ring], *p = loads->rods[leg], *q = loads->rods[other];
  const height at = height_of(of, ring);
  double line[3], from[3], ahead[3], length = 0, along = 0, square = 0, size = 0, rate = 0, force[3] = {0};
  for (int a = 0; a < 3; a++) {
    line[a] = at_height(q->position[a], at) - at_height(p->position[a], at);
    from[a] = rod->position[a][i] - at_height(p->position[a], at);
    length += line[a] * line[a];
    along += line[a] * from[a];
  }
  for (int a = 0; a < 3; a++) from[a] -= along / length * line[a], square += from[a] * from[a];
  const double distance = sqrt(square);
  if (distance >= PILLAR || distance <= 0) return;
  for (int a = 0; a < 3; a++) {
    const double speed = felt ? 0.5 * (at_height(p->velocity[a], at) + at_height(q->velocity[a], at)) : 0;
    rate += (speed - rod->velocity[a][i]) * from[a] / distance;
    ahead[a] = at_height(loads->rods[3]->position[a], at) - at_height(loads->rods[2]->position[a], at);
    size += ahead[a] * ahead[a];
  }
  for (int a = 0; a < 2; a++) {
    force[a] = (SCAFFOLD_MUSCLE_SPRING / of->plan.softer * (PILLAR - distance) + 1e-3 * rate) * from[a] / distance;
    loads->loads[ring].force[a][i] += force[a];
  }
  const double back = -0.5 * (force[0] * ahead[0] + force[1] * ahead[1]) / size;
  for (int a = 0; a < 3 && felt; a++) {
    for (int end = 0; end < 2; end++) {
      const double share = end ? at.share : 1 - at.share;
      loads->loads[leg].force[a][at.node + end] += share * (back * ahead[a]);
      loads->loads[other].force[a][at.node + end] += share * (back * ahead[a]);
    }
  }
}

void scaffold_contract(const scaffold *of, double time, const elastica_world_loads *loads) {
  if (time >= START) contract(of, time, loads);
  if (time < of->plan.press_from) return;
  for (int ring = SCAFFOLD_RINGS; ring < SCAFFOLD_STRIPS; ring++) {
    const int far = ring < 12;
    for (int i = 0; i <= 7; i++) press(of, loads, ring, i, far ? 3 : 2, far ? 5 : 4, 1);
    for (int i = 8; i <= 11; i++) press(of, loads, ring, i, 4, 5, 0);
    for (int i = 18; i <= 21; i++) press(of, loads, ring, i, 2, 3, 0);
  }
}

void scaffold_bound_muscles(const scaffold *of, int k, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  if (k >= SCAFFOLD_RINGS && k < SCAFFOLD_STRIPS)
    for (int i = 0; i < RING_ELEMENTS; i++) stiffness->node[i] += i < 12 || i > 17 ? 1.2 * SCAFFOLD_MUSCLE_SPRING / of->plan.softer : 0;
  if (k >= SCAFFOLD_LEGS && k < SCAFFOLD_CROSSES) {
    const height at = height_of(of, 0);
    for (int end = 0; end < 2; end++)
      stiffness->node[at.node + end] += (end ? at.share : 1 - at.share) * (2 * SCAFFOLD_MUSCLE_SPRING / of->plan.softer);
  }
  for (int j = 0; j < rod->element_count && k >= SCAFFOLD_RINGS; j++)
    for (int end = 0; end < 2; end++) stiffness->node[j + end] += 2 * 800 / rod->length[j];
}

double scaffold_ring(const scaffold *of) {
  double length = 0;
  for (int j = 0; j < RING_ELEMENTS; j++) length += of->rod[SCAFFOLD_RINGS]->length[j];
  return length;
}
