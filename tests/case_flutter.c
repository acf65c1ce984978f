/* The papers' law is not the gradient of an energy, and fine rods of it can be unstable: tau ~ E^-3 makes a stretched joint softer, but
 * the axial force has no corresponding term. The simplest unstable case is a closed ring, bent from a straight rod, without other loads.
 * Its linear waves have a closed form, element by element.
 *
 * Node i moves by u along the bisector of its two elements and by w towards the centre, element j turns by phi. With joints of angle theta,
 * C = cos(q/2), D = 2 sin(q/2) for waves exp(i q j), cosine and sine those of theta/2, kappa = theta/l, A = EA, S = S1, B = EI,
 *   stretch  i (cosine D u - 2 sine C W)/l, w = i W;   shear  (2 sine C u - cosine D W)/l - phi;   tau = B (i D phi/l - 3 kappa C stretch)
 * and the stiffness below. The stiffness is symmetric but for the two terms with B kappa.
 */
#include "support.h"

enum { CAPACITY = 64 };

typedef struct ring {
  int n, wave;  /* elements; number of waves around the ring */
  double bent;  /* radius over the ring's radius, kappa r */
  int law;      /* elastica_law */
  double gamma; /* [kg/(m s)] and [kg m/s], as in the papers */
  double axial; /* [N s] axial viscosity */
} ring;

static const double pi = 3.14159265358979323846, radius = 0.025, density = 509.3, youngs = 1e6,
                    shear = 2e6 / 3; /* [m] [kg/m^3] [Pa] [Pa] */

typedef double matrix[3][3];

