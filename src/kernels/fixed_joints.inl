/* ---- Fixed joints (effects/joint.c): force and couples of a batch ----
 *
 * equation   F = -k gap on the second body, C = -kappa theta - T^T D theta there, theta = LOG(Q2 (P Q1)^T); the couple of each body is
 *            about its centre line, material
 * rounding   no fused operations, and the sums in the order of the plain code for one joint (effects/joint.c), so that both give the
 *            same bits. Each loop over the joints of a batch is separate, so that the compiler can make vector code of it
 */

#define ELI_EACH_TIE(q) for (int q = 0; q < ELI_JOINT_LANES; q++)

/* The anchors on one of the two bodies: axis is on the centre line, point includes the offset. */
typedef struct Anchors {
  double axis[3][ELI_JOINT_LANES], point[3][ELI_JOINT_LANES], director[9][ELI_JOINT_LANES];
} Anchors;

static void read_frames(const ptrdiff_t *restrict slot, const double *restrict lane, ptrdiff_t stride, Anchors *restrict at) {
  for (int a = 0; a < 9; a++) ELI_EACH_TIE(q) at->director[a][q] = lane[(ELI_DIRECTOR + a) * stride + slot[q]];
}

/* Reads a node, or interpolates linearly between two nodes. */
static void read_points(const ptrdiff_t *restrict slot, const double *restrict share, const double *restrict lane, ptrdiff_t stride,
                        Anchors *restrict at) {
  for (int a = 0; a < 3; a++) {
    const double *node = lane + (ELI_POSITION + a) * stride;
    ELI_EACH_TIE(q) {
      const double first = node[slot[q]], second = node[slot[q] + 1], between = (1.0 - share[q]) * first + share[q] * second;
      at->axis[a][q] = share[q] == 0.0 ? first : share[q] == 1.0 ? second : between;
    }
    ELI_EACH_TIE(q) at->point[a][q] = at->axis[a][q] + 0.0;
  }
}

static void add_offsets(double offset[3][ELI_JOINT_LANES], Anchors *at) {
  for (int a = 0; a < 3; a++) ELI_EACH_TIE(q) {
      const double x = offset[0][q], y = offset[1][q], z = offset[2][q];
      const double lever = at->director[a][q] * x + at->director[3 + a][q] * y + at->director[6 + a][q] * z;
      at->point[a][q] = at->axis[a][q] + (x != 0.0 || y != 0.0 || z != 0.0 ? lever : 0.0);
    }
}

static void turn_ties(double pose[9][ELI_JOINT_LANES], const Anchors at[2], double turn[9][ELI_JOINT_LANES]) {
  double expected[9][ELI_JOINT_LANES];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) ELI_EACH_TIE(q)
  expected[3 * i + j][q] =
      pose[3 * i][q] * at[0].director[j][q] + pose[3 * i + 1][q] * at[0].director[3 + j][q] + pose[3 * i + 2][q] * at[0].director[6 + j][q];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) ELI_EACH_TIE(q)
  turn[3 * i + j][q] = at[1].director[3 * i][q] * expected[3 * j][q] + at[1].director[3 * i + 1][q] * expected[3 * j + 1][q] +
                       at[1].director[3 * i + 2][q] * expected[3 * j + 2][q];
}

/* Computes eli_rotation_log for small angles; sets large to 1 for other angles. */
static void log_of_ties(double r[9][ELI_JOINT_LANES], const double widest[ELI_JOINT_LANES], double large[ELI_JOINT_LANES],
                        double phi[3][ELI_JOINT_LANES]) {
  ELI_EACH_TIE(q) {
    const double v0 = r[5][q] - r[7][q], v1 = r[6][q] - r[2][q], v2 = r[1][q] - r[3][q];
    const double sine2 = 0.25 * (v0 * v0 + v1 * v1 + v2 * v2), cosine = 0.5 * (r[0][q] + r[4][q] + r[8][q] - 1.0);
    const double is_large = cosine > 0.0 ? 0.0 : 1.0, within = sine2 <= widest[q] ? is_large : 1.0;
    const double f = eli_log_ratio(0.5 * sine2 / (1.0 + sqrt(1.0 - sine2)));
    large[q] = within;
    phi[0][q] = f * v0;
    phi[1][q] = f * v1;
    phi[2][q] = f * v2;
  }
}

