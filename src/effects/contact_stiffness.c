/* The stiffness of contacts between rods (see contact.h): each pair by central differences of its own loads.
 *
 * models     The energy U(x, rho) of a pair depends on the ends x of both elements and on the radii rho there. A node has the mean radius
 *            of its elements, r = sqrt(V/(pi l)), so U also depends on the nodes beyond both ends
 * equation   with J = d(x, rho)/d(nodes) and the Hessian H of U:  stiffness = J^T H J + sum dU/drho d^2 rho/d(nodes)^2.  The rescaled law
 *            has no tensions for dU/drho: its rows of J^T for rho are 0, and so is the sum
 * test       tests/test_statics_tangent.c, tests/test_relax_touching.c
 *
 * A tangential spring counts with its present lever arms.
 */
#include "base/target.h"

#include "base/vector.h"
#include "contact/capsule.h"
#include "effects/contact.h"
#include "rod/law.h"

#include <math.h>
#include <string.h>

/* The displacement of a finite difference: OF_DEPTH of the depth of the contact, but between LEAST and MOST of the thinner radius. */
#define OF_DEPTH 1e-3
#define LEAST 1e-7
#define MOST 1e-6

/* The arguments of U: the ends of either element along three axes, then the radii there. */
enum { ENDS = 12, COLUMNS = 16, NODES = 2 * ELI_CONTACT_STIFFNESS_SIDE };

/* A stage of an implicit step has six more arguments: the turns of either element about its three directors. */
enum { ALL = COLUMNS + 6, SIZE = ELI_CONTACT_STIFFNESS_SIZE };

static double *coordinate_of(eli_capsule at[2], int column) {
  return column < ENDS ? &at[column / 6].end[column % 6 / 3][column % 3] : &at[(column - ENDS) / 2].end_radius[(column - ENDS) % 2];
}

static void add_pair(const eli_capsule at[2], eli_lines *lines) {
  for (int side = 0; side < 2; side++) eli_lines_place(lines, lines->count, side, &at[side]);
  lines->count++;
}

static void compute(const eli_contact *contact, eli_lines *lines) {
  contact->work->find_parts(lines);
  contact->work->find_lines(lines);
}

/* dU/d(argument): minus a force, or the load that widens an end. */
static double slope_of(const eli_lines *lines, int q, int row) {
  return row < ENDS ? -lines->force[row / 6][row % 6 / 3][row % 3][q] : lines->swelling[(row - ENDS) / 2][(row - ENDS) % 2][q];
}

static double difference_for(double depth, double thin) {
  const double wanted = OF_DEPTH * depth, wide = wanted < MOST * thin ? wanted : MOST * thin;
  return wide > LEAST * thin ? wide : LEAST * thin;
}

/* Returns 0 if the pair is not in contact. widening: dU/drho. */
static int find_hessian(const eli_contact *contact, eli_capsule at[2], double hessian[ALL][ALL], double widening[2][2]) {
  const eli_line_law at_rest = {contact->law.line.modulus, 0.0};
  eli_lines lines;
  eli_lines_begin(&lines, &at_rest);
  add_pair(at, &lines);
  compute(contact, &lines);
  if (!(lines.depth[0] > 0.0)) return 0;
  const double thin = at[0].rest_radius < at[1].rest_radius ? at[0].rest_radius : at[1].rest_radius;
  const double size = difference_for(lines.depth[0], thin);
  for (int k = 0; k < 4; k++) widening[k / 2][k % 2] = lines.swelling[k / 2][k % 2][0];
  for (int first = 0; first < COLUMNS; first += ELI_LINES / 2) {
    double apart[ELI_LINES / 2];
    eli_lines_begin(&lines, &at_rest);
    for (int column = first; column < first + ELI_LINES / 2; column++) {
      double *const place = coordinate_of(at, column), kept = *place, more = kept + size, less = kept - size;
      *place = more;
      add_pair(at, &lines);
      *place = less;
      add_pair(at, &lines);
      *place = kept;
      apart[column - first] = more - less;
    }
    compute(contact, &lines);
    for (int column = first; column < first + ELI_LINES / 2; column++) {
      const int q = 2 * (column - first);
      for (int row = 0; row < COLUMNS; row++)
        hessian[row][column] = (slope_of(&lines, q, row) - slope_of(&lines, q + 1, row)) / apart[column - first];
    }
  }
  return 1;
}

