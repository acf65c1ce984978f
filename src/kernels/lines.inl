/* ---- Lines of contact (contact/line.h): of several pairs, side by side ----
 *
 * method     for a point x of a, the integral over the line of b is a closed form: with t along b, Q(t) = R(t)^2 - |x - y(t)|^2 is a quadratic
 *            polynomial, positive on one interval. Along a, Gauss points stand on the part of each cell from which b is in reach; a cell is a
 *            fixed part of a, no longer than 2.5 (r_a + r_b) at rest, or an eighth of it
 * gradient   forces are derivatives of the sum over these points, with what the moving ends of the part add: there the integrand and its slope
 *            vanish, but the rule of quadrature is exact only where no end of b is in reach
 * rounding   no fused operations, which instruction sets without them are slow at
 */

enum { LINE_POINTS = 4, MOST_CELLS = 8 };

/* Gauss and Legendre, on 0..1. */
static const double gauss_place[LINE_POINTS] = {0.069431844202973714, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
static const double gauss_weight[LINE_POINTS] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};

#define LINE_PI 3.14159265358979323846

/* The largest integer that is not larger, for 0 <= a < 2^51. */
ELI_INLINE V floor_of(V a) {
  const V whole = (a + 4503599627370496.0) - 4503599627370496.0;
  return choose(whole > a, whole - 1.0, whole);
}

/* Three rows, from the first on. */
ELI_INLINE V3 row3(const double *row, int l) {
  return (V3){at(row, l), at(row + ELI_LINES, l), at(row + 2 * ELI_LINES, l)};
}

ELI_INLINE void set_row3(double *row, int l, V3 a) {
  set(row, l, a.x);
  set(row + ELI_LINES, l, a.y);
  set(row + 2 * ELI_LINES, l, a.z);
}

