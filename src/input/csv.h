/* SPDX-License-Identifier: MIT
 *
 * Two columns of numbers from a text file.
 */
#ifndef LASHI_CSV_H
#define LASHI_CSV_H

#include <stddef.h>

#include "lash/status.h"

/* Reads columns x_column and y_column, which count from 1, of a file with numbers between commas, semicolons,
 * tabs or blanks; one heading line, blank lines and comments from # on are skipped. *x and *y hold *count
 * numbers each and are freed by the caller; on failure they are NULL and the error holds file, line and
 * column. */
lash_status lashi_csv_read(double **x, double **y, size_t *count, const char *path, int x_column,
                           int y_column, lash_error *error);

#endif
