/* SPDX-License-Identifier: MIT
 *
 * Results as CSV.
 */
#include "cli/table.h"

#include <math.h>
#include <stdlib.h>

#include "cli/output.h"
#include "cli/talk.h"

enum { BLOCK_ROWS = 256 };

static void print_number(FILE *stream, double value) {
    if (isnan(value))
        fputs("nan", stream); // never "-nan"
    else
        fprintf(stream, "%.17g", value);
}

/* Names come from the file, and so from anyone. */
static void put_heading(FILE *stream, const char *name, const char *unit, bool more) {
    char *text = NULL;
    if (asprintf(&text, "%s [%s]", name, unit) < 0)
        text = NULL;
    lashi_output_field(stream, text ? text : name);
    fputc(more ? ',' : '\n', stream);
    free(text);
}

static bool passes(lashi_sieve *s, double time) {
    // Limits are written in decimals: rows within rounding of them are included.
    const double slack = 1e-9 * fmax(fabs(time), isnan(s->every) ? 0 : s->every);
    if (time < s->from - slack || time > s->to + slack)
        return false;
    if (isnan(s->every))
        return true;
    if (isnan(s->next))
        s->next = time;
    if (time < s->next - slack)
        return false;
    while (s->next <= time + slack)
        s->next += s->every;
    return true;
}

lash_status lashi_table_rows(FILE *stream, lash_result *result, lash_stream which, const size_t *columns,
                             size_t count, lashi_sieve *wanted) {
    size_t width = lash_result_column_count(result), rows = lash_result_row_count(result, which);
    double *block = calloc(BLOCK_ROWS * width, sizeof *block);
    if (!block)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < count; k++)
        put_heading(stream, lash_result_column_name(result, columns[k]),
                    lash_result_column_unit(result, columns[k]), k + 1 < count);
    lash_status status = LASH_OK;
    for (size_t first = 0; first < rows && status == LASH_OK && !ferror(stream); first += BLOCK_ROWS) {
        lash_error error;
        size_t n = rows - first < BLOCK_ROWS ? rows - first : BLOCK_ROWS;
        status = lash_result_read(block, result, which, first, n, &error);
        if (status != LASH_OK)
            lashi_talk_error(&error);
        for (size_t i = 0; i < n && status == LASH_OK; i++)
            for (size_t k = 0; k < count && (k > 0 || !wanted || passes(wanted, block[i * width])); k++) {
                print_number(stream, block[i * width + columns[k]]);
                fputc(k + 1 < count ? ',' : '\n', stream);
            }
    }
    free(block);
    return status;
}

lash_status lashi_table_events(FILE *stream, lash_result *result) {
    size_t count = lash_result_event_count(result);
    lash_event *events = calloc(count + 1, sizeof *events);
    lash_error error;
    if (!events)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    lash_status status = lash_result_read_events(events, result, &error);
    if (status != LASH_OK)
        lashi_talk_error(&error);
    else
        fputs("kind,joint,mode,time [s],angle [rad],speed [m/s],peak_force [N],peak_penetration [m],"
              "duration [s],energy_lost [J],rebound [m/s],impulse [N s],crank [rad],elevation [rad],"
              "peak_time [s],peak_elastic [N],peak_damping [N],peak_depth [m]\n",
              stream);
    for (size_t i = 0; i < count && status == LASH_OK; i++) {
        const lash_event *e = &events[i];
        const double numbers[] = {
            e->time,      e->angle,       e->speed,        e->peak_force,   e->peak_penetration,
            e->duration,  e->energy_lost, e->rebound,      e->impulse,      e->crank,
            e->elevation, e->peak_time,   e->peak_elastic, e->peak_damping, e->peak_depth};
        bool release = e->kind == LASH_EVENT_RELEASE;
        fprintf(stream, "%s,", lash_event_kind_name(e->kind));
        lashi_output_field(stream, e->joint);
        fprintf(stream, ",%s", !release ? "" : e->impact ? "impact" : "following");
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            fputc(',', stream);
            if (!isnan(numbers[k])) // a crank's angle if there is none
                print_number(stream, numbers[k]);
        }
        fputc('\n', stream);
    }
    free(events);
    return status;
}
