/* SPDX-License-Identifier: MIT
 *
 * How the library fills a lash_error. All functions accept error == NULL and return the status they were
 * given, so that a failure is one statement: return lashi_fail(error, LASH_ERROR_MODEL, "…", …);
 */
#ifndef LASHI_ERROR_H
#define LASHI_ERROR_H

#include "lash/status.h"

lash_status lashi_fail(lash_error *error, lash_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for numerics: the time and the object at fault ("" if none) come first. */
lash_status lashi_fail_at(lash_error *error, lash_status status, double time, const char *object,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));
lash_status lashi_fail_memory(lash_error *error);
/* A public call that was given NULL where something must be. */
#define lashi_fail_null(error)                                                                               \
    lashi_fail(error, LASH_ERROR_USAGE, "%s: an argument that must be given is NULL", __func__)

#endif
