/* SPDX-License-Identifier: MIT
 *
 * What a caller adds to the components of a force: a number that holds until it is set again, and a function
 * of time and of the motion of the point where the force acts.
 */
#include <math.h>

#include "force/force.h"

static void put(double out[3], lashi_vec3 v) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/* The point where a force acts, in ground axes. */
static lash_point_motion motion_of(const lashi_force *force, const lashi_frame *frames) {
    const lashi_frame *j = &frames[force->body[1]];
    lash_point_motion out = {0};
    if (force->spatial) {
        const lashi_vec3 S = lashi_turn3(j->A, force->s3[1]);
        put(out.position, lashi_add3(j->r, S));
        put(out.velocity, lashi_velocity_at3(j, S));
        put(out.angular_velocity, j->spin);
        out.angle = (double)NAN;
    } else {
        const lashi_vec2 S = lashi_turn(j, force->s[1]);
        out.position[0] = j->x + S.x;
        out.position[1] = j->y + S.y;
        out.velocity[0] = j->vx - j->w * S.y;
        out.velocity[1] = j->vy + j->w * S.x;
        out.angular_velocity[2] = j->w;
        out.angle = j->angle;
    }
    return out;
}

double lashi_input_value(const lashi_force *force, int k, const lashi_frame *frames, double t) {
    const lashi_inputs *inputs = frames[0].inputs;
    const lashi_input_call *own = &inputs->calls[force->index];
    double value[LASHI_INPUTS] = {0};
    if (own->call) {
        const lash_point_motion motion = motion_of(force, frames);
        own->call(value, own->user, t, &motion);
    }
    return inputs->values[force->index][k] + value[k];
}
