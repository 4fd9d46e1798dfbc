/* SPDX-License-Identifier: MIT
 *
 * Files that appear whole or not at all, and the messages when they cannot.
 *
 * Who holds the lock on PATH.part, and finds that PATH.part still is the file it has locked, owns the name:
 * others may have renamed or removed it between opening and locking. The lock is given up only after the file
 * has its final name, so that nobody empties a file that is complete. Where there are no locks, only a
 * PATH.part that was not there before is used.
 *
 * What others put at PATH.part (a link, a pipe, a file of theirs) is never written to.
 */
#include "lash/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum {
    MOST_TRIES = 1000,     // each means that another writer has finished just now
    WAIT_FOR_WRITER = 2000 // ms, of a pipe
};

struct lash_file {
    char *path, *part; // part is NULL when path is written directly
    int descriptor;
    bool done;
};

/* The folder of a path, for messages: how many characters of it; 0: the working folder. */
static int folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash != path ? (int)(slash - path) : slash ? 1 : 0;
}

static lash_status fail_open(const char *path, int number, lash_error *error) {
    const int folder = folder_length(path);
    if (number == ENOENT && folder)
        return lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': there is no folder '%.*s'", path, folder,
                          path);
    if (number == ENOENT)
        return lashi_fail(error, LASH_ERROR_IO,
                          "cannot write '%s': the working folder no longer exists; change to another one",
                          path);
    if (number == EACCES || number == EROFS || number == EPERM)
        return lashi_fail(error, LASH_ERROR_IO,
                          "cannot write '%s': %s (in folder '%.*s'); choose another place", path,
                          strerror(number), folder ? folder : 1, folder ? path : ".");
    if (number == ENXIO)
        return lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': nobody reads from this pipe", path);
    return lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': %s", path, strerror(number));
}

/* Whether PATH.part is the file behind the descriptor. */
static bool owns_name(const lash_file *file) {
    struct stat here, there;
    return fstat(file->descriptor, &here) == 0 && lstat(file->part, &there) == 0 &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

/* One try. *again: another writer has just finished or given up. */
static lash_status try_part(lash_file *file, bool *again, lash_error *error) {
    struct stat info;
    const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    file->descriptor = open(file->part, flags | O_CREAT | O_EXCL, 0666);
    const bool fresh = file->descriptor >= 0;
    if (!fresh && errno == EEXIST) {
        file->descriptor = open(file->part, flags);
        *again = file->descriptor < 0 && errno == ENOENT;
        if (*again)
            return LASH_OK;
        if (file->descriptor < 0 || fstat(file->descriptor, &info) != 0 || !S_ISREG(info.st_mode) ||
            info.st_nlink > 1 || info.st_uid != geteuid())
            return lashi_fail(error, LASH_ERROR_IO,
                              "cannot write '%s': '%s' exists and is not a plain file of yours; remove it",
                              file->path, file->part);
    }
    if (file->descriptor < 0)
        return fail_open(file->path, errno, error);
    if (flock(file->descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': another run is writing it",
                              file->path);
        if (!fresh)
            return lashi_fail(error, LASH_ERROR_IO,
                              "cannot write '%s': '%s' exists, and this file system has no locks that show "
                              "whether another run is writing it; remove it if none is",
                              file->path, file->part);
    }
    *again = !owns_name(file);
    if (*again)
        return LASH_OK;
    if (ftruncate(file->descriptor, 0) == 0)
        return LASH_OK;
    const int number = errno;
    unlink(file->part);
    return fail_open(file->path, number, error);
}

static lash_status open_part(lash_file *file, lash_error *error) {
    lash_status status = LASH_OK;
    bool again = true;
    for (int i = 0; again && status == LASH_OK; i++) {
        if (i == MOST_TRIES)
            return lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': other runs keep writing it",
                              file->path);
        again = false;
        status = try_part(file, &again, error);
        if ((again || status != LASH_OK) && file->descriptor >= 0) {
            close(file->descriptor);
            file->descriptor = -1;
        }
    }
    return status;
}

/* A device or a pipe. Opening a pipe that nobody reads would wait for ever; writing may wait. */
static lash_status open_direct(lash_file *file, lash_error *error) {
    file->descriptor = open(file->path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->descriptor < 0)
        return fail_open(file->path, errno, error);
    const int flags = fcntl(file->descriptor, F_GETFL);
    if (flags < 0 || fcntl(file->descriptor, F_SETFL, flags & ~O_NONBLOCK) < 0)
        return fail_open(file->path, errno, error);
    return LASH_OK;
}

