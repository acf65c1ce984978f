/* ---- The stable step of each element, for the model linearised about the present state ----
 *
 * models     upper bounds of omega^2 of (3.8), (3.9) from their 6 x 6 blocks per element; the largest over the elements bounds the whole
 * source     element theorem: Irons and Treharne; the paper gives only the rule dt = a dl, which is not safe for stretched or thin rods
 */

/* The lanes ELI_JOINT_BOUND of a joint:
 * bending, torsion: the part of omega^2 that the joint adds to each of its two elements. The rotations of an element are scaled by beta,
 * beta^2 = e/J. k = c B/(Dhat E^3) + |tau|/2 is the bound of the stiffness of the joint (rod/law.h). Per axis the quadratic form of the
 * joint is at most k (|phi1| + |phi2|)^2 <= k (1 + w) |phi1|^2 + k (1 + 1/w) |phi2|^2 for any w > 0. With w = beta2^2/beta1^2, the same for
 * all axes, both elements get k (beta1^2 + beta2^2). This is exact if nothing else acts; w = 1 would give the lighter element 2k times its
 * own beta^2. Torsion acts on another moment of inertia: modes_at() scales it by the ratio of the two moments.
 * couple: the largest couple that the joint exerts on an element, |tau| sqrt(c).
 * coupling: in the rescaled law tau is proportional to D^-3, so stretching of the two elements changes it. The bound of that block, 3/2
 * |couple|/D, acts between the scaled positions (alpha^2 = 4/mass) and the scaled rotations (beta^2 = e/J) of the two elements. The
 * classical law uses neither couple nor coupling. Slots without a joint have 0. */
ELI_INLINE V beta2_at(lanes rod, ptrdiff_t j, const int classical) {
  const V dilatation = classical ? all(1.0) : get(rod, ELI_DILATATION, j);
  return dilatation / smaller(get(rod, ELI_INERTIA, j), get(rod, ELI_INERTIA + 1, j));
}

ELI_INLINE void bound_joints(const eli_sweep *sweep, const int classical, const int exact) {
  const lanes rod = {sweep->lane, sweep->stride}, out = {sweep->scratch, sweep->scratch_stride};
  const V half = all(0.5);
  V last = beta2_at(rod, -WIDTH, classical);
  for (ptrdiff_t k = 0; k < sweep->count; k += WIDTH) {
    const M joint = is_joint(rod, k);
    const V D = half * (near(rod, ELI_LENGTH, k, -1) + get(rod, ELI_LENGTH, k));
    const V3 turn = scale(half * get(rod, ELI_REST_JOINT_LENGTH, k), get3(out, ELI_CURVATURE, k)), tau = get3(out, ELI_JOINT_COUPLE, k);
    const V size = root(dot(tau, tau));
    const JointBound k_of = law_joint_bound(rod, k, D, turn, size, classical, exact);
    const V beta2 = beta2_at(rod, k, classical), before = one_before(last, beta2), both = before + beta2;
    put(out, ELI_JOINT_BOUND, k, where(joint, both * k_of.bending));
    put(out, ELI_JOINT_BOUND + 1, k, where(joint, both * k_of.torsion));
    last = beta2;
    if (classical) continue;
    const V most = size * root(k_of.factor), softer = larger(before, beta2);
    const V alpha2 = all(4.0) / smaller(near(rod, ELI_ELEMENT_MASS, k, -1), get(rod, ELI_ELEMENT_MASS, k));
    put(out, ELI_JOINT_BOUND + 2, k, where(joint, most));
    put(out, ELI_JOINT_BOUND + 3, k, where(joint, all(1.5) * most / D * root(alpha2 * softer)));
  }
}

static void joint_bounds(const eli_sweep *sweep, const eli_law_options *law) {
  if (law->classical && law->exact_couple)
    bound_joints(sweep, 1, 1);
  else if (law->classical)
    bound_joints(sweep, 1, 0);
  else if (law->exact_couple)
    bound_joints(sweep, 0, 1);
  else
    bound_joints(sweep, 0, 0);
}