/* ---- From ends and radii to nodes ---- */

/* An element whose length changes radii: its nodes as places in eli_contact_stiffness, the derivatives of both radii by its own radius, and
 * those of its radius by its length. */
typedef struct widened {
  int first, second;
  double by_radius[2];
  double slope, curvature; /* [1], [1/m] */
  double length, tangent[3];
} widened;

static widened widened_element(const elastica_rod_view *rod, int j, int first, int second) {
  const double l = rod->length[j], r = eli_radius(rod->volume[j], l);
  widened out = {.first = first, .second = second, .slope = -0.5 * r / l, .curvature = 0.75 * r / (l * l), .length = l};
  for (int a = 0; a < 3; a++) out.tangent[a] = rod->tangent[a][j];
  return out;
}

/* Finds these elements on one side: the element itself and its neighbours. Returns how many they are. */
static int find_widened(const eli_contact_stiffness *of, int side, double reduction, widened out[3]) {
  const elastica_rod_view *rod = of->rod[side];
  const int own = ELI_CONTACT_STIFFNESS_SIDE * side;
  int count = 1;
  out[0] = widened_element(rod, of->element[side], own, own + 3);
  for (int end = 0; end < 2; end++) {
    const int beside = eli_contact_neighbour(rod, of->element[side], end);
    out[0].by_radius[end] = beside < 0 ? reduction : 0.5 * reduction;
    if (beside < 0) continue;
    out[count] = end ? widened_element(rod, beside, own + 3, own + 9) : widened_element(rod, beside, own + 6, own);
    out[count++].by_radius[end] = 0.5 * reduction;
  }
  return count;
}

/* Adds the rows of J for the radii of a side. */
static void add_to_jacobian(const widened *of, int side, double jacobian[ALL][SIZE]) {
  for (int end = 0; end < 2; end++)
    for (int a = 0; a < 3; a++) {
      const double change = of->by_radius[end] * of->slope * of->tangent[a];
      jacobian[ENDS + 2 * side + end][of->first + a] -= change;
      jacobian[ENDS + 2 * side + end][of->second + a] += change;
    }
}

/* Adds dU/dr d^2 r/d(nodes)^2. */
static void add_curvature(const widened *of, const double widening[2], eli_contact_stiffness *out) {
  const double load = of->by_radius[0] * widening[0] + of->by_radius[1] * widening[1];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const double along = of->tangent[a] * of->tangent[b], across = (a == b ? 1.0 : 0.0) - along;
      const double m = load * (of->slope * across / of->length + of->curvature * along);
      out->stiffness[of->first + a][of->first + b] += m;
      out->stiffness[of->second + a][of->second + b] += m;
      out->stiffness[of->first + a][of->second + b] -= m;
      out->stiffness[of->second + a][of->first + b] -= m;
    }
}

/* Adds J^T H J of so many arguments. rescaled 1: the radii have no loads. */
static void add_product(const double jacobian[ALL][SIZE], const double hessian[ALL][ALL], int arguments, int rescaled,
                        eli_contact_stiffness *out) {
  const int width = arguments > COLUMNS ? SIZE : NODES;
  for (int row = 0; row < arguments; row++) {
    double product[SIZE] = {0.0};
    if (rescaled && row >= ENDS && row < COLUMNS) continue;
    for (int k = 0; k < arguments; k++)
      for (int c = 0; c < width; c++) product[c] += hessian[row][k] * jacobian[k][c];
    for (int r = 0; r < width; r++)
      for (int c = 0; c < width && jacobian[row][r] != 0.0; c++) out->stiffness[r][c] += jacobian[row][r] * product[c];
  }
}

/* ---- In a stage of an implicit step ----
 *
 * The loads also depend on velocities, which change with positions, and friction depends on the displacements and turns since the start of
 * the step. Its history is that of the present state.
 */

