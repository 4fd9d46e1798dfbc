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
    void (*contact_apply)(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double *zdot,
                          const lashi_contact *contact, const lashi_memory *memory, const lashi_frame *frames,
                          const double *bristle);
    void (*reads_evaluate)(lashi_workspace *workspace, double *ydot, double t, const double *y);
} lashi_host;

/* ẏ at (t, y) as lashi_evaluate has it, to the bit. What it writes in the workspace is its mismatch; frames
 * and what is read of them only where expressions of the state need them. n: numbers, o: objects of the
 * model, in the order of its text. *sum: of all energies and powers of forces, finite where they are. Returns
 * 1 when S is singular. */
typedef int lashi_kernel_function(double *restrict ydot, lashi_workspace *restrict w, double t,
                                  const double *restrict y, const double *restrict n, const void *const *o,
                                  double *restrict sum);
/* Called once, before. */
typedef void lashi_kernel_begin(const lashi_host *functions);

#endif
