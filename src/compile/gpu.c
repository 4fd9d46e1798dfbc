/* SPDX-License-Identifier: MIT
 *
 * libcuda.so.1, the driver's own interface, through dlopen.
 *
 * Threads are persistent: as many as the device holds at once take members one after the other. A launch ends
 * after so many attempts of each member, so that none runs long, and is repeated until all are at their ends.
 * Each thread that calls has a stream of its own (the functions that end in _ptds and _ptsz), so that the
 * ensembles of several workers fill the device together.
 */
#include "compile/gpu.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Attempts of a member in one launch: a tenth of a second. After so many launches in which none ended it is
 * looked whether they move at all. */
enum { ATTEMPTS = 1000, PATIENCE = 1024 };
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
    X(unload, "cuModuleUnload", void *)                                                                      \
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
    void *contexts[MOST_DEVICES]; /* stay: making one takes longer than many an ensemble */
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

/* What a call of the driver answered, in words; true: it went well. */
static bool went_well(int result, const char *what, char why[LASHI_GPU_SAYS]) {
    const char *name = NULL;
    if (result == 0)
        return true;
    driver.name_of(result, &name);
    snprintf(why, LASHI_GPU_SAYS, "%s failed on the GPU (%s)", what, name ? name : "unknown");
    return false;
}

/* What stands on the device during a study. */
typedef struct place {
    int device;
    void *module, *function;
    device_pointer columns, numbers, cuts, counters;
} place;

static bool put(device_pointer *at, const void *from, size_t bytes, char why[LASHI_GPU_SAYS]) {
    return went_well(driver.allocate(at, bytes + sizeof(double)), "memory for the members", why) &&
           (bytes == 0 || went_well(driver.to_device(*at, from, bytes), "copying the members", why));
}

static size_t bytes_of(size_t columns, const lashi_gpu_job *job) {
    return columns * job->count * sizeof(double);
}

static bool prepare(place *at, const lashi_gpu_job *job, char why[LASHI_GPU_SAYS]) {
    static const unsigned zero[2] = {0, 0};
    return went_well(driver.use(driver.contexts[at->device]), "beginning", why) &&
           went_well(driver.load(&at->module, job->code), "loading the model", why) &&
           went_well(driver.function(&at->function, at->module, "lash_members"), "loading the model", why) &&
           put(&at->columns, job->columns, bytes_of(job->column_count, job), why) &&
           put(&at->numbers, job->numbers, bytes_of(job->number_count, job), why) &&
           put(&at->cuts, job->cuts, bytes_of(job->cut_count, job), why) &&
           put(&at->counters, zero, sizeof zero, why);
}

static void give_back(const place *at) {
    const device_pointer all[] = {at->columns, at->numbers, at->cuts, at->counters};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k])
            driver.release_memory(all[k]);
    if (at->module)
        driver.unload(at->module);
}

/* The sum of the times of all members, the first column; NaN: it cannot be read. */
static double all_times(const place *at, const lashi_gpu_job *job, double *times) {
    double sum = 0;
    if (driver.to_host(times, at->columns, bytes_of(1, job)) != 0)
        return (double)NAN;
    for (size_t i = 0; i < job->count; i++)
        sum += times[i];
    return sum;
}

/* Launches until all members are at their ends. */
static bool launch(const place *at, const lashi_gpu_job *job, char why[LASHI_GPU_SAYS]) {
    enum { MULTIPROCESSORS = 16 }; // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
    int processors = 1, blocks = 1, attempts = ATTEMPTS, idle = 0;
    long members = (long)job->count;
    double moved = (double)NAN;
    unsigned left = (unsigned)job->count;
    bool good = went_well(driver.attribute(&processors, MULTIPROCESSORS, at->device), "asking", why) &&
                went_well(driver.occupancy(&blocks, at->function, job->threads, 0), "asking", why);
    while (good && left > job->rest) {
        const unsigned zero[2] = {0, 0};
        unsigned counters[2];
        device_pointer left_at = at->counters + sizeof(unsigned);
        place own = *at;
        void *arguments[] = {&own.columns, &own.numbers,  &own.cuts, &members,
                             &attempts,    &own.counters, &left_at};
        good = went_well(driver.to_device(at->counters, zero, sizeof zero), "a launch", why) &&
               went_well(driver.launch(at->function, (unsigned)(processors * (blocks > 0 ? blocks : 1)), 1, 1,
                                       (unsigned)job->threads, 1, 1, 0, NULL, arguments, NULL),
                         "a launch", why) &&
               went_well(driver.synchronize(NULL), "a launch", why) &&
               went_well(driver.to_host(counters, at->counters, sizeof counters), "a launch", why);
        if (!good)
            break;
        idle = counters[1] < left ? 0 : idle + 1;
        left = counters[1];
        if (job->progress && !job->progress(job->user, job->count - left)) {
            snprintf(why, LASHI_GPU_SAYS, "stopped");
            break;
        }
        if (idle < PATIENCE)
            continue;
        idle = 0;
        const double now = all_times(at, job, job->columns);
        if (!(now > moved) && !isnan(moved)) {
            snprintf(why, LASHI_GPU_SAYS, "%u members do not come any further", left);
            return false;
        }
        moved = now;
    }
    return good && left <= job->rest;
}

bool lashi_gpu_members(const lashi_gpu_job *job, char why[LASHI_GPU_SAYS]) {
    place at = {0};
    if (!lashi_gpu_is_there(why))
        return false;
    pthread_mutex_lock(&lock);
    at.device = driver.next++ % driver.count;
    pthread_mutex_unlock(&lock);
    bool done = false;
    if (prepare(&at, job, why)) {
        char reason[LASHI_GPU_SAYS];
        done = launch(&at, job, why);
        // Also what a run that was stopped has reached.
        const bool read =
            went_well(driver.to_host(job->columns, at.columns, bytes_of(job->column_count, job)),
                      "copying the results", reason) &&
            (job->cut_count == 0 ||
             went_well(driver.to_host(job->cuts, at.cuts, bytes_of(job->cut_count, job)),
                       "copying the results", reason));
        if (done && !read)
            memcpy(why, reason, sizeof reason);
        done = done && read;
    }
    give_back(&at);
    return done;
}
