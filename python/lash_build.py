# SPDX-License-Identifier: MIT
"""Makes the C part of the Python package from the public headers of Lash.

    python3 lash_build.py INCLUDE_DIR OUTPUT.c     writes the C source (the CMake build compiles it)

As a module it offers `ffi` to setuptools, which then builds against an installed Lash found by pkg-config.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

import cffi

# Callbacks into Python. lashpy_look is called a few times per second, not at every step.
CALLBACKS = """
extern "Python" bool lashpy_look(void *user, double time, double end);
extern "Python" void lashpy_event(void *user, const lash_event *event);
extern "Python" void lashpy_mistake(void *user, const lash_error *mistake);
extern "Python" void lashpy_force(double *components, void *user, double time, const lash_point_motion *motion);
extern "Python" bool lashpy_points(void *user, const lash_study_progress *progress);
extern "Python" lash_status lashpy_metric(void *user, void *memory, lash_sim *sim, lash_error *error);
double lashpy_value(void *user, void *memory, lash_sim *sim);
typedef struct lashpy_watch { void *user; double last; ...; } lashpy_watch;
bool lashpy_progress(void *watch, double time, double end);
void lashpy_event_of_watch(void *watch, const lash_event *event);
const char *lashpy_nearest_channel(const char *word, const char *const *names);
void free(void *);
"""

SOURCE = """
#include <stdlib.h>
#include <time.h>
#include "lash/lash.h"

typedef struct lashpy_watch { void *user; double last; } lashpy_watch;
static bool lashpy_look(void *, double, double);
static void lashpy_event(void *, const lash_event *);

/* A run asks after every step; Python is asked at most every 0.05 s. */
static bool lashpy_progress(void *user, double time, double end) {
    lashpy_watch *watch = user;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    const double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (seconds - watch->last < 0.05)
        return true;
    watch->last = seconds;
    return lashpy_look(watch->user, time, end);
}
/* What lashpy_metric has put there. */
static double lashpy_value(void *user, void *memory, lash_sim *sim) {
    (void)user, (void)sim;
    return *(const double *)memory;
}
static const char *lashpy_name_at(const void *names, size_t index) {
    return ((const char *const *)names)[index];
}
/* The names end with NULL. */
static const char *lashpy_nearest_channel(const char *word, const char *const *names) {
    return lash_channel_nearest(word, lashpy_name_at, names);
}
static void lashpy_event_of_watch(void *user, const lash_event *event) {
    lashpy_event(((lashpy_watch *)user)->user, event);
}
"""


def declarations(include):
    """The public headers in the form that cffi reads: preprocessed, without system headers."""
    with tempfile.TemporaryDirectory() as stubs:
        for header in glob.glob(os.path.join(include, "lash", "*.h")):
            with open(header, encoding="utf-8") as file:
                for name in re.findall(r"#include <([a-z]+\.h)>", file.read()):
                    open(os.path.join(stubs, name), "w").close()
        command = [os.environ.get("CC", "cc").split()[0], "-E", "-P", "-nostdinc", "-I", stubs, "-I", include,
                   "-D__attribute__(x)=", os.path.join(include, "lash", "lash.h")]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # cffi reads no casts of enum constants and no repeated qualifiers; the headers have neither.
    return re.sub(r"\bextern\s+\"C\"\s*\{", "", text)


def builder(include):
    ffi = cffi.FFI()
    ffi.cdef(declarations(include) + CALLBACKS)
    return ffi


def emit(include, output):
    ffi = builder(include)
    ffi.set_source("lash._lash", SOURCE, py_limited_api=True)
    ffi.emit_c_code(output)


if __name__ == "__main__":
    emit(sys.argv[1], sys.argv[2])
else:
    def _pkg_config(option):
        return subprocess.run(["pkg-config", option, "lash"], check=True, capture_output=True, text=True).stdout.split()

    _include = subprocess.run(["pkg-config", "--variable=includedir", "lash"], check=True, capture_output=True,
                              text=True).stdout.strip()
    ffi = builder(_include)
    ffi.set_source("lash._lash", SOURCE, extra_compile_args=["-D_GNU_SOURCE"] + _pkg_config("--cflags"),
                   extra_link_args=_pkg_config("--libs"), py_limited_api=True)
