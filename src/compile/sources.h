/* SPDX-License-Identifier: MIT
 *
 * The sources of the library that the text of a compiled model includes, as bytes of the library itself
 * (cmake/LashCompile.cmake), and that text with them put in, so that a compiler needs nothing else.
 */
#ifndef LASHI_SOURCES_H
#define LASHI_SOURCES_H

#include <stddef.h>
#include <stdint.h>

typedef struct lashi_kernel_file {
    const char *name; /* as in #include; NULL ends the list */
    const char *text, *end;
} lashi_kernel_file;
extern const lashi_kernel_file lashi_kernel_files[];

/* The text with every file that it includes in its place, once; to be freed. NULL: out of memory. */
char *lashi_sources_join(const char *text, size_t *length);
/* The same for a GPU, where device.h replaces the headers of C. */
char *lashi_sources_join_device(const char *text, size_t *length);

/* A checksum of all these sources (base/cache.h). */
uint64_t lashi_sources_sum(uint64_t basis);

#endif
