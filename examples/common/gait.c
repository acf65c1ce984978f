#include "gait.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTANTS = GAIT_FRAMES + 1 };

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

elastica_wall_def gait_ground(double at_rest, double moving, const double ratio[3], elastica_end head) {
  elastica_wall_def ground;
  elastica_wall_def_init(&ground, sizeof ground);
  ground.stiffness = 1;        /* [N/m] */
  ground.damping = 1e-6;       /* [kg/s] */
  ground.slip_velocity = 1e-8; /* [m/s] */
  for (int k = 0; k < 3; k++) {
    ground.static_friction[k] = at_rest * ratio[k];
    ground.kinetic_friction[k] = moving * ratio[k];
  }
  ground.head = head;
  return ground;
}

static elastica_momentum momentum_of(const example *e, elastica_world *world) {
  elastica_momentum momentum;
  example_require(e, world, elastica_world_get_momentum(world, &momentum));
  return momentum;
}

/* x and y of every node at one instant of the envelope; shapes has 2 INSTANTS numbers per node. */
static void keep_shape(double *shapes, const elastica_rod_view *rod, int instant) {
  for (int i = 0; shapes && i < rod->node_count; i++)
    for (int a = 0; a < 2; a++) shapes[2 * (INSTANTS * i + instant) + a] = rod->position[a][i];
}

static elastica_csv *open_csv(example *e, const gait_plan *plan, const char *what, const char *columns) {
  char file[128];
  if (!plan->name) return NULL;
  snprintf(file, sizeof file, "%s_%s.csv", plan->name, what);
  return output_csv(&e->output, file, columns);
}

static void write_envelope(example *e, const gait_plan *plan, const double *shapes, int nodes) {
  char columns[32 * INSTANTS] = "node";
  for (int f = 0; f < INSTANTS; f++) {
    const size_t used = strlen(columns);
    snprintf(columns + used, sizeof columns - used, ",x%d,y%d", f, f);
  }
  elastica_csv *csv = open_csv(e, plan, "envelope", columns);
  for (int i = 0; i < nodes; i++) {
    double row[1 + 2 * INSTANTS] = {i};
    memcpy(row + 1, shapes + (size_t)(2 * INSTANTS) * (size_t)i, 2 * INSTANTS * sizeof *row);
    output_row(&e->output, csv, 1 + 2 * INSTANTS, row);
  }
}

gait_way gait_follow(example *e, elastica_world *world, elastica_rod *handle, const gait_plan *plan) {
  const elastica_rod_view *rod = elastica_rod_get_view(handle);
  const long steps = lround(plan->period / (plan->dt * GAIT_SAMPLES));
  const double height = rod->position[2][0], unit = plan->period / plan->length; /* of speed: [L/T] */
  const int n = rod->node_count - 1;
  double *shapes = plan->name ? calloc((size_t)rod->node_count, 2 * INSTANTS * sizeof *shapes) : NULL;
  elastica_csv *speed = open_csv(e, plan, "speed", "t/T,forward,lateral,last x,last y,first x,first y");
  elastica_vtk *vtk = plan->name ? output_vtk_open(&e->output, world, plan->name) : NULL;
  elastica_momentum before = momentum_of(e, world);
  gait_way out = {.off_plane = 0};
  for (int period = 0; period < plan->periods; period++) {
    const int last = period + 1 == plan->periods;
    for (int sample = 0; sample < GAIT_SAMPLES; sample++) {
      if (sample % (GAIT_SAMPLES / GAIT_FRAMES) == 0) {
        output_frame(&e->output, world, vtk);
        if (last) keep_shape(shapes, rod, sample / (GAIT_SAMPLES / GAIT_FRAMES));
      }
      example_step(e, world, plan->period / (double)(GAIT_SAMPLES * steps), steps);
      const elastica_momentum now = momentum_of(e, world);
      example_row(e, speed, elastica_world_time(world) / plan->period, unit * plan->forward * now.linear[0] / now.mass,
                  unit * now.linear[1] / now.mass, rod->position[0][n], rod->position[1][n], rod->position[0][0], rod->position[1][0]);
      for (int i = 0; i <= n; i++) out.off_plane = fmax(out.off_plane, fabs(rod->position[2][i] - height) / plan->length);
      if (last && plan->look) plan->look(plan->user, e, handle, elastica_world_time(world));
      example_worked(e, (double)n * (double)steps);
    }
    const elastica_momentum after = momentum_of(e, world);
    if (period < GAIT_MOST) {
      out.x[period] = after.centre[0];
      out.y[period] = after.centre[1];
      out.forward[period] = plan->forward * (after.centre[0] - before.centre[0]) / plan->length;
      out.lateral[period] = (after.centre[1] - before.centre[1]) / plan->length;
    }
    before = after;
  }
  keep_shape(shapes, rod, GAIT_FRAMES);
  if (shapes) write_envelope(e, plan, shapes, rod->node_count);
  free(shapes);
  return out;
}

void gait_draw(example *e, const gait_picture *p) {
  char script[2048];
  snprintf(script, sizeof script,
           "stats '%s_speed.csv' using 1 nooutput\nend = STATS_max\n"
           "set multiplot layout 2,1\nset xlabel 't/T'\nset ylabel 'velocity of the centre of mass [L/T]'\nset key %s\n"
           "plot '%s_speed.csv' using 1:2 with lines lc rgb 'red' title 'forward', \\\n"
           "     '' using 1:3 with lines lc rgb 'blue' title 'lateral', %g dt 2 lc rgb 'black' title 'published mean'%s\n"
           "set xlabel 'x [m]'\nset ylabel 'y [m]'\n%sset size ratio -1\nset key top right\n"
           "plot for [k=0:20] '%s_envelope.csv' using (column(2*k+2)):(column(2*k+3)) with lines lc rgb 'gray' notitle, \\\n"
           "     '%s_speed.csv' using ($1 > end - 1 ? $4 : 1/0):5 with lines lw 2 lc rgb 'red' title 'head and tail', \\\n"
           "     '' using ($1 > end - 1 ? $6 : 1/0):7 with lines lw 2 lc rgb 'red' notitle\nunset multiplot\n",
           p->name, p->key, p->name, p->published, p->more, p->set, p->name, p->name);
  output_plot(&e->output, 1200, p->height, script);
}
