/* Tubes (see tube.h). */
#include "base/target.h"

#include "effects/tube.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/record.h"
#include "base/vector.h"
#include "state/definition.h"
#include "state/module.h"

/* A kink below this angle [rad] counts as straight. */
#define STRAIGHT 1e-9

/* An arc must be wider than the tube by this factor, so that the distance is smooth where rods can be. */
#define CLEARANCE 1.25

/* The rim of an end has this share of its radius as its own. */
#define RIM 0.5

/* ---- Distance ---- */

/* The nearest point of a piece: its length from the start on a straight piece, or its direction from the centre of an arc as cosine and
 * sine; and the vector from there to x. */
typedef struct nearest {
  const eli_tube_piece *piece;
  double distance, square; /* [m], [m^2] */
  double at, cosine, sine, offset[3];
} nearest;

static void keep_nearest(const eli_tube_piece *piece, const double offset[3], nearest *best, double at, double cosine, double sine) {
  const double square = eli_dot(offset, offset);
  if (!(square < best->square)) return;
  best->piece = piece;
  best->distance = sqrt(square);
  best->square = square;
  best->at = at;
  best->cosine = cosine;
  best->sine = sine;
  for (int a = 0; a < 3; a++) best->offset[a] = offset[a];
}

static void try_straight(const eli_tube_piece *piece, const double from[3], nearest *best) {
  const double s = eli_dot(from, piece->along), at = s < 0.0 ? 0.0 : s > piece->length ? piece->length : s;
  double offset[3];
  for (int a = 0; a < 3; a++) offset[a] = from[a] - at * piece->along[a];
  keep_nearest(piece, offset, best, at, 1.0, 0.0);
}

/* The direction of x from the centre, if it is within half of the turn of the middle; else that of the end on its side. */
static void try_arc(const eli_tube_piece *piece, const double from[3], nearest *best) {
  const double forwards = eli_dot(from, piece->along), outwards = piece->bend - eli_dot(from, piece->inwards);
  const double size = sqrt(forwards * forwards + outwards * outwards);
  const double ahead = piece->middle[0] * outwards + piece->middle[1] * forwards,
               aside = piece->middle[0] * forwards - piece->middle[1] * outwards;
  double cosine = piece->end[0], sine = piece->end[1], offset[3];
  if (size == 0.0) {
    cosine = piece->middle[0], sine = piece->middle[1];
  } else if (ahead >= piece->middle[0] * size) {
    cosine = outwards / size, sine = forwards / size;
  } else if (aside < 0.0) {
    cosine = 1.0, sine = 0.0;
  }
  for (int a = 0; a < 3; a++) offset[a] = from[a] - piece->bend * (sine * piece->along[a] + (1.0 - cosine) * piece->inwards[a]);
  keep_nearest(piece, offset, best, 0.0, cosine, sine);
}

static void try_piece(const eli_tube_piece *piece, const double x[3], nearest *best) {
  const double from[3] = {x[0] - piece->start[0], x[1] - piece->start[1], x[2] - piece->start[2]};
  (piece->bend == 0.0 ? try_straight : try_arc)(piece, from, best);
}

static void search(const eli_tube *tube, int level, int group, const double x[3], nearest *best);

static void visit(const eli_tube *tube, int level, int ball, const double x[3], nearest *best) {
  if (level == 0)
    try_piece(&tube->pieces[ball], x, best);
  else
    search(tube, level - 1, ball, x, best);
}

/* Searches the pieces in a group of balls: first in that with the nearest centre, then in all others that reach nearer than what was
 * found. */
static void search(const eli_tube *tube, int level, int group, const double x[3], nearest *best) {
  const eli_tube_balls *balls = &tube->balls[level][group];
  const double px = x[0], py = x[1], pz = x[2];
  double square[ELI_TUBE_BRANCHES];
  int first = 0;
  for (int k = 0; k < ELI_TUBE_BRANCHES; k++) {
    const double dx = px - balls->centre[0][k], dy = py - balls->centre[1][k], dz = pz - balls->centre[2][k];
    square[k] = dx * dx + dy * dy + dz * dz;
  }
  double least = square[0];
  for (int k = 1; k < ELI_TUBE_BRANCHES; k++) least = square[k] < least ? square[k] : least;
  while (first + 1 < ELI_TUBE_BRANCHES && square[first] > least) first++;
  visit(tube, level, group * ELI_TUBE_BRANCHES + first, x, best);
  for (int k = 0; k < ELI_TUBE_BRANCHES; k++) {
    const double reach = best->distance + balls->radius[k];
    if (k != first && square[k] < reach * reach) visit(tube, level, group * ELI_TUBE_BRANCHES + k, x, best);
  }
}

