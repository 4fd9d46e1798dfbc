/* SPDX-License-Identifier: MIT
 *
 * lash_model → lashi_machine: names in expressions become indices. Every expression of the state is copied,
 * with its reads and switches numbered.
 */
#include "system/reads.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/quantity.h"
#include "system/system.h"

typedef struct compiler {
    lash_system *system;
    lashi_machine *machine;
    const lash_model *model;
    const lashi_force_context *context;
    lashi_arena *arena;
    const char **names; /* [reads] of quantities; NULL: it has none */
    const char *word, *owner;
    lash_error *error;
} compiler;

double lashi_next_sample(const lashi_machine *machine, double t, double b) {
    for (int s = 0; s < machine->signal_count; s++) {
        const double every = machine->signals[s].every;
        if (machine->signals[s].kind != LASHI_SIGNAL_HOLD)
            continue;
        double k = floor(t / every) + 1;
        if (k * every - t <= LASHI_AT_SAMPLE * every)
            k++;
        b = fmin(b, k * every);
    }
    return b;
}

/* ---- quantities ---- */

static lash_status place_quantity(lashi_read *out, const compiler *c, const lashi_quantity *q) {
    const lash_model *model = c->model;
    const char *joint = NULL, *which = q->travel ? "travel" : "angle";
    out->component = q->component;
    out->index = (int)q->index;
    switch (q->kind) {
    case LASHI_QUANTITY_BODY:
        out->kind = LASHI_READ_BODY;
        out->known = q->component < 3 ? 1 : 0;
        return LASH_OK;
    case LASHI_QUANTITY_INPUT:
        out->kind = LASHI_READ_INPUT;
        out->known = 2;
        return LASH_OK;
    case LASHI_QUANTITY_FORCE:
        joint = model->forces[q->index].def.joint;
        if (!joint) {
            out->kind = LASHI_READ_LENGTH;
            out->known = q->component == 0 ? 1 : 0;
            return LASH_OK;
        }
        break;
    case LASHI_QUANTITY_DRIVE: joint = model->drives[q->index].def.joint; break;
    default: joint = model->joints[q->index].name; break;
    }
    out->kind = LASHI_READ_COORDINATE;
    out->known = q->component == 0 ? 1 : 0;
    if (joint)
        return c->context->coordinate(&out->coordinate, c->system, joint, which) ? LASH_OK : LASH_ERROR_MODEL;
    out->coordinate =
        (lashi_coordinate){.type = LASHI_COORDINATE_ANGLE,
                           .body = {0, (int)lashi_model_find_body(model, model->drives[q->index].def.body)},
                           .counted = -1};
    return LASH_OK;
}

/* The read of a name. */
static lash_status find_read(int *out, compiler *c, const char *name) {
    lashi_machine *m = c->machine;
    lashi_quantity quantity;
    char why[LASH_ERROR_TEXT / 2];
    for (*out = 0; *out < m->read_count; ++*out)
        if (c->names[*out] && strcmp(c->names[*out], name) == 0)
            return LASH_OK;
    if (lashi_model_quantity(&quantity, c->model, name, why, sizeof why) != LASHI_KNOWN ||
        place_quantity(&m->reads[m->read_count], c, &quantity))
        return lashi_fail_at(c->error, LASH_ERROR_MODEL, (double)NAN, c->owner, "%s '%s': %s", c->word,
                             c->owner, why);
    c->names[m->read_count++] = name;
    return LASH_OK;
}

/* ---- expressions ---- */

static void add_time(compiler *c, const lash_expression *expression) {
    lashi_machine *m = c->machine;
    m->times[m->time_count++] = (lashi_time_function){expression, NULL, c->word, c->owner};
}

static int add_part(compiler *c, const lash_expression *expression) {
    lashi_machine *m = c->machine;
    m->reads[m->read_count] = (lashi_read){.kind = LASHI_READ_TIME, .expression = expression, .known = 2};
    add_time(c, expression);
    return m->read_count++;
}

