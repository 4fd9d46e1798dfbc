/* SPDX-License-Identifier: MIT
 *
 * Zip archives without compression (PKWARE, .ZIP File Format Specification 6.3.9, sections 4.3.7, 4.3.12 and
 * 4.3.16).
 */
#include "cli/zip.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 20, DATE = 1 << 5 | 1 /* 1980-01-01 */, UTF8 = 1 << 11 };
enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50 };

static uint32_t crc(const unsigned char *bytes, size_t size) {
    uint32_t sum = 0xffffffffU;
    for (size_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320U : 0);
    }
    return ~sum;
}

static void put(lashi_zip *zip, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        fputc((int)(value >> 8 * i & 0xff), zip->stream);
    zip->at += (uint32_t)bytes;
}

static void put_bytes(lashi_zip *zip, const void *bytes, size_t size) {
    fwrite(bytes, 1, size, zip->stream);
    zip->at += (uint32_t)size;
}

/* What local and central headers have in common. */
static void put_common(lashi_zip *zip, const lashi_zip_entry *entry) {
    put(zip, VERSION, 2);
    put(zip, UTF8, 2);
    put(zip, 0, 2); // stored
    put(zip, 0, 2); // time
    put(zip, DATE, 2);
    put(zip, entry->sum, 4);
    put(zip, entry->size, 4);
    put(zip, entry->size, 4);
    put(zip, (uint32_t)strlen(entry->name), 2);
    put(zip, 0, 2); // extra field
}

void lashi_zip_add(lashi_zip *zip, const char *name, const void *bytes, size_t size) {
    lashi_zip_entry *larger = realloc(zip->entries, (zip->count + 1) * sizeof *larger);
    char *copy = strdup(name);
    if (larger)
        zip->entries = larger;
    if (!larger || !copy || size > UINT32_MAX / 2 || zip->at > UINT32_MAX / 4 ||
        zip->count > UINT16_MAX - 1) {
        free(copy);
        zip->failed = true;
        return;
    }
    lashi_zip_entry *entry = &zip->entries[zip->count++];
    *entry = (lashi_zip_entry){copy, crc(bytes, size), (uint32_t)size, zip->at};
    put(zip, LOCAL, 4);
    put_common(zip, entry);
    put_bytes(zip, name, strlen(name));
    put_bytes(zip, bytes, size);
}

bool lashi_zip_finish(lashi_zip *zip) {
    const uint32_t start = zip->at;
    for (size_t i = 0; i < zip->count; i++) {
        const lashi_zip_entry *entry = &zip->entries[i];
        put(zip, CENTRAL, 4);
        put(zip, VERSION, 2);
        put_common(zip, entry);
        put(zip, 0, 2); // comment
        put(zip, 0, 2); // disk
        put(zip, 0, 2); // attributes
        put(zip, 0, 4);
        put(zip, entry->at, 4);
        put_bytes(zip, entry->name, strlen(entry->name));
    }
    const uint32_t size = zip->at - start;
    put(zip, END, 4);
    put(zip, 0, 4);
    put(zip, (uint32_t)zip->count, 2);
    put(zip, (uint32_t)zip->count, 2);
    put(zip, size, 4);
    put(zip, start, 4);
    put(zip, 0, 2);
    for (size_t i = 0; i < zip->count; i++)
        free(zip->entries[i].name);
    free(zip->entries);
    zip->entries = NULL;
    zip->count = 0;
    return !zip->failed && !ferror(zip->stream);
}
