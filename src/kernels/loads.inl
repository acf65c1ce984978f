/* ---- Internal loads of elements and joints, in one sweep ----
 *
 * Slot i holds element i and joint i, which lies between elements i - 1 and i. The scratch memory gets Q^T n of each element, the couple of
 * each joint on the element before it, and the couple on the element after it plus the shear/stretch couple of that element.
 *
 * Rescaled law: with the classical stress N and couple T, n = N/e and tau = T/E^3 by one division; LENGTH must be up to date. In the sweep
 * of every step, the root and the division would be the longest chain of operations; there a short sweep before it computes them.
 */

/* `before` is the length of element i - 1. */
ELI_INLINE Rescaling rescaling_of(lanes rod, ptrdiff_t i, V before, V l) {
  return law_rescaling(l, get(rod, ELI_INVERSE_REST_LENGTH, i), before, get(rod, ELI_INVERSE_REST_JOINT_LENGTH, i));
}

ELI_INLINE Rescaling rescaling_from_lengths(lanes rod, ptrdiff_t i) {
  return rescaling_of(rod, i, near(rod, ELI_LENGTH, i, -1), get(rod, ELI_LENGTH, i));
}

ELI_INLINE void put_stretch_rate(lanes rod, lanes out, ptrdiff_t i, V3 edge) {
  put(out, ELI_STRETCH_RATE, i, stretch_rate(rod, i, edge));
}

ELI_INLINE void put_rescaling(lanes out, ptrdiff_t i, Rescaling soft) {
  put(out, ELI_RESCALING, i, soft.element);
  put(out, ELI_RESCALING + 1, i, soft.joint);
}

static void rescale(const eli_sweep *sweep) {
  const lanes rod = {sweep->lane, sweep->stride}, out = {sweep->scratch, sweep->scratch_stride};
  for (ptrdiff_t i = 0; i < sweep->count; i += WIDTH) {
    put_rescaling(out, i, rescaling_from_lengths(rod, i));
    put_stretch_rate(rod, out, i, edge_of(rod, i));
  }
}

ELI_INLINE void lengths_and_rescaling(const eli_sweep *sweep, const int small) {
  const lanes rod = lanes_of(sweep, small), out = scratch_of(sweep, small);
  V before = all(1.0); /* there is no element before the first slot */
  for (ptrdiff_t i = 0; i < sweep->count; i += WIDTH) {
    const V3 edge = edge_of(rod, i);
    const V l = length_of(rod, i, edge);
    put(rod, ELI_LENGTH, i, l);
    put_rescaling(out, i, rescaling_of(rod, i, one_before(before, l), l));
    put_stretch_rate(rod, out, i, edge);
    before = l;
  }
}

static void lengths_and_rescale(const eli_sweep *sweep) {
  if (is_small(sweep))
    lengths_and_rescaling(sweep, 1);
  else
    lengths_and_rescaling(sweep, 0);
}

/* The first node of the next rod takes its difference from the slot after the last element. The force there is 0, even if the values of the
 * rod before are infinite or NaN. */
ELI_INLINE void put_loads(lanes rod, lanes out, ptrdiff_t i, Frame Q, V3 edge, V3 n, Couples joint) {
  put3(out, ELI_STRETCH_FORCE, i, where3(is_element(rod, i), to_laboratory(Q, n)));
  put3(out, ELI_COUPLE_BEFORE, i, joint.before);
  put3(out, ELI_COUPLE_AFTER, i, add(cross(edge, n), joint.after));
}

/* Writes the derived lanes and the other inputs of loads_from(). */
ELI_INLINE void put_derived(lanes rod, lanes out, ptrdiff_t i, V3 edge, V3 n, Bend bent, V3 tau) {
  const V per_length = get(rod, ELI_INVERSE_REST_LENGTH, i);
  put3(out, ELI_STRAIN, i, (V3){edge.x * per_length, edge.y * per_length, msub(edge.z, per_length, all(1.0))});
  put3(out, ELI_STRESS, i, n);
  put3(out, ELI_CURVATURE, i, scale(all(2.0) * get(rod, ELI_INVERSE_REST_JOINT_LENGTH, i), bent.half));
  put3(out, ELI_JOINT_COUPLE, i, tau);
  put3(out, ELI_HALF_ANGLE, i, bent.half);
  put(out, ELI_EXACT_COUPLE_FACTOR, i, bent.ratio);
}

/* Outputs of a sweep over loads: loads, derived lanes, lengths. ADDS: the sweep adds the lanes of resultants. */
enum { LOADS = 1, DERIVED = 2, LENGTHS = 4, ADDS = 8 };

