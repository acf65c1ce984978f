#include "jointed.h"

#include <math.h>
#include <stdio.h>

static const double RADIUS = 7e-3, DENSITY = 1750, YOUNGS_MODULUS = 30e6;     /* [m] [kg/m^3] [Pa] */
static const double DAMPING = 0.1, SPIN_DAMPING = 1e-7;                       /* [kg/(m s)] [kg m/s] */
static const double STIFFNESS = 1e5, ANGULAR_STIFFNESS = 5e3 * 20e-3 * 20e-3; /* [N/m] [N m/rad] */
static const double FORCE = 5e-3, SWITCH = 0.2;                               /* [N] [s] */

/* ---- The rig ---- */

static elastica_status pull(void *user, double time, double force[3], double couple[3]) {
  const double angle = acos(-1) / 2 * (time - SWITCH);
  (void)user, (void)couple;
  force[X] = time < SWITCH ? 0 : FORCE * cos(angle);
  force[Z] = time < SWITCH ? -2 * FORCE : FORCE * sin(angle);
  return ELASTICA_OK;
}

static elastica_rod *add_rod(example *e, elastica_world *world, const jointed_plan *plan, double y) {
  const double modulus = YOUNGS_MODULUS * (plan->stiffer > 0 ? plan->stiffer : 1);
  elastica_rod *rod = NULL;
  elastica_rod_def def;
  elastica_rod_def_init(&def, sizeof def);
  def.element_count = plan->n;
  def.start[Y] = y;
  def.start[Z] = JOINTED_LENGTH;
  def.direction[Y] = -1, def.direction[Z] = 0;
  def.normal[X] = def.normal[Y] = 0, def.normal[Z] = 1;
  def.length = JOINTED_LENGTH;
  def.radius = RADIUS;
  def.density = DENSITY;
  def.youngs_modulus = modulus;
  def.shear_modulus = 2 * modulus / 3; /* as in all of the authors' programs */
  example_require(e, world, elastica_world_add_rod(world, &def, &rod));

  elastica_dissipation_def friction;
  elastica_dissipation_def_init(&friction, sizeof friction);
  friction.translation = DAMPING;
  friction.rotation = SPIN_DAMPING;
  example_require(e, world, elastica_add_dissipation(world, rod, &friction, NULL));
  return rod;
}

elastica_joint_def jointed_joint(elastica_joint_kind kind) {
  elastica_joint_def joint;
  elastica_joint_def_init(&joint, sizeof joint);
  joint.kind = kind;
  joint.stiffness = STIFFNESS;
  joint.angular_stiffness = ANGULAR_STIFFNESS;
  return joint;
}

static void build(example *e, jointed *rig, const jointed_plan *plan) {
  elastica_joint_def joint = plan->joint;
  elastica_world *world = example_papers_world(e);
  *rig = (jointed){.world = world, .n = plan->n};
  for (int k = 0; k < 2; k++) rig->rod[k] = add_rod(e, world, plan, k == 0 ? JOINTED_LENGTH : 0);
  for (int end = 0; end < 2; end++) {
    elastica_pin_def held;
    elastica_pin_def_init(&held, sizeof held);
    held.node = -end;
    example_require(e, world, elastica_add_pin(world, rig->rod[0], &held, NULL));
  }
  joint.first = (elastica_anchor){.rod = rig->rod[0], .element = -1, .share = 1};
  joint.second = (elastica_anchor){.rod = rig->rod[1]};
  example_require(e, world, elastica_add_joint(world, &joint, &rig->joint));

  elastica_point_load_def load;
  elastica_point_load_def_init(&load, sizeof load);
  load.function = pull;
  example_require(e, world, elastica_add_point_load(world, rig->rod[1], &load, NULL));
}

/* ---- Its motion ---- */

