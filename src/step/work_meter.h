/* The work meter and the budget of a world (work_meter.c), as the stepper calls them. */
#ifndef ELI_WORK_METER_H
#define ELI_WORK_METER_H

#include "hooks/work.h"

/* eli_tile_meter_begin and eli_tile_meter_end enclose a step of a tile while a budget is open. eli_tile_meter_measure computes energy and
 * momentum of the rods before the step; eli_tile_meter_begin does so, too, unless there is a pair phase. */
void eli_tile_meter_measure(const eli_tile_work *work);
void eli_tile_meter_begin(eli_tile_work *work, int worker);
void eli_tile_meter_end(const eli_tile_work *work);

/* Enclose a run of steps without changes in between. eli_budget_begin allocates memory; OUT_OF_MEMORY is a refused call. */
elastica_status eli_budget_begin(elastica_budget *budget);
void eli_budget_end(elastica_budget *budget);

/* Adds the step of size dt that all tiles have just completed. */
void eli_budget_add_step(elastica_budget *budget, double dt);

/* Releases the budget of a world, if one is open. */
void eli_budget_release(elastica_world *world);

#endif
