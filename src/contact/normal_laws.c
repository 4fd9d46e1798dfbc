/* SPDX-License-Identifier: MIT
 *
 * The table of normal force laws, made from the list in normal_laws.h.
 */
#include "contact/normal_laws.h"

#include <string.h>

#include "model/schema.h"

#define LASHI_NORMAL_ENTRY(law) &lashi_normal_##law,
const lashi_normal_law *const lashi_normal_laws[] = {LASHI_NORMAL_LAWS(LASHI_NORMAL_ENTRY) NULL};
#undef LASHI_NORMAL_ENTRY

const lashi_normal_law *lashi_normal_find(const char *name) {
    for (size_t i = 0; name && lashi_normal_laws[i]; i++)
        if (strcmp(lashi_normal_laws[i]->name, name) == 0)
            return lashi_normal_laws[i];
    return NULL;
}

const char *lashi_normal_law_name(size_t index) {
    size_t count = sizeof lashi_normal_laws / sizeof *lashi_normal_laws - 1;
    return index < count ? lashi_normal_laws[index]->name : NULL;
}
