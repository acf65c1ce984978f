/* ---- Lines of contact (contact/line.h): of several pairs, side by side ----
 *
 * method     along a, the squared distance from b is a quadratic function of the place, one for each region of b: its first end, its line, its
 *            last end. So the intervals in contact are known exactly, and Gauss points in each of them see a smooth function.
 * rounding   no fused operations, which instruction sets without them are slow at. What both sides give is added at the end: exchanging a and
 *            b exchanges what is found, to the last bit
 */

enum { LINE_PARTS = 3, LINE_POINTS = 4 };

/* Gauss and Legendre, on 0..1. */
static const double gauss_place[LINE_POINTS] = {0.069431844202973714, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
static const double gauss_weight[LINE_POINTS] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};

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

/* One side: points of a against the whole of b. */
typedef struct line_side {
  V3 u, v, from;  /* edges of a and b, and from b's first end to a's */
  V foot, slope;  /* of the line of b: at foot + s slope along it, for the point s of a */
  V reach, gain;  /* r_a + r_b for the first ends of both, what r_a gains along a, */
  V taper, steep; /* and r_b along b; and that over its length squared */
} line_side;

ELI_INLINE line_side side_of(const eli_lines *of, int a, int l) {
  const int b = 1 - a;
  const V radius_a = at(of->end_radius[a][0], l), radius_b = at(of->end_radius[b][0], l);
  const V3 first = row3(of->end[b][0][0], l), start = row3(of->end[a][0][0], l);
  line_side s = {.u = sub(row3(of->end[a][1][0], l), start), .v = sub(row3(of->end[b][1][0], l), first), .from = sub(start, first)};
  const V square = inner(s.v, s.v), per_square = where(square > 0.0, 1.0 / square);
  s.foot = inner(s.from, s.v) * per_square;
  s.slope = inner(s.u, s.v) * per_square + 0.0; /* no -0 */
  s.reach = radius_a + radius_b;
  s.gain = at(of->end_radius[a][1], l) - radius_a;
  s.taper = at(of->end_radius[b][1], l) - radius_b;
  s.steep = s.taper * per_square;
  return s;
}

/* ---- Where they may touch ---- */

/* Where along a neither neighbour of b is nearer than b, and whether that holds at its ends. */
typedef struct line_cut {
  V low, high;
  M here[2];
} line_cut;

/* What lies on a border itself belongs to the element before it: both see the same numbers there. */
ELI_INLINE line_cut cut_at_borders(const eli_lines *of, int a, int l) {
  const int b = 1 - a;
  line_cut cut = {all(0.0), all(1.0), {~(M){0}, ~(M){0}}};
  M none = (M){0};
  for (int k = 0; k < 2; k++) {
    const V3 end = row3(of->end[b][k][0], l), border = row3(of->border[b][k][0], l);
    const V first = inner(sub(row3(of->end[a][0][0], l), end), border), last = inner(sub(row3(of->end[a][1][0], l), end), border);
    const M joined = at(of->joined[b][k], l) > 0.0, first_beyond = joined & (k ? first > 0.0 : first >= 0.0),
            last_beyond = joined & (k ? last > 0.0 : last >= 0.0);
    const V place = first / (first - last);
    cut.low = choose(first_beyond & (place > cut.low), place, cut.low);
    cut.high = choose(last_beyond & (place < cut.high), place, cut.high);
    cut.here[0] &= ~first_beyond;
    cut.here[1] &= ~last_beyond;
    none |= first_beyond & last_beyond;
  }
  cut.high = choose(none, cut.low, cut.high);
  return cut;
}

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

/* One part: of those whose nearest point of b is at t + s slope along it. */
ELI_INLINE M find_part(const line_side *s, V t, V slope, V low, V high, V *from, V *to) {
  const V3 apart = minus(s->from, t, s->v), along = minus(s->u, slope, s->v);
  M there = low < high;
  *from = *to = all(0.0);
  if (!any(there)) return there;
  there &= clip_to_reach(apart, along, s->reach + t * s->taper, s->gain + slope * s->taper, &low, &high);
  *from = where(there, low);
  *to = where(there, high);
  return there;
}

