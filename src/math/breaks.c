/* SPDX-License-Identifier: MIT
 *
 * Where a function of time breaks. Every instruction with pieces has conditions d(t), at most three, whose
 * zeros are its breaks:
 *     a < b, min, max     a − b                 sqrt, log, x^1.5    the argument
 *     abs, sign           the argument          asin, acos          x − 1, x + 1
 *     smoothstep, ramp    x, x − 1              a/b, ramp           the denominator
 *     mod                 a/b − k, a/b − k − 1  tan                 the cosine
 *     hypot               a² + b²               atan2               y, x² + y²
 *
 * The instructions are taken in the order in which they are worked out. Up to the first break found so far,
 * T, all earlier ones keep their pieces, which a time between decides; so d is smooth from a to T, and its
 * first zero is the new T. It is found with certainty by bounds (bounds.h): a stretch is
 *     free of zeros      where d excludes 0, or d' is exactly 0;
 *     searched by signs  where d' excludes 0: one zero at most; or where d'' excludes 0: d' has one zero at
 *                        most, the extremum of d, with one zero of d at most to either side;
 *     cut in halves      otherwise, the earlier half first.
 * An extremum that is zero to rounding counts as a zero (d touches). A stretch too short to be cut counts as
 * one: that is where d and two derivatives vanish together, or a pole. After MOST_BOUNDS of them the end of
 * what is certain is given instead; it is no break then, which does no harm.
 *
 * A pulse may be smooth: then it has an extremum, a zero of f', which is found in the same way, and is narrow
 * beside the extrema around it. Where no extremum can be proved, because derivatives overflow, it is found by
 * its height: what a stretch does beyond what CELLS looks at it show is excluded by the bounds of f, or found
 * by halving. So it is with the acceleration of a drive that continues one way: a short push on it has no
 * extremum.
 */
#include "math/breaks.h"

#include <float.h>
#include <math.h>

#include "math/jet.h"
#include "math/root.h"

enum { MOST_BOUNDS = 20000, MOST_FOR_EXTREMUM = 1000, MOST_EXTREMA = 1000, MOST_FLAT = 16 };
/* Of the stretch between two extrema beside it: one far shorter. */
static const double SHORT = 0.3;
/* Of a value: rounding. */
static const double NO_RISE = 1e-9;
/* Times are distinguished to so many units of rounding; at zero, s. */
static const double RESOLUTION = 16 * DBL_EPSILON, AT_ZERO = 1e-30;

double lashi_time_resolution(double t) {
    return RESOLUTION * fabs(t) + AT_ZERO;
}

/* How many conditions an instruction has. */
static int conditions(lashi_opcode code) {
    switch (code) {
    case LASHI_OP_LESS:
    case LASHI_OP_LESS_EQUAL:
    case LASHI_OP_GREATER:
    case LASHI_OP_GREATER_EQUAL:
    case LASHI_OP_EQUAL:
    case LASHI_OP_NOT_EQUAL:
    case LASHI_OP_MIN:
    case LASHI_OP_MAX:
    case LASHI_OP_ABS:
    case LASHI_OP_SIGN:
    case LASHI_OP_SQRT:
    case LASHI_OP_LOG:
    case LASHI_OP_LOG10:
    case LASHI_OP_POWER:
    case LASHI_OP_DIVIDE:
    case LASHI_OP_TAN:
    case LASHI_OP_HYPOT: return 1;
    case LASHI_OP_SMOOTHSTEP:
    case LASHI_OP_MOD:
    case LASHI_OP_ATAN2:
    case LASHI_OP_ASIN:
    case LASHI_OP_ACOS: return 2;
    case LASHI_OP_RAMP: return 3;
    default: return 0;
    }
}

bool lashi_has_breaks(const lashi_instruction *program, size_t i) {
    const lashi_opcode code = program[i].code;
    const lashi_instruction *last = i > 0 ? &program[i - 1] : NULL; // of a second argument that is a number
    const bool number = last && last->code == LASHI_OP_CONSTANT;
    if (code == LASHI_OP_DIVIDE)
        return !number || last->value == 0;
    if (code == LASHI_OP_POWER)
        return !number || last->value < 0 || last->value != rint(last->value);
    return conditions(code) > 0;
}

