/* A touching pair of elements by itself: the law of contact/line.h with its layer, core and damper, and friction with history, for pairs in
 * the order of a list, eight at a time, with all data in the cache of second level. No lists are made, no rods move, and ends of rods, long
 * elements and new contacts are left out. The text does not share the kernels of the library, so that a faster kernel gives a lower ratio;
 * its forces are compared with theirs.
 *
 * The scene is a lattice of elements in any direction, as in a heap.
 */
#include "yardstick.h"

#include "contact/line.h"
#include "contact/segment.h"
#include "kernels/kernels.h"
#include "peak.h"

#ifdef ELI_KERNELS_WIDE

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl,fma"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512vl,fma,prefer-vector-width=512,tune=skylake-avx512")
#pragma GCC optimize("schedule-insns", "sched-pressure")
#endif
#define ELI_SIMD_WIDTH 8
#include "kernels/vectors.h"

enum {
  CELLS = 8,
  ELEMENTS = CELLS * CELLS * CELLS,
  PAIRS = 13 * ELEMENTS,
  POINTS = 4,
  AGAIN = 20,
  RECORD = sizeof(eli_moving_capsule) / sizeof(V)
};
static const double LENGTH = 1.0 / 30.0, RADIUS = 0.02, SPACING = 0.045; /* [m] */
static const double MODULUS = 1e5, DAMPING = 20.0, FRICTION = 0.3, TANGENTIAL = 2e5 / 3.0, DT = 2e-5, PI = 3.14159265358979324;
static const double PLACE[POINTS] = {0.069431844202973714, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
static const double WEIGHT[POINTS] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};

/* Numbers of an element in vectors, in the order of eli_moving_capsule. */
enum { END = 0, END_RADIUS = 6, VELOCITY = 8, MEASURE = 16, REST_RADIUS = 17, SPIN = 19, DIRECTOR = 22 };
typedef V record[8 * RECORD];

ELI_INLINE V3 at3(const V *of, int k) {
  return (V3){of[k], of[k + 1], of[k + 2]};
}

ELI_INLINE V3 less(V a, V3 b, V3 c) {
  return (V3){nmadd(a, b.x, c.x), nmadd(a, b.y, c.y), nmadd(a, b.z, c.z)};
}

