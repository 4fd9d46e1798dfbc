/* SPDX-License-Identifier: MIT
 *
 * libcuda.so.1, the driver's own interface, through dlopen.
 *
 * Threads are persistent: as many as the device holds at once take members one after the other. A launch ends
 * after so many attempts of each member, so that it is short. Launches are repeated until all members have
 * reached their ends or have been taken away, since one thread of a GPU is slow (cores.h). Measured times
 * decide nothing.
 *
 * Members come in groups, each with a stream of its own, and smaller than what the device holds at once. A thread copies
 * them to the device, and the first ones begin. Where the threads of one group have ended, those of others begin, and the
 * earlier groups go before the later ones: so their results are copied while the last ones run. Groups are looked at in
 * turn, so that what is decided does not depend on which of them is ready first.
 */
#include "compile/gpu.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Attempts of a member in the first launch, which shows which members are slow, and in the others: at most so many,
 * which take about a tenth of a second, and a SHARE of those that the members seem to need in the mean, since they come
 * farther with each attempt than with the first ones, and a launch lasts as long as its slowest member; but no less than
 * a LEAST_PART of all before, since members differ by as much, and every launch has its cost. */
enum { FIRST_ATTEMPTS = 250, MOST_ATTEMPTS = 1000, LEAST_PART = 16 };
/* Where members are near their ends, so many launches follow each other, the second and all others with a PART of the
 * attempts of the first one: a thread that has ended waits for the others of its warp until the next one. */
enum { PARTS = 8, PART = 10 };
static const double SHARE = 0.5;
/* Devices that are used. */
enum { MOST_DEVICES = 16 };
/* A device holds so many groups at once; so many are looked at before the first of them is again; and there are no more
 * than so many. */
enum { HELD_GROUPS = 4, TURN = 7, MOST_GROUPS = 16 };

typedef uint64_t device_pointer;

#define FUNCTIONS(X)                                                                                         \
    X(init, "cuInit", unsigned)                                                                              \
    X(device_count, "cuDeviceGetCount", int *)                                                               \
    X(device, "cuDeviceGet", int *, int)                                                                     \
    X(retain, "cuDevicePrimaryCtxRetain", void **, int)                                                      \
    X(use, "cuCtxSetCurrent", void *)                                                                        \
    X(attribute, "cuDeviceGetAttribute", int *, int, int)                                                    \
    X(load, "cuModuleLoadData", void **, const void *)                                                       \
    X(function, "cuModuleGetFunction", void **, void *, const char *)                                        \
    X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", int *, void *, int, size_t)                  \
    X(allocate, "cuMemAlloc_v2", device_pointer *, size_t)                                                   \
    X(release_memory, "cuMemFree_v2", device_pointer)                                                        \
    X(ranks, "cuCtxGetStreamPriorityRange", int *, int *)                                                    \
    X(begin_stream, "cuStreamCreateWithPriority", void **, unsigned, int)                                    \
    X(end_stream, "cuStreamDestroy_v2", void *)                                                              \
    X(to_device, "cuMemcpyHtoDAsync_v2", device_pointer, const void *, size_t, void *)                       \
    X(to_host, "cuMemcpyDtoHAsync_v2", void *, device_pointer, size_t, void *)                               \
    X(launch, "cuLaunchKernel", void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,          \
      unsigned, void *, void **, void **)                                                                    \
    X(synchronize, "cuStreamSynchronize", void *)                                                            \
    X(name_of, "cuGetErrorName", int, const char **)

static struct driver {
    bool asked, there;
    void *contexts[MOST_DEVICES]; /* stay: making one may take longer than an ensemble */
    int count, next;              /* devices; the one that is taken next */
    char why[LASHI_GPU_SAYS];
#define MEMBER(name, symbol, ...) int (*name)(__VA_ARGS__);
    FUNCTIONS(MEMBER)
#undef MEMBER
} driver;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void open_driver(void) {
    driver.asked = true;
    void *handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(driver.why, sizeof driver.why, "no NVIDIA driver is installed (libcuda.so.1)");
        return;
    }
    void *address;
#define LOOK_UP(name, symbol, ...)                                                                           \
    address = dlsym(handle, symbol);                                                                         \
    if (!address) {                                                                                          \
        snprintf(driver.why, sizeof driver.why, "the NVIDIA driver is too old: it has no %s", symbol);       \
        return;                                                                                              \
    }                                                                                                        \
    memcpy(&driver.name, &address, sizeof address);
    FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    int devices = 0, device;
    if (driver.init(0) == 0 && driver.device_count(&devices) == 0)
        for (int k = 0; k < devices && k < MOST_DEVICES; k++)
            driver.count +=
                driver.device(&device, k) == 0 && driver.retain(&driver.contexts[driver.count], device) == 0;
    if (driver.count == 0) {
        snprintf(driver.why, sizeof driver.why, "the NVIDIA driver finds no device that can be used");
        return;
    }
    driver.there = true;
}

