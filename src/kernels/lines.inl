/* ---- Contact along lines (contact/line.h), several pairs in lanes ----
 *
 * method     For a point x of a, the integral over the line of b has a closed form: with t along b, Q(t) = R(t)^2 - |x - y(t)|^2 is a
 *            quadratic polynomial and positive on one interval. Along a, Gauss points are placed on the part of each cell that is within
 *            reach of b. A cell is a fixed part of a, at most 2.5 (r_a + r_b) long at rest, or an eighth of a.
 * gradient   Forces are derivatives of the sum over these points. They include the terms of the moving ends of each part: the integrand and
 *            its slope vanish at these ends, but the quadrature is exact only if no end of b is within reach.
 * rounding   no fused operations, because they are slow on instruction sets without them
 */

enum { LINE_POINTS = 4 };

static const double gauss_place[LINE_POINTS] = ELI_FOUR_PLACES, gauss_weight[LINE_POINTS] = ELI_FOUR_WEIGHTS;

/* The largest integer <= a, for 0 <= a < 2^51. */
ELI_INLINE V floor_of(V a) {
  const V whole = (a + 4503599627370496.0) - 4503599627370496.0;
  return choose(whole > a, whole - 1.0, whole);
}

/* Reads three consecutive rows. */
ELI_INLINE V3 row3(const double *row, int l) {
  return (V3){at(row, l), at(row + ELI_LINES, l), at(row + 2 * ELI_LINES, l)};
}

ELI_INLINE void set_row3(double *row, int l, V3 a) {
  set(row, l, a.x);
  set(row + ELI_LINES, l, a.y);
  set(row + 2 * ELI_LINES, l, a.z);
}

/* Scalar product without fused operations. */
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

/* b is a cone about its centre line: R(t) = r_a(s) + r_b + g (t - l/2), t = 0..l [m] from its first end, with g = taper/sqrt(l^2 +
 * taper^2), so that |g| < 1 for all radii. Positions s on a and t on b are relative to an origin on each line. The origins are at the first
 * ends at first, and near the contact for the sums, so that no digits are lost on long elements. */
typedef struct line_side {
  V3 u, from, edge;        /* the edge of a; the vector from the origin on b to that on a; the direction of b */
  V3 across, across_on;    /* from the foot on the line of b to a point of a: across + s across_on */
  V foot, foot_on;         /* [m] position of that foot along b */
  V origin, begin, middle; /* 0..1 origin on a; [m] first end and middle of b, from the origin on b */
  V reach, gain;           /* [m] r_a + r_b for the origin of a and the middle of b; the increase of r_a along a */
  V length, per_length;    /* of b; both are 0 for a ball */
  V slope, cosine, secant; /* g, sqrt(1 - g^2), and the inverse of the latter */
} line_side;

ELI_INLINE line_side side_of(const eli_lines *of, int a, int l) {
  const int b = 1 - a;
  const V radius_a = at(of->side[a].end_radius[0], l), first_radius = at(of->side[b].end_radius[0], l),
          last_radius = at(of->side[b].end_radius[1], l);
  const V3 first = row3(of->side[b].end[0][0], l), start = row3(of->side[a].end[0][0], l), v = sub(row3(of->side[b].end[1][0], l), first);
  line_side s = {.u = sub(row3(of->side[a].end[1][0], l), start), .from = sub(start, first)};
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
  s.gain = at(of->side[a].end_radius[1], l) - radius_a;
  return s;
}

/* Moves the origins to position s of a and to the nearest point of b. */
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

/* ---- The parts within reach ---- */

/* Intersects low..high with the interval of |apart + s along| < reach + s gain. It is one interval, because the overlap is a concave
 * function. Returns a mask of nonempty results. */
