/* ---- Drag (effects/drag.c): loops over the elements of one rod ----
 *
 * equation   (4.13) f_j = -zeta_j l_j (1 - t t^T/2)(v_j - u_j)
 * rounding   no fused operations, so that plain code serves every instruction set; restrict lets the compiler use vector code
 * test       tests/test_drag.c
 */

static int find_slenderness(double *restrict half, const double *restrict rest, const double *restrict dilatation, double longer,
                            int count) {
  uint64_t far = 0;
  for (int j = 0; j < count; j++) {
    const double s = eli_log_argument(dilatation[j]);
    half[j] = rest[j] + (longer + 0.5 * eli_log_series(s));
    far |= s * s < ELI_LOG_SERIES_END ? 0 : 1;
  }
  return !far;
}

static int find_half(double *restrict half, const double *restrict length, double top, int count) {
  uint64_t negative = 0;
  for (int j = 0; j < count; j++) {
    half[j] = top * length[j] / half[j];
    negative |= half[j] >= 0.0 ? 0 : 1;
  }
  return !negative;
}

static void find_slip(double *restrict f, const double *restrict v, int still, int count) {
  if (still) {
    for (int j = 0; j < count; j++) f[j] = 0.5 * (v[j] + v[j + 1]);
  } else {
    for (int j = 0; j < count; j++) f[j] = 0.5 * (v[j] + v[j + 1]) - f[j];
  }
}

static void resist(double *restrict fx, double *restrict fy, double *restrict fz, const double *restrict half, const double *restrict tx,
                   const double *restrict ty, const double *restrict tz, int count) {
  for (int j = 0; j < count; j++) {
    const double along = 0.5 * (tx[j] * fx[j] + ty[j] * fy[j] + tz[j] * fz[j]);
    fx[j] = -half[j] * (fx[j] - along * tx[j]);
    fy[j] = -half[j] * (fy[j] - along * ty[j]);
    fz[j] = -half[j] * (fz[j] - along * tz[j]);
  }
}

/* Adds to each node the values of its two elements. The first and the last node have one element each. */
static void gather(double *restrict node, const double *restrict element, int count) {
  node[0] += element[0];
  for (int i = 1; i < count; i++) node[i] += element[i - 1] + element[i];
  node[count] += element[count - 1];
}

/* Adds the same values, plus the rates C = half times the node velocity v. */
static void gather_with_rate(double *restrict node, const double *restrict element, const double *restrict half, const double *restrict v,
                             int count) {
  node[0] += element[0] + half[0] * v[0];
  for (int i = 1; i < count; i++) node[i] += (element[i - 1] + element[i]) + (half[i - 1] + half[i]) * v[i];
  node[count] += element[count - 1] + half[count - 1] * v[count];
}

static const eli_drag_work drag_work = {find_slenderness, find_half, find_slip, resist, gather, gather_with_rate};
