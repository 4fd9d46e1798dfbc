/* SPDX-License-Identifier: MIT
 *
 * One quantity from text, by the same expressions and units as in model files, and as text for people.
 */
#include "lash/quantity.h"

#include <math.h>
#include <stdio.h>
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

const char *lash_quantity_write(char out[LASH_QUANTITY_TEXT], double value, const char *unit) {
    static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
    enum { NONE = 4, LAST = 8 };
    int step = 0;
    if (!out)
        return NULL;
    unit = unit ? unit : "";
    if (value != 0 && isfinite(value))
        step = (int)floor(log10(fabs(value)) / 3 + 1e-9);
    // kg has its prefix already, and pure numbers take none.
    if (!unit[0] || strncmp(unit, "kg", 2) == 0 || strncmp(unit, "rad", 3) == 0 || NONE + step < 0 ||
        NONE + step > LAST)
        snprintf(out, LASH_QUANTITY_TEXT, "%.4g%s%s", value, unit[0] ? " " : "", unit);
    else
        snprintf(out, LASH_QUANTITY_TEXT, "%.4g %s%s", value / pow(1000, step), prefixes[NONE + step], unit);
    return out;
}
