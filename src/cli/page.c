/* SPDX-License-Identifier: MIT
 *
 * The frame of the page.
 *
 * The page was put together at build time (web/vite.config.js) with marks: in <title>, in a script element
 * that the browser does not run, and two where live pages have their solver.
 */
#include "cli/page.h"

#include <string.h>

#include "cli/embedded.h"

/* Marks of the page, in its order. */
static const char ALLOWED_MARK[] = "@ALLOWED@", TITLE_MARK[] = "@TITLE@", DATA_MARK[] = "@DATA@",
                  SOLVER_MARK[] = "@SOLVER@";
/* What the script of a live page needs besides itself: to compile the solver, and Workers made by it. */
static const char ALLOWED_LIVE[] = " 'wasm-unsafe-eval'; worker-src blob:";

bool lashi_page_is_there(void) {
    return lashi_page_file.size > 0;
}

bool lashi_page_is_live(void) {
    return lashi_page_is_there() && lashi_solver_file.size > 0;
}

static void put_html(FILE *stream, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '&': fputs("&amp;", stream); break;
        default: fputc((unsigned char)*text < ' ' ? ' ' : *text, stream);
        }
}

/* Writes the page from one mark (NULL: its beginning) to another (NULL: its end). */
static void put_part(FILE *stream, const char *from, const char *to) {
    const char *text = lashi_page_file.text, *begin = from ? strstr(text, from) : text,
               *end = to ? strstr(text, to) : text + lashi_page_file.size;
    if (begin && end)
        fwrite(begin + (from ? strlen(from) : 0), 1, (size_t)(end - begin) - (from ? strlen(from) : 0),
               stream);
}

void lashi_page_begin(FILE *stream, const char *title, bool live) {
    put_part(stream, NULL, ALLOWED_MARK);
    fputs(live ? ALLOWED_LIVE : "", stream);
    put_part(stream, ALLOWED_MARK, TITLE_MARK);
    put_html(stream, title);
    put_part(stream, TITLE_MARK, DATA_MARK);
}

void lashi_page_end(FILE *stream, bool live) {
    put_part(stream, DATA_MARK, SOLVER_MARK);
    if (live)
        fwrite(lashi_solver_file.text, 1, lashi_solver_file.size, stream);
    put_part(stream, SOLVER_MARK, NULL);
}
