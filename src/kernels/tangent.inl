/* ---- The internal stiffness of a rod, WIDTH elements at a time: statics/tangent.c has its equations ----
 *
 * Matrices are nine vectors, by rows. Nothing is fused (see blocks.h).
 */

ELI_INLINE void product(const V a[9], const V b[9], V out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

ELI_INLINE void product_transposed_first(const V a[9], const V b[9], V out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
}

ELI_INLINE void product_transposed_second(const V a[9], const V b[9], V out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[3 * i + j] = a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
}

ELI_INLINE V inner_product(const V a[3], const V b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* m += factor [v]x, m += factor a b^T, m += value 1 */
ELI_INLINE void add_skew(V m[9], V factor, const V v[3]) {
  const V x = factor * v[0], y = factor * v[1], z = factor * v[2];
  m[1] -= z, m[2] += y, m[3] += z, m[5] -= x, m[6] -= y, m[7] += x;
}

ELI_INLINE void add_outer(V m[9], V factor, const V a[3], const V b[3]) {
  for (int i = 0; i < 3; i++) {
    const V row = factor * a[i];
    for (int j = 0; j < 3; j++) m[3 * i + j] += row * b[j];
  }
}

ELI_INLINE void add_diagonal(V m[9], V value) {
  m[0] += value, m[4] += value, m[8] += value;
}

ELI_INLINE void set_zero(V m[9]) {
  for (int k = 0; k < 9; k++) m[k] = all(0.0);
}

/* ---- Reading and writing ---- */

ELI_INLINE V gather(const double *from, size_t stride, const size_t at[WIDTH]) {
#if ELI_SIMD_WIDTH == 2
  return (V){from[stride * at[0]], from[stride * at[1]]};
#elif ELI_SIMD_WIDTH == 4
  return (V){from[stride * at[0]], from[stride * at[1]], from[stride * at[2]], from[stride * at[3]]};
#else
  return (V){from[stride * at[0]], from[stride * at[1]], from[stride * at[2]], from[stride * at[3]],
             from[stride * at[4]], from[stride * at[5]], from[stride * at[6]], from[stride * at[7]]};
#endif
}

/* Of a lane. whole 1: the slots follow each other; behind the end of an open rod they are those of its neighbours in memory, or of the gap
 * behind its tile, and what comes of them is not used. */
ELI_INLINE V take(const eli_tangent_input *input, int lane, const size_t at[WIDTH], const int whole) {
  const double *from = input->lane[lane] + input->offset;
  if (whole) return *(const VU *)(from + at[0]);
  return gather(from, 1, at);
}

ELI_INLINE void take3(const eli_tangent_input *input, int lane, const size_t at[WIDTH], const int whole, V out[3]) {
  for (int a = 0; a < 3; a++) out[a] = take(input, lane + a, at, whole);
}

ELI_INLINE void gather3(const double *from, size_t stride, const size_t at[WIDTH], V out[3]) {
  for (int a = 0; a < 3; a++) out[a] = gather(from + a, stride, at);
}

/* Writes the six numbers of a column of the block of each lane. */
ELI_INLINE void scatter(const V x[6], double *const *to, int at) {
#if ELI_SIMD_WIDTH == 4
  const V even = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6), odd = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
  const V even_on = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6), odd_on = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  const V even_last = __builtin_shufflevector(x[4], x[5], 0, 4, 2, 6), odd_last = __builtin_shufflevector(x[4], x[5], 1, 5, 3, 7);
  *(VU *)(to[0] + at) = __builtin_shufflevector(even, even_on, 0, 1, 4, 5);
  *(VU *)(to[1] + at) = __builtin_shufflevector(odd, odd_on, 0, 1, 4, 5);
  *(VU *)(to[2] + at) = __builtin_shufflevector(even, even_on, 2, 3, 6, 7);
  *(VU *)(to[3] + at) = __builtin_shufflevector(odd, odd_on, 2, 3, 6, 7);
  *(pair *)(to[0] + at + 4) = __builtin_shufflevector(even_last, even_last, 0, 1);
  *(pair *)(to[1] + at + 4) = __builtin_shufflevector(odd_last, odd_last, 0, 1);
  *(pair *)(to[2] + at + 4) = __builtin_shufflevector(even_last, even_last, 2, 3);
  *(pair *)(to[3] + at + 4) = __builtin_shufflevector(odd_last, odd_last, 2, 3);
#else
  for (int i = 0; i < 6; i++)
    for (int l = 0; l < WIDTH; l++) to[l][at + i] = x[i][l];
#endif
}