bool lashi_expression_has_breaks(const lash_expression *expression) {
    return expression->breaks;
}

/* ---- programs over bounds ---- */

/* (x - x0)/(x1 - x0) */
lashi_bounds_jet lashi_bounds_ramp(const lashi_bounds_jet *x) {
    return lashi_bounds_divide(lashi_bounds_subtract(x[0], x[1]), lashi_bounds_subtract(x[2], x[1]));
}

/* The piece of smoothstep that holds at x. */
static lashi_bounds_jet smooth(lashi_bounds_jet a, double x) {
    return x <= 0 || x >= 1 ? lashi_bounds_constant(x <= 0 ? 0 : 1) : lashi_bounds_smoothstep(a);
}

lashi_bounds_jet *lashi_bounds_step(lashi_bounds_jet *top, const lashi_jet *at, const lashi_instruction *it,
                                    double low, double high) {
    lashi_bounds_jet *a = top - 1, *b = top - 1;
    const lashi_jet zero = {0, 0, 0};
    if (it->code == LASHI_OP_CONSTANT || it->code == LASHI_OP_TIME) {
        *top =
            it->code == LASHI_OP_CONSTANT ? lashi_bounds_constant(it->value) : lashi_bounds_time(low, high);
        return top + 1;
    }
    switch (it->code) {
    case LASHI_OP_NEGATE: *a = lashi_bounds_negate(*a); return top;
    case LASHI_OP_SIN: *a = lashi_bounds_sin(*a); return top;
    case LASHI_OP_COS: *a = lashi_bounds_cos(*a); return top;
    case LASHI_OP_TAN: *a = lashi_bounds_tan(*a); return top;
    case LASHI_OP_ASIN: *a = lashi_bounds_asin(*a); return top;
    case LASHI_OP_ACOS: *a = lashi_bounds_acos(*a); return top;
    case LASHI_OP_ATAN: *a = lashi_bounds_atan(*a); return top;
    case LASHI_OP_SINH: *a = lashi_bounds_sinh(*a); return top;
    case LASHI_OP_COSH: *a = lashi_bounds_cosh(*a); return top;
    case LASHI_OP_TANH: *a = lashi_bounds_tanh(*a); return top;
    case LASHI_OP_EXP: *a = lashi_bounds_exp(*a); return top;
    case LASHI_OP_LOG: *a = lashi_bounds_log(*a); return top;
    case LASHI_OP_LOG10: *a = lashi_bounds_log10(*a); return top;
    case LASHI_OP_SQRT: *a = lashi_bounds_sqrt(*a); return top;
    case LASHI_OP_ABS:
        if (lashi_jet_order(at[-1], zero) < 0)
            *a = lashi_bounds_negate(*a);
        return top;
    case LASHI_OP_SIGN: *a = lashi_bounds_constant(lashi_jet_sign(at[-1]).f); return top;
    case LASHI_OP_SMOOTHSTEP: *a = smooth(*a, at[-1].f); return top;
    case LASHI_OP_RATE: *a = (lashi_bounds_jet){a->df, a->ddf, {-INFINITY, INFINITY}}; return top;
    case LASHI_OP_NOT: return top; // truth values are those of the stack that decides
    default: break;
    }
    a = top - 2;
    switch (it->code) {
    case LASHI_OP_ADD: *a = lashi_bounds_add(*a, *b); break;
    case LASHI_OP_SUBTRACT: *a = lashi_bounds_subtract(*a, *b); break;
    case LASHI_OP_MULTIPLY: *a = lashi_bounds_multiply(*a, *b); break;
    case LASHI_OP_DIVIDE: *a = lashi_bounds_divide(*a, *b); break;
    case LASHI_OP_POWER: *a = lashi_bounds_power(*a, *b); break;
    case LASHI_OP_ATAN2: *a = lashi_bounds_atan2(*a, *b, lashi_jet_order(at[-2], zero)); break;
    case LASHI_OP_HYPOT: *a = lashi_bounds_hypot(*a, *b); break;
    case LASHI_OP_MIN: *a = lashi_jet_order(at[-2], at[-1]) < 0 ? *a : *b; break;
    case LASHI_OP_MAX: *a = lashi_jet_order(at[-2], at[-1]) > 0 ? *a : *b; break;
    case LASHI_OP_MOD:
        *a = lashi_bounds_subtract(
            *a, lashi_bounds_multiply(lashi_bounds_constant(lashi_jet_turns(at[-2], at[-1])), *b));
        break;
    case LASHI_OP_RAMP: {
        const double x = (at[-3].f - at[-2].f) / (at[-1].f - at[-2].f);
        a = top - 3;
        *a = smooth(lashi_bounds_ramp(a), x);
        break;
    }
    default: break; // comparisons, and, or
    }
    return a + 1;
}

