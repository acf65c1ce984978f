/* Fixed joints at ends of rods, of second order: a rod in two pieces is the rod in one piece, an angle of two legs converges with the
 * square of the element, and a joint to the world is a clamp. Sections are four times as stiff about one axis as about the other. */
#include "base/target.h"

#include "relaxed.h"

enum { SIZES = 3 };
static const int sizes[SIZES] = {8, 16, 32};

/* Two rods of length 1. Each variant is a neighbour of the first. */
typedef struct scene {
  const char *name;
  int whole;     /* one rod of length 2 instead */
  double corner; /* [rad] about z, of the second rod */
  double rolled; /* [rad] d1 of the second rod, about its axis */
  int turned;    /* 1: the second rod begins at its free end */
  double far;    /* [m] of the first node from the origin */
} scene;

typedef struct assembly {
  elastica_world *world;
  elastica_rod *first, *last;
  elastica_effect *joint;
  int tip; /* node */
} assembly;

static elastica_rod *add_leg(elastica_world *world, int n, double length, const double start[3], const double direction[3],
                             const double normal[3], double soft) {
  double shear[3 * 2 * 32], bend[3 * 2 * 32];
  elastica_rod *rod = NULL;
  DEFAULTS(rod, def);
  for (int j = 0; j < n; j++) {
    shear[component(j, X)] = shear[component(j, Y)] = 3e5, shear[component(j, Z)] = 1e6;
    bend[component(j, X)] = soft, bend[component(j, Y)] = 4.0 * soft, bend[component(j, Z)] = 0.4 * soft;
  }
  def.element_count = n, def.length = length, def.radius = 0.02, def.density = 1000.0;
  def.shear_stiffness = shear, def.bend_stiffness = bend;
  memcpy(def.start, start, sizeof def.start);
  memcpy(def.direction, direction, sizeof def.direction);
  memcpy(def.normal, normal, sizeof def.normal);
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

/* kappa NAN: rigid, with a stiffer spring between the anchors. */
static assembly assemble(const scene *of, int n, double kappa) {
  const double start[3] = {of->far, -2.0 * of->far, 0.5 * of->far}, along[3] = {1.0, 0.0, 0.0}, normal[3] = {0.0, 0.0, 1.0};
  const double corner[3] = {start[0] + 1.0, start[1], start[2]};
  double second[3] = {cos(of->corner), sin(of->corner), 0.0};
  const double side[3] = {-sin(of->rolled) * second[1], sin(of->rolled) * second[0], cos(of->rolled)};
  assembly all = {make_world(NULL), NULL, NULL, NULL, n};
  all.first = add_leg(all.world, of->whole ? 2 * n : n, of->whole ? 2.0 : 1.0, start, along, normal, 1.0);
  all.last = all.first;
  if (of->whole) all.tip = 2 * n;
  clamp_first(all.world, all.first, ELASTICA_BOUNDARY_CLAMP);
  if (of->whole) return all;
  double from[3];
  for (int a = 0; a < 3; a++) from[a] = corner[a] + (of->turned ? second[a] : 0.0);
  for (int a = 0; a < 3 && of->turned; a++) second[a] = -second[a];
  all.last = add_leg(all.world, n, 1.0, from, second, side, 1.0);
  if (of->turned) all.tip = 0;
  DEFAULTS(joint, joint);
  joint.kind = ELASTICA_JOINT_FIXED;
  joint.first.rod = all.first, joint.first.element = -1, joint.first.share = 1.0;
  joint.second.rod = all.last;
  if (of->turned) joint.second.element = -1, joint.second.share = 1.0;
  joint.stiffness = kappa > 0.0 ? 1e6 : 1e9, joint.angular_stiffness = kappa;
  must(all.world, elastica_add_joint(all.world, &joint, &all.joint));
  return all;
}

static void find_tip(const assembly *all, double tip[3]) {
  const elastica_rod_view *view = elastica_rod_get_view(all->last);
  for (int a = 0; a < 3; a++) tip[a] = view->position[a][all->tip];
}

static void load_tip(const assembly *all, const double force[3]) {
  DEFAULTS(point_load, load);
  load.node = all->tip;
  memcpy(load.force, force, sizeof load.force);
  must(all->world, elastica_add_point_load(all->world, all->last, &load, NULL));
}

/* The displacement of the tip under a force across and along, which moves it by a third of a metre. */
static void bend(const scene *of, int n, double moved[3]) {
  static const double force[3] = {-0.1, 0.15, 0.1};
  assembly all = assemble(of, n, NAN);
  double before[3];
  find_tip(&all, before);
  load_tip(&all, force);
  must(all.world, elastica_world_relax(all.world, NULL, NULL));
  find_tip(&all, moved);
  for (int a = 0; a < 3; a++) moved[a] -= before[a];
  elastica_world_destroy(all.world);
}

/* The lowest frequencies [Hz], with force 0, or the lowest factors of a force. */
static void find_lowest(const scene *of, int n, const double *force, double out[4]) {
  assembly all = assemble(of, n, NAN);
  elastica_modes *modes = NULL;
  DEFAULTS(modes, def);
  if (force != NULL) load_tip(&all, force);
  must(all.world, elastica_world_relax(all.world, NULL, NULL));
  def.kind = force != NULL ? ELASTICA_MODES_BUCKLING : ELASTICA_MODES_FREQUENCIES, def.count = 4;
  must(all.world, elastica_modes_find(all.world, &def, &modes));
  assert_true(elastica_modes_count(modes) >= 4);
  for (int k = 0; k < 4; k++) {
    elastica_eigenmode mode;
    must(all.world, elastica_modes_get(modes, k, &mode));
    out[k] = force != NULL ? mode.factor : mode.frequency;
  }
  elastica_modes_destroy(modes);
  elastica_world_destroy(all.world);
}

static const scene whole = {.name = "in one piece", .whole = 1};

TEST(a_rod_in_two_pieces_bends_as_in_one) {
  static const scene pieces[] = {
      {.name = "two pieces"}, {.name = "two pieces, the second turned", .turned = 1}, {.name = "two pieces far away", .far = 10.0}};
  for (int k = 0; k < 3; k++) {
    double one[3], two[3];
    bend(&whole, 16, one);
    bend(&pieces[k], 16, two);
    for (int a = 0; a < 3; a++)
      if (!(fabs(two[a] - one[a]) <= 1e-7)) fail_msg("%s: the tip moves by %.9g m, in one piece by %.9g", pieces[k].name, two[a], one[a]);
  }
}

TEST(a_rod_in_two_pieces_vibrates_as_in_one) {
  static const scene pieces = {.name = "two pieces"};
  double one[4], two[4];
  find_lowest(&whole, 16, NULL, one);
  find_lowest(&pieces, 16, NULL, two);
  for (int k = 0; k < 4; k++) assert_close(two[k] / one[k], 1.0, 1e-7);
}

TEST(a_rod_in_two_pieces_twists_as_in_one) {
  static const scene pieces[2] = {{.name = "in one piece", .whole = 1}, {.name = "two pieces"}};
  const double couple = 0.3;
  for (int k = 0; k < 2; k++) {
    assembly all = assemble(&pieces[k], 16, NAN);
    DEFAULTS(point_load, load);
    load.element = -1, load.couple[2] = couple;
    must(all.world, elastica_add_point_load(all.world, all.last, &load, NULL));
    must(all.world, elastica_world_relax(all.world, NULL, NULL));
    const elastica_rod_view *view = elastica_rod_get_view(all.last);
    const double twist = couple * (2.0 - 1.0 / 32.0) / 0.4, tilt = view->director[0][1][view->element_count - 1];
    assert_close(fabs(tilt), fabs(sin(twist)), 1e-9); /* d1 was z; the couple is about the axis */
    elastica_world_destroy(all.world);
  }
}

static double order(const double at[SIZES]) {
  return log2((at[1] - at[0]) / (at[2] - at[1]));
}

TEST(angles_of_two_legs_converge_with_order_two) {
  static const scene angles[] = {{.name = "a right angle", .corner = -1.5707963267948966},
                                 {.name = "a sharp angle", .corner = 2.2, .rolled = 0.7},
                                 {.name = "a rolled section", .rolled = 1.5707963267948966},
                                 {.name = "a right angle, the second leg turned", .corner = -1.5707963267948966, .turned = 1}};
  static const double force[3] = {-0.01, 0.0, 0.0};
  for (int k = 0; k < 4; k++) {
    double moved[3][SIZES], hertz[4][SIZES], factor[4][SIZES];
    for (int s = 0; s < SIZES; s++) {
      double one[3], lowest[4], critical[4];
      bend(&angles[k], sizes[s], one);
      find_lowest(&angles[k], sizes[s], NULL, lowest);
      find_lowest(&angles[k], sizes[s], force, critical);
      for (int a = 0; a < 3; a++) moved[a][s] = one[a];
      for (int m = 0; m < 4; m++) hertz[m][s] = lowest[m], factor[m][s] = critical[m];
    }
    for (int a = 0; a < 3; a++)
      if (!(fabs(order(moved[a]) - 2.0) <= 0.1))
        fail_msg("%s: the tip converges along axis %d with order %g", angles[k].name, a, order(moved[a]));
    if (!(fabs(order(hertz[0]) - 2.0) <= 0.1)) fail_msg("%s: the first frequency converges with order %g", angles[k].name, order(hertz[0]));
    if (!(order(factor[0]) >= 1.9)) /* more where the part of second order is small */
      fail_msg("%s: the load factor converges with order %g", angles[k].name, order(factor[0]));
  }
}

/* Between two elements l apart the slope changes by M (l/B + 1/kappa). */
TEST(a_given_stiffness_is_in_series_with_the_rods) {
  static const scene pieces = {.name = "two pieces"};
  const double couple = 0.2, kappa = 5.0;
  assembly all = assemble(&pieces, 8, kappa);
  elastica_joint_info info;
  DEFAULTS(point_load, load);
  load.element = -1, load.couple[1] = couple;
  must(all.world, elastica_add_point_load(all.world, all.last, &load, NULL));
  must(all.world, elastica_world_relax(all.world, NULL, NULL));
  must(all.world, elastica_joint_get(all.joint, &info));
  assert_close(info.angle, couple * (0.125 / 4.0 + 1.0 / kappa), 1e-9);
  assert_close(norm(info.couple), couple, 1e-9);
  elastica_world_destroy(all.world);
}

/* The world in place of a clamp, and a body that a clamp holds. */
TEST(a_joint_to_the_world_or_to_a_body_is_a_clamp) {
  const double start[3] = {0.0, 0.0, 0.0}, along[3] = {1.0, 0.0, 0.0}, normal[3] = {0.0, 0.6, 0.8}, force[3] = {-0.2, 0.3, 0.5};
  double tip[3][3];
  for (int k = 0; k < 3; k++) {
    assembly all = {make_world(NULL), NULL, NULL, NULL, 12};
    all.first = all.last = add_leg(all.world, 12, 1.0, start, along, normal, 1.0);
    DEFAULTS(joint, joint);
    joint.kind = ELASTICA_JOINT_FIXED, joint.first.rod = all.first, joint.stiffness = 1e9;
    if (k == 0) clamp_first(all.world, all.first, ELASTICA_BOUNDARY_CLAMP);
    if (k == 2) {
      DEFAULTS(body, body);
      body.radius = 0.05, body.density = 1000.0;
      must(all.world, elastica_world_add_body(all.world, &body, &joint.second.rod));
      clamp_first(all.world, joint.second.rod, ELASTICA_BOUNDARY_FRAME);
    }
    if (k > 0) must(all.world, elastica_add_joint(all.world, &joint, NULL));
    load_tip(&all, force);
    must(all.world, elastica_world_relax(all.world, NULL, NULL));
    find_tip(&all, tip[k]);
    for (int a = 0; a < 3; a++) assert_close(tip[k][a], tip[0][a], 2e-8);
    elastica_world_destroy(all.world);
  }
}

/* Two pieces without damping swing from a bent state: energy stays to second order in the step, at 0.9 of the limit too, and momentum is
 * exact. The joint opens to more than the angle for which the first bounds hold. */
TEST(pieces_in_motion_keep_their_energy) {
  static const scene corner = {.name = "a right angle", .corner = -1.5707963267948966};
  double drift[2];
  for (int k = 0; k < 2; k++) {
    assembly all = assemble(&corner, 4, 1.0);
    double spin[3 * 4], position[3 * 5], angle = 0.0;
    elastica_totals energy;
    elastica_joint_info info;
    elastica_step_limit limit;
    const elastica_rod_view *view = elastica_rod_get_view(all.last);
    double velocity[3 * 5];
    for (int i = 0; i <= 4; i++) {
      velocity[component(i, X)] = 0.0, velocity[component(i, Y)] = 0.0, velocity[component(i, Z)] = -6.0 * i;
      for (int a = 0; a < 3; a++) position[component(i, a)] = view->position[a][i];
    }
    memset(spin, 0, sizeof spin);
    must(all.world, elastica_rod_set_state(all.last, position, velocity, NULL, spin));
    must(all.world, elastica_world_step_limit(all.world, &limit));
    const double dt = (k ? 0.45 : 0.9) * limit.dt;
    const double start = total_energy(all.world);
    drift[k] = 0.0;
    for (int s = 0; s < 100; s++) {
      must(all.world, elastica_world_step(all.world, dt, 10 * (k + 1)));
      must(all.world, elastica_joint_get(all.joint, &info));
      must(all.world, elastica_world_get_totals(all.world, &energy));
      angle = fmax(angle, info.angle);
      drift[k] = fmax(drift[k], fabs(total_energy(all.world) - start) / start);
    }
    assert_true(angle > 0.25);
    elastica_world_destroy(all.world);
  }
  assert_true(drift[0] < 2e-2 && drift[1] < 0.35 * drift[0]);
}
