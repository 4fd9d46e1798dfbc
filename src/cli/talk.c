/* SPDX-License-Identifier: MIT
 *
 * Messages, numbers for people, and the progress bar.
 */
#include "cli/talk.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/json.h"

static const double REDRAW_INTERVAL = 0.1; // s
static const double QUIET_START = 0.3;     // s, shorter runs need no bar

// ---- messages

static bool is_terminal(FILE *stream) {
    const char *terminal = getenv("TERM");
    return isatty(fileno(stream)) && !(terminal && strcmp(terminal, "dumb") == 0);
}

const char *lashi_talk_paint(FILE *stream, lashi_paint paint) {
    static const char *const codes[] = {"\033[0m", "\033[1m", "\033[1;31m", "\033[1;33m", "\033[1;32m"};
    const char *no_colour = getenv("NO_COLOR"); // https://no-color.org
    return is_terminal(stream) && !(no_colour && no_colour[0]) ? codes[paint] : "";
}

void lashi_talk_foreign(FILE *stream, const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        const bool c1 = c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0, // U+0080 to U+009F
            turns = c[0] == 0xE2 && ((c[1] == 0x80 && c[2] >= 0xAA && c[2] <= 0xAE) ||
                                     (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9)); // direction of writing
        fputc(*c < 0x20 || *c == 0x7F || c1 || turns ? ' ' : *c, stream);
        c += c1 ? 1 : turns ? 2 : 0;
    }
}

/* The caret is below the column; characters, not bytes, are counted. */
static void print_caret(const char *excerpt, int column) {
    int characters = 0;
    for (const char *c = excerpt; *c; c++)
        characters += ((unsigned char)*c & 0xC0) != 0x80;
    if (column < 1 || column > characters + 1)
        return; // the excerpt was cut before it
    fprintf(stderr, "    %*s%s^%s\n", column - 1, "", lashi_talk_paint(stderr, LASHI_GREEN),
            lashi_talk_paint(stderr, LASHI_PLAIN));
}

static bool reader_left; // standard output was closed by its reader; no message says so

bool lashi_talk_reader_left(void) {
    return reader_left;
}

/* Whether an error is that of a closed pipe at standard output; files have others. */
static bool is_of_reader(const lash_error *error) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return error->status == LASH_ERROR_IO && strstr(error->message, strerror(EPIPE)) &&
           poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

/* Messages kept for --json: the objects of a list. */
static struct {
    lashi_json list; /* its stream is NULL: not asked for */
    char *text;
    size_t length;
    bool told;
} kept;

void lashi_talk_keep(void) {
    kept.list.stream = open_memstream(&kept.text, &kept.length);
}

static void keep(const lash_error *error) {
    lashi_json *list = &kept.list;
    lashi_json_open(list, NULL, '{');
    lashi_json_say(list, "severity", error->status == LASH_OK ? "warning" : "error");
    lashi_json_say(list, "status", lash_status_name(error->status));
    lashi_json_say(list, "message", error->message);
    lashi_json_say(list, "file", error->file[0] ? error->file : NULL);
    lashi_json_add(list, "line", error->line > 0 ? error->line : (double)NAN);
    lashi_json_add(list, "column", error->line > 0 ? error->column : (double)NAN);
    lashi_json_add(list, "time", error->time);
    lashi_json_say(list, "object", error->object[0] ? error->object : NULL);
    lashi_json_close(list, '}');
}

void lashi_talk_tell(lashi_json *json) {
    if (!kept.list.stream)
        return;
    fclose(kept.list.stream);
    kept.list.stream = NULL;
    lashi_json_open(json, "messages", '[');
    lashi_json_raw(json, NULL, kept.text ? kept.text : "");
    lashi_json_close(json, ']');
    free(kept.text);
    kept.text = NULL;
    kept.told = true;
}

void lashi_talk_tell_rest(lash_status status) {
    lashi_json json = {.stream = stdout};
    if (!kept.list.stream || kept.told || lash_status_exit_code(status) == 0)
        return;
    lashi_json_open(&json, NULL, '{');
    lashi_json_say(&json, "status", lash_status_name(status));
    lashi_talk_tell(&json);
    lashi_json_close(&json, '}');
    printf("\n");
}

