/* SPDX-License-Identifier: MIT
 *
 * Random machines: model texts from a seed.
 */
#ifndef LASH_TEST_MACHINE_H
#define LASH_TEST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MACHINE_TEXT = 16384, MACHINE_BODIES = 8 };

typedef struct machine {
    char text[MACHINE_TEXT]; /* the model */
    const char *family;
    bool free;       /* nothing holds it and no force from outside acts: momentum is conserved */
    bool smooth;     /* no play: all runs must agree at the end */
    double duration; /* s */
    double length;   /* m, its size */
    double speed;    /* m/s, of its motion: length over its time */
    size_t bodies;   /* of the plane, as recorded below */
    char names[MACHINE_BODIES][16];
    double mass[MACHINE_BODIES], inertia[MACHINE_BODIES]; /* kg, kg m^2 */
} machine;

/* The machine of a seed: the same on every computer. */
void machine_make(machine *out, uint64_t seed);

#endif
