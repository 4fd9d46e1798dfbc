/* SPDX-License-Identifier: MIT
 *
 * The program is followed once with a stack of operands: where each begins, and whether it reads the state or
 * time. Where an operation combines one that reads the state with one that is a function of time, the latter
 * does not grow any further: it becomes a part, and the program reads the part in its place. A single t
 * stays.
 *
 * An `if` is condition, branch, yes, jump, no; the operand that it leaves begins with the condition.
 */
#include "math/split.h"

#include <stdlib.h>
#include <string.h>

typedef struct operand {
    size_t start, end;
    bool state, time;
} operand;

/* An `if` whose end is still to come. */
typedef struct open_if {
    operand condition, yes;
    size_t end;
} open_if;

typedef struct follower {
    const lash_expression *e;
    operand stack[LASHI_MOST_PENDING + 1];
    int top;
    open_if ifs[LASHI_MOST_PENDING + 1];
    int open;
    bool *starts; /* [count + 1] a part begins here … */
    size_t *ends; /* [count + 1] … and ends there */
} follower;

/* `count` operands become one; functions of time combined with one of the state are marked as parts. */
static operand join(follower *f, const operand *operands, int count, size_t end) {
    operand all = {operands[0].start, end, false, false};
    for (int i = 0; i < count; i++) {
        all.state = all.state || operands[i].state;
        all.time = all.time || operands[i].time;
    }
    for (int i = 0; all.state && i < count; i++)
        if (operands[i].time && !operands[i].state && operands[i].end - operands[i].start > 1) {
            f->starts[operands[i].start] = true;
            f->ends[operands[i].start] = operands[i].end;
        }
    return all;
}

static void close_ifs(follower *f, size_t at) {
    while (f->open > 0 && f->ifs[f->open - 1].end == at) {
        const open_if *it = &f->ifs[--f->open];
        const operand three[3] = {it->condition, it->yes, f->stack[--f->top]};
        f->stack[f->top++] = join(f, three, 3, at);
    }
}

static void follow(follower *f) {
    for (size_t i = 0; i < f->e->count; i++) {
        const lashi_instruction *it = &f->e->program[i];
        close_ifs(f, i);
        if (it->code == LASHI_OP_BRANCH) {
            f->ifs[f->open++] = (open_if){.condition = f->stack[--f->top], .end = (size_t)-1};
            f->ifs[f->open - 1].condition.end = i;
            continue;
        }
        if (it->code == LASHI_OP_JUMP) {
            open_if *last = &f->ifs[f->open - 1];
            last->yes = f->stack[--f->top];
            last->yes.end = i;
            last->end = i + 1 + (size_t)it->value;
            continue;
        }
        const int effect = lashi_program_effect(it->code), taken = 1 - effect;
        if (effect == 1) {
            f->stack[f->top++] = (operand){i, i + 1, it->code == LASHI_OP_READ, it->code == LASHI_OP_TIME};
            continue;
        }
        f->top -= taken;
        f->stack[f->top] = join(f, &f->stack[f->top], taken, i + 1);
        f->top++;
    }
    close_ifs(f, f->e->count);
}

static lash_expression *cut_out(const lashi_instruction *program, size_t count) {
    lash_expression *part = calloc(1, sizeof *part);
    lashi_instruction *copy = malloc(count * sizeof *copy);
    if (!part || !copy) {
        free(part);
        free(copy);
        return NULL;
    }
    memcpy(copy, program, count * sizeof *copy);
    part->program = copy;
    part->count = count;
    part->breaks = true; // the search finds none where there are none
    return part;
}

/* The program with its parts replaced. */
static bool replace(lash_expression *e, const follower *f, size_t *moved) {
    size_t out = 0;
    for (size_t i = 0; i < e->count; out++) {
        moved[i] = out;
        if (!f->starts[i]) {
            e->program[out] = e->program[i];
            i++;
            continue;
        }
        lash_expression *part = cut_out(&e->program[i], f->ends[i] - i);
        if (!part)
            return false;
        e->parts[e->part_count] = part;
        e->program[out] = (lashi_instruction){LASHI_OP_READ, e->program[i].column,
                                              (double)(e->name_count + e->part_count++)};
        for (size_t k = i; k < f->ends[i]; k++)
            moved[k] = out;
        i = f->ends[i];
    }
    moved[e->count] = out;
    e->count = out;
    return true;
}

bool lashi_split_time(lash_expression *e) {
    const size_t count = e->count;
    follower f = {
        .e = e, .starts = calloc(count + 1, sizeof *f.starts), .ends = calloc(count + 1, sizeof *f.ends)};
    size_t *moved = calloc(count + 1, sizeof *moved), *targets = calloc(count + 1, sizeof *targets),
           parts = 0;
    bool ok = f.starts && f.ends && moved && targets;
    if (ok) {
        follow(&f);
        for (size_t i = 0; i < count; i++)
            parts += f.starts[i];
        e->parts = parts ? calloc(parts, sizeof *e->parts) : NULL;
        ok = !parts || e->parts;
    }
    if (ok && parts) {
        // Where branches and jumps lead, before and after.
        for (size_t i = 0; i < count; i++)
            if (e->program[i].code == LASHI_OP_BRANCH || e->program[i].code == LASHI_OP_JUMP)
                targets[i] = i + 1 + (size_t)e->program[i].value;
        ok = replace(e, &f, moved);
        for (size_t i = 0; ok && i < count; i++) {
            lashi_instruction *it = &e->program[moved[i]];
            if (targets[i] && (it->code == LASHI_OP_BRANCH || it->code == LASHI_OP_JUMP))
                it->value = (double)(moved[targets[i]] - moved[i] - 1);
        }
    }
    free(f.starts);
    free(f.ends);
    free(moved);
    free(targets);
    return ok;
}
