/* ---- Anisotropic friction of a wall, in the order of the papers' program: static friction along the rod (longitudinal), static friction
 * across it (lateral: rolling), kinetic friction ----
 *
 * equations  (4.9) slip; (4.10, 4.11) rolling; (4.12) static friction across; contact/friction.h states them in the form used here
 * test       tests/test_friction.c, tests/test_rolling.c
 */

/* ---- Loads of an element: its shares of the loads on its two nodes ---- */

ELI_INLINE V share_of(const wall_scene *s, const double *node, ptrdiff_t j) {
  return madd(at(s->contact.share_after, j), at(node, j + 1), at(s->contact.share_before, j) * at(node, j));
}

ELI_INLINE V3 share3_of(const wall_scene *s, V3 first, V3 second, ptrdiff_t j) {
  return axpy(at(s->contact.share_after, j), second, scale(at(s->contact.share_before, j), first));
}

/* The force of all loads except this wall. */
ELI_INLINE V3 load_on(const wall_scene *s, ptrdiff_t j) {
  return share3_of(s, at3(s->force, j), at3(s->force, j + 1), j);
}

/* The force that this wall has added so far. */
ELI_INLINE V3 added_to(const wall_scene *s, ptrdiff_t j) {
  return share3_of(s, own3(s->contact.force, j), own3(s->contact.force, j + 1), j);
}

/* (4.10, 4.11) with the true inertia. The loads, a force F and a couple C, change the slip along u at the rate (F . u + turn)/m; a force
 * f u at the contact changes it at the rate f (u . u + yield)/m. b = u x N, material: the torque of that force over f r. */
typedef struct wall_rolling {
  V turn, yield;
} wall_rolling;

ELI_INLINE wall_rolling roll(const wall_scene *s, ptrdiff_t j, V mass, V radius, V3 b, V3 C) {
  const V3 inverse = own3(s->contact.inverse_inertia, j), p = {inverse.x * b.x, inverse.y * b.y, inverse.z * b.z};
  const V lever = s->classical ? mass * radius : mass * radius * at(s->dilatation, j);
  return (wall_rolling){lever * dot(p, C), lever * radius * dot(p, b)};
}

/* ---- Slip of the contact, and the limits of friction ---- */

/* Limits of each element. static_...: the part of R for static friction [N]; kinetic_...: R times the kinetic coefficient [N]. */
typedef struct friction_limits {
  V static_along, static_across, kinetic_along, kinetic_across;
} friction_limits;

ELI_INLINE void set_limits(const wall_scene *s, ptrdiff_t j, friction_limits limits) {
  const eli_wall_contact *c = &s->contact;
  set(c->static_along, j, limits.static_along);
  set(c->static_across, j, limits.static_across);
  set(c->kinetic_along, j, limits.kinetic_along);
  set(c->kinetic_across, j, limits.kinetic_across);
}

ELI_INLINE void find_limits(friction_limits limits, wall_found *found) {
  found->static_along = larger(limits.static_along, found->static_along);
  found->static_across = larger(limits.static_across, found->static_across);
  found->kinetic = larger(limits.kinetic_along + limits.kinetic_across, found->kinetic);
}

/* f(s) of contact/friction.h: the share of static friction at slip s. */
ELI_INLINE V static_share(const eli_friction *law, V slip) {
  const V share = nmadd(all(law->fade), size_of(slip), all(3.0));
  return smaller(larger(share, all(0.0)), all(1.0));
}

ELI_INLINE V kinetic_coefficient(const eli_friction *law, V slip_along) {
  return choose(slip_along < all(0.0), all(law->kinetic_forward), all(law->kinetic_backward));
}

/* The limits that use the full R in each direction (not elliptic). */
ELI_INLINE friction_limits independent_limits(const eli_friction *law, V R, V slip_along, V slip_across) {
  const V along = static_share(law, slip_along), across = static_share(law, slip_across), one = all(1.0);
  return (friction_limits){along * R, across * R, (one - along) * (kinetic_coefficient(law, slip_along) * R),
                           (one - across) * (all(law->kinetic_across) * R)};
}

/* Contact geometry and slip of elements j..., with or without contact. */
typedef struct wall_slip {
  V radius;
  V3 a, u; /* along and across */
  V3 axis; /* Q a, material */
  V along, across;
} wall_slip;

/* sqrt(V/(pi l)) = V/sqrt(pi V l) */
ELI_INLINE V radius_of(const wall_scene *s, ptrdiff_t j) {
  return root(at(s->volume, j) / (all(ELI_PI) * at(s->length, j)));
}

