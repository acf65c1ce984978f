/* Pressure and friction of a wall, in lanes (see contact/friction.h, which has the formulas).
 *
 * equations  (4.8) pressure; (4.9) slip; (4.10, 4.11) rolling; (4.12) static friction across
 *
 * Compiled for each instruction set, as the other kernels are, but with the compiler's default scheduling, which is faster for these
 * loops. Plain C whose loops become vector code, no branch on data, one fixed order of every sum: all of them give the same bits.
 */
#include "base/target.h"

#include "kernels/kernels.h"

#include "base/section.h"
#include "kernels/lanes.h"

#include <math.h>
#include <string.h>

/* A wall's contact with one rod, and the loads of that rod. */
typedef struct scene {
  const eli_wall_contact *contact;
  const elastica_rod_view *rod;
  const elastica_loads *loads;
  int by_node; /* 1: ELASTICA_BALANCE_NODES; a constant in each inlined copy */
} scene;

/* ---- Pressure, and how the contact slips ---- */

/* Each is 1 if some element meets the condition; doubles, because gcc vectorises that form. */
typedef struct flags {
  double touches, static_along, static_across, kinetic;
} flags;

#define RAISE(flag, condition) flag = (condition) ? 1.0 : flag

/* Limits of friction with all of R in either direction (not elliptic). */
ELI_INLINE void share_independently(const eli_friction *law, const eli_wall_contact *c, int j, double R, double slip_along,
                                    double slip_across, flags *found) {
  const double along = eli_friction_fade(law->fade, slip_along), across = eli_friction_fade(law->fade, slip_across);
  const double mu = slip_along < 0.0 ? law->kinetic_forward : law->kinetic_backward;
  const double static_along = along * R, static_across = across * R;
  const double kinetic_along = (1.0 - along) * (mu * R), kinetic_across = (1.0 - across) * (law->kinetic_across * R);
  c->static_along[j] = static_along;
  c->static_across[j] = static_across;
  c->kinetic_along[j] = kinetic_along;
  c->kinetic_across[j] = kinetic_across;
  RAISE(found->static_along, static_along > 0.0);
  RAISE(found->static_across, static_across > 0.0);
  RAISE(found->kinetic, kinetic_along + kinetic_across > 0.0);
}

/* A node and the tangent plane of the wall at one of its elements. */
typedef struct surface {
  double gap, radius; /* [m] distance of the node from the plane, less the radius; negative below */
  double share;       /* the element's share of the node's mass and loads */
} surface;

/* The reaction R on a share of node i. A node that would end the step below the surface ends it on the surface: an impact without rebound.
 * A node that is already below moves out at the speed (k eps dt/m)/(1 + gamma dt/m + 10 k dt^2/m), whatever else presses on it; when it is
 * faster, R is 0. So a depth that no work has produced, as where a wall closes on a rod, releases at most k eps^2/80. per_dt is 1/dt, or 0
 * for an equilibrium. */
#define CREEP 10.0

ELI_INLINE double reaction(const eli_wall_law *law, const scene *s, double dt, double per_dt, int i, int j, vector N, surface place) {
  const double *const *F = s->loads->total_force, *const *v = s->rod->velocity;
  const double share = place.share, mass = s->rod->mass[i], drag = s->loads->drag[i], x = dt * drag / mass, exact = place.radius * 1e-12;
  const double gap = LARGER(place.gap, exact) - exact,
               eps = LARGER(-place.gap, exact) - exact; /* what rounding leaves is neither gap nor depth */
  const double k = 0.5 * law->stiffness, gamma = 0.5 * law->damping, slower = 1.0 + dt * (gamma + CREEP * k * dt) / (share * mass);
  const vector surface_velocity = at(s->contact->wall_velocity, j), force = {F[0][i], F[1][i], F[2][i]},
               velocity = {v[0][i], v[1][i], v[2][i]};
  const double wall_speed = dot(surface_velocity, N), speed = dot(velocity, N), wanted = wall_speed - per_dt * gap;
  /* The kick with its drag rate, v_new = (v + (1 + x/2) dt F/m)/(1 + x + x^2/2), solved for F. */
  const double stop = per_dt * mass * (wanted * (1.0 + x + 0.5 * x * x) - speed) / (1.0 + 0.5 * x) - (dot(force, N) + drag * speed);
  const double R = share * stop + k * eps / slower;
  const int seen = place.gap <= (law->reach - 1.0) * place.radius || per_dt * (speed - wall_speed) < 0.0;
  return seen ? LARGER(R, 0.0) : 0.0;
}

