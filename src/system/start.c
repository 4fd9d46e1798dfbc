/* SPDX-License-Identifier: MIT
 *
 * What assembly has made of the start values of a model.
 *
 * Values that are not held are approximate: assembly changes them as little as the joints allow, positions
 * measured by length, velocities by kinetic energy. Velocities that are not given count as 0. So a body on a
 * lever that is given only its angular velocity starts slowly, since its centre of mass counts as being at
 * rest. That is correct, but hardly what was meant; so it is reported.
 */
#include <math.h>

#include "math/vec3.h"
#include "system/system.h"

/* Changes up to this share of the mechanism's size, or this angle in rad, come from drawings with three
 * digits. */
static const double DRAWN = 1e-3;
/* A change of a velocity, as a share of it, that cannot come from the rounding of its digits. */
static const double CHANGED = 0.01;

enum { POSITION, ORIENTATION, VELOCITY, ANGULAR_VELOCITY, QUANTITIES };

/* Where the body stands and how it moves, from full coordinates; ground axes, its own orientation. */
static void read_start(lash_start_value *out, const lash_system *system, int b, int quantity) {
    const lash_body_def *def = &system->model->bodies[b].def;
    const double *q = system->full0 + (system->spatial ? 7 : LASHI_PLANE) * (b - 1),
                 *v = system->full0 + system->n_full + system->width * (b - 1);
    const bool turns = quantity == ORIENTATION || quantity == ANGULAR_VELOCITY;
    out->size = turns && !system->spatial ? 1 : system->spatial ? 3 : 2;
    double A[9], unit[4], drawn[4], now[4];
    if (!system->spatial && turns) {
        out->given[0] = quantity == ORIENTATION ? def->angle : def->angular_velocity[2];
        out->start[0] = quantity == ORIENTATION ? q[2] : v[2];
    } else if (quantity == ORIENTATION) { // the turn alone
        out->size = 0;
        lashi_rotation(A, drawn, def->orientation);
        lashi_rotation(A, unit, q + 3);
        lashi_compose(now, unit, system->principal[b]);
        const double along = drawn[0] * now[0] + drawn[1] * now[1] + drawn[2] * now[2] + drawn[3] * now[3];
        out->change = 2 * acos(fmin(fabs(along), 1));
    } else {
        lashi_vec3 spin = {0, 0, 0};
        if (quantity == ANGULAR_VELOCITY) {
            lashi_rotation(A, unit, q + 3);
            spin = lashi_turn3(A, lashi_vec3_of(v + 3));
        }
        const double turning[3] = {spin.x, spin.y, spin.z};
        const double *given = quantity == POSITION   ? def->position
                              : quantity == VELOCITY ? def->velocity
                                                     : def->angular_velocity;
        for (int k = 0; k < out->size; k++) {
            out->given[k] = given[k];
            out->start[k] = quantity == POSITION ? q[k] : quantity == VELOCITY ? v[k] : turning[k];
        }
    }
    double square = 0;
    for (int k = 0; k < out->size; k++)
        square += (out->start[k] - out->given[k]) * (out->start[k] - out->given[k]);
    out->change = out->size ? sqrt(square) : out->change;
}

bool lash_system_start_value(lash_start_value *out, const lash_system *system, size_t index) {
    if (!out || !system)
        return false;
    static const char *const planar[QUANTITIES] = {"position", "angle", "velocity", "angular_velocity"},
                             *const spatial[QUANTITIES] = {"position", "orientation", "velocity",
                                                           "angular_velocity"},
                             *const units[QUANTITIES] = {"m", "rad", "m/s", "rad/s"};
    static const char *const holds[2][QUANTITIES] = {{"x, y", "angle", "vx, vy", "w"},
                                                     {"x, y, z", "orientation", "vx, vy, vz", "w"}};
    for (int b = 1; b < system->bodies; b++)
        for (int quantity = 0; quantity < QUANTITIES; quantity++) {
            lash_start_value value = {.body = system->body_names[b],
                                      .quantity = (system->spatial ? spatial : planar)[quantity],
                                      .unit = units[quantity],
                                      .hold = holds[system->spatial][quantity],
                                      .moves = quantity >= VELOCITY};
            read_start(&value, system, b, quantity);
            double given = 0;
            for (int k = 0; k < value.size; k++)
                given += value.given[k] * value.given[k];
            value.share = value.change / (value.moves            ? sqrt(given)
                                          : quantity == POSITION ? system->length
                                                                 : 1);
            const bool told = value.moves ? given > 0 && value.share > CHANGED : value.share > DRAWN;
            if (told && index-- == 0) {
                *out = value;
                return true;
            }
        }
    return false;
}
