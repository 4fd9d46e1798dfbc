/* SPDX-License-Identifier: MIT
 *
 * Integrators of y' = f(t, y) behind one table of functions.
 *
 * An integrator owns its current step [t_old, t] with y(t) and an interpolant over it. The caller (src/sim)
 * asks for one accepted step at a time, looks at the interpolant, and either continues or restarts at a point
 * of its choice (an event). Adding an integrator is one new file and one line in integrators.c.
 */
#ifndef LASHI_INTEGRATOR_H
#define LASHI_INTEGRATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "lash/status.h"

/* f(t, y). 0: done; > 0: y is out of range, try a shorter step; < 0: give up with this lash_status (the
 * callee has kept its own error record). */
typedef int (*lashi_rhs)(double *ydot, void *context, double t, const double *y);

/* Stages 1 to 11 of a step h of dop853 (dop853_sums.h) from y at t; k_0 is its slope there. For who can do
 * them faster than one after the other. 0: done, 1: one of them cannot be computed, whichever. */
typedef int (*lashi_stages)(double *k, double *argument, void *context, double t, const double *y, double h);

typedef struct lashi_problem {
    size_t n;
    lashi_rhs f;
    lashi_rhs stage; /* f for stages within a step: nobody asks what it leaves in its context; NULL: f */
    lashi_rhs
        early; /* the same for stages from which no quadrature is summed: ydot need not have theirs; NULL: stage */
    void *context;
    const double *rtol; /* n: error scale of component i is atol[i] + rtol[i]*max(|y_old|, |y_new|); */
    const double *atol; /* n: both 0 leaves the component out of the error control (a quadrature) */
    double max_step;    /* s; INFINITY: none */
    size_t reads;       /* components of y, from the first, that f depends on; 0: all */
    const double
        *shake; /* n: what rounding makes of f, in its units: errors below it say nothing; NULL: nothing */
    const double *
        size; /* n: size of what f adds to component i, whose rounding it feels however small y_i is; NULL: none */
} lashi_problem;

typedef struct lashi_integrator_counts {
    size_t steps; /* accepted */
    size_t rejected;
    size_t evaluations; /* of f, for steps; those of the interpolant are not among them */
    size_t stiff;       /* accepted steps at which the method looked limited by stability */
} lashi_integrator_counts;

typedef struct lashi_integrator lashi_integrator;

typedef struct lashi_integrator_kind {
    const char *name, *doc;
    bool remembers; /* many steps make one: after a restart h_next is far too long */
    lash_status (*create)(lashi_integrator **out, const lashi_problem *problem, lash_error *error);
    void (*destroy)(lashi_integrator *self);
    /* Begins again at (t, y), forgetting history. h: first step to try, s; 0: the method chooses. */
    lash_status (*restart)(lashi_integrator *self, double t, const double *y, double h, lash_error *error);
    /* y at the current t was corrected a little (projection): continue with the same step size, keeping what
     * history the method can keep. */
    lash_status (*correct)(lashi_integrator *self, const double *y, lash_error *error);
    /* The scales of errors that count in the next steps are these; a component that is left out remains so. */
    void (*rescale)(lashi_integrator *self, const double *atol);
    /* One accepted step that does not pass t_limit; ends exactly on t_limit when it would come within
     * rounding of it. No allocation. */
    lash_status (*step)(lashi_integrator *self, double t_limit, lash_error *error);
    /* The same with no evaluation close to t_past, where f does not exist and is noisy nearby; a time that is
     * over changes nothing. The error test of a step past it is milder by the factor leniency >= 1. NULL: the
     * method cannot. */
    lash_status (*step_past)(lashi_integrator *self, double t_past, double leniency, double t_limit,
                             lash_error *error);
    /* y(t) for t_old <= t <= t from the interpolant. May evaluate f for it, once per step. No allocation. */
    lash_status (*interpolate)(double *y, lashi_integrator *self, double t, lash_error *error);
    /* What must be kept to continue from here bit for bit (t, y, step size, controller memory): one flat block.
     */
    size_t (*history_size)(const lashi_problem *problem);
    void (*save)(void *history, const lashi_integrator *self);
    lash_status (*load)(lashi_integrator *self, const void *history, lash_error *error);
} lashi_integrator_kind;

/* What every integrator begins with; read by the caller, written by the method alone. */
struct lashi_integrator {
    const lashi_integrator_kind *kind;
    double t_old, t;               /* s, the last accepted step */
    const double *y_old;           /* n, y(t_old) */
    const double *y;               /* n, y(t) */
    const double *ydot_old, *ydot; /* n, f at both ends, or NULL where the method does not have it */
    double h_next;                 /* s, proposed next step */
    double leniency;               /* >= 1: by what the error test is milder; written by the caller */
    double recall;                 /* 0 to 1: what of an error the next step remembers; likewise */
    bool shaken;                   /* rounding is to be counted with; written by the caller */
    bool stable;                   /* steps keep well inside the region of stability; likewise */
    bool landed;                   /* the last call of f was at this very (t, y) */
    lashi_stages stages;           /* set by the caller; NULL: by f */
    lashi_integrator_counts counts;
};

extern const lashi_integrator_kind
    *const lashi_integrator_kinds[]; /* NULL-terminated; the first is the default */
const lashi_integrator_kind *lashi_integrator_find(const char *name); /* NULL: unknown */

#endif
