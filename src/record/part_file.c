/* SPDX-License-Identifier: MIT
 *
 * Files that appear whole or not at all, and the messages when they cannot.
 */
#include "record/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static const lashi_part_file EMPTY = {NULL, NULL, -1};

static lash_status fail_open(const char *path, int number, lash_error *error) {
    const char *slash = strrchr(path, '/');
    int folder = slash && slash != path ? (int)(slash - path) : 0;
    if (number == ENOENT && folder)
        return lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': there is no folder '%.*s'", path, folder,
                          path);
    if (number == EACCES || number == EROFS || number == EPERM)
        return lashi_fail(error, LASH_ERROR_IO,
                          "cannot write '%s': %s (in folder '%.*s'); choose another place", path,
                          strerror(number), folder ? folder : 1,
                          folder  ? path
                          : slash ? "/"
                                  : ".");
    return lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': %s", path, strerror(number));
}

lash_status lashi_part_open(lashi_part_file *out, const char *path, bool direct, lash_error *error) {
    lashi_part_file file = EMPTY;
    struct stat info;
    lash_status status = LASH_OK;
    *out = EMPTY;
    if (path[0] == '\0')
        return lashi_fail(error, LASH_ERROR_IO, "the name of the file to write is empty");
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': it is a folder", path);
    bool special = exists && !S_ISREG(info.st_mode);
    if (special && !direct)
        return lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': it is not a regular file", path);
    // A rename would replace a file that its owner has protected from writing.
    if (exists && access(path, W_OK) != 0)
        return fail_open(path, errno, error);

    file.path = strdup(path);
    if (!special && file.path && asprintf(&file.part, "%s.part", path) < 0)
        file.part = NULL;
    if (!file.path || (!special && !file.part)) {
        lashi_part_clear(&file);
        return lashi_fail_memory(error);
    }
    // Not truncated before the lock is held: it may be another run's.
    file.descriptor =
        special ? open(path, O_WRONLY | O_CLOEXEC) : open(file.part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file.descriptor < 0) {
        status = fail_open(path, errno, error);
    } else if (!special && flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        status = lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': another run is writing it", path);
    } else if (!special && ftruncate(file.descriptor, 0) != 0) {
        status = fail_open(path, errno, error);
    }
    if (status != LASH_OK) {
        if (file.descriptor >= 0)
            close(file.descriptor);
        free(file.part);
        free(file.path);
        return status;
    }
    *out = file;
    return LASH_OK;
}

lash_status lashi_part_commit(lashi_part_file *file, lash_error *error) {
    int descriptor = file->descriptor;
    file->descriptor = -1;
    // Some file systems report a full disk only here.
    if (close(descriptor) != 0)
        return lashi_part_fail(file, errno, error);
    if (file->part && rename(file->part, file->path) != 0)
        return fail_open(file->path, errno, error);
    free(file->part);
    file->part = NULL;
    return LASH_OK;
}

void lashi_part_clear(lashi_part_file *file) {
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->part)
        unlink(file->part);
    free(file->part);
    free(file->path);
    *file = EMPTY;
}

lash_status lashi_part_fail(const lashi_part_file *file, int number, lash_error *error) {
    return lashi_fail(error, LASH_ERROR_IO, "writing '%s' failed: %s", file->path,
                      number ? strerror(number) : "unknown cause");
}
