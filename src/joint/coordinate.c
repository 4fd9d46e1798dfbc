/* SPDX-License-Identifier: MIT
 *
 * Joint coordinates: the scalars that drives prescribe and that joint springs, viscous friction and loads act
 * on.
 *
 * Angle:  c = θ_j − θ_i.
 * Travel: c = u·d, u an axis of body i, h = perp(u), u̇ = ω_i h:
 *   ċ = u·ḋ + ω_i h·d,   J_i = [−u, −u·perp(S_i) + h·d],  J_j = [u, u·perp(S_j)]
 *   bias = u·(ω_i² S_i − ω_j² S_j) + 2 ω_i h·ḋ − ω_i² u·d
 */
#include "joint/joint.h"

lashi_coordinate_state lashi_coordinate_evaluate(const lashi_coordinate *coordinate,
                                                 const lashi_frame *frames) {
    const lashi_frame *i = &frames[coordinate->body[0]], *j = &frames[coordinate->body[1]];
    if (coordinate->type == LASHI_COORDINATE_ANGLE)
        return (lashi_coordinate_state){
            .value = j->angle - i->angle, .rate = j->w - i->w, .J = {{0, 0, -1}, {0, 0, 1}}};
    const lashi_pair p = lashi_pair_evaluate(i, j, coordinate->s);
    const lashi_vec2 u = lashi_turn(i, coordinate->axis), h = lashi_perp(u);
    const double along = lashi_dot(u, p.d), across = lashi_dot(h, p.d);
    return (lashi_coordinate_state){.value = along,
                                    .rate = lashi_dot(u, p.ddot) + i->w * across,
                                    .bias = lashi_dot(u, p.dbias) + 2 * i->w * lashi_dot(h, p.ddot) -
                                            i->w * i->w * along,
                                    .J = {{-u.x, -u.y, across - lashi_dot(u, lashi_perp(p.S[0]))},
                                          {u.x, u.y, lashi_dot(u, lashi_perp(p.S[1]))}}};
}
