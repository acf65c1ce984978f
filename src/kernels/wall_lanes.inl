/* ---- Lanes of a wall and one rod, and the transfer of forces from elements to nodes ----
 *
 * The lanes of the rod have any alignment, those of the contact begin at a block. The last vector of a sweep extends beyond the rod; the
 * contact's lanes of forces and limits are zero there. Forces begin at +0 and are summed: adding zeros changes no bit of them, so vectors
 * without contact, sticking or sliding can be skipped.
 */

/* The contact of a wall with one rod, and the lanes of the rod. They are copies, so that no store to a lane can change them. */
typedef struct wall_scene {
  eli_wall_contact contact;
  eli_wall_law law;
  const double *position[3], *velocity[3], *director[9], *omega[3];
  const double *force[3], *couple[3]; /* sums over all loads so far */
  const double *mass, *volume, *dilatation, *drag;
  const double *length;               /* determines the radius of an element: the rest length for a wall that balances nodes */
  V3 plane_normal, minus_plane_point; /* of a flat wall */
  double dt, per_dt;                  /* per_dt: 1/dt, or 0 for an equilibrium */
  int classical;
} wall_scene;

ELI_INLINE V at(const double *lane, ptrdiff_t i) {
  return *(const VU *)(lane + i);
}

ELI_INLINE V3 at3(const double *const lane[3], ptrdiff_t i) {
  return (V3){at(lane[0], i), at(lane[1], i), at(lane[2], i)};
}

/* Reads a lane of the contact itself. */
ELI_INLINE V3 own3(double *const lane[3], ptrdiff_t i) {
  return (V3){at(lane[0], i), at(lane[1], i), at(lane[2], i)};
}

ELI_INLINE void set(double *lane, ptrdiff_t i, V a) {
  *(VU *)(lane + i) = a;
}

ELI_INLINE void set3(double *const lane[3], ptrdiff_t i, V3 a) {
  set(lane[0], i, a.x);
  set(lane[1], i, a.y);
  set(lane[2], i, a.z);
}

ELI_INLINE V3 zero3(void) {
  return (V3){all(0.0), all(0.0), all(0.0)};
}

/* a x b, exactly 0 for parallel vectors with the same components. */
ELI_INLINE V3 cross_exact(V3 a, V3 b) {
  return (V3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* a . b + c */
ELI_INLINE V dot_add(V3 a, V3 b, V c) {
  return madd(a.z, b.z, madd(a.y, b.y, madd(a.x, b.x, c)));
}

/* Marks the slots with an index below count. */
ELI_INLINE M below(ptrdiff_t count) {
  V slot = all(0.0);
  for (int l = 0; l < WIDTH; l++) slot[l] = l;
  return slot < all((double)count);
}

/* Largest values found in a sweep over the elements. */
typedef struct wall_found {
  V touches, static_along, static_across, kinetic, sunk;
} wall_found;

/* Elements j... and their geometry relative to the wall. */
typedef struct wall_span {
  M inside; /* 1 for elements of the rod, 0 beyond its end */
  V3 edge;  /* [m] from node to node */
  V3 N;
  V3 wall_velocity; /* [m/s] */
  V distance;       /* [m] of the centre from the wall */
} wall_span;

ELI_INLINE wall_span span_at(const wall_scene *s, ptrdiff_t j) {
  const eli_wall_contact *c = &s->contact;
  const V3 first = at3(s->position, j), second = at3(s->position, j + 1);
  wall_span e = {.edge = sub(second, first)};
  e.inside = j + WIDTH <= c->count ? ~(M){0} : below(c->count - j);
  if (c->flat) {
    e.N = s->plane_normal;
    e.wall_velocity = zero3();
    e.distance = dot(axpy(all(0.5), add(first, second), s->minus_plane_point), e.N);
  } else {
    e.N = own3(c->normal, j);
    e.wall_velocity = own3(c->wall_velocity, j);
    e.distance = at(c->distance, j);
  }
  return e;
}

/* Velocity of the centres of elements, relative to the wall. */
ELI_INLINE V3 velocity_of(const wall_scene *s, ptrdiff_t j, const wall_span *e) {
  return sub(scale(all(0.5), add(at3(s->velocity, j), at3(s->velocity, j + 1))), e->wall_velocity);
}

/* Transforms to material components in the frames of elements j... */
ELI_INLINE V3 material(const wall_scene *s, ptrdiff_t j, V3 a) {
  const Frame Q = {at3(s->director, j), at3(s->director + 3, j), at3(s->director + 6, j)};
  return to_material(Q, a);
}

/* ---- From elements to nodes ---- */

/* The fractions of an element's force on its nodes: halves as in the papers, or with by_node in proportion to the reactions. */
ELI_INLINE V part_before(const wall_scene *s, ptrdiff_t j, const int by_node) {
  return by_node ? at(s->contact.part_before, j) : all(0.5);
}

ELI_INLINE V part_after(const wall_scene *s, ptrdiff_t j, const int by_node) {
  return by_node ? at(s->contact.part_after, j) : all(0.5);
}

/* In a lane of a ring, element n - 1 is repeated before element 0, and element 0 after element n - 1. */
static void close_elements(const eli_wall_contact *c, double *lane) {
  if (!c->closed) return;
  lane[-1] = lane[c->count - 1];
  lane[c->count] = lane[0];
}

static void close_elements3(const eli_wall_contact *c, double *const lane[3]) {
  for (int a = 0; a < 3; a++) close_elements(c, lane[a]);
}

/* The force on nodes i... from push: halves as in (4.8), or fractions by node. */
ELI_INLINE V3 gathered(const wall_scene *s, ptrdiff_t i, const int by_node) {
  const V before = part_after(s, i - 1, by_node), after = part_before(s, i, by_node);
  const V3 last = scale(before, own3(s->contact.push, i - 1)), next = scale(after, own3(s->contact.push, i));
  return add(last, next); /* this order gives the same bits from either end of the rod */
}

/* Writes the nodal forces of push to force; with adds 1 it adds them to force. */
ELI_INLINE void gather_push(const wall_scene *s, const int adds, const int by_node) {
  const eli_wall_contact *c = &s->contact;
  close_elements3(c, c->push);
  for (ptrdiff_t i = 0; i <= c->count; i += WIDTH) set3(c->force, i, add(adds ? own3(c->force, i) : zero3(), gathered(s, i, by_node)));
}