static double determinant(matrix m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static double minor_of(matrix m, int i, int j) {
  return m[i][i] * m[j][j] - m[i][j] * m[j][i];
}

/* Computes the stiffness; squared frequencies are the eigenvalues of M^-1 K. */
static void stiffness_of_waves(const ring *given, matrix k) {
  const double theta = 2.0 * pi / given->n, l = theta * radius / given->bent, q = theta * given->wave;
  const double area = pi * radius * radius, A = youngs * area, S = 4.0 / 3.0 * shear * area, B = 0.25 * A * radius * radius;
  const double along = 2.0 * cos(0.5 * theta) * sin(0.5 * q), across = 2.0 * sin(0.5 * theta) * cos(0.5 * q);
  const double softening = 3.0 * B * theta / l * sin(q) / l; /* 3 kappa B C D/l */
  const double mass = density * area * l, inertia = 0.25 * mass * radius * radius;
  const matrix rows = {{(A * along * along + S * across * across) / l, -(A + S) * along * across / l, -S * across},
                       {-(A + S) * along * across / l, (A * across * across + S * along * along) / l, S * along},
                       {-S * across - softening * along, S * along + softening * across, 4.0 * B * pow(sin(0.5 * q), 2) / l + S * l}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) k[i][j] = rows[i][j] / (i < 2 ? mass : inertia);
}

typedef struct waves {
  double growth, frequency; /* [1/s] [rad/s] of the complex pair among the squared frequencies; growth 0 without a complex pair */
} waves;

static waves waves_of(const ring *given) {
  matrix k;
  stiffness_of_waves(given, k);
  const double trace = k[0][0] + k[1][1] + k[2][2], middle = minor_of(k, 0, 1) + minor_of(k, 0, 2) + minor_of(k, 1, 2);
  double low = -trace, high = 2.0 * trace;
  for (int round = 0; round < 200; round++) {
    const double x = 0.5 * (low + high);
    if (((x - trace) * x + middle) * x - determinant(k) > 0.0)
      high = x;
    else
      low = x;
  }
  const double half = 0.5 * (trace - low), square = middle - low * (trace - low); /* the other two: sum 2 half, product square */
  if (square <= half * half) return (waves){0.0, sqrt(half)};
  return (waves){sqrt(0.5 * (sqrt(square) - half)), sqrt(0.5 * (sqrt(square) + half))};
}

static elastica_world *make_ring(const ring *given, elastica_rod **rod) {
  const int n = given->n;
  const double theta = 2.0 * pi / n, l = theta * radius / given->bent, circumradius = 0.5 * l / sin(0.5 * theta);
  double position[3 * CAPACITY];
  elastica_world_def options = default_world();
  options.law = (elastica_law)given->law;
  elastica_world *world = make_world(&options);
  for (int i = 0; i < n; i++) {
    set_vector(position, i, circumradius * cos(theta * i), 0.0, circumradius * sin(theta * i));
  }
  DEFAULTS(rod, def);
  def.element_count = n;
  def.closed = 1;
  def.position = position;
  def.radius = radius;
  def.density = density;
  def.youngs_modulus = youngs;
  def.shear_modulus = shear;
  must(world, elastica_world_add_rod(world, &def, rod));
  DEFAULTS(dissipation, dissipation);
  dissipation.translation = dissipation.rotation = given->gamma;
  must(world, elastica_add_dissipation(world, *rod, &dissipation, NULL));
  if (given->axial > 0.0) {
    DEFAULTS(axial_viscosity, viscosity);
    viscosity.viscosity = given->axial;
    must(world, elastica_add_axial_viscosity(world, *rod, &viscosity, NULL));
  }
  for (int i = 0; i < n; i++) { /* a wave of displacements along the tangent */
    const double push = 1e-12 * l * cos(theta * given->wave * i);
    position[component(i, X)] -= push * sin(theta * i);
    position[component(i, Z)] += push * cos(theta * i);
  }
  must(world, elastica_rod_set_state(*rod, position, NULL, NULL, NULL));
  return world;
}

static const double dt = 2e-5; /* [s] */

/* Amplitude of the wave in the stretch: its maximum over the next millisecond, more than half a period. */
static double amplitude(elastica_world *world, const elastica_rod_view *view, int wave) {
  double largest = 0.0;
  for (int k = 0; k < 50; k++) {
    double even = 0.0, odd = 0.0;
    must(world, elastica_world_step(world, dt, 1));
    for (int j = 0; j < view->element_count; j++) {
      const double stretch = view->dilatation[j] - 1.0, angle = 2.0 * pi * wave * j / view->element_count;
      even += stretch * cos(angle);
      odd += stretch * sin(angle);
    }
    largest = fmax(largest, hypot(even, odd));
  }
  return largest;
}

/* Growth [1/s] after 8 ms over 24 half periods, so that both amplitudes belong to the same phase of a standing wave. */
static double measured_growth(const ring *given) {
  elastica_rod *rod;
  elastica_world *world = make_ring(given, &rod);
  const elastica_rod_view *view = elastica_rod_get_view(rod);
  const long apart = lround(24.0 * pi / waves_of(given).frequency / dt);
  must(world, elastica_world_step(world, dt, 400));
  const double before = amplitude(world, view, given->wave);
  must(world, elastica_world_step(world, dt, apart - 50));
  const double after = amplitude(world, view, given->wave);
  elastica_world_destroy(world);
  return log(after / before) / ((double)apart * dt);
}

TEST(short_waves_grow_in_a_bent_rod) {
  const ring rings[] = {{.n = 16, .wave = 4, .bent = 1.0}, {.n = 20, .wave = 5, .bent = 1.0}, {.n = 24, .wave = 5, .bent = 0.75}};
  for (int k = 0; k < 3; k++) {
    const double expected = waves_of(&rings[k]).growth;
    assert_between(expected, 300.0, 1500.0);
    assert_close(measured_growth(&rings[k]), expected, 0.01 * expected);
  }
}

/* The ratio l/r decides, not n: coarse rings do not grow, nor do rings with less bending. */
TEST(there_is_no_growth_with_long_elements) {
  const ring rings[] = {{.n = 8, .wave = 2, .bent = 1.0}, {.n = 40, .wave = 10, .bent = 0.4}};
  for (int k = 0; k < 2; k++) {
    assert_close(waves_of(&rings[k]).growth, 0.0, 0.0);
    assert_between(measured_growth(&rings[k]), -100.0, 100.0);
  }
}

TEST(a_law_with_a_potential_has_no_such_waves) {
  const ring given = {.n = 16, .wave = 4, .bent = 1.0, .law = ELASTICA_LAW_CLASSICAL};
  assert_between(measured_growth(&given), -100.0, 100.0);
}

/* Neither the papers' damping alone (rate 2 for the frames, too) nor axial viscosity alone stops the growth. */
TEST(axial_viscosity_and_damped_frames_together_stop_the_growth) {
  ring given = {.n = 16, .wave = 4, .bent = 1.0, .gamma = 2.0};
  assert_between(measured_growth(&given), 100.0, 300.0);
  given.axial = 0.1;
  assert_between(measured_growth(&given), -1e4, 0.0);
  given.gamma = 0.0;
  assert_between(measured_growth(&given), 100.0, 700.0);
}
