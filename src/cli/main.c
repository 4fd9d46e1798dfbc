/* SPDX-License-Identifier: MIT
 *
 * The program `lash`: finds the command, parses its options, performs it, and turns its status into the exit
 * code. Whatever went wrong on standard output is found at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/talk.h"
#include "lash/version.h"

static const lashi_command *const commands[] = {
#define ENTRY(name) &lashi_command_##name,
    LASHI_COMMAND_LIST(ENTRY)
#undef ENTRY
};

const lashi_command *lashi_command_at(size_t index) {
    return index < sizeof commands / sizeof *commands ? commands[index] : NULL;
}

const lashi_command *lashi_command_find(const char *name) {
    const lashi_command *command;
    for (size_t i = 0; (command = lashi_command_at(i)) != NULL; i++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

static const char *command_name(const void *list, size_t index) {
    (void)list;
    const lashi_command *command = lashi_command_at(index);
    return command ? command->name : NULL;
}

/* The command that is meant by another word; NULL: not known. */
static const char *meant(const char *word) {
    const lashi_command *command;
    const size_t length = strlen(word);
    for (size_t i = 0; length && (command = lashi_command_at(i)) != NULL; i++)
        for (const char *also = command->also; also && *also; also += strspn(also, " ")) {
            const size_t n = strcspn(also, " ");
            if (n == length && strncmp(also, word, n) == 0)
                return command->name;
            also += n;
        }
    return NULL;
}

static lash_status unknown_command(const char *word) {
    const char *nearest = meant(word);
    if (!nearest)
        nearest = lashi_options_nearest(word, command_name, NULL);
    if (word[0] == '-')
        return lashi_talk_usage(NULL, "the name of a command comes first, not %s", word);
    if (strchr(word, '.') && access(word, F_OK) == 0)
        return lashi_talk_usage(NULL,
                                "the name of a command comes first: lash run MODEL, lash report RESULT");
    if (nearest)
        return lashi_talk_usage(NULL, "there is no command '%s'; did you mean '%s'?", word, nearest);
    return lashi_talk_usage(NULL, "there is no command '%s'", word);
}

static lash_status dispatch(int count, char *const *words) {
    if (count < 2)
        return lashi_talk_usage(NULL, "which command? For a first run: lash example flores-2010");
    const char *word = words[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        puts("lash " LASH_VERSION);
        return LASH_OK;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        lashi_print_help(NULL);
        return LASH_OK;
    }
    for (int i = 2; i < count; i++)
        if (strcmp(words[i], "--json") == 0) {
            lashi_talk_keep();
            break;
        }
    const lashi_command *command = lashi_command_find(word);
    if (!command)
        return unknown_command(word);
    lashi_arguments arguments;
    if (!lashi_options_parse(&arguments, command, count - 2, words + 2))
        return LASH_ERROR_USAGE;
    lash_status status = LASH_OK;
    if (lashi_option_given(&arguments, "help"))
        lashi_print_help(command);
    else
        status = command->perform(&arguments);
    // `lash export … | head`: the reader has what it wanted; but a file that was asked for is not there.
    if (status == LASH_ERROR_IO && lashi_talk_reader_left() && !lashi_option_given(&arguments, "output"))
        status = LASH_OK;
    lashi_options_clear(&arguments);
    return status;
}

/* Replaces standard streams that the caller has closed, so that no result file gets their numbers. Nothing
 * can be written to the replacement. */
static void occupy_standard_streams(void) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) == -1 && errno == EBADF && open("/dev/null", O_RDONLY) < 0)
            return;
}

int main(int count, char **words) {
    occupy_standard_streams();
    signal(SIGPIPE, SIG_IGN); // a closed pipe and a full disk are errors of the write that meets them
    signal(SIGXFSZ, SIG_IGN);
    lash_status status = dispatch(count, words);
    lashi_talk_tell_rest(status);
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written && status >= 0) {
        const lash_status failed =
            lashi_talk_fail(LASH_ERROR_IO, "writing to standard output failed: %s", strerror(errno));
        status = lashi_talk_reader_left() ? status : failed;
    }
    return lash_status_exit_code(status);
}
