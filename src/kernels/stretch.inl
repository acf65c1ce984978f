/* ---- Elements: length, dilatation, tangent; shear and stretch ----
 *
 * equations  (3.3)  l = |r_{j+1} - r_j|, e = l/lhat, t = (r_{j+1} - r_j)/l, shear/stretch strain sigma = e Q t - d3   ((2.9))
 *            (2.11) stress n = S (sigma - sigma0)/e, with S/e by (2.10); classical law: n = S (sigma - sigma0)
 *            (3.8)  Q^T n, the argument of its difference Delta^h (kick.inl)
 *            (3.9)  shear/stretch couple (Q t x S sigma) lhat = l Q t x n, and lhat de/dt of the unsteady dilatation
 * frames     Q t, sigma, n and couples are material; positions, tangents and Q^T n are laboratory
 */

#define ELI_FRAME_PARAMETERS                                                                                                               \
  const double *restrict q00, const double *restrict q01, const double *restrict q02, const double *restrict q10,                          \
      const double *restrict q11, const double *restrict q12, const double *restrict q20, const double *restrict q21,                      \
      const double *restrict q22

/* l, 1/l, e and t of element j from its nodes (3.3). The last slot of a rod has no element: its inverse rest length is negative, and it
 * gets length 1 and tangent 0 instead of the gap to the next rod. */
#define ELI_ELEMENT_GEOMETRY                                                                                                               \
  const double per_rest = inverse_rest_length[j];                                                                                          \
  const double gap_x = x[j + 1] - x[j], gap_y = y[j + 1] - y[j], gap_z = z[j + 1] - z[j];                                                  \
  const double dx = per_rest < 0.0 ? 0.0 : gap_x, dy = per_rest < 0.0 ? 0.0 : gap_y, dz = per_rest < 0.0 ? 0.0 : gap_z;                    \
  const double square = dx * dx + dy * dy + dz * dz, l = sqrt(per_rest < 0.0 ? 1.0 : square), per_l = 1.0 / l;                             \
  const double e = l * per_rest, t1 = dx * per_l, t2 = dy * per_l, t3 = dz * per_l;                                                        \
  length[j] = l, inverse_length[j] = per_l, dilatation[j] = e;                                                                             \
  tx[j] = t1, ty[j] = t2, tz[j] = t3
#define ELI_NODE_PARAMETERS                                                                                                                \
  const double *restrict x, const double *restrict y, const double *restrict z, const double *restrict inverse_rest_length
#define ELI_NODE_LANES(lane) ELI_3(lane, ELI_POSITION), ELI_1(lane, ELI_INVERSE_REST_LENGTH)

/* The same, read from the lanes. */
#define ELI_READ_GEOMETRY                                                                                                                  \
  const double l = length[j], e = dilatation[j], per_l = inverse_length[j];                                                                \
  const double t1 = tx[j], t2 = ty[j], t3 = tz[j];                                                                                         \
  (void)l, (void)e, (void)per_l
#define ELI_GEOMETRY_PARAMETERS(kind)                                                                                                      \
  kind double *restrict length, kind double *restrict inverse_length, kind double *restrict dilatation, kind double *restrict tx,          \
      kind double *restrict ty, kind double *restrict tz
#define ELI_GEOMETRY_LANES(lane)                                                                                                           \
  ELI_1(lane, ELI_LENGTH), ELI_1(lane, ELI_INVERSE_LENGTH), ELI_1(lane, ELI_DILATATION), ELI_3(lane, ELI_TANGENT)

#define ELI_STIFFNESS_PARAMETERS                                                                                                           \
  const double *restrict rest_length, const double *restrict S1, const double *restrict S2, const double *restrict S3,                     \
      const double *restrict rest1, const double *restrict rest2, const double *restrict rest3
#define ELI_STIFFNESS_LANES(lane) ELI_1(lane, ELI_REST_LENGTH), ELI_3(lane, ELI_SHEAR_STIFFNESS), ELI_3(lane, ELI_REST_STRAIN)

