/* SPDX-License-Identifier: MIT
 *
 * A summary as a list of names and values, and events as named fields: one list for all who write or read
 * them.
 */
#ifndef LASHI_SUMMARY_H
#define LASHI_SUMMARY_H

#include "lash/record.h"

typedef struct lashi_summary_entry {
    const char *name; /* "steps", "gudgeon.impacts" */
    const char *text; /* NULL: a number */
    double number;
} lashi_summary_entry;

enum { LASHI_SUMMARY_VALUE = 1024 };

/* All but the wall time: equal runs make equal files. */
void lashi_summary_each(const lash_summary *summary,
                        void (*take)(void *user, const lashi_summary_entry *entry), void *user);
/* The value on one line; numbers so that they read back exactly. */
const char *lashi_summary_value(char *buffer, size_t size, const lashi_summary_entry *entry);

/* A summary, "name = value" on a line; the settings of a model, NAME=VALUE, and its files of tables,
 * NAME=CHECKSUM; NULL: out of memory. */
char *lashi_summary_text(const lash_summary *summary);
char *lashi_settings_text(const lash_model *model);
char *lashi_tables_text(const lash_model *model);

/* The numbers of an event in a file, in this order; `impact` is 1 for an impact, 0 for following. */
enum { LASHI_EVENT_NUMBERS_FIRST = 8, LASHI_EVENT_NUMBERS = 16 }; /* first: in all versions */
extern const char *const lashi_event_number_names[LASHI_EVENT_NUMBERS];

#endif
