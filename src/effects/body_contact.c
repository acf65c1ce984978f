/* Rigid bodies in contact with walls (see body_contact.h). */
#include "base/target.h"

#include "effects/body_contact.h"

#include "base/rotation.h"
#include "base/vector.h"
#include "effects/solid.h"

#include <math.h>
#include <string.h>

/* A body at depth eps moves out at speed (k eps dt/m)/(1 + gamma dt/m + 10 k dt^2/m), as nodes do (kernels/wall.inl). */
#define CREEP 10.0

/* Numbers of sweeps over the points before Newton's method, doubled in each round; of its steps, among them the full ones before and after
 * half ones, which end cycles; of its stages; of rounds; and of corrections of the least speeds. */
enum { SWEEPS = 5, STEPS = 30, FULL_BEFORE = 6, FULL_AFTER = 20, STAGES = 3, ROUNDS = 8, CORRECTIONS = 4 };

/* The compliance of the spring at a point [change of speed per force], in that of the centre of the free body. */
#define SOFTNESS 1e-5

/* Newton's method has converged when the speeds of the points change by less than this part of their change by the reactions, and of the
 * velocity: rounding of a speed changes a force by 1/SOFTNESS of that. */
#define SAME 1e-12

void eli_body_shape_read(elastica_rod *rod, eli_body_shape *out) {
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  elastica_body_info info;
  memset(out, 0, sizeof *out);
  if (view == NULL || !view->rigid || elastica_body_get(rod, &info) != ELASTICA_OK) return;
  out->shape = info.shape;
  out->radius = info.radius;
  out->half_length = 0.5 * info.length;
  for (int a = 0; a < 3; a++) out->half_edge[a] = 0.5 * info.edges[a];
  memcpy(out->axes, info.axes, sizeof out->axes);
}

/* Returns NULL for a supported pair of shapes, otherwise the end of a sentence. */
static const char *why_not(elastica_shape shape, elastica_shape obstacle) {
  if (shape == ELASTICA_SHAPE_SPHERE || obstacle == ELASTICA_SHAPE_PLANE) return NULL;
  if (shape != ELASTICA_SHAPE_CAPSULE) return "cylinders and boxes touch walls only if these are planes";
  return obstacle == ELASTICA_SHAPE_SPHERE ? NULL : "capsules touch walls only if these are planes or spheres";
}

elastica_status eli_body_check(elastica_world *world, const char *function, int rod_index, const eli_obstacle *obstacle,
                               const eli_wall_law *law) {
  eli_body_shape shape;
  eli_body_shape_read(elastica_world_rod(world, rod_index), &shape);
  const char *trouble = law->balances_nodes ? why_not(shape.shape, obstacle->shape) : "only a wall whose balance is NODES acts on one";
  if (trouble == NULL) return ELASTICA_OK;
  return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "%s: rod %d is a rigid body: %s", function, rod_index, trouble);
}

/* ---- Contact points ---- */

typedef eli_body_point point;

typedef struct pose {
  double centre[3], director[9];
} pose;

typedef struct surroundings {
  const eli_obstacle *obstacle;
  const eli_placement *place;
  const double *centre;
  double frame[9]; /* laboratory axes of the shape */
} surroundings;

static pose pose_of(const elastica_rod_view *body) {
  pose of;
  for (int a = 0; a < 3; a++) of.centre[a] = body->position[a][0];
  for (int b = 0; b < 3; b++)
    for (int a = 0; a < 3; a++) of.director[3 * b + a] = body->director[b][a][0];
  return of;
}

/* Adds the point at an offset from the centre, with a ball of this radius around it. */
static void add_ball(const surroundings *of, const double offset[3], double radius, point *points, int *count) {
  point *p = &points[(*count)++];
  double place[3];
  memset(p, 0, sizeof *p);
  for (int a = 0; a < 3; a++) place[a] = of->centre[a] + offset[a];
  p->gap = eli_obstacle_distance(of->obstacle, of->place->position, of->place->director, place, p->normal) - radius;
  for (int a = 0; a < 3; a++) p->arm[a] = offset[a] - radius * p->normal[a];
}

/* Adds points on the axis: both ends, or for a spherical obstacle the nearest point. */
static void add_capsule(const surroundings *of, const eli_body_shape *shape, point *points, int *count) {
  const double *axis = of->frame + 6, h = shape->half_length;
  double offset[3], to[3];
  if (of->obstacle->shape == ELASTICA_SHAPE_PLANE) {
    for (int side = -1; side <= 1; side += 2) {
      for (int a = 0; a < 3; a++) offset[a] = side * h * axis[a];
      add_ball(of, offset, shape->radius, points, count);
    }
    return;
  }
  for (int a = 0; a < 3; a++) to[a] = of->place->position[a] - of->centre[a];
  double along = eli_dot(to, axis);
  along = along < -h ? -h : along > h ? h : along;
  for (int a = 0; a < 3; a++) offset[a] = along * axis[a];
  add_ball(of, offset, shape->radius, points, count);
}

