/* ---- The stable step, element by element (Irons and Treharne), of the model linearised about the present state ---- */

/* 2k of a joint for bending (the larger of axes 1, 2) and torsion: k = c B/(Dhat E^3) + |tau|/2; c = 1 + theta^2/4 for the papers' couple,
 * ((theta/2)/sin(theta/2))^2 for the exact one, here its series with a last term that bounds the rest up to theta = 3. */
ELI_INLINE void bound_joints(size_t count, int classical, int exact, const double *restrict inverse_joint_length,
                             const double *restrict joint_length, const double *restrict length_before, const double *restrict length,
                             const double *restrict B1, const double *restrict B2, const double *restrict B3, const double *restrict k1,
                             const double *restrict k2, const double *restrict k3, const double *restrict m1, const double *restrict m2,
                             const double *restrict m3, double *restrict bending, double *restrict torsion) {
  for (size_t k = 0; k < whole(count); k++) { /* vectorised */
    const double E = 0.5 * (length_before[k] + length[k]) * inverse_joint_length[k];
    const double softer = classical ? 1.0 : 1.0 / (E * E * E);
    const double quarter = 0.25 * (joint_length[k] * joint_length[k]) * (k1[k] * k1[k] + k2[k] * k2[k] + k3[k] * k3[k]);
    const double c = exact ? 1.0 + quarter * (1.0 / 3.0 + quarter * (1.0 / 15.0 + quarter * 0.0153)) : 1.0 + quarter;
    const double scale = 2.0 * c * (inverse_joint_length[k] * softer);
    const double geometric = sqrt(m1[k] * m1[k] + m2[k] * m2[k] + m3[k] * m3[k]);
    bending[k] = scale * (B1[k] > B2[k] ? B1[k] : B2[k]) + geometric;
    torsion[k] = scale * B3[k] + geometric;
  }
}

static void joint_bounds(size_t count, const eli_law *law, double *const *lane, double *const *out) {
  double *const *B = lane + ELI_BEND, *const *k = out + ELI_CURVATURE, *const *m = out + ELI_JOINT_COUPLE;
#define ELI_BOUND(classical, exact)                                                                                                        \
  bound_joints(count, classical, exact, lane[ELI_INVERSE_REST_JOINT_LENGTH], lane[ELI_REST_JOINT_LENGTH], lane[ELI_LENGTH] - 1,            \
               lane[ELI_LENGTH], B[0], B[1], B[2], k[0], k[1], k[2], m[0], m[1], m[2], out[ELI_JOINT_BOUND], out[ELI_JOINT_BOUND + 1])
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

#define ELI_LARGER(a, b) ((a) > (b) ? (a) : (b))
#define ELI_SMALLER(a, b) ((a) < (b) ? (a) : (b))

/* omega^2 <= max(shear/rotation with bending, axial, torsion) + added; dt = 4/(c + sqrt(c^2 + 4 omega^2)). */
ELI_INLINE void limit_elements(size_t count, int classical, const double *restrict mass, const double *restrict rest_length,
                               const double *restrict dilatation, const double *restrict S1, const double *restrict S2,
                               const double *restrict S3, const double *restrict J1, const double *restrict J2,
                               const double *restrict J3, const double *restrict inverse_node_mass, const double *restrict n3,
                               const double *restrict bending, const double *restrict torsion, const double *restrict node,
                               const double *restrict element, const double *restrict node_rate, const double *restrict element_rate,
                               double *restrict shear_bound, double *restrict axial_bound, double *restrict torsion_bound,
                               double *restrict added_bound, double *restrict limit) {
  for (size_t j = 0; j < whole(count); j++) { /* vectorised */
    const double e = dilatation[j], E = classical ? 1.0 : e, N = n3[j], per_mass = 4.0 / (mass[j] * rest_length[j]);
    const double softest = ELI_SMALLER(J1[j], J2[j]), smallest = ELI_SMALLER(softest, J3[j]);
    const double strongest = ELI_LARGER(S1[j], S2[j]);
    const double tilt1 = classical ? S1[j] * e - N : S1[j] - N, tilt2 = classical ? S2[j] * e - N : S2[j] - N;
    const double size1 = tilt1 < 0.0 ? -tilt1 : tilt1, size2 = tilt2 < 0.0 ? -tilt2 : tilt2, size = ELI_LARGER(size1, size2);
    const double sliding = classical ? strongest : ELI_LARGER(strongest, strongest - N) / e;
    const double turning = (classical ? e : e * e) * size * rest_length[j];
    const double shear = per_mass * sliding + (turning + E * (bending[j] + bending[j + 1])) / softest;
    const double axial = per_mass * S3[j] / (E * E);
    const double twist = E * (torsion[j] + torsion[j + 1]) / J3[j];
    const double node1 = node[j] * inverse_node_mass[j], node2 = node[j + 1] * inverse_node_mass[j + 1];
    const double added = ELI_LARGER(node1, node2) + element[j] * E / smallest;
    const double rate1 = node_rate[j] * inverse_node_mass[j], rate2 = node_rate[j + 1] * inverse_node_mass[j + 1];
    const double rate = ELI_LARGER(rate1, rate2) + element_rate[j] * E / smallest;
    const double larger = ELI_LARGER(shear, axial), omega2 = ELI_LARGER(larger, twist) + added;
    shear_bound[j] = shear;
    axial_bound[j] = axial;
    torsion_bound[j] = twist;
    added_bound[j] = added;
    limit[j] = 4.0 / (rate + sqrt(rate * rate + 4.0 * omega2));
  }
}

static void element_limits(size_t count, const eli_law *law, double *const *lane, double *const *out) {
#define ELI_LIMIT(classical)                                                                                                               \
  limit_elements(count, classical, lane[ELI_ELEMENT_MASS], lane[ELI_REST_LENGTH], lane[ELI_DILATATION], lane[ELI_SHEAR_STIFFNESS],         \
                 lane[ELI_SHEAR_STIFFNESS + 1], lane[ELI_SHEAR_STIFFNESS + 2], lane[ELI_INERTIA], lane[ELI_INERTIA + 1],                   \
                 lane[ELI_INERTIA + 2], lane[ELI_INVERSE_MASS], out[ELI_STRESS + 2], out[ELI_JOINT_BOUND], out[ELI_JOINT_BOUND + 1],       \
                 out[ELI_ADDED_NODE], out[ELI_ADDED_ELEMENT], out[ELI_ADDED_NODE_RATE], out[ELI_ADDED_ELEMENT_RATE],                       \
                 out[ELI_SHEAR_BOUND], out[ELI_AXIAL_BOUND], out[ELI_TORSION_BOUND], out[ELI_ADDED_BOUND], out[ELI_ELEMENT_LIMIT])
  if (law->classical)
    ELI_LIMIT(1);
  else
    ELI_LIMIT(0);
#undef ELI_LIMIT
}
