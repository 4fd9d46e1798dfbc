/* SPDX-License-Identifier: MIT
 *
 * Dimensions in words, for messages: "length [m]", "torque or energy [kg m^2/s^2]", "quantity [kg/s^3]".
 */
#include "math/expression.h"

#include <stdio.h>
#include <string.h>

enum { BASES = 7 };

static const char *const base_units[BASES] = {"m", "kg", "s", "A", "K", "mol", "cd"};
static const int print_order[BASES] = {1, 0, 2, 3, 4, 5, 6}; // the mass first: kg m^2

static const struct {
    signed char exponent[BASES];
    const char *name;
} named[] = {
    {{0}, "pure number"},
    {{1}, "length"},
    {{2}, "area"},
    {{3}, "volume"},
    {{0, 1}, "mass"},
    {{0, 0, 1}, "time"},
    {{0, 0, -1}, "frequency or angular speed"},
    {{0, 0, -2}, "angular acceleration"},
    {{1, 0, -1}, "speed"},
    {{1, 0, -2}, "acceleration"},
    {{2, 1}, "moment of inertia"},
    {{1, 1, -1}, "momentum or impulse"},
    {{2, 1, -1}, "angular momentum or rotational damping"},
    {{1, 1, -2}, "force"},
    {{2, 1, -2}, "torque or energy"},
    {{2, 1, -3}, "power"},
    {{0, 1, -2}, "stiffness"},
    {{0, 1, -1}, "damping or mass flow"},
    {{-1, 1, -2}, "pressure or stress"},
    {{-1, 1, -1}, "dynamic viscosity"},
    {{2, 0, -1}, "kinematic viscosity"},
    {{-3, 1}, "density"},
    {{-1, 1}, "mass per length"},
    {{-1}, "curvature"},
    {{-1, 0, 1}, "time per length"},
    {{0, 0, 0, 1}, "current"},
    {{0, 0, 0, 0, 1}, "temperature"},
};

bool lashi_dimension_fits(lashi_dimension a, lashi_dimension b) {
    return !(a.frequency && b.angle) &&
           (a.open || b.open || memcmp(a.exponent, b.exponent, sizeof a.exponent) == 0);
}

/* Appends to a buffer that may be full already. */
static void append(char *buffer, size_t size, const char *text, int number) {
    size_t used = strlen(buffer);
    if (number == 1)
        snprintf(buffer + used, size - used, "%s", text);
    else
        snprintf(buffer + used, size - used, "%s^%d", text, number);
}

const char *lashi_dimension_print(char *buffer, size_t size, lashi_dimension dimension) {
    static const signed char rate[BASES] = {0, 0, -1};
    if (size == 0)
        return buffer;
    if (dimension.open) {
        snprintf(buffer, size, "plain number");
        return buffer;
    }
    const char *name = "quantity";
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (memcmp(named[i].exponent, dimension.exponent, sizeof dimension.exponent) == 0)
            name = named[i].name;
    if (memcmp(dimension.exponent, rate, sizeof rate) == 0 && (dimension.frequency || dimension.angle))
        name = dimension.frequency ? "frequency" : "angular speed";
    snprintf(buffer, size, "%s", name);
    if (name == named[0].name)
        return buffer;

    // Numerator with blanks between the units, then each denominator after its own stroke.
    append(buffer, size, " [", 1);
    int above = 0;
    for (int k = 0; k < BASES; k++) {
        int i = print_order[k], exponent = dimension.exponent[i];
        if (exponent > 0) {
            if (above++ > 0)
                append(buffer, size, " ", 1);
            append(buffer, size, base_units[i], exponent);
        }
    }
    if (above == 0)
        append(buffer, size, "1", 1);
    for (int k = 0; k < BASES; k++) {
        int i = print_order[k], exponent = dimension.exponent[i];
        if (exponent < 0) {
            append(buffer, size, "/", 1);
            append(buffer, size, base_units[i], -exponent);
        }
    }
    append(buffer, size, "]", 1);
    return buffer;
}

// What stands between the brackets of "length [m]".
void lashi_dimension_unit(char unit[LASHI_UNIT_TEXT], lashi_dimension dimension) {
    char words[128];
    unit[0] = '\0';
    if (dimension.open)
        return;
    lashi_dimension_print(words, sizeof words, dimension);
    const char *begin = strrchr(words, '['), *end = begin ? strchr(begin, ']') : NULL;
    if (end)
        snprintf(unit, LASHI_UNIT_TEXT, "%.*s", (int)(end - begin - 1), begin + 1);
    if (strcmp(unit, "1") == 0)
        unit[0] = '\0';
}