/* A pair in a stage. */
typedef struct staged {
  const eli_contact *contact;
  const elastica_rod_view *rod[2];
  int element[2], is_rough;
  double rate; /* [1/s] change of a velocity per change of its position */
  eli_capsule at[2];
  eli_contact_motion motion;
  eli_stick_slip history;
} staged;

static void displace(staged *at, int column, double by) {
  const int side = column < ENDS ? column / 6 : (column - COLUMNS) / 3, end = column % 6 / 3, a = column % 3;
  if (column < COLUMNS) *coordinate_of(at->at, column) += by;
  if (column < ENDS) {
    at->at[side].velocity[end][a] += at->rate * by;
    at->motion.moved[side][end][a] += by;
  }
  for (int b = 0; b < 3 && column >= COLUMNS; b++) {
    const double turn = by * at->rod[side]->director[(column - COLUMNS) % 3][b][at->element[side]];
    at->motion.turned[side][b] += turn;
    at->motion.spin[side][b] += at->rate * turn;
  }
}

/* Computes friction and its couples on both elements. */
static void find_friction(const staged *at, const eli_lines *lines, int q, double friction[3], double couple[2][3]) {
  eli_stick_slip history = at->history;
  eli_touch touch;
  memset(friction, 0, 3 * sizeof *friction);
  memset(couple, 0, 2 * sizeof *couple);
  if (!at->is_rough || !eli_lines_read(lines, q, &touch.line)) return;
  eli_lines_read_middle(lines, q, &touch.middle);
  touch.stiffness = at->contact->law.tangential_ratio * at->contact->law.line.modulus * touch.line.extent;
  eli_contact_return_friction(at->contact, &history, &at->motion, &at->at[0], &at->at[1], &touch, friction);
  for (int side = 0; side < 2; side++) {
    double lever[3], own[3];
    for (int a = 0; a < 3; a++) {
      lever[a] = touch.middle.point[a] - touch.middle.axis[side][a];
      own[a] = side ? -friction[a] : friction[a];
    }
    eli_cross(lever, own, couple[side]);
  }
}

/* Writes minus the loads for all arguments: couples in components of the present frames. */
static void read_loads(const staged *at, const eli_lines *lines, int q, double out[ALL]) {
  double friction[3], couple[2][3];
  find_friction(at, lines, q, friction, couple);
  for (int row = 0; row < COLUMNS; row++) out[row] = slope_of(lines, q, row);
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) {
      const double second = lines->middle[side][q], own = side ? -friction[a] : friction[a];
      out[6 * side + a] -= (1.0 - second) * own;
      out[6 * side + 3 + a] -= second * own;
      out[COLUMNS + 3 * side + a] = 0.0;
      for (int b = 0; b < 3; b++) out[COLUMNS + 3 * side + a] -= at->rod[side]->director[a][b][at->element[side]] * couple[side][b];
    }
}

/* Finds H in the stage, with all loads at the present state. Returns 0 without contact. */
static int find_derivatives(const staged *at, double size, double turn, double loads[ALL], double hessian[ALL][ALL]) {
  eli_lines lines, now;
  eli_lines_begin(&now, &at->contact->law.line);
  add_pair(at->at, &now);
  compute(at->contact, &now);
  if (!(now.depth[0] > 0.0)) return 0;
  read_loads(at, &now, 0, loads);
  for (int first = 0; first < ALL; first += ELI_LINES / 2) {
    staged moved[ELI_LINES];
    const int end = first + ELI_LINES / 2 < ALL ? first + ELI_LINES / 2 : ALL;
    eli_lines_begin(&lines, &at->contact->law.line);
    for (int column = first; column < end; column++)
      for (int side = 0; side < 2; side++) {
        const double by = column < COLUMNS ? size : turn;
        staged *to = &moved[2 * (column - first) + side];
        *to = *at;
        displace(to, column, side ? -by : by);
        if (column < COLUMNS) add_pair(to->at, &lines);
      }
    if (lines.count > 0) compute(at->contact, &lines);
    for (int column = first; column < end; column++) {
      const int turns = column >= COLUMNS, q = 2 * (column - first);
      const double apart = 2.0 * (turns ? turn : size);
      double more[ALL], less[ALL];
      read_loads(&moved[q], turns ? &now : &lines, turns ? 0 : q, more);
      read_loads(&moved[q + 1], turns ? &now : &lines, turns ? 0 : q + 1, less);
      for (int row = 0; row < ALL; row++) hessian[row][column] = (more[row] - less[row]) / apart;
    }
  }
  return 1;
}

