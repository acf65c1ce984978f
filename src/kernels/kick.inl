/* ---- Forces on nodes, couples on elements, and the kick ----
 *
 * equations  (3.8)  m dv/dt = Delta^h(Q^T n) + F
 *            (3.9)  (J/e) domega/dt = Delta^h(tau) + A^h(kappa x tau Dhat) + l Q t x n + (J omega/e) x omega + (J omega/e^2) de/dt + C
 *            (C3)   v <- v + dt dv/dt
 *            (C4)   omega <- omega + dt domega/dt; the two terms with omega are taken at the midpoint, or as printed at t
 * operators  Appendix D: the difference Delta^h and the average A^h
 * loaded     external forces and couples are added, rates of dissipation count or not (kernels.h). The kick resets the lanes that it reads to
 *            -0.0, the value that they have whenever no loads wait for a kick: it gives the same bits without them
 */

/* Internal force on node i. */
ELI_INLINE V3 internal_force(lanes out, ptrdiff_t i) {
  return difference(out, ELI_STRETCH_FORCE, i);
}

/* Internal couple on element j: [Delta^h tau + A^h (theta x tau)]_j from the contributions of its two joints (bend.inl), and the shear
 * couple. */
ELI_INLINE V3 internal_couple(lanes out, ptrdiff_t j) {
  return add(near3(out, ELI_COUPLE_BEFORE, j, 1), get3(out, ELI_COUPLE_AFTER, j));
}

ELI_INLINE void internal_of_slots(const eli_sweep *sweep, const int small) {
  const lanes out = scratch_of(sweep, small);
  for (ptrdiff_t i = 0; i < sweep->count; i += WIDTH) {
    put3(out, ELI_INTERNAL_FORCE, i, internal_force(out, i));
    put3(out, ELI_INTERNAL_COUPLE, i, internal_couple(out, i));
  }
}

static void internal(const eli_sweep *sweep) {
  if (is_small(sweep))
    internal_of_slots(sweep, 1);
  else
    internal_of_slots(sweep, 0);
}

/* (J omega) x omega */
ELI_INLINE V3 gyroscopic(V3 J, V3 w) {
  return (V3){(J.y - J.z) * (w.y * w.z), (J.z - J.x) * (w.z * w.x), (J.x - J.y) * (w.x * w.y)};
}

/* The total that add_reactions hooks are given: force - drag v, and couple - spin_drag omega + (J omega/e) x omega, with internal and
 * external loads in both. */
ELI_INLINE void total_of_slots(const eli_sweep *sweep, const int small, const int classical) {
  const lanes rod = lanes_of(sweep, small), out = scratch_of(sweep, small);
  for (ptrdiff_t i = 0; i < sweep->count; i += WIDTH) {
    const V3 v = get3(rod, ELI_VELOCITY, i), w = get3(rod, ELI_OMEGA, i);
    const V3 force = add(get3(out, ELI_INTERNAL_FORCE, i), get3(rod, ELI_FORCE, i));
    const V3 couple = add(get3(out, ELI_INTERNAL_COUPLE, i), get3(rod, ELI_COUPLE, i));
    V3 gyration = gyroscopic(get3(rod, ELI_INERTIA, i), w);
    if (!classical) gyration = scale(all(1.0) / get(rod, ELI_DILATATION, i), gyration);
    put3(out, ELI_TOTAL_FORCE, i, axpy(-get(rod, ELI_DRAG, i), v, force));
    put3(out, ELI_TOTAL_COUPLE, i, add(axpy(-get(rod, ELI_SPIN_DRAG, i), w, couple), gyration));
  }
}

ELI_INLINE void total_by_law(const eli_sweep *sweep, const eli_law *law, const int small) {
  if (law->classical)
    total_of_slots(sweep, small, 1);
  else
    total_of_slots(sweep, small, 0);
}

static void total(const eli_sweep *sweep, const eli_law *law) {
  if (is_small(sweep))
    total_by_law(sweep, law, 1);
  else
    total_by_law(sweep, law, 0);
}

ELI_INLINE V3 take3(lanes rod, int lane, ptrdiff_t i) {
  const V3 a = get3(rod, lane, i);
  const V none = all(-0.0);
  put3(rod, lane, i, (V3){none, none, none});
  return a;
}

ELI_INLINE V take(lanes rod, int lane, ptrdiff_t i) {
  const V a = get(rod, lane, i);
  put(rod, lane, i, all(-0.0));
  return a;
}

/* What external lanes a kick reads. */
ELI_INLINE int has_loads(const int loaded) {
  return loaded == ELI_LOADS || loaded == ELI_LOADS_AND_RATES || loaded == ELI_LOADS_AND_DAMPING;
}

