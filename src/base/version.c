/* SPDX-License-Identifier: MIT
 *
 * The version of the library that runs.
 */
#include "lash/version.h"

const char *lash_version(void) {
    return LASH_VERSION;
}
