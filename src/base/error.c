/* SPDX-License-Identifier: MIT
 *
 * Status names and the filling of error records.
 */
#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *lash_status_name(lash_status status) {
    switch (status) {
#define CASE(name, value, exit_code, text)                                                                   \
    case LASH_##name: return #name;
        LASH_STATUS_LIST(CASE)
#undef CASE
    }
    return "UNKNOWN";
}

const char *lash_status_text(lash_status status) {
    switch (status) {
#define CASE(name, value, exit_code, text)                                                                   \
    case LASH_##name: return text;
        LASH_STATUS_LIST(CASE)
#undef CASE
    }
    return "unknown status";
}

int lash_status_exit_code(lash_status status) {
    switch (status) {
#define CASE(name, value, exit_code, text)                                                                   \
    case LASH_##name: return exit_code;
        LASH_STATUS_LIST(CASE)
#undef CASE
    }
    return 1;
}

static void fill(lash_error *error, lash_status status, double time, const char *object, const char *format,
                 va_list arguments) {
    memset(error, 0, sizeof *error);
    error->status = status;
    error->time = time;
    snprintf(error->object, sizeof error->object, "%s", object);
    vsnprintf(error->message, sizeof error->message, format, arguments);
}

lash_status lashi_fail(lash_error *error, lash_status status, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, (double)NAN, "", format, arguments);
        va_end(arguments);
    }
    return status;
}

lash_status lashi_fail_at(lash_error *error, lash_status status, double time, const char *object,
                          const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, time, object ? object : "", format, arguments);
        va_end(arguments);
    }
    return status;
}

lash_status lashi_fail_memory(lash_error *error) {
    return lashi_fail(error, LASH_ERROR_MEMORY, "out of memory");
}
