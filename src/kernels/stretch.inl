/* ---- Shear and stretch ---- */

/* What the stretch loops read of an element. */
#define ELI_STRETCH_LANES(lane)                                                                                                            \
  (lane)[ELI_DIRECTOR], (lane)[ELI_DIRECTOR + 1], (lane)[ELI_DIRECTOR + 2], (lane)[ELI_DIRECTOR + 3], (lane)[ELI_DIRECTOR + 4],            \
      (lane)[ELI_DIRECTOR + 5], (lane)[ELI_DIRECTOR + 6], (lane)[ELI_DIRECTOR + 7], (lane)[ELI_DIRECTOR + 8], (lane)[ELI_TANGENT],         \
      (lane)[ELI_TANGENT + 1], (lane)[ELI_TANGENT + 2], (lane)[ELI_LENGTH]
#define ELI_STRETCH_PARAMETERS                                                                                                             \
  const double *restrict q00, const double *restrict q01, const double *restrict q02, const double *restrict q10,                          \
      const double *restrict q11, const double *restrict q12, const double *restrict q20, const double *restrict q21,                      \
      const double *restrict q22, const double *restrict tx, const double *restrict ty, const double *restrict tz,                         \
      const double *restrict length
#define ELI_STIFFNESS_LANES(lane)                                                                                                          \
  (lane)[ELI_DILATATION], (lane)[ELI_INVERSE_LENGTH], (lane)[ELI_REST_LENGTH], (lane)[ELI_SHEAR_STIFFNESS],                                \
      (lane)[ELI_SHEAR_STIFFNESS + 1], (lane)[ELI_SHEAR_STIFFNESS + 2], (lane)[ELI_REST_STRAIN], (lane)[ELI_REST_STRAIN + 1],              \
      (lane)[ELI_REST_STRAIN + 2]
#define ELI_STIFFNESS_PARAMETERS                                                                                                           \
  const double *restrict dilatation, const double *restrict inverse_length, const double *restrict rest_length,                            \
      const double *restrict S1, const double *restrict S2, const double *restrict S3, const double *restrict rest1,                       \
      const double *restrict rest2, const double *restrict rest3
#define ELI_RATE_LANES(lane) (lane)[ELI_VELOCITY], (lane)[ELI_VELOCITY + 1], (lane)[ELI_VELOCITY + 2]

/* Q t, sigma = e Q t - d3 (2.11), n = S (sigma - sigma0)/e (3.8). */
#define ELI_STRAIN_AND_STRESS                                                                                                              \
  const double a = q00[j] * tx[j] + q01[j] * ty[j] + q02[j] * tz[j], b = q10[j] * tx[j] + q11[j] * ty[j] + q12[j] * tz[j],                 \
               c = q20[j] * tx[j] + q21[j] * ty[j] + q22[j] * tz[j];                                                                       \
  const double sigma1 = dilatation[j] * a, sigma2 = dilatation[j] * b, sigma3 = dilatation[j] * c - 1.0;                                   \
  const double softer = classical ? 1.0 : rest_length[j] * inverse_length[j];                                                              \
  const double n1 = S1[j] * (sigma1 - rest1[j]) * softer, n2 = S2[j] * (sigma2 - rest2[j]) * softer,                                       \
               n3 = S3[j] * (sigma3 - rest3[j]) * softer

/* Q^T n of (3.6); l Q t x n of (3.7); t . (v_next - v), which is l0 de/dt, at the old velocities. */
#define ELI_STRETCH_LOADS                                                                                                                  \
  fx[j] = q00[j] * n1 + q10[j] * n2 + q20[j] * n3;                                                                                         \
  fy[j] = q01[j] * n1 + q11[j] * n2 + q21[j] * n3;                                                                                         \
  fz[j] = q02[j] * n1 + q12[j] * n2 + q22[j] * n3;                                                                                         \
  c1[j] = length[j] * (b * n3 - c * n2);                                                                                                   \
  c2[j] = length[j] * (c * n1 - a * n3);                                                                                                   \
  c3[j] = length[j] * (a * n2 - b * n1);                                                                                                   \
  rate[j] = tx[j] * (vx[j + 1] - vx[j]) + ty[j] * (vy[j + 1] - vy[j]) + tz[j] * (vz[j + 1] - vz[j])

