#include "gait.h"

#include <math.h>
#include <stdio.h>

elastica_rod_def gait_body(int n, double length, double radius, double density, double youngs_modulus) {
  elastica_rod_def def = lying_rod(n, length, radius, density, youngs_modulus);
  def.normal[0] = def.normal[1] = 0;
  def.normal[2] = 1;
  return def;
}

elastica_muscle_def gait_muscle(const double *beta, double period, double wavenumber) {
  elastica_muscle_def muscle;
  elastica_muscle_def_init(&muscle, sizeof muscle);
  muscle.control = beta;
  muscle.control_count = beta ? 6 : 0;
  muscle.period = muscle.ramp_time = period;
  muscle.wavenumber = wavenumber;
  return muscle;
}

void gait_upright(elastica_muscle_def *muscle) {
  muscle->kind = ELASTICA_MUSCLE_LABORATORY_COUPLE;
  muscle->axis = 2;
}

elastica_obstacle_def gait_ground(double at_rest, double moving, const double ratio[3], elastica_end head) {
  elastica_obstacle_def ground;
  elastica_obstacle_def_init(&ground, sizeof ground);
  ground.balance = ELASTICA_BALANCE_ELEMENTS; /* the papers' law */
  ground.stiffness = 1;                       /* [N/m] */
  ground.damping = 1e-6;                      /* [kg/s] */
  ground.slip_velocity = 1e-8;                /* [m/s] */
  for (int k = 0; k < 3; k++) {
    ground.static_friction[k] = at_rest * ratio[k];
    ground.kinetic_friction[k] = moving * ratio[k];
  }
  ground.head = head;
  return ground;
}

static elastica_totals momentum_of(const example *e, elastica_world *world) {
  elastica_totals momentum;
  example_require(e, world, elastica_world_get_totals(world, &momentum));
  return momentum;
}

static elastica_csv *open_csv(example *e, const gait_plan *plan, const char *what) {
  char file[128];
  if (!plan->name) return NULL;
  snprintf(file, sizeof file, "%s_%s.csv", plan->name, what);
  return example_csv(e, file);
}

/* Writes x and y of every node at one instant of the envelope. */
static void write_shape(example *e, elastica_csv *envelope, const elastica_rod_view *rod, int instant) {
  for (int i = 0; i < rod->node_count; i++) example_row(e, envelope, instant, i, rod->position[0][i], rod->position[1][i]);
}

gait_result gait_follow(example *e, elastica_world *world, elastica_rod *handle, const gait_plan *plan) {
  const elastica_rod_view *rod = elastica_rod_get_view(handle);
  example_fit(e, plan->period / GAIT_SAMPLES);
  const long steps = lround(plan->period / (plan->dt * GAIT_SAMPLES));
  const double height = rod->position[2][0], unit = plan->period / plan->length; /* of speed: [L/T] */
  const int n = rod->node_count - 1;
  elastica_csv *speed = open_csv(e, plan, "speed"), *envelope = open_csv(e, plan, "envelope");
  elastica_vtk *vtk = plan->name ? example_vtk(e, world, plan->name) : NULL;
  elastica_totals before = momentum_of(e, world);
  gait_result out = {.off_plane = 0};
  for (int period = 0; period < plan->periods; period++) {
    const int last = period + 1 == plan->periods;
    for (int sample = 0; sample < GAIT_SAMPLES; sample++) {
      if (sample % (GAIT_SAMPLES / GAIT_FRAMES) == 0) {
        output_frame(&e->output, world, vtk);
        if (last) write_shape(e, envelope, rod, sample / (GAIT_SAMPLES / GAIT_FRAMES));
      }
      example_step(e, world, plan->period / (double)(GAIT_SAMPLES * steps), steps);
      const elastica_totals now = momentum_of(e, world);
      example_row(e, speed, elastica_world_get(world).time / plan->period, unit * plan->forward * now.linear[0] / now.mass,
                  unit * now.linear[1] / now.mass, rod->position[0][n], rod->position[1][n], rod->position[0][0], rod->position[1][0]);
      for (int i = 0; i <= n; i++) out.off_plane = fmax(out.off_plane, fabs(rod->position[2][i] - height) / plan->length);
      if (last && plan->sample) plan->sample(plan->user, e, handle, elastica_world_get(world).time);
      example_worked(e, (double)n * (double)steps);
    }
    const elastica_totals after = momentum_of(e, world);
    if (period < GAIT_MOST) {
      out.x[period] = after.centre[0];
      out.y[period] = after.centre[1];
      out.forward[period] = plan->forward * (after.centre[0] - before.centre[0]) / plan->length;
      out.lateral[period] = (after.centre[1] - before.centre[1]) / plan->length;
    }
    before = after;
  }
  write_shape(e, envelope, rod, GAIT_FRAMES);
  return out;
}

void gait_draw(example *e, const gait_picture *p) {
  char definitions[256];
  snprintf(definitions, sizeof definitions, "name = '%s'\nother = '%s'\npublished = %g\ntics = %g\nframes = %d\n", p->name, p->other,
           p->published, p->tics, GAIT_FRAMES);
  example_plot(e, 1200, p->height, definitions, "n = %d, dt = %.3g s", p->n, p->dt);
}
