/* The output of --budget: the budget of energy and momentum of a world, as lines of words separated by single spaces. */
#ifndef EXAMPLES_BUDGET_H
#define EXAMPLES_BUDGET_H

#include <elastica.h>

/* Returns the lines, to be freed; NULL if memory runs out. */
char *budget_lines(elastica_world *world, elastica_budget *budget);

#endif
