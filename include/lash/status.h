/* SPDX-License-Identifier: MIT
 *
 * Outcome of a call: one status, and one error record that the caller owns.
 *
 * Every call that can fail returns a lash_status (0 ok, negative failure, positive normal stop) and takes a
 * lash_error pointer last, which may be NULL. On success the record is left untouched. NULL where something
 * must be given is LASH_ERROR_USAGE; calls without a status answer it, and an index out of range, with
 * nothing: NULL, "", 0, NaN or false. destroy, close and clear accept NULL.
 */
#ifndef LASH_STATUS_H
#define LASH_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One list: name, value, exit code of the program, what it means. */
#define LASH_STATUS_LIST(X)                                                                                  \
    X(OK, 0, 0, "ok")                                                                                        \
    X(STOP_END, 1, 0, "the end of the run was reached")                                                      \
    X(STOP_EVENT, 2, 0, "an event asked to stop the run")                                                    \
    X(STOP_INTERRUPTED, 3, 1, "the run was interrupted")                                                     \
    X(ERROR_MEMORY, -1, 1, "out of memory")                                                                  \
    X(ERROR_USAGE, -2, 2, "a call or a command line that makes no sense")                                    \
    X(ERROR_MODEL, -3, 3, "the model is wrong")                                                              \
    X(ERROR_IO, -4, 4, "a file could not be read or written")                                                \
    X(ERROR_ASSEMBLY, -5, 3, "the mechanism cannot be closed")                                               \
    X(ERROR_SINGULAR, -6, 1, "the equations of motion are singular")                                         \
    X(ERROR_STEP, -7, 1, "the step size became too small")                                                   \
    X(ERROR_NOT_FINITE, -8, 1, "a number overflowed or is not a number")                                     \
    X(ERROR_LIMIT, -9, 1, "a limit set by the user was reached")                                             \
    X(ERROR_INTERNAL, -10, 1, "a bug in Lash")                                                               \
    X(ERROR_POINTS, -11, 1, "points of a study failed")                                                      \
    X(ERROR_DOUBT, -12, 1, "numbers of a run do not hold")                                                   \
    X(ERROR_ACCURACY, -13, 1, "the numbers cannot be trusted")

typedef enum lash_status {
#define LASH_STATUS_ENUM(name, value, exit_code, text) LASH_##name = value,
    LASH_STATUS_LIST(LASH_STATUS_ENUM)
#undef LASH_STATUS_ENUM
} lash_status;

enum { LASH_ERROR_TEXT = 1024, LASH_ERROR_PLACE = 256 };

/* What went wrong and where. Fields that do not apply are 0, NaN or empty. */
typedef struct lash_error {
    lash_status status;
    char message[LASH_ERROR_TEXT];  /* one or a few sentences: the cause, then the cure */
    char file[LASH_ERROR_PLACE];    /* input: file name as given */
    int line, column;               /* input: from 1; 0 = no place */
    char excerpt[LASH_ERROR_PLACE]; /* input: the line itself, possibly cut */
    double time;                    /* numerics: s, NaN otherwise */
    char object[LASH_ERROR_PLACE];  /* the joint, body, … at fault, if one */
} lash_error;

/* The name of a status without its prefix ("ERROR_MODEL") and its meaning in words. */
const char *lash_status_name(lash_status status);
const char *lash_status_text(lash_status status);

/* The exit code of the program for a status: 0 ok, 1 the run failed, 2 usage, 3 bad model, 4 I/O. */
int lash_status_exit_code(lash_status status);

#ifdef __cplusplus
}
#endif
#endif
