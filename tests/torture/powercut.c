/* SPDX-License-Identifier: MIT
 *
 * powercut JOURNAL FROM TO: how a disk may look after the power failed.
 *
 *   powercut JOURNAL                      prints the number of entries
 *   powercut JOURNAL CUT MODE FROM TO     makes in folder TO what the first CUT entries leave of folder FROM
 *
 * MODE ordered: everything up to the cut is on the disk. MODE lost: data that were not synced are not, though
 * files have the names and lengths they were given: they are zeros. This is the worst that a file system does
 * which keeps the order of names (ext4 and xfs in their usual modes do better). A sync of a file keeps its data
 * up to then.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "torture/journal.h"

enum { MOST_FILES = 64, NAME = 256 };

typedef struct entry {
    struct journal_entry head;
    char *path, *other, *data;
} entry;

/* A file: what is on the disk, and what the program sees. Names may move from one to another. */
typedef struct node {
    char name[NAME]; // "": it has none
    char *seen, *kept;
    size_t length, kept_length;
} node;

static entry *entries;
static size_t entry_count;
static node nodes[MOST_FILES];

static void need(bool fine, const char *what) {
    if (!fine) {
        fprintf(stderr, "powercut: %s: %s\n", what, strerror(errno));
        exit(1);
    }
}

static char *take(FILE *file, size_t size) {
    char *bytes = calloc(size + 1, 1);
    need(bytes && fread(bytes, 1, size, file) == size, "the journal is cut");
    return bytes;
}

static void read_journal(const char *path) {
    FILE *file = fopen(path, "rb");
    need(file, path);
    struct journal_entry head;
    while (fread(&head, sizeof head, 1, file) == 1) {
        entries = realloc(entries, (entry_count + 1) * sizeof *entries);
        need(entries, "memory");
        entry *e = &entries[entry_count++];
        e->head = head;
        e->path = take(file, head.path);
        e->other = take(file, head.other);
        e->data = take(file, head.size);
    }
    fclose(file);
}

/* Files of other folders do not count. */
static const char *below(const char *folder, const char *path) {
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' && !strchr(path + length + 1, '/')
               ? path + length + 1
               : NULL;
}

static node *find(const char *name, bool make) {
    node *empty = NULL;
    for (size_t i = 0; i < MOST_FILES; i++) {
        if (strcmp(nodes[i].name, name) == 0)
            return &nodes[i];
        if (!empty && !nodes[i].name[0])
            empty = &nodes[i];
    }
    if (!make)
        return NULL;
    need(empty, "too many files");
    *empty = (node){0};
    snprintf(empty->name, sizeof empty->name, "%s", name);
    return empty;
}

static void resize(char **bytes, size_t *length, size_t wanted) {
    *bytes = realloc(*bytes, wanted + 1);
    need(*bytes, "memory");
    if (wanted > *length)
        memset(*bytes + *length, 0, wanted - *length);
    *length = wanted;
}

static void sync_node(node *n) {
    resize(&n->kept, &n->kept_length, n->length);
    if (n->length)
        memcpy(n->kept, n->seen, n->length);
}

static char *join(const char *folder, const char *name) {
    char *path = NULL;
    need(asprintf(&path, "%s/%s", folder, name) > 0, "memory");
    return path;
}

/* A file that was there before the program began is on the disk. */
static void read_old(node *n, const char *from) {
    char *path = join(from, n->name);
    FILE *file = fopen(path, "rb");
    free(path);
    if (!file)
        return;
    int byte;
    while ((byte = fgetc(file)) != EOF) {
        resize(&n->seen, &n->length, n->length + 1);
        n->seen[n->length - 1] = (char)byte;
    }
    fclose(file);
    sync_node(n);
}

static void perform(const entry *e, const char *folder, const char *from) {
    const char *name = below(folder, e->path);
    if (!name)
        return;
    node *n = find(name, false);
    if (!n && e->head.kind != JOURNAL_SYNC) {
        n = find(name, true);
        if (e->head.kind != JOURNAL_CREATE)
            read_old(n, from);
    }
    switch ((enum journal_kind)e->head.kind) {
    case JOURNAL_CREATE: break;
    case JOURNAL_WRITE:
        if ((size_t)e->head.offset + e->head.size > n->length)
            resize(&n->seen, &n->length, (size_t)e->head.offset + e->head.size);
        memcpy(n->seen + e->head.offset, e->data, e->head.size);
        break;
    case JOURNAL_TRUNCATE: resize(&n->seen, &n->length, (size_t)e->head.offset); break;
    case JOURNAL_SYNC:
        if (n)
            sync_node(n);
        break;
    case JOURNAL_RENAME: {
        const char *other = below(folder, e->other);
        node *former = other ? find(other, false) : NULL;
        need(other, "a file leaves its folder");
        if (former)
            former->name[0] = '\0';
        snprintf(n->name, sizeof n->name, "%s", other);
        break;
    }
    case JOURNAL_UNLINK: n->name[0] = '\0'; break;
    }
}

int main(int count, char **words) {
    need(count == 2 || count == 6, "usage: powercut JOURNAL [CUT ordered|lost FROM TO]");
    read_journal(words[1]);
    if (count == 2) {
        printf("%zu\n", entry_count);
        return 0;
    }
    const size_t cut = (size_t)strtoul(words[2], NULL, 10);
    const bool lost = strcmp(words[3], "lost") == 0;
    char *folder = realpath(words[4], NULL), *before = NULL;
    need(folder && asprintf(&before, "%s.before", folder) > 0, words[4]);
    for (size_t i = 0; i < cut && i < entry_count; i++)
        perform(&entries[i], folder, before);
    for (size_t i = 0; i < MOST_FILES; i++) {
        node *n = &nodes[i];
        if (!n->name[0])
            continue;
        if (lost) // the length it was given, and only what was synced
            resize(&n->kept, &n->kept_length, n->length);
        char *path = join(words[5], n->name);
        FILE *file = fopen(path, "wb");
        need(file && fwrite(lost ? n->kept : n->seen, 1, n->length, file) == n->length && fclose(file) == 0,
             path);
    }
    return 0;
}
