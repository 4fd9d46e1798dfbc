/* SPDX-License-Identifier: MIT
 *
 * A library to be loaded before all others (LD_PRELOAD). It stands between a program and the system, and
 * makes calls fail, wait or leave a record:
 *
 *   LASH_FAULT=GROUP:N        the N-th call of a group fails, once, as the system would let it fail
 *   LASH_FAULT=GROUP:N+       that one and all after it
 *   LASH_COUNT=FILE           at the end, "GROUP COUNT" lines are written here
 *   LASH_HOLD=GROUP:PATH      the first call of a group makes PATH.held and waits for PATH.go before it
 *                             is made
 *   LASH_KILL=GROUP:N         the program is killed, as by kill -9, at the N-th call of a group
 *   LASH_LEAKS=FILE           at the end, the number of blocks that the program has asked for and not given
 *                             back
 *   LASH_JOURNAL=FILE         every change of a file is written here, for powercut.c
 *
 * Groups: memory open read write sync rename map thread load lock close. Memory counts what the program
 * itself asks for, the other groups count its libraries too; what libc does inside of stdio is seen at fopen,
 * fflush and fclose.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "torture/journal.h"

enum group { MEMORY, OPEN, READ, WRITE, SYNC, RENAME, MAP, THREAD, LOAD, LOCK, CLOSE, GROUPS };
static const char *const group_names[GROUPS] = {"memory", "open",   "read", "write", "sync", "rename",
                                                "map",    "thread", "load", "lock",  "close"};

static atomic_long counts[GROUPS];
static struct {
    int fault_group, hold_group, kill_group; // -1: none
    long fault_at, kill_at;
    const char *hold; // PATH
    bool onwards;
    int journal; // descriptor, -1: none
    const char *count_file, *leak_file;
} plan = {-1, -1, -1, 0, 0, NULL, false, -1, NULL, NULL};
static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;

// ---- what to do

static int parse(const char *text, long *number, bool *onwards) {
    for (int i = 0; text && i < GROUPS; i++) {
        const size_t length = strlen(group_names[i]);
        char *end;
        if (strncmp(text, group_names[i], length) == 0 && text[length] == ':') {
            *number = strtol(text + length + 1, &end, 10);
            if (onwards)
                *onwards = *end == '+';
            return i;
        }
    }
    return -1;
}

static int find_program(struct dl_phdr_info *info, size_t size, void *unused);

__attribute__((constructor)) static void begin(void) {
    dl_iterate_phdr(find_program, NULL);
    plan.fault_group = parse(getenv("LASH_FAULT"), &plan.fault_at, &plan.onwards);
    long unused;
    plan.hold = getenv("LASH_HOLD");
    plan.hold_group = parse(plan.hold, &unused, NULL);
    plan.hold = plan.hold ? strchr(plan.hold, ':') + 1 : NULL;
    plan.kill_group = parse(getenv("LASH_KILL"), &plan.kill_at, NULL);
    plan.count_file = getenv("LASH_COUNT");
    plan.leak_file = getenv("LASH_LEAKS");
    const char *journal = getenv("LASH_JOURNAL");
    // By the number: what this library does itself is not counted.
    if (journal)
        plan.journal =
            (int)syscall(SYS_openat, AT_FDCWD, journal, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

/* A file with this text; none where there is no name. */
static void leave(const char *path, const char *text, size_t length) {
    if (!path)
        return;
    const int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file >= 0) {
        if (syscall(SYS_write, file, text, length) < 0)
            abort();
        syscall(SYS_close, file);
    }
}

static long blocks_left(void);

__attribute__((destructor)) static void end(void) {
    char text[64 * GROUPS];
    size_t length = 0;
    for (int i = 0; i < GROUPS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s %ld\n", group_names[i],
                                   atomic_load(&counts[i]));
    leave(plan.count_file, text, length);
    leave(plan.leak_file, text, (size_t)snprintf(text, sizeof text, "%ld\n", blocks_left()));
}

