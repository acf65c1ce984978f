/* ---- The stable step of each element, of the model linearised about the present state ----
 *
 * models     upper bounds of omega^2 of (3.8), (3.9) with their 6 x 6 blocks per element; the largest over the elements bounds the whole
 * source     element theorem: Irons and Treharne; the paper gives only the rule dt = a dl, which is not safe for stretched or thin rods
 */

/* bending, torsion: 2k of a joint, for bending by the larger of axes 1 and 2. k = c B/(Dhat E^3) + |tau|/2, where c = 1 + theta^2/4 for the
 * papers' couple and ((theta/2)/sin(theta/2))^2 for the exact one, evaluated by its series with a last term that bounds the remainder up to
 * theta = 3. couple: the largest couple that the joint exerts on an element, |tau| sqrt(c).
 * coupling: in the rescaled law tau goes with D^-3, so that stretching the two elements changes it. It bounds that block, 3/2 |couple|/D,
 * between the scaled positions (alpha^2 = 4/mass) and the scaled turns (beta^2 = e/J) of the two elements. */
ELI_INLINE void bound_joints(const eli_sweep *sweep, const int classical, const int exact) {
  const lanes rod = {sweep->lane, sweep->stride}, out = {sweep->scratch, sweep->scratch_stride};
  const V one = all(1.0), half = all(0.5);
  for (ptrdiff_t k = 0; k < sweep->count; k += WIDTH) {
    const V per_joint = get(rod, ELI_INVERSE_REST_JOINT_LENGTH, k), D = half * (near(rod, ELI_LENGTH, k, -1) + get(rod, ELI_LENGTH, k));
    const V E = D * per_joint, E3 = E * E * E, per_E3 = one / (classical ? one : E3);
    const V3 turn = scale(half * get(rod, ELI_REST_JOINT_LENGTH, k), get3(out, ELI_CURVATURE, k)), tau = get3(out, ELI_JOINT_COUPLE, k);
    const V quarter = dot(turn, turn), tail = madd(quarter, madd(quarter, all(0.0153), all(1.0 / 15.0)), all(1.0 / 3.0));
    const V c = madd(quarter, exact ? tail : one, one), stiff = all(2.0) * c * (per_joint * per_E3);
    const V size = root(dot(tau, tau)), most = size * root(c);
    const V3 B = get3(rod, ELI_BEND, k), J = get3(rod, ELI_INERTIA, k), J_before = near3(rod, ELI_INERTIA, k, -1);
    const V beta2 =
        larger(near(rod, ELI_DILATATION, k, -1) / smaller(J_before.x, J_before.y), get(rod, ELI_DILATATION, k) / smaller(J.x, J.y));
    const V alpha2 = all(4.0) / smaller(near(rod, ELI_ELEMENT_MASS, k, -1), get(rod, ELI_ELEMENT_MASS, k));
    put(out, ELI_JOINT_BOUND, k, madd(stiff, larger(B.x, B.y), size));
    put(out, ELI_JOINT_BOUND + 1, k, madd(stiff, B.z, size));
    put(out, ELI_JOINT_BOUND + 2, k, most);
    put(out, ELI_JOINT_BOUND + 3, k, (classical ? all(0.0) : all(1.5)) * most / D * root(alpha2 * beta2));
  }
}

static void joint_bounds(const eli_sweep *sweep, const eli_law *law) {
  if (law->classical && law->exact_couple)
    bound_joints(sweep, 1, 1);
  else if (law->classical)
    bound_joints(sweep, 1, 0);
  else if (law->exact_couple)
    bound_joints(sweep, 0, 1);
  else
    bound_joints(sweep, 0, 0);
}

/* An element by itself, between its two half masses. With the edge a = Q d, the stress n = n(a) + muscles, K = dn/da and [a] b = a x b, a
 * small motion (delta d, delta phi) changes force and couple by
 *
 *   [ K            K [a] - [n]         ]      scaled by alpha = sqrt(4/mass) for d and beta = sqrt(e/J) for phi,
 *   [ [n] - [a] K  ([n] - [a] K) [a]   ]      K = diag(s) - n a^T/l^2 (rescaled, s = S/l) or diag(s) (classical, s = S/lhat).
 *
 * Where edge and stress lie along d3 the block separates into an axial motion and two shear/rotation pairs with T = s a3 - n3, each
 * T (alpha, beta a3)(alpha, beta a3)^T/a3 and alpha^2 (k - T/a3) on d. What shear adds is bounded by its Frobenius norm, which vanishes
 * without shear. */