/* The expression as it is evaluated: one of time unchanged, one of the state with its names resolved. */
static lash_status resolve(const lash_expression **out, compiler *c, const lash_expression *e) {
    lashi_machine *m = c->machine;
    *out = e;
    if (!lashi_expression_reads_state(e)) {
        add_time(c, e);
        return LASH_OK;
    }
    lash_expression *copy = lashi_arena_alloc(c->arena, 1, sizeof *copy);
    lashi_instruction *program = lashi_arena_alloc(c->arena, e->count, sizeof *program);
    int *switches = lashi_arena_alloc(c->arena, e->count, sizeof *switches),
        *map = lashi_arena_alloc(c->arena, e->name_count + e->part_count, sizeof *map);
    if (!copy || !program || !switches || !map)
        return lashi_fail_memory(c->error);
    lash_status status = LASH_OK;
    for (size_t i = 0; !status && i < e->name_count; i++)
        status = find_read(&map[i], c, e->names[i]);
    for (size_t i = 0; i < e->part_count; i++)
        map[e->name_count + i] = add_part(c, e->parts[i]);
    *copy = *e;
    copy->program = program;
    copy->switches = switches;
    for (size_t i = 0; !status && i < e->count; i++) {
        program[i] = e->program[i];
        switches[i] = -1;
        m->rates = m->rates || program[i].code == LASHI_OP_RATE;
        if (program[i].code == LASHI_OP_READ)
            program[i].value = map[(size_t)e->program[i].value];
        if (lashi_is_switch(program[i].code)) {
            switches[i] = m->switch_count;
            m->switches[m->switch_count++] = (lashi_switch){copy, i, c->word, c->owner};
        }
    }
    *out = copy;
    return status;
}

/* ---- signals ---- */

/* Orders the signals without state. The check of the model has made sure that there is no cycle. */
static void put_in_order(compiler *c, int read, unsigned char *done) {
    lashi_machine *m = c->machine;
    const lashi_read *r = &m->reads[read];
    if (r->kind != LASHI_READ_SIGNAL || done[read])
        return;
    done[read] = 1;
    for (size_t i = 0; i < r->expression->count; i++)
        if (r->expression->program[i].code == LASHI_OP_READ)
            put_in_order(c, (int)r->expression->program[i].value, done);
    m->order[m->order_count++] = read;
}

/* The operands of rate(…) must have a rate that is known without the accelerations. The program is followed
 * instruction by instruction with the number of known derivatives of each value; -1: a rate is needed and not
 * known. */
static int known_of(const lash_expression *e, const lashi_machine *m) {
    int stack[LASHI_MOST_PENDING + 1], top = 0, open = 0;
    struct {
        size_t end;
        int known;
    } ifs[LASHI_MOST_PENDING + 1]; // whose second branch is being followed
    for (size_t i = 0; i <= e->count; i++) {
        for (; open > 0 && ifs[open - 1].end == i; open--)
            stack[top - 1] = ifs[open - 1].known < stack[top - 1] ? ifs[open - 1].known : stack[top - 1];
        if (i == e->count)
            break;
        const lashi_instruction *it = &e->program[i];
        if (it->code == LASHI_OP_BRANCH) {
            top--;
            continue;
        }
        if (it->code == LASHI_OP_JUMP) {
            ifs[open].end = i + 1 + (size_t)it->value;
            ifs[open++].known = stack[--top];
            continue;
        }
        const int effect = lashi_program_effect(it->code), taken = 1 - effect;
        if (effect == 1) {
            stack[top++] = it->code == LASHI_OP_READ ? m->reads[(int)it->value].known : 2;
            continue;
        }
        int known = 2;
        for (int k = 0; k < taken; k++)
            known = stack[--top] < known ? stack[top] : known;
        if (it->code == LASHI_OP_RATE && --known < 0)
            return -1;
        stack[top++] = known;
    }
    return stack[0];
}

static lash_status check_rates(compiler *c, const char *word, const char *name, const lash_expression *e,
                               int *known) {
    *known = e && lashi_expression_reads_state(e) ? known_of(e, c->machine) : 2;
    if (*known >= 0)
        return LASH_OK;
    return lashi_fail_at(c->error, LASH_ERROR_MODEL, (double)NAN, name,
                         "%s '%s': rate(…) of a velocity would be an acceleration, which follows from all "
                         "forces of the same instant; rate(…) is for functions of time, positions, and "
                         "signals made of these. A lag gives a smoothed rate: (x - lag of x)/time",
                         word, name);
}

static lash_status compile_signal(compiler *c, int s) {
    lashi_machine *m = c->machine;
    const lashi_named_signal *named = &c->model->signals[s];
    lashi_signal *signal = &m->signals[s];
    bool state;
    const lash_expression *e = lashi_signal_expression(&named->def, &state);
    c->word = "signal";
    c->owner = named->name;
    const lash_status status = resolve(&signal->expression, c, e);
    if (status || state)
        return status;
    lashi_read *read = &m->reads[signal->read];
    read->expression = signal->expression;
    read->kind = lashi_expression_reads_state(e) ? LASHI_READ_SIGNAL : LASHI_READ_TIME;
    read->known = 2;
    return LASH_OK;
}

