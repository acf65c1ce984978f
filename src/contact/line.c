/* Two elements in contact along a line (see line.h).
 *
 * Along a, the squared distance from b is a quadratic function of the place, one for each region of b: its first end, its line, its last end.
 * So the intervals in contact are known exactly, and Gauss points in each of them see a smooth function.
 */
#include "base/target.h"

#include "contact/line.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

enum { POINTS = 4 };

/* A number for each of two points, and all bits where a comparison holds: compilers leave loops over so few numbers scalar. */
typedef double P __attribute__((vector_size(16)));
typedef long long Q __attribute__((vector_size(16)));

/* Gauss and Legendre, on 0..1. */
static const P gauss_place[POINTS / 2] = {{0.069431844202973714, 0.33000947820757187}, {0.66999052179242813, 0.93056815579702629}};
static const P gauss_weight[POINTS / 2] = {{0.17392742256872693, 0.32607257743127307}, {0.32607257743127307, 0.17392742256872693}};

/* a where it holds, else 0. */
static inline P where(Q holds, P a) {
  return (P)((Q)a & holds);
}

static inline P within_one(P x) {
  const Q beyond = x >= 1.0;
  return where((x > 0.0) & ~beyond, x) + where(beyond, (P){1.0, 1.0});
}

static inline P root(P a) {
  return (P){sqrt(a[0]), sqrt(a[1])};
}

static inline double sum(P a) {
  return a[0] + a[1];
}

/* One side: points of a against the whole of b. */
typedef struct side {
  const eli_capsule *a, *b;
  const eli_line_law *law;
  double u[3], v[3], from[3];    /* edges of a and b, and from b's first end to a's */
  double foot, foot_slope;       /* of the line of b: at foot + s foot_slope along it, for the point s of a */
  double reach[2], taper;        /* r_a + r_b for the ends of both, what r_a gains along a, and r_b along b */
  double rise;                   /* what r_b gains along b, for each length of b */
  double weight;                 /* 1/2, or 1 where b has no mu */
  double sign;                   /* of the force on a in out->normal */
  double (*on_a)[3], (*on_b)[3]; /* force on their ends */
  double *share_a, *share_b;
  double *swelling_a, *swelling_b;
  eli_line *out;
} side;

/* What acts at some points, not yet put together. */
typedef struct sums {
  P force[3], along_a[3], along_b[3], turn[3]; /* on a; times its place along a, and along b; by the slope of b's radius */
  P press, press_a, press_b;                   /* of the layer alone */
  P pressure, pressure_a, pressure_b;
  P length, energy;
  double depth;
} sums;

/* Two points of a, at the places s, which stand for the lengths mu. */
static inline void find_points(const side *of, P s, P mu, sums *to) {
  const eli_capsule *a = of->a, *b = of->b;
  const P foot = of->foot + s * of->foot_slope, t = within_one(foot);
  P apart[3], n[3], square = {0.0, 0.0}, approach = {0.0, 0.0};
  for (int k = 0; k < 3; k++) {
    apart[k] = of->from[k] + (s * of->u[k] - t * of->v[k]);
    square += apart[k] * apart[k];
  }
  const P distance = root(square), eps = of->reach[0] + s * of->reach[1] + t * of->taper - distance;
  const Q touch = (eps > 0.0) & (distance > 0.0);
  if (!(touch[0] | touch[1])) return;
  const P length = where(touch, of->weight * mu), inverse = where(touch, 1.0 / distance);
  for (int k = 0; k < 3; k++) {
    n[k] = inverse * apart[k];
    const P va = a->velocity[0][k] + s * (a->velocity[1][k] - a->velocity[0][k]);
    const P vb = b->velocity[0][k] + t * (b->velocity[1][k] - b->velocity[0][k]);
    approach -= (va - vb) * n[k];
  }
  const P spring = where(touch, of->law->modulus * eps), damped = spring + of->law->damping * approach;
  const P pressure = where(damped > 0.0, damped), force = pressure * length, press = spring * length;
  /* where the foot moves along b, the radius there changes */
  const P rise = where((foot > 0.0) & (foot < 1.0), (P){of->rise, of->rise});
  for (int k = 0; k < 3; k++) {
    const P f = force * (n[k] - rise * of->v[k]);
    to->force[k] += f;
    to->along_a[k] += s * f;
    to->along_b[k] += t * f;
    to->turn[k] += force * rise * apart[k];
  }
  to->press += press;
  to->press_a += s * press;
  to->press_b += t * press;
  to->pressure += force;
  to->pressure_a += s * force;
  to->pressure_b += t * force;
  to->length += length;
  to->energy += press * eps;
  for (int i = 0; i < 2; i++)
    if (touch[i] && eps[i] > to->depth) to->depth = eps[i];
}