static void record(example *e, jointed *rig, elastica_csv *csv) {
  const elastica_rod_view *first = elastica_rod_get_view(rig->rod[0]), *second = elastica_rod_get_view(rig->rod[1]);
  double *tip = rig->tip[rig->frames], middle[3], square = 0, moved = 0;
  elastica_joint_info joint;
  example_require(e, rig->world, elastica_joint_get(rig->joint, &joint));
  for (int a = 0; a < 3; a++) {
    const double along = second->position[a][rig->n] - second->position[a][0];
    const double straight = a == Y ? JOINTED_LENGTH * (1 - (double)(rig->n / 2) / rig->n) : a == Z ? JOINTED_LENGTH : 0;
    tip[a] = second->position[a][rig->n];
    middle[a] = first->position[a][rig->n / 2];
    square += along * along;
    moved += (middle[a] - straight) * (middle[a] - straight);
  }
  rig->gap = fmax(rig->gap, joint.gap);
  rig->off_length = fmax(rig->off_length, fabs(sqrt(square) - JOINTED_LENGTH));
  rig->bow = fmax(rig->bow, sqrt(moved));
  example_row(e, csv, elastica_world_time(rig->world), tip[X], tip[Y], tip[Z], joint.gap, middle[X], middle[Z]);
}

void jointed_run(example *e, jointed *rig, const jointed_plan *plan) {
  char file[64];
  build(e, rig, plan);
  snprintf(file, sizeof file, "%s.csv", plan->name ? plan->name : "");
  elastica_csv *csv = plan->name ? example_csv(e, file) : NULL;
  elastica_vtk *vtk = plan->name ? example_vtk(e, rig->world, plan->name) : NULL;
  const int frames = (int)lround(plan->until / JOINTED_FRAME);
  for (rig->frames = 0;; rig->frames++) {
    if (rig->frames > 0) {
      example_advance(e, rig->world, rig->frames * JOINTED_FRAME);
      example_worked(e, JOINTED_FRAME);
    }
    record(e, rig, csv);
    if (rig->frames % 5 == 0) output_frame(&e->output, rig->world, vtk);
    if (rig->frames == frames) break;
  }
  example_done(e, rig->world);
}

/* ---- What is published ---- */

void jointed_compare(example *e, const jointed *rig, const jointed_sample *published, int count, double tolerance) {
  for (int k = 0; k < count; k++) {
    const int frame = (int)lround(published[k].time / JOINTED_FRAME);
    if (frame > rig->frames) return;
    for (int a = 0; a < 3; a++)
      example_check(e, rig->tip[frame][a], published[k].tip[a], tolerance, "tip_%c_at_%gs", "xyz"[a], published[k].time);
  }
}

double jointed_farthest(const jointed *rig, int axis, double from) {
  double farthest = 0;
  for (int k = 0; k <= rig->frames; k++) farthest = fmax(farthest, fabs(rig->tip[k][axis] - from));
  return farthest;
}

void jointed_draw(example *e, const char *name, const jointed_sample *published, int count, const int plane[2], const char *last) {
  char script[2048];
  elastica_csv *csv = example_csv(e, "published.csv");
  for (int k = 0; k < count; k++) example_row(e, csv, published[k].time, published[k].tip[X], published[k].tip[Y], published[k].tip[Z]);
  snprintf(script, sizeof script,
           "set multiplot layout 1,3 title heading\nset grid lt 1 lw 0.5 lc rgb 'gray80'\n"
           "set title 'path of the tip'\nset xlabel '%c [mm]'\nset ylabel '%c [mm]'\nset size ratio -1\n"
           "plot '%s.csv' using (1e3*$%d):(1e3*$%d) with lines lw 2 lt 1 title 'rod', \\\n"
           "     'published.csv' using (1e3*$%d):(1e3*$%d) with points pt 6 ps 1.5 lw 2 lc rgb 'black' title 'published'\n"
           "set size noratio\nset title 'tip'\nset xlabel 't [s]'\nset ylabel 'x, y, z [mm]'\n"
           "plot for [k=2:4] '%s.csv' using 1:(1e3*column(k)) with lines lw 2 lt k-1 title word('x y z', k-1), \\\n"
           "     for [k=2:4] 'published.csv' using 1:(1e3*column(k)) with points pt 6 ps 1.5 lw 2 lt k-1 notitle\n"
           "%sunset multiplot\n",
           "xyz"[plane[0]], "xyz"[plane[1]], name, plane[0] + 2, plane[1] + 2, plane[0] + 2, plane[1] + 2, name, last);
  example_plot(e, 1700, 620, script, "two rods, n = %d each", JOINTED_ELEMENTS);
}
