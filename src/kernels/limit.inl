/* ---- The stable step of each element, of the model linearised about the present state ----
 *
 * models     upper bounds of omega^2 of (3.8), (3.9) with their 6 x 6 blocks per element; the largest over the elements bounds the whole
 * source     element theorem: Irons and Treharne; the paper gives only the rule dt = a dl, which is not safe for stretched or thin rods
 */

/* The counts given to the loops below are multiples of ELI_BLOCK. The mask tells the compiler so, and it emits no loop for a remainder. */
ELI_INLINE size_t whole(size_t count) {
  return count & ~(size_t)(ELI_BLOCK - 1);
}

ELI_INLINE ptrdiff_t whole_signed(size_t count) {
  return (ptrdiff_t)whole(count);
}

/* One, three or nine consecutive lanes, each at the first slot of the sweep. */
#define ELI_1(lane, k) ((lane)[(k)] + begin)
#define ELI_3(lane, k) ELI_1(lane, k), ELI_1(lane, (k) + 1), ELI_1(lane, (k) + 2)

#define ELI_LARGER(a, b) ((a) > (b) ? (a) : (b))
#define ELI_SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define ELI_SIZE(a) ((a) < 0.0 ? -(a) : (a))

/* bending, torsion: 2k of a joint, for bending by the larger of axes 1 and 2. k = c B/(Dhat E^3) + |tau|/2, where c = 1 + theta^2/4 for the
 * papers' couple and ((theta/2)/sin(theta/2))^2 for the exact one, evaluated by its series with a last term that bounds the remainder up to
 * theta = 3. couple: the largest couple that the joint exerts on an element, |tau| sqrt(c).
 * coupling: in the rescaled law tau goes with D^-3, so that stretching the two elements changes it. It bounds that block, 3/2 |couple|/D,
 * between the scaled positions (alpha^2 = 4/mass) and the scaled turns (beta^2 = e/J) of the two elements. */
ELI_INLINE void bound_joints(size_t count, int classical, int exact, const double *restrict inverse_joint_length,
                             const double *restrict joint_length, const double *restrict length, const double *restrict B1,
                             const double *restrict B2, const double *restrict B3, const double *restrict k1, const double *restrict k2,
                             const double *restrict k3, const double *restrict m1, const double *restrict m2, const double *restrict m3,
                             const double *restrict mass, const double *restrict dilatation, const double *restrict J1,
                             const double *restrict J2, double *restrict bending, double *restrict torsion, double *restrict couple,
                             double *restrict coupling) {
  for (ptrdiff_t k = 0; k < whole_signed(count); k++) { /* vectorised */
    const double D = 0.5 * (length[k - 1] + length[k]), E = D * inverse_joint_length[k];
    const double inverse_E3 = classical ? 1.0 : 1.0 / (E * E * E);
    const double quarter = 0.25 * (joint_length[k] * joint_length[k]) * (k1[k] * k1[k] + k2[k] * k2[k] + k3[k] * k3[k]);
    const double c = exact ? 1.0 + quarter * (1.0 / 3.0 + quarter * (1.0 / 15.0 + quarter * 0.0153)) : 1.0 + quarter;
    const double scale = 2.0 * c * (inverse_joint_length[k] * inverse_E3);
    const double tau = sqrt(m1[k] * m1[k] + m2[k] * m2[k] + m3[k] * m3[k]), most = tau * sqrt(c);
    const double before = ELI_SMALLER(J1[k - 1], J2[k - 1]), after = ELI_SMALLER(J1[k], J2[k]);
    const double turn_before = dilatation[k - 1] / before, turn_after = dilatation[k] / after;
    const double beta2 = ELI_LARGER(turn_before, turn_after), alpha2 = 4.0 / ELI_SMALLER(mass[k - 1], mass[k]);
    bending[k] = scale * ELI_LARGER(B1[k], B2[k]) + tau;
    torsion[k] = scale * B3[k] + tau;
    couple[k] = most;
    coupling[k] = classical ? 0.0 : 1.5 * most / D * sqrt(alpha2 * beta2);
  }
}

