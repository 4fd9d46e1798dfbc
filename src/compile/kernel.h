/* SPDX-License-Identifier: MIT
 *
 * The beginning of the text of a compiled model (write.c): declarations of the library, and the library
 * functions that the text calls. The sources of joints, forces and contacts follow in the text, so that the
 * compiler can inline them.
 */
#ifndef LASHI_KERNEL_H
#define LASHI_KERNEL_H

#define LASHI_KERNEL

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything is inlined; functions without a caller are dropped. For gcc the attribute flatten does this
 * where it matters. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((internal_linkage)), apply_to = any(function, variable(is_global)))
#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#elif defined LASHI_SPACE && !defined LASHI_ENSEMBLE
/* Instructions come in the order in which a processor can begin them, as far as there are registers. In the plane, whose
 * texts are short, a run takes 5 % longer so. */
#pragma GCC optimize("schedule-insns", "sched-pressure")
#endif

/* Beyond its own range lashi_sincos calls the library. Members of an ensemble stop before that (ensemble.h), so
 * there it asks no questions: between branches instructions cannot be ordered. They have no other sines. */
#ifdef LASHI_ENSEMBLE
#define sin(x)       0.0
#define cos(x)       0.0
#define lashi_sincos lashi_sincos_of_all
#endif
#include "math/trig.h"
#ifdef LASHI_ENSEMBLE
#undef sin
#undef cos
#undef lashi_sincos
static inline double lashi_signed(double x, uint64_t sign) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= sign << 63;
    memcpy(&x, &bits, sizeof bits);
    return x;
}
static inline void lashi_sincos(double x, double *restrict s, double *restrict c) {
    uint64_t quadrant;
    LASHI_SINCOS(double, LASHI_ONE)
    memcpy(&quadrant, &shifted, sizeof quadrant);
    const bool odd = quadrant & 1;
    *s = lashi_signed(odd ? C : S, quadrant >> 1 & 1);
    *c = lashi_signed(odd ? S : C, (quadrant + 1) >> 1 & 1);
}
static inline double lashi_sine(double x) {
    double s, c;
    lashi_sincos(x, &s, &c);
    return s;
}
static inline double lashi_cosine(double x) {
    double s, c;
    lashi_sincos(x, &s, &c);
    return c;
}
#define sin lashi_sine
#define cos lashi_cosine
#endif

#include "compile/host.h"
#include "dynamics/evaluate.h"
#include "contact/apply.h" // here, not where only ensembles read: a source is taken once, wherever it stands first
#include "contact/rub.h"
#include "dynamics/impulses.h"
#include "dynamics/reaction.h"
#include "math/pair.h"
#ifdef LASHI_ENSEMBLE
#include "math/jet.c"
#include "math/program.c"
#include "compile/grip.h"
#include "math/switch_piece.h"
#include "math/table_value.h"
#endif
#include "system/moves.h"
#include "system/products.h"

#ifndef LASHI_ENSEMBLE
static inline lashi_places places_of(lashi_workspace *w) {
    const lashi_constraint_work *c = &w->constraints;
    return (lashi_places){.frames = w->frames,
                          .force = w->force,
                          .acceleration = w->acceleration,
                          .contact_states = w->contact_states,
                          .ledger = &w->ledger,
                          .J = c->J,
                          .Phi = c->Phi,
                          .Phi_dot = c->Phi_dot,
                          .gamma = c->gamma,
                          .S = c->S,
                          .pivots = c->factor,
                          .lambda = w->lambda};
}

/* What turn() has found for an evaluation, into its frames and accelerations. */
static inline __attribute__((always_inline)) void
turned(lashi_frame *restrict f, double (*restrict a)[LASHI_FREEDOMS], const lashi_frame *restrict found,
       const double (*restrict found_a)[LASHI_FREEDOMS], int bodies) {
    for (int b = 1; b < bodies; b++) {
        f[b].angle = found[b].angle;
        f[b].c = found[b].c;
        f[b].s = found[b].s;
        f[b].w = found[b].w;
        a[b][2] = found_a[b][2];
    }
}
/* In space also the matrix of a free body. */
static inline __attribute__((always_inline)) void turned_freely(lashi_frame *restrict f,
                                                                const lashi_frame *restrict found) {
    for (int k = 0; k < 9; k++)
        f->A[k] = found->A[k];
}
#endif

#define LASHI_EXPORT __attribute__((visibility("default")))
#define LASHI_INLINE static inline __attribute__((always_inline))

/* The list of numbers, and one number of it. In an ensemble some of them are constants
 * (lashi_ensemble_text). */
#ifdef LASHI_ENSEMBLE
typedef struct numbers {
    const double *restrict at;
    long stride;
} numbers;
#define LASHI_NUMBERS numbers
#define N(k)          LASHI_NUMBER_##k
#else
#define LASHI_NUMBERS const double *restrict
#define N(k)          n[k]
#endif

