/* Boundary: a node prescribed on chosen axes, and its frame free, prescribed, or tied to a support that may move.
 *
 * models     PIN: r_i = R(t), v_i = dR/dt on the prescribed axes (pins, sliders, guides, drives)
 *            FRAME: also Q_j = P(t), omega_j = its spin; a rod held so at its end is clamped l/2 from there, as in the papers
 *            CLAMP: also a joint of half an element's length between the frame Q_w of the support, at the end node, and the end frame Q, in
 *            the middle of its element
 * equation   first end: theta = LOG(Q Q_w^T), C += -tau + theta x tau/2 - c theta x (theta x tau)
 *            last end:  theta = LOG(Q_w Q^T), C += +tau + theta x tau/2 + c theta x (theta x tau)
 *            tau = B (theta - theta0)/((lhat/2) e^3),  theta0 = (lhat/2) kappa0 of the nearest joint;  c term with exact_couple only
 * source     Gazzola et al. 2018, section 3 (conditions imposed after each part of the step); the joint of (3.9), mirrored at the support,
 *            with its couples on one frame as in (D1, D2)
 * parameters kind, node, element, prescribed axes, position and frame of the support, or a motion that writes them and their rates
 * conserves  CLAMP with exact_couple: energy with the potential (theta - theta0) . B (theta - theta0)/(lhat e^3), classical law (no e)
 * test       tests/test_clamp.c, tests/test_pin.c
 *
 * Rest curvature: a rod that is curved at rest leaves the support along Q_w and has turned by theta0 at the middle of its first element. So
 * the default frame of the support is the end frame turned back by theta0 (forward at the last end), and tau counts from theta0: with only
 * one of the two a rod at rest would have the couple B theta0/(lhat/2). theta x tau uses the full angle, as curvature does at every joint.
 */
#include "base/target.h"

#include <elastica.h>

#include "base/matrix.h"
#include "base/rotation.h"
#include "base/vector.h"
#include "effects/boundary.h"
#include "hooks/built_in.h"
#include "rod/law.h"
#include "state/prescribed.h"

#include <math.h>
#include <string.h>

typedef elastica_boundary_def boundary_def;
static const eli_field fields[] = {
    ELI_FIELD(boundary_def, struct_size),
    ELI_CHOICE(boundary_def, kind, ELASTICA_BOUNDARY_PIN, "none of CLAMP, FRAME, PIN"),
    ELI_NODE(boundary_def, node),
    ELI_NUMBERS(boundary_def, element, ELI_RULE_ELEMENT | ELI_RULE_BESIDE_NODE),
    ELI_CHOICE(boundary_def, axes, ELASTICA_AXIS_ALL, "not a sum of X = 1, Y = 2, Z = 4"),
    ELI_NUMBERS(boundary_def, position, ELI_RULE_NUMBER | ELI_RULE_OPTIONAL_EACH),
    ELI_NUMBERS(boundary_def, director, ELI_RULE_FRAME | ELI_RULE_OPTIONAL | ELI_RULE_ONLY_FIRST), /* not PIN */
    ELI_FUNCTION(boundary_def, motion),
    ELI_USER(boundary_def, user),
};
static const boundary_def defaults = {
    .element = ELASTICA_BESIDE_NODE, .axes = ELASTICA_AXIS_ALL, .position = ELI_UNSET_VECTOR, .director = ELI_UNSET_FRAME};
static const eli_layout layout = ELI_LAYOUT("boundary_def", boundary_def, fields, defaults);

typedef struct boundary {
  eli_prescribed prescribed; /* first member: the constrain hooks are those of eli_prescribed; follows from def */
  boundary_def def;          /* with indices from 0 on, position and frame of the support */
  const elastica_world *world;
} boundary;

/* Returns 1 if the boundary holds the last end of the rod. */
static inline int is_last(const boundary *held) {
  return held->prescribed.node > 0;
}

/* The joint between the frames of support and end at one instant. */
typedef struct half_cell {
  double h;        /* sin^2(|theta|/2) */
  double theta[3]; /* [rad] */
  eli_bent_joint turned;
} half_cell;

