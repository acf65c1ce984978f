#!/bin/sh
# Prints viewer.c with the lines of viewer.html: sh src/output/viewer.sh >src/output/viewer.c
cd "$(dirname "$0")" || exit 1
cat <<'END'
/* Made from viewer.html by viewer.sh; change that and run sh src/output/viewer.sh >src/output/viewer.c. */
#include "base/target.h"

#include "output/viewer.h"

/* clang-format off */
const char *const eli_viewer_lines[] = {
END
sed -e 's/[\\"?]/\\&/g' -e 's/^/    "/' -e 's/$/\\n",/' viewer.html
cat <<'END'
};
/* clang-format on */

const int eli_viewer_line_count = (int)(sizeof eli_viewer_lines / sizeof *eli_viewer_lines);
END
