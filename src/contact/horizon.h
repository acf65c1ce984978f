/* The look-ahead horizon of a limit check. Contacts that may begin before the next limit check must be bounded now.
 *
 * test       tests/test_contact_bounds.c
 */
#ifndef ELI_HORIZON_H
#define ELI_HORIZON_H

#include "base/target.h"

#include <elastica.h>

/* Returns an upper bound of the time [s] between two limit checks: ELI_LIMIT_CHECK_INTERVAL steps, each at the stability limit of this
 * rod's axial waves. */
double eli_horizon_time(const elastica_rod_view *rod);

#endif
