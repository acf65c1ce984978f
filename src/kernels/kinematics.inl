/* ---- Kinematics: half a drift of nodes and frames, and what follows from positions ----
 *
 * equations  (C1), (C5): r <- r + h v                  (3.6) in time
 *            (C2), (C6): Q <- EXP(h omega) Q           (3.7) in time; Rodrigues' formula
 *            (C5) and (C6) take the new v and omega: the printed v(t + dt/2), omega(t + dt/2) are misprints
 *            (3.3) l = |r_{j+1} - r_j|, e = l/lhat, t = (r_{j+1} - r_j)/l
 */

/* A polynomial of degree 5, and with it sin(x)/x and (1 - cos x)/x^2 for u = x^2 in [0, 0.25]. */
ELI_INLINE V sum_of_six(const double c[6], V u) {
  const V u2 = u * u, low = madd(all(c[1]), u, all(c[0])), middle = madd(all(c[3]), u, all(c[2]));
  return madd(madd(madd(all(c[5]), u, all(c[4])), u2, middle), u2, low);
}

ELI_INLINE V sine_ratio(V u) {
  return sum_of_six(eli_sin_coefficients, u);
}

ELI_INLINE V cosine_ratio(V u) {
  return sum_of_six(eli_cosine_coefficients, u);
}

/* Rodrigues' formula: EXP(p) = 1 - a [p]x + b [p]x^2 with a = sin(x)/x, b = (1 - cos x)/x^2, u = x^2 = |p|^2 */
ELI_INLINE Frame rotation(V3 p, V u) {
  const V3 a = scale(sine_ratio(u), p), b = scale(cosine_ratio(u), p);
  const V one = all(1.0);
  return (Frame){{nmadd(b.z, p.z, nmadd(b.y, p.y, one)), madd(b.x, p.y, a.z), msub(b.x, p.z, a.y)},
                 {msub(b.x, p.y, a.z), nmadd(b.z, p.z, nmadd(b.x, p.x, one)), madd(b.y, p.z, a.x)},
                 {madd(b.x, p.z, a.y), msub(b.y, p.z, a.x), nmadd(b.y, p.y, nmadd(b.x, p.x, one))}};
}

/* A vector turned by R once or twice. */
ELI_INLINE V3 turned(Frame R, V3 a, const int twice) {
  const V3 once = to_material(R, a);
  if (!twice) return once;
  return to_material(R, once);
}

/* Results of a drift: `turns` marks elements with |h omega|^2 beyond a bound, `moves` marks nodes with infinite |v|^2; both include NaN. */
typedef struct Fast {
  M turns, moves;
} Fast;

/* (C1): r <- r + h v, with h half a step. With twice 1 it is carried out two times, one after the other. */
ELI_INLINE M translate(lanes rod, ptrdiff_t i, V h, const int twice) {
  const V3 v = get3(rod, ELI_VELOCITY, i);
  V3 r = axpy(h, v, get3(rod, ELI_POSITION, i));
  if (twice) r = axpy(h, v, r);
  put3(rod, ELI_POSITION, i, r);
  return ~(M)(dot(v, v) <= all(DBL_MAX));
}

/* (C2): Q <- EXP(h omega) Q. Each column of Q is a laboratory axis in material components, and is rotated like a vector. Frames are not
 * made orthonormal again: their error is that of rounding, 2e-12 after 1e7 steps. */
ELI_INLINE void rotate(lanes rod, ptrdiff_t j, const Frame *R, const int twice) {
  for (int axis = ELI_DIRECTOR; axis < ELI_DIRECTOR + 3; axis++) {
    const V3 column = turned(*R, (V3){get(rod, axis, j), get(rod, axis + 3, j), get(rod, axis + 6, j)}, twice);
    put(rod, axis, j, column.x);
    put(rod, axis + 3, j, column.y);
    put(rod, axis + 6, j, column.z);
  }
}

/* Rotations are computed a few blocks ahead of their use, because the chain of operations for one rotation is as long as the reorder window
 * of a processor. */
enum { AHEAD = 64 / WIDTH };