/* One element with its two half masses. With the edge a = Q d, the stress n = n(a) + muscles, K = dn/da and [a] b = a x b, a small motion
 * (delta d, delta phi) changes force and couple by
 *
 *   [ K            K [a] - [n]         ]      scaled by alpha = sqrt(4/mass) for d and beta = sqrt(e/J) for phi,
 *   [ [n] - [a] K  ([n] - [a] K) [a]   ]      K = diag(s) - n a^T/l^2 (rescaled, s = S/l) or diag(s) (classical, s = S/lhat).
 *
 * If edge and stress are parallel to d3, the block separates into an axial motion and two shear/rotation pairs with T = s a3 - n3. Each
 * pair is T (alpha, beta a3)(alpha, beta a3)^T/a3 and alpha^2 (k - T/a3) on d. The additional terms of shear are bounded by their Frobenius
 * norm, which vanishes without shear. */
typedef struct bounded {
  V l, per_l2;
  V3 a, n; /* edge and stress, material */
  V3 s;    /* S/l or S/lhat */
  V3 e;    /* the elastic part of n times 1/l; e and per_l2 are set in the rescaled law only */
  V alpha2, beta2, beta2_any, alpha_beta;
} bounded;

/* `dilatation` is the e of e/J. */
ELI_INLINE bounded element_at(lanes rod, lanes out, ptrdiff_t j, V dilatation, const int classical) {
  const V l = get(rod, ELI_LENGTH, j), l0 = get(rod, ELI_REST_LENGTH, j);
  const V3 S = get3(rod, ELI_SHEAR_STIFFNESS, j), strain = get3(out, ELI_STRAIN, j), J = get3(rod, ELI_INERTIA, j);
  const V softest = smaller(J.x, J.y);
  bounded b = {.l = l, .n = get3(out, ELI_STRESS, j), .s = law_edge_slope(S, l0, l, classical)};
  b.a = scale(l0, (V3){strain.x, strain.y, strain.z + all(1.0)});
  if (!classical) {
    const V3 elastic = scale(l0, sub(strain, get3(rod, ELI_REST_STRAIN, j)));
    b.per_l2 = all(1.0) / (l * l);
    b.e = (V3){b.s.x * elastic.x, b.s.y * elastic.y, b.s.z * elastic.z};
  }
  b.alpha2 = all(4.0) / get(rod, ELI_ELEMENT_MASS, j);
  b.beta2 = dilatation / softest;
  b.beta2_any = b.beta2;
  if (any((M)(J.z < softest))) b.beta2_any = dilatation / smaller(softest, J.z);
  b.alpha_beta = root(b.alpha2 * b.beta2_any);
  return b;
}

/* The bound of one shear/rotation pair with the stiffness k of d, T and T/a3. */
ELI_INLINE V pair_bound(const bounded *b, V k, V T, V T_per_a3) {
  const V a3 = b->a.z, moment = a3 * T;
  const V pulled = madd(b->alpha2, larger(k, T_per_a3), b->beta2 * moment);
  const V pushed = nmadd(b->beta2, moment, b->alpha2 * (size_of(k) - T_per_a3));
  const V apart = madd(b->alpha2, size_of(k), madd(b->beta2, size_of(moment), b->alpha_beta * size_of(T)));
  return choose(a3 > all(0.5) * b->l, choose(T > all(0.0), pulled, pushed), apart);
}

/* The Frobenius norm of K off its diagonal. */
ELI_INLINE V off_diagonal(const bounded *b) {
  const V3 a = b->a, e = b->e;
  const V o12 = e.x * a.y, o13 = e.x * a.z, o21 = e.y * a.x, o23 = e.y * a.z, o31 = e.z * a.x, o32 = e.z * a.y;
  return b->per_l2 * root(madd(o12, o12, madd(o13, o13, madd(o21, o21, madd(o23, o23, madd(o31, o31, o32 * o32))))));
}

