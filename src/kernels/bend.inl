/* ---- Joints: bending and twist between elements k - 1 and k ----
 *
 * equations  (3.4)  Voronoi length D = (l_{k-1} + l_k)/2
 *            (3.5)  curvature kappa = LOG(Q_k Q_{k-1}^T)/Dhat and E = D/Dhat; LOG as in base/rotation.h, because the printed sign does not
 *                   close
 *            (2.8)  bend/twist couple tau = B (kappa - kappa0)/E^3, with B/E^3 by (2.10); classical law: tau = B (kappa - kappa0)
 *            (3.9)  the terms of joint k in the difference Delta^h tau and in the average A^h (kappa x tau Dhat) of its two elements;
 *                   kick.inl adds the terms of the two joints of an element
 *            The exact couple is the gradient of the bending energy. It adds Delta^h (c theta x (theta x tau)) with theta = Dhat kappa and
 *            c of base/rotation.h. The papers' couple is its first-order truncation.
 * lanes      with half = theta/2, tau = (2B/Dhat) half - B kappa0; both factors are precomputed (rod/rod.c)
 * frames     all components are material
 */

/* half_angle_ratio is theta/(4 sin theta) and exact_couple_factor is 4 c = (1 - s cot s)/s^2 with s = theta/2, as functions of h = sin^2(s)
 * in [-1e-10, 1/16], that is theta <= 0.505. Both are exact at 0. Small negative h come from the rounding of a trace. Minimax fits as in
 * base/rotation.h, with relative errors of 4.5e-17 and 5.6e-17. */
ELI_INLINE V half_angle_ratio(V h) {
  const V h2 = h * h, h4 = h2 * h2;
  const V a = madd(all(0x1.55555555552c0p-3), h, all(0.25)), b = madd(all(0x1.d41d416118c62p-4), h, all(0x1.1111111164851p-3));
  const V c = madd(all(0x1.7a3f2bb1f3eabp-4), h, all(0x1.a01a27e1154ccp-4)),
          d = madd(all(0x1.3a3d43aa02fd6p-4), h, all(0x1.5dec18ba86a7cp-4));
  return madd(madd(madd(all(0x1.92257a2600ca3p-4), h2, d), h2, c), h4, madd(b, h2, a));
}

ELI_INLINE V exact_couple_factor(V h) {
  const V h2 = h * h, h4 = h2 * h2;
  const V a = madd(all(0x1.6c16c16c1949dp-6), h, all(0x1.5555555555555p-2)),
          b = madd(all(0x1.6d3eac63d2f81p-8), h, all(0x1.38138131c3a83p-7));
  const V c = madd(all(0x1.6968c3b87025ep-9), h, all(0x1.ecddca7067823p-9)),
          d = madd(all(0x1.17942c549ff93p-9), h, all(0x1.10e9bac2c3edep-9));
  return madd(madd(d, h2, c), h4, madd(b, h2, a));
}

/* The largest h of these two functions. A tile with a larger angle is computed again by the slow path. */
#define FAR_H 0.0625

/* The largest h for which the slow path still uses vectors: theta = 2.4. */
#define WIDE_H 0.8685

/* theta/(4 sin theta) for h in [1/16, 0.8685], that is theta from 0.505 to 2.4. Two half-angle steps lead to w = tan^2(theta/8) and a short
 * series of atan(v)/v in w = v^2. */
ELI_INLINE V half_angle_ratio_wide(V h) {
  const V one = all(1.0), cosine = root(one - h);   /* cos(theta/2) */
  const V secant = root(all(2.0) / (one + cosine)); /* 1/cos(theta/4) */
  const V w = (secant - one) / (secant + one), w2 = w * w, w4 = w2 * w2;
  const V a = madd(all(-0x1.5555555555552p-2), w, one), b = madd(all(-0x1.249249217e976p-3), w, all(0x1.9999999996ba6p-3));
  const V c = madd(all(-0x1.745c8fe22596ep-4), w, all(0x1.c71c6f3ba9c31p-4)),
          d = madd(all(-0x1.0ff68934f558cp-4), w, all(0x1.3b03cf11f8306p-4));
  const V e = madd(all(-0x1.25c4a56d3be05p-5), w, all(0x1.caa0dd36765d7p-5));
  return madd(madd(madd(e, w2, d), w2, c), w4, madd(b, w2, a)) / (cosine * (one + cosine) * (one + secant));
}

/* 4 c for every joint angle, theta^2 in [0, pi^2], with the formula of eli_exact_couple_factor_any: the nearest pole, plus a polynomial for
 * the remainder. */
