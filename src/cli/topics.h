/* SPDX-License-Identifier: MIT
 *
 * Pages of docs/ inside the program, for `lash help`: whole pages, sections of them under a short name, and a
 * search through everything.
 */
#ifndef LASHI_TOPICS_H
#define LASHI_TOPICS_H

#include <stdbool.h>
#include <stddef.h>

/* Names that `lash help` knows besides commands, short names first; NULL past the end. `brief`: what is
 * there. */
const char *lashi_topic_at(const char **brief, size_t index);
/* All words that `lash help` takes: commands, format and schema, then the topics. */
const char *lashi_help_at(const char **brief, size_t index);
/* Prints the topic, the page or the section that is called so, without regard to capitals; false: there is
 * none. */
bool lashi_topic_print(const char *name);
/* Prints where a word occurs, in pages and in the help of commands; false: nowhere. */
bool lashi_topics_search(const char *word);
/* The heading of a page that is like a word; NULL: none. */
const char *lashi_topics_nearest(const char *word);

#endif