ELI_INLINE flags press(const eli_wall_law *law, const scene *s, double dt, double per_dt, int rubs) {
  const eli_wall_contact *c = s->contact;
  const elastica_rod_view *rod = s->rod;
  const double *const *r = rod->position, *const *v = rod->velocity, *const *F = s->loads->total_force;
  const double k = law->stiffness, gamma = law->damping, reach = law->reach;
  const int by_node = s->by_node;
  flags found = {0.0, 0.0, 0.0, 0.0};
  ELI_INDEPENDENT
  for (int j = 0; j < c->count; j++) {
    const vector N = at(c->normal, j);
    const double radius = eli_radius(rod->volume[j], by_node ? rod->rest_length[j] : rod->length[j]), distance = c->distance[j];
    const double before = c->share_before[j], after = c->share_after[j];
    const vector force = {before * F[0][j] + after * F[0][j + 1], before * F[1][j] + after * F[1][j + 1],
                          before * F[2][j] + after * F[2][j + 1]};
    const vector velocity = {0.5 * (v[0][j] + v[0][j + 1]) - c->wall_velocity[0][j], 0.5 * (v[1][j] + v[1][j + 1]) - c->wall_velocity[1][j],
                             0.5 * (v[2][j] + v[2][j + 1]) - c->wall_velocity[2][j]};
    const double into = -dot(force, N), eps = radius - distance;
    const vector edge = {r[0][j + 1] - r[0][j], r[1][j + 1] - r[1][j], r[2][j + 1] - r[2][j]};
    const double up = 0.5 * dot(edge, N), true_before = c->node_distance[j] - radius, true_after = c->node_distance[j + 1] - radius;
    const double gap_before = LARGER(-eps - up, true_before),
                 gap_after = LARGER(up - eps, true_after); /* beside the edge of an obstacle there is no plane: use the true distance */
    const double R_before = reaction(law, s, dt, per_dt, j, j, N, (surface){gap_before, radius, before});
    const double R_after = reaction(law, s, dt, per_dt, j + 1, j, N, (surface){gap_after, radius, after});
    const double R = by_node ? R_before + R_after : LARGER(into, 0.0);
    const double push = by_node ? 0.0 : R + k * LARGER(eps, 0.0) - gamma * dot(velocity, N); /* (4.8) */
    const int touches = by_node ? R > 0.0 : distance < reach * radius;
    const double pressure = touches ? R : 0.0, held = touches ? push : 0.0;
    if (by_node) {
      const double part = R > 0.0 ? R_before / R : 0.5;
      c->part_before[j] = part;
      c->part_after[j] = 1.0 - part;
      c->pressure[j] = pressure;
    }
    RAISE(found.touches, touches);
    put(c->push, j, held * N.x, held * N.y, held * N.z);
    if (!rubs) continue;

    const vector tangent = {rod->tangent[0][j], rod->tangent[1][j], rod->tangent[2][j]}, sideways = cross(N, tangent);
    const double size2 = dot(sideways, sideways), scale = size2 > 0.0 ? 1.0 / sqrt(size2) : 0.0;
    const vector u = {scale * sideways.x, scale * sideways.y, scale * sideways.z}, a = cross(u, N);
    const vector axis = to_material(rod, j, a), omega = {rod->omega[0][j], rod->omega[1][j], rod->omega[2][j]};
    const double slip_along = dot(velocity, a), slip_across = dot(velocity, u) + radius * dot(axis, omega); /* (4.9) */
    c->radius[j] = radius;
    c->pressure[j] = pressure;
    put(c->across, j, u.x, u.y, u.z);
    put(c->axis, j, axis.x, axis.y, axis.z);
    c->slip_along[j] = slip_along;
    c->slip_across[j] = slip_across;
    share_independently(&law->friction, c, j, pressure, slip_along, slip_across, &found);
  }
  return found;
}

