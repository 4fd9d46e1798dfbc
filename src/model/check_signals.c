/* SPDX-License-Identifier: MIT
 *
 * Checks of what expressions read: every name stands for something, signals have what their kind needs, and
 * none is made of itself but through a state.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/expression.h"
#include "model/check.h"
#include "model/quantity.h"

enum { WHY = 512 };

static void check_names(lashi_check *check, lashi_subject subject, const char *key,
                        const lash_expression *expression) {
    const char *name;
    char why[WHY];
    lashi_quantity quantity;
    for (size_t i = 0; expression && (name = lashi_expression_reads(expression, i)) != NULL; i++)
        if (lashi_model_quantity(&quantity, check->model, name, why, sizeof why) != LASHI_KNOWN)
            lashi_complain(check, subject, key, "%s: %s", key, why);
}

// ---- signals

static void check_kind(lashi_check *check, lashi_subject subject, const lash_signal_def *def) {
    const int given = !!def->value + !!def->integral + !!def->lag + !!def->hold;
    static const char *const keys[] = {"value", "integral", "lag", "hold"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (lashi_was_bad(check, subject, keys[i]))
            return;
    if (given != 1) {
        lashi_complain(check, subject, "",
                       given ? "give one of value, integral, lag and hold, not %d of them"
                             : "give value, integral, lag or hold; here are %d of them",
                       given);
        return;
    }
    if (!def->lag != !!isnan(def->time) && !lashi_was_bad(check, subject, "time"))
        lashi_complain(check, subject, def->lag ? "lag" : "time",
                       def->lag ? "a lag needs its time constant, time" : "time belongs to lag");
    if (!def->hold != !!isnan(def->every) && !lashi_was_bad(check, subject, "every"))
        lashi_complain(check, subject, def->hold ? "hold" : "every",
                       def->hold ? "a hold needs the time between its samples, every"
                                 : "every belongs to hold");
    if (def->value && !isnan(def->initial))
        lashi_complain(check, subject, "initial", "initial belongs to integral, lag and hold");
}

typedef struct walk {
    lashi_check *check;
    unsigned char *state; /* [signals] 1 on the way, 2 done */
    size_t *path;         /* [signals] */
    size_t length;
} walk;

static void say_cycle(walk *w, size_t signal) {
    const lashi_named_signal *signals = w->check->model->signals;
    char text[WHY] = "";
    size_t used = 0, first = w->length;
    while (first > 0 && w->path[first - 1] != signal)
        first--;
    for (size_t i = first ? first - 1 : 0; i < w->length && used + 64 < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%.40s -> ", signals[w->path[i]].name);
    lashi_complain(w->check, (lashi_subject){"signal", signals[signal].name}, "value",
                   "depends on itself: %s%.40s. Break the cycle, for example with a lag or a hold", text,
                   signals[signal].name);
}

static void follow(walk *w, size_t signal) {
    const lash_model *model = w->check->model;
    const lash_expression *value = model->signals[signal].def.value;
    const char *name;
    char why[WHY];
    lashi_quantity quantity;
    if (w->state[signal] == 2)
        return;
    if (w->state[signal] == 1) {
        say_cycle(w, signal);
        return;
    }
    w->state[signal] = 1;
    w->path[w->length++] = signal;
    for (size_t i = 0; value && (name = lashi_expression_reads(value, i)) != NULL; i++)
        if (lashi_model_quantity(&quantity, model, name, why, sizeof why) == LASHI_KNOWN &&
            quantity.kind == LASHI_QUANTITY_SIGNAL)
            follow(w, quantity.index);
    w->length--;
    w->state[signal] = 2;
}

bool lashi_check_signals(lashi_check *check) {
    const lash_model *model = check->model;
    walk w = {.check = check};
    for (size_t i = 0; i < model->input_count; i++)
        lashi_check_keys(check, (lashi_subject){"input", model->inputs[i].name}, &model->inputs[i].def,
                         &lashi_input_kind, "");
    for (size_t i = 0; i < model->signal_count; i++) {
        const lash_signal_def *def = &model->signals[i].def;
        const lashi_subject subject = {"signal", model->signals[i].name};
        lashi_check_keys(check, subject, def, &lashi_signal_kind, "");
        check_kind(check, subject, def);
        check_names(check, subject, "value", def->value);
        check_names(check, subject, "integral", def->integral);
        check_names(check, subject, "lag", def->lag);
        check_names(check, subject, "hold", def->hold);
    }
    w.state = calloc(model->signal_count + 1, 1);
    w.path = calloc(model->signal_count + 1, sizeof *w.path);
    const bool room = w.state && w.path;
    for (size_t i = 0; room && i < model->signal_count; i++)
        follow(&w, i);
    free(w.state);
    free(w.path);
    for (size_t i = 0; i < model->force_count; i++) {
        const lash_force_def *def = &model->forces[i].def;
        const lashi_subject subject = {"force", model->forces[i].name};
        for (int k = 0; k < 3; k++) {
            check_names(check, subject, "force", def->force[k]);
            check_names(check, subject, "torque", def->torques[k]);
        }
        check_names(check, subject, "torque", def->torque);
        check_names(check, subject, "actuator", def->actuator);
    }
    for (size_t i = 0; i < model->drive_count; i++) {
        const lash_expression *motion = model->drives[i].def.motion;
        const char *name = motion ? lashi_expression_reads(motion, 0) : NULL;
        if (name)
            lashi_complain(check, (lashi_subject){"drive", model->drives[i].name}, "motion",
                           "motion: a drive prescribes a motion as a function of time only; '%s' cannot be "
                           "used. A force, a torque or a motor can depend on the state",
                           name);
    }
    return room;
}
