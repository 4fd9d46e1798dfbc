/* SPDX-License-Identifier: MIT
 *
 * The system's compiler is called without a shell: $LASH_CC where that is set, else cc, gcc or clang from the
 * PATH. What it makes is kept in the folder kernels of the cache, under a name made from the whole text, the
 * flags and the compiler (its path, size and time), and ends with a checksum: a copy that was cut or damaged is
 * made again, since loading it could end the process, or compute something else. That folder is private to the
 * user, and nothing is loaded from it that others could have written. A compiler that takes longer than PATIENCE
 * is ended with all processes that it started, and no file that it writes grows beyond LARGEST.
 *
 * Products and sums are not contracted and not reordered: the numbers are those of the library. The compiler
 * may ignore infinities, NaN and the sign of zero, so that terms with a constant 0 vanish; the caller checks
 * the sum that the function returns, and y.
 */
#include "compile/compiler.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cache.h"
#include "compile/ptx.h"
#include "compile/sources.h"
#include "contact/contact.h"
#include "lash/text.h"
#include "math/switch.h"
#include "math/table.h"

enum {
    PATH_SIZE = 4096,
    LARGEST = 64 << 20, /* bytes of a file that a compiler makes, its messages among them */
};
static const double PATIENCE = 60; /* s, most that a compiler may take */

/* What is made: an evaluation to the bit, an ensemble for the lanes of this core, or for a GPU. */
typedef enum target { FOR_BITS, FOR_LANES, FOR_GPU } target;

enum { MOST_FLAGS = 40 };
#define COMMON "-O3", "-w", "-D_GNU_SOURCE", "-fno-math-errno", "-fno-trapping-math", "-fno-signed-zeros"
#define SHARED                                                                                               \
    "-std=c17", "-fPIC", "-shared", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections",         \
        "-Wl,--gc-sections"
static const char *const flags[][MOST_FLAGS] = {
    // Vectors made from unrelated numbers gain nothing, and some versions of gcc contract them nevertheless; those
    // made from loops over a matrix keep the struct that it is in in memory.
    [FOR_BITS] = {COMMON, SHARED, "-ffinite-math-only", "-ffp-contract=off", "-fno-tree-vectorize"},
    // Side by side a branch is computed also where it is not taken, and may be infinite there: told that this
    // does not happen, clang 19 used such numbers.
    [FOR_LANES] = {COMMON, SHARED, "-ffp-contract=fast", "-fopenmp-simd", "-DW=8"},
    [FOR_GPU] = {COMMON, "-std=gnu17", "-target", "nvptx64-nvidia-cuda", "-march=sm_70", "-Xclang",
                 "-target-feature", "-Xclang", "+ptx60", "-S", "-nostdinc", "-ffp-contract=fast",
                 "-fno-honor-nans"},
};

/* All flags, ended by NULL; wider vectors where this processor has them, which change no number. */
static void all_flags(const char *out[MOST_FLAGS], target of_what, const char *compiler) {
    size_t n = 0;
    while (flags[of_what][n]) {
        out[n] = flags[of_what][n];
        n++;
    }
    if (of_what == FOR_LANES && strstr(compiler, "clang"))
        out[n++] = "-fno-honor-nans"; // gcc knows no such option
#if defined __x86_64__
    if (of_what == FOR_BITS && __builtin_cpu_supports("avx2"))
        out[n++] = "-mavx2";
    if (of_what == FOR_BITS && __builtin_cpu_supports("avx512vl"))
        out[n++] = "-mavx512vl"; // for its registers
    if (of_what == FOR_LANES) {
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
            out[n++] = "-mavx2";
            out[n++] = "-mfma";
        }
        if (__builtin_cpu_supports("avx512f")) {
            out[n++] = "-mavx512f";
            out[n++] = "-mprefer-vector-width=512";
        }
    }
#endif
    out[n] = NULL;
}

/* ---- which compiler ---- */

