/* SPDX-License-Identifier: MIT
 *
 * Streams of the program's text files, over lash_file.
 */
#include "cli/output.h"

#include <errno.h>
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

/* The stream has a descriptor of its own: closing it leaves the file open and locked. */
static FILE *open_stream(const lash_file *file) {
    const int descriptor = dup(lash_file_descriptor(file));
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!stream && descriptor >= 0)
        close(descriptor);
    return stream;
}

lash_status lashi_output_open(lashi_output *out, const char *path) {
    lash_error error;
    *out = (lashi_output){.stream = stdout};
    if (strcmp(path, "-") == 0)
        return LASH_OK;
    lash_status status = lash_file_create(&out->file, path, true, &error);
    if (status == LASH_OK && !(out->stream = open_stream(out->file)))
        status = lash_file_fail(out->file, errno, &error);
    if (status != LASH_OK) {
        lashi_talk_error(&error);
        lash_file_destroy(out->file);
    }
    return status;
}

static lash_status close_stdout(void) {
    const bool fine = !ferror(stdout);
    errno = fine ? 0 : errno;
    if (fflush(stdout) == 0 && fine)
        return LASH_OK;
    const int number = errno;
    clearerr(stdout); // it is said here
    return lashi_talk_fail(LASH_ERROR_IO, "writing to standard output failed%s%s", number ? ": " : "",
                           number ? strerror(number) : "");
}

lash_status lashi_output_close(lashi_output *output, lash_status written) {
    lash_error error;
    lash_status status = LASH_OK;
    if (!output->file) {
        status = close_stdout();
        return written ? written : status;
    }
    const bool fine = !ferror(output->stream);
    errno = fine ? 0 : errno;
    if (fclose(output->stream) != 0 || !fine)
        status = lash_file_fail(output->file, errno, &error);
    else if (!written)
        status = lash_file_commit(output->file, &error);
    if (status != LASH_OK)
        lashi_talk_error(&error);
    lash_file_destroy(output->file);
    *output = (lashi_output){0};
    return written ? written : status;
}

void lashi_output_field(FILE *stream, const char *text) {
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}