/* Runs the program over the time from low to high, the pieces decided at `inside`, up to the instruction
 * `last`; its arguments are then below the place returned. NULL: it is not worked out in this piece. */
static lashi_bounds_jet *run(lashi_bounds_jet *stack, const lash_expression *e, const lashi_instruction *last,
                             double low, double high, double inside) {
    lashi_jet deciding[LASHI_MOST_PENDING], *at = deciding;
    lashi_bounds_jet *top = stack;
    const lashi_instruction *it = e->program;
    while (it < last) {
        if (it->code == LASHI_OP_BRANCH) {
            top--;
            it = lashi_program_skip(it, (--at)->f != 0);
        } else if (it->code == LASHI_OP_JUMP) {
            it = lashi_program_skip(it, false);
        } else {
            top = lashi_bounds_step(top, at, it, low, high);
            at = lashi_program_step(at, at, it++, inside);
        }
    }
    return it == last ? top : NULL;
}

lashi_bounds_jet lashi_expression_bounds(const lash_expression *e, double a, double b, double inside) {
    lashi_bounds_jet stack[LASHI_MOST_PENDING];
    run(stack, e, e->program + e->count, a, b, inside);
    return stack[0];
}

/* ---- one condition ---- */

typedef struct search {
    const lash_expression *e;
    const lashi_instruction *it;
    int which;     // of the conditions of `it`
    double inside; // decides the pieces of what comes before `it`
    double turns;  // mod: k
    int budget;
    bool of_rate;         // value(): d', not d
    bool of_acceleration; // look(): f'', not f
    bool whole;           // d is the derivative of the whole expression, and `it` has no meaning
    double resolution;    // s, the shortest stretch that is cut
    int flats;            // that are still worth a look
    bool lost;            // it could not be told whether there is a zero
} search;

/* d and its derivatives from low to high. */
static lashi_bounds_jet condition(search *s, double low, double high) {
    lashi_bounds_jet stack[LASHI_MOST_PENDING];
    s->budget--;
    if (s->whole) {
        const lashi_bounds_jet f = lashi_expression_bounds(s->e, low, high, s->inside);
        return (lashi_bounds_jet){f.df, f.ddf, {-INFINITY, INFINITY}};
    }
    const lashi_bounds_jet *top = run(stack, s->e, s->it, low, high, s->inside), *a = top - 1, *b = top - 1;
    switch (s->it->code) {
    case LASHI_OP_TAN: return lashi_bounds_cos(*a);
    case LASHI_OP_SMOOTHSTEP: return lashi_bounds_subtract(*a, lashi_bounds_constant(s->which));
    case LASHI_OP_ASIN:
    case LASHI_OP_ACOS: return lashi_bounds_subtract(*a, lashi_bounds_constant(s->which ? 1 : -1));
    case LASHI_OP_RAMP:
        a = top - 3;
        return s->which == 2 ? lashi_bounds_subtract(a[2], a[1])
                             : lashi_bounds_subtract(lashi_bounds_ramp(a), lashi_bounds_constant(s->which));
    case LASHI_OP_DIVIDE: return *b;
    default: break;
    }
    if (lashi_program_effect(s->it->code) == 0)
        return *a;
    a = top - 2;
    switch (s->it->code) {
    case LASHI_OP_POWER: return *a;
    case LASHI_OP_ATAN2:
        if (s->which == 0)
            return *a;
        // fall through
    case LASHI_OP_HYPOT: return lashi_bounds_add(lashi_bounds_square(*a), lashi_bounds_square(*b));
    case LASHI_OP_MOD:
        return lashi_bounds_subtract(lashi_bounds_divide(*a, *b), lashi_bounds_constant(s->turns + s->which));
    default: return lashi_bounds_subtract(*a, *b);
    }
}

