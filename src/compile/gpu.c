/* SPDX-License-Identifier: MIT
 *
 * libcuda.so.1, the driver's own interface, through dlopen.
 *
 * Threads are persistent: as many as the device holds at once take members one after the other. A launch ends
 * after so many attempts of each member, so that it is short. Launches are repeated until all members have
 * reached their ends or have been taken away, since one thread of a GPU is slow (cores.h). Measured times
 * decide nothing. Each thread that calls has a stream of its own (the functions that end in _ptds and _ptsz),
 * so that the ensembles of several workers fill the device together.
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
enum { FIRST_ATTEMPTS = 250, MOST_ATTEMPTS = 1000, LEAST_PART = 8 };
static const double SHARE = 0.8;
/* Devices that are used. */
enum { MOST_DEVICES = 16 };

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
    X(to_device, "cuMemcpyHtoD_v2_ptds", device_pointer, const void *, size_t)                               \
    X(to_host, "cuMemcpyDtoH_v2_ptds", void *, device_pointer, size_t)                                       \
    X(launch, "cuLaunchKernel_ptsz", void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,     \
      unsigned, void *, void **, void **)                                                                    \
    X(synchronize, "cuStreamSynchronize_ptsz", void *)                                                       \
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
    device_pointer rows, lists, stops, cuts, reached, counters;
} place;

static bool put(device_pointer *at, const void *from, size_t bytes, char why[LASHI_GPU_SAYS]) {
    return went_well(driver.allocate(at, bytes + sizeof(double)), "memory for the members", why) &&
           (bytes == 0 || went_well(driver.to_device(*at, from, bytes), "copying the members", why));
}

static size_t bytes_of(size_t columns, const lashi_gpu_job *job) {
    return columns * job->count * sizeof(double);
}

/* reached: [LASHI_GPU_FIRST][count], at the beginning. */
static bool prepare(place *at, const lashi_gpu_job *job, const double *reached, char why[LASHI_GPU_SAYS]) {
    static const unsigned zero[2] = {0, 0};
    if (!went_well(driver.use(driver.contexts[at->device]), "beginning", why))
        return false;
    pthread_mutex_lock(&lock);
    const bool there = load(&at->function, at->device, job->code, why);
    pthread_mutex_unlock(&lock);
    return there && put(&at->rows, job->rows, bytes_of(job->column_count, job), why) &&
           put(&at->lists, job->lists, bytes_of(job->number_count, job), why) &&
           put(&at->stops, job->stops, job->stop_count * sizeof(double), why) &&
           put(&at->cuts, job->cuts, bytes_of(job->cut_count, job), why) &&
           put(&at->reached, reached, bytes_of(LASHI_GPU_FIRST, job), why) &&
           put(&at->counters, zero, sizeof zero, why);
}

static void give_back(const place *at) {
    const device_pointer all[] = {at->rows, at->lists, at->stops, at->cuts, at->reached, at->counters};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k])
            driver.release_memory(all[k]);
}

/* Copies rows of `width` values, those of one member or of all. */
static bool get_rows(double *to, device_pointer rows, size_t width, size_t member, size_t count,
                     char why[LASHI_GPU_SAYS]) {
    const size_t bytes = width * sizeof(double);
    return bytes == 0 ||
           went_well(driver.to_host(to, rows + member * bytes, count * bytes), "copying the members", why);
}

/* Copies all that the device has computed. */
static bool get_results(const place *at, const lashi_gpu_job *job, char why[LASHI_GPU_SAYS]) {
    return get_rows(job->rows, at->rows, job->column_count, 0, job->count, why) &&
           get_rows(job->cuts, at->cuts, job->cut_count, 0, job->count, why);
}

/* Hands a member over; own: room for it. */
static bool give_away(const place *at, const lashi_gpu_job *job, size_t member, double *own,
                      char why[LASHI_GPU_SAYS]) {
    double *cuts = own + job->column_count;
    return get_rows(own, at->rows, job->column_count, member, 1, why) &&
           get_rows(cuts, at->cuts, job->cut_count, member, 1, why) &&
           job->calls.take(job->user, member, own, cuts);
}

