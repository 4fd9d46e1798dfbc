/* SPDX-License-Identifier: MIT
 *
 * Bracketed roots of a scalar function: always inside the bracket, superlinear where the function is smooth.
 */
#ifndef LASHI_ROOT_H
#define LASHI_ROOT_H

typedef double (*lashi_scalar_function)(void *context, double x);

/* A root of f in [a, b] with f(a) and f(b) of opposite sign (or zero): stops when |f| <= f_tolerance or the
 * bracket is as narrow as rounding allows. fa, fb are f(a), f(b). Returns the abscissa with the smaller |f|.
 */
double lashi_root(lashi_scalar_function f, void *context, double a, double fa, double b, double fb,
                  double f_tolerance);

#endif
