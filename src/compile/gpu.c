/* SPDX-License-Identifier: MIT
 *
 * libcuda.so.1, the driver's own interface, through dlopen.
 *
 * Threads are persistent: as many as the device holds at once take members one after the other. A launch ends
 * after so many attempts of each member, so that none runs long, and is repeated until all are at their ends.
 */
#include "compile/gpu.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Attempts of a member in one launch: a fraction of a second. */
enum { ATTEMPTS = 4000 };

typedef uint64_t device_pointer;

#define FUNCTIONS(X)                                                                                         \
    X(init, "cuInit", unsigned)                                                                              \
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
    X(to_device, "cuMemcpyHtoD_v2", device_pointer, const void *, size_t)                                    \
    X(to_host, "cuMemcpyDtoH_v2", void *, device_pointer, size_t)                                            \
    X(launch, "cuLaunchKernel", void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,          \
      unsigned, void *, void **, void **)                                                                    \
    X(synchronize, "cuCtxSynchronize", void)                                                                 \
    X(name_of, "cuGetErrorName", int, const char **)

static struct driver {
    bool asked, there;
    void *context; /* stays: making one takes longer than many an ensemble */
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
    int device;
    if (driver.init(0) != 0 || driver.device(&device, 0) != 0 ||
        driver.retain(&driver.context, device) != 0) {
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
    void *module;
    device_pointer columns, numbers, counters;
} place;

static bool prepare(place *at, void **function, double *columns, size_t columns_size, const double *numbers,
                    size_t numbers_size, const char *code, char why[LASHI_GPU_SAYS]) {
    return went_well(driver.use(driver.context), "beginning", why) &&
           went_well(driver.load(&at->module, code), "loading the model", why) &&
           went_well(driver.function(function, at->module, "lash_members"), "loading the model", why) &&
           went_well(driver.allocate(&at->columns, columns_size), "memory for the members", why) &&
           went_well(driver.allocate(&at->numbers, numbers_size + sizeof(double)), "memory for the members",
                     why) &&
           went_well(driver.allocate(&at->counters, 2 * sizeof(unsigned)), "memory for the members", why) &&
           went_well(driver.to_device(at->columns, columns, columns_size), "copying the members", why) &&
           went_well(driver.to_device(at->numbers, numbers, numbers_size), "copying the members", why);
}

static void give_back(const place *at) {
    if (at->columns)
        driver.release_memory(at->columns);
    if (at->numbers)
        driver.release_memory(at->numbers);
    if (at->counters)
        driver.release_memory(at->counters);
    if (at->module)
        driver.unload(at->module);
}

bool lashi_gpu_members(double *columns, size_t column_count, const double *numbers, size_t number_count,
                       size_t count, const char *code, int threads, lashi_gpu_progress *progress, void *user,
                       char why[LASHI_GPU_SAYS]) {
    enum { MULTIPROCESSORS = 16 }; // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
    if (!lashi_gpu_is_there(why))
        return false;
    const size_t columns_size = column_count * count * sizeof(double),
                 numbers_size = number_count * count * sizeof(double);
    place at = {0};
    void *function = NULL;
    int processors = 1, blocks = 1, attempts = ATTEMPTS;
    bool good = prepare(&at, &function, columns, columns_size, numbers, numbers_size, code, why) &&
                went_well(driver.attribute(&processors, MULTIPROCESSORS, 0), "asking", why) &&
                went_well(driver.occupancy(&blocks, function, threads, 0), "asking", why);
    long members = (long)count;
    unsigned counters[2] = {0, (unsigned)count};
    while (good && counters[1] > 0) {
        const unsigned zero[2] = {0, 0};
        void *arguments[] = {&at.columns, &at.numbers,  &members,
                             &attempts,   &at.counters, &(device_pointer){0}};
        device_pointer left = at.counters + sizeof(unsigned);
        arguments[5] = &left;
        good = went_well(driver.to_device(at.counters, zero, sizeof zero), "a launch", why) &&
               went_well(driver.launch(function, (unsigned)(processors * (blocks > 0 ? blocks : 1)), 1, 1,
                                       (unsigned)threads, 1, 1, 0, NULL, arguments, NULL),
                         "a launch", why) &&
               went_well(driver.synchronize(), "a launch", why) &&
               went_well(driver.to_host(counters, at.counters, sizeof counters), "a launch", why);
        if (good && progress && !progress(user, count - counters[1])) {
            snprintf(why, LASHI_GPU_SAYS, "stopped");
            break;
        }
    }
    if (good)
        good = went_well(driver.to_host(columns, at.columns, columns_size), "copying the results", why);
    give_back(&at);
    return good && counters[1] == 0;
}
