/* The two animals of Gazzola et al. 2018 with optimised gaits: a snake on the ground and a filament in a viscous fluid.
 *
 * A gait is five numbers: four amplitudes of the muscles' spline [N m], and the number of waves on the body, L/lambda. The snake's waves
 * go from node 0, its head, to the last node; the swimmer's towards node 0. Functions return the library's status: many animals exist at
 * a time, in worlds of their own, and a blow-up does not end the program.
 */
#ifndef EXAMPLES_ANIMAL_H
#define EXAMPLES_ANIMAL_H

#include "gait.h"

enum { ANIMAL_NUMBERS = 5, ANIMAL_PERIODS = GAIT_MOST, ANIMAL_SAMPLES = 20 }; /* the last: per period */

/* [m] [m] [kg/m^3] [Pa] */
static const double ANIMAL_LENGTH = 1, ANIMAL_RADIUS = 0.025, ANIMAL_DENSITY = 1e3, ANIMAL_YOUNGS_MODULUS = 1e7;
/* [s] [kg/(m s)] [N m] [s] */
static const double ANIMAL_PERIOD = 1, ANIMAL_DAMPING = 5, ANIMAL_MOST = 50;

/* The paper's step [s], for its 50 elements. */
static inline double animal_dt(int n) {
  return 2.5e-5 * 50 / n;
}

typedef struct animal {
  const char *name, *figure;
  elastica_status (*make)(elastica_world *world, int n, elastica_rod **rod); /* adds everything but the muscles */
  double forward;                                                            /* -1: node 0 is the head; +1: the last node */
  double published[ANIMAL_NUMBERS], published_speed;                         /* [L/T] */
} animal;

extern const animal animal_snake, animal_swimmer;

/* The snake on the ground of figure 10. */
elastica_status animal_make_snake(elastica_world *world, int n, elastica_end head, elastica_balance balance, elastica_rod **rod);

/* The swimmer in the fluid of figure 11; the last three arguments are fields of elastica_drag_def. */
elastica_status animal_make_swimmer(elastica_world *world, int n, elastica_drag_kind kind, int rest_slenderness, int rest_length,
                                    elastica_rod **rod);

/* An animal in a world of its own, for successive gaits: each begins with the snapshot of the first state. */
typedef struct animal_runner {
  const animal *of;
  int n;
  long steps; /* steps between two samples of the heading */
  elastica_world *world;
  elastica_rod *rod;
  elastica_effect *muscle;
  void *start;
  size_t start_size;
} animal_runner;

/* Creates a runner with n elements and steps of dt [s], rounded so that they divide a period. It must be freed for every status. */
elastica_status animal_runner_create(const animal *of, int n, double dt, animal_runner *out);
void animal_runner_free(animal_runner *runner);

/* Speed of the centre of mass along the mean heading of each period [L/T]. A status other than OK means that the gait blew up; the
 * runner remains usable. */
elastica_status animal_run(animal_runner *runner, const double gait[ANIMAL_NUMBERS], int periods, double *speed);

/* Runs one period of any body of length 1: speed of its centre of mass along its mean heading [L/T]. `steps` is the number between two
 * samples of the heading. */
elastica_status animal_stride(elastica_world *world, elastica_rod *rod, double forward, long steps, double *speed);

/* Evaluates the gait of --gait: five numbers in a text or, if the text is "-", in standard input, with n elements for three periods; the
 * objective is the speed in the last period. Ends the program with status 2 if the text is not a gait, 3 if the gait fails. */
void animal_evaluate(example *e, const animal *of, int n, const char *text);

#define ANIMAL_GAIT_OPTION(variable)                                                                                                       \
  {                                                                                                                                        \
    "--gait", "B1,B2,B3,B4,WAVES",                                                                                                         \
        "only evaluate a gait: four amplitudes [N m] and L/lambda; - reads them from standard\ninput. The last line is objective and its " \
        "speed in the third period [L/T], the larger\nthe better; a gait that blows up ends with status 3",                                \
        OPTION_TEXT, (void *)&variable, 0, 0                                                                                               \
  }

#endif