/* Columns of a block from its part above, below, and the sign of the former. */
ELI_INLINE void put_columns(const V *above, double sign, const V *below, double *const *to, int first) {
  for (int j = 0; j < 3; j++) {
    V x[6];
    for (int i = 0; i < 3; i++) {
      x[i] = x[3 + i] = all(0.0);
      if (above != NULL) x[i] = sign < 0.0 ? -above[3 * i + j] : above[3 * i + j];
      if (below != NULL) x[3 + i] = below[3 * i + j];
    }
    scatter(x, to, 6 * (first + j));
  }
}

/* ---- Elements and joints ---- */

/* u, v, w Q and w [a]x of WIDTH elements: minus the changes of forces and couples are u, v by the edge and the turn, w Q, w [a]x. */
typedef struct Stretched {
  V u[9], v[9], by_edge[9], by_turn[9];
} Stretched;

ELI_INLINE void stretch(const eli_tangent_input *input, const size_t at[WIDTH], const int whole, const int classical, Stretched *out) {
  const V share = all(input->share), scale_of_all = all(input->scale), zero = all(0.0);
  const V rest = take(input, ELI_REST_LENGTH, at, whole);
  V q[9], a[3], s[3], n[3], sigma[3], predicted[3], kq[9], turned[9], w[9];
  for (int k = 0; k < 9; k++) q[k] = take(input, ELI_DIRECTOR + k, at, whole);
  take3(input, ELI_SHEAR_STIFFNESS, at, whole, s);
  gather3(input->strain, 12, at, sigma);
  gather3(input->predicted, 3, at, predicted);
  V l = rest;
  if (!classical) l = take(input, ELI_LENGTH, at, whole);
  const V3 slope = law_edge_slope((V3){s[0], s[1], s[2]}, rest, l, classical);
  s[0] = scale_of_all * slope.x, s[1] = scale_of_all * slope.y, s[2] = scale_of_all * slope.z;
  a[0] = rest * sigma[0], a[1] = rest * sigma[1], a[2] = rest * (sigma[2] + all(1.0));
  const V along = inner_product(predicted, a) / inner_product(a, a);
  const V tension = (all(1.0) - share) * choose((M)(along > zero), along, zero);
  for (int i = 0; i < 3; i++) n[i] = scale_of_all * (share * predicted[i] + tension * a[i]);

  for (int i = 0; i < 9; i++) kq[i] = s[i / 3] * q[i];
  set_zero(turned); /* K [a]x - [n]x */
  set_zero(w);      /* [n]x - [a]x K */
  turned[1] = n[2] - s[0] * a[2], turned[2] = s[0] * a[1] - n[1];
  turned[3] = s[1] * a[2] - n[2], turned[5] = n[0] - s[1] * a[0];
  turned[6] = n[1] - s[2] * a[1], turned[7] = s[2] * a[0] - n[0];
  w[1] = s[1] * a[2] - n[2], w[2] = n[1] - s[2] * a[1];
  w[3] = n[2] - s[0] * a[2], w[5] = s[2] * a[0] - n[0];
  w[6] = s[0] * a[1] - n[1], w[7] = n[0] - s[1] * a[0];
  if (!classical) { /* K has -n a^T/l^2, too; a^T [a]x = 0 */
    V elastic[3], across[3], edge[3], strain_at_rest[3];
    const V per = -share / (l * l);
    take3(input, ELI_REST_STRAIN, at, whole, strain_at_rest);
    for (int i = 0; i < 3; i++) elastic[i] = s[i] * rest * (sigma[i] - strain_at_rest[i]);
    for (int j = 0; j < 3; j++) edge[j] = a[0] * q[j] + a[1] * q[3 + j] + a[2] * q[6 + j];
    for (int i = 0; i < 3; i++) across[i] = a[(i + 1) % 3] * elastic[(i + 2) % 3] - a[(i + 2) % 3] * elastic[(i + 1) % 3];
    add_outer(kq, per, elastic, edge);
    add_outer(w, -per, across, a);
  }
  product_transposed_first(q, kq, out->u);
  product_transposed_first(q, turned, out->v);
  product(w, q, out->by_edge);
  for (int i = 0; i < 9; i += 3)
    for (int j = 0; j < 3; j++) {
      const int next = (j + 1) % 3, last = (j + 2) % 3;
      out->by_turn[i + j] = w[i + next] * a[last] - w[i + last] * a[next];
    }
}

