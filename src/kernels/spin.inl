/* ---- The kick of spins ----
 *
 * equations  (3.9)  (J/e) domega/dt = Delta^h(tau) + A^h(kappa x tau Dhat) + l Q t x n + (J omega/e) x omega + (J omega/e^2) de/dt + C
 *            (C4)   omega <- omega + dt domega/dt; the two terms with omega are evaluated at the midpoint, or at t as printed
 * J1 = J2    the midpoint in closed form
 * J1 != J2   the midpoint by Newton's method for one component; blocks without such elements have no cost for it
 */

/* ---- J1 = J2 ----
 *
 * With x = dt c e/J, d = 1 + x + x^2/2 (phi0 = 1/d, phi1 = (1 + x/2)/d), h = (dt/2)(1 + x/2), every quantity of the closed form is a
 * numerator over d, and the d cancel: b = (1 + d)/2 omega + h (e/J) C, p = d - h s, g = (J3 - J1)/J1, m3 = b3/p3, q = h1 g m3, (m1, m2) =
 * (p1 b1 - q b2, p1 b2 + q b1)/(p1^2 + q^2), omega_new = 2 m - omega. In the rescaled law s = (de/dt)/e = rate/l^2: every numerator and
 * denominator is multiplied by l^2, and one division serves all three axes.
 * Without loads and rates every additional factor is exactly 1, so that both forms give the same bits. */

/* Numerators for the dissipation rate of one axis: h, (1 + d)/2 and d. */
typedef struct Damping {
  V h, keep, d;
} Damping;

ELI_INLINE Damping damping_of(V x, V h) {
  const V one = all(1.0), half = all(0.5), y = madd(half, x, one), d = madd(x, y, one);
  return (Damping){h * y, madd(half, d, half), d};
}

/* Input for the kick of an element: the couples that do not depend on spin, e (1 in the classical law), l^2, the stretch rate and the drag
 * rate. */
typedef struct Turning {
  V3 couple;
  V e, length2, rate, drag;
} Turning;

/* `rate` is d . (v_next - v) at the midpoint. */
ELI_INLINE Turning turning_of(lanes rod, lanes out, ptrdiff_t j, V rate, Impulse by, const int loaded, const int classical) {
  Turning now = {internal_couple(out, j), all(1.0), all(1.0), all(0.0), all(0.0)};
  if (has_loads(loaded)) now.couple = add(now.couple, take3(rod, ELI_COUPLE, j));
  if (has_rates(loaded)) now.drag = spin_drag_at(rod, j, by, loaded);
  if (!classical) {
    const V l = get(rod, ELI_LENGTH, j);
    now.e = l * get(rod, ELI_INVERSE_REST_LENGTH, j);
    now.length2 = l * l;
    now.rate = rate;
  }
  return now;
}

ELI_INLINE V3 spin_of_circular(lanes rod, ptrdiff_t j, Turning now, V dt, V h, const int rates, const int classical) {
  const V one = all(1.0), two = all(2.0);
  const V3 w = get3(rod, ELI_OMEGA, j);
  V j1 = get(rod, ELI_INVERSE_INERTIA, j), j3 = get(rod, ELI_INVERSE_INERTIA + 1, j);
  if (!classical) j1 = now.e * j1, j3 = now.e * j3;
  Damping first = {h, one, one}, third = {h, one, one};
  if (rates) {
    const V r = dt * now.drag;
    first = damping_of(r * j1, h);
    third = damping_of(r * j3, h);
  }
  const V a1 = first.h * j1, a3 = third.h * j3;
  const V b1 = madd(first.keep, w.x, a1 * now.couple.x), b2 = madd(first.keep, w.y, a1 * now.couple.y),
          b3 = madd(third.keep, w.z, a3 * now.couple.z);
  const V hg = first.h * get(rod, ELI_FLATNESS, j);
  if (classical) {
    if (!rates) {
      const V p = first.d, q = hg * b3, k = two / madd(q, q, p * p);
      return (V3){msub(k, nmadd(q, b2, p * b1), w.x), msub(k, madd(q, b1, p * b2), w.y), msub(two, b3, w.z)};
    }
    /* p and q times d3. Without a rate d3 is 1, and m3 is b3 to the last bit. */
    const V p = first.d * third.d, q = hg * b3, norm = madd(q, q, p * p), per = two / (norm * third.d), k = third.d * (third.d * per);
    const V twice_m3 = choose((M)(third.d == one), two * b3, (norm * per) * b3);
    return (V3){msub(k, nmadd(q, b2, p * b1), w.x), msub(k, madd(q, b1, p * b2), w.y), twice_m3 - w.z};
  }
  const V l2 = now.length2, p1 = msub(first.d, l2, first.h * now.rate), p3 = msub(third.d, l2, third.h * now.rate);
  const V p = p1 * p3, q = (hg * b3) * (l2 * l2), norm = madd(q, q, p * p), twice = (l2 + l2) / (p3 * norm), k = p3 * (p3 * twice);
  return (V3){msub(k, nmadd(q, b2, p * b1), w.x), msub(k, madd(q, b1, p * b2), w.y), msub(norm * twice, b3, w.z)};
}