/* Q t */
#define ELI_MATERIAL_TANGENT                                                                                                               \
  const double a = q00[j] * t1 + q01[j] * t2 + q02[j] * t3, b = q10[j] * t1 + q11[j] * t2 + q12[j] * t3,                                   \
               c = q20[j] * t1 + q21[j] * t2 + q22[j] * t3

/* sigma = e Q t - d3 (3.3), n = S (sigma - sigma0)/e (2.11) */
#define ELI_STRAIN_AND_STRESS                                                                                                              \
  const double sigma1 = e * a, sigma2 = e * b, sigma3 = e * c - 1.0, inverse_e = classical ? 1.0 : rest_length[j] * per_l;                 \
  const double n1 = S1[j] * (rest ? sigma1 - rest1[j] : sigma1) * inverse_e,                                                               \
               n2 = (round ? S1[j] : S2[j]) * (rest ? sigma2 - rest2[j] : sigma2) * inverse_e,                                             \
               n3 = S3[j] * (rest ? sigma3 - rest3[j] : sigma3) * inverse_e

/* Watches of the step limit: whether the element's stretch, or its shear, has moved too far since the last look at the limit. */
#define ELI_WATCH_STRETCH                                                                                                                  \
  ELI_RAISE_UNLESS(stretched, fabs(e - looked[j]) <= ELI_WATCHED_STRETCH * fabs(looked[j]));                                               \
  ELI_RAISE_UNLESS(sheared, sigma1 *sigma1 + sigma2 * sigma2 <= shear2)
#define ELI_WATCH_PARAMETERS const double *restrict looked, double shear2
#define ELI_WATCH_ARGUMENTS(law, lane) ELI_1(lane, ELI_LOOKED_DILATATION), (law)->watch.shear2
#define ELI_WATCH_TRIP (stretched != 0 || sheared != 0 ? ELI_TRIP_WATCH : 0u)

/* Q^T n of (3.8); the shear/stretch couple l Q t x n of (3.9); lhat de/dt = t . (v_next - v) at the old velocities. */
#define ELI_STRETCH_LOADS                                                                                                                  \
  fx[j] = q00[j] * n1 + q10[j] * n2 + q20[j] * n3;                                                                                         \
  fy[j] = q01[j] * n1 + q11[j] * n2 + q21[j] * n3;                                                                                         \
  fz[j] = q02[j] * n1 + q12[j] * n2 + q22[j] * n3;                                                                                         \
  c1[j] = l * (b * n3 - c * n2);                                                                                                           \
  c2[j] = l * (c * n1 - a * n3);                                                                                                           \
  c3[j] = l * (a * n2 - b * n1);                                                                                                           \
  rate[j] = t1 * (vx[j + 1] - vx[j]) + t2 * (vy[j + 1] - vy[j]) + t3 * (vz[j + 1] - vz[j])
#define ELI_STRETCH_LOAD_PARAMETERS                                                                                                        \
  const double *restrict vx, const double *restrict vy, const double *restrict vz, double *restrict fx, double *restrict fy,               \
      double *restrict fz, double *restrict c1, double *restrict c2, double *restrict c3, double *restrict rate
#define ELI_STRETCH_LOAD_LANES(lane, scratch)                                                                                              \
  ELI_3(lane, ELI_VELOCITY), ELI_3(scratch, ELI_STRETCH_FORCE), ELI_3(scratch, ELI_SHEAR_COUPLE), ELI_1(scratch, ELI_STRETCH_RATE)

ELI_INLINE void element_geometry(size_t count, ELI_NODE_PARAMETERS, ELI_GEOMETRY_PARAMETERS()) {
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    ELI_ELEMENT_GEOMETRY;
  }
}

static void geometry(size_t begin, size_t count, double *const *lane) {
  element_geometry(count, ELI_NODE_LANES(lane), ELI_GEOMETRY_LANES(lane));
}