static void joint_bounds(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch) {
#define ELI_BOUND(classical, exact)                                                                                                        \
  bound_joints(count, classical, exact, ELI_1(lane, ELI_INVERSE_REST_JOINT_LENGTH), ELI_1(lane, ELI_REST_JOINT_LENGTH),                    \
               ELI_1(lane, ELI_LENGTH), ELI_3(lane, ELI_BEND), ELI_3(scratch, ELI_CURVATURE), ELI_3(scratch, ELI_JOINT_COUPLE),            \
               ELI_1(lane, ELI_ELEMENT_MASS), ELI_1(lane, ELI_DILATATION), ELI_1(lane, ELI_INERTIA), ELI_1(lane, ELI_INERTIA + 1),         \
               ELI_3(scratch, ELI_JOINT_BOUND), ELI_1(scratch, ELI_JOINT_BOUND + 3))
  if (law->classical && law->exact_couple)
    ELI_BOUND(1, 1);
  else if (law->classical)
    ELI_BOUND(1, 0);
  else if (law->exact_couple)
    ELI_BOUND(0, 1);
  else
    ELI_BOUND(0, 0);
#undef ELI_BOUND
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
#define ELI_PAIR(k, T)                                                                                                                     \
  (upright ? ((T) > 0.0 ? alpha2 * ELI_LARGER(k, (T) / a3) + beta2 * (a3 * (T)) : alpha2 * (ELI_SIZE(k) - (T) / a3) - beta2 * (a3 * (T)))  \
           : alpha2 * ELI_SIZE(k) + beta2 * ELI_SIZE(a3 * (T)) + alpha_beta * ELI_SIZE(T))

ELI_INLINE void bound_elements(size_t count, int classical, const double *restrict mass, const double *restrict rest_length,
                               const double *restrict length, const double *restrict dilatation, const double *restrict S1,
                               const double *restrict S2, const double *restrict S3, const double *restrict rest1,
                               const double *restrict rest2, const double *restrict rest3, const double *restrict J1,
                               const double *restrict J2, const double *restrict J3, const double *restrict strain1,
                               const double *restrict strain2, const double *restrict strain3, const double *restrict n1,
                               const double *restrict n2, const double *restrict n3, const double *restrict bending,
                               const double *restrict torsion, const double *restrict couple, const double *restrict coupling,
                               double *restrict shear_bound, double *restrict axial_bound, double *restrict torsion_bound) {
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    const double l = length[j], l0 = rest_length[j], per_l2 = 1.0 / (l * l), base = classical ? l0 : l, E = classical ? 1.0 : dilatation[j];
    const double a1 = l0 * strain1[j], a2 = l0 * strain2[j], a3 = l0 * (strain3[j] + 1.0);
    const double s1 = S1[j] / base, s2 = S2[j] / base, s3 = S3[j] / base;
    const double e1 = classical ? 0.0 : s1 * (strain1[j] - rest1[j]) * l0, e2 = classical ? 0.0 : s2 * (strain2[j] - rest2[j]) * l0,
                 e3 = classical ? 0.0 : s3 * (strain3[j] - rest3[j]) * l0; /* the elastic part of n, in proportion to 1/l */
    const double softest = ELI_SMALLER(J1[j], J2[j]), smallest = ELI_SMALLER(softest, J3[j]);
    const double alpha2 = 4.0 / mass[j], beta2 = E / softest, beta2_any = E / smallest, alpha_beta = sqrt(alpha2 * beta2_any);
    const int upright = a3 > 0.5 * l;
    const double T1 = s1 * a3 - n3[j], T2 = s2 * a3 - n3[j];
    const double k1 = s1 - e1 * a1 * per_l2, k2 = s2 - e2 * a2 * per_l2, k3 = s3 - e3 * a3 * per_l2;
    const double pair1 = ELI_PAIR(k1, T1), pair2 = ELI_PAIR(k2, T2);
    /* What shear adds: K off its diagonal; the entries 13, 23, 31, 32 of the mixed blocks and their rank-one part (a x e) a^T/l^2. */
    const double o12 = e1 * a2, o13 = e1 * a3, o21 = e2 * a1, o23 = e2 * a3, o31 = e3 * a1, o32 = e3 * a2;
    const double off = per_l2 * sqrt(o12 * o12 + o13 * o13 + o21 * o21 + o23 * o23 + o31 * o31 + o32 * o32);
    const double c13 = s1 * a2 - n2[j], c23 = n1[j] - s2 * a1, c31 = n2[j] - s3 * a2, c32 = s3 * a1 - n1[j];
    const double d13 = n2[j] - s3 * a2, d23 = s3 * a1 - n1[j], d31 = s1 * a2 - n2[j], d32 = n1[j] - s2 * a1;
    const double w1 = a2 * e3 - a3 * e2, w2 = a3 * e1 - a1 * e3, w3 = a1 * e2 - a2 * e1;
    const double mixed = sqrt(c13 * c13 + c23 * c23 + c31 * c31 + c32 * c32) + 0.5 * sqrt(per_l2 * (w1 * w1 + w2 * w2 + w3 * w3));
    const double p11 = d13 * a2, p12 = d13 * a1, p13 = T2 * a1, p21 = d23 * a2, p22 = d23 * a1, p23 = T1 * a2, p31 = d32 * a3,
                 p32 = d31 * a3, p33 = d31 * a2 - d32 * a1;
    const double turning = sqrt(p11 * p11 + p12 * p12 + p13 * p13 + p21 * p21 + p22 * p22 + p23 * p23 + p31 * p31 + p32 * p32 + p33 * p33);
    const double x1 = a2 * n3[j] - a3 * n2[j], x2 = a3 * n1[j] - a1 * n3[j], x3 = a1 * n2[j] - a2 * n1[j];
    const double stretching =
        classical ? 0.0 : 0.5 * (couple[j] + couple[j + 1] + sqrt(x1 * x1 + x2 * x2 + x3 * x3)) / l; /* from e in e/J */
    const double extra =
        alpha2 * off + alpha_beta * (mixed + stretching) + beta2_any * turning + (classical ? 0.0 : coupling[j] + coupling[j + 1]);
    shear_bound[j] = ELI_LARGER(pair1, pair2) + E * (bending[j] + bending[j + 1]) / softest + extra;
    axial_bound[j] = alpha2 * ELI_SIZE(k3) + extra;
    torsion_bound[j] = E * (torsion[j] + torsion[j + 1]) / J3[j] + extra;
  }
}