/* In the half plane through the axis and the point, the wall beyond an end is a quarter of a disc, the rim, and a flat face. */
static double distance_to_rim(double above, double rho, double end_radius, const double along[3], const double outwards[3],
                              double gradient[3]) {
  const double rim = RIM * end_radius, aside = end_radius + rim - rho;
  double distance = above - rim, share_above = 1.0, share_aside = 0.0;
  if (aside > 0.0) {
    const double size = sqrt(above * above + aside * aside);
    distance = size - rim;
    share_above = above / size, share_aside = aside / size;
  }
  for (int a = 0; a < 3; a++) gradient[a] = share_above * along[a] - share_aside * outwards[a];
  return distance;
}

double eli_tube_distance(const eli_tube *tube, const double point[3], double gradient[3]) {
  nearest at = {.piece = tube->pieces, .distance = INFINITY, .square = INFINITY};
  double outwards[3] = {0.0, 0.0, 0.0};
  search(tube, tube->levels - 1, 0, point, &at);
  double along[3];
  for (int a = 0; a < 3; a++) along[a] = at.cosine * at.piece->along[a] + at.sine * at.piece->inwards[a];
  if (at.piece->bend > 0.0) at.at = at.piece->bend * eli_atan2(at.sine, at.cosine);
  const double *c = at.piece->radius, s = at.at, radius = c[0] + s * (c[1] + s * (c[2] + s * c[3]));
  const double slope = c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]);
  const double beyond = eli_dot(at.offset, along); /* 0 but at both ends of the axis */
  const int first = at.piece == tube->pieces && at.at == 0.0 && beyond < 0.0,
            last = at.piece == tube->pieces + tube->count - 1 && at.at == at.piece->length && beyond > 0.0;
  if (tube->inside && (first || last)) {
    const double sign = first ? -1.0 : 1.0, away[3] = {sign * along[0], sign * along[1], sign * along[2]};
    double across[3];
    for (int a = 0; a < 3; a++) across[a] = at.offset[a] - beyond * along[a];
    const double rho = sqrt(eli_dot(across, across));
    for (int a = 0; a < 3; a++) outwards[a] = rho > 0.0 ? across[a] / rho : 0.0;
    return distance_to_rim(fabs(beyond), rho, radius, away, outwards, gradient);
  }
  for (int a = 0; a < 3; a++) outwards[a] = at.distance > 0.0 ? at.offset[a] / at.distance : 0.0;
  double faster = 1.0; /* motion of the nearest point per motion along the axis */
  if (at.piece->bend > 0.0) {
    double inwards[3];
    for (int a = 0; a < 3; a++) inwards[a] = at.cosine * at.piece->inwards[a] - at.sine * at.piece->along[a];
    const double nearing = 1.0 - eli_dot(at.offset, inwards) / at.piece->bend;
    faster = nearing > 1e-3 ? 1.0 / nearing : 1e3;
  }
  const double sign = tube->inside ? -1.0 : 1.0;
  for (int a = 0; a < 3; a++) gradient[a] = sign * (outwards[a] - slope * faster * along[a]);
  return sign * (at.distance - radius);
}

/* ---- Pictures ---- */

enum { SEGMENTS = 4 /* of each piece */, END = 8 /* of each end */ };

int eli_tube_segment_count(const eli_tube *tube) {
  return SEGMENTS * tube->count + 2 * END;
}

/* A place on the axis with its direction and the radius. */
typedef struct station {
  double at[3], along[3], radius;
} station;

