/* SPDX-License-Identifier: MIT
 *
 * Files of lives, as `lash wear show` and `lash run --worn` read them. Seeds are made by the program: see seeds.sh.
 */
#include <math.h>

#include "fuzz/fuzz.h"
#include "lash/lash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_ask_sqlite();
    const char *path = fuzz_file("life.db", data, size);
    lash_life *life;
    const lash_status status = lash_life_open(&life, path, NULL);
    fuzz_require((status == LASH_OK) == (life != NULL), "a life is whole or there is none");
    for (size_t i = 0; i < lash_life_stage_count(life); i++) {
        const lash_life_stage *stage = lash_life_stage_at(life, i);
        fuzz_require(stage->joint_count > 0, "a life has joints");
        for (size_t j = 0; j < stage->joint_count; j++) {
            const lash_life_joint *joint = &stage->joints[j];
            fuzz_require(strlen(joint->shape.joint) <= size && joint->shape.count * sizeof(double) <= size,
                         "no more than the file has room for");
            double *profile = calloc(joint->shape.count, sizeof *profile);
            for (int part = 0; profile && part < LASH_WORN_PARTS; part++)
                if (!lash_life_profile(profile, life, j, part, stage->turns, NULL))
                    for (size_t k = 0; k < joint->shape.count; k++)
                        fuzz_require(isfinite(profile[k]), "depths are numbers");
            free(profile);
        }
    }
    if (life)
        fuzz_require(lash_life_title(life) && (lash_life_end(life) || isnan(lash_life_turns(life))),
                     "a life ends or does not");
    lash_life_destroy(life);
    return 0;
}
