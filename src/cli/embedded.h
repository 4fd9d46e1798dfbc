/* SPDX-License-Identifier: MIT
 *
 * Files that are built into the program, as cmake/Embed.cmake writes them: every file of examples/ ending in
 * .yaml or .csv, sorted by name; the pages of docs/; the page that `lash report` and `lash live` fill in,
 * made from web/; and the solver of live pages.
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
extern const lashi_embedded_file lashi_documents[]; /* the pages of docs/ for users */
extern const lashi_embedded_file lashi_page_file;   /* of size 0 where the program was built without it */
extern const lashi_embedded_file lashi_solver_file; /* of live pages; of size 0: built without it */
/* The shared object of FMUs; *size 0 where the program was built without it. */
const char *lashi_fmu_object(size_t *size);

#endif
