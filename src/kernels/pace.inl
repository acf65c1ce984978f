/* ---- The range of velocities of a rod (contact/broad_phase.h) ---- */

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
