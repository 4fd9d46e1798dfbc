/* SPDX-License-Identifier: MIT
 *
 * Between a compiled model and the library: functions that its text calls, and what it is called with.
 */
#ifndef LASHI_HOST_H
#define LASHI_HOST_H

#include "dynamics/evaluate.h"

typedef struct lashi_host {
    lashi_jet (*expression_jet)(const lash_expression *expression, double t);
    lashi_jet (*expression_jet_in)(const lash_expression *expression, double t, double inside);
    double (*expression_read_value)(const lash_expression *expression, double t, const lashi_instant *now);
    lashi_jet (*table_jet)(const lash_table *table, double x);
    lashi_jet (*table_jet_in)(const lash_table *table, double x, double inside);
    lash_interpolation (*table_kind)(const lash_table *table);
    double (*table_integral)(const lash_table *table, double x);
    double (*input_value)(const lashi_force *force, int k, const lashi_frame *frames, double t);
    void (*worn_look)(lashi_bed *out, const lashi_worn *worn, double clearance, lashi_vec2 e, double alpha);
    void (*reads_evaluate)(lashi_workspace *workspace, double *ydot, double t, const double *y);
    int (*rubs_solve)(lashi_workspace *workspace, double *ydot, double t, const double *y);
    void (*share)(lashi_workspace *workspace, double *x);
} lashi_host;

/* Where an evaluation keeps its intermediate results (lashi_workspace). */
typedef struct lashi_places {
    lashi_frame *frames;                    /* [bodies] */
    double (*force)[LASHI_FREEDOMS];        /* [bodies] */
    double (*acceleration)[LASHI_FREEDOMS]; /* [bodies] */
    lashi_contact_state *contact_states;    /* [contacts] */
    lashi_ledger *ledger;
    double *J, *Phi, *Phi_dot, *gamma; /* of the constraints */
    double *S, *pivots, *lambda;       /* S becomes its factor */
} lashi_places;

/* ẏ at (t, y), and the workspace, equal to those of lashi_evaluate to the bit. n: numbers, o: objects of the
 * model, in the order of its text. *sum: of all energies and powers of forces; finite if these are.
 * Returns 1 when S is singular. */
typedef int lashi_kernel_function(double *restrict ydot, lashi_workspace *restrict w, double t,
                                  const double *restrict y, const double *restrict n, const void *const *o,
                                  double *restrict sum);
/* Stages 1 to 11 of a step h of dop853 from y at t, whose slope is k_0 (integrate/integrator.h). It writes
 * mismatch, least and most in the workspace, and sines and cosines at the end of the step; where expressions of
 * the state need them, also the frames and the reads; and where friction depends on reactions, or these are
 * shared, all of it. */
typedef int lashi_kernel_stages(double *restrict k, double *restrict argument, lashi_workspace *restrict w,
                                double t, const double *restrict y, double h, const double *restrict n,
                                const void *const *o, double *restrict sum);
typedef struct lashi_kernel {
    lashi_kernel_function *evaluate;
    lashi_kernel_stages *stages;
} lashi_kernel;
/* Called once, before the others. */
typedef void lashi_kernel_begin(const lashi_host *functions);

#endif