ELI_INLINE int has_rates(const int loaded) {
  return loaded >= ELI_LOADS_AND_RATES;
}

/* An impulse, for WIDTH slots. */
typedef struct Impulse {
  V dt, h; /* dt and dt/2 */
  V half_translation, rotation;
} Impulse;

/* The rate of a node: as added, or gamma_t/2 times the lengths of the elements that meet there. */
ELI_INLINE V drag_at(lanes rod, ptrdiff_t i, Impulse by, const int loaded) {
  if (loaded == ELI_LOADS_AND_RATES) return take(rod, ELI_DRAG, i);
  const M before = (M)(near(rod, ELI_INVERSE_REST_LENGTH, i, -1) > all(0.0));
  return by.half_translation * (where(before, near(rod, ELI_LENGTH, i, -1)) + where(is_element(rod, i), get(rod, ELI_LENGTH, i)));
}

ELI_INLINE V spin_drag_at(lanes rod, ptrdiff_t j, Impulse by, const int loaded) {
  if (loaded == ELI_LOADS_AND_RATES) return take(rod, ELI_SPIN_DRAG, j);
  return by.rotation * get(rod, ELI_LENGTH, j);
}

/* ---- The kick of v (C3): v_new = phi0 v + dt phi1 F/m, with phi0 and phi1 of the drag rate: phi0 = 1/(1 + x + x^2/2), phi1 = (1 + x/2) phi0,
 * x = dt c/m ---- */

ELI_INLINE V3 kicked_velocity(lanes rod, lanes out, ptrdiff_t i, V3 v, Impulse by, const int loaded) {
  const V one = all(1.0), impulse = by.dt * get(rod, ELI_INVERSE_MASS, i);
  V3 force = internal_force(out, i);
  if (has_loads(loaded)) force = add(force, take3(rod, ELI_FORCE, i));
  if (!has_rates(loaded)) return axpy(impulse, force, v);
  const V x = impulse * drag_at(rod, i, by, loaded), half = madd(all(0.5), x, one), phi0 = one / madd(x, half, one);
  return scale(phi0, axpy(impulse * half, force, v));
}

/* ---- The kick of omega (C4): velocity-dependent couples at the midpoint in closed form ----
 *
 * Elements with J1 = J2. With x = dt c e/J, d = 1 + x + x^2/2 (phi0 = 1/d, phi1 = (1 + x/2)/d), h = (dt/2)(1 + x/2), every quantity of the
 * closed form is a numerator over d, and the d cancel: b = (1 + d)/2 omega + h (e/J) C, p = d - h s, g = (J3 - J1)/J1, m3 = b3/p3,
 * q = h1 g m3, (m1, m2) = (p1 b1 - q b2, p1 b2 + q b1)/(p1^2 + q^2), omega_new = 2 m - omega. In the rescaled law s = (de/dt)/e = rate/l^2:
 * l^2 is carried along in every numerator and denominator, and one division serves all three axes.
 * Without loads every factor that they bring is exactly 1, so that both forms give the same bits. */

/* Numerators of the rate that dissipates an axis: h, (1 + d)/2 and d. */
typedef struct Damping {
  V h, keep, d;
} Damping;

ELI_INLINE Damping damping_of(V x, V h) {
  const V one = all(1.0), half = all(0.5), y = madd(half, x, one), d = madd(x, y, one);
  return (Damping){h * y, madd(half, d, half), d};
}

/* What the kick of an element starts from: the couples that do not depend on spin, e (1 in the classical law), l^2 and the rate. */
typedef struct Turning {
  V3 couple;
  V e, length2, rate, drag;
} Turning;

/* rate: d . (v_next - v) at the midpoint. */
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
    /* p and q times d3; without a rate, where d3 is 1, m3 is b3 to the last bit. */
    const V p = first.d * third.d, q = hg * b3, norm = madd(q, q, p * p), per = two / (norm * third.d), k = third.d * (third.d * per);
    const V twice_m3 = choose((M)(third.d == one), two * b3, (norm * per) * b3);
    return (V3){msub(k, nmadd(q, b2, p * b1), w.x), msub(k, madd(q, b1, p * b2), w.y), twice_m3 - w.z};
  }
  const V l2 = now.length2, p1 = msub(first.d, l2, first.h * now.rate), p3 = msub(third.d, l2, third.h * now.rate);
  const V p = p1 * p3, q = (hg * b3) * (l2 * l2), norm = madd(q, q, p * p), twice = (l2 + l2) / (p3 * norm), k = p3 * (p3 * twice);
  return (V3){msub(k, nmadd(q, b2, p * b1), w.x), msub(k, madd(q, b1, p * b2), w.y), msub(norm * twice, b3, w.z)};
}

