/* SPDX-License-Identifier: MIT
 *
 * Joint coordinates: the scalars that drives prescribe and that joint springs, viscous friction and loads act
 * on.
 *
 * Angle:  c = θ_j − θ_i.
 * Travel: c = u·d, u an axis of body i, h = perp(u), u̇ = ω_i h:
 *   ċ = u·ḋ + ω_i h·d,   J_i = [−u, −u·perp(S_i) + h·d],  J_j = [u, u·perp(S_j)]
 *   bias = u·(ω_i² S_i − ω_j² S_j) + 2 ω_i h·ḋ − ω_i² u·d
 *
 * In space the angle is that from the first axis a1 of i's triad to the first axis b1 of j's, seen along the
 * third: c = atan2(y, x), x = a1·b1, y = a2·b1,  ċ = (x ẏ − y ẋ)/ρ², ρ² = x² + y². Where the third axes need
 * not be parallel (a pin with play) it is the twist, what is left when the shortest turn from a3 to b3 is taken
 * away: it does not depend on where the triads' other axes point.
 *   x = a1·b1 + a2·b2,  y = a2·b1 − a1·b2,  ρ = 1 + a3·b3,  ċ = (ω_j − ω_i)·(a3 + b3)/ρ
 * The state y holds the integral of ċ to count turns: the value is that of atan2 plus the whole turns that
 * bring it closest to the integral. The travel is u·d as in the plane (space.h).
 */
#include "joint/space.h"

/* A sum of products a·b with its rate, the velocity part of its second derivative and its coefficient beside
 * ω_i − ω_j. */
typedef struct product {
    double value, rate, bias;
    lashi_vec3 turning;
} product;

/* Adds weight a·b. */
static void add_product(product *out, double weight, const lashi_axis *a, const lashi_axis *b) {
    out->value += weight * lashi_dot3(a->u, b->u);
    out->rate += weight * (lashi_dot3(a->rate, b->u) + lashi_dot3(a->u, b->rate));
    out->bias +=
        weight * (lashi_dot3(a->bias, b->u) + 2 * lashi_dot3(a->rate, b->rate) + lashi_dot3(a->u, b->bias));
    out->turning = lashi_axpy3(out->turning, weight, lashi_cross3(a->u, b->u));
}

static void set_block(double J[LASHI_FREEDOMS], const lashi_frame *frame, lashi_vec3 linear,
                      lashi_vec3 turning) {
    const lashi_vec3 own = lashi_turn_back(frame->A, turning);
    J[0] = linear.x, J[1] = linear.y, J[2] = linear.z;
    J[3] = own.x, J[4] = own.y, J[5] = own.z;
}

static lashi_coordinate_state angle_in_space(const lashi_coordinate *coordinate, const lashi_frame *frames,
                                             const lashi_frame *i, const lashi_frame *j) {
    const lashi_geometry *g = coordinate->geometry;
    const lashi_vec3 none = {0, 0, 0};
    const lashi_axis a1 = lashi_axis_evaluate(i, g->a[0][0]), a2 = lashi_axis_evaluate(i, g->a[0][1]),
                     b1 = lashi_axis_evaluate(j, g->a[1][0]);
    product x = {0}, y = {0};
    add_product(&x, 1, &a1, &b1);
    add_product(&y, 1, &a2, &b1);
    if (coordinate->tilts) {
        const lashi_axis b2 = lashi_axis_evaluate(j, g->a[1][1]);
        add_product(&x, 1, &a2, &b2);
        add_product(&y, -1, &a1, &b2);
    }
    const double per_square = 1 / (x.value * x.value + y.value * y.value);
    const double kx = -y.value * per_square, ky = x.value * per_square;
    lashi_coordinate_state c = {.value = atan2(y.value, x.value), .rate = kx * x.rate + ky * y.rate};
    c.bias = kx * x.bias + ky * y.bias - 2 * c.rate * per_square * (x.value * x.rate + y.value * y.rate);
    const lashi_vec3 turning = lashi_axpy3(lashi_scale3(kx, x.turning), ky, y.turning);
    set_block(c.J[0], i, none, turning);
    set_block(c.J[1], j, none, lashi_scale3(-1, turning));
    const double *counted = frames[0].counted;
    if (counted && coordinate->counted >= 0)
        c.value += LASHI_TWO_PI * round((counted[coordinate->counted] - c.value) / LASHI_TWO_PI);
    return c;
}

static lashi_coordinate_state travel_in_space(const lashi_coordinate *coordinate, const lashi_frame *i,
                                              const lashi_frame *j) {
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, coordinate->geometry->s);
    const lashi_axis a = lashi_axis_evaluate(i, coordinate->geometry->a[0][2]);
    lashi_coordinate_state c = {.value = lashi_dot3(a.u, p.d),
                                .rate = lashi_dot3(a.rate, p.d) + lashi_dot3(a.u, p.ddot),
                                .bias = lashi_dot3(a.bias, p.d) + 2 * lashi_dot3(a.rate, p.ddot) +
                                        lashi_dot3(a.u, p.dbias)};
    set_block(c.J[0], i, lashi_scale3(-1, a.u), lashi_cross3(a.u, lashi_add3(p.d, p.S[0])));
    set_block(c.J[1], j, a.u, lashi_cross3(p.S[1], a.u));
    return c;
}

lashi_coordinate_state lashi_coordinate_evaluate(const lashi_coordinate *coordinate,
                                                 const lashi_frame *frames) {
    const lashi_frame *i = &frames[coordinate->body[0]], *j = &frames[coordinate->body[1]];
    if (coordinate->geometry)
        return coordinate->type == LASHI_COORDINATE_ANGLE ? angle_in_space(coordinate, frames, i, j)
                                                          : travel_in_space(coordinate, i, j);
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

double lashi_coordinate_rate(const lashi_coordinate *coordinate, const lashi_frame *frames) {
    const lashi_frame *i = &frames[coordinate->body[0]], *j = &frames[coordinate->body[1]];
    if (!coordinate->geometry || coordinate->type != LASHI_COORDINATE_ANGLE)
        return lashi_coordinate_evaluate(coordinate, frames).rate;
    const lashi_vec3 *axis_i = &coordinate->geometry->a[0][2], *axis_j = &coordinate->geometry->a[1][2];
    if (!coordinate->tilts)
        return lashi_dot3(*axis_j, j->own) - lashi_dot3(*axis_i, i->own);
    const lashi_vec3 a = lashi_turn3(i->A, *axis_i), b = lashi_turn3(j->A, *axis_j);
    return lashi_dot3(lashi_sub3(j->spin, i->spin), lashi_add3(a, b)) / (1 + lashi_dot3(a, b));
}