/* Adds points on the rim of each cap: the lowest, the highest and the two between them. */
static void add_cylinder(const surroundings *of, const eli_body_shape *shape, point *points, int *count) {
  const double *axis = of->frame + 6, *up = of->place->director + 6;
  const double along = eli_dot(up, axis);
  double down[3], side[3], size = 0.0;
  for (int a = 0; a < 3; a++) down[a] = along * axis[a] - up[a];
  size = sqrt(eli_dot(down, down));
  for (int a = 0; a < 3; a++) down[a] = size > 1e-6 ? down[a] / size : of->frame[a];
  eli_cross(axis, down, side);
  for (int cap = -1; cap <= 1; cap += 2)
    for (int k = 0; k < 4; k++) {
      const double *rim = k % 2 == 0 ? down : side, sign = k < 2 ? 1.0 : -1.0;
      double offset[3];
      for (int a = 0; a < 3; a++) offset[a] = cap * shape->half_length * axis[a] + sign * shape->radius * rim[a];
      add_ball(of, offset, 0.0, points, count);
    }
}

static void add_box(const surroundings *of, const eli_body_shape *shape, point *points, int *count) {
  for (int corner = 0; corner < 8; corner++) {
    double offset[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++)
      for (int a = 0; a < 3; a++) offset[a] += (corner >> k & 1 ? 1.0 : -1.0) * shape->half_edge[k] * of->frame[3 * k + a];
    add_ball(of, offset, 0.0, points, count);
  }
}

static int find_points(const eli_obstacle *obstacle, const eli_placement *place, const eli_body_shape *shape, const pose *body,
                       point points[ELI_BODY_POINTS]) {
  const double none[3] = {0.0, 0.0, 0.0};
  surroundings of = {obstacle, place, body->centre, {0.0}};
  int count = 0;
  for (int k = 0; k < 3; k++)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) of.frame[3 * k + a] += shape->axes[3 * b + k] * body->director[3 * b + a];
  switch (shape->shape) {
  case ELASTICA_SHAPE_SPHERE: add_ball(&of, none, shape->radius, points, &count); break;
  case ELASTICA_SHAPE_CAPSULE: add_capsule(&of, shape, points, &count); break;
  case ELASTICA_SHAPE_CYLINDER: add_cylinder(&of, shape, points, &count); break;
  case ELASTICA_SHAPE_BOX: add_box(&of, shape, points, &count); break;
  case ELASTICA_SHAPE_PLANE:
  case ELASTICA_SHAPE_SURFACE:
  case ELASTICA_SHAPE_TUBE:
  case ELASTICA_SHAPE_MESH: break;
  }
  return count;
}

/* ---- Response of the body ---- */

/* Velocity and spin at the end of the step, laboratory, and their changes per force and couple. */
typedef struct answer {
  double velocity[3], omega[3];
  double per_force;     /* [1/kg s] dt/m, with the drag of the step */
  double per_couple[9]; /* [1/(kg m^2) s] laboratory */
} answer;

/* Returns (1 + x/2)/(1 + x + x^2/2) for a rate, and 1/(1 + x + x^2/2) in keep (kernels/kick.inl). */
static double first_share(double x, double *keep) {
  const double half = 1.0 + 0.5 * x;
  *keep = 1.0 / (1.0 + x * half);
  return half * *keep;
}

static answer answer_of(const elastica_rod_view *body, const elastica_loads *loads, double dt) {
  answer now;
  double keep, spin[3], share[3];
  memset(&now, 0, sizeof now);
  now.per_force = dt / body->mass[0] * first_share(dt * loads->drag[0] / body->mass[0], &keep);
  for (int a = 0; a < 3; a++) {
    const double v = body->velocity[a][0], w = body->omega[a][0], J = body->inertia[a][0];
    now.velocity[a] = keep * v + now.per_force * (loads->total_force[a][0] + loads->drag[0] * v);
    double keep_spin;
    share[a] = dt / J * first_share(dt * loads->spin_drag[0] / J, &keep_spin);
    spin[a] = keep_spin * w + share[a] * (loads->total_couple[a][0] + loads->spin_drag[0] * w);
  }
  elastica_rotate_to_laboratory(body, 0, spin, now.omega);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      for (int k = 0; k < 3; k++) now.per_couple[3 * a + b] += share[k] * body->director[k][a][0] * body->director[k][b][0];
  return now;
}

