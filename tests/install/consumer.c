/* SPDX-License-Identifier: MIT
 *
 * The smallest user of an installed Lash: three lines that pull in the reader and all it stands on.
 */
#include <lash/model.h>
#include <lash/version.h>
#include <stdio.h>

int main(int argc, char **argv) {
    lash_model *model = NULL;
    lash_error error = {0};
    lash_status status = lash_model_load(&model, argc > 1 ? argv[1] : "", NULL, &error);
    printf("%s: %s\n", LASH_VERSION, status == LASH_OK ? lash_model_title(model) : error.message);
    lash_model_destroy(model);
    return lash_status_exit_code(status);
}