ELI_INLINE void transpose(V *a) {
  V b[8], c[8];
  for (int k = 0; k < 8; k += 2)
    b[k] = __builtin_shufflevector(a[k], a[k + 1], 0, 8, 2, 10, 4, 12, 6, 14),
    b[k + 1] = __builtin_shufflevector(a[k], a[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  for (int h = 0; h < 8; h += 4)
    for (int k = h; k < h + 2; k++)
      c[k] = __builtin_shufflevector(b[k], b[k + 2], 0, 1, 8, 9, 4, 5, 12, 13),
      c[k + 2] = __builtin_shufflevector(b[k], b[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
  for (int k = 0; k < 4; k++)
    a[k] = __builtin_shufflevector(c[k], c[k + 4], 0, 1, 2, 3, 8, 9, 10, 11),
    a[k + 4] = __builtin_shufflevector(c[k], c[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
}

ELI_INLINE void load(const double *const from[8], int first, int blocks, V *to) {
  for (int k = 8 * first; k < 8 * (first + blocks); k += 8) {
    for (int q = 0; q < 8; q++) to[k + q] = *(const V *)(from[q] + k);
    transpose(to + k);
  }
}

/* ---- One side: points of a against the line of b ---- */

typedef struct side {
  V3 u, from, edge, across, across_on;
  V foot, foot_on, reach, gain, length, per_length, slope, cosine, secant;
} side;

ELI_INLINE side side_of(const V *a, const V *b) {
  const V3 first = at3(b, END), start = at3(a, END), v = sub(at3(b, END + 3), first);
  const V square = dot(v, v), taper = b[END_RADIUS + 1] - b[END_RADIUS], hypotenuse = root(square + taper * taper);
  side s = {.u = sub(at3(a, END + 3), start), .from = sub(start, first), .length = root(square)};
  s.per_length = 1.0 / s.length, s.edge = scale(s.per_length, v);
  s.secant = hypotenuse * s.per_length, s.cosine = 1.0 / s.secant, s.slope = taper * s.per_length * s.cosine;
  s.foot = dot(s.from, s.edge), s.foot_on = dot(s.u, s.edge);
  s.across = less(s.foot, s.edge, s.from), s.across_on = less(s.foot_on, s.edge, s.u);
  s.reach = a[END_RADIUS] + 0.5 * (b[END_RADIUS] + b[END_RADIUS + 1]), s.gain = a[END_RADIUS + 1] - a[END_RADIUS];
  return s;
}

ELI_INLINE void clip(V3 apart, V3 along, V reach, V gain, V low, V high, V *from, V *to) {
  if (!any(low < high)) return;
  const V A = larger(dot(along, along) - gain * gain, all(1e-300)), B = dot(apart, along) - reach * gain,
          C = dot(apart, apart) - reach * reach, square = B * B - A * C, size = root(larger(square, all(0.0)));
  const V q = choose(B > 0.0, -(B + size), size - B), one = q / A, other = C / q;
  low = larger(low, smaller(one, other)), high = smaller(high, larger(one, other));
  const M there = (square > 0.0) & (low < high);
  *from = choose(there & (low < *from), low, *from), *to = choose(there & (high > *to), high, *to);
}

/* The part of a within reach of the cone of b and of the balls at its ends. */
ELI_INLINE void find_part(const side *s, V *low, V *high) {
  const V secant2 = s->secant * s->secant, half = 0.5 * s->length, widening = half * s->slope, zero = all(0.0), one = all(1.0);
  const V reach = s->reach + s->slope * (s->foot - half), gain = s->gain + s->slope * s->foot_on;
  const V peak = (s->foot + s->slope * reach * secant2) * s->per_length,
          per_on = s->length / (s->foot_on + s->slope * gain * secant2 + 0.0), at_first = -peak * per_on, at_last = (1.0 - peak) * per_on;
  const M forward = per_on >= 0.0;
  const V in = smaller(larger(choose(forward, at_first, at_last), zero), one),
          out = larger(smaller(choose(forward, at_last, at_first), one), zero);
  *low = one, *high = zero;
  clip(less(where(~forward, s->length), s->edge, s->from), s->u, s->reach + choose(forward, -widening, widening), s->gain, zero, in, low,
       high);
  clip(s->across, s->across_on, reach * s->secant, gain * s->secant, in, out, low, high);
  clip(less(where(forward, s->length), s->edge, s->from), s->u, s->reach + choose(forward, widening, -widening), s->gain, out, one, low,
       high);
}

typedef struct sums {
  V sum, sum_s, sum_s2, first, first_s, second, radial, radial_s, radial_middle, energy, thinning;
  V normal_t, force, force_s, force_t, extent, deepest;
} sums;

typedef struct law {
  V per_reach, strength, shrunk, core;
} law;

ELI_INLINE law law_of(const V *a, const V *b) {
  const V mean = 0.5 * (a[END_RADIUS] + a[END_RADIUS + 1] + b[END_RADIUS] + b[END_RADIUS + 1]), rest = a[REST_RADIUS] + b[REST_RADIUS],
          thick = larger(a[REST_RADIUS], b[REST_RADIUS]), shrunk = 1.0 - ELI_CORE_ONSET * (rest - thick) / rest,
          room = shrunk * shrunk * rest * rest - thick * thick;
  const V per = 1.0 / mean;
  return (law){per, MODULUS / PI * per * per, shrunk,
               ELI_CORE_INTEGRAL * MODULUS * ELI_CORE_STRENGTH / (room * room * room * room * room * room)};
}

/* The line of b within reach of a point: tau of its cut ends, Q and sqrt(Q) there, and the integral of sqrt(Q). */
typedef struct cut {
  V c2, centre, reach, secant, slope, low, low2, low_root, high, high2, high_root, integral;
  M ends;
  V square_first, start, square_last, end;
} cut;

ELI_INLINE cut cut_at(const side *s, V shrunk, V slope, V cosine, V secant, V foot, V at, V distance2) {
  const V widest = (shrunk * (s->reach + at * s->gain) + slope * (foot - 0.5 * s->length)) * secant;
  cut c = {.centre = foot + slope * widest * secant, .reach = widest * secant, .secant = secant, .slope = slope};
  c.start = -cosine * foot - slope * widest, c.end = c.start + cosine * s->length;
  const V c2 = widest * widest - distance2;
  c.square_first = c2 - c.start * c.start, c.square_last = c2 - c.end * c.end;
  const M begins = c.square_first > 0.0, ends = c.square_last > 0.0, both = begins & ends;
  c.c2 = where((c2 > 0.0) & (((c.start < 0.0) & (c.end > 0.0)) | begins | ends), c2);
  c.ends = (c.c2 > 0.0) & (begins | ends);
  c.low = where(begins, c.start), c.low2 = where(begins, c.square_first), c.low_root = root(c.low2);
  c.high = where(ends, c.end), c.high2 = where(ends, c.square_last), c.high_root = root(c.high2);
  const V sine = choose(both, c.high * c.low_root - c.low * c.high_root, c.low_root + c.high_root),
          x = choose(both, c.high_root * c.low_root + c.high * c.low, c.low - c.high), y = larger(sine, all(0.0)), size = size_of(x);
  const V small = smaller(size, y), large = larger(size, y);
  const M is_small = small < 0.41421356237309503 * large;
  const V q = choose(is_small, small, small - large) / choose(is_small, large, small + large), z = q * q, z2 = z * z, z4 = z2 * z2;
  const V p =
      madd(z4 * z4, madd(z2, all(0.021135373157693243), madd(z, all(-0.04348052215716462), all(0.056883492268090106))),
           madd(z4,
                madd(z2, madd(z, all(-0.06640233930429408), all(0.07689953496306857)),
                     madd(z, all(-0.09090773074808414), all(0.11111106180455946))),
                madd(z2, madd(z, all(-0.14285714180976467), all(0.1999999999885511)), madd(z, all(-0.3333333333332844), all(1.0)))));
  const V octant = q * p + where(~is_small, all(0.25 * PI)), quadrant = choose(size < y, 0.5 * PI - octant, octant),
          angle = choose(x < 0.0, PI - quadrant, quadrant);
  c.integral = choose(c.ends, 0.5 * (c.high * c.high_root - c.low * c.low_root + c.c2 * angle), 0.5 * PI * c.c2);
  return c;
}

/* Moments of the attraction over the line of b. */
typedef struct moments {
  V sum, first, second, radial, radial_middle, energy;
} moments;

ELI_INLINE void add_moments(const side *s, const cut *c, V zero, V one, V two, V shrunk, moments *to) {
  const V part = (c->centre - 0.5 * s->length) * s->per_length, first = one * c->secant, second = two * (c->secant * c->secant);
  const V about = c->centre * zero + first, round = shrunk * c->reach, slope = shrunk * c->slope, radial = round * zero + slope * first;
  to->sum += zero, to->first += about, to->second += c->centre * (about + first) + second, to->radial += radial;
  to->radial_middle += part * radial + s->per_length * (round * first + slope * second);
}

/* Adds the moments at a position of a. */
ELI_INLINE void add_forces(V at, const moments *m, sums *to) {
  const V sum_s = at * m->sum;
  to->sum += m->sum, to->sum_s += sum_s, to->sum_s2 += at * sum_s, to->first += m->first, to->first_s += at * m->first;
  to->second += m->second, to->radial += m->radial, to->radial_s += at * m->radial, to->radial_middle += m->radial_middle;
}

ELI_INLINE M add_point(const side *s, const law *by, const V3 motion[3], V at, V length, moments *out, sums *to) {
  const V foot = s->foot + at * s->foot_on;
  const V3 apart = axpy(at, s->across_on, s->across);
  const V distance2 = dot(apart, apart), k = by->per_reach * by->per_reach, by_length = by->strength * s->secant * length;
  const cut c = cut_at(s, all(1.0), s->slope, s->cosine, s->secant, foot, at, distance2);
  const V low3 = c.low2 * c.low_root, high3 = c.high2 * c.high_root, low5 = low3 * c.low2, high5 = high3 * c.high2;
  const V ends3 = where(c.ends, c.high * high3 - c.low * low3), ends5 = where(c.ends, c.high * high5 - c.low * low5);
  const V i3 = 0.25 * ends3 + 0.75 * c.c2 * c.integral, i5 = (1.0 / 6.0) * ends5 + (5.0 / 6.0) * c.c2 * i3, sum = c.integral + k * i3;
  const V endless = 0.5 * PI * c.c2 * (1.0 + 0.75 * k * c.c2), extent = where(c.c2 > 0.0, length * sum / endless);
  const M used = c.c2 > 0.0;
  moments m = {.energy = by_length * (i3 + 0.6 * k * i5) * (1.0 / 3.0)};
  add_moments(s, &c, by_length * sum, where(c.ends, by_length * ((low3 - high3) * (1.0 / 3.0) + k * (low5 - high5) * 0.2)),
              by_length * (c.c2 * sum - (i3 + k * i5)), all(1.0), &m);
  const V inside = by->shrunk * c.reach;
  const M deep = used & (inside * inside > distance2);
  if (any(deep)) {
    const V slope = by->shrunk * s->slope, cosine = root(1.0 - slope * slope);
    const cut d = cut_at(s, by->shrunk, slope, cosine, 1.0 / cosine, foot, at, distance2);
    V integral = d.integral, before = integral, low = d.low_root, high = d.high_root;
    for (int n = 3; n <= 13; n += 2) {
      before = integral, low *= d.low2, high *= d.high2;
      integral = (where(d.ends, d.high * high - d.low * low) + n * d.c2 * before) * (1.0 / (n + 1));
    }
    const V a = 13.0 * by->core * d.secant * length;
    add_moments(s, &d, a * before, where(d.ends, a * (low - high) * (1.0 / 13.0)), a * (d.c2 * before - integral), by->shrunk, &m);
    m.energy += a * integral * (1.0 / 13.0);
  }
  add_forces(at, &m, to);
  *out = m;
  to->energy += m.energy, to->thinning += by_length * (i3 + 1.2 * k * i5) * (4.0 / 3.0), to->extent += extent;
  const V t = where(used, m.first / m.sum);
  const V3 gap = less(t, s->edge, axpy(at, s->u, s->from)), relative = less(t * s->per_length, motion[2], axpy(at, motion[1], motion[0]));
  const V damped = m.sum - DAMPING * extent * dot(relative, gap) / dot(gap, gap), more = where(used, where(damped > 0.0, damped) - m.sum);
  to->sum += more, to->sum_s += at * more, to->sum_s2 += at * at * more, to->first += t * more, to->first_s += at * t * more;
  to->second += t * t * more;
  const V pull = m.sum + more, distance = root(distance2), force = pull * distance;
  to->normal_t += foot * pull, to->force += force, to->force_s += at * force, to->force_t += (m.first + t * more) * distance;
  to->deepest = larger(where(used, choose(c.start > 0.0, c.square_first, choose(c.end < 0.0, c.square_last, c.c2))), to->deepest);
  return c.ends | deep;
}

/* The force of a moving end of the part within reach. */
ELI_INLINE void add_border(const side *s, V at, V by, sums *to) {
  if (!any(by != 0.0)) return;
  const V foot = s->foot + at * s->foot_on, half = 0.5 * s->length, reach_of_a = s->reach + at * s->gain;
  const V peak = foot + s->slope * (reach_of_a + s->slope * (foot - half)) * s->secant * s->secant;
  const V t = smaller(larger(peak, all(0.0)), s->length), reach = reach_of_a + s->slope * (t - half);
  const V rate = reach * s->gain - (dot(axpy(at, s->u, s->from), s->u) - t * s->foot_on),
          w = where((by != 0.0) & (rate != 0.0), -by / rate);
  const moments m = {
      .sum = w, .first = w * t, .second = w * t * t, .radial = w * reach, .radial_middle = w * reach * (t - half) * s->per_length};
  add_forces(at, &m, to);
}

/* Loads on the ends of a and b by one side. */
typedef struct found {
  V3 on_a[2], on_b[2], normal;
  V swelling_a[2], swelling_b[2], share_a, share_b, force, extent, energy, deepest;
} found;

ELI_INLINE found find_side(const V *a, const V *b, const side *s, const law *by, V low, V high) {
  const V3 motion[3] = {sub(at3(a, VELOCITY), at3(b, VELOCITY)), sub(at3(a, VELOCITY + 3), at3(a, VELOCITY)),
                        sub(at3(b, VELOCITY + 3), at3(b, VELOCITY))};
  const V width = larger(high - low, all(0.0)), length = 0.5 * a[MEASURE] * width;
  sums f = {.sum = all(0.0)};
  V at[POINTS], first = all(0.0), last = all(0.0);
  moments m[POINTS];
  M inexact = (M){0};
  for (int k = 0; k < POINTS; k++) {
    at[k] = low + width * PLACE[k];
    inexact |= add_point(s, by, motion, at[k], length * WEIGHT[k], &m[k], &f);
  }
  const V3 normal = axpy(f.sum_s, s->u, scale(f.sum, s->from));
  const V along = dot(s->from, s->u), length2 = dot(s->u, s->u), per_width = where(inexact & (width > 0.0), 1.0 / width);
  for (int k = 0; k < POINTS; k++) {
    const V slope = where(inexact, m[k].radial * s->gain - m[k].sum * (along + at[k] * length2) + m[k].first * s->foot_on);
    first += (1.0 - PLACE[k]) * slope - per_width * m[k].energy, last += PLACE[k] * slope + per_width * m[k].energy;
  }
  add_border(s, low, where(low > 0.0, first), &f);
  add_border(s, high, where(high < 1.0, last), &f);
  const V3 on_a = less(f.first, s->edge, axpy(f.sum_s, s->u, scale(f.sum, s->from))),
           at_a = less(f.first_s, s->edge, axpy(f.sum_s2, s->u, scale(f.sum_s, s->from))),
           at_b = less(f.second, s->edge, axpy(f.first_s, s->u, scale(f.first, s->from)));
  const V slope3 = s->slope * s->slope * s->slope, middle = s->cosine * s->cosine * s->cosine * f.radial_middle;
  const V3 on_end = axpy(f.energy * s->per_length + slope3 * f.radial_middle, s->edge, scale(s->per_length, at_b));
  const V mean = -0.25 * by->per_reach * f.thinning;
  return (found){.on_a = {sub(on_a, at_a), at_a},
                 .on_b = {sub(on_a, on_end), on_end},
                 .normal = less(f.normal_t, s->edge, normal),
                 .swelling_a = {f.radial - f.radial_s + mean, f.radial_s + mean},
                 .swelling_b = {0.5 * f.radial - middle + mean, 0.5 * f.radial + middle + mean},
                 .share_a = f.force_s,
                 .share_b = f.force_t * s->per_length,
                 .force = f.force,
                 .extent = f.extent,
                 .energy = f.energy,
                 .deepest = f.deepest};
}

/* ---- Friction ---- */

/* The histories of eight pairs. */
typedef struct history {
  V force[3], normal[3], stiffness;
} history;

ELI_INLINE V3 limited(V3 f, V limit2) {
  const V square = dot(f, f);
  return scale(choose(square > limit2, root(limit2 / square), all(1.0)), f);
}

ELI_INLINE V3 rub(history *h, V3 n, V3 v, V spin, V stiffness, V limit) {
  V3 f = at3(h->force, 0);
  const V3 old = at3(h->normal, 0), mean = add(old, n);
  const V before = dot(f, f), angle = 0.5 * DT * spin, u = angle * angle, half = angle * (1.0 - u * (1.0 / 6.0 - u * (1.0 / 120.0))),
          cosine = 1.0 - u * (0.5 - u * (1.0 / 24.0 - u * (1.0 / 720.0))), share = 1.0 / (1.0 + dot(old, n));
  v = less(dot(v, mean) / dot(mean, mean), mean, v), v = less(dot(v, n), n, v);
  const V3 slip = axpy(half, cross(n, v), scale(cosine, v)), axis = cross(old, n), once = cross(axis, f);
  f = axpy(share, cross(axis, once), add(f, once));
  f = axpy(2.0 * half * cosine, cross(n, f), scale(1.0 - 2.0 * half * half, f));
  f = limited(less(dot(f, n), n, f), before);
  f = less(DT * stiffness, slip, scale(choose(stiffness < h->stiffness, stiffness / h->stiffness, all(1.0)), f));
  f = limited(f, limit * limit);
  h->force[0] = f.x, h->force[1] = f.y, h->force[2] = f.z, h->normal[0] = n.x, h->normal[1] = n.y, h->normal[2] = n.z;
  h->stiffness = stiffness;
  return f;
}

/* ---- Eight pairs ---- */

typedef struct pair {
  int a, b;
} pair;

typedef struct heap {
  eli_moving_capsule element[ELEMENTS];
  double sum[2 * ELEMENTS][8];
  history friction[PAIRS / 8 + 1];
  pair list[PAIRS + 8];
  int count;
} heap;

ELI_INLINE void load_pairs(const heap *of, const pair *list, int first, int blocks, record r[2]) {
  for (int k = 0; k < 2; k++) {
    const double *from[8];
    for (int q = 0; q < 8; q++) from[q] = (const double *)&of->element[k ? list[q].b : list[q].a];
    load(from, first, blocks, r[k]);
  }
}

/* Returns 1 for an overlap without the core, as nearly all have. */
static int touches(const heap *of, pair one) {
  const eli_capsule *a = &of->element[one.a].at, *b = &of->element[one.b].at;
  eli_closest closest;
  eli_segment_closest(a->end[0], a->end[1], b->end[0], b->end[1], &closest);
  const double depth = 2.0 * RADIUS - closest.distance;
  return depth > 0.0 && depth < 0.6 * ELI_CORE_ONSET * RADIUS;
}

/* Adds the loads of eight pairs. Returns their forces without friction on the first end of the first element. */
static V3 act(heap *of, const pair *list, history *h) {
  record r[2];
  side s[2];
  found f[2];
  load_pairs(of, list, 0, RECORD, r);
  const law by = law_of(r[0], r[1]);
  for (int k = 0; k < 2; k++) {
    V low, high;
    s[k] = side_of(r[k], r[1 - k]);
    find_part(&s[k], &low, &high);
    f[k] = find_side(r[k], r[1 - k], &s[k], &by, low, high);
  }
  const V3 normal = sub(f[0].normal, f[1].normal), n = scale(1.0 / root(dot(normal, normal)), normal);
  const V force = f[0].force + f[1].force, extent = f[0].extent + f[1].extent;
  V share[2], radius[2], spin = all(0.0);
  V3 axis[2], v[2], lever[2];
  for (int k = 0; k < 2; k++) {
    share[k] = (f[k].share_a + f[1 - k].share_b) / force, radius[k] = r[k][END_RADIUS] + share[k] * s[k].gain;
    axis[k] = axpy(share[k], s[k].u, at3(r[k], END)), spin += 0.5 * dot(at3(r[k], SPIN), n);
  }
  const V3 point = axpy(radius[0] / (radius[0] + radius[1]), sub(axis[1], axis[0]), axis[0]), turn = sub(at3(h->normal, 0), n);
  for (int k = 0; k < 2; k++) {
    const V3 first = at3(r[k], VELOCITY);
    lever[k] = sub(point, axis[k]);
    v[k] = add(axpy(share[k], sub(at3(r[k], VELOCITY + 3), first), first),
               cross(at3(r[k], SPIN), axpy(0.5 * dot(lever[k], n), turn, lever[k])));
  }
  const V3 friction = rub(h, n, sub(v[0], v[1]), spin, TANGENTIAL * extent, FRICTION * force);
  for (int k = 0; k < 2; k++) {
    const V3 own = scale(all(k ? -1.0 : 1.0), friction), second = scale(share[k], own), m = cross(lever[k], own);
    const V3 end0 = add(sub(f[k].on_a[0], f[1 - k].on_b[0]), sub(own, second)), end1 = add(sub(f[k].on_a[1], f[1 - k].on_b[1]), second);
    const V *d = r[k] + DIRECTOR;
    V out[2][8] = {{end0.x, end0.y, end0.z, dot(at3(d, 0), m), dot(at3(d, 3), m), dot(at3(d, 6), m),
                    f[k].swelling_a[0] + f[1 - k].swelling_b[0], all(0.0)},
                   {end1.x, end1.y, end1.z, all(0.0), all(0.0), all(0.0), f[k].swelling_a[1] + f[1 - k].swelling_b[1], all(0.0)}};
    for (int end = 0; end < 2; end++) {
      transpose(out[end]);
      for (int q = 0; q < 8; q++) *(V *)of->sum[2 * (k ? list[q].b : list[q].a) + end] += out[end][q];
    }
  }
  return sub(f[0].on_a[0], f[1].on_b[0]);
}

/* ---- The lattice ---- */

static double uniform(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) * 0x1p-53;
}

static int number_at(int x, int y, int z) {
  return ((z + CELLS) % CELLS * CELLS + (y + CELLS) % CELLS) * CELLS + (x + CELLS) % CELLS;
}

static void fill(heap *out) {
  uint64_t state = 7;
  memset(out, 0, sizeof *out);
  for (int e = 0; e < ELEMENTS; e++) {
    const int cell[3] = {e % CELLS, e / CELLS % CELLS, e / (CELLS * CELLS)};
    eli_moving_capsule *own = &out->element[e];
    double u[3], square = 0.0;
    for (int a = 0; a < 3; a++) u[a] = uniform(&state) - 0.5, square += u[a] * u[a];
    for (int a = 0; a < 3; a++) {
      const double half = 0.5 * LENGTH * u[a] / sqrt(square), centre = SPACING * (cell[a] + 0.3 * (uniform(&state) - 0.5));
      own->at.end[0][a] = centre - half, own->at.end[1][a] = centre + half;
      own->at.velocity[0][a] = 0.01 * uniform(&state), own->at.velocity[1][a] = own->at.velocity[0][a] + 0.001 * uniform(&state);
      own->spin[a] = 0.1 * uniform(&state), own->director[4 * a] = 1.0;
    }
    for (int end = 0; end < 2; end++) own->at.end_radius[end] = RADIUS * (1.0 + 0.01 * uniform(&state));
    own->at.measure = LENGTH, own->at.rest_radius = RADIUS;
  }
  for (int e = 0; e < ELEMENTS; e++)
    for (int d = 14; d < 27; d++) {
      const int other = number_at(e % CELLS + d % 3 - 1, e / CELLS % CELLS + d / 3 % 3 - 1, e / (CELLS * CELLS) + d / 9 - 1);
      const pair one = {e, other};
      if (touches(out, one)) out->list[out->count++] = one;
    }
  out->count -= out->count % 8;
  for (int k = 0; k < out->count / 8; k++)
    for (int a = 0; a < 3; a++) out->friction[k].normal[a] = all(a == 2);
}

/* Compares forces with those of the library. */
static void check(heap *of, const eli_kernels *kernels) {
  for (int k = 0; k < of->count; k += 8) {
    const V3 f = act(of, &of->list[k], &of->friction[k / 8]);
    const eli_line_law by = {MODULUS, DAMPING};
    eli_lines lines;
    eli_lines_begin(&lines, &by);
    for (int q = 0; q < 8; q++)
      for (int a = 0; a < 2; a++) eli_lines_place(&lines, q, a, &of->element[a ? of->list[k + q].b : of->list[k + q].a].at);
    lines.count = 8;
    kernels->lines->find_parts(&lines);
    kernels->lines->find_lines(&lines);
    for (int q = 0; q < 8; q++)
      if (!(fabs(f.x[q] - lines.force[0][0][0][q]) + fabs(f.y[q] - lines.force[0][0][1][q]) + fabs(f.z[q] - lines.force[0][0][2][q]) <=
            1e-9 * (1e-3 + lines.pressure[q])))
        fprintf(stderr, "bench: the yardstick has another force, %g N for %g N, than the library\n", f.x[q], lines.force[0][0][0][q]);
  }
}

double bench_yardstick(elastica_instruction_set set) {
  const eli_kernels *kernels = eli_kernels_select(set);
  if (set != ELASTICA_INSTRUCTION_SET_AVX512 || kernels == NULL) return 0.0;
  static _Alignas(64) heap scene;
  double least = INFINITY;
  fill(&scene);
  check(&scene, kernels);
  for (int run = 0; run < 50; run++) {
    const double start = bench_processor_seconds();
    for (int again = 0; again < AGAIN; again++)
      for (int k = 0; k < scene.count; k += 8) act(&scene, &scene.list[k], &scene.friction[k / 8]);
    least = fmin(least, bench_processor_seconds() - start);
  }
  return least * 1e9 / AGAIN / scene.count;
}

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

double bench_yardstick(elastica_instruction_set set) {
  (void)set;
  return 0.0;
}

#endif
