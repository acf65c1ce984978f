/* The certified time step: never above the stability limit of the linear model about the present state, and close to it for uniform
 * rods.
 */
#include "linearised.h"
#include "step/stepper.h"

/* Tapered, uneven, bent, twisted and curved at rest, thin or thick, soft or stiff in shear, roughly at this stretch. shear: bound of the
 * shear strain; 0 means neither shear strain nor shear force. */
static void make_random_rod(sample_rod *sample, uint64_t seed, double stretch, double shear) {
  random_source source = {seed * 1000 + (uint64_t)(stretch * 10.0)};
  sample_recipe recipe = {.length = 0.1, .stretch = stretch, .speed = 0.0, .spin = 0.0};
  const double slenderness[6] = {0.3, 0.7, 1.5, 3.0, 5.0, 10.0}, softness[4] = {0.01, 0.1, 1.0 / 3.0, 2.0 / 3.0};
  recipe.radius = recipe.length / slenderness[random_integer(&source, 0, 5)];
  recipe.taper = random_between(&source, 0.0, 0.7);
  recipe.unevenness = random_between(&source, 0.0, 0.4);
  recipe.bend = random_between(&source, 0.0, 1.5);
  recipe.twist = random_between(&source, 0.0, 1.5);
  recipe.strain = random_between(&source, 0.0, 0.1);
  recipe.shear = shear;
  recipe.rest_bend = random_between(&source, 0.0, 1.0);
  recipe.rest_strain = random_between(&source, 0.0, 0.1);
  make_sample(sample, random_integer(&source, 1, 9), seed, &recipe);
  sample->shear_modulus = sample->youngs_modulus * softness[random_integer(&source, 0, 3)];
  if (shear > 0.0) return;
  for (int j = 0; j < sample->element_count; j++) sample->rest_strain[component(j, X)] = sample->rest_strain[component(j, Y)] = 0.0;
}

/* Half-cell or frame clamps at one end or both; the frames of the walls are turned from those of the rod by half a radian. */
static void add_end_clamps(elastica_world *world, elastica_rod *rod, uint64_t seed) {
  const double phi[3] = {0.3, -0.2, 0.4};
  const int frame = (seed & 4) != 0;
  for (int end = 0; end <= 1; end++) {
    if (!(seed & (1u << end))) continue;
    add_turned_clamp(world, rod, (elastica_end)end, frame ? ELASTICA_BOUNDARY_FRAME : ELASTICA_BOUNDARY_CLAMP, frame ? NULL : phi);
  }
}

static void assert_limit_is_safe(double shear, int count) {
  const double stretch[4] = {0.6, 1.0, 1.5, 2.0};
  for (int options = 0; options < 4; options++) {
    for (int s = 0; s < 4; s++) {
      for (int k = 0; k < rounds(count); k++) {
        sample_rod sample;
        elastica_world *world = make_rest_world(options & 1, options >> 1);
        make_random_rod(&sample, (uint64_t)(100 * options + k), stretch[s], shear);
        elastica_rod *rod = add_sample(world, &sample);
        assert_between(share_of_true_limit(rod), 0.02, 1.0 + ROUNDING);
        elastica_world_destroy(world);
      }
    }
  }
}

TEST(limit_is_safe_at_any_stretch_of_any_rod) {
  assert_limit_is_safe(0.0, 16);
}

TEST(limit_is_safe_for_sheared_rods) {
  const double shear[4] = {0.003, 0.03, 0.3, 1.0};
  for (int k = 0; k < 4; k++) assert_limit_is_safe(shear[k], 8);
}