static station station_at(const eli_tube_piece *piece, double s) {
  const double *c = piece->radius;
  station of = {.radius = c[0] + s * (c[1] + s * (c[2] + s * c[3]))};
  double sine = 0.0, cosine = 1.0;
  if (piece->bend > 0.0) eli_sincos(s / piece->bend, &sine, &cosine);
  for (int a = 0; a < 3; a++) {
    const double way =
        piece->bend > 0.0 ? piece->bend * (sine * piece->along[a] + (1.0 - cosine) * piece->inwards[a]) : s * piece->along[a];
    of.at[a] = piece->start[a] + way;
    of.along[a] = cosine * piece->along[a] + sine * piece->inwards[a];
  }
  return of;
}

/* Moves a station beyond an end by k of END rings: on the half ball, or on the rim and then to a ring of the face. Each ring lies beyond
 * the one before, so that it has a direction. */
static void pass_end(const eli_tube *tube, int last, int k, station *of) {
  const int rings = tube->inside ? END - 1 : END;
  double sine, cosine, beyond, radius = of->radius;
  eli_sincos(0.5 * ELI_PI * (k < rings ? k : rings) / rings, &sine, &cosine);
  beyond = radius * sine;
  of->radius = k < rings || tube->inside ? radius * cosine : 0.0;
  if (tube->inside) {
    beyond *= RIM;
    of->radius = radius * (1.0 + RIM * (1.0 - cosine));
    if (k > rings) beyond *= 1.001, of->radius = radius * (1.0 + 2.0 * RIM);
  }
  for (int a = 0; a < 3; a++) of->at[a] += (last ? beyond : -beyond) * of->along[a];
}

/* The segments are numbered from the first end to the last. */
void eli_tube_segment(const eli_tube *tube, int segment, double end[2][3], double radius[2]) {
  const int middle = SEGMENTS * tube->count;
  for (int side = 0; side < 2; side++) {
    const int ring = segment + side - END, inner = ring < 0 ? 0 : ring > middle ? middle : ring;
    const int own = segment - END, from = own < 0 ? 0 : own >= middle ? middle - 1 : own;
    const eli_tube_piece *piece = &tube->pieces[from / SEGMENTS];
    station of = station_at(piece, piece->length * (inner - SEGMENTS * (from / SEGMENTS)) / SEGMENTS);
    if (ring < 0) pass_end(tube, 0, -ring, &of);
    if (ring > middle) pass_end(tube, 1, ring - middle, &of);
    memcpy(end[side], of.at, sizeof of.at);
    radius[side] = of.radius;
  }
}

/* ---- The axis ---- */

/* The radius along a piece from its values and slopes at both ends. */
static void set_radius(eli_tube_piece *piece, double first, double first_slope, double last, double last_slope) {
  const double l = piece->length, mean = (last - first) / l;
  piece->radius[0] = first;
  piece->radius[1] = first_slope;
  piece->radius[2] = (3.0 * mean - 2.0 * first_slope - last_slope) / l;
  piece->radius[3] = (first_slope + last_slope - 2.0 * mean) / (l * l);
}

/* One edge of the polyline. */
typedef struct edge {
  double along[3], length, slope; /* slope of R */
} edge;

static edge edge_of(const elastica_obstacle_def *def, int k) {
  edge of;
  for (int a = 0; a < 3; a++) of.along[a] = def->points[3 * (k + 1) + a] - def->points[3 * k + a];
  of.length = sqrt(eli_dot(of.along, of.along));
  for (int a = 0; a < 3; a++) of.along[a] /= of.length;
  of.slope = (def->radii[k + 1] - def->radii[k]) / of.length;
  return of;
}

/* Adds the straight piece of an edge between the lengths from and to of it, if it has any length. */
static void add_straight(eli_tube *tube, const elastica_obstacle_def *def, int k, const edge *of, double from, double to,
                         const double slopes[2]) {
  eli_tube_piece *piece = &tube->pieces[tube->count];
  if (!(to - from > 1e-12 * of->length)) return;
  memset(piece, 0, sizeof *piece);
  piece->length = to - from;
  for (int a = 0; a < 3; a++) piece->start[a] = def->points[3 * k + a] + from * of->along[a];
  memcpy(piece->along, of->along, sizeof piece->along);
  /* The radius is that of the polyline, but for the slope at both ends. */
  const double low = slopes[0] == of->slope ? def->radii[k] + of->slope * from : def->radii[k];
  const double high = slopes[1] == of->slope ? def->radii[k] + of->slope * to : def->radii[k + 1];
  set_radius(piece, low, slopes[0], high, slopes[1]);
  tube->count++;
}

