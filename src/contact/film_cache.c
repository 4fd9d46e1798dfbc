/* SPDX-License-Identifier: MIT
 *
 * Tables of finite bearings kept on disk, one file each, so that the next run need not compute them.
 *
 * A file is a header, the measured errors, the coefficients as they lie in memory and a checksum over all. It
 * appears whole or not at all (lash/file.h). A file that is short, damaged, of another version or from a
 * machine with other numbers is not used, and is written again; nor is one that somebody else owns or may
 * write: the checksum protects against accident, not against people. No cache is no error.
 */
#include "contact/film_cache.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cache.h"
#include "lash/file.h"

typedef struct header {
    char magic[8];
    uint32_t version, inlet, full, unused;
    uint64_t size; /* of the coefficients, bytes */
    double one;    /* 1.0: the format of numbers */
    double length_ratio;
} header;

static header header_of(const lashi_film_key *key, size_t size) {
    header h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, "LASHFILM", sizeof h.magic);
    h.version = LASHI_TABLE_VERSION;
    h.inlet = (uint32_t)key->inlet;
    h.full = key->full;
    h.size = size;
    h.one = 1;
    h.length_ratio = key->length_ratio;
    return h;
}

static uint64_t checksum_of(const header *h, const double errors[2], const void *coefficients) {
    uint64_t sum = lashi_cache_sum(LASHI_CACHE_BASIS, h, sizeof *h);
    sum = lashi_cache_sum(sum, errors, 2 * sizeof *errors);
    return lashi_cache_sum(sum, coefficients, (size_t)h->size);
}

bool lashi_film_cache_path(char *out, size_t size, const lashi_film_key *key) {
    if (!lashi_cache_folder(out, size, NULL))
        return false;
    uint64_t bits;
    memcpy(&bits, &key->length_ratio, sizeof bits);
    size_t used = strlen(out);
    int length = snprintf(out + used, size - used, "/film-%d-%016llx-%d-%s.table", LASHI_TABLE_VERSION,
                          (unsigned long long)bits, (int)key->inlet, key->full ? "full" : "cavitated");
    return length > 0 && (size_t)length < size - used;
}

/* The copy, if it is a plain file that only we may write; -1: none. Never waits for a pipe. */
static int open_private(const lashi_film_key *key) {
    char path[4096];
    struct stat info;
    const int file = lashi_film_cache_path(path, sizeof path, key)
                         ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
                         : -1;
    if (file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        (info.st_mode & (S_IWGRP | S_IWOTH)) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

bool lashi_film_cache_has(const lashi_film_key *key) {
    const int file = open_private(key);
    if (file >= 0)
        close(file);
    return file >= 0;
}

bool lashi_film_cache_read(void *coefficients, double errors[2], size_t size, const lashi_film_key *key) {
    const int descriptor = open_private(key);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    if (!file) {
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    header expected = header_of(key, size), h;
    uint64_t sum;
    char extra;
    bool good = fread(&h, sizeof h, 1, file) == 1 && memcmp(&h, &expected, sizeof h) == 0 &&
                fread(errors, 2 * sizeof *errors, 1, file) == 1 && fread(coefficients, size, 1, file) == 1 &&
                fread(&sum, sizeof sum, 1, file) == 1 && fread(&extra, 1, 1, file) == 0 &&
                sum == checksum_of(&h, errors, coefficients);
    fclose(file);
    return good;
}

static bool write_all(int file, const void *data, size_t size) {
    const char *bytes = data;
    while (size > 0) {
        const ssize_t put = write(file, bytes, size);
        if (put <= 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

bool lashi_film_cache_write(const void *coefficients, const double errors[2], size_t size,
                            const lashi_film_key *key) {
    char path[4096];
    lash_file *file;
    if (!lashi_film_cache_path(path, sizeof path, key))
        return false;
    // Another run that is writing the same table is as good.
    if (lash_file_create(&file, path, false, NULL) != LASH_OK)
        return false;
    const int to = lash_file_descriptor(file);
    const header h = header_of(key, size);
    const uint64_t sum = checksum_of(&h, errors, coefficients);
    const bool written = fchmod(to, S_IRUSR | S_IWUSR) == 0 && write_all(to, &h, sizeof h) &&
                         write_all(to, errors, 2 * sizeof *errors) && write_all(to, coefficients, size) &&
                         write_all(to, &sum, sizeof sum) && lash_file_commit(file, NULL) == LASH_OK;
    lash_file_destroy(file);
    return written;
}
