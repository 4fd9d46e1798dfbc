/* SPDX-License-Identifier: MIT
 *
 * From a compiled system to the text of its evaluation (write.h). The order of operations is that of
 * lashi_evaluate, so that both give the same bits.
 */
#include "compile/write.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "contact/film_groove.h"
#include "contact/films.h"
#include "contact/friction_laws.h"
#include "integrate/dop853_sums.h"
#include "math/table_value.h"
#include "sim/sim.h"

enum { MOST_ROWS = 48 }; /* with more rows the elimination becomes too long for a compiler */
enum { MOST_TABLES = 64, MOST_SWITCHES = 63, MOST_CONTACTS = 63 }; /* in an ensemble, … */
enum {
    MOST_MODES = 16
}; /* … contacts of a machine with three modes: impacts grow with the square of them; … */
enum {
    FEW_GRIPS = 16,
    MOST_GRIPS = 24
}; /* … and places where friction depends on reactions: equations grow
                                             with their cube, and beyond a few they are loops */

static const double NONE = 1e300; /* a limit that is none: infinity is no constant of C */

typedef struct writer {
    lashi_text *text;
    const lash_system *system;
    const lashi_workspace *w;
    const lashi_looks *looks; /* of an ensemble; NULL: the evaluation alone */
    bool weigh;               /* contacts, in an ensemble */
    bool changes;      /* contacts that are constraints at times, or friction that sticks, in an ensemble */
    bool in_workspace; /* frames are in the workspace, for functions of the library … */
    bool all_in_workspace;                /* … or all that is found */
    bool full;                            /* out of memory */
    bool first;                           /* of a list */
    const lash_table *table[MOST_TABLES]; /* over the motion, that have been written, … */
    int tables;                           /* … and how many there are */
} writer;

/* ---- pieces of text ---- */

/* Room for so many more bytes and the zero at the end. */
static char *room(writer *e, size_t more) {
    lashi_text *t = e->text;
    if (t->capacity - t->length <= more) {
        const size_t capacity = 2 * (t->capacity + more) + 4096;
        char *larger = realloc(t->text, capacity);
        if (!larger) {
            e->full = true;
            return NULL;
        }
        t->text = larger;
        t->capacity = capacity;
    }
    return t->text + t->length;
}

static void put(writer *e, const char *bytes, size_t count) {
    char *at = room(e, count);
    if (!at)
        return;
    memcpy(at, bytes, count);
    at[count] = '\0';
    e->text->length += count;
}

static void put_count(writer *e, unsigned long long value, bool negative) {
    char digits[24], *first = digits + sizeof digits;
    do
        *--first = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    if (negative)
        *--first = '-';
    put(e, first, (size_t)(digits + sizeof digits - first));
}

/* %s, %d and %zu, of which a text has thousands, are printed here, the others by the library. */
static void say_list(writer *e, const char *format, va_list arguments) {
    for (;;) {
        const size_t plain = (size_t)(strchrnul(format, '%') - format);
        put(e, format, plain);
        format += plain;
        if (format[0] == '\0')
            return;
        if (format[1] == 's') {
            const char *text = va_arg(arguments, const char *);
            put(e, text, strlen(text));
            format += 2;
        } else if (format[1] == 'd') {
            const int value = va_arg(arguments, int);
            put_count(e, value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value, value < 0);
            format += 2;
        } else if (format[1] == 'z' && format[2] == 'u') {
            put_count(e, va_arg(arguments, size_t), false);
            format += 3;
        } else {
            break;
        }
    }
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *at = length < 0 ? NULL : room(e, (size_t)length);
    if (at)
        e->text->length += (size_t)vsnprintf(at, (size_t)length + 1, format, arguments);
    else
        e->full = true;
}

__attribute__((format(printf, 2, 3))) static void say(writer *e, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say_list(e, format, arguments);
    va_end(arguments);
}

/* A name for a comment, without characters that could end the comment or the line. */
static void say_name(writer *e, const char *name) {
    for (const char *c = name; *c; c++)
        put(e, isalnum((unsigned char)*c) || strchr(" _-.'", *c) ? c : "_", 1);
}

static void comment(writer *e, const char *what, const char *name) {
    say(e, "    // %s ", what);
    say_name(e, name);
    say(e, "\n");
}

/* A number: as it is, or as a place in the list. */
static void listed(writer *e, double value) {
    say(e, "N(%zu)", e->text->number_count);
    if (!lashi_append(e->text->numbers, e->text->number_count, e->text->number_capacity, value))
        e->full = true;
}

static void number(writer *e, double value) {
    if (value == 0 && !signbit(value))
        say(e, "0");
    else if (fabs(value) == 1)
        say(e, value > 0 ? "1" : "-1");
    else
        listed(e, value);
}

static void object(writer *e, const void *pointer) {
    say(e, "o[%zu]", e->text->object_count);
    if (!lashi_append(e->text->objects, e->text->object_count, e->text->object_capacity, pointer))
        e->full = true;
}

/* The next item of an initialiser; its name is formatted as by printf. */
__attribute__((format(printf, 2, 3))) static void next(writer *e, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(e, "%s.", e->first ? "" : ", ");
    say_list(e, format, arguments);
    say(e, " = ");
    va_end(arguments);
    e->first = false;
}
static bool is_zero(double value) {
    return value == 0 && !signbit(value);
}
/* Items with their values; what is zero is left out. */
#define item(e, value, ...)          (is_zero(value) ? (void)0 : (next(e, __VA_ARGS__), number(e, value)))
#define item_int(e, value, ...)      ((value) == 0 ? (void)0 : (next(e, __VA_ARGS__), say(e, "%d", value)))
#define item_object(e, pointer, ...) ((pointer) ? (next(e, __VA_ARGS__), object(e, pointer)) : (void)0)
static void item_list(writer *e, const char *name, const double *values, int count) {
    for (int k = 0; k < count; k++)
        item(e, values[k], "%s[%d]", name, k);
}
static void item_vec2(writer *e, const char *name, lashi_vec2 v) {
    item(e, v.x, "%s.x", name);
    item(e, v.y, "%s.y", name);
}
static void item_vec3(writer *e, const char *name, lashi_vec3 v) {
    item_vec2(e, name, (lashi_vec2){v.x, v.y});
    item(e, v.z, "%s.z", name);
}
static void item_vec3_at(writer *e, const char *name, int slot, lashi_vec3 v) {
    item(e, v.x, "%s[%d].x", name, slot);
    item(e, v.y, "%s[%d].y", name, slot);
    item(e, v.z, "%s[%d].z", name, slot);
}
static void item_vec2_at(writer *e, const char *name, int slot, lashi_vec2 v) {
    item_vec3_at(e, name, slot, (lashi_vec3){v.x, v.y, 0});
}
/* Axes of a slot. */
static void item_triad(writer *e, const char *name, int slot, const lashi_vec3 a[3]) {
    for (int k = 0; k < 3; k++) {
        item(e, a[k].x, "%s[%d][%d].x", name, slot, k);
        item(e, a[k].y, "%s[%d][%d].y", name, slot, k);
        item(e, a[k].z, "%s[%d][%d].z", name, slot, k);
    }
}
static void item_bodies(writer *e, const int *body, int count) {
    next(e, "body");
    for (int k = 0; k < count; k++)
        say(e, "%s%d", k ? ", " : "{", body[k]);
    say(e, "}");
}
static void begin(writer *e, const char *type, const char *name, int index) {
    say(e, "    const %s %s%d = {", type, name, index);
    e->first = true;
}
static void end(writer *e) {
    say(e, e->first ? "0};\n" : "};\n");
}

/* ---- what the structs of the library hold ---- */

/* Declares a geometry before what points to it. */
static void geometry(writer *e, const char *name, const lashi_geometry *g) {
    if (!g)
        return;
    say(e, "    const lashi_geometry %s = {", name);
    e->first = true;
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        item_vec3_at(e, "s", slot, g->s[slot]);
        item_triad(e, "a", slot, g->a[slot]);
    }
    end(e);
}

static void coordinate(writer *e, const char *prefix, const lashi_coordinate *c, const char *shape) {
    item_int(e, (int)c->type, "%stype", prefix);
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        item_int(e, c->body[slot], "%sbody[%d]", prefix, slot);
        item(e, c->s[slot].x, "%ss[%d].x", prefix, slot);
        item(e, c->s[slot].y, "%ss[%d].y", prefix, slot);
    }
    item(e, c->axis.x, "%saxis.x", prefix);
    item(e, c->axis.y, "%saxis.y", prefix);
    item_int(e, c->counted, "%scounted", prefix);
    item_int(e, c->tilts, "%stilts", prefix);
    if (c->geometry) {
        next(e, "%sgeometry", prefix);
        say(e, "&%s", shape);
    }
}

/* Expressions and tables: in an ensemble they are written into the text, else the library evaluates them. */

/* Where the coefficients of a table are among what all members share; where that is, the ensemble decides. */
static void shared_place(writer *e, lashi_shared_table shared) {
    const lashi_text *t = e->text;
    size_t k = 0;
    while (k < t->shared_count && (t->shared[k].coefficients != shared.coefficients ||
                                   isnan(t->shared[k].fine) != isnan(shared.fine)))
        k++;
    shared.number = k < t->shared_count ? t->shared[k].number : t->number_count;
    say(e, "(const double *)o + (long)N(%zu)", shared.number);
    if (k == t->shared_count &&
        (!lashi_append(e->text->numbers, e->text->number_count, e->text->number_capacity, 0.0) ||
         !lashi_append(e->text->shared, e->text->shared_count, e->text->shared_capacity, shared)))
        e->full = true;
}

/* A table, with its sights where it is over the motion. Its columns are one block. */
static void table_before(writer *e, const char *name, const lash_table *t, bool over_motion) {
    static const char *const columns[] = {"x", "y", "P", "Q", "integral"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    if (!e->looks || !t)
        return;
    const double fine = over_motion ? LASHI_TABLE_KNOT * e->system->model->run.rtol : (double)NAN;
    say(e, "    const double *const %s_points = ", name);
    shared_place(
        e, (lashi_shared_table){
               .coefficients = t->x, .size = COLUMNS * t->count * sizeof *t->x, .points = t, .fine = fine});
    say(e,
        ";\n    const lash_table %s_table = {.interpolation = %d, .beyond = %d, .periodic = %d, .count = "
        "%zu, "
        ".even = %d, .density = ",
        name, (int)t->interpolation, (int)t->beyond, (int)t->periodic, t->count, (int)t->even);
    listed(e, t->density);
    for (size_t k = 0; k < COLUMNS; k++)
        say(e, ", .%s = (double *)(size_t)(%s_points + %zu)", columns[k], name, k * t->count);
    say(e, "};\n");
    if (over_motion)
        say(e, "    const double *const %s_sight = %s_points + %zu;\n    (void)%s_sight;\n", name, name,
            COLUMNS * t->count, name);
}

/* A table over the motion is read at the place that the text says: no step of a member may pass over what it does not see, and
 * where the table has ended a member cannot be. */
static bool ends(const lash_table *table) {
    return !table->periodic && table->beyond == LASH_BEYOND_ERROR;
}
static void table_place(writer *e, const lash_table *table, const char *name, const char *place, int depth) {
    const int k = e->tables++;
    if (k < MOST_TABLES)
        e->table[k] = table;
    say(e, "    tables[%d] = %s", k, place);
    if (depth)
        say(e, "[%d].f", depth - 1);
    say(e, ";\n");
    if (ends(table))
        say(e, "    refused |= lashi_table_passes(&(double){0}, &%s_table, tables[%d]);\n", name, k);
}

/* One instruction of an expression of the state. A switch holds the piece of its mode, and says how far its d is
 * beyond that; tables are read where they are. */
static void state_step(writer *e, const char *name, const lash_expression *x, size_t i, int depth) {
    const lashi_instruction *it = &x->program[i];
    const int slot = x->switches[i];
    char own[96];
    if (it->code == LASHI_OP_READ) {
        say(e, "    %s_at[%d] = reads[%d];\n", name, depth, (int)it->value);
    } else if (it->code == LASHI_OP_TABLE) {
        const lash_table *table = x->tables[(int)it->value];
        char place[96];
        snprintf(place, sizeof place, "%s_at", name);
        snprintf(own, sizeof own, "%s_%zu", name, i);
        table_before(e, own, table, true);
        table_place(e, table, own, place, depth);
        say(e,
            "    const lashi_jet %s_value = lashi_table_jet(&%s_table, %s_at[%d].f);\n"
            "    %s_at[%d] = lashi_jet_chain(%s_at[%d], %s_value.f, %s_value.df, %s_value.ddf);\n",
            own, own, name, depth - 1, name, depth - 1, name, depth - 1, own, own, own);
    } else if (slot >= 0) {
        say(e,
            "    lashi_jet %s_made%zu[3];\n    lashi_switch_decide(%s_made%zu, %d, modes[%d]);\n"
            "    number[%d] = lashi_switch_number(%d, %s_at + %d).f;\n"
            "    beyond[%d] = beyond_piece(%d, modes[%d], number[%d]);\n"
            "    lashi_program_step(%s_at + %d, %s_made%zu + 3, &%s_step%zu, t);\n",
            name, i, name, i, (int)it->code, slot, slot, (int)it->code, name, depth, slot, (int)it->code,
            slot, slot, name, depth, name, i, name, i);
    } else {
        say(e, "    lashi_program_step(%s_at + %d, %s_at + %d, &%s_step%zu, t);\n", name, depth, name, depth,
            name, i);
    }
}

/* The program of an expression, written out: one stack at t, and for one of time another at the time that decides
 * about pieces. */
static void expression_before(writer *e, const char *name, const lash_expression *x) {
    static const char *const stacks[] = {"at", "inside"}, *const times[] = {"t", "f[0].inside"};
    if (!e->looks || !x)
        return;
    const bool of_state = lashi_expression_reads_state(x);
    int depth = 0;
    bool *to = calloc(x->count + 1, sizeof *to); // instructions that are the target of a branch or jump
    if (!to) {
        e->full = true;
        return;
    }
    say(e, "    lashi_jet %s_at[LASHI_MOST_PENDING], %s_inside[LASHI_MOST_PENDING];\n", name, name);
    for (size_t i = 0; i <= x->count; i++) {
        if (to[i])
            say(e, "%s_%zu:;\n", name, i);
        if (i == x->count)
            break;
        const lashi_instruction *it = &x->program[i];
        const size_t away = i + 1 + (size_t)(it->value > 0 ? it->value : 0);
        if (it->code == LASHI_OP_BRANCH || it->code == LASHI_OP_JUMP) {
            if (it->code == LASHI_OP_BRANCH)
                say(e, "    if (%s_%s[%d].f == 0)\n    ", name, stacks[!of_state], depth - 1);
            say(e, "    goto %s_%zu;\n", name, away);
            to[away] = true;
        } else {
            if (it->code == LASHI_OP_SIN || it->code == LASHI_OP_COS)
                say(e, "    if (!(fabs(%s_at[%d].f) <= LASHI_TRIG_RANGE))\n        return 1;\n", name,
                    depth - 1);
            say(e, "    const lashi_instruction %s_step%zu = {%d, 0, ", name, i, (int)it->code);
            number(e, it->code == LASHI_OP_CONSTANT ? it->value : 0);
            say(e, "};\n");
            if (of_state)
                state_step(e, name, x, i, depth);
            for (int k = 0; !of_state && k < 2; k++)
                say(e, "    lashi_program_step(%s_%s + %d, %s_inside + %d, &%s_step%zu, %s);\n", name,
                    stacks[k], depth, name, depth, name, i, times[k]);
        }
        depth += lashi_program_effect(it->code);
    }
    free(to);
    say(e, "    const lashi_given %s_given = {.jet = %s_at[0]};\n", name, name);
}

/* A field that points to one of them; `what`: its name in the text. */
static void item_function(writer *e, const char *field, const void *pointer, const char *name,
                          const char *what) {
    if (pointer && e->looks) {
        next(e, "%s", field);
        say(e, "&%s_%s", name, what);
    } else {
        item_object(e, pointer, "%s", field);
    }
}
static void item_expression(writer *e, const char *field, const char *name, const lash_expression *x) {
    item_function(e, field, x, name, "given.as");
}
static void item_table(writer *e, const char *field, const char *name, const lash_table *t) {
    item_function(e, field, t, name, "table");
}

static void profile_before(writer *e, const char *name, const lashi_profile *p) {
    expression_before(e, name, p->expression);
    table_before(e, name, p->table, false);
}
static void profile(writer *e, const char *prefix, const char *name, const lashi_profile *p) {
    char field[64];
    item_int(e, (int)p->type, "%stype", prefix);
    item(e, p->start, "%sstart", prefix);
    item(e, p->speed, "%sspeed", prefix);
    item(e, p->from, "%sfrom", prefix);
    item(e, p->to, "%sto", prefix);
    item(e, p->over, "%sover", prefix);
    snprintf(field, sizeof field, "%sexpression", prefix);
    item_expression(e, field, name, p->expression);
    snprintf(field, sizeof field, "%stable", prefix);
    item_table(e, field, name, p->table);
}

static void constraint(writer *e, const lashi_constraint *c, const char *name, int index) {
    char shape[3][64];
    const lashi_geometry *of[] = {c->geometry, c->coordinate.geometry, c->second.geometry};
    for (int k = 0; k < 3; k++) {
        snprintf(shape[k], sizeof shape[k], "%s%d_shape%d", name, index, k);
        geometry(e, shape[k], of[k]);
    }
    char of_time[64];
    snprintf(of_time, sizeof of_time, "%s%d_profile", name, index);
    profile_before(e, of_time, &c->profile);
    begin(e, "lashi_constraint", name, index);
    item_int(e, c->type, "type");
    item_int(e, c->rows, "rows");
    item_bodies(e, c->body, LASHI_LINKS);
    item_vec2(e, "s[0]", c->s[0]);
    item_vec2(e, "s[1]", c->s[1]);
    item_vec2(e, "axis", c->axis);
    item_vec2(e, "offset", c->offset);
    item(e, c->angle, "angle");
    item(e, c->length, "length");
    item_list(e, "radius", c->radius, LASHI_SLOTS);
    item_vec3(e, "offset3", c->offset3);
    if (e->looks && c->rubbing.radius > 0) {
        item(e, c->rubbing.radius, "rubbing.radius");
        item(e, fmin(c->rubbing.length, NONE), "rubbing.length");
        item(e, fmin(c->rubbing.width, NONE), "rubbing.width");
    }
    coordinate(e, "coordinate.", &c->coordinate, shape[1]);
    coordinate(e, "second.", &c->second, shape[2]);
    profile(e, "profile.", of_time, &c->profile);
    if (c->geometry) {
        next(e, "geometry");
        say(e, "&%s", shape[0]);
    }
    end(e);
}

/* moves: with how it moves in time. */
static void absorbed(writer *e, const lashi_absorbed *a, int index, bool moves) {
    char shape[64], of_time[64];
    snprintf(shape, sizeof shape, "absorbed%d_shape", index);
    snprintf(of_time, sizeof of_time, "absorbed%d_profile", index);
    geometry(e, shape, a->joint.geometry);
    if (moves)
        profile_before(e, of_time, &a->drive.profile);
    begin(e, "lashi_absorbed", "absorbed", index);
    item_int(e, (int)a->kind, "kind");
    item_int(e, a->body, "body");
    item_int(e, a->slot, "slot");
    item_int(e, a->along, "along");
    item(e, a->sign, "sign");
    item(e, a->across, "across");
    item(e, a->angle, "angle");
    item(e, a->c, "c");
    item(e, a->s, "s");
    item_vec3(e, "axis", a->axis);
    item_vec3(e, "own", a->own);
    item_list(e, "p[0]", a->p[0], 4);
    item_list(e, "p[1]", a->p[1], 4);
    item_list(e, "A[0]", a->A[0], 9);
    item_list(e, "A[1]", a->A[1], 9);
    item_list(e, "A[2]", a->A[2], 9);
    item_vec3(e, "middle", a->middle);
    item_vec3(e, "arm[0]", a->arm[0]);
    item_vec3(e, "arm[1]", a->arm[1]);
    if (e->system->spatial && a->kind == LASHI_GUIDED) {
        item_vec3(e, "frame.r", a->frame.r);
        item_vec3(e, "frame.v", a->frame.v);
        item_list(e, "frame.A", a->frame.A, 9);
        item_vec3(e, "frame.spin", a->frame.spin);
        item_vec3(e, "frame.own", a->frame.own);
        item_list(e, "frame.p", a->frame.p, 4);
    }
    item_vec2(e, "joint.s[0]", a->joint.s[0]);
    item_vec2(e, "joint.s[1]", a->joint.s[1]);
    if (a->joint.geometry) {
        next(e, "joint.geometry");
        say(e, "&%s", shape);
    }
    if (moves)
        profile(e, "drive.profile.", of_time, &a->drive.profile);
    end(e);
}

static void force(writer *e, const lashi_force *f, int index) {
    char shape[2][64];
    const lashi_geometry *of[] = {f->coordinate.geometry, f->over.geometry};
    for (int k = 0; k < 2; k++) {
        snprintf(shape[k], sizeof shape[k], "force%d_shape%d", index, k);
        geometry(e, shape[k], of[k]);
    }
    char own[64], parts[LASHI_INPUTS][64];
    snprintf(own, sizeof own, "force%d", index);
    table_before(e, own, f->table, true);
    for (int k = 0; k < LASHI_INPUTS; k++) {
        snprintf(parts[k], sizeof parts[k], "force%d_part%d", index, k);
        expression_before(e, parts[k], f->expression[k]);
    }
    begin(e, "lashi_force", "force", index);
    item_int(e, f->type, "type");
    item_int(e, f->index, "index");
    item_bodies(e, f->body, LASHI_SLOTS);
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        item_vec2_at(e, "s", slot, f->s[slot]);
        item_vec3_at(e, "s3", slot, f->s3[slot]);
        item_triad(e, "triad", slot, f->triad[slot]);
    }
    item_int(e, f->in_body_axes, "in_body_axes");
    coordinate(e, "coordinate.", &f->coordinate, shape[0]);
    coordinate(e, "over.", &f->over, shape[1]);
    item(e, f->stiffness, "stiffness");
    item(e, f->damping, "damping");
    item(e, f->rest, "rest");
    item_vec2(e, "direction", f->direction);
    for (int k = 0; k < LASHI_INPUTS; k++) {
        char field[64];
        snprintf(field, sizeof field, "expression[%d]", k);
        item_expression(e, field, parts[k], f->expression[k]);
    }
    item_table(e, "table", own, f->table);
    item(e, f->stored, "stored");
    item_int(e, f->spatial, "spatial");
    item_vec3(e, "direction3", f->direction3);
    item_list(e, "along", f->along, 3);
    item_list(e, "about", f->about, 3);
    item_list(e, "damping_along", f->damping_along, 3);
    item_list(e, "damping_about", f->damping_about, 3);
    end(e);
}

