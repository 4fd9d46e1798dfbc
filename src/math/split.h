/* SPDX-License-Identifier: MIT
 *
 * Functions of time alone inside an expression of the state are taken out into parts, which the expression
 * then reads. So the instants of every switch on time are known beforehand (breaks.h), and all other switches
 * depend on the state (switch.h).
 */
#ifndef LASHI_SPLIT_H
#define LASHI_SPLIT_H

#include "math/program.h"

/* False: out of memory. */
bool lashi_split_time(lash_expression *expression);

#endif
