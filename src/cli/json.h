/* SPDX-License-Identifier: MIT
 *
 * JSON for other programs, on standard output: objects and lists with their commas.
 */
#ifndef LASHI_JSON_H
#define LASHI_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "lash/status.h"

#define LASHI_OPTION_JSON                                                                                    \
    { "json", 0, NULL, false, "writes the same as JSON to standard output" }

typedef struct lashi_json {
    FILE *stream;
    bool more; /* something precedes in this object or list */
} lashi_json;

/* `key` NULL: an item of a list, or the whole. kind: '{' or '['. */
void lashi_json_open(lashi_json *json, const char *key, char kind);
void lashi_json_close(lashi_json *json, char kind);                       /* '}' or ']' */
void lashi_json_add(lashi_json *json, const char *key, double value);     /* not finite: null */
void lashi_json_say(lashi_json *json, const char *key, const char *text); /* NULL: null */
void lashi_json_flag(lashi_json *json, const char *key, bool value);
void lashi_json_raw(lashi_json *json, const char *key, const char *value); /* JSON already */

#endif
