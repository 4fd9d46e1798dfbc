/* SPDX-License-Identifier: MIT
 *
 * Outside libraries that are loaded when they are first needed, so that a program starts quickly and works
 * where one is missing: whatever needs it then says what to install.
 *
 * A component lists the functions and variables it uses, under their own names, in one header, as a macro
 * LIST(X). LASHI_LIBRARY_ADDRESSES(LIST) makes a struct of typed pointers of it; macros of the same names
 * lead calls there, so that the code that uses the library reads as if it were linked.
 */
#ifndef LASHI_LIBRARY_H
#define LASHI_LIBRARY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "lash/status.h"

typedef struct lashi_library {
    const char *file;    /* what is loaded: libhdf5.so.103 */
    const char *name;    /* for messages: HDF5 */
    const char *need;    /* what needs it: "results in files" */
    const char *package; /* Debian's package with it */
    const char *names;   /* of the functions and variables, each ended by a zero */
    void *addresses;     /* the struct of pointers, in the same order */
    bool shares_symbols; /* it loads parts of itself that look for its symbols */
    bool is_copied;      /* programs contain others of its name; it must call its own functions */
    bool loaded;         /* guarded by the lock */
    pthread_mutex_t lock;
} lashi_library;

#define LASHI_LIBRARY_ADDRESS(name) __typeof__(name) *name;
#define LASHI_LIBRARY_NAME(name)    #name "\0"
#define LASHI_LIBRARY_ADDRESSES(LIST)                                                                        \
    { LIST(LASHI_LIBRARY_ADDRESS) }
#define LASHI_LIBRARY_NAMES(LIST) LIST(LASHI_LIBRARY_NAME)

/* Loads it unless that was done. Any number of threads may ask. */
lash_status lashi_library_load(lashi_library *library, lash_error *error);
/* The error of a program that was built without it. */
lash_status lashi_library_missing(lash_error *error, const char *name, const char *need, const char *option);

#endif
