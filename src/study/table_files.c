/* SPDX-License-Identifier: MIT
 *
 * The tables that a model reads (keys `file`), as one hash: whether a study's table was computed with them.
 *
 * FNV-1a of 64 bits over name and contents of each file in the order of the model's text; a file that cannot
 * be read counts as its name alone. Not against forgery, against forgetting. After G. Fowler, L. C. Noll and
 * K.-P. Vo.
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

static void walk(uint64_t *hash, const lash_node *node, const char *model_path) {
    const lash_node_type kind = lash_node_kind(node);
    if (kind != LASH_NODE_MAP && kind != LASH_NODE_LIST)
        return;
    for (size_t i = 0; i < lash_node_count(node); i++) {
        const lash_node *item = lash_node_item(node, i);
        if (kind == LASH_NODE_MAP && strcmp(lash_node_text(lash_node_key(node, i)), "file") == 0 &&
            lash_node_kind(item) != LASH_NODE_MAP && lash_node_kind(item) != LASH_NODE_LIST)
            add_file(hash, lash_node_text(item), model_path);
        else
            walk(hash, item, model_path);
    }
}

void lashi_hash_tables(char out[17], const lash_node *root, const char *model_path) {
    uint64_t hash = 0xcbf29ce484222325u;
    if (root)
        walk(&hash, root, model_path);
    snprintf(out, 17, "%016llx", (unsigned long long)hash);
}
