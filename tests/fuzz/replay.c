/* SPDX-License-Identifier: MIT
 *
 * replay COUNT FILE-OR-FOLDER...: gives every file to the fuzz entry it is linked with, then COUNT random
 * changes of them: bytes altered, inserted, removed, parts of two joined. The same changes each time.
 */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"

enum { MOST_FILES = 4096, LONGEST = 1 << 20 };

static struct {
    uint8_t *data;
    size_t size;
} inputs[MOST_FILES];
static size_t input_count;

/* Xorshift. */
static uint64_t chance_state = UINT64_C(0x9e3779b97f4a7c15);
static size_t chance(size_t below) {
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return (size_t)(chance_state % (below ? below : 1));
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void take(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) {
        fprintf(stderr, "there is no %s\n", path);
        exit(1);
    }
    if (S_ISDIR(info.st_mode)) {
        struct dirent **list;
        const int count = scandir(path, &list, NULL, by_name);
        for (int i = 0; i < count; i++) {
            char below[4096];
            snprintf(below, sizeof below, "%s/%s", path, list[i]->d_name);
            if (list[i]->d_name[0] != '.' && stat(below, &info) == 0 && S_ISREG(info.st_mode))
                take(below);
            free(list[i]);
        }
        free(list);
        return;
    }
    FILE *file = fopen(path, "rb");
    const size_t size = (size_t)info.st_size;
    uint8_t *data = size <= LONGEST && input_count < MOST_FILES ? malloc(size + 1) : NULL;
    if (file && data && fread(data, 1, size, file) == size) {
        inputs[input_count].data = data;
        inputs[input_count++].size = size;
    }
    if (file)
        fclose(file);
}

static size_t change(uint8_t *out, size_t most) {
    static const char *const tokens[] = {
        "1e400", "-1", "0/0", "nan", "\xff\xfe", "&a *a", "{}", "[[", "99999999999999999999"};
    const size_t a = chance(input_count), b = chance(input_count);
    size_t size = inputs[a].size < most ? inputs[a].size : most;
    memcpy(out, inputs[a].data, size);
    for (size_t times = 1 + chance(4); times > 0; times--) {
        const size_t at = chance(size + 1);
        switch (chance(6)) {
        case 0:
            if (at < size)
                out[at] = (uint8_t)chance(256);
            break;
        case 1:
            if (at < size)
                out[at] ^= (uint8_t)(1 << chance(8));
            break;
        case 2: { // removed
            const size_t count = chance(size - at < 64 ? size - at + 1 : 64);
            memmove(out + at, out + at + count, size - at - count);
            size -= count;
            break;
        }
        case 3: { // doubled
            const size_t count = chance(size - at < 64 ? size - at + 1 : 64);
            if (size + count <= most) {
                memmove(out + at + count, out + at, size - at);
                size += count;
            }
            break;
        }
        case 4: { // the end of another
            const size_t from = chance(inputs[b].size + 1), count = inputs[b].size - from;
            if (at + count <= most) {
                memcpy(out + at, inputs[b].data + from, count);
                size = at + count;
            }
            break;
        }
        default: { // a word that is often wrong
            const char *token = tokens[chance(sizeof tokens / sizeof *tokens)];
            const size_t length = strlen(token);
            if (at + length <= size)
                memcpy(out + at, token, length);
        }
        }
    }
    return size;
}

int main(int count, char **words) {
    for (int i = 2; i < count; i++)
        take(words[i]);
    if (count < 3 || input_count == 0) {
        fprintf(stderr, "usage: replay COUNT FILE-OR-FOLDER...\n");
        return 2;
    }
    for (size_t i = 0; i < input_count; i++)
        LLVMFuzzerTestOneInput(inputs[i].data, inputs[i].size);
    const long changes = strtol(words[1], NULL, 10);
    uint8_t *data = malloc(LONGEST);
    for (long i = 0; data && i < changes; i++) {
        const size_t size = change(data, LONGEST);
        // An exact copy, so that a sanitizer sees every byte read behind its end.
        uint8_t *exact = malloc(size ? size : 1);
        fuzz_require(exact != NULL, "memory");
        memcpy(exact, data, size);
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    printf("%zu inputs, %ld changes\n", input_count, changes);
    return 0;
}
