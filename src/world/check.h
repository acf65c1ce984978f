/* Findings of a check, and what looks for them. */
#ifndef ELI_CHECK_H
#define ELI_CHECK_H

#include "world/survey.h"

typedef struct eli_check {
  elastica_world *world;
  elastica_check_report *report;
  double *badness; /* of each finding */
} eli_check;

/* Where something was found, and how it compares. */
typedef struct eli_spot {
  int rod, element;
  elastica_effect *effect;
  double value, bound;
  double badness; /* of two spots of one kind the larger is told */
} eli_spot;

/* Notes a finding, with its sentence. At most once for each kind and rod. */
void eli_check_note(const eli_check *check, elastica_finding_kind kind, elastica_severity severity, eli_spot spot, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

/* check_loads.c: turns at clamps, stretch and buckling under the loads of a rod. */
void eli_check_loads(const eli_check *check, const eli_survey *survey);

/* The largest tension [N] that its loads give an element of a rod of which one end holds, or neither; 0: none. */
double eli_check_tension(const eli_survey *survey, int *element);

/* check_overlap.c: what contact acts on and overlaps deeply. A status other than OK is that of a refusal. */
elastica_status eli_check_overlaps(const eli_check *check);
int eli_check_finds_contacts(const elastica_effect *effect);

/* A modulus [Pa] to advise, to two digits: not less than it. */
double eli_rounded_up(double modulus);

/* check_solids.c: what comes too fast at elastic obstacles. Statuses as above. */
elastica_status eli_check_solids(const eli_check *check);
int eli_check_is_solid(const elastica_effect *effect);

/* check_press.c: what contact will press deeply into each other. dt: for hooks. Statuses as above. */
elastica_status eli_check_pressing(const eli_check *check, double dt);

#endif