/* One step of Newton's method for p m - a (m2 m3, m3 m1, m1 m2) = b, axis by axis: the residual, and the inverse of the derivative by its
 * cofactors. */
ELI_INLINE V3 midpoint_newton(V3 m, V3 a, V3 p, V3 b) {
  const V3 residual = sub(times_minus(p, m, times(a, (V3){m.y * m.z, m.z * m.x, m.x * m.y})), b);
  const V xy = -a.x * m.z, xz = -a.x * m.y, yx = -a.y * m.z, yz = -a.y * m.x, zx = -a.z * m.y, zy = -a.z * m.x;
  const V3 c1 = {msub(p.y, p.z, yz * zy), msub(xz, zy, xy * p.z), msub(xy, yz, xz * p.y)};
  const V3 c2 = {msub(yz, zx, yx * p.z), msub(p.x, p.z, xz * zx), msub(xz, yx, p.x * yz)};
  const V3 c3 = {msub(yx, zy, p.y * zx), msub(xy, zx, p.x * zy), msub(p.x, p.y, xy * yx)};
  const V per = all(-1.0) / madd(p.x, c1.x, madd(xy, c2.x, xz * c3.x));
  return axpy(per, (V3){dot(c1, residual), dot(c2, residual), dot(c3, residual)}, m);
}

/* Any J: w_m = b + h [(e/J)((J w_m/e) x w_m) + s w_m] by four steps of Newton's method, which leave nothing but rounding up to a turn of 1 rad
 * in a step; or the explicit form, which takes both couples at t. */
ELI_INLINE V3 spin_of_any(lanes rod, ptrdiff_t j, Turning now, V rate, V dt, V h, const int rates, const int explicit_couples) {
  const V one = all(1.0), half = all(0.5), two = all(2.0);
  const V3 w = get3(rod, ELI_OMEGA, j), J = get3(rod, ELI_INERTIA, j);
  const V3 per_J = {get(rod, ELI_INVERSE_INERTIA, j), one / J.y, get(rod, ELI_INVERSE_INERTIA + 1, j)},
           push = times(scale(now.e, per_J), now.couple);
  const V s = rate / now.length2;
  V3 phi0 = {one, one, one}, step = {h, h, h};
  if (rates) {
    const V3 x = scale(dt * now.drag * now.e, per_J);
    const Damping d1 = damping_of(x.x, h), d2 = damping_of(x.y, h), d3 = damping_of(x.z, h);
    phi0 = (V3){one / d1.d, one / d2.d, one / d3.d};
    step = (V3){d1.h * phi0.x, d2.h * phi0.y, d3.h * phi0.z};
  }
  if (explicit_couples) return times_plus(scale(two, step), axpy(s, w, times_plus(gyroscopic(J, w), per_J, push)), times(phi0, w));
  const V3 keep = {madd(half, phi0.x, half), madd(half, phi0.y, half), madd(half, phi0.z, half)};
  const V3 b = times_plus(step, push, times(keep, w));
  const V3 a = times(times(step, per_J), (V3){J.y - J.z, J.z - J.x, J.x - J.y});
  const V3 p = {nmadd(s, step.x, one), nmadd(s, step.y, one), nmadd(s, step.z, one)};
  V3 m = w;
  for (int k = 0; k < 4; k++) m = midpoint_newton(m, a, p, b);
  return sub(scale(two, m), w);
}

/* The slots of a block that the closed form cannot take: all elements where couples are explicit, else those with J1 != J2. */
ELI_INLINE M needs_any_form(lanes rod, ptrdiff_t j, const eli_law *law) {
  const M element = (M)(get(rod, ELI_INVERSE_INERTIA, j) > all(0.0));
  if (law->explicit_couples) return element;
  return element & (M)(get(rod, ELI_INERTIA, j) != get(rod, ELI_INERTIA + 1, j));
}

/* ---- Sweeps: each block in the form that its loads need ---- */

typedef struct Kick {
  lanes rod, out;
  Impulse by;
  uint64_t touched;
  int span_bits;
} Kick;

ELI_INLINE Kick kick_of(const eli_sweep *sweep, const eli_impulse *given, const int small) {
  const Impulse by = {all(given->dt), all(0.5 * given->dt), all(given->half_translation), all(given->rotation)};
  return (Kick){lanes_of(sweep, small), scratch_of(sweep, small), by, given->touched, given->span_bits};
}

