/* SPDX-License-Identifier: MIT
 *
 * The models that are built into the program, and the tables they read (cli/embedded.h).
 */
#ifndef LASHI_EXAMPLES_H
#define LASHI_EXAMPLES_H

#include <stdbool.h>

#include "cli/embedded.h"

bool lashi_example_is_model(const lashi_embedded_file *file);
bool lashi_example_is_table(const lashi_embedded_file *file);
/* The file's name without its ending, "" if it is no model; what follows `title:` in it; the first
 * sentence of the comment that it begins with. All are cut where they are too long. */
const char *lashi_example_name(char *buffer, size_t size, const lashi_embedded_file *file);
const char *lashi_example_title(char *buffer, size_t size, const lashi_embedded_file *file);
const char *lashi_example_about(char *buffer, size_t size, const lashi_embedded_file *file);

#endif
