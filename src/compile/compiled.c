/* SPDX-License-Identifier: MIT
 *
 * A simulation whose equations are evaluated by code made for its model.
 *
 * The code replaces lashi_evaluate, and the stages of a step, where nothing reads the workspace. Code and
 * library give the same bits, which is checked here before the code is used: so results do not depend on
 * whether there was a compiler. Where the code cannot go on, because S is singular or a force is not a
 * number, the library evaluates the same point and reports why.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/compiler.h"
#include "compile/sources.h"
#include "compile/write.h"
#include "integrate/dop853_sums.h"
#include "sim/sim.h"

struct lashi_compiled {
    lashi_kernel kernel;
    const double *numbers;
    const void *const *objects;
    int *repeats; /* rows that the code leaves out */
    bool others;  /* the workspace has left out other rows since: its lists belong to those */
};

/* Whether the code fits the present workspace. Quiet contacts are left to the library: they need few
 * evaluations. */
static bool fits(lashi_workspace *w) {
    lashi_compiled *c = w->compiled;
    const size_t repeats = (size_t)w->system->motion.redundant;
    if (repeats > 0 && (w->constraints.repeat_count != w->system->motion.redundant ||
                        memcmp(c->repeats, w->constraints.repeats, repeats * sizeof(int)) != 0))
        c->others = true;
    return w->quiet_count == 0 && !c->others;
}

void lashi_compiled_factor(lashi_workspace *w) {
    lashi_constraint_work *work = &w->constraints;
    work->inverse = (const double(*)[LASHI_FREEDOMS])w->system->inverse_free;
    work->frames = w->frames;
    work->shared = work->shares;
    work->repeat_count = w->system->motion.redundant;
    if (w->system->motion.rows > 0)
        work->int_work[0] = work->repeat_count;
}

static int evaluate(double *ydot, lashi_workspace *w, double t, const double *y) {
    lashi_compiled *c = w->compiled;
    double sum;
    w->present = false;
    if (!fits(w) || c->kernel.evaluate(ydot, w, t, y, c->numbers, c->objects, &sum) || !isfinite(sum)) {
        c->others = false; // the library makes its lists again
        return 1;
    }
    w->evaluations++;
    w->t = t;
    w->singular_row = -1;
    lashi_compiled_factor(w);
    return 0;
}

static int stages(double *k, double *argument, void *context, double t, const double *y, double h) {
    lashi_workspace *w = context;
    const lashi_compiled *c = w->compiled;
    double sum;
    w->present = false;
    if (!fits(w) || c->kernel.stages(k, argument, w, t, y, h, c->numbers, c->objects, &sum) || !isfinite(sum))
        return 1;
    w->evaluations += LASHI_DOP853_LAST - 1;
    return 0;
}

/* Whether the code gives the same numbers at the present point, with contacts as they are and with each one
 * reversed. A point at which the row of a contact repeats others is left to the library. */
static bool agrees(lash_sim *sim, const lashi_compiled *c) {
    lashi_workspace *w = sim->workspace;
    const lash_system *system = sim->system;
    const size_t n = (size_t)system->n_y, contacts = (size_t)system->contact_count;
    const double t = sim->integrator->t, *y = lashi_sim_y(sim);
    double *both = calloc(2 * n + 1, sizeof *both);
    lashi_memory *memories = calloc(contacts + 1, sizeof *memories);
    double *pressures = calloc(2 * contacts + 1, sizeof *pressures); // least and most, which stay
    const size_t evaluations = w->evaluations;
    const bool present = w->present;
    const int quiet = lashi_quiet_suspend(w, sim->memories);
    bool same = both && memories && pressures;
    if (same && contacts) {
        memcpy(pressures, w->least, contacts * sizeof *pressures);
        memcpy(pressures + contacts, w->most, contacts * sizeof *pressures);
    }
    for (int turn = 0; same && turn < 2; turn++) {
        double sum = 0;
        memcpy(memories, sim->memories, contacts * sizeof *memories);
        for (size_t k = 0; turn && k < contacts; k++) {
            memories[k].touching = !memories[k].touching;
            memories[k].onset.speed = 1;
        }
        w->memories = memories;
        const int flag = lashi_evaluate(both, w, t, y);
        const bool repeats = w->constraints.repeat_count > system->motion.redundant;
        const int other = c->kernel.evaluate(both + n, w, t, y, c->numbers, c->objects, &sum);
        const bool refused = other != 0 || !isfinite(sum);
        same = refused ? flag || repeats : !flag;
        for (size_t i = 0; same && !refused && i < n; i++)
            same = both[i] == both[n + i] || (isnan(both[i]) && isnan(both[n + i]));
    }
    w->memories = sim->memories;
    lashi_quiet_resume(w, sim->memories, quiet);
    if (both && present) // restores the workspace
        lashi_evaluate(both, w, t, y);
    w->mismatch = 0;
    w->present = both && present;
    w->evaluations = evaluations;
    if (pressures && contacts) {
        memcpy(w->least, pressures, contacts * sizeof *pressures);
        memcpy(w->most, pressures + contacts, contacts * sizeof *pressures);
    }
    free(pressures);
    free(both);
    free(memories);
    return same;
}

