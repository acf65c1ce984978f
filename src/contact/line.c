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

/* What acts at each of some points of a, at s, which stand for the lengths mu. */
typedef struct points {
  double s[POINTS], mu[POINTS];
  double t[POINTS], rise[POINTS]; /* where the foot moves along b, the radius there changes: by rise for each length of b */
  double apart[3][POINTS], n[3][POINTS];
  double eps[POINTS], approach[POINTS];
  double length[POINTS]; /* [m] that counts; 0: no contact */
  double spring[POINTS], pressure[POINTS], force[POINTS];
} points;

/* Loops without branches or sums, which become vector code. */
static inline void find_points(const side *of, int count, points *p) {
  const eli_capsule *a = of->a, *b = of->b;
  for (int i = 0; i < count; i++) {
    const double s = p->s[i], foot = of->foot + s * of->foot_slope, t = within_one(foot);
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
      p->apart[k][i] = of->from[k] + (s * of->u[k] - t * of->v[k]);
      square += p->apart[k][i] * p->apart[k][i];
    }
    const double distance = sqrt(square), eps = of->reach[0] + s * of->reach[1] + t * of->taper - distance;
    for (int k = 0; k < 3; k++) p->n[k][i] = p->apart[k][i] / distance;
    p->t[i] = t;
    p->eps[i] = eps;
    p->length[i] = (eps > 0.0) & (distance > 0.0) ? of->weight * p->mu[i] : 0.0;
    p->rise[i] = (foot > 0.0) & (foot < 1.0) ? of->taper / of->length2 : 0.0;
  }
  for (int i = 0; i < count; i++) {
    p->approach[i] = 0.0;
    for (int k = 0; k < 3; k++) {
      const double va = a->velocity[0][k] + p->s[i] * (a->velocity[1][k] - a->velocity[0][k]);
      const double vb = b->velocity[0][k] + p->t[i] * (b->velocity[1][k] - b->velocity[0][k]);
      p->approach[i] -= (va - vb) * p->n[k][i];
    }
    p->spring[i] = of->law->modulus * p->eps[i];
    const double damped = p->spring[i] + of->law->damping * p->approach[i];
    p->pressure[i] = damped > 0.0 ? damped : 0.0;
    p->force[i] = p->pressure[i] * p->length[i];
  }
}

static inline void add_forces(const side *of, int count, const points *p) {
  for (int k = 0; k < 3; k++) {
    double on_a[2] = {of->on_a[0][k], of->on_a[1][k]}, on_b[2] = {of->on_b[0][k], of->on_b[1][k]}, normal = of->out->normal[k];
    for (int i = 0; i < count; i++) {
      if (!(p->length[i] > 0.0)) continue;
      const double s = p->s[i], t = p->t[i];
      const double f = p->force[i] * (p->n[k][i] - p->rise[i] * of->v[k]), turn = p->force[i] * p->rise[i] * p->apart[k][i];
      on_a[0] += f - s * f;
      on_a[1] += s * f;
      on_b[0] -= (f - t * f) - turn;
      on_b[1] -= t * f + turn;
      normal += of->sign * f;
    }
    for (int end = 0; end < 2; end++) {
      of->on_a[end][k] = on_a[end];
      of->on_b[end][k] = on_b[end];
    }
    of->out->normal[k] = normal;
  }
}

static inline void add_sums(const side *of, int count, const points *p) {
  eli_line *out = of->out;
  for (int i = 0; i < count; i++) {
    const double s = p->s[i], t = p->t[i], spring = p->spring[i], length = p->length[i], eps = p->eps[i];
    if (!(length > 0.0)) continue;
    for (int end = 0; end < 2; end++) {
      of->swelling_a[end] += (end ? s : 1.0 - s) * spring * length;
      of->swelling_b[end] += (end ? t : 1.0 - t) * spring * length;
    }
    out->pressure += p->force[i];
    out->elastic += spring * length;
    *of->share_a += s * p->force[i];
    *of->share_b += t * p->force[i];
    out->extent += length;
    out->energy += 0.5 * spring * eps * length;
    out->power += (p->pressure[i] - spring) * p->approach[i] * -length;
    if (eps > out->depth) out->depth = eps;
  }
}

static inline void add_points(const side *of, int count, points *p) {
  find_points(of, count, p);
  add_forces(of, count, p);
  add_sums(of, count, p);
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
  points p;
  for (int k = 0; k < POINTS; k++) {
    p.s[k] = low + width * gauss_place[k];
    p.mu[k] = mu * gauss_weight[k];
  }
  add_points(of, POINTS, &p);
}

static void add_end(const side *of, int end) {
  points p;
  p.s[0] = end;
  p.mu[0] = of->a->cap[end];
  add_points(of, 1, &p);
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
