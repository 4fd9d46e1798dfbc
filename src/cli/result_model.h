/* SPDX-License-Identifier: MIT
 *
 * The model that a result was computed from, read again from the text and the settings in it.
 */
#ifndef LASHI_RESULT_MODEL_H
#define LASHI_RESULT_MODEL_H

#include "lash/lash.h"

/* "NAME=VALUE" lines → settings that point into the text, which is cut up; there is room for one per line.
 * Returns their number. */
size_t lashi_settings_split(lash_setting *settings, char *text);

/* The settings of a result, which point into *text; both are the caller's to free, also after a failure:
 * LASH_ERROR_MEMORY. */
lash_status lashi_result_settings(lash_setting **out, size_t *count, char **text, lash_result *result);

/* Tables beside the model's file are not read: they may be gone. Mistakes go to `report`, which may be NULL.
 * LASH_ERROR_MODEL without one: the result has no text, as it was made in C. */
lash_status lashi_result_model(lash_model **out, lash_result *result, const char *path,
                               void (*report)(void *user, const lash_error *mistake), void *user,
                               lash_error *error);

#endif