/* Adds the arc that rounds the kink at point k, between the edges before and after it, over half of the shorter one on both sides. */
static void add_arc(eli_tube *tube, const elastica_obstacle_def *def, int k, const edge *before, const edge *after, double half) {
  eli_tube_piece *piece = &tube->pieces[tube->count++];
  double normal[3];
  memset(piece, 0, sizeof *piece);
  eli_cross(before->along, after->along, normal);
  const double sine = sqrt(eli_dot(normal, normal)), cosine = eli_dot(before->along, after->along);
  piece->turn = eli_atan2(sine, cosine);
  for (int a = 0; a < 3; a++) piece->start[a] = def->points[3 * k + a] - half * before->along[a];
  memcpy(piece->along, before->along, sizeof piece->along);
  piece->length = 2.0 * half;
  piece->point = k;
  if (piece->turn > STRAIGHT) {
    double size = 0.0;
    for (int a = 0; a < 3; a++) piece->inwards[a] = after->along[a] - cosine * before->along[a];
    size = sqrt(eli_dot(piece->inwards, piece->inwards));
    for (int a = 0; a < 3; a++) piece->inwards[a] /= size;
    piece->bend = half * (1.0 + cosine) / sine; /* half / tan(turn/2) */
    piece->length = piece->turn * piece->bend;
    eli_sincos(piece->turn, &piece->end[1], &piece->end[0]);
    eli_sincos(0.5 * piece->turn, &piece->middle[1], &piece->middle[0]);
  }
  set_radius(piece, def->radii[k] - half * before->slope, before->slope, def->radii[k] + half * after->slope, after->slope);
}

static void make_pieces(eli_tube *tube, const elastica_obstacle_def *def) {
  const int edges = def->point_count - 1;
  double taken = 0.0; /* [m] of the present edge, by the arc before it */
  for (int k = 0; k < edges; k++) {
    const edge of = edge_of(def, k), next = k + 1 < edges ? edge_of(def, k + 1) : of;
    const double half = k + 1 < edges ? 0.5 * (of.length < next.length ? of.length : next.length) : 0.0;
    const int first = k == 0, last = k + 1 == edges;
    if (first && last) {
      add_straight(tube, def, k, &of, 0.0, of.length, (const double[2]){0.0, 0.0});
    } else if (first) { /* R loses its slope over the first half */
      add_straight(tube, def, k, &of, 0.0, 0.5 * of.length, (const double[2]){0.0, of.slope});
      add_straight(tube, def, k, &of, 0.5 * of.length, of.length - half, (const double[2]){of.slope, of.slope});
    } else if (last) {
      add_straight(tube, def, k, &of, taken, 0.5 * of.length, (const double[2]){of.slope, of.slope});
      add_straight(tube, def, k, &of, 0.5 * of.length, of.length, (const double[2]){of.slope, 0.0});
    } else {
      add_straight(tube, def, k, &of, taken, of.length - half, (const double[2]){of.slope, of.slope});
    }
    if (!last) add_arc(tube, def, k + 1, &of, &next, half);
    taken = half;
  }
}

/* ---- Balls ---- */

typedef struct ball {
  double centre[3], radius;
} ball;

/* A ball around a piece: about the middle of its chord; an arc lies within half of its length. */
static ball ball_of(const eli_tube_piece *piece) {
  const double *middle = piece->middle;
  ball of;
  for (int a = 0; a < 3; a++)
    of.centre[a] =
        piece->start[a] + (piece->bend > 0.0 ? piece->bend * (middle[1] * piece->along[a] + (1.0 - middle[0]) * piece->inwards[a])
                                             : 0.5 * piece->length * piece->along[a]);
  of.radius = 0.5 * piece->length * (1.0 + 1e-9);
  return of;
}

