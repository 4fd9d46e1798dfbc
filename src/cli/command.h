/* SPDX-License-Identifier: MIT
 *
 * The commands of the program. A command is one file with its lashi_command_NAME and one line in the list
 * below. Its options are a table, from which the parser and the help are made.
 */
#ifndef LASHI_COMMAND_H
#define LASHI_COMMAND_H

#include "cli/options.h"
#include "lash/status.h"

#define LASHI_COMMAND_LIST(X)                                                                                \
    X(run)                                                                                                   \
    X(check)                                                                                                 \
    X(kinematics)                                                                                            \
    X(linearize)                                                                                             \
    X(study)                                                                                                 \
    X(wear)                                                                                                  \
    X(fmu)                                                                                                   \
    X(bearing)                                                                                               \
    X(plot)                                                                                                  \
    X(report)                                                                                                \
    X(stats)                                                                                                 \
    X(channels)                                                                                              \
    X(live)                                                                                                  \
    X(export)                                                                                                \
    X(compile)                                                                                               \
    X(example)                                                                                               \
    X(help)

typedef struct lashi_command {
    const char *name;
    const char *arguments; /* as in the help: "MODEL" */
    const char *brief;     /* one line */
    const char *also;      /* other words that people try, with spaces between; NULL: none */
    const char *instead;   /* what people mean by one argument more; NULL: nothing known */
    const char *details;   /* paragraphs after the options, "" if none */
    size_t least, most;    /* number of arguments that are not options */
    const lashi_option *options;
    /* Has said what went wrong when it returns a failure; main turns the status into the exit code. */
    lash_status (*perform)(const lashi_arguments *arguments);
} lashi_command;

#define LASHI_COMMAND_DECLARE(name) extern const lashi_command lashi_command_##name;
LASHI_COMMAND_LIST(LASHI_COMMAND_DECLARE)
#undef LASHI_COMMAND_DECLARE

/* By index and NULL past the end; by name and NULL if none. */
const lashi_command *lashi_command_at(size_t index);
const lashi_command *lashi_command_find(const char *name);
/* Prints the page of a command, or of the program for NULL. */
void lashi_print_help(const lashi_command *command);

#endif