ELI_INLINE M clip_to_reach(V3 apart, V3 along, V reach, V gain, V *low, V *high) {
  const V A = inner(along, along) - gain * gain, B = inner(apart, along) - reach * gain, C = inner(apart, apart) - reach * reach;
  const V square = B * B - A * C, size = root(where(square > 0.0, square));
  const V q = choose(B > 0.0, -(B + size), size - B); /* this form loses no digits, even for small A */
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

/* Adds the part of a between low and high that is within reach of one region of b. */
ELI_INLINE void add_part(V3 apart, V3 along, V reach, V gain, V low, V high, V *from, V *to) {
  M there = low < high;
  if (!any(there)) return;
  there &= clip_to_reach(apart, along, reach, gain, &low, &high);
  *from = choose(there & (low < *from), low, *from);
  *to = choose(there & (high > *to), high, *to);
}

/* Finds the part of a that is within reach of the line of b, including its ends. It is one interval, because the region within reach of a
 * cone is convex. The line a is divided where its nearest point of b, by the maximum of Q, passes an end of b. If peak_on is 0, the two
 * dividing positions are infinite, or NaN if the maximum is exactly at the end. -0 is made +0, because it would exchange them. */
ELI_INLINE void find_part(eli_lines *of, const line_side *side, int a, int l) {
  const line_side s = *side;
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
  for (int l = 0; l < of->count; l += WIDTH) {
    const line_side side = side_of(of, 0, l);
    find_part(of, &side, 0, l);
  }
}

/* ---- The contact law ---- */

/* Constants of a pair. The layer is phi = (k/(3 pi R^2)) (Q^(3/2) + (3/5) Q^(5/2)/R^2) with the present mean R; the core is phi = core
 * Q^(13/2), with Q from radii reduced by the factor `shrunk`. */
typedef struct line_law {
  V modulus, per_reach, per_reach2; /* k/(pi R^2), 1/R, 1/R^2 */
  V shrunk, core, core_power;       /* core: coefficient of the force; core_power: B/K^7 of f = B (c^2/K)^7 */
  V rest2;                          /* (r_a + r_b)^2 at rest, for contact of two ends */
} line_law;

ELI_INLINE line_law law_of(const eli_lines *of, int l) {
  const V mean = 0.5 * (at(of->side[0].end_radius[0], l) + at(of->side[0].end_radius[1], l) + at(of->side[1].end_radius[0], l) +
                        at(of->side[1].end_radius[1], l));
  const V first = at(of->side[0].rest_radius, l), last = at(of->side[1].rest_radius, l), rest = first + last, thick = larger(first, last);
  line_law law;
  law.per_reach = 1.0 / mean;
  law.per_reach2 = law.per_reach * law.per_reach;
  law.modulus = of->law.modulus / ELI_PI * law.per_reach2;
  law.rest2 = rest * rest;
  law.shrunk = 1.0 - ELI_CORE_ONSET * (rest - thick) / rest;
  const V shrunk = law.shrunk * rest, room = shrunk * shrunk - thick * thick, room3 = room * room * room;
  law.core_power = of->law.modulus * ELI_CORE_STRENGTH / (room3 * room3);
  law.core = ELI_CORE_INTEGRAL * law.core_power;
  return law;
}

/* ---- One point ---- */

/* Moments of the attraction w(t) = 2 d phi/dQ of a point of a over the line of b, and the energy. All are multiplied by the length that the
 * point represents. */
typedef struct line_moments {
  V sum, first, second;    /* of w dt, t w dt, t^2 w dt */
  V radial, radial_middle; /* of w R dt, w R (t/l - 1/2) dt */
  V energy, thinning;      /* the integral of phi; minus its derivative by the mean R, times 2 R */
  V extent;                /* [m] the represented length, times the ratio of sum to that of an infinitely long b */
} line_moments;

/* The line of b as a function of the point s on a. With tau = (t - centre) cos, Q = widest^2 - distance^2 - tau^2 is positive within reach.
 * All terms except distance^2 are linear in s. */
typedef struct line_course {
  V widest, widest_on, centre, centre_on, start, start_on; /* [m] start is tau of the first end of b; ..._on are derivatives by s */
  V length;                                                /* [m] length of b in tau */
  V slope, secant;
} line_course;

/* Computes the course for radii multiplied by `shrunk`. */
ELI_INLINE line_course course_of(const line_side *s, V shrunk, V slope, V cosine, V secant) {
  const V widest = (shrunk * s->reach + slope * (s->foot - s->middle)) * secant,
          widest_on = (shrunk * s->gain + slope * s->foot_on) * secant;
  return (line_course){.widest = widest,
                       .widest_on = widest_on,
                       .centre = s->foot + slope * (widest * secant),
                       .centre_on = s->foot_on + slope * (widest_on * secant),
                       .start = cosine * (s->begin - s->foot) - slope * widest,
                       .start_on = -(cosine * s->foot_on + slope * widest_on),
                       .length = cosine * s->length,
                       .slope = slope,
                       .secant = secant};
}

/* Computes the course for the radii of the core. */
ELI_INLINE line_course core_of(const line_side *s, const line_law *law) {
  const V slope = law->shrunk * s->slope, cosine = root(1.0 - slope * slope);
  return course_of(s, law->shrunk, slope, cosine, 1.0 / cosine);
}

/* The part of the line of b within reach of a point: Q = c^2 - tau^2. */
typedef struct line_window {
  V c2, centre, reach;        /* [m^2], 0 if nothing is within reach; [m]; [m] R at the centre */
  V start, end;               /* tau of the ends of b */
  V start_square, end_square; /* [m^2] Q at the ends of b */
  M begins, ends;             /* the first (begins) or last (ends) end of b is within reach */
} line_window;

ELI_INLINE line_window window_at(const line_course *of, V s, V distance2) {
  const V widest = of->widest + s * of->widest_on, start = of->start + s * of->start_on, end = start + of->length,
          c2 = widest * widest - distance2, start_square = c2 - start * start, end_square = c2 - end * end;
  const M begins = start_square > 0.0, ends = end_square > 0.0, there = (c2 > 0.0) & (((start < 0.0) & (end > 0.0)) | begins | ends);
  return (line_window){
      where(there, c2), of->centre + s * of->centre_on, widest * of->secant, start, end, start_square, end_square, begins, ends};
}

/* Values of a window at the ends of b within it; 0 if the end is outside. */
typedef struct line_cut {
  V low, low2, low_root, high, high2, high_root; /* tau, Q, S = sqrt(Q) */
  V integral;                                    /* of S dtau */
} line_cut;

/* Computes the cut of a window, and 1/by. The integral of S is (tau S + c^2 arcsin(tau/c))/2. The difference of the two arcsines is the
 * angle from 0 to pi of the vector (x, y) below. Its arctangent is that of a quotient of at most tan(pi/8), plus pi/4 if needed; the error
 * is below 1e-16. */
ELI_INLINE line_cut cut_window(const line_window *w, V by, V *inverse) {
  const V low = where(w->begins, w->start), low2 = where(w->begins, w->start_square), high = where(w->ends, w->end),
          high2 = where(w->ends, w->end_square);
  const M both = w->begins & w->ends;
  const V one_root = root(choose(w->begins, low2, high2)), low_root = where(w->begins, one_root),
          high_root = any(both) ? root(high2) : where(w->ends, one_root);
  const V sine = choose(both, high * low_root - low * high_root, one_root), x = choose(both, high_root * low_root + high * low, low - high),
          y = where(sine > 0.0, sine);
  const V size = size_of(x), less = smaller(size, y), more = choose(size < y, y, size);
  const M small = less < 0.41421356237309503 * more;
  const V above = choose(small, less, less - more), below = choose(small, more, less + more), per = 1.0 / (below * by);
  const V q = above * (per * by), z = q * q, z2 = z * z, z4 = z2 * z2; /* a shorter chain than that of Horner's scheme */
  const V p0 = 1.0 - 0.3333333333332844 * z, p2 = 0.1999999999885511 - 0.14285714180976467 * z,
          p4 = 0.11111106180455946 - 0.09090773074808414 * z, p6 = 0.07689953496306857 - 0.06640233930429408 * z,
          p8 = 0.056883492268090106 - 0.04348052215716462 * z;
  const V p = p0 + z2 * p2 + z4 * (p4 + z2 * p6) + z4 * z4 * (p8 + z2 * 0.021135373157693243);
  const V octant = q * p + where(~small, all(0.25 * ELI_PI)), quadrant = choose(size < y, 0.5 * ELI_PI - octant, octant),
          angle = choose(x < 0.0, ELI_PI - quadrant, quadrant);
  *inverse = below * per;
  return (line_cut){low, low2, low_root, high, high2, high_root, 0.5 * (high * high_root - low * low_root + w->c2 * angle)};
}

/* Converts moments over tau (zero, one, two) to moments over t and adds them. */
ELI_INLINE void add_moments(const line_side *s, const line_course *of, const line_window *w, V zero, V one, V two, V shrunk,
                            line_moments *to) {
  const V part = (w->centre - s->middle) * s->per_length, first = one * of->secant, second = two * (of->secant * of->secant);
  const V about = w->centre * zero + first, round = shrunk * w->reach, slope = shrunk * of->slope;
  const V radial = round * zero + slope * first;
  to->sum += zero;
  to->first += about;
  to->second += w->centre * (about + first) + second;
  to->radial += radial;
  to->radial_middle += part * radial + s->per_length * (round * first + slope * second);
}

/* Computes the moments of the layer: int S^3 = tau S^3/4 + (3/4) c^2 int S, int S^5 = tau S^5/6 + (5/6) c^2 int S^3, int tau S^n = -S^(n +
 * 2)/(n + 2), int tau^2 S^n = c^2 int S^n - int S^(n + 2); from -c to c, int S = pi c^2/2. scale is the represented length times modulus
 * and secant; length is for the extent. */
ELI_INLINE line_moments layer_of(const line_side *s, const line_course *of, const line_law *law, const line_window *w, M cut, V scale,
                                 V length) {
  const V k = law->per_reach2, x = k * w->c2, a = (0.5 * ELI_PI) * scale * w->c2, ac2 = a * w->c2, full = 1.0 + 0.75 * x;
  V zero = a * full, one = all(0.0), two = ac2 * (0.25 + 0.125 * x);
  line_moments m = {.energy = two, .thinning = ac2 * (1.0 + x), .extent = where(w->c2 > 0.0, length)};
  if (any(cut)) {
    V per_endless;
    const line_cut c = cut_window(w, (0.5 * ELI_PI) * w->c2 * full, &per_endless);
    const V low3 = c.low2 * c.low_root, high3 = c.high2 * c.high_root, low5 = low3 * c.low2, high5 = high3 * c.high2;
    const V i3 = 0.25 * (c.high * high3 - c.low * low3) + 0.75 * w->c2 * c.integral,
            i5 = (1.0 / 6.0) * (c.high * high5 - c.low * low5) + (5.0 / 6.0) * w->c2 * i3, sum = c.integral + k * i3;
    zero = choose(cut, scale * sum, zero);
    one = where(cut, scale * ((low3 - high3) * (1.0 / 3.0) + k * (low5 - high5) * 0.2));
    two = choose(cut, scale * (w->c2 * sum - (i3 + k * i5)), two);
    m.energy = choose(cut, scale * (i3 + 0.6 * k * i5) * (1.0 / 3.0), m.energy);
    m.thinning = choose(cut, scale * (i3 + 1.2 * k * i5) * (4.0 / 3.0), m.thinning);
    m.extent = choose(cut, length * (sum * per_endless), m.extent);
  }
  add_moments(s, of, w, zero, one, two, all(1.0), &m);
  return m;
}

ELI_INLINE void add_core(const line_side *s, const line_course *of, const line_law *law, const line_window *w, V length, line_moments *to) {
  const M cut = (w->c2 > 0.0) & (w->begins | w->ends);
  V unused;
  const line_cut c = cut_window(w, all(1.0), &unused);
  V integral = choose(cut, c.integral, (0.5 * ELI_PI) * w->c2), before = integral, low = c.low_root, high = c.high_root;
  for (int n = 3; n <= 13; n += 2) {
    before = integral;
    low = low * c.low2;
    high = high * c.high2;
    integral = (where(cut, c.high * high - c.low * low) + n * w->c2 * before) * (1.0 / (n + 1));
  }
  const V a = 13.0 * law->core * of->secant * length;
  add_moments(s, of, w, a * before, where(cut, a * (low - high) * (1.0 / 13.0)), a * (w->c2 * before - integral), law->shrunk, to);
  to->energy += a * integral * (1.0 / 13.0);
}

/* ---- Sums over points ---- */

/* Sums over the points of a at s, with t [m] along b. */
typedef struct line_sums {
  V sum, sum_s, sum_s2, first, first_s, second; /* of w, s w, s^2 w, t w, s t w, t^2 w: for forces */
  V radial, radial_s, radial_middle;            /* of w R, s w R, w R (t/l - 1/2): for radii */
  V energy, thinning;
  V normal_t;                         /* of t w with the damper, for the normal; t is that of the foot if b continues */
  V force, elastic, force_s, force_t; /* [N]; elastic is set only if there is a damper */
  V extent, deepest;                  /* [m]; [m^2] the largest Q */
} line_sums;

/* Relative motion: the velocity of the first end of a relative to that of b, and the changes of velocity along a and b. */
typedef struct line_motion {
  V3 first, along_a, along_b;
} line_motion;

/* Values common to all points of a side. */
typedef struct line_view {
  const line_side *side;
  line_course course, core;
  V distance2, distance2_on, distance2_square; /* [m^2] from a point to its foot: coefficients of a polynomial in s */
  V strength;                                  /* of the layer: modulus times secant */
  M free;                                      /* b has a free end */
  int has_core;                                /* 1: core is set */
} line_view;

ELI_INLINE void set_view(line_view *view, const line_side *side, const line_law *law, M free) {
  view->side = side;
  view->course = course_of(side, all(1.0), side->slope, side->cosine, side->secant);
  view->has_core = 0;
  view->distance2 = inner(side->across, side->across);
  view->distance2_on = 2.0 * inner(side->across, side->across_on);
  view->distance2_square = inner(side->across_on, side->across_on);
  view->strength = law->modulus * side->secant;
  view->free = free;
}

/* Adds the moments of a point at s to the sums for forces. */
ELI_INLINE void add_forces(V s, const line_moments *m, line_sums *to) {
  const V sum_s = s * m->sum;
  to->sum += m->sum;
  to->sum_s += sum_s;
  to->sum_s2 += s * sum_s;
  to->first += m->first;
  to->first_s += s * m->first;
  to->second += m->second;
  to->radial += m->radial;
  to->radial_s += s * m->radial;
  to->radial_middle += m->radial_middle;
}

/* A damper between the point s of a and the centre of pressure t on b: the pressure k eps becomes k eps + c (approach speed), or 0 if that
 * is negative. Returns the increase of the sum of w. */
ELI_INLINE V damp(const eli_lines *of, const line_side *side, const line_motion *motion, V s, V t, const line_moments *m) {
  const V3 apart = minus(plus(side->from, s, side->u), t, side->edge);
  const V distance2 = inner(apart, apart), inverse2 = where(distance2 > 0.0, 1.0 / distance2);
  const V3 relative = minus(plus(motion->first, side->origin + s, motion->along_a), (t - side->begin) * side->per_length, motion->along_b);
  const V damped = m->sum - of->law.damping * m->extent * inverse2 * inner(relative, apart);
  return where(m->sum > 0.0, where(damped > 0.0, damped) - m->sum);
}

/* Adds the point s of a, representing a length [m] (0: no point). Returns a mask of the pairs with an end of b within reach, or with the
 * core in contact; for all other pairs the quadrature is exact. */
ELI_INLINE M add_point(const eli_lines *of, line_view *view, const line_law *law, const line_motion *motion, V s, V length, line_moments *m,
                       line_sums *to) {
  const line_side *side = view->side;
  const V square = view->distance2 + s * (view->distance2_on + s * view->distance2_square), distance2 = larger(square, all(0.0));
  const line_window w = window_at(&view->course, s, distance2);
  const V inside = law->shrunk * w.reach; /* reach of the core, or an upper bound */
  const M used = (w.c2 > 0.0) & (length > 0.0), cut = used & (w.begins | w.ends), deep = used & (inside * inside > distance2);
  *m = layer_of(side, &view->course, law, &w, cut, view->strength * length, length);
  if (any(deep)) {
    if (!view->has_core) view->core = core_of(side, law);
    view->has_core = 1;
    const line_window core = window_at(&view->core, s, distance2);
    add_core(side, &view->core, law, &core, length, m);
  }
  add_forces(s, m, to);
  to->energy += m->energy;
  to->thinning += m->thinning;
  to->extent += m->extent;
  const V foot = side->foot + s * side->foot_on;
  V force = m->sum, first = m->first, normal_t = foot * m->sum, tilt = all(0.0);
  if (of->law.damping > 0.0 || any(view->free)) {
    const V t = where(m->sum > 0.0, m->first / m->sum);
    tilt = where(view->free, foot - t);
    if (of->law.damping > 0.0) {
      const V more = damp(of, side, motion, s, t, m);
      to->elastic += m->sum * root(distance2 + tilt * tilt);
      to->sum += more;
      to->sum_s += s * more;
      to->sum_s2 += s * s * more;
      to->first += t * more;
      to->first_s += s * t * more;
      to->second += t * t * more;
      force += more;
      first += t * more;
      normal_t = foot * force;
    }
    normal_t = choose(view->free, first, normal_t);
  }
  const V distance = root(distance2 + tilt * tilt);
  force = force * distance;
  to->normal_t += normal_t;
  to->force += force;
  to->force_s += s * force;
  to->force_t += first * distance;
  const V deepest = choose(w.start > 0.0, w.start_square, choose(w.end < 0.0, w.end_square, w.c2));
  to->deepest = larger(where(used, deepest), to->deepest);
  return cut | deep;
}

/* Adds the force of a moving end of the part of a within reach. It moves with the point s at which the maximum of Q over b is 0. `by` is
 * the derivative of the sum by that s. */
ELI_INLINE void add_border(const line_side *side, V s, V by, line_sums *to) {
  if (!any(by != 0.0)) return;
  const V foot = side->foot + s * side->foot_on, reach_of_a = side->reach + s * side->gain;
  const V at_foot = reach_of_a + side->slope * (foot - side->middle), peak = foot + side->slope * at_foot * side->secant * side->secant;
  const V t = smaller(larger(peak, side->begin), side->begin + side->length), part = (t - side->middle) * side->per_length,
          reach = reach_of_a + side->slope * (t - side->middle);
  const V toward = inner(plus(side->from, s, side->u), side->u) - t * side->foot_on, rate = reach * side->gain - toward;
  const V w = where((by != 0.0) & (rate != 0.0), -by / rate);
  const line_moments m = {.sum = w, .first = w * t, .second = w * t * t, .radial = w * reach, .radial_middle = w * reach * part};
  add_forces(s, &m, to);
}

/* Derivatives of a cell's sum by the first and the last position of the part. */
typedef struct line_ends {
  V first, last;
} line_ends;

/* Adds a cell of a, between two positions. `measure` is mu of all of a. */
ELI_INLINE line_ends add_cell(const eli_lines *of, line_view *view, const line_law *law, const line_motion *motion, V from, V to, V measure,
                              line_sums *sums) {
  const line_side *side = view->side;
  const V width = where(from < to, to - from), length = measure * width, begin = from - side->origin;
  line_ends ends = {all(0.0), all(0.0)};
  line_moments m[LINE_POINTS];
  V s[LINE_POINTS];
  M inexact = (M){0};
  for (int k = 0; k < LINE_POINTS; k++) {
    s[k] = begin + width * gauss_place[k];
    inexact |= add_point(of, view, law, motion, s[k], length * gauss_weight[k], &m[k], sums);
  }
  if (!any(inexact)) return ends;
  const V along = inner(side->from, side->u), length2 = inner(side->u, side->u), per_width = where(inexact, 1.0 / width);
  for (int k = 0; k < LINE_POINTS; k++) {
    const V slope = where(inexact, m[k].radial * side->gain - m[k].sum * (along + s[k] * length2) + m[k].first * side->foot_on),
            energy = per_width * m[k].energy;
    ends.first += (1.0 - gauss_place[k]) * slope - energy;
    ends.last += gauss_place[k] * slope + energy;
  }
  return ends;
}

/* ---- Forces ---- */

/* Results of the points of one side: forces on the ends of a and b, and the other fields of eli_line_loads. */
typedef struct line_found {
  V3 on_a[2], on_b[2], normal;
  V swelling_a[2], swelling_b[2], mean_swelling;
  V share_a, share_b, pressure, elastic, extent, energy, deepest;
} line_found;

/* normal and normal_s are sum and sum_s without the terms of moving ends, which exert no pressure. */
ELI_INLINE line_found found_by(const line_side *s, const line_law *law, const line_sums *of, V normal, V normal_s) {
  const V cosine3 = s->cosine * s->cosine * s->cosine, slope3 = s->slope * s->slope * s->slope, middle = cosine3 * of->radial_middle;
  const V3 on_a = minus(plus(scale(of->sum, s->from), of->sum_s, s->u), of->first, s->edge),
           moment_a = minus(plus(scale(of->sum_s, s->from), of->sum_s2, s->u), of->first_s, s->edge),
           moment_b = minus(plus(scale(of->first, s->from), of->first_s, s->u), of->second, s->edge);
  const V tension = of->energy * s->per_length + slope3 * of->radial_middle; /* derivative of the energy by the length of b */
  const V3 at_a = plus(moment_a, s->origin, on_a), at_b = plus(scale(s->per_length, minus(moment_b, s->begin, on_a)), tension, s->edge);
  const V last = s->origin * of->radial + of->radial_s;
  return (line_found){.on_a = {sub(on_a, at_a), at_a},
                      .on_b = {sub(on_a, at_b), at_b},
                      .normal = minus(plus(scale(normal, s->from), normal_s, s->u), of->normal_t, s->edge),
                      .swelling_a = {of->radial - last, last},
                      .swelling_b = {0.5 * of->radial - middle, 0.5 * of->radial + middle},
                      .mean_swelling = -0.25 * law->per_reach * of->thinning,
                      .share_a = s->origin * of->force + of->force_s,
                      .share_b = (of->force_t - s->begin * of->force) * s->per_length,
                      .pressure = of->force,
                      .elastic = of->elastic,
                      .extent = of->extent,
                      .energy = of->energy,
                      .deepest = of->deepest};
}

/* Returns the number of cells of a. */
ELI_INLINE V cells_of(const eli_lines *of, int a, int l) {
  const V need = at(of->side[a].measure, l) / (ELI_LONGEST_CELL * (at(of->side[0].rest_radius, l) + at(of->side[1].rest_radius, l)));
  return floor_of(smaller(need, all(ELI_MOST_CELLS)) * (1.0 - 1e-9)) + 1.0;
}

static line_found find_side(const eli_lines *of, const line_law *law, line_side *side, int a, int l) {
  const int b = 1 - a;
  const V3 start = row3(of->side[a].velocity[0][0], l), other = row3(of->side[b].velocity[0][0], l);
  const line_motion motion = {sub(start, other), sub(row3(of->side[a].velocity[1][0], l), start),
                              sub(row3(of->side[b].velocity[1][0], l), other)};
  const M free = (at(of->side[b].cap[0], l) > 0.0) | (at(of->side[b].cap[1], l) > 0.0), has_line = side->length > 0.0;
  const V measure = where(has_line, 0.5 * at(of->side[a].measure, l)), zero = all(0.0);
  const V low = at(of->low[a], l), high = where(measure > 0.0, at(of->high[a], l)), cells = cells_of(of, a, l);
  move_origin(side, 0.5 * (low + at(of->high[a], l)));
  line_view view;
  set_view(&view, side, law, free);
  line_sums sums = {.deepest = zero};
  V cell = floor_of(low * cells), from = low;
  line_ends ends = {zero, zero};
  while (any(from < high)) {
    const V next = (cell + 1.0) / cells, to = smaller(next, high);
    const line_ends own = add_cell(of, &view, law, &motion, from, to, measure, &sums);
    ends.first = choose((from < to) & (from == low) & (low > 0.0), own.first, ends.first);
    ends.last = choose((from < to) & (to == high) & (high < 1.0), own.last, ends.last);
    cell += 1.0;
    from = choose(next < high, larger(next, from), high);
  }
  for (int end = 0; end < 2; end++) {
    const V cap = where(has_line, at(of->side[a].cap[end], l));
    line_moments m;
    if (any(cap > 0.0)) (void)add_point(of, &view, law, &motion, end - side->origin, cap, &m, &sums);
  }
  if (!(of->law.damping > 0.0)) sums.elastic = sums.force;
  const V normal = sums.sum, normal_s = sums.sum_s;
  add_border(side, low - side->origin, ends.first, &sums);
  add_border(side, high - side->origin, ends.last, &sums);
  return found_by(side, law, &sums, normal, normal_s);
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

/* ---- Contact of two ends ---- */

/* Returns the number of half balls at an end: 2 for a ball, otherwise 1. */
ELI_INLINE V halves_at(const eli_lines *of, int side, int l) {
  return choose(at(of->side[side].measure, l) > 0.0, all(1.0), all(2.0));
}

ELI_INLINE void add_row(double *row, int l, V a) {
  set(row, l, at(row, l) + a);
}

/* Half balls on free ends: U = (mu/2) f(|x - y|) with mu = mu_a mu_b (1/m_a + 1/m_b); m is the sum of mu at the same point. */
ELI_INLINE void add_tips(eli_lines *of, const line_law *law, int l, int i, int j) {
  const V cap_a = at(of->side[0].cap[i], l), cap_b = at(of->side[1].cap[j], l);
  const V3 apart = sub(row3(of->side[0].end[i][0], l), row3(of->side[1].end[j][0], l));
  const V reach = at(of->side[0].end_radius[i], l) + at(of->side[1].end_radius[j], l), distance2 = inner(apart, apart),
          q = reach * reach - distance2;
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
    const V3 relative = sub(row3(of->side[0].velocity[i][0], l), row3(of->side[1].velocity[j][0], l));
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

/* ---- The middle of the contact ---- */

static void find_middle(eli_lines *of, int l) {
  const V3 force = row3(of->normal[0], l);
  const V size = root(inner(force, force)), sum = at(of->pressure, l);
  const V3 normal = scale(where(size > 0.0, 1.0 / size), force);
  V3 axis[2];
  V radius[2];
  for (int side = 0; side < 2; side++) {
    const V3 first = row3(of->side[side].end[0][0], l);
    const V start = at(of->side[side].end_radius[0], l), share = choose(sum > 0.0, at(of->share[side], l) / sum, all(0.5));
    radius[side] = start + share * (at(of->side[side].end_radius[1], l) - start);
    axis[side] = plus(first, share, sub(row3(of->side[side].end[1][0], l), first));
    set(of->middle[side], l, share);
    set_row3(of->axis[side][0], l, axis[side]);
  }
  set_row3(of->direction[0], l, normal);
  set_row3(of->point[0], l, plus(axis[0], radius[0] / (radius[0] + radius[1]), sub(axis[1], axis[0])));
}

static void find_lines(eli_lines *of) {
  for (int l = 0; l < of->count; l += WIDTH) {
    const line_law law = law_of(of, l);
    line_side first = side_of(of, 0, l), second = side_of(of, 1, l);
    find_part(of, &second, 1, l);
    const line_found side[2] = {find_side(of, &law, &first, 0, l), find_side(of, &law, &second, 1, l)};
    add_sides(of, &law, l, side);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        if (any((at(of->side[0].cap[i], l) > 0.0) & (at(of->side[1].cap[j], l) > 0.0))) add_tips(of, &law, l, i, j);
    find_middle(of, l);
  }
}

/* ---- Records and rows ---- */

/* Transposes WIDTH vectors. */
ELI_INLINE void transpose(V a[WIDTH]) {
#if ELI_SIMD_WIDTH == 8
  V b[8], c[8];
  for (int k = 0; k < 8; k += 2) {
    b[k] = __builtin_shufflevector(a[k], a[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    b[k + 1] = __builtin_shufflevector(a[k], a[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int half = 0; half < 8; half += 4)
    for (int k = half; k < half + 2; k++) {
      c[k] = __builtin_shufflevector(b[k], b[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      c[k + 2] = __builtin_shufflevector(b[k], b[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int k = 0; k < 4; k++) {
    a[k] = __builtin_shufflevector(c[k], c[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    a[k + 4] = __builtin_shufflevector(c[k], c[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
#elif ELI_SIMD_WIDTH == 4
  V b[4];
  for (int k = 0; k < 4; k += 2) {
    b[k] = __builtin_shufflevector(a[k], a[k + 1], 0, 4, 2, 6);
    b[k + 1] = __builtin_shufflevector(a[k], a[k + 1], 1, 5, 3, 7);
  }
  for (int k = 0; k < 2; k++) {
    a[k] = __builtin_shufflevector(b[k], b[k + 2], 0, 1, 4, 5);
    a[k + 2] = __builtin_shufflevector(b[k], b[k + 2], 2, 3, 6, 7);
  }
#else
  const V first = a[0];
  a[0] = __builtin_shufflevector(first, a[1], 0, 2);
  a[1] = __builtin_shufflevector(first, a[1], 1, 3);
#endif
}

static void gather_rows(double *rows, const void *const record[ELI_LINES], int first, int blocks) {
  for (int l = 0; l < ELI_LINES; l += WIDTH)
    for (int row = 8 * first; row < 8 * (first + blocks); row += WIDTH) {
      V a[WIDTH];
      for (int k = 0; k < WIDTH; k++) a[k] = *(const V *)((const double *)record[l + k] + row);
      transpose(a);
      for (int k = 0; k < WIDTH; k++) set(rows + (row + k) * ELI_LINES, l, a[k]);
    }
}

static void scatter_rows(const double *rows, void *const record[ELI_LINES], int blocks) {
  for (int l = 0; l < ELI_LINES; l += WIDTH)
    for (int row = 0; row < 8 * blocks; row += WIDTH) {
      V a[WIDTH];
      for (int k = 0; k < WIDTH; k++) a[k] = at(rows + (row + k) * ELI_LINES, l);
      transpose(a);
      for (int k = 0; k < WIDTH; k++) *(V *)((double *)record[l + k] + row) = a[k];
    }
}

/* ---- Elements of a rod as capsules ---- */

/* Reads three lanes of a rod. */
ELI_INLINE V3 lane3(const double *const lane[3], int j) {
  return (V3){at(lane[0], j), at(lane[1], j), at(lane[2], j)};
}

static void place_elements(const elastica_rod_view *rod, const double *radius, int first, eli_moving_capsule *const to[ELI_LINES]) {
  eli_capsule_rows rows;
  for (int l = 0; l < ELI_LINES; l += WIDTH) {
    const int j = first + l;
    const V own = at(radius, j), rest_length = at(rod->rest_length, j);
    const V before = 0.5 * (own + at(radius, j - 1)), after = 0.5 * (own + at(radius, j + 1));
    V3 spin = {all(0.0), all(0.0), all(0.0)};
    for (int k = 0; k < 3; k++) {
      const V3 director = lane3(rod->director[k], j);
      const V omega = at(rod->omega[k], j);
      spin = k ? plus(spin, omega, director) : scale(omega, director);
      set_row3(rows.director[3 * k], l, director);
    }
    for (int end = 0; end < 2; end++) {
      set_row3(rows.end[end][0], l, lane3(rod->position, j + end));
      set_row3(rows.velocity[end][0], l, lane3(rod->velocity, j + end));
      set(rows.end_radius[end], l, end ? after : before);
      set(rows.cap[end], l, all(0.0));
    }
    set(rows.measure, l, rest_length);
    set(rows.rest_radius, l, root(at(rod->volume, j) / (ELI_PI * rest_length)));
    set(rows.radius, l, choose(before > after, before, after));
    set_row3(rows.spin[0], l, spin);
    set(rows.mark, l, all(0.0));
  }
  scatter_rows(rows.end[0][0], (void *const *)to, (int)(sizeof(eli_moving_capsule) / sizeof(eli_row)));
}

static void measure(const double *volume, const double *length, int count, double *radius) {
  int j = 0;
  for (; j + WIDTH <= count; j += WIDTH) set(radius, j, root(at(volume, j) / (ELI_PI * at(length, j))));
  for (; j < count; j++) radius[j] = eli_radius(volume[j], length[j]);
}