/* ---- Force on an element: its shares of what acts on its two nodes ---- */

ELI_INLINE double share_of(const eli_wall_contact *c, const double *node, int j) {
  return c->share_before[j] * node[j] + c->share_after[j] * node[j + 1];
}

/* The total, and what this wall has added so far. */
ELI_INLINE vector force_on(const scene *s, int j) {
  const double *const *F = s->loads->total_force;
  double *const *own = s->contact->force;
  const double before = s->contact->share_before[j], after = s->contact->share_after[j];
  return (vector){before * (F[0][j] + own[0][j]) + after * (F[0][j + 1] + own[0][j + 1]),
                  before * (F[1][j] + own[1][j]) + after * (F[1][j + 1] + own[1][j + 1]),
                  before * (F[2][j] + own[2][j]) + after * (F[2][j + 1] + own[2][j + 1])};
}

/* (4.10, 4.11) with the true inertia. m times the rate of the slip along u is F . u + turn from the loads, and f (u . u + yield) from a
 * force f u at the contact. b = u x N, the torque of that force over r, material. C: the couple of the loads. */
typedef struct rolling {
  double turn, yield;
} rolling;

ELI_INLINE rolling roll(const scene *s, int j, vector b, vector C) {
  const vector inverse = at(s->contact->inverse_inertia, j), p = {inverse.x * b.x, inverse.y * b.y, inverse.z * b.z};
  const double radius = s->contact->radius[j], m = share_of(s->contact, s->rod->mass, j);
  const double dilatation = s->rod->dilatation[j], e = s->rod->classical_law ? 1.0 : dilatation, lever = m * radius * e;
  return (rolling){lever * dot(p, C), lever * radius * dot(p, b)};
}

ELI_INLINE vector couple_on(const scene *s, int j) {
  const double *const *C = s->loads->total_couple;
  return (vector){C[0][j], C[1][j], C[2][j]};
}

/* Elliptic friction. Static: R is divided between the two directions in proportion to the forces that rest would need, each over its mu.
 * Kinetic: in proportion to the slips. */
ELI_INLINE flags share_elliptically(const eli_friction *law, const scene *s, double per_dt) {
  const eli_wall_contact *c = s->contact;
  flags found = {1.0, 0.0, 0.0, 0.0};
  ELI_INDEPENDENT
  for (int j = 0; j < c->count; j++) {
    const vector N = at(c->normal, j), u = at(c->across, j), F = force_on(s, j);
    const rolling r = roll(s, j, at(c->axis, j), couple_on(s, j));
    const double S = c->slip_along[j], T = c->slip_across[j], rate = per_dt * share_of(c, s->rod->mass, j);
    const double along = dot(F, cross(u, N)) + rate * S, across = (dot(F, u) + r.turn + rate * T) / (1.0 + r.yield);
    const double mu = along < 0.0 ? law->static_forward : law->static_backward, mu_across = law->static_across;
    const double x = mu > 0.0 ? fabs(along) / mu : 0.0, y = mu_across > 0.0 ? fabs(across) / mu_across : 0.0, need = sqrt(x * x + y * y);
    const double half = 0.70710678118654752, per_need = need > 0.0 ? 1.0 / need : 0.0; /* no force is needed: equal parts */
    const double slip = sqrt(S * S + T * T), R = c->pressure[j];
    const double f = eli_friction_fade(law->fade, slip), moving = slip > 0.0 ? (1.0 - f) * R / slip : 0.0;
    const double kinetic_along = moving * fabs(S) * (S < 0.0 ? law->kinetic_forward : law->kinetic_backward);
    const double kinetic_across = moving * fabs(T) * law->kinetic_across;
    const double static_along = f * R * (need > 0.0 ? x * per_need : half), static_across = f * R * (need > 0.0 ? y * per_need : half);
    c->static_along[j] = static_along;
    c->static_across[j] = static_across;
    c->kinetic_along[j] = kinetic_along;
    c->kinetic_across[j] = kinetic_across;
    RAISE(found.static_along, static_along > 0.0);
    RAISE(found.static_across, static_across > 0.0);
    RAISE(found.kinetic, kinetic_along + kinetic_across > 0.0);
  }
  return found;
}

