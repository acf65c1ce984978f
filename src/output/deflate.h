/* Compression that browsers unpack by themselves.
 *
 * models     zlib stream: deflate blocks with Huffman codes of their own, and a checksum
 * source     RFC 1950 and RFC 1951; code lengths in place by Moffat and Katajainen, "In-place calculation of minimum-redundancy codes" (1995)
 * test       tests/test_deflate.c, which unpacks; tests/browser, in the browser
 */
#ifndef ELI_DEFLATE_H
#define ELI_DEFLATE_H

#include "base/target.h"

#include <stddef.h>

#include "output/bytes.h"

/* Appends data as one zlib stream. Where memory runs out, out->failed is 1. */
void eli_deflate(eli_bytes *out, const unsigned char *data, size_t size);

#endif