static lash_status use(lash_sim *sim, lash_error *error) {
    lashi_text text;
    char why[LASHI_COMPILER_SAYS] = "";
    sim->consider = NULL;
    lash_status status = lashi_text_write(&text, sim->workspace, error);
    if (status)
        return status;
    lashi_compiled *c = lashi_arena_alloc(&sim->arena, 1, sizeof *c);
    const size_t repeats = (size_t)sim->system->motion.redundant;
    double *numbers = lashi_arena_alloc(&sim->arena, text.number_count, sizeof *numbers);
    const void **objects = lashi_arena_alloc(&sim->arena, text.object_count, sizeof *objects);
    int *rows = lashi_arena_alloc(&sim->arena, repeats, sizeof *rows);
    if (!c || !numbers || !objects || !rows) {
        lashi_text_clear(&text);
        return lashi_fail_memory(error);
    }
    if (!text.text) {
        snprintf(why, sizeof why, "not yet for %s", text.why);
    } else if (lashi_compiler_run(&c->kernel, text.text, why)) {
        if (text.number_count)
            memcpy(numbers, text.numbers, text.number_count * sizeof *numbers);
        if (text.object_count)
            memcpy(objects, text.objects, text.object_count * sizeof *objects);
        if (repeats)
            memcpy(rows, sim->workspace->constraints.repeats, repeats * sizeof *rows);
        c->numbers = numbers;
        c->objects = objects;
        c->repeats = rows;
        if (agrees(sim, c)) {
            sim->workspace->compiled = c;
            sim->workspace->code = evaluate;
            sim->integrators[0]->stages = stages;
        } else {
            snprintf(why, sizeof why, "what the compiler made gives other numbers");
        }
    }
    lashi_text_clear(&text);
    if (why[0]) {
        sim->interpreted = lashi_arena_print(&sim->arena, "%s", why);
        if (!sim->interpreted)
            return lashi_fail_memory(error);
    }
    return LASH_OK;
}

/* WORTH: evaluations still to come from which on compiling pays off; it takes about as long as that many of a
 * small machine. BEFORE: evaluations after which their number can be estimated. */
static const double WORTH = 2e6, BEFORE = 1e5;

/* After a step of a run to `end`: compiles if what is left is worth it. */
static lash_status consider(lash_sim *sim, double end, lash_error *error) {
    const double done = (double)lashi_sim_counts(sim).evaluations, t = sim->integrator->t;
    const double passed = t - sim->system->start;
    if (done < BEFORE || !(passed > 0) || done * (end - t) < WORTH * passed)
        return LASH_OK;
    return use(sim, error);
}

lash_status lash_sim_compile(lash_sim *sim, lash_error *error) {
    if (!sim)
        return lashi_fail_null(error);
    const char *when = sim->system->model->run.compiled;
    sim->consider = NULL;
    if (sim->workspace->compiled || sim->tangent || strcmp(when, "never") == 0)
        return LASH_OK;
    if (strcmp(when, "always") == 0)
        return use(sim, error);
    sim->consider = consider;
    return LASH_OK;
}

bool lash_sim_is_compiled(const lash_sim *sim, const char **why) {
    if (why)
        *why = sim && sim->interpreted ? sim->interpreted : "";
    return sim && sim->workspace->compiled;
}

char *lash_system_code(const lash_system *system, bool whole, lash_error *error) {
    lashi_workspace *workspace = NULL;
    lashi_text text = {0};
    char *code = NULL;
    if (!system) {
        lashi_fail_null(error);
        return NULL;
    }
    lash_status status = lashi_workspace_create(&workspace, system, error);
    if (!status)
        status = lashi_text_write(&text, workspace, error);
    if (!status && !text.text) {
        lashi_fail(error, LASH_ERROR_MODEL, "no code is made yet for %s; such a model is interpreted",
                   text.why);
    } else if (!status && whole) {
        size_t length;
        code = lashi_sources_join(text.text, &length);
        if (!code)
            lashi_fail_memory(error);
    } else if (!status) {
        code = text.text;
        text.text = NULL;
    }
    lashi_text_clear(&text);
    lashi_workspace_destroy(workspace);
    return code;
}