/* ---- Static: along on the nodes, then across on the elements ---- */

/* Static friction along the rod on node i. g: the limit over mu, summed over the node's elements; wall_velocity: there. */
ELI_INLINE void hold_node(const eli_friction *law, const scene *s, double per_dt, int i, vector g, vector wall_velocity) {
  const double *const *F = s->loads->total_force, *const *v = s->rod->velocity, rate = per_dt * s->rod->mass[i];
  double *const *own = s->contact->force;
  const vector stop = {F[0][i] + own[0][i] + rate * (v[0][i] - wall_velocity.x), F[1][i] + own[1][i] + rate * (v[1][i] - wall_velocity.y),
                       F[2][i] + own[2][i] + rate * (v[2][i] - wall_velocity.z)};
  const double size2 = dot(g, g), along = dot(stop, g);
  const double needed = size2 > 0.0 ? along / size2 : 0.0; /* in units of R: a coefficient of friction */
  const double bounded = LARGER(needed, -law->static_forward), held = SMALLER(bounded, law->static_backward);
  put(own, i, own[0][i] - held * g.x, own[1][i] - held * g.y, own[2][i] - held * g.z);
}

/* The part of an element's force on the node before it: half, as in the papers, or by node in proportion to the reactions. */
ELI_INLINE double part_before(const scene *s, int j) {
  return s->by_node ? s->contact->part_before[j] : 0.5;
}

ELI_INLINE double part_after(const scene *s, int j) {
  return s->by_node ? s->contact->part_after[j] : 0.5;
}

/* A node's part of an element's static limit along the rod over mu, as a vector. */
ELI_INLINE vector part_along(const eli_wall_contact *c, double part, int j) {
  const vector a = cross(at(c->across, j), at(c->normal, j));
  const double limit = part * c->static_along[j];
  return (vector){limit * a.x, limit * a.y, limit * a.z};
}

ELI_INLINE void hold_along(const eli_friction *law, const scene *s, double per_dt) {
  const eli_wall_contact *c = s->contact;
  const int n = c->count;
  const vector first = part_along(c, part_before(s, 0), 0), last = part_along(c, part_after(s, n - 1), n - 1),
               wall_first = at(c->wall_velocity, 0), wall_last = at(c->wall_velocity, n - 1);
  ELI_INDEPENDENT
  for (int i = 1; i < n; i++)
    hold_node(law, s, per_dt, i, sum_of(part_along(c, part_after(s, i - 1), i - 1), part_along(c, part_before(s, i), i)),
              half_sum(at(c->wall_velocity, i - 1), at(c->wall_velocity, i)));
  if (c->closed) {
    hold_node(law, s, per_dt, 0, sum_of(last, first), half_sum(wall_last, wall_first));
    for (int a = 0; a < 3; a++) c->force[a][n] = c->force[a][0];
  } else {
    hold_node(law, s, per_dt, 0, first, wall_first);
    hold_node(law, s, per_dt, n, last, wall_last);
  }
}