/* Computes LOG(Q Q_w^T); the last end has the other sign, LOG(Q_w Q^T). Returns h = sin^2(|theta|/2). */
static inline double turn_from_support(const elastica_rod_view *rod, int j, const double support[9], double theta[3]) {
  double frame[9], r[9];
  eli_frame_now(rod, j, frame);
  eli_relative_rotation(frame, support, r);
  const double h = 0.25 * (3.0 - (r[0] + r[4] + r[8]));
  if (h <= 0.0625) {
    const double f = eli_log_ratio(h);
    theta[0] = f * (r[5] - r[7]);
    theta[1] = f * (r[6] - r[2]);
    theta[2] = f * (r[1] - r[3]);
  } else {
    double large[3];
    eli_rotation_log(r, large);
    for (int a = 0; a < 3; a++) theta[a] = large[a];
  }
  return h;
}

static inline double dilatation_now(const elastica_rod_view *rod, int j) {
  double square = 0.0;
  for (int a = 0; a < 3; a++) {
    const double edge = rod->position[a][j + 1] - rod->position[a][j];
    square += edge * edge;
  }
  return sqrt(square) / rod->rest_length[j];
}

/* Always inline, so that the results stay in registers. Loads of vectors from memory would wait for the store of each number; for the same
 * reason no result is passed to a function that is not inline. */
static inline __attribute__((always_inline)) void joint_against(const boundary *self, const elastica_rod_view *rod, const double support[9],
                                                                half_cell *cell) {
  const int j = self->prescribed.element;
  const double e = rod->classical_law ? 1.0 : dilatation_now(rod, j);
  const eli_elastic_constants law = eli_half_cell_constants(rod, j, is_last(self), e);
  cell->h = turn_from_support(rod, j, support, cell->theta);
  for (int a = 0; a < 3 && is_last(self); a++) cell->theta[a] = -cell->theta[a];
  eli_bend_by(&cell->turned, &law, cell->theta);
}

static inline __attribute__((always_inline)) elastica_status joint_at(const boundary *self, double time, const elastica_rod_view *rod,
                                                                      half_cell *cell) {
  eli_placement placement;
  const double *support = self->prescribed.director;
  if (self->prescribed.motion != NULL) {
    const elastica_status status = eli_prescribed_at(&self->prescribed, time, &placement);
    if (status != ELASTICA_OK) return status;
    support = placement.director;
  }
  joint_against(self, rod, support, cell);
  return cell->h > ELI_JOINT_LIMIT_H ? ELASTICA_JOINT_TOO_FAR : ELASTICA_OK;
}

/* Returns 1 if the angle passes the limit in the half step before or after the middle of the step. Needed only if the support moves or the
 * angle is large. */
static __attribute__((noinline)) int passes_limit(const boundary *held, const elastica_instant *now, const elastica_rod_view *rod) {
  const int j = held->prescribed.element;
  const double spin[3] = {rod->omega[0][j], rod->omega[1][j], rod->omega[2][j]};
  eli_placement support;
  double frame[9], r[9];
  if (eli_is_query(now) || eli_is_statics(now)) return 0;
  if (eli_prescribed_now(&held->prescribed, now->time, now->is_frozen, &support) != ELASTICA_OK) return 0;
  eli_frame_now(rod, j, frame);
  eli_relative_rotation(frame, support.director, r);
  return eli_joint_widest(r, support.omega, spin, 0.5 * now->dt) > ELI_JOINT_LIMIT_H ||
         eli_joint_widest(r, support.omega, spin, -0.5 * now->dt) > ELI_JOINT_LIMIT_H;
}

