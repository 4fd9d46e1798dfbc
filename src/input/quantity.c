/* SPDX-License-Identifier: MIT
 *
 * One quantity from text, by the same expressions and units as in model files.
 */
#include "lash/quantity.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "input/units.h"

lash_status lash_quantity_read(double *out, const char *text, const char *unit, lash_error *error) {
    if (!out || !text || !unit)
        return lashi_fail_null(error);
    char why[256], given[128], wanted[128];
    double scale, offset;
    lashi_dimension dimension;
    *out = 0;
    if (!lashi_unit_parse(&scale, &offset, &dimension, unit, strlen(unit), NULL, why, sizeof why))
        return lashi_fail(error, LASH_ERROR_USAGE, "the unit '%s': %s", unit, why);
    lashi_scope scope = {.unit = lashi_unit_parse, .wanted = &dimension};
    lash_expression *expression;
    lash_error unused;
    lash_status status = lashi_expression_compile(&expression, text, &scope, error ? error : &unused);
    if (status != LASH_OK)
        return status;
    lashi_dimension found = lashi_expression_dimension(expression);
    double value = lashi_expression_value(expression, 0);
    lash_expression_destroy(expression);
    if (!lashi_dimension_fits(found, dimension))
        return lashi_fail(error, LASH_ERROR_USAGE, "'%s' is %s where %s belongs%s", text,
                          lashi_dimension_print(given, sizeof given, found),
                          lashi_dimension_print(wanted, sizeof wanted, dimension),
                          found.frequency ? "; write rpm, rev/s or rad/s" : "");
    if (!isfinite(value))
        return lashi_fail(error, LASH_ERROR_USAGE, "'%s' is not finite", text);
    *out = value;
    return LASH_OK;
}
