/* SPDX-License-Identifier: MIT
 *
 * Text files that appear whole or not at all.
 */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/talk.h"

bool lashi_output_same(const char *a, const char *b) {
    struct stat x, y;
    return a && b &&
           (strcmp(a, b) == 0 || (stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) &&
                                  x.st_dev == y.st_dev && x.st_ino == y.st_ino));
}

lash_status lashi_output_open(lashi_output *out, const char *path) {
    struct stat info;
    *out = (lashi_output){.stream = stdout};
    if (strcmp(path, "-") == 0)
        return LASH_OK;
    out->path = path;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return lashi_talk_fail(LASH_ERROR_IO, "cannot write '%s': it is a folder", path);
    if ((!exists || S_ISREG(info.st_mode)) && asprintf(&out->part, "%s.part", path) < 0) {
        out->part = NULL;
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    }
    out->stream = fopen(out->part ? out->part : path, "w");
    if (out->stream)
        return LASH_OK;
    lashi_talk_fail(LASH_ERROR_IO, "cannot write '%s': %s", path, strerror(errno));
    free(out->part);
    return LASH_ERROR_IO;
}

lash_status lashi_output_close(lashi_output *output, bool keep) {
    lash_status status = LASH_OK;
    bool to_stdout = output->path == NULL;
    bool fine = !ferror(output->stream);
    errno = fine ? 0 : errno;
    fine = (to_stdout ? fflush(output->stream) : fclose(output->stream)) == 0 && fine;
    if (fine && keep && output->part)
        fine = rename(output->part, output->path) == 0;
    if (!fine) {
        status = lashi_talk_fail(LASH_ERROR_IO, "writing %s%s%s failed%s%s", to_stdout ? "" : "'",
                                 to_stdout ? "to standard output" : output->path, to_stdout ? "" : "'",
                                 errno ? ": " : "", errno ? strerror(errno) : "");
        if (to_stdout)
            clearerr(stdout); // it has been said
    }
    if (output->part && !(fine && keep))
        unlink(output->part);
    free(output->part);
    *output = (lashi_output){0};
    return status;
}