/* Numbers of a contact that an evaluation reads. */
#define NUMBER(field)                                                                                        \
    { #field, LASHI_NUMBER(field) }
#define VECTOR(field) NUMBER(field.x), NUMBER(field.y), NUMBER(field.z)
/* Those of a friction law, of a contact or of an ideal joint. */
#define FRICTION_NUMBERS(X)                                                                                  \
    X(kinetic) X(still) X(v0) X(v1) X(vr) X(stribeck_speed) X(viscous) X(sigma0) X(sigma1)
#define OF_CONTACT(field) NUMBER(friction.field),
static const struct contact_number {
    const char *name;
    size_t at;
} contact_numbers[] = {
    NUMBER(s[0].x),
    NUMBER(s[0].y),
    NUMBER(s[1].x),
    NUMBER(s[1].y),
    VECTOR(s3[0]),
    VECTOR(s3[1]),
    VECTOR(axis),
    VECTOR(across),
    NUMBER(size.bearing_radius),
    NUMBER(size.journal_radius),
    NUMBER(size.clearance),
    NUMBER(size.journal_arm),
    NUMBER(size.bearing_arm),
    NUMBER(size.carried),
    NUMBER(normal.stiffness),
    NUMBER(normal.exponent),
    NUMBER(normal.h),
    NUMBER(normal.viscous),
    NUMBER(normal.unloading),
    NUMBER(normal.cylinder.delta_limit),
    NUMBER(normal.cylinder.force_limit),
    NUMBER(normal.speed_floor),
    FRICTION_NUMBERS(OF_CONTACT) NUMBER(film.viscosity),
    NUMBER(film.radius),
    NUMBER(film.clearance),
    NUMBER(film.length_ratio),
    NUMBER(film.scale),
    NUMBER(film.shear),
    NUMBER(film.groove[0]),
    NUMBER(film.groove[1]),
    NUMBER(hybrid.e0),
    NUMBER(hybrid.e1),
    NUMBER(mesh.radius[0]),
    NUMBER(mesh.radius[1]),
    NUMBER(mesh.zero),
    NUMBER(mesh.distance),
    NUMBER(mesh.angle),
    NUMBER(mesh.cosine),
    NUMBER(mesh.sine),
    NUMBER(mesh.unit),
    NUMBER(mesh.half),
    NUMBER(mesh.teeth),
    NUMBER(sign),
    NUMBER(wall),
    NUMBER(worn_origin),
    NUMBER(worn_pitch),
    VECTOR(mark),
};

/* Identifiers of kinds and laws, which are also their files. */
static const char *const contact_files[] = {
#define CONTACT_FILE(id) #id,
    LASHI_CONTACT_LIST(CONTACT_FILE)};
static const char *const friction_files[] = {
#define FRICTION_FILE(id) #id,
    LASHI_FRICTION_LAWS(FRICTION_FILE)};
static const char *const film_files[] = {
#define FILM_FILE(id) #id,
    LASHI_FILMS(FILM_FILE)};
static const char *const joint_files[] = {
#define JOINT_FILE(id) #id,
    LASHI_JOINT_LIST(JOINT_FILE, JOINT_FILE, JOINT_FILE)};
static const char *const force_files[] = {
#define FORCE_FILE(id) #id,
    LASHI_FORCE_LIST(FORCE_FILE)};

static size_t friction_index(const lashi_friction *friction) {
    size_t k = 0;
    while (lashi_friction_laws[k] != friction->kind)
        k++;
    return k;
}

static size_t film_index(const lashi_film *film) {
    size_t k = 0;
    while (lashi_films[k] != film->kind)
        k++;
    return k;
}

/* The table of a film: the library's own, or in an ensemble a copy of it in what all members share; where that is,
 * the ensemble decides. */
static void item_film_table(writer *e, const char *field, const char *type, const void *table,
                            const void *coefficients, size_t size) {
    if (!table)
        return;
    next(e, "%s", field);
    if (!e->looks) {
        object(e, table);
        return;
    }
    say(e, "(%s *)(size_t)((const char *)(", type);
    shared_place(e, (lashi_shared_table){.coefficients = coefficients, .size = size, .fine = (double)NAN});
    say(e, ") - offsetof(%s, c))", type);
}

static void contact(writer *e, const lashi_contact *c, int index) {
    char shape[2][64];
    const lashi_geometry *of[] = {c->coordinate.geometry, c->second.geometry};
    for (int k = 0; k < 2; k++) {
        snprintf(shape[k], sizeof shape[k], "contact%d_shape%d", index, k);
        geometry(e, shape[k], of[k]);
    }
    say(e, "    lashi_contact_numbers numbers%d = {", index);
    e->first = true;
    for (size_t k = 0; k < sizeof contact_numbers / sizeof *contact_numbers; k++)
        item(e, ((const double *)c->p)[contact_numbers[k].at], "%s", contact_numbers[k].name);
    end(e);
    begin(e, "lashi_contact", "contact", index);
    next(e, "p");
    say(e, "&numbers%d, .normal.p = &numbers%d.normal, .friction.p = &numbers%d.friction", index, index,
        index);
    say(e, ", .friction.kind = &lashi_friction_%s", friction_files[friction_index(&c->friction)]);
    next(e, "kind");
    say(e, "LASHI_CONTACT_%s", contact_files[c->kind]);
    item_int(e, (int)c->acts, "acts");
    item_int(e, c->plain, "plain");
    item_int(e, (int)c->model, "model");
    item_int(e, c->rubs, "rubs");
    item_bodies(e, c->body, LASHI_LINKS);
    item_int(e, (int)c->sliding, "sliding");
    item_int(e, (int)c->normal.family, "normal.family");
    item_int(e, (int)c->normal.scale, "normal.scale");
    item_int(e, c->normal.switches_at_turning, "normal.switches_at_turning");
    item_int(e, c->friction.bristle, "friction.bristle");
    item_int(e, c->dry, "dry");
    if (c->lubricated) {
        item_int(e, c->lubricated, "lubricated");
        next(e, "film.p");
        say(e, "&numbers%d.film, .film.kind = &lashi_film_%s", index, film_files[film_index(&c->film)]);
        item_int(e, c->film.full, "film.full");
        const lashi_film_table *table = c->film.table;
        const lashi_groove_table *groove = c->film.groove_table;
        item_film_table(e, "film.table", "lashi_film_table", table, table ? table->c : NULL, sizeof table->c);
        item_film_table(e, "film.groove_table", "lashi_groove_table", groove, groove ? &groove->c : NULL,
                        sizeof groove->c);
    }
    item_int(e, c->watched, "watched");
    item_int(e, c->excited, "excited");
    item_int(e, c->cornered, "cornered");
    item_int(e, c->phase, "phase");
    item_int(e, c->bristle, "bristle");
    coordinate(e, "coordinate.", &c->coordinate, shape[0]);
    coordinate(e, "second.", &c->second, shape[1]);
    item_object(e, c->worn, "worn");
    item_int(e, c->end, "end");
    item_object(e, c->mesh_stiffness, "mesh_stiffness");
    item_object(e, c->mesh_error, "mesh_error");
    end(e);
}

static void pinned(writer *e, const lashi_pinned *pin) {
    begin(e, "lashi_pinned", "pin", pin->body);
    item_int(e, pin->way, "way");
    item_vec3(e, "point", pin->point);
    item_vec3(e, "axis", pin->axis);
    item_vec3(e, "own", pin->own);
    end(e);
    say(e, "    double unit%d[LASHI_FREEDOMS];\n    lashi_pin_unit(unit%d, &pin%d, &f[%d]);\n", pin->body,
        pin->body, pin->body, pin->body);
}

/* A number for each velocity of a body. */
static void freedoms(writer *e, const char *name, int index, const double values[LASHI_FREEDOMS]) {
    say(e, "    const double %s%d[LASHI_FREEDOMS] = {", name, index);
    for (int k = 0; k < LASHI_FREEDOMS; k++) {
        say(e, "%s", k ? ", " : "");
        number(e, values[k]);
    }
    say(e, "};\n");
}

/* ---- the sources that are needed ---- */

static void include(writer *e, bool *done, const char *folder, const char *prefix, const char *name) {
    if (!*done)
        say(e, "#include \"%s/%s%s.c\"\n", folder, prefix, name);
    *done = true;
}

/* Places where friction is found with the accelerations (list_gripped). */
static int count_gripped(const lash_system *system) {
    int count = system->rub_count;
    for (int k = 0; k < system->motion.count; k++)
        count += system->motion.items[k].pressure > 0;
    return count;
}

static void includes(writer *e) {
    const lash_system *system = e->system;
    bool joints[LASHI_JOINT_contact + 1] = {0}, forces[sizeof force_files / sizeof *force_files] = {0},
                                      contacts[LASHI_CONTACT_KINDS] = {0},
                                      laws[sizeof friction_files / sizeof *friction_files] = {0},
                                      films[sizeof film_files / sizeof *film_files] = {0}, mesh = false,
                                      hybrid = false, any = false;
    bool wet = false;
    for (int k = 0; k < system->contact_count; k++)
        wet |= system->contacts[k].lubricated;
    say(e, "%s%s%s#include \"compile/kernel.h\"\n\n", wet ? "" : "#define LASHI_DRY\n",
        system->spatial ? "#define LASHI_SPACE\n" : "",
        e->looks && count_gripped(system) > FEW_GRIPS ? "#define LASHI_MANY_GRIPS\n" : "");
    say(e, "#include \"joint/coordinate.c\"\n#include \"joint/drive.c\"\n");
    for (int k = 0; k < system->motion.count; k++) {
        const int type = system->motion.items[k].type;
        if (type < LASHI_JOINT_drive)
            include(e, &joints[type], "joint", "", joint_files[type]);
    }
    for (int k = 0; k < system->force_count; k++)
        include(e, &forces[system->forces[k].type], "force", "", force_files[system->forces[k].type]);
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *c = &system->contacts[k];
        if (!any)
            say(e, "#include \"contact/normal_force.c\"\n#include \"contact/contact.c\"\n");
        any = true;
        if (c->kind >= LASHI_CONTACT_flank)
            include(e, &mesh, "contact", "", "mesh");
        const size_t law = friction_index(&c->friction);
        include(e, &laws[law], "contact", "friction_", friction_files[law]);
        if (c->lubricated) {
            const size_t film = film_index(&c->film);
            include(e, &hybrid, "contact", "", "hybrid");
            if (c->film.kind->tabulated && !films[film])
                say(e, "#include \"contact/film_table.c\"\n#include \"contact/film_groove.c\"\n");
            include(e, &films[film], "contact", "film_", film_files[film]);
        }
        if (c->kind == LASHI_CONTACT_worn_end) // each is the one before with something more
            include(e, &contacts[LASHI_CONTACT_pin_end], "contact", "", "pin_end");
        if (c->kind == LASHI_CONTACT_worn_end)
            include(e, &contacts[LASHI_CONTACT_worn_pin], "contact", "", "worn_pin");
        include(e, &contacts[c->kind], "contact", "", contact_files[c->kind]);
    }
    for (int r = 0; e->looks && r < system->rub_count; r++) {
        const size_t law = friction_index(&system->rubs[r].law);
        include(e, &laws[law], "contact", "friction_", friction_files[law]);
    }
    if (e->looks && system->machine.read_count)
        say(e, "#include \"dynamics/reads.c\"\n");
    // Of the kinds only films are asked for.
    say(e, "\nconst lashi_contact_kind *const lashi_contact_kinds[LASHI_CONTACT_KINDS] = {0");
    for (int k = 0; k < system->contact_count; k++)
        if (system->contacts[k].lubricated && contacts[system->contacts[k].kind]) {
            const char *kind = contact_files[system->contacts[k].kind];
            say(e, ", [LASHI_CONTACT_%s] = &lashi_contact_%s", kind, kind);
            contacts[system->contacts[k].kind] = false; // once
        }
    say(e, "};\n\n");
}

/* ---- S ---- */

/* Rows that stay, the first column of each, and that which ldlt.c reads first, as there. */
typedef struct kept {
    int count, row[MOST_ROWS], first[MOST_ROWS], begin[MOST_ROWS];
} kept;

static kept keep(const writer *e) {
    const lashi_constraint_set *set = &e->system->motion;
    int place[MOST_ROWS] = {0};
    kept k = {0};
    for (int r = 0; r < set->redundant; r++)
        place[e->w->constraints.repeats[r]] = -1;
    for (int i = 0; i < set->rows; i++) {
        if (place[i] < 0)
            continue;
        int first = set->ldlt.first[i];
        while (place[first] < 0)
            first++;
        k.row[k.count] = i;
        place[i] = k.count;
        k.first[k.count++] = place[first];
    }
    for (int i = k.count - 1, least = k.count; i >= 0; i--) {
        least = k.first[i] < least ? k.first[i] : least;
        k.begin[i] = k.begin[i | 1] = least & ~1;
    }
    return k;
}

