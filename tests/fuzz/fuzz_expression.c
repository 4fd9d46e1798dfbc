/* SPDX-License-Identifier: MIT
 *
 * Expressions of time, and quantities with units.
 */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "lash/lash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const units[] = {"m", "rad/s", "", "Pa s", "kg m2"};
    char *text = calloc(size + 1, 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    lash_expression *expression;
    lash_error error;
    const lash_status status = lash_expression_create(&expression, text, &error);
    fuzz_require((status == LASH_OK) == (expression != NULL), "an expression is whole or there is none");
    lash_expression_destroy(expression);
    double value = 0; // one unit each: five would make most of the time five times the same search for a name
    if (lash_quantity_read(&value, text, units[size % (sizeof units / sizeof *units)], &error) == LASH_OK)
        fuzz_require(isfinite(value), "a quantity is finite");
    free(text);
    return 0;
}
