/* ---- Normal force of a wall on the elements of a rod ----
 *
 * equations  wall law (4.8): a force on elements, or reactions on nodes; contact/friction.h states both
 * test       tests/test_wall.c, tests/test_wall_nodes.c
 */

/* ---- Normal force ---- */

/* A node and the tangent plane of the wall at one of its elements. */
typedef struct wall_place {
  V gap, radius; /* [m] distance of the node from the plane minus the radius, negative below the plane; [m] radius */
  V share;       /* the element's share of the node's mass and loads */
} wall_place;

/* The reaction R on a share of nodes i... A node that would end the step below the surface ends it on the surface: an impact without
 * rebound. A node that is already below moves out at the speed (k eps dt/m)/(1 + gamma dt/m + 10 k dt^2/m), whatever other loads act on it;
 * if it is faster, R is 0. So a depth that no work has produced, for example of a wall that closes on a rod, releases at most k
 * eps^2/80. */
#define CREEP 10.0

ELI_INLINE V reaction(const wall_scene *s, ptrdiff_t i, const wall_span *e, wall_place place) {
  const eli_wall_law *law = &s->law;
  const double dt = s->dt, k = 0.5 * law->stiffness, slowness = dt * (0.5 * law->damping + CREEP * k * dt);
  const V mass = at(s->mass, i), drag = at(s->drag, i), share_of_mass = place.share * mass, per_dt = all(s->per_dt);
  const V exact = place.radius * all(1e-12); /* a rounding error is neither gap nor depth */
  const V gap = larger(place.gap, exact) - exact, eps = larger(-place.gap, exact) - exact;
  const V force = dot(at3(s->force, i), e->N), speed = dot(at3(s->velocity, i), e->N), wall_speed = dot(e->wall_velocity, e->N);
  const V wanted = nmadd(per_dt, gap, wall_speed);
  /* The kick with its drag rate, v_new = (v + (1 + x/2) dt F/m)/(1 + x + x^2/2) with x = dt drag/m and F + drag v without drag, solved for
   * F: (m/dt) (wanted (1 + x + x^2/2) - v)/(1 + x/2) = (m/dt) (wanted - v)/(1 + x/2) + wanted drag. */
  const V impulse = mass * (mass / madd(all(0.5 * dt), drag, mass)), drag_dt = all(dt) * drag;
  const V stop = per_dt * madd(wanted, drag_dt, impulse * (wanted - speed)) - madd(drag, speed, force);
  const V creep = all(k) * eps * (share_of_mass / (share_of_mass + all(slowness)));
  const M seen = (place.gap <= all(law->reach - 1.0) * place.radius) | (per_dt * (speed - wall_speed) < all(0.0));
  return choose(seen, larger(madd(place.share, stop, creep), all(0.0)), all(0.0));
}

/* The lowest height of nodes i... over the tangent plane of an element within the step, times mass, if no reaction or drag supports
 * them. */
ELI_INLINE V lowest_moment(const wall_scene *s, ptrdiff_t i, const wall_span *e, V height) {
  const V speed = dot(sub(at3(s->velocity, i), e->wall_velocity), e->N), force = dot(at3(s->force, i), e->N), zero = all(0.0);
  const V sinking = larger(-speed, zero) * all(s->dt), falling = larger(-force, zero) * all(s->dt * s->dt);
  return msub(at(s->mass, i), height - sinking, falling);
}

/* Marks elements that cannot touch the wall: they are farther than reach times the radius sqrt(V/(pi l)) at present, and with by_node also
 * at the end of the step. */
ELI_INLINE M is_far(const wall_scene *s, ptrdiff_t j, const wall_span *e, const int by_node) {
  const double reach = (1.0 + 1e-9) * s->law.reach;
  const V pi_l = all(ELI_PI) * at(s->length, j), volume = all(reach * reach) * at(s->volume, j), zero = all(0.0);
  if (!by_node) return (e->distance > zero) & (e->distance * e->distance * pi_l > volume);
  const V up = all(0.5) * dot(e->edge, e->N), low = lowest_moment(s, j, e, e->distance - up),
          other = lowest_moment(s, j + 1, e, e->distance + up);
  const V mass = at(s->mass, j), other_mass = at(s->mass, j + 1);
  return (low > zero) & (other > zero) & (low * low * pi_l > volume * mass * mass) &
         (other * other * pi_l > volume * other_mass * other_mass);
}