bool lashi_gpu_is_there(char why[LASHI_GPU_SAYS]) {
    pthread_mutex_lock(&lock);
    if (!driver.asked)
        open_driver();
    snprintf(why, LASHI_GPU_SAYS, "%s", driver.why);
    pthread_mutex_unlock(&lock);
    return driver.there;
}

/* True: the call of the driver succeeded. Else `why` says what it answered. */
static bool went_well(int result, const char *what, char why[LASHI_GPU_SAYS]) {
    const char *name = NULL;
    if (result == 0)
        return true;
    driver.name_of(result, &name);
    snprintf(why, LASHI_GPU_SAYS, "%s failed on the GPU (%s)", what, name ? name : "unknown");
    return false;
}

/* Programs that have been loaded, each on one device. They stay: batches of a study have the same one, and the driver
 * translates it when it is loaded. */
static struct loaded {
    int device;
    char *code;
    void *function;
} * loaded;
static size_t loaded_count, loaded_capacity;

static bool load(void **function, int device, const char *code, char why[LASHI_GPU_SAYS]) {
    for (size_t k = 0; k < loaded_count; k++)
        if (loaded[k].device == device && strcmp(loaded[k].code, code) == 0) {
            *function = loaded[k].function;
            return true;
        }
    void *module;
    snprintf(why, LASHI_GPU_SAYS, "out of memory");
    char *own = strdup(code);
    const bool good = own && lashi_grow(&loaded, &loaded_capacity, loaded_count, sizeof *loaded) &&
                      went_well(driver.load(&module, code), "loading the model", why) &&
                      went_well(driver.function(function, module, "lash_members"), "loading the model", why);
    if (good)
        loaded[loaded_count++] = (struct loaded){device, own, *function};
    else
        free(own);
    return good;
}

/* What is in the memory of the device during a run. */
typedef struct place {
    int device;
    void *function;
    int blocks;                                                 /* that the device holds at once */
    device_pointer rows, lists, stops, cuts, reached, counters; /* one after the other */
} place;

typedef struct group {
    void *stream;
    size_t first, count;        /* of its members */
    unsigned left, counters[2]; /* still running; taken and left in the last launch */
    int attempts, parts;        /* of its last launch, … */
    long all;                   /* … and of all */
    double *reached;            /* [LASHI_GPU_FIRST][count] */
    double moved;               /* sum of the times that they have reached */
    bool open;                  /* not at its end */
} group;

typedef struct run {
    const lashi_gpu_job *job;
    place at;
    group groups[MOST_GROUPS];
    int group_count;
    pthread_t copier;
    bool copying; /* there is such a thread */
    pthread_mutex_t lock;
    pthread_cond_t copied;
    int there; /* groups whose members have been copied to the device; -1: that failed, … */
    char why_not[LASHI_GPU_SAYS]; /* … for this reason */
    bool stopped;
    double *reached; /* of all */
    size_t *away;    /* [count] */
    double *own;     /* room for a member */
    char *why;
} run;

static size_t bytes_of(size_t columns, size_t count) {
    return columns * count * sizeof(double);
}

static bool put(const group *g, device_pointer to, const void *from, size_t bytes, char why[LASHI_GPU_SAYS]) {
    return bytes == 0 || went_well(driver.to_device(to, from, bytes, g->stream), "copying the members", why);
}

static bool get(run *r, const group *g, void *to, device_pointer from, size_t bytes) {
    return bytes == 0 || went_well(driver.to_host(to, from, bytes, g->stream), "copying the members", r->why);
}

static bool wait_for(run *r, const group *g) {
    return went_well(driver.synchronize(g->stream), "a launch", r->why);
}

