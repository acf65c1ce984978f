/* ---- Joints: bending and twist between elements k - 1 and k ----
 *
 * equations  (3.4)  D = (l_{k-1} + l_k)/2
 *            (3.5)  curvature kappa = LOG(Q_k Q_{k-1}^T)/Dhat and E = D/Dhat; LOG as in base/rotation.h: the printed sign does not close
 *            (2.8)  couple tau = B (kappa - kappa0)/E^3, with B/E^3 by (2.10); classical law: tau = B (kappa - kappa0)
 *            (3.9)  what joint k contributes to the difference Delta^h tau and to the average A^h (kappa x tau Dhat) of its two elements;
 *                   kick.inl adds up the contributions of the two joints of an element
 *            the exact couple, the gradient of the bending energy, adds Delta^h (c theta x (theta x tau)), theta = Dhat kappa:
 *            base/rotation.h has c. The papers' couple is its first-order truncation.
 * frames     everything is material
 */

/* The frame product R = Q_k Q_{k-1}^T, one entry: row a of element k times row b of element k - 1. LOG(R) needs the off-diagonal entries,
 * for vee(R^T - R), and h = sin^2(theta/2) = (3 - tr R)/4. */
#define ELI_R(a, b) (q##a##0 [k] * q##b##0 [k - 1] + q##a##1 [k] * q##b##1 [k - 1] + q##a##2 [k] * q##b##2 [k - 1])
#define ELI_JOINT_ROTATION                                                                                                                 \
  const double r12 = ELI_R(1, 2), r21 = ELI_R(2, 1), r02 = ELI_R(0, 2), r20 = ELI_R(2, 0), r01 = ELI_R(0, 1), r10 = ELI_R(1, 0);           \
  const double h = 0.25 * (3.0 - (ELI_R(0, 0) + ELI_R(1, 1) + ELI_R(2, 2)))

/* The largest h of the ratio in use: eli_log_ratio, or eli_log_ratio_wide when wide is 1. Most tiles have small angles only. A tile with a
 * larger angle is swept again with wide 1, where each joint takes the ratio that its own angle needs. */
#define ELI_JOINT_FAR_H (wide ? 0.8685 : 0.0625)

#define ELI_JOINT_TRIPS                                                                                                                    \
  const double joint_h = inverse_joint_length[k] < 0.0 ? 0.0 : h; /* 0 where there is no joint */                                          \
  ELI_RAISE_UNLESS(bad, joint_h <= ELI_JOINT_LIMIT_H);                                                                                     \
  ELI_RAISE_UNLESS(far, joint_h <= ELI_JOINT_FAR_H);                                                                                       \
  ELI_RAISE_UNLESS(bent, joint_h <= watched_h)
#define ELI_JOINT_TRIP ((bad != 0 ? ELI_TRIP_JOINT : 0u) | (far != 0 ? ELI_TRIP_FAR : 0u) | (bent != 0 ? ELI_TRIP_WATCH : 0u))

/* kappa = LOG(R)/Dhat (3.5). A slot without a joint compares the last frame of a rod with an unrelated one, at any angle. The wide ratio is
 * infinite at half a turn, and infinity times a stiffness of 0 is not 0: hence joint_h, which is 0 in such a slot. */
#define ELI_JOINT_CURVATURE                                                                                                                \
  const double near = eli_log_ratio(h), ratio_h = wide && joint_h > 0.0625 ? eli_log_ratio_wide(joint_h) : near;                           \
  const double f = ratio_h * inverse_joint_length[k];                                                                                      \
  const double kappa1 = f * (r12 - r21), kappa2 = f * (r20 - r02), kappa3 = f * (r01 - r10)

/* tau = B (kappa - kappa0)/E^3 (2.8), E = D/Dhat (3.5) */
#define ELI_JOINT_TAU                                                                                                                      \
  const double E = 0.5 * (length[k - 1] + length[k]) * inverse_joint_length[k];                                                            \
  const double inverse_E3 = classical ? 1.0 : 1.0 / (E * E * E);                                                                           \
  const double tau1 = B1[k] * (rest ? kappa1 - rest1[k] : kappa1) * inverse_E3,                                                            \
               tau2 = (round ? B1[k] : B2[k]) * (rest ? kappa2 - rest2[k] : kappa2) * inverse_E3,                                          \
               tau3 = B3[k] * (rest ? kappa3 - rest3[k] : kappa3) * inverse_E3

/* (3.9): the joint's couple on the element before it, tau + theta x tau/2, and on the one after it, -tau + theta x tau/2. The terms +- tau
 * are its share of Delta^h tau, theta x tau/2 that of A^h (theta x tau). The exact couple adds +- c theta x (theta x tau). */