/* Cut where the foot leaves the line of b. A slope of 0 makes the places there infinite, or no numbers where it is at an end of b. */
ELI_INLINE M find_parts_of(eli_lines *of, int a, int l, const line_cut *cut) {
  const line_side s = side_of(of, a, l);
  const V zero = all(0.0), one = all(1.0);
  const M forward = s.slope >= 0.0;
  const V per_slope = 1.0 / s.slope, at_first = -s.foot * per_slope, at_last = (1.0 - s.foot) * per_slope;
  const V enter = choose(forward, at_first, at_last), leave = choose(forward, at_last, at_first);
  const V in = choose(enter > cut->low, smaller(enter, cut->high), cut->low);
  const V out = choose(leave < cut->high, larger(leave, cut->low), cut->high);
  V low[LINE_PARTS], high[LINE_PARTS];
  M there = find_part(&s, choose(forward, zero, one), zero, cut->low, in, &low[0], &high[0]);
  there |= find_part(&s, s.foot, s.slope, in, out, &low[1], &high[1]);
  there |= find_part(&s, choose(forward, one, zero), zero, out, cut->high, &low[2], &high[2]);
  for (int p = 0; p < LINE_PARTS; p++) {
    set(of->low[a][p], l, low[p]);
    set(of->high[a][p], l, high[p]);
  }
  return there;
}

ELI_INLINE M has_measure(const eli_lines *of, int side, int l) {
  return (at(of->measure[side], l) > 0.0) | (at(of->cap[side][0], l) > 0.0) | (at(of->cap[side][1], l) > 0.0);
}

static void find_parts(eli_lines *of) {
  for (int l = 0; l < of->count; l += WIDTH) {
    M near = (M){0};
    for (int a = 0; a < 2; a++) {
      line_cut cut = cut_at_borders(of, a, l);
      cut.high = choose(at(of->measure[a], l) > 0.0, cut.high, cut.low);
      near |= find_parts_of(of, a, l, &cut);
      for (int end = 0; end < 2; end++) {
        const V tip = where(cut.here[end], at(of->cap[a][end], l));
        set(of->tip[a][end], l, tip);
        near |= tip > 0.0;
      }
    }
    set(of->near, l, where(near, all(1.0)));
    set(of->weight, l, choose(has_measure(of, 0, l) & has_measure(of, 1, l), all(0.5), all(1.0)));
  }
}

static void find_span(eli_lines *of, int side) {
  for (int l = 0; l < of->count; l += WIDTH) {
    const line_cut cut = cut_at_borders(of, side, l);
    set(of->span, l, where(cut.low < cut.high, cut.high - cut.low));
  }
}

/* ---- What acts there ---- */

/* Sums over the points of a, at s along it, against those at t along b. Forces are added as vectors: what is left of moments of their sizes
 * over distances, which are small, has lost digits. */
typedef struct line_sums {
  V3 pull, at_a, at_b;       /* [N] on a; its parts on the last ends of a and b */
  V press, press_s, press_t; /* [N] of the layer alone */
  V force, force_s, force_t; /* [N] */
  V length, energy, depth;
} line_sums;

/* Their motion: velocities of the first ends against each other, and what they gain along a and b. */
typedef struct line_motion {
  V3 first, along_a, along_b;
} line_motion;

/* A point of a, at the place s, which stands for the length mu. */
ELI_INLINE void add_point(const eli_lines *of, const line_side *side, const line_motion *motion, V s, V mu, V weight, line_sums *to) {
  const V foot = side->foot + s * side->slope, t = smaller(where(foot > 0.0, foot), all(1.0));
  const V3 apart = minus(plus(side->from, s, side->u), t, side->v);
  const V distance = root(inner(apart, apart)), eps = side->reach + s * side->gain + t * side->taper - distance;
  const M touch = (eps > 0.0) & (distance > 0.0) & (mu > 0.0);
  const V inverse = where(touch, 1.0 / distance), length = where(touch, weight * mu);
  const V approach = -inverse * inner(minus(plus(motion->first, s, motion->along_a), t, motion->along_b), apart);
  const V spring = where(touch, of->law.modulus * eps), damped = spring + of->law.damping * approach;
  const V force = where(damped > 0.0, damped) * length, press = spring * length, push = force * inverse;
  const V turn = where((foot > 0.0) & (foot < 1.0), force * side->steep); /* where the foot moves along b, the radius there changes */
  const V3 pull = minus(scale(push, apart), turn, side->v);
  to->pull = add(to->pull, pull);
  to->at_a = plus(to->at_a, s, pull);
  to->at_b = plus(plus(to->at_b, t, pull), turn, apart);
  to->press += press, to->press_s += s * press, to->press_t += t * press;
  to->force += force, to->force_s += s * force, to->force_t += t * force;
  to->length += length;
  to->energy += press * eps;
  to->depth = choose(touch & (eps > to->depth), eps, to->depth);
}

/* What points of one side give: forces on a and b, the sum on a, and the rest of eli_line_loads. */
typedef struct line_found {
  V3 on_a[2], on_b[2], force;
  V swelling_a[2], swelling_b[2];
  V share_a, share_b, pressure, elastic, extent, energy, depth;
} line_found;

