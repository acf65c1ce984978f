/* The stiffness of contacts between rods and bodies (see contact.h): each pair by central differences of its own loads.
 *
 * models     The energy U(x, rho) of a pair depends on the ends x of both elements and on the radii rho there. A node has the mean radius
 *            of its elements, r = sqrt(V/(pi l)), so U also depends on the nodes beyond both ends
 * equation   with J = d(x, rho)/d(nodes) and the Hessian H of U:  stiffness = J^T H J + sum dU/drho d^2 rho/d(nodes)^2.  The rescaled law
 *            has no tensions for dU/drho: its rows of J^T for rho are 0, and so is the sum
 * test       tests/test_statics_tangent.c, tests/test_relax_touching.c
 *
 * Friction at rest is that of the last accepted state: it turns with the contact, and its spring has no limit while it sticks and no
 * stiffness while it slides.
 */
#include "base/target.h"

#include "base/vector.h"
#include "contact/capsule.h"
#include "effects/contact.h"
#include "rod/law.h"

#include <math.h>
#include <string.h>

/* The arguments of U: the ends of either element along three axes, then the radii there. */
enum { ENDS = 12, COLUMNS = 16, NODES = 2 * ELI_CONTACT_STIFFNESS_SIDE };

/* A stage of an implicit step, friction and a rigid body have six more arguments: the turns of either element about its directors. */
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