#define ELI_JOINT_COUPLES                                                                                                                  \
  const double theta1 = joint_length[k] * kappa1, theta2 = joint_length[k] * kappa2, theta3 = joint_length[k] * kappa3;                    \
  const double x1 = theta2 * tau3 - theta3 * tau2, x2 = theta3 * tau1 - theta1 * tau3, x3 = theta1 * tau2 - theta2 * tau1;                 \
  double along1 = tau1, along2 = tau2, along3 = tau3;                                                                                      \
  if (exact) {                                                                                                                             \
    const double t2 = theta1 * theta1 + theta2 * theta2 + theta3 * theta3, small = eli_couple_ratio(t2);                                   \
    const double ratio = wide && t2 > 0.2555 ? eli_couple_ratio_any(t2) : small; /* h = 1/16 is t2 = 0.2554 */                             \
    along1 += ratio * (theta2 * x3 - theta3 * x2);                                                                                         \
    along2 += ratio * (theta3 * x1 - theta1 * x3);                                                                                         \
    along3 += ratio * (theta1 * x2 - theta2 * x1);                                                                                         \
  }                                                                                                                                        \
  before1[k] = 0.5 * x1 + along1, before2[k] = 0.5 * x2 + along2, before3[k] = 0.5 * x3 + along3;                                          \
  after1[k] = 0.5 * x1 - along1, after2[k] = 0.5 * x2 - along2, after3[k] = 0.5 * x3 - along3

#define ELI_JOINT_PARAMETERS                                                                                                               \
  const double *restrict inverse_joint_length, const double *restrict length, const double *restrict B1, const double *restrict B2,        \
      const double *restrict B3, const double *restrict rest1, const double *restrict rest2, const double *restrict rest3
#define ELI_JOINT_LANES(lane)                                                                                                              \
  ELI_1(lane, ELI_INVERSE_REST_JOINT_LENGTH), ELI_1(lane, ELI_LENGTH), ELI_3(lane, ELI_BEND), ELI_3(lane, ELI_REST_CURVATURE)
#define ELI_COUPLE_PARAMETERS                                                                                                              \
  const double *restrict joint_length, double *restrict before1, double *restrict before2, double *restrict before3,                       \
      double *restrict after1, double *restrict after2, double *restrict after3
#define ELI_COUPLE_LANES(lane, scratch)                                                                                                    \
  ELI_1(lane, ELI_REST_JOINT_LENGTH), ELI_3(scratch, ELI_COUPLE_BEFORE), ELI_3(scratch, ELI_COUPLE_AFTER)

ELI_INLINE unsigned bend(size_t count, int classical, int exact, int rest, int round, int wide, double watched_h, ELI_FRAME_PARAMETERS,
                         ELI_JOINT_PARAMETERS, ELI_COUPLE_PARAMETERS) {
  flag bad = 0, far = 0, bent = 0;
  for (ptrdiff_t k = 0; k < whole_signed(count); k++) { /* vectorised */
    ELI_JOINT_ROTATION;
    ELI_JOINT_TRIPS;
    ELI_JOINT_CURVATURE;
    ELI_JOINT_TAU;
    ELI_JOINT_COUPLES;
  }
  return ELI_JOINT_TRIP;
}

ELI_INLINE unsigned bend_strain(size_t count, int classical, int wide, double watched_h, ELI_FRAME_PARAMETERS, ELI_JOINT_PARAMETERS,
                                double *restrict k1, double *restrict k2, double *restrict k3, double *restrict m1, double *restrict m2,
                                double *restrict m3) {
  const int rest = 1, round = 0;
  flag bad = 0, far = 0, bent = 0;
  for (ptrdiff_t k = 0; k < whole_signed(count); k++) { /* vectorised */
    ELI_JOINT_ROTATION;
    ELI_JOINT_TRIPS;
    ELI_JOINT_CURVATURE;
    ELI_JOINT_TAU;
    k1[k] = kappa1, k2[k] = kappa2, k3[k] = kappa3;
    m1[k] = tau1, m2[k] = tau2, m3[k] = tau3;
  }
  return ELI_JOINT_TRIP;
}

ELI_INLINE void bend_from(size_t count, int exact, const double *restrict k1, const double *restrict k2, const double *restrict k3,
                          const double *restrict m1, const double *restrict m2, const double *restrict m3, ELI_COUPLE_PARAMETERS) {
  const int wide = 1;
  for (ptrdiff_t k = 0; k < whole_signed(count); k++) { /* vectorised */
    const double kappa1 = k1[k], kappa2 = k2[k], kappa3 = k3[k], tau1 = m1[k], tau2 = m2[k], tau3 = m3[k];
    ELI_JOINT_COUPLES;
  }
}

/* The joints beyond the range of the wide ratio, one by one. derived 1: writes curvature and tau to the derived lanes; 0: writes the
 * couples on elements. */
