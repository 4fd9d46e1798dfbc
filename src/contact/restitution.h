/* SPDX-License-Identifier: MIT
 *
 * What a damping factor really gives: restitution of a free two-body impact under F = f(delta)(1 + h
 * deltadot/v), v the approach speed at the first touch or, bounded, the speed v_e that corresponds to the
 * energy in the contact.
 */
#ifndef LASHI_RESTITUTION_H
#define LASHI_RESTITUTION_H

/* The e in (0, 1] with h(1 + e) = ln((1 + h)/(1 - h e)); 1 for h = 0. Needs h >= 0. */
double lashi_restitution_of(double h);
/* The h >= 0 that gives exactly e, 0 < e <= 1: the inverse. */
double lashi_restitution_damping(double e);

/* The same with v_e^2 = deltadot^2 + 2 U(delta)/m in place of v^2, and the force cut at 0 where it would
 * pull. Falls from 1 at h = 0 like h^(-3/2); any h >= 0. */
double lashi_restitution_of_bounded(double h);
double lashi_restitution_damping_bounded(double e);

/* Of F = k delta + c deltadot, cut at 0, for an effective mass m: it depends on the damping ratio alone. */
double lashi_restitution_viscous(double k, double c, double m);

#endif
