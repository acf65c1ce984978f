/* Data of a page: the objects of a world (layout) and their state at one time (frame).
 *
 * A layout has one record for each kind of object: tubes (rods), solids (rigid bodies, walls and elastic obstacles), cables (tendons),
 * joints. A record has a description in JSON, fixed numbers, and arrays of integers, one set per frame.
 *
 * Forms of the numbers in arrays:
 *   LENGTH  (x - origin)/resolution
 *   SHARE   2^18 x, |x| <= 1
 *   TURN    2^12 times a number of turns, continuous in time, modulo 2^32
 *   FLOAT   the upper 20 bits of a float with its sign as that of the integer: rounded to 1 part in 4096; NaN is 0x7fc00
 * The stripe of an element along d1 is given by the turn of d1 about the tangent, relative to a reference frame computed from the positions
 * (find_reference).
 */
#ifndef ELI_VIEW_SCENE_H
#define ELI_VIEW_SCENE_H

#include "base/target.h"

#include <elastica.h>
#include <stddef.h>
#include <stdint.h>

#include "output/text.h"

typedef enum eli_view_form { ELI_VIEW_LENGTH, ELI_VIEW_SHARE, ELI_VIEW_TURN, ELI_VIEW_FLOAT, ELI_VIEW_FORMS } eli_view_form;

typedef struct eli_view_array {
  const char *name, *unit; /* unit NULL: the viewer offers no colours for it */
  const char *at;          /* "node", "element", "joint" of rods, else NULL */
  eli_view_form form;
  int lanes;    /* stored one after the other */
  size_t size;  /* of each lane */
  size_t first; /* index of its first number in a frame */
} eli_view_array;

enum { ELI_VIEW_ARRAYS = 10, ELI_VIEW_RECORDS = 4, ELI_VIEW_ARROW = 7 };

typedef struct eli_view_record {
  const char *name;
  eli_bytes text;   /* members of a JSON object that describe the objects */
  eli_bytes keys;   /* keys of the triangles of solids, for comparisons */
  eli_bytes sizes;  /* further members: names and sizes of the floats, and those of triangles that are drawn as fewer */
  eli_bytes fixed;  /* floats, lowest byte first */
  eli_bytes facets; /* further floats, of triangles (eli_view_complete) */
  eli_bytes packed; /* the record of text and floats alone, once a page has needed it */
  eli_view_array arrays[ELI_VIEW_ARRAYS];
  int array_count;
} eli_view_record;

/* Conversion of numbers to integers. */
typedef struct eli_view_scale {
  double origin[3], resolution; /* [m] */
  int is_large;                 /* 1: a page beyond its limit may round numbers (eli_view_dropped_bits) */
} eli_view_scale;

typedef struct eli_view_layout {
  eli_view_record records[ELI_VIEW_RECORDS];
  size_t value_count;           /* numbers per frame */
  eli_view_scale scale;         /* of its frames */
  int source[ELI_VIEW_RECORDS]; /* for the page: the layout that has text and floats of each record, itself or an earlier one */
} eli_view_layout;

typedef struct eli_view_frame {
  double time;
  int layout;
  int32_t *values;
  int32_t *arrows;                /* lanes of arrow_count numbers: point [LENGTH], force [N, FLOAT], 1 if it sticks */
  int arrow_count, contact_count; /* of contacts with a force there may be more than arrows */
} eli_view_frame;

/* Lowest bits that are rounded off, in a large scene on a page beyond its limit: the low bits of its many numbers make up most of it. */
int eli_view_dropped_bits(eli_view_form form);

/* Returns the largest relative error of FLOAT; is_coarse: bits are rounded off. */
double eli_view_float_error(int is_coarse);

/* Describes the present objects of the world, triangles by their keys. resolution: as in elastica_view_def. fine 0: surfaces without finer
 * cells about the rods. After a failure *out needs no freeing. */
elastica_status eli_view_describe(elastica_world *world, double resolution, int fine, eli_view_layout *out);

/* Adds the triangles of meshes and surfaces to the record of solids, about `most` of them: more are drawn without finer
 * cells, and then as fewer. fine 0: those of a surface are few. OUT_OF_MEMORY, CALLBACK_FAILED. */
elastica_status eli_view_complete(elastica_world *world, eli_view_record *record, int fine, double most);
void eli_view_record_free(eli_view_record *record);

/* Moves the description of a record to one of the same kind without any. */
void eli_view_record_move(eli_view_record *from, eli_view_record *to);
void eli_view_layout_free(eli_view_layout *layout);

/* Returns 1 if the present objects may have the description that is kept. */
int eli_view_record_equal(const eli_view_record *now, const eli_view_record *kept);

/* Reads a frame of a world with this layout. before: previous frame of the same layout, or NULL. Returns NOT_FINITE with a sentence if a
 * number is not finite, INVALID_ARGUMENT if it is too large for the resolution, OUT_OF_MEMORY, or the status of elastica_rod_refresh. */
elastica_status eli_view_read(elastica_world *world, const eli_view_layout *layout, const eli_view_frame *before, eli_view_frame *out);
void eli_view_frame_free(elastica_world *world, eli_view_frame *frame);

#endif
