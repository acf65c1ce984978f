/* ---- Dissipation (effects/dissipation.c): rates on the nodes and elements of one rod ----
 *
 * equation   (4.1) gamma_t (l_{i-1} + l_i)/2 of node i between two elements; gamma_r l_j of element j
 * rounding   no fused operations, so that plain code serves every instruction set; restrict lets the compiler use vector code
 */

static void add_rates(double *restrict drag, double *restrict spin_drag, const double *restrict length, int count, double half,
                      double rotation) {
  spin_drag[0] += rotation * length[0];
  for (int i = 1; i < count; i++) {
    drag[i] += half * (length[i - 1] + length[i]);
    spin_drag[i] += rotation * length[i];
  }
}