/* A couple that is constant in the laboratory changes its components m as the frame turns: director k by d_b x d_k. loads: minus m. */
static void add_turning_frames(const double loads[ALL], eli_contact_stiffness *out) {
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 3; k++) {
      const double *minus = loads + COLUMNS + 3 * side;
      const int first = NODES + 3 * side;
      out->stiffness[first + (k + 1) % 3][first + k] += minus[(k + 2) % 3];
      out->stiffness[first + (k + 2) % 3][first + k] -= minus[(k + 1) % 3];
    }
}

static int find_staged(const eli_contact *contact, const eli_contact_pair *pair, const eli_capsule at[2], double loads[ALL],
                       double hessian[ALL][ALL]) {
  staged of = {.contact = contact, .is_rough = contact->law.friction > 0.0, .at = {at[0], at[1]}};
  const double thin = at[0].rest_radius < at[1].rest_radius ? at[0].rest_radius : at[1].rest_radius;
  const size_t k = eli_contact_search(contact, pair);
  eli_trial trial;
  int keeps;
  eli_touch touch;
  if (!eli_contact_find(contact, k, &touch)) return 0;
  (void)eli_world_trial(contact->world, &trial, &keeps);
  of.rate = trial.rate_per_change;
  if (of.is_rough) {
    of.history = eli_contact_history_of(contact, k, touch.stiffness);
    eli_contact_read_motion(contact, pair, &of.motion);
  }
  for (int side = 0; side < 2; side++) {
    of.rod[side] = eli_contact_member_of(contact, pair->rod[side])->rod;
    of.element[side] = pair->element[side];
  }
  const double size = difference_for(touch.line.depth, thin);
  return find_derivatives(&of, size, size / thin, loads, hessian);
}

/* Returns 0 without contact. */
static int find_columns(const eli_contact *contact, const eli_contact_pair *pair, int in_stage, eli_capsule at[2],
                        eli_contact_stiffness *out) {
  double hessian[ALL][ALL], jacobian[ALL][SIZE] = {{0.0}}, widening[2][2], loads[ALL];
  const int classical = out->rod[0]->classical_law, arguments = in_stage ? ALL : COLUMNS;
  if (in_stage ? !find_staged(contact, pair, at, loads, hessian) : !find_hessian(contact, at, hessian, widening)) return 0;
  for (int k = 0; k < 4 && in_stage; k++) widening[k / 2][k % 2] = loads[ENDS + k];
  for (int k = COLUMNS; k < arguments; k++) jacobian[k][NODES + k - COLUMNS] = 1.0;
  for (int k = 0; k < ENDS; k++) jacobian[k][ELI_CONTACT_STIFFNESS_SIDE * (k / 6) + k % 6] = 1.0;
  for (int side = 0; side < 2; side++) {
    widened of[3];
    const int count = find_widened(out, side, pair->reduction, of);
    for (int k = 0; k < count; k++) {
      add_to_jacobian(&of[k], side, jacobian);
      if (classical) add_curvature(&of[k], widening[side], out);
    }
  }
  add_product((const double(*)[SIZE])jacobian, (const double(*)[ALL])hessian, arguments, !classical, out);
  if (in_stage) add_turning_frames(loads, out);
  out->turns = in_stage && contact->law.friction > 0.0;
  return 1;
}