/* The row of a contact that is a constraint. */
static int row_of(const lash_system *system, int k) {
    return system->motion.items[system->contacts[k].constraint].first_row;
}

static void matrix(writer *e) {
    const lashi_constraint_set *set = &e->system->motion;
    const double *steady = e->w->constraints.S_steady;
    const int n = set->rows;
    for (int i = 0; i < n; i++)
        for (int j = set->ldlt.first[i]; j <= i; j++) {
            say(e, "    S[%d] = ", i * n + j);
            number(e, steady ? steady[i * n + j] : 0);
            say(e, ";\n");
        }
    const int turning = e->system->turning, width = e->system->width;
    for (int k = 0; k < set->block_count; k++) {
        const lashi_block *b = &set->blocks[k];
        if (steady && b->kept)
            continue;
        const int first = steady && b->steady ? turning : 0;
        say(e, "    lashi_add_products(S + %d, %d, J + %d, %d, J + %d, %d, inverse%d", b->at, b->stride,
            b->J_a, b->rows_a, b->J_b, b->rows_b, b->body);
        if (b->single)
            say(e, " + %d, 0, 1);\n", b->way);
        else
            say(e, ", %d, %d);\n", first, width - first);
    }
    for (int k = 0; k < e->system->contact_count; k++)
        if (e->system->contacts[k].constraint >= 0)
            say(e, "    if (!holds%d)\n        S[%d] = 1;\n", k, row_of(e->system, k) * (n + 1));
}

static void eliminate(writer *e) {
    const int n = e->system->motion.rows;
    if (n == 2 && e->system->motion.redundant == 0) {
        // An evaluation goes on to its end, so that the compiler can mix what comes before and after.
        say(e, "    refused |= lashi_pair_factor(S, pivots) >= 0;\n");
        return;
    }
    const kept k = keep(e);
    for (int i = 0; i < k.count; i++) {
        const int *row = k.row, fi = k.first[i];
        for (int j = fi; j < i; j++) {
            say(e, "    const double u%d_%d = S[%d]", i, j, row[i] * n + row[j]);
            for (int m = k.first[j] > fi ? k.first[j] : fi; m < j; m++)
                say(e, " - u%d_%d * l%d_%d", i, m, j, m);
            say(e, ";\n");
        }
        say(e, "    double d%d = S[%d];\n    const double least%d = LASHI_PIVOT_SHARE * d%d;\n", i,
            row[i] * n + row[i], i, i);
        for (int m = fi; m < i; m++)
            say(e, "    const double l%d_%d = u%d_%d * v%d;\n    d%d -= u%d_%d * l%d_%d;\n", i, m, i, m, m, i,
                i, m, i, m);
        say(e, "    if (!(d%d > least%d))\n        return 1;\n    const double v%d = 1 / d%d;\n", i, i, i, i);
    }
    // The factor as ldlt.c leaves it: L, and its columns as rows above the diagonal.
    for (int i = 0; i < k.count; i++) {
        say(e, "    pivots[%d] = v%d;\n", i, i);
        for (int m = k.begin[i]; m < i; m++) {
            if (m < k.first[i])
                say(e, "    S[%d] = S[%d] = 0;\n", i * n + m, m * n + i);
            else
                say(e, "    S[%d] = S[%d] = l%d_%d;\n", i * n + m, m * n + i, i, m);
        }
    }
}

/* Whether multipliers must be those of least norm, which the library finds. */
static bool shares(const lashi_workspace *w) {
    return w->constraints.shares && w->system->motion.redundant > 0;
}

static void solve(writer *e, const char *x) {
    const int n = e->system->motion.rows;
    if (n == 2 && e->system->motion.redundant == 0) {
        say(e, "    lashi_pair_solve(S, pivots, %s);\n", x);
        return;
    }
    const kept k = keep(e);
    const int *row = k.row;
    for (int i = 0; i < k.count; i++)
        for (int m = k.first[i]; m < i; m++)
            say(e, "    %s[%d] -= l%d_%d * %s[%d];\n", x, row[i], i, m, x, row[m]);
    for (int i = 0; i < k.count; i++)
        say(e, "    %s[%d] *= v%d;\n", x, row[i], i);
    for (int i = k.count - 1; i > 0; i--)
        for (int m = k.first[i]; m < i; m++)
            say(e, "    %s[%d] -= l%d_%d * %s[%d];\n", x, row[m], i, m, x, row[i]);
    for (int r = 0; r < e->system->motion.redundant; r++)
        say(e, "    %s[%d] = 0;\n", x, e->w->constraints.repeats[r]);
    if (shares(e->w))
        say(e, "    host->share(w, %s);\n", x);
}

/* ---- the evaluation ---- */

static bool is_prescribed(const lash_system *system, int body) {
    return system->moves[body] == LASHI_MOVES_NOT;
}

static const char *const absorbed_kinds[] = {
    [LASHI_PRESCRIBED] = "driven body", [LASHI_GUIDED] = "guided body", [LASHI_PINNED] = "pinned body"};

/* Sine and cosine of a body's angle, together with those of a body that waits for its own
 * (system/frames.c). */
static int turn(writer *e, int waiting, int body) {
    if (waiting)
        say(e,
            "    if (!again || f[%d].angle != before%d || f[%d].angle != before%d)\n"
            "        refused |= !lashi_frames_near(&f[%d], &f[%d]);\n",
            waiting, waiting, body, body, waiting, body);
    return waiting ? 0 : body;
}
/* The angle of a body that turns, as it was. */
static void before(writer *e, int body) {
    say(e, "    const double before%d = again ? f[%d].angle : 0;\n", body, body);
}

/* Of the frames, and of the accelerations of driven bodies, what depends on time and angles or Euler parameters alone. In
 * space a frame holds here half of the turn of a pinned or driven body since the start, with sine and cosine. again:
 * frames hold sines and cosines of their angles already, which are perhaps the same. */
static void turns(writer *e) {
    const lash_system *system = e->system;
    int waiting = 0;
    say(e, "LASHI_INLINE int turn(lashi_frame *restrict f, double (*restrict a)[LASHI_FREEDOMS], double t,\n"
           "                      const double *restrict y, LASHI_NUMBERS n, const void *const *o, bool "
           "again) {\n"
           "    int refused = 0;\n");
    for (int b = 1; b < system->bodies; b++) {
        if (system->moves[b] != LASHI_MOVES_FREELY)
            continue;
        comment(e, "body", system->body_names[b]);
        if (system->spatial) {
            say(e, "    lashi_matrix(f[%d].A, y + %d);\n", b, system->q_at[b] + 3);
            continue;
        }
        before(e, b);
        say(e, "    f[%d].angle = y[%d];\n", b, system->q_at[b] + 2);
        waiting = turn(e, waiting, b);
    }
    for (int k = 0; k < system->absorbed_count; k++) {
        const lashi_absorbed *item = &system->absorbed[k];
        const int b = item->body;
        if (item->kind == LASHI_GUIDED)
            continue;
        comment(e, absorbed_kinds[item->kind], system->body_names[b]);
        absorbed(e, item, k, true);
        before(e, b);
        if (item->kind == LASHI_PRESCRIBED)
            say(e, "    lashi_prescribe_turn(&f[%d], a[%d], &absorbed%d, t, f[0].inside);\n", b, b, k);
        else
            say(e, "    f[%d].angle = y[%d];\n", b, system->q_at[b]);
        if (system->spatial)
            say(e, "    f[%d].angle = lashi_half_turn(&absorbed%d, f[%d].angle);\n", b, k, b);
        waiting = turn(e, waiting, b);
    }
    if (waiting)
        say(e,
            "    if (!again || f[%d].angle != before%d)\n"
            "        lashi_sincos(f[%d].angle, &f[%d].s, &f[%d].c);\n",
            waiting, waiting, waiting, waiting, waiting);
    say(e, "    return refused;\n}\n\n");
    if (e->looks)
        return;
    say(e, "LASHI_INLINE void keep_turns(lashi_frame *restrict f, const lashi_frame *restrict found) {\n");
    for (int b = 1; b < system->bodies; b++)
        if (system->moves[b] != LASHI_MOVES_GUIDED && !lashi_turns_freely(system, b))
            say(e, "    f[%d].angle = found[%d].angle, f[%d].c = found[%d].c, f[%d].s = found[%d].s;\n", b, b,
                b, b, b, b);
    say(e, "}\n\n");
}

/* q̇, which positions and velocities determine. */
static void position_rates(writer *e) {
    const lash_system *system = e->system;
    say(e, "LASHI_INLINE void position_rates(double *restrict ydot, const double *restrict y, LASHI_NUMBERS "
           "n) {\n");
    for (int i = 0; !system->spatial && i < system->n_q; i++)
        say(e, "    ydot[%d] = y[%d];\n", i, system->v_at + i);
    for (int b = 1; system->spatial && b < system->bodies; b++) {
        const int q = system->q_at[b], v = system->v_at + system->u_at[b];
        if (system->moves[b] == LASHI_MOVES_FREELY) {
            say(e, "    lashi_rate_in_space(ydot + %d, y + %d, y + %d);\n", q, q + 3, v);
        } else if (system->moves[b] != LASHI_MOVES_NOT) {
            say(e, "    ydot[%d] = ", q);
            number(e, system->q_rate[b]);
            say(e, " * y[%d];\n", v);
        }
    }
    say(e, "}\n\n");
}

/* The rest of the frames. */
static void frames_in_plane(writer *e) {
    const lash_system *system = e->system;
    for (int b = 1; b < system->bodies; b++)
        if (system->moves[b] == LASHI_MOVES_FREELY) {
            comment(e, "body", system->body_names[b]);
            say(e, "    lashi_frame_place(&f[%d], y + %d, y + %d);\n", b, system->q_at[b],
                system->v_at + system->q_at[b]);
        }
    for (int k = 0; k < system->absorbed_count; k++) {
        const lashi_absorbed *item = &system->absorbed[k];
        const int b = item->body;
        comment(e, absorbed_kinds[item->kind], system->body_names[b]);
        absorbed(e, item, k, false);
        if (item->kind == LASHI_PRESCRIBED)
            say(e,
                "    lashi_prescribe_place(&f[%d], a[%d], absorbed%d.joint.s[%d], absorbed%d.joint.s[%d]);\n",
                b, b, k, item->slot, k, 1 - item->slot);
        else
            say(e, "    lashi_guide_in_plane(&f[%d], &absorbed%d, y[%d], y[%d]);\n", b, k, system->q_at[b],
                system->v_at + system->q_at[b]);
    }
}

static void frames_in_space(writer *e) {
    const lash_system *system = e->system;
    say(e, "    lashi_ground_in_space(&f[0]);\n    f[0].counted = y + %d;\n", system->counted_at);
    for (int b = 1; b < system->bodies; b++)
        if (system->moves[b] == LASHI_MOVES_FREELY) {
            comment(e, "body", system->body_names[b]);
            say(e, "    lashi_frame_place3(&f[%d], y + %d, y + %d);\n", b, system->q_at[b],
                system->v_at + system->u_at[b]);
        }
    for (int k = 0; k < system->absorbed_count; k++) {
        const lashi_absorbed *item = &system->absorbed[k];
        const int b = item->body;
        comment(e, absorbed_kinds[item->kind], system->body_names[b]);
        absorbed(e, item, k, false);
        if (item->kind == LASHI_PRESCRIBED) {
            say(e,
                "    lashi_turned_in_space(&f[%d], a[%d], &absorbed%d, f[%d].s, f[%d].c, f[%d].w, "
                "a[%d][2]);\n",
                b, b, k, b, b, b, b);
            continue;
        }
        if (item->kind == LASHI_PINNED)
            say(e,
                "    double known%d[LASHI_FREEDOMS];\n"
                "    lashi_turned_in_space(&f[%d], known%d, &absorbed%d, f[%d].s, f[%d].c, ",
                b, b, b, k, b, b);
        else
            say(e, "    lashi_guide_in_space(&f[%d], &absorbed%d, y[%d], ", b, k, system->q_at[b]);
        number(e, system->q_rate[b]);
        say(e, " * y[%d]%s);\n", system->v_at + system->u_at[b], item->kind == LASHI_PINNED ? ", 0" : "");
    }
    for (int k = 0; k < system->pin_count; k++)
        pinned(e, &system->pins[k]);
}

/* A signal without state, or what one with a state is made of. */
static void signal_expression(writer *e, const char *name, int index, const lash_expression *x, int pass) {
    char own[64];
    snprintf(own, sizeof own, "%s%d_%d", name, index, pass);
    expression_before(e, own, x);
}

/* What expressions of the state read, in the order of dynamics/reads.c. */
static void read_one(writer *e, int r) {
    const lash_system *system = e->system;
    const lashi_machine *m = &system->machine;
    const lashi_read *read = &m->reads[r];
    char own[64];
    snprintf(own, sizeof own, "read%d", r);
    switch (read->kind) {
    case LASHI_READ_BODY:
        say(e, "    reads[%d] = lashi_read_body(&f[%d], NULL, %d, %d);\n", r, read->index, system->spatial,
            read->component);
        break;
    case LASHI_READ_COORDINATE: {
        char shape[80];
        snprintf(shape, sizeof shape, "%s_shape", own);
        geometry(e, shape, read->coordinate.geometry);
        begin(e, "lashi_coordinate", "read", r);
        coordinate(e, "", &read->coordinate, shape);
        end(e);
        say(e, "    reads[%d] = lashi_read_coordinate(&read%d, f, NULL, %d, %d);\n", r, r, system->width,
            read->component);
        break;
    }
    case LASHI_READ_LENGTH: {
        const lashi_force *force = &system->forces[read->index];
        begin(e, "lashi_force", "read", r);
        item_bodies(e, force->body, LASHI_SLOTS);
        for (int slot = 0; slot < LASHI_SLOTS; slot++) {
            item_vec2_at(e, "s", slot, force->s[slot]);
            item_vec3_at(e, "s3", slot, force->s3[slot]);
        }
        end(e);
        say(e, "    reads[%d] = lashi_read_length(&read%d, f, NULL, %d, %d);\n", r, r, system->spatial,
            read->component);
        break;
    }
    case LASHI_READ_INPUT: {
        const lash_input_def *input = m->inputs[read->index];
        table_before(e, own, input->table, false);
        say(e, "    reads[%d] = ", r);
        if (input->table) {
            say(e, "lashi_table_jet_in(&%s_table, t, f[0].inside);\n", own);
        } else {
            say(e, "lashi_jet_constant(");
            number(e, input->value);
            say(e, ");\n");
        }
        break;
    }
    case LASHI_READ_STATE:
        say(e, "    reads[%d] = lashi_jet_constant(y[%d]);\n", r, m->signals[read->index].at);
        break;
    case LASHI_READ_TIME:
        expression_before(e, own, read->expression);
        say(e, "    reads[%d] = %s_given.jet;\n", r, own);
        break;
    case LASHI_READ_SIGNAL: break;
    }
}

static void reads(writer *e) {
    const lashi_machine *m = &e->system->machine;
    if (!m->read_count)
        return;
    say(e, "\n    // what expressions read\n    lashi_jet reads[%d];\n", m->read_count);
    for (int r = 0; r < m->read_count; r++)
        read_one(e, r);
    for (int pass = 0; pass < (m->state_count && m->rates ? 2 : 1); pass++) {
        for (int i = 0; i < m->order_count; i++) {
            signal_expression(e, "signal", m->order[i], m->reads[m->order[i]].expression, pass);
            say(e, "    reads[%d] = signal%d_%d_given.jet;\n", m->order[i], m->order[i], pass);
        }
        for (int s = 0; pass == 0 && s < m->signal_count; s++) {
            const lashi_signal *signal = &m->signals[s];
            if (signal->kind == LASHI_SIGNAL_VALUE)
                continue;
            comment(e, "signal", signal->name);
            signal_expression(e, "made", s, signal->expression, 0);
            say(e, "    reads[%d] = lashi_signal_jet(%d, ", signal->read, (int)signal->kind);
            number(e, signal->kind == LASHI_SIGNAL_LAG ? signal->time : 1);
            say(e, ", reads[%d].f, made%d_0_given.jet);\n    ydot[%d] = reads[%d].df;\n", signal->read, s,
                signal->at, signal->read);
        }
    }
    for (int s = 0, sample = 0; s < m->signal_count; s++)
        if (m->signals[s].kind == LASHI_SIGNAL_HOLD)
            say(e, "    samples[%d] = made%d_0_given.jet.f;\n", sample++, s);
}

static void frames(writer *e) {
    say(e, "\n    // positions and velocities\n");
    if (e->system->spatial)
        frames_in_space(e);
    else
        frames_in_plane(e);
    if (e->looks)
        reads(e);
    else if (e->system->machine.read_count)
        say(e, "    host->reads_evaluate(w, ydot, t, y);\n");
}

/* Contacts that are constraints, which of them hold, and their gaps. */
static void linked(writer *e) {
    const lash_system *system = e->system;
    for (int k = 0; k < system->contact_count; k++)
        if (system->contacts[k].constraint >= 0) {
            comment(e, "contact", system->contacts[k].name);
            contact(e, &system->contacts[k], k);
            say(e,
                "    const bool holds%d = lashi_contact_holds(&contact%d, &memories[%d]);\n"
                "    lashi_contact_gap(&state[%d].gap, &contact%d, f);\n",
                k, k, k, k, k);
        }
}

/* Their forces. */
static void follow(writer *e) {
    const lash_system *system = e->system;
    for (int k = 0; k < system->contact_count; k++)
        if (system->contacts[k].constraint >= 0)
            say(e,
                "    *mismatch |= lashi_contact_follow(&state[%d], &contact%d, &memories[%d], x[%d]);\n"
                "    ydot[%d] = state[%d].friction_power;\n    ydot[%d] = state[%d].normal_force;\n",
                k, k, k, row_of(system, k), system->loss_at + LASHI_LOSSES * k + LASHI_LOSS_FRICTION, k,
                system->impulse_at + k, k);
}

