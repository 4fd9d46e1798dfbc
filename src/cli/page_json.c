/* SPDX-License-Identifier: MIT
 *
 * JSON inside a page: texts, numbers, arrays of numbers in base64.
 *
 * <, > and & are written as \u003c … and so are U+2028 and U+2029: whatever a text holds, the element around
 * it ends where we end it.
 */
#include <endian.h>
#include <math.h>
#include <string.h>

#include "cli/page.h"

/* The bytes of U+2028 and U+2029, which end lines in old scripts. */
static bool is_separator(const unsigned char *c) {
    return c[0] == 0xE2 && c[1] == 0x80 && (c[2] == 0xA8 || c[2] == 0xA9);
}

/* Bytes of the character at c in UTF-8; 0: it is none. */
static int utf8(const unsigned char *c) {
    const int more = c[0] < 0x80                   ? 0
                     : c[0] >= 0xC2 && c[0] < 0xE0 ? 1
                     : (c[0] & 0xF0) == 0xE0       ? 2
                     : c[0] >= 0xF0 && c[0] < 0xF5 ? 3
                                                   : -1;
    for (int i = 1; i <= more; i++)
        if ((c[i] & 0xC0) != 0x80)
            return 0;
    const bool overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90),
               outside = (c[0] == 0xED && c[1] >= 0xA0) || (c[0] == 0xF4 && c[1] >= 0x90);
    return overlong || outside ? 0 : more + 1;
}

void lashi_json_text(FILE *stream, const char *text) {
    fputc('"', stream);
    for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c; c++) {
        if (is_separator(c)) {
            fprintf(stream, "\\u%04x", 0x2000u + c[2] - 0x80u);
            c += 2;
        } else if (*c == '"' || *c == '\\') {
            fprintf(stream, "\\%c", *c);
        } else if (*c == '\n') {
            fputs("\\n", stream);
        } else if (*c < ' ' || *c == 0x7F || strchr("<>&", *c)) {
            fprintf(stream, "\\u%04x", *c);
        } else {
            const int bytes = utf8(c); // names of files may hold anything
            fprintf(stream, "%.*s", bytes ? bytes : 3, bytes ? (const char *)c : "\xEF\xBF\xBD");
            c += bytes ? bytes - 1 : 0;
        }
    }
    fputc('"', stream);
}

void lashi_json_number(FILE *stream, double value) {
    if (isfinite(value))
        fprintf(stream, "%.17g", value);
    else
        fputs("null", stream);
}

void lashi_json_key(FILE *stream, const char *name) {
    fprintf(stream, ",\n\"%s\":", name);
}

void lashi_json_vector(FILE *stream, const double *values, size_t count) {
    fputc('[', stream);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", stream);
        lashi_json_number(stream, values[i]);
    }
    fputc(']', stream);
}

// ---- base64

typedef struct encoder {
    FILE *stream;
    unsigned bits;
    int held; // bytes in bits, 0 to 2
    char line[4096];
    size_t used;
} encoder;

static void put_group(encoder *e, unsigned bits, int bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 4; i++)
        e->line[e->used++] = (char)(i <= bytes ? digits[bits >> (18 - 6 * i) & 63] : '=');
    if (e->used == sizeof e->line) {
        fwrite(e->line, 1, e->used, e->stream);
        e->used = 0;
    }
}

static void put_bytes(encoder *e, const void *bytes, size_t count) {
    const unsigned char *b = bytes;
    for (size_t i = 0; i < count; i++) {
        e->bits = e->bits << 8 | b[i];
        if (++e->held == 3) {
            put_group(e, e->bits, 3);
            e->held = 0;
            e->bits = 0;
        }
    }
}

static encoder begin(FILE *stream) {
    fputc('"', stream);
    return (encoder){.stream = stream};
}

static void end(encoder *e) {
    if (e->held)
        put_group(e, e->bits << 8 * (3 - e->held), e->held);
    fwrite(e->line, 1, e->used, e->stream);
    fputc('"', e->stream);
}

void lashi_json_doubles(FILE *stream, const double *values, size_t count) {
    encoder e = begin(stream);
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, &values[i], sizeof word);
        word = htole64(word);
        put_bytes(&e, &word, sizeof word);
    }
    end(&e);
}

void lashi_json_u32(FILE *stream, const uint32_t *values, size_t count) {
    encoder e = begin(stream);
    for (size_t i = 0; i < count; i++) {
        const uint32_t word = htole32(values[i]);
        put_bytes(&e, &word, sizeof word);
    }
    end(&e);
}

void lashi_json_floats(FILE *stream, const float *values, size_t count) {
    encoder e = begin(stream);
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, &values[i], sizeof word);
        word = htole32(word);
        put_bytes(&e, &word, sizeof word);
    }
    end(&e);
}

void lashi_json_u16(FILE *stream, const uint16_t *values, size_t count) {
    encoder e = begin(stream);
    for (size_t i = 0; i < count; i++) {
        const uint16_t word = htole16(values[i]);
        put_bytes(&e, &word, sizeof word);
    }
    end(&e);
}

void lashi_json_u8(FILE *stream, const uint8_t *values, size_t count) {
    encoder e = begin(stream);
    put_bytes(&e, values, count);
    end(&e);
}