static elastica_status add_loads(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_loads *loads) {
  const boundary *held = self;
  const int j = held->prescribed.element;
  const double sign = is_last(held) ? 1.0 : -1.0;
  half_cell cell;
  double turned[3];
  const elastica_status status = joint_at(held, now->time, rod, &cell);
  if (status != ELASTICA_OK) return status;
  if ((held->prescribed.motion != NULL || cell.h > ELI_JOINT_WIDE_H) && passes_limit(held, now, rod)) return ELASTICA_JOINT_TOO_FAR;
  eli_cross(cell.theta, cell.turned.couple, turned);
  for (int a = 0; a < 3; a++) loads->couple[a][j] += sign * cell.turned.couple[a] + 0.5 * turned[a];
  if (!rod->exact_couple) return ELASTICA_OK;

  const double t2 = eli_dot(cell.theta, cell.theta);
  const double c = sign * (cell.h <= 0.0625 ? eli_exact_couple_factor(t2) : eli_exact_couple_factor_any(t2));
  double turned_twice[3];
  eli_cross(cell.theta, turned, turned_twice);
  for (int a = 0; a < 3; a++) loads->couple[a][j] += c * turned_twice[a];
  return ELASTICA_OK;
}

/* The bound of the half-cell's stiffness: the slope of the couple over the angle, and the geometric stiffness of a loaded joint. */
static elastica_status stiffness_at(const boundary *held, double time, const elastica_rod_view *rod, double *stiffness) {
  half_cell cell;
  const elastica_status status = joint_at(held, time, rod, &cell);
  if (status != ELASTICA_OK) return status;
  const double quarter = 0.25 * eli_dot(cell.theta, cell.theta);
  *stiffness = eli_bend_bound(&cell.turned, eli_bend_bound_factor(quarter, cell.h, rod->exact_couple));
  return ELASTICA_OK;
}

/* Bounds a moving support also at the time of the next limit check. A joint that is too far apart by then is reported by the step that
 * reaches this state. */
static elastica_status add_stiffness(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_stiffness *stiffness) {
  const boundary *held = self;
  double bound, later;
  const elastica_status status = stiffness_at(held, now->time, rod, &bound);
  if (status != ELASTICA_OK) return status;
  if (held->prescribed.motion != NULL && now->until - now->until == 0.0 && stiffness_at(held, now->until, rod, &later) == ELASTICA_OK &&
      later > bound)
    bound = later;
  stiffness->element[held->prescribed.element] += bound;
  return ELASTICA_OK;
}

/* delta theta = P phi, or -P^T phi at the last end; in the rescaled law delta tau = -3 tau delta l/l, too. */
static elastica_status add_tangent(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_tangent *tangent) {
  const boundary *held = self;
  const int j = held->prescribed.element, last = is_last(held);
  half_cell cell;
  double g[9] = {0.0}, h[9] = {0.0}, p[9], turned[9], block[9], edge[3], lost[3];
  const elastica_status status = joint_at(held, now->time, rod, &cell);
  if (status != ELASTICA_OK) return status;
  const double c = eli_exact_couple_factor_any(eli_dot(cell.theta, cell.theta));
  for (int a = 0; a < 3; a++) cell.turned.couple[a] *= tangent->stress;
  eli_change_of_couple(1.0, last ? 1.0 : -1.0, rod->exact_couple, c, cell.theta, cell.turned.couple, g, h);
  eli_change_of_angle(cell.theta, c, p);
  eli_add_bend_slope(&cell.turned, g, h);
  for (int a = 0; a < 9; a++) h[a] = -h[a];
  for (int a = 0; a < 9; a++) turned[a] = last ? -p[3 * (a % 3) + a / 3] : p[a];
  eli_matrix_product(h, turned, block);
  tangent->add(tangent->owner, (elastica_part){rod, j, 1}, (elastica_part){rod, j, 1}, block);
  if (rod->classical_law) return ELASTICA_OK;
  for (int a = 0; a < 3; a++) edge[a] = rod->position[a][j + 1] - rod->position[a][j];
  eli_turn(g, cell.turned.couple, lost);
  for (int end = 0; end < 2; end++) {
    memset(block, 0, sizeof block);
    eli_add_outer(block, (end ? 3.0 : -3.0) / eli_dot(edge, edge), lost, edge);
    tangent->add(tangent->owner, (elastica_part){rod, j, 1}, (elastica_part){rod, j + end, 0}, block);
  }
  return ELASTICA_OK;
}

static double energy(void *self, double time, const elastica_rod_view *rod) {
  half_cell cell;
  const elastica_status status = joint_at(self, time, rod, &cell);
  if (status != ELASTICA_OK && status != ELASTICA_JOINT_TOO_FAR) return eli_nan();
  return eli_bend_energy(&cell.turned);
}