/* Of one number exactly that: half of the smallest is 0. */
static double middle(lashi_bounds a) {
    return a.low == a.high ? a.low : 0.5 * a.low + 0.5 * a.high;
}

/* d, or d', at t. Where d is the derivative of the whole expression its extremum is not asked for to the last digit:
 * bounds, which tell what is certain, cost twenty times as much. */
static double value(void *context, double t) {
    search *s = context;
    if (s->whole) {
        const lashi_jet f = lashi_expression_jet_in(s->e, t, s->inside);
        return s->of_rate ? f.ddf : f.df;
    }
    const lashi_bounds_jet d = condition(s, t, t);
    return middle(s->of_rate ? d.df : d.f);
}

static int sign_of(double x) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/* The first of a to b at which d, or d', has not the sign it has at a; monotone between. */
static double turn(search *s, bool of_rate, double a, double b) {
    enum { POLISH = 8 };
    s->of_rate = of_rate;
    const double at_a = value(s, a), at_b = value(s, b);
    double t = lashi_root(value, s, a, at_a, b, at_b, 0);
    for (int i = 0; i < POLISH && t < b && sign_of(value(s, t)) == sign_of(at_a); i++)
        t = nextafter(t, b);
    for (int i = 0; i < POLISH && t > a && sign_of(value(s, nextafter(t, a))) != sign_of(at_a); i++)
        t = nextafter(t, a);
    s->of_rate = false;
    return t;
}

/* The zero of d from a to b, monotone between; INFINITY: none. One at a itself is over. */
static double crossing(search *s, double a, double b) {
    const int before = sign_of(value(s, a));
    return before != 0 && sign_of(value(s, b)) != before ? turn(s, false, a, b) : INFINITY;
}

/* A stretch too short to be cut, up to b. Extrema this flat are where a plateau begins, or rounding: only so
 * many are worth a look. */
static double flat(search *s, double b) {
    if (s->whole && s->flats-- <= 0)
        s->budget = 0;
    s->lost = s->lost || (s->whole && s->budget <= 0);
    return s->whole && s->budget <= 0 ? INFINITY : b;
}

/* The first zero of d from a to b; INFINITY: none. */
static double first_zero(search *s, double a, double b) {
    const lashi_bounds_jet d = condition(s, a, b);
    if (lashi_bounds_excludes_zero(d.f) || (d.df.low == 0 && d.df.high == 0))
        return INFINITY;
    if (s->budget <= 0) {
        s->lost = true;
        return s->whole ? INFINITY : a;
    }
    if (lashi_bounds_excludes_zero(d.df))
        return crossing(s, a, b);
    const double half = 0.5 * (a + b);
    if (lashi_bounds_excludes_zero(d.ddf)) {
        s->of_rate = true;
        const int before = sign_of(value(s, a)), after = sign_of(value(s, b));
        s->of_rate = false;
        if (before == after || before == 0)
            return crossing(s, a, b);
        const double extremum = turn(s, true, a, b), t = crossing(s, a, extremum);
        if (t < INFINITY)
            return t;
        return lashi_bounds_excludes_zero(condition(s, extremum, extremum).f) ? crossing(s, extremum, b)
                                                                              : extremum;
    }
    if (!(half > a && half < b) || b - a < s->resolution)
        return flat(s, b);
    const double t = first_zero(s, a, half);
    return t < INFINITY ? t : first_zero(s, half, b);
}

/* floor(q) just after, where q may be a whole number to rounding. */
static double turns_after(lashi_bounds_jet q) {
    const double n = round(middle(q.f));
    if (q.f.low <= n && n <= q.f.high)
        return middle(q.df) < 0 ? n - 1 : n;
    return floor(middle(q.f));
}