ELI_INLINE V exact_couple_factor_any(V t2) {
  const double *c = eli_couple_coefficients;
  V rest = all(c[8]);
  for (int k = 7; k >= 0; k--) rest = madd(rest, t2, all(c[k]));
  return all(4.0) * (all(2.0) / (all(ELI_COUPLE_POLE) - t2) + rest);
}

ELI_INLINE M is_joint(lanes rod, ptrdiff_t k) {
  return (M)(get(rod, ELI_INVERSE_REST_JOINT_LENGTH, k) > all(0.0));
}

/* The rotation of a joint, R = Q_k Q_{k-1}^T: axis = vee(R^T - R) = 2 sin(theta) u, exactly 0 for equal frames, and h = sin^2(theta/2) = (3
 * - tr R)/4. */
typedef struct Joint {
  V3 axis;
  V h;
} Joint;

ELI_INLINE Joint joint_between(Frame before, Frame after) {
  const V trace = dot(after.d1, before.d1) + dot(after.d2, before.d2) + dot(after.d3, before.d3);
  return (Joint){{dot(after.d2, before.d3) - dot(after.d3, before.d2), dot(after.d3, before.d1) - dot(after.d1, before.d3),
                  dot(after.d1, before.d2) - dot(after.d2, before.d1)},
                 nmadd(all(0.25), trace, all(0.75))};
}

/* Computes LOG(R)/2 one by one for the joints beyond the range of half_angle_ratio_wide. */
static void log_one_by_one(M beyond, Frame before, Frame after, V3 *half) {
  for (int l = 0; l < WIDTH; l++) {
    if (!beyond[l]) continue;
    const double a[9] = {after.d1.x[l], after.d1.y[l], after.d1.z[l], after.d2.x[l], after.d2.y[l],
                         after.d2.z[l], after.d3.x[l], after.d3.y[l], after.d3.z[l]};
    const double b[9] = {before.d1.x[l], before.d1.y[l], before.d1.z[l], before.d2.x[l], before.d2.y[l],
                         before.d2.z[l], before.d3.x[l], before.d3.y[l], before.d3.z[l]};
    double r[9], theta[3];
    eli_relative_rotation(a, b, r);
    eli_rotation_log(r, theta);
    half->x[l] = 0.5 * theta[0];
    half->y[l] = 0.5 * theta[1];
    half->z[l] = 0.5 * theta[2];
  }
}

/* Computes LOG(R)/2 by the path for the angle of each joint. Slots without a joint have h = 0 and axis = 0. */
ELI_INLINE V3 half_angle_far(Joint turn, Frame before, Frame after) {
  const M far = turn.h > all(FAR_H), beyond = turn.h > all(WIDE_H);
  const V ratio = half_angle_ratio_wide(choose(far & ~beyond, turn.h, all(FAR_H)));
  V3 half = scale(choose(far, ratio, half_angle_ratio(turn.h)), turn.axis);
  if (any(beyond)) log_one_by_one(beyond, before, after, &half);
  return half;
}

/* The half rotation of a joint, and 4 c of the exact couple. With slow 1 any angle is allowed. In a slot without a joint the half rotation
 * is 0, so that a frame beyond the end of a rod that has become infinite does not change the next rod. */
typedef struct Bend {
  V3 half;
  V ratio;
} Bend;

ELI_INLINE Bend bend_of_joint(lanes rod, ptrdiff_t k, Frame before, Frame after, const int exact, const int slow, Found *seen) {
  const M joint = is_joint(rod, k);
  Joint turn = joint_between(before, after);
  turn.h = where(joint, turn.h);
  turn.axis = where3(joint, turn.axis);
  seen->joint = larger(turn.h, seen->joint);
  Bend bent = {{all(0.0), all(0.0), all(0.0)}, all(0.0)};
  bent.half = slow ? half_angle_far(turn, before, after) : scale(half_angle_ratio(turn.h), turn.axis);
  if (exact) bent.ratio = exact_couple_factor(turn.h);
  if (exact && slow) bent.ratio = choose(turn.h > all(FAR_H), exact_couple_factor_any(all(4.0) * dot(bent.half, bent.half)), bent.ratio);
  return bent;
}

/* (3.9): the couple of a joint is tau + theta x tau/2 on the element before it, and -tau + theta x tau/2 on the element after it. The terms
 * +- tau belong to the difference Delta^h tau, the terms theta x tau/2 to the average A^h (theta x tau). The exact couple adds +- c theta x
 * (theta x tau). */
typedef struct Couples {
  V3 before, after;
} Couples;

ELI_INLINE Couples joint_couples(V3 half, V3 tau, V ratio, const int exact) {
  const V3 x = cross(half, tau), along = exact ? cross_add(scale(ratio, half), x, tau) : tau;
  return (Couples){add(x, along), sub(x, along)};
}
