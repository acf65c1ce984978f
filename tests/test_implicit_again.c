/* A second coding of the implicit step, dense and with a Jacobian of differences: a rod on a support that moves and turns, under its
 * weight, in a viscous medium. It shares nothing with the library but the constants of the rod.
 */
#include "support.h"

#include "common/linear.h"

enum { N = 5, UNKNOWNS = 3 * N + 3 * N, STEPS = 40 };

static const double gravity[3] = {1.0, 2.5, -9.0}, translation = 2.0, rotation = 1e-3;

typedef struct second_rod {
  double mass[N + 1], inertia[3 * N], shear[3 * N], bend_of_element[3 * N], bend[3 * N], rest_length[N], joint_length[N];
  double rest_curvature[3 * N], rest_strain[3 * N], support[9], at[3];
  double r[3 * (N + 1)], v[3 * (N + 1)], q[9 * N], w[3 * N];
} second_rod;

/* Loads without dissipation and (J w) x w, in the laboratory for nodes and material for elements; and the rates. */
typedef struct second_loads {
  double force[3 * (N + 1)], couple[3 * N], drag[N + 1], spin_drag[N];
} second_loads;

/* ---- The model ----------------------------------------------------------------------------------------------------------------------- */

/* LOG(after before^T) */
static void log_between(const double after[9], const double before[9], double phi[3]) {
  double r[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) r[3 * i + j] = dot(after + 3 * i, before + 3 * j);
  const double v[3] = {0.5 * (r[5] - r[7]), 0.5 * (r[6] - r[2]), 0.5 * (r[1] - r[3])};
  const double sine = norm(v), angle = atan2(sine, 0.5 * (r[0] + r[4] + r[8] - 1.0));
  for (int a = 0; a < 3; a++) phi[a] = sine > 0.0 ? v[a] * angle / sine : v[a];
}

/* sign (tau + c theta x (theta x tau)) + theta x tau/2, the couple of a joint on a frame */
static void add_couple(double sign, const double theta[3], const double tau[3], double *couple) {
  double once[3], twice[3];
  const double t = norm(theta), c = t > 1e-3 ? (1.0 - 0.5 * t / tan(0.5 * t)) / (t * t) : 1.0 / 12.0 + t * t / 720.0;
  cross(theta, tau, once);
  cross(theta, once, twice);
  for (int a = 0; a < 3; a++) couple[a] += sign * (tau[a] + c * twice[a]) + 0.5 * once[a];
}

static void find_loads(const second_rod *rod, double time, const double *r, const double *q, second_loads *out) {
  double place[3] = {0.0}, ignored[3], support[9], spin[3], theta[3], tau[3];
  memset(out, 0, sizeof *out);
  memcpy(support, rod->support, sizeof support);
  assert_int_equal(shake_wall(NULL, time, place, ignored, support, spin), ELASTICA_OK);
  for (int i = 0; i <= N; i++)
    for (int a = 0; a < 3; a++) out->force[3 * i + a] = rod->mass[i] * gravity[a];
  for (int j = 0; j < N; j++) {
    double edge[3], material[3], n[3], pull[3], turned[3];
    for (int a = 0; a < 3; a++) edge[a] = r[3 * (j + 1) + a] - r[3 * j + a];
    apply(q + 9 * j, edge, material);
    for (int a = 0; a < 3; a++)
      n[a] = rod->shear[3 * j + a] * (material[a] / rod->rest_length[j] - (a == 2 ? 1.0 : 0.0) - rod->rest_strain[3 * j + a]);
    apply_transposed(q + 9 * j, n, pull);
    cross(material, n, turned);
    for (int a = 0; a < 3; a++) {
      out->force[3 * j + a] += pull[a];
      out->force[3 * (j + 1) + a] -= pull[a];
      out->couple[3 * j + a] += turned[a];
    }
    out->drag[j] += 0.5 * translation * norm(edge);
    out->drag[j + 1] += 0.5 * translation * norm(edge);
    out->spin_drag[j] = rotation * norm(edge);
  }
  for (int k = 0; k + 1 < N; k++) {
    log_between(q + 9 * (k + 1), q + 9 * k, theta);
    for (int a = 0; a < 3; a++) tau[a] = rod->bend[3 * k + a] * (theta[a] / rod->joint_length[k] - rod->rest_curvature[3 * k + a]);
    add_couple(1.0, theta, tau, out->couple + 3 * k);
    add_couple(-1.0, theta, tau, out->couple + 3 * (k + 1));
  }
  log_between(q, support, theta);
  for (int a = 0; a < 3; a++) tau[a] = rod->bend_of_element[a] * (theta[a] / (0.5 * rod->rest_length[0]) - rod->rest_curvature[a]);
  add_couple(-1.0, theta, tau, out->couple);
}

/* ---- A stage ------------------------------------------------------------------------------------------------------------------------- */

typedef struct second_stage {
  const second_rod *rod;
  double c, time, r[3 * (N + 1)], v[3 * (N + 1)], q[9 * N], p[3 * N]; /* r*, v*, Q*, p* */
} second_stage;

