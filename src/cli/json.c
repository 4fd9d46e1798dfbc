/* SPDX-License-Identifier: MIT
 *
 * JSON with its commas.
 */
#include "cli/json.h"

#include "cli/page.h"

static void begin(lashi_json *json, const char *key) {
    if (json->more)
        fputc(',', json->stream);
    json->more = true;
    if (key) {
        lashi_json_text(json->stream, key);
        fputc(':', json->stream);
    }
}

void lashi_json_open(lashi_json *json, const char *key, char kind) {
    begin(json, key);
    fputc(kind, json->stream);
    json->more = false;
}

void lashi_json_close(lashi_json *json, char kind) {
    fputc(kind, json->stream);
    json->more = true;
}

void lashi_json_add(lashi_json *json, const char *key, double value) {
    begin(json, key);
    lashi_json_number(json->stream, value);
}

void lashi_json_say(lashi_json *json, const char *key, const char *text) {
    begin(json, key);
    if (text)
        lashi_json_text(json->stream, text);
    else
        fputs("null", json->stream);
}

void lashi_json_flag(lashi_json *json, const char *key, bool value) {
    begin(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void lashi_json_raw(lashi_json *json, const char *key, const char *value) {
    begin(json, key);
    fputs(value, json->stream);
}
