/* SPDX-License-Identifier: MIT */
#include "base/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_ours(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool lashi_cache_folder(char *out, size_t size, const char *name) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool given = base && base[0] == '/';
    if (!given && (!home || home[0] != '/'))
        return false;
    // Outermost first: what is there already stays as it is.
    const char *const parts[] = {given ? base : home, given ? "" : "/.cache", "/lash", name ? "/" : "",
                                 name ? name : ""};
    size_t used = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        const int length = snprintf(out + used, size - used, "%s", parts[k]);
        if (length < 0 || (size_t)length >= size - used)
            return false;
        used += (size_t)length;
        if (given || k > 0) // no home is made
            mkdir(out, 0700);
    }
    return is_ours(out);
}