double lashi_expression_next_break(const lash_expression *e, double a, double b) {
    const double from = a + lashi_time_resolution(a);
    double T = b;
    if (!e->breaks)
        return b;
    for (size_t i = 0; i < e->count && from < T; i++) {
        search s = {
            .e = e, .it = &e->program[i], .budget = MOST_BOUNDS, .resolution = lashi_time_resolution(a)};
        lashi_bounds_jet stack[LASHI_MOST_PENDING];
        for (s.which = 0; s.which < conditions(s.it->code) && from < T; s.which++) {
            s.inside = 0.5 * (from + T);
            const lashi_bounds_jet *top = run(stack, e, s.it, from, from, s.inside);
            if (!top || !lashi_has_breaks(e->program, i))
                break;
            if (s.it->code == LASHI_OP_MOD)
                s.turns = turns_after(lashi_bounds_divide(top[-2], top[-1]));
            double t = first_zero(&s, from, T);
            if (fabs(t) < s.resolution && from < 0) // 0 to rounding, which has no last digit there
                t = fmin(0, T);
            if (t < T)
                T = fmax(t, nextafter(from, T));
        }
    }
    return T;
}

/* The first extremum between two times, `apart` or so from a; INFINITY: none, or none that can be told in
 * reasonable time. */
static double next_extremum(search *s, double a, double b, double apart) {
    double from = a + lashi_time_resolution(a), t = INFINITY;
    s->budget = MOST_FOR_EXTREMUM;
    for (; !(t < INFINITY) && from < b && s->budget > 0; apart *= 2) {
        const double to = fmin(b, from + apart);
        t = first_zero(s, from, to);
        from = to;
    }
    return t;
}

/* ---- what hides between looks ---- */

/* Looks at a stretch: about those of one long step. What is narrower than their distance could be passed
 * over. */
enum { CELLS = 16, MOST_FOR_HIDDEN = 4000, MOST_PARTS = 60 };
/* Of what f varies between the looks: less is no pulse. Of the largest bound, where f does not vary at all.
 */
static const double HIDDEN = 0.03, HIDDEN_ALONE = 1e-9;
/* Of a speed, changed within the whole stretch. */
static const double SLIGHT = 1e-6;

/* f, or its second derivative, at a time and over a stretch. */
static double look(const search *s, double t) {
    const lashi_jet f = lashi_expression_jet_in(s->e, t, s->inside);
    return s->of_acceleration ? f.ddf : f.f;
}

static lashi_bounds bounds_of(const search *s, double u, double v) {
    const lashi_bounds_jet f = lashi_expression_bounds(s->e, u, v, s->inside);
    return s->of_acceleration ? f.ddf : f.f;
}

/* A time from u to v at which f leaves [low, high]; INFINITY: it does not, by its bounds, or that cannot be
 * told in reasonable time. */
static double outside(search *s, double u, double v, double low, double high) {
    const lashi_bounds f = bounds_of(s, u, v);
    if (f.low >= low && f.high <= high)
        return INFINITY;
    if (s->budget-- <= 0)
        return INFINITY;
    const double half = 0.5 * (u + v), at = look(s, half);
    if (at < low || at > high)
        return half;
    if (v - u < s->resolution)
        return INFINITY;
    const double t = outside(s, u, half, low, high);
    return t < INFINITY ? t : outside(s, half, v, low, high);
}