/* The normal force on the elements, and R. */
typedef struct normal_force {
  V R, push;
  M touches;
} normal_force;

/* The wall law (4.8), with R from the loads of the elements. */
ELI_INLINE normal_force press_elements(const wall_scene *s, const wall_span *e, V radius, V3 velocity, V3 force) {
  const eli_wall_law *law = &s->law;
  const V R = larger(-dot(force, e->N), all(0.0)), eps = larger(radius - e->distance, all(0.0));
  const V push = nmadd(all(law->damping), dot(velocity, e->N), madd(all(law->stiffness), eps, R));
  return (normal_force){R, push, e->distance < all(law->reach) * radius};
}

/* Returns the sum of the reactions on the shares of two nodes, and writes the fraction of each. Beyond the edge of an obstacle there is no
 * tangent plane; the true distance of the nodes is used. */
ELI_INLINE normal_force press_nodes(const wall_scene *s, ptrdiff_t j, const wall_span *e, V radius) {
  const eli_wall_contact *c = &s->contact;
  const V gap = e->distance - radius, up = all(0.5) * dot(e->edge, e->N);
  const wall_place first = {larger(gap - up, at(c->node_distance, j) - radius), radius, at(c->share_before, j)};
  const wall_place second = {larger(gap + up, at(c->node_distance, j + 1) - radius), radius, at(c->share_after, j)};
  const V R_first = reaction(s, j, e, first), R_second = reaction(s, j + 1, e, second), R = R_first + R_second;
  const M touches = R > all(0.0);
  const V part = choose(touches & e->inside, R_first / R, all(0.5));
  set(c->part_before, j, part);
  set(c->part_after, j, all(1.0) - part);
  return (normal_force){R, R, touches};
}

ELI_INLINE void press_nothing(const wall_scene *s, ptrdiff_t j, const int by_node, const int has_friction) {
  const eli_wall_contact *c = &s->contact;
  set3(c->push, j, zero3());
  if (has_friction) skip_friction(s, j);
  if (!by_node) return;
  set(c->part_before, j, all(0.5));
  set(c->part_after, j, all(0.5));
}

/* Returns the first vector with elements near the wall, or an index beyond the rod. */
ELI_INLINE ptrdiff_t first_near(const wall_scene *s, const int by_node) {
  ptrdiff_t j = 0;
  for (; j < s->contact.count; j += WIDTH) {
    const wall_span e = span_at(s, j);
    if (any(e.inside & ~is_far(s, j, &e, by_node))) break;
  }
  return j;
}

ELI_INLINE wall_found press(const wall_scene *s, const int by_node, const int has_friction) {
  const eli_wall_contact *c = &s->contact;
  wall_found found = {all(0.0), all(0.0), all(0.0), all(0.0), all(0.0)};
  const ptrdiff_t first = first_near(s, by_node);
  if (first >= c->count) return found;
  for (ptrdiff_t j = 0; j < first; j += WIDTH) press_nothing(s, j, by_node, has_friction);
  for (ptrdiff_t j = first; j < c->count; j += WIDTH) {
    const wall_span e = span_at(s, j);
    if (!any(e.inside & ~is_far(s, j, &e, by_node))) {
      press_nothing(s, j, by_node, has_friction);
      continue;
    }
    const V3 velocity = velocity_of(s, j, &e), force = load_on(s, j);
    const V radius = radius_of(s, j);
    const normal_force p = by_node ? press_nodes(s, j, &e, radius) : press_elements(s, &e, radius, velocity, force);
    const M touches = p.touches & e.inside;
    found.touches = choose(touches, all(1.0), found.touches);
    found.sunk = choose(e.inside & (e.distance < all(0.0)), all(1.0), found.sunk);
    set3(c->push, j, scale(choose(touches, p.push, all(0.0)), e.N));
    if (!has_friction) continue;
    const wall_slip slip = slip_of(s, j, &e, radius, velocity);
    prepare_friction(s, j, choose(touches, p.R, all(0.0)), &slip, force, &found);
  }
  if (by_node) close_elements(c, c->part_before);
  if (by_node) close_elements(c, c->part_after);
  return found;
}