/* The limit across over mu, one component, on the nodes: A^h, or by node with the parts. */
ELI_INLINE void average_across(const scene *s, const double *restrict limit, const double *restrict u, double *restrict node) {
  const int n = s->contact->count;
  if (s->by_node) {
    for (int i = 1; i < n; i++) node[i] = part_after(s, i - 1) * (limit[i - 1] * u[i - 1]) + part_before(s, i) * (limit[i] * u[i]);
  } else {
    for (int i = 1; i < n; i++) node[i] = 0.5 * (limit[i - 1] * u[i - 1] + limit[i] * u[i]);
  }
  node[0] = part_before(s, 0) * limit[0] * u[0];
  node[n] = part_after(s, n - 1) * limit[n - 1] * u[n - 1];
  if (s->contact->closed) node[0] = node[n] = node[n] + node[0];
}

ELI_INLINE void hold_across(const eli_friction *law, const scene *s, double per_dt) {
  const eli_wall_contact *c = s->contact;
  const double mu = law->static_across;
  for (int a = 0; a < 3; a++) average_across(s, c->static_across, c->across[a], c->node_across[a]);
  ELI_INDEPENDENT
  for (int j = 0; j < c->count; j++) {
    const vector limit = {share_of(c, c->node_across[0], j), share_of(c, c->node_across[1], j), share_of(c, c->node_across[2], j)};
    const vector torque = cross(limit, at(c->normal, j)), b = to_material(s->rod, j, torque);
    const rolling r = roll(s, j, b, couple_on(s, j));
    const double slip = per_dt * share_of(c, s->rod->mass, j) * (c->slip_across[j] * dot(at(c->across, j), limit));
    const double gain = dot(force_on(s, j), limit) + r.turn, yield = dot(limit, limit) + r.yield; /* (4.12) is -gain/yield limit */
    const double needed = yield > 0.0 ? -(gain + slip) / yield : 0.0, bounded = LARGER(needed, -mu), held = SMALLER(bounded, mu);
    const double turn = held * c->radius[j];
    put(c->push, j, held * limit.x, held * limit.y, held * limit.z);
    put(c->couple, j, turn * b.x, turn * b.y, turn * b.z);
    put(c->laboratory_couple, j, turn * torque.x, turn * torque.y, turn * torque.z);
  }
}

/* ---- Kinetic ---- */

/* Kinetic friction opposes the slip. Its size is at most limit, and at most the force that ends the slip. */
ELI_INLINE double against(double slip, double stop, double limit) {
  const double size = slip > 0.0 ? -stop : stop, wanted = LARGER(size, 0.0), held = SMALLER(wanted, limit);
  return slip > 0.0 ? -held : held;
}

/* turned 1: couple and laboratory_couple already hold the static part. */
ELI_INLINE void rub(const scene *s, double per_dt, int turned) {
  const eli_wall_contact *c = s->contact;
  ELI_INDEPENDENT
  for (int j = 0; j < c->count; j++) {
    const vector N = at(c->normal, j), u = at(c->across, j), a = cross(u, N), b = at(c->axis, j), F = force_on(s, j);
    vector C = couple_on(s, j), couple = {0.0, 0.0, 0.0}, laboratory = {0.0, 0.0, 0.0};
    if (turned) {
      couple = at(c->couple, j);
      laboratory = at(c->laboratory_couple, j);
      C = (vector){C.x + couple.x, C.y + couple.y, C.z + couple.z};
    }
    const rolling r = roll(s, j, b, C);
    const double rate = per_dt * share_of(c, s->rod->mass, j), slip_along = c->slip_along[j], slip_across = c->slip_across[j];
    const double along = against(slip_along, -(dot(F, a) + rate * slip_along), c->kinetic_along[j]);
    const double stop = -(dot(F, u) + r.turn + rate * slip_across) / (1.0 + r.yield);
    const double across = against(slip_across, stop, c->kinetic_across[j]), turn = across * c->radius[j];
    put(c->push, j, along * a.x + across * u.x, along * a.y + across * u.y, along * a.z + across * u.z);
    put(c->couple, j, couple.x + turn * b.x, couple.y + turn * b.y, couple.z + turn * b.z);
    put(c->laboratory_couple, j, laboratory.x + turn * a.x, laboratory.y + turn * a.y, laboratory.z + turn * a.z);
  }
}