/* (4.9). velocity is relative to the wall. */
ELI_INLINE wall_slip slip_of(const wall_scene *s, ptrdiff_t j, const wall_span *e, V radius, V3 velocity) {
  const V3 sideways = cross_exact(e->N, e->edge);
  const V size2 = dot(sideways, sideways);
  const V3 u = choose3(e->inside & (size2 > all(0.0)), scale(inverse_root(size2), sideways), zero3()), a = cross(u, e->N);
  const V3 axis = material(s, j, a);
  return (wall_slip){radius, a, u, axis, dot(velocity, a), madd(radius, dot(axis, at3(s->omega, j)), dot(velocity, u))};
}

/* Writes the directions, slips and limits of the independent law for elements j... with reaction R. force is that of the loads. */
ELI_INLINE void prepare_friction(const wall_scene *s, ptrdiff_t j, V R, const wall_slip *slip, V3 force, wall_found *found) {
  const eli_wall_contact *c = &s->contact;
  const V mass = share_of(s, s->mass, j), rate = all(s->per_dt) * mass, one = all(1.0);
  const wall_rolling r = roll(s, j, mass, slip->radius, slip->axis, at3(s->couple, j));
  const friction_limits limits = independent_limits(&s->law.friction, R, slip->along, slip->across);
  set(c->radius, j, slip->radius);
  set(c->normal_force, j, R);
  set3(c->along, j, slip->a);
  set3(c->across, j, slip->u);
  set3(c->axis, j, slip->axis);
  set(c->slip_along, j, slip->along);
  set(c->slip_across, j, slip->across);
  set(c->need_along, j, madd(rate, slip->along, dot(force, slip->a)));
  set(c->need_across, j, madd(rate, slip->across, dot(force, slip->u) + r.turn));
  set(c->yield, j, one / (one + r.yield));
  set_limits(s, j, limits);
  find_limits(limits, found);
}

/* Writes zero friction for elements j...; the radius 0 says that the slips are not known. */
ELI_INLINE void skip_friction(const wall_scene *s, ptrdiff_t j) {
  set(s->contact.radius, j, all(0.0));
  set(s->contact.normal_force, j, all(0.0));
  set3(s->contact.along, j, zero3()); /* neighbouring vectors multiply these by their limits */
  set3(s->contact.across, j, zero3());
  set_limits(s, j, (friction_limits){all(0.0), all(0.0), all(0.0), all(0.0)});
}

/* ---- Elliptic limits ---- */

/* Static: R is divided between the two directions in proportion to the forces needed to stop the slip, each divided by its mu. Kinetic: R
 * is divided in proportion to the slips. */
ELI_INLINE friction_limits elliptic_limits(const wall_scene *s, ptrdiff_t j) {
  const eli_wall_contact *c = &s->contact;
  const eli_friction *law = &s->law.friction;
  const V zero = all(0.0), half = all(0.70710678118654752);
  const V3 added = added_to(s, j);
  const V S = at(c->slip_along, j), T = at(c->slip_across, j), along = dot_add(added, own3(c->along, j), at(c->need_along, j));
  const V across = dot_add(added, own3(c->across, j), at(c->need_across, j)) * at(c->yield, j);
  const V mu = choose(along < zero, all(law->static_forward), all(law->static_backward)), mu_across = all(law->static_across);
  const V x = choose(mu > zero, size_of(along) / mu, zero), y = choose(mu_across > zero, size_of(across) / mu_across, zero);
  const V need = root(madd(x, x, y * y)), slip = root(madd(S, S, T * T)), R = at(c->normal_force, j), f = static_share(law, slip);
  const V moving = choose(slip > zero, (all(1.0) - f) * R / slip, zero);
  const M needed = need > zero; /* if no force is needed, both parts are equal */
  return (friction_limits){f * R * choose(needed, x / need, half), f * R * choose(needed, y / need, half),
                           moving * size_of(S) * kinetic_coefficient(law, S), moving * size_of(T) * all(law->kinetic_across)};
}

ELI_INLINE wall_found share_elliptically(const wall_scene *s) {
  wall_found found = {all(1.0), all(0.0), all(0.0), all(0.0), all(0.0)};
  for (ptrdiff_t j = 0; j < s->contact.count; j += WIDTH) {
    if (!any(at(s->contact.normal_force, j) > all(0.0))) continue; /* the limits are 0 if R is 0 */
    const friction_limits limits = elliptic_limits(s, j);
    set_limits(s, j, limits);
    find_limits(limits, &found);
  }
  return found;
}