/* Flat sections: shear, bending and inertia differ between the two axes across the rod. */
static elastica_rod *add_flat_sample(elastica_world *world, const sample_rod *sample, uint64_t seed) {
  double shear[3 * SAMPLE_ELEMENTS], bend[3 * SAMPLE_ELEMENTS], inertia[3 * SAMPLE_ELEMENTS];
  elastica_rod *rod = NULL;
  random_source source = {seed};
  for (int j = 0; j < sample->element_count; j++) {
    const double area = 3.14159265358979324 * sample->radius[j] * sample->radius[j], second = area * area / (4.0 * 3.14159265358979324);
    for (int a = 0; a < 3; a++) {
      const double flatness = random_between(&source, 0.2, 5.0);
      shear[3 * j + a] = area * (a == 2 ? sample->youngs_modulus : sample->shear_modulus * flatness);
      bend[3 * j + a] = second * sample->youngs_modulus * flatness;
      inertia[3 * j + a] = second * sample->density * sample->rest_length[j] * flatness;
    }
  }
  DEFAULTS(rod, def);
  def.element_count = sample->element_count;
  def.position = sample->position;
  def.director = sample->director;
  def.rest_length = sample->rest_length;
  def.rest_strain = sample->rest_strain;
  def.element_radius = sample->radius;
  def.density = sample->density;
  def.shear_stiffness = shear;
  def.bend_stiffness = bend;
  def.inertia = inertia;
  must(world, elastica_world_add_rod(world, &def, &rod));
  return rod;
}

TEST(limit_is_safe_for_flat_sections) {
  for (uint64_t seed = 0; seed < 64; seed += TESTS_ONE_ROUND_IN) {
    sample_rod sample;
    elastica_world *world = make_rest_world((int)(seed & 1), (int)(seed >> 1 & 1));
    make_random_rod(&sample, 700 + seed, seed & 4 ? 1.5 : 1.0, seed & 8 ? 0.3 : 0.0);
    assert_between(share_of_true_limit(add_flat_sample(world, &sample, seed)), 0.02, 1.0 + ROUNDING);
    elastica_world_destroy(world);
  }
}

/* Short thick elements, soft in shear, so that joints bound the step: the same turn at every joint, with and without a couple. */
TEST(limit_is_safe_at_sharply_bent_joints) {
  const double angle[5] = {0.3, 1.0, 1.8, 2.4, 2.9};
  double tightest = 0.0;
  for (int options = 0; options < 4; options++) {
    for (int k = 0; k < 5; k++) {
      for (uint64_t seed = 0; seed < 16; seed++) {
        const sample_recipe recipe = {.length = 0.1, .radius = seed & 8 ? 0.1 : 0.3, .stretch = 1.0};
        random_source source = {seed};
        sample_rod sample;
        double axis[3], share[3];
        make_sample(&sample, 2 + (int)(seed & 1), seed, &recipe);
        sample.shear_modulus = 0.01 * sample.youngs_modulus;
        random_vector(&source, 1.0, axis);
        if (seed & 2) axis[0] = axis[1] = 0.0; /* twist alone */
        for (int a = 0; a < 3; a++) share[a] = angle[k] * axis[a] / norm(axis);
        for (int j = 1; j < sample.element_count; j++) {
          memcpy(sample.director + 9 * j, sample.director + 9 * (j - 1), 9 * sizeof(double));
          turn_frame_exactly(share, sample.director + 9 * j);
          for (int a = 0; a < 3; a++) {
            sample.position[component(j + 1, a)] = sample.position[component(j, a)] + 0.1 * sample.director[director_component(j, 2, a)];
            sample.rest_curvature[3 * (j - 1) + a] = seed & 4 ? 10.0 * share[a] : 0.0;
          }
        }
        elastica_world *world = make_rest_world(options & 1, options >> 1);
        elastica_rod *rod = add_sample(world, &sample);
        const double share_of_limit = share_of_true_limit(rod);
        tightest = fmax(tightest, share_of_limit);
        assert_between(share_of_limit, 0.2, 1.0 + ROUNDING);
        elastica_world_destroy(world);
      }
    }
  }
  assert_true(tightest > 0.97);
}

/* Thick elements, soft in shear; one is light: the joint counts with the inertias of both elements, not as if both were light. */
TEST(limit_is_close_for_a_light_element_beside_a_heavy_one) {
  for (int options = 0; options < 4; options++)
    for (int light = 0; light < 2; light++)
      for (double ratio = 0.1; ratio < 1.0; ratio *= 2.0) {
        const sample_recipe recipe = {.length = 0.1, .radius = 0.3, .stretch = 1.0};
        sample_rod sample;
        make_sample(&sample, 2, 1, &recipe);
        sample.shear_modulus = 0.01 * sample.youngs_modulus;
        sample.radius[light] = ratio * sample.radius[1 - light];
        elastica_world *world = make_rest_world(options & 1, options >> 1);
        assert_between(share_of_true_limit(add_sample(world, &sample)), 0.9, 1.0 + ROUNDING);
        elastica_world_destroy(world);
      }
}

