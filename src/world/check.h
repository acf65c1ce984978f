/* Interface of the parts of a check, which add findings to its report. */
#ifndef ELI_CHECK_H
#define ELI_CHECK_H

#include "world/survey.h"

typedef struct eli_check {
  elastica_world *world;
  elastica_check_report *report;
  double *badness; /* badness of each finding */
} eli_check;

/* Place and magnitude of a finding. */
typedef struct eli_spot {
  int rod, element;
  elastica_effect *effect;
  double value, bound;
  double badness; /* of two findings of one kind the one with the larger badness is reported */
} eli_spot;

/* Adds a finding with its sentence. Findings of one kind are merged into the worst one, with the number of its rods; at most one call for
 * each kind and rod. */
void eli_check_note(const eli_check *check, elastica_finding_kind kind, elastica_severity severity, eli_spot spot, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

/* check_loads.c: bending at clamps, stretch and buckling under the loads of a rod. */
void eli_check_loads(const eli_check *check, const eli_survey *survey);

/* Returns the largest tension [N] that the loads cause in an element of a rod fixed at one end or at none, and this element; 0 if there is
 * none. */
double eli_check_tension(const eli_survey *survey, int *element);

/* check_overlap.c: eli_check_overlaps finds deep overlaps of rods and bodies with contact between them; a status other than OK belongs to a
 * refusal. eli_check_finds_contacts returns 1 for an enabled contact. */
elastica_status eli_check_overlaps(const eli_check *check);
int eli_check_finds_contacts(const elastica_effect *effect);

/* A modulus [Pa] to advise, to two digits: not less than it. */
double eli_rounded_up(double modulus);

/* check_solids.c: what comes too fast at elastic obstacles. Statuses as above. */
elastica_status eli_check_solids(const eli_check *check);
int eli_check_is_solid(const elastica_effect *effect);

/* check_press.c: finds rods and bodies that contact will press deeply into each other. dt: step size for hooks. A status other than OK
 * belongs to a refusal. */
elastica_status eli_check_pressing(const eli_check *check, double dt);

#endif