/* Adds the tangential spring, unless it slides. */
static void add_friction(const eli_contact *contact, size_t k, eli_contact_stiffness *out) {
  const eli_stick_slip history = eli_contact_history(contact, k);
  eli_touch touch;
  double lever[2][3];
  if (!(contact->law.friction > 0.0) || (history.stiffness > 0.0 && !history.sticks) || !eli_contact_find(contact, k, &touch)) return;
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < 3; a++) lever[side][a] = touch.middle.point[a] - touch.middle.axis[side][a];
  eli_contact_stiffness_add_spring(out, touch.stiffness, touch.middle.normal, touch.middle.share, (const double(*)[3])lever);
}

static int find_stiffness(const eli_contact *contact, size_t k, int in_stage, eli_contact_stiffness *out) {
  const eli_contact_pair *pair = &contact->list[k];
  eli_capsule at[2];
  memset(out, 0, sizeof *out);
  for (int side = 0; side < 2; side++) {
    out->rod[side] = eli_contact_member_of(contact, pair->rod[side])->rod;
    out->element[side] = pair->element[side];
    if (out->rod[side]->rigid) return 0;
    for (int end = 0; end < 2; end++) {
      const int beside = eli_contact_neighbour(out->rod[side], pair->element[side], end);
      out->beyond[side][end] = beside < 0 ? -1 : end ? eli_second_node(out->rod[side], beside) : beside;
    }
    eli_contact_place_moving(contact, pair->rod[side], pair->element[side], &at[side]);
  }
  eli_contact_reduce(pair, at);
  if (eli_contact_distance(eli_edge_of(&at[0]), eli_edge_of(&at[1])) >= at[0].radius + at[1].radius ||
      !find_columns(contact, pair, in_stage, at, out))
    return 0;
  if (!in_stage) add_friction(contact, k, out);
  return 1;
}

/* Slip [m]: of the first relative to the second, from ends and frames. The energy of the spring is its square over both tangential
 * directions. */
void eli_contact_stiffness_add_spring(eli_contact_stiffness *of, double stiffness, const double normal[3], const double share[2],
                                      const double lever[2][3]) {
  double slip[3][ELI_CONTACT_STIFFNESS_SIZE] = {{0.0}};
  const int sides = of->rod[1] != NULL ? 2 : 1;
  for (int side = 0; side < sides; side++) {
    const double sign = side ? -1.0 : 1.0, *arm = lever[side];
    for (int a = 0; a < 3; a++) {
      slip[a][ELI_CONTACT_STIFFNESS_SIDE * side + a] = sign * (1.0 - share[side]);
      slip[a][ELI_CONTACT_STIFFNESS_SIDE * side + 3 + a] = sign * share[side];
      for (int b = 0; b < 3; b++) { /* a turn about director b: d_b x lever */
        const double *const *d = of->rod[side]->director[b];
        const int j = of->element[side], next = (a + 1) % 3, last = (a + 2) % 3;
        slip[a][NODES + 3 * side + b] = sign * (d[next][j] * arm[last] - d[last][j] * arm[next]);
      }
    }
  }
  for (int k = 0; k < ELI_CONTACT_STIFFNESS_SIZE; k++) {
    const double along = normal[0] * slip[0][k] + normal[1] * slip[1][k] + normal[2] * slip[2][k];
    for (int i = 0; i < ELI_CONTACT_STIFFNESS_SIZE; i++)
      for (int a = 0; a < 3; a++) of->stiffness[i][k] += stiffness * slip[a][i] * (slip[a][k] - along * normal[a]);
  }
  of->turns = 1;
}

elastica_status eli_contact_find_stiffness(eli_contact *contact, void (*visit)(void *context, const eli_contact_stiffness *contact),
                                           void *context) {
  eli_trial trial;
  int keeps;
  const int in_stage = eli_world_trial(contact->world, &trial, &keeps);
  if (eli_contact_cover(contact, 0.0) < 0 || eli_contact_find_moved(contact) < 0) return ELASTICA_OUT_OF_MEMORY;
  for (size_t k = 0; k < contact->count; k++) {
    eli_contact_stiffness of;
    if (find_stiffness(contact, k, in_stage, &of)) visit(context, &of);
  }
  return ELASTICA_OK;
}