/* ---- Normal force, then friction ---- */

ELI_INLINE V3 all3(const double a[3]) {
  return (V3){all(a[0]), all(a[1]), all(a[2])};
}

ELI_INLINE wall_scene scene_of(const eli_wall_law *law, const eli_wall_contact *contact, const elastica_rod_view *rod,
                               const elastica_loads *loads, double dt, const int by_node) {
  wall_scene s = {.contact = *contact,
                  .law = *law,
                  .mass = rod->mass,
                  .volume = rod->volume,
                  .dilatation = rod->dilatation,
                  .drag = loads->drag,
                  .length = by_node ? rod->rest_length : rod->length,
                  .dt = dt,
                  .per_dt = dt > 0.0 ? 1.0 / dt : 0.0,
                  .classical = rod->classical_law};
  s.plane_normal = (V3){all(contact->normal[0][0]), all(contact->normal[1][0]), all(contact->normal[2][0])};
  s.minus_plane_point = scale(all(-1.0), all3(contact->point));
  for (int a = 0; a < 3; a++) {
    s.position[a] = rod->position[a];
    s.velocity[a] = rod->velocity[a];
    s.omega[a] = rod->omega[a];
    s.force[a] = loads->total_force[a];
    s.couple[a] = loads->total_couple[a];
    for (int b = 0; b < 3; b++) s.director[3 * a + b] = rod->director[a][b];
  }
  return s;
}

/* The lanes of loads have no padding after the rod. */
static void add_lane(ptrdiff_t count, const double *from, double *to) {
  const ptrdiff_t whole_vectors = count - count % WIDTH;
  for (ptrdiff_t i = 0; i < whole_vectors; i += WIDTH) set(to, i, at(to, i) + at(from, i));
  for (ptrdiff_t i = whole_vectors; i < count; i++) to[i] += from[i];
}

static void copy_lane(ptrdiff_t count, const double *from, double *to) {
  for (ptrdiff_t i = 0; i < count; i += WIDTH) set(to, i, at(from, i));
}

ELI_INLINE unsigned press_by(const eli_wall_law *law, const eli_wall_contact *contact, const elastica_rod_view *rod,
                             const elastica_loads *loads, double dt, const int by_node) {
  const wall_scene s = scene_of(law, contact, rod, loads, dt, by_node);
  const int has_friction = law->friction.acts;
  const wall_found found = has_friction ? press(&s, by_node, 1) : press(&s, by_node, 0);
  const unsigned sunk = any(found.sunk > all(0.0)) ? ELI_CONTACT_SUNK : 0u;
  if (!any(found.touches > all(0.0))) return sunk;
  gather_push(&s, 0, by_node);
  const int turns = has_friction && find_friction(&s, found, by_node);
  for (int a = 0; a < 3; a++) {
    add_lane(rod->node_count, contact->force[a], loads->force[a]);
    if (turns) add_lane(contact->count, contact->couple[a], loads->couple[a]);
    copy_lane(rod->node_count, rod->position[a], contact->position[a]);
  }
  return ELI_CONTACT_TOUCHES | (turns ? ELI_CONTACT_TURNS : 0u) | sunk;
}

static unsigned press_wall(const eli_wall_law *law, const eli_wall_contact *contact, const elastica_rod_view *rod,
                           const elastica_loads *loads, double dt) {
  return law->balances_nodes ? press_by(law, contact, rod, loads, dt, 1) : press_by(law, contact, rod, loads, dt, 0);
}
