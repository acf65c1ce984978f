/* ---- Kinematics: half a drift of nodes and frames ----
 *
 * equations  (C1), (C5): r <- r + h v                  (3.6) in time
 *            (C2), (C6): Q <- EXP(h omega) Q           (3.7) in time; Rodrigues' formula with the ratios of base/rotation.h
 *            (C5) and (C6) take the new v and omega: the printed v(t + dt/2), omega(t + dt/2) are misprints
 */

ELI_INLINE unsigned translate(size_t count, double h, int twice, const double *restrict vx, const double *restrict vy,
                              const double *restrict vz, double *restrict x, double *restrict y, double *restrict z) {
  flag bad = 0;
  for (size_t i = 0; i < whole(count); i++) { /* vectorised */
    const double speed2 = vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i];
    ELI_RAISE_UNLESS(bad, speed2 <= DBL_MAX);
    double rx = x[i] + h * vx[i], ry = y[i] + h * vy[i], rz = z[i] + h * vz[i];
    if (twice) {
      rx = rx + h * vx[i];
      ry = ry + h * vy[i];
      rz = rz + h * vz[i];
    }
    x[i] = rx;
    y[i] = ry;
    z[i] = rz;
  }
  return bad != 0 ? ELI_TRIP_SPEED : 0;
}

/* One column of Q, multiplied by R once or twice. */
#define ELI_ROTATE_COLUMN(qa, qb, qc)                                                                                                      \
  do {                                                                                                                                     \
    double a_ = qa[j], b_ = qb[j], c_ = qc[j];                                                                                             \
    double ra_ = r00 * a_ + r01 * b_ + r02 * c_, rb_ = r10 * a_ + r11 * b_ + r12 * c_, rc_ = r20 * a_ + r21 * b_ + r22 * c_;               \
    if (twice) {                                                                                                                           \
      a_ = ra_, b_ = rb_, c_ = rc_;                                                                                                        \
      ra_ = r00 * a_ + r01 * b_ + r02 * c_, rb_ = r10 * a_ + r11 * b_ + r12 * c_, rc_ = r20 * a_ + r21 * b_ + r22 * c_;                    \
    }                                                                                                                                      \
    qa[j] = ra_, qb[j] = rb_, qc[j] = rc_;                                                                                                 \
  } while (0)

ELI_INLINE unsigned rotate(size_t count, double h, int twice, double spin2, const double *restrict w1, const double *restrict w2,
                           const double *restrict w3, double *restrict q00, double *restrict q01, double *restrict q02,
                           double *restrict q10, double *restrict q11, double *restrict q12, double *restrict q20, double *restrict q21,
                           double *restrict q22) {
  const double watched = spin2 * (h * h);
  flag bad = 0, fast = 0;
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    const double px = h * w1[j], py = h * w2[j], pz = h * w3[j];
    const double xx = px * px, yy = py * py, zz = pz * pz, t2 = xx + yy + zz;
    ELI_RAISE_UNLESS(bad, t2 <= 0.25); /* half a step turns by at most 0.5 rad: the range of the two series */
    ELI_RAISE_UNLESS(fast, t2 <= watched);
    const double a = eli_sin_ratio(t2), b = eli_cosine_ratio(t2);
    const double ax = a * px, ay = a * py, az = a * pz;
    const double bx = b * px, by = b * py;
    const double bxy = bx * py, bxz = bx * pz, byz = by * pz;
    const double r00 = 1.0 - b * (yy + zz), r01 = bxy + az, r02 = bxz - ay;
    const double r10 = bxy - az, r11 = 1.0 - b * (xx + zz), r12 = byz + ax;
    const double r20 = bxz + ay, r21 = byz - ax, r22 = 1.0 - b * (xx + yy);
    ELI_ROTATE_COLUMN(q00, q10, q20);
    ELI_ROTATE_COLUMN(q01, q11, q21);
    ELI_ROTATE_COLUMN(q02, q12, q22);
  }
  return (bad != 0 ? ELI_TRIP_SPIN : 0u) | (fast != 0 ? ELI_TRIP_WATCH : 0u);
}

static unsigned drift(size_t begin, size_t count, double h, int twice, double spin2, double *const *lane) {
  if (twice)
    return translate(count, h, 1, ELI_3(lane, ELI_VELOCITY), ELI_3(lane, ELI_POSITION)) |
           rotate(count, h, 1, spin2, ELI_3(lane, ELI_OMEGA), ELI_9(lane, ELI_DIRECTOR));
  return translate(count, h, 0, ELI_3(lane, ELI_VELOCITY), ELI_3(lane, ELI_POSITION)) |
         rotate(count, h, 0, spin2, ELI_3(lane, ELI_OMEGA), ELI_9(lane, ELI_DIRECTOR));
}
