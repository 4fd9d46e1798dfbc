/* SPDX-License-Identifier: MIT
 *
 * Units by name.
 */
#ifndef LASHI_UNITS_H
#define LASHI_UNITS_H

#include "math/expression.h"

/* Resolves a unit such as "kg m^2", "m/s2" or "1/s": SI value = scale * x + offset. The empty unit is the
 * pure number. On failure says in `why` what is wrong and what might have been meant, if possible of the
 * dimension wanted (NULL: any). Fits lashi_scope.unit. May be called from several threads. */
bool lashi_unit_parse(double *scale, double *offset, lashi_dimension *dimension, const char *text,
                      size_t length, const lashi_dimension *wanted, char *why, size_t why_size);

#endif