ELI_INLINE unsigned stretch(size_t count, int classical, int rest, int round, ELI_WATCH_PARAMETERS, ELI_GEOMETRY_PARAMETERS(const),
                            ELI_FRAME_PARAMETERS, ELI_STIFFNESS_PARAMETERS, ELI_STRETCH_LOAD_PARAMETERS) {
  flag stretched = 0, sheared = 0;
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    ELI_READ_GEOMETRY;
    ELI_MATERIAL_TANGENT;
    ELI_STRAIN_AND_STRESS;
    ELI_WATCH_STRETCH;
    ELI_STRETCH_LOADS;
  }
  return ELI_WATCH_TRIP;
}

static unsigned stretch_loads(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch) {
#define ELI_STRETCH(classical, rest, round)                                                                                                \
  stretch(count, classical, rest, round, ELI_WATCH_ARGUMENTS(law, lane), ELI_GEOMETRY_LANES(lane), ELI_9(lane, ELI_DIRECTOR),              \
          ELI_STIFFNESS_LANES(lane), ELI_STRETCH_LOAD_LANES(lane, scratch))
  if (law->classical) return ELI_STRETCH(1, 1, 0);
  if (law->rest) return ELI_STRETCH(0, 1, 0);
  return law->round ? ELI_STRETCH(0, 0, 1) : ELI_STRETCH(0, 0, 0);
#undef ELI_STRETCH
}

ELI_INLINE unsigned strain_and_stress(size_t count, int classical, ELI_WATCH_PARAMETERS, ELI_GEOMETRY_PARAMETERS(const),
                                      ELI_FRAME_PARAMETERS, ELI_STIFFNESS_PARAMETERS, double *restrict s1, double *restrict s2,
                                      double *restrict s3, double *restrict m1, double *restrict m2, double *restrict m3) {
  const int rest = 1, round = 0;
  flag stretched = 0, sheared = 0;
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    ELI_READ_GEOMETRY;
    ELI_MATERIAL_TANGENT;
    ELI_STRAIN_AND_STRESS;
    ELI_WATCH_STRETCH;
    s1[j] = sigma1, s2[j] = sigma2, s3[j] = sigma3;
    m1[j] = n1, m2[j] = n2, m3[j] = n3;
  }
  return ELI_WATCH_TRIP;
}

static unsigned strains(size_t begin, size_t count, const eli_law *law, double *const *lane, double *const *scratch) {
#define ELI_STRAINS(classical)                                                                                                             \
  strain_and_stress(count, classical, ELI_WATCH_ARGUMENTS(law, lane), ELI_GEOMETRY_LANES(lane), ELI_9(lane, ELI_DIRECTOR),                 \
                    ELI_STIFFNESS_LANES(lane), ELI_3(scratch, ELI_STRAIN), ELI_3(scratch, ELI_STRESS))
  return law->classical ? ELI_STRAINS(1) : ELI_STRAINS(0);
#undef ELI_STRAINS
}

ELI_INLINE void stretch_from(size_t count, ELI_GEOMETRY_PARAMETERS(const), ELI_FRAME_PARAMETERS, const double *restrict m1,
                             const double *restrict m2, const double *restrict m3, ELI_STRETCH_LOAD_PARAMETERS) {
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    const double n1 = m1[j], n2 = m2[j], n3 = m3[j];
    ELI_READ_GEOMETRY;
    ELI_MATERIAL_TANGENT;
    ELI_STRETCH_LOADS;
  }
}

static void stretch_loads_from(size_t begin, size_t count, double *const *lane, double *const *scratch) {
  stretch_from(count, ELI_GEOMETRY_LANES(lane), ELI_9(lane, ELI_DIRECTOR), ELI_3(scratch, ELI_STRESS),
               ELI_STRETCH_LOAD_LANES(lane, scratch));
}
