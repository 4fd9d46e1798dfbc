/* SPDX-License-Identifier: MIT
 *
 * What a damping factor really gives: restitution of a free two-body impact under F = f(delta)(1 + h
 * deltadot/v).
 */
#ifndef LASHI_RESTITUTION_H
#define LASHI_RESTITUTION_H

/* The e in (0, 1] with h(1 + e) = ln((1 + h)/(1 - h e)); 1 for h = 0. Needs h >= 0. */
double lashi_restitution_of(double h);
/* The h >= 0 that gives exactly e, 0 < e <= 1: the inverse. */
double lashi_restitution_damping(double e);

#endif