ELI_INLINE Fast drift_slots(const eli_sweep *sweep, const int small, V h, const int twice, V bound) {
  const lanes rod = lanes_of(sweep, small);
  const ptrdiff_t count = sweep->count;
  Fast fast = {(M)all(0.0), (M)all(0.0)};
  Frame R[AHEAD];
  for (ptrdiff_t begin = 0; begin < count; begin += AHEAD * WIDTH) {
    const ptrdiff_t end = begin + AHEAD * WIDTH < count ? begin + AHEAD * WIDTH : count;
    for (ptrdiff_t i = begin; i < end; i += WIDTH) {
      const V3 p = scale(h, get3(rod, ELI_OMEGA, i));
      const V turn2 = dot(p, p);
      fast.turns |= ~(M)(turn2 <= bound);
      fast.moves |= translate(rod, i, h, twice);
      R[(i - begin) / WIDTH] = rotation(p, turn2);
    }
    for (ptrdiff_t i = begin; i < end; i += WIDTH) rotate(rod, i, &R[(i - begin) / WIDTH], twice);
  }
  return fast;
}

/* Returns the largest |h omega|^2, or infinity if one is NaN. */
static double largest_turn2(lanes rod, ptrdiff_t count, V h) {
  V most = all(0.0);
  for (ptrdiff_t j = 0; j < count; j += WIDTH) {
    const V3 p = scale(h, get3(rod, ELI_OMEGA, j));
    const V turn2 = dot(p, p);
    most = larger(choose((M)(turn2 == turn2), turn2, all(INFINITY)), most);
  }
  return largest(most);
}

static unsigned drift(const eli_sweep *sweep, double h, int twice, double watched_spin2) {
  const double most = 0.25, watched = watched_spin2 * (h * h); /* half a step rotates a frame by at most 0.5 rad: the range of the two
                                                                * series */
  const V bound = all(watched < most ? watched : most);
  Fast fast;
  if (sweep->stride == ELI_SMALL_STRIDE)
    fast = twice ? drift_slots(sweep, 1, all(h), 1, bound) : drift_slots(sweep, 1, all(h), 0, bound);
  else
    fast = twice ? drift_slots(sweep, 0, all(h), 1, bound) : drift_slots(sweep, 0, all(h), 0, bound);
  const unsigned trips = any(fast.moves) ? ELI_TRIP_SPEED : 0u;
  if (!any(fast.turns)) return trips;
  const double turn2 = largest_turn2(lanes_of(sweep, 0), sweep->count, all(h));
  return trips | (turn2 <= most ? 0u : ELI_TRIP_SPIN) | (turn2 <= watched ? 0u : ELI_TRIP_WATCH);
}

/* Marks the slots that have an element. The last slot of a rod has none, and its inverse rest length is negative. */
ELI_INLINE M is_element(lanes rod, ptrdiff_t j) {
  return (M)(get(rod, ELI_INVERSE_REST_LENGTH, j) > all(0.0));
}

/* The edge of an element, from its first node to its second. In a slot without an element it is 0 instead of the gap to the next rod. */
ELI_INLINE V3 edge_of(lanes rod, ptrdiff_t j) {
  return where3(is_element(rod, j), sub(near3(rod, ELI_POSITION, j, 1), get3(rod, ELI_POSITION, j)));
}

/* The length of an element; 1 in a slot without an element. */
ELI_INLINE V length_of(lanes rod, ptrdiff_t j, V3 edge) {
  return root(choose(is_element(rod, j), dot(edge, edge), all(1.0)));
}

/* Computes (3.3). */
ELI_INLINE void geometry_of_slots(const eli_sweep *sweep, const int small) {
  const lanes rod = lanes_of(sweep, small);
  for (ptrdiff_t j = 0; j < sweep->count; j += WIDTH) {
    const V3 edge = edge_of(rod, j);
    const V l = length_of(rod, j, edge);
    put(rod, ELI_LENGTH, j, l);
    put(rod, ELI_DILATATION, j, l * get(rod, ELI_INVERSE_REST_LENGTH, j));
    put3(rod, ELI_TANGENT, j, scale(all(1.0) / l, edge));
  }
}

static void geometry(const eli_sweep *sweep) {
  if (is_small(sweep))
    geometry_of_slots(sweep, 1);
  else
    geometry_of_slots(sweep, 0);
}

/* Computes lengths only. */
static void lengths(const eli_sweep *sweep) {
  const lanes rod = {sweep->lane, sweep->stride};
  for (ptrdiff_t j = 0; j < sweep->count; j += WIDTH) put(rod, ELI_LENGTH, j, length_of(rod, j, edge_of(rod, j)));
}
