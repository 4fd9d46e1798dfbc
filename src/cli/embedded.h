/* SPDX-License-Identifier: MIT
 *
 * The files of examples/ as they are built into the program. The table itself is written at build time
 * (cmake/Embed.cmake) from every examples/ file ending in .yaml or .csv, sorted by name.
 */
#ifndef LASHI_EMBEDDED_H
#define LASHI_EMBEDDED_H

#include <stddef.h>

typedef struct lashi_embedded_file {
    const char *name; /* file name with its ending: "slider-crank.yaml"; NULL ends the table */
    const char *text; /* its bytes, followed by a 0 that `size` does not count */
    size_t size;
} lashi_embedded_file;

extern const lashi_embedded_file lashi_examples[];

#endif
