/* SPDX-License-Identifier: MIT
 *
 * A text file as a whole, for the parser.
 */
#ifndef LASHI_TEXT_FILE_H
#define LASHI_TEXT_FILE_H

#include <stddef.h>

#include "lash/status.h"

/* Reads a file, ended by a zero, but no more than one byte above the parser's limit, about which that then
 * complains; to be freed with free(). `what` names it in messages: "the model file". On failure *text is
 * NULL. */
lash_status lashi_text_file_read(char **text, size_t *length, const char *path, const char *what,
                                 lash_error *error);

#endif
