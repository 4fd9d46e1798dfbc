/* SPDX-License-Identifier: MIT
 *
 * Tables of the documents in a terminal: columns as wide as their longest cell; where that is more than fits, the
 * wide ones share what the narrow ones leave, their cells are filled, and an empty line parts the rows.
 * A table of more columns than fit is printed as it is.
 */
#include "cli/topic_table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 16, CELL = 2048, GAP = 2, LEAST = 8 };

/* The cells of a row, as they are read. */
typedef struct row {
    size_t count;
    char text[COLUMNS][CELL];
} row;

size_t lashi_topic_plain(char *out, const char *line, size_t length) {
    size_t n = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        const char *close = line[i] == '[' ? memchr(line + i, ']', length - i) : NULL;
        if (line[i] == '`')
            quoted = !quoted;
        if (!quoted && line[i] == '[' && (!close || close[1] == '('))
            continue;
        if (!quoted && line[i] == ']' && line[i + 1] == '(') {
            while (i + 1 < length && line[i] != ')')
                i++;
            continue;
        }
        if (!quoted && line[i] == '*' && line[i + 1] == '*') {
            i++;
            continue;
        }
        out[n++] = line[i];
    }
    return n;
}

static size_t glyphs(const char *text, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

/* False: it has more columns than there is room for, or a cell that is too long. */
static bool read_row(row *out, const char *line, size_t length) {
    out->count = 0;
    for (size_t from = 1, to; from < length; from = to + 1) {
        for (to = from; to < length && (line[to] != '|' || line[to - 1] == '\\'); to++)
            ;
        if (to == length) // behind the last bar
            break;
        size_t begin = from, stop = to;
        while (begin < stop && line[begin] == ' ')
            begin++;
        while (stop > begin && line[stop - 1] == ' ')
            stop--;
        if (out->count == COLUMNS || stop - begin >= CELL)
            return false;
        char *cell = out->text[out->count++];
        cell[lashi_topic_plain(cell, line + begin, stop - begin)] = '\0';
        for (char *bar; (bar = strstr(cell, "\\|"));) // a bar that is none of the table's
            memmove(bar, bar + 1, strlen(bar));
    }
    return true;
}

/* Makes columns as wide as fits. False: there is no room for them. */
static bool share_out(size_t *widths, size_t count, size_t room) {
    bool narrow[COLUMNS] = {false};
    size_t left = room - GAP * (count - 1), wide = count;
    for (bool changed = true; changed && wide > 0;) {
        changed = false;
        for (size_t c = 0; c < count; c++)
            if (!narrow[c] && widths[c] <= left / wide) {
                narrow[c] = changed = true;
                left -= widths[c];
                wide--;
                break;
            }
    }
    for (size_t c = 0; c < count; c++)
        if (!narrow[c])
            widths[c] = left / wide;
    return wide == 0 || left / wide >= LEAST;
}

/* Bytes of the words of `text` that fit `width`, at least one word. */
static size_t take_words(const char *text, size_t width) {
    size_t taken = 0;
    while (text[taken]) {
        const size_t next = taken + strspn(text + taken, " "), end = next + strcspn(text + next, " ");
        if (taken > 0 && glyphs(text, end) > width)
            break;
        taken = end;
    }
    return taken;
}

static void print_row(const row *r, const size_t *widths, size_t count) {
    const char *rest[COLUMNS];
    for (size_t c = 0; c < count; c++)
        rest[c] = c < r->count ? r->text[c] : "";
    for (bool more = true; more;) {
        size_t blank = 0; // not printed yet, so that no line ends with them
        more = false;
        for (size_t c = 0; c < count; c++) {
            const size_t bytes = take_words(rest[c], widths[c]), n = glyphs(rest[c], bytes);
            if (bytes > 0)
                printf("%*s%.*s", (int)blank, "", (int)bytes, rest[c]);
            blank = (bytes > 0 ? 0 : blank) + GAP + (n < widths[c] ? widths[c] - n : 0);
            rest[c] += bytes;
            rest[c] += strspn(rest[c], " ");
            more = more || *rest[c];
        }
        putchar('\n');
    }
}

const char *lashi_topic_table(const char *text, const char *end, size_t width) {
    static row r; // a megabyte of stack is not everywhere
    size_t widths[COLUMNS] = {0}, natural[COLUMNS], count = 0;
    bool fits = true;
    const char *line = text, *stop = text;
    for (; line < end && line[0] == '|'; line = stop) {
        const size_t length = strcspn(line, "\n");
        stop = line + length + (line[length] == '\n');
        fits = fits && read_row(&r, line, length);
        count = r.count > count ? r.count : count;
        for (size_t c = 0; fits && c < r.count && strncmp(line, "|---", 4) != 0; c++) {
            const size_t n = glyphs(r.text[c], strlen(r.text[c]));
            widths[c] = n > widths[c] ? n : widths[c];
        }
    }
    end = line;
    memcpy(natural, widths, sizeof natural);
    fits = fits && count > 0 && share_out(widths, count, width);
    const bool filled = fits && memcmp(natural, widths, sizeof natural) != 0;
    for (line = text; line < end; line = stop) {
        const size_t length = strcspn(line, "\n");
        stop = line + length + (line[length] == '\n');
        const bool ruler = strncmp(line, "|---", 4) == 0;
        if (!fits) {
            printf("%.*s\n", (int)length, line);
        } else if (ruler) {
            for (size_t c = 0; c < count; c++)
                for (size_t i = 0; i < widths[c] + (c + 1 < count ? GAP : 0); i++)
                    putchar(i < widths[c] ? '-' : ' ');
            putchar('\n');
        } else if (read_row(&r, line, length)) {
            print_row(&r, widths, count);
            if (filled && stop < end && strncmp(stop, "|---", 4) != 0)
                putchar('\n');
        }
    }
    return end;
}