/* Minus the changes of the couples on the element before a joint and on the one after it, by the turns of both. */
typedef struct Bent {
  V before_by_before[9], before_by_after[9], after_by_before[9], after_by_after[9];
  V lost[6]; /* rescaled law */
} Bent;

/* The factor c of eli_exact_couple_factor_any(), and its slope. */
ELI_INLINE V couple_factor(V t2) {
  V rest = all(eli_couple_coefficients[8]);
  for (int k = 7; k >= 0; k--) rest = all(eli_couple_coefficients[k]) + t2 * rest;
  return all(2.0) / (all(ELI_COUPLE_POLE) - t2) + rest;
}

ELI_INLINE V couple_factor_slope(V t2) {
  V sum = all(eli_couple_slope_coefficients[4]);
  for (int k = 3; k >= 0; k--) sum = all(eli_couple_slope_coefficients[k]) + t2 * sum;
  return sum;
}

/* G and H as eli_change_of_couple() has them, with P for the share that is always positive. g has the latter on entry. */
ELI_INLINE void change_of_couple(V share, double sign, int exact, V c, const V theta[3], const V tau[3], V g[9], V h[9]) {
  const V t2 = inner_product(theta, theta), across = inner_product(theta, tau), signed_share = all(sign) * share;
  add_diagonal(g, signed_share);
  add_skew(g, all(0.5) * share, theta);
  set_zero(h);
  add_skew(h, all(-0.5) * share, tau);
  if (!exact) return;
  const V with_c = signed_share * c;
  V twice[3]; /* theta x (theta x tau) */
  for (int a = 0; a < 3; a++) twice[a] = across * theta[a] - t2 * tau[a];
  add_outer(g, with_c, theta, theta);
  add_diagonal(g, -with_c * t2);
  add_outer(h, with_c, theta, tau);
  add_outer(h, all(-2.0) * with_c, tau, theta);
  add_diagonal(h, with_c * across);
  add_outer(h, all(2.0) * signed_share * couple_factor_slope(t2), twice, theta);
}

