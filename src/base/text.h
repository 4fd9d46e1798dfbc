/* SPDX-License-Identifier: MIT
 *
 * Small helpers for text that users wrote: the nearest known name for a "did you mean", and numbers read the
 * same way whatever the locale.
 */
#ifndef LASHI_TEXT_H
#define LASHI_TEXT_H

#include <stddef.h>

/* The name of the list that is most like `word`, or NULL when none is near enough to be a likely slip. `name`
 * gives the list's entries by index and NULL past the end. Ties go to the earlier entry. */
const char *lashi_nearest(const char *word, const char *(*name)(const void *list, size_t index),
                          const void *list);

/* Reads a decimal number without sign ("3", ".5", "1e-4") at the start of the `length` characters. Returns
 * how many characters it took, 0 if there is no number. Too large a number gives infinity. */
size_t lashi_read_number(double *out, const char *text, size_t length);

#endif