#ifdef __NVPTX__
/* One member per thread. The stages of a step are in the memory that a block of threads shares. */
#define TABLE static const __attribute__((address_space(4)))
#define STAGES_LOCAL
#define STAGE(j, i, l) lash_stages[((j)*D + (i)) * BLOCK + __nvvm_read_ptx_sreg_tid_x()]
#define ROLLED         _Pragma("unroll 1")
#define UNROLL         _Pragma("unroll")
#define ROLLED2        _Pragma("unroll 2")
/* Whether it holds for a thread of the warp: what all threads of a warp do must depend on that alone, since they
 * wait for each other where they do different things. */
#define ANY(holds) __nvvm_vote_any_sync(0xffffffffu, holds)
#if __clang_major__ >= 19
#define LASHI_KERNEL_ENTRY __attribute__((nvptx_kernel))
#else
#define LASHI_KERNEL_ENTRY
#endif
#else
#define TABLE          static const
#define STAGES_LOCAL   double lash_stages[12][D][W];
#define STAGE(j, i, l) lash_stages[j][i][l]
#define ROLLED
#define UNROLL
#define ROLLED2
#define ANY(holds) (holds)
#endif

static const lashi_host *host;

#ifdef LASHI_ENSEMBLE
/* What the account of a member needs of a point. */
typedef struct lashi_account {
    bool whole;          /* energies and `apart` are wanted, as at the ends of steps */
    lashi_energy energy; /* J */
    double lost, input;  /* W */
    double apart;        /* m or rad, the joints */
} lashi_account;

/* What the equations are asked for: accelerations; the step of positions that takes Φ away, or that of velocities
 * which takes Φ̇ away; or the change of velocities by impulses. */
enum { AIM_MOTION, AIM_PLACES, AIM_SPEEDS, AIM_IMPULSES };
/* What belongs to the contact that is weighed. Side by side there are no branches, but of several a compiler makes a switch, and
 * then nothing is computed side by side. */
#if defined W && W > 1
#define IF_PROBED(k)
#else
#define IF_PROBED(k) if (probe == (k))
#endif

/* Of a contact that is a constraint at times. */
typedef struct mode_numbers {
    double restitution, rest_speed, response, tolerance, resolution, rounding, mu;
} mode_numbers;

/* How far d is beyond the piece that the mode of a switch stands for; inside it is negative. */
LASHI_INLINE double beyond_piece(lashi_opcode code, double mode, double d) {
    const lashi_bounds piece = lashi_switch_range(code, mode);
    return d - piece.high > piece.low - d ? d - piece.high : piece.low - d;
}

/* An expression is evaluated once at each point; tables are part of the text. */
typedef struct lashi_given {
    lash_expression as;
    lashi_jet jet;
} lashi_given;
lashi_jet lashi_expression_jet(const lash_expression *expression, double t) {
    (void)t;
    return ((const lashi_given *)expression)->jet;
}
lashi_jet lashi_expression_jet_in(const lash_expression *expression, double t, double inside) {
    (void)inside;
    return lashi_expression_jet(expression, t);
}
lashi_jet lashi_table_jet(const lash_table *table, double x) {
    return lashi_table_value_in(table, x, x);
}
lashi_jet lashi_table_jet_in(const lash_table *table, double x, double inside) {
    return lashi_table_value_in(table, x, inside);
}
lash_interpolation lashi_table_kind(const lash_table *table) {
    return table->interpolation;
}
double lashi_table_integral(const lash_table *table, double x) {
    return lashi_table_value_integral(table, x);
}
#else
lashi_jet lashi_expression_jet(const lash_expression *expression, double t) {
    return host->expression_jet(expression, t);
}
lashi_jet lashi_expression_jet_in(const lash_expression *expression, double t, double inside) {
    return host->expression_jet_in(expression, t, inside);
}
lashi_jet lashi_table_jet(const lash_table *table, double x) {
    return host->table_jet(table, x);
}
lashi_jet lashi_table_jet_in(const lash_table *table, double x, double inside) {
    return host->table_jet_in(table, x, inside);
}
lash_interpolation lashi_table_kind(const lash_table *table) {
    return host->table_kind(table);
}
double lashi_table_integral(const lash_table *table, double x) {
    return host->table_integral(table, x);
}
#endif
double lashi_expression_read_value(const lash_expression *expression, double t, const lashi_instant *now) {
    return host->expression_read_value(expression, t, now);
}
double lashi_input_value(const lashi_force *force, int k, const lashi_frame *frames, double t) {
    return host->input_value(force, k, frames, t);
}

void lashi_worn_look(lashi_bed *out, const lashi_worn *worn, double clearance, lashi_vec2 e, double alpha) {
    host->worn_look(out, worn, clearance, e, alpha);
}

/* Comes before the functions that are called from outside. */
#ifdef __clang__
#define LASHI_OUTSIDE _Pragma("clang attribute pop") _Pragma("clang attribute pop")
#else
#define LASHI_OUTSIDE
#endif

#endif