/* ---- From elements to nodes ---- */

ELI_INLINE void add_friction(const scene *s) {
  if (s->by_node)
    add_parts(s->contact);
  else
    average_all(s->contact, 1);
}

/* ---- Pressure, then friction ---- */

/* Adds friction to the wall's forces. Returns 1 when it exerts couples on elements. */
ELI_INLINE int rub_all(const eli_friction *law, const scene *s, double per_dt, const flags *independent) {
  const flags found = law->elliptic ? share_elliptically(law, s, per_dt) : *independent;
  if (found.static_along > 0.0) hold_along(law, s, per_dt);
  const int turned = found.static_across > 0.0;
  if (turned) {
    hold_across(law, s, per_dt);
    add_friction(s);
  }
  if (found.kinetic > 0.0) {
    if (turned)
      rub(s, per_dt, 1);
    else
      rub(s, per_dt, 0);
    add_friction(s);
  }
  return turned || found.kinetic > 0.0;
}

ELI_INLINE unsigned wall_press_by(const eli_wall_law *law, const scene *s, double dt) {
  const eli_wall_contact *c = s->contact;
  const int rubs = law->friction.rubs;
  const double per_dt = dt > 0.0 ? 1.0 / dt : 0.0;
  const flags found = rubs ? press(law, s, dt, per_dt, 1) : press(law, s, dt, per_dt, 0);
  if (!(found.touches > 0.0)) return 0;
  average_all(c, 0);
  if (s->by_node) add_reactions(c);
  const int turns = rubs && rub_all(&law->friction, s, per_dt, &found);
  for (int a = 0; a < 3; a++) {
    add_lane(s->rod->node_count, c->force[a], s->loads->force[a]);
    if (turns) add_lane(c->count, c->couple[a], s->loads->couple[a]);
    memcpy(c->position[a], s->rod->position[a], (size_t)s->rod->node_count * sizeof(double));
  }
  return ELI_CONTACT_TOUCHES | (turns ? ELI_CONTACT_TURNS : 0u);
}

/* ---- The instruction sets ---- */

ELI_INLINE unsigned press_wall(const eli_wall_law *law, const eli_wall_contact *contact, const elastica_rod_view *rod,
                               const elastica_loads *loads, double dt) {
  const scene by_element = {contact, rod, loads, 0}, by_node = {contact, rod, loads, 1};
  return law->balances_nodes ? wall_press_by(law, &by_node, dt) : wall_press_by(law, &by_element, dt);
}

unsigned eli_press_wall_base(const eli_wall_law *law, const eli_wall_contact *contact, const elastica_rod_view *rod,
                             const elastica_loads *loads, double dt) {
  return press_wall(law, contact, rod, loads, dt);
}

#ifdef ELI_KERNELS_X86
__attribute__((target("avx,fma"))) unsigned eli_press_wall_fma(const eli_wall_law *law, const eli_wall_contact *contact,
                                                               const elastica_rod_view *rod, const elastica_loads *loads, double dt) {
  return press_wall(law, contact, rod, loads, dt);
}

__attribute__((target("avx2"))) unsigned eli_press_wall_avx2(const eli_wall_law *law, const eli_wall_contact *contact,
                                                             const elastica_rod_view *rod, const elastica_loads *loads, double dt) {
  return press_wall(law, contact, rod, loads, dt);
}

__attribute__((target("avx512f,avx512dq,avx512vl"))) unsigned eli_press_wall_avx512(const eli_wall_law *law,
                                                                                    const eli_wall_contact *contact,
                                                                                    const elastica_rod_view *rod,
                                                                                    const elastica_loads *loads, double dt) {
  return press_wall(law, contact, rod, loads, dt);
}
#endif
