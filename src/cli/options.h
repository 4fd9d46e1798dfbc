/* SPDX-License-Identifier: MIT
 *
 * Command lines: one parser for all commands, driven by their tables of options.
 */
#ifndef LASHI_OPTIONS_H
#define LASHI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lashi_option {
    const char *name;  /* long name without dashes; NULL ends a table */
    char letter;       /* short form, 0: none */
    const char *value; /* what the value is called in the help; NULL: a switch */
    bool repeated;     /* may be given more than once */
    const char *doc;
} lashi_option;

typedef struct lashi_given {
    const lashi_option *option;
    const char *value; /* "" for a switch */
} lashi_given;

struct lashi_command;
typedef struct lashi_arguments {
    const struct lashi_command *command;
    const char **names; /* arguments that are not options, in order */
    size_t name_count;
    lashi_given *given; /* options in order */
    size_t given_count;
} lashi_arguments;

/* Parses what follows the name of a command. False: it has been said what is wrong. Texts stay argv's. */
bool lashi_options_parse(lashi_arguments *out, const struct lashi_command *command, int count,
                         char *const *words);
void lashi_options_clear(lashi_arguments *arguments);

bool lashi_option_given(const lashi_arguments *arguments, const char *name);
/* The value, NULL if the option is not given; of a repeated option the one of that index. */
const char *lashi_option_value(const lashi_arguments *arguments, const char *name);
const char *lashi_option_value_at(const lashi_arguments *arguments, const char *name, size_t index);

/* The entry of a list that is most like the word, or NULL if none is near; `name` gives NULL past the end. */
const char *lashi_options_nearest(const char *word, const char *(*name)(const void *list, size_t index),
                                  const void *list);

#endif
