/* SPDX-License-Identifier: MIT
 *
 * Completions for shells, from the tables that the program uses.
 */
#ifndef LASHI_COMPLETION_H
#define LASHI_COMPLETION_H

#include <stddef.h>

/* Shells by index, NULL past the end. */
const char *lashi_completion_shell(size_t index);
/* Prints the script of a shell of the list. */
void lashi_completion_print(const char *shell);

#endif
