/* ---- Elements: shear and stretch ----
 *
 * equations  (3.3)  shear strain and stretch, by (2.9): sigma = e Q t - d3 = Q d/lhat - d3 with the edge d = r_{j+1} - r_j
 *            (2.11) stress n = S (sigma - sigma0)/e, with S/e by (2.10); classical law: n = S (sigma - sigma0)
 *            (3.8)  Q^T n, the argument of its difference Delta^h (kick.inl)
 *            (3.9)  shear/stretch couple (Q t x S sigma) lhat = Q d x n, and lhat de/dt of the unsteady dilatation
 * lanes      S (sigma - sigma0) = (S/lhat) Q d - S (sigma0 + d3): both factors are prepared (rod/rod.c)
 * frames     Q d, sigma, n and couples are material; edges and Q^T n are laboratory
 */

/* Results of a sweep over loads: the largest sin^2 of half a joint angle, and the largest excess of an element over its allowed motion. */
typedef struct Found {
  V joint, watch;
} Found;

ELI_INLINE Found nothing_found(void) {
  return (Found){all(0.0), all(0.0)};
}

/* Limit check request of an element: positive if the square of its length or of its shear has changed too much since the last limit check.
 * A slot without an element has infinite bounds. */
ELI_INLINE V beyond_watch(lanes rod, ptrdiff_t j, V3 edge) {
  const V sheared = madd(edge.y, edge.y, edge.x * edge.x), length2 = madd(edge.z, edge.z, sheared);
  const V watched = get(rod, ELI_WATCHED_LENGTH2, j);
  const V beyond = nmadd(all(ELI_WATCHED_RANGE), watched, size_of(length2 - watched));
  return larger(beyond, sheared - get(rod, ELI_WATCHED_SHEAR2, j));
}

/* Rescaled law: d . (v_next - v) = l lhat de/dt */
ELI_INLINE V stretch_rate(lanes rod, ptrdiff_t j, V3 edge) {
  return dot(edge, sub(near3(rod, ELI_VELOCITY, j, 1), get3(rod, ELI_VELOCITY, j)));
}