void lashi_talk_error(const lash_error *error) {
    if (is_of_reader(error)) {
        reader_left = true;
        return;
    }
    if (kept.list.stream)
        keep(error);
    const char *plain = lashi_talk_paint(stderr, LASHI_PLAIN);
    fflush(stdout);
    fputs(lashi_talk_paint(stderr, LASHI_BOLD), stderr);
    fputs(error->file[0] ? error->file : "lash", stderr);
    if (error->line > 0)
        fprintf(stderr, ":%d:%d", error->line, error->column);
    fprintf(stderr, ":%s %s%s:%s %s", plain,
            lashi_talk_paint(stderr, error->status == LASH_OK ? LASHI_YELLOW : LASHI_RED),
            error->status == LASH_OK ? "warning" : "error", plain, error->message);
    if (!isnan(error->time) && !error->file[0] && !strstr(error->message, "t = "))
        fprintf(stderr, " (t = %.9g s)", error->time);
    fputc('\n', stderr);
    if (error->excerpt[0]) {
        fprintf(stderr, "    %s\n", error->excerpt);
        print_caret(error->excerpt, error->column);
    }
}

static void say(lash_status status, const char *format, va_list arguments) {
    lash_error error = {.status = status, .time = (double)NAN};
    vsnprintf(error.message, sizeof error.message, format, arguments);
    lashi_talk_error(&error);
}

lash_status lashi_talk_fail(lash_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(status, format, arguments);
    va_end(arguments);
    return status;
}

lash_status lashi_talk_usage(const lashi_command *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(LASH_ERROR_USAGE, format, arguments);
    va_end(arguments);
    fprintf(stderr, "See `lash help%s%s`.\n", command ? " " : "", command ? command->name : "");
    return LASH_ERROR_USAGE;
}

// ---- numbers

const char *lashi_talk_duration(char buffer[LASH_QUANTITY_TEXT], double seconds) {
    if (!(seconds >= 60))
        return lash_quantity_write(buffer, seconds, "s");
    long whole = seconds < 1e9 ? lround(seconds) : 1000000000;
    if (whole < 3600)
        snprintf(buffer, LASH_QUANTITY_TEXT, "%ld min %ld s", whole / 60, whole % 60);
    else
        snprintf(buffer, LASH_QUANTITY_TEXT, "%ld h %ld min", whole / 3600, whole % 3600 / 60);
    return buffer;
}

// ---- the bar

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void lashi_progress_begin(lashi_progress *progress, bool wanted) {
    *progress = (lashi_progress){.shown = wanted && is_terminal(stderr), .begun = now()};
    progress->drawn = progress->begun + QUIET_START - REDRAW_INTERVAL;
}

void lashi_progress_update(lashi_progress *progress, double fraction, const char *words) {
    enum { WIDTH = 30 };
    static const char full[] = "##############################", empty[] = "                              ";
    if (isnan(progress->from))
        progress->from = fraction;
    if (!progress->shown)
        return;
    const double time = now();
    if (time - progress->drawn < REDRAW_INTERVAL)
        return;
    progress->drawn = time;
    fraction = fmin(fmax(fraction, 0), 1);
    const int filled = (int)(WIDTH * fraction);
    char per_cent[LASH_QUANTITY_TEXT], left[LASH_QUANTITY_TEXT];
    snprintf(per_cent, sizeof per_cent, "%3d %%", (int)(100 * fraction));
    fprintf(stderr, "\r[%.*s%.*s] %s", filled, full, WIDTH - filled, empty, words ? words : per_cent);
    if (fraction > progress->from)
        fprintf(stderr, ", %s left",
                lashi_talk_duration(
                    left, ceil((time - progress->begun) * (1 - fraction) / (fraction - progress->from))));
    fputs("\033[K", stderr);
    fflush(stderr);
}

void lashi_progress_wipe(const lashi_progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
}
