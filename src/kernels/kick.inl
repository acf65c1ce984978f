/* ---- Forces on nodes, couples on elements, and the kick ----
 *
 * equations  (3.8)  m dv/dt = Delta^h(Q^T n) + F
 *            (3.9)  (J/e) domega/dt = Delta^h(tau) + A^h(kappa x tau Dhat) + l Q t x n + (J omega/e) x omega + (J omega/e^2) de/dt + C
 *            (C3)   v <- v + dt dv/dt
 *            (C4)   omega <- omega + dt domega/dt; the two terms with omega are taken at the midpoint, or as printed at t
 * operators  Appendix D: the difference Delta^h and the average A^h. At the ends of a rod neutral slots supply the zeros
 */

/* Delta^h of an element lane, at node i. */
#define ELI_DIFFERENCE(f) ((f)[i] - (f)[i - 1])

/* Internal couple on element j: [Delta^h tau + A^h (theta x tau)]_j from the contributions of its two joints (bend.inl), and the shear
 * couple. */
#define ELI_ELEMENT_COUPLE(before, after, shear) ((before)[j + 1] + (after)[j] + (shear)[j])

ELI_INLINE void difference(size_t count, const double *restrict f, double *restrict force) {
  for (size_t i = 0; i < whole(count); i++) force[i] = f[(ptrdiff_t)i] - f[(ptrdiff_t)i - 1]; /* vectorised */
}

ELI_INLINE void element_couple(size_t count, const double *restrict before, const double *restrict after, const double *restrict shear,
                               double *restrict couple) {
  for (size_t j = 0; j < whole(count); j++) couple[j] = ELI_ELEMENT_COUPLE(before, after, shear); /* vectorised */
}

static void internal(size_t begin, size_t count, double *const *scratch) {
  for (size_t a = 0; a < 3; a++) {
    difference(count, ELI_1(scratch, ELI_STRETCH_FORCE + a), ELI_1(scratch, ELI_INTERNAL_FORCE + a));
    element_couple(count, ELI_1(scratch, ELI_COUPLE_BEFORE + a), ELI_1(scratch, ELI_COUPLE_AFTER + a), ELI_1(scratch, ELI_SHEAR_COUPLE + a),
                   ELI_1(scratch, ELI_INTERNAL_COUPLE + a));
  }
}

/* The total that add_reactions hooks are given, one axis of it: force - drag v, and couple - spin_drag omega + (J omega/e) x omega, with
 * internal and external loads in both. The inertias and spins of the two other axes are next and last, in cyclic order. */
ELI_INLINE void total_axis(size_t count, int classical, const double *restrict internal_force, const double *restrict force,
                           const double *restrict drag, const double *restrict v, const double *restrict internal_couple,
                           const double *restrict couple, const double *restrict spin_drag, const double *restrict J_next,
                           const double *restrict J_last, const double *restrict w, const double *restrict w_next,
                           const double *restrict w_last, const double *restrict dilatation, double *restrict total_force,
                           double *restrict total_couple) {
  for (size_t j = 0; j < count; j++) {                                         /* vectorised */
    const double gyroscopic = (J_next[j] - J_last[j]) * w_next[j] * w_last[j]; /* (J omega) x omega */
    total_force[j] = internal_force[j] + force[j] - drag[j] * v[j];
    total_couple[j] = internal_couple[j] + couple[j] - spin_drag[j] * w[j] + (classical ? gyroscopic : gyroscopic / dilatation[j]);
  }
}

/* count is any number of slots: reactions are called rod by rod, and a rod need not fill whole blocks. */
static void total(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch) {
  for (size_t a = 0; a < 3; a++) {
    const size_t b = (a + 1) % 3, c = (a + 2) % 3;
#define ELI_TOTAL(classical)                                                                                                               \
  total_axis(count, classical, ELI_1(scratch, ELI_INTERNAL_FORCE + a), ELI_1(lane, ELI_FORCE + a), ELI_1(lane, ELI_DRAG),                  \
             ELI_1(lane, ELI_VELOCITY + a), ELI_1(scratch, ELI_INTERNAL_COUPLE + a), ELI_1(lane, ELI_COUPLE + a),                          \
             ELI_1(lane, ELI_SPIN_DRAG), ELI_1(lane, ELI_INERTIA + b), ELI_1(lane, ELI_INERTIA + c), ELI_1(lane, ELI_OMEGA + a),           \
             ELI_1(lane, ELI_OMEGA + b), ELI_1(lane, ELI_OMEGA + c), ELI_1(lane, ELI_DILATATION), ELI_1(scratch, ELI_TOTAL_FORCE + a),     \
             ELI_1(scratch, ELI_TOTAL_COUPLE + a))
    if (law->classical)
      ELI_TOTAL(1);
    else
      ELI_TOTAL(0);
#undef ELI_TOTAL
  }
}

