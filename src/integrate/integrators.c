/* SPDX-License-Identifier: MIT
 *
 * The list of integrators. A new one is one file and one line here.
 */
#include "integrate/integrator.h"

#include <string.h>

#include "model/schema.h"

extern const lashi_integrator_kind lashi_dop853, lashi_adams, lashi_gear;

const lashi_integrator_kind *const lashi_integrator_kinds[] = {
    &lashi_dop853,
    &lashi_adams,
    &lashi_gear,
    NULL,
};

const lashi_integrator_kind *lashi_integrator_find(const char *name) {
    for (const lashi_integrator_kind *const *kind = lashi_integrator_kinds; *kind; kind++)
        if (strcmp((*kind)->name, name) == 0)
            return *kind;
    return NULL;
}

const char *lashi_integrator_name(size_t index) {
    const size_t count = sizeof lashi_integrator_kinds / sizeof *lashi_integrator_kinds - 1;
    return index < count ? lashi_integrator_kinds[index]->name : NULL;
}