ELI_INLINE line_found found_by(const line_sums *of) {
  return (line_found){.on_a = {sub(of->pull, of->at_a), of->at_a},
                      .on_b = {sub(of->pull, of->at_b), of->at_b},
                      .force = of->pull,
                      .swelling_a = {of->press - of->press_s, of->press_s},
                      .swelling_b = {of->press - of->press_t, of->press_t},
                      .share_a = of->force_s,
                      .share_b = of->force_t,
                      .pressure = of->force,
                      .elastic = of->press,
                      .extent = of->length,
                      .energy = 0.5 * of->energy,
                      .depth = of->depth};
}

static line_found find_side(const eli_lines *of, int a, int l) {
  const int b = 1 - a;
  const line_side side = side_of(of, a, l);
  const V3 start = row3(of->velocity[a][0][0], l), other = row3(of->velocity[b][0][0], l);
  const line_motion motion = {sub(start, other), sub(row3(of->velocity[a][1][0], l), start), sub(row3(of->velocity[b][1][0], l), other)};
  const V weight = at(of->weight, l), measure = at(of->measure[a], l);
  line_sums sums = {.depth = all(0.0)};
  for (int p = 0; p < LINE_PARTS; p++) {
    const V low = at(of->low[a][p], l), width = at(of->high[a][p], l) - low, mu = measure * width;
    for (int k = 0; k < LINE_POINTS && any(width > 0.0); k++)
      add_point(of, &side, &motion, low + width * gauss_place[k], mu * gauss_weight[k], weight, &sums);
  }
  for (int end = 0; end < 2; end++) {
    const V mu = at(of->tip[a][end], l);
    if (any(mu > 0.0)) add_point(of, &side, &motion, all(end), mu, weight, &sums);
  }
  return found_by(&sums);
}

static void add_sides(eli_lines *of, int l, const line_found side[2]) {
  for (int a = 0; a < 2; a++) {
    const line_found *own = &side[a], *other = &side[1 - a];
    for (int end = 0; end < 2; end++) {
      set_row3(of->force[a][end][0], l, sub(own->on_a[end], other->on_b[end]));
      set(of->swelling[a][end], l, own->swelling_a[end] + other->swelling_b[end]);
    }
    set(of->share[a], l, own->share_a + other->share_b);
  }
  set_row3(of->normal[0], l, sub(side[0].force, side[1].force));
  set(of->pressure, l, side[0].pressure + side[1].pressure);
  set(of->elastic, l, side[0].elastic + side[1].elastic);
  set(of->extent, l, side[0].extent + side[1].extent);
  set(of->energy, l, side[0].energy + side[1].energy);
  set(of->depth, l, larger(side[0].depth, side[1].depth));
}

/* ---- Its middle ---- */

/* Of the point between the surfaces, as one side moves it. */
ELI_INLINE V3 velocity_at(const eli_lines *of, int side, int l, V share, V3 lever) {
  const V3 first = row3(of->velocity[side][0][0], l), spin = row3(of->spin[side][0], l);
  const V3 here = plus(first, share, sub(row3(of->velocity[side][1][0], l), first));
  return add(here, cross_exact(spin, lever));
}

static void find_middle(eli_lines *of, int l) {
  const V3 force = row3(of->normal[0], l);
  const V size = root(inner(force, force)), sum = at(of->pressure, l);
  const V3 normal = scale(where(size > 0.0, 1.0 / size), force);
  V3 axis[2], v[2];
  V radius[2], share[2], spin = all(0.0);
  for (int side = 0; side < 2; side++) {
    const V3 first = row3(of->end[side][0][0], l);
    const V start = at(of->end_radius[side][0], l);
    share[side] = choose(sum > 0.0, at(of->share[side], l) / sum, all(0.5));
    radius[side] = start + share[side] * (at(of->end_radius[side][1], l) - start);
    axis[side] = plus(first, share[side], sub(row3(of->end[side][1][0], l), first));
    set(of->middle[side], l, share[side]);
    set_row3(of->axis[side][0], l, axis[side]);
  }
  const V3 point = plus(axis[0], radius[0] / (radius[0] + radius[1]), sub(axis[1], axis[0]));
  for (int side = 0; side < 2; side++) {
    v[side] = velocity_at(of, side, l, share[side], sub(point, axis[side]));
    spin += 0.5 * inner(row3(of->spin[side][0], l), normal);
  }
  const V3 slip = sub(v[0], v[1]);
  set_row3(of->direction[0], l, normal);
  set_row3(of->point[0], l, point);
  set_row3(of->slip[0], l, minus(slip, inner(slip, normal), normal));
  set(of->turning, l, spin);
}

static void find_lines(eli_lines *of) {
  for (int l = 0; l < of->count; l += WIDTH) {
    const line_found side[2] = {find_side(of, 0, l), find_side(of, 1, l)};
    add_sides(of, l, side);
    find_middle(of, l);
  }
}

static const eli_lines_work lines_work = {find_parts, find_lines, find_span};