/* omega^2 <= the largest of the three + added; dt = 4/(c + sqrt(c^2 + 4 omega^2)). */
ELI_INLINE void limit_elements(size_t count, int classical, const double *restrict dilatation, const double *restrict J1,
                               const double *restrict J2, const double *restrict J3, const double *restrict inverse_node_mass,
                               const double *restrict node, const double *restrict element, const double *restrict node_rate,
                               const double *restrict element_rate, const double *restrict shear, const double *restrict axial,
                               const double *restrict torsion, double *restrict added_bound, double *restrict limit) {
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    const double J12 = ELI_SMALLER(J1[j], J2[j]), J = ELI_SMALLER(J12, J3[j]), E = classical ? 1.0 : dilatation[j], turning = E / J;
    const double node1 = node[j] * inverse_node_mass[j], node2 = node[j + 1] * inverse_node_mass[j + 1];
    const double added = ELI_LARGER(node1, node2) + element[j] * turning;
    const double rate1 = node_rate[j] * inverse_node_mass[j], rate2 = node_rate[j + 1] * inverse_node_mass[j + 1];
    const double rate = ELI_LARGER(rate1, rate2) + element_rate[j] * turning;
    const double larger = ELI_LARGER(shear[j], axial[j]), omega2 = ELI_LARGER(larger, torsion[j]) + added;
    added_bound[j] = added;
    limit[j] = 4.0 / (rate + sqrt(rate * rate + 4.0 * omega2));
  }
}

static void element_limits(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch) {
#define ELI_LIMIT(classical)                                                                                                               \
  bound_elements(count, classical, ELI_1(lane, ELI_ELEMENT_MASS), ELI_1(lane, ELI_REST_LENGTH), ELI_1(lane, ELI_LENGTH),                   \
                 ELI_1(lane, ELI_DILATATION), ELI_3(lane, ELI_SHEAR_STIFFNESS), ELI_3(lane, ELI_REST_STRAIN), ELI_3(lane, ELI_INERTIA),    \
                 ELI_3(scratch, ELI_STRAIN), ELI_3(scratch, ELI_STRESS), ELI_3(scratch, ELI_JOINT_BOUND),                                  \
                 ELI_1(scratch, ELI_JOINT_BOUND + 3), ELI_1(scratch, ELI_SHEAR_BOUND), ELI_1(scratch, ELI_AXIAL_BOUND),                    \
                 ELI_1(scratch, ELI_TORSION_BOUND));                                                                                       \
  limit_elements(count, classical, ELI_1(lane, ELI_DILATATION), ELI_3(lane, ELI_INERTIA), ELI_1(lane, ELI_INVERSE_MASS),                   \
                 ELI_1(scratch, ELI_ADDED_NODE), ELI_1(scratch, ELI_ADDED_ELEMENT), ELI_1(scratch, ELI_ADDED_NODE_RATE),                   \
                 ELI_1(scratch, ELI_ADDED_ELEMENT_RATE), ELI_1(scratch, ELI_SHEAR_BOUND), ELI_1(scratch, ELI_AXIAL_BOUND),                 \
                 ELI_1(scratch, ELI_TORSION_BOUND), ELI_1(scratch, ELI_ADDED_BOUND), ELI_1(scratch, ELI_ELEMENT_LIMIT))
  if (law->classical) {
    ELI_LIMIT(1);
  } else {
    ELI_LIMIT(0);
  }
#undef ELI_LIMIT
}