typedef struct bounded {
  V l, per_l2;
  V3 a, n; /* edge and stress, material */
  V3 s;    /* S/l or S/lhat */
  V3 e;    /* the elastic part of n, in proportion to 1/l; 0 in the classical law */
  V alpha2, beta2, beta2_any, alpha_beta;
} bounded;

/* dilatation: e of e/J. */
ELI_INLINE bounded element_at(lanes rod, lanes out, ptrdiff_t j, V dilatation, const int classical) {
  const V l = get(rod, ELI_LENGTH, j), l0 = get(rod, ELI_REST_LENGTH, j), base = classical ? l0 : l;
  const V3 S = get3(rod, ELI_SHEAR_STIFFNESS, j), strain = get3(out, ELI_STRAIN, j), J = get3(rod, ELI_INERTIA, j);
  const V softest = smaller(J.x, J.y);
  bounded b = {.l = l, .per_l2 = all(1.0) / (l * l), .n = get3(out, ELI_STRESS, j), .s = {S.x / base, S.y / base, S.z / base}};
  b.a = scale(l0, (V3){strain.x, strain.y, strain.z + all(1.0)});
  b.e = (V3){all(0.0), all(0.0), all(0.0)};
  if (!classical) {
    const V3 elastic = scale(l0, sub(strain, get3(rod, ELI_REST_STRAIN, j)));
    b.e = (V3){b.s.x * elastic.x, b.s.y * elastic.y, b.s.z * elastic.z};
  }
  b.alpha2 = all(4.0) / get(rod, ELI_ELEMENT_MASS, j);
  b.beta2 = dilatation / softest;
  b.beta2_any = dilatation / smaller(softest, J.z);
  b.alpha_beta = root(b.alpha2 * b.beta2_any);
  return b;
}

/* One shear/rotation pair, with the stiffness k of d and T. */
ELI_INLINE V pair_bound(const bounded *b, V k, V T) {
  const V a3 = b->a.z, moment = a3 * T;
  const V pulled = madd(b->alpha2, larger(k, T / a3), b->beta2 * moment);
  const V pushed = nmadd(b->beta2, moment, b->alpha2 * (size_of(k) - T / a3));
  const V apart = madd(b->alpha2, size_of(k), madd(b->beta2, size_of(moment), b->alpha_beta * size_of(T)));
  return choose(a3 > all(0.5) * b->l, choose(T > all(0.0), pulled, pushed), apart);
}

/* The Frobenius norm of K off its diagonal. */
ELI_INLINE V off_diagonal(const bounded *b) {
  const V3 a = b->a, e = b->e;
  const V o12 = e.x * a.y, o13 = e.x * a.z, o21 = e.y * a.x, o23 = e.y * a.z, o31 = e.z * a.x, o32 = e.z * a.y;
  return b->per_l2 * root(madd(o12, o12, madd(o13, o13, madd(o21, o21, madd(o23, o23, madd(o31, o31, o32 * o32))))));
}

/* What shear adds to the square of the frequency, in all modes: the entries 13, 23, 31, 32 of the mixed blocks, with their rank-one part (a x
 * e) a^T/l^2, and of the block of turns. T1, T2: of the two pairs. */
ELI_INLINE V shear_adds(const bounded *b, V T1, V T2) {
  const V3 a = b->a, n = b->n, s = b->s, w = cross(a, b->e);
  const V c13 = msub(s.x, a.y, n.y), c23 = nmadd(s.y, a.x, n.x), c31 = nmadd(s.z, a.y, n.y), c32 = msub(s.z, a.x, n.x);
  const V corners = madd(c13, c13, madd(c23, c23, madd(c31, c31, c32 * c32)));
  const V mixed = madd(all(0.5), root(b->per_l2 * dot(w, w)), root(corners));
  const V3 p1 = {c31 * a.y, c31 * a.x, T2 * a.x}, p2 = {c32 * a.y, c32 * a.x, T1 * a.y};
  const V3 p3 = {c23 * a.z, c13 * a.z, msub(c13, a.y, c23 * a.x)};
  const V turning = root(dot(p1, p1) + dot(p2, p2) + dot(p3, p3));
  return madd(b->alpha2, off_diagonal(b), madd(b->alpha_beta, mixed, b->beta2_any * turning));
}