/* The state at the unknowns: displacements of the nodes 1 to N and rotation vectors, from r* and Q*. */
static void place_state(const second_stage *stage, const double *x, double *r, double *q) {
  double velocity[3], frame[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, spin[3];
  memcpy(r, stage->rod->at, 3 * sizeof *r);
  assert_int_equal(shake_wall(NULL, stage->time, r, velocity, frame, spin), ELASTICA_OK);
  for (int k = 3; k < 3 * (N + 1); k++) r[k] = stage->r[k] + x[k - 3];
  memcpy(q, stage->q, 9 * N * sizeof *q);
  for (int j = 0; j < N; j++) turn_frame_exactly(x + 3 * N + 3 * j, q + 9 * j);
}

static void residual(const second_stage *stage, const double *x, double *out) {
  double r[3 * (N + 1)], q[9 * N];
  second_loads loads;
  place_state(stage, x, r, q);
  find_loads(stage->rod, stage->time, r, q, &loads);
  for (int i = 1; i <= N; i++)
    for (int a = 0; a < 3; a++) {
      const double v = x[3 * (i - 1) + a] / stage->c;
      out[3 * (i - 1) + a] = stage->rod->mass[i] * (v - stage->v[3 * i + a]) / stage->c + loads.drag[i] * v - loads.force[3 * i + a];
    }
  for (int j = 0; j < N; j++) {
    double momentum[3];
    apply(q + 9 * j, stage->p + 3 * j, momentum);
    for (int a = 0; a < 3; a++) {
      const double w = x[3 * N + 3 * j + a] / stage->c;
      out[3 * N + 3 * j + a] =
          (stage->rod->inertia[3 * j + a] * w - momentum[a]) / stage->c + loads.spin_drag[j] * w - loads.couple[3 * j + a];
    }
  }
}

/* Newton's method from x. */
static void solve(const second_stage *stage, double *x) {
  for (int k = 0; k < 8; k++) {
    double a[UNKNOWNS * UNKNOWNS], y[UNKNOWNS], up[UNKNOWNS], down[UNKNOWNS];
    residual(stage, x, y);
    for (int j = 0; j < UNKNOWNS; j++) {
      const double kept = x[j], size = 1e-6;
      x[j] = kept + size;
      residual(stage, x, up);
      x[j] = kept - size;
      residual(stage, x, down);
      x[j] = kept;
      for (int i = 0; i < UNKNOWNS; i++) a[i * UNKNOWNS + j] = (up[i] - down[i]) / (2.0 * size);
    }
    example_solve(UNKNOWNS, a, y);
    for (int j = 0; j < UNKNOWNS; j++) x[j] -= y[j];
  }
}

/* Velocities of a stage, with those of the support. */
static void move(const second_stage *stage, const double *x, double *v, double *w) {
  double place[3] = {0.0}, frame[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, spin[3];
  assert_int_equal(shake_wall(NULL, stage->time, place, v, frame, spin), ELASTICA_OK);
  for (int k = 3; k < 3 * (N + 1); k++) v[k] = x[k - 3] / stage->c;
  for (int k = 0; k < 3 * N; k++) w[k] = x[3 * N + k] / stage->c;
}

static void spin_momentum(const second_rod *rod, const double *q, const double *w, double *p) {
  for (int j = 0; j < N; j++) {
    const double m[3] = {rod->inertia[3 * j] * w[3 * j], rod->inertia[3 * j + 1] * w[3 * j + 1], rod->inertia[3 * j + 2] * w[3 * j + 2]};
    apply_transposed(q + 9 * j, m, p + 3 * j);
  }
}

/* ---- A step -------------------------------------------------------------------------------------------------------------------------- */

/* Q <- EXP(h w) Q */
static void turn_all(double h, const double *w, double *q) {
  for (int j = 0; j < N; j++) {
    const double phi[3] = {h * w[3 * j], h * w[3 * j + 1], h * w[3 * j + 2]};
    turn_frame_exactly(phi, q + 9 * j);
  }
}

static void step_again(second_rod *rod, double time, double h) {
  const double g = 1.0 - sqrt(0.5), weight = sqrt(2.0) / 4.0;
  double a0[3 * (N + 1)] = {0.0}, m0[3 * N], p0[3 * N], x[UNKNOWNS], va[3 * (N + 1)], wa[3 * N], pa[3 * N], r[3 * (N + 1)], q[9 * N];
  second_stage one = {.rod = rod, .c = g * h, .time = time + 2.0 * g * h};
  second_loads loads;
  find_loads(rod, time, rod->r, rod->q, &loads);
  for (int k = 3; k < 3 * (N + 1); k++) a0[k] = (loads.force[k] - loads.drag[k / 3] * rod->v[k]) / rod->mass[k / 3];
  for (int k = 0; k < 3 * N; k++) loads.couple[k] -= loads.spin_drag[k / 3] * rod->w[k];
  for (int j = 0; j < N; j++) apply_transposed(rod->q + 9 * j, loads.couple + 3 * j, m0 + 3 * j);
  spin_momentum(rod, rod->q, rod->w, p0);
  second_stage two = one;
  for (int k = 0; k < 3 * (N + 1); k++) one.r[k] = rod->r[k] + one.c * rod->v[k], one.v[k] = rod->v[k] + one.c * a0[k];
  for (int k = 0; k < 3 * N; k++) one.p[k] = p0[k] + one.c * m0[k];
  memcpy(one.q, rod->q, sizeof one.q);
  turn_all(one.c, rod->w, one.q);
  for (int k = 0; k < 3 * N; k++) x[k] = one.c * rod->v[k + 3], x[3 * N + k] = one.c * rod->w[k];
  solve(&one, x);
  move(&one, x, va, wa);
  place_state(&one, x, r, q);
  spin_momentum(rod, q, wa, pa);
  two.time = time + h;
  for (int k = 0; k < 3 * (N + 1); k++) {
    two.r[k] = rod->r[k] + weight * h * (rod->v[k] + va[k]);
    two.v[k] = rod->v[k] + weight * h * (a0[k] + (va[k] - one.v[k]) / one.c);
  }
  for (int k = 0; k < 3 * N; k++) two.p[k] = p0[k] + weight * h * (m0[k] + (pa[k] - one.p[k]) / one.c);
  memcpy(two.q, rod->q, sizeof two.q);
  turn_all(weight * h, rod->w, two.q);
  turn_all(weight * h, wa, two.q);
  solve(&two, x);
  move(&two, x, rod->v, rod->w);
  place_state(&two, x, rod->r, rod->q);
}

/* ---- The comparison ------------------------------------------------------------------------------------------------------------------ */

static void read_rod(const elastica_rod_view *view, second_rod *rod) {
  double back[3];
  memset(rod, 0, sizeof *rod);
  for (int a = 0; a < 3; a++) {
    for (int i = 0; i <= N; i++) {
      rod->mass[i] = view->mass[i];
      rod->r[3 * i + a] = view->position[a][i];
      rod->v[3 * i + a] = view->velocity[a][i];
    }
    for (int j = 0; j < N; j++) {
      rod->rest_length[j] = view->rest_length[j];
      rod->inertia[3 * j + a] = view->inertia[a][j];
      rod->shear[3 * j + a] = view->shear_stiffness[a][j];
      rod->bend_of_element[3 * j + a] = view->element_bend_stiffness[a][j];
      rod->rest_strain[3 * j + a] = view->rest_strain[a][j];
      rod->w[3 * j + a] = view->omega[a][j];
      for (int b = 0; b < 3; b++) rod->q[9 * j + 3 * a + b] = view->director[a][b][j];
    }
    for (int k = 0; k + 1 < N; k++) {
      rod->joint_length[k] = view->rest_joint_length[k];
      rod->bend[3 * k + a] = view->bend_stiffness[a][k];
      rod->rest_curvature[3 * k + a] = view->rest_curvature[a][k];
    }
    rod->at[a] = rod->r[a];
    back[a] = -0.5 * rod->rest_length[0] * rod->rest_curvature[a];
  }
  memcpy(rod->support, rod->q, sizeof rod->support);
  turn_frame_exactly(back, rod->support);
}

static double farthest(const double *a, const double *b, int count) {
  double most = 0.0;
  for (int k = 0; k < count; k++)
    if (!(fabs(a[k] - b[k]) <= most)) most = fabs(a[k] - b[k]);
  return most;
}

TEST(a_second_coding_takes_the_same_steps) {
  const sample_recipe recipe = usual_recipe();
  sample_rod sample;
  second_rod rod, now;
  elastica_world *world = make_world(NULL);
  elastica_step_limit limit;
  DEFAULTS(boundary, clamp);
  DEFAULTS(dissipation, dissipation);
  DEFAULTS(implicit, def);
  make_sample(&sample, N, 4, &recipe);
  elastica_rod *one = add_sample(world, &sample);
  clamp.motion = shake_wall;
  must(world, elastica_add_boundary(world, one, &clamp, NULL));
  dissipation.translation = translation;
  dissipation.rotation = rotation;
  must(world, elastica_add_dissipation(world, NULL, &dissipation, NULL));
  must(world, elastica_add_gravity(world, gravity, NULL));
  must(world, elastica_world_step_limit(world, &limit));
  read_rod(elastica_rod_get_view(one), &rod);
  const double h = 4.0 * limit.dt;
  for (int k = 0; k < 3; k++) rod.v[k] = 0.0; /* the preparation has set that of the support */
  for (int k = 0; k < STEPS; k++) step_again(&rod, k * h, h);
  def.until = STEPS * h;
  def.dt = h;
  def.newton_tolerance = 1e-11;
  must(world, elastica_world_run_implicit(world, &def, NULL));
  read_rod(elastica_rod_get_view(one), &now);
  assert_close(farthest(now.r, rod.r, 3 * (N + 1)), 0.0, 1e-10);
  assert_close(farthest(now.q, rod.q, 9 * N), 0.0, 1e-10);
  assert_close(farthest(now.v, rod.v, 3 * (N + 1)), 0.0, 1e-9);
  assert_close(farthest(now.w, rod.w, 3 * N), 0.0, 1e-8);
  elastica_world_destroy(world);
}
