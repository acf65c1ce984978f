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

#include "contact/capsule.h"
#include "effects/contact.h"
#include "rod/law.h"

#include <math.h>
#include <string.h>

/* The displacement of a difference: in the depth of the contact, but within these limits, in radii at rest. */
#define OF_DEPTH 1e-3
#define LEAST 1e-7
#define MOST 1e-6

/* The arguments of U: the ends of either element along three axes, then the radii there. */
enum { ENDS = 12, COLUMNS = 16, NODES = 2 * ELI_CONTACT_STIFFNESS_SIDE };

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

/* Returns 0 without contact. widening: dU/drho. */
static int find_hessian(const eli_contact *contact, eli_capsule at[2], double hessian[COLUMNS][COLUMNS], double widening[2][2]) {
  const eli_line_law at_rest = {contact->law.line.modulus, 0.0};
  eli_lines lines;
  eli_lines_begin(&lines, &at_rest);
  add_pair(at, &lines);
  compute(contact, &lines);
  if (!(lines.depth[0] > 0.0)) return 0;
  const double thin = at[0].rest_radius < at[1].rest_radius ? at[0].rest_radius : at[1].rest_radius;
  const double wanted = OF_DEPTH * lines.depth[0], wide = wanted < MOST * thin ? wanted : MOST * thin;
  const double size = wide > LEAST * thin ? wide : LEAST * thin;
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
static void add_to_jacobian(const widened *of, int side, double jacobian[COLUMNS][NODES]) {
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

/* Adds J^T H J. rows: the arguments with loads. */
static void add_product(const double jacobian[COLUMNS][NODES], const double hessian[COLUMNS][COLUMNS], int rows,
                        eli_contact_stiffness *out) {
  for (int row = 0; row < rows; row++) {
    double product[NODES] = {0.0};
    for (int k = 0; k < COLUMNS; k++)
      for (int c = 0; c < NODES; c++) product[c] += hessian[row][k] * jacobian[k][c];
    for (int r = 0; r < NODES; r++)
      for (int c = 0; c < NODES && jacobian[row][r] != 0.0; c++) out->stiffness[r][c] += jacobian[row][r] * product[c];
  }
}

/* Returns 0 without contact. */
static int find_columns(const eli_contact *contact, const eli_contact_pair *pair, eli_capsule at[2], eli_contact_stiffness *out) {
  double hessian[COLUMNS][COLUMNS], jacobian[COLUMNS][NODES] = {{0.0}}, widening[2][2];
  const int classical = out->rod[0]->classical_law;
  if (!find_hessian(contact, at, hessian, widening)) return 0;
  for (int k = 0; k < ENDS; k++) jacobian[k][ELI_CONTACT_STIFFNESS_SIDE * (k / 6) + k % 6] = 1.0;
  for (int side = 0; side < 2; side++) {
    widened of[3];
    const int count = find_widened(out, side, pair->reduction, of);
    for (int k = 0; k < count; k++) {
      add_to_jacobian(&of[k], side, jacobian);
      if (classical) add_curvature(&of[k], widening[side], out);
    }
  }
  add_product((const double(*)[NODES])jacobian, (const double(*)[COLUMNS])hessian, classical ? COLUMNS : ENDS, out);
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

static int find_stiffness(const eli_contact *contact, size_t k, eli_contact_stiffness *out) {
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
      !find_columns(contact, pair, at, out))
    return 0;
  add_friction(contact, k, out);
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
  if (eli_contact_cover(contact, 0.0) < 0) return ELASTICA_OUT_OF_MEMORY;
  for (size_t k = 0; k < contact->count; k++) {
    eli_contact_stiffness of;
    if (find_stiffness(contact, k, &of)) visit(context, &of);
  }
  return ELASTICA_OK;
}