/* The least and largest of them. */
static void press(writer *e) {
    say(e, "\nLASHI_INLINE void press(double *restrict least, double *restrict most, const "
           "lashi_contact_state *restrict state) {\n    (void)least, (void)most, (void)state;\n");
    for (int k = 0; k < e->system->contact_count; k++)
        if (e->system->contacts[k].constraint >= 0)
            say(e,
                "    least[%d] = fmin(least[%d], state[%d].normal_force);\n"
                "    most[%d] = fmax(most[%d], state[%d].normal_force);\n",
                k, k, k, k, k, k);
    say(e, "}\n");
}

/* Whether it is asked when a contact that is always a constraint presses, and when it pulls. */
static bool is_asked_for_pressure(const lash_system *system, int contact, bool impacts) {
    const lashi_contact *c = &system->contacts[contact];
    return c->model == LASHI_MODEL_PERMANENT && (impacts || c->stops);
}
bool lashi_ensemble_has_switch(const lash_system *system, int contact, bool impacts) {
    return system->contacts[contact].normal.switches_at_turning ||
           is_asked_for_pressure(system, contact, impacts);
}
/* The place of the switch of a contact; -1: none. */
static int contact_switch(const lash_system *system, int contact, bool impacts) {
    int at = system->machine.switch_count;
    for (int k = 0; k < contact; k++)
        at += lashi_ensemble_has_switch(system, k, impacts);
    return lashi_ensemble_has_switch(system, contact, impacts) ? at : -1;
}
/* That of one whose law changes where it turns, of δ̇. */
static int turning_switch(const writer *e, int contact) {
    return e->system->contacts[contact].normal.switches_at_turning
               ? contact_switch(e->system, contact, e->looks->impacts)
               : -1;
}
/* That of N, which nothing in the machine reads. */
static int pressing_switch(const writer *e, int contact) {
    return is_asked_for_pressure(e->system, contact, e->looks->impacts)
               ? contact_switch(e->system, contact, e->looks->impacts)
               : -1;
}
static void turning(writer *e, int contact) {
    const int slot = turning_switch(e, contact);
    if (slot >= 0)
        say(e,
            "    number[%d] = state[%d].gap.deltadot;\n"
            "    beyond[%d] = memories[%d].touching ? beyond_piece(%d, modes[%d], number[%d]) : -1;\n",
            slot, contact, slot, contact, (int)LASHI_OP_SIGN, slot, slot);
}
static void pressing(writer *e) {
    for (int k = 0; k < e->system->contact_count; k++) {
        const int slot = pressing_switch(e, k);
        if (slot >= 0)
            say(e,
                "    number[%d] = state[%d].normal_force;\n    beyond[%d] = beyond_piece(%d, modes[%d], "
                "number[%d]);\n",
                slot, k, slot, (int)LASHI_OP_SIGN, slot, slot);
    }
}

/* Contacts whose forces, or rates of bristles, jump where they begin or end, as bits. */
static unsigned long long jumps(const lash_system *system) {
    unsigned long long jumps = 0;
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *c = &system->contacts[k];
        const bool jumping =
            c->normal.scale == LASHI_SCALE_VISCOUS || lashi_bristles(c) > 0 || lashi_is_wet(c);
        jumps |= (unsigned long long)jumping << k;
    }
    return jumps;
}

/* How fast the number of a law that changes where it turns does so, for a shadow: δ̈. */
static void rising(writer *e) {
    const lash_system *system = e->system;
    for (int k = 0; e->looks->shadow && k < system->contact_count; k++) {
        const lashi_contact *c = &system->contacts[k];
        const int slot = turning_switch(e, k);
        if (slot < 0)
            continue;
        say(e,
            "    double rising%d[LASHI_LINKS][LASHI_FREEDOMS] = {{0}};\n"
            "    lashi_contact_unit(rising%d, &contact%d, f, &state[%d].gap, state[%d].gap.n);\n"
            "    number[%d] = %s_bias(&contact%d, f, &state[%d].gap)",
            k, k, k, k, k, lashi_ensemble_switches(system, e->looks->impacts) + slot, contact_files[c->kind],
            k, k);
        for (int link = 0; link < LASHI_LINKS; link++)
            for (int i = 0; c->body[link] > 0 && i < system->width; i++)
                say(e, " + rising%d[%d][%d] * a[%d][%d]", k, link, i, c->body[link], i);
        say(e, ";\n");
    }
}

static void forces(writer *e) {
    const lash_system *system = e->system;
    say(e, "\n    // forces\n    lashi_ledger ledger = {0};\n");
    for (int b = 0; b < system->bodies; b++)
        for (int k = 0; k < LASHI_FREEDOMS; k++) {
            say(e, "%s g[%d][%d] = ", k ? "" : "   ", b, k);
            number(e, system->weight[b][k]);
            say(e, ";%s", k < LASHI_FREEDOMS - 1 ? "" : "\n");
        }
    for (int k = 0; k < system->force_count; k++) {
        comment(e, "force", system->forces[k].name);
        force(e, &system->forces[k], k);
        say(e, "    lashi_%s_apply(g, &ledger, &force%d, f, t);\n", force_files[system->forces[k].type], k);
        if (e->looks && system->forces[k].table) {
            char name[32];
            snprintf(name, sizeof name, "force%d", k);
            table_place(e, system->forces[k].table, name, "ledger.table_at", 0);
        }
    }
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *c = &system->contacts[k];
        comment(e, "contact", c->name);
        say(e, "    double zdot%d[3], still%d[3] = {0};\n    (void)still%d;\n", k, k, k);
        if (c->constraint < 0) {
            contact(e, c, k);
            say(e, "    lashi_contact_apply(g, &state[%d], zdot%d, &contact%d, &memories[%d], f, ", k, k, k,
                k);
            if (c->bristle >= 0)
                say(e, "y + %d);\n", c->bristle);
            else
                say(e, "still%d);\n", k);
        } else { // from its multiplier, in the end
            say(e, "    lashi_contact_rest(&state[%d], zdot%d);\n", k, k);
        }
        if (c->watched)
            say(e,
                "    *mismatch |= lashi_contact_mismatch(&contact%d, &memories[%d], "
                "state[%d].gap.delta);\n",
                k, k, k);
        static const char *const powers[] = {"damping_power", "friction_power", "film_power"};
        for (int loss = 0; loss < LASHI_LOSSES; loss++) {
            say(e, "    ydot[%d] = ", system->loss_at + LASHI_LOSSES * k + loss);
            if (loss == LASHI_LOSS_FILM && !c->lubricated)
                say(e, "0;\n");
            else
                say(e, "state[%d].%s;\n", k, powers[loss]);
        }
        say(e, "    ydot[%d] = state[%d].normal_force;\n", system->impulse_at + k, k);
        if (c->excited)
            say(e, "    ledger.input += state[%d].input_power;\n", k);
        for (int i = 0; i < lashi_bristles(c); i++)
            say(e, "    ydot[%d] = zdot%d[%d];\n", c->bristle + i, k, i);
        if (e->looks && c->constraint < 0)
            say(e,
                "    if (account->whole)\n"
                "        account->energy.elastic += memories[%d].touching ? lashi_contact_energy(&contact%d, "
                "&state[%d].gap) : 0;\n"
                "    account->lost += state[%d].damping_power + state[%d].friction_power;\n",
                k, k, k, k, k);
        if (e->looks && c->lubricated)
            say(e, "    account->lost += state[%d].film_power;\n", k);
        if (e->looks)
            turning(e, k);
    }
    say(e, "    *sum = ledger.input + ledger.elastic;\n");
    for (int b = 1; system->spatial && b < system->bodies; b++) {
        freedoms(e, "mass", b, system->mass[b]);
        say(e, "    lashi_add_gyroscopic(g[%d], mass%d, &f[%d]);\n", b, b, b);
    }
}

static bool has_modes(const lash_system *system, int k) {
    return system->contacts[k].model == LASHI_MODEL_MODES;
}

/* A pair of forces at contact k along its normal (`name`: along, axis: n) or tangent (across, t), of that size. */
static void push(writer *e, int k, const char *name, const char *axis, const char *size) {
    const lash_system *system = e->system;
    say(e, "        lashi_contact_unit(%s%d, &contact%d, f, &state[%d].gap, state[%d].gap.%s);\n", name, k, k,
        k, k, axis);
    for (int link = 0; link < LASHI_LINKS; link++)
        for (int i = 0; i < system->width; i++)
            say(e, "        g[%d][%d] += %s * %s%d[%d][%d];\n", system->contacts[k].body[link], i, size, name,
                k, link, i);
}

/* Where modes change, the same equations give other things than accelerations (ensemble.h): without forces and known
 * accelerations, steps onto the constraints, or what impulses do. */
static void aims(writer *e) {
    const lash_system *system = e->system;
    say(e, "    if (aim != AIM_MOTION) {\n        ledger = (lashi_ledger){0};\n");
    for (int b = 0; b < system->bodies; b++)
        for (int k = 0; k < LASHI_FREEDOMS; k++) {
            say(e, "        g[%d][%d] = 0;\n", b, k);
            if (is_prescribed(system, b) && b > 0)
                say(e, "        a[%d][%d] = 0;\n", b, k);
            if (system->moves[b] == LASHI_MOVES_PINNED)
                say(e, "        known%d[%d] = 0;\n", b, k);
        }
    say(e, "    }\n");
    for (int k = 0; k < system->contact_count; k++)
        if (has_modes(system, k)) {
            char size[32];
            snprintf(size, sizeof size, "blows[%d]", k);
            say(e,
                "    double along%d[LASHI_LINKS][LASHI_FREEDOMS] = {{0}};\n    if (aim == AIM_IMPULSES) {\n",
                k);
            push(e, k, "along", "n", size);
            say(e, "    }\n");
            if (!system->contacts[k].rubs)
                continue;
            snprintf(size, sizeof size, "blows[%d]", system->contact_count + k);
            say(e, "    double across%d[LASHI_LINKS][LASHI_FREEDOMS] = {{0}};\n    {\n", k);
            push(e, k, "across", "t", size);
            say(e, "    }\n");
        }
}

/* Whether contact k may be weighed. */
static bool weighs(const writer *e, int k) {
    return e->weigh && e->system->contacts[k].constraint < 0;
}

/* What an ensemble adds to the forces: a pair of unit forces at the contact that is weighed, and the kick. */
static void pushes(writer *e) {
    const lash_system *system = e->system;
    if (e->changes)
        aims(e);
    for (int k = 0; k < system->contact_count; k++) {
        if (!weighs(e, k))
            continue;
        char size[32];
        snprintf(size, sizeof size, "pushed%d", k);
        say(e,
            "    double along%d[LASHI_LINKS][LASHI_FREEDOMS] = {{0}};\n    IF_PROBED(%d) {\n"
            "        const double %s = probe == %d ? push : 0;\n",
            k, k + 1, size, k + 1);
        push(e, k, "along", "n", size);
        say(e, "    }\n");
    }
    for (int i = 0; e->looks->shadow && i < system->n_v; i++) {
        const int b = system->freedom[i] / LASHI_FREEDOMS, k = system->freedom[i] % LASHI_FREEDOMS;
        const double golden = 0.6180339887498949, at = (double)(system->n_q + i + 1) * golden;
        say(e, "    g[%d][%d] += kick * ", b, k);
        number(e, system->mass[b][k] * (e->looks->atol[system->v_at + i] / system->model->run.rtol) *
                      (0.25 + at - floor(at)) * (i % 2 ? -1 : 1));
        say(e, ";\n");
    }
}

/* The acceleration of the gap of that contact, with and without the push; and what impulses do to the gaps. */
static void responses(writer *e) {
    const lash_system *system = e->system;
    const bool grips = lashi_rubs_needed(system); // then they are found before friction
    for (int k = 0; k < system->contact_count; k++)
        for (int link = 0; (weighs(e, k) || has_modes(system, k)) && link < LASHI_LINKS; link++) {
            const int b = system->contacts[k].body[link];
            for (int i = 0; b > 0 && system->moves[b] != LASHI_MOVES_NOT && i < system->width; i++)
                if (has_modes(system, k)) {
                    say(e, "    yields[%d] += along%d[%d][%d] * a[%d][%d];\n", k, k, link, i, b, i);
                    if (system->contacts[k].rubs)
                        say(e, "    yields[%d] += across%d[%d][%d] * a[%d][%d];\n", system->contact_count + k,
                            k, link, i, b, i);
                } else if (!grips)
                    say(e, "    *response += probe == %d ? along%d[%d][%d] * a[%d][%d] : 0;\n", k + 1, k,
                        link, i, b, i);
        }
}

static void rows(writer *e) {
    const lash_system *system = e->system;
    const lashi_constraint_set *set = &system->motion;
    say(e, "\n    // constraints\n");
    for (int k = 0; k < set->count; k++) {
        const lashi_constraint *c = &set->items[k];
        comment(e, c->type == LASHI_JOINT_drive ? "drive" : c->contact ? "contact" : "joint", c->name);
        if (!c->contact)
            constraint(e, c, "joint", k);
        say(e, "    const lashi_rows rows%d = {J + %d, Phi + %d, Phi_dot + %d, gamma + %d};\n", k,
            c->jacobian, c->first_row, c->first_row, c->first_row);
        const int of = c->contact ? (int)(c->contact - system->contacts) : -1;
        if (c->contact)
            say(e,
                "    if (holds%d)\n        lashi_contact_fill_row(&rows%d, &contact%d, f, &state[%d].gap, "
                "%s_bias(&contact%d, f, &state[%d].gap));\n    else\n        lashi_rows_clear(&rows%d, 1);\n",
                of, k, of, of, contact_files[c->contact->kind], of, of, k);
        else if (c->type == LASHI_JOINT_drive)
            say(e, "    lashi_drive_rows(&rows%d, &joint%d, f, t);\n", k, k);
        else
            say(e, "    lashi_%s_rows%s(&rows%d, &joint%d, f);\n", joint_files[c->type],
                c->geometry ? "3" : "", k, k);
    }
    for (int k = 0; k < set->narrow_count; k++) {
        const lashi_narrow *n = &set->narrow[k];
        for (int r = 0; r < n->link.rows; r++)
            say(e, "    J[%d] = 0;\n", n->column + r);
        say(e, "    lashi_multiply_rows(J + %d, J + %d, %d, unit%d, LASHI_FREEDOMS);\n", n->column, n->link.J,
            n->link.rows, n->link.body);
    }
}

/* v̇ = M⁻¹ g of all that moves. */
static void accelerate(writer *e) {
    const lash_system *system = e->system;
    for (int b = 1; b < system->bodies; b++)
        if (system->moves[b] == LASHI_MOVES_PINNED) {
            say(e, "    lashi_pin_yield(a[%d], &pin%d, &f[%d], inverse%d, g[%d]);\n", b, b, b, b, b);
            for (int k = 0; k < LASHI_FREEDOMS; k++)
                say(e, "    a[%d][%d] += known%d[%d];\n", b, k, b, k);
        } else if (!is_prescribed(system, b)) {
            for (int k = 0; k < system->width; k++)
                say(e, "    a[%d][%d] = inverse%d[%d] * g[%d][%d];\n", b, k, b, k, b, k);
        }
}

/* x = S⁻¹ (Φq v̇ − γ + 2α Φ̇ + β² Φ) */
static void multipliers(writer *e, const char *x) {
    const lash_system *system = e->system;
    const lashi_constraint_set *set = &system->motion;
    for (int i = 0; i < set->rows; i++)
        say(e, "    %s[%d] = two_alpha * Phi_dot[%d] + beta_squared * Phi[%d] - gamma[%d];\n", x, i, i, i, i);
    for (int k = 0; k < set->link_count; k++) {
        const lashi_link *link = &set->links[k];
        say(e, "    lashi_multiply_rows(%s + %d, J + %d, %d, a[%d], %d);\n", x, link->row, link->J,
            link->rows, link->body, system->width);
    }
    solve(e, x);
}

/* Where friction is found with the accelerations, in an ensemble (grip.h): at a contact, or in an ideal joint; or teeth that
 * push their wheels apart. */
typedef struct gripped {
    int id;                    /* of its names in the text */
    int contact;               /* index; -1: none */
    int item;                  /* of motion.items: its rows press; -1: a contact that presses by its depth */
    int ends;                  /* of the joint */
    const lashi_rub *rub;      /* of the joint; NULL: none */
    const lashi_friction *law; /* NULL: teeth */
    const int *body;
} gripped;

/* How many ends a place has, whatever the frames are. */
static int ends_of(const writer *e, const lashi_rub *rub) {
    const lashi_constraint *item = &e->system->motion.items[rub->constraint];
    lashi_slide slide;
    if (!rub->loaded)
        return 0;
    lashi_joint_form_of(item)->slides->fill(&slide, rub->place, item, e->w->frames);
    return slide.ends;
}

static int list_gripped(gripped of[MOST_GRIPS], const writer *e) {
    const lash_system *system = e->system;
    int n = 0;
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        if (contact->rubs)
            of[n++] = (gripped){k, k, contact->constraint, 0, NULL, &contact->friction, contact->body};
    }
    for (int r = 0; r < system->rub_count; r++) {
        const lashi_rub *rub = &system->rubs[r];
        if (rub->contact < 0)
            of[n++] = (gripped){system->contact_count + r,
                                -1,
                                rub->constraint,
                                ends_of(e, rub),
                                rub,
                                &rub->law,
                                system->motion.items[rub->constraint].body};
    }
    for (int i = 0; i < system->motion.count; i++)
        if (system->motion.items[i].pressure > 0)
            of[n++] = (gripped){system->contact_count + system->rub_count + i,
                                -1,
                                i,
                                1,
                                NULL,
                                NULL,
                                system->motion.items[i].body};
    return n;
}
static bool may_stick(const gripped *g) {
    return g->law && g->law->kind->sticks;
}