static bool is_program(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static bool find_on_path(char path[PATH_SIZE], const char *name) {
    if (strchr(name, '/')) {
        snprintf(path, PATH_SIZE, "%s", name);
        return is_program(path);
    }
    for (const char *folder = getenv("PATH"); folder && *folder;) {
        const size_t length = strcspn(folder, ":");
        // Absolute paths only: the current folder is not searched.
        if (folder[0] == '/' && snprintf(path, PATH_SIZE, "%.*s/%s", (int)length, folder, name) < PATH_SIZE &&
            is_program(path))
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

static bool find_compiler(char path[PATH_SIZE], target of_what, char why[LASHI_COMPILER_SAYS]) {
    // Lanes and GPUs need clang, whatever compiler comes first in the PATH.
    static const char *const names[][5] = {[FOR_BITS] = {"cc", "gcc", "clang", NULL},
                                           [FOR_LANES] = {"clang-19", "clang", "cc", "gcc", NULL},
                                           [FOR_GPU] = {"clang-19", "clang", NULL}};
    const char *variable = of_what == FOR_BITS ? "LASH_CC" : "LASH_CLANG", *given = getenv(variable);
    if (given && *given) {
        if (find_on_path(path, given))
            return true;
        snprintf(why, LASHI_COMPILER_SAYS, "%s is '%.200s', which is no program", variable, given);
        return false;
    }
    for (size_t k = 0; names[of_what][k]; k++)
        if (find_on_path(path, names[of_what][k]))
            return true;
    snprintf(why, LASHI_COMPILER_SAYS, "no C compiler was found (Debian: %s)",
             of_what == FOR_BITS ? "gcc or clang" : "clang");
    return false;
}

/* ---- running it ---- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for a process group's leader. -1: it took too long. */
static int wait_for(pid_t child) {
    const double end = now() + PATIENCE;
    int status = 0;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
        if (ended < 0 && errno != EINTR)
            return 127;
        if (now() > end) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            return -1;
        }
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

/* The exit status of the compiler; what it says goes to a file. */
static int call(const char *compiler, target of_what, const char *from, const char *to, const char *says) {
    const char *given[MOST_FLAGS], *arguments[MOST_FLAGS + 8];
    size_t n = 0;
    all_flags(given, of_what, compiler);
    arguments[n++] = compiler;
    for (size_t k = 0; given[k]; k++)
        arguments[n++] = given[k];
    arguments[n++] = "-o";
    arguments[n++] = to;
    arguments[n++] = from;
    if (of_what != FOR_GPU)
        arguments[n++] = "-lm";
    arguments[n] = NULL;
    const pid_t child = fork();
    if (child < 0)
        return 127;
    if (child == 0) {
        setpgid(0, 0);
        const int file = open(says, O_WRONLY | O_CREAT | O_TRUNC, 0600),
                  nothing = open("/dev/null", O_RDONLY);
        if (file < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0)
            _exit(127);
#if defined __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL); // it does not outlive this process
#endif
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){LARGEST, LARGEST});
        execv(compiler, (char *const *)(size_t)arguments);
        _exit(127);
    }
    setpgid(child, child);
    return wait_for(child);
}

static bool write_file(const char *path, const char *text, size_t length) {
    FILE *file = fopen(path, "wx");
    if (!file)
        return false;
    const bool written = fwrite(text, 1, length, file) == length;
    return fclose(file) == 0 && written;
}

/* The first error in a file of messages, or the last line. */
static void first_line(char *out, size_t size, const char *path) {
    FILE *file = fopen(path, "r");
    out[0] = '\0';
    while (file && fgets(out, (int)size, file) && !strstr(out, "error"))
        continue;
    if (file)
        fclose(file);
    out[strcspn(out, "\n")] = '\0';
    out[lash_text_fit(out, strlen(out))] = '\0';
    lash_text_tame(out, false);
}

/* ---- what it has made ---- */

/* At the end of what is kept. Neither a shared object nor the text for a GPU ends there otherwise. */
typedef struct seal {
    char magic[8];
    uint64_t sum;
} seal;

static seal seal_of(const char *bytes, size_t size) {
    seal s = {.sum = lashi_cache_sum(LASHI_CACHE_BASIS, bytes, size)};
    memcpy(s.magic, "LASHCODE", sizeof s.magic);
    return s;
}

/* All of a plain file of the user's that no one else may write, with a zero behind, to be freed. NULL: it is
 * none, or cannot be read. */
static char *read_private(const char *path, size_t *size) {
    struct stat info;
    char *bytes = NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return NULL;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 && info.st_size <= LARGEST + (off_t)sizeof(seal) &&
        (bytes = calloc((size_t)info.st_size + 1, 1)))
        for (*size = 0; *size < (size_t)info.st_size;) {
            const ssize_t got = read(file, bytes + *size, (size_t)info.st_size - *size);
            if (got <= 0)
                break;
            *size += (size_t)got;
        }
    close(file);
    return bytes;
}