/* Computes the present frame of a support that has no couple on the rod. */
static void find_frame(const elastica_rod_view *rod, const boundary *held, double q[9]) {
  eli_frame_now(rod, held->def.element, q);
  if (held->def.kind != ELASTICA_BOUNDARY_CLAMP) return;
  const double sign = is_last(held) ? 1.0 : -1.0;
  const eli_elastic_constants law = eli_half_cell_constants(rod, held->def.element, is_last(held), 1.0);
  double turn[3], back[9], frame[9];
  memcpy(frame, q, sizeof frame);
  for (int a = 0; a < 3; a++) turn[a] = sign * (law.length * law.rest[a]);
  eli_rotation_exp(turn, back);
  eli_matrix_product(back, frame, q);
}

/* Chooses the frame of the support: that of the definition; else that of the old boundary (or NULL) if it held the same element in the same
 * way; else that of the present frame of the element. */
static void choose_frame(const elastica_rod_view *rod, const boundary *old, boundary *held) {
  double *q = held->def.director;
  if (!eli_all_nan(q, 9)) return;
  if (old != NULL && held->def.kind != ELASTICA_BOUNDARY_PIN && old->def.kind == held->def.kind && old->def.element == held->def.element)
    memcpy(q, old->def.director, sizeof old->def.director);
  else
    find_frame(rod, held, q);
}

static void set_prescribed(boundary *held) {
  const boundary_def *def = &held->def;
  eli_prescribed *to = &held->prescribed;
  to->motion = def->motion;
  to->user = def->user;
  to->node = def->node;
  to->element = def->element;
  to->axes = def->axes;
  to->hold_frame = def->kind == ELASTICA_BOUNDARY_FRAME;
  memcpy(to->position, def->position, sizeof to->position);
  memcpy(to->director, def->director, sizeof to->director);
}

static void set_hooks(const boundary *held, elastica_module *module) {
  const int joint = held->def.kind == ELASTICA_BOUNDARY_CLAMP;
  eli_prescribed_set_hooks(&held->prescribed, module);
  module->add_loads = joint ? add_loads : NULL;
  module->add_tangent = joint ? add_tangent : NULL;
  module->add_stiffness = joint ? add_stiffness : NULL;
  module->energy = joint ? energy : NULL;
  module->first_written = module->last_written = held->prescribed.element;
}

/* Refuses a half-cell clamp of anything but an end of a rod. */
static elastica_status check_end(const eli_request *request, const elastica_rod_view *rod, const boundary_def *def) {
  const char *const function = request->function;
  const int last = rod->node_count - 1, beside = def->node == 0 ? 0 : last - 1;
  if (rod->closed)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: rod %d is a ring and has no ends for kind CLAMP; FRAME and PIN hold any node", function,
                                 rod->rod_index);
  if (rod->rigid)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: rod %d is a rigid body, which kind FRAME holds: it has no half-cell for kind CLAMP", function,
                                 rod->rod_index);
  if (def->node != 0 && def->node != last)
    return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT,
                                 "%s: node %d is no end of rod %d, which kind CLAMP holds; FRAME and PIN hold any node", function,
                                 def->node, rod->rod_index);
  if (def->element == beside) return ELASTICA_OK;
  return elastica_world_refuse(request->world, ELASTICA_INVALID_ARGUMENT, "%s: kind CLAMP ties element %d, beside node %d, not element %d",
                               function, beside, def->node, def->element);
}

/* Replaces NaN components of a position by the present position of the prescribed node; on an axis that `old` (may be NULL) prescribes for
 * the same node, by the position in `old`. */
static void choose_position(const elastica_rod_view *rod, const eli_prescribed *old, const eli_prescribed *prescribed, double position[3]) {
  const int i = prescribed->node;
  for (int a = 0; a < 3; a++) {
    const int was_held = old != NULL && old->node == i && (old->axes & (1u << a));
    if (eli_is_nan(position[a])) position[a] = was_held ? old->position[a] : rod->position[a][i];
  }
}

