/* ---- The search for near pairs (contact/broad_phase.h): displacement of bodies since the last search ----
 *
 * rounding   no fused operations, so that plain code serves every instruction set. Signs of margins are combined by a bitwise or, because a
 *            loop without branches becomes vector code
 * test       tests/test_broad_phase.c
 */

ELI_INLINE uint64_t sign_of(double margin) {
  uint64_t bits;
  __builtin_memcpy(&bits, &margin, sizeof bits);
  return bits;
}

/* Elements that begin at nodes first .. end - 1: their lengths, and the angle of each with the next. */
ELI_INLINE uint64_t signs_of_turns(const double *const position[3], const double *least, const double *least_cosine, int first, int end) {
  const double *x = position[0], *y = position[1], *z = position[2];
  uint64_t signs = 0;
  for (int j = first; j < end; j++) {
    const double u = x[j + 1] - x[j], v = y[j + 1] - y[j], w = z[j + 1] - z[j], length2 = u * u + v * v + w * w;
    const double p = x[j + 2] - x[j + 1], q = y[j + 2] - y[j + 1], r = z[j + 2] - z[j + 1];
    const double product = u * p + v * q + w * r;
    signs |=
        sign_of(length2 - least[j]) | sign_of(product * __builtin_fabs(product) - least_cosine[j] * (length2 * (p * p + q * q + r * r)));
  }
  return signs;
}

static int check_reference(const eli_reference *reference, const double *const position[3], const double drift[3], double limit2, int first,
                           int end) {
  const double *x = position[0], *y = position[1], *z = position[2], *least = reference->least_square;
  const double *x0 = reference->position[0], *y0 = reference->position[1], *z0 = reference->position[2];
  const double dx = drift[0], dy = drift[1], dz = drift[2];
  const int last = end < reference->node_count ? end : reference->node_count - 1;
  uint64_t signs = 0;
  for (int i = first; i < end; i++) {
    const double u = (x[i] - dx) - x0[i], v = (y[i] - dy) - y0[i], w = (z[i] - dz) - z0[i];
    signs |= sign_of(limit2 - (u * u + v * v + w * w));
  }
  int next = first;
  if (reference->least_cosine != NULL && reference->node_count > first + 2) {
    next = end < reference->node_count - 2 ? end : reference->node_count - 2;
    signs |= signs_of_turns(position, least, reference->least_cosine, first, next);
  }
  for (int j = next; j < last; j++) {
    const double u = x[j + 1] - x[j], v = y[j + 1] - y[j], w = z[j + 1] - z[j];
    signs |= sign_of((u * u + v * v + w * w) - least[j]);
  }
  return (int)(signs >> 63);
}

/* ---- The range of velocities of a rod ---- */

/* Widens a range to contain some numbers. The last vector may overlap the one before it. */
ELI_INLINE void widen(const double *a, int count, double *low, double *high) {
  if (count < WIDTH) {
    for (int i = 0; i < count; i++) {
      *low = a[i] < *low ? a[i] : *low;
      *high = a[i] > *high ? a[i] : *high;
    }
    return;
  }
  const V last = at(a, count - WIDTH);
  V least = smaller(last, all(*low)), most = larger(last, all(*high));
  for (int i = 0; i + WIDTH < count; i += WIDTH) {
    const V next = at(a, i);
    least = smaller(next, least);
    most = larger(next, most);
  }
  *low = -largest(-least);
  *high = largest(most);
}

static void check_pace(const elastica_rod_view *rod, eli_pace *pace) {
  double most_mass = 0.0, shortest = INFINITY;
  for (int a = 0; a < 3; a++) widen(rod->velocity[a], rod->node_count, &pace->low[a], &pace->high[a]);
  pace->least_mass = INFINITY;
  pace->longest = 0.0;
  widen(rod->mass, rod->node_count, &pace->least_mass, &most_mass);
  widen(rod->rest_length, rod->element_count, &shortest, &pace->longest);
}
