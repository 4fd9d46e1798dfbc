/* SPDX-License-Identifier: MIT
 *
 * A cache of a test program's own: an empty folder, named by XDG_CACHE_HOME, that is removed at the end.
 *
 *     return cmocka_run_group_tests(tests, own_cache_begin, own_cache_end);
 */
#ifndef OWN_CACHE_H
#define OWN_CACHE_H

#include <stdio.h>
#include <stdlib.h>

static char own_cache[] = "/tmp/lash-cache-XXXXXX";

static int own_cache_begin(void **state) {
    (void)state;
    return !mkdtemp(own_cache) || setenv("XDG_CACHE_HOME", own_cache, 1);
}

static int own_cache_end(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", own_cache);
    return system(command);
}

#endif
