/* SPDX-License-Identifier: MIT
 *
 * lash help: the program, a command, or the format of model files. Pages are made from the tables that the
 * program itself uses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/completion.h"
#include "cli/talk.h"
#include "cli/topics.h"
#include "lash/model.h"

static void exit_codes(void) {
    printf("\nExit codes:\n");
    for (int code = 0; code <= 4; code++) {
        const char *separator = "";
        printf("  %d  ", code);
#define MEANING(name, value, exit_code, text)                                                                \
    if (exit_code == code) {                                                                                 \
        printf("%s%s", separator, text);                                                                     \
        separator = "; ";                                                                                    \
    }
        LASH_STATUS_LIST(MEANING)
#undef MEANING
        printf("\n");
    }
}

static void program_page(void) {
    const lashi_command *command;
    printf("lash computes the motion of machines whose joints have play.\n\n");
    for (size_t i = 0; (command = lashi_command_at(i)) != NULL; i++)
        printf("  lash %-10s %-12s  %s\n", command->name, command->arguments, command->brief);
    printf("  lash --version\n\nlash help COMMAND   options of a command\nlash help TOPIC     ");
    const char *brief, *name, *separator = "";
    for (size_t i = 0; (name = lashi_topic_at(&brief, i)) != NULL && strcmp(name, "tutorial") != 0; i++) {
        printf("%s%s", separator, name);
        separator = ", ";
    }
    printf(", tutorial\nlash help WORD      where anything is explained\n"
           "lash help format    every key of a model file; schema: the same for editors\n\nA first run:\n"
           "  lash example flores-2010\n"
           "  lash run flores-2010.yaml --set play=\"0.2 mm\" --until \"3 rev of motor\"\n"
           "  lash report flores-2010.h5\n");
    exit_codes();
}

static void option_line(const lashi_option *option) {
    char left[64];
    snprintf(left, sizeof left, "%c%c%s--%s%s%s", option->letter ? '-' : ' ',
             option->letter ? option->letter : ' ', option->letter ? ", " : "  ", option->name,
             option->value ? " " : "", option->value ? option->value : "");
    printf("  %-28s %s%s\n", left, option->doc, option->repeated ? " (may be repeated)" : "");
}

static void command_page(const lashi_command *command) {
    printf("lash %s%s%s%s\n%s.\n", command->name, command->arguments[0] ? " " : "", command->arguments,
           command->options->name ? " [OPTIONS]" : "", command->brief);
    if (command->options->name)
        printf("\n");
    for (const lashi_option *option = command->options; option->name; option++)
        option_line(option);
    if (command->details[0])
        printf("\n%s", command->details);
}

void lashi_print_help(const lashi_command *command) {
    if (command)
        command_page(command);
    else
        program_page();
}

static const char *topic(const void *list, size_t index) {
    (void)list;
    const char *brief;
    return lashi_help_at(&brief, index);
}

static bool is_shell(const char *name) {
    for (size_t i = 0; lashi_completion_shell(i); i++)
        if (strcmp(lashi_completion_shell(i), name) == 0)
            return true;
    return false;
}

static lash_status perform(const lashi_arguments *arguments) {
    const char *name = arguments->name_count ? arguments->names[0] : NULL;
    if (!name) {
        program_page();
    } else if (strcmp(name, "format") == 0 || strcmp(name, "schema") == 0) {
        char *text = name[0] == 'f' ? lash_model_format_reference() : lash_schema();
        if (!text)
            return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
        fputs(text, stdout);
        free(text);
    } else if (is_shell(name)) {
        lashi_completion_print(name);
    } else if (lashi_command_find(name)) {
        command_page(lashi_command_find(name));
        if (strcmp(name, "channels") == 0) { // also a topic
            printf("\n");
            lashi_topic_print(name);
        }
    } else if (strcmp(name, "topics") == 0) {
        const char *brief, *one;
        for (size_t i = 0; (one = lashi_topic_at(&brief, i)) != NULL; i++)
            printf("  %-14s %s\n", one, brief);
    } else if (!lashi_topic_print(name) && !lashi_topics_search(name)) {
        const char *nearest = lashi_options_nearest(name, topic, NULL);
        if (!nearest)
            nearest = lashi_topics_nearest(name);
        return nearest
                   ? lashi_talk_usage(NULL, "there is no help about '%s'; did you mean '%s'?", name, nearest)
                   : lashi_talk_usage(NULL, "there is no help about '%s'", name);
    }
    return LASH_OK;
}

static const lashi_option options[] = {{0}};

const lashi_command lashi_command_help = {
    .name = "help",
    .arguments = "[TOPIC]",
    .also = "man topics docs documentation usage",
    .brief = "Explains the program, a command, a topic or a word",
    .details = "TOPIC is the name of a command, a topic (`lash help topics` lists them), the heading of a\n"
               "section, or any word: then it says where that is explained. `format` prints every key of\n"
               "a model file, `schema` the JSON Schema of model and study files, with which editors\n"
               "complete and check them. `bash`, `zsh` and `fish` print completions for these shells.\n",
    .least = 0,
    .most = 1,
    .options = options,
    .perform = perform};
