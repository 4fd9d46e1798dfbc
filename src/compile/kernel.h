/* SPDX-License-Identifier: MIT
 *
 * What the text of a compiled model begins with (write.c): the declarations of the library, and its functions
 * that are called where the text has none of its own. The sources of joints, forces and contacts follow
 * there, so that the compiler sees through them.
 */
#ifndef LASHI_KERNEL_H
#define LASHI_KERNEL_H

#define LASHI_KERNEL

#include "compile/host.h"
#include "dynamics/evaluate.h"
#include "dynamics/motion.h"
#include "math/pair.h"
#include "system/moves.h"
#include "system/products.h"

#include <string.h>

#define LASHI_EXPORT __attribute__((visibility("default")))

static const lashi_host *host;

lashi_jet lashi_expression_jet(const lash_expression *expression, double t) {
    return host->expression_jet(expression, t);
}
lashi_jet lashi_expression_jet_in(const lash_expression *expression, double t, double inside) {
    return host->expression_jet_in(expression, t, inside);
}
double lashi_expression_read_value(const lash_expression *expression, double t, const lashi_instant *now) {
    return host->expression_read_value(expression, t, now);
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
double lashi_input_value(const lashi_force *force, int k, const lashi_frame *frames, double t) {
    return host->input_value(force, k, frames, t);
}

#endif
