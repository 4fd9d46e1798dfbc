/* SPDX-License-Identifier: MIT
 *
 * `--name value`, `--name=value`, `-n value`, `--` (what follows is no option), in any order with the other
 * arguments. A lone `-` is an argument or a value: standard output.
 */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/talk.h"

enum { LONGEST_WORD = 40 };

static const lashi_option help_option = {"help", 'h', NULL, true, "show this page"};

// ---- nearest names

static int smallest(int a, int b, int c) {
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/* Insertions, deletions and substitutions that lead from one word to the other. */
static int edits(const char *a, const char *b) {
    size_t n = strlen(b);
    int row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= n; j++)
        row[j] = (int)j;
    for (size_t i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            int above = row[j];
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[n];
}

const char *lashi_options_nearest(const char *word, const char *(*name)(const void *list, size_t index),
                                  const void *list) {
    size_t length = strlen(word);
    if (length == 0 || length > LONGEST_WORD)
        return NULL;
    // Two slips at most, and never so many that nothing of the word is left.
    int best = length < 3 ? 2 : 3;
    const char *found = NULL, *candidate;
    for (size_t i = 0; (candidate = name(list, i)) != NULL; i++) {
        int distance = strlen(candidate) <= LONGEST_WORD ? edits(word, candidate) : best;
        // A beginning ("kin" for kinematics) counts like one slip.
        if (length >= 3 && strncmp(word, candidate, length) == 0)
            distance = 1;
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    return found;
}

// ---- parsing

static const lashi_option *option_at(const lashi_command *command, size_t index) {
    size_t count = 0;
    while (command->options[count].name)
        count++;
    return index < count ? &command->options[index] : index == count ? &help_option : NULL;
}

static const char *option_name(const void *list, size_t index) {
    const lashi_option *option = option_at(list, index);
    return option ? option->name : NULL;
}

static const lashi_option *find(const lashi_command *command, const char *name, size_t length) {
    const lashi_option *option;
    for (size_t i = 0; (option = option_at(command, i)) != NULL; i++)
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

static const lashi_option *find_letter(const lashi_command *command, char letter) {
    const lashi_option *option;
    for (size_t i = 0; (option = option_at(command, i)) != NULL; i++)
        if (letter && option->letter == letter)
            return option;
    return NULL;
}

static bool refuse_unknown(const lashi_command *command, const char *word, size_t length) {
    char name[LONGEST_WORD + 1] = "";
    if (length <= LONGEST_WORD)
        memcpy(name, word, length);
    const char *nearest = lashi_options_nearest(name, option_name, command);
    if (nearest)
        lashi_talk_usage(command, "there is no option --%.*s; did you mean --%s?", (int)length, word,
                         nearest);
    else
        lashi_talk_usage(command, "there is no option --%.*s", (int)length, word);
    return false;
}

static bool is_given(const lashi_arguments *out, const lashi_option *option) {
    for (size_t i = 0; i < out->given_count; i++)
        if (out->given[i].option == option)
            return true;
    return false;
}

/* Takes the option at words[*at], with its value; *at moves to the last word taken. */
static bool take_option(lashi_arguments *out, int count, char *const *words, int *at) {
    const lashi_command *command = out->command;
    const char *word = words[*at], *value = NULL;
    const lashi_option *option;
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        size_t length = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
        option = find(command, word + 2, length);
        value = equals ? equals + 1 : NULL;
        if (!option)
            return refuse_unknown(command, word + 2, length);
    } else {
        option = find_letter(command, word[1]);
        value = word[2] == '=' ? word + 3 : word[2] ? word + 2 : NULL;
        if (!option || (!option->value && word[2])) {
            lashi_talk_usage(command, "there is no option %s", word);
            return false;
        }
    }
    if (!option->value && value) {
        lashi_talk_usage(command, "--%s takes no value", option->name);
        return false;
    }
    if (option->value && !value) {
        // The next option is not a value: something was forgotten.
        bool missing = *at + 1 >= count || strncmp(words[*at + 1], "--", 2) == 0;
        if (missing) {
            lashi_talk_usage(command, "--%s needs a value: --%s %s", option->name, option->name,
                             option->value);
            return false;
        }
        value = words[++*at];
    }
    if (!option->repeated && is_given(out, option)) {
        lashi_talk_usage(command, "--%s is given twice", option->name);
        return false;
    }
    out->given[out->given_count++] = (lashi_given){option, value ? value : ""};
    return true;
}

/* `before` is the word before the first argument that is too many. */
static bool check_names(const lashi_arguments *out, const char *before) {
    const lashi_command *command = out->command;
    if (out->name_count < command->least) {
        lashi_talk_usage(command, "%s is missing", command->arguments);
        return false;
    }
    if (out->name_count > command->most) {
        const char *name = out->names[command->most];
        for (size_t i = 0; i < out->given_count; i++)
            if (before && out->given[i].value == before) {
                lashi_talk_usage(
                    command,
                    "'%s' is one argument too many; a value with blanks is written in quotes: --%s "
                    "\"%s %s%s\"",
                    name, out->given[i].option->name, before, name,
                    out->name_count > command->most + 1 ? " …" : "");
                return false;
            }
        lashi_talk_usage(command, "'%s' is one argument too many%s%s", name, command->instead ? "; " : "",
                         command->instead ? command->instead : "");
        return false;
    }
    return true;
}

bool lashi_options_parse(lashi_arguments *out, const lashi_command *command, int count, char *const *words) {
    *out = (lashi_arguments){.command = command};
    size_t room = count > 0 ? (size_t)count : 1;
    out->names = calloc(room, sizeof *out->names);
    out->given = calloc(room, sizeof *out->given);
    bool fine = out->names && out->given, options = true;
    const char *before = NULL;
    if (!fine)
        lashi_talk_usage(command, "out of memory");
    for (int i = 0; i < count && fine; i++) {
        if (options && strcmp(words[i], "--") == 0)
            options = false;
        else if (options && words[i][0] == '-' && words[i][1])
            fine = take_option(out, count, words, &i);
        else {
            if (out->name_count == command->most && i > 0)
                before = words[i - 1];
            out->names[out->name_count++] = words[i];
        }
    }
    fine = fine && (lashi_option_given(out, "help") || check_names(out, before));
    if (!fine)
        lashi_options_clear(out);
    return fine;
}

void lashi_options_clear(lashi_arguments *arguments) {
    free(arguments->names);
    free(arguments->given);
    *arguments = (lashi_arguments){0};
}

// ---- asking

const char *lashi_option_value_at(const lashi_arguments *arguments, const char *name, size_t index) {
    for (size_t i = 0; i < arguments->given_count; i++)
        if (strcmp(arguments->given[i].option->name, name) == 0 && index-- == 0)
            return arguments->given[i].value;
    return NULL;
}

const char *lashi_option_value(const lashi_arguments *arguments, const char *name) {
    return lashi_option_value_at(arguments, name, 0);
}

bool lashi_option_given(const lashi_arguments *arguments, const char *name) {
    return lashi_option_value(arguments, name) != NULL;
}
