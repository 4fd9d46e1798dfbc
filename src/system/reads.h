/* SPDX-License-Identifier: MIT
 *
 * What expressions read of the machine, compiled: quantities by index, signals with their states, functions
 * of time that stand inside expressions of the state, switches.
 *
 * Order of an evaluation (dynamics/reads.c): kinematic quantities, inputs, states and functions of time; then
 * the signals without state, in an order in which each comes after those it uses; then the rates of states.
 */
#ifndef LASHI_READS_H
#define LASHI_READS_H

#include <math.h>

#include "force/force.h"
#include "math/switch.h"

typedef enum lashi_read_kind {
    LASHI_READ_BODY,
    LASHI_READ_COORDINATE,
    LASHI_READ_LENGTH, /* of a spring */
    LASHI_READ_INPUT,
    LASHI_READ_STATE, /* of a signal */
    LASHI_READ_TIME,  /* a function of time alone */
    LASHI_READ_SIGNAL /* an expression of the state */
} lashi_read_kind;

typedef struct lashi_read {
    lashi_read_kind kind;
    int index;     /* body, force, input, signal */
    int component; /* model/quantity.h */
    lashi_coordinate coordinate;
    const lash_expression *expression; /* time, signal */
    int known;                         /* time derivatives that every evaluation knows, 0 to 2 */
} lashi_read;

typedef enum lashi_signal_type {
    LASHI_SIGNAL_VALUE,
    LASHI_SIGNAL_INTEGRAL,
    LASHI_SIGNAL_LAG,
    LASHI_SIGNAL_HOLD
} lashi_signal_type;

typedef struct lashi_signal {
    const char *name, *unit;
    lashi_signal_type kind;
    int read;                          /* its place among the reads */
    int at;                            /* of its state in y; -1: none */
    const lash_expression *expression; /* what it is made of */
    double time, every;                /* s */
    double initial;                    /* NaN: not given; a lag then starts settled */
} lashi_signal;

/* A function of time that the run must not step over, and whose it is. */
typedef struct lashi_time_function {
    const lash_expression *expression;
    const lash_table *table; /* of an input, instead */
    const char *word, *name; /* "force", its name */
} lashi_time_function;

typedef struct lashi_switch {
    const lash_expression *expression;
    size_t instruction;
    const char *word, *name; /* "force", its name */
} lashi_switch;

typedef struct lashi_machine {
    lashi_read *reads;
    int read_count;
    int *order; /* [order_count] signals without state */
    int order_count;
    lashi_signal *signals;
    int signal_count, state_count;
    lashi_time_function *times;
    int time_count;
    lashi_switch *switches;
    int switch_count;
    int input_count;
    const lash_input_def **inputs; /* [input_count] */
    const char **input_names;
    bool rates; /* some expression uses rate(…): signals are evaluated twice */
} lashi_machine;

/* The next sample of a signal after t, or b. */
double lashi_next_sample(const lashi_machine *machine, double t, double b);
/* An instant this close to a sample, as a share of the period, is that sample: rounding. */
static const double LASHI_AT_SAMPLE = 1e-9;
/* Whether t is a multiple of a period. */
static inline bool lashi_is_sample(double every, double t) {
    return fabs(t - rint(t / every) * every) <= LASHI_AT_SAMPLE * every;
}

struct lash_system;
/* Compiles the machine; expressions of forces get their indices. context: as for forces. */
lash_status lashi_machine_compile(struct lash_system *system, const lashi_force_context *context,
                                  lash_error *error);

#endif
