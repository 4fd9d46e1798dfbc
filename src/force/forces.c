/* SPDX-License-Identifier: MIT
 *
 * The list of force types, and what their files share.
 */
#include "base/error.h"
#include "force/force.h"

#include <math.h>
#include <string.h>

static const lashi_force_kind *const kinds[] = {
#define LASHI_FORCE_ADDRESS(id) &lashi_force_##id,
    LASHI_FORCE_LIST(LASHI_FORCE_ADDRESS)
#undef LASHI_FORCE_ADDRESS
};

const lashi_force_kind *lashi_force_kind_at(size_t index) {
    return index < sizeof kinds / sizeof *kinds ? kinds[index] : NULL;
}

size_t lashi_force_kind_find(const char *name) {
    for (size_t k = 0; lashi_force_kind_at(k); k++)
        if (strcmp(lashi_force_kind_at(k)->schema.name, name) == 0)
            return k;
    return LASHI_NONE;
}

const lashi_kind *lashi_force_schema(size_t index) {
    const lashi_force_kind *kind = lashi_force_kind_at(index);
    return kind ? &kind->schema : NULL;
}

void lashi_force_apply(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                       const lashi_frame *frames, double t) {
    switch (force->type) {
#define LASHI_FORCE_CASE(id)                                                                                 \
    case LASHI_FORCE_##id: lashi_##id##_apply(g, ledger, force, frames, t); break;
        LASHI_FORCE_LIST(LASHI_FORCE_CASE)
#undef LASHI_FORCE_CASE
    }
}

/* What is before or after the bar of "torque|force". */
static const char *side(const char *text, bool after) {
    static const char *const pairs[][3] = {{"torque|force", "torque", "force"},
                                           {"angle|length", "angle", "length"},
                                           {"N m|N", "N m", "N"},
                                           {"rad|m", "rad", "m"},
                                           {"rad/s|m/s", "rad/s", "m/s"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (strcmp(text, pairs[k][0]) == 0)
            return pairs[k][1 + after];
    return text;
}

bool lashi_force_channel_of(lashi_force_channel *out, const lashi_force *force,
                            const lashi_force_channel *channel) {
    const bool slides = channel->of_over ? force->over.type == LASHI_COORDINATE_TRAVEL
                                         : force->body[1] != 0 || // at a point
                                               force->coordinate.type == LASHI_COORDINATE_TRAVEL;
    *out = *channel;
    out->suffix = side(channel->suffix, slides);
    out->unit = side(channel->unit, slides);
    return lashi_fits(channel->space, force->spatial ? LASH_SPATIAL : LASH_PLANAR) &&
           (!channel->with_table || force->table);
}

lash_status lashi_force_point(lashi_force *out, int slot, const char *reference,
                              const lashi_force_context *context, lash_error *error) {
    size_t body;
    double at[3];
    if (!lashi_model_find_point(&body, at, context->model, reference))
        return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, out->name,
                             "force '%s': no body or point '%s'", out->name, reference);
    out->body[slot] = (int)body;
    out->s[slot] = (lashi_vec2){at[0], at[1]};
    if (out->spatial)
        out->s3[slot] = context->to_principal(context->system, (int)body, at);
    return LASH_OK;
}

lash_status lashi_force_coordinate(lashi_coordinate *out, const lashi_force *force, const char *joint,
                                   const char *which, const lashi_force_context *context, lash_error *error) {
    if (!context->coordinate(out, context->system, joint, which))
        return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, force->name,
                             "force '%s': joint '%s' has no coordinate to act on; it must be revolute, "
                             "translational or point-on-line",
                             force->name, joint);
    return LASH_OK;
}

void lashi_force_table(lashi_force *out, const lash_table *table) {
    out->table = table;
    if (table)
        out->stored =
            lashi_table_integral(table, lashi_table_covers(table, 0) ? 0 : lashi_table_first(table));
}

void lashi_force_own_axes(lashi_force *out, const lashi_force_context *context) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; out->spatial && k < 3; k++)
        out->triad[1][k] = context->to_principal(context->system, out->body[1], axes[k]);
}

const char *lashi_frame_name(size_t index) {
    static const char *const names[] = {"ground", "body"};
    return index < 2 ? names[index] : NULL;
}
