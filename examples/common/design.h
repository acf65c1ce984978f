/* Designs of assemblies of Zhang et al. 2019 for optimisation: numbers within a box, and the value of a design.
 *
 * flagella  speed of the swimmer of flagellum.h along its axis, from one beat to the next [m/s]; its total length is fixed
 * walker    speed of the scaffold of scaffold.h towards its long legs at 2 Hz, guided [mm/s]. The strips move with the rings that they
 *           connect; their place is the depth of the contact of these rings on the inner sides of the legs, in sixths of a leg
 * snake     speed of the body of muscled_body.h along its mean heading [L/T]; four numbers for each pair
 *
 * The boxes are our choice: the papers do not print theirs. An evaluation has a world of its own; many threads may evaluate at a time,
 * and a blow-up does not end the program.
 */
#ifndef EXAMPLES_DESIGN_H
#define EXAMPLES_DESIGN_H

#include "example.h"

enum { DESIGN_MOST = 24 }; /* numbers */

typedef enum design_depth {
  DESIGN_SKETCH, /* so cheap that only large gains are significant */
  DESIGN_SEARCH, /* affordable for a search */
  DESIGN_WHOLE   /* long enough to be reliable, with all muscles of the snake */
} design_depth;

typedef struct design_trial {
  elastica_status status;
  double worth;   /* when OK */
  result_run run; /* for the timing line */
  char message[256];
} design_trial;

typedef struct design {
  const char *name, *unit; /* of its value */
  double piece;            /* [s] of a run; something is measured at its end */
  int count;
  const char *quantity[DESIGN_MOST]; /* name of a number, with its unit */
  double lower[DESIGN_MOST], upper[DESIGN_MOST];
  double original[DESIGN_MOST]; /* the papers' design; for numbers of pairs other than four, a guess */
  void (*run)(example *e, const struct design *of, const double *x, design_depth depth, design_trial *out);
} design;

design design_flagella(void);
design design_walker(void);
design design_snake(int pairs);

/* Returns the design of a name; pairs: of a snake. */
design design_named(const char *name, int pairs);

design_trial design_run(const example *e, const design *of, const double *x, design_depth depth);

/* Evaluates a design like design_run, and shows it on the page of the program if that has no world yet. */
design_trial design_show(example *e, const design *of, const double *x, design_depth depth);

/* The name of a number in a table: "walker_short_leg_mm", "snake_2_span_vertebrae". */
void design_name(const design *of, int k, char name[64]);

/* Evaluates the design of --design: numbers in a text or, if the text is "-", in standard input. Their value is the objective. Ends the
 * program with status 2 if the text is not a design in the box, 3 if the design fails. */
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
