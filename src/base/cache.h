/* SPDX-License-Identifier: MIT
 *
 * The folder for what can be made again: lash in $XDG_CACHE_HOME, or in .cache of $HOME.
 */
#ifndef LASHI_CACHE_H
#define LASHI_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A folder of this name in it, made if need be, that belongs to the user and that nobody else may write.
 * False: none. */
bool lashi_cache_folder(char *out, size_t size, const char *name);

/* A checksum against accident: FNV-1a over words, whose high bits reach the low ones by a shift. Begins with a basis;
 * sums of other bases are others. */
#define LASHI_CACHE_BASIS UINT64_C(14695981039346656037)
static inline uint64_t lashi_cache_sum(uint64_t sum, const void *data, size_t size) {
    const unsigned char *byte = (const unsigned char *)data;
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t word = size; // what a last word lacks is part of the length
        memcpy(&word, byte + i, size - i < sizeof word ? size - i : sizeof word);
        sum = (sum ^ word) * UINT64_C(1099511628211);
        sum ^= sum >> 32;
    }
    return sum;
}

#endif
