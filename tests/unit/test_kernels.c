/* SPDX-License-Identifier: MIT
 *
 * The cache of compiled code (src/compile/compiler.c): what is damaged, cut, a link, a pipe or of others is never
 * loaded, and is made again; compilers that hang, print without end or fill the disk; several at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compile/compiler.h"
#include "own_cache.h"

/* Time that passes quickly: each look at the clock takes so long. */
static double haste = 0; // s
int clock_gettime(clockid_t clock, struct timespec *t) {
    static double ahead;
    const int code = (int)syscall(SYS_clock_gettime, clock, t);
    ahead += haste;
    t->tv_sec += (time_t)ahead;
    return code;
}

static const char text[] =
    "__attribute__((visibility(\"default\"))) void lash_members(double *rows) { rows[0] = 42; }\n";
static const char device_text[] = "for a GPU";

static char why[LASHI_COMPILER_SAYS];

/* A path in the folder of this test. */
static const char *at(const char *name) {
    static char path[4][4096];
    static int turn;
    char *out = path[turn = (turn + 1) % 4];
    snprintf(out, sizeof path[0], "%s/%s", own_cache, name);
    return out;
}

/* The compiler is this script from now on. It says that it was called. */
static void compiler_is(const char *script) {
    FILE *file = fopen(at("compiler"), "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\necho x >>%s\n%s\n", at("calls"), script);
    fclose(file);
    chmod(at("compiler"), 0700);
    setenv("LASH_CLANG", at("compiler"), 1);
}

/* How often it was called since this was asked. */
static long calls(void) {
    struct stat info = {0};
    stat(at("calls"), &info);
    remove(at("calls"));
    return (long)info.st_size / 2;
}

#define GOOD                                                                                                 \
    "case \"$*\" in\n"                                                                                       \
    "*nvptx*) while [ \"$1\" != -o ]; do shift; done; echo '.visible .func lash_members()' >\"$2\" ;;\n"     \
    "*) exec cc \"$@\" ;;\nesac"

/* The one file that is kept, with this ending; NULL: none. Anything else that is there breaks the test. */
static const char *kept(const char *ending) {
    static char path[4096];
    const char *found = NULL;
    DIR *folder = opendir(at("lash/kernels"));
    for (struct dirent *e; folder && (e = readdir(folder));) {
        if (e->d_name[0] == '.')
            continue;
        assert_true(strlen(e->d_name) == 32 + strlen(ending) && strcmp(e->d_name + 32, ending) == 0);
        assert_null(found);
        snprintf(path, sizeof path, "%s/%s", at("lash/kernels"), e->d_name);
        found = path;
    }
    if (folder)
        closedir(folder);
    return found;
}

static void empty_cache(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s/lash", own_cache);
    assert_int_equal(system(command), 0);
    calls();
}

/* Whether there is code, and it is the right one. */
static bool lanes(void) {
    double rows[1] = {0};
    lashi_members_function *function = lashi_compiler_lanes(text, why);
    if (function)
        function(rows, NULL, NULL, NULL, 0, 0, 0, NULL, NULL);
    assert_true(!function || rows[0] == 42);
    return function;
}
static bool device(void) {
    char *code = lashi_compiler_gpu(device_text, why);
    if (code)
        assert_string_equal(code, ".visible .entry lash_members()\n");
    free(code);
    return code;
}

typedef struct way {
    const char *ending;
    bool (*get)(void);
} way;
static const way ways[] = {{".so", lanes}, {".ptx", device}};

static void made_once(void **state) {
    (void)state;
    compiler_is(GOOD);
    for (size_t k = 0; k < 2; k++) {
        empty_cache();
        assert_true(ways[k].get());
        assert_true(ways[k].get());
        assert_int_equal(calls(), 1);
        assert_non_null(kept(ways[k].ending));
    }
}

static void damage(const char *path, long at_byte, long length) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, at_byte, SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, at_byte, SEEK_SET);
    fputc(byte ^ 16, file);
    fclose(file);
    assert_int_equal(truncate(path, length), 0);
}

/* Loading such a file would end the process, or give other numbers. */
static void damaged_code_is_made_again(void **state) {
    (void)state;
    compiler_is(GOOD);
    for (size_t k = 0; k < 2; k++) {
        empty_cache();
        assert_true(ways[k].get());
        struct stat info;
        assert_int_equal(stat(kept(ways[k].ending), &info), 0);
        const long size = (long)info.st_size;
        assert_int_equal(calls(), 1);
        for (int turn = 0; turn < 16; turn++) {
            const char *path = kept(ways[k].ending);
            // A new file each time: a mapped one would change under the process.
            char copy[4200], command[9000];
            snprintf(copy, sizeof copy, "%s/copy", own_cache);
            snprintf(command, sizeof command, "cp -p %s %s", path, copy);
            assert_int_equal(system(command), 0);
            if (turn < 8) // a bit of it, wherever it lies
                damage(copy, turn == 7 ? size - 1 : turn * size / 7, size);
            else if (turn < 15) // cut, empty, or with something behind
                assert_int_equal(truncate(copy, turn == 14 ? size + 1 : (turn - 8) * (size - 1) / 5), 0);
            else
                assert_int_equal(chmod(copy, 0622), 0);
            assert_int_equal(rename(copy, path), 0);
            assert_true(ways[k].get());
            assert_int_equal(calls(), 1);
            assert_true(ways[k].get());
            assert_int_equal(calls(), 0);
        }
    }
}