/* Returns the speed of a point of the body along a direction, relative to the wall. */
static double speed_along(const double velocity[3], const double omega[3], const point *p, const double direction[3]) {
  double turned[3];
  eli_cross(omega, p->arm, turned);
  return eli_dot(velocity, direction) + eli_dot(turned, direction) - eli_dot(p->wall, direction);
}

/* Returns the change of the speed of this point along a direction per force along another. */
static double yield_of(const answer *now, const point *p, const double direction[3], const double force[3]) {
  double lever[3], turn[3], turned[3];
  eli_cross(p->arm, force, lever);
  eli_turn(now->per_couple, lever, turned);
  eli_cross(p->arm, direction, turn);
  return now->per_force * eli_dot(direction, force) + eli_dot(turn, turned);
}

static void push(answer *now, const point *p, const double direction[3], double force) {
  double lever[3], turned[3];
  eli_cross(p->arm, direction, lever);
  eli_turn(now->per_couple, lever, turned);
  for (int a = 0; a < 3; a++) {
    now->velocity[a] += now->per_force * force * direction[a];
    now->omega[a] += force * turned[a];
  }
}

/* ---- The contact law ---- */

/* Computes two tangential directions, and the velocity of the wall. */
static void complete(point *p, const eli_placement *place, const double centre[3]) {
  int least = 0;
  for (int a = 1; a < 3; a++)
    if (fabs(p->normal[a]) < fabs(p->normal[least])) least = a;
  double axis[3] = {0.0, 0.0, 0.0}, from[3], spin[3];
  axis[least] = 1.0;
  eli_cross(p->normal, axis, p->across[0]);
  const double size = sqrt(eli_dot(p->across[0], p->across[0]));
  for (int a = 0; a < 3; a++) p->across[0][a] /= size;
  eli_cross(p->normal, p->across[0], p->across[1]);
  eli_turn_back(place->director, place->omega, spin);
  for (int a = 0; a < 3; a++) from[a] = centre[a] + p->arm[a] - place->position[a];
  eli_cross(spin, from, p->wall);
  for (int a = 0; a < 3; a++) p->wall[a] += place->velocity[a];
}

static double size_of(const eli_body_shape *shape) {
  const double *h = shape->half_edge;
  switch (shape->shape) {
  case ELASTICA_SHAPE_BOX: return h[0] < h[1] ? (h[0] < h[2] ? h[0] : h[2]) : h[1] < h[2] ? h[1] : h[2];
  case ELASTICA_SHAPE_CYLINDER: return shape->radius < shape->half_length ? shape->radius : shape->half_length;
  case ELASTICA_SHAPE_SPHERE:
  case ELASTICA_SHAPE_CAPSULE:
  default: return shape->radius;
  }
}

double eli_body_step(const eli_obstacle *obstacle, const eli_placement *place, const eli_body_shape *shape, const elastica_rod_view *body,
                     double acceleration) {
  const pose at = pose_of(body);
  const double size = size_of(shape);
  point points[ELI_BODY_POINTS];
  double v[3], spin[3], w[3], gap = INFINITY, closing = 0.0, along = 0.0;
  const int count = find_points(obstacle, place, shape, &at, points);
  for (int a = 0; a < 3; a++) v[a] = body->velocity[a][0], spin[a] = body->omega[a][0];
  elastica_rotate_to_laboratory(body, 0, spin, w);
  for (int k = 0; k < count; k++) {
    double turned[3], slip[3];
    complete(&points[k], place, at.centre);
    const double towards = -speed_along(v, w, &points[k], points[k].normal);
    eli_cross(w, points[k].arm, turned);
    for (int a = 0; a < 3; a++) slip[a] = v[a] - points[k].wall[a];
    const double most = eli_dot(slip, slip) > eli_dot(turned, turned) ? eli_dot(slip, slip) : eli_dot(turned, turned);
    if (points[k].gap < gap) gap = points[k].gap;
    if (towards > closing) closing = towards;
    if (most > along) along = most;
  }
  if (!(gap > 0.0)) gap = 0.0;
  const double pace = 10.0 * closing > 2.0 * sqrt(along) ? 10.0 * closing : 2.0 * sqrt(along), a = acceleration / (0.02 * size);
  const double touching = 2.0 * size / (pace + sqrt(pace * pace + 4.0 * a * size * size)); /* solution of pace dt + a size dt^2 = size */
  const double arrival = 2.0 * gap / (closing + sqrt(closing * closing + 2.0 * acceleration * gap));
  return gap > 0.0 && 0.2 * arrival > touching ? 0.2 * arrival : touching;
}