/* What was kept there, to be freed, if it is as it was written. */
static char *read_sealed(const char *path) {
    size_t size = 0;
    char *bytes = read_private(path, &size);
    if (bytes && size > sizeof(seal)) {
        size -= sizeof(seal);
        const seal expected = seal_of(bytes, size);
        if (memcmp(bytes + size, &expected, sizeof expected) == 0) {
            bytes[size] = '\0';
            return bytes;
        }
    }
    free(bytes);
    return NULL;
}

static bool append_seal(const char *path) {
    size_t size = 0;
    char *bytes = read_private(path, &size);
    FILE *file = bytes ? fopen(path, "ab") : NULL;
    const seal s = seal_of(bytes, size);
    free(bytes);
    const bool written = file && fwrite(&s, sizeof s, 1, file) == 1;
    return (!file || fclose(file) == 0) && written;
}

/* Compiles into a folder of its own beside the place where the object belongs. */
static bool compile(const char *compiler, target of_what, const char *object, const char *text, size_t length,
                    char why[LASHI_COMPILER_SAYS]) {
    char folder[PATH_SIZE], from[PATH_SIZE + 16], to[PATH_SIZE + 16], says[PATH_SIZE + 16], line[200];
    if (snprintf(folder, sizeof folder, "%s-XXXXXX", object) >= PATH_SIZE || !mkdtemp(folder)) {
        snprintf(why, LASHI_COMPILER_SAYS, "the cache cannot be written (%s)", strerror(errno));
        return false;
    }
    snprintf(from, sizeof from, "%s/model.c", folder);
    snprintf(to, sizeof to, "%s/model.so", folder);
    snprintf(says, sizeof says, "%s/says", folder);
    bool made = false;
    if (!write_file(from, text, length)) {
        snprintf(why, LASHI_COMPILER_SAYS, "the cache cannot be written (%s)", strerror(errno));
    } else {
        const int status = call(compiler, of_what, from, to, says);
        if (status < 0) {
            snprintf(why, LASHI_COMPILER_SAYS, "%.200s did not end within %g s", compiler, PATIENCE);
        } else if (status > 0) {
            first_line(line, sizeof line, says);
            snprintf(why, LASHI_COMPILER_SAYS, "%.200s failed%s%s", compiler, line[0] ? ": " : "", line);
        } else {
            made = chmod(to, 0700) == 0 && append_seal(to) && rename(to, object) == 0;
            if (!made)
                snprintf(why, LASHI_COMPILER_SAYS, "%.200s made nothing that can be kept (%s)", compiler,
                         strerror(errno));
        }
    }
    unlink(from);
    unlink(to);
    unlink(says);
    rmdir(folder);
    return made;
}

/* ---- the cache ---- */

/* The text as it is compiled, to be freed. */
static char *whole_text(size_t *length, const char *text, target of_what) {
    return of_what == FOR_GPU ? lashi_sources_join_device(text, length) : lashi_sources_join(text, length);
}

/* The name of what a compiler makes of a text. Which of the library's sources a text includes is known when it is
 * joined with them: its name depends on all. */
static void name_of(uint64_t key[2], const char *text, const char *compiler, target of_what) {
    static _Atomic uint64_t sources[2]; // summed once; 0: not yet
    static const uint64_t basis[2] = {LASHI_CACHE_BASIS, ~LASHI_CACHE_BASIS};
    const char *given[MOST_FLAGS];
    struct stat info;
    all_flags(given, of_what, compiler);
    memset(&info, 0, sizeof info);
    stat(compiler, &info);
    const int64_t file[] = {(int64_t)info.st_size, (int64_t)info.st_mtim.tv_sec,
                            (int64_t)info.st_mtim.tv_nsec};
    for (int k = 0; k < 2; k++) {
        if (!sources[k])
            sources[k] = lashi_sources_sum(basis[k]);
        key[k] = lashi_cache_sum(sources[k], text, strlen(text));
        key[k] = lashi_cache_sum(key[k], compiler, strlen(compiler) + 1);
        key[k] = lashi_cache_sum(key[k], file, sizeof file);
        for (size_t flag = 0; given[flag]; flag++)
            key[k] = lashi_cache_sum(key[k], given[flag], strlen(given[flag]) + 1);
    }
}

/* The object for a text, with its path, to be freed; made where it is not there yet, or no longer whole. NULL:
 * there is none. */