/* Replaces -0.0 by 0.0 (see eli_prescribed_moves). */
static void drop_negative_zeros(double *values, int count) {
  for (int k = 0; k < count; k++) values[k] += 0.0;
}

static elastica_status describe(const eli_request *request, const void *given, void *self, elastica_module *module) {
  const elastica_rod_view *view = elastica_rod_get_view(request->rod);
  const boundary_def *def = given;
  const boundary *old = request->old;
  boundary *held = self;
  elastica_status status = def->kind == ELASTICA_BOUNDARY_CLAMP ? check_end(request, view, def) : ELASTICA_OK;
  if (def->kind == ELASTICA_BOUNDARY_PIN) status = eli_def_refuse_unused(request->world, &layout, def, ELI_RULE_ONLY_FIRST, "kind PIN");
  if (status != ELASTICA_OK) return status;
  held->world = held->prescribed.world = request->world;
  held->def = *def;
  set_prescribed(held);
  choose_frame(view, old, held);
  choose_position(view, old != NULL ? &old->prescribed : NULL, &held->prescribed, held->def.position);
  drop_negative_zeros(held->def.position, 3);
  drop_negative_zeros(held->def.director, 9);
  set_prescribed(held);
  set_hooks(held, module);
  return ELASTICA_OK;
}

/* Returns 1 if kind CLAMP can hold this node and element. */
static int is_end(const elastica_rod_view *rod, const boundary_def *def) {
  const int last = rod->node_count - 1;
  return !rod->closed && !rod->rigid && ((def->node == 0 && def->element == 0) || (def->node == last && def->element == last - 1));
}

static void keep(void *own, const elastica_rod_view *rod, eli_record *record, elastica_module *module) {
  boundary *held = own;
  boundary_def kept = held->def;
  if (record->use == ELI_RECORD_CHECK) eli_def_peek(&layout, &kept, rod, record);
  eli_def_keep(&layout, &held->def, rod, record);
  if (kept.kind == ELASTICA_BOUNDARY_CLAMP && !is_end(rod, &kept)) eli_record_blame(record, "kind", 0);
  if (record->use != ELI_RECORD_READ) return;
  set_prescribed(held);
  set_hooks(held, module);
}

static void function_of(void *own, eli_function *of, int set) {
  boundary *held = own;
  eli_def_function(&layout, &held->def, of, set);
  if (set) set_prescribed(held);
}

static const eli_prescribed *prescribed_of(const void *self) {
  return &((const boundary *)self)->prescribed;
}

static const eli_built_in kind = {.name = "boundary",
                                  .prescribed = prescribed_of,
                                  .layout = &layout,
                                  .rigid_bodies = 1,
                                  .is_boundary = 1,
                                  .self_size = ELI_SELF_SIZE(boundary),
                                  .describe = describe,
                                  .keep = keep,
                                  .stays_near = 1,
                                  .function = function_of};

eli_support eli_support_find(const elastica_world *world, const elastica_rod_view *rod, int last, double time, int stands,
                             eli_placement *place) {
  const int element = last ? rod->element_count - 1 : 0, node = last ? rod->element_count : 0;
  for (const boundary *held = NULL; (held = eli_next_self_on(world, rod->rod_index, &kind, held)) != NULL;) {
    if (held->def.kind == ELASTICA_BOUNDARY_FRAME && held->def.element == element) return ELI_FRAME_SUPPORT;
    if (held->def.kind != ELASTICA_BOUNDARY_CLAMP || held->def.node != node) continue;
    return eli_prescribed_now(&held->prescribed, time, stands, place) == ELASTICA_OK ? ELI_CLAMP_SUPPORT : ELI_NO_SUPPORT;
  }
  return ELI_NO_SUPPORT;
}

void elastica_boundary_def_init(elastica_boundary_def *def, size_t size) {
  eli_def_init(&layout, def, size);
}

elastica_status elastica_add_boundary(elastica_world *world, elastica_rod *rod, const elastica_boundary_def *def, elastica_effect **out) {
  return eli_add_built_in(&kind, world, rod, def, out);
}

elastica_status elastica_boundary_set(elastica_effect *effect, const elastica_boundary_def *def) {
  return eli_set_built_in(&kind, effect, def);
}
