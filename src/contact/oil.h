/* SPDX-License-Identifier: MIT
 *
 * Viscosity of an oil by its SAE grade and temperature.
 */
#ifndef LASHI_OIL_H
#define LASHI_OIL_H

#include <stddef.h>

#include "lash/status.h"

const char *lashi_oil_name(size_t index); /* "SAE 10" ... NULL past the end */

/* mu in Pa s of the grade ("SAE 30", also "sae30", "SAE-30" or "30") at the temperature in degrees Celsius.
 * An unknown grade fails with the nearest name. *warning: one sentence when the temperature is outside the
 * range of the data, NULL otherwise; the pointer itself may be NULL. */
lash_status lashi_oil_viscosity(double *out, const char **warning, const char *grade, double celsius,
                                lash_error *error);

#endif
