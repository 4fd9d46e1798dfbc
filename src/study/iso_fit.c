/* SPDX-License-Identifier: MIT
 *
 * Limits of size of a fit such as H7/g6.
 *
 * Standard tolerances IT5 … IT9 and fundamental deviations as tabulated in ISO 286-1:2010 (tables 1, 4 and 5)
 * for nominal sizes up to 120 mm. The fundamental deviation is the limit that lies nearer to the nominal size:
 *     hole H          EI = 0,          ES = IT
 *     shaft e f g h   es = deviation,  ei = es − IT
 *     shaft k         ei = deviation,  es = ei + IT     (grades above IT7: ei = 0)
 */
#include <stdio.h>
#include <string.h>

#include "study/distribution.h"

enum { RANGES = 8, FINEST = 5, COARSEST = 9 };

static const double upper[RANGES] = {3, 6, 10, 18, 30, 50, 80, 120}; /* mm, included */

static const double tolerance[COARSEST - FINEST + 1][RANGES] = {
    /* µm */
    {4, 5, 6, 8, 9, 11, 13, 15},      /* IT5 */
    {6, 8, 9, 11, 13, 16, 19, 22},    /* IT6 */
    {10, 12, 15, 18, 21, 25, 30, 35}, /* IT7 */
    {14, 18, 22, 27, 33, 39, 46, 54}, /* IT8 */
    {25, 30, 36, 43, 52, 62, 74, 87}, /* IT9 */
};

typedef struct shaft {
    char letter;
    int lower; /* the deviation is the lower limit ei */
    double deviation[RANGES];
} shaft;

static const shaft shafts[] = {
    /* µm */
    {'e', 0, {-14, -20, -25, -32, -40, -50, -60, -72}},
    {'f', 0, {-6, -10, -13, -16, -20, -25, -30, -36}},
    {'g', 0, {-2, -4, -5, -6, -7, -9, -10, -12}},
    {'h', 0, {0}},
    {'k', 1, {0, 1, 1, 1, 2, 2, 2, 3}}, /* to IT7 */
};
enum { SHAFTS = sizeof shafts / sizeof *shafts, COARSEST_K = 7 };

const char *lashi_fit_limits(double limits[4], const char *fit, double diameter) {
    int hole_grade, shaft_grade, used = 0;
    char hole, letter;
    if (sscanf(fit, "%c%d/%c%d%n", &hole, &hole_grade, &letter, &shaft_grade, &used) != 4 ||
        (size_t)used != strlen(fit))
        return "a fit is written as H7/g6";
    if (hole != 'H')
        return "of the holes only H is known";
    if (hole_grade < FINEST || hole_grade > COARSEST || shaft_grade < FINEST || shaft_grade > COARSEST)
        return "the grades known are 5 to 9";
    const shaft *kind = NULL;
    for (size_t i = 0; i < SHAFTS; i++)
        if (shafts[i].letter == letter)
            kind = &shafts[i];
    if (!kind)
        return "the shafts known are e, f, g, h and k";
    // A nominal size that a unit has rounded is still on its side of a boundary.
    const double size = diameter * 1e3 * (1 - 1e-12);
    size_t range = 0;
    while (range < RANGES && size > upper[range])
        range++;
    if (!(size > 0) || range == RANGES)
        return "the tables reach to 120 mm";
    const double it = tolerance[shaft_grade - FINEST][range];
    const double deviation = kind->lower && shaft_grade > COARSEST_K ? 0 : kind->deviation[range];
    limits[0] = 0;
    limits[1] = 1e-6 * tolerance[hole_grade - FINEST][range];
    limits[2] = 1e-6 * (kind->lower ? deviation : deviation - it);
    limits[3] = 1e-6 * (kind->lower ? deviation + it : deviation);
    return NULL;
}