static ball ball_around(const eli_tube_balls *balls, int count) {
  ball around = {.radius = 0.0};
  for (int k = 0; k < count; k++)
    for (int a = 0; a < 3; a++) around.centre[a] += balls->centre[a][k] / count;
  for (int k = 0; k < count; k++) {
    double square = 0.0;
    for (int a = 0; a < 3; a++) square += (balls->centre[a][k] - around.centre[a]) * (balls->centre[a][k] - around.centre[a]);
    const double reach = sqrt(square) + balls->radius[k];
    if (reach > around.radius) around.radius = reach * (1.0 + 1e-9);
  }
  return around;
}

static void put_ball(eli_tube_balls *balls, int place, const ball *of) {
  for (int a = 0; a < 3; a++) balls->centre[a][place] = of->centre[a];
  balls->radius[place] = of->radius;
}

/* Each level has a ball for each group of the level below, up to a level of one group. */
static int make_balls(eli_tube *tube) {
  static const ball none = {{INFINITY, INFINITY, INFINITY}, 0.0};
  for (int count = tube->count, below = 0;; below = count, count = (count + ELI_TUBE_BRANCHES - 1) / ELI_TUBE_BRANCHES) {
    const int level = tube->levels, groups = (count + ELI_TUBE_BRANCHES - 1) / ELI_TUBE_BRANCHES;
    eli_tube_balls *balls = tube->balls[level] = eli_allocate(tube->allocator, (size_t)groups, sizeof *balls);
    if (balls == NULL) return 0;
    for (int j = 0; j < groups * ELI_TUBE_BRANCHES; j++) {
      const int left = below - j * ELI_TUBE_BRANCHES;
      const ball of = j >= count   ? none
                      : level == 0 ? ball_of(&tube->pieces[j])
                                   : ball_around(&tube->balls[level - 1][j], left < ELI_TUBE_BRANCHES ? left : ELI_TUBE_BRANCHES);
      put_ball(&balls[j / ELI_TUBE_BRANCHES], j % ELI_TUBE_BRANCHES, &of);
    }
    tube->levels++;
    if (groups == 1) return 1;
  }
}

/* ---- Bounds ---- */

/* The extremes of the radius and of its slope along a piece, from samples. */
static void bound_piece(eli_tube *tube, const eli_tube_piece *piece) {
  enum { SAMPLES = 16 };
  const double *c = piece->radius;
  double widest = 0.0, steepest = 0.0, bent = 0.0;
  for (int k = 0; k <= SAMPLES; k++) {
    const double s = piece->length * k / SAMPLES, radius = c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    const double slope = fabs(c[1] + s * (2.0 * c[2] + s * 3.0 * c[3])), bending = fabs(2.0 * c[2] + s * 6.0 * c[3]);
    if (radius > widest) widest = radius;
    if (radius < tube->narrowest) tube->narrowest = radius;
    if (slope > steepest) steepest = slope;
    if (bending > bent) bent = bending;
  }
  if (widest > tube->widest) tube->widest = widest;
  if (piece->bend > 0.0 && piece->bend < tube->tightest) tube->tightest = piece->bend;
  const double share = piece->bend > 0.0 ? (tube->inside ? widest : 0.9 * piece->bend) / piece->bend : 0.0;
  const double faster = 1.0 / (1.0 - share), along = 1.05 * steepest * faster, slope = sqrt(1.0 + along * along);
  const double kappa = piece->bend > 0.0 ? 1.0 / piece->bend : 0.0, rim = tube->inside ? RIM * tube->narrowest : tube->narrowest;
  const double curvature = faster * kappa + faster * faster * 1.05 * bent + faster * faster * along * kappa + 1.0 / rim;
  if (slope > tube->slope) tube->slope = slope;
  if (curvature > tube->curvature) tube->curvature = curvature;
  const ball around = ball_of(piece);
  const double reach = sqrt(eli_dot(around.centre, around.centre)) + around.radius + widest;
  if (reach > tube->extent) tube->extent = reach;
}

