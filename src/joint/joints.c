/* SPDX-License-Identifier: MIT
 *
 * The list of joint types, and what their files share.
 */
#include "joint/line.h"

#include <math.h>
#include <string.h>

static const lashi_joint_kind *const kinds[] = {
#define LASHI_JOINT_ADDRESS(id) &lashi_joint_##id,
    LASHI_JOINT_LIST(LASHI_JOINT_ADDRESS, LASHI_JOINT_ADDRESS, LASHI_JOINT_ADDRESS)
#undef LASHI_JOINT_ADDRESS
};

const lashi_joint_kind *lashi_joint_kind_at(size_t index) {
    return index < sizeof kinds / sizeof *kinds ? kinds[index] : NULL;
}

size_t lashi_joint_kind_find(const char *name) {
    for (size_t k = 0; lashi_joint_kind_at(k); k++)
        if (strcmp(lashi_joint_kind_at(k)->schema.name, name) == 0)
            return k;
    return LASHI_NONE;
}

const lashi_kind *lashi_joint_schema(size_t index) {
    const lashi_joint_kind *kind = lashi_joint_kind_at(index);
    return kind ? &kind->schema : NULL;
}

char lashi_joint_coordinate(const char *type) {
    const size_t k = type ? lashi_joint_kind_find(type) : LASHI_NONE;
    if (k == LASHI_NONE)
        return 0;
    const lashi_joint_form *form = kinds[k]->plane.rows ? &kinds[k]->plane : &kinds[k]->space;
    return form->coordinate == LASHI_HAS_ANGLE ? 'r' : form->coordinate == LASHI_HAS_TRAVEL ? 't' : 0;
}

bool lashi_joint_has_both(const char *type) {
    const size_t k = type ? lashi_joint_kind_find(type) : LASHI_NONE;
    return k != LASHI_NONE && kinds[k]->space.has_travel;
}

const lashi_joint_form *lashi_joint_form_of(const lashi_constraint *constraint) {
    const lashi_joint_kind *kind = kinds[constraint->type];
    return constraint->geometry ? &kind->space : &kind->plane;
}

const char *lashi_row_name(const lashi_constraint *constraint, int row) {
    if (constraint->type == LASHI_JOINT_drive)
        return "prescribes what is already fixed";
    if (constraint->type == LASHI_JOINT_contact)
        return "parts in touch";
    return lashi_joint_form_of(constraint)->row_names[row];
}

bool lashi_row_is_moment(const lashi_constraint *constraint, int row) {
    if (constraint->type == LASHI_JOINT_drive)
        return constraint->coordinate.type == LASHI_COORDINATE_ANGLE;
    if (constraint->type == LASHI_JOINT_contact)
        return false;
    return strncmp(lashi_joint_form_of(constraint)->row_names[row], LASHI_ROTATION,
                   sizeof LASHI_ROTATION - 1) == 0;
}

static void rows_in_space(const lashi_rows *out, const lashi_constraint *constraint,
                          const lashi_frame *frames, double t) {
    switch (constraint->type) {
#define LASHI_JOINT_CASE(id)                                                                                 \
    case LASHI_JOINT_##id: lashi_##id##_rows3(out, constraint, frames); break;
        LASHI_JOINT_LIST(LASHI_NOTHING, LASHI_JOINT_CASE, LASHI_JOINT_CASE)
#undef LASHI_JOINT_CASE
    case LASHI_JOINT_drive: lashi_drive_rows(out, constraint, frames, t); break;
    }
}

void lashi_constraint_rows(const lashi_rows *out, const lashi_constraint *constraint,
                           const lashi_frame *frames, double t) {
    if (constraint->geometry) {
        rows_in_space(out, constraint, frames, t);
        return;
    }
    switch (constraint->type) {
#define LASHI_JOINT_CASE(id)                                                                                 \
    case LASHI_JOINT_##id: lashi_##id##_rows(out, constraint, frames); break;
        LASHI_JOINT_LIST(LASHI_JOINT_CASE, LASHI_JOINT_CASE, LASHI_NOTHING)
#undef LASHI_JOINT_CASE
    case LASHI_JOINT_drive: lashi_drive_rows(out, constraint, frames, t); break;
    }
}

lash_status lashi_compile_axis(lashi_constraint *out, const lash_joint_def *def, lash_error *error) {
    const double length = hypot(def->axis[0], def->axis[1]);
    if (!(length > 0) || !isfinite(length))
        return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, out->name,
                             "joint '%s': the axis has no direction; give for example axis: [1, 0]",
                             out->name);
    out->axis = (lashi_vec2){def->axis[0] / length, def->axis[1] / length};
    return LASH_OK;
}

void lashi_compile_angle(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames) {
    out->angle = isnan(def->angle) ? frames[out->body[1]].angle - frames[out->body[0]].angle : def->angle;
}