/* ---- Static friction: along the rod on nodes, then across it on elements ---- */

/* The share of a node in the static limit of an element along the rod, divided by mu, as a vector. */
ELI_INLINE V3 part_along(const wall_scene *s, ptrdiff_t j, V part) {
  const eli_wall_contact *c = &s->contact;
  return scale(part * at(c->static_along, j), own3(c->along, j));
}

/* Adds static friction along the rod to nodes i... `needed` is the required force in units of R, that is a coefficient of friction. */
ELI_INLINE void hold_nodes(const wall_scene *s, ptrdiff_t i, const int by_node) {
  const eli_wall_contact *c = &s->contact;
  const V before = part_after(s, i - 1, by_node), after = part_before(s, i, by_node), zero = all(0.0);
  const V3 g = add(part_along(s, i - 1, before), part_along(s, i, after)), own = own3(c->force, i);
  V3 slip = at3(s->velocity, i);
  if (!c->flat) slip = sub(slip, scale(all(0.5), add(own3(c->wall_velocity, i - 1), own3(c->wall_velocity, i))));
  const V3 stop = axpy(all(s->per_dt) * at(s->mass, i), slip, add(at3(s->force, i), own));
  const V size2 = dot(g, g), needed = choose(size2 > zero, dot(stop, g) / size2, zero);
  const V held = smaller(larger(needed, all(-s->law.friction.static_forward)), all(s->law.friction.static_backward));
  set3(c->force, i, axpy(-held, g, own));
}

/* An end node of an open rod has only one element; the velocity of the wall at that element is copied beyond the end. */
ELI_INLINE void hold_along(const wall_scene *s, const int by_node) {
  const eli_wall_contact *c = &s->contact;
  const ptrdiff_t n = c->count;
  close_elements(c, c->static_along);
  close_elements3(c, c->along);
  for (int a = 0; a < 3; a++) {
    c->wall_velocity[a][-1] = c->wall_velocity[a][c->closed ? n - 1 : 0];
    c->wall_velocity[a][n] = c->wall_velocity[a][c->closed ? 0 : n - 1];
  }
  for (ptrdiff_t i = 0; i <= n; i += WIDTH)
    if (any((at(c->static_along, i - 1) > all(0.0)) | (at(c->static_along, i) > all(0.0)))) hold_nodes(s, i, by_node);
  for (int a = 0; a < 3 && c->closed; a++) c->force[a][n] = c->force[a][0];
}

/* The limit across the rod on nodes i..., divided by mu: the average A^h, or with by_node the parts of each node. */
ELI_INLINE V3 node_limit_across(const wall_scene *s, ptrdiff_t i, const int by_node) {
  const eli_wall_contact *c = &s->contact;
  const V before = part_after(s, i - 1, by_node) * at(c->static_across, i - 1),
          after = part_before(s, i, by_node) * at(c->static_across, i);
  return add(scale(before, own3(c->across, i - 1)), scale(after, own3(c->across, i)));
}

/* The slip across elements j..., from the lanes. An element next to an element in contact may itself be out of contact, and its vector be
 * without slips. */
ELI_INLINE wall_slip known_slip(const wall_scene *s, ptrdiff_t j) {
  const eli_wall_contact *c = &s->contact;
  if (!(c->radius[j] > 0.0)) {
    const wall_span e = span_at(s, j);
    return slip_of(s, j, &e, radius_of(s, j), velocity_of(s, j, &e));
  }
  return (wall_slip){at(c->radius, j), own3(c->along, j),    own3(c->across, j),
                     own3(c->axis, j), at(c->slip_along, j), at(c->slip_across, j)};
}

