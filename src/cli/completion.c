/* SPDX-License-Identifier: MIT
 *
 * Completions for bash, zsh and fish: commands, their options, files of the kind that a command takes, and the
 * topics of help.
 * `lash help bash` prints them; the installation puts them where the shells look.
 */
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/topics.h"

static const char *const shells[] = {"bash", "zsh", "fish"};

const char *lashi_completion_shell(size_t index) {
    return index < sizeof shells / sizeof *shells ? shells[index] : NULL;
}

/* Endings of the files that a command takes. */
static const char *endings(const lashi_command *command) {
    static const struct {
        const char *argument, *endings;
    } kinds[] = {
        {"MODEL", "yaml yml"}, {"STUDY", "yaml yml db"},        {"RESULT.h5", "h5 db"},
        {"RESULT", "h5 db"},   {"MODEL|RESULT", "yaml yml h5"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(command->arguments, kinds[i].argument) == 0)
            return kinds[i].endings;
    return "";
}

/* A text within single quotes. */
static void put_quoted(const char *text) {
    putchar('\'');
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    putchar('\'');
}

// ---- bash

static void print_bash(void) {
    const lashi_command *command;
    printf("# Completions of lash for bash, made by `lash help bash`.\n"
           "_lash() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} options= endings= ending\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; (command = lashi_command_at(i)) != NULL; i++)
        printf("%s ", command->name);
    printf("--version --help\" -- \"$word\"))\n"
           "        return\n"
           "    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; (command = lashi_command_at(i)) != NULL; i++) {
        printf("    %s) options=\"", command->name);
        for (const lashi_option *option = command->options; option->name; option++)
            printf("--%s ", option->name);
        printf("--help\" endings=\"%s\" ;;\n", endings(command));
    }
    printf("    esac\n"
           "    COMPREPLY=()\n"
           "    if [[ $word == -* ]]; then\n"
           "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
           "    elif [ \"${COMP_WORDS[1]}\" = help ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    const char *brief, *name;
    for (size_t i = 0; (name = lashi_help_at(&brief, i)) != NULL; i++)
        printf("%s%s", i ? " " : "", name);
    printf("\" -- \"$word\"))\n"
           "    else\n"
           "        compopt -o filenames 2>/dev/null\n"
           "        for ending in $endings; do\n"
           "            COMPREPLY+=($(compgen -f -X \"!*.$ending\" -- \"$word\"))\n"
           "        done\n"
           "        COMPREPLY+=($(compgen -d -- \"$word\"))\n"
           "    fi\n"
           "}\n"
           "complete -F _lash lash\n");
}

// ---- zsh

/* 'word:what it is' on a line of an array. */
static void put_described(const char *word, const char *brief) {
    char line[256];
    snprintf(line, sizeof line, "%s:%s", word, brief);
    printf("    ");
    put_quoted(line);
    printf("\n");
}

static void print_zsh(void) {
    const lashi_command *command;
    printf("#compdef lash\n# Completions of lash for zsh, made by `lash help zsh`.\n"
           "local -a commands\ncommands=(\n");
    for (size_t i = 0; (command = lashi_command_at(i)) != NULL; i++)
        put_described(command->name, command->brief);
    printf(")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\ncase $words[2] "
           "in\n");
    printf("help)\n    commands=(\n");
    const char *brief, *name;
    for (size_t i = 0; (name = lashi_help_at(&brief, i)) != NULL; i++)
        put_described(name, brief);
    printf("    )\n    _describe topic commands\n    ;;\n");
    for (size_t i = 0; (command = lashi_command_at(i)) != NULL; i++) {
        if (strcmp(command->name, "help") == 0)
            continue;
        printf("%s)\n    _arguments '2:'", command->name);
        for (const lashi_option *option = command->options; option->name; option++) {
            char line[512], doc[256];
            size_t n = 0;
            for (const char *c = option->doc; *c && n < sizeof doc - 2; c++) {
                if (*c == '[' || *c == ']' || *c == ':')
                    doc[n++] = '\\';
                doc[n++] = *c;
            }
            doc[n] = '\0';
            snprintf(line, sizeof line, "%s--%s[%s]%s%s%s", option->repeated ? "*" : "", option->name, doc,
                     option->value ? ":" : "", option->value ? option->value : "",
                     option->value ? ":_files" : "");
            printf(" \\\n        ");
            put_quoted(line);
        }
        printf(" \\\n        ");
        const char *kinds = endings(command);
        printf("'*:file:_files%s", *kinds ? " -g \"*.(" : "");
        for (const char *c = kinds; *c; c++)
            putchar(*c == ' ' ? '|' : *c);
        printf("%s'", *kinds ? ")\"" : "");
        printf("\n    ;;\n");
    }
    printf("esac\n");
}

// ---- fish

static void print_fish(void) {
    const lashi_command *command;
    printf("# Completions of lash for fish, made by `lash help fish`.\ncomplete -c lash -f\n");
    for (size_t i = 0; (command = lashi_command_at(i)) != NULL; i++) {
        printf("complete -c lash -n __fish_use_subcommand -a %s -d ", command->name);
        put_quoted(command->brief);
        printf("\n");
    }
    for (size_t i = 0; (command = lashi_command_at(i)) != NULL; i++) {
        for (const lashi_option *option = command->options; option->name; option++) {
            printf("complete -c lash -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
            if (option->letter)
                printf(" -s %c", option->letter);
            printf("%s -d ", option->value ? " -r" : "");
            put_quoted(option->doc);
            printf("\n");
        }
        if (*endings(command))
            printf("complete -c lash -n '__fish_seen_subcommand_from %s' -F\n", command->name);
    }
    const char *brief, *name;
    for (size_t i = 0; (name = lashi_help_at(&brief, i)) != NULL; i++) {
        printf("complete -c lash -n '__fish_seen_subcommand_from help' -a %s -d ", name);
        put_quoted(brief);
        printf("\n");
    }
}

void lashi_completion_print(const char *shell) {
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else
        print_fish();
}