/* Muscle forces and couples in addition to the elastic ones, as shares of the stiffnesses. */
typedef struct muscles {
  uint64_t seed;
  double force, couple;
} muscles;

static elastica_status add_muscles(void *self, const elastica_instant *now, const elastica_rod_view *rod, elastica_resultants *resultants) {
  const muscles *m = self;
  random_source source = {m->seed};
  (void)now;
  for (int a = 0; a < 3; a++) {
    for (int j = 0; j < rod->element_count; j++)
      resultants->force[a][j] += m->force * rod->shear_stiffness[a][j] * random_between(&source, -1.0, 1.0);
    for (int k = 0; k < rod->joint_count; k++)
      resultants->couple[a][k] += m->couple * rod->bend_stiffness[0][k] / rod->rest_joint_length[k] * random_between(&source, -1.0, 1.0);
  }
  return ELASTICA_OK;
}

static double share_with_muscles(const sample_rod *sample, int options, double force, double couple, uint64_t seed) {
  const muscles m = {seed, force, couple};
  elastica_world *world = make_rest_world(options & 1, options >> 1 & 1);
  elastica_rod *rod = add_sample(world, sample);
  elastica_module module = module_named("muscles");
  module.self = &m;
  module.self_size = sizeof m;
  module.add_resultants = add_muscles;
  must(world, elastica_world_add_module(world, rod, &module, NULL));
  const double share = share_of_true_limit(rod);
  elastica_world_destroy(world);
  return share;
}

/* Rods that are far stiffer against twist than against all else, and those far stiffer against one bend. */
TEST(limit_is_safe_and_close_for_rods_stiff_about_one_axis) {
  for (int axis = 0; axis < 3; axis++)
    for (int n = 2; n < 9; n++) {
      double bend[24];
      elastica_world *world = make_rest_world(0, 0);
      elastica_rod *rod = NULL;
      for (int k = 0; k < 3 * n; k++) bend[k] = k % 3 == axis ? 50.0 : 1e-3;
      DEFAULTS(rod, def);
      def.element_count = n, def.length = 0.1 * n, def.radius = 0.05, def.density = 1000.0, def.youngs_modulus = 1e4;
      def.bend_stiffness = bend;
      must(world, elastica_world_add_rod(world, &def, &rod));
      assert_between(share_of_true_limit(rod), 0.6, 1.0 + ROUNDING);
      elastica_world_destroy(world);
    }
}

TEST(limit_is_safe_with_muscles) {
  double tightest = 0.0;
  for (uint64_t seed = 0; seed < 64; seed += TESTS_ONE_ROUND_IN) {
    sample_rod sample;
    make_random_rod(&sample, 800 + seed, seed & 4 ? 1.3 : 1.0, seed & 8 ? 0.1 : 0.0);
    assert_between(share_with_muscles(&sample, (int)seed, 0.2, 1.0, seed), 0.02, 1.0 + ROUNDING);
  }
  for (uint64_t seed = 0; seed < 64; seed++) { /* thick, soft in shear, with couples far above the elastic ones */
    const sample_recipe recipe = {.length = 0.1, .radius = 0.3, .stretch = 1.0};
    sample_rod sample;
    make_sample(&sample, 2, seed, &recipe);
    sample.shear_modulus = 0.01 * sample.youngs_modulus;
    const double share = share_with_muscles(&sample, (int)seed, 0.0, 30.0, seed);
    tightest = fmax(tightest, share);
    assert_between(share, 0.02, 1.0 + ROUNDING);
  }
  assert_true(tightest > 0.6);
}

