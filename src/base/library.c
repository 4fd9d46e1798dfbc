/* SPDX-License-Identifier: MIT
 *
 * Loading outside libraries.
 *
 * A program may be linked with the library itself. Its variables may then be in the program, not in the
 * library (copy relocations), and the program's are the ones that count: so names are first searched for as the
 * program sees them.
 */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

#include "base/error.h"

/* The sanitizers cannot stand in front of a library that looks for its own functions first. */
#if !defined RTLD_DEEPBIND || defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define OWN_FIRST 0
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define OWN_FIRST 0
#endif
#endif
#ifndef OWN_FIRST
#define OWN_FIRST RTLD_DEEPBIND
#endif

static lash_status take_addresses(lashi_library *library, void *handle, bool linked, lash_error *error) {
    char *out = library->addresses;
    for (const char *name = library->names; *name; name += strlen(name) + 1, out += sizeof(void *)) {
        void *address = linked ? dlsym(RTLD_DEFAULT, name) : NULL;
        if (!address)
            address = dlsym(handle, name);
        if (!address)
            return lashi_fail(error, LASH_ERROR_IO,
                              "%s (%s) is not the version that Lash was built with: it has no %s",
                              library->name, library->file, name);
        memcpy(out, &address, sizeof address);
    }
    return LASH_OK;
}

lash_status lashi_library_load(lashi_library *library, lash_error *error) {
    lash_status status = LASH_OK;
    pthread_mutex_lock(&library->lock);
    if (!library->loaded) {
        void *before = dlopen(library->file, RTLD_LAZY | RTLD_NOLOAD);
        void *handle =
            dlopen(library->file, RTLD_LAZY | (library->shares_symbols ? RTLD_GLOBAL : RTLD_LOCAL) |
                                      (library->is_copied ? OWN_FIRST : 0));
        if (!handle) {
            const char *why = dlerror();
            status = lashi_fail(error, LASH_ERROR_IO,
                                "%s need %s, which cannot be loaded (%s); install it (Debian: %s)",
                                library->need, library->name, why ? why : library->file, library->package);
        } else {
            status = take_addresses(library, handle, before != NULL, error);
        }
        library->loaded = status == LASH_OK;
    }
    pthread_mutex_unlock(&library->lock);
    return status;
}

lash_status lashi_library_missing(lash_error *error, const char *name, const char *need, const char *option) {
    return lashi_fail(error, LASH_ERROR_USAGE,
                      "%s need %s, and this Lash was built without it; build it with -D%s=ON", need, name,
                      option);
}