static void add_points(const side *of, const sums *found) {
  eli_line *out = of->out;
  for (int k = 0; k < 3; k++) {
    const double force = sum(found->force[k]), along_a = sum(found->along_a[k]), along_b = sum(found->along_b[k]);
    const double turn = sum(found->turn[k]);
    of->on_a[0][k] += force - along_a;
    of->on_a[1][k] += along_a;
    of->on_b[0][k] -= (force - along_b) - turn;
    of->on_b[1][k] -= along_b + turn;
    out->normal[k] += of->sign * force;
  }
  const double press = sum(found->press), press_a = sum(found->press_a), press_b = sum(found->press_b);
  of->swelling_a[0] += press - press_a;
  of->swelling_a[1] += press_a;
  of->swelling_b[0] += press - press_b;
  of->swelling_b[1] += press_b;
  out->pressure += sum(found->pressure);
  out->elastic += press;
  *of->share_a += sum(found->pressure_a);
  *of->share_b += sum(found->pressure_b);
  out->extent += sum(found->length);
  out->energy += 0.5 * sum(found->energy);
  if (found->depth > out->depth) out->depth = found->depth;
}

/* Where |apart + s slope| < reach + s growth between two places: one interval, for the overlap is a concave function; 0: nowhere. */
static int clip_to_reach(const double apart[3], const double slope[3], double reach, double growth, double *low, double *high) {
  const double A = eli_dot(slope, slope) - growth * growth, B = eli_dot(apart, slope) - reach * growth;
  const double C = eli_dot(apart, apart) - reach * reach, root2 = B * B - A * C;
  if (A == 0.0 && B == 0.0) return C < 0.0;
  if (root2 <= 0.0) return A < 0.0;
  const double q = B > 0.0 ? -(B + sqrt(root2)) : sqrt(root2) - B; /* no digits are lost, however small A is */
  const double one = q / A, other = q != 0.0 ? C / q : one;
  const double first = one < other ? one : other, last = one < other ? other : one;
  if (A > 0.0) {
    if (first > *low) *low = first;
    if (last < *high) *high = last;
  } else if (A < 0.0) {
    if (*low < first && first < *high) *high = first;
    if (*low >= first && last > *low) *low = last;
  } else if (B > 0.0) {
    if (other < *high) *high = other;
  } else if (other > *low) {
    *low = other;
  }
  return *low < *high;
}

/* Adds the points between two places, whose nearest points of b all lie in one region: -1 its first end, 0 its line, 1 its last end. */
static void add_part(const side *of, double low, double high, int region) {
  double apart[3], slope[3];
  for (int k = 0; k < 3; k++) {
    apart[k] = of->from[k] - (region == 0 ? of->foot * of->v[k] : region > 0 ? of->v[k] : 0.0);
    slope[k] = of->u[k] - (region == 0 ? of->foot_slope * of->v[k] : 0.0);
  }
  const double reach = of->reach[0] + (region == 0 ? of->foot * of->taper : region > 0 ? of->taper : 0.0);
  const double growth = of->reach[1] + (region == 0 ? of->foot_slope * of->taper : 0.0);
  if (!clip_to_reach(apart, slope, reach, growth, &low, &high)) return;
  const double width = high - low, mu = of->a->measure * width;
  sums found = {.depth = 0.0};
  for (int k = 0; k < POINTS / 2; k++) find_points(of, low + width * gauss_place[k], mu * gauss_weight[k], &found);
  if (found.depth > 0.0) add_points(of, &found);
}

static void add_end(const side *of, int end) {
  sums found = {.depth = 0.0};
  find_points(of, (P){end, end}, (P){of->a->cap[end], 0.0}, &found);
  if (found.depth > 0.0) add_points(of, &found);
}

/* Where along a neither neighbour of b is nearer than b; 0: nowhere. And whether that holds at one of its ends. What lies on a border itself
 * belongs to the element before it: both see the same numbers there. */