static void apply_law(const eli_wall_law *law, const elastica_rod_view *body, double extent, double dt, point *p) {
  const eli_friction *friction = &law->friction;
  const double m = body->mass[0], rounding = 1e-12 * extent; /* rounding: a smaller distance is neither gap nor depth */
  const double gap = p->gap > rounding ? p->gap - rounding : 0.0, eps = p->gap < -rounding ? -p->gap - rounding : 0.0;
  const double creep = law->stiffness * eps * dt / m / (1.0 + dt / m * (law->damping + CREEP * law->stiffness * dt));
  p->wanted = creep - gap / dt;
  p->target = p->gap + p->wanted * dt;
  if (!friction->acts) return;
  double v[3], spin[3], w[3];
  for (int a = 0; a < 3; a++) v[a] = body->velocity[a][0], spin[a] = body->omega[a][0];
  elastica_rotate_to_laboratory(body, 0, spin, w);
  const double s0 = speed_along(v, w, p, p->across[0]), s1 = speed_along(v, w, p, p->across[1]);
  const double fade = 3.0 - friction->fade * sqrt(s0 * s0 + s1 * s1), share = fade < 0.0 ? 0.0 : fade > 1.0 ? 1.0 : fade;
  p->mu = friction->kinetic_across + share * (friction->static_across - friction->kinetic_across);
}

/* ---- The solution: sweeps, and Newton's method ---- */

/* Minimises x . A x/2 + b . x over the disc |x| <= most. On its rim (A + lambda) x = -b with the lambda >= 0 of |x| = most: Newton's method
 * for 1/|x|, from a lower bound of lambda, rises to it. */
static void solve_disc(const double A[3], const double b[2], double most, double x[2]) {
  const double mean = 0.5 * (A[0] + A[2]), half = 0.5 * (A[0] - A[2]), largest = mean + sqrt(half * half + A[1] * A[1]);
  const double size = sqrt(b[0] * b[0] + b[1] * b[1]);
  double lambda = size > largest * most ? size / most - largest : 0.0, length = 0.0;
  x[0] = x[1] = 0.0;
  if (!(most > 0.0) || !(size > 0.0)) return;
  for (int k = 0; k < 50; k++) {
    const double a = A[0] + lambda, c = A[2] + lambda, det = a * c - A[1] * A[1];
    x[0] = (A[1] * b[1] - c * b[0]) / det;
    x[1] = (A[1] * b[0] - a * b[1]) / det;
    length = sqrt(x[0] * x[0] + x[1] * x[1]);
    const double slope = (c * x[0] * x[0] - 2.0 * A[1] * x[0] * x[1] + a * x[1] * x[1]) / det,
                 rise = (length / most - 1.0) * length * length / slope;
    if (!(rise > 1e-15 * (largest + lambda))) break;
    lambda += rise;
  }
  if (length > most) x[0] *= most / length, x[1] *= most / length;
}

/* Solves one point, with the other points unchanged: its reaction, then its friction. Returns the change [N]. */
static double solve_point(answer *now, point *p) {
  const double speed = speed_along(now->velocity, now->omega, p, p->normal);
  const double wish = p->reaction + (p->wanted - speed) / p->yield, R = wish > 0.0 ? wish : 0.0;
  double changed = fabs(R - p->reaction), b[2], T[2];
  push(now, p, p->normal, R - p->reaction);
  p->reaction = R;
  if (!(p->mu > 0.0)) return changed;
  for (int k = 0; k < 2; k++)
    b[k] = speed_along(now->velocity, now->omega, p, p->across[k]) - p->slip[k] - p->yields[k] * p->friction[0] -
           p->yields[k + 1] * p->friction[1];
  solve_disc(p->yields, b, p->mu * R, T);
  for (int k = 0; k < 2; k++) {
    const double change = T[k] - p->friction[k];
    push(now, p, p->across[k], change);
    p->friction[k] = T[k];
    changed += fabs(change);
  }
  return changed;
}

/* Solves each point of all walls in turn (Gauss and Seidel), at most so many times. Returns 1 if the reactions have converged. */
static int sweep(answer *now, eli_body_reactions *walls, int most) {
  for (int k = 0; k < most; k++) {
    double changed = 0.0, all = 0.0;
    for (eli_body_reactions *wall = walls; wall != NULL; wall = wall->before)
      for (int i = 0; i < wall->count; i++) {
        changed += solve_point(now, &wall->point[i]);
        all += wall->point[i].reaction;
      }
    if (!(changed > 1e-14 * all)) return 1;
  }
  return 0;
}