/* Says that the program is here, and waits until it may go on. */
static void hold(void) {
    char path[PATH_MAX];
    const struct timespec moment = {0, 10 * 1000000};
    snprintf(path, sizeof path, "%s.held", plan.hold);
    syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    snprintf(path, sizeof path, "%s.go", plan.hold);
    while (syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0)
        nanosleep(&moment, NULL);
}

/* Counts a call and says whether it is to fail, with the error given. */
static bool fails(enum group group, int number) {
    const long n = atomic_fetch_add(&counts[group], 1) + 1;
    if ((int)group == plan.hold_group && n == 1)
        hold();
    if ((int)group == plan.kill_group && n == plan.kill_at)
        syscall(SYS_kill, syscall(SYS_getpid), 9);
    if ((int)group != plan.fault_group || n < plan.fault_at || (n > plan.fault_at && !plan.onwards))
        return false;
    errno = number;
    return true;
}

// ---- the journal

static void note(enum journal_kind kind, const char *path, const char *other, int64_t offset,
                 const void *data, size_t size) {
    if (plan.journal < 0 || !path)
        return;
    const struct journal_entry entry = {kind, (uint32_t)strlen(path), other ? (uint32_t)strlen(other) : 0,
                                        (uint32_t)size, offset};
    const struct iovec parts[] = {{(void *)&entry, sizeof entry},
                                  {(void *)path, entry.path},
                                  {(void *)(other ? other : ""), entry.other},
                                  {(void *)data, size}};
    pthread_mutex_lock(&journal_lock);
    if (syscall(SYS_writev, plan.journal, parts, data ? 4 : 3) < 0)
        abort();
    pthread_mutex_unlock(&journal_lock);
}

/* The name of an open regular file, or NULL. */
static const char *name_of(char buffer[PATH_MAX], int descriptor) {
    char link[64];
    struct stat info;
    if (plan.journal < 0 || fstat(descriptor, &info) != 0 ||
        !(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)))
        return NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, buffer, PATH_MAX - 1);
    if (length <= 0 || buffer[0] != '/')
        return NULL;
    buffer[length] = '\0';
    return buffer;
}

static const char *whole_name(char buffer[PATH_MAX], const char *path) {
    char folder[PATH_MAX];
    if (plan.journal < 0)
        return NULL;
    if (path[0] == '/')
        snprintf(buffer, PATH_MAX, "%s", path);
    else if (snprintf(buffer, PATH_MAX, "%s/%s", getcwd(folder, sizeof folder) ? folder : "", path) >=
             PATH_MAX)
        return NULL;
    return buffer;
}

/* `next` is the function of this name behind this library. */
#define NEXT(name)                                                                                           \
    static __typeof__(name) *next;                                                                           \
    if (!next)                                                                                               \
    next = (__typeof__(name) *)(uintptr_t)dlsym(RTLD_NEXT, #name)

// ---- memory; libc's own names avoid asking dlsym, which allocates

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

/* Whether the program itself called. Libraries that do not survive a failed allocation (udunits, HDF5) would
 * hide what the program does. */
#define OURS (within_program((uintptr_t)__builtin_return_address(0)))

static struct { uintptr_t begin, end; } program;

static int find_program(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            program.begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            program.end = program.begin + info->dlpi_phdr[i].p_memsz;
        }
    return 1; // the program comes first
}

static bool within_program(uintptr_t address) {
    return address >= program.begin && address < program.end;
}

/* Blocks of the program that were not given back: a table of addresses, open addressing. */
enum { PLACES = 1 << 21 };
static void *blocks[PLACES];
static char gone; // where one was
static long block_count;
static pthread_mutex_t block_lock = PTHREAD_MUTEX_INITIALIZER;

static size_t place_of(const void *block) {
    return (size_t)((uintptr_t)block >> 4) * 0x9e3779b97f4a7c15U % PLACES;
}