static char *make(char object[PATH_SIZE], const char *text, target of_what, char why[LASHI_COMPILER_SAYS]) {
    char compiler[PATH_SIZE], folder[PATH_SIZE];
    uint64_t key[2];
    why[0] = '\0';
    if (!find_compiler(compiler, of_what, why))
        return NULL;
    if (!lashi_cache_folder(folder, sizeof folder, "kernels")) {
        snprintf(why, LASHI_COMPILER_SAYS,
                 "there is no folder for it that only you may write (XDG_CACHE_HOME, or .cache of HOME)");
        return NULL;
    }
    name_of(key, text, compiler, of_what);
    if (snprintf(object, PATH_SIZE, "%s/%016" PRIx64 "%016" PRIx64 ".%s", folder, key[0], key[1],
                 of_what == FOR_GPU ? "ptx" : "so") >= PATH_SIZE) {
        snprintf(why, LASHI_COMPILER_SAYS, "the path of the cache is too long");
        return NULL;
    }
    char *code = read_sealed(object);
    if (code)
        return code;
    size_t length = 0;
    char *whole = whole_text(&length, text, of_what);
    if (!whole) {
        snprintf(why, LASHI_COMPILER_SAYS, "out of memory");
        return NULL;
    }
    if (compile(compiler, of_what, object, whole, length, why) && !(code = read_sealed(object)))
        snprintf(why, LASHI_COMPILER_SAYS, "what the compiler made cannot be read");
    free(whole);
    return code;
}

/* The addresses of functions made from a text. */
static bool load(void **addresses, const char *const *names, size_t count, const char *text, target of_what,
                 char why[LASHI_COMPILER_SAYS]) {
    char object[PATH_SIZE], *code = make(object, text, of_what, why);
    if (!code)
        return false;
    free(code);
    void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    bool found = handle;
    for (size_t k = 0; found && k < count; k++)
        found = (addresses[k] = dlsym(handle, names[k])) != NULL;
    if (!found) {
        const char *said = dlerror();
        snprintf(why, LASHI_COMPILER_SAYS, "what the compiler made cannot be loaded (%.300s)",
                 said ? said : object);
    }
    return found;
}

/* Friction that depends on reactions, with the factor of S that the code has left in the workspace. */
static int solve_rubs(lashi_workspace *w, double *ydot, double t, const double *y) {
    w->t = t;
    lashi_compiled_factor(w);
    return lashi_rubs_solve(w, ydot, y);
}

/* Multipliers of least norm where rows repeat others, with the same factor. */
static void share(lashi_workspace *w, double *x) {
    lashi_compiled_factor(w);
    lashi_constraints_share(x, &w->constraints, &w->system->motion);
}

bool lashi_compiler_run(lashi_kernel *out, const char *text, char why[LASHI_COMPILER_SAYS]) {
    static const lashi_host functions = {.expression_jet = lashi_expression_jet,
                                         .expression_jet_in = lashi_expression_jet_in,
                                         .expression_read_value = lashi_expression_read_value,
                                         .table_jet = lashi_table_jet,
                                         .table_jet_in = lashi_table_jet_in,
                                         .table_kind = lashi_table_kind,
                                         .table_integral = lashi_table_integral,
                                         .input_value = lashi_input_value,
                                         .reads_evaluate = lashi_reads_evaluate,
                                         .rubs_solve = solve_rubs,
                                         .share = share};
    static const char *const names[] = {"lash_begin", "lash_evaluate", "lash_stages"};
    void *address[3];
    if (!load(address, names, 3, text, FOR_BITS, why))
        return false;
    lashi_kernel_begin *start;
    memcpy(&start, &address[0], sizeof start);
    memcpy(&out->evaluate, &address[1], sizeof out->evaluate);
    memcpy(&out->stages, &address[2], sizeof out->stages);
    start(&functions);
    return true;
}

lashi_members_function *lashi_compiler_lanes(const char *text, char why[LASHI_COMPILER_SAYS]) {
    static const char *const name = "lash_members";
    void *address;
    lashi_members_function *function;
    if (!load(&address, &name, 1, text, FOR_LANES, why))
        return NULL;
    memcpy(&function, &address, sizeof function);
    return function;
}

char *lashi_compiler_gpu(const char *text, char why[LASHI_COMPILER_SAYS]) {
    char object[PATH_SIZE], *made = make(object, text, FOR_GPU, why), *code = NULL;
    if (!made)
        return NULL;
    const char *missing = strstr(made, ".extern .func");
    if (missing)
        snprintf(why, LASHI_COMPILER_SAYS, "the model needs a function that is not there on a GPU: %.80s",
                 missing + strcspn(missing, ")") + 2);
    else if (!(code = lashi_ptx_finish(made)))
        snprintf(why, LASHI_COMPILER_SAYS, "what the compiler made for the GPU cannot be read");
    free(made);
    return code;
}