/* The friction of a joint: its law, direction and coefficient. */
static void rubbing(writer *e, const gripped *g) {
    const lashi_rub *rub = g->rub;
    const lashi_constraint *item = &e->system->motion.items[g->item];
    const lashi_friction_numbers *p = rub->law.p;
    const int k = g->id, z = rub->law.bristle ? rub->bristle : 0;
    comment(e, "friction of", rub->name);
    say(e,
        "    lashi_slide slide%d;\n    lashi_%s_slide%s(&slide%d, %d, &joint%d, f);\n"
        "    lashi_friction_numbers rubbing%d = {",
        k, joint_files[item->type], item->geometry ? "3" : "", k, rub->place, g->item, k);
    e->first = true;
#define OF_JOINT(field) item(e, p->field, #field);
    FRICTION_NUMBERS(OF_JOINT)
    end(e);
    say(e,
        "    const lashi_friction law%d = {.p = &rubbing%d, .kind = &lashi_friction_%s, .bristle = %d};\n"
        "    double way%d[LASHI_WAYS] = {1}, across%d[LASHI_LINKS][LASHI_FREEDOMS];\n    const double mu%d "
        "= ",
        k, k, friction_files[friction_index(&rub->law)], rub->law.bristle, k, k, k);
    if (may_stick(g))
        say(e, "-lashi_grip_coulomb(&law%d, &grips[%d], slide%d.speed[0]);\n", k, k, k);
    else
        say(e, "lashi_rub_regular(way%d, ydot + %d, &law%d, %d, slide%d.speed, y + %d);\n", k, z, k,
            rub->ways, k, z);
    say(e,
        "    lashi_slide_across(across%d, &slide%d, way%d, %d);\n"
        "    const double m%d = aim == AIM_MOTION ? lashi_rub_hat(%d, %d, mu%d) : 0,\n"
        "                 constant%d = aim == AIM_MOTION ? ",
        k, k, k, rub->ways, k, rub->loaded, rub->round, k, k);
    number(e, rub->preload);
    say(e, " * mu%d / rubbing%d.kinetic : 0;\n    grips[%d].speed = ", k, k, k);
    if (rub->ways == 1)
        say(e, "slide%d.speed[0];\n", k);
    else
        say(e, "lashi_ways_length(slide%d.speed, %d);\n", k, rub->ways);
    if (may_stick(g))
        say(e,
            "    grips[%d].travel = slide%d.held ? slide%d.travel[0] : 0;\n"
            "    const double drift%d = slide%d.bias[0], back%d = LASHI_RETURN_RATE * LASHI_RETURN_RATE * "
            "(grips[%d].travel - grips[%d].held);\n    const bool touches%d = true;\n",
            k, k, k, k, k, k, k, k, k);
}

/* The friction of a contact. */
static void gripping(writer *e, const gripped *g) {
    const lash_system *system = e->system;
    const int k = g->contact;
    const char *kind = contact_files[system->contacts[k].kind];
    if (g->item >= 0)
        say(e, "    const bool touches%d = holds%d;\n", k, k);
    else
        say(e, "    const bool touches%d = (memories[%d].touching != 0) & (state[%d].normal_force > 0);\n", k,
            k, k);
    if (!has_modes(system, k)) // else they take impulses as well (aims)
        say(e,
            "    double across%d[LASHI_LINKS][LASHI_FREEDOMS] = {{0}};\n"
            "    lashi_contact_unit(across%d, &contact%d, f, &state[%d].gap, state[%d].gap.t);\n",
            k, k, k, k, k);
    say(e,
        "    const double slides%d = lashi_grip_%s(&contact%d.friction, &grips[%d], state[%d].gap.sliding),\n"
        "                 m%d = touches%d & (aim == AIM_MOTION) ? slides%d : 0;\n"
        "    grips[%d].speed = state[%d].gap.sliding;\n",
        k,
        may_stick(g)          ? "coulomb"
        : g->law->kind->ramps ? "ramp"
                              : "slide",
        k, k, k, k, k, k, k, k);
    if (may_stick(g))
        say(e,
            "    const double drift%d = %s_drift(&contact%d, f, &state[%d].gap, state[%d].gap.t), back%d = "
            "0;\n",
            k, kind, k, k, k, k);
}

/* Teeth, whose force pushes them apart. */
static void teeth(writer *e, const gripped *g) {
    const lashi_constraint *item = &e->system->motion.items[g->item];
    const int k = g->id;
    comment(e, "teeth of", item->name);
    say(e,
        "    lashi_slide slide%d = {.press = {{{1}}}};\n    double across%d[LASHI_LINKS][LASHI_FREEDOMS] = "
        "{{0}};\n"
        "    lashi_%s_apart(across%d, &joint%d, f);\n    const double constant%d = 0, m%d = aim == "
        "AIM_MOTION ? -",
        k, k, joint_files[item->type], k, g->item, k, k);
    number(e, item->pressure);
    say(e, " : 0;\n");
}

/* Whether c of n sticks, and what its force must do then. */
static void sticking(writer *e, const gripped *g, int c, int n) {
    const lash_system *system = e->system;
    const int k = g->id, rows = system->motion.rows;
    if (!may_stick(g)) {
        say(e, "    const bool stuck%d = false;\n    const double at%d = 0;\n    soft[%d] = parts[%d] = 0;\n",
            k, k, c, c);
        return;
    }
    say(e, "    const double free%d = 0", k);
    for (int slot = 0; slot < LASHI_LINKS; slot++)
        if (g->body[slot] > 0)
            say(e, " + lashi_grip_dot(across%d[%d], U[%d][%d], %d)", k, slot, c, slot, system->width);
    say(e,
        ";\n    const bool stuck%d = touches%d & (grips[%d].way == LASHI_GRIP_STICKS) & ((aim == AIM_MOTION) "
        "| (aim "
        "== AIM_SPEEDS)) & (W_[%d] > LASHI_NO_MOBILITY * free%d);\n"
        "    const double at%d = (aim == AIM_MOTION ? drift%d + 2 * LASHI_RETURN_RATE * grips[%d].speed + "
        "back%d : "
        "grips[%d].speed) - lashi_grip_dot(A[%d], x, %d)",
        k, k, k, c * n + c, k, k, k, k, k, k, c, rows);
    for (int slot = 0; slot < LASHI_LINKS; slot++)
        if (g->body[slot] > 0)
            say(e, " + lashi_grip_dot(across%d[%d], a[%d], %d)", k, slot, g->body[slot], system->width);
    say(e,
        ";\n    parts[%d] = lashi_grip_largest(aim == AIM_MOTION ? fabs(drift%d) : 1e290, A[%d], x, "
        "%d);\n",
        c, k, c, rows);
    for (int slot = 0; slot < LASHI_LINKS; slot++)
        if (g->body[slot] > 0)
            say(e, "    parts[%d] = lashi_grip_largest(parts[%d], across%d[%d], a[%d], %d);\n", c, c, k, slot,
                g->body[slot], system->width);
    if (g->contact >= 0) { // what friction could do: where nothing pulls, all parts are rounding
        say(e, "    parts[%d] = fmax(parts[%d], fabs(contact%d.friction.p->still * free%d * ", c, c, k, k);
        if (g->item >= 0)
            say(e, "x[%d]));\n", row_of(system, k));
        else
            say(e, "state[%d].normal_force));\n", k);
    }
    say(e, "    soft[%d] = stuck%d ? LASHI_GRIP_SOFT * W_[%d] / grips[%d].share : 0;\n", c, k, c * n + c, k);
}

/* The row of a contact. */
static void grip_row(writer *e, const gripped *g, int c, int n) {
    const int k = g->id;
    if (g->item >= 0)
        say(e, "    b[%d] = stuck%d ? -at%d : m%d * x[%d];\n", c, k, k, k, row_of(e->system, k));
    else
        say(e, "    b[%d] = stuck%d ? -at%d : m%d * state[%d].normal_force;\n", c, k, k, k, k);
    for (int d = 0; d < n; d++) {
        say(e, "    K[%d] = stuck%d ? W_[%d] : %d", c * n + d, k, c * n + d, c == d);
        if (g->item >= 0)
            say(e, " - m%d * X[%d][%d]", k, d, row_of(e->system, k));
        say(e, ";\n");
    }
}

/* Newton's method, where joints press; what they do to each other is bounded before. */
static void grip_steps(writer *e, const gripped *of, int n) {
    const lashi_constraint_set *set = &e->system->motion;
    bool sticks = false;
    for (int c = 0; c < n; c++)
        sticks |= may_stick(&of[c]);
    say(e, "    double bound[%d];\n", n * n);
    if (sticks)
        say(e, "    double Q[%d];\n    lashi_grip_answer(Q, factors, W_, soft, %d);\n", n * n, n);
    for (int c = 0; c < n; c++) {
        const int k = of[c].id;
        if (of[c].contact >= 0 && of[c].item < 0) {
            for (int d = 0; d < n; d++)
                say(e, "    bound[%d] = %d;\n", c * n + d, c == d);
            continue;
        }
        const lashi_constraint *item = &set->items[of[c].item];
        const int loads = of[c].contact >= 0 ? 1 : of[c].ends * LASHI_WAYS;
        const char *answer = sticks ? "_" : "";
        say(e, "    double R%d[%d], G%d[%d];\n", k, loads + 1, k, loads * n + 1);
        if (of[c].contact >= 0)
            for (int d = 0; d < n; d++)
                say(e, "    G%d[%d] = X[%d][%d];\n", k, d, d, item->first_row);
        else
            say(e, "    lashi_grip_loads(R%d, G%d, &slide%d, %d, %d, x + %d, X[0] + %d, %d, %d);\n", k, k, k,
                of[c].ends, item->rows, item->first_row, item->first_row, set->rows + 1, n);
        if (sticks) {
            say(e, "    double G%d_[%d];\n", k, loads * n + 1);
            for (int i = 0; i < loads; i++)
                say(e, "    lashi_grip_through(G%d_ + %d, G%d + %d, Q, soft, %d);\n", k, i * n, k, i * n, n);
        }
        if (of[c].contact >= 0)
            for (int d = 0; d < n; d++)
                say(e, "    bound[%d] = %d - fabs(m%d * G%d%s[%d]);\n", c * n + d, c == d, k, k, answer, d);
        else
            say(e, "    lashi_grip_bound(bound + %d, G%d%s, m%d, %d, %d, %d);\n", c * n, k, answer, k,
                of[c].ends, c, n);
    }
    say(e,
        "    refused |= lashi_grip_binds(bound, %d);\n"
        "    LASHI_WRITTEN_OUT for (int c = 0; c < %d; c++) friction[c] = 0;\n"
        "    LASHI_WRITTEN_OUT for (int step = 0; step < LASHI_GRIP_STEPS; step++) {\n",
        n, n);
    for (int c = 0; c < n; c++) {
        const int k = of[c].id;
        if (of[c].contact >= 0)
            continue;
        say(e, "        lashi_grip_press(K + %d, &b[%d], R%d, G%d, friction, m%d, constant%d, %d, %d, %d);\n",
            c * n, c, k, k, k, k, of[c].ends, c, n);
        if (may_stick(&of[c])) {
            say(e, "        b[%d] = stuck%d ? -at%d : b[%d];\n", c, k, k, c);
            for (int d = 0; d < n; d++)
                say(e, "        K[%d] = stuck%d ? W_[%d] : K[%d];\n", c * n + d, k, c * n + d, c * n + d);
        }
    }
    say(e,
        "        refused |= lashi_grip_solve(friction, factors, K, soft, b, parts, %d);\n    }\n"
        "    double largest = 0;\n"
        "    LASHI_WRITTEN_OUT for (int c = 0; c < %d; c++) largest = fmax(largest, fabs(friction[c]));\n",
        n, n);
    for (int c = 0; c < n; c++)
        if (of[c].contact < 0)
            say(e,
                "    const double pressed%d = lashi_grip_pressed(R%d, G%d, friction, %d, %d);\n"
                "    refused |= !stuck%d & !(fabs(friction[%d] + constant%d + m%d * pressed%d) <= "
                "LASHI_GRIP_LEFT * "
                "largest);\n",
                of[c].id, of[c].id, of[c].id, of[c].ends, n, of[c].id, c, of[c].id, of[c].id, of[c].id);
}

/* The acceleration of the gap of a contact that is weighed, without friction, which the push would change. */
static void grip_response(writer *e, int k) {
    const lash_system *system = e->system;
    const lashi_constraint_set *set = &system->motion;
    say(e, "    double weighed%d[%d] = {0}, yield%d[LASHI_FREEDOMS];\n    (void)yield%d;\n", k, set->rows + 1,
        k, k);
    for (int slot = 0; slot < LASHI_LINKS; slot++) {
        const int b = system->contacts[k].body[slot];
        if (b == 0 || is_prescribed(system, b))
            continue;
        if (system->moves[b] == LASHI_MOVES_PINNED)
            say(e, "    lashi_pin_yield(yield%d, &pin%d, &f[%d], inverse%d, along%d[%d]);\n", k, b, b, b, k,
                slot);
        else
            for (int i = 0; i < system->width; i++)
                say(e, "    yield%d[%d] = inverse%d[%d] * along%d[%d][%d];\n", k, i, b, i, k, slot, i);
        for (int i = 0; i < set->link_count; i++)
            if (set->links[i].body == b)
                say(e, "    lashi_multiply_rows(weighed%d + %d, J + %d, %d, yield%d, %d);\n", k,
                    set->links[i].row, set->links[i].J, set->links[i].rows, k, system->width);
        say(e, "    *response += probe == %d ? lashi_grip_dot(along%d[%d], a[%d], %d) : 0;\n", k + 1, k, slot,
            b, system->width);
    }
    say(e, "    *response -= probe == %d ? lashi_grip_dot(weighed%d, x, %d) : 0;\n", k + 1, k, set->rows);
}

/* Their forces, and what these add to the multipliers. */
static void grips(writer *e) {
    const lash_system *system = e->system;
    const lashi_constraint_set *set = &system->motion;
    gripped of[MOST_GRIPS];
    const int n = list_gripped(of, e);
    bool joints = false;
    if (n == 0)
        return;
    say(e,
        "\n    // friction\n    double U[%d][LASHI_LINKS][LASHI_FREEDOMS] = {{{0}}}, A[%d][%d] = {{0}}, "
        "X[%d][%d], W_[%d] = {0}, K[%d], factors[%d], soft[%d], b[%d], parts[%d], friction[%d];\n    "
        "(void)W_;\n",
        n, n, set->rows + 1, n, set->rows + 1, n * n, n * n, n * (n + 1), n, n, n, n);
    for (int c = 0; c < n; c++) {
        joints |= of[c].contact < 0;
        (of[c].rub ? rubbing : of[c].law ? gripping : teeth)(e, &of[c]);
    }
    for (int c = 0; c < n; c++) // M⁻¹ T, Φq M⁻¹ T and S⁻¹ Φq M⁻¹ T
        for (int slot = 0; slot < LASHI_LINKS; slot++) {
            const int body = of[c].body[slot];
            if (body > 0 && system->moves[body] == LASHI_MOVES_PINNED)
                say(e, "    lashi_pin_yield(U[%d][%d], &pin%d, &f[%d], inverse%d, across%d[%d]);\n", c, slot,
                    body, body, body, of[c].id, slot);
            else
                for (int i = 0; body > 0 && !is_prescribed(system, body) && i < system->width; i++)
                    say(e, "    U[%d][%d][%d] = inverse%d[%d] * across%d[%d][%d];\n", c, slot, i, body, i,
                        of[c].id, slot, i);
            for (int k = 0; k < set->link_count; k++)
                if (set->links[k].body == body)
                    say(e, "    lashi_multiply_rows(A[%d] + %d, J + %d, %d, U[%d][%d], %d);\n", c,
                        set->links[k].row, set->links[k].J, set->links[k].rows, c, slot, system->width);
        }
    say(e, "    LASHI_WRITTEN_OUT for (int c = 0; c < %d; c++) {\n    double *const column = X[c];\n", n);
    for (int r = 0; r < set->rows; r++)
        say(e, "    column[%d] = A[c][%d];\n", r, r);
    solve(e, "column");
    say(e, "    }\n");
    for (int c = 0; c < n; c++)
        for (int d = 0; may_stick(&of[c]) && d < n; d++) {
            say(e, "    W_[%d] = -lashi_grip_dot(A[%d], X[%d], %d)", c * n + d, c, d, set->rows);
            for (int i = 0; i < LASHI_LINKS; i++)
                for (int j = 0; j < LASHI_LINKS; j++)
                    if (of[c].body[i] == of[d].body[j])
                        say(e, " + lashi_grip_dot(across%d[%d], U[%d][%d], %d)", of[c].id, i, d, j,
                            system->width);
            say(e, ";\n");
        }
    for (int c = 0; c < n; c++) {
        sticking(e, &of[c], c, n);
        if (of[c].contact >= 0)
            grip_row(e, &of[c], c, n);
    }
    for (int k = 0; k < system->contact_count; k++)
        if (weighs(e, k))
            grip_response(e, k);
    if (joints)
        grip_steps(e, of, n);
    else
        say(e, "    refused |= lashi_grip_solve(friction, factors, K, soft, b, parts, %d);\n", n);
    for (int c = 0; c < n; c++) {
        const int k = of[c].id;
        for (int r = 0; r < set->rows; r++)
            say(e, "    x[%d] += friction[%d] * X[%d][%d];\n", r, c, c, r);
        for (int slot = 0; slot < LASHI_LINKS; slot++)
            for (int i = 0; i < system->width; i++)
                say(e, "    g[%d][%d] += friction[%d] * across%d[%d][%d];\n", of[c].body[slot], i, c, k, slot,
                    i);
        if (of[c].contact >= 0)
            say(e,
                "    state[%d].friction_force = friction[%d];\n"
                "    state[%d].friction_power = -friction[%d] * state[%d].gap.sliding;\n"
                "    state[%d].dry = lashi_axpy3(state[%d].dry, friction[%d], state[%d].gap.t);\n"
                "    account->lost += state[%d].friction_power;\n",
                k, c, k, c, k, k, k, c, k, k);
        else if (of[c].rub) {
            say(e,
                "    account->lost -= friction[%d] * lashi_grip_dot(way%d, slide%d.speed, %d);\n"
                "    const double rubbed%d = ",
                c, k, k, of[c].rub->ways, k);
            number(e, of[c].rub->lever);
            say(e, of[c].rub->ways == 1 ? " * friction[%d];\n" : " * fabs(friction[%d]);\n", c);
        }
    }
}