/* ---- J1 != J2 ----
 *
 * The midpoint m = (omega + omega_new)/2 satisfies m = b + h [(e/J) ((J m/e) x m) + s m]. The term s m is moved to the left side and
 * divided out: m_i = b_i + a_i m_j m_k. For given m3 the first two equations are linear: m1 = (b1 + a1 b2 m3)/D, m2 = (b2 + a2 b1 m3)/D, D
 * = 1 - a1 a2 m3^2. The third is then an equation for m3 only. Newton's method starts from b3 + a3 m1 m2 with D = 1; for every physical
 * body, three steps leave only rounding for rotations up to 1 rad in a step. A definition may give moments that no body has, such as J3 far
 * below J2 - J1. If the third step still changes m3, the three components are solved together, starting from omega. */

typedef struct Midpoint {
  V3 a, b;
  V m3, change; /* m3 and its change in the last step */
} Midpoint;

/* Factors of a dissipation rate: (1 + phi0)/2 of the spin at the midpoint, phi0 at the end, and h phi1 for the driving couples. */
typedef struct Keep {
  V3 midpoint, end, step;
} Keep;

ELI_INLINE Keep keep_of(V3 per_J, Turning now, Impulse by, const int rates) {
  const V one = all(1.0), half = all(0.5);
  const V3 ones = {one, one, one};
  if (!rates) return (Keep){ones, ones, {by.h, by.h, by.h}};
  const V3 x = scale(by.dt * now.drag * now.e, per_J);
  const Damping d1 = damping_of(x.x, by.h), d2 = damping_of(x.y, by.h), d3 = damping_of(x.z, by.h);
  const V3 phi0 = {one / d1.d, one / d2.d, one / d3.d};
  return (Keep){
      {madd(half, phi0.x, half), madd(half, phi0.y, half), madd(half, phi0.z, half)}, phi0, {d1.h * phi0.x, d2.h * phi0.y, d3.h * phi0.z}};
}

ELI_INLINE V3 inverse_inertia(lanes rod, ptrdiff_t j, V3 J) {
  return (V3){get(rod, ELI_INVERSE_INERTIA, j), all(1.0) / J.y, get(rod, ELI_INVERSE_INERTIA + 1, j)};
}

ELI_INLINE Midpoint midpoint_of(lanes rod, ptrdiff_t j, Turning now, Impulse by, const int rates, const int classical) {
  const V one = all(1.0);
  const V3 J = get3(rod, ELI_INERTIA, j), per_J = inverse_inertia(rod, j, J);
  const Keep keep = keep_of(per_J, now, by, rates);
  Midpoint at;
  at.b = times_plus(keep.step, times(scale(now.e, per_J), now.couple), times(keep.midpoint, get3(rod, ELI_OMEGA, j)));
  at.a = times(times(keep.step, per_J), (V3){J.y - J.z, J.z - J.x, J.x - J.y});
  if (!classical) {
    const V s = now.rate / now.length2;
    const V3 per = {one / nmadd(s, keep.step.x, one), one / nmadd(s, keep.step.y, one), one / nmadd(s, keep.step.z, one)};
    at.b = times(per, at.b);
    at.a = times(per, at.a);
  }
  at.m3 = madd(at.a.z, madd(at.a.x * at.b.z, at.b.y, at.b.x) * madd(at.a.y * at.b.z, at.b.x, at.b.y), at.b.z);
  return at;
}

/* Returns D m1, D m2 and D for the present m3. */
ELI_INLINE V3 others_of(const Midpoint *at) {
  const V3 a = at->a, b = at->b;
  return (V3){madd(a.x * at->m3, b.y, b.x), madd(a.y * at->m3, b.x, b.y), nmadd(a.x * a.y, at->m3 * at->m3, all(1.0))};
}

