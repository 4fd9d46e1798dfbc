/* SPDX-License-Identifier: MIT
 *
 * The tables that a model reads, as one hash: whether a study's table was computed with them.
 *
 * FNV-1a of 64 bits over name and contents of each file in the order in which the model reads them; a file
 * that cannot be read counts as its name alone. It protects against mistakes, not against forgery. After
 * G. Fowler, L. C. Noll and K.-P. Vo.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lash/file.h"
#include "study/read.h"

static void add(uint64_t *hash, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        *hash = (*hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
}

static void add_file(uint64_t *hash, const char *name, const char *model_path) {
    char *path, part[4096];
    const char *slash = strrchr(model_path, '/');
    const int folder = name[0] == '/' || !slash ? 0 : (int)(slash - model_path) + 1;
    add(hash, name, strlen(name) + 1);
    if (asprintf(&path, "%.*s%s", folder, model_path, name) < 0)
        return;
    FILE *file = lash_file_open(path);
    free(path);
    if (!file)
        return;
    for (size_t count; (count = fread(part, 1, sizeof part, file)) > 0;)
        add(hash, part, count);
    fclose(file);
}

void lashi_hash_tables(uint64_t *hash, const lash_model *model, const char *model_path) {
    const char *name;
    for (size_t i = 0; (name = lash_model_table(model, i)) != NULL; i++)
        add_file(hash, name, model_path);
}