lash_status lash_file_create(lash_file **out, const char *path, bool direct, lash_error *error) {
    struct stat info;
    if (!out || !path)
        return lashi_fail_null(error);
    *out = NULL;
    if (path[0] == '\0')
        return lashi_fail(error, LASH_ERROR_IO, "the name of the file to write is empty");
    const bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': it is a folder", path);
    const bool special = exists && !S_ISREG(info.st_mode);
    if (special && !direct)
        return lashi_fail(error, LASH_ERROR_IO, "cannot write '%s': it is not a regular file", path);
    // A rename would replace a file that its owner has protected from writing.
    if (exists && access(path, W_OK) != 0)
        return fail_open(path, errno, error);

    lash_file *file = calloc(1, sizeof *file);
    if (!file)
        return lashi_fail_memory(error);
    file->descriptor = -1;
    file->path = strdup(path);
    if (!special && asprintf(&file->part, "%s.part", path) < 0)
        file->part = NULL;
    lash_status status = LASH_OK;
    if (!file->path || (!special && !file->part))
        status = lashi_fail_memory(error);
    else
        status = special ? open_direct(file, error) : open_part(file, error);
    if (status != LASH_OK) {
        lash_file_destroy(file);
        return status;
    }
    *out = file;
    return LASH_OK;
}

const char *lash_file_path(const lash_file *file) {
    return file ? file->path : "";
}

int lash_file_descriptor(const lash_file *file) {
    return file ? file->descriptor : -1;
}

/* A rename is on the disk when its folder is. A folder that may be written but not read cannot be asked. */
static bool sync_folder(const char *path) {
    const int length = folder_length(path);
    char *folder = length ? strndup(path, (size_t)length) : strdup(".");
    const int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const bool fine = descriptor < 0 || fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
    const int number = errno;
    if (descriptor >= 0)
        close(descriptor);
    free(folder);
    errno = number;
    return fine;
}

static lash_status commit_part(const lash_file *file, lash_error *error) {
    // Some file systems report a full disk only here.
    if (fsync(file->descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        return lash_file_fail(file, errno, error);
    if (!owns_name(file))
        return lashi_fail(error, LASH_ERROR_IO,
                          "writing '%s' failed: '%s' was removed or replaced while it was written",
                          file->path, file->part);
    if (rename(file->part, file->path) != 0)
        return fail_open(file->path, errno, error);
    return LASH_OK;
}

lash_status lash_file_commit(lash_file *file, lash_error *error) {
    if (!file)
        return lashi_fail_null(error);
    if (file->done)
        return lashi_fail(error, LASH_ERROR_USAGE, "'%s' was committed before", file->path);
    lash_status status = file->part ? commit_part(file, error) : LASH_OK;
    if (status != LASH_OK)
        return status;
    file->done = true;
    if (file->part && !sync_folder(file->path))
        status = lash_file_fail(file, errno, error);
    if (close(file->descriptor) != 0 && status == LASH_OK)
        status = lash_file_fail(file, errno, error);
    file->descriptor = -1;
    return status;
}

void lash_file_destroy(lash_file *file) {
    if (!file)
        return;
    if (file->descriptor >= 0) {
        if (file->part && !file->done && owns_name(file))
            unlink(file->part);
        close(file->descriptor);
    }
    free(file->part);
    free(file->path);
    free(file);
}

lash_status lash_file_fail(const lash_file *file, int number, lash_error *error) {
    return lashi_fail(error, LASH_ERROR_IO, "writing '%s' failed: %s", lash_file_path(file),
                      number ? strerror(number) : "unknown cause");
}

// ---- reading

FILE *lash_file_open(const char *path) {
    struct stat info;
    int number = path ? 0 : EINVAL;
    const int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
    if (descriptor < 0 || fstat(descriptor, &info) != 0)
        number = number ? number : errno;
    if (!number && S_ISFIFO(info.st_mode)) {
        struct pollfd wait = {.fd = descriptor, .events = POLLIN};
        number = poll(&wait, 1, WAIT_FOR_WRITER) > 0 ? 0 : ETIMEDOUT;
    }
    // From here on a pipe may take its time.
    const int flags = number ? -1 : fcntl(descriptor, F_GETFL);
    FILE *stream = NULL;
    if (!number && (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) < 0 ||
                    !(stream = fdopen(descriptor, "rb"))))
        number = errno;
    if (!stream && descriptor >= 0)
        close(descriptor);
    errno = number;
    return stream;
}

const char *lash_file_reason(int number) {
    return number == ETIMEDOUT ? "nobody writes into this pipe" : strerror(number);
}