/* T^T D theta = tau - theta x tau/2 + c theta x (theta x tau), tau = D theta */
static void find_deviators(double d[6][ELI_JOINT_LANES], double theta[3][ELI_JOINT_LANES], double couple[3][ELI_JOINT_LANES]) {
  ELI_EACH_TIE(q) {
    const double x = theta[0][q], y = theta[1][q], z = theta[2][q];
    const double tau0 = d[0][q] * x + d[5][q] * y + d[4][q] * z, tau1 = d[5][q] * x + d[1][q] * y + d[3][q] * z,
                 tau2 = d[4][q] * x + d[3][q] * y + d[2][q] * z;
    const double turned0 = y * tau2 - z * tau1, turned1 = z * tau0 - x * tau2, turned2 = x * tau1 - y * tau0;
    const double c = eli_exact_couple_factor(x * x + y * y + z * z);
    couple[0][q] = tau0 - 0.5 * turned0 + c * (y * turned2 - z * turned1);
    couple[1][q] = tau1 - 0.5 * turned1 + c * (z * turned0 - x * turned2);
    couple[2][q] = tau2 - 0.5 * turned2 + c * (x * turned1 - y * turned0);
  }
}

static void add_deviators(double d[6][ELI_JOINT_LANES], double theta[3][ELI_JOINT_LANES], const Anchors *second,
                          double couple[3][ELI_JOINT_LANES]) {
  double own[3][ELI_JOINT_LANES];
  find_deviators(d, theta, own);
  for (int a = 0; a < 3; a++) ELI_EACH_TIE(q)
  couple[a][q] -= second->director[a][q] * own[0][q] + second->director[3 + a][q] * own[1][q] + second->director[6 + a][q] * own[2][q];
}

static void find_fixed_joints(eli_joint_batch *of, const double *lane, ptrdiff_t stride) {
  Anchors at[2];
  double turn[9][ELI_JOINT_LANES], phi[3][ELI_JOINT_LANES], couple[3][ELI_JOINT_LANES], middle[3][ELI_JOINT_LANES],
      moment[3][ELI_JOINT_LANES];
  for (int k = 0; k < 2; k++) {
    read_frames(of->slot[k], lane, stride, &at[k]);
    read_points(of->slot[k], of->share[k], lane, stride, &at[k]);
    if (of->has_offsets) add_offsets(of->offset[k], &at[k]);
  }
  turn_ties(of->pose, at, turn);
  log_of_ties(turn, of->widest, of->large, phi);
  for (int a = 0; a < 3; a++) ELI_EACH_TIE(q) {
      const double gap = at[1].point[a][q] - at[0].point[a][q];
      const double laboratory =
          at[1].director[a][q] * phi[0][q] + at[1].director[3 + a][q] * phi[1][q] + at[1].director[6 + a][q] * phi[2][q];
      middle[a][q] = at[0].point[a][q] + 0.5 * gap;
      couple[a][q] = 0.0 - of->turning[q] * laboratory;
      of->force[a][q] = -of->stiffness[q] * gap;
    }
  if (of->has_deviators) add_deviators(of->deviator, phi, &at[1], couple);
  for (int k = 0; k < 2; k++) {
    for (int a = 0; a < 3; a++) ELI_EACH_TIE(q) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        const double lever_b = middle[b][q] - at[k].axis[b][q], lever_c = middle[c][q] - at[k].axis[c][q];
        moment[a][q] = lever_b * of->force[c][q] - lever_c * of->force[b][q] + couple[a][q];
      }
    for (int a = 0; a < 3; a++) ELI_EACH_TIE(q)
    of->couple[k][a][q] =
        at[k].director[3 * a][q] * moment[0][q] + at[k].director[3 * a + 1][q] * moment[1][q] + at[k].director[3 * a + 2][q] * moment[2][q];
  }
}

#undef ELI_EACH_TIE
