/* Designs of assemblies of Zhang et al. 2019 that are to be improved: numbers within a box, and what one of them is worth.
 *
 * flagella  speed at which the swimmer of flagellum.h gets ahead, along its axis, from one beat to the next [m/s]; the length of all is fixed
 * walker    speed at which the scaffold of scaffold.h walks towards its long legs at 2 Hz, guided [mm/s]. The strips go with the rings that they
 *           tie together: their place is how far down the inner sides of the legs those press, in sixths of a leg
 * snake     speed of the body of muscled_body.h along its mean heading [L/T]; four numbers for each pair
 *
 * Boxes are ours: the papers do not print theirs. An evaluation is a world of its own, which many threads may make at a time; one that blows
 * up is no end of the program.
 */
#ifndef EXAMPLES_DESIGN_H
#define EXAMPLES_DESIGN_H

#include "example.h"

enum { DESIGN_MOST = 24 }; /* numbers */

typedef enum design_depth {
  DESIGN_SKETCH, /* so cheap that only large gains mean anything */
  DESIGN_SEARCH, /* what a search can afford */
  DESIGN_WHOLE   /* long enough to believe it, and with all muscles of the snake */
} design_depth;

typedef struct design_trial {
  elastica_status status;
  double worth;   /* when OK */
  result_run run; /* for the timing line */
  char message[256];
} design_trial;

typedef struct design {
  const char *name, *unit; /* of what it is worth */
  double piece;            /* [s] of a run, at whose end something is looked at */
  int count;
  const char *quantity[DESIGN_MOST]; /* name of a number, with its unit */
  double lower[DESIGN_MOST], upper[DESIGN_MOST];
  double original[DESIGN_MOST]; /* the papers'; that of other numbers of pairs than four is a guess */
  void (*run)(example *e, const struct design *of, const double *x, design_depth depth, design_trial *out);
} design;

design design_flagella(void);
design design_walker(void);
design design_snake(int pairs);

/* The one of a name; pairs: of a snake. */
design design_named(const char *name, int pairs);

design_trial design_run(const example *e, const design *of, const double *x, design_depth depth);

/* The same, for the page of the program where it has none yet. */
design_trial design_show(example *e, const design *of, const double *x, design_depth depth);

/* How a number is called in a table: "walker_short_leg_mm", "snake_2_span_vertebrae". */
void design_name(const design *of, int k, char name[64]);

/* What a program does with --design: one evaluation of numbers in a text or, where that is "-", in standard input. What they are worth is the
 * objective. Ends the program with status 2 when the text is no design in the box, 3 when the design fails. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void design_evaluate(example *e, const char *name, const char *text, design_depth depth);

#define DESIGN_FLAGELLA "HEAD,RADIUS,TAIL,CELLS"
#define DESIGN_WALKER "BRIDGE,LEG,STRIPS"
#define DESIGN_SNAKE "START,SPAN,MOMENT,PHASE,..."

#define DESIGN_OPTION(variable, numbers, help)                                                                                             \
  {                                                                                                                                        \
    "--design", numbers,                                                                                                                   \
        help                                                                                                                               \
        "; - reads\nthem from standard input. The last line is objective and the speed, the larger the better;\na design that blows up "   \
        "ends with status 3",                                                                                                              \
        OPTION_TEXT, (void *)&variable, 0, 0                                                                                               \
  }

#endif
