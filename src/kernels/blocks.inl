/* The functions of blocks.h for one instruction set. ELI_BLOCKS_WIDE: columns are a vector of four numbers and one of two, else three of
 * two. Includers define ELI_BLOCKS_NAME. */

#include "base/matrix.h"
#include "base/rotation.h"
#include "kernels/vectors.h"
#include "rod/law.h" /* after the vectors: with the law on slots */

typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef long long pair_bits __attribute__((vector_size(16), may_alias));

#include "kernels/tangent.inl"

enum { N = ELI_BLOCK_ROWS };

#define INLINE static inline __attribute__((always_inline))

#ifdef ELI_BLOCKS_WIDE
typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long quad_bits __attribute__((vector_size(32), may_alias));
typedef struct column {
  quad first;
  pair last;
} column;
#define EACH_PART(OF) OF(first) OF(last)
#else
typedef struct column {
  pair first, middle, last;
} column;
#define EACH_PART(OF) OF(first) OF(middle) OF(last)
#endif

INLINE column load(const double *from) {
  column c;
#ifdef ELI_BLOCKS_WIDE
  c.first = *(const quad *)from;
#else
  c.first = *(const pair *)from;
  c.middle = *(const pair *)(from + 2);
#endif
  c.last = *(const pair *)(from + 4);
  return c;
}

INLINE void store(column c, double *to) {
#ifdef ELI_BLOCKS_WIDE
  *(quad *)to = c.first;
#else
  *(pair *)to = c.first;
  *(pair *)(to + 2) = c.middle;
#endif
  *(pair *)(to + 4) = c.last;
}

INLINE double number(column c, int i) {
#ifdef ELI_BLOCKS_WIDE
  return i < 4 ? c.first[i & 3] : c.last[i & 1];
#else
  return i < 2 ? c.first[i & 1] : i < 4 ? c.middle[i & 1] : c.last[i & 1];
#endif
}

/* The column with 0 in row i, and below with another number there. Both use masks, because valgrind 3.19 does not know an instruction
 * that gcc takes for assignments. */
INLINE column without(column c, int i) {
#ifdef ELI_BLOCKS_WIDE
  c.first = (quad)((quad_bits)c.first & (quad_bits){-(i != 0), -(i != 1), -(i != 2), -(i != 3)});
#else
  c.first = (pair)((pair_bits)c.first & (pair_bits){-(i != 0), -(i != 1)});
  c.middle = (pair)((pair_bits)c.middle & (pair_bits){-(i != 2), -(i != 3)});
#endif
  c.last = (pair)((pair_bits)c.last & (pair_bits){-(i != 4), -(i != 5)});
  return c;
}

INLINE column replace(column c, int i, double value) {
  c = without(c, i);
#ifdef ELI_BLOCKS_WIDE
  if (i < 4)
    c.first = (quad)((quad_bits)c.first |
                     ((quad_bits)((quad){value, value, value, value}) & (quad_bits){-(i == 0), -(i == 1), -(i == 2), -(i == 3)}));
#else
  if (i < 2) c.first = (pair)((pair_bits)c.first | ((pair_bits)((pair){value, value}) & (pair_bits){-(i == 0), -(i == 1)}));
  if (i == 2 || i == 3) c.middle = (pair)((pair_bits)c.middle | ((pair_bits)((pair){value, value}) & (pair_bits){-(i == 2), -(i == 3)}));
#endif
  if (i > 3) c.last = (pair)((pair_bits)c.last | ((pair_bits)((pair){value, value}) & (pair_bits){-(i == 4), -(i == 5)}));
  return c;
}

INLINE column scaled(column c, double factor) {
#define SCALE(part) c.part *= factor;
  EACH_PART(SCALE)
#undef SCALE
  return c;
}

/* sum + factor c and sum - factor c */
INLINE column plus(column sum, double factor, column c) {
#define ADD(part) sum.part += factor * c.part;
  EACH_PART(ADD)
#undef ADD
  return sum;
}

INLINE column minus(column sum, double factor, column c) {
#define SUBTRACT(part) sum.part -= factor * c.part;
  EACH_PART(SUBTRACT)
#undef SUBTRACT
  return sum;
}

/* One step of Gauss and Jordan with the pivot on the diagonal of column k. */
INLINE int eliminate_column(column m[N], int k) {
  const double pivot = number(m[k], k);
  if (!(pivot > 0.0)) return 0;
  m[k] = scaled(replace(m[k], k, 1.0), 1.0 / pivot);
  for (int i = 0; i < N; i++)
    if (i != k) m[i] = minus(without(m[i], k), number(m[i], k), m[k]);
  return 1;
}

static int invert(double *block) {
  column m[N];
  for (int i = 0; i < N; i++) m[i] = load(block + N * i);
  if (!(eliminate_column(m, 0) && eliminate_column(m, 1) && eliminate_column(m, 2) && eliminate_column(m, 3) && eliminate_column(m, 4) &&
        eliminate_column(m, 5)))
    return 0;
  for (int i = 0; i < N; i++) store(m[i], block + N * i);
  return 1;
}

static void multiply(const double *restrict a, const double *restrict b, double *restrict out) {
  column m[N];
  for (int k = 0; k < N; k++) m[k] = load(a + N * k);
  for (int j = 0; j < N; j++) {
    column sum = scaled(m[0], b[N * j]);
    for (int k = 1; k < N; k++) sum = plus(sum, b[N * j + k], m[k]);
    store(sum, out + N * j);
  }
}

static void subtract(const double *restrict a, const double *restrict b, int columns, double *restrict out) {
  column m[N];
  for (int k = 0; k < N; k++) m[k] = load(a + N * k);
  for (int j = 0; j < columns; j++) {
    column sum = load(out + N * j);
    for (int k = 0; k < N; k++) sum = minus(sum, b[N * j + k], m[k]);
    store(sum, out + N * j);
  }
}

static void subtract_from(const double *restrict a, const double *restrict x, double *restrict out) {
  column sum = load(out);
  for (int k = 0; k < N; k++) sum = minus(sum, x[k], load(a + N * k));
  store(sum, out);
}

static void apply(const double *restrict a, const double *restrict x, double *restrict out) {
  column sum = scaled(load(a), x[0]);
  for (int k = 1; k < N; k++) sum = plus(sum, x[k], load(a + N * k));
  store(sum, out);
}

const eli_blocks ELI_BLOCKS_NAME = {invert, multiply, subtract, subtract_from, apply, tangent};
