/* SPDX-License-Identifier: MIT
 *
 * The unit table: what cmake/make_units.c has taken from the database of udunits when Lash was built.
 */
#ifndef LASHI_UNITS_TABLE_H
#define LASHI_UNITS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum { LASHI_UNIT_BASES = 7 }; /* m, kg, s, A, K, mol, cd */

/* SI value = scale * x + offset. */
typedef struct lashi_table_unit {
    const char *text;
    double scale, offset;
    signed char exponent[LASHI_UNIT_BASES];
    bool angle; /* made of rad */
} lashi_table_unit;

typedef struct lashi_table_prefix {
    const char *text;
    double value;
} lashi_table_prefix;

/* Names are written in letters of either case, symbols as they are. Units are sorted by strcasecmp and
 * strcmp; an entry whose text is NULL ends a list of prefixes. */
extern const lashi_table_unit lashi_unit_names[], lashi_unit_symbols[];
extern const size_t lashi_unit_name_count, lashi_unit_symbol_count;
extern const lashi_table_prefix lashi_prefix_names[], lashi_prefix_symbols[];

#endif
