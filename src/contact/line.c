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

/* Gauss and Legendre, on 0..1. */
static const double gauss_place[POINTS] = {0.069431844202973714, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
static const double gauss_weight[POINTS] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};

/* One side: points of a against the whole of b. */
typedef struct side {
  const eli_capsule *a, *b;
  const eli_line_law *law;
  double u[3], v[3], from[3];    /* edges of a and b, and from b's first end to a's */
  double foot, foot_slope;       /* of the line of b: at foot + s foot_slope along it, for the point s of a */
  double reach[2], taper;        /* r_a + r_b for the ends of both, what r_a gains along a, and r_b along b */
  double length2;                /* of b, squared */
  double weight;                 /* 1/2, or 1 where b has no mu */
  double sign;                   /* of the force on a in out->normal */
  double (*on_a)[3], (*on_b)[3]; /* force on their ends */
  double *share_a, *share_b;
  double *swelling_a, *swelling_b;
  eli_line *out;
} side;

static inline double within_one(double x) {
  return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* Adds what acts at the point s of a, which stands for the length mu. Where the foot moves along b, the radius there changes: by rise for
 * each length of b. */
static void add_point(const side *of, double s, double mu) {
  const eli_capsule *a = of->a, *b = of->b;
  const double foot = of->foot + s * of->foot_slope, t = within_one(foot);
  double apart[3], square = 0.0, n[3], approach = 0.0;
  for (int k = 0; k < 3; k++) {
    apart[k] = of->from[k] + (s * of->u[k] - t * of->v[k]);
    square += apart[k] * apart[k];
  }
  const double distance = sqrt(square), eps = of->reach[0] + s * of->reach[1] + t * of->taper - distance;
  if (!(eps > 0.0) || !(distance > 0.0)) return;
  for (int k = 0; k < 3; k++) {
    n[k] = apart[k] / distance;
    const double va = a->velocity[0][k] + s * (a->velocity[1][k] - a->velocity[0][k]);
    const double vb = b->velocity[0][k] + t * (b->velocity[1][k] - b->velocity[0][k]);
    approach -= (va - vb) * n[k];
  }
  const double spring = of->law->modulus * eps, damped = spring + of->law->damping * approach, p = damped > 0.0 ? damped : 0.0;
  const double length = of->weight * mu, force = p * length, rise = foot > 0.0 && foot < 1.0 ? of->taper / of->length2 : 0.0;
  eli_line *out = of->out;
  for (int k = 0; k < 3; k++) {
    const double f = force * (n[k] - rise * of->v[k]), turn = force * rise * apart[k];
    of->on_a[0][k] += f - s * f;
    of->on_a[1][k] += s * f;
    of->on_b[0][k] -= (f - t * f) - turn;
    of->on_b[1][k] -= t * f + turn;
    out->normal[k] += of->sign * f;
  }
  for (int end = 0; end < 2; end++) {
    of->swelling_a[end] += (end ? s : 1.0 - s) * spring * length;
    of->swelling_b[end] += (end ? t : 1.0 - t) * spring * length;
  }
  out->pressure += force;
  out->elastic += spring * length;
  *of->share_a += s * force;
  *of->share_b += t * force;
  out->extent += length;
  out->energy += 0.5 * spring * eps * length;
  out->power += (p - spring) * approach * -length;
  if (eps > out->depth) out->depth = eps;
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
  for (int k = 0; k < POINTS; k++) add_point(of, low + width * gauss_place[k], mu * gauss_weight[k]);
}

/* Where along a neither neighbour of b is nearer than b; 0: nowhere. And whether that holds at one of its ends. What lies on a border itself
 * belongs to the element before it: both see the same numbers there. */
static int clip_to_borders(const side *of, double *low, double *high, int here[2]) {
  const eli_capsule *b = of->b;
  *low = 0.0, *high = 1.0;
  here[0] = here[1] = 1;
  for (int k = 0; k < 2; k++) {
    if (!b->joined[k]) continue;
    double at[2] = {0.0, 0.0};
    for (int m = 0; m < 3; m++)
      for (int end = 0; end < 2; end++) at[end] += (of->a->end[end][m] - b->end[k][m]) * b->border[k][m];
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

static void add_side(const side *of) {
  double low, high;
  int here[2];
  const int any = clip_to_borders(of, &low, &high, here);
  for (int end = 0; end < 2; end++)
    if (here[end] && of->a->cap[end] > 0.0) add_point(of, end, of->a->cap[end]);
  if (!any || !(of->a->measure > 0.0)) return;
  /* cut where the foot leaves the line of b */
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
  of->length2 = vv;
  of->reach[0] = a->end_radius[0] + b->end_radius[0];
  of->reach[1] = a->end_radius[1] - a->end_radius[0];
  of->taper = b->end_radius[1] - b->end_radius[0];
  of->foot = vv > 0.0 ? eli_dot(of->from, of->v) / vv : 0.0;
  of->foot_slope = vv > 0.0 ? eli_dot(of->u, of->v) / vv : 0.0;
}

static int has_measure(const eli_capsule *c) {
  return c->measure > 0.0 || c->cap[0] > 0.0 || c->cap[1] > 0.0;
}

int eli_line_find(const eli_capsule *a, const eli_capsule *b, const eli_line_law *law, eli_line *out) {
  eli_line sum;
  memset(&sum, 0, sizeof sum);
  const double weight = has_measure(a) && has_measure(b) ? 0.5 : 1.0;
  side of = {.a = a, .b = b, .law = law, .weight = weight, .sign = 1.0, .out = &sum};
  of.on_a = sum.force[0], of.on_b = sum.force[1];
  of.share_a = &sum.share[0], of.share_b = &sum.share[1];
  of.swelling_a = sum.swelling[0], of.swelling_b = sum.swelling[1];
  prepare(&of);
  add_side(&of);
  side back = {.a = b, .b = a, .law = law, .weight = weight, .sign = -1.0, .out = &sum};
  back.on_a = sum.force[1], back.on_b = sum.force[0];
  back.share_a = &sum.share[1], back.share_b = &sum.share[0];
  back.swelling_a = sum.swelling[1], back.swelling_b = sum.swelling[0];
  prepare(&back);
  add_side(&back);
  if (!(sum.depth > 0.0)) return 0;
  *out = sum;
  return 1;
}

double eli_line_span(const eli_capsule *a, const eli_capsule *b) {
  double low, high;
  int here[2];
  side of = {.a = a, .b = b};
  prepare(&of);
  return clip_to_borders(&of, &low, &high, here) ? high - low : 0.0;
}
