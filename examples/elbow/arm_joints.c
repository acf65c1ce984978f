/* The library's joints and laws for the arm (see arm.h): each joint acts on both of its rods, with force and couple.
 *
 * joints     elbow: HINGE about x, carried by humerus and radius, 17 mm below the one and beside node 1 of the other. All other ties:
 *            BALL at the initial place of the second rod's node, with an offset in the frame of the first rod: a fibre turns the tendon,
 *            and the coil pulls the radius at a point 8 cm in front of it. Radius and ulna have two, since the authors' springs there
 *            transmit no couple either: the ulna can spin about its axis, but no load does so
 * equation   k = force/gap, from the largest force of a lift; likewise for the couple that turns the hinge out of its plane
 * laws       fibres by contraction, with c by a second one of uneven shares; weight of all rods, fibres and coil included, by gravity.
 *            Bone and tendon repel each other at the authors' nodes, along their line of centres: their radii initially overlap by up to
 *            10 mm, so that contact of the rods would act from the start
 * held       also the first frame of the humerus; otherwise the hinge would spin it about its ends
 * conserves  momentum and angular momentum, with the exact couple (the truncated one leaves 0.8 N m in the coil at 20 ms); the rods' law
 *            is RESCALED as in the authors' arm, since viscosity, which sets the pace of a lift, differs by 1/e in the other
 */
#include "arm_laws.h"

#include <math.h>

static const double BONE_FORCE = 1000, BONE_GAP = 1e-4, FIBRE_GAP = 2e-4; /* [N] [m] */
static const double ELBOW_COUPLE = 10, ANGLE = 1e-2;                      /* [N m] [rad] */

/* Anchor at a point [m] of an element, relative to one of its nodes. */
static elastica_anchor anchor_at(const arm *of, int number, int element, int share, const double point[3]) {
  const elastica_rod_view *rod = of->rod[number];
  elastica_anchor anchor = {.rod = elastica_world_rod(of->world, number), .element = element, .share = share};
  double from_node[3];
  for (int a = 0; a < 3; a++) from_node[a] = point[a] - rod->position[a][element + share];
  elastica_rotate_to_material(rod, element, from_node, anchor.offset);
  return anchor;
}

static void join(const example *e, arm *of, elastica_joint_def *def, double force, double gap) {
  def->force = force, def->gap = gap;
  example_require(e, of->world, elastica_add_joint(of->world, def, &of->joint[of->joint_count++]));
}

/* Anchored on the element before each node, which carries the tension. */
static void add_ball(const example *e, arm *of, int first, int node, int second, int at, double force, double gap) {
  elastica_joint_def ball;
  double point[3];
  for (int a = 0; a < 3; a++) point[a] = of->rod[second]->position[a][at];
  elastica_joint_def_init(&ball, sizeof ball);
  ball.first = anchor_at(of, first, node > 0 ? node - 1 : 0, node > 0, point);
  ball.second = anchor_at(of, second, at > 0 ? at - 1 : 0, at > 0, point);
  join(e, of, &ball, force, gap);
}

static void add_elbow(const example *e, arm *of) {
  const elastica_rod_view *humerus = of->rod[ARM_HUMERUS];
  elastica_joint_def hinge;
  double centre[3];
  for (int a = 0; a < 3; a++) centre[a] = humerus->position[a][20] + ARM_STEP * humerus->tangent[a][19];
  elastica_joint_def_init(&hinge, sizeof hinge);
  hinge.kind = ELASTICA_JOINT_HINGE;
  hinge.first = anchor_at(of, ARM_HUMERUS, 19, 1, centre);
  hinge.second = anchor_at(of, ARM_RADIUS, 1, 0, centre);
  hinge.axis[X] = 1, hinge.axis[Y] = hinge.axis[Z] = 0;
  hinge.couple = ELBOW_COUPLE, hinge.angle = ANGLE;
  join(e, of, &hinge, BONE_FORCE, BONE_GAP);
}

/* ---- Bone and tendon ---- */

static elastica_status press(void *self, const elastica_instant *now, elastica_world_loads *loads) {
  const elastica_rod_view *tendon = loads->rods[ARM_LOWER_TENDON], *bone = loads->rods[ARM_HUMERUS];
  double apart[3], square = 0;
  (void)self, (void)now;
  for (int a = 0; a < 3; a++) {
    apart[a] = tendon->position[a][ARM_TOUCHING_NODE] - bone->position[a][ARM_TOUCHED_NODE];
    square += apart[a] * apart[a];
  }
  const double distance = sqrt(square), overlap = ARM_TOUCH - distance;
  for (int a = 0; a < 3 && overlap > 0; a++) {
    const double force = ARM_BONE_STIFFNESS * overlap * apart[a] / distance;
    loads->loads[ARM_LOWER_TENDON].force[a][ARM_TOUCHING_NODE] += force;
    loads->loads[ARM_HUMERUS].force[a][ARM_TOUCHED_NODE] -= force;
  }
  return ELASTICA_OK;
}

static elastica_status bound(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  (void)self, (void)rod;
  if (now->rod_index == ARM_LOWER_TENDON) stiffness->node[ARM_TOUCHING_NODE] += 2 * ARM_BONE_STIFFNESS;
  if (now->rod_index == ARM_HUMERUS) stiffness->node[ARM_TOUCHED_NODE] += 2 * ARM_BONE_STIFFNESS;
  return ELASTICA_OK;
}

static void add_pressure(const example *e, arm *of) {
  elastica_module module;
  elastica_module_init(&module, sizeof module);
  module.name = "bone on tendon";
  module.stateless = 1;
  module.parallel_safe = 1;
  module.needs_derived = module.needs_geometry = 0;
  module.add_world_loads = press;
  module.add_stiffness = bound;
  example_require(e, of->world, elastica_world_add_module(of->world, NULL, &module, NULL));
}

/* ---- All of them ---- */

void arm_add_library_laws(const example *e, arm *of) {
  const double fibre_force = of->plan.maximum_force * (1 + of->plan.spread);
  elastica_boundary_def shoulder;
  elastica_boundary_def_init(&shoulder, sizeof shoulder);
  shoulder.axes = 0, shoulder.kind = ELASTICA_BOUNDARY_FRAME;
  example_require(e, of->world, elastica_add_boundary(of->world, elastica_world_rod(of->world, ARM_HUMERUS), &shoulder, NULL));
  for (const link *l = of->links; l < of->links + of->link_count; l++) {
    const int bones = l->rod[1] < ARM_FIBRE;
    add_ball(e, of, l->rod[0], l->node[0], l->rod[1], l->node[1], bones ? BONE_FORCE : fibre_force, bones ? BONE_GAP : FIBRE_GAP);
  }
  if (!of->plan.drive) add_elbow(e, of);
  if (of->plan.coil) add_ball(e, of, ARM_RADIUS, ARM_COIL_NODE, ARM_COIL, 0, BONE_FORCE, BONE_GAP);
  for (int k = ARM_FIBRE; k < ARM_FIBRE + ARM_FIBRES; k++) bundle_contract(e, of->world, elastica_world_rod(of->world, k), &of->biceps);
  example_require(e, of->world, elastica_add_gravity(of->world, (const double[]){0, 0, -9.81}, NULL));
  add_pressure(e, of);
}

double arm_gap(const example *e, const arm *of) {
  double largest = 0;
  for (int k = 0; k < of->joint_count; k++) {
    elastica_joint_info info;
    example_require(e, of->world, elastica_joint_get(of->joint[k], &info));
    largest = fmax(largest, info.gap);
  }
  return largest;
}