static bool prepare(run *r) {
    enum { MULTIPROCESSORS = 16 }; // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
    const lashi_gpu_job *job = r->job;
    place *at = &r->at;
    int processors = 1, held = 1;
    if (!went_well(driver.use(driver.contexts[at->device]), "beginning", r->why))
        return false;
    pthread_mutex_lock(&lock);
    const bool there = load(&at->function, at->device, job->code, r->why);
    pthread_mutex_unlock(&lock);
    if (!there || !went_well(driver.attribute(&processors, MULTIPROCESSORS, at->device), "asking", r->why) ||
        !went_well(driver.occupancy(&held, at->function, job->threads, 0), "asking", r->why))
        return false;
    at->blocks = processors * (held > 0 ? held : 1);
    // One piece of memory: to get or to return one takes a tenth of a millisecond.
    const size_t rows = bytes_of(job->column_count, job->count),
                 lists = bytes_of(job->number_count, job->count), stops = bytes_of(1, job->stop_count),
                 cuts = bytes_of(job->cut_count, job->count), reached = bytes_of(LASHI_GPU_FIRST, job->count),
                 counters = sizeof(unsigned[2]) * PARTS * MOST_GROUPS;
    if (!went_well(driver.allocate(&at->rows, rows + lists + stops + cuts + reached + counters),
                   "memory for the members", r->why))
        return false;
    at->lists = at->rows + rows;
    at->stops = at->lists + lists;
    at->cuts = at->stops + stops;
    at->reached = at->cuts + cuts;
    at->counters = at->reached + reached;
    return true;
}

/* Groups of the same size, the first of which go before the others. */
static bool divide(run *r) {
    int last_rank = 0, first_rank = 0;
    if (!went_well(driver.ranks(&last_rank, &first_rank), "asking", r->why))
        return false;
    const size_t threads = (size_t)r->job->threads, count = r->job->count,
                 least = ((size_t)r->at.blocks * threads + HELD_GROUPS - 1) / HELD_GROUPS,
                 wanted = (count + least - 1) / least, groups = wanted < MOST_GROUPS ? wanted : MOST_GROUPS,
                 each = (count + groups - 1) / groups, size = (each + threads - 1) / threads * threads;
    for (size_t first = 0; first < count; first += size) {
        enum { NON_BLOCKING = 1 };
        group *g = &r->groups[r->group_count];
        const int rank = first_rank + (int)((last_rank - first_rank + 1) * (double)first / (double)count);
        if (!went_well(driver.begin_stream(&g->stream, NON_BLOCKING, rank), "a stream", r->why))
            return false;
        r->group_count++;
        g->first = first;
        g->count = first + size < count ? size : count - first;
        g->left = (unsigned)g->count;
        g->reached = r->reached + LASHI_GPU_FIRST * first;
        g->moved = -(double)INFINITY;
        g->open = true;
    }
    return true;
}

static void give_back(run *r) {
    for (int k = 0; k < r->group_count; k++) {
        driver.synchronize(r->groups[k].stream);
        driver.end_stream(r->groups[k].stream);
    }
    if (r->at.rows)
        driver.release_memory(r->at.rows);
}

static device_pointer reached_at(const run *r, const group *g) {
    return r->at.reached + bytes_of(LASHI_GPU_FIRST, g->first);
}

/* What a group begins with. The stops, of which all members have a part, come with the first one. */
static bool copy(run *r, group *g, char why[LASHI_GPU_SAYS]) {
    const lashi_gpu_job *job = r->job;
    const place *at = &r->at;
    for (size_t i = 0; i < g->count; i++)
        for (size_t k = 0; k < LASHI_GPU_FIRST; k++)
            g->reached[k * g->count + i] = job->rows[(g->first + i) * job->column_count + k];
    return (g != r->groups || put(g, at->stops, job->stops, bytes_of(1, job->stop_count), why)) &&
           put(g, at->rows + bytes_of(job->column_count, g->first), job->rows + g->first * job->column_count,
               bytes_of(job->column_count, g->count), why) &&
           put(g, at->lists + bytes_of(job->number_count, g->first),
               job->lists + g->first * job->number_count, bytes_of(job->number_count, g->count), why) &&
           put(g, at->cuts + bytes_of(job->cut_count, g->first), job->cuts + g->first * job->cut_count,
               bytes_of(job->cut_count, g->count), why) &&
           put(g, reached_at(r, g), g->reached, bytes_of(LASHI_GPU_FIRST, g->count), why) &&
           went_well(driver.synchronize(g->stream), "copying the members", why);
}

/* The thread that copies the members of all groups, one group after the other. */
static void *copy_all(void *user) {
    run *r = user;
    bool good = went_well(driver.use(driver.contexts[r->at.device]), "beginning", r->why_not), goes_on = true;
    for (int k = 0; goes_on && k < r->group_count; k++) {
        good = good && copy(r, &r->groups[k], r->why_not);
        pthread_mutex_lock(&r->lock);
        r->there = good ? k + 1 : -1;
        goes_on = good && !r->stopped;
        pthread_cond_signal(&r->copied);
        pthread_mutex_unlock(&r->lock);
    }
    return NULL;
}