/* (4.12): the force -gain/yield limit, at most mu limit. */
ELI_INLINE void hold_elements(const wall_scene *s, ptrdiff_t j, const int by_node) {
  const eli_wall_contact *c = &s->contact;
  const V3 N = c->flat ? s->plane_normal : own3(c->normal, j);
  const wall_slip sliding = known_slip(s, j);
  const V mu = all(s->law.friction.static_across), mass = share_of(s, s->mass, j), zero = all(0.0);
  const V3 limit = share3_of(s, node_limit_across(s, j, by_node), node_limit_across(s, j + 1, by_node), j);
  const V3 torque = cross(limit, N), b = material(s, j, torque);
  const wall_rolling r = roll(s, j, mass, sliding.radius, b, at3(s->couple, j));
  const V slip = all(s->per_dt) * mass * (sliding.across * dot(sliding.u, limit));
  const V gain = dot(add(load_on(s, j), added_to(s, j)), limit) + r.turn, yield = dot(limit, limit) + r.yield;
  const V needed = choose(yield > zero, (gain + slip) / yield, zero), held = smaller(larger(-needed, -mu), mu);
  const V3 couple = axpy(held * sliding.radius, b, zero3());
  set3(c->push, j, scale(held, limit));
  set3(c->couple, j, couple);
  set3(c->laboratory_couple, j, axpy(held * sliding.radius, torque, zero3()));
  set(c->need_across, j, at(c->need_across, j) + roll(s, j, mass, sliding.radius, sliding.axis, couple).turn); /* the remaining need for
                                                                                                                * all_element_friction() */
}

ELI_INLINE void hold_across(const wall_scene *s, const int by_node) {
  const eli_wall_contact *c = &s->contact;
  close_elements(c, c->static_across);
  close_elements3(c, c->across);
  for (ptrdiff_t j = 0; j < c->count; j += WIDTH) {
    const V before = at(c->static_across, j - 1), here = at(c->static_across, j), after = at(c->static_across, j + 1), zero = all(0.0);
    set3(c->push, j, zero3());
    set3(c->couple, j, zero3());
    set3(c->laboratory_couple, j, zero3());
    if (any((before > zero) | (here > zero) | (after > zero))) hold_elements(s, j, by_node);
  }
}

/* ---- Kinetic friction ---- */

/* Returns kinetic friction as a force along the axis of the slip. It opposes the slip. Its magnitude is at most limit, and at most -need,
 * the force that ends the slip. */
ELI_INLINE V against(V slip, V need, V limit) {
  const M sign = (M)slip & (M)all(-0.0);
  const V size = (V)((M)need ^ sign); /* the force needed against the slip */
  return -(V)((M)smaller(larger(size, all(0.0)), limit) ^ sign);
}

/* Computes kinetic friction on elements j... With turned 1, couple and laboratory_couple hold the static part. */
ELI_INLINE void element_friction(const wall_scene *s, ptrdiff_t j, const int turned) {
  const eli_wall_contact *c = &s->contact;
  const V3 a = own3(c->along, j), u = own3(c->across, j), added = added_to(s, j);
  const V need_across = dot_add(added, u, at(c->need_across, j)) * at(c->yield, j);
  const V along = against(at(c->slip_along, j), dot_add(added, a, at(c->need_along, j)), at(c->kinetic_along, j));
  const V across = against(at(c->slip_across, j), need_across, at(c->kinetic_across, j)), turn = across * at(c->radius, j);
  set3(c->push, j, axpy(along, a, scale(across, u)));
  set3(c->couple, j, axpy(turn, own3(c->axis, j), turned ? own3(c->couple, j) : zero3()));
  set3(c->laboratory_couple, j, axpy(turn, a, turned ? own3(c->laboratory_couple, j) : zero3()));
}

ELI_INLINE void all_element_friction(const wall_scene *s, const int turned) {
  const eli_wall_contact *c = &s->contact;
  for (ptrdiff_t j = 0; j < c->count; j += WIDTH) {
    if (any((at(c->kinetic_along, j) > all(0.0)) | (at(c->kinetic_across, j) > all(0.0)))) {
      element_friction(s, j, turned);
    } else {
      set3(c->push, j, zero3());
      if (!turned) set3(c->couple, j, zero3());
      if (!turned) set3(c->laboratory_couple, j, zero3());
    }
  }
}

/* Adds friction to the forces of the wall. Returns 1 if it exerts couples on elements. */
ELI_INLINE int find_friction(const wall_scene *s, wall_found independent, const int by_node) {
  const wall_found found = s->law.friction.elliptic ? share_elliptically(s) : independent;
  const int turned = any(found.static_across > all(0.0)), slides = any(found.kinetic > all(0.0));
  if (any(found.static_along > all(0.0))) hold_along(s, by_node);
  if (turned) {
    hold_across(s, by_node);
    gather_push(s, 1, by_node);
  }
  if (slides) {
    if (turned)
      all_element_friction(s, 1);
    else
      all_element_friction(s, 0);
    gather_push(s, 1, by_node);
  }
  return turned || slides;
}
