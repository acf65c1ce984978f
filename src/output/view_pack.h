/* Records of a page: each is a line with a name and base64 data. The data are a zlib stream of one line of JSON followed by bytes.
 *
 *   run     title, resolution, origin and upward direction
 *   tubes, solids, cables, joints   one each for a block of frames of one layout (see view_scene.h). The first block of a layout describes
 *           it, later ones have "same":1. Bytes: fixed floats (first block only), then the arrays
 *   arrows  contacts of a block of frames: "counts" per frame, then arrays with the contacts of all frames
 *   frames  times of a block; it is the last record of its block
 *   end     number of frames
 *
 * The numbers of an array are coded as differences: from the previous frame (temporal 1), from the line through the two previous frames
 * (temporal 2), or not at all (temporal 0). With spatial 1, and always in the first frame of a block, differences along the lane are taken
 * of the result. A difference d is written as 2 d, or -2 d - 1 if negative: first the lowest bytes of all numbers, then the next ones. The
 * upper bytes are mostly zero and compress to almost nothing.
 */
#ifndef ELI_VIEW_PACK_H
#define ELI_VIEW_PACK_H

#include "base/target.h"

#include "output/view_scene.h"

/* Appends a record. members: text of the members of its JSON object, such as "\"frames\":3". */
void eli_view_put_record(eli_bytes *out, const char *name, const eli_bytes *members, const eli_bytes *payload);

/* Appends the records of a block of frames of one layout. first: index of its first frame on the page. same 1: the previous block has the
 * same layout. */
void eli_view_pack(eli_bytes *out, const eli_view_layout *layout, int same, const eli_view_frame *frames, int first, int count);

#endif