/* ---- The kick of v (C3): v_new = phi0 v + dt phi1 F/m, with phi0 and phi1 of the drag rate ----
 *
 * The kick resets the external lanes to -0.0, the value that they have whenever no loads wait for a kick. */

ELI_INLINE void kick_nodes(size_t count, double dt, int loaded, const double *restrict inverse_mass, const double *restrict fx,
                           const double *restrict fy, const double *restrict fz, double *restrict ex, double *restrict ey,
                           double *restrict ez, double *restrict drag, double *restrict vx, double *restrict vy, double *restrict vz) {
  for (size_t slot = 0; slot < whole(count); slot++) { /* vectorised */
    const ptrdiff_t i = (ptrdiff_t)slot;
    const double s = dt * inverse_mass[i];
    double Fx = ELI_DIFFERENCE(fx), Fy = ELI_DIFFERENCE(fy), Fz = ELI_DIFFERENCE(fz);
    double impulse = s, phi0 = 1.0; /* v_new = phi0 (v + (1 + x/2) dt F/m) */
    if (loaded) {
      Fx = Fx + ex[i];
      Fy = Fy + ey[i];
      Fz = Fz + ez[i];
      const double x = s * drag[i], half = 1.0 + 0.5 * x;
      phi0 = 1.0 / (1.0 + x * half);
      impulse = half * s;
      ex[i] = ey[i] = ez[i] = drag[i] = -0.0;
    }
    vx[i] = phi0 * (vx[i] + impulse * Fx);
    vy[i] = phi0 * (vy[i] + impulse * Fy);
    vz[i] = phi0 * (vz[i] + impulse * Fz);
  }
}

static void kick_velocity(size_t begin, size_t count, double dt, int loaded, double *const *lane, double *const *scratch) {
#define ELI_KICK_NODES(loaded)                                                                                                             \
  kick_nodes(count, dt, loaded, ELI_1(lane, ELI_INVERSE_MASS), ELI_3(scratch, ELI_STRETCH_FORCE), ELI_3(lane, ELI_FORCE),                  \
             ELI_1(lane, ELI_DRAG), ELI_3(lane, ELI_VELOCITY))
  if (loaded)
    ELI_KICK_NODES(1);
  else
    ELI_KICK_NODES(0);
#undef ELI_KICK_NODES
}

/* ---- The kick of omega (C4): velocity-dependent couples at the midpoint in closed form, or explicit ---- */

#define ELI_SPIN_PARAMETERS                                                                                                                \
  const double *restrict before1, const double *restrict before2, const double *restrict before3, const double *restrict after1,           \
      const double *restrict after2, const double *restrict after3, const double *restrict shear1, const double *restrict shear2,          \
      const double *restrict shear3, double *restrict external1, double *restrict external2, double *restrict external3,                   \
      double *restrict drag, const double *restrict rate, const double *restrict inverse_J1, const double *restrict inverse_J3,            \
      const double *restrict J1, const double *restrict J2, const double *restrict J3, const double *restrict dilatation,                  \
      const double *restrict inverse_length, const double *restrict tx, const double *restrict ty, const double *restrict tz,              \
      const double *restrict vx, const double *restrict vy, const double *restrict vz, double *restrict w1, double *restrict w2,           \
      double *restrict w3
#define ELI_SPIN_LANES(lane, scratch, omega)                                                                                               \
  ELI_3(scratch, ELI_COUPLE_BEFORE), ELI_3(scratch, ELI_COUPLE_AFTER), ELI_3(scratch, ELI_SHEAR_COUPLE), ELI_3(lane, ELI_COUPLE),          \
      ELI_1(lane, ELI_SPIN_DRAG), ELI_1(scratch, ELI_STRETCH_RATE), ELI_1(lane, ELI_INVERSE_INERTIA),                                      \
      ELI_1(lane, ELI_INVERSE_INERTIA + 1), ELI_3(lane, ELI_INERTIA), ELI_1(lane, ELI_DILATATION), ELI_1(lane, ELI_INVERSE_LENGTH),        \
      ELI_3(lane, ELI_TANGENT), ELI_3(lane, ELI_VELOCITY), ELI_3(omega, 0)