static bool start_copying(run *r) {
    snprintf(r->why, LASHI_GPU_SAYS, "no thread could be started");
    return r->copying = pthread_create(&r->copier, NULL, copy_all, r) == 0;
}

static void end_copying(run *r) {
    pthread_mutex_lock(&r->lock);
    r->stopped = true;
    pthread_mutex_unlock(&r->lock);
    if (r->copying)
        pthread_join(r->copier, NULL);
}

/* Waits for the members of the next group. */
static bool has_come(run *r, int k) {
    pthread_mutex_lock(&r->lock);
    while (r->there >= 0 && r->there <= k)
        pthread_cond_wait(&r->copied, &r->lock);
    const bool good = r->there >= 0;
    pthread_mutex_unlock(&r->lock);
    if (!good)
        snprintf(r->why, LASHI_GPU_SAYS, "%s", r->why_not);
    return good;
}

/* Copies all that the device has computed of a group. */
static bool get_results(run *r, const group *g) {
    const lashi_gpu_job *job = r->job;
    return get(r, g, job->rows + g->first * job->column_count,
               r->at.rows + bytes_of(job->column_count, g->first), bytes_of(job->column_count, g->count)) &&
           get(r, g, job->cuts + g->first * job->cut_count, r->at.cuts + bytes_of(job->cut_count, g->first),
               bytes_of(job->cut_count, g->count)) &&
           wait_for(r, g);
}

/* Hands a member over. */
static bool give_away(run *r, const group *g, size_t member) {
    const lashi_gpu_job *job = r->job;
    double *cuts = r->own + job->column_count;
    return get(r, g, r->own, r->at.rows + bytes_of(job->column_count, member),
               bytes_of(job->column_count, 1)) &&
           get(r, g, cuts, r->at.cuts + bytes_of(job->cut_count, member), bytes_of(job->cut_count, 1)) &&
           wait_for(r, g) && job->calls.take(job->user, member, r->own, cuts);
}

static device_pointer counters_at(const run *r, const group *g, int part) {
    return r->at.counters + sizeof(unsigned[2]) * (size_t)((g - r->groups) * PARTS + part);
}

/* Launches, one after the other: `attempts`, and where members reach their ends then, short ones. */
static bool launch(run *r, group *g, int attempts, bool near) {
    static const unsigned zero[PARTS][2] = {{0}};
    const lashi_gpu_job *job = r->job;
    const size_t needed = (g->left + (size_t)job->threads - 1) / (size_t)job->threads;
    const unsigned blocks = needed < (size_t)r->at.blocks ? (unsigned)needed : (unsigned)r->at.blocks;
    long members = (long)g->count, cut_count = (long)job->cut_count;
    device_pointer rows = r->at.rows + bytes_of(job->column_count, g->first),
                   lists = r->at.lists + bytes_of(job->number_count, g->first), stops = r->at.stops,
                   cuts = r->at.cuts + bytes_of(job->cut_count, g->first), reached = reached_at(r, g);
    bool good = put(g, counters_at(r, g, 0), zero, sizeof zero, r->why);
    g->attempts = 0;
    g->parts = near ? PARTS : 1;
    for (int part = 0; good && part < g->parts; part++) {
        int most = part == 0 ? attempts : attempts / PART + 1;
        device_pointer taken = counters_at(r, g, part), left = taken + sizeof(unsigned);
        void *arguments[] = {&rows,    &lists,   &stops, &cuts,  &cut_count,
                             &reached, &members, &most,  &taken, &left};
        good = went_well(driver.launch(r->at.function, blocks, 1, 1, (unsigned)job->threads, 1, 1, 0,
                                       g->stream, arguments, NULL),
                         "a launch", r->why);
        g->attempts += most;
    }
    g->all += g->attempts;
    return good;
}

/* Waits for the launches of a group, and gets what they have reached. */
static bool has_moved(run *r, group *g) {
    double times = 0;
    if (!get(r, g, g->counters, counters_at(r, g, g->parts - 1), sizeof g->counters) ||
        !get(r, g, g->reached, reached_at(r, g), bytes_of(LASHI_GPU_FIRST, g->count)) || !wait_for(r, g))
        return false;
    g->left = 0;
    for (size_t i = 0; i < g->count; i++) {
        times += g->reached[i];
        g->left += g->reached[LASHI_GPU_STATUS * g->count + i] == 0;
    }
    snprintf(r->why, LASHI_GPU_SAYS, "%u members do not come any further", g->left);
    const bool moved = times > g->moved;
    g->moved = times;
    return moved;
}