/* m3 <- m3 - F/F' with F = m3 - b3 - a3 m1 m2; both are multiplied by D^3. */
ELI_INLINE void newton_step(Midpoint *at) {
  const V3 a = at->a, b = at->b, m = others_of(at);
  const V D2 = m.z * m.z, product = m.x * m.y, slope = madd(a.x * b.y, m.y, (a.y * b.x) * m.x);
  const V value = m.z * msub(at->m3 - b.z, D2, a.z * product);
  const V change = madd(slope, m.z, (all(4.0) * (a.x * a.y)) * (at->m3 * product));
  at->change = value / msub(D2, m.z, a.z * change);
  at->m3 = at->m3 - at->change;
}

ELI_INLINE M is_unsettled(const Midpoint *at) {
  return ~(M)(size_of(at->change) <= all(1e-7) * (size_of(at->m3) + size_of(at->b.z)));
}

/* One Newton step for all components of m - a (m2 m3, m3 m1, m1 m2) = b, with the inverse of the derivative from its cofactors. */
ELI_INLINE V3 newton_step_of_all(const Midpoint *at, V3 m) {
  const V one = all(1.0);
  const V3 a = at->a, b = at->b;
  const V3 residual = sub(sub(m, times(a, (V3){m.y * m.z, m.z * m.x, m.x * m.y})), b);
  const V xy = -a.x * m.z, xz = -a.x * m.y, yx = -a.y * m.z, yz = -a.y * m.x, zx = -a.z * m.y, zy = -a.z * m.x;
  const V3 c1 = {nmadd(yz, zy, one), msub(xz, zy, xy), msub(xy, yz, xz)};
  const V3 c2 = {msub(yz, zx, yx), nmadd(xz, zx, one), msub(xz, yx, yz)};
  const V3 c3 = {msub(yx, zy, zx), msub(xy, zx, zy), nmadd(xy, yx, one)};
  const V per = all(-1.0) / madd(xy, c2.x, madd(xz, c3.x, c1.x));
  return axpy(per, (V3){dot(c1, residual), dot(c2, residual), dot(c3, residual)}, m);
}

ELI_INLINE V3 spin_by_all(const Midpoint *at, V3 w) {
  V3 m = w;
  for (int k = 0; k < 8; k++) m = newton_step_of_all(at, m);
  return sub(scale(all(2.0), m), w);
}

/* omega_new = 2 m - omega. */
ELI_INLINE V3 spin_from(const Midpoint *at, V3 w) {
  const V two = all(2.0);
  const V3 m = others_of(at);
  const V per = two / m.z;
  return (V3){msub(per, m.x, w.x), msub(per, m.y, w.y), msub(two, at->m3, w.z)};
}

/* Marks the slots with an element that rotates, for J1 = J2 and J1 != J2. */
ELI_INLINE M turns(lanes rod, ptrdiff_t j) {
  return (M)(get(rod, ELI_INVERSE_INERTIA, j) > all(0.0));
}

ELI_INLINE M is_elliptic(lanes rod, ptrdiff_t j) {
  return turns(rod, j) & (M)(get(rod, ELI_INERTIA, j) != get(rod, ELI_INERTIA + 1, j));
}

/* ---- Explicit couples: both velocity-dependent terms at t, for any J ---- */

ELI_INLINE V3 spin_of_explicit(lanes rod, ptrdiff_t j, Turning now, Impulse by, const int rates) {
  const V3 w = get3(rod, ELI_OMEGA, j), J = get3(rod, ELI_INERTIA, j), per_J = inverse_inertia(rod, j, J);
  const Keep keep = keep_of(per_J, now, by, rates);
  const V3 push = times_plus(gyroscopic(J, w), per_J, times(scale(now.e, per_J), now.couple));
  return times_plus(scale(all(2.0), keep.step), axpy(now.rate / now.length2, w, push), times(keep.end, w));
}

/* ---- Sweeps ---- */

/* d . (v_next - v) at the midpoint: the mean of its values with the old and with the new velocities of both nodes. */
ELI_INLINE V midpoint_rate(const Kick *kick, ptrdiff_t j, V3 first, V3 second) {
  return all(0.5) * (get(kick->out, ELI_STRETCH_RATE, j) + dot(edge_of(kick->rod, j), sub(second, first)));
}

/* too_fast is |h s| - 1/2, times l^2. */
ELI_INLINE void watch_stretch(Turning now, Impulse by, V *too_fast) {
  *too_fast = larger(nmadd(all(0.5), now.length2, size_of(by.h * now.rate)), *too_fast);
}

ELI_INLINE void kick_spin_of(const Kick *kick, ptrdiff_t j, V midpoint_rate, const int classical, V *too_fast, const int loaded) {
  const Turning now = turning_of(kick->rod, kick->out, j, midpoint_rate, kick->by, loaded, classical);
  if (!classical) watch_stretch(now, kick->by, too_fast);
  put3(kick->rod, ELI_OMEGA, j, spin_of_circular(kick->rod, j, now, kick->by.dt, kick->by.h, has_rates(loaded), classical));
}