/* The equation of a point for one step of Newton's method: its force changes by change - slope (change of its velocity). */
typedef struct linear {
  double change[3];   /* [N] of R and friction */
  double slope[3][3]; /* [N s/m] */
  int touches;
} linear;

static const double *direction_of(const point *p, int k) {
  return k == 0 ? p->normal : p->across[k - 1];
}

static double *force_of(point *p, int k) {
  return k == 0 ? &p->reaction : &p->friction[k - 1];
}

/* The law of a point: e = 0 or R = 0 along the normal; e = 0 or friction mu R against e across it. e is the velocity in excess of the aim
 * and of the give of the spring. The trial force q of the present state decides between these cases (Alart and Curnier). */
static linear linear_at(const answer *now, const point *p, double compliance) {
  linear of;
  double e[3], q[2];
  memset(&of, 0, sizeof of);
  for (int k = 0; k < 3; k++) {
    const double aim = k == 0 ? p->wanted : p->slip[k - 1], force = k == 0 ? p->reaction : p->friction[k - 1];
    e[k] = speed_along(now->velocity, now->omega, p, direction_of(p, k)) - aim + compliance * (force - p->spring[k]);
    of.change[k] = -force;
  }
  of.touches = p->reaction * p->yield > e[0];
  if (!of.touches) return of;
  of.change[0] = -e[0] / compliance;
  of.slope[0][0] = 1.0 / compliance;
  if (!(p->mu > 0.0)) return of;
  const double trial = 2.0 / (p->yields[0] + p->yields[2]), most = p->reaction > 0.0 ? p->mu * p->reaction : 0.0;
  for (int k = 0; k < 2; k++) q[k] = p->friction[k] - trial * e[k + 1];
  const double size = sqrt(q[0] * q[0] + q[1] * q[1]);
  if (!(size > most)) {
    for (int k = 1; k < 3; k++) of.change[k] = -e[k] / compliance, of.slope[k][k] = 1.0 / compliance;
    return of;
  }
  const double d[2] = {q[0] / size, q[1] / size}, share = most / size, turn = 1.0 - share * (1.0 - trial * compliance);
  const double along = most + p->mu * of.change[0] - p->friction[0] * d[0] - p->friction[1] * d[1];
  const double aside = (p->friction[0] * d[1] - p->friction[1] * d[0]) / turn, give = share * trial / turn;
  for (int k = 0; k < 2; k++) {
    const double normal[2] = {-d[1], d[0]};
    of.change[k + 1] = along * d[k] + aside * normal[k];
    of.slope[k + 1][0] = p->mu * d[k] * of.slope[0][0];
    for (int l = 0; l < 2; l++) of.slope[k + 1][l + 1] = give * normal[k] * normal[l];
  }
  return of;
}

enum { UNKNOWNS = 6 };

/* The speed of a point along a direction is this row times velocity and spin. */
static void row_of(const point *p, const double direction[3], double row[UNKNOWNS]) {
  memcpy(row, direction, 3 * sizeof *row);
  eli_cross(p->arm, direction, row + 3);
}

/* Adds the force and couple of a point on the body, and their slopes. */
static void add_point(const point *p, const linear *of, double S[UNKNOWNS][UNKNOWNS], double load[UNKNOWNS]) {
  double row[3][UNKNOWNS];
  for (int k = 0; k < 3; k++) row_of(p, direction_of(p, k), row[k]);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < UNKNOWNS; i++) {
      load[i] += row[k][i] * of->change[k];
      for (int l = 0; l < 3; l++)
        for (int j = 0; j < UNKNOWNS && of->slope[k][l] != 0.0; j++) S[i][j] += row[k][i] * of->slope[k][l] * row[l][j];
    }
}

/* Multiplies a column by the response of the body. */
static void respond(const answer *now, double column[UNKNOWNS]) {
  double turned[3];
  eli_turn(now->per_couple, column + 3, turned);
  for (int a = 0; a < 3; a++) column[a] *= now->per_force, column[3 + a] = turned[a];
}