/* The first time between a and b at which f does what equally spaced looks do not show; b: none. */
static double hidden_pulse(const lash_expression *e, double a, double b, double inside,
                           bool of_acceleration) {
    double f[CELLS + 1], low = INFINITY, high = -INFINITY;
    search s = {.e = e,
                .inside = inside,
                .of_acceleration = of_acceleration,
                .budget = MOST_FOR_HIDDEN,
                .resolution = fmax(lashi_time_resolution(b), 1e-9 * (b - a))};
    for (int i = 0; i <= CELLS; i++) {
        f[i] = look(&s, a + (b - a) * i / CELLS);
        low = fmin(low, f[i]);
        high = fmax(high, f[i]);
    }
    const lashi_bounds all = bounds_of(&s, a, b);
    const double most = fmax(fabs(all.low), fabs(all.high));
    const double alone = HIDDEN_ALONE * fmax(fabs(low), fabs(high)), // less is rounding
        margin = high > low       ? fmax(HIDDEN * (high - low), alone)
                 : isfinite(most) ? HIDDEN_ALONE * most
                                  : fmax(alone, DBL_MIN);
    // A push that hardly changes the speed is none.
    const double speed = fmax(fabs(lashi_expression_jet_in(e, a, inside).df),
                              fabs(lashi_expression_jet_in(e, b, inside).df)),
                 least = of_acceleration ? fmax(margin, SLIGHT * speed / (b - a)) : margin;
    for (int i = 0; i < CELLS; i++) {
        const double u = a + (b - a) * i / CELLS, v = a + (b - a) * (i + 1) / CELLS;
        // A look that stands alone above or below its neighbours.
        if (i > 0 && (f[i] - f[i - 1]) * (f[i] - f[i + 1]) > 0 &&
            fmin(fabs(f[i] - f[i - 1]), fabs(f[i] - f[i + 1])) >
                fmax(0.5 * (high - low), of_acceleration ? least : 0))
            return u;
        const double t = outside(&s, u, v, fmin(f[i], f[i + 1]) - least, fmax(f[i], f[i + 1]) + least);
        if (t < INFINITY)
            return t;
    }
    return b;
}

/* The same again in what is before it: what was hidden from looks at the whole may hide more from looks at
 * its part. */
static double first_hidden(const lash_expression *e, double a, double b, double inside,
                           bool of_acceleration) {
    double T = b;
    for (int i = 0; i < MOST_PARTS; i++) {
        const double t = hidden_pulse(e, a, T, inside, of_acceleration);
        if (!(t < T))
            break;
        T = t;
    }
    return T;
}

/* ---- narrow extrema ---- */

static double value_at(const search *s, double t) {
    return lashi_expression_jet_in(s->e, t, s->inside).f;
}

/* Whether an extremum at t, `before` after the last one and `after` before the next, is that of a pulse: most
 * of the last part of its way is gone at the very end; or one of its flanks is far shorter than the other, or
 * than the stretch `then` behind it. */
static bool is_pulse(const search *s, double t, double before, double after, double then) {
    const double top = value_at(s, t), late = fabs(top - value_at(s, t - 0.1 * before)),
                 earlier = fabs(top - value_at(s, t - 0.3 * before));
    const double rise = fmax(fabs(top - value_at(s, t - before)), fabs(top - value_at(s, t + after)));
    return rise > NO_RISE * fabs(top) &&
           (late > 0.5 * earlier || fmin(before, after) < SHORT * fmax(fmax(before, after), then));
}

double lashi_expression_next_pulse(const lash_expression *e, double a, double b, double inside) {
    search s = {
        .e = e, .inside = inside, .whole = true, .flats = MOST_FLAT, .resolution = lashi_time_resolution(b)};
    if (e->constant)
        return b;
    double t[3] = {a, a, a}; // extrema to come
    for (int i = 0; i < MOST_EXTREMA && !s.lost; i++) {
        for (int k = i ? 2 : 0; k < 3 && !s.lost; k++) {
            const double last = k ? t[k - 1] : a, apart = 1.2 * (k > 1 ? last - t[k - 2] : b - a);
            t[k] = last < b ? fmin(b, next_extremum(&s, last, b, apart)) : b;
        }
        if (s.lost)
            break;
        if (!(t[0] < b))
            return b;
        if (is_pulse(&s, t[0], t[0] - a, t[1] - t[0], t[2] - t[1]))
            return t[0];
        a = t[0];
        t[0] = t[1];
        t[1] = t[2];
    }
    return s.lost ? first_hidden(e, a, b, inside, false) : a;
}

double lashi_expression_next_shock(const lash_expression *e, double a, double b, double inside) {
    search s = {
        .e = e, .inside = inside, .whole = true, .flats = MOST_FLAT, .resolution = lashi_time_resolution(b)};
    if (e->constant || next_extremum(&s, a, b, b - a) < b)
        return b;
    return first_hidden(e, a, b, inside, true);
}
