/* SPDX-License-Identifier: MIT
 *
 * Compiling a friction law: the parameters it reads are checked, the others are not looked at.
 */
#include "contact/friction.h"

#include "base/error.h"
#include "contact/friction_laws.h"

static lash_status check_positive(double value, const char *key, const char *law, lash_error *error) {
    if (value > 0 && isfinite(value))
        return LASH_OK;
    return lashi_fail(error, LASH_ERROR_MODEL, "the friction law %s needs %s, a positive number", law, key);
}

static lash_status check_not_negative(double value, const char *key, const char *law, lash_error *error) {
    if (value >= 0 && isfinite(value))
        return LASH_OK;
    return lashi_fail(error, LASH_ERROR_MODEL, "the friction law %s needs %s, zero or positive", law, key);
}

static lash_status check(const lashi_friction *law, lash_error *error) {
    const char *name = law->kind->name;
    unsigned needs = law->kind->needs;
    lash_status status = check_not_negative(law->p->kinetic, "coefficient", name, error);
    if (status == LASH_OK && needs & LASHI_FRICTION_DEAD_ZONE) {
        status = check_not_negative(law->p->v0, "v0", name, error);
        if (status == LASH_OK)
            status = check_positive(law->p->v1, "v1", name, error);
        if (status == LASH_OK && !(law->p->v1 > law->p->v0))
            status = lashi_fail(error, LASH_ERROR_MODEL, "v1 = %g m/s must be larger than v0 = %g m/s",
                                law->p->v1, law->p->v0);
    }
    if (status == LASH_OK && needs & LASHI_FRICTION_TRANSITION)
        status = check_positive(law->p->vr, "vr", name, error);
    if (status == LASH_OK && needs & LASHI_FRICTION_STATIC) {
        status = check_positive(law->p->stribeck_speed, "stribeck_speed", name, error);
        if (status == LASH_OK && !(law->p->still >= law->p->kinetic && isfinite(law->p->still)))
            status = lashi_fail(error, LASH_ERROR_MODEL,
                                "coefficient_static = %g is smaller than coefficient = %g", law->p->still,
                                law->p->kinetic);
    }
    if (status == LASH_OK && needs & LASHI_FRICTION_VISCOUS)
        status = check_not_negative(law->p->viscous, "viscous", name, error);
    if (status == LASH_OK && needs & LASHI_FRICTION_BRISTLE) {
        status = check_positive(law->p->kinetic, "coefficient", name, error);
        if (status == LASH_OK)
            status = check_positive(law->p->sigma0, "bristle_stiffness", name, error);
        if (status == LASH_OK)
            status = check_not_negative(law->p->sigma1, "bristle_damping", name, error);
    }
    return status;
}

lash_status lashi_friction_compile(lashi_friction *out, lashi_friction_numbers *p,
                                   const lash_friction_def *def, lash_error *error) {
    *p = (lashi_friction_numbers){0};
    *out = (lashi_friction){.p = p};
    const lashi_friction_law *kind = lashi_friction_find(def->law);
    if (!kind)
        return lashi_fail(error, LASH_ERROR_MODEL, "there is no friction law '%s'", def->law ? def->law : "");
    const bool none = kind == &lashi_friction_none; // needs no numbers
    *p = (lashi_friction_numbers){
        .kinetic = none ? 0 : def->coefficient,
        .still = isnan(def->coefficient_static) ? def->coefficient : def->coefficient_static,
        .v0 = def->v0,
        .v1 = def->v1,
        .vr = def->vr,
        .stribeck_speed = def->stribeck_speed,
        .viscous = def->viscous,
        .sigma0 = def->bristle_stiffness,
        .sigma1 = def->bristle_damping,
    };
    lashi_friction law = {.p = p, .kind = kind, .bristle = kind->needs & LASHI_FRICTION_BRISTLE};
    lash_status status = check(&law, error);
    if (status != LASH_OK)
        return status;
    if (law.bristle)
        p->bristle_scale = p->still / p->sigma0;
    if (kind->kinks)
        law.kink_count = kind->kinks(p);
    *out = law;
    return LASH_OK;
}