/* C: the couples that do not depend on spin. */
#define ELI_SPIN_COUPLES                                                                                                                   \
  double C1 = ELI_ELEMENT_COUPLE(before1, after1, shear1), C2 = ELI_ELEMENT_COUPLE(before2, after2, shear2),                               \
         C3 = ELI_ELEMENT_COUPLE(before3, after3, shear3);                                                                                 \
  if (loaded) {                                                                                                                            \
    C1 = C1 + external1[j];                                                                                                                \
    C2 = C2 + external2[j];                                                                                                                \
    C3 = C3 + external3[j];                                                                                                                \
  }                                                                                                                                        \
  const double e = classical ? 1.0 : dilatation[j]

/* s = (de/dt)/e at the midpoint: the mean of its values with the old and the new velocities. */
#define ELI_MIDPOINT_RATE                                                                                                                  \
  (0.5 * (rate[j] + (tx[j] * (vx[j + 1] - vx[j]) + ty[j] * (vy[j + 1] - vy[j]) + tz[j] * (vz[j + 1] - vz[j]))) * inverse_length[j])

/* Elements with J1 = J2: the midpoint rule in closed form. With x = dt c e/J, d = 1 + x + x^2/2 (phi0 = 1/d, phi1 = (1 + x/2)/d), h =
 * (dt/2)(1 + x/2), every quantity of the closed form is a numerator over d, and the d cancel: b = (1 + d)/2 omega + h (e/J) C, p = d - h s,
 * g = (J3 - J1)/J1, m3 = b3/p3, q = h1 g b3, (m1, m2) = p3 (p1 p3 b1 - q b2, p1 p3 b2 + q b1)/((p1 p3)^2 + q^2), omega_new = 2 m - omega.
 * One division serves all three. */
ELI_INLINE unsigned kick_elements(size_t count, double dt, int loaded, int classical, ELI_SPIN_PARAMETERS) {
  flag bad = 0;
  (void)J1, (void)J2;
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    ELI_SPIN_COUPLES;
    const double s = classical ? 0.0 : ELI_MIDPOINT_RATE;
    const double eJ1 = e * inverse_J1[j], eJ3 = e * inverse_J3[j];
    double h1 = 0.5 * dt, h3 = 0.5 * dt, d1 = 1.0, d3 = 1.0, keep1 = 1.0, keep3 = 1.0;
    const double hs = h1 * s, size = hs < 0.0 ? -hs : hs;
    ELI_RAISE_UNLESS(bad, size < 0.5);
    if (loaded) {
      const double c = dt * drag[j], x1 = c * eJ1, x3 = c * eJ3, half1 = 1.0 + 0.5 * x1, half3 = 1.0 + 0.5 * x3;
      d1 = 1.0 + x1 * half1;
      d3 = 1.0 + x3 * half3;
      h1 = h1 * half1;
      h3 = h3 * half3;
      keep1 = 0.5 * (1.0 + d1);
      keep3 = 0.5 * (1.0 + d3);
      external1[j] = external2[j] = external3[j] = drag[j] = -0.0;
    }
    const double a1 = h1 * eJ1, b1 = keep1 * w1[j] + a1 * C1, b2 = keep1 * w2[j] + a1 * C2, b3 = keep3 * w3[j] + (h3 * eJ3) * C3;
    const double p1 = d1 - h1 * s, p3 = d3 - h3 * s, g = J3[j] * inverse_J1[j] - 1.0;
    const double p = p1 * p3, q = (h1 * g) * b3, norm = p * p + q * q, inverse = 1.0 / (p3 * norm), scale = p3 * (p3 * inverse);
    w1[j] = 2.0 * (scale * (p * b1 - q * b2)) - w1[j];
    w2[j] = 2.0 * (scale * (p * b2 + q * b1)) - w2[j];
    w3[j] = 2.0 * (b3 * (norm * inverse)) - w3[j];
  }
  return bad != 0 ? ELI_TRIP_STRETCH : 0;
}

