/* The page of all programs: a card for each, with its own page playing, its curves if gnuplot has drawn them, and its results. */
#ifndef EXAMPLES_GALLERY_H
#define EXAMPLES_GALLERY_H

#include "report.h"

#include <stdio.h>

/* Draws out/NAME/NAME.svg by out/NAME/plot.gp. Does nothing without gnuplot or without plot.gp. */
void gallery_draw(const char *out, const char *name);

/* Writes the page, which belongs into the folder out, for the finished and the broken systems. mode: of all rows. */
void gallery_write(FILE *file, const char *out, const report_system *systems, int count, const char *mode);

#endif
