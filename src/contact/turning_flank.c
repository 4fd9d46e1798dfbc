/* SPDX-License-Identifier: MIT
 *
 * Teeth between two joints in space (flank.h): the gear couples the angles c_1 and c_2 of two joints
 * (joint/gear.c), x = r cos α (ratio c_1 + c_2 − Φ0) with r the pitch radius of the second wheel, or r cos α
 * = 1 where the backlash is an angle. The teeth pass a moment, no force on the bearings.
 */
#include "contact/flank.h"

#include <stddef.h>
#include <string.h>

void lashi_turning_flank_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_mesh_numbers *m = &contact->p->mesh;
    const lashi_coordinate *of[2] = {&contact->coordinate, &contact->second};
    const double unit = m->unit * m->cosine, weight[2] = {unit * m->radius[0], unit};
    lashi_mesh_state s;
    memset(&s, 0, sizeof s);
    s.x = -unit * m->zero;
    for (int k = 0; k < 2; k++) {
        const lashi_coordinate_state c = lashi_coordinate_evaluate(of[k], frames);
        s.x += weight[k] * c.value;
        s.xdot += weight[k] * c.rate;
        if (k == 0) {
            s.angle = c.value;
            s.rate = c.rate;
        }
        for (int end = 0; end < LASHI_SLOTS; end++)
            for (int link = 0; link < LASHI_LINKS; link++)
                if (of[k]->body[end] > 0 && contact->body[link] == of[k]->body[end])
                    for (int i = 0; i < LASHI_FREEDOMS; i++)
                        s.row[link][i] += weight[k] * c.J[end][i];
    }
    lashi_flank_fill(out, contact, frames, &s);
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static lash_status expand(lashi_expansion *out, lash_error *error) {
    return lashi_flank_expand(out, LASHI_CONTACT_turning_flank, error);
}

static const char *const joints[] = {"gear", NULL};
static const lashi_play play = {
    .key = LASHI_BACKLASH_KEY(LASHI_SPACE_ONLY),
    .joints = joints,
    .most = 2,
    .check = lashi_flank_check,
    .expand = expand,
    .channels = lashi_flank_channels,
    .value = lashi_flank_value,
    .draw = lashi_flank_draw,
};

const lashi_contact_kind lashi_contact_turning_flank = {
    .name = "flank between two joints",
    .play = &play,
    .acts = LASHI_ACTS_ON_ROWS,
    .piece = lashi_flank_piece,
    .bristles = 1,
    .deepest = "a tenth of the machine's size, or of a radian",
};

#endif