ELI_INLINE void kick_spin_at(const Kick *kick, ptrdiff_t j, V rate, const int classical, V *too_fast, const int loaded,
                             const int elsewhere) {
  if (is_touched(kick, j))
    kick_spin_of(kick, j, rate, classical, too_fast, loaded);
  else
    kick_spin_of(kick, j, rate, classical, too_fast, elsewhere);
}

ELI_INLINE V rate_from_lanes(const Kick *kick, ptrdiff_t j) {
  return midpoint_rate(kick, j, get3(kick->rod, ELI_VELOCITY, j), near3(kick->rod, ELI_VELOCITY, j, 1));
}

ELI_INLINE void kick_spins(const Kick *kick, ptrdiff_t count, const int classical, V *too_fast, const int loaded, const int elsewhere) {
  for (ptrdiff_t j = 0; j < count; j += WIDTH)
    kick_spin_at(kick, j, classical ? all(0.0) : rate_from_lanes(kick, j), classical, too_fast, loaded, elsewhere);
}

ELI_INLINE unsigned trip_of_stretch(V too_fast) {
  return largest(too_fast) < 0.0 ? 0u : ELI_TRIP_STRETCH;
}

ELI_INLINE unsigned kick_spins_by_loads(const eli_sweep *sweep, const eli_impulse *given, const int small, const int classical) {
  const Kick kick = kick_of(sweep, given, small);
  V too_fast = all(-1.0);
  CALL_BY_LOADS(given->loaded, kick_spins, &kick, sweep->count, classical, &too_fast)
  return trip_of_stretch(too_fast);
}

ELI_INLINE unsigned kick_spin_by_law(const eli_sweep *sweep, const eli_impulse *by, const eli_law_options *law, const int small) {
  return law->classical ? kick_spins_by_loads(sweep, by, small, 1) : kick_spins_by_loads(sweep, by, small, 0);
}

/* Computes the closed form for circular elements and prepares the midpoint of the others. Returns a mask of those others. */
ELI_INLINE M begin_spin_of_any(const Kick *kick, ptrdiff_t j, const int classical, V *too_fast, const int loaded, Midpoint *at) {
  const V rate = classical ? all(0.0) : rate_from_lanes(kick, j);
  const Turning now = turning_of(kick->rod, kick->out, j, rate, kick->by, loaded, classical);
  const M elliptic = is_elliptic(kick->rod, j);
  if (!classical) watch_stretch(now, kick->by, too_fast);
  if (any(elliptic)) *at = midpoint_of(kick->rod, j, now, kick->by, has_rates(loaded), classical);
  if (any(turns(kick->rod, j) & ~elliptic)) {
    const V3 w = spin_of_circular(kick->rod, j, now, kick->by.dt, kick->by.h, has_rates(loaded), classical);
    put3(kick->rod, ELI_OMEGA, j, choose3(elliptic, get3(kick->rod, ELI_OMEGA, j), w));
  }
  return elliptic;
}

ELI_INLINE void put_elliptic_spin(const Kick *kick, ptrdiff_t j, const Midpoint *at) {
  const V3 w = get3(kick->rod, ELI_OMEGA, j);
  const M elliptic = is_elliptic(kick->rod, j), unsettled = elliptic & is_unsettled(at);
  V3 next = spin_from(at, w);
  if (any(unsettled)) next = choose3(unsettled, spin_by_all(at, w), next);
  put3(kick->rod, ELI_OMEGA, j, choose3(elliptic, next, w));
}

/* Newton's method processes several blocks at a time, because each of its steps is a long chain of operations. */
ELI_INLINE void kick_spins_of_any(const Kick *kick, ptrdiff_t count, const int classical, V *too_fast, const int loaded) {
  Midpoint at[AHEAD];
  ptrdiff_t slot[AHEAD];
  for (ptrdiff_t j = 0; j < count;) {
    int found = 0;
    for (; j < count && found < AHEAD; j += WIDTH) {
      const M elliptic = is_touched(kick, j) ? begin_spin_of_any(kick, j, classical, too_fast, loaded, &at[found])
                                             : begin_spin_of_any(kick, j, classical, too_fast, ELI_NO_LOADS, &at[found]);
      slot[found] = j;
      found += any(elliptic);
    }
    for (int k = 0; k < 3; k++)
      for (int b = 0; b < found; b++) newton_step(&at[b]);
    for (int b = 0; b < found; b++) put_elliptic_spin(kick, slot[b], &at[b]);
  }
}

