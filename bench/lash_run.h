// SPDX-License-Identifier: MIT
// Lash as one more entry of the comparison.
#ifndef BENCH_LASH_RUN_H
#define BENCH_LASH_RUN_H

#include "comparators.h"

bench_run bench_lash_dop853_run;
bench_run bench_lash_compiled_run;
bench_run bench_lash_adams_run;

#endif
