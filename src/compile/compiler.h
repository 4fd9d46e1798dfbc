/* SPDX-License-Identifier: MIT
 *
 * From text to functions: the system's compiler, and the cache of what it has made.
 */
#ifndef LASHI_COMPILER_H
#define LASHI_COMPILER_H

#include "compile/host.h"

enum { LASHI_COMPILER_SAYS = 512 }; /* size of a message */

/* The functions that the text (write.h) describes. False: there are none, and `why` says so in words. Shared
 * objects stay loaded: equal texts give equal functions. */
bool lashi_compiler_run(lashi_kernel *out, const char *text, char why[LASHI_COMPILER_SAYS]);

/* compiled.c: what the library must know of the factor of S that code has left in a workspace. */
void lashi_compiled_factor(lashi_workspace *workspace);

/* Code that runs members of an ensemble (ensemble.h) side by side on a core, until it is stopped, … */
typedef void lashi_members_function(double *rows, const double *lists, const double *stops, double *cuts,
                                    long cut_count, long first, long last, bool (*stopped)(void *user),
                                    void *user);
lashi_members_function *lashi_compiler_lanes(const char *text, char why[LASHI_COMPILER_SAYS]);
/* … and as code for a GPU, to be freed. */
char *lashi_compiler_gpu(const char *text, char why[LASHI_COMPILER_SAYS]);

#endif
