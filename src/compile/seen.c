/* SPDX-License-Identifier: MIT
 *
 * Channels that can be looked at in an ensemble, and how the text of a member finds each of them: from the
 * frames f, accelerations a and contact states of an evaluation. They are those of src/sim/channel.c. The gap of a
 * contact that is a constraint is not among them: it is rounding, and every step would end at an extremum of it. Where
 * it is one at times, the gap is zero then.
 */
#include <string.h>

#include "compile/write.h"

/* What the text says for a channel; %d: the body, contact, drive or place of an ideal joint. */
static const struct entry {
    enum {
        OF_BODY_IN_PLANE,
        OF_BODY_IN_SPACE,
        OF_CONTACT,
        OF_CONSTRAINT,
        OF_MODES,
        OF_FILM,
        OF_TORQUE,
        OF_FORCE,
        OF_MOTOR,
        OF_THRUSTER,
        OF_RUB
    } of;
    const char *suffix, *unit, *text; /* unit: "", it can be anything */
} entries[] = {
    {OF_BODY_IN_PLANE, "x", "m", "f[%d].x"},
    {OF_BODY_IN_PLANE, "y", "m", "f[%d].y"},
    {OF_BODY_IN_PLANE, "angle", "rad", "f[%d].angle"},
    {OF_BODY_IN_PLANE, "vx", "m/s", "f[%d].vx"},
    {OF_BODY_IN_PLANE, "vy", "m/s", "f[%d].vy"},
    {OF_BODY_IN_PLANE, "wz", "rad/s", "f[%d].w"},
    {OF_BODY_IN_PLANE, "ax", "m/s^2", "a[%d][0]"},
    {OF_BODY_IN_PLANE, "ay", "m/s^2", "a[%d][1]"},
    {OF_BODY_IN_PLANE, "alphaz", "rad/s^2", "a[%d][2]"},
    {OF_BODY_IN_SPACE, "x", "m", "f[%d].r.x"},
    {OF_BODY_IN_SPACE, "y", "m", "f[%d].r.y"},
    {OF_BODY_IN_SPACE, "z", "m", "f[%d].r.z"},
    {OF_BODY_IN_SPACE, "vx", "m/s", "f[%d].v.x"},
    {OF_BODY_IN_SPACE, "vy", "m/s", "f[%d].v.y"},
    {OF_BODY_IN_SPACE, "vz", "m/s", "f[%d].v.z"},
    {OF_BODY_IN_SPACE, "wx", "rad/s", "f[%d].spin.x"},
    {OF_BODY_IN_SPACE, "wy", "rad/s", "f[%d].spin.y"},
    {OF_BODY_IN_SPACE, "wz", "rad/s", "f[%d].spin.z"},
    {OF_BODY_IN_SPACE, "ax", "m/s^2", "a[%d][0]"},
    {OF_BODY_IN_SPACE, "ay", "m/s^2", "a[%d][1]"},
    {OF_BODY_IN_SPACE, "az", "m/s^2", "a[%d][2]"},
    {OF_BODY_IN_SPACE, "alphax", "rad/s^2", "lashi_turn3(f[%d].A, lashi_vec3_of(a[%d] + 3)).x"},
    {OF_BODY_IN_SPACE, "alphay", "rad/s^2", "lashi_turn3(f[%d].A, lashi_vec3_of(a[%d] + 3)).y"},
    {OF_BODY_IN_SPACE, "alphaz", "rad/s^2", "lashi_turn3(f[%d].A, lashi_vec3_of(a[%d] + 3)).z"},
    {OF_CONTACT, "fn", "N", "state[%d].normal_force"},
    {OF_CONTACT, "ft", "N", "state[%d].friction_force"},
    {OF_CONTACT, "delta", "m", "state[%d].gap.delta"},
    {OF_CONTACT, "e", "m", "state[%d].gap.e"},
    {OF_CONTACT, "vt", "m/s", "state[%d].gap.sliding"},
    {OF_CONSTRAINT, "n", "N", "state[%d].normal_force"},
    {OF_CONSTRAINT, "fn", "N", "state[%d].normal_force"},
    {OF_CONSTRAINT, "vt", "m/s", "state[%d].gap.sliding"},
    {OF_MODES, "n", "N", "state[%d].normal_force"},
    {OF_MODES, "fn", "N", "state[%d].normal_force"},
    {OF_MODES, "ft", "N", "state[%d].friction_force"},
    {OF_MODES, "vt", "m/s", "state[%d].gap.sliding"},
    {OF_MODES, "e", "m", "state[%d].gap.e"},
    {OF_MODES, "delta", "m", "(memories[%d].touching ? 0 : state[%d].gap.delta)"},
    {OF_FILM, "film", "m", "numbers%d.size.clearance - state[%d].gap.e"},
    {OF_FILM, "film_force", "N", "state[%d].film_force"},
    {OF_FILM, "film_share", "", "state[%d].film_share"},
    {OF_FILM, "film_torque", "N m", "state[%d].film_torque"},
    {OF_FILM, "film_power", "W", "state[%d].film_power"},
    {OF_TORQUE, "torque", "N m", "drives[%d]"},
    {OF_FORCE, "force", "N", "drives[%d]"},
    {OF_MOTOR, "torque", "N m", "lashi_force_value(&force%d, 0, f, t)"},
    {OF_THRUSTER, "force", "N", "lashi_force_value(&force%d, 0, f, t)"},
    {OF_RUB, "friction", "", "rubbed%d"},
};
enum { ENTRIES = sizeof entries / sizeof *entries };

