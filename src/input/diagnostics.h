/* SPDX-License-Identifier: MIT
 *
 * The mistakes of a file and of those that it includes: collected while they are read and checked, handed out
 * at the end in the order of their places, each with file, line, column and the line itself. What is wrong in
 * a part that is used several times is said once.
 */
#ifndef LASHI_DIAGNOSTICS_H
#define LASHI_DIAGNOSTICS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/model.h"

typedef struct lashi_diagnostics {
    const lashi_sources *sources; /* the files; lines are quoted from them */
    const lash_setting *settings; /* from outside; a mistake in settings[i] has the line -1 - i */
    lash_error *mistakes;         /* and warnings, which have status LASH_OK */
    size_t count, capacity;
    size_t error_count; /* without warnings, and with those that were too many to keep */
    bool out_of_memory;
} lashi_diagnostics;

enum { LASHI_MOST_MISTAKES = 1000 }; /* kept; a file with more has other problems */

/* A place, its line counted over all sources; a negative line: a setting. */
void lashi_mistake(lashi_diagnostics *diagnostics, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void lashi_warning(lashi_diagnostics *diagnostics, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* About a setting from the command line, which is quoted instead of a line. */
void lashi_setting_mistake(lashi_diagnostics *diagnostics, const lash_setting *setting, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));
/* One that is complete already; fits lashi_model_check (user: the diagnostics). */
void lashi_diagnostics_add(void *diagnostics, const lash_error *mistake);

bool lashi_diagnostics_full(const lashi_diagnostics *diagnostics);
/* Sorts, reports all, and fills *error with the first mistake and their number. Returns LASH_OK if there are
 * only warnings, else ERROR_MODEL (or ERROR_MEMORY). */
lash_status lashi_diagnostics_report(lashi_diagnostics *diagnostics, const lash_load_options *options,
                                     lash_error *error);
void lashi_diagnostics_clear(lashi_diagnostics *diagnostics);

#endif