/* One element with any J. midpoint 0: the explicit form. midpoint 1: five evaluations of w_m = b + h [(e/J)((J w_m/e) x w_m) + s w_m]. */
static void kick_any_inertia(double h, double e, double s, const double J[3], const double C[3], double drag, int midpoint,
                             const double omega[3], double omega_new[3]) {
  double b[3], step[3], keep[3], m[3];
  for (int a = 0; a < 3; a++) {
    const double x = 2.0 * h * drag * e / J[a], half = 1.0 + 0.5 * x, phi0 = 1.0 / (1.0 + x * half);
    step[a] = h * (half * phi0);
    keep[a] = phi0;
    b[a] = 0.5 * (1.0 + phi0) * omega[a] + step[a] * (e * C[a] / J[a]);
    m[a] = omega[a];
  }
  for (int k = 0; k < (midpoint ? 5 : 1); k++) {
    /* (e/J) times the gyroscopic couple (J omega/e) x omega */
    const double gyroscopic[3] = {(J[1] - J[2]) * m[1] * m[2] / J[0], (J[2] - J[0]) * m[2] * m[0] / J[1],
                                  (J[0] - J[1]) * m[0] * m[1] / J[2]};
    for (int a = 0; a < 3; a++) {
      const double rate = gyroscopic[a] + s * m[a];
      if (midpoint)
        omega_new[a] = b[a] + step[a] * rate;
      else
        omega_new[a] = keep[a] * omega[a] + 2.0 * step[a] * (e * C[a] / J[a] + rate);
    }
    for (int a = 0; a < 3; a++) m[a] = omega_new[a];
  }
  if (midpoint)
    for (int a = 0; a < 3; a++) omega_new[a] = 2.0 * m[a] - omega[a];
}

/* All elements by the explicit form, or by the midpoint form for any J. Results go to w1, w2, w3; omega stays as it is. */
static unsigned kick_one_by_one(size_t count, double dt, int loaded, int classical, int midpoint, const double *old1, const double *old2,
                                const double *old3, ELI_SPIN_PARAMETERS) {
  unsigned trips = 0;
  (void)inverse_J1, (void)inverse_J3;
  for (size_t j = 0; j < count; j++) {
    if (inverse_J1[j] == 0.0) { /* no element */
      w1[j] = w2[j] = w3[j] = 0.0;
      continue;
    }
    ELI_SPIN_COUPLES;
    const double s = classical ? 0.0 : midpoint ? ELI_MIDPOINT_RATE : rate[j] * inverse_length[j];
    if (!(0.5 * dt * s < 0.5 && 0.5 * dt * s > -0.5)) trips |= ELI_TRIP_STRETCH;
    const double J[3] = {J1[j], J2[j], J3[j]}, C[3] = {C1, C2, C3}, old[3] = {old1[j], old2[j], old3[j]};
    double updated[3];
    kick_any_inertia(0.5 * dt, e, s, J, C, loaded ? drag[j] : 0.0, midpoint, old, updated);
    w1[j] = updated[0];
    w2[j] = updated[1];
    w3[j] = updated[2];
  }
  return trips;
}

/* kick_one_by_one keeps its results in the lanes of the total couple, which nothing reads any more in this step: the closed form still
 * needs the old spins. */
static unsigned kick_spin(size_t begin, size_t count, double dt, int loaded, const eli_law *law, double *const *lane,
                          double *const *scratch) {
  double *const *w = lane + ELI_OMEGA, *const *J = lane + ELI_INERTIA, *const *apart = scratch + ELI_TOTAL_COUPLE;
  const int classical = law->classical, midpoint = !law->explicit_couples, one_by_one = law->explicit_couples || law->any_inertia;
  unsigned trips = 0;
  if (one_by_one) trips = kick_one_by_one(count, dt, loaded, classical, midpoint, ELI_3(w, 0), ELI_SPIN_LANES(lane, scratch, apart));
  if (loaded && classical)
    trips |= kick_elements(count, dt, 1, 1, ELI_SPIN_LANES(lane, scratch, w));
  else if (loaded)
    trips |= kick_elements(count, dt, 1, 0, ELI_SPIN_LANES(lane, scratch, w));
  else if (classical)
    trips |= kick_elements(count, dt, 0, 1, ELI_SPIN_LANES(lane, scratch, w));
  else
    trips |= kick_elements(count, dt, 0, 0, ELI_SPIN_LANES(lane, scratch, w));
  if (one_by_one)
    for (size_t a = 0; a < 3; a++)
      for (size_t j = begin; j < begin + count; j++)
        if (law->explicit_couples || J[0][j] != J[1][j]) w[a][j] = apart[a][j];
  return trips;
}
