/* Parts of a step, for tests and for whoever needs accelerations alone. */
#ifndef ELI_STEPPER_H
#define ELI_STEPPER_H

#include <elastica.h>

/* Applies only the kick, with loads and constraints, to the state as it is: (new - old)/dt are the accelerations. Time stands still. */
elastica_status eli_world_kick(elastica_world *world, double dt);

#endif