/* Returns 0 if the pair is not in contact. widening: dU/drho. */
static int find_hessian(const eli_contact *contact, eli_capsule at[2], double hessian[ALL][ALL], double widening[2][2]) {
  const eli_line_law at_rest = {contact->law.line.modulus, 0.0};
  eli_lines lines;
  eli_lines_begin(&lines, &at_rest);
  add_pair(at, &lines);
  compute(contact, &lines);
  if (!(lines.depth[0] > 0.0)) return 0;
  const double thin = at[0].rest_radius < at[1].rest_radius ? at[0].rest_radius : at[1].rest_radius;
  const double size = eli_capsule_difference(lines.depth[0], thin, 0);
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

/* ---- In a stage of an implicit step, with friction, and beside a rigid body ----
 *
 * In a stage the loads also depend on velocities, which change with positions. Friction depends on the displacements and turns since the
 * start of the step, or at rest since the last accepted state, which is the present one. Its history is that of the start. A rigid body is
 * displaced by its centre, which takes the place of its first end, and turned as a whole.
 */

/* A pair, possibly displaced. */
typedef struct staged {
  const eli_contact *contact;
  const elastica_rod_view *rod[2];
  int element[2], is_rough, in_stage;
  int solid;   /* 1, 2: the first, the second is a box or cylinder; 0: neither */
  double rate; /* [1/s] change of a velocity per change of its position; 0 at rest */
  eli_line_law law;
  eli_capsule at[2];
  double centre[2][3], velocity[2][3]; /* of rigid bodies */
  eli_placed_solid placed;             /* the box or cylinder */
  eli_contact_motion motion;
  eli_stick_slip history;
} staged;

/* Returns 0 for an argument without effect. */
static int is_argument(const staged *at, int column) {
  const int side = column < ENDS ? column / 6 : column < COLUMNS ? (column - ENDS) / 2 : (column - COLUMNS) / 3;
  if (at->rod[side]->rigid) return column < ENDS ? column % 6 < 3 : column >= COLUMNS;
  return column < ENDS || (column < COLUMNS ? at->solid == 0 : at->is_rough);
}

/* Returns 1 for an argument that displaces an end or a radius. */
static int moves_line(const staged *at, int column) {
  return column < COLUMNS || at->rod[(column - COLUMNS) / 3]->rigid;
}

/* Shifts a body and turns it by a small angle, laboratory. */
static void displace_body(staged *at, int side, const double shift[3], const double turn[3]) {
  const double *spin = at->motion.spin[side];
  eli_turn_frame_by(turn, at->rate, at->motion.spin[side], at->motion.turned[side]);
  eli_capsule_displace(&at->at[side], shift, turn, at->velocity[side], spin, at->rate, at->centre[side], at->motion.moved[side]);
  if (at->solid != side + 1) return;
  for (int k = 0; k < 3; k++) {
    double swing[3];
    eli_cross(turn, at->placed.place.director + 3 * k, swing);
    for (int a = 0; a < 3; a++) at->placed.place.director[3 * k + a] += swing[a];
    at->placed.place.position[k] = at->centre[side][k];
    at->placed.place.velocity[k] += at->rate * shift[k];
    at->placed.spin[k] = spin[k];
  }
}

static void displace(staged *at, int column, double by) {
  const int side = column < ENDS ? column / 6 : (column - COLUMNS) / 3, end = column % 6 / 3, a = column % 3;
  double shift[3] = {0.0, 0.0, 0.0}, turn[3] = {0.0, 0.0, 0.0};
  if (column < ENDS) shift[a] = by;
  for (int b = 0; b < 3 && column >= COLUMNS; b++) turn[b] = by * at->rod[side]->director[(column - COLUMNS) % 3][b][at->element[side]];
  if ((column < ENDS || column >= COLUMNS) && at->rod[side]->rigid) {
    displace_body(at, side, shift, turn);
    return;
  }
  if (column < COLUMNS) *coordinate_of(at->at, column) += by;
  if (column < ENDS) {
    at->at[side].velocity[end][a] += at->rate * by;
    at->motion.moved[side][end][a] += by;
  }
  if (column >= COLUMNS) eli_turn_frame_by(turn, at->rate, at->motion.spin[side], at->motion.turned[side]);
}

/* Loads of a pair: forces on the ends, couples about the axis, and widening loads. */
typedef struct staged_loads {
  double force[2][2][3], couple[2][3], widening[2][2];
} staged_loads;

/* Adds friction at the middle of the contact. */
static void add_friction(const staged *at, const eli_touch *touch, staged_loads *out) {
  eli_stick_slip history = at->history;
  eli_touch of = *touch;
  double friction[3];
  if (!at->in_stage) eli_stick_slip_unlimit(&history, &of.stiffness, &of.line.pressure);
  eli_contact_return_friction(at->contact, &history, &at->motion, &at->at[0], &at->at[1], &of, friction);
  for (int side = 0; side < 2; side++) {
    double lever[3], own[3], couple[3];
    const double second = touch->middle.share[side];
    for (int a = 0; a < 3; a++) {
      lever[a] = touch->middle.point[a] - touch->middle.axis[side][a];
      own[a] = side ? -friction[a] : friction[a];
      out->force[side][0][a] += (1.0 - second) * own[a];
      out->force[side][1][a] += second * own[a];
    }
    eli_cross(lever, own, couple);
    for (int a = 0; a < 3; a++) out->couple[side][a] += couple[a];
  }
}

/* Finds the loads of an element and a box or cylinder. */
static void load_on_solid(const staged *at, staged_loads *out) {
  const int side = 2 - at->solid;
  const elastica_rod_view *rod = at->rod[side];
  eli_capsule own = at->at[side];
  eli_touch touch;
  double tangent[3], length2 = 0.0;
  for (int a = 0; a < 3; a++) {
    tangent[a] = own.end[1][a] - own.end[0][a];
    length2 += tangent[a] * tangent[a];
  }
  const double length = sqrt(length2);
  if (!rod->rigid) own.radius = eli_radius(rod->volume[at->element[side]], length);
  if (!eli_contact_touch_solid(at->contact, &at->law, at->solid, &own, &at->placed, &touch)) return;
  memcpy(out->force, touch.line.force, sizeof out->force);
  memcpy(out->couple[1 - side], touch.couple, sizeof touch.couple);
  if (!rod->rigid && rod->classical_law) {
    for (int a = 0; a < 3; a++) tangent[a] /= length;
    eli_capsule_add_tension(&own, length, tangent, touch.line.elastic, out->force[side]);
  }
  if (at->is_rough) add_friction(at, &touch, out);
}

/* Finds the loads of pair q of the lines. */
static void load_on_line(const staged *at, const eli_lines *lines, int q, staged_loads *out) {
  eli_touch touch;
  if (!eli_lines_read(lines, q, &touch.line)) return;
  memcpy(out->force, touch.line.force, sizeof out->force);
  memcpy(out->widening, touch.line.swelling, sizeof out->widening);
  if (!at->is_rough) return;
  eli_lines_read_middle(lines, q, &touch.middle);
  touch.stiffness = at->contact->law.tangential_ratio * at->contact->law.line.modulus * touch.line.extent;
  touch.solid = 0;
  add_friction(at, &touch, out);
}

/* Writes minus the loads for all arguments: couples in components of the present frames. */
static void read_loads(const staged *at, const eli_lines *lines, int q, double out[ALL]) {
  staged_loads loads = {{{{0.0}}}, {{0.0}}, {{0.0}}};
  if (at->solid)
    load_on_solid(at, &loads);
  else
    load_on_line(at, lines, q, &loads);
  for (int side = 0; side < 2; side++) {
    if (at->rod[side]->rigid) eli_capsule_move_to_centre(&at->at[side], at->centre[side], loads.force[side], loads.couple[side]);
    for (int k = 0; k < 6; k++) out[6 * side + k] = -loads.force[side][k / 3][k % 3];
    for (int end = 0; end < 2; end++) out[ENDS + 2 * side + end] = loads.widening[side][end];
    for (int a = 0; a < 3; a++) {
      out[COLUMNS + 3 * side + a] = 0.0;
      for (int b = 0; b < 3; b++) out[COLUMNS + 3 * side + a] -= at->rod[side]->director[a][b][at->element[side]] * loads.couple[side][b];
    }
  }
}

/* Finds H, with all loads at the present state. */
static void find_derivatives(const staged *at, double size, double turn, double loads[ALL], double hessian[ALL][ALL]) {
  eli_lines lines, now;
  int columns[ALL], count = 0;
  for (int column = 0; column < ALL; column++)
    if (is_argument(at, column)) columns[count++] = column;
  eli_lines_begin(&now, &at->law);
  if (!at->solid) {
    add_pair(at->at, &now);
    compute(at->contact, &now);
  }
  read_loads(at, &now, 0, loads);
  for (int first = 0; first < count; first += ELI_LINES / 2) {
    staged moved[ELI_LINES];
    int lane[ELI_LINES];
    const int end = first + ELI_LINES / 2 < count ? first + ELI_LINES / 2 : count;
    eli_lines_begin(&lines, &at->law);
    for (int k = first; k < end; k++)
      for (int side = 0; side < 2; side++) {
        const double by = columns[k] < COLUMNS ? size : turn;
        const int place = 2 * (k - first) + side, moves = !at->solid && moves_line(at, columns[k]);
        moved[place] = *at;
        displace(&moved[place], columns[k], side ? -by : by);
        lane[place] = moves ? lines.count : -1;
        if (moves) add_pair(moved[place].at, &lines);
      }
    if (lines.count > 0) compute(at->contact, &lines);
    for (int k = first; k < end; k++) {
      const int place = 2 * (k - first);
      const double apart = 2.0 * (columns[k] < COLUMNS ? size : turn);
      double more[ALL], less[ALL];
      read_loads(&moved[place], lane[place] < 0 ? &now : &lines, lane[place] < 0 ? 0 : lane[place], more);
      read_loads(&moved[place + 1], lane[place + 1] < 0 ? &now : &lines, lane[place + 1] < 0 ? 0 : lane[place + 1], less);
      for (int row = 0; row < ALL; row++) hessian[row][columns[k]] = (more[row] - less[row]) / apart;
    }
  }
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

/* Reads the centre and the velocity of a body. */
static void read_body(const eli_contact_pair *pair, int side, staged *at) {
  const eli_contact_member *member = eli_contact_member_of(at->contact, pair->rod[side]);
  for (int a = 0; a < 3; a++) {
    at->centre[side][a] = member->rod->position[a][0];
    at->velocity[side][a] = member->rod->velocity[a][0];
  }
  eli_spin_of(member->rod, 0, at->motion.spin[side]);
  if (at->solid == side + 1) at->placed = eli_contact_solid(member);
}

/* Returns 0 without contact; friction: its eli_friction_state. */
static int find_staged(const eli_contact *contact, size_t k, int in_stage, const eli_capsule at[2], double loads[ALL],
                       double hessian[ALL][ALL], int *friction) {
  const eli_contact_pair *pair = &contact->list[k];
  staged of = {.contact = contact,
               .is_rough = contact->law.friction > 0.0,
               .in_stage = in_stage,
               .solid = eli_contact_solid_of(contact, pair),
               .law = {contact->law.line.modulus, in_stage ? contact->law.line.damping : 0.0},
               .at = {at[0], at[1]}};
  double thin = INFINITY, reach = 0.0;
  eli_trial trial;
  int keeps;
  eli_touch touch;
  if (!eli_contact_find(contact, k, &touch)) return 0;
  if (in_stage && eli_world_trial(contact->world, &trial, &keeps)) of.rate = trial.rate_per_change;
  if (of.is_rough) of.history = eli_contact_history_of(contact, k, touch.stiffness);
  if (of.is_rough) *friction = (int)eli_stick_slip_state(&of.history, contact->law.friction * touch.line.pressure);
  if (of.is_rough && in_stage) eli_contact_read_motion(contact, pair, &of.motion);
  for (int side = 0; side < 2; side++) {
    const eli_contact_member *member = eli_contact_member_of(contact, pair->rod[side]);
    of.rod[side] = member->rod;
    of.element[side] = pair->element[side];
    if (of.solid != side + 1 && at[side].rest_radius < thin) thin = at[side].rest_radius;
    if (member->rod->rigid) read_body(pair, side, &of);
    if (member->rod->rigid && member->round.radius + member->round.half_length > reach)
      reach = member->round.radius + member->round.half_length;
  }
  const double size = eli_capsule_difference(touch.line.depth, thin, in_stage);
  find_derivatives(&of, size, size / (reach > thin ? reach : thin), loads, hessian);
  return 1;
}

/* Returns 0 without contact. */
static int find_columns(const eli_contact *contact, size_t k, int in_stage, eli_capsule at[2], eli_contact_stiffness *out) {
  const eli_contact_pair *pair = &contact->list[k];
  double hessian[ALL][ALL] = {{0.0}}, jacobian[ALL][SIZE] = {{0.0}}, widening[2][2], loads[ALL];
  const int classical = out->rod[0]->classical_law, has_body = out->rod[0]->rigid || out->rod[1]->rigid;
  const int is_rough = contact->law.friction > 0.0, is_staged = in_stage || has_body || is_rough, arguments = is_staged ? ALL : COLUMNS,
            is_on_solid = eli_contact_solid_of(contact, pair) > 0;
  if (is_staged ? !find_staged(contact, k, in_stage, at, loads, hessian, &out->friction) : !find_hessian(contact, at, hessian, widening))
    return 0;
  for (int end = 0; end < 4 && is_staged; end++) widening[end / 2][end % 2] = loads[ENDS + end];
  for (int turn = COLUMNS; turn < arguments; turn++) jacobian[turn][NODES + turn - COLUMNS] = 1.0;
  for (int end = 0; end < ENDS; end++) jacobian[end][ELI_CONTACT_STIFFNESS_SIDE * (end / 6) + end % 6] = 1.0;
  for (int side = 0; side < 2; side++) {
    widened of[3];
    const int count = out->rod[side]->rigid || is_on_solid ? 0 : find_widened(out, side, pair->reduction, of);
    for (int w = 0; w < count; w++) {
      add_to_jacobian(&of[w], side, jacobian);
      if (classical) add_curvature(&of[w], widening[side], out);
    }
  }
  add_product((const double(*)[SIZE])jacobian, (const double(*)[ALL])hessian, arguments, !classical, out);
  if (is_staged) add_turning_frames(loads, out);
  out->turns = is_rough;
  return 1;
}

static int find_stiffness(const eli_contact *contact, size_t k, int in_stage, eli_contact_stiffness *out) {
  const eli_contact_pair *pair = &contact->list[k];
  eli_capsule at[2];
  memset(out, 0, sizeof *out);
  for (int side = 0; side < 2; side++) {
    out->rod[side] = eli_contact_member_of(contact, pair->rod[side])->rod;
    out->element[side] = pair->element[side];
    for (int end = 0; end < 2; end++) {
      const int beside = eli_contact_neighbour(out->rod[side], pair->element[side], end);
      out->beyond[side][end] = beside < 0 ? -1 : end ? eli_second_node(out->rod[side], beside) : beside;
    }
    eli_contact_place_moving(contact, pair->rod[side], pair->element[side], &at[side]);
  }
  eli_contact_reduce(pair, at);
  if (!eli_contact_solid_of(contact, pair) && eli_contact_distance(eli_edge_of(&at[0]), eli_edge_of(&at[1])) >= at[0].radius + at[1].radius)
    return 0;
  return find_columns(contact, k, in_stage, at, out);
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