/* Refuses an arc that is not wider than the tube there. */
static elastica_status check_bends(elastica_world *world, const eli_tube *tube, const elastica_obstacle_def *def) {
  for (int k = 0; k < tube->count; k++) {
    const eli_tube_piece *piece = &tube->pieces[k];
    const double radius = def->radii[piece->point];
    if (piece->bend == 0.0 || piece->bend >= CLEARANCE * radius) continue;
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT,
                                 "obstacle_def.points: at point %d the axis bends with a radius of %g m, less than %g times the radius of "
                                 "the tube, %g m: round the bend by more points, or take its neighbours farther away",
                                 piece->point, piece->bend, CLEARANCE, radius);
  }
  return ELASTICA_OK;
}

/* ---- Definition ---- */

static elastica_status check_points(elastica_world *world, const elastica_obstacle_def *def) {
  if (def->points == NULL || def->radii == NULL)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.%s is not set, and shape is TUBE",
                                 def->points == NULL ? "points" : "radii");
  if (def->point_count < 2)
    return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.point_count is %d: a tube has at least 2 points",
                                 def->point_count);
  for (int k = 0; k < def->point_count; k++) {
    for (int a = 0; a < 3; a++)
      if (!eli_is_moderate(def->points[3 * k + a]))
        return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.points[%d] is %g, not finite", 3 * k + a,
                                     def->points[3 * k + a]);
    if (!(def->radii[k] > 0.0 && eli_is_moderate(def->radii[k])))
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.radii[%d] is %g, not positive and finite", k,
                                   def->radii[k]);
  }
  for (int k = 0; k + 1 < def->point_count; k++) {
    const edge of = edge_of(def, k);
    if (!(of.length > 0.0))
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.points: points %d and %d of the tube coincide", k,
                                   k + 1);
    if (k == 0) continue;
    const edge before = edge_of(def, k - 1);
    if (eli_dot(before.along, of.along) < -1.0 + 1e-9)
      return elastica_world_refuse(world, ELASTICA_INVALID_ARGUMENT, "obstacle_def.points: the tube turns back at point %d", k);
  }
  return ELASTICA_OK;
}

static int mark_of(const elastica_obstacle_def *def) {
  const size_t count = (size_t)def->point_count;
  const uint64_t sum = eli_sum_of_doubles(eli_sum_of_doubles(count, def->points, 3 * count), def->radii, count);
  return (int)(sum >> 33) | 1;
}

elastica_status eli_tube_create(elastica_world *world, const elastica_obstacle_def *def, eli_tube **out) {
  const eli_allocator *allocator = eli_world_allocator(world);
  elastica_status status = check_points(world, def);
  if (status != ELASTICA_OK) return status;
  eli_tube *tube = eli_allocate(allocator, 1, sizeof *tube);
  if (tube == NULL) return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no memory for a tube");
  memset(tube, 0, sizeof *tube);
  tube->allocator = allocator;
  tube->point_count = def->point_count;
  tube->mark = mark_of(def);
  tube->inside = def->side == ELASTICA_SIDE_INSIDE;
  tube->narrowest = tube->tightest = INFINITY;
  tube->pieces = eli_allocate(allocator, 2 * (size_t)def->point_count + 1, sizeof *tube->pieces);
  if (tube->pieces != NULL) make_pieces(tube, def);
  if (tube->pieces == NULL || !make_balls(tube)) {
    eli_tube_destroy(tube);
    return elastica_world_refuse(world, ELASTICA_OUT_OF_MEMORY, "no memory for a tube of %d points", def->point_count);
  }
  for (int k = 0; k < tube->count; k++) bound_piece(tube, &tube->pieces[k]);
  status = check_bends(world, tube, def);
  if (status != ELASTICA_OK) {
    eli_tube_destroy(tube);
    return status;
  }
  *out = tube;
  return ELASTICA_OK;
}

int eli_tube_is_made_of(const eli_tube *tube, const elastica_obstacle_def *def) {
  if (tube->inside != (def->side == ELASTICA_SIDE_INSIDE)) return 0;
  if (def->points == NULL && def->radii == NULL) return 1;
  return def->points != NULL && def->radii != NULL && def->point_count == tube->point_count && mark_of(def) == tube->mark;
}

void eli_tube_destroy(eli_tube *tube) {
  if (tube == NULL) return;
  for (int k = 0; k < tube->levels; k++) eli_release(tube->allocator, tube->balls[k]);
  eli_release(tube->allocator, tube->pieces);
  eli_release(tube->allocator, tube);
}
