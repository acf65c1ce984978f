/* Compression that browsers can decompress without a library.
 *
 * models     zlib stream: deflate blocks with dynamic Huffman codes, and a checksum
 * source     RFC 1950 and RFC 1951; code lengths in place by Moffat and Katajainen, "In-place calculation of minimum-redundancy codes"
 *            (1995)
 * test       tests/test_deflate.c decompresses in C; tests/browser in the browser
 */
#ifndef ELI_DEFLATE_H
#define ELI_DEFLATE_H

#include "base/target.h"

#include <stddef.h>

#include "output/text.h"

/* Appends data as one zlib stream. Sets out->failed if memory runs out. */
void eli_deflate(eli_bytes *out, const unsigned char *data, size_t size);

#endif