/* The joints at slots `at`. exists: the comparison fails where there is none. before: the elements before them. */
ELI_INLINE void bend(const eli_tangent_input *input, const size_t at[WIDTH], const size_t before[WIDTH], M exists, const int whole,
                     const int classical, Bent *out) {
#define TAKE(lane) take(input, lane, at, whole)
  JointLaw law = LAW_OF_JOINTS(TAKE);
#undef TAKE
  const V share = all(input->share), one = all(1.0);
  BentJoint bent;
  V D = law.length = choose(exists, law.length, one), theta[3], tau[3], p[9], g[9], h[9];
  if (!classical) D = all(0.5) * (take(input, ELI_LENGTH, at, whole) + take(input, ELI_LENGTH, before, whole));
  gather3(input->strain + 6, 12, at, theta);
  gather3(input->strain + 9, 12, at, tau);
  for (int a = 0; a < 3; a++) {
    law.stiffness[a] = where(exists, law.stiffness[a]);
    theta[a] = where(exists, law.length * theta[a]);
    tau[a] = where(exists, all(input->scale) * tau[a]);
  }
  law_bend(&law, D, all(input->scale), theta, classical, &bent);
  const V t2 = inner_product(theta, theta), c = couple_factor(t2);
  set_zero(p);
  add_diagonal(p, one - c * t2);
  add_skew(p, all(0.5), theta);
  add_outer(p, c, theta, theta);
  for (int side = 0; side < 2; side++) {
    V m[9];
    for (int i = 0; i < 3; i++) /* P and -P^T make the positive part symmetric */
      for (int j = 0; j < 3; j++) {
        g[3 * i + j] = (one - share) * p[side == 0 ? 3 * i + j : 3 * j + i];
        if (side == 1) g[3 * i + j] = -g[3 * i + j];
      }
    change_of_couple(share, side == 0 ? 1.0 : -1.0, input->exact_couple, c, theta, tau, g, h);
    law_add_bend_slope(&bent, g, h, m);
    product_transposed_second(m, p, side == 0 ? out->before_by_before : out->after_by_before);
    for (int k = 0; k < 9; k++) m[k] = -m[k];
    product(m, p, side == 0 ? out->before_by_after : out->after_by_after);
    if (classical) continue;
    V rise[3];
    for (int a = 0; a < 3; a++) rise[a] = share * bent.couple[a] * law_couple_by_length(D);
    for (int i = 0; i < 3; i++) out->lost[3 * side + i] = inner_product(g + 3 * i, rise);
  }
}

/* ---- All blocks ---- */

ELI_INLINE void some_tangents(const eli_tangent_input *input, size_t begin, size_t first, eli_tangent_output *output, const int whole,
                              const int classical) {
  const size_t last = input->elements - 1;
  size_t at[WIDTH], next[WIDTH];
  V ends = all(0.0), own[9];
  Stretched element;
  Bent joint;
  for (size_t l = 0; l < WIDTH; l++) {
    const size_t j = begin + first + l;
    at[l] = j < last ? j : last;
    next[l] = j < last ? j + 1 : input->closed ? 0 : last;
    ends[l] = !input->closed && j >= last ? 1.0 : 0.0;
  }
  stretch(input, at, whole, classical, &element);
  const M exists = (M)(ends == all(0.0));
  bend(input, next, at, exists, whole, classical, &joint);
  double *const *to_own = output->own + first, *const *across = output->across + first, *const *back = output->back + first;
  for (int k = 0; k < 9; k++) { /* the joints before are those behind, one lane on */
    const V behind = joint.after_by_after[k];
    own[k] = element.by_turn[k] + one_before(all(output->behind[k]), behind) + joint.before_by_before[k];
  }
  put_columns(element.v, -1.0, own, to_own, 0);
  put_columns(element.u, -1.0, element.by_edge, across, 0);
  put_columns(NULL, 1.0, joint.before_by_after, across, 3);
  put_columns(element.u, -1.0, NULL, back, 0);
  put_columns(element.v, 1.0, joint.after_by_before, back, 3);
  for (int k = 0; k < 9; k++) output->behind[k] = joint.after_by_after[k][WIDTH - 1];
  for (size_t l = 0; l < WIDTH && !classical; l++)
    for (int k = 0; k < 6; k++) output->lost[first + l][k] = joint.lost[k][l];
}

static void tangent(const eli_tangent_input *input, size_t begin, size_t count, eli_tangent_output *output) {
  for (size_t first = 0; first < count; first += WIDTH) {
    const int whole = !input->closed || begin + first + WIDTH < input->elements;
    if (!input->classical)
      some_tangents(input, begin, first, output, 0, 0);
    else if (whole)
      some_tangents(input, begin, first, output, 1, 1);
    else
      some_tangents(input, begin, first, output, 0, 1);
  }
}
