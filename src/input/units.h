/* SPDX-License-Identifier: MIT
 *
 * Units by name, from the udunits database: this file is the only one that knows of udunits.
 */
#ifndef LASHI_UNITS_H
#define LASHI_UNITS_H

#include "math/expression.h"

/* Resolves a unit such as "kg m^2", "m/s2" or "1/s": SI value = scale * x + offset. The empty unit is the
 * pure number. On failure says in `why` what is wrong and what might have been meant. Fits lashi_scope.unit.
 * May be called from several threads. */
bool lashi_unit_parse(double *scale, double *offset, lashi_dimension *dimension, const char *text,
                      size_t length, char *why, size_t why_size);

/* Frees the database, which the first unit reads; the next unit would read it again. Done at exit as well. */
void lashi_units_clear(void);

#endif