TEST(limit_is_safe_with_clamps) {
  for (uint64_t seed = 0; seed < 64; seed += TESTS_ONE_ROUND_IN) {
    sample_rod sample;
    elastica_world *world = make_rest_world((int)(seed & 1), (int)(seed >> 1 & 1));
    make_random_rod(&sample, 500 + seed, seed & 32 ? 1.5 : 1.0, 0.0);
    elastica_rod *rod = add_sample(world, &sample);
    add_end_clamps(world, rod, seed >> 2 & 7);
    assert_between(share_of_true_limit(rod), 0.02, 1.0 + ROUNDING);
    elastica_world_destroy(world);
  }
}

TEST(limit_is_safe_for_rings) {
  for (uint64_t seed = 0; seed < 8; seed++) {
    sample_rod sample;
    elastica_world *world = make_rest_world((int)(seed & 1), (int)(seed >> 1 & 1));
    make_sample_ring(&sample, 3 + (int)seed, seed);
    elastica_rod *rod = add_sample(world, &sample);
    assert_between(share_of_true_limit(rod), 0.3, 1.0 + ROUNDING);
    elastica_world_destroy(world);
  }
}

/* A twisted ring of 12 elements; element `light` is thin and light. The units of length and mass are `metre` and `kilogram`. */
static double limit_of_ring(int light, double metre, double kilogram) {
  enum { n = 12 };
  double position[3 * n], radius[n], density[n], twist[3 * n] = {0.0};
  elastica_step_limit limit;
  elastica_world *world = make_world(NULL);
  DEFAULTS(rod, def);
  for (int i = 0; i < n; i++) {
    const double angle = 2.0 * acos(-1.0) * (i - light) / n;
    set_vector(position, i, 0.1 * cos(angle) / metre, 0.1 * sin(angle) / metre, 0.0);
    radius[i] = (i == light ? 0.006 : 0.012) / metre;
    density[i] = (i == light ? 10.0 : 1000.0) * metre * metre * metre / kilogram;
    twist[component(i, Z)] = 20.0 * metre;
  }
  def.element_count = n;
  def.closed = 1;
  def.position = position;
  def.rest_curvature = twist;
  def.element_radius = radius;
  def.radius = radius[light];
  def.density = density[light];
  def.element_density = density;
  def.youngs_modulus = 1e6 * metre / kilogram;
  must(world, elastica_world_add_rod(world, &def, NULL));
  must(world, elastica_world_step_limit(world, &limit));
  elastica_world_destroy(world);
  return limit.dt;
}

TEST(limit_of_a_ring_does_not_depend_on_its_first_element_or_units) {
  const double limit = limit_of_ring(0, 1.0, 1.0);
  for (int light = 1; light < 12; light++) assert_close(limit_of_ring(light, 1.0, 1.0), limit, 1e-9 * limit);
  assert_close(limit_of_ring(0, 1e-3, 1e-3), limit, 1e-9 * limit);
  assert_close(limit_of_ring(0, 1e-6, 1e-9), limit, 1e-9 * limit);
}

TEST(limit_of_uniform_rods_at_rest_is_within_seven_tenths) {
  const double slenderness[6] = {0.3, 1.0, 2.0, 3.5, 6.0, 10.0}, softness[4] = {0.01, 0.1, 1.0 / 3.0, 2.0 / 3.0};
  for (int s = 0; s < 6; s++) {
    for (int g = 0; g < 4; g++) {
      for (int n = 10; n <= 30; n += 20) {
        elastica_world *world = make_rest_world(0, 0);
        elastica_rod *rod = add_straight_rod(world, n, 0.1 * n, 0.1 / slenderness[s], 1000.0, 1e6, 1e6 * softness[g]);
        assert_between(share_of_true_limit(rod), 0.7, 1.0 + ROUNDING);
        elastica_world_destroy(world);
      }
    }
  }
}

/* Uniform rods of published cases, with the closed-form limit of a linear analysis of the infinite straight rod. */
typedef struct published_rod {
  const char *name;
  int element_count;
  double length;             /* [m] */
  double shear, stretch;     /* [N] */
  double bend, twist;        /* [N m^2] */
  double mass_per_length;    /* rho A [kg/m] */
  double inertia_per_length; /* rho I1 [kg m] */
  double limit;              /* 2/omega_max [s] */
} published_rod;