/* The increase of omega^2 by shear, in all modes: entries 13, 23, 31, 32 of the mixed blocks, with their rank-one part (a x e) a^T/l^2, and
 * the block of rotations. T1, T2 belong to the two pairs. */
ELI_INLINE V shear_adds(const bounded *b, V T1, V T2, const int classical) {
  const V3 a = b->a, n = b->n, s = b->s;
  const V c13 = msub(s.x, a.y, n.y), c23 = nmadd(s.y, a.x, n.x), c31 = nmadd(s.z, a.y, n.y), c32 = msub(s.z, a.x, n.x);
  const V corners = root(madd(c13, c13, madd(c23, c23, madd(c31, c31, c32 * c32))));
  const V3 p1 = {c31 * a.y, c31 * a.x, T2 * a.x}, p2 = {c32 * a.y, c32 * a.x, T1 * a.y};
  const V3 p3 = {c23 * a.z, c13 * a.z, msub(c13, a.y, c23 * a.x)};
  const V turning = b->beta2_any * root(dot(p1, p1) + dot(p2, p2) + dot(p3, p3));
  if (classical) return madd(b->alpha_beta, corners, turning);
  const V3 w = cross(a, b->e);
  const V mixed = madd(all(0.5), root(b->per_l2 * dot(w, w)), corners);
  return madd(b->alpha2, off_diagonal(b), madd(b->alpha_beta, mixed, turning));
}

/* The additional terms of the rescaled law: from e in e/J, and from D in the couples of joints. */
ELI_INLINE V rescaling_adds(const bounded *b, lanes out, ptrdiff_t j) {
  const V3 x = cross(b->a, b->n);
  const V couples = get(out, ELI_JOINT_BOUND + 2, j) + near(out, ELI_JOINT_BOUND + 2, j, 1);
  const V coupling = get(out, ELI_JOINT_BOUND + 3, j) + near(out, ELI_JOINT_BOUND + 3, j, 1);
  return madd(b->alpha_beta, all(0.5) * (couples + root(dot(x, x))) / b->l, coupling);
}

/* Writes the bounds of omega^2 for the three modes of an element, and returns the largest. */
ELI_INLINE V modes_at(const bounded *b, lanes rod, lanes out, ptrdiff_t j, const int classical) {
  const V T1 = msub(b->s.x, b->a.z, b->n.z), T2 = msub(b->s.y, b->a.z, b->n.z);
  const V T1_per_a3 = T1 / b->a.z, T2_per_a3 = quotient_like(T2, b->a.z, T1, T1_per_a3);
  const V bending = get(out, ELI_JOINT_BOUND, j) + near(out, ELI_JOINT_BOUND, j, 1);
  const V twisting = get(out, ELI_JOINT_BOUND + 1, j) + near(out, ELI_JOINT_BOUND + 1, j, 1);
  V3 k = b->s;
  if (!classical)
    k = (V3){nmadd(b->e.x * b->a.x, b->per_l2, k.x), nmadd(b->e.y * b->a.y, b->per_l2, k.y), nmadd(b->e.z * b->a.z, b->per_l2, k.z)};
  V extra = shear_adds(b, T1, T2, classical);
  if (!classical) extra = extra + rescaling_adds(b, out, j);
  const V pairs = larger(pair_bound(b, k.x, T1, T1_per_a3), pair_bound(b, k.y, T2, T2_per_a3));
  const V shear = bending + pairs + extra, axial = madd(b->alpha2, size_of(k.z), extra);
  const V torsion = madd(smaller(get(rod, ELI_INERTIA, j), get(rod, ELI_INERTIA + 1, j)) / get(rod, ELI_INERTIA + 2, j), twisting, extra);
  put(out, ELI_SHEAR_BOUND, j, shear);
  put(out, ELI_AXIAL_BOUND, j, axial);
  put(out, ELI_TORSION_BOUND, j, torsion);
  return larger(larger(shear, axial), torsion);
}

