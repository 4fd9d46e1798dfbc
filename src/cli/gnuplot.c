/* SPDX-License-Identifier: MIT
 *
 * gnuplot as a child that reads its commands from its standard input and writes the picture to its standard
 * output. It never learns the file's name, and what cannot be written is noticed here.
 *
 * Quoting: gnuplot expands neither backslashes nor backquotes nor macros between single quotes. What has a
 * meaning there is the end of the line, which becomes a blank, and the quote itself. Doubling it does not
 * help at the beginning of a text, where gnuplot sees an empty string: it becomes an apostrophe, which prints
 * alike. `noenhanced` keeps braces, underscores and carets as they are. Characters that XML does not allow
 * would make an SVG that no one can read; they are replaced here for all kinds of pictures.
 */
#include "cli/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/talk.h"

extern char **environ;

static const double SVG_DOTS = 96 / 2.54; // per cm: CSS pixels
static const double PNG_SCALE = 2;        // pixels of a PNG per CSS pixel: sharp in print and on fine screens
static const double CM_PER_INCH = 2.54;

// ---- text

/* Length of the character at `text` in bytes, 0 if it is none that XML and UTF-8 allow. */
static size_t character(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    const size_t length = c[0] < 0x80       ? 1
                          : c[0] >> 5 == 6  ? 2
                          : c[0] >> 4 == 14 ? 3
                          : c[0] >> 3 == 30 ? 4
                                            : 0;
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (length < 2)
        return length;
    unsigned code = c[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (c[i] >> 6 != 2)
            return 0;
        code = code << 6 | (c[i] & 0x3F);
    }
    const bool surrogate = code >= 0xD800 && code < 0xE000, none = (code & 0xFFFE) == 0xFFFE;
    // U+0080 to U+009F control, U+2028 and U+2029 end lines.
    const bool control = code < 0xA0 || code == 0x2028 || code == 0x2029;
    return code < least[length] || code > 0x10FFFF || surrogate || none || control ? 0 : length;
}

static size_t count_characters(const char *text) {
    size_t count = 0;
    for (size_t step; *text; text += step, count++)
        step = character(text) ? character(text) : 1;
    return count;
}

void lashi_gnuplot_text(FILE *stream, const char *text, size_t most) {
    const bool cut = count_characters(text) > most;
    for (size_t n = 0; *text && n < (cut ? most - 1 : most); n++) {
        const size_t length = character(text);
        if (*text == '\'')
            fputs("’", stream);
        else if ((unsigned char)*text < ' ' || *text == 127)
            fputc(' ', stream);
        else if (n >= 2 && strncmp(text - 2, "]]>", 3) == 0)
            fputs(" >", stream); // the end of a block in XML
        else if (length)
            fwrite(text, 1, length, stream);
        else
            fputc('?', stream);
        text += length ? length : 1;
    }
    if (cut)
        fputs("…", stream);
}

void lashi_gnuplot_quoted(FILE *stream, const char *text, size_t most) {
    fputc('\'', stream);
    lashi_gnuplot_text(stream, text, most);
    fputc('\'', stream);
}

// ---- looks

const char *lashi_gnuplot_colour(size_t index) {
    static const char *const colours[LASHI_COLOURS] = {"#0072B2", "#D55E00", "#000000", "#009E73",
                                                       "#E69F00", "#56B4E9", "#CC79A7"};
    return colours[index % LASHI_COLOURS];
}

int lashi_gnuplot_dash(size_t index) {
    return (int)(index % 5) + 1;
}

int lashi_gnuplot_point(size_t index) {
    static const int points[] = {6, 4, 8, 12, 10, 1, 2, 3, 7, 5, 9, 13};
    return points[index % (sizeof points / sizeof *points)];
}

typedef enum kind { SVG, PNG, PDF, KINDS } kind;

static kind find_kind(const char *picture) {
    static const char *const endings[KINDS] = {".svg", ".png", ".pdf"};
    const char *dot = strrchr(picture, '.');
    kind k = 0;
    while (k < KINDS && !(dot && strcmp(dot, endings[k]) == 0))
        k++;
    return k;
}

static void put_terminal(FILE *stream, const lashi_gnuplot *script) {
    const double w = script->width, h = script->height;
    switch (find_kind(script->picture)) {
    case SVG:
        fprintf(stream, "set terminal svg size %.0f,%.0f font 'sans-serif,12' background rgb 'white'",
                w * SVG_DOTS, h * SVG_DOTS);
        break;
    case PNG:
        fprintf(stream,
                "set terminal pngcairo size %.0f,%.0f font 'sans,9' fontscale %g linewidth %g pointscale %g",
                w * SVG_DOTS * PNG_SCALE, h * SVG_DOTS * PNG_SCALE, PNG_SCALE, PNG_SCALE, PNG_SCALE);
        break;
    default:
        fprintf(stream,
                "set terminal pdfcairo size %.3fin,%.3fin font 'sans,9' fontscale 0.75 pointscale 0.75",
                w / CM_PER_INCH, h / CM_PER_INCH);
        break;
    }
    fputs(" noenhanced\n", stream);
}

