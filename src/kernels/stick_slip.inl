/* ---- Stick-slip friction of contacts along lines (contact/stick_slip.h), several contacts in lanes ----
 *
 * equations  contact/stick_slip.h: the steps of eli_slip_of_round and eli_stick_slip_step, in lanes
 * rounding   no fused operations, as in lines.inl
 */

/* a x b */
ELI_INLINE V3 cross_plain(V3 a, V3 b) {
  return (V3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Computes sine and cosine by series up to 1/16 rad, and one by one for larger angles. */
ELI_INLINE void sine_and_cosine(V x, V *sine, V *cosine) {
  const V u = x * x;
  *sine = x * (1.0 - u * (1.0 / 6.0 - u * (1.0 / 120.0 - u * (1.0 / 5040.0 - u * (1.0 / 362880.0)))));
  *cosine = 1.0 - u * (0.5 - u * (1.0 / 24.0 - u * (1.0 / 720.0 - u * (1.0 / 40320.0 - u * (1.0 / 3628800.0)))));
  const M far = ~(u <= 1.0 / 256.0);
  if (!any(far)) return;
  for (int l = 0; l < WIDTH; l++) {
    double own[2];
    if (!far[l]) continue;
    eli_sincos(x[l], &own[0], &own[1]);
    (*sine)[l] = own[0];
    (*cosine)[l] = own[1];
  }
}

/* A rotation by an angle about an axis. */
typedef struct lane_turn {
  V sine, cosine;
} lane_turn;

ELI_INLINE V3 turn_about(V3 axis, lane_turn by, V3 f) {
  return plus(scale(by.cosine, f), by.sine, cross_plain(axis, f));
}

/* Limits a force to a magnitude with the square limit2. */
ELI_INLINE V3 cut_at(V3 f, V limit2, M *cut) {
  const V square = inner(f, f);
  *cut = square > limit2;
  return scale(choose(*cut, root(limit2 / square), all(1.0)), f);
}

/* Rotates the spring force from the previous normal to the present one: by the smallest rotation between the normals, then about the
 * normal. The result is never longer than f. */
ELI_INLINE V3 turn_force(V3 f, V3 before, V3 normal, lane_turn by) {
  const V square = inner(f, f), cosine = inner(before, normal), share = choose(cosine > -0.5, 1.0 / (1.0 + cosine), all(2.0));
  const V3 axis = cross_plain(before, normal), once = cross_plain(axis, f);
  const V3 on = turn_about(normal, by, plus(add(f, once), share, cross_plain(axis, once)));
  M longer;
  const V3 cut = cut_at(minus(on, inner(on, normal), normal), square, &longer);
  const M some = square > 0.0;
  return (V3){where(some, cut.x), where(some, cut.y), where(some, cut.z)};
}

/* The velocity of the surface of one of the two bodies at the contact: the velocity of its axis, plus spin x the mean of the levers of both
 * half steps. */
ELI_INLINE V3 surface_velocity(const eli_lines *of, const eli_stick_slips *springs, int side, V3 normal, V3 before, M known, int l) {
  const V3 first = row3(of->side[side].velocity[0][0], l), spin = row3(of->side[side].spin[0], l);
  const V3 lever = sub(row3(of->point[0], l), row3(of->axis[side][0], l));
  const V3 mean = plus(lever, where(known, 0.5 * inner(lever, normal)), sub(before, normal));
  V3 v = plus(first, at(of->middle[side], l), sub(row3(of->side[side].velocity[1][0], l), first));
  if (springs->has_bodies) v = minus(v, all(0.5 * springs->dt), row3(springs->turning[side][0], l));
  return add(v, cross_plain(spin, mean));
}

/* Removes the part of v along the mean of both normals, since the contact was there half a step before, and rotates the result with the
 * contact. */
ELI_INLINE V3 carry(V3 v, V3 normal, V3 before, lane_turn half) {
  const V3 mean = add(before, normal);
  const V square = inner(mean, mean);
  const V3 across = minus(v, where(square > 0.0, inner(v, mean) / square), mean);
  return turn_about(normal, half, minus(across, inner(across, normal), normal));
}

/* Adds the friction force to the first body at the middle of the contact and the opposite to the second: forces on the ends, and the
 * couples of the levers. */
ELI_INLINE void add_friction(eli_lines *of, eli_stick_slips *springs, V3 force, int l) {
  for (int side = 0; side < 2; side++) {
    const V sign = all(side ? -1.0 : 1.0);
    const V3 own = scale(sign, force), last = scale(at(of->middle[side], l), own), first = sub(own, last);
    const V3 lever = sub(row3(of->point[0], l), row3(of->axis[side][0], l));
    set_row3(of->force[side][0][0], l, add(row3(of->force[side][0][0], l), first));
    set_row3(of->force[side][1][0], l, add(row3(of->force[side][1][0], l), last));
    set_row3(springs->couple[side][0], l, cross_plain(lever, own));
  }
}

static void step_some(eli_lines *of, eli_stick_slips *springs, int l) {
  const V3 normal = row3(of->direction[0], l), before = row3(springs->normal[0], l);
  const M known = (before.x != 0.0) | (before.y != 0.0) | (before.z != 0.0);
  const V extent = at(of->extent, l), limit = springs->friction * at(of->pressure, l), limit2 = limit * limit;
  const V stiffness = springs->tangential * extent, stiffness_before = at(springs->stiffness, l);
  const V spin = 0.5 * inner(add(row3(of->side[0].spin[0], l), row3(of->side[1].spin[0], l)), normal);
  lane_turn half;
  sine_and_cosine(0.5 * springs->dt * spin, &half.sine, &half.cosine);
  const lane_turn whole = {2.0 * half.sine * half.cosine, 1.0 - 2.0 * half.sine * half.sine};
  const V3 relative =
      sub(surface_velocity(of, springs, 0, normal, before, known, l), surface_velocity(of, springs, 1, normal, before, known, l));
  const V3 slip = carry(relative, normal, before, half), old = turn_force(row3(springs->force[0], l), before, normal, whole);
  const V kept = choose(stiffness < stiffness_before, stiffness / stiffness_before, all(1.0));
  M slides, damped;
  const V3 spring = cut_at(minus(scale(kept, old), springs->dt * stiffness, slip), limit2, &slides);
  set_row3(springs->force[0], l, spring);
  set_row3(springs->normal[0], l, normal);
  set(springs->stiffness, l, stiffness);
  set(springs->sticks, l, where(~slides, all(1.0)));
  V3 force = spring;
  if (springs->damping > 0.0) force = cut_at(minus(spring, springs->damping * extent, slip), limit2, &damped);
  add_friction(of, springs, force, l);
}

static void step_lines(eli_lines *of, eli_stick_slips *springs) {
  for (int l = 0; l < of->count; l += WIDTH) step_some(of, springs, l);
}

/* ---- The loads of pairs ---- */

static void write_loads(const eli_lines *of, const eli_stick_slips *friction, int swells, eli_pair_loads *const to[ELI_LINES]) {
  _Alignas(sizeof(eli_row)) eli_row rows[2][2][ELI_END_LOADS];
  for (int side = 0; side < 2; side++)
    for (int l = 0; l < ELI_LINES; l += WIDTH) {
      const V3 m = row3(friction->couple[side][0], l);
      const M turns = (m.x != 0.0) | (m.y != 0.0) | (m.z != 0.0);
      double(*const first)[ELI_LINES] = rows[side][0], (*const last)[ELI_LINES] = rows[side][1];
      set_row3(first[0], l, row3(of->force[side][0][0], l));
      set_row3(last[0], l, row3(of->force[side][1][0], l));
      for (int k = 0; k < 3; k++) {
        set(first[3 + k], l, choose(turns, inner(row3(of->side[side].director[3 * k], l), m), all(-0.0)));
        set(last[3 + k], l, all(-0.0));
      }
      set(first[6], l, swells ? at(of->swelling[side][0], l) : all(-0.0));
      set(last[6], l, swells ? at(of->swelling[side][1], l) : all(-0.0));
      set(first[7], l, all(-0.0));
      set(last[7], l, all(-0.0));
    }
  scatter_rows(rows[0][0][0], (void *const *)to, (int)(sizeof(eli_pair_loads) / sizeof(eli_row)));
}

static void add_loads(const eli_pair_loads *loads, void *const sum[4]) {
  for (int k = 0; k < 4; k++)
    for (int l = 0; l < ELI_END_LOADS; l += WIDTH) *(V *)((double *)sum[k] + l) += *(const V *)(loads->end[k / 2][k % 2] + l);
}

/* Adds the tensions of elements that are not at an end of a rod, as far as whole vectors go; returns the first element left. A shorter
 * element is thicker, and overlaps more. A node has the mean radius of its elements, so half of its widening load acts on each. Each node
 * gets the part of the element before it first, as in a loop over elements. */
static int add_tensions(const elastica_rod_view *rod, const double *widening, int first, int end, const elastica_loads *loads) {
  int j = first;
  for (; j + WIDTH <= end; j += WIDTH) {
    const V part = 0.5 * at(widening, j) + 0.5 * at(widening, j + 1);
    const M loaded = part != 0.0;
    if (!any(loaded)) continue;
    const V length = at(rod->length, j), tension = -part * 0.5 * root(at(rod->volume, j) / (ELI_PI * length)) / length;
    for (int a = 0; a < 3; a++) {
      double *force = loads->force[a];
      const V pull = tension * at(rod->tangent[a], j), after = at(force, j + 1);
      set(force, j + 1, choose(loaded, after - pull, after));
      const V before = at(force, j);
      set(force, j, choose(loaded, before + pull, before));
    }
  }
  return j;
}

#if ELI_SIMD_WIDTH == 8 && defined(ELI_KERNELS_X86)
/* For up to half a vector of pairs, vectors of half the width are used: their roots and divisions take half the time. The bits are the
 * same. */
ELI_INLINE const eli_lines_work *narrow(const eli_lines *of) {
  return of->count <= WIDTH / 2 ? eli_kernels_avx2.lines : NULL;
}

static void find_parts_of_all(eli_lines *of) {
  if (narrow(of) != NULL)
    narrow(of)->find_parts(of);
  else
    find_parts(of);
}

static void find_all_lines(eli_lines *of) {
  if (narrow(of) != NULL)
    narrow(of)->find_lines(of);
  else
    find_lines(of);
}

static void step_all_lines(eli_lines *of, eli_stick_slips *springs) {
  if (narrow(of) != NULL)
    narrow(of)->stick_slip(of, springs);
  else
    step_lines(of, springs);
}

#else
#define find_parts_of_all find_parts
#define find_all_lines find_lines
#define step_all_lines step_lines
#endif

static const eli_lines_work lines_work = {.find_parts = find_parts_of_all,
                                          .find_lines = find_all_lines,
                                          .stick_slip = step_all_lines,
                                          .place = place_elements,
                                          .gather = gather_rows,
                                          .scatter = scatter_rows,
                                          .add_loads = add_loads,
                                          .add_tensions = add_tensions,
                                          .measure = measure,
                                          .write_loads = write_loads};