static void bend_one_by_one(size_t begin, size_t count, int derived, const eli_law *law, double *const *lane, double *const *scratch) {
  const int classical = law->classical, exact = law->exact_couple, rest = 1, round = 0, wide = 1;
  double *const *q = lane + ELI_DIRECTOR;
  const double *const inverse_joint_length = lane[ELI_INVERSE_REST_JOINT_LENGTH], *const joint_length = lane[ELI_REST_JOINT_LENGTH];
  const double *const length = lane[ELI_LENGTH];
  const double *const B1 = lane[ELI_BEND], *const B2 = lane[ELI_BEND + 1], *const B3 = lane[ELI_BEND + 2];
  const double *const rest1 = lane[ELI_REST_CURVATURE], *const rest2 = lane[ELI_REST_CURVATURE + 1],
                      *const rest3 = lane[ELI_REST_CURVATURE + 2];
  double *const before1 = scratch[ELI_COUPLE_BEFORE], *const before2 = scratch[ELI_COUPLE_BEFORE + 1],
                *const before3 = scratch[ELI_COUPLE_BEFORE + 2];
  double *const after1 = scratch[ELI_COUPLE_AFTER], *const after2 = scratch[ELI_COUPLE_AFTER + 1],
                *const after3 = scratch[ELI_COUPLE_AFTER + 2];
  for (ptrdiff_t k = (ptrdiff_t)begin; k < (ptrdiff_t)(begin + count); k++) {
    double before[9], after[9], r[9], theta[3];
    for (size_t a = 0; a < 9; a++) before[a] = q[a][k - 1], after[a] = q[a][k];
    eli_relative_rotation(after, before, r);
    if (inverse_joint_length[k] < 0.0 || 0.25 * (3.0 - (r[0] + r[4] + r[8])) <= ELI_JOINT_FAR_H) continue;
    eli_rotation_log(r, theta);
    const double kappa1 = theta[0] * inverse_joint_length[k], kappa2 = theta[1] * inverse_joint_length[k],
                 kappa3 = theta[2] * inverse_joint_length[k];
    ELI_JOINT_TAU;
    if (derived) {
      scratch[ELI_CURVATURE][k] = kappa1, scratch[ELI_CURVATURE + 1][k] = kappa2, scratch[ELI_CURVATURE + 2][k] = kappa3;
      scratch[ELI_JOINT_COUPLE][k] = tau1, scratch[ELI_JOINT_COUPLE + 1][k] = tau2, scratch[ELI_JOINT_COUPLE + 2][k] = tau3;
    } else {
      ELI_JOINT_COUPLES;
    }
  }
}

static unsigned joint_loads(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch) {
  unsigned trips;
#define ELI_BEND_LOADS(classical, exact, rest, round, wide)                                                                                \
  trips = bend(count, classical, exact, rest, round, wide, law->watch.joint_h, ELI_9(lane, ELI_DIRECTOR), ELI_JOINT_LANES(lane),           \
               ELI_COUPLE_LANES(lane, scratch))
  if (!law->classical && !law->exact_couple && !law->rest && law->round)
    ELI_BEND_LOADS(0, 0, 0, 1, 0);
  else if (!law->classical && !law->exact_couple)
    ELI_BEND_LOADS(0, 0, 1, 0, 0);
  else if (!law->classical)
    ELI_BEND_LOADS(0, 1, 1, 0, 0);
  else if (!law->exact_couple)
    ELI_BEND_LOADS(1, 0, 1, 0, 0);
  else
    ELI_BEND_LOADS(1, 1, 1, 0, 0);
  if (!(trips & ELI_TRIP_FAR)) return trips;
  if (!law->classical && !law->exact_couple)
    ELI_BEND_LOADS(0, 0, 1, 0, 1);
  else if (!law->classical)
    ELI_BEND_LOADS(0, 1, 1, 0, 1);
  else if (!law->exact_couple)
    ELI_BEND_LOADS(1, 0, 1, 0, 1);
  else
    ELI_BEND_LOADS(1, 1, 1, 0, 1);
#undef ELI_BEND_LOADS
  if (trips & ELI_TRIP_FAR) bend_one_by_one(begin, count, 0, law, lane, scratch);
  return trips;
}

static unsigned curvatures(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch) {
  unsigned trips;
#define ELI_CURVATURES(classical, wide)                                                                                                    \
  trips = bend_strain(count, classical, wide, law->watch.joint_h, ELI_9(lane, ELI_DIRECTOR), ELI_JOINT_LANES(lane),                        \
                      ELI_3(scratch, ELI_CURVATURE), ELI_3(scratch, ELI_JOINT_COUPLE))
  if (law->classical)
    ELI_CURVATURES(1, 0);
  else
    ELI_CURVATURES(0, 0);
  if (!(trips & ELI_TRIP_FAR)) return trips;
  if (law->classical)
    ELI_CURVATURES(1, 1);
  else
    ELI_CURVATURES(0, 1);
#undef ELI_CURVATURES
  if (trips & ELI_TRIP_FAR) bend_one_by_one(begin, count, 1, law, lane, scratch);
  return trips;
}

static void joint_loads_from(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch) {
  if (law->exact_couple)
    bend_from(count, 1, ELI_3(scratch, ELI_CURVATURE), ELI_3(scratch, ELI_JOINT_COUPLE), ELI_COUPLE_LANES(lane, scratch));
  else
    bend_from(count, 0, ELI_3(scratch, ELI_CURVATURE), ELI_3(scratch, ELI_JOINT_COUPLE), ELI_COUPLE_LANES(lane, scratch));
}