lash_status lashi_gnuplot_check(const char *picture) {
    return find_kind(picture) < KINDS
               ? LASH_OK
               : lashi_talk_fail(LASH_ERROR_USAGE, "'%s' should end in .svg, .png or .pdf", picture);
}

lash_status lashi_gnuplot_begin(lashi_gnuplot *out, const char *picture, double width, double height) {
    *out = (lashi_gnuplot){.picture = picture, .width = width, .height = height};
    const lash_status status = lashi_gnuplot_check(picture);
    if (status)
        return status;
    out->stream = open_memstream(&out->text, &out->length);
    if (!out->stream)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    fputs("set encoding utf8\n"
          "set border lc rgb '#404040' lw 0.8\n"
          "set tics nomirror out scale 0.6\n"
          "set grid lt 1 lc rgb '#D8D8D8' lw 0.6 dt solid\n"
          "set style fill solid noborder\n"
          "set key noautotitle samplen 3 spacing 1.1\n",
          out->stream);
    return LASH_OK;
}

// ---- the child

/* gnuplot with the script as its standard input and a pipe to read the picture from. */
static lash_status start(pid_t *child, int *picture, int script) {
    // -d: the look is ours, not that of the settings in the user's home.
    char *const arguments[] = {"gnuplot", "-d", "-", NULL};
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC))
        return lashi_talk_fail(LASH_ERROR_IO, "no pipe: %s", strerror(errno));
    int code = posix_spawn_file_actions_init(&actions);
    if (!code) {
        posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        code = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    *picture = ends[0];
    if (code)
        close(ends[0]);
    // Nothing is wrong with files or the command line: the exit code is that of a failed run.
    if (code == ENOENT)
        return lashi_talk_fail(LASH_ERROR_LIMIT,
                               "gnuplot, which draws the plot, is not installed (Debian: apt-get install "
                               "gnuplot-nox); `lash export` and `lash study export` give the numbers to "
                               "other programs");
    return code ? lashi_talk_fail(LASH_ERROR_IO, "gnuplot could not be started: %s", strerror(code))
                : LASH_OK;
}

/* The picture passes through here: gnuplot itself would not notice a full disk. */
static void copy(FILE *to, int from) {
    char block[1 << 16];
    ssize_t length;
    while ((length = read(from, block, sizeof block)) != 0) {
        if (length < 0 && errno != EINTR)
            return;
        if (length > 0)
            fwrite(block, 1, (size_t)length, to);
    }
}

static lash_status draw(FILE *to, const lashi_gnuplot *script) {
    pid_t child = 0;
    int picture = -1, code = 0;
    const int memory = memfd_create("figure", MFD_CLOEXEC);
    FILE *commands = memory < 0 ? NULL : fdopen(memory, "w");
    if (!commands) {
        if (memory >= 0)
            close(memory);
        return lashi_talk_fail(LASH_ERROR_MEMORY, "no memory for the script: %s", strerror(errno));
    }
    put_terminal(commands, script);
    fwrite(script->text, 1, script->length, commands);
    lash_status status = LASH_OK;
    if (fflush(commands) || lseek(memory, 0, SEEK_SET))
        status = lashi_talk_fail(LASH_ERROR_MEMORY, "no memory for the script: %s", strerror(errno));
    if (!status)
        status = start(&child, &picture, memory);
    fclose(commands);
    if (status)
        return status;
    copy(to, picture);
    close(picture);
    while (waitpid(child, &code, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(code) && WEXITSTATUS(code) == 0 ? LASH_OK
                                                     : lashi_talk_fail(LASH_ERROR_IO, "gnuplot failed");
}

/* The script as a file that names its picture. A name that begins with a bar would be a
 * command; quotes are doubled, which works after the first character. */
static lash_status keep_script(const lashi_gnuplot *script, const char *path) {
    lashi_output output;
    lash_status status = lashi_output_open(&output, path);
    if (status)
        return status;
    fputs("# Draws this figure again: gnuplot FILE\n", output.stream);
    put_terminal(output.stream, script);
    fputs(strchr("|'", script->picture[0]) ? "set output './" : "set output '", output.stream);
    for (const char *c = script->picture; *c; c++) {
        if (*c == '\'')
            fputc('\'', output.stream);
        fputc((unsigned char)*c < ' ' ? ' ' : *c, output.stream);
    }
    fputs("'\n", output.stream);
    fwrite(script->text, 1, script->length, output.stream);
    return lashi_output_close(&output, LASH_OK);
}

lash_status lashi_gnuplot_end(lashi_gnuplot *script, lash_status status, const char *keep) {
    if (script->stream && (ferror(script->stream) | fclose(script->stream)) && !status)
        status = lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status && keep)
        status = keep_script(script, keep);
    lashi_output output;
    if (!status && !(status = lashi_output_open(&output, script->picture))) {
        status = draw(output.stream, script);
        status = lashi_output_close(&output, status);
    }
    free(script->text);
    *script = (lashi_gnuplot){0};
    return status;
}
