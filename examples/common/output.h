/* The folder of --out: curves, frames, and the script that draws the figure. Without a folder all calls do nothing. */
#ifndef EXAMPLES_OUTPUT_H
#define EXAMPLES_OUTPUT_H

#include <elastica.h>

/* Frames of a world. */
typedef struct output_frames {
  elastica_vtk *vtk;   /* NULL: no frames for ParaView */
  elastica_view *page; /* NULL: the frames are not on the page */
  elastica_world *world;
} output_frames;

typedef struct example_output {
  const char *program;   /* NULL: no files */
  const char *folder;    /* an empty world for the csv files, which stay open longer than the worlds of the runs */
  elastica_world *world; /* empty, for the csv files: they stay open longer than the worlds of the runs */
  elastica_csv **csv;
  int csv_count;
  output_frames *frames;
  int frames_count;
  int has_page; /* 1: program.html shows its world */
} example_output;

/* Makes the folder and its parents. An error here or in the calls below prints a line on standard error and ends with status 3. */
void output_open(example_output *out, const char *program, const char *folder);

/* 1 if a name matches the pattern, with a '*' for a number. */
int output_matches(const char *name, const char *pattern);

/* Removes files of an earlier run that match the pattern; for "name.pvd" also its frames name_NNNNNN.vtp. */
void output_discard(const example_output *out, const char *pattern);

/* Opens folder/name for one curve; NULL without a folder. columns: the names, separated by commas. */
elastica_csv *output_csv(example_output *out, const char *name, const char *columns);
void output_row(example_output *out, elastica_csv *csv, int count, const double *values);

/* Opens folder/name.pvd for the frames of a world; NULL without a folder. */
elastica_vtk *output_vtk_open(example_output *out, elastica_world *world, const char *name);
void output_frame(example_output *out, elastica_world *world, elastica_vtk *vtk);

/* Opens folder/program.html for the frames of a world; NULL without a folder, or if it has been opened before: a program has a single
 * page. If the same world has frames in vtk, output_frame adds to both. */
elastica_view *output_page_open(example_output *out, elastica_world *world, const elastica_view_def *def);
void output_page_frame(example_output *out, elastica_world *world, elastica_view *page);

/* Closes the frames of a world; before the world is destroyed. */
void output_forget(example_output *out, elastica_world *world);

/* Scripts of gnuplot, as their files NAME.gp beside the programs and in common: the build makes scripts.c of them. The last name is NULL.
 */
typedef struct output_script {
  const char *name;
  const char *const *lines; /* the last one is NULL */
} output_script;
extern const output_script output_scripts[];

typedef struct output_figure {
  int width, height;       /* [pixels] */
  const char *script;      /* name of the script */
  const char *mode;        /* quick, default or full: the string `mode` of the script */
  const char *heading;     /* the string `heading` */
  const char *definitions; /* of further variables, a line each; may be NULL */
} output_figure;

/* Writes folder/plot.gp: the script common/preamble.gp, the definitions, and the script of the program. */
void output_draw(const example_output *out, const output_figure *figure);

void output_close(example_output *out);

/* Called before the program ends with an error: the page shows the frames so far. */
void output_leave(const example_output *out);

#endif