/* 1/m, also for a node with a prescribed position; 0 in a slot without mass. */
ELI_INLINE V per_mass(V mass) {
  return where((M)(mass > all(0.0)), all(1.0) / mass);
}

/* The larger value of two nodes, each divided by the mass of the node. */
ELI_INLINE V of_nodes(lanes rod, lanes out, int lane, ptrdiff_t j) {
  return larger(get(out, lane, j) * per_mass(get(rod, ELI_MASS, j)), near(out, lane, j, 1) * per_mass(near(rod, ELI_MASS, j, 1)));
}

/* omega^2 <= the largest of the three modes + added; dt = 4/(c + sqrt(c^2 + 4 omega^2)). With added 0, hooks have added nothing. */
ELI_INLINE void limit_elements(const eli_sweep *sweep, const int classical, const int added) {
  const lanes rod = {sweep->lane, sweep->stride}, out = {sweep->scratch, sweep->scratch_stride};
  for (ptrdiff_t j = 0; j < sweep->count; j += WIDTH) {
    const V dilatation = classical ? all(1.0) : get(rod, ELI_DILATATION, j);
    const bounded b = element_at(rod, out, j, dilatation, classical);
    V omega2 = modes_at(&b, rod, out, j, classical), more = all(0.0), twice = root(all(4.0) * omega2);
    if (added) {
      const V rate = madd(get(out, ELI_ADDED_ELEMENT_RATE, j), b.beta2_any, of_nodes(rod, out, ELI_ADDED_NODE_RATE, j));
      more = madd(get(out, ELI_ADDED_ELEMENT, j), b.beta2_any, of_nodes(rod, out, ELI_ADDED_NODE, j));
      omega2 = omega2 + more;
      twice = rate + root(madd(rate, rate, all(4.0) * omega2));
    }
    put(out, ELI_ADDED_BOUND, j, more);
    put(out, ELI_ELEMENT_LIMIT, j, all(4.0) / twice);
  }
}

static void element_limits(const eli_sweep *sweep, const eli_law_options *law, int added) {
  if (law->classical && added)
    limit_elements(sweep, 1, 1);
  else if (law->classical)
    limit_elements(sweep, 1, 0);
  else if (added)
    limit_elements(sweep, 0, 1);
  else
    limit_elements(sweep, 0, 0);
}

/* ---- Extremes for a limit check: the step limit, and the state for the allowed motion until the next limit check ----
 *
 * rounding   squares without fused operations, so that plain code finds the same element again
 */

ELI_INLINE V square_of(V3 a) {
  return a.x * a.x + a.y * a.y + a.z * a.z;
}

static eli_extremes extremes(const eli_sweep *sweep) {
  const lanes rod = {sweep->lane, sweep->stride}, out = {sweep->scratch, sweep->scratch_stride};
  V most = all(-INFINITY), shear2 = all(0.0), turn2 = shear2, spin2 = shear2, speed2 = shear2;
  for (ptrdiff_t i = 0; i < sweep->count; i += WIDTH) {
    const M element = is_element(rod, i);
    const V step = get(out, ELI_ELEMENT_LIMIT, i), joint = get(rod, ELI_REST_JOINT_LENGTH, i);
    const V sigma1 = get(out, ELI_STRAIN, i), sigma2 = get(out, ELI_STRAIN + 1, i);
    most = larger(choose(element, -where((M)(step >= all(0.0)), step), all(-INFINITY)), most);
    shear2 = larger(where(element, sigma1 * sigma1 + sigma2 * sigma2), shear2);
    turn2 = larger(where(is_joint(rod, i), square_of(get3(out, ELI_CURVATURE, i)) * joint * joint), turn2);
    spin2 = larger(where(element, square_of(get3(rod, ELI_OMEGA, i))), spin2);
    speed2 = larger(square_of(get3(rod, ELI_VELOCITY, i)), speed2);
  }
  return (eli_extremes){-largest(most), largest(shear2), largest(turn2), largest(spin2), largest(speed2)};
}
