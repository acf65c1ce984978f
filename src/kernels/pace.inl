/* ---- The box of velocities of a rod (contact/pace.h) ---- */

/* The largest of some numbers times sign, and `most`. The last vector may go over some of them again. */
ELI_INLINE double largest_of(const double *a, int count, double sign, double most) {
  V found = all(most);
  if (count < WIDTH) {
    for (int i = 0; i < count; i++) most = sign * a[i] > most ? sign * a[i] : most;
    return most;
  }
  for (int i = 0; i + WIDTH < count; i += WIDTH) found = larger(sign * at(a, i), found);
  return largest(larger(sign * at(a, count - WIDTH), found));
}

static void look_at_pace(const elastica_rod_view *rod, eli_pace *pace) {
  const int nodes = rod->node_count;
  for (int a = 0; a < 3; a++) {
    pace->high[a] = largest_of(rod->velocity[a], nodes, 1.0, pace->high[a]);
    pace->low[a] = -largest_of(rod->velocity[a], nodes, -1.0, -pace->low[a]);
  }
  pace->least_mass = -largest_of(rod->mass, nodes, -1.0, -INFINITY);
  pace->longest = largest_of(rod->rest_length, rod->element_count, 1.0, 0.0);
}