static int clip_to_borders(const eli_capsule *a, const eli_capsule *b, double *low, double *high, int here[2]) {
  *low = 0.0, *high = 1.0;
  here[0] = here[1] = 1;
  for (int k = 0; k < 2; k++) {
    if (!b->joined[k]) continue;
    double at[2] = {0.0, 0.0};
    for (int m = 0; m < 3; m++)
      for (int end = 0; end < 2; end++) at[end] += (a->end[end][m] - b->end[k][m]) * b->border[k][m];
    const int beyond[2] = {k ? at[0] > 0.0 : at[0] >= 0.0, k ? at[1] > 0.0 : at[1] >= 0.0};
    if (beyond[0]) here[0] = 0;
    if (beyond[1]) here[1] = 0;
    if (beyond[0] && beyond[1]) return 0;
    const double cut = at[0] / (at[0] - at[1]);
    if (beyond[0] && cut > *low) *low = cut;
    if (beyond[1] && cut < *high) *high = cut;
  }
  return *low < *high;
}

/* Cut where the foot leaves the line of b. */
static void add_parts(const side *of, double low, double high) {
  const double slope = of->foot_slope;
  const int before = slope >= 0.0 ? -1 : 1; /* region where s is smallest */
  double cut[2] = {low, high};
  const double enter = slope > 0.0 ? -of->foot / slope : (1.0 - of->foot) / slope;
  const double leave = slope > 0.0 ? (1.0 - of->foot) / slope : -of->foot / slope;
  if (slope == 0.0 || !(eli_dot(of->v, of->v) > 0.0)) {
    add_part(of, low, high, of->foot < 0.0 ? -1 : of->foot > 1.0 ? 1 : 0);
    return;
  }
  if (enter > low) cut[0] = enter < high ? enter : high;
  if (leave < high) cut[1] = leave > low ? leave : low;
  if (cut[0] > low) add_part(of, low, cut[0], before);
  if (cut[1] > cut[0]) add_part(of, cut[0], cut[1], 0);
  if (high > cut[1]) add_part(of, cut[1], high, -before);
}

static void prepare(side *of) {
  const eli_capsule *a = of->a, *b = of->b;
  for (int k = 0; k < 3; k++) {
    of->u[k] = a->end[1][k] - a->end[0][k];
    of->v[k] = b->end[1][k] - b->end[0][k];
    of->from[k] = a->end[0][k] - b->end[0][k];
  }
  const double vv = eli_dot(of->v, of->v);
  of->reach[0] = a->end_radius[0] + b->end_radius[0];
  of->reach[1] = a->end_radius[1] - a->end_radius[0];
  of->taper = b->end_radius[1] - b->end_radius[0];
  of->rise = of->taper != 0.0 ? of->taper / vv : 0.0;
  of->foot = vv > 0.0 ? eli_dot(of->from, of->v) / vv : 0.0;
  of->foot_slope = vv > 0.0 ? eli_dot(of->u, of->v) / vv : 0.0;
}

static int has_measure(const eli_capsule *c) {
  return c->measure > 0.0 || c->cap[0] > 0.0 || c->cap[1] > 0.0;
}

/* Of one of the two, a, against the other. */
static void add_side(const eli_capsule *const both[2], int a, const eli_line_law *law, double weight, eli_line *sum) {
  const eli_capsule *one = both[a], *other = both[1 - a];
  double low, high;
  int here[2];
  const int line = clip_to_borders(one, other, &low, &high, here) && one->measure > 0.0;
  const int ends[2] = {here[0] && one->cap[0] > 0.0, here[1] && one->cap[1] > 0.0};
  if (!line && !ends[0] && !ends[1]) return;
  side of;
  of.a = one, of.b = other;
  of.law = law;
  of.weight = weight;
  of.sign = a ? -1.0 : 1.0;
  of.on_a = sum->force[a], of.on_b = sum->force[1 - a];
  of.share_a = &sum->share[a], of.share_b = &sum->share[1 - a];
  of.swelling_a = sum->swelling[a], of.swelling_b = sum->swelling[1 - a];
  of.out = sum;
  prepare(&of);
  for (int end = 0; end < 2; end++)
    if (ends[end]) add_end(&of, end);
  if (line) add_parts(&of, low, high);
}

int eli_line_find(const eli_capsule *a, const eli_capsule *b, const eli_line_law *law, eli_line *out) {
  const eli_capsule *const both[2] = {a, b};
  const double weight = has_measure(a) && has_measure(b) ? 0.5 : 1.0;
  memset(out, 0, sizeof *out);
  for (int k = 0; k < 2; k++) add_side(both, k, law, weight, out);
  return out->depth > 0.0;
}

double eli_line_span(const eli_capsule *a, const eli_capsule *b) {
  double low, high;
  int here[2];
  return clip_to_borders(a, b, &low, &high, here) ? high - low : 0.0;
}