/* Solves A x = b by elimination with pivots; b becomes x. Returns 0 if A is singular. */
static int eliminate(double A[UNKNOWNS][UNKNOWNS], double b[UNKNOWNS]) {
  for (int k = 0; k < UNKNOWNS; k++) {
    int pivot = k;
    for (int i = k + 1; i < UNKNOWNS; i++)
      if (fabs(A[i][k]) > fabs(A[pivot][k])) pivot = i;
    if (!(fabs(A[pivot][k]) > 0.0)) return 0;
    for (int j = 0; j < UNKNOWNS; j++) {
      const double other = A[k][j];
      A[k][j] = A[pivot][j], A[pivot][j] = other;
    }
    const double other = b[k];
    b[k] = b[pivot], b[pivot] = other;
    for (int i = k + 1; i < UNKNOWNS; i++) {
      const double ratio = A[i][k] / A[k][k];
      for (int j = k; j < UNKNOWNS; j++) A[i][j] -= ratio * A[k][j];
      b[i] -= ratio * b[k];
    }
  }
  for (int k = UNKNOWNS - 1; k >= 0; k--) {
    for (int j = k + 1; j < UNKNOWNS; j++) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return 1;
}

/* The size of the terms in the velocity of a point [m/s]. */
static double size_of_velocity(const answer *now, const point *p) {
  return sqrt(eli_dot(now->velocity, now->velocity)) + sqrt(eli_dot(now->omega, now->omega) * eli_dot(p->arm, p->arm));
}

/* One step of Newton's method for velocity, spin and all forces, or this share of it. Writes the change of the speeds of the points, and
 * its bound at convergence [m/s]. Returns 0 if the equations are singular. */
static int step_newton(answer *now, eli_body_reactions *walls, double compliance, double share, double *moved, double *bound) {
  double S[UNKNOWNS][UNKNOWNS] = {{0.0}}, change[UNKNOWNS] = {0.0}, A[UNKNOWNS][UNKNOWNS];
  const answer before = *now;
  for (const eli_body_reactions *wall = walls; wall != NULL; wall = wall->before)
    for (int i = 0; i < wall->count; i++) {
      const linear of = linear_at(now, &wall->point[i], compliance);
      add_point(&wall->point[i], &of, S, change);
    }
  for (int j = 0; j < UNKNOWNS; j++) {
    double column[UNKNOWNS];
    for (int i = 0; i < UNKNOWNS; i++) column[i] = S[i][j];
    respond(now, column);
    for (int i = 0; i < UNKNOWNS; i++) A[i][j] = column[i] + (i == j ? 1.0 : 0.0);
  }
  respond(now, change);
  if (!eliminate(A, change)) return 0;
  *moved = *bound = 0.0;
  for (eli_body_reactions *wall = walls; wall != NULL; wall = wall->before)
    for (int i = 0; i < wall->count; i++) {
      point *p = &wall->point[i];
      const linear of = linear_at(&before, p, compliance);
      const int opens = p->reaction != 0.0;
      double speed[3];
      for (int k = 0; k < 3; k++) {
        double row[UNKNOWNS];
        row_of(p, direction_of(p, k), row);
        speed[k] = eli_dot(row, change) + eli_dot(row + 3, change + 3);
      }
      for (int k = 0; k < 3; k++) {
        const double more = share * (of.change[k] - eli_dot(of.slope[k], speed));
        push(now, p, direction_of(p, k), more);
        *force_of(p, k) += more;
      }
      if (!of.touches && !opens) continue;
      *bound += SAME * (fabs(p->reaction) * p->yield + size_of_velocity(now, p));
      *moved += fabs(speed[0]) + fabs(speed[1]) + fabs(speed[2]);
    }
  return 1;
}

/* Solves the reactions with equal stiff springs at all points. Each stage begins its springs at the forces of the one before, so that their
 * give falls by SOFTNESS. Returns 0 if the steps do not converge. */
static int solve_springs(answer *now, eli_body_reactions *walls) {
  const double compliance = SOFTNESS * now->per_force;
  for (eli_body_reactions *wall = walls; wall != NULL; wall = wall->before)
    for (int i = 0; i < wall->count; i++) memset(wall->point[i].spring, 0, sizeof wall->point[i].spring);
  for (int stage = 0, k = 0; k < STEPS; k++) {
    double moved, bound;
    if (!step_newton(now, walls, compliance, k >= FULL_BEFORE && k < FULL_AFTER ? 0.5 : 1.0, &moved, &bound)) return 0;
    if (!(moved <= bound)) continue;
    if (++stage == STAGES) return 1;
    for (eli_body_reactions *wall = walls; wall != NULL; wall = wall->before)
      for (int i = 0; i < wall->count; i++)
        for (int a = 0; a < 3; a++) wall->point[i].spring[a] = *force_of(&wall->point[i], a);
  }
  return 0;
}

/* Stores the forces of all points, or with back 1 restores them. */
static void keep_forces(eli_body_reactions *walls, int back) {
  for (eli_body_reactions *wall = walls; wall != NULL; wall = wall->before)
    for (int i = 0; i < wall->count; i++)
      for (int k = 0; k < 3; k++) {
        double *force = force_of(&wall->point[i], k), *kept = &wall->point[i].kept[k];
        *(back ? force : kept) = *(back ? kept : force);
      }
}

static int count_touching(const eli_body_reactions *walls) {
  int count = 0;
  for (const eli_body_reactions *wall = walls; wall != NULL; wall = wall->before)
    for (int i = 0; i < wall->count; i++) count += wall->point[i].reaction > 0.0;
  return count;
}

/* Solves the reactions of all walls. Sweeps are exact for one point, and slow for many; Newton's method needs a start near the solution. */
static void balance(answer *now, eli_body_reactions *walls) {
  for (int round = 0; round < ROUNDS; round++) {
    if (sweep(now, walls, SWEEPS << round) && count_touching(walls) <= 1) return;
    const answer swept = *now;
    keep_forces(walls, 0);
    if (solve_springs(now, walls)) return;
    keep_forces(walls, 1);
    *now = swept;
  }
}

/* The pose of a body, and the placement of a wall, at a later time. */
static pose pose_after(const pose *body, const answer *now, double time) {
  double material[3], turn[9];
  pose later = *body;
  eli_turn(body->director, now->omega, material);
  for (int a = 0; a < 3; a++) later.centre[a] += time * now->velocity[a], material[a] *= time;
  eli_rotation_exp(material, turn);
  eli_matrix_product(turn, body->director, later.director);
  return later;
}

static eli_placement place_after(const eli_placement *place, double time) {
  double material[3], turn[9];
  eli_placement later = *place;
  for (int a = 0; a < 3; a++) later.position[a] += time * place->velocity[a], material[a] = time * place->omega[a];
  eli_rotation_exp(material, turn);
  eli_matrix_product(turn, place->director, later.director);
  return later;
}

/* Computes the slips at the points of a wall half a step later, along the present directions. Returns the largest change [m/s]. */
static double correct_slips(const answer *now, const eli_body_shape *shape, const pose *body, double dt, eli_body_reactions *wall) {
  const pose later = pose_after(body, now, 0.5 * dt);
  const eli_placement place = place_after(&wall->place, 0.5 * dt);
  double largest = 0.0;
  point points[ELI_BODY_POINTS];
  const int count = find_points(&wall->obstacle, &place, shape, &later, points);
  for (int k = 0; k < count; k++) {
    point *p = &wall->point[k];
    if (!(p->reaction > 0.0) || !(p->mu > 0.0)) continue;
    complete(&points[k], &place, later.centre);
    for (int a = 0; a < 2; a++) {
      const double slip =
          speed_along(now->velocity, now->omega, p, p->across[a]) - speed_along(now->velocity, now->omega, &points[k], p->across[a]);
      if (fabs(slip - p->slip[a]) > largest) largest = fabs(slip - p->slip[a]);
      p->slip[a] = slip;
    }
  }
  return largest;
}

/* Computes the positions of all points at the middle of the next step; v and omega are constant until then. Corrects the least speed of
 * each point for the curvature of its path, if it has a reaction or would be too deep. Returns the largest correction [m]. */
static double correct_speeds(const answer *now, const eli_body_shape *shape, const pose *body, double dt, eli_body_reactions *walls) {
  double largest = 0.0;
  const pose later = pose_after(body, now, dt);
  for (eli_body_reactions *wall = walls; wall != NULL; wall = wall->before) {
    const eli_placement place = place_after(&wall->place, dt);
    point points[ELI_BODY_POINTS];
    const double slipped = dt * correct_slips(now, shape, body, dt, wall);
    if (slipped > largest) largest = slipped;
    const int count = find_points(&wall->obstacle, &place, shape, &later, points);
    for (int k = 0; k < count; k++) {
      const double missing = wall->point[k].target - points[k].gap;
      if (!(missing > 0.0) && !(wall->point[k].reaction > 0.0)) continue;
      wall->point[k].wanted += missing / dt;
      if (fabs(missing) > largest) largest = fabs(missing);
    }
  }
  return largest;
}

static void sum_up(const eli_body_reactions *wall, double force[3], double couple[3]) {
  for (int a = 0; a < 3; a++) force[a] = couple[a] = 0.0;
  for (int k = 0; k < wall->count; k++) {
    const point *p = &wall->point[k];
    double f[3], turned[3];
    for (int a = 0; a < 3; a++) f[a] = p->reaction * p->normal[a] + p->friction[0] * p->across[0][a] + p->friction[1] * p->across[1][a];
    eli_cross(p->arm, f, turned);
    for (int a = 0; a < 3; a++) force[a] += f[a], couple[a] += turned[a];
  }
}

/* Finds the contact points. Returns 1 if at least one of them would end the step below the surface. */
static int find_contacts(const eli_wall_law *law, const eli_body_shape *shape, const elastica_rod_view *body, const pose *at, double dt,
                         const answer *now, eli_body_reactions *wall) {
  int touches = 0;
  wall->count = find_points(&wall->obstacle, &wall->place, shape, at, wall->point);
  for (int k = 0; k < wall->count; k++) {
    point *p = &wall->point[k];
    complete(p, &wall->place, at->centre);
    apply_law(law, body, body->length[0], dt, p);
    p->yield = yield_of(now, p, p->normal, p->normal);
    for (int a = 0; a < 3; a++) p->yields[a] = yield_of(now, p, p->across[a / 2], p->across[(a + 1) / 2]);
    touches |= speed_along(now->velocity, now->omega, p, p->normal) < p->wanted;
  }
  return touches;
}

/* The largest depth [m] by which a point of the wall would end the step too deep. */
static double missing_of(const answer *now, double dt, const eli_body_reactions *wall) {
  double most = 0.0;
  for (int k = 0; k < wall->count; k++) {
    const double missing = dt * (wall->point[k].wanted - speed_along(now->velocity, now->omega, &wall->point[k], wall->point[k].normal));
    if (missing > most) most = missing;
  }
  return most;
}

/* Writes the force and couple of a wall, and adds their changes to the loads. */
static void add_loads(eli_body_reactions *wall, const elastica_rod_view *body, const elastica_loads *loads) {
  double force[3], couple[3], turned[3];
  sum_up(wall, force, couple);
  for (int a = 0; a < 3; a++) {
    loads->force[a][0] += force[a] - wall->force[a];
    wall->force[a] = force[a];
    force[a] = couple[a] - wall->couple[a];
    wall->couple[a] = couple[a];
  }
  elastica_rotate_to_material(body, 0, force, turned);
  for (int a = 0; a < 3; a++) loads->couple[a][0] += turned[a];
}

int eli_body_find_reactions(const eli_wall_law *law, const eli_body_shape *shape, const elastica_rod_view *body,
                            const elastica_loads *loads, double dt, int moves, eli_body_reactions *walls) {
  const int corrections = moves ? CORRECTIONS : 0;
  const double tolerance = 1e-9 * size_of(shape);
  const pose at = pose_of(body);
  answer now = answer_of(body, loads, dt);
  for (int a = 0; a < 3; a++) walls->force[a] = walls->couple[a] = 0.0;
  if (!find_contacts(law, shape, body, &at, dt, &now, walls)) return 0;
  balance(&now, walls);
  for (int k = 0; k < corrections && correct_speeds(&now, shape, &at, dt, walls) > tolerance; k++) balance(&now, walls);
  for (eli_body_reactions *wall = walls; wall != NULL; wall = wall->before) {
    add_loads(wall, body, loads);
    wall->missing = missing_of(&now, dt, wall);
  }
  return 1;
}

static const point *deepest_of(const eli_body_reactions *wall) {
  const point *deepest = &wall->point[0];
  for (int k = 1; k < wall->count; k++)
    if (wall->point[k].gap < deepest->gap) deepest = &wall->point[k];
  return deepest;
}

/* Thresholds, in the size of a body. A body that turns to fit between two walls is too wide by 1e-9, and no wall lets a point end a step
 * too deep. Beside walls that slow down it is too wide by 1e-5, because a step assumes that walls keep their present motion. In a step
 * shorter than the one for which its corners were placed it is too wide by a hundredth. Without room its excess of width grows, and the
 * walls disagree on the end positions of its points. */
#define TOO_WIDE 1e-3
#define DISAGREEMENT 1e-8
#define FAR_TOO_WIDE 0.1

const eli_body_reactions *eli_body_find_squeeze(const eli_body_shape *shape, const eli_body_reactions *walls, double *space,
                                                double *width) {
  const double size = size_of(shape);
  const point *one = deepest_of(walls);
  for (const eli_body_reactions *wall = walls->before; wall != NULL; wall = wall->before) {
    const point *other = deepest_of(wall);
    const double slack = walls->missing + wall->missing > DISAGREEMENT * size ? TOO_WIDE : FAR_TOO_WIDE;
    const double room = one->gap + other->gap + slack * size;
    if (!eli_clearance_is_short(one->normal, other->normal, room + 2.0 * size, size)) continue;
    *width = -eli_dot(one->arm, one->normal) - eli_dot(other->arm, other->normal);
    *space = one->gap + other->gap + *width;
    return wall;
  }
  return NULL;
}