ELI_INLINE void bound_elements(const eli_sweep *sweep, const int classical) {
  const lanes rod = {sweep->lane, sweep->stride}, out = {sweep->scratch, sweep->scratch_stride};
  for (ptrdiff_t j = 0; j < sweep->count; j += WIDTH) {
    const V E = classical ? all(1.0) : get(rod, ELI_DILATATION, j);
    const bounded b = element_at(rod, out, j, E, classical);
    const V T1 = msub(b.s.x, b.a.z, b.n.z), T2 = msub(b.s.y, b.a.z, b.n.z);
    const V3 k = {nmadd(b.e.x * b.a.x, b.per_l2, b.s.x), nmadd(b.e.y * b.a.y, b.per_l2, b.s.y), nmadd(b.e.z * b.a.z, b.per_l2, b.s.z)};
    const V bending = get(out, ELI_JOINT_BOUND, j) + near(out, ELI_JOINT_BOUND, j, 1);
    const V torsion = get(out, ELI_JOINT_BOUND + 1, j) + near(out, ELI_JOINT_BOUND + 1, j, 1);
    V extra = shear_adds(&b, T1, T2);
    if (!classical) { /* from e in e/J, and from D in the couples of joints */
      const V3 x = cross(b.a, b.n);
      const V couples = get(out, ELI_JOINT_BOUND + 2, j) + near(out, ELI_JOINT_BOUND + 2, j, 1);
      const V coupling = get(out, ELI_JOINT_BOUND + 3, j) + near(out, ELI_JOINT_BOUND + 3, j, 1);
      extra = extra + madd(b.alpha_beta, all(0.5) * (couples + root(dot(x, x))) / b.l, coupling);
    }
    put(out, ELI_SHEAR_BOUND, j, madd(b.beta2, bending, larger(pair_bound(&b, k.x, T1), pair_bound(&b, k.y, T2))) + extra);
    put(out, ELI_AXIAL_BOUND, j, madd(b.alpha2, size_of(k.z), extra));
    put(out, ELI_TORSION_BOUND, j, madd(E / get(rod, ELI_INERTIA + 2, j), torsion, extra));
  }
}

/* 1/m, also of a node that is held; 0 where there is none. */
ELI_INLINE V per_mass(V mass) {
  return where((M)(mass > all(0.0)), all(1.0) / mass);
}

/* The larger of what two nodes have, each over its mass. */
ELI_INLINE V of_nodes(lanes rod, lanes out, int lane, ptrdiff_t j) {
  return larger(get(out, lane, j) * per_mass(get(rod, ELI_MASS, j)), near(out, lane, j, 1) * per_mass(near(rod, ELI_MASS, j, 1)));
}

/* omega^2 <= the largest of the three + added; dt = 4/(c + sqrt(c^2 + 4 omega^2)). */
ELI_INLINE void limit_elements(const eli_sweep *sweep, const int classical) {
  const lanes rod = {sweep->lane, sweep->stride}, out = {sweep->scratch, sweep->scratch_stride};
  for (ptrdiff_t j = 0; j < sweep->count; j += WIDTH) {
    const V3 J = get3(rod, ELI_INERTIA, j);
    const V turning = (classical ? all(1.0) : get(rod, ELI_DILATATION, j)) / smaller(smaller(J.x, J.y), J.z);
    const V added = madd(get(out, ELI_ADDED_ELEMENT, j), turning, of_nodes(rod, out, ELI_ADDED_NODE, j));
    const V rate = madd(get(out, ELI_ADDED_ELEMENT_RATE, j), turning, of_nodes(rod, out, ELI_ADDED_NODE_RATE, j));
    const V bent = larger(get(out, ELI_SHEAR_BOUND, j), get(out, ELI_AXIAL_BOUND, j));
    const V omega2 = larger(bent, get(out, ELI_TORSION_BOUND, j)) + added;
    put(out, ELI_ADDED_BOUND, j, added);
    put(out, ELI_ELEMENT_LIMIT, j, all(4.0) / (rate + root(madd(rate, rate, all(4.0) * omega2))));
  }
}

static void element_limits(const eli_sweep *sweep, const eli_law *law) {
  if (law->classical) {
    bound_elements(sweep, 1);
    limit_elements(sweep, 1);
  } else {
    bound_elements(sweep, 0);
    limit_elements(sweep, 0);
  }
}