ELI_INLINE int is_touched(const Kick *kick, ptrdiff_t i) {
  return kick->touched >> (i >> kick->span_bits) & 1;
}

/* CALL_BY_LOADS(loaded, name, ...): name(..., loaded, elsewhere), what is loaded in touched blocks and elsewhere, as constants in each of its
 * inlined copies. */
#define CALL_BY_LOADS(loaded, name, ...)                                                                                                   \
  switch (loaded) {                                                                                                                        \
  case ELI_NO_LOADS: name(__VA_ARGS__, ELI_NO_LOADS, ELI_NO_LOADS); break;                                                                 \
  case ELI_LOADS: name(__VA_ARGS__, ELI_LOADS, ELI_NO_LOADS); break;                                                                       \
  case ELI_LOADS_AND_DAMPING: name(__VA_ARGS__, ELI_LOADS_AND_DAMPING, ELI_DAMPING); break;                                                \
  default: name(__VA_ARGS__, ELI_LOADS_AND_RATES, ELI_NO_LOADS); break;                                                                    \
  }

/* Kicks the velocities of nodes i..., which it returns. */
ELI_INLINE V3 kick_velocity_of(const Kick *kick, ptrdiff_t i, const int loaded) {
  const V3 v = kicked_velocity(kick->rod, kick->out, i, get3(kick->rod, ELI_VELOCITY, i), kick->by, loaded);
  put3(kick->rod, ELI_VELOCITY, i, v);
  return v;
}

ELI_INLINE V3 kick_velocity_at(const Kick *kick, ptrdiff_t i, const int loaded, const int elsewhere) {
  return is_touched(kick, i) ? kick_velocity_of(kick, i, loaded) : kick_velocity_of(kick, i, elsewhere);
}

ELI_INLINE void kick_velocities(const Kick *kick, ptrdiff_t count, const int loaded, const int elsewhere) {
  for (ptrdiff_t i = 0; i < count; i += WIDTH) kick_velocity_at(kick, i, loaded, elsewhere);
}

ELI_INLINE void kick_velocities_by_loads(const eli_sweep *sweep, const eli_impulse *given, const int small) {
  const Kick kick = kick_of(sweep, given, small);
  CALL_BY_LOADS(given->loaded, kick_velocities, &kick, sweep->count)
}

static void kick_velocity(const eli_sweep *sweep, const eli_impulse *by) {
  if (is_small(sweep))
    kick_velocities_by_loads(sweep, by, 1);
  else
    kick_velocities_by_loads(sweep, by, 0);
}

/* d . (v_next - v) at the midpoint: the mean of its values with the old and with the new velocities of both nodes. */
ELI_INLINE V midpoint_rate(const Kick *kick, ptrdiff_t j, V3 first, V3 second) {
  return all(0.5) * (get(kick->out, ELI_STRETCH_RATE, j) + dot(edge_of(kick->rod, j), sub(second, first)));
}

/* any_form NULL: the closed form alone. too_fast: |h s| - 1/2, times l^2. */
ELI_INLINE void kick_spin_of(const Kick *kick, ptrdiff_t j, V midpoint_rate, const int loaded, const int classical, const eli_law *any_form,
                             V *too_fast) {
  const lanes rod = kick->rod, out = kick->out;
  const Impulse by = kick->by;
  const int rates = has_rates(loaded);
  const Turning now = turning_of(rod, out, j, midpoint_rate, by, loaded, classical);
  V3 w = spin_of_circular(rod, j, now, by.dt, by.h, rates, classical);
  V rate = now.rate;
  if (any_form != NULL) {
    const M other = needs_any_form(rod, j, any_form);
    if (any_form->explicit_couples && !classical) rate = get(out, ELI_STRETCH_RATE, j);
    if (any(other) && any_form->explicit_couples)
      w = choose3(other, spin_of_any(rod, j, now, rate, by.dt, by.h, rates, 1), w);
    else if (any(other))
      w = choose3(other, spin_of_any(rod, j, now, rate, by.dt, by.h, rates, 0), w);
  }
  if (!classical) *too_fast = larger(nmadd(all(0.5), now.length2, size_of(by.h * rate)), *too_fast);
  put3(rod, ELI_OMEGA, j, w);
}

ELI_INLINE void kick_spin_at(const Kick *kick, ptrdiff_t j, V rate, const int classical, const eli_law *any_form, V *too_fast,
                             const int loaded, const int elsewhere) {
  if (is_touched(kick, j))
    kick_spin_of(kick, j, rate, loaded, classical, any_form, too_fast);
  else
    kick_spin_of(kick, j, rate, elsewhere, classical, any_form, too_fast);
}

