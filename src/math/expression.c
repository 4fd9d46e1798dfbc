/* SPDX-License-Identifier: MIT
 *
 * Expressions: one pass of precedence climbing over the text emits a flat postfix program, folds constants
 * and checks dimensions; program.c runs it.
 *
 * Grammar, loosest first:  or | and | not | < <= > >= == != | + - | * / | unary - | ^ (from the right) |
 * number [unit], $parameter, t, pi, e, quantity, function(…), (…). Units are found in expression_unit.c.
 *
 * Dimensions are checked by the rules of expression_value.h.
 */
#include "math/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "math/breaks.h"
#include "math/expression_names.h"
#include "math/expression_unit.h"
#include "math/expression_value.h"
#include "math/program.h"
#include "math/split.h"

enum {
    MAX_TEXT = 8192,   // characters
    MAX_NESTING = 100, // levels of parsing, well inside any thread's stack
    MAX_NAME = 63
};

enum { LOGIC_NOT = 3, UNARY = 7, LOOSEST = 1 }; /* precedences beside those of the operators */

typedef lashi_value value;

typedef struct parser {
    const char *text;
    size_t length, at;
    const lashi_scope *scope;
    lash_error *error;
    lash_status status;
    lashi_instruction *program;
    size_t count, capacity;
    char **names; // quantities
    size_t name_count, name_capacity;
    int nesting;
} parser;

/* ---- messages ---- */