ELI_INLINE Found loads_of_slots(const eli_sweep *sweep, const int small, const int classical, const int exact, const int writes,
                                const int slow) {
  const lanes rod = lanes_of(sweep, small), out = scratch_of(sweep, small);
  Found seen = nothing_found();
  for (ptrdiff_t i = 0; i < sweep->count; i += WIDTH) {
    const Frame Q = get_frame(rod, ELI_DIRECTOR, i), before = near_frame(rod, ELI_DIRECTOR, i, -1);
    const V3 d = edge_of(rod, i), edge = to_material(Q, d);
    seen.watch = larger(beyond_watch(rod, i, edge), seen.watch);
    const Bend bent = bend_of_joint(rod, i, before, Q, exact, slow, &seen);
    V3 n = law_stress(rod, i, edge), tau = law_couple(rod, i, bent.half);
    if (!classical) {
      const Rescaling soft =
          !(writes & DERIVED) ? (Rescaling){get(out, ELI_RESCALING, i), get(out, ELI_RESCALING + 1, i)} : rescaling_from_lengths(rod, i);
      if (writes == (LOADS | DERIVED)) put_stretch_rate(rod, out, i, d);
      n = scale(soft.element, n);
      tau = scale(soft.joint, tau);
    }
    if (writes & ADDS) {
      n = add(n, get3(out, ELI_STRESS, i));
      tau = add(tau, where3(is_joint(rod, i), get3(out, ELI_JOINT_COUPLE, i)));
    }
    if (writes & LENGTHS) put(rod, ELI_LENGTH, i, length_of(rod, i, d));
    if (writes & DERIVED) put_derived(rod, out, i, edge, n, bent, tau);
    if (writes & LOADS) put_loads(rod, out, i, Q, edge, n, joint_couples(bent.half, tau, bent.ratio, exact));
  }
  return seen;
}

/* Converts the extremes of a sweep to trip bits. */
static unsigned trips_of(Found seen, const eli_law_options *law) {
  const double h = largest(seen.joint);
  return (h <= ELI_JOINT_LIMIT_H ? 0u : ELI_TRIP_JOINT) | (h <= law->watch.joint_h && largest(seen.watch) <= 0.0 ? 0u : ELI_TRIP_WATCH) |
         (h <= FAR_H ? 0u : ELI_TRIP_FAR) | (h <= ELI_JOINT_WIDE_H ? 0u : ELI_TRIP_WIDE);
}

ELI_INLINE Found loads_by_law(const eli_sweep *sweep, const eli_law_options *law, const int small, const int writes, const int slow) {
  if (law->classical && law->exact_couple) return loads_of_slots(sweep, small, 1, 1, writes, slow);
  if (law->classical) return loads_of_slots(sweep, small, 1, 0, writes, slow);
  return law->exact_couple ? loads_of_slots(sweep, small, 0, 1, writes, slow) : loads_of_slots(sweep, small, 0, 0, writes, slow);
}

ELI_INLINE unsigned loads_in_range(const eli_sweep *sweep, const eli_law_options *law, const int writes) {
  const Found seen = is_small(sweep) ? loads_by_law(sweep, law, 1, writes, 0) : loads_by_law(sweep, law, 0, writes, 0);
  const unsigned trips = trips_of(seen, law);
  return trips & ELI_TRIP_FAR ? trips_of(loads_by_law(sweep, law, 0, writes, 1), law) : trips;
}

static unsigned loads(const eli_sweep *sweep, const eli_law_options *law) {
  return loads_in_range(sweep, law, LOADS);
}

static unsigned loads_and_strains(const eli_sweep *sweep, const eli_law_options *law) {
  return loads_in_range(sweep, law, LOADS | DERIVED);
}

static void clear_resultants(const eli_sweep *sweep) {
  const lanes out = {sweep->scratch, sweep->scratch_stride};
  const V none = all(-0.0);
  for (ptrdiff_t i = 0; i < sweep->count; i += WIDTH) {
    put3(out, ELI_STRESS, i, (V3){none, none, none});
    put3(out, ELI_JOINT_COUPLE, i, (V3){none, none, none});
  }
}

/* The roots of lengths are computed while the loads keep the multipliers busy. */
static unsigned loads_with(const eli_sweep *sweep, const eli_law_options *law, int with) {
  if (!(with & ELI_WITH_RESULTANTS)) return loads_in_range(sweep, law, LOADS | LENGTHS);
  return with & ELI_WITH_LENGTHS ? loads_in_range(sweep, law, LOADS | LENGTHS | ADDS) : loads_in_range(sweep, law, LOADS | ADDS);
}

static unsigned strains(const eli_sweep *sweep, const eli_law_options *law) {
  return loads_in_range(sweep, law, DERIVED);
}

/* Computes the loads from the resultants and from the joint rotations written by strains(). */
ELI_INLINE void loads_from_slots(const eli_sweep *sweep, const int small, const int classical, const int exact) {
  const lanes rod = lanes_of(sweep, small), out = scratch_of(sweep, small);
  for (ptrdiff_t i = 0; i < sweep->count; i += WIDTH) {
    const Frame Q = get_frame(rod, ELI_DIRECTOR, i);
    const V3 d = edge_of(rod, i), edge = to_material(Q, d);
    if (!classical) put_stretch_rate(rod, out, i, d);
    const Couples joint = joint_couples(get3(out, ELI_HALF_ANGLE, i), where3(is_joint(rod, i), get3(out, ELI_JOINT_COUPLE, i)),
                                        get(out, ELI_EXACT_COUPLE_FACTOR, i), exact);
    put_loads(rod, out, i, Q, edge, get3(out, ELI_STRESS, i), joint);
  }
}

ELI_INLINE void loads_from_by_law(const eli_sweep *sweep, const eli_law_options *law, const int small) {
  if (law->classical && law->exact_couple)
    loads_from_slots(sweep, small, 1, 1);
  else if (law->classical)
    loads_from_slots(sweep, small, 1, 0);
  else if (law->exact_couple)
    loads_from_slots(sweep, small, 0, 1);
  else
    loads_from_slots(sweep, small, 0, 0);
}

static void loads_from(const eli_sweep *sweep, const eli_law_options *law) {
  if (is_small(sweep))
    loads_from_by_law(sweep, law, 1);
  else
    loads_from_by_law(sweep, law, 0);
}