/* Without fused operations. */
ELI_INLINE V inner(V3 a, V3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

ELI_INLINE V3 plus(V3 a, V b, V3 c) {
  return (V3){a.x + b * c.x, a.y + b * c.y, a.z + b * c.z};
}

ELI_INLINE V3 minus(V3 a, V b, V3 c) {
  return (V3){a.x - b * c.x, a.y - b * c.y, a.z - b * c.z};
}

/* ---- One side: points of a against the line of b ---- */

/* b is a cone about its centre line: R(t) = r_a(s) + r_b + g (t - l/2), t = 0..l [m] from its first end, with g = taper/sqrt(l^2 + taper^2), which
 * is smaller than 1 whatever its radii. Places s of a and t of b count from an origin on either: the ends at first; where they touch, so that no
 * digits are lost on long elements, for sums. */
typedef struct line_side {
  V3 u, from, edge;        /* the edge of a; from the origin on b to that on a; the direction of b */
  V3 across, across_on;    /* from the foot on b's line to a point of a: across + s across_on */
  V foot, foot_on;         /* [m] of that foot along b */
  V origin, begin, middle; /* of a, 0..1; [m] the first end of b and its middle, from the origin there */
  V reach, gain;           /* [m] r_a + r_b for the origin of a and the middle of b, and what r_a gains along a */
  V length, per_length;    /* of b; a ball has none, and 0 */
  V slope, cosine, secant; /* g, sqrt(1 - g^2), and its inverse */
} line_side;

ELI_INLINE line_side side_of(const eli_lines *of, int a, int l) {
  const int b = 1 - a;
  const V radius_a = at(of->end_radius[a][0], l), first_radius = at(of->end_radius[b][0], l), last_radius = at(of->end_radius[b][1], l);
  const V3 first = row3(of->end[b][0][0], l), start = row3(of->end[a][0][0], l), v = sub(row3(of->end[b][1][0], l), first);
  line_side s = {.u = sub(row3(of->end[a][1][0], l), start), .from = sub(start, first)};
  const V square = inner(v, v), taper = last_radius - first_radius, hypotenuse = root(square + taper * taper);
  const M has_line = square > 0.0;
  s.length = root(square);
  s.per_length = where(has_line, 1.0 / s.length);
  s.edge = scale(s.per_length, v);
  s.secant = choose(has_line, hypotenuse * s.per_length, all(1.0));
  s.cosine = 1.0 / s.secant;
  s.slope = where(has_line, taper / hypotenuse);
  s.origin = s.begin = all(0.0);
  s.middle = 0.5 * s.length;
  s.foot = inner(s.from, s.edge);
  s.foot_on = inner(s.u, s.edge);
  s.across = minus(s.from, s.foot, s.edge);
  s.across_on = minus(s.u, s.foot_on, s.edge);
  s.reach = radius_a + 0.5 * (first_radius + last_radius);
  s.gain = at(of->end_radius[a][1], l) - radius_a;
  return s;
}

/* The origins move to the place s of a, and to the point of b beside it. */
ELI_INLINE void move_origin(line_side *side, V s) {
  const V foot = side->foot + s * side->foot_on, t = smaller(where(foot > 0.0, foot), side->length);
  side->from = minus(plus(side->from, s, side->u), t, side->edge);
  side->across = plus(side->across, s, side->across_on);
  side->reach += s * side->gain;
  side->foot = foot - t;
  side->origin = s;
  side->begin = -t;
  side->middle -= t;
}

/* ---- Where they may touch ---- */

/* Where |apart + s along| < reach + s gain between two places: one interval, for the overlap is a concave function. */
ELI_INLINE M clip_to_reach(V3 apart, V3 along, V reach, V gain, V *low, V *high) {
  const V A = inner(along, along) - gain * gain, B = inner(apart, along) - reach * gain, C = inner(apart, apart) - reach * reach;
  const V square = B * B - A * C, size = root(where(square > 0.0, square));
  const V q = choose(B > 0.0, -(B + size), size - B); /* no digits are lost, however small A is */
  const V one = q / A, other = choose(q != 0.0, C / q, one);
  const V first = smaller(one, other), last = choose(one < other, other, one);
  const M up = A > 0.0, down = A < 0.0, even = A == 0.0, level = even & (B == 0.0), uncut = level | (square <= 0.0);
  const M starts_before = *low < first;
  const V above = choose(up, last, choose(down, first, other)), below_it = choose(up, first, choose(down, last, other));
  const M has_above = ~uncut & (up | (down & starts_before) | (even & (B > 0.0))),
          has_below = ~uncut & (up | (down & ~starts_before) | (even & (B < 0.0)));
  *high = choose(has_above & (above < *high), above, *high);
  *low = choose(has_below & (below_it > *low), below_it, *low);
  return (*low < *high) & (~uncut | (level & (C < 0.0)) | (~level & down));
}

/* Adds the part of a, between two places, that is in reach of one region of b. */
ELI_INLINE void add_part(V3 apart, V3 along, V reach, V gain, V low, V high, V *from, V *to) {
  M there = low < high;
  if (!any(there)) return;
  there &= clip_to_reach(apart, along, reach, gain, &low, &high);
  *from = choose(there & (low < *from), low, *from);
  *to = choose(there & (high > *to), high, *to);
}

/* The part of a from which the line of b, or an end of it, is in reach: one interval, for what is in reach of a cone is convex. Its regions part
 * where Q is largest at an end of b. A slope of 0 makes the places there infinite, or no numbers where Q is largest just there; -0
 * counts as 0, or they would change their order. */
static void find_part(eli_lines *of, int a, int l) {
  const line_side s = side_of(of, a, l);
  const V zero = all(0.0), one = all(1.0), secant2 = s.secant * s.secant, half = 0.5 * s.length;
  const V reach = s.reach + s.slope * (s.foot - half), gain = s.gain + s.slope * s.foot_on; /* R at the foot */
  const V peak = (s.foot + s.slope * reach * secant2) * s.per_length, peak_on = (s.foot_on + s.slope * gain * secant2) * s.per_length;
  const V per_on = 1.0 / (peak_on + 0.0), at_first = -peak * per_on, at_last = (1.0 - peak) * per_on, widening = half * s.slope;
  const M forward = peak_on >= 0.0;
  const V enter = choose(forward, at_first, at_last), leave = choose(forward, at_last, at_first);
  const V in = choose(enter > zero, smaller(enter, one), zero), out = choose(leave < one, larger(leave, zero), one);
  V low = one, high = zero;
  add_part(minus(s.from, where(~forward, s.length), s.edge), s.u, s.reach + choose(forward, -widening, widening), s.gain, zero, in, &low,
           &high);
  add_part(s.across, s.across_on, reach * s.secant, gain * s.secant, in, out, &low, &high);
  add_part(minus(s.from, where(forward, s.length), s.edge), s.u, s.reach + choose(forward, widening, -widening), s.gain, out, one, &low,
           &high);
  const M there = low < high;
  set(of->low[a], l, where(there, low));
  set(of->high[a], l, where(there, high));
}

static void find_parts(eli_lines *of) {
  for (int l = 0; l < of->count; l += WIDTH) find_part(of, 0, l);
}

/* ---- The law ---- */

/* Of a pair: the layer phi = (k/(3 pi R^2)) (Q^(3/2) + (3/5) Q^(5/2)/R^2) with the mean R of now, and the core phi = core Q^(13/2) with Q of radii that
 * are smaller by the factor `shrunk`. */
typedef struct line_law {
  V modulus, per_reach, per_reach2; /* k/(pi R^2), 1/R, 1/R^2 */
  V shrunk, core, core_power;       /* core: of the force; core_power: B/K^7 of f = B (c^2/K)^7 */
  V rest2;                          /* (r_a + r_b)^2 at rest, for two ends */
} line_law;

ELI_INLINE line_law law_of(const eli_lines *of, int l) {
  const V mean =
      0.5 * (at(of->end_radius[0][0], l) + at(of->end_radius[0][1], l) + at(of->end_radius[1][0], l) + at(of->end_radius[1][1], l));
  const V first = at(of->rest_radius[0], l), last = at(of->rest_radius[1], l), rest = first + last, thick = larger(first, last);
  line_law law;
  law.per_reach = 1.0 / mean;
  law.per_reach2 = law.per_reach * law.per_reach;
  law.modulus = of->law.modulus / LINE_PI * law.per_reach2;
  law.rest2 = rest * rest;
  law.shrunk = 1.0 - ELI_CORE_ONSET * (rest - thick) / rest;
  const V shrunk = law.shrunk * rest, room = shrunk * shrunk - thick * thick, room3 = room * room * room;
  law.core_power = of->law.modulus * ELI_CORE_STRENGTH / (room3 * room3);
  law.core = ELI_CORE_INTEGRAL * law.core_power;
  return law;
}

/* ---- A point ---- */

/* Moments of the attraction w(t) = 2 d phi/dQ of a point of a over the line of b, and the energy. */
typedef struct line_moments {
  V sum, first, second;    /* of w dt, t w dt, t^2 w dt */
  V radial, radial_middle; /* of w R dt, w R (t/l - 1/2) dt */
  V energy, thinning;      /* the integral of phi; and its derivative by the mean R, but for its sign */
  V coverage;              /* the part of what an endless line of b would give, 0..1 */
  V middle;                /* [m] the centre of pressure on b */
} line_moments;

/* arctan(y/x), 0 <= y, not both 0, and h^2 = x^2 + y^2. tan(v/2) = sin v/(1 + cos v) in the first octant; within 1e-16. */
ELI_INLINE V angle_of(V x, V y, V h2) {
  const V size = size_of(x), less = smaller(size, y), more = choose(size < y, y, size), q = less / (h2 + more), z = q * q;
  const V z2 = z * z, z4 = z2 * z2; /* pairs of terms: the shorter chain takes less time than Horner's */
  const V p0 = 1.0 - 0.3333333333332844 * z, p2 = 0.1999999999885511 - 0.14285714180976467 * z,
          p4 = 0.11111106180455946 - 0.09090773074808414 * z, p6 = 0.07689953496306857 - 0.06640233930429408 * z,
          p8 = 0.056883492268090106 - 0.04348052215716462 * z;
  const V p = p0 + z2 * p2 + z4 * (p4 + z2 * p6) + z4 * z4 * (p8 + z2 * 0.021135373157693243);
  const V octant = 2.0 * q * p, quadrant = choose(size < y, 0.5 * LINE_PI - octant, octant);
  return choose(x < 0.0, LINE_PI - quadrant, quadrant);
}

/* The part of the line of b in reach of a point: in tau = (t - centre) cos, Q = c^2 - tau^2 between two places; S = sqrt(Q) there. */
typedef struct line_window {
  V c2, centre, reach; /* [m^2], [m], [m] R at the centre */
  V start, end;        /* of b */
  V low, high, low_root, high_root;
  V integral; /* of S dtau */
  V slope, cosine, secant;
  M whole; /* b does not end within reach */
} line_window;

ELI_INLINE line_window window_of(const line_side *s, V foot, V distance2, V reach, V slope, V cosine, V secant) {
  line_window w = {.slope = slope, .cosine = cosine, .secant = secant};
  const V at_foot = reach + slope * (foot - s->middle), widest = at_foot * secant, c2 = widest * widest - distance2;
  w.c2 = where((c2 > 0.0) & (s->length > 0.0), c2);
  w.start = cosine * (s->begin - foot) - slope * widest;
  w.end = w.start + cosine * s->length;
  w.reach = widest * secant;
  w.centre = foot + slope * w.reach;
  w.whole = (w.start < 0.0) & (w.end > 0.0) & (w.start * w.start >= w.c2) & (w.end * w.end >= w.c2);
  w.low = w.high = w.low_root = w.high_root = all(0.0);
  w.integral = (0.5 * LINE_PI) * w.c2;
  return w;
}

/* A window within which b ends, in some pairs. */
ELI_INLINE void cut_window(line_window *w) {
  const V c = root(w->c2), low = smaller(larger(w->start, -c), c), high = smaller(larger(w->end, -c), c);
  const V low_root = where(~w->whole, root((c - low) * (c + low))), high_root = where(~w->whole, root((c - high) * (c + high)));
  const V sine = high * low_root - low * high_root, cosine = high_root * low_root + high * low;
  const V angle = where(w->c2 > 0.0, angle_of(cosine, where(sine > 0.0, sine), w->c2));
  w->integral = choose(w->whole, w->integral, 0.5 * (high * high_root - low * low_root + w->c2 * angle));
  w->low = low;
  w->high = high;
  w->low_root = low_root;
  w->high_root = high_root;
}

/* From moments over tau of a w that is symmetric there: zero, first, second. */
ELI_INLINE void add_moments(const line_side *s, const line_window *w, V zero, V one, V two, V shrunk, line_moments *to) {
  const V part = (w->centre - s->middle) * s->per_length, first = one * w->secant, second = two * w->secant * w->secant;
  to->sum += zero;
  to->first += w->centre * zero + first;
  to->second += w->centre * (w->centre * zero + 2.0 * first) + second;
  to->radial += shrunk * (w->reach * zero + w->slope * first);
  to->radial_middle +=
      shrunk * (w->reach * part * zero + (w->reach * s->per_length + w->slope * part) * first + w->slope * s->per_length * second);
}

/* int S^3 = tau S^3/4 + (3/4) c^2 int S, int S^5 = tau S^5/6 + (5/6) c^2 int S^3, int tau S^n = -S^(n + 2)/(n + 2), int tau^2 S^n = c^2 int S^n -
 * int S^(n + 2) */
ELI_INLINE void add_layer(const line_side *s, const line_law *law, const line_window *w, int cut, line_moments *to) {
  const V a = law->modulus * w->secant, k = law->per_reach2;
  V one = all(0.0), end3 = one, end5 = one;
  to->coverage = where(w->c2 > 0.0, all(1.0));
  if (cut) {
    const V low2 = w->low_root * w->low_root, high2 = w->high_root * w->high_root, low3 = low2 * w->low_root, high3 = high2 * w->high_root,
            low5 = low3 * low2, high5 = high3 * high2;
    one = a * ((low3 - high3) * (1.0 / 3.0) + k * (low5 - high5) * 0.2);
    end3 = 0.25 * (w->high * high3 - w->low * low3);
    end5 = (w->high * high5 - w->low * low5) * (1.0 / 6.0);
  }
  const V i1 = w->integral, i3 = end3 + 0.75 * w->c2 * i1, i5 = end5 + (5.0 / 6.0) * w->c2 * i3, sum = i1 + k * i3;
  add_moments(s, w, a * sum, one, a * (w->c2 * sum - (i3 + k * i5)), all(1.0), to);
  to->energy += a * (i3 + 0.6 * k * i5) * (1.0 / 3.0);
  to->thinning += a * (i3 + 1.2 * k * i5) * (2.0 / 3.0) * law->per_reach;
  to->middle = w->centre;
  if (cut) {
    const V endless = (0.5 * LINE_PI) * w->c2 * (1.0 + 0.75 * k * w->c2);
    to->coverage = choose(w->whole, to->coverage, where(w->c2 > 0.0, sum / endless));
    to->middle = choose(w->whole, w->centre, where(to->sum > 0.0, to->first / to->sum));
  }
}

ELI_INLINE void add_core(const line_side *s, const line_law *law, const line_window *w, line_moments *to) {
  const V low2 = w->low_root * w->low_root, high2 = w->high_root * w->high_root;
  V integral = w->integral, before = integral, low = w->low_root, high = w->high_root;
  for (int n = 3; n <= 13; n += 2) {
    before = integral;
    low = low * low2;
    high = high * high2;
    integral = (w->high * high - w->low * low + n * w->c2 * before) * (1.0 / (n + 1));
  }
  const V a = 13.0 * law->core * w->secant;
  add_moments(s, w, a * before, a * (low - high) * (1.0 / 13.0), a * (w->c2 * before - integral), law->shrunk, to);
  to->energy += a * integral * (1.0 / 13.0);
}

/* Where the point of a stands: its place s, the foot on b's line, and the vector from there. */
typedef struct line_point {
  V s, foot, reach, distance2;
} line_point;

ELI_INLINE line_point point_at(const line_side *side, V s) {
  const V3 across = plus(side->across, s, side->across_on);
  return (line_point){s, side->foot + s * side->foot_on, side->reach + s * side->gain, inner(across, across)};
}

/* The line of b with the radii of the core. */
ELI_INLINE line_window core_of(const line_side *side, const line_law *law, const line_point *p) {
  const V slope = law->shrunk * side->slope, cosine = root(1.0 - slope * slope);
  return window_of(side, p->foot, p->distance2, law->shrunk * p->reach, slope, cosine, 1.0 / cosine);
}

/* Moments at some points, `count` of them, at most LINE_POINTS. Returns the pairs in which b ends within reach of one, or the core acts: the sum
 * over points of all others is exact. */
ELI_INLINE M find_moments(const line_side *side, const line_law *law, const line_point *p, int count, line_moments *m) {
  line_window w[LINE_POINTS];
  M ends = (M){0}, deep = (M){0};
  for (int k = 0; k < count; k++) {
    w[k] = window_of(side, p[k].foot, p[k].distance2, p[k].reach, side->slope, side->cosine, side->secant);
    const M cut = (w[k].c2 > 0.0) & ~w[k].whole;
    const V reach = law->shrunk * w[k].reach; /* of the core, or more */
    const int is_cut = any(cut);
    ends |= cut;
    deep |= (w[k].c2 > 0.0) & (reach * reach > p[k].distance2);
    m[k] = (line_moments){.sum = all(0.0)};
    if (is_cut) cut_window(&w[k]);
    add_layer(side, law, &w[k], is_cut, &m[k]);
  }
  if (!any(deep)) return ends;
  for (int k = 0; k < count; k++) {
    w[k] = core_of(side, law, &p[k]);
    cut_window(&w[k]);
    add_core(side, law, &w[k], &m[k]);
  }
  return ends | deep;
}

/* ---- Sums over points ---- */

/* Of a, at s along it, against b, at t [m] along it. */
typedef struct line_sums {
  V sum, sum_s, sum_s2, first, first_s, second; /* of w, s w, s^2 w, t w, s t w, t^2 w: forces */
  V radial, radial_s, radial_middle;            /* of w R, s w R, w R (t/l - 1/2): radii */
  V energy, thinning;
  V normal, normal_s, normal_t;       /* of w, s w, t w, with the damper, for the normal: t of the foot where b goes on */
  V force, elastic, force_s, force_t; /* [N] */
  V extent, deepest;                  /* [m]; [m^2] the largest Q */
} line_sums;

/* Their motion: velocities of the first ends against each other, and what they gain along a and b. */
typedef struct line_motion {
  V3 first, along_a, along_b;
} line_motion;

/* Forces of weighted moments. */
ELI_INLINE void add_forces(V s, V weight, const line_moments *m, line_sums *to) {
  const V sum = weight * m->sum, first = weight * m->first, radial = weight * m->radial;
  to->sum += sum;
  to->sum_s += s * sum;
  to->sum_s2 += s * s * sum;
  to->first += first;
  to->first_s += s * first;
  to->second += weight * m->second;
  to->radial += radial;
  to->radial_s += s * radial;
  to->radial_middle += weight * m->radial_middle;
}

/* A damper between the point of a and the centre of pressure t on b: the pressure k eps becomes k eps + c (approach speed), or 0 where that is
 * negative. Returns what w becomes more. */
ELI_INLINE V damp(const eli_lines *of, const line_side *side, const line_motion *motion, const line_point *p, V t, const line_moments *m) {
  const V3 apart = minus(plus(side->from, p->s, side->u), t, side->edge);
  const V distance2 = inner(apart, apart), inverse2 = where(distance2 > 0.0, 1.0 / distance2);
  const V3 relative =
      minus(plus(motion->first, side->origin + p->s, motion->along_a), (t - side->begin) * side->per_length, motion->along_b);
  const V damped = m->sum - of->law.damping * m->coverage * inverse2 * inner(relative, apart);
  return where(damped > 0.0, damped) - m->sum;
}

/* A point of a, which stands for the length `weight`. free: b ends there, and goes on nowhere. */
ELI_INLINE void add_point(const eli_lines *of, const line_side *side, const line_motion *motion, const line_point *p, V weight, M free,
                          const line_moments *m, line_sums *to) {
  add_forces(p->s, weight, m, to);
  to->energy += weight * m->energy;
  to->thinning += weight * m->thinning;
  const M touches = m->sum > 0.0;
  const V t = m->middle, tilt = where(free, p->foot - t), distance = root(p->distance2 + tilt * tilt);
  V w = weight * m->sum;
  const V elastic = w * distance;
  if (of->law.damping > 0.0) {
    const V more = where(touches, weight * damp(of, side, motion, p, t, m));
    w += more;
    to->sum += more;
    to->sum_s += p->s * more;
    to->sum_s2 += p->s * p->s * more;
    to->first += t * more;
    to->first_s += p->s * t * more;
    to->second += t * t * more;
  }
  const V force = w * distance;
  to->normal += w;
  to->normal_s += p->s * w;
  to->normal_t += w * choose(free, t, p->foot);
  to->elastic += elastic;
  to->force += force;
  to->force_s += p->s * force;
  to->force_t += t * force;
  to->extent += weight * m->coverage;
  const V last = side->begin + side->length, nearest = larger(smaller(p->foot, last), side->begin), beyond = p->foot - nearest,
          reach = p->reach + side->slope * (nearest - side->middle);
  to->deepest = larger(where(touches, reach * reach - (p->distance2 + beyond * beyond)), to->deepest);
}

/* The end of a part of a, where b comes into reach: moves as the place at which the largest Q of b's line is 0. `by`: the derivative of the sum by its
 * place. */
ELI_INLINE void add_border(const line_side *side, V s, V by, line_sums *to) {
  if (!any(by != 0.0)) return;
  const line_point p = point_at(side, s);
  const V at_foot = p.reach + side->slope * (p.foot - side->middle), peak = p.foot + side->slope * at_foot * side->secant * side->secant;
  const V t = smaller(larger(peak, side->begin), side->begin + side->length), part = (t - side->middle) * side->per_length,
          reach = p.reach + side->slope * (t - side->middle);
  const V toward = inner(plus(side->from, s, side->u), side->u) - t * side->foot_on, rate = reach * side->gain - toward;
  const V w = where((by != 0.0) & (rate != 0.0), -by / rate);
  const line_moments m = {.sum = w, .first = w * t, .second = w * t * t, .radial = w * reach, .radial_middle = w * reach * part};
  add_forces(s, all(1.0), &m, to);
}

/* What the ends of a part add: by its first and last place. */
typedef struct line_ends {
  V first, last;
} line_ends;

/* A cell of a, between two places. measure: mu of all of a. */
ELI_INLINE line_ends add_cell(const eli_lines *of, const line_side *side, const line_law *law, const line_motion *motion, V from, V to,
                              V measure, M free, line_sums *sums) {
  const V width = where(from < to, to - from), length2 = inner(side->u, side->u), along = inner(side->from, side->u);
  line_ends ends = {all(0.0), all(0.0)};
  line_point p[LINE_POINTS];
  line_moments m[LINE_POINTS];
  for (int k = 0; k < LINE_POINTS; k++) p[k] = point_at(side, (from - side->origin) + width * gauss_place[k]);
  const M inexact = find_moments(side, law, p, LINE_POINTS, m);
  for (int k = 0; k < LINE_POINTS; k++) add_point(of, side, motion, &p[k], measure * gauss_weight[k] * width, free, &m[k], sums);
  if (!any(inexact)) return ends;
  for (int k = 0; k < LINE_POINTS; k++) {
    const V weight = where(inexact, measure * gauss_weight[k]);
    const V slope =
        width * (m[k].radial * side->gain - m[k].sum * (along + p[k].s * length2) + m[k].first * side->foot_on); /* of the energy */
    ends.first += weight * ((1.0 - gauss_place[k]) * slope - m[k].energy);
    ends.last += weight * (gauss_place[k] * slope + m[k].energy);
  }
  return ends;
}

/* ---- What acts there ---- */

/* What points of one side give: forces on the ends of a and b, and the rest of eli_line_loads. */
typedef struct line_found {
  V3 on_a[2], on_b[2], normal;
  V swelling_a[2], swelling_b[2], mean_swelling;
  V share_a, share_b, pressure, elastic, extent, energy, deepest;
} line_found;

ELI_INLINE line_found found_by(const line_side *s, const line_sums *of) {
  const V cosine3 = s->cosine * s->cosine * s->cosine, slope3 = s->slope * s->slope * s->slope, middle = cosine3 * of->radial_middle;
  const V3 on_a = minus(plus(scale(of->sum, s->from), of->sum_s, s->u), of->first, s->edge),
           moment_a = minus(plus(scale(of->sum_s, s->from), of->sum_s2, s->u), of->first_s, s->edge),
           moment_b = minus(plus(scale(of->first, s->from), of->first_s, s->u), of->second, s->edge);
  const V tension = of->energy * s->per_length + slope3 * of->radial_middle; /* the energy that a longer b has more */
  const V3 at_a = plus(moment_a, s->origin, on_a), at_b = plus(scale(s->per_length, minus(moment_b, s->begin, on_a)), tension, s->edge);
  const V last = s->origin * of->radial + of->radial_s;
  return (line_found){.on_a = {sub(on_a, at_a), at_a},
                      .on_b = {sub(on_a, at_b), at_b},
                      .normal = minus(plus(scale(of->normal, s->from), of->normal_s, s->u), of->normal_t, s->edge),
                      .swelling_a = {of->radial - last, last},
                      .swelling_b = {0.5 * of->radial - middle, 0.5 * of->radial + middle},
                      .mean_swelling = -0.5 * of->thinning,
                      .share_a = s->origin * of->force + of->force_s,
                      .share_b = (of->force_t - s->begin * of->force) * s->per_length,
                      .pressure = of->force,
                      .elastic = of->elastic,
                      .extent = of->extent,
                      .energy = of->energy,
                      .deepest = of->deepest};
}

/* The number of cells of a. */
ELI_INLINE V cells_of(const eli_lines *of, int a, int l) {
  const V need = at(of->measure[a], l) / (ELI_LONGEST_CELL * (at(of->rest_radius[0], l) + at(of->rest_radius[1], l)));
  return floor_of(smaller(need, all(MOST_CELLS)) * (1.0 - 1e-9)) + 1.0;
}

static line_found find_side(const eli_lines *of, const line_law *law, int a, int l) {
  const int b = 1 - a;
  line_side side = side_of(of, a, l);
  const V3 start = row3(of->velocity[a][0][0], l), other = row3(of->velocity[b][0][0], l);
  const line_motion motion = {sub(start, other), sub(row3(of->velocity[a][1][0], l), start), sub(row3(of->velocity[b][1][0], l), other)};
  const M free = (at(of->cap[b][0], l) > 0.0) | (at(of->cap[b][1], l) > 0.0), has_line = side.length > 0.0;
  const V measure = where(has_line, 0.5 * at(of->measure[a], l)), zero = all(0.0);
  const V low = at(of->low[a], l), high = where(measure > 0.0, at(of->high[a], l)), cells = cells_of(of, a, l);
  line_sums sums = {.deepest = zero};
  move_origin(&side, 0.5 * (low + at(of->high[a], l)));
  V cell = floor_of(low * cells), from = low;
  line_ends ends = {zero, zero};
  while (any(from < high)) {
    const V next = (cell + 1.0) / cells, to = smaller(next, high);
    const line_ends own = add_cell(of, &side, law, &motion, from, to, measure, free, &sums);
    ends.first = choose((from < to) & (from == low) & (low > 0.0), own.first, ends.first);
    ends.last = choose((from < to) & (to == high) & (high < 1.0), own.last, ends.last);
    cell += 1.0;
    from = choose(next < high, larger(next, from), high);
  }
  add_border(&side, low - side.origin, ends.first, &sums);
  add_border(&side, high - side.origin, ends.last, &sums);
  for (int end = 0; end < 2; end++) {
    const V cap = where(has_line, at(of->cap[a][end], l));
    if (!any(cap > 0.0)) continue;
    const line_point p = point_at(&side, end - side.origin);
    line_moments m;
    find_moments(&side, law, &p, 1, &m);
    add_point(of, &side, &motion, &p, cap, free, &m, &sums);
  }
  return found_by(&side, &sums);
}

static void add_sides(eli_lines *of, const line_law *law, int l, const line_found side[2]) {
  for (int a = 0; a < 2; a++) {
    const line_found *own = &side[a], *other = &side[1 - a];
    const V mean = own->mean_swelling + other->mean_swelling;
    for (int end = 0; end < 2; end++) {
      set_row3(of->force[a][end][0], l, sub(own->on_a[end], other->on_b[end]));
      set(of->swelling[a][end], l, own->swelling_a[end] + other->swelling_b[end] + mean);
    }
    set(of->share[a], l, own->share_a + other->share_b);
  }
  set_row3(of->normal[0], l, sub(side[0].normal, side[1].normal));
  set(of->pressure, l, side[0].pressure + side[1].pressure);
  set(of->elastic, l, side[0].elastic + side[1].elastic);
  set(of->extent, l, side[0].extent + side[1].extent);
  set(of->energy, l, side[0].energy + side[1].energy);
  const V square = larger(side[0].deepest, side[1].deepest) * law->per_reach2;
  set(of->depth, l, square / (law->per_reach * (1.0 + root(1.0 - smaller(square, all(1.0))))));
}

/* ---- Two ends ---- */

/* How many half balls there are at an end: a ball has both. */
ELI_INLINE V halves_at(const eli_lines *of, int side, int l) {
  return choose(at(of->measure[side], l) > 0.0, all(1.0), all(2.0));
}

ELI_INLINE void add_row(double *row, int l, V a) {
  set(row, l, at(row, l) + a);
}

/* Half balls on ends: U = (mu/2) f(|x - y|), mu = mu_a mu_b (1/m_a + 1/m_b), m: all at that place. */
ELI_INLINE void add_tips(eli_lines *of, const line_law *law, int l, int i, int j) {
  const V cap_a = at(of->cap[0][i], l), cap_b = at(of->cap[1][j], l);
  const V3 apart = sub(row3(of->end[0][i][0], l), row3(of->end[1][j][0], l));
  const V reach = at(of->end_radius[0][i], l) + at(of->end_radius[1][j], l), distance2 = inner(apart, apart), q = reach * reach - distance2;
  const M touches = (q > 0.0) & (cap_a > 0.0) & (cap_b > 0.0);
  if (!any(touches)) return;
  const V half = where(touches, 0.5 * (cap_b / halves_at(of, 0, l) + cap_a / halves_at(of, 1, l)));
  const V shrunk2 = law->shrunk * law->shrunk, deep = where(shrunk2 * reach * reach > distance2, shrunk2 * reach * reach - distance2);
  const V deep3 = deep * deep * deep, core = law->core_power * deep3 * deep3, layer = of->law.modulus * 0.125 / law->rest2 * q,
          more = q / law->rest2;
  const V energy = half * (layer * q * (1.0 + 0.5 * more) + core * deep), outer = half * layer * (2.0 + 1.5 * more),
          inside = half * 7.0 * core;
  const V w = 2.0 * (outer + inside), distance = root(distance2), elastic = w * distance,
          swelling = 2.0 * reach * (outer + shrunk2 * inside);
  V push = w;
  if (of->law.damping > 0.0) {
    const V3 relative = sub(row3(of->velocity[0][i][0], l), row3(of->velocity[1][j][0], l));
    const V inverse = where(distance > 0.0, 1.0 / distance), damped = elastic - of->law.damping * half * inverse * inner(relative, apart);
    push = where(touches, choose(distance > 0.0, where(damped > 0.0, damped) * inverse, push));
  }
  const V3 force = scale(push, apart);
  for (int a = 0; a < 2; a++) {
    const int end = a ? j : i;
    double *row = of->force[a][end][0];
    set_row3(row, l, a ? sub(row3(row, l), force) : add(row3(row, l), force));
    add_row(of->swelling[a][end], l, swelling);
    if (end) add_row(of->share[a], l, push * distance);
  }
  set_row3(of->normal[0], l, add(row3(of->normal[0], l), force));
  add_row(of->pressure, l, push * distance);
  add_row(of->elastic, l, elastic);
  add_row(of->extent, l, half);
  add_row(of->energy, l, energy);
  set(of->depth, l, larger(where(touches, reach - distance), at(of->depth, l)));
}

/* ---- Its middle ---- */

static void find_middle(eli_lines *of, int l) {
  const V3 force = row3(of->normal[0], l);
  const V size = root(inner(force, force)), sum = at(of->pressure, l);
  const V3 normal = scale(where(size > 0.0, 1.0 / size), force);
  V3 axis[2];
  V radius[2];
  for (int side = 0; side < 2; side++) {
    const V3 first = row3(of->end[side][0][0], l);
    const V start = at(of->end_radius[side][0], l), share = choose(sum > 0.0, at(of->share[side], l) / sum, all(0.5));
    radius[side] = start + share * (at(of->end_radius[side][1], l) - start);
    axis[side] = plus(first, share, sub(row3(of->end[side][1][0], l), first));
    set(of->middle[side], l, share);
    set_row3(of->axis[side][0], l, axis[side]);
  }
  set_row3(of->direction[0], l, normal);
  set_row3(of->point[0], l, plus(axis[0], radius[0] / (radius[0] + radius[1]), sub(axis[1], axis[0])));
}

static void find_lines(eli_lines *of) {
  for (int l = 0; l < of->count; l += WIDTH) {
    const line_law law = law_of(of, l);
    find_part(of, 1, l);
    const line_found side[2] = {find_side(of, &law, 0, l), find_side(of, &law, 1, l)};
    add_sides(of, &law, l, side);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        if (any((at(of->cap[0][i], l) > 0.0) & (at(of->cap[1][j], l) > 0.0))) add_tips(of, &law, l, i, j);
    find_middle(of, l);
  }
}

static const eli_lines_work lines_work = {find_parts, find_lines};