/* Whether they are places of one body that moves. */
static bool share_a_body(const gripped *a, const gripped *b) {
    for (int i = 0; i < LASHI_LINKS; i++)
        for (int k = 0; a->body[i] > 0 && k < LASHI_LINKS; k++)
            if (a->body[i] == b->body[k])
                return true;
    return false;
}

/* What decides whether they stick. */
static void grips_found(writer *e) {
    const lash_system *system = e->system;
    gripped of[MOST_GRIPS];
    const int n = list_gripped(of, e);
    for (int c = 0; c < n; c++) {
        const gripped *g = &of[c];
        const int k = g->id;
        if (!may_stick(g))
            continue;
        say(e, "    grips[%d].force = friction[%d];\n    grips[%d].limit = ", k, c, k);
        if (g->rub) {
            say(e, "lashi_rub_hat(%d, %d, rubbing%d.still) * pressed%d + ", g->rub->loaded, g->rub->round, k,
                k);
            number(e, g->rub->preload);
            say(e, " * rubbing%d.still / rubbing%d.kinetic", k, k);
        } else if (g->item >= 0) {
            say(e, "contact%d.friction.p->still * x[%d]", k, row_of(system, k));
        } else {
            say(e, "touches%d ? contact%d.friction.p->still * state[%d].normal_force : 0", k, k, k);
        }
        say(e, ";\n    grips[%d].rest = 1e-300", k);
        for (int i = 0; i < system->n_v; i++)
            for (int slot = 0; slot < LASHI_LINKS; slot++) {
                const int body = system->freedom[i] / LASHI_FREEDOMS;
                if (g->body[slot] != body)
                    continue;
                if (system->moves[body] == LASHI_MOVES_PINNED)
                    say(e, " + fabs(lashi_grip_dot(across%d[%d], unit%d, LASHI_FREEDOMS)) * ", k, slot, body);
                else
                    say(e, " + fabs(across%d[%d][%d]) * ", k, slot, system->freedom[i] % LASHI_FREEDOMS);
                number(e, LASHI_RUB_AT_REST * e->looks->atol[system->v_at + i]);
            }
        say(e,
            ";\n    grips[%d].rate = drift%d;\n    grips[%d].scale = fmax(grips[%d].rest, fabs(drift%d));\n",
            k, k, k, k, k);
        for (int slot = 0; slot < LASHI_LINKS; slot++)
            if (g->body[slot] > 0)
                say(e,
                    "    grips[%d].rate += lashi_grip_dot(across%d[%d], a[%d], %d);\n"
                    "    grips[%d].scale = lashi_grip_largest(grips[%d].scale, across%d[%d], a[%d], %d);\n",
                    k, k, slot, g->body[slot], system->width, k, k, k, slot, g->body[slot], system->width);
    }
    // What rounds their rates: also forces at other places of their bodies (dynamics/rubbing.c, lashi_rub_rate).
    for (int c = 0; c < n; c++)
        for (int d = 0; may_stick(&of[c]) && d < n; d++)
            if (may_stick(&of[d]) && (c == d || share_a_body(&of[c], &of[d])))
                say(e, "    grips[%d].scale = fmax(grips[%d].scale, fabs(grips[%d].limit) * free%d);\n",
                    of[c].id, of[c].id, of[d].id, of[d].id);
}

/* Rows of the constraints, and S in its factors. */
static void constraints(writer *e) {
    const lash_system *system = e->system;
    for (int b = 1; b < system->bodies; b++) {
        freedoms(e, "inverse", b, system->inverse_free[b]);
        say(e, "    (void)inverse%d;\n", b);
    }
    if (system->motion.rows > 0) {
        rows(e);
        say(e, "    double two_alpha = ");
        number(e, system->two_alpha);
        say(e, ", beta_squared = ");
        number(e, system->beta_squared);
        say(e, ";\n");
        if (e->looks && e->looks->shadow)
            say(e, "    two_alpha = gain > 0 ? 2 * gain : two_alpha;\n"
                   "    beta_squared = gain > 0 ? gain * gain : beta_squared;\n");
        if (e->looks && e->changes) {
            say(e, "    two_alpha = aim == AIM_MOTION ? two_alpha : aim == AIM_SPEEDS ? 1 : 0;\n"
                   "    beta_squared = aim == AIM_MOTION ? beta_squared : aim == AIM_PLACES ? 1 : 0;\n");
            for (int i = 0; i < system->motion.rows; i++)
                say(e, "    gamma[%d] = aim == AIM_MOTION ? gamma[%d] : 0;\n", i, i);
        }
        matrix(e);
        eliminate(e);
    }
}

static void accelerations(writer *e) {
    const lash_system *system = e->system;
    const lashi_constraint_set *set = &system->motion;
    say(e, "\n    // accelerations and multipliers\n");
    accelerate(e);
    if (set->rows > 0)
        multipliers(e, "x");
    if (e->looks)
        grips(e);
    else if (e->w->rubs)
        say(e, "    if (host->rubs_solve(w, ydot, t, y))\n        return 1;\n");
    if (set->rows == 0 && !lashi_rubs_needed(system))
        return;
    for (int k = 0; k < set->link_count; k++) {
        const lashi_link *link = &set->links[k];
        say(e, "    lashi_subtract_rows(g[%d], J + %d, %d, x + %d, %d);\n", link->body, link->J, link->rows,
            link->row, system->width);
    }
    accelerate(e);
    for (int pass = 0; pass < set->corrections; pass++) {
        say(e, "    double more%d[%d], push%d[%d][LASHI_FREEDOMS] = {{0}};\n", pass, set->rows, pass,
            system->bodies);
        char more[32];
        snprintf(more, sizeof more, "more%d", pass);
        multipliers(e, more);
        for (int k = 0; k < set->link_count; k++) {
            const lashi_link *link = &set->links[k];
            say(e, "    lashi_subtract_rows(push%d[%d], J + %d, %d, %s + %d, %d);\n", pass, link->body,
                link->J, link->rows, more, link->row, system->width);
        }
        for (int b = 1; b < system->bodies; b++) {
            if (system->moves[b] == LASHI_MOVES_PINNED)
                say(e, "    lashi_pin_yield(push%d[%d], &pin%d, &f[%d], inverse%d, push%d[%d]);\n", pass, b,
                    b, b, b, pass, b);
            for (int k = 0; k < system->width; k++)
                if (system->moves[b] == LASHI_MOVES_PINNED)
                    say(e, "    a[%d][%d] += push%d[%d][%d];\n", b, k, pass, b, k);
                else
                    say(e, "    a[%d][%d] += inverse%d[%d] * push%d[%d][%d];\n", b, k, b, k, pass, b, k);
        }
        for (int i = 0; i < set->rows; i++)
            say(e, "    x[%d] += %s[%d];\n", i, more, i);
    }
}

static void powers(writer *e) {
    const lash_system *system = e->system;
    for (int d = 0; d < system->drive_count; d++) {
        const lashi_drive_info *drive = &system->drives[d];
        comment(e, "power of drive", drive->name);
        if (drive->absorbed < 0) {
            if (e->looks)
                say(e, "    drives[%d] = -x[%d];\n", d, system->motion.items[drive->constraint].first_row);
            say(e, "    ledger.input -= x[%d] * lashi_coordinate_evaluate(&joint%d.coordinate, f).rate;\n",
                system->motion.items[drive->constraint].first_row, drive->constraint);
            continue;
        }
        const int b = system->absorbed[drive->absorbed].body;
        freedoms(e, "driven", d, system->mass[b]);
        if (e->looks && system->spatial)
            say(e,
                "    lashi_vec3 thrust%d, moment%d;\n    lashi_balance_in_space(&thrust%d, &moment%d, "
                "driven%d, "
                "a[%d], g[%d], &f[%d], absorbed%d.joint.geometry->s[%d]);\n"
                "    drives[%d] = absorbed%d.sign * lashi_dot3(moment%d, absorbed%d.axis);\n",
                d, d, d, d, d, b, b, b, drive->absorbed, system->absorbed[drive->absorbed].slot, d,
                drive->absorbed, d, drive->absorbed);
        else if (e->looks)
            say(e,
                "    double missing%d[LASHI_FREEDOMS];\n    lashi_balance(missing%d, driven%d, a[%d], g[%d], "
                "&f[%d], absorbed%d.joint.s[%d]);\n    drives[%d] = absorbed%d.sign * "
                "missing%d[2];\n",
                d, d, d, b, b, b, drive->absorbed, system->absorbed[drive->absorbed].slot, d, drive->absorbed,
                d);
        say(e, "    ledger.input += lashi_prescribed_power(%d, driven%d, a[%d], g[%d], &f[%d]);\n",
            system->spatial, d, b, b, b);
    }
}

/* The energies of the bodies. */
static void add_energies(writer *e, const char *to) {
    const lash_system *system = e->system;
    for (int b = 1; b < system->bodies; b++) {
        freedoms(e, "inertia", b, system->mass[b]);
        freedoms(e, "weight", b, system->weight[b]);
        say(e, "    lashi_add_energy(&%s, %d, inertia%d, weight%d, &f[%d]);\n", to, system->spatial, b, b, b);
    }
}

/* What the account of a member (ensemble.h) needs of this point, apart from contacts. */
static void account(writer *e) {
    const lash_system *system = e->system;
    say(e, "\n    // account\n    account->lost += ledger.dissipation;\n    account->input = ledger.input;\n"
           "    if (account->whole) {\n    account->energy.elastic += ledger.elastic;\n");
    add_energies(e, "account->energy");
    for (int i = 0; i < system->motion.rows; i++)
        say(e, "    account->apart = fmax(account->apart, fabs(Phi[%d]));\n", i);
    say(e, "    }\n");
}

/* ---- the values that are looked at ---- */

/* Value and rate of the coordinate of a joint or drive. */
static void seen_coordinate(writer *e, const char *name, int index, const lashi_coordinate *c) {
    char shape[64];
    snprintf(shape, sizeof shape, "%s%d_shape", name, index);
    geometry(e, shape, c->geometry);
    begin(e, "lashi_coordinate", name, index);
    coordinate(e, "", c, shape);
    end(e);
    say(e, "    const lashi_coordinate_state of_%s%d = lashi_coordinate_evaluate(&%s%d, f);\n",
        name + strlen("seen_"), index, name, index);
}

/* What a joint does to its second body (load() of sim/channel.c). */
static void seen_reaction(writer *e, int index) {
    const lash_system *system = e->system;
    const lashi_joint_info *joint = &system->joints[index];
    const int second = joint->body[1], width = system->width;
    gripped of[MOST_GRIPS];
    const int n = list_gripped(of, e);
    comment(e, "reaction of", joint->name);
    say(e, "    double load%d[LASHI_FREEDOMS] = {0};\n", index);
    if (joint->constraint >= 0) {
        const lashi_constraint *item = &system->motion.items[joint->constraint];
        say(e, "    lashi_subtract_rows(load%d, J + %d, %d, x + %d, %d);\n", index,
            item->jacobian + item->rows * LASHI_FREEDOMS, item->rows, item->first_row, width);
    }
    for (int c = 0; c < n; c++) { // friction, and teeth that push their wheels apart
        const long rub = of[c].rub ? of[c].rub - system->rubs : -1;
        const bool rubs = rub >= 0 && rub >= joint->first_rub && rub < joint->first_rub + joint->rubs;
        const bool apart = !of[c].law && joint->constraint >= 0 && of[c].item == joint->constraint;
        for (int slot = 0; slot < LASHI_LINKS; slot++)
            for (int k = 0; k < width && (rubs || apart) && of[c].body[slot] == second; k++)
                say(e, "    load%d[%d] += friction[%d] * across%d[%d][%d];\n", index, k, c, of[c].id, slot,
                    k);
    }
    for (int k = joint->first_contact; k >= 0 && k < joint->first_contact + joint->contacts; k++)
        say(e, "    lashi_contact_load(load%d, &contact%d, f, &state[%d], %d);\n", index, k, k, second);
    say(e, "    lashi_reaction reaction%d = lashi_reaction_in_%s(load%d, &f[%d], (lashi_vec%d){", index,
        system->spatial ? "space" : "plane", index, second, system->spatial ? 3 : 2);
    number(e, system->spatial ? joint->geometry->s[1].x : joint->s[1].x);
    say(e, ", ");
    number(e, system->spatial ? joint->geometry->s[1].y : joint->s[1].y);
    if (system->spatial) {
        say(e, ", ");
        number(e, joint->geometry->s[1].z);
    }
    say(e, "});\n");
    if (joint->absorbed >= 0) {
        const int b = system->absorbed[joint->absorbed].body;
        freedoms(e, "borne", index, system->mass[b]);
        say(e,
            "    lashi_reaction_of_absorbed(&reaction%d, &absorbed%d, %d, borne%d, a[%d], g[%d], &f[%d]);\n",
            index, joint->absorbed, system->spatial, index, b, b, b);
    }
}

/* As lashi_energy_evaluate does. */
static void seen_energies(writer *e) {
    say(e, "    lashi_energy energies = {.elastic = ledger.elastic};\n    {\n");
    add_energies(e, "energies");
    for (int k = 0; k < e->system->contact_count; k++)
        if (e->system->contacts[k].constraint < 0)
            say(e,
                "    energies.elastic += memories[%d].touching ? lashi_contact_energy(&contact%d, "
                "&state[%d].gap) : 0;\n",
                k, k, k);
    say(e, "    }\n");
}

/* What the text of a value needs before it, once. */
static void seen_before(writer *e, int k) {
    const lash_system *system = e->system;
    const lashi_seen *seen = &e->looks->seen[k];
    for (int i = 0; i < k; i++)
        if (e->looks->seen[i].after == seen->after &&
            (e->looks->seen[i].index == seen->index || seen->after == LASHI_SEEN_FORCE))
            return;
    switch (seen->after) {
    case LASHI_SEEN_AS_IT_IS: break;
    case LASHI_SEEN_JOINT:
        seen_coordinate(e, "seen_joint", seen->index, &system->joints[seen->index].coordinate);
        break;
    case LASHI_SEEN_TRAVEL: {
        lashi_coordinate travel = system->joints[seen->index].coordinate;
        travel.type = LASHI_COORDINATE_TRAVEL;
        seen_coordinate(e, "seen_travel", seen->index, &travel);
        break;
    }
    case LASHI_SEEN_DRIVE:
        seen_coordinate(e, "seen_drive", seen->index,
                        &lashi_drive_constraint(system, seen->index)->coordinate);
        break;
    case LASHI_SEEN_REACTION: seen_reaction(e, seen->index); break;
    case LASHI_SEEN_ENERGY: seen_energies(e); break;
    case LASHI_SEEN_AXES: {
        double axes[9], unit[4];
        lashi_rotation(axes, unit, system->principal[seen->index]);
        say(e, "    const double axes%d[9] = {", seen->index);
        for (int i = 0; i < 9; i++) {
            number(e, axes[i]);
            say(e, i < 8 ? ", " : "};\n");
        }
        break;
    }
    case LASHI_SEEN_FORCE:
        say(e,
            "    double scratch[%d][LASHI_FREEDOMS] = {{0}};\n"
            "    const lashi_force_view view = {f, t, scratch};\n",
            system->bodies);
        break;
    }
}

static void observe(writer *e) {
    for (int k = 0; k < e->looks->count; k++)
        seen_before(e, k);
    for (int k = 0; k < e->looks->count; k++) {
        const lashi_seen *seen = &e->looks->seen[k];
        say(e, "    value[%d] = ", k);
        if (seen->after == LASHI_SEEN_FORCE) {
            say(e, "lashi_%s_value(&force%d, &view, %d);\n", force_files[e->system->forces[seen->index].type],
                seen->index, seen->channel);
            continue;
        }
        for (const char *c = seen->text; *c; c++)
            if (c[0] == '%' && c[1] == 'd')
                say(e, "%d", seen->index), c++;
            else
                put(e, c, 1);
        say(e, ";\n");
    }
}

static void rates(writer *e) {
    const lash_system *system = e->system;
    say(e, "\n    // ydot\n    position_rates(ydot, y, n);\n");
    for (int j = 0; system->spatial && j < system->joint_count; j++) {
        const lashi_coordinate *c = &system->joints[j].coordinate;
        if (!system->joints[j].has_coordinate || c->counted < 0)
            continue;
        char shape[64];
        snprintf(shape, sizeof shape, "turn%d_shape", j);
        geometry(e, shape, c->geometry);
        begin(e, "lashi_coordinate", "turn", j);
        coordinate(e, "", c, shape);
        end(e);
        say(e, "    ydot[%d] = lashi_coordinate_rate(&turn%d, f);\n", system->counted_at + c->counted, j);
    }
    for (int i = 0; i < system->n_v; i++)
        say(e, "    ydot[%d] = a[%d][%d];\n", system->v_at + i, system->freedom[i] / LASHI_FREEDOMS,
            system->freedom[i] % LASHI_FREEDOMS);
    if (e->looks) {
        account(e);
        observe(e);
        pressing(e);
        rising(e);
    }
    say(e,
        "    ydot[%d] = ledger.input;\n    ydot[%d] = ledger.dissipation;\n"
        "    *at->ledger = ledger;\n    return refused;\n}\n",
        system->work_at + LASHI_WORK_INPUT, system->work_at + LASHI_WORK_DISSIPATION);
}

