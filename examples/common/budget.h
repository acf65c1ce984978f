/* What --budget prints: the budget of energy and momentum of a world, as lines whose words are separated by single spaces. */
#ifndef EXAMPLES_BUDGET_H
#define EXAMPLES_BUDGET_H

#include <elastica.h>

/* The lines, to be freed; NULL when memory runs out. */
char *budget_lines(elastica_world *world, elastica_budget *budget);

#endif