static void declare_signal(compiler *c, int s) {
    lashi_machine *m = c->machine;
    const lashi_named_signal *named = &c->model->signals[s];
    const lash_signal_def *def = &named->def;
    const lashi_signal_type kind = def->value      ? LASHI_SIGNAL_VALUE
                                   : def->integral ? LASHI_SIGNAL_INTEGRAL
                                   : def->lag      ? LASHI_SIGNAL_LAG
                                                   : LASHI_SIGNAL_HOLD;
    m->signals[s] =
        (lashi_signal){.name = named->name,
                       .unit = def->unit ? def->unit : "",
                       .kind = kind,
                       .read = m->read_count,
                       .at = -1,
                       .time = def->time,
                       .every = def->every,
                       .initial = isnan(def->initial) && kind != LASHI_SIGNAL_LAG ? 0 : def->initial};
    m->state_count += kind != LASHI_SIGNAL_VALUE;
    c->names[m->read_count] = named->name;
    m->reads[m->read_count++] =
        (lashi_read){.kind = LASHI_READ_STATE, .index = s, .known = kind == LASHI_SIGNAL_HOLD ? 2 : 1};
}

/* ---- the whole ---- */

static void count_expression(size_t *names, size_t *instructions, size_t *times, const lash_expression *e) {
    if (!e)
        return;
    *names += e->name_count + e->part_count;
    *instructions += e->count;
    *times += 1 + e->part_count;
}

static bool allocate(compiler *c) {
    const lash_model *model = c->model;
    lashi_machine *m = c->machine;
    size_t names = model->signal_count, instructions = 0, times = model->input_count;
    bool state;
    for (size_t s = 0; s < model->signal_count; s++)
        count_expression(&names, &instructions, &times,
                         lashi_signal_expression(&model->signals[s].def, &state));
    for (int f = 0; f < c->system->force_count; f++)
        for (int k = 0; k < LASHI_INPUTS; k++)
            count_expression(&names, &instructions, &times, c->system->forces[f].expression[k]);
    m->reads = lashi_arena_alloc(c->arena, names, sizeof *m->reads);
    c->names = lashi_arena_alloc(c->arena, names, sizeof *c->names);
    m->order = lashi_arena_alloc(c->arena, model->signal_count, sizeof *m->order);
    m->signals = lashi_arena_alloc(c->arena, model->signal_count, sizeof *m->signals);
    m->times = lashi_arena_alloc(c->arena, times, sizeof *m->times);
    m->switches = lashi_arena_alloc(c->arena, instructions, sizeof *m->switches);
    m->inputs = lashi_arena_alloc(c->arena, model->input_count, sizeof *m->inputs);
    m->input_names = lashi_arena_alloc(c->arena, model->input_count, sizeof *m->input_names);
    return m->reads && c->names && m->order && m->signals && m->times && m->switches && m->inputs &&
           m->input_names;
}

lash_status lashi_machine_compile(lash_system *system, const lashi_force_context *context,
                                  lash_error *error) {
    compiler c = {.system = system,
                  .machine = &system->machine,
                  .model = system->model,
                  .context = context,
                  .arena = &system->arena,
                  .error = error};
    lashi_machine *m = c.machine;
    if (!allocate(&c))
        return lashi_fail_memory(error);
    for (size_t i = 0; i < c.model->input_count; i++) {
        m->input_names[m->input_count] = c.model->inputs[i].name;
        m->inputs[m->input_count++] = &c.model->inputs[i].def;
        if (c.model->inputs[i].def.table)
            m->times[m->time_count++] =
                (lashi_time_function){NULL, c.model->inputs[i].def.table, "input", c.model->inputs[i].name};
    }
    m->signal_count = (int)c.model->signal_count;
    for (int s = 0; s < m->signal_count; s++)
        declare_signal(&c, s);
    lash_status status = LASH_OK;
    for (int s = 0; !status && s < m->signal_count; s++)
        status = compile_signal(&c, s);
    for (int f = 0; f < system->force_count; f++)
        for (int k = 0; !status && k < LASHI_INPUTS; k++) {
            lashi_force *force = &system->forces[f];
            c.word = "force";
            c.owner = force->name;
            if (force->expression[k])
                status = resolve(&force->expression[k], &c, force->expression[k]);
        }
    unsigned char *done = lashi_arena_alloc(c.arena, (size_t)m->read_count, 1);
    if (!status && !done)
        status = lashi_fail_memory(error);
    for (int r = 0; !status && r < m->read_count; r++)
        put_in_order(&c, r, done);
    int known;
    for (int i = 0; !status && i < m->order_count; i++) {
        lashi_read *read = &m->reads[m->order[i]];
        status = check_rates(&c, "signal", m->signals[read->index].name, read->expression, &known);
        read->known = known;
    }
    for (int s = 0; !status && s < m->signal_count; s++)
        status = check_rates(&c, "signal", m->signals[s].name, m->signals[s].expression, &known);
    for (int f = 0; f < system->force_count; f++)
        for (int k = 0; !status && k < LASHI_INPUTS; k++)
            status =
                check_rates(&c, "force", system->forces[f].name, system->forces[f].expression[k], &known);
    return status;
}