ELI_INLINE void stretch(size_t count, int classical, ELI_STRETCH_PARAMETERS, ELI_STIFFNESS_PARAMETERS, const double *restrict vx,
                        const double *restrict vy, const double *restrict vz, double *restrict fx, double *restrict fy,
                        double *restrict fz, double *restrict c1, double *restrict c2, double *restrict c3, double *restrict rate) {
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    ELI_STRAIN_AND_STRESS;
    ELI_STRETCH_LOADS;
  }
}

static void stretch_loads(size_t count, const eli_law *law, double *const *lane, double *const *out) {
  double *const *f = out + ELI_STRETCH_FORCE, *const *c = out + ELI_SHEAR_COUPLE;
  if (law->classical)
    stretch(count, 1, ELI_STRETCH_LANES(lane), ELI_STIFFNESS_LANES(lane), ELI_RATE_LANES(lane), f[0], f[1], f[2], c[0], c[1], c[2],
            out[ELI_STRETCH_RATE]);
  else
    stretch(count, 0, ELI_STRETCH_LANES(lane), ELI_STIFFNESS_LANES(lane), ELI_RATE_LANES(lane), f[0], f[1], f[2], c[0], c[1], c[2],
            out[ELI_STRETCH_RATE]);
}

ELI_INLINE void strain_and_stress(size_t count, int classical, ELI_STRETCH_PARAMETERS, ELI_STIFFNESS_PARAMETERS, double *restrict s1,
                                  double *restrict s2, double *restrict s3, double *restrict m1, double *restrict m2,
                                  double *restrict m3) {
  (void)length;
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    ELI_STRAIN_AND_STRESS;
    s1[j] = sigma1, s2[j] = sigma2, s3[j] = sigma3;
    m1[j] = n1, m2[j] = n2, m3[j] = n3;
  }
}

static void strains(size_t count, const eli_law *law, double *const *lane, double *const *out) {
  double *const *s = out + ELI_STRAIN, *const *n = out + ELI_STRESS;
  if (law->classical)
    strain_and_stress(count, 1, ELI_STRETCH_LANES(lane), ELI_STIFFNESS_LANES(lane), s[0], s[1], s[2], n[0], n[1], n[2]);
  else
    strain_and_stress(count, 0, ELI_STRETCH_LANES(lane), ELI_STIFFNESS_LANES(lane), s[0], s[1], s[2], n[0], n[1], n[2]);
}

ELI_INLINE void stretch_from(size_t count, ELI_STRETCH_PARAMETERS, const double *restrict m1, const double *restrict m2,
                             const double *restrict m3, const double *restrict vx, const double *restrict vy, const double *restrict vz,
                             double *restrict fx, double *restrict fy, double *restrict fz, double *restrict c1, double *restrict c2,
                             double *restrict c3, double *restrict rate) {
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    const double n1 = m1[j], n2 = m2[j], n3 = m3[j];
    const double a = q00[j] * tx[j] + q01[j] * ty[j] + q02[j] * tz[j], b = q10[j] * tx[j] + q11[j] * ty[j] + q12[j] * tz[j],
                 c = q20[j] * tx[j] + q21[j] * ty[j] + q22[j] * tz[j];
    ELI_STRETCH_LOADS;
  }
}

static void stretch_loads_from(size_t count, double *const *lane, double *const *out) {
  double *const *n = out + ELI_STRESS, *const *f = out + ELI_STRETCH_FORCE, *const *c = out + ELI_SHEAR_COUPLE;
  stretch_from(count, ELI_STRETCH_LANES(lane), n[0], n[1], n[2], ELI_RATE_LANES(lane), f[0], f[1], f[2], c[0], c[1], c[2],
               out[ELI_STRETCH_RATE]);
}