/* Members that have not reached their ends. */
static unsigned sum_left(const run *r) {
    unsigned left = 0;
    for (int k = 0; k < r->group_count; k++)
        left += r->groups[k].left;
    return left;
}

/* Takes slow members of a group away and launches the others again; if none is left, copies the results, since to copy the
 * last members one by one would take as long. */
static bool go_on(run *r, group *g) {
    const lashi_gpu_job *job = r->job;
    const unsigned left = sum_left(r);
    const lashi_gpu_round round = {.first = g->first,
                                   .count = g->count,
                                   .reached = g->reached,
                                   .begins = g->all == 0,
                                   .left = left,
                                   .share = left ? (double)g->left / left : 0,
                                   .launches = (double)left / (r->at.blocks * job->threads)};
    size_t away_count = 0;
    const double lasts = job->calls.choose(job->user, &round, r->away, &away_count);
    double *status = g->reached + LASHI_GPU_STATUS * g->count;
    snprintf(r->why, LASHI_GPU_SAYS, "out of memory");
    if (away_count == g->left) {
        bool given = get_results(r, g);
        for (size_t k = 0; given && k < away_count; k++)
            given = job->calls.take(job->user, r->away[k], job->rows + r->away[k] * job->column_count,
                                    job->cuts + r->away[k] * job->cut_count);
        g->open = false;
        g->left = 0;
        return given;
    }
    for (size_t k = 0; k < away_count; k++, g->left--) {
        if (!give_away(r, g, r->away[k]))
            return false;
        status[r->away[k] - g->first] = LASHI_GPU_AWAY;
    }
    if (away_count && !put(g, reached_at(r, g) + bytes_of(LASHI_GPU_STATUS, g->count), status,
                           bytes_of(1, g->count), r->why))
        return false;
    if (g->all == 0)
        return launch(r, g, FIRST_ATTEMPTS, false);
    const double needed = fmax(SHARE * lasts * g->attempts, (double)g->all / LEAST_PART);
    return needed < MOST_ATTEMPTS ? launch(r, g, (int)needed, true) : launch(r, g, MOST_ATTEMPTS, false);
}

/* Launches until all members have reached their ends or are taken away. The earlier groups are looked at before the later
 * ones, about as they end. */
static bool advance(run *r) {
    for (int k = 0; k < r->group_count; k++)
        if (!has_come(r, k) || !go_on(r, &r->groups[k]))
            return false;
    for (int turn = 0; sum_left(r) > 0; turn++)
        for (int k = turn % TURN; k <= turn && k < r->group_count; k += TURN) {
            group *g = &r->groups[k];
            if (!g->open)
                continue;
            if (!has_moved(r, g))
                return false;
            snprintf(r->why, LASHI_GPU_SAYS, "stopped");
            if (!r->job->calls.progress(r->job->user, r->job->count - sum_left(r)) || !go_on(r, g))
                return false;
        }
    return true;
}

bool lashi_gpu_members(const lashi_gpu_job *job, char why[LASHI_GPU_SAYS]) {
    run r = {.job = job, .why = why, .lock = PTHREAD_MUTEX_INITIALIZER, .copied = PTHREAD_COND_INITIALIZER};
    if (!lashi_gpu_is_there(why))
        return false;
    pthread_mutex_lock(&lock);
    r.at.device = driver.next++ % driver.count;
    pthread_mutex_unlock(&lock);
    bool done = false;
    r.reached = malloc(bytes_of(LASHI_GPU_FIRST, job->count));
    r.own = malloc((job->column_count + job->cut_count + 1) * sizeof *r.own);
    r.away = malloc(job->count * sizeof *r.away);
    if (!r.reached || !r.own || !r.away)
        snprintf(why, LASHI_GPU_SAYS, "out of memory");
    else
        done = prepare(&r) && divide(&r) && start_copying(&r) && advance(&r);
    end_copying(&r);
    if (!done) {
        char reason[LASHI_GPU_SAYS];
        r.why = reason;
        for (int k = 0; k < r.group_count; k++) // what has been reached, also where it was stopped
            if (r.groups[k].all > 0)
                get_results(&r, &r.groups[k]);
    }
    give_back(&r);
    free(r.reached);
    free(r.own);
    free(r.away);
    return done;
}