static bool is_called(const char *name, const char *channel, size_t length) {
    return strlen(name) == length && memcmp(name, channel, length) == 0;
}

/* The channel `suffix` of a thing of this sort. */
static bool find(lashi_seen *out, int of, const char *suffix, int index) {
    for (int i = 0; i < ENTRIES; i++)
        if ((int)entries[i].of == of && strcmp(suffix, entries[i].suffix) == 0) {
            *out = (lashi_seen){.text = entries[i].text, .unit = entries[i].unit, .index = index};
            return true;
        }
    return false;
}

bool lashi_seen_find(lashi_seen *out, const lash_system *system, const char *channel) {
    static const int sorts[] = {[LASHI_MODEL_COMPLIANT] = OF_CONTACT,
                                [LASHI_MODEL_PERMANENT] = OF_CONSTRAINT,
                                [LASHI_MODEL_MODES] = OF_MODES};
    const char *dot = strrchr(channel, '.');
    for (int s = 0; s < system->machine.signal_count; s++)
        if (strcmp(system->machine.signals[s].name, channel) == 0) {
            *out = (lashi_seen){.text = "reads[%d].f",
                                .unit = system->machine.signals[s].unit,
                                .index = system->machine.signals[s].read};
            return true;
        }
    if (!dot)
        return false;
    const size_t length = (size_t)(dot - channel);
    for (int k = 0; k < system->contact_count; k++)
        if (is_called(system->contacts[k].name, channel, length) &&
            (find(out, sorts[system->contacts[k].model], dot + 1, k) ||
             (system->contacts[k].lubricated && find(out, OF_FILM, dot + 1, k))))
            return true;
    for (int d = 0; d < system->drive_count; d++)
        // A machine with rows that repeat others shares its reactions between them, which only the library does.
        if (is_called(system->drives[d].name, channel, length) && system->drives[d].whole < 0 &&
            find(out,
                 lashi_drive_constraint(system, d)->coordinate.type == LASHI_COORDINATE_ANGLE ? OF_TORQUE
                                                                                              : OF_FORCE,
                 dot + 1, d))
            return true;
    for (int r = 0; r < system->rub_count; r++)
        if (system->rubs[r].contact < 0 && is_called(system->rubs[r].name, channel, length) &&
            find(out, OF_RUB, dot + 1, system->contact_count + r))
            return true;
    for (int k = 0; k < system->force_count; k++)
        if (system->forces[k].type == LASHI_FORCE_motor &&
            is_called(system->forces[k].name, channel, length) &&
            find(out, system->forces[k].coordinate.type == LASHI_COORDINATE_ANGLE ? OF_MOTOR : OF_THRUSTER,
                 dot + 1, k))
            return true;
    for (int b = 1; b < system->bodies; b++)
        if (is_called(system->body_names[b], channel, length))
            return find(out, system->spatial ? OF_BODY_IN_SPACE : OF_BODY_IN_PLANE, dot + 1, b);
    return false;
}

lashi_seen lashi_seen_loss(const lash_system *system, int contact) {
    return (lashi_seen){.text =
                            system->contacts[contact].lubricated
                                ? "state[%d].damping_power + state[%d].friction_power + state[%d].film_power"
                                : "state[%d].damping_power + state[%d].friction_power",
                        .unit = "W",
                        .index = contact};
}
