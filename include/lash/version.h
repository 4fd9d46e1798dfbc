/* SPDX-License-Identifier: MIT
 *
 * The version of these headers: semantic versioning, the same as the project's in CMakeLists.txt.
 */
#ifndef LASH_VERSION_H
#define LASH_VERSION_H

#define LASH_VERSION_MAJOR 0
#define LASH_VERSION_MINOR 2
#define LASH_VERSION_PATCH 0
#define LASH_VERSION       "0.2.0"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs, "0.2.0". */
const char *lash_version(void);

#ifdef __cplusplus
}
#endif

#endif
