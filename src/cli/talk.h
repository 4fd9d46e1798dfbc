/* SPDX-License-Identifier: MIT
 *
 * What the program says to people, on standard error; data alone go to standard output. Colours and the
 * progress bar appear on a terminal only.
 */
#ifndef LASHI_TALK_H
#define LASHI_TALK_H

#include <stdbool.h>
#include <stdio.h>

#include "lash/quantity.h"

struct lashi_command;
struct lashi_json;

/* An error or, with status LASH_OK, a warning: place, message, the line with a caret below the column. */
void lashi_talk_error(const lash_error *error);
/* An error of the program's own; returns the status. */
lash_status lashi_talk_fail(lash_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A mistake in the command line, with where to read on (command may be NULL); returns LASH_ERROR_USAGE. */
lash_status lashi_talk_usage(const struct lashi_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The reader of standard output has seen enough: `lash export … | head`. */
bool lashi_talk_reader_left(void);

/* With --json all messages are also kept, for a program that reads standard output: from `keep` on; `tell`
 * adds them as "messages" to an object, and `tell_rest` prints an object of them after a failure that none
 * was printed for. */
void lashi_talk_keep(void);
void lashi_talk_tell(struct lashi_json *json);
void lashi_talk_tell_rest(lash_status status);

/* Text of a file's author, one line: control characters, which a terminal would obey, become spaces. */
void lashi_talk_foreign(FILE *stream, const char *text);

/* Escape sequences for a stream, or "" where they would be noise. */
typedef enum lashi_paint { LASHI_PLAIN, LASHI_BOLD, LASHI_RED, LASHI_YELLOW, LASHI_GREEN } lashi_paint;
const char *lashi_talk_paint(FILE *stream, lashi_paint paint);

/* A time on the clock: "3.2 s", "5 min 12 s", "2 h 5 min". */
const char *lashi_talk_duration(char buffer[LASH_QUANTITY_TEXT], double seconds);

/* The bar: [#####     ] 120 of 400 points, 53 s left. It is drawn on a terminal, a few times per second. */
typedef struct lashi_progress {
    bool shown;
    double begun, drawn; /* s, monotonic clock */
    double from;         /* fraction that was done when this began; NaN: that of the first update */
} lashi_progress;

void lashi_progress_begin(lashi_progress *progress, bool wanted);
/* What is done of the whole; `words` says it, NULL: in per cent. */
void lashi_progress_update(lashi_progress *progress, double fraction, const char *words);
/* Wipes it; another update draws it again. */
void lashi_progress_wipe(const lashi_progress *progress);

#endif