ELI_INLINE void kick_spin_explicitly(const Kick *kick, ptrdiff_t j, const int classical, V *too_fast, const int loaded) {
  const lanes rod = kick->rod;
  const V rate = classical ? all(0.0) : get(kick->out, ELI_STRETCH_RATE, j);
  const Turning now = turning_of(rod, kick->out, j, rate, kick->by, loaded, classical);
  if (!classical) watch_stretch(now, kick->by, too_fast);
  put3(rod, ELI_OMEGA, j, choose3(turns(rod, j), spin_of_explicit(rod, j, now, kick->by, has_rates(loaded)), get3(rod, ELI_OMEGA, j)));
}

ELI_INLINE void kick_spins_explicitly(const Kick *kick, ptrdiff_t count, const int classical, V *too_fast) {
  for (ptrdiff_t j = 0; j < count; j += WIDTH) {
    if (is_touched(kick, j))
      kick_spin_explicitly(kick, j, classical, too_fast, ELI_LOADS_AND_RATES);
    else
      kick_spin_explicitly(kick, j, classical, too_fast, ELI_NO_LOADS);
  }
}

ELI_INLINE unsigned kick_spin_of_any(const eli_sweep *sweep, const eli_impulse *given, const eli_law_options *law, const int classical) {
  const Kick kick = kick_of(sweep, given, 0);
  V too_fast = all(-1.0);
  if (law->explicit_couples)
    kick_spins_explicitly(&kick, sweep->count, classical, &too_fast);
  else if (given->loaded == ELI_LOADS)
    kick_spins_of_any(&kick, sweep->count, classical, &too_fast, ELI_LOADS);
  else
    kick_spins_of_any(&kick, sweep->count, classical, &too_fast, ELI_LOADS_AND_RATES);
  return trip_of_stretch(too_fast);
}

static unsigned kick_spin(const eli_sweep *sweep, const eli_impulse *by, const eli_law_options *law) {
  if (law->any_inertia || law->explicit_couples)
    return law->classical ? kick_spin_of_any(sweep, by, law, 1) : kick_spin_of_any(sweep, by, law, 0);
  return is_small(sweep) ? kick_spin_by_law(sweep, by, law, 1) : kick_spin_by_law(sweep, by, law, 0);
}

/* Kicks v and omega in one sweep, if no effect may see new velocities with old spins. */
ELI_INLINE void kick_all(const Kick *kick, ptrdiff_t count, V *unused, const int loaded, const int elsewhere) {
  for (ptrdiff_t i = 0; i < count; i += WIDTH) {
    kick_velocity_at(kick, i, loaded, elsewhere);
    kick_spin_at(kick, i, all(0.0), 1, unused, loaded, elsewhere);
  }
}

/* In the rescaled law spins depend on the new velocities of both nodes of an element. Velocities are computed two vectors ahead, so that no
 * spin waits for a velocity. */
ELI_INLINE void kick_all_rescaled(const Kick *kick, ptrdiff_t count, V *too_fast, const int loaded, const int elsewhere) {
  V3 next = kick_velocity_at(kick, 0, loaded, elsewhere), after = next;
  if (WIDTH < count) after = kick_velocity_at(kick, WIDTH, loaded, elsewhere);
  for (ptrdiff_t j = 0; j < count; j += WIDTH) {
    const V3 v = next;
    next = after; /* the value after the last vector is not used: the last slot has no element */
    if (j + 2 * WIDTH < count) after = kick_velocity_at(kick, j + 2 * WIDTH, loaded, elsewhere);
    kick_spin_at(kick, j, midpoint_rate(kick, j, v, one_behind3(v, next)), 0, too_fast, loaded, elsewhere);
  }
}

ELI_INLINE unsigned kick_both_by_law(const eli_sweep *sweep, const eli_impulse *given, const eli_law_options *law, const int small) {
  const Kick kick = kick_of(sweep, given, small);
  V too_fast = all(-1.0);
  if (law->classical) {
    CALL_BY_LOADS(given->loaded, kick_all, &kick, sweep->count, &too_fast)
  } else {
    CALL_BY_LOADS(given->loaded, kick_all_rescaled, &kick, sweep->count, &too_fast)
  }
  return trip_of_stretch(too_fast);
}

static unsigned kick_both(const eli_sweep *sweep, const eli_impulse *by, const eli_law_options *law) {
  return is_small(sweep) ? kick_both_by_law(sweep, by, law, 1) : kick_both_by_law(sweep, by, law, 0);
}