/* One launch; *left: how many members are still running after it. */
static bool launch(unsigned *left, const place *at, const lashi_gpu_job *job, int blocks, int attempts,
                   char why[LASHI_GPU_SAYS]) {
    static const unsigned zero[2] = {0, 0};
    unsigned counters[2] = {0, 0};
    long members = (long)job->count, cut_count = (long)job->cut_count;
    place own = *at;
    device_pointer left_at = at->counters + sizeof(unsigned);
    void *arguments[] = {&own.rows,    &own.lists, &own.stops, &own.cuts,     &cut_count,
                         &own.reached, &members,   &attempts,  &own.counters, &left_at};
    const bool good = went_well(driver.to_device(at->counters, zero, sizeof zero), "a launch", why) &&
                      went_well(driver.launch(at->function, (unsigned)blocks, 1, 1, (unsigned)job->threads, 1,
                                              1, 0, NULL, arguments, NULL),
                                "a launch", why) &&
                      went_well(driver.synchronize(NULL), "a launch", why) &&
                      went_well(driver.to_host(counters, at->counters, sizeof counters), "a launch", why);
    *left = counters[1];
    return good;
}

static double sum_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* Launches until all members have reached their ends or are taken away; then all results are copied, since to copy the
 * last members one by one would take as long. reached: [LASHI_GPU_FIRST][count]; away: [count]; own: room for a member. */
static bool advance(const place *at, const lashi_gpu_job *job, double *reached, size_t *away, double *own,
                    char why[LASHI_GPU_SAYS]) {
    enum { MULTIPROCESSORS = 16 }; // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
    int processors = 1, held = 1, attempts = FIRST_ATTEMPTS;
    long all = 0; // attempts in the launches so far
    unsigned left = (unsigned)job->count;
    double moved = -(double)INFINITY;
    if (!went_well(driver.attribute(&processors, MULTIPROCESSORS, at->device), "asking", why) ||
        !went_well(driver.occupancy(&held, at->function, job->threads, 0), "asking", why))
        return false;
    const int blocks = processors * (held > 0 ? held : 1);
    for (;;) {
        size_t away_count = 0;
        const double lasts = job->calls.choose(job->user, reached, left,
                                               (double)left / (blocks * job->threads), away, &away_count);
        if (all > 0) {
            const double needed = fmax(SHARE * lasts * attempts, (double)all / LEAST_PART);
            attempts = needed < MOST_ATTEMPTS ? (int)needed : MOST_ATTEMPTS;
        }
        snprintf(why, LASHI_GPU_SAYS, "out of memory");
        double *status = reached + LASHI_GPU_STATUS * job->count;
        if (away_count == left) {
            bool given = get_results(at, job, why);
            for (size_t k = 0; given && k < away_count; k++)
                given = job->calls.take(job->user, away[k], job->rows + away[k] * job->column_count,
                                        job->cuts + away[k] * job->cut_count);
            return given;
        }
        for (size_t k = 0; k < away_count; k++, left--) {
            if (!give_away(at, job, away[k], own, why))
                return false;
            status[away[k]] = LASHI_GPU_AWAY;
        }
        if (away_count && !went_well(driver.to_device(at->reached + LASHI_GPU_STATUS * bytes_of(1, job),
                                                      status, bytes_of(1, job)),
                                     "copying the members", why))
            return false;
        if (!launch(&left, at, job, blocks, attempts, why) ||
            !went_well(driver.to_host(reached, at->reached, bytes_of(LASHI_GPU_FIRST, job)),
                       "copying the members", why))
            return false;
        all += attempts;
        const double times = sum_of(reached, job->count);
        if (!(times > moved)) {
            snprintf(why, LASHI_GPU_SAYS, "%u members do not come any further", left);
            return false;
        }
        moved = times;
        snprintf(why, LASHI_GPU_SAYS, "stopped");
        if (!job->calls.progress(job->user, job->count - left))
            return false;
    }
}

bool lashi_gpu_members(const lashi_gpu_job *job, char why[LASHI_GPU_SAYS]) {
    place at = {0};
    if (!lashi_gpu_is_there(why))
        return false;
    pthread_mutex_lock(&lock);
    at.device = driver.next++ % driver.count;
    pthread_mutex_unlock(&lock);
    bool done = false;
    double *reached = malloc(bytes_of(LASHI_GPU_FIRST, job)),
           *own = malloc((job->column_count + job->cut_count + 1) * sizeof *own);
    size_t *away = malloc(job->count * sizeof *away);
    if (!reached || !own || !away) {
        snprintf(why, LASHI_GPU_SAYS, "out of memory");
    } else {
        for (size_t i = 0; i < job->count; i++)
            for (size_t k = 0; k < LASHI_GPU_FIRST; k++)
                reached[k * job->count + i] = job->rows[i * job->column_count + k];
        done = prepare(&at, job, reached, why);
    }
    if (done) {
        char reason[LASHI_GPU_SAYS];
        done = advance(&at, job, reached, away, own, why);
        if (!done)
            get_results(&at, job, reason); // what it has reached, also where it was stopped
    }
    give_back(&at);
    free(reached);
    free(own);
    free(away);
    return done;
}