static void not_a_file(void **state) {
    (void)state;
    compiler_is(GOOD);
    for (size_t k = 0; k < 2; k++) {
        empty_cache();
        assert_true(ways[k].get());
        char path[4096], moved[4096];
        snprintf(path, sizeof path, "%s", kept(ways[k].ending));
        snprintf(moved, sizeof moved, "%s/moved", own_cache);
        assert_int_equal(rename(path, moved), 0);
        assert_int_equal(symlink(moved, path), 0);
        calls();
        assert_true(ways[k].get());
        assert_int_equal(calls(), 1);
        remove(path);
        assert_int_equal(mkfifo(path, 0600), 0);
        assert_true(ways[k].get()); // and does not wait
        assert_int_equal(calls(), 1);
        remove(path);
        assert_int_equal(mkdir(path, 0700), 0);
        assert_false(ways[k].get());
        assert_non_null(strstr(why, "kept"));
        rmdir(path);
        remove(moved);
    }
}

/* The folder itself. */
static void not_a_folder(void **state) {
    (void)state;
    compiler_is(GOOD);
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", at("lash/kernels"));
    for (int kind = 0; kind < 3; kind++) {
        empty_cache();
        mkdir(at("lash"), 0700);
        mkdir(at("elsewhere"), 0700);
        assert_int_equal(kind == 0   ? symlink(at("elsewhere"), folder)
                         : kind == 1 ? mkfifo(folder, 0600)
                                     : mknod(folder, S_IFREG | 0600, 0),
                         0);
        for (size_t k = 0; k < 2; k++) {
            assert_false(ways[k].get());
            assert_non_null(strstr(why, "only you may write"));
        }
        assert_int_equal(rmdir(at("elsewhere")), 0); // empty
        assert_int_equal(calls(), 0);
    }
}

static void many_at_once(void **state) {
    (void)state;
    enum { MANY = 6 };
    pid_t child[MANY];
    compiler_is(GOOD);
    empty_cache();
    for (int k = 0; k < MANY; k++)
        if ((child[k] = fork()) == 0)
            _exit(lanes() ? 0 : 1);
    for (int k = 0; k < MANY; k++) {
        int status;
        assert_int_equal(waitpid(child[k], &status, 0), child[k]);
        assert_int_equal(status, 0);
    }
    assert_non_null(kept(".so"));
    calls();
    assert_true(lanes());
    assert_int_equal(calls(), 0);
}

/* With all that it started. */
static void compiler_that_hangs(void **state) {
    (void)state;
    int line[2];
    char byte;
    empty_cache();
    assert_int_equal(pipe(line), 0);
    compiler_is("sleep 1000 & sleep 1000");
    haste = 10;
    assert_false(lanes());
    haste = 0;
    assert_non_null(strstr(why, "did not end within 60 s"));
    close(line[1]);
    assert_int_equal(read(line[0], &byte, 1), 0); // nobody holds the other end
    close(line[0]);
    assert_null(kept(".so"));
}

/* Nor does one go on when the program is killed. */
static void program_that_is_killed(void **state) {
    (void)state;
    int line[2];
    char byte;
    empty_cache();
    assert_int_equal(pipe(line), 0);
    compiler_is("echo >&9; exec sleep 1000");
    const pid_t child = fork();
    if (child == 0) {
        dup2(line[1], 9);
        _exit(lanes());
    }
    close(line[1]);
    assert_int_equal(read(line[0], &byte, 1), 1); // it has begun
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(read(line[0], &byte, 1), 0); // nobody holds the other end
    close(line[0]);
}

static void compiler_that_prints(void **state) {
    (void)state;
    // A megabyte, of which one line is told; nothing in it reaches a terminal.
    empty_cache();
    compiler_is(
        "head -c 1000000 /dev/zero | tr '\\0' '\\377'; echo; printf 'error: \\033[31mred\\007\\n'; exit 1");
    assert_false(lanes());
    assert_non_null(strstr(why, "error:  [31mred "));
    assert_null(kept(".so"));
    compiler_is("head -c 1000000 /dev/zero | tr '\\0' '\\377'; exit 1");
    assert_false(lanes());
    assert_non_null(strstr(why, "failed: ?"));
    assert_null(strchr(why, '\377'));
    // Without end: it is ended, not the disk.
    compiler_is("yes warning");
    assert_false(lanes());
    assert_non_null(strstr(why, "failed: "));
    assert_null(kept(".so"));
}

/* No room: for the text, and for what was made. */
static void full_disk(void **state) {
    (void)state;
    struct rlimit before, limit;
    struct stat info;
    compiler_is(GOOD);
    empty_cache();
    assert_true(lanes());
    assert_int_equal(stat(kept(".so"), &info), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (int turn = 0; turn < 2; turn++) {
        empty_cache();
        limit = before;
        limit.rlim_cur = turn ? (rlim_t)info.st_size - 1 : 10;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        const bool made = lanes();
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_false(made);
        assert_non_null(strstr(why, turn ? "kept" : "cannot be written"));
        assert_null(kept(".so"));
    }
    signal(SIGXFSZ, SIG_DFL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_once),
        cmocka_unit_test(damaged_code_is_made_again),
        cmocka_unit_test(not_a_file),
        cmocka_unit_test(not_a_folder),
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(compiler_that_hangs),
        cmocka_unit_test(program_that_is_killed),
        cmocka_unit_test(compiler_that_prints),
        cmocka_unit_test(full_disk),
    };
    return cmocka_run_group_tests(tests, own_cache_begin, own_cache_end);
}
