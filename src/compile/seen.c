/* SPDX-License-Identifier: MIT
 *
 * Channels that can be looked at in an ensemble, and how the text of a member finds each of them: from the
 * frames f, accelerations a and contact states of an evaluation. They are those of src/sim/channel.c. The gap of a
 * contact that is a constraint is not among them: it is rounding, and every step would end at an extremum of it. Where
 * it is one at times, the gap is zero then.
 */
#include <string.h>

#include "compile/write.h"

/* The elastic part of the normal force of a contact. */
#define ELASTIC                                                                                              \
    "(memories[%d].touching ? lashi_contact_elastic(&contact%d, lashi_gap_factor(&contact%d, "               \
    "&state[%d].gap), state[%d].gap.delta) : 0)"

/* What the text says for a channel; %d: the body, contact, drive, joint or place of an ideal joint. */
static const struct entry {
    enum {
        OF_BODY_IN_PLANE,
        OF_BODY_IN_SPACE,
        OF_OWN_AXES,
        OF_CONTACT,
        OF_CONSTRAINT,
        OF_MODES,
        OF_CENTRES,
        OF_CENTRES_IN_SPACE,
        OF_FILM,
        OF_TORQUE,
        OF_FORCE,
        OF_TURNED,
        OF_MOVED,
        OF_POWER,
        OF_RUB,
        OF_ANGLE,
        OF_TRAVEL,
        OF_REACTION,
        OF_WRENCH,
        OF_ENERGY
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
    {OF_OWN_AXES, "wbx", "rad/s", "lashi_turn_back(axes%d, f[%d].own).x"},
    {OF_OWN_AXES, "wby", "rad/s", "lashi_turn_back(axes%d, f[%d].own).y"},
    {OF_OWN_AXES, "wbz", "rad/s", "lashi_turn_back(axes%d, f[%d].own).z"},
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
    {OF_CONTACT, "edot", "m/s", "state[%d].gap.deltadot"},
    {OF_CONTACT, "deltadot", "m/s", "state[%d].gap.deltadot"},
    {OF_CONTACT, "fe", "N", ELASTIC},
    {OF_CONTACT, "fd", "N", "state[%d].normal_force - " ELASTIC},
    {OF_CONSTRAINT, "n", "N", "state[%d].normal_force"},
    {OF_CONSTRAINT, "fn", "N", "state[%d].normal_force"},
    {OF_CONSTRAINT, "vt", "m/s", "state[%d].gap.sliding"},
    {OF_CONSTRAINT, "ft", "N", "state[%d].friction_force"},
    {OF_MODES, "n", "N", "state[%d].normal_force"},
    {OF_MODES, "fn", "N", "state[%d].normal_force"},
    {OF_MODES, "ft", "N", "state[%d].friction_force"},
    {OF_MODES, "vt", "m/s", "state[%d].gap.sliding"},
    {OF_MODES, "e", "m", "state[%d].gap.e"},
    {OF_MODES, "delta", "m", "(memories[%d].touching ? 0 : state[%d].gap.delta)"},
    {OF_MODES, "edot", "m/s", "(memories[%d].touching ? 0 : state[%d].gap.deltadot)"},
    {OF_MODES, "deltadot", "m/s", "(memories[%d].touching ? 0 : state[%d].gap.deltadot)"},
    {OF_CENTRES, "ex", "m", "state[%d].gap.d.x"},
    {OF_CENTRES, "ey", "m", "state[%d].gap.d.y"},
    {OF_CENTRES_IN_SPACE, "ez", "m", "state[%d].gap.d.z"},
    {OF_FILM, "film", "m", "numbers%d.size.clearance - state[%d].gap.e"},
    {OF_FILM, "film_force", "N", "state[%d].film_force"},
    {OF_FILM, "film_share", "", "state[%d].film_share"},
    {OF_FILM, "film_torque", "N m", "state[%d].film_torque"},
    {OF_FILM, "film_power", "W", "state[%d].film_power"},
    {OF_TORQUE, "torque", "N m", "drives[%d]"},
    {OF_FORCE, "force", "N", "drives[%d]"},
    {OF_TURNED, "angle", "rad", "of_drive%d.value"},
    {OF_MOVED, "s", "m", "of_drive%d.value"},
    {OF_POWER, "power", "W", "drives[%d] * of_drive%d.rate"},
    {OF_RUB, "friction", "", "rubbed%d"},
    {OF_ANGLE, "angle", "rad", "of_joint%d.value"},
    {OF_ANGLE, "wz", "rad/s", "of_joint%d.rate"},
    {OF_TRAVEL, "s", "m", "of_travel%d.value"},
    {OF_TRAVEL, "sdot", "m/s", "of_travel%d.rate"},
    {OF_REACTION, "fx", "N", "reaction%d.force.x"},
    {OF_REACTION, "fy", "N", "reaction%d.force.y"},
    {OF_REACTION, "mz", "N m", "reaction%d.moment.z"},
    {OF_REACTION, "f", "N", "lashi_length3(reaction%d.force)"},
    {OF_WRENCH, "fz", "N", "reaction%d.force.z"},
    {OF_WRENCH, "mx", "N m", "reaction%d.moment.x"},
    {OF_WRENCH, "my", "N m", "reaction%d.moment.y"},
    {OF_WRENCH, "m", "N m", "lashi_length3(reaction%d.moment)"},
    {OF_ENERGY, "kinetic", "J", "energies.kinetic"},
    {OF_ENERGY, "potential", "J", "energies.potential"},
    {OF_ENERGY, "elastic", "J", "energies.elastic"},
};
enum { ENTRIES = sizeof entries / sizeof *entries };
static const lashi_seen_after found_after[] = {
    [OF_TURNED] = LASHI_SEEN_DRIVE,  [OF_MOVED] = LASHI_SEEN_DRIVE,     [OF_POWER] = LASHI_SEEN_DRIVE,
    [OF_ANGLE] = LASHI_SEEN_JOINT,   [OF_TRAVEL] = LASHI_SEEN_TRAVEL,   [OF_REACTION] = LASHI_SEEN_REACTION,
    [OF_OWN_AXES] = LASHI_SEEN_AXES, [OF_WRENCH] = LASHI_SEEN_REACTION, [OF_ENERGY] = LASHI_SEEN_ENERGY,
};

static bool is_called(const char *name, const char *channel, size_t length) {
    return strlen(name) == length && memcmp(name, channel, length) == 0;
}

/* The channel `suffix` of a thing of this sort. */
static bool find(lashi_seen *out, int of, const char *suffix, int index) {
    for (int i = 0; i < ENTRIES; i++)
        if ((int)entries[i].of == of && strcmp(suffix, entries[i].suffix) == 0) {
            *out = (lashi_seen){.text = entries[i].text,
                                .unit = entries[i].unit,
                                .index = index,
                                .after = found_after[entries[i].of]};
            return true;
        }
    return false;
}

/* A channel of a joint itself. Reactions of rows that repeat others are shared among them, which only the library does. */
static bool find_of_joint(lashi_seen *out, const lash_system *system, int j, const char *suffix) {
    const lashi_joint_info *joint = &system->joints[j];
    const bool turns = joint->coordinate.type == LASHI_COORDINATE_ANGLE, slides = joint->has_travel || !turns;
    return (joint->has_coordinate && turns && find(out, OF_ANGLE, suffix, j)) ||
           (joint->has_coordinate && slides && find(out, OF_TRAVEL, suffix, j)) ||
           (system->redundant_count == 0 &&
            (find(out, OF_REACTION, suffix, j) || (system->spatial && find(out, OF_WRENCH, suffix, j))));
}

/* A channel of a force. */
static bool find_of_force(lashi_seen *out, const lash_system *system, int k, const char *suffix) {
    const lashi_force *force = &system->forces[k];
    const lashi_force_channel *list = lashi_force_kind_at((size_t)force->type)->channels;
    for (int c = 0; list && list[c].suffix; c++) {
        lashi_force_channel own;
        if (lashi_force_channel_of(&own, force, &list[c]) && strcmp(own.suffix, suffix) == 0) {
            *out = (lashi_seen){.unit = own.unit, .index = k, .after = LASHI_SEEN_FORCE, .channel = c};
            return true;
        }
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
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        const bool centred = lashi_kind_of(contact)->centred;
        if (is_called(contact->name, channel, length) &&
            (find(out, sorts[contact->model], dot + 1, k) || (centred && find(out, OF_CENTRES, dot + 1, k)) ||
             (centred && contact->acts == LASHI_ACTS_IN_SPACE &&
              find(out, OF_CENTRES_IN_SPACE, dot + 1, k)) ||
             (contact->lubricated && find(out, OF_FILM, dot + 1, k))))
            return true;
    }
    for (int j = 0; j < system->joint_count; j++)
        if (is_called(system->joints[j].name, channel, length) && find_of_joint(out, system, j, dot + 1))
            return true;
    for (int d = 0; d < system->drive_count; d++) {
        const bool turns = lashi_drive_constraint(system, d)->coordinate.type == LASHI_COORDINATE_ANGLE;
        if (!is_called(system->drives[d].name, channel, length))
            continue;
        if (find(out, turns ? OF_TURNED : OF_MOVED, dot + 1, d))
            return true;
        // A machine with rows that repeat others shares its reactions between them, which only the library does.
        if (system->drives[d].whole < 0 &&
            (find(out, turns ? OF_TORQUE : OF_FORCE, dot + 1, d) || find(out, OF_POWER, dot + 1, d)))
            return true;
    }
    for (int r = 0; r < system->rub_count; r++)
        if (system->rubs[r].contact < 0 && is_called(system->rubs[r].name, channel, length) &&
            find(out, OF_RUB, dot + 1, system->contact_count + r))
            return true;
    for (int k = 0; k < system->force_count; k++)
        if (is_called(system->forces[k].name, channel, length) && find_of_force(out, system, k, dot + 1))
            return true;
    if (is_called("energy", channel, length) && find(out, OF_ENERGY, dot + 1, 0))
        return true;
    for (int b = 1; b < system->bodies; b++)
        if (is_called(system->body_names[b], channel, length))
            return find(out, system->spatial ? OF_BODY_IN_SPACE : OF_BODY_IN_PLANE, dot + 1, b) ||
                   (system->spatial && find(out, OF_OWN_AXES, dot + 1, b));
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
