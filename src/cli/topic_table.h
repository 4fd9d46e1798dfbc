/* SPDX-License-Identifier: MIT
 *
 * Tables of the documents in a terminal.
 */
#ifndef LASHI_TOPIC_TABLE_H
#define LASHI_TOPIC_TABLE_H

#include <stddef.h>

/* A line as it is read: of links the words, without marks of emphasis. At most `length` bytes; how many. */
size_t lashi_topic_plain(char *out, const char *line, size_t length);
/* Prints the table that begins with this line, in columns that fit `width`. Where it ends. */
const char *lashi_topic_table(const char *text, const char *end, size_t width);

#endif