static const published_rod published_rods[] = {
    {"helical buckling, 100 elements", 100, 100.0, 100000.0, 100000.0, 1.345, 0.789, 1.0, 0.030625, 0.00104464},
    {"helical buckling, 800 elements", 800, 100.0, 100000.0, 100000.0, 1.345, 0.789, 1.0, 0.030625, 0.000372248},
    {"cantilever, 400 elements", 400, 3.0, 2617.993878, 196349.5408, 3067.961576, 61.35923152, 981.7477042, 15.33980788, 0.000530327},
    {"cantilever, 25 elements", 25, 3.0, 2617.993878, 196349.5408, 3067.961576, 61.35923152, 981.7477042, 15.33980788, 0.0084721},
    {"Euler buckling", 100, 1.0, 100000.0, 100000.0, 1.0, 0.6666666667, 1.0, 0.00015625, 2.92445e-05},
    {"Michell ring", 50, 1.0, 100000.0, 100000.0, 1.0, 2.0, 1.0, 2.5e-05, 2.74079e-05},
    {"snake", 50, 1.0, 17453.29252, 19634.95408, 3.067961576, 4.090615434, 1.963495408, 0.0003067961576, 0.000140821},
    {"plectoneme", 100, 1.0, 1745.329252, 1963.495408, 0.3067961576, 0.4090615434, 1.0, 0.00015625, 0.00019121},
    {"forced twist", 1600, 301.17, 1047197.551, 1178097.245, 73631.07782, 98174.77042, 7.853981634, 0.4908738521, 0.000416377},
    {"rolling", 50, 1.0, 10000.0, 10000.0, 306.7961576, 409.0615434, 1.0, 0.00015625, 1.42497e-05},
    {"longitudinal friction", 50, 1.0, 10000.0, 10000.0, 0.03067961576, 0.04090615434, 1.0, 0.00015625, 0.000155808},
    {"isotropic friction", 100, 0.5, 100000.0, 100000.0, 3.067961576, 4.090615434, 2.0, 0.0003125, 2.183e-05},
};

static void fill(double *x, int count, double a, double b) {
  for (int j = 0; j < count; j++) set_vector(x, j, a, a, b);
}

static double limit_of_published_rod(const published_rod *p) {
  static double shear[3 * 1600], bend[3 * 1600], inertia[3 * 1600];
  const double piece = p->length / p->element_count, pi = 3.14159265358979324;
  elastica_world *world = make_world(NULL);
  DEFAULTS(rod, def);
  fill(shear, p->element_count, p->shear, p->stretch);
  fill(bend, p->element_count, p->bend, p->twist);
  fill(inertia, p->element_count, p->inertia_per_length * piece, 2.0 * p->inertia_per_length * piece);
  def.element_count = p->element_count;
  def.length = p->length;
  def.radius = 0.01;
  def.density = p->mass_per_length / (pi * 0.01 * 0.01);
  def.shear_stiffness = shear;
  def.bend_stiffness = bend;
  def.inertia = inertia;
  must(world, elastica_world_add_rod(world, &def, NULL));
  const double limit = limit_of(world).dt;
  elastica_world_destroy(world);
  return limit;
}

TEST(limit_of_published_rods_is_near_their_closed_form) {
  for (size_t k = 0; k < sizeof published_rods / sizeof published_rods[0]; k++) {
    const double share = limit_of_published_rod(&published_rods[k]) / published_rods[k].limit;
    if (!(share >= 0.7 && share <= 1.0)) print_error("%s: ", published_rods[k].name);
    assert_between(share, 0.7, 1.0);
  }
}

TEST(a_limit_of_no_rod_is_told_as_no_limit) {
  elastica_world *world = make_world(NULL);
  char text[200];
  for (int index = -1; index < 2; index++) {
    const elastica_step_limit limit = {.dt = (double)INFINITY, .rod_index = index};
    assert_string_equal(eli_limit_text(world, &limit, text, sizeof text), "(nothing limits it)");
  }
  elastica_world_destroy(world);
}
