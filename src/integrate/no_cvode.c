/* SPDX-License-Identifier: MIT
 *
 * adams and gear in a build without CVODE: they are known, and say what is missing.
 */
#include "base/library.h"
#include "integrate/integrator.h"

static lash_status create(lashi_integrator **out, const lashi_problem *problem, lash_error *error) {
    (void)problem;
    *out = NULL;
    return lashi_library_missing(error, "CVODE", "the methods adams and gear", "LASH_WITH_CVODE");
}

/* Asked for before create() to size the state. */
static size_t history_size(const lashi_problem *problem) {
    (void)problem;
    return 0;
}

const lashi_integrator_kind lashi_adams = {
    .name = "adams",
    .doc = "Adams-Moulton of variable order 1 to 12 (CVODE): not in this build",
    .remembers = true,
    .create = create,
    .history_size = history_size,
};

const lashi_integrator_kind lashi_gear = {
    .name = "gear",
    .doc = "backward differentiation of variable order 1 to 5 (CVODE): not in this build",
    .remembers = true,
    .create = create,
    .history_size = history_size,
};
