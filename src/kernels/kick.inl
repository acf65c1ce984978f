/* ---- Forces on nodes, couples on elements, and the kick of velocities ----
 *
 * equations  (3.8)  m dv/dt = Delta^h(Q^T n) + F
 *            (C3)   v <- v + dt dv/dt
 * operators  Appendix D: the difference Delta^h and the average A^h
 * loaded     external forces and couples are added, and rates of dissipation included, as kernels.h states. The kick resets the lanes that
 *            it reads to -0.0, the value of a lane without loads; adding -0.0 changes no bit.
 */

/* The internal force on node i. */
ELI_INLINE V3 internal_force(lanes out, ptrdiff_t i) {
  return difference(out, ELI_STRETCH_FORCE, i);
}

/* The internal couple on element j: [Delta^h tau + A^h (theta x tau)]_j from its two joints (bend.inl), plus the shear couple. */
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

/* Writes the total for add_reactions hooks: force - drag v, and couple - spin_drag omega + (J omega/e) x omega, with internal and external
 * loads. */
ELI_INLINE void total_of_slots(const eli_sweep *sweep, const int small, const int classical, const int gathered) {
  const lanes rod = lanes_of(sweep, small), out = scratch_of(sweep, small);
  for (ptrdiff_t i = 0; i < sweep->count; i += WIDTH) {
    const V3 v = get3(rod, ELI_VELOCITY, i), w = get3(rod, ELI_OMEGA, i);
    const V3 force = add(gathered ? get3(out, ELI_INTERNAL_FORCE, i) : internal_force(out, i), get3(rod, ELI_FORCE, i));
    const V3 couple = add(gathered ? get3(out, ELI_INTERNAL_COUPLE, i) : internal_couple(out, i), get3(rod, ELI_COUPLE, i));
    V3 gyration = gyroscopic(get3(rod, ELI_INERTIA, i), w);
    if (!classical) gyration = scale(all(1.0) / get(rod, ELI_DILATATION, i), gyration);
    put3(out, ELI_TOTAL_FORCE, i, axpy(-get(rod, ELI_DRAG, i), v, force));
    put3(out, ELI_TOTAL_COUPLE, i, add(axpy(-get(rod, ELI_SPIN_DRAG, i), w, couple), gyration));
  }
}

ELI_INLINE void total_by_law(const eli_sweep *sweep, const eli_law_options *law, const int small, const int gathered) {
  if (law->classical)
    total_of_slots(sweep, small, 1, gathered);
  else
    total_of_slots(sweep, small, 0, gathered);
}

static void total(const eli_sweep *sweep, const eli_law_options *law, int gathered) {
  if (gathered)
    total_by_law(sweep, law, 0, 1);
  else if (is_small(sweep))
    total_by_law(sweep, law, 1, 0);
  else
    total_by_law(sweep, law, 0, 0);
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

/* The external lanes that a kick reads. */
ELI_INLINE int has_loads(const int loaded) {
  return loaded == ELI_LOADS || loaded == ELI_LOADS_AND_RATES || loaded == ELI_LOADS_AND_DAMPING;
}

ELI_INLINE int has_rates(const int loaded) {
  return loaded >= ELI_LOADS_AND_RATES;
}

/* A prepared impulse for WIDTH slots. */
typedef struct Impulse {
  V dt, h; /* dt and dt/2 */
  V half_translation, rotation;
} Impulse;

/* The drag rate of a node: from its lane, or gamma_t/2 times the lengths of its elements. */
ELI_INLINE V drag_at(lanes rod, ptrdiff_t i, Impulse by, const int loaded) {
  if (loaded == ELI_LOADS_AND_RATES) return take(rod, ELI_DRAG, i);
  const M before = (M)(near(rod, ELI_INVERSE_REST_LENGTH, i, -1) > all(0.0));
  return by.half_translation * (where(before, near(rod, ELI_LENGTH, i, -1)) + where(is_element(rod, i), get(rod, ELI_LENGTH, i)));
}

ELI_INLINE V spin_drag_at(lanes rod, ptrdiff_t j, Impulse by, const int loaded) {
  if (loaded == ELI_LOADS_AND_RATES) return take(rod, ELI_SPIN_DRAG, j);
  return by.rotation * get(rod, ELI_LENGTH, j);
}

/* ---- Sweeps: each block is processed in the form for its loads ---- */

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

/* CALL_BY_LOADS(loaded, name, ...) calls name(..., loaded, elsewhere). `loaded` applies to touched blocks and `elsewhere` to the others;
 * both are constants in each inlined copy. */
#define CALL_BY_LOADS(loaded, name, ...)                                                                                                   \
  switch (loaded) {                                                                                                                        \
  case ELI_NO_LOADS: name(__VA_ARGS__, ELI_NO_LOADS, ELI_NO_LOADS); break;                                                                 \
  case ELI_LOADS: name(__VA_ARGS__, ELI_LOADS, ELI_NO_LOADS); break;                                                                       \
  case ELI_LOADS_AND_DAMPING: name(__VA_ARGS__, ELI_LOADS_AND_DAMPING, ELI_DAMPING); break;                                                \
  default: name(__VA_ARGS__, ELI_LOADS_AND_RATES, ELI_NO_LOADS); break;                                                                    \
  }

/* ---- The kick of v (C3) ---- */

/* v_new = phi0 v + dt phi1 F/m with phi0 = 1/(1 + x + x^2/2), phi1 = (1 + x/2) phi0, x = dt c/m for the drag rate c. */
ELI_INLINE V3 kicked_velocity(lanes rod, lanes out, ptrdiff_t i, V3 v, Impulse by, const int loaded) {
  const V one = all(1.0), impulse = by.dt * get(rod, ELI_INVERSE_MASS, i);
  V3 force = internal_force(out, i);
  if (has_loads(loaded)) force = add(force, take3(rod, ELI_FORCE, i));
  if (!has_rates(loaded)) return axpy(impulse, force, v);
  const V x = impulse * drag_at(rod, i, by, loaded), half = madd(all(0.5), x, one), phi0 = one / madd(x, half, one);
  return scale(phi0, axpy(impulse * half, force, v));
}

/* Kicks the velocities of nodes i... and returns them. */
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
