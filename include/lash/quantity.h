/* SPDX-License-Identifier: MIT
 *
 * Numbers with units, as in a model file: "0.05 mm", "3000 rpm", "2*pi/4"; a plain number is SI.
 */
#ifndef LASH_QUANTITY_H
#define LASH_QUANTITY_H

#include "lash/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The value in SI. `unit` is the SI unit of the dimension it must have: "m", "Pa s", "rad/s", "" for a pure
 * number. Fails with a column where the text is wrong, and when its dimension differs or it is not finite.
 */
lash_status lash_quantity_read(double *out, const char *text, const char *unit, lash_error *error);

/* A value for people, four digits with a fitting prefix: "25 µm", "1.2 kN", "0.5 rad". `unit` is the SI unit,
 * "" for a pure number. Returns `out`. */
enum { LASH_QUANTITY_TEXT = 48 };
const char *lash_quantity_write(char out[LASH_QUANTITY_TEXT], double value, const char *unit);

#ifdef __cplusplus
}
#endif
#endif