static void *keep(void *block) {
    if (!block || !plan.leak_file)
        return block;
    pthread_mutex_lock(&block_lock);
    size_t at = place_of(block);
    while (blocks[at] && blocks[at] != &gone)
        at = (at + 1) % PLACES;
    blocks[at] = block;
    block_count++;
    pthread_mutex_unlock(&block_lock);
    return block;
}

static void drop(const void *block) {
    if (!block || !plan.leak_file)
        return;
    pthread_mutex_lock(&block_lock);
    for (size_t at = place_of(block); blocks[at]; at = (at + 1) % PLACES)
        if (blocks[at] == block) {
            blocks[at] = &gone;
            block_count--;
            break;
        }
    pthread_mutex_unlock(&block_lock);
}

static long blocks_left(void) {
    return block_count;
}

void *malloc(size_t size) {
    if (!OURS)
        return __libc_malloc(size);
    return fails(MEMORY, ENOMEM) ? NULL : keep(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
    if (!OURS)
        return __libc_calloc(count, size);
    return fails(MEMORY, ENOMEM) ? NULL : keep(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size) {
    const bool ours = OURS;
    if (ours && fails(MEMORY, ENOMEM))
        return NULL;
    drop(block); // before another thread may get the same place
    void *moved = __libc_realloc(block, size);
    return ours ? keep(moved) : moved;
}

void *aligned_alloc(size_t alignment, size_t size) {
    if (!OURS)
        return __libc_memalign(alignment, size);
    return fails(MEMORY, ENOMEM) ? NULL : keep(__libc_memalign(alignment, size));
}

void free(void *block) {
    drop(block);
    __libc_free(block);
}

char *strdup(const char *text) {
    const size_t size = strlen(text) + 1;
    const bool ours = OURS;
    char *copy = ours && fails(MEMORY, ENOMEM) ? NULL : __libc_malloc(size);
    return copy ? memcpy(ours ? keep(copy) : copy, text, size) : NULL;
}

char *strndup(const char *text, size_t most) {
    const size_t length = strnlen(text, most);
    const bool ours = OURS;
    char *copy = ours && fails(MEMORY, ENOMEM) ? NULL : __libc_malloc(length + 1);
    if (copy) {
        memcpy(ours ? keep(copy) : copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

int vasprintf(char **out, const char *format, va_list list) {
    NEXT(vasprintf);
    return next(out, format, list);
}

int asprintf(char **out, const char *format, ...) {
    va_list list;
    if (OURS && fails(MEMORY, ENOMEM))
        return -1;
    va_start(list, format);
    const int length = vasprintf(out, format, list);
    va_end(list);
    return length;
}

FILE *open_memstream(char **text, size_t *size) {
    NEXT(open_memstream);
    return OURS && fails(MEMORY, ENOMEM) ? NULL : next(text, size);
}

// ---- files

static int open_any(const char *path, int flags, mode_t mode) {
    char name[PATH_MAX];
    const bool there = plan.journal < 0 || faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    if (fails(OPEN, flags & O_CREAT ? ENOSPC : EACCES))
        return -1;
    const int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (descriptor >= 0 && (flags & O_CREAT) && !there)
        note(JOURNAL_CREATE, name_of(name, descriptor), NULL, 0, NULL, 0);
    return descriptor;
}

#define MODE(last)                                                                                           \
    mode_t mode = 0;                                                                                         \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                                     \
        va_list list;                                                                                        \
        va_start(list, last);                                                                                \
        mode = va_arg(list, mode_t);                                                                         \
        va_end(list);                                                                                        \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags)
    return open_any(path, flags | O_LARGEFILE, mode);
}

FILE *fopen(const char *path, const char *mode) {
    NEXT(fopen);
    return fails(OPEN, EACCES) ? NULL : next(path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
    NEXT(fopen64);
    return fails(OPEN, EACCES) ? NULL : next(path, mode);
}

ssize_t read(int file, void *buffer, size_t size) {
    return fails(READ, EIO) ? -1 : syscall(SYS_read, file, buffer, size);
}

ssize_t pread(int file, void *buffer, size_t size, off_t offset) {
    return fails(READ, EIO) ? -1 : syscall(SYS_pread64, file, buffer, size, offset);
}

ssize_t pread64(int file, void *buffer, size_t size, off_t offset) {
    return pread(file, buffer, size, offset);
}

ssize_t write(int file, const void *data, size_t size) {
    char name[PATH_MAX];
    if (fails(WRITE, ENOSPC))
        return -1;
    const off_t offset = lseek(file, 0, SEEK_CUR);
    const ssize_t put = syscall(SYS_write, file, data, size);
    if (put > 0)
        note(JOURNAL_WRITE, name_of(name, file), NULL, offset, data, (size_t)put);
    return put;
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset) {
    char name[PATH_MAX];
    if (fails(WRITE, ENOSPC))
        return -1;
    const ssize_t put = syscall(SYS_pwrite64, file, data, size, offset);
    if (put > 0)
        note(JOURNAL_WRITE, name_of(name, file), NULL, offset, data, (size_t)put);
    return put;
}

ssize_t pwrite64(int file, const void *data, size_t size, off_t offset) {
    return pwrite(file, data, size, offset);
}

int ftruncate(int file, off_t length) {
    char name[PATH_MAX];
    if (fails(WRITE, ENOSPC))
        return -1;
    const int result = (int)syscall(SYS_ftruncate, file, length);
    if (result == 0)
        note(JOURNAL_TRUNCATE, name_of(name, file), NULL, length, NULL, 0);
    return result;
}

int ftruncate64(int file, off_t length) {
    return ftruncate(file, length);
}

static int sync_any(int file, long call) {
    char name[PATH_MAX];
    if (fails(SYNC, EIO))
        return -1;
    const int result = (int)syscall(call, file);
    if (result == 0)
        note(JOURNAL_SYNC, name_of(name, file), NULL, 0, NULL, 0);
    return result;
}

int fsync(int file) {
    return sync_any(file, SYS_fsync);
}

int fdatasync(int file) {
    return sync_any(file, SYS_fdatasync);
}

int rename(const char *from, const char *to) {
    char a[PATH_MAX], b[PATH_MAX];
    if (fails(RENAME, EACCES))
        return -1;
    const int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (result == 0)
        note(JOURNAL_RENAME, whole_name(a, from), whole_name(b, to), 0, NULL, 0);
    return result;
}

int unlink(const char *path) {
    char name[PATH_MAX];
    const int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (result == 0)
        note(JOURNAL_UNLINK, whole_name(name, path), NULL, 0, NULL, 0);
    return result;
}

int flock(int file, int operation) {
    return fails(LOCK, ENOLCK) ? -1 : (int)syscall(SYS_flock, file, operation);
}

/* A file that is closed is closed, whatever is reported: a second close would hit another one's. */
int close(int file) {
    const bool failed = fails(CLOSE, EIO);
    const int number = errno, result = (int)syscall(SYS_close, file);
    if (!failed)
        return result;
    errno = number;
    return -1;
}

int fflush(FILE *stream) {
    NEXT(fflush);
    const bool failed = fails(WRITE, ENOSPC);
    const int result = next(stream);
    if (failed)
        errno = ENOSPC;
    return failed ? EOF : result;
}

int fclose(FILE *stream) {
    NEXT(fclose);
    const bool failed = fails(WRITE, ENOSPC);
    const int result = next(stream);
    if (failed)
        errno = ENOSPC;
    return failed ? EOF : result;
}

// ---- the rest

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    return fails(MAP, ENOMEM) ? MAP_FAILED
                              : (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    return mmap(address, length, protection, flags, file, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
    NEXT(pthread_create);
    return fails(THREAD, EAGAIN) ? EAGAIN : next(thread, attributes, start, argument);
}

void *dlopen(const char *path, int flags) {
    NEXT(dlopen);
    return fails(LOAD, ENOENT) ? NULL : next(path, flags);
}
