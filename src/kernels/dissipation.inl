/* ---- Dissipation (modules/dissipation.c): rates on the nodes and elements of one rod ----
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

/* Writes the rates of all rods of a sweep into lanes without rates. The sums are those of add_rates. A missing element counts with length
 * 0. */
ELI_INLINE void spread_rates_of_slots(const eli_sweep *sweep, double half, double rotation, const int small) {
  const lanes rod = lanes_of(sweep, small);
  const V none = all(-0.0), zero = all(0.0);
  for (ptrdiff_t i = 0; i < sweep->count; i += WIDTH) {
    const M before = (M)(near(rod, ELI_INVERSE_REST_LENGTH, i, -1) > zero), element = is_element(rod, i);
    const V length = get(rod, ELI_LENGTH, i);
    const V sum = where(before, near(rod, ELI_LENGTH, i, -1)) + where(element, length);
    put(rod, ELI_DRAG, i, choose(before | element, all(half) * sum, none));
    put(rod, ELI_SPIN_DRAG, i, choose(element, all(rotation) * length, none));
  }
}

static void spread_rates(const eli_sweep *sweep, double half, double rotation) {
  if (is_small(sweep))
    spread_rates_of_slots(sweep, half, rotation, 1);
  else
    spread_rates_of_slots(sweep, half, rotation, 0);
}
