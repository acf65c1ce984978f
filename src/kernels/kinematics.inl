/* ---- Kinematics: half a drift of nodes and frames, and what follows from positions ----
 *
 * equations  (C1), (C5): r <- r + h v                  (3.6) in time
 *            (C2), (C6): Q <- EXP(h omega) Q           (3.7) in time; Rodrigues' formula
 *            (C5) and (C6) take the new v and omega: the printed v(t + dt/2), omega(t + dt/2) are misprints
 *            (3.3) l = |r_{j+1} - r_j|, e = l/lhat, t = (r_{j+1} - r_j)/l
 */

/* sin(x)/x and (1 - cos x)/x^2 for u = x^2 in [0, 0.25], as base/rotation.h has them. */
ELI_INLINE V sine_ratio(V u) {
  const V u2 = u * u, low = madd(all(-0x1.55555555554cap-3), u, all(1.0)),
          middle = madd(all(-0x1.a01a011231b05p-13), u, all(0x1.11111110f2392p-7));
  return madd(madd(madd(all(-0x1.ac5c9bbce426dp-26), u, all(0x1.71dd1d5cec61bp-19)), u2, middle), u2, low);
}

ELI_INLINE V cosine_ratio(V u) {
  const V u2 = u * u, low = madd(all(-0x1.55555555554efp-5), u, all(0.5)),
          middle = madd(all(-0x1.a01a0128b9f9cp-16), u, all(0x1.6c16c16bf6462p-10));
  return madd(madd(madd(all(-0x1.1da5c735bdf42p-29), u, all(0x1.27e42fdf43ff8p-22)), u2, middle), u2, low);
}

/* EXP(p) = 1 - a [p]x + b [p]x^2 with a = sin(x)/x, b = (1 - cos x)/x^2, u = x^2 = |p|^2 */
ELI_INLINE Frame rotation(V3 p, V u) {
  const V3 a = scale(sine_ratio(u), p), b = scale(cosine_ratio(u), p);
  const V one = all(1.0);
  return (Frame){{nmadd(b.z, p.z, nmadd(b.y, p.y, one)), madd(b.x, p.y, a.z), msub(b.x, p.z, a.y)},
                 {msub(b.x, p.y, a.z), nmadd(b.z, p.z, nmadd(b.x, p.x, one)), madd(b.y, p.z, a.x)},
                 {madd(b.x, p.z, a.y), msub(b.y, p.z, a.x), nmadd(b.y, p.y, nmadd(b.x, p.x, one))}};
}

/* h is half a step. twice 1: applied twice, one after the other. */
ELI_INLINE unsigned drift_slots(lanes rod, ptrdiff_t count, double h, const int twice, double watched_spin2) {
  const V half = all(h);
  V fastest = all(0.0), widest = all(0.0),
    not_finite = all(0.0); /* the largest |v|^2 and |h omega|^2; not a number where one is not finite */
  for (ptrdiff_t i = 0; i < count; i += WIDTH) {
    const V3 v = get3(rod, ELI_VELOCITY, i), p = scale(half, get3(rod, ELI_OMEGA, i));
    const V speed2 = dot(v, v), turn2 = dot(p, p);
    fastest = larger(speed2, fastest);
    widest = larger(turn2, widest);
    not_finite = madd(speed2, turn2, not_finite);
    V3 r = axpy(half, v, get3(rod, ELI_POSITION, i));
    const Frame R = rotation(p, turn2);
    Frame Q = turned(R, get_frame(rod, ELI_DIRECTOR, i));
    if (twice) {
      r = axpy(half, v, r);
      Q = turned(R, Q);
    }
    put3(rod, ELI_POSITION, i, r);
    put_frame(rod, ELI_DIRECTOR, i, Q);
  }
  const double speed2 = largest(fastest), turn2 = largest(widest);
  return (speed2 <= DBL_MAX && !any(not_finite != not_finite) ? 0u : ELI_TRIP_SPEED) |
         (turn2 <= 0.25 ? 0u : ELI_TRIP_SPIN) | /* half a step turns by at most 0.5 rad: the range of the two series */
         (turn2 <= watched_spin2 * (h * h) ? 0u : ELI_TRIP_WATCH);
}

static unsigned drift(const eli_sweep *sweep, double h, int twice, double watched_spin2) {
  const lanes rod = {sweep->lane, sweep->stride};
  return twice ? drift_slots(rod, sweep->count, h, 1, watched_spin2) : drift_slots(rod, sweep->count, h, 0, watched_spin2);
}

/* Where a slot has an element: the last slot of a rod has none, and its inverse rest length is negative. */
ELI_INLINE M is_element(lanes rod, ptrdiff_t j) {
  return (M)(get(rod, ELI_INVERSE_REST_LENGTH, j) > all(0.0));
}

/* The edge of an element, from its first node to its second; 0 where there is none, instead of the gap to the next rod. */
ELI_INLINE V3 edge_of(lanes rod, ptrdiff_t j) {
  return where3(is_element(rod, j), sub(near3(rod, ELI_POSITION, j, 1), get3(rod, ELI_POSITION, j)));
}

/* Where there is no element, the length is 1. */
ELI_INLINE V length_of(lanes rod, ptrdiff_t j, V3 edge) {
  return root(choose(is_element(rod, j), dot(edge, edge), all(1.0)));
}

/* (3.3) */
static void geometry(const eli_sweep *sweep) {
  const lanes rod = {sweep->lane, sweep->stride};
  for (ptrdiff_t j = 0; j < sweep->count; j += WIDTH) {
    const V3 edge = edge_of(rod, j);
    const V l = length_of(rod, j, edge);
    put(rod, ELI_LENGTH, j, l);
    put(rod, ELI_DILATATION, j, l * get(rod, ELI_INVERSE_REST_LENGTH, j));
    put3(rod, ELI_TANGENT, j, scale(all(1.0) / l, edge));
  }
}

/* Lengths alone. */
static void lengths(const eli_sweep *sweep) {
  const lanes rod = {sweep->lane, sweep->stride};
  for (ptrdiff_t j = 0; j < sweep->count; j += WIDTH) put(rod, ELI_LENGTH, j, length_of(rod, j, edge_of(rod, j)));
}