/* Parameters that only an ensemble has (pushes). */
static const char extra_parameters[] =
    ",\n                           int probe, double push, double kick, double gain, const double *restrict "
    "modes,\n                           double *restrict response, double *restrict drives, double *restrict "
    "tables,\n                           double *restrict beyond, double *restrict number, double *restrict "
    "samples,\n                           lashi_account *restrict account, double *restrict value, int aim,\n"
    "                           const double *restrict blows, double *restrict yields, lashi_grip *restrict "
    "grips";
static const char extra_arguments[] = ", probe, push, kick, gain, modes, response, drives, tables, beyond, "
                                      "number, samples, account, value, aim, blows, yields, grips";

/* Parameters of evaluations one after the other: where the next one is, and its frames (turns). */
static const char next_parameters[] = ",\n                           lashi_frame *restrict next, double "
                                      "(*restrict next_a)[LASHI_FREEDOMS], double "
                                      "t_next,\n                           const double *restrict y_next";

/* Takes over what turn() has found. */
static void turned(writer *e) {
    const lash_system *system = e->system;
    say(e, "    turned(f, a, next, next_a, %d);\n", system->bodies);
    for (int b = 1; b < system->bodies; b++)
        if (lashi_turns_freely(system, b))
            say(e, "    turned_freely(&f[%d], &next[%d]);\n", b, b);
}

/* The same with places of its own. */
static void in_place(writer *e) {
    const lash_system *system = e->system;
    const lashi_constraint_set *set = &system->motion;
    const int rows = set->rows > 0 ? set->rows : 1;
    say(e,
        "\nLASHI_INLINE int equations(double *restrict ydot, lashi_contact_state *restrict state, double "
        "*restrict sum,\n"
        "                           int *restrict mismatch, double t, const double *restrict y, "
        "LASHI_NUMBERS n,\n"
        "                           const void *const *o, const lashi_memory *restrict memories,\n"
        "                           const lashi_frame *restrict ground, lashi_workspace *restrict w%s) {\n",
        e->looks ? extra_parameters : next_parameters);
    if (e->all_in_workspace) { // the library reads and changes what has been found
        say(e, "    const lashi_places at = places_of(w);\n"
               "    lashi_frame *const f = at.frames;\n"
               "    double(*const a)[LASHI_FREEDOMS] = at.acceleration;\n");
        turned(e);
        say(e, "    return equations_at(&at, ydot, sum, mismatch, t, y, n, o, memories, w, next, next_a, "
               "t_next, y_next);\n}\n");
        return;
    }
    say(e,
        "    double a[%d][LASHI_FREEDOMS], g[%d][LASHI_FREEDOMS];\n    lashi_ledger ledger;\n"
        "    double J[%zu], Phi[%d], Phi_dot[%d], gamma[%d], S[%d], pivots[%d], x[%d];\n",
        system->bodies, system->bodies, set->jacobian + 1, rows, rows, rows, rows * rows, rows, rows);
    if (e->in_workspace)
        say(e, "    lashi_frame *const f = w->frames;\n");
    else
        say(e, "    lashi_frame f[%d];\n    f[0] = *ground;\n", system->bodies);
    if (e->looks)
        say(e, "    if (turn(f, a, t, y, n, o, false))\n        return 1;\n");
    else
        turned(e);
    say(e,
        "    const lashi_places at = {f, g, a, state, &ledger, J, Phi, Phi_dot, gamma, S, pivots, x};\n"
        "    return equations_at(&at, ydot, sum, mismatch, t, y, n, o, memories, w%s);\n}\n",
        e->looks ? extra_arguments : ", next, next_a, t_next, y_next");
}

static const char *reason_against(const lashi_workspace *w) {
    const lash_system *system = w->system;
    if (system->motion.ldlt.sparse || system->motion.rows > MOST_ROWS)
        return "so many constraints that the sparse solver takes them";
    return NULL;
}

/* In the plane after forces, in space after accelerations: measured (bench/README.md). */
static void turn_next(writer *e) {
    say(e, "    if (next)\n        refused |= turn(next, next_a, t_next, y_next, n, o, false);\n");
}

/* The beginning of a text, up to the end of its equations. */
static void begin_text(writer *e, lashi_text *out, const lashi_workspace *workspace,
                       const lashi_looks *looks) {
    const lash_system *system = workspace->system;
    *e = (writer){.text = out,
                  .system = system,
                  .w = workspace,
                  .looks = looks,
                  .weigh = looks && lashi_ensemble_weighs(system, looks->impacts),
                  .changes = looks && lashi_ensemble_changes(system),
                  .in_workspace = !looks && system->machine.read_count > 0,
                  .all_in_workspace = !looks && (workspace->rubs || shares(workspace))};
    say(e, "// Written by lash from the model ");
    say_name(e, lash_model_title(system->model));
    say(e, "\n%s", looks ? "#define LASHI_ENSEMBLE\n" : "");
    includes(e);
    turns(e);
    position_rates(e);
    say(e,
        "LASHI_INLINE int equations_at(const lashi_places *at, double *restrict ydot, double *restrict sum,\n"
        "                              int *restrict mismatch, double t, const double *restrict y,\n"
        "                              LASHI_NUMBERS n, const void *const *o,\n"
        "                              const lashi_memory *restrict memories, lashi_workspace *restrict w%s) "
        "{\n"
        "    lashi_frame *const f = at->frames;\n"
        "    lashi_contact_state *const state = at->contact_states;\n"
        "    double(*const g)[LASHI_FREEDOMS] = at->force, (*const a)[LASHI_FREEDOMS] = at->acceleration;\n"
        "    double *const J = at->J, *const Phi = at->Phi, *const Phi_dot = at->Phi_dot,\n"
        "                  *const gamma = at->gamma, *const S = at->S, *const pivots = at->pivots,\n"
        "                  *const x = at->lambda;\n    int refused = 0;\n",
        looks ? extra_parameters : next_parameters);
    if (looks)
        say(e, "    (void)probe, (void)push, (void)kick, (void)gain, (void)modes, (void)response, "
               "(void)drives, (void)tables, (void)beyond, (void)number, (void)samples, (void)account, "
               "(void)value, (void)aim, (void)blows, (void)yields, (void)grips;\n");
    frames(e);
    linked(e);
    // What depends on positions alone comes before forces in the plane, where a processor that looks ahead then does more
    // at once, and after them in space: measured (bench/README.md).
    // Members of an ensemble compute what they need when they need it, since they have few registers.
    const bool rows_first = !looks && !system->spatial;
    if (rows_first)
        constraints(e);
    forces(e);
    if (looks)
        pushes(e);
    if (!rows_first)
        constraints(e);
    if (rows_first)
        turn_next(e);
    accelerations(e);
    if (looks) {
        responses(e);
        grips_found(e);
    } else if (system->spatial)
        turn_next(e);
    follow(e);
    powers(e);
    rates(e);
    in_place(e);
}

static lash_status end_text(writer *e, lashi_text *out, lash_error *error) {
    if (!e->full)
        return LASH_OK;
    lashi_text_clear(out);
    return lashi_fail_memory(error);
}

lash_status lashi_text_write(lashi_text *out, const lashi_workspace *workspace, lash_error *error) {
    writer e;
    *out = (lashi_text){.why = reason_against(workspace)};
    if (out->why)
        return LASH_OK;
    begin_text(&e, out, workspace, NULL);
    press(&e);
    const lash_system *system = workspace->system;
    say(&e,
        "\n#define BODIES %d\n#define CONTACTS %d\n#define LINKED %d\n#define IN_WORKSPACE %d\n"
        "#define CALLS %d\n#define POSITIONS %d\n#define READS %zu\n#define STRIDE %zu\n\n"
        "#include \"compile/model.h\"\n",
        system->bodies, system->contact_count, workspace->linked, e.all_in_workspace,
        e.in_workspace || e.all_in_workspace, system->n_q, lashi_dop853_lines((size_t)system->reads),
        lashi_dop853_stride((size_t)system->n_y));
    return end_text(&e, out, error);
}

/* ---- ensembles ---- */

bool lashi_ensemble_is_bounded(const lash_system *system) {
    bool bounded = false;
    for (int k = 0; k < system->contact_count; k++)
        bounded |= system->contacts[k].normal.scale == LASHI_SCALE_ENERGY;
    return bounded;
}

int lashi_ensemble_switches(const lash_system *system, bool impacts) {
    int count = system->machine.switch_count;
    for (int k = 0; k < system->contact_count; k++)
        count += lashi_ensemble_has_switch(system, k, impacts);
    return count;
}

bool lashi_ensemble_weighs(const lash_system *system, bool impacts) {
    bool compliant = false;
    for (int k = 0; k < system->contact_count; k++)
        compliant |= system->contacts[k].constraint < 0;
    return (impacts && compliant) || lashi_ensemble_is_bounded(system);
}

unsigned long long lashi_ensemble_modes(const lash_system *system) {
    unsigned long long modes = 0;
    for (int k = 0; k < system->contact_count && k < MOST_CONTACTS; k++)
        modes |= (unsigned long long)has_modes(system, k) << k;
    return modes;
}

/* The friction of a contact, or after them of a place of an ideal joint. Those are the first of all that rub. */
int lashi_ensemble_places(const lash_system *system) {
    int count = 0;
    for (int r = 0; r < system->rub_count; r++)
        count += system->rubs[r].contact < 0;
    return count;
}
static const lashi_friction *friction_at(const lash_system *system, int k) {
    return k < system->contact_count ? &system->contacts[k].friction
                                     : &system->rubs[k - system->contact_count].law;
}

int lashi_ensemble_grips(const lash_system *system) {
    return lashi_ensemble_sticks(system) ? system->contact_count + lashi_ensemble_places(system) : 0;
}

bool lashi_ensemble_changes(const lash_system *system) {
    return lashi_ensemble_modes(system) || lashi_ensemble_sticks(system);
}

unsigned long long lashi_ensemble_sticks(const lash_system *system) {
    const int slides = system->contact_count + lashi_ensemble_places(system);
    unsigned long long sticks = 0;
    for (int k = 0; k < slides && k < MOST_CONTACTS; k++)
        sticks |= (unsigned long long)friction_at(system, k)->kind->sticks << k;
    return sticks;
}

static const char *reason_against_expressions(const lash_system *system) {
    const lashi_machine *m = &system->machine;
    int tables = 0;
    for (int k = 0; k < m->switch_count; k++) // signals may be evaluated twice
        tables +=
            m->switches[k].expression->program[m->switches[k].instruction].code == LASHI_OP_TABLE ? 2 : 0;
    for (int k = 0; k < system->force_count; k++)
        tables += system->forces[k].table != NULL;
    return tables > MOST_TABLES                                    ? "so many tables"
           : lashi_ensemble_switches(system, true) > MOST_SWITCHES ? "more than 63 conditions of the state"
                                                                   : NULL;
}

static const char *reason_against_friction(const lash_system *system) {
    for (int r = 0; r < system->rub_count; r++) {
        const lashi_rub *rub = &system->rubs[r];
        if (rub->ways > 1 && rub->law.kind->sticks)
            return "the law coulomb where parts slide in several directions";
        if (rub->ways > 1 && rub->contact >= 0)
            return "friction of contacts that are constraints in space";
    }
    return count_gripped(system) > MOST_GRIPS ? "friction that depends on reactions at more than 24 places"
                                              : NULL;
}

static const char *reason_against_ensemble(const lashi_workspace *w) {
    const lash_system *system = w->system;
    if (system->projects)
        return "constraints that are kept by projection";
    const char *against = reason_against_friction(system);
    if (!against && shares(w))
        against = "reactions that press, beside rows that repeat others";
    if (!against)
        against = reason_against_expressions(system);
    if (against)
        return against;
    if (system->n_v == 0)
        return "machines without freedoms";
    if (system->contact_count + lashi_ensemble_places(system) > MOST_CONTACTS)
        return "more than 63 contacts and ideal joints that rub";
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *c = &system->contacts[k];
        if (c->model == LASHI_MODEL_MODES && system->contact_count > MOST_MODES)
            return "more than 16 contacts with the model three-mode";
        if (c->worn)
            return "surfaces that are worn";
        if (c->excited)
            return "meshes with an excitation";
        if (c->by_tolerance)
            return "the detector penetration-tolerance";
    }
    return NULL;
}

enum { STAGES = 12 }; /* of dop853 in a step */
/* Distance of the shadow from its member, in scales: far above rounding, far below the depth of a contact. */
static const double SHADOW_DISTANCE = 1e-3;

static void table(writer *e, const char *name, int rows, double (*values)[STAGES]) {
    say(e, "TABLE double %s[%d][%d] = {\n", name, rows, STAGES);
    for (int s = 0; s < rows; s++) {
        say(e, "    {");
        for (int j = 0; j < STAGES; j++)
            say(e, "%s%a", j ? ", " : "", values[s][j]);
        say(e, "},\n");
    }
    say(e, "};\n");
}

/* The method in Nyström's form: rows of A, of N = A A, and of the errors of orders 5 and 3. */
static void tables(writer *e) {
    const double(*a)[LASHI_DOP853_STAGES] = lashi_dop853_a;
    double A[STAGES + 1][STAGES], N[STAGES + 1][STAGES] = {{0}}, E[4][STAGES] = {{0}};
    for (int s = 0; s <= STAGES; s++)
        for (int j = 0; j < STAGES; j++) {
            A[s][j] = a[s][j];
            for (int m = 0; m < STAGES; m++)
                N[s][m] += a[s][j] * a[j][m];
        }
    for (int j = 0; j < STAGES; j++) {
        E[0][j] = lashi_dop853_e5[j];
        E[2][j] = a[STAGES][j] - lashi_dop853_b3[j];
        for (int m = 0; m < STAGES; m++) {
            E[1][m] += E[0][j] * a[j][m];
            E[3][m] += E[2][j] * a[j][m];
        }
    }
    say(e, "\n");
    table(e, "table_a", STAGES + 1, A);
    table(e, "table_n", STAGES + 1, N);
    table(e, "table_e", 4, E);
    say(e, "TABLE double table_c[13] = {");
    for (int s = 0; s <= STAGES; s++)
        say(e, "%s%a", s ? ", " : "", lashi_dop853_c[s]);
    say(e, "};\n");
}

/* T of a free impact on cylinders is √m G(m v²/2), since nothing else has a time: ln of the longest impact over √m, at
 * energies whose logarithms are equally far apart. Beyond the largest the law does not hold, and T is infinite. */
enum { ENERGIES = 24 };
static const double SMALLEST = 1e-10; /* of the largest energy; below it goes on as it began */
static void cylinder_measure(writer *e, const lashi_normal *law) {
    const double most = lashi_normal_energy(law, law->p->delta_limit) * (1 - 1e-9),
                 step = -log(SMALLEST) / (ENERGIES - 1);
    say(e, "        const int last = %d;\n        const double times[] = {", ENERGIES - 2);
    for (int i = 0; i < ENERGIES; i++) {
        say(e, "%s", i ? ", " : "");
        number(e, log(LASHI_IMPACT_TIMES *
                      lashi_normal_estimate(law, 1, sqrt(2 * most * exp((i - ENERGIES + 1) * step))).time));
    }
    say(e, "};\n        const double place = last + 1 + (log(0.5 * mass * v * v) - ");
    number(e, log(most));
    say(e, ") / ");
    number(e, step);
    say(e, ";\n        const int whole = place < 0 ? 0 : place > last ? last : (int)place;\n"
           "        const double time = times[whole] + (place - whole) * (times[whole + 1] - times[whole]);\n"
           "        measure = place > last + 1 ? 0 : d * d * exp(-2 * time);\n");
}

/* A contact that lasted d and began at the speed v was an impact if B dⁿ⁺¹ vⁿ⁻¹ is below the mass: a free
 * impact lasts T = T₁ m^q v^(2q−1), q = 1/(n + 1), and a contact is an impact up to a fixed number of T. */
static void power_measure(writer *e, const lashi_normal *law) {
    const double exponent = law->p->exponent;
    say(e, "        measure = ");
    number(e, pow(LASHI_IMPACT_TIMES * lashi_normal_estimate(law, 1, 1).time, -(exponent + 1)));
    if (exponent == 1) {
        say(e, " * d * d");
    } else if (exponent == 1.5) {
        say(e, " * d * d * sqrt(d) * sqrt(v)");
    } else {
        say(e, " * pow(d, ");
        number(e, exponent + 1);
        say(e, ") * pow(v, ");
        number(e, exponent - 1);
        say(e, ")");
    }
    say(e, ";\n");
}

static void measures(writer *e) {
    const lash_system *system = e->system;
    say(e, "\nLASHI_INLINE double impact_measure(int c, double d, double speed, double mass, LASHI_NUMBERS "
           "n) {\n"
           "    double measure = 0;\n    (void)c, (void)d, (void)speed, (void)mass, (void)n;\n");
    for (int k = 0; e->looks->impacts && k < system->contact_count; k++) {
        const lashi_normal *law = &system->contacts[k].normal;
        if (!weighs(e, k))
            continue;
        say(e, "    if (c == %d) {\n        const double least = ", k);
        number(e, law->p->speed_floor);
        say(e, ", v = speed > least ? speed : least;\n        (void)v;\n");
        (law->family == LASHI_NORMAL_CYLINDER ? cylinder_measure : power_measure)(e, law);
        say(e, "    }\n");
    }
    say(e, "    return measure;\n}\n");
}

/* Speeds at which the slope of friction jumps, two for each place; where there is none, a speed that nothing reaches. And
 * how far positions are in doubt. */
static bool kinks(const writer *e) {
    bool any = false;
    for (int k = 0; k < e->system->contact_count + lashi_ensemble_places(e->system); k++)
        any |= friction_at(e->system, k)->kink_count > 0;
    return any;
}
static void kink_speeds(writer *e) {
    say(e, "\nLASHI_INLINE double kinks_of(double *restrict speed, LASHI_NUMBERS n) {\n");
    for (int k = 0; k < e->system->contact_count + lashi_ensemble_places(e->system); k++)
        for (size_t i = 0; i < 2; i++) {
            const lashi_friction *friction = friction_at(e->system, k);
            say(e, "    speed[%zu] = ", 2 * (size_t)k + i);
            number(e, i < friction->kink_count ? friction->p->kinks[i] : NONE);
            say(e, ";\n");
        }
    say(e, "    return ");
    number(e, e->looks->resolution);
    say(e, ";\n}\n");
}

