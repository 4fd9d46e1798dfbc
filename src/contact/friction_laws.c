/* SPDX-License-Identifier: MIT
 *
 * The table of friction laws, made from the list in friction_laws.h.
 */
#include "contact/friction_laws.h"

#include <string.h>

#include "model/schema.h"

#define LASHI_FRICTION_ENTRY(law) &lashi_friction_##law,
const lashi_friction_law *const lashi_friction_laws[] = {LASHI_FRICTION_LAWS(LASHI_FRICTION_ENTRY) NULL};
#undef LASHI_FRICTION_ENTRY

const lashi_friction_law *lashi_friction_find(const char *name) {
    for (size_t i = 0; name && lashi_friction_laws[i]; i++)
        if (strcmp(lashi_friction_laws[i]->name, name) == 0)
            return lashi_friction_laws[i];
    return NULL;
}

const char *lashi_friction_law_name(size_t index) {
    size_t count = sizeof lashi_friction_laws / sizeof *lashi_friction_laws - 1;
    return index < count ? lashi_friction_laws[index]->name : NULL;
}