ELI_INLINE void kick_spins(const Kick *kick, ptrdiff_t count, const int classical, const eli_law *any_form, V *too_fast, const int loaded,
                           const int elsewhere) {
  for (ptrdiff_t j = 0; j < count; j += WIDTH) {
    V rate = all(0.0);
    if (!classical) rate = midpoint_rate(kick, j, get3(kick->rod, ELI_VELOCITY, j), near3(kick->rod, ELI_VELOCITY, j, 1));
    kick_spin_at(kick, j, rate, classical, any_form, too_fast, loaded, elsewhere);
  }
}

ELI_INLINE unsigned trip_of_stretch(V too_fast) {
  return largest(too_fast) < 0.0 ? 0u : ELI_TRIP_STRETCH;
}

ELI_INLINE unsigned kick_spins_by_loads(const eli_sweep *sweep, const eli_impulse *given, const int small, const int classical) {
  const Kick kick = kick_of(sweep, given, small);
  V too_fast = all(-1.0);
  CALL_BY_LOADS(given->loaded, kick_spins, &kick, sweep->count, classical, NULL, &too_fast)
  return trip_of_stretch(too_fast);
}

ELI_INLINE unsigned kick_spin_by_law(const eli_sweep *sweep, const eli_impulse *by, const eli_law *law, const int small) {
  return law->classical ? kick_spins_by_loads(sweep, by, small, 1) : kick_spins_by_loads(sweep, by, small, 0);
}

ELI_INLINE unsigned kick_spin_of_any(const eli_sweep *sweep, const eli_impulse *given, const eli_law *law, const int classical) {
  const Kick kick = kick_of(sweep, given, 0);
  V too_fast = all(-1.0);
  kick_spins(&kick, sweep->count, classical, law, &too_fast, ELI_LOADS_AND_RATES, ELI_NO_LOADS);
  return trip_of_stretch(too_fast);
}

static unsigned kick_spin(const eli_sweep *sweep, const eli_impulse *by, const eli_law *law) {
  if (law->any_inertia || law->explicit_couples)
    return law->classical ? kick_spin_of_any(sweep, by, law, 1) : kick_spin_of_any(sweep, by, law, 0);
  return is_small(sweep) ? kick_spin_by_law(sweep, by, law, 1) : kick_spin_by_law(sweep, by, law, 0);
}

/* Both in one sweep, where nothing stands between them. */
ELI_INLINE void kick_all(const Kick *kick, ptrdiff_t count, V *unused, const int loaded, const int elsewhere) {
  for (ptrdiff_t i = 0; i < count; i += WIDTH) {
    kick_velocity_at(kick, i, loaded, elsewhere);
    kick_spin_at(kick, i, all(0.0), 1, NULL, unused, loaded, elsewhere);
  }
}

/* In the rescaled law spins depend on the new velocities of both nodes of an element: velocities are two vectors ahead, so that no spin waits
 * for one. */
ELI_INLINE void kick_all_rescaled(const Kick *kick, ptrdiff_t count, V *too_fast, const int loaded, const int elsewhere) {
  V3 next = kick_velocity_at(kick, 0, loaded, elsewhere), after = next;
  if (WIDTH < count) after = kick_velocity_at(kick, WIDTH, loaded, elsewhere);
  for (ptrdiff_t j = 0; j < count; j += WIDTH) {
    const V3 v = next;
    next = after; /* behind the last vector it does not matter: the last slot has no element */
    if (j + 2 * WIDTH < count) after = kick_velocity_at(kick, j + 2 * WIDTH, loaded, elsewhere);
    kick_spin_at(kick, j, midpoint_rate(kick, j, v, one_behind3(v, next)), 0, NULL, too_fast, loaded, elsewhere);
  }
}

ELI_INLINE unsigned kick_both_by_law(const eli_sweep *sweep, const eli_impulse *given, const eli_law *law, const int small) {
  const Kick kick = kick_of(sweep, given, small);
  V too_fast = all(-1.0);
  if (law->classical) {
    CALL_BY_LOADS(given->loaded, kick_all, &kick, sweep->count, &too_fast)
  } else {
    CALL_BY_LOADS(given->loaded, kick_all_rescaled, &kick, sweep->count, &too_fast)
  }
  return trip_of_stretch(too_fast);
}

static unsigned kick_both(const eli_sweep *sweep, const eli_impulse *by, const eli_law *law) {
  return is_small(sweep) ? kick_both_by_law(sweep, by, law, 1) : kick_both_by_law(sweep, by, law, 0);
}
