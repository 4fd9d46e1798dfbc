/* SPDX-License-Identifier: MIT
 *
 * What the reader of a model or of a result should know before trusting it, in words. One list, which the
 * program prints, files keep and pages show.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "lash/quantity.h"
#include "sim/sim.h"

/* A change of a place at the start that is reported, as a share of the mechanism's size or in rad. */
static const double ELSEWHERE = 0.3;

static void warn(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn(FILE *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    fputc('\n', out);
    va_end(arguments);
}

// ---- the system

enum { LIST = 96 };

/* "12", or "[1, 2]"; rounding beside the largest is 0. */
static const char *numbers(char out[LIST], const double *values, int count) {
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    int used = snprintf(out, LIST, count > 1 ? "[" : "");
    for (int i = 0; i < count; i++)
        used += snprintf(out + used, (size_t)(LIST - used), "%s%.4g", i ? ", " : "",
                         fabs(values[i]) < 1e-9 * largest ? 0 : values[i]);
    snprintf(out + used, (size_t)(LIST - used), count > 1 ? "]" : "");
    return out;
}

/* Places that assembly has changed much, then velocities. */
static void start(FILE *out, const lash_system *system) {
    char a[LIST], b[LIST], change[LASH_QUANTITY_TEXT];
    lash_start_value value;
    for (size_t i = 0; lash_system_start_value(&value, system, i); i++)
        if (!value.moves && value.share > ELSEWHERE)
            warn(out,
                 "body '%s' starts elsewhere: assembly has changed its %s by %s to close the joints; draw it "
                 "nearer, or hold: [%s]",
                 value.body, value.quantity, lash_quantity_write(change, value.change, value.unit),
                 value.hold);
    for (size_t i = 0; lash_system_start_value(&value, system, i); i++)
        if (value.moves)
            warn(out,
                 "body '%s' is given %s: %s %s and starts with %s %s, since what is given does not fit the "
                 "joints, and velocities that are not given count as 0; hold: [%s] keeps it",
                 value.body, value.quantity, numbers(a, value.given, value.size), value.unit,
                 numbers(b, value.start, value.size), value.unit, value.hold);
}

static bool is_loose(const lash_system *system, int b) {
    for (int k = 0; k < system->joint_count; k++)
        for (int slot = 0; slot < LASHI_SLOTS; slot++)
            if (system->joints[k].body[slot] == b)
                return false;
    for (int k = 0; k < system->force_count; k++)
        for (int slot = 0; slot < LASHI_SLOTS; slot++)
            if (system->forces[k].body[slot] == b || system->forces[k].coordinate.body[slot] == b)
                return false;
    return true;
}

/* Bodies that were probably forgotten; without any joint they are meant to be free. */
static void loose(FILE *out, const lash_system *system) {
    for (int b = 1; b < system->bodies && system->joint_count > 0; b++)
        if (is_loose(system, b))
            warn(out,
                 "body '%s' is joined to nothing and no force acts on it%s: it moves by itself and affects "
                 "nothing else; name it in `between` of a joint, or leave it out",
                 system->body_names[b], lashi_length3(system->gravity) > 0 ? " but its weight" : "");
}

/* A tolerance that is finer than rounding allows. */
static void tolerance(FILE *out, const lash_system *system) {
    const char *joint;
    const double least = lash_system_least_rtol(system, &joint);
    const lash_run_def *run = &system->model->run;
    const double given = isnan(run->atol) ? run->rtol : run->atol;
    if (joint && given < least)
        warn(out, "%s %.3g is below %.2g, where rounding dominates in the play of '%s'",
             isnan(run->atol) ? "rtol" : "atol", given, least, joint);
}

static char *text_of(const lash_system *system) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    const lashi_plain_numbers plain = lashi_plain_numbers_begin();
    loose(out, system);
    start(out, system);
    tolerance(out, system);
    lashi_plain_numbers_end(plain);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

char *lash_system_warnings(const lash_system *system) {
    return system ? text_of(system) : NULL;
}
