/* ---- The box of velocities of a rod (contact/pace.h) ---- */

static void widen_by(const double *a, int count, double *low, double *high) {
  V least = all(*low), most = all(*high);
  int i = 0;
  for (; i + WIDTH <= count; i += WIDTH) {
    least = smaller(at(a, i), least);
    most = larger(at(a, i), most);
  }
  for (int l = 0; l < WIDTH; l++) {
    if (least[l] < *low) *low = least[l];
    if (most[l] > *high) *high = most[l];
  }
  for (; i < count; i++) {
    if (a[i] < *low) *low = a[i];
    if (a[i] > *high) *high = a[i];
  }
}

static void look_at_pace(const elastica_rod_view *rod, eli_pace *pace) {
  double most = -INFINITY, least = INFINITY;
  pace->least_mass = INFINITY;
  pace->longest = 0.0;
  for (int a = 0; a < 3; a++) widen_by(rod->velocity[a], rod->node_count, &pace->low[a], &pace->high[a]);
  widen_by(rod->mass, rod->node_count, &pace->least_mass, &most);
  widen_by(rod->rest_length, rod->element_count, &least, &pace->longest);
}
