/* SPDX-License-Identifier: MIT
 *
 * What an expression of the state holds of functions of time alone is taken out into parts, which it then
 * reads: so every switch on the time stays one whose instants are known beforehand (breaks.h), and every one
 * that is left depends on the state (switch.h).
 */
#ifndef LASHI_SPLIT_H
#define LASHI_SPLIT_H

#include "math/program.h"

/* False: out of memory. */
bool lashi_split_time(lash_expression *expression);

#endif
