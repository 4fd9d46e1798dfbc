/* SPDX-License-Identifier: MIT
 *
 * Tables of studies in a build without SQLite: none is written or opened, and the message says why.
 */
#include <math.h>

#include "base/library.h"
#include "study/life.h"
#include "study/store.h"

static lash_status missing(lash_error *error) {
    return lashi_library_missing(error, "SQLite", "tables of studies", "LASH_WITH_SQLITE");
}

lash_status lashi_store_open(lashi_store **out, unsigned char *done, const char *path,
                             const lash_study *study, lash_error *error) {
    (void)done, (void)path, (void)study;
    *out = NULL;
    return missing(error);
}

lash_status lashi_store_read_end(lashi_state *out, lashi_store *store, size_t point, lash_error *error) {
    (void)out, (void)store, (void)point;
    return missing(error);
}

lash_status lashi_store_write(lashi_store *store, const lashi_outcome *outcomes, size_t count,
                              lash_error *error) {
    (void)store, (void)outcomes, (void)count;
    return missing(error);
}

lash_status lashi_store_close(lashi_store *store, lash_error *error) {
    (void)store, (void)error;
    return LASH_OK;
}

lash_status lash_study_table_open(lash_study_table **out, const char *path, lash_error *error) {
    (void)path;
    if (out)
        *out = NULL;
    return missing(error);
}

lash_status lash_study_cuts_read(double **values, size_t **points, size_t *count, const char *path,
                                 const char *channel, lash_error *error) {
    (void)values, (void)points, (void)count, (void)path, (void)channel;
    return missing(error);
}

lash_status lash_study_cut_channels(char **names, const char *path, lash_error *error) {
    (void)names, (void)path;
    return missing(error);
}

/* No table exists: NULL is all that these can be given. */

void lash_study_table_close(lash_study_table *table) {
    (void)table;
}

size_t lash_study_table_width(const lash_study_table *table) {
    (void)table;
    return 0;
}

lash_study_column lash_study_table_column(const lash_study_table *table, size_t column) {
    (void)table, (void)column;
    return (lash_study_column){"", "", LASH_COLUMN_POINT};
}

size_t lash_study_table_rows(const lash_study_table *table) {
    (void)table;
    return 0;
}

size_t lash_study_table_points(const lash_study_table *table) {
    (void)table;
    return 0;
}

const char *lash_study_table_text(const lash_study_table *table, size_t row, size_t column) {
    (void)table, (void)row, (void)column;
    return "";
}

double lash_study_table_number(const lash_study_table *table, size_t row, size_t column) {
    (void)table, (void)row, (void)column;
    return (double)NAN;
}

const char *lash_study_table_about(const lash_study_table *table, const char *name) {
    (void)table, (void)name;
    return NULL;
}

lash_study_quantile lash_study_table_quantile(const lash_study_table *table, size_t column, size_t first,
                                              size_t count, double probability, double confidence) {
    (void)table, (void)column, (void)first, (void)count, (void)probability, (void)confidence;
    return (lash_study_quantile){(double)NAN, (double)NAN, (double)NAN, 0};
}

lash_status lashi_life_store_open(lashi_life_store **out, lash_life *life, const char *path, const char *key,
                                  lash_error *error) {
    (void)life, (void)path, (void)key;
    *out = NULL;
    return missing(error);
}

lash_status lashi_life_store_write(lashi_life_store *store, const lash_life *life, lash_error *error) {
    (void)store, (void)life;
    return missing(error);
}

lash_status lashi_life_store_end(lashi_life_store *store, const lash_life *life, lash_error *error) {
    (void)store, (void)life;
    return missing(error);
}

void lashi_life_store_close(lashi_life_store *store) {
    (void)store;
}

lash_status lash_life_open(lash_life **out, const char *path, lash_error *error) {
    (void)path;
    if (out)
        *out = NULL;
    return missing(error);
}