/* Records the first failure, with its place (from 0). Always false, so that it can be returned. */
__attribute__((format(printf, 3, 4))) static bool fail(parser *p, size_t at, const char *format, ...) {
    if (p->status != LASH_OK)
        return false;
    char message[LASH_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    p->status = lashi_fail(p->error, LASH_ERROR_MODEL, "%s", message);
    if (p->error)
        p->error->column = (int)at + 1;
    return false;
}

/* ---- program ---- */

static value make(lashi_value_kind kind, size_t start, size_t at) {
    return lashi_value_make(kind, NULL, start, at);
}

static value of_dimension(const lashi_dimension *dimension, size_t start, size_t at) {
    value v = lashi_value_make(dimension->open ? LASHI_ANYTHING : LASHI_FIXED,
                               dimension->open ? NULL : dimension->exponent, start, at);
    v.angle = dimension->angle;
    v.frequency = dimension->frequency;
    return v;
}

static bool is_constant(const parser *p, const value *v, size_t end) {
    return end - v->start == 1 && p->program[v->start].code == LASHI_OP_CONSTANT;
}

static bool push(parser *p, lashi_instruction it) {
    if (lashi_append(p->program, p->count, p->capacity, it))
        return true;
    p->status = lashi_fail_memory(p->error);
    return false;
}

/* Emits an operation on the `arguments` values that start at `first`; constants are worked out at once. A
 * constant that is not finite poisons what is made of it and is reported at the end, unless a constant `if`
 * drops it. */
static bool emit(parser *p, lashi_opcode code, int arguments, const value *first, size_t at) {
    lashi_instruction it = {code, (int)at, 0};
    size_t n = (size_t)arguments;
    bool constant = p->count - first->start == n;
    for (size_t i = 0; i < n && constant; i++)
        constant = p->program[first->start + i].code == LASHI_OP_CONSTANT;
    if (!constant)
        return push(p, it);
    lashi_jet stack[4] = {{0}}, *top = stack;
    const lashi_instruction *poison = NULL;
    for (size_t i = 0; i < n; i++) {
        const lashi_instruction *argument = &p->program[first->start + i];
        if (!poison && !isfinite(argument->value))
            poison = argument;
        top = lashi_program_step(top, top, argument, 0);
    }
    lashi_instruction *result = &p->program[first->start];
    if (poison) {
        *result = (lashi_instruction){LASHI_OP_CONSTANT, poison->column, (double)NAN};
    } else {
        lashi_program_step(top, top, &it, 0);
        *result = (lashi_instruction){LASHI_OP_CONSTANT, (int)at, stack[0].f};
    }
    p->count = first->start + 1;
    return true;
}

/* ---- dimensions ---- */

static bool wants_number(parser *p, const value *v, const char *what) {
    if (v->kind != LASHI_TRUTH)
        return true;
    return fail(p, v->at,
                "%s needs a number, not a comparison; a comparison is the condition of if(condition, a, b)",
                what);
}

static bool wants_truth(parser *p, const value *v, const char *what) {
    if (v->kind == LASHI_TRUTH)
        return true;
    return fail(p, v->at, "%s needs a comparison such as t < 0.5, not a number", what);
}

static bool wants_pure(parser *p, value *v, const char *what) {
    char why[LASHI_WHY];
    return wants_number(p, v, what) && (lashi_value_strip(v, what, why) || fail(p, v->at, "%s", why));
}

static bool alike(parser *p, value *a, const value *b, size_t at, const char *what, const char *verb,
                  const char *joint) {
    char why[LASHI_WHY];
    return wants_number(p, a, what) && wants_number(p, b, what) &&
           (lashi_value_unite(a, b, verb, joint, why) || fail(p, at, "%s", why));
}

/* a^b; b is the last value of the program. */
static bool raise(parser *p, value *a, value *b, size_t at) {
    char why[LASHI_WHY];
    double n = is_constant(p, b, p->count) ? p->program[b->start].value : (double)NAN;
    return wants_number(p, a, "a power") && wants_pure(p, b, "an exponent") &&
           (lashi_value_raise(a, n, why) || fail(p, at, "%s", why));
}

/* ---- text ---- */

static void skip_blanks(parser *p) {
    while (p->at < p->length && isspace((unsigned char)p->text[p->at]))
        p->at++;
}

static char peek(parser *p) {
    skip_blanks(p);
    return p->at < p->length ? p->text[p->at] : '\0';
}

static bool starts_name(char c) {
    return isalpha((unsigned char)c) || c == '_';
}

/* Length of the name at `at`, copied (possibly cut) to `name`. */
static size_t read_name(char name[MAX_NAME + 1], const parser *p, size_t at) {
    size_t n = 0;
    while (at + n < p->length && (isalnum((unsigned char)p->text[at + n]) || p->text[at + n] == '_'))
        n++;
    size_t kept = n < MAX_NAME ? n : MAX_NAME;
    memcpy(name, p->text + at, kept);
    name[kept] = '\0';
    return n;
}

static bool in_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

size_t lashi_quantity_length(const char *text, size_t length, size_t at) {
    if (at >= length || !starts_name(text[at]))
        return 0;
    for (size_t i = at;;) {
        const size_t first = i;
        while (i < length && (in_name(text[i]) || text[i] == '-'))
            i++;
        if (i + 1 < length && text[i] == '.' && starts_name(text[i + 1])) {
            i++;
            continue;
        }
        // The last part, or the only one: a dash in it is a minus.
        for (i = first; i < length && in_name(text[i]);)
            i++;
        return i - at;
    }
}

/* The operator at the cursor, NULL if none. */
static const lashi_operator *peek_operator(parser *p) {
    skip_blanks(p);
    for (const lashi_operator *it = lashi_operators; it->text; it++) {
        const char *text = it->text;
        size_t n = strlen(text);
        if (p->length - p->at < n || strncmp(p->text + p->at, text, n) != 0)
            continue;
        char name[MAX_NAME + 1];
        if (!starts_name(text[0]) || read_name(name, p, p->at) == n)
            return it;
    }
    return NULL;
}

/* ---- parsing ---- */

static bool parse(parser *p, value *out, int loosest);

static bool parse_number(parser *p, value *out) {
    lashi_literal literal;
    size_t start = p->at;
    size_t length = lashi_literal_read(&literal, p->text, p->length, start, p->scope, p->error);
    if (length == 0) {
        p->status = LASH_ERROR_MODEL;
        return false;
    }
    p->at += length;
    *out = literal.has_unit ? of_dimension(&literal.dimension, p->count, start)
                            : make(LASHI_FREE, p->count, start);
    return push(p, (lashi_instruction){LASHI_OP_CONSTANT, (int)start, literal.value});
}

static const char *symbol_name(const void *list, size_t index) {
    const lashi_scope *scope = list;
    return index < scope->symbol_count ? scope->symbols[index].name : NULL;
}

static bool parse_parameter(parser *p, value *out) {
    size_t start = p->at++;
    char name[MAX_NAME + 1];
    size_t length = p->at < p->length && starts_name(p->text[p->at]) ? read_name(name, p, p->at) : 0;
    if (length == 0)
        return fail(p, start, "$ needs the name of a parameter right after it, as in $play");
    p->at += length;
    for (size_t i = 0; i < p->scope->symbol_count; i++) {
        const lashi_symbol *symbol = &p->scope->symbols[i];
        if (strlen(symbol->name) != length || strncmp(symbol->name, p->text + start + 1, length) != 0)
            continue;
        *out = of_dimension(&symbol->dimension, p->count, start);
        return push(p, (lashi_instruction){LASHI_OP_CONSTANT, (int)start, symbol->value});
    }
    const char *near = lashi_nearest(name, symbol_name, p->scope);
    if (near)
        return fail(p, start, "unknown parameter $%s; did you mean $%s?", name, near);
    if (p->scope->symbol_count == 0)
        return fail(p, start, "unknown parameter $%s; no parameters are defined here", name);
    return fail(p, start, "unknown parameter $%s; define it under parameters", name);
}

/* The index of a name among those that the expression reads; it grows. */
static bool keep_name(size_t *index, parser *p, const char *name) {
    for (*index = 0; *index < p->name_count; ++*index)
        if (strcmp(p->names[*index], name) == 0)
            return true;
    char *copy = strdup(name);
    if (copy && lashi_append(p->names, p->name_count, p->name_capacity, copy))
        return true;
    free(copy);
    p->status = lashi_fail_memory(p->error);
    return false;
}

lashi_naming lashi_quantity_find(char name[LASHI_QUANTITY_TEXT], lashi_dimension *dimension,
                                 const lashi_scope *scope, const char *text, size_t length, char *why,
                                 size_t why_size) {
    const char *prefix = scope->prefix ? scope->prefix : "";
    *dimension = (lashi_dimension){.open = true};
    if (strlen(prefix) + length >= LASHI_QUANTITY_TEXT) {
        snprintf(why, why_size, "this name is longer than %d characters", LASHI_QUANTITY_TEXT - 1);
        return LASHI_REFUSED;
    }
    for (int own = prefix[0] != '\0'; own >= 0; own--) {
        snprintf(name, LASHI_QUANTITY_TEXT, "%s%.*s", own ? prefix : "", (int)length, text);
        const lashi_naming naming =
            scope->quantity ? scope->quantity(dimension, scope->context, name, why, why_size) : LASHI_KNOWN;
        if (naming != LASHI_UNKNOWN || !own)
            return naming;
    }
    return LASHI_UNKNOWN;
}

/* A quantity of the machine, `length` characters long. */
static bool parse_quantity(parser *p, value *out, size_t start, size_t length) {
    char name[LASHI_QUANTITY_TEXT], why[LASHI_WHY] = "";
    lashi_dimension dimension;
    size_t index;
    if (lashi_quantity_find(name, &dimension, p->scope, p->text + start, length, why, sizeof why) !=
        LASHI_KNOWN)
        return fail(p, start, "%s", why);
    p->at = start + length;
    *out = of_dimension(&dimension, p->count, start);
    return keep_name(&index, p, name) &&
           push(p, (lashi_instruction){LASHI_OP_READ, (int)start, (double)index});
}

enum { FIRST_BEYOND_ASCII = 0x80 };

/* Signs that come with text copied from a document. */
static bool fail_beyond_ascii(parser *p, size_t at) {
    static const struct {
        const char *sign, *cure;
    } known[] = {{"\u2212", "a minus is written -"},
                 {"\u2013", "a minus is written -"},
                 {"\u00d7", "a product is written *"},
                 {"\u00b7", "a product is written *"},
                 {"\u00f7", "a quotient is written /"},
                 {"\u00b2", "a square is written ^2"},
                 {"\u00b3", "a third power is written ^3"},
                 {"\u03c0", "it is written pi"},
                 {"\u00a0", "this is a no-break space; write an ordinary blank"},
                 {"\u202f", "this is a no-break space; write an ordinary blank"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(p->text + at, known[i].sign, strlen(known[i].sign)) == 0)
            return fail(p, at, "'%s' has no meaning here; %s", known[i].sign, known[i].cure);
    size_t length = 1; // of the character: the bytes that continue it are 10xxxxxx
    while (((unsigned char)p->text[at + length] & 0xc0) == 0x80)
        length++;
    return fail(p, at, "'%.*s' has no meaning here", (int)length, p->text + at);
}

static bool fail_unknown(parser *p, size_t start, const char *name, bool call) {
    for (size_t i = 0; i < p->scope->symbol_count && !call; i++)
        if (strcmp(p->scope->symbols[i].name, name) == 0)
            return fail(p, start, "%s is a parameter: write $%s", name, name);
    if (!call && lashi_function_find(name))
        return fail(p, start, "%s is a function: write %s(…)", name, name);
    const char *near = lashi_nearest(name, lashi_function_name, NULL);
    const char *what = call ? "function" : "name";
    if (near)
        return fail(p, start, "unknown %s '%s'; did you mean %s?", what, name, near);
    return fail(
        p, start,
        "unknown %s '%s'; parameters are written $name, a unit follows its number, and the functions are "
        "sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign min max pow mod hypot "
        "if "
        "smoothstep ramp rate",
        what, name);
}

/* Puts an instruction in before the one at `at`. */
static bool insert(parser *p, size_t at, lashi_instruction it) {
    if (!push(p, it))
        return false;
    memmove(&p->program[at + 1], &p->program[at], (p->count - 1 - at) * sizeof *p->program);
    p->program[at] = it;
    return true;
}

/* condition, branch, first value, jump, second value: only one of the two is ever worked out. */
static bool choose(parser *p, value *v, size_t start) {
    const size_t yes = v[2].start - v[1].start, no = p->count - v[2].start;
    const int column = (int)start;
    const lashi_instruction branch = {LASHI_OP_BRANCH, column, (double)(yes + 1)},
                            jump = {LASHI_OP_JUMP, column, (double)no};
    if (!insert(p, v[2].start, jump) || !insert(p, v[1].start, branch))
        return false;
    v[1].start = v[0].start;
    v[1].at = start;
    v[0] = v[1];
    return true;
}

/* Dimension and code of a function of `count` values. */
static bool apply(parser *p, value *v, int count, const lashi_function *f, size_t start) {
    char call[32], verb[48], why[LASHI_WHY];
    snprintf(call, sizeof call, "%s(…)", f->name);
    snprintf(verb, sizeof verb, "%s mixes", call);
    switch (f->rule) {
    case LASHI_RULE_PURE:
        if (v[0].frequency && (f->code == LASHI_OP_SIN || f->code == LASHI_OP_COS || f->code == LASHI_OP_TAN))
            return fail(p, v[0].at,
                        "%s takes an angle, and Hz or 1/min times a time counts turns or periods; write 2*pi "
                        "times it, as in sin(2*pi*50 Hz*t)",
                        call);
        if (!wants_pure(p, &v[0], call))
            return false;
        break;
    case LASHI_RULE_KEEPS:
    case LASHI_RULE_TO_NUMBER:
        if (!wants_number(p, &v[0], call))
            return false;
        if (f->rule == LASHI_RULE_TO_NUMBER)
            v[0] = make(LASHI_FREE, v[0].start, start);
        break;
    case LASHI_RULE_ALIKE:
    case LASHI_RULE_ALIKE_TO_NUMBER:
        for (int i = 1; i < count; i++)
            if (!alike(p, &v[0], &v[i], v[i].at, call, verb, "and"))
                return false;
        if (f->rule == LASHI_RULE_ALIKE_TO_NUMBER)
            v[0] = make(LASHI_FREE, v[0].start, start);
        break;
    case LASHI_RULE_ROOT:
        if (!wants_number(p, &v[0], call))
            return false;
        if (!lashi_value_raise(&v[0], 0.5, why))
            return fail(p, start, "%s", why);
        break;
    case LASHI_RULE_RAISES:
        if (!raise(p, &v[0], &v[1], start))
            return false;
        break;
    case LASHI_RULE_PER_TIME: {
        const signed char second[7] = {0, 0, 1};
        const value time = lashi_value_make(LASHI_FIXED, second, 0, 0);
        if (p->scope->of != LASHI_OF_STATE)
            return fail(p, start, "rate(…), the time derivative, is for forces and signals");
        if (!wants_number(p, &v[0], call))
            return false;
        if (!lashi_value_multiply(&v[0], &time, -1, why))
            return fail(p, start, "%s", why);
        break;
    }
    case LASHI_RULE_CHOOSES:
        if (!wants_truth(p, &v[0], "the condition of if(…)"))
            return false;
        if (!alike(p, &v[1], &v[2], v[2].at, call, verb, "and"))
            return false;
        // A constant condition keeps one branch and drops the other, and with it its faults.
        if (is_constant(p, &v[0], v[1].start) && isfinite(p->program[v[0].start].value)) {
            bool yes = p->program[v[0].start].value != 0;
            size_t from = v[yes ? 1 : 2].start, to = yes ? v[2].start : p->count;
            memmove(&p->program[v[0].start], &p->program[from], (to - from) * sizeof *p->program);
            p->count = v[0].start + (to - from);
            v[1].start = v[0].start;
            v[0] = v[1];
            return true;
        }
        return choose(p, v, start);
    }
    if (f->code == LASHI_OP_RAMP && is_constant(p, &v[1], v[2].start) && is_constant(p, &v[2], p->count) &&
        !(p->program[v[1].start].value < p->program[v[2].start].value))
        return fail(p, start, "ramp(x, x0, x1) needs x0 < x1");
    v[0].at = start;
    // More than two values: the last two first, so that one operation each takes them off the stack.
    for (int i = count; f->arguments < 0 && i > 2; i--)
        if (!emit(p, f->code, 2, &v[i - 2], start))
            return false;
    return emit(p, f->code, f->arguments < 0 ? 2 : count, &v[0], start);
}

static bool parse_call(parser *p, value *out, const char *name, size_t start) {
    static const lashi_function curve = {"curve", LASHI_OP_TABLE, 1, LASHI_RULE_KEEPS};
    const bool is_curve = p->scope->curve && strcmp(name, "curve") == 0;
    const lashi_function *f = is_curve ? &curve : lashi_function_find(name);
    if (!f)
        return fail_unknown(p, start, name, true);
    enum { MOST = 8 };
    value v[MOST];
    int count = 0, wanted = abs(f->arguments), most = f->arguments < 0 ? MOST : wanted;
    p->at++; // the parenthesis
    if (peek(p) != ')')
        do {
            if (count == most)
                return fail(p, p->at, "%s takes %s%d argument%s, here are more", name,
                            f->arguments < 0 ? "at most " : "", most, most == 1 ? "" : "s");
            if (!parse(p, &v[count++], LOOSEST))
                return false;
        } while (peek(p) == ',' && p->at++ < p->length);
    if (peek(p) != ')')
        return fail(p, p->at, "%s( is not closed: ')' or ',' is missing here", name);
    if (count < wanted)
        return fail(p, start, "%s needs %s%d argument%s, here %s %d", name,
                    f->arguments < 0 ? "at least " : "", wanted, wanted == 1 ? "" : "s",
                    count == 1 ? "is" : "are", count);
    p->at++;
    if (!apply(p, v, count, f, start))
        return false;
    *out = v[0];
    return true;
}

static bool parse_name(parser *p, value *out) {
    char name[MAX_NAME + 1];
    size_t start = p->at;
    const size_t length = read_name(name, p, start),
                 quantity = lashi_quantity_length(p->text, p->length, start);
    if (quantity > length) { // OBJECT.quantity
        if (p->scope->of == LASHI_OF_STATE)
            return parse_quantity(p, out, start, quantity);
        return fail(p, start,
                    "%.*s cannot be used here: this value %s. Forces, torques, actuators and signals may "
                    "depend on the state",
                    (int)quantity, p->text + start,
                    p->scope->of == LASHI_OF_TIME    ? "is a function of time only"
                    : p->scope->of == LASHI_OF_ANGLE ? "is an expression of angle"
                                                     : "must be constant");
    }
    p->at += length;
    if (peek(p) == '(')
        return parse_call(p, out, name, start);
    *out = make(LASHI_FREE, p->count, start);
    out->angle = strcmp(name, "pi") == 0;
    if (out->angle)
        return push(p, (lashi_instruction){LASHI_OP_CONSTANT, (int)start, 3.14159265358979323846});
    if (strcmp(name, "e") == 0)
        return push(p, (lashi_instruction){LASHI_OP_CONSTANT, (int)start, 2.71828182845904523536});
    if (strcmp(name, "t") == 0) {
        if (p->scope->of != LASHI_OF_TIME && p->scope->of != LASHI_OF_STATE)
            return fail(
                p, start,
                p->scope->of == LASHI_OF_ANGLE
                    ? "t, the time, cannot be used here: this value is an expression of angle"
                    : "t, the time, cannot be used here: this value must be constant. Drives follow an "
                      "expression of t by `motion`");
        out->exponent[2] = 1;
        return push(p, (lashi_instruction){LASHI_OP_TIME, (int)start, 0});
    }
    if (strcmp(name, "angle") == 0 && p->scope->of == LASHI_OF_ANGLE) {
        out->angle = true;
        return push(p, (lashi_instruction){LASHI_OP_TIME, (int)start, 0});
    }
    lashi_dimension unused;
    char full[LASHI_QUANTITY_TEXT], why[LASHI_WHY] = "";
    if (p->scope->of == LASHI_OF_STATE &&
        lashi_quantity_find(full, &unused, p->scope, name, length, why, sizeof why) != LASHI_UNKNOWN)
        return parse_quantity(p, out, start, length);
    if (p->scope->of == LASHI_OF_STATE && strstr(why, "did you mean"))
        return fail(p, start, "%s", why);
    return fail_unknown(p, start, name, false);
}

/* A value with the signs before it. */
static bool parse_prefix(parser *p, value *out) {
    char c = peek(p), name[MAX_NAME + 1];
    size_t start = p->at;
    if (c == '-' || c == '+') {
        p->at++;
        if (!parse(p, out, UNARY) || !wants_number(p, out, "a sign"))
            return false;
        out->at = start;
        return c == '+' || emit(p, LASHI_OP_NEGATE, 1, out, start);
    }
    if (c == '(') {
        p->at++;
        if (!parse(p, out, LOOSEST))
            return false;
        if (peek(p) != ')')
            return fail(p, p->at, "')' is missing here for the '(' in column %zu", start + 1);
        p->at++;
        return true;
    }
    if (isdigit((unsigned char)c) || c == '.')
        return parse_number(p, out);
    if (c == '$')
        return parse_parameter(p, out);
    if (starts_name(c)) {
        if (read_name(name, p, start) != 3 || strcmp(name, "not") != 0)
            return parse_name(p, out);
        p->at += 3;
        if (!parse(p, out, LOGIC_NOT) || !wants_truth(p, out, "not"))
            return false;
        out->at = start;
        return emit(p, LASHI_OP_NOT, 1, out, start);
    }
    if (c == '\0')
        return fail(p, start,
                    p->count == 0 ? "the expression is empty; a number is needed"
                                  : "the expression ends where a value is needed");
    if (c == '*' && start > 0 && p->text[start - 1] == '*')
        return fail(p, start, "powers are written ^, as in t^2");
    if (c == '=' && start > 0 && p->text[start - 1] == '=')
        return fail(p, start, "a value is needed after the comparison");
    if ((unsigned char)c >= FIRST_BEYOND_ASCII)
        return fail_beyond_ascii(p, start);
    return fail(p, start, "a value is needed here, not '%c'", isprint((unsigned char)c) ? c : '?');
}

static bool combine(parser *p, value *a, value *b, const lashi_operator *op, size_t at) {
    char why[LASHI_WHY];
    switch (op->code) {
    case LASHI_OP_AND:
    case LASHI_OP_OR:
        if (!wants_truth(p, a, op->text) || !wants_truth(p, b, op->text))
            return false;
        break;
    case LASHI_OP_MULTIPLY:
    case LASHI_OP_DIVIDE:
        if (!wants_number(p, a, "a product") || !wants_number(p, b, "a product"))
            return false;
        if (!lashi_value_multiply(a, b, op->code == LASHI_OP_MULTIPLY ? 1 : -1, why))
            return fail(p, at, "%s", why);
        break;
    case LASHI_OP_POWER:
        if (!raise(p, a, b, at))
            return false;
        break;
    default:
        if (!alike(p, a, b, at, op->text, op->verb, op->joint))
            return false;
        if (op->code != LASHI_OP_ADD && op->code != LASHI_OP_SUBTRACT)
            *a = make(LASHI_TRUTH, a->start, a->at);
    }
    return emit(p, op->code, 2, a, at);
}

static bool parse(parser *p, value *out, int loosest) {
    if (++p->nesting > MAX_NESTING)
        return fail(p, p->at, "nested deeper than %d levels; use parameters for the parts", MAX_NESTING);
    if (!parse_prefix(p, out))
        return false;
    const lashi_operator *op;
    while ((op = peek_operator(p)) != NULL && op->precedence >= loosest) {
        size_t at = p->at;
        p->at += strlen(op->text);
        value right;
        if (!parse(p, &right, op->code == LASHI_OP_POWER ? UNARY : op->precedence + 1) ||
            !combine(p, out, &right, op, at))
            return false;
    }
    p->nesting--;
    return true;
}

/* ---- whole expressions ---- */

/* Whether the text before ends in ^ or ^- and digits. */
static bool after_power(const parser *p) {
    size_t i = p->at;
    while (i > 0 && isdigit((unsigned char)p->text[i - 1]))
        i--;
    i -= i < p->at && i > 0 && p->text[i - 1] == '-';
    return i < p->at && i > 0 && p->text[i - 1] == '^';
}

static bool fail_rest(parser *p) {
    char c = p->text[p->at];
    if (c == ')')
        return fail(p, p->at, "this ')' closes nothing");
    if (c == '=')
        return fail(p, p->at, "a comparison is written ==");
    if (c == '.' && after_power(p))
        return fail(p, p->at,
                    "the exponents of units are whole numbers. A number in a unit that has another one, "
                    "as N/m^1.5, is written without unit and taken in SI");
    if (isalnum((unsigned char)c) || c == '$' || c == '(' || c == '_' || c == '.')
        return fail(p, p->at, "an operator is missing before this; a product is written with *");
    if (c == ',')
        return fail(p, p->at, "a comma has no meaning here; decimals are written with a point: 1.5");
    if ((unsigned char)c >= FIRST_BEYOND_ASCII)
        return fail_beyond_ascii(p, p->at);
    return fail(p, p->at, "'%c' has no meaning here", isprint((unsigned char)c) ? c : '?');
}

/* Constants finite, stack deep enough; says whether time and breaks occur. */
static bool check_program(parser *p, bool *constant, bool *breaks) {
    *constant = true;
    *breaks = false;
    int depth = 0;
    for (size_t i = 0; i < p->count; i++) {
        const lashi_instruction *it = &p->program[i];
        if (it->code == LASHI_OP_CONSTANT && !isfinite(it->value))
            return fail(
                p, (size_t)it->column,
                "this has no finite value (division by zero, overflow, or outside the function's range)");
        *constant = *constant && it->code != LASHI_OP_TIME && it->code != LASHI_OP_READ;
        *breaks = *breaks || lashi_has_breaks(p->program, i);
        depth += lashi_program_effect(it->code);
        if (depth > LASHI_MOST_PENDING)
            return fail(p, (size_t)it->column,
                        "more than %d values are pending here; use parameters for the parts",
                        LASHI_MOST_PENDING);
    }
    return true;
}

static void free_names(char **names, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

lash_status lashi_expression_compile(lash_expression **out, const char *text, const lashi_scope *scope,
                                     lash_error *error) {
    *out = NULL;
    parser p = {.text = text, .length = strlen(text), .scope = scope, .error = error, .status = LASH_OK};
    value v;
    bool constant, breaks;
    if (p.length > MAX_TEXT) {
        fail(&p, MAX_TEXT, "the expression is longer than %d characters", MAX_TEXT);
        return p.status;
    }
    if (!parse(&p, &v, LOOSEST) || (peek(&p) != '\0' && !fail_rest(&p)) ||
        !wants_number(&p, &v, "the expression as a whole") || !check_program(&p, &constant, &breaks)) {
        free_names(p.names, p.name_count);
        free(p.program);
        return p.status;
    }
    lash_expression *expression = calloc(1, sizeof *expression);
    if (!expression) {
        free_names(p.names, p.name_count);
        free(p.program);
        return lashi_fail_memory(error);
    }
    expression->program = p.program;
    expression->count = p.count;
    expression->constant = constant;
    expression->breaks = breaks && !constant && p.name_count == 0;
    expression->names = p.names;
    expression->name_count = p.name_count;
    if (p.name_count > 0 && !lashi_split_time(expression)) {
        lash_expression_destroy(expression);
        return lashi_fail_memory(error);
    }
    expression->dimension.open = v.kind != LASHI_FIXED;
    expression->dimension.angle = v.angle;
    expression->dimension.frequency = v.frequency;
    for (int i = 0; i < 7 && v.kind == LASHI_FIXED; i++)
        expression->dimension.exponent[i] = (signed char)v.exponent[i];
    *out = expression;
    return LASH_OK;
}

lashi_dimension lashi_expression_dimension(const lash_expression *expression) {
    return expression->dimension;
}

const char *lashi_expression_reads(const lash_expression *expression, size_t index) {
    return index < expression->name_count ? expression->names[index] : NULL;
}

bool lashi_expression_is_constant(const lash_expression *expression) {
    return expression->constant;
}

lash_status lash_expression_create(lash_expression **out, const char *text, lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !text)
        return lashi_fail_null(error);
    if (!text)
        return lashi_fail(error, LASH_ERROR_USAGE, "lash_expression_create needs a text");
    const lashi_scope scope = {.of = LASHI_OF_STATE};
    return lashi_expression_compile(out, text, &scope, error);
}

void lash_expression_destroy(lash_expression *expression) {
    if (!expression)
        return;
    for (size_t i = 0; i < expression->part_count; i++)
        lash_expression_destroy(expression->parts[i]);
    free(expression->parts);
    free_names(expression->names, expression->name_count);
    free(expression->program);
    free(expression);
}