/* How far a step may go along tables over the motion, from where they are read (sim/unseen.c). */
static void ways(writer *e) {
    say(e, "\nLASHI_INLINE void ways_of(double *restrict room, double *restrict past, const double *restrict "
           "from, const int *restrict up, LASHI_NUMBERS n, const void *const *o) {\n"
           "    (void)room, (void)past, (void)from, (void)up, (void)n, (void)o;\n");
    for (int k = 0; k < e->tables; k++) {
        char name[32];
        snprintf(name, sizeof name, "way%d", k);
        table_before(e, name, e->table[k], true);
        say(e, "    room[%d] = lashi_table_way(&past[%d], &%s_table, %s_sight, from[%d], up[%d]);\n", k, k,
            name, name, k, k);
    }
    say(e, "}\n");
}

static bool ending(const writer *e) {
    bool any = false;
    for (int k = 0; k < e->tables; k++)
        any |= ends(e->table[k]);
    return any;
}

static const double UNHELD = 1e290; /* an error scale that is none */
/* The longest step, how many there may be, the tolerance, and the depth and force beyond which no law holds, of each
 * contact. */
static void limits(writer *e) {
    const lash_system *system = e->system;
    const double longest = system->model->run.max_step;
    say(e, "\nLASHI_INLINE double limits_of(double *restrict deepest, double *restrict strongest, "
           "double *restrict steps, double *restrict rtol, LASHI_NUMBERS n) "
           "{\n    (void)deepest, (void)strongest, (void)n;\n    *steps = ");
    number(e, fmin(system->model->run.max_steps, NONE)); // NaN: no limit
    say(e, ";\n    *rtol = ");
    number(e, system->model->run.rtol);
    say(e, ";\n");
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *c = &system->contacts[k];
        const bool rigid = c->constraint >= 0;
        say(e, "    deepest[%d] = ", k);
        number(e, rigid ? NONE : fmin(c->p->deepest, c->normal.p->delta_limit));
        say(e, ";\n    strongest[%d] = ", k);
        number(e, rigid ? NONE : fmin(lashi_normal_strongest(&c->normal, c->p->deepest), NONE));
        say(e, ";\n");
    }
    say(e, "    return ");
    number(e, isnan(longest) ? NONE : longest);
    say(e, ";\n}\n");
}

/* What a change of modes needs (ensemble.h): numbers of the contacts, how positions follow a step in velocities, and
 * velocities. */
static void modes(writer *e) {
    const lash_system *system = e->system;
    say(e,
        "\nLASHI_INLINE void modes_of(mode_numbers *restrict of, double *restrict enough, LASHI_NUMBERS n) "
        "{\n    *enough = ");
    number(e, LASHI_ENOUGH * system->length);
    say(e, ";\n");
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact_numbers *p = system->contacts[k].p;
        const double none[7] = {0},
                     own[7] = {p->restitution,
                               p->rest_speed,
                               p->response,
                               p->tolerance,
                               e->looks->resolution,
                               e->looks->rounding,
                               system->contacts[k].rubs ? p->friction.kinetic : 0},
                     *values = has_modes(system, k) ? own : none;
        static const char *const fields[] = {"restitution", "rest_speed", "response", "tolerance",
                                             "resolution",  "rounding",   "mu"};
        for (int i = 0; i < 7; i++) {
            say(e, "    of[%d].%s = ", k, fields[i]);
            number(e, values[i]);
            say(e, ";\n");
        }
    }
    say(e, "}\n\nLASHI_INLINE void move_by(double *restrict y, const double *restrict step, LASHI_NUMBERS n) "
           "{\n    (void)n;\n");
    for (int i = 0; !system->spatial && i < system->n_q; i++)
        say(e, "    y[%d] += step[%d];\n", i, system->v_at + i);
    for (int b = 1; system->spatial && b < system->bodies; b++) {
        const int q = system->q_at[b], v = system->v_at + system->u_at[b];
        if (lashi_turns_freely(system, b)) {
            say(e, "    lashi_shift_body(y + %d, step + %d, 1);\n", q, v);
        } else if (system->moves[b]) {
            say(e, "    y[%d] += ", q);
            number(e, system->q_rate[b]);
            say(e, " * step[%d];\n", v);
        }
    }
    say(e, "}\n\nLASHI_INLINE void speed_by(double *restrict y, const double *restrict step) {\n");
    for (int i = 0; i < system->n_v; i++)
        say(e, "    y[%d] += step[%d];\n", system->v_at + i, system->v_at + i);
    say(e, "}\n");
}

/* Velocities of a body, and how many of them are the rates of its first coordinates as they are. */
static int velocities_of(const lash_system *system, int body) {
    const int moves = system->moves[body];
    return moves == LASHI_MOVES_NOT ? 0 : moves == LASHI_MOVES_FREELY ? system->width : 1;
}
static int pairs_of(const lash_system *system, int body) {
    const int count = velocities_of(system, body);
    return count == 1 ? !system->spatial || system->q_rate[body] == 1 : count > 3 ? 3 : count;
}

lashi_state_size lashi_ensemble_state(int *place, const lash_system *system) {
    lashi_state_size size = {0};
    int n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int b = 1; b < system->bodies; b++)
            for (int k = 0; k < pairs_of(system, b); k++)
                place[n++] = (pass ? system->v_at + system->u_at[b] : system->q_at[b]) + k;
    size.pairs = n / 2;
    for (int b = 1; b < system->bodies; b++)
        if (velocities_of(system, b) > 0 && pairs_of(system, b) == 0)
            place[n++] = system->q_at[b];
    size.turning = n - 2 * size.pairs;
    for (int b = 1; b < system->bodies; b++)
        for (int k = 0; lashi_turns_freely(system, b) && k < 4; k++)
            place[n++] = system->q_at[b] + 3 + k;
    for (int b = 1; b < system->bodies; b++)
        for (int k = pairs_of(system, b); k < velocities_of(system, b); k++)
            place[n++] = system->v_at + system->u_at[b] + k;
    for (int k = 0; k < system->counted; k++)
        place[n++] = system->counted_at + k;
    for (int s = 0; s < system->machine.signal_count; s++)
        if (system->machine.signals[s].at >= 0)
            place[n++] = system->machine.signals[s].at;
    for (int r = 0; r < system->rub_count; r++)
        for (int k = 0; system->rubs[r].bristle >= 0 && k < system->rubs[r].ways; k++)
            place[n++] = system->rubs[r].bristle + k;
    for (int c = 0; c < system->contact_count; c++)
        for (int k = 0; k < lashi_bristles(&system->contacts[c]); k++)
            place[n++] = system->contacts[c].bristle + k;
    size.others = n - 2 * size.pairs;
    return size;
}

/* Where the numbers of the state are in y, and which belong to the bristles of each contact. */
static void state(writer *e, const int *place, int count) {
    const lash_system *system = e->system;
    int at = count;
    for (int c = 0; c < system->contact_count; c++)
        at -= lashi_bristles(&system->contacts[c]);
    say(e, "TABLE int place[] = {");
    for (int i = 0; i < count; i++)
        say(e, "%s%d", i ? ", " : "", place[i]);
    say(e, "};\nTABLE int bristles_from[] = {%d", at);
    for (int c = 0; c < system->contact_count; c++)
        say(e, ", %d", at += lashi_bristles(&system->contacts[c]));
    say(e, "};\n");
    // Switches, and the signals that are sampled.
    const lashi_machine *m = &system->machine;
    say(e, "TABLE int switch_code[] = {0");
    for (int k = 0; k < m->switch_count; k++)
        say(e, ", %d", (int)m->switches[k].expression->program[m->switches[k].instruction].code);
    for (int k = m->switch_count; k < lashi_ensemble_switches(system, e->looks->impacts); k++)
        say(e, ", %d", (int)LASHI_OP_SIGN);
    say(e, "};\nTABLE int turning[] = {-1");
    for (int k = 0; k < system->contact_count; k++)
        say(e, ", %d", turning_switch(e, k));
    say(e, "};\nTABLE int pressing[] = {-1");
    for (int k = 0; k < system->contact_count; k++)
        say(e, ", %d", pressing_switch(e, k));
    say(e, "};\nTABLE int sampled[] = {0");
    for (int s = 0; s < m->signal_count; s++)
        for (int i = 0; m->signals[s].kind == LASHI_SIGNAL_HOLD && i < count; i++)
            if (place[i] == m->signals[s].at)
                say(e, ", %d", i);
    say(e, "};\n\nLASHI_INLINE void periods_of(double *restrict every, LASHI_NUMBERS n) {\n    (void)every, "
           "(void)n;\n");
    for (int s = 0, sample = 0; s < m->signal_count; s++)
        if (m->signals[s].kind == LASHI_SIGNAL_HOLD) {
            say(e, "    every[%d] = ", sample++);
            number(e, m->signals[s].every);
            say(e, ";\n");
        }
    say(e, "}\n");
}

/* How scales of errors follow small motions (sim/tolerance.c), and the least pace. By chance some are 1, which is no structure. */
static void motions(writer *e, const int *place, int count) {
    const lash_system *system = e->system;
    say(e,
        "\n#define UNHELD %a\n#define AT_REST %a\nenum { IS_POSITION, IS_VELOCITY, IS_OTHER };\nTABLE int "
        "kind_of[] = {",
        UNHELD, LASHI_STANDS_STILL);
    for (int i = 0; i < count; i++) {
        const int at = place[i], velocities = system->v_at;
        say(e, "%s%s", i ? ", " : "",
            at < system->n_q                                    ? "IS_POSITION"
            : at >= velocities && at < velocities + system->n_v ? "IS_VELOCITY"
                                                                : "IS_OTHER");
    }
    say(e, "};\nLASHI_INLINE double motions_of(double *restrict share, double *restrict least, LASHI_NUMBERS "
           "n) {\n");
    for (int i = 0; i < count; i++) {
        say(e, "    share[%d] = ", i);
        listed(e, e->looks->share[place[i]]);
        say(e, ";\n    least[%d] = ", i);
        listed(e, e->looks->least[place[i]]);
        say(e, ";\n");
    }
    say(e, "    return ");
    listed(e, e->looks->least_pace);
    say(e, ";\n}\n");
}

/* Signals that are sampled. */
static int sample_count(const lash_system *system) {
    int count = 0;
    for (int s = 0; s < system->machine.signal_count; s++)
        count += system->machine.signals[s].kind == LASHI_SIGNAL_HOLD;
    return count;
}

int lashi_ensemble_block(int rates) {
    enum { SHARED = 48 << 10, MOST = 64, WARP = 32 };
    const int block = SHARED / (STAGES * (rates > 0 ? rates : 1) * (int)sizeof(double));
    return block < WARP ? WARP : block < MOST ? block / WARP * WARP : MOST;
}

lash_status lashi_text_write_ensemble(lashi_text *out, const lashi_workspace *workspace,
                                      const lashi_looks *looks, lash_error *error) {
    const lash_system *system = workspace->system;
    writer e;
    *out = (lashi_text){.why = reason_against(workspace)};
    if (!out->why)
        out->why = reason_against_ensemble(workspace);
    if (!out->why && looks->shadow && lashi_ensemble_modes(system))
        out->why = "exponents with the model three-mode";
    if (!out->why && looks->shadow && lashi_ensemble_sticks(system))
        out->why = "exponents with the law coulomb";
    if (!out->why && looks->shadow && (system->machine.switch_count || sample_count(system)))
        out->why = "exponents with conditions or samples of the state";
    for (int k = 0; !out->why && looks->shadow && k < system->contact_count; k++)
        if (system->contacts[k].normal.switches_at_turning && !lashi_kind_of(&system->contacts[k])->bias)
            out->why = "exponents with the law kelvin-voigt at teeth and ends of pins";
    if (out->why)
        return LASH_OK;
    begin_text(&e, out, workspace, looks);
    int *place = calloc((size_t)system->n_y + 1, sizeof *place), measured = 0;
    if (!place) {
        lashi_text_clear(out);
        return lashi_fail_memory(error);
    }
    const lashi_state_size size = lashi_ensemble_state(place, system);
    const int count = 2 * size.pairs + size.others;
    for (int i = 0; i < count; i++)
        measured += looks->atol[place[i]] > 0 || looks->rtol[place[i]] > 0;
    unsigned long long extrema = 0, watched = 0, always = 0, rubs = 0, stops = 0;
    for (int k = 0; k < system->contact_count; k++) {
        rubs |= (unsigned long long)(has_modes(system, k) && system->contacts[k].rubs) << k;
        watched |= (unsigned long long)system->contacts[k].watched << k;
        stops |= (unsigned long long)system->contacts[k].stops << k;
        always |= (unsigned long long)(system->contacts[k].model == LASHI_MODEL_PERMANENT) << k;
    }
    for (int k = 0; k < looks->count; k++)
        extrema |= (unsigned long long)looks->seen[k].extrema << k;
    ways(&e); // tables have a P, too
    say(&e,
        "\n#define P %d\n#define OTHERS %d\n#define TURNING %d\n#define MEASURED %d\n#define C %d\n"
        "#define WATCHED 0x%llxull\n#define ALWAYS 0x%llxull\n#define NEEDED 0x%llxull\n#define MODES "
        "0x%llxull\n#define PRESSES %d\n"
        "#define CHANGING %d\n#define RUBS 0x%llxull\n#define STICKS 0x%llxull\n#define GRIPS %d\n#define "
        "AXES "
        "%d\n#define PLACES "
        "%d\n"
        "#define V %d\n#define CUTS %d\n#define LOSSES %d\n#define EXTREMA "
        "0x%llxull\n#define KINKS "
        "%d\n#define TABLES %d\n#define ENDING %d\n#define SWITCHES %d\n#define SAMPLES %d\n"
        "#define STOPS %d\n#define WEIGH %d\n#define BOUNDED %d\n#define SHADOW "
        "%d\n#define DRIVES %d\n"
        "#define RATES %d\n#define BLOCK %d\n\n",
        size.pairs, size.others, size.turning, measured, system->contact_count, watched, always, stops,
        lashi_ensemble_modes(system), e.changes ? system->contact_count : 0, e.changes, rubs,
        lashi_ensemble_sticks(system), lashi_ensemble_grips(system), rubs ? 2 : 1,
        lashi_ensemble_places(system), looks->count, looks->cuts, looks->impacts ? system->contact_count : 0,
        extrema, kinks(&e), e.tables, ending(&e), lashi_ensemble_switches(system, looks->impacts),
        sample_count(system), system->breaks, e.weigh, lashi_ensemble_is_bounded(system), looks->shadow,
        system->drive_count, system->n_y, lashi_ensemble_block(size.pairs + size.others));
    if (looks->shadow)
        say(&e, "#define JUMPS 0x%llxull\n\n", jumps(system));
    state(&e, place, count);
    // What has no tolerance does not count.
    say(&e, "\nLASHI_INLINE void scales(double *restrict atol, double *restrict rtol, LASHI_NUMBERS n) {\n");
    for (int i = 0; i < count; i++) {
        const double atol = looks->atol[place[i]], rtol = looks->rtol[place[i]];
        say(&e, "    atol[%d] = ", i);
        number(&e, atol > 0 || rtol > 0 ? atol : UNHELD);
        say(&e, ";\n    rtol[%d] = ", i);
        number(&e, rtol);
        say(&e, ";\n");
    }
    say(&e, "}\n");
    motions(&e, place, count);
    free(place);
    say(&e, "\nLASHI_INLINE void rooms_of(double *restrict room, LASHI_NUMBERS n) {\n    (void)room, "
            "(void)n;\n");
    for (int k = 0; k < system->contact_count; k++) {
        say(&e, "    room[%d] = ", k);
        number(&e, system->contacts[k].p->room);
        say(&e, ";\n");
    }
    say(&e, "}\n");
    if (looks->shadow) {
        say(&e,
            "\nLASHI_INLINE void depths_of(double *restrict typical, LASHI_NUMBERS n) {\n    (void)typical, "
            "(void)n;\n");
        for (int k = 0; k < system->contact_count; k++) {
            say(&e, "    typical[%d] = ", k);
            number(&e, lashi_typical_depth(system, &system->contacts[k]));
            say(&e, ";\n");
        }
        say(&e, "}\n");
    }
    limits(&e);
    if (kinks(&e))
        kink_speeds(&e);
    if (e.weigh)
        measures(&e);
    if (e.changes)
        modes(&e);
    if (looks->shadow) {
        say(&e, "\nLASHI_INLINE double distance_of(LASHI_NUMBERS n) {\n    return ");
        number(&e, SHADOW_DISTANCE / system->model->run.rtol);
        say(&e, ";\n}\n");
    }
    return end_text(&e, out, error);
}

char *lashi_ensemble_text(const char *text, const double *numbers, const bool *varies, size_t count) {
    lashi_text whole = {0};
    writer e = {.text = &whole};
    lash_error unseen;
    size_t listed = 0;
    for (size_t k = 0; k < count; k++)
        if (varies[k])
            say(&e, "#define LASHI_NUMBER_%zu n.at[%zu * n.stride]\n", k, listed++);
        else
            say(&e, "#define LASHI_NUMBER_%zu %a\n", k, numbers[k]);
    say(&e, "#define NUMBERS %zu\n%s", listed, text);
    tables(&e);
    say(&e, "\n#include \"compile/ensemble.h\"\n");
    end_text(&e, &whole, &unseen);
    return whole.text;
}

void lashi_text_clear(lashi_text *text) {
    free(text->text);
    free(text->numbers);
    free(text->objects);
    free(text->shared);
    *text = (lashi_text){0};
}
